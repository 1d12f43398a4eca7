"""Points of a sweep: values for some options of a strategy, and what they are called."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Value = bool | int | float | str
Lists = Mapping[str, Sequence[Value]]
"""The values of each option that are tried."""

_LONGEST: Final = 60
"""Longest name of an entry."""
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Point:
    """Values of the options that are tuned, in their order.

    An option that has none here is left to the strategy.
    """

    options: tuple[tuple[str, Value], ...]

    @property
    def plain(self) -> dict[str, Value]:
        """The values by option."""
        return dict(self.options)

    @property
    def text(self) -> str:
        """``risk=0.4 guard=1``."""
        return " ".join(f"{name}={value_text(value)}" for name, value in self.options)

    @property
    def slug(self) -> str:
        """The same as part of the name of a folder: ``risk-0.4_guard-1``; not always unique."""
        words = [f"{name}-{_NO_NAME.sub('_', value_text(value))}" for name, value in self.options]
        return "_".join(words).encode("ascii", "replace").decode().replace("?", "_")

    def moved(self, option: str, value: Value, order: Iterable[str]) -> Point:
        """The same with another value of one option; `order` is that of all options."""
        values = {**self.plain, option: value}
        return Point(tuple((name, values[name]) for name in order if name in values))


def value_text(value: Value) -> str:
    """A value as a config has it: ``0.4``, ``true``, ``bold``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def grid(lists: Lists) -> list[Point]:
    """Every combination of values; that of the last option changes first."""
    return [
        Point(tuple(zip(lists, values, strict=True)))
        for values in itertools.product(*lists.values())
    ]


def directions(values: Sequence[Value], start: Value | None) -> Iterator[list[Value]]:
    """Where one can go from a value: lists of values, each in the order in which they are tried.

    Numbers have an order: one goes up step by step, or down. Anything else has none, and neither
    has a start that is no number: each other value is a direction of its own.

    Examples
    --------
    >>> list(directions([4, 1, 2, 3], 2))
    [[3, 4], [1]]
    >>> list(directions([1, 2, 3], 2.5))
    [[3], [2, 1]]
    >>> list(directions(["low", "high", "mean"], "high"))
    [['low'], ['mean']]
    """
    if start is not None and are_numbers([*values, start]):
        up = sorted(value for value in values if value > start)  # type: ignore[operator]
        down = sorted(
            (value for value in values if value < start),  # type: ignore[operator]
            reverse=True,
        )
        yield from (way for way in (up, down) if way)
    else:
        yield from ([value] for value in values if value != start)


def most_neighbours(lists: Lists) -> int:
    """Neighbours that a point can have: of numbers two, of other values all."""
    return sum(
        min(2, len(values)) if are_numbers(values) else len(values) for values in lists.values()
    )


def are_numbers(values: Iterable[Value]) -> bool:
    """Whether values have an order."""
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def entry_name(point: Point, number: int, other: str = "") -> str:
    """The name that a point plays under, not that of the other one."""
    name = point.text or "default"
    if len(name) > _LONGEST or not name.isprintable() or name != name.strip():
        name = f"point {number}"
    return f"{name} (tried)"[:_LONGEST] if name == other else name
