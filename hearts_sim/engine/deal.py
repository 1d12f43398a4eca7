"""Dealing: who gets which cards, and who opens the play."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.bits import lowest
from hearts_sim.engine.memory import stream_at
from hearts_sim.engine.record import ANY_CLUB, ELDEST_ANY
from hearts_sim.engine.rng import below, hand_key, seat_key, seed_stream, splitmix
from hearts_sim.engine.wide import is_wide

CLUBS = (1 << 13) - 1
NO_CARD = 64
"""What `lowest` says of the empty set."""


@kernel
def deal_hand(rules: Any, game: Any, hands: Any) -> None:
    """Deal the cards of the current hand, which depend on seed, block and hand alone.

    Every deal is equally likely (R. Durstenfeld's shuffle).
    """
    state, deck = game.stream, game.deck
    seed_stream(state, splitmix(game.hand_key))
    for index in range(rules.deck_size):
        deck[index] = rules.deck_cards[index]
    left = rules.deck_size
    for seat in range(rules.players):
        hand, twice = 0, 0
        for _ in range(rules.hand_size):
            index = below(state, left)
            left -= 1
            bit = 1 << deck[index]
            if is_wide(rules):
                twice |= hand & bit
            hand |= bit
            deck[index] = deck[left]
        hands.cards[seat] = hand
        if is_wide(rules):
            hands.cards_twice[seat] = twice
    if is_wide(rules):
        lay_kitty(hands, deck, left)


@kernel
def lay_kitty(hands: Any, deck: Any, left: int) -> None:
    """Put the first `left` cards of the deck, which nobody got, face down."""
    hands.kitty = 0
    hands.kitty_twice = 0
    for place in range(left):
        bit = 1 << deck[place]
        hands.kitty_twice |= hands.kitty & bit
        hands.kitty |= bit


@kernel
def seed_game(rules: Any, game: Any) -> None:
    """Key the seats' random streams for a game."""
    for seat in range(rules.players):
        game.seat_keys[seat] = seat_key(game.seed, game.block, seat)


@kernel
def seed_hand(rules: Any, game: Any, seats: Any) -> None:
    """Key the current hand (0: before the first), and give each seat its random stream."""
    game.hand_key = hand_key(game.seed, game.block, game.hand_number)
    for seat in range(rules.players):
        key = splitmix(game.seat_keys[seat] ^ np.uint64(game.hand_number))
        seed_stream(stream_at(seats.bot[seat].own), key)


@kernel
def open_play(rules: Any, game: Any, table: Any, hands: Any) -> None:
    """Find who leads to the first trick, after the exchange, and with what."""
    eldest = 0
    if is_wide(rules) or rules.first_lead == ELDEST_ANY:
        # The dealer of hand k is seat k - 1; the eldest sits to the dealer's left.
        eldest = game.hand_number % rules.players
    opener = eldest
    hands.opening = 0
    if rules.first_lead != ELDEST_ANY:
        first = NO_CARD
        seat = eldest
        for _ in range(rules.players):
            club = lowest(hands.cards[seat] & CLUBS)
            # Of two equal lowest clubs, that of the seat nearer to the eldest.
            if club < first:
                first, opener = club, seat
            seat = 0 if seat + 1 == rules.players else seat + 1
        # All clubs may lie in the kitty: then anything may be led.
        if first < NO_CARD:
            hands.opening = 1 << first
            if rules.first_lead == ANY_CLUB:
                hands.opening = hands.cards[opener] & CLUBS
    table.turn = opener
    table.leader = opener
