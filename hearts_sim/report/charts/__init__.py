"""Charts: functions from a pandas frame to a matplotlib `Figure`.

Nothing here touches pyplot or changes matplotlib's settings for anybody else, so a chart can be
drawn in a notebook, a script or a worker alike. A chart knows nothing of files: `save` writes it,
`to_svg` gives text to put into a page. Which kinds there are, without importing matplotlib:
`hearts_sim.report.kinds.KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import strategy_colours
from hearts_sim.report.charts.forest import ratings
from hearts_sim.report.charts.histograms import points_histogram
from hearts_sim.report.charts.output import save, to_bytes, to_svg
from hearts_sim.report.charts.stacks import places

CHARTS: Final[dict[str, Callable[..., Figure]]] = {
    "ratings": ratings,
    "points": points_histogram,
    "places": places,
}
"""The function that draws each kind; the names are those of `hearts_sim.report.kinds.KINDS`."""

__all__ = [
    "CHARTS",
    "places",
    "points_histogram",
    "ratings",
    "save",
    "strategy_colours",
    "to_bytes",
    "to_svg",
]
