"""The process in which one strategy plays on one seat; `isolated` is the other side of it.

Once it gets orders: what to import, with which options and rules. Then, for each call of a hook, a
request of fixed size, the view and the state of the seat's stream, to which it writes an answer. A
text follows the answer only where there is something to tell. Nothing that comes from here is ever
unpickled: a bot can write into the pipe, if it looks for it.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import os
import pickle
import struct
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO, Final

import numpy as np

from hearts_sim.engine.layout import CARD, HOOKS, START_GAME, VIEW
from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import Rules
from hearts_sim.strategy import plain
from hearts_sim.strategy.base import CompiledStrategy, Strategy
from hearts_sim.strategy.data_limit import size, within
from hearts_sim.strategy.faults import BadAnswer, clipped, shown
from hearts_sim.strategy.loader import load_class
from hearts_sim.strategy.streams import take_streams

VIEW_BYTES: Final = VIEW.itemsize
REQUEST_BYTES: Final = VIEW_BYTES + 24
"""A view, the two words of the seat's stream, and the number of the request."""

LENGTH: Final = struct.Struct("=q")
"""Before the orders: how many bytes of a pickled mapping follow."""

ANSWER: Final = struct.Struct("=4q2Qq")
"""Number of the request, status, ``answer``, ``answer_twice``, the two words of the stream, and how
many bytes of JSON follow: a mapping of texts."""

FAILED: Final = 0
ANSWERED: Final = 1
MOST_BYTES: Final = 1 << 18
"""A longer text is none of ours."""

VALUE, RAISED, LOADING = "value", "raised", "loading"
"""What failed: the answer is of the wrong kind, the strategy raised, or it cannot be loaded."""


def _word(name: str) -> int:
    return int(VIEW.fields[name][1]) // 8  # type: ignore[index]


_CALL, _OWN, _RULES = _word("call"), _word("own"), _word("rules")
_ANSWER, _ANSWER_TWICE = _word("answer"), _word("answer_twice")
_NUMBER = REQUEST_BYTES // 8 - 1

_MOST_FRAMES = 6
_SPARE_BYTES = 4 << 20
_OURS = frozenset((__file__, plain.__file__))
_HOOK = ctypes.CFUNCTYPE(ctypes.c_int64)


