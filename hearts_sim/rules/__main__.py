"""The page docs/rules.md: ``python -m hearts_sim.rules > docs/rules.md``.

Its text is `rules.md` beside this file, where ``[[name]]`` stands for what is made from the
settings, the presets or the decks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from hearts_sim.cards import RANKS
from hearts_sim.errors import RulesError
from hearts_sim.rules.presets import PRESETS
from hearts_sim.rules.settings import Rules
from hearts_sim.rules.values import DECKS, HEART_SCALES, PASS_NAMES
from hearts_sim.rules.words import FIELDS, allowed, table_sizes, written

_BY_PLAYERS: Final = {
    "deck_removal": "`hartenkaartspel`; none with two packs or a kitty",
    "hand_size": "`auto`",
    "pass_cycle": "`[L, R, H]` for 3, `[L, R, A, H]` for 4, `[L, R]` for more players",
}
"""What is written of defaults that follow the number of players."""


def as_markdown() -> str:
    """The page, with its tables."""
    text = Path(__file__).with_name("rules.md").read_text(encoding="utf-8")
    return re.sub(r"\[\[([a-z][a-z0-9_ ]+)\]\]", lambda found: _made(found[1]), text)


def _made(name: str) -> str:
    """What ``[[name]]`` or ``[[settings FIRST LAST]]`` stands for."""
    makers: dict[str, Callable[..., str]] = {
        "presets": _presets,
        "differences": _differences,
        "settings": _settings,
        "passes": _passes,
        "scales": _scales,
        "decks": _decks,
        "refusal": _refusal,
    }
    maker, *words = name.split()
    return makers[maker](*words)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _code(value: Any) -> str:
    return f"`{written(value)}`"


def _presets() -> str:
    heads = ("preset", "players", "points", "what it is", "other names", "source")
    return _table(
        heads,
        [
            (
                _code(preset.name),
                table_sizes(preset),
                str(Rules.preset(preset.name).total),
                preset.summary,
                ", ".join(preset.also),
                preset.source,
            )
            for preset in PRESETS.values()
        ],
    )


def _differences() -> str:
    return "\n".join(
        f"- {_code(preset.name)}: "
        + ", ".join(_code(f"{key}: {written(value)}") for key, value in preset.settings.items())
        for preset in PRESETS.values()
        if preset.settings
    )


def _settings(first: str, last: str) -> str:
    names = list(FIELDS)
    defaults = Rules().settings()
    return _table(
        ("setting", "values", "default", "meaning", "source"),
        [
            (
                _code(name),
                allowed(name),
                _BY_PLAYERS.get(name, _code(defaults[name])),
                FIELDS[name].metadata["meaning"],
                FIELDS[name].metadata["source"],
            )
            for name in names[names.index(first) : names.index(last) + 1]
        ],
    )


def _passes() -> str:
    return ", ".join(
        f"{_code(token)} {name}" for token, name in PASS_NAMES.items() if len(token) < 3
    )


def _scales() -> str:
    return _table(
        ("`heart_scale`", *RANKS, "sum"),
        [(_code(name), *map(str, costs), str(sum(costs))) for name, costs in HEART_SCALES.items()],
    )


def _decks() -> str:
    sizes = range(3, 9)
    return _table(
        ("`deck_removal`", *(f"{players} players" for players in sizes)),
        [
            (_code(name), *(" ".join(deck[n]) or "none" if n in deck else "" for n in sizes))
            for name, deck in DECKS.items()
        ],
    )


def _refusal() -> str:
    try:
        Rules.from_spec({"players": 5, "pass_cycle": ["L", "R", "A"]})
    except RulesError as error:
        return str(error)
    raise AssertionError("an odd table has no seat across")


if __name__ == "__main__":
    print(as_markdown(), end="")
