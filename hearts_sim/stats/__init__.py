"""Estimates with honest errors: points per hand and Elo ratings from plain arrays.

A block is one deal sequence, replayed in several seatings; its games share their cards, so the
block and not the game is the independent observation. Every estimator here takes the block of each
row, clusters its errors by it, and forms intervals with Student's t on the number of blocks.

`ratio_by_block` estimates points per hand, and `RatioSums` does so part by part; `CellSums` in many
cells, such as each entry in each seat. `net_points` and `datum_points` measure against the table
and against the deal. `placement_pairs` turns placements into comparisons of two, a `Crosstable`
counts them once, and `bradley_terry` rates entries from either. `significant_differences` and
`rank_intervals` say which estimates differ, and `block_bootstrap` how stable a ranking is.
`SequentialTest` ends a duel when its answer is clear. `half_width` makes an interval of any
standard error.
"""

from hearts_sim.stats._newton import ConvergenceError
from hearts_sim.stats.bootstrap import Bootstrap, block_bootstrap
from hearts_sim.stats.bradley_terry import bradley_terry
from hearts_sim.stats.cells import CellEstimate, CellSums
from hearts_sim.stats.crosstable import Crosstable
from hearts_sim.stats.intervals import half_width
from hearts_sim.stats.measures import datum_points, net_points
from hearts_sim.stats.pairs import PairCounts, concatenate, placement_pairs
from hearts_sim.stats.points import RatioEstimate, RatioSums, ratio_by_block
from hearts_sim.stats.ratings import Ratings
from hearts_sim.stats.sequential import Look, SequentialTest, elo_to_score
from hearts_sim.stats.superiority import (
    games_needed,
    holm,
    likelihood_of_superiority,
    rank_intervals,
    significant_differences,
)

__all__ = [
    "Bootstrap",
    "CellEstimate",
    "CellSums",
    "ConvergenceError",
    "Crosstable",
    "Look",
    "PairCounts",
    "Ratings",
    "RatioEstimate",
    "RatioSums",
    "SequentialTest",
    "block_bootstrap",
    "bradley_terry",
    "concatenate",
    "datum_points",
    "elo_to_score",
    "games_needed",
    "half_width",
    "holm",
    "likelihood_of_superiority",
    "net_points",
    "placement_pairs",
    "rank_intervals",
    "ratio_by_block",
    "significant_differences",
]
