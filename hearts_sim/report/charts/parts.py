"""Kinds ``passes``, ``seats`` and ``queens``: what each strategy does in several situations.

A panel for each strategy, a row in it for each situation, dots with intervals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import AXIS, CONTEXT, GREY, INK, RULE, colours_for
from hearts_sim.report.charts.frames import checked, floats, picked
from hearts_sim.report.charts.labels import fit_names, number_text, percent, width_of
from hearts_sim.report.charts.multiples import Multiples, bottom_ticks, columns_for, foot_note
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.rows import Dot, draw_dots, limits_of
from hearts_sim.report.charts.sheet import BETTER, MARGIN, SMALL, Heading, Key, cap, ticks

PASSES: Final = ("strategy", "pass", "points", "low", "high", "hands")
SEATS: Final = ("strategy", "seat", "points", "low", "high", "hands")
TAKEN: Final = ("strategy", "how", "share", "low", "high")
HOWS: Final = ("led", "followed", "dumped")
ROW: Final = 0.2
Value = tuple[float, float, float]
Found = dict[str, dict[str, Value]]


@dataclass(frozen=True)
class Grid:
    """What the panels show: value, low and high by strategy and situation."""

    found: Found
    labels: dict[str, str]
    decimals: int
    unit: str
    hint: str = ""
    also: Found | None = None
    """A second value of each, drawn pale."""
    least: float = -math.inf
    middles: Mapping[str, float] | None = None
    """A line in each panel."""


def passes(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    highest_wins: bool = False,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw points per hand by the direction of the pass, a panel for each strategy.

    Parameters
    ----------
    frame
        One row per strategy and direction: ``strategy``, ``pass``, ``points`` (per hand), ``low``,
        ``high``, ``hands``. Directions come in the order of the frame.
    strategies, title, subtitle, confidence, highest_wins, colours, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When the frame lacks a column or rows.

    Examples
    --------
    >>> frame = pd.DataFrame({"strategy": "A", "pass": ["left", "hold"], "points": [6.0, 6.5],
    ...                       "low": [5.8, 6.2], "high": [6.2, 6.8], "hands": 100})
    >>> passes(frame).get_label()
    'Points per hand by direction of the pass'
    """
    heading = Heading(title or "Points per hand by direction of the pass", subtitle, notes)
    table = checked(frame, "passes", PASSES)
    table = table.assign(part=table["pass"].astype(str))
    labels = {text: text for text in dict.fromkeys(table["part"])}
    return _points("passes", table, labels, strategies, heading, confidence, highest_wins, colours)


