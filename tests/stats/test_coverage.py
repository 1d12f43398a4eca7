"""Nominal 95 % intervals hold what they promise on simulated blocks, and naive ones do not.

In the simulation some deals suit some entries, in all rotations of the block: games of a block
share this effect, and comparisons of a game share their players.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import expit, ndtr

from hearts_sim.stats import PairCounts, Ratings, bradley_terry, placement_pairs, ratio_by_block
from hearts_sim.stats.bradley_terry import ELO_PER_LOGIT

pytestmark = pytest.mark.filterwarnings("error")

REPLICATIONS = 400
HONEST = (0.92, 0.98)
NORMAL = 1.959964
SEATS = 4
DEAL_SD, GAME_SD = 1.0, 1.0


@dataclass
class Run:
    """One simulated tournament, a row per game and seat, and the shape it was drawn in."""

    block: np.ndarray
    game: np.ndarray
    entry: np.ndarray
    points: np.ndarray
    hands: np.ndarray
    place: np.ndarray


def strengths(entries: int) -> np.ndarray:
    return np.linspace(-0.5, 0.5, entries)


def simulate(rng: np.random.Generator, blocks: int, entries: int) -> Run:
    """Play tables that together seat everybody equally often; fewer points are better."""
    sittings = blocks * SEATS // entries
    table = np.argsort(rng.random((sittings, entries)), axis=1).reshape(blocks, SEATS)
    deal = rng.normal(0, DEAL_SD, (blocks, 1, SEATS))
    skill = -strengths(entries)[table][:, None, :]
    shape = (blocks, SEATS, SEATS)
    result = skill + deal + rng.normal(0, GAME_SD, shape)
    hands = np.broadcast_to(rng.integers(8, 14, (blocks, SEATS, 1)), shape)
    return Run(
        block=np.repeat(np.arange(blocks), SEATS * SEATS),
        game=np.repeat(np.arange(blocks * SEATS), SEATS),
        entry=np.broadcast_to(table[:, None, :], shape).ravel(),
        points=((6.5 + result) * hands).ravel(),
        hands=hands.ravel(),
        place=(1 + np.argsort(np.argsort(result, axis=-1), axis=-1)).ravel(),
    )


def true_elo(entries: int) -> np.ndarray:
    """Return what the fit tends to: its maximum at the exact probabilities of all pairs."""
    i, j = np.triu_indices(entries, 1)
    gap = strengths(entries)[i] - strengths(entries)[j]
    chance = ndtr(gap / np.hypot(DEAL_SD, GAME_SD) / np.sqrt(2))
    many = np.full(i.size, 10**9)
    exact = PairCounts(np.zeros(i.size, int), i, j, many, many * chance)
    return bradley_terry(exact, entries, prior_sd=np.inf).elo


def naive_difference_se(pairs: PairCounts, ratings: Ratings) -> np.ndarray:
    """Inverse curvature alone, as if all comparisons were independent."""
    entries = ratings.elo.size
    wins = pairs.win_matrix(entries)
    chance = expit((ratings.elo[:, None] - ratings.elo) / ELO_PER_LOGIT)
    information = -(wins + wins.T) * chance * (1 - chance)
    np.fill_diagonal(information, -information.sum(axis=1))
    covariance = np.linalg.pinv(information)
    variance = np.diag(covariance)
    return ELO_PER_LOGIT * np.sqrt(variance[:, None] + variance - 2 * covariance)


def cover_elo(blocks: int, entries: int) -> tuple[float, float, float]:
    """Return how often intervals of ratings, of differences, and naive ones hold the truth."""
    rng = np.random.default_rng([2026, blocks, entries])
    truth = true_elo(entries)
    pair = np.triu_indices(entries, 1)
    true_gap = (truth[:, None] - truth)[pair]
    single, double, naive = [], [], []
    for _ in range(REPLICATIONS):
        run = simulate(rng, blocks, entries)
        pairs = placement_pairs(run.block, run.game, run.entry, run.place)
        ratings = bradley_terry(pairs, entries)
        error = np.abs((ratings.elo[:, None] - ratings.elo)[pair] - true_gap)
        single.append(np.abs(ratings.elo - truth) <= ratings.half_width)
        double.append(error <= ratings.difference_half_width()[pair])
        naive.append(error <= NORMAL * naive_difference_se(pairs, ratings)[pair])
    return float(np.mean(single)), float(np.mean(double)), float(np.mean(naive))


@pytest.mark.parametrize(
    ("blocks", "entries"),
    [
        pytest.param(20, 4, id="20-blocks"),
        pytest.param(40, 4, id="40-blocks"),
        pytest.param(20, 8, id="each-entry-in-half-of-20"),
    ],
)
def test_elo_intervals_cover(blocks: int, entries: int) -> None:
    """Block intervals of ratings and differences cover 92-98 %; naive ones fail that check."""
    single, double, naive = cover_elo(blocks, entries)

    assert HONEST[0] <= single <= HONEST[1]
    assert HONEST[0] <= double <= HONEST[1]
    assert naive < HONEST[0]


def cover_points(blocks: int, entries: int) -> tuple[float, float, float]:
    """Return how often intervals of points per hand, of differences, and naive ones hold."""
    rng = np.random.default_rng([2027, blocks, entries])
    truth = 6.5 - strengths(entries)
    pair = np.triu_indices(entries, 1)
    true_gap = (truth[:, None] - truth)[pair]
    single, double, naive = [], [], []
    for _ in range(REPLICATIONS):
        run = simulate(rng, blocks, entries)
        rows = (run.entry, run.points, run.hands, entries)
        found = ratio_by_block(run.block, *rows)
        by_game = ratio_by_block(run.game, *rows)
        error = np.abs((found.estimate[:, None] - found.estimate)[pair] - true_gap)
        single.append(np.abs(found.estimate - truth) <= found.half_width)
        double.append(error <= found.difference_half_width()[pair])
        naive.append(error <= by_game.difference_half_width()[pair])
    return float(np.mean(single)), float(np.mean(double)), float(np.mean(naive))


@pytest.mark.parametrize(
    ("blocks", "entries"),
    [
        pytest.param(20, 4, id="20-blocks"),
        pytest.param(40, 4, id="40-blocks"),
        pytest.param(20, 8, id="each-entry-in-half-of-20"),
    ],
)
def test_points_intervals_cover(blocks: int, entries: int) -> None:
    """Intervals by block cover 92-98 %; those that take games for independent fail that check."""
    single, double, naive = cover_points(blocks, entries)

    assert HONEST[0] <= single <= HONEST[1]
    assert HONEST[0] <= double <= HONEST[1]
    assert naive < HONEST[0]
