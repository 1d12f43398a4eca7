"""A line for each strategy, with a band about it.

Up to eight share a panel and have their names at the ends of their lines; more have a panel each,
with the mean of all in grey.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hearts_sim.report.charts.colours import AXIS, CONTEXT, GREY, edge_of
from hearts_sim.report.charts.labels import fit_names, width_of
from hearts_sim.report.charts.multiples import (
    Cell,
    Multiples,
    Ticks,
    bottom_ticks,
    foot_note,
    level_grid,
)
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.panel import Panel
from hearts_sim.report.charts.rows import NAMES
from hearts_sim.report.charts.sheet import BODY, INNER, MARGIN, SMALL, Heading, Key, Sheet, ticks

TOGETHER: Final = 8
"""So many lines at most share a panel."""
HEIGHT: Final = 3.4
AXIS_ROOM: Final = 0.5
LABEL: Final = 0.165
"""Height of a label at the end of a line, inches."""

Floats = NDArray[np.float64]
Strip = tuple[Panel, Floats, str]
"""A panel, a line or an area in it, and its colour."""


@dataclass(frozen=True)
class Curve:
    """A line, and a band about it or nothing."""

    x: Floats
    y: Floats
    low: Floats | None = None
    high: Floats | None = None


@dataclass(frozen=True)
class Axes:
    """What the two axes are."""

    x: tuple[float, float]
    y: tuple[float, float]
    across: str
    """Unit of the horizontal axis."""
    up: str
    """Unit of the vertical axis."""
    marks: tuple[Sequence[float], Sequence[str]] | None = None
    """Ticks of the horizontal axis where they are not the usual ones."""
    hint: str = ""
    keyed: bool = False
    """Names stand in a key above, since all lines end alike."""


def draw_curves(
    curves: Mapping[str, Curve],
    mean: Curve,
    axes: Axes,
    colours: Mapping[str, str],
    heading: Heading,
) -> Figure:
    """Draw all lines in one panel, or each in its own beside the mean of all."""
    with styled():
        if len(curves) <= TOGETHER:
            return _draw_together(curves, axes, colours, heading)
        return _draw_apart(curves, mean, axes, colours, heading)


def _draw_together(
    curves: Mapping[str, Curve], axes: Axes, colours: Mapping[str, str], heading: Heading
) -> Figure:
    labels = fit_names(curves, NAMES, BODY)
    column = max(width_of(label, BODY) for label in labels.values()) + 0.35
    keys: list[Key] = []
    if axes.keyed:
        column = 0.0
        keys = [Key(labels[name], colours[name], edge_of(colours[name])) for name in curves]
    sheet = Sheet(heading, body=0.24 + HEIGHT + 0.42, keys=keys)
    left = MARGIN + AXIS_ROOM
    width = INNER - AXIS_ROOM - column
    panel = Panel(left, sheet.top + 0.24, width, HEIGHT, axes.x, axes.y)
    cells = [Cell("", panel, first=True, lowest=True)]
    _scales(sheet, cells, axes, width, HEIGHT)
    for name, curve in curves.items():
        shapes = _band(panel, curve)
        sheet.areas(shapes, colours[name], alpha=0.14, layer=2, within=panel)
    for name, curve in curves.items():
        shape = [panel.path(curve.x, curve.y)]
        sheet.lines(shape, edge_of(colours[name]), width=1.8, layer=4, within=panel, label=name)
        if len(curve.x) == 1:
            x, y = shape[0][0]
            if panel.top <= y <= panel.top + panel.height:
                sheet.marks([x], [y], edge_of(colours[name]), layer=4)
    ends = {} if axes.keyed else curves
    lines_end = {name: float(panel.down(curve.y[-1])) for name, curve in ends.items()}
    for name, y in spread(lines_end, panel.top, panel.top + HEIGHT).items():
        start = float(panel.across(curves[name].x[-1]))
        right = left + width
        end = lines_end[name]
        if math.isfinite(end):
            end = min(max(end, panel.top), panel.top + HEIGHT)
            leader = [(start, end), (right + 0.06, end), (right + 0.22, y), (right + 0.27, y)]
            sheet.lines([leader], edge_of(colours[name]), width=0.8, layer=3)
        sheet.text(right + 0.31, y, labels[name], size=BODY)
    sheet.text(MARGIN, sheet.top + 0.08, axes.up, size=SMALL, colour=GREY)
    if axes.hint:
        after = MARGIN + width_of(axes.up, SMALL) + 0.2
        sheet.text(after, sheet.top + 0.08, axes.hint, size=SMALL, colour=GREY)
    foot_note(sheet, left, axes.across)
    return sheet.figure


def _draw_apart(
    curves: Mapping[str, Curve],
    mean: Curve,
    axes: Axes,
    colours: Mapping[str, str],
    heading: Heading,
) -> Figure:
    layout = Multiples(list(curves), AXIS_ROOM)
    sheet, cells = layout.place(heading, axes.x, axes.y, height=layout.height)
    _scales(sheet, cells, axes, layout.width, layout.height)
    bands: list[Strip] = []
    means: list[Strip] = []
    own: list[Strip] = []
    for cell in cells:
        curve, colour = curves[cell.name], colours[cell.name]
        bands += [(cell.panel, shape, colour) for shape in _band(cell.panel, curve)]
        means.append((cell.panel, cell.panel.path(mean.x, mean.y), CONTEXT))
        own.append((cell.panel, cell.panel.path(curve.x, curve.y), edge_of(colour)))
    for shapes, faces, panel in _gathered(bands):
        sheet.areas(shapes, faces, alpha=0.18, layer=2, within=panel)
    for strips, width, layer in ((means, 1.2, 3), (own, 1.6, 4)):
        for shapes, faces, panel in _gathered(strips):
            sheet.lines(shapes, faces, width=width, layer=layer, within=panel)
    middle = cells[0].panel.top + layout.height / 2
    sheet.text(MARGIN, middle, axes.up, size=SMALL, colour=GREY, upright=True)
    foot_note(sheet, MARGIN + AXIS_ROOM, axes.across, axes.hint)
    return sheet.figure


def _gathered(strips: Sequence[Strip]) -> Iterator[tuple[list[Floats], list[str], Panel | None]]:
    """Shapes that can be drawn at once, with their colours: all that stay within their panels.

    The others come one by one with the panel that cuts them.
    """
    together: tuple[list[Floats], list[str]] = ([], [])
    for panel, shape, colour in strips:
        down = shape[np.isfinite(shape[:, 1]), 1]
        if not len(down):
            continue
        if down.min() >= panel.top and down.max() <= panel.top + panel.height:
            together[0].append(shape)
            together[1].append(colour)
        else:
            yield [shape], [colour], panel
    yield *together, None


def _scales(sheet: Sheet, cells: Sequence[Cell], axes: Axes, width: float, height: float) -> None:
    level_grid(sheet, cells, ticks(*axes.y, min(2 * height, 3.5)))
    marks = axes.marks or ticks(*axes.x, width, steps=(1, 2, 5, 10))
    bottom_ticks(sheet, cells, sparse(marks, axes.x, width))
    base = [line for cell in cells for line in cell.panel.level(axes.y[0])]
    sheet.lines(base, AXIS, width=0.8, layer=2)


def sparse(marks: Ticks, x: tuple[float, float], width: float) -> Ticks:
    """Leave out ticks whose labels would touch the one before."""
    places: list[float] = []
    written: list[str] = []
    last = -math.inf
    for place, text in zip(*marks, strict=True):
        middle = width * (place - x[0]) / (x[1] - x[0])
        half = width_of(text, SMALL) / 2
        if middle - half > last + 0.08:
            places.append(place)
            written.append(text)
            last = middle + half
    return places, written


def _band(panel: Panel, curve: Curve) -> list[Floats]:
    """The area of the intervals, if it is known anywhere.

    One wider than most of the panel says nothing and hides what others say: it is left out.
    """
    if curve.low is None or curve.high is None:
        return []
    low, high = panel.y
    known = np.isfinite(curve.low) & np.isfinite(curve.high)
    known[known] = curve.high[known] - curve.low[known] < 0.6 * (high - low)
    if known.sum() < 2:
        return []
    x = curve.x[known]
    upper, lower = panel.path(x, curve.high[known]), panel.path(x, curve.low[known])
    return [np.r_[upper, lower[::-1]]]


def mean_of(curves: Sequence[Curve]) -> Curve:
    """The mean of all lines, where all of them are."""
    x = np.unique(np.concatenate([curve.x for curve in curves]))
    start, end = max(curve.x[0] for curve in curves), min(curve.x[-1] for curve in curves)
    x = x[(x >= start) & (x <= end)]
    if not len(x):
        return Curve(np.array([np.nan]), np.array([np.nan]))
    heights = [np.interp(x, curve.x, curve.y) for curve in curves]
    return Curve(x, np.mean(heights, axis=0))


def spread(heights: Mapping[str, float], top: float, bottom: float) -> dict[str, float]:
    """Move labels apart so that none touches another, as little as possible, within two limits.

    What has no height goes to the bottom.

    Examples
    --------
    >>> spread({"a": 1.0, "b": 1.0}, 0.0, 3.0)
    {'a': 0.9175, 'b': 1.0825}
    """
    placed = {name: y if math.isfinite(y) else bottom for name, y in heights.items()}
    names = sorted(placed, key=lambda name: placed[name])
    # Groups of labels that touch: each stands about the mean of what its members want.
    groups: list[tuple[list[str], float]] = []
    for name in names:
        groups.append(([name], min(max(placed[name], top), bottom)))
        while len(groups) > 1:
            (before, upper), (after, lower) = groups[-2:]
            if lower - upper >= LABEL * (len(before) + len(after)) / 2:
                break
            both = [*before, *after]
            middle = (len(before) * upper + len(after) * lower) / len(both)
            half = LABEL * (len(both) - 1) / 2
            groups[-2:] = [(both, min(max(middle, top + half), bottom - half))]
    found: dict[str, float] = {}
    for members, middle in groups:
        first = middle - LABEL * (len(members) - 1) / 2
        found |= {name: round(first + LABEL * index, 6) for index, name in enumerate(members)}
    return found
