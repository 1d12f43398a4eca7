"""The tables of a report as frames, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pandas as pd

from hearts_sim.report import fault_text
from hearts_sim.report.board import differences, pairwise
from hearts_sim.report.details import DETAILS
from hearts_sim.report.notes import field_of
from hearts_sim.report.summary import Summary

_RATINGS: Final = (
    "rank", "rank_best", "rank_worst", "strategy", "elo", "elo_bound", "elo_low", "elo_high",
    "elo_design", "superiority", "best", "blocks",
)  # fmt: skip


def ratings(summary: Summary) -> pd.DataFrame:
    """The ratings, with what they hold for; where blocks are tainted also those without them."""
    frame = summary.board[list(_RATINGS)].copy()
    frame["reference"] = summary.reference
    frame["holds_for"] = field_of(summary)
    clean = fault_text.clean_board(summary)
    return frame if clean.empty else frame.merge(clean, on="strategy", how="left")


def report_frames(summary: Summary) -> dict[str, Callable[[], pd.DataFrame | None]]:
    """What makes each table; it gives None for a table that needs hands where there are none.

    A name that a table of the log has as well is not among them.
    """
    makers: dict[str, Callable[[], pd.DataFrame | None]] = {
        "ratings": lambda: ratings(summary),
        "summary": lambda: summary.board,
        "pairwise": lambda: pairwise(summary),
        "differences": lambda: differences(summary),
        "places": lambda: summary.places,
        "histogram": lambda: summary.histogram,
    }
    for name in DETAILS:
        if name != "faults":
            makers[name] = lambda name=name: getattr(summary.details, name)  # type: ignore[misc]
    return makers
