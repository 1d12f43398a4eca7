"""Candidates over the same worlds: the better stays, what is surely worse is dropped."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from hearts_sim.search.racing import SURE, best_arm, drop_worse, new_arms, note_value


def noted(values: ArrayLike) -> tuple[object, int]:
    """Candidates with these values, a row for each."""
    rows = np.asarray(values, float)
    arms = new_arms(*rows.shape)
    for arm, row in enumerate(rows):
        for world, value in enumerate(row):
            note_value(arms, arm, world, value)
    return arms, rows.shape[1]


def test_the_bound_by_hand() -> None:
    """Eight differences of mean 1 and a deviation that puts the bound just below or above 1."""
    for deviation, left in ((0.99, 1), (1.01, 2)):
        # Half of them a deviation above the mean, half below: a standard error of s / sqrt(8).
        spread = deviation * math.sqrt(8) / SURE
        worse = np.zeros(8)
        better = 1 + spread * np.array([1, -1] * 4)
        arms, worlds = noted([worse, better])
        assert best_arm(arms) == 1
        assert drop_worse(arms, worlds) == left
        assert best_arm(arms) == 1


def test_equal_and_noisy_ones_stay() -> None:
    """One that is as good, or that may well be, is kept; one that is always worse goes."""
    rng = np.random.default_rng(1)
    common = rng.normal(0, 10, 64)
    rows = [common, common + rng.normal(0, 3, 64), common - 0.5, common, common - 20]
    arms, worlds = noted(rows)
    best = best_arm(arms)
    means = [row.mean() for row in rows]
    assert means[best] == max(means)
    drop_worse(arms, worlds)
    alive = list(arms.alive)  # type: ignore[attr-defined]
    for arm, row in enumerate(rows):
        difference = rows[best] - row
        error = difference.std() / 8
        surely = difference.mean() > SURE * error and difference.mean() > 0
        assert alive[arm] == (not surely), arm
    assert not alive[4]
    assert not all(alive[:4]) or best == 1
    assert drop_worse(arms, worlds) == sum(alive)


def test_the_best_of_the_living() -> None:
    """A candidate that was dropped does not come back, whatever its sum."""
    arms, worlds = noted([[5.0] * 8, [4.0] * 8, [5.0] * 8])
    assert best_arm(arms) == 0
    assert drop_worse(arms, worlds) == 2
    for _ in range(3):
        note_value(arms, 1, 0, 100.0)
    assert best_arm(arms) == 0
