"""Playing a sweep: each duel is a run, and what comes of it decides which one is next."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hearts_sim.stats import (
    Crosstable,
    RatioSums,
    bradley_terry,
    concatenate,
    half_width,
)
from hearts_sim.tournament.log.folder import CONFIG_FILE, SWEEP_FILE, DamagedRun
from hearts_sim.tournament.reading.results import Results
from hearts_sim.tournament.run.runner import play_run
from hearts_sim.tournament.run.watching import Watcher
from hearts_sim.tournament.sweep.folder import SweepFolder
from hearts_sim.tournament.sweep.plan import Duel, SweepPlan
from hearts_sim.tournament.sweep.points import Point, Value
from hearts_sim.tournament.sweep.search import Found, Match, Score

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class DuelResult:
    """What came of a duel.

    Attributes
    ----------
    duel : int
        Its number, from 1, in the order of playing.
    folder : str
        Its results below those of the sweep; empty where it was not played, since the point is the
        opponent itself.
    options : dict
        Of the point, those that are tuned.
    against : str
        Name of the other one.
    gain, low, high : float
        By how many points per hand the point is better, more being better, and the interval of
        that; nan where nothing can be said.
    elo, elo_low, elo_high : float
        The same in Elo; the bounds are infinite where nothing supports an interval.
    games, blocks : int
    verdict : str
        See `Score`.
    llr : float
        Logarithm of the likelihood ratio of a sequential test; nan without one.
    faulty : int
        Games in which the point failed.
    digest : str
        Over all rows that were logged.
    """

    duel: int
    folder: str
    options: Mapping[str, Value]
    against: str
    gain: float
    low: float
    high: float
    elo: float
    elo_low: float
    elo_high: float
    games: int
    blocks: int
    verdict: str
    llr: float
    faulty: int
    digest: str

    @property
    def point(self) -> Point:
        """The options as a point."""
        return Point(tuple(self.options.items()))

    def by(self, measure: str) -> tuple[float, float, float]:
        """Gain, low and high in ``points`` per hand or in ``elo``."""
        if measure == "elo":
            return self.elo, self.elo_low, self.elo_high
        return self.gain, self.low, self.high

    def plain(self) -> dict[str, Any]:
        """Plain JSON values; what is not finite is None."""
        return {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in dataclasses.asdict(self).items()
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> DuelResult:
        """What `plain` gave."""
        unknown = {"elo_low": -math.inf, "elo_high": math.inf}
        names = [item.name for item in dataclasses.fields(cls)]
        values: dict[str, Any] = {
            name: unknown.get(name, math.nan) if plain[name] is None else plain[name]
            for name in names
        }
        return cls(**values)


@dataclass(frozen=True)
class SweepResult:
    """What came of a sweep.

    Attributes
    ----------
    plan : SweepPlan
    folder : SweepFolder
    duels : list of DuelResult
        Of the search, in the order of playing.
    found : Found
    confirmed : DuelResult or None
        The winner on fresh deals; None when nothing won, or the opponent itself did.
    played : bool
        Whether there was anything to play.
    """

    plan: SweepPlan
    folder: SweepFolder
    duels: list[DuelResult]
    found: Found
    confirmed: DuelResult | None
    played: bool = True

    @property
    def winner(self) -> dict[str, Value] | None:
        """The options that won; None where the opponent's are as good."""
        return None if self.found.winner is None else self.found.winner.plain

    def frame(self) -> pd.DataFrame:
        """What came of the duels, as in ``sweep.csv``: a row for each.

        Columns are those of `DuelResult`, with ``role`` (search, or confirm for the winner on fresh
        deals) and each option as ``options.NAME``.
        """
        import pandas as pd

        last = [] if self.confirmed is None else [self.confirmed]
        rows = []
        for result in (*self.duels, *last):
            plain = dataclasses.asdict(result)
            options = plain.pop("options")
            row = {"duel": plain.pop("duel"), "folder": plain.pop("folder")}
            row["role"] = "confirm" if result is self.confirmed else "search"
            row |= {f"options.{name}": options.get(name) for name in self.plan.lists}
            rows.append(row | plain)
        return pd.DataFrame(rows)

    def plain(self) -> dict[str, Any]:
        """Plain JSON values, as in ``sweep.json``."""
        return {"status": "finished", **_describe(self.plan, self.duels)} | {
            "winner": self.winner,
            "complete": self.found.complete,
            "confirmed": None if self.confirmed is None else self.confirmed.plain(),
        }


