"""Weighing a card: what it may cost to play it now, and what it would cost to keep it.

Points and chances are floats. A point that one wants, such as that of a bonus card, is below zero.
Weights are options, see `_weights`.
"""

from hearts_sim.strategy.toolkit import (
    HEARTS,
    SPADES,
    below_card,
    bit,
    count,
    helper,
    in_suit,
    lowest,
    memory,
    rank_of,
    suit_of,
    unseen,
)

from ._moons import for_moon, stop_values
from ._weights import (
    CAUGHT,
    GUARD,
    KEEP,
    KEEP_HEARTS,
    LEAD,
    PASS_HEARTS,
    PASS_KEEP,
    PASS_VOID,
    THROWN,
)

LOSS = 1  # place in the memory of the loss of each card, in millionths
MEMORY = LOSS + 13


@helper
def value(view, card):
    """Points that a card brings to who takes it, below zero when they are wanted."""
    points = view.cost[card] + view.bonus[card]
    return -float(points) if view.win_highest else float(points)


@helper
def left(view, seat):
    """Cards in the hand of another seat."""
    return view.hand_size - count(view.played_by[seat]) - count(view.played_by_twice[seat])


@helper
def places(view, suit):
    """Cards in the hands of all other seats that may be of a suit."""
    found = 0
    for seat in range(view.players):
        if seat != view.seat and not view.voids[seat] >> suit & 1:
            found += left(view, seat)
    return found


@helper
def none_of(view, seat, suit, number, room):
    """Chance that a seat holds none of some unseen cards of a suit; `room` as from `places`."""
    if view.voids[seat] >> suit & 1:
        return 1.0
    mine = left(view, seat)
    chance = 1.0
    for taken in range(number):
        if room - mine - taken <= 0:
            return 0.0
        chance *= (room - mine - taken) / (room - taken)
    return chance


@helper
def unbeaten(view, card, others, room, end):
    """Chance that a card is not beaten by the seats after oneself, up to `end` - 1 seats away.

    Others stay under it when they can.
    """
    suit = suit_of(card)
    below = count(below_card(others, card))
    above = count(others) - below
    if above == 0:
        return 1.0
    chance = 1.0
    for step in range(1, end):
        seat = (view.seat + step) % view.players
        can = 1.0 - none_of(view, seat, suit, above, room)
        chance *= 1.0 - can * none_of(view, seat, suit, below, room)
    return chance


@helper
def survey(view, cards):
    """Of some cards: the points of the dearest, and the mean of the others."""
    total, dearest, others = 0.0, 0.0, max(1, count(cards) - 1)
    while cards:
        points = value(view, lowest(cards))
        cards &= cards - 1
        total += points
        dearest = max(dearest, points)
    return dearest, (total - dearest) / others


@helper
def caught(view, weights, card, others, falling, seats):
    """Points of the same suit that fall under a card when `falling` others of `seats` follow."""
    lower = below_card(others, card)
    falling = min(falling, count(lower))
    if falling == 0 or not lower & (view.penalty_cards | view.bonus_cards):
        return 0.0
    dearest, mean = survey(view, lower)
    return weights[CAUGHT] * falling * (mean + (dearest - mean) / seats)


@helper
def thrown(view, weights, out, others, suit, room):
    """Points of other suits from those who play after oneself and cannot follow."""
    cards = out & ~others & (view.penalty_cards | view.bonus_cards)
    if not cards:
        return 0.0
    dearest, mean = survey(view, cards)
    voids = 0.0
    for step in range(1, view.players - view.trick_size):
        seat = (view.seat + step) % view.players
        voids += none_of(view, seat, suit, count(others), room)
    return weights[THROWN] * voids * (mean + (dearest - mean) / (view.players - 1))


@helper
def followers(view, suit, behind):
    """Other seats that are not known to be void in a suit: all, or those that play after one."""
    found = 0
    for step in range(1, view.players - view.trick_size if behind else view.players):
        found += 1 - (view.voids[(view.seat + step) % view.players] >> suit & 1)
    return found


