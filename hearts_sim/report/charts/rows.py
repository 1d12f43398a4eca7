"""A row for each strategy, with dots and intervals of one measure or several beside each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, Final

import pandas as pd
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import GREY, RULE, edge_of
from hearts_sim.report.charts.frames import floats
from hearts_sim.report.charts.labels import fit_names, number_text, percent, shorten, width_of
from hearts_sim.report.charts.panel import Panel
from hearts_sim.report.charts.sheet import (
    BODY,
    INNER,
    MARGIN,
    SMALL,
    Heading,
    Sheet,
    name_size,
    row_height,
    ticks,
)

HEAD: Final = 0.5
LINE: Final = 0.16
FOOT: Final = 0.2
GAP: Final = 0.3
NAMES: Final = 2.1
"""Names of strategies are at most so wide, inches."""


@dataclass(frozen=True)
class Measure:
    """What one panel shows: a value with an interval for every strategy.

    Attributes
    ----------
    name, hint : str
        Heading of the panel, and which way is better.
    decimals : int
        Of the values in figures.
    values, lows, highs : dict
        By strategy; nan where not known, infinite where there is no bound.
    reference : float
        Where a dashed line stands; nan for none.
    refers_to : str
        What the line is.
    powers : bool
        Values are spread by their logarithm; all are above 0.
    write : callable, optional
        How a value is written, if not as a number with the decimals.
    least : float
        Values cannot be less.
    """

    name: str
    hint: str
    decimals: int
    values: dict[str, float]
    lows: dict[str, float]
    highs: dict[str, float]
    reference: float = math.nan
    refers_to: str = ""
    powers: bool = False
    write: Callable[[float], str] | None = None
    least: float = -math.inf

    def bound(self, name: str) -> str:
        """``>`` where the value is only a lower bound, ``<`` where an upper one, else nothing."""
        return bound_of(self.values[name], self.lows[name], self.highs[name])

    def text(self, name: str) -> str:
        """The value in figures."""
        value = self.values[name]
        number = number_text(value, self.decimals)
        if self.write is not None and math.isfinite(value):
            number = self.write(value)
        return f"{self.bound(name)} {number}".strip()

    def at(self, value: float) -> float:
        """Where a value stands on the axis."""
        if self.powers and math.isfinite(value):
            return math.log10(value) if value > 0 else -math.inf
        return value

    def placed(self, name: str) -> tuple[float, float, float]:
        """Where the value and the ends of its interval stand on the axis."""
        sides = (self.values, self.lows, self.highs)
        value, low, high = (self.at(side[name]) for side in sides)
        return value, low, high

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Limits of the axis; a giant interval does not squeeze everything else."""
        ends = [self.placed(name) for name in self.values]
        return limits_of(ends, 0.02 if self.powers else 10.0**-self.decimals, self.least)

    def marks(self, width: float) -> tuple[list[float], list[str]]:
        """Round places on the axis, and what is written there."""
        low, high = self.limits
        if not self.powers:
            return ticks(low, high, width)
        write = self.write or number_text
        powers = range(math.ceil(low), math.floor(high) + 1)
        step = max(1, math.ceil(0.55 * len(powers) / width))
        places = [float(power) for power in powers if power % step == 0]
        return places, [write(10.0**power) for power in places]


def limits_of(
    rows: Sequence[Sequence[float]], least_span: float, least: float = -math.inf
) -> tuple[float, float]:
    """Limits of an axis for rows of value, low and high.

    An interval is shown in full unless it reaches further from the values than three times the
    usual half-width and than half of the values' own range.
    """
    dots = [row[0] for row in rows if math.isfinite(row[0])]
    if not dots:
        return -1.0, 1.0
    bounds = [
        (row[0], bound)
        for row in rows
        for bound in row[1:]
        if math.isfinite(bound) and math.isfinite(row[0])
    ]
    usual = median([abs(bound - value) for value, bound in bounds] or [0.0])
    reach = max(3 * usual, 0.5 * (max(dots) - min(dots)))
    ends = dots + [bound for _, bound in bounds]
    low = max(min(ends), min(dots) - reach, min(least, *dots))
    high = min(max(ends), max(dots) + reach)
    if high - low < least_span:
        low, high = (low, low + 1) if low == least else (low - least_span, high + least_span)
    margin = 0.05 * (high - low)
    return low - margin, high + margin


