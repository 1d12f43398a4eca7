"""Functions that are called by a name: at once, or compiled when the first of them is called."""

from __future__ import annotations

from typing import Any

import pytest
from numba import njit

from hearts_sim.engine import building
from hearts_sim.search import linked
from hearts_sim.search.linked import linked as link


def three_steps(number: int, factor: float) -> float:
    total = 0.0
    for step in range(number):
        total += factor * step
    return total


def test_later_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled before the first call; then all that wait are."""
    later: list[Any] = []
    monkeypatch.setattr(building, "_for_kitties", later)  # what the searches have waiting stays so
    before = len(linked._kept)

    def at_once(number: int, factor: float) -> float:
        total = 0.0
        for step in range(number):
            total += factor * step
        return total

    def when_called(number: int, factor: float) -> float:
        total = 0.0
        for step in range(number):
            total += factor * step
        return total

    def of_the_same_file(number: int) -> int:
        return number + 1

    now = link("float64(int64, float64)")(at_once)
    waits = link("float64(int64, float64)", later=True)(when_called)
    other = link("int64(int64)", later=True)(of_the_same_file)

    def compiled() -> list[str]:
        return [name for kept in linked._kept[before:] if (name := getattr(kept, "__name__", ""))]

    assert len(later) == 2
    assert compiled() == ["at_once"]

    @njit
    def both(number: int, factor: float) -> tuple[float, float]:
        return now(number, factor), waits(number, factor)

    @njit
    def next_one(number: int) -> int:
        return other(number)

    # Compiling a caller compiles nothing of what it calls.
    both.compile("(int64, float64)")
    assert compiled() == ["at_once"]
    for number in (4, 0, 7):
        first, second = both(number, 0.5)
        assert first == second == three_steps(number, 0.5)
    assert compiled() == ["at_once", "when_called", "of_the_same_file"]
    assert next_one(5) == 6
    assert len(compiled()) == 3
