"""``hearts-sim report``."""

from __future__ import annotations

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import json_option, quiet_option, write_and_show


@click.command()
@click.argument("run", type=click.Path(), shell_complete=completing.runs)
@quiet_option
@json_option
def report(run: str, quiet: bool, as_json: bool) -> None:
    """Write the report of a RUN folder again and show the leaderboard.

    Works on an unfinished run too; its figures are called interim.
    """
    write_and_show(run, quiet=quiet, as_json=as_json)
