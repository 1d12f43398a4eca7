"""The positions of the package hold what is said of them."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from hearts_sim.errors import ConfigError
from hearts_sim.testing.endgames import FILE, KINDS, Endgame, endgame, endgames, written
from hearts_sim.testing.finding import fixed_orders, kind_of
from hearts_sim.testing.proving import prove

POSITIONS = endgames()
MOST_SIMPLE = 0.35


def verify(position: Endgame) -> None:
    """Solve a position once more; its history is legal, or its table would refuse it."""
    table = position.table()
    assert table.turn == position.seat
    assert table.trick_number == position.trick
    assert set(position.points) == set(table.legal)
    assert 2 <= len(table.hands[position.seat]) <= 5
    proof = prove(table)
    assert proof is not None
    assert proof.best == position.best
    assert (proof.worlds, proof.points, proof.gain) == (
        position.worlds, position.points, position.gain,
    )  # fmt: skip
    assert proof.gain[0] >= 1, "the best card is better in every world"
    assert kind_of(table, proof) == position.kind


@pytest.mark.long
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: str(position.number))
def test_every_position(position: Endgame) -> None:
    verify(position)


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_of_each_kind(kind: str) -> None:
    """Of each kind that with the fewest worlds."""
    some = [position for position in POSITIONS if position.kind == kind]
    if some:
        verify(min(some, key=lambda position: (position.worlds, -position.trick)))


def test_the_set() -> None:
    """Numbered, each of another hand, and no fixed order of ranks solves many."""
    assert [position.number for position in POSITIONS] == list(range(1, len(POSITIONS) + 1))
    assert {position.kind for position in POSITIONS} <= set(KINDS)
    hands = Counter(position.hands[-1].dealt for position in POSITIONS)
    assert max(hands.values()) == 1
    fixed = [fixed_orders(position.table(), position.best) for position in POSITIONS]
    for solved in zip(*fixed, strict=True):
        assert sum(solved) <= MOST_SIMPLE * len(POSITIONS)


def test_the_file_is_as_it_is_written() -> None:
    assert FILE.read_text(encoding="utf-8") == written(POSITIONS)
    assert [Endgame.of(plain) for plain in json.loads(written(POSITIONS))] == list(POSITIONS)


def test_no_such_position() -> None:
    for number in (0, -1, len(POSITIONS) + 1):
        with pytest.raises(ConfigError, match=f"there is no position {number}: they are 1 to"):
            endgame(number)
