"""Tables of what is only counted: places, and points by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd

from hearts_sim.tournament.counting.counts import Counts

_MOONS: Final = ("suffered", "", "made")


def places(counted: Counts, names: Sequence[str]) -> pd.DataFrame:
    """Games by strategy, place and number of sides that share it."""
    rows = [(names[entry], place, tied, games) for entry, place, tied, games in counted.places()]
    return pd.DataFrame(rows, columns=["strategy", "place", "tied", "games"])


def histogram(counted: Counts, names: Sequence[str]) -> pd.DataFrame:
    """Hands by strategy, points and kind of moon."""
    rows = [
        (names[entry], points, _MOONS[moon], hands)
        for entry, points, moon, hands in counted.points()
    ]
    return pd.DataFrame(rows, columns=["strategy", "points", "moon", "hands"])
