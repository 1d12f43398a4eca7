"""Kinds ``pairwise`` and ``faults``: coloured cells, a row for each strategy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import GREY, HUES, INK, text_on
from hearts_sim.report.charts.frames import checked, floats, picked
from hearts_sim.report.charts.labels import fit_names, number_text, width_of, wrap
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.rows import NAMES
from hearts_sim.report.charts.sheet import (
    INNER,
    MARGIN,
    SMALL,
    Heading,
    Key,
    Sheet,
    cap,
    name_size,
    row_height,
)

PAIRS: Final = ("strategy", "opponent", "share")
FAULTS: Final = ("strategy", "kind", "faults")
WITH_TEXT: Final = 14
"""More strategies than that have cells without figures."""
WITH_POINTS: Final = 7
"""At most so many have the difference in points in their cells too."""
MORE, LESS = HUES[0], HUES[1]
WIDEST: Final = 1.0
HEADING: Final = 0.64
"""Room for the longest word over a column of faults, inches."""
OWN: Final = "#efefef"
SHADES: Final = 24
"""So many steps have the colours; cells of one colour are drawn as one."""


@dataclass(frozen=True)
class Cell:
    """A coloured cell: colour, lines of text in it, and whether they are strong or pale."""

    face: str
    texts: Sequence[str] = ()
    strong: bool = True


def pairwise(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw who finishes ahead of whom how often: bright where a difference is known, pale else.

    Parameters
    ----------
    frame
        One row per ordered pair: ``strategy`` (row), ``opponent`` (column), ``share`` (of their
        games in which the first finishes ahead, ties half). ``significant`` (whether they are
        known to differ, for all pairs at once; without it nothing is) and ``points_difference``
        (points per hand of the first less those of the second) may be there.
    strategies
        Strategies from top to bottom and left to right, best first.
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
    >>> frame = pd.DataFrame({"strategy": ["A", "B"], "opponent": ["B", "A"],
    ...                       "share": [0.62, 0.38], "significant": True})
    >>> [text.get_text() for text in pairwise(frame).texts if text.get_text()[-1] == "%"]
    ['62%', '38%']
    """
    table = checked(frame, "pairwise", PAIRS)
    names, cut = cap(picked([*table["strategy"], *table["opponent"]], strategies, "pairwise"))
    pairs = list(zip(table["strategy"], table["opponent"], strict=True))
    shares = dict(zip(pairs, floats(table, "share"), strict=True))
    known = dict.fromkeys(pairs, False)
    if "significant" in frame:
        known = dict(zip(pairs, frame["significant"].astype(bool), strict=True))
    gaps: dict[tuple[str, str], float] = {}
    if "points_difference" in frame and len(names) <= WITH_POINTS:
        gaps = dict(zip(pairs, floats(frame, "points_difference"), strict=True))
    there = set(names)
    shares = {
        pair: share
        for pair, share in shares.items()
        if there.issuperset(pair) and not math.isnan(share)
    }
    far = max((abs(share - 0.5) for share in shares.values()), default=0.0)
    cells: dict[tuple[str, str], Cell] = {(name, name): Cell(OWN) for name in names}
    for pair, share in shares.items():
        texts = []
        if len(names) <= WITH_TEXT:
            texts = [f"{100 * share:.0f}%"]
            if not math.isnan(gap := gaps.get(pair, math.nan)):
                texts.append(("+" if gap > 0 else "") + number_text(gap, 2))
        cells[pair] = Cell(shade(share - 0.5, far, known[pair]), texts, known[pair])
    keys = [
        Key("row ahead more often", MORE, "none"),
        Key("may be chance", shade(0.5, 0.5, known=False), "none"),
        Key("may be chance", shade(-0.5, 0.5, known=False), "none"),
        Key("column ahead more often", LESS, "none"),
    ]
    said = (
        f"Bright: the ratings of the two are known to differ, at {100 * confidence:.6g}% for all "
        "pairs at once (Holm's correction)."
    )
    if gaps:
        said += " Second line: points per hand, row less column."
    if len(names) > 1 and len(cells) < len(names) ** 2:
        said += " Empty: the two never met."
    heading = Heading(
        title or "How often each row finishes ahead of each column",
        subtitle,
        [said, *notes, *cut],
    )
    with styled():
        return _draw_pairs(names, cells, heading, keys)


