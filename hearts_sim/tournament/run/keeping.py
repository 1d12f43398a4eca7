"""A part that was played, put into the results folder, and what its notes say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hearts_sim.strategy.faults import Fault
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.plan.spec import RunSpec
from hearts_sim.tournament.players.attendance import Turnout

if TYPE_CHECKING:
    from hearts_sim.tournament.log.part_result import PartResult


def keep_part(folder: RunFolder, part: PartResult, spec: RunSpec, blocks: range) -> None:
    """Write a part into the folder."""
    from hearts_sim.tournament.log.columns import faults_table, parquet

    files = dict(part.files)
    if part.faults:
        files["faults"] = parquet("faults", faults_table(part.faults, spec.names, str(folder.path)))
    by_name = {
        name: dict(zip(spec.names, getattr(part, name), strict=True))
        for name in ("decisions", "nanoseconds", "seated", "faulty")
    }
    folder.write_part(
        part.number,
        files,
        {
            "run": spec.fingerprint(),
            "blocks": [blocks.start, blocks.stop],
            "digest": part.digest,
            "games": part.games,
            "hands": part.hands,
            "faults": len(part.faults),
            "absent": [spec.names[entry] for entry in part.absent],
            **by_name,
        },
    )


def turnout(spec: RunSpec, notes: Mapping[str, Any]) -> Turnout:
    """Who sat in a part, and who failed in it, by its notes."""
    names = spec.names
    return Turnout(
        tuple(sorted(names.index(name) for name in notes["absent"])),
        [notes["seated"][name] for name in names],
        [notes["faulty"][name] for name in names],
    )


def import_error(spec: RunSpec, entry: int, why: str) -> Fault:
    """The fault of an entry that cannot be loaded."""
    return Fault(
        strategy=spec.names[entry],
        kind="import_error",
        hook="prepare",
        block=0,
        seating=0,
        game=0,
        hand=0,
        trick=0,
        seat=0,
        given="",
        answer="",
        message=why,
        traceback="",
        file=spec.entries[entry].file,
    )
