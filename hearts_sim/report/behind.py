"""The table behind each chart, and how to read the chart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pandas as pd

from hearts_sim.report.board import differences, pairwise
from hearts_sim.report.kinds import KINDS, TITLES
from hearts_sim.report.summary import Summary
from hearts_sim.report.tables import (
    Column,
    Table,
    identifiers,
    intervals,
    numbers,
    shares,
    table_of,
    words,
)

QUANTILES: Final = (0.5, 0.75, 0.9)
HIGH: Final = 13
"""Points of a bad hand: what the queen of spades costs in the usual game."""


def detail(summary: Summary, name: str) -> pd.DataFrame | None:
    """A frame of the details, best strategy first.

    None where the frame needs hands and the log has none.
    """
    frame: pd.DataFrame | None = getattr(summary.details, name)
    if frame is None or "strategy" not in frame:
        return frame
    return best_first(summary, frame)


def best_first(summary: Summary, frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of a frame in the order of the leaderboard, else as they were."""
    rank = {name: at for at, name in enumerate(summary.board["strategy"])}
    order = frame["strategy"].astype(str).map(rank).to_numpy(float)
    return frame.iloc[np.argsort(order, kind="stable")].reset_index(drop=True)


NAME: Final = words("strategy", "strategy")
_HANDS: Final = numbers("hands", "hands")
_BLOCKS: Final = numbers("blocks", "blocks", meaning="blocks that the interval rests on")


def _points(by: Column) -> list[Column]:
    return [
        NAME,
        by,
        numbers("points", "points", 2, "points per hand"),
        intervals("low", "high"),
        _HANDS,
        _BLOCKS,
    ]


PASS: Final = words("pass", "pass", "direction in which cards are passed")
SEAT: Final = identifiers("seat", "seat", meaning="number of the seat, from 0")
HAND: Final = identifiers("hand", "hand", meaning="number of the hand in its game, from 1")


def _ratings(summary: Summary) -> Table:
    columns = [
        numbers("rank", "rank"),
        NAME,
        numbers("Elo", "elo"),
        intervals("elo_low", "elo_high", 0),
        numbers("points/hand", "points", 2),
        intervals("points_low", "points_high"),
        _BLOCKS,
    ]
    board = summary.board.assign(rank=summary.board["rank"].astype("Float64").to_numpy(float))
    return table_of(board, columns)


def _pairwise(summary: Summary) -> Table:
    """Every pair once, the better one first."""
    won = pairwise(summary)[["strategy", "opponent", "games", "share"]]
    frame = differences(summary).merge(won, on=["strategy", "opponent"], how="left")
    frame["sure"] = np.where(frame["better"], "yes", "no")
    return table_of(
        frame,
        [
            NAME,
            words("opponent", "opponent"),
            shares("wins", "share", meaning="share of comparisons of places, ties half"),
            numbers("comparisons", "games"),
            numbers("Elo", "elo_difference", sign=True, meaning="first less second"),
            numbers("±", "elo_error"),
            numbers("points/hand", "points_difference", 2, "first less second", sign=True),
            numbers("±", "points_error", 2),
            shares("LOS", "superiority", meaning="probability that the first is truly better"),
            words("sure", "sure", "whether it holds for all pairs at once (Holm's correction)"),
        ],
        "Each pair once, the one of better rank first. A difference is sure when it holds for all "
        "pairs at once.",
    )


def _histogram(summary: Summary) -> Table | None:
    frame = _of_hands(summary)
    if frame is None:
        return None
    frame = frame.assign(moon=frame["moon"].replace("", "–"))
    return table_of(
        frame,
        [
            NAME,
            numbers("points", "points"),
            words("moon", "moon", "whether it shot the moon in these hands, or somebody else did"),
            _HANDS,
            shares("share", "share", 2, "of its hands"),
        ],
    )


def _of_hands(summary: Summary) -> pd.DataFrame | None:
    """The histogram with shares, best strategy first; None without hands."""
    if summary.histogram is None:
        return None
    frame = summary.histogram.astype({"strategy": str, "moon": str})
    whole = frame.groupby("strategy")["hands"].transform("sum")
    return best_first(summary, frame.assign(share=frame["hands"] / whole))


