"""How seats play in a playout: quick habits of a fair player, from what that player could see.

A seat knows its own hand, what was played and so what is out, and the trick; it never looks into
another hand. Three moods: as usual, going for the moon, and stopping somebody else's moon.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine.bits import count, highest, index, lowest, nth
from hearts_sim.engine.legal import suit_mask
from hearts_sim.engine.rng import next_word
from hearts_sim.search._jit import inlined, kernel

QUEEN = 36
QUEEN_BIT = 1 << 36
KING_ACE = 3 << 37
SPADES = suit_mask.py_func(2)
NO_CARD: Any = np.int64(-1)
LEAST: Any = np.int64(-1 << 40)
USUAL, SHOOTS = np.int64(0), np.int64(1)
NOBODY: Any = np.int64(-1)
SEVERAL: Any = np.int64(-2)

_LOW_BITS, _SEVEN, _NONE = np.uint64(0xFF), np.uint64(7), np.uint64(0)


@inlined
def below_bit(card: int) -> int:
    """All cards of a lower number."""
    return (1 << card) - 1


@inlined
def above_bit(card: int) -> int:
    """All cards of a higher number."""
    return ~((2 << card) - 1)


@inlined
def worth(rules: Any, card: int) -> int:
    """What taking a card costs its taker; below zero for cards that one wants."""
    points = rules.cost[index(card)] + rules.bonus[index(card)]
    return -points if rules.win_highest else points


@kernel
def lead(rules: Any, hand: int, legal: int, out: int, shoots: bool, noise: Any) -> int:
    """Card to lead; `out` are the cards in other hands, `noise` random bits to break ties."""
    best, best_score = NO_CARD, LEAST
    queen_out = out & QUEEN_BIT & rules.penalty_cards != 0
    for suit in range(4):
        mask = suit_mask(suit)
        cards = legal & mask
        if not cards:
            continue
        others = out & mask
        length = count(hand & mask)
        if shoots:
            card = highest(cards)
            if others == 0 or card > highest(others):
                score = np.int64(1000) + 16 * length
            else:
                # Strike out what is missing at the top, from a long suit.
                score = 16 * length - 8 * count(others & above_bit(card))
        else:
            card = lowest(cards)
            higher, lower = count(others & above_bit(card)), count(others & below_bit(card))
            if others == 0:
                score = np.int64(-240)
            else:
                score = 12 * higher - 10 * lower - 4 * length
                if higher == 0:
                    score -= 120
            if suit == 2 and rules.penalty_cards & QUEEN_BIT:
                if hand & QUEEN_BIT:
                    score -= 90 - 12 * length
                elif queen_out:
                    if hand & KING_ACE:
                        score -= 60
                    else:
                        card = highest(cards)
                        score = np.int64(110)
        score += np.int64((noise >> np.uint64(8 * suit)) & _LOW_BITS) >> 3
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def follow(
    rules: Any, table: Any, hand: int, legal: int, out: int, shoots: bool, stops: bool, noise: Any
) -> int:
    """Card of the suit led; `stops` when the trick must not go to the seat that wins it so far."""
    best = table.winning_card
    last = table.trick_size == rules.players - 1
    over = legal & above_bit(best)
    under = legal & below_bit(best)
    if shoots or stops:
        if not over:
            return lowest(legal)
        plain = over & ~QUEEN_BIT if stops else over
        if not plain:
            plain = over
        return lowest(plain) if last else highest(plain)
    stake = table.trick_points
    if rules.bonus_cards:
        stake += wanted(rules, table.trick_cards)
    if rules.win_highest:
        stake = -stake
    if stake < 0 and over:
        return lowest(over) if last else highest(over)
    safe = legal & ~QUEEN_BIT if rules.penalty_cards & QUEEN_BIT else legal
    if not safe:
        return lowest(legal)
    if last and stake == 0 and over & safe and not (under & QUEEN_BIT) and noise & _SEVEN != _NONE:
        # A trick that costs nothing is the time to be rid of a high card.
        return highest(safe)
    if under:
        return highest(under)
    if last or (table.trick_number == 1 and rules.first_trick_ban):
        return highest(safe)
    return lowest(safe)


@inlined
def answer(
    rules: Any,
    table: Any,
    seat: int,
    hand: int,
    legal: int,
    led: int,
    out: int,
    shoots: bool,
    threatens: bool,
    danger: Any,
    noise: Any,
) -> int:
    """Card to a trick that was led; `threatens` when who wins it so far is to be stopped."""
    if legal & (legal - 1) == 0:
        return count(legal - 1)
    if legal & led:
        stops = threatens and table.trick_cards & rules.moon_cards != 0
        return follow(rules, table, hand, legal, out, shoots, stops, noise)
    keeps = threatens or shoots
    if rules.team_count and table.winning_seat >= 0:
        mine = rules.side[index(seat)]
        keeps = keeps or rules.side[index(table.winning_seat)] == mine
    return discard(rules, hand, legal, out, danger, keeps)


@kernel
def discard(rules: Any, hand: int, legal: int, out: int, danger: Any, keeps: bool) -> int:
    """Card to throw when void; `keeps` when penalty cards must not go to who wins the trick."""
    cards = legal
    if keeps:
        cards = legal & ~rules.penalty_cards
        if not cards:
            # The cheapest that there is.
            return cheapest(rules, legal)
    best, best_score = NO_CARD, LEAST
    queen_out = out & QUEEN_BIT & rules.penalty_cards != 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        mask = suit_mask(card // 13) & out
        score = danger[card]
        if mask == 0:
            score -= 40
        elif mask & above_bit(card) == 0:
            score += 8
        if queen_out and 1 << card & KING_ACE and count(hand & SPADES) < 4:
            score += 60
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def cheapest(rules: Any, cards: int) -> int:
    """The card that costs least."""
    best, least = lowest(cards), worth(rules, lowest(cards))
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if worth(rules, card) < least:
            best, least = card, worth(rules, card)
    return best


@kernel
def wanted(rules: Any, cards: int) -> int:
    """Points of the bonus cards among some cards."""
    points = 0
    cards &= rules.bonus_cards
    while cards:
        points += rules.bonus[index(lowest(cards))]
        cards &= cards - 1
    return points


@kernel
def fill_danger(rules: Any, danger: Any) -> None:
    """How gladly each card is thrown; `danger` has 52 numbers."""
    for card in range(52):
        danger[card] = 10 * worth(rules, card) + 3 * (card % 13)
        if rules.penalty_cards >> card & 1 and not rules.win_highest:
            danger[card] += 12


@kernel
def is_strong(rules: Any, hand: int, out: int) -> bool:
    """Whether a hand may try the moon: it can hope to take every trick that matters."""
    sure, holes = 0, 0
    for suit in range(4):
        mine, others = hand & suit_mask(suit), out & suit_mask(suit)
        if not mine:
            continue
        if not others:
            sure += count(mine)
            continue
        top = count(mine & above_bit(highest(others)))
        if top * (rules.players - 1) >= count(others):
            sure += count(mine)
        else:
            sure += top
            # Low cards of a suit that others win.
            left = mine & below_bit(highest(others))
            higher = count(others & above_bit(lowest(left))) if left else 0
            if left and higher:
                holes += count(left) if suit == 3 else (count(left) + 1) // 2
    return sure >= 4 and holes <= 1 + (sure >= 6)


@inlined
def random_card(stream: Any, cards: int) -> int:
    """One card of a set, chosen by multiplying: nearly equally likely, without a loop."""
    number = count(cards)
    word = next_word(stream) >> np.uint64(32)
    return nth(cards, np.int64((word * np.uint64(number)) >> np.uint64(32)))
