"""Estimates with honest errors: points per hand and Elo ratings from plain arrays.

A block is one deal sequence, replayed in several seatings; its games share their cards, so the
block and not the game is the independent observation. Every estimator here takes the block of each
row, clusters its errors by it, and forms intervals with Student's t on the number of blocks.

`ratio_by_block` estimates points per hand. `placement_pairs` turns placements into comparisons of
two, and `bradley_terry` rates entries from these. `half_width` makes an interval of any standard
error.
"""

from hearts_sim.stats.bradley_terry import ConvergenceError, Ratings, bradley_terry
from hearts_sim.stats.intervals import half_width
from hearts_sim.stats.pairs import PairCounts, concatenate, placement_pairs
from hearts_sim.stats.points import RatioEstimate, ratio_by_block

__all__ = [
    "ConvergenceError",
    "PairCounts",
    "Ratings",
    "RatioEstimate",
    "bradley_terry",
    "concatenate",
    "half_width",
    "placement_pairs",
    "ratio_by_block",
]
