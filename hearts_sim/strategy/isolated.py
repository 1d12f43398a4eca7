"""Strategies in Python that play in a process of their own.

As with a strategy in this process, the core calls an address; the function behind it sends the view
to the process and waits for the answer. What the strategy does there to its memory, to its files or
to the interpreter does not reach this process, and no hand but its own reaches the strategy.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hearts_sim.engine.layout import CARD, HOOKS, MOON, OWN, PASS, START_GAME, VIEW
from hearts_sim.errors import StrategyLoadError
from hearts_sim.strategy.base import CompiledStrategy, has_hook
from hearts_sim.strategy.faults import (
    BadAnswer,
    BotCrash,
    BotProtocolError,
    RemoteError,
    TooSlow,
    clipped,
)
from hearts_sim.strategy.host import (
    ANSWER,
    ANSWERED,
    FAILED,
    LENGTH,
    LOADING,
    MOST_BYTES,
    REQUEST_BYTES,
    VALUE,
    VIEW_BYTES,
)
from hearts_sim.strategy.process import BotProcess
from hearts_sim.strategy.seated import Seated, Starting
from hearts_sim.strategy.streams import python_command

if TYPE_CHECKING:
    from hearts_sim.engine.machine import Machine

_HOOK = ctypes.CFUNCTYPE(ctypes.c_int64)


def _word(name: str) -> int:
    return int(VIEW.fields[name][1]) // 8  # type: ignore[index]


_ANSWER, _ANSWER_TWICE = _word("answer"), _word("answer_twice")
_OWN, _RULES = _word("own"), _word("rules")
_STREAM, _NUMBER = VIEW_BYTES // 8, REQUEST_BYTES // 8 - 1
_STATUSES = (FAILED, ANSWERED)
_SIGNALS = (TooSlow, KeyboardInterrupt)
_NOT_OURS = (
    "something else than answers is in the pipe of its process, which belongs to hearts-sim: a "
    "strategy prints, and writes to the files that it has opened itself"
)


class _Shown(str):
    """A text that stands for an answer that stayed in the other process."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class IsolatedPlayer:
    """A strategy of a file at a machine, on one seat at a time, in a process of its own.

    The process is started with the first game, and again with the next game after it has failed: it
    crashed, ran out of memory or time, or wrote what is no answer. After an exception it lives on.
    What a class keeps for itself is kept as long as its process lives.

    Parameters
    ----------
    seated : Seated
        With a `strategy` that is a class of the file `file`.
    machine : Machine
    memory_mb : int, optional
        Memory that the strategy may have, beyond what Python and this package take, in units of
        2**20 bytes.
    starting : callable
        Called with this when its process is started: a context for the time that takes.

    Attributes
    ----------
    own, error, answer
        As of every `SeatPlayer`; of an answer there is its text.

    Raises
    ------
    StrategyLoadError
        When it is no class of a file, or its options cannot be sent to a process.
    """

    compiled = 0
    card_function = 0

    def __init__(
        self,
        seated: Seated,
        machine: Machine,
        memory_mb: int | None = None,
        starting: Starting = contextlib.nullcontext,
    ) -> None:
        self.seated = seated
        self._starting = starting
        self.memory_mb = memory_mb
        self.own = np.zeros(1, OWN)
        self.error: BaseException | None = None
        self.answer: Any = None
        self._orders = _orders(seated, machine, memory_mb)
        self._process: BotProcess | None = None
        self._number = 0
        self._busy = False
        self._view_words = machine.words
        self._view_bytes = memoryview(machine.words).cast("B")
        self._request = bytearray(REQUEST_BYTES)
        self._bytes = memoryview(self._request)
        self._words = self._bytes.cast("q")
        self._own_stream = memoryview(self.own["rng"][0])
        self._own_bytes = self._own_stream.cast("B")
        strategy: Any = seated.strategy
        # Kept alive for as long as the core may call them.
        self._callbacks = {
            hook: _HOOK(self._make(call))
            for call, hook in enumerate(HOOKS)
            if hook == "start_game" or has_hook(strategy, hook)
        }

    def addresses(self) -> list[int]:
        """Address of each hook, 0 where the strategy has none."""
        return [
            ctypes.cast(self._callbacks[hook], ctypes.c_void_p).value or 0
            if hook in self._callbacks
            else 0
            for hook in HOOKS
        ]

    def start(self) -> None:
        """Start the process and load the strategy, unless it runs.

        Raises
        ------
        StrategyLoadError
            When it cannot be started or loaded there.
        RemoteError, BotCrash, BotProtocolError
            For what happens there while it is loaded; as an exception in `prepare`.
        """
        if self._busy:
            self.close()
        if self._process is not None:
            return
        self._number = 0
        started: list[BotProcess] = []
        try:
            with self._starting(self):
                self._process = BotProcess(
                    python_command("hearts_sim.strategy.host"),
                    memory_mb=None if sys.platform == "linux" else self.memory_mb,
                    holder=started,
                )
                self._exchange(self._process, LENGTH.pack(len(self._orders)) + self._orders)
        except BaseException:
            for process in started:
                process.kill()
            self.close()
            raise

    def close(self) -> None:
        """End the process with all that it has started; the next game starts another."""
        if self._process is not None:
            self._process.kill()
            self._process = None
        self._busy = False

    def _make(self, call: int) -> Callable[[], int]:
        begins = call == START_GAME
        answers = call in (PASS, CARD, MOON)
        passes = call == PASS
        words = self._view_words

        def hook() -> int:
            failed: BaseException | None = None
            try:
                # A signal may come again and again, and the process must have ended before that.
                while True:
                    try:
                        if failed is not None:
                            self._fail(failed)
                            return FAILED
                        if begins:
                            self.start()
                        answer, twice = self._ask()
                        if answers:
                            words[_ANSWER] = answer
                        if passes:
                            words[_ANSWER_TWICE] = twice
                        return ANSWERED
                    except BaseException as error:
                        if failed is not None and not isinstance(error, _SIGNALS):
                            raise
                        failed = error
            except BaseException as error:
                # Here nothing is called, so that Python runs no handler, which could raise again.
                self.error = error
                return FAILED

        return hook

    def _fail(self, error: BaseException) -> None:
        """Keep what was raised; end the process if it may be in the middle of something."""
        self.error = error
        if self._busy or isinstance(error, _SIGNALS):
            self.close()

    def _ask(self) -> tuple[int, int]:
        """Send what the view shows, and wait for the answer: its two words."""
        self.answer = None
        if self._process is None:
            raise BotCrash("it does not run since it failed; it is started with the next game")
        self._number += 1
        words = self._words
        self._bytes[:VIEW_BYTES] = self._view_bytes
        # Addresses of this process are of no use there, and nothing that a bot should know.
        words[_OWN] = words[_RULES] = 0
        self._bytes[VIEW_BYTES : VIEW_BYTES + 16] = self._own_bytes
        words[_NUMBER] = self._number
        return self._exchange(self._process, bytes(self._request))

    def _exchange(self, process: BotProcess, data: bytes) -> tuple[int, int]:
        self._busy = True
        try:
            process.send(data)
            head = ANSWER.unpack(process.read_exactly(ANSWER.size))
            number, status, answer, twice, first, second, length = head
            if number != self._number or status not in _STATUSES or not 0 <= length <= MOST_BYTES:
                raise BotProtocolError(_NOT_OURS)
            texts = _texts(process.read_exactly(length)) if length or status == FAILED else {}
        except BotCrash as error:
            if self.memory_mb is None:
                raise
            raise BotCrash(f"its memory was limited to {self.memory_mb} MiB, and {error}") from None
        if number:
            self._own_stream[0], self._own_stream[1] = first, second
        if texts:
            self.answer = _Shown(texts["answer"])
        if status == FAILED:
            failure = _failure(texts)
            # Whoever lacks memory cannot be relied on; after other failures the process plays on.
            self._busy = isinstance(failure, RemoteError) and failure.kind == "MemoryError"
            raise failure
        self._busy = False
        return answer, twice


