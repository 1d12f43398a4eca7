"""Reports of runs in which much cannot be said: they are written, and claim nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from made import Game, random_games, write_run
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure

from hearts_sim.report.notes import checks, notes, verdicts
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.report.write import as_json, draw, write_report
from hearts_sim.rules import Rules

MIXED = [[place >> seat & 1 for seat in range(4)] for place in range(1, 15)]


def one_block_duel() -> list[Game]:
    return [(0, seated, [3 + 6 * e + s for s, e in enumerate(seated)]) for seated in MIXED]


def all_tied() -> list[Game]:
    return [(block, [0, 1, 2, 3], [5, 5, 5, 5]) for block in range(12)]


def one_game() -> list[Game]:
    return [(0, [0, 1, 2, 3], [1, 5, 8, 12])]


def one_sided() -> list[Game]:
    """A wins all, D loses all, B and C win from each other."""
    return [
        (block, np.roll([0, 1, 2, 3], shift).tolist(), np.roll(totals, shift).tolist())
        for block in range(12)
        for shift, totals in enumerate(([0, 3, 5, 20], [1, 5, 3, 19], [2, 4, 5, 18]))
    ]


def disconnected() -> list[Game]:
    return [
        (block, [entry + 4 * (block % 2) for entry in seated], totals)
        for block, seated, totals in random_games(Rules(), entries=4, blocks=24, span=20)
    ]


def self_play() -> list[Game]:
    return [(block, [0] * 4, [block % 3, 2, 3, 20]) for block in range(12)]


def thirteen() -> list[Game]:
    return random_games(Rules(), entries=13, blocks=40, span=20)


RUNS: dict[str, tuple[Callable[[], list[Game]], int, str]] = {
    "one block of a duel": (one_block_duel, 2, "duel"),
    "all tied": (all_tied, 4, "table"),
    "one game": (one_game, 4, "table"),
    "undefeated and winless": (one_sided, 4, "table"),
    "disconnected": (disconnected, 8, "table"),
    "self-play of one": (self_play, 1, "selfplay"),
    "thirteen": (thirteen, 13, "table"),
}


def summary_of(case: str, path: Path) -> Summary:
    games, entries, kind = RUNS[case]
    results = write_run(
        path,
        Rules(),
        games(),
        entries=entries,
        identity={"format": kind},
        checks={"deals": {"played": 12, "repeated": 0}, "alike": [], "not_compared": []},
    )
    return summarise(results)


def no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


@pytest.mark.parametrize("case", RUNS)
def test_it_is_written(case: str, tmp_path: Path) -> None:
    """All files, without a warning, and in the JSON no number that is none."""
    run = tmp_path / "run"
    summary = summary_of(case, run)
    for name in write_report(summary):
        assert (run / name).stat().st_size
    json.loads((run / "summary.json").read_text(), parse_constant=no_constant)
    for name in ("report.md", "report.html"):
        page = (run / name).read_text(encoding="utf-8")
        text = page.split("<svg")[0]
        assert not {"nan", "inf", "None"} & set(text.replace("<", " ").replace(">", " ").split())
        plain = page.replace("\\", "").replace("&#39;", "'")
        sentences = [*notes(summary), *verdicts(summary), *checks(summary)]
        assert all(said in plain for said in sentences)
    assert len(verdicts(summary)) == len(summary.board) - 1
    assert checks(summary)[0] == "12 deals, none of them used twice."


@pytest.mark.parametrize("case", ["one block of a duel", "all tied", "one game", "disconnected"])
def test_nothing_is_claimed(case: str, tmp_path: Path) -> None:
    """Nobody is called better by places, and every rank stays possible where nothing was tested."""
    summary = summary_of(case, tmp_path / "run")
    if case != "disconnected":
        assert not any(" better " in said for said in verdicts(summary))
        assert (summary.board["rank_best"] == 1).all()
        assert (summary.board["rank_worst"] == len(summary.board)).all()
    else:
        order = summary.board["strategy"].map("ABCDEFGH".index).to_numpy()
        groups = order // 4
        across = groups[:, None] != groups[None, :]
        assert not summary.ranking.better[np.ix_(order, order)][across].any()
        assert np.isnan(summary.ranking.superiority[np.ix_(order, order)][across]).all()


def test_all_tied_is_exactly_nothing(tmp_path: Path) -> None:
    """Equal in every block: Elo 1500, all as likely the best."""
    summary = summary_of("all tied", tmp_path / "run")
    assert summary.board["elo"].tolist() == [1500.0] * 4
    assert summary.board["elo_error"].tolist() == [0.0] * 4
    assert summary.board["best"].tolist() == [0.25] * 4
    assert all("differ by exactly nothing" in said for said in verdicts(summary))


def test_one_block_has_no_error(tmp_path: Path) -> None:
    """Estimates are there, intervals are not; JSON has null for them."""
    rows = as_json(summary_of("one block of a duel", tmp_path / "run"))["strategies"]
    for row in rows:
        assert row["elo"] is not None
        assert row["points"] is not None
        for name in ("elo_error", "points_error", "superiority", "best", "more_games"):
            assert row[name] is None, name


# Bounds in the chart of the ratings


def marks(figure: Figure, panel: int) -> dict[int, set[str]]:
    """Kinds of marks in each row of a panel, of two beside each other."""
    rows: dict[str, float] = {}
    for text in figure.texts:
        if text.get_text() in set("ABCD"):
            rows[text.get_text()] = (1 - text.get_position()[1]) * figure.get_figheight()
    heights = sorted(rows.values())
    found: dict[int, set[str]] = {}
    for item in figure.artists:
        if isinstance(item, PathCollection) and item.get_label() in ("value", "hollow", "<", ">"):
            places = np.asarray(item.get_offsets())
        elif isinstance(item, LineCollection) and item.get_label() == "bound":
            places = np.array([np.asarray(path.vertices).mean(axis=0) for path in item.get_paths()])
        else:
            continue
        for x, y in places:
            if (x > figure.get_figwidth() * 0.54) == panel:
                row = int(np.argmin([abs(y - height) for height in heights]))
                found.setdefault(row, set()).add(str(item.get_label()))
    return found


def test_a_bound_does_not_look_like_a_value(tmp_path: Path) -> None:
    """It is a bar with an arrow to one side, marked > or <; what was measured is a dot."""
    summary = summary_of("undefeated and winless", tmp_path / "run")
    figure = draw(summary, "ratings")
    assert marks(figure, 0) == {
        0: {"bound", ">"}, 1: {"value"}, 2: {"value"}, 3: {"bound", "<"},
    }  # fmt: skip
    assert marks(figure, 1) == {row: {"value"} for row in range(4)}
    elo = summary.board["elo"]
    shown = [text.get_text() for text in figure.texts]
    assert f"> {elo[0]:.0f}" in shown
    assert f"< {elo[3]:.0f}" in shown
    assert any("only a bound" in text for text in shown)
    assert not any("only a bound" in t.get_text() for t in draw(summary, "places").texts)


def test_the_mean_is_that_of_measured_ratings(tmp_path: Path) -> None:
    """A and B always beat C and D, of which there are only bounds far below."""
    games: list[Game] = [
        (block, [0, 1, 2, 3], totals)
        for block in range(12)
        for totals in ([1, 2, 10, 13], [2, 1, 13, 10], [1, 3, 10, 10])
    ]
    summary = summarise(write_run(tmp_path / "run", Rules(), games))
    assert summary.board["elo_bound"].tolist() == ["", "", "<", "<"]
    assert summary.board["elo"].mean() < 1400
    shown = [text.get_text() for text in draw(summary, "ratings").texts]
    assert "field mean 1500" in shown


def test_a_field_of_bounds_has_a_mean_too(tmp_path: Path) -> None:
    """Where nobody's rating is measured, the line stands at the mean of the bounds."""
    games: list[Game] = [(block, [0, 0, 1, 1], [1, 2, 10, 13]) for block in range(12)]
    summary = summarise(write_run(tmp_path / "run", Rules(), games, entries=2))
    assert summary.board["elo_bound"].tolist() == [">", "<"]
    assert math.isclose(summary.board["elo"].mean(), 1500)
    assert "field mean 1500" in [text.get_text() for text in draw(summary, "ratings").texts]
