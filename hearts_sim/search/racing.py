"""Comparing candidates over the same worlds, and dropping those that are surely worse."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from hearts_sim.search._jit import kernel

FIRST_LOOK = 8
"""Worlds before candidates are dropped for the first time; then after twice as many, and so on."""

SURE = 2.6
"""Standard errors by which a candidate must be worse to be dropped."""


class Arms(NamedTuple):
    """Candidates that are still compared.

    Attributes
    ----------
    alive : ndarray of bool, shape (arms,)
    values : ndarray of float64, shape (arms, worlds)
        What each was worth in each world.
    sums : ndarray of float64, shape (arms,)
    """

    alive: Any
    values: Any
    sums: Any


@kernel
def new_arms(number: int, worlds: int) -> Any:
    """Candidates without a value, with room for so many worlds."""
    values = np.empty((number, worlds), np.float64)
    return Arms(np.ones(number, np.bool_), values, np.zeros(number))


@kernel
def note_value(arms: Any, arm: int, world: int, value: float) -> None:
    """Note what a candidate was worth in a world."""
    arms.values[arm, world] = value
    arms.sums[arm] += value


@kernel
def best_arm(arms: Any) -> int:
    """The candidate with the best mean."""
    best = -1
    for arm in range(len(arms.sums)):
        if arms.alive[arm] and (best < 0 or arms.sums[arm] > arms.sums[best]):
            best = arm
    return best


@kernel
def drop_worse(arms: Any, worlds: int) -> int:
    """Drop candidates that are surely worse than the best so far; returns how many are left."""
    best = best_arm(arms)
    living = 0
    for arm in range(len(arms.sums)):
        if not arms.alive[arm]:
            continue
        if arm != best:
            total, squares = 0.0, 0.0
            for world in range(worlds):
                difference = arms.values[best, world] - arms.values[arm, world]
                total += difference
                squares += difference * difference
            mean = total / worlds
            variance = max(0.0, squares / worlds - mean * mean) / worlds
            if mean > SURE * math.sqrt(variance) and mean > 0.0:
                arms.alive[arm] = False
                continue
        living += 1
    return living
