"""Playing a run into its folder: whether that may be, what is kept of it, and how it ended."""

from __future__ import annotations

import datetime
import os
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hearts_sim.errors import HeartsError, ResultsError
from hearts_sim.rules import RULES_VERSION
from hearts_sim.tournament.log.columns import SCHEMA_VERSION
from hearts_sim.tournament.log.durable import CannotWrite
from hearts_sim.tournament.log.folder import CONFIG_FILE, DamagedRun, RunFolder
from hearts_sim.tournament.log.verify import Found, examine
from hearts_sim.tournament.plan.shards import Shard, shard_of
from hearts_sim.tournament.plan.spec import RunSpec
from hearts_sim.tournament.run.course import Start, play_parts
from hearts_sim.tournament.run.watching import Watcher


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
    shard: Shard | None = None,
    command: Sequence[str] | None = None,
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
        Go on with a run that did not finish. Every part that is there is verified, and what is
        damaged is played again.
    shard : Shard, optional
        Play only the parts of this shard, all of them: who is disqualified, and where the run ends
        by its results, is decided when the shards are merged.
    command : sequence of str, optional
        The command that plays this run, for ``run.json``.

    Raises
    ------
    ResultsError
        When the folder holds another run, or cannot be written; or when another version played what
        is there, and this one plays otherwise.
    StrategyFault
        When a strategy failed and the rules on faults are strict. What was written before is kept.
    StrategyLoadError
        When strategies cannot be loaded, with strict rules or so many that nothing can be played.
    ClusterError
        When the cluster cannot be reached, or one of its workers cannot play.
    RunInterrupted
        After Ctrl-C; parts in play are finished and kept.
    """
    folder, watcher = RunFolder(output), watcher or Watcher()
    with folder.locked():
        before, found = ({}, Found()) if force else _look(folder, spec, shard, resume)
        if before and _is_done(before, spec, shard) and not _missing(before, spec, found):
            # The report may be another: its settings change no game.
            folder.write_info(before | {"config": config})
            return Outcome(folder, played=False, verdict=before.get("verdict"))
        if before:
            folder.sweep()
            _say_what_is_wrong(folder, found, watcher)
        else:
            folder.clear()
        began = time.time()
        info = _describe(spec, config, began) | {
            "shard": None if shard is None else shard.plain(),
            "command": list(command or ()),
        }
        if scheduler is not None:
            info["environment"]["scheduler"] = scheduler
        if before:
            # What a finished run has played is kept, whatever a new rule would have decided.
            finished = before["status"] == "finished"
            info["kept_blocks"] = before["blocks"] if finished else before.get("kept_blocks", 0)
            info["started"] = before["started"]
        here = [info["hearts_sim"], info["environment"]["engine"]]
        versions = before.get("played_by", []) if found.kept else []
        info["played_by"] = list(versions) or [here]
        try:
            folder.write_info(info)
            if source is not None:
                folder.write(CONFIG_FILE, source.encode())
            if jobs is None and (spec.faults.timed or spec.faults.memory_mb is not None):
                jobs = 1  # nothing can stop a bot in one's own process
            start = Start(
                found.kept,
                info.get("kept_blocks", 0),
                "" if here in info["played_by"] else " and ".join(v for v, _ in versions),
                shard,
            )
            ended = play_parts(spec, folder, jobs, watcher, start, began, scheduler)
            info["played_by"] += [] if here in versions or not versions else [here]
            seconds = time.time() - began
            info |= {
                "status": "finished" if shard is None else "shard",
                "finished": _timestamp(time.time()),
                "seconds": round(before.get("seconds", 0) + seconds, 3),
                **sums(folder),
                "blocks": ended.blocks,
                "verdict": ended.verdict,
                "checks": ended.checks,
                "disqualified": ended.disqualified,
                "ended_early": ended.early,
                "audit": ended.audit,
            }
            folder.write_info(info)
        except CannotWrite as error:
            raise CannotWrite(
                f"{error}: the same command with --resume goes on from there"
            ) from None
    return Outcome(folder, played=True, seconds=seconds, verdict=ended.verdict)


def sums(folder: RunFolder) -> dict[str, Any]:
    """What ``run.json`` says of all parts together."""
    notes = folder.parts().values()
    return {
        "games": sum(part["games"] for part in notes),
        "hands": sum(part["hands"] for part in notes),
        "digest": folder.digest(),
    }


def _look(
    folder: RunFolder, spec: RunSpec, shard: Shard | None, resume: bool
) -> tuple[dict[str, Any], Found]:
    """What is in a folder: ``run.json`` and parts of this run; nothing if it is empty.

    Raises
    ------
    ResultsError
        When the spec does not continue what is there.
    """
    parts = spec.schedule.parts()
    try:
        before = folder.info() if folder.exists() else {}
    except DamagedRun as error:
        before = {"damaged": str(error)}
    if not before or "damaged" in before:
        found = examine(folder, parts, spec.fingerprint())
        if resume and found.kept:
            # The parts are the truth, and each says which run it is of.
            now = _timestamp(time.time())
            return {"status": "running", "started": now, "blocks": 0}, found
        if before:
            tip = ": --resume goes on with the parts that are there" if found.kept else ""
            raise DamagedRun(f"{before['damaged']}{tip or '; --force deletes that run'}")
        if any(path.name[0] != "." for path in folder.path.iterdir()):
            raise ResultsError(
                f"{folder.path} is not empty and holds no run: give another folder with -o, or "
                "--force to write into it"
            )
        return {}, found
    _refuse_another(folder, before, spec, shard)
    # Without --resume nothing is broken off, so a look at the sizes is enough.
    found = examine(folder, parts, spec.fingerprint(), thorough=resume)
    if before["status"] == "running":
        _refuse_unfinished(folder, spec, found, resume)
    elif before["blocks"] > spec.schedule.blocks:
        raise _refusal(
            folder, f"a run of this config with {before['games']:,} games, more than these"
        )
    missing = _missing(before, spec, found)
    if missing and not resume:
        first = missing[0]
        why = found.damaged.get(first, "its notes are missing")
        raise ResultsError(
            f"{folder.path} holds this run, but {len(missing)} of its parts are damaged or missing "
            f"(part {first}: {why}): --resume plays them again"
        )
    return before, found


def _missing(info: dict[str, Any], spec: RunSpec, found: Found) -> list[int]:
    """Parts that should be there but are not, or are damaged."""
    if info["status"] == "running":
        return []
    shard = shard_of(info)
    return [
        part.number
        for part in spec.schedule.parts()
        # The last part of a smaller run is shorter than it is here: its notes must do.
        if (part.blocks.stop <= info["blocks"] or part.number in found.damaged)
        and part.number not in found.kept
        and (shard is None or shard.owns(part.number))
    ]


def _say_what_is_wrong(folder: RunFolder, found: Found, watcher: Watcher) -> None:
    """Say which parts are damaged, and put aside what would count but is of no part."""
    for number, why in sorted(found.damaged.items()):
        watcher.damaged(number, why)
    for path in found.stray:
        aside = path.with_name(f"{path.name}.stray")
        try:
            path.rename(aside)
        except OSError as error:
            raise ResultsError(f"{path}: cannot be renamed: {error.strerror}") from None
        watcher.put_aside(str(aside))


def _is_done(info: dict[str, Any], spec: RunSpec, shard: Shard | None) -> bool:
    if info["status"] == "running" or info.get("fingerprint") != spec.fingerprint():
        return False
    if spec.audit > ((info.get("audit") or {}).get("share") or 0):
        return False
    if shard is not None:
        return bool(info["blocks"] == spec.schedule.blocks)
    verdict = info.get("verdict") or {"rule": None, "ends": False}
    if verdict["rule"] != (None if spec.stop is None else spec.stop.plain()):
        return False  # there may be nothing to play, but something to decide
    at_end = info.get("blocks") == spec.schedule.blocks
    return bool(verdict["ends"] or at_end or info.get("ended_early"))


def _refuse_another(
    folder: RunFolder, info: dict[str, Any], spec: RunSpec, shard: Shard | None
) -> None:
    """Refuse to touch a run that is another one, or another share of this one."""
    if info.get("fingerprint") != spec.fingerprint():
        unlike = difference(info.get("identity", {}), spec.identity())
        raise _refusal(folder, f"another run (not the same {unlike})")
    there = shard_of(info)
    if there != shard:
        what = "the whole run" if there is None else f"shard {there} of this run"
        wanted = "the whole run" if shard is None else f"shard {shard}"
        raise _refusal(folder, f"{what}, not {wanted}")


def _refuse_unfinished(folder: RunFolder, spec: RunSpec, found: Found, resume: bool) -> None:
    """Refuse a run that did not finish, unless it is to be resumed and can be."""
    if not resume and (found.kept or found.damaged):
        raise ResultsError(
            f"{folder.path} holds a run of this config that did not finish: --resume goes on with "
            "it, --force deletes it"
        )
    if found.blocks > spec.schedule.blocks:
        raise ResultsError(
            f"{folder.path} holds {found.blocks:,} blocks of this config, more than the "
            f"{spec.schedule.blocks:,} that it asks for now: ask for as many"
        )


def _refusal(folder: RunFolder, what: str) -> HeartsError:
    return ResultsError(
        f"{folder.path} holds {what}: give another folder with -o, or --force to delete that run "
        "and play this one"
    )


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """In what the identities of two runs differ, for a person."""
    unlike = [key for key in new if old.get(key) != new[key]]
    if "entries" in unlike:
        unlike[unlike.index("entries")] = f"entries: {_entries_unlike(old, new)}"
    return ", ".join(unlike) or "versions"


def _entries_unlike(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    before = {entry["name"]: entry for entry in old.get("entries", ())}
    after = {entry["name"]: entry for entry in new["entries"]}
    if list(before) != list(after):
        changed = [f"{name} is new" for name in after if name not in before]
        changed += [f"{name} is missing" for name in before if name not in after]
        return ", ".join(changed) or "in another order"
    said = []
    for name, entry in after.items():
        keys = [key for key in entry if before[name].get(key) != entry[key]]
        if keys:
            words = ["its code" if key == "digest" else key for key in keys]
            said.append(f"{name} has changed ({', '.join(words)})")
    return ", ".join(said)


def _describe(spec: RunSpec, config: dict[str, Any], began: float) -> dict[str, Any]:
    from hearts_sim import __version__
    from hearts_sim.engine.code_cache import engine_digest

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
        "schedule": asdict(spec.schedule),
        "stop": None if spec.stop is None else spec.stop.plain(),
        "entries": [asdict(entry) for entry in spec.entries],
        "not_loaded": [
            dict(zip(("file", "message"), message.split(": ", 1), strict=True))
            for message in spec.not_loaded
        ],
        "remarks": spec.remarks(),
        "config": config,
        "environment": {
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "numba": version("numba"),
            "platform": platform.platform(),
            "cores": os.cpu_count(),
            "engine": engine_digest(),
            "command": sys.argv,
        },
    }


def _timestamp(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")


def results_path(
    name: str, output: str | os.PathLike[str] | None, shard: Shard | None = None
) -> Path:
    """Where a run goes: to `output`, or to ``results/<name>`` below the current folder.

    A shard goes to ``results/<name>-shard-<number>-of-<how many>``.
    """
    if output is not None:
        return Path(output)
    if shard is not None:
        name = f"{name}-shard-{shard.number}-of-{shard.of}"
    return Path("results") / name
