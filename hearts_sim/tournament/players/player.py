"""Playing a part of a run: what a player process does, and nothing else."""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from hearts_sim.engine.building import build_for_kitties
from hearts_sim.engine.layout import JOB, LOG_LEVELS, WATCH_CALLS, WATCH_TIME
from hearts_sim.engine.machine import Machine
from hearts_sim.errors import StrategyFault, StrategyLoadError
from hearts_sim.strategy.table import Lineup
from hearts_sim.tournament.counting.counts import games_of
from hearts_sim.tournament.counting.kept import Counter
from hearts_sim.tournament.log.columns import arrow_table, names_for, parquet, split
from hearts_sim.tournament.log.part_result import PartResult
from hearts_sim.tournament.plan.audited import is_audited
from hearts_sim.tournament.plan.orders import Seating
from hearts_sim.tournament.plan.spec import RunSpec, seat_entries
from hearts_sim.tournament.players.choices import Recorded
from hearts_sim.tournament.players.due import Due
from hearts_sim.tournament.players.judge import Judge
from hearts_sim.tournament.players.memory import MemoryLimit

FIRST_TIMED: Final = 64
TIMED_EVERY: Final = 16
"""The time of decisions is taken in the first 64 blocks, then in every 16th."""

_SLICE_SECONDS: Final = 0.2

_SPARE: Final = 32 << 20
"""Bytes that a limit of memory leaves for what is not the bots'."""


