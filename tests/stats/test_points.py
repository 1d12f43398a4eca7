"""Points per hand against hand calculations, a regression, a jackknife and a slow twin."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hearts_sim.stats import RatioEstimate, RatioSums, ratio_by_block

pytestmark = pytest.mark.filterwarnings("error")

Columns = dict[str, Any]


@pytest.fixture
def complete() -> Columns:
    """Rows of 60 blocks with four entries each, correlated within the block."""
    rng = np.random.default_rng(11)
    block = np.repeat(np.arange(60), 4)
    entry = np.tile(np.arange(4), 60)
    count = rng.integers(30, 50, 60)[block] + rng.integers(0, 4, 240)
    deal = rng.normal(0, 20, 60)[block]
    total = np.rint(count * (6 + 0.3 * entry) + deal + rng.normal(0, 15, 240)).astype(int)
    return {"block": block, "entry": entry, "total": total, "count": count}


@pytest.fixture
def sparse() -> Columns:
    """Rows of 40 blocks in which three of six entries play, each pair now and then."""
    rng = np.random.default_rng(12)
    block = np.repeat(np.arange(40), 3)
    entry = np.concatenate([rng.choice(6, 3, replace=False) for _ in range(40)])
    count = rng.integers(8, 14, 120)
    total = rng.integers(20, 100, 120)
    return {"block": block, "entry": entry, "total": total, "count": count}


def assert_same(one: RatioEstimate, other: RatioEstimate) -> None:
    names = ("estimate", "se", "low", "high", "half_width", "blocks", "shared_blocks", "covariance")
    for name in names:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    np.testing.assert_array_equal(
        one.difference_degrees_of_freedom(), other.difference_degrees_of_freedom()
    )


def test_three_blocks_by_hand() -> None:
    """Estimate, error and covariance of two entries equal a calculation on paper."""
    # Entry 0: 10/2, 30/4, 20/4 -> T = 60, N = 10, ratio 6; residuals t - 6n = -2, 6, -4.
    # Entry 1: 12/2, 16/4, 12/4 -> T = 40, N = 10, ratio 4; residuals t - 4n =  4, 0, -4.
    # Divided by N: z0 = -.2, .6, -.4 and z1 = .4, 0, -.4; factor G/(G-1) = 3/2.
    # var0 = 1.5 * .56 = .84, var1 = 1.5 * .32 = .48, cov = 1.5 * (-.08 + .16) = .12.
    found = ratio_by_block(
        block=[7, 7, 8, 8, 9, 9],
        entry=[0, 1, 0, 1, 0, 1],
        total=[10, 12, 30, 16, 20, 12],
        count=[2, 2, 4, 4, 4, 4],
        entries=2,
    )

    np.testing.assert_allclose(found.estimate, [6.0, 4.0])
    np.testing.assert_allclose(found.covariance, [[0.84, 0.12], [0.12, 0.48]])
    np.testing.assert_allclose(found.se**2, [0.84, 0.48])
    np.testing.assert_allclose(found.half_width, 4.30265 * found.se, rtol=1e-5)
    np.testing.assert_allclose(found.high - found.low, 2 * found.half_width)
    assert found.difference_se()[0, 1] == pytest.approx(np.sqrt(0.84 + 0.48 - 2 * 0.12))
    assert found.difference_half_width()[1, 0] == pytest.approx(4.30265 * np.sqrt(1.08), rel=1e-5)
    assert found.blocks.tolist() == [3, 3]


def test_equals_a_weighted_regression_with_clustered_errors(complete: Columns) -> None:
    """Regressing a block's mean on the entry, weighted by hands, gives the same covariance."""
    found = ratio_by_block(**complete, entries=4)

    dummies = np.eye(4)[complete["entry"]]
    fit = sm.WLS(complete["total"] / complete["count"], dummies, weights=complete["count"]).fit(
        cov_type="cluster", cov_kwds={"groups": complete["block"], "use_correction": True}
    )
    # Their correction is G/(G-1) * (n-1)/(n-k) for n rows and k coefficients.
    of_rows = (240 - 1) / (240 - 4)
    np.testing.assert_allclose(found.estimate, fit.params, rtol=1e-12)
    np.testing.assert_allclose(found.covariance, fit.cov_params() / of_rows, rtol=1e-9)


