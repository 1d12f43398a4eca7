"""How the estimates of a run came about: what it would have said after fewer blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from hearts_sim.stats import CellSums, PairCounts, bradley_terry
from hearts_sim.tournament.counting.batches import BatchPoints

if TYPE_CHECKING:
    from hearts_sim.report.summary import Summary
    from hearts_sim.stats import Ratings

STEPS: Final = 12
STEPS_OF_MANY: Final = 5
MANY: Final = 50
"""With more entries there are fewer steps, since each fit takes longer."""


def convergence(summary: Summary) -> pd.DataFrame:
    """Estimate Elo and points per hand again from the first so many blocks.

    Blocks come in batches, as many as a batch has neighbouring blocks, and are counted in the order
    of their numbers. The steps grow by a constant factor. The last one is the whole run, and says
    what the leaderboard says; the others take batches as units, so that their intervals are a
    little less certain.

    Returns
    -------
    DataFrame
        strategy, blocks, elo, low, high, points (per hand), points_low, points_high; strategies in
        the order of `Results.names`, each with the same growing numbers of blocks. nan where a
        value is not measured: Elo that is only a bound, or of an entry that has met nobody yet, nor
        has the anchor.
    """
    names = summary.results.names
    batches = summary.batches
    found = []
    for number in _steps(len(batches.batch), len(names)):
        if number < len(batches.batch):
            ratings = _ratings(summary, int(batches.batch[number]))
            points = _points(batches, number, summary.confidence)
        else:
            ratings = summary.ratings
            points = summary.points
        found.append((int(batches.blocks[:number].sum()), ratings, points))
    frames = []
    for entry, name in enumerate(names):
        rows = [
            (name, blocks, *_elo(ratings, entry), *_of(points, entry))
            for blocks, ratings, points in found
        ]
        frames += rows
    columns = ["strategy", "blocks", "elo", "low", "high", "points", "points_low", "points_high"]
    return pd.DataFrame(frames, columns=columns)


def _steps(batches: int, entries: int) -> list[int]:
    """Growing numbers of batches, the last of which is all."""
    if batches < 2:
        return [batches]
    first = max(2, min(4, batches // 2), batches // 64)
    steps = STEPS_OF_MANY if entries > MANY else STEPS
    return [int(step) for step in np.unique(np.geomspace(first, batches, steps).round())]


def _ratings(summary: Summary, before: int) -> Ratings | None:
    """Elo from the batches before this one; None where it cannot be told."""
    pairs = summary.pairs
    early = pairs.block < before
    names = summary.results.names
    anchor = None if summary.anchor is None else names.index(summary.anchor)
    met = np.concatenate((pairs.i[early], pairs.j[early]))
    if not met.size or (anchor is not None and anchor not in met):
        return None
    columns = ("block", "i", "j", "games", "wins")
    kept = PairCounts(**{column: getattr(pairs, column)[early] for column in columns})
    return bradley_terry(kept, len(names), anchor=anchor, confidence=summary.confidence)


def _points(batches: BatchPoints, number: int, confidence: float) -> Any:
    """Points per hand from the first batches."""
    points, hands = batches.points[:number], batches.hands[:number]
    sums = CellSums(points.shape[1], 1)
    # A row for each entry and batch, entry by entry.
    entry = np.repeat(np.arange(points.shape[1]), number)
    sums.add(entry, points.T.reshape(1, -1), hands.T.reshape(1, -1))
    return sums.estimate(confidence)


def _elo(ratings: Ratings | None, entry: int) -> tuple[float, float, float]:
    if ratings is None or ratings.bound[entry]:
        return np.nan, np.nan, np.nan
    return float(ratings.elo[entry]), *_ends(ratings.low[entry], ratings.high[entry])


def _of(points: Any, entry: int) -> tuple[float, float, float]:
    estimate, low, high = (
        float(np.ravel(getattr(points, name))[entry]) for name in ("estimate", "low", "high")
    )
    return estimate, *_ends(low, high)


def _ends(low: float, high: float) -> tuple[float, float]:
    known = np.isfinite(low) and np.isfinite(high)
    return (float(low), float(high)) if known else (np.nan, np.nan)
