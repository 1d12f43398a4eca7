"""Who is better than whom, against scipy.stats, statsmodels and counts by hand."""

import math

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.multitest import multipletests

from hearts_sim.stats import (
    games_needed,
    holm,
    likelihood_of_superiority,
    rank_intervals,
    significant_differences,
)

pytestmark = pytest.mark.filterwarnings("error")

INF, NAN = np.inf, np.nan


def field(seed: int, entries: int = 8, spread: float = 60.0) -> tuple[np.ndarray, np.ndarray]:
    """Return differences of random ratings, and errors of them."""
    rng = np.random.default_rng(seed)
    elo = rng.normal(1500, spread, entries)
    variance = rng.uniform(50, 400, entries)
    se = np.sqrt(variance[:, None] + variance)
    np.fill_diagonal(se, 0)
    return elo[:, None] - elo, se


@pytest.mark.parametrize("df", [1, 3, 9, 24.5, 1000])
def test_superiority_is_the_t_distribution(df: float) -> None:
    """The probability is that of scipy's t distribution, into both tails."""
    difference = np.linspace(-40, 40, 17)

    found = likelihood_of_superiority(difference, 7.0, df)

    np.testing.assert_allclose(found, scipy.stats.t.cdf(difference / 7.0, df), rtol=1e-10)


def test_superiority_with_known_spread_is_normal() -> None:
    """Infinite degrees of freedom, alone or among others, give the normal distribution."""
    found = likelihood_of_superiority([1.96, 1.96], 1.0, [INF, 30])

    np.testing.assert_allclose(found, [scipy.stats.norm.cdf(1.96), scipy.stats.t.cdf(1.96, 30)])


@pytest.mark.parametrize(
    ("difference", "se", "df", "expected"),
    [
        pytest.param(0.0, 0.0, 0, 0.5, id="same"),
        pytest.param(3.0, 0.0, 20, 1.0, id="always-better"),
        pytest.param(-3.0, 0.0, INF, 0.0, id="always-worse"),
        pytest.param(3.0, 0.0, 0, NAN, id="one-block-without-spread"),
        pytest.param(3.0, INF, 20, NAN, id="no-error-known"),
        pytest.param(3.0, NAN, 20, NAN, id="nan-error"),
        pytest.param(NAN, 1.0, 20, NAN, id="nan-difference"),
        pytest.param(NAN, 0.0, 20, NAN, id="nan-without-spread"),
        pytest.param(0.0, 1.0, 0, NAN, id="one-block"),
        pytest.param(0.0, 1.0, 20, 0.5, id="level"),
    ],
)
def test_superiority_at_the_edges(difference: float, se: float, df: float, expected: float) -> None:
    """No spread is certainty, no known spread is no answer, and neither warns."""
    np.testing.assert_array_equal(likelihood_of_superiority([difference], [se], df), [expected])


def test_superiority_of_all_pairs() -> None:
    """In a matrix the two directions add up to 1, and nobody is superior to itself."""
    difference, se = field(1)
    difference[2, :] = difference[:, 2] = NAN
    se[3, :] = se[:, 3] = INF

    found = likelihood_of_superiority(difference, se, 30)

    assert (np.diag(found) == 0.5).all()
    known = ~np.isnan(found)
    np.testing.assert_allclose((found + found.T)[known], 1.0)
    assert known.sum() == 6 * 6 + 2


@pytest.mark.parametrize("seed", range(16))
def test_holm_equals_statsmodels(seed: int) -> None:
    """Values, ties and gaps in any order: as statsmodels adjusts those that are there."""
    rng = np.random.default_rng(seed)
    values = np.round(rng.random(seed % 13) ** rng.integers(1, 8), 2)
    values[rng.random(values.size) < 0.2] = NAN
    there = ~np.isnan(values)

    adjusted = holm(values)

    assert np.isnan(adjusted[~there]).all()
    if there.any():
        oracle = multipletests(values[there], method="holm")[1]
        np.testing.assert_allclose(adjusted[there], oracle, rtol=1e-12)


@pytest.mark.parametrize("p", [[0.5, 1.1], [-0.1], [[0.1, 0.2]]])
def test_holm_refuses_what_is_no_p(p: list[float]) -> None:
    """Only flat arrays of probabilities."""
    with pytest.raises(ValueError, match="flat array of values between 0 and 1"):
        holm(p)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_significance_equals_statsmodels(seed: int, confidence: float) -> None:
    """Two-sided p values from scipy, adjusted by statsmodels, decide for every pair."""
    difference, se = field(seed)
    i, j = np.triu_indices(8, 1)

    p, p_holm, better = significant_differences(difference, se, 19, confidence)

    alone = 2 * scipy.stats.t.sf(np.abs(difference[i, j]) / se[i, j], 19)
    rejected, adjusted, _, _ = multipletests(alone, alpha=1 - confidence, method="holm")
    np.testing.assert_allclose(p[i, j], alone, rtol=1e-10)
    np.testing.assert_allclose(p_holm[i, j], adjusted, rtol=1e-10)
    np.testing.assert_array_equal(p_holm, p_holm.T)
    np.testing.assert_array_equal((better | better.T)[i, j], rejected)
    assert rejected.any()
    assert not rejected.all()
    assert (difference[better] > 0).all()
    assert not np.diag(better).any()


