"""A player that does everything reasonably well; `AllRoundCompiled` is its compiled twin.

Every card gets a score: the points that it would probably cost to keep it, less the points that it
would probably bring to play it now. Points are counted in thousandths and chances in per mille, all
of them whole numbers, so that both twins make the same choices.
"""

from functools import cache

from hearts_sim import Strategy
from hearts_sim.cards import HEARTS

# Found by playing some hundred thousand hands with other values.
PASS_COSTS = (2550, 2550, 2550, 210)  # what a trick costs beside the cards of its suit, by suit
PLAY_COSTS = (1220, 1220, 1220, 50)
FORCED = (1000, 550, 340, 290, 170)  # chance to have to play a card with 0, 1, ... lower ones
LEAD_COST = 85  # of having to lead to the next trick
CAUGHT_SHARE = 415  # share of the points in the led suit that others cannot keep back
DUMPED_SHARE = 1350  # the same for points thrown by those who cannot follow
MOON_SHARE = 300  # share of all points from which their only taker may shoot the moon
STOPPER_VALUE = 2000  # of a card that can stop a moon, and of a point for another seat
PASS_WINNERS = 4  # sure tricks of a hand that passes for a moon
MOON_WINNERS = 2  # and of a hand that goes for it


class AllRound(Strategy):
    """Weighs what a card may cost now against what it may cost later.

    Passes: the cards that are dearest to keep, such as high cards and those that catch the queen of
        spades; with enough sure winners its lowest ranks, for a moon.
    Plays: the card with the best balance. So it ducks, leads cards that others must beat, takes
        tricks that are cheap with its highest card and throws its dearest card when void. While a
        single other seat has all the points, it keeps its winners and gives points to a third; when
        it has them itself and holds winners, it shoots the moon. Where the highest total wins, it
        turns everything round.
    Uses: the hand, the unseen cards, the voids shown, the trick, the points and the cost of cards.
    """

    def __init__(self):
        self.shooting = False

    def choose_pass(self, view):
        for_moon = moon_pays(view) and count_winners(view) >= PASS_WINNERS
        dearest_first = sorted(
            view.legal, key=lambda card: pass_score(view, card, for_moon), reverse=True
        )
        return dearest_first[: view.pass_count]

    def choose_card(self, view):
        self.shooting = goes_for_moon(view, self.shooting)
        if len(view.legal) == 1:
            return view.legal.lowest()
        if self.shooting:
            return max(view.legal, key=lambda card: strength(view, card))
        return best_card(view)


# The balance of a card.


def pass_score(view, card, for_moon):
    """How gladly a card is passed."""
    if for_moon:
        return -card.rank
    others = view.unseen.suit(card.suit)
    loss = burden(view, view.cost, card, others, view.players - 1, PASS_COSTS[card.suit])
    return -loss if view.rules.win == "highest" else loss


def best_card(view):
    """The legal card with the best balance."""
    best, best_score = -1, 0
    unseen, cost = view.unseen, view.cost
    threat = find_threat(view)
    highest_wins = view.rules.win == "highest"
    for suit in range(4):
        mine = view.hand.suit(suit)
        if not mine & view.legal:
            continue
        others = unseen.suit(suit)
        seats = count_followers(view, suit, view.players - 1)
        guards = len(mine)
        guarding = 0  # what the cards above would cost more without this one below them
        for card in reversed(list(mine)):
            guards -= 1
            loss = burden(view, cost, card, others, seats, PLAY_COSTS[suit])
            forced = FORCED[min(guards, 4)]
            if card in view.legal:
                score = loss * forced // 1000 - guarding
                score -= risk(view, cost, card, unseen, seats, threat)
                if highest_wins:
                    score = -score
                if best < 0 or score > best_score:
                    best, best_score = card, score
            if guards:
                guarding += loss * (FORCED[min(guards - 1, 4)] - forced) // 1000
    return best


def burden(view, cost, card, others, seats, trick_cost):
    """Points that come with having to play a card in a later trick."""
    stake = 1000 * cost[card] + caught_points(view, cost, card, others, seats, seats) + trick_cost
    return winning_chance(card, others, seats, seats) * stake // 1000


def risk(view, cost, card, unseen, seats, threat):
    """Points that come with playing a card now."""
    others = unseen.suit(card.suit)
    follows = view.trick_size > 0 and card.suit == view.led_suit
    if view.trick_size > 0 and not (follows and card > view.winning_card):
        return threat_cost(view, cost[card], others.above(card), threat)
    waiting = view.players - 1 - view.trick_size
    behind = count_followers(view, card.suit, waiting)
    stake = 1000 * (view.trick_points + cost[card]) + LEAD_COST
    stake += caught_points(view, cost, card, others, seats, behind)
    stake += dumped_points(view, cost, unseen, others, seats, behind, waiting)
    return winning_chance(card, others, seats, behind) * stake // 1000


