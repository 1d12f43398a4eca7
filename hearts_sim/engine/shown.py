"""Memory that is written on one side and can only be read on the other."""

from __future__ import annotations

import mmap
import os
import sys
import tempfile


def written_and_shown(size: int) -> tuple[memoryview, memoryview]:
    """Two views of the same new memory, of which the second cannot be written to.

    Not even what lies under the second one can: the processor refuses it.

    Parameters
    ----------
    size : int
        In bytes.
    """
    if sys.platform == "linux":
        file = os.memfd_create("hearts-sim")
    else:
        file, path = tempfile.mkstemp(prefix="hearts-sim-")
    try:
        os.ftruncate(file, size)
        written = mmap.mmap(file, size)
        shown = mmap.mmap(file, size, access=mmap.ACCESS_READ)
    finally:
        os.close(file)
        if sys.platform not in ("linux", "win32"):
            os.unlink(path)
    return memoryview(written), memoryview(shown)
