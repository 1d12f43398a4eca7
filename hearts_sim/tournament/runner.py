"""Playing a run into its folder: whether that may be, what is kept of it, and how it ended."""

from __future__ import annotations

import datetime
import os
import platform
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hearts_sim.errors import ResultsError
from hearts_sim.rules import RULES_VERSION
from hearts_sim.tournament.columns import SCHEMA_VERSION
from hearts_sim.tournament.course import Silent, Watcher, play_parts
from hearts_sim.tournament.folder import CONFIG_FILE, RunFolder
from hearts_sim.tournament.spec import RunSpec


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


def play_run(
    spec: RunSpec,
    output: str | os.PathLike[str],
    *,
    config: dict[str, Any],
    source: str | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
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
        Number of player processes; None plays in this process, or in one player process where
        time or memory is limited. Results do not depend on it.
    scheduler : str, optional
        Address of a Dask scheduler: its workers play, and `jobs` does not count.
    force : bool
        Delete another run that is in the folder.
    resume : bool
        Go on with a run that did not finish.

    Raises
    ------
    ResultsError
        When the folder holds another run, or cannot be written.
    StrategyFault
        When a strategy failed and the rules on faults are strict. What was written before is kept.
    StrategyLoadError
        When strategies cannot be loaded, with strict rules or so many that nothing can be played.
    ClusterError
        When the cluster cannot be reached, or one of its workers cannot play.
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
        if scheduler is not None:
            info["environment"]["scheduler"] = scheduler
        if before:
            # What a finished run has played is kept, whatever a new rule would have decided.
            finished = before["status"] == "finished"
            info["kept_blocks"] = before["blocks"] if finished else before.get("kept_blocks", 0)
            info["started"] = before["started"]
        folder.write_info(info)
        if source is not None:
            folder.write(CONFIG_FILE, source.encode())
        if jobs is None and (spec.faults.timed or spec.faults.memory_mb is not None):
            jobs = 1  # nothing can stop a bot in one's own process
        kept = info.get("kept_blocks", 0)
        ended = play_parts(spec, folder, jobs, watcher or Silent(), kept, began, scheduler)
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
            "disqualified": ended.disqualified,
            "ended_early": ended.early,
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
    at_end = info.get("blocks") == spec.schedule.blocks
    return bool(verdict["ends"] or at_end or info.get("ended_early"))


def _refuse(folder: RunFolder, info: dict[str, Any], spec: RunSpec, resume: bool) -> None:
    """Refuse to touch a run that the spec does not continue."""
    if info.get("fingerprint") != spec.fingerprint():
        unlike = _difference(info.get("identity", {}), spec.identity())
        what = f"another run (not the same {unlike})"
    elif info.get("status") != "finished":
        played = max((notes["blocks"][1] for notes in folder.parts().values()), default=0)
        if not played:
            return  # it ended before it began, as on a cluster that could not be reached
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
        "entries": [asdict(entry) for entry in spec.entries],
        "not_loaded": [
            dict(zip(("file", "message"), message.split(": ", 1), strict=True))
            for message in spec.not_loaded
        ],
        "config": config,
        "environment": {
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "numba": version("numba"),
            "platform": platform.platform(),
            "cores": os.cpu_count(),
            "command": sys.argv,
        },
    }


def _timestamp(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")


def results_path(name: str, output: str | os.PathLike[str] | None) -> Path:
    """Where a run goes: to `output`, or to ``results/<name>`` below the current folder."""
    return Path(output) if output is not None else Path("results") / name
