"""Which cards may be played: the settings in the one order that makes them unambiguous."""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import count, either, index, lowest
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
def legal_leads(rules: Any, table: Any, hands: Any, hand: int) -> int:
    """Cards that the leader of a trick may lead."""
    first = table.trick_number == 1
    if first and hands.opening:
        return hands.opening
    cards = hand
    if first and rules.first_trick_ban:
        cards = without_points(rules, cards)
    if table.hearts_broken:
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
def legal_discards(rules: Any, table: Any, hand: int) -> int:
    """Cards that a seat which is void in the led suit may throw."""
    cards = hand
    if table.trick_number == 1 and rules.first_trick_ban:
        cards = without_points(rules, cards)
    if rules.queen_discard_barred and not table.hearts_broken and cards & ~QUEEN:
        cards &= ~QUEEN
    if rules.queen_forced and cards & QUEEN:
        return QUEEN
    return cards


@kernel
def neutral_card(legal: int) -> int:
    """The card that is played for a bot that failed: the lowest of the longest legal suit.

    Among equally long ones clubs come before diamonds, spades and hearts.
    """
    best, length = 0, 0
    for suit in range(4):
        cards = legal & suit_mask(suit)
        if count(cards) > length:
            best, length = cards, count(cards)
    return lowest(best)


@inlined
def legal_cards(rules: Any, table: Any, hands: Any) -> int:
    """Cards that the seat in turn may play; never none.

    Parameters
    ----------
    rules : record of dtype `RULES`
    table : record with the fields of `TABLE`
    hands : record of dtype `HANDS`

    Returns
    -------
    int
        Mask of cards.
    """
    hand: int = hands.cards[index(table.turn)]
    if table.trick_size == 0:
        return legal_leads(rules, table, hands, hand)
    return legal_follows(
        rules, table, hand, suit_mask(table.led_suit), follows_simply(rules, table)
    )


@inlined
def follows_simply(rules: Any, table: Any) -> bool:
    """Whether all that holds for a trick is to follow suit, and who cannot plays anything."""
    return table.trick_number > 1 and not (rules.queen_forced | rules.queen_discard_barred)


@inlined
def legal_follows(rules: Any, table: Any, hand: int, led: int, simply: bool) -> int:
    """Cards that a seat may play to a trick.

    Parameters
    ----------
    led : int
        All cards of the suit led.
    simply : bool
        What `follows_simply` says of the trick.
    """
    cards = hand & led
    if simply:
        return either(cards != 0, cards, hand)
    if not cards:
        return legal_discards(rules, table, hand)
    if table.trick_number == 1 and rules.first_trick_ban:
        cards = without_points(rules, cards)
    if (
        rules.queen_forced
        and table.led_suit == SPADES
        and table.trick_cards & SPADE_KING_OR_ACE
        and cards & QUEEN
    ):
        return QUEEN
    return cards
