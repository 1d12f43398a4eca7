"""The config of a tournament: what a YAML file may say, checked as a whole.

The models below have the shape of the file. `read_config` and `config_from_mapping` report every
fault at once; a message says where, what is wrong and what is allowed. Each field's description is
what its messages say is expected, so pydantic's own wording never reaches a person.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Collection, Iterable, Mapping
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
    ValidationError,
    field_validator,
)
from pydantic_core import PydanticCustomError

from hearts_sim.errors import ConfigError, RulesError
from hearts_sim.rules import Rules, nearest
from hearts_sim.tournament.yaml_source import (
    INVALID,
    MAX_DEPTH,
    MAX_INT,
    MAX_VALUES,
    KeyPath,
    Problem,
    YamlSource,
    clip,
    format_problems,
    near_names,
    number_fault,
    path_text,
    read_yaml,
    text_fault,
)

MAX_GAMES: Final = 10**12
MINIMAL: Final = "strategies: {folder: strategies}\nformat: {type: table, games: 100}"

_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_NAME_IS: Final = "letters (a to z), digits, '.', '_' and '-', at most 100, not starting with '.'"
_YAML_1_1_BOOLEANS: Final = ("yes", "no", "on", "off")
_BY_PLAYERS: Final = tuple(("rules", name) for name in ("deck_removal", "hand_size", "pass_cycle"))
"""Settings that may be mappings from the number of players."""


def _tournament_name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError(f"{clip(value)} cannot be the name of a folder: use {_NAME_IS}")
    return value


def _class_name(value: str) -> str:
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


def _listed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _one_or_more(value: Any) -> Any:
    return (value,) if isinstance(value, str) else _listed(value)


_OptionName = Annotated[str, AfterValidator(_option_name)]
_OptionValue = Annotated[Any, AfterValidator(_option_value)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_empty_value(cls, value: Any) -> Any:
        # A key whose value is commented out must not quietly mean the default.
        if value is None:
            raise PydanticCustomError("type", "empty")
        return value


class Entry(_Section):
    """One contestant: a strategy, the name it plays under, and its options."""

    strategy: Annotated[str, AfterValidator(_class_name)] = Field(
        description="the name of a strategy's class"
    )
    name: Annotated[str, AfterValidator(_entry_name)] = Field(
        default="", description="the name to play under, as text"
    )
    options: dict[_OptionName, _OptionValue] = Field(
        default_factory=dict, description="options as a mapping, such as {risk: 0.4}"
    )


def _entry(value: Any) -> Any:
    if isinstance(value, str):
        value = {"strategy": value}
    if isinstance(value, dict) and isinstance(value.get("strategy"), str):
        return {"name": value["strategy"]} | value
    return value


class Strategies(_Section):
    """Where strategies are found and which of them play.

    Attributes
    ----------
    folder : tuple of str
        The folders as they were written.
    entries : tuple of Entry or None
        The contestants; None for every strategy found.
    """

    folder: Annotated[
        tuple[Annotated[str, AfterValidator(_folder)], ...], BeforeValidator(_one_or_more)
    ] = Field(min_length=1, description="the path of a folder, or a list of paths")
    entries: (
        Annotated[
            tuple[Annotated[Entry, BeforeValidator(_entry)], ...],
            Field(min_length=1),
            BeforeValidator(_listed),
        ]
        | None
    ) = Field(default=None, description="a list of strategies")
    _base: Path = PrivateAttr(default_factory=Path.cwd)

    def model_post_init(self, context: Any) -> None:
        """Remember what the folders are relative to."""
        if context:
            self._base = context["base"]

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders as absolute paths."""
        return tuple(_absolute(self._base, folder) for folder in self.folder)


class Format(_Section):
    """Who meets whom, and how often."""

    type: Literal["table", "selfplay"] = Field(description="table or selfplay")
    games: int = Field(ge=1, le=MAX_GAMES, description="a whole number of games, 1 or more")


class Report(_Section):
    """What the report shows."""

    anchor: str | None = Field(
        default=None, description="the name of an entry, whose rating is the fixed point"
    )
    confidence: float = Field(
        default=0.95, gt=0.5, lt=1, description="a number between 0.5 and 1, both excluded"
    )