def jackknife(rows: Columns, entries: int) -> np.ndarray:
    """Leave one block out at a time; covariance of the ratios."""
    blocks = np.unique(rows["block"])
    ratios = np.empty((blocks.size, entries))
    for at, left_out in enumerate(blocks):
        kept = rows["block"] != left_out
        for e in range(entries):
            mine = kept & (rows["entry"] == e)
            ratios[at, e] = rows["total"][mine].sum() / rows["count"][mine].sum()
    deviation = ratios - ratios.mean(axis=0)
    return (blocks.size - 1) / blocks.size * deviation.T @ deviation


def test_equals_the_jackknife_when_blocks_are_of_one_size(complete: Columns) -> None:
    """With as many hands in every block the ratio is a mean, and the jackknife is exact."""
    rows = complete | {"count": np.full(240, 40)}

    found = ratio_by_block(**rows, entries=4)

    np.testing.assert_allclose(found.covariance, jackknife(rows, 4), rtol=1e-9)


def test_is_near_the_jackknife_when_blocks_differ(complete: Columns) -> None:
    """With blocks of different size linearisation and jackknife agree to a few per cent."""
    found = ratio_by_block(**complete, entries=4)

    np.testing.assert_allclose(found.covariance, jackknife(complete, 4), rtol=0.06)


def test_incomplete_blocks_equal_a_slow_twin(sparse: Columns) -> None:
    """Entries that share only some blocks get the covariance that the docstring defines."""
    found = ratio_by_block(**sparse, entries=6)

    z = np.zeros((6, 40))
    took_part = np.zeros(6)
    for e in range(6):
        mine = sparse["entry"] == e
        t, n = sparse["total"][mine], sparse["count"][mine]
        z[e, sparse["block"][mine]] = (t - t.sum() / n.sum() * n) / n.sum()
        took_part[e] = mine.sum()
    factor = np.sqrt(took_part / (took_part - 1))
    np.testing.assert_allclose(found.covariance, np.outer(factor, factor) * (z @ z.T), atol=1e-15)
    assert found.blocks.tolist() == took_part.tolist()


def test_covariance_of_incomplete_blocks_is_positive_semidefinite(sparse: Columns) -> None:
    """No contrast of the entries has a negative variance."""
    found = ratio_by_block(**sparse, entries=6)

    least = np.linalg.eigvalsh(found.covariance).min()

    assert least >= -1e-12 * np.trace(found.covariance)


def freedom_block_by_block(blocks: list[set[int]], covariance: np.ndarray) -> np.ndarray:
    """Share the variance of each difference out to single blocks, and square these shares."""
    k = len(blocks)
    freedom = np.zeros((k, k))
    for i in range(k):
        for j in range(k):
            mine, theirs = blocks[i], blocks[j]
            least = max(min(len(mine), len(theirs)) - 1, 0)
            freedom[i, j] = least
            if i == j or not least:
                continue
            whole = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            share = {b: covariance[i, i] / len(mine) for b in mine - theirs}
            share |= {b: covariance[j, j] / len(theirs) for b in theirs - mine}
            left = max(whole - sum(share.values()), 0)
            share |= {b: left / len(mine & theirs) for b in mine & theirs}
            few = {b: min(len(who) for who in (mine, theirs) if b in who) for b in share}
            found = whole**2 / sum(v**2 * few[b] / (few[b] - 1) for b, v in share.items())
            freedom[i, j] = min(max(found, least), 2 * least, len(mine | theirs) - 1)
    return freedom


@pytest.mark.parametrize("seed", range(8))
def test_freedom_of_differences_equals_a_slow_twin(sparse: Columns, seed: int) -> None:
    """Each block's part of the variance by itself, with entries that come seldom or not at all."""
    rng = np.random.default_rng(seed)
    wanted = np.linspace(1.0, 0.03 * (seed % 3), 6)[sparse["entry"]]
    kept = rng.random(120) < wanted
    rows = {k: v[kept] for k, v in sparse.items()}

    found = ratio_by_block(**rows, entries=6)

    blocks = [set(rows["block"][rows["entry"] == e].tolist()) for e in range(6)]
    shared = [[len(one & other) for other in blocks] for one in blocks]
    assert found.shared_blocks.tolist() == shared
    freedom = found.difference_degrees_of_freedom()
    twin = freedom_block_by_block(blocks, found.covariance)
    np.testing.assert_allclose(freedom, twin, rtol=1e-9)
    np.testing.assert_array_equal(freedom, freedom.T)
    assert freedom[0, 1] > min(found.blocks[:2]) - 1
    known = np.isfinite(found.difference_se()) & (freedom >= 1)
    width = stats.t.ppf(0.975, freedom[known]) * found.difference_se()[known]
    np.testing.assert_allclose(found.difference_half_width()[known], width, rtol=1e-9)


