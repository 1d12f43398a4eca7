"""Playing cards and winning tricks: the part of the rules that a playout needs.

`table` is any record with the fields of `TABLE`, `hands` one of dtype `HANDS`.
"""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import index
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
    for seat in range(rules.players):
        table.taken[seat] = 0
        table.points[seat] = 0
    table.hearts_broken = 0
    table.trick_number = 1
    table.first_winner = NOBODY
    if is_wide(rules):
        clear_wide(rules, table)
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
    seat = table.turn
    bit = 1 << card
    table.trick[index(table.trick_size)] = card
    if is_wide(rules):
        leave_hand(hands, seat, bit)
        table.trick_twice |= table.trick_cards & bit
    else:
        hands.cards[index(seat)] ^= bit
    table.trick_cards |= bit
    table.trick_points += rules.cost[index(card)]
    # No branches below on what nobody could predict.
    table.hearts_broken |= bit & rules.breakers != 0
    suit = card // 13
    if table.trick_size == 0:
        table.led_suit = suit
    table.trick_size += 1
    if is_wide(rules):
        find_winner(rules, table)
    else:
        wins = (suit == table.led_suit) & (card > table.winning_card)
        table.winning_card = card if wins else table.winning_card
        table.winning_seat = seat if wins else table.winning_seat
    seat += 1
    table.turn = 0 if seat == rules.players else seat


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
