"""Sums over the rows of hands: compiled, for a run has many of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.tournament.counting.details import HOWS, RATES

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class HandSums:
    """Sums of each entry in each block; all are ndarrays of int64.

    Attributes
    ----------
    entry : ndarray of shape (m,)
        Every pair of an entry and a block in which it played; in the order of the entries.
    hands : ndarray of shape (1, m)
    passes, passed : ndarray of shape (directions, m)
        Points and hands by direction of the pass.
    points, scores, reached : ndarray of shape (longest, m)
        Points, totals after the hand, and how often there was one, by number of the hand in its
        game, less 1.
    rates : ndarray of shape (len(RATES), m)
        See `DetailCounts.rates`.
    stopping : ndarray of shape (entries, entries)
        See `DetailCounts.stopping`.
    """

    entry: Ints
    hands: Ints
    passes: Ints
    passed: Ints
    points: Ints
    scores: Ints
    reached: Ints
    rates: Ints
    stopping: Ints


_WORDS: Final = {"block": "u4", "strategy": "u2", "points": "i4", "raw": "i4", "score": "i4"}
_SMALL: Final = {
    "pass": "i1", "hand": "u2", "hearts": "u1", "tricks": "u1", "moon": "i1",
    "moon_stopped_by": "i1", "queen": "u1", "queen_how": "u1", "queen_by": "i1",
}  # fmt: skip

_HEARTS, _QUEENS, _TRICKS, _CLEAN, _MADE, _SUFFERED, _STOPPED, _FAILED = map(
    RATES.index,
    ("hearts", "queens", "tricks", "clean", "made", "suffered", "stopped", "failed"),
)
_HOW, _GIVEN = RATES.index(HOWS[0]) - 1, RATES.index(f"given {HOWS[0]}") - 1  # codes begin at 1
_HANDS: Final = len(RATES)


def sum_hands(columns: Mapping[str, Any], entries: int, players: int, most_hands: int) -> HandSums:
    """Add rows of the hands table up.

    Parameters
    ----------
    columns : mapping of name to ndarray
        Whole blocks, in which the rows of a hand are those of its seats, in their order; names as
        codes. A direction below 0 counts from the end.
    entries, players : int
        Of the run.
    most_hands : int
        Later hands of a game are left out of `points`, `scores` and `reached`.
    """
    rows = [_of_type(columns[name], kind) for name, kind in (_WORDS | _SMALL).items()]
    block, entry = rows[:2]
    side = _of_type(columns["team" if columns["team"][0] >= 0 else "seat"], "i1")
    low = int(block.min())
    span = int(block.max()) - low + 1
    present = np.zeros(entries * span, np.bool_)
    _note_pairs(block, entry, low, span, present)
    number = np.cumsum(present) - 1
    pairs = int(number[-1]) + 1
    longest = min(int(columns["hand"].max()), most_hands)
    # What belongs to one pair lies together: its rows come one after the other.
    by_pass = np.zeros((pairs, players + 1, 2), np.int64)
    by_hand = np.zeros((pairs, longest, 3), np.int64)
    rates = np.zeros((pairs, _HANDS + 1), np.int64)
    stopping = np.zeros((entries, entries), np.int64)
    _add(*rows, side, players, low, span, number, by_pass, by_hand, rates, stopping)
    passes, passed = np.ascontiguousarray(by_pass.T)
    points, scores, reached = np.ascontiguousarray(by_hand.T)
    of_pairs = np.ascontiguousarray(rates.T)
    return HandSums(
        entry=np.flatnonzero(present) // span,
        hands=of_pairs[_HANDS:],
        passes=passes,
        passed=passed,
        points=points,
        scores=scores,
        reached=reached,
        rates=of_pairs[:_HANDS],
        stopping=stopping,
    )


def _of_type(column: Any, kind: str) -> Any:
    """The column as the core writes it, which it is in a process that plays: no copy then."""
    return np.ascontiguousarray(column).astype(kind, copy=False)


@kernel
def _note_pairs(block: Any, strategy: Any, low: int, span: int, present: Any) -> None:
    for row in range(len(block)):
        present[np.int64(strategy[row]) * span + np.int64(block[row]) - low] = True


@kernel
def _add(
    block: Any,
    strategy: Any,
    points: Any,
    raw: Any,
    score: Any,
    way: Any,
    hand: Any,
    hearts: Any,
    tricks: Any,
    moon: Any,
    stopped_by: Any,
    queen: Any,
    queen_how: Any,
    queen_by: Any,
    side: Any,
    players: int,
    low: int,
    span: int,
    number: Any,
    by_pass: Any,
    by_hand: Any,
    rates: Any,
    stopping: Any,
) -> None:
    directions, longest = by_pass.shape[1], by_hand.shape[1]
    pairs = np.zeros(players, np.int64)
    for first in range(0, len(block), players):
        for seat in range(players):
            row = first + seat
            pairs[seat] = number[np.int64(strategy[row]) * span + np.int64(block[row]) - low]
        for seat in range(players):
            row = first + seat
            pair = pairs[seat]
            direction = np.int64(way[row])
            if direction < 0:
                direction += directions
            by_pass[pair, direction, 0] += points[row]
            by_pass[pair, direction, 1] += 1
            place = np.int64(hand[row]) - 1
            if place < longest:
                by_hand[pair, place, 0] += points[row]
                by_hand[pair, place, 1] += score[row]
                by_hand[pair, place, 2] += 1
            rates[pair, _HANDS] += 1
            rates[pair, _HEARTS] += hearts[row]
            rates[pair, _TRICKS] += tricks[row]
            rates[pair, _CLEAN] += raw[row] == 0
            rates[pair, _MADE] += moon[row] > 0
            rates[pair, _SUFFERED] += moon[row] < 0
            if stopped_by[row] >= 0:
                rates[pair, _FAILED] += 1
                stopper = np.int64(stopped_by[row])
                # Partners' attempt is one, and has two rows.
                again = same_entry = False
                for other in range(first, row):
                    if stopped_by[other] == stopped_by[row]:
                        again = True
                        same_entry |= strategy[other] == strategy[row]
                if not again:
                    rates[pairs[stopper], _STOPPED] += 1
                if not same_entry:
                    stopping[strategy[first + stopper], strategy[row]] += 1
            if queen[row] > 0:
                rates[pair, _QUEENS] += queen[row]
                how = np.int64(queen_how[row])
                if how > 0:  # she was played, and not in the kitty
                    rates[pair, _HOW + how] += queen[row]
                    giver = np.int64(queen_by[row])
                    if side[first + giver] != side[row]:
                        rates[pairs[giver], _GIVEN + how] += 1


def count_totals(entry: Any, group: Any, total: Any, width: int, first: int, games: Ints) -> None:
    """Count rows by entry, group and bin.

    Parameters
    ----------
    entry, group, total : ndarray of integers, shape (n,)
    width, first : int
        Bin b has the totals from ``(first + b) * width`` up to the next bin's.
    games : ndarray of int64, shape (entries, groups, bins)
        What is counted is added here.
    """
    columns = _of_type(entry, "u2"), _of_type(group, "u2"), _of_type(total, "i4")
    _count(*columns, width, first, games)


@kernel
def _count(entry: Any, group: Any, total: Any, width: int, first: int, games: Any) -> None:
    if width == 1:  # a division takes longer than all the rest
        for row in range(len(entry)):
            games[entry[row], group[row], total[row] - first] += 1
    else:
        for row in range(len(entry)):
            games[entry[row], group[row], total[row] // width - first] += 1


def worst_rows(entry: Any, points: Any, moon: Any, entries: int, kept: int, sign: int) -> Ints:
    """Find the rows of each entry with the most points, those aside in which another shot the moon.

    Parameters
    ----------
    entry, points, moon : ndarray of integers, shape (n,)
    entries, kept : int
        So many rows of each.
    sign : int
        1, or -1 for the fewest points.

    Returns
    -------
    ndarray of int64
        Numbers of rows by entry, worst first; of equal ones the first.
    """
    rows = np.full((entries, kept), -1)
    _find_worst(_of_type(entry, "u2"), _of_type(points, "i4"), _of_type(moon, "i1"), sign, rows)
    return rows[rows >= 0]


@kernel
def _find_worst(entry: Any, points: Any, moon: Any, sign: int, rows: Any) -> None:
    kept = rows.shape[1]
    worst = np.zeros(rows.shape, np.int64)
    found = np.zeros(len(rows), np.int64)
    for row in range(len(entry)):
        if moon[row] < 0:
            continue
        owner, bad = entry[row], sign * np.int64(points[row])
        place = found[owner]
        if place == kept:
            if bad <= worst[owner, kept - 1]:
                continue
            place -= 1
        else:
            found[owner] += 1
        while place > 0 and worst[owner, place - 1] < bad:
            worst[owner, place], rows[owner, place] = (
                worst[owner, place - 1],
                rows[owner, place - 1],
            )
            place -= 1
        worst[owner, place], rows[owner, place] = bad, row
