"""``hearts-sim new``."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from hearts_sim.cli.options import quiet_option, say


@click.command()
@click.argument("name")
@click.option(
    "--compiled", is_flag=True, help="One that numba compiles: about thirty times as fast."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    default="strategies",
    show_default=True,
    help="Folder of strategies, made if it is not there.",
)
@quiet_option
def new(name: str, compiled: bool, output: str, quiet: bool) -> None:
    """Write the file of a new strategy that works, to be changed into a better one.

    NAME becomes the class and, in snake case, the file: MyBot and my_bot are both the class MyBot
    in strategies/my_bot.py. It chooses passes and cards, has an option, and says in short comments
    what it can look at.
    """
    from hearts_sim.strategy.template import new_strategy
    from hearts_sim.tournament.log.durable import write_files

    path, class_name, text = new_strategy(name, Path(output), compiled=compiled)
    write_files({path: text.encode()})
    say(f"{class_name}: {path}", quiet=quiet)
    folder = "" if output == "strategies" else f" --folder {shlex.quote(output)}"
    for command, what in (
        (f"hearts-sim check {shlex.quote(str(path))}", "is it fit to play"),
        (f"hearts-sim bench {class_name}{folder}", "how fast it plays"),
        ("hearts-sim run configs/quickstart.yaml", "how good it is"),
    ):
        say(f"  {command:<44}  {what}", quiet=quiet)
