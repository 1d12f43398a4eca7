"""The config of a tournament: what a YAML file may say, checked as a whole.

`read_config` and `config_from_mapping` report every fault at once; a message says where, what is
wrong and what is allowed. The shape is in `config.models`, checks across keys in `config.checks`,
the messages in `config.words`.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from hearts_sim.errors import ConfigError, RulesError
from hearts_sim.rules import Rules, nearest
from hearts_sim.tournament.config.checks import (
    entry_form_problems,
    entry_problems,
    fault_problems,
    folder_problems,
    format_section_problems,
    name_problems,
)
from hearts_sim.tournament.config.models import (
    MAX_GAMES,
    NAME,
    NAME_IS,
    NULL_KEYS,
    Common,
    Config,
    no_entry,
)
from hearts_sim.tournament.config.sweep import SweepConfig
from hearts_sim.tournament.config.sweep_checks import sweep_problems
from hearts_sim.tournament.config.words import (
    empty,
    expected_at,
    problem_of,
    shown,
    value_at,
    within,
    wrong,
)
from hearts_sim.tournament.config.yaml_source import (
    INVALID,
    MAX_DEPTH,
    MAX_VALUES,
    KeyPath,
    Problem,
    YamlSource,
    clip,
    format_problems,
    number_fault,
    path_text,
    read_yaml,
    text_fault,
)

__all__ = [
    "MAX_GAMES",
    "MINIMAL",
    "Config",
    "SweepConfig",
    "config_from_mapping",
    "read_any",
    "read_config",
    "read_sweep",
    "sweep_from_mapping",
]

MINIMAL: Final = "strategies: {folder: strategies}\nformat: {type: table, games: 100}"
MINIMAL_SWEEP: Final = (
    "strategies: {folder: strategies}\n"
    "sweep: {strategy: Dodger, options: {risk: [0.2, 0.4]}, games: 1000}"
)
_BY_PLAYERS: Final = tuple(("rules", name) for name in ("deck_removal", "hand_size", "pass_cycle"))
"""Settings that may be mappings from the number of players."""


Kind = TypeVar("Kind", bound=Common)


def read_config(path: str | os.PathLike[str]) -> Config:
    """Read and check the config file of a run.

    Parameters
    ----------
    path : str or path-like
        The YAML file. Folders in it are relative to its own folder.

    Raises
    ------
    ConfigError
        With every fault of the file, each with its line; or when it is the config of a sweep.
    """
    source = _mapping_in(path)
    if "sweep" in source.value:
        line = source.position(("sweep",))[0]
        raise ConfigError(
            f"{source.label}:{line}: sweep: this config tunes options of a strategy: "
            f"'hearts-sim sweep {source.label}' plays it"
        )
    return _read(Config, source)


def read_sweep(path: str | os.PathLike[str]) -> SweepConfig:
    """Read and check the config file of a sweep.

    Raises
    ------
    ConfigError
        With every fault of the file, each with its line; or when it is the config of a run.
    """
    source = _mapping_in(path)
    if "sweep" not in source.value:
        has = f"; 'hearts-sim run {source.label}' plays it" if "format" in source.value else ""
        raise ConfigError(
            f"{source.label}:1: this config has no section sweep{has}. The shortest one that has "
            f"is:\n{MINIMAL_SWEEP}"
        )
    return _read(SweepConfig, source)


def read_any(path: str | os.PathLike[str]) -> Config | SweepConfig:
    """Read and check a config file, of a run or of a sweep.

    Raises
    ------
    ConfigError
        With every fault of the file, each with its line.
    """
    source = _mapping_in(path)
    return _read(SweepConfig, source) if "sweep" in source.value else _read(Config, source)


def _mapping_in(path: str | os.PathLike[str]) -> YamlSource:
    """What a file says; its value is a mapping."""
    source = read_yaml(path, number_keys=_BY_PLAYERS)
    if not isinstance(source.value, dict):
        got = f"expected keys and values, got {shown(source.value)}"
        if source.value is None:
            got = "the file says nothing"
        elif source.problems:
            got = source.problems[0].message
        place = f"{source.label}:{source.position(())[0]}"
        raise ConfigError(f"{place}: {got}. The shortest config is:\n{MINIMAL}")
    return source


def _read(model: type[Kind], source: YamlSource) -> Kind:
    file = Path(os.path.abspath(source.label))
    return _checked(model, source.value, source.problems, file.parent, file.stem, source)


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
        raise ConfigError(f"expected a mapping, got {shown(mapping)}. A short one is:\n{MINIMAL}")
    if "sweep" in mapping:
        raise ConfigError(
            "sweep: this config tunes options of a strategy: hearts_sim.sweep(config) plays it"
        )
    copy = _PlainCopy()
    base = Path(os.path.abspath(base))
    return _checked(Config, copy.of(mapping, ()), copy.problems, base, name, None)


def sweep_from_mapping(
    mapping: Mapping[str, Any],
    base: str | os.PathLike[str] = ".",
    name: str = "sweep",
) -> SweepConfig:
    """Check the config of a sweep that was made in Python; see `config_from_mapping`.

    Raises
    ------
    ConfigError
        With every fault, each with its key path; or when there is no section ``sweep``.
    """
    if not isinstance(mapping, Mapping) or "sweep" not in mapping:
        got = "no section sweep" if isinstance(mapping, Mapping) else shown(mapping)
        raise ConfigError(
            f"expected a mapping with sweep, got {got}. A short one is:\n{MINIMAL_SWEEP}"
        )
    copy = _PlainCopy()
    base = Path(os.path.abspath(base))
    return _checked(SweepConfig, copy.of(mapping, ()), copy.problems, base, name, None)


def _checked(
    model: type[Kind],
    raw: dict[str, Any],
    problems: list[Problem],
    base: Path,
    default_name: str,
    origin: YamlSource | None,
) -> Kind:
    """The config that `raw` says; `problems` holds what is wrong with it already."""
    problems = list(problems)
    strategies = raw.get("strategies")
    entries = strategies.get("entries") if isinstance(strategies, dict) else None
    if model is SweepConfig:
        raw = _with_entries(raw, entries, problems)
        problems += _uncovered(sweep_problems(raw, base, origin), problems)
    data = dict(raw)
    if "name" not in data:
        data["name"] = default_name
        if not NAME.fullmatch(default_name):
            data["name"] = "unnamed"
            message = f"is missing, and {clip(default_name)} cannot be a folder: use {NAME_IS}"
            problems.append(Problem(("name",), message))
    if "rules" in data:
        data["rules"] = _rules(data["rules"], problems)
    if isinstance(data.get("faults"), dict):
        data["faults"] = _without_nulls(data["faults"], origin)
    config = None
    try:
        config = model.model_validate(data, context={"base": base, "origin": origin})
    except ValidationError as error:
        done = {problem.path for problem in problems}
        for item in error.errors(include_url=False):
            # Pydantic calls a list too short when its items are wrong.
            if item["type"] == "too_short" and value_at(within(item["loc"], raw), raw) != []:
                continue
            found = problem_of(item, raw, origin)
            if not _is_covered(found.path, done):
                problems.append(found)
    if isinstance(strategies, dict):
        problems += folder_problems(strategies, base)
        problems += entry_problems(strategies, origin)
        problems += _uncovered(entry_form_problems(strategies, base), problems)
    if isinstance(strategies, dict) and model is Config:
        problems += name_problems(entries, raw.get("format"), raw.get("report"))
    if isinstance(raw.get("faults"), dict):
        problems += _uncovered(fault_problems(raw["faults"]), problems)
    if isinstance(raw.get("format"), dict) and model is Config:
        problems += _uncovered(format_section_problems(raw["format"]), problems)
    if problems or config is None:
        raise ConfigError(format_problems(_unique(problems), origin))
    return config


def _with_entries(raw: dict[str, Any], entries: Any, problems: list[Problem]) -> dict[str, Any]:
    """The config of a sweep with entries in the place of their names."""
    sweep = raw["sweep"]
    if not isinstance(sweep, dict) or not isinstance(entries, list):
        return raw
    named = {
        str(entry.get("name", entry.get("strategy"))): entry
        for entry in entries
        if isinstance(entry, dict)
    }
    said: dict[str, Any] = {}
    for key in ("strategy", "against"):
        name = sweep.get(key)
        if isinstance(name, str) and name in named:
            said[key] = named[name]
        elif isinstance(name, str) and not name.isidentifier():
            problems.append(Problem(("sweep", key), no_entry(name, named)))
    return {**raw, "sweep": {**sweep, **said}}


def _without_nulls(faults: dict[str, Any], origin: YamlSource | None) -> dict[str, Any]:
    """The section without limits that are said to be none; a value that was forgotten stays."""
    return {
        key: value
        for key, value in faults.items()
        if not (
            value is None
            and key in NULL_KEYS
            and (origin is None or origin.plain.get(("faults", key)))
        )
    }


def _uncovered(more: Iterable[Problem], problems: Iterable[Problem]) -> list[Problem]:
    """Those of `more` at places that no problem is known of."""
    done = {problem.path for problem in problems}
    return [problem for problem in more if not _is_covered(problem.path, done)]


def _is_covered(path: KeyPath, done: Collection[KeyPath]) -> bool:
    return any(path[:length] in done for length in range(1, len(path) + 1))


def _unique(problems: Iterable[Problem]) -> list[Problem]:
    return list(dict.fromkeys(problems))


def _rules(spec: Any, problems: list[Problem]) -> Any:
    """The rules that `spec` says; default rules, and a problem, when it says none."""
    if isinstance(spec, Rules):
        return spec
    fallback = Rules()
    if any(problem.path[:1] == ("rules",) for problem in problems):
        return fallback
    if not isinstance(spec, str | dict):
        expected = expected_at(("rules",))
        message = empty(expected, optional=True) if spec is None else wrong(expected, spec)
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
            yield Problem(("rules", key), empty("a value", optional=True))


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
                self.problems.append(Problem(path, f"a key must be text, got {shown(key)}"))
        return copy
