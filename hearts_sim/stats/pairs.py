"""From placements to comparisons of two: who finished ahead of whom, added up by block."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Comparisons of entries i < j, one row per block and pair.

    Attributes
    ----------
    block : ndarray of int64, shape (n,)
        Block in which the comparisons were made.
    i, j : ndarray of int64, shape (n,)
        The two entries, i < j.
    games : ndarray of int64, shape (n,)
        Number of comparisons.
    wins : ndarray of float64, shape (n,)
        How many of them i won, a tie counting one half.

    Raises
    ------
    ValueError
        Columns of unequal length or wrong type, i >= j, a negative entry, no comparisons in a
        row, or wins outside 0 .. games.
    """

    block: Ints
    i: Ints
    j: Ints
    games: Ints
    wins: Floats

    def __post_init__(self) -> None:
        """Check the columns."""
        block = _clusters.integers("block", self.block)
        i, j, games = (
            _clusters.integers(name, getattr(self, name), block.size)
            for name in ("i", "j", "games")
        )
        wins = _clusters.finite_floats("wins", self.wins, block.size)
        if np.any((i < 0) | (i >= j)):
            msg = "pairs must have 0 <= i < j"
            raise ValueError(msg)
        if np.any((games < 1) | (wins < 0) | (wins > games)):
            msg = "pairs must have at least one game, and wins between 0 and games"
            raise ValueError(msg)
        columns = {"block": block, "i": i, "j": j, "games": games, "wins": wins}
        for name, column in columns.items():
            object.__setattr__(self, name, column)

    def win_matrix(self, entries: int) -> Floats:
        """Add all blocks up.

        Parameters
        ----------
        entries : int
            Number of entries, k.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Element (i, j) is how often i finished ahead of j, a tie counting one half for both.

        Raises
        ------
        ValueError
            A pair names an entry outside 0 .. k-1.
        """
        _clusters.check_entries(self.j, entries)
        scored = np.concatenate((self.wins, self.games - self.wins))
        cell = np.concatenate((self.i * entries + self.j, self.j * entries + self.i))
        return _clusters.sums(cell, scored, entries**2).reshape(entries, entries)


def placement_pairs(
    block: ArrayLike,
    game: ArrayLike,
    entry: ArrayLike,
    place: ArrayLike,
    team: ArrayLike | None = None,
) -> PairCounts:
    """Break every game's placements into comparisons of two seats, added up by block.

    Seats of the same entry or of the same team are not compared.

    Parameters
    ----------
    block : array_like of int, shape (n,)
        Block of each row; a row is one seat of one game.
    game : array_like of int, shape (n,)
        Game of each row, numbered uniquely within its block. The rows of a game are contiguous,
        and every game has the same number of them.
    entry : array_like of int, shape (n,)
        Entry in that seat, from 0 up.
    place : array_like, shape (n,)
        Final place, lower is better; equal places are a tie.
    team : array_like of int, shape (n,), optional
        Team of the seat, negative for none.

    Returns
    -------
    PairCounts
        Sorted by block, then i, then j. Blocks without a comparison do not appear.

    Raises
    ------
    ValueError
        Columns of unequal length or wrong type, a negative or absurdly large entry, a place that
        is not finite, games of different size, scattered over the rows or over several blocks.

    Notes
    -----
    The comparisons of one game are not independent; counting them as if they were makes intervals
    too short. That is why they stay apart by block.

    References
    ----------
    Turner, van Etten, Firth and Kosmidis (2020), "Modelling rankings in R: the PlackettLuce
    package", Computational Statistics 35, 1027-1057 (breaking rankings into pairs).
    """
    blocks_of_rows = _clusters.integers("block", block)
    rows = blocks_of_rows.size
    game_of_rows = _clusters.integers("game", game, rows)
    entry_of_rows = _clusters.integers("entry", entry, rows)
    place_of_rows = _clusters.finite_floats("place", place, rows)
    team_of_rows = None if team is None else _clusters.integers("team", team, rows)
    if not rows:
        return concatenate([])
    if entry_of_rows.min() < 0:
        msg = f"entry must not be negative, got {entry_of_rows.min()}"
        raise ValueError(msg)

    seats = _seats_per_game(blocks_of_rows, game_of_rows)
    distinct, index = _clusters.number_blocks(blocks_of_rows[::seats])
    entry_at = entry_of_rows.reshape(-1, seats).T
    place_at = place_of_rows.reshape(-1, seats).T
    team_at = None if team_of_rows is None else team_of_rows.reshape(-1, seats).T
    entries = int(entry_of_rows.max()) + 1

    if 3 * entries**2 * distinct.size >= 2**63:
        msg = f"entry {entries - 1} is too large: number the entries from 0"
        raise ValueError(msg)

    # One number per comparison holds block, pair and result: a plain sort then does the grouping.
    keys = []
    for one, other in combinations(range(seats), 2):
        a, b = entry_at[one], entry_at[other]
        compared = a != b
        if team_at is not None:
            compared &= (team_at[one] != team_at[other]) | (team_at[one] < 0)
        sign = np.sign(place_at[other] - place_at[one]).astype(np.int64)
        halves = 1 + np.where(a < b, sign, -sign)
        pair = np.minimum(a, b) * entries + np.maximum(a, b)
        keys.append(((index * entries**2 + pair) * 3 + halves)[compared])
    key = np.sort(np.concatenate(keys)) if keys else np.zeros(0, dtype=np.int64)

    starts = _clusters.starts_of_runs(key)
    times = np.diff(starts, append=key.size)
    group, halves = np.divmod(key[starts], 3)
    first = _clusters.starts_of_runs(group)
    games = np.add.reduceat(times, first) if first.size else times
    wins = (np.add.reduceat(times * halves, first) if first.size else times) / 2.0
    of_block, pair = np.divmod(group[first], entries**2)
    i, j = np.divmod(pair, entries)
    return PairCounts(block=distinct[of_block], i=i, j=j, games=games, wins=wins)


