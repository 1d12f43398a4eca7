"""Kinds ``trajectory``, ``convergence`` and ``ecdf``: a line for each strategy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hearts_sim.report.charts.colours import colours_for
from hearts_sim.report.charts.frames import checked, floats, picked
from hearts_sim.report.charts.histograms import hands_by_points
from hearts_sim.report.charts.labels import percent
from hearts_sim.report.charts.lines import TOGETHER, Axes, Curve, draw_curves, mean_of
from hearts_sim.report.charts.multiples import Ticks
from hearts_sim.report.charts.sheet import BETTER, Heading, cap

TRAJECTORY: Final = ("strategy", "hand", "score", "low", "high", "q10", "q90")
CONVERGENCE: Final = ("strategy", "blocks", "elo", "low", "high")
IN_POINTS: Final = ("strategy", "blocks", "points", "points_low", "points_high")


def trajectory(
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
    """Draw each strategy's mean total after each hand of a game.

    Parameters
    ----------
    frame
        One row per strategy and hand: ``strategy``, ``hand`` (from 1), ``score`` (mean total after
        it, over the games that have it), ``low``, ``high``, ``q10``, ``q90`` (quantiles of the
        total, drawn as a band where each strategy has its own panel).
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
    >>> frame = pd.DataFrame({"strategy": "A", "hand": [1, 2], "score": [6.5, 13.1],
    ...                       "low": [6.2, 12.7], "high": [6.8, 13.5], "q10": 0, "q90": [14, 26]})
    >>> trajectory(frame).get_label()
    'Mean total after each hand of a game'
    """
    table = checked(frame, "trajectory", TRAJECTORY)
    colours = colours_for(table["strategy"], colours)
    names, cut = cap(picked(table["strategy"], strategies, "trajectory"))
    together = len(names) <= TOGETHER
    band = ("low", "high") if together else ("q10", "q90")
    found = _curves(table, "hand", "score", band)
    every = {name: _from_zero(curve) for name, curve in found.items()}
    curves = {name: every[name] for name in names}
    hands = max(1.0, max(float(curve.x[-1]) for curve in curves.values()))
    said = f"Bands: {percent(confidence)} intervals. " if _banded(found) else ""
    if not together:
        said = "Bands: where the total is in eight of ten games. Grey: the mean of all strategies. "
    after = "Only games that have the hand count: the last ones are of long games."
    axes = Axes(
        (0.0, hands),
        _span(curves.values(), 0.0),
        "hand of the game",
        "total",
        hint=BETTER[highest_wins].replace("\u2190", "\u2193").replace("\u2192", "\u2191"),
    )
    heading = Heading(
        title or "Mean total after each hand of a game", subtitle, [f"{said}{after}", *notes, *cut]
    )
    return draw_curves(curves, mean_of(list(every.values())), axes, colours, heading)


def convergence(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw how each strategy's Elo settles as blocks are played.

    Parameters
    ----------
    frame
        One row per strategy and number of blocks: ``strategy``, ``blocks``, ``elo``, ``low``,
        ``high``, estimated from the first so many blocks. If nobody has an Elo, as in self-play,
        ``points``, ``points_low`` and ``points_high`` (per hand) are drawn.
    strategies, title, subtitle, confidence, colours, notes
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
    >>> frame = pd.DataFrame({"strategy": "A", "blocks": [10, 100], "elo": [1540.0, 1512.0],
    ...                       "low": [1440.0, 1480.0], "high": [1640.0, 1544.0]})
    >>> convergence(frame).get_label()
    'How Elo settles as blocks are played'
    """
    columns, unit = CONVERGENCE, "Elo"
    if "elo" in frame and frame["elo"].isna().all() and "points" in frame:
        columns, unit = IN_POINTS, "points per hand"
    table = checked(frame, "convergence", columns)
    colours = colours_for(table["strategy"], colours)
    names, cut = cap(picked(table["strategy"], strategies, "convergence"))
    found = _curves(table, "blocks", columns[2], columns[3:])
    every = {name: replace(curve, x=np.log10(curve.x)) for name, curve in found.items()}
    curves = {name: every[name] for name in names}
    blocks = np.concatenate([curve.x for curve in curves.values()])
    low, high = float(blocks.min()), float(blocks.max())
    marks = _counts(low, high)
    if high - low < 0.1:
        low, high = low - 0.5, high + 0.5
    said = "Blocks are on a scale of powers."
    if _banded(found):
        said = f"Bands: {percent(confidence)} intervals. {said}"
    axes = Axes(
        (low, high),
        _settled(curves.values(), 1.0 if unit == "Elo" else 0.05),
        "blocks",
        unit,
        marks=marks,
    )
    if len(names) > TOGETHER:
        said += " Grey: the mean of all strategies."
    heading = Heading(
        title or f"How {unit} settle{'s' if unit == 'Elo' else ''} as blocks are played",
        subtitle,
        [said, *notes, *cut],
    )
    return draw_curves(curves, mean_of(list(every.values())), axes, colours, heading)


