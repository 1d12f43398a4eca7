"""From a results folder to the numbers of the report, in one pass over its parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hearts_sim.errors import ResultsError
from hearts_sim.rules import PRESETS, Rules
from hearts_sim.stats import (
    PairCounts,
    Ratings,
    RatioEstimate,
    bradley_terry,
    concatenate,
    placement_pairs,
    ratio_by_block,
)
from hearts_sim.tournament.results import Results

PROVISIONAL_BLOCKS = 10
TEAM_POINTS = "Points per hand are those of the team, the same for both partners."
TEAM_PLACES = "A place is that of the team, the same for both partners."
_COLUMNS = (
    "block", "game", "strategy", "team", "points", "place", "win", "hands", "moons", "queens",
)  # fmt: skip


@dataclass
class Summary:
    """All that the report shows.

    Attributes
    ----------
    board : DataFrame
        The leaderboard, one row per strategy, best first; see `board_columns`.
    ratings : Ratings or None
        Elo; None where nobody meets anybody else (self-play).
    pairs : PairCounts
        Comparisons of places, by block.
    places : DataFrame
        strategy, place, tied, games; tied is how many sides share the place.
    histogram : DataFrame or None
        strategy, points, moon ("made", "suffered", ""), hands; None without the log of hands.
    """

    results: Results
    board: pd.DataFrame
    ratings: Ratings | None
    pairs: PairCounts
    places: pd.DataFrame
    histogram: pd.DataFrame | None
    blocks: int
    games: int
    hands: int
    confidence: float
    anchor: str | None
    """Entry that ratings are relative to; None for the mean, and while it has met nobody."""

    @property
    def reference(self) -> str:
        """What ratings are relative to."""
        return self.anchor or "mean"

    def facts(self) -> str:
        """One line that says what was played."""
        info = self.results.info
        kind = {"table": "table tournament", "selfplay": "self-play"}[info["identity"]["format"]]
        interim = "" if info["status"] == "finished" else "interim: "
        rules = self.results.rules
        preset = preset_of(rules)
        return (
            f"{interim}{kind}, {self.games:,} games in {self.blocks:,} "
            f"{'block' if self.blocks == 1 else 'blocks'}, "
            f"{self.hands:,} hands{f' of {preset}' if preset else ''}, {rules.players} players"
            f"{f' in {rules.team_count} teams' if rules.team_count else ''}, "
            f"seed {info['identity']['seed']}"
        )

    def notes(self) -> list[str]:
        """Sentences that a reader of the ratings must know."""
        notes = []
        if self.results.info["status"] != "finished":
            notes.append("The run is not finished: all figures are interim.")
        if self.blocks < PROVISIONAL_BLOCKS:
            notes.append(
                f"Provisional: with fewer than {PROVISIONAL_BLOCKS} blocks intervals cannot be "
                f"trusted, and here there {_are(self.blocks)}."
            )
        notes += self._about_the_game()
        ratings = self.ratings
        wanted = self.results.info["config"]["report"]["anchor"]
        if ratings is not None:
            if wanted is not None and self.anchor is None:
                notes.append(f"{wanted} has met nobody yet: the field's mean stands in for it.")
            names = np.array(self.results.names)
            for flags, text in (
                (ratings.undefeated, "won or tied-and-won every comparison"),
                (ratings.winless, "lost every comparison"),
            ):
                notes += [
                    f"{name} {text}: its Elo is only a bound set by the prior."
                    for name in names[np.asarray(flags)]
                ]
            if not ratings.connected:
                notes.append(
                    "The field falls into groups without results in both directions: Elo "
                    "differences between them come from the prior, not from games."
                )
        return notes

    def _about_the_game(self) -> list[str]:
        """What is unlike the usual game, in which everybody plays for low points of their own."""
        rules = self.results.rules
        notes = []
        if rules.win == "highest":
            notes.append("The highest total wins.")
        if rules.teams == "none":
            return notes
        if self.ratings is None:
            notes.append("Partners share a place.")
        else:
            notes.append(
                "Partners share a place; pairs within a team are not compared. Half of a team is "
                "the partner, so differences in Elo come out smaller than without teams."
            )
        if rules.teams == "pooled":
            notes.append(TEAM_POINTS)
        return notes


def preset_of(rules: Rules) -> str:
    """Name of the preset that has exactly these rules; empty when none has."""
    for name, preset in PRESETS.items():
        if rules.players in preset.players and Rules.preset(name, players=rules.players) == rules:
            return name
    return ""


def _are(blocks: int) -> str:
    return "is 1" if blocks == 1 else f"are {blocks}"


def summarise(results: Results) -> Summary:
    """Read a run and estimate everything that the report shows.

    Raises
    ------
    ResultsError
        When no game is played yet, or a file is damaged.
    """
    report = results.info["config"]["report"]
    confidence, anchor = report["confidence"], report["anchor"]
    tally = _Tally(results)
    for part in results.parts("games", _COLUMNS):
        tally.add(part)
    if not tally.games:
        raise ResultsError(f"{results.path}: no part of the run is played yet")
    histogram = _histogram(results) if results.has("hands") else None
    entries = len(results.names)
    block, entry, points, hands = tally.by_block()
    estimate = ratio_by_block(block, entry, points, hands, entries, confidence)
    pairs = concatenate(tally.pairs)
    ratings = None
    if len(pairs.block):
        place = results.names.index(anchor) if anchor in results.names else None
        if place is not None and not ((pairs.i == place) | (pairs.j == place)).any():
            place = anchor = None
        ratings = bradley_terry(pairs, entries, anchor=place, confidence=confidence)
    return Summary(
        results=results,
        board=_board(results, tally, estimate, ratings),
        ratings=ratings,
        pairs=pairs,
        places=tally.place_frame(),
        histogram=histogram,
        blocks=len(np.unique(block)),
        games=tally.games,
        hands=tally.hands,
        confidence=confidence,
        anchor=anchor,
    )


class _Tally:
    """Sums over the parts of the games table."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.players = results.rules.players
        self.sides = results.rules.sides
        self.entries = len(results.names)
        self.games = 0
        self.hands = 0
        self.pairs: list[PairCounts] = []
        self.sums: list[tuple[Any, ...]] = []
        self.places: Counter[tuple[int, float, int]] = Counter()
        self.totals = {
            name: np.zeros(self.entries)
            for name in ("games", "win", "last", "moons", "queens", "hands", "points")
        }

    def add(self, part: Any) -> None:
        """Add one part."""
        columns = {name: _values(part[name]) for name in _COLUMNS}
        entry = columns["strategy"]
        place = columns["place"]
        self.games += len(entry) // self.players
        self.hands += int(columns["hands"].sum()) // self.players
        tied = self._tied(place)
        last = place + (tied - 1) / 2 >= self.sides
        sums = {
            "games": np.ones(len(entry)),
            "win": columns["win"],
            "last": last / tied,
            **{name: columns[name] for name in ("moons", "queens", "hands", "points")},
        }
        for name, values in sums.items():
            self.totals[name] += np.bincount(entry, values, self.entries)
        team = columns["team"] if (columns["team"] >= 0).any() else None
        self.pairs.append(
            placement_pairs(columns["block"], columns["game"], entry, place, team=team)
        )
        self._add_block_sums(columns)
        self._add_places(entry.astype(np.int64), place, tied)

    def _add_places(self, entry: Any, place: Any, tied: Any) -> None:
        # Places are whole or half numbers, so that one number can stand for all three.
        halves = 2 * self.sides + 1
        key = (entry * halves + (2 * place).astype(np.int64)) * (self.sides + 1) + tied
        counts = np.bincount(key)
        for found in np.flatnonzero(counts):
            rest, ties = divmod(int(found), self.sides + 1)
            strategy, doubled = divmod(rest, halves)
            self.places[strategy, doubled / 2, ties] += int(counts[found])

    def _tied(self, place: Any) -> Any:
        """By how many sides the place of each seat is shared, its own included."""
        table = place.reshape(-1, self.players)
        seats = (table[:, :, None] == table[:, None, :]).sum(axis=2)
        return seats.reshape(-1) * self.sides // self.players

    def _add_block_sums(self, columns: dict[str, Any]) -> None:
        block = columns["block"].astype(np.int64)
        first = int(block.min())
        key = (block - first) * self.entries + columns["strategy"]
        size = (int(block.max()) - first + 1) * self.entries
        there = np.flatnonzero(np.bincount(key, minlength=size))
        points = np.bincount(key, columns["points"], size)[there]
        hands = np.bincount(key, columns["hands"], size)[there]
        self.sums.append((there // self.entries + first, there % self.entries, points, hands))

    def by_block(self) -> tuple[Any, ...]:
        """Block, entry, points and hands, one row per block and entry."""
        return tuple(np.concatenate(column) for column in zip(*self.sums, strict=True))

    def place_frame(self) -> pd.DataFrame:
        """Games by strategy, place and number of sides that share it."""
        names = self.results.names
        rows = [
            (names[entry], place, tied, games)
            for (entry, place, tied), games in sorted(self.places.items())
        ]
        return pd.DataFrame(rows, columns=["strategy", "place", "tied", "games"])


def _values(column: Any) -> Any:
    """Numbers of a column; of a text column, the codes."""
    import pyarrow as pa

    combined = column.combine_chunks()
    if isinstance(combined, pa.ChunkedArray):
        combined = pa.concat_arrays(combined.chunks)
    if pa.types.is_dictionary(combined.type):
        combined = combined.indices
    return combined.to_numpy(zero_copy_only=False)


def _histogram(results: Results) -> pd.DataFrame:
    """Hands by strategy, points and kind of moon."""
    counts: Counter[tuple[int, int, int]] = Counter()
    for part in results.parts("hands", ("strategy", "points", "moon")):
        entry = _values(part["strategy"]).astype(np.int64)
        points = _values(part["points"]).astype(np.int64)
        moon = _values(part["moon"]).astype(np.int64) + 1
        low = int(points.min())
        width = int(points.max()) - low + 1
        hands = np.bincount((entry * 3 + moon) * width + points - low)
        for key in np.flatnonzero(hands):
            rest, value = divmod(int(key), width)
            counts[rest // 3, value + low, rest % 3] += int(hands[key])
    rows = [
        (results.names[entry], points, ("suffered", "", "made")[moon], hands)
        for (entry, points, moon), hands in sorted(counts.items())
    ]
    return pd.DataFrame(rows, columns=["strategy", "points", "moon", "hands"])


BOARD_COLUMNS = {
    "rank": "rank by Elo (in self-play by points per hand)",
    "strategy": "name of the entry",
    "games": "games, counted once for each seat it had in them",
    "hands": "hands, counted likewise",
    "points": "points per hand; with a pooled score those of its team",
    "points_error": "half-width of its interval",
    "elo": "Elo; 1500 is the field's mean or the anchor",
    "elo_error": "half-width of its interval",
    "wins": "share of games won by it or its team; ties shared",
    "last": "share of games on the last place, alone or with its team; ties shared",
    "moons": "share of hands in which it shot the moon",
    "queens": "share of hands in which it took the queen of spades",
    "microseconds": "time per decision on a card, in the games that were timed",
    "blocks": "blocks it took part in",
}
"""Columns of the leaderboard and what they mean."""


def _board(
    results: Results, tally: _Tally, points: RatioEstimate, ratings: Ratings | None
) -> pd.DataFrame:
    totals = tally.totals
    seats = np.maximum(totals["games"], 1)
    hands = np.maximum(totals["hands"], 1)
    unknown = np.full(len(results.names), np.nan)
    board = pd.DataFrame(
        {
            "strategy": results.names,
            "games": totals["games"].astype(np.int64),
            "hands": totals["hands"].astype(np.int64),
            "points": points.estimate,
            "points_error": points.half_width,
            "points_low": points.low,
            "points_high": points.high,
            "elo": unknown if ratings is None else ratings.elo,
            "elo_error": unknown if ratings is None else ratings.half_width,
            "elo_low": unknown if ratings is None else ratings.low,
            "elo_high": unknown if ratings is None else ratings.high,
            "wins": totals["win"] / seats,
            "last": totals["last"] / seats,
            "moons": totals["moons"] / hands,
            "queens": totals["queens"] / hands,
            "microseconds": _microseconds(results),
            "blocks": points.blocks,
        }
    )
    highest = results.rules.win == "highest"
    order = ["elo", "points"] if ratings is not None else ["points"]
    ascending = [name == "points" and not highest for name in order]
    board = board.sort_values(order, ascending=ascending, kind="stable", ignore_index=True)
    board.insert(0, "rank", board.index + 1)
    return board


def _microseconds(results: Results) -> Any:
    decisions = np.zeros(len(results.names))
    nanoseconds = np.zeros(len(results.names))
    for notes in results.folder.parts().values():
        decisions += [notes["decisions"][name] for name in results.names]
        nanoseconds += [notes["nanoseconds"][name] for name in results.names]
    return np.divide(
        nanoseconds / 1000, decisions, out=np.full(len(decisions), np.nan), where=decisions > 0
    )


def pairwise(summary: Summary) -> pd.DataFrame:
    """Share of comparisons of places that each strategy (row) won against each other one.

    Returns
    -------
    DataFrame
        strategy, opponent, games (comparisons), wins (ties half), share; both directions.
    """
    names = summary.results.names
    pairs = summary.pairs
    size = len(names)
    games = np.zeros((size, size))
    wins = np.zeros((size, size))
    np.add.at(games, (pairs.i, pairs.j), pairs.games)
    np.add.at(games, (pairs.j, pairs.i), pairs.games)
    np.add.at(wins, (pairs.i, pairs.j), pairs.wins)
    np.add.at(wins, (pairs.j, pairs.i), pairs.games - pairs.wins)
    rows, columns = np.nonzero(games)
    return pd.DataFrame(
        {
            "strategy": [names[row] for row in rows],
            "opponent": [names[column] for column in columns],
            "games": games[rows, columns].astype(np.int64),
            "wins": wins[rows, columns],
            "share": wins[rows, columns] / games[rows, columns],
        }
    )
