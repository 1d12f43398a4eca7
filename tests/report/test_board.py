"""Every figure of the leaderboard and of the differences, worked out again from the log."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from made import NAMES, Game, random_games, write_run
from scipy import stats
from statsmodels.stats.multitest import multipletests
from trial import FOUR, settings, write_files

from hearts_sim import run
from hearts_sim.report.board import (
    BOARD_COLUMNS,
    differences,
    elo_difference,
    leaderboard,
    points_difference,
)
from hearts_sim.report.notes import verdicts
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.rules import Rules
from hearts_sim.tournament.reading.results import Results

LIMITS = ["points_low", "points_high", "elo_low", "elo_high"]
ELO = 400 / math.log(10)


def uneven_games(blocks: int = 14, seed: int = 8) -> list[Game]:
    """Games in which A, B, C and D take more points in this order, and C and D nearly as many."""
    rng = np.random.default_rng(seed)
    weight = np.array([1, 2, 3.4, 3.6])
    games: list[Game] = []
    for block in range(blocks):
        luck = rng.dirichlet([20] * 4)
        order = rng.permutation(4)
        for shift in range(4):
            seated = np.roll(order, shift)
            share = weight[seated] * luck
            games.append(
                (block, seated.tolist(), rng.multinomial(26, share / share.sum()).tolist())
            )
    return games


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """A real run of four strategies, in which everybody plays in every block."""
    folder = tmp_path_factory.mktemp("real")
    config = settings(write_files(folder / "four", FOUR), games=48, log="hands", seed=4)
    return summarise(run(config, output=folder / "run", report=False))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """A run that is made by hand."""
    return summarise(write_run(tmp_path_factory.mktemp("made") / "run", Rules(), uneven_games()))


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """Six at tables of four, so that each misses some blocks."""
    games = random_games(Rules(), entries=6, blocks=20, span=14)
    path = tmp_path_factory.mktemp("six") / "run"
    return summarise(write_run(path, Rules(), games, entries=6))


@pytest.fixture(params=["real", "made", "six"])
def summary(request: pytest.FixtureRequest) -> Summary:
    found: Summary = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["real", "made"])
def together(request: pytest.FixtureRequest) -> Summary:
    """A run in which all are in all blocks: every error has the blocks less one as freedom."""
    found: Summary = request.getfixturevalue(request.param)
    return found


# A slow twin


@dataclass
class Twin:
    """What a measure is, by block and as if games were independent; k names in order."""

    estimate: np.ndarray[Any, Any]
    covariance: np.ndarray[Any, Any]
    by_game: np.ndarray[Any, Any]
    blocks: list[int]

    def half_width(self, place: int) -> float:
        """Of the estimate of one, at 95 %."""
        factor = stats.t.ppf(0.975, self.blocks[place] - 1)
        return float(factor * math.sqrt(self.covariance[place, place]))

    def gap(self, one: int, other: int) -> tuple[float, float, float]:
        """Difference of two, its standard error, and its design effect."""
        contrast = np.zeros(len(self.estimate))
        contrast[one], contrast[other] = 1, -1
        variance = float(contrast @ self.covariance @ contrast)
        effect = variance / float(contrast @ self.by_game @ contrast)
        return float(contrast @ self.estimate), math.sqrt(variance), effect


def ratio(rows: pd.DataFrame, names: list[str]) -> Twin:
    """Ratio of total to count, of rows with block, game and strategy."""
    whole = rows.groupby("strategy")[["total", "count"]].sum()
    estimate = [float(whole["total"][name] / whole["count"][name]) for name in names]
    found = {}
    for cluster in ("block", "game"):
        shares: list[dict[int, float]] = [{} for _ in names]
        sums = rows.groupby([cluster, "strategy"])[["total", "count"]].sum()
        for (key, name), total, count in sums.itertuples():
            place = names.index(name)
            shares[place][key] = (total - estimate[place] * count) / whole["count"][name]
        covariance = np.zeros((len(names), len(names)))
        for i, j in itertools.product(range(len(names)), repeat=2):
            both = set(shares[i]) & set(shares[j])
            factor = math.prod(math.sqrt(len(shares[e]) / (len(shares[e]) - 1)) for e in (i, j))
            covariance[i, j] = factor * sum(shares[i][b] * shares[j][b] for b in both)
        found[cluster] = covariance, [len(share) for share in shares]
    return Twin(np.array(estimate), found["block"][0], found["game"][0], found["block"][1])


def rows_of(measure: str, results: Results) -> pd.DataFrame:
    """Rows of which a measure is the ratio."""
    games = results.games().assign(count=lambda frame: frame["hands"])
    games["strategy"] = games["strategy"].astype(str)
    games["points"] = games["points"].astype(float)
    if measure == "points":
        return games.assign(total=games["points"])
    if measure == "game_points":
        return games.assign(total=games["points"], count=1)
    if measure == "net":
        totals = []
        for _, table in games.groupby("game", sort=False)["points"]:
            totals += [own - (sum(table) - own) / (len(table) - 1) for own in table]
        return games.assign(total=totals)
    hands = results.hands()
    hands["strategy"] = hands["strategy"].astype(str)
    held = hands.groupby(["block", "hand", "seat"])["points"].mean()
    datum = [held[key] for key in zip(hands["block"], hands["hand"], hands["seat"], strict=True)]
    return hands.assign(total=hands["points"] - np.array(datum), count=1)


@cache
def bradley_terry_twin(results: Results) -> Twin:
    """Elo by Newton's method on dense matrices, and the sandwich over clusters, one by one."""
    names, size = results.names, len(results.names)
    games = results.games()
    compared: list[tuple[int, int, int, int, float]] = []
    for (block, game), table in games.groupby(["block", "game"]):
        entries = [names.index(str(name)) for name in table["strategy"]]
        place = table["place"].tolist()
        for a, b in itertools.combinations(range(len(entries)), 2):
            if entries[a] != entries[b]:
                score = 0.5 + 0.5 * float(np.sign(place[b] - place[a]))
                compared.append((int(block), int(game), entries[a], entries[b], score))
    prior = (ELO / 1000) ** 2 * (np.eye(size) - 1 / size)
    theta = np.zeros(size)

    def surprise(row: tuple[int, int, int, int, float]) -> tuple[float, float]:
        chance = 1 / (1 + math.exp(theta[row[3]] - theta[row[2]]))
        return row[4] - chance, chance * (1 - chance)

    for _ in range(10):
        gradient, curvature = -prior @ theta, prior.copy()
        for row in compared:
            (_, _, i, j, _), (beyond, weight) = row, surprise(row)
            gradient[[i, j]] += beyond, -beyond
            curvature[[i, j, i, j], [i, j, j, i]] += weight, weight, -weight, -weight
        theta = theta + np.linalg.pinv(curvature) @ gradient
    assert np.abs(gradient).max() < 1e-9
    found, number = [], {}
    for column in (0, 1):
        scores: dict[int, np.ndarray[Any, Any]] = {}
        met: dict[int, set[int]] = {}
        for row in compared:
            score = scores.setdefault(row[column], np.zeros(size))
            score[[row[2], row[3]]] += surprise(row)[0] * np.array([1, -1])
            met.setdefault(row[column], set()).update(row[2:4])
        number[column] = [sum(e in entries for entries in met.values()) for e in range(size)]
        factor = np.sqrt([count / (count - 1) for count in number[column]])
        middle = sum(np.outer(score, score) for score in scores.values()) * np.outer(factor, factor)
        bread = np.linalg.pinv(curvature)
        found.append(ELO**2 * bread @ middle @ bread)
    return Twin(1500 + ELO * (theta - theta.mean()), found[0], found[1], number[0])


