"""Points per hand, counted once and part by part, with errors clustered by block."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints
from hearts_sim.stats.intervals import half_width

# A variance of fractions below this share of its terms is what rounding leaves of zero.
_ROUNDING = 1e-13
_EXACT = 2.0**53  # whole numbers below this are exact as float64


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
    shared_blocks : ndarray of int64, shape (k, k)
        Blocks in which both entries took part; `blocks` on the diagonal.
    covariance : ndarray of float64, shape (k, k)
        Squared `se` on the diagonal. An entry with fewer than two blocks has an infinite variance
        and covariances of 0.
    confidence : float
        Coverage of the intervals.
    game_covariance : ndarray of float64, shape (k, k)
        The covariance as if games were independent of each other; all nan where games are unknown.
    design_effect : ndarray of float64, shape (k,)
        `covariance` / `game_covariance` on the diagonal: above 1 where the games of a block
        resemble each other, below 1 where they balance each other's luck. nan where games are
        unknown, and where either variance is 0 or infinite.
    """

    estimate: Floats
    se: Floats
    low: Floats
    high: Floats
    half_width: Floats
    blocks: Ints
    shared_blocks: Ints
    covariance: Floats
    confidence: float
    game_covariance: Floats
    design_effect: Floats

    def difference_se(self) -> Floats:
        """Return the standard error of every difference ``estimate[i] - estimate[j]``.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Symmetric, 0 on the diagonal, inf where either entry has fewer than two blocks.
        """
        return _clusters.difference_se(self.covariance)

    def difference_degrees_of_freedom(self) -> Floats:
        """Return the degrees of freedom of every difference of two estimates.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Symmetric. With the same G blocks for both, G - 1; without a common block, Welch's
            number. At least that of the entry with fewer blocks, at most twice as much, and less
            than there are blocks with either.

        Notes
        -----
        With G_i and G_j blocks, O of them shared, estimates of variances a_i and a_j, and a
        difference of variance D, of which ``D_O = D - (G_i-O) * a_i/G_i - (G_j-O) * a_j/G_j``
        (at least 0) is left for the shared blocks, and ``f = G / (G-1)``, the number is
        ``D**2 / ((G_i-O) * (a_i/G_i)**2 * f_i + (G_j-O) * (a_j/G_j)**2 * f_j + D_O**2/O * f)``,
        the last f being the larger one. With O = 0 the last term is 0.

        References
        ----------
        Satterthwaite (1946), "An approximate distribution of estimates of variance components",
        Biometrics Bulletin 2(6), 110-114. Welch (1947), "The generalization of 'Student's' problem
        when several different population variances are involved", Biometrika 34, 28-35.
        """
        of_difference = _clusters.difference_variance(self.covariance)
        variance = np.diagonal(self.covariance)
        return _clusters.difference_freedom(variance, of_difference, self.shared_blocks)

    def difference_half_width(self) -> Floats:
        """Return half the width of the interval of every difference of two estimates.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Student t with `difference_degrees_of_freedom`; 0 on the diagonal.
        """
        freedom = self.difference_degrees_of_freedom()
        return _clusters.difference_half_width(self.covariance, freedom, self.confidence)

    def difference_design_effect(self) -> Floats:
        """Return the design effect of every difference of two estimates.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Variance of the difference by block / the same as if games were independent. Symmetric;
            nan on the diagonal, where games are unknown, and where either variance is 0 or
            infinite.

        References
        ----------
        Kish (1965), "Survey Sampling" (the design effect of a clustered sample).
        """
        by_game = _clusters.difference_se(self.game_covariance)
        return _design_effect(self.difference_se() ** 2, by_game**2)


