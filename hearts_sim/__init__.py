"""hearts-sim: tournaments between strategies for the card game Hearts."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from hearts_sim.api import load, play_game, run, sweep
    from hearts_sim.cards import Card, CardSet
    from hearts_sim.engine.table import Table
    from hearts_sim.rules import Rules
    from hearts_sim.strategy.base import CompiledStrategy, Strategy

# Where each public name lives. They are imported when first used, so that importing the package is
# cheap and numba comes with the first game.
_PUBLIC = {
    "Card": "hearts_sim.cards",
    "CardSet": "hearts_sim.cards",
    "CompiledStrategy": "hearts_sim.strategy.base",
    "Rules": "hearts_sim.rules",
    "Strategy": "hearts_sim.strategy.base",
    "Table": "hearts_sim.engine.table",
    "load": "hearts_sim.api",
    "play_game": "hearts_sim.api",
    "run": "hearts_sim.api",
    "sweep": "hearts_sim.api",
}

__all__ = [
    "Card",
    "CardSet",
    "CompiledStrategy",
    "Rules",
    "Strategy",
    "Table",
    "__version__",
    "load",
    "play_game",
    "run",
    "sweep",
]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'hearts_sim' has no attribute {name!r}")
