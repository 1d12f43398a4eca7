"""Simulated tournaments and block means whose truth is known, to see which intervals hold it.

In the tournaments some deals suit some entries, in all rotations of the block: games of a block
share this effect, and comparisons of a game share their players. Games differ in length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, ndtr

from hearts_sim.stats import (
    PairCounts,
    Ratings,
    SequentialTest,
    bradley_terry,
    placement_pairs,
    ratio_by_block,
)
from hearts_sim.stats.bradley_terry import ELO_PER_LOGIT
from hearts_sim.stats.sequential import log_likelihood_ratio

NORMAL = 1.959964
SEATS = 4
GAMES = SEATS  # of a block, one per rotation
DEAL_SD, GAME_SD = 1.0, 1.0


@dataclass
class Run:
    """One simulated tournament, a row per game and seat, in the order of the blocks."""

    block: np.ndarray
    game: np.ndarray
    entry: np.ndarray
    points: np.ndarray
    hands: np.ndarray
    place: np.ndarray

    def until(self, blocks: int) -> Run:
        """Return the first blocks only."""
        rows = slice(blocks * GAMES * SEATS)
        return Run(*(column[rows] for column in vars(self).values()))

    def pairs(self) -> PairCounts:
        """Return the comparisons."""
        return placement_pairs(self.block, self.game, self.entry, self.place)


def strengths(entries: int) -> np.ndarray:
    """Return the points per hand by which each entry is better than the average one."""
    return np.linspace(-0.5, 0.5, entries)


def simulate(rng: np.random.Generator, blocks: int, entries: int) -> Run:
    """Play tables that together seat everybody equally often; fewer points are better."""
    sittings = blocks * SEATS // entries
    table = np.argsort(rng.random((sittings, entries)), axis=1).reshape(blocks, SEATS)
    deal = rng.normal(0, DEAL_SD, (blocks, 1, SEATS))
    skill = -strengths(entries)[table][:, None, :]
    shape = (blocks, GAMES, SEATS)
    result = skill + deal + rng.normal(0, GAME_SD, shape)
    hands = np.broadcast_to(rng.integers(8, 14, (blocks, GAMES, 1)), shape)
    return Run(
        block=np.repeat(np.arange(blocks), GAMES * SEATS),
        game=np.repeat(np.arange(blocks * GAMES), SEATS),
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


def true_points(entries: int) -> np.ndarray:
    """Return the points per hand of each entry in the long run."""
    return 6.5 - strengths(entries)


def naive_elo_covariance(pairs: PairCounts, ratings: Ratings) -> np.ndarray:
    """Inverse curvature alone, as if all comparisons were independent."""
    entries = ratings.elo.size
    wins = pairs.win_matrix(entries)
    chance = expit((ratings.elo[:, None] - ratings.elo) / ELO_PER_LOGIT)
    information = -(wins + wins.T) * chance * (1 - chance)
    np.fill_diagonal(information, -information.sum(axis=1))
    return ELO_PER_LOGIT**2 * np.linalg.pinv(information)


class Coverage(NamedTuple):
    """How often the honest and the naive interval held the truth, in each replication."""

    honest: np.ndarray
    naive: np.ndarray


def cover_elo(
    blocks: int, entries: int, replications: int, progress: Callable[[int], None] = lambda _: None
) -> tuple[Coverage, Coverage]:
    """Return the coverage of ratings, and of all their differences."""
    rng = np.random.default_rng([2026, blocks, entries])
    truth = true_elo(entries)
    pair = np.triu_indices(entries, 1)
    held = np.empty((4, replications))
    for at in range(replications):
        pairs = simulate(rng, blocks, entries).pairs()
        ratings = bradley_terry(pairs, entries)
        error = ratings.elo - truth
        gap = np.abs(error[:, None] - error)[pair]
        covariance = naive_elo_covariance(pairs, ratings)
        variance = np.diag(covariance)
        gap_variance = (variance[:, None] + variance - 2 * covariance)[pair]
        held[:, at] = (
            np.mean(np.abs(error) <= ratings.half_width),
            np.mean(np.abs(error) <= NORMAL * np.sqrt(variance)),
            np.mean(gap <= ratings.difference_half_width()[pair]),
            np.mean(gap <= NORMAL * np.sqrt(gap_variance)),
        )
        progress(1)
    return Coverage(*held[:2]), Coverage(*held[2:])


def cover_points(
    blocks: int, entries: int, replications: int, progress: Callable[[int], None] = lambda _: None
) -> tuple[Coverage, Coverage]:
    """Return the coverage of points per hand, and of all their differences."""
    rng = np.random.default_rng([2027, blocks, entries])
    truth = true_points(entries)
    pair = np.triu_indices(entries, 1)
    held = np.empty((4, replications))
    for at in range(replications):
        run = simulate(rng, blocks, entries)
        rows = (run.entry, run.points, run.hands, entries)
        found = ratio_by_block(run.block, *rows)
        by_game = ratio_by_block(run.game, *rows)
        error = found.estimate - truth
        gap = np.abs(error[:, None] - error)[pair]
        held[:, at] = (
            np.mean(np.abs(error) <= found.half_width),
            np.mean(np.abs(error) <= by_game.half_width),
            np.mean(gap <= found.difference_half_width()[pair]),
            np.mean(gap <= by_game.difference_half_width()[pair]),
        )
        progress(1)
    return Coverage(*held[:2]), Coverage(*held[2:])


def look_blocks(cap: int) -> list[int]:
    """Block numbers at which a running tournament is looked at: in steps of 1, 2, 4, ..."""
    looks = list(range(1, 9))
    step = 2
    while looks[-1] < cap:
        looks += [looks[-1] + step * count for count in range(1, 9)]
        step *= 2
    return [blocks for blocks in looks if blocks < cap] + [cap]


Draw = Callable[[np.random.Generator, float, tuple[int, int]], np.ndarray]


def normal_values(rng: np.random.Generator, mean: float, shape: tuple[int, int]) -> np.ndarray:
    """Draw block means with standard deviation 1."""
    return rng.normal(mean, 1.0, shape)


def gamma_values(form: float) -> Draw:
    """Return a way to draw shifted gamma values: skewness ``2 / sqrt(form)``, deviation 1."""

    def draw(rng: np.random.Generator, mean: float, shape: tuple[int, int]) -> np.ndarray:
        return mean + (rng.standard_gamma(form, shape) - form) / np.sqrt(form)

    return draw


def share_values(rng: np.random.Generator, mean: float, shape: tuple[int, int]) -> np.ndarray:
    """Draw shares in steps of 1/22, counted from 1/2 in units of their deviation there."""
    deviation = np.sqrt(0.25 / 22)
    return (rng.binomial(22, 0.5 + mean * deviation, shape) / 22 - 0.5) / deviation


class Decisions(NamedTuple):
    """How a sequential test ended, in shares of all replications."""

    h0: float
    h1: float
    undecided: float
    mean_blocks: float


def decide(
    test: SequentialTest,
    draw: Draw,
    mean: float,
    replications: int,
    cap: int,
    seed: list[int],
    at_once: int = 2000,
) -> Decisions:
    """Run many sequential tests side by side on values with the given true mean."""
    rng = np.random.default_rng(seed)
    h0 = h1 = blocks = 0
    for start in range(0, replications, at_once):
        running = min(at_once, replications - start)
        sums = np.zeros((3, running))
        before = 0
        for now in look_blocks(cap):
            values = draw(rng, mean, (running, now - before))
            square = np.square(values)
            sums += values.sum(axis=1), square.sum(axis=1), (square * values).sum(axis=1)
            blocks += running * (now - before)
            before = now
            if now < test.min_blocks:
                continue
            average, second, third = sums / now
            variance = np.maximum(second - average**2, 0.0)
            third += 2.0 * average**3 - 3.0 * average * second
            ratio = log_likelihood_ratio(now, average, variance, test, third)
            h0 += int(np.sum(ratio <= test.lower))
            h1 += int(np.sum(ratio >= test.upper))
            going = (ratio > test.lower) & (ratio < test.upper)
            sums = sums[:, going]
            running = sums.shape[1]
            if not running:
                break
    return Decisions(
        h0 / replications,
        h1 / replications,
        1.0 - (h0 + h1) / replications,
        blocks / replications,
    )
