"""Looking at a running tournament: whether errors are small enough, or a test is decided."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Final

import numpy as np

from hearts_sim.stats import (
    Crosstable,
    PairCounts,
    RatioSums,
    SequentialTest,
    bradley_terry,
    concatenate,
    elo_to_score,
    placement_pairs,
)
from hearts_sim.tournament.counting.kept import KeptPart
from hearts_sim.tournament.counting.tally import GAME_COLUMNS, Columns
from hearts_sim.tournament.plan.stopping import Sprt, Target, Verdict

FEWEST_BLOCKS: Final = 20
"""Before every entry has so many, a run with a target goes on: its errors are too uncertain."""


class TargetDecider:
    """Applies a `Target`."""

    def __init__(self, target: Target, entries: int) -> None:
        self.target = target
        self.entries = entries
        self.points = RatioSums(entries)
        self.table = Crosstable.from_pairs(concatenate([]), entries)
        self.blocks = 0

    def add(self, part: KeptPart) -> None:
        """Take in the games of the next part."""
        tally = part.counts().tally
        if self.target.measure == "points":
            self.points.merge(tally.points)
        else:
            self.table += tally.table
        self.blocks += tally.blocks

    def look(self) -> Verdict:
        """Compare the widest interval with the target."""
        width, fewest = self._widest()
        target = self.target.halfwidth
        unit, digits = ("Elo", 1) if self.target.measure == "elo" else ("points per hand", 3)
        shown = "unknown" if math.isinf(width) else f"±{width:.{digits}f} {unit}"
        standing = f"widest interval {shown}, target ±{target:g}"
        return Verdict(
            standing,
            standing,
            fewest >= FEWEST_BLOCKS and width <= target,
            {
                "blocks": self.blocks,
                "fewest_blocks": fewest,
                "widest": width if math.isfinite(width) else None,
            },
        )

    def _widest(self) -> tuple[float, int]:
        """Half-width of the widest interval, and blocks of the entry that has fewest."""
        reference, confidence = self.target.reference, self.target.confidence
        if self.target.measure == "points":
            estimate = self.points.estimate(confidence)
            blocks = estimate.blocks
            widths = (
                estimate.half_width
                if reference is None
                else estimate.difference_half_width()[reference]
            )
        else:
            blocks = self.table.entry_blocks()
            anchor = None if reference is None or not blocks[reference] else reference
            widths = bradley_terry(self.table, anchor=anchor, confidence=confidence).half_width
        return float(np.max(np.nan_to_num(widths, nan=np.inf))), int(blocks.min())


def test_of(sprt: Sprt) -> SequentialTest:
    """The test of a rule, in the unit of `block_values`."""
    h0, h1 = sprt.h0, sprt.h1
    if sprt.measure == "elo":
        h0, h1 = elo_to_score(h0), elo_to_score(h1)
    return SequentialTest(h0, h1, sprt.alpha, sprt.beta)


class SprtDecider:
    """Applies an `Sprt`."""

    def __init__(self, sprt: Sprt, highest_wins: bool) -> None:
        self.sprt = sprt
        self.test = test_of(sprt)
        self.highest_wins = highest_wins
        self.values: list[np.ndarray[Any, Any]] = []

    def add(self, part: KeptPart) -> None:
        """Take in the games of the next part."""
        columns = part.rows("games", GAME_COLUMNS)
        self.values.append(block_values(columns, self.sprt.measure, self.highest_wins))

    def look(self) -> Verdict:
        """Say how the likelihood ratio stands."""
        look = self.test.look(np.concatenate(self.values) if self.values else np.zeros(0))
        first, second = self.sprt.names
        unit = "points per hand" if self.sprt.measure == "points" else "Elo"
        h0, h1 = f"{self.sprt.h0:+g}", f"{self.sprt.h1:+g}"
        said = {
            None: "undecided",
            "h1": f"{first} is ahead of {second} by {h1} {unit} (h1) rather than {h0} (h0)",
            "h0": f"{first} is ahead of {second} by {h0} {unit} (h0) rather than {h1} (h1)",
        }[look.decision]
        figures = dataclasses.asdict(look) | {
            key: None for key in ("mean", "se") if not math.isfinite(getattr(look, key))
        }
        standing = f"LLR {look.llr:+.2f} (h0 at {look.lower:.2f}, h1 at {look.upper:+.2f})"
        return Verdict(
            standing,
            f"{standing}: {said}",
            look.decision is not None,
            figures | {"measure": self.sprt.measure},
        )


def block_values(
    columns: Columns, measure: str, highest_wins: bool = False
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """One value per block of a duel: by how much entry 0 did better than entry 1.

    Parameters
    ----------
    columns : mapping of name to ndarray
        Rows of the games table.
    measure : {"points", "elo"}
        Points per hand of entry 1 less those of entry 0 (the other way round where the highest
        total wins), or entry 0's share of its comparisons with entry 1.

    Returns
    -------
    ndarray of float64
        In the order of the block numbers.
    """
    if measure == "elo":
        pairs = _pairs(columns)
        return pairs.wins / pairs.games
    block, entry = columns["block"].astype(np.int64), columns["strategy"].astype(np.int64)
    _, index = np.unique(block, return_inverse=True)
    cell = 2 * index + entry
    size = 2 * (int(index.max(initial=-1)) + 1)
    points = np.bincount(cell, columns["points"], size).reshape(-1, 2)
    hands = np.bincount(cell, columns["hands"], size).reshape(-1, 2)
    per_hand = points / hands
    gain = per_hand[:, 1] - per_hand[:, 0]
    return -gain if highest_wins else gain


def _pairs(columns: Columns) -> PairCounts:
    team = columns["team"] if (columns["team"] >= 0).any() else None
    return placement_pairs(
        columns["block"], columns["game"], columns["strategy"], columns["place"], team
    )
