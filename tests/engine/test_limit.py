"""Random play against other programs: a plain C program, and figures of independent engines."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hearts_sim.engine.layout import JOB
from hearts_sim.engine.machine import Machine
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import Library
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup

GAMES = 50_000
CLOSE = 4.0  # standard errors


@dataclass(frozen=True)
class RandomPlay:
    """What many games between four random players gave.

    `at` counts, for each hand, the seats with 0, 1, ... 26 points.
    """

    hands_of_games: Any
    totals: Any
    wins: Any
    moons: int
    points: Any
    at: Any

    @property
    def hands(self) -> int:
        """Number of hands."""
        return len(self.at)

    def share(self, points: int) -> tuple[float, float]:
        """Share of seat-hands with these points, and the standard deviation of a hand's share."""
        shares = self.at[:, points] / 4
        return float(shares.mean()), float(shares.std())


def _play(library: Library, rules: Rules) -> RandomPlay:
    machine = Machine(rules, seed=20, log="hands", entries=1)
    lineup = Lineup(machine, [Seated("random", library.get("RandomLegal").strategy)])
    for seat in range(4):
        lineup.seat(0, seat)
    jobs = np.zeros(GAMES, JOB)
    jobs["block"] = jobs["number"] = np.arange(GAMES)
    hands, totals, wins, points = [], [], [], []
    moons = 0
    for some_hands, some_games, _ in machine.play(jobs):
        hands.append(some_games["hands"][::4])
        totals.append(some_games["score"].reshape(-1, 4))
        wins.append(some_games["win"].reshape(-1, 4))
        points.append(some_hands["points"].reshape(-1, 4))
        moons += int((some_hands["moon"] == 1).sum())
    per_hand = np.concatenate(points)
    at = np.zeros((len(per_hand), 27), np.int8)
    for seat in range(4):
        at[np.arange(len(per_hand)), per_hand[:, seat]] += 1
    games = [np.concatenate(column) for column in (hands, totals, wins)]
    return RandomPlay(*games, moons, per_hand, at)


@pytest.fixture(scope="module")
def by_heart(library: Library) -> RandomPlay:
    """Games in which only hearts break hearts and ties are played on."""
    return _play(library, Rules(broken_by="heart"))


@pytest.fixture(scope="module")
def by_queen(library: Library) -> RandomPlay:
    """Games in which QS breaks hearts too and ties are drawn."""
    return _play(library, Rules(broken_by="heart_or_queen", tie="draw"))


