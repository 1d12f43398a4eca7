"""Points per hand against hand calculations, a regression, a jackknife and a slow twin."""

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_sim.stats import RatioEstimate, ratio_by_block

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
    for name in ("estimate", "se", "low", "high", "half_width", "blocks", "covariance"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


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


def test_difference_uses_the_entry_with_fewer_blocks(sparse: Columns) -> None:
    """The t quantile of a difference has the smaller of the two degrees of freedom."""
    kept = (sparse["entry"] != 5) | (sparse["block"] < 10)
    found = ratio_by_block(**{k: v[kept] for k, v in sparse.items()}, entries=6)

    assert found.blocks[5] < found.blocks[0]
    ratio = found.difference_half_width()[0, 5] / found.difference_se()[0, 5]
    assert ratio == pytest.approx(found.half_width[5] / found.se[5])


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
