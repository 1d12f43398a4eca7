"""What the block-clustered estimators share: checking, grouping, sums of cross products."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse  # type: ignore[import-untyped, unused-ignore]

from hearts_sim.stats.intervals import half_width

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# A difference's variance below this share of its two parts is what rounding leaves of zero.
_ROUNDING = 1e-12


def integers(name: str, values: ArrayLike, length: int | None = None) -> Ints:
    """Return `values` as a flat int64 array, or raise ValueError."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        msg = f"{name} must be a flat array of integers, got {array.ndim}-d {array.dtype}"
        raise ValueError(msg)
    _check_length(name, array.size, length)
    return array.astype(np.int64, copy=False)


def finite_floats(name: str, values: ArrayLike, length: int | None = None) -> Floats:
    """Return `values` as a flat float64 array without nan and inf, or raise ValueError."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        msg = f"{name} must be a flat array, got {array.ndim} dimensions"
        raise ValueError(msg)
    _check_length(name, array.size, length)
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array))[0])
        msg = f"{name} must be finite, got {array[row]} in row {row}"
        raise ValueError(msg)
    return array


def _check_length(name: str, size: int, length: int | None) -> None:
    if length is not None and size != length:
        msg = f"{name} must have {length} rows like the other columns, got {size}"
        raise ValueError(msg)


def check_entries(entry: Ints, entries: int) -> None:
    """Raise ValueError unless every value of `entry` is one of 0 .. entries-1."""
    if entries < 1:
        msg = f"entries must be at least 1, got {entries}"
        raise ValueError(msg)
    if entry.size and not 0 <= entry.min() <= entry.max() < entries:
        msg = f"entry must lie in 0..{entries - 1}, got {entry.min()}..{entry.max()}"
        raise ValueError(msg)


def starts_of_runs(key: NDArray[np.generic]) -> Ints:
    """Positions at which a run of equal values begins."""
    if not key.size:
        return np.zeros(0, dtype=np.int64)
    return np.concatenate(([0], np.flatnonzero(key[1:] != key[:-1]) + 1)).astype(np.int64)


def number_blocks(block: Ints) -> tuple[Ints, Ints]:
    """Return the distinct blocks in ascending order, and for each row the position of its own."""
    if block.size and np.all(block[1:] >= block[:-1]):  # as the log has them: no sort needed
        starts = starts_of_runs(block)
        step = np.zeros(block.size, dtype=np.int64)
        step[starts[1:]] = 1
        return block[starts], np.cumsum(step)
    distinct, index = np.unique(block, return_inverse=True)
    return distinct, index.astype(np.int64, copy=False)


def sums(cell: Ints, values: Floats, cells: int) -> Floats:
    """Add up the values of each cell, one by one in the order of the rows."""
    return np.bincount(cell, weights=values, minlength=cells).astype(np.float64, copy=False)


def cross_products(index: Ints, entry: Ints, value: Floats, blocks: int, entries: int) -> Floats:
    """Sum over blocks of the outer product of each block's vector of entries.

    Row r adds ``value[r]`` to component ``entry[r]`` of the vector of block ``index[r]``. Vectors
    stay sparse. Every element of the result adds its blocks up one by one in the same order, which
    BLAS does not promise: two entries with equal components get equal elements, to the last bit.
    """
    vectors = sparse.coo_array((value, (index, entry)), shape=(blocks, entries)).tocsr()
    product: Floats = (vectors.T @ vectors).toarray()
    return product


def blocks_per_entry(index: Ints, entry: Ints, blocks: int, entries: int) -> Ints:
    """Count the distinct blocks in which each entry appears."""
    present = sparse.coo_array(
        (np.ones(index.size, dtype=np.int64), (index, entry)), shape=(blocks, entries)
    ).tocsr()  # which merges the rows of a block and entry
    return np.bincount(present.indices, minlength=entries)


def small_sample_factor(blocks: Ints) -> Floats:
    """G / (G - 1) for each G, and 0 where G is below 2."""
    factor = np.zeros(blocks.shape)
    np.divide(blocks, blocks - 1.0, out=factor, where=blocks > 1)
    return factor


def difference_se(covariance: Floats) -> Floats:
    """Return the standard error of every difference of two estimates."""
    variance = np.diagonal(covariance)
    both = variance[:, None] + variance[None, :]
    shared = covariance.copy()
    np.fill_diagonal(shared, 0.0)  # an infinite variance less itself would be nan
    squared = both - 2.0 * shared
    squared[(squared <= _ROUNDING * both) & np.isfinite(both)] = 0.0
    np.fill_diagonal(squared, 0.0)
    return np.sqrt(squared)


def difference_half_width(covariance: Floats, blocks: Ints, confidence: float) -> Floats:
    """Return the half width of every difference, with the smaller degrees of freedom."""
    freedom = np.minimum(blocks[:, None], blocks[None, :]) - 1.0
    width = np.asarray(half_width(difference_se(covariance), freedom, confidence))
    np.fill_diagonal(width, 0.0)
    return width


def forget(covariance: Floats, unknown: NDArray[np.bool_]) -> None:
    """Give the `unknown` entries an infinite variance and no covariance, in place."""
    covariance[unknown, :] = 0.0
    covariance[:, unknown] = 0.0
    covariance[unknown, unknown] = np.inf
