"""``hearts-sim strategies``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import find_in_player, json_option, say, show_json
from hearts_sim.errors import StrategyLoadError


def need_folders(folders: tuple[str, ...]) -> None:
    """Say so when a folder of strategies is not there."""
    for folder in folders:
        if not Path(folder).is_dir():
            what = "is a file" if Path(folder).exists() else "does not exist"
            raise StrategyLoadError(f"{folder} {what}: give a folder that holds strategies")


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(), shell_complete=completing.folders)
@json_option
def strategies(folders: tuple[str, ...], as_json: bool) -> None:
    """List the strategies in FOLDERS (default: ./strategies).

    A file that is broken is named with its error, and the others are listed all the same; the exit
    code is 2 then.
    """
    folders = folders or ("strategies",)
    need_folders(folders)
    library = find_in_player()(folders)
    if as_json:
        show_json(
            {
                "strategies": [
                    {
                        "name": found.name,
                        "file": found.file,
                        "kind": "compiled" if found.compiled else "plain",
                        "summary": found.summary,
                    }
                    for found in library.found.values()
                ],
                "problems": [str(problem) for problem in library.problems],
            }
        )
    else:
        from hearts_sim.report.text import text_table

        rows = [
            [
                found.name,
                "compiled" if found.compiled else "plain",
                Path(found.file).name,
                found.summary,
            ]
            for found in sorted(library.found.values(), key=lambda found: found.name)
        ]
        if rows:
            click.echo(text_table(["strategy", "kind", "file", "idea"], rows, left=(0, 1, 2, 3)))
        elif not library.problems:
            say(f"no strategies in {', '.join(folders)}")
    if not as_json:
        for problem in library.problems:
            say(f"Error: {problem}")
    if library.problems or not library.found:
        sys.exit(2)
