"""The course of a run: parts out to an executor, results back into the folder."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

from hearts_sim.errors import RunInterrupted, StrategyLoadError
from hearts_sim.strategy.faults import Fault
from hearts_sim.tournament import supervise, tasks
from hearts_sim.tournament.attendance import Attendance, Turnout
from hearts_sim.tournament.executors import InlineExecutor, PlayerPool
from hearts_sim.tournament.folder import RunFolder
from hearts_sim.tournament.player import PartResult
from hearts_sim.tournament.referee import Referee
from hearts_sim.tournament.schedule import Part
from hearts_sim.tournament.spec import RunSpec

_LOOK_SECONDS = 0.25


class Watcher(Protocol):
    """Who is told how a run goes."""

    def compiling(self) -> None:
        """The engine or strategies may have to be compiled now."""

    def started(self, games: int) -> None:
        """The games begin."""

    def continued(self, games: int) -> None:
        """The run goes on with so many games that are played already."""

    def advanced(self, games: int) -> None:
        """So many games are played by now."""

    def interim(self, text: str) -> None:
        """How a run that ends by its results stands."""

    def disqualified(self, name: str, why: str) -> None:
        """An entry plays no more."""


class Silent:
    """A watcher that says nothing."""

    def compiling(self) -> None:
        """Say nothing."""

    def started(self, games: int) -> None:
        """Say nothing."""

    def continued(self, games: int) -> None:
        """Say nothing."""

    def advanced(self, games: int) -> None:
        """Say nothing."""

    def interim(self, text: str) -> None:
        """Say nothing."""

    def disqualified(self, name: str, why: str) -> None:
        """Say nothing."""


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
    """

    blocks: int
    verdict: dict[str, Any] | None
    checks: dict[str, Any]
    disqualified: list[dict[str, Any]]
    early: str


@dataclass
class _Progress:
    """Games played: in parts that are kept, and in those that are being played."""

    watcher: Watcher
    kept: int = 0
    at_hand: int = 0
    _told: int = field(default=0)

    def add(self, games: int) -> None:
        """Count games that are being played in this process."""
        self.at_hand += games
        self.tell()

    def keep(self, games: int) -> None:
        """Count the games of a part that is kept."""
        self.kept += games
        self.at_hand = 0

    def tell(self) -> None:
        games = self.kept + self.at_hand + supervise.games_at_hand()
        if games > self._told:
            self._told = games
            self.watcher.advanced(games)


@contextlib.contextmanager
def stage(jobs: int | None, progress: _Progress) -> Iterator[tuple[Executor, Any, int]]:
    """The executor, the tasks for it, and how many it is given at a time."""
    if jobs is None:
        with InlineExecutor(progress.add) as executor:
            yield executor, tasks, 1
    else:
        with PlayerPool(jobs) as pool:
            yield pool, supervise, 2 * jobs


def play_parts(
    spec: RunSpec,
    folder: RunFolder,
    jobs: int | None,
    watcher: Watcher,
    kept: int,
    began: float,
) -> Ended:
    """Play every part that is missing and write it as it comes back.

    Parameters
    ----------
    jobs : int or None
        Player processes; None plays in this process.
    kept : int
        Blocks of a finished run that this one continues.
    began : float
        When the run began, in seconds of `time.time`.
    """
    progress = _Progress(watcher)
    with stage(jobs, progress) as (executor, work, window):
        course = Course(spec, folder, watcher, progress, executor, work)
        course.begin(kept)
        try:
            course.play(window)
            return course.end((time.time() - began) * (jobs or 1))
        except KeyboardInterrupt:
            course.finish()
            raise RunInterrupted(
                f"interrupted: what was played is in {folder.path}; the same command with --resume "
                "goes on"
            ) from None
        finally:
            course.cancel()


