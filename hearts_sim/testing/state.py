"""What a bot keeps outside of its instances: attributes of its class, names of its modules."""

from __future__ import annotations

import functools
import inspect
import pickle
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

from hearts_sim.testing.source import Source

_NO_STATE = (
    type,
    types.ModuleType,
    types.BuiltinFunctionType,
    property,
    functools._lru_cache_wrapper,  # what it keeps is a cache by its nature
)

Kept = dict[tuple[str, str], str]
"""Digest of each value, by file and name."""


def kept_outside(strategy: type, source: Source) -> Kept:
    """What is outside of the instances of a strategy now, to be compared with later."""
    kept: Kept = {}
    for file, owner, names in _places(strategy, source):
        for name, value in names.items():
            inner = name.startswith("__") and not inspect.isfunction(value)
            if inner or type(value).__module__.startswith("numba."):
                continue
            full = f"{owner}.{name}" if owner else name
            for suffix, part in _parts(value):
                kept[file, full + suffix] = _digest(part)
    return kept


def what_changed(before: Kept, after: Kept) -> list[tuple[str, str]]:
    """Files and names that are new or have another value."""
    return sorted(place for place in after if before.get(place) != after[place])


def _places(strategy: type, source: Source) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The bot's classes and modules: file, name of the class, and what is in it."""
    own = sys.modules.get(strategy.__module__)
    file = getattr(own, "__file__", None) or ""
    if not source.owns(file):
        # Made in a session, whose other names are none of its business.
        yield source.file, strategy.__name__, dict(vars(strategy))
        used = _names_used(strategy)
        yield source.file, "", {k: v for k, v in vars(own).items() if k in used} if own else {}
        return
    for module in list(sys.modules.values()):
        if not isinstance(module, types.ModuleType):
            continue
        place = module.__dict__.get("__file__")
        if not isinstance(place, str) or not source.owns(place):
            continue
        # Of another bot in the same folder only what this one has imported matters: its helpers.
        if module is not own and not _imports(own, module):
            continue
        shown = source.shown(place)
        yield shown, "", dict(vars(module))
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                yield shown, value.__name__, dict(vars(value))


def _imports(own: Any, module: types.ModuleType) -> bool:
    return any(
        value is module or getattr(value, "__module__", None) == module.__name__
        for value in vars(own).values()
    )


def _names_used(strategy: type) -> set[str]:
    names: set[str] = set()
    for function in vars(strategy).values():
        function = getattr(function, "__func__", function)
        if inspect.isfunction(function):
            names |= set(function.__code__.co_names)
    return names


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Of a value, what can change: of functions their default values, of others themselves."""
    value = getattr(value, "__func__", value)
    if inspect.isfunction(value):
        if value.__defaults__:
            yield " (default values)", value.__defaults__
        if value.__kwdefaults__:
            yield " (default values)", value.__kwdefaults__
        if value.__dict__:
            yield " (attributes)", value.__dict__
    elif not isinstance(value, _NO_STATE):
        yield "", value


def _digest(value: Any, depth: int = 3) -> str:
    """A text that changes with a value."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return f"{hash(pickle.dumps(value))}"
    except Exception:
        pass
    try:
        text = repr(value)
    except Exception:
        return ""
    if " at 0x" not in text:
        return text
    if depth and isinstance(value, dict):
        return str([(_digest(k, depth - 1), _digest(v, depth - 1)) for k, v in value.items()])
    if depth and isinstance(value, list | tuple | set):
        return str([_digest(item, depth - 1) for item in value])
    inside = getattr(value, "__dict__", None)
    return _digest(dict(inside), depth - 1) if depth and inside else text
