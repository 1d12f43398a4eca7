"""The system's limit on what a process may write to privately. Linux only; elsewhere there is none.

See getrlimit(2), RLIMIT_DATA: since Linux 4.7 it counts all private writable memory, which
/proc/PID/status calls VmData.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator


def size(name: str = "VmData") -> int:
    """A size of this process in bytes, by its name in proc(5)."""
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) << 10
    return 0


@contextlib.contextmanager
def data_limit(most: int | None) -> Iterator[None]:
    """Hold a limit of so many bytes; None lifts what is held now."""
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard if most is None else within(most, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def within(most: int, hard: int) -> int:
    """A limit that is not above the one that nobody may raise."""
    import resource

    return most if hard == resource.RLIM_INFINITY else min(most, hard)
