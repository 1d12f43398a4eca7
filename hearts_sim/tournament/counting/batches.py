"""Points by batch of blocks: how the estimates of a run came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class BatchPoints:
    """Sums over batches, which are blocks or neighbouring blocks joined.

    Attributes
    ----------
    batch : ndarray of int64, shape (n,)
        Number of each, ascending: its blocks divided by their number in a batch.
    blocks : ndarray of int64, shape (n,)
        Blocks that were counted in it.
    points, hands : ndarray of int64, shape (n, k)
        Of each entry.
    """

    batch: Ints
    blocks: Ints
    points: Ints
    hands: Ints

    @classmethod
    def of(
        cls, block: Ints, entry: Ints, points: Ints, hands: Ints, entries: int, size: int
    ) -> BatchPoints:
        """Count rows of games and seats, with `size` blocks to a batch."""
        batch, blocks = np.unique(np.unique(block) // size, return_counts=True)
        cell = np.searchsorted(batch, block // size) * entries + entry
        shape = len(batch), entries
        first, second = (
            np.bincount(cell, values, len(batch) * entries).astype(np.int64).reshape(shape)
            for values in (points, hands)
        )
        return cls(batch, blocks, first, second)

    @classmethod
    def joined(cls, parts: Sequence[BatchPoints], entries: int) -> BatchPoints:
        """Those of several parts, in any order; a batch may be split over some of them."""
        nothing = np.zeros(0, np.int64)
        none = cls.of(nothing, nothing, nothing, nothing, entries, 1)
        found = [
            np.concatenate([getattr(part, name) for part in (none, *parts)])
            for name in ("batch", "blocks", "points", "hands")
        ]
        return cls(*found)._added_up()

    def coarser(self, size: int) -> BatchPoints:
        """With `size` batches in one."""
        if size == 1:
            return self
        return BatchPoints(self.batch // size, self.blocks, self.points, self.hands)._added_up()

    def _added_up(self) -> BatchPoints:
        if np.all(self.batch[1:] > self.batch[:-1]):
            return self
        order = np.argsort(self.batch, kind="stable")
        batch = self.batch[order]
        starts = np.flatnonzero(np.diff(batch, prepend=batch[0] - 1))
        sums = (
            np.add.reduceat(values[order], starts, axis=0)
            for values in (self.blocks, self.points, self.hands)
        )
        return BatchPoints(batch[starts], *sums)

    def to_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """All sums as arrays by name, for `from_arrays`."""
        return dict(vars(self))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray[Any, Any]]) -> BatchPoints:
        """Sums as they were when `to_arrays` gave these."""
        return cls(**arrays)
