"""Kind ``points``: how often each number of points per hand occurs, a small panel per strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hearts_sim.report.charts.colours import GREY, INK, colours_for, edge_of
from hearts_sim.report.charts.frames import checked, picked
from hearts_sim.report.charts.labels import number_text, width_of
from hearts_sim.report.charts.multiples import (
    Cell,
    Multiples,
    base_lines,
    bottom_ticks,
    foot_note,
    level_grid,
)
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.sheet import BETTER, MARGIN, SMALL, Heading, Key, Sheet, cap, ticks

COLUMNS: Final = ("strategy", "points", "hands", "moon")
MOONS: Final = ("", "made", "suffered")
MOST_BINS: Final = 60
HATCH: Final = "//////"
AXIS: Final = 0.38
"""Room left of the panels for the labels of the vertical axis, inches."""

Shares = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Histograms:
    """What the panels show: means, and percent of hands by kind of moon and bin."""

    means: dict[str, float]
    shares: dict[str, Shares]
    starts: NDArray[np.int64]
    step: int


def points_histogram(
    frame: pd.DataFrame,
    *,
    title: str = "",
    subtitle: str = "",
    highest_wins: bool = False,
    queen: int = 13,
    strategies: Sequence[str] = (),
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw the share of hands by points per hand, one small panel per strategy, best mean first.

    All panels have the same axes. Hands in which somebody shot the moon stand on top of the
    others in marks of their own.

    Parameters
    ----------
    frame
        Counts, in any order and possibly in several rows that add up: ``strategy`` (name),
        ``points`` (whole points of one hand, negative ones too), ``hands`` (number of hands),
        ``moon`` (``"made"``: the strategy shot the moon in these hands, ``"suffered"``: another
        did, ``""``: nobody). Where the points spread too far for a bar each, bars stand for 2, 5,
        10 ... points, and the axis says so.
    title, subtitle
        Heading, if not the usual one, and a line of facts about the run.
    highest_wins
        True for rules under which more points are better.
    queen
        Price of the queen of spades, multiples of which are marked on the axis if there is room;
        0 when she is free.
    strategies
        Strategies from the first panel to the last, if not the best mean first.
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
        When the frame lacks a column or hands, or ``moon`` says anything else.
    """
    table, means = hands_by_points(frame, "points")
    colour = colours_for(means, colours)
    sign = -1 if highest_wins else 1
    best_first = sorted(means, key=lambda name: (sign * means[name], name))
    names, cut = cap(picked(best_first, strategies, "points"))
    table = table[table["strategy"].isin(names)]

    low, high = int(table["points"].min()), int(table["points"].max())
    step = bin_width(low, high)
    first = low // step
    shares = {name: _shares(table[table["strategy"] == name], first, high, step) for name in names}
    starts = step * (first + np.arange(high // step - first + 1))
    data = Histograms(means, shares, starts, step)
    if not title:
        title = "Points per hand: how often each number occurs"
        if len(names) > 1 and not strategies:
            title += ", best mean first"
    with styled():
        return _draw(
            names, data, colour, Heading(title, subtitle, [*notes, *cut]), queen, highest_wins
        )


def hands_by_points(frame: pd.DataFrame, chart: str) -> tuple[pd.DataFrame, dict[str, float]]:
    """Give the rows of a frame of hands by points that count something, and every mean.

    Raises
    ------
    ValueError
        When the frame lacks a column or hands, or ``moon`` says what it cannot.
    """
    table = checked(frame, chart, COLUMNS)
    table = table.assign(moon=table["moon"].astype(object).fillna("").astype(str))
    if strange := sorted(set(table["moon"]) - set(MOONS)):
        raise ValueError(f"chart {chart!r}: moon is {strange[0]!r}, not 'made', 'suffered' or ''")
    table = table[table["hands"] > 0]
    if table.empty:
        raise ValueError(f"chart {chart!r}: no hands to draw")
    total = table.groupby("strategy")["hands"].sum()
    weighted = (table["points"] * table["hands"]).groupby(table["strategy"]).sum()
    return table, {str(name): float(weighted[name] / total[name]) for name in total.index}


def bin_width(low: int, high: int) -> int:
    """Points per bar, of 1, 2, 5, 10 ..., so that there are at most about sixty bars."""
    step = 1
    for factor in _factors():
        step = factor
        if high // step - low // step + 1 <= MOST_BINS:
            break
    return step


def _factors() -> list[int]:
    return [lead * 10**power for power in range(18) for lead in (1, 2, 5)]


def _shares(rows: pd.DataFrame, first: int, high: int, step: int) -> Shares:
    """Percent of a strategy's hands in every bin, by kind of moon."""
    bins = rows["points"].to_numpy(dtype=np.int64) // step - first
    hands = rows["hands"].to_numpy(dtype=np.float64)
    moon = rows["moon"].to_numpy(dtype=object)
    length = high // step - first + 1
    return {
        kind: 100
        * np.bincount(bins[moon == kind], weights=hands[moon == kind], minlength=length)
        / hands.sum()
        for kind in MOONS
    }


def _draw(
    names: list[str],
    data: Histograms,
    colours: Mapping[str, str],
    heading: Heading,
    queen: int,
    highest_wins: bool,
) -> Figure:
    starts, step = data.starts, data.step
    grid = Multiples(names, AXIS)
    height = grid.height
    mooned = any(data.shares[name][kind].any() for name in names for kind in MOONS[1:])
    keys = _keys(names, colours) if mooned else []
    tallest = 1.06 * max(
        float(np.sum(list(data.shares[name].values()), axis=0).max()) for name in names
    )
    first, last = _middles(starts, step)[[0, -1]]
    sheet, cells = grid.place(
        heading,
        (first - 0.7 * step, last + 0.7 * step),
        (0, tallest),
        height=height,
        facts=_facts(names, data, grid.width),
        keys=keys,
    )
    level_grid(sheet, cells, ticks(0, tallest, min(2 * height, 2.4), steps=(1, 2, 5, 10)))
    base_lines(sheet, cells)
    bottom_ticks(sheet, cells, _point_ticks(int(starts[0]), int(starts[-1]), queen, grid.width))
    for colour in dict.fromkeys(colours[name] for name in names):
        alike = [cell for cell in cells if colours[cell.name] == colour]
        _bars(sheet, alike, data, colour)
    means = [float(cell.panel.across(data.means[cell.name])) for cell in cells]
    lines = [
        [(x, cell.panel.top), (x, cell.panel.top + height)]
        for x, cell in zip(means, cells, strict=True)
    ]
    sheet.lines(lines, INK, width=0.9, dash=(2, 1.5), layer=5)
    sheet.marks(means, [cell.panel.top for cell in cells], INK, shape="v", size=4, layer=5)
    unit = "points per hand" if step == 1 else f"points per hand (each bar: {step:,} points)"
    foot_note(sheet, MARGIN + AXIS, unit, BETTER[highest_wins])
    middle = cells[0].panel.top + height / 2
    sheet.text(MARGIN, middle, "share of hands (%)", size=SMALL, colour=GREY, upright=True)
    return sheet.figure


def _point_ticks(low: int, high: int, queen: int, width: float) -> tuple[list[float], list[str]]:
    """Multiples of the price of a queen of spades, as long as hands are about that dear."""
    for step in (queen, 2 * queen):
        if queen >= 5 and high - low >= queen and max(-low, high) <= 6 * step:
            at = [float(tick) for tick in range(-(-low // step) * step, high + 1, step)]
            if len(at) * 0.32 <= width:
                return at, [number_text(tick) for tick in at]
    return ticks(float(low), float(high), width)


def _middles(starts: NDArray[np.int64], step: int) -> NDArray[np.float64]:
    """Where bars stand: one of a single point on it, a wider one from its lowest point on."""
    return np.asarray(starts + (step - 1) / 2, dtype=np.float64)


def _bars(sheet: Sheet, cells: Sequence[Cell], data: Histograms, colour: str) -> None:
    """Draw the bars of all panels that have one colour: together that is much faster."""
    middles = _middles(data.starts, data.step)
    owners = ", ".join(cell.name for cell in cells)
    floors = [np.zeros(len(middles)) for _ in cells]
    for kind, style in _styles(colour).items():
        edges: list[NDArray[np.float64]] = []
        for index, cell in enumerate(cells):
            panel, share = cell.panel, data.shares[cell.name][kind]
            roof = floors[index] + share
            left, right = (panel.across(middles + side * data.step) for side in (-0.42, 0.42))
            box = np.stack([left, panel.down(roof), right, panel.down(floors[index])])
            edges.append(box[:, share > 0])
            floors[index] = roof
        sheet.boxes(
            *np.concatenate(edges, axis=1),
            **style,
            layer=3,
            label=f"{kind or 'ordinary'}: {owners}",
        )


def _styles(colour: str) -> dict[str, dict[str, Any]]:
    edge = edge_of(colour)
    return {
        "": {"faces": colour, "edges": edge if edge != colour else "none"},
        "suffered": {"faces": "white", "edges": INK, "hatch": HATCH},
        "made": {"faces": INK, "edges": INK},
    }


def _keys(names: list[str], colours: Mapping[str, str]) -> list[Key]:
    used = {colours[name] for name in names}
    plain = _styles(used.pop() if len(used) == 1 else "#8a8a8a")[""]
    return [
        Key("ordinary hand", plain["faces"], plain["edges"]),
        Key("shot the moon", INK, INK),
        Key("another shot the moon", "#ffffff", INK, HATCH),
    ]


def _facts(names: list[str], data: Histograms, width: float) -> dict[str, str]:
    """Line under each name: the mean, and with room for it how often the moon was shot."""
    short = {name: f"mean {number_text(data.means[name], 2)}" for name in names}
    made = {name: float(data.shares[name]["made"].sum()) for name in names}
    if not any(made.values()):
        return short
    long = {name: f"{short[name]} \u00b7 moons shot {made[name]:.1f}%" for name in names}
    fits = all(width_of(text, SMALL) <= width for text in long.values())
    return long if fits else short
