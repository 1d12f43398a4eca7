"""Playouts card by card: legal, complete, and counted right."""

from __future__ import annotations

import random

import pytest
from linking import State, new_stream, play_both, started
from positions import NARROW, WIDE, rotated

from hearts_sim.cards import CARDS
from hearts_sim.rules import Rules

NAME = [card.name for card in CARDS]


@pytest.mark.parametrize("sensible", [False, True], ids=["random", "sensible"])
@pytest.mark.parametrize(("name", "players"), NARROW)
def test_every_card_is_legal(name: str, players: int, sensible: bool) -> None:
    """Trick by trick each card is legal at a table, which counts the points as the playout does.

    The whole playout ends in the same state; one that ends early scores as if it went on.
    """
    rng = random.Random(f"{name} {players} {sensible}")
    rules = rotated(Rules.preset(name, players=players), rng)
    for moon in (rng.random() < 0.5,):
        table, twin = started(rules, rng)
        size = rules.players * rules.hand_size
        play_both(table, twin, rng, rng.randint(size // 4, size), moon)
        slowly, quickly = State(table), State(table)
        for state in (slowly, quickly):
            state.moods[0] = moon
        streams = new_stream(7), new_stream(7)
        quickly.play_out(streams[1], sensible)
        while not table.hand_over:
            cards = slowly.play_trick(streams[0], sensible)
            if not cards:  # the score is certain
                assert sensible
                out = [card for hand in twin.hands for card in hand]
                assert not any(twin.cost(card) or card in twin.rules["bonus"] for card in out)
                break
            assert len(cards) + len(table.trick) == players
            for card in cards:
                table.play(card)
                twin.play(NAME[card])
            points = slowly.table[0]["points"][:players].tolist()
            assert points == twin.raw == list(table.points)
            assert slowly.table[0]["taken"][:players].tolist() == [int(c) for c in table.taken]
        for field in ("taken", "points", "trick_number", "hearts_broken"):
            assert (slowly.table[0][field] == quickly.table[0][field]).all(), field
        assert (slowly.hands[0]["cards"] == quickly.hands[0]["cards"]).all()
        assert (streams[0] == streams[1]).all()
        quickly.values(0.0)
        while not table.hand_over:
            table.play(table.legal.lowest())
        result = table.score()
        assert tuple(quickly.score[0]["hand_points"][:players]) == result.points
        assert tuple(quickly.score[0]["next_totals"][:players]) == result.scores


@pytest.mark.parametrize("sensible", [False, True], ids=["random", "sensible"])
@pytest.mark.parametrize(("name", "players"), WIDE)
def test_the_kitty_is_taken(name: str, players: int, sensible: bool) -> None:
    """With a kitty all cards of the deck are taken, each once, and the points are theirs."""
    rng = random.Random(f"{name} {players} {sensible}")
    rules = rotated(Rules.preset(name, players=players), rng)
    size = rules.players * rules.hand_size
    for left in (size, size // 2):
        table, twin = started(rules, rng)
        play_both(table, twin, rng, left, moon=False)
        state = State(table)
        state.play_out(new_stream(3), sensible)
        taken = state.table[0]["taken"][:players].tolist()
        assert sum(taken) == sum(1 << card for card in rules.deck)
        assert sum(cards.bit_count() for cards in taken) == len(rules.deck)
        for cards, points in zip(taken, state.table[0]["points"][:players], strict=True):
            costs = [twin.cost(NAME[card]) for card in range(52) if cards >> card & 1]
            assert sum(costs) == points
