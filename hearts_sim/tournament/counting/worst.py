"""The few hands in which each entry fared worst."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

KEPT: Final = 5
"""Hands that are kept of each entry."""

FIELDS: Final = ("strategy", "points", "block", "seating", "game", "hand", "seat")

Ints = np.ndarray[Any, np.dtype[np.int64]]


def none() -> Ints:
    """No hand at all."""
    return np.zeros((0, len(FIELDS)), np.int64)


def worst_hands(columns: Mapping[str, Any], entries: int, *, highest_wins: bool) -> Ints:
    """Find the hands of each entry with the most points, or the fewest where the highest wins.

    Parameters
    ----------
    columns : mapping of name to ndarray
        Those of `FIELDS` and the moon: rows of the hands table in the order of the log, entries as
        numbers. Hands in which another shot the moon are left out: they say little of how one
        played.
    entries : int
    highest_wins : bool

    Returns
    -------
    ndarray of int64, shape (n, 7)
        The columns `FIELDS`; by entry, and for each at most `KEPT` rows, worst first. Of equal ones
        the first in the log.
    """
    if not len(columns["points"]):
        return none()
    from hearts_sim.tournament.counting.hand_sums import worst_rows  # compiled

    sign = -1 if highest_wins else 1
    rows = worst_rows(columns["strategy"], columns["points"], columns["moon"], entries, KEPT, sign)
    return np.stack([columns[name][rows].astype(np.int64) for name in FIELDS], axis=1)


def merged(one: Ints, other: Ints, *, highest_wins: bool) -> Ints:
    """The worst hands of both."""
    both = np.concatenate((one, other))
    bad = both[:, 1] if highest_wins else -both[:, 1]
    rows = np.lexsort((both[:, 6], both[:, 5], both[:, 3], both[:, 2], bad, both[:, 0]))
    return both[_first_of_each(rows, both[:, 0])]


def _first_of_each(rows: Ints, entry: Ints) -> Ints:
    """The first `KEPT` rows of each entry; rows are sorted by it."""
    owner = entry[rows]
    place = np.arange(len(rows)) - np.searchsorted(owner, owner)
    return rows[place < KEPT]