@pytest.mark.parametrize("scale", [1, 1 / 3])
def test_freedom_of_differences_in_the_same_blocks_is_one_less_than_these(
    complete: Columns, scale: float
) -> None:
    """To the last bit, whatever the variances are."""
    found = ratio_by_block(**complete | {"total": complete["total"] * scale}, entries=4)

    np.testing.assert_array_equal(found.difference_degrees_of_freedom(), 59)


@pytest.mark.parametrize(("size", "spread"), [(12, 3.0), (12, 1.0), (9, 1.4), (8, 0.1)])
def test_differences_without_a_common_block_are_those_of_welch(size: int, spread: float) -> None:
    """Two samples, one of 12: the error, the freedom and the interval of scipy's test."""
    rng = np.random.default_rng(17)
    first, second = rng.normal(0, 1, 12), rng.normal(0, spread, size)

    found = ratio_by_block(
        np.arange(12 + size),
        np.repeat([0, 1], [12, size]),
        np.append(first, second),
        np.ones(12 + size),
        2,
    )

    welch = stats.ttest_ind(first, second, equal_var=False)
    interval = welch.confidence_interval(0.95)
    assert found.difference_degrees_of_freedom()[0, 1] == pytest.approx(welch.df)
    assert found.difference_half_width()[0, 1] == pytest.approx(
        (interval.high - interval.low) / 2, rel=1e-9
    )


def test_few_blocks_have_no_more_than_twice_their_degrees_of_freedom() -> None:
    """Three blocks that happen to be alike next to 60 that are not: 4, where Welch has 53."""
    rng = np.random.default_rng(18)
    many, few = rng.normal(0, 1, 60), np.array([0.0, 0.02, 0.06])

    found = ratio_by_block(
        np.arange(63), np.repeat([0, 1], [60, 3]), np.append(many, few), np.ones(63), 2
    )

    assert stats.ttest_ind(many, few, equal_var=False).df > 50
    assert found.difference_degrees_of_freedom()[0, 1] == 4


