"""Kind ``ratings``: a forest plot, Elo beside points per hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

import pandas as pd
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import colours_for
from hearts_sim.report.charts.frames import checked, floats, picked
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.rows import Measure, bound_of, draw_rows, remarks_on
from hearts_sim.report.charts.sheet import BETTER, Heading, cap

COLUMNS: Final = (
    "strategy",
    "elo",
    "elo_low",
    "elo_high",
    "points",
    "points_low",
    "points_high",
)
MEAN: Final = "mean"


def ratings(
    frame: pd.DataFrame,
    *,
    reference: str = MEAN,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    highest_wins: bool = False,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw every strategy's Elo and points per hand with intervals, best first.

    Parameters
    ----------
    frame
        One row per strategy: ``strategy`` (name), ``elo``, ``elo_low``, ``elo_high`` (Elo points),
        ``points``, ``points_low``, ``points_high`` (points per hand). A bound that is infinite or
        outside the panel becomes an arrow, one that is nan is left out; the notes say so. A value
        that is itself the one end of an interval without another is shown as a bar, not as a dot.
        If no strategy has an Elo, as in self-play, only the points are drawn.
    reference
        Where the reference line stands: at the values of this strategy (the anchor), or with
        ``"mean"`` at the mean of the field, without values that are only bounds.
    strategies
        Strategies from top to bottom, if not the best first.
    title, subtitle
        Heading, if not the usual one, and a line of facts about the run.
    confidence
        Coverage of the intervals, for the notes.
    highest_wins
        True for rules under which more points are better.
    colours
        Colour of each strategy, by default `strategy_colours` of those in the frame.
    notes
        Further remarks for the foot of the chart.

    Returns
    -------
    matplotlib.figure.Figure
        The chart, 8 inches wide.

    Raises
    ------
    ValueError
        When the frame lacks a column or rows, names a strategy twice, or lacks the reference.
    """
    table = checked(frame, "ratings", COLUMNS)
    names = list(table["strategy"])
    if len(set(names)) < len(names):
        raise ValueError("chart 'ratings': a strategy has more than one row")
    if reference != MEAN and reference not in names:
        raise ValueError(f"chart 'ratings': no strategy {reference!r} to refer to")
    data = {column: dict(zip(names, floats(table, column), strict=True)) for column in COLUMNS[1:]}
    rated = not all(math.isnan(value) for value in data["elo"].values())
    names.sort(key=lambda name: _order(data["elo"][name], data["points"][name], highest_wins))
    names, cut = cap(picked(names, strategies, "ratings"), reference)
    colour = colours_for(list(table["strategy"]), colours)
    anchor = reference if reference in names else ""

    specs = [("points", "Points per hand", BETTER[highest_wins], 2)]
    if rated:
        specs.insert(0, ("elo", "Elo", BETTER[True], 0))
    measures = [
        Measure(
            label,
            hint,
            decimals,
            {name: data[key][name] for name in names},
            {name: data[f"{key}_low"][name] for name in names},
            {name: data[f"{key}_high"][name] for name in names},
            data[key][reference] if anchor else _mean(table, key),
            "anchor" if anchor else "field mean",
        )
        for key, label, hint, decimals in specs
    ]
    if not title:
        shown = "Elo and points per hand" if rated else "Points per hand"
        title = f"{shown}, best strategy first" if len(names) > 1 and not strategies else shown
    lines = [f"Dashed lines: the anchor, {anchor}."] if anchor and len(names) > 1 else []
    remarks = [remarks_on(measures, confidence, *lines), *notes, *cut]
    with styled():
        return draw_rows(names, measures, colour, Heading(title, subtitle, remarks))


def _mean(table: pd.DataFrame, key: str) -> float:
    """Mean of what was measured, or if nothing was, of the bounds."""
    columns = [floats(table, f"{key}{end}") for end in ("", "_low", "_high")]
    rows = [row for row in zip(*columns, strict=True) if math.isfinite(row[0])]
    measured = [row for row in rows if not bound_of(*row)] or rows
    return fmean(value for value, _, _ in measured) if measured else math.nan


def _order(elo: float, points: float, highest_wins: bool) -> list[float]:
    """Sort key: the best Elo first, then the best points; what is not known goes last."""
    key: list[float] = []
    for good in (elo, points if highest_wins else -points):
        key += [1.0, 0.0] if math.isnan(good) else [0.0, -good]
    return key
