"""A sequential test of two hypotheses on block means: play on only until the answer is clear."""

import math
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats

MIN_BLOCKS = 32
"""Blocks before the first decision: with fewer, a chance run of alike values looks like proof."""


@dataclass(frozen=True)
class Look:
    """What a `SequentialTest` says about the blocks so far.

    Attributes
    ----------
    blocks : int
        Block means looked at.
    mean : float
        Their mean; nan without blocks.
    se : float
        Standard error of the mean; inf with fewer than two blocks.
    llr : float
        Logarithm of the likelihood ratio of h1 to h0; always finite, 0 without blocks.
    lower, upper : float
        At or below `lower` the test decides for h0, at or above `upper` for h1.
    decision : {"h0", "h1"} or None
        None: play on.
    """

    blocks: int
    mean: float
    se: float
    llr: float
    lower: float
    upper: float
    decision: Literal["h0", "h1"] | None


@dataclass(frozen=True)
class SequentialTest:
    """Generalised sequential probability ratio test of a mean, its variance unknown.

    The mean of a block is one observation, for example A's share of its comparisons with B, or
    A's points per hand less B's. The test may be looked at after any block, as often as one likes;
    fixed block numbers keep its result independent of how fast blocks arrive.

    Parameters
    ----------
    h0, h1 : float
        The mean under either hypothesis, in the unit of the block means; h1 may be the smaller.
    alpha : float
        Promised chance to decide for h1 when the mean is h0.
    beta : float
        Promised chance to decide for h0 when the mean is h1.
    min_blocks : int
        No decision with fewer blocks.

    Raises
    ------
    ValueError
        A hypothesis that is not finite, equal hypotheses, `alpha` or `beta` outside (0, 0.5), or
        `min_blocks` below 1.

    Notes
    -----
    With m the mean and s2 the mean squared deviation from it (the maximum of the likelihood) of n
    normal block means, the likelihood at a given mean h, at its maximum over the variance, is
    proportional to ``(1 + (m - h)**2 / s2) ** (-n/2)``. Values with a long tail on one side are
    not normal: a sample that misses the tail has a low mean and a low variance together, and would
    be too sure. Therefore s2 is replaced, for each h, by ``w = s2 + 2/3 * m3/s2 * (h - m)``, m3
    being the third central moment, but by no less than ``s2 / 4``, and the logarithm of the ratio
    of h1 to h0 is ``n/2 * (log(1 + (m - h0)**2 / w0) - log(1 + (m - h1)**2 / w1))``.

    The 2/3 make this agree with the empirical likelihood, which takes no distribution for granted,
    to the third order in d = m - h. That gives the values x the weights
    ``1 / (n * (1 + c * (x - h)))`` with c such that their mean is h. With a2 and a3 the second
    and third moments of x - h, ``c = d/a2 + a3*d**2/a2**3`` and higher powers of d; minus twice
    the logarithm of its ratio, ``2n * mean(log(1 + c * (x - h)))``, is
    ``n * (d**2/a2 + 2/3 * a3*d**3/a2**3)``, and in the lowest orders a2 is s2 and a3 is m3.
    ``n * d**2 / w`` has the same expansion.

    Here s2 has ``(h1 - h0)**2 / n`` added, as if one block more had been off the mean by the
    difference of the hypotheses under both of them. That keeps the ratio finite when all values
    are alike, and vanishes as n grows: n values equal to h0, such as those of a strategy against
    itself, have a ratio of ``-n/2 * log(1 + n)``, and end as h0 at `min_blocks`.

    Wald's bounds take the ratio to reach them exactly and the likelihood to be known. It jumps
    over them, which makes errors rarer, and the moments are estimated, which makes them more
    frequent at the start: hence `min_blocks`. Where nearly all blocks are equal and a rare one
    makes the difference, ask for more. ``docs/verification/coverage.md`` has the simulated errors.

    References
    ----------
    Wald (1945), "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics
    16(2), 117-186. Van den Bergh (2017), "A practical introduction to the GSPRT", note (the test
    with estimated parameters, as used for chess engines). Owen (1988), "Empirical likelihood ratio
    confidence intervals for a single functional", Biometrika 75(2), 237-249.

    Examples
    --------
    >>> test = SequentialTest(h0=0.0, h1=1.0, min_blocks=3)
    >>> test.look([1.2, 0.9]).decision is None
    True
    >>> test.look([1.2, 0.9, 1.1, 0.8, 1.0]).decision
    'h1'
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    min_blocks: int = MIN_BLOCKS

    def __post_init__(self) -> None:
        """Check the arguments."""
        for name in ("h0", "h1"):
            if not math.isfinite(getattr(self, name)):
                msg = f"{name} must be finite, got {getattr(self, name)!r}"
                raise ValueError(msg)
        if self.h0 == self.h1:
            msg = f"h0 and h1 must differ, both are {self.h0!r}"
            raise ValueError(msg)
        for name in ("alpha", "beta"):
            if not 0.0 < getattr(self, name) < 0.5:
                msg = f"{name} must lie between 0 and 0.5, got {getattr(self, name)!r}"
                raise ValueError(msg)
        if self.min_blocks < 1:
            msg = f"min_blocks must be at least 1, got {self.min_blocks!r}"
            raise ValueError(msg)

    @property
    def lower(self) -> float:
        """Wald's bound for h0, ``log(beta / (1 - alpha))``."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """Wald's bound for h1, ``log((1 - beta) / alpha)``."""
        return math.log((1.0 - self.beta) / self.alpha)

    def look(self, values: ArrayLike) -> Look:
        """Judge the blocks so far.

        Parameters
        ----------
        values : array_like, shape (n,)
            One value per block, of all blocks up to now. Their order does not matter to the
            result, but a test is to be looked at as the blocks come.

        Returns
        -------
        Look
            With the decision, if it can be made.

        Raises
        ------
        ValueError
            `values` is not flat, or holds a value that is not finite.
        """
        held = _clusters.finite_floats("values", values)
        blocks = held.size
        if not blocks:
            return Look(0, math.nan, math.inf, 0.0, self.lower, self.upper, None)
        off = held - held[0]  # so that equal values have no spread, to the last bit
        mean = float(held[0] + off.mean())
        se = float(off.std(ddof=1)) / math.sqrt(blocks) if blocks > 1 else math.inf
        third = np.mean((off - off.mean()) ** 3)
        llr = float(log_likelihood_ratio(blocks, mean, off.var(), self, third))
        decision: Literal["h0", "h1"] | None = None
        if blocks >= self.min_blocks:
            decision = "h0" if llr <= self.lower else "h1" if llr >= self.upper else None
        return Look(blocks, mean, se, llr, self.lower, self.upper, decision)


def log_likelihood_ratio(
    blocks: int,
    mean: ArrayLike,
    variance: ArrayLike,
    test: SequentialTest,
    third: ArrayLike = 0.0,
) -> Floats:
    """Logarithm of the likelihood ratio of h1 to h0 (the notes of `SequentialTest` derive it).

    Parameters
    ----------
    blocks : int
        Values behind each mean, n.
    mean, variance : array_like
        Of the values; the variance is divided by n, not n - 1. Broadcast against each other.
    test : SequentialTest
        Has the hypotheses.
    third : array_like
        Third central moment of the values, likewise divided by n; 0 for symmetric ones.

    Returns
    -------
    ndarray of float64
        Of the shape of `mean`, `variance` and `third`; finite.
    """
    gap = test.h1 - test.h0
    # In units of the gap, counted from h0, the hypotheses are 0 and 1.
    at = (np.asarray(mean, dtype=np.float64) - test.h0) / gap
    spread = np.asarray(variance, dtype=np.float64) / gap / gap + 1.0 / blocks
    tilt = 2.0 / 3.0 * (np.asarray(third, dtype=np.float64) / gap / gap / gap) / spread
    off_h0, off_h1 = (
        np.log1p((at - h) ** 2 / np.maximum(spread + tilt * (h - at), spread / 4.0))
        for h in (0.0, 1.0)
    )
    ratio: Floats = blocks / 2.0 * (off_h0 - off_h1)
    return ratio


@overload
def elo_to_score(elo: float) -> float: ...
@overload
def elo_to_score(elo: ArrayLike) -> float | NDArray[np.float64]: ...
def elo_to_score(elo: ArrayLike) -> float | NDArray[np.float64]:
    """Share of comparisons that a difference in Elo lets expect: hypotheses in Elo as shares.

    Parameters
    ----------
    elo : array_like
        A's rating less B's.

    Returns
    -------
    float or ndarray of float64
        ``1 / (1 + 10 ** (-elo / 400))``, A's expected share of its comparisons with B, a tie
        counting one half; a float when `elo` is a scalar.

    References
    ----------
    Elo (1978), "The rating of chessplayers, past and present", Arco.

    Examples
    --------
    >>> elo_to_score(0.0)
    0.5
    >>> round(elo_to_score(400.0), 4)
    0.9091
    """
    from scipy.special import expit  # type: ignore[import-untyped, unused-ignore]

    share = np.asarray(expit(np.asarray(elo, dtype=np.float64) * (math.log(10.0) / 400.0)))
    return float(share) if share.ndim == 0 else share
