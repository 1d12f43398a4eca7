"""Last tricks: the exact solver, and what is left out of a search, against plain recursion."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from linking import SEARCHES, Asked, State, play_both, started
from max_n import best_of, each_card, solved
from pair import BIT, mask
from positions import pointed_rules
from twin import TwinGame

from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.search.steps import representatives
from hearts_sim.search.worlds import drawn_hands
from hearts_sim.strategy.view import View
from hearts_sim.testing.target import changed

PRESETS = [
    ("black_lady", 4, 50),
    ("hearts", 4, 20),
    ("black_maria", 3, 20),
    ("omnibus", 4, 20),
    ("spot", 4, 30),
    ("partnership", 4, 20),
    ("partnership_pooled", 4, 20),
    ("black_lady", 3, 30),
    ("black_lady", 5, 12),
    # The searches are compiled once more for it.
    pytest.param("kitty", 3, 12, marks=pytest.mark.long),
]


def endings(
    name: str, players: int, number: int, tricks: tuple[int, ...]
) -> Iterator[tuple[Table, TwinGame]]:
    """Some last tricks of random hands, most of them with points still out."""
    rng = random.Random(f"ending {name} {players}")
    rules = changed(Rules.preset(name, players=players), tie="draw")
    while number:
        table, twin = started(rules, rng)
        more = rng.randrange(players) if rng.random() < 0.5 else 0
        left = players * rng.choice(tricks) - more
        play_both(table, twin, rng, left, moon=number % 3 == 0)
        out = [card for hand in twin.hands for card in hand]
        if rng.random() < 0.9 and not any(twin.cost(card) for card in out):
            continue
        number -= 1
        totals = [rng.randrange(100) for _ in twin.seats]
        if rules.teams == "pooled":
            totals = [totals[twin.side_of(seat)] for seat in twin.seats]
        twin.scores = totals
        table._game["totals"][:players] = totals
        yield table, twin


@pytest.mark.parametrize(("name", "players", "number"), PRESETS)
def test_solved_as_by_plain_recursion(name: str, players: int, number: int) -> None:
    """The values of all seats are equal, ties taken by the lowest card.

    Cards that are left out because they come to the same as a lower one do so.
    """
    decisions = 0
    for table, twin in endings(name, players, number, (1, 2, 2, 3) if players < 5 else (1, 2)):
        spread = random.Random(str(twin.hands)).choice([0.0, 8.0, 20.0])
        values = each_card(twin, spread)
        assert twin.to_play is not None
        best = values[best_of(values, twin.to_play)]
        state = State(table)
        assert state.exact(spread) == pytest.approx(best, abs=1e-9)
        hand, legal = mask(twin.hands[twin.to_play]), mask(values)
        elsewhere = mask(card for hand in twin.hands for card in hand) & ~hand
        elsewhere |= mask(card for _, card in twin.trick)
        kept = int(representatives(state.rules[0], legal, hand, elsewhere))
        same: list[float] = []
        for card in values:  # in ascending order
            if kept & BIT[card]:
                same = values[card]
            assert values[card] == pytest.approx(same, abs=1e-9), (card, twin.hands)
        decisions += len(values) > 1
    assert decisions > number / 4


def known_endings(number: int) -> Iterator[tuple[Table, TwinGame, dict[str, list[float]]]]:
    """Decisions in small decks in which a seat can tell where every card is.

    One card is better than another, and it never matters what somebody takes who is indifferent.
    """
    rng = random.Random("known")
    while number:
        rules = pointed_rules(rng)
        if rules.kitty_size or rules.hand_size < 3:
            continue
        table, twin = started(rules, rng)
        play_both(table, twin, rng, rules.players * 3 - rng.randrange(4), moon=False)
        if twin.hand_over or len(twin.legal()) == 1:
            continue
        asked = Asked(table)
        total, _ = drawn_hands(
            View(memoryview(asked.view.tobytes()).cast("q"), rules), 0, random.Random(1)
        )
        if total != 1.0:
            continue
        ties: list[str] = []
        values, seat = each_card(twin, 0.0, ties), twin.to_play
        assert seat is not None
        own = [value[seat] for value in values.values()]
        if ties or max(own) < min(own) + 0.5:
            continue
        number -= 1
        yield table, twin, values


def test_the_best_card_is_found_where_all_hands_are_known() -> None:
    """By worlds that are solved exactly, and by a tree with enough time."""
    wrong = 0
    for table, twin, values in known_endings(12):
        seat = twin.to_play
        assert seat is not None
        best = max(value[seat] for value in values.values())
        cards = {BIT[card].bit_length() - 1: card for card in values}
        for name, search in SEARCHES.items():
            asked = Asked(table, playouts=800 if name == "tree" else 60, places=0)
            card = cards[asked.choose(*search)]
            assert values[card][seat] == pytest.approx(best), (name, twin.hands)
        # The lowest card must not be the right one always.
        wrong += values[min(values, key=BIT.__getitem__)][seat] < best - 0.1
    assert wrong > 2


def test_a_finished_hand_is_valued_as_it_is() -> None:
    """With no card left, or none that matters."""
    for table, twin in endings("black_lady", 4, 10, (1,)):
        while not twin.hand_over:
            card = min(twin.legal())
            table.play(card)
            twin.play(card)
        state = State(table)
        assert state.exact(0.0) == pytest.approx(solved(twin, 0.0)) == state.values(0.0)
