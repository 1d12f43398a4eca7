"""Which entries sit together: sets of entries in an order that keeps everybody's meetings even."""

from __future__ import annotations

import hashlib
import itertools
import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

MOST_UNITS: Final = 1024
"""Most cyclic groups of tables that are told apart; beyond that a seeded sample is played."""

PAIR_RANGE: Final = 2
"""How many blocks more one pair may have met than another, wherever that is possible."""

_ATTEMPTS: Final = 8
_MOST_GROUPS_TO_REPEAT: Final = 256

Table = tuple[int, ...]
"""Entries at a table, in ascending order; one may sit there several times."""

Ints = np.ndarray[Any, np.dtype[np.int64]]


def key(*parts: object) -> bytes:
    """Bytes that look random and depend on the parts alone."""
    return hashlib.sha256(repr(parts).encode()).digest()


@lru_cache(maxsize=8)
def units(entries: int, size: int, seed: int) -> list[list[Table]]:
    """Tables of `size` in units, after each of which everybody has sat down equally often.

    A unit is a cyclic group: the tables that arise from one by moving every entry on by one. With
    fewer entries than places, everybody sits at every table, and the places left over go round.

    Each unit is the one that best undoes what pairs have met too often so far, among those after
    which no two pairs differ by more than `PAIR_RANGE` meetings; among equals, the one whose
    triples have met least. Taking the most lopsided units as soon as they fit leaves the even ones
    for the end, where the choice is small.

    Returns
    -------
    list of units, each a list of tables
        Every set of entries once, unless there are more than `MOST_UNITS` groups.
    """
    every, extra = divmod(size, entries)
    names = sorted(range(entries), key=lambda entry: key(seed, "entry", entry))
    if extra == 0:
        return [[tuple(sorted(names * every))]]
    groups, wanted = _groups(entries, extra, seed)
    found = []
    for chosen in _balanced_order(groups, wanted, entries, seed):
        tables = dict.fromkeys(_turned(chosen, step, entries) for step in range(entries))
        named = [tuple(sorted(names[member] for member in table)) for table in tables]
        found.append([tuple(sorted(table + tuple(names) * every)) for table in named])
    return found


def _groups(entries: int, size: int, seed: int) -> tuple[list[Table], int]:
    """One set of each cyclic group of sets of `size`, and how many of them are to be played.

    Where there are very many, twice as many as are played are drawn at random.
    """
    if math.comb(entries, size) <= 4 * MOST_UNITS * entries:
        every = itertools.combinations(range(1, entries), size - 1)
        groups = sorted({_canonical((0, *rest), entries) for rest in every})
        return groups, min(len(groups), MOST_UNITS)
    drawn: set[Table] = set()
    for attempt in itertools.count():
        if len(drawn) == 2 * MOST_UNITS:
            break
        draws = key(seed, "group", attempt) + key(seed, "more", attempt)
        numbers = (int.from_bytes(draws[at : at + 4]) for at in range(0, len(draws), 4))
        members = list(dict.fromkeys(1 + number % (entries - 1) for number in numbers))
        if len(members) >= size - 1:
            drawn.add(_canonical((0, *members[: size - 1]), entries))
    return sorted(drawn), MOST_UNITS


def _turned(chosen: Table, step: int, entries: int) -> Table:
    return tuple(sorted((member + step) % entries for member in chosen))


def _canonical(chosen: Table, entries: int) -> Table:
    """The smallest of the sets in the cyclic group of a set."""
    return min(_turned(chosen, -first, entries) for first in chosen)


def _balanced_order(groups: list[Table], wanted: int, entries: int, seed: int) -> list[Table]:
    pairs, triples = _meetings(groups, entries), _triples(groups, entries)
    best: list[int] = []
    least = 1 << 62
    for attempt in range(_ATTEMPTS if len(groups) <= _MOST_GROUPS_TO_REPEAT else 1):
        lots = np.array(
            [int.from_bytes(key(seed, "group", attempt, group)[:7]) for group in groups]
        )
        order, widest = _greedy(pairs, triples, wanted, lots)
        if widest < least:
            best, least = order, widest
        if least <= PAIR_RANGE:
            break
    return [groups[place] for place in best]


def _greedy(pairs: Ints, triples: Ints, wanted: int, lots: Ints) -> tuple[list[int], int]:
    """An order of groups, and the largest difference between two pairs' meetings on the way.

    All numbers are whole, so that no rounding can break a tie in another way elsewhere.
    """
    met = np.zeros(pairs.shape[1], np.int64)
    together = np.zeros(int(triples.max(initial=0)) + 1, np.int64)
    left = np.ones(len(pairs), bool)
    order: list[int] = []
    widest = 0
    for _ in range(wanted):
        after = met + pairs
        span = np.where(left, after.max(axis=1) - after.min(axis=1), np.iinfo(np.int64).max)
        fits = span <= max(PAIR_RANGE, span.min())
        pull = pairs @ (met.size * met - met.sum())
        tied = np.flatnonzero(fits & (pull == pull[fits].min()))
        if triples.size:
            growth = together[triples[tied]].sum(axis=1)
            tied = tied[growth == growth.min()]
        chosen = int(tied[np.argmin(lots[tied])])
        left[chosen] = False
        met = after[chosen]
        np.add.at(together, triples[chosen], 1)
        widest = max(widest, int(span[chosen]))
        order.append(chosen)
    return order, widest


def _meetings(groups: list[Table], entries: int) -> Ints:
    """How often each pair meets in each group; pairs equally far apart meet equally often.

    Returns
    -------
    ndarray of shape (groups, entries // 2), int64
        Column d - 1 is for pairs d places apart on the circle of entries.
    """
    meetings = np.zeros((len(groups), entries // 2 + 1), np.int64)
    for row, group in enumerate(groups):
        for one, other in itertools.combinations(group, 2):
            gap = (other - one) % entries
            meetings[row, min(gap, entries - gap)] += 1
        if entries % 2 == 0:
            meetings[row, -1] *= 2  # half as many pairs lie opposite each other
        length = len({_turned(group, step, entries) for step in range(entries)})
        meetings[row] = meetings[row] * length // entries
    return meetings[:, 1:]


def _triples(groups: list[Table], entries: int) -> Ints:
    """Number of the cyclic group of each triple of a set, shape (groups, triples), int64."""
    numbers: dict[Table, int] = {}
    rows = [
        [
            numbers.setdefault(_canonical(triple, entries), len(numbers))
            for triple in itertools.combinations(group, 3)
        ]
        for group in groups
    ]
    return np.array(rows, np.int64).reshape(len(groups), -1)
