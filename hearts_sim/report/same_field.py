"""Whether figures of two runs can be compared: same rules, same format, same field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hearts_sim.tournament.reading.results import Results

_ENTRY_KEYS = {
    "strategy": "the strategy of {} is",
    "options": "the options of {} are",
    "digest": "the source of {} has the digest",
}


def differences(first: Results, second: Results, a: str, b: str) -> list[str]:
    """Say in what two runs differ, apart from the two entries that are compared.

    Parameters
    ----------
    first, second : Results
    a, b : str
        Entry of `first` and entry of `second` that are compared.

    Returns
    -------
    list of str
        One phrase for each difference in the rules, the format, the table or the field; empty when
        whatever `a` and `b` do differently is theirs. Where nobody meets anybody else, in
        self-play, there is no field.
    """
    return [
        *_rules(first, second),
        *_format(first, second, a, b),
        *([] if _kinds(first, second) == {"selfplay"} else _field(first, second, a, b)),
    ]


def unlike_deals(first: Results, second: Results, a: str, b: str) -> str:
    """Say why blocks of equal numbers are not the same deals with the same company.

    Returns
    -------
    str
        Empty when they are, so that the two can be compared block by block.
    """
    one, two = first.info["identity"], second.info["identity"]
    if one["seed"] != two["seed"]:
        return f"the seeds are {one['seed']} and {two['seed']}"
    if differences(first, second, a, b):
        return "the runs differ"
    if one["format"] != "selfplay" and first.names.index(a) != second.names.index(b):
        return f"{a} and {b} are not at the same place in the list of entries"
    return ""


def _kinds(first: Results, second: Results) -> set[str]:
    return {run.info["identity"]["format"] for run in (first, second)}


def _rules(first: Results, second: Results) -> Iterator[str]:
    one, two = (run.info["identity"] for run in (first, second))
    if one["rules_version"] != two["rules_version"]:
        yield f"the version of the rules: {one['rules_version']} and {two['rules_version']}"
    if first.rules.players != second.rules.players:
        yield f"the table: {first.rules.players} and {second.rules.players} players"
    settings = one["rules"], two["rules"]
    for name in dict.fromkeys((*settings[0], *settings[1])):
        values = [found.get(name) for found in settings]
        if values[0] != values[1] and name != "players":
            yield f"the rules: {name} is {_shown(values[0])} and {_shown(values[1])}"


def _format(first: Results, second: Results, a: str, b: str) -> Iterator[str]:
    one, two = (run.info["identity"] for run in (first, second))
    if one["format"] != two["format"]:
        yield f"the format: {one['format']} and {two['format']}"
        return
    if (a in one["newcomers"]) != (b in two["newcomers"]):
        roles = ["a newcomer" if there else "of the field" for there in (
            a in one["newcomers"], b in two["newcomers"])]  # fmt: skip
        yield f"the format: {a} is {roles[0]}, {b} is {roles[1]}"
    others = [name for name in one["newcomers"] if name != a]
    theirs = [name for name in two["newcomers"] if name != b]
    if others != theirs:
        yield f"the format: other newcomers are {_listed(others)} and {_listed(theirs)}"


def _field(first: Results, second: Results, a: str, b: str) -> Iterator[str]:
    here, there = others_of(first, a), others_of(second, b)
    for name in here:
        if name not in there:
            yield f"the field: {name} is missing in {second.path}"
    for name in there:
        if name not in here:
            yield f"the field: {name} is missing in {first.path}"
    for name in here:
        if name in there:
            for key, said in _ENTRY_KEYS.items():
                old, new = here[name][key], there[name][key]
                if old != new:
                    yield f"the field: {said.format(name)} {_shown(old)} and {_shown(new)}"


def others_of(results: Results, name: str) -> dict[str, Mapping[str, Any]]:
    """Entries of a run by name, as ``run.json`` has them, without one of them."""
    entries = results.info["identity"]["entries"]
    return {entry["name"]: entry for entry in entries if entry["name"] != name}


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return str(value)


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"
