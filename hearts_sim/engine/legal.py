"""Which cards may be played: the settings in the one order that makes them unambiguous."""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.record import ALL_POINTS_HEARTS, ALL_POINTS_QUEEN

SPADES = 2
QUEEN = 1 << 36
SPADE_KING_OR_ACE = 3 << 37
HEARTS = 0x1FFF << 39


@inlined
def suit_mask(suit: int) -> int:
    """All thirteen cards of a suit."""
    return 0x1FFF << (13 * suit)


@kernel
def without_points(rules: Any, cards: int) -> int:
    """What the ban on the first trick leaves of some cards; never nothing."""
    kept: int = cards & ~rules.point_cards
    if kept:
        return kept
    if rules.first_trick_all_points == ALL_POINTS_HEARTS and cards & HEARTS:
        return cards & HEARTS
    if rules.first_trick_all_points == ALL_POINTS_QUEEN and cards & QUEEN:
        return QUEEN
    return cards


@kernel
def legal_leads(rules: Any, play: Any, hand: int) -> int:
    """Cards that the leader of a trick may lead."""
    first = play.done == 0
    if first and play.opening:
        return play.opening  # type: ignore[no-any-return]
    cards = hand
    if first and rules.first_trick_ban:
        cards = without_points(rules, cards)
    if play.broken:
        return cards
    allowed = cards
    if rules.hearts_lead_barred:
        allowed &= ~HEARTS
    if rules.queen_lead_barred:
        allowed &= ~QUEEN
    if rules.hearts_instead_of_queen and allowed == QUEEN:
        allowed |= cards & HEARTS
    return allowed if allowed else cards


@kernel
def legal_discards(rules: Any, play: Any, hand: int) -> int:
    """Cards that a seat which is void in the led suit may throw."""
    cards = hand
    if play.done == 0 and rules.first_trick_ban:
        cards = without_points(rules, cards)
    if rules.queen_discard_barred and not play.broken and cards & ~QUEEN:
        cards &= ~QUEEN
    if rules.queen_forced and cards & QUEEN:
        return QUEEN
    return cards


@inlined
def legal_cards(rules: Any, play: Any) -> int:
    """Cards that the seat in turn may play; never none.

    Parameters
    ----------
    rules : record of dtype `RULES`
    play : record of dtype `PLAY`

    Returns
    -------
    int
        Mask of cards.
    """
    hand: int = play.hands[play.turn]
    if play.count == 0:
        return legal_leads(rules, play, hand)  # type: ignore[no-any-return]
    cards = hand & suit_mask(play.led)
    if not cards:
        return legal_discards(rules, play, hand)  # type: ignore[no-any-return]
    if play.done == 0 and rules.first_trick_ban:
        cards = without_points(rules, cards)
    if (
        rules.queen_forced
        and play.led == SPADES
        and play.trick & SPADE_KING_OR_ACE
        and cards & QUEEN
    ):
        return QUEEN
    return cards
