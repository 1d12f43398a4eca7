"""Ratings against choix, statsmodels, a slow twin, and at the edges of what can be rated."""

import math
from typing import Any

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from scipy.special import expit

from hearts_sim.stats import (
    ConvergenceError,
    Crosstable,
    PairCounts,
    Ratings,
    bradley_terry,
    concatenate,
    placement_pairs,
)
from hearts_sim.stats._newton import maximize
from hearts_sim.stats.bradley_terry import ELO_PER_LOGIT

pytestmark = pytest.mark.filterwarnings("error")


COLUMNS = ("block", "i", "j", "games", "wins")


def play(
    blocks: int, entries: int, seats: int = 4, seed: int = 0, ties: bool = True
) -> dict[str, np.ndarray]:
    """Play rotations of tables drawn from the field; the stronger entries have higher numbers."""
    rng = np.random.default_rng(seed)
    table = np.argsort(rng.random((blocks, entries)), axis=1)[:, :seats]
    luck = rng.normal(0, 1, (blocks, 1, seats))
    strength = np.linspace(-0.7, 0.7, entries)[table][:, None, :]
    points = strength + luck + rng.normal(0, 1, (blocks, seats, seats))
    if ties:
        points = np.round(points)
    ahead = (points[..., None, :] > points[..., None]).sum(-1)
    level = (points[..., None, :] == points[..., None]).sum(-1)
    return {
        "block": np.repeat(np.arange(blocks), seats * seats),
        "game": np.repeat(np.arange(blocks * seats), seats),
        "entry": np.repeat(table[:, None, :], seats, axis=1).ravel(),
        "place": (1 + ahead + (level - 1) / 2).ravel(),
    }


def from_wins(rows: list[tuple[int, int, int, int, float]]) -> PairCounts:
    """Make pairs from rows of block, i, j, games, wins."""
    block, i, j, games, wins = zip(*rows, strict=True)
    return PairCounts(*(np.array(c) for c in (block, i, j, games)), wins=np.array(wins, float))


@pytest.fixture
def field() -> PairCounts:
    """Return 80 blocks of four entries, with ties."""
    return placement_pairs(**play(80, 4))


@pytest.fixture
def league() -> PairCounts:
    """Return 120 blocks of tables of four out of seven entries."""
    return placement_pairs(**play(120, 7, seed=1))


def assert_finite(ratings: Ratings) -> None:
    known = ratings.elo[~ratings.unrated]
    if ratings.connected:
        assert np.isfinite(known).all()
    assert not np.isinf(known).any()
    bounded = ratings.bound != 0
    assert np.isfinite(ratings.elo[bounded]).all()
    assert np.isinf(ratings.se[bounded]).all()
    assert not np.isnan(ratings.low[~np.isnan(ratings.elo)]).any()
    assert not np.isnan(ratings.high[~np.isnan(ratings.elo)]).any()
    assert not np.isnan(ratings.se).any()
    assert not np.isnan(ratings.half_width).any()
    assert not np.isnan(ratings.covariance).any()
    assert not np.isnan(ratings.difference_se()).any()
    assert not np.isnan(ratings.difference_half_width()).any()


# The estimate


@pytest.mark.parametrize("entries", [2, 4, 7, 20])
def test_equals_choix(entries: int) -> None:
    """Without a prior the ratings are those of choix, ties included, to 1e-6 in log odds."""
    pairs = placement_pairs(**play(200, entries, min(entries, 4), seed=entries))
    assert (pairs.wins % 1 == 0.5).any()

    ratings = bradley_terry(pairs, entries, prior_sd=math.inf)

    oracle = choix.ilsr_pairwise_dense(pairs.win_matrix(entries), max_iter=10_000, tol=1e-12)
    np.testing.assert_allclose((ratings.elo - 1500) / ELO_PER_LOGIT, oracle, atol=1e-6)


def test_equals_the_gradient_search_of_choix() -> None:
    """A different optimiser of choix, on whole wins, finds the same maximum."""
    pairs = placement_pairs(**play(30, 4, ties=False))
    won = pairs.win_matrix(4).astype(int)
    data = [(i, j) for i in range(4) for j in range(4) for _ in range(won[i, j])]

    ratings = bradley_terry(pairs, 4, prior_sd=math.inf)

    oracle = choix.opt_pairwise(4, data, method="Newton-CG", tol=1e-12)
    theta = (ratings.elo - 1500) / ELO_PER_LOGIT
    np.testing.assert_allclose(theta, oracle - oracle.mean(), atol=1e-6)


def test_two_entries_by_hand() -> None:
    """Three wins in four are odds of 3, and 400 log10(3) = 190.85 Elo apart around 1500."""
    pairs = from_wins([(0, 0, 1, 2, 2), (1, 0, 1, 2, 1)])

    ratings = bradley_terry(pairs, 2, prior_sd=math.inf)

    np.testing.assert_allclose(ratings.elo, 1500 + np.array([1, -1]) * 200 * np.log10(3))


