"""Random numbers that depend on what they are for and on nothing else.

A stream is keyed by what it is for, and splitmix64 turns the key into the state of a xoroshiro128++
generator (S. Vigna, D. Blackman, https://prng.di.unimi.it). The cards of a hand are keyed by (seed,
block, hand), so all who play a block get the same deals; the numbers of a seat by (seed, block,
seat, hand), whoever sits there. All of these steps can be calculated backwards, but for one:
between the block and the seat lies SipHash-2-4 (J.-P. Aumasson, D. Bernstein, SipHash: a fast
short-input PRF, INDOCRYPT 2012), so that a bot, who knows its own numbers, cannot find the deal
from them.
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

_SIP = tuple(
    np.uint64(number)
    for number in (
        0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573,
    )
)  # fmt: skip
_SIP_LENGTH = np.uint64(8 << 56)
_SIP_END = np.uint64(0xFF)
_U13, _U16 = np.uint64(13), np.uint64(16)


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
def block_key(seed: int, block: int) -> Any:
    """What all keys of a block are made from, a uint64."""
    return splitmix(splitmix(np.uint64(seed)) ^ np.uint64(block))


@inlined
def hand_key(seed: int, block: int, hand: int) -> Any:
    """Key of the deal of a hand, a uint64."""
    return splitmix(block_key(seed, block) ^ np.uint64(hand))


@kernel
def seat_key(seed: int, block: int, seat: int) -> Any:
    """What the keys of a seat's streams in a block are made from, a uint64; it tells no other."""
    key = block_key(seed, block)
    return siphash(key, splitmix(key), np.uint64(seat))


@inlined
def _rotated(word: Any, by: Any) -> Any:
    return (word << by) | (word >> (_U64 - by))


@inlined
def _sip_round(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    a += b
    b = _rotated(b, _U13) ^ a
    a = _rotated(a, _U32)
    c += d
    d = _rotated(d, _U16) ^ c
    a += d
    d = _rotated(d, _U21) ^ a
    c += b
    b = _rotated(b, _U17) ^ c
    c = _rotated(c, _U32)
    return a, b, c, d


@kernel
def siphash(first: Any, second: Any, word: Any) -> Any:
    """SipHash-2-4 of the 8 bytes of a word, under a key of two words; all uint64."""
    a, b = first ^ _SIP[0], second ^ _SIP[1]
    c, d = first ^ _SIP[2], second ^ _SIP[3]
    for block in (word, _SIP_LENGTH):
        d ^= block
        a, b, c, d = _sip_round(a, b, c, d)
        a, b, c, d = _sip_round(a, b, c, d)
        a ^= block
    c ^= _SIP_END
    for _ in range(4):
        a, b, c, d = _sip_round(a, b, c, d)
    return a ^ b ^ c ^ d


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
