"""The kinds of charts, by name, for whoever lists them without drawing: nothing heavy here."""

from __future__ import annotations

from typing import Final

KINDS: Final[dict[str, str]] = {
    "ratings": "Elo and points per hand of every strategy, with intervals, best first",
    "points": "how often each number of points per hand occurs, one small panel per strategy",
    "places": "share of games that each strategy ends on each place",
}

TITLES: Final[dict[str, str]] = {
    "ratings": "Ratings",
    "points": "Points per hand",
    "places": "Places",
}
"""Headings of the charts in a report."""