# The leaderboard


def test_columns(summary: Summary) -> None:
    """Those that are explained, then the ends of the intervals; nobody is missing."""
    board = summary.board
    assert list(board.columns) == [*BOARD_COLUMNS, *LIMITS]
    assert sorted(board["strategy"]) == sorted(summary.results.names)
    assert list(board["rank"]) == list(range(1, len(board) + 1))
    assert list(board["elo"]) == sorted(board["elo"], reverse=True)


@pytest.mark.parametrize("measure", ["points", "net", "datum", "game_points"])
def test_measures(measure: str, summary: Summary) -> None:
    """Estimate, half-width and design effect of all that is measured by hand or game."""
    names = summary.results.names
    twin = ratio(rows_of(measure, summary.results), names)
    for _, row in summary.board.iterrows():
        place = names.index(row["strategy"])
        width = twin.half_width(place)
        assert row[measure] == pytest.approx(twin.estimate[place], abs=1e-9)
        assert row[f"{measure}_error"] == pytest.approx(width, rel=1e-9)
        effect = twin.covariance[place, place] / twin.by_game[place, place]
        assert row[f"{measure}_design"] == pytest.approx(effect, rel=1e-9)
        if measure == "points":
            assert row["points_low"] == pytest.approx(twin.estimate[place] - width)
            assert row["points_high"] == pytest.approx(twin.estimate[place] + width)


