"""Who plays whom, where and on which deals: blocks of seatings, as a pure function of few numbers.

A block is one deal sequence and the seatings that play it; it is one independent observation. The
sequence of blocks does not depend on the budget, so a larger one continues a smaller one.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

MOST_UNITS: Final = 1024
"""Most cyclic groups of tables that are told apart; beyond that a seeded sample is played."""

Seating = tuple[int, ...]
"""Entry on seat 0, 1, ..."""


@dataclass(frozen=True)
class Block:
    """One deal sequence and the seatings that play it."""

    number: int
    seatings: tuple[Seating, ...]


@dataclass(frozen=True)
class Schedule:
    """The blocks of a run.

    Parameters
    ----------
    kind : {"table", "selfplay"}
        ``table``: every set of entries that fits a table, each in all rotations of one circular
        order (with fewer entries than seats, every multiset whose counts differ by at most one).
        ``selfplay``: each entry at a table of its own copies, all of them on the same deals.
    entries, players : int
    games : int
        Budget; rounded up until every entry has the same number of games in every seat.
    seed : int
        Shuffles tables and circular orders.
    teams : int
        Number of teams, 0 without. Orders in which all teams have the same line-up, from which
        nothing can be learnt, are left out.
    """

    kind: str
    entries: int
    players: int
    games: int
    seed: int
    teams: int = 0

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """Blocks and games of the run."""
        if self.kind == "selfplay":
            blocks = -(-self.games // self.entries)
            return blocks, blocks * self.entries
        blocks = games = 0
        for unit in self._units():
            for table in unit:
                distinct = len(set(table)) == self.players
                games += self.players if distinct else len(self.block(blocks).seatings)
                blocks += 1
            if games >= self.games:
                break
        return blocks, games

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
        return self.entries if self.kind == "selfplay" else self.players

    def block(self, number: int) -> Block:
        """Block 0, 1, ... of the sequence, which has no end."""
        if self.kind == "selfplay":
            return Block(number, tuple((entry,) * self.players for entry in range(self.entries)))
        turn, place = divmod(number, len(self._cycle))
        table = self._cycle[place]
        rotations = _rotations(_circular_order(table, self.seed, turn, self.teams))
        if len(set(table)) < self.players:
            rotations = list(dict.fromkeys(rotations))
        return Block(number, tuple(rotations))

    def __iter__(self) -> Iterator[Block]:
        return (self.block(number) for number in range(self.blocks))

    def games_per_entry(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Games of each entry in each seat.

        Returns
        -------
        ndarray of shape (entries, players), int64
        """
        counts = np.zeros((self.entries, self.players), np.int64)
        for block in self:
            for seating in block.seatings:
                counts[seating, range(self.players)] += 1
        return counts

    def _units(self) -> Iterator[Sequence[Seating]]:
        """Groups of tables after which everybody has played equally often, again and again."""
        return itertools.cycle(_cyclic_units(self.entries, self.players, self.seed))

    @cached_property
    def _cycle(self) -> list[Seating]:
        """The tables of all groups, in the order in which they are played."""
        units = _cyclic_units(self.entries, self.players, self.seed)
        return [table for unit in units for table in unit]


def _key(*parts: object) -> bytes:
    """A number that looks random and depends on the parts alone."""
    return hashlib.sha256(repr(parts).encode()).digest()


@lru_cache(maxsize=8)
def _cyclic_units(entries: int, players: int, seed: int) -> list[list[Seating]]:
    """Tables in groups that arise by moving every entry on by one, in a balanced order.

    In a group every entry sits equally often. Groups come in an order that keeps the numbers of
    meetings of all pairs close together: greedily, by the sum of their squares.
    """
    every, extra = divmod(players, entries)
    names = sorted(range(entries), key=lambda entry: _key(seed, "entry", entry))
    if extra == 0:
        return [[tuple(sorted(names * every))]]
    groups = _groups(entries, extra, seed)
    order = _balanced_order(groups, entries, seed)
    units = []
    for chosen in order:
        unit = dict.fromkeys(
            tuple(sorted((member + step) % entries for member in chosen)) for step in range(entries)
        )
        tables = [tuple(sorted(names[member] for member in table)) for table in unit]
        units.append([tuple(sorted(table + tuple(names) * every)) for table in tables])
    return units


