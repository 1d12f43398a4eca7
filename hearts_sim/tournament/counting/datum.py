"""Points less the datum, summed over the hands of a game: compiled, for a run has many hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine._jit import kernel


def datum_sums(block: Any, game: Any, hand: Any, seat: Any, points: Any) -> tuple[Any, Any, Any]:
    """Points less the datum of every hand, summed for each game and seat.

    The datum is the mean of what a seat got on a deal whenever it was played, as in
    `hearts_sim.stats.datum_points`; a deal is a block and a hand.

    Parameters
    ----------
    block, game, hand, seat, points : ndarray of integers, shape (n,)
        A row per hand and seat; the rows of a game follow each other.

    Returns
    -------
    first : ndarray of int64, shape (m,)
        The first row of each game and seat.
    beside : ndarray of float64, shape (m,)
        The sum.
    hands : ndarray of int64, shape (m,)
    """
    low = int(block.min()) if len(block) else 0
    if int(block.max(initial=0)) - low > len(block):  # blocks far apart, as none of a part are
        block, low = np.unique(block, return_inverse=True)[1], 0
    # Of one type each, so that there is one thing to compile.
    return _datum_sums(  # type: ignore[no-any-return]
        (block - low).astype(np.uint32),
        np.ascontiguousarray(game).astype(np.uint32, copy=False),
        np.ascontiguousarray(hand, np.uint16),
        np.ascontiguousarray(seat, np.uint8),
        np.ascontiguousarray(points, np.int32),
    )


@kernel
def _datum_sums(block: Any, game: Any, hand: Any, seat: Any, points: Any) -> Any:
    rows, blocks, longest, seats, games = len(block), 0, 0, 0, 0
    for row in range(rows):
        blocks = max(blocks, block[row] + 1)
        longest = max(longest, hand[row] + 1)
        seats = max(seats, seat[row] + 1)
        if row == 0 or game[row] != game[row - 1]:
            games += 1
    total = np.zeros((blocks * longest, seats), np.int64)
    times = np.zeros((blocks * longest, seats), np.int64)
    for row in range(rows):
        deal = block[row] * longest + hand[row]
        total[deal, seat[row]] += points[row]
        times[deal, seat[row]] += 1
    first = np.full(games * seats, -1, np.int64)
    beside = np.zeros(games * seats)
    hands = np.zeros(games * seats, np.int64)
    number = -1
    for row in range(rows):
        if row == 0 or game[row] != game[row - 1]:
            number += 1
        cell = number * seats + seat[row]
        if first[cell] < 0:
            first[cell] = row
        deal = block[row] * longest + hand[row]
        often = times[deal, seat[row]]
        # Exactly 0 where all who held these cards got the same.
        beside[cell] += (often * points[row] - total[deal, seat[row]]) / often
        hands[cell] += 1
    return first, beside, hands
