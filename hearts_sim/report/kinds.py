"""The kinds of charts, by name, for whoever lists them without drawing: nothing heavy here."""

from __future__ import annotations

from typing import Final

KINDS: Final[dict[str, str]] = {
    "ratings": "Elo and points per hand of every strategy, with intervals, best first",
    "pairwise": "how often each strategy finishes ahead of each other one, bright where known",
    "points": "how often each number of points per hand occurs, one small panel per strategy",
    "ecdf": "share of hands with at most so many points",
    "places": "share of games that each strategy ends on each place",
    "passes": "points per hand by direction of the pass",
    "seats": "points per hand by seat",
    "moons": "how often the moon was shot, suffered and stopped",
    "queens": "how the queen of spades was taken and given",
    "hearts": "hearts and tricks taken, and hands without a point",
    "trajectory": "mean total after each hand of a game",
    "lengths": "how many hands games have",
    "convergence": "how Elo settles as blocks are played",
    "timing": "time per decision",
    "faults": "how often each strategy failed, by kind of fault",
}
"""Kinds in the order in which a report shows them."""

TITLES: Final[dict[str, str]] = {
    "ratings": "Ratings",
    "pairwise": "Who finishes ahead of whom",
    "points": "Points per hand",
    "ecdf": "Points per hand, added up",
    "places": "Places",
    "passes": "Passing",
    "seats": "Seats",
    "moons": "Moons",
    "queens": "The queen of spades",
    "hearts": "Hearts and tricks",
    "trajectory": "Course of a game",
    "lengths": "Length of games",
    "convergence": "Convergence",
    "timing": "Time",
    "faults": "Faults",
}
"""Headings of the charts in a report."""

NEEDS_HANDS: Final = frozenset(
    {"points", "ecdf", "trajectory", "passes", "moons", "queens", "hearts"}
)
"""Kinds that need the log of hands."""
