"""Kinds ``moons``, ``hearts`` and ``timing``: rows of dots with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

import pandas as pd
from matplotlib.figure import Figure

from hearts_sim.report.charts.colours import colours_for
from hearts_sim.report.charts.frames import checked, picked
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.rows import Measure, by_name, draw_rows, remarks_on
from hearts_sim.report.charts.sheet import Heading, cap

MOON_KINDS: Final = {
    "made": "Shot the moon",
    "suffered": "Another shot it",
    "stopped": "Stopped another",
}
MOONS: Final = (
    "strategy",
    *(f"{kind}_{end}" for kind in MOON_KINDS for end in ("share", "low", "high")),
)
TAKES: Final = {
    "hearts": ("Hearts per hand", 2),
    "tricks": ("Tricks per hand", 2),
    "clean": ("Without a point", 1),
}
HEARTS: Final = (
    "strategy",
    *(f"{name}{end}" for name in TAKES for end in ("", "_low", "_high")),
)
TIMING: Final = ("strategy", "microseconds", "low", "high")


def moons(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw how often each strategy shot the moon, suffered one, and stopped another's attempt.

    Parameters
    ----------
    frame
        One row per strategy: ``strategy``, and as shares of its hands ``made_share``,
        ``suffered_share``, ``stopped_share``, each with ``_low`` and ``_high`` in place of
        ``_share`` for the ends of its interval; with ``failed`` and ``made`` (hands) the names'
        attempts are told in the note.
    strategies, title, subtitle, confidence, colours, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When the frame lacks a column or rows, or names a strategy twice.

    Examples
    --------
    >>> shares = {f"{kind}_share": [0.02] for kind in ("made", "suffered", "stopped")}
    >>> ends = {name.replace("share", end): [0.02] for name in shares for end in ("low", "high")}
    >>> figure = moons(pd.DataFrame({"strategy": ["A"], **shares, **ends}))
    >>> figure.get_label()
    'Moons: share of hands'
    """
    table, names, cut = _prepared(frame, "moons", MOONS, strategies)
    measures = [
        _measure(table, names, name, "% of its hands", 2, [f"{kind}_{end}" for end in ENDS], 100.0)
        for kind, name in MOON_KINDS.items()
    ]
    said = remarks_on(measures, confidence)
    if not any(value > 0 for measure in measures for value in measure.values.values()):
        said = "Nobody shot the moon."
    elif {"made", "failed"} <= set(frame.columns):
        made, failed = int(frame["made"].sum()), int(frame["failed"].sum())
        said += f" Of {made + failed:,} attempts {failed:,} were stopped."
    heading = Heading(title or "Moons: share of hands", subtitle, [said, *notes, *cut])
    with styled():
        return draw_rows(names, measures, colours_for(list(table["strategy"]), colours), heading)