def test_freedom_of_a_difference_without_variance_or_with_an_infinite_one() -> None:
    """That of the entry with fewer blocks; without a block it is 0."""
    found = ratio_by_block([0, 1, 2, 0, 1, 5], [0, 0, 0, 1, 1, 2], [2] * 6, [1] * 6, 4)

    expected = [[2, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert found.difference_degrees_of_freedom().tolist() == expected


@settings(deadline=None, derandomize=True, max_examples=50)
@given(data=st.data())
def test_order_of_rows_and_labels_of_blocks_do_not_matter(data: st.DataObject) -> None:
    """Shuffled, split and relabelled rows give the same numbers to the last bit."""
    rows = data.draw(
        st.lists(
            st.tuples(
                st.integers(-3, 5), st.integers(0, 3), st.integers(-50, 50), st.integers(1, 9)
            ),
            min_size=1,
            max_size=30,
        )
    )
    shuffled = data.draw(st.permutations(rows))
    labels = {b: 1000 - 7 * b for b in range(-3, 6)}

    one = ratio_by_block(*zip(*rows, strict=True), entries=4)
    b, e, t, n = zip(*shuffled, strict=True)
    other = ratio_by_block([labels[x] for x in b], e, t, n, entries=4)

    np.testing.assert_array_equal(one.estimate, other.estimate)
    np.testing.assert_array_equal(one.blocks, other.blocks)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-12, atol=1e-15)


def test_shuffled_rows_are_equal_to_the_last_bit(complete: Columns) -> None:
    """With whole points the order of the rows changes nothing at all."""
    order = np.random.default_rng(3).permutation(240)

    shuffled = ratio_by_block(**{k: v[order] for k, v in complete.items()}, entries=4)

    assert_same(shuffled, ratio_by_block(**complete, entries=4))


def test_rows_of_single_hands_equal_their_sums(complete: Columns) -> None:
    """Two rows for a block and entry count like one row with their sums."""
    part = complete["total"] // 3
    hands = complete["count"] // 4
    halves = {
        "block": np.concatenate([complete["block"], complete["block"]]),
        "entry": np.concatenate([complete["entry"], complete["entry"]]),
        "total": np.concatenate([part, complete["total"] - part]),
        "count": np.concatenate([hands, complete["count"] - hands]),
    }

    assert_same(ratio_by_block(**halves, entries=4), ratio_by_block(**complete, entries=4))


def test_renamed_entries_are_permuted(complete: Columns) -> None:
    """Giving the entries other numbers permutes the result and changes nothing else."""
    rename = np.array([2, 0, 3, 1])
    plain = ratio_by_block(**complete, entries=4)

    renamed = ratio_by_block(**complete | {"entry": rename[complete["entry"]]}, entries=4)

    np.testing.assert_array_equal(renamed.estimate[rename], plain.estimate)
    np.testing.assert_array_equal(renamed.covariance[np.ix_(rename, rename)], plain.covariance)


def test_a_constant_per_hand_moves_only_the_estimates(complete: Columns) -> None:
    """Three more points in every hand add 3 to the estimates; no error changes."""
    plain = ratio_by_block(**complete, entries=4)

    moved = ratio_by_block(
        **complete | {"total": complete["total"] + 3 * complete["count"]}, entries=4
    )

    np.testing.assert_allclose(moved.estimate, plain.estimate + 3, rtol=1e-14)
    np.testing.assert_array_equal(moved.covariance, plain.covariance)


@pytest.mark.parametrize("scale", [1, 1 / 3, 0.1], ids=["whole", "thirds", "tenths"])
def test_a_null_pair_differs_by_exactly_nothing(complete: Columns, scale: float) -> None:
    """Entries with the same totals in every block: equal bits, and a difference without error."""
    rows = complete | {"total": complete["total"] * scale}
    twin = {k: np.concatenate([v, v[rows["entry"] == 1]]) for k, v in rows.items()}
    twin["entry"][240:] = 4

    found = ratio_by_block(**twin, entries=5)

    assert found.estimate[1] - found.estimate[4] == 0.0
    assert found.se[1] == found.se[4] > 0
    assert found.difference_se()[1, 4] == 0.0
    assert found.difference_half_width()[1, 4] == 0.0
    assert (found.difference_se()[1, [0, 2, 3]] > 0).all()


def test_a_constant_lead_has_no_error(complete: Columns) -> None:
    """An entry that is always one point per hand ahead differs without error, but not by 0."""
    twin = {k: np.concatenate([v, v[complete["entry"] == 1]]) for k, v in complete.items()}
    twin["entry"][240:] = 4
    twin["total"][240:] += twin["count"][240:]

    found = ratio_by_block(**twin, entries=5)

    assert found.estimate[4] - found.estimate[1] == pytest.approx(1.0)
    assert found.difference_se()[1, 4] == 0.0


@pytest.mark.parametrize("points", [6.5, 0.1, 1 / 3, 0.0, -2.0])
def test_no_variance_gives_no_width(points: float) -> None:
    """The same points per hand in every block: that value, and an interval of width 0."""
    found = ratio_by_block(np.arange(30), np.zeros(30, int), np.full(30, points), np.ones(30), 1)

    assert found.estimate[0] == points
    assert found.half_width[0] == found.se[0] == 0.0
    assert found.low[0] == found.high[0] == points


def test_no_variance_with_blocks_of_different_size_gives_no_width() -> None:
    """Seven points in each 49 hands, however many hands a block has, is no variance either."""
    size = np.arange(1, 31)

    found = ratio_by_block(np.arange(30), np.zeros(30, int), 7 * size, 49 * size, 1)

    assert found.half_width[0] == 0.0


def test_one_block_bounds_nothing() -> None:
    """A single block gives an estimate and an infinite interval."""
    found = ratio_by_block([5, 5], [0, 1], [30, 40], [10, 10], 2)

    assert found.estimate.tolist() == [3.0, 4.0]
    assert found.half_width.tolist() == [np.inf, np.inf]
    assert found.low.tolist() == [-np.inf, -np.inf]
    assert found.difference_se()[0, 1] == np.inf
    assert found.difference_half_width().tolist() == [[0.0, np.inf], [np.inf, 0.0]]


def test_an_entry_without_data_is_not_a_number() -> None:
    """An entry that never played has no estimate and an infinite width; others are untouched."""
    found = ratio_by_block([0, 1, 2], [0, 0, 0], [3, 4, 5], [1, 1, 1], 2)

    assert np.isnan([found.estimate[1], found.low[1], found.high[1]]).all()
    assert found.se[1] == found.half_width[1] == np.inf
    assert found.blocks.tolist() == [3, 0]
    assert not np.isnan(found.covariance).any()
    assert found.se[0] == pytest.approx(1 / np.sqrt(3))


def test_no_rows_at_all() -> None:
    """An empty run gives as many unknown entries as were asked for."""
    found = ratio_by_block([], [], [], [], 3)

    assert np.isnan(found.estimate).all()
    assert found.half_width.tolist() == [np.inf] * 3


def test_a_block_without_hands_is_no_block() -> None:
    """A row with 0 hands does not count as an observation."""
    found = ratio_by_block([0, 1, 2], [0, 0, 0], [3, 5, 0], [1, 1, 0], 1)

    assert found.blocks.tolist() == [2]
    assert found.estimate[0] == 4.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"entry": [0, 2]}, r"entry must lie in 0..1, got 0..2", id="entry-high"),
        pytest.param({"entry": [-1, 1]}, r"entry must lie in 0..1, got -1..1", id="entry-low"),
        pytest.param({"block": [0.5, 1.0]}, "block must be a flat array of int", id="float-block"),
        pytest.param({"total": [1.0]}, "total must have 2 rows", id="short-column"),
        pytest.param({"total": [1.0, np.nan]}, "finite, got nan in row 1", id="nan"),
        pytest.param({"total": [[1.0, 2.0]]}, "total must be a flat array", id="matrix"),
        pytest.param({"count": [1, -1]}, "not be negative, got -1 in row 1", id="negative"),
        pytest.param({"count": [1, 0]}, "total is 2 where count is 0", id="points-from-nowhere"),
        pytest.param({"entries": 0}, "entries must be at least 1", id="no-entries"),
        pytest.param({"confidence": 95}, "between 0 and 1, got 95", id="per-cent"),
    ],
)
def test_refuses_bad_columns(change: Columns, message: str) -> None:
    """Columns that cannot be meant are errors that say which value is wrong."""
    good: Columns = {"block": [0, 1], "entry": [0, 1], "total": [1, 2], "count": [1, 1]}

    with pytest.raises(ValueError, match=message):
        ratio_by_block(**{"entries": 2} | good | change)


