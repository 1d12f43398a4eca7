"""Playing a run: parts out to an executor, results back into the folder."""

from __future__ import annotations

import contextlib
import datetime
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
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
    play_itself,
    play_part,
    process_pool,
    warm_up,
)
from hearts_sim.tournament.folder import CONFIG_FILE, RunFolder
from hearts_sim.tournament.player import PartResult
from hearts_sim.tournament.referee import Referee
from hearts_sim.tournament.schedule import Part
from hearts_sim.tournament.spec import RunSpec

_LOOK_SECONDS = 0.25


class Watcher(Protocol):
    """Who is told how a run goes."""

    def compiling(self) -> None:
        """The engine or strategies may have to be compiled now."""

    def started(self, games: int) -> None:
        """The games begin."""

    def continued(self, games: int) -> None:
        """The run goes on with so many games that are played already."""

    def advanced(self, games: int) -> None:
        """So many games are played by now."""

    def interim(self, text: str) -> None:
        """How a run that ends by its results stands."""


class Silent:
    """A watcher that says nothing."""

    def compiling(self) -> None:
        """Say nothing."""

    def started(self, games: int) -> None:
        """Say nothing."""

    def continued(self, games: int) -> None:
        """Say nothing."""

    def advanced(self, games: int) -> None:
        """Say nothing."""

    def interim(self, text: str) -> None:
        """Say nothing."""


