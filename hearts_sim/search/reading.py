"""What the choices of the others suggest about the cards that they hold.

A seat that throws a club where the queen of spades could go will not have her. Such signs prove
nothing, so each only changes the odds of a card at a seat by a factor. docs/verification/reading.md
has the count behind each factor: how often seats did hold the card, against how often they would if
all possible worlds were equally likely. Signs that point one way for some strategies and the other
way for others are left out, such as what a seat that ducks could have ducked with.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine.bits import count, lowest
from hearts_sim.engine.legal import suit_mask
from hearts_sim.search._jit import inlined, kernel
from hearts_sim.search.belief import believe, believe_weighted
from hearts_sim.search.knowledge import NO_CARDS
from hearts_sim.search.policy import KING_ACE, QUEEN, QUEEN_BIT, SPADES, below_bit

KEPT_QUEEN, TOOK_EARLY, LED_SPADE = range(3)
"""Signs: something else was thrown than the queen, which would have gone to somebody; a trick was
taken by a seat that others still followed, or with points in it, so it had nothing lower; a spade
below the queen was led, so neither she nor king or ace are there."""

FACTORS = np.array([0.2, 0.7, 0.75])
"""What each sign makes of the odds of a card at the seat that gave it."""

LEAST_ODDS = 0.02
"""However many signs speak against a card."""

MOST_STATES = 4096
"""Of the table of the sampler: with more, odds cost more time than they are worth."""


@kernel
def believe_signs(rules: Any, view: Any, trust: float) -> Any:
    """Find which worlds are possible, each as likely as the choices of the others suggest.

    Parameters
    ----------
    rules, view
        As for `belief.believe`.
    trust : float
        Power to which the factors are raised; 0 makes all worlds equally likely.

    Returns
    -------
    Belief
    """
    states = 1
    for seat in range(view.players):
        if seat != view.seat:
            states *= view.hand_size - count(view.played_by[seat]) + 1
    if trust <= 0.0 or states > MOST_STATES or rules.win_highest:
        return believe(rules, view)
    weights = np.ones((view.players + 1, 52))
    if not weigh_signs(rules, view, FACTORS**trust, weights):
        return believe(rules, view)
    return believe_weighted(rules, view, weights)


@kernel
def weigh_signs(rules: Any, view: Any, factors: Any, weights: Any) -> bool:
    """Change the odds of hidden cards at seats by what was played; returns whether any changed.

    Parameters
    ----------
    rules, view
        As for `belief.believe`.
    factors : ndarray of float64, by sign
    weights : ndarray of shape (players + 1, 52), float64
        As of `belief.believe_weighted`.
    """
    hidden = view.deck & ~(view.played | view.hand)
    queen = hidden & QUEEN_BIT & rules.penalty_cards
    seat, led, winning, trick_cards = view.seat, NO_CARDS, np.int64(0), NO_CARDS
    place, trick, changed = 0, 0, False
    for number in range(view.cards_played):
        card = view.history[number]
        bit = 1 << card
        if place == 0:
            seat = view.leaders[trick]
            led, trick_cards, winning = suit_mask(card // 13), NO_CARDS, card
        if seat != view.seat:
            against, factor = NO_CARDS, 1.0
            if place == 0:
                if queen and bit & SPADES and card < QUEEN:
                    against, factor = hidden & (QUEEN_BIT | KING_ACE), factors[LED_SPADE]
            elif bit & led == 0:
                if trick > 0 or not rules.first_trick_ban:
                    against, factor = queen, factors[KEPT_QUEEN]
            elif card > winning and trick > 0:
                last = place == view.players - 1
                if not last or trick_cards & rules.penalty_cards:
                    against = hidden & led & below_bit(winning)
                    factor = factors[TOOK_EARLY]
            if against:
                lower_odds(weights, seat, against, factor)
                changed = True
        if bit & led:
            winning = max(winning, card)
        trick_cards |= bit
        seat = 0 if seat + 1 == view.players else seat + 1
        place += 1
        if place == view.players:
            place = 0
            trick += 1
    return changed


@inlined
def lower_odds(weights: Any, seat: int, cards: int, factor: float) -> None:
    """Multiply the odds of some cards at a seat."""
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        weights[seat, card] = max(LEAST_ODDS, weights[seat, card] * factor)
