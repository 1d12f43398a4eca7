"""Where parts are played: in this process, or in player processes of their own."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any

from hearts_sim.tournament.player import PartResult, Player
from hearts_sim.tournament.spec import RunSpec

_players: dict[str, Player] = {}
_games: Any = None


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_part(spec: RunSpec, number: int, blocks: range) -> PartResult:
    """Play a part; the task that every executor runs."""
    try:
        return _player(spec).play(number, blocks)
    except BaseException:
        # Its machine stands in the middle of a game, which nobody may go on with.
        _players.clear()
        raise


def play_itself(spec: RunSpec, entry: int) -> str | None:
    """Digest of a game of an entry with itself; a task too."""
    from hearts_sim.tournament.checks import game_with_itself

    return game_with_itself(spec, _player(spec).lineup, entry)


def warm_up(spec: RunSpec) -> None:
    """Load and compile what a run needs; a task too."""
    _player(spec).warm_up()


def _player(spec: RunSpec) -> Player:
    key = spec.fingerprint()
    if key not in _players:
        _players.clear()
        _players[key] = Player(spec, _count_games)
    return _players[key]


def _count_games(games: int) -> None:
    if _games is not None:
        with _games.get_lock():
            _games.value += games


class InlineExecutor(Executor):
    """Runs every task at once in the caller's own process and thread.

    So that ``breakpoint()`` works in a strategy; an interruption passes straight through.
    """

    def __init__(self, progress: Callable[[int], None]) -> None:
        self._progress = progress

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the task and return its finished future."""
        future: Future[Any] = Future()
        player = _player(args[0])
        player.progress = self._progress
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def process_pool(jobs: int) -> tuple[Executor, Any]:
    """Player processes, and the counter of games that they keep in shared memory."""
    context = multiprocessing.get_context("spawn")
    counter = context.Value("q", 0)
    pool = ProcessPoolExecutor(jobs, context, _begin_player, (counter, os.getpid()))
    return pool, counter


def _begin_player(counter: Any, parent: int) -> None:
    """A player process leaves Ctrl-C to its parent, and ends when the parent is gone.

    What strategies print goes to stderr: stdout is for the results.
    """
    global _games
    _games = counter
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
    threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
