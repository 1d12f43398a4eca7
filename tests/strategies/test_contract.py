"""What every shipped strategy keeps to: legal, the same for the same seed, with a docstring."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
from shipped import FOLDER, NAMES, PRESET_TABLES, companies, library, play, play_cards

from hearts_sim.rules import Rules

TWO_PACKS: dict[str, Any] = {"packs": 2, "trick_winner": "cancel_pairs", "players": 6}
KITTY: dict[str, Any] = {"leftover": "kitty_last_trick"}

ODD_RULES: dict[str, dict[str, Any]] = {
    "spot": {"heart_scale": "pips14", "cards": {"QS": 25}, "target": 300},
    "hearts only": {"cards": {}, "target": 30},
    "hearts free": {"heart_scale": "zero", "cards": {"QS": 13, "JD": 10, "2C": 1}},
    "no passing": {"pass_count": 0},
    "five cards": {"pass_count": 5, "pass_forbidden": ["QS", "AH"]},
    "scatter": {"pass_cycle": ["scatter", "L"]},
    "scatter of six": {"players": 6, "pass_cycle": ["scatter"]},
    "moon choice": {"moon": "choice"},
    "moon mixed": {"moon": "mixed", "moon_value": 40, "target": 60},
    "no moon": {"moon": "off"},
    "highest wins": {"win": "highest", "end": {"deals": 5}},
    "original": {"first_lead": "eldest_any", "first_trick_points": "free", "hearts_lead": "free"},
    "strict queen": {
        "queen_lead": "after_broken",
        "queen_discard": "after_broken",
        "first_trick_all_points": "queen_first",
    },
    "hearts instead": {"hearts_instead_of_queen": True},
    "queen forced": {"queen_forced": True, "broken_by": "any_penalty"},
    "short deck": {
        "players": 3,
        "deck_removal": [rank + suit for rank in "23456789T" for suit in "CDH"] + ["2S"],
        "pass_count": 2,
    },
    "two packs scattered": TWO_PACKS | KITTY | {"pass_cycle": ["scatter", "L"]},
    "two pairs cancel": TWO_PACKS | KITTY | {"cancel_two_pairs": True, "pass_count": 5},
    "later of two equals": TWO_PACKS | KITTY | {"trick_winner": "latest_of_equals"},
    "two packs, two hands of the same cards": TWO_PACKS | KITTY | {"hand_size": 6},
    "teams of two packs": TWO_PACKS | KITTY | {"teams": "pooled", "pass_cycle": ["partner", "L"]},
    "partner pass": {"teams": "singly", "pass_cycle": ["partner", "H"], "moon_partner": "exempt"},
    "three teams": {"players": 6, "teams": "pooled", "moon_scope": "team", "sun": "reset_to_zero"},
    "last trick's kitty": {"hand_size": 12, "moon": "mixed", **KITTY},
    "teams, highest wins": {"teams": "pooled", "win": "highest", "bonus": {"JD": -10}},
    "bonus moon": {"bonus": {"JD": -10, "TC": -5}, "moon_needs_bonus": True, "sun": "double"},
    "no trick in a team": {"teams": "pooled", "no_trick_bonus": -10},
    "no queen": {"deck_removal": ["QS", "2C", "2D", "2S"], "cards": {"KS": 10, "AS": 7}},
}


def test_all_load() -> None:
    assert not library().problems
    assert sorted(library().found) == NAMES
    assert len(NAMES) >= 20


def check_all(rules: Rules, blocks: int) -> None:
    """Let every strategy play, and see that every card of every hand was played and passed."""
    tables = companies(rules.players)
    hands, games, plays = play(rules, tables, blocks, "plays")
    assert len(games) == blocks * len(tables) * rules.players
    passed = plays["trick"] == 0
    assert (~passed).sum() == len(hands) * rules.hand_size
    token = {rules.pass_token(number + 1) for number in range(int(hands["hand"].max()))}
    assert passed.any() == bool(rules.pass_count and token != {"H"})


@pytest.mark.parametrize(("preset", "players"), PRESET_TABLES)
def test_legal_under_presets(preset: str, players: int) -> None:
    rules = Rules.preset(preset, players=players, end={"deals": 4}, tie="draw")
    check_all(rules, blocks=1)


@pytest.mark.parametrize("odd", ODD_RULES)
def test_legal_under_odd_rules(odd: str) -> None:
    rules = Rules(**{"end": {"deals": 4}, "tie": "draw"} | ODD_RULES[odd])
    check_all(rules, blocks=3)


@pytest.mark.parametrize("table", companies(4), ids=" ".join)
def test_same_seed_same_cards(table: list[str]) -> None:
    first, second = (play_cards(table, Rules(), blocks=2) for _ in range(2))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_docstring(name: str) -> None:
    found = library().get(name)
    text = inspect.getdoc(found.strategy) or ""
    assert re.fullmatch(r"[A-Z].{10,99}\.", found.summary)
    for heading in ("Passes", "Plays", "Uses"):
        assert len(re.findall(rf"^{heading}: \S", text, re.MULTILINE)) == 1, heading


def test_one_idea_per_file() -> None:
    for path in FOLDER.glob("[!_]*.py"):
        classes = {name for name in NAMES if library().found[name].file == str(path)}
        expected = path.stem.title().replace("_", "")
        assert expected in classes, path.name
        assert all(name.startswith(expected) for name in classes), path.name
