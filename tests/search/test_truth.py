"""The hands that there were are always among the possible worlds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from positions import TABLES, one_pack_rules, positions, rotated, with_kitty

from hearts_sim.rules import Rules
from hearts_sim.search.worlds import drawn_hands
from hearts_sim.strategy.view import View


def indicator(world: tuple[int, ...]) -> Any:
    """Weights that leave one world only."""
    return np.array([[cards >> card & 1 for card in range(52)] for cards in world], float)


def check_truth(view: View, truth: tuple[int, ...]) -> None:
    """The world behind a view is one of the possible ones."""
    rng = random.Random(1)
    weights = indicator(truth)
    # Weights that leave no world would be dropped: then the ten would not all be the true one.
    total, hands = drawn_hands(view, 10, rng, weights)
    assert total > 0
    assert set(with_kitty(view, hands)) == {truth}, str(view)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_truth_under_presets(name: str, players: int) -> None:
    """What there was is possible, at every decision of a random hand."""
    rng = random.Random(f"{name} {players}")
    for view, truth in positions(rotated(Rules.preset(name, players=players), rng), rng):
        check_truth(view, truth)


@pytest.mark.parametrize("seed", range(10))
def test_truth_under_random_settings(seed: int) -> None:
    """The same under any settings with one pack, in later hands too."""
    rng = random.Random(f"truth {seed}")
    for _ in range(8):
        for view, truth in positions(one_pack_rules(rng), rng):
            check_truth(view, truth)
