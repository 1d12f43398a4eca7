"""Every kind of chart is legible: small and large fields, few and many seats, odd runs."""

from __future__ import annotations

import itertools
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
import pytest
from drawn import (
    assert_legible,
    dots_of,
    draw_made,
    line_of,
    marks_of,
    pair_frame,
    words,
)
from made_details import made_details

from hearts_sim.report import charts
from hearts_sim.report.charts.sweep import sweep
from hearts_sim.report.kinds import KINDS

COUNTS: Final = (2, 4, 12, 50)
PLAYERS: Final = (3, 4, 5, 6, 7)
SPECIAL: Final[dict[str, dict[str, Any]]] = {
    "ordinary": {},
    "teams": {"teams": 2},
    "one block": {"blocks": 1},
    "no moons": {"moons": False},
    "one far ahead": {"far": 1500.0},
    "long names": {"name": "determinized_search_with_{:03d}_samples_a"},
    "wide names": {"name": "{:03d}" + "W" * 37},
    "odd names": {"name": "<script>$x^{:02d}$</script> \U0001f0a1 & __init__"},
}


class Case(NamedTuple):
    """A chart to look at."""

    kind: str
    count: int
    players: int
    special: str


EVERY: Final = list(itertools.starmap(Case, itertools.product(KINDS, COUNTS, PLAYERS, SPECIAL)))


def some() -> list[Case]:
    """Cases in which every two values of different columns come together at least once."""
    chosen = []
    for (at, kind), (place, special) in itertools.product(enumerate(KINDS), enumerate(SPECIAL)):
        step = at + place
        chosen.append(Case(kind, COUNTS[step % 4], PLAYERS[step % 5], special))
    return chosen


SOME: Final = some()


def draw(case: Case) -> Any:
    options = dict(SPECIAL[case.special])
    form = options.pop("name", "Bot{}")
    names = [form.format(index) for index in range(case.count)]
    details = made_details(names, case.players, failed=-(-case.count // 2), **options)
    subtitle = "a table of strategies, 2,000 games in 500 blocks, 18,000 hands, seed 2026"
    return draw_made(case.kind, details, names, players=case.players, subtitle=subtitle, **options)


def test_pairs_are_covered() -> None:
    for one, other in itertools.combinations(range(4), 2):
        assert {(case[one], case[other]) for case in SOME} == {
            (case[one], case[other]) for case in EVERY
        }


@pytest.mark.parametrize("case", SOME, ids=str)
def test_texts_stand_apart(case: Case) -> None:
    assert_legible(draw(case))


@pytest.mark.long
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", KINDS)
def test_texts_stand_apart_everywhere(kind: str, count: int) -> None:
    """Not a test for each: there are two thousand, and to find them takes every run seconds."""
    failed = []
    for case in sorted(set(EVERY) - set(SOME)):
        if (case.kind, case.count) == (kind, count):
            try:
                assert_legible(draw(case))
            except AssertionError as error:
                failed.append(f"{case}: {error}")
    assert failed == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "lengths"])
