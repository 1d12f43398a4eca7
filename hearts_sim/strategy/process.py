"""The process of a bot: started, written to, read from, and ended with all that it started.

A bot may do anything to us but hurt the run: it may write without end, never read, die in the
middle of a line, or leave children behind. Whatever waits here can be interrupted by a signal whose
handler raises; the process is then to be killed, since nobody knows what it will say next.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from hearts_sim.errors import StrategyLoadError
from hearts_sim.strategy.faults import BotCrash, BotProtocolError

TOKEN = "HEARTS_SIM_BOT"
"""Variable in the environment of a bot, with a value that no other process has."""

_BLOCK = 1 << 16
_MOST_UNREAD = 1 << 20
_MOST_STDERR = 1 << 14
_TAIL_LINES, _TAIL_CHARACTERS = 20, 2000
_LONGEST_KILL = 10.0
_PR_SET_PDEATHSIG = 1

# Looked up before any fork: between fork and exec there must be as little to do as possible.
_PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


class BotProcess:
    """A bot's process: started at once, read and written by bytes, ended with all its children.

    On Linux it dies with the thread that started it, so start it in one that lasts.

    Parameters
    ----------
    argv : sequence of str
        Program and arguments. A name without a slash is looked for on the ``PATH``.
    folder : str
        Its working folder, from which a relative program is looked for too; ours when empty.
    memory_mb : int, optional
        Memory that it may have, in MiB; each process that it starts may have as much again.
    environment : mapping, optional
        Variables that it gets in addition to ours.

    Attributes
    ----------
    pid : int
        Number of the process, and of the process group that it leads.
    token : str
        What marks it and its children in the variable `TOKEN` of their environment.

    Raises
    ------
    StrategyLoadError
        When it cannot be started.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        folder: str = "",
        memory_mb: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        if not argv or not argv[0]:
            raise StrategyLoadError(
                "the command of a bot is empty: give a program and its arguments"
            )
        self.token = uuid.uuid4().hex
        self._buffer = bytearray()
        self._at_end = self._killed = False
        self._how = ""
        self._errors = bytearray()
        process: subprocess.Popen[bytes] | None = None
        try:
            with _signals_held() as held:
                process = subprocess.Popen(
                    list(argv),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    cwd=folder or None,
                    env={**os.environ, **(environment or {}), TOKEN: self.token},
                    start_new_session=True,
                    preexec_fn=_before_exec(memory_mb, held),
                )
                self._have(process)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise StrategyLoadError(_why_not_started(argv, folder, error)) from None
        except BaseException:
            if process is not None:
                self.kill()
            raise

    def _have(self, process: subprocess.Popen[bytes]) -> None:
        """Take over a process that runs."""
        self._process = process
        self.pid = process.pid
        streams = process.stdin, process.stdout, process.stderr
        self._input, self._output, errors = (stream.fileno() for stream in streams if stream)
        if sys.platform != "win32":
            for pipe in (self._input, self._output, errors):
                os.set_blocking(pipe, False)
        self._reader = threading.Thread(target=self._keep_errors, args=(errors,), daemon=True)
        self._reader.start()

    # Writing and reading.

    def send(self, data: bytes) -> None:
        """Write all of it; while the bot does not read, what it writes is taken in.

        Raises
        ------
        BotCrash
            When the bot is gone.
        BotProtocolError
            When it writes more than 1 MiB instead of reading.
        """
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._input, left) :]
            except BlockingIOError:
                self._wait(writing=True)
            except OSError as error:
                # Windows says EINVAL of a pipe whose other end is closed.
                if error.errno not in (errno.EPIPE, errno.EINVAL, errno.EBADF):
                    raise
                raise self._crash("it does not read any more") from None

    def read_line(self, most: int) -> bytes:
        """The next line, without its end.

        Raises
        ------
        BotCrash
            At the end of its output.
        BotProtocolError
            When the line is longer than `most` bytes.
        """
        searched = 0
        while True:
            end = self._buffer.find(b"\n", searched)
            searched = len(self._buffer)
            if max(end, searched if end < 0 else 0) > most:
                begin = bytes(self._buffer[:200]).decode("utf-8", "replace")
                raise BotProtocolError(
                    f"it wrote a line of more than {most:,} bytes, which begins with {begin!r}"
                )
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                return line
            self._read_more()

    def read_exactly(self, number: int) -> bytes:
        """The next `number` bytes.

        Raises
        ------
        BotCrash
            When its output ends before.
        """
        while len(self._buffer) < number:
            self._read_more()
        data = bytes(self._buffer[:number])
        del self._buffer[:number]
        return data

    def waiting(self) -> bytes:
        """What it has written and nobody has read; it stays to be read. Does not wait."""
        if sys.platform != "win32":
            self._take_in()
        return bytes(self._buffer)

    def _read_more(self) -> None:
        if self._killed:
            raise self._crash("")
        if sys.platform != "win32" and not self._at_end:
            self._wait()
        else:
            self._take_in()
        if self._at_end:
            begun = bytes(self._buffer[:200]).decode("utf-8", "replace")
            raise self._crash(
                f"its output ended in the middle of a line: {begun!r}" if begun else ""
            )

    def _wait(self, writing: bool = False) -> None:
        """Wait until it can be read from or written to, and take in what there is."""
        if sys.platform == "win32":
            return
        if writing and len(self._buffer) > _MOST_UNREAD:
            raise BotProtocolError("it writes without end instead of reading its input")
        before = len(self._buffer)
        waiter = select.poll()
        if not self._at_end:
            waiter.register(self._output, select.POLLIN)
        if writing:
            waiter.register(self._input, select.POLLOUT)
        while not waiter.poll(500):
            # A child that has its output open can outlive it: then the output never ends.
            if self.how_it_ended():
                self._take_in()
                self._at_end = len(self._buffer) == before
                if writing:
                    raise self._crash("")
                return
        self._take_in()

    def _take_in(self) -> None:
        if self._at_end or self._killed:
            return
        try:
            data = os.read(self._output, _BLOCK)
        except BlockingIOError:
            return
        self._buffer += data
        self._at_end = not data

    # How it ended.

    def how_it_ended(self) -> str:
        """How it ended, as "it ended with exit code 3"; empty while it runs."""
        if not self._how and not self._killed:
            code = self._exit_code()
            self._how = "" if code is None else ending(code)
        return self._how

    def _exit_code(self) -> int | None:
        """Exit code, or the signal below zero; None while it runs."""
        if sys.platform == "win32" or not hasattr(os, "waitid"):
            return self._process.poll()
        if self._process.returncode is not None:
            return self._process.returncode
        # It stays a zombie until `kill`: so the number of its process group is not given again.
        try:
            result = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # whoever called us ignores SIGCHLD
            return self._process.poll()
        if result is None:
            return None
        return result.si_status if result.si_code == os.CLD_EXITED else -result.si_status

    def stderr_tail(self) -> str:
        """The last lines that it wrote to its standard error."""
        text = bytes(self._errors[-_MOST_STDERR:]).decode("utf-8", "replace")
        lines = "\n".join(text.splitlines()[-_TAIL_LINES:])[-_TAIL_CHARACTERS:]
        # It is shown on terminals, which a bot must not steer.
        return "".join(
            c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in lines
        ).strip()

    def _crash(self, what: str) -> BotCrash:
        """What is raised when it is gone."""
        until = time.monotonic() + 0.5
        while not self.how_it_ended() and time.monotonic() < until:
            time.sleep(0.005)
        if self.how_it_ended():
            self._reader.join(0.2)  # its last words
        else:
            what = what or "it closed its output and runs on"
        parts = [part for part in (self.how_it_ended(), what) if part]
        text = "; ".join(parts)
        tail = self.stderr_tail()
        if tail:
            text += "; the end of its standard error:\n" + tail
        return BotCrash(text)

    def _keep_errors(self, pipe: int) -> None:
        """Read its standard error for as long as there is one, and keep the end."""
        if sys.platform != "win32":
            waiter = select.poll()
            waiter.register(pipe, select.POLLIN)
        while True:
            # Somebody whom we could not find may have it open for ever.
            last = self._killed
            if sys.platform == "win32" or waiter.poll(500):
                data = os.read(pipe, _BLOCK)
                if not data:
                    return
                self._errors = (self._errors + data)[-_MOST_STDERR:]
            if last:
                return

    # The end.

    def finish(self, last: bytes, seconds: float) -> None:
        """Write a last message, close its input, let it end by itself for a while, then `kill`."""
        # What does not fit into the pipe now was not going to be read either.
        with contextlib.suppress(OSError, ValueError):
            os.write(self._input, last)
        if self._process.stdin is not None:
            self._process.stdin.close()
            self._input = -1
        until = time.monotonic() + seconds
        pause = 0.001
        while not self.how_it_ended() and time.monotonic() < until:
            self._take_in()
            self._buffer.clear()
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        self.kill()

    def kill(self) -> None:
        """End it and everything that it started, and close what belongs to it. Twice is fine."""
        self.how_it_ended()
        if sys.platform == "win32":
            self._process.kill()
        else:
            if self._process.returncode is None:
                # EPERM is what macOS says of a group of zombies.
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)
            kill_marked(self.token)
        with contextlib.suppress(subprocess.TimeoutExpired):  # it became another user
            self._process.wait(_LONGEST_KILL)
        self._killed = True
        self._how = self._how or "it was stopped by us"
        if self._reader.is_alive():
            self._reader.join()
        self._input = self._output = -1
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()


