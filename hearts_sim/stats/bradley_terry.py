"""Bradley-Terry ratings on the Elo scale, with errors clustered by block."""

import math

import numpy as np

from hearts_sim.stats import _clusters, _groups
from hearts_sim.stats._clusters import Floats, Ints
from hearts_sim.stats._groups import Flags
from hearts_sim.stats._newton import maximize
from hearts_sim.stats.crosstable import Crosstable
from hearts_sim.stats.intervals import half_width
from hearts_sim.stats.pairs import PairCounts
from hearts_sim.stats.ratings import Ratings

ELO_PER_LOGIT = 400.0 / math.log(10.0)
"""Elo points per unit of log odds: 400 points are odds of ten to one."""

REFERENCE_ELO = 1500.0
"""Rating printed for the reference: the field's mean, or the anchor."""


def bradley_terry(
    table: PairCounts | Crosstable,
    entries: int | None = None,
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
    table : PairCounts or Crosstable
        Comparisons by block, in any order, or counted already. From there on the work depends on
        the number of line-ups and not on that of games.
    entries : int, optional
        Number of entries, k; a `Crosstable` knows it.
    anchor : int, optional
        Entry to measure the others against; its error is 0.
    confidence : float
        Coverage of the intervals.
    prior_sd : float
        Standard deviation, in Elo, of a normal prior around the field's mean on each rating. At
        1000 it moves nothing that was measured; ``inf`` is none.

    Returns
    -------
    Ratings
        In Elo.

    Raises
    ------
    ValueError
        A pair or the anchor names an entry outside 0 .. k-1, `entries` is missing or not that of
        the table, the anchor was never compared, `prior_sd` is not positive, or `confidence` is
        outside (0, 1).
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

    Results in one direction only have their maximum at infinity. The main group (see `Ratings`) is
    therefore fitted from its own comparisons, to which the others, infinitely far off, add
    nothing. Their bounds come from a second fit, in which of any two components with comparisons
    the winner yields half a comparison to the loser, spread over their pairs, so that everything
    is finite: had it gone half a point worse, this would be the rating. When nobody is connected
    and there is no anchor, all ratings are those of the second fit, around the mean of those who
    met directly or over others, and none but the bounds of the undefeated and the winless says
    anything.

    References
    ----------
    Bradley and Terry (1952), "Rank analysis of incomplete block designs I", Biometrika 39,
    324-345. Liang and Zeger (1986), "Longitudinal data analysis using generalized linear models",
    Biometrika 73(1), 13-22 (the sandwich over clusters). Bell and McCaffrey (2002), "Bias
    reduction in standard errors for linear regression with multi-stage samples", Survey
    Methodology 28(2), 169-181 (few clusters). Ford (1957), "Solution of a ranking problem from
    binary comparisons", American Mathematical Monthly 64(8), 28-33 (when the maximum is finite).
    Ballicora, "Ordo: Ratings for chess and other games", https://github.com/michiguel/Ordo (perfect
    scores as bounds).
    """
    counted = _counted(table, entries)
    wins = counted.win_matrix()
    if not prior_sd > 0:
        msg = f"prior_sd must be positive, got {prior_sd!r}"
        raise ValueError(msg)
    precision = ELO_PER_LOGIT / prior_sd
    unrated = (wins + wins.T).sum(axis=1) == 0
    if anchor is not None and (not 0 <= anchor < unrated.size or unrated[anchor]):
        msg = f"anchor must be an entry with comparisons, got {anchor}"
        raise ValueError(msg)

    components = _groups.components(wins, unrated)
    connected = int(components.max()) == 0
    undefeated = ~unrated & (wins.sum(axis=0) == 0)
    winless = ~unrated & (wins.sum(axis=1) == 0)
    main = _groups.largest(components) if anchor is None else components == components[anchor]
    if anchor is None and main.sum() == 1:  # nobody is connected
        main = np.zeros_like(main)

    theta, bread = np.zeros(unrated.size), np.zeros(wins.shape)
    inner = np.ix_(main, main)
    theta[main], bread[inner] = maximize(wins[inner], precision)
    reference = np.zeros(unrated.size)
    reference[main if anchor is None else anchor] = 1.0
    reference /= max(reference.sum(), 1.0)
    elo = np.full(unrated.size, np.nan)
    elo[main] = REFERENCE_ELO + ELO_PER_LOGIT * (theta[main] - reference @ theta)

    covariance, shared = _covariance(counted, theta, bread, main, reference, anchor)
    freedom = np.maximum(np.diagonal(shared) - 1.0, 0.0)
    se = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    width = np.asarray(half_width(se, np.where(reference == 1.0, np.inf, freedom), confidence))
    low, high = elo - width, elo + width

    bound = np.zeros(unrated.size, dtype=np.int64)
    if not connected and not unrated.all():
        if main.any():
            bound[_groups.reached(wins.T, main)] = 1
            bound[_groups.reached(wins, main)] = -1
            bounds = _yielding(wins, components, _met(wins, unrated, main), precision)
            bounds += np.mean(elo[main]) - np.mean(bounds[main])
            elo[bound != 0] = bounds[bound != 0]
        else:
            met = _groups.largest(_groups.components(wins, unrated, weak=True))
            bound[met & undefeated], bound[met & winless] = 1, -1
            elo[met] = REFERENCE_ELO + _yielding(wins, components, met, precision)[met]
        outside = ~main & ~np.isnan(elo)
        low[outside] = np.where(bound[outside] > 0, elo[outside], -np.inf)
        high[outside] = np.where(bound[outside] < 0, elo[outside], np.inf)

    by_game = counted.by_game
    return Ratings(
        elo=elo,
        se=se,
        low=low,
        high=high,
        half_width=width,
        bound=bound,
        covariance=covariance,
        game_covariance=None
        if by_game is None
        else _covariance(by_game, theta, bread, main, reference, anchor)[0],
        blocks=int(counted.blocks.sum()),
        entry_blocks=counted.entry_blocks(),
        shared_blocks=shared,
        degrees_of_freedom=freedom,
        connected=connected,
        components=components,
        undefeated=undefeated,
        winless=winless,
        unrated=unrated,
        anchor=anchor,
        confidence=confidence,
    )


def _counted(table: PairCounts | Crosstable, entries: int | None) -> Crosstable:
    if isinstance(table, Crosstable):
        if entries is not None and entries != table.entries:
            msg = f"entries must be that of the table, {table.entries}, got {entries}"
            raise ValueError(msg)
        return table
    if entries is None:
        msg = "entries must be given with PairCounts, which do not know their number"
        raise ValueError(msg)
    return Crosstable.from_pairs(table, entries)


def _covariance(
    table: Crosstable,
    theta: Floats,
    bread: Floats,
    main: Flags,
    reference: Floats,
    anchor: int | None,
) -> tuple[Floats, Ints]:
    """Return the covariance in Elo relative to the reference, and the blocks shared in `main`."""
    from scipy.special import expit  # type: ignore[import-untyped, unused-ignore]

    inside = main[table.i] & main[table.j]
    # Those outside are infinitely far off, and what happened to them is what was expected.
    happened = table.wins / table.comparisons()
    chance = np.where(inside, expit(theta[table.i] - theta[table.j]), happened)
    middle = table.score_products(chance)
    shared = table.shared_blocks(inside)
    blocks = np.diagonal(shared)
    factor = np.sqrt(_clusters.small_sample_factor(blocks))
    covariance = bread @ (middle * np.outer(factor, factor)) @ bread * ELO_PER_LOGIT**2

    to_reference = np.eye(theta.size) - reference
    covariance = to_reference @ covariance @ to_reference.T
    covariance = (covariance + covariance.T) / 2.0
    unknown = blocks < 2
    if anchor is not None:
        unknown |= unknown[anchor]
    _clusters.forget(covariance, unknown)
    if anchor is not None:
        covariance[anchor, :] = covariance[:, anchor] = 0.0
    return covariance, shared


def _met(wins: Floats, unrated: Flags, main: Flags) -> Flags:
    """Entries that met the main group, directly or over others."""
    labels = _groups.components(wins, unrated, weak=True)
    met: Flags = labels == labels[main][0]
    return met


def _yielding(wins: Floats, components: Ints, met: Flags, precision: float) -> Floats:
    """Return the ratings, in Elo around 0, if every one-sided result had been half a point less."""
    inner = np.ix_(met, met)
    elo = np.zeros(met.size)
    elo[met] = ELO_PER_LOGIT * maximize(_groups.yield_half(wins, components)[inner], precision)[0]
    return elo
