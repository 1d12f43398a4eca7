"""What a run is: everything that decides which games are played and how they end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hearts_sim.errors import ConfigError, StrategyLoadError
from hearts_sim.rules import RULES_VERSION, Rules
from hearts_sim.strategy.loader import Library, check_options, load_folders
from hearts_sim.strategy.seated import Seated
from hearts_sim.tournament.columns import SCHEMA_VERSION
from hearts_sim.tournament.schedule import Schedule
from hearts_sim.tournament.stopping import Sprt, Stop, Target

MOST_ENTRIES: Final = 1000


@dataclass(frozen=True)
class EntrySpec:
    """An entry: a strategy of a file, or a class at hand, under a name and with its options."""

    name: str
    strategy: str
    options: Mapping[str, Any]
    file: str
    digest: str


@dataclass(frozen=True)
class RunSpec:
    """A run, small enough to be sent to every process that plays.

    `folders` are where the strategies of `entries` are found; `stop` is the rule by which the run
    ends before its schedule does.
    """

    name: str
    seed: int
    rules: Rules
    folders: tuple[str, ...]
    entries: tuple[EntrySpec, ...]
    schedule: Schedule
    log: str
    stop: Stop | None = None

    @property
    def names(self) -> list[str]:
        """Names of the entries in their order."""
        return [entry.name for entry in self.entries]

    def identity(self) -> dict[str, Any]:
        """What must be equal for two runs to be the same one, apart from their length."""
        return {
            "schema_version": SCHEMA_VERSION,
            "rules_version": RULES_VERSION,
            "seed": self.seed,
            "rules": self.rules.settings(),
            "format": self.schedule.kind,
            "newcomers": [self.names[entry] for entry in self.schedule.newcomers],
            # Another hypothesis, tried on the same games until one fits, would be no test.
            "sprt": self.stop.plain() if isinstance(self.stop, Sprt) else None,
            "log": self.log,
            "entries": [
                {
                    "name": entry.name,
                    "strategy": entry.strategy,
                    "options": dict(entry.options),
                    "digest": entry.digest,
                }
                for entry in self.entries
            ],
        }

    def fingerprint(self) -> str:
        """Digest of `identity`."""
        text = json.dumps(self.identity(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan_run(config: Any) -> tuple[RunSpec, Library]:
    """Find a config's strategies and lay out its schedule.

    Parameters
    ----------
    config : Config

    Raises
    ------
    StrategyLoadError
        When a strategy is unknown, its file is broken, or an option does not fit; all of them at
        once, each with the line of the config.
    ConfigError
        When the format or the report name somebody who is no entry.
    """
    folders = [str(folder) for folder in config.strategies.folders]
    library = load_folders(folders)
    problems: list[str] = []
    entries: list[EntrySpec] = []
    wanted = config.strategies.entries
    if wanted is None:
        where = config.where("strategies", "folder")
        problems += [str(problem) for problem in library.problems]
        if not library.found and not problems:
            problems.append(f"{where}: no strategies in {', '.join(folders)}")
        for found in library.found.values():
            try:
                check_options(found, {})
                entries.append(EntrySpec(found.name, found.name, {}, found.file, found.digest))
            except StrategyLoadError as error:
                problems.append(str(error))
    else:
        for place, entry in enumerate(wanted):
            where = config.where("strategies", "entries", place)
            try:
                found = library.get(entry.strategy)
                check_options(found, entry.options)
                entries.append(
                    EntrySpec(entry.name, found.name, dict(entry.options), found.file, found.digest)
                )
            except StrategyLoadError as error:
                problems.append(f"{where}: {error}")
    if len(entries) > MOST_ENTRIES:
        problems.append(f"{len(entries)} entries: more than {MOST_ENTRIES} cannot play in one run")
    if problems:
        raise StrategyLoadError("\n".join(dict.fromkeys(problems)))
    config.check_names([entry.name for entry in entries])
    entries = _players_of(config, entries)
    names = [entry.name for entry in entries]
    newcomers = tuple(sorted(names.index(name) for name in config.format.newcomers or ()))
    if newcomers and len(newcomers) == len(names):
        where = config.where("format", "newcomers")
        raise ConfigError(f"{where}: is everybody: leave a field to play against")
    spec = RunSpec(
        name=config.name,
        seed=config.seed,
        rules=config.rules,
        folders=tuple(folders),
        entries=tuple(entries),
        schedule=Schedule(
            kind=config.format.type,
            entries=len(entries),
            players=config.rules.players,
            games=config.format.cap,
            seed=config.seed,
            teams=config.rules.team_count,
            newcomers=newcomers,
            budget_blocks=config.format.blocks,
        ),
        log=config.log,
        stop=_stop_of(config, names),
    )
    return spec, library


def _players_of(config: Any, entries: list[EntrySpec]) -> list[EntrySpec]:
    """Who plays: everybody, and in a duel only the two, a first."""
    if config.format.type != "duel":
        return entries
    if config.format.a is None:
        if len(entries) != 2:
            where = config.where("format", "a")
            raise ConfigError(
                f"{where}: is missing: a duel is between two, and there are {len(entries)} entries"
            )
        return entries
    by_name = {entry.name: entry for entry in entries}
    return [by_name[config.format.a], by_name[config.format.b]]


def _stop_of(config: Any, names: list[str]) -> Stop | None:
    sprt, target, anchor = config.format.sprt, config.format.target, config.report.anchor
    if sprt is not None:
        return Sprt(sprt.measure, sprt.h0, sprt.h1, sprt.alpha, sprt.beta, (names[0], names[1]))
    if target is None:
        return None
    reference = names.index(anchor) if anchor in names else None
    if config.format.type == "duel" and reference is None:
        reference = 1  # what counts in a duel is the difference
    measure = "points" if target.elo_halfwidth is None else "elo"
    width = target.points_halfwidth if target.elo_halfwidth is None else target.elo_halfwidth
    return Target(measure, width, config.report.confidence, reference)


def seat_entries(spec: RunSpec) -> list[Seated]:
    """Load the strategies of a run, in the process that plays.

    Raises
    ------
    StrategyLoadError
        When a file changed or vanished since the run was planned.
    """
    library = load_folders(spec.folders)
    seated = []
    for entry in spec.entries:
        found = library.get(entry.strategy)
        if found.digest != entry.digest:
            raise StrategyLoadError(f"{found.file} was changed after the run had begun")
        seated.append(Seated(entry.name, found.strategy, entry.options, found.digest, found.file))
    return seated
