"""Random numbers that depend on what they are for and on nothing else.

A stream is keyed by (seed, block, hand, purpose): splitmix64 turns the key into the state of a
xoroshiro128++ generator (S. Vigna, D. Blackman, https://prng.di.unimi.it). Cards have a purpose of
their own, so all who play a block get the same deals, and each seat has one, whoever sits there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import count, nth

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_U17, _U21, _U27, _U28, _U30, _U31, _U32, _U49, _U64 = (
    np.uint64(number) for number in (17, 21, 27, 28, 30, 31, 32, 49, 64)
)

PURPOSE_DEAL = 0
PURPOSE_SEAT = 1
"""Added to the seat's number: the stream of whoever sits there."""


@inlined
def mix(word: Any) -> Any:
    """Finaliser of splitmix64."""
    word = (word ^ (word >> _U30)) * _MIX_A
    word = (word ^ (word >> _U27)) * _MIX_B
    return word ^ (word >> _U31)


@inlined
def splitmix(word: Any) -> Any:
    """Output of splitmix64 whose state before the step is `word`."""
    return mix(word + _GOLDEN)


@inlined
def hand_key(seed: int, block: int, hand: int) -> Any:
    """What the keys of all streams of a hand have in common, a uint64."""
    key = splitmix(np.uint64(seed))
    key = splitmix(key ^ np.uint64(block))
    return splitmix(key ^ np.uint64(hand))


@inlined
def stream_key(common: Any, purpose: int) -> Any:
    """Key of one stream, a uint64; `common` is the `hand_key`."""
    return splitmix(common ^ np.uint64(purpose))


@inlined
def seed_stream(state: Any, key: Any) -> None:
    """Set the two words of a generator from a key.

    Parameters
    ----------
    state : ndarray of shape (2,), uint64
    key : uint64
    """
    state[0] = splitmix(key)
    state[1] = splitmix(key + _GOLDEN)


@inlined
def next_word(state: Any) -> Any:
    """Next 64 bits of xoroshiro128++; `state` is an array of two uint64."""
    first, second = state[0], state[1]
    total = first + second
    word = ((total << _U17) | (total >> (_U64 - _U17))) + first
    second ^= first
    state[0] = ((first << _U49) | (first >> (_U64 - _U49))) ^ second ^ (second << _U21)
    state[1] = (second << _U28) | (second >> (_U64 - _U28))
    return word


@inlined
def below(state: Any, bound: int) -> int:
    """Number from 0 to `bound` - 1 (`bound` below 2**32), every one equally likely.

    D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019).
    """
    limit = np.uint64(bound)
    product = (next_word(state) >> _U32) * limit
    if product & _LOW < limit:
        floor = (_U32_RANGE - limit) % limit
        while product & _LOW < floor:
            product = (next_word(state) >> _U32) * limit
    number: Any = np.int64(product >> _U32)
    return number


_U32_RANGE = np.uint64(1 << 32)


@inlined
def pick(state: Any, cards: int) -> int:
    """One card of a set, every one equally likely; the set must not be empty."""
    return nth(cards, below(state, count(cards)))


@kernel
def words_of_key(key: Any, number: int) -> Any:
    """The first numbers of the stream with a key, for tests against published values."""
    state = np.zeros(2, np.uint64)
    seed_stream(state, key)
    return words_of_state(state, number)


@kernel
def words_of_state(state: Any, number: int) -> Any:
    """The next numbers of a generator in a given state, for tests against published values."""
    words = np.zeros(number, np.uint64)
    for index in range(number):
        words[index] = next_word(state)
    return words
