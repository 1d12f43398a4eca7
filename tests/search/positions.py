"""Positions for tests of possible worlds: views of random games, with the hands behind them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from random_rules import NAMES, _play, random_rules
from replay import FullRecorder, Seen, play_jobs

from hearts_sim.engine.machine import one_job
from hearts_sim.errors import RulesError
from hearts_sim.rules import PRESETS, Rules
from hearts_sim.strategy.view import View
from hearts_sim.testing.target import changed, short

TABLES = [
    (preset.name, players)
    for preset in PRESETS.values()
    for players in preset.players
    if Rules.preset(preset.name, players=players).packs == 1
]
"""All presets with one pack at each of their table sizes."""

NARROW = [table for table in TABLES if Rules.preset(table[0], players=table[1]).kitty_size == 0]
WIDE = [
    pytest.param(*table, marks=pytest.mark.long, id=f"{table[0]}-{table[1]}")
    for table in TABLES
    if table not in NARROW
]
"""Those with a kitty. For them all searches are compiled once more, which takes a minute."""


def pointed_rules(rng: random.Random) -> Rules:
    """Small one-pack decks of which many cards cost points, so that bans and queen rules bite."""
    while True:
        players, size = rng.choice([(3, 2), (3, 2), (3, 3), (3, 3), (3, 4), (4, 2), (4, 3)])
        kitty = rng.choice([0, 0, 1, 2, 3])
        liked = [*NAMES[:6], *NAMES[:6], *["QS", "KS", "AS"] * 4, *NAMES[39:] * 2, *NAMES]
        deck = {"QS"} if rng.random() < 0.7 else set()
        while len(deck) < players * size + kitty:
            deck.add(rng.choice(liked))
        others = [card for card in deck if card[1] != "H"]
        costs = dict.fromkeys(rng.sample(others, min(len(others), rng.randint(0, 6))), 5)
        if "QS" in deck and rng.random() < 0.4:
            costs["QS"] = 13
        play = _play(rng, 1, sorted(deck, key=NAMES.index), set(costs))
        if costs and rng.random() < 0.4:
            play["first_trick_points"] = "forbidden"
            play["first_trick_all_points"] = rng.choice(["hearts_only", "queen_first"])
        if kitty and rng.random() < 0.5:
            play["first_lead"] = "lowest_club_holder_any_club"
        if rng.random() < 0.3:
            play |= {"hearts_lead": "after_broken", "queen_discard": "free"}
            play["hearts_instead_of_queen"] = rng.random() < 0.5
            play["queen_lead"] = "free" if play["hearts_instead_of_queen"] else "after_broken"
        elif rng.random() < 0.3:
            play |= {"queen_forced": True, "queen_discard": "after_broken"}
        settings = {
            "players": players,
            "deck_removal": [card for card in NAMES if card not in deck],
            "hand_size": size,
            "leftover": "kitty_last_trick" if kitty else "remove",
            "pass_count": rng.choice([0, 1, 1, 2]),
            "pass_cycle": [rng.choice(["L", "R", "H", "scatter"])],
            "cards": costs,
            "moon": "off",
            **play,
        }
        try:
            return Rules(**settings)
        except RulesError:  # some rules do not go together: then other ones
            continue


def rotated(rules: Rules, rng: random.Random) -> Rules:
    """The rules for one deal, which may be any of the pass cycle."""
    start = rng.randrange(len(rules.pass_cycle))
    cycle = [*rules.pass_cycle[start:], *rules.pass_cycle[:start]]
    return changed(short(rules, 1), pass_cycle=cycle)


Position = tuple[View, tuple[int, ...]]
"""A view, and the true world: masks of the cards in hand by seat, then of the kitty."""


def one_pack_rules(rng: random.Random) -> Rules:
    """Any settings with one pack."""
    while True:
        rules = random_rules(rng)
        if rules.packs == 1:
            return rules


def positions(rules: Rules, rng: random.Random, games: int = 1) -> Iterator[Position]:
    """All decisions on cards and passes of some random games, each with the truth behind it."""
    for _ in range(games):
        seen: list[Seen] = []
        bots = [FullRecorder] * rules.players
        job = one_job(list(range(rules.players)), block=rng.getrandbits(20))
        play_jobs(rules, bots, job, rng.getrandbits(60), {"seen": seen}, log="games")
        dealt: dict[int, Any] = {}
        for hook, view, _ in seen:
            if hook == "end_hand":
                dealt[view.hand_number] = view.played_by
        before = {
            (view.hand_number, view.seat): view.hand
            for hook, view, _ in seen
            if hook == "choose_pass"
        }
        for hook, view, _ in seen:
            if hook in ("choose_pass", "choose_card"):
                hand = view.hand_number
                if hook == "choose_pass":
                    hands = [int(before[hand, seat]) for seat in range(rules.players)]
                else:
                    pairs = zip(dealt[hand], view.played_by, strict=True)
                    hands = [int(all_of & ~played) for all_of, played in pairs]
                kitty = int(view.deck & ~view.played)
                for cards in hands:
                    kitty &= ~cards
                yield view, (*hands, kitty)


def with_kitty(view: View, hands: Any) -> list[tuple[int, ...]]:
    """Worlds as they are enumerated: the kitty is what is in no hand."""
    left = int(view.deck & ~view.played)
    return [(*cards, left & ~sum(cards)) for cards in hands.tolist()]
