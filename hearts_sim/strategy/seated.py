"""An entry as it is seated at a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from hearts_sim.strategy.base import CompiledStrategy, Strategy

Starting = Callable[[Any], AbstractContextManager[None]]
"""A context for the time in which a bot's own process is started."""


@dataclass(frozen=True)
class Seated:
    """A bot under a name, with its options.

    One of `strategy`, `command` and `library` says what plays.

    Attributes
    ----------
    strategy : class, or an instance of a plain one
        A strategy in Python.
    digest, file : str
        Digest of the source, and the file for messages; those of a class made in a session say so.
    isolate : {"shared", "process"}
        Whether a strategy in Python plays in a process of its own.
    command : tuple of str
        Program and arguments of a bot that speaks JSON lines.
    keep : {"run", "game"}
        How long a program is kept: for the run, or started once per game.
    folder : str
        Working folder of the command.
    library, symbol : str
        Shared library and the name of the function in it.
    """

    name: str
    strategy: type[Strategy] | type[CompiledStrategy] | Strategy | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    digest: str = "session"
    file: str = "a class made in Python"
    isolate: str = "shared"
    command: tuple[str, ...] = ()
    keep: str = "run"
    folder: str = ""
    library: str = ""
    symbol: str = ""
