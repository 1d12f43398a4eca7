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
    by_pass = np.zeros((2, directions, pairs), np.int64)
    by_hand = np.zeros((3, longest, pairs), np.int64)
    rates = np.zeros((6, pairs), np.int64)
    _add(
        *(words[name] for name in _WORDS), *(small[name] for name in _SMALL),
        low, span, number, owner, by_pass, by_hand, rates,
    )  # fmt: skip
    hands, hearts, tricks, clean, made, suffered = rates
    return HandSums(
        entry=np.flatnonzero(present) // span,
        owner=owner,
        hands=hands[None],
        passes=by_pass[0],
        passed=by_pass[1],
        points=by_hand[0],
        scores=by_hand[1],
        reached=by_hand[2],
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
        by_pass[0, direction, pair] += points[row]
        by_pass[1, direction, pair] += 1
        place = hand[row] - 1
        if place < longest:
            by_hand[0, place, pair] += points[row]
            by_hand[1, place, pair] += score[row]
            by_hand[2, place, pair] += 1
        rates[0, pair] += 1
        rates[1, pair] += hearts[row]
        rates[2, pair] += tricks[row]
        rates[3, pair] += raw[row] == 0
        rates[4, pair] += moon[row] > 0
        rates[5, pair] += moon[row] < 0
