"""Ratios by cell against those of one category at a time, and against counting by hand."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from hearts_sim.stats import CellSums, ratio_by_block

ENTRIES, CATEGORIES, BLOCKS = 5, 3, 40


@pytest.fixture
def rows() -> dict[str, Any]:
    """Sums of entries in blocks, with cells that are often empty and one that always is."""
    rng = np.random.default_rng(8)
    block, entry = np.nonzero(rng.random((BLOCKS, ENTRIES)) < 0.6)
    order = rng.permutation(len(block))
    count = rng.integers(0, 4, (CATEGORIES, len(block))) * 3
    count[2, entry[order] == 4] = 0
    total = np.where(count > 0, rng.integers(-5, 60, count.shape), 0)
    return {"block": block[order], "entry": entry[order], "total": total, "count": count}


def summed(rows: dict[str, Any], kept: Any = slice(None)) -> CellSums:
    sums = CellSums(ENTRIES, CATEGORIES)
    sums.add(rows["entry"][kept], rows["total"][:, kept], rows["count"][:, kept])
    return sums


def assert_same(one: Any, other: Any) -> None:
    for name, values in vars(one).items():
        np.testing.assert_array_equal(values, getattr(other, name), err_msg=name)


@pytest.mark.parametrize("scale", [1, 10**7], ids=["exact", "rounded"])
def test_every_cell_is_a_ratio_by_block(rows: dict[str, Any], scale: int) -> None:
    """Each category is what the estimator for entries says of its rows alone."""
    rows["total"] *= scale
    found = summed(rows).estimate(0.9)
    for category in range(CATEGORIES):
        total, count = rows["total"][category], rows["count"][category]
        wanted = ratio_by_block(rows["block"], rows["entry"], total, count, ENTRIES, 0.9)
        for name in ("estimate", "se", "low", "high", "half_width"):
            np.testing.assert_allclose(
                getattr(found, name)[:, category], getattr(wanted, name), rtol=1e-12, err_msg=name
            )
        assert found.blocks[:, category].tolist() == wanted.blocks.tolist()
    assert np.isnan(found.estimate[4, 2])
    assert found.blocks[4, 2] == 0


def test_counted_by_hand(rows: dict[str, Any]) -> None:
    """Estimate, error and interval of each cell in exact fractions."""
    found = summed(rows).estimate()
    for entry in range(ENTRIES):
        for category in range(CATEGORIES - (entry == 4)):
            blocks = [
                (int(t), int(n))
                for e, t, n in zip(
                    rows["entry"], rows["total"][category], rows["count"][category], strict=True
                )
                if e == entry and n
            ]
            number, hands = len(blocks), sum(n for _, n in blocks)
            ratio = Fraction(sum(t for t, _ in blocks), hands)
            spread = sum(((t - ratio * n) / hands) ** 2 for t, n in blocks)
            error = sqrt(spread * number / (number - 1))
            cell = entry, category
            assert found.estimate[cell] == pytest.approx(float(ratio), rel=1e-14)
            assert found.se[cell] == pytest.approx(error, rel=1e-14)
            assert found.high[cell] - found.estimate[cell] == pytest.approx(
                stats.t.ppf(0.975, number - 1) * error
            )
            assert (found.count[cell], found.blocks[cell]) == (hands, number)


def test_parts_are_the_whole(rows: dict[str, Any]) -> None:
    """Added in parts, merged and read back, the estimates are the same to the last bit."""
    whole = summed(rows).estimate()
    half = rows["block"] < BLOCKS // 2
    first, second = summed(rows, half), summed(rows, ~half)
    first.merge(CellSums.from_arrays(second.to_arrays()))
    assert_same(first.estimate(), whole)
    second.add(rows["entry"][half], rows["total"][:, half], rows["count"][:, half])
    second.add(np.zeros(0, np.int64), np.zeros((1, 0), np.int64), np.zeros((1, 0), np.int64))
    assert_same(second.estimate(), whole)


def test_one_count_for_all_categories() -> None:
    """A row of counts holds for every category, and later categories may be left out."""
    one, other = CellSums(2, 3), CellSums(2, 3)
    total = np.array([[3, 1, 4], [1, 5, 0]])
    one.add([1, 0, 1], total, [[2, 6, 5]])
    other.add([1, 0, 1], total, [[2, 6, 5]] * 2)
    assert_same(one.estimate(), other.estimate())
    np.testing.assert_allclose(
        one.estimate().estimate, [[1 / 6, 5 / 6, np.nan], [1, 1 / 7, np.nan]]
    )


@pytest.mark.parametrize("scale", [1, 10**8])
def test_no_spread_is_no_error(scale: int) -> None:
    """Where every block has the same ratio the error is 0, and unknown where there is one block."""
    sums = CellSums(2, 1)
    hands = np.array([7, 11, 13, 5])
    sums.add([0, 0, 0, 1], [scale * 3 * hands], [hands])
    found = sums.estimate()
    assert found.estimate.ravel().tolist() == [3 * scale, 3 * scale]
    assert found.se.ravel().tolist() == [0, np.inf]


@pytest.mark.parametrize(
    ("entry", "total", "count", "said"),
    [
        ([0, 2], [[1, 1]], [[1, 1]], "entry must lie in 0..1"),
        ([0, 1], [[1, 1, 1]], [[1, 1]], "total must be rows of 2 integers"),
        ([0, 1], [[1.5, 1]], [[1, 1]], "total must be rows of 2 integers"),
        ([0, 1], [[1, 1]] * 4, [[1, 1]], "total must have 1 to 3 rows"),
        ([0, 1], [[1, 1]] * 3, [[1, 1]] * 2, "count must have 1 row, or 3"),
        ([0, 1], [[1, 1]], [[1, -1]], "must not be negative, got -1"),
        ([0, 1], [[1, 1]], [[1, 0]], "total is not 0"),
    ],
)
def test_mistakes(entry: Any, total: Any, count: Any, said: str) -> None:
    """What cannot be added is refused, and nothing of it is kept."""
    sums = CellSums(2, 3)
    with pytest.raises(ValueError, match=said):
        sums.add(entry, total, count)
    assert not sums.estimate().blocks.any()


def test_shapes_must_fit() -> None:
    """There is an entry, and cells of other numbers are not merged."""
    with pytest.raises(ValueError, match="got 2 and 0"):
        CellSums(2, 0)
    with pytest.raises(ValueError, match="cannot merge"):
        CellSums(2, 3).merge(CellSums(3, 2))
