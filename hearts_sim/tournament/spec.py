"""What a run is: everything that decides which games are played and how they end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import RULES_VERSION, Rules
from hearts_sim.strategy.loader import Library, check_options, load_folders
from hearts_sim.strategy.table import Seated
from hearts_sim.tournament.columns import SCHEMA_VERSION
from hearts_sim.tournament.schedule import Schedule

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

    `folders` are where the strategies of `entries` are found.
    """

    name: str
    seed: int
    rules: Rules
    folders: tuple[str, ...]
    entries: tuple[EntrySpec, ...]
    schedule: Schedule
    log: str

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
        When the anchor is no entry.
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
    config.check_anchor([entry.name for entry in entries])
    schedule = Schedule(
        config.format.type,
        len(entries),
        config.rules.players,
        config.format.games,
        config.seed,
        config.rules.team_count,
    )
    spec = RunSpec(
        name=config.name,
        seed=config.seed,
        rules=config.rules,
        folders=tuple(folders),
        entries=tuple(entries),
        schedule=schedule,
        log=config.log,
    )
    return spec, library


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
