"""Charts: nothing overlaps, names are literal, numbers are right, files are reproducible."""

from __future__ import annotations

import itertools
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from drawn import (
    assert_legible,
    boxes_of,
    draw_made,
    marks_of,
    place_frame,
    point_frame,
    rating_frame,
    visible_texts,
    words,
)
from made_details import made_details
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from hearts_sim.report.charts import (
    CHARTS,
    places,
    points_histogram,
    ratings,
    save,
    strategy_colours,
    to_bytes,
    to_svg,
)
from hearts_sim.report.charts.colours import HUES, INK, luminance, place_colours, text_on
from hearts_sim.report.charts.histograms import AXIS, bin_width
from hearts_sim.report.charts.labels import fit_names, number_text, width_of
from hearts_sim.report.charts.output import styled
from hearts_sim.report.charts.sheet import INNER, MARGIN, WIDTH
from hearts_sim.report.charts.stacks import ordinal, place_shares
from hearts_sim.report.charts.writing import Words
from hearts_sim.report.kinds import KINDS, NEEDS_HANDS, TITLES

INF, NAN = float("inf"), float("nan")
SUBTITLE = "league: 2,000 games in 500 blocks, 4 seats, seed 2026"
NASTY = [
    "$x^2$ $a$",
    "<script>alert(1)</script>",
    "back\\frac{1}{2}",
    "__under_score__",
    "b&amp;\"'",
    "--> a---b--",
]

Names = list[str]
Draw = Callable[[Names], Figure]


def short_names(count: int) -> Names:
    return [f"Bot{index}" for index in range(count)]


def long_names(count: int) -> Names:
    return [f"determinized_search_with_{index:03d}_samples_abc" for index in range(count)]


def wide_names(count: int) -> Names:
    return [f"{index}" + "W" * 39 for index in range(count)]


def spot_frame(names: Names, *, own: int = 0) -> pd.DataFrame:
    """Hands of Spot Hearts: hearts at their face value and a queen for 25 are 129 points."""
    rng = np.random.default_rng(len(names))
    rows: list[tuple[str, int, int, str]] = []
    for name in names:
        hands = rng.integers(0, 60, 115) + 900 * (np.arange(115) == 0)
        rows += [(name, value, int(count), "") for value, count in enumerate(hands)]
        rows += [(name, own, 100, "made"), (name, 129, 300, "suffered")]
    return pd.DataFrame(rows, columns=["strategy", "points", "hands", "moon"])


DRAW: dict[str, Draw] = {
    "ratings": lambda names: ratings(
        rating_frame(names), reference=names[-1], subtitle=SUBTITLE, confidence=0.9
    ),
    "points": lambda names: points_histogram(point_frame(names), subtitle=SUBTITLE),
    "points, new moon": lambda names: points_histogram(point_frame(names, own=-26)),
    "points, spot": lambda names: points_histogram(spot_frame(names), queen=25),
    "points, highest wins": lambda names: points_histogram(
        spot_frame(names, own=-129), queen=25, highest_wins=True, notes=["A remark."]
    ),
    "places": lambda names: places(place_frame(names), sides=4, subtitle=SUBTITLE),
    "places, 2 teams": lambda names: places(place_frame(names, 2), sides=2, notes=["A remark."]),
    "places, 7 seats": lambda names: places(place_frame(names, 7), sides=7),
    "places, 11 seats": lambda names: places(place_frame(names, 11), sides=11),
}


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (short_names, 3),
        *itertools.product([long_names], [2, 20]),
        (wide_names, 1),
        (wide_names, 5),
    ],
)
@pytest.mark.parametrize("kind", DRAW)
def test_no_text_overlaps_or_leaves_the_figure(
    kind: str, count: int, make: Callable[[int], Names]
) -> None:
    assert_legible(DRAW[kind](make(count)))


@pytest.mark.parametrize("kind", ["ratings", "points, spot", "places, 11 seats"])
def test_fifty_strategies_are_legible(kind: str) -> None:
    assert_legible(DRAW[kind](long_names(50)))