def test_elo(summary: Summary) -> None:
    """Rating, half-width, design effect, and the games that are missing."""
    names = summary.results.names
    twin = bradley_terry_twin(summary.results)
    for _, row in summary.board.iterrows():
        place = names.index(row["strategy"])
        width = twin.half_width(place)
        assert row["elo"] == pytest.approx(twin.estimate[place], abs=1e-6)
        assert row["elo_error"] == pytest.approx(width, rel=1e-6)
        assert row["elo_low"] == pytest.approx(row["elo"] - width)
        assert row["elo_high"] == pytest.approx(row["elo"] + width)
        assert row["elo_bound"] == ""
        effect = twin.covariance[place, place] / twin.by_game[place, place]
        assert row["elo_design"] == pytest.approx(effect, rel=1e-6)
        games = summary.results.info["games"]
        assert row["more_games"] == pytest.approx(games * ((width / 10) ** 2 - 1), rel=1e-6)


def test_counts(summary: Summary) -> None:
    """Games, hands, wins, last places, moons, queens, blocks and time, one by one."""
    results = summary.results
    games, hands = results.games(), results.hands()
    wins = dict.fromkeys(results.names, 0.0)
    last = dict.fromkeys(results.names, 0.0)
    for _, table in games.groupby("game"):
        best, worst = table["score"].min(), table["score"].max()
        for name, score in zip(table["strategy"], table["score"], strict=True):
            wins[name] += (score == best) / (table["score"] == best).sum()
            last[name] += (score == worst) / (table["score"] == worst).sum()
    spent = [json.loads(path.read_text()) for path in (results.path / "timing").iterdir()]
    for _, row in summary.board.iterrows():
        name = row["strategy"]
        mine, dealt = games[games["strategy"] == name], hands[hands["strategy"] == name]
        assert row["games"] == mine["game"].nunique()
        assert row["seats"] == len(mine)
        assert row["hands"] == len(dealt) == mine["hands"].sum()
        assert row["blocks"] == mine["block"].nunique()
        assert row["wins"] == pytest.approx(wins[name] / len(mine), abs=1e-6)
        assert row["last"] == pytest.approx(last[name] / len(mine), abs=1e-6)
        assert row["moons"] == pytest.approx((dealt["moon"] == 1).mean())
        assert row["queens"] == pytest.approx((dealt["queen"] > 0).mean())
        nanoseconds = sum(part["nanoseconds"][name] for part in spent)
        decisions = sum(part["decisions"][name] for part in spent)
        assert row["microseconds"] == pytest.approx(nanoseconds / decisions / 1000)


def test_the_real_run_has_something_of_everything(real: Summary) -> None:
    """So that the counts above are not all of nothing."""
    board = real.board
    for name in ("wins", "last", "moons", "queens", "microseconds", "more_games"):
        assert board[name].max() > 0, name
    assert board["elo"].max() - board["elo"].min() > 100


def test_games_against_copies(tmp_path: Path) -> None:
    """A game counts once for an entry that has several seats in it; its seats all count."""
    games: list[Game] = [
        (block, seated, [1, 2, 3, 20])
        for block in range(3)
        for seated in ([0, 0, 1, 1], [0, 1, 1, 1])
    ]
    board = summarise(write_run(tmp_path / "run", Rules(), games, entries=2)).board
    board = board.set_index("strategy")
    assert board["games"].to_dict() == {"A": 6, "B": 6}
    assert board["seats"].to_dict() == board["hands"].to_dict() == {"A": 9, "B": 15}
    assert board["wins"].to_dict() == pytest.approx({"A": 6 / 9, "B": 0})
    assert board["last"].to_dict() == pytest.approx({"A": 0, "B": 6 / 15})


def test_superiority_over_the_next(together: Summary) -> None:
    """Student's t on Elo differences; nothing for the last."""
    board, names = together.board, together.results.names
    twin = bradley_terry_twin(together.results)
    order = [names.index(name) for name in board["strategy"]]
    for at, (one, other) in enumerate(itertools.pairwise(order)):
        gap, se, _ = twin.gap(one, other)
        chance = stats.t.cdf(gap / se, together.blocks - 1)
        assert board["superiority"][at] == pytest.approx(chance, rel=1e-6)
        assert elo_difference(together, one, other).superiority == pytest.approx(chance, rel=1e-6)  # type: ignore[union-attr]
    assert math.isnan(board["superiority"].iloc[-1])


