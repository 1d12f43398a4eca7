"""Counting the deals of a run, and those that were dealt before: compiled, for there are many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.rng import hand_key
from hearts_sim.tournament.plan.spec import RunSpec

MOST_KEYS: Final = 1 << 22
"""So many keys of deals are held at a time."""


@kernel
def _fill_keys(
    seed: int, blocks: Any, hands: Any, parts: np.uint64, part: np.uint64, keys: Any
) -> int:
    """Write the keys that leave this rest; how many there are, of which no more than fit."""
    place = 0
    for row in range(len(blocks)):
        for hand in range(1, hands[row] + 1):
            key = hand_key(seed, blocks[row], hand)
            if key % parts == part:
                if place < len(keys):
                    keys[place] = key
                place += 1
    return place


def count_deals(spec: RunSpec, dealt: Iterable[tuple[Any, Any]]) -> dict[str, int]:
    """Count a run's deals, and those that were dealt before.

    Parameters
    ----------
    spec : RunSpec
    dealt : iterable of (ndarray, ndarray)
        Numbers of blocks, and the deals of each, part by part.

    Returns
    -------
    dict
        ``played``: deals, each counted once however many seatings played it; ``repeated``: how many
        of them have the key of another one.
    """
    found = [(block.astype(np.int64), hands.astype(np.uint16)) for block, hands in dealt]
    if not found:
        return {"played": 0, "repeated": 0}
    blocks, hands = (np.concatenate(columns) for columns in zip(*found, strict=True))
    played, repeated = int(hands.sum(dtype=np.int64)), 0
    # Equal keys leave the same rest, so that a share of them can be sorted at a time.
    shares = -(-played // MOST_KEYS)
    for share in range(shares):
        keys = np.zeros(2 * played // shares if shares > 1 else played, np.uint64)
        size = _fill_keys(spec.seed, blocks, hands, np.uint64(shares), np.uint64(share), keys)
        keys = keys[:size]
        keys.sort()
        repeated += int((keys[1:] == keys[:-1]).sum())
    return {"played": played, "repeated": repeated}
