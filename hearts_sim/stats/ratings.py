"""What is known about the strength of k entries: numbers, bounds, and their errors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of k entries, relative to the field's mean or to an anchor.

    Only results in both directions, direct or over others, measure a difference. The entries that
    are tied together by such results form a component. The main group is the component of the
    anchor, else the largest (of equal ones the one with the smallest entry); its members have a
    rating with an error. The others have at best a bound.

    Every error is that of the difference to the reference, so overlapping intervals do not mean
    that two entries are equal: ask `difference_se`.

    Attributes
    ----------
    elo : ndarray of float64, shape (k,)
        Rating, or where `bound` is not 0 a bound of it; the reference is at 1500. nan for an
        unrated entry, and for one outside the main group that no chain of wins puts above or below
        it.
    se : ndarray of float64, shape (k,)
        Standard error in Elo. 0 for the anchor; inf outside the main group, for entries with fewer
        than two blocks, and for all others when the anchor has fewer. An entry with an infinite
        error adds nothing to that of the field's mean.
    low, high : ndarray of float64, shape (k,)
        Ends of the interval; nan where `elo` is. A lower bound has no upper end (inf), an upper
        bound no lower one (-inf).
    half_width : ndarray of float64, shape (k,)
        Student t with `degrees_of_freedom`; 0 for the anchor, inf where `se` is.
    bound : ndarray of int64, shape (k,)
        1 where `elo` is a lower bound: the entry beat the main group, directly or over others, and
        was never beaten by it. -1 where it is an upper bound. Else 0.
    covariance : ndarray of float64, shape (k, k)
        Squared `se` on the diagonal. An entry with an infinite variance has covariances of 0.
    game_covariance : ndarray of float64, shape (k, k), or None
        The same as if games were independent; None when the games were not counted.
    blocks : int
        Blocks with a comparison, G.
    entry_blocks : ndarray of int64, shape (k,)
        Blocks in which the entry was compared.
    shared_blocks : ndarray of int64, shape (k, k)
        Blocks in which both entries were compared within the main group, if not with each other;
        on the diagonal, those of each.
    degrees_of_freedom : ndarray of float64, shape (k,)
        Blocks in which the entry was compared within the main group, less one; at least 0.
    connected : bool
        Whether the rated entries form one component.
    components : ndarray of int64, shape (k,)
        Strongly connected components of the graph "i scored against j", numbered in the order of
        their first entries; -1 for an unrated entry.
    undefeated, winless : ndarray of bool, shape (k,)
        Entries that won (lost) every comparison.
    unrated : ndarray of bool, shape (k,)
        Entries without a comparison.
    anchor : int or None
        Entry that is the reference; None for the mean of the main group.
    confidence : float
        Coverage of the intervals.
    """

    elo: Floats
    se: Floats
    low: Floats
    high: Floats
    half_width: Floats
    bound: Ints
    covariance: Floats
    game_covariance: Floats | None
    blocks: int
    entry_blocks: Ints
    shared_blocks: Ints
    degrees_of_freedom: Floats
    connected: bool
    components: Ints
    undefeated: NDArray[np.bool_]
    winless: NDArray[np.bool_]
    unrated: NDArray[np.bool_]
    anchor: int | None
    confidence: float

    def difference(self) -> Floats:
        """Return every difference ``elo[i] - elo[j]`` that results in both directions support.

        Returns
        -------
        ndarray of float64, shape (k, k)
            In Elo; 0 on the diagonal, nan for two entries of different components.
        """
        gap = self.elo[:, None] - self.elo[None, :]
        gap[self.components[:, None] != self.components[None, :]] = np.nan
        np.fill_diagonal(gap, 0.0)
        return gap

    def difference_se(self) -> Floats:
        """Return the standard error of every difference ``elo[i] - elo[j]``.

        Returns
        -------
        ndarray of float64, shape (k, k)
            In Elo; symmetric, 0 on the diagonal, the same whatever the reference is. inf where
            either entry is outside the main group or has fewer than two blocks.
        """
        return _clusters.difference_se(self.covariance)

    def difference_degrees_of_freedom(self) -> Floats:
        """Return the degrees of freedom of every difference of two ratings.

        Returns
        -------
        ndarray of float64, shape (k, k)
            As `RatioEstimate.difference_degrees_of_freedom`, from the blocks within the main group
            and the variances of the ratings around their mean, whatever the reference is.
        """
        of_difference = _clusters.difference_variance(self.covariance)
        variance = _around_mean(self.covariance)
        return _clusters.difference_freedom(variance, of_difference, self.shared_blocks)

    def difference_half_width(self) -> Floats:
        """Return half the width of the interval of every difference of two ratings.

        Returns
        -------
        ndarray of float64, shape (k, k)
            In Elo. Student t with `difference_degrees_of_freedom`; 0 on the diagonal.
        """
        freedom = self.difference_degrees_of_freedom()
        return _clusters.difference_half_width(self.covariance, freedom, self.confidence)

    @property
    def design_effect(self) -> Floats:
        """How many times larger a rating's variance is than if its games were independent.

        A block of g games whose common deal cancels luck has an effect below 1 and is worth more
        than g independent games; one above 1 is worth less. Kish (1965), Survey Sampling.

        Returns
        -------
        ndarray of float64, shape (k,)
            nan where either variance is unknown or the games have none (the anchor), and
            everywhere when the games were not counted.
        """
        if self.game_covariance is None:
            return np.full(self.elo.size, np.nan)
        return _ratio(np.diagonal(self.covariance), np.diagonal(self.game_covariance))

    def difference_design_effect(self) -> Floats:
        """Return the design effect of every difference of two ratings.

        Returns
        -------
        ndarray of float64, shape (k, k)
            nan on the diagonal and as in `design_effect`.
        """
        if self.game_covariance is None:
            return np.full(self.covariance.shape, np.nan)
        by_game = _clusters.difference_se(self.game_covariance)
        return _ratio(self.difference_se() ** 2, by_game**2)


def _around_mean(covariance: Floats) -> Floats:
    """Variances relative to the mean of those that have one; the others keep theirs, inf.

    Relative to an anchor, what its own blocks leave uncertain would count as every other entry's.
    """
    variance = np.diagonal(covariance).copy()
    known = np.isfinite(variance)
    if known.any():
        inner = covariance[np.ix_(known, known)]
        mean = inner.mean(axis=0)
        variance[known] = np.maximum(np.diagonal(inner) - 2.0 * mean + mean.mean(), 0.0)
    return variance


def _ratio(variance: Floats, by_game: Floats) -> Floats:
    ratio = np.full(variance.shape, np.nan)
    known = np.isfinite(variance) & np.isfinite(by_game) & (by_game > 0)
    ratio[known] = variance[known] / by_game[known]
    return ratio