def _ecdf(summary: Summary) -> Table | None:
    frame = _of_hands(summary)
    if frame is None:
        return None
    rows = []
    for name, own in frame.groupby("strategy", sort=False):
        points, share = own["points"].to_numpy(float), own["share"].to_numpy(float)
        order = np.argsort(points, kind="stable")
        reached = np.cumsum(share[order])
        row: dict[str, Any] = {
            "strategy": name,
            "hands": own["hands"].sum(),
            "mean": float(points @ share),
            "none": float(share[points == 0].sum()),
            "high": float(share[points >= HIGH].sum()),
        }
        for quantile in QUANTILES:
            at = min(int(np.searchsorted(reached, quantile - 1e-12)), len(order) - 1)
            row[f"q{quantile}"] = points[order][at]
        rows.append(row)
    columns = [
        NAME,
        numbers("mean", "mean", 2),
        shares("no points", "none", meaning="share of hands without a point"),
        *(
            numbers("median" if q == 0.5 else f"{q:.0%}", f"q{q}", meaning="so many or fewer")
            for q in QUANTILES
        ),
        shares(f"{HIGH} or more", "high", meaning="share of hands"),
        _HANDS,
    ]
    return table_of(pd.DataFrame(rows, columns=_names(rows)), columns)


def _names(rows: list[dict[str, Any]]) -> list[str] | None:
    return list(rows[0]) if rows else None


def _places(summary: Summary) -> Table:
    frame = summary.places.astype({"strategy": str})
    whole = frame.groupby("strategy")["games"].transform("sum")
    frame = best_first(summary, frame.assign(share=frame["games"] / whole))
    return table_of(
        frame,
        [
            NAME,
            numbers("place", "place", 1, "tied sides share the mean of their places"),
            numbers("tied", "tied", meaning="how many sides share the place"),
            numbers("games", "games", meaning="counted once for each seat"),
            shares("share", "share"),
        ],
        "Here sides that tie share the mean of their places.",
    )


def moon_columns() -> list[Column]:
    """Columns of the moons."""
    return [
        NAME,
        *_count_and_share("made", "hands in which it shot the moon"),
        *_count_and_share("suffered", "hands in which somebody else did"),
        *_count_and_share("stopped", "attempts of others that it ended"),
        numbers("failed", "failed", meaning="attempts of its own that were ended"),
        _HANDS,
    ]


def _count_and_share(name: str, meaning: str) -> list[Column]:
    return [
        numbers(name, name, meaning=meaning),
        shares("share", f"{name}_share", 2, "of its hands"),
        intervals(f"{name}_low", f"{name}_high", 2, percent=True),
    ]


def queens(taken: pd.DataFrame, given: pd.DataFrame) -> pd.DataFrame:
    """Queens taken and given side by side."""
    both = taken.merge(given, on=["strategy", "how"], how="outer", suffixes=("", "_given"))
    return taken[["strategy", "how"]].merge(both, on=["strategy", "how"], how="left")


def queen_columns() -> list[Column]:
    """Columns of the queens."""
    return [
        NAME,
        words("how", "how", "led, followed to spades, or dumped on another suit"),
        numbers("taken", "taken", meaning="hands in which it took her so"),
        shares("share", "share", meaning="of its hands"),
        intervals("low", "high", 1, percent=True),
        numbers("given", "given", meaning="hands in which it played her and another took her"),
        shares("share", "share_given", meaning="of its hands"),
        intervals("low_given", "high_given", 1, percent=True),
    ]


def _queens(summary: Summary) -> Table | None:
    taken, given = detail(summary, "queens"), detail(summary, "queens_given")
    if taken is None or given is None:
        return None
    return table_of(queens(taken, given), queen_columns())


