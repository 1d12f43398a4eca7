"""The compiled twin of `AllRound`: the same functions in the same order, on bare integers."""

from hearts_sim import CompiledStrategy
from hearts_sim.rules import CHOICES
from hearts_sim.strategy.toolkit import (
    HEARTS,
    above_card,
    below_card,
    bit,
    count,
    has,
    helper,
    highest,
    in_suit,
    lowest,
    memory,
    rank_of,
    suit_of,
)

# As in all_round.py.
PASS_COSTS = (2550, 2550, 2550, 210)
PLAY_COSTS = (1220, 1220, 1220, 50)
FORCED = (1000, 550, 340, 290, 170)
LEAD_COST = 85
CAUGHT_SHARE = 415
DUMPED_SHARE = 1350
MOON_SHARE = 300
STOPPER_VALUE = 2000
PASS_WINNERS = 4
MOON_WINNERS = 2

MOON_OFF = CHOICES["moon"].index("off")
MOON_VOID = CHOICES["moon"].index("void")


class AllRoundCompiled(CompiledStrategy):
    """Weighs what a card may cost now against what it may cost later, compiled.

    Passes: as AllRound, card by card.
    Plays: as AllRound, card by card.
    Uses: as AllRound: the hand, the unseen cards, the voids shown, the trick, the points and the
        cost of cards. Compiled; its memory is whether it is shooting the moon.
    """

    memory_words = 1

    @staticmethod
    def choose_pass(view):
        for_moon = moon_pays(view) and count_winners(view) >= PASS_WINNERS
        chosen = 0
        for _ in range(view.pass_count):
            chosen |= bit(dearest_card(view, view.legal & ~chosen, for_moon))
        return chosen

    @staticmethod
    def choose_card(view):
        shooting = memory(view)
        shooting[0] = goes_for_moon(view, shooting[0])
        if count(view.legal) == 1:
            return lowest(view.legal)
        if shooting[0]:
            return strongest_card(view)
        return best_card(view)


# The balance of a card.


@helper
def pass_score(view, card, for_moon):
    """How gladly a card is passed."""
    if for_moon:
        return -rank_of(card)
    suit = suit_of(card)
    others = in_suit(unseen_cards(view), suit)
    loss = burden(view, view.cost, card, others, view.players - 1, PASS_COSTS[suit])
    return -loss if view.win_highest else loss


@helper
def best_card(view):
    """The legal card with the best balance."""
    best, best_score = -1, 0
    unseen, cost = unseen_cards(view), view.cost
    threat = find_threat(view)
    for suit in range(4):
        mine = in_suit(view.hand, suit)
        if not mine & view.legal:
            continue
        others = in_suit(unseen, suit)
        seats = count_followers(view, suit, view.players - 1)
        guards = count(mine)
        guarding = 0  # what the cards above would cost more without this one below them
        while mine:
            card = highest(mine)
            mine &= ~bit(card)
            guards -= 1
            loss = burden(view, cost, card, others, seats, PLAY_COSTS[suit])
            forced = FORCED[min(guards, 4)]
            if has(view.legal, card):
                score = loss * forced // 1000 - guarding
                score -= risk(view, cost, card, unseen, seats, threat)
                if view.win_highest:
                    score = -score
                if best < 0 or score > best_score:
                    best, best_score = card, score
            if guards:
                guarding += loss * (FORCED[min(guards - 1, 4)] - forced) // 1000
    return best


@helper
def burden(view, cost, card, others, seats, trick_cost):
    """Points that come with having to play a card in a later trick."""
    stake = 1000 * cost[card] + caught_points(view, cost, card, others, seats, seats) + trick_cost
    return winning_chance(card, others, seats, seats) * stake // 1000


@helper
def risk(view, cost, card, unseen, seats, threat):
    """Points that come with playing a card now."""
    suit = suit_of(card)
    others = in_suit(unseen, suit)
    follows = view.trick_size > 0 and suit == view.led_suit
    if view.trick_size > 0 and not (follows and card > view.winning_card):
        return threat_cost(view, cost[card], above_card(others, card), threat)
    waiting = view.players - 1 - view.trick_size
    behind = count_followers(view, suit, waiting)
    stake = 1000 * (view.trick_points + cost[card]) + LEAD_COST
    stake += caught_points(view, cost, card, others, seats, behind)
    stake += dumped_points(view, cost, unseen, others, seats, behind, waiting)
    return winning_chance(card, others, seats, behind) * stake // 1000


@helper
def threat_cost(view, points, above, threat):
    """What a card that loses the trick does for a seat that may shoot the moon."""
    loss = 0
    if threat >= 0 and points and view.winning_seat != threat:
        loss -= STOPPER_VALUE
    if threat >= 0 and not above:
        loss += STOPPER_VALUE
    return loss


