"""Records at an address that only what looks ahead needs."""

from __future__ import annotations

from typing import Any

from numba import carray  # type: ignore[attr-defined]

from hearts_sim.engine.layout import WIDE_RULES
from hearts_sim.engine.memory import _pointer
from hearts_sim.search._jit import inlined


@inlined
def wide_rules_at(address: int) -> Any:
    """The `WIDE_RULES` record at an address: for playouts of games with a kitty."""
    return carray(_pointer(address), 1, WIDE_RULES)[0]
