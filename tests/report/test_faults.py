"""Faults in the report, counted by hand, and the figures without the blocks that they taint."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from made import Failure, Game, random_games, write_run

from hearts_sim.report.board import differences
from hearts_sim.report.fault_text import by_kind, clean_board, clean_legend, clean_rows, in_terminal
from hearts_sim.report.notes import checks, notes, verdicts
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.report.text import leaderboard
from hearts_sim.report.verdicts import Difference, verdict
from hearts_sim.report.write import as_json, draw, drawable, write_report
from hearts_sim.rules import Rules
from hearts_sim.stats import bradley_terry
from hearts_sim.tournament.log.folder import RunFolder

GAMES = random_games(Rules(), entries=4, blocks=12, span=20)
CHECKS = {"deals": {"played": 12, "repeated": 0}, "alike": [], "not_compared": []}


def seat_of(game: int, name: str) -> int:
    return GAMES[game][1].index("ABCD".index(name))


FAILURES = [
    Failure(1, seat_of(1, "A")),
    Failure(1, seat_of(1, "A"), "exception", answer="", message="KeyError: 7"),
    Failure(2, seat_of(2, "A")),
    Failure(2, seat_of(2, "B"), "too_slow", answer=""),
    Failure(21, seat_of(21, "A")),
    Failure(45, seat_of(45, "B"), "memory", answer=""),
]
"""In the blocks 0, 5 and 11; A fails in the games 1, 2 and 21, B in 2 and 45."""

OUT: dict[str, Any] = {
    "strategy": "B", "block": 7, "games": 28, "faulty": 21, "why": "it failed in 21 of its 28 games"
}  # fmt: skip


def made(path: Path, failures: Sequence[Failure] = FAILURES, **more: Any) -> Summary:
    games = more.pop("games", GAMES)
    return summarise(write_run(path / "run", Rules(), games, failures=failures, **more))


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    return made(tmp_path_factory.mktemp("failed"), checks=CHECKS)


@pytest.fixture
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave charts out of reports, which is quicker."""
    monkeypatch.setattr("hearts_sim.report.write.drawable", lambda summary: [])


# Counting


def test_counted_by_hand(failed: Summary) -> None:
    """Faults, games and blocks of each strategy; a game with two faults of one counts once."""
    board = failed.board.set_index("strategy")
    assert board["faults"].to_dict() == {"A": 4, "B": 2, "C": 0, "D": 0}
    assert board["faulty"].to_dict() == {"A": 3, "B": 2, "C": 0, "D": 0}
    assert not board["disqualified"].any()
    assert failed.counts.tainted == {0, 5, 11}
    assert failed.counts.faulty_games == 4
    assert failed.faults.kinds == {
        "A": {"illegal_card": 3, "exception": 1},
        "B": {"too_slow": 1, "memory": 1},
    }
    assert [(row["strategy"], row["kind"], row["game"]) for row in failed.faults.first] == [
        ("A", "illegal_card", 1),
        ("A", "exception", 1),
        ("B", "too_slow", 2),
        ("B", "memory", 45),
    ]
    assert failed.faults.not_reproducible == 2
    assert failed.faults.not_reproducible_by == ["B"]


def test_copies_at_a_table_fail_together(tmp_path: Path) -> None:
    """A strategy that fails in two of its seats has one game with a fault, in one block."""
    games: list[Game] = [(block, [0, 0, 1, 1], [1, 2, 3, 20]) for block in range(3)]
    summary = made(tmp_path, [Failure(1, 0), Failure(1, 1)], games=games, entries=2)
    assert summary.board.set_index("strategy").loc["A", ["faults", "faulty"]].tolist() == [2, 1]
    assert summary.counts.totals["tainting"].tolist() == [1, 0]


def test_the_table(failed: Summary) -> None:
    """One row for each strategy that failed, one column for each kind, the commonest first."""
    heads, rows = by_kind(failed)
    assert heads == [
        "strategy", "illegal card", "exception", "memory", "too slow", "faulty games",
        "of its games", "tainted blocks", "disqualified",
    ]  # fmt: skip
    assert sorted(rows) == [
        ["A", "3", "1", "0", "0", "3", "6.2 %", "2", "no"],
        ["B", "0", "0", "1", "1", "2", "4.2 %", "2", "no"],
    ]


