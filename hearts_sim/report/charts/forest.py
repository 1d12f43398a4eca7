"""Kind ``ratings``: a forest plot, Elo beside points per hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median
from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import GREY, RULE, colours_for, edge_of
from hearts_sim.report.charts.frames import checked, floats
from hearts_sim.report.charts.labels import fit_names, number_text, percent, width_of
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.sheet import (
    BETTER,
    INNER,
    MARGIN,
    SMALL,
    Heading,
    Sheet,
    cap,
    name_size,
    row_height,
    ticks,
)

COLUMNS: Final = (
    "strategy",
    "elo",
    "elo_low",
    "elo_high",
    "points",
    "points_low",
    "points_high",
)
HEAD: Final = 0.5
FOOT: Final = 0.2
GAP: Final = 0.3
MEAN: Final = "mean"


@dataclass(frozen=True)
class Measure:
    """What one panel shows: a value with an interval for every strategy."""

    name: str
    hint: str
    decimals: int
    values: dict[str, float]
    lows: dict[str, float]
    highs: dict[str, float]
    reference: float
    refers_to: str

    def bound(self, name: str) -> str:
        """``>`` where the value is only a lower bound, ``<`` where an upper one, else nothing."""
        return _bound(self.values[name], self.lows[name], self.highs[name])

    def text(self, name: str) -> str:
        """The value in figures."""
        number = number_text(self.values[name], self.decimals)
        return f"{self.bound(name)} {number}".strip()

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Limits of the axis; a giant interval does not squeeze everything else.

        An interval is shown in full unless it reaches further from the values than three times
        the usual half-width and than half of the values' own range.
        """
        dots = [value for value in self.values.values() if math.isfinite(value)]
        if not dots:
            return -1.0, 1.0
        bounds = [
            (self.values[name], bound)
            for side in (self.lows, self.highs)
            for name, bound in side.items()
            if math.isfinite(bound) and math.isfinite(self.values[name])
        ]
        usual = median([abs(bound - value) for value, bound in bounds] or [0.0])
        reach = max(3 * usual, 0.5 * (max(dots) - min(dots)))
        ends = dots + [bound for _, bound in bounds]
        low = max(min(ends), min(dots) - reach)
        high = min(max(ends), max(dots) + reach)
        least = 10.0**-self.decimals
        if high - low < least:
            low, high = low - least, high + least
        margin = 0.05 * (high - low)
        return low - margin, high + margin


