"""The shape of a config, and what each value may be.

Each field's description is what messages say is expected, so pydantic's own wording never reaches a
person; what a key means goes into the schema that editors read (`config.schema`).
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PrivateAttr,
    field_validator,
)
from pydantic_core import PydanticCustomError

from hearts_sim.errors import ConfigError
from hearts_sim.rules import Rules, nearest
from hearts_sim.tournament.config.yaml_source import (
    MAX_INT,
    KeyPath,
    Problem,
    YamlSource,
    clip,
    format_problems,
)
from hearts_sim.tournament.plan.policy import FaultRules

MAX_GAMES: Final = 10**9
MAX_SECONDS: Final = 86_400
NULL_KEYS: Final = ("decision_seconds", "game_seconds", "memory_mb")
"""Keys of `faults` that may be null."""
DEFAULT_MAX_GAMES: Final = 100_000
"""Cap of a run that ends by its results, where none is given."""


NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
NAME_IS: Final = "letters (a to z), digits, '.', '_' and '-', at most 100, not starting with '.'"


def _tournament_name(value: str) -> str:
    if not NAME.fullmatch(value):
        raise ValueError(f"{clip(value)} cannot be the name of a folder: use {NAME_IS}")
    return value


def _class_name(value: str) -> str:
    if "/" in value or "\\" in value:
        raise ValueError(
            f"{clip(value)} is no name of a class; a program is an entry "
            "{name: ..., command: [./mybot]}, a shared library {name: ..., library: ./mybot.so}"
        )
    if not value.isidentifier():
        raise ValueError(f"{clip(value)} is no name of a class: write it as LowCard")
    return value


def _entry_name(value: str) -> str:
    if not 1 <= len(value) <= 60 or not value.isprintable() or value != value.strip():
        raise ValueError(
            f"{clip(value)} cannot be a name: use 1 to 60 printable characters "
            "without a space at either end"
        )
    return value


def _option_name(value: str) -> str:
    if not value.isidentifier():
        raise ValueError("an option's name must be a Python name such as risk")
    return value


def _option_value(value: Any) -> Any:
    items = value if isinstance(value, list) else [value]
    for item in items:
        if isinstance(item, list):
            _option_value(item)
        elif not (item is None or isinstance(item, bool | int | float | str)):
            raise PydanticCustomError("type", "not a plain value")
    return value


def _folder(value: str) -> str:
    if not value.strip():
        raise ValueError("the path is empty: name a folder")
    return value


def listed(value: Any) -> Any:
    """A list as models have it."""
    return tuple(value) if isinstance(value, list) else value


def _one_or_more(value: Any) -> Any:
    return (value,) if isinstance(value, str) else listed(value)


_SHELL_ONLY: Final = re.compile(r"\|\|?|&&?|;|\d?(<|>>?)(&\d|[\w./]*)")


def split_command(text: str) -> list[str]:
    """Program and arguments of a command that is one text, as a shell takes it apart.

    Raises
    ------
    ValueError
        When it cannot be taken apart, or wants a shell to run it.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        why = "a quote opens and is not closed" if "quot" in str(error) else "it ends with '\\'"
        raise ValueError(
            f"{clip(text)} cannot be taken apart: {why}; a list is plainer: [./mybot, argument]"
        ) from None
    for word in words:
        if _SHELL_ONLY.fullmatch(word):
            raise ValueError(
                f"no shell runs the command, so {clip(word)} would be an argument: write "
                f"[sh, -c, '...'], or a list if that is meant"
            )
    return words


def _command(value: Any) -> Any:
    if isinstance(value, str):
        value = split_command(value)
    value = listed(value)
    if value == () or (isinstance(value, tuple) and value[0] == ""):
        raise ValueError("no program: write [./mybot], or [python3, mybot.py]")
    return value


def _argument(value: str) -> str:
    if "\0" in value:
        raise ValueError("no program takes an argument with the character NUL")
    return value


def _library(value: str) -> str:
    if not value.strip() or "\0" in value:
        raise ValueError(f"{clip(value)} is no path: name a shared library such as ./mybot.so")
    return value


def _symbol(value: str) -> str:
    if not (value.isidentifier() and value.isascii()):
        raise ValueError(f"{clip(value)} cannot be the name of a function in C: write it as bot")
    return value