def hearts(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw the hearts and tricks that each strategy takes, and its hands without a point.

    Parameters
    ----------
    frame
        One row per strategy: ``strategy``, ``hearts`` and ``tricks`` (per hand), ``clean`` (share
        of hands without a point), each with the ends of its interval in ``_low`` and ``_high``.
    strategies, title, subtitle, confidence, colours, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When the frame lacks a column or rows, or names a strategy twice.

    Examples
    --------
    >>> row = {"hearts": [3.1], "tricks": [3.3], "clean": [0.3]}
    >>> ends = {f"{name}_{end}": value for name, value in row.items() for end in ("low", "high")}
    >>> hearts(pd.DataFrame({"strategy": ["A"], **row, **ends})).get_label()
    'What each strategy takes'
    """
    table, names, cut = _prepared(frame, "hearts", HEARTS, strategies)
    measures = [
        _measure(
            table,
            names,
            title,
            "% of hands" if name == "clean" else "mean",
            decimals,
            [name, f"{name}_low", f"{name}_high"],
            100.0 if name == "clean" else 1.0,
        )
        for name, (title, decimals) in TAKES.items()
    ]
    said = remarks_on(measures, confidence)
    heading = Heading(title or "What each strategy takes", subtitle, [said, *notes, *cut])
    with styled():
        return draw_rows(names, measures, colours_for(list(table["strategy"]), colours), heading)


def timing(
    frame: pd.DataFrame,
    *,
    strategies: Sequence[str] = (),
    title: str = "",
    subtitle: str = "",
    confidence: float = 0.95,
    colours: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw the time that a decision takes, on a scale of powers of ten, quickest first.

    Parameters
    ----------
    frame
        One row per strategy: ``strategy``, ``microseconds`` (mean per decision), ``low``, ``high``.
    strategies
        Strategies from top to bottom, if not the quickest first.
    title, subtitle, confidence, colours, notes
        See `hearts_sim.report.charts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        When the frame lacks a column or rows, or names a strategy twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"strategy": ["A", "B"], "microseconds": [0.4, 2100.0],
    ...                       "low": [0.3, 2000.0], "high": [0.5, 2200.0]})
    >>> [text.get_text() for text in timing(frame).texts if "ms" in text.get_text()]
    ['1 ms', '2.1 ms']
    """
    spent = checked(frame, "timing", TIMING)
    known = by_name(spent, "microseconds")
    quickest = sorted(known, key=lambda name: (not known[name] > 0, known[name], name))
    table, names, cut = _prepared(frame, "timing", TIMING, picked(quickest, strategies, "timing"))
    values = {name: known[name] if known[name] > 0 else math.nan for name in names}
    lows, highs = by_name(table, "low"), by_name(table, "high")
    measure = Measure(
        "Time per decision",
        "powers of ten; \u2190 quicker",
        2,
        values,
        {name: lows[name] for name in names},
        {name: highs[name] for name in names},
        powers=True,
        write=duration,
    )
    if not title:
        title = "Time per decision" + (
            ", quickest first" if len(names) > 1 and not strategies else ""
        )
    heading = Heading(title, subtitle, [remarks_on([measure], confidence), *notes, *cut])
    with styled():
        return draw_rows(names, [measure], colours_for(list(table["strategy"]), colours), heading)


def duration(microseconds: float) -> str:
    """Write a time with two or three figures and its unit.

    Examples
    --------
    >>> [duration(time) for time in (0.04, 1, 12.34, 2_000_000)]
    ['0.04 \u00b5s', '1 \u00b5s', '12.3 \u00b5s', '2 s']
    """
    unit, factor = "\u00b5s", 1.0
    for larger, name in ((1e3, "ms"), (1e6, "s")):
        if microseconds >= 0.9995 * larger:
            unit, factor = name, larger
    return f"{microseconds / factor:.3g} {unit}"


ENDS: Final = ("share", "low", "high")


def _prepared(
    frame: pd.DataFrame, chart: str, columns: tuple[str, ...], strategies: Sequence[str]
) -> tuple[pd.DataFrame, list[str], list[str]]:
    """The checked frame, the names to show, and a note if those are not all."""
    table = checked(frame, chart, columns)
    if table["strategy"].duplicated().any():
        raise ValueError(f"chart {chart!r}: a strategy has more than one row")
    names, cut = cap(picked(table["strategy"], strategies, chart))
    return table, names, cut


def _measure(
    table: pd.DataFrame,
    names: Sequence[str],
    name: str,
    hint: str,
    decimals: int,
    columns: Sequence[str],
    factor: float,
) -> Measure:
    """A measure that is never below 0, with the mean of all strategies as reference."""
    every = [by_name(table, column, factor) for column in columns]
    values, lows, highs = ({shown: found[shown] for shown in names} for found in every)
    known = [value for value in every[0].values() if not math.isnan(value)]
    mean = fmean(known) if known else math.nan
    return Measure(
        name, hint, decimals, values, lows, highs, mean, "mean" if known else "", least=0.0
    )
