"""Whether the memory of a strategy grows from game to game."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from hearts_sim.testing.source import Source

Growth = tuple[str, tuple[str, int]] | tuple[()]
"""What is said of it with file and line, or nothing."""

_LEAK_PER_GAME: Final = 100
_LEAK_OF_PROCESS: Final = 16 << 20


def growth(play: Callable[[], None], games: int, source: Source, *, traced: bool) -> Growth | None:
    """Whether memory grows while games are played; None where that cannot be seen.

    Parameters
    ----------
    play : callable
        Plays `games` games, each time others.
    traced : bool
        Whether the objects of Python are looked at, or the memory of the process.
    """

    def play_and_tidy() -> None:
        play()
        gc.collect()

    gc.freeze()  # what is there already need not be looked at each time
    try:
        play_and_tidy()
        if not traced:
            return _process_grows(play_and_tidy)
        if _blocks_grow(play_and_tidy, games):
            return _traced(play_and_tidy, games, source)
        return ()
    finally:
        gc.unfreeze()


def _traced(play: Callable[[], None], games: int, source: Source) -> Growth:
    """The line that keeps most of what its games allocate, if that grows twice in a row."""

    def owned(trace: Any) -> tuple[str, int] | None:
        for frame in reversed(trace):
            if source.owns(frame.filename):
                return source.shown(frame.filename), frame.lineno
        return None

    def by_line() -> dict[tuple[str, int], int]:
        sizes: dict[tuple[str, int], int] = {}
        for statistic in tracemalloc.take_snapshot().statistics("traceback"):
            place = owned(statistic.traceback)
            if place:
                sizes[place] = sizes.get(place, 0) + statistic.size
        return sizes

    tracemalloc.start(6)
    try:
        play()
        first = by_line()
        play()
        second = by_line()
        play()
        third = by_line()
    finally:
        tracemalloc.stop()
    grown = {
        place: (size - first.get(place, 0)) / (2 * games)
        for place, size in third.items()
        if min(size - second.get(place, 0), second.get(place, 0) - first.get(place, 0)) > 0
    }
    total = sum(grown.values())
    if total < _LEAK_PER_GAME:
        return ()
    worst = max(grown, key=lambda place: grown[place])
    return (
        f"keeps about {total:,.0f} bytes more with every game, most of it allocated here: "
        "what is kept in the class or the module is never given back",
        worst,
    )


def _blocks_grow(play: Callable[[], None], games: int) -> bool:
    """Whether there are more objects with every game; cheap, where tracing them is dear."""
    numbers = [sys.getallocatedblocks()]
    for _ in range(2):
        play()
        numbers.append(sys.getallocatedblocks())
    return min(numbers[2] - numbers[1], numbers[1] - numbers[0]) >= games


def _process_grows(play: Callable[[], None]) -> Growth | None:
    """Whether the memory of the whole process grows; None where that cannot be seen."""
    before = _resident()
    if not before:
        return None
    play()
    middle = _resident()
    play()
    after = _resident()
    if min(after - middle, middle - before) < _LEAK_OF_PROCESS:
        return ()
    return f"its process grew by {(after - before) >> 20} MiB in a few games", ("", 0)


def _resident() -> int:
    """Resident memory of this process in bytes; 0 where it cannot be read."""
    if sys.platform != "linux":
        return 0
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
