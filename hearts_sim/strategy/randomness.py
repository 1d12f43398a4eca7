"""A seat's random stream as a `random.Random`."""

from __future__ import annotations

import random
from typing import Any

_MASK = (1 << 64) - 1


class SeatRandom(random.Random):
    """``random.Random`` that draws from the seat's own stream (xoroshiro128++).

    All methods of ``random.Random`` work. The stream is keyed by the run's seed, the block, the
    hand and the seat, so `seed` and `setstate` are refused: set in a bot, they would make its
    games depend on each other.

    Parameters
    ----------
    state : writable buffer of two uint64
    """

    def __new__(cls, state: Any) -> SeatRandom:
        return super().__new__(cls)

    def __init__(self, state: Any) -> None:
        self._state = memoryview(state).cast("B").cast("Q")
        self.gauss_next = None

    def _word(self) -> int:
        state = self._state
        first = state[0]
        second = state[1]
        total = (first + second) & _MASK
        word = ((total << 17 | total >> 47) + first) & _MASK
        second ^= first
        state[0] = ((first << 49 | first >> 15) ^ second ^ (second << 21)) & _MASK
        state[1] = (second << 28 | second >> 36) & _MASK
        return word

    def random(self) -> float:
        """Number from 0 up to 1, in steps of 2**-53."""
        return (self._word() >> 11) * 2.0**-53

    def getrandbits(self, k: int) -> int:
        """Number of `k` random bits."""
        if k < 0:
            raise ValueError("number of bits must not be negative")
        word, have = 0, 0
        while have < k:
            word |= self._word() << have
            have += 64
        return word >> (have - k)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Refused: the stream belongs to the run."""
        raise NotImplementedError("the seat's stream is seeded by the run; use random.Random(...)")

    def getstate(self) -> Any:
        """The two words of the generator."""
        return tuple(self._state)

    def setstate(self, state: Any) -> None:
        """Refused: the stream belongs to the run."""
        raise NotImplementedError("the seat's stream is seeded by the run; use random.Random(...)")
