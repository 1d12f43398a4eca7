"""All comparisons of a run, counted once, in the form that ratings and their errors need."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints
from hearts_sim.stats.pairs import PairCounts, placement_pairs, starts_of_games

_COLUMNS = ("entries", "blocks", "line_up", "i", "j", "games", "wins", "squares")


@dataclass(frozen=True, eq=False)
class Crosstable:
    """Comparisons added up by line-up; does not grow once every line-up was seen.

    The line-up of a block is who was compared with whom, and how often. Blocks of one line-up have
    the same expected points, whatever the ratings, so that their number, their summed points and
    the summed squares of their points are all that an error clustered by block needs.

    Attributes
    ----------
    entries : int
        Number of entries, k.
    blocks : ndarray of int64, shape (c,)
        Number of blocks of each line-up.
    line_up : ndarray of int64, shape (n,)
        Line-up of each row, ascending; a row is a pair that is compared in it.
    i, j : ndarray of int64, shape (n,)
        The two entries, i < j.
    games : ndarray of int64, shape (n,)
        Number of comparisons of the pair in one block.
    wins : ndarray of float64, shape (n,)
        How many of them i won in all blocks of the line-up, a tie counting one half.
    squares : ndarray of float64, shape (k, k)
        Sum over blocks of the outer product of the block's points, a win of a comparison being a
        point. Exact below 2**51, as all counts here.
    by_game : Crosstable or None
        The same with every game as a block of its own, which tells what the blocks change.

    Notes
    -----
    Nothing in a table depends on the order in which blocks were counted or tables merged, not even
    in the last bit, as long as the counts are exact.
    """

    entries: int
    blocks: Ints
    line_up: Ints
    i: Ints
    j: Ints
    games: Ints
    wins: Floats
    squares: Floats
    by_game: "Crosstable | None" = None

    @classmethod
    def from_pairs(
        cls, pairs: PairCounts, entries: int, by_game: PairCounts | None = None
    ) -> "Crosstable":
        """Count the comparisons of whole blocks.

        Parameters
        ----------
        pairs : PairCounts
            Comparisons by block, in any order; rows of one block and pair are added up.
        entries : int
            Number of entries, k.
        by_game : PairCounts, optional
            The same comparisons with a number of its own for every game instead of the block.

        Raises
        ------
        ValueError
            A pair names an entry outside 0 .. k-1, or `by_game` has other comparisons.
        """
        _clusters.check_entries(pairs.j, entries)
        distinct, owner = _clusters.number_blocks(pairs.block)
        squares = _clusters.cross_products(
            np.concatenate((owner, owner)),
            np.concatenate((pairs.i, pairs.j)),
            np.concatenate((pairs.wins, pairs.games - pairs.wins)),
            distinct.size,
            entries,
        )
        key = owner * entries**2 + pairs.i * entries + pairs.j
        games, wins = pairs.games, pairs.wins
        if np.any(key[1:] <= key[:-1]):
            key, row = np.unique(key, return_inverse=True)
            games = _clusters.sums(row, games.astype(np.float64), key.size).astype(np.int64)
            wins = _clusters.sums(row, wins, key.size)
        owner, pair = np.divmod(key, entries**2)
        once = np.ones(distinct.size, dtype=np.int64)
        counted = None if by_game is None else cls.from_pairs(by_game, entries)
        table = cls._grouped(entries, owner, once, pair, games, wins, squares, counted)
        if counted is not None and not np.array_equal(table.win_matrix(), counted.win_matrix()):
            msg = "by_game must have the same comparisons as pairs, added up by game"
            raise ValueError(msg)
        return table

    @classmethod
    def from_placements(
        cls,
        block: ArrayLike,
        game: ArrayLike,
        entry: ArrayLike,
        place: ArrayLike,
        entries: int,
        team: ArrayLike | None = None,
    ) -> "Crosstable":
        """Count the comparisons of whole blocks, by block and by game.

        Parameters
        ----------
        block, game, entry, place, team
            A row per seat, as for `placement_pairs`.
        entries : int
            Number of entries, k.

        Raises
        ------
        ValueError
            As `placement_pairs`, or an entry is outside 0 .. k-1.
        """
        by_block = placement_pairs(block, game, entry, place, team)
        rows = np.zeros(np.size(game), dtype=np.int64)
        rows[starts_of_games(np.asarray(block), np.asarray(game))] = 1
        number = np.cumsum(rows)
        by_game = placement_pairs(number, number, entry, place, team)
        return cls.from_pairs(by_block, entries, by_game)

    def __add__(self, other: "Crosstable") -> "Crosstable":
        """Merge with a table of other blocks.

        A block must not be split over two tables: it would count as two, and what its games share
        would pass for agreement of independent observations. (`concatenate` the pairs instead.)

        Raises
        ------
        ValueError
            The tables have different numbers of entries.
        """
        if not isinstance(other, Crosstable):
            return NotImplemented
        if self.entries != other.entries:
            msg = f"tables must have the same entries, got {self.entries} and {other.entries}"
            raise ValueError(msg)
        by_game = None
        if self.by_game is not None and other.by_game is not None:
            by_game = self.by_game + other.by_game
        return self._grouped(
            self.entries,
            np.concatenate((self.line_up, other.line_up + self.blocks.size)),
            np.concatenate((self.blocks, other.blocks)),
            np.concatenate((self._pair(), other._pair())),
            np.concatenate((self.games, other.games)),
            np.concatenate((self.wins, other.wins)),
            self.squares + other.squares,
            by_game,
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The table as arrays by name, for `from_arrays`."""
        found = {name: np.asarray(getattr(self, name)) for name in _COLUMNS}
        if self.by_game is not None:
            of_games = self.by_game.to_arrays()
            found |= {f"by_game.{name}": value for name, value in of_games.items()}
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Crosstable":
        """The table that `to_arrays` gave as these.

        Raises
        ------
        KeyError
            One of the arrays is missing.
        """
        of_games = {
            name.removeprefix("by_game."): value
            for name, value in arrays.items()
            if name.startswith("by_game.")
        }
        columns: dict[str, Any] = {name: arrays[name] for name in _COLUMNS}
        columns["entries"] = int(columns["entries"])
        return cls(**columns, by_game=cls.from_arrays(of_games) if of_games else None)

    def win_matrix(self) -> Floats:
        """Add all blocks up.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Element (i, j) is how often i finished ahead of j, a tie counting one half for both.
        """
        scored = np.concatenate((self.wins, self.comparisons() - self.wins))
        cell = np.concatenate((self._pair(), self.j * self.entries + self.i))
        return _clusters.sums(cell, scored, self.entries**2).reshape(self.entries, self.entries)

    def comparisons(self) -> Ints:
        """Return the number of comparisons of each row in all blocks, shape (n,)."""
        number: Ints = np.multiply(self.blocks[self.line_up], self.games)
        return number

    def entry_blocks(self, rows: NDArray[np.bool_] | None = None) -> Ints:
        """Count the blocks in which each entry was compared.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,), optional
            Rows that count; all of them by default.

        Returns
        -------
        ndarray of int64, shape (k,)
        """
        return np.diagonal(self.shared_blocks(rows)).copy()

    def shared_blocks(self, rows: NDArray[np.bool_] | None = None) -> Ints:
        """Count the blocks in which both of two entries were compared, if not with each other.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,), optional
            Rows that count; all of them by default.

        Returns
        -------
        ndarray of int64, shape (k, k)
            Symmetric; the blocks of each entry on the diagonal.
        """
        kept = slice(None) if rows is None else rows
        line_up = np.concatenate((self.line_up[kept], self.line_up[kept]))
        entry = np.concatenate((self.i[kept], self.j[kept]))
        return _clusters.shared_blocks(
            line_up, entry, self.blocks.size, self.entries, number=self.blocks
        )

    def score_products(self, chance: Floats) -> Floats:
        """Sum over blocks of the outer product of the block's score.

        Parameters
        ----------
        chance : ndarray of float64, shape (n,)
            For each row, the probability with which i finishes ahead of j.

        Returns
        -------
        ndarray of float64, shape (k, k)
            ``sum_b u_b u_b'``, where component i of u_b is what entry i scored in its comparisons
            of block b, less what it was expected to.

        Notes
        -----
        The blocks of a line-up have one expectation. Their scores are therefore split into what
        they vary around their mean, which does not depend on `chance`, and the mean itself. When
        nothing varies the first part is exactly 0.
        """
        total = self.comparisons()
        spread = self.squares - self._products(self.wins, total - self.wins)
        residual = self.wins - total * chance
        return spread + self._products(residual, -residual)

    def _pair(self) -> Ints:
        return self.i * self.entries + self.j

    def _products(self, of_i: Floats, of_j: Floats) -> Floats:
        """Add values of rows up by line-up and entry; sum products of these sums / blocks."""
        product = _clusters.cross_products(
            np.concatenate((self.line_up, self.line_up)),
            np.concatenate((self.i, self.j)),
            np.concatenate((of_i, of_j)),
            self.blocks.size,
            self.entries,
            divisor=self.blocks.astype(np.float64),
        )
        halved: Floats = (product + product.T) / 2.0
        return halved

    @classmethod
    def _grouped(
        cls,
        entries: int,
        owner: Ints,
        blocks: Ints,
        pair: Ints,
        games: Ints,
        wins: Floats,
        squares: Floats,
        by_game: "Crosstable | None",
    ) -> "Crosstable":
        """Add up blocks, or groups of them, that have the same line-up.

        Rows are sorted by owner and pair; ``blocks[owner]`` is the number of blocks in the group.
        """
        line_up, starts, size = _line_ups(owner, pair, games)
        _, first = np.unique(line_up, return_index=True)
        rows_before = np.cumsum(size[first]) - size[first]
        row = np.repeat(rows_before[line_up] - starts, size) + np.arange(owner.size)
        rows = int(size[first].sum())
        of_line_up = np.zeros((3, rows), dtype=np.int64)
        of_line_up[:, row] = np.repeat(line_up, size), pair, games
        number = _clusters.sums(line_up, blocks.astype(np.float64), first.size)
        return cls(
            entries=entries,
            blocks=number.astype(np.int64),
            line_up=of_line_up[0],
            i=of_line_up[1] // entries,
            j=of_line_up[1] % entries,
            games=of_line_up[2],
            wins=_clusters.sums(row, wins, rows),
            squares=squares,
            by_game=by_game,
        )


def _line_ups(owner: Ints, pair: Ints, games: Ints) -> tuple[Ints, Ints, Ints]:
    """Number equal line-ups alike; return also the first row and the rows of each owner."""
    starts = _clusters.starts_of_runs(owner)
    size = np.diff(starts, append=owner.size).astype(np.int64)
    if not owner.size:
        return starts, starts, size
    row = np.arange(owner.size)
    for salt in count():  # the second turn is for the one case in 10**9 that two codes collide
        mixed = _mix(_mix(pair.astype(np.uint64) + np.uint64(salt)) + games.astype(np.uint64))
        code = np.add.reduceat(mixed, starts)
        _, first, line_up = np.unique(code, return_index=True, return_inverse=True)
        model = first[line_up]
        if not np.array_equal(size, size[model]):
            continue
        same = row + np.repeat(starts[model] - starts, size)
        if np.array_equal(pair, pair[same]) and np.array_equal(games, games[same]):
            break
    return line_up.astype(np.int64), starts, size


def _mix(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits, with the finalizer of SplitMix64.

    Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators", OOPSLA 2014.
    """
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
