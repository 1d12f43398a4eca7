"""Kind ``lengths``: how many hands games have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import GREY, HUES, INK
from hearts_sim.report.charts.frames import lacks
from hearts_sim.report.charts.labels import number_text, width_of
from hearts_sim.report.charts.multiples import (
    Cell,
    base_lines,
    bottom_ticks,
    foot_note,
    level_grid,
)
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.panel import Panel
from hearts_sim.report.charts.sheet import INNER, MARGIN, SMALL, Heading, Sheet, ticks

COLUMNS: Final = ("hands", "games")
HEIGHT: Final = 2.4
LEFT: Final = 0.5


def lengths(
    frame: pd.DataFrame,
    *,
    title: str = "",
    subtitle: str = "",
    notes: Sequence[str] = (),
) -> Figure:
    """Draw the share of games by the number of their hands.

    Parameters
    ----------
    frame
        ``hands`` (of a game) and ``games`` (how many have so many).
    title, subtitle, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When the frame lacks a column or games.

    Examples
    --------
    >>> figure = lengths(pd.DataFrame({"hands": [8, 9, 10], "games": [20, 60, 20]}))
    >>> [text.get_text() for text in figure.texts if "mean" in text.get_text()]
    ['mean 9.0']
    """
    lacks(frame, "lengths", COLUMNS)
    hands = frame["hands"].to_numpy(dtype=np.int64)
    games = frame["games"].to_numpy(dtype=np.float64)
    hands, games = hands[games > 0], games[games > 0]
    if not len(hands):
        raise ValueError("chart 'lengths': no games to draw")
    first, last = int(hands.min()), int(hands.max())
    step = max(1, -(-(last - first + 1) // 100))
    counts = np.bincount((hands - first) // step, weights=games)
    shares = 100 * counts / games.sum()
    middles = first + step * np.arange(len(shares)) + (step - 1) / 2
    mean = float((hands * games).sum() / games.sum())
    heading = Heading(title or "Length of games: share by number of hands", subtitle, notes)
    with styled():
        sheet = Sheet(heading, body=0.3 + HEIGHT + 0.42)
        low, high = first - 0.7 * step, middles[-1] + (step - 1) / 2 + 0.7 * step
        if high - low < 12:  # a few bars would be as wide as the page
            low, high = low - (12 - high + low) / 2, high + (12 - high + low) / 2
        width = INNER - LEFT
        panel = Panel(
            MARGIN + LEFT, sheet.top + 0.3, width, HEIGHT, (low, high), (0, 1.06 * shares.max())
        )
        cells = [Cell("", panel, first=True, lowest=True)]
        level_grid(sheet, cells, ticks(*panel.y, 2.4, steps=(1, 2, 5, 10)))
        base_lines(sheet, cells)
        places, written = ticks(low, high, width, steps=(1, 2, 5, 10))
        whole = [(x, text) for x, text in zip(places, written, strict=True) if x == round(x)]
        bottom_ticks(sheet, cells, ([x for x, _ in whole], [number_text(x) for x, _ in whole]))
        there = shares > 0
        sheet.boxes(
            panel.across(middles - 0.42 * step)[there],
            panel.down(shares)[there],
            panel.across(middles + 0.42 * step)[there],
            panel.down(0),
            HUES[0],
            layer=3,
            label="games",
        )
        sheet.lines(panel.upright(mean), INK, width=0.9, dash=(2, 1.5), layer=5)
        text = f"mean {number_text(mean, 1)}"
        half = width_of(text, SMALL) / 2
        x = min(max(float(panel.across(mean)), panel.left + half), panel.left + width - half)
        sheet.text(x, sheet.top + 0.2, text, size=SMALL, side="center")
        sheet.text(MARGIN, sheet.top + 0.04, "share of games (%)", size=SMALL, colour=GREY)
        unit = "hands" if step == 1 else f"hands (each bar: {step} numbers)"
        foot_note(sheet, MARGIN + LEFT, unit)
    return sheet.figure
