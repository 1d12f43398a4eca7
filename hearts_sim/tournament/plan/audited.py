"""Which blocks of a run are played again to see whether every choice is the same."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_audited(seed: int, blocks: Any, share: float) -> np.ndarray[Any, Any]:
    """Which blocks are played again: the first one, and of the others a share that looks random.

    Parameters
    ----------
    seed : int
        Of the run.
    blocks : array-like of int
    share : float
        From 0, for none, to 1, for all.

    Returns
    -------
    ndarray of bool
        By block. It depends on the seed and the block alone, so a longer run audits the same ones.
    """
    number = np.asarray(blocks, np.uint64)
    if share <= 0:
        return np.zeros(len(number), bool)
    # Two rounds of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
    mixed = np.full(len(number), seed & (2**64 - 1), np.uint64)
    for more in (number, np.uint64(0)):
        mixed = mixed + more + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ mixed >> np.uint64(31)
    found: np.ndarray[Any, Any] = (mixed / 2.0**64 < share) | (number == 0)
    return found
