"""Points against the table and against the deal: by hand, and against slow twins."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_sim.stats import RatioSums, datum_points, net_points, ratio_by_block

pytestmark = pytest.mark.filterwarnings("error")


def slow_net(tables: list[list[tuple[int, int]]]) -> list[Fraction | None]:
    """Net points of each seat by the definition; a table is [(points, side), ...]."""
    net: list[Fraction | None] = []
    for table in tables:
        for seat, (own, side) in enumerate(table):
            against = [
                points
                for other, (points, theirs) in enumerate(table)
                if other != seat and (side < 0 or theirs != side)
            ]
            net.append(own - Fraction(sum(against), len(against)) if against else None)
    return net


def as_fractions(total: np.ndarray, weight: np.ndarray) -> list[Fraction | None]:
    assert (total[weight == 0] == 0).all()
    return [
        Fraction(t, w) if w else None for t, w in zip(total.tolist(), weight.tolist(), strict=True)
    ]


def test_net_points_of_a_moon_and_of_a_plain_hand() -> None:
    """26 for the three others is 26 below them; 13, 10, 3, 0 against the mean of the rest."""
    total, weight = net_points([4] * 4 + [2] * 4, [0, 26, 26, 26, 13, 10, 3, 0])

    assert weight.tolist() == [3] * 8
    # The shooter: 0 - 26. A victim: 26 - 52/3 = 26/3. 13 - 13/3 = 26/3, 10 - 16/3 = 14/3, ...
    assert total.tolist() == [-78, 26, 26, 26, 26, 14, -14, -26]


def test_net_points_of_partners() -> None:
    """Partners sit opposite and do not count for each other; the same for unequal sides."""
    total, weight = net_points([1] * 4, [5, 9, 1, 11], side=[0, 1, 0, 1])
    assert total.tolist() == [10 - 20, 18 - 6, 2 - 20, 22 - 6]
    assert weight.tolist() == [2, 2, 2, 2]

    total, weight = net_points([1] * 3, [6, 0, 20], side=[8, 8, 3])
    assert total.tolist() == [-14, -20, 40 - 6]
    assert weight.tolist() == [1, 1, 2]


def test_a_seat_without_opponents_has_no_net_points() -> None:
    """One side alone, or one player alone, gives nothing to count."""
    assert [x.tolist() for x in net_points([1, 1], [3, 4], side=[2, 2])] == [[0, 0], [0, 0]]
    assert [x.tolist() for x in net_points([1, 2], [3, 4])] == [[0, 0], [0, 0]]

    total, weight = net_points([0, 0, 1, 1], [3, 4, 5, 6], side=[2, 2, 2, 2])
    found = ratio_by_block([0, 0, 1, 1], [0, 1, 0, 1], total, weight, 2)
    assert np.isnan(found.estimate).all()


@settings(deadline=None, derandomize=True, max_examples=60)
@given(data=st.data())
def test_net_points_equal_the_definition(data: st.DataObject) -> None:
    """Any number of seats, any sides, also seats without one."""
    seats = data.draw(st.integers(1, 6))
    seat = st.tuples(st.integers(-30, 130), st.integers(-1, 2))
    tables = data.draw(
        st.lists(st.lists(seat, min_size=seats, max_size=seats), min_size=1, max_size=5)
    )
    game = np.repeat(np.arange(len(tables))[::-1] * 5, seats)
    points, side = zip(*(row for table in tables for row in table), strict=True)

    with_sides = as_fractions(*net_points(game, points, side))
    alone = as_fractions(*net_points(game, points))

    assert with_sides == slow_net(tables)
    assert alone == slow_net([[(own, -1) for own, _ in table] for table in tables])
    assert as_fractions(*net_points(game, points, [-1] * len(points))) == alone


def test_net_points_per_hand_are_estimated_exactly() -> None:
    """The ratio of sums is net points per hand, and a constant for the whole table is nothing."""
    rng = np.random.default_rng(21)
    block = np.repeat(np.arange(30), 8)
    game = np.repeat(np.arange(60), 4)
    entry = np.tile([0, 1, 2, 3, 1, 2, 3, 0], 30)
    points = rng.integers(0, 60, 240)
    hands = rng.integers(5, 12, 60)[game]

    def estimate(points: np.ndarray) -> Any:
        total, weight = net_points(game, points)
        sums = RatioSums(4)
        sums.add(block, entry, total, weight * hands, game)
        return sums.estimate()

    found = estimate(points)
    lucky = estimate(points + 17 * (game % 5))

    net = slow_net([[(p, -1) for p in table] for table in points.reshape(60, 4).tolist()])
    for e in range(4):
        mine = np.flatnonzero(entry == e)
        by_hand = sum(net[row] or 0 for row in mine) / int(hands[mine].sum())
        assert found.estimate[e] == pytest.approx(float(by_hand), rel=1e-12)
    np.testing.assert_array_equal(lucky.estimate, found.estimate)
    np.testing.assert_array_equal(lucky.covariance, found.covariance)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"game": [1, 1, 1, 2]}, "game 1 has 3, game 2 has 1", id="unequal"),
        pytest.param({"game": [1, 2, 1, 2]}, "game 1 are not contiguous", id="scattered"),
        pytest.param({"game": [1.0] * 4}, "game must be a flat array of integers", id="float-game"),
        pytest.param({"points": [0.5] * 4}, "points must be a flat array of int", id="fractions"),
        pytest.param({"points": [1]}, "points must have 4 rows", id="short"),
        pytest.param({"side": [0, 1]}, "side must have 4 rows", id="short-side"),
    ],
)
def test_net_points_refuse(change: dict[str, Any], message: str) -> None:
    """What cannot be a log of games is an error that says where."""
    with pytest.raises(ValueError, match=message):
        net_points(**{"game": [1, 1, 2, 2], "points": [1, 2, 3, 4]} | change)


def test_no_rows() -> None:
    """Nothing comes of nothing."""
    assert [x.tolist() for x in net_points([], [])] == [[], []]
    assert [x.tolist() for x in net_points([], [], [])] == [[], []]
    assert datum_points([], [], []).tolist() == []


def test_datum_by_hand() -> None:
    """Seat 0 of deal 5 got 4, 8 and 0: datum 4. The same seat of deal 6 has one of its own."""
    found = datum_points([5, 5, 6, 5, 5, 6], [0, 1, 0, 0, 0, 0], [4, 20, 1, 8, 0, 2])

    assert found.tolist() == [0.0, 0.0, -0.5, 4.0, -4.0, 0.5]


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    rows=st.lists(
        st.tuples(st.integers(-2, 3), st.integers(0, 3), st.integers(-30, 130)),
        min_size=1,
        max_size=40,
    )
)
def test_datum_points_equal_the_definition(rows: list[tuple[int, int, int]]) -> None:
    """Whole points less a datum in fractions, rounded once."""
    results: dict[tuple[int, int], list[int]] = defaultdict(list)
    for deal, seat, points in rows:
        results[deal, seat].append(points)

    found = datum_points(*zip(*rows, strict=True))

    wanted = [
        float(points - Fraction(sum(results[deal, seat]), len(results[deal, seat])))
        for deal, seat, points in rows
    ]
    assert found.tolist() == wanted


@pytest.mark.parametrize("points", [0.1, 1 / 3, 26, 1e15 + 0.3])
def test_equal_results_are_exactly_on_the_datum(points: float) -> None:
    """A deal that everybody plays alike is worth 0 to everybody, whatever rounding does."""
    found = datum_points(np.repeat([0, 1, 2], 7), np.repeat([3, 3, 2], 7), [points] * 21)

    assert found.tolist() == [0.0] * 21


def test_datum_takes_out_the_cards() -> None:
    """What a seat of a deal adds to all its results changes nothing, and results sum to 0."""
    rng = np.random.default_rng(22)
    deal, seat = rng.integers(0, 10, 400), rng.integers(0, 4, 400)
    points = rng.integers(0, 27, 400)

    found = datum_points(deal, seat, points)

    np.testing.assert_array_equal(datum_points(deal, seat, points + 13 * deal - 5 * seat), found)
    np.testing.assert_allclose(np.bincount(deal * 4 + seat, weights=found), 0.0, atol=1e-12)
    order = rng.permutation(400)
    np.testing.assert_array_equal(
        datum_points(deal[order], seat[order], points[order]), found[order]
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"seat": [0, -1]}, "seat must not be negative, got -1", id="seat"),
        pytest.param({"deal": [0.5, 1.0]}, "deal must be a flat array of int", id="deal"),
        pytest.param({"points": [1.0, np.nan]}, "finite, got nan in row 1", id="nan"),
        pytest.param({"points": [1.0]}, "points must have 2 rows", id="short"),
    ],
)
def test_datum_points_refuse(change: dict[str, Any], message: str) -> None:
    """Columns that cannot be meant are errors that say which value is wrong."""
    with pytest.raises(ValueError, match=message):
        datum_points(**{"deal": [1, 1], "seat": [0, 0], "points": [3, 4]} | change)
