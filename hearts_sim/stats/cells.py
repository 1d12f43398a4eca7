"""Ratios in many cells at once, such as points per hand by entry and direction of the pass."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints
from hearts_sim.stats.intervals import half_width

# A variance of sums that were rounded is taken for 0 below this share of its terms.
_ROUNDING = 1e-13
_EXACT = 2.0**53  # whole numbers below this are exact as float64


@dataclass(frozen=True, eq=False)
class CellEstimate:
    """Ratio of sums in each cell, a row per entry and a column per category.

    Attributes
    ----------
    estimate : ndarray of float64, shape (k, c)
        Summed totals / summed counts; nan for a cell without data.
    se : ndarray of float64, shape (k, c)
        Standard error; inf for a cell with fewer than two blocks.
    low, high : ndarray of float64, shape (k, c)
        Ends of the interval; nan where the estimate is.
    half_width : ndarray of float64, shape (k, c)
        Student t with ``blocks - 1`` degrees of freedom; inf with fewer than two blocks.
    total, count : ndarray of float64, shape (k, c)
        The two sums.
    blocks : ndarray of int64, shape (k, c)
        Blocks with a count in the cell.
    confidence : float
        Coverage of the intervals.
    """

    estimate: Floats
    se: Floats
    low: Floats
    high: Floats
    half_width: Floats
    total: Floats
    count: Floats
    blocks: Ints
    confidence: float


class CellSums:
    """Sums from which the ratio in every cell is estimated, added up part by part.

    A cell is an entry and a category. In each it estimates what `RatioSums` does of an entry, with
    the same error clustered by block; but it keeps nothing of how two cells vary together, so that
    many cells take little room, and differences of two have no error.

    Parameters
    ----------
    entries, categories : int
        Numbers of them, k and c.

    Raises
    ------
    ValueError
        One of them is less than 1.

    Notes
    -----
    With t_b and n_b the total and the count of a cell in block b, and T and N their sums, the
    variance is ``G/(G-1) * sum_b ((t_b - T/N * n_b) / N)**2`` over the G blocks with a count.
    Multiplied out it needs only the sums of t, n, t*t, t*n and n*n. Large terms cancel in it; with
    whole numbers and sums below 2**53 this is computed exactly, and a cell with the same ratio in
    every block has a variance of 0.

    References
    ----------
    Cochran (1977), "Sampling Techniques", 3rd ed., chapter 6 (ratio estimates), section 9A
    (clusters of unequal size).
    """

    def __init__(self, entries: int, categories: int) -> None:
        if min(entries, categories) < 1:
            msg = f"there must be an entry and a category, got {entries} and {categories}"
            raise ValueError(msg)
        self.entries = entries
        self.categories = categories
        self._blocks = np.zeros((entries, categories), dtype=np.int64)
        # Of t, n, t*t, t*n and n*n.
        self._sums = np.zeros((5, entries, categories))

    def add(self, entry: ArrayLike, total: ArrayLike, count: ArrayLike) -> None:
        """Add blocks: each one whole, and none of them twice.

        Parameters
        ----------
        entry : array_like of int, shape (m,)
            Each of them is one entry in one block.
        total, count : array_like of int, shape (d, m)
            Its sums in the first d categories, a row for each. One row of counts, of shape (1, m),
            holds for all of them. Where the count is 0 the block does not belong to the cell.

        Raises
        ------
        ValueError
            Arrays of other shapes or types, an entry outside 0 .. k-1, a negative count, a total
            without a count; nothing is added then.
        """
        owner = _clusters.integers("entry", entry)
        _clusters.check_entries(owner, self.entries)
        t, n = self._table("total", total, owner.size), self._table("count", count, owner.size)
        if len(n) not in (1, len(t)):
            msg = f"count must have 1 row, or {len(t)} as total has, got {len(n)}"
            raise ValueError(msg)
        if not owner.size:
            return
        played = n > 0
        if not played.all():
            if n.min() < 0:
                msg = f"count must not be negative, got {n.min():g}"
                raise ValueError(msg)
            if np.any((t != 0) & ~played):
                msg = "total is not 0 somewhere where count is"
                raise ValueError(msg)
        if np.any(owner[1:] < owner[:-1]):
            order = np.argsort(owner, kind="stable")
            owner, t, n, played = owner[order], t[:, order], n[:, order], played[:, order]
        starts = _clusters.starts_of_runs(owner)
        cells = owner[starts], slice(len(t))
        self._blocks[cells] += np.add.reduceat(played.astype(np.int64), starts, axis=1).T
        for sums, values in zip(self._sums, (t, n, t * t, t * n, n * n), strict=True):
            sums[cells] += np.add.reduceat(values, starts, axis=1).T

    def _table(self, name: str, values: ArrayLike, columns: int) -> Floats:
        table = np.asarray(values)
        if table.dtype.kind not in "iu" or table.ndim != 2 or table.shape[1] != columns:
            msg = (
                f"{name} must be rows of {columns} integers, got {table.dtype} of shape "
                f"{table.shape}"
            )
            raise ValueError(msg)
        if not 1 <= len(table) <= self.categories:
            msg = f"{name} must have 1 to {self.categories} rows, got {len(table)}"
            raise ValueError(msg)
        return table.astype(np.float64)

    def merge(self, other: "CellSums") -> None:
        """Add all that was added to `other`, whose blocks must be other ones.

        Raises
        ------
        ValueError
            The two have different numbers of entries or categories.
        """
        if other._blocks.shape != self._blocks.shape:
            msg = f"cannot merge cells of {other._blocks.shape} into {self._blocks.shape}"
            raise ValueError(msg)
        self._blocks += other._blocks
        self._sums += other._sums

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All sums as arrays by name, for `from_arrays`."""
        return {"blocks": self._blocks, "sums": self._sums}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "CellSums":
        """Sums as they were when `to_arrays` gave these.

        Raises
        ------
        KeyError
            One of the arrays is missing.
        """
        cells = cls(*arrays["blocks"].shape)
        cells._blocks, cells._sums = arrays["blocks"], arrays["sums"]
        return cells

    def estimate(self, confidence: float = 0.95) -> CellEstimate:
        """Estimate the ratio in every cell from all that was added so far.

        Parameters
        ----------
        confidence : float
            Coverage of the intervals, each by itself.

        Returns
        -------
        CellEstimate

        Raises
        ------
        ValueError
            `confidence` is not strictly between 0 and 1.
        """
        total, count = self._sums[0].copy(), self._sums[1].copy()
        estimate = np.full(total.shape, np.nan)
        np.divide(total, count, out=estimate, where=count > 0)
        se = np.sqrt(self._variance())
        width = np.asarray(half_width(se, self._blocks - 1.0, confidence))
        return CellEstimate(
            estimate=estimate,
            se=se,
            low=estimate - width,
            high=estimate + width,
            half_width=width,
            total=total,
            count=count,
            blocks=self._blocks.copy(),
            confidence=confidence,
        )

    def _variance(self) -> Floats:
        variance = np.full(self._blocks.shape, np.inf)
        known = self._blocks > 1
        sums = self._sums[:, known]
        # Python's integers, for no product is too large for these.
        t, n, tt, tn, nn = np.array([int(value) for value in sums.ravel()], object).reshape(5, -1)
        squared, crossed = n * n * tt + t * t * nn, 2 * n * t * tn
        spread = squared - crossed
        found = np.asarray(spread / n**4, dtype=np.float64)
        rounded = (np.abs(sums) >= _EXACT).any(axis=0)
        found[rounded & (spread <= _ROUNDING * np.asarray(squared + abs(crossed), float))] = 0.0
        variance[known] = found * _clusters.small_sample_factor(self._blocks[known])
        return variance
