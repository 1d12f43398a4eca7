"""The chart of a sweep: the gain over one option, over two, or as a list."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import AXIS, GREY, HUES, INK
from hearts_sim.report.charts.frames import floats, lacks
from hearts_sim.report.charts.labels import fit_names, number_text, percent, width_of
from hearts_sim.report.charts.lines import sparse
from hearts_sim.report.charts.matrix import LESS, MORE, WITH_TEXT, Cell, fill_cells, shade
from hearts_sim.report.charts.multiples import Cell as PanelCell
from hearts_sim.report.charts.multiples import bottom_ticks, foot_note, level_grid
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.panel import Panel
from hearts_sim.report.charts.rows import Measure, draw_rows, limits_of, remarks_on
from hearts_sim.report.charts.sheet import (
    BODY,
    INNER,
    MARGIN,
    SMALL,
    Heading,
    Key,
    Sheet,
    cap,
    ticks,
)

COLUMNS: Final = ("gain", "low", "high")
TRIED, WINNER, FRESH = HUES[:3]
HEIGHT: Final = 3.0
LEFT: Final = 0.5
NAMES: Final = 4.2
"""Points in a list are at most so wide, inches."""
APART: Final = 0.09
"""So far right of the winner stands what it gains on fresh deals, inches."""
POWERS: Final = 50
"""Values of an option whose largest is so many times the smallest are spread by their logarithm."""

Gain = tuple[float, float, float]
"""Gain, low and high."""


@dataclass(frozen=True)
class Known:
    """What is marked, and how it is said."""

    default: Mapping[str, Any]
    winner: Mapping[str, Any] | None
    confirmed: Gain | None
    unit: str
    decimals: int
    opponent: str


def sweep(
    frame: pd.DataFrame,
    options: Sequence[str],
    *,
    default: Mapping[str, Any] | None = None,
    winner: Mapping[str, Any] | None = None,
    confirmed: Gain | None = None,
    opponent: str = "opponent",
    unit: str = "points per hand",
    as_list: bool = False,
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw what a sweep found: with one option a line, with two a map, with more a list.

    Parameters
    ----------
    frame
        One row per point: ``gain``, ``low``, ``high`` (above 0 is better than the opponent), and
        ``options.NAME`` for each option; for a list also ``label``.
    options
        Names of the options.
    default, winner
        Options of the points that are marked; the default may be no row.
    confirmed
        Gain, low and high of the winner on fresh deals.
    opponent
        Its name.
    unit
        ``points per hand`` or ``Elo``.
    as_list
        Draw a list however many options there are, in the order of the frame, as for a climb.
    title, subtitle, confidence, notes
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
    >>> frame = pd.DataFrame({"options.risk": [0.2, 0.4], "gain": [0.1, -0.2],
    ...                       "low": [0.0, -0.3], "high": [0.2, -0.1]})
    >>> sweep(frame, ["risk"], winner={"risk": 0.2}).get_label()
    'Gain by risk'
    """
    lacks(frame, "sweep", (*COLUMNS, *(f"options.{name}" for name in options)))
    if frame.empty:
        raise ValueError("chart 'sweep': no duels to draw")
    decimals = 0 if unit == "Elo" else 2
    known = Known(default or {}, winner, confirmed, unit, decimals, opponent)
    with styled():
        if as_list or len(options) > 2:
            heading = Heading(title or "Gain of each point", subtitle, notes)
            return _draw_list(frame, options, known, heading, confidence, ordered=as_list)
        heading = Heading(title or f"Gain by {' and '.join(options)}", subtitle, notes)
        if len(options) == 2:
            return _draw_map(frame, options, known, heading, confidence)
        return _draw_line(frame, options[0], known, heading, confidence)


def _rows(frame: pd.DataFrame) -> list[Gain]:
    return list(zip(*(floats(frame, column) for column in COLUMNS), strict=True))