def faults(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    notes: Sequence[str] = (),
) -> Figure:
    """Draw how often each strategy failed, by kind of fault; who never failed is left out.

    Parameters
    ----------
    frame
        ``strategy``, ``kind``, ``faults`` (number); rows of the same strategy and kind add up.
    strategies
        Strategies from top to bottom, if not the most faults first.
    title, subtitle, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When the frame lacks a column or faults.

    Examples
    --------
    >>> frame = pd.DataFrame({"strategy": "A", "kind": ["crash", "too_slow"], "faults": [3, 40]})
    >>> [text.get_text() for text in faults(frame).texts if text.get_text().isdigit()]
    ['40', '3', '43']
    """
    table = checked(frame, "faults", FAULTS).assign(kind=lambda rows: rows["kind"].astype(str))
    table = table[table["faults"] > 0]
    if table.empty:
        raise ValueError("chart 'faults': no faults to draw")
    number: dict[tuple[str, str], int] = {}
    for name, kind, found in zip(table["strategy"], table["kind"], table["faults"], strict=True):
        number[name, kind] = number.get((name, kind), 0) + int(found)
    total: dict[str, int] = {}
    by_kind: dict[str, int] = {}
    for (name, kind), found in number.items():
        total[name] = total.get(name, 0) + found
        by_kind[kind] = by_kind.get(kind, 0) + found
    names, cut = cap(picked(sorted(total, key=lambda name: -total[name]), strategies, "faults"))
    kinds = sorted(by_kind, key=lambda kind: (-by_kind[kind], kind))
    most = math.log1p(max(number.values()))
    cells = {
        pair: Cell(_mix(LESS, 0.15 + 0.85 * math.log1p(found) / most), [f"{found:,}"])
        for pair, found in number.items()
        if pair[0] in names
    }
    heading = Heading(title or "Faults: how often each strategy failed", subtitle, [*notes, *cut])
    with styled():
        return _draw_faults(names, kinds, cells, total, heading)


def _mix(colour: str, part: float) -> str:
    """A colour, thinned with white."""
    red, green, blue = (1 - part * (1 - level) for level in to_rgb(colour))
    return to_hex((red, green, blue))


def shade(distance: float, far: float, known: bool) -> str:
    """Colour of a value so far from the middle; `far` is how far the furthest one is."""
    part = round(SHADES * abs(distance) / far) / SHADES if far else 0.0
    return _mix(MORE if distance > 0 else LESS, 0.4 + 0.6 * part if known else 0.22 * part)


def _draw_pairs(
    names: Sequence[str],
    cells: dict[tuple[str, str], Cell],
    heading: Heading,
    keys: Sequence[Key],
) -> Figure:
    count = len(names)
    size = name_size(count)
    numbered = {name: f"{index + 1}  " for index, name in enumerate(names)}
    indent = width_of(f"{count}  ", size)
    labels = fit_names(names, NAMES - indent, size)
    column = indent + max(width_of(label, size) for label in labels.values()) + 0.12
    width = min(WIDEST, (INNER - column) / count)
    two = any(len(cell.texts) > 1 for cell in cells.values())
    height = max(row_height(count), 0.42 if two else 0.0)
    head = 0.24
    sheet = Sheet(heading, body=head + height * count + 0.05, keys=keys)
    top, left = sheet.top + head, MARGIN + column
    every = 1 if width >= 0.2 else 5
    above = fit_names(names, 9.0, SMALL)
    fits = all(width_of(label, SMALL) <= width - 0.08 for label in above.values())
    for index, name in enumerate(names):
        y = top + height * (index + 0.5)
        number = numbered[name].strip()
        sheet.text(MARGIN + indent - width_of("  ", size), y, number, size=size, colour=GREY,
                   side="right")  # fmt: skip
        sheet.text(MARGIN + indent, y, labels[name], size=size)
        if fits or index == 0 or (index + 1) % every == 0:
            text = above[name] if fits else number
            x = left + width * (index + 0.5)
            sheet.text(x, top - 0.1, text, size=SMALL, colour=GREY, side="center")
    fill_cells(sheet, cells, names, names, left, top, width, height, min(size, 8.5))
    return sheet.figure


