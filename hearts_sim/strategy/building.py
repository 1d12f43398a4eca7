"""Compiling what players share: who waits is told, and what few games need is left until then.

It happens once on a machine and takes minutes, which are no player's time to think.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_told: list[Callable[[bool], None]] = []
_for_kitties: list[Callable[[], object]] = []


def tell(told: Callable[[bool], None]) -> None:
    """Call a function with True when something begins to be compiled, and with False after it."""
    _told.append(told)


@contextmanager
def building() -> Iterator[None]:
    """While it holds, something is compiled, or read from where it is kept."""
    for told in _told:
        told(True)
    try:
        yield
    finally:
        for told in _told:
            told(False)


def leave_for_kitties(build: Callable[[], object]) -> None:
    """Leave something until a game with a kitty needs it."""
    _for_kitties.append(build)


def build_for_kitties() -> None:
    """Build all that was left for games with a kitty, in the order in which it was defined."""
    for build in _for_kitties:
        build()