class Config(_Section):
    """A whole config, valid by itself.

    Whether the strategies exist is for the loader to find out; `where` gives it the place to name.
    """

    name: Annotated[str, AfterValidator(_tournament_name)] = Field(
        description="text that can be the name of a folder"
    )
    seed: int = Field(
        default=0, ge=0, le=MAX_INT, description=f"a whole number from 0 to {MAX_INT}"
    )
    rules: InstanceOf[Rules] = Field(
        default_factory=Rules, description="a preset's name or a mapping of settings"
    )
    strategies: Strategies = Field(description="a mapping such as {folder: strategies}")
    format: Format = Field(description="a mapping such as {type: table, games: 100}")
    log: Literal["games", "hands", "plays"] = Field(
        default="hands", description="games, hands or plays"
    )
    report: Report = Field(
        default_factory=Report, description="a mapping such as {confidence: 0.95}"
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

    def check_anchor(self, names: Collection[str]) -> None:
        """Check the report's anchor against the names that play.

        Raises
        ------
        ConfigError
            When the anchor is none of them.
        """
        anchor = self.report.anchor
        if anchor is not None and anchor not in names:
            raise ConfigError(f"{self.where('report', 'anchor')}: {_no_entry(anchor, names)}")

    def resolved(self) -> dict[str, Any]:
        """Every setting as plain JSON values, defaults and rules spelled out.

        ``strategies`` has the folders twice: ``folder`` as written, ``folders`` absolute.
        """
        plain = self.model_dump(mode="json", exclude={"rules"})
        plain["rules"] = self.rules.settings()
        plain["strategies"]["folders"] = [str(folder) for folder in self.strategies.folders]
        return plain


def read_config(path: str | os.PathLike[str]) -> Config:
    """Read and check a config file.

    Parameters
    ----------
    path : str or path-like
        The YAML file. Folders in it are relative to its own folder.

    Raises
    ------
    ConfigError
        With every fault of the file, each with its line.
    """
    source = read_yaml(path, number_keys=_BY_PLAYERS)
    file = Path(os.path.abspath(source.label))
    if not isinstance(source.value, dict):
        got = f"expected keys and values, got {_shown(source.value)}"
        if source.value is None:
            got = "the file says nothing"
        elif source.problems:
            got = source.problems[0].message
        place = f"{source.label}:{source.position(())[0]}"
        raise ConfigError(f"{place}: {got}. The shortest config is:\n{MINIMAL}")
    return _checked(source.value, source.problems, file.parent, file.stem, source)


def config_from_mapping(
    mapping: Mapping[str, Any],
    base: str | os.PathLike[str] = ".",
    name: str = "tournament",
) -> Config:
    """Check a config that was made in Python.

    Parameters
    ----------
    mapping : mapping
        What the file would say, as nested mappings and sequences. ``rules`` may be a `Rules`.
    base : path-like
        What the strategy folders are relative to.
    name : str
        Used when the mapping has no ``name``.

    Raises
    ------
    ConfigError
        With every fault, each with its key path.
    """
    if not isinstance(mapping, Mapping):
        raise ConfigError(f"expected a mapping, got {_shown(mapping)}. A short one is:\n{MINIMAL}")
    copy = _PlainCopy()
    return _checked(copy.of(mapping, ()), copy.problems, Path(os.path.abspath(base)), name, None)


def _checked(
    raw: dict[str, Any],
    problems: list[Problem],
    base: Path,
    default_name: str,
    origin: YamlSource | None,
) -> Config:
    """The config that `raw` says; `problems` holds what is wrong with it already."""
    problems = list(problems)
    data = dict(raw)
    if "name" not in data:
        data["name"] = default_name
        if not _NAME.fullmatch(default_name):
            data["name"] = "unnamed"
            message = f"is missing, and {clip(default_name)} cannot be a folder: use {_NAME_IS}"
            problems.append(Problem(("name",), message))
    if "rules" in data:
        data["rules"] = _rules(data["rules"], problems)
    config = None
    try:
        config = Config.model_validate(data, context={"base": base, "origin": origin})
    except ValidationError as error:
        done = {problem.path for problem in problems}
        for item in error.errors(include_url=False):
            # Pydantic calls a list too short when its items are wrong.
            if item["type"] == "too_short" and _value_at(_within(item["loc"], raw), raw) != []:
                continue
            found = _problem(item, raw, origin)
            if not _is_covered(found.path, done):
                problems.append(found)
    strategies = raw.get("strategies")
    if isinstance(strategies, dict):
        problems += _folder_problems(strategies, base)
        problems += _entry_problems(strategies, raw.get("report"), origin)
    if problems or config is None:
        raise ConfigError(format_problems(_unique(problems), origin))
    return config


def _is_covered(path: KeyPath, done: Collection[KeyPath]) -> bool:
    return any(path[:length] in done for length in range(1, len(path) + 1))


def _unique(problems: Iterable[Problem]) -> list[Problem]:
    return list(dict.fromkeys(problems))


# Rules


def _rules(spec: Any, problems: list[Problem]) -> Any:
    """The rules that `spec` says; default rules, and a problem, when it says none."""
    if isinstance(spec, Rules):
        return spec
    fallback = Rules()
    if any(problem.path[:1] == ("rules",) for problem in problems):
        return fallback
    if not isinstance(spec, str | dict):
        expected = _expected(("rules",))
        message = _empty(expected, optional=True) if spec is None else _wrong(expected, spec)
        problems.append(Problem(("rules",), message))
        return fallback
    found = list(_misfits(spec)) if isinstance(spec, dict) else []
    if not found:
        try:
            return Rules.from_spec(spec)
        except RulesError as error:
            found = [_rules_problem(error, spec)]
    problems += found
    return fallback


def _misfits(spec: dict[str, Any]) -> Iterable[Problem]:
    known = ["preset", *(item.name for item in dataclasses.fields(Rules))]
    for key, value in spec.items():
        if key not in known:
            yield Problem(("rules", key), f"unknown key{nearest(key, known)}")
        elif value is None:
            yield Problem(("rules", key), _empty("a value", optional=True))


def _rules_problem(error: RulesError, spec: str | dict[str, Any]) -> Problem:
    message = str(error)
    if len(message) > 500:
        message = message[:500] + "..."
    named = [key for key in error.settings if isinstance(spec, dict) and key in spec]
    if not named or isinstance(spec, str):
        return Problem(("rules",), message)
    key = named[0]
    message = re.sub(rf"^{re.escape(key)}:? ", "", message)
    whole = re.search(r"whole number .* got (-?\d+)\.0$", message)
    if whole:
        message += f": write {whole[1]}"
    return Problem(("rules", key), message)


# What concerns more than one key. Pydantic would look at this only once all else is right.


def _folder_problems(strategies: dict[str, Any], base: Path) -> Iterable[Problem]:
    folder = strategies.get("folder")
    seen: dict[str, KeyPath] = {}
    for index, item in enumerate(folder if isinstance(folder, list) else [folder]):
        if not isinstance(item, str) or not item.strip():
            continue
        path: KeyPath = ("strategies", "folder")
        path = (*path, index) if isinstance(folder, list) else path
        absolute = str(_absolute(base, item))
        message = _folder_fault(item, absolute)
        real = os.path.realpath(absolute) if message is None else absolute
        if message is None and real in seen:
            message = f"this is the same folder as {path_text(seen[real])}: name it once"
        seen.setdefault(real, path)
        if message is not None:
            yield Problem(path, message)


def _folder_fault(written: str, absolute: str) -> str | None:
    shown = f"{clip(written)} ({clip(absolute, 300).strip(chr(39))})"
    if os.path.isdir(absolute):
        if os.access(absolute, os.R_OK | os.X_OK):
            return None
        return f"no permission to read the folder {shown}"
    if os.path.exists(absolute):
        return f"{shown} is a file: name the folder that holds the strategies"
    parent, name = os.path.split(absolute)
    try:
        beside = [item.name for item in os.scandir(parent) if item.is_dir()]
    except (OSError, ValueError):
        beside = []
    return f"there is no folder {shown}{near_names(name, beside)}"


def _entry_problems(
    strategies: dict[str, Any], report: Any, origin: YamlSource | None
) -> Iterable[Problem]:
    entries = strategies.get("entries")
    if not isinstance(entries, list):
        return
    names = [_name_of(entry) for entry in entries]
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if name is None:
            continue
        if name in first:
            other: KeyPath = ("strategies", "entries", first[name])
            line = f" (line {origin.position(other)[0]})" if origin else ""
            path: KeyPath = ("strategies", "entries", index)
            if isinstance(entries[index], dict) and "name" in entries[index]:
                path = (*path, "name")
            yield Problem(
                path,
                f"{clip(name)} is the name of {path_text(other)}{line} too: give one of them "
                "another name, as {strategy: ..., name: ...}",
            )
        first.setdefault(name, index)
    anchor = report.get("anchor") if isinstance(report, dict) else None
    known = [name for name in names if name is not None]
    if isinstance(anchor, str) and known and len(known) == len(names) and anchor not in known:
        yield Problem(("report", "anchor"), _no_entry(anchor, known))
    if origin is not None:
        yield from _old_booleans(origin)


def _old_booleans(origin: YamlSource) -> Iterable[Problem]:
    """Options such as ``bold: no``: text in YAML 1.2 and true for Python, but meant as false."""
    for path, text in origin.plain.items():
        is_option = path[:2] == ("strategies", "entries") and path[3:4] == ("options",)
        if is_option and text.lower() in _YAML_1_1_BOOLEANS:
            yield Problem(path, f"write true or false, or '{text}' in quotes if text is meant")


def _name_of(entry: Any) -> str | None:
    if isinstance(entry, dict):
        entry = entry.get("name", entry.get("strategy"))
    return entry if isinstance(entry, str) else None


def _no_entry(anchor: str, names: Iterable[str]) -> str:
    return f"no entry has the name {clip(anchor)}{nearest(anchor, names)}"


def _absolute(base: Path, folder: str) -> Path:
    return Path(os.path.abspath(base / os.path.expanduser(folder)))


# Pydantic's errors in plain words


_MODELS: Final[Mapping[KeyPath, type[BaseModel]]] = {
    (): Config,
    ("strategies",): Strategies,
    ("strategies", "entries", "*"): Entry,
    ("format",): Format,
    ("report",): Report,
}
_ITEMS: Final[Mapping[KeyPath, str]] = {
    ("strategies", "folder", "*"): "the path of a folder",
    ("strategies", "entries", "*"): (
        "the name of a strategy, or {strategy: ..., name: ..., options: ...}"
    ),
}
_OPTION: Final = "a number, text, true, false, null or a list of these"


def _problem(error: Any, raw: Any, origin: YamlSource | None) -> Problem:
    path = _within(error["loc"], raw)
    kind = error["type"]
    if kind == "extra_forbidden":
        return Problem(path, _unknown_key(path))
    expected, optional = _expected(path), _is_optional(path)
    if kind == "missing":
        return Problem(path, f"is missing: give {expected}")
    if kind == "value_error":
        return Problem(path, str(error["ctx"]["error"]))
    value = _value_at(path, raw)
    if kind == "too_short":
        what = "strategies" if path[-1] == "entries" else "folder"
        return Problem(path, f"no {what}: the list is empty")
    if value is None:
        return Problem(path, _empty(expected, optional))
    written = origin.plain.get(path) if origin else None
    return Problem(path, _wrong(expected, value, written))


def _within(loc: Iterable[str | int], raw: Any) -> KeyPath:
    """The part of a location that a person would recognise in the config."""
    path: KeyPath = ()
    for key in loc:
        if not isinstance(raw, dict if isinstance(key, str) else list):
            break
        path = (*path, key)
        raw = _value_at((key,), raw)
    return path


def _value_at(path: KeyPath, raw: Any) -> Any:
    for key in path:
        if isinstance(raw, dict):
            raw = raw.get(key)
        elif isinstance(raw, list) and isinstance(key, int):
            raw = raw[key]
        else:
            return None
    return raw


def _pattern(path: KeyPath) -> KeyPath:
    return tuple("*" if isinstance(key, int) else key for key in path)


def _expected(path: KeyPath) -> str:
    pattern = _pattern(path)
    if pattern in _ITEMS:
        return _ITEMS[pattern]
    model = _MODELS.get(pattern[:-1])
    field = model.model_fields.get(str(path[-1])) if model and path else None
    return (field.description if field else None) or _OPTION


def _is_optional(path: KeyPath) -> bool:
    model = _MODELS.get(_pattern(path[:-1]))
    field = model.model_fields.get(str(path[-1])) if model and path else None
    return field is not None and not field.is_required()


def _unknown_key(path: KeyPath) -> str:
    key = str(path[-1])
    here = _pattern(path[:-1])
    for section, model in _MODELS.items():
        if section != here and "*" not in section and section and key in model.model_fields:
            return f"unknown key here: it belongs under {path_text(section)}"
    if not here and key in {item.name for item in dataclasses.fields(Rules)} | {"preset"}:
        return "unknown key here: it belongs under rules"
    return f"unknown key{nearest(key, _MODELS[here].model_fields)}"


def _empty(expected: str, optional: bool) -> str:
    return f"is empty: give {expected}" + (", or leave the key out" if optional else "")


def _wrong(expected: str, value: Any, written: str | None = None) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    shown = f"the number {clip(written)[1:-1]}" if is_number and written else _shown(value)
    return f"expected {expected}, got {shown}{_advice(expected, value)}"


def _advice(expected: str, value: Any) -> str:
    """What to write instead, when that can be guessed."""
    whole = "whole number" in expected
    if isinstance(value, str):
        if whole and re.fullmatch(r"[0-9][0-9,. _']{0,30}", value):
            return f": write {re.sub('[^0-9]', '', value)} without quotes and separators"
        if "number" in expected and re.fullmatch(r"0?\.[0-9]{1,20}", value):
            return f": write {value} without quotes"
        if "mapping" in expected:
            return ""
        # What else turns a text down is a choice between a few words.
        return near_names(value, re.findall(r"\w+", expected.replace(" or ", " ")))
    if isinstance(value, float) and whole and value.is_integer():
        return f": write {_whole(value)}"
    if isinstance(value, int | float):
        if "between 0.5 and 1" in expected and 50 < value < 100:
            return f": write {value / 100:g}"
        if any(word in expected for word in ("name", "text", "path")):
            return ": put it in quotes if it is meant as text"
    return ""


def _whole(value: float) -> str:
    return str(int(value)) if abs(value) < 1e18 else "a smaller whole number"


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {clip(value)}"
    if isinstance(value, int | float):
        return f"the number {value!r}"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "a mapping"
    return f"a Python {type(value).__name__}"


class _PlainCopy:
    """A copy of nested mappings and sequences as the YAML reader would give it."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._count = 0

    def of(self, value: Any, path: KeyPath) -> Any:
        self._count += 1
        # Also where a list that contains itself ends.
        if len(path) > MAX_DEPTH or self._count > MAX_VALUES:
            raise ConfigError(f"{path_text(path[:3])}: nested too deep, or too many values")
        if isinstance(value, Mapping):
            return self._mapping(value, path)
        if isinstance(value, list | tuple):
            return [self.of(item, (*path, i)) for i, item in enumerate(value)]
        if isinstance(value, os.PathLike):
            value = os.fsdecode(value)
        fault = None
        if isinstance(value, str):
            fault = text_fault(value)
        elif isinstance(value, int | float):
            fault = number_fault(value)
        if fault is None:
            return value
        self.problems.append(Problem(path, fault))
        return INVALID

    def _mapping(self, value: Mapping[Any, Any], path: KeyPath) -> dict[Any, Any]:
        copy: dict[Any, Any] = {}
        for key, item in value.items():
            is_text = isinstance(key, str) and text_fault(key) is None
            if is_text or (path in _BY_PLAYERS and type(key) is int):
                copy[key] = self.of(item, (*path, key))
            else:
                self.problems.append(Problem(path, f"a key must be text, got {_shown(key)}"))
        return copy
