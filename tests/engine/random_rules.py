"""Rules at random over all settings, most of them allowed at the first attempt."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from hearts_sim.cards import CARDS
from hearts_sim.errors import RulesError
from hearts_sim.rules import CHOICES, PASS_TOKENS, Rules
from hearts_sim.rules.values import SWITCHES

NAMES = [card.name for card in CARDS]
HEARTS = NAMES[39:]


def random_rules(rng: random.Random, refused: Counter[str] | None = None) -> Rules:
    """Rules with any settings that are allowed together.

    The first value of every choice is the plain one, so that a search for a smaller example leads
    to plain rules. The few settings that contradict others are left out; `refused` counts them.
    """
    chosen = random_settings(rng)
    while True:
        try:
            return Rules(**chosen)
        except RulesError as error:
            wrong = [name for name in error.settings if name in chosen and name != "players"]
            if not wrong:
                raise
            if refused is not None:
                refused[wrong[0]] += 1
            del chosen[wrong[0]]


def random_settings(rng: random.Random) -> dict[str, Any]:
    """Settings of which nearly all are allowed together."""
    pick = rng.choice
    packs = pick([1, 1, 2])
    players = pick([4, 3, 4, 5, 6, 7, 8] if packs == 1 else [6, 3, 4, 4, 5, 7, 8, 9, 10, 11])
    teams = "none" if players % 2 else pick(["none", "singly", "pooled"])
    leftover = pick(CHOICES["leftover"])
    deck, size = _deck(rng, players, packs, leftover)
    cards = sorted(set(deck), key=NAMES.index)
    chosen: dict[str, Any] = {
        "players": players,
        "packs": packs,
        "teams": teams,
        "leftover": leftover,
        "deck_removal": list((Counter(NAMES * packs) - Counter(deck)).elements()),
        "hand_size": size,
    }
    chosen |= _passing(rng, players, packs, teams, size, cards)
    chosen |= _costs(rng, cards)
    chosen |= _play(rng, packs, cards, set(chosen["cards"]) - set(HEARTS))
    chosen |= _moon(rng, teams, bool(chosen["bonus"]))
    chosen |= _end(rng, teams)
    if chosen["no_trick_bonus"] < 0 or chosen["moon"] == "new":
        floors = ["none", "total0"]
    else:
        floors = ["none", "hand0", "hand0", "total0"]
    return chosen | {"score_floor": pick(floors)}


def _deck(rng: random.Random, players: int, packs: int, leftover: str) -> tuple[list[str], int]:
    """Cards in play, and how many go to each seat: all that there are, or few."""
    whole = NAMES * packs
    most = len(whole) // players
    size = rng.choice([most, rng.randint(2, most), rng.randint(2, 6)])
    left = 0
    if leftover != "remove":
        size -= size == most and players * most == len(whole) and most > 2
        left = rng.randint(0, min(9, len(whole) - size * players))
    size = min(size, most)
    deck = rng.sample(whole, players * size + left)
    # Mostly with a queen of spades, a heart and a club, without which many settings are idle.
    for kept in (["QS"], HEARTS, NAMES[:13]):
        if not set(kept) & set(deck) and rng.choice([True, True, True, False]):
            deck[rng.randrange(len(deck))] = rng.choice(kept)
    return deck, size


def _passing(
    rng: random.Random, players: int, packs: int, teams: str, size: int, cards: list[str]
) -> dict[str, Any]:
    different = -(-size // packs)
    tokens = ["L", "H", "R"] + ["L2", "R2"] + ["L3", "R3"] * (players > 3)
    tokens += ["A"] * (players % 2 == 0) + ["scatter"] * 2 * (players - 1 <= different)
    tokens += ["partner"] * 2 * (teams != "none")
    forbidden = [[], [], rng.sample(cards, min(len(cards), rng.randint(1, 6)))]
    forbidden.append([card for card in cards if card in HEARTS])
    return {
        "pass_count": min(different, rng.choice([3, 0, 1, 2, 2, 4, 5])),
        "pass_cycle": [rng.choice(tokens) for _ in range(rng.randint(1, 4))],
        "pass_forbidden": rng.choice(forbidden),
    }


def _play(rng: random.Random, packs: int, cards: list[str], dear: set[str]) -> dict[str, Any]:
    """How cards are played; `dear` are those with a cost that are no hearts."""
    pick = rng.choice
    queen, clubs = "QS" in cards, bool(set(cards) & set(NAMES[:13]))
    barred = pick([True, True, False])
    lead, discard = (pick(["free", "free", "after_broken"]) if queen else "free" for _ in "ab")
    breakers = ["heart", "heart_or_queen", "any_penalty"] if queen else ["heart", "any_penalty"]
    any_bar = barred or "after_broken" in (lead, discard)
    only = ["any", "hearts_only"] * bool(dear) + ["queen_first"] * 2 * ("QS" in dear)
    banned = pick([True, True, False])
    cancel = packs == 2 and pick([True, True, False])
    equals = "cancel_pairs" if cancel else "latest_of_equals"
    return {
        "first_lead": pick(CHOICES["first_lead"]) if clubs else "eldest_any",
        "first_trick_points": "forbidden" if banned else "free",
        "first_trick_all_points": pick(only) if banned and only else "any",
        "hearts_lead": "after_broken" if barred else "free",
        "broken_by": pick(breakers) if any_bar else "heart",
        "hearts_instead_of_queen": queen and barred and lead == "free" and pick([False, True]),
        "queen_lead": lead,
        "queen_discard": discard,
        "queen_forced": queen and pick([False, False, True]),
        "trick_winner": "highest_led" if packs == 1 else equals,
        "cancel_two_pairs": cancel and pick([False, True]),
    }


def _costs(rng: random.Random, cards: list[str]) -> dict[str, Any]:
    pick = rng.choice
    scale = pick(CHOICES["heart_scale"])
    some = rng.sample(cards, min(len(cards), rng.randint(1, 4)))
    queen = {"QS": 13} if "QS" in cards else {}
    costs = pick([queen, {card: rng.randint(1, 30) for card in some}])
    if scale != "zero" and set(cards) & set(HEARTS):
        costs = pick([costs, {}])
    elif not costs:
        costs = {cards[0]: 7}
    bonus = [card for card in cards if card not in costs and card not in HEARTS]
    bonus = rng.sample(bonus, min(len(bonus), rng.randint(0, 3)))
    return {
        "heart_scale": scale,
        "cards": costs,
        "bonus": pick([{}, {card: -rng.randint(1, 20) for card in bonus}]),
        "no_trick_bonus": pick([0, 0, -5, -20]),
    }


def _moon(rng: random.Random, teams: str, bonus: bool) -> dict[str, Any]:
    pick = rng.choice
    moon = pick(CHOICES["moon"][1:] + CHOICES["moon"])
    if moon == "off":
        return {"moon": moon}
    scope = "player" if teams == "none" else pick(CHOICES["moon_scope"])
    exempt = teams == "singly" and scope == "player" and moon not in ("new", "void")
    sun = "off" if moon == "void" else pick(CHOICES["sun"])
    return {
        "moon": moon,
        "moon_value": "auto" if moon == "void" else pick(["auto", rng.randint(1, 60)]),
        "moon_needs_bonus": bonus and pick([False, True]),
        "moon_scope": scope,
        "moon_partner": pick(CHOICES["moon_partner"]) if exempt else "normal",
        "sun": sun,
        "sun_first_trick": "counts" if sun == "off" else pick(CHOICES["sun_first_trick"]),
    }


def _end(rng: random.Random, teams: str) -> dict[str, Any]:
    pick = rng.choice
    most = rng.randint(2, 5)
    win = pick(CHOICES["win"])
    deals = pick([0, 0, rng.randint(1, most)])
    relief = win == "lowest" and teams == "none" and not deals
    return {
        "exact_target": pick(CHOICES["exact_target"]) if relief else "off",
        "win": win,
        "end": {"deals": deals} if deals else "points",
        "target": pick([26, 1, 5, 13, 20, 39, 52, 60, 100]),
        "end_cmp": pick(CHOICES["end_cmp"]),
        "tie": pick(CHOICES["tie"]),
        "tie_cap": rng.randint(0, 3),
        "max_hands": most,
    }


def values_of(rules: Rules) -> Iterable[tuple[str, Any]]:
    """Settings with their values, as far as they can be counted: those of lists one by one."""
    for item in dataclasses.fields(Rules):
        value = getattr(rules, item.name)
        if item.name == "pass_cycle":
            yield from (("pass_cycle", token) for token in set(value))
        elif item.name in ("pass_forbidden", "cards", "bonus", "deck_removal"):
            yield item.name, "some" if value else "none"
        elif item.name == "end":
            yield item.name, "deals" if rules.deals else "points"
        elif item.name == "moon_value":
            yield item.name, value if value == "auto" else "a number"
        elif item.name not in ("hand_size", "target", "max_hands"):
            yield item.name, value
    yield "kitty_size", "some" if rules.kitty_size else "none"


def all_values() -> set[tuple[str, Any]]:
    """What `values_of` has for some rules: every value of every setting."""
    values = {(name, value) for name, allowed in CHOICES.items() for value in allowed}
    values |= {(name, value) for name in SWITCHES for value in (False, True)}
    values |= {("pass_cycle", token) for token in PASS_TOKENS}
    values |= {("players", number) for number in range(3, 12)}
    values |= {("packs", number) for number in (1, 2)}
    values |= {("pass_count", number) for number in range(6)}
    values |= {("tie_cap", number) for number in range(4)}
    values |= {("no_trick_bonus", value) for value in (0, -5, -20)}
    values |= {("end", value) for value in ("deals", "points")}
    values |= {("moon_value", value) for value in ("auto", "a number")}
    values |= {
        (name, value)
        for name in ("pass_forbidden", "cards", "bonus", "deck_removal", "kitty_size")
        for value in ("none", "some")
    }
    return values
