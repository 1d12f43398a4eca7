"""How stable a ranking is: blocks drawn anew, with replacement, and rated again."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints
from hearts_sim.stats._newton import maximize, maximize_many
from hearts_sim.stats.bradley_terry import ELO_PER_LOGIT
from hearts_sim.stats.pairs import PairCounts

if TYPE_CHECKING:
    from scipy import sparse  # type: ignore[import-untyped, unused-ignore]

_LEVEL = 1e-8  # difference of log odds below which two entries are level, but for rounding
_MEMORY = 150e6  # bytes for one chunk of draws, of which about ten (k, k) tables are held
_WIDEST_PRIOR = 1e5


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Ranks of k entries in resampled runs.

    Attributes
    ----------
    best : ndarray of float64, shape (k,)
        Share of the draws in which the entry has the highest rating, shared with those level with
        it. 0 for an unrated entry; nan for all others when there is only one block.
    rank_low, rank_high : ndarray of int64, shape (k,)
        Between these ranks the entry lies in `confidence` of the draws. 0 for an unrated entry;
        from first to last when there is only one block.
    draws : int
        Number of draws.
    observations : int
        Blocks, or batches of them, from which was drawn.
    confidence : float
        Share of the draws between the two ranks.
    """

    best: Floats
    rank_low: Ints
    rank_high: Ints
    draws: int
    observations: int
    confidence: float


def block_bootstrap(
    pairs: PairCounts,
    entries: int,
    *,
    draws: int = 1000,
    seed: int = 0,
    batches: int = 1000,
    prior_sd: float = 1000.0,
    confidence: float = 0.95,
) -> Bootstrap:
    """Draw whole blocks with replacement, rate every draw, and see who is best.

    Parameters
    ----------
    pairs : PairCounts
        Comparisons by block.
    entries : int
        Number of entries, k.
    draws : int
        Number of draws.
    seed : int
        Equal seeds give equal draws.
    batches : int
        With more blocks than this, neighbouring ones are first joined into that many batches.
        Batches are independent like blocks, and the work no longer grows with the games.
    prior_sd : float
        Standard deviation, in Elo, of the prior on each rating, at most 100,000. It keeps an entry
        that is undefeated in a draw at a number, and one that is missing from it at the mean.
    confidence : float
        Share of the draws between `rank_low` and `rank_high`.

    Returns
    -------
    Bootstrap

    Raises
    ------
    ValueError
        A pair names an entry outside 0 .. k-1, `draws` or `batches` is below 1, `prior_sd` outside
        (0, 100000], or `confidence` outside (0, 1).
    ConvergenceError
        Newton's method failed.

    References
    ----------
    Efron (1979), "Bootstrap methods: another look at the jackknife", Annals of Statistics 7(1),
    1-26. Davison and Hinkley (1997), Bootstrap Methods and their Application, Cambridge University
    Press, section 3.8 (resampling clusters as a whole).
    """
    if draws < 1 or batches < 1:
        msg = f"draws and batches must be at least 1, got {draws} and {batches}"
        raise ValueError(msg)
    if not 0.0 < prior_sd <= _WIDEST_PRIOR:
        msg = f"prior_sd must be above 0 and at most {_WIDEST_PRIOR:.0f}, got {prior_sd!r}"
        raise ValueError(msg)
    if not 0.0 < confidence < 1.0:
        msg = f"confidence must lie between 0 and 1, got {confidence!r}"
        raise ValueError(msg)
    wins = pairs.win_matrix(entries)
    rated = np.flatnonzero((wins + wins.T).sum(axis=1))
    best = np.zeros(entries)
    rank_low, rank_high = np.zeros((2, entries), dtype=np.int64)
    observed = _by_batch(pairs, entries, batches)
    observations = int(observed.shape[0])

    if observations < 2:
        best[rated], rank_low[rated], rank_high[rated] = np.nan, 1, rated.size
    else:
        at_least, at_most, first = _rank_draws(
            observed, wins, rated, draws, seed, ELO_PER_LOGIT / prior_sd
        )
        tail = (1.0 - confidence) / 2.0
        best[rated] = first.mean(axis=0)
        rank_low[rated] = np.quantile(at_least, tail, axis=0, method="inverted_cdf")
        rank_high[rated] = np.quantile(at_most, 1.0 - tail, axis=0, method="inverted_cdf")
    return Bootstrap(best, rank_low, rank_high, draws, observations, confidence)


def _by_batch(pairs: PairCounts, entries: int, batches: int) -> "sparse.csr_array":
    """Win matrices of the batches, a row each, flattened."""
    from scipy import sparse  # type: ignore[import-untyped, unused-ignore]

    distinct, index = _clusters.number_blocks(pairs.block)
    rows = min(distinct.size, batches)
    batch = index * rows // max(distinct.size, 1)
    won = np.concatenate((pairs.wins, pairs.games - pairs.wins))
    cell = np.concatenate((pairs.i * entries + pairs.j, pairs.j * entries + pairs.i))
    at = np.concatenate((batch, batch)), cell
    return sparse.coo_array((won, at), shape=(rows, entries**2)).tocsr()


def _rank_draws(
    observed: "sparse.csr_array",
    wins: Floats,
    rated: Ints,
    draws: int,
    seed: int,
    precision: float,
) -> tuple[Ints, Ints, Floats]:
    """Return best and worst rank of the rated entries in each draw, and their share of first."""
    rng = np.random.default_rng(seed)
    rows, entries = observed.shape[0], wins.shape[0]
    inner = (rated[:, None] * entries + rated).ravel()
    columns = observed[:, inner]
    start = maximize(wins[np.ix_(rated, rated)], precision)[0]
    chance = np.full(rows, 1.0 / rows)
    chunk = max(1, int(_MEMORY / (10 * 8 * rated.size**2)))
    at_least, at_most = np.zeros((2, draws, rated.size), dtype=np.int64)
    first = np.zeros((draws, rated.size))
    for begin in range(0, draws, chunk):
        part = slice(begin, min(begin + chunk, draws))
        weight = rng.multinomial(rows, chance, size=part.stop - part.start).astype(np.float64)
        drawn = (columns.T @ weight.T).T.reshape(-1, rated.size, rated.size)
        theta = maximize_many(drawn, precision, start)
        ahead = theta[:, None, :] - theta[:, :, None]
        at_least[part] = 1 + (ahead > _LEVEL).sum(axis=2)
        at_most[part] = (ahead >= -_LEVEL).sum(axis=2)
        top = at_least[part] == 1
        first[part] = top / top.sum(axis=1, keepdims=True)
    return at_least, at_most, first
