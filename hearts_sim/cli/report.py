"""``hearts-sim report``."""

from __future__ import annotations

import click

from hearts_sim.cli.options import json_option, quiet_option, say, show_json, show_summary


@click.command()
@click.argument("run", type=click.Path())
@quiet_option
@json_option
def report(run: str, quiet: bool, as_json: bool) -> None:
    """Write the report of a RUN folder again and show the leaderboard.

    Works on an unfinished run too; its figures are called interim.
    """
    from hearts_sim.report.summary import summarise
    from hearts_sim.report.write import as_json as to_json
    from hearts_sim.report.write import write_report
    from hearts_sim.tournament.results import Results

    summary = summarise(Results(run))
    write_report(summary)
    if as_json:
        show_json(to_json(summary))
    else:
        show_summary(summary)
    say(f"report: {summary.results.path / 'report.html'}", quiet=quiet)
