"""The tables of a report: leaderboard, points, differences, comparisons of places."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd

from hearts_sim.report.summary import Gaps, Summary
from hearts_sim.report.verdicts import WANTED_ELO, Difference
from hearts_sim.stats import games_needed
from hearts_sim.tournament.reading.results import Results

BOARD_COLUMNS: Final = {
    "rank": "rank by Elo (in self-play the order by points per hand); none when disqualified",
    "rank_best": "best rank that is still possible, for all ranks at once at the run's confidence",
    "rank_worst": "worst rank that is still possible, likewise",
    "strategy": "name of the entry",
    "games": "games that it took part in",
    "seats": "seats that it had in them, of which a game against its own copies has several",
    "hands": "hands, counted once for each seat",
    "points": "points per hand; with a pooled score those of its team",
    "points_error": "half-width of its interval",
    "points_design": "design effect: variance with whole blocks as observations / as if games were "
    "independent",
    "net": "points per hand less the mean of the other sides at the table",
    "net_error": "half-width of its interval",
    "net_design": "its design effect",
    "datum": "points per hand less the mean of all who held the same seat on the same deal",
    "datum_error": "half-width of its interval",
    "datum_design": "its design effect",
    "game_points": "points per game",
    "game_points_error": "half-width of its interval",
    "game_points_design": "its design effect",
    "elo": "Elo; 1500 is the field's mean or the anchor",
    "elo_error": "half-width of its interval",
    "elo_bound": "> or < where elo is only a lower or upper bound, since results go one way",
    "elo_design": "its design effect",
    "more_games": f"further games of the run until elo_error is {WANTED_ELO:g}",
    "superiority": "probability that it is truly better than the next in rank",
    "best": "share of bootstrap draws (of whole blocks) in which it is the best of the field",
    "wins": "share of games won by it or its team; ties shared",
    "last": "share of games on the last place, alone or with its team; ties shared",
    "moons": "share of hands in which it shot the moon",
    "queens": "share of hands in which it took the queen of spades",
    "microseconds": "time per decision on a card, in the games that were timed",
    "blocks": "blocks it took part in",
    "faults": "how often it failed",
    "faulty": "games in which it failed",
    "disqualified": "whether it was disqualified, and has no rank",
}
"""Columns of the leaderboard and what they mean."""

_BOUNDS: Final = {1: ">", -1: "<", 0: ""}


def leaderboard(summary: Summary) -> pd.DataFrame:
    """One row per strategy, best first, with the columns of `BOARD_COLUMNS`.

    ``points_low``, ``points_high``, ``elo_low`` and ``elo_high`` are there too.
    """
    results, ratings, ranking = summary.results, summary.ratings, summary.ranking
    totals = summary.counts.totals
    unknown = np.full(len(results.names), np.nan)
    out = ~summary.ranked
    columns: dict[str, Any] = {
        "strategy": results.names,
        "rank_best": ranking.rank_best,
        "rank_worst": ranking.rank_worst,
        "games": totals["games"].astype(np.int64),
        "seats": totals["seats"].astype(np.int64),
        "hands": totals["hands"].astype(np.int64),
    }
    measures = {
        "points": summary.points,
        "net": summary.net,
        "datum": summary.datum,
        "game_points": summary.game_points,
    }
    for name, estimate in measures.items():
        columns[name] = unknown if estimate is None else estimate.estimate
        columns[f"{name}_error"] = unknown if estimate is None else estimate.half_width
        columns[f"{name}_design"] = unknown if estimate is None else estimate.design_effect
    columns |= {
        "points_low": summary.points.low,
        "points_high": summary.points.high,
        "elo": unknown if ratings is None else ratings.elo,
        "elo_error": unknown if ratings is None else ratings.half_width,
        "elo_low": unknown if ratings is None else ratings.low,
        "elo_high": unknown if ratings is None else ratings.high,
        "elo_bound": "" if ratings is None else [_BOUNDS[int(sign)] for sign in ratings.bound],
        "elo_design": unknown if ratings is None else ratings.design_effect,
        "more_games": unknown
        if ratings is None
        else [games_needed(summary.games, width, WANTED_ELO) for width in ratings.half_width],
        "best": ranking.best,
        "wins": _share(totals["win"], totals["seats"]),
        "last": _share(totals["last"], totals["seats"]),
        "moons": _share(totals["moons"], totals["hands"]),
        "queens": _share(totals["queens"], totals["hands"]),
        "microseconds": _microseconds(results),
        "blocks": summary.points.blocks,
        "faults": totals["faults"].astype(np.int64),
        "faulty": totals["faulty"].astype(np.int64),
        "disqualified": out,
    }
    board = pd.DataFrame(columns)
    order = ["disqualified", *(["elo"] if ratings is not None else []), "points"]
    rising = {"disqualified"} if summary.highest_wins else {"disqualified", "points"}
    ascending = [name in rising for name in order]
    board = board.sort_values(order, ascending=ascending, kind="stable")
    ranked = board.index.to_numpy()
    beats_next = np.full(len(ranked), np.nan)
    beats_next[:-1] = ranking.superiority[ranked[:-1], ranked[1:]]
    board.insert(0, "rank", np.arange(1, len(ranked) + 1))
    board["superiority"] = beats_next
    if out.any():
        last = np.append(board["disqualified"].to_numpy()[1:], True)
        board["superiority"] = board["superiority"].mask(board["disqualified"] | last)
        for name in ("rank", "rank_best", "rank_worst"):
            board[name] = board[name].astype("Int64").mask(board["disqualified"])
    board = board.reset_index(drop=True)
    limits = ["points_low", "points_high", "elo_low", "elo_high"]
    return board[[*BOARD_COLUMNS, *limits]]


def _share(part: Any, whole: Any) -> Any:
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)


def _microseconds(results: Results) -> Any:
    decisions = np.zeros(len(results.names))
    nanoseconds = np.zeros(len(results.names))
    for notes in results.folder.parts().values():
        decisions += [notes["decisions"][name] for name in results.names]
        nanoseconds += [notes["nanoseconds"][name] for name in results.names]
    return np.divide(
        nanoseconds / 1000, decisions, out=np.full(len(decisions), np.nan), where=decisions > 0
    )


def elo_difference(summary: Summary, one: int, other: int) -> Difference | None:
    """Elo of one entry less that of another; None where there is no Elo."""
    gaps = summary.elo_gaps
    return None if gaps is None else _gap(gaps, one, other, summary.confidence)


def points_difference(summary: Summary, one: int, other: int) -> Difference:
    """Points per hand of one entry less those of another."""
    return _gap(summary.points_gaps, one, other, summary.confidence)


def _gap(gaps: Gaps, one: int, other: int, confidence: float) -> Difference:
    return Difference(
        float(gaps.difference[one, other]),
        float(gaps.se[one, other]),
        float(gaps.freedom[one, other]),
        confidence,
        float(gaps.design_effect[one, other]),
    )


def differences(summary: Summary, *, both: bool = False) -> pd.DataFrame:
    """Every pair of strategies, the one of better rank first.

    Parameters
    ----------
    both : bool
        Whether every pair is there in both directions, with `worse` (whether the second is better).

    Returns
    -------
    DataFrame
        strategy, opponent; elo_difference (first less second), elo_error (half-width), elo_se,
        elo_design; superiority (probability that the first is truly better); p, p_holm; better
        (whether it is, at the run's confidence for all pairs at once); points_difference,
        points_error, points_se, points_design. nan where nothing supports a number.
    """
    names = summary.results.names
    order = np.array([names.index(name) for name in summary.board["strategy"]])
    size = len(order)
    pairs = np.nonzero(~np.eye(size, dtype=bool)) if both else np.triu_indices(size, 1)
    rows, columns = (order[places] for places in pairs)
    ranking, points = summary.ranking, summary.points_gaps
    unknown = np.full((len(names), len(names)), np.nan)
    elo = summary.elo_gaps or Gaps(*[unknown] * 5)
    found: dict[str, Any] = {
        "elo_difference": elo.difference,
        "elo_error": elo.half_width,
        "elo_se": elo.se,
        "elo_design": elo.design_effect,
        "superiority": ranking.superiority,
        "p": ranking.p,
        "p_holm": ranking.p_holm,
        "better": ranking.better,
        "points_difference": points.difference,
        "points_error": points.half_width,
        "points_se": points.se,
        "points_design": points.design_effect,
    }
    if both:
        found["worse"] = ranking.better.T
    return pd.DataFrame(
        {
            "strategy": [names[row] for row in rows],
            "opponent": [names[column] for column in columns],
            **{name: matrix[rows, columns] for name, matrix in found.items()},
        }
    )


def pairwise(summary: Summary) -> pd.DataFrame:
    """Share of comparisons of places that each strategy (row) won against each other one.

    Returns
    -------
    DataFrame
        strategy, opponent, games (comparisons), wins (ties half), share; both directions.
    """
    names = summary.results.names
    wins = summary.pairs.win_matrix(len(names))
    games = wins + wins.T
    rows, columns = np.nonzero(games)
    return pd.DataFrame(
        {
            "strategy": [names[row] for row in rows],
            "opponent": [names[column] for column in columns],
            "games": np.rint(games[rows, columns]).astype(np.int64),
            "wins": wins[rows, columns],
            "share": wins[rows, columns] / games[rows, columns],
        }
    )