class Seat:
    """A strategy with its own view, answering requests.

    Parameters
    ----------
    orders : mapping
        ``file``, ``name`` and ``digest`` of the class, and whether it is ``compiled``; its
        ``options``; ``where`` it comes from, for messages; the ``rules`` as settings; and
        ``memory_mb``, which it may have beyond what Python and we have already.

    Attributes
    ----------
    request : bytearray
        Where the next request is put.
    """

    def __init__(self, orders: Mapping[str, Any]) -> None:
        if not orders["compiled"]:
            limit_memory(orders["memory_mb"])
        strategy = load_class(Path(orders["file"]), orders["name"], orders["digest"])
        rules = Rules(**orders["rules"])
        self.request = bytearray(REQUEST_BYTES)
        self._words = memoryview(self.request).cast("q")
        self._stream = memoryview(self.request)[VIEW_BYTES : VIEW_BYTES + 16]
        self._rules: Any = None
        self._player: Any
        self._hooks: list[Callable[[], int]]
        if issubclass(strategy, CompiledStrategy):
            self._seat_compiled(strategy, orders, rules)
            limit_memory(orders["memory_mb"])  # what it takes to compile is not the strategy's
        else:
            self._seat_plain(strategy, orders, rules)
        own = self._player.own
        self._own_stream = memoryview(own["rng"][0]).cast("B")
        self._own_address = own.ctypes.data
        self._rules_address = 0 if self._rules is None else self._rules.ctypes.data
        self._spare = [bytearray(_SPARE_BYTES)]

    def _seat_plain(
        self, strategy: type[Strategy], orders: Mapping[str, Any], rules: Rules
    ) -> None:
        strategy.prepare(dict(orders["options"]))
        words = self._words[: VIEW_BYTES // 8]
        table: Any = SimpleNamespace(words=words, shown=words.toreadonly(), rules=rules)
        self._player = plain.PlainPlayer(strategy, orders["options"], table)
        self._hooks = [_HOOK(address) for address in self._player.addresses()]

    def _seat_compiled(
        self, strategy: type[CompiledStrategy], orders: Mapping[str, Any], rules: Rules
    ) -> None:
        # Only now: numba takes a second to import, and plain bots do without.
        from hearts_sim.engine.record import compile_rules
        from hearts_sim.strategy.compiled import CompiledPlayer

        self._player = CompiledPlayer(
            strategy, orders["options"], orders["digest"], orders["where"]
        )
        self._rules = compile_rules(rules)
        view = np.frombuffer(self.request, VIEW, 1)[0]
        self._hooks = [self._compiled(call, view) for call in range(len(HOOKS))]

    def _compiled(self, call: int, view: Any) -> Callable[[], int]:
        """A hook through its dispatcher, which raises where the native entry has only a status."""
        hook, words, memory = self._player.hooks[call], self._words, self._player.memory

        def run() -> int:
            if call == START_GAME:
                memory[:] = 0
            answer = None if hook is None else hook(view)
            if answer is not None:
                words[_ANSWER] = answer
            return ANSWERED

        return run

    def answer(self) -> bytes:
        """Let the strategy do what the request says; the answer as it is written."""
        words, player = self._words, self._player
        call, number = words[_CALL], words[_NUMBER]
        self._own_stream[:] = self._stream
        words[_OWN], words[_RULES] = self._own_address, self._rules_address
        player.answer = player.error = None
        error: BaseException | None = None
        try:
            status = self._hooks[call]()
        except BaseException as raised:
            status, error = FAILED, raised
        text = b""
        if status != ANSWERED:
            text = self._why(error or player.error)
        elif call == CARD and player.answer is not None and not 0 <= words[_ANSWER] < 52:
            text = json.dumps({"answer": shown(player.answer)}).encode()
        first, second = self._own_stream.cast("Q")
        status = ANSWERED if status == ANSWERED else FAILED
        answers = words[_ANSWER], words[_ANSWER_TWICE]
        return ANSWER.pack(number, status, *answers, first, second, len(text)) + text

    def _why(self, error: BaseException | None) -> bytes:
        """Why there is no answer, told with some memory in hand: it may be that which it lacks."""
        self._spare.clear()
        text = failure(error, self._player.answer)
        self._player.error = self._player.answer = None
        with contextlib.suppress(MemoryError):
            self._spare.append(bytearray(_SPARE_BYTES))
        return text


def limit_memory(megabytes: int | None) -> None:
    """Limit what this process may have beyond what it has now, and its children as much as that.

    Linux only; elsewhere `BotProcess` does what can be done.
    """
    if megabytes is None or sys.platform != "linux":
        return
    import resource

    # Most of what there is now libraries have reserved, by the number of cores.
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = within(size() + (megabytes << 20) + _SPARE_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def failure(error: BaseException | None, answer: Any = None) -> bytes:
    """What there is to tell of an exception, as JSON."""
    what, kind = RAISED, type(error).__name__
    if isinstance(error, BadAnswer):
        what = VALUE
    elif isinstance(error, StrategyLoadError):
        what = LOADING
        if isinstance(error.__cause__, MemoryError):
            what, kind = RAISED, "MemoryError"
    elif isinstance(error, MemoryError):
        kind = "MemoryError"  # numpy has one with another name
    elif error is None:
        error = RuntimeError("it did not answer")
        kind = "RuntimeError"
    texts = {
        "what": what,
        "kind": kind[:100],
        "text": _said(lambda: str(error)),
        "frames": _said(lambda: _frames(error)),
        "answer": shown(answer),
    }
    return json.dumps(texts).encode()


def _said(make: Callable[[], str]) -> str:
    """A text that a bot has a hand in."""
    try:
        return clipped(make())
    except BaseException as error:
        return f"(its text cannot be shown: {type(error).__name__})"


def _frames(error: BaseException) -> str:
    """The last frames of an exception, without ours that called the bot."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename in _OURS:
        trace = trace.tb_next
    return "".join(traceback.format_list(traceback.extract_tb(trace, limit=-_MOST_FRAMES)))


def main() -> None:
    """Serve one seat until the other side is gone."""
    pipe, answers = take_streams()
    faulthandler.enable(2)
    requests = os.fdopen(pipe, "rb", buffering=0)
    process = os.getpid()
    head = bytearray(LENGTH.size)
    _fill(requests, head)
    orders = bytearray(LENGTH.unpack(head)[0])
    _fill(requests, orders)
    try:
        seat = Seat(pickle.loads(orders))
    except BaseException as error:
        text = failure(error)
        _write(answers, ANSWER.pack(0, FAILED, 0, 0, 0, 0, len(text)) + text)
        _end()
    _write(answers, ANSWER.pack(0, ANSWERED, 0, 0, 0, 0, 0))
    while True:
        _fill(requests, seat.request)
        data = seat.answer()
        if os.getpid() != process:
            _end()  # a copy of us that the bot has made by a fork
        _write(answers, data)


def _fill(requests: BinaryIO, buffer: bytearray) -> None:
    """Read until a buffer is full; at the end of the input there is nothing left to do."""
    left = memoryview(buffer)
    while left:
        number = requests.readinto(left)  # type: ignore[attr-defined]
        if not number:
            _end()
        left = left[number:]


def _write(answers: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        try:
            left = left[os.write(answers, left) :]
        except OSError:
            _end()


def _end() -> None:
    """End without waiting for what a bot may have left in this process."""
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
