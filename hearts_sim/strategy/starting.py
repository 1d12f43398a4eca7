"""Starting the process of a bot: in a thread of its own, tied to us, or saying why it cannot be.

A signal whose handler raises may come at any moment, also between the start of a process and our
knowing of it. Handlers run in the main thread, so another one does the start. On Linux a process
can be told to die with the thread that started it, so that thread lasts as long as we do.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import ctypes
import errno
import os
import queue
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

_PR_SET_PDEATHSIG = 1

# Looked up before any fork: between fork and exec there must be as little to do as possible.
_PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

_Future = concurrent.futures.Future[None]
_starter: _Starter | None = None


def in_starter(work: Callable[[], None]) -> None:
    """Do some work in the thread that starts bots, and wait for it.

    Whatever comes out of here, a signal's exception too, comes when the work is over: done as a
    whole, or never begun.

    Raises
    ------
    BaseException
        What the work raised, or the handler of a signal.
    """
    global _starter
    future = _Future()
    try:
        # After a fork the thread is in the other process.
        if _starter is None or _starter.process != os.getpid():
            starter = _Starter()
            starter.start()
            _starter = starter
        _starter.works.put((work, future))
        future.result()
    except BaseException:
        if not future.cancel():
            concurrent.futures.wait([future])
        raise


class _Starter(threading.Thread):
    """The thread that starts bots; it ends with the process."""

    def __init__(self) -> None:
        super().__init__(name="starter of bots", daemon=True)
        self.works: queue.SimpleQueue[tuple[Callable[[], None], _Future]] = queue.SimpleQueue()
        self.process = os.getpid()

    def run(self) -> None:
        """Do what comes, for ever."""
        if sys.platform != "win32":
            # Here and in threads that are started here: a signal must come to the main thread, to
            # interrupt what waits there.
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            work, future = self.works.get()
            if future.set_running_or_notify_cancel():
                try:
                    work()
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(None)
            del work, future  # they keep alive what they know


def before_exec(memory_mb: int | None) -> Callable[[], None] | None:
    """What a new process does before it becomes the bot: tie its life and its memory."""
    if sys.platform == "win32":
        return None
    import resource

    parent = os.getpid()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    # On Linux the data segment is all that a process may write to privately. Its address space
    # would count what is only reserved too, of which Java, Go and Node take gigabytes.
    which = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    limit = None
    if memory_mb is not None:
        limit = memory_mb << 20
        hard = resource.getrlimit(which)[1]
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)

    def tie() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if _PRCTL is not None:
            _PRCTL(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
        if limit is not None:
            with contextlib.suppress(OSError, ValueError):  # macOS may refuse
                resource.setrlimit(which, (limit, limit))

    return tie


def why_not_started(argv: Sequence[str], folder: str, error: Exception) -> str:
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
