"""The course of a run: parts out to an executor, results back into the folder."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hearts_sim.errors import ResultsError, RunInterrupted, StrategyLoadError
from hearts_sim.strategy.faults import Fault
from hearts_sim.tournament.log.durable import CannotWrite
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.plan.schedule import Part
from hearts_sim.tournament.plan.shards import Shard
from hearts_sim.tournament.plan.spec import RunSpec
from hearts_sim.tournament.players import supervise
from hearts_sim.tournament.players.attendance import Attendance, Turnout
from hearts_sim.tournament.players.executors import InlineExecutor, PlayerPool
from hearts_sim.tournament.run.checks import alike, dealt_in, worth_checking
from hearts_sim.tournament.run.keeping import import_error, keep_part, turnout
from hearts_sim.tournament.run.referee import Referee
from hearts_sim.tournament.run.watching import STANDS_SECONDS, Progress, Watcher

if TYPE_CHECKING:
    from hearts_sim.tournament.log.part_result import PartResult

_LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class Start:
    """What is there when a run begins, or goes on.

    Attributes
    ----------
    kept : mapping of number to notes
        Parts that are played and whole.
    kept_blocks : int
        Blocks of a finished run that this one continues.
    others : str
        Versions of hearts-sim that played the parts, if this one did not.
    shard : Shard or None
        The share of the run that is played.
    """

    kept: Mapping[int, Mapping[str, Any]]
    kept_blocks: int = 0
    others: str = ""
    shard: Shard | None = None


@dataclass
class Ended:
    """How a run ended.

    Attributes
    ----------
    blocks : int
        After which block.
    verdict : dict or None
        The last look at a run that ends by its results.
    checks : dict
        What it found out about itself.
    disqualified : list of dict
        Who does not play any more, and why.
    early : str
        Why it ended before its schedule did, if nothing was left to play.
    audit : dict or None
        What came of playing some of it again; see `audit.audit_run`.
    """

    blocks: int
    verdict: dict[str, Any] | None
    checks: dict[str, Any]
    disqualified: list[dict[str, Any]]
    early: str
    audit: dict[str, Any] | None


Stage = tuple[Executor, Any, Callable[[], int]]
"""The executor, the tasks for it, and how many it is given at a time."""


@contextlib.contextmanager
def stage(jobs: int | None, progress: Progress) -> Iterator[Stage]:
    """What plays on this machine."""
    if jobs is None:
        from hearts_sim.tournament.players import tasks

        with InlineExecutor(progress.add) as executor:
            yield executor, tasks, lambda: 1
    else:
        with PlayerPool(jobs) as pool:
            yield pool, supervise, lambda: 2 * jobs


@contextlib.contextmanager
def cluster_stage(scheduler: str, spec: RunSpec, progress: Progress) -> Iterator[Stage]:
    """What plays on a Dask cluster."""
    from hearts_sim.tournament.cluster.client import on_cluster

    with on_cluster(scheduler, spec, progress.watcher.notice) as executor:
        progress.elsewhere = executor.games_at_hand
        yield executor, supervise, executor.window


def play_parts(
    spec: RunSpec,
    folder: RunFolder,
    jobs: int | None,
    watcher: Watcher,
    start: Start,
    began: float,
    scheduler: str | None = None,
) -> Ended:
    """Play every part that is missing and write it as it comes back.

    Parameters
    ----------
    jobs : int or None
        Player processes; None plays in this process.
    start : Start
        What is there.
    began : float
        When the run began, in seconds of `time.time`.
    scheduler : str, optional
        Address of a Dask scheduler, whose workers play instead of this machine.
    """
    patience = math.inf if spec.faults.timed else STANDS_SECONDS
    progress = Progress(watcher, patience=patience, elsewhere=supervise.games_at_hand)
    place = stage(jobs, progress) if scheduler is None else cluster_stage(scheduler, spec, progress)
    try:
        with place as (executor, work, window):
            course = Course(spec, folder, watcher, progress, executor, work, start)
            try:
                course.begin()
                course.play(window)
                return course.end((time.time() - began) * max(1, window() // 2), window())
            except KeyboardInterrupt:
                course.finish()
                raise
            except CannotWrite:
                # What is in play could not be kept.
                work.abandon()
                raise
            finally:
                course.cancel()
    except KeyboardInterrupt:
        # A second one may come while the processes are ended.
        supervise.abandon()
        raise RunInterrupted(
            f"interrupted: what was played is in {folder.path}; the same command with --resume "
            "goes on"
        ) from None


class Course:
    """A run on its way."""

    def __init__(
        self,
        spec: RunSpec,
        folder: RunFolder,
        watcher: Watcher,
        progress: Progress,
        executor: Executor,
        work: Any,
        start: Start,
    ) -> None:
        self.spec = spec
        self.folder = folder
        self.watcher = watcher
        self.progress = progress
        self.executor = executor
        self.work = work
        self.start = start
        self.parts = spec.schedule.parts()
        self.share = self.parts if start.shard is None else start.shard.share(self.parts)
        self.played: dict[int, Turnout] = {}
        self.running: dict[Future[PartResult], int] = {}
        self.waiting: list[Part] = []
        self._barred: list[Fault] = []

    def begin(self) -> None:
        """Load the strategies, and see what is there already.

        Raises
        ------
        StrategyLoadError
            When so many of them cannot play that there are no games.
        ResultsError
            When another version played what is there, and this one plays otherwise.
        """
        spec = self.spec
        games = 0
        for number, notes in self.start.kept.items():
            self.played[number] = turnout(spec, notes)
            games += notes["games"]
        if self.played:
            self.watcher.continued(games)
        self.watcher.compiling()
        barred = self.executor.submit(self.work.warm_up, spec).result()
        self.attendance = Attendance(spec, self.parts, barred)
        if not self.attendance.goes_on:
            raise StrategyLoadError("\n".join(barred.values()))
        for entry, why in barred.items():
            self._barred.append(import_error(spec, entry, why))
            self.watcher.disqualified(spec.names[entry], why)
        if self.start.others:
            self._compare_versions()
        self.referee = Referee(spec, lambda number: self.folder, self.parts, self.start.kept_blocks)
        self.waiting = [part for part in self.share if part.number not in self.played][::-1]
        self.watcher.started(self._games() - games)
        self.progress.begin()

    def _games(self) -> int:
        """Games of the run, or about as many as the shard has."""
        schedule = self.spec.schedule
        if self.start.shard is None:
            return schedule.total_games
        blocks = sum(len(part.blocks) for part in self.share)
        return round(schedule.total_games * blocks / schedule.blocks)

    def _compare_versions(self) -> None:
        """Play again the first part that can be compared, to see that this version plays alike."""
        for number, notes in sorted(self.start.kept.items()):
            # Where time is limited faults may come and go.
            if notes["games"] and not notes["faults"]:
                absent = turnout(self.spec, notes).absent
                blocks = self.parts[number].blocks
                again = self.executor.submit(
                    self.work.play_part, self.spec, number, blocks, absent
                ).result()
                if again.digest != notes["digest"]:
                    raise ResultsError(
                        f"{self.folder.path} was played by another version (hearts-sim "
                        f"{self.start.others}, or another Python, numpy or numba), and here part "
                        f"{number} comes out otherwise: go on with the version that played it, or "
                        "give --force to play it all again"
                    )
                return

    def play(self, window: Callable[[], int]) -> None:
        """Play until nothing is waiting, or the run ends.

        Parameters
        ----------
        window : callable
            How many parts may be under way at a time.
        """
        while not self._is_over():
            most = window()
            while self.waiting and len(self.running) < most:
                part = self.waiting.pop()
                future = self.executor.submit(
                    self.work.play_part,
                    self.spec,
                    part.number,
                    part.blocks,
                    self.attendance.absent,
                )
                self.running[future] = part.number
            if not self.running:
                return
            done, _ = wait(self.running, _LOOK_SECONDS, FIRST_COMPLETED)
            self.progress.tell()
            for future in sorted(done, key=self.running.__getitem__):
                self._keep(future.result())
                del self.running[future]
        self.waiting.clear()
        self.cancel()

    def _is_over(self) -> bool:
        """Take in the parts that are next in the order; whether the run ends after one of them.

        A shard has gaps, and decides nothing.
        """
        if self.start.shard is not None:
            return False
        attendance = self.attendance
        while attendance.goes_on:
            part = self.played.get(attendance.confirmed)
            if part is None:
                return False
            if part.absent != attendance.absent:
                # Somebody played in it who was out already: it was begun too early.
                self._play_again(attendance.confirmed)
                return False
            for entry in attendance.confirm(part):
                self.watcher.disqualified(self.spec.names[entry], attendance.out[entry].why)
            if self.referee.look(range(attendance.confirmed), self.watcher.interim):
                return True
        return True

    def _play_again(self, number: int) -> None:
        self.folder.drop_part(number)
        del self.played[number]
        self.waiting.append(self.parts[number])

    def _keep(self, part: PartResult) -> None:
        if part.number == 0:
            part.faults[:0] = self._barred
        keep_part(self.folder, part, self.spec, self.parts[part.number].blocks)
        self.played[part.number] = Turnout(part.absent, part.seated, part.faulty)
        self.progress.keep(part.games)

    def end(self, seconds: float, width: int = 1) -> Ended:
        """Drop what was played after the end, and check the rest.

        Parameters
        ----------
        seconds : float
            How long the run took, in all its processes.
        width : int
            So many tasks can be under way.
        """
        self.progress.tell()
        end, early = self.spec.schedule.blocks, ""
        if self.start.shard is not None:
            checks, audit = self._check(seconds), self._audit(width)
            return Ended(end, None, checks, self.attendance.plain(), early, audit)
        if self.referee.ended_at is not None:
            end = self.referee.ended_at
        elif not self.attendance.goes_on:
            end = self.parts[self.attendance.confirmed - 1].blocks.stop
            out = [self.spec.names[entry] for entry in self.attendance.absent]
            early = f"every game that was left has somebody disqualified in it ({', '.join(out)})"
        for part in self.parts:
            if part.blocks.start >= end:
                self.folder.drop_part(part.number)
        checks, audit = self._check(seconds), self._audit(width)
        return Ended(end, self.referee.plain(), checks, self.attendance.plain(), early, audit)

    def _audit(self, width: int) -> dict[str, Any] | None:
        """Play some blocks again and compare, if that is wanted."""
        if self.spec.audit <= 0:
            return None
        from hearts_sim.tournament.run.audit import audit_run

        self.watcher.auditing(self.spec.audit)
        # Always through `supervise`: in a process that has played nothing else.
        return audit_run(
            self.spec,
            self.folder,
            lambda blocks, absent: self.executor.submit(
                supervise.play_again, self.spec, blocks, absent
            ),
            width,
        )

    def _check(self, seconds: float) -> dict[str, Any]:
        """What a run finds out about itself when it is played."""
        spec, folder = self.spec, self.folder
        notes = folder.parts()
        deals = self.executor.submit(self.work.count_deals, spec, dealt_in(spec, folder))
        entries = [
            entry
            for entry in worth_checking(spec.names, notes.values(), seconds)
            if entry not in self.attendance.out
        ]
        futures = {
            entry: self.executor.submit(self.work.play_itself, spec, entry) for entry in entries
        }
        digests = {entry: future.result() for entry, future in futures.items()}
        return {
            "deals": deals.result(),
            "alike": alike(spec.names, digests),
            "not_compared": [
                name for entry, name in enumerate(spec.names) if digests.get(entry) is None
            ],
        }

    def finish(self) -> None:
        """After an interruption: keep what is being played; a second one leaves it."""
        try:
            self.cancel()
            if not self.running:
                self.work.abandon()  # bots that are being loaded, or looked at
                return
            self.watcher.finishing(len(self.running))
            for future in self.running:
                with contextlib.suppress(Exception):
                    part = future.result()
                    try:
                        self._keep(part)
                    except CannotWrite:
                        self.work.abandon()
                        return
        except KeyboardInterrupt:
            self.work.abandon()

    def cancel(self) -> None:
        """Take back what was not begun."""
        for future in list(self.running):
            if future.cancel():
                del self.running[future]
