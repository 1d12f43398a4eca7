"""Checking strategies: what `hearts-sim check` does, and the same for one's own tests.

::

    from hearts_sim.testing import check_strategy

    def test_my_bot():
        check_strategy("bots/my_bot.py").raise_for_errors()
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hearts_sim.testing.checking import check_strategy
    from hearts_sim.testing.report import CheckFailed, Finding, Report

# Imported when first used: a test suite that imports this pays for numba only when it checks.
_PUBLIC = {
    "CheckFailed": "hearts_sim.testing.report",
    "Finding": "hearts_sim.testing.report",
    "Report": "hearts_sim.testing.report",
    "check_strategy": "hearts_sim.testing.checking",
}

__all__ = ["CheckFailed", "Finding", "Report", "check_strategy"]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'hearts_sim.testing' has no attribute {name!r}")