def test_json(failed: Summary) -> None:
    """The same figures, under names of their own."""
    document = as_json(failed)
    found = document["faults"]
    assert (found["policy"], found["total"], found["games"]) == ("substitute", 6, 4)
    assert found["strategies"]["A"] == {
        "kinds": {"illegal_card": 3, "exception": 1},
        "faults": 4,
        "games": 48,
        "faulty": 3,
        "share": 3 / 48,
        "tainted_blocks": 2,
    }
    assert set(found["strategies"]) == {"A", "B"}
    assert (found["tainted_blocks"], found["not_reproducible_blocks"]) == (3, 2)
    assert (found["clean"]["blocks"], found["clean"]["games"]) == (9, 36)
    assert [row["strategy"] for row in found["clean"]["strategies"]] == list(
        failed.board["strategy"]
    )
    assert document["disqualified"] == document["not_loaded"] == []


# Without the tainted blocks


@pytest.mark.parametrize("anchor", [None, "C"])
def test_clean_figures_are_those_of_a_run_of_clean_blocks(
    anchor: str | None, tmp_path: Path
) -> None:
    """Equal to the last digit."""
    summary = made(tmp_path, report={"anchor": anchor})
    rest = [game for game in GAMES if game[0] not in (0, 5, 11)]
    alone = made(tmp_path / "alone", (), games=rest, report={"anchor": anchor})
    clean = clean_board(summary).set_index("strategy")
    whole, twin = (found.board.set_index("strategy") for found in (summary, alone))
    twin = twin.loc[clean.index]
    whole = whole.loc[clean.index]
    for name in ("blocks", "points", "points_error", "elo", "elo_error", "elo_bound"):
        assert clean[f"clean_{name}"].tolist() == twin[name].tolist(), name
    for name in ("points", "elo"):
        assert clean[f"clean_{name}_change"].to_numpy() == pytest.approx(
            (twin[name] - whole[name]).to_numpy(), abs=1e-9
        )
        assert clean[f"clean_{name}_change"].abs().max() > 0.1
    assert summary.faults.clean is not None
    assert summary.faults.clean.anchor == anchor


def test_ratings_of_different_fields_are_not_subtracted(tmp_path: Path) -> None:
    """Where one is missing from all clean blocks, changes are around the mean of the others."""
    games = [
        (block, seated if block < 6 else [min(entry, 2) for entry in seated], totals)
        for block, seated, totals in GAMES
    ]
    failures = [Failure(4 * block, games[4 * block][1].index(3)) for block in range(6)]
    summary = made(tmp_path, failures, games=games)
    clean = clean_board(summary).set_index("strategy")
    board = summary.board.set_index("strategy")
    assert np.isnan(clean.loc["D", "clean_elo"])
    assert np.isnan(clean.loc["D", "clean_elo_change"])
    names = ["A", "B", "C"]
    change = clean.loc[names, "clean_elo_change"]
    assert change.sum() == pytest.approx(0, abs=1e-9)
    for name in names[1:]:
        gap = clean.loc[name, "clean_elo"] - clean.loc["A", "clean_elo"]
        before = board.loc[name, "elo"] - board.loc["A", "elo"]
        assert change[name] - change["A"] == pytest.approx(gap - before)
    assert next(row for row in clean_rows(summary) if row[0] == "D")[4:] == ["–", "–"]


@pytest.mark.usefixtures("no_charts")
def test_an_anchor_without_a_clean_block(tmp_path: Path) -> None:
    """The mean stands in for it, and that is said."""
    games = [
        (block, seated if block < 6 else [min(entry, 2) for entry in seated], totals)
        for block, seated, totals in GAMES
    ]
    failures = [Failure(4 * block, 0) for block in range(6)]
    summary = made(tmp_path, failures, games=games, report={"anchor": "D"})
    clean = summary.faults.clean
    assert summary.anchor == "D"
    assert clean is not None
    assert clean.anchor is None
    assert "D has met nobody in these blocks" in clean_legend(summary)
    write_report(summary)