@helper
def loss_of(view, weights, card, others, room, seats, keep):
    """Points that come with having to play a card in a later trick."""
    stake = value(view, card) + caught(view, weights, card, others, seats, max(1, seats)) + keep
    return unbeaten(view, card, others, room, view.players) * stake


@helper
def forced(weights, guards):
    """Chance to have to play a card, with so many lower ones of the suit in the hand."""
    return 1.0 if guards == 0 else weights[GUARD + min(guards, 4) - 1]


@helper
def burden(view, weights, mine):
    """Points that the cards of a suit will bring, when each has the loss in the memory."""
    total, guards = 0.0, 0
    while mine:
        card = lowest(mine)
        mine &= mine - 1
        loss = memory(view)[LOSS + rank_of(card)] / 1e6
        total += loss * forced(weights, guards) if loss > 0.0 else loss
        guards += 1
    return total


@helper
def fill_losses(view, weights, mine, others, keep):
    """Put the loss of each card of a suit into the memory."""
    if not mine:
        return
    suit = suit_of(lowest(mine))
    room, seats = places(view, suit), followers(view, suit, False)
    while mine:
        card = lowest(mine)
        mine &= mine - 1
        loss = loss_of(view, weights, card, others, room, seats, keep)
        memory(view)[LOSS + rank_of(card)] = int(loss * 1e6)


@helper
def best_card(view, weights):
    """The legal card with the best balance of what it costs to keep it and to play it."""
    best, best_score = -1, 0.0
    out = unseen(view)
    stop, gift = stop_values(view, weights)
    so_far = 0.0
    for place in range(view.trick_size):
        so_far += value(view, view.trick[place])
    for suit in range(4):
        mine = in_suit(view.hand, suit)
        if not mine & view.legal:
            continue
        others = in_suit(out, suit)
        keep = weights[KEEP_HEARTS] if suit == HEARTS else weights[KEEP]
        fill_losses(view, weights, mine, others, keep)
        whole = burden(view, weights, mine)
        cards = mine & view.legal
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            score = whole - burden(view, weights, mine & ~bit(card))
            score -= risk(view, weights, card, out, so_far, stop, gift)
            if best < 0 or score > best_score:
                best, best_score = card, score
    return best


@helper
def risk(view, weights, card, out, so_far, stop, gift):
    """Points that come with playing a card now."""
    suit = suit_of(card)
    others = in_suit(out, suit)
    if view.trick_size == 0 or (suit == view.led_suit and card > view.winning_card):
        room = places(view, suit)
        behind, seats = followers(view, suit, True), followers(view, suit, False)
        stake = so_far + weights[LEAD] + value(view, card)
        stake += caught(view, weights, card, others, behind, max(1, seats))
        stake += thrown(view, weights, out, others, suit, room)
        if view.trick_points or view.cost[card]:
            stake -= stop
        end = view.players - view.trick_size
        return unbeaten(view, card, others, room, end) * stake
    found = 0.0
    if view.cost[card]:
        found -= gift
    if stop > 0 and others == below_card(others, card):
        found += stop  # it could win a trick later, to stop the moon
    return found


# The pass.


@helper
def best_pass(view, weights):
    """The cards to pass, one after another, each for the hand that is left."""
    shooting = for_moon(view, weights)
    out = unseen(view)
    chosen = 0
    for turn in range(view.pass_count):
        best, best_score = -1, 0.0
        for suit in range(4):
            mine = in_suit(view.hand, suit) & ~chosen
            keep = weights[PASS_HEARTS] if suit == HEARTS else weights[PASS_KEEP]
            others = in_suit(out, suit)
            fill_losses(view, weights, mine, others, keep)
            cards = mine & view.legal
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                score = memory(view)[LOSS + rank_of(card)] / 1e6
                if count(mine) <= view.pass_count - turn and suit != SPADES:
                    score += weights[PASS_VOID]
                if shooting:
                    score = -float(rank_of(card))
                if best < 0 or score > best_score:
                    best, best_score = card, score
        chosen |= bit(best)
    return chosen
