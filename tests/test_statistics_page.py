"""docs/statistics.md: it names everything, its links lead somewhere, and its figures are real."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import hearts_sim.stats
from hearts_sim.report.verdicts import PROVISIONAL_BLOCKS
from hearts_sim.stats import half_width
from hearts_sim.stats.sequential import MIN_BLOCKS
from hearts_sim.stats.superiority import LEAST_BLOCKS
from hearts_sim.tournament.plan.schedule import Schedule
from hearts_sim.tournament.run.deciding import FEWEST_BLOCKS

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "statistics.md").read_text(encoding="utf-8")
COVERAGE = (DOCS / "verification" / "coverage.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())
QUOTED = "".join(re.findall(r"<!-- coverage -->\n(.+?)<!-- end -->", PAGE, re.DOTALL))
ROWS = [line for line in QUOTED.splitlines() if line.startswith("|") and "--" not in line]


@pytest.mark.parametrize("name", hearts_sim.stats.__all__)
def test_every_public_name_is_there(name: str) -> None:
    """What can be imported from `hearts_sim.stats` is explained."""
    assert f"`{name}`" in PAGE


def test_links_resolve() -> None:
    """Every link leads to a file, or to a heading of the page."""
    headings = {f"#{title.lower()}" for title in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)}
    links = re.findall(r"\]\(([^)\s]+)\)", PAGE)
    assert len(links) >= 2
    for link in links:
        is_there = link in headings if link.startswith("#") else (DOCS / link).is_file()
        assert is_there or link.startswith("https://"), link


@pytest.mark.parametrize("row", ROWS)
def test_quoted_figures_are_those_of_the_simulations(row: str) -> None:
    """A quoted row, heads included, is the beginning of a row there."""
    beginnings = [line for line in COVERAGE.splitlines() if line.startswith(row.rstrip(" |"))]
    assert any(line[len(row.rstrip(" |")) :].startswith(" |") for line in beginnings)


def test_enough_is_quoted() -> None:
    """The marks are found."""
    assert len(ROWS) > 12


def test_tables_and_lines_are_well_formed() -> None:
    """Every row of a table has the cells of its head, and no line is too long."""
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1, table.splitlines()[0]
    assert max(map(len, PAGE.splitlines())) <= 110


def test_limits_are_those_of_the_code() -> None:
    """Numbers of blocks that the page gives in words."""
    assert PROVISIONAL_BLOCKS == LEAST_BLOCKS == 10
    assert "fewer than ten blocks" in FLAT
    assert f"never below {MIN_BLOCKS} blocks" in FLAT
    assert f"not end before each strategy has {FEWEST_BLOCKS} blocks" in FLAT


@pytest.mark.parametrize(
    ("kind", "entries", "said"),
    [("duel", 2, "in a duel"), ("table", 13, "with thirteen strategies")],
)
def test_looks_are_at_these_blocks(kind: str, entries: int, said: str) -> None:
    """The block numbers at which a run with a target may end."""
    words = re.search(rf"([\d, ]+) … {said}", FLAT)
    assert words is not None
    looks = [int(number) for number in re.findall(r"\d+", words[1])]
    assert len(looks) >= 3
    assert looks == looks_of(kind, entries, 200)[: len(looks)]


def looks_of(kind: str, entries: int, blocks: int) -> list[int]:
    """Block numbers of the looks of a run of four players, up to its last block."""
    parts = Schedule(kind, entries, 4, None, 1, budget_blocks=blocks).parts()
    return [part.blocks.stop for part in parts if part.even and part.blocks.stop >= FEWEST_BLOCKS]


def test_how_often_peeking_finds_a_difference() -> None:
    """Equals, looked at again and again until the 95 % interval leaves out 0."""
    values = np.random.default_rng(2026).normal(size=(10_000, 400))
    found = np.zeros(len(values), dtype=bool)
    for blocks in looks_of("duel", 2, 400):
        seen = values[:, :blocks]
        width = half_width(seen.std(axis=1, ddof=1) / np.sqrt(blocks), blocks - 1)
        found |= np.abs(seen.mean(axis=1)) > width
    assert f"in {100 * found.mean():.0f} of 100 runs" in FLAT


def test_gain_of_odds() -> None:
    """Odds of 100, 200 and 400 Elo, from their definition."""
    odds = [10 ** (elo / 400) for elo in (100, 200, 400)]
    assert f"odds of {odds[0]:.1f} to 1" in FLAT
    assert f"200 are {odds[1]:.1f} to 1, 400 are {odds[2]:.0f} to 1" in FLAT