@pytest.fixture(scope="module")
def plain_c(limit_source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """What the plain C program tells of a million hands."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = tmp_path_factory.mktemp("limit") / "limit"
    subprocess.run([compiler, "-O3", str(limit_source), "-o", str(program)], check=True)
    result = subprocess.run([str(program), "1000000"], check=True, capture_output=True, text=True)
    return dict(json.loads(result.stdout))


def test_as_many_hands_per_game_as_the_c_program(
    by_heart: RandomPlay, plain_c: dict[str, float]
) -> None:
    """A game lasts as many hands as in the C program, within four standard errors."""
    hands = by_heart.hands_of_games
    error = hands.std() * (1 / GAMES + 1 / plain_c["games"]) ** 0.5

    assert by_heart.hands == hands.sum()
    assert abs(hands.mean() - plain_c["hands"] / plain_c["games"]) < CLOSE * error


def test_as_many_moons_as_the_c_program(by_heart: RandomPlay, plain_c: dict[str, float]) -> None:
    """A moon is as frequent as in the C program, within four standard errors."""
    hands, moons = plain_c["hands"], plain_c["moons"]
    share = (by_heart.moons + moons) / (by_heart.hands + hands)
    error = (share * (1 - share) * (1 / by_heart.hands + 1 / hands)) ** 0.5

    assert abs(by_heart.moons / by_heart.hands - moons / hands) < CLOSE * error


@pytest.mark.parametrize("play", ["by_heart", "by_queen"])
def test_four_random_players_win_equally_often(play: str, request: pytest.FixtureRequest) -> None:
    """Every seat wins a quarter of the games, within four standard errors."""
    wins = request.getfixturevalue(play).wins
    error = wins.std(axis=0) / GAMES**0.5

    assert np.allclose(wins.sum(axis=1), 1)
    assert (abs(wins.mean(axis=0) - 0.25) < CLOSE * error).all()


# Figures measured with independent engines (OpenSpiel, xinxin) between four random players: with
# QS breaking hearts 83,056 games, with hearts alone 69,081 games.
HANDS_BY_QUEEN, HANDS_BY_HEART = 952_576, 792_000
SHARES_BY_QUEEN_IN_ORDER = """
22.88 8.62 4.86 5.77 12.48 6.01 3.80 3.21 3.04 1.78 0.77 0.54 0.42 4.68
2.79 1.96 2.13 3.62 2.53 1.77 1.58 1.60 1.10 0.47 0.38 0.38 0.82
"""
SHARES_BY_QUEEN = dict(enumerate(map(float, SHARES_BY_QUEEN_IN_ORDER.split())))
SHARES_BY_HEART = {0: 22.72, 1: 9.29, 2: 5.18, 3: 5.62, 4: 11.53, 13: 4.56, 17: 3.29}
ROUNDING = 0.005 / 3**0.5  # of figures in per cent with two decimals


def deviation(play: RandomPlay, points: int, percent: float, hands: int) -> float:
    """Distance of a share from a published one in standard errors of both."""
    share, spread = play.share(points)
    variance = (100 * spread) ** 2 * (1 / play.hands + 1 / hands) + ROUNDING**2
    return float(abs(100 * share - percent) / variance**0.5)


def test_points_per_hand_are_those_of_independent_engines_with_the_queen(
    by_queen: RandomPlay,
) -> None:
    """Every number of points is as frequent as in the figures when QS breaks hearts too.

    The figures were measured with independent engines (OpenSpiel, xinxin).
    """
    far = {
        points: deviation(by_queen, points, percent, HANDS_BY_QUEEN)
        for points, percent in SHARES_BY_QUEEN.items()
    }
    assert {points: z for points, z in far.items() if z > CLOSE} == {}
    assert abs(sum(z * z for z in far.values()) - 26) < 5 * (2 * 26) ** 0.5


def test_points_per_hand_are_those_of_independent_engines_with_hearts_alone(
    by_heart: RandomPlay,
) -> None:
    """The usual numbers of points are as frequent as in the figures when only hearts break hearts.

    The figures were measured with independent engines (OpenSpiel, xinxin).
    """
    far = {
        points: deviation(by_heart, points, percent, HANDS_BY_HEART)
        for points, percent in SHARES_BY_HEART.items()
    }
    assert {points: z for points, z in far.items() if z > CLOSE} == {}


@pytest.mark.parametrize("points", [1, 4])
def test_the_two_rules_are_told_apart(
    points: int, by_heart: RandomPlay, by_queen: RandomPlay
) -> None:
    """The shares of hands with 1 and with 4 points belong to one of the two rules only."""
    assert deviation(by_heart, points, SHARES_BY_QUEEN[points], HANDS_BY_QUEEN) > 3 * CLOSE
    assert deviation(by_queen, points, SHARES_BY_HEART[points], HANDS_BY_HEART) > 3 * CLOSE


@pytest.mark.parametrize(
    ("play", "moons", "moons_error", "spread"),
    [
        pytest.param("by_queen", 1.087, 0.011, 6.936, id="queen"),
        pytest.param("by_heart", 1.083, 0.012, 6.952, id="hearts-alone"),
    ],
)
def test_moons_and_spread_are_those_of_independent_engines(
    play: str, moons: float, moons_error: float, spread: float, request: pytest.FixtureRequest
) -> None:
    """Moons per hand and the spread of points per hand agree with the figures.

    The figures were measured with independent engines (OpenSpiel, xinxin).
    """
    ours: RandomPlay = request.getfixturevalue(play)
    share = ours.moons / ours.hands
    error = (share * (1 - share) / ours.hands * 100**2 + moons_error**2) ** 0.5
    assert abs(100 * share - moons) < CLOSE * error

    # The error of a spread is that of its square over twice the spread.
    squares = ((ours.points - ours.points.mean()) ** 2).mean(axis=1)
    error = squares.std() * (1 / ours.hands + 1 / HANDS_BY_HEART) ** 0.5 / (2 * spread)
    assert abs(ours.points.std() - spread) < CLOSE * error


def test_whole_games_are_those_of_independent_engines(by_queen: RandomPlay) -> None:
    """Length of a game, first and last total and the share of ties agree with the figures.

    The figures were measured over 83,056 games with independent engines (OpenSpiel, xinxin), in
    which ties for the best total were not played on.
    """
    totals = np.sort(by_queen.totals, axis=1)
    for values, figure in (
        (by_queen.hands_of_games, 11.469),
        (totals[:, 0], 49.73),
        (totals[:, 3], 106.42),
        (100 * (totals[:, 0] == totals[:, 1]), 2.16),
    ):
        error = (values.var() * (1 / GAMES + 1 / 83_056) + ROUNDING**2) ** 0.5
        assert abs(values.mean() - figure) < CLOSE * error


@pytest.mark.parametrize("play", ["by_heart", "by_queen"])
def test_points_sum_to_the_deck_or_to_a_moon(play: str, request: pytest.FixtureRequest) -> None:
    """Every hand sums to 26, or to 78 when one seat shot the moon."""
    ours: RandomPlay = request.getfixturevalue(play)
    sums = ours.points.sum(axis=1)

    assert set(sums.tolist()) == {26, 78}
    assert int((sums == 78).sum()) == ours.moons
