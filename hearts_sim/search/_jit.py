"""Compiling what searches, with machine code that is kept as long as no source changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from hearts_sim.engine._jit import cache_folder
from hearts_sim.engine.code_cache import search_digest


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, and keep the machine code."""
    with cache_folder(search_digest()):
        return njit(cache=True, error_model="numpy")(function)


def inlined(function: Callable[..., Any]) -> Any:
    """As `kernel`, for small functions on the way of every card."""
    with cache_folder(search_digest()):
        return njit(cache=True, error_model="numpy", forceinline=True)(function)