def ecdf(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    highest_wins: bool = False,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw the share of each strategy's hands that have at most so many points.

    Parameters
    ----------
    frame
        Counts as for `points_histogram`: ``strategy``, ``points``, ``hands``, ``moon``.
    strategies, title, subtitle, highest_wins, colours, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When the frame lacks a column or hands.

    Examples
    --------
    >>> frame = pd.DataFrame({"strategy": "A", "points": [0, 4, 26], "hands": [5, 3, 2],
    ...                       "moon": ""})
    >>> ecdf(frame).get_label()
    'Share of hands with at most so many points'
    """
    table, means = hands_by_points(frame, "ecdf")
    colours = colours_for(means, colours)
    sign = -1 if highest_wins else 1
    best_first = sorted(means, key=lambda name: (sign * means[name], name))
    names, cut = cap(picked(best_first, strategies, "ecdf"))
    low, high = int(table["points"].min()), int(table["points"].max())
    at = np.unique(np.linspace(low, high, 400).round().astype(np.int64))
    every = {str(name): _shares(rows, at) for name, rows in table.groupby("strategy")}
    curves = {name: every[name] for name in names}
    axes = Axes((low - 0.5, high + 0.5), (0.0, 100.0), "points per hand", "share of hands (%)",
                hint="higher lines: fewer points", keyed=True)  # fmt: skip
    said = ["Grey: the mean of all strategies."] if len(names) > TOGETHER else []
    heading = Heading(
        title or "Share of hands with at most so many points", subtitle, [*said, *notes, *cut]
    )
    return draw_curves(curves, mean_of(list(every.values())), axes, colours, heading)


def _from_zero(curve: Curve) -> Curve:
    """The line with what is before the first hand: nobody has a point."""
    low, high = (None if bound is None else np.r_[0.0, bound] for bound in (curve.low, curve.high))
    return Curve(np.r_[0.0, curve.x], np.r_[0.0, curve.y], low, high)


def _shares(rows: pd.DataFrame, at: NDArray[np.int64]) -> Curve:
    """The share of hands with at most each of these numbers of points, in percent."""
    points = rows["points"].to_numpy(dtype=np.int64)
    hands = rows["hands"].to_numpy(dtype=np.float64)
    order = np.argsort(points)
    share = np.r_[0.0, 100 * np.cumsum(hands[order]) / hands.sum()]
    return Curve(at.astype(np.float64), share[np.searchsorted(points[order], at, side="right")])


def _curves(table: pd.DataFrame, x: str, y: str, band: Sequence[str]) -> dict[str, Curve]:
    """The lines of the strategies; values that are not known are left out."""
    columns = {column: np.array(floats(table, column)) for column in (x, y, *band)}
    owner = table["strategy"].to_numpy()
    curves: dict[str, Curve] = {}
    for name in dict.fromkeys(owner):
        own = np.flatnonzero(owner == name)
        own = own[np.argsort(columns[x][own], kind="stable")]
        known = own[np.isfinite(columns[y][own])]
        kept = known if len(known) else own[:1]
        curves[name] = Curve(*(columns[column][kept] for column in (x, y, *band)))
    return curves


def _span(curves: Any, least: float) -> tuple[float, float]:
    """Limits that show all lines and bands."""
    every = np.concatenate([np.r_[c.y, c.low, c.high, least] for c in curves])
    known = every[np.isfinite(every)]
    low, high = float(known.min()), float(known.max())
    if high - low < 1:
        high = low + 1
    margin = 0.04 * (high - low)
    return low - (margin if low < least else 0.0), high + margin


def _settled(curves: Any, least: float) -> tuple[float, float]:
    """Limits that show all lines, and the bands where they are about as wide as at the end."""
    ends: list[float] = []
    for curve in curves:
        known = curve.y[np.isfinite(curve.y)]
        ends += known[len(known) // 3 :].tolist()
        for bound in (curve.low, curve.high):
            ends += bound[-max(1, len(bound) // 2) :].tolist()
    finite = [end for end in ends if math.isfinite(end)]
    if not finite:
        return -1.0, 1.0
    low, high = min(finite), max(finite)
    margin = max(0.05 * (high - low), least)
    return low - margin, high + margin


def _counts(low: float, high: float) -> Ticks:
    """Round numbers of blocks between two powers of ten, if there are any."""
    numbers = [
        lead * 10**power
        for power in range(max(math.floor(low), 0), math.ceil(high) + 1)
        for lead in (1, 2, 5)
        if low - 1e-9 <= math.log10(lead * 10**power) <= high + 1e-9
    ]
    if len(numbers) > 6:
        numbers = [number for number in numbers if str(number)[0] == "1"]
    if len(numbers) < 2:
        numbers = sorted({round(10**low), round(10**high)})
    return [math.log10(number) for number in numbers], [f"{number:,}" for number in numbers]


def _banded(curves: Mapping[str, Curve]) -> bool:
    """Whether there is any interval to be seen."""
    return any(curve.low is not None and np.isfinite(curve.low).any() for curve in curves.values())
