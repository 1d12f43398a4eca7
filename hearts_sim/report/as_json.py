"""summary.json: everything that the report says, for programs."""

from __future__ import annotations

import math
from typing import Any, Final

import pandas as pd

from hearts_sim.report import fault_text
from hearts_sim.report.behind import detail
from hearts_sim.report.board import BOARD_COLUMNS
from hearts_sim.report.details import DETAILS
from hearts_sim.report.notes import checks, field_of, notes, verdicts
from hearts_sim.report.summary import Summary

SCHEMA_VERSION: Final = 5
"""Version of this document; 4 and before were the version of the log's layout."""


def as_json(summary: Summary) -> dict[str, Any]:
    """Everything that the report says, as plain JSON values; no number is NaN or infinite.

    What needs hands, and was not counted since the log has none, is None.
    """
    info = summary.results.info
    return {
        "schema_version": SCHEMA_VERSION,
        "name": info["name"],
        "status": info["status"],
        "format": info["identity"]["format"],
        "games": summary.games,
        "blocks": summary.blocks,
        "hands": summary.hands,
        "confidence": summary.confidence,
        "reference": summary.reference,
        "holds_for": field_of(summary),
        "digest": info.get("digest"),
        "ended": info.get("verdict"),
        "notes": notes(summary),
        "verdicts": verdicts(summary),
        "checks": checks(summary),
        "faults": _plain(fault_text.plain(summary)),
        "disqualified": summary.faults.disqualified,
        "not_loaded": summary.faults.not_loaded,
        "columns": BOARD_COLUMNS,
        "strategies": _rows(summary.board),
        "details": {name: _rows(detail(summary, name)) for name in DETAILS},
    }


def _rows(frame: pd.DataFrame | None) -> Any:
    return None if frame is None else _plain(frame.to_dict("records"))


def _plain(value: Any) -> Any:
    """Values that JSON has; what is no number is None."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value.item() if hasattr(value, "item") else value