def test_the_prior_moves_nothing_that_was_measured(field: PairCounts) -> None:
    """With the data of 320 games the default prior moves no rating by a twentieth of its error."""
    with_prior, without = bradley_terry(field, 4), bradley_terry(field, 4, prior_sd=math.inf)

    assert np.abs(with_prior.elo - without.elo).max() < 0.1
    assert (with_prior.se > 5).all()
    np.testing.assert_allclose(with_prior.se, without.se, rtol=1e-3)


def test_a_strong_prior_pulls_to_the_mean(field: PairCounts) -> None:
    """The prior is symmetric around the mean, and a narrow one leaves little of the spread."""
    narrow, wide = bradley_terry(field, 4, prior_sd=1.0), bradley_terry(field, 4)

    assert np.ptp(narrow.elo) < 0.02 * np.ptp(wide.elo)
    assert narrow.elo.mean() == pytest.approx(1500)


def test_the_fit_converges_from_extreme_results() -> None:
    """One loss in a million comparisons needs many shortened steps, and gets the exact answer."""
    pairs = from_wins([(0, 0, 1, 10**6, 10**6 - 1), (1, 1, 2, 10**6, 10**6 - 1)])

    ratings = bradley_terry(pairs, 3, prior_sd=math.inf)

    gap = 400 * np.log10(10**6 - 1)
    np.testing.assert_allclose(ratings.elo, 1500 + gap * np.array([1, 0, -1]), rtol=1e-9)


def test_the_fit_converges_where_plain_newton_steps_do_not() -> None:
    """Lopsided and contradictory counts, on which full steps jump about, reach the maximum."""
    wins = np.zeros((7, 7))
    wins[0, 3:] = 1e2, 1e4, 1e5, 1e2
    wins[[1, 2, 2, 2], [2, 1, 4, 6]] = 1e1, 1e2, 1e3, 1
    wins[3, [0, 4, 6]] = 1e3, 1e6, 1e6
    wins[[4, 4, 5, 6, 6], [0, 2, 2, 1, 2]] = 1e6, 1, 1, 1, 1e6
    i, j = np.nonzero(np.triu(wins + wins.T))
    games = (wins + wins.T)[i, j].astype(int)

    ratings = bradley_terry(PairCounts(0 * i, i, j, games, wins[i, j]), 7)

    theta = (ratings.elo - 1500) / ELO_PER_LOGIT
    expected = (wins + wins.T) * expit(theta[:, None] - theta)
    pull = theta * (ELO_PER_LOGIT / 1000) ** 2
    np.testing.assert_allclose((wins - expected).sum(axis=1), pull, atol=1e-6)


