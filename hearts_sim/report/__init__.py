"""The report of a run: numbers, sentences, tables, charts and pages.

`summarise` gives the numbers of a results folder, `charts` the functions that draw them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hearts_sim.report import charts
    from hearts_sim.report.summary import summarise

__all__ = ["charts", "summarise"]


def __getattr__(name: str) -> Any:
    # When they are first used: a command that lists kinds of charts draws none.
    if name == "summarise":
        return importlib.import_module("hearts_sim.report.summary").summarise
    if name == "charts":
        return importlib.import_module("hearts_sim.report.charts")
    raise AttributeError(f"module 'hearts_sim.report' has no attribute {name!r}")
