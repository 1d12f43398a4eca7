"""How fast a line-up plays."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from hearts_sim.engine.layout import JOB, WATCH_TIME
from hearts_sim.engine.machine import BotFailed, Machine
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import Found
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup

_SECONDS = 2.0


def measure(line_up: Sequence[Found], rules: Rules, hands: int | None = None) -> dict[str, Any]:
    """Speed of one line-up in this process, after a warm-up.

    Parameters
    ----------
    line_up : sequence of Found
        One strategy for each seat.
    hands : int, optional
        At least so many hands; left out, as many as take about two seconds.

    Returns
    -------
    dict
        ``hands``, ``games``, ``seconds``, ``hands_per_second``, and
        ``microseconds_per_decision`` by strategy: the time of a call on a card, measured in
        separate games and with the cost of the clock in it.

    Raises
    ------
    StrategyFault
        When a strategy fails.
    """
    machine = Machine(rules, 1, "games", len(line_up))
    seated = [Seated(found.name, found.strategy, {}, found.digest, found.file) for found in line_up]
    lineup = Lineup(machine, seated)
    for seat in range(len(line_up)):
        lineup.seat(seat, seat)

    def play(first: int, games: int, timed: bool = False) -> tuple[int, float]:
        jobs = np.zeros(games, JOB)
        jobs["block"] = jobs["number"] = np.arange(first, first + games)
        jobs["watch"] = WATCH_TIME if timed else 0
        jobs["entries"][:, : len(line_up)] = range(len(line_up))
        played = 0
        began = time.perf_counter()
        try:
            for _, rows, _ in machine.play(jobs):
                played += int(rows["hands"].sum()) // rules.players
        except BotFailed:
            cause = lineup.error()
            raise lineup.fault().error() from cause
        return played, time.perf_counter() - began

    play(0, 2)
    few, seconds = play(2, 8)
    games = max(1, int(8 * (hands / few if hands else _SECONDS / max(seconds, 1e-6))))
    games = min(games, 1_000_000)
    total, taken, done = 0, 0.0, 10
    while total == 0 or (hands is not None and total < hands):
        more, seconds = play(done, games)
        total, taken, done = total + more, taken + seconds, done + games
        games = max(1, games // 16)
    machine.take_times()
    play(done, max(8, min(2000, games)), timed=True)
    decisions: dict[str, int] = {}
    nanoseconds: dict[str, int] = {}
    for found, number, time_taken in zip(line_up, *machine.take_times(), strict=True):
        decisions[found.name] = decisions.get(found.name, 0) + number
        nanoseconds[found.name] = nanoseconds.get(found.name, 0) + time_taken
    return {
        "hands": total,
        "games": done - 10,
        "seconds": taken,
        "hands_per_second": total / taken,
        "microseconds_per_decision": {
            name: nanoseconds[name] / 1000 / max(1, decisions[name]) for name in decisions
        },
    }
