"""`AllRound` and `AllRoundCompiled` play the same cards, always."""

from __future__ import annotations

from typing import Any

import pytest
from shipped import play_cards

from hearts_sim.rules import PRESETS, Rules

TWO_PACKS: dict[str, Any] = {
    "packs": 2,
    "players": 7,
    "leftover": "kitty_first_trick",
    "trick_winner": "cancel_pairs",
}
TEAMS: dict[str, Any] = {"teams": "pooled", "moon_scope": "team"}
TABLES: dict[str, dict[str, Any]] = {
    **{
        f"black_lady of {players}": {"players": players}
        for players in PRESETS["black_lady"].players
    },
    **{name: {"preset": name} for name in PRESETS if name != "black_lady"},
    "many penalties": {"heart_scale": "face5432", "cards": {"QS": 13, "JD": 10, "2C": 1}},
    "no passing": {"pass_count": 0},
    "scatter": {"pass_cycle": ["scatter", "A"], "pass_forbidden": ["QS"]},
    "void moon": {"moon": "void"},
    "moon choice": {"moon": "choice", "moon_value": 40},
    "queen forced": {"queen_forced": True, "broken_by": "heart_or_queen"},
    "two packs passing": TWO_PACKS | {"pass_count": 5, "pass_cycle": ["L", "scatter"]},
    "two packs, few cards": TWO_PACKS | {"hand_size": 6, "cancel_two_pairs": True},
    "later of two equals": TWO_PACKS | {"trick_winner": "latest_of_equals"},
    "two packs for teams": TWO_PACKS | TEAMS | {"players": 8, "pass_cycle": ["partner", "R"]},
    "two packs, highest wins": TWO_PACKS | {"win": "highest", "bonus": {"JD": -10}, "moon": "off"},
    "kitty to the last": {"hand_size": 10, "leftover": "kitty_last_trick"},
    "three teams": TEAMS | {"players": 6, "sun": "double", "no_trick_bonus": -5},
    "teams, highest wins": TEAMS | {"win": "highest", "bonus": {"JD": -10, "2C": -3}},
    "partner pass": {"teams": "singly", "pass_cycle": ["partner"], "bonus": {"TD": -10}},
    "bonus moon": {"bonus": {"JD": -10, "TC": -5}, "moon_needs_bonus": True, "sun": "double"},
    "no trick, highest wins": {"win": "highest", "no_trick_bonus": -9},
}


def rules_of(table: str, deals: int) -> Rules:
    """The rules of a table, for a game of so many deals."""
    return Rules.from_spec({"end": {"deals": deals}, "tie": "draw"} | TABLES[table])


@pytest.mark.parametrize("table", TABLES)
def test_same_cards_among_themselves(table: str) -> None:
    rules = rules_of(table, deals=4)
    plain, compiled = (
        play_cards([name] * rules.players, rules, blocks=2, rotations=1)
        for name in ("AllRound", "AllRoundCompiled")
    )
    assert len(plain) >= 2 * 4 * rules.players * rules.hand_size
    assert plain.tobytes() == compiled.tobytes()


@pytest.mark.parametrize("table", TABLES)
def test_same_cards_in_company(table: str) -> None:
    # Random players and shooters bring about what a table of good players never sees.
    rules = rules_of(table, deals=5)
    others = ["MoonShooter", "RandomLegal", "HighCard"] * 4
    plain, compiled = (
        play_cards([name, *others[: rules.players - 1]], rules, blocks=1)
        for name in ("AllRound", "AllRoundCompiled")
    )
    assert plain.tobytes() == compiled.tobytes()
