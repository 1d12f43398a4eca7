"""A player that does everything reasonably well; `AllRoundCompiled` is its compiled twin.

Every card gets a score: the points that it would probably cost to keep it, less the points that it
would probably bring to play it now. Points are counted in thousandths and chances in per mille, all
of them whole numbers, so that both twins make the same choices. Points that one wants are below
zero: those of bonus cards, or those of all other cards where the highest total wins.
"""

from functools import cache

from hearts_sim import Strategy
from hearts_sim.cards import HEARTS, HEARTS_SET

# Found by playing some hundred thousand hands with other values. Costs of a trick beside the cards
# of its suit, by suit, are per mille of the points of all hearts; the last where the highest wins.
PASS_COSTS = (196, 196, 196, 16, -400)
PLAY_COSTS = (94, 94, 94, 4, -20)
LEAD_COST = 6  # of having to lead to the next trick
FORCED = (1000, 550, 340, 290, 170)  # chance to have to play a card with 0, 1, ... lower ones
CAUGHT_SHARE = 415  # share of the points in the led suit that others cannot keep back
DUMPED_SHARE = 1350  # the same for points thrown by those who cannot follow
MOON_SHARE = 100  # share of all points from which their only taker may shoot the moon
STOP_POWER = 7  # a moon succeeds with the share of all points so far, to this power
CARDS_PER_WINNER = 12  # of the deck, for each sure trick of a hand that passes for a moon
MOON_WINNERS = 2  # sure tricks of a hand that goes for it


class AllRound(Strategy):
    """Weighs what a card may cost now against what it may cost later, in every variant.

    Passes: the cards that are dearest to keep, such as high cards and those that catch the queen of
        spades; with enough sure winners its lowest ranks, for a moon.
    Plays: the card with the best balance. So it ducks, leads cards that others must beat, takes
        tricks that are cheap with its highest card and throws its dearest card when void. It keeps
        bonus cards until it wins with them, and where the highest total wins it treats all points
        so. A partner's trick is its own. The more points a single other side has taken alone, the
        more it wants another one to take some; when it has them itself and holds winners, it shoots
        the moon.
    Uses: the hand, the unseen cards, the voids shown, the trick, the points, the cost of cards and
        the rules.
    """

    def __init__(self):
        self.shooting = False

    def start_game(self, view):
        sign = -1 if view.win_highest else 1
        self.values = [sign * (view.cost[card] + view.bonus[card]) for card in range(52)]
        self.hearts = worth(view.cost, HEARTS_SET, view.deck_twice)
        self.total = view.rules.total

    def choose_pass(self, view):
        winners = count_winners(view) + (view.team_count > 0) if moon_pays(view) else -1
        for_moon = winners >= len(view.deck) // CARDS_PER_WINNER
        cards = sorted([*view.legal, *(view.legal & view.hand_twice)])
        cards.sort(key=lambda card: self.pass_score(view, card, for_moon), reverse=True)
        return cards[: view.pass_count]

    def choose_card(self, view):
        self.shooting = goes_for_moon(view, self.shooting, self.total)
        if len(view.legal) == 1:
            return view.legal.lowest()
        if self.shooting:
            return max(view.legal, key=lambda card: strength(view, card))
        return self.best_card(view)

    # The balance of a card.

    def pass_score(self, view, card, for_moon):
        """How gladly a card is passed."""
        if for_moon:
            return -card.rank
        others = view.unseen.suit(card.suit)
        cost = PASS_COSTS[-1 if view.win_highest else card.suit] * self.hearts // 1000
        return burden(view, self.values, card, others, view.unseen_twice, view.players - 1, cost)

    def best_card(self, view):
        """The legal card with the best balance."""
        best, best_score = -1, 0
        unseen, twice, values = view.unseen, view.unseen_twice, self.values
        lead_cost = 0 if view.win_highest else LEAD_COST * self.hearts // 1000
        stake = trick_stake(view, values) + lead_cost
        stop, gift = stop_values(view, self.total)
        for suit in range(4):
            mine = view.hand.suit(suit)
            if not mine & view.legal:
                continue
            others = unseen.suit(suit)
            seats = count_followers(view, suit)
            cost = PLAY_COSTS[-1 if view.win_highest else suit] * self.hearts // 1000
            guards = number(mine, view.hand_twice)
            guarding = 0  # what the cards above would cost more without this one below them
            for card in reversed(list(mine)):
                guards -= 1 + (card in view.hand_twice)
                loss = burden(view, values, card, others, twice, seats, cost)
                forced = FORCED[min(guards, 4)] if loss > 0 else 1000
                if card in view.legal:
                    score = loss * forced // 1000 - guarding
                    score -= risk(view, values, card, unseen, twice, seats, stake, stop, gift)
                    if best < 0 or score > best_score:
                        best, best_score = card, score
                if guards and loss > 0:
                    guarding += loss * (FORCED[min(guards - 1, 4)] - forced) // 1000
        return best