class Player:
    """A machine with the entries of a run, playing part after part.

    Parameters
    ----------
    progress : callable
        Called now and then with the number of games played since the last call.
    memory : writable buffer, optional
        Where another process can watch the machine; see `Machine`.
    entering : callable
        Called with an entry before its file is imported, or a process of its own started, and with
        None after that.
    """

    def __init__(
        self,
        spec: RunSpec,
        progress: Callable[[int], None] | None = None,
        memory: Any = None,
        entering: Callable[[int | None], None] = lambda entry: None,
    ) -> None:
        self.spec = spec
        self.machine = Machine(spec.rules, spec.seed, spec.log, len(spec.entries), memory)
        self.lineup = Lineup(
            self.machine,
            seat_entries(spec, entering),
            memory_mb=spec.faults.memory_mb,
            entering=entering,
        )
        self.memory = MemoryLimit(spec.faults.memory_mb)
        self.judge = Judge(self.machine, self.lineup, spec.faults, self.memory)
        self.names = names_for(spec.rules, spec.names)
        # With log: plays everything is there anyhow.
        self._recorded = 0.0 if spec.log == "plays" else spec.audit
        self.counter = Counter.of(spec.rules, len(spec.entries), spec.log)
        self.progress = progress or (lambda games: None)

    def warm_up(
        self,
        entering: Callable[[int], None] = lambda entry: None,
        barred: Mapping[int, str] | None = None,
    ) -> dict[int, str]:
        """Compile and load everything that the run needs, playing nothing.

        Parameters
        ----------
        entering : callable
            Called with each entry before it is loaded.
        barred : mapping, optional
            Entries that are not to be loaded, and why.

        Returns
        -------
        dict
            What is wrong with those entries that cannot play, by entry.

        Raises
        ------
        StrategyLoadError, StrategyFault
            For the first of them, when the rules are strict.
        """
        wrong = dict(barred or {})
        for entry in range(len(self.spec.entries)):
            if entry in wrong:
                continue
            entering(entry)
            try:
                self.lineup.start(entry)
            except (StrategyLoadError, StrategyFault) as error:
                if self.spec.faults.policy == "strict":
                    raise
                wrong[entry] = str(error)
        if self.spec.rules.kitty_size:
            build_for_kitties()
        for _ in self.machine.play(np.zeros(0, JOB)):
            pass
        return wrong

    def play(
        self,
        number: int,
        blocks: range,
        absent: Collection[int] = (),
        due: Sequence[Due] = (),
        watched: bool = False,
    ) -> PartResult:
        """Play the games of some blocks.

        Parameters
        ----------
        number : int
            Of the part.
        blocks : range
        absent : collection of int
            Entries that do not play: games in which they sit are left out.
        due : sequence of Due
            Decisions that fail without being asked, in the order of the games.
        watched : bool
            Whether another process watches who thinks.

        Raises
        ------
        StrategyFault
            When a strategy failed and the rules are strict; the message names the decision.
        SpoiltProcess
            When the part must be played again in another process.
        """
        jobs = self._jobs(blocks, absent)
        if watched or due:
            jobs["watch"] |= WATCH_CALLS
        known = defaultdict(list)
        for item in due:
            known[item.block, item.seating].append(item)
        alone = [
            place
            for place, job in enumerate(jobs if known else ())
            if (int(job["block"]), int(job["seating"])) in known
        ]
        audited = is_audited(self.spec.seed, jobs["block"], self._recorded)
        borders = (np.flatnonzero(audited[1:] != audited[:-1]) + 1).tolist()
        self.machine.take_times()
        self.machine.clear_rows()
        self.judge.take()
        start, size = 0, 1
        while start < len(jobs):
            began = time.perf_counter()
            stop = start + size
            if alone:
                stop = min(stop, alone[0])
                if start == alone[0]:
                    del alone[0]
                    stop = start + 1
                    job = jobs[start]
                    self.judge.expect(known[int(job["block"]), int(job["seating"])])
            while borders and borders[0] <= start:
                del borders[0]
            stop = min([stop, *borders[:1]])
            piece = jobs[start:stop]
            self.machine.log_everything(bool(audited[start]))
            with self.memory.held(self._spare()):
                self.machine.play_on(piece, self.judge)
            self.judge.expect(())
            self.progress(len(piece))
            start += len(piece)
            seconds = time.perf_counter() - began
            size = max(1, min(4 * size, int(size * _SLICE_SECONDS / max(seconds, 1e-6))))
        return self._pack(number, blocks, tuple(sorted(absent)))

    def play_again(self, blocks: Sequence[int], absent: Collection[int], watched: bool) -> Recorded:
        """Play some blocks, the last one first, and keep all that is chosen in them."""
        jobs = self._jobs(blocks, absent)[::-1].copy()
        if watched:
            jobs["watch"] |= WATCH_CALLS
        machine = self.machine
        machine.clear_rows()
        machine.log_everything(True)
        try:
            with self.memory.held(self._spare()):
                machine.play_on(jobs, self.judge)
            hands, games, plays = machine.rows()
            return Recorded(hands.copy(), plays.copy(), games.copy())
        finally:
            machine.log_everything(False)
            self.judge.take()

    def _spare(self) -> int:
        """Memory for the log, which may grow while bots play."""
        machine = self.machine
        rows = (machine.hand_rows, machine.game_rows, machine.play_rows)
        return _SPARE + 4 * sum(table.nbytes for table in rows)

    def _jobs(self, blocks: Iterable[int], absent: Collection[int]) -> Any:
        schedule, players = self.spec.schedule, self.spec.rules.players
        found = [schedule.block(number) for number in blocks]
        games = [len(block.seatings) for block in found]
        seated = [_entries(block.seatings) for block in found]
        entries = np.concatenate([np.zeros((0, players), np.int64), *seated])
        jobs = np.zeros(sum(games), JOB)
        jobs["block"] = np.repeat([block.number for block in found], games)
        jobs["seating"] = np.arange(len(jobs)) - np.repeat(np.cumsum(games) - games, games)
        jobs["number"] = jobs["block"] * schedule.seatings_per_block + jobs["seating"]
        jobs["entries"][:, :players] = entries
        if absent:
            jobs = jobs[~np.isin(entries, list(absent)).any(axis=1)]
        blocks_played = jobs["block"]
        timed = (blocks_played < FIRST_TIMED) | (blocks_played % TIMED_EVERY == 0)
        jobs["watch"] = np.where(timed, WATCH_TIME, 0)
        together = np.sort(jobs["entries"][:, :players], axis=1)
        alone = bool((together[:, 1:] != together[:, :-1]).all())
        for seat in range(players):
            for entry in np.unique(jobs["entries"][:, seat]):
                self.lineup.seat(int(entry), seat, alone=alone)
        return jobs

    def _pack(self, number: int, blocks: range, absent: tuple[int, ...]) -> PartResult:
        digest = hashlib.sha256()
        files: dict[str, bytes] = {}
        self.machine.log_everything(self._recorded > 0)
        hands, games, plays = self.machine.rows()
        files |= self._record(hands, plays)
        self.machine.log_everything(False)
        kept = LOG_LEVELS[: LOG_LEVELS.index(self.spec.log) + 1]
        columns = {}
        for name, rows in (("hands", hands), ("games", games), ("plays", plays)):
            # Where games were forfeited at once there may be no hands.
            if name in kept and len(games):
                digest.update(rows.view(np.uint8))
                columns[name] = split(rows)
                files[name] = parquet(name, arrow_table(name, columns[name], self.names))
        if len(games):
            files["counts"] = self.counter.file(
                blocks, columns["games"], columns.get("hands"), digest.hexdigest()
            )
        players = self.spec.rules.players
        decisions, nanoseconds = self.machine.take_times()
        seated, faulty = self._count(games)
        return PartResult(
            number=number,
            absent=absent,
            files=files,
            digest=digest.hexdigest(),
            games=len(games) // players,
            hands=int(games["hands"].sum()) // players,
            decisions=decisions,
            nanoseconds=nanoseconds,
            seated=seated,
            faulty=faulty,
            faults=self.judge.take(),
        )

    def _record(self, hands: Any, plays: Any) -> dict[str, bytes]:
        """What was chosen in the blocks that may be audited."""
        files: dict[str, bytes] = {}
        if self._recorded <= 0:
            return files
        for name, rows in (("hands", hands), ("plays", plays)):
            chosen = rows[is_audited(self.spec.seed, rows["block"], self._recorded)]
            if len(chosen):
                table = arrow_table(name, split(chosen), self.names)
                files[f"audit/{name}"] = parquet(name, table)
        return files

    def _count(self, games: Any) -> tuple[list[int], list[int]]:
        """Games in which each entry sat, and those in which it failed; on however many seats."""
        players, entries = self.spec.rules.players, len(self.spec.entries)
        table = games["strategy"].reshape(-1, players).astype(np.int64)
        seated = games_of(table, entries)
        # Who did not fail is counted as nobody, whose number comes after all others.
        failed = np.where(games["faults"].reshape(-1, players) > 0, table, entries)
        faulty = games_of(failed, entries + 1)[:entries]
        return seated.tolist(), faulty.tolist()


@lru_cache(maxsize=4096)
def _entries(seatings: tuple[Seating, ...]) -> np.ndarray[Any, Any]:
    """Seatings as a table; most blocks have the same as others."""
    return np.array(seatings, np.int64)
