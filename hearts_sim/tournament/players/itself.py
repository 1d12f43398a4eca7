"""A game of a strategy with itself, by which it is seen who chooses like whom."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from hearts_sim.engine.layout import JOB, WATCH_CALLS
from hearts_sim.engine.machine import BotFailed, Machine
from hearts_sim.errors import HeartsError
from hearts_sim.strategy.table import Lineup
from hearts_sim.tournament.plan.spec import RunSpec


def game_with_itself(spec: RunSpec, line_up: Lineup, entry: int, memory: Any = None) -> str | None:
    """Digest of all cards that an entry passes and plays in a game against its own copies.

    Everybody gets the deals of block 0, and the random numbers of its seats. Two entries with equal
    digests chose alike in every one of several hundred decisions.

    Parameters
    ----------
    memory : writable buffer, optional
        Where another process can watch the game; see `Machine`.

    Returns
    -------
    str or None
        None when the strategy failed.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C while a strategy in plain Python was thinking in this process.
    """
    machine = Machine(spec.rules, spec.seed, "plays", len(line_up.entries), memory)
    line_up = Lineup(
        machine, line_up.entries, line_up.prepared, line_up.memory_mb, line_up.entering
    )
    jobs = np.zeros(1, JOB)
    jobs["watch"] = 0 if memory is None else WATCH_CALLS
    jobs["entries"][:, : spec.rules.players] = entry
    digest = hashlib.sha256()
    try:
        for seat in range(spec.rules.players):
            line_up.seat(entry, seat)
        for _, _, plays in machine.play(jobs):
            digest.update(plays.view(np.uint8))
    except BotFailed:
        line_up.fault()  # raises after Ctrl-C
        return None
    except HeartsError:
        return None
    finally:
        line_up.close()
    return digest.hexdigest()[:16]
