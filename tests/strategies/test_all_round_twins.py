"""`AllRound` and `AllRoundCompiled` play the same cards, always."""

from __future__ import annotations

from typing import Any

import pytest
from shipped import play_cards

from hearts_sim.rules import Rules

TABLES: dict[str, dict[str, Any]] = {
    "three": {"players": 3},
    "four": {"players": 4},
    "five": {"players": 5},
    "six": {"players": 6},
    "seven": {"players": 7},
    "spot": {"heart_scale": "pips14", "cards": {"QS": 25}, "target": 500},
    "many penalties": {"heart_scale": "face5432", "cards": {"QS": 13, "JD": 10, "2C": 1}},
    "no passing": {"pass_count": 0},
    "scatter": {"pass_cycle": ["scatter", "A"], "pass_forbidden": ["QS"]},
    "no moon": {"moon": "off"},
    "void moon": {"moon": "void"},
    "moon choice": {"moon": "choice", "moon_value": 40},
    "highest wins": {"win": "highest"},
    "original": {"first_lead": "eldest_any", "first_trick_points": "free", "hearts_lead": "free"},
    "queen forced": {"queen_forced": True, "broken_by": "heart_or_queen"},
}
HANDS = 250


def hands_of(rows: Any) -> int:
    """Number of hands that some rows tell of."""
    return len({(row["game"], row["hand"]) for row in rows[["game", "hand"]]})


@pytest.mark.parametrize("table", TABLES)
def test_same_cards_among_themselves(table: str) -> None:
    rules = Rules(**TABLES[table], end={"deals": HANDS // 10})
    plain, compiled = (
        play_cards([name] * rules.players, rules, blocks=10, rotations=1)
        for name in ("AllRound", "AllRoundCompiled")
    )
    assert hands_of(plain) >= HANDS
    assert plain.tobytes() == compiled.tobytes()


@pytest.mark.parametrize("table", TABLES)
def test_same_cards_in_company(table: str) -> None:
    # Random players and shooters bring about what a table of good players never sees.
    rules = Rules(**TABLES[table], end={"deals": 8})
    others = ["MoonShooter", "RandomLegal", "HighCard"] * 2
    plain, compiled = (
        play_cards([name, *others[: rules.players - 1]], rules, blocks=8)
        for name in ("AllRound", "AllRoundCompiled")
    )
    assert plain.tobytes() == compiled.tobytes()
