"""How often each total occurs after each hand of a game, by entry: for quantiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

MOST_CELLS: Final = 1 << 20
FEWEST_BINS: Final = 64

Ints = np.ndarray[Any, np.dtype[np.int64]]


class Totals:
    """A histogram of totals for every entry and hand of the game.

    Bins are one point wide for as long as the totals that occur fit into `MOST_CELLS` cells in all
    (of each histogram at least `FEWEST_BINS`); then two, four, and so on. The width depends on the
    totals alone and not on their order.

    Parameters
    ----------
    entries, hands : int

    Attributes
    ----------
    width : int
        Points of a bin.
    first : int
        Number of the first bin: bin b has the totals b * width to (b + 1) * width - 1.
    games : ndarray of int64, shape (entries, hands, bins)
    """

    def __init__(self, entries: int, hands: int) -> None:
        self.entries = entries
        self.hands = hands
        self.width = 1
        self.first = 0
        self.games = np.zeros((entries, hands, 0), np.int64)

    @property
    def most(self) -> int:
        """Bins that fit."""
        return max(FEWEST_BINS, MOST_CELLS // (self.entries * self.hands))

    def add(self, entry: Ints, hand: Ints, total: Ints) -> None:
        """Count totals: one for each row, `hand` from 0."""
        if not len(total):
            return
        from hearts_sim.tournament.counting.hand_sums import count_totals  # compiled

        found = Totals(self.entries, self.hands)
        low, high = int(total.min()), int(total.max())
        while high // found.width - low // found.width >= self.most:
            found.width *= 2
        found.first = low // found.width
        bins = high // found.width - found.first + 1
        found.games = np.zeros((self.entries, self.hands, bins), np.int64)
        count_totals(entry, hand, total, found.width, found.first, found.games)
        self.merge(found)

    def merge(self, other: Totals) -> None:
        """Add those of other games."""
        if not other.games.size:
            return
        if not self.games.size:
            self.width, self.first, self.games = other.width, other.first, other.games.copy()
            return
        width = max(self.width, other.width)
        while True:
            ours, theirs = self._widened(width), other._widened(width)
            first = min(ours[0], theirs[0])
            stop = max(start + games.shape[2] for start, games in (ours, theirs))
            if stop - first <= self.most:
                break
            width *= 2
        start, games = ours
        if (start, start + games.shape[2]) != (first, stop):
            games = np.zeros((self.entries, self.hands, stop - first), np.int64)
            games[..., start - first : start - first + ours[1].shape[2]] = ours[1]
        start = theirs[0] - first
        games[..., start : start + theirs[1].shape[2]] += theirs[1]
        self.width, self.first, self.games = width, first, games

    def _widened(self, width: int) -> tuple[int, Ints]:
        """First bin, and games by bin, with wider bins."""
        if width == self.width:
            return self.first, self.games
        bins = (np.arange(self.games.shape[2]) + self.first) // (width // self.width)
        starts = np.flatnonzero(np.diff(bins, prepend=bins[0] - 1))
        return int(bins[0]), np.add.reduceat(self.games, starts, axis=2)

    def quantile(self, share: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The total below which a share of the games is, by entry and hand.

        Parameters
        ----------
        share : float
            From 0 to 1.

        Returns
        -------
        ndarray of float64, shape (entries, hands)
            In points; nan where nothing was counted. Between two totals it is interpolated, as
            `numpy.quantile` does unless told otherwise; of a bin the middle is taken.
        """
        number = self.games.sum(axis=2)
        if not self.games.size:
            return np.full(number.shape, np.nan)
        place = np.maximum(number - 1, 0) * share
        below = np.cumsum(self.games, axis=2)
        middle = (self.width - 1) / 2
        ends = []
        for rank in (np.floor(place), np.ceil(place)):
            found = (below <= rank[..., None]).sum(axis=2) + self.first
            ends.append(found * self.width + middle)
        between = ends[0] + (ends[1] - ends[0]) * (place - np.floor(place))
        return np.where(number > 0, between, np.nan)

    def to_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """All counts as arrays by name, for `from_arrays`."""
        seen = np.flatnonzero(self.games.any(axis=(0, 2)))
        kept = self.games[:, : seen.max(initial=-1) + 1]
        return {"bins": np.array([self.hands, self.width, self.first]), "games": kept}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Totals:
        """Counts as they were when `to_arrays` gave these."""
        kept = arrays["games"]
        hands, width, first = arrays["bins"].tolist()
        found = cls(len(kept), hands)
        found.width, found.first = width, first
        found.games = np.zeros((len(kept), hands, kept.shape[2]), np.int64)
        found.games[:, : kept.shape[1]] = kept
        return found
