"""`AllRoundCompiled` beats `RandomLegal` in every variant, by more than chance explains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from shipped import PRESET_TABLES, play

from hearts_sim.rules import PRESETS, Rules
from hearts_sim.stats.points import ratio_by_block

BEST, RANDOM = "AllRoundCompiled", "RandomLegal"
DEALS = 4
HANDS = 2000
TEAM_PRESETS = [name for name, preset in PRESETS.items() if "teams" in preset.settings]


def least_advantage(rules: Rules, tables: Sequence[Sequence[str]], ours: Any) -> float:
    """Lower end of the 95 % interval of how many points a hand some seats are better.

    Every block is one deal for all tables; `ours` has, table by table, the seats to be compared
    with the others.
    """
    blocks = HANDS // (DEALS * len(tables))
    _, games, _ = play(rules, tables, blocks, "games")
    entry = np.where(np.asarray(ours)[games["seating"], games["seat"]], 0, 1)
    found = ratio_by_block(games["block"], entry, games["points"], games["hands"], entries=2)
    better = found.estimate[1] - found.estimate[0]
    if rules.win == "highest":
        better = -better
    return float(better - found.difference_half_width()[0, 1])


def rules_of(preset: str, players: int) -> Rules:
    return Rules.preset(preset, players=players, end={"deals": DEALS}, tie="draw")


@pytest.mark.parametrize(("preset", "players"), PRESET_TABLES)
def test_half_the_table_beats_the_other_half(preset: str, players: int) -> None:
    """Every other seat is ours, which makes partners of them in the games with teams."""
    rules = rules_of(preset, players)
    ours = np.arange(players) % 2 == np.array([[0], [1]])
    assert not rules.team_count or all(rules.team(0) == rules.team(seat) for seat in (0, 2))
    tables = [[BEST if mine else RANDOM for mine in seats] for seats in ours]
    assert least_advantage(rules, tables, ours) > 0


@pytest.mark.parametrize("preset", TEAM_PRESETS)
def test_one_of_a_team_is_enough(preset: str) -> None:
    """With a random partner, against two random players."""
    rules = rules_of(preset, PRESETS[preset].default_players)
    seats = range(rules.players)
    tables = [[BEST if seat == mine else RANDOM for seat in seats] for mine in seats]
    ours = [[rules.team(seat) == rules.team(mine) for seat in seats] for mine in seats]
    assert least_advantage(rules, tables, ours) > 0
