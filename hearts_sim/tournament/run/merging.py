"""One run of many shards: their parts in the order of the blocks, with what no shard can decide."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hearts_sim.errors import ResultsError
from hearts_sim.rules import Rules
from hearts_sim.tournament.log.folder import CONFIG_FILE, RunFolder
from hearts_sim.tournament.log.verify import examine
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.plan.schedule import Part, Schedule
from hearts_sim.tournament.plan.shards import Shard, shard_of
from hearts_sim.tournament.plan.spec import EntrySpec, RunSpec
from hearts_sim.tournament.plan.stopping import Sprt, Stop, Target
from hearts_sim.tournament.players.attendance import Attendance
from hearts_sim.tournament.run.audit import merged_audits
from hearts_sim.tournament.run.checks import dealt_in
from hearts_sim.tournament.run.keeping import turnout
from hearts_sim.tournament.run.referee import Referee
from hearts_sim.tournament.run.runner import difference, sums
from hearts_sim.tournament.run.unlike import unlike


@dataclass(frozen=True)
class Source:
    """A folder that is merged: what ``run.json`` says, and the notes of its parts."""

    folder: RunFolder
    info: dict[str, Any]
    parts: dict[int, dict[str, Any]]


@dataclass
class Merged:
    """What became of a merge.

    Attributes
    ----------
    folder : RunFolder
    complete : bool
        Whether the run is finished; if not, `todo` says in sentences why, and how it goes on.
    """

    folder: RunFolder
    complete: bool
    todo: list[str] = field(default_factory=list)


def merge_runs(
    paths: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str] | None = None,
    *,
    force: bool = False,
    partial: bool = False,
    tell: Callable[[str], None] = lambda text: None,
) -> Merged:
    """Put shards together, into a folder that is a run like any other.

    What a shard cannot decide is decided here, in the order of the blocks, as a run on one machine
    decides it: parts after the end of a run that ends by its results are left out; where an entry
    is disqualified, the run stands there and goes on without the entry when it is resumed.

    Parameters
    ----------
    paths : sequence of path
        Folders of the shards, in any order. Whole or unfinished runs may be among them.
    output : path, optional
        Left out, ``results/<name>`` below the current folder.
    force : bool
        Delete a run that is in `output`.
    partial : bool
        Merge also when parts are missing; the run can be resumed then.
    tell : callable
        Called with what is worth to be said, in sentences.

    Raises
    ------
    ResultsError
        When a folder holds no run, or they hold different ones; when a part was played differently
        by two of them; when parts are missing. Nothing is written then.
    """
    sources = [_open(path, tell) for path in paths]
    _must_be_one_run(sources)
    spec = spec_of(sources[0].info)
    parts = spec.schedule.parts()
    _must_agree(sources, spec, parts)
    out = RunFolder(output if output is not None else Path("results") / spec.name)
    for source in sources:
        if source.folder.path.resolve() == out.path.resolve():
            raise ResultsError(f"{out.path} is one of the shards: give another folder with -o")
    course = _decide(sources, spec, parts, out)
    if course.missing and not partial:
        raise ResultsError("\n".join([*course.todo, "(--partial merges what is there)"]))
    with out.locked():
        if not force and any(path.name[0] != "." for path in out.path.iterdir()):
            what = "holds a run" if out.exists() else "is not empty and holds no run"
            raise ResultsError(
                f"{out.path} {what}: give another folder with -o, or --force to write into it"
            )
        out.clear()
        return _write(out, sources, spec, course, tell)


def _open(path: str | os.PathLike[str], tell: Callable[[str], None]) -> Source:
    folder = RunFolder(path)
    info = folder.info()
    if "schedule" not in info:
        raise ResultsError(
            f"{folder.path} was played by hearts-sim {info.get('hearts_sim')}, which kept too "
            "little for merging: play it again with this version"
        )
    found = examine(folder, spec_of(info).schedule.parts(), info["fingerprint"])
    for number, why in sorted(found.damaged.items()):
        tell(f"{folder.path}: part {number} is damaged and does not count: {why}")
    return Source(folder, info, found.kept)


def spec_of(info: Mapping[str, Any]) -> RunSpec:
    """The run that a ``run.json`` tells of; none of its strategies is needed for that.

    Raises
    ------
    ResultsError
        When it contradicts itself.
    """
    identity = info["identity"]
    schedule = {**info["schedule"], "newcomers": tuple(info["schedule"]["newcomers"])}
    spec = RunSpec(
        name=info["name"],
        seed=identity["seed"],
        rules=Rules(**identity["rules"]),
        folders=(),
        entries=tuple(
            EntrySpec(**{**entry, "command": tuple(entry["command"])}) for entry in info["entries"]
        ),
        schedule=Schedule(**schedule),
        log=identity["log"],
        stop=_stop_of(info["stop"]),
        faults=FaultRules(**identity["faults"]),
    )
    if spec.fingerprint() != info["fingerprint"]:
        raise ResultsError(
            f"{info['name']}: its run.json was changed, or written by another version "
            f"({difference(identity, spec.identity())})"
        )
    return spec


def _stop_of(plain: Mapping[str, Any] | None) -> Stop | None:
    if plain is None:
        return None
    values: dict[str, Any] = {key: value for key, value in plain.items() if key != "rule"}
    if plain["rule"] == "sprt":
        return Sprt(**{**values, "names": tuple(values["names"])})
    return Target(**values)


def _must_be_one_run(sources: Sequence[Source]) -> None:
    first = sources[0]
    for source in sources[1:]:
        if source.info["fingerprint"] != first.info["fingerprint"]:
            what = difference(first.info["identity"], source.info["identity"])
        else:
            keys = ("schedule", "stop")
            what = ", ".join(
                "length" if key == "schedule" else key
                for key in keys
                if source.info[key] != first.info[key]
            )
        if what:
            raise ResultsError(
                f"{first.folder.path} and {source.folder.path} are of different runs (not the same "
                f"{what}): play all shards with one config, one --seed and the same strategies"
            )


def _must_agree(sources: Sequence[Source], spec: RunSpec, parts: Sequence[Part]) -> None:
    """Refuse parts that two of them played differently, though with the same entries."""
    problems = []
    for part in parts:
        seen: dict[tuple[str, ...], Source] = {}
        for source in sources:
            notes = source.parts.get(part.number)
            if notes is None:
                continue
            first = seen.setdefault(tuple(notes["absent"]), source)
            if first.parts[part.number]["digest"] != notes["digest"]:
                problems.append(
                    f"part {part.number} (blocks {part.blocks.start} to {part.blocks.stop - 1}) "
                    f"was played differently in {first.folder.path} and {source.folder.path}: "
                    f"{unlike(first.folder, source.folder, part.number, spec)}"
                )
    if problems:
        tip = "Play that shard again where it is wrong (--force), or leave one folder out."
        raise ResultsError("\n".join([*problems[:10], tip]))


@dataclass
class _Course:
    """What is made of the parts: who has each, and how the run ends.

    `missing` are the parts that nobody has; they count only where the run has not ended before.
    """

    attendance: Attendance
    end: int
    chosen: dict[int, Source] = field(default_factory=dict)
    missing: list[int] = field(default_factory=list)
    todo: list[str] = field(default_factory=list)
    verdict: dict[str, Any] | None = None
    early: str = ""


def _decide(
    sources: Sequence[Source], spec: RunSpec, parts: Sequence[Part], out: RunFolder
) -> _Course:
    """Go through the parts one by one and decide after each, as a run does."""
    attendance = Attendance(spec, parts, _barred(sources, spec))
    course = _Course(attendance, spec.schedule.blocks)
    referee = Referee(spec, lambda number: course.chosen[number].folder, parts, 0)
    for part in parts:
        if not attendance.goes_on:
            course.end = part.blocks.start
            names = [spec.names[entry] for entry in attendance.absent]
            course.early = (
                f"every game that was left has somebody disqualified in it ({', '.join(names)})"
            )
            break
        absent = [spec.names[entry] for entry in attendance.absent]
        having = [source for source in sources if part.number in source.parts]
        source = next(
            (item for item in having if item.parts[part.number]["absent"] == absent), None
        )
        if source is not None:
            course.chosen[part.number] = source
        elif not having:
            course.missing.append(part.number)
        elif not course.missing:
            course.todo = [_plays_on(absent, part), _resume(sources, out)]
            return course
        if source is None or course.missing:
            continue  # what comes after a gap cannot be decided
        attendance.confirm(turnout(spec, source.parts[part.number]))
        if referee.look(range(attendance.confirmed), lambda text: None):
            course.end = part.blocks.stop
            break
    if course.missing:
        course.todo = _about_missing(course.missing, sources, parts, out)
    course.verdict = referee.plain()
    return course


def _plays_on(absent: Sequence[str], part: Part) -> str:
    return (
        f"{' and '.join(absent)} must not play from part {part.number} on (block "
        f"{part.blocks.start}), but did in the shards; this plays on without "
        f"{'it' if len(absent) == 1 else 'them'}:"
    )


def _about_missing(
    missing: Sequence[int], sources: Sequence[Source], parts: Sequence[Part], out: RunFolder
) -> list[str]:
    """What is missing, and the commands that play it."""
    blocks = sum(len(parts[number].blocks) for number in missing)
    named = ", ".join(map(str, missing[:8])) + (", ..." if len(missing) > 8 else "")
    said = [f"{len(missing)} of {len(parts)} parts are missing ({named}; {blocks:,} blocks):"]
    shards = [shard_of(source.info) for source in sources]
    counts = {shard.of for shard in shards if shard is not None}
    if len(counts) != 1 or None in shards:
        return [*said, _resume(sources, out)]
    (of,) = counts
    for number in sorted({number % of + 1 for number in missing}):
        words = [*_command(sources), "--shard", f"{number}/{of}"]
        for source, shard in zip(sources, shards, strict=True):
            if shard == Shard(number, of):
                words += ["-o", str(source.folder.path), "--resume"]
                break
        said.append(shlex.join(words))
    return said


def _command(sources: Sequence[Source]) -> list[str]:
    return sources[0].info.get("command") or ["hearts-sim", "run", "CONFIG"]


def _resume(sources: Sequence[Source], out: RunFolder) -> str:
    return shlex.join([*_command(sources), "-o", str(out.path), "--resume"])


_DECIDED_HERE = (
    "kept_blocks", "verdict", "checks", "disqualified", "ended_early", "digest", "audit",
)  # fmt: skip


def _write(
    out: RunFolder,
    sources: Sequence[Source],
    spec: RunSpec,
    course: _Course,
    tell: Callable[[str], None],
) -> Merged:
    """Copy the parts that count, and say what became of the run."""
    info = {
        **sources[0].info,
        "status": "running",
        "shard": None,
        "merged": [str(source.folder.path) for source in sources],
        "started": min(source.info["started"] for source in sources),
        "played_by": _versions(sources),
    }
    for key in (
        "kept_blocks",
        "verdict",
        "checks",
        "disqualified",
        "ended_early",
        "digest",
        "audit",
    ):
        info.pop(key, None)
    out.write_info(info)
    config = sources[0].folder.path / CONFIG_FILE
    if config.exists():
        out.write(CONFIG_FILE, config.read_bytes())
    for number, source in course.chosen.items():
        _copy(source, number, out)
    for item in course.attendance.plain():
        tell(f"{item['strategy']} is disqualified: {item['why']}")
    if not course.todo:
        info |= {
            "status": "finished",
            "finished": max(source.info.get("finished", "") for source in sources),
            "seconds": round(sum(source.info.get("seconds", 0) for source in sources), 3),
            **sums(out),
            "blocks": course.end,
            "verdict": course.verdict,
            "checks": _checks(out, sources, spec),
            "disqualified": course.attendance.plain(),
            "ended_early": course.early,
            "audit": merged_audits(found) if (found := _audits(sources)) else None,
        }
        out.write_info(info)
    return Merged(out, not course.todo, course.todo)


def _copy(source: Source, number: int, out: RunFolder) -> None:
    """Copy a part; the commands in its faults name the new folder."""
    notes = source.parts[number]
    files = {table: source.folder.part_path(table, number).read_bytes() for table in notes["files"]}
    if "faults" in files:
        files["faults"] = _renamed(source.folder, number, out)
    kept = {key: value for key, value in notes.items() if key not in ("part", "files")}
    out.write_part(number, files, kept)


def _renamed(folder: RunFolder, number: int, out: RunFolder) -> bytes:
    import pyarrow as pa

    from hearts_sim.tournament.log.columns import parquet

    table = folder.read_part("faults", number)
    place = table.column_names.index("replay")
    # The folder is the third word.
    commands = []
    for text in table["replay"].to_pylist():
        words = shlex.split(text)
        commands.append(shlex.join([*words[:2], str(out.path), *words[3:]]) if words else "")
    return parquet("faults", table.set_column(place, "replay", pa.array(commands, pa.string())))


def _barred(sources: Sequence[Source], spec: RunSpec) -> dict[int, str]:
    """Entries that could not be loaded, where the shards were played."""
    return {
        spec.names.index(item["strategy"]): item["why"]
        for source in sources
        for item in source.info.get("disqualified", ())
        if item["games"] == 0
    }


def _versions(sources: Sequence[Source]) -> list[list[str]]:
    versions: list[list[str]] = []
    for source in sources:
        versions += [item for item in source.info["played_by"] if item not in versions]
    return versions


def _checks(out: RunFolder, sources: Sequence[Source], spec: RunSpec) -> dict[str, Any]:
    """The deals of all, counted together; who plays alike as that shard saw it that saw most."""
    from hearts_sim.tournament.counting.deals import count_deals

    deals = count_deals(spec, dealt_in(spec, out))
    found = [source.info["checks"] for source in sources if source.info.get("checks")]
    best = min(found, key=lambda checks: len(checks["not_compared"]), default=None)
    return {
        "deals": deals,
        "alike": [] if best is None else best["alike"],
        "not_compared": spec.names if best is None else best["not_compared"],
    }


def _audits(sources: Sequence[Source]) -> list[Mapping[str, Any]]:
    return [source.info["audit"] for source in sources if source.info.get("audit")]
