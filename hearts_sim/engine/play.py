"""Playing cards and winning tricks: the part of the rules that a playout needs.

`table` is any record with the fields of `TABLE`, `hands` one of dtype `HANDS`.
"""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import index


@kernel
def clear_table(rules: Any, table: Any) -> None:
    """Begin the play of a hand: nothing taken, hearts unbroken."""
    for seat in range(rules.players):
        table.taken[seat] = 0
        table.points[seat] = 0
    table.hearts_broken = 0
    table.trick_number = 1
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
    hands.cards[index(seat)] ^= bit
    table.trick_cards |= bit
    table.trick_points += rules.cost[index(card)]
    # No branches below on what nobody could predict.
    table.hearts_broken |= bit & rules.breakers != 0
    suit = card // 13
    if table.trick_size == 0:
        table.led_suit = suit
    wins = (suit == table.led_suit) & (card > table.winning_card)
    table.winning_card = card if wins else table.winning_card
    table.winning_seat = seat if wins else table.winning_seat
    table.trick_size += 1
    seat += 1
    table.turn = 0 if seat == rules.players else seat


@inlined
def take_trick(table: Any) -> None:
    """The winner of a complete trick takes it and leads to the next."""
    winner = table.winning_seat
    table.taken[index(winner)] |= table.trick_cards
    table.points[index(winner)] += table.trick_points
    table.leader = winner
    table.turn = winner
    table.trick_number += 1
    clear_trick(table)
