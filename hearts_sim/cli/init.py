"""``hearts-sim init``."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import quiet_option, say


@click.command()
@click.argument("folder", type=click.Path(), default=".", shell_complete=completing.folders)
@click.option("--force", is_flag=True, help="Replace files that are there already.")
@quiet_option
def init(folder: str, force: bool, quiet: bool) -> None:
    """Make a FOLDER to start in: strategies, configs, and what to do next.

    It gets the strategies that come with hearts-sim, configs that let them play, and a short
    README.md. Without a FOLDER it is the current one. A file that is there already is not touched:
    the command says what is in the way, and writes nothing.
    """
    from hearts_sim.report.text import counted
    from hearts_sim.tournament.config.starter import write_starter

    written = write_starter(Path(folder), force=force)
    if not written:
        say(f"{folder} has all of it already", quiet=quiet)
        return
    say(f"{folder}: {counted(len(written), 'file')} written; README.md says more", quiet=quiet)
    enter = "" if folder == "." else f"cd {shlex.quote(folder)} && "
    say(f"next: {enter}hearts-sim run configs/quickstart.yaml", quiet=quiet)