def take_columns() -> list[Column]:
    """Columns of what is taken per hand."""
    return [
        NAME,
        numbers("hearts", "hearts", 2, "per hand"),
        intervals("hearts_low", "hearts_high"),
        numbers("queens", "queens", 3, "per hand"),
        intervals("queens_low", "queens_high", 3),
        numbers("tricks", "tricks", 2, "per hand"),
        intervals("tricks_low", "tricks_high"),
        shares("clean", "clean", meaning="share of hands without a point"),
        intervals("clean_low", "clean_high", 1, percent=True),
        _HANDS,
    ]


def _plain(name: str, columns: Callable[[], list[Column]]) -> Callable[[Summary], Table | None]:
    """A table of a frame of the details as it is."""

    def made(summary: Summary) -> Table | None:
        frame = detail(summary, name)
        return None if frame is None else table_of(frame, columns())

    return made


def _trajectory() -> list[Column]:
    return [
        NAME,
        HAND,
        numbers("score", "score", 1, "mean total after the hand"),
        intervals("low", "high", 1),
        numbers("10 %", "q10", 1, "a tenth of the games have so many points or fewer"),
        numbers("90 %", "q90", 1, "nine tenths of the games have so many points or fewer"),
        numbers("games", "games", meaning="that have this hand"),
    ]


def _lengths() -> list[Column]:
    return [numbers("hands", "hands", meaning="of a game"), numbers("games", "games")]


def _convergence() -> list[Column]:
    return [
        NAME,
        numbers("blocks", "blocks", meaning="the first so many of the run"),
        numbers("Elo", "elo"),
        intervals("low", "high", 0),
        numbers("points/hand", "points", 2),
        intervals("points_low", "points_high"),
    ]


def _timing() -> list[Column]:
    return [
        NAME,
        numbers("µs/card", "microseconds", 2, "mean time per decision"),
        intervals("low", "high"),
        numbers("decisions", "decisions"),
    ]


def _faults() -> list[Column]:
    return [NAME, words("kind", "kind"), numbers("faults", "faults")]


_SOURCES: Final[dict[str, Callable[[Summary], Table | None]]] = {
    "ratings": _ratings,
    "pairwise": _pairwise,
    "points": _histogram,
    "ecdf": _ecdf,
    "places": _places,
    "passes": _plain("by_pass", lambda: _points(PASS)),
    "seats": _plain("by_seat", lambda: _points(SEAT)),
    "moons": _plain("moons", moon_columns),
    "queens": _queens,
    "hearts": _plain("takes", take_columns),
    "trajectory": _plain("trajectory", _trajectory),
    "lengths": _plain("lengths", _lengths),
    "convergence": _plain("convergence", _convergence),
    "timing": _plain("timing", _timing),
    "faults": _plain("faults", _faults),
}


def behind(summary: Summary, kind: str) -> Table | None:
    """The table behind a chart; None where its figures need hands that the log does not have."""
    source = _SOURCES.get(kind)
    return None if source is None else source(summary)


def not_drawn(summary: Summary, drawn: list[str]) -> str:
    """A sentence on the charts that are left out since they need hands; empty when none is."""
    if summary.histogram is not None and not summary.histogram.empty:
        return ""
    left = [
        TITLES[kind]
        for kind in KINDS
        if kind not in drawn and (summary.histogram is not None or behind(summary, kind) is None)
    ]
    if not left:
        return ""
    why = "no hand was played to its end"
    if summary.histogram is None:
        why = (
            f"the run was played with log: {summary.results.log}, and they need hands: play it "
            "with log: hands"
        )
    return f"Not drawn: {', '.join(left)}; {why}."


READ: Final = {
    "points": "Hands in which somebody shot the moon are counted by themselves.",
    "passes": "Points per hand by where the cards went; hold is a hand without a pass.",
    "seats": "Everybody sits in every seat; what differs from seat to seat is the bot's own.",
    "moons": "An attempt is stopped by whoever takes a penalty card when one other has taken all "
    "so far, and at least half of those that there are.",
    "queens": "Led: she was led. Followed: spades were led. Dumped: discarded on another suit.",
    "convergence": "Estimated anew from the first blocks alone: intervals narrow with the root of "
    "the blocks.",
    "timing": "Time per decision on a card, which depends on the machine.",
}
"""How to read a chart, where it does not say so itself."""
