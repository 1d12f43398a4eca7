"""What lies behind a strategy's points: passes, seats, hands, moons, queens and what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from hearts_sim.stats import CellSums
from hearts_sim.tournament.counting import worst
from hearts_sim.tournament.counting.tally import below
from hearts_sim.tournament.counting.totals import Totals

GAME_COLUMNS: Final = ("block", "seat", "strategy", "points", "hands")
HAND_COLUMNS: Final = (
    "block", "seating", "game", "hand", "seat", "strategy", "team", "pass", "raw", "points",
    "hearts", "queen", "queen_how", "queen_by", "tricks", "moon", "moon_stopped_by", "score",
)  # fmt: skip

MOST_HANDS: Final = 40
"""Later hands of a game are not told apart."""

HOWS: Final = ("led", "followed", "dumped")
"""How the queen of spades is played: the codes 1, 2 and 3 of the log."""

RATES: Final = (
    "made", "suffered", "stopped", "failed", *HOWS, *(f"given {how}" for how in HOWS),
    "hearts", "queens", "tricks", "clean",
)  # fmt: skip
"""What is counted by hand of an entry; see `Details.rates`."""

Ints = np.ndarray[Any, np.dtype[np.int64]]


class DetailCounts:
    """Sums over parts of the log.

    Parameters
    ----------
    entries, players : int
        Of the run.
    highest_wins : bool
        Whether many points are good.

    Attributes
    ----------
    seats : CellSums
        Points by hands, by entry and seat.
    lengths : ndarray of int64
        Games by number of hands, from 0.
    passes : CellSums
        Points by hands, by entry and direction of the pass: the codes of the log.
    hands, scores : CellSums
        Points of a hand, and total after it, by entry and number of the hand in its game, less 1.
    totals : Totals
        The same totals, each by itself.
    rates : CellSums
        By entry, for each of its hands, the things of `RATES`: moons made, suffered, of others
        stopped, and own attempts that were stopped; queens taken, by how they were played, and
        hands of other sides given one; hearts, queens and tricks taken, and whether no penalty
        point was.
    stopping : ndarray of int64, shape (entries, entries)
        Hands in which the entry of the row stopped an attempt of that of the column.
    worst : ndarray of int64, shape (n, 7)
        See `worst.worst_hands`.
    """

    def __init__(self, entries: int, players: int, highest_wins: bool = False) -> None:
        self.entries = entries
        self.players = players
        self.highest_wins = highest_wins
        self.seats = CellSums(entries, players)
        self.lengths = np.zeros(0, np.int64)
        self.passes = CellSums(entries, players + 1)
        self.hands = CellSums(entries, MOST_HANDS)
        self.scores = CellSums(entries, MOST_HANDS)
        self.totals = Totals(entries, MOST_HANDS)
        self.rates = CellSums(entries, len(RATES))
        self.stopping = np.zeros((entries, entries), np.int64)
        self.worst = worst.none()

    def add_games(self, columns: Mapping[str, Any]) -> None:
        """Add rows of the games table: whole blocks in the order of the log.

        Parameters
        ----------
        columns : mapping of name to ndarray
            Those of `GAME_COLUMNS`, names as codes.
        """
        if not len(columns["block"]):
            return
        entry, owner = self._owners(columns)
        shape = self.players, len(entry)
        cell = columns["seat"] * np.int64(len(entry)) + owner
        points, hands = (_summed(cell, shape, columns[name]) for name in ("points", "hands"))
        self.seats.add(entry, points, hands)
        self._add_lengths(np.bincount(columns["hands"][:: self.players]))

    def add_hands(self, columns: Mapping[str, Any]) -> None:
        """Add rows of the hands table: whole blocks in the order of the log.

        Parameters
        ----------
        columns : mapping of name to ndarray
            Those of `HAND_COLUMNS`, names as codes.
        """
        if not len(columns["points"]):  # every game of the part was forfeited in its first hand
            return
        from hearts_sim.tournament.counting.hand_sums import sum_hands  # compiled

        sums = sum_hands(columns, self.entries, self.players, MOST_HANDS)
        self.passes.add(sums.entry, sums.passes, sums.passed)
        self.hands.add(sums.entry, sums.points, sums.reached)
        self.scores.add(sums.entry, sums.scores, sums.reached)
        self.rates.add(sums.entry, sums.rates, sums.hands)
        self.stopping += sums.stopping
        self._add_totals(columns)
        found = worst.worst_hands(columns, self.entries, highest_wins=self.highest_wins)
        self.worst = worst.merged(self.worst, found, highest_wins=self.highest_wins)

    def _owners(self, columns: Mapping[str, Any]) -> tuple[Ints, Ints]:
        """Number every entry in every block: the entry of each number, and the number of each row.

        In the order of the entries.
        """
        block = columns["block"].astype(np.int64)
        low = int(block.min())
        span = int(block.max()) - low + 1
        key = columns["strategy"].astype(np.int64) * span
        key += block
        key -= low
        there = np.bincount(key) > 0
        return np.flatnonzero(there) // span, (np.cumsum(there) - 1)[key]

    def _add_totals(self, columns: Mapping[str, Any]) -> None:
        entry, hand, score = (columns[name] for name in ("strategy", "hand", "score"))
        if int(hand.max()) > MOST_HANDS:
            early = hand <= MOST_HANDS
            entry, hand, score = entry[early], hand[early], score[early]
        self.totals.add(entry, hand - 1, score)

    def _add_lengths(self, lengths: Ints) -> None:
        size = max(len(self.lengths), len(lengths))
        both = np.zeros(size, np.int64)
        both[: len(self.lengths)] = self.lengths
        both[: len(lengths)] += lengths
        self.lengths = both

    def merge(self, other: DetailCounts) -> None:
        """Add what was counted in other blocks of the same run."""
        for name in _CELLS:
            getattr(self, name).merge(getattr(other, name))
        self._add_lengths(other.lengths)
        self.totals.merge(other.totals)
        self.stopping = self.stopping + other.stopping
        self.worst = worst.merged(self.worst, other.worst, highest_wins=self.highest_wins)

    def to_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """All sums as arrays by name, for `from_arrays`."""
        found = {
            "numbers": np.array([self.entries, self.players, self.highest_wins], np.int64),
            **{name: getattr(self, name) for name in _ARRAYS},
        }
        for name in (*_CELLS, "totals"):
            arrays = getattr(self, name).to_arrays()
            found |= {f"{name}.{key}": value for key, value in arrays.items()}
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray[Any, Any]]) -> DetailCounts:
        """Sums as they were when `to_arrays` gave these.

        Raises
        ------
        KeyError
            One of the arrays is missing.
        """
        entries, players, highest_wins = arrays["numbers"].tolist()
        found = cls(entries, players, bool(highest_wins))
        for name in _ARRAYS:
            setattr(found, name, arrays[name])
        for name in _CELLS:
            setattr(found, name, CellSums.from_arrays(below(name, arrays)))
        found.totals = Totals.from_arrays(below("totals", arrays))
        return found


_CELLS: Final = ("seats", "passes", "hands", "scores", "rates")
_ARRAYS: Final = ("lengths", "stopping", "worst")


def _summed(cell: Ints, shape: tuple[int, int], weights: Any = None) -> Ints:
    """Add rows up by cell, or count them: a table of whole numbers."""
    sums = np.bincount(cell, weights, shape[0] * shape[1])
    return sums.astype(np.int64, copy=False).reshape(shape)
