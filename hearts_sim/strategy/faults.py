"""What can go wrong with a bot, and what is kept of it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Final

from hearts_sim.errors import StrategyFault

KINDS: Final = (
    "illegal_card",
    "illegal_pass",
    "exception",
    "wrong_type",
    "too_slow",
    "memory",
    "crash",
    "protocol",
    "import_error",
)
"""Kinds of faults; docs/faults.md says what each means."""

HARD: Final = frozenset({"too_slow", "memory", "crash", "protocol"})
"""After a fault of these kinds a bot is not asked again in the game."""

UNREPEATABLE: Final = frozenset({"too_slow", "memory"})
"""Kinds that depend on the machine: a game with one of them is not the same everywhere."""

LONGEST_TEXT: Final = 4000
"""Characters that are kept of an answer, a message or a traceback."""


class BadAnswer(TypeError):
    """A strategy answered with something of the wrong kind."""


class TooSlow(BaseException):
    """Raised inside of a bot whose time is over; no ``except Exception`` catches it."""


class BotCrash(Exception):
    """The process of a bot ended by itself."""


class BotProtocolError(Exception):
    """A bot in a process of its own did not keep to the protocol."""


class RemoteError(Exception):
    """An exception that a strategy raised in a process of its own.

    Parameters
    ----------
    kind : str
        Name of its type.
    text : str
        What it said.
    frames : str
        Its traceback as text, without the frames that are not the bot's.
    """

    def __init__(self, kind: str, text: str, frames: str) -> None:
        super().__init__(f"{kind}: {text}" if text else kind)
        self.kind = kind
        self.text = text
        self.frames = frames


@dataclass(frozen=True)
class Fault:
    """A decision that failed.

    Attributes
    ----------
    strategy : str
        Name of the entry.
    kind : str
        One of `KINDS`.
    hook : str
        The hook that was called, such as ``choose_card``.
    block, seating, game, hand, trick, seat : int
        Where; trick is 0 for all hooks but ``choose_card``, hand is 0 before the first deal.
    given : str
        What the bot saw, in a line; empty where it decides nothing.
    answer : str
        What it answered, as text; empty when it did not answer.
    message : str
        What went wrong, in a sentence without its place.
    traceback : str
        Frames of the exception, if there was one.
    file : str
        Where the bot comes from.
    """

    strategy: str
    kind: str
    hook: str
    block: int
    seating: int
    game: int
    hand: int
    trick: int
    seat: int
    given: str
    answer: str
    message: str
    traceback: str
    file: str

    @property
    def place(self) -> str:
        """Where, in words."""
        return (
            f"block {self.block}, seating {self.seating}, game {self.game}, hand {self.hand}, "
            + (f"trick {self.trick}, " if self.hook == "choose_card" else "")
            + f"seat {self.seat}"
        )

    def error(self) -> StrategyFault:
        """The fault as an error that stops a run."""
        message = f"{self.strategy} failed in {self.hook} ({self.place}): {self.message}"
        if self.given:
            message += f"\n  {self.given}"
        message += f"\n  in {self.file}"
        message += "".join(f"\n  {line}" for line in self.traceback.splitlines())
        return StrategyFault(message)


def shown(answer: object) -> str:
    """What a bot answered, whose representation may itself be wrong; of something huge its size."""
    kind = type(answer).__name__
    with contextlib.suppress(BaseException):
        if isinstance(answer, list | tuple | set | frozenset | dict) and len(answer) > LONGEST_TEXT:
            return f"a {kind} of {len(answer):,} items"
    try:
        return clipped(repr(answer))
    except BaseException as error:
        return f"a {kind} that cannot be shown ({type(error).__name__})"


def clipped(text: str) -> str:
    """A text that is not longer than what is kept of one."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[: LONGEST_TEXT - 40]} ... ({len(text):,} characters)"
