"""The charts of a run: which can be drawn, from what, of whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn import assert_legible, visible_texts, words
from made import random_games, write_run
from made_details import made_details

from hearts_sim.errors import ResultsError
from hearts_sim.report.charts.colours import HUES
from hearts_sim.report.drawing import crosstable, draw, drawable
from hearts_sim.report.kinds import KINDS, NEEDS_HANDS
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.rules import Rules

NAMES = ("Ann", "Bob", "Cid", "Dot")


def summary_of(path: Path, *, names: tuple[str, ...] = NAMES, **options: Any) -> Summary:
    games = random_games(Rules(), entries=len(names), blocks=24, span=20)
    results = write_run(path, Rules(), games, entries=len(names), names=names, **options)
    summary = summarise(results)
    hands = options.get("identity", {}).get("log", "hands") == "hands"
    summary.details = made_details(names, log_hands=hands)  # type: ignore[assignment, attr-defined]
    return summary


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    return summary_of(tmp_path_factory.mktemp("drawing") / "run")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_of_a_run(summary: Summary, kind: str) -> None:
    assert drawable(summary) == list(KINDS)
    figure = draw(summary, kind)
    assert_legible(figure)
    shown = words(figure)
    there = {"Ann"} if kind == "faults" else set() if kind == "lengths" else set(NAMES)
    assert there <= set(shown)
    assert any("24 blocks" in text for text in shown), "the facts about the run"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("lengths", "faults")])
def test_strategies_are_picked_and_ordered(summary: Summary, kind: str) -> None:
    figure = draw(summary, kind, ["Dot", "Ann"])
    places = {
        text.get_text(): text.get_position()
        for text in visible_texts(figure)
        if text.get_text() in NAMES
    }
    assert set(places) == {"Dot", "Ann"}
    if kind not in ("trajectory", "convergence"):  # names stand where the lines end
        (x_dot, y_dot), (x_ann, y_ann) = places["Dot"], places["Ann"]
        assert y_dot > y_ann or (y_dot == pytest.approx(y_ann) and x_dot < x_ann)


def test_what_is_relative_to_the_field_stays_so(summary: Summary) -> None:
    mean = next(text for text in words(draw(summary, "ratings")) if "field mean" in text)
    assert mean in words(draw(summary, "ratings", ["Dot", "Ann"]))


def test_colours_are_the_same_with_fewer(summary: Summary) -> None:
    def colours(figure: Any) -> set[str]:
        return {
            str(tuple(np.round(face, 4)))
            for item in figure.artists
            if item.get_label().startswith("ordinary: ")
            for face in item.get_facecolor()
        }

    assert colours(draw(summary, "points", ["Dot"])) < colours(draw(summary, "points"))


def test_those_asked_for_stand_out_in_a_large_field(tmp_path: Path) -> None:
    names = tuple(f"Bot{index}" for index in range(10))
    summary = summary_of(tmp_path / "run", names=names)
    figure = draw(summary, "points", ["Bot7", "Bot3"])
    faces = {
        item.get_label(): item.get_facecolor()  # type: ignore[attr-defined]
        for item in figure.artists
    }
    for name, hue in zip(("Bot7", "Bot3"), HUES, strict=False):
        red, green, blue = (int(hue[at : at + 2], 16) / 255 for at in (1, 3, 5))
        assert np.allclose(faces[f"ordinary: {name}"][0], (red, green, blue, 1))


def test_an_unknown_strategy(summary: Summary) -> None:
    with pytest.raises(ResultsError, match=r"no strategy 'Anne' in .*Ann"):
        draw(summary, "ratings", ["Anne"])


def test_without_hands(tmp_path: Path) -> None:
    summary = summary_of(tmp_path / "run", identity={"log": "games"})
    summary.histogram = None
    assert drawable(summary) == [kind for kind in KINDS if kind not in NEEDS_HANDS]
    for kind in NEEDS_HANDS:
        with pytest.raises(ResultsError) as caught:
            draw(summary, kind)
        said = str(caught.value)
        assert said.endswith(
            "log: games: play it with log: hands, or draw one of ratings, pairwise, places, seats, "
            "lengths, convergence, timing, faults"
        )


def test_nothing_to_show(tmp_path: Path) -> None:
    summary = summary_of(tmp_path / "run")
    made = made_details(NAMES, failed=0)
    summary.details = made  # type: ignore[assignment, attr-defined]
    assert drawable(summary) == [kind for kind in KINDS if kind != "faults"]
    with pytest.raises(ResultsError, match=r"'faults' has nothing to show: .* nobody failed"):
        draw(summary, "faults")
    made.faults = made_details(NAMES, failed=1).faults
    with pytest.raises(ResultsError, match=r"nothing to show of Bob, Cid in "):
        draw(summary, "faults", ["Bob", "Cid"])


def test_crosstable(summary: Summary) -> None:
    """Both directions of a pair say the same; the figures are those of the tables."""
    table = crosstable(summary).set_index(["strategy", "opponent"])
    assert len(table) == 12
    board = summary.board.set_index("strategy")["points"]
    for one, other in table.index:
        here, there = table.loc[(one, other)], table.loc[(other, one)]
        assert here["share"] + there["share"] == pytest.approx(1)
        assert here["points_difference"] == pytest.approx(board[one] - board[other])
        assert here["significant"] == there["significant"]
    better = summary.ranking.better
    assert table["significant"].sum() == 2 * better.sum()