def threat_cost(view, points, above, threat):
    """What a card that loses the trick does for a seat that may shoot the moon."""
    loss = 0
    if threat >= 0 and points and view.winning_seat != threat:
        loss -= STOPPER_VALUE
    if threat >= 0 and not above:
        loss += STOPPER_VALUE
    return loss


def winning_chance(card, others, seats, behind):
    """Chance that a card wins, when `behind` of `seats` followers play after it and duck."""
    above = len(others.above(card))
    if above == 0 or behind == 0 or seats == 0:
        return 1000
    below = len(others) - above
    beaten = (1000 - chance_of_none(above, seats)) * chance_of_none(below, seats) // 1000
    chance = 1000
    for _ in range(behind):
        chance = chance * (1000 - beaten) // 1000
    return chance


@cache
def chance_of_none(cards, seats):
    """Chance that a certain one of some seats holds none of some cards."""
    chance = 1000
    for _ in range(cards):
        chance = chance * (seats - 1) // seats
    return chance


def caught_points(view, cost, card, others, seats, behind):
    """Points of the same suit that fall under a card which wins."""
    lower = others.below(card)
    number = min(behind, len(lower))
    if number == 0 or not lower & view.penalty_cards:
        return 0
    mean, dearest = mean_and_dearest(cost, lower)
    points = number * mean + number * (dearest - mean) // seats
    return points * CAUGHT_SHARE // 1000


def dumped_points(view, cost, unseen, others, seats, behind, waiting):
    """Points of other suits that come from seats which cannot follow.

    Of the `waiting` seats, `behind` have not shown to be void.
    """
    cards = (unseen - others) & view.penalty_cards
    if waiting == 0 or not cards:
        return 0
    mean, dearest = mean_and_dearest(cost, cards)
    opponents = view.players - 1
    voids = 1000 * (waiting - behind)
    if behind:
        voids += behind * chance_of_none(len(others), seats)
    points = voids * ((opponents - 1) * mean + dearest) // opponents // 1000
    return points * DUMPED_SHARE // 1000


def mean_and_dearest(cost, cards):
    """Points of the dearest of some cards, after the mean of the others."""
    points = [cost[card] for card in cards]
    dearest = max(points)
    return 1000 * (sum(points) - dearest) // max(1, len(points) - 1), 1000 * dearest


def count_followers(view, suit, number):
    """How many of the next seats have not shown to be void in a suit."""
    voids = view.voids
    found = 0
    for step in range(1, number + 1):
        seat = (view.seat + step) % view.players
        found += 1 - (voids[seat] >> suit & 1)
    return found


# The moon.


def moon_pays(view):
    """Whether a moon is worth something."""
    return view.rules.win == "lowest" and view.rules.moon not in ("off", "void")


def find_threat(view):
    """The other seat that alone has taken points, and many of them; -1 when there is none."""
    taken = sum(view.points)
    if not moon_pays(view) or 1000 * taken < MOON_SHARE * sum(view.cost):
        return -1
    for seat in range(view.players):
        if seat != view.seat and view.points[seat] == taken:
            return seat
    return -1


def goes_for_moon(view, shooting):
    """Whether to shoot: once begun, until another seat has points."""
    taken = sum(view.points)
    if not moon_pays(view) or view.trick_number == 1 or taken > view.points[view.seat]:
        return False
    if shooting:
        return True
    return 1000 * taken >= MOON_SHARE * sum(view.cost) and count_winners(view) >= MOON_WINNERS


def count_winners(view):
    """Sure tricks of the hand; -1 when its hearts must lose one."""
    unseen = view.unseen
    found = 0
    for suit in range(4):
        mine, others = view.hand.suit(suit), unseen.suit(suit)
        top = len(mine.above(others.highest())) if others else len(mine)
        if suit == HEARTS and mine and top == 0:
            return -1
        # Enough winners draw the others' cards, and the rest of the suit wins as well.
        draws_all = top * (view.players - 1) > len(others)
        found += len(mine) if draws_all else top
    return found


def strength(view, card):
    """How good a card is on the way to the moon."""
    wins = not view.unseen.suit(card.suit).above(card)
    if view.trick_size == 0:
        return 100 * wins + card.rank
    if card.suit != view.led_suit:
        return -200 * (card in view.penalty_cards) - 100 * wins - card.rank
    if card < view.winning_card:
        return -card
    last = view.trick_size == view.players - 1
    return 1000 - card if last else 1000 + card
