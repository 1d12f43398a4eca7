"""Playing and reading from Python: in the caller's own process."""

from __future__ import annotations

import dataclasses
import inspect
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.engine.record import ENDS
from hearts_sim.errors import ConfigError, StrategyLoadError
from hearts_sim.rules import Rules
from hearts_sim.strategy.base import AnyStrategy, CompiledStrategy, Strategy, has_hook
from hearts_sim.strategy.loader import source_digest
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.tournament.reading.results import Results

if TYPE_CHECKING:
    import pandas as pd

    from hearts_sim.tournament.config.reading import Config, SweepConfig
    from hearts_sim.tournament.sweep.runner import SweepResult


def run(
    config: str | os.PathLike[str] | Mapping[str, Any] | Config,
    *,
    output: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    force: bool = False,
    resume: bool = False,
    audit: float = 0.0,
    report: bool = True,
) -> Results:
    """Play a tournament and write its report, as ``hearts-sim run`` does.

    Parameters
    ----------
    config : path of a YAML file, or a mapping with the same keys
    output : path, optional
        The results folder; left out, ``results/<name>`` below the current folder.
    jobs : int, optional
        Player processes. Left out, everything is played in this process, so that a breakpoint in a
        strategy works. Results do not depend on it.
    scheduler : str, optional
        Address of a Dask scheduler, as ``tcp://HOST:8786``, whose workers play.
    force : bool
        Delete another run that is in the folder.
    resume : bool
        Go on with a run that did not finish.
    audit : float
        Play this share of the blocks again, in another process and order; ``info["audit"]`` of the
        results says whose choices differ.
    report : bool
        Whether to write tables, charts and pages.

    Raises
    ------
    ConfigError, StrategyLoadError
        Before anything is played.
    StrategyFault
        When a strategy fails.
    ResultsError
        When the folder cannot be used.
    ClusterError
        When the cluster cannot be used.
    """
    from hearts_sim.tournament.config.reading import Config, config_from_mapping, read_config
    from hearts_sim.tournament.plan.spec import plan_run
    from hearts_sim.tournament.run.runner import play_run, results_path

    if isinstance(config, Mapping):
        config = config_from_mapping(config, base=Path.cwd())
    elif not isinstance(config, Config):
        config = read_config(config)
    spec, _ = plan_run(config)
    spec = dataclasses.replace(spec, audit=audit)
    for message in spec.not_loaded:
        warnings.warn(f"left out: {message}", stacklevel=2)
    outcome = play_run(
        spec,
        results_path(config.name, output),
        config=config.resolved(),
        source=config.source,
        jobs=jobs,
        scheduler=scheduler,
        force=force,
        resume=resume,
    )
    results = Results(outcome.folder.path)
    if report:
        from hearts_sim.report.summary import summarise
        from hearts_sim.report.write import write_report

        write_report(summarise(results))
    return results


def sweep(
    config: str | os.PathLike[str] | Mapping[str, Any] | SweepConfig,
    *,
    output: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    force: bool = False,
    resume: bool = False,
    report: bool = True,
) -> SweepResult:
    """Tune options of a strategy, as ``hearts-sim sweep`` does.

    Parameters
    ----------
    config : path of a YAML file, or a mapping with the same keys
        With a section ``sweep``.
    output : path, optional
        The results folder; left out, ``results/<name>`` below the current folder.
    jobs : int, optional
        Player processes; left out, everything is played in this process.
    force : bool
        Delete another sweep that is in the folder.
    resume : bool
        Go on with a sweep that did not finish.
    report : bool
        Whether to write table, chart and page.

    Returns
    -------
    SweepResult
        ``winner`` has the options that won, ``confirmed`` the gain on fresh deals, and ``frame()``
        a row for each duel.

    Raises
    ------
    ConfigError, StrategyLoadError
        Before anything is played.
    StrategyFault
        When a strategy fails, with strict rules on faults.
    ResultsError
        When the folder cannot be used.
    """
    from hearts_sim.tournament.config.reading import SweepConfig, read_sweep, sweep_from_mapping
    from hearts_sim.tournament.run.runner import results_path
    from hearts_sim.tournament.sweep.plan import plan_sweep
    from hearts_sim.tournament.sweep.runner import play_sweep

    if isinstance(config, Mapping):
        config = sweep_from_mapping(config, base=Path.cwd())
    elif not isinstance(config, SweepConfig):
        config = read_sweep(config)
    path = results_path(config.name, output)
    result = play_sweep(plan_sweep(config), path, jobs=jobs, force=force, resume=resume)
    if report:
        from hearts_sim.report.sweeps import write_sweep

        write_sweep(result)
    return result