def _groups(entries: int, size: int, seed: int) -> list[Seating]:
    """One set of each cyclic group of sets of `size` entries; a sample if they are many."""
    if math.comb(entries, size) <= MOST_UNITS * entries:
        every = itertools.combinations(range(1, entries), size - 1)
        return sorted({_canonical((0, *rest), entries) for rest in every})
    groups: set[Seating] = set()
    for attempt in itertools.count():
        if len(groups) == MOST_UNITS:
            break
        draws = _key(seed, "group", attempt) + _key(seed, "more", attempt)
        numbers = (int.from_bytes(draws[at : at + 4]) for at in range(0, len(draws), 4))
        drawn = list(dict.fromkeys(1 + number % (entries - 1) for number in numbers))
        if len(drawn) >= size - 1:
            groups.add(_canonical((0, *drawn[: size - 1]), entries))
    return sorted(groups)


def _canonical(chosen: Seating, entries: int) -> Seating:
    """The smallest of the sets in the cyclic group of a set."""
    return min(tuple(sorted((member - first) % entries for member in chosen)) for first in chosen)


def _balanced_order(groups: list[Seating], entries: int, seed: int) -> list[Seating]:
    distances = np.zeros((len(groups), entries // 2 + 1))
    for row, group in enumerate(groups):
        for one, other in itertools.combinations(group, 2):
            gap = (other - one) % entries
            distances[row, min(gap, entries - gap)] += 1
        length = len({tuple(sorted((m + s) % entries for m in group)) for s in range(entries)})
        distances[row] *= length / entries
    if entries % 2 == 0:
        distances[:, -1] *= 2  # half as many pairs lie opposite each other
    pairs = np.ones(entries // 2 + 1)
    pairs[-1] -= 0.5 * (entries % 2 == 0)
    lots = [_key(seed, "group", group) for group in groups]
    ranks = np.argsort(np.argsort(np.array([int.from_bytes(lot[:7]) for lot in lots])))
    met = np.zeros(entries // 2 + 1)
    own = distances**2 @ pairs
    left = np.ones(len(groups), bool)
    order = []
    for _ in groups:
        growth = own + 2 * distances @ (pairs * met)
        growth[~left] = np.inf
        best = np.flatnonzero(growth <= growth.min() + 1e-9)
        chosen = int(best[np.argmin(ranks[best])])
        left[chosen] = False
        met += distances[chosen]
        order.append(groups[chosen])
    return order


def _circular_order(table: Seating, seed: int, turn: int, teams: int) -> Seating:
    """Circular order for the `turn`-th block of a table: all orders in turn, in mixed sequence."""
    first, *others = table
    if len(others) > 6:
        places = sorted(range(len(others)), key=lambda place: _key(seed, table, turn, place))
        return (first, *(others[place] for place in places))
    start = _first_order(table, seed)
    if len(set(table)) == len(table):
        mixed = _mixed_permutations(len(others), seed)
        return (first, *(others[place] for place in mixed[(start + turn) % len(mixed)]))
    orders = _distinct_orders(table, seed, teams)
    return orders[(start + turn) % len(orders)]


@lru_cache(maxsize=65536)
def _first_order(table: Seating, seed: int) -> int:
    return int.from_bytes(_key(seed, "order", table)[:7])


@lru_cache(maxsize=8)
def _mixed_permutations(size: int, seed: int) -> list[Seating]:
    permutations = itertools.permutations(range(size))
    return sorted(permutations, key=lambda order: _key(seed, "order", order))


@lru_cache(maxsize=256)
def _distinct_orders(table: Seating, seed: int, teams: int) -> list[Seating]:
    """Circular orders of a table at which some sit several times."""
    first, *others = table
    distinct: dict[Seating, Seating] = {}
    for rest in itertools.permutations(others):
        order = (first, *rest)
        if not _teams_are_equal(order, teams):
            distinct.setdefault(min(_rotations(order)), order)
    return sorted(distinct.values(), key=lambda order: _key(seed, "order", order))


def _teams_are_equal(order: Seating, teams: int) -> bool:
    """Whether all teams of a table have the same line-up."""
    line_ups = {tuple(sorted(order[team::teams])) for team in range(teams)}
    return len(line_ups) == 1 and len(set(order)) > 1


def _rotations(order: Seating) -> list[Seating]:
    return [order[shift:] + order[:shift] for shift in range(len(order))]


FIRST_PARTS: Final = 8
LARGEST_PART: Final = 1024


def parts(blocks: int) -> list[range]:
    """Ranges of blocks that are played, logged and kept as one.

    The first eight hold one block each, the next eight two, and so on up to 1,024, so that a slow
    run is saved often and a large one has few files. They follow from the number of blocks alone,
    and only the last one can be shorter than in a larger run.
    """
    ranges = []
    start, size = 0, 1
    while start < blocks:
        for _ in range(FIRST_PARTS if size < LARGEST_PART else 1):
            if start < blocks:
                ranges.append(range(start, min(start + size, blocks)))
                start += size
        size = min(2 * size, LARGEST_PART)
    return ranges
