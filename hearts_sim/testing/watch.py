"""Standing between the engine and a bot: every call of a hook is seen.

The addresses in the machine's table are exchanged for ours, whatever kind of bot is behind them.
"""

from __future__ import annotations

import ctypes
import mmap
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hearts_sim.engine.layout import HOOKS, VIEW
from hearts_sim.engine.machine import Machine
from hearts_sim.strategy.base import CompiledStrategy
from hearts_sim.strategy.compiled import compile_hooks
from hearts_sim.strategy.seated import Seated
from hearts_sim.testing.source import Source, lines_that_use

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_CLOCKS = frozenset(
    name + more
    for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time")
    for more in ("", "_ns")
)
_ENTROPY = frozenset({"urandom", "getrandom"})


def _word(name: str) -> int:
    return int(VIEW.fields[name][1]) // 8  # type: ignore[index]


_ANSWERS = (_word("answer"), _word("answer_twice"))


class Beat:
    """What the other process sees of this one: a counter, and the hook that is being called.

    Parameters
    ----------
    path : path or None
        A file of 16 bytes that both processes have open; None when nobody looks.
    """

    def __init__(self, path: Path | None) -> None:
        self._file = None
        buffer: Any = bytearray(16)
        if path is not None:
            self._file = path.open("r+b")
            buffer = self._map = mmap.mmap(self._file.fileno(), 16)
        self.words = memoryview(buffer).cast("q")

    def close(self) -> None:
        """Let go of the file."""
        self.words.release()
        if self._file is not None:
            self._map.close()
            self._file.close()