def test_many_blocks_stay_sparse() -> None:
    """A quarter of a million blocks and 2,000 entries, 4 GB as a table, fit into little memory."""
    block = np.repeat(np.arange(250_000), 4)
    entry = (block * 7 + np.tile([0, 1, 2, 3], 250_000)) % 2_000
    total = np.random.default_rng(0).integers(0, 27, 1_000_000)

    found = ratio_by_block(block, entry, total, np.ones(1_000_000), 2_000)

    assert found.blocks.tolist() == [500] * 2_000
    mine = entry == 123
    by_hand = total[mine].std(ddof=1) / np.sqrt(500)
    assert found.se[123] == pytest.approx(by_hand)


@pytest.fixture
def rotated() -> Columns:
    """Rows of 50 blocks of 4 games, in which four of six entries sit in every seat once."""
    rng = np.random.default_rng(13)
    block = np.repeat(np.arange(50), 16)
    table = np.stack([rng.choice(6, 4, replace=False) for _ in range(50)])
    turn = (np.arange(4)[:, None] + np.arange(4)) % 4
    seat_luck = rng.normal(0, 12, (50, 1, 4))
    seat_luck -= seat_luck.mean(axis=2, keepdims=True)
    deal = rng.normal(0, 2, (50, 1, 1))
    count = np.broadcast_to(rng.integers(8, 14, (50, 4, 1)), (50, 4, 4))
    total = np.rint(6.5 * count + seat_luck + deal + rng.normal(0, 8, (50, 4, 4)))
    return {
        "block": block,
        "entry": table[:, turn].ravel(),
        "total": total.ravel().astype(int),
        "count": count.ravel(),
        "game": np.repeat(np.arange(200) * 3 + 7, 4),
    }


