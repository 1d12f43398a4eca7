"""Runs that are made by hand: a results folder of games whose totals are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from hearts_sim.engine.log import GAME_ROW, HAND_ROW
from hearts_sim.rules import Rules
from hearts_sim.tournament.columns import SCHEMA_VERSION, arrow_table, names_for
from hearts_sim.tournament.folder import RunFolder
from hearts_sim.tournament.results import Results

Game = tuple[int, Sequence[int], Sequence[int]]
"""Block, entry by seat, total by seat; the totals of partners who pool are equal."""

NAMES = list("ABCDEFGHIJKLM")


def sides_of(rules: Rules) -> list[tuple[int, ...]]:
    """The seats of each side."""
    seats = range(rules.players)
    if rules.teams == "none":
        return [(seat,) for seat in seats]
    return [(seat, seat + rules.players // 2) for seat in range(rules.players // 2)]


def places_of(rules: Rules, totals: Sequence[int]) -> dict[int, tuple[Fraction, int]]:
    """Place of each seat and by how many sides it is shared, counted one by one."""
    sides = sides_of(rules)
    values = [
        totals[side[0]] if rules.teams == "pooled" else sum(totals[seat] for seat in side)
        for side in sides
    ]
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
    **info: Any,
) -> Results:
    """A results folder of games of one hand each; `identity` and `info` go into ``run.json``."""
    names = list(names[:entries])
    finals = np.zeros(len(games) * rules.players, GAME_ROW)
    hands = np.zeros(len(finals), HAND_ROW)
    number: Counter[int] = Counter()
    for at, (block, seated, totals) in enumerate(games):
        place = places_of(rules, totals)
        for seat, (entry, total) in enumerate(zip(seated, totals, strict=True)):
            where, tied = place[seat]
            for row in (finals[at * rules.players + seat], hands[at * rules.players + seat]):
                row["block"], row["game"], row["seat"] = block, at, seat
                row["seating"], row["strategy"] = number[block], entry
                row["team"] = rules.team(seat)
                row["score"] = row["points"] = total
            row = finals[at * rules.players + seat]
            row["place"], row["hands"] = where, 1
            row["win"] = 1 / tied if 2 * where == tied + 1 else 0
        number[block] += 1
    hands["hand"] = 1
    hands["queen_by"] = hands["moon_stopped_by"] = -1
    folder = RunFolder(path)
    texts = names_for(rules, names)
    for table, rows in (("games", finals), ("hands", hands)):
        folder.part_path(table, 0).parent.mkdir(parents=True)
        pq.write_table(arrow_table(table, rows, texts), folder.part_path(table, 0))
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
            "config": {"report": settings, "rules": rules.settings()},
            "blocks": len({block for block, _, _ in games}),
            "games": len(games),
            **info,
        }
    )
    spent = dict.fromkeys(names, 1)
    folder.write_part(0, {}, {"digest": "0", "decisions": spent, "nanoseconds": spent})
    return Results(path)


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
