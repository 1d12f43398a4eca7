"""What each format plays in its blocks.

A format is an endless sequence of blocks that depends on the entries, the table and the seed, but
never on the budget. It ends in units: after each, everybody has had as many games in every seat as
everybody else of the same role.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Protocol

from hearts_sim.tournament.plan.cover import Table, key, units
from hearts_sim.tournament.plan.orders import Seating, circular_order, rotations, teams_are_equal

ALL_MIXED: Final = 5
"""Up to so many players a duel plays every mixed seating; above, some for each number of seats."""


class Format(Protocol):
    """An endless sequence of blocks."""

    @property
    def most_seatings(self) -> int:
        """At most so many seatings are in a block."""

    @property
    def steady_cycle(self) -> int | None:
        """After how many blocks units and everybody's games begin anew.

        None where blocks differ in their number of games.
        """

    def seatings(self, number: int) -> Sequence[Seating]:
        """The seatings of block `number`, no two the same."""

    def games(self, number: int) -> int:
        """Number of seatings of a block."""

    def unit_sizes(self) -> Iterator[int]:
        """Number of blocks of one unit after another, without end."""


@dataclass(frozen=True)
class TableFormat:
    """Every set of entries that fits a table, each in all rotations of one circular order.

    With fewer entries than seats, every multiset whose counts differ by at most one. In which order
    the sets come, and what is played when they are too many, is for `cover.units`.
    """

    entries: int
    players: int
    seed: int
    teams: int = 0

    @property
    def most_seatings(self) -> int:
        return self.players

    @property
    def steady_cycle(self) -> int | None:
        return len(self._cycle) if self.entries >= self.players else None

    def seatings(self, number: int) -> Sequence[Seating]:
        turn, place = divmod(number, len(self._cycle))
        return rotations(circular_order(self._cycle[place], self.seed, turn, self.teams))

    def games(self, number: int) -> int:
        table = self._cycle[number % len(self._cycle)]
        distinct = len(set(table)) == self.players
        return self.players if distinct else len(self.seatings(number))

    def unit_sizes(self) -> Iterator[int]:
        return itertools.cycle(map(len, units(self.entries, self.players, self.seed)))

    @cached_property
    def _cycle(self) -> list[Table]:
        return [table for unit in units(self.entries, self.players, self.seed) for table in unit]


@dataclass(frozen=True)
class Duel:
    """Entries 0 and 1 at one table, in mixed seatings of both, all on the same deals.

    Up to `ALL_MIXED` players every mixed seating is played (14 at four seats). Above, each number
    of seats from one to all but one gets the rotations of one arrangement, another one in each
    block, and the rotations of its mirror image, in which the two have changed places. Either way
    both sit equally often in every seat, and as often at each other's left. Arrangements in which
    all teams have the same line-up are left out.
    """

    players: int
    seed: int
    teams: int = 0

    @property
    def most_seatings(self) -> int:
        if self.players <= ALL_MIXED:
            return len(_mixed_seatings(self.players, self.teams))
        return 2 * self.players * (self.players // 2)

    @property
    def steady_cycle(self) -> int | None:
        return 1 if self.players <= ALL_MIXED else None

    def seatings(self, number: int) -> Sequence[Seating]:
        if self.players <= ALL_MIXED:
            return _mixed_seatings(self.players, self.teams)
        chosen: dict[Seating, None] = {}
        for count in range(1, self.players // 2 + 1):
            order = self._arrangement(number, count)
            if order is not None:
                chosen |= dict.fromkeys(rotations(order))
                chosen |= dict.fromkeys(rotations(_mirrored(order)))
        return sorted(chosen, key=_fewest_first)

    def games(self, number: int) -> int:
        return len(self.seatings(number))

    def unit_sizes(self) -> Iterator[int]:
        return itertools.repeat(1)

    def _arrangement(self, number: int, count: int) -> Seating | None:
        """A seeded arrangement in which entry 0 has `count` seats; None if no attempt fits."""
        for attempt in range(100):
            seats = sorted(
                range(self.players),
                key=lambda seat: key(self.seed, "duel", number, count, attempt, seat),
            )
            order = tuple(int(seat not in seats[:count]) for seat in range(self.players))
            if not (self.teams and teams_are_equal(order, self.teams)):
                return order
        return None


@lru_cache(maxsize=16)
def _mixed_seatings(players: int, teams: int) -> Sequence[Seating]:
    mixed = [
        order
        for order in itertools.product((0, 1), repeat=players)
        if len(set(order)) == 2 and not (teams and teams_are_equal(order, teams))
    ]
    return sorted(mixed, key=_fewest_first)


def _mirrored(order: Seating) -> Seating:
    return tuple(1 - entry for entry in order)


def _fewest_first(order: Seating) -> tuple[int, int, Seating]:
    """First one against many, then many against one, then the rest."""
    alone = min(order.count(0), order.count(1))
    return alone, order.count(0), order


@dataclass(frozen=True)
class Gauntlet:
    """Each newcomer in every seat of one line-up of the field, all of them on the same deals.

    The field is everybody else. Its line-ups of one player fewer than there are seats come as the
    tables of a `TableFormat` do, with all circular orders in turn.
    """

    entries: int
    players: int
    newcomers: tuple[int, ...]
    seed: int
    teams: int = 0

    @property
    def most_seatings(self) -> int:
        return self.players * len(self.newcomers)

    @property
    def steady_cycle(self) -> int | None:
        return len(self._cycle)

    def seatings(self, number: int) -> Sequence[Seating]:
        turn, place = divmod(number, len(self._cycle))
        newcomer = -1  # one order for all of them
        order = circular_order((newcomer, *self._cycle[place]), self.seed, turn, self.teams)
        return [seating for entry in self.newcomers for seating in rotations((entry, *order[1:]))]

    def games(self, number: int) -> int:
        return self.most_seatings

    def unit_sizes(self) -> Iterator[int]:
        return itertools.cycle(map(len, self._units))

    @cached_property
    def _units(self) -> list[list[Table]]:
        field = [entry for entry in range(self.entries) if entry not in self.newcomers]
        return [
            [tuple(sorted(field[member] for member in line_up)) for line_up in unit]
            for unit in units(len(field), self.players - 1, self.seed)
        ]

    @cached_property
    def _cycle(self) -> list[Table]:
        return [line_up for unit in self._units for line_up in unit]


@dataclass(frozen=True)
class Selfplay:
    """Each entry at a table of its own copies, all of them on the same deals."""

    entries: int
    players: int

    @property
    def most_seatings(self) -> int:
        return self.entries

    @property
    def steady_cycle(self) -> int | None:
        return 1

    def seatings(self, number: int) -> Sequence[Seating]:
        return [(entry,) * self.players for entry in range(self.entries)]

    def games(self, number: int) -> int:
        return self.entries

    def unit_sizes(self) -> Iterator[int]:
        return itertools.repeat(1)