class Watch:
    """What was seen of a bot in some games.

    Parameters
    ----------
    source : Source
    beat : Beat
    closely : bool
        Whether it is seen what each call changes and which functions it calls; slow.

    Attributes
    ----------
    times : list of int
        Nanoseconds of each call that answered on a card or a pass.
    slowest : int
        Nanoseconds of the slowest call.
    global_random, clock, entropy, prints : dict of (file, line) to str
        Calls of the global random functions, of clocks, of the system's randomness, of ``print``.
    changed : dict of hook to set of str
        Fields of the view that a hook changed.
    """

    def __init__(self, source: Source, beat: Beat, *, closely: bool = False) -> None:
        self.source = source
        self.beat = beat
        self.closely = closely
        self.times: list[int] = []
        self.slowest = 0
        self.global_random: dict[tuple[str, int], str] = {}
        self.clock: dict[tuple[str, int], str] = {}
        self.entropy: dict[tuple[str, int], str] = {}
        self.prints: dict[tuple[str, int], str] = {}
        self.changed: dict[str, set[str]] = {}
        self._kept: list[Any] = []
        self._rand = getattr(getattr(np.random, "mtrand", None), "_rand", None)
        self._inst = random._inst  # type: ignore[attr-defined]

    def stand_between(self, machine: Machine, seated: Seated, entry: int, seat: int) -> None:
        """Watch the bot of an entry on a seat that it was given already."""
        row = machine.table[entry, seat]
        strategy = seated.strategy
        compiled = isinstance(strategy, type) and issubclass(strategy, CompiledStrategy)
        if compiled:
            hooks = compile_hooks(strategy, seated.digest, seated.file)  # type: ignore[arg-type]
            callers = [self._of_compiled(machine, hook) for hook in hooks]
        else:
            callers = [_CALL(int(address)) if address else None for address in row["hooks"]]
        between = [
            _CALL(self._between(machine, number, call)) if call is not None else None
            for number, call in enumerate(callers)
        ]
        self._kept += [*callers, *between]
        row["compiled"] = row["card_function"] = 0
        row["hooks"] = [
            ctypes.cast(call, ctypes.c_void_p).value if call is not None else 0 for call in between
        ]

    def _of_compiled(self, machine: Machine, hook: Any) -> Callable[[Any], int] | None:
        if hook is None:
            return None
        record, words = machine.view[0], machine.words

        def call(address: Any) -> int:
            answer = hook(record)
            if answer is not None:
                words[_ANSWERS[0]] = answer
            return 1

        return call

    def _between(self, machine: Machine, number: int, call: Any) -> Callable[[Any], int]:
        beat, words, hook = self.beat.words, machine.words, HOOKS[number]
        clock, answers = time.perf_counter_ns, hook in ("choose_card", "choose_pass")
        closely = self._closely if self.closely else None

        def between(address: Any) -> int:
            beat[0] += 1
            beat[1] = number + 1
            began = clock()
            try:
                fine: int = (
                    call(address) if closely is None else closely(call, address, words, hook)
                )
            except BaseException:  # of a compiled hook; who asks for the fault calls it again
                fine = 0
            taken = clock() - began
            beat[1] = 0
            if answers:
                self.times.append(taken)
            self.slowest = max(self.slowest, taken)
            return fine

        return between

    def _closely(self, call: Any, address: Any, words: Any, hook: str) -> int:
        before = bytes(words)
        python, numpy = self._inst.getstate(), self._numpy()
        sys.setprofile(self._seen)
        try:
            fine: int = call(address)
        finally:
            sys.setprofile(None)
        after = bytes(words)
        if after != before:
            self._compare(before, after, hook)
        if not self.global_random and self._inst.getstate() != python:
            self.global_random[self.source.file, 0] = "random"
        if not self.global_random and self._numpy() != numpy:
            # Python does not tell of calls of its functions: look for them in the text.
            lines = lines_that_use(self.source.file, ("np.random", "numpy.random"))
            self.global_random[self.source.file, lines[0] if lines else 0] = "np.random"
        return fine

    @staticmethod
    def _numpy() -> tuple[bytes, int]:
        """State of numpy's global random numbers."""
        state: Any = np.random.get_state()  # noqa: NPY002
        return state[1].tobytes(), state[2]

    def _compare(self, before: bytes, after: bytes, hook: str) -> None:
        old, new = np.frombuffer(before, np.int64), np.frombuffer(after, np.int64)
        places = [int(place) for place in np.flatnonzero(old != new) if place not in _ANSWERS]
        if places:
            self.changed.setdefault(hook, set()).update(_field(place) for place in places)

    def _seen(self, frame: Any, event: str, argument: Any) -> None:
        """What Python calls while a hook runs."""
        if event == "c_call":
            name, owner = argument.__name__, argument.__self__
            module = getattr(argument, "__module__", None)
            if owner is self._inst or (owner is self._rand and owner is not None):
                self._note(self.global_random, frame, _said(owner is self._inst, name, frame))
            elif module == "time" and name in _CLOCKS:
                self._note(self.clock, frame, f"time.{name}")
            elif name in ("now", "utcnow", "today") and getattr(owner, "__module__", "") in (
                "datetime",
            ):
                self._note(self.clock, frame, f"{owner.__name__}.{name}")
            elif name in _ENTROPY and module in ("posix", "nt"):
                self._note(self.entropy, frame, f"os.{name}")
            elif name == "print" and module == "builtins":
                self._note(self.prints, frame, "print")
        elif event == "call" and frame.f_code.co_filename == random.__file__:
            owner = frame.f_locals.get("self")
            name = frame.f_code.co_name
            if owner is self._inst:
                self._note(self.global_random, frame, f"random.{name}")
            elif isinstance(owner, random.SystemRandom):
                self._note(self.entropy, frame, f"SystemRandom.{name}")
            elif type(owner) is random.Random and _seeds_from_nothing(frame):
                self._note(self.entropy, frame, "random.Random() without a seed")

    def _note(self, notes: dict[tuple[str, int], str], frame: Any, name: str) -> None:
        place = self.source.calling_frame(frame)
        if place[1]:
            notes.setdefault(place, name)


def _seeds_from_nothing(frame: Any) -> bool:
    """Whether a ``random.Random`` is made without a seed."""
    return frame.f_code.co_name == "__init__" and frame.f_locals.get("x") is None


def _said(python: bool, name: str, frame: Any) -> str:
    """Name of a global random function as the bot's author would know it."""
    if python and frame.f_code.co_filename == random.__file__:
        name = frame.f_code.co_name  # random.choice, not the getrandbits in it
    return f"random.{name}" if python else f"np.random.{name}"


def _field(place: int) -> str:
    """Name of the view's field that has a word."""
    fields = VIEW.fields
    assert fields is not None
    return max((name for name in fields if fields[name][1] // 8 <= place), key=_word)
