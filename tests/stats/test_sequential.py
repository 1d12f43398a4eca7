"""The sequential test against likelihoods maximised numerically, Wald's bounds and plain cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from hearts_sim.stats import Look, SequentialTest, elo_to_score


def maximised(values: np.ndarray, mean: float, gap: float) -> float:
    """Log likelihood at a mean, its highest over the deviation, one value more being off by gap."""

    def negative(log_sd: float) -> float:
        sd = math.exp(log_sd)
        held = stats.norm.logpdf(values, loc=mean, scale=sd).sum()
        return -held + gap**2 / (2 * sd**2)

    return -optimize.minimize_scalar(negative, bounds=(-6, 6), options={"xatol": 1e-10}).fun


def symmetric(values: np.ndarray) -> np.ndarray:
    """Mirror values at their mean, and keep both."""
    return np.concatenate((values, 2 * values.mean() - values))


@pytest.mark.parametrize(("h0", "h1"), [(0.0, 0.5), (0.5, 0.55), (1.0, -2.0)])
@pytest.mark.parametrize("blocks", [1, 2, 9, 200])
def test_ratio_is_that_of_maximised_likelihoods(h0: float, h1: float, blocks: int) -> None:
    """Of normal values, when the sample is as symmetric as they are."""
    values = symmetric(np.random.default_rng([1, blocks]).gamma(2.0, 0.7, blocks))
    gap = h1 - h0

    found = SequentialTest(h0, h1).look(values)

    expected = maximised(values, h1, gap) - maximised(values, h0, gap)
    assert found.llr == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_ratio_tends_to_that_without_the_added_value() -> None:
    values = symmetric(np.random.default_rng(2).normal(0.03, 1.0, 2500))
    test = SequentialTest(0.0, 0.05)
    off_h0 = np.mean((values - test.h0) ** 2)
    off_h1 = np.mean((values - test.h1) ** 2)

    assert test.look(values).llr == pytest.approx(2500 * math.log(off_h0 / off_h1), rel=1e-5)


def test_ratio_by_hand() -> None:
    """Values 0, 1, 2: s2 is 2/3; off h0 = 0 by 1, off h1 = 3 by 2; 9/3 is added to s2."""
    found = SequentialTest(0.0, 3.0).look([0, 1, 2])

    assert found.blocks == 3
    assert found.mean == 1.0
    assert found.se == pytest.approx(1 / math.sqrt(3))
    assert found.llr == pytest.approx(1.5 * math.log((2 / 3 + 3 + 1) / (2 / 3 + 3 + 4)))


def test_ratio_of_skewed_values_by_hand() -> None:
    """Values 0, 0, 3: variance 2 and 9/3, together 5; third moment (-1 - 1 + 8) / 3 = 2.

    With 2/3 * 2/5 = 4/15, w is 5 - 4/15 at h0 = 0, one below the mean, and 5 + 8/15 at h1 = 3.
    """
    found = SequentialTest(0.0, 3.0).look([0, 0, 3])

    assert found.llr == pytest.approx(1.5 * math.log((1 + 15 / 71) / (1 + 4 * 15 / 83)))


def test_no_hypothesis_has_less_than_a_quarter_of_the_variance() -> None:
    """Nine 0 and a 10: variance 9 and 4/10; 9.4 - 2/3 * 72/9.4 * 2 would be negative at h0 = -1."""
    found = SequentialTest(-1.0, 1.0).look([0] * 9 + [10])

    assert found.llr == pytest.approx(5 * math.log(1 + 4 / (9.4 / 4)))


def empirical(values: np.ndarray, mean: float) -> float:
    """Log likelihood of the weights that make a mean likeliest, less that of equal weights."""
    off = values - mean
    ends = -1 / off.max(), -1 / off.min()
    room = 1e-9 * (ends[1] - ends[0])
    tilt = optimize.brentq(
        lambda c: np.sum(off / (1 + c * off)), ends[0] + room, ends[1] - room, xtol=1e-15
    )
    return -float(np.log1p(tilt * off).sum())


@pytest.mark.parametrize("skewed", ["gamma", "rare", "mirrored"])
def test_skewness_counts_as_in_the_empirical_likelihood(skewed: str) -> None:
    """Halfway between the hypotheses a ratio of normal likelihoods is 1; this is not.

    The first order in which they differ is the fifth: the error falls with the squared distance.
    """
    rng = np.random.default_rng(3)
    values = {
        "gamma": rng.gamma(1.0, 1.0, 4000),
        "rare": np.where(rng.random(4000) < 0.1, 3.0, rng.normal(0, 0.5, 4000)),
        "mirrored": -rng.gamma(1.0, 1.0, 4000),
    }[skewed]
    mean, sd = values.mean(), values.std()
    errors = []
    for distance in (0.08, 0.04):
        h0, h1 = mean - distance * sd, mean + distance * sd
        expected = empirical(values, h1) - empirical(values, h0)
        llr = SequentialTest(h0, h1).look(values).llr
        assert llr == pytest.approx(expected, rel=0.05)
        assert (llr > 0) == (skewed != "mirrored")
        errors.append(abs(llr / expected - 1))
    assert errors[1] < 0.35 * errors[0]


def test_bounds_by_hand() -> None:
    """With 5 % each, odds of 19 to 1; with 1 % and 10 %, 0.1/0.99 and 0.9/0.01."""
    even = SequentialTest(0, 1)
    assert (even.lower, even.upper) == pytest.approx((-math.log(19), math.log(19)))
    uneven = SequentialTest(0, 1, alpha=0.01, beta=0.1)
    assert (uneven.lower, uneven.upper) == pytest.approx((-2.2925, 4.4998), abs=1e-4)
    look = uneven.look([0.5])
    assert (look.lower, look.upper) == (uneven.lower, uneven.upper)


@pytest.mark.parametrize(
    ("values", "decision"),
    [
        ([-0.2, 0.2] * 16, "h0"),
        ([0.8, 1.2] * 16, "h1"),
        ([0.3, 0.7] * 16, None),
        ([-5.0, 6.0] * 16, None),
    ],
)
def test_decision_at_plain_data(values: list[float], decision: str | None) -> None:
    assert SequentialTest(0, 1).look(values).decision == decision


def test_decision_is_where_the_ratio_crosses_a_bound() -> None:
    """Six values 1.5 and 0.5: s2 is 1/4 + 1/6, and 3 * log((s2 + 1) / s2) = 3.67 > log 19."""
    found = SequentialTest(0, 1, min_blocks=1).look([1.5, 0.5] * 3)
    assert found.llr == pytest.approx(3 * math.log(17 / 5))
    assert found.decision == "h1"
    # Odds of 40 to 1 are more than exp(3.67) = 39.3, odds of 39 to 1 less.
    for odds, decision in ((39, "h1"), (40, None)):
        error = 1 / (odds + 1)
        assert SequentialTest(0, 1, error, error, 1).look([1.5, 0.5] * 3).decision == decision


def test_no_decision_before_the_first_blocks() -> None:
    test = SequentialTest(0, 1, min_blocks=12)
    clear = np.resize([0.9, 1.1], 12)

    assert test.look(clear[:11]).llr > test.upper
    assert test.look(clear[:11]).decision is None
    assert test.look(clear).decision == "h1"


@pytest.mark.parametrize(("value", "decision"), [(0.0, "h0"), (0.02, "h1"), (0.01, None)])
def test_values_that_are_all_alike(value: float, decision: str | None) -> None:
    """Nothing is infinite, and a strategy against itself ends as h0 at the first chance."""
    test = SequentialTest(0.0, 0.02)
    values = np.full(test.min_blocks, value)

    found = test.look(values)

    assert found.se == 0.0
    assert found.decision == decision
    sign = {"h0": -1, "h1": 1, None: 0}[decision]
    assert test.min_blocks == 32
    assert found.llr == pytest.approx(sign * 16 * math.log(33), abs=1e-9)


@pytest.mark.parametrize("gap", [1e-200, 1e-9, 1e9])
def test_scales_far_from_one_do_no_harm(gap: float) -> None:
    assert SequentialTest(0.0, gap).look(np.zeros(32)).decision == "h0"
    assert SequentialTest(0.0, gap).look(np.full(32, gap)).decision == "h1"


def test_one_value_and_none() -> None:
    test = SequentialTest(0.0, 1.0, min_blocks=1)
    one = test.look([2.0])
    assert (one.blocks, one.mean, one.se) == (1, 2.0, math.inf)
    assert one.llr == pytest.approx(0.5 * math.log(5 / 2))
    assert one.decision is None

    none = test.look([])
    assert (none.blocks, none.se, none.llr, none.decision) == (0, math.inf, 0.0, None)
    assert math.isnan(none.mean)


@given(
    st.lists(st.floats(-10, 10), min_size=1, max_size=40),
    st.floats(-2, 2),
    st.floats(0.01, 2),
    st.randoms(use_true_random=False),
)
def test_order_and_naming_do_not_matter(values, h0, gap, random) -> None:  # type: ignore[no-untyped-def]
    """Shuffled values give the same; the hypotheses swapped, or all mirrored, its negative."""
    h1 = h0 + gap
    found = SequentialTest(h0, h1).look(values)
    assert math.isfinite(found.llr)

    shuffled = list(values)
    random.shuffle(shuffled)
    assert SequentialTest(h0, h1).look(shuffled).llr == pytest.approx(found.llr, abs=1e-9)
    assert SequentialTest(h1, h0).look(values).llr == pytest.approx(-found.llr, abs=1e-9)
    mirrored = SequentialTest(-h0, -h1).look(-np.array(values))
    assert mirrored.llr == pytest.approx(found.llr, abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"h0": math.nan, "h1": 1}, "h0"),
        ({"h0": 0, "h1": math.inf}, "h1"),
        ({"h0": 0.5, "h1": 0.5}, "differ"),
        ({"h0": 0, "h1": 1, "alpha": 0.0}, "alpha"),
        ({"h0": 0, "h1": 1, "alpha": 0.5}, "alpha"),
        ({"h0": 0, "h1": 1, "beta": -0.1}, "beta"),
        ({"h0": 0, "h1": 1, "beta": math.nan}, "beta"),
        ({"h0": 0, "h1": 1, "min_blocks": 0}, "min_blocks"),
    ],
)
def test_arguments_that_make_no_sense(arguments: dict[str, float], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        SequentialTest(**arguments)


@pytest.mark.parametrize("values", [[[0.0, 1.0]], [0.0, math.nan], [math.inf]])
def test_values_that_are_none(values: list[float]) -> None:
    with pytest.raises(ValueError, match="values"):
        SequentialTest(0, 1).look(values)


def test_neither_can_be_changed() -> None:
    for frozen, name in ((SequentialTest(0, 1), "h0"), (Look(0, 0, 0, 0, 0, 0, None), "llr")):
        with pytest.raises(AttributeError):
            setattr(frozen, name, 1.0)


def test_elo_as_a_share() -> None:
    """400 points are odds of ten to one; FIDE's table has 0.64 for 100 points."""
    assert elo_to_score(0) == 0.5
    assert isinstance(elo_to_score(0), float)
    found = elo_to_score(np.array([[400.0, -400.0], [100.0, 2000.0]]))
    assert found == pytest.approx(np.array([[10 / 11, 1 / 11], [0.640065, 1 - 9.9999e-06]]))
    assert elo_to_score([1e6, -1e6]) == pytest.approx([1.0, 0.0])
