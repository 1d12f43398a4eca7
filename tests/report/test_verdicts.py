"""Sentences on two strategies: which branch says what, and with which figures."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hearts_sim.report.verdicts import PROVISIONAL_BLOCKS, Difference, verdict

INF, NAN = math.inf, math.nan


def gap(difference: float, half: float, freedom: float = 29) -> Difference:
    """A difference of which half the width of the 95 % interval is given."""
    return Difference(difference, half / float(stats.t.ppf(0.975, freedom)), freedom)


def say(points: Difference, elo: Difference | None, **more: Any) -> str:
    return verdict("Ann", "Bob", points, elo, **({"games": 1000, "blocks": 30} | more))


# Difference


@given(st.floats(-1000, 1000), st.floats(1e-3, 1000), st.integers(1, 500), st.floats(0.5, 0.999))
def test_interval_and_superiority_are_those_of_student(
    difference: float, se: float, freedom: int, confidence: float
) -> None:
    """Against scipy's distribution; the sign tells on which side of 0 the interval lies."""
    found = Difference(difference, se, freedom, confidence)
    student = stats.t(freedom, difference, se)
    low, high = student.interval(confidence)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-9)
    assert found.half_width == pytest.approx((high - low) / 2, rel=1e-9)
    assert found.superiority == pytest.approx(student.sf(0), rel=1e-9, abs=1e-12)
    if min(abs(low), abs(high)) > 1e-6:
        assert found.sign == (1 if low > 0 else -1 if high < 0 else 0)
    assert not found.is_nothing


def test_a_sign_needs_the_whole_interval() -> None:
    """An interval that ends at 0 contains it."""
    assert [gap(d, 10).sign for d in (10.1, 9.9, 0, -9.9, -10.1)] == [1, 0, 0, 0, -1]
    assert Difference(3.0, 0.0, 5).sign == 1
    assert Difference(-3.0, 0.0, 5).sign == -1
    assert Difference(0.0, 0.0, 5).sign == 0
    assert Difference(5.0, INF, 0).sign == Difference(NAN, INF, 0).sign == 0


def test_what_is_nothing() -> None:
    """Neither a difference nor an error; one block does not tell."""
    assert Difference(0.0, 0.0, 5).is_nothing
    for other in ((1e-9, 0.0), (0.0, 1e-9), (0.0, INF), (NAN, 0.0), (0.0, NAN)):
        assert not Difference(*other, 5).is_nothing


@pytest.mark.parametrize(
    ("difference", "known"),
    [
        (Difference(2.0, 1.0, 9, 0.95, 0.5), {"difference", "low", "high", "se", "design_effect"}),
        (Difference(2.0, 1.0, 9), {"difference", "low", "high", "se"}),
        (Difference(2.0, 1.0, 0), {"difference", "se"}),
        (Difference(2.0, INF, 0), {"difference"}),
        (Difference(2.0, NAN, 3), {"difference"}),
        (Difference(NAN, 1.0, 3), {"se"}),
        (Difference(NAN, INF, 0), set()),
        (Difference(INF, 1.0, 3), {"se"}),
    ],
)
def test_plain_values_are_finite_or_none(difference: Difference, known: set[str]) -> None:
    """JSON that every reader takes, with the figures that are known."""
    plain = difference.plain()
    json.dumps(plain, allow_nan=False)
    assert set(plain) == {"difference", "low", "high", "se", "design_effect"}
    assert {name for name, value in plain.items() if value is not None} == known
    for name in known:
        assert plain[name] == getattr(difference, name)


# Sentences. Points are penalties: fewer are better, but for the test that says otherwise.

