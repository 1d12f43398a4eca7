"""How the compiled core is compiled; `code_cache` says where its machine code is kept."""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.extending import intrinsic as _intrinsic

from hearts_sim.engine import building
from hearts_sim.engine.code_cache import cache_root, engine_digest

# Without a type: what it makes is called with other arguments than it is written with.
intrinsic: Any = _intrinsic
_config: Any = numba.config

_KEPT_FOLDERS = 40


def _scipy_can_wait() -> None:
    """Load numba's array functions without its look for scipy's linear algebra.

    Numba looks whether scipy is there by importing ``scipy.linalg``, which takes longer than numba
    itself; ours is, and a bot that multiplies matrices still imports it when it is compiled.
    """
    linalg: Any = importlib.import_module("numba.np.linalg")
    look = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


def _tell_of_compiling() -> None:
    """Let `building` know when numba's compiler has something to do."""
    events: Any = importlib.import_module("numba.core.event")

    class Listener(events.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            building.begins()

        def on_end(self, event: Any) -> None:
            building.ends()

    events.register("numba:compiler_lock", Listener())


with suppress(ImportError, AttributeError):  # where another numba has other modules
    _scipy_can_wait()
with suppress(ImportError, AttributeError):
    _tell_of_compiling()


@contextmanager
def cache_folder(*parts: str) -> Iterator[Path]:
    """While it holds, functions that numba is told to cache go to the folder of these digests."""
    folder = cache_root() / "-".join((engine_digest(), *parts))
    fresh = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    if fresh:
        _forget_old(folder)
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder)
    try:
        yield folder
    finally:
        _config.CACHE_DIR = before


def _forget_old(newest: Path) -> None:
    """Keep the folders used last; one that another process deletes meanwhile is no matter.

    Those of the engine (no digest of a bot in the name) and those of bots are counted apart.
    """
    for of_bots in (False, True):
        try:
            folders = [
                path
                for path in newest.parent.iterdir()
                if path.is_dir() and ("-" in path.name) == of_bots
            ]
            folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
            for folder in folders[_KEPT_FOLDERS:]:
                if folder != newest and folder.name != engine_digest():
                    shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of the engine when it is first called, and keep the machine code."""
    with cache_folder():
        return njit(cache=True, error_model="numpy")(function)


def inlined(function: Callable[..., Any]) -> Any:
    """As `kernel`, for the few small functions on the way of every card."""
    with cache_folder():
        return njit(cache=True, error_model="numpy", forceinline=True)(function)