@pytest.mark.parametrize("kind", ["ratings", "points", "places"])
def test_a_giant_field_is_cut_and_says_so(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hearts_sim.report.charts.sheet.MOST", 5)
    shown = words(DRAW[kind](short_names(7)))
    assert any("of 7 strategies" in text for text in shown)
    assert len([text for text in shown if text in short_names(7)]) == 5
    assert kind != "ratings" or "Bot6" in shown, "the anchor is always there"


@pytest.mark.parametrize("kind", ["ratings", "points", "places"])
@pytest.mark.filterwarnings("error")
def test_names_are_shown_literally(kind: str) -> None:
    figure = DRAW[kind](NASTY)
    assert set(NASTY) <= set(words(figure))
    assert not any(text.get_parse_math() for text in visible_texts(figure))
    svg = to_svg(figure)
    assert "<script" not in svg
    ET.fromstring(svg)


@pytest.mark.filterwarnings("error")
def test_what_the_font_lacks_does_not_break_a_chart() -> None:
    figure = DRAW["ratings"](["tab\tnew\nline\x00", "\u4e2d\u6587", "\u6587\u4e2d"])
    shown = words(figure)
    assert "tab new line\ufffd" in shown
    assert {"\ufffd\ufffd (2)", "\ufffd\ufffd (3)"} <= set(shown)
    ET.fromstring(to_svg(figure))


def test_long_titles_are_wrapped() -> None:
    title = "A long title about $this^2$ and that " * 4
    assert_legible(ratings(rating_frame(short_names(3)), title=title, subtitle=SUBTITLE * 5))


def test_measured_widths_are_no_less_than_drawn_ones() -> None:
    figure = DRAW["ratings"]([*NASTY, "AVAVAV Te fi", *wide_names(1)])
    for text in visible_texts(figure):
        with styled():
            drawn = text.get_window_extent().width / figure.dpi
        bold = text.get_fontweight() == "bold"
        measured = width_of(text.get_text(), float(text.get_fontsize()), bold=bold)
        assert drawn - 0.02 <= measured <= drawn * 1.15 + 0.02, text.get_text()


def test_short_labels_stay_different() -> None:
    names = [f"{'a' * 30}{index:02d}{'z' * 30}" for index in range(30)]
    labels = fit_names(names, 1.0, 9)
    assert len(set(labels.values())) == len(names)
    assert all(width_of(label, 9) <= 1.0 for label in labels.values())
    assert list(fit_names(["short"], 1.0, 9).values()) == ["short"]


# ratings


def test_best_strategy_is_on_top_and_values_are_printed() -> None:
    frame = rating_frame(["low", "high", "mid"]).assign(elo=[1400.0, 1600.4, 1500.0])
    figure = ratings(frame)
    tops = {text.get_text(): text.get_window_extent().y0 for text in visible_texts(figure)}
    assert tops["high"] > tops["mid"] > tops["low"]
    assert tops["1600"] == pytest.approx(tops["high"], abs=6)
    assert {"Elo", "Points per hand", "\u2190 lower is better"} <= set(words(figure))


def test_more_points_can_be_better() -> None:
    frame = rating_frame(["few", "many"]).assign(elo=NAN, points=[2.0, 3.0])
    for highest_wins, best in ((False, "few"), (True, "many")):
        figure = ratings(frame, highest_wins=highest_wins)
        tops = {text.get_text(): text.get_window_extent().y0 for text in visible_texts(figure)}
        assert tops[best] == max(tops["few"], tops["many"])
        assert ("higher is better \u2192" in tops) is highest_wins


def test_reference_is_the_anchor_or_the_mean() -> None:
    frame = rating_frame(["A", "B"]).assign(elo=[1500.0, 1600.0], points=[7.0, 6.0])
    assert {"field mean 1550", "field mean 6.50"} <= set(words(ratings(frame)))
    shown = words(ratings(frame, reference="A"))
    assert {"anchor 1500", "anchor 7.00"} <= set(shown)
    assert any("the anchor, A" in text for text in shown)
    with pytest.raises(ValueError, match="no strategy 'Z'"):
        ratings(frame, reference="Z")


def test_self_play_has_no_elo_panel() -> None:
    frame = rating_frame(["A"]).assign(elo=NAN, elo_low=NAN, elo_high=NAN)
    figure = ratings(frame)
    assert marks_of(figure, "value") == 1
    assert "Elo" not in words(figure)
    assert_legible(figure)


def test_unknown_and_infinite_intervals() -> None:
    frame = rating_frame(short_names(6))
    frame.loc[0, ["elo", "elo_high"]] = INF
    frame.loc[1, ["elo_low", "elo_high"]] = NAN
    frame.loc[2, "elo_low"] = -INF
    frame.loc[3, "elo_low"] = -4000
    frame.loc[4, ["points", "points_low", "points_high"]] = NAN
    figure = ratings(frame)
    assert_legible(figure)
    shown = words(figure)
    assert {"\u221e", "\u2013"} <= set(shown)
    note = " ".join(shown)
    assert "arrowhead" in note
    assert "Hollow" in note
    assert "A dash" in note
    marks = [float(text) for text in shown if text.isdigit() and float(text) % 50 == 0]
    assert max(marks) - min(marks) < 1500
    assert (marks_of(figure, "<"), marks_of(figure, ">")) == (2, 1)


@pytest.mark.parametrize("value", [NAN, INF, 1500.0])
def test_nothing_known_is_drawn_too(value: float) -> None:
    frame = rating_frame(short_names(2))
    frame[["points", "points_low", "points_high"]] = NAN
    frame[["elo", "elo_low", "elo_high"]] = value
    assert_legible(ratings(frame))


# points


def test_bars_are_shares_and_moons_are_marked() -> None:
    frame = pd.DataFrame(
        [("A", 0, 50, ""), ("A", 0, 10, "made"), ("A", 13, 20, ""), ("A", 26, 20, "suffered")],
        columns=["strategy", "points", "hands", "moon"],
    )
    figure = points_histogram(frame)
    ordinary, made, suffered = (
        boxes_of(figure, f"{kind}: A") for kind in ("ordinary", "made", "suffered")
    )
    percent = (ordinary[0, 3] - ordinary[0, 1]) / 50
    assert ordinary[1, 3] - ordinary[1, 1] == pytest.approx(20 * percent)
    assert made[0, [1, 3]] == pytest.approx(ordinary[0, 1] - [10 * percent, 0])
    assert suffered[0, 3] - suffered[0, 1] == pytest.approx(20 * percent)
    middles = [(box[0] + box[2]) / 2 for box in (ordinary[0], ordinary[1], suffered[0])]
    assert middles[1] - middles[0] == pytest.approx(middles[2] - middles[1])
    shapes: dict[str, Any] = {str(item.get_label()): item for item in figure.artists}
    assert np.allclose(shapes["made: A"].get_facecolor(), mpl.colors.to_rgba(INK))
    assert shapes["suffered: A"].get_hatch()
    assert not shapes["ordinary: A"].get_hatch()
    shown = words(figure)
    assert "mean 7.80 \u00b7 moons shot 10.0%" in shown
    assert {"ordinary hand", "shot the moon", "another shot the moon"} <= set(shown)


def test_no_key_without_moons() -> None:
    frame = point_frame(["A", "B"])
    figure = points_histogram(frame[frame["moon"] == ""])
    assert "shot the moon" not in words(figure)


def test_panels_share_their_axes_and_the_best_is_first() -> None:
    frame = point_frame(["A", "B", "C"])
    frame.loc[frame["strategy"] == "C", "points"] //= 2
    figure = points_histogram(frame)
    lefts = {text.get_text(): text.get_window_extent().x0 for text in visible_texts(figure)}
    assert lefts["C"] < min(lefts["A"], lefts["B"])
    # The bar of no points and its hands: 2300 of all, 2400 with moons of its own.
    scales = []
    for name in ("A", "B"):
        total = frame.loc[frame["strategy"] == name, "hands"].sum()
        box = boxes_of(figure, f"ordinary: {name}")[0]
        scales.append((box[3] - box[1]) / (2300 / total))
    assert scales[0] == pytest.approx(scales[1])


@pytest.mark.parametrize(
    ("low", "high", "step"),
    [(0, 26, 1), (-26, 26, 1), (0, 59, 1), (0, 60, 2), (0, 130, 5), (-500, 500, 20), (0, 0, 1)],
)
def test_bin_width(low: int, high: int, step: int) -> None:
    assert bin_width(low, high) == step


def test_wide_bins_keep_every_hand() -> None:
    figure = points_histogram(point_frame(["A"], own=-130, scale=5))
    boxes = {kind: boxes_of(figure, f"{kind}: A") for kind in ("ordinary", "made", "suffered")}
    heights = {kind: (box[:, 3] - box[:, 1]).sum() for kind, box in boxes.items()}
    assert heights["suffered"] == pytest.approx(3 * heights["made"])
    frame = point_frame(["A"])
    ordinary = frame.loc[frame["moon"] == "", "hands"].sum()
    assert heights["ordinary"] / heights["made"] == pytest.approx(ordinary / 100)
    assert "points per hand (each bar: 5 points)" in words(figure)
    assert_legible(figure)


@pytest.mark.parametrize("highest", [26, 129, 516])
def test_no_bar_is_cut_off(highest: int) -> None:
    rows = [("A", 0, 9, ""), ("A", -highest, 5, "made"), ("A", highest, 5, "suffered")]
    figure = points_histogram(pd.DataFrame(rows, columns=["strategy", "points", "hands", "moon"]))
    boxes = np.concatenate(
        [boxes_of(figure, f"{kind}: A") for kind in ("ordinary", "made", "suffered")]
    )
    assert len(boxes) == 3
    left, right = MARGIN + AXIS, MARGIN + INNER
    assert all(left < box[0] < box[2] < right for box in boxes)


def test_ticks_are_queens() -> None:
    def marks(frame: pd.DataFrame, queen: int) -> list[str]:
        figure = points_histogram(frame, queen=queen)
        left = MARGIN + AXIS - 0.01  # the labels of the other axis stand left of the panel
        return [
            text.get_text()
            for text in visible_texts(figure)
            if text.get_text().lstrip("\u2212").isdigit() and text.get_position()[0] * WIDTH > left
        ]

    spot = spot_frame(["A"])
    assert marks(spot, 25) == ["0", "25", "50", "75", "100", "125"]
    assert marks(point_frame(["A"]), 13) == ["0", "13", "26"]
    assert marks(point_frame(["A"]), 0) == marks(point_frame(["A"]), 1)
    assert "13" not in marks(point_frame(["A"]), 0)


def test_the_histogram_says_which_way_is_better() -> None:
    frame = pd.DataFrame(
        {"strategy": ["few", "many"], "points": [1, 9], "hands": [5, 5], "moon": ["", ""]}
    )
    for highest_wins, first, hint in (
        (False, "few", "\u2190 lower is better"),
        (True, "many", "higher is better \u2192"),
    ):
        figure = points_histogram(frame, highest_wins=highest_wins)
        lefts = {text.get_text(): text.get_window_extent().x0 for text in visible_texts(figure)}
        assert lefts[first] == min(lefts["few"], lefts["many"])
        assert hint in lefts


def test_unknown_moon_is_refused() -> None:
    with pytest.raises(ValueError, match="moon is 'shot'"):
        points_histogram(point_frame(["A"]).assign(moon="shot"))


# places


def test_ties_are_split_over_the_places_that_they_cover() -> None:
    rows = [("A", 1.0, 1, 7), ("A", 1.5, 2, 4), ("A", 2.0, 3, 9), ("A", 2.5, 4, 8)]
    frame = pd.DataFrame(rows, columns=["strategy", "place", "tied", "games"])
    assert place_shares(frame, 4) == {"A": [7 + 2 + 3 + 2, 2 + 3 + 2, 3 + 2, 2]}


@pytest.mark.parametrize(("place", "tied"), [(1.5, 1), (1.0, 2), (4.0, 3), (0.0, 1), (5.0, 1)])
def test_impossible_places_are_refused(place: float, tied: int) -> None:
    frame = pd.DataFrame({"strategy": ["A"], "place": [place], "tied": [tied], "games": [1]})
    with pytest.raises(ValueError, match="cannot be"):
        places(frame, sides=4)


@pytest.mark.parametrize("sides", range(2, 12))
def test_bars_fill_the_whole_and_labels_can_be_read(sides: int) -> None:
    figure = places(place_frame(short_names(5), sides), sides=sides)
    bars = [boxes_of(figure, ordinal(place + 1)) for place in range(sides)]
    widths = np.sum([bar[:, 2] - bar[:, 0] for bar in bars], axis=0)
    assert widths == pytest.approx([widths[0]] * 5)
    assert bars[0][:, 0] == pytest.approx([bars[0][0, 0]] * 5)
    for before, after in itertools.pairwise(bars):
        assert after[:, 0] == pytest.approx(before[:, 2])
    colours = place_colours(sides)
    levels = [luminance(colour) for colour in colours]
    for darker, lighter in itertools.pairwise(levels):
        assert (lighter + 0.05) / (darker + 0.05) > 1.15
    ordinals = [text for text in words(figure) if text[:1].isdigit() and text[-2:].isalpha()]
    assert ordinals == [ordinal(place + 1) for place in range(sides)]
    for colour in colours:
        pair = sorted([luminance(colour) + 0.05, luminance(text_on(colour)) + 0.05])
        assert pair[1] / pair[0] > 3.8
    assert_legible(figure)


# colours, files, registry


def test_colours_follow_the_set_of_names() -> None:
    names = ["c", "a", "b"]
    assert strategy_colours(names) == strategy_colours(sorted(names))
    assert len(set(strategy_colours(short_names(8)).values())) == 8
    assert set(strategy_colours(short_names(9)).values()) == {HUES[0]}
    picked = strategy_colours(short_names(9), highlight=["Bot3"])
    assert picked["Bot3"] == HUES[0]
    assert picked["Bot4"] not in HUES
    with pytest.raises(ValueError, match="cannot highlight 'x'"):
        strategy_colours(names, highlight=["x"])
    with pytest.raises(ValueError, match="at most 8"):
        strategy_colours(short_names(9), highlight=short_names(9))
    with pytest.raises(ValueError, match="no colour given for 'B'"):
        ratings(rating_frame(["A", "B"]), colours={"A": INK})


@pytest.mark.parametrize("suffix", [".png", ".svg"])
@pytest.mark.parametrize("kind", ["ratings", "points", "places"])
def test_same_data_same_bytes(
    kind: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = long_names(3)
    save(DRAW[kind](names), tmp_path / f"one{suffix}")
    monkeypatch.setitem(mpl.rcParams, "font.size", 20.0)
    monkeypatch.setitem(mpl.rcParams, "text.parse_math", True)
    figure = DRAW[kind](names)
    save(figure, tmp_path / f"two{suffix}")
    save(figure, tmp_path / f"three{suffix}")
    one = (tmp_path / f"one{suffix}").read_bytes()
    assert one == (tmp_path / f"two{suffix}").read_bytes()
    assert one == (tmp_path / f"three{suffix}").read_bytes()
    assert b"<dc:date>" not in one
    assert mpl.__version__.encode() not in one


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_the_same_bytes(kind: str) -> None:
    one, two = (
        draw_made(kind, made_details(names), names) for names in (short_names(4), short_names(4))
    )
    for form in ("png", "svg"):
        drawn = to_bytes(one, form)
        assert drawn == to_bytes(two, form) == to_bytes(one, form)
    ET.fromstring(drawn)


@pytest.mark.parametrize("turned", [0, 90])
@pytest.mark.parametrize("side", ["left", "center", "right"])
def test_letters_stand_where_matplotlib_puts_them(side: str, turned: int) -> None:
    """The ink of a line is where that of matplotlib's own text is, within a dot and a half."""
    inks = []
    for kind in (Words, Text):
        with styled():
            figure = Figure(figsize=(2, 2), dpi=150)
            text = kind(
                0.5, 0.5, "Hand 26 (x)", fontsize=8.5, ha=side, rotation=turned, parse_math=False,
                va="center" if turned else "center_baseline",
            )  # fmt: skip
            text.set_figure(figure)
            text.set_transform(figure.transFigure)
            figure.texts.append(text)
            if turned:
                text.set_horizontalalignment("left")
            canvas = FigureCanvasAgg(figure)
            canvas.draw()
            dark = np.asarray(canvas.buffer_rgba())[:, :, 0] < 200
        rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
        inks.append([rows[0], rows[-1], columns[0], columns[-1]])
    assert np.abs(np.subtract(*inks)).max() <= 2, inks


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.png or \.svg"):
        save(DRAW["places"](["A"]), tmp_path / "chart.gif")


def test_svg_for_pages() -> None:
    one, two = (to_svg(DRAW[kind](["A", "B"])) for kind in ("places", "points"))
    assert one.startswith('<svg role="img" aria-label="Final places')
    assert one.endswith("</svg>\n")
    assert "<text" not in one
    assert "<style" not in one
    ids = [
        {node.attrib["id"] for node in ET.fromstring(svg).iter() if "id" in node.attrib}
        for svg in (one, two)
    ]
    assert all(ids)
    assert not ids[0] & ids[1]
    root = ET.fromstring(two)
    link = "{http://www.w3.org/1999/xlink}href"
    targets = {node.attrib[link] for node in root.iter() if link in node.attrib}
    assert targets <= {f"#{name}" for name in ids[1]}


def test_settings_of_the_reader_are_left_alone() -> None:
    before = dict(mpl.rcParams)
    to_svg(DRAW["points"](["A"]))
    with styled():
        assert mpl.rcParams["svg.fonttype"] == "path"
    assert dict(mpl.rcParams) == before


def test_every_kind_has_a_chart() -> None:
    assert list(KINDS) == list(CHARTS) == list(TITLES)
    assert set(KINDS) > NEEDS_HANDS


@pytest.mark.parametrize(
    ("chart", "extra"), [(ratings, {}), (points_histogram, {}), (places, {"sides": 4})]
)
def test_bad_frames_are_explained(chart: Callable[..., Figure], extra: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="the frame lacks"):
        chart(pd.DataFrame({"strategy": ["A"]}), **extra)
    frames = (rating_frame([]), point_frame([]), place_frame([]))
    everything = pd.concat(frames, axis=1)
    with pytest.raises(ValueError, match="no strategies to draw"):
        chart(everything.loc[:, ~everything.columns.duplicated()], **extra)


def test_categorical_names_and_small_integers() -> None:
    frame = point_frame(["A", "B"])
    small = frame.astype({"strategy": "category", "points": "int8", "moon": "category"})
    assert words(points_histogram(small)) == words(points_histogram(frame))
    tiny = place_frame(["A", "B"]).astype({"strategy": "category", "tied": "uint8"})
    assert "A" in words(places(tiny, sides=4))


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("hearts_sim.report.kinds", ["matplotlib", "pandas", "numpy"]),
        ("hearts_sim.report.charts", ["matplotlib.pyplot", "scipy"]),
    ],
)
def test_what_importing_costs(module: str, absent: list[str]) -> None:
    code = f"import sys, {module}; print([name for name in {absent!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_numbers() -> None:
    assert [number_text(value, 1) for value in (-0.04, -2.25, 3, NAN, -INF)] == [
        "0.0",
        "\u22122.2",
        "3.0",
        "\u2013",
        "\u2212\u221e",
    ]
