"""What the block-clustered estimators share: checking, grouping, sums of cross products.

Here and in its neighbours scipy is imported where it is needed: a process that plays counts what it
has played, for which numpy is enough.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hearts_sim.stats.intervals import half_width

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DENSE = 4
"""Numbers are counted and not sorted where there are at most so many possible ones per row."""

# A difference's variance below this share of its two parts is what rounding leaves of zero.
_ROUNDING = 1e-12
_DENSE = 2**16  # up to so many products a plain array is faster than a sparse one
_FEW = 16  # and for so few entries always
_WHOLE = 2.0**53  # whole numbers below this are exact as float64


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
    low = int(block.min()) if block.size else 0
    width = int(block.max()) - low + 1 if block.size else 1
    if block.size and width <= DENSE * block.size:  # counting is quicker than sorting
        place = block - low
        present = np.bincount(place, minlength=width) > 0
        return np.flatnonzero(present) + low, (np.cumsum(present) - 1)[place]
    distinct, index = np.unique(block, return_inverse=True)
    return distinct, index.astype(np.int64, copy=False)


def sums(cell: Ints, values: Floats, cells: int) -> Floats:
    """Add up the values of each cell, one by one in the order of the rows."""
    return np.bincount(cell, weights=values, minlength=cells).astype(np.float64, copy=False)


def cross_products(
    index: Ints,
    entry: Ints,
    value: Floats,
    blocks: int,
    entries: int,
    divisor: Floats | None = None,
) -> Floats:
    """Sum over blocks of the outer product of each block's vector of entries.

    Row r adds ``value[r]`` to component ``entry[r]`` of the vector of block ``index[r]``. Vectors
    of large fields stay sparse. Every element of the result adds its blocks up one by one in the
    same order, which BLAS does not promise: two entries with equal components get equal elements,
    to the last bit.

    With a `divisor` for each block its product is divided by it, or rather its first factor, so
    that sums of equal values give the values back; the result may then be asymmetric by rounding.
    """
    if entries <= _FEW and divisor is None and _is_exact(value, index.size):
        turned = sums(entry * blocks + index, value, entries * blocks).reshape(entries, blocks)
        exact: Floats = np.einsum("ib,jb->ij", turned, turned)  # in whatever order
        return exact
    if entries <= _FEW or blocks * entries**2 <= _DENSE:
        cells = sums(index * entries + entry, value, blocks * entries)
        plain = cells.reshape(blocks, entries)
        first = plain if divisor is None else plain / divisor[:, None]
        added = np.zeros((entries, entries))
        step = max(1, _DENSE // entries**2)
        for start in range(0, blocks, step):
            part = slice(start, start + step)
            added += (first[part, :, None] * plain[part, None, :]).sum(axis=0)
        return added
    from scipy import sparse  # type: ignore[import-untyped, unused-ignore]

    vectors = sparse.coo_array((value, (index, entry)), shape=(blocks, entries)).tocsr()
    means = vectors
    if divisor is not None:
        means = vectors.copy()
        means.data = vectors.data / np.repeat(divisor, np.diff(vectors.indptr))
    product: Floats = (means.T @ vectors).toarray()
    return product


def _is_exact(value: Floats, rows: int) -> bool:
    """Whether sums of products of these are never rounded: whole numbers, and not too large."""
    largest = max(-value.min(initial=0.0), value.max(initial=0.0))
    return bool((rows * largest) ** 2 < _WHOLE and np.all(value == np.rint(value)))


def shared_blocks(
    index: Ints, entry: Ints, blocks: int, entries: int, number: Ints | None = None
) -> Ints:
    """Count the blocks in which both of two entries appear; those of each on the diagonal.

    Rows may name a block and entry more than once. `number` is how many blocks each one stands
    for, by default one.
    """
    cell = index * entries + entry
    if not np.all(cell[1:] > cell[:-1]):
        cell = np.unique(cell)
    owner, member = np.divmod(cell, entries)
    weight = np.ones(blocks) if number is None else number.astype(np.float64)
    # A factor of 1 times one of the number of blocks, and both are whole.
    product = cross_products(owner, member, weight[owner], blocks, entries, divisor=weight)
    return np.rint(product).astype(np.int64)


def small_sample_factor(blocks: Ints) -> Floats:
    """G / (G - 1) for each G, and 0 where G is below 2."""
    factor = np.zeros(blocks.shape)
    np.divide(blocks, blocks - 1.0, out=factor, where=blocks > 1)
    return factor


def difference_variance(covariance: Floats) -> Floats:
    """Return the variance of every difference of two estimates."""
    variance = np.diagonal(covariance)
    both = variance[:, None] + variance[None, :]
    shared = covariance.copy()
    np.fill_diagonal(shared, 0.0)  # an infinite variance less itself would be nan
    squared = both - 2.0 * shared
    squared[(squared <= _ROUNDING * both) & np.isfinite(both)] = 0.0
    np.fill_diagonal(squared, 0.0)
    return squared


def difference_se(covariance: Floats) -> Floats:
    """Return the standard error of every difference of two estimates."""
    return np.sqrt(difference_variance(covariance))


def difference_freedom(variance: Floats, of_difference: Floats, shared: Ints) -> Floats:
    """Return the degrees of freedom of every difference, shape (k, k).

    `variance`, shape (k,), has the variances of the estimates (inf where unknown), `of_difference`
    those of their differences, and `shared` the blocks that both have, or each on the diagonal.

    The estimated variance D of a difference is a sum of squares over blocks. If their shares d_b
    of the difference are normal with variance v_b, a square has variance ``2 * v_b**2``, and the
    sum that of a chi-square with ``D**2 / sum(v_b**2)`` degrees of freedom. A block that only i
    has gives ``a_i / G_i``, i's variance by its blocks; what is left of D belongs to the shared
    blocks, in equal parts. Means are estimated too, for which squares are multiplied by
    ``G / (G - 1)``, shared ones by the larger such factor: with the same G blocks for both this
    gives G - 1, and without a shared block Welch's number.

    It is at least that of the entry with fewer blocks, and at most twice as much: the parts are
    estimates as well, and with very few blocks may seem small by chance.
    """
    blocks = np.diagonal(shared)
    least = np.maximum(np.minimum(blocks[:, None], blocks[None, :]) - 1.0, 0.0)
    known = np.isfinite(of_difference) & (of_difference > 0)
    scale = np.where(known, of_difference, 1.0)
    per_block = np.zeros(blocks.shape)
    np.divide(variance, blocks, out=per_block, where=(blocks > 0) & np.isfinite(variance))
    # Row i, column j: one block of i, and all those that j has not, as shares of D.
    one = per_block[:, None] / scale
    alone = (blocks[:, None] - shared) * one
    together = np.maximum(1.0 - (alone + alone.T), 0.0)
    factor = small_sample_factor(blocks)
    own = alone * one * factor[:, None]
    both = together**2 / np.maximum(shared, 1) * np.maximum(factor[:, None], factor[None, :])
    freedom = least.copy()
    np.divide(1.0, own + own.T + both, out=freedom, where=known)
    most = np.minimum(blocks[:, None] + blocks[None, :] - shared - 1.0, 2.0 * least)
    clipped: Floats = np.maximum(np.minimum(freedom, most), least)
    return clipped


def difference_half_width(covariance: Floats, freedom: Floats, confidence: float) -> Floats:
    """Return the half width of the interval of every difference."""
    width = np.asarray(half_width(difference_se(covariance), freedom, confidence))
    np.fill_diagonal(width, 0.0)
    return width


def forget(covariance: Floats, unknown: NDArray[np.bool_]) -> None:
    """Give the `unknown` entries an infinite variance and no covariance, in place."""
    covariance[unknown, :] = 0.0
    covariance[:, unknown] = 0.0
    covariance[unknown, unknown] = np.inf
