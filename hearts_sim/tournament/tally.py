"""What estimates are made from, counted once, part by part of a run's log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from hearts_sim.stats import (
    Crosstable,
    PairCounts,
    RatioSums,
    concatenate,
    datum_points,
    net_points,
    placement_pairs,
)

GAME_COLUMNS: Final = (
    "block", "game", "strategy", "team", "points", "place", "hands",
)  # fmt: skip
HAND_COLUMNS: Final = ("block", "game", "hand", "seat", "strategy", "points")

MOST_BATCHES: Final = 1000
"""Blocks are joined into at most so many batches for the bootstrap."""

Columns = Mapping[str, np.ndarray[Any, Any]]


def numbers(part: Any) -> dict[str, np.ndarray[Any, Any]]:
    """Columns of an Arrow table as arrays; of a text column, the codes."""
    import pyarrow as pa

    found = {}
    for name in part.column_names:
        combined = part[name].combine_chunks()
        if isinstance(combined, pa.ChunkedArray):
            combined = pa.concat_arrays(combined.chunks)
        if pa.types.is_dictionary(combined.type):
            combined = combined.indices
        found[name] = combined.to_numpy(zero_copy_only=False)
    return found


class Tally:
    """Sums over whole blocks of a run, whose size does not grow with its games.

    Parameters
    ----------
    entries : int
    blocks : int
        Blocks of the run, to know how many of them make a batch.

    Attributes
    ----------
    points, net : RatioSums
        Points per hand, and points less the mean of the other sides at the table.
    game_points : RatioSums
        Points per game.
    datum : RatioSums
        Points per hand less the datum, the mean of all who held the same seat on the same deal.
        Empty without the log of hands.
    blocks : int
        Blocks counted.
    """

    def __init__(self, entries: int, blocks: int = 1) -> None:
        self.entries = entries
        self.points = RatioSums(entries)
        self.net = RatioSums(entries)
        self.game_points = RatioSums(entries)
        self.datum = RatioSums(entries)
        self.blocks = 0
        self._tables: list[tuple[int, Crosstable]] = []
        self._batch = max(1, -(-blocks // MOST_BATCHES))
        self._pairs: list[PairCounts] = []

    def add_games(self, columns: Columns) -> None:
        """Add rows of the games table, whole blocks in the order of the log.

        Parameters
        ----------
        columns : mapping of name to ndarray
            Those of `GAME_COLUMNS`, as `numbers` gives them.
        """
        block, game = columns["block"].astype(np.int64), columns["game"].astype(np.int64)
        entry = columns["strategy"].astype(np.int64)
        points, hands = columns["points"].astype(np.int64), columns["hands"].astype(np.int64)
        team = columns["team"].astype(np.int64)
        self.points.add(block, entry, points, hands, game)
        self.game_points.add(block, entry, points, np.ones(len(block), np.int64), game)
        net, weight = net_points(game, points, team)
        self.net.add(block, entry, net, weight * hands, game)
        partners = team if (team >= 0).any() else None
        place = columns["place"]
        by_block = placement_pairs(block, game, entry, place, partners)
        by_game = placement_pairs(game, game, entry, place, partners)
        self._pairs.append(_in_batches(by_block, self._batch, self.entries))
        blocks = len(np.unique(block))
        self.blocks += blocks
        table = Crosstable.from_pairs(by_block, self.entries, by_game)
        # Like is merged with like, so that no block is merged more often than log2 of their number.
        while self._tables and self._tables[-1][0] <= blocks:
            number, other = self._tables.pop()
            blocks, table = blocks + number, other + table
        self._tables.append((blocks, table))

    def add_hands(self, columns: Columns) -> None:
        """Add rows of the hands table, whole blocks in the order of the log.

        Parameters
        ----------
        columns : mapping of name to ndarray
            Those of `HAND_COLUMNS`, as `numbers` gives them.
        """
        block, game = columns["block"].astype(np.int64), columns["game"].astype(np.int64)
        hand = columns["hand"].astype(np.int64)
        deal = block * (int(hand.max(initial=0)) + 1) + hand
        beside = datum_points(deal, columns["seat"], columns["points"].astype(np.float64))
        # Hands of a game and seat are added up first: rows of a game follow each other.
        seats = int(columns["seat"].max(initial=0)) + 1
        number = np.cumsum(np.concatenate(([0], game[1:] != game[:-1])))
        cell = number * seats + columns["seat"]
        first = np.zeros(int(cell.max(initial=-1)) + 1, np.int64)
        first[cell[::-1]] = np.arange(len(cell))[::-1]
        self.datum.add(
            block[first],
            columns["strategy"].astype(np.int64)[first],
            np.bincount(cell, beside),
            np.bincount(cell),
            game[first],
        )

    @property
    def table(self) -> Crosstable:
        """Comparisons of places."""
        merged = Crosstable.from_pairs(concatenate([]), self.entries)
        for place, (_, table) in enumerate(reversed(self._tables)):
            merged = table if place == 0 else table + merged
        return merged

    @property
    def pairs(self) -> PairCounts:
        """Comparisons of places, by batch of blocks."""
        return concatenate(self._pairs)


def _in_batches(pairs: PairCounts, size: int, entries: int) -> PairCounts:
    """The comparisons of neighbouring blocks added up; a batch takes the number of the block."""
    if size == 1:
        return pairs
    batch = pairs.block // size
    key = (batch * entries + pairs.i) * entries + pairs.j
    _, first, row = np.unique(key, return_index=True, return_inverse=True)
    return PairCounts(
        block=batch[first],
        i=pairs.i[first],
        j=pairs.j[first],
        games=np.bincount(row, pairs.games).astype(np.int64),
        wins=np.bincount(row, pairs.wins).astype(np.float64),
    )
