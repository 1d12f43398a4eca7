"""Moons: whether somebody shoots one, what stopping it is worth, and when to shoot oneself."""

from hearts_sim.rules import CHOICES
from hearts_sim.strategy.toolkit import (
    HEARTS,
    above_card,
    count,
    has,
    helper,
    highest,
    in_suit,
    lowest,
    rank_of,
    rules,
    suit_of,
    unseen,
)

from ._weights import PASS_MOON, POWER, SHARE, SHOOT, STOP

MOON_OFF = CHOICES["moon"].index("off")
MOON_VOID = CHOICES["moon"].index("void")


@helper
def moon_pays(view):
    """Whether a moon is worth something."""
    return not view.win_highest and view.moon != MOON_OFF and view.moon != MOON_VOID


@helper
def taken_points(view):
    """Points that all seats have taken together."""
    total = 0
    for seat in range(view.players):
        total += view.points[seat]
    return total


@helper
def all_points(view):
    """Points of all cards."""
    total, cards = 0, view.deck & view.penalty_cards
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        total += view.cost[card] * (1 + has(view.deck_twice, card))
    return max(1, total)


@helper
def can_shoot(view, seat):
    """Whether no other seat has taken what a moon needs."""
    for other in range(view.players):
        if other != seat and view.taken[other] & rules(view).moon_cards:
            return False
    return True


@helper
def stop_values(view, weights):
    """What it is worth that a moon is stopped: by oneself, and by the seat that wins so far."""
    taken = taken_points(view)
    if weights[STOP] == 0.0 or not taken or not moon_pays(view):
        return 0.0, 0.0
    for seat in range(view.players):
        if seat != view.seat and view.points[seat] and can_shoot(view, seat):
            share = taken / all_points(view)
            stop = weights[STOP] * view.moon_points
            for _ in range(int(weights[POWER])):
                stop *= share
            return stop, 0.0 if view.winning_seat == seat else stop
    return 0.0, 0.0


@helper
def goes_for_moon(view, weights, shooting):
    """Whether to shoot: once begun, until another seat has points."""
    if weights[SHOOT] == 0.0 or not moon_pays(view):
        return False
    if view.trick_number == 1 or not can_shoot(view, view.seat):
        return False
    if shooting:
        return True
    enough = taken_points(view) >= weights[SHARE] * all_points(view)
    return enough and winners(view) >= weights[SHOOT]


@helper
def winners(view):
    """Sure tricks of the hand; -1 when its hearts must lose one."""
    out = unseen(view)
    found = 0
    for suit in range(4):
        mine, others = in_suit(view.hand, suit), in_suit(out, suit)
        top = count(above_card(mine, highest(others))) if others else count(mine)
        if suit == HEARTS and mine and top == 0:
            return -1
        draws_all = top * (view.players - 1) > count(others)
        found += count(mine) if draws_all else top
    return found


@helper
def strongest_card(view):
    """The legal card that serves a moon best."""
    sure = winning_cards(view, unseen(view))
    best, best_score, cards = -1, 0, view.legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        wins = has(sure, card)
        if view.trick_size == 0:
            score = 100 * wins + rank_of(card)
        elif suit_of(card) != view.led_suit:
            score = -200 * has(view.penalty_cards, card) - 100 * wins - rank_of(card)
        elif card <= view.winning_card:
            score = -card
        elif view.trick_size == view.players - 1:
            score = 1000 - card
        else:
            score = 1000 + card
        if best < 0 or score > best_score:
            best, best_score = card, score
    return best


@helper
def winning_cards(view, out):
    """Cards of the hand that no unseen card beats."""
    found = 0
    for suit in range(4):
        mine, others = in_suit(view.hand, suit), in_suit(out, suit)
        found |= above_card(mine, highest(others)) if others else mine
    return found


@helper
def for_moon(view, weights):
    """Whether to pass for a moon: the hand has enough sure tricks."""
    pays = weights[PASS_MOON] > 0.0 and moon_pays(view)
    return pays and winners(view) >= weights[PASS_MOON]
