"""Kind ``places``: the share of games that each strategy ends on each place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import GREY, TICK, place_colours, text_on
from hearts_sim.report.charts.frames import checked, floats, picked
from hearts_sim.report.charts.labels import fit_names, number_text, width_of
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.panel import Panel
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

COLUMNS: Final = ("strategy", "place", "tied", "games")
HEAD: Final = 0.22
FOOT: Final = 0.4
"""Room below the bars for tick labels and the unit, inches."""
QUARTERS: Final = (0.0, 25.0, 50.0, 75.0, 100.0)


def place_shares(frame: pd.DataFrame, sides: int) -> dict[str, list[float]]:
    """Games per place of every strategy, with ties split evenly over the places they cover.

    A tie of k sides with mean place m covers the places m - (k-1)/2 to m + (k-1)/2, and each of
    them gets 1/k of its games. A strategy's numbers add up to its games.

    Parameters
    ----------
    frame
        ``strategy`` (name), ``place`` (mean place of the tie, 1 is the winner's), ``tied`` (sides
        that share it, 1 for none), ``games`` (number of games).
    sides
        How many compete at a table, and so the number of places: seats, or teams.

    Returns
    -------
    dict of str to list of float
        For each strategy the games on places 1 to ``sides``.

    Raises
    ------
    ValueError
        When a place and the size of its tie do not go together.

    Examples
    --------
    >>> frame = pd.DataFrame({"strategy": ["A", "A"], "place": [1, 2.5], "tied": [1, 2],
    ...                       "games": [7, 4]})
    >>> place_shares(frame, sides=4)
    {'A': [7.0, 2.0, 2.0, 0.0]}
    """
    table = checked(frame, "places", COLUMNS)
    shares: dict[str, list[float]] = {}
    for name, place, tied, games in zip(
        table["strategy"],
        floats(table, "place"),
        floats(table, "tied"),
        floats(table, "games"),
        strict=True,
    ):
        first = place - (tied - 1) / 2
        if not (first.is_integer() and tied.is_integer() and tied >= 1) or not (
            1 <= first <= first + tied - 1 <= sides
        ):
            raise ValueError(
                f"chart 'places': place {place:g} shared by {tied:g} of {sides} cannot be"
            )
        row = shares.setdefault(str(name), [0.0] * sides)
        for index in range(int(first) - 1, int(first + tied) - 1):
            row[index] += games / tied
    return shares


def places(
    frame: pd.DataFrame,
    *,
    sides: int,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    notes: Sequence[str] = (),
) -> Figure:
    """Draw the share of games by final place, one bar per strategy, best mean place on top.

    Parameters
    ----------
    frame
        Counts, in any order and possibly in several rows that add up: ``strategy`` (name),
        ``place`` (mean place of the tie, 1 is the winner's), ``tied`` (sides that share it, 1 for
        none), ``games`` (number of games). A tie counts evenly for the places that it covers.
    sides
        How many compete at a table, and so the number of places: seats, or teams.
    strategies
        Strategies from top to bottom, if not the best mean place first.
    title, subtitle
        Heading, if not the usual one, and a line of facts about the run.
    notes
        Further remarks for the foot of the chart.

    Returns
    -------
    matplotlib.figure.Figure
        The chart, 8 inches wide.

    Raises
    ------
    ValueError
        When the frame lacks a column or games, or a place cannot be.
    """
    counts = {name: row for name, row in place_shares(frame, sides).items() if sum(row) > 0}
    if not counts:
        raise ValueError("chart 'places': no games to draw")
    percents = {name: [100 * part / math.fsum(row) for part in row] for name, row in counts.items()}
    means = {
        name: math.fsum((index + 1) * part for index, part in enumerate(row)) / 100
        for name, row in percents.items()
    }
    best_first = sorted(percents, key=lambda name: (means[name], name))
    names, cut = cap(picked(best_first, strategies, "places"))
    if not title:
        title = "Final places: share of games on each"
        if len(names) > 1 and not strategies:
            title += ", best mean place first"
    remarks = [*notes, *cut]
    if (frame["tied"] > 1).any():
        remarks.append("Ties count evenly for the places that they cover.")
    with styled():
        return _draw(names, percents, means, Heading(title, subtitle, remarks))


def _draw(
    names: list[str],
    percents: dict[str, list[float]],
    means: dict[str, float],
    heading: Heading,
) -> Figure:
    size, row = name_size(len(names)), row_height(len(names))
    inside = min(size - 0.5, 8.0)
    labels = fit_names(names, 2.1, size)
    column = max(width_of(label, size) for label in labels.values())
    colours = place_colours(len(percents[names[0]]))
    keys = [Key(ordinal(index + 1), colour, "none") for index, colour in enumerate(colours)]
    rows = row * len(names)
    sheet = Sheet(heading, body=HEAD + rows + FOOT, keys=keys)
    top = sheet.top + HEAD
    left = MARGIN + column + 0.15
    right = MARGIN + INNER
    width = right - left - 0.75

    panel = Panel(left, top, width, rows, (0, 100), (len(names) - 0.5, -0.5))
    below = top + rows
    for x, quarter in zip(panel.across(QUARTERS), QUARTERS, strict=True):
        sheet.lines([[(x, below), (x, below + 0.035)]], TICK)
        text = number_text(quarter)
        sheet.text(x, below + 0.11, text, size=SMALL, colour=GREY, side="center")
    sheet.text(right, top - 0.12, "mean place", size=SMALL, colour=GREY, side="right")
    unit = "share of games (%)"
    sheet.text(left + width / 2, sheet.bottom - 0.1, unit, size=SMALL, colour=GREY, side="center")
    for index, name in enumerate(names):
        y = top + row * (index + 0.5)
        sheet.text(MARGIN, y, labels[name], size=size)
        sheet.text(right, y, number_text(means[name], 2), size=size, side="right")
        start = 0.0
        for share, colour in zip(percents[name], colours, strict=True):
            text = f"{share:.0f}%"
            if width_of(text, inside) + 0.08 <= width * share / 100:
                x = float(panel.across(start + share / 2))
                sheet.text(x, y, text, size=inside, colour=text_on(colour), side="center")
            start += share
    shares = np.array([percents[name] for name in names])
    ends = np.cumsum(shares, axis=1)
    middles = np.arange(len(names))
    for place, colour in enumerate(colours):
        there = shares[:, place] > 0
        starts = panel.across((ends - shares)[there, place])
        stops = panel.across(ends[there, place])
        tops, bottoms = panel.down(middles[there] - 0.4), panel.down(middles[there] + 0.4)
        sheet.boxes(starts, tops, stops, bottoms, colour, "white", label=ordinal(place + 1))
    return sheet.figure


def ordinal(number: int) -> str:
    """Write a place: ``1st``, ``2nd``, ``3rd``, ``4th`` ... ``11th``.

    Examples
    --------
    >>> [ordinal(place) for place in (1, 2, 3, 4, 11)]
    ['1st', '2nd', '3rd', '4th', '11th']
    """
    if 10 < number % 100 < 14:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
