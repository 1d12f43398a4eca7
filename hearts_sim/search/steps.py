"""What every search does: candidates, moods in a world, a card and the end of its trick."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine.bits import highest, lowest
from hearts_sim.engine.legal import suit_mask
from hearts_sim.engine.play import find_taker, finish_trick, play_card
from hearts_sim.search._jit import inlined, kernel
from hearts_sim.search.policy import NOBODY, SHOOTS, USUAL, above_bit, answer, is_strong, lead

_SOME_NOISE: Any = np.uint64(1)


@kernel
def representatives(rules: Any, cards: int, hand: int, others: int) -> int:
    """Of some cards of a hand, the lowest of those that come to the same.

    Two cards of a suit come to the same when no card between them is anywhere else and both cost
    as much.

    Parameters
    ----------
    others : int
        Cards in other hands and in the trick.
    """
    kept, before = 0, np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        same = False
        if before >= 0 and before // 13 == card // 13:
            between = ((1 << card) - 1) & ~((2 << before) - 1)
            same = (
                others & between == 0
                and rules.cost[card] == rules.cost[before]
                and rules.bonus[card] == rules.bonus[before]
                and rules.breakers >> card & 1 == rules.breakers >> before & 1
            )
        if not same:
            kept |= 1 << card
        before = card
    return kept


@inlined
def cards_elsewhere(view: Any) -> int:
    """Cards that one has not seen, and those of the trick."""
    cards = view.deck & ~(view.hand | view.played)
    for place in range(view.trick_size):
        cards |= 1 << view.trick[place]
    return cards


@kernel
def by_habit(rules: Any, view: Any, table: Any, candidates: Any, danger: Any) -> int:
    """The candidate that comes to the same as what one would play without any search."""
    others = cards_elsewhere(view) & ~table.trick_cards
    if view.trick_size == 0:
        card = lead(rules, view.hand, view.legal, others, False, _SOME_NOISE)
    else:
        led = suit_mask(view.led_suit)
        card = answer(
            rules,
            table,
            view.seat,
            view.hand,
            view.legal,
            led,
            others,
            False,
            False,
            danger,
            _SOME_NOISE,
        )
    # Of cards that come to the same the lowest is a candidate.
    return highest(candidates & suit_mask(card // 13) & ~above_bit(card))


@inlined
def may_shoot(rules: Any, seat: int, sole: int) -> bool:
    """Whether a moon of a seat is still possible."""
    return rules.moon != 0 and (sole == NOBODY or sole == rules.moon_side[seat])


@kernel
def set_moods(rules: Any, hands: Any, seat: int, sole: int, moods: Any) -> None:
    """Set which of the others go for the moon in a world."""
    out = 0
    for other in range(rules.players):
        out |= hands.cards[other]
    for other in range(rules.players):
        moods[other] = USUAL
        if other != seat and may_shoot(rules, other, sole):
            hand = hands.cards[other]
            if is_strong(rules, hand, out & ~hand):
                moods[other] = SHOOTS


@inlined
def play_and_finish(rules: Any, table: Any, hands: Any, card: int) -> None:
    """Play a card, and when it was the last one of the trick put the trick away."""
    play_card(rules, table, hands, card)
    if table.trick_size == rules.players:
        finish_trick(rules, table, find_taker(rules, table))
