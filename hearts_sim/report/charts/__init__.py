"""Charts: functions from a pandas frame to a matplotlib `Figure`.

Nothing here touches pyplot or changes matplotlib's settings for anybody else, so a chart can be
drawn in a notebook, a script or a worker alike. A chart knows nothing of files: `save` writes it,
`to_svg` gives text to put into a page. Which kinds there are, without importing matplotlib:
`hearts_sim.report.kinds.KINDS`.

A figure is 8 inches wide, as high as it must be, and has no matplotlib axes: everything stands at
its place in inches, since that is drawn several times as fast.

All charts take these keywords, as far as they mean something for them:

strategies
    Strategies to show, in this order; what is said of the whole field is still said of all. By
    default all, in the order of the frame or the best first where the chart can tell.
title, subtitle
    Heading, if not the usual one, and a line of facts about the run.
confidence
    Coverage of the intervals, for the notes.
highest_wins
    True for rules under which more points are better.
colours
    Colour of each strategy, by default `strategy_colours` of those in the frame.

Notes
-----
    Further remarks for the foot of the chart.

At most fifty strategies are shown, a note says if that is not all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import strategy_colours
from hearts_sim.report.charts.curves import convergence, ecdf, trajectory
from hearts_sim.report.charts.forest import ratings
from hearts_sim.report.charts.histograms import points_histogram
from hearts_sim.report.charts.lengths import lengths
from hearts_sim.report.charts.matrix import faults, pairwise
from hearts_sim.report.charts.output import save, styled, to_bytes, to_svg
from hearts_sim.report.charts.parts import passes, queens, seats
from hearts_sim.report.charts.stacks import places
from hearts_sim.report.charts.tables import hearts, moons, timing

CHARTS: Final[dict[str, Callable[..., Figure]]] = {
    "ratings": ratings,
    "pairwise": pairwise,
    "points": points_histogram,
    "ecdf": ecdf,
    "places": places,
    "passes": passes,
    "seats": seats,
    "moons": moons,
    "queens": queens,
    "hearts": hearts,
    "trajectory": trajectory,
    "lengths": lengths,
    "convergence": convergence,
    "timing": timing,
    "faults": faults,
}
"""The function that draws each kind; the names are those of `hearts_sim.report.kinds.KINDS`."""

__all__ = [
    "CHARTS",
    "convergence",
    "ecdf",
    "faults",
    "hearts",
    "lengths",
    "moons",
    "pairwise",
    "passes",
    "places",
    "points_histogram",
    "queens",
    "ratings",
    "save",
    "seats",
    "strategy_colours",
    "styled",
    "timing",
    "to_bytes",
    "to_svg",
    "trajectory",
]
