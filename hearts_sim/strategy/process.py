"""The process of a bot: started, written to, read from, and ended with all that it started.

A bot may do anything to us but hurt the run: it may write without end, never read, die in the
middle of a line, or leave children behind. Whatever waits here can be interrupted by a signal whose
handler raises; the process is then to be killed, since nobody knows what it will say next.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hearts_sim.errors import StrategyLoadError
from hearts_sim.strategy.data_limit import data_limit
from hearts_sim.strategy.faults import BotCrash, BotProtocolError
from hearts_sim.strategy.starting import before_exec, in_starter, why_not_started

TOKEN = "HEARTS_SIM_BOT"
"""Variable in the environment of a bot, with a value that no other process has."""

_BLOCK = 1 << 16
_STACK_BYTES = 1 << 19
_MOST_UNREAD = 1 << 20
_MOST_STDERR = 1 << 14
_TAIL_LINES, _TAIL_CHARACTERS = 20, 2000
_LONGEST_KILL = 10.0
_PF_EXITING, _PF_KTHREAD = 0x4, 0x200000  # flags of a process in /proc/PID/stat


class BotProcess:
    """A bot's process: started at once, read and written by bytes, ended with all its children.

    On Linux it dies with us.

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
    holder : list, optional
        Where it is put as soon as it runs: a signal whose handler raises may keep the caller from
        ever getting it.

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
        holder: list[BotProcess] | None = None,
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
        before = before_exec(memory_mb)

        def start() -> None:
            self._have(
                subprocess.Popen(
                    list(argv),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    cwd=folder or None,
                    env={**os.environ, **(environment or {}), TOKEN: self.token},
                    start_new_session=True,
                    preexec_fn=before,
                )
            )
            if holder is not None:
                holder.append(self)

        try:
            with _room():
                in_starter(start)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise StrategyLoadError(why_not_started(argv, folder, error)) from None
        except BaseException:
            if hasattr(self, "pid"):
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


@contextlib.contextmanager
def _room() -> Iterator[None]:
    """Lift a limit of memory while a process is started.

    It is meant for strategies that play here: not for what is started, which would inherit it, and
    not for the thread that listens to it, which gets a small stack so as to leave room for others.
    """
    stack = threading.stack_size(_STACK_BYTES)
    try:
        with data_limit(None):
            yield
    finally:
        threading.stack_size(stack)


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
    done = {str(os.getpid())}
    # Until there is nobody new: who has just ended may have left a child.
    while todo := [name for name in os.listdir("/proc") if name.isdigit() and name not in done]:
        done.update(name for name in todo if not _is_marked(Path("/proc", name), mark))
        if time.monotonic() > until:
            return
        if not done.issuperset(todo):
            time.sleep(pause)
            pause = min(2 * pause, 0.1)


def _is_marked(folder: Path, mark: bytes) -> bool:
    """Kill a process if it is marked; True if it is, or if one must look once more."""
    try:
        environment = (folder / "environ").read_bytes()
        if not environment:
            return _is_between(folder)
        if mark not in environment.split(b"\0"):
            return False
        os.kill(int(folder.name), signal.SIGKILL)
        return True
    except OSError:  # gone in the meantime, or somebody else's
        return False


def _is_between(folder: Path) -> bool:
    """Whether a process is about to become another program: then it has no environment yet.

    See proc(5) for the fields of ``stat``.
    """
    fields = (folder / "stat").read_text("utf-8", "replace").rsplit(")", 1)[1].split()
    state, flags, env_start, env_end = fields[0], int(fields[6]), int(fields[47]), int(fields[48])
    if state in "ZX" or flags & (_PF_EXITING | _PF_KTHREAD):
        return False
    return env_end == 0 or env_start < env_end  # or it has become one since


def ending(code: int) -> str:
    """How a process ended, by its return code: below zero the number of a signal."""
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        name = f" ({signal.Signals(-code).name})"
    except ValueError:
        name = ""
    return f"it was killed by signal {-code}{name}"
