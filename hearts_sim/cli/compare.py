"""``hearts-sim compare``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import (
    Progress,
    find_in_player,
    jobs_option,
    json_option,
    output_option,
    quiet_option,
    read_settings,
    say,
    seed_option,
    show_json,
    warn_of_files,
)
from hearts_sim.errors import ConfigError, ResultsError, RunInterrupted
from hearts_sim.rules import nearest

if TYPE_CHECKING:
    from hearts_sim.tournament.config.reading import Config
    from hearts_sim.tournament.reading.results import Results

FIGURES = (
    "points", "points.low", "points.high", "points.se", "elo", "elo.low", "elo.high", "elo.se",
    "los", "design_effect", "blocks",
)  # fmt: skip
_OPERATORS = {
    "<": lambda one, two: one < two,
    "<=": lambda one, two: one <= two,
    ">": lambda one, two: one > two,
    ">=": lambda one, two: one >= two,
}
_CONDITION = re.compile(
    r"\s*([a-z_.]+)\s*(<=|>=|<|>)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
)


class Condition(NamedTuple):
    """What is not to hold: ``NAME OP NUMBER``."""

    text: str
    name: str
    operator: str
    limit: float


class _ConditionType(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    name = "expr"

    def convert(self, value: Any, param: Any, ctx: Any) -> Condition:
        found = _CONDITION.fullmatch(value)
        if found is None or found[1] not in FIGURES:
            self.fail(
                f"{value!r} is no expression NAME OP NUMBER, such as 'points > 0.1': NAME is one "
                f"of {', '.join(FIGURES)}; OP is one of <, <=, >, >=",
                param,
                ctx,
            )
        return Condition(value.strip(), found[1], found[2], float(found[3]))


@click.command()
@click.argument(
    "source", metavar="RUN|CONFIG", type=click.Path(), shell_complete=completing.runs_or_files
)
@click.argument("a", shell_complete=completing.entries)
@click.argument("b", shell_complete=completing.entries)
@click.option(
    "--against",
    type=click.Path(),
    metavar="RUN2",
    shell_complete=completing.runs,
    help="Take B from this run instead of RUN.",
)
@click.option("--games", type=click.IntRange(1), help="With a CONFIG: play so many games.")
@output_option
@jobs_option
@seed_option
@click.option(
    "--force",
    is_flag=True,
    help="Compare two runs that differ in more than A and B; with a CONFIG, delete another run "
    "that is in the folder.",
)
@click.option(
    "--fail-if",
    "conditions",
    type=_ConditionType(),
    multiple=True,
    metavar="EXPR",
    help="End with exit code 1 when 'NAME OP NUMBER' holds, such as 'points.low > 0' or "
    f"'los < 0.5'. Names: {', '.join(FIGURES)}. May be repeated.",
)
@quiet_option
@json_option
def compare(
    source: str,
    a: str,
    b: str,
    against: str | None,
    games: int | None,
    output: str | None,
    jobs: int,
    seed: int | None,
    force: bool,
    conditions: tuple[Condition, ...],
    quiet: bool,
    as_json: bool,
) -> None:
    """Compare A and B, in a RUN folder, or in a duel that is played first from a CONFIG file.

    A run may be unfinished; the figures are interim then. The duel has the rules, the seed and the
    budget of the config, and goes to results/NAME-A-vs-B; what is there of it already is not
    played again. Every difference is A less B: points above 0 mean that A takes more points per
    hand, Elo above 0 that A is better.
    """
    from hearts_sim.report.comparing import compare as compare_entries
    from hearts_sim.report.comparison_text import as_json as to_json
    from hearts_sim.report.comparison_text import comparison_text
    from hearts_sim.tournament.reading.results import Results

    path = Path(source)
    if a == b and against is None:
        raise click.UsageError(
            f"A and B are both {a!r}: name two, or with --against RUN2 the run that the other one "
            "is from"
        )
    if path.is_dir():
        for option, value in (("--games", games), ("--seed", seed), ("--output", output)):
            if value is not None:
                raise click.UsageError(
                    f"{option} is for a duel that is to be played, and {source} is a run: give the "
                    "config file instead, or leave the option out"
                )
        results = Results(path)
    elif not path.exists():
        raise ResultsError(
            f"{source} is neither the folder of a run nor a config file: there is nothing of that "
            "name. Give a folder that 'hearts-sim run' named, or a YAML file"
        )
    elif against is not None:
        raise click.UsageError(
            f"--against compares two runs, and {source} is a file: give the folder of a run"
        )
    else:
        results = _played(read_settings(source, seed), a, b, games, output, jobs, force, quiet)
    other = None if against is None else Results(against)
    found = compare_entries(results, a, b, other, force=force)
    document = to_json(found)
    if as_json:
        show_json(document)
    else:
        click.echo(comparison_text(found))
    _check(conditions, document)


def _check(conditions: tuple[Condition, ...], document: dict[str, Any]) -> None:
    """End with exit code 1 where a condition holds or cannot be told."""
    said = []
    for condition in conditions:
        group, _, key = condition.name.partition(".")
        value = document[group]
        if isinstance(value, dict):
            value = value[key or "difference"]
        if value is None:
            why = "there is no Elo" if document[group] is None and group == "elo" else (
                "it is unknown or infinite: more blocks may give it"
            )  # fmt: skip
            said.append(
                f"--fail-if '{condition.text}' cannot be evaluated: {condition.name}, {why}"
            )
        elif _OPERATORS[condition.operator](value, condition.limit):
            said.append(f"--fail-if '{condition.text}' holds: {_values(condition.name, document)}")
    if said:
        raise ResultsError("\n".join(said))


def _values(name: str, document: dict[str, Any]) -> str:
    """A figure, and the interval that it belongs to."""
    group = name.partition(".")[0]
    value = document[group]
    if not isinstance(value, dict):
        return f"{name} is {value:g}"
    keys = ("difference", "low", "high", "se")
    shown = ", ".join("unknown" if value[key] is None else f"{value[key]:g}" for key in keys)
    return f"{group} has difference, low, high, se {shown}"


def _played(
    settings: Config,
    a: str,
    b: str,
    games: int | None,
    output: str | None,
    jobs: int,
    force: bool,
    quiet: bool,
) -> Results:
    """The duel of a config, played as far as it is not yet."""
    from hearts_sim.tournament.plan.spec import plan_run
    from hearts_sim.tournament.players.executors import available_cores
    from hearts_sim.tournament.reading.results import Results
    from hearts_sim.tournament.run.runner import play_run, results_path

    duel = duel_of(settings, a, b, games)
    spec, _ = plan_run(duel, find_in_player(settings))
    warn_of_files(duel, spec.not_loaded)
    path = results_path(duel.name, output)
    if not force and _is_enough(path, spec):
        say(f"{path} holds this duel already: nothing is played", quiet=quiet)
        return Results(path)
    progress = Progress(quiet)
    try:
        outcome = play_run(
            spec,
            path,
            config=duel.resolved(),
            jobs=jobs or available_cores(),
            force=force,
            resume=True,
            watcher=progress,
        )
    except RunInterrupted:
        raise RunInterrupted(
            f"interrupted: what was played is in {path}; the same command"
            f"{' without --force' if force else ''} goes on with it"
        ) from None
    finally:
        progress.close()
    say(f"the duel is in {path}" if outcome.played else f"{path} holds this duel already: nothing "
        "is played", quiet=quiet)  # fmt: skip
    return Results(path)


def _is_enough(path: Path, spec: Any) -> bool:
    """Whether a finished run of the same is at least as long."""
    from hearts_sim.tournament.log.folder import RunFolder

    folder = RunFolder(path)
    if not folder.exists():
        return False
    info = folder.info()
    return bool(
        info["status"] == "finished"
        and info.get("fingerprint") == spec.fingerprint()
        and info["blocks"] >= spec.schedule.blocks
    )


def duel_of(settings: Config, a: str, b: str, games: int | None) -> Config:
    """The config of the duel of two of a config's entries.

    Raises
    ------
    ConfigError
        When the config lists its entries, and one of the two is none of them.
    StrategyLoadError
        When it lists none, and a folder has no such strategy.
    """
    from hearts_sim.tournament.config.models import Entry, Format

    listed = settings.strategies.entries
    entries = []
    if listed is None:
        folders = [str(folder) for folder in settings.strategies.folders]
        library = find_in_player(settings)(folders)
        entries = [Entry(strategy=library.get(name).name, name=name) for name in (a, b)]
    else:
        by_name = {entry.name: entry for entry in listed}
        for name in (a, b):
            if name not in by_name:
                where = settings.where("strategies", "entries")
                raise ConfigError(
                    f"{where}: no entry has the name {name!r}{nearest(name, by_name)}"
                )
            entries.append(by_name[name])
    old = settings.format
    budget: dict[str, Any] = {
        "games": old.games, "blocks": old.blocks, "target": old.target, "max_games": old.max_games,
    }  # fmt: skip
    if games is not None:
        budget = {"games": games}
    if old.type == "duel":
        budget["sprt"] = old.sprt
    budget = {key: value for key, value in budget.items() if value is not None}
    report = settings.report
    if report.anchor not in (a, b):
        report = report.model_copy(update={"anchor": None})
    return settings.model_copy(
        update={
            "name": _name(f"{settings.name}-{a}-vs-{b}"),
            "strategies": settings.strategies.model_copy(update={"entries": tuple(entries)}),
            "format": Format(type="duel", a=a, b=b, **budget),
            "report": report,
        }
    )


def _name(text: str) -> str:
    """A text as the name of a folder."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", text)[:100]
