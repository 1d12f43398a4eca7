"""``hearts-sim validate``."""

from __future__ import annotations

import click

from hearts_sim.cli.options import json_option, read_settings, seed_option, show_json


@click.command()
@click.argument("config", type=click.Path())
@seed_option
@json_option
def validate(config: str, seed: int | None, as_json: bool) -> None:
    """Check a CONFIG file and its strategies, and print the schedule without playing."""
    from hearts_sim.report.text import counted, text_table
    from hearts_sim.tournament.spec import plan_run

    settings = read_settings(config, seed)
    spec, _ = plan_run(settings)
    schedule = spec.schedule
    games, seats = schedule.count()
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
