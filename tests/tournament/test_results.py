"""The log and what is made of it: every figure of the report again, from the files with pandas."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from trial import FOUR, HIGH, LOW, settings, write_files

from hearts_sim import load, run
from hearts_sim.errors import ResultsError
from hearts_sim.report.board import pairwise
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.tournament.log.columns import TABLES
from hearts_sim.tournament.reading.results import Results

# Many ties: all but one seat have no points after a hand of these.
QUEEN_ONLY = {
    "heart_scale": "zero", "moon": "off", "pass_cycle": ["H"], "end": {"deals": 1}, "tie": "draw",
}  # fmt: skip
SHORT = {"end": {"deals": 1}, "tie": "draw"}
RUNS: dict[str, dict[str, Any]] = {
    "3 players": {"rules": {"players": 3, **SHORT}, "games": 60},
    "4 players to the end": {"games": 24},
    "4 players, ties": {"rules": QUEEN_ONLY, "games": 80},
    "5 players": {"rules": {"players": 5, **SHORT}, "games": 60},
    "5 players, ties": {"rules": {"players": 5, **QUEEN_ONLY}, "games": 60},
    "8 players": {"rules": {"players": 8, **SHORT}, "games": 64},
    "11 players": {"rules": {"preset": "cancellation", "players": 11, **SHORT}, "games": 66},
    "2 teams": {"rules": {"teams": "singly", **SHORT}, "games": 40},
    "2 teams to the end": {"rules": {"teams": "pooled", "moon": "off"}, "games": 24},
    "3 teams, ties": {"rules": {"players": 6, "teams": "singly", **QUEEN_ONLY}, "games": 60},
    "3 teams, pooled, highest wins": {
        "rules": {"players": 6, "teams": "pooled", "moon": "off", "win": "highest", **SHORT},
        "games": 60,
    },
    "spot": {"rules": {"preset": "spot", **SHORT}, "games": 40},
    "moons": {"entries": ["High", "Low"], "rules": {"moon": "new", "target": 300}, "games": 24},
    "highest wins": {"rules": {**SHORT, "win": "highest"}, "games": 40},
    "self-play": {"type": "selfplay", "rules": SHORT, "games": 40},
}


@pytest.fixture(scope="module", params=RUNS)
def summary(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """A run, summarised."""
    folder = write_files(tmp_path_factory.mktemp("four"), FOUR)
    output = tmp_path_factory.mktemp("runs") / "out"
    return summarise(run(settings(folder, **RUNS[request.param]), output=output, report=False))


def rows(summary: Summary, table: str) -> pd.DataFrame:
    """All rows of a table, straight from its files."""
    files = sorted((summary.results.path / table).glob("*.parquet"))
    assert len(files) == len(summary.results.folder.parts())
    return pd.concat(map(pd.read_parquet, files), ignore_index=True)


@pytest.fixture(scope="module")
def hands(summary: Summary) -> pd.DataFrame:
    return rows(summary, "hands")


@pytest.fixture(scope="module")
def finals(summary: Summary, hands: pd.DataFrame) -> pd.DataFrame:
    """Totals, places and shares of the win by game and seat, out of the hands alone."""
    rules = summary.results.rules
    last = hands.sort_values("hand").groupby(["game", "seat"], as_index=False).last()
    last["side"] = last["seat"] % rules.sides
    together = last.groupby(["game", "side"], as_index=False)["score"]
    sides = together.first() if rules.teams == "pooled" else together.sum()
    sign = -1 if rules.win == "highest" else 1
    by_game = (sign * sides["score"]).groupby(sides["game"])
    sides["place"] = by_game.rank(method="average")
    sides["tied"] = sides.groupby(["game", "score"])["side"].transform("size")
    sides["win"] = (by_game.rank(method="min") == 1) / sides["tied"]
    sides["last"] = (by_game.rank(method="min", ascending=False) == 1) / sides["tied"]
    return last.merge(sides.drop(columns="score"), on=["game", "side"])


# The figures of the report


def test_leaderboard(summary: Summary, hands: pd.DataFrame, finals: pd.DataFrame) -> None:
    """Games, hands, points, wins, last places, moons and queens are those of the rows."""
    board = summary.board.set_index("strategy")
    assert sorted(board.index) == sorted(summary.results.names)
    by_hand = hands.groupby("strategy", observed=True)
    by_game = finals.groupby("strategy", observed=True)
    expected = {
        "games": by_game["game"].nunique(),
        "seats": by_game.size(),
        "hands": by_hand.size(),
        "points": by_hand["points"].mean(),
        "wins": by_game["win"].mean(),
        "last": by_game["last"].mean(),
        "moons": (hands["moon"] == 1).groupby(hands["strategy"], observed=True).mean(),
        "queens": (hands["queen"] > 0).groupby(hands["strategy"], observed=True).mean(),
        "blocks": by_hand["block"].nunique(),
    }
    for column, values in expected.items():
        for name in board.index:
            assert board.loc[name, column] == pytest.approx(values[name], rel=1e-6), column


def test_totals(summary: Summary, hands: pd.DataFrame) -> None:
    """Games, hands and blocks of the run are those of the rows."""
    players = summary.results.rules.players
    assert summary.games == hands["game"].nunique() == summary.results.info["games"]
    assert summary.hands == len(hands) // players == summary.results.info["hands"]
    assert summary.blocks == hands["block"].nunique() == summary.results.info["blocks"]


def test_histogram(summary: Summary, hands: pd.DataFrame) -> None:
    """The histogram counts the hands of every strategy by points and kind of moon."""
    kinds = {1: "made", 0: "", -1: "suffered"}
    counts = hands.assign(moon=hands["moon"].map(kinds)).groupby(
        ["strategy", "points", "moon"], observed=True
    )
    expected = {key: int(number) for key, number in counts.size().items()}
    assert summary.histogram is not None
    found = summary.histogram.set_index(["strategy", "points", "moon"])["hands"]
    assert found.to_dict() == expected


def test_places(summary: Summary, finals: pd.DataFrame) -> None:
    """The frame of places counts games by place and by how many share it."""
    counts = finals.groupby(["strategy", "place", "tied"], observed=True).size()
    found = summary.places.set_index(["strategy", "place", "tied"])["games"]
    assert found.to_dict() == {key: int(number) for key, number in counts.items()}


def test_pairwise(summary: Summary, finals: pd.DataFrame) -> None:
    """Every comparison of two strategies at a table counts once, a tie as half."""
    games: dict[tuple[str, str], int] = {}
    wins: dict[tuple[str, str], float] = {}
    for _, table in finals.groupby("game"):
        seats = list(zip(table["strategy"], table["place"], table["side"], strict=True))
        for (one, place, side), (other, against, its) in itertools.permutations(seats, 2):
            if one != other and side != its:
                games[one, other] = games.get((one, other), 0) + 1
                win = 0.5 if place == against else float(place < against)
                wins[one, other] = wins.get((one, other), 0.0) + win
    frame = pairwise(summary).set_index(["strategy", "opponent"])
    assert frame["games"].to_dict() == games
    assert frame["wins"].to_dict() == wins
    shares = {pair: wins[pair] / games[pair] for pair in games}
    assert frame["share"].to_dict() == pytest.approx(shares)


def test_order_of_the_leaderboard(summary: Summary) -> None:
    """Ranks follow Elo, in self-play points, the better end first."""
    board = summary.board
    assert list(board["rank"]) == list(range(1, len(board) + 1))
    if summary.ratings is None:
        assert board["points"].is_monotonic_increasing
        assert board["elo"].isna().all()
    else:
        assert board["elo"].is_monotonic_decreasing
        assert board["elo"].mean() == pytest.approx(1500)


def test_time_per_decision(summary: Summary) -> None:
    """Time per decision is time over decisions in timed blocks, for who played in one."""
    notes = summary.results.folder.parts().values()
    for _, row in summary.board.iterrows():
        decisions = sum(part["decisions"][row["strategy"]] for part in notes)
        spent = sum(part["nanoseconds"][row["strategy"]] for part in notes)
        if decisions:
            assert row["microseconds"] == pytest.approx(spent / decisions / 1000)
            assert row["microseconds"] > 0
        else:
            assert np.isnan(row["microseconds"])
    assert summary.board["microseconds"].notna().any()


# The rows themselves


def test_rows_of_a_hand(summary: Summary, hands: pd.DataFrame) -> None:
    """In every hand cards, tricks and points are complete, and the moon is paid as it is set."""
    rules = summary.results.rules
    by_hand = hands.groupby(["game", "hand"])
    assert (by_hand["raw"].sum() == rules.total).all()
    assert (by_hand["hearts"].sum() == 13 * rules.packs).all()
    assert (by_hand["queen"].sum() == rules.packs).all()
    team = hands["seat"] % rules.team_count if rules.team_count else -1
    assert (hands["team"] == team).all()
    assert (by_hand["tricks"].sum() == rules.hand_size).all()
    assert (by_hand["seat"].apply(list).map(tuple) == tuple(range(rules.players))).all()
    made = by_hand["moon"].max() == 1
    pooled = rules.teams == "pooled"
    points = by_hand["points"].sum() // (2 if pooled else 1)
    assert (points[~made] == rules.total).all()
    paid = {"old": rules.total * (rules.players - 1), "new": -rules.total, "off": rules.total}
    assert (points[made] == paid[rules.moon]).all()
    if rules.total == 26:
        assert (hands["raw"] == hands["hearts"] + 13 * hands["queen"]).all()
    side = hands["seat"] % rules.sides if pooled else hands["seat"]
    taken = hands["raw"].groupby([hands["game"], hands["hand"], side]).transform("sum")
    quiet = hands["moon"] == 0
    assert (taken == hands["points"])[quiet].all()
    queen = hands["queen"] > 0
    assert (hands["queen_how"].astype(str) != "not taken").equals(queen)
    assert (hands["queen_by"] >= 0).equals(queen)
    led = hands["queen_how"].astype(str) == "led"
    assert (hands["queen_by"] != -1)[led].all()


def test_scores_add_up(summary: Summary, hands: pd.DataFrame) -> None:
    """A total is the sum of the points so far; hands are numbered from 1 without a gap."""
    ordered = hands.sort_values(["game", "seat", "hand"])
    by_seat = ordered.groupby(["game", "seat"])
    assert (by_seat["points"].cumsum() == ordered["score"]).all()
    assert (by_seat.cumcount() + 1 == ordered["hand"]).all()
    assert (hands["adjust"] == 0).all()


def test_games_follow_from_hands(
    summary: Summary, hands: pd.DataFrame, finals: pd.DataFrame
) -> None:
    """The rows of games are what their hands add up to."""
    games = rows(summary, "games").sort_values(["game", "seat"], ignore_index=True)
    by_seat = hands.groupby(["game", "seat"])
    assert np.array_equal(games["score"], finals["score"])
    assert np.array_equal(games["strategy"].astype(str), finals["strategy"].astype(str))
    assert np.allclose(games["place"], finals["place"])
    assert np.allclose(games["win"], finals["win"])
    assert np.array_equal(games["points"], by_seat["points"].sum())
    assert np.array_equal(games["hands"], by_seat.size())
    assert np.array_equal(games["queens"], by_seat["queen"].agg(lambda queen: (queen > 0).sum()))
    assert np.array_equal(games["moons"], by_seat["moon"].agg(lambda moon: (moon == 1).sum()))
    ended = set(games["ended"].astype(str))
    assert ended == {"deals" if summary.results.rules.deals else "target"}


def test_the_runs_have_what_they_are_for(
    summary: Summary, finals: pd.DataFrame, request: pytest.FixtureRequest
) -> None:
    """The runs of ties have a tie on every first place, that of moons has moons."""
    name = request.node.callspec.params["summary"]
    if "ties" in name:
        assert finals["win"].max() < 1
    if name == "moons":
        assert summary.board["moons"].max() > 0


# Reading


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A run of Low and High with everything logged."""
    folder = write_files(tmp_path_factory.mktemp("two"), {"low.py": LOW, "high.py": HIGH})
    config = settings(folder, log="plays", games=16)
    return load(run(config, output=folder / "out", report=False).path)