def means(text: str) -> dict[str, Any]:
    """What a key means: its description in the schema of a config."""
    return {"description": text}


OptionName = Annotated[str, AfterValidator(_option_name)]
_OptionValue = Annotated[Any, AfterValidator(_option_value)]


class Section(BaseModel):
    """A mapping of a config: its keys are known, and none may be left empty."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_empty_value(cls, value: Any) -> Any:
        # A key whose value is commented out must not quietly mean the default.
        if value is None:
            raise PydanticCustomError("type", "empty")
        return value


FORM_OF: Final = {
    "strategy": "strategy",
    "isolate": "strategy",
    "command": "command",
    "keep": "command",
    "library": "library",
    "symbol": "library",
}
"""Which form of an entry a key belongs to; the others belong to all."""


class Entry(Section):
    """One contestant: what plays, the name it plays under, and its options.

    One of `strategy`, `command` and `library` says what plays; what does not go together is refused
    in `config.checks.entry_form_problems`.
    """

    strategy: Annotated[str, AfterValidator(_class_name)] = Field(
        default="",
        description="the name of a strategy's class",
        json_schema_extra=means("Name of a strategy's class in the folder."),
    )
    name: Annotated[str, AfterValidator(_entry_name)] = Field(
        default="",
        description="the name to play under, as text",
        json_schema_extra=means(
            "Name to play under; left out, that of the class. Two entries of one class "
            "need two names."
        ),
    )
    options: dict[OptionName, _OptionValue] = Field(
        default_factory=dict,
        description="options as a mapping, such as {risk: 0.4}",
        json_schema_extra=means(
            "Options of the strategy: keywords of its __init__, or what a compiled one declares."
        ),
    )
    isolate: Literal["shared", "process"] | None = Field(
        default=None,
        description="shared or process",
        json_schema_extra=means(
            "Where the strategy plays: shared (in the player process) or process (in one "
            "of its own). Left out, as faults.isolate says."
        ),
    )
    command: Annotated[
        tuple[Annotated[str, AfterValidator(_argument)], ...], BeforeValidator(_command)
    ] = Field(
        default=(),
        description="a program and its arguments, such as [./mybot, --fast]",
        json_schema_extra=means(
            "A program that plays over JSON lines, with its arguments; paths are "
            "relative to this file."
        ),
    )
    keep: Literal["run", "game"] = Field(
        default="run",
        description="run or game",
        json_schema_extra=means(
            "How long a program lives: run, or game (started anew for every game)."
        ),
    )
    library: Annotated[str, AfterValidator(_library)] = Field(
        default="",
        description="the path of a shared library",
        json_schema_extra=means(
            "A shared library that plays by the C convention; the path is relative to this file."
        ),
    )
    symbol: Annotated[str, AfterValidator(_symbol)] = Field(
        default="bot",
        description="the name of a function in the library",
        json_schema_extra=means("Name of the function in the library."),
    )
    uses_clock: bool | None = Field(
        default=None,
        description="true or false; left out, what the strategy declares",
        json_schema_extra=means(
            "Whether it decides by a clock, so that its games cannot be repeated; left "
            "out, what the strategy declares."
        ),
    )

    @property
    def form(self) -> str:
        """What plays: ``strategy``, ``command`` or ``library``."""
        return "command" if self.command else "library" if self.library else "strategy"


def entry_from(value: Any) -> Any:
    """What an entry says, where it is a name alone or has no other name than that of its class."""
    if isinstance(value, str):
        value = {"strategy": value}
    if isinstance(value, dict) and isinstance(value.get("strategy"), str):
        return {"name": value["strategy"]} | value
    return value


class Strategies(Section):
    """Where strategies are found and which of them play.

    Attributes
    ----------
    folder : tuple of str
        The folders as they were written; none when all entries are programs and libraries.
    entries : tuple of Entry or None
        The contestants; None for every strategy found.
    """

    folder: Annotated[
        tuple[Annotated[str, AfterValidator(_folder)], ...], BeforeValidator(_one_or_more)
    ] = Field(
        default=(),
        min_length=1,
        description="the path of a folder, or a list of paths",
        json_schema_extra=means(
            "Folder of strategy files, or a list of folders, relative to this file."
        ),
    )
    entries: (
        Annotated[
            tuple[Annotated[Entry, BeforeValidator(entry_from)], ...],
            Field(min_length=1),
            BeforeValidator(listed),
        ]
        | None
    ) = Field(
        default=None,
        description="a list of strategies",
        json_schema_extra=means(
            "Who plays: names of classes, or mappings with a name, options, a program or "
            "a library. Left out, every strategy found."
        ),
    )
    _base: Path = PrivateAttr(default_factory=Path.cwd)

    def model_post_init(self, context: Any) -> None:
        """Remember what the folders are relative to."""
        if context:
            self._base = context["base"]

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders as absolute paths."""
        return tuple(absolute(self._base, folder) for folder in self.folder)

    @property
    def base(self) -> Path:
        """What paths are relative to, and the working folder of commands: the config's own."""
        return self._base


