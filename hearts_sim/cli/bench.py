"""``hearts-sim bench``."""

from __future__ import annotations

import contextlib
import sys

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import json_option, say, show_json


@click.command()
@click.argument(
    "names", nargs=-1, required=True, metavar="STRATEGY...", shell_complete=completing.strategies
)
@click.option(
    "--rules",
    default="black_lady",
    show_default=True,
    shell_complete=completing.presets,
    help="Preset of the rules.",
)
@click.option(
    "--hands", type=click.IntRange(1), help="Hands to play.  [default: as many as two seconds take]"
)
@click.option(
    "--folder",
    "folders",
    multiple=True,
    type=click.Path(),
    default=("strategies",),
    show_default=True,
    help="Where the strategies are.",
)
@click.option("--players", type=int, help="Seats at the table.  [default: the preset's]")
@json_option
def bench(
    names: tuple[str, ...],
    rules: str,
    hands: int | None,
    folders: tuple[str, ...],
    players: int | None,
    as_json: bool,
) -> None:
    """Measure how fast a line-up plays, in one process and after a warm-up.

    Fewer strategies than seats are repeated until the table is full.
    """
    from hearts_sim.cli.strategies import need_folders
    from hearts_sim.engine.code_cache import is_compiled
    from hearts_sim.errors import ConfigError
    from hearts_sim.rules import Rules
    from hearts_sim.strategy.loader import check_options, load_folders
    from hearts_sim.tournament.run.speed import measure

    chosen = Rules.preset(rules) if players is None else Rules.preset(rules, players=players)
    need_folders(folders)
    library = load_folders(folders)
    if len(names) > chosen.players:
        raise ConfigError(f"{len(names)} strategies do not fit a table of {chosen.players}")
    line_up = [library.get(names[seat % len(names)]) for seat in range(chosen.players)]
    for found in line_up:
        check_options(found, {})
    if not is_compiled():
        say("compiling the engine: only this first time, about half a minute ...")
    with contextlib.redirect_stdout(sys.stderr):  # what strategies print
        speed = measure(line_up, chosen, hands)
    if as_json:
        show_json(speed)
        return
    click.echo(f"{speed['hands_per_second']:,.0f} hands per second ({speed['hands']:,} hands)")
    for name, microseconds in speed["microseconds_per_decision"].items():
        click.echo(f"{name}: {microseconds:.3f} µs per decision")
