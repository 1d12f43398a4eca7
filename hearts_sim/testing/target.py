"""What is to be checked, and how: small enough to be sent to another process as JSON."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import PRESETS, Rules


@dataclass(frozen=True)
class Target:
    """A file of strategies, a program, or a function of a shared library.

    Attributes
    ----------
    file : str
        A Python file.
    module : str
        The module that the file is imported as, when it is part of a package.
    only : str
        Name of the one strategy of the file that is meant; all when empty.
    options : mapping
        Options of the strategy.
    command : tuple of str
    folder : str
        Working folder of the command.
    library, symbol : str
    """

    file: str = ""
    module: str = ""
    only: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    folder: str = ""
    library: str = ""
    symbol: str = ""

    @property
    def name(self) -> str:
        """A name for what is no file of strategies, and for a file before it was read."""
        if self.command:
            # Of "python3 bot.py" the script.
            second = Path(self.folder, self.command[1]) if len(self.command) > 1 else None
            return second.name if second and second.is_file() else Path(self.command[0]).name
        return self.symbol or self.only or Path(self.file).name

    def plain(self) -> dict[str, Any]:
        """The target as JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Target:
        """The inverse of `plain`."""
        return cls(**{**plain, "command": tuple(plain["command"])})


@dataclass(frozen=True)
class Plan:
    """How to check.

    Attributes
    ----------
    games : int
        Games under each set of rules.
    seed : int
    decision_seconds : float
        A call of a bot that takes longer is taken to hang.
    every : bool
        Whether every preset and every size of its table is played, for fewer hands.
    rules : list of str or mapping
        What to play instead of what a strategy declares; settings of `Rules`.
    """

    games: int = 20
    seed: int = 0
    decision_seconds: float = 5.0
    every: bool = False
    rules: Sequence[Any] = ()

    def plain(self) -> dict[str, Any]:
        """The plan as JSON values."""
        return dataclasses.asdict(self)


def find_targets(path: str, only: str = "") -> list[Target]:
    """The files of a path.

    Raises
    ------
    StrategyLoadError
        When it does not exist, is no Python file, or a folder without one.
    """
    place = Path(path)
    if place.is_dir():
        files = [file for file in sorted(place.glob("*.py")) if not file.name.startswith("_")]
        if not files:
            raise StrategyLoadError(
                f"{path}: no strategies: expected files that end in .py (those with _ in front are "
                "helpers)"
            )
        return [Target(file=str(file), only=only) for file in files]
    if not place.exists():
        raise StrategyLoadError(
            f"{path} does not exist: give a Python file, a folder, or a program after --"
        )
    if place.suffix != ".py":
        raise StrategyLoadError(
            f"{path} is no Python file: a program is given after --, a shared library with "
            "--library and --symbol"
        )
    return [Target(file=str(place), only=only)]


def find_command(command: Sequence[str], folder: str = "") -> Target:
    """A program and its arguments.

    Raises
    ------
    StrategyLoadError
        When there is no such program.
    """
    if not command:
        raise StrategyLoadError("no program was given: write it after --, as in -- ./mybot --fast")
    program = command[0]
    here = Path(folder or ".")
    if not ((here / program).is_file() if "/" in program else shutil.which(program)):
        near = f": write ./{program}" if (here / program).is_file() else ""
        raise StrategyLoadError(f"there is no program {program!r}{near}")
    return Target(command=tuple(command), folder=str(here.resolve()))


def find_library(library: str, symbol: str) -> Target:
    """A function of a shared library.

    Raises
    ------
    StrategyLoadError
        When there is no such file, or no name of a function.
    """
    if not Path(library).is_file():
        raise StrategyLoadError(f"{library} does not exist: give a shared library")
    if not symbol:
        raise StrategyLoadError(f"{library}: say which function of it plays: --symbol NAME")
    return Target(library=str(Path(library).resolve()), symbol=symbol)


def name_of(rules: Rules) -> str:
    """Rules in a few words."""
    for preset in PRESETS.values():
        if rules.players in preset.players and rules == Rules.preset(
            preset.name, players=rules.players
        ):
            return f"{preset.name}, {rules.players} players"
    return f"rules of its own, {rules.players} players"


def rules_of(declared: Any) -> list[tuple[str, Rules]]:
    """Rules from what a strategy declares: one set of rules in any form, or several.

    Raises
    ------
    RulesError
        When it is no rules.
    """
    several = declared if isinstance(declared, list | tuple | set) else [declared]
    rules = dict.fromkeys(Rules.from_spec(spec) for spec in several)
    return [(name_of(item), item) for item in rules]


def all_tables() -> list[tuple[str, Rules]]:
    """Every preset with every size of its table, for four deals."""
    return [
        (f"{preset.name}, {size} players", short(Rules.preset(preset.name, players=size), 4))
        for preset in PRESETS.values()
        for size in preset.players
    ]


def short(rules: Rules, deals: int) -> Rules:
    """The same rules for a few deals."""
    return changed(rules, end={"deals": deals}, tie="draw", exact_target="off")


def changed(rules: Rules, **settings: Any) -> Rules:
    """Rules with some settings changed."""
    return Rules(**{**rules.settings(), **settings})


def listed(names: Iterable[str], most: int = 3) -> str:
    """A few names in a sentence."""
    found = list(names)
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return ", ".join(found[:most]) + more