def kill_marked(token: str, variable: str = TOKEN) -> None:
    """Kill every process whose environment, as it was started with, marks it; ours is spared.

    This finds what has left its process group and its parent, as a daemon does. What was started
    with another environment, or by another user, is not found. Does nothing but on Linux.

    Parameters
    ----------
    token : str
        The value that marks them.
    variable : str
        The variable that has it.
    """
    if sys.platform != "linux":
        return
    mark = f"{variable}={token}".encode()
    until = time.monotonic() + _LONGEST_KILL
    pause = 0.001
    while _kill_once(mark) and time.monotonic() < until:
        time.sleep(pause)
        pause = min(2 * pause, 0.1)


def _kill_once(mark: bytes) -> int:
    """Kill what is marked at this moment; the number of processes."""
    found = 0
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        # Gone in the meantime, or somebody else's.
        with contextlib.suppress(OSError):
            if mark in Path("/proc", name, "environ").read_bytes().split(b"\0"):
                os.kill(int(name), signal.SIGKILL)
                found += 1
    return found


@contextlib.contextmanager
def _signals_held() -> Iterator[set[int]]:
    """Let signals wait, so that none leaves a process of which nobody knows; the mask before.

    A thread that is started meanwhile never gets any: they come to the main thread, where they
    interrupt what waits.
    """
    if sys.platform == "win32":
        yield set()
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield set(before)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _before_exec(memory_mb: int | None, mask: set[int]) -> Callable[[], None] | None:
    """What a new process does before it becomes the bot: tie its life and its memory."""
    if sys.platform == "win32":
        return None
    import resource

    parent = os.getpid()
    # On Linux the data segment is all that a process may write to privately. Its address space
    # would count what is only reserved too, of which Java, Go and Node take gigabytes.
    which = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    limit = None
    if memory_mb is not None:
        limit = memory_mb << 20
        hard = resource.getrlimit(which)[1]
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)

    def before_exec() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if _PRCTL is not None:
            _PRCTL(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
        if limit is not None:
            with contextlib.suppress(OSError, ValueError):  # macOS may refuse
                resource.setrlimit(which, (limit, limit))

    return before_exec


def _why_not_started(argv: Sequence[str], folder: str, error: Exception) -> str:
    """Why a program did not start, and what to do."""
    program = argv[0]
    start = f"the program {program!r} cannot be started"
    where = Path(folder or ".")
    path = where / program
    if not isinstance(error, OSError):
        return f"{start}: {error}"
    if folder and not where.is_dir():
        return f"{start}: its working folder {folder} is missing"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        if "/" not in program and path.is_file():
            return (
                f"{start}: a name without a folder is looked for on the PATH; write './{program}'"
            )
        if "/" not in program and shutil.which(program) is None:
            return f"{start}: there is none of this name on the PATH"
        if path.is_file():
            return f"{start}: {path} names an interpreter in its first line that is missing"
        return f"{start}: there is no file {path}"
    if error.errno == errno.EACCES:
        if path.is_dir():
            return f"{start}: {path} is a folder"
        return f"{start}: {path} is not executable; run: chmod +x {path}"
    if error.errno == errno.ENOEXEC:
        return (
            f"{start}: {path} is no program for this machine; a script needs a first line such as "
            "'#!/bin/sh' or '#!/usr/bin/env python3'"
        )
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return (
            f"{start}: too many files are open; raise the limit (ulimit -n) or use fewer processes"
        )
    return f"{start}: {error.strerror}"


def ending(code: int) -> str:
    """How a process ended, by its return code: below zero the number of a signal."""
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        name = f" ({signal.Signals(-code).name})"
    except ValueError:
        name = ""
    return f"it was killed by signal {-code}{name}"