@pytest.mark.parametrize("table", TABLES)
def test_columns_are_the_registry(results: Results, table: str) -> None:
    """Files have the columns of the registry, in its order and of its types; none is missing."""
    import pyarrow as pa

    for part in results.parts(table):
        assert part.column_names == [column.name for column in TABLES[table]]
        for column in TABLES[table]:
            kind = part.schema.field(column.name).type
            if column.names:
                assert pa.types.is_dictionary(kind)
            else:
                assert kind == pa.from_numpy_dtype(np.dtype(column.dtype))
            assert part[column.name].null_count == 0


def test_columns_and_strategies(results: Results) -> None:
    """Reading gives only the columns and strategies that are asked for."""
    hands = results.hands(columns=["game", "points"], strategies=["Low"])
    assert list(hands.columns) == ["game", "points", "strategy"]
    assert set(hands["strategy"]) == {"Low"}
    assert len(hands) == len(results.hands()) // 2
    both = results.games(columns=["strategy", "score"], strategies=["Low", "High"])
    assert both.equals(results.games(columns=["strategy", "score"]))
    assert list(results.plays(columns=["card"]).columns) == ["card"]
    assert len(results.games(strategies=[])) == 0


def test_texts(results: Results) -> None:
    """Columns of text read as categories with the names of the entries and passes."""
    hands = results.hands()
    assert list(hands["strategy"].cat.categories) == results.names == ["High", "Low"]
    assert set(hands["pass"]) <= {"left", "right", "across", "hold"}
    in_order = hands[hands["seat"] == 0].groupby("game")["pass"].apply(list)
    for passes in in_order:
        cycle = ["left", "right", "across", "hold"]
        assert passes == [cycle[hand % 4] for hand in range(len(passes))]


