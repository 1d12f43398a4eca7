"""Which of several entries is the better one, and with what confidence: Elo or points alike."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hearts_sim.stats._clusters import Floats, Ints

LEAST_BLOCKS = 10
"""With fewer blocks in common use the spread is too poorly known to call a difference real."""


def likelihood_of_superiority(difference: ArrayLike, se: ArrayLike, df: ArrayLike) -> Floats:
    """Probability that the true difference is above 0.

    Parameters
    ----------
    difference : array_like
        Estimated differences, in any unit. A square matrix holds all pairs of entries, and has
        0.5 on its diagonal whatever is unknown about the entry itself.
    se : array_like
        Their standard errors.
    df : array_like
        Degrees of freedom, broadcast like `se`; inf for the normal distribution.

    Returns
    -------
    ndarray of float64
        Student t. 0.5 where neither difference nor error is there, 0 or 1 where only the error is
        0, nan where the difference is nan, the error nan or inf, or `df` below 1.

    Notes
    -----
    Without prior knowledge of the difference this is its posterior probability, and one less the
    one-sided p value: Jeffreys (1961), Theory of Probability, 3rd edition.
    """
    t, freedom = _statistic(difference, se, df)
    return _lower_tail(t, freedom)


def holm(p: ArrayLike) -> Floats:
    """Adjust p values of several tests so that all can be read together.

    Parameters
    ----------
    p : array_like, shape (m,)
        p values; nan for a test that was not made.

    Returns
    -------
    ndarray of float64, shape (m,)
        In the same order. Rejecting where the value is at most alpha makes a false rejection
        anywhere no likelier than alpha, however the tests depend on each other. nan where p is.

    Raises
    ------
    ValueError
        `p` is not flat, or outside 0 .. 1.

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6(2), 65-70.
    """
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or np.any((values < 0) | (values > 1)):
        msg = "p must be a flat array of values between 0 and 1"
        raise ValueError(msg)
    made = np.flatnonzero(~np.isnan(values))
    ascending = made[np.argsort(values[made], kind="stable")]
    left = np.arange(made.size, 0, -1)
    adjusted = np.full(values.size, np.nan)
    adjusted[ascending] = np.minimum(np.maximum.accumulate(left * values[ascending]), 1.0)
    return adjusted


def significant_differences(
    difference: ArrayLike,
    se: ArrayLike,
    df: ArrayLike,
    confidence: float = 0.95,
    blocks: ArrayLike | None = None,
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Test all pairs of entries at once.

    Parameters
    ----------
    difference, se : array_like, shape (k, k)
        Estimated differences of entry i less entry j, and their standard errors.
    df : array_like
        Degrees of freedom, broadcast like `se`; blocks less one where all entries share them.
    confidence : float
        Probability that not one true tie is called a difference.
    blocks : array_like, shape (k,), optional
        Blocks of each entry; left out, one more than `df`.

    Returns
    -------
    p : ndarray of float64, shape (k, k)
        Two-sided p value of each pair alone; nan where it is unknown.
    p_holm : ndarray of float64, shape (k, k)
        Adjusted for all pairs that are tested. A pair of which one has fewer than 10 blocks is not,
        its result being provisional, and has nan. Both are 1 on the diagonal.
    better : ndarray of bool, shape (k, k)
        Whether i is better than j: difference above 0 and p_holm at most ``1 - confidence``.

    Raises
    ------
    ValueError
        `difference` is not square, or `confidence` not strictly between 0 and 1.
    """
    if not 0.0 < confidence < 1.0:
        msg = f"confidence must lie between 0 and 1, got {confidence!r}"
        raise ValueError(msg)
    t, freedom = _statistic(difference, se, df)
    if t.ndim != 2 or t.shape[0] != t.shape[1]:
        msg = f"difference must be a square matrix, got shape {t.shape}"
        raise ValueError(msg)
    p = 2.0 * _lower_tail(-np.abs(t), freedom)
    np.fill_diagonal(p, 1.0)
    i, j = np.triu_indices(t.shape[0], 1)
    enough = freedom >= LEAST_BLOCKS - 1
    if blocks is not None:
        held = np.asarray(blocks)
        enough = np.minimum(held[:, None], held[None, :]) >= LEAST_BLOCKS
    tested = np.where(enough, p, np.nan)[i, j]
    p_holm = np.ones(p.shape)
    p_holm[i, j] = p_holm[j, i] = holm(tested)
    # In whole steps, as 1 - 0.95 is not quite 0.05.
    better = (p_holm <= round(1.0 - confidence, 12)) & (t > 0)
    return p, p_holm, better


