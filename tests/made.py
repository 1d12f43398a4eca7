"""Runs that are made by hand: a results folder of games whose totals are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hearts_sim.engine.log import GAME_ROW, HAND_ROW
from hearts_sim.rules import Rules
from hearts_sim.tournament.log.columns import SCHEMA_VERSION, arrow_table, names_for
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.reading.results import Results

Game = tuple[int, Sequence[int], Sequence[int]]
"""Block, entry by seat, total by seat; the totals of partners who pool are equal."""

NAMES = list("ABCDEFGHIJKLM")


@dataclass(frozen=True)
class Failure:
    """A fault of the seat of a game, which is counted from 0 in the order of the games."""

    game: int
    seat: int
    kind: str = "illegal_card"
    given: str = "hand: 2C 3C, legal: 2C"
    answer: str = "'QS'"
    message: str = "QS is not legal"
    traceback: str = ""


def sides_of(rules: Rules) -> list[tuple[int, ...]]:
    """The seats of each side."""
    seats = range(rules.players)
    if rules.teams == "none":
        return [(seat,) for seat in seats]
    return [(seat, seat + rules.players // 2) for seat in range(rules.players // 2)]


def places_of(
    rules: Rules, totals: Sequence[int], forfeiter: int | None = None
) -> dict[int, tuple[Fraction, int]]:
    """Place of each seat and by how many sides it is shared, counted one by one.

    The side of a forfeiter is last, whatever its total.
    """
    sides = sides_of(rules)
    values: list[float] = [
        totals[side[0]] if rules.teams == "pooled" else sum(totals[seat] for seat in side)
        for side in sides
    ]
    for number, side in enumerate(sides):
        if forfeiter in side:
            values[number] = -np.inf if rules.win == "highest" else np.inf
    found = {}
    for side, value in zip(sides, values, strict=True):
        better = sum(v > value if rules.win == "highest" else v < value for v in values)
        equal = values.count(value)
        for seat in side:
            found[seat] = (Fraction(2 * better + equal + 1, 2), equal)
    return found


def write_run(
    path: Path,
    rules: Rules,
    games: Sequence[Game],
    *,
    entries: int = 4,
    names: Sequence[str] = NAMES,
    report: Mapping[str, Any] | None = None,
    identity: Mapping[str, Any] | None = None,
    failures: Sequence[Failure] = (),
    forfeits: Mapping[int, int] | None = None,
    limits: Mapping[str, Any] | None = None,
    **info: Any,
) -> Results:
    """A results folder of games of one hand each; `identity` and `info` go into ``run.json``.

    `forfeits` says which seat forfeited a game: in its second hand, or where all totals are 0 in
    its first, so that no hand was finished. `limits` is the section ``faults`` of the config.
    """
    forfeits = forfeits or {}
    names = list(names[:entries])
    finals = np.zeros(len(games) * rules.players, GAME_ROW)
    hands = np.zeros(len(finals), HAND_ROW)
    number: Counter[int] = Counter()
    for at, (block, seated, totals) in enumerate(games):
        place = places_of(rules, totals, forfeits.get(at))
        for seat, (entry, total) in enumerate(zip(seated, totals, strict=True)):
            where, tied = place[seat]
            for row in (finals[at * rules.players + seat], hands[at * rules.players + seat]):
                row["block"], row["game"], row["seat"] = block, at, seat
                row["seating"], row["strategy"] = number[block], entry
                row["team"] = rules.team(seat)
                row["score"] = row["points"] = total
            row = finals[at * rules.players + seat]
            row["place"], row["hands"] = where, at not in forfeits or any(totals)
            row["faults"] = sum((failure.game, failure.seat) == (at, seat) for failure in failures)
            row["win"] = 1 / tied if 2 * where == tied + 1 else 0
        number[block] += 1
    hands = hands[finals["hands"] > 0]
    hands["hand"] = 1
    hands["queen_by"] = hands["moon_stopped_by"] = -1
    folder = RunFolder(path)
    texts = names_for(rules, names)
    for table, rows in (("games", finals), ("hands", hands)):
        folder.part_path(table, 0).parent.mkdir(parents=True)
        pq.write_table(arrow_table(table, rows, texts), folder.part_path(table, 0))
    if failures:
        rows_of_faults = [_fault(failure, games, finals, rules, names) for failure in failures]
        folder.part_path("faults", 0).parent.mkdir()
        table = pa.Table.from_pylist(rows_of_faults, pa.schema(_FAULTS))
        pq.write_table(table, folder.part_path("faults", 0))
    run = {
        "seed": 1,
        "rules": rules.settings(),
        "format": "table",
        "log": "hands",
        "entries": [{"name": name} for name in names],
        **(identity or {}),
    }
    settings = {"confidence": 0.95, "anchor": None, **(report or {})}
    folder.write_info(
        {
            "schema_version": SCHEMA_VERSION,
            "rules_version": 1,
            "hearts_sim": "0",
            "name": "made",
            "status": "finished",
            "identity": run,
            "config": {
                "report": settings,
                "rules": rules.settings(),
                "faults": {"policy": "substitute", **(limits or {})},
            },
            "blocks": len({block for block, _, _ in games}),
            "games": len(games),
            **info,
        }
    )
    spent = dict.fromkeys(names, 1)
    written = {"games": len(games), "hands": len(hands), "faults": len(failures)}
    written["blocks"] = [0, 1 + max((block for block, _, _ in games), default=0)]
    files = {
        table: folder.part_path(table, 0).read_bytes()
        for table in ("games", "hands", "faults")
        if folder.part_path(table, 0).exists()
    }
    folder.write_part(
        0, files, {"digest": "0", "decisions": spent, "nanoseconds": spent, **written}
    )
    return Results(path)


_TEXTS = ("hook", "kind", "given", "answer", "message", "traceback", "replay")
_FAULTS = [
    ("block", pa.uint32()),
    ("seating", pa.uint16()),
    ("game", pa.uint32()),
    ("hand", pa.uint16()),
    ("trick", pa.uint8()),
    ("seat", pa.uint8()),
    ("strategy", pa.dictionary(pa.int8(), pa.string())),
    *((name, pa.string()) for name in _TEXTS),
]


def _fault(
    failure: Failure, games: Sequence[Game], finals: Any, rules: Rules, names: Sequence[str]
) -> dict[str, Any]:
    """A row of the table of faults: at the third trick of the first hand."""
    block, seated, _ = games[failure.game]
    row = finals[failure.game * rules.players + failure.seat]
    return {
        "block": block,
        "seating": int(row["seating"]),
        "game": failure.game,
        "hand": 1,
        "trick": 3,
        "seat": failure.seat,
        "strategy": names[seated[failure.seat]],
        "hook": "choose_card",
        "replay": f"hearts-sim replay run {failure.game} --hand 1 --trick 3 --seat {failure.seat}",
        **{name: getattr(failure, name) for name in _TEXTS if hasattr(failure, name)},
    }


def random_games(
    rules: Rules, *, entries: int, blocks: int = 12, span: int = 4, seed: int = 5
) -> list[Game]:
    """Games in which everybody meets everybody, with few totals and therefore many ties."""
    rng = np.random.default_rng(seed)
    games: list[Game] = []
    for block in range(blocks):
        table = rng.permutation([seat % entries for seat in range(rules.players)])
        if entries > rules.players:
            table = rng.permutation(entries)[: rules.players]
        for shift in range(rules.players):
            totals = rng.integers(0, span, rules.players)
            if rules.teams == "pooled":
                totals = np.tile(totals[: rules.team_count], 2)
            games.append((block, np.roll(table, shift).tolist(), totals.tolist()))
    return games
