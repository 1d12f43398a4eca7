"""What concerns more than one key of a config; pydantic would look at it once all else is right."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from hearts_sim.tournament.config.models import absolute, no_entry, split_command
from hearts_sim.tournament.config.words import FORMS, shown
from hearts_sim.tournament.config.yaml_source import (
    KeyPath,
    Problem,
    YamlSource,
    clip,
    near_names,
    path_text,
)

_YAML_1_1_BOOLEANS: Final = ("yes", "no", "on", "off")


def folder_problems(strategies: dict[str, Any], base: Path) -> Iterable[Problem]:
    """Folders that are not there, or are named twice."""
    folder = strategies.get("folder")
    seen: dict[str, KeyPath] = {}
    for index, item in enumerate(folder if isinstance(folder, list) else [folder]):
        if not isinstance(item, str) or not item.strip():
            continue
        path: KeyPath = ("strategies", "folder")
        path = (*path, index) if isinstance(folder, list) else path
        full = str(absolute(base, item))
        message = _folder_fault(item, full)
        real = os.path.realpath(full) if message is None else full
        if message is None and real in seen:
            message = f"this is the same folder as {path_text(seen[real])}: name it once"
        seen.setdefault(real, path)
        if message is not None:
            yield Problem(path, message)


def _folder_fault(written: str, full: str) -> str | None:
    shown = f"{clip(written)} ({clip(full, 300).strip(chr(39))})"
    if os.path.isdir(full):
        if os.access(full, os.R_OK | os.X_OK):
            return None
        return f"no permission to read the folder {shown}"
    if os.path.exists(full):
        return f"{shown} is a file: name the folder that holds the strategies"
    parent, name = os.path.split(full)
    try:
        beside = [item.name for item in os.scandir(parent) if item.is_dir()]
    except (OSError, ValueError):
        beside = []
    return f"there is no folder {shown}{near_names(name, beside)}"


def entry_problems(strategies: dict[str, Any], origin: YamlSource | None) -> Iterable[Problem]:
    """Two entries with one name."""
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
    if origin is not None:
        yield from old_booleans(origin)


_ELSEWHERE: Final = {
    ("isolate", "command"): "a command has a process of its own already",
    ("isolate", "library"): "a library plays in the player process; as a command it would have one",
    ("keep", "strategy"): "it belongs to a command, and this is a strategy",
    ("keep", "library"): "it belongs to a command, and this is a library",
    ("symbol", "strategy"): "it belongs to a library, and this is a strategy",
    ("symbol", "command"): "it belongs to a library, and this is a command",
}


def entry_form_problems(strategies: dict[str, Any], base: Path) -> Iterable[Problem]:
    """Entries that say nothing to play, or too much; programs and libraries that are not there."""
    entries = strategies.get("entries")
    needs_folder = not isinstance(entries, list)
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if not isinstance(entry, dict):
            needs_folder = True
            continue
        needs_folder |= "strategy" in entry
        yield from problems_of_entry(entry, base, ("strategies", "entries", index))
    if needs_folder and "folder" not in strategies:
        yield Problem(
            ("strategies", "folder"), "is missing: give the path of a folder, or a list of paths"
        )


def problems_of_entry(entry: dict[str, Any], base: Path, path: KeyPath) -> Iterable[Problem]:
    """What is wrong with one entry that says more than its name."""
    forms: list[str] = [key for key in FORMS if key in entry]
    yield from _form_problems(entry, forms, path)
    if forms == ["command"]:
        yield from _command_problems(entry["command"], base, (*path, "command"))
    elif forms == ["library"]:
        yield from _library_problems(entry, base, path)


def _form_problems(entry: dict[str, Any], forms: list[str], path: KeyPath) -> Iterable[Problem]:
    if not forms:
        yield Problem(
            (*path, "strategy"),
            "is missing: give the name of a strategy's class (or a command, or a library)",
        )
    for form in forms[1:]:
        yield Problem(
            (*path, form), f"{forms[0]} is given too, and only one can play: leave one of them out"
        )
    if len(forms) == 1:
        for key in entry:
            if (key, forms[0]) in _ELSEWHERE:
                yield Problem((*path, key), f"{_ELSEWHERE[key, forms[0]]}: leave the key out")
        if forms != ["strategy"] and "name" not in entry:
            yield Problem((*path, "name"), "is missing: give the name to play under, as text")


_RUN_BY: Final = {
    ".py": "python3",
    ".sh": "sh",
    ".js": "node",
    ".rb": "ruby",
    ".pl": "perl",
    ".lua": "lua",
}
_INTERPRETER: Final = re.compile(r"(python|pypy|node|ruby|perl|lua|sh|bash|dash)[0-9.]*(\.exe)?")


def _command_problems(command: Any, base: Path, path: KeyPath) -> Iterable[Problem]:
    words = command
    if isinstance(command, str):
        try:
            words = split_command(command)
        except ValueError:
            return
    if not isinstance(words, list) or not all(_is_usable(word) for word in words):
        return
    listed = isinstance(command, list)
    for place, word in enumerate(words[:2]):
        if place == 0:
            fault = _program_fault(word, base)
        elif word.startswith("-") or not _INTERPRETER.fullmatch(os.path.basename(words[0])):
            break
        else:
            file = absolute(base, word)
            fault = None if file.exists() else no_file(word, file)
        if fault is not None:
            yield Problem((*path, place) if listed else path, fault)


def _is_usable(word: Any) -> bool:
    return isinstance(word, str) and word != "" and "\0" not in word


def _program_fault(program: str, base: Path) -> str | None:
    """Why a program cannot be started, as far as one sees without starting it."""
    if not os.path.dirname(program):
        if shutil.which(program) is not None:
            return None
        if (base / program).is_file():
            return f"a name without a folder is looked for on the PATH: write ./{program}"
        return f"there is no program {clip(program)} on the PATH"
    file = absolute(base, program)
    if file.is_dir():
        return f"{clip(program)} is a folder: name the program in it"
    if not file.is_file():
        return no_file(program, file)
    by = _RUN_BY.get(file.suffix)
    name_it = f"or name what runs it: [{by or 'python3'}, {program}]"
    if not os.access(file, os.X_OK):
        return f"{clip(program)} may not be executed: run chmod +x {file.name}, {name_it}"
    try:
        with open(file, "rb") as opened:
            first = opened.readline(200)
    except OSError:  # what can be executed need not be readable
        return None
    if first.startswith(b"#!") and first.endswith(b"\r\n"):
        return (
            f"the first line of {clip(program)} ends with CR LF, which the system takes for a "
            f"part of the interpreter's name: save it with LF, {name_it}"
        )
    if by is not None and not first.startswith(b"#!"):
        return (
            f"{clip(program)} does not say what runs it: begin it with the line "
            f"#!/usr/bin/env {by}, {name_it}"
        )
    return None


def no_file(written: str, file: Path) -> str:
    """Say that a file is not there, with the nearest name beside it."""
    try:
        beside = [item.name for item in os.scandir(file.parent) if item.is_file()]
    except (OSError, ValueError):
        beside = []
    full = clip(str(file), 300).strip("'")
    return f"there is no file {clip(written)} ({full}){near_names(file.name, beside)}"


def _library_problems(entry: dict[str, Any], base: Path, path: KeyPath) -> Iterable[Problem]:
    library, options = entry["library"], entry.get("options")
    if _is_usable(library) and library.strip():
        file = absolute(base, library)
        if file.is_dir():
            yield Problem((*path, "library"), f"{clip(library)} is a folder: name the file in it")
        elif not file.is_file():
            yield Problem((*path, "library"), no_file(library, file))
    for name, value in options.items() if isinstance(options, dict) else ():
        if not isinstance(value, int | float):
            yield Problem(
                (*path, "options", name),
                f"expected a number, since that is all that a library gets, got {shown(value)}",
            )


def fault_problems(faults: dict[str, Any]) -> Iterable[Problem]:
    """Limits that contradict each other."""
    decision, game = faults.get("decision_seconds"), faults.get("game_seconds")
    if isinstance(decision, int | float) and isinstance(game, int | float) and game < decision:
        yield Problem(
            ("faults", "game_seconds"),
            f"is less than decision_seconds ({decision:g}), which would never be reached: give at "
            "least as much, or leave decision_seconds out",
        )


BUDGETS: Final = ("games", "blocks", "target")
ONLY_IN: Final = {"a": "duel", "b": "duel", "sprt": "duel", "newcomers": "gauntlet"}


def format_section_problems(format_: dict[str, Any]) -> Iterable[Problem]:
    """Keys of a format that do not go together, or of which one is wanting."""
    kind = format_.get("type")
    there = {key for key, value in format_.items() if value is not None}
    for key, owner in ONLY_IN.items():
        if key in there and kind in ("table", "duel", "gauntlet", "selfplay") and kind != owner:
            yield Problem(("format", key), f"belongs to type: {owner}, and this is a {kind}")
    yield from budget_problems(format_, ("format",))
    target = format_.get("target")
    if kind == "selfplay" and isinstance(target, dict) and "elo_halfwidth" in target:
        yield Problem(
            ("format", "target", "elo_halfwidth"),
            "self-play gives no Elo, since nobody meets anybody else: give points_halfwidth",
        )
    if kind == "duel" and ("a" in there) != ("b" in there):
        given, wanting = ("a", "b") if "a" in there else ("b", "a")
        yield Problem(("format", wanting), f"is missing: {given} is given, name its opponent")
    if "a" in there and format_["a"] == format_.get("b"):
        yield Problem(
            ("format", "b"),
            "is a itself: to let a strategy play against itself, enter it twice under two names",
        )
    newcomers = format_.get("newcomers")
    if kind == "gauntlet" and newcomers is None and "newcomers" not in format_:
        yield Problem(("format", "newcomers"), "is missing: name the entries that it is for")
    if isinstance(newcomers, list):
        for place, name in enumerate(newcomers):
            if isinstance(name, str) and name in newcomers[:place]:
                yield Problem(("format", "newcomers", place), f"{clip(name)} is there twice")


def budget_problems(section: dict[str, Any], at: KeyPath) -> Iterable[Problem]:
    """What says how long is played, in the section at a path: too much, too little."""
    there = {key for key, value in section.items() if value is not None}
    given = [key for key in BUDGETS if key in there]
    target = section.get("target")
    if "sprt" in there:
        if "target" in there:
            yield Problem((*at, "target"), "a sequential test ends by itself: leave one out")
            given.remove("target")
        if "max_games" in there and given:
            yield Problem((*at, "max_games"), f"{given[0]} is the cap already: leave one out")
    elif not given and not any(key in section for key in BUDGETS):
        yield Problem(
            (*at, "games"),
            "is missing: give a whole number of games, 1 or more (or blocks, or a target)",
        )
    elif "max_games" in there and "target" not in there:
        yield Problem((*at, "max_games"), "is the cap of a target or of an sprt, and there is none")
    if len(given) > 1:
        yield Problem((*at, given[1]), f"{given[0]} is given too: leave one of them out")
    if isinstance(target, dict):
        widths = [key for key in ("elo_halfwidth", "points_halfwidth") if key in target]
        if len(widths) != 1 and set(target) <= {"elo_halfwidth", "points_halfwidth"}:
            how = "two widths: leave one of them out" if widths else "is empty"
            yield Problem((*at, "target"), f"{how}: give {{elo_halfwidth: 10}} or the like")
    sprt = section.get("sprt")
    if isinstance(sprt, dict) and isinstance(sprt.get("h1"), int | float):
        h0 = sprt.get("h0", 0)
        if sprt["h1"] == h0:
            yield Problem((*at, "sprt", "h1"), f"is h0 too ({h0:g}): there is nothing to test")


def name_problems(entries: Any, format_: Any, report: Any) -> Iterable[Problem]:
    """Names of entries in format and report that no entry in the list has.

    Without a list of entries only the strategies found can tell: `Config.check_names`.
    """
    if not isinstance(entries, list):
        return
    names = [name for name in map(_name_of, entries) if name is not None]
    if not names or len(names) != len(entries):
        return
    format_ = format_ if isinstance(format_, dict) else {}
    newcomers = format_.get("newcomers")
    listed = isinstance(newcomers, list)
    said: list[tuple[KeyPath, Any]] = [
        (("format", "a"), format_.get("a")),
        (("format", "b"), format_.get("b")),
        *(
            ((("format", "newcomers", place) if listed else ("format", "newcomers")), name)
            for place, name in enumerate(newcomers if listed else [newcomers])
        ),
        (("report", "anchor"), report.get("anchor") if isinstance(report, dict) else None),
    ]
    for path, name in said:
        if isinstance(name, str) and name not in names:
            yield Problem(path, no_entry(name, names))
    if format_.get("type") == "duel" and "a" not in format_ and "b" not in format_:
        if len(names) != 2:
            yield Problem(("format", "a"), _wants_two(len(names)))
    elif format_.get("type") == "gauntlet" and all(
        name in (newcomers if listed else [newcomers]) for name in names
    ):
        yield Problem(("format", "newcomers"), "is everybody: leave a field to play against")


def _wants_two(entries: int) -> str:
    few = "1 entry" if entries == 1 else f"{entries} entries"
    return f"is missing: a duel is between two, and there {'is' if entries == 1 else 'are'} {few}"


def old_booleans(origin: YamlSource) -> Iterable[Problem]:
    """Options such as ``bold: no``: text in YAML 1.2 and true for Python, but meant as false."""
    for path, text in origin.plain.items():
        is_option = path[:2] == ("strategies", "entries") and path[3:4] == ("options",)
        in_sweep = path[:1] == ("sweep",) and "options" in path[1:3]
        if (is_option or in_sweep) and text.lower() in _YAML_1_1_BOOLEANS:
            yield Problem(path, f"write true or false, or '{text}' in quotes if text is meant")


def _name_of(entry: Any) -> str | None:
    if isinstance(entry, dict):
        entry = entry.get("name", entry.get("strategy"))
    return entry if isinstance(entry, str) else None
