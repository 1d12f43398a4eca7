"""``hearts-sim validate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hearts_sim.cli.options import (
    find_in_player,
    json_option,
    read_any_settings,
    seed_option,
    show_json,
    tell_remarks,
    warn_of_files,
)

if TYPE_CHECKING:
    from hearts_sim.tournament.config.reading import SweepConfig
    from hearts_sim.tournament.plan.policy import FaultRules
    from hearts_sim.tournament.plan.spec import EntrySpec


@click.command()
@click.argument("config", type=click.Path())
@seed_option
@json_option
def validate(config: str, seed: int | None, as_json: bool) -> None:
    """Check a CONFIG file and its strategies, and print the schedule without playing.

    Of a sweep the number of duels and of their games is printed.
    """
    from hearts_sim.report.text import counted, text_table
    from hearts_sim.tournament.config.reading import SweepConfig
    from hearts_sim.tournament.plan.spec import plan_run

    settings = read_any_settings(config, seed)
    if isinstance(settings, SweepConfig):
        _show_sweep(settings, as_json=as_json)
        return
    spec, _ = plan_run(settings, find_in_player(settings))
    schedule = spec.schedule
    games, seats = schedule.count()
    warn_of_files(settings, spec.not_loaded)
    tell_remarks(spec)
    if as_json:
        show_json(
            {
                "name": spec.name,
                "format": schedule.kind,
                "players": schedule.players,
                "asked": schedule.games,
                "games": schedule.total_games,
                "blocks": schedule.blocks,
                "ends_by": None if spec.stop is None else spec.stop.plain(),
                "games_per_strategy": dict(zip(spec.names, games.tolist(), strict=True)),
                "games_per_seat": dict(zip(spec.names, seats.tolist(), strict=True)),
                "faults": spec.faults.plain(),
                "entries": [_plain(entry) for entry in spec.entries],
                "not_loaded": list(spec.not_loaded),
            }
        )
        return
    most = "at most " if spec.stop is not None else ""
    asked = schedule.games
    rounded = "" if asked in (None, schedule.total_games) else f" ({asked:,} asked for)"
    click.echo(
        f"{spec.name}: {schedule.kind}, {most}{counted(schedule.total_games, 'game')}{rounded} in "
        f"{counted(schedule.blocks, 'block')}, {schedule.players} players, seed {spec.seed}"
    )
    if spec.stop is not None:
        click.echo(f"ends {spec.stop.when()}")
    rows = [
        [name, f"{games[entry]:,}", *(f"{number:,}" for number in seats[entry])]
        for entry, name in enumerate(spec.names)
    ]
    heads = ["strategy", "games", *(f"seat {seat}" for seat in range(schedule.players))]
    click.echo(text_table(heads, rows, left=(0,)))
    click.echo()
    click.echo(_faults(spec.faults))
    for entry in spec.entries:
        said = _apart(entry)
        if said:
            click.echo(f"{entry.name}: {said}")


def _show_sweep(settings: SweepConfig, *, as_json: bool) -> None:
    """The options of a sweep, its duels, and the games that they have at most."""
    from hearts_sim.report.text import counted, text_table
    from hearts_sim.tournament.sweep.plan import plan_sweep
    from hearts_sim.tournament.sweep.points import value_text

    plan = plan_sweep(settings, find_in_player(settings))
    duel, last = plan.lengths()
    climbs = settings.sweep.method == "climb"
    each, confirm = duel.schedule.total_games, last.schedule.total_games
    most = plan.most_duels * each + confirm
    if as_json:
        show_json(
            {
                "name": settings.name,
                "method": settings.sweep.method,
                "strategy": plan.strategy.name,
                "opponent": plan.opponent.name,
                "options": {name: list(values) for name, values in plan.lists.items()},
                "defaults": plan.defaults.plain,
                "points": len(plan.points),
                "most_duels": plan.most_duels,
                "games_per_duel": each,
                "ends_by": None if duel.stop is None else duel.stop.plain(),
                "games_of_confirmation": confirm,
                "most_games": most,
                "faults": duel.faults.plain(),
            }
        )
        return
    at_most = "at most " if climbs or duel.stop is not None else ""
    click.echo(
        f"{settings.name}: {settings.sweep.method} over options of {plan.strategy.name} against "
        f"{plan.opponent.name}: {counted(len(plan.points), 'point')}, "
        f"{'at most ' if climbs else ''}{counted(plan.most_duels, 'duel')} and a confirmation, "
        f"{at_most}{counted(most, 'game')}, {duel.schedule.players} players, seed {settings.seed}"
    )
    limit = "at most " if duel.stop is not None else ""
    click.echo(
        f"a duel has {limit}{counted(each, 'game')} in {counted(duel.schedule.blocks, 'block')}; "
        f"the confirmation {counted(confirm, 'game')} with seed {last.seed}"
    )
    if duel.stop is not None:
        click.echo(f"a duel ends {duel.stop.when()}")
    rows = [
        [name, ", ".join(map(value_text, values)), value_text(plan.defaults.plain.get(name, "–"))]
        for name, values in plan.lists.items()
    ]
    click.echo(text_table(["option", "values", "default"], rows, left=(0, 1, 2)))
    click.echo()
    click.echo(_faults(duel.faults))


_POLICIES = {
    "strict": "the run stops at the first",
    "substitute": "a neutral legal card is played instead",
    "forfeit": "the game ends, and who failed is last",
}


def _faults(faults: FaultRules) -> str:
    """The fault rules in a line."""
    limits = [
        f"{limit:g} {what}"
        for limit, what in (
            (faults.decision_seconds, "s for a decision"),
            (faults.game_seconds, "s for a game"),
            (faults.memory_mb, "MiB of memory"),
        )
        if limit is not None
    ]
    out = f"; disqualified at more than {100 * faults.max_rate:.4g} % of its games"
    if faults.policy == "strict":
        out = ""
    return (
        f"faults: {faults.policy} ({_POLICIES[faults.policy]}); "
        f"{', '.join(limits) if limits else 'no limits of time and memory'}{out}"
    )


def _apart(entry: EntrySpec) -> str:
    """What plays, unless it is a strategy that shares the player process."""
    if entry.command:
        kept = "started for every game" if entry.keep == "game" else "kept for the run"
        return f"command {entry.strategy} in {entry.folder}, {kept}"
    if entry.library:
        return f"function {entry.symbol} of {entry.library}"
    return "in a process of its own" if entry.isolate == "process" else ""


def _plain(entry: EntrySpec) -> dict[str, Any]:
    """What plays, as JSON values."""
    plain = entry.identity()
    if entry.command:
        return plain | {"folder": entry.folder}
    if entry.library:
        return plain | {"file": entry.library}
    return plain | {"file": entry.file, "isolate": entry.isolate}