class Target(Section):
    """How sure a run is to become: the widest interval against the reference."""

    elo_halfwidth: float | None = Field(
        default=None,
        gt=0,
        le=1e4,
        description="half an interval's width in Elo, a number above 0",
        json_schema_extra=means(
            "Half the width that every interval of a rating may have at the end, in Elo."
        ),
    )
    points_halfwidth: float | None = Field(
        default=None,
        gt=0,
        le=1e4,
        description="half an interval's width in points per hand, a number above 0",
        json_schema_extra=means(
            "Half the width that every interval may have at the end, in points per hand."
        ),
    )


class Sprt(Section):
    """A sequential test of whether `a` is better than `b`."""

    measure: Literal["points", "elo"] = Field(
        default="points",
        description="points or elo",
        json_schema_extra=means("What is tested: points per hand, or elo."),
    )
    h0: float = Field(
        default=0.0,
        ge=-1e4,
        le=1e4,
        description="by how much a is better under the first hypothesis, a number",
        json_schema_extra=means(
            "By how much a is better under the first hypothesis, in points per hand or Elo."
        ),
    )
    h1: float = Field(
        ge=-1e4,
        le=1e4,
        description="by how much a is better under the second hypothesis, a number",
        json_schema_extra=means(
            "By how much a is better under the second hypothesis, in points per hand or Elo."
        ),
    )
    alpha: float = Field(
        default=0.05,
        gt=0,
        lt=0.5,
        description="a probability between 0 and 0.5, both excluded",
        json_schema_extra=means("Probability to find for h1 although h0 holds."),
    )
    beta: float = Field(
        default=0.05,
        gt=0,
        lt=0.5,
        description="a probability between 0 and 0.5, both excluded",
        json_schema_extra=means("Probability to find for h0 although h1 holds."),
    )


class Format(Section):
    """Who meets whom, and how often.

    One of `games`, `blocks`, `target` and `sprt` says how long; `max_games` is the cap of the last
    two. What does not go together is refused in `config.checks.format_section_problems`.
    """

    type: Literal["table", "duel", "gauntlet", "selfplay"] = Field(
        description="table, duel, gauntlet or selfplay",
        json_schema_extra=means(
            "Who meets whom: table (every set of entries that fits a table), duel (two, "
            "in all mixed seatings of equal deals), gauntlet (newcomers in every seat of "
            "the field), selfplay (each with its own copies)."
        ),
    )
    games: int | None = Field(
        default=None,
        ge=1,
        le=MAX_GAMES,
        description="a whole number of games, 1 or more",
        json_schema_extra=means(
            "Number of games, rounded up until every entry has sat equally often on every seat."
        ),
    )
    blocks: int | None = Field(
        default=None,
        ge=1,
        le=MAX_GAMES,
        description="a whole number of blocks, 1 or more",
        json_schema_extra=means(
            "Number of blocks: sequences of deals that are played in all their seatings."
        ),
    )
    target: Target | None = Field(
        default=None,
        description="a mapping such as {elo_halfwidth: 10}",
        json_schema_extra=means("Play until every interval is as narrow as this."),
    )
    max_games: int | None = Field(
        default=None,
        ge=1,
        le=MAX_GAMES,
        description="a whole number of games, 1 or more",
        json_schema_extra=means("Most games of a run that ends by its results."),
    )
    a: str | None = Field(
        default=None,
        description="the name of an entry",
        json_schema_extra=means("The first of a duel; left out where there are two entries."),
    )
    b: str | None = Field(
        default=None,
        description="the name of an entry",
        json_schema_extra=means("The second of a duel; left out where there are two entries."),
    )
    sprt: Sprt | None = Field(
        default=None,
        description="a mapping such as {measure: points, h0: 0, h1: 0.3}",
        json_schema_extra=means(
            "Play until a sequential test of whether a is better than b has decided."
        ),
    )
    newcomers: (
        Annotated[tuple[str, ...], Field(min_length=1), BeforeValidator(_one_or_more)] | None
    ) = Field(
        default=None,
        description="the name of an entry, or a list of names",
        json_schema_extra=means(
            "The entry or entries that a gauntlet is for; the others are the field."
        ),
    )

    @property
    def cap(self) -> int | None:
        """Most games to be played; None where blocks are counted."""
        if self.games is None and self.blocks is None and self.max_games is None:
            return DEFAULT_MAX_GAMES
        return self.games or self.max_games


