"""Which duels a sweep plays and who wins, against results that are made by hand."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from hearts_sim.tournament.sweep.points import (
    Point,
    directions,
    entry_name,
    grid,
    most_neighbours,
)
from hearts_sim.tournament.sweep.search import Found, Match, Score, Search, climb, search_grid


def point(**options: Any) -> Point:
    return Point(tuple(options.items()))


def follow(search: Search, judge: Callable[[Match], Score]) -> tuple[list[str], Found]:
    """The duels that a search asks for, and what it finds."""
    asked: list[str] = []
    try:
        match = next(search)
        while True:
            against = "" if match.against is None else f" - {match.against.text}"
            asked.append(match.point.text + against)
            match = search.send(judge(match))
    except StopIteration as ended:
        return asked, ended.value


def by_worth(worth: Mapping[str, float]) -> Callable[[Match], Score]:
    """The verdict of a test that never errs; what is not listed is worth nothing."""

    def judge(match: Match) -> Score:
        other = worth.get(match.against.text, 0.0) if match.against else 0.0
        gain = worth.get(match.point.text, 0.0) - other
        return Score(gain, "h1" if gain > 0 else "h0")

    return judge


def test_grid() -> None:
    """Every combination, the last option fastest."""
    points = grid({"risk": [0.2, 0.4], "bold": [True, False]})
    assert [item.text for item in points] == [
        "risk=0.2 bold=true",
        "risk=0.2 bold=false",
        "risk=0.4 bold=true",
        "risk=0.4 bold=false",
    ]
    assert points[1].slug == "risk-0.2_bold-false"
    assert points[1].plain == {"risk": 0.2, "bold": False}


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ({1: (0.1, "open"), 2: (0.3, "ahead"), 3: (0.2, "ahead")}, 2),
        ({1: (0.1, "open"), 2: (-0.3, "behind"), 3: (0.0, "same")}, 1),
        ({1: (0.4, "h0"), 2: (0.2, "undecided"), 3: (0.1, "h1")}, 2),
        ({1: (0.9, "disqualified"), 2: (0.2, "open"), 3: (math.nan, "open")}, 2),
        ({1: (-0.1, "open"), 2: (0.0, "same"), 3: (0.05, "h0")}, None),
    ],
)
def test_who_wins_a_grid(scores: dict[int, tuple[float, str]], winner: int | None) -> None:
    """The largest gain above 0 of those that did not lose."""
    asked, found = follow(
        search_grid(grid({"a": [1, 2, 3]})),
        lambda match: Score(*scores[match.point.plain["a"]]),  # type: ignore[index]
    )
    assert asked == ["a=1", "a=2", "a=3"]
    assert found == Found(None if winner is None else point(a=winner))


def test_climb() -> None:
    """A path that was counted by hand, of a in columns and b in rows.

    ====  ===  ===  ===  ===
    b       1    2    3    4
    ====  ===  ===  ===  ===
    x       0    1    2    0
    y       0    0    4    5
    ====  ===  ===  ===  ===
    """
    worth = {"a=2 b=x": 1, "a=3 b=x": 2, "a=3 b=y": 4, "a=4 b=y": 5}
    lists = {"a": [1, 2, 3, 4], "b": ["x", "y"]}
    asked, found = follow(climb(lists, point(a=2, b="x"), 99), by_worth(worth))
    assert asked == [
        "a=3 b=x - a=2 b=x",  # up, and wins
        "a=4 b=x - a=3 b=x",  # and on, which loses: down is where it came from
        "a=3 b=y - a=3 b=x",  # the other option, and wins
        "a=4 b=y - a=3 b=y",  # a second round: up wins now, and there is no further value
        "a=4 b=x - a=4 b=y",  # b again, against the new best
    ]
    assert found == Found(point(a=4, b="y"))


def test_climb_from_between() -> None:
    """A default that is not listed has the next values above and below as neighbours.

    It is none itself: the next value above 2 is 4.
    """
    asked, found = follow(climb({"a": [4, 1, 2]}, point(a=3), 99), by_worth({"a=3": 1, "a=2": 2}))
    assert asked == ["a=4 - a=3", "a=2 - a=3", "a=1 - a=2", "a=4 - a=2"]
    assert found == Found(point(a=2))


def test_climb_without_a_default() -> None:
    """Every value is a neighbour of one that is not known, and of a text."""
    asked, found = follow(climb({"a": [1, 2, 3]}, point(), 99), by_worth({"a=2": 1}))
    assert asked == ["a=1 - ", "a=2 - ", "a=3 - a=2", "a=1 - a=2"]
    assert found == Found(point(a=2))
    texts = {"m": ["x", "y", "z"]}
    asked, found = follow(climb(texts, point(m="y"), 99), by_worth({"m=x": 1, "m=z": 2}))
    assert asked == ["m=x - m=y", "m=z - m=x"]
    assert found == Found(point(m="z"))


def test_climb_that_stays() -> None:
    """Where no neighbour wins there is no winner; every neighbour was asked once."""
    asked, found = follow(
        climb({"a": [1, 2, 3], "b": [False, True]}, point(a=2, b=False), 99), by_worth({})
    )
    assert asked == [
        "a=3 b=false - a=2 b=false",
        "a=1 b=false - a=2 b=false",
        "a=2 b=true - a=2 b=false",
    ]
    assert found == Found(None)


def test_climb_in_a_circle() -> None:
    """Results that go round end: who was the best once does not come again."""
    asked, found = follow(climb({"m": ["x", "y", "z"]}, point(m="x"), 99),
                          lambda match: Score(1.0, "h1"))  # fmt: skip
    assert asked == ["m=y - m=x", "m=z - m=y"]
    assert found == Found(point(m="z"))


def test_climb_is_cut_off() -> None:
    """After the most duels it ends with the best so far, and says so."""
    worth = {f"a={number}": number for number in range(9)}
    asked, found = follow(climb({"a": list(range(9))}, point(a=0), 3), by_worth(worth))
    assert len(asked) == 3
    assert found == Found(point(a=3), complete=False)


def test_climb_is_no_longer_than_said() -> None:
    """Whatever comes out, the number of duels stays below its bound."""
    lists = {"a": [1, 2, 3, 4], "b": [1, 2, 3], "c": ["x", "y"]}
    for seed in range(200):

        def chance(match: Match, seed: int = seed) -> Score:
            won = zlib.crc32(repr((seed, match)).encode()) % 3 > 0
            return Score(1.0, "ahead" if won else "open")

        asked, _ = follow(climb(lists, point(a=2, b=3, c="x"), 10**6), chance)
        assert len(set(asked)) == len(asked) <= 24 * most_neighbours(lists) == 24 * 6


def test_directions() -> None:
    """Numbers go up and down, anything else everywhere."""
    assert list(directions([3, 1, 2], 2)) == [[3], [1]]
    assert list(directions([3, 1, 2], 3)) == [[2, 1]]
    assert list(directions([True, False], True)) == [[False]]


def test_names() -> None:
    """A name is that of the options unless it is too long or somebody else's."""
    assert entry_name(point(risk=0.4), 3) == "risk=0.4"
    assert entry_name(point(risk="x" * 60), 3) == "point 3"
    assert entry_name(point(risk=0.4), 3, "risk=0.4") == "risk=0.4 (tried)"
    assert point(mode="a b/c", n=1e-07).slug == "mode-a_b_c_n-1e-07"
