"""A limit of memory for the bots that share a player process. Linux only; elsewhere none."""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Iterator
from typing import Final

from hearts_sim.strategy.data_limit import data_limit, size

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
            self._base, self._resident = size(), size("VmRSS")
        with data_limit(self._base + self.bytes + spare):
            yield

    @contextlib.contextmanager
    def lifted(self) -> Iterator[None]:
        """Lift the limit, to say what happened."""
        if self.bytes is None:
            yield
            return
        with data_limit(None):
            yield

    @property
    def is_short(self) -> bool:
        """Whether more than half of what may be allocated is in use."""
        if self.bytes is None or self._base is None:
            return False
        with contextlib.suppress(AttributeError, OSError):
            # What is free already is given back, so that it does not count.
            ctypes.CDLL(None).malloc_trim(0)
        return size("VmRSS") > self._resident + self.bytes // 2
