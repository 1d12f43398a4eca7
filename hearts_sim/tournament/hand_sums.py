"""Sums over the rows of hands: compiled, for a run has many of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hearts_sim.engine._jit import kernel

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class HandSums:
    """Sums of each entry in each block; all but `entry` are ndarrays of int64.

    Attributes
    ----------
    entry : ndarray of shape (m,)
        Every pair of an entry and a block in which it played; in the order of the entries.
    owner : ndarray of shape (n,)
        For each row the number of its pair.
    hands : ndarray of shape (1, m)
    passes, passed : ndarray of shape (directions, m)
        Points and hands by direction of the pass.
    points, scores, reached : ndarray of shape (longest, m)
        Points, totals after the hand, and how often there was one, by number of the hand in its
        game, less 1.
    hearts, tricks, clean, made, suffered : ndarray of shape (m,)
        Cards and tricks taken; hands without a penalty point, with a moon, and with another's.
    """

    entry: Ints
    owner: Ints
    hands: Ints
    passes: Ints
    passed: Ints
    points: Ints
    scores: Ints
    reached: Ints
    hearts: Ints
    tricks: Ints
    clean: Ints
    made: Ints
    suffered: Ints


def sum_hands(columns: Mapping[str, Any], directions: int, most_hands: int) -> HandSums:
    """Add rows of the hands table up.

    Parameters
    ----------
    columns : mapping of name to ndarray
        Whole blocks; names as codes. A direction below 0 counts from the end.
    directions : int
    most_hands : int
        Later hands of a game are left out of `points`, `scores` and `reached`.
    """
    # Of one type each, so that there is one thing to compile.
    words = {name: np.ascontiguousarray(columns[name], np.int32) for name in _WORDS}
    small = {
        name: np.ascontiguousarray(columns[name]).astype(np.int16, copy=False) for name in _SMALL
    }
    block = words["block"]
    low = int(block.min())
    span = int(block.max()) - low + 1
    present = np.zeros((int(words["strategy"].max()) + 1) * span, np.bool_)
    _note_pairs(block, words["strategy"], low, span, present)
    number = np.cumsum(present) - 1
    pairs = int(number[-1]) + 1
    longest = min(int(small["hand"].max()), most_hands)
    owner = np.empty(len(block), np.int64)
    # What belongs to one pair lies together: its rows come one after the other.
    by_pass = np.zeros((pairs, directions, 2), np.int64)
    by_hand = np.zeros((pairs, longest, 3), np.int64)
    rates = np.zeros((pairs, 6), np.int64)
    _add(
        *(words[name] for name in _WORDS), *(small[name] for name in _SMALL),
        low, span, number, owner, by_pass, by_hand, rates,
    )  # fmt: skip
    passes, passed = np.ascontiguousarray(by_pass.T)
    points, scores, reached = np.ascontiguousarray(by_hand.T)
    hands, hearts, tricks, clean, made, suffered = np.ascontiguousarray(rates.T)
    return HandSums(
        entry=np.flatnonzero(present) // span,
        owner=owner,
        hands=hands[None],
        passes=passes,
        passed=passed,
        points=points,
        scores=scores,
        reached=reached,
        hearts=hearts,
        tricks=tricks,
        clean=clean,
        made=made,
        suffered=suffered,
    )


_WORDS = ("block", "strategy", "points", "raw", "score")
_SMALL = ("pass", "hand", "hearts", "tricks", "moon")


@kernel
def _note_pairs(block: Any, strategy: Any, low: int, span: int, present: Any) -> None:
    for row in range(len(block)):
        present[strategy[row] * span + block[row] - low] = True


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
    low: int,
    span: int,
    number: Any,
    owner: Any,
    by_pass: Any,
    by_hand: Any,
    rates: Any,
) -> None:
    directions, longest = by_pass.shape[1], by_hand.shape[1]
    for row in range(len(block)):
        pair = number[strategy[row] * span + block[row] - low]
        owner[row] = pair
        direction = way[row] if way[row] >= 0 else way[row] + directions
        by_pass[pair, direction, 0] += points[row]
        by_pass[pair, direction, 1] += 1
        place = hand[row] - 1
        if place < longest:
            by_hand[pair, place, 0] += points[row]
            by_hand[pair, place, 1] += score[row]
            by_hand[pair, place, 2] += 1
        rates[pair, 0] += 1
        rates[pair, 1] += hearts[row]
        rates[pair, 2] += tricks[row]
        rates[pair, 3] += raw[row] == 0
        rates[pair, 4] += moon[row] > 0
        rates[pair, 5] += moon[row] < 0


def count_totals(entry: Any, hand: Any, total: Any, width: int, first: int, games: Ints) -> None:
    """Count rows by entry, hand and bin.

    Parameters
    ----------
    entry, hand, total : ndarray of integers, shape (n,)
        `hand` from 0.
    width, first : int
        Bin b has the totals from ``(first + b) * width`` up to the next bin's.
    games : ndarray of int64, shape (entries, hands, bins)
        What is counted is added here.
    """
    columns = (np.ascontiguousarray(column, np.int32) for column in (entry, hand, total))
    _count(*columns, width, first, games)


@kernel
def _count(entry: Any, hand: Any, total: Any, width: int, first: int, games: Any) -> None:
    for row in range(len(entry)):
        games[entry[row], hand[row], total[row] // width - first] += 1