def load(path: str | os.PathLike[str]) -> Results:
    """Open a results folder; rows are read when they are asked for.

    Raises
    ------
    ResultsError
        When there is no run in it, or another version wrote it.
    """
    return Results(path)


@dataclass(frozen=True)
class GameResult:
    """One game.

    Attributes
    ----------
    scores : tuple of int
        Totals by seat.
    places : tuple of float
        1 is best; ties share the mean place.
    wins : tuple of float
        1/k for each of k on the first place.
    ended : str
        What ended it: target, deals, exact, tie_cap or max_hands.
    hands, plays : DataFrame
        The rows that a run would log.
    """

    scores: tuple[int, ...]
    places: tuple[float, ...]
    wins: tuple[float, ...]
    ended: str
    hands: pd.DataFrame
    plays: pd.DataFrame


def play_game(
    bots: Sequence[AnyStrategy | Strategy],
    rules: Rules | str | Mapping[str, Any] | None = None,
    seed: int = 0,
) -> GameResult:
    """Play one game between strategies, in this process and thread.

    Parameters
    ----------
    bots : sequence of strategy classes, or instances
        One for each seat.
    rules : Rules, name of a preset, or mapping of settings, optional
        Left out, black_lady for as many players as there are bots.
    seed : int

    Raises
    ------
    StrategyFault
        When a strategy raises or answers what is no legal card.
    ConfigError, RulesError
        When the number of bots does not fit the rules, or the rules contradict themselves.
    StrategyLoadError
        When something is no strategy, or does not compile.
    """
    if rules is None:
        rules = Rules.preset("black_lady", players=len(bots))
    rules = Rules.from_spec(rules)
    if len(bots) != rules.players:
        raise ConfigError(f"the rules are for {rules.players} players, but {len(bots)} bots came")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise ConfigError(f"seed must be a whole number from 0 to 2**63 - 1, got {seed!r}")
    seated = [_seated(bot) for bot in bots]
    machine = Machine(rules, seed, "plays", len(bots))
    lineup = Lineup(machine, seated)
    for seat in range(len(bots)):
        lineup.seat(seat, seat)
    try:
        hands, games, plays = next(machine.play(one_job(list(range(len(bots))))))
    except BotFailed:
        cause = lineup.error()
        raise lineup.fault().error() from cause
    return GameResult(
        scores=tuple(games["score"].tolist()),
        places=tuple(games["place"].tolist()),
        wins=tuple(games["win"].tolist()),
        ended=ENDS[int(games["ended"][0])],
        hands=_frame("hands", hands, rules, [seat.name for seat in seated]),
        plays=_frame("plays", plays, rules, [seat.name for seat in seated]),
    )


def _seated(bot: Any) -> Seated:
    if isinstance(bot, Strategy):
        return Seated(type(bot).__name__, bot)
    if isinstance(bot, type) and issubclass(bot, Strategy | CompiledStrategy):
        if not has_hook(bot, "choose_card"):
            raise StrategyLoadError(f"{bot.__name__} has no choose_card")
        hook = inspect.unwrap(bot.choose_card)  # type: ignore[union-attr]
        source = Path(hook.__code__.co_filename)
        if source.exists():
            return Seated(bot.__name__, bot, {}, source_digest(source), str(source))
        return Seated(bot.__name__, bot)
    raise StrategyLoadError(f"{bot!r} is no strategy: give a class with choose_card")


def _frame(name: str, rows: np.ndarray[Any, Any], rules: Rules, names: list[str]) -> pd.DataFrame:
    from hearts_sim.tournament.log.columns import arrow_table, names_for

    if "strategy" in (rows.dtype.names or ()):
        # One class on several seats has one name.
        own = names
        names = list(dict.fromkeys(own))
        rows["strategy"] = [names.index(own[entry]) for entry in rows["strategy"]]
    frame: pd.DataFrame = arrow_table(name, rows, names_for(rules, names)).to_pandas()
    return frame
