"""The shipped strategies, and tables to try them at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hearts_sim.engine.layout import JOB
from hearts_sim.engine.machine import BotFailed, Machine
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import load_folders
from hearts_sim.strategy.table import Lineup, Seated

FOLDER = Path(__file__).parents[2] / "strategies"
LIBRARY = load_folders([FOLDER])
NAMES = sorted(LIBRARY.found)


def play_cards(
    names: Sequence[str], rules: Rules, blocks: int, rotations: int | None = None
) -> Any:
    """Every card of some games, as rows of dtype `PLAY_ROW`.

    Each block is played with every rotation of the names around the table, or with the first few.
    A fault of a bot is raised as `StrategyFault`.
    """
    players = rules.players
    rotations = rotations or players
    machine = Machine(rules, 1, "plays", entries=len(names))
    found = [LIBRARY.get(name) for name in names]
    entries = [Seated(item.name, item.strategy, {}, item.digest, item.file) for item in found]
    lineup = Lineup(machine, entries)
    jobs = np.zeros(blocks * rotations, JOB)
    for number, job in enumerate(jobs):
        turn = number % rotations
        job["block"], job["seating"], job["number"] = number // rotations, turn, number
        job["entries"][:players] = [(seat + turn) % players for seat in range(players)]
        for seat in range(players):
            lineup.seat((seat + turn) % players, seat)
    try:
        return np.concatenate([cards for _, _, cards in machine.play(jobs)])
    except BotFailed:
        raise lineup.fault() from None
