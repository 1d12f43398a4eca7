"""What is only counted: games, places, moons, queens, faults, and points by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from hearts_sim.tournament.results import Results

COLUMNS: Final = (
    "block", "game", "seat", "strategy", "points", "place", "win", "hands", "moons", "queens",
    "faults",
)  # fmt: skip
HAND_COLUMNS: Final = ("strategy", "points", "moon")
_TOTALS: Final = (
    "games", "seats", "win", "last", "moons", "queens", "hands", "points", "faults", "faulty",
    "tainting",
)  # fmt: skip


class Counts:
    """Sums over the parts of the log.

    Attributes
    ----------
    games, hands : int
        Of the run; a hand counts once, not for each seat.
    seats : ndarray of shape (entries, players), int64
        Games of each entry in each seat.
    totals : dict of name to ndarray of shape (entries,)
        Games in which an entry sat, and sums over its seats: seats, win, last, moons, queens,
        hands, points, faults. Of those games `faulty` are the ones in which it failed, and
        `tainting` counts the blocks of these.
    faulty_games : int
        Games in which somebody failed.
    tainted : set of int
        Blocks of these games.
    """

    def __init__(self, results: Results) -> None:
        self.results = results
        self.players = results.rules.players
        self.sides = results.rules.sides
        self.entries = len(results.names)
        self.games = 0
        self.hands = 0
        self.seats = np.zeros((self.entries, self.players), np.int64)
        self.faulty_games = 0
        self.tainted: set[int] = set()
        self.totals = {name: np.zeros(self.entries) for name in _TOTALS}
        self._places: Counter[tuple[int, float, int]] = Counter()
        self._points: Counter[tuple[int, int, int]] = Counter()

    def add_games(self, columns: Mapping[str, Any]) -> None:
        """Add rows of the games table."""
        entry, place = columns["strategy"].astype(np.int64), columns["place"]
        self.games += len(entry) // self.players
        self.hands += int(columns["hands"].sum()) // self.players
        tied = self._tied(place)
        last = place + (tied - 1) / 2 >= self.sides
        sums = {
            "games": self._first_seats(entry),
            "seats": np.ones(len(entry)),
            "win": columns["win"],
            "last": last / tied,
            **{name: columns[name] for name in ("moons", "queens", "hands", "points")},
        }
        for name, values in sums.items():
            self.totals[name] += np.bincount(entry, values, self.entries)
        cell = entry * self.players + columns["seat"]
        size = self.entries * self.players
        self.seats += np.bincount(cell, minlength=size).reshape(self.seats.shape)
        self._add_places(entry, place, tied)
        if columns["faults"].any():
            self._add_faults(columns)

    def _add_faults(self, columns: Mapping[str, Any]) -> None:
        failed = columns["faults"] > 0
        self.totals["faults"] += np.bincount(
            columns["strategy"], columns["faults"], minlength=self.entries
        )
        entry, game, block = (
            columns[name][failed].astype(np.int64) for name in ("strategy", "game", "block")
        )
        self.faulty_games += len(np.unique(game))
        self.tainted.update(np.unique(block).tolist())
        # A strategy that fails in several of its seats, or several games, counts once.
        for name, unit in (("faulty", game), ("tainting", block)):
            owner = np.unique(np.stack((unit, entry)), axis=1)[1]
            self.totals[name] += np.bincount(owner, minlength=self.entries)

    def _first_seats(self, entry: Any) -> Any:
        """1 for the first seat that an entry has in a game, 0 for its others."""
        table = entry.reshape(-1, self.players)
        same = table[:, :, None] == table[:, None, :]
        return (same.argmax(axis=2) == np.arange(self.players)).reshape(-1).astype(np.float64)

    def _add_places(self, entry: Any, place: Any, tied: Any) -> None:
        # Places are whole or half numbers, so that one number can stand for all three.
        halves = 2 * self.sides + 1
        key = (entry * halves + (2 * place).astype(np.int64)) * (self.sides + 1) + tied
        counts = np.bincount(key)
        for found in np.flatnonzero(counts):
            rest, ties = divmod(int(found), self.sides + 1)
            strategy, doubled = divmod(rest, halves)
            self._places[strategy, doubled / 2, ties] += int(counts[found])

    def _tied(self, place: Any) -> Any:
        """By how many sides the place of each seat is shared, its own included."""
        table = place.reshape(-1, self.players)
        seats = (table[:, :, None] == table[:, None, :]).sum(axis=2)
        return seats.reshape(-1) * self.sides // self.players

    def add_hands(self, columns: Mapping[str, Any]) -> None:
        """Add rows of the hands table."""
        if not len(columns["points"]):  # every game of the part was forfeited in its first hand
            return
        entry = columns["strategy"].astype(np.int64)
        points = columns["points"].astype(np.int64)
        moon = columns["moon"].astype(np.int64) + 1
        low = int(points.min())
        width = int(points.max()) - low + 1
        hands = np.bincount((entry * 3 + moon) * width + points - low)
        for key in np.flatnonzero(hands):
            rest, value = divmod(int(key), width)
            self._points[rest // 3, value + low, rest % 3] += int(hands[key])

    def places(self) -> pd.DataFrame:
        """Games by strategy, place and number of sides that share it."""
        names = self.results.names
        rows = [
            (names[entry], place, tied, games)
            for (entry, place, tied), games in sorted(self._places.items())
        ]
        return pd.DataFrame(rows, columns=["strategy", "place", "tied", "games"])

    def histogram(self) -> pd.DataFrame:
        """Hands by strategy, points and kind of moon."""
        names = self.results.names
        rows = [
            (names[entry], points, ("suffered", "", "made")[moon], hands)
            for (entry, points, moon), hands in sorted(self._points.items())
        ]
        return pd.DataFrame(rows, columns=["strategy", "points", "moon", "hands"])
