"""What a sweep is: the strategy that is tuned, its opponent, and the config of each duel."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import RULES_VERSION, nearest
from hearts_sim.strategy.loader import Library, load_folders
from hearts_sim.tournament.config.models import Config, Entry
from hearts_sim.tournament.config.sweep import SweepConfig
from hearts_sim.tournament.log.columns import SCHEMA_VERSION
from hearts_sim.tournament.plan.spec import RunSpec, entry_spec, plan_run
from hearts_sim.tournament.sweep.points import (
    Lists,
    Point,
    Value,
    entry_name,
    grid,
    most_neighbours,
    value_text,
)
from hearts_sim.tournament.sweep.search import Match, Search, climb, search_grid

CONFIRM: Final = "confirm"
"""Folder of the last duel."""

_LONGEST: Final = 80


@dataclass(frozen=True)
class Duel:
    """A duel of a sweep.

    Attributes
    ----------
    number : int
        From 1, in the order of playing.
    folder : str
        Its results, below the folder of the sweep.
    point : Point
        What is tried; entry 0 of the run.
    against : str
        The name of the other one.
    config : Config
    spec : RunSpec
    """

    number: int
    folder: str
    point: Point
    against: str
    config: Config
    spec: RunSpec


@dataclass(frozen=True)
class SweepPlan:
    """A sweep whose strategies are found.

    Attributes
    ----------
    config : SweepConfig
    library : Library
    opponent : Entry
        Whom a grid meets, and the winner at last.
    defaults : Point
        The values that the strategy has without the sweep, as far as they are known; a climb begins
        there.
    identity : dict
        What must be equal for two sweeps to be the same one.
    """

    config: SweepConfig
    library: Library
    opponent: Entry
    defaults: Point
    identity: dict[str, Any]

    @property
    def strategy(self) -> Entry:
        """Whose options are tuned."""
        return self.config.sweep.strategy

    @property
    def lists(self) -> Lists:
        """The values of each option."""
        return self.config.sweep.options

    @property
    def points(self) -> list[Point]:
        """Every combination of values."""
        return grid(self.lists)

    @property
    def most_duels(self) -> int:
        """Duels of the search at most."""
        if self.config.sweep.method == "climb":
            # Each point is the best once at most, and so is a start that is none of them.
            bests = len(self.points) + (self.defaults not in self.points)
            return min(self.config.sweep.max_duels, bests * most_neighbours(self.lists))
        return sum(not self.is_opponent(point) for point in self.points)

    def lengths(self) -> tuple[RunSpec, RunSpec]:
        """A duel of the search and the confirmation, to see how long they are."""
        point = self.points[0]
        search = self.duel(1, Match(point)).spec
        return search, self.confirmation(2, point).spec

    def search(self) -> Search:
        """The search, from its beginning."""
        if self.config.sweep.method == "climb":
            return climb(self.lists, self.defaults, self.config.sweep.max_duels)
        return search_grid(self.points)

    def fingerprint(self) -> str:
        """Digest of `identity`."""
        text = json.dumps(self.identity, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def is_opponent(self, point: Point) -> bool:
        """Whether the opponent is this point itself: a duel would differ by exactly nothing."""
        return self._plays_as(self._tried(point, "")) == self._plays_as(self.opponent)

    def duel(self, number: int, match: Match) -> Duel:
        """A duel of the search."""
        other = self.opponent
        if match.against is not None:
            other = self._tried(match.against, entry_name(match.against, 0))
        slug = match.point.slug
        if len(slug) > _LONGEST:
            slug = "point"
        slugs = [point.slug for point in self.points] if match.against is None else []
        # In a climb a point may meet several; in a grid two texts may look alike.
        numbered = match.against is not None or slugs.count(slug) != 1
        folder = f"{number:03}-{slug}" if numbered else slug
        return self._duel(number, folder, match.point, other, self.config.duel)

    def confirmation(self, number: int, winner: Point) -> Duel:
        """The last duel: the winner against the opponent on fresh deals."""
        return self._duel(number, CONFIRM, winner, self.opponent, self.config.confirmation)

    def _duel(
        self,
        number: int,
        folder: str,
        point: Point,
        other: Entry,
        config_of: Callable[[str, Entry, Entry], Config],
    ) -> Duel:
        tried = self._tried(point, entry_name(point, number, other.name))
        config = config_of(f"{self.config.name}-{folder}"[:100], tried, other)
        spec, _ = plan_run(config, lambda folders: self.library)
        return Duel(number, folder, point, other.name, config, spec)

    def options_of(self, point: Point) -> dict[str, Any]:
        """All options of an entry that plays as a point."""
        return {**self.strategy.options, **point.plain}

    def _tried(self, point: Point, name: str) -> Entry:
        entry: Entry = self.strategy.model_copy(
            update={"name": name, "options": self.options_of(point)}
        )
        return entry

    def _plays_as(self, entry: Entry) -> tuple[Any, ...]:
        defaults = _takes(entry, self.library)[1]
        what = (entry.strategy, entry.command, entry.library, entry.symbol)
        return (what, {**defaults, **entry.options})


def plan_sweep(
    config: SweepConfig, look: Callable[[Sequence[str]], Library] = load_folders
) -> SweepPlan:
    """Find the strategies of a sweep, and see that the options fit.

    Parameters
    ----------
    config : SweepConfig
    look : callable
        Finds the strategies of some folders: in this process, or in another one.

    Raises
    ------
    StrategyLoadError
        When a strategy is unknown, an option does not fit, or there is no opponent, since the
        strategy does not play without the options; all at once, each with its line.
    """
    sweep = config.sweep
    folders = [str(folder) for folder in config.strategies.folders]
    library = look(folders) if folders else Library()
    problems: list[str] = []
    required: Sequence[str] = ()
    defaults: Mapping[str, Any] = {}
    try:
        required, defaults = _takes(sweep.strategy, library)
        problems += _misfits(config, library)
    except StrategyLoadError as error:
        problems.append(f"{config.where('sweep', 'strategy')}: {error}")
    first = {name: values[0] for name, values in sweep.options.items()}
    known: dict[str, dict[str, Any]] = {}
    if not problems:
        tried = {"options": {**sweep.strategy.options, **first}}
        _add("strategy", sweep.strategy.model_copy(update=tried), config, library, known, problems)
    opponent = sweep.against or sweep.strategy
    missing = [name for name in required if name in first and name not in opponent.options]
    if sweep.against is not None or not missing:
        _add("against", opponent, config, library, known, problems)
    else:
        problems.append(
            f"{config.where('sweep', 'against')}: is missing: {opponent.strategy} needs the option "
            f"{missing[0]!r}, and does not play as it is: name the opponent, as {{strategy: "
            f"{opponent.strategy}, options: {{{missing[0]}: {value_text(first[missing[0]])}}}}}"
        )
    if problems:
        raise StrategyLoadError("\n".join(dict.fromkeys(problems)))
    usual = {**defaults, **sweep.strategy.options}
    identity = _identity(config, known["strategy"], known["against"])
    start = _start(sweep.options, usual, required)
    return SweepPlan(config, library, opponent, start, identity)


def _add(
    key: str,
    entry: Entry,
    config: SweepConfig,
    library: Library,
    known: dict[str, dict[str, Any]],
    problems: list[str],
) -> None:
    """Add what decides how an entry plays, or what is wrong with it."""
    try:
        known[key] = entry_spec(entry, library, config).identity()
    except StrategyLoadError as error:
        stated = key == "strategy" or config.sweep.against is not None
        if stated or not problems:
            problems.append(f"{config.where('sweep', key if stated else 'strategy')}: {error}")


def _takes(entry: Entry, library: Library) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """The options that must be given, and the values of those that are left out."""
    if entry.form != "strategy":
        return (), {}
    takes = library.get(entry.strategy).takes
    return takes.required, takes.defaults


def _misfits(config: SweepConfig, library: Library) -> list[str]:
    """Options that the strategy does not have, and values that they cannot have."""
    sweep, said = config.sweep, []
    entry = sweep.strategy
    if entry.form == "command":
        return []
    if entry.form == "library":
        # A function in C knows its options by their order, which only the entry tells.
        return [
            f"{config.where('sweep', 'options', name)}: {entry.name} is a library, which knows its "
            "options by their order: give all of them, with their usual values, under "
            "sweep.strategy.options"
            for name in sweep.options
            if name not in entry.options
        ]
    found = library.get(entry.strategy)
    takes = found.takes
    for name, values in sweep.options.items():
        if name not in takes.names and not takes.anything:
            how = "class attribute options" if found.compiled else "keywords of its __init__"
            known = nearest(name, takes.names) if takes.names else f": it has none ({how})"
            where = config.where("sweep", "options", name)
            said.append(f"{where}: {found.name} has no option {name!r}{known}")
        elif found.compiled:
            said += [
                f"{config.where('sweep', 'options', name, place)}: options of {found.name} are "
                f"numbers, since it is compiled, got {value!r}"
                for place, value in enumerate(values)
                if isinstance(value, str)
            ]
    return said


def _start(lists: Lists, usual: Mapping[str, Any], required: Sequence[str]) -> Point:
    """Where a climb begins: the usual values; the first of the list where there must be one."""
    values: dict[str, Value] = {}
    for name, tried in lists.items():
        if type(usual.get(name)) in (bool, int, float, str):
            values[name] = usual[name]
        elif name in required:
            values[name] = tried[0]
    return Point(tuple(values.items()))


def _identity(
    config: SweepConfig, strategy: Mapping[str, Any], opponent: Mapping[str, Any]
) -> dict[str, Any]:
    stated = config.resolved()["sweep"]
    return {
        "schema_version": SCHEMA_VERSION,
        "rules_version": RULES_VERSION,
        "seed": config.seed,
        "rules": config.rules.settings(),
        "log": config.log,
        "faults": config.faults.rules().plain(),
        "confidence": config.report.confidence,
        "strategy": {key: strategy[key] for key in ("strategy", "digest")}
        | {"options": dict(config.sweep.strategy.options)},
        "opponent": dict(opponent),
        **{key: value for key, value in stated.items() if key not in ("strategy", "against")},
    }