def concatenate(parts: Iterable[PairCounts]) -> PairCounts:
    """Join the comparisons of several parts of a run.

    Parameters
    ----------
    parts : iterable of PairCounts
        Each with blocks of its own. (A block that was split over two parts keeps two rows for a
        pair, and is still one block to `bradley_terry`.)

    Returns
    -------
    PairCounts
        All rows, in the order of the parts.
    """
    held = list(parts)

    def joined(name: str) -> NDArray[np.int64]:
        return np.concatenate([np.zeros(0, dtype=np.int64), *(getattr(p, name) for p in held)])

    wins = np.concatenate([np.zeros(0), *(part.wins for part in held)])
    return PairCounts(
        block=joined("block"), i=joined("i"), j=joined("j"), games=joined("games"), wins=wins
    )


def starts_of_games(block: Ints, game: Ints) -> Ints:
    """Positions at which a game begins; neighbouring blocks may both have a game 0."""
    begins = np.ones(game.size, dtype=np.bool_)
    begins[1:] = (game[1:] != game[:-1]) | (block[1:] != block[:-1])
    return np.flatnonzero(begins)


def _seats_per_game(block: Ints, game: Ints) -> int:
    """Return the common number of rows per game, or raise ValueError."""
    starts = starts_of_games(block, game)
    size = np.diff(starts, append=game.size)
    seats = int(size[0])
    if np.any(size != seats):
        at = int(np.flatnonzero(size != seats)[0])
        msg = (
            f"every game must have the same number of contiguous rows in one block: game "
            f"{game[0]} has {seats}, game {game[starts[at]]} of block {block[starts[at]]} has "
            f"{size[at]}"
        )
        raise ValueError(msg)
    b, g = block[starts], game[starts]
    ascending = (b[1:] > b[:-1]) | ((b[1:] == b[:-1]) & (g[1:] > g[:-1]))
    if not ascending.all():
        order = np.lexsort((g, b))
        b, g = b[order], g[order]
        twice = np.flatnonzero((b[1:] == b[:-1]) & (g[1:] == g[:-1]))
        if twice.size:
            msg = f"the rows of game {g[twice[0]]} of block {b[twice[0]]} are not contiguous"
            raise ValueError(msg)
    return seats
