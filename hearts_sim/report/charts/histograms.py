"""Kind ``points``: how often each number of points per hand occurs, a small panel per strategy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hearts_sim.report.charts.colours import GREY, INK, colours_for, edge_of
from hearts_sim.report.charts.frames import checked
from hearts_sim.report.charts.labels import fit_names, number_text, width_of
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.sheet import (
    BETTER,
    INNER,
    MARGIN,
    SMALL,
    Heading,
    Key,
    Sheet,
    cap,
    ticks,
)

COLUMNS: Final = ("strategy", "points", "hands", "moon")
MOONS: Final = ("", "made", "suffered")
MOST_BINS: Final = 60
HATCH: Final = "//////"
GAP: Final = 0.22
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
    table = checked(frame, "points", COLUMNS)
    table = table.assign(moon=table["moon"].astype(object).fillna("").astype(str))
    if strange := sorted(set(table["moon"]) - set(MOONS)):
        raise ValueError(f"chart 'points': moon is {strange[0]!r}, not 'made', 'suffered' or ''")
    table = table[table["hands"] > 0]
    if table.empty:
        raise ValueError("chart 'points': no hands to draw")
    total = table.groupby("strategy")["hands"].sum()
    weighted = (table["points"] * table["hands"]).groupby(table["strategy"]).sum()
    means = {str(name): float(weighted[name] / total[name]) for name in total.index}
    colour = colours_for(means, colours)
    sign = -1 if highest_wins else 1
    names, cut = cap(sorted(means, key=lambda name: (sign * means[name], name)))
    table = table[table["strategy"].isin(names)]

    low, high = int(table["points"].min()), int(table["points"].max())
    step = bin_width(low, high)
    first = low // step
    shares = {name: _shares(table[table["strategy"] == name], first, high, step) for name in names}
    starts = step * (first + np.arange(high // step - first + 1))
    data = Histograms(means, shares, starts, step)
    if not title:
        title = "Points per hand: how often each number occurs"
        if len(names) > 1:
            title += ", best mean first"
    with styled():
        return _draw(
            names, data, colour, Heading(title, subtitle, [*notes, *cut]), queen, highest_wins
        )


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


def columns_for(panels: int) -> int:
    """How many panels stand side by side."""
    small = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3, 9: 3}
    return small.get(panels, 4 if panels <= 24 else 5)


def _draw(
    names: list[str],
    data: Histograms,
    colours: Mapping[str, str],
    heading: Heading,
    queen: int,
    highest_wins: bool,
) -> Figure:
    starts, step = data.starts, data.step
    across = columns_for(len(names))
    down = math.ceil(len(names) / across)
    width = (INNER - AXIS - GAP * (across - 1)) / across
    height = {1: 2.6, 2: 1.9, 3: 1.6, 4: 1.15}.get(across, 0.9)
    head, foot = 0.46, 0.37
    name_size = 9.0 if across <= 4 else 8.0
    labels = fit_names(names, width, name_size, bold=True)
    facts = _facts(names, data, width)
    mooned = any(data.shares[name][kind].any() for name in names for kind in MOONS[1:])
    keys = _keys(names, colours) if mooned else []
    pitch = head + height + 0.2
    body = down * pitch - 0.2 + foot
    sheet = Sheet(heading, body=body, keys=keys)

    tallest = max(float(sum(data.shares[name].values()).max()) for name in names)  # type: ignore[union-attr]
    low, high = _middles(starts, step)[[0, -1]] + (-0.7 * step, 0.7 * step)
    for index, name in enumerate(names):
        left = MARGIN + AXIS + (index % across) * (width + GAP)
        top = sheet.top + (index // across) * pitch
        sheet.text(left, top + 0.1, labels[name], size=name_size, bold=True)
        sheet.text(left, top + 0.28, facts[name], size=SMALL, colour=GREY)
        axes = sheet.axes(left, top + head, width, height)
        axes.set_xlim(low, high)
        axes.set_ylim(0, 1.06 * tallest)
        rises, texts = ticks(0, 1.06 * tallest, min(2 * height, 2.4), steps=(1, 2, 5, 10))
        axes.set_yticks(rises, texts if index % across == 0 else [""] * len(rises))
        axes.grid(axis="y")
        axes.axhline(0, color="#8a8a8a", linewidth=0.8, zorder=4)
        lowest = index + across >= len(names)
        at, texts = _point_ticks(int(starts[0]), int(starts[-1]), queen, width)
        axes.set_xticks(at, texts if lowest else [""] * len(at))
        axes.tick_params(axis="x", size=2.5 if lowest else 0)
        _bars(axes, data.shares[name], starts, step, colours[name])
        centre = data.means[name]
        axes.axvline(centre, color=INK, linewidth=0.9, linestyle=(0, (2, 1.5)), zorder=5)
        axes.plot(
            [centre], [1], "v", transform=axes.get_xaxis_transform(), color=INK, markersize=4,
            clip_on=False, zorder=5,
        )  # fmt: skip
    unit = "points per hand" if step == 1 else f"points per hand (each bar: {step:,} points)"
    foot = sheet.bottom - 0.06
    sheet.text(MARGIN + AXIS, foot, unit, size=SMALL, colour=GREY)
    hint = MARGIN + AXIS + width_of(unit, SMALL) + 0.2
    sheet.text(hint, foot, BETTER[highest_wins], size=SMALL, colour=GREY)
    middle = sheet.top + head + height / 2
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


def _bars(
    axes: Axes,
    shares: Shares,
    starts: NDArray[np.int64],
    step: int,
    colour: str,
) -> None:
    floor = np.zeros(len(starts))
    middles = _middles(starts, step)
    left, right = middles - 0.42 * step, middles + 0.42 * step
    for kind, style in _styles(colour).items():
        roof = floor + shares[kind]
        corners = np.stack([left, floor, left, roof, right, roof, right, floor], axis=1)
        bars = corners.reshape(-1, 4, 2)[shares[kind] > 0]
        if len(bars):
            shapes = PolyCollection(list(bars), zorder=3, snap=True, **style)
            axes.add_collection(shapes, autolim=False)
        floor = roof


def _styles(colour: str) -> dict[str, dict[str, Any]]:
    edge = edge_of(colour)
    return {
        "": {"facecolor": colour, "edgecolor": edge if edge != colour else "none"},
        "suffered": {"facecolor": "white", "edgecolor": INK, "hatch": HATCH},
        "made": {"facecolor": INK, "edgecolor": INK},
    }


def _keys(names: list[str], colours: Mapping[str, str]) -> list[Key]:
    used = {colours[name] for name in names}
    plain = _styles(used.pop() if len(used) == 1 else "#8a8a8a")[""]
    return [
        Key("ordinary hand", plain["facecolor"], plain["edgecolor"]),
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
