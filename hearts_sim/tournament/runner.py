"""Playing a run: parts out to an executor, results back into the folder."""

from __future__ import annotations

import contextlib
import datetime
import os
import platform
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from hearts_sim.errors import ResultsError, RunInterrupted
from hearts_sim.rules import RULES_VERSION
from hearts_sim.tournament.columns import SCHEMA_VERSION
from hearts_sim.tournament.executors import (
    InlineExecutor,
    play_part,
    process_pool,
    warm_up,
)
from hearts_sim.tournament.folder import CONFIG_FILE, RunFolder
from hearts_sim.tournament.player import PartResult
from hearts_sim.tournament.schedule import parts
from hearts_sim.tournament.spec import RunSpec

_LOOK_SECONDS = 0.25


class Watcher(Protocol):
    """Who is told how a run goes."""

    def compiling(self) -> None:
        """The engine or strategies may have to be compiled now."""

    def started(self, games: int) -> None:
        """The games begin."""

    def advanced(self, games: int) -> None:
        """So many games are played by now."""


class Silent:
    """A watcher that says nothing."""

    def compiling(self) -> None:
        """Say nothing."""

    def started(self, games: int) -> None:
        """Say nothing."""

    def advanced(self, games: int) -> None:
        """Say nothing."""


@dataclass
class Outcome:
    """What became of a run: where it is, and whether it was there already."""

    folder: RunFolder
    played: bool
    seconds: float = 0.0


@dataclass
class _Progress:
    """Games played, from a shared counter or counted here."""

    watcher: Watcher
    counter: Any = None
    games: int = 0
    _told: int = field(default=-1)

    def add(self, games: int) -> None:
        self.games += games
        self.tell()

    def tell(self) -> None:
        games = self.games if self.counter is None else int(self.counter.value)
        if games != self._told:
            self._told = games
            self.watcher.advanced(games)


def play_run(
    spec: RunSpec,
    output: str | os.PathLike[str],
    *,
    config: dict[str, Any],
    source: str | None = None,
    jobs: int | None = None,
    force: bool = False,
    watcher: Watcher | None = None,
) -> Outcome:
    """Play a run into a folder.

    Parameters
    ----------
    spec : RunSpec
    output : path
        The results folder; made if it is not there.
    config : dict
        The resolved config, for ``run.json``; `source` is its text, for ``config.yaml``.
    jobs : int, optional
        Number of player processes; None plays in this process. Results do not depend on it.
    force : bool
        Delete another run that is in the folder.

    Raises
    ------
    ResultsError
        When the folder holds another run, or cannot be written.
    StrategyFault
        When a strategy failed. What was written before is kept.
    RunInterrupted
        After Ctrl-C; parts in play are finished and kept.
    """
    folder = RunFolder(output)
    with folder.locked():
        if folder.exists():
            if not force and _is_done(folder, spec):
                # The report may be another: its settings change no game.
                folder.write_info(folder.info() | {"config": config})
                return Outcome(folder, played=False)
            if not force:
                _refuse(folder, spec)
        elif not force and any(path.name[0] != "." for path in folder.path.iterdir()):
            raise ResultsError(
                f"{folder.path} is not empty and holds no run: give another folder with -o, or "
                "--force to write into it"
            )
        folder.clear()
        began = time.time()
        info = _describe(spec, config, began)
        folder.write_info(info)
        if source is not None:
            folder.write(CONFIG_FILE, source.encode())
        _play(spec, folder, jobs, watcher or Silent())
        seconds = time.time() - began
        notes = folder.parts().values()
        info |= {
            "status": "finished",
            "finished": _timestamp(time.time()),
            "seconds": round(seconds, 3),
            "hands": sum(part["hands"] for part in notes),
            "digest": folder.digest(),
        }
        folder.write_info(info)
    return Outcome(folder, played=True, seconds=seconds)


def _is_done(folder: RunFolder, spec: RunSpec) -> bool:
    info = folder.info()
    return (
        info.get("status") == "finished"
        and info.get("fingerprint") == spec.fingerprint()
        and info.get("blocks") == spec.schedule.blocks
    )