def rank_intervals(better: ArrayLike) -> tuple[Ints, Ints]:
    """Best and worst rank that each entry can have.

    Parameters
    ----------
    better : array_like of bool, shape (k, k)
        Whether i is better than j, from tests that hold together, as `significant_differences`.

    Returns
    -------
    best, worst : ndarray of int64, shape (k,)
        One more than the number of entries that are better; k less the number that are worse.
        Because the tests hold together, so do the intervals: with their confidence all of them
        contain the true ranks at once.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), "Inference for Ranks with Applications to Mobility
    across Neighbourhoods and Academic Achievement across Countries", Review of Economic Studies
    91(1), 476-518.
    """
    beats = np.asarray(better, dtype=np.bool_)
    if beats.ndim != 2 or beats.shape[0] != beats.shape[1]:
        msg = f"better must be a square matrix, got shape {beats.shape}"
        raise ValueError(msg)
    best = 1 + beats.sum(axis=0, dtype=np.int64)
    worst = beats.shape[0] - beats.sum(axis=1, dtype=np.int64)
    return best, worst


def games_needed(games: float, half_width: float, wanted: float) -> float:
    """Further games until an interval is as narrow as wanted.

    Parameters
    ----------
    games : float
        Games behind the present interval.
    half_width : float
        Half its width.
    wanted : float
        Half the width that is wanted, in the same unit.

    Returns
    -------
    float
        At the present rate: the error falls with the square root of the games. 0 when it is
        reached, nan when the present width is unknown.

    Raises
    ------
    ValueError
        `wanted` is not positive.

    Examples
    --------
    >>> games_needed(1000, 20.0, 10.0)
    3000.0
    """
    if not wanted > 0:
        msg = f"wanted must be positive, got {wanted!r}"
        raise ValueError(msg)
    if not (math.isfinite(half_width) and half_width >= 0 and games > 0):
        return math.nan
    return max(0.0, games * ((half_width / wanted) ** 2 - 1.0))


def _statistic(difference: ArrayLike, se: ArrayLike, df: ArrayLike) -> tuple[Floats, Floats]:
    """Return difference / error, with its limit where the error is 0, and the broadcast `df`."""
    gap, error, freedom = np.broadcast_arrays(
        *(np.asarray(values, dtype=np.float64) for values in (difference, se, df))
    )
    t = np.where(error == 0.0, np.where(gap == 0.0, 0.0, np.copysign(np.inf, gap)), np.nan)
    t[np.isnan(gap)] = np.nan
    known = (error > 0) & np.isfinite(error)
    t[known] = gap[known] / error[known]
    t[~(freedom >= 1) & ((gap != 0.0) | (error != 0.0))] = np.nan
    if t.ndim == 2 and t.shape[0] == t.shape[1]:
        np.fill_diagonal(t, 0.0)
    return t, freedom


def _lower_tail(t: Floats, freedom: Floats) -> Floats:
    from scipy.special import ndtr, stdtr  # type: ignore[import-untyped, unused-ignore]

    tail = np.full(t.shape, np.nan)
    few = np.isfinite(freedom) & (freedom >= 1)
    tail[few] = stdtr(freedom[few], t[few])
    many = np.isposinf(freedom)
    tail[many] = ndtr(t[many])
    tail[t == 0.0] = 0.5
    return tail