def seats(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    highest_wins: bool = False,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw points per hand by seat, a panel for each strategy.

    Parameters
    ----------
    frame
        One row per strategy and seat: ``strategy``, ``seat`` (from 0), ``points`` (per hand),
        ``low``, ``high``, ``hands``.
    strategies, title, subtitle, confidence, highest_wins, colours, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When the frame lacks a column or rows.

    Examples
    --------
    >>> frame = pd.DataFrame({"strategy": "A", "seat": [0, 1], "points": [6.0, 6.5],
    ...                       "low": [5.8, 6.2], "high": [6.2, 6.8], "hands": 100})
    >>> [text.get_text() for text in seats(frame).texts if "seat" in text.get_text()]
    ['Points per hand by seat', 'seat 0', 'seat 1']
    """
    heading = Heading(title or "Points per hand by seat", subtitle, notes)
    table = checked(frame, "seats", SEATS)
    table = table.assign(part=table["seat"].astype(int).astype(str))
    labels = {text: f"seat {text}" for text in sorted(set(table["part"]), key=int)}
    return _points("seats", table, labels, strategies, heading, confidence, highest_wins, colours)


def queens(
    frame: pd.DataFrame,
    given: pd.DataFrame | None = None,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw how each strategy comes by the queen of spades, and how it gives her to others.

    Parameters
    ----------
    frame
        One row per strategy and way: ``strategy``, ``how`` (``"led"``, ``"followed"``,
        ``"dumped"``), ``share`` (of its hands in which it took her so), ``low``, ``high``.
    given
        The same for hands in which it played her and another side took her.
    strategies, title, subtitle, confidence, colours, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When a frame lacks a column, or the first one rows.

    Examples
    --------
    >>> frame = pd.DataFrame({"strategy": "A", "how": ["led", "followed", "dumped"],
    ...                       "share": [0.01, 0.08, 0.15], "low": [0.0, 0.07, 0.14],
    ...                       "high": [0.02, 0.09, 0.16]})
    >>> queens(frame).get_label()
    'The queen of spades: how she is taken'
    """
    table = checked(frame, "queens", TAKEN).assign(part=lambda rows: rows["how"].astype(str))
    labels = {how: how for how in (*HOWS, *table["part"])}
    also = None
    if given is not None and not given.empty:
        gifts = checked(given, "queens", TAKEN).assign(part=lambda rows: rows["how"].astype(str))
        also = _values(gifts, "share", 100.0)
    names, cut = cap(picked(table["strategy"], strategies, "queens"))
    grid = Grid(_values(table, "share", 100.0), labels, 1, "% of hands", also=also, least=0.0)
    if not title:
        title = "The queen of spades: how she is taken" + (" and given" if also else "")
    keys = []
    if also:
        faces = {colours_for(table["strategy"], colours)[name] for name in names}
        face = faces.pop() if len(faces) == 1 else INK
        keys = [Key("took her", face, "none"), Key("gave her to another", CONTEXT, "none")]
        if len(names) > 1 and face == INK:
            keys[0] = Key("took her (in the strategy's colour)", face, "none")
    heading = Heading(title, subtitle, [*notes, *cut])
    with styled():
        return _draw(
            names, grid, colours_for(table["strategy"], colours), heading, confidence, keys
        )


def _points(
    chart: str,
    table: pd.DataFrame,
    labels: dict[str, str],
    strategies: Sequence[str],
    heading: Heading,
    confidence: float,
    highest_wins: bool,
    colours: Mapping[str, str] | None,
) -> Figure:
    names, cut = cap(picked(table["strategy"], strategies, chart))
    hands = table["hands"].where(table["points"].notna(), 0)
    weight = hands.groupby(table["strategy"]).sum()
    total = (table["points"].fillna(0) * hands).groupby(table["strategy"]).sum()
    means = {name: total[name] / weight[name] if weight[name] else math.nan for name in names}
    grid = Grid(
        _values(table, "points", 1.0),
        labels,
        2,
        "points per hand",
        BETTER[highest_wins],
        middles=means,
    )
    heading = Heading(heading.title, heading.subtitle, [*heading.notes, *cut])
    with styled():
        return _draw(names, grid, colours_for(table["strategy"], colours), heading, confidence, [])


def _values(table: pd.DataFrame, column: str, factor: float) -> Found:
    """Value, low and high of every strategy by situation."""
    found: Found = {}
    columns = [floats(table, name) for name in (column, "low", "high")]
    for name, part, *row in zip(table["strategy"], table["part"], *columns, strict=True):
        value, low, high = (factor * number for number in row)
        found.setdefault(name, {})[part] = value, low, high
    return found


def _draw(
    names: Sequence[str],
    grid: Grid,
    colours: Mapping[str, str],
    heading: Heading,
    confidence: float,
    keys: Sequence[Key],
) -> Figure:
    parts = list(grid.labels)
    shown = fit_names([grid.labels[part] for part in parts], 1.1, SMALL)
    axis = max(width_of(label, SMALL) for label in shown.values()) + 0.12
    sides = [(grid.found, -0.2 if grid.also else 0.0)]
    if grid.also:
        sides.insert(0, (grid.also, 0.2))
    every = [row for side, _ in sides for name in names for row in side.get(name, {}).values()]
    limits = limits_of(every, 10.0**-grid.decimals, grid.least)
    texts = {}
    if columns_for(len(names)) <= 3 and not grid.also:
        texts = {
            (name, part): number_text(row[0], grid.decimals)
            for name in names
            for part, row in grid.found.get(name, {}).items()
        }
    numbers = max((width_of(text, SMALL) + 0.12 for text in texts.values()), default=0.0)
    layout = Multiples(names, axis, numbers)
    said = _remarks(every, confidence)
    if grid.middles is not None:
        said = f"{said} Dashed lines: the strategy's mean over all.".strip()
    notes = [said, *heading.notes]
    sheet, cells = layout.place(
        Heading(heading.title, heading.subtitle, notes),
        limits,
        (len(parts) - 0.5, -0.5),
        height=len(parts) * ROW * (1.5 if grid.also else 1.0),
        keys=keys,
    )
    marks = ticks(*limits, layout.width - numbers)
    bottom_ticks(sheet, cells, marks, grid=True)
    lines = [line for cell in cells for line in cell.panel.level(np.arange(len(parts)))]
    sheet.lines(lines, RULE, layer=-1)
    if grid.middles is not None:
        middles = [
            cell.panel.upright(grid.middles[cell.name])[0]
            for cell in cells
            if limits[0] <= grid.middles[cell.name] <= limits[1]
        ]
        sheet.lines(middles, AXIS, width=0.9, dash=(3, 2), layer=2)
    dots: list[Dot] = []
    for cell in cells:
        heights = [float(y) for y in cell.panel.down(np.arange(len(parts)))]
        for index, (part, y) in enumerate(zip(parts, heights, strict=True)):
            for side, shift in sides:
                if part in side.get(cell.name, {}):
                    colour = CONTEXT if side is grid.also else colours[cell.name]
                    row = side[cell.name][part]
                    dots.append(Dot(cell.panel, index + shift, *row, colour))
            if cell.first:
                x, label = cell.panel.left - 0.08, shown[grid.labels[part]]
                sheet.text(x, y, label, size=SMALL, colour=GREY, side="right")
            if text := texts.get((cell.name, part), ""):
                right = cell.panel.left + layout.width
                sheet.text(right, y, text, size=SMALL, side="right")
    draw_dots(sheet, dots, 5)
    foot_note(sheet, MARGIN + axis, grid.unit, grid.hint)
    return sheet.figure


def _remarks(every: Sequence[Value], confidence: float) -> str:
    known = [(low, high) for value, low, high in every if not math.isnan(value)]
    said = []
    if any(not math.isnan(low) for low, _ in known):
        said.append(f"Lines through the dots: {percent(confidence)} intervals.")
    if any(math.isnan(low) or math.isnan(high) for low, high in known):
        said.append("Hollow dots: the interval is not known.")
    return " ".join(said)