def _orders(seated: Seated, machine: Machine, memory_mb: int | None) -> bytes:
    """What the process must know to play, as `host` takes it."""
    strategy, file = seated.strategy, Path(seated.file)
    if not isinstance(strategy, type) or seated.digest == "session" or not file.is_file():
        raise StrategyLoadError(
            f"{seated.name}: isolate: process needs a strategy that is a class in a file, since "
            f"its process imports it from there; this is {seated.file}"
        )
    orders = {
        "file": str(file.resolve()),
        "where": seated.file,
        "name": strategy.__name__,
        "digest": seated.digest,
        "compiled": issubclass(strategy, CompiledStrategy),
        "memory_mb": memory_mb,
        "options": dict(seated.options),
        "rules": machine.rules.settings(),
    }
    try:
        return pickle.dumps(orders)
    except Exception as error:
        raise StrategyLoadError(
            f"{seated.name}: its options cannot be sent to a process of its own: {error}; give "
            "numbers, texts, lists and mappings"
        ) from None


def _texts(data: bytes) -> dict[str, str]:
    """What there is to tell, which a bot may have written itself."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not all(isinstance(text, str) for text in told.values()):
        raise BotProtocolError(_NOT_OURS)
    names = ("what", "kind", "text", "frames", "answer")
    return {name: clipped(_printable(told.get(name, ""))) for name in names}


def _printable(text: str) -> str:
    """A text for terminals and files, which may not steer the one and must suit the other."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )


def _failure(texts: dict[str, str]) -> Exception:
    """What a failure in the process is here."""
    if texts["what"] == VALUE:
        return BadAnswer(texts["text"])
    if texts["what"] == LOADING:
        return StrategyLoadError(texts["text"])
    return RemoteError(texts["kind"], texts["text"], texts["frames"])