def bound_of(value: float, low: float, high: float) -> str:
    """Whether the value is itself the one end of an interval without another."""
    if value == low and high == math.inf:
        return ">"
    return "<" if value == high and low == -math.inf else ""


def by_name(frame: pd.DataFrame, column: str, factor: float = 1.0) -> dict[str, float]:
    """A column by the name of the strategy, times a factor."""
    values = floats(frame, column)
    return {name: factor * value for name, value in zip(frame["strategy"], values, strict=True)}


def remarks_on(measures: Sequence[Measure], confidence: float, *more: str) -> str:
    """What the marks of the panels mean, as far as they are there."""
    said = [f"Lines through the dots: {percent(confidence)} intervals.", *more]
    bounds = [
        (*measure.placed(name), *measure.limits) for measure in measures for name in measure.values
    ]
    known = [row for row in bounds if not math.isnan(row[0])]
    if any(low < left or high > right for _, low, high, left, right in known):
        said.append("An arrowhead marks what runs on beyond the panel.")
    if any(measure.bound(name) for measure in measures for name in measure.values):
        said.append("A bar instead of a dot: only a bound (>, <) is known.")
    if any(math.isnan(low) or math.isnan(high) for _, low, high, _, _ in known):
        said.append("Hollow dots: the interval is not known.")
    if len(known) < len(bounds):
        said.append("A dash: no value.")
    if all(math.isnan(low) for _, low, _, _, _ in bounds):
        said = said[1:]
    return " ".join(said)


def draw_rows(
    names: Sequence[str],
    measures: Sequence[Measure],
    colours: Mapping[str, str],
    heading: Heading,
    *,
    widest: float = NAMES,
) -> Figure:
    """Draw a panel for each measure, and its values in figures right of it.

    `widest` is how wide names may be, inches.
    """
    size, row = name_size(len(names)), row_height(len(names))
    labels = fit_names(names, widest, size)
    column = max(width_of(label, size) for label in labels.values())
    left = MARGIN + column + GAP
    room = (MARGIN + INNER - left - GAP * (len(measures) - 1)) / len(measures)
    beside = all(
        width_of(measure.name, BODY, bold=True) + 0.1 + width_of(measure.hint, SMALL) <= room
        for measure in measures
    )
    head = HEAD if beside else HEAD + LINE
    foot = FOOT if any(measure.refers_to for measure in measures) else 0.05
    rows = row * len(names)
    sheet = Sheet(heading, body=head + rows + foot)
    top = sheet.top + head
    middles = [top + row * (index + 0.5) for index in range(len(names))]
    for name, y in zip(names, middles, strict=True):
        sheet.text(MARGIN, y, labels[name], size=size)

    start = MARGIN + column + 0.1
    for measure in measures:
        texts = {name: measure.text(name) for name in names}
        numbers = max(width_of(text, size) for text in texts.values()) + 0.16
        panel = Panel(left, top, room - numbers, rows, measure.limits, (len(names) - 0.5, -0.5))
        title = shorten(measure.name, room, BODY, bold=True)
        sheet.text(left, sheet.top + 0.12, title, bold=True)
        hint = left + width_of(measure.name, BODY, bold=True) + 0.1 if beside else left
        y = sheet.top + 0.12 + (0 if beside else LINE)
        sheet.text(hint, y, shorten(measure.hint, room, SMALL), size=SMALL, colour=GREY)
        ends = (start, left + panel.width)
        sheet.lines([[(ends[0], y), (ends[1], y)] for y in middles], RULE, layer=-1)
        if any(math.isfinite(value) for value in measure.values.values()):
            places, written = measure.marks(panel.width)
            sheet.lines(panel.upright(places), RULE, layer=0)
            for x, text in zip(panel.across(places), written, strict=True):
                sheet.text(x, top - 0.09, text, size=SMALL, colour=GREY, side="center")
        dots = [
            Dot(panel, index, *measure.placed(name), colours[name], bool(measure.bound(name)))
            for index, name in enumerate(names)
        ]
        draw_dots(sheet, dots, 6.5 if len(names) <= 8 else 5)
        if len(names) > 1:
            _refer(sheet, panel, measure)
        for name, y in zip(names, middles, strict=True):
            sheet.text(left + room, y, texts[name], size=size, side="right")
        left += room + GAP
        start = left
    return sheet.figure


