"""A limit of memory for the bots that share a player process. Linux only; elsewhere none."""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Iterator
from typing import Final

_MEGABYTE: Final = 1 << 20


class MemoryLimit:
    """What may be allocated beyond what the process has when its bots begin to play.

    Parameters
    ----------
    megabytes : int or None
        In units of 2**20 bytes; None for no limit.
    """

    def __init__(self, megabytes: int | None) -> None:
        self.bytes = None if sys.platform != "linux" or megabytes is None else megabytes * _MEGABYTE
        self._base: int | None = None
        self._resident = 0

    @contextlib.contextmanager
    def held(self, spare: int) -> Iterator[None]:
        """Hold the limit; `spare` bytes are for what is not the bots'."""
        if self.bytes is None:
            yield
            return
        if self._base is None:
            self._base, self._resident = _size("VmData"), _size("VmRSS")
        with _data_limit(self._base + self.bytes + spare):
            yield

    @contextlib.contextmanager
    def lifted(self) -> Iterator[None]:
        """Lift the limit, to say what happened."""
        if self.bytes is None:
            yield
            return
        with _data_limit(None):
            yield

    @property
    def is_short(self) -> bool:
        """Whether more than half of what may be allocated is in use."""
        if self.bytes is None or self._base is None:
            return False
        with contextlib.suppress(AttributeError, OSError):
            # What is free already is given back, so that it does not count.
            ctypes.CDLL(None).malloc_trim(0)
        return _size("VmRSS") > self._resident + self.bytes // 2


@contextlib.contextmanager
def _data_limit(most: int | None) -> Iterator[None]:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = hard if most is None else most
    if most is not None and hard != resource.RLIM_INFINITY:
        wanted = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _size(name: str) -> int:
    """A size of the process in bytes: VmData is what RLIMIT_DATA counts."""
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) << 10
    return 0
