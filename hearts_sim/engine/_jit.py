"""How the compiled core is compiled and where its machine code is kept.

Numba does not notice that a helper in another file was edited, so every state of the sources has a
cache folder of its own, named by a digest over them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import njit
from numba.extending import intrinsic as _intrinsic

# Without a type: what it makes is called with other arguments than it is written with.
intrinsic: Any = _intrinsic
_config: Any = numba.config

_KEPT_FOLDERS = 40


@cache
def engine_digest() -> str:
    """Digest over the engine's sources and the versions that its machine code depends on."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version_info[:2]}".encode())
    here = Path(__file__).parent
    above = (here.parent / "cards.py", here.parent / "rules" / "values.py")
    for path in sorted([*here.glob("*.py"), *above]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_root() -> Path:
    """Folder below which machine code is kept.

    Below NUMBA_CACHE_DIR when that is set, otherwise in the user's cache folder; when that cannot
    be written, in the temporary folder, and one line on stderr says so.
    """
    given = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    root = (Path(given) if given else Path.home() / ".cache") / "hearts-sim" / "compiled"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError as error:
        user = os.getuid() if hasattr(os, "getuid") else "user"
        spare = Path(tempfile.gettempdir()) / f"hearts-sim-{user}" / "compiled"
        spare.mkdir(parents=True, exist_ok=True)
        print(f"hearts-sim: compiled code is kept in {spare}, since {error}", file=sys.stderr)
        return spare


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


def is_compiled() -> bool:
    """Whether the engine's machine code is in the cache already."""
    folder = cache_root() / engine_digest()
    return folder.exists() and any(folder.rglob("game.play_games*.nbc"))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of the engine when it is first called, and keep the machine code."""
    with cache_folder():
        return njit(cache=True, error_model="numpy")(function)


def inlined(function: Callable[..., Any]) -> Any:
    """As `kernel`, for the few small functions on the way of every card."""
    with cache_folder():
        return njit(cache=True, error_model="numpy", forceinline=True)(function)