def test_rank_intervals(summary: Summary) -> None:
    """From who is better than whom for all pairs at once, counted by hand."""
    pairs = differences(summary)
    better = {
        (row["strategy"], row["opponent"]) for row in pairs.to_dict("records") if row["better"]
    }
    for _, row in summary.board.iterrows():
        name = row["strategy"]
        assert row["rank_best"] == 1 + sum(worse == name for _, worse in better)
        assert row["rank_worst"] == len(summary.board) - sum(good == name for good, _ in better)
        assert row["rank_best"] <= row["rank"] <= row["rank_worst"]


def test_some_ranks_are_certain_and_some_are_not(made: Summary) -> None:
    """A is far ahead, C and D are close."""
    board = made.board.set_index("strategy")
    assert list(board.index[:2]) == ["A", "B"]
    assert board.loc["A", ["rank_best", "rank_worst"]].tolist() == [1, 1]
    assert board.loc["C", ["rank_best", "rank_worst"]].tolist() == [3, 4]


def test_best(summary: Summary, made: Summary) -> None:
    """A probability over the field, near 1 for a clear winner."""
    assert summary.board["best"].sum() == pytest.approx(1)
    assert summary.board["best"].between(0, 1).all()
    assert made.board["best"][0] > 0.99


# Differences


def test_differences(together: Summary) -> None:
    """Every pair once, the one of better rank first; figures, tests and Holm's correction."""
    names, board = together.results.names, together.board
    elo = bradley_terry_twin(together.results)
    points = ratio(rows_of("points", together.results), names)
    frame = differences(together)
    pairs = list(itertools.combinations(board["strategy"], 2))
    assert list(zip(frame["strategy"], frame["opponent"], strict=True)) == pairs
    freedom = together.blocks - 1
    factor = stats.t.ppf(0.975, freedom)
    alone = []
    for row in frame.to_dict("records"):
        one, other = names.index(row["strategy"]), names.index(row["opponent"])
        for measure, twin, lookup in (
            ("elo", elo, elo_difference),
            ("points", points, points_difference),
        ):
            gap, se, effect = twin.gap(one, other)
            assert row[f"{measure}_difference"] == pytest.approx(gap, rel=1e-6)
            assert row[f"{measure}_se"] == pytest.approx(se, rel=1e-6)
            assert row[f"{measure}_error"] == pytest.approx(factor * se, rel=1e-6)
            assert row[f"{measure}_design"] == pytest.approx(effect, rel=1e-6)
            found = lookup(together, one, other)
            assert found is not None
            assert found.difference == row[f"{measure}_difference"]
            assert found.half_width == pytest.approx(row[f"{measure}_error"])
            assert found.design_effect == row[f"{measure}_design"]
            assert lookup(together, other, one).difference == -found.difference  # type: ignore[union-attr]
        gap, se, _ = elo.gap(one, other)
        assert row["elo_difference"] >= 0
        assert row["superiority"] == pytest.approx(stats.t.cdf(gap / se, freedom), rel=1e-6)
        alone.append(2 * stats.t.sf(abs(gap) / se, freedom))
    np.testing.assert_allclose(frame["p"], alone, rtol=1e-5)
    reject, adjusted, *_ = multipletests(alone, alpha=0.05, method="holm")
    np.testing.assert_allclose(frame["p_holm"], adjusted, rtol=1e-5)
    assert frame["better"].tolist() == reject.tolist()


def test_differences_of_those_who_miss_blocks(six: Summary) -> None:
    """Here freedom differs by pair; the rest is the same, and Holm's correction is over all 15."""
    names = six.results.names
    elo = bradley_terry_twin(six.results)
    frame = differences(six)
    assert len(frame) == 15
    for row in frame.to_dict("records"):
        gap, se, effect = elo.gap(names.index(row["strategy"]), names.index(row["opponent"]))
        assert row["elo_difference"] == pytest.approx(gap, rel=1e-6, abs=1e-6)
        assert row["elo_se"] == pytest.approx(se, rel=1e-6)
        assert row["elo_design"] == pytest.approx(effect, rel=1e-6)
        least = min(elo.blocks[names.index(row[who])] for who in ("strategy", "opponent")) - 1
        widest = stats.t.ppf(0.975, least) * se
        assert stats.t.ppf(0.975, six.blocks - 1) * se <= row["elo_error"] <= widest * (1 + 1e-9)
    reject, adjusted, *_ = multipletests(frame["p"], alpha=0.05, method="holm")
    np.testing.assert_allclose(frame["p_holm"], adjusted)
    assert frame["better"].tolist() == reject.tolist()


