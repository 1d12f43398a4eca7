"""What bots that look ahead share: hidden hands that could be, playouts, trees, endgames."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hearts_sim.search.worlds import possible_worlds

# Imported when first used: it brings numba.
_PUBLIC = {"possible_worlds": "hearts_sim.search.worlds"}

__all__ = ["possible_worlds"]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'hearts_sim.search' has no attribute {name!r}")
