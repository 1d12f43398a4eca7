"""Weighing what a card may cost now against what it may cost later, under any rules.

The compiled twin of the strategy AllRound: the same functions in the same order, on bare integers.
Search players play by it where worlds cannot be drawn.
"""

from __future__ import annotations

from typing import Any

from hearts_sim.rules import CHOICES
from hearts_sim.search._jit import kernel
from hearts_sim.strategy.toolkit import (
    HEARTS,
    above_card,
    below_card,
    bit,
    count,
    has,
    highest,
    in_suit,
    lowest,
    memory,
    partner,
    rank_of,
    rules,
    suit_mask,
    suit_of,
    unseen,
    unseen_twice,
)

# As in strategies/all_round.py.
PASS_COSTS = (196, 196, 196, 16, -400)
PLAY_COSTS = (94, 94, 94, 4, -20)
LEAD_COST = 6
FORCED = (1000, 550, 340, 290, 170)
CAUGHT_SHARE = 415
DUMPED_SHARE = 1350
MOON_SHARE = 100
STOP_POWER = 7
CARDS_PER_WINNER = 12
MOON_WINNERS = 2

MOON_OFF = CHOICES["moon"].index("off")
MOON_VOID = CHOICES["moon"].index("void")
LATEST_OF_EQUALS = CHOICES["trick_winner"].index("latest_of_equals")
KITTY_FIRST_TRICK = CHOICES["leftover"].index("kitty_first_trick")
KITTY_FIRST_PENALTY = CHOICES["leftover"].index("kitty_first_penalty")

SHOOTING, HEART_POINTS, ALL_POINTS, VALUES = 0, 1, 2, 3  # places in the memory

MEMORY_WORDS = VALUES + 52


@kernel
def start_game(view: Any) -> None:
    """Note what the cards are worth; before the first hand of a game."""
    own = memory(view)
    sign = -1 if view.win_highest else 1
    for card in range(52):
        own[VALUES + card] = sign * (view.cost[card] + view.bonus[card])
    own[HEART_POINTS] = worth(view.cost, suit_mask(HEARTS), view.deck_twice)
    own[ALL_POINTS] = worth(view.cost, view.deck, view.deck_twice) // 1000


@kernel
def choose_pass(view: Any) -> int:
    """The cards to pass."""
    winners = count_winners(view) + (view.team_count > 0) if moon_pays(view) else -1
    for_moon = winners >= count(view.deck) // CARDS_PER_WINNER
    chosen, both = 0, 0
    for _ in range(view.pass_count):
        cards = view.legal & ~chosen | chosen & view.hand_twice & ~both
        card = dearest_card(view, cards, for_moon)
        both |= chosen & bit(card)
        chosen |= bit(card)
    view.answer_twice = both
    return chosen


@kernel
def choose_card(view: Any) -> int:
    """The card to play."""
    own = memory(view)
    own[SHOOTING] = goes_for_moon(view, own[SHOOTING], own[ALL_POINTS])
    if count(view.legal) == 1:
        return lowest(view.legal)
    if own[SHOOTING]:
        return strongest_card(view)
    return best_card(view)


# The balance of a card.


@kernel
def pass_score(view: Any, card: Any, for_moon: Any) -> Any:
    """How gladly a card is passed."""
    if for_moon:
        return -rank_of(card)
    suit = suit_of(card)
    others = in_suit(unseen(view), suit)
    cost = PASS_COSTS[4 if view.win_highest else suit] * memory(view)[HEART_POINTS] // 1000
    values, twice = memory(view)[VALUES:], unseen_twice(view)
    return burden(view, values, card, others, twice, view.players - 1, cost)


@kernel
def best_card(view: Any) -> Any:
    """The legal card with the best balance."""
    best, best_score = -1, 0
    out, twice, values = unseen(view), unseen_twice(view), memory(view)[VALUES:]
    heart_points = memory(view)[HEART_POINTS]
    lead_cost = 0 if view.win_highest else LEAD_COST * heart_points // 1000
    stake = trick_stake(view, values) + lead_cost
    stop, gift = stop_values(view, memory(view)[ALL_POINTS])
    for suit in range(4):
        mine = in_suit(view.hand, suit)
        if not mine & view.legal:
            continue
        others = in_suit(out, suit)
        seats = count_followers(view, suit)
        cost = PLAY_COSTS[4 if view.win_highest else suit] * heart_points // 1000
        guards = number(mine, view.hand_twice)
        guarding = 0  # what the cards above would cost more without this one below them
        while mine:
            card = highest(mine)
            mine &= ~bit(card)
            guards -= 1 + has(view.hand_twice, card)
            loss = burden(view, values, card, others, twice, seats, cost)
            forced = FORCED[min(guards, 4)] if loss > 0 else 1000
            if has(view.legal, card):
                score = loss * forced // 1000 - guarding
                score -= risk(view, values, card, out, twice, seats, stake, stop, gift)
                if best < 0 or score > best_score:
                    best, best_score = card, score
            if guards and loss > 0:
                guarding += loss * (FORCED[min(guards - 1, 4)] - forced) // 1000
    return best