@pytest.mark.usefixtures("no_charts")
def test_every_block_is_tainted(tmp_path: Path) -> None:
    """There are no such figures, and that is said; all else is there."""
    summary = made(tmp_path, [Failure(4 * block, 0) for block in range(12)])
    assert summary.faults.clean is None
    assert clean_board(summary).empty
    assert as_json(summary)["faults"]["clean"] is None
    said = "Every block is tainted by a fault: there are no figures without such blocks."
    assert said in in_terminal(summary)
    write_report(summary)
    for page in ("report.md", "report.html"):
        assert said in (summary.results.path / page).read_text(encoding="utf-8")
    assert "clean_elo" not in pd.read_csv(summary.results.path / "ratings.csv").columns


# What is said


def test_notes(failed: Summary) -> None:
    """The policy, whose faults tainted how many blocks, and what cannot be reproduced."""
    assert notes(failed) == [
        "Where a bot failed, a neutral card (or pass) was played in its place; its points are then "
        "not its own play.",
        "3 of 12 blocks are tainted by a fault (A in 2, B in 2); under Faults are the figures "
        "without.",
        "2 blocks with a fault of time or memory (B) are not reproducible.",
    ]
    assert "No strategy failed." not in checks(failed)


def test_notes_on_forfeits(tmp_path: Path) -> None:
    """Another policy has another sentence; one block is one."""
    summary = made(
        tmp_path, [Failure(1, 0, "too_slow")], forfeits={1: 0}, limits={"policy": "forfeit"}
    )
    who = "ABCD"[GAMES[1][1][0]]
    assert notes(summary) == [
        "Where a bot failed, the game ended and it got the last place; of such a game only the "
        "hands before count.",
        f"1 of 12 blocks is tainted by a fault ({who} in 1); under Faults are the figures without.",
        f"1 block with a fault of time or memory ({who}) is not reproducible.",
    ]


def test_a_run_that_ended_early(tmp_path: Path) -> None:
    """The reason that the run gives is a note."""
    early = "every game that was left has somebody disqualified in it (B)"
    summary = made(tmp_path, disqualified=[OUT], ended_early=early)
    assert f"The run ended early: {early}." in notes(summary)
    assert notes(made(tmp_path / "2", (), ended_early="")) == []


# Disqualified


@pytest.mark.usefixtures("no_charts")
def test_the_disqualified_have_no_rank(tmp_path: Path) -> None:
    """They are last, marked, and nobody is called better or worse than they are."""
    rng = np.random.default_rng(3)
    games = [
        (block, seated, [8 * "BACD".index("ABCD"[e]) + int(rng.integers(15)) for e in seated])
        for block, seated, _ in GAMES
    ]
    before = made(tmp_path / "before", (), games=games)
    assert before.board["strategy"].tolist() == list("BACD")
    assert before.board["rank_best"].tolist() == [1, 2, 3, 4]
    summary = made(tmp_path, games=games, disqualified=[OUT])
    board = summary.board
    assert board["strategy"].tolist() == list("ACDB")
    for name in ("rank", "rank_best", "rank_worst"):
        assert board[name].tolist()[:3] == [1, 2, 3]
        assert pd.isna(board[name][3])
    assert board["disqualified"].tolist() == [False, False, False, True]
    assert board["superiority"].isna().tolist() == [False, False, True, True]
    assert np.isnan(board["best"][3])
    assert board["elo"].tolist() == [*before.board["elo"].tolist()[1:], before.board["elo"][0]]
    assert leaderboard(board)[3][:2] == ["–", "B (disqualified)"]
    shown = [text.get_text() for text in draw(summary, "ratings").texts]
    assert "Disqualified, without a rank: B." in shown
    said = verdicts(summary)
    assert [text.split(" by ")[0] for text in said] == [
        "A is better than C",
        "C is better than D",
    ]
    rows = as_json(summary)["strategies"]
    assert [row["rank"] for row in rows] == [1, 2, 3, None]
    said = "B is disqualified and has no rank: it failed in 21 of its 28 games; what was left of "
    assert f"{said}its games was not played." in notes(summary)
    write_report(summary)
    path = summary.results.path
    assert pd.read_csv(path / "ratings.csv")["rank"].isna().tolist() == [False] * 3 + [True]
    assert "B (disqualified)" in (path / "report.html").read_text(encoding="utf-8")
    assert any("disqualified" in line for line in in_terminal(summary))


