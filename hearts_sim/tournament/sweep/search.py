"""Which duels a sweep plays, and which point wins: no game is played here.

A search is a generator: it asks for a duel, is told how that came out, and returns the winner.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

from hearts_sim.tournament.sweep.points import Lists, Point, are_numbers, directions

WINS: Final = ("h1", "ahead")
"""Verdicts that say that the point which is tried is better."""

LOSES: Final = ("h0", "behind", "disqualified")
"""Verdicts that say that it is not better."""


@dataclass(frozen=True)
class Match:
    """A duel that is asked for: a point against another one, or against the opponent of all."""

    point: Point
    against: Point | None = None


@dataclass(frozen=True)
class Score:
    """How a duel came out.

    Attributes
    ----------
    gain : float
        By how much the point is better; nan where nothing can be said.
    verdict : str
        Of a sequential test ``h1``, ``h0`` or ``undecided``; else ``ahead``, ``behind`` or
        ``open``, by whether the interval of the gain leaves 0 out. ``disqualified`` is a point that
        failed too often, ``same`` one that is the opponent itself, which is not played.
    """

    gain: float
    verdict: str

    @property
    def wins(self) -> bool:
        """Whether the point is better."""
        return self.verdict in WINS


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes
    ----------
    winner : Point or None
        None: nothing is better than the opponent.
    complete : bool
        Whether it came to its end, and not to the number of duels that it may have.
    """

    winner: Point | None
    complete: bool = True


Search = Generator[Match, Score, Found]


def search_grid(points: Sequence[Point]) -> Search:
    """Let every point meet the opponent of all.

    Returns
    -------
    Found
        The point with the largest gain of those that did not lose; None when no gain is above 0.
    """
    best, most = None, 0.0
    for point in points:
        score = yield Match(point)
        if score.verdict not in LOSES and not math.isnan(score.gain) and score.gain > most:
            best, most = point, score.gain
    return Found(best)


def climb(lists: Lists, start: Point, most: int) -> Search:
    """Go from point to point, one option after the other: who beats the best becomes the best.

    Of an option whose values are numbers the next larger one is tried, and while that wins the one
    after it; if it does not win, the next smaller one. Of any other option each other value is
    tried. It ends when a whole round over the options changes nothing: no neighbour wins. A pair
    meets once, and who was the best once does not come again, so that results that go round in a
    circle end it too.

    Parameters
    ----------
    lists : mapping of option to values
    start : Point
        The first that is the best.
    most : int
        Number of duels after which it ends in any case.

    Returns
    -------
    Found
        The best; None when it is `start`.
    """
    best, done = start, 0
    former, met = {start}, set[tuple[Point, Point]]()
    changed = True
    while changed:
        changed = False
        for option, values in lists.items():
            begun_from = best
            for way in directions(values, best.plain.get(option)):
                if best != begun_from and are_numbers(values):
                    break  # the other direction is where it came from
                for value in way:
                    point = best.moved(option, value, lists)
                    if point in former or (point, best) in met:
                        break
                    if done == most:
                        return Found(_unless(best, start), complete=False)
                    met.add((point, best))
                    done += 1
                    if not (yield Match(point, best)).wins:
                        break
                    best, changed = point, True
                    former.add(point)
    return Found(_unless(best, start))


def _unless(best: Point, start: Point) -> Point | None:
    return None if best == start else best