@kernel
def burden(
    view: Any, values: Any, card: Any, others: Any, twice: Any, seats: Any, cost: Any
) -> Any:
    """Points that come with having to play a card in a later trick."""
    stake = 1000 * values[card] + caught_points(view, values, card, others, seats, seats) + cost
    return winning_chance(card, others, twice, seats, seats, stake > 0) * stake // 1000


@kernel
def risk(
    view: Any,
    values: Any,
    card: Any,
    out: Any,
    twice: Any,
    seats: Any,
    stake: Any,
    stop: Any,
    gift: Any,
) -> Any:
    """Points that come with playing a card now."""
    suit = suit_of(card)
    others = in_suit(out, suit)
    stake += 1000 * values[card]
    leads = view.trick_size == 0
    wins_over = view.winning_card - (rules(view).trick_winner == LATEST_OF_EQUALS)
    if leads or (suit == view.led_suit and card > wins_over):
        waiting, behind = count_behind(view, suit)
        stake += caught_points(view, values, card, others, seats, behind)
        stake += dumped_points(view, values, out, others, seats, behind, waiting)
        if view.trick_points or view.cost[card]:
            stake -= stop
        return winning_chance(card, others, twice, seats, behind, stake > 0) * stake // 1000
    loss = 0
    if view.team_count and view.winning_seat == partner(view):
        led, seats = in_suit(out, view.led_suit), count_followers(view, view.led_suit)
        behind = count_behind(view, view.led_suit)[1]
        chance = winning_chance(view.winning_card, led, twice, seats, behind, stake > 0)
        loss = chance * stake // 1000
    if view.cost[card]:
        loss -= gift
    if stop > 0 and others == below_card(others, card):
        loss += stop  # it could win a trick later, to stop the moon
    return loss


@kernel
def trick_stake(view: Any, values: Any) -> Any:
    """Points that the trick has so far for its winner, with all that comes with it."""
    stake = 0
    for place in range(view.trick_size):
        stake += 1000 * values[view.trick[place]]
    stake += worth(values, view.held, view.held_twice)
    if view.kitty_size and view.kitty_seat < 0 and brings_kitty(view):
        cards, twice = unseen(view), unseen_twice(view)
        stake += worth(values, cards, twice) * view.kitty_size // number(cards, twice)
    bonus = rules(view).no_trick_bonus
    if bonus:
        won = view.tricks_won[view.seat]
        if rules(view).pooled:
            won += view.tricks_won[partner(view)]
        if not won:
            bonus = -bonus if view.win_highest else bonus
            stake -= 1000 * bonus * view.trick_number // view.hand_size
    return stake


@kernel
def brings_kitty(view: Any) -> Any:
    """Whether the kitty goes with this trick, as far as one can tell."""
    rule = rules(view).kitty_rule
    if rule == KITTY_FIRST_PENALTY and view.trick_points:
        return True
    return rule == KITTY_FIRST_TRICK or view.trick_number == view.hand_size


@kernel
def number(cards: Any, twice: Any) -> Any:
    """Number of cards, with both copies of those that are there twice."""
    return count(cards) + count(cards & twice)


@kernel
def worth(values: Any, cards: Any, twice: Any) -> Any:
    """Points of all cards, with both copies of those that are there twice."""
    total = 0
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        total += 1000 * values[card] * (1 + has(twice, card))
    return total


@kernel
def winning_chance(card: Any, others: Any, twice: Any, seats: Any, behind: Any, ducked: Any) -> Any:
    """Chance that a card wins, when `behind` of `seats` followers play after it.

    They duck, or they beat it when they can. A copy of the card counts as a higher one.
    """
    below = number(below_card(others, card), twice)
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


@kernel
def chance_of_none(cards: Any, seats: Any) -> Any:
    """Chance that a certain one of some seats holds none of some cards."""
    chance = 1000
    for _ in range(cards):
        chance = chance * (seats - 1) // seats
    return chance


@kernel
def caught_points(view: Any, values: Any, card: Any, others: Any, seats: Any, behind: Any) -> Any:
    """Points of the same suit that fall under a card which wins."""
    lower = below_card(others, card)
    falling = min(behind, count(lower))
    if falling == 0 or not lower & (view.penalty_cards | view.bonus_cards):
        return 0
    mean, dearest, wanted = survey(values, lower)
    points = falling * mean + falling * (dearest - mean) // seats
    return points * CAUGHT_SHARE // 1000 + falling * wanted // count(lower)


@kernel
def dumped_points(
    view: Any, values: Any, out: Any, others: Any, seats: Any, behind: Any, waiting: Any
) -> Any:
    """Points of other suits that come from opponents who cannot follow.

    Of the `waiting` opponents, `behind` have not shown to be void. Points that everybody wants come
    from those who have nothing else.
    """
    cards = out & ~others & (view.penalty_cards | view.bonus_cards)
    if waiting == 0 or not cards:
        return 0
    mean, dearest, wanted = survey(values, cards)
    opponents = view.players - 1
    voids = 1000 * (waiting - behind)
    if behind:
        voids += behind * chance_of_none(count(others), seats)
    points = voids * ((opponents - 1) * mean + dearest) // opponents // 1000
    points = points * DUMPED_SHARE // 1000
    return points + voids * wanted // count(out) // 1000 if view.win_highest else points


