"""Who plays whom, where and on which deals: blocks of seatings, as a pure function of few numbers.

A block is one deal sequence and the seatings that play it; it is one independent observation. The
sequence of blocks does not depend on the budget, so a larger one continues a smaller one.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from hearts_sim.tournament.plan.formats import Duel, Format, Gauntlet, Selfplay, TableFormat
from hearts_sim.tournament.plan.orders import Seating

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Block:
    """One deal sequence and the seatings that play it."""

    number: int
    seatings: tuple[Seating, ...]


@dataclass(frozen=True)
class Part:
    """Neighbouring blocks that are played, logged and kept as one.

    `even` is whether everybody has had equally many games in every seat when it is played: only
    there a run may end.
    """

    number: int
    blocks: range
    even: bool


@dataclass(frozen=True)
class Schedule:
    """The blocks of a run.

    Parameters
    ----------
    kind : {"table", "duel", "gauntlet", "selfplay"}
        See the classes of `formats`.
    entries, players : int
    games : int or None
        Budget in games; rounded up until every entry has the same number of games in every seat (in
        a gauntlet every newcomer as many as each other, and the same for the field).
    seed : int
        Shuffles tables and circular orders.
    teams : int
        Number of teams, 0 without.
    newcomers : tuple of int
        The entries that a gauntlet is for.
    budget_blocks : int or None
        Budget in blocks, instead of games; rounded up likewise.
    """

    kind: str
    entries: int
    players: int
    games: int | None
    seed: int
    teams: int = 0
    newcomers: tuple[int, ...] = ()
    budget_blocks: int | None = None

    @cached_property
    def _format(self) -> Format:
        if self.kind == "duel":
            return Duel(self.players, self.seed, self.teams)
        if self.kind == "gauntlet":
            return Gauntlet(self.entries, self.players, self.newcomers, self.seed, self.teams)
        if self.kind == "selfplay":
            return Selfplay(self.entries, self.players)
        return TableFormat(self.entries, self.players, self.seed, self.teams)

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """Blocks and games of the run."""
        blocks = games = 0
        steady = self._format.steady_cycle
        if steady is not None:
            # Whole cycles at once: a giant budget must not take a walk over all its blocks.
            per_block = self._format.games(0)
            budget = self.budget_blocks or -(-(self.games or 0) // per_block)
            blocks = max(0, budget - 1) // steady * steady
            games = blocks * per_block
        for size in self._format.unit_sizes():
            games += sum(self._format.games(blocks + place) for place in range(size))
            blocks += size
            if self._is_enough(blocks, games):
                break
        return blocks, games

    def _is_enough(self, blocks: int, games: int) -> bool:
        if self.budget_blocks is not None:
            return blocks >= self.budget_blocks
        return games >= (self.games or 0)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return self._sizes[0]

    @property
    def total_games(self) -> int:
        """Number of games, after rounding up."""
        return self._sizes[1]

    @property
    def seatings_per_block(self) -> int:
        """Most seatings of a block; game numbers are ``block * seatings_per_block + seating``."""
        return self._format.most_seatings

    def block(self, number: int) -> Block:
        """Block 0, 1, ... of the sequence, which has no end."""
        return Block(number, tuple(self._format.seatings(number)))

    def __iter__(self) -> Iterator[Block]:
        return (self.block(number) for number in range(self.blocks))

    def can_go_on(self, absent: Collection[int]) -> bool:
        """Whether there are games in which none of these entries sits."""
        # Where blocks differ in their number of games everybody sits in each of them.
        span = self._format.steady_cycle or 1
        out = frozenset(absent)
        return any(
            out.isdisjoint(seating)
            for number in range(span)
            for seating in self._format.seatings(number)
        )

    def parts(self) -> list[Part]:
        """The blocks of the run in parts; see `parts`."""
        if self.kind in ("duel", "selfplay"):
            return parts(self.blocks)
        return parts(self.blocks, itertools.accumulate(self._format.unit_sizes()))

    def count(self) -> tuple[Ints, Ints]:
        """Count games by entry, and by entry and seat.

        Returns
        -------
        games : ndarray of shape (entries,), int64
            Games in which the entry sits, on however many seats.
        seats : ndarray of shape (entries, players), int64
            Games of the entry in each seat.
        """
        steady = self._format.steady_cycle
        if steady is None or self.blocks <= steady:
            return self._count(self.blocks)
        cycles, rest = divmod(self.blocks, steady)
        (games, seats), (more_games, more_seats) = self._count(steady), self._count(rest)
        return cycles * games + more_games, cycles * seats + more_seats

    def _count(self, blocks: int) -> tuple[Ints, Ints]:
        games = np.zeros(self.entries, np.int64)
        seats = np.zeros((self.entries, self.players), np.int64)
        for number in range(blocks):
            for seating in self._format.seatings(number):
                games[list(set(seating))] += 1
                seats[seating, range(self.players)] += 1
        return games, seats


FIRST_PARTS: Final = 8
LARGEST_PART: Final = 1024


def parts(blocks: int, unit_ends: Iterable[int] | None = None) -> list[Part]:
    """Ranges of blocks that are played, logged and kept as one.

    The first eight hold one block each, the next eight two, and so on up to 1,024, so that a slow
    run is saved often and a large one has few files; a part is up to twice as long, or shorter,
    where it can end with a unit. Parts follow from the schedule alone, and only the last one of a
    run can be shorter than in a larger run.

    Parameters
    ----------
    blocks : int
    unit_ends : iterable of int, optional
        Numbers of blocks, ascending, after which everybody has had equally many games; every number
        if left out.
    """
    found: list[Part] = []
    ends = iter(()) if unit_ends is None else iter(unit_ends)
    coming: deque[int] = deque()
    start = 0
    while start < blocks:
        size = 1
        while size < LARGEST_PART and start >= FIRST_PARTS * (2 * size - 1):
            size *= 2
        end, even = start + size, unit_ends is None
        if unit_ends is not None:
            while not coming or coming[-1] < start + 2 * size:
                coming.append(next(ends))
            while coming[0] <= start:
                coming.popleft()
            near = [unit_end for unit_end in coming if unit_end < start + 2 * size]
            end = min(near, key=lambda unit_end: abs(unit_end - start - size), default=end)
            even = bool(near)
        stop = min(end, blocks)
        found.append(Part(len(found), range(start, stop), even or stop in coming))
        start = stop
    return found
