"""What concerns more than one key of the section ``sweep``."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hearts_sim.tournament.config.checks import budget_problems, old_booleans, problems_of_entry
from hearts_sim.tournament.config.sweep import DEFAULT_MAX_DUELS, MOST_DUELS
from hearts_sim.tournament.config.words import shown
from hearts_sim.tournament.config.yaml_source import KeyPath, Problem, YamlSource, clip


def sweep_problems(raw: dict[str, Any], base: Path, origin: YamlSource | None) -> Iterable[Problem]:
    """What does not go together in a config with the section ``sweep``, nor with its others."""
    if "format" in raw:
        yield Problem(
            ("format",),
            "a sweep plays duels of its own: leave this section out, and say under sweep how long "
            "a duel is (games, blocks, target or sprt)",
        )
    report = raw.get("report")
    if isinstance(report, dict) and "anchor" in report:
        yield Problem(
            ("report", "anchor"), "a sweep names its entries itself: leave the anchor out"
        )
    sweep = raw["sweep"]
    if not isinstance(sweep, dict):
        return
    yield from budget_problems(sweep, ("sweep",))
    for key in ("strategy", "against"):
        if isinstance(sweep.get(key), dict):
            yield from problems_of_entry(sweep[key], base, ("sweep", key))
    yield from _option_problems(sweep)
    confirm = sweep.get("confirm")
    if isinstance(confirm, dict) and "seed" in confirm and confirm["seed"] == raw.get("seed", 0):
        yield Problem(
            ("sweep", "confirm", "seed"),
            "is the seed of the duels: a gain that was chosen on some deals is confirmed on others",
        )
    if origin is not None:
        yield from old_booleans(origin)


def _option_problems(sweep: dict[str, Any]) -> Iterable[Problem]:
    options = sweep.get("options")
    if not isinstance(options, dict):
        return
    sizes = []
    for name, values in options.items():
        path: KeyPath = ("sweep", "options", name)
        if not isinstance(values, list) or not values:
            said = "is an empty list" if values == [] else f"is {shown(values)}"
            yield Problem(path, f"{said}: give the values to try as a list, such as [0.2, 0.4]")
            continue
        sizes.append(len(values))
        for place, value in enumerate(values):
            if isinstance(value, bool | int | float | str) and value in values[:place]:
                yield Problem((*path, place), f"{_text(value)} is there twice")
    if len(sizes) < len(options):
        return
    points = math.prod(sizes)
    if points == 1:
        yield Problem(
            ("sweep", "options"),
            "there is one point only, and nothing to choose: give an option two values or more",
        )
    limit = sweep.get("max_duels", DEFAULT_MAX_DUELS)
    if sweep.get("method", "grid") == "grid" and isinstance(limit, int) and points > limit:
        raised = f"max_duels: {points} allows it, " if points <= MOST_DUELS else ""
        yield Problem(
            ("sweep", "options"),
            f"the grid has {points:,} points ({' x '.join(map(str, sizes))}), each a duel, and "
            f"max_duels is {limit:,}: {raised}fewer values make it smaller, or method: climb tries "
            "only neighbours of the best",
        )


def _text(value: Any) -> str:
    return clip(value) if isinstance(value, str) else f"{value!r}".lower()
