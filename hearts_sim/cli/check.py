"""``hearts-sim check``."""

from __future__ import annotations

import shlex
import sys

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import json_option, quiet_option, show_json

_PROGRAM = "hearts_sim.check.program"
_COLOURS = {
    "ok": "green",
    "fit": "green",
    "error": "red",
    "unfit": "red",
    "warning": "yellow",
    "hint": "cyan",
}


class _Command(click.Command):
    """Keeps apart what stands after ``--``, which click would take for files."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            ctx.meta[_PROGRAM] = tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


@click.command(cls=_Command)
@click.argument("what", nargs=-1, metavar="FILE|FOLDER...", shell_complete=completing.files)
@click.option("--command", help='A program that plays, with its arguments: "./mybot --fast".')
@click.option("--library", type=click.Path(), help="A shared library, with --symbol.")
@click.option("--symbol", default="", help="Name of the function in the library.")
@click.option(
    "--strategy",
    "only",
    default="",
    shell_complete=completing.strategies_of_files,
    help="Only the strategy of this name.",
)
@click.option(
    "--rules",
    multiple=True,
    shell_complete=completing.presets,
    help="Preset to play; may be given several times.",
)
@click.option("--all", "every", is_flag=True, help="Every preset with every size of its table.")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Games under each set of rules.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, help="Seed of the games.")
@click.option(
    "--decision-seconds",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    help="A decision that takes longer is taken to hang.",
)
@click.option(
    "--positions",
    "endgames",
    is_flag=True,
    help="Ask instead for the best card in endgame positions, and count those found.",
)
@click.option(
    "--position",
    type=click.IntRange(1),
    help="Show this position, and what strategies play in it.",
)
@json_option
@quiet_option
def check(
    what: tuple[str, ...],
    command: str | None,
    library: str | None,
    symbol: str,
    only: str,
    rules: tuple[str, ...],
    every: bool,
    games: int,
    seed: int,
    decision_seconds: float,
    endgames: bool,
    position: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check strategies: legal, repeatable, with no traces left behind.

    FILE is a Python file, of which every strategy is checked, FOLDER stands for its files. A
    program that plays is given after --, or with --command:

    \b
      hearts-sim check bots/my_bot.py
      hearts-sim check -- ./mybot --fast

    With --positions, strategies are asked for a card in moments of the last tricks in which one is
    best whatever the others hold. A low score is no fault.

    The exit code is 1 when something makes a strategy unfit to play, and 2 when there is nothing
    of that name.
    """  # noqa: D301 - click wants the character itself
    from hearts_sim.errors import ConfigError, StrategyLoadError
    from hearts_sim.rules import find_preset
    from hearts_sim.testing.checking import check_targets
    from hearts_sim.testing.report import SEVERITIES
    from hearts_sim.testing.target import Plan, find_command, find_library, find_targets

    if rules and every:
        raise ConfigError("--rules and --all: give one of them")
    names = [find_preset(name).name for name in rules]
    program = click.get_current_context().meta.get(_PROGRAM)
    if command is not None:
        program = (*(program or ()), *shlex.split(command))
    asking = endgames or position is not None
    if asking and (every or games != 20):
        raise ConfigError("--all and --games are for games: leave them out with --positions")
    shown_alone = position is not None and not what and program is None and library is None
    if not shown_alone and bool(what) + (program is not None) + (library is not None) != 1:
        raise ConfigError("give one of: files or folders, a program after --, or --library")
    if program is not None:
        targets = [find_command(program)]
    elif library is not None:
        targets = [find_library(library, symbol)]
    elif shown_alone:
        targets = []
    else:
        targets = [target for path in what for target in find_targets(path, only)]
    plan = Plan(games, seed, decision_seconds, every, names)
    line = _Line(quiet or as_json)
    if asking:
        from hearts_sim.cli.positions import ask_and_show

        report = ask_and_show(
            targets, position, plan, line.show, as_json=as_json, style=_coloured, quiet=quiet
        )
        if not shown_alone and not report.strategies:
            raise StrategyLoadError(f"no strategy is called {only!r} in {', '.join(what)}")
        sys.exit(0 if report.ok else 1)
    try:
        report = check_targets(targets, plan, line.show)
    finally:
        line.clear()
    if not report.strategies:
        raise StrategyLoadError(f"no strategy is called {only!r} in {', '.join(what)}")
    if as_json:
        show_json(report.plain())
    elif quiet:
        for finding in report.findings:
            if finding.severity != SEVERITIES[2]:
                click.echo(f"{finding.severity}: {finding}")
    else:
        for text in report.lines(_coloured):
            click.echo(text)
    sys.exit(0 if report.ok else 1)


def _coloured(word: str, kind: str) -> str:
    return click.style(word, fg=_COLOURS.get(kind.strip()))


class _Line:
    """A line on a terminal that says what is done now."""

    def __init__(self, hidden: bool) -> None:
        self.hidden = hidden or not sys.stderr.isatty()

    def show(self, text: str) -> None:
        """Put a text in the place of the last one."""
        if not self.hidden:
            click.echo(f"\r\033[K{text[:100]}", nl=False, err=True)

    def clear(self) -> None:
        """Take the line away."""
        self.show("")