class Faults(Section):
    """What is done about a bot that fails, and where strategies play that do not say it.

    A limit may be written as ``null`` for none: `NULL_KEYS`. `policy.FaultRules` has the meanings.
    """

    policy: Literal["strict", "substitute", "forfeit"] = Field(
        default="substitute",
        description="strict, substitute or forfeit",
        json_schema_extra=means(
            "What is done about a bot that fails: strict (the run stops), substitute (a "
            "neutral legal card is played), forfeit (it has lost the game)."
        ),
    )
    decision_seconds: float | None = Field(
        default=None,
        ge=0.001,
        le=MAX_SECONDS,
        description="a number of seconds from 0.001 to 86400, or null for no limit",
        json_schema_extra=means("Longest time of one decision, in seconds; null for no limit."),
    )
    game_seconds: float | None = Field(
        default=None,
        gt=0,
        le=MAX_SECONDS,
        description="a number of seconds above 0, at most 86400, or null for no limit",
        json_schema_extra=means(
            "Longest time of a bot in one game, in seconds; null for no limit."
        ),
    )
    memory_mb: int | None = Field(
        default=None,
        ge=16,
        le=2**24,
        description="a whole number of MiB from 16 to 16777216, or null for no limit",
        json_schema_extra=means("Memory of the bots of a process, in MiB; null for no limit."),
    )
    max_rate: float = Field(
        default=0.01,
        ge=0,
        le=1,
        description="a number from 0 to 1, a share of an entry's games",
        json_schema_extra=means(
            "Share of its games with a fault above which an entry is disqualified."
        ),
    )
    isolate: Literal["shared", "process"] = Field(
        default="shared",
        description="shared or process",
        json_schema_extra=means(
            "Where strategies play that do not say it: shared (in the player process) or "
            "process (each in one of its own)."
        ),
    )

    def rules(self) -> FaultRules:
        """What a run needs to know of it."""
        return FaultRules(**self.model_dump(exclude={"isolate"}))


class Report(Section):
    """What the report shows."""

    anchor: str | None = Field(
        default=None,
        description="the name of an entry, whose rating is the fixed point",
        json_schema_extra=means(
            "Name of the entry whose rating is the fixed point; left out, the mean of the field is."
        ),
    )
    confidence: float = Field(
        default=0.95,
        gt=0.5,
        lt=1,
        description="a number between 0.5 and 1, both excluded",
        json_schema_extra=means("Confidence of all intervals."),
    )


