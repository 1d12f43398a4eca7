"""From a results folder to the numbers of the report, in one pass over its parts' counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from scipy import sparse  # type: ignore[import-untyped, unused-ignore]
from scipy.sparse import csgraph  # type: ignore[import-untyped, unused-ignore]

from hearts_sim.errors import ResultsError
from hearts_sim.report import counts
from hearts_sim.report.faults import Faults, find_faults
from hearts_sim.stats import (
    PairCounts,
    Ratings,
    RatioEstimate,
    block_bootstrap,
    bradley_terry,
    likelihood_of_superiority,
    rank_intervals,
    significant_differences,
)
from hearts_sim.tournament.counting.batches import BatchPoints
from hearts_sim.tournament.counting.counts import Counts
from hearts_sim.tournament.counting.details import DetailCounts
from hearts_sim.tournament.counting.tally import Tally
from hearts_sim.tournament.reading.results import Results

if TYPE_CHECKING:
    from hearts_sim.report.details import Details

MOST_FOR_BEST: Final = 100
"""With more entries the bootstrap for the probability to be the best takes too long."""


@dataclass
class Ranking:
    """Who is better than whom, as far as that can be told.

    A disqualified entry is nowhere called better or worse, and has no rank. All but `better_points`
    rests on Elo; without Elo, in self-play, nothing is told: its points show what games a strategy
    makes with its own copies, not how good it is.

    Attributes
    ----------
    superiority : ndarray of shape (k, k)
        Probability that the entry of the row is truly better than that of the column.
    p, p_holm : ndarray of shape (k, k)
        Two-sided p-values, each by itself and after Holm's correction over all pairs.
    better : ndarray of bool, shape (k, k)
        Whether the row is better than the column, at the run's confidence for all pairs at once.
    better_points : ndarray of bool, shape (k, k)
        The same by points per hand.
    rank_best, rank_worst : ndarray of int64, shape (k,)
        Ranks that `better` leaves open; 0 for a disqualified entry.
    best : ndarray of shape (k,)
        Share of bootstrap draws in which the entry is the best; nan without Elo, in a giant field,
        and where parts of the field never met. Where entries are disqualified, from the
        comparisons of the others with each other.
    """

    superiority: Any
    p: Any
    p_holm: Any
    better: Any
    better_points: Any
    rank_best: Any
    rank_worst: Any
    best: Any


@dataclass
class Gaps:
    """Differences of all pairs, row less column: matrices of shape (k, k), nan where unknown."""

    difference: Any
    se: Any
    freedom: Any
    half_width: Any
    design_effect: Any


@dataclass
class Summary:
    """All that the report shows; matrices and vectors in the order of `Results.names`.

    Attributes
    ----------
    points, net, game_points : RatioEstimate
        Points per hand; the same less the mean of the others at the table; points per game.
    datum : RatioEstimate or None
        Points per hand less those of all who held the same seat on the same deal; None without the
        log of hands.
    ratings : Ratings or None
        Elo; None where nobody meets anybody else (self-play).
    ranking : Ranking
    pairs : PairCounts
        Comparisons of places, by batch of blocks.
    batches : BatchPoints
        Points and hands, by batch of blocks.
    places : DataFrame
        strategy, place, tied, games; tied is how many sides share the place.
    histogram : DataFrame or None
        strategy, points, moon ("made", "suffered", ""), hands; None without the log of hands.
    counts : Counts
    detailed : DetailCounts
        What `details` are made from.
    faults : Faults
    """

    results: Results
    points: RatioEstimate
    net: RatioEstimate
    game_points: RatioEstimate
    datum: RatioEstimate | None
    ratings: Ratings | None
    ranking: Ranking
    pairs: PairCounts
    batches: BatchPoints
    places: pd.DataFrame
    histogram: pd.DataFrame | None
    counts: Counts
    detailed: DetailCounts
    faults: Faults
    blocks: int
    confidence: float
    anchor: str | None
    """Entry that ratings are relative to; None for the mean, and while it has met nobody."""

    @property
    def games(self) -> int:
        """Games played."""
        return self.counts.games

    @property
    def hands(self) -> int:
        """Hands played, each counted once."""
        return self.counts.hands

    @property
    def reference(self) -> str:
        """What ratings are relative to."""
        return self.anchor or "mean"

    @property
    def highest_wins(self) -> bool:
        """Whether many points are good."""
        return self.results.rules.win == "highest"

    @property
    def ranked(self) -> Any:
        """Whether an entry has a rank, for each one: it was not disqualified."""
        return np.array([name not in self.faults.out for name in self.results.names])

    @cached_property
    def points_gaps(self) -> Gaps:
        """Every difference in points per hand."""
        points = self.points
        return Gaps(
            points.estimate[:, None] - points.estimate[None, :],
            points.difference_se(),
            points.difference_degrees_of_freedom(),
            points.difference_half_width(),
            points.difference_design_effect(),
        )

    @cached_property
    def elo_gaps(self) -> Gaps | None:
        """Every difference in Elo; None where there is none."""
        ratings = self.ratings
        if ratings is None:
            return None
        return Gaps(
            ratings.difference(),
            ratings.difference_se(),
            ratings.difference_degrees_of_freedom(),
            ratings.difference_half_width(),
            ratings.difference_design_effect(),
        )

    @cached_property
    def board(self) -> pd.DataFrame:
        """The leaderboard, best first; see `board.BOARD_COLUMNS`."""
        from hearts_sim.report.board import leaderboard

        return leaderboard(self)

    @cached_property
    def details(self) -> Details:
        """What lies behind the points, frame by frame."""
        from hearts_sim.report.details import Details

        return Details(self)


def summarise(results: Results) -> Summary:
    """Read a run and estimate everything that the report shows.

    Raises
    ------
    ResultsError
        When no game is played yet, or a file is damaged.
    """
    report = results.info["config"]["report"]
    confidence, anchor = report["confidence"], report["anchor"]
    entries = len(results.names)
    found = Tally(entries, int(results.info.get("blocks", 1)))
    counted = Counts(entries, results.rules.players, results.rules.sides)
    highest_wins = results.rules.win == "highest"
    detailed = DetailCounts(entries, results.rules.players, highest_wins)
    for kept in results.kept_parts():
        part = kept.counts()
        found.merge(part.tally)
        counted.merge(part.counts)
        detailed.merge(part.details)
    if not counted.games:
        raise ResultsError(f"{results.path}: no part of the run is played yet")
    has_hands = results.has("hands")
    ratings = None
    compared = found.table.entry_blocks() > 0
    if compared.any():
        place = results.names.index(anchor) if anchor in results.names else None
        if place is not None and not compared[place]:
            place = None
        anchor = None if place is None else anchor
        ratings = bradley_terry(found.table, anchor=place, confidence=confidence)
    points = found.points.estimate(confidence)
    anchor = anchor if ratings is not None else None
    faults = find_faults(results, counted, anchor)
    ranked = np.array([name not in faults.out for name in results.names])
    return Summary(
        results=results,
        points=points,
        net=found.net.estimate(confidence),
        game_points=found.game_points.estimate(confidence),
        datum=found.datum.estimate(confidence) if has_hands else None,
        ratings=ratings,
        ranking=_rank(points, ratings, found.pairs, highest_wins, ranked),
        pairs=found.pairs,
        batches=found.batches,
        places=counts.places(counted, results.names),
        histogram=counts.histogram(counted, results.names) if has_hands else None,
        counts=counted,
        detailed=detailed,
        faults=faults,
        blocks=found.blocks,
        confidence=confidence,
        anchor=anchor,
    )


def _rank(
    points: RatioEstimate,
    ratings: Ratings | None,
    pairs: PairCounts,
    highest_wins: bool,
    ranked: Any,
) -> Ranking:
    entries = len(points.estimate)
    unknown = np.full((entries, entries), np.nan)
    superiority, p, p_holm = unknown, unknown, unknown
    better = better_points = np.zeros((entries, entries), np.bool_)
    best = np.full(entries, np.nan)
    if ratings is not None:
        gain, se = ratings.difference(), ratings.difference_se()
        freedom = ratings.difference_degrees_of_freedom()
        superiority = likelihood_of_superiority(gain, se, freedom)
        blocks = ratings.degrees_of_freedom + 1
        p, p_holm, better = significant_differences(gain, se, freedom, points.confidence, blocks)
        sign = 1.0 if highest_wins else -1.0
        _, _, better_points = significant_differences(
            sign * (points.estimate[:, None] - points.estimate[None, :]),
            points.difference_se(),
            points.difference_degrees_of_freedom(),
            points.confidence,
            points.blocks,
        )
        both = ranked[:, None] & ranked
        better, better_points = better & both, better_points & both
        if not ranked.all():
            pairs = _among(pairs, ranked)
        rated = ranked & ~ratings.unrated
        if entries <= MOST_FOR_BEST and _all_met(pairs, entries, rated):
            best = np.where(ranked, block_bootstrap(pairs, entries).best, np.nan)
    rank_best, rank_worst = np.zeros((2, entries), np.int64)
    rank_best[ranked], rank_worst[ranked] = rank_intervals(better[np.ix_(ranked, ranked)])
    return Ranking(superiority, p, p_holm, better, better_points, rank_best, rank_worst, best)


def _among(pairs: PairCounts, chosen: Any) -> PairCounts:
    """The comparisons of the chosen entries with each other."""
    kept = chosen[pairs.i] & chosen[pairs.j]
    return PairCounts(
        block=pairs.block[kept],
        i=pairs.i[kept],
        j=pairs.j[kept],
        games=pairs.games[kept],
        wins=pairs.wins[kept],
    )


def _all_met(pairs: PairCounts, entries: int, rated: Any) -> bool:
    """Whether everybody that is rated is tied to everybody else by comparisons."""
    met = sparse.coo_array((np.ones(pairs.i.size), (pairs.i, pairs.j)), shape=(entries, entries))
    _, label = csgraph.connected_components(met, directed=False)
    return len(np.unique(label[rated])) <= 1
