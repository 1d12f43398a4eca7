"""Functions for compiled strategies: sets of cards, random cards, memory.

A set of cards is an int64 whose bit ``i`` is card ``i`` (clubs, diamonds, spades, hearts; two to
ace). All of these can be called from `CompiledStrategy` hooks and from functions under `helper`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from numba import njit

from hearts_sim.cards import CLUBS, DIAMONDS, HEARTS, QUEEN_OF_SPADES, SPADES
from hearts_sim.engine._jit import cache_folder, inlined
from hearts_sim.engine.bits import count, highest, lowest, nth
from hearts_sim.engine.code_cache import search_digest
from hearts_sim.engine.layout import (
    MOON_ADD,
    MOON_SUBTRACT,
    MOST_OPTIONS,
    OWN_MEMORY,
    OWN_MEMORY_SIZE,
    OWN_OPTIONS,
)
from hearts_sim.engine.legal import suit_mask
from hearts_sim.engine.memory import floats_at, own_word, rules_at, stream_at, words_at
from hearts_sim.engine.rng import below, pick
from hearts_sim.strategy.loader import source_digest

QUEEN: Final = int(QUEEN_OF_SPADES)
"""The queen of spades as a plain number."""


def helper(function: Callable[..., Any]) -> Any:
    """Compile a function that hooks of a compiled strategy call; put it above them as decorator."""
    source = Path(function.__code__.co_filename)
    if not source.exists():  # typed into a session
        return njit(error_model="python")(function)
    with cache_folder(source_digest(source), search_digest()):
        return njit(cache=True, error_model="python")(function)


@inlined
def bit(card: int) -> int:
    """The set that holds one card."""
    return 1 << card


@inlined
def has(cards: int, card: int) -> bool:
    """Whether a set holds a card."""
    return cards >> card & 1 == 1


@inlined
def suit_of(card: int) -> int:
    """Suit of a card: 0 clubs, 1 diamonds, 2 spades, 3 hearts."""
    return card // 13


@inlined
def rank_of(card: int) -> int:
    """Rank of a card: 0 for the two to 12 for the ace."""
    return card % 13


@inlined
def in_suit(cards: int, suit: int) -> int:
    """The cards of one suit."""
    return cards & suit_mask(suit)


@inlined
def below_card(cards: int, card: int) -> int:
    """The cards with a lower number than a card; within a suit, those of lower rank."""
    return cards & ((1 << card) - 1)


@inlined
def above_card(cards: int, card: int) -> int:
    """The cards with a higher number than a card; within a suit, those of higher rank."""
    return cards & ~((2 << card) - 1)


@inlined
def unseen(view: Any) -> int:
    """Cards in play that one has not seen: neither in one's hand or kitty nor played.

    With two packs, those of which at least one copy is unseen.
    """
    hand, played, kitty = view.hand, view.played, view.kitty
    seen = view.hand_twice | view.played_twice | view.kitty_twice
    seen |= hand & played | hand & kitty | played & kitty
    return view.deck & ~(hand | played | kitty) | view.deck_twice & ~seen


@inlined
def unseen_twice(view: Any) -> int:
    """Cards of which both copies are unseen."""
    return view.deck_twice & ~(view.hand | view.played | view.kitty)


@inlined
def partner(view: Any) -> int:
    """Seat of one's partner, who sits opposite; -1 without teams."""
    return (view.seat + view.team_count) % view.players if view.team_count else -1


@inlined
def rules(view: Any) -> Any:
    """All settings of the game: a record with the fields of `hearts_sim.engine.layout.RULES`."""
    return rules_at(view.rules)


@inlined
def random_card(view: Any, cards: int) -> int:
    """One card of a set, every one equally likely, from the seat's own random stream."""
    return pick(stream_at(view.own), cards)


@inlined
def random_below(view: Any, bound: int) -> int:
    """Number from 0 to `bound` - 1, from the seat's own random stream."""
    return below(stream_at(view.own), bound)


@inlined
def memory(view: Any) -> Any:
    """The scratch memory: an array of ``memory_words`` int64, zero at the start of each game."""
    return words_at(own_word(view.own, OWN_MEMORY), own_word(view.own, OWN_MEMORY_SIZE))


@inlined
def options(view: Any) -> Any:
    """The options of the entry: an array of float64, in the order in which the class names them."""
    return floats_at(own_word(view.own, OWN_OPTIONS), MOST_OPTIONS)


__all__ = [
    "CLUBS",
    "DIAMONDS",
    "HEARTS",
    "MOON_ADD",
    "MOON_SUBTRACT",
    "QUEEN",
    "SPADES",
    "above_card",
    "below_card",
    "bit",
    "count",
    "has",
    "helper",
    "highest",
    "in_suit",
    "lowest",
    "memory",
    "nth",
    "options",
    "partner",
    "random_below",
    "random_card",
    "rank_of",
    "rules",
    "suit_mask",
    "suit_of",
    "unseen",
    "unseen_twice",
]
