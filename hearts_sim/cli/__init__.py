"""The command line: one file for each command, heavy imports inside the callbacks."""

from __future__ import annotations

import sys
from typing import Any

import click

from hearts_sim import __version__
from hearts_sim.cli.bench import bench
from hearts_sim.cli.chart import chart
from hearts_sim.cli.check import check
from hearts_sim.cli.compare import compare
from hearts_sim.cli.completion import completion
from hearts_sim.cli.export import export
from hearts_sim.cli.init import init
from hearts_sim.cli.merge import merge
from hearts_sim.cli.new import new
from hearts_sim.cli.replay import replay
from hearts_sim.cli.report import report
from hearts_sim.cli.run import run
from hearts_sim.cli.schema import schema
from hearts_sim.cli.strategies import strategies
from hearts_sim.cli.sweep import sweep
from hearts_sim.cli.validate import validate
from hearts_sim.cli.variants import variants
from hearts_sim.errors import HeartsError, RunInterrupted


class _Group(click.Group):
    """Shows our own errors as a message, with their exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HeartsError as error:
            click.echo(f"Error: {error}", err=True)
            sys.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("Error: interrupted", err=True)
            sys.exit(RunInterrupted.exit_code)
        finally:
            supervise = sys.modules.get("hearts_sim.tournament.players.supervise")
            if supervise is not None:
                supervise.end_processes()


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hearts-sim")
def main() -> None:
    """Tournaments between strategies for the card game Hearts.

    \b
    hearts-sim init                             strategies and configs to start with
    hearts-sim run configs/quickstart.yaml      play, rate, draw
    hearts-sim new MyBot                        a strategy of your own
    hearts-sim check strategies/low_card.py     is a bot fit to play
    hearts-sim bench LowCard                    how fast it plays
    """  # noqa: D301 - click wants the character itself


for _command in (
    bench,
    chart,
    check,
    compare,
    completion,
    export,
    init,
    merge,
    new,
    replay,
    report,
    run,
    schema,
    strategies,
    sweep,
    validate,
    variants,
):
    main.add_command(_command)
