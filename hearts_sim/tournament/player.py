"""Playing a part of a run: what a player process does, and nothing else."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hearts_sim.engine.layout import JOB
from hearts_sim.engine.machine import BotFailed, Machine
from hearts_sim.strategy.table import Lineup
from hearts_sim.tournament.columns import TABLES, arrow_table, names_for
from hearts_sim.tournament.spec import RunSpec, seat_entries

FIRST_TIMED: Final = 64
TIMED_EVERY: Final = 16
"""The time of decisions is taken in the first 64 blocks, then in every 16th."""

_SLICE_SECONDS: Final = 0.2


@dataclass(frozen=True)
class PartResult:
    """A played part: its files as bytes, and what the run wants to know at once."""

    number: int
    files: dict[str, bytes]
    digest: str
    games: int
    hands: int
    decisions: list[int]
    nanoseconds: list[int]


class Player:
    """A machine with the entries of a run, playing part after part.

    Parameters
    ----------
    progress : callable
        Called now and then with the number of games played since the last call.
    """

    def __init__(self, spec: RunSpec, progress: Callable[[int], None] | None = None) -> None:
        self.spec = spec
        self.machine = Machine(spec.rules, spec.seed, spec.log, len(spec.entries))
        self.lineup = Lineup(self.machine, seat_entries(spec))
        self.names = names_for(spec.rules, spec.names)
        self.progress = progress or (lambda games: None)

    def warm_up(self) -> None:
        """Compile everything that the run needs, playing nothing.

        Raises
        ------
        StrategyLoadError
            When a compiled strategy does not compile.
        """
        for entry in range(len(self.spec.entries)):
            self.lineup.seat(entry, 0)
        for _ in self.machine.play(np.zeros(0, JOB)):
            pass

    def play(self, number: int, blocks: range) -> PartResult:
        """Play the games of some blocks.

        Raises
        ------
        StrategyFault
            When a strategy failed; the message names the decision.
        """
        jobs = self._jobs(blocks)
        self.machine.take_times()
        self.machine.clear_rows()
        start, size = 0, 1
        while start < len(jobs):
            began = time.perf_counter()
            piece = jobs[start : start + size]
            try:
                self.machine.play_on(piece)
            except BotFailed:
                raise self.lineup.fault().error() from None
            self.progress(len(piece))
            start += len(piece)
            seconds = time.perf_counter() - began
            size = max(1, min(4 * size, int(size * _SLICE_SECONDS / max(seconds, 1e-6))))
        return self._pack(number)

    def _jobs(self, blocks: range) -> Any:
        schedule, players = self.spec.schedule, self.spec.rules.players
        lines = [
            (number, place, seating)
            for number in blocks
            for place, seating in enumerate(schedule.block(number).seatings)
        ]
        jobs = np.zeros(len(lines), JOB)
        jobs["block"] = [line[0] for line in lines]
        jobs["seating"] = [line[1] for line in lines]
        jobs["number"] = jobs["block"] * schedule.seatings_per_block + jobs["seating"]
        blocks_played = jobs["block"]
        jobs["timed"] = (blocks_played < FIRST_TIMED) | (blocks_played % TIMED_EVERY == 0)
        jobs["entries"][:, :players] = [line[2] for line in lines]
        for seat in range(players):
            for entry in np.unique(jobs["entries"][:, seat]):
                self.lineup.seat(int(entry), seat)
        return jobs

    def _pack(self, number: int) -> PartResult:
        digest = hashlib.sha256()
        files = {}
        hands, games, plays = self.machine.rows()
        for name, rows in (("hands", hands), ("games", games), ("plays", plays)):
            if len(rows):
                digest.update(rows.view(np.uint8))
                files[name] = _parquet(name, rows, self.names)
        players = self.spec.rules.players
        decisions, nanoseconds = self.machine.take_times()
        return PartResult(
            number=number,
            files=files,
            digest=digest.hexdigest(),
            games=len(games) // players,
            hands=int(games["hands"].sum()) // players,
            decisions=decisions,
            nanoseconds=nanoseconds,
        )


def _parquet(name: str, rows: Any, names: dict[str, list[str]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = pa.BufferOutputStream()
    pq.write_table(
        arrow_table(name, rows, names),
        stream,
        compression="zstd",
        compression_level=1,
        use_dictionary=[column.name for column in TABLES[name] if column.names],
        write_statistics=["block"],
    )
    data: bytes = stream.getvalue().to_pybytes()
    return data