class Common(Section):
    """What every config has, whatever is played by it."""

    name: Annotated[str, AfterValidator(_tournament_name)] = Field(
        description="text that can be the name of a folder",
        json_schema_extra=means(
            "Name of the tournament; results go to results/NAME. Left out, the name of this file."
        ),
    )
    seed: int = Field(
        default=0,
        ge=0,
        le=MAX_INT,
        description=f"a whole number from 0 to {MAX_INT}",
        json_schema_extra=means("The same seed and config give the same games."),
    )
    rules: InstanceOf[Rules] = Field(
        default_factory=Rules,
        description="a preset's name or a mapping of settings",
        json_schema_extra=means(
            "Rules of the game: the name of a preset, or a mapping of settings with or "
            "without preset."
        ),
    )
    strategies: Strategies = Field(
        description="a mapping such as {folder: strategies}",
        json_schema_extra=means("Where strategies are found, and which of them play."),
    )
    log: Literal["games", "hands", "plays"] = Field(
        default="hands",
        description="games, hands or plays",
        json_schema_extra=means(
            "What is logged: games, hands (and games), or plays (every card, and both)."
        ),
    )
    faults: Faults = Field(
        default_factory=Faults,
        description="a mapping such as {policy: substitute}",
        json_schema_extra=means("What is done about bots that fail."),
    )
    report: Report = Field(
        default_factory=Report,
        description="a mapping such as {confidence: 0.95}",
        json_schema_extra=means("What the report shows."),
    )
    _origin: YamlSource | None = PrivateAttr(default=None)

    def model_post_init(self, context: Any) -> None:
        """Remember where the config was read."""
        if context:
            self._origin = context["origin"]

    @property
    def source(self) -> str | None:
        """The YAML text as it was read; None for a config made from a mapping."""
        return self._origin.text if self._origin else None

    def where(self, *path: str | int) -> str:
        """Place of a key, to begin a message with: ``league.yaml:9: strategies.entries[2]``."""
        return format_problems([Problem(path, "")], self._origin).removesuffix(": ")

    def isolate_of(self, entry: Entry) -> str:
        """Where a strategy plays: as it says, or as `faults` says of all."""
        return entry.isolate or self.faults.isolate

    def resolved(self) -> dict[str, Any]:
        """Every setting as plain JSON values, defaults and rules spelled out.

        ``strategies`` has the folders twice: ``folder`` as written, ``folders`` absolute; ``base``
        is the config's own. An entry has the keys of its form only.
        """
        plain = self.model_dump(mode="json", exclude={"rules"})
        plain["rules"] = self.rules.settings()
        plain["strategies"]["folders"] = [str(folder) for folder in self.strategies.folders]
        plain["strategies"]["base"] = str(self.strategies.base)
        for entry, stated in zip(
            self.strategies.entries or (), plain["strategies"]["entries"] or (), strict=True
        ):
            self.trim(entry, stated)
        return plain

    def trim(self, entry: Entry, stated: dict[str, Any]) -> None:
        """Leave only the keys of its form in the plain values of an entry."""
        if entry.form == "strategy":
            stated["isolate"] = self.isolate_of(entry)
        if entry.uses_clock is None:
            del stated["uses_clock"]
        for key, form in FORM_OF.items():
            if form != entry.form:
                del stated[key]


class Config(Common):
    """The config of a run, valid by itself.

    Whether the strategies exist is for the loader to find out; `where` gives it the place to name.
    """

    format: Format = Field(
        description="a mapping such as {type: table, games: 100}",
        json_schema_extra=means("Who meets whom, and how long."),
    )

    def named(self) -> Iterator[tuple[KeyPath, str]]:
        """Every name of an entry outside the list of entries, and where it stands."""
        if self.format.a is not None:
            yield ("format", "a"), self.format.a
        if self.format.b is not None:
            yield ("format", "b"), self.format.b
        for place, name in enumerate(self.format.newcomers or ()):
            yield ("format", "newcomers", place), name
        if self.report.anchor is not None:
            yield ("report", "anchor"), self.report.anchor

    def check_names(self, names: Collection[str]) -> None:
        """Check the names that format and report mention against those that there are.

        Raises
        ------
        ConfigError
            When some of them are none of these; all at once.
        """
        wrong = [
            f"{self.where(*path)}: {no_entry(name, names)}"
            for path, name in self.named()
            if name not in names
        ]
        if wrong:
            raise ConfigError("\n".join(wrong))


def no_entry(name: str, names: Iterable[str]) -> str:
    """Say that no entry has a name."""
    return f"no entry has the name {clip(name)}{nearest(name, names)}"


def absolute(base: Path, folder: str) -> Path:
    """A folder or file as it was written, from `base`."""
    return Path(os.path.abspath(base / os.path.expanduser(folder)))
