"""``hearts-sim export``."""

from __future__ import annotations

import sys

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import file_option, listed, quiet_option, say, strategies_option

FORMATS = ("csv", "parquet", "json", "jsonl")


@click.command()
@click.argument("run", type=click.Path(), shell_complete=completing.runs)
@click.option(
    "--table",
    shell_complete=completing.tables,
    help="What to write.  [default: hands, or games where no hands are kept]",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(FORMATS),
    help="json is one array of objects, jsonl an object on each line.  [default: as the name of "
    "the file says, or csv]",
)
@strategies_option("Only these; of pairs, those among them.")
@file_option
@quiet_option
def export(
    run: str,
    table: str | None,
    kind: str | None,
    strategies: tuple[str, ...],
    output: str,
    quiet: bool,
) -> None:
    """Write a table of a RUN folder for another program, finished or not.

    Tables of the log are games, hands, plays and faults; docs/log.md has their columns. Tables of
    the report are ratings, summary, pairwise, differences, places, histogram and what else it
    counts.

    A file is written part by part, in little memory however long the run is, and is there whole or
    not at all.

    \b
    hearts-sim export results/league -o hands.parquet
    hearts-sim export results/league --table ratings --format json
    """  # noqa: D301 - click wants the character itself
    from hearts_sim.report.export import export_table
    from hearts_sim.tournament.reading.results import Results

    results = Results(run)
    chosen = listed(strategies, results.names)
    if output != "-":
        rows = export_table(results, table, output, kind=kind, strategies=chosen)
        say(f"{rows:,} rows: {output}", quiet=quiet)
        return
    stream = sys.stdout.buffer
    if kind == "parquet" and stream.isatty():
        raise click.UsageError("Parquet is not for a terminal: give a file with -o")
    export_table(results, table, stream, kind=kind, strategies=chosen)
    stream.flush()
