"""Keeping an eye on the process that checks: what it says, whether it hangs, how it ended."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hearts_sim.engine.layout import HOOKS
from hearts_sim.errors import HeartsError
from hearts_sim.testing.source import Source
from hearts_sim.testing.target import Plan, Target

_VARIABLE: Final = "HEARTS_SIM_CHECK"
_LONGEST_PAUSE: Final = 300.0
_SLOWER_WHEN_WATCHED: Final = 4


class CheckBroken(HeartsError):
    """A check came to no end for a reason that is not the strategy's."""


@dataclass(frozen=True)
class Task:
    """A target to check; of these strategies no more. `again`: only the games of its seed.

    `positions`: only endgame positions, of these numbers.
    """

    target: Target
    skip: tuple[str, ...] = ()
    again: int | None = None
    positions: tuple[int, ...] = ()


@dataclass
class Ending:
    """How a process ended, and what it was about.

    Attributes
    ----------
    how : str
        "", "hangs" or "dies".
    tasks : int
        Tasks that it has done.
    strategy, step, file : str
        What was checked at the end, as far as it was said.
    hook : str
        The hook that was being called, if one was.
    line : tuple of (str, int)
        File and line of the bot where it was, if that is known.
    said : str
        How it ended in words.
    """

    how: str = ""
    tasks: int = 0
    strategy: str = ""
    step: str = ""
    file: str = ""
    hook: str = ""
    line: tuple[str, int] = ("", 0)
    said: str = ""
    hooks: dict[str, dict[str, int]] = field(default_factory=dict)


def keep(
    tasks: Sequence[Task],
    plan: Plan,
    take: Callable[[dict[str, Any]], None],
    hash_seed: int,
    random_seed: int = 0,
) -> Ending:
    """Run a process that does some tasks, to its end or until it hangs.

    Parameters
    ----------
    take : callable
        Called with each event that it tells.
    hash_seed : int
        Its PYTHONHASHSEED.
    random_seed : int
        For the global random numbers, where a task is to play games again.

    Raises
    ------
    CheckBroken
        When the process fails for a reason that is not a strategy's.
    """
    with tempfile.TemporaryDirectory(prefix="hearts-sim-check-") as folder:
        return _Keeper(Path(folder), plan, take).run(tasks, hash_seed, random_seed)


