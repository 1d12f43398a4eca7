"""Player processes, seen from outside: started, given tasks, watched, and ended."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import threading
import time
from collections import Counter
from typing import Any, Final

from hearts_sim.strategy.process import ending, kill_marked
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.players.due import SpoiltProcess
from hearts_sim.tournament.players.launch import MARK, take
from hearts_sim.tournament.players.messages import (
    RAISED,
    SPOILT,
    read_message,
    too_slow,
    write_message,
)
from hearts_sim.tournament.players.pulse import Pulse, Thinking

GRACE_SECONDS: Final = 1.0
"""So long after its time is over a bot may take to stop; then its process is killed."""

START_FACTOR: Final = 10
"""The start of a game, with a bot's constructor, may take so many times `decision_seconds`."""

LOADING_SECONDS: Final = 60.0
"""Where time is limited, importing and preparing an entry may take so long."""

STARTING_SECONDS: Final = 10.0
"""Where time is limited, the start of a bot's own process may take so long, or as long as the start
of a game if that is longer; it does not count as thinking."""


class PlayerEnded(Exception):
    """A player process ended in the middle of a task.

    Attributes
    ----------
    kind, message : str
        As of a `Fault`: what it was that ended it.
    thinking : Thinking or None
        The decision that a bot was at, if it can be known.
    loading : int or None
        The entry that was being loaded.
    killed : bool
        Whether it was killed, which a bot can do as well as the system or a person.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        thinking: Thinking | None,
        loading: int | None,
        *,
        killed: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.thinking = thinking
        self.loading = loading
        self.killed = killed


class PlayerProcess:
    """A process that plays.

    Parameters
    ----------
    ahead : bool
        Whether it is to import at once what it needs to play.

    Attributes
    ----------
    pulse : Pulse
        What it is at.
    part : int or None
        The part that it plays.
    """

    def __init__(self, ahead: bool = True) -> None:
        self.part: int | None = None
        self._used = False
        launched = take(ahead)
        self._process, self._mark = launched.process, launched.mark
        self.pulse = Pulse()
        pipes: Any = self._process
        self._requests, self._answers = pipes.stdin, pipes.stdout
        self._verdict = ""
        with contextlib.suppress(OSError):
            write_message(self._requests, self.pulse.path)

    def run(self, faults: FaultRules, task: str, *arguments: Any) -> Any:
        """Let it do a task of `tasks`, and return what comes of it.

        Raises
        ------
        PlayerEnded
            When the process ended; it is ended for good then.
        SpoiltProcess
            When it must not be used any more.
        Exception
            What the task raised.
        """
        self._used = True
        watchdog = Watchdog(self, faults) if faults.timed else None
        try:
            write_message(self._requests, (task, faults, arguments))
            how, what = read_message(self._answers)
        except Exception:
            # Whatever a bot wrote into the pipe: nothing of it can be relied on.
            raise self._ended() from None
        finally:
            if watchdog is not None:
                watchdog.stop()
        if how == RAISED:
            raise what
        if how == SPOILT:
            raise SpoiltProcess(what)
        return what

    def _ended(self) -> PlayerEnded:
        thinking, loading = self.pulse.thinking(), self.pulse.loading
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.returncode
        self.end()
        if self._verdict:
            return PlayerEnded("too_slow", self._verdict, thinking, loading)
        how = "closed its pipe" if code is None else ending(code).removeprefix("it ")
        killed = code is not None and code == -getattr(signal, "SIGKILL", 0)
        return PlayerEnded("crash", f"its process {how}", thinking, loading, killed=killed)

    def interrupt(self) -> None:
        """Ask the bot that is at a decision to stop, if its time is over."""
        if hasattr(signal, "SIGUSR2"):
            self._process.send_signal(signal.SIGUSR2)

    def kill(self, verdict: str) -> None:
        """End it at once; `verdict` is what its bot has done."""
        self._verdict = verdict
        self._process.kill()

    def end(self) -> None:
        """End it and everything that was started in it."""
        for stream in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                stream.close()
        try:
            # Who was never asked for anything has nothing to finish, and may be importing.
            self._process.wait(2 if self._used and not self._verdict else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        kill_marked(self._mark, MARK)
        self.pulse.remove()


class Watchdog(threading.Thread):
    """Ends the decisions of bots that take too long.

    It looks every few milliseconds at what the process is at: first the bot is interrupted, and
    when that does not help the process is killed.
    """

    def __init__(self, process: PlayerProcess, limits: FaultRules) -> None:
        super().__init__(daemon=True)
        self.process = process
        self.limits = limits
        given = [limits.decision_seconds, limits.game_seconds]
        shortest = min(seconds for seconds in given if seconds is not None)
        self.period = min(max(shortest / 10, 0.005), 0.05)
        self._done = threading.Event()
        self._now: tuple[int, int, bool] | None = None
        self._seconds = 0.0
        self._over: float | None = None
        self._game: tuple[int, int] | None = None
        self._bank: Counter[int] = Counter()
        self._loading = 0.0
        self.start()

    def stop(self) -> None:
        """End the watch."""
        self._done.set()
        self.join()

    def run(self) -> None:
        """Look until the task is done."""
        last = time.monotonic()
        while not self._done.wait(self.period):
            now = time.monotonic()
            # Of a pause of the whole machine only a part can be the bot's.
            self._look(min(now - last, 4 * self.period))
            last = now

    def _look(self, passed: float) -> None:
        starts = self.process.pulse.loading is not None
        if starts and self.process.pulse.building:
            return
        thinking = self.process.pulse.thinking()
        if thinking is None:
            self._now = None
            self._look_at_loading(starts, passed)
            return
        if (thinking.game, thinking.number) != self._game:
            self._game = (thinking.game, thinking.number)
            self._bank.clear()
        seat = thinking.key & 15
        if not starts:
            self._bank[seat] += passed  # type: ignore[assignment]
        now = (thinking.game, thinking.asked, starts)
        if now != self._now:
            self._now, self._seconds, self._over = now, 0.0, None
            return
        self._seconds += passed
        self._judge(thinking, self._bank[seat], starts)

    def _judge(self, thinking: Thinking, bank: float, starts: bool) -> None:
        decision, game = self.limits.decision_seconds, self.limits.game_seconds
        if decision is not None and thinking.hook == "start_game":
            decision *= START_FACTOR
        if starts:
            decision = max(decision or 0.0, STARTING_SECONDS)
        whole_game = game is not None and bank > game and not starts
        if not whole_game and (decision is None or self._seconds <= decision):
            return
        if self._over is None:
            self._over = self._seconds
            self.process.pulse.end_time_of(thinking, whole_game=whole_game)
        if self._seconds - self._over > GRACE_SECONDS:
            limit = game if whole_game else decision
            self.process.kill(
                f"{too_slow(limit, whole_game)} and could not be stopped: its process was ended"
            )
        else:
            self.process.interrupt()

    def _look_at_loading(self, loads: bool, passed: float) -> None:
        self._loading = self._loading + passed if loads else 0.0
        if self._loading > LOADING_SECONDS:
            self.process.kill(f"it took longer than {LOADING_SECONDS:g} s to be loaded")
