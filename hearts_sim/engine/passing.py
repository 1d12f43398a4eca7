"""Passing cards before the play."""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.bits import count


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
    for seat in range(rules.players):
        game.passed[seat] = 0
        game.received[seat] = 0


@kernel
def passable_cards(rules: Any, game: Any, hand: int) -> int:
    """Cards that may be passed from a hand; a ban lapses when too few others are left."""
    cards: int = hand & ~rules.pass_forbidden
    return cards if count(cards) >= game.pass_need else hand


@kernel
def highest_cards(cards: int, number: int) -> int:
    """The cards that a bot without a pass of its own passes.

    The highest ranks; among equal ranks hearts before spades, diamonds and clubs.
    """
    chosen = 0
    for rank in range(12, -1, -1):
        for suit in range(3, -1, -1):
            bit = 1 << (13 * suit + rank)
            if cards & bit and number > 0:
                chosen |= bit
                number -= 1
    return chosen


@kernel
def exchange(rules: Any, game: Any, hands: Any) -> None:
    """All seats give what they chose (`game.passed`) at the same time.

    A scatter gives the lowest card to the next seat on the left, the second to the one after it,
    and so on.
    """
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
