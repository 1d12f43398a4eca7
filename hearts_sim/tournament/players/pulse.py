"""Memory that a player process shares with who watches it."""

from __future__ import annotations

import mmap
import os
import sys
import tempfile
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hearts_sim.engine.layout import GAME
from hearts_sim.tournament.players.due import place_of

_HEAD: Final = 8
_GAMES, _LOADING, _REASON, _BUILDING = range(4)
_SIZE: Final = 8 * _HEAD + 2 * GAME.itemsize

PLAYING, CHECKING = 0, 1
"""The two games that a process may be at: one of the run, and one of an entry with itself."""


@dataclass(frozen=True)
class Thinking:
    """A decision that a bot is at.

    `game` is `PLAYING` or `CHECKING`, `asked` the count of decisions that tells it from the next
    one; the rest is as in the records of the core.
    """

    game: int
    asked: int
    entry: int
    block: int
    seating: int
    number: int
    key: int

    @property
    def hook(self) -> str:
        """The hook that was called."""
        return place_of(self.key)[1]

    @property
    def place(self) -> str:
        """Where, in words."""
        hand, hook, trick, seat = place_of(self.key)
        return (
            f"block {self.block}, seating {self.seating}, game {self.number}, hand {hand}, "
            + (f"trick {trick}, " if hook == "choose_card" else "")
            + f"seat {seat}"
        )


class Pulse:
    """The shared memory, on either side.

    Parameters
    ----------
    path : str, optional
        File that the other side has made; left out, a new one.

    Attributes
    ----------
    path : str
    games : list of memoryview
        Memory of the record of each game: see `Machine`.
    """

    def __init__(self, path: str | None = None) -> None:
        self._mine = path is None
        if path is not None:
            self.path = path
            self._file = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        elif sys.platform == "linux":
            # Nothing is left of it when both sides are killed.
            self._file = os.memfd_create("hearts-sim")
            self.path = f"/proc/{os.getpid()}/fd/{self._file}"
        else:
            self._file, self.path = tempfile.mkstemp(prefix="hearts-sim-", suffix=".pulse")
        if self._mine:
            os.ftruncate(self._file, _SIZE)
        memory = memoryview(mmap.mmap(self._file, _SIZE))
        if not self._mine:
            os.close(self._file)
        self._head = np.frombuffer(memory[: 8 * _HEAD], np.int64)
        self._records = np.frombuffer(memory[8 * _HEAD :], GAME)
        self.games = [
            memory[8 * _HEAD + place * GAME.itemsize :][: GAME.itemsize] for place in range(2)
        ]

    def remove(self) -> None:
        """Take the file away; the memory stays as long as somebody has it."""
        if self._mine:
            self._mine = False
            os.close(self._file)
            if sys.platform != "linux":
                os.unlink(self.path)

    @property
    def played(self) -> int:
        """Games played in the current task."""
        return int(self._head[_GAMES])

    @played.setter
    def played(self, games: int) -> None:
        self._head[_GAMES] = games

    @property
    def loading(self) -> int | None:
        """Entry that is being loaded or compiled."""
        return int(self._head[_LOADING]) - 1 if self._head[_LOADING] else None

    @loading.setter
    def loading(self, entry: int | None) -> None:
        self._head[_LOADING] = 0 if entry is None else entry + 1

    @property
    def building(self) -> bool:
        """Whether something is compiled now, by whoever: see `engine.building`."""
        return bool(self._head[_BUILDING])

    @building.setter
    def building(self, builds: bool) -> None:
        self._head[_BUILDING] = builds

    @property
    def whole_game(self) -> bool:
        """Whether it is the game's time that is over, not the decision's."""
        return bool(self._head[_REASON])

    def thinking(self) -> Thinking | None:
        """The decision that a bot is at now."""
        for game in (PLAYING, CHECKING):
            record: Any = self._records[game]
            asked = int(record["asked"])
            if asked & 1:
                found = Thinking(
                    game,
                    asked,
                    *(
                        int(record[name])
                        for name in ("asking_entry", "block", "seating", "number", "asking")
                    ),
                )
                if int(record["asked"]) == asked:
                    return found
        return None

    def end_time_of(self, decision: Thinking, *, whole_game: bool) -> None:
        """Say that the time of a decision is over."""
        self._head[_REASON] = whole_game
        self._records[decision.game]["overdue"] = decision.asked

    def overdue(self) -> bool:
        """Whether a bot is at a decision whose time is over."""
        records = self._records
        return bool(((records["asked"] & 1 == 1) & (records["overdue"] == records["asked"])).any())