def in_parts(rows: Columns, entries: int, bounds: list[int]) -> RatioSums:
    """Add the blocks between two bounds at a time, each to sums of their own, and merge these."""
    whole = RatioSums(entries)
    for start, end in pairwise(bounds):
        kept = (rows["block"] >= start) & (rows["block"] < end)
        part = RatioSums(entries)
        part.add(**{k: v[kept] for k, v in rows.items()})
        whole.merge(part)
    return whole


def direct_covariance(cluster: np.ndarray, rows: Columns, entries: int) -> np.ndarray:
    """Covariance from the definition, residual by residual, in fractions."""
    points = [dict[int, int]() for _ in range(entries)]
    hands = [dict[int, int]() for _ in range(entries)]
    for c, e, t, n in zip(cluster, rows["entry"], rows["total"], rows["count"], strict=True):
        points[e][int(c)] = points[e].get(int(c), 0) + int(t)
        hands[e][int(c)] = hands[e].get(int(c), 0) + int(n)
    z = []
    for t_of, n_of in zip(points, hands, strict=True):
        sum_t, sum_n = sum(t_of.values()), sum(n_of.values())
        z.append({c: (t_of[c] - Fraction(sum_t, sum_n) * n_of[c]) / sum_n for c in t_of})
    size = [len(one) for one in z]
    factor = [np.sqrt(g / (g - 1)) for g in size]
    return np.array(
        [
            [
                factor[i] * factor[j] * float(sum(z[i][c] * z[j][c] for c in z[i] if c in z[j]))
                for j in range(entries)
            ]
            for i in range(entries)
        ]
    )


@pytest.mark.parametrize("bounds", [[0, 50], [0, 1, 2, 50], [0, 7, 7, 30, 44, 50]])
def test_parts_equal_the_whole_to_the_last_bit(rotated: Columns, bounds: list[int]) -> None:
    """However whole blocks are parted, added and merged, the same numbers come out."""
    plain = ratio_by_block(**rotated, entries=6)

    merged = in_parts(rotated, 6, bounds).estimate()

    assert_same(merged, plain)
    np.testing.assert_array_equal(merged.design_effect, plain.design_effect)
    np.testing.assert_array_equal(merged.game_covariance, plain.game_covariance)


def test_adding_part_by_part_equals_merging(rotated: Columns) -> None:
    """One accumulator that sees all parts holds what merged ones hold."""
    sums = RatioSums(6)
    for start in range(0, 50, 10):
        kept = (rotated["block"] >= start) & (rotated["block"] < start + 10)
        sums.add(**{k: v[kept] for k, v in rotated.items()})

    assert_same(sums.estimate(0.9), in_parts(rotated, 6, [0, 3, 50]).estimate(0.9))


def test_parts_of_fractions_equal_the_whole_nearly(rotated: Columns) -> None:
    """Points that are no whole numbers lose no more than rounding when they come in parts."""
    rows = rotated | {"total": rotated["total"] / 7}

    merged = in_parts(rows, 6, [0, 20, 35, 50]).estimate()

    np.testing.assert_allclose(merged.estimate, ratio_by_block(**rows, entries=6).estimate)
    exact = direct_covariance(rotated["block"], rotated, 6) / 49
    np.testing.assert_allclose(merged.covariance, exact, rtol=1e-9, atol=1e-14)


def test_covariances_equal_a_direct_calculation(rotated: Columns) -> None:
    """Sums of products give the covariance of residuals, by block and by game, to 15 digits."""
    found = ratio_by_block(**rotated, entries=6)

    by_block = direct_covariance(rotated["block"], rotated, 6)
    by_game = direct_covariance(rotated["game"], rotated, 6)
    np.testing.assert_allclose(found.covariance, by_block, rtol=1e-14)
    np.testing.assert_allclose(found.game_covariance, by_game, rtol=1e-14)


def test_design_effect_is_the_ratio_of_the_two_variances(rotated: Columns) -> None:
    """Of estimates and of differences, from variances worked out directly."""
    found = ratio_by_block(**rotated, entries=6)

    by_block = direct_covariance(rotated["block"], rotated, 6)
    by_game = direct_covariance(rotated["game"], rotated, 6)
    np.testing.assert_allclose(
        found.design_effect, np.diagonal(by_block) / np.diagonal(by_game), rtol=1e-12
    )
    effect = found.difference_design_effect()
    for i in range(6):
        for j in range(6):
            contrast = np.eye(6)[i] - np.eye(6)[j]
            if i == j:
                assert np.isnan(effect[i, j])
            else:
                wanted = (contrast @ by_block @ contrast) / (contrast @ by_game @ contrast)
                assert effect[i, j] == pytest.approx(wanted, rel=1e-10)
    # Every entry had every seat's luck once in each block, so that blocks vary less than games.
    assert (found.design_effect < 1).all()


