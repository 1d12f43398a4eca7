"""Where tasks are done: in this process, or in player processes of their own."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from hearts_sim.tournament.players import supervise


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class InlineExecutor(Executor):
    """Runs every task at once in the caller's own process and thread.

    So that ``breakpoint()`` works in a strategy; an interruption passes straight through.
    """

    def __init__(self, progress: Callable[[int], None]) -> None:
        from hearts_sim.tournament.players import tasks

        supervise.begin()  # an audit plays in a process, also where the run before was left
        self._rest = tasks.rest
        tasks.tell_progress(progress)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the task and return its finished future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the bots that have processes of their own."""
        self._rest()


class PlayerPool(ThreadPoolExecutor):
    """Threads, each with a player process that does what the thread is given."""

    def __init__(self, jobs: int) -> None:
        supervise.begin()
        super().__init__(jobs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let what is in play come to its end, then end the processes."""
        super().shutdown(wait=wait, cancel_futures=cancel_futures)
        supervise.end_processes()
