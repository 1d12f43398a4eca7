"""What a run is: everything that decides which games are played and how they end."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hearts_sim.errors import ConfigError, StrategyLoadError
from hearts_sim.rules import RULES_VERSION, Rules
from hearts_sim.strategy.loader import Library, check_options, load_files, load_folders
from hearts_sim.strategy.seated import Seated
from hearts_sim.tournament.log.columns import SCHEMA_VERSION
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.plan.schedule import Schedule
from hearts_sim.tournament.plan.stopping import Sprt, Stop, Target

MOST_ENTRIES: Final = 1000

# A class that cannot play, or a name that two files have, is for the author of the folder to mend.
_DOES_NOT_IMPORT: Final = re.compile(r".*?(:\d+)?: (does not import|cannot be read)", re.DOTALL)


@dataclass(frozen=True)
class EntrySpec:
    """An entry: what plays, under a name and with its options.

    Attributes
    ----------
    name : str
    strategy : str
        The class; of a command its text, of a library its file and symbol.
    options : mapping
    file : str
        Where it comes from, for messages.
    digest : str
        Of what plays: 16 hexadecimal digits.
    isolate, command, keep, folder, library, symbol
        As of `Seated`; the command is as it was written.
    uses_clock : bool
        Whether it decides by a clock: then its games cannot be repeated.
    with_two_packs : str
        What it does otherwise where a card may be there twice; a sentence, or nothing.
    """

    name: str
    strategy: str
    options: Mapping[str, Any]
    file: str
    digest: str
    isolate: str = "shared"
    command: tuple[str, ...] = ()
    keep: str = "run"
    folder: str = ""
    library: str = ""
    symbol: str = ""
    uses_clock: bool = False
    with_two_packs: str = ""

    def identity(self) -> dict[str, Any]:
        """What decides how it plays: not where its files are, and not in which process."""
        plain: dict[str, Any] = {
            "name": self.name,
            "strategy": self.strategy,
            "options": dict(self.options),
            "digest": self.digest,
        }
        if self.command:
            plain |= {"command": list(self.command), "keep": self.keep}
        if self.library:
            # A function in C knows its options by their order.
            plain |= {
                "library": os.path.basename(self.library),
                "symbol": self.symbol,
                "order": list(self.options),
            }
        return plain


@dataclass(frozen=True)
class RunSpec:
    """A run, small enough to be sent to every process that plays.

    `folders` are where the strategies of `entries` are found; `stop` is the rule by which the run
    ends before its schedule does; `not_loaded` says of each file that was left out, since it does
    not import, where and why: ``bots/broken.py:3: does not import: ...``; `audit` is the share of
    blocks that are played again to see whether the same is chosen.
    """

    name: str
    seed: int
    rules: Rules
    folders: tuple[str, ...]
    entries: tuple[EntrySpec, ...]
    schedule: Schedule
    log: str
    stop: Stop | None = None
    faults: FaultRules = FaultRules()
    not_loaded: tuple[str, ...] = ()
    audit: float = 0.0

    @property
    def names(self) -> list[str]:
        """Names of the entries in their order."""
        return [entry.name for entry in self.entries]

    def remarks(self) -> list[str]:
        """What its strategies say of how they play under its rules."""
        if self.rules.packs == 1:
            return []
        spoken = [entry for entry in self.entries if entry.with_two_packs]
        return [f"{entry.name}: {entry.with_two_packs}" for entry in spoken]

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
            "faults": self.faults.plain(),
            "entries": [entry.identity() for entry in self.entries],
        }

    def fingerprint(self) -> str:
        """Digest of `identity`."""
        text = json.dumps(self.identity(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan_run(
    config: Any, look: Callable[[Sequence[str]], Library] = load_folders
) -> tuple[RunSpec, Library]:
    """Find a config's strategies and lay out its schedule.

    Parameters
    ----------
    config : Config
    look : callable
        Finds the strategies of some folders: in this process, or in another one.

    Raises
    ------
    StrategyLoadError
        When a strategy is unknown, its file is broken, or an option does not fit; all of them at
        once, each with the line of the config.
    ConfigError
        When the format or the report name somebody who is no entry.
    """
    folders = [str(folder) for folder in config.strategies.folders]
    wanted = config.strategies.entries
    library = Library()
    if wanted is None or any(entry.form == "strategy" for entry in wanted):
        library = look(folders)
    problems: list[str] = []
    not_loaded: tuple[str, ...] = ()
    entries: list[EntrySpec] = []
    if wanted is None:
        where = config.where("strategies", "folder")
        problems += [str(problem) for problem in library.problems]
        if config.faults.policy != "strict" and library.found:
            not_loaded = tuple(filter(_DOES_NOT_IMPORT.match, problems))
            problems = [problem for problem in problems if problem not in not_loaded]
        if not library.found and not problems:
            problems.append(f"{where}: no strategies in {', '.join(folders)}")
        for found in library.found.values():
            try:
                check_options(found, {})
                entries.append(
                    EntrySpec(
                        found.name,
                        found.name,
                        {},
                        found.file,
                        found.digest,
                        config.faults.isolate,
                        uses_clock=found.decides_by_clock({}),
                        with_two_packs=found.with_two_packs,
                    )
                )
            except StrategyLoadError as error:
                problems.append(str(error))
    else:
        for place, entry in enumerate(wanted):
            where = config.where("strategies", "entries", place)
            try:
                entries.append(entry_spec(entry, library, config))
            except StrategyLoadError as error:
                problems.append(f"{where}: {error}")
    if len(entries) > MOST_ENTRIES:
        problems.append(f"{len(entries)} entries: more than {MOST_ENTRIES} cannot play in one run")
    if problems:
        raise StrategyLoadError("\n".join(dict.fromkeys(problems)))
    try:
        config.check_names([entry.name for entry in entries])
    except ConfigError as error:
        if not not_loaded:
            raise
        left_out = "\n".join(not_loaded)
        raise ConfigError(f"{error}\nand these files were left out:\n{left_out}") from None
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
        faults=config.faults.rules(),
        not_loaded=not_loaded,
    )
    return spec, library


def entry_spec(entry: Any, library: Library, config: Any) -> EntrySpec:
    """An entry of the config, with what is found of it.

    Raises
    ------
    StrategyLoadError
        When its strategy, program or library is not there, or cannot be what it is said to be.
    """
    base, options = config.strategies.base, dict(entry.options)
    if entry.form == "command":
        text = shlex.join(entry.command)
        return EntrySpec(
            entry.name,
            text,
            options,
            text,
            command_digest(entry.command, base),
            command=entry.command,
            keep=entry.keep,
            folder=str(base),
            uses_clock=bool(entry.uses_clock),
        )
    if entry.form == "library":
        from hearts_sim.strategy.foreign import check_library, library_digest, option_values

        path = _path(base, entry.library)
        check_library(path, entry.symbol)
        option_values(options, f"{path}: {entry.symbol}")
        return EntrySpec(
            entry.name,
            f"{os.path.basename(path)}:{entry.symbol}",
            options,
            path,
            library_digest(path),
            library=path,
            symbol=entry.symbol,
            uses_clock=bool(entry.uses_clock),
        )
    found = library.get(entry.strategy)
    check_options(found, options)
    declared = found.decides_by_clock(options)
    return EntrySpec(
        entry.name,
        found.name,
        options,
        found.file,
        found.digest,
        config.isolate_of(entry),
        uses_clock=declared if entry.uses_clock is None else entry.uses_clock,
        with_two_packs=found.with_two_packs,
    )


def _path(folder: str | os.PathLike[str], written: str) -> str:
    return os.path.abspath(os.path.join(folder, os.path.expanduser(written)))


def command_digest(command: Sequence[str], folder: str | os.PathLike[str]) -> str:
    """Digest over a command and every file that it names, apart from a program on the ``PATH``.

    Raises
    ------
    StrategyLoadError
        When a file of it cannot be read.
    """
    digest = hashlib.sha256()
    for place, text in enumerate(command):
        file = _path(folder, text)
        digest.update(text.encode() + b"\0")
        if os.path.isfile(file) and (place > 0 or os.path.dirname(text)):
            try:
                with open(file, "rb") as opened:
                    digest.update(hashlib.file_digest(opened, "sha256").digest())
            except PermissionError:
                if place > 0:
                    raise StrategyLoadError(f"{file}: no permission to read this file") from None
            except OSError as error:
                raise StrategyLoadError(f"{file}: cannot be read: {error.strerror}") from None
    return digest.hexdigest()[:16]


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


def seat_entries(
    spec: RunSpec, entering: Callable[[int], None] = lambda entry: None
) -> list[Seated]:
    """Load the strategies of a run, in the process that plays.

    Parameters
    ----------
    spec : RunSpec
    entering : callable
        Called with an entry before its file is imported.

    Raises
    ------
    StrategyLoadError
        When a file changed or vanished since the run was planned.
    """
    files: dict[str, int] = {}
    for place, entry in enumerate(spec.entries):
        if not entry.command and not entry.library:
            files.setdefault(entry.file, place)
    places = list(files.values())
    library = load_files(list(files), lambda place: entering(places[place]))
    seated = []
    for entry in spec.entries:
        problem = problem_of(entry, library)
        if problem:
            raise StrategyLoadError(problem)
        seated.append(seat_entry(entry, library))
    return seated


def problem_of(entry: EntrySpec, library: Library) -> str:
    """What keeps an entry from being what it was when the run was planned; nothing if it is."""
    if entry.command:
        now = command_digest(entry.command, entry.folder)
    elif entry.library:
        from hearts_sim.strategy.foreign import library_digest

        if not os.path.exists(entry.library):
            return f"{entry.library}: the file of {entry.name} is gone"
        now = library_digest(entry.library)
    else:
        if not os.path.exists(entry.file):
            return f"{entry.file}: the file of {entry.name} is gone"
        try:
            now = library.get(entry.strategy).digest
        except StrategyLoadError as error:
            return str(error)
    if now == entry.digest:
        return ""
    what = "this file, or a helper beside it whose name starts with _"
    if entry.command:
        what = "the program, or a file that its command names"
    elif entry.library:
        what = "this file"
    return f"{entry.file}: {entry.name} was changed after the run had begun ({what})"


def seat_entry(entry: EntrySpec, library: Library) -> Seated:
    """An entry, ready to be seated."""
    strategy = None
    if not entry.command and not entry.library:
        strategy = library.get(entry.strategy).strategy
    return Seated(
        entry.name,
        strategy,
        entry.options,
        entry.digest,
        entry.file,
        isolate=entry.isolate,
        # What a shell would do: the program is started without one.
        command=tuple(
            os.path.expanduser(text) if text.startswith("~/") else text for text in entry.command
        ),
        keep=entry.keep,
        folder=entry.folder,
        library=entry.library,
        symbol=entry.symbol,
    )
