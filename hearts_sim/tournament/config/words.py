"""What is wrong with a config, in plain words."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import BaseModel

from hearts_sim.rules import Rules, nearest
from hearts_sim.tournament.config.models import (
    Config,
    Entry,
    Faults,
    Format,
    Report,
    Sprt,
    Strategies,
    Target,
)
from hearts_sim.tournament.config.sweep import Confirm, Sweep, SweepConfig
from hearts_sim.tournament.config.yaml_source import (
    KeyPath,
    Problem,
    YamlSource,
    clip,
    near_names,
    path_text,
)

_MODELS: Final[Mapping[KeyPath, type[BaseModel]]] = {
    (): Config,
    ("strategies",): Strategies,
    ("strategies", "entries", "*"): Entry,
    ("format",): Format,
    ("format", "target"): Target,
    ("format", "sprt"): Sprt,
    ("faults",): Faults,
    ("report",): Report,
    ("sweep",): Sweep,
    ("sweep", "strategy"): Entry,
    ("sweep", "against"): Entry,
    ("sweep", "target"): Target,
    ("sweep", "sprt"): Sprt,
    ("sweep", "confirm"): Confirm,
}
_ITEMS: Final[Mapping[KeyPath, str]] = {
    ("sweep",): str(SweepConfig.model_fields["sweep"].description),
    ("strategies", "folder", "*"): "the path of a folder",
    ("format", "newcomers", "*"): "the name of an entry",
    ("strategies", "entries", "*", "command", "*"): "an argument as text",
    ("strategies", "entries", "*"): (
        "the name of a strategy, or {strategy: ..., name: ..., options: ...}"
    ),
}
FORMS: Final = ("strategy", "command", "library")
"""Keys of an entry one of which says what plays."""

_TOGETHER: Final = {
    ("strategies", "folder"),
    *(("strategies", "entries", "*", form) for form in FORMS),
    *(("sweep", key, form) for key in ("strategy", "against") for form in FORMS),
}
"""Keys that are optional for some configs only: to leave them out is no advice."""
_OPTION: Final = "a number, text, true, false, null or a list of these"
_TRIED: Final = "a number, text, true or false"


def problem_of(error: Any, raw: Any, origin: YamlSource | None) -> Problem:
    """One of pydantic's errors as a problem of the config."""
    path = within(error["loc"], raw)
    kind = error["type"]
    if kind == "extra_forbidden":
        return Problem(path, _unknown_key(path))
    expected, optional = expected_at(path), _is_optional(path)
    if kind == "missing":
        return Problem(path, f"is missing: give {expected}")
    if kind == "value_error":
        return Problem(path, str(error["ctx"]["error"]))
    value = value_at(path, raw)
    if kind == "too_short":
        what = {"entries": "strategies", "folder": "folder"}.get(str(path[-1]), "names")
        return Problem(path, f"no {what}: the list is empty")
    if value is None:
        return Problem(path, empty(expected, optional))
    written = origin.plain.get(path) if origin else None
    return Problem(path, wrong(expected, value, written))


def within(loc: Iterable[str | int], raw: Any) -> KeyPath:
    """The part of a location that a person would recognise in the config."""
    path: KeyPath = ()
    for key in loc:
        if not isinstance(raw, dict if isinstance(key, str) else list):
            break
        path = (*path, key)
        raw = value_at((key,), raw)
    return path


def value_at(path: KeyPath, raw: Any) -> Any:
    """What stands at a path; None where there is nothing."""
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


def expected_at(path: KeyPath) -> str:
    """What may stand at a path."""
    pattern = _pattern(path)
    if pattern in _ITEMS:
        return _ITEMS[pattern]
    if pattern[:2] == ("sweep", "options") and len(pattern) == 4:
        return _TRIED
    model = _MODELS.get(pattern[:-1])
    field = model.model_fields.get(str(path[-1])) if model and path else None
    return (field.description if field else None) or _OPTION


def _is_optional(path: KeyPath) -> bool:
    model = _MODELS.get(_pattern(path[:-1]))
    field = model.model_fields.get(str(path[-1])) if model and path else None
    return field is not None and not field.is_required() and _pattern(path) not in _TOGETHER


def _unknown_key(path: KeyPath) -> str:
    key = str(path[-1])
    here = _pattern(path[:-1])
    for section, model in _MODELS.items():
        if section[:1] == ("sweep",) and here[:1] != ("sweep",):
            continue  # most configs have no such section
        if section != here and "*" not in section and section and key in model.model_fields:
            return f"unknown key here: it belongs under {path_text(section)}"
    if not here and key in {item.name for item in dataclasses.fields(Rules)} | {"preset"}:
        return "unknown key here: it belongs under rules"
    return f"unknown key{nearest(key, _MODELS[here].model_fields)}"


def empty(expected: str, optional: bool) -> str:
    """Say that a value is missing after its key."""
    return f"is empty: give {expected}" + (", or leave the key out" if optional else "")


def wrong(expected: str, value: Any, written: str | None = None) -> str:
    """Say what was expected and what came; `written` is the value as it stands in the file."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    got = f"the number {clip(written)[1:-1]}" if is_number and written else shown(value)
    return f"expected {expected}, got {got}{_advice(expected, value)}"


def _advice(expected: str, value: Any) -> str:
    """What to write instead, when that can be guessed."""
    whole = "whole number" in expected
    if isinstance(value, str):
        plain = _without_unit(value, expected)
        if plain:
            return f": write {plain}"
        if whole and re.fullmatch(r"[0-9][0-9,. _']{0,30}", value):
            return f": write {re.sub('[^0-9]', '', value)} without quotes and separators"
        if re.search("number|probability", expected):
            is_number = re.fullmatch(r"-?[0-9]{0,20}\.?[0-9]{1,20}", value)
            return f": write {value} without quotes" if is_number else ""
        if "mapping" in expected or "such as" in expected:
            return ""
        # What else turns a text down is a choice between a few words.
        return near_names(value, re.findall(r"\w+", expected.replace(" or ", " ")))
    if isinstance(value, float) and whole and value.is_integer():
        return f": write {_whole(value)}"
    if isinstance(value, int | float):
        if "between 0.5 and 1" in expected and 50 < value < 100:
            return f": write {value / 100:g}"
        if "from 0 to 1" in expected and 1 < value <= 100:
            return f": write {value / 100:g} for {value:g} %"
        if any(word in expected for word in ("name", "text", "path")):
            return ": put it in quotes if it is meant as text"
    return ""


_UNITS: Final[Mapping[str, Mapping[str, float]]] = {
    "seconds": {"s": 1, "sec": 1, "ms": 0.001, "min": 60, "h": 3600},
    "MiB": {"mb": 1, "mib": 1, "m": 1, "gb": 1024, "gib": 1024, "g": 1024},
    "from 0 to 1": {"%": 0.01},
}


def _without_unit(value: str, expected: str) -> str:
    """The number that a text with a unit stands for; empty when it is none."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([a-z%]{1,3})", value.lower())
    for word, units in _UNITS.items():
        if found and word in expected and found[2] in units:
            return f"{float(found[1]) * units[found[2]]:.9g}"
    return ""


def _whole(value: float) -> str:
    return str(int(value)) if abs(value) < 1e18 else "a smaller whole number"


def shown(value: Any) -> str:
    """A value for a message."""
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