def test_the_best_are_found_among_the_others(tmp_path: Path) -> None:
    """Shares of draws add up to 1 without the disqualified."""
    board = made(tmp_path, disqualified=[OUT]).board
    assert board["best"][:3].sum() == pytest.approx(1)


@pytest.mark.parametrize("name", ["A", "D"])
def test_nobody_is_better_or_worse_than_the_disqualified(name: str, tmp_path: Path) -> None:
    """Though all others are told apart."""
    rng = np.random.default_rng(3)
    games = [
        (block, seated, [8 * entry + int(rng.integers(15)) for entry in seated])
        for block, seated, _ in GAMES
    ]
    summary = made(tmp_path, games=games, disqualified=[OUT | {"strategy": name}])
    pairs = differences(summary)
    own = (pairs["strategy"] == name) | (pairs["opponent"] == name)
    assert own.sum() == (~own).sum() == 3
    assert pairs["better"].tolist() == (~own).tolist()
    place = "ABCD".index(name)
    for better in (summary.ranking.better, summary.ranking.better_points):
        assert not better[place].any()
        assert not better[:, place].any()


@pytest.mark.usefixtures("no_charts")
def test_everybody_is_disqualified(tmp_path: Path) -> None:
    """Nobody has a rank, and the report is written."""
    out = [OUT | {"strategy": name, "block": 0, "games": 0, "faulty": 0} for name in "ABCD"]
    summary = made(tmp_path, disqualified=out)
    assert summary.board["rank"].isna().all()
    assert verdicts(summary) == []
    assert all(row[-1] == "from the start" for row in by_kind(summary)[1])
    write_report(summary)


# Forfeited games


@pytest.mark.usefixtures("no_charts")
def test_forfeited_games_by_hand(tmp_path: Path) -> None:
    """Points per hand are ratios of sums; a game without a hand adds a place and nothing else."""
    games: list[Game] = [
        (0, [0, 1, 2, 3], [10, 3, 5, 8]),
        (1, [1, 2, 3, 0], [0, 0, 0, 0]),  # in its first hand B fails: last, the others share
        (2, [0, 1, 2, 3], [6, 0, 14, 6]),  # in its second hand B fails
    ]
    failures = [Failure(1, 0), Failure(2, 1)]
    summary = made(
        tmp_path, failures, games=games, forfeits={1: 0, 2: 1}, limits={"policy": "forfeit"}
    )
    board = summary.board.set_index("strategy")
    assert summary.hands == 2
    assert board["points"].to_dict() == {"A": 8, "B": 1.5, "C": 9.5, "D": 7}
    assert board["game_points"].to_dict() == pytest.approx(
        {"A": 16 / 3, "B": 1, "C": 19 / 3, "D": 14 / 3}
    )
    assert board["hands"].to_dict() == dict.fromkeys("ABCD", 2)
    assert board["wins"].to_dict() == pytest.approx(
        {"A": (1 / 3 + 1 / 2) / 3, "B": 1 / 3, "C": 1 / 9, "D": (1 / 3 + 1 / 2) / 3}, abs=1e-6
    )
    assert board["last"].to_dict() == pytest.approx({"A": 1 / 3, "B": 2 / 3, "C": 0, "D": 0})
    assert board.loc["B", "net"] == pytest.approx((3 - 23 / 3 + 0 - 26 / 3) / 2)
    assert board["blocks"].tolist() == [2] * 4
    write_report(summary)


def test_no_hand_was_ever_finished(tmp_path: Path) -> None:
    """Only places are left; nothing is divided by 0, and there is no chart of hands."""
    games = [(block, seated, [0, 0, 0, 0]) for block, seated, _ in GAMES]
    forfeits = {at: game[1].index(at % 3) for at, game in enumerate(games)}
    summary = made(
        tmp_path,
        [Failure(game, seat) for game, seat in forfeits.items()],
        games=games,
        forfeits=forfeits,
        limits={"policy": "forfeit"},
        checks=CHECKS,
    )
    assert summary.hands == 0
    assert summary.board["points"].isna().all()
    assert summary.board["moons"].isna().all()
    assert summary.board["elo"].notna().all()
    assert summary.board["strategy"][0] == "D"
    assert "points" not in drawable(summary)
    assert all("finished no hand" in said for said in verdicts(summary))
    write_report(summary)


