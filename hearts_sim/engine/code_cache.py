"""Where the machine code of the compiled core is kept; needs no numba.

Numba does not notice that a helper in another file was edited, so every state of the sources has a
cache folder of its own, named by a digest over them.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path


@cache
def engine_digest() -> str:
    """Digest over the engine's sources and the versions that its machine code depends on."""
    digest = hashlib.sha256(
        f"{version('numba')} {version('numpy')} {sys.version_info[:2]}".encode()
    )
    here = Path(__file__).parent
    above = (here.parent / "cards.py", here.parent / "rules" / "values.py")
    for path in sorted([*here.glob("*.py"), *above]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def search_digest() -> str:
    """Digest over what bots that look ahead share, which their machine code takes in."""
    digest = hashlib.sha256()
    for path in sorted((Path(__file__).parents[1] / "search").glob("*.py")):
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


def is_compiled() -> bool:
    """Whether the engine's machine code is in the cache already."""
    folder = cache_root() / engine_digest()
    return folder.exists() and any(folder.rglob("game.play_games*.nbc"))