class SweepWatcher:
    """Who is told how a sweep goes; this one says nothing of it."""

    def begins(self, duel: Duel, place: int, of: int) -> Watcher:
        """A duel begins, the so-manieth of at most so many; gives who is told how it goes."""
        return Watcher()

    def ended(self, result: DuelResult) -> None:
        """A duel has ended."""


def play_sweep(
    plan: SweepPlan,
    output: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    force: bool = False,
    resume: bool = False,
    command: Sequence[str] = (),
    watcher: SweepWatcher | None = None,
) -> SweepResult:
    """Play a sweep into a folder, or what is missing of it.

    Parameters
    ----------
    plan : SweepPlan
    output : path
        The results folder; made if it is not there.
    jobs : int, optional
        Number of player processes; None plays in this process. Results do not depend on it.
    force : bool
        Delete another sweep that is in the folder.
    resume : bool
        Go on with a sweep that did not finish.
    command : sequence of str
        The command that plays it, for the ``run.json`` of its duels.

    Raises
    ------
    ResultsError
        When the folder holds another sweep or something else, or cannot be written.
    RunInterrupted
        After Ctrl-C; what was played is kept.
    StrategyFault, StrategyLoadError
        As `play_run`.
    """
    folder, watcher = SweepFolder(output), watcher or SweepWatcher()
    with folder.locked():
        if force:
            folder.clear()
        elif folder.look(plan.fingerprint(), plan.identity, resume=resume):
            try:
                return _result(plan, folder, folder.info())
            except (KeyError, TypeError, AttributeError):
                raise DamagedRun(
                    f"{folder.path / SWEEP_FILE} is damaged: delete it, and --resume writes it "
                    "again from the duels that are there"
                ) from None
        playing = _Playing(plan, folder, jobs, force, command, watcher)
        if plan.config.source is not None:
            folder.write({CONFIG_FILE: plan.config.source.encode()})
        found = playing.search()
        confirmed = None
        if found.winner is not None and not plan.is_opponent(found.winner):
            number = len(playing.duels) + 1
            confirmed = playing.play(plan.confirmation(number, found.winner))
        result = SweepResult(plan, folder, playing.duels, found, confirmed)
        folder.write_info(result.plain())
        return result


class _Playing:
    """A sweep that is being played."""

    def __init__(
        self,
        plan: SweepPlan,
        folder: SweepFolder,
        jobs: int | None,
        force: bool,
        command: Sequence[str],
        watcher: SweepWatcher,
    ) -> None:
        self.plan, self.folder = plan, folder
        self.jobs, self.force, self.command = jobs, force, list(command)
        self.watcher = watcher
        self.duels: list[DuelResult] = []

    def search(self) -> Found:
        """Play what the search asks for, to its end."""
        search = self.plan.search()
        try:
            match = next(search)
            while True:
                result = self._meet(match)
                self.duels.append(result)
                gain = result.by(self.plan.config.sweep.measure)[0]
                match = search.send(Score(gain, result.verdict))
        except StopIteration as ended:
            found: Found = ended.value
            return found

    def _meet(self, match: Match) -> DuelResult:
        number = len(self.duels) + 1
        if match.against is None and self.plan.is_opponent(match.point):
            return _same(number, match.point, self.plan.opponent.name)
        return self.play(self.plan.duel(number, match))

    def play(self, duel: Duel) -> DuelResult:
        """Play a duel, or what is missing of it."""
        self.folder.write_info(
            {"status": "running", **_describe(self.plan, self.duels), "playing": duel.folder}
        )
        place = 1 + sum(bool(result.folder) for result in self.duels)
        outcome = play_run(
            duel.spec,
            self.folder.path / duel.folder,
            config=duel.config.resolved(),
            jobs=self.jobs,
            force=self.force,
            resume=True,
            command=self.command,
            watcher=self.watcher.begins(duel, place, self.plan.most_duels),
        )
        measure = self.plan.config.sweep.measure
        result = result_of(duel, Results(outcome.folder.path), measure)
        self.watcher.ended(result)
        return result


