"""``hearts-sim merge``."""

from __future__ import annotations

import sys

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import json_option, output_option, quiet_option, say, write_and_show


@click.command()
@click.argument(
    "folders",
    type=click.Path(),
    nargs=-1,
    required=True,
    metavar="FOLDER...",
    shell_complete=completing.runs,
)
@output_option
@click.option("--force", is_flag=True, help="Delete another run that is in the folder.")
@click.option("--partial", is_flag=True, help="Merge what is there, also when parts are missing.")
@quiet_option
@json_option
def merge(
    folders: tuple[str, ...],
    output: str | None,
    force: bool,
    partial: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Put the shards in the FOLDERs together to one run, and write its report.

    Where the run ends by its results and who is disqualified is decided here, in the order of the
    blocks. What a merged run lacks is said, with the command that plays it; the exit code is 1
    then.
    """
    from hearts_sim.tournament.run.merging import merge_runs

    merged = merge_runs(
        folders, output, force=force, partial=partial, tell=lambda text: say(text, quiet=quiet)
    )
    if merged.folder.parts():
        write_and_show(merged.folder.path, quiet=quiet, as_json=as_json)
    if not merged.complete:
        say("\n".join(["the merged run is not finished:", *merged.todo]))
        sys.exit(1)