@dataclass
class Outcome:
    """What became of a run.

    `played` is whether there was anything to play; `verdict` is the last look at a run that ends by
    its results.
    """

    folder: RunFolder
    played: bool
    seconds: float = 0.0
    verdict: Mapping[str, Any] | None = None


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
    resume: bool = False,
    watcher: Watcher | None = None,
) -> Outcome:
    """Play a run into a folder, or what a larger budget adds to the run that is there.

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
    resume : bool
        Go on with a run that did not finish.

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
        before: dict[str, Any] = {}
        if folder.exists() and not force:
            before = folder.info()
            if _is_done(before, spec):
                # The report may be another: its settings change no game.
                folder.write_info(before | {"config": config})
                return Outcome(folder, played=False, verdict=before.get("verdict"))
            _refuse(folder, before, spec, resume)
        elif not force and any(path.name[0] != "." for path in folder.path.iterdir()):
            raise ResultsError(
                f"{folder.path} is not empty and holds no run: give another folder with -o, or "
                "--force to write into it"
            )
        if not before:
            folder.clear()
        began = time.time()
        info = _describe(spec, config, began)
        if before:
            # What a finished run has played is kept, whatever a new rule would have decided.
            finished = before["status"] == "finished"
            info["kept_blocks"] = before["blocks"] if finished else before.get("kept_blocks", 0)
            info["started"] = before["started"]
        folder.write_info(info)
        if source is not None:
            folder.write(CONFIG_FILE, source.encode())
        ended = _play(spec, folder, jobs, watcher or Silent(), info.get("kept_blocks", 0), began)
        seconds = time.time() - began
        notes = folder.parts().values()
        info |= {
            "status": "finished",
            "finished": _timestamp(time.time()),
            "seconds": round(before.get("seconds", 0) + seconds, 3),
            "blocks": ended.blocks,
            "games": sum(part["games"] for part in notes),
            "hands": sum(part["hands"] for part in notes),
            "verdict": ended.verdict,
            "checks": ended.checks,
            "digest": folder.digest(),
        }
        folder.write_info(info)
    return Outcome(folder, played=True, seconds=seconds, verdict=ended.verdict)


def _is_done(info: dict[str, Any], spec: RunSpec) -> bool:
    if info.get("status") != "finished" or info.get("fingerprint") != spec.fingerprint():
        return False
    verdict = info.get("verdict") or {"rule": None, "ends": False}
    if verdict["rule"] != (None if spec.stop is None else spec.stop.plain()):
        return False  # there may be nothing to play, but something to decide
    return bool(verdict["ends"] or info.get("blocks") == spec.schedule.blocks)


def _refuse(folder: RunFolder, info: dict[str, Any], spec: RunSpec, resume: bool) -> None:
    """Refuse to touch a run that the spec does not continue."""
    if info.get("fingerprint") != spec.fingerprint():
        unlike = _difference(info.get("identity", {}), spec.identity())
        what = f"another run (not the same {unlike})"
    elif info.get("status") != "finished":
        played = max((notes["blocks"][1] for notes in folder.parts().values()), default=0)
        if resume and played <= spec.schedule.blocks:
            return
        if resume:
            raise ResultsError(
                f"{folder.path} holds {played:,} blocks of this config, more than the "
                f"{spec.schedule.blocks:,} that it asks for now: ask for as many"
            )
        raise ResultsError(
            f"{folder.path} holds a run of this config that did not finish: --resume goes on with "
            "it, --force deletes it"
        )
    elif info["blocks"] > spec.schedule.blocks:
        what = f"a run of this config with {info['games']:,} games, more than these"
    else:
        return  # a larger budget continues it
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


@dataclass
class _Ended:
    """How a run ended: after which block, by what verdict, and what it found out about itself."""

    blocks: int
    verdict: dict[str, Any] | None
    checks: dict[str, Any]


def _play(
    spec: RunSpec, folder: RunFolder, jobs: int | None, watcher: Watcher, kept: int, began: float
) -> _Ended:
    """Play every part that is missing and write it as it comes back."""
    parts = spec.schedule.parts()
    played = _usable(folder, parts)
    referee = Referee(spec, folder, parts, kept)
    ended = referee.look(played, watcher.interim)
    waiting = [part for part in parts if part.number not in played][::-1]
    if ended:
        waiting.clear()
    if played:
        watcher.continued(sum(played.values()))
    progress = _Progress(watcher)
    with _executor(jobs, progress) as (executor, window):
        running: set[Future[PartResult]] = set()
        numbers: dict[Future[PartResult], int] = {}
        try:
            watcher.compiling()
            executor.submit(warm_up, spec).result()
            watcher.started(spec.schedule.total_games - sum(played.values()))
            while waiting or running:
                while waiting and len(running) < window:
                    part = waiting.pop()
                    future = executor.submit(play_part, spec, part.number, part.blocks)
                    running.add(future)
                    numbers[future] = part.number
                done, running = wait(running, _LOOK_SECONDS, FIRST_COMPLETED)
                progress.tell()
                for future in sorted(done, key=numbers.__getitem__):
                    result = future.result()
                    _keep(folder, result, spec, parts[result.number].blocks)
                    played[result.number] = result.games
                    del numbers[future]
                if referee.look(played, watcher.interim):
                    waiting.clear()
                    for future in running:
                        future.cancel()
                    running = {future for future in running if not future.cancelled()}
            end = spec.schedule.blocks if referee.ended_at is None else referee.ended_at
            for part in parts:
                if part.blocks.start >= end:
                    folder.drop_part(part.number)
            seconds = (time.time() - began) * (jobs or 1)
            checks = _check(spec, folder, executor, seconds)
        except KeyboardInterrupt:
            _finish(folder, running, spec, parts)
            raise RunInterrupted(
                f"interrupted: what was played is in {folder.path}; the same command with --resume "
                "goes on"
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
    return _Ended(end, referee.plain(), checks)


def _usable(folder: RunFolder, parts: Sequence[Part]) -> dict[int, int]:
    """Games of the parts that are played already.

    Only the last part of a smaller run is another one in a larger run. It stays until that one is
    written.
    """
    wanted = {part.number: [part.blocks.start, part.blocks.stop] for part in parts}
    return {
        number: notes["games"]
        for number, notes in folder.parts().items()
        if notes["blocks"] == wanted.get(number)
    }


def _check(spec: RunSpec, folder: RunFolder, executor: Executor, seconds: float) -> dict[str, Any]:
    """What a run finds out about itself when it is played."""
    from hearts_sim.tournament.checks import alike, count_deals, worth_checking
    from hearts_sim.tournament.tally import numbers

    notes = folder.parts()
    games = (numbers(folder.read_part("games", part, ("block", "hands"))) for part in sorted(notes))
    deals = count_deals(spec.seed, games)
    entries = worth_checking(spec.names, notes.values(), seconds)
    futures = {entry: executor.submit(play_itself, spec, entry) for entry in entries}
    digests: dict[int, str | None] = {}
    for entry, future in futures.items():
        # The games are played: a process that dies over this takes nothing away.
        with contextlib.suppress(BrokenProcessPool):
            digests[entry] = future.result()
    return {
        "deals": deals,
        "alike": alike(spec.names, digests),
        "not_compared": [
            name for entry, name in enumerate(spec.names) if digests.get(entry) is None
        ],
    }


def _finish(
    folder: RunFolder, running: set[Future[PartResult]], spec: RunSpec, parts: Sequence[Part]
) -> None:
    """After an interruption: keep what is being played; a second one leaves it."""
    for future in running:
        future.cancel()
    with contextlib.suppress(KeyboardInterrupt, Exception):
        for future in running:
            if not future.cancelled():
                result = future.result()
                _keep(folder, result, spec, parts[result.number].blocks)


def _keep(folder: RunFolder, part: PartResult, spec: RunSpec, blocks: range) -> None:
    folder.drop_part(part.number)  # the shorter one of a smaller run
    folder.write_part(
        part.number,
        part.files,
        {
            "blocks": [blocks.start, blocks.stop],
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