class RatioSums:
    """Sums from which points per hand are estimated, added up part by part.

    They take the same memory however many blocks were added. With points and hands that are whole
    numbers they are exact, and it does not matter how the blocks were parted.

    Parameters
    ----------
    entries : int
        Number of entries, k.

    Raises
    ------
    ValueError
        There is not even one entry.

    Notes
    -----
    With t_b and n_b the points and hands of one entry in block b, and T and N their sums, the
    block's linearised share of the error is ``z_b = (t_b - T/N * n_b) / N``. Multiplied out,
    ``sum z_ib * z_jb`` needs only the sums over blocks of ``t_i * t_j``, ``t_i * n_j`` and
    ``n_i * n_j``. Large terms cancel in it; while all sums are whole numbers below 2**53 this is
    done in integers and loses nothing. With fractions, ratios that differ between blocks by less
    than about a millionth of themselves drown in rounding, and the error is given as 0.

    References
    ----------
    Cochran (1977), "Sampling Techniques", 3rd ed., chapter 6 (ratio estimates).

    Examples
    --------
    >>> sums = RatioSums(entries=1)
    >>> sums.add(block=[0, 1], entry=[0, 0], total=[60, 75], count=[10, 10])
    >>> sums.add(block=[2], entry=[0], total=[45], count=[10])
    >>> sums.estimate().estimate
    array([6.])
    """

    def __init__(self, entries: int) -> None:
        _clusters.check_entries(np.zeros(0, dtype=np.int64), entries)
        self.entries = entries
        self._blocks = _ClusterSums(entries)
        self._shared = np.zeros((entries, entries), dtype=np.int64)
        self._games: _ClusterSums | None = _ClusterSums(entries)

    def add(
        self,
        block: ArrayLike,
        entry: ArrayLike,
        total: ArrayLike,
        count: ArrayLike,
        game: ArrayLike | None = None,
    ) -> None:
        """Add the rows of some blocks.

        All rows of a block must come in one call: blocks of two calls count as different ones,
        whatever their numbers, and so do games.

        Parameters
        ----------
        block, entry, total, count
            As in `ratio_by_block`.
        game : array_like of int, shape (n,), optional
            Game of each row, numbered uniquely over all blocks. Once rows came without it the
            design effects are unknown.

        Raises
        ------
        ValueError
            As in `ratio_by_block`; nothing is added then.
        """
        blocks_of_rows = _clusters.integers("block", block)
        rows = blocks_of_rows.size
        entry_of_rows = _clusters.integers("entry", entry, rows)
        _clusters.check_entries(entry_of_rows, self.entries)
        points = _clusters.finite_floats("total", total, rows)
        hands = _clusters.finite_floats("count", count, rows)
        if rows and hands.min() < 0:
            msg = f"count must not be negative, got {hands.min():g} in row {int(hands.argmin())}"
            raise ValueError(msg)

        distinct, index = _clusters.number_blocks(blocks_of_rows)
        cells = _sum_cells(index, entry_of_rows, points, hands, self.entries)
        if game is not None:
            games, game_index = _clusters.number_blocks(_clusters.integers("game", game, rows))
            _check_games(games, game_index, blocks_of_rows)
            if self._games is not None:
                by_game = _sum_cells(game_index, entry_of_rows, points, hands, self.entries)
                self._games.add(*by_game, games.size)
        elif rows:
            self._games = None
        self._blocks.add(*cells, distinct.size)
        self._shared += _clusters.shared_blocks(*cells[:2], distinct.size, self.entries)

    def merge(self, other: "RatioSums") -> None:
        """Add all that was added to `other`, whose blocks must be other ones.

        Parameters
        ----------
        other : RatioSums
            Of the same entries; it stays as it is.

        Raises
        ------
        ValueError
            The two have different numbers of entries.
        """
        if other.entries != self.entries:
            msg = f"cannot merge sums of {other.entries} entries into sums of {self.entries}"
            raise ValueError(msg)
        self._blocks.merge(other._blocks)
        self._shared += other._shared
        if self._games is None or other._games is None:
            self._games = None
        else:
            self._games.merge(other._games)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All sums as arrays by name, for `from_arrays`."""
        found: dict[str, NDArray[Any]] = {"shared": self._shared}
        clusters = {"block": self._blocks, "game": self._games}
        for name, sums in clusters.items():
            if sums is not None:
                found |= {f"{name}.{key}": value for key, value in sums.to_arrays().items()}
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "RatioSums":
        """Sums as they were when `to_arrays` gave these.

        Raises
        ------
        KeyError
            One of the arrays is missing.
        """
        sums = cls(len(arrays["shared"]))
        sums._shared = arrays["shared"]
        sums._blocks = _ClusterSums.from_arrays(_below("block", arrays))
        by_game = _below("game", arrays)
        sums._games = _ClusterSums.from_arrays(by_game) if by_game else None
        return sums

    def estimate(self, confidence: float = 0.95) -> RatioEstimate:
        """Estimate points per hand from all that was added so far.

        Parameters
        ----------
        confidence : float
            Coverage of the intervals.

        Returns
        -------
        RatioEstimate
            In points per hand.

        Raises
        ------
        ValueError
            `confidence` is not strictly between 0 and 1.
        """
        estimate = self._blocks.ratio()
        covariance = self._blocks.covariance()
        if self._games is None:
            by_game = np.full_like(covariance, np.nan)
        else:
            by_game = self._games.covariance()
        se = np.sqrt(np.diagonal(covariance))
        width = np.asarray(half_width(se, self._blocks.clusters - 1.0, confidence))
        return RatioEstimate(
            estimate=estimate,
            se=se,
            low=estimate - width,
            high=estimate + width,
            half_width=width,
            blocks=self._blocks.clusters.copy(),
            shared_blocks=self._shared.copy(),
            covariance=covariance,
            confidence=confidence,
            game_covariance=by_game,
            design_effect=_design_effect(np.diagonal(covariance), np.diagonal(by_game)),
        )


class _ClusterSums:
    """Sums of points t and hands n of k entries over clusters, which are blocks or games.

    `products` has, in its four k x k quarters, the sums over clusters of t_i t_j, t_i n_j, n_i t_j
    and n_i n_j. `least` and `most` are the bounds of t / n.
    """

    def __init__(self, entries: int) -> None:
        self.totals = np.zeros(entries)
        self.counts = np.zeros(entries)
        self.clusters = np.zeros(entries, dtype=np.int64)
        self.products = np.zeros((2 * entries, 2 * entries))
        self.least = np.full(entries, np.inf)
        self.most = np.full(entries, -np.inf)
        self.whole = True

    def add(self, index: Ints, entry: Ints, t: Floats, n: Floats, clusters: int) -> None:
        """Add cells, each one cluster and entry, of clusters numbered 0 .. clusters-1."""
        entries = self.totals.size
        self.totals += _clusters.sums(entry, t, entries)
        self.counts += _clusters.sums(entry, n, entries)
        self.clusters += np.bincount(entry, minlength=entries)
        self.products += _clusters.cross_products(
            np.concatenate((index, index)),
            np.concatenate((entry, entries + entry)),
            np.concatenate((t, n)),
            clusters,
            2 * entries,
        )
        np.minimum.at(self.least, entry, t / n)
        np.maximum.at(self.most, entry, t / n)
        self.whole &= bool(np.all(t == np.rint(t)) and np.all(n == np.rint(n)))

    def merge(self, other: "_ClusterSums") -> None:
        self.totals += other.totals
        self.counts += other.counts
        self.clusters += other.clusters
        self.products += other.products
        self.least = np.minimum(self.least, other.least)
        self.most = np.maximum(self.most, other.most)
        self.whole &= other.whole

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {name: np.asarray(value) for name, value in vars(self).items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "_ClusterSums":
        sums = cls(len(arrays["totals"]))
        for name in vars(sums):
            setattr(sums, name, arrays[name])
        sums.whole = bool(arrays["whole"])
        return sums

    def ratio(self) -> Floats:
        """Sum of t / sum of n; the sums of points such as 0.1 are rounded, equal ratios are not."""
        ratio = np.full(self.totals.size, np.nan)
        np.divide(self.totals, self.counts, out=ratio, where=self.counts > 0)
        return np.where(self.least == self.most, self.least, ratio)

    def covariance(self) -> Floats:
        """Covariance of the ratios; unknown for an entry with fewer than two clusters."""
        entries = self.totals.size
        tt, tn = self.products[:entries, :entries], self.products[:entries, entries:]
        nt, nn = self.products[entries:, :entries], self.products[entries:, entries:]
        # A sum of products is no larger than the larger sum of squares of its two factors.
        exact = self.whole and bool(np.all(np.diagonal(self.products) < _EXACT))
        number = _as_integers if exact else np.asarray
        totals, counts = number(self.totals), number(self.counts)

        covariance = np.zeros((entries, entries))
        for i in range(entries):
            j = i + np.flatnonzero(nn[i, i:])
            t, n = totals[j], counts[j]
            # Every term is symmetric in i and j, to the last bit also in fractions.
            crossed = counts[i] * t * number(tn[i, j]) + totals[i] * n * number(nt[i, j])
            squared = counts[i] * n * number(tt[i, j]) + totals[i] * t * number(nn[i, j])
            covariance[i, j] = (squared - crossed) / (counts[i] * n) ** 2
            covariance[j, i] = covariance[i, j]

        steady = self.least == self.most
        if not exact:
            steady |= self._drowned(np.diagonal(tt), np.diagonal(tn), np.diagonal(nn))
        covariance[steady, :] = 0.0
        covariance[:, steady] = 0.0
        factor = np.sqrt(_clusters.small_sample_factor(self.clusters))
        covariance *= np.outer(factor, factor)
        _clusters.forget(covariance, self.clusters < 2)
        return covariance

    def _drowned(self, tt: Floats, tn: Floats, nn: Floats) -> NDArray[np.bool_]:
        """Which entries have a variance that is no larger than its rounding, perhaps negative."""
        squared = self.counts**2 * tt + self.totals**2 * nn
        crossed = 2.0 * self.counts * self.totals * tn
        return squared - crossed <= _ROUNDING * (squared + np.abs(crossed))


def _below(name: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with this one, without it."""
    start = f"{name}."
    return {
        key.removeprefix(start): value for key, value in arrays.items() if key.startswith(start)
    }


