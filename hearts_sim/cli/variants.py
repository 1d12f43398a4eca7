"""``hearts-sim variants``."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from typing import Any, Final

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import json_option, show_json
from hearts_sim.rules import PRESETS, Preset, Rules, find_preset

_WIDEST: Final = 100


@click.command()
@click.argument("name", required=False, shell_complete=completing.presets)
@click.option("--players", type=int, help="Seats at the table.  [default: the preset's]")
@json_option
def variants(name: str | None, players: int | None, as_json: bool) -> None:
    """List the presets of rules, or print every setting of the preset NAME.

    NAME may also be another name of the game, such as "rickety kate".
    """
    if name is None:
        if players is not None:
            raise click.UsageError("--players needs the NAME of a preset")
        if as_json:
            show_json([_as_plain(preset) for preset in PRESETS.values()])
        else:
            _list_presets()
        return
    preset = find_preset(name)
    chosen: dict[str, Any] = {} if players is None else {"players": players}
    rules = Rules.preset(preset.name, **chosen)
    if as_json:
        _show_preset_as_json(preset, rules)
    else:
        _show_preset(preset, rules, name)


def _as_plain(preset: Preset) -> dict[str, Any]:
    return {
        "name": preset.name,
        "summary": preset.summary,
        "source": preset.source,
        "players": list(preset.players),
        "default_players": preset.default_players,
        "also": list(preset.also),
    }


def _list_presets() -> None:
    from hearts_sim.rules.words import table_sizes

    margin = max(map(len, PRESETS)) + 2
    sizes = max(len(table_sizes(preset)) for preset in PRESETS.values()) + 2
    blank = " " * (margin + sizes)
    for preset in PRESETS.values():
        head = preset.name.ljust(margin) + table_sizes(preset).ljust(sizes)
        click.echo("\n".join(_wrapped(preset.summary, head, blank)))
        # That omnibus is also known as Omnibus Hearts goes without saying.
        also = [name for name in preset.also if _letters(name) != _letters(preset.name + "hearts")]
        if also:
            _echo_dim(_wrapped(f"also {', '.join(also)}", blank))
    click.echo("\nThe numbers are players. In a config write 'rules: NAME'.")
    click.echo("'hearts-sim variants NAME' prints every setting of a preset.")


def _show_preset_as_json(preset: Preset, rules: Rules) -> None:
    from hearts_sim.rules.words import differing

    show_json(
        {
            "name": preset.name,
            "summary": preset.summary,
            "source": preset.source,
            "also": list(preset.also),
            "settings": rules.settings(),
            "differs": differing(rules),
        }
    )


def _show_preset(preset: Preset, rules: Rules, asked: str) -> None:
    from hearts_sim.rules.words import differing, table_sizes

    for other in preset.also:
        if _letters(other) == _letters(asked):
            click.echo(f"{other} is another name for {preset.name}.\n")
    here = "" if len(preset.players) == 1 else f", here {rules.players}"
    kitty = f" and a kitty of {rules.kitty_size}" if rules.kitty_size else ""
    facts = {
        "players": table_sizes(preset) + here,
        "cards": f"{rules.hand_size} for each player{kitty}",
        "points": f"{rules.total} in a hand",
        "also": ", ".join(preset.also),
        "source": preset.source,
    }
    click.echo("\n".join(_wrapped(f"{preset.name}: {preset.summary}", "", "    ")))
    for word, fact in facts.items():
        if fact:
            click.echo("\n".join(_wrapped(f"{word}: {fact}", "  ", "    ")))
    changed = differing(rules)
    if changed:
        _show_settings("Settings that differ from black_lady", "* ", changed, rules)
        rest = [name for name in rules.settings() if name not in changed]
        _show_settings("Settings that are as in black_lady", "  ", rest, rules)
    else:
        _show_settings("All settings", "  ", rules.settings(), rules)
    _show_use(preset, rules)


def _show_settings(title: str, mark: str, names: Iterable[str], rules: Rules) -> None:
    from hearts_sim.rules.words import FIELDS, written

    settings = rules.settings()
    click.echo(f"\n{title}:\n")
    for name in names:
        lines = _wrapped(f"{name}: {written(settings[name])}", mark, "      ")
        click.echo(click.style("\n".join(lines), bold=True))
        click.echo("\n".join(_wrapped(FIELDS[name].metadata["meaning"], "    ")))
        _echo_dim(_wrapped(f"source: {FIELDS[name].metadata['source']}", "    ", "      "))


def _show_use(preset: Preset, rules: Rules) -> None:
    from hearts_sim.rules.words import written

    chosen: dict[str, Any] = {"preset": preset.name}
    if rules.players != preset.default_players:
        chosen["players"] = rules.players
    click.echo("\nIn a config, and with a setting changed:\n")
    click.echo(f"  rules: {written(chosen)}")
    chosen["moon"] = "new" if rules.moon == "old" else "old"
    click.echo(f"  rules: {written(chosen)}")


def _letters(name: str) -> list[str]:
    return [letter for letter in name.lower() if letter.isalnum()]


def _wrapped(text: str, first: str, then: str | None = None) -> list[str]:
    """Lines that fit the terminal; without one, a hundred columns."""
    width = min(shutil.get_terminal_size((_WIDEST, 0)).columns, _WIDEST)
    return textwrap.wrap(
        text,
        max(width, 40),
        initial_indent=first,
        subsequent_indent=first if then is None else then,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _echo_dim(lines: list[str]) -> None:
    click.echo(click.style("\n".join(lines), dim=True))
