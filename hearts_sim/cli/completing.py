"""What a shell is offered where an argument is typed: runs, strategies, presets, tables.

Nothing is imported that takes its time, and no strategy file is run: names are read from the text.
What cannot be read is passed over, for a shell has no place for an error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

_RUN_FILE = "run.json"
_RESULTS = "results"
_TABLES = {
    "hands": "a row for each hand and seat",
    "games": "a row for each game and seat",
    "plays": "a row for each card",
    "faults": "a row for each failure of a bot",
    "ratings": "Elo with intervals",
    "summary": "the leaderboard, all figures",
    "pairwise": "who beat whom",
    "differences": "what holds for each pair",
    "places": "games on each place",
    "histogram": "hands with so many points",
}


def runs(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Folders with a run: those in ``results`` and below what is typed; else any folder."""
    typed = Path(incomplete)
    above = typed if incomplete.endswith(os.sep) else typed.parent
    places = dict.fromkeys([above, *([Path(_RESULTS)] if os.sep not in incomplete else [])])
    found = sorted({str(path.parent) for place in places for path in place.glob(f"*/{_RUN_FILE}")})
    named = [run for run in found if run.startswith(incomplete)]
    if not named and os.sep not in incomplete:  # the name of a run, without its folder
        named = [run for run in found if Path(run).name.startswith(incomplete)]
    return [CompletionItem(run) for run in named] or [CompletionItem(incomplete, type="dir")]


def runs_or_files(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """A run, or a config."""
    found = runs(ctx, param, incomplete)
    configs = [
        str(path)
        for path in sorted(Path("configs").glob("*.y*ml"))
        if str(path).startswith(incomplete)
    ]
    if found[0].type == "dir":
        return [CompletionItem(path) for path in configs] or [
            CompletionItem(incomplete, type="file")
        ]
    return [*found, *map(CompletionItem, configs)]


def folders(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Any folder."""
    return [CompletionItem(incomplete, type="dir")]


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Any file or folder."""
    return [CompletionItem(incomplete, type="file")]


def presets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Presets of the rules."""
    from hearts_sim.rules import PRESETS

    return _offered({preset.name: preset.summary for preset in PRESETS.values()}, incomplete)


def tables(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Tables that can be exported."""
    return _offered(_TABLES, incomplete)


def strategies(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Strategies in the folders that are given, or in ``strategies``; none twice."""
    there = _in_folders(ctx.params.get("folders") or ("strategies",))
    given = ctx.params.get(param.name or "") or ()
    return _offered({name: text for name, text in there.items() if name not in given}, incomplete)


def strategies_of_files(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Strategies in the files and folders that are given."""
    given = [Path(path) for path in ctx.params.get("what") or ctx.args]
    return _offered(
        _in_folders({path if path.is_dir() else path.parent for path in given}), incomplete
    )


def entries(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Entries of the run that is given, or the strategies that there are."""
    return _offered(_entries(ctx), incomplete)


def listed_entries(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The same, several with commas between them."""
    before, comma, last = incomplete.rpartition(",")
    there = {
        name: text
        for name, text in _entries(ctx).items()
        if name not in before.split(",") and (not comma or "," not in name)
    }
    return [
        CompletionItem(before + comma + str(item.value), help=item.help)
        for item in _offered(there, last)
    ]


def _entries(ctx: click.Context) -> dict[str, str]:
    # Where an option waits for its value, click leaves the arguments before it in `args`.
    run = ctx.params.get("run") or ctx.params.get("source") or next(iter(ctx.args), None)
    names = _names_of_run(run)
    if names:
        return dict.fromkeys(names, "")
    return _in_folders(("strategies",))


def _names_of_run(run: str | None) -> Sequence[str]:
    if run is None:
        return ()
    try:
        info: Any = json.loads((Path(run) / _RUN_FILE).read_text(encoding="utf-8"))
        return [str(entry["name"]) for entry in info["identity"]["entries"]]
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _in_folders(places: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    from hearts_sim.strategy.names import class_names

    return {name: item.summary for name, item in class_names(places).items()}


def _offered(names: dict[str, str], incomplete: str) -> list[CompletionItem]:
    """Those that begin so, capitals or not."""
    start = incomplete.lower()
    return [
        CompletionItem(name, help=text or None)
        for name, text in names.items()
        if name.lower().startswith(start)
    ]
