"""Auditing a run: some of its blocks are played again, and every choice must be the same.

They are played in another process and in another order. Whoever chooses otherwise there has a
memory that outlives a game, looks at a clock, or has random numbers of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict
from typing import Any

import numpy as np

from hearts_sim.tournament.counting.tally import numbers
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.plan.audited import is_audited
from hearts_sim.tournament.plan.spec import RunSpec
from hearts_sim.tournament.players.choices import Comparison, Recorded, Rows


def audit_run(
    spec: RunSpec,
    folder: RunFolder,
    play_again: Callable[[list[int], Sequence[int]], Future[Recorded | None]],
    width: int,
) -> dict[str, Any]:
    """Play the blocks again that are audited, and compare.

    Parameters
    ----------
    spec : RunSpec
    folder : RunFolder
        Of the run, with all its parts.
    play_again : callable
        Begins to play some blocks without the entries that are absent.
    width : int
        In so many pieces.

    Returns
    -------
    dict
        ``share``, ``blocks``, ``games`` (compared), ``failed`` (games that were not, since somebody
        failed), ``unrecorded`` and ``lost`` (blocks that were played without an audit, and those
        that could not be played again), ``passed_over`` (names of entries that decide by a clock)
        and ``changes``: for each entry that chose otherwise its name as ``strategy``, in how many
        ``games``, and the ``first`` change.

    Raises
    ------
    ResultsError
        See `Comparison.compare`.
    """
    notes, found = folder.parts(), Comparison()
    wanted: list[tuple[tuple[str, ...], int, list[int]]] = []
    unrecorded = lost = 0
    for number, noted in sorted(notes.items()):
        all_of_it = np.arange(*noted["blocks"])
        blocks = all_of_it[is_audited(spec.seed, all_of_it, spec.audit)].tolist()
        if not blocks or not noted["games"]:
            continue
        if _is_recorded(spec, noted):
            wanted.append((tuple(noted["absent"]), number, blocks))
        else:
            unrecorded += len(blocks)
    total = sum(len(blocks) for _, _, blocks in wanted)
    pieces: list[tuple[list[int], list[int], Future[Recorded | None]]] = []
    for absent, parts in itertools.groupby(wanted, key=lambda item: item[0]):
        out = [spec.names.index(name) for name in absent]
        for chunk in _chunks([item[1:] for item in parts], -(-total // width)):
            numbers = [number for number, _ in chunk]
            blocks = [block for _, some in chunk for block in some]
            pieces.append((numbers, blocks, play_again(blocks, out)))
    for numbers, blocks, future in pieces:
        again = future.result()
        if again is None:
            lost += len(blocks)
            continue
        for number in numbers:
            found.compare(_recorded(spec, folder, number), again)
    clocks = {entry for entry, item in enumerate(spec.entries) if item.uses_clock}
    return {
        "share": spec.audit,
        "blocks": total - lost,
        "games": found.games,
        "failed": found.failed,
        "unrecorded": unrecorded,
        "lost": lost,
        "passed_over": [spec.names[entry] for entry in sorted(clocks)],
        "changes": [
            {
                "strategy": spec.names[entry],
                "games": len(changes),
                "first": asdict(min(changes, key=lambda change: change.game)),
            }
            for entry, changes in sorted(found.changes.items())
            if entry not in clocks
        ],
    }


def merged_audits(audits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the audits of several shards of a run found, as one; see `audit_run`.

    The share is the largest of theirs. A shard without an audit adds nothing.
    """
    counts = ("blocks", "games", "failed", "unrecorded", "lost")
    changes: dict[str, dict[str, Any]] = {}
    for change in (change for audit in audits for change in audit["changes"]):
        known = changes.setdefault(change["strategy"], {**change, "games": 0})
        known["games"] += change["games"]
        known["first"] = min(known["first"], change["first"], key=lambda first: first["game"])
    over = itertools.chain.from_iterable(audit["passed_over"] for audit in audits)
    return {
        "share": max(audit["share"] for audit in audits),
        **{key: sum(audit[key] for audit in audits) for key in counts},
        "passed_over": list(dict.fromkeys(over)),
        "changes": list(changes.values()),
    }


def _chunks(parts: list[tuple[int, list[int]]], size: int) -> list[list[tuple[int, list[int]]]]:
    """Neighbouring parts together until they have so many blocks."""
    chunks: list[list[tuple[int, list[int]]]] = []
    for part in parts:
        if chunks and sum(len(blocks) for _, blocks in chunks[-1]) < size:
            chunks[-1].append(part)
        else:
            chunks.append([part])
    return chunks


def _is_recorded(spec: RunSpec, notes: Mapping[str, Any]) -> bool:
    return spec.log == "plays" or "audit/plays" in notes["files"]


def _recorded(spec: RunSpec, folder: RunFolder, number: int) -> Recorded:
    """The games of a part that are audited."""
    rows = recorded(folder, number, "" if spec.log == "plays" else "audit/")
    chosen = [
        table[is_audited(spec.seed, table["block"], spec.audit)]
        for table in (rows.hands, rows.plays, rows.games)
    ]
    return Recorded(*chosen)


def recorded(folder: RunFolder, number: int, above: str = "") -> Recorded:
    """The games of a part whose plays are kept, in the log or in a folder `above` the tables."""
    hands, plays, games = (
        _rows(folder, table, number, columns)
        for table, columns in (
            (f"{above}hands", _HANDS), (f"{above}plays", _PLAYS), ("games", _GAMES),
        )
    )  # fmt: skip
    return Recorded(hands, plays, games)


def _rows(folder: RunFolder, table: str, number: int, columns: Sequence[str]) -> Rows:
    arrays = numbers(folder.read_part(table, number, columns))
    rows = np.zeros(len(arrays["block"]), [(name, arrays[name].dtype) for name in columns])
    for name in columns:
        rows[name] = arrays[name]
    return rows


_HANDS = ("block", "game", "hand", "seat", "strategy", "points", "moon")
_PLAYS = ("block", "seating", "game", "hand", "trick", "seat", "card")
_GAMES = ("block", "game", "faults")