def result_of(duel: Duel, results: Results, measure: str = "points") -> DuelResult:
    """What came of a duel that is played; `measure` is what the verdict is about."""
    info = results.info
    confidence = duel.config.report.confidence
    points, table = RatioSums(2), Crosstable.from_pairs(concatenate([]), 2)
    for part in results.kept_parts():
        tally = part.counts().tally
        points.merge(tally.points)
        table += tally.table
    gain = _points(points, confidence, highest_wins=results.rules.win == "highest")
    elo = _elo(table, confidence)
    verdict, llr = _by_interval(elo if measure == "elo" else gain), math.nan
    rule = info.get("verdict")
    if rule is not None and rule["rule"]["rule"] == "sprt":
        verdict, llr = rule["figures"]["decision"] or "undecided", rule["figures"]["llr"]
    tried = results.names[0]
    if tried in [item["strategy"] for item in info.get("disqualified") or ()]:
        verdict = "disqualified"
    notes = results.folder.parts().values()
    return DuelResult(
        duel.number,
        duel.folder,
        duel.point.plain,
        duel.against,
        *gain,
        *elo,
        games=info["games"],
        blocks=sum(part["blocks"][1] - part["blocks"][0] for part in notes),
        verdict=verdict,
        llr=llr,
        faulty=sum(part["faulty"][tried] for part in notes),
        digest=info["digest"],
    )


def _points(
    sums: RatioSums, confidence: float, *, highest_wins: bool
) -> tuple[float, float, float]:
    estimate = sums.estimate(confidence)
    gain = float(estimate.estimate[1] - estimate.estimate[0]) * (-1 if highest_wins else 1)
    half = float(estimate.difference_half_width()[0, 1])
    return gain, gain - half, gain + half


def _elo(table: Crosstable, confidence: float) -> tuple[float, float, float]:
    ratings = bradley_terry(table, anchor=1, confidence=confidence)
    gain = float(ratings.difference()[0, 1])
    se = float(ratings.difference_se()[0, 1])
    half = math.inf
    if math.isfinite(se):
        freedom = float(ratings.difference_degrees_of_freedom()[0, 1])
        half = half_width(se, freedom, confidence)
    return gain, gain - half, gain + half


def _by_interval(gain: tuple[float, float, float]) -> str:
    _, low, high = gain
    return "ahead" if low > 0 else "behind" if high < 0 else "open"


def _same(number: int, point: Point, opponent: str) -> DuelResult:
    """The point that is the opponent itself: they differ by exactly nothing."""
    nothing = (0.0,) * 6
    return DuelResult(number, "", point.plain, opponent, *nothing, 0, 0, "same", math.nan, 0, "")


def _describe(plan: SweepPlan, duels: Sequence[DuelResult]) -> dict[str, Any]:
    from hearts_sim import __version__

    config = plan.config
    return {
        "hearts_sim": __version__,
        "name": config.name,
        "fingerprint": plan.fingerprint(),
        "identity": plan.identity,
        "config": config.resolved(),
        "method": config.sweep.method,
        "measure": config.sweep.measure,
        "strategy": plan.strategy.name,
        "opponent": plan.opponent.name,
        "defaults": plan.defaults.plain,
        "confirm_seed": config.confirm_seed,
        "duels": [result.plain() for result in duels],
    }


def _result(plan: SweepPlan, folder: SweepFolder, info: Mapping[str, Any]) -> SweepResult:
    """A sweep that is finished, as ``sweep.json`` has it."""
    winner, confirmed = info["winner"], info["confirmed"]
    found = Found(None if winner is None else Point(tuple(winner.items())), info["complete"])
    return SweepResult(
        plan,
        folder,
        [DuelResult.of(row) for row in info["duels"]],
        found,
        None if confirmed is None else DuelResult.of(confirmed),
        played=False,
    )