def burden(view, values, card, others, twice, seats, cost):
    """Points that come with having to play a card in a later trick."""
    stake = 1000 * values[card] + caught_points(view, values, card, others, seats, seats) + cost
    return winning_chance(card, others, twice, seats, seats, stake > 0) * stake // 1000


def risk(view, values, card, unseen, twice, seats, stake, stop, gift):
    """Points that come with playing a card now."""
    others = unseen.suit(card.suit)
    stake += 1000 * values[card]
    leads = view.trick_size == 0
    wins_over = view.winning_card - (view.rules.trick_winner == "latest_of_equals")
    if leads or (card.suit == view.led_suit and card > wins_over):
        waiting, behind = count_behind(view, card.suit)
        stake += caught_points(view, values, card, others, seats, behind)
        stake += dumped_points(view, values, unseen, others, seats, behind, waiting)
        if view.trick_points or view.cost[card]:
            stake -= stop
        return winning_chance(card, others, twice, seats, behind, stake > 0) * stake // 1000
    loss = 0
    if view.winning_seat == view.partner:
        led, seats = unseen.suit(view.led_suit), count_followers(view, view.led_suit)
        behind = count_behind(view, view.led_suit)[1]
        chance = winning_chance(view.winning_card, led, twice, seats, behind, stake > 0)
        loss = chance * stake // 1000
    if view.cost[card]:
        loss -= gift
    if stop > 0 and others == others.below(card):
        loss += stop  # it could win a trick later, to stop the moon
    return loss


def trick_stake(view, values):
    """Points that the trick has so far for its winner, with all that comes with it."""
    stake = sum(1000 * values[card] for card in view.trick)
    stake += worth(values, view.held, view.held_twice)
    if view.kitty_size and view.kitty_seat < 0 and brings_kitty(view):
        unseen, twice = view.unseen, view.unseen_twice
        stake += worth(values, unseen, twice) * view.kitty_size // number(unseen, twice)
    rules = view.rules
    if rules.no_trick_bonus:
        won = view.tricks_won[view.seat]
        if rules.teams == "pooled":
            won += view.tricks_won[view.partner]
        if not won:
            bonus = -rules.no_trick_bonus if view.win_highest else rules.no_trick_bonus
            stake -= 1000 * bonus * view.trick_number // view.hand_size
    return stake


def brings_kitty(view):
    """Whether the kitty goes with this trick, as far as one can tell."""
    if view.rules.leftover == "kitty_first_penalty" and view.trick_points:
        return True
    return view.rules.leftover == "kitty_first_trick" or view.trick_number == view.hand_size


def number(cards, twice):
    """Number of cards, with both copies of those that are there twice."""
    return len(cards) + (len(cards & twice) if twice else 0)


def worth(values, cards, twice):
    """Points of all cards, with both copies of those that are there twice."""
    return sum(1000 * values[card] * (1 + (card in twice)) for card in cards)


def winning_chance(card, others, twice, seats, behind, ducked):
    """Chance that a card wins, when `behind` of `seats` followers play after it.

    They duck, or they beat it when they can. A copy of the card counts as a higher one.
    """
    below = number(others.below(card), twice)
    above = number(others, twice) - below
    if above == 0 or behind == 0 or seats == 0:
        return 1000
    beaten = 1000 - chance_of_none(above, seats)
    if ducked:
        beaten = beaten * chance_of_none(below, seats) // 1000
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


def caught_points(view, values, card, others, seats, behind):
    """Points of the same suit that fall under a card which wins."""
    lower = others.below(card)
    falling = min(behind, len(lower))
    if falling == 0 or not lower & (view.penalty_cards | view.bonus_cards):
        return 0
    mean, dearest, wanted = survey(values, lower)
    points = falling * mean + falling * (dearest - mean) // seats
    return points * CAUGHT_SHARE // 1000 + falling * wanted // len(lower)