@dataclass(frozen=True)
class Dot:
    """A value with its interval, as it stands on the axis of a panel, in one of its rows."""

    panel: Panel
    row: float
    value: float
    low: float
    high: float
    colour: str
    bound: bool = False


def draw_dots(sheet: Sheet, dots: Sequence[Dot], size: float) -> None:
    """Draw many values at once; ``size`` of the dots in points."""
    dots = [dot for dot in dots if not math.isnan(dot.value)]
    lines: list[object] = []
    places: dict[str, list[Any]] = {}
    for dot in dots:
        low, high = dot.panel.x
        edge, y = edge_of(dot.colour), float(dot.panel.down(dot.row))
        ends = (dot.value, dot.low, dot.high)
        seen = [min(max(x, low), high) for x in ends if not math.isnan(x)]
        start, stop = dot.panel.across([min(seen), max(seen)])
        lines.append([(start, y), (stop, y)])
        if any(x < low for x in ends):
            places.setdefault("<", []).append((dot.panel.left, y, edge, "none"))
        if any(x > high for x in ends):
            right = dot.panel.left + dot.panel.width
            places.setdefault(">", []).append((right, y, edge, "none"))
        if dot.bound:
            places.setdefault("bound", []).append((float(dot.panel.across(dot.value)), y, edge, ""))
        elif low <= dot.value <= high:
            known = not (math.isnan(dot.low) or math.isnan(dot.high))
            face = dot.colour if known else "white"
            rim = edge if edge != dot.colour or not known else "white"
            kind = "value" if known else "hollow"
            places.setdefault(kind, []).append((float(dot.panel.across(dot.value)), y, face, rim))
    sheet.lines(lines, [edge_of(dot.colour) for dot in dots], width=2, layer=3)
    for kind, found in places.items():
        across, down, faces, rims = (list(column) for column in zip(*found, strict=True))
        if kind == "bound":
            tall = size / 72
            bars = [[(a, b - tall), (a, b + tall)] for a, b in zip(across, down, strict=True)]
            sheet.lines(bars, faces, width=2, layer=4, label=kind)
        elif kind in "<>":
            sheet.marks(across, down, faces, rims, shape=kind, layer=3, label=kind)
        else:
            edge_width = 0.8 if kind == "value" else 1.4
            sheet.marks(across, down, faces, rims, size=size, edge=edge_width, label=kind)


def _refer(sheet: Sheet, panel: Panel, measure: Measure) -> None:
    """Draw the reference line, if it is within the panel, and write what it is below."""
    low, high = panel.x
    at = measure.at(measure.reference)
    if not low <= at <= high:
        return
    sheet.lines(panel.upright([at]), "#8a8a8a", width=1, dash=(4, 2), layer=2)
    label = f"{measure.refers_to} {number_text(measure.reference, measure.decimals)}"
    half = width_of(label, SMALL) / 2
    right = panel.left + panel.width
    x = min(max(float(panel.across(at)), panel.left + half), right - half)
    y = panel.top + panel.height + 0.1
    sheet.text(x, y, label, size=SMALL, colour=GREY, side="center")
