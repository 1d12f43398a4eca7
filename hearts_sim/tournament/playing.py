"""A player process: it does one task after the other, as it is told through its standard input.

Its standard output is for answers, so it is taken away before a bot could print there.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import struct
import sys
import threading
import time
from typing import Any, BinaryIO, Final

from hearts_sim.errors import HeartsError
from hearts_sim.strategy.faults import TooSlow
from hearts_sim.strategy.streams import take_streams
from hearts_sim.tournament import tasks
from hearts_sim.tournament.judge import SpoiltProcess
from hearts_sim.tournament.pulse import Pulse

_LENGTH: Final = struct.Struct("<Q")
MOST_BYTES: Final = 1 << 36
"""A longer message is none: something else wrote to the pipe."""

DONE, RAISED, SPOILT = "done", "raised", "spoilt"


def write_message(stream: BinaryIO, message: Any) -> None:
    """Write a message to the other side.

    Raises
    ------
    OSError
        When the other side is gone.
    """
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_message(stream: BinaryIO) -> Any:
    """Read a message of the other side.

    Raises
    ------
    EOFError
        When the other side is gone, or what came is no message.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    if length > MOST_BYTES:
        raise EOFError("no message")
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def main() -> None:
    """Do tasks until the other side is gone."""
    pipes = take_streams()
    requests, answers = os.fdopen(pipes[0], "rb"), os.fdopen(pipes[1], "wb")
    parent, pulse_path = read_message(requests)
    _end_with(parent)
    pulse = Pulse(pulse_path)
    tasks.be_watched(pulse)
    if hasattr(signal, "SIGUSR2"):
        signal.signal(signal.SIGUSR2, lambda number, frame: _interrupt(pulse))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task, arguments = read_message(requests)
        except EOFError:
            tasks.forget_player()
            return
        write_message(answers, _answer(task, arguments))


def _answer(task: str, arguments: tuple[Any, ...]) -> tuple[str, Any]:
    limits = arguments[0].faults
    _limits[:] = [limits.decision_seconds, limits.game_seconds]
    try:
        return DONE, getattr(tasks, task)(*arguments)
    except SpoiltProcess as spoilt:
        return SPOILT, spoilt.due
    except HeartsError as error:
        return RAISED, error
    except Exception as error:
        error.add_note("(in a player process)")
        return RAISED, error


_limits: list[float | None] = [None, None]


def _interrupt(pulse: Pulse) -> None:
    """Stop the bot that is at a decision for too long; if it has answered meanwhile, do nothing."""
    if pulse.overdue():
        whole_game = pulse.whole_game
        raise TooSlow(too_slow(_limits[whole_game], whole_game))


def too_slow(seconds: float | None, whole_game: bool) -> str:
    """What is said of a bot whose time is over."""
    if whole_game:
        return f"it thought for longer than {seconds:g} s in this game (game_seconds)"
    return f"it thought for longer than {seconds:g} s (decision_seconds)"


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