def dumped_points(view, values, unseen, others, seats, behind, waiting):
    """Points of other suits that come from opponents who cannot follow.

    Of the `waiting` opponents, `behind` have not shown to be void. Points that everybody wants come
    from those who have nothing else.
    """
    cards = (unseen - others) & (view.penalty_cards | view.bonus_cards)
    if waiting == 0 or not cards:
        return 0
    mean, dearest, wanted = survey(values, cards)
    opponents = view.players - 1
    voids = 1000 * (waiting - behind)
    if behind:
        voids += behind * chance_of_none(len(others), seats)
    points = voids * ((opponents - 1) * mean + dearest) // opponents // 1000
    points = points * DUMPED_SHARE // 1000
    return points + voids * wanted // len(unseen) // 1000 if view.win_highest else points


def survey(values, cards):
    """Of some cards: points of the dearest, after the mean of the others; all that are wanted."""
    feared, dearest, wanted = 0, 0, 0
    for card in cards:
        value = values[card]
        if value > 0:
            feared += value
            dearest = max(dearest, value)
        else:
            wanted += value
    mean = 1000 * (feared - dearest) // max(1, len(cards) - 1)
    return mean, 1000 * dearest, 1000 * wanted


def count_followers(view, suit):
    """How many other seats have not shown to be void in a suit."""
    voids = view.voids
    return sum(1 - (voids[seat] >> suit & 1) for seat in range(view.players) if seat != view.seat)


def count_behind(view, suit):
    """How many opponents play after oneself, and how many of them are not known to be void."""
    voids, partner = view.voids, view.partner
    waiting, found = 0, 0
    for step in range(1, view.players - view.trick_size):
        seat = (view.seat + step) % view.players
        if seat != partner:
            waiting += 1
            found += 1 - (voids[seat] >> suit & 1)
    return waiting, found


# The moon.


def moon_pays(view):
    """Whether a moon is worth something."""
    return not view.win_highest and view.rules.moon not in ("off", "void")


def shoots_with(view, one, other):
    """Whether two seats are the same, or of a team that shoots together."""
    if view.rules.moon_scope == "team":
        return one >= 0 and one % view.team_count == other % view.team_count
    return one == other


def can_shoot(view, seat):
    """Whether no other side has taken what a moon needs."""
    needed = view.penalty_cards
    if view.rules.moon_needs_bonus:
        needed |= view.bonus_cards
    return not any(
        cards & needed
        for other, cards in enumerate(view.taken)
        if not shoots_with(view, other, seat)
    )


def stop_values(view, total):
    """What it is worth that a moon is stopped: by oneself, and by the seat that wins so far.

    Below zero for the moon of a partner.
    """
    taken = sum(view.points)
    if not taken or not moon_pays(view):
        return 0, 0
    for seat in range(view.players):
        if seat != view.seat and view.points[seat] and can_shoot(view, seat):
            stop = 1000 * view.moon_points
            for _ in range(1 if view.rules.moon_scope == "team" else STOP_POWER):
                stop = stop * taken // total
            stop = -stop if seat == view.partner else stop
            return stop, 0 if shoots_with(view, view.winning_seat, seat) else stop
    return 0, 0


def goes_for_moon(view, shooting, total):
    """Whether to shoot: once begun, until another side has points."""
    if not moon_pays(view) or view.trick_number == 1 or not can_shoot(view, view.seat):
        return False
    if shooting:
        return True
    enough = 1000 * sum(view.points) >= MOON_SHARE * total
    return enough and count_winners(view) >= MOON_WINNERS


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
        draws_all = top * (view.players - 1) > number(others, view.unseen_twice)
        found += len(mine) if draws_all else top
    return found


def strength(view, card):
    """How good a card is on the way to the moon."""
    others = view.unseen.suit(card.suit)
    wins = others == others.below(card)
    if view.trick_size == 0:
        return 100 * wins + card.rank
    helps = view.winning_seat != view.seat and shoots_with(view, view.winning_seat, view.seat)
    if card.suit != view.led_suit:
        points = 200 * (card in view.penalty_cards)
        return (points if helps else -points) - 100 * wins - card.rank
    if helps or card <= view.winning_card:
        return -card
    last = view.trick_size == view.players - 1
    return 1000 - card if last else 1000 + card
