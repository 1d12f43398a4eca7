"""Figures of games that are made by hand: teams, large tables, and where the highest total wins."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from made import NAMES, Game, places_of, random_games, sides_of, write_run

from hearts_sim.report.board import pairwise
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.report.text import leaderboard
from hearts_sim.report.write import draw, write_report
from hearts_sim.rules import Rules

TWO_PACKS = {"packs": 2, "trick_winner": "cancel_pairs", "leftover": "kitty_first_trick"}
KINDS: dict[str, dict[str, Any]] = {
    **{f"{players} players": {"players": players} for players in range(3, 9)},
    **{f"{players} players": {"players": players, **TWO_PACKS} for players in (9, 10, 11)},
    "2 teams": {"teams": "singly"},
    "2 teams, pooled": {"teams": "pooled"},
    "3 teams": {"players": 6, "teams": "singly"},
    "3 teams, pooled": {"players": 6, "teams": "pooled"},
    "4 teams": {"players": 8, "teams": "pooled"},
    "5 teams": {"players": 10, "teams": "singly", **TWO_PACKS},
}


@pytest.fixture(scope="module", params=["lowest", "highest"])
def win(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=[3, 12], ids=["3 entries", "12 entries"])
def entries(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module", params=KINDS)
def made(
    request: pytest.FixtureRequest,
    win: str,
    entries: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Summary, list[Game]]:
    """A run and its games, with many ties."""
    rules = Rules(**KINDS[request.param], win=win)
    games = random_games(rules, entries=entries)
    path = tmp_path_factory.mktemp("made") / "run"
    return summarise(write_run(path, rules, games, entries=entries)), games


def test_the_whole_leaderboard(made: tuple[Summary, list[Game]]) -> None:
    """Games, wins, last places and points are those that are counted one by one."""
    summary, games = made
    rules = summary.results.rules
    sides = len(sides_of(rules))
    seats: Counter[str] = Counter()
    sums: dict[str, list[Fraction]] = {name: [Fraction(0)] * 3 for name in NAMES}
    for _, seated, totals in games:
        where = places_of(rules, totals)
        for seat, entry in enumerate(seated):
            place, tied = where[seat]
            first = place - Fraction(tied - 1, 2) == 1
            last = place + Fraction(tied - 1, 2) == sides
            seats[NAMES[entry]] += 1
            for at, value in enumerate((first, last)):
                sums[NAMES[entry]][at] += Fraction(value, tied)
            sums[NAMES[entry]][2] += totals[seat]
    board = summary.board.set_index("strategy")
    assert set(board.index) == set(summary.results.names)
    for name, row in board.iterrows():
        won, lost, points = (float(total / seats[str(name)]) for total in sums[str(name)])
        assert row["seats"] == row["hands"] == seats[str(name)]
        assert row["games"] == sum(NAMES.index(str(name)) in seated for _, seated, _ in games)
        assert row["wins"] == pytest.approx(won, abs=1e-6)
        assert row["last"] == pytest.approx(lost, abs=1e-6)
        assert row["points"] == pytest.approx(points)
    played = board["seats"] / board["seats"].sum()
    assert (played * board["wins"]).sum() == pytest.approx(1 / sides, abs=1e-6)
    assert (played * board["last"]).sum() == pytest.approx(1 / sides, abs=1e-6)


def test_all_places(made: tuple[Summary, list[Game]]) -> None:
    """The frame of places has every seat once, on the place of its side."""
    summary, games = made
    expected: Counter[tuple[str, float, int]] = Counter()
    for _, seated, totals in games:
        where = places_of(summary.results.rules, totals)
        for seat, entry in enumerate(seated):
            place, tied = where[seat]
            expected[NAMES[entry], float(place), tied] += 1
    found = summary.places.set_index(["strategy", "place", "tied"])["games"]
    assert found.to_dict() == expected


def test_all_pairs(made: tuple[Summary, list[Game]]) -> None:
    """Seats of two sides are compared by the places of these, a tie as half; partners are not."""
    summary, games = made
    rules = summary.results.rules
    compared: Counter[tuple[str, str]] = Counter()
    won: Counter[tuple[str, str]] = Counter()
    for _, seated, totals in games:
        where = places_of(rules, totals)
        for one, two in itertools.combinations(sides_of(rules), 2):
            for a, b in (*itertools.product(one, two), *itertools.product(two, one)):
                pair = NAMES[seated[a]], NAMES[seated[b]]
                if pair[0] != pair[1]:
                    compared[pair] += 1
                    won[pair] += float(where[a][0] < where[b][0])  # type: ignore[assignment]
                    won[pair] += (where[a][0] == where[b][0]) / 2  # type: ignore[assignment]
    frame = pairwise(summary).set_index(["strategy", "opponent"])
    assert frame["games"].to_dict() == compared
    assert frame["wins"].to_dict() == {pair: won[pair] for pair in compared}


def test_reversed(made: tuple[Summary, list[Game]], tmp_path: Path) -> None:
    """With every total negated and the other end winning, all but the points is the same."""
    summary, games = made
    rules = summary.results.rules
    other = Rules(**(rules.settings() | {"win": "lowest" if rules.win == "highest" else "highest"}))
    negated = [(block, seated, [-total for total in totals]) for block, seated, totals in games]
    mirror = summarise(write_run(tmp_path / "run", other, negated, entries=len(summary.board)))
    pd.testing.assert_frame_equal(mirror.places, summary.places)
    pd.testing.assert_frame_equal(pairwise(mirror), pairwise(summary))
    points = ["points", "points_low", "points_high", "net", "datum", "game_points"]
    pd.testing.assert_frame_equal(
        mirror.board.drop(columns=points), summary.board.drop(columns=points), check_exact=True
    )
    for name in ("points", "net", "datum", "game_points"):
        assert np.array_equal(mirror.board[name], -summary.board[name])
    assert np.array_equal(mirror.board["points_low"], -summary.board["points_high"])


def test_three_games_of_teams(tmp_path: Path) -> None:
    """A team game counted by hand: 15 to 11, 13 to 26, and a draw at 13."""
    games: list[Game] = [
        (0, [0, 1, 2, 3], [10, 3, 5, 8]),  # B and D win
        (1, [1, 2, 3, 0], [0, 26, 13, 0]),  # B and D win, though A alone has as few as B
        (2, [0, 1, 2, 3], [6, 7, 7, 6]),
    ]
    summary = summarise(write_run(tmp_path / "run", Rules(teams="singly"), games))
    board = summary.board.set_index("strategy")
    assert list(board.index[:2]) == ["B", "D"]
    assert board["wins"].to_dict() == pytest.approx(
        {"B": 5 / 6, "D": 5 / 6, "A": 1 / 6, "C": 1 / 6}
    )
    assert board["last"].to_dict() == pytest.approx(
        {"B": 1 / 6, "D": 1 / 6, "A": 5 / 6, "C": 5 / 6}
    )
    assert board["points"].to_dict() == pytest.approx(
        {"A": 16 / 3, "B": 10 / 3, "C": 38 / 3, "D": 9}
    )
    assert (
        board.loc["A", "elo"]
        == board.loc["C", "elo"]
        == pytest.approx(3000 - board.loc["B", "elo"])
    )
    places = summary.places.set_index(["strategy", "place", "tied"])["games"].to_dict()
    assert places == {
        **{(name, 1.0, 1): 2 for name in "BD"},
        **{(name, 2.0, 1): 2 for name in "AC"},
        **{(name, 1.5, 2): 1 for name in "ABCD"},
    }
    pairs = pairwise(summary).set_index(["strategy", "opponent"])
    assert pairs.loc[("A", "B"), ["games", "wins"]].tolist() == [3, 0.5]
    assert pairs.loc[("D", "C"), ["games", "wins"]].tolist() == [3, 2.5]
    assert ("A", "C") not in pairs.index
    assert ("D", "B") not in pairs.index


def test_a_pooled_score_is_not_added_up(tmp_path: Path) -> None:
    """The score of a pooled team stands at both partners and counts once."""
    games: list[Game] = [(block, [0, 1, 0, 1], [5, 21, 5, 21]) for block in range(3)]
    summary = summarise(write_run(tmp_path / "run", Rules(teams="pooled"), games, entries=2))
    board = summary.board.set_index("strategy")
    assert board["points"].to_dict() == {"A": 5, "B": 21}
    assert board["points_error"].to_dict() == {"A": 0, "B": 0}
    assert board["wins"].to_dict() == {"A": 1, "B": 0}
    assert pairwise(summary)["games"].tolist() == [12, 12]


@pytest.mark.parametrize("teams", ["singly", "pooled"])
@pytest.mark.parametrize(
    "tables", [[[0, 1, 0, 1]], [[0, 0, 1, 1]], [[0, 0, 0, 1]], [[0] * 4, [1] * 4]]
)
def test_copies_as_partners(tables: list[list[int]], teams: str, tmp_path: Path) -> None:
    """Copies of a strategy may be partners, opponents or alone, and the report is written."""
    games = [
        (block, list(np.roll(table, shift)), totals)
        for block in range(4)
        for table in tables
        for shift, totals in enumerate(([3, 10, 3, 10], [9, 4, 9, 4], [6, 7, 6, 7], [1, 1, 1, 1]))
    ]
    summary = summarise(write_run(tmp_path / "run", Rules(teams=teams), games, entries=2))
    meet = len(tables) == 1
    assert (summary.ratings is not None) is meet
    assert summary.board["elo"].notna().all() == meet
    assert len(pairwise(summary)) == 2 * meet
    assert leaderboard(summary.board)
    if teams == "pooled":
        files = write_report(summary)
        assert all((tmp_path / "run" / name).stat().st_size for name in files)


@pytest.mark.parametrize("win", ["lowest", "highest"])
def test_without_elo_points_decide(win: str, tmp_path: Path) -> None:
    """Where nobody meets another, the board and the charts are in the order of the points."""
    games: list[Game] = [
        (block, [e] * 4, [e, 3 * e, 0, 9]) for block in range(3) for e in (2, 0, 1)
    ]
    summary = summarise(write_run(tmp_path / "run", Rules(win=win), games, entries=3))
    assert summary.ratings is None
    best_first = ["A", "B", "C"] if win == "lowest" else ["C", "B", "A"]
    assert list(summary.board["strategy"]) == best_first
    for kind in ("ratings", "points"):
        shown = [text.get_text() for text in draw(summary, kind).texts]
        assert [text for text in shown if text in NAMES] == best_first
