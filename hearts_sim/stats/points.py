"""Points per hand, with errors clustered by block."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints
from hearts_sim.stats.intervals import half_width


@dataclass(frozen=True, eq=False)
class RatioEstimate:
    """Ratio of sums for each of k entries, with the covariance of the k ratios.

    Attributes
    ----------
    estimate : ndarray of float64, shape (k,)
        Summed points / summed hands; nan for an entry without data.
    se : ndarray of float64, shape (k,)
        Standard error; inf for an entry with fewer than two blocks.
    low, high : ndarray of float64, shape (k,)
        Ends of the interval; nan where the estimate is.
    half_width : ndarray of float64, shape (k,)
        Student t with ``blocks - 1`` degrees of freedom; inf with fewer than two blocks.
    blocks : ndarray of int64, shape (k,)
        Blocks in which the entry took part.
    covariance : ndarray of float64, shape (k, k)
        Squared `se` on the diagonal. An entry with fewer than two blocks has an infinite variance
        and covariances of 0.
    confidence : float
        Coverage of the intervals.
    """

    estimate: Floats
    se: Floats
    low: Floats
    high: Floats
    half_width: Floats
    blocks: Ints
    covariance: Floats
    confidence: float

    def difference_se(self) -> Floats:
        """Return the standard error of every difference ``estimate[i] - estimate[j]``.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Symmetric, 0 on the diagonal, inf where either entry has fewer than two blocks.
        """
        return _clusters.difference_se(self.covariance)

    def difference_half_width(self) -> Floats:
        """Return half the width of the interval of every difference of two estimates.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Student t with the degrees of freedom of the entry that has fewer blocks, which errs
            on the wide side; 0 on the diagonal.
        """
        return _clusters.difference_half_width(self.covariance, self.blocks, self.confidence)


def ratio_by_block(
    block: ArrayLike,
    entry: ArrayLike,
    total: ArrayLike,
    count: ArrayLike,
    entries: int,
    confidence: float = 0.95,
) -> RatioEstimate:
    """Estimate points per hand of each entry as a ratio of sums, one block = one observation.

    Games differ in length, so the mean of the games' means would weigh a hand of a short game
    more than one of a long game; the ratio of sums weighs all hands alike.

    Parameters
    ----------
    block : array_like of int, shape (n,)
        Block of each row, any numbers in any order.
    entry : array_like of int, shape (n,)
        Entry of each row, 0 .. entries-1.
    total : array_like, shape (n,)
        Points summed over the hands of the row.
    count : array_like, shape (n,)
        Hands of the row. Rows of one block and entry are added up; an entry whose hands in a
        block sum to 0 did not take part in it.
    entries : int
        Number of entries, k.
    confidence : float
        Coverage of the intervals.

    Returns
    -------
    RatioEstimate
        In points per hand.

    Raises
    ------
    ValueError
        Columns of unequal length or wrong type, an entry outside its range, a value that is not
        finite, a negative count, points without a hand, or a confidence outside (0, 1).

    Notes
    -----
    With t_b and n_b the points and hands of one entry in block b, and T and N their sums, the
    block's linearised share of the error is ``z_b = (t_b - T/N * n_b) / N``, and the variance is
    ``G/(G-1) * sum z_b**2`` over the G blocks in which the entry took part.

    The covariance of entries i and j is ``sqrt(G_i/(G_i-1) * G_j/(G_j-1)) * sum z_ib * z_jb``. When
    both played the same G blocks, the variance of their difference is thereby the ordinary
    ``G/(G-1) * sum (z_ib - z_jb)**2``. When they did not, no single G would give the two variances
    on the diagonal, and a factor of its own for each pair (say, from the blocks they share) could
    give a difference a negative variance; this product cannot.

    With points that are whole numbers all sums are exact (below 2**53), so that the result does
    not depend on the order of the rows, and entries with equal totals in every block get equal
    estimates and a difference of variance 0, to the last bit. With other points the latter still
    holds when the rows that add up to a block's total come in the same order.

    References
    ----------
    Cochran (1977), "Sampling Techniques", 3rd ed., chapter 6 (ratio estimates), section 9A
    (clusters of unequal size); Miller (2024), "Adding Error Bars to Evals", arXiv:2411.00640
    (clustered and paired errors for evaluations).
    """
    blocks_of_rows = _clusters.integers("block", block)
    rows = blocks_of_rows.size
    entry_of_rows = _clusters.integers("entry", entry, rows)
    _clusters.check_entries(entry_of_rows, entries)
    points = _clusters.finite_floats("total", total, rows)
    hands = _clusters.finite_floats("count", count, rows)
    if rows and hands.min() < 0:
        msg = f"count must not be negative, got {hands.min():g} in row {int(hands.argmin())}"
        raise ValueError(msg)

    distinct, index = _clusters.number_blocks(blocks_of_rows)
    index, cell_entry, t, n = _sum_cells(index, entry_of_rows, points, hands, entries)

    blocks = np.bincount(cell_entry, minlength=entries)
    total_points = _clusters.sums(cell_entry, t, entries)
    total_hands = _clusters.sums(cell_entry, n, entries)
    estimate = np.full(entries, np.nan)
    np.divide(total_points, total_hands, out=estimate, where=total_hands > 0)
    # Multiplied out, so that whole numbers give an exact residual and equal blocks an exact 0.
    residual = t * total_hands[cell_entry] - total_points[cell_entry] * n
    steady = _same_in_all_blocks(cell_entry, t / n, entries)
    residual[~np.isnan(steady)[cell_entry]] = 0.0
    estimate = np.where(np.isnan(steady), estimate, steady)

    z = residual / total_hands[cell_entry] ** 2
    factor = np.sqrt(_clusters.small_sample_factor(blocks))
    covariance = _clusters.cross_products(index, cell_entry, z, distinct.size, entries)
    covariance *= np.outer(factor, factor)
    _clusters.forget(covariance, blocks < 2)

    se = np.sqrt(np.diagonal(covariance))
    width = np.asarray(half_width(se, blocks - 1.0, confidence))
    return RatioEstimate(
        estimate=estimate,
        se=se,
        low=estimate - width,
        high=estimate + width,
        half_width=width,
        blocks=blocks,
        covariance=covariance,
        confidence=confidence,
    )


def _sum_cells(
    index: Ints, entry: Ints, points: Floats, hands: Floats, entries: int
) -> tuple[Ints, Ints, Floats, Floats]:
    """Add up the rows of each block and entry, and drop those without hands."""
    key = index * entries + entry
    if not np.all(key[1:] >= key[:-1]):
        order = np.argsort(key, kind="stable")
        key, points, hands = key[order], points[order], hands[order]
        index, entry = index[order], entry[order]
    starts = _clusters.starts_of_runs(key)
    if starts.size < key.size:
        cell = np.repeat(np.arange(starts.size), np.diff(starts, append=key.size))
        points = _clusters.sums(cell, points, starts.size)
        hands = _clusters.sums(cell, hands, starts.size)
        index, entry = index[starts], entry[starts]

    played = hands > 0
    if played.all():
        return index, entry, points, hands
    if np.any(points[~played] != 0):
        at = int(np.flatnonzero(~played & (points != 0))[0])
        msg = f"total is {points[at]:g} where count is 0, for entry {entry[at]}"
        raise ValueError(msg)
    return index[played], entry[played], points[played], hands[played]


def _same_in_all_blocks(entry: Ints, ratio: Floats, entries: int) -> Floats:
    """Return the ratio of each entry that has the same one in every block, nan for the others.

    The sums of points such as 0.1 are rounded, and would give these entries a tiny error.
    """
    least = np.full(entries, np.inf)
    most = np.full(entries, -np.inf)
    np.minimum.at(least, entry, ratio)
    np.maximum.at(most, entry, ratio)
    return np.where(least == most, least, np.nan)
