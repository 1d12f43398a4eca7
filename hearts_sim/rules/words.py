"""Settings and presets in the words of a config, for the command line and for docs/rules.md."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hearts_sim.rules.presets import Preset
from hearts_sim.rules.settings import Rules
from hearts_sim.rules.values import (
    CHOICES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MOST_ONE_PACK,
    RANGES,
    SWITCHES,
)

FIELDS: Final = {item.name: item for item in dataclasses.fields(Rules)}
"""The settings by name, in their order; ``metadata`` has the meaning and the source."""

_OTHER_VALUES: Final = {
    "players": f"{MIN_PLAYERS} to {MAX_PLAYERS}",
    "deck_removal": "cards, the name of a deck",
    "hand_size": "auto, 2 to 52",
    "pass_cycle": "directions",
    "pass_forbidden": "cards",
    "cards": "cards, each with 1 to 1000",
    "bonus": "cards, each with -1000 to -1",
    "moon_value": "auto, 1 to 10000",
    "end": "points, {deals: 1 to 10000}",
}


def written(value: Any) -> str:
    """A plain value as YAML has it on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and value.startswith(">"):
        return f'"{value}"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(written, value))}]"
    return str(value)


def allowed(name: str) -> str:
    """The values that a setting can have."""
    if name in CHOICES:
        return ", ".join(map(written, CHOICES[name]))
    if name in SWITCHES:
        return "true, false"
    if name in RANGES:
        low, high = RANGES[name]
        return f"{low} to {high}"
    return _OTHER_VALUES[name]


def table_sizes(preset: Preset) -> str:
    """Numbers of players that a preset is for, as ``3-8``; they have no gaps."""
    low, high = min(preset.players), max(preset.players)
    return str(low) if low == high else f"{low}-{high}"


def differing(rules: Rules) -> list[str]:
    """Settings in which rules differ from `black_lady` at the same table, in their order.

    Above eight players, where `black_lady` ends, it is compared as it is with eight.
    """
    base = Rules.preset(players=min(rules.players, MOST_ONE_PACK)).settings()
    mine = rules.settings()
    return [name for name in mine if name != "players" and mine[name] != base[name]]
