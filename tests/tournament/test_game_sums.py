"""Sums over games against the statistics that they stand for, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from hearts_sim.stats import PairCounts, RatioSums, placement_pairs
from hearts_sim.tournament.counting.game_sums import pair_counts, ratio_sums

ENTRIES = 5


def rows(seed: int, teams: bool = False) -> dict[str, np.ndarray]:
    """Games of four in the order of the log; the same entry may sit twice in one."""
    rng = np.random.default_rng(seed)
    games = np.repeat(np.arange(7, 20), rng.integers(1, 5, 13))
    place = rng.permuted(np.tile([1.0, 2.5, 2.5, 4.0], (len(games), 1)), axis=1)
    return {
        "block": np.repeat(games, 4),
        "game": np.repeat(np.arange(len(games)) + 100, 4),
        "entry": rng.integers(0, ENTRIES, 4 * len(games)),
        "place": place.ravel().astype(np.float32),
        "team": np.tile([0, 1, 0, 1] if teams else [-1, -1, -1, -1], len(games)),
        "total": rng.integers(-30, 110, 4 * len(games)),
        "count": np.repeat(rng.integers(1, 12, len(games)), 4),
    }


def ratios(r: dict[str, np.ndarray]) -> tuple[RatioSums, RatioSums]:
    given = [r[name] for name in ("block", "game", "entry", "total", "count")]
    wanted = RatioSums(ENTRIES)
    wanted.add(given[0], given[2], given[3], given[4], given[1])
    return ratio_sums(*given, ENTRIES), wanted


def alike(one: RatioSums, other: RatioSums) -> None:
    found, wanted = one.to_arrays(), other.to_arrays()
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        assert found[name].dtype == array.dtype, name
        assert found[name].tobytes() == array.tobytes(), name


@pytest.mark.parametrize("seed", range(4))
def test_ratios(seed: int) -> None:
    """Points by hands of whole blocks, also where nobody played a hand for them."""
    r = rows(seed)
    if seed % 2:
        none = r["game"] == r["game"][0]
        r["count"][none] = 0
        r["total"][none] = 0
    alike(*ratios(r))


def test_rows_that_the_statistics_count_themselves() -> None:
    """Sums that would be rounded, another order, no rows, and points without a hand."""
    large, mixed = rows(1), rows(2)
    large["total"] = large["total"] * 2**40
    alike(*ratios(large))
    order = np.random.default_rng(1).permutation(len(mixed["game"]))
    alike(*ratios({name: column[order] for name, column in mixed.items()}))
    alike(*ratios({name: column[:0] for name, column in mixed.items()}))
    mixed["count"][:4] = 0
    mixed["total"][:4] = 1
    with pytest.raises(ValueError, match="count is 0"):
        ratios(mixed)


@pytest.mark.parametrize("teams", [False, True])
@pytest.mark.parametrize("cluster", ["block", "game"])
@pytest.mark.parametrize("seed", range(3))
def test_pairs(seed: int, cluster: str, teams: bool) -> None:
    """Who finished ahead of whom, by block and by game."""
    r = rows(seed, teams)
    team = r["team"] if teams else None
    found = pair_counts(r[cluster], r["game"], r["entry"], r["place"], team, ENTRIES)
    same(found, placement_pairs(r[cluster], r["game"], r["entry"], r["place"], team))


def test_pairs_that_the_statistics_count_themselves() -> None:
    """Another order of the games, no games, and a game with a seat too few."""
    r = rows(5)
    columns = [r[name].reshape(-1, 4)[::-1].ravel() for name in ("block", "game", "entry", "place")]
    same(pair_counts(*columns, None, ENTRIES), placement_pairs(*columns))
    none = [column[:0] for column in columns]
    same(pair_counts(*none, None, ENTRIES), placement_pairs(*none))
    with pytest.raises(ValueError, match="same number"):
        pair_counts(*(column[1:] for column in columns), None, ENTRIES)


def same(found: PairCounts, wanted: PairCounts) -> None:
    for name in ("block", "i", "j", "games", "wins"):
        one, other = getattr(found, name), getattr(wanted, name)
        assert one.dtype == other.dtype, name
        assert np.array_equal(one, other), name