def _refuse(folder: RunFolder, spec: RunSpec) -> None:
    info = folder.info()
    if info.get("fingerprint") != spec.fingerprint():
        what = f"another run ({_difference(info.get('identity', {}), spec.identity())} differ)"
    elif info.get("status") != "finished":
        what = "a run of this config that did not finish"
    else:
        what = f"a run of this config with {info.get('games')} games"
    raise ResultsError(
        f"{folder.path} holds {what}: give another folder with -o, or --force to delete that run "
        "and play this one"
    )


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    return ", ".join(key for key in new if old.get(key) != new[key]) or "versions"


def _describe(spec: RunSpec, config: dict[str, Any], began: float) -> dict[str, Any]:
    import numba
    import numpy

    from hearts_sim import __version__

    return {
        "schema_version": SCHEMA_VERSION,
        "rules_version": RULES_VERSION,
        "hearts_sim": __version__,
        "name": spec.name,
        "status": "running",
        "started": _timestamp(began),
        "fingerprint": spec.fingerprint(),
        "identity": spec.identity(),
        "blocks": spec.schedule.blocks,
        "games": spec.schedule.total_games,
        "files": {entry.name: entry.file for entry in spec.entries},
        "config": config,
        "environment": {
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "numba": numba.__version__,
            "platform": platform.platform(),
            "cores": os.cpu_count(),
            "command": sys.argv,
        },
    }


def _timestamp(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")


@contextlib.contextmanager
def _executor(jobs: int | None, progress: _Progress) -> Iterator[tuple[Executor, int]]:
    """The executor and how many tasks it is given at a time."""
    if jobs is None:
        yield InlineExecutor(progress.add), 1
        return
    pool, progress.counter = process_pool(jobs)
    try:
        yield pool, 2 * jobs
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _play(spec: RunSpec, folder: RunFolder, jobs: int | None, watcher: Watcher) -> None:
    """Play every part and write it as it comes back."""
    waiting = list(enumerate(parts(spec.schedule.blocks)))[::-1]
    progress = _Progress(watcher)
    with _executor(jobs, progress) as (executor, window):
        running: set[Future[PartResult]] = set()
        numbers: dict[Future[PartResult], int] = {}
        try:
            watcher.compiling()
            executor.submit(warm_up, spec).result()
            watcher.started(spec.schedule.total_games)
            while waiting or running:
                while waiting and len(running) < window:
                    number, blocks = waiting.pop()
                    future = executor.submit(play_part, spec, number, blocks)
                    running.add(future)
                    numbers[future] = number
                done, running = wait(running, _LOOK_SECONDS, FIRST_COMPLETED)
                progress.tell()
                for future in sorted(done, key=numbers.__getitem__):
                    _keep(folder, future.result(), spec)
                    del numbers[future]
        except KeyboardInterrupt:
            _finish(folder, running, spec)
            raise RunInterrupted(
                f"interrupted: what was played is in {folder.path}; start again with --force"
            ) from None
        except BrokenProcessPool:
            raise ResultsError(
                "a player process died (killed, out of memory, or a strategy ended it; a script "
                "that plays with jobs must do so under if __name__ == '__main__'); what was "
                f"played before is in {folder.path}"
            ) from None
        finally:
            for future in running:
                future.cancel()


def _finish(folder: RunFolder, running: set[Future[PartResult]], spec: RunSpec) -> None:
    """After an interruption: keep what is being played; a second one leaves it."""
    for future in running:
        future.cancel()
    with contextlib.suppress(KeyboardInterrupt, Exception):
        for future in running:
            if not future.cancelled():
                _keep(folder, future.result(), spec)


def _keep(folder: RunFolder, part: PartResult, spec: RunSpec) -> None:
    folder.write_part(
        part.number,
        part.files,
        {
            "digest": part.digest,
            "games": part.games,
            "hands": part.hands,
            "decisions": dict(zip(spec.names, part.decisions, strict=True)),
            "nanoseconds": dict(zip(spec.names, part.nanoseconds, strict=True)),
        },
    )


def results_path(name: str, output: str | os.PathLike[str] | None) -> Path:
    """Where a run goes: to `output`, or to ``results/<name>`` below the current folder."""
    return Path(output) if output is not None else Path("results") / name