class _Keeper:
    def __init__(self, folder: Path, plan: Plan, take: Callable[[dict[str, Any]], None]) -> None:
        self.folder, self.plan, self.take = folder, plan, take
        self.ending = Ending()
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def run(self, tasks: Sequence[Task], hash_seed: int, random_seed: int) -> Ending:
        trace, errors = self.folder / "trace", self.folder / "errors"
        beat = self.folder / "beat"
        trace.touch()
        beat.write_bytes(bytes(16))
        orders = {
            "trace": str(trace),
            "beat": str(beat),
            "path": [path or str(Path.cwd()) for path in sys.path],
            "plan": self.plan.plain(),
            "seed": random_seed,
            "tasks": [
                {
                    "target": task.target.plain(),
                    "skip": list(task.skip),
                    "again": task.again,
                    "positions": list(task.positions),
                }
                for task in tasks
            ],
        }
        token = uuid.uuid4().hex
        environment = {
            **os.environ,
            _VARIABLE: token,
            "PYTHONHASHSEED": str(hash_seed),
            "PYTHONIOENCODING": "utf-8",
        }
        with errors.open("wb") as stderr, beat.open("r+b") as file:
            shown = mmap.mmap(file.fileno(), 16)
            process = subprocess.Popen(
                [sys.executable, "-m", "hearts_sim.testing.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=environment,
                start_new_session=True,
            )
            reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
            try:
                with contextlib.suppress(BrokenPipeError):
                    assert process.stdin is not None
                    process.stdin.write(json.dumps(orders).encode())
                    process.stdin.close()
                reader.start()
                words = memoryview(shown).cast("q")
                try:
                    self._follow(process, words, trace)
                finally:
                    number = words[1]
                    words.release()
                if self.ending.how:
                    self.ending.hook = HOOKS[number - 1] if number else ""
                    self._blame(trace, errors)
            finally:
                _end(process, token)
                if reader.ident is not None:
                    reader.join(5)
                for stream in (process.stdin, process.stdout):
                    if stream is not None:
                        with contextlib.suppress(OSError):
                            stream.close()
                shown.close()
        return self.ending

    def _read(self, stream: Any) -> None:
        for line in stream:
            self.lines.put(line)
        self.lines.put(None)

    def _follow(self, process: subprocess.Popen[bytes], words: Any, trace: Path) -> None:
        """Take what it says until it is done, dies or hangs."""
        count, since = -1, time.monotonic()
        done = False
        while True:
            try:
                line = self.lines.get(timeout=0.05)
            except queue.Empty:
                if words[0] != count:
                    count, since = words[0], time.monotonic()
                if time.monotonic() - since > self._patience(bool(words[1])):
                    self.ending.how = "hangs"
                    self._ask_where(process, trace)
                    return
                continue
            since = time.monotonic()
            if line is None:
                break
            try:
                event = json.loads(line)
            except ValueError:  # cut off, or somebody else wrote there
                continue
            done = done or event["event"] == "done"
            if event["event"] == "broken":
                raise CheckBroken(
                    f"{self.ending.strategy or self.ending.file}: the check itself failed in the "
                    f"step {self.ending.step!r}; this is a mistake of hearts-sim, please report "
                    f"it:\n{event['text']}"
                )
            self._note(event)
            self.take(event)
        if not done:
            self.ending.how = "dies"
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(5)
                self.ending.said = _how_it_ended(code)

    def _patience(self, in_hook: bool) -> float:
        if self.ending.step == "import" or in_hook:
            seconds = self.plan.decision_seconds
            if self.ending.step == "import":
                return max(seconds, 2.0) * 6  # others' packages may be large
            return seconds * (_SLOWER_WHEN_WATCHED if self.ending.step == "watched games" else 1)
        return _LONGEST_PAUSE

    def _note(self, event: dict[str, Any]) -> None:
        ending = self.ending
        if event["event"] == "step":
            ending.strategy, ending.step = event["strategy"], event["step"]
            ending.file = event.get("file", ending.file)
        elif event["event"] == "strategy":
            ending.strategy, ending.file = event["strategy"], event["file"]
            ending.hooks[event["strategy"]] = event["hooks"]
        elif event["event"] in ("task", "checked"):
            ending.strategy = ending.step = ""
            ending.tasks += event["event"] == "task"

    def _ask_where(self, process: subprocess.Popen[bytes], trace: Path) -> None:
        """Let it write down where it is."""
        if hasattr(signal, "SIGUSR1"):
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGUSR1)
                until = time.monotonic() + 2
                while not trace.stat().st_size and time.monotonic() < until:
                    time.sleep(0.02)
                time.sleep(0.05)

    def _blame(self, trace: Path, errors: Path) -> None:
        ending = self.ending
        frames = trace.read_text(encoding="utf-8", errors="replace")
        if ending.file:
            ending.line = Source(ending.file).last_line(frames, innermost_first=True)
        if not ending.line[1]:
            lines = ending.hooks.get(ending.strategy, {})
            ending.line = ending.file, lines.get(ending.hook, 0)
        if not ending.strategy and not ending.file:
            text = errors.read_text(encoding="utf-8", errors="replace").strip()
            ending.said += f": {text[-2000:]}" if text else ""


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"it ended with exit code {code}"
    with contextlib.suppress(ValueError):
        return f"it was killed by signal {-code} ({signal.Signals(-code).name})"
    return f"it was killed by signal {-code}"


def _end(process: subprocess.Popen[bytes], token: str) -> None:
    """End the process and everything that it has started."""
    from hearts_sim.strategy.process import kill_marked

    if process.poll() is None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    if process.poll() is None:
        process.kill()
    process.wait()
    kill_marked(token, _VARIABLE)