@helper
def winning_chance(card, others, seats, behind):
    """Chance that a card wins, when `behind` of `seats` followers play after it and duck."""
    above = count(above_card(others, card))
    if above == 0 or behind == 0 or seats == 0:
        return 1000
    below = count(others) - above
    beaten = (1000 - chance_of_none(above, seats)) * chance_of_none(below, seats) // 1000
    chance = 1000
    for _ in range(behind):
        chance = chance * (1000 - beaten) // 1000
    return chance


@helper
def chance_of_none(cards, seats):
    """Chance that a certain one of some seats holds none of some cards."""
    chance = 1000
    for _ in range(cards):
        chance = chance * (seats - 1) // seats
    return chance


@helper
def caught_points(view, cost, card, others, seats, behind):
    """Points of the same suit that fall under a card which wins."""
    lower = below_card(others, card)
    number = min(behind, count(lower))
    if number == 0 or not lower & view.penalty_cards:
        return 0
    mean, dearest = mean_and_dearest(cost, lower)
    points = number * mean + number * (dearest - mean) // seats
    return points * CAUGHT_SHARE // 1000


@helper
def dumped_points(view, cost, unseen, others, seats, behind, waiting):
    """Points of other suits that come from seats which cannot follow.

    Of the `waiting` seats, `behind` have not shown to be void.
    """
    cards = unseen & ~others & view.penalty_cards
    if waiting == 0 or not cards:
        return 0
    mean, dearest = mean_and_dearest(cost, cards)
    opponents = view.players - 1
    voids = 1000 * (waiting - behind)
    if behind:
        voids += behind * chance_of_none(count(others), seats)
    points = voids * ((opponents - 1) * mean + dearest) // opponents // 1000
    return points * DUMPED_SHARE // 1000


@helper
def mean_and_dearest(cost, cards):
    """Points of the dearest of some cards, after the mean of the others."""
    number = count(cards)
    total, dearest = 0, 0
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        total += cost[card]
        dearest = max(dearest, cost[card])
    return 1000 * (total - dearest) // max(1, number - 1), 1000 * dearest


@helper
def count_followers(view, suit, number):
    """How many of the next seats have not shown to be void in a suit."""
    found = 0
    for step in range(1, number + 1):
        seat = (view.seat + step) % view.players
        found += 1 - (view.voids[seat] >> suit & 1)
    return found


# The moon.


@helper
def moon_pays(view):
    """Whether a moon is worth something."""
    return not view.win_highest and view.moon != MOON_OFF and view.moon != MOON_VOID


@helper
def find_threat(view):
    """The other seat that alone has taken points, and many of them; -1 when there is none."""
    taken = points_taken(view)
    if not moon_pays(view) or 1000 * taken < MOON_SHARE * all_points(view):
        return -1
    for seat in range(view.players):
        if seat != view.seat and view.points[seat] == taken:
            return seat
    return -1


@helper
def goes_for_moon(view, shooting):
    """Whether to shoot: once begun, until another seat has points."""
    taken = points_taken(view)
    if not moon_pays(view) or view.trick_number == 1 or taken > view.points[view.seat]:
        return False
    if shooting:
        return True
    return 1000 * taken >= MOON_SHARE * all_points(view) and count_winners(view) >= MOON_WINNERS


@helper
def count_winners(view):
    """Sure tricks of the hand; -1 when its hearts must lose one."""
    unseen = unseen_cards(view)
    found = 0
    for suit in range(4):
        mine, others = in_suit(view.hand, suit), in_suit(unseen, suit)
        top = count(above_card(mine, highest(others))) if others else count(mine)
        if suit == HEARTS and mine and top == 0:
            return -1
        # Enough winners draw the others' cards, and the rest of the suit wins as well.
        draws_all = top * (view.players - 1) > count(others)
        found += count(mine) if draws_all else top
    return found


@helper
def strength(view, card):
    """How good a card is on the way to the moon."""
    suit = suit_of(card)
    wins = not above_card(in_suit(unseen_cards(view), suit), card)
    if view.trick_size == 0:
        return 100 * wins + rank_of(card)
    if suit != view.led_suit:
        return -200 * has(view.penalty_cards, card) - 100 * wins - rank_of(card)
    if card < view.winning_card:
        return -card
    last = view.trick_size == view.players - 1
    return 1000 - card if last else 1000 + card


# What the plain twin has from Python and its view.


@helper
def unseen_cards(view):
    """Cards of the deck that are neither in the hand nor played."""
    return view.deck & ~view.hand & ~view.played


@helper
def points_taken(view):
    """Points that all seats have taken together."""
    total = 0
    for seat in range(view.players):
        total += view.points[seat]
    return total


@helper
def all_points(view):
    """Points of all cards that were dealt."""
    total = 0
    for card in range(52):
        total += view.cost[card]
    return total


@helper
def dearest_card(view, cards, for_moon):
    """The card that is passed most gladly."""
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        if pass_score(view, card, for_moon) > pass_score(view, best, for_moon):
            best = card
    return best


@helper
def strongest_card(view):
    """The legal card of most strength."""
    cards = view.legal
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        if strength(view, card) > strength(view, best):
            best = card
    return best