def _values(frame: pd.DataFrame, option: str) -> list[Any]:
    """Values of an option as Python has them."""
    return [
        value.item() if isinstance(value, np.generic) else value
        for value in frame[f"options.{option}"]
    ]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_ordered(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


# One option


def _draw_line(
    frame: pd.DataFrame, option: str, known: Known, heading: Heading, confidence: float
) -> Figure:
    values, rows = _values(frame, option), _rows(frame)
    usual = known.default.get(option)
    ordered = _is_ordered(values)
    places = _places(values, usual)
    if ordered:
        order = sorted(range(len(values)), key=lambda index: places[values[index]])
        values, rows = [values[index] for index in order], [rows[index] for index in order]
    keys = [Key("tried", TRIED, "none")]
    won = None if known.winner is None else known.winner[option]
    keys += [Key("winner", WINNER, "none")] * (won is not None)
    keys += [Key("winner on fresh deals", FRESH, "none")] * (known.confirmed is not None)
    every = rows + ([known.confirmed] if known.confirmed is not None else []) + [(0.0, 0.0, 0.0)]
    notes = [_said(rows, confidence, joined=ordered and len(rows) > 1), *heading.notes]
    sheet = Sheet(Heading(heading.title, heading.subtitle, notes), body=0.3 + HEIGHT + 0.56,
                  keys=keys)  # fmt: skip
    at = list(places.values())
    room = 0.06 * (max(at) - min(at)) or 0.5
    panel = Panel(
        MARGIN + LEFT,
        sheet.top + 0.3,
        INNER - LEFT,
        HEIGHT,
        (min(at) - room, max(at) + room),
        limits_of(every, 10.0**-known.decimals),
    )
    cells = [PanelCell("", panel, first=True, lowest=True)]
    level_grid(sheet, cells, ticks(*panel.y, 3.0))
    sheet.text(MARGIN, sheet.top + 0.08, f"gain ({known.unit})", size=SMALL, colour=GREY)
    shown = fit_names([_text(value) for value in values], 1.0, SMALL)
    marks = [places[value] for value in values], [shown[_text(value)] for value in values]
    bottom_ticks(sheet, cells, sparse(marks, panel.x, panel.width))
    low, high = panel.y
    sheet.lines(panel.level(low), AXIS, width=0.8, layer=2)
    if low < 0 < high:
        sheet.lines(panel.level(0), AXIS, width=1, dash=(4, 2), layer=2)
    powers = " (on a scale of powers)" if _by_powers(list(places)) else ""
    even = f"dashed line: as good as {known.opponent}" if low < 0 < high else ""
    foot_note(sheet, MARGIN + LEFT, f"{option}{powers}", even)
    across = [float(panel.across(places[value])) for value in values]
    if ordered:
        seen = [(x, row[0]) for x, row in zip(across, rows, strict=True) if math.isfinite(row[0])]
        line = [(x, float(panel.down(gain))) for x, gain in seen]
        sheet.lines([line] if len(line) > 1 else [], TRIED, width=1.2, layer=3, within=panel)
    for x, value, row in zip(across, values, rows, strict=True):
        _upright(sheet, panel, x, row, WINNER if value == won else TRIED, label="value")
    if won is not None and known.confirmed is not None:
        x = float(panel.across(places[won])) + APART
        _upright(sheet, panel, x, known.confirmed, FRESH, shape="D", label="confirmed")
    if usual in places:
        _mark_default(sheet, panel, float(panel.across(places[usual])))
    return sheet.figure


def _places(values: Sequence[Any], usual: Any) -> dict[Any, float]:
    """Where each value stands, and the usual one."""
    known = [*values, *([usual] if usual is not None and usual not in values else [])]
    if not _is_ordered(known):
        return {value: float(place) for place, value in enumerate(known)}
    if _by_powers(known):
        return {value: math.log10(value) for value in known}
    return {value: float(value) for value in known}


def _by_powers(values: Sequence[Any]) -> bool:
    """Whether values are spread by their logarithm."""
    return _is_ordered(values) and min(values) > 0 and max(values) > POWERS * min(values)


def _upright(
    sheet: Sheet,
    panel: Panel,
    x: float,
    row: Gain,
    colour: str,
    *,
    shape: str = "o",
    label: str,
) -> None:
    """Draw a gain with its interval, as far as they are within the panel."""
    gain, low, high = row
    if math.isnan(gain):
        return
    ends = [value if math.isfinite(value) else gain for value in (low, high)]
    down = panel.down(np.clip(ends, *panel.y))
    sheet.lines([[(x, down[0]), (x, down[1])]], colour, width=2, layer=4)
    y = float(panel.down(gain))
    face = colour if math.isfinite(low) and math.isfinite(high) else "white"
    sheet.marks([x], [y], face, colour if face == "white" else "white", shape=shape, size=7,
                layer=5, label=label)  # fmt: skip


def _mark_default(sheet: Sheet, panel: Panel, x: float) -> None:
    """Say below the axis which value is the default."""
    y = panel.top + panel.height + 0.25
    sheet.marks([x], [y - 0.02], INK, shape="^", size=4, label="default")
    half = width_of("default", SMALL) / 2
    left, right = panel.left + half, panel.left + panel.width - half
    sheet.text(min(max(x, left), right), y + 0.09, "default", size=SMALL, colour=INK,
               side="center")  # fmt: skip


def _said(rows: Sequence[Gain], confidence: float, *, joined: bool = False) -> str:
    said = f"Upright lines: {percent(confidence)} intervals." if joined else (
        f"Lines through the dots: {percent(confidence)} intervals."
    )  # fmt: skip
    if any(math.isnan(gain) for gain, _, _ in rows):
        said += " Some points have no gain to show."
    return said


# Two options


def _draw_map(
    frame: pd.DataFrame,
    options: Sequence[str],
    known: Known,
    heading: Heading,
    confidence: float,
) -> Figure:
    down_option, across_option = options
    downs, acrosses = (_sorted(_values(frame, option)) for option in options)
    pairs = list(zip(_values(frame, down_option), _values(frame, across_option), strict=True))
    rows = dict(zip(pairs, _rows(frame), strict=True))
    far = max((abs(gain) for gain, _, _ in rows.values() if math.isfinite(gain)), default=0.0)
    row_names = fit_names([_text(value) for value in downs], 1.4, BODY)
    left = max(width_of(name, BODY) for name in row_names.values()) + 0.12
    left = max(left, width_of(down_option, SMALL) + 0.12)
    width = min(1.3, (INNER - left) / len(acrosses))
    height = 0.5 if len(downs) <= WITH_TEXT else 0.26
    written = width > 0.5 and height > 0.4
    cells = {}
    for pair, (gain, low, high) in rows.items():
        if math.isnan(gain):
            continue
        sure = low > 0 or high < 0
        texts = []
        if written:
            texts = [("+" if gain > 0 else "") + number_text(gain, known.decimals)]
            if high > low:
                texts.append(f"±{number_text((high - low) / 2, known.decimals)}")
        cells[_text(pair[0]), _text(pair[1])] = Cell(shade(gain, far, sure), texts, sure)
    keys = [
        Key("better", MORE, "none"),
        Key("may be chance", shade(0.5, 0.5, known=False), "none"),
        Key("may be chance", shade(-0.5, 0.5, known=False), "none"),
        Key("worse", LESS, "none"),
    ]
    marked = _marked(known, options, downs, acrosses)
    said = [f"Bright: the {percent(confidence)} interval of the gain leaves 0 out."]
    if "winner" in marked:
        said.append("Framed: the winner.")
    if "default" in marked:
        said.append("Dotted frame: the default.")
    if written:
        said.append(f"Gain over {known.opponent} in {known.unit}.")
    notes = [" ".join(said), *heading.notes]
    head, foot = 0.46, 0.1
    sheet = Sheet(
        Heading(heading.title, heading.subtitle, notes),
        body=head + height * len(downs) + foot,
        keys=keys,
    )
    start, top = MARGIN + left, sheet.top + head
    sheet.text(start, sheet.top + 0.1, across_option, size=SMALL, colour=GREY)
    sheet.text(MARGIN, top - 0.1, down_option, size=SMALL, colour=GREY)
    above = fit_names([_text(value) for value in acrosses], width - 0.06, BODY)
    for place, name in enumerate(map(_text, acrosses)):
        x = start + width * (place + 0.5)
        sheet.text(x, top - 0.1, above[name], side="center")
    for place, name in enumerate(map(_text, downs)):
        y = top + height * (place + 0.5)
        sheet.text(start - 0.1, y, row_names[name], side="right")
    names = [_text(value) for value in downs], [_text(value) for value in acrosses]
    fill_cells(sheet, cells, *names, start, top, width, height, BODY)
    for what, (row, column) in marked.items():
        inset = 0.02 if what == "winner" else 0.055
        x0, y0 = start + width * column + inset, top + height * row + inset
        x1, y1 = x0 + width - 0.02 - 2 * inset, y0 + height - 0.02 - 2 * inset
        frame_line = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        dash = None if what == "winner" else (1.5, 1.5)
        sheet.lines([frame_line], INK, width=2 if what == "winner" else 1.2, dash=dash, layer=5,
                    label=what)  # fmt: skip
    return sheet.figure


def _sorted(values: Sequence[Any]) -> list[Any]:
    """Each value once: numbers in their order, others as they come."""
    once = list(dict.fromkeys(values))
    return sorted(once) if _is_ordered(once) else once


def _marked(
    known: Known, options: Sequence[str], downs: Sequence[Any], acrosses: Sequence[Any]
) -> dict[str, tuple[int, int]]:
    """Row and column of the winner and of the default, where they are in the map."""
    found = {}
    for what, point in (("winner", known.winner), ("default", known.default)):
        down, across = ((point or {}).get(option) for option in options)
        if down in downs and across in acrosses:
            found[what] = downs.index(down), acrosses.index(across)
    return found


# More, or a climb


def _draw_list(
    frame: pd.DataFrame,
    options: Sequence[str],
    known: Known,
    heading: Heading,
    confidence: float,
    *,
    ordered: bool,
) -> Figure:
    rows = _rows(frame)
    points = [
        dict(zip(options, values, strict=True))
        for values in zip(*(_values(frame, option) for option in options), strict=True)
    ]
    labels = list(frame["label"]) if "label" in frame else [
        " ".join(f"{name}={_text(value)}" for name, value in point.items()) for point in points
    ]  # fmt: skip
    numbered = [f"{label} (default)" * (point == known.default) or label
                for label, point in zip(labels, points, strict=True)]  # fmt: skip
    if ordered:
        numbered = labels
    gains = dict(zip(numbered, rows, strict=True))
    won = {name for name, point in zip(numbered, points, strict=True) if point == known.winner}
    names = list(gains)
    if not ordered:
        names.sort(key=lambda name: (math.isnan(gains[name][0]), -gains[name][0]))
    names, cut = cap(names)
    colours = {name: WINNER if name in won and not ordered else TRIED for name in names}
    if "kept" in frame:
        kept = dict(zip(numbered, frame["kept"].astype(bool), strict=True))
        colours = {name: WINNER if kept[name] else TRIED for name in names}
    if known.confirmed is not None:
        last = "winner on fresh deals"
        gains[last], colours[last] = known.confirmed, FRESH
        names.append(last)
    measure = Measure(
        f"Gain ({known.unit})",
        "higher is better \u2192",
        known.decimals,
        {name: gains[name][0] for name in names},
        {name: gains[name][1] for name in names},
        {name: gains[name][2] for name in names},
        reference=0.0,
        refers_to="even" if ordered else known.opponent,
    )
    said = [remarks_on([measure], confidence)]
    if "kept" in frame and frame["kept"].any():
        said.append("Vermillion: it won, and was the best from there on.")
    elif won and not ordered:
        said.append("Vermillion: the winner.")
    notes = [" ".join(said), *heading.notes, *cut]
    return draw_rows(
        names,
        [measure],
        colours,
        Heading(heading.title, heading.subtitle, notes),
        widest=NAMES,
    )