def test_every_strategy_is_named(kind: str) -> None:
    """Names of usual length are written in full, however many there are."""
    for count in COUNTS:
        shown = words(draw(Case(kind, count, 4, "ordinary")))
        there = -(-count // 2) if kind == "faults" else count
        assert [f"Bot{index}" in shown for index in range(there)] == [True] * there, count


@pytest.mark.parametrize("kind", KINDS)
def test_one_strategy_and_sixty(kind: str) -> None:
    """Of sixty, fifty are shown, and a note says so."""
    for count in (1, 60):
        if (kind, count) == ("pairwise", 1):
            continue
        names = [f"Bot{index}" for index in range(count)]
        figure = draw_made(kind, made_details(names, failed=count), names)
        assert_legible(figure)
        note = any("of 60 strategies" in text for text in words(figure))
        assert note is (count == 60 and kind != "lengths")


DETAILS: Final = {
    "by_pass": charts.passes,
    "by_seat": charts.seats,
    "moons": charts.moons,
    "queens": charts.queens,
    "takes": charts.hearts,
    "trajectory": charts.trajectory,
    "convergence": charts.convergence,
    "timing": charts.timing,
}


@pytest.mark.parametrize("count", [3, 12])
@pytest.mark.parametrize("name", DETAILS)
def test_what_is_not_known(name: str, count: int) -> None:
    """No value, no end of an interval, rows that are missing: all is drawn, without a warning."""
    frame = getattr(made_details([f"Bot{index}" for index in range(count)]), name)
    numbers = frame.select_dtypes("float").columns
    ends = [column for column in numbers if column.endswith(("low", "high"))]
    own = frame["strategy"] == "Bot0"
    cases = [
        frame.assign(**dict.fromkeys(numbers, np.nan)),
        frame.assign(**dict.fromkeys(ends, np.inf)),
        frame.assign(**{column: frame[column].mask(own) for column in numbers}),
        frame.assign(**{column: frame[column].mask(own, np.inf) for column in numbers}),
        frame.iloc[1:],
        frame.iloc[::3],
        frame.astype({"strategy": "category"}),
    ]
    for case in cases:
        figure = DETAILS[name](case)
        assert_legible(figure)
        charts.to_bytes(figure, "svg")


def test_pairs_that_are_not_known_or_all_alike() -> None:
    frame = pair_frame([f"Bot{index}" for index in range(6)])
    for share in (np.nan, 0.5):
        assert_legible(charts.pairwise(frame.assign(share=share)))


LISTS: dict[str, list[Any]] = {
    "risk": [0.2, 0.4, 0.6], "mode": ["bold", "careful but not too careful"], "deep": [True, False],
}  # fmt: skip


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("as_list", [False, True])
def test_sweeps(number: int, as_list: bool) -> None:
    """A line, a map, a list: with the best and the default marked, and every text in its place."""
    lists = {name: LISTS[name] for name in list(LISTS)[:number]}
    points = [
        dict(zip(lists, values, strict=True)) for values in itertools.product(*lists.values())
    ]
    gains = np.linspace(-0.3, 0.4, len(points))
    frame = pd.DataFrame([{f"options.{key}": value for key, value in p.items()} for p in points])
    frame = frame.assign(gain=gains, low=gains - 0.1, high=gains + 0.1)
    figure = sweep(
        frame,
        list(lists),
        default=points[1],
        winner=points[-1],
        confirmed=(0.2, 0.1, 0.3),
        opponent="Somebody with a long name",
        subtitle="a sweep: grid of points of somebody against somebody, seed 2026",
        as_list=as_list,
    )
    assert_legible(figure)
    if as_list or number == 3:
        assert marks_of(figure, "value") == len(points) + 1
    elif number == 1:
        assert marks_of(figure, "value") == len(points)
        assert (marks_of(figure, "confirmed"), marks_of(figure, "default")) == (1, 1)
        dots = dots_of(figure)
        assert (np.diff(dots[:, 1]) < 0).all()  # a larger gain stands higher
        assert dots_of(figure, "default")[0, 0] == dots[1, 0]
    else:
        assert [text for text in words(figure) if text.startswith("+0.40")] == ["+0.40"]
        middles = [(line_of(figure, name)[0] + line_of(figure, name)[2]) / 2
                   for name in ("winner", "default")]  # fmt: skip
        # Both have the second mode, in the last row and in the first.
        assert middles[0] - middles[1] == pytest.approx([0, 1], abs=0.05)


def test_sweeps_that_are_odd() -> None:
    """Gains that are not known, many values, values over powers, and a frame without rows."""
    many = pd.DataFrame({"options.n": [10**power for power in range(12)], "gain": np.nan})
    many = many.assign(low=np.nan, high=np.nan)
    many.loc[3, ["gain", "low", "high"]] = 0.2, -np.inf, np.inf
    figure = sweep(many, ["n"])
    assert_legible(figure)
    assert "n (on a scale of powers)" in words(figure)
    wide = pd.DataFrame([{"options.a": a, "options.b": b} for a in range(20) for b in range(20)])
    assert_legible(sweep(wide.assign(gain=0.1, low=0.0, high=0.2), ["a", "b"]))
    with pytest.raises(ValueError, match="no duels to draw"):
        sweep(many[:0], ["n"])
    with pytest.raises(ValueError, match=r"lacks options\.x"):
        sweep(many, ["x"])