def _draw_faults(
    names: Sequence[str],
    kinds: Sequence[str],
    cells: dict[tuple[str, str], Cell],
    total: dict[str, int],
    heading: Heading,
) -> Figure:
    count = len(names)
    size, height = name_size(count), row_height(count)
    room = 0.62
    most = min(NAMES, max(1.2, INNER - room - 0.15 - HEADING * len(kinds)))
    labels = fit_names(names, most, size)
    column = max(width_of(label, size) for label in labels.values()) + 0.15
    width = min(WIDEST, (INNER - column - room) / len(kinds))
    heads = {kind: wrap(kind.replace("_", " "), width - 0.06, SMALL) for kind in kinds}
    head = 0.15 * max(len(lines) for lines in heads.values()) + 0.12
    sheet = Sheet(heading, body=head + height * count + 0.05)
    top, left = sheet.top + head, MARGIN + column
    for index, kind in enumerate(kinds):
        for line, text in enumerate(reversed(heads[kind])):
            x, y = left + width * (index + 0.5), top - 0.12 - 0.15 * line
            sheet.text(x, y, text, size=SMALL, colour=GREY, side="center")
    right = left + width * len(kinds) + room
    sheet.text(right, top - 0.12, "all", size=SMALL, colour=GREY, side="right")
    for index, name in enumerate(names):
        sheet.text(MARGIN, top + height * (index + 0.5), labels[name], size=size)
    fill_cells(sheet, cells, names, kinds, left, top, width, height, min(size, 8.0))
    for index, name in enumerate(names):
        y = top + height * (index + 0.5)
        sheet.text(right, y, f"{total[name]:,}", size=size, side="right")
    return sheet.figure


def fill_cells(
    sheet: Sheet,
    cells: dict[tuple[str, str], Cell],
    rows: Sequence[str],
    columns: Sequence[str],
    left: float,
    top: float,
    width: float,
    height: float,
    size: float,
) -> None:
    """Draw the cells with their texts."""
    gap = 0.02 if width > 0.2 else 0.0
    there = [
        (column, row, cells[name, other])
        for row, name in enumerate(rows)
        for column, other in enumerate(columns)
        if (name, other) in cells
    ]
    if not there:
        return
    x = [left + width * column for column, _, _ in there]
    y = [top + height * row for _, row, _ in there]
    by_face: dict[str, list[tuple[float, float]]] = {}
    for start, above, (_, _, cell) in zip(x, y, there, strict=True):
        by_face.setdefault(cell.face, []).append((start, above))
    for face, places in by_face.items():
        corners = np.array(places)
        sheet.boxes(
            corners[:, 0],
            corners[:, 1],
            corners[:, 0] + width - gap,
            corners[:, 1] + height - gap,
            face,
            label="cells",
        )
    longest = max((width_of(text, size) for _, _, cell in there for text in cell.texts), default=0)
    size = min(size, size * (width - gap - 0.03) / longest) if longest else size
    for start, above, (_, _, cell) in zip(x, y, there, strict=True):
        colour = (text_on(cell.face) if cell.strong else GREY) if cell.texts else INK
        for line, text in enumerate(cell.texts):
            middle = above + (height - gap) / 2 + 0.155 * (line - (len(cell.texts) - 1) / 2)
            sheet.text(
                start + (width - gap) / 2, middle, text, size=size - line, colour=colour,
                side="center",
            )  # fmt: skip
