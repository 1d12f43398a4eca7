"""Resampled rankings against a plain loop, and at the edges of what can be resampled."""

from typing import Any

import numpy as np
import pytest

from hearts_sim.stats import PairCounts, block_bootstrap, bradley_terry, concatenate
from hearts_sim.stats import bootstrap as module
from hearts_sim.stats._newton import ConvergenceError, maximize, maximize_many
from hearts_sim.stats.bradley_terry import ELO_PER_LOGIT

pytestmark = pytest.mark.filterwarnings("error")

PRIOR = ELO_PER_LOGIT / 1000.0


def duels(blocks: int, entries: int, seed: int = 0, spread: float = 0.6) -> PairCounts:
    """Play four games of every pair in each block; the stronger entries have higher numbers."""
    rng = np.random.default_rng(seed)
    i, j = np.triu_indices(entries, 1)
    strength = np.linspace(-spread, spread, entries)
    chance = 1 / (1 + np.exp(strength[j] - strength[i]))
    wins = rng.binomial(8, chance, (blocks, i.size)) / 2
    return PairCounts(
        np.repeat(np.arange(blocks), i.size),
        np.tile(i, blocks),
        np.tile(j, blocks),
        np.full(wins.size, 4),
        wins.ravel(),
    )


def resampled(pairs: PairCounts, weight: np.ndarray) -> PairCounts:
    """Repeat each block as often as it was drawn, under new numbers."""
    parts = []
    for block, times in zip(np.unique(pairs.block), weight, strict=True):
        rows = pairs.block == block
        for _ in range(times):
            parts.append(
                PairCounts(
                    np.full(rows.sum(), len(parts)),
                    pairs.i[rows],
                    pairs.j[rows],
                    pairs.games[rows],
                    pairs.wins[rows],
                )
            )
    return concatenate(parts)


def test_equals_a_plain_loop() -> None:
    """The same draws, made block by block and rated one by one, give the same shares and ranks."""
    pairs, entries, draws = duels(15, 5, spread=0.2), 5, 60

    found = block_bootstrap(pairs, entries, draws=draws, seed=7, confidence=0.8)

    rng = np.random.default_rng(7)
    at_least, at_most, first = [], [], np.zeros(entries)
    for _ in range(draws):
        weight = rng.multinomial(15, np.full(15, 1 / 15))
        ratings = bradley_terry(resampled(pairs, weight), entries)
        assert ratings.connected
        elo = np.round(ratings.elo, 6)
        at_least.append([1 + sum(elo > own) for own in elo])
        at_most.append([sum(elo >= own) for own in elo])
        first += (elo == elo.max()) / sum(elo == elo.max())
    np.testing.assert_allclose(found.best, first / draws)
    # A tenth of 60 draws is there or below.
    assert found.rank_low.tolist() == np.sort(at_least, axis=0)[5].tolist()
    assert found.rank_high.tolist() == np.sort(at_most, axis=0)[53].tolist()
    assert 0 < found.best.max() < 1
    assert (found.draws, found.observations, found.confidence) == (draws, 15, 0.8)


def test_many_fits_equal_one_by_one() -> None:
    """Every table of a batch has the maximum that it has alone, the odd ones included."""
    rng = np.random.default_rng(1)
    wins = rng.integers(0, 9, (40, 6, 6)).astype(float)
    wins[1, 2, :], wins[1, :, 2] = 5, 0  # undefeated
    wins[2, 3, :], wins[2, :, 3] = 0, 0  # absent
    wins[3] *= 1e6
    wins[4] = np.diag(np.full(5, 1e4), 1)  # a strict order
    wins[:, np.arange(6), np.arange(6)] = 0

    found = maximize_many(wins, PRIOR, rng.normal(0, 1, 6))

    for table, theta in zip(wins, found, strict=True):
        np.testing.assert_allclose(theta, maximize(table, PRIOR)[0], atol=1e-6)
    ratings = bradley_terry(
        PairCounts(*(np.array(c) for c in zip(*edges(wins[0]), strict=True))), 6
    )
    np.testing.assert_allclose(found[0] * ELO_PER_LOGIT, ratings.elo - 1500, atol=1e-6)


def edges(wins: np.ndarray) -> list[tuple[int, int, int, int, float]]:
    """Rows of pairs from a win matrix."""
    games = (wins + wins.T).astype(int)
    size = len(wins)
    return [
        (0, i, j, int(games[i, j]), float(wins[i, j]))
        for i in range(size)
        for j in range(i + 1, size)
        if games[i, j]
    ]


def test_failure_to_converge_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too few steps never end in a number."""
    monkeypatch.setitem(maximize_many.__globals__, "_MAX_STEPS", 1)

    with pytest.raises(ConvergenceError, match="after 1 iterations"):
        maximize_many(np.array([[[0.0, 9.0], [1.0, 0.0]]]), PRIOR, np.zeros(2))


def test_chunks_of_draws_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little memory there is, the draws and their fits are the same."""
    pairs = duels(20, 6)
    plain = block_bootstrap(pairs, 6, draws=50)
    monkeypatch.setattr(module, "_MEMORY", 20_000)  # six draws at a time

    small = block_bootstrap(pairs, 6, draws=50)

    np.testing.assert_array_equal(small.best, plain.best)
    np.testing.assert_array_equal(small.rank_low, plain.rank_low)
    np.testing.assert_array_equal(small.rank_high, plain.rank_high)