FAR = gap(-1.5, 0.4)
NEAR = gap(-0.1, 0.4)
SAID: dict[str, tuple[Difference, Difference | None, dict[str, Any], str]] = {
    "Elo and points": (
        FAR, gap(40, 12), {},
        "Ann is better than Bob by 40 ±12 Elo and 1.50 ±0.40 points per hand.",
    ),
    "Elo, points unclear": (
        NEAR, gap(40, 12), {},
        "Ann is better than Bob by 40 ±12 Elo and 0.10 ±0.40 points per hand.",
    ),
    "Elo, points unclear the other way": (
        gap(0.1, 0.4), gap(40, 12), {},
        "Ann is better than Bob by 40 ±12 Elo and -0.10 ±0.40 points per hand.",
    ),
    "the second": (
        gap(1.5, 0.4), gap(-40, 12), {},
        "Bob is better than Ann by 40 ±12 Elo and 1.50 ±0.40 points per hand.",
    ),
    "Elo, though worse in points": (
        gap(1.5, 0.4), gap(40, 12), {},
        "Ann is better than Bob by 40 ±12 Elo, though it does worse in points (-1.50 ±0.40 per "
        "hand).",
    ),
    "points only": (
        FAR, gap(10, 12), {},
        "Ann does better than Bob in points (1.50 ±0.40 per hand); by places they are not "
        # 1000 * (1.44 - 1) = 440
        "distinguishable (+10 ±12 Elo; about 440 more games for ±10 Elo).",
    ),
    "points only, the second": (
        gap(1.5, 0.4), gap(8, 9), {},
        "Bob does better than Ann in points (1.50 ±0.40 per hand); by places they are not "
        "distinguishable (+8 ±9 Elo).",
    ),
    "nothing to tell": (
        # 1000 * (12.25 - 1) = 11250
        NEAR, gap(-20, 35), {},
        "Ann and Bob: not distinguishable (-20 ±35 Elo; about 12,000 more games for ±10 Elo).",
    ),
    "nothing to tell, narrow": (
        NEAR, gap(-2, 8), {}, "Ann and Bob: not distinguishable (-2 ±8 Elo).",
    ),
    "exactly nothing": (
        Difference(0.0, 0.0, 29), Difference(0.0, 0.0, 29), {},
        "Ann and Bob differ by exactly nothing in every block.",
    ),
    "exactly nothing, no Elo": (
        Difference(0.0, 0.0, 29), None, {},
        "Ann and Bob differ by exactly nothing in every block.",
    ),
    "no points, but places": (
        Difference(0.0, 0.0, 29), gap(40, 12), {},
        "Ann is better than Bob by 40 ±12 Elo and 0.00 ±0.00 points per hand.",
    ),
    "one block": (
        Difference(-3.0, INF, 0), Difference(90.0, INF, 0), {"blocks": 1},
        "Ann and Bob: nothing can be said yet; it takes two blocks at least.",
    ),
    "one block without a difference": (
        Difference(0.0, INF, 0), Difference(0.0, INF, 0), {"blocks": 1},
        "Ann and Bob: nothing can be said yet; it takes two blocks at least.",
    ),
    "no Elo": (
        FAR, None, {},
        "Ann and Bob never met: in games of their own Bob takes 1.50 ±0.40 points per hand more "
        "than Ann; that tells of their games, not who is better.",
    ),
    "no Elo, the second": (
        gap(1.5, 0.4), None, {},
        "Ann and Bob never met: in games of their own Ann takes 1.50 ±0.40 points per hand more "
        "than Bob; that tells of their games, not who is better.",
    ),
    "no Elo, nothing to tell": (
        NEAR, None, {},
        "Ann and Bob never met: in games of their own Bob takes 0.10 ±0.40 points per hand more "
        "than Ann, which may be chance; that tells of their games, not who is better.",
    ),
    "provisional": (
        FAR, gap(40, 12), {"blocks": PROVISIONAL_BLOCKS - 1},
        "Provisional: Ann is better than Bob by 40 ±12 Elo and 1.50 ±0.40 points per hand.",
    ),
    "provisional no more": (
        FAR, gap(40, 12), {"blocks": PROVISIONAL_BLOCKS},
        "Ann is better than Bob by 40 ±12 Elo and 1.50 ±0.40 points per hand.",
    ),
    "provisional, no Elo": (
        FAR, None, {"blocks": 2},
        "Provisional: Ann and Bob never met: in games of their own Bob takes 1.50 ±0.40 points per "
        "hand more than Ann; that tells of their games, not who is better.",
    ),
    "provisional, nothing": (
        Difference(0.0, 0.0, 1), None, {"blocks": 2},
        "Provisional: Ann and Bob differ by exactly nothing in every block.",
    ),
    "many points are good": (
        gap(1.5, 0.4), gap(40, 12), {"highest_wins": True},
        "Ann is better than Bob by 40 ±12 Elo and 1.50 ±0.40 points per hand.",
    ),
    "many points are good, no Elo": (
        gap(-1.5, 0.4), None, {"highest_wins": True},
        "Ann and Bob never met: in games of their own Bob takes 1.50 ±0.40 points per hand more "
        "than Ann; that tells of their games, not who is better.",
    ),
    "with others it does not hold": (
        NEAR, gap(13, 12), {"elo_sign": 0},
        "Ann and Bob: not distinguishable among all pairs at once (+13 ±12 Elo; about 440 more "
        "games for ±10 Elo).",
    ),
    "with others neither holds": (
        FAR, gap(13, 12), {"elo_sign": 0, "points_sign": 0},
        "Ann and Bob: not distinguishable among all pairs at once (+13 ±12 Elo; about 440 more "
        "games for ±10 Elo).",
    ),
    "with others the points hold": (
        FAR, gap(3, 12), {"elo_sign": 0, "points_sign": 1},
        "Ann does better than Bob in points (1.50 ±0.40 per hand); by places they are not "
        "distinguishable (+3 ±12 Elo; about 440 more games for ±10 Elo).",
    ),
    "with others it holds": (
        FAR, gap(13, 12), {"elo_sign": 1},
        "Ann is better than Bob by 13 ±12 Elo and 1.50 ±0.40 points per hand.",
    ),
    "with others it holds for the second": (
        gap(1.5, 0.4), gap(-13, 12), {"elo_sign": -1},
        "Bob is better than Ann by 13 ±12 Elo and 1.50 ±0.40 points per hand.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_what_is_said(case: str) -> None:
    """Every branch, word for word."""
    points, elo, more, wanted = SAID[case]
    assert say(points, elo, **more) == wanted


@pytest.mark.parametrize("elo", [Difference(NAN, INF, 29), Difference(NAN, 1.0, 29), gap(3, INF)])
def test_without_results_in_both_directions_points_are_left(elo: Difference) -> None:
    """The one with better points is called ahead, whichever it is."""
    for points, ahead in ((FAR, "Ann is ahead of Bob"), (gap(1.5, 0.4), "Bob is ahead of Ann")):
        said = say(points, elo)
        assert said.startswith("Ann and Bob: their places give no Elo difference")
        assert said.endswith(f"in points {ahead} by 1.50 ±0.40 per hand.")
        assert say(points, elo, blocks=3) == f"Provisional: {said}"
        assert say(points, elo, elo_sign=0) == said


@pytest.mark.parametrize(
    ("games", "width", "more"),
    [
        (1000, 20, "3,000"),  # 1000 * (4 - 1)
        (1000, 35, "12,000"),  # 11 250
        (168, 46, "3,400"),  # 168 * (21.16 - 1) = 3386.9
        (14, 12, "7"),  # 6.16
        (50, 15, "63"),  # 62.5
        (400, 15, "500"),
        (401, 15, "510"),  # 501.25
        (10**6, 10.4, "82,000"),  # 81 600
        (1000, 10.0001, "1"),  # 0.02
    ],
)
def test_games_still_needed(games: int, width: float, more: str) -> None:
    """N * ((width / 10)**2 - 1), rounded up to two digits that count."""
    said = say(NEAR, gap(0.4 * width, width), games=games)
    assert f"; about {more} more games for ±10 Elo)." in said


def test_none_are_needed_when_it_is_narrow() -> None:
    """At ±10 and below nothing is said of more games."""
    for width in (0.0, 5.0, 9.99):
        assert "more games" not in say(NEAR, Difference(0.0, gap(0, width).se, 29))


# Whichever stands first

_SE = st.one_of(st.just(0.0), st.floats(0.01, 3), st.just(INF))
_SIZE = st.integers(-300, 300)


@given(_SIZE, _SE, st.one_of(st.none(), st.tuples(_SIZE | st.just(NAN), _SE)), st.booleans())
def test_exchange_says_the_same_in_other_words(
    points: int, points_se: float, elo: tuple[float, float] | None, highest: bool
) -> None:
    """With the two exchanged, the same one is better, by the same figures."""
    more = {"games": 500, "blocks": 20, "highest_wins": highest}
    here = Difference(points / 100, points_se, 19)
    there = Difference(-points / 100, points_se, 19)
    rated = None if elo is None else Difference(elo[0], 10 * elo[1], 19)
    mirrored = None if elo is None else Difference(-elo[0], 10 * elo[1], 19)
    said = verdict("Ann", "Bob", here, rated, **more)
    other = verdict("Bob", "Ann", there, mirrored, **more)
    if points or "is ahead of" not in said:
        assert without_signs(other).replace("Bob and Ann", "Ann and Bob") == without_signs(said)
    elos = [int(found) for found in re.findall(r"\(([-+]\d+) ±", said)]
    assert [-int(found) for found in re.findall(r"\(([-+]\d+) ±", other)] == elos
    assert "nan" not in said
    assert "inf" not in said


def without_signs(said: str) -> str:
    return re.sub(r"[-+](?=\d)", "", said)
