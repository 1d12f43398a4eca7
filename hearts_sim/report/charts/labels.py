"""Texts: what the font can show, how wide it is, and how it is made to fit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final

import numpy as np
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.ft2font import FT2Font, LoadFlags
from numpy.typing import NDArray

ELLIPSIS: Final = "\u2026"
MINUS: Final = "\u2212"
UNKNOWN: Final = "\ufffd"
EM: Final = 100.0
SLACK: Final = 1.02
CUTS: Final = (0.7, 0.3, 0.85, 0.15)


def plain(text: str) -> str:
    """Replace what cannot be shown: control characters, and letters that DejaVu Sans lacks."""
    known = _letters()
    return "".join(
        mark if mark.isprintable() and ord(mark) in known else " " if mark.isspace() else UNKNOWN
        for mark in text
    )


@cache
def _font(bold: bool) -> FT2Font:
    weight = "bold" if bold else "normal"
    font = FT2Font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))
    font.set_size(EM, 72)
    return font


@cache
def _letters() -> frozenset[int]:
    return frozenset(_font(bold=False).get_charmap())


@cache
def advance(letter: str, bold: bool) -> float:
    """Width of a letter as a part of the font's size."""
    glyph = _font(bold).load_char(ord(letter), flags=LoadFlags.NO_HINTING)
    return glyph.linearHoriAdvance / 65536 / EM


@cache
def outline(letter: str, bold: bool) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Vertices and codes of a letter's shape in a font of size 1; a space has none."""
    font = _font(bold)
    font.load_char(ord(letter), flags=LoadFlags.NO_HINTING)
    vertices, codes = font.get_path()
    return np.asarray(vertices, np.float64) / EM, np.asarray(codes, np.uint8)


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Width in inches of one line of text in a size in points, rather too much than too little.

    The sum of its letters: kerning only brings them closer. Laying out each text for real would
    take a hundred times as long, and a chart measures thousands while it looks for what fits.
    """
    return SLACK * size / 72 * sum(advance(letter, bold) for letter in text)


def wrap(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Break a text into lines no wider than a width in inches; a giant word is shortened."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in plain(paragraph).split():
            longer = f"{line} {word}".strip()
            if line and width_of(longer, size, bold=bold) > width:
                lines.append(line)
                longer = word
            line = longer
        if line:
            lines.append(line)
    return [shorten(line, width, size, bold=bold) for line in lines]


def shorten(text: str, width: float, size: float, *, bold: bool = False, head: float = 0.5) -> str:
    """Cut a text to a width in inches with an ellipsis inside; ``head`` of the rest is its start.

    The middle goes first, since names of bots differ at their ends: ``search-100``, ``search-200``.
    """
    if width_of(text, size, bold=bold) <= width:
        return text
    best = ELLIPSIS
    fewest, most = 2, len(text) - 1
    while fewest <= most:
        kept = (fewest + most) // 2
        front = min(max(1, round(kept * head)), kept - 1)
        cut = text[:front].rstrip() + ELLIPSIS + text[front - kept :].lstrip()
        if width_of(cut, size, bold=bold) <= width:
            best, fewest = cut, kept + 1
        else:
            most = kept - 1
    return best


def fit_names(
    names: Iterable[str], width: float, size: float, *, bold: bool = False
) -> dict[str, str]:
    """Labels for names, no wider than a width in inches and no two alike.

    Names that look alike when cut in the middle are cut elsewhere; if that does not help they get
    a number.
    """
    shown = {name: shorten(plain(name), width, size, bold=bold) for name in names}
    for head in CUTS:
        for name in _alike(shown):
            shown[name] = shorten(plain(name), width, size, bold=bold, head=head)
    taken = Counter(shown.values())
    number = 1
    for name in _alike(shown):
        label = shown[name]
        while taken[label]:
            number += 1
            ending = f" ({number})"
            room = width - width_of(ending, size, bold=bold)
            label = shorten(plain(name), room, size, bold=bold) + ending
        taken[label] += 1
        shown[name] = label
    return shown


def _alike(shown: dict[str, str]) -> list[str]:
    counts = Counter(shown.values())
    return [name for name, label in shown.items() if counts[label] > 1]


def number_text(value: float, decimals: int = 0) -> str:
    """Write a number with a true minus sign; infinities as a sign, nothing known as a dash."""
    if math.isnan(value):
        return "\u2013"
    if math.isinf(value):
        return "\u221e" if value > 0 else MINUS + "\u221e"
    text = f"{value:.{decimals}f}"
    if not text.strip("-0."):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def percent(share: float) -> str:
    """Write a confidence such as 0.95 or 0.995 as a percentage."""
    return f"{100 * share:.6g}%"
