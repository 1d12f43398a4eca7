"""Sums over the rows of games, as the statistics make them: compiled, for a run has many games."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.stats import PairCounts, RatioSums, placement_pairs

Ints = np.ndarray[Any, np.dtype[np.int64]]

_EXACT: Final = 2**53
"""Whole floats below this are exact, and so are sums that stay below it, in whatever order."""


def ratio_sums(
    block: Ints, game: Ints, entry: Ints, total: Ints, count: Ints, entries: int
) -> RatioSums:
    """What `RatioSums.add` makes of rows of whole numbers, to the last bit.

    Parameters
    ----------
    block, game, entry, total, count : ndarray of int64, shape (n,)
        As `RatioSums.add` takes them. What is not in the order of the log, or too large to be added
        up exactly, is left to that.
    entries : int
    """
    sums = RatioSums(entries)
    largest = max(int(np.abs(column).max(initial=0)) for column in (total, count))
    if len(block) and (len(block) * largest) ** 2 < _EXACT:
        found: dict[str, np.ndarray[Any, Any]] = {}
        for name, cluster in (("block", block), ("game", game)):
            arrays = {
                "totals": np.zeros(entries, np.int64),
                "counts": np.zeros(entries, np.int64),
                "clusters": np.zeros(entries, np.int64),
                "products": np.zeros((2 * entries, 2 * entries), np.int64),
                "least": np.full(entries, np.inf),
                "most": np.full(entries, -np.inf),
            }
            shared = np.zeros((entries, entries), np.int64)
            if not _add_clusters(cluster, entry, total, count, *arrays.values(), shared):
                break
            for key in ("totals", "counts", "products"):
                arrays[key] = arrays[key].astype(np.float64)
            found |= {f"{name}.{key}": array for key, array in arrays.items()}
            found[f"{name}.whole"] = np.asarray(True)
            found.setdefault("shared", shared)  # that of the blocks, which come first
        else:
            return RatioSums.from_arrays(found)
    sums.add(block, entry, total, count, game)
    return sums


@kernel
def _add_clusters(
    cluster: Any,
    entry: Any,
    total: Any,
    count: Any,
    totals: Any,
    counts: Any,
    clusters: Any,
    products: Any,
    least: Any,
    most: Any,
    shared: Any,
) -> bool:
    """Add up; False where rows are not in order or something is wrong with them."""
    rows, entries = len(cluster), len(totals)
    t, n = np.zeros(entries, np.int64), np.zeros(entries, np.int64)
    seen = np.zeros(entries, np.bool_)
    there = np.zeros(entries, np.int64)
    size = 0
    for row in range(rows):
        owner = entry[row]
        if owner < 0 or owner >= entries or count[row] < 0:
            return False
        if not seen[owner]:
            seen[owner] = True
            there[size] = owner
            size += 1
        t[owner] += total[row]
        n[owner] += count[row]
        if row + 1 < rows:
            if cluster[row + 1] == cluster[row]:
                continue
            if cluster[row + 1] < cluster[row]:
                return False
        for place in range(size):
            i = there[place]
            if n[i] == 0:
                if t[i] != 0:
                    return False
                continue
            totals[i] += t[i]
            counts[i] += n[i]
            clusters[i] += 1
            least[i] = min(least[i], t[i] / n[i])
            most[i] = max(most[i], t[i] / n[i])
            for other in range(size):
                j = there[other]
                if n[j] == 0:
                    continue
                products[i, j] += t[i] * t[j]
                products[i, entries + j] += t[i] * n[j]
                products[entries + i, j] += n[i] * t[j]
                products[entries + i, entries + j] += n[i] * n[j]
                shared[i, j] += 1
        for place in range(size):
            i = there[place]
            t[i], n[i], seen[i] = 0, 0, False
        size = 0
    return True


def pair_counts(
    cluster: Ints, game: Ints, entry: Ints, place: Any, team: Ints | None, entries: int
) -> PairCounts:
    """What `placement_pairs` makes of the rows.

    Parameters
    ----------
    cluster, game, entry, place, team
        As `placement_pairs` takes them; `cluster` is the block or the game. What is not in the
        order of the log is left to that.
    entries : int
    """
    if not len(game):
        return placement_pairs(cluster, game, entry, place, team)
    seats = int(np.argmax(game != game[0])) or len(game)  # of the first game
    found = np.zeros((4, len(game) * (seats - 1) // 2), np.int64)
    wins = np.zeros(found.shape[1])
    partners = np.full(len(game), -1) if team is None else team
    size = _find_pairs(
        cluster, game, entry, np.asarray(place, np.float64), partners, seats, entries, found, wins
    )
    if size < 0:
        return placement_pairs(cluster, game, entry, place, team)
    block, i, j, games = found[:, :size].copy()
    return PairCounts(block=block, i=i, j=j, games=games, wins=wins[:size].copy())


@kernel
def _find_pairs(
    cluster: Any,
    game: Any,
    entry: Any,
    place: Any,
    team: Any,
    seats: int,
    entries: int,
    found: Any,
    wins: Any,
) -> int:
    """Write the comparisons; how many rows there are, or -1 where rows are not as they should."""
    rows = len(game)
    if rows % seats != 0:
        return -1
    games = np.zeros(entries * entries, np.int64)
    halves = np.zeros(entries * entries, np.int64)
    pairs = np.zeros(min(entries * entries, found.shape[1]) + 1, np.int64)
    met = size = 0
    for first in range(0, rows, seats):
        stop = first + seats
        for row in range(first, stop):
            if game[row] != game[first] or cluster[row] != cluster[first]:
                return -1
            if not 0 <= entry[row] < entries or not np.isfinite(place[row]):
                return -1
        if first and (game[first] <= game[first - 1] or cluster[first] < cluster[first - 1]):
            return -1
        for one in range(first, stop):
            for other in range(one + 1, stop):
                a, b = entry[one], entry[other]
                if a == b or (team[one] >= 0 and team[one] == team[other]):
                    continue
                pair = min(a, b) * entries + max(a, b)
                if games[pair] == 0:
                    # They stay sorted: few meet in a block.
                    at = met
                    while at > 0 and pairs[at - 1] > pair:
                        pairs[at] = pairs[at - 1]
                        at -= 1
                    pairs[at] = pair
                    met += 1
                games[pair] += 1
                ahead, behind = (one, other) if a < b else (other, one)
                halves[pair] += 1 + (place[ahead] < place[behind]) - (place[ahead] > place[behind])
        if stop == rows or cluster[stop] != cluster[first]:
            for at in range(met):
                pair = pairs[at]
                found[0, size], found[3, size] = cluster[first], games[pair]
                found[1, size], found[2, size] = pair // entries, pair % entries
                wins[size] = halves[pair] / 2
                games[pair], halves[pair] = 0, 0
                size += 1
            met = 0
    return size
