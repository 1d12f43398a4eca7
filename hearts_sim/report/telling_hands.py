"""The hands in which two entries did most differently with the same cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Columns = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class TellingHand:
    """The same seat of the same deal, held by both.

    Attributes
    ----------
    block, hand, seat : int
        As in the log.
    first_mean, second_mean : float
        Mean points of each over the games in which it held the seat.
    first_points, second_points : int
        Their points in one game of each, chosen so that the fewest other seats differ.
    first_game, second_game : int
        These games.
    others_differ : int
        Other seats that differ between them.
    """

    block: int
    hand: int
    seat: int
    first_mean: float
    second_mean: float
    first_points: int
    second_points: int
    first_game: int
    second_game: int
    others_differ: int

    @property
    def difference(self) -> float:
        """Mean points of the first less those of the second."""
        return self.first_mean - self.second_mean


class TellingHands:
    """Keeps the hands with the largest differences of a run that is read part by part.

    Parameters
    ----------
    first, second : int
        The two entries.
    keep : int
        How many hands are kept.
    alike : bool
        Whether the two count as one when seats of others are compared: each has a run of its own.
    """

    def __init__(self, first: int, second: int, keep: int = 10, alike: bool = False) -> None:
        self.first = first
        self.second = second
        self.keep = keep
        self.alike = alike
        self.hands: list[TellingHand] = []

    def add(self, hands: Columns) -> None:
        """Add rows of the hands table, whole blocks at a time."""
        if not len(hands["block"]):
            return  # every game was forfeited before its first hand was over
        deal = (hands["block"] - hands["block"].min()) * (int(hands["hand"].max()) + 1)
        deal = deal + hands["hand"]
        spot = deal * (int(hands["seat"].max()) + 1) + hands["seat"]
        means = []
        compared = np.isin(hands["strategy"], (self.first, self.second))
        spots, index = np.unique(spot[compared], return_inverse=True)
        entry, points = hands["strategy"][compared], hands["points"][compared]
        for of in (self.first, self.second):
            own = entry == of
            times = np.bincount(index[own], minlength=len(spots))
            total = np.bincount(index[own], points[own], len(spots))
            means.append(np.divide(total, times, out=np.full(len(spots), np.nan), where=times > 0))
        gap = np.nan_to_num(np.abs(means[0] - means[1]))
        large = np.flatnonzero((gap > 0) & (gap >= self._least()))
        if not len(large):
            return
        # The rows are in the order of block, hand and seat, and so are those of equal difference.
        best = large[np.argsort(-gap[large], kind="stable")][: self.keep]
        for place in best:
            at = np.flatnonzero(spot == spots[place])
            rows = {name: hands[name][deal == deal[at[0]]] for name in _SEATED}
            where = int(hands["block"][at[0]]), int(hands["hand"][at[0]]), int(hands["seat"][at[0]])
            self.hands.append(
                self._told(*where, float(means[0][place]), float(means[1][place]), rows)
            )
        self.hands.sort(key=lambda hand: -abs(hand.difference))
        del self.hands[self.keep :]

    def _least(self) -> float:
        """Smaller differences are not kept."""
        return abs(self.hands[-1].difference) if len(self.hands) == self.keep else 0.0

    def _told(
        self, block: int, hand: int, seat: int, one: float, two: float, rows: Columns
    ) -> TellingHand:
        games: dict[int, dict[int, int]] = {}
        points = {}
        columns = (rows[name].tolist() for name in _SEATED)
        for game, at, entry, count in zip(*columns, strict=True):
            games.setdefault(game, {})[at] = entry
            if at == seat:
                points[game] = count
        held = {of: [game for game, by_seat in games.items() if by_seat[seat] == of]
                for of in (self.first, self.second)}  # fmt: skip
        sign = 1 if one > two else -1

        def unlike(mine: int, theirs: int) -> tuple[int, int, int, int]:
            # Of equally near games those that show the difference best.
            seen = sign * (points[mine] - points[theirs])
            others = self._others_differ(games[mine], games[theirs], seat)
            return others, -seen, max(mine, theirs), min(mine, theirs)

        mine, theirs = min(
            ((mine, theirs) for mine in held[self.first] for theirs in held[self.second]),
            key=lambda pair: unlike(*pair),
        )
        return TellingHand(
            block=block,
            hand=hand,
            seat=seat,
            first_mean=one,
            second_mean=two,
            first_points=points[mine],
            second_points=points[theirs],
            first_game=mine,
            second_game=theirs,
            others_differ=unlike(mine, theirs)[0],
        )

    def _others_differ(self, one: Mapping[int, int], two: Mapping[int, int], seat: int) -> int:
        own = (self.first, self.second)
        return sum(
            entry != two[at] and not (self.alike and (entry, two[at]) == own)
            for at, entry in one.items()
            if at != seat
        )


_SEATED = ("game", "seat", "strategy", "points")
