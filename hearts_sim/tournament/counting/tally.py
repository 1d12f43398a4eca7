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
    net_points,
)
from hearts_sim.tournament.counting.batches import BatchPoints

GAME_COLUMNS: Final = (
    "block", "game", "strategy", "team", "points", "place", "hands",
)  # fmt: skip
HAND_COLUMNS: Final = ("block", "game", "hand", "seat", "strategy", "points")

MOST_BATCHES: Final = 1000
"""Blocks are joined into at most so many batches for the bootstrap."""

_RATIOS: Final = ("points", "net", "game_points", "datum")

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
        Blocks of the run, to know how many of them make a batch: the lowest power of two that
        leaves no more than `MOST_BATCHES`, so that batches of a smaller run make up those of a
        larger one.

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
        self._batch = 1 << max(0, -(-blocks // MOST_BATCHES) - 1).bit_length()
        self._pairs: list[PairCounts] = []
        self._points: list[BatchPoints] = []

    def add_games(self, columns: Columns) -> None:
        """Add rows of the games table, whole blocks in the order of the log.

        Parameters
        ----------
        columns : mapping of name to ndarray
            Those of `GAME_COLUMNS`, as `numbers` gives them.
        """
        from hearts_sim.tournament.counting import game_sums  # compiled

        block, game = columns["block"].astype(np.int64), columns["game"].astype(np.int64)
        entry = columns["strategy"].astype(np.int64)
        points, hands = columns["points"].astype(np.int64), columns["hands"].astype(np.int64)
        team = columns["team"].astype(np.int64)
        partners = team if (team >= 0).any() else None
        net, weight = net_points(game, points, partners)
        ones = np.ones(len(block), np.int64)
        for name, total, count in (
            ("points", points, hands),
            ("game_points", points, ones),
            ("net", net, weight * hands),
        ):
            sums = game_sums.ratio_sums(block, game, entry, total, count, self.entries)
            getattr(self, name).merge(sums)
        by_block, by_game = (
            game_sums.pair_counts(cluster, game, entry, columns["place"], partners, self.entries)
            for cluster in (block, game)
        )
        self._pairs.append(_in_batches(by_block, self._batch, self.entries))
        batches = BatchPoints.of(block, entry, points, hands, self.entries, self._batch)
        self._points.append(batches)
        blocks = int(batches.blocks.sum())
        self.blocks += blocks
        self._add_table(Crosstable.from_pairs(by_block, self.entries, by_game), blocks)

    def _add_table(self, table: Crosstable, blocks: int) -> None:
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
        from hearts_sim.tournament.counting.datum import datum_sums  # compiled

        rows = (columns[name] for name in ("block", "game", "hand", "seat", "points"))
        first, beside, hands = datum_sums(*rows)
        self.datum.add(
            columns["block"][first].astype(np.int64),
            columns["strategy"][first].astype(np.int64),
            beside,
            hands,
            columns["game"][first].astype(np.int64),
        )

    def merge(self, other: Tally) -> None:
        """Add what was counted in other blocks of the same run.

        Parameters
        ----------
        other : Tally
            Its batches must not be larger than these, as when it was made for no more blocks.
        """
        for name in _RATIOS:
            getattr(self, name).merge(getattr(other, name))
        self.blocks += other.blocks
        joined = self._batch // other._batch
        self._pairs.append(_in_batches(other.pairs, joined, self.entries))
        self._points.append(other.batches.coarser(joined))
        self._add_table(other.table, other.blocks)

    def to_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """All sums as arrays by name, for `from_arrays`."""
        pairs = self.pairs
        found = {
            "numbers": np.array([self.entries, self.blocks, self._batch]),
            "pairs": np.stack((pairs.block, pairs.i, pairs.j, pairs.games)),
            "pairs.wins": pairs.wins,
        }
        groups = {name: getattr(self, name) for name in _RATIOS}
        groups |= {"table": self.table, "batches": self.batches}
        for name, sums in groups.items():
            found |= {f"{name}.{key}": value for key, value in sums.to_arrays().items()}
        return found

    @classmethod
    def from_arrays(cls, arrays: Columns) -> Tally:
        """Sums as they were when `to_arrays` gave these.

        Raises
        ------
        KeyError
            One of the arrays is missing.
        """
        entries, blocks, batch = arrays["numbers"].tolist()
        tally = cls(entries)
        tally.blocks, tally._batch = blocks, batch
        for name in _RATIOS:
            setattr(tally, name, RatioSums.from_arrays(below(name, arrays)))
        tally._tables = [(blocks, Crosstable.from_arrays(below("table", arrays)))]
        block, i, j, games = arrays["pairs"]
        tally._pairs = [PairCounts(block=block, i=i, j=j, games=games, wins=arrays["pairs.wins"])]
        tally._points = [BatchPoints.from_arrays(below("batches", arrays))]
        return tally

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

    @property
    def batches(self) -> BatchPoints:
        """Points and hands, by batch of blocks."""
        return BatchPoints.joined(self._points, self.entries)


def below(name: str, arrays: Columns) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of a group: those whose names begin with its name and a point, without these."""
    start = f"{name}."
    return {key[len(start) :]: value for key, value in arrays.items() if key.startswith(start)}


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
