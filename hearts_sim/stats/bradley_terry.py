"""Bradley-Terry ratings on the Elo scale, with errors clustered by block."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph, csr_array  # type: ignore[import-untyped, unused-ignore]
from scipy.special import expit  # type: ignore[import-untyped, unused-ignore]

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints
from hearts_sim.stats.intervals import half_width
from hearts_sim.stats.pairs import PairCounts

ELO_PER_LOGIT = 400.0 / math.log(10.0)
"""Elo points per unit of log odds: 400 points are odds of ten to one."""

REFERENCE_ELO = 1500.0
"""Rating printed for the reference: the field's mean, or the anchor."""

_MAX_STEPS = 500
_STEP_TOLERANCE = 1e-9
_WIDEST_PRIOR = 1e5  # in Elo; a wider one drowns in rounding where only it holds groups together


class ConvergenceError(RuntimeError):
    """Newton's method did not reach the maximum of the likelihood.

    Attributes
    ----------
    iterations : int
        Steps taken.
    gradient : float
        Largest element of the gradient where it stopped, in comparisons.
    """

    def __init__(self, iterations: int, gradient: float) -> None:
        self.iterations = iterations
        self.gradient = gradient
        super().__init__(iterations, gradient)

    def __str__(self) -> str:
        """Say how far it came."""
        return (
            f"Bradley-Terry fit not converged after {self.iterations} iterations, "
            f"largest gradient {self.gradient:.3g}"
        )


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of k entries, relative to the field's mean or to an anchor.

    Every error is that of the difference to this reference, so overlapping intervals do not mean
    that two entries are equal: ask `difference_se`.

    Attributes
    ----------
    elo : ndarray of float64, shape (k,)
        Rating; the reference is at 1500. nan for an unrated entry.
    se : ndarray of float64, shape (k,)
        Standard error in Elo. 0 for the anchor; inf for other entries with fewer than two blocks,
        and for all others when the anchor has fewer. An entry with an infinite error adds nothing
        to that of the field's mean.
    low, high : ndarray of float64, shape (k,)
        Ends of the interval; nan where `elo` is.
    half_width : ndarray of float64, shape (k,)
        Student t with ``entry_blocks - 1`` degrees of freedom; 0 for the anchor.
    covariance : ndarray of float64, shape (k, k)
        Squared `se` on the diagonal. An entry with an infinite variance has covariances of 0.
    blocks : int
        Blocks with a comparison, G.
    entry_blocks : ndarray of int64, shape (k,)
        Blocks in which the entry was compared.
    connected : bool
        Whether the rated entries form one component.
    components : ndarray of int64, shape (k,)
        Strongly connected components of the graph "i scored against j", numbered in the order of
        their first entries; -1 for an unrated entry. Only the prior determines the difference of
        two ratings in different components: do not print it as a measurement.
    undefeated, winless : ndarray of bool, shape (k,)
        Entries that won (lost) every comparison. The likelihood puts them at plus (minus)
        infinity, the prior makes that a number: print a bound, or leave them out.
    unrated : ndarray of bool, shape (k,)
        Entries without a comparison.
    anchor : int or None
        Entry that is the reference; None for the mean of the rated entries.
    confidence : float
        Coverage of the intervals.
    """

    elo: Floats
    se: Floats
    low: Floats
    high: Floats
    half_width: Floats
    covariance: Floats
    blocks: int
    entry_blocks: Ints
    connected: bool
    components: Ints
    undefeated: NDArray[np.bool_]
    winless: NDArray[np.bool_]
    unrated: NDArray[np.bool_]
    anchor: int | None
    confidence: float

    def difference_se(self) -> Floats:
        """Return the standard error of every difference ``elo[i] - elo[j]``.

        Returns
        -------
        ndarray of float64, shape (k, k)
            In Elo; symmetric, 0 on the diagonal, the same whatever the reference is. inf where
            either entry has fewer than two blocks.
        """
        return _clusters.difference_se(self.covariance)

    def difference_half_width(self) -> Floats:
        """Return half the width of the interval of every difference of two ratings.

        Returns
        -------
        ndarray of float64, shape (k, k)
            In Elo. Student t with the degrees of freedom of the entry that has fewer blocks; 0 on
            the diagonal.
        """
        return _clusters.difference_half_width(self.covariance, self.entry_blocks, self.confidence)


def bradley_terry(
    pairs: PairCounts,
    entries: int,
    *,
    anchor: int | None = None,
    confidence: float = 0.95,
    prior_sd: float = 1000.0,
) -> Ratings:
    """Rate entries by maximum likelihood from all their comparisons at once.

    The order of the games does not matter. Entry i is modelled to finish ahead of j with the odds
    ``10 ** ((elo_i - elo_j) / 400)``; a tie is half a win. Ratings are relative: the field's mean,
    or the anchor if there is one, is printed as 1500. They belong to the field and the format in
    which they were won, and those of different runs must not be mixed.

    Parameters
    ----------
    pairs : PairCounts
        Comparisons by block, in any order.
    entries : int
        Number of entries, k.
    anchor : int, optional
        Entry to measure the others against; its error is 0.
    confidence : float
        Coverage of the intervals.
    prior_sd : float
        Standard deviation, in Elo, of a normal prior around the field's mean on each rating. At
        1000 it moves nothing that was measured and keeps every rating finite; ``inf`` is none, and
        one above 100,000 is too wide to keep ratings finite.

    Returns
    -------
    Ratings
        In Elo.

    Raises
    ------
    ValueError
        A pair or the anchor names an entry outside 0 .. k-1, the anchor was never compared,
        `prior_sd` is not positive, `confidence` is outside (0, 1), or without a prior (or with one
        that is too wide) the entries are not strongly connected, so that no finite maximum exists.
    ConvergenceError
        Newton's method failed.

    Notes
    -----
    Games of a block share their deals, and the comparisons of a game its players, so the curvature
    of the likelihood understates the error. The covariance is the sandwich
    ``H^-1 (sum_b u_b u_b') H^-1`` with H the negative Hessian and u_b the score (gradient) of
    block b, taken among contrasts of the ratings.

    Row and column i of the middle are multiplied by ``sqrt(G_i / (G_i - 1))``, G_i being the
    blocks in which i was compared. When every entry is in every block, that is the usual factor
    G/(G-1). When not, G/(G-1) and G-1 degrees of freedom would count blocks that say nothing about
    an entry, and one that was in a single block would get an error near 0.

    References
    ----------
    Bradley and Terry (1952), "Rank analysis of incomplete block designs I", Biometrika 39,
    324-345. Liang and Zeger (1986), "Longitudinal data analysis using generalized linear models",
    Biometrika 73(1), 13-22 (the sandwich over clusters). Bell and McCaffrey (2002), "Bias
    reduction in standard errors for linear regression with multi-stage samples", Survey
    Methodology 28(2), 169-181 (few clusters).
    """
    wins = pairs.win_matrix(entries)
    if not prior_sd > 0:
        msg = f"prior_sd must be positive, got {prior_sd!r}"
        raise ValueError(msg)
    games = wins + wins.T
    unrated = games.sum(axis=1) == 0
    if anchor is not None and (not 0 <= anchor < entries or unrated[anchor]):
        msg = f"anchor must be an entry with comparisons, got {anchor}"
        raise ValueError(msg)
    components = _components(wins, unrated)
    connected = int(components.max()) == 0
    if prior_sd > _WIDEST_PRIOR and not connected and not unrated.all():
        msg = (
            "without a prior the ratings are infinite: the entries fall into "
            f"{components.max() + 1} groups that are not connected by wins in both directions"
        )
        raise ValueError(msg)

    rated = np.flatnonzero(~unrated)
    theta = np.zeros(entries)
    bread = np.zeros((entries, entries))
    theta[rated], bread[np.ix_(rated, rated)] = _maximize(
        wins[np.ix_(rated, rated)], ELO_PER_LOGIT / prior_sd
    )

    distinct, index = _clusters.number_blocks(pairs.block)
    score = pairs.wins - pairs.games * expit(theta[pairs.i] - theta[pairs.j])
    both_index = np.concatenate((index, index))
    both_entry = np.concatenate((pairs.i, pairs.j))
    scores = np.concatenate((score, -score))
    middle = _clusters.cross_products(both_index, both_entry, scores, distinct.size, entries)
    entry_blocks = _clusters.blocks_per_entry(both_index, both_entry, distinct.size, entries)
    factor = np.sqrt(_clusters.small_sample_factor(entry_blocks))
    covariance = bread @ (middle * np.outer(factor, factor)) @ bread * ELO_PER_LOGIT**2

    reference = np.zeros(entries)
    reference[rated if anchor is None else anchor] = 1.0
    reference /= max(reference.sum(), 1.0)
    to_reference = np.eye(entries) - reference
    covariance = to_reference @ covariance @ to_reference.T
    covariance = (covariance + covariance.T) / 2.0
    unknown = entry_blocks < 2
    freedom = entry_blocks - 1.0
    if anchor is not None:
        unknown |= unknown[anchor]
        freedom[anchor] = np.inf
    _clusters.forget(covariance, unknown)
    if anchor is not None:
        covariance[anchor, :] = covariance[:, anchor] = 0.0

    elo = REFERENCE_ELO + ELO_PER_LOGIT * (theta - reference @ theta)
    elo[unrated] = np.nan
    se = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    width = np.asarray(half_width(se, freedom, confidence))
    return Ratings(
        elo=elo,
        se=se,
        low=elo - width,
        high=elo + width,
        half_width=width,
        covariance=covariance,
        blocks=distinct.size,
        entry_blocks=entry_blocks,
        connected=connected,
        components=components,
        undefeated=~unrated & (wins.sum(axis=0) == 0),
        winless=~unrated & (wins.sum(axis=1) == 0),
        unrated=unrated,
        anchor=anchor,
        confidence=confidence,
    )


def _maximize(wins: Floats, precision: float) -> tuple[Floats, Floats]:
    """Return the log strengths (mean 0) and the inverse of the negative Hessian among contrasts.

    A Newton step shortened until it changes no difference of two strengths by more than 1 cannot
    lower this likelihood, so no line search is needed: Bach (2010), "Self-concordant analysis for
    logistic regression", Electronic Journal of Statistics 4, 384-414.
    """
    size = wins.shape[0]
    theta = np.zeros(size)
    if not size:
        return theta, np.zeros((0, 0))
    games = wins + wins.T
    rounding = 4.0 * np.finfo(np.float64).eps * games.sum(axis=1)
    for _ in range(_MAX_STEPS):
        gradient, hessian = _derivatives(wins, games, theta, precision)
        inverse = _invert_among_contrasts(hessian)
        step = inverse @ gradient
        length = float(np.ptp(step))
        if length <= _STEP_TOLERANCE or np.all(np.abs(gradient) <= rounding):
            return _tie_twins(wins, theta + step - np.mean(theta + step)), inverse
        theta += step / max(length, 1.0)
    raise ConvergenceError(_MAX_STEPS, float(np.abs(gradient).max()))


def _derivatives(
    wins: Floats, games: Floats, theta: Floats, precision: float
) -> tuple[Floats, Floats]:
    """Gradient and negative Hessian of the log likelihood with the prior."""
    expected = expit(theta[:, None] - theta[None, :])
    gradient = (wins - games * expected).sum(axis=1) - precision**2 * theta
    hessian = -games * expected * expected.T
    np.fill_diagonal(hessian, 0.0)
    np.fill_diagonal(hessian, precision**2 - hessian.sum(axis=1))
    return gradient, hessian


def _invert_among_contrasts(hessian: Floats) -> Floats:
    """Invert on vectors that sum to 0; without a prior there is no inverse on the others."""
    size = hessian.shape[0]
    scale = float(np.diagonal(hessian).max()) or 1.0
    inverse = np.linalg.inv(hessian + scale / size)
    contrasts: Floats = inverse - inverse.mean(axis=0)
    return contrasts


def _tie_twins(wins: Floats, theta: Floats) -> Floats:
    """Give entries with the same record against everybody the same strength, to the last bit.

    The maximum is unique, so if swapping two entries leaves the counts as they are, their
    strengths are equal; solving the equations leaves a difference of rounding errors.
    """
    theta = theta.copy()
    won = wins.sum(axis=1)
    tied = np.zeros(theta.size, dtype=np.bool_)
    for i in range(theta.size):
        if tied[i]:
            continue
        for j in i + 1 + np.flatnonzero(won[i + 1 :] == won[i]):
            swapped = np.arange(theta.size)
            swapped[i], swapped[j] = j, i
            if np.array_equal(wins[i], wins[j, swapped]) and np.array_equal(
                wins[:, i], wins[swapped, j]
            ):
                theta[j] = theta[i]
                tied[j] = True
    return theta


def _components(wins: Floats, unrated: NDArray[np.bool_]) -> Ints:
    """Label strongly connected components in the order of their first entries, unrated as -1."""
    _, label = csgraph.connected_components(csr_array(wins > 0), connection="strong")
    _, first, label = np.unique(label, return_index=True, return_inverse=True)
    first[label[unrated]] = label.size  # components of their own, at the end
    labels = np.argsort(np.argsort(first, kind="stable"), kind="stable")[label]
    labels[unrated] = -1
    return labels.astype(np.int64)
