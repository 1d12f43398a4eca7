"""Passing cards before the play."""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.bits import count
from hearts_sim.engine.wide import both_twice, is_wide


@kernel
def plan_pass(rules: Any, game: Any) -> None:
    """Set where the pass of the current hand goes and how many cards each seat passes."""
    offset = rules.cycle[(game.hand_number - 1) % rules.cycle_length]
    need = rules.pass_count
    if offset == -1 and need:
        need = rules.players - 1
    if need == 0:
        offset = 0
    game.pass_offset = offset
    game.pass_need = need if offset else 0
    game.passed[:] = 0
    game.received[:] = 0
    if is_wide(rules):
        game.passed_twice[:] = 0
        game.received_twice[:] = 0


@kernel
def passable_cards(rules: Any, game: Any, hand: int, twice: int) -> int:
    """Cards that may be passed from a hand; a ban lapses when too few others are left.

    `twice` are the cards that the hand has twice, both here and below: 0 with one pack.
    """
    cards: int = hand & ~rules.pass_forbidden
    return cards if count(cards) + count(cards & twice) >= game.pass_need else hand


@kernel
def is_pass(game: Any, passable: int, twice: int, chosen: int, chosen_twice: int) -> bool:
    """Whether a choice of cards may be passed from a hand."""
    if chosen & ~passable or chosen_twice & ~(chosen & twice):
        return False
    return count(chosen) + count(chosen_twice) == game.pass_need


@kernel
def highest_cards(cards: int, twice: int, number: int) -> tuple[int, int]:
    """The cards that a bot without a pass of its own passes, and those of which both copies go.

    The highest ranks; among equal ranks hearts before spades, diamonds and clubs.
    """
    chosen, both = 0, 0
    for rank in range(12, -1, -1):
        for suit in range(3, -1, -1):
            bit = 1 << (13 * suit + rank)
            if cards & bit and number > 0:
                chosen |= bit
                number -= 1
                if twice & bit and number > 0:
                    both |= bit
                    number -= 1
    return chosen, both


@kernel
def exchange(rules: Any, game: Any, hands: Any) -> None:
    """All seats give what they chose (`game.passed`) at the same time.

    A scatter gives the lowest card to the next seat on the left, the second to the one after it,
    and so on; of a card that is passed twice, the copies follow each other.
    """
    if is_wide(rules):
        exchange_wide(rules, game, hands)
        return
    players = rules.players
    for seat in range(players):
        hands.cards[seat] &= ~game.passed[seat]
    for seat in range(players):
        if game.pass_offset > 0:
            game.received[(seat + game.pass_offset) % players] = game.passed[seat]
        else:
            left = game.passed[seat]
            for offset in range(1, players):
                bit = left & -left
                left ^= bit
                game.received[(seat + offset) % players] |= bit
    for seat in range(players):
        hands.cards[seat] |= game.received[seat]


@kernel
def exchange_wide(rules: Any, game: Any, hands: Any) -> None:
    """The exchange where cards may be there twice."""
    players = rules.players
    for seat in range(players):
        hand, twice = hands.cards[seat], hands.cards_twice[seat]
        passed, both = game.passed[seat], game.passed_twice[seat]
        hands.cards[seat] = hand & ~passed | passed & ~both & twice
        hands.cards_twice[seat] = twice & ~passed
    for seat in range(players):
        passed, both = game.passed[seat], game.passed_twice[seat]
        if game.pass_offset > 0:
            to = (seat + game.pass_offset) % players
            game.received[to] = passed
            game.received_twice[to] = both
        else:
            for offset in range(1, players):
                bit = passed & -passed
                if both & bit:
                    both ^= bit
                else:
                    passed ^= bit
                to = (seat + offset) % players
                game.received_twice[to] |= game.received[to] & bit
                game.received[to] |= bit
    for seat in range(players):
        got, both = game.received[seat], game.received_twice[seat]
        hands.cards_twice[seat] = both_twice(hands.cards[seat], hands.cards_twice[seat], got, both)
        hands.cards[seat] |= got