def test_neighbouring_blocks_are_joined_into_batches() -> None:
    """More blocks than batches: as if each run of neighbours had been one block."""
    pairs = duels(120, 4, spread=0.1)
    joined = PairCounts(pairs.block // 10, pairs.i, pairs.j, pairs.games, pairs.wins)

    found = block_bootstrap(pairs, 4, draws=200, batches=12)

    assert found.observations == 12
    by_hand = block_bootstrap(joined, 4, draws=200)
    np.testing.assert_array_equal(found.best, by_hand.best)
    np.testing.assert_array_equal(found.rank_high, by_hand.rank_high)
    uneven = block_bootstrap(duels(125, 4, spread=0.1), 4, draws=20, batches=12)
    assert uneven.observations == 12


def test_batches_and_blocks_agree() -> None:
    """Batches are as independent as blocks: 40 of them tell nearly what 2,000 blocks tell."""
    pairs = duels(2000, 3, spread=0.004)

    coarse = block_bootstrap(pairs, 3, draws=4000, batches=40)
    fine = block_bootstrap(pairs, 3, draws=4000, batches=2000)

    assert 0.1 < fine.best.max() < 0.95
    np.testing.assert_allclose(coarse.best, fine.best, atol=0.12)


def test_order_and_names_of_blocks_do_not_matter() -> None:
    """Shuffled rows are the same blocks; equal seeds give equal draws, other seeds others."""
    pairs = duels(30, 4, spread=0.1)
    order = np.random.default_rng(0).permutation(pairs.i.size)
    shuffled = PairCounts(
        3 * pairs.block[order] - 7,
        *(getattr(pairs, name)[order] for name in ("i", "j", "games", "wins")),
    )

    plain, same, other = (
        block_bootstrap(rows, 4, draws=300, seed=seed)
        for rows, seed in ((pairs, 1), (shuffled, 1), (pairs, 2))
    )

    np.testing.assert_array_equal(plain.best, same.best)
    assert plain.best.sum() == pytest.approx(1)
    assert (plain.best != other.best).any()


def test_unrated_entries_have_no_rank() -> None:
    """Entries without a comparison get 0, and the others what they get without them."""
    pairs = duels(30, 3, spread=0.1)
    shifted = PairCounts(pairs.block, 2 * pairs.i, 2 * pairs.j, pairs.games, pairs.wins)

    found, plain = block_bootstrap(shifted, 6, draws=200), block_bootstrap(pairs, 3, draws=200)

    for name in ("best", "rank_low", "rank_high"):
        np.testing.assert_array_equal(getattr(found, name)[::2], getattr(plain, name))
        assert not getattr(found, name)[1::2].any()


def test_level_entries_share_first_place() -> None:
    """All tied: equal shares, and every rank is possible."""
    rows = duels(12, 4)
    tied = PairCounts(rows.block, rows.i, rows.j, rows.games, rows.games / 2)

    found = block_bootstrap(tied, 4, draws=20)

    assert found.best.tolist() == [0.25] * 4
    assert found.rank_low.tolist() == [1] * 4
    assert found.rank_high.tolist() == [4] * 4


def test_undefeated_and_winless_entries_hold_their_ranks() -> None:
    """Who always won is first in every draw, who always lost is last; one game each is enough."""
    block = np.arange(10).repeat(3)
    i, j = np.tile([0, 0, 1], 10), np.tile([1, 2, 2], 10)

    found = block_bootstrap(PairCounts(block, i, j, np.ones(30, int), np.ones(30)), 3, draws=50)

    assert found.best.tolist() == [1.0, 0.0, 0.0]
    assert found.rank_low.tolist() == found.rank_high.tolist() == [1, 2, 3]


def test_groups_that_never_met_are_finite() -> None:
    """The prior puts both groups around the same mean; nothing fails."""
    block = np.arange(10).repeat(2)
    i, j = np.tile([0, 2], 10), np.tile([1, 3], 10)
    wins = np.random.default_rng(0).integers(0, 5, 20).astype(float)

    found = block_bootstrap(PairCounts(block, i, j, np.full(20, 4), wins), 4, draws=50)

    assert found.best.sum() == pytest.approx(1)
    assert (found.rank_low <= found.rank_high).all()


def test_one_block_says_nothing() -> None:
    """A single block, however many games, leaves every rank open."""
    pairs = PairCounts(*(np.array([value]) for value in (5, 0, 2, 400, 300.0)))

    found = block_bootstrap(pairs, 4, draws=10)

    assert np.isnan(found.best).tolist() == [True, False, True, False]
    assert found.rank_low.tolist() == [1, 0, 1, 0]
    assert found.rank_high.tolist() == [2, 0, 2, 0]
    assert found.observations == 1


def test_nobody_compared() -> None:
    """No comparisons, no ranks."""
    found = block_bootstrap(concatenate([]), 3)

    assert found.best.tolist() == [0.0] * 3
    assert found.rank_high.tolist() == [0] * 3
    assert found.observations == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"draws": 0}, "draws and batches must be at least 1", id="draws"),
        pytest.param({"batches": 0}, "draws and batches must be at least 1", id="batches"),
        pytest.param({"prior_sd": np.inf}, "prior_sd must be above 0", id="no-prior"),
        pytest.param({"prior_sd": 0.0}, "prior_sd must be above 0", id="prior"),
        pytest.param({"confidence": 0.0}, "between 0 and 1", id="confidence"),
        pytest.param({"entries": 2}, r"entry must lie in 0\.\.1", id="entries"),
    ],
)
def test_refuses_what_has_no_answer(options: dict[str, Any], message: str) -> None:
    """Options without a meaning are errors that say why."""
    with pytest.raises(ValueError, match=message):
        block_bootstrap(duels(3, 3), **{"entries": 3} | options)