def ratio_by_block(
    block: ArrayLike,
    entry: ArrayLike,
    total: ArrayLike,
    count: ArrayLike,
    entries: int,
    confidence: float = 0.95,
    game: ArrayLike | None = None,
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
    game : array_like of int, shape (n,), optional
        Game of each row, numbered uniquely over all blocks; with it come design effects.

    Returns
    -------
    RatioEstimate
        In points per hand.

    Raises
    ------
    ValueError
        Columns of unequal length or wrong type, an entry outside its range, a value that is not
        finite, a negative count, points without a hand, a game in two blocks, or a confidence
        outside (0, 1).

    See Also
    --------
    RatioSums : the same, part by part.

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
    sums = RatioSums(entries)
    sums.add(block, entry, total, count, game)
    return sums.estimate(confidence)


def _sum_cells(
    index: Ints, entry: Ints, points: Floats, hands: Floats, entries: int
) -> tuple[Ints, Ints, Floats, Floats]:
    """Add up the rows of each block and entry, and drop those without hands."""
    key = index * entries + entry
    size = int(key.max(initial=0)) + 1
    if not np.all(key[1:] >= key[:-1]) and size <= _clusters.DENSE * key.size:
        rows = np.bincount(key, minlength=size)
        cells = np.flatnonzero(rows)
        points = _clusters.sums(key, points, size)[cells]
        hands = _clusters.sums(key, hands, size)[cells]
        index, entry = np.divmod(cells, entries)
        key = cells
    elif not np.all(key[1:] >= key[:-1]):
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


def _check_games(games: Ints, index: Ints, block: Ints) -> None:
    """Raise ValueError where a game has rows in two blocks."""
    block_of_game = np.zeros(games.size, dtype=np.int64)
    block_of_game[index] = block
    elsewhere = np.flatnonzero(block_of_game[index] != block)
    if elsewhere.size:
        at = index[elsewhere[0]]
        msg = (
            f"game {games[at]} has rows in blocks {block[elsewhere[0]]} and {block_of_game[at]}: "
            "number the games uniquely over all blocks"
        )
        raise ValueError(msg)


def _as_integers(values: Floats) -> NDArray[np.object_]:
    """Whole numbers as Python's integers, which never overflow."""
    return values.astype(np.int64).astype(object)


def _design_effect(by_block: Floats, by_game: Floats) -> Floats:
    """Ratio of two variances, nan where either is 0, infinite or unknown."""
    effect = np.full(by_block.shape, np.nan)
    known = (by_block > 0) & (by_game > 0) & np.isfinite(by_block) & np.isfinite(by_game)
    np.divide(by_block, by_game, out=effect, where=known)
    return effect