@pytest.mark.parametrize("win", ["lowest", "highest"])
def test_self_play_is_in_the_order_of_points(win: str, tmp_path: Path) -> None:
    """Points decide on rank and superiority; there is no Elo and no probability to be the best."""
    rng = np.random.default_rng(2)
    games: list[Game] = [
        (block, [entry] * 4, (rng.integers(0, 9, 4) + 2 * entry).tolist())
        for block in range(12)
        for entry in (1, 2, 0)
    ]
    rules = Rules(win=win)
    summary = summarise(
        write_run(tmp_path / "run", rules, games, entries=3, identity={"format": "selfplay"})
    )
    board = summary.board
    order = ["A", "B", "C"] if win == "lowest" else ["C", "B", "A"]
    assert list(board["strategy"]) == order
    nothing = ["elo", "elo_error", "elo_low", "elo_high", "elo_design", "more_games", "best"]
    assert board[nothing].isna().all(axis=None)
    assert (board["elo_bound"] == "").all()
    twin = ratio(rows_of("points", summary.results), NAMES[:3])
    frame = differences(summary)
    for row in frame.to_dict("records"):
        gap, se, _ = twin.gap(NAMES.index(row["strategy"]), NAMES.index(row["opponent"]))
        assert row["points_difference"] == pytest.approx(gap)
        assert row["points_se"] == pytest.approx(se)
    assert frame[["superiority", "p", "p_holm"]].isna().all(axis=None)
    assert not frame["better"].any()
    assert verdicts(summary) == []
    assert elo_difference(summary, 0, 1) is None


def test_without_the_log_of_hands_there_is_no_datum(tmp_path: Path) -> None:
    """Everything else stays the same."""
    games = uneven_games()
    full = summarise(write_run(tmp_path / "full", Rules(), games)).board
    bare = summarise(write_run(tmp_path / "bare", Rules(), games, identity={"log": "games"})).board
    datum = ["datum", "datum_error", "datum_design"]
    assert full[datum].notna().all(axis=None)
    assert bare[datum].isna().all(axis=None)
    pd.testing.assert_frame_equal(bare.drop(columns=datum), full.drop(columns=datum))


# What is only a name

SWAP = {"A": "C", "B": "D", "C": "A", "D": "B"}


def renamed(path: Path, games: list[Game]) -> pd.DataFrame:
    """Other names for the same entries."""
    board = summarise(write_run(path, Rules(), games, names=["C", "D", "A", "B"])).board
    return board.assign(strategy=board["strategy"].map(SWAP))


def renumbered(path: Path, games: list[Game]) -> pd.DataFrame:
    """The entries in another order."""
    order = [2, 0, 3, 1]
    moved = [
        (block, [order.index(entry) for entry in seated], totals) for block, seated, totals in games
    ]
    return summarise(write_run(path, Rules(), moved, names=[NAMES[entry] for entry in order])).board


def reseated(path: Path, games: list[Game]) -> pd.DataFrame:
    """Other numbers for the same seats."""
    seats = [2, 0, 3, 1]
    moved = [
        (block, [seated[seat] for seat in seats], [totals[seat] for seat in seats])
        for block, seated, totals in games
    ]
    return summarise(write_run(path, Rules(), moved)).board


def reordered(path: Path, games: list[Game]) -> pd.DataFrame:
    """The blocks in another order, with other numbers."""
    number = np.random.default_rng(1).permutation(14).tolist()
    moved = sorted(
        ((number[block], seated, totals) for block, seated, totals in games),
        key=lambda game: game[0],
    )
    return summarise(write_run(path, Rules(), moved)).board


@pytest.mark.parametrize("change", [renamed, renumbered, reseated, reordered])
def test_names_and_numbers_change_nothing(
    change: Callable[[Path, list[Game]], pd.DataFrame], made: Summary, tmp_path: Path
) -> None:
    """Names, the order of the entries, of the seats and of the blocks leave the board as it is.

    The bootstrap draws blocks by their number, so that it draws others in another order.
    """
    board, other = made.board, change(tmp_path / "run", uneven_games())
    drawn = ["best"] if change is reordered else []
    pd.testing.assert_frame_equal(
        other.drop(columns=drawn), board.drop(columns=drawn), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(other["best"], board["best"], atol=0.06)


def test_the_board_is_that_of_the_summary(made: Summary) -> None:
    """Made once, and the same when it is made again."""
    assert made.board is made.board
    pd.testing.assert_frame_equal(leaderboard(made), made.board)
