"""Programs that speak JSON lines, at the compiled table.

As with plain Python, the core calls an address; the function behind it writes a line to the program
and waits for its answer. Nothing that happens passes it.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hearts_sim.engine.layout import HOOKS, OWN, VIEW
from hearts_sim.errors import StrategyLoadError
from hearts_sim.strategy import json_lines
from hearts_sim.strategy.faults import BadAnswer, BotCrash, BotProtocolError
from hearts_sim.strategy.process import BotProcess
from hearts_sim.strategy.randomness import SeatRandom
from hearts_sim.strategy.seated import Seated, Starting
from hearts_sim.strategy.view import View

if TYPE_CHECKING:
    from hearts_sim.engine.machine import Machine

_HOOK = ctypes.CFUNCTYPE(ctypes.c_int64)
_ANSWER, _ANSWER_TWICE = (
    int(VIEW.fields[name][1]) // 8  # type: ignore[index]
    for name in ("answer", "answer_twice")
)
_FAILED, _ANSWERED, _DEFAULT = 0, 1, 2
_SECONDS_TO_END = 0.2


class CommandPlayer:
    """A program at a machine, on one seat at a time; it runs from the first game on.

    After a failure, other than an answer that cannot be, it is ended with all its children, and
    started again with the next game.

    Parameters
    ----------
    seated : Seated
        With a `command`.
    machine : Machine
    memory_mb : int, optional
        Memory that the program may have, in MiB.
    starting : callable
        Called with this when the program is started: a context for the time that takes.

    Raises
    ------
    StrategyLoadError
        When its options cannot be written as JSON.
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
        self.memory_mb = memory_mb
        self._starting = starting
        self.view = View(machine.words, machine.rules)
        self.words = machine.words
        self.own = np.zeros(1, OWN)
        self.error: BaseException | None = None
        self.answer: Any = None
        self._held: list[BotProcess] = []  # the process, if there is one
        self._spoilt = False  # it is to be ended, and may be so already
        self.hooks: tuple[str, ...] = ()
        self._number = 0
        self._last = ""  # the request that was answered last, for messages
        try:
            self._hello = json_lines.hello_line(seated.name, seated.options, self.view)
        except (TypeError, ValueError) as error:
            raise StrategyLoadError(
                f"{seated.name}: its options cannot be written as JSON: {error}"
            ) from None
        works = {
            "start_game": self._start_game,
            "start_hand": self._start_hand,
            "choose_pass": self._choose_pass,
            "choose_card": self._choose_card,
            "choose_moon": self._choose_moon,
            "end_hand": self._end_hand,
        }
        # Which of them the program has is known when it runs; the core wants addresses now.
        self._callbacks = {hook: _HOOK(self._guarded(works[hook])) for hook in HOOKS}

    def addresses(self) -> list[int]:
        """Address of each hook."""
        return [ctypes.cast(self._callbacks[hook], ctypes.c_void_p).value or 0 for hook in HOOKS]

    def close(self) -> None:
        """Say goodbye to the program and end it, with everything that it started."""
        if self.process is not None:
            self.process.finish(json_lines.GOODBYE, _SECONDS_TO_END)
        self._kill()

    @property
    def process(self) -> BotProcess | None:
        """The process of the program, while there is one."""
        return self._held[-1] if self._held else None

    def _guarded(self, work: Callable[[], int]) -> Callable[[], int]:
        def hook() -> int:
            try:
                try:
                    return work()
                except BadAnswer as error:
                    self.error = error  # the dialogue goes on after it, and after nothing else
                    return _FAILED
                except BaseException as error:
                    self.error = error
                    self._spoilt = True
                    self._kill()
                    return _FAILED
            except BaseException:
                # A signal came again while it was ended. Here nothing is called, so that Python
                # runs no handler, which could raise once more.
                return _FAILED

        return hook

    def _kill(self) -> None:
        while self._held:
            self._held[-1].kill()
            self._held.pop()
        self._spoilt = False

    # The hooks.

    def _start_game(self) -> int:
        if self._spoilt:
            self._kill()
        if self.process is not None and self.seated.keep == "game":
            self.close()
        if self.process is None:
            self._start()
        if "start_game" in self.hooks:
            self._tell(json_lines.start_game_line(self.view, self._random()))
        return _ANSWERED

    def _start_hand(self) -> int:
        if "start_hand" in self.hooks:
            self._tell(json_lines.start_hand_line(self.view, self._random()))
        return _ANSWERED

    def _end_hand(self) -> int:
        if "end_hand" in self.hooks:
            self._tell(json_lines.end_hand_line(self.view))
        return _ANSWERED

    def _choose_card(self) -> int:
        self.answer = None
        self.answer = self._ask("choose_card")
        self.words[_ANSWER] = json_lines.card_of(self.answer)
        return _ANSWERED

    def _choose_pass(self) -> int:
        if "choose_pass" not in self.hooks:
            return _DEFAULT
        self.answer = None
        self.answer = self._ask("choose_pass")
        cards, twice = json_lines.pass_of(self.answer, self.view.rules.packs)
        self.words[_ANSWER], self.words[_ANSWER_TWICE] = cards, twice
        return _ANSWERED

    def _choose_moon(self) -> int:
        if "choose_moon" not in self.hooks:
            return _DEFAULT
        self.answer = None
        self.answer = self._ask("choose_moon")
        self.words[_ANSWER] = json_lines.moon_of(self.answer)
        return _ANSWERED

    # The dialogue.

    def _start(self) -> None:
        self.hooks = ()
        self._number, self._last = 0, ""
        with self._starting(self):
            process = BotProcess(
                self.seated.command,
                folder=self.seated.folder,
                memory_mb=self.memory_mb,
                holder=self._held,
            )
            process.send(self._hello)
            self.hooks = json_lines.read_hello(process.read_line(json_lines.LONGEST_LINE))
        self._last = '"hello"'

    def _running(self) -> BotProcess:
        """The program, which must have nothing more to say to what it was asked before."""
        process = self.process
        if process is None:
            raise BotCrash("it does not run since it failed; it is started with the next game")
        more = process.waiting()
        if more:
            raise BotProtocolError(
                f"after its answer to {self._last} it wrote {json_lines.quoted(more)}: every "
                "request has one answer, and what is not an answer belongs to standard error"
            )
        return process

    def _tell(self, line: bytes) -> None:
        self._running().send(line)

    def _ask(self, hook: str) -> Any:
        process = self._running()
        self._number += 1
        process.send(json_lines.request_line(hook, self._number, self.view))
        line = process.read_line(json_lines.LONGEST_LINE)
        answer = json_lines.read_answer(line, self._number, hook)
        self._last = f"request {self._number} ({hook})"
        self._running()
        return answer

    def _random(self) -> int:
        """A number for the program from the seat's own stream, of which nothing is used up."""
        return SeatRandom(self.own["rng"][0].copy()).getrandbits(53)