def test_games_that_repeat_each_other_have_a_design_effect_above_one(rotated: Columns) -> None:
    """Four equal games in a block say as much as one: the effect is about 4."""
    first = rotated["game"] % 12 == 7
    copies = {k: np.concatenate([v[first]] * 4) for k, v in rotated.items()}
    copies["game"] = np.repeat(np.arange(200), 4)

    found = ratio_by_block(**copies, entries=6)

    # G/(G-1) is larger for G blocks than for the 4 G games.
    g = found.blocks
    np.testing.assert_allclose(found.design_effect, 4 * (4 * g - 1) / (4 * g - 4), rtol=1e-12)


def test_design_effect_is_unknown_without_games(rotated: Columns) -> None:
    """Without the game of every row there is no design effect; nothing else changes."""
    without = {k: v for k, v in rotated.items() if k != "game"}
    late = {k: v[rotated["block"] >= 20] for k, v in without.items()}
    half = in_parts({k: v[rotated["block"] < 20] for k, v in rotated.items()}, 6, [0, 20])
    half.add(**late)
    half.add([], [], [], [])
    merged = in_parts(without, 6, [0, 50])
    merged.merge(RatioSums(6))

    for found in (half.estimate(), merged.estimate()):
        assert_same(found, ratio_by_block(**rotated, entries=6))
        assert np.isnan(found.design_effect).all()
        assert np.isnan(found.difference_design_effect()).all()


def test_an_empty_part_changes_nothing(rotated: Columns) -> None:
    """Neither rows that are none nor sums of nothing make a run's games unknown."""
    sums = in_parts(rotated, 6, [0, 50])
    sums.add([], [], [], [])
    sums.merge(RatioSums(6))

    assert_same(sums.estimate(), ratio_by_block(**rotated, entries=6))
    assert np.isfinite(sums.estimate().design_effect).all()


@pytest.mark.parametrize("scale", [1, 1 / 3, 0.1], ids=["whole", "thirds", "tenths"])
def test_a_null_pair_in_parts_differs_by_exactly_nothing(rotated: Columns, scale: float) -> None:
    """Equal totals in every block stay equal to the last bit when parts are merged."""
    rows = rotated | {"total": rotated["total"] * scale}
    mine = rows["entry"] == 1
    twin = {k: np.concatenate([v, v[mine]]) for k, v in rows.items()}
    twin["entry"][rows["entry"].size :] = 6

    found = in_parts(twin, 7, [0, 11, 12, 50]).estimate()

    assert found.estimate[1] - found.estimate[6] == 0.0
    assert found.covariance[1, 6] == found.covariance[1, 1] == found.covariance[6, 6] > 0
    assert found.difference_se()[1, 6] == 0.0
    assert found.design_effect[1] == found.design_effect[6]
    assert np.isnan(found.difference_design_effect()[1, 6])


@pytest.mark.parametrize("points", [0.1, 1 / 3, 1e9 + 0.1, -2.0])
def test_no_variance_in_parts_gives_no_width(points: float) -> None:
    """The same ratio in every block is that ratio, without error, in parts and by game too."""
    size = np.arange(1, 31)
    rows = {"block": size, "entry": 0 * size, "total": points + 0 * size, "count": 1 + 0 * size}

    found = in_parts(rows | {"game": size}, 1, [1, 9, 31]).estimate()

    assert found.estimate[0] == points
    assert found.se[0] == 0.0
    assert np.isnan(found.design_effect[0])


def test_ratios_equal_but_for_rounding_have_no_negative_variance() -> None:
    """What rounding leaves of a variance of 0, of either sign, is 0, with all its covariances."""
    rng = np.random.default_rng(14)
    for _ in range(200):
        hands = rng.integers(1, 30, 20)
        ratio = rng.uniform(-30, 30)
        block = np.tile(np.arange(20), 2)
        entry = np.repeat([0, 1], 20)
        total = np.concatenate([hands * ratio, rng.normal(100, 20, 20)])

        found = ratio_by_block(block, entry, total, np.tile(hands, 2), 2, game=block)

        assert found.se[0] == found.covariance[0, 1] == 0.0
        assert found.difference_se()[0, 1] == found.se[1] > 0


