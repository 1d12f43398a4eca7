"""Bots of one line score here what another engine published for them."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent / "one_line"))

from published import PUBLISHED, figures, play


@pytest.mark.parametrize(("name", "games"), [("against_random", 160), ("round_robin", 280)])
def test_near_the_published_figures(name: str, games: int, tmp_path: Path) -> None:
    """Within four standard errors of both, and 0.3 points beside."""
    found = figures(play(name, tmp_path / name, games, jobs=None))
    for bot, theirs in PUBLISHED[name].items():
        ours = found[bot]
        room = 4 * ((ours.half_width / 2) ** 2 + 0.09**2) ** 0.5
        assert abs(ours.points - theirs.points) < room + 0.3, bot


@pytest.mark.long
@pytest.mark.parametrize("name", PUBLISHED)
def test_same_order_and_same_means(name: str, tmp_path: Path) -> None:
    """The figures of docs/verification/one_line_bots.md."""
    found = figures(play(name, tmp_path / name))
    published = PUBLISHED[name]
    for bot, theirs in published.items():
        assert abs(found[bot].points - theirs.points) < 0.3, bot
    bots = list(published)
    for better, worse in pairwise(bots):
        if published[better].points < published[worse].points:
            assert found[better].points < found[worse].points, (better, worse)
