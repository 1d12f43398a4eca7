"""What the kinds of charts show stands where its value says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from drawn import boxes_of, dots_of, line_of, pair_frame, place_of, visible_texts, words
from made_details import made_details
from matplotlib.colors import to_rgb

from hearts_sim.report import charts
from hearts_sim.report.charts.colours import luminance
from hearts_sim.report.charts.lines import LABEL, spread

NAMES = ["Ann", "Bob", "Cid"]


@pytest.mark.parametrize("module", [found.name for found in pkgutil.iter_modules(charts.__path__)])
def test_examples(module: str) -> None:
    """The examples in the docstrings say what comes out."""
    path = f"{charts.__name__}.{module}"
    assert doctest.testmod(importlib.import_module(path)).failed == 0


# rows of dots


def test_time_is_on_a_scale_of_powers() -> None:
    spent = [100.0, 10.0, 1000.0]
    frame = pd.DataFrame({"strategy": NAMES, "microseconds": spent, "low": spent, "high": spent})
    figure = charts.timing(frame)
    x = dots_of(figure)[:, 0]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1])
    heights = [place_of(figure, name)[1] for name in ("Bob", "Ann", "Cid")]
    assert heights == sorted(heights), "the quickest first"
    assert "1 ms" in words(figure)


def test_a_time_of_nothing_is_no_value() -> None:
    frame = pd.DataFrame(
        {"strategy": NAMES, "microseconds": [0.0, np.nan, 3.0], "low": np.nan, "high": np.nan}
    )
    figure = charts.timing(frame)
    assert len(dots_of(figure, "hollow")) == 1
    assert words(figure).count("\u2013") == 2


def test_moons_in_percent() -> None:
    frame = made_details(NAMES).moons
    figure = charts.moons(frame)
    shown = words(figure)
    for kind in ("made", "suffered", "stopped"):
        for share in frame[f"{kind}_share"]:
            assert f"{100 * share:.2f}" in shown
    attempts = frame["made"].sum() + frame["failed"].sum()
    said = f"Of {attempts:,} attempts {frame['failed'].sum():,} were stopped."
    assert any(said in text for text in shown)
    assert "Nobody shot the moon." in words(charts.moons(made_details(NAMES, moons=False).moons))


def test_a_strategy_twice_is_refused() -> None:
    frame = made_details(["Ann", "Ann"]).takes
    with pytest.raises(ValueError, match="more than one row"):
        charts.hearts(frame)


# parts


def test_seats_stand_at_their_points() -> None:
    """Dots of all panels are on one scale, in rows of their seats."""
    points = [4.0, 5.0, 6.0, 5.0, 7.0, 8.0]
    frame = pd.DataFrame(
        {
            "strategy": np.repeat(["Ann", "Bob"], 3),
            "seat": [0, 1, 2] * 2,
            "points": points,
            "low": np.array(points) - 0.5,
            "high": np.array(points) + 0.5,
            "hands": 10,
        }
    )
    dots = dots_of(charts.seats(frame))
    unit = dots[1, 0] - dots[0, 0]
    assert np.diff(dots[:3, 0]) == pytest.approx([unit, unit])
    assert np.diff(dots[3:, 0]) == pytest.approx([2 * unit, unit])
    assert dots[:3, 1] == pytest.approx(dots[3:, 1])
    assert np.all(np.diff(dots[:3, 1]) > 0)


def test_the_mean_over_all_passes_is_weighted_by_hands() -> None:
    """The dashed line stands at 5: three hands of 4 and one of 8."""
    frame = pd.DataFrame(
        {
            "strategy": "Ann",
            "pass": ["left", "hold", "right"],
            "points": [4.0, 8.0, 5.0],
            "low": [3.9, 7.9, 4.9],
            "high": [4.1, 8.1, 5.1],
            "hands": [3, 1, 0],
        }
    )
    figure = charts.passes(frame)
    at = dots_of(figure)[2, 0]
    dashed = [
        path.vertices
        for item in figure.artists
        if item.get_zorder() == 2
        for path in item.get_paths()  # type: ignore[attr-defined]
    ]
    assert [line[0][0] for line in dashed] == [pytest.approx(at)]


def test_queens_given_stand_below_those_taken() -> None:
    made = made_details(NAMES)
    figure = charts.queens(made.queens, made.queens_given)
    assert len(dots_of(figure)) == 2 * 9
    assert "gave her to another" in words(figure)
    alone = charts.queens(made.queens)
    assert len(dots_of(alone)) == 9
    assert "gave her to another" not in words(alone)


# lines


def test_ecdf_goes_through_the_shares() -> None:
    frame = pd.DataFrame(
        {"strategy": "Ann", "points": [0, 4, 26], "hands": [5, 3, 2], "moon": ["", "", "made"]}
    )
    line = line_of(charts.ecdf(frame), "Ann")
    rise = line[0, 1] - line[26, 1]  # from 50 % to 100 %
    assert line[3, 1] == pytest.approx(line[0, 1])
    assert line[0, 1] - line[4, 1] == pytest.approx(0.6 * rise)
    assert line[25, 1] == pytest.approx(line[4, 1])


def test_games_start_at_nothing() -> None:
    frame = made_details(NAMES).trajectory
    figure = charts.trajectory(frame)
    line = line_of(figure, "Bob")
    own = frame[frame["strategy"] == "Bob"]["score"].to_numpy()
    assert len(line) == 1 + len(own)
    rises = (line[0, 1] - line[1:, 1]) / (line[0, 1] - line[-1, 1])
    assert rises == pytest.approx(own / own[-1])


def test_blocks_are_on_a_scale_of_powers() -> None:
    frame = made_details(NAMES, blocks=400).convergence
    frame = frame[frame["blocks"].isin([4, 400, int(frame["blocks"].iloc[5])])]
    line = line_of(charts.convergence(frame), "Ann")
    middle = frame["blocks"].iloc[1]
    part = (line[1, 0] - line[0, 0]) / (line[-1, 0] - line[0, 0])
    start = frame["blocks"].iloc[0]
    assert part == pytest.approx(np.log(middle / start) / np.log(400 / start))


def test_what_leaves_its_panel_is_cut_there() -> None:
    """In files too: a rectangle that cuts has a size, and lies within the page."""
    names = [f"Bot{index}" for index in range(9)]
    frame = made_details(names).convergence
    frame.loc[frame.groupby("strategy").head(1).index, "elo"] += 900
    figure = charts.convergence(frame)
    root = ET.fromstring(charts.to_bytes(figure, "svg"))
    cuts = [node[0].attrib for node in root.iter() if node.tag.endswith("clipPath")]
    assert len(cuts) >= 9
    for cut in cuts:
        left, top, width, height = (float(cut[key]) for key in ("x", "y", "width", "height"))
        assert 0 <= left < left + width <= 72 * figure.get_figwidth()
        assert 0 <= top < top + height <= 72 * figure.get_figheight()
        assert width > 70
        assert height > 60


def test_without_elo_points_are_drawn() -> None:
    frame = made_details(NAMES).convergence.assign(elo=np.nan, low=np.nan, high=np.nan)
    assert "points per hand" in words(charts.convergence(frame))


def test_many_lines_have_a_panel_each() -> None:
    names = [f"Bot{index}" for index in range(9)]
    shown = words(charts.trajectory(made_details(names).trajectory))
    assert any("Grey: the mean of all strategies." in text for text in shown)
    shown = words(charts.trajectory(made_details(names[:8]).trajectory))
    assert not any("Grey" in text for text in shown)


def test_labels_are_spread() -> None:
    """None touches another or leaves the limits; one with room stays where it wants to be."""
    rng = np.random.default_rng(3)
    for count in (1, 2, 5, 8):
        for _ in range(50):
            wanted = {str(index): float(rng.uniform(-1, 4)) for index in range(count)}
            found = spread(wanted, 0.0, 3.0)
            heights = sorted(found.values())
            assert np.all(np.diff(heights) >= LABEL - 1e-5)
            assert heights[0] >= -1e-6
            assert heights[-1] <= 3 + 1e-6
            order = sorted(wanted, key=lambda name: wanted[name])
            assert sorted(found, key=lambda name: found[name]) == order
    assert spread({"a": 1.0, "b": 2.0, "c": float("nan")}, 0.0, 3.0) == {"a": 1, "b": 2, "c": 3}


# cells


def test_known_differences_are_bright() -> None:
    frame = pd.DataFrame(
        {
            "strategy": ["Ann", "Bob", "Ann", "Cid"],
            "opponent": ["Bob", "Ann", "Cid", "Ann"],
            "share": [0.7, 0.3, 0.6, 0.4],
            "significant": [True, True, False, False],
            "points_difference": [-1.5, 1.5, -0.4, 0.4],
        }
    )
    figure = charts.pairwise(frame, strategies=NAMES)
    faces = {}
    for item in figure.artists:
        if item.get_label() == "cells":
            face = tuple(item.get_facecolor()[0][:3])  # type: ignore[attr-defined]
            for path in item.get_paths():  # type: ignore[attr-defined]
                for corners in np.asarray(path.vertices).reshape(-1, 5, 2):
                    faces[tuple(corners[:4].mean(axis=0).round(3))] = face
    rows = [place_of(figure, text)[1] for text in ("70%", "30%")]
    assert rows[0] < rows[1], "the row of Ann is above that of Bob"

    def face(text: str) -> tuple[float, float, float]:
        near = place_of(figure, text)
        return faces[min(faces, key=lambda place: float(np.hypot(*(near - place))))]

    red, _, blue = face("70%")
    assert blue > red
    red, _, blue = face("30%")
    assert red > blue
    bright, pale = (
        luminance("#" + "".join(f"{round(255 * part):02x}" for part in face(text)))
        for text in ("70%", "60%")
    )
    assert bright < 0.4 < 0.7 < pale
    shown = words(figure)
    assert {"\u22121.50", "+1.50"} <= set(shown)
    assert any("Empty: the two never met." in text for text in shown)


def test_a_large_field_has_no_figures_in_its_cells() -> None:
    for count, there in ((14, True), (15, False)):
        figure = charts.pairwise(pair_frame([f"Bot{index}" for index in range(count)]))
        assert any(text.endswith("%") for text in words(figure)) is there


def test_faults_add_up() -> None:
    frame = pd.DataFrame(
        [("Ann", "crash", 3), ("Bob", "crash", 4), ("Bob", "too_slow", 50), ("Bob", "crash", 1)],
        columns=["strategy", "kind", "faults"],
    )
    figure = charts.faults(frame)
    assert place_of(figure, "Bob")[1] < place_of(figure, "Ann")[1], "most faults first"
    assert {"50", "5", "55", "too slow", "crash"} <= set(words(figure))
    with pytest.raises(ValueError, match="no faults to draw"):
        charts.faults(frame.assign(faults=0))


# lengths


def test_bars_of_lengths_are_shares() -> None:
    frame = pd.DataFrame({"hands": [8, 9, 11, 12], "games": [10, 30, 60, 0]})
    figure = charts.lengths(frame)
    bars = boxes_of(figure, "games")
    heights = bars[:, 3] - bars[:, 1]
    assert heights / heights[0] == pytest.approx([1, 3, 6])
    middles = (bars[:, 0] + bars[:, 2]) / 2
    assert middles[2] - middles[1] == pytest.approx(2 * (middles[1] - middles[0]))
    assert "mean 10.1" in words(figure)
    with pytest.raises(ValueError, match="no games to draw"):
        charts.lengths(frame.assign(games=0))


def test_lengths_of_one_and_of_thousands() -> None:
    for hands in ([4], [1, 4000]):
        figure = charts.lengths(pd.DataFrame({"hands": hands, "games": 5}))
        assert len(boxes_of(figure, "games")) == len(hands)
        at = [text.get_text() for text in visible_texts(figure)]
        assert "share of games (%)" in at


# all


@pytest.mark.parametrize("chart", list(charts.CHARTS.values()), ids=list(charts.CHARTS))
def test_bad_frames_are_explained(chart: object) -> None:
    extra = {"sides": 4} if chart is charts.places else {}
    with pytest.raises(ValueError, match="the frame lacks"):
        chart(pd.DataFrame({"strategy": ["Ann"]}), **extra)  # type: ignore[operator]


def test_colours_given_are_used() -> None:
    colours = {"Ann": "#123456", "Bob": "#654321", "Cid": "#334455"}
    figure = charts.hearts(made_details(NAMES).takes, colours=colours)
    faces = {
        tuple(np.round(face[:3], 4))
        for item in figure.artists
        if item.get_label() == "value"
        for face in item.get_facecolor()  # type: ignore[attr-defined]
    }
    assert faces == {tuple(np.round(to_rgb(colour), 4)) for colour in colours.values()}
