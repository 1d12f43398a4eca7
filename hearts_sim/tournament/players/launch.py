"""Starting a player process; light, so that it can begin while its parent still imports."""

from __future__ import annotations

import os
import subprocess
import uuid
from dataclasses import dataclass
from typing import Any, Final

from hearts_sim.strategy.streams import python_command

MARK: Final = "HEARTS_SIM_PLAYER"
"""Variable of its environment by which what it has started is known."""


@dataclass(frozen=True)
class Launched:
    """A process that waits to be told what it is for.

    `mark` is its value of `MARK`.
    """

    process: subprocess.Popen[Any]
    mark: str


_early: list[Launched] = []


def launch(ahead: bool = True) -> Launched:
    """Start a process; `ahead` is whether it imports at once what it needs to play."""
    mark = uuid.uuid4().hex
    # In a session of its own, so that Ctrl-C is for its parent alone.
    process: subprocess.Popen[Any] = subprocess.Popen(
        python_command(
            "hearts_sim.tournament.players.playing", str(os.getpid()), *(["ahead"] if ahead else [])
        ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, MARK: mark},
        start_new_session=True,
    )
    return Launched(process, mark)


def launch_early() -> None:
    """Start the process that is taken next."""
    _early.append(launch())


def take(ahead: bool = True) -> Launched:
    """A process that was started early, or a new one."""
    return _early.pop() if _early and ahead else launch(ahead)
