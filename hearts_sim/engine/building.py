"""Compiling: who waits for it can be told, and what only few games need is left until then.

It happens once on a machine and takes minutes, which are no player's time.
"""

from __future__ import annotations

from collections.abc import Callable

_told: list[Callable[[bool], None]] = []
_for_kitties: list[Callable[[], object]] = []
_depth = 0


def tell(told: Callable[[bool], None]) -> None:
    """Call a function with True when something begins to be compiled, and with False after it."""
    _told.append(told)


def begins() -> None:
    """Something is compiled from now on, or read from where it is kept; within it, more may be."""
    global _depth
    _depth += 1
    if _depth == 1:
        for told in _told:
            told(True)


def ends() -> None:
    """What began last is done."""
    global _depth
    _depth -= 1
    if _depth == 0:
        for told in _told:
            told(False)


def leave_for_kitties(build: Callable[[], object]) -> None:
    """Leave something until a game with a kitty needs it."""
    _for_kitties.append(build)


def build_for_kitties() -> None:
    """Build all that was left for games with a kitty, in the order in which it was defined."""
    for build in _for_kitties:
        build()
