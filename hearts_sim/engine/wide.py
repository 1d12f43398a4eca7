"""What only games with two packs or a kitty have, and sets in which a card may be twice.

Such a set is two masks: the cards that are in it, and those of them that are in it twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from hearts_sim.engine._jit import inlined, intrinsic, kernel
from hearts_sim.engine.bits import count, highest, index
from hearts_sim.engine.record import CANCEL_PAIRS, KITTY_FIRST_PENALTY, KITTY_FIRST_TRICK

NOBODY = np.int64(-1)


@intrinsic
def is_wide(typingctx: Any, rules: Any) -> Any:
    """Whether the rules are of dtype `WIDE_RULES`: known when compiling, so it costs nothing."""
    wide = "wide" in rules.fields

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return ir.Constant(ir.IntType(1), int(wide))

    return types.boolean(rules), codegen


@inlined
def both_twice(cards: int, twice: int, more: int, more_twice: int) -> int:
    """Cards that are twice in the union of two sets."""
    return twice | more_twice | cards & more


@inlined
def clear_wide(table: Any) -> None:
    """Nothing held, nothing taken twice, and the kitty is nobody's."""
    table.taken_twice[:] = 0
    table.trick_twice = 0
    table.held = 0
    table.held_twice = 0
    table.held_points = 0
    table.held_tricks = 0
    table.kitty_seat = NOBODY


@inlined
def leave_hand(hands: Any, seat: int, bit: int) -> None:
    """A seat gives away one copy of a card."""
    if hands.cards_twice[seat] & bit:
        hands.cards_twice[seat] ^= bit
    else:
        hands.cards[seat] ^= bit


@kernel
def find_winner(rules: Any, table: Any) -> None:
    """Set who wins the trick so far, when a card can be in it twice.

    Without a winner card and seat are -1.
    """
    table.winning_card = NOBODY
    table.winning_seat = NOBODY
    able = 0x1FFF << (13 * table.led_suit) & table.trick_cards
    if rules.trick_winner == CANCEL_PAIRS:
        able &= ~table.trick_twice
        if rules.cancel_two_pairs and count(table.trick_twice) > 1:
            able = 0
    if able == 0:
        return
    best = highest(able)
    table.winning_card = best
    seat = table.leader
    for place in range(table.trick_size):
        # Of two equal cards that do not cancel, the later one stays.
        if table.trick[place] == best:
            table.winning_seat = seat
        seat = 0 if seat + 1 == rules.players else seat + 1


@kernel
def hold_trick(table: Any) -> None:
    """Leave a trick without a winner on the table for the next winner."""
    table.held_twice = both_twice(
        table.held, table.held_twice, table.trick_cards, table.trick_twice
    )
    table.held |= table.trick_cards
    table.held_points += table.trick_points
    table.held_tricks += 1


@kernel
def take_wide(rules: Any, table: Any, winner: int) -> None:
    """Give a trick, with what is held, to its winner, and see whether the kitty goes with it."""
    hold_trick(table)
    cards, twice = table.held, table.held_twice
    place = index(winner)
    table.taken_twice[place] = both_twice(
        table.taken[place], table.taken_twice[place], cards, twice
    )
    table.taken[place] |= cards
    table.points[place] += table.held_points
    if rules.kitty_rule and table.kitty_seat < 0:
        penalty = rules.kitty_rule == KITTY_FIRST_PENALTY and cards & rules.penalty_cards != 0
        # At the latest the last trick brings the kitty.
        if (
            rules.kitty_rule == KITTY_FIRST_TRICK
            or penalty
            or table.trick_number == rules.hand_size
        ):
            table.kitty_seat = winner
    table.held = 0
    table.held_twice = 0
    table.held_points = 0
    table.held_tricks = 0


@kernel
def count_points(rules: Any, cards: int, twice: int) -> int:
    """Penalty points of a set."""
    points = 0
    for card in range(52):
        points += rules.cost[card] * ((cards >> card & 1) + (twice >> card & 1))
    return points


@kernel
def give_kitty(rules: Any, table: Any, hands: Any) -> None:
    """After the last trick, add the kitty to the cards of who got it."""
    seat = table.kitty_seat
    if not rules.kitty_rule:
        return
    table.taken_twice[seat] = both_twice(
        table.taken[seat], table.taken_twice[seat], hands.kitty, hands.kitty_twice
    )
    table.taken[seat] |= hands.kitty
    table.points[seat] += count_points(rules, hands.kitty, hands.kitty_twice)


@kernel
def show_wide(rules: Any, game: Any, view: Any, hands: Any, seat: int) -> None:
    """Put a seat's own side into the view, as far as only such games have it."""
    view.hand_twice = hands.cards_twice[seat]
    view.passed_twice = game.passed_twice[seat]
    view.received_twice = game.received_twice[seat]
    mine = rules.kitty_rule != 0 and view.kitty_seat == seat
    view.kitty = hands.kitty if mine else 0
    view.kitty_twice = hands.kitty_twice if mine else 0
