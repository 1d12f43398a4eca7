"""A player process: it does one task after the other, as it is told through its standard input.

Its standard output is for answers, so it is taken away before a bot could print there.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hearts_sim.engine import building
from hearts_sim.errors import HeartsError
from hearts_sim.strategy.faults import TooSlow
from hearts_sim.strategy.loader import Library, load_files
from hearts_sim.strategy.streams import take_streams
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.players.due import SpoiltProcess
from hearts_sim.tournament.players.messages import (
    DONE,
    RAISED,
    SPOILT,
    read_message,
    too_slow,
    write_message,
)
from hearts_sim.tournament.players.pulse import Pulse


def main() -> None:
    """Do tasks until the other side is gone."""
    pipes = take_streams()
    requests, answers = os.fdopen(pipes[0], "rb"), os.fdopen(pipes[1], "wb")
    _, parent, *ahead = sys.argv
    del sys.argv[1:]
    _end_with(int(parent))
    if ahead:
        _import_tasks()
    try:
        pulse = Pulse(read_message(requests))
    except EOFError:
        return
    building.tell(lambda builds: setattr(pulse, "building", builds))
    if hasattr(signal, "SIGUSR2"):
        signal.signal(signal.SIGUSR2, lambda number, frame: _interrupt(pulse))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task, limits, arguments = read_message(requests)
        except EOFError:
            if _loaded:
                _tasks(pulse).forget_player()
            return
        write_message(answers, _answer(pulse, task, limits, arguments))


def _answer(
    pulse: Pulse, task: str, limits: FaultRules, arguments: tuple[Any, ...]
) -> tuple[str, Any]:
    _limits[:] = [limits.decision_seconds, limits.game_seconds]
    try:
        if task == "survey":
            return DONE, _survey(pulse, *arguments)
        return DONE, getattr(_tasks(pulse), task)(*arguments)
    except SpoiltProcess as spoilt:
        return SPOILT, spoilt.due
    except HeartsError as error:
        return RAISED, error
    except Exception as error:
        error.add_note("(in a player process)")
        return RAISED, error


_loaded: list[Any] = []


def _import_tasks() -> Any:
    """The module of tasks, which takes a while to import: for a survey nobody needs it."""
    from hearts_sim.tournament.players import tasks

    return tasks


def _tasks(pulse: Pulse) -> Any:
    if not _loaded:
        _loaded.append(_import_tasks())
        _loaded[0].be_watched(pulse)
    return _loaded[0]


def _survey(pulse: Pulse, files: Sequence[str], barred: Mapping[str, str]) -> Library:
    """Import strategy files and tell what they hold; see `loader.load_files`."""

    def entering(place: int) -> None:
        pulse.loading = place

    try:
        return load_files(files, entering, barred).told()
    finally:
        pulse.loading = None


_limits: list[float | None] = [None, None]


def _interrupt(pulse: Pulse) -> None:
    """Stop the bot that is at a decision for too long; if it has answered meanwhile, do nothing."""
    if pulse.overdue():
        whole_game = pulse.whole_game
        raise TooSlow(too_slow(_limits[whole_game], whole_game))


def _end_with(parent: int) -> None:
    """End when the parent is gone, even in the middle of a game."""
    if sys.platform == "linux":
        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
    threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
