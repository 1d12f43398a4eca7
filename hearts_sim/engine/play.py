"""Playing cards and winning tricks: the part of the rules that a playout needs.

`table` is any record with the fields of `TABLE`, `hands` one of dtype `HANDS`.
"""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import either, index
from hearts_sim.engine.legal import suit_mask
from hearts_sim.engine.wide import (
    NOBODY,
    clear_wide,
    find_winner,
    hold_trick,
    is_wide,
    leave_hand,
    take_wide,
)


@kernel
def clear_table(rules: Any, table: Any) -> None:
    """Begin the play of a hand: nothing taken, hearts unbroken."""
    # Whole arrays: for a number of seats that it does not know, the compiler calls a function.
    table.taken[:] = 0
    table.points[:] = 0
    table.hearts_broken = 0
    table.trick_number = 1
    table.first_winner = NOBODY
    if is_wide(rules):
        clear_wide(table)
    clear_trick(table)


@inlined
def clear_trick(table: Any) -> None:
    """No card in front of the next leader."""
    table.trick_size = 0
    table.trick_cards = 0
    table.trick_points = 0
    table.led_suit = -1
    table.winning_card = -1
    table.winning_seat = -1


@inlined
def play_card(rules: Any, table: Any, hands: Any, card: int) -> None:
    """The seat in turn puts a legal card (0..51, not checked here) on the table."""
    if table.trick_size == 0:
        lead_card(rules, table, hands, card)
    else:
        follow_card(rules, table, hands, card, suit_mask(table.led_suit))


@inlined
def lead_card(rules: Any, table: Any, hands: Any, card: int) -> None:
    """As `play_card`, for the leader of a trick."""
    seat = table.turn
    table.led_suit = card // 13
    put_down(rules, table, hands, seat, 0, card)
    table.winning_card = card
    table.winning_seat = seat


@inlined
def follow_card(rules: Any, table: Any, hands: Any, card: int, led: int) -> bool:
    """As `play_card`, for the others; `led` are all cards of the suit led.

    Returns whether the card is one of them.
    """
    seat = table.turn
    best, by = table.winning_card, table.winning_seat
    put_down(rules, table, hands, seat, table.trick_size, card)
    follows = led >> card & 1 == 1
    if is_wide(rules):
        find_winner(rules, table)
    else:
        wins = follows & (card > best)
        table.winning_card = either(wins, card, best)
        table.winning_seat = either(wins, seat, by)
    return follows


@inlined
def put_down(rules: Any, table: Any, hands: Any, seat: int, place: int, card: int) -> None:
    """A card goes from a hand to a place in the trick, and the turn to the next seat."""
    bit = 1 << card
    if is_wide(rules):
        leave_hand(hands, seat, bit)
        table.trick_twice |= table.trick_cards & bit
    else:
        hands.cards[index(seat)] ^= bit
    table.trick[index(place)] = card
    table.trick_size = place + 1
    table.trick_cards |= bit
    table.trick_points += rules.cost[index(card)]
    table.hearts_broken |= bit & rules.breakers != 0
    table.turn = either(seat + 1 == rules.players, 0, seat + 1)


@inlined
def find_taker(rules: Any, table: Any) -> int:
    """Seat that takes a complete trick; -1 when it stays for the next winner.

    Without a winner, the last trick goes to its leader, who won the trick before it (or leads since
    no trick was won at all): the same player leads again after a trick without a winner.
    """
    if is_wide(rules) and table.winning_seat < 0 and table.trick_number == rules.hand_size:
        return table.leader
    return table.winning_seat


@kernel
def note_first_winner(table: Any, taker: int) -> None:
    """Remember who took the first trick, where it matters."""
    if table.trick_number == 1:
        table.first_winner = taker


@inlined
def finish_trick(rules: Any, table: Any, taker: int) -> None:
    """Put a complete trick away and let its winner lead, or the same leader when it is held."""
    if rules.sun_spares_first:
        note_first_winner(table, taker)
    if is_wide(rules):
        if taker < 0:
            hold_trick(table)
            taker = table.leader
        else:
            take_wide(rules, table, taker)
        table.trick_twice = 0
    else:
        table.taken[index(taker)] |= table.trick_cards
        table.points[index(taker)] += table.trick_points
    table.leader = taker
    table.turn = taker
    table.trick_number += 1
    clear_trick(table)
