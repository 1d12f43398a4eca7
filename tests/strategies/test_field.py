"""The shipped field as a whole: a tournament of it tells its players apart."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import hearts_sim
from hearts_sim.report.summary import summarise

CONFIG = Path(__file__).parents[2] / "configs" / "league.yaml"


@pytest.mark.long
def test_five_of_any_eight_can_be_told_apart(tmp_path: Path) -> None:
    """Of any eight shipped strategies at least five differ from each other at 95 %, in Elo."""
    results = hearts_sim.run(CONFIG, output=tmp_path / "league", jobs=2, report=False)
    ratings = summarise(results).ratings
    assert ratings is not None
    gaps = np.abs(ratings.elo[:, None] - ratings.elo[None, :])
    apart = gaps > ratings.difference_half_width()
    for eight in combinations(range(len(results.names)), 8):
        assert any(
            all(apart[one, other] for one, other in combinations(five, 2))
            for five in combinations(eight, 5)
        ), [results.names[entry] for entry in eight]
