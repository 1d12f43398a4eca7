"""The shipped strategies, and tables to try them at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hearts_sim.engine.layout import JOB
from hearts_sim.engine.machine import BotFailed, Machine
from hearts_sim.rules import PRESETS, Rules
from hearts_sim.strategy.loader import Library, load_folders
from hearts_sim.strategy.names import class_names
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup

FOLDER = Path(__file__).parents[2] / "strategies"
NAMES = sorted(class_names([FOLDER]))
PRESET_TABLES = [(preset.name, size) for preset in PRESETS.values() for size in preset.players]


@cache
def library() -> Library:
    """The strategies; to import them compiles some, which finding the tests should not."""
    return load_folders([FOLDER])


def companies(players: int) -> list[list[str]]:
    """Tables at which every strategy sits once, in the midst of as many random players."""
    size = (players + 1) // 2
    groups = [NAMES[start : start + size] for start in range(0, len(NAMES), size)]
    tables = []
    for group in groups:
        seats = ["RandomLegal"] * players
        seats[: 2 * len(group) : 2] = group
        tables.append(seats)
    return tables


def play(rules: Rules, tables: Sequence[Sequence[str]], blocks: int, log: str) -> Any:
    """Rows of hands, games and plays of some games, each as one array.

    Each block is played at every table, a list of the names on seats 0, 1, ... In the rows, a
    strategy is the place of its name among those that occur, in the order of their first seats.
    A fault of a bot is raised as `StrategyFault`.
    """
    players = rules.players
    names = list(dict.fromkeys(name for table in tables for name in table))
    machine = Machine(rules, 1, log, entries=len(names))
    found = [library().get(name) for name in names]
    entries = [Seated(item.name, item.strategy, {}, item.digest, item.file) for item in found]
    lineup = Lineup(machine, entries)
    jobs = np.zeros(blocks * len(tables), JOB)
    jobs["number"] = np.arange(len(jobs))
    jobs["block"], jobs["seating"] = np.divmod(jobs["number"], len(tables))
    for seating, table in enumerate(tables):
        places = [names.index(name) for name in table]
        jobs["entries"][seating :: len(tables), :players] = places
        for seat, place in enumerate(places):
            lineup.seat(place, seat)
    try:
        return tuple(np.concatenate(rows) for rows in zip(*machine.play(jobs), strict=True))
    except BotFailed:
        raise lineup.fault().error() from None


def play_cards(
    names: Sequence[str], rules: Rules, blocks: int, rotations: int | None = None
) -> Any:
    """Every card of some games, as rows of dtype `PLAY_ROW`.

    Each block is played with every rotation of the names around the table, or with the first few.
    """
    turns = range(rotations or rules.players)
    tables = [[*names[turn:], *names[:turn]] for turn in turns]
    return play(rules, tables, blocks, "plays")[2]