class Course:
    """A run on its way."""

    def __init__(
        self,
        spec: RunSpec,
        folder: RunFolder,
        watcher: Watcher,
        progress: _Progress,
        executor: Executor,
        work: Any,
    ) -> None:
        self.spec = spec
        self.folder = folder
        self.watcher = watcher
        self.progress = progress
        self.executor = executor
        self.work = work
        self.parts = spec.schedule.parts()
        self.played: dict[int, Turnout] = {}
        self.running: dict[Future[PartResult], int] = {}
        self.waiting: list[Part] = []
        self._barred: list[Fault] = []

    def begin(self, kept: int) -> None:
        """Load the strategies, and see what is there already.

        Raises
        ------
        StrategyLoadError
            When so many of them cannot play that there are no games.
        """
        spec = self.spec
        games = 0
        for number, notes in usable(self.folder, self.parts).items():
            self.played[number] = _turnout(spec, notes)
            games += notes["games"]
        if self.played:
            self.watcher.continued(games)
        self.watcher.compiling()
        barred = self.executor.submit(self.work.warm_up, spec).result()
        self.attendance = Attendance(spec, self.parts, barred)
        if not self.attendance.goes_on:
            raise StrategyLoadError("\n".join(barred.values()))
        for entry, why in barred.items():
            self._barred.append(_import_error(spec, entry, why))
            self.watcher.disqualified(spec.names[entry], why)
        self.referee = Referee(spec, self.folder, self.parts, kept)
        self.waiting = [part for part in self.parts if part.number not in self.played][::-1]
        self.watcher.started(spec.schedule.total_games - games)

    def play(self, window: int) -> None:
        """Play until nothing is waiting, or the run ends."""
        while not self._is_over():
            while self.waiting and len(self.running) < window:
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
        """Take in the parts that are next in the order; whether the run ends after one of them."""
        attendance = self.attendance
        while attendance.goes_on:
            turnout = self.played.get(attendance.confirmed)
            if turnout is None:
                return False
            if turnout.absent != attendance.absent:
                # Somebody played in it who was out already: it was begun too early.
                self._play_again(attendance.confirmed)
                return False
            for entry in attendance.confirm(turnout):
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

    def end(self, seconds: float) -> Ended:
        """Drop what was played after the end, and check the rest.

        Parameters
        ----------
        seconds : float
            How long the run took, in all its processes.
        """
        end, early = self.spec.schedule.blocks, ""
        if self.referee.ended_at is not None:
            end = self.referee.ended_at
        elif not self.attendance.goes_on:
            end = self.parts[self.attendance.confirmed - 1].blocks.stop
            out = [self.spec.names[entry] for entry in self.attendance.absent]
            early = f"every game that was left has somebody disqualified in it ({', '.join(out)})"
        for part in self.parts:
            if part.blocks.start >= end:
                self.folder.drop_part(part.number)
        checks = self._check(seconds)
        return Ended(end, self.referee.plain(), checks, self.attendance.plain(), early)

    def _check(self, seconds: float) -> dict[str, Any]:
        """What a run finds out about itself when it is played."""
        from hearts_sim.tournament.checks import alike, count_deals, worth_checking
        from hearts_sim.tournament.counting import Counter

        spec, folder = self.spec, self.folder
        notes = folder.parts()
        counter = Counter.of(spec.rules, len(spec.entries), spec.log)
        counted = (part.counts() for part in counter.parts(folder))
        deals = count_deals(spec.seed, ((part.blocks, part.dealt) for part in counted))
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
            "deals": deals,
            "alike": alike(spec.names, digests),
            "not_compared": [
                name for entry, name in enumerate(spec.names) if digests.get(entry) is None
            ],
        }

    def finish(self) -> None:
        """After an interruption: keep what is being played; a second one leaves it."""
        self.cancel()
        try:
            for future in self.running:
                with contextlib.suppress(Exception):
                    self._keep(future.result())
        except KeyboardInterrupt:
            self.work.abandon()

    def cancel(self) -> None:
        """Take back what was not begun."""
        for future in list(self.running):
            if future.cancel():
                del self.running[future]


def usable(folder: RunFolder, parts: Sequence[Part]) -> dict[int, dict[str, Any]]:
    """Notes of the parts that are played already.

    Only the last part of a smaller run is another one in a larger run. It stays until that one is
    written.
    """
    wanted = {part.number: [part.blocks.start, part.blocks.stop] for part in parts}
    return {
        number: notes
        for number, notes in folder.parts().items()
        if notes["blocks"] == wanted.get(number)
    }


def keep_part(folder: RunFolder, part: PartResult, spec: RunSpec, blocks: range) -> None:
    """Write a part into the folder."""
    from hearts_sim.tournament.columns import faults_table, parquet

    files = dict(part.files)
    if part.faults:
        files["faults"] = parquet("faults", faults_table(part.faults, spec.names, str(folder.path)))
    folder.drop_part(part.number)  # the shorter one of a smaller run
    by_name = {
        name: dict(zip(spec.names, getattr(part, name), strict=True))
        for name in ("decisions", "nanoseconds", "seated", "faulty")
    }
    folder.write_part(
        part.number,
        files,
        {
            "blocks": [blocks.start, blocks.stop],
            "digest": part.digest,
            "games": part.games,
            "hands": part.hands,
            "faults": len(part.faults),
            "absent": [spec.names[entry] for entry in part.absent],
            **by_name,
        },
    )


def _turnout(spec: RunSpec, notes: Mapping[str, Any]) -> Turnout:
    names = spec.names
    return Turnout(
        tuple(sorted(names.index(name) for name in notes["absent"])),
        [notes["seated"][name] for name in names],
        [notes["faulty"][name] for name in names],
    )


def _import_error(spec: RunSpec, entry: int, why: str) -> Fault:
    return Fault(
        strategy=spec.names[entry],
        kind="import_error",
        hook="prepare",
        block=0,
        seating=0,
        game=0,
        hand=0,
        trick=0,
        seat=0,
        given="",
        answer="",
        message=why,
        traceback="",
        file=spec.entries[entry].file,
    )