def ratings(
    frame: pd.DataFrame,
    *,
    reference: str = MEAN,
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
    names, cut = cap(names, reference)
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
        title = f"{shown}, best strategy first" if len(names) > 1 else shown
    remarks = [_notes(measures, anchor, confidence), *notes, *cut]
    with styled():
        return _draw(names, measures, colour, Heading(title, subtitle, remarks))


def _mean(table: pd.DataFrame, key: str) -> float:
    """Mean of what was measured, or if nothing was, of the bounds."""
    columns = [floats(table, f"{key}{end}") for end in ("", "_low", "_high")]
    rows = [row for row in zip(*columns, strict=True) if math.isfinite(row[0])]
    measured = [row for row in rows if not _bound(*row)] or rows
    return fmean(value for value, _, _ in measured) if measured else math.nan


def _bound(value: float, low: float, high: float) -> str:
    if value == low and high == math.inf:
        return ">"
    return "<" if value == high and low == -math.inf else ""


def _order(elo: float, points: float, highest_wins: bool) -> list[float]:
    """Sort key: the best Elo first, then the best points; what is not known goes last."""
    key: list[float] = []
    for good in (elo, points if highest_wins else -points):
        key += [1.0, 0.0] if math.isnan(good) else [0.0, -good]
    return key


def _notes(measures: list[Measure], anchor: str, confidence: float) -> str:
    said = [f"Lines through the dots: {percent(confidence)} intervals."]
    bounds = [
        (value, low, high, measure.limits)
        for measure in measures
        for value, low, high in zip(
            measure.values.values(), measure.lows.values(), measure.highs.values(), strict=True
        )
        if not math.isnan(value)
    ]
    if anchor and len(measures[0].values) > 1:
        said.append(f"Dashed lines: the anchor, {anchor}.")
    if any(low < edge[0] or high > edge[1] for _, low, high, edge in bounds):
        said.append("An arrowhead marks what runs on beyond the panel.")
    if any(measure.bound(name) for measure in measures for name in measure.values):
        said.append("A bar instead of a dot: only a bound (>, <) is known.")
    if any(math.isnan(low) or math.isnan(high) for _, low, high, _ in bounds):
        said.append("Hollow dots: the interval is not known.")
    if any(math.isnan(value) for measure in measures for value in measure.values.values()):
        said.append("A dash: no value.")
    return " ".join(said)


def _draw(
    names: list[str],
    measures: list[Measure],
    colours: Mapping[str, str],
    heading: Heading,
) -> Figure:
    size, row = name_size(len(names)), row_height(len(names))
    labels = fit_names(names, 2.1, size)
    column = max(width_of(label, size) for label in labels.values())
    rows = row * len(names)
    sheet = Sheet(heading, body=HEAD + rows + FOOT)
    top = sheet.top + HEAD

    for index, name in enumerate(names):
        y = top + row * (index + 0.5)
        sheet.text(MARGIN, y, labels[name], size=size)

    start = MARGIN + column + 0.1
    left = MARGIN + column + GAP
    room = MARGIN + INNER - left - GAP * (len(measures) - 1)
    for measure in measures:
        texts = {name: measure.text(name) for name in names}
        numbers = max(width_of(text, size) for text in texts.values()) + 0.16
        width = room / len(measures) - numbers
        axes = sheet.axes(left, top, width, rows)
        _panel(axes, names, measure, colours, width)
        sheet.text(left, top - 0.38, measure.name, bold=True)
        hint = left + width_of(measure.name, 8.5, bold=True) + 0.1
        sheet.text(hint, top - 0.38, measure.hint, size=SMALL, colour=GREY)
        if len(names) > 1 and (middle := _refer(axes, measure)) is not None:
            label = measure.refers_to
            label = f"{label} {number_text(measure.reference, measure.decimals)}"
            half = width_of(label, SMALL) / 2
            x = left + min(max(middle * width, half), width - half)
            y = sheet.bottom - FOOT + 0.1
            sheet.text(x, y, label, size=SMALL, colour=GREY, side="center")
        for index, name in enumerate(names):
            y = top + row * (index + 0.5)
            sheet.line((start, y), (left + width, y), RULE)
            sheet.text(left + width + numbers, y, texts[name], size=size, side="right")
        left += room / len(measures) + GAP
        start = left
    return sheet.figure


def _panel(
    axes: Axes,
    names: list[str],
    measure: Measure,
    colours: Mapping[str, str],
    width: float,
) -> None:
    low, high = measure.limits
    axes.set_xlim(low, high)
    axes.set_ylim(len(names) - 0.5, -0.5)
    if any(math.isfinite(value) for value in measure.values.values()):
        places, labels = ticks(low, high, width)
        axes.xaxis.tick_top()
        axes.set_xticks(places, labels, parse_math=False)
        axes.grid(axis="x")
    big = 6.5 if len(names) <= 8 else 5
    for y, name in enumerate(names):
        value = measure.values[name]
        if math.isnan(value):
            continue
        colour = edge_of(colours[name])
        start, end = measure.lows[name], measure.highs[name]
        seen = [
            min(max(bound, low), high) for bound in (start, end, value) if not math.isnan(bound)
        ]
        axes.plot([min(seen), max(seen)], [y, y], color=colour, linewidth=2, zorder=3)
        edges = (value, start, end)
        for beyond, x, marker in (
            (any(bound < low for bound in edges), low, "<"),
            (any(bound > high for bound in edges), high, ">"),
        ):
            if beyond:
                axes.plot([x], [y], marker, color=colour, markersize=5, clip_on=False, zorder=3)
        if measure.bound(name):
            axes.plot(
                [value], [y], "|", color=colour, markersize=2 * big, markeredgewidth=2, zorder=4
            )
        elif low <= value <= high:
            hollow = math.isnan(start) or math.isnan(end)
            axes.plot(
                [value],
                [y],
                "o",
                markersize=big,
                markerfacecolor="white" if hollow else colours[name],
                markeredgecolor=colour if hollow or colour != colours[name] else "white",
                markeredgewidth=1.4 if hollow else 0.8,
                zorder=4,
            )


def _refer(axes: Axes, measure: Measure) -> float | None:
    """Draw the reference line; tell at which part of the panel's width, if within."""
    low, high = measure.limits
    if not low <= measure.reference <= high:
        return None
    axes.axvline(measure.reference, color="#8a8a8a", linewidth=1, linestyle=(0, (4, 2)), zorder=2)
    return (measure.reference - low) / (high - low)