def test_failure_to_converge_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too few steps end in an error with the steps and the gradient, never in a number."""
    monkeypatch.setitem(maximize.__globals__, "_MAX_STEPS", 2)
    pairs = from_wins([(0, 0, 1, 1000, 399)])

    with pytest.raises(ConvergenceError, match=r"after 2 iterations, largest gradient") as caught:
        bradley_terry(pairs, 2)

    assert isinstance(caught.value, RuntimeError)
    assert caught.value.iterations == 2
    assert caught.value.gradient > 1


# The errors


@pytest.mark.parametrize("entries", [2, 4])
def test_sandwich_equals_statsmodels(entries: int) -> None:
    """A binomial regression with errors clustered by block has the same covariance, to 1e-6."""
    pairs = placement_pairs(**play(60, entries, entries, seed=2))
    last = entries - 1

    ratings = bradley_terry(pairs, entries, anchor=last, prior_sd=math.inf)

    rows = np.arange(pairs.i.size)
    design = np.zeros((rows.size, entries))
    design[rows, pairs.i], design[rows, pairs.j] = 1, -1
    fit = sm.GLM(
        np.column_stack([pairs.wins, pairs.games - pairs.wins]),
        design[:, :last],
        family=sm.families.Binomial(),
    ).fit(
        cov_type="cluster",
        cov_kwds={"groups": pairs.block, "use_correction": True},
        tol=1e-14,
        maxiter=100,
    )
    # Their correction is G/(G-1) * (n-1)/(n-k) for n rows and k coefficients.
    of_rows = (rows.size - 1) / (rows.size - last)
    oracle = fit.cov_params() / of_rows * ELO_PER_LOGIT**2
    np.testing.assert_allclose(ratings.elo[:last] - 1500, fit.params * ELO_PER_LOGIT, rtol=1e-6)
    np.testing.assert_allclose(ratings.covariance[:last, :last], oracle, rtol=1e-6)
    np.testing.assert_allclose(ratings.se[:last], np.sqrt(np.diag(oracle)), rtol=1e-6)


def test_incomplete_blocks_equal_a_slow_twin(league: PairCounts) -> None:
    """With tables drawn from the field the covariance is what the docstring defines."""
    ratings = bradley_terry(league, 7, prior_sd=math.inf)

    theta = ratings.elo / ELO_PER_LOGIT
    hessian, middle, took_part = np.zeros((7, 7)), np.zeros((7, 7)), np.zeros(7)
    for block in np.unique(league.block):
        score, present = np.zeros(7), set()
        for row in np.flatnonzero(league.block == block):
            i, j, n = league.i[row], league.j[row], league.games[row]
            p = expit(theta[i] - theta[j])
            score[i] += league.wins[row] - n * p
            score[j] -= league.wins[row] - n * p
            contrast = np.zeros(7)
            contrast[i], contrast[j] = 1, -1
            hessian += n * p * (1 - p) * np.outer(contrast, contrast)
            present |= {i, j}
        middle += np.outer(score, score)
        took_part[list(present)] += 1
    factor = np.sqrt(took_part / (took_part - 1))
    bread = np.linalg.pinv(hessian)
    center = np.eye(7) - 1 / 7
    twin = center @ bread @ (middle * np.outer(factor, factor)) @ bread @ center
    np.testing.assert_allclose(ratings.covariance, twin * ELO_PER_LOGIT**2, rtol=1e-6)
    np.testing.assert_array_equal(ratings.entry_blocks, took_part)
    assert (ratings.entry_blocks < ratings.blocks).all()


def test_errors_relate_to_the_stated_reference(field: PairCounts) -> None:
    """Against the mean the ratings balance; the anchor is 1500 without error."""
    mean, anchored = bradley_terry(field, 4), bradley_terry(field, 4, anchor=1)

    assert mean.elo.mean() == pytest.approx(1500)
    np.testing.assert_allclose(mean.covariance.sum(axis=1), 0, atol=1e-9)
    assert anchored.elo[1] == 1500
    assert anchored.se[1] == anchored.half_width[1] == 0.0
    np.testing.assert_array_equal(anchored.covariance[1], 0)
    np.testing.assert_allclose(anchored.se, mean.difference_se()[:, 1], rtol=1e-9)


def test_differences_do_not_depend_on_the_reference(league: PairCounts) -> None:
    """Mean or anchor, the difference of two ratings and its error stay the same."""
    mean, anchored = bradley_terry(league, 7), bradley_terry(league, 7, anchor=3)

    np.testing.assert_allclose(np.diff(anchored.elo), np.diff(mean.elo), rtol=1e-9)
    np.testing.assert_allclose(anchored.difference_se(), mean.difference_se(), rtol=1e-9)


def test_an_interval_is_t_with_the_blocks_of_the_entry(field: PairCounts) -> None:
    """In 80 blocks the 95 % half width is 1.99045 standard errors, on both sides."""
    ratings = bradley_terry(field, 4)

    np.testing.assert_allclose(ratings.half_width, 1.99045 * ratings.se, rtol=1e-5)
    np.testing.assert_allclose(ratings.elo - ratings.low, ratings.half_width)
    np.testing.assert_allclose(ratings.high - ratings.elo, ratings.half_width)
    assert ratings.blocks == 80


def test_freedom_of_differences_in_the_same_blocks_is_one_less_than_these(
    field: PairCounts,
) -> None:
    """With everybody in all 80 blocks nothing is gained, to the last bit, anchored or not."""
    for anchor in (None, 2):
        freedom = bradley_terry(field, 4, anchor=anchor).difference_degrees_of_freedom()
        np.testing.assert_array_equal(freedom, 79)


def test_freedom_of_differences_equals_a_slow_twin(league: PairCounts) -> None:
    """Parts of the variance, block by block: those of one entry only, and the shared ones."""
    ratings = bradley_terry(league, 7)

    blocks = [set(league.block[(league.i == e) | (league.j == e)].tolist()) for e in range(7)]
    freedom = ratings.difference_degrees_of_freedom()
    for i in range(7):
        for j in range(7):
            both = blocks[i] & blocks[j]
            assert ratings.shared_blocks[i, j] == len(both)
            if i == j:
                assert freedom[i, j] == len(both) - 1
                continue
            parts = [(ratings.se[i] ** 2 / len(blocks[i]), blocks[i])] * len(blocks[i] - both)
            parts += [(ratings.se[j] ** 2 / len(blocks[j]), blocks[j])] * len(blocks[j] - both)
            whole = ratings.difference_se()[i, j] ** 2
            left = whole - sum(part for part, _ in parts)
            parts += [(left / len(both), min(blocks[i], blocks[j], key=len))] * len(both)
            twin = whole**2 / sum(v**2 * len(of) / (len(of) - 1) for v, of in parts)
            assert freedom[i, j] == pytest.approx(twin, rel=1e-6)
            assert min(len(blocks[i]), len(blocks[j])) < twin < len(blocks[i] | blocks[j])
    t = stats.t.ppf(0.975, freedom)
    np.testing.assert_allclose(ratings.difference_half_width(), t * ratings.difference_se())


def test_freedom_of_differences_does_not_depend_on_the_reference(league: PairCounts) -> None:
    """Although relative to an anchor all variances are others."""
    plain, anchored = bradley_terry(league, 7), bradley_terry(league, 7, anchor=5)

    assert (anchored.covariance[5] == 0).all()
    np.testing.assert_allclose(
        anchored.difference_degrees_of_freedom(), plain.difference_degrees_of_freedom(), rtol=1e-6
    )


def test_freedom_of_differences_in_a_triangle_by_hand() -> None:
    """Blocks of one pair each, 24 of every pair, all level: 47, as if only own blocks counted.

    Entries 0 and 1 differ by 2/3 of what their own blocks say and 1/3 of what the others do over
    entry 2. The variance has 4 parts of 6 from 24 blocks and 1 of 6 from each other 24, hence
    36 / (16/24 + 1/24 + 1/24) = 48, and times 47/48 for the means.
    """
    rows = [
        (8 * b + 100 * i + 1000 * j + n, i, j, 4, won)
        for i, j in ((0, 1), (0, 2), (1, 2))
        for b in range(4)
        for n, won in enumerate((0, 4, 1, 3, 2, 2))
    ]

    ratings = bradley_terry(from_wins(rows), 3, prior_sd=math.inf)

    assert ratings.shared_blocks.tolist() == [[48, 24, 24], [24, 48, 24], [24, 24, 48]]
    np.testing.assert_allclose(ratings.difference_degrees_of_freedom(), 47)


def test_an_entry_in_few_blocks_has_few_degrees_of_freedom() -> None:
    """A guest that came three times, be it the anchor: two to four."""
    pairs = placement_pairs(**play(60, 5, 4, seed=5))
    kept = (pairs.j != 4) | (pairs.block < np.unique(pairs.block[pairs.j == 4])[3])
    pairs = PairCounts(*(getattr(pairs, name)[kept] for name in COLUMNS))
    for anchor in (None, 4):
        ratings = bradley_terry(pairs, 5, anchor=anchor)

        freedom = ratings.difference_degrees_of_freedom()
        assert ratings.entry_blocks[4] == 3
        assert ((freedom[4, :4] >= 2) & (freedom[4, :4] <= 4)).all()
        assert (freedom[:4, :4] > 25).all()


@pytest.mark.parametrize(("entries", "seats"), [(4, 4), (7, 4), (6, 2)])
def test_design_effect_equals_games_as_blocks(entries: int, seats: int) -> None:
    """The variance that blocks give, over that which the same games give as blocks of their own."""
    rows = play(80, entries, seats, seed=entries)
    blocks = bradley_terry(placement_pairs(**rows), entries)
    games = bradley_terry(placement_pairs(**rows | {"block": rows["game"]}), entries)

    ratings = bradley_terry(Crosstable.from_placements(**rows, entries=entries))

    np.testing.assert_allclose(ratings.covariance, blocks.covariance, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ratings.design_effect, blocks.se**2 / games.se**2, rtol=1e-9)
    pair = np.triu_indices(entries, 1)
    effect = ratings.difference_design_effect()
    expected = (blocks.difference_se()[pair] / games.difference_se()[pair]) ** 2
    np.testing.assert_allclose(effect[pair], expected, rtol=1e-9)
    np.testing.assert_array_equal(effect, effect.T)
    assert np.isnan(np.diag(effect)).all()
    assert (ratings.design_effect > 1).all()  # the blocks here share their luck


def test_design_effect_may_be_unknown(field: PairCounts) -> None:
    """Not without games, not for the anchor, not outside the main group."""
    rows = play(30, 4)
    rows["place"] = np.where(rows["entry"] == 3, 0, rows["place"])

    ratings = bradley_terry(Crosstable.from_placements(**rows, entries=5), anchor=1)

    assert np.isnan(ratings.design_effect).tolist() == [False, True, False, True, True]
    assert np.isfinite(ratings.difference_design_effect()).sum() == 6
    assert np.isnan(bradley_terry(field, 4).design_effect).all()
    assert np.isnan(bradley_terry(field, 4).difference_design_effect()).all()


# What must not matter


def assert_equal_up_to_rounding(one: Ratings, other: Ratings) -> None:
    np.testing.assert_allclose(one.elo, other.elo, rtol=1e-12)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-9)
    np.testing.assert_array_equal(one.entry_blocks, other.entry_blocks)


def test_order_of_rows_does_not_matter(league: PairCounts) -> None:
    """Shuffled rows and relabelled blocks change nothing."""
    order = np.random.default_rng(0).permutation(league.i.size)
    shuffled = PairCounts(
        block=5 - 3 * league.block[order],
        i=league.i[order],
        j=league.j[order],
        games=league.games[order],
        wins=league.wins[order],
    )

    assert_equal_up_to_rounding(bradley_terry(shuffled, 7), bradley_terry(league, 7))


def test_renamed_entries_are_permuted() -> None:
    """Giving the entries other numbers permutes ratings and errors."""
    rows = play(100, 7, seed=4)
    rename = np.array([3, 6, 0, 2, 5, 1, 4])
    plain = bradley_terry(placement_pairs(**rows), 7)

    renamed = bradley_terry(placement_pairs(**rows | {"entry": rename[rows["entry"]]}), 7)

    np.testing.assert_allclose(renamed.elo[rename], plain.elo, rtol=1e-12)
    np.testing.assert_allclose(renamed.se[rename], plain.se, rtol=1e-9)


@pytest.mark.parametrize("cut", [640, 648], ids=["between-blocks", "inside-a-block"])
def test_parts_give_what_the_whole_gives(league: PairCounts, cut: int) -> None:
    """A run split into parts rates the same, even where a block is split over two of them."""
    rows = play(120, 7, seed=1)
    first = placement_pairs(**{k: v[:cut] for k, v in rows.items()})
    second = placement_pairs(**{k: v[cut:] for k, v in rows.items()})

    joined = bradley_terry(concatenate([second, first]), 7)

    assert_equal_up_to_rounding(joined, bradley_terry(league, 7))


def test_a_merged_table_gives_what_the_whole_gives(league: PairCounts) -> None:
    """Tables of different blocks, added in any order, rate the same to the last bit."""
    parts = [
        PairCounts(*(getattr(league, name)[league.block % 3 == m] for name in COLUMNS))
        for m in range(3)
    ]
    one, two, three = (Crosstable.from_pairs(part, 7) for part in parts)

    whole = bradley_terry(league, 7)

    for merged in (one + two + three, three + (two + one)):
        ratings = bradley_terry(merged)
        np.testing.assert_array_equal(ratings.elo, whole.elo)
        np.testing.assert_array_equal(ratings.covariance, whole.covariance)
        assert ratings.blocks == whole.blocks


def test_only_order_counts() -> None:
    """Places 1, 2.5, 2.5, 4 and scores with the same order rate alike."""
    rows = play(50, 4)

    scored = bradley_terry(placement_pairs(**rows | {"place": 100 + 7 * rows["place"]}), 4)

    assert_equal_up_to_rounding(scored, bradley_terry(placement_pairs(**rows), 4))


# Twins and ties


@pytest.mark.parametrize("seed", [8, 20, 24])
def test_twins_differ_by_exactly_nothing(seed: int) -> None:
    """Two newcomers with the same results in every block: same bits, difference without error."""
    entries = 5 + seed % 6
    league = placement_pairs(**play(90, entries, seed=seed))
    guest = league.j == entries - 1
    twin = PairCounts(
        block=league.block[guest],
        i=league.i[guest],
        j=np.full(guest.sum(), entries),
        games=league.games[guest],
        wins=league.wins[guest],
    )

    ratings = bradley_terry(concatenate([league, twin]), entries + 1)

    assert ratings.elo[-1] - ratings.elo[-2] == 0.0
    assert ratings.difference_se()[-1, -2] == 0.0
    assert ratings.difference_half_width()[-2, -1] == 0.0
    assert (ratings.difference_se()[-1, :-2] > 1).all()


def test_equal_counts_are_not_a_null_pair() -> None:
    """Entries level over the run, but not in each block, are equal with an error."""
    pairs = from_wins([(0, 0, 1, 4, 3), (1, 0, 1, 4, 1), (2, 0, 1, 4, 2)])

    ratings = bradley_terry(pairs, 2)

    assert ratings.elo[0] == ratings.elo[1] == 1500
    assert ratings.difference_se()[0, 1] > 1


def test_all_tied_is_equal_without_error() -> None:
    """Nothing but ties: everybody at 1500, connected, and no variance between blocks."""
    rows = play(20, 4)
    pairs = placement_pairs(**rows | {"place": np.full(rows["place"].size, 2.5)})

    ratings = bradley_terry(pairs, 4)

    assert ratings.elo.tolist() == [1500.0] * 4
    assert ratings.half_width.tolist() == [0.0] * 4
    assert ratings.connected
    assert not (ratings.undefeated | ratings.winless).any()


# What cannot be rated


def reach(wins: np.ndarray) -> np.ndarray:
    """Who is above whom by a chain of wins, from plain loops (Warshall's algorithm)."""
    above = wins > 0
    for via in range(len(wins)):
        for i in range(len(wins)):
            for j in range(len(wins)):
                above[i, j] |= above[i, via] and above[via, j]
    return above


def yielded(wins: np.ndarray, same: np.ndarray) -> np.ndarray:
    """Move half a comparison between any two components, pair by pair."""
    moved = wins.copy()
    for i, j in np.argwhere((wins > 0) & ~same):
        between = sum(wins[a, b] for a in np.flatnonzero(same[i]) for b in np.flatnonzero(same[j]))
        moved[i, j] -= 0.5 * wins[i, j] / between
        moved[j, i] += 0.5 * wins[i, j] / between
    return moved


def with_outsiders() -> tuple[PairCounts, PairCounts]:
    """Return 60 blocks of four entries, and the same with one above, one below and one apart.

    Entry 4 beat 1 and 2, entry 5 lost to 0, entry 6 lost to 4 and never met another.
    """
    inside = placement_pairs(**play(60, 4, seed=3))
    rows = [(b, i, 4, 2, 0.0) for b in range(0, 60, 2) for i in (1, 2)]
    rows += [(b, 0, 5, 3, 3.0) for b in range(60)] + [(b, 4, 6, 1, 1.0) for b in range(3)]
    return inside, concatenate([inside, from_wins(rows)])


def test_a_bound_by_hand() -> None:
    """Above two level entries with 80 wins: half a point less would be odds of 159 to 1."""
    pairs = from_wins(
        [
            row
            for b in range(10)
            for row in [(b, 0, 1, 4, 1 + 2 * (b % 2)), (b, 0, 2, 4, 0), (b, 1, 2, 4, 0)]
        ]
    )

    ratings = bradley_terry(pairs, 3, prior_sd=math.inf)

    bound = 1500 + 400 * np.log10(79.5 / 0.5)
    np.testing.assert_allclose(ratings.elo, [1500, 1500, bound], rtol=1e-9)
    assert (ratings.low[2], ratings.high[2]) == (ratings.elo[2], np.inf)
    assert ratings.bound.tolist() == [0, 0, 1]
    assert np.isfinite(ratings.half_width[:2]).all()
    assert ratings.half_width[2] == np.inf


def test_outsiders_get_bounds_and_move_nobody() -> None:
    """Above: lower bound; below: upper bound; beyond a chain: nothing. The group stays as it was.

    Not even their errors change, although half of the comparisons are with outsiders.
    """
    inside, pairs = with_outsiders()
    alone = bradley_terry(inside, 4)

    ratings = bradley_terry(pairs, 7)

    assert_finite(ratings)
    np.testing.assert_allclose(ratings.elo[:4], alone.elo, rtol=1e-12)
    np.testing.assert_allclose(ratings.covariance[:4, :4], alone.covariance, rtol=1e-9)
    np.testing.assert_array_equal(ratings.half_width[:4] > 0, True)
    assert ratings.bound.tolist() == [0, 0, 0, 0, 1, -1, 0]
    assert ratings.low[4] == ratings.elo[4] > ratings.elo[2]
    assert ratings.high[5] == ratings.elo[5] < ratings.elo[0]
    assert (ratings.high[4], ratings.low[5]) == (np.inf, -np.inf)
    assert np.isnan([ratings.elo[6], ratings.low[6], ratings.high[6]]).all()
    assert np.isinf(ratings.se[4:]).all()
    assert ratings.undefeated.tolist() == [False] * 4 + [True, False, False]
    assert ratings.winless.tolist() == [False] * 5 + [True, True]
    assert ratings.components.tolist() == [0, 0, 0, 0, 1, 2, 3]
    assert not ratings.connected
    np.testing.assert_array_equal(ratings.degrees_of_freedom[:4], alone.degrees_of_freedom)
    assert ratings.degrees_of_freedom[4:].tolist() == [0, 0, 0]
    freedom = ratings.difference_degrees_of_freedom()
    np.testing.assert_array_equal(freedom[:4, :4], alone.difference_degrees_of_freedom())
    assert not freedom[4:].any()
    assert not ratings.shared_blocks[4:].any()
    assert ratings.entry_blocks.tolist() == [60, 60, 60, 60, 31, 60, 3]


def test_differences_end_where_connection_ends() -> None:
    """Between components there is no number, and to a bound no error."""
    ratings = bradley_terry(with_outsiders()[1], 7)

    gap, error = ratings.difference(), ratings.difference_se()

    inner = np.ix_(range(4), range(4))
    np.testing.assert_array_equal(gap[inner], np.subtract.outer(ratings.elo, ratings.elo)[inner])
    assert np.isfinite(error[inner]).all()
    outer = ~np.eye(7, dtype=bool)
    outer[inner] = False
    assert np.isnan(gap[outer]).all()
    assert np.isinf(error[outer]).all()
    assert np.diag(gap).tolist() == np.diag(error).tolist() == [0.0] * 7


@pytest.mark.parametrize("seed", range(40))
def test_bounds_equal_a_slow_twin(seed: int) -> None:
    """Random sparse results: flags from chains of wins, bounds from choix on yielded counts."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 8))
    wins = np.triu(rng.integers(1, 6, (size, size)) * (rng.random((size, size)) < 0.4), 1)
    wins = (wins + np.triu(wins * (rng.random((size, size)) < 0.3), 1).T).astype(float)
    wins[0, 1] += 1
    wins = wins[np.ix_(*[rng.permutation(size)] * 2)]
    i, j = np.nonzero(np.triu(wins + wins.T))
    pairs = PairCounts(np.arange(i.size), i, j, (wins + wins.T)[i, j].astype(int), wins[i, j])

    ratings = bradley_terry(pairs, size, prior_sd=math.inf)

    above = reach(wins)
    same = (above & above.T) | np.eye(size, dtype=bool)
    group = max((set(np.flatnonzero(same[e])) for e in range(size)), key=len)  # the first of them
    if len(group) == 1:
        met = reach(wins + wins.T)
        groups = [set(np.flatnonzero(met[e])) for e in range(size)]
        part = group = max(groups, key=len)
        bound = [
            0 if e not in part else int(not wins[:, e].any()) - int(not wins[e].any())
            for e in range(size)
        ]
    else:
        some = min(group)
        part = set(np.flatnonzero(reach(wins + wins.T)[some]))
        bound = [int(above[e, some] and e not in group) for e in range(size)]
        bound = [b - int(above[some, e] and e not in group) for e, b in enumerate(bound)]
    assert ratings.bound.tolist() == bound
    known = sorted(part)
    refit = np.full(size, np.nan)
    moved = yielded(wins, same)[np.ix_(known, known)]
    refit[known] = choix.ilsr_pairwise_dense(moved, max_iter=100_000, tol=1e-13)
    expected = 1500 + ELO_PER_LOGIT * (refit - refit[sorted(group)].mean())
    bounded = ratings.bound != 0
    np.testing.assert_allclose(ratings.elo[bounded], expected[bounded], atol=1e-4)
    nowhere = [e for e in range(size) if e not in group and not bounded[e]]
    assert np.isnan(ratings.elo[nowhere]).all()
    assert ratings.elo[sorted(group)].mean() == pytest.approx(1500)
    assert_finite(ratings)


def test_a_strict_order_has_bounds_only_at_its_ends() -> None:
    """Nobody is connected: the first and the last get a bound, nobody gets an error."""
    rows = [(b, i, j, 1, 1.0) for b in range(12) for i in range(4) for j in range(i + 1, 4)]

    ratings = bradley_terry(from_wins(rows), 4)

    assert_finite(ratings)
    assert ratings.bound.tolist() == [1, 0, 0, -1]
    assert (np.diff(ratings.elo) < 0).all()
    assert ratings.elo.mean() == pytest.approx(1500)
    assert np.isinf(ratings.se).all()
    assert ratings.low.tolist()[1:] == [-np.inf] * 3
    assert ratings.high.tolist()[:3] == [np.inf] * 3
    assert np.isnan(ratings.difference()[~np.eye(4, dtype=bool)]).all()


def test_an_anchor_alone_is_the_reference_of_bounds() -> None:
    """An undefeated anchor stays at 1500 without error, and those below it get upper bounds."""
    ratings = bradley_terry(with_outsiders()[1], 7, anchor=4)

    assert_finite(ratings)
    assert (ratings.elo[4], ratings.se[4], ratings.low[4], ratings.high[4]) == (1500, 0, 1500, 1500)
    assert ratings.bound.tolist() == [-1, -1, -1, -1, 0, -1, -1]
    assert (ratings.elo[[0, 1, 2, 3, 5, 6]] < 1500).all()
    assert np.isinf(np.delete(ratings.se, 4)).all()


def test_the_group_of_the_anchor_is_the_main_group() -> None:
    """A smaller group counts when the anchor is in it; the larger one, never met, has no rating."""
    rows = [(b, 0, 1, 4, 1 + b % 3) for b in range(6)] + [(b, 1, 2, 4, 1 + b % 3) for b in range(6)]
    rows += [(b, 3, 4, 4, 1 + b % 2) for b in range(6)]

    plain, anchored = (bradley_terry(from_wins(rows), 5, anchor=a) for a in (None, 4))

    assert np.isnan(plain.elo).tolist() == [False, False, False, True, True]
    assert np.isnan(anchored.elo).tolist() == [True, True, True, False, False]
    assert (anchored.elo[4], anchored.se[4]) == (1500, 0)
    assert np.isfinite(anchored.se[3])
    assert np.isinf(anchored.difference_se()[0, 1])
    assert not plain.bound.any()
    assert not anchored.bound.any()


def test_disconnected_groups_are_flagged() -> None:
    """Two groups that never met: the first is rated as if alone, the other is not."""
    pairs = from_wins(
        [row for b in range(12) for row in [(b, 0, 2, 4, 1 + b % 3), (b, 1, 3, 4, 1 + b % 2)]]
    )

    ratings = bradley_terry(pairs, 4)

    assert_finite(ratings)
    assert not ratings.connected
    assert ratings.components.tolist() == [0, 1, 0, 1]
    assert not (ratings.undefeated | ratings.winless | ratings.unrated).any()
    assert np.isnan(ratings.elo[[1, 3]]).all()
    alone = bradley_terry(from_wins([(b, 0, 1, 4, 1 + b % 3) for b in range(12)]), 2)
    assert ratings.difference_se()[0, 2] == pytest.approx(alone.difference_se()[0, 1])
    np.testing.assert_allclose(ratings.elo[[0, 2]], alone.elo, rtol=1e-12)


def test_large_disconnected_groups_converge() -> None:
    """Only a weak prior holds groups together; rounding of huge counts does not stall the fit."""
    wins = np.zeros((10, 10))
    for i in (0, 1, 2, 3, 5, 6, 7, 8):
        wins[i, i + 1], wins[i + 1, i] = 14e10, 6e10

    theta, _ = maximize(wins, 0.17)

    gap = np.diff(theta)[[0, 1, 2, 3, 5, 6, 7, 8]]
    np.testing.assert_allclose(gap, -np.log(7 / 3), rtol=1e-6)
    np.testing.assert_allclose(theta.reshape(2, 5).mean(axis=1), 0, atol=3e-3)


def test_one_way_wins_do_not_connect() -> None:
    """A group that only ever loses to another is a component of its own, without flags."""
    rows = [(b, 0, 1, 4, 1 + b % 3) for b in range(6)] + [(b, 2, 3, 4, 1 + b % 3) for b in range(6)]
    rows += [(b, 1, 2, 1, 1) for b in range(6)]

    ratings = bradley_terry(from_wins(rows), 4)

    assert ratings.components.tolist() == [0, 0, 1, 1]
    assert not (ratings.undefeated | ratings.winless).any()


def test_unrated_entries_are_not_numbers(field: PairCounts) -> None:
    """An entry without a comparison has no rating, and does not move the others."""
    shifted = PairCounts(
        block=field.block, i=field.i + 1, j=field.j + 1, games=field.games, wins=field.wins
    )

    ratings = bradley_terry(shifted, 6)

    plain = bradley_terry(field, 4)
    assert_finite(ratings)
    assert ratings.unrated.tolist() == [True, False, False, False, False, True]
    assert np.isnan(ratings.elo[[0, 5]]).all()
    assert ratings.half_width[[0, 5]].tolist() == [np.inf, np.inf]
    assert ratings.components.tolist() == [-1, 0, 0, 0, 0, -1]
    assert ratings.connected
    assert not (ratings.undefeated | ratings.winless)[[0, 5]].any()
    np.testing.assert_allclose(ratings.elo[1:5], plain.elo, rtol=1e-12)
    np.testing.assert_allclose(ratings.se[1:5], plain.se, rtol=1e-9)


@pytest.mark.parametrize("anchor", [None, 1])
def test_one_block_bounds_nothing(anchor: int | None) -> None:
    """One block, or one game, gives ratings with infinite intervals."""
    for games in (1, 4):
        pairs = from_wins([(0, 0, 1, games, games / 2), (0, 1, 2, games, games / 2)])

        ratings = bradley_terry(pairs, 3, anchor=anchor)

        assert_finite(ratings)
        free = [e for e in range(3) if e != anchor]
        assert np.isinf(ratings.half_width[free]).all()
        assert anchor is None or ratings.half_width[anchor] == 0.0
        assert ratings.difference_se()[0, 2] == np.inf


def test_an_entry_in_a_single_block_has_no_bound(field: PairCounts) -> None:
    """Many blocks of others do not give an error to an entry that was there once."""
    once = from_wins([(0, 0, 4, 4, 2.5), (0, 1, 4, 4, 1.0)])
    pairs = concatenate([field, once])

    ratings = bradley_terry(pairs, 5)
    anchored = bradley_terry(pairs, 5, anchor=4)

    assert ratings.blocks == 80
    assert np.isinf(ratings.se).tolist() == [False] * 4 + [True]
    assert np.isinf(ratings.difference_se()[4, :4]).all()
    assert np.isinf(anchored.se).tolist() == [True] * 4 + [False]


def test_one_undefeated_game() -> None:
    """The smallest run of all, one game with a winner: at least, and at most, what a tie gives."""
    ratings = bradley_terry(placement_pairs([0, 0], [0, 0], [0, 1], [1, 2]), 2)

    assert_finite(ratings)
    assert ratings.undefeated.tolist() == [True, False]
    assert ratings.winless.tolist() == [False, True]
    assert ratings.elo.tolist() == [1500.0, 1500.0]
    assert ratings.bound.tolist() == [1, -1]
    assert ratings.low.tolist() == [1500.0, -np.inf]
    assert ratings.high.tolist() == [np.inf, 1500.0]


@pytest.mark.parametrize("prior_sd", [1000.0, math.inf])
def test_no_pairs_at_all(prior_sd: float) -> None:
    """Selfplay compares nobody: all unrated, nothing connected."""
    ratings = bradley_terry(concatenate([]), 3, prior_sd=prior_sd)

    assert np.isnan(ratings.elo).all()
    assert ratings.unrated.all()
    assert ratings.components.tolist() == [-1, -1, -1]
    assert not ratings.connected
    assert ratings.blocks == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"anchor": 4}, "anchor must be an entry with comparisons", id="range"),
        pytest.param({"anchor": -1}, "anchor must be an entry with comparisons", id="negative"),
        pytest.param({"anchor": 2}, "anchor must be an entry with comparisons", id="unrated"),
        pytest.param({"prior_sd": 0.0}, "prior_sd must be positive", id="prior"),
        pytest.param({"prior_sd": math.nan}, "prior_sd must be positive", id="prior-nan"),
        pytest.param({"confidence": 1.0}, "between 0 and 1", id="confidence"),
    ],
)
def test_refuses_what_has_no_answer(options: dict[str, Any], message: str) -> None:
    """Options without a meaning are errors that say why."""
    pairs = from_wins([(0, 0, 1, 4, 4), (1, 0, 1, 4, 4)])

    with pytest.raises(ValueError, match=message):
        bradley_terry(pairs, 3, **options)


def test_the_number_of_entries_is_known(field: PairCounts) -> None:
    """Pairs need it; a table has it, and does not take another."""
    table = Crosstable.from_pairs(field, 4)

    with pytest.raises(ValueError, match="entries must be given"):
        bradley_terry(field)
    with pytest.raises(ValueError, match="that of the table, 4, got 5"):
        bradley_terry(table, 5)
    assert bradley_terry(table, 4).elo.tolist() == bradley_terry(table).elo.tolist()


def test_refuses_pairs_outside_the_field(field: PairCounts) -> None:
    """Fewer entries than the pairs name is an error."""
    with pytest.raises(ValueError, match=r"entry must lie in 0\.\.2"):
        bradley_terry(field, 3)


def test_many_blocks_stay_sparse() -> None:
    """200,000 blocks and 400 entries, 640 MB as a table, are rated from sparse scores."""
    rng = np.random.default_rng(0)
    block = np.arange(200_000)
    i = rng.integers(0, 399, block.size)
    j = np.minimum(i + 1 + rng.integers(0, 399, block.size), 399)
    wins = rng.integers(0, 5, block.size).astype(float)

    ratings = bradley_terry(PairCounts(block, i, j, np.full(block.size, 4), wins), 400)

    assert_finite(ratings)
    assert ratings.connected
    assert ratings.entry_blocks.sum() == 400_000