@pytest.mark.parametrize("shift", [5, 0.3, -7.7])
def test_a_constant_changes_no_error(rotated: Columns, shift: float) -> None:
    """Points that all rise by a constant move the estimates by it, and neither error moves."""
    plain = ratio_by_block(**rotated, entries=6)

    total = rotated["total"] + shift * rotated["count"]
    moved = ratio_by_block(**rotated | {"total": total}, entries=6)

    np.testing.assert_allclose(moved.estimate, plain.estimate + shift, rtol=1e-12)
    np.testing.assert_allclose(moved.se, plain.se, rtol=1e-9)
    np.testing.assert_allclose(moved.difference_se(), plain.difference_se(), rtol=1e-9)
    np.testing.assert_allclose(moved.design_effect, plain.design_effect, rtol=1e-9)


def test_sums_beyond_exact_numbers_still_estimate(rotated: Columns) -> None:
    """Whole points so large that their squares are rounded cost digits, not sense."""
    plain = ratio_by_block(**rotated, entries=6)

    large = ratio_by_block(**rotated | {"total": rotated["total"] * 10**7}, entries=6)

    np.testing.assert_allclose(large.se, plain.se * 1e7, rtol=1e-9)


def test_one_game_one_block_and_an_absent_entry_are_unknown() -> None:
    """What a single observation cannot tell is infinite or nan, never a number or a warning."""
    one_block = ratio_by_block([1] * 4, [0, 1, 0, 1], [3, 9, 8, 1], [2] * 4, 3, game=[1, 1, 2, 2])
    one_game = ratio_by_block([1, 1], [0, 1], [3, 9], [2, 2], 3, game=[1, 1])

    for found in (one_block, one_game):
        assert np.isfinite(found.estimate[:2]).all()
        assert np.isnan(found.estimate[2])
        assert found.se.tolist() == [np.inf] * 3
        assert np.isnan(found.design_effect).all()
        assert np.isnan(found.difference_design_effect()).all()
        assert not np.isnan(found.difference_half_width()).any()
    assert np.isfinite(one_block.game_covariance[:2, :2]).all()
    assert np.isinf(np.diagonal(one_game.game_covariance)).all()


def test_many_parts_take_no_more_memory_than_one() -> None:
    """300,000 blocks in 100 calls leave sums of the same size as the first 3,000."""

    def held(thing: object) -> int:
        if isinstance(thing, np.ndarray):
            return thing.nbytes
        return sum(held(part) for part in vars(thing).values()) if hasattr(thing, "__dict__") else 8

    rng = np.random.default_rng(15)
    sums = RatioSums(5)
    after_one = 0
    for call in range(100):
        block = np.repeat(np.arange(3_000) + 3_000 * call, 4)
        entry = np.tile([0, 1, 2, 3], 3_000)
        sums.add(block, entry, rng.integers(0, 27, 12_000), np.ones(12_000), block)
        after_one = after_one or held(sums)

    assert held(sums) == after_one < 10_000
    assert sums.estimate().blocks.tolist() == [300_000] * 4 + [0]
    np.testing.assert_allclose(sums.estimate().design_effect[:4], 1.0)


def test_refused_rows_leave_the_sums_as_they_were(rotated: Columns) -> None:
    """After an error the sums can still be used."""
    sums = in_parts(rotated, 6, [0, 50])

    with pytest.raises(ValueError, match="game 4 has rows in blocks 1 and 2"):
        sums.add([1, 2], [0, 0], [5, 6], [1, 1], [4, 4])
    with pytest.raises(ValueError, match="total is 6 where count is 0"):
        sums.add([1, 1], [0, 0], [5, 6], [1, 0], [4, 5])
    with pytest.raises(ValueError, match="game must have 2 rows"):
        sums.add([1, 2], [0, 0], [5, 6], [1, 1], [4])
    with pytest.raises(ValueError, match="cannot merge sums of 5 entries into sums of 6"):
        sums.merge(RatioSums(5))

    assert_same(sums.estimate(), ratio_by_block(**rotated, entries=6))
