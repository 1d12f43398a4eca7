"""Pieces of what is counted for the details, against counting one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hearts_sim.tournament.counting import totals, worst
from hearts_sim.tournament.counting.batches import BatchPoints
from hearts_sim.tournament.counting.tally import MOST_BATCHES, Tally
from hearts_sim.tournament.counting.totals import Totals


def rows_of(rng: np.random.Generator, rows: int, spread: int) -> tuple[Any, Any, Any]:
    """Entry, hand and total of some rows; the last entry has none."""
    return (
        rng.integers(0, 2, rows),
        rng.integers(0, 4, rows),
        rng.integers(-spread, 2 * spread, rows),
    )


@pytest.mark.parametrize(("spread", "width"), [(20, 1), (200, 16), (5000, 256)])
def test_totals(monkeypatch: pytest.MonkeyPatch, spread: int, width: int) -> None:
    """Quantiles are numpy's, to within a bin; parts in any order are the whole."""
    monkeypatch.setattr(totals, "MOST_CELLS", 3 * 5 * 64)
    rng = np.random.default_rng(4)
    rows = rows_of(rng, 900, spread)
    whole = Totals(3, 5)
    whole.add(*rows)
    assert whole.width == width
    for share in (0.0, 0.1, 0.37, 0.9, 1.0):
        found = whole.quantile(share)
        for entry in range(2):
            for hand in range(4):
                own = rows[2][(rows[0] == entry) & (rows[1] == hand)]
                # A total is no farther from the middle of its bin than half of it.
                assert abs(found[entry, hand] - np.quantile(own, share)) <= (width - 1) / 2 + 1e-9
        assert np.isnan(found[2]).all()
        assert np.isnan(found[:, 4]).all()
    pieces = np.array_split(rng.permutation(900), [3, 10, 200, 200])
    for order in (pieces, pieces[::-1]):
        merged = Totals(3, 5)
        for piece in order:
            part = Totals(3, 5)
            part.add(*(column[piece] for column in rows))
            before = part.games.copy()
            merged.merge(Totals.from_arrays(part.to_arrays()))
            merged.merge(Totals(3, 5))
            assert np.array_equal(part.games, before)
        assert (merged.width, merged.first) == (whole.width, whole.first)
        assert np.array_equal(merged.games, whole.games)


@pytest.mark.parametrize("highest_wins", [False, True])
@pytest.mark.parametrize("values", [1, 2, 30], ids=["all equal", "two values", "many values"])
def test_worst_hands(values: int, highest_wins: bool) -> None:
    """They are those that sorting all rows gives, in one piece or in two."""
    rng = np.random.default_rng(values)
    rows = 4000
    columns = {
        "strategy": rng.integers(0, 7, rows).astype(np.uint16),
        "points": rng.integers(0, values, rows).astype(np.int32),
        "block": np.repeat(np.arange(rows // 40), 40),
        "seating": np.tile(np.repeat([0, 1], 20), rows // 40),
        "game": np.repeat(np.arange(rows // 20), 20),
        "hand": np.tile(np.repeat(np.arange(1, 6), 4), rows // 20),
        "seat": np.tile(np.arange(4), rows // 4),
        "moon": rng.choice([0, 0, 1, -1], rows).astype(np.int8),
    }
    columns["moon"][:3] = 0
    # One is always better than the rest, so that its worst hands are far from theirs.
    columns["points"][columns["strategy"] == 3] += 500 if highest_wins else -500
    columns["strategy"][:3] = 8  # has three hands, and 7 none
    sign = 1 if highest_wins else -1
    own = columns["moon"] >= 0
    table = sorted(
        zip(*(columns[name][own].tolist() for name in worst.FIELDS), strict=True),
        key=lambda row: (row[0], sign * row[1], *row[2:4], *row[5:]),
    )
    wanted = [row for entry in range(9) for row in [r for r in table if r[0] == entry][:5]]
    found = worst.worst_hands(columns, 9, highest_wins=highest_wins)
    assert [tuple(row) for row in found.tolist()] == wanted
    parts = [
        worst.worst_hands(
            {name: it[half] for name, it in columns.items()}, 9, highest_wins=sign > 0
        )
        for half in (slice(rows // 2, None), slice(rows // 2))
    ]
    merged = worst.merged(*parts, highest_wins=highest_wins)
    assert np.array_equal(merged, found)


def test_points_by_batch() -> None:
    """Sums of neighbouring blocks, also where a batch is split over two parts."""
    rng = np.random.default_rng(2)
    block = np.sort(rng.integers(0, 50, 300))
    entry, points, hands = (rng.integers(0, most, 300) for most in (3, 90, 12))
    fine = [
        BatchPoints.of(*(it[part] for it in (block, entry, points, hands)), 4, 2)
        for part in (block >= 21, block < 21)
    ]
    found = BatchPoints.joined([part.coarser(4) for part in fine], 4)
    assert found.batch.tolist() == sorted(set((block // 8).tolist()))
    for at, batch in enumerate(found.batch):
        own = block // 8 == batch
        assert found.blocks[at] == len(set(block[own].tolist()))
        for number in range(4):
            chosen = own & (entry == number)
            assert found.points[at, number] == points[chosen].sum()
            assert found.hands[at, number] == hands[chosen].sum()
    assert BatchPoints.joined([], 4).points.shape == (0, 4)


def test_points_of_parts_that_did_not_know_the_run() -> None:
    """A part is counted in finer batches than a longer run has, and fits in when it is merged."""
    rng = np.random.default_rng(6)
    block = np.repeat(np.arange(3000), 4)
    rows = {
        "block": block,
        "game": block,
        "strategy": np.tile(np.arange(4), 3000),
        "team": np.full(len(block), -1),
        "points": rng.integers(0, 90, len(block)),
        "place": np.tile(np.arange(1.0, 5.0), 3000),
        "hands": np.repeat(rng.integers(1, 12, 3000), 4),
    }
    whole, merged = Tally(4, 3000), Tally(4, 3000)
    whole.add_games(rows)
    for first, stop in ((0, 9), (9, 1200), (1200, 3000)):
        part = Tally(4, stop)
        part.add_games({name: values[4 * first : 4 * stop] for name, values in rows.items()})
        merged.merge(Tally.from_arrays(part.to_arrays()))
    wanted = whole.batches.to_arrays()
    assert len(wanted["batch"]) == 750 <= MOST_BATCHES
    for name, sums in merged.batches.to_arrays().items():
        assert np.array_equal(sums, wanted[name]), name