def test_plays_are_whole_hands(results: Results) -> None:
    """In the log of plays every card is played once in a hand, after three passed by each seat."""
    plays, hands = results.plays(), results.hands()
    played = plays[plays["trick"] > 0].groupby(["game", "hand"])["card"]
    assert (played.apply(lambda cards: sorted(cards) == list(range(52)))).all()
    passed = plays[plays["trick"] == 0].groupby(["game", "hand", "seat"]).size()
    assert (passed == 3).all()
    held = hands[(hands["pass"] == "hold") & (hands["seat"] == 0)]
    assert len(passed) == 4 * (len(played) - len(held))


def test_first_parts(results: Results) -> None:
    """Parts come one by one in the order of blocks; `first` stops early."""
    blocks = [set(part["block"].to_pylist()) for part in results.parts("games", ["block"])]
    assert blocks == [{number} for number in range(len(blocks))]
    assert len(list(results.parts("games", first=2))) == 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda run: run.hands(columns=["pointz"]), "hands has no column 'pointz': did you mean"),
        (lambda run: run.games(strategies=["Lo"]), "no strategy 'Lo' in the run: did you mean"),
        (lambda run: list(run.parts("hand")), "there is no table 'hand': did you mean 'hands'"),
    ],
    ids=["column", "strategy", "table"],
)
def test_wrong_names(results: Results, call: Any, words: str) -> None:
    """An unknown table, column or strategy is answered with the nearest name."""
    with pytest.raises(ResultsError) as caught:
        call(results)
    assert words in str(caught.value)


def test_a_table_that_was_not_logged(tmp_path: Path) -> None:
    """Asking for a table that the run did not keep says how to play so that it does."""
    folder = write_files(tmp_path / "two", {"low.py": LOW})
    results = run(settings(folder, log="games"), output=tmp_path / "out", report=False)
    for table in ("hands", "plays"):
        with pytest.raises(ResultsError, match=rf"keeps no {table}: play it with log: {table}"):
            getattr(results, table)()
    assert summarise(results).histogram is None


def test_repr(results: Results) -> None:
    """A run shows its folder, games, strategies and status."""
    assert repr(results) == f"<Results {results.path}: 16 games of High, Low; finished>"
