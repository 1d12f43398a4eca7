"""Dealing: who gets which cards, and who opens the play."""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import lowest
from hearts_sim.engine.memory import stream_at
from hearts_sim.engine.record import ANY_CLUB, ELDEST_ANY
from hearts_sim.engine.rng import PURPOSE_DEAL, PURPOSE_SEAT, below, seed_stream, stream_key

CLUBS = (1 << 13) - 1


@inlined
def deal(rules: Any, hands: Any, state: Any, deck: Any) -> None:
    """Deal the deck at random, every deal equally likely (R. Durstenfeld's shuffle).

    Parameters
    ----------
    rules : record of dtype `RULES`
    hands : ndarray of int64, one mask per seat, overwritten
    state : ndarray of shape (2,), uint64: the generator
    deck : ndarray of shape (52,), int64: scratch space
    """
    for index in range(rules.deck_size):
        deck[index] = rules.deck_cards[index]
    left = rules.deck_size
    for seat in range(rules.players):
        hand = 0
        for _ in range(rules.hand_size):
            index = below(state, left)
            left -= 1
            hand |= 1 << deck[index]
            deck[index] = deck[left]
        hands[seat] = hand


@inlined
def seed_deal(game: Any, state: Any) -> None:
    """Point a generator at the deal of the game's current hand."""
    seed_stream(state, stream_key(game.seed, game.block, game.hand_number, PURPOSE_DEAL))


@kernel
def seed_seats(rules: Any, game: Any, bots: Any) -> None:
    """Give each seat its random stream for the current hand (hand 0: before the first)."""
    for seat in range(rules.players):
        key = stream_key(game.seed, game.block, game.hand_number, PURPOSE_SEAT + seat)
        seed_stream(stream_at(bots[seat].rng), key)


@kernel
def open_play(rules: Any, game: Any, play: Any) -> None:
    """Find who leads to the first trick, after the exchange, and with what."""
    opener = 0
    play.opening = 0
    if rules.first_lead == ELDEST_ANY:
        # The dealer of hand k is seat k - 1; the eldest sits to the dealer's left.
        opener = game.hand_number % rules.players
    else:
        first = 64
        for seat in range(rules.players):
            club = lowest(play.hands[seat] & CLUBS)  # type: ignore[call-arg]
            if club < first:
                first, opener = club, seat
        play.opening = 1 << first
        if rules.first_lead == ANY_CLUB:
            play.opening = play.hands[opener] & CLUBS
    play.turn = opener
    play.leader = opener
