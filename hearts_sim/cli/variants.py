"""``hearts-sim variants``."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from hearts_sim.cli.options import json_option, show_json
from hearts_sim.rules import PRESETS, Rules, find_preset


@click.command()
@click.argument("name", required=False)
@click.option("--players", type=int, help="Seats at the table.  [default: the preset's]")
@json_option
def variants(name: str | None, players: int | None, as_json: bool) -> None:
    """List the presets of rules, or print every setting of the preset NAME."""
    from hearts_sim.report.text import text_table

    if name is None:
        if as_json:
            show_json({key: preset.summary for key, preset in PRESETS.items()})
            return
        rows = [
            [preset.name, _range(preset.players), preset.summary] for preset in PRESETS.values()
        ]
        click.echo(text_table(["preset", "players", "what it is"], rows, left=(0, 1, 2)))
        return
    preset = find_preset(name)
    chosen: dict[str, Any] = {} if players is None else {"players": players}
    rules = Rules.preset(name, **chosen)
    settings = rules.settings()
    if as_json:
        show_json(settings)
        return
    base = Rules.preset("black_lady", players=rules.players).settings()
    click.echo(f"{preset.name}: {preset.summary}")
    click.echo(f"source: {preset.source}")
    click.echo()
    meanings = {item.name: item.metadata["meaning"] for item in dataclasses.fields(Rules)}
    rows = [
        ["*" if value != base[key] else "", key, _shown(value), meanings[key]]
        for key, value in settings.items()
    ]
    click.echo(text_table(["", "setting", "value", "meaning"], rows, left=(0, 1, 2, 3)))
    if name != "black_lady":
        click.echo()
        click.echo("* differs from black_lady")


def _range(players: tuple[int, ...]) -> str:
    return str(players[0]) if len(players) == 1 else f"{min(players)}-{max(players)}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {item}" for key, item in value.items()) + "}"
    return str(value)