@kernel
def survey(values: Any, cards: Any) -> Any:
    """Of some cards: points of the dearest, after the mean of the others; all that are wanted."""
    others = max(1, count(cards) - 1)
    feared, dearest, wanted = 0, 0, 0
    while cards:
        value = values[lowest(cards)]
        cards &= cards - 1
        if value > 0:
            feared += value
            dearest = max(dearest, value)
        else:
            wanted += value
    return 1000 * (feared - dearest) // others, 1000 * dearest, 1000 * wanted


@kernel
def count_followers(view: Any, suit: Any) -> Any:
    """How many other seats have not shown to be void in a suit."""
    found = 0
    for seat in range(view.players):
        if seat != view.seat:
            found += 1 - (view.voids[seat] >> suit & 1)
    return found


@kernel
def count_behind(view: Any, suit: Any) -> Any:
    """How many opponents play after oneself, and how many of them are not known to be void."""
    waiting, found = 0, 0
    for step in range(1, view.players - view.trick_size):
        seat = (view.seat + step) % view.players
        if seat != partner(view):
            waiting += 1
            found += 1 - (view.voids[seat] >> suit & 1)
    return waiting, found


# The moon.


@kernel
def moon_pays(view: Any) -> Any:
    """Whether a moon is worth something."""
    return not view.win_highest and view.moon != MOON_OFF and view.moon != MOON_VOID


@kernel
def shoots_with(view: Any, one: Any, other: Any) -> Any:
    """Whether two seats are the same, or of a team that shoots together."""
    if rules(view).moon_by_team:
        return one >= 0 and one % view.team_count == other % view.team_count
    return one == other


@kernel
def can_shoot(view: Any, seat: Any) -> Any:
    """Whether no other side has taken what a moon needs."""
    for other in range(view.players):
        if view.taken[other] & rules(view).moon_cards and not shoots_with(view, other, seat):
            return False
    return True


@kernel
def stop_values(view: Any, total: Any) -> Any:
    """What it is worth that a moon is stopped: by oneself, and by the seat that wins so far.

    Below zero for the moon of a partner.
    """
    taken = points_taken(view)
    if not taken or not moon_pays(view):
        return 0, 0
    for seat in range(view.players):
        if seat != view.seat and view.points[seat] and can_shoot(view, seat):
            stop = 1000 * view.moon_points
            for _ in range(1 if rules(view).moon_by_team else STOP_POWER):
                stop = stop * taken // total
            stop = -stop if seat == partner(view) else stop
            return stop, 0 if shoots_with(view, view.winning_seat, seat) else stop
    return 0, 0


@kernel
def goes_for_moon(view: Any, shooting: Any, total: Any) -> Any:
    """Whether to shoot: once begun, until another side has points."""
    if not moon_pays(view) or view.trick_number == 1 or not can_shoot(view, view.seat):
        return False
    if shooting:
        return True
    enough = 1000 * points_taken(view) >= MOON_SHARE * total
    return enough and count_winners(view) >= MOON_WINNERS


@kernel
def count_winners(view: Any) -> Any:
    """Sure tricks of the hand; -1 when its hearts must lose one."""
    out = unseen(view)
    found = 0
    for suit in range(4):
        mine, others = in_suit(view.hand, suit), in_suit(out, suit)
        top = count(above_card(mine, highest(others))) if others else count(mine)
        if suit == HEARTS and mine and top == 0:
            return -1
        # Enough winners draw the others' cards, and the rest of the suit wins as well.
        draws_all = top * (view.players - 1) > number(others, unseen_twice(view))
        found += count(mine) if draws_all else top
    return found


@kernel
def strength(view: Any, card: Any) -> Any:
    """How good a card is on the way to the moon."""
    suit = suit_of(card)
    others = in_suit(unseen(view), suit)
    wins = others == below_card(others, card)
    if view.trick_size == 0:
        return 100 * wins + rank_of(card)
    helps = view.winning_seat != view.seat and shoots_with(view, view.winning_seat, view.seat)
    if suit != view.led_suit:
        points = 200 * has(view.penalty_cards, card)
        return (points if helps else -points) - 100 * wins - rank_of(card)
    if helps or card <= view.winning_card:
        return -card
    last = view.trick_size == view.players - 1
    return 1000 - card if last else 1000 + card


# What the plain twin has from Python and its view.


@kernel
def points_taken(view: Any) -> Any:
    """Points that all seats have taken together."""
    total = 0
    for seat in range(view.players):
        total += view.points[seat]
    return total


@kernel
def dearest_card(view: Any, cards: Any, for_moon: Any) -> Any:
    """The card that is passed most gladly."""
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        if pass_score(view, card, for_moon) > pass_score(view, best, for_moon):
            best = card
    return best


@kernel
def strongest_card(view: Any) -> Any:
    """The legal card of most strength."""
    cards = view.legal
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        cards &= ~bit(card)
        if strength(view, card) > strength(view, best):
            best = card
    return best
