"""Figures of games that are made by hand: teams, large tables, and where the highest total wins."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from hearts_sim.engine.log import GAME_ROW, HAND_ROW
from hearts_sim.report.board import pairwise
from hearts_sim.report.notes import TEAM_PLACES, TEAM_POINTS, facts, legend, notes, preset_of
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.report.text import leaderboard
from hearts_sim.report.write import as_json, draw, write_report
from hearts_sim.rules import PRESETS, Rules
from hearts_sim.tournament.columns import SCHEMA_VERSION, arrow_table, names_for
from hearts_sim.tournament.folder import RunFolder
from hearts_sim.tournament.results import Results

Game = tuple[int, Sequence[int], Sequence[int]]
"""Block, entry by seat, total by seat; the totals of partners who pool are equal."""

NAMES = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"]


def sides_of(rules: Rules) -> list[tuple[int, ...]]:
    """The seats of each side."""
    seats = range(rules.players)
    if rules.teams == "none":
        return [(seat,) for seat in seats]
    return [(seat, seat + rules.players // 2) for seat in range(rules.players // 2)]


def places_of(rules: Rules, totals: Sequence[int]) -> dict[int, tuple[Fraction, int]]:
    """Place of each seat and by how many sides it is shared, counted one by one."""
    sides = sides_of(rules)
    values = [
        totals[side[0]] if rules.teams == "pooled" else sum(totals[seat] for seat in side)
        for side in sides
    ]
    found = {}
    for side, value in zip(sides, values, strict=True):
        better = sum(v > value if rules.win == "highest" else v < value for v in values)
        equal = values.count(value)
        for seat in side:
            found[seat] = (Fraction(2 * better + equal + 1, 2), equal)
    return found


def write_run(
    path: Path,
    rules: Rules,
    games: Sequence[Game],
    *,
    entries: int = 4,
    report: Mapping[str, Any] | None = None,
    **info: Any,
) -> Results:
    """A results folder of games of one hand each."""
    names = NAMES[:entries]
    finals = np.zeros(len(games) * rules.players, GAME_ROW)
    hands = np.zeros(len(finals), HAND_ROW)
    number: Counter[int] = Counter()
    for at, (block, seated, totals) in enumerate(games):
        place = places_of(rules, totals)
        for seat, (entry, total) in enumerate(zip(seated, totals, strict=True)):
            where, tied = place[seat]
            for row in (finals[at * rules.players + seat], hands[at * rules.players + seat]):
                row["block"], row["game"], row["seat"] = block, at, seat
                row["seating"], row["strategy"] = number[block], entry
                row["team"] = rules.team(seat)
                row["score"] = row["points"] = total
            row = finals[at * rules.players + seat]
            row["place"], row["hands"] = where, 1
            row["win"] = 1 / tied if 2 * where == tied + 1 else 0
        number[block] += 1
    hands["hand"] = 1
    hands["queen_by"] = hands["moon_stopped_by"] = -1
    folder = RunFolder(path)
    texts = names_for(rules, names)
    for table, rows in (("games", finals), ("hands", hands)):
        folder.part_path(table, 0).parent.mkdir(parents=True)
        pq.write_table(arrow_table(table, rows, texts), folder.part_path(table, 0))
    identity = {
        "seed": 1,
        "rules": rules.settings(),
        "format": "table",
        "log": "hands",
        "entries": [{"name": name} for name in names],
    }
    settings = {"confidence": 0.95, "anchor": None, **(report or {})}
    folder.write_info(
        {
            "schema_version": SCHEMA_VERSION,
            "rules_version": 1,
            "hearts_sim": "0",
            "name": "made",
            "status": "finished",
            "identity": identity,
            "config": {"report": settings, "rules": rules.settings()},
            "blocks": len({block for block, _, _ in games}),
            "games": len(games),
            **info,
        }
    )
    spent = dict.fromkeys(names, 1)
    folder.write_part(0, {}, {"digest": "0", "decisions": spent, "nanoseconds": spent})
    return Results(path)


def random_games(
    rules: Rules, *, entries: int, blocks: int = 12, span: int = 4, seed: int = 5
) -> list[Game]:
    """Games in which everybody meets everybody, with few totals and therefore many ties."""
    rng = np.random.default_rng(seed)
    games: list[Game] = []
    for block in range(blocks):
        table = rng.permutation([seat % entries for seat in range(rules.players)])
        if entries > rules.players:
            table = rng.permutation(entries)[: rules.players]
        for shift in range(rules.players):
            totals = rng.integers(0, span, rules.players)
            if rules.teams == "pooled":
                totals = np.tile(totals[: rules.team_count], 2)
            games.append((block, np.roll(table, shift).tolist(), totals.tolist()))
    return games


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
        assert row["games"] == row["hands"] == seats[str(name)]
        assert row["wins"] == pytest.approx(won, abs=1e-6)
        assert row["last"] == pytest.approx(lost, abs=1e-6)
        assert row["points"] == pytest.approx(points)
    played = board["games"] / board["games"].sum()
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


# Words


def test_facts_name_preset_and_teams(tmp_path: Path) -> None:
    """The line of facts has the preset, if these are just its rules, and the teams."""
    for number, (rules, words) in enumerate(
        (
            (Rules(), "1 hands of black_lady, 4 players, seed 1"),
            (Rules(target=77), "1 hands, 4 players, seed 1"),
            (Rules.preset("cancellation", players=11), "of cancellation, 11 players, seed 1"),
            (Rules.preset("partnership"), "of partnership, 4 players in 2 teams, seed 1"),
            (Rules(players=6, teams="pooled"), "1 hands, 6 players in 3 teams, seed 1"),
        )
    ):
        games = random_games(rules, entries=12, blocks=1)[:1]
        summary = summarise(write_run(tmp_path / str(number), rules, games, entries=12))
        assert facts(summary).endswith(words)
        assert draw(summary, "places").texts[1].get_text() == facts(summary)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_recognised(name: str) -> None:
    """Rules of a preset, also read from a file, have its name."""
    for players in PRESETS[name].players:
        rules = Rules.preset(name, players=players)
        assert preset_of(Rules(**rules.settings())) == name
        assert preset_of(Rules(**(rules.settings() | {"max_hands": 999}))) == ""


PARTNERS = "Partners share a place; pairs within a team are not compared."
UNLIKE: dict[str, tuple[dict[str, Any], list[str]]] = {
    "usual": ({}, []),
    "highest": ({"win": "highest"}, ["The highest total wins."]),
    "singly": ({"teams": "singly"}, [PARTNERS]),
    "pooled, highest": (
        {"teams": "pooled", "win": "highest"},
        ["The highest total wins.", PARTNERS, TEAM_POINTS],
    ),
}


@pytest.fixture(params=UNLIKE)
def unlike(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Summary, list[str]]:
    """A run of unusual rules and how its notes begin."""
    settings, notes = UNLIKE[request.param]
    rules = Rules(**settings)
    return summarise(write_run(tmp_path / "run", rules, random_games(rules, entries=4))), notes


def test_what_is_noted(unlike: tuple[Summary, list[str]]) -> None:
    """The notes say what is unlike the usual game, on the pages and as JSON; so does the legend."""
    summary, wanted = unlike
    rules = summary.results.rules
    said = notes(summary)
    assert len(said) == len(wanted)
    assert all(one.startswith(other) for one, other in zip(said, wanted, strict=True))
    assert as_json(summary)["notes"] == said
    better = "more" if rules.win == "highest" else "fewer"
    assert legend(summary).startswith(f"Points per hand: {better} are better.")
    assert ("all pairs of opponents at a table" in legend(summary)) is (rules.teams != "none")
    write_report(summary)
    for name in ("report.md", "report.html"):
        page = (summary.results.path / name).read_text(encoding="utf-8")
        assert all(note in page.replace("\\", "").replace("&#39;", "'") for note in said)


def test_words_of_charts(unlike: tuple[Summary, list[str]]) -> None:
    """Charts say which way points are better, and whose points and places are shown."""
    summary, _ = unlike
    rules = summary.results.rules
    better = "higher is better \u2192" if rules.win == "highest" else "\u2190 lower is better"
    for kind in ("ratings", "points"):
        shown = [text.get_text() for text in draw(summary, kind).texts]
        assert better in shown
        assert (TEAM_POINTS in shown) is (rules.teams == "pooled")
    shown = [text.get_text() for text in draw(summary, "places").texts]
    assert (TEAM_PLACES in shown) is (rules.teams != "none")
    places = ["1st", "2nd", "3rd", "4th"]
    assert [text for text in shown if text in places] == places[: rules.sides]


def test_an_anchor_that_met_nobody(tmp_path: Path) -> None:
    """While the anchor has no opponent yet, ratings refer to the mean, and a note says so."""
    games = random_games(Rules(), entries=4)
    late = write_run(tmp_path / "run", Rules(), games, entries=5, report={"anchor": "E"})
    summary = summarise(late)
    assert summary.reference == "mean"
    assert summary.board["elo"].mean() == pytest.approx(1500)
    assert "E has met nobody yet: the field's mean stands in for it." in notes(summary)
    assert write_report(summary)
    known = write_run(tmp_path / "known", Rules(), games, report={"anchor": "D"})
    assert summarise(known).reference == "D"
