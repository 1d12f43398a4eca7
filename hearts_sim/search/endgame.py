"""Exact play of the last tricks with open hands: everybody takes what is best for his own side.

Max-n (C. Luckhardt, K. Irani, An algorithmic solution of n-person games, AAAI 1986). Who is
indifferent takes the lowest of his best cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hearts_sim.cards import MAX_SEATS
from hearts_sim.engine.bits import lowest
from hearts_sim.engine.layout import HANDS, TABLE
from hearts_sim.engine.legal import legal_cards
from hearts_sim.engine.memory import rules_at
from hearts_sim.engine.wide import give_kitty, is_wide
from hearts_sim.search._jit import inlined, kernel
from hearts_sim.search.linked import address_of, game_at, hands_at, linked, table_at
from hearts_sim.search.memory import wide_rules_at
from hearts_sim.search.playout import decided
from hearts_sim.search.records import copy_record
from hearts_sim.search.steps import play_and_finish, representatives
from hearts_sim.search.value import settle, value_of

MOST_DEPTH = 64

EXACT_CARDS = 12
"""Cards in all hands up to which play is exact: three tricks of four seats."""


class Stack(NamedTuple):
    """A place for each card on the way down.

    Attributes
    ----------
    tables, hands : ndarray of records
        The state of play before the card.
    moves : ndarray of int64
        Cards that were not tried yet.
    values : ndarray of float64, shape (depth, seats)
        What the best card so far leads to, for each seat.
    tried : ndarray of bool
        Whether a card was tried yet.
    """

    tables: Any
    hands: Any
    moves: Any
    values: Any
    tried: Any


@kernel
def new_stack() -> Any:
    """Room for `solve`."""
    return Stack(
        np.zeros(MOST_DEPTH, TABLE),
        np.zeros(MOST_DEPTH, HANDS),
        np.zeros(MOST_DEPTH, np.int64),
        np.zeros((MOST_DEPTH, MAX_SEATS)),
        np.zeros(MOST_DEPTH, np.bool_),
    )


@kernel
def cards_out(rules: Any, hands: Any) -> int:
    """All cards that are still in hands."""
    out = 0
    for seat in range(rules.players):
        out |= hands.cards[seat]
    return out


@kernel
def is_finished(rules: Any, table: Any, hands: Any) -> bool:
    """Whether the score of the hand is certain."""
    if table.trick_number > rules.hand_size:
        return True
    return table.trick_size == 0 and decided(rules, table, cards_out(rules, hands))


@kernel
def enter(rules: Any, stack: Any, depth: int) -> None:
    """Begin with the cards at a depth of the stack, whose state is set."""
    table, hands = stack.tables[depth], stack.hands[depth]
    hand = hands.cards[table.turn]
    elsewhere = cards_out(rules, hands) & ~hand | table.trick_cards
    stack.moves[depth] = representatives(rules, legal_cards(rules, table, hands), hand, elsewhere)
    stack.tried[depth] = False


@kernel
def solve(
    rules: Any, table: Any, hands: Any, score: Any, spread: float, stack: Any, values: Any
) -> int:
    """Value of a state of play for every seat when all play on perfectly with open hands.

    Parameters
    ----------
    table, hands : records of dtype `TABLE` and `HANDS`
        Not changed.
    score : record of dtype `GAME`
        As `value.begin_score` set it.
    spread : float
        As in `value.value_of`.
    stack : Stack
    values : ndarray of float64, by seat
        Filled.

    Returns
    -------
    int
        States that were looked at.
    """
    copy_record(stack.tables[0], table)
    copy_record(stack.hands[0], hands)
    states, depth = 0, 0
    if is_finished(rules, table, hands):
        finish(rules, stack, 0, score, spread, values)
        return 1
    enter(rules, stack, 0)
    while True:
        if stack.moves[depth] == 0:
            if depth == 0:
                values[: rules.players] = stack.values[0, : rules.players]
                return states
            depth -= 1
            take_over(rules, stack, depth, stack.values[depth + 1])
            continue
        card = lowest(stack.moves[depth])
        stack.moves[depth] &= stack.moves[depth] - 1
        copy_record(stack.tables[depth + 1], stack.tables[depth])
        copy_record(stack.hands[depth + 1], stack.hands[depth])
        play_and_finish(rules, stack.tables[depth + 1], stack.hands[depth + 1], card)
        states += 1
        if is_finished(rules, stack.tables[depth + 1], stack.hands[depth + 1]):
            finish(rules, stack, depth + 1, score, spread, values)
            take_over(rules, stack, depth, values)
        else:
            depth += 1
            enter(rules, stack, depth)


@kernel
def finish(rules: Any, stack: Any, depth: int, score: Any, spread: float, values: Any) -> None:
    """Score a finished hand for every seat."""
    table = stack.tables[depth]
    if is_wide(rules) and table.trick_number > rules.hand_size:
        give_kitty(rules, table, stack.hands[depth])
    settle(rules, table, score)
    for seat in range(rules.players):
        values[seat] = value_of(rules, score, seat, spread)


@kernel
def take_over(rules: Any, stack: Any, depth: int, values: Any) -> None:
    """Keep what a card leads to when it is better for who plays it."""
    seat = stack.tables[depth].turn
    if not stack.tried[depth] or values[seat] > stack.values[depth, seat] + 1e-12:
        stack.tried[depth] = True
        for other in range(rules.players):
            stack.values[depth, other] = values[other]


@kernel
def exact_value(rules: Any, table: Any, hands: Any, score: Any, seat: int, spread: float) -> float:
    """Value of a state of play for a seat, when all play on perfectly with open hands."""
    values = np.zeros(MAX_SEATS)
    solve(rules, table, hands, score, spread, new_stack(), values)
    return values[seat]


@linked("float64(int64, int64, int64, int64, int64, float64)")
def exact_narrow(rules: int, table: int, hands: int, score: int, seat: int, spread: float) -> float:
    """As `exact_value`, by addresses."""
    return exact_value(
        rules_at(rules), table_at(table), hands_at(hands), game_at(score), seat, spread
    )


@linked("float64(int64, int64, int64, int64, int64, float64)", later=True)
def exact_wide(rules: int, table: int, hands: int, score: int, seat: int, spread: float) -> float:
    """As `exact_narrow`, for a game with a kitty."""
    return exact_value(
        wide_rules_at(rules), table_at(table), hands_at(hands), game_at(score), seat, spread
    )


@inlined
def exact_at_end(rules: Any, table: Any, hands: Any, score: Any, seat: int, spread: float) -> float:
    """As `exact_value`, linked."""
    where, state = address_of(rules), address_of(table)
    cards, game = address_of(hands), address_of(score)
    if is_wide(rules):
        return exact_wide(where, state, cards, game, seat, spread)
    return exact_narrow(where, state, cards, game, seat, spread)
