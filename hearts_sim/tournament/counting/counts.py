"""What is only counted: games, places, moons, queens, faults, and points by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

COLUMNS: Final = (
    "block", "game", "seat", "strategy", "points", "place", "win", "hands", "moons", "queens",
    "faults",
)  # fmt: skip
HAND_COLUMNS: Final = ("strategy", "points", "moon")
_TOTALS: Final = (
    "games", "seats", "win", "last", "moons", "queens", "hands", "points", "faults", "faulty",
    "tainting",
)  # fmt: skip

Ints = np.ndarray[Any, np.dtype[np.int64]]


class Counts:
    """Sums over parts of the log.

    Parameters
    ----------
    entries, players : int
        Of the run.
    sides : int
        Players of a game, or its teams.

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

    def __init__(self, entries: int, players: int, sides: int) -> None:
        self.entries = entries
        self.players = players
        self.sides = sides
        self.games = 0
        self.hands = 0
        self.seats = np.zeros((self.entries, self.players), np.int64)
        self.faulty_games = 0
        self.tainted: set[int] = set()
        self.totals = {name: np.zeros(self.entries) for name in _TOTALS}
        self._places: Counter[tuple[int, ...]] = Counter()
        self._points: Counter[tuple[int, ...]] = Counter()

    def add_games(self, columns: Mapping[str, Any]) -> None:
        """Add rows of the games table."""
        entry, place = columns["strategy"].astype(np.int64), columns["place"]
        self.games += len(entry) // self.players
        self.hands += int(columns["hands"].sum()) // self.players
        tied = self._tied(place)
        last = place + (tied - 1) / 2 >= self.sides
        sums = {
            "seats": np.ones(len(entry)),
            "win": columns["win"],
            "last": last / tied,
            **{name: columns[name] for name in ("moons", "queens", "hands", "points")},
        }
        for name, values in sums.items():
            self.totals[name] += np.bincount(entry, values, self.entries)
        self.totals["games"] += games_of(entry.reshape(-1, self.players), self.entries)
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

    def _add_places(self, entry: Any, place: Any, tied: Any) -> None:
        # Places are whole or half numbers, so that one number can stand for all three.
        halves = 2 * self.sides + 1
        key = (entry * halves + (2 * place).astype(np.int64)) * (self.sides + 1) + tied
        counts = np.bincount(key)
        for found in np.flatnonzero(counts):
            rest, ties = divmod(int(found), self.sides + 1)
            strategy, doubled = divmod(rest, halves)
            self._places[strategy, doubled, ties] += int(counts[found])

    def _tied(self, place: Any) -> Any:
        """By how many sides the place of each seat is shared, its own included."""
        table = place.reshape(-1, self.players)
        seats = (table[:, :, None] == table[:, None, :]).sum(axis=2)
        return seats.reshape(-1) * self.sides // self.players

    def add_hands(self, columns: Mapping[str, Any]) -> None:
        """Add rows of the hands table."""
        if not len(columns["points"]):  # every game of the part was forfeited in its first hand
            return
        from hearts_sim.tournament.counting.hand_sums import count_totals  # compiled

        points, moon = columns["points"], columns["moon"].astype(np.int8)
        low = int(points.min())
        hands = np.zeros((self.entries, 3, int(points.max()) - low + 1), np.int64)
        count_totals(columns["strategy"], moon + 1, points, 1, low, hands)
        for key in zip(*np.nonzero(hands), strict=True):
            entry, made, value = map(int, key)
            self._points[entry, value + low, made] += int(hands[key])

    def places(self) -> list[tuple[int, float, int, int]]:
        """Entry, place, number of sides that share it, and in how many games; sorted."""
        return [
            (entry, doubled / 2, tied, games)
            for (entry, doubled, tied), games in sorted(self._places.items())
        ]

    def points(self) -> list[tuple[int, int, int, int]]:
        """Entry, points, moon (0 suffered, 1 none, 2 made), and in how many hands; sorted."""
        return [
            (entry, points, moon, hands)
            for (entry, points, moon), hands in sorted(self._points.items())
        ]

    def merge(self, other: Counts) -> None:
        """Add what was counted in other parts of the same run."""
        self.games += other.games
        self.hands += other.hands
        self.seats += other.seats
        self.faulty_games += other.faulty_games
        self.tainted |= other.tainted
        for name, values in other.totals.items():
            self.totals[name] += values
        self._places.update(other._places)
        self._points.update(other._points)

    def to_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """All sums as arrays by name, for `from_arrays`."""
        return {
            "numbers": np.array(
                [self.players, self.sides, self.games, self.hands, self.faulty_games]
            ),
            "seats": self.seats,
            "tainted": np.array(sorted(self.tainted), np.int64),
            "totals": np.stack([self.totals[name] for name in _TOTALS]),
            "places": _as_rows(self._places),
            "points": _as_rows(self._points),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Counts:
        """Sums as they were when `to_arrays` gave these.

        Raises
        ------
        KeyError
            One of the arrays is missing.
        """
        players, sides, games, hands, faulty_games = arrays["numbers"].tolist()
        found = cls(len(arrays["seats"]), players, sides)
        found.games, found.hands, found.faulty_games = games, hands, faulty_games
        found.seats = arrays["seats"]
        found.tainted = set(arrays["tainted"].tolist())
        found.totals = dict(zip(_TOTALS, arrays["totals"], strict=True))
        found._places.update({tuple(row[:-1]): row[-1] for row in arrays["places"].tolist()})
        found._points.update({tuple(row[:-1]): row[-1] for row in arrays["points"].tolist()})
        return found


def games_of(table: Ints, entries: int) -> Ints:
    """Count the games of each entry, on however many seats it sits.

    Parameters
    ----------
    table : ndarray of int64, shape (games, players)
        Entry on each seat.
    entries : int
    """
    seated = np.sort(table, axis=1)
    another = np.ones(seated.shape, np.bool_)
    another[:, 1:] = seated[:, 1:] != seated[:, :-1]
    return np.bincount(seated[another], minlength=entries)


def _as_rows(counter: Counter[tuple[int, ...]]) -> np.ndarray[Any, Any]:
    """Keys of three numbers, and the count, as rows of four."""
    rows = [(*key, count) for key, count in sorted(counter.items())]
    return np.array(rows, np.int64).reshape(-1, 4)
