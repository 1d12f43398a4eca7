"""Nominal 95 % intervals and sequential tests hold what they promise, and naive intervals do not.

`simulated` has the tournaments, `long_coverage` the long version of this.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))  # where the simulations are

from simulated import (
    Coverage,
    cover_elo,
    cover_points,
    decide,
    gamma_values,
    look_blocks,
    normal_values,
    share_values,
)

from hearts_sim.stats import SequentialTest

pytestmark = pytest.mark.filterwarnings("error")

REPLICATIONS = 400
PAGE = Path(__file__).parents[2] / "docs" / "verification" / "coverage.md"

SIZES = pytest.mark.parametrize(
    ("blocks", "entries"),
    [
        pytest.param(20, 4, id="20-blocks"),
        pytest.param(40, 4, id="40-blocks"),
        pytest.param(20, 8, id="each-entry-in-half-of-20"),
    ],
)


def check(cover: Coverage) -> None:
    """The honest interval is in the band of 94-96 %, the naive one is not.

    With three errors of the mean over so few replications as a margin, at most 3 points here.
    """
    error = cover.honest.std(ddof=1) / sqrt(REPLICATIONS)
    assert error < 0.01
    assert 0.94 - 3 * error <= cover.honest.mean() <= 0.96 + 3 * error
    assert cover.naive.mean() < 0.94 - 3 * error


@SIZES
def test_elo_intervals_cover(blocks: int, entries: int) -> None:
    for cover in cover_elo(blocks, entries, REPLICATIONS):
        check(cover)


@SIZES
def test_points_intervals_cover(blocks: int, entries: int) -> None:
    for cover in cover_points(blocks, entries, REPLICATIONS):
        check(cover)


@pytest.mark.parametrize(
    "draw", [normal_values, share_values, pytest.param(gamma_values(1.0), id="exponential")]
)
def test_sequential_test_errs_as_rarely_as_promised(draw) -> None:  # type: ignore[no-untyped-def]
    """Type I and II errors, with three errors of 2,000 replications as a margin.

    At least half of what is promised is used: bounds that are too wide cost blocks.
    """
    test = SequentialTest(0.0, 0.3, alpha=0.05, beta=0.1)
    at_h0, at_h1 = (decide(test, draw, mean, 2000, 1000, [5, 1]) for mean in (0.0, 0.3))

    for wrong, promised in ((at_h0.h1, test.alpha), (at_h1.h0, test.beta)):
        margin = 3 * sqrt(promised * (1 - promised) / 2000)
        assert promised / 2 - margin <= wrong <= promised + margin
    assert at_h0.undecided == at_h1.undecided == 0


def test_sequential_tests_run_side_by_side_are_the_real_one() -> None:
    """The simulation keeps sums only; this looks at the values themselves, one test at a time."""
    test = SequentialTest(0.0, 0.5, min_blocks=8)
    counts = {"h0": 0, "h1": 0, None: 0}
    blocks = 0
    for seed in range(150):
        rng = np.random.default_rng([seed])
        values = np.zeros(0)
        for now in look_blocks(60):
            values = np.append(values, normal_values(rng, 0.25, (1, now - values.size)))
            found = test.look(values)
            if found.decision:
                break
        counts[found.decision] += 1
        blocks += found.blocks

    ended = [decide(test, normal_values, 0.25, 1, 60, [seed]) for seed in range(150)]
    assert min(counts.values()) > 10
    assert counts["h0"] == sum(one.h0 for one in ended)
    assert counts["h1"] == sum(one.h1 for one in ended)
    assert blocks == sum(one.mean_blocks for one in ended)


def test_looks_get_rarer() -> None:
    looks = look_blocks(4000)
    assert looks[:10] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]
    assert {24, 56, 120, 248, 504, 1016} <= set(looks)
    steps = {after: later - after for after, later in pairwise(looks)}
    assert [steps[after] for after in (8, 22, 24, 52, 56, 112, 120)] == [2, 2, 4, 4, 8, 8, 16]
    assert looks[-1] == 4000


def tables() -> list[list[dict[str, str]]]:
    """Read the tables of the page, a dict for each row."""
    found: list[list[dict[str, str]]] = []
    header: list[str] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            header = []
        elif not header:
            header = [cell.strip() for cell in line.strip("|").split("|")]
            found.append([])
        elif not line.startswith("|--"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            # The error follows its figure under the same name each time: keep the first.
            row: dict[str, str] = {}
            for name, cell in zip(header, cells, strict=True):
                row.setdefault(name, cell)
            found[-1].append(row)
    return found


def share(cell: str) -> float:
    return float(cell.removesuffix("%")) / 100


def verdict(kept: bool, perhaps: bool) -> str:
    return "kept" if kept else "perhaps kept" if perhaps else "**missed**"


def test_page_has_every_interval_within_its_band() -> None:
    """32 kinds of interval, and 4 stops of which one is outside, by less than two errors."""
    intervals, stops = tables()[:2]
    sizes = {(row["interval of"], row["entries"], row["blocks"]) for row in intervals}
    assert len(sizes) == len(intervals) == 4 * 2 * 4
    assert len(stops) == 4

    for row in intervals:
        low, high = (0.93, 0.97) if row["blocks"] == "10" else (0.94, 0.96)
        assert share(row["error"]) < 0.003
        assert low <= share(row["coverage"]) <= high, row
        assert row["promise"].endswith(": kept")
        assert share(row["naive"]) < 0.85, row
    for row in stops:
        wide = row["half width"] in ("0.5", "75")
        low, high = (0.93, 0.97) if wide else (0.94, 0.96)
        found, margin = share(row["coverage"]), 2 * share(row["error"])
        perhaps = low - margin <= found <= high + margin
        assert row["promise"].endswith(f": {verdict(low <= found <= high, perhaps)}"), row
        assert perhaps, row
    assert sum("perhaps" in row["promise"] for row in stops) <= 1


def test_page_has_every_sequential_test_within_its_errors() -> None:
    """All but one with a long tail and few errors on the side without it, as the page says."""
    _, _, promised, tailed = tables()
    assert (len(promised), len(tailed)) == (2 * 3 * 2, 2 * 3 * 3)

    def errors(row: dict[str, str]) -> list[tuple[float, float]]:
        kinds = (("type I", "alpha"), ("type II", "beta"))
        return [(share(row[found]), float(row[error])) for found, error in kinds]

    for row in (*promised, *tailed):
        kept = all(found <= error for found, error in errors(row))
        perhaps = all(
            found <= error + 2 * sqrt(error * (1 - error) / 10_000) for found, error in errors(row)
        )
        assert row["promise"] == verdict(kept, perhaps)
        hard = (row["values"], row["effect"], row["beta"]) == ("gamma, skewness 2", "0.3", "0.01")
        assert (row["promise"] == "kept") != hard, row
