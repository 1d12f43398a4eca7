"""Options and ways of saying things that commands share."""

from __future__ import annotations

import csv
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hearts_sim.cli import completing
from hearts_sim.tournament.run.watching import Watcher

if TYPE_CHECKING:
    from hearts_sim.report.summary import Summary
    from hearts_sim.strategy.loader import Library
    from hearts_sim.tournament.config.models import Common
    from hearts_sim.tournament.config.reading import Config, SweepConfig
    from hearts_sim.tournament.plan.spec import RunSpec

Kind = TypeVar("Kind", bound="Common")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress, only results.")
output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Results folder.  [default: results/NAME below the current folder]",
)
file_option = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    default="-",
    help="File to write.  [default: standard output]",
)
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), help="Use this seed instead of the config's."
)


def jobs_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``-j/--jobs``: the number of player processes."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(0),
        default=0,
        help="Player processes; results do not depend on it.  [default: one for each core]",
    )(command)


def strategies_option(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--strategies A,B``; `listed` makes names of it."""
    return click.option(
        "--strategies",
        metavar="A,B",
        multiple=True,
        shell_complete=completing.listed_entries,
        help=help_text,
    )


def listed(texts: Sequence[str], known: Sequence[str]) -> list[str] | None:
    """Names that are given one by one, or several with commas between them.

    One that has a comma itself stands alone or in double quotes.

    Raises
    ------
    click.UsageError
        When a name is missing between two commas.
    """
    found: list[str] = []
    for text in texts:
        if text in known:
            found.append(text)
            continue
        names = [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
        if not names or not all(names):
            raise click.UsageError(
                f"--strategies {text!r}: a name is missing; separate names by single commas"
            )
        found += names
    return found or None


def say(text: str, *, quiet: bool = False) -> None:
    """Something for a person to read: on stderr, never on stdout."""
    if not quiet:
        click.echo(text, err=True)


def read_settings(path: str, seed: int | None) -> Config:
    """Read a config, with another seed if one is given, and warn of what is probably not meant."""
    from hearts_sim.tournament.config.reading import read_config

    return _with_seed(read_config(path), seed)


def read_sweep_settings(path: str, seed: int | None) -> SweepConfig:
    """The same with the config of a sweep."""
    from hearts_sim.tournament.config.reading import read_sweep

    return _with_seed(read_sweep(path), seed)


def read_any_settings(path: str, seed: int | None) -> Config | SweepConfig:
    """The same with a config of either kind."""
    from hearts_sim.tournament.config.reading import read_any

    return _with_seed(read_any(path), seed)


def _with_seed(config: Kind, seed: int | None) -> Kind:
    for warning in config.rules.warnings():
        say(f"Warning: {config.where('rules')}: {warning}")
    return config if seed is None else config.model_copy(update={"seed": seed})


def find_in_player(settings: Common | None = None) -> Callable[[Sequence[str]], Library]:
    """How a command finds strategies: in a player process, which may end over their files."""
    from hearts_sim.tournament.plan.policy import FaultRules
    from hearts_sim.tournament.players.supervise import survey

    limits = FaultRules() if settings is None else settings.faults.rules()

    def waiting(file: str, builds: bool) -> None:
        if builds:
            say(f"compiling what {file} needs: this takes a minute or two, and is kept")
        else:
            say(f"importing {file} takes long; Ctrl-C stops it")

    return lambda folders: survey(folders, limits, waiting)


def warn_of_files(settings: Config, not_loaded: Sequence[str]) -> None:
    """Name the files of the folder that are left out, since they do not import."""
    for message in not_loaded:
        say(f"Warning: {settings.where('strategies', 'folder')}: left out: {message}")


def tell_remarks(spec: RunSpec) -> None:
    """Say what strategies do otherwise under the rules of a run."""
    for remark in spec.remarks():
        say(f"Note: {remark}")


def write_output(output: str, data: bytes, what: str, *, quiet: bool = False) -> None:
    """Write a text to a file, whole or not at all, and say so; ``-`` is standard output."""
    if output == "-":
        click.echo(data, nl=False)
        return
    from pathlib import Path

    from hearts_sim.tournament.log.durable import write_files

    write_files({Path(output): data})
    say(f"{what}: {output}", quiet=quiet)


def show_json(value: Any) -> None:
    """The one JSON document of a command with ``--json``."""
    click.echo(json.dumps(value, indent=2))


_VERDICTS_SHOWN = 5


def show_summary(summary: Summary) -> None:
    """The leaderboard with what one must know to read it."""
    from hearts_sim.report import fault_text, text
    from hearts_sim.report.notes import checks, facts, legend, notes, verdicts

    rows = text.leaderboard(summary.board)
    click.echo(facts(summary))
    click.echo()
    click.echo(text.text_table(text.LEADERBOARD, rows, left=(1,)))
    click.echo()
    click.echo(legend(summary))
    click.echo()
    said = verdicts(summary)
    for sentence in said[:_VERDICTS_SHOWN]:
        click.echo(f"- {sentence}")
    if len(said) > _VERDICTS_SHOWN:
        click.echo(f"- ({len(said) - _VERDICTS_SHOWN} more such sentences are in the report)")
    for note in notes(summary):
        click.echo(f"Note: {note}")
    found = checks(summary)
    if found:
        click.echo(f"Checks: {' '.join(found)}")
    failed = fault_text.in_terminal(summary)
    if failed:
        click.echo()
    for line in failed:
        click.echo(line)


def write_and_show(run: str | os.PathLike[str], *, quiet: bool, as_json: bool) -> None:
    """Write the report of a run, show the leaderboard, and say where the report is."""
    from hearts_sim.report.as_json import as_json as to_json
    from hearts_sim.report.summary import summarise
    from hearts_sim.report.write import write_report
    from hearts_sim.tournament.reading.results import Results

    summary = summarise(Results(run))
    write_report(summary)
    if as_json:
        show_json(to_json(summary))
    else:
        show_summary(summary)
    say(f"report: {summary.results.path / 'report.html'}", quiet=quiet)


class Progress(Watcher):
    """Progress of a run: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Any = None
        self._total = 0
        self._standing = ""
        self._began = self._last = time.monotonic()

    def notice(self, text: str) -> None:
        """Say something about where it is played."""
        say(text, quiet=self._quiet)

    def compiling(self) -> None:
        """Say that compiling takes a moment, when nothing is compiled yet."""
        from hearts_sim.engine.code_cache import is_compiled

        if not is_compiled():
            say(
                "compiling the engine: only this first time, about half a minute ...",
                quiet=self._quiet,
            )

    def started(self, games: int) -> None:
        """Begin the bar."""
        self._total = games
        self._began = self._last = time.monotonic()
        if not self._quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                total=games, unit="game", unit_scale=games >= 100_000, dynamic_ncols=True
            )

    def continued(self, games: int) -> None:
        """Say how much is there already."""
        say(f"going on with {games:,} games that are played already", quiet=self._quiet)

    def advanced(self, games: int) -> None:
        """Move the bar, or say how far it is every ten seconds."""
        if self._bar is not None:
            self._bar.update(games - self._bar.n)
            if games >= self._total:
                self._bar.close()
        elif not self._quiet and time.monotonic() - self._last > 10:
            self._last = time.monotonic()
            speed = games / (self._last - self._began)
            left = (self._total - games) / max(speed, 1e-9)
            pace = f"{speed:,.0f}/s, {left:,.0f} s left"
            say(f"{games:,} of {self._total:,} games, {pace}{self._standing}")

    def interim(self, text: str) -> None:
        """Show how a run that ends by its results stands: on the bar, or with the next line."""
        self._standing = f"; interim: {text}"
        if self._bar is not None:
            self._bar.set_postfix_str(f"interim: {text}", refresh=False)

    def disqualified(self, name: str, why: str) -> None:
        """Say that an entry plays no more."""
        say(f"{name} is disqualified: {why}", quiet=self._quiet)

    def auditing(self, share: float) -> None:
        """Say that games are played again."""
        say(f"audit: {100 * share:g} % of the blocks are played again", quiet=self._quiet)

    def stands(self, seconds: float) -> None:
        """Say that a strategy may hang."""
        say(
            f"no game has come to its end for {seconds:.0f} s. If a strategy hangs, stop with "
            "Ctrl-C and limit its time; the config can have: faults: {decision_seconds: 5}"
        )

    def damaged(self, part: int, why: str) -> None:
        """Say which part is not whole."""
        say(f"part {part} is damaged and is played again: {why}")

    def put_aside(self, path: str) -> None:
        """Say what became of a file that would count as a part."""
        say(f"a file that belongs to no part of this run has another name now: {path}")

    def finishing(self, parts: int) -> None:
        """Say what the first Ctrl-C does."""
        self.close()
        what = "the part that is" if parts == 1 else f"the {parts} parts that are"
        say(f"interrupted: {what} in play will be finished; Ctrl-C again stops at once")

    def close(self) -> None:
        """Leave the line of the bar."""
        if self._bar is not None:
            self._bar.close()