def test_one_entry_never_finished_a_hand(tmp_path: Path) -> None:
    """It has a place in the order, and no points; the others are measured without it."""
    games = [
        (block, seated if block % 2 else [min(entry, 2) for entry in seated], totals)
        for block, seated, totals in GAMES
    ]
    games = [(block, seated, [0] * 4 if 3 in seated else totals) for block, seated, totals in games]
    forfeits = {at: game[1].index(3) for at, game in enumerate(games) if 3 in game[1]}
    summary = made(
        tmp_path,
        [Failure(game, seat) for game, seat in forfeits.items()],
        games=games,
        forfeits=forfeits,
        limits={"policy": "forfeit"},
    )
    board = summary.board.set_index("strategy")
    assert board.index[3] == "D"
    assert np.isnan(board.loc["D", "points"])
    assert board.loc["D", "last"] == 1
    assert board["points"].notna().tolist() == [True] * 3 + [False]
    write_report(summary)


@pytest.mark.parametrize(
    ("elo", "sign", "said"),
    [
        (40.0, None, "A is better than B by 40 ±20 Elo; there are no points to compare"),
        (-40.0, None, "B is better than A by 40 ±20 Elo; there are no points to compare"),
        (40.0, 0, "A and B: not distinguishable by places (+40 ±20 Elo); there are no points"),
        (10.0, None, "A and B: not distinguishable by places (+10 ±20 Elo); there are no points"),
    ],
)
def test_a_verdict_without_points(elo: float, sign: int | None, said: str) -> None:
    """Places alone can tell."""
    points = Difference(np.nan, np.inf, 0)
    places = Difference(elo, 20 / 1.959963984540054, np.inf)
    found = verdict("A", "B", points, places, games=100, blocks=20, elo_sign=sign)
    assert found.startswith(said)


# Nothing failed


@pytest.mark.usefixtures("no_charts")
def test_nothing_failed(tmp_path: Path) -> None:
    """Nothing is shown but a sentence, and no file is left from an earlier report."""
    summary = made(tmp_path, (), checks=CHECKS)
    (summary.results.path / "faults.csv").write_text("old", encoding="utf-8")
    assert not summary.faults
    assert "faults.csv" not in write_report(summary)
    assert not (summary.results.path / "faults.csv").exists()
    assert "No strategy failed." in checks(summary)
    assert notes(summary) == in_terminal(summary) == []
    unsaid = {
        "report.md": ("Faults", "tainted", "disqualified", "\n###"),
        "report.html": (">Faults<", "tainted", "Disqualified", 'id="faults"', "<pre"),
    }
    for name, words in unsaid.items():
        page = (summary.results.path / name).read_text(encoding="utf-8")
        for word in words:
            assert word not in page
    assert as_json(summary)["faults"] == {
        "policy": "substitute", "total": 0, "games": 0, "strategies": {}, "first": [],
        "tainted_blocks": 0, "not_reproducible_blocks": 0, "not_reproducible_by": [],
        "clean": None,
    }  # fmt: skip


def test_an_ordinary_run_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are read again only where a block is tainted."""
    runs = [
        write_run(tmp_path / str(number), Rules(), GAMES, failures=failures)
        for number, failures in enumerate(((), FAILURES))
    ]
    read: list[str] = []
    read_part = RunFolder.read_part

    def noted(self: RunFolder, table: str, *rest: Any, **more: Any) -> Any:
        read.append(table)
        return read_part(self, table, *rest, **more)

    monkeypatch.setattr(RunFolder, "read_part", noted)
    for results, expected in zip(
        runs, (["games", "hands"], ["games", "hands", "faults", "games"]), strict=True
    ):
        read.clear()
        summarise(results)
        assert read == expected


def test_the_main_figures_do_not_change(tmp_path: Path, failed: Summary) -> None:
    """The leaderboard is over all blocks, whether there are faults or not."""
    plain = made(tmp_path, ())
    columns = [name for name in plain.board if name not in ("faults", "faulty")]
    pd.testing.assert_frame_equal(plain.board[columns], failed.board[columns], check_exact=True)
    ratings = failed.ratings
    assert ratings is not None
    again = bradley_terry(failed.pairs, entries=4)
    assert ratings.elo == pytest.approx(again.elo, abs=1e-9)