def test_few_blocks_are_provisional() -> None:
    """With nine blocks nothing is significant and nothing is spent on the test; ten are enough."""
    difference = np.array([[0, 500, 400], [-500, 0, -100], [-400, 100, 0]], dtype=float)
    se = np.full((3, 3), 5.0) * (1 - np.eye(3))
    df = np.array([[9, 8, 9], [8, 8, 8], [9, 8, 9]])

    p, p_holm, better = significant_differences(difference, se, df)

    assert better.tolist() == [[False, False, True], [False] * 3, [False] * 3]
    assert p_holm[0, 2] == p[0, 2]  # the only test that was made
    assert np.isnan(p_holm).sum() == 4
    assert not np.isnan(p).any()


def test_unknown_errors_are_not_significant() -> None:
    """Bounds, missing entries and exact twins are never better; exact differences are."""
    difference = np.array([0.0, 0.0, 10.0, NAN, 30.0])
    difference = difference[:, None] - difference
    se = np.zeros((5, 5))
    se[4, :] = se[:, 4] = INF

    p, p_holm, better = significant_differences(difference, se, 99)

    assert np.argwhere(better).tolist() == [[2, 0], [2, 1]]
    assert p[0, 1] == p_holm[0, 1] == 1.0
    assert p[2, 0] == p_holm[2, 0] == 0.0
    assert np.isnan(p[0, 3])
    assert np.isnan(p[0, 4])
    assert np.diag(p).tolist() == np.diag(p_holm).tolist() == [1.0] * 5


def test_no_true_difference_is_rarely_called_one() -> None:
    """Of 400 fields of six equal entries, at most 5 % (and some noise) show any difference."""
    rng = np.random.default_rng(3)
    false_calls = 0
    for _ in range(400):
        sample = rng.normal(0, 1, (20, 6))
        mean = sample.mean(axis=0)
        apart = sample[:, :, None] - sample[:, None, :]
        se = apart.std(axis=0, ddof=1) / np.sqrt(20)
        _, _, better = significant_differences(mean[:, None] - mean, se, 19)
        false_calls += better.any()

    assert 2 <= false_calls <= 30


def test_rank_intervals_by_hand() -> None:
    """0 is better than all, 1 and 2 level, 3 only behind 0 and 1."""
    better = np.zeros((4, 4), dtype=bool)
    better[0, 1:] = better[1, 3] = True

    best, worst = rank_intervals(better)

    assert best.tolist() == [1, 2, 2, 3]
    assert worst.tolist() == [1, 3, 4, 4]
    assert best.dtype == worst.dtype == np.int64


@pytest.mark.parametrize("entries", [1, 2, 5])
def test_nothing_known_leaves_every_rank(entries: int) -> None:
    """Without a significant difference everybody may be anywhere."""
    best, worst = rank_intervals(np.zeros((entries, entries), dtype=bool))

    assert (best == 1).all()
    assert (worst == entries).all()


@pytest.mark.parametrize("seed", range(5))
def test_rank_intervals_hold_every_order_that_is_left(seed: int) -> None:
    """The estimated ranks lie in their intervals, and more confidence never narrows one."""
    difference, se = field(seed)
    rank = 1 + (difference < 0).sum(axis=1)
    widths = []
    for confidence in (0.5, 0.9, 0.99):
        best, worst = rank_intervals(significant_differences(difference, se, 19, confidence)[2])
        assert (best <= rank).all()
        assert (rank <= worst).all()
        widths.append(worst - best)

    assert (widths[0] <= widths[1]).all()
    assert (widths[1] <= widths[2]).all()


@pytest.mark.parametrize(
    ("games", "half_width", "wanted", "expected"),
    [
        (1000, 20.0, 10.0, 3000.0),
        (400, 30.0, 10.0, 3200.0),
        (400, 10.0, 10.0, 0.0),
        (400, 0.0, 10.0, 0.0),
        (400, 9.0, 10.0, 0.0),
        (400, INF, 10.0, NAN),
        (400, NAN, 10.0, NAN),
        (0, 5.0, 10.0, NAN),
    ],
)
def test_games_needed(games: float, half_width: float, wanted: float, expected: float) -> None:
    """Half the width takes four times the games; what is unknown needs an unknown number."""
    found = games_needed(games, half_width, wanted)

    assert isinstance(found, float)
    np.testing.assert_array_equal(found, expected)


def test_refuses_what_has_no_answer() -> None:
    """Widths of nothing, matrices that are not square, confidence without doubt."""
    with pytest.raises(ValueError, match="wanted must be positive"):
        games_needed(100, 5.0, 0.0)
    with pytest.raises(ValueError, match="wanted must be positive"):
        games_needed(100, 5.0, math.nan)
    with pytest.raises(ValueError, match="square matrix, got shape"):
        significant_differences([1.0, 2.0], 1.0, 20)
    with pytest.raises(ValueError, match="square matrix, got shape"):
        rank_intervals([True, False])
    with pytest.raises(ValueError, match="between 0 and 1"):
        significant_differences(np.zeros((2, 2)), 1.0, 20, confidence=1.0)
