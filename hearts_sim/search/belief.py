"""Hidden hands that could be: drawn at random, each as likely as it is, none that cannot be.

What a seat knows (`knowledge`) is for every place a number of hidden cards and which of them may
lie there. Places to which the same cards are open are one group: what goes to a group is shared out
among its places freely. Cards that may go to one group only are put there at once. Cards that may
go to every group are as good as each other: the ways to lay them are a multinomial coefficient. For
the cards between, a table has the number of ways to lay the rest, for every state of the space that
is left in the groups (dynamic programming; the state tells how many cards are laid, so one table
serves all of them). A world is drawn card by card with these numbers as weights: exactly, up to
rounding, and without attempts that fail.

Odds of cards at places are factors of the sums. Then places with equal odds are a group, and all
cards whose odds are not the same everywhere go through the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hearts_sim.engine.bits import count, index, lowest, nth
from hearts_sim.engine.deal import CLUBS
from hearts_sim.engine.record import ELDEST_ANY, LOWEST_CLUB
from hearts_sim.engine.rng import below, next_word
from hearts_sim.rules.values import MOST_ONE_PACK
from hearts_sim.search._jit import inlined, kernel
from hearts_sim.search.counting import (
    FACTORIAL,
    fill_table,
    free_cards,
    group_places,
    multinomial,
    open_places,
    scaled_odds,
    settle,
)
from hearts_sim.search.knowledge import NO_CARDS, NOBODY, PLACES, learn

_MOST_PLAYERS = np.int64(MOST_ONE_PACK)
_UNIT = 2.0**-53
_U11 = np.uint64(11)


class Belief(NamedTuple):
    """What `draw` needs. Arrays by place or group have PLACES entries.

    A place is a seat, or the number of players for the kitty.
    """

    total: float
    """Number of worlds; with weights in proportion to their sum. 0 when nothing is possible."""
    weighted: bool
    """Whether weights are part of it."""
    players: int
    held: Any
    """Cards that are at each place for certain."""
    room: Any
    """Number of other cards at each place."""
    group: Any
    """Group of each place, -1 for those without room."""
    groups: int
    sure: Any
    """Cards that are in each group for certain."""
    space: Any
    """Number of other cards in each group."""
    number: int
    """Of the cards that go through the table; the `early` ones come first."""
    cards: Any
    odds: Any
    """Of each group and each of these cards."""
    table: Any
    stride: Any
    """What a card less in a group is in the index of the table."""
    start: int
    """Index of the table before the first card."""
    free: int
    """The cards that may go everywhere."""
    early: int
    """Number of clubs of which those below the opener's lie in the kitty (`Knowledge.early`)."""
    early_sums: Any
    """What the rest sums up to when so many of them lie in the kitty."""
    opener: int
    kitty: int
    """Groups of the opener and of the kitty, while there are such clubs."""
    leader: int
    """Seat that is to open the hand, -1 when the first card may be any or is played."""
    only_lowest: bool
    """Whether it must do so with its lowest club, not any."""
    left: Any
    sets: Any
    """Space left and cards of the groups while a world is drawn."""


@inlined
def covers(rules: Any) -> bool:
    """Whether worlds can be drawn under these rules: no card may be there twice."""
    return (rules.deck_twice == 0) & (rules.players <= _MOST_PLAYERS)


@kernel
def believe(rules: Any, view: Any) -> Any:
    """Find which worlds are possible for who sees a view, all of them equally likely.

    Parameters
    ----------
    rules : record of dtype `RULES` or `WIDE_RULES` which `covers` says yes to
        ``engine.memory.rules_at(view.rules)`` will do for both.
    view : record of dtype `VIEW`
        In any hook from `start_hand` on.

    Returns
    -------
    Belief
    """
    return lay_out(rules, view, learn(rules, view), np.empty((0, 0)))


@kernel
def believe_weighted(rules: Any, view: Any, weights: Any) -> Any:
    """Find which worlds are possible, each as likely as the product of its weights.

    Parameters
    ----------
    rules, view
        As for `believe`.
    weights : ndarray of shape (players + 1, 52), float64
        How likely each place (the seats, then the kitty) holds each card; for a card only the
        proportions between the places matter. What is not above zero makes it impossible, and
        weights of cards whose place is known are not looked at. Within a factor of a million of
        each other the worlds come exactly in proportion; far beyond it, products get too small for
        a float64.

    Returns
    -------
    Belief
        With `weighted` False when the weights leave no world: then it is as from `believe`.
    """
    known = learn(rules, view)
    belief = lay_out(rules, view, known, weights)
    if belief.total > 0.0:
        return belief
    return lay_out(rules, view, known, np.empty((0, 0)))


@kernel
def draw(belief: Any, stream: Any, hands: Any) -> None:
    """Fill in the hands of a world, so that the play can go on with them.

    Parameters
    ----------
    belief : Belief
    stream : ndarray of shape (2,), uint64
        State of a random stream, such as ``engine.memory.stream_at(view.own)``.
    hands : record of dtype `HANDS`
        Gets all hands, one's own among them, and the kitty; `opening` for the first card, when that
        is not played yet. Before the pass `opening` is 0: ``engine.deal.open_play`` sets it after
        the exchange.
    """
    left, sets = belief.left, belief.sets
    for group in range(belief.groups):
        left[group] = belief.space[group]
        sets[group] = belief.sure[group]
    if belief.number:
        lay_by_table(belief, stream)
    free = belief.free
    for group in range(belief.groups):
        part = random_part(stream, free, left[group])
        free ^= part
        sets[group] |= part
    hands.cards[:] = 0
    hands.cards_twice[:] = 0
    hands.kitty_twice = 0
    for place in range(belief.players + 1):
        cards = belief.held[place]
        group = belief.group[place]
        if group >= 0:
            part = random_part(stream, sets[group], belief.room[place])
            sets[group] ^= part
            cards |= part
        if place < belief.players:
            hands.cards[place] = cards
        else:
            hands.kitty = cards
    hands.opening = 0
    if belief.leader >= 0:
        clubs = hands.cards[belief.leader] & CLUBS
        hands.opening = clubs & -clubs if belief.only_lowest else clubs


@kernel
def lay_by_table(belief: Any, stream: Any) -> None:
    """Draw the groups of the cards that go through the table."""
    table, stride, odds = belief.table, belief.stride, belief.odds
    left, sets = belief.left, belief.sets
    state = belief.start
    first = NO_CARDS
    while first < belief.early:
        opener, lies = early_parts(belief, first, state)
        group = belief.opener
        if lies > 0.0 and uniform(stream) * (opener + lies) >= opener:
            group = belief.kitty
        left[group] -= 1
        sets[group] |= 1 << belief.cards[first]
        state -= stride[group]
        first += 1
        if group == belief.opener:
            break
    for place in range(first, belief.number):
        point = uniform(stream) * table[index(state)]
        chosen = NOBODY
        for group in range(belief.groups):
            if left[group] > 0:
                part = odds[group, place] * table[index(state - stride[group])]
                # The last one that is possible, should rounding leave nothing.
                if part > 0.0:
                    chosen = group
                    point -= part
                    if point < 0.0:
                        break
        if chosen >= 0:
            left[chosen] -= 1
            sets[chosen] |= 1 << belief.cards[place]
            state -= stride[chosen]


@inlined
def early_parts(belief: Any, place: int, state: int) -> tuple[float, float]:
    """What the next early club counts at the opener and in the kitty, with all after it."""
    opener, lies = 0.0, 0.0
    if belief.left[belief.opener] > 0:
        after = belief.table[state - belief.stride[belief.opener]]
        opener = belief.odds[belief.opener, place] * after
    if belief.left[belief.kitty] > 0:
        lies = belief.odds[belief.kitty, place] * belief.early_sums[place + 1]
    return opener, lies


@inlined
def uniform(stream: Any) -> float:
    """Number from 0 up to but not 1, a multiple of 2**-53."""
    return np.float64(next_word(stream) >> _U11) * _UNIT


@kernel
def random_part(stream: Any, cards: int, number: int) -> int:
    """Some cards of a set, every choice of so many equally likely."""
    size = count(cards)
    few = min(number, size - number)
    rest = cards
    for _ in range(few):
        rest ^= 1 << nth(rest, below(stream, size))
        size -= 1
    return cards ^ rest if few == number else rest


@kernel
def lay_out(rules: Any, view: Any, known: Any, weights: Any) -> Any:
    """Group the places, settle what is certain, and fill the table for the rest."""
    players = known.players
    weighted = len(weights) > 0
    may_hold = open_places(known)
    odds_of = scaled_odds(known, weights, may_hold) if weighted else np.empty((0, 52))
    group = np.empty(PLACES, np.int64)
    space = np.empty(PLACES, np.int64)
    sure = np.empty(PLACES, np.int64)
    groups = group_places(known, may_hold, odds_of, group, space)
    rest = settle(groups, known.hidden, known.early, may_hold, space, sure)
    possible = rest >= 0
    if not possible:
        rest = NO_CARDS
        space[:groups] = 0
    free = free_cards(groups, rest & ~known.early, may_hold, space, odds_of)

    # The cards of the table, early clubs first.
    number = count(rest & ~free)
    cards = np.empty(number, np.int64)
    odds = np.empty((groups, number))
    early = list_cards(rest & known.early, 0, groups, may_hold, odds_of, cards, odds)
    list_cards(rest & ~free & ~known.early, early, groups, may_hold, odds_of, cards, odds)

    stride = np.empty(PLACES, np.int64)
    size = 1
    for other in range(groups):
        stride[other] = size
        size *= space[other] + 1
    start = size - 1
    if number:
        table = np.empty(size)
        fill_table(groups, space, stride, odds, number, count(free), table)
        total = table[start]
    else:
        table = np.empty(0)
        total = multinomial(groups, space)
    opener, kitty = NOBODY, NOBODY
    early_sums = np.empty(early + 1)
    if early:
        opener, kitty = group[known.opener], group[players]
        early_sums[early] = 0.0
        if known.may_lie and early <= space[kitty]:
            early_sums[early] = table[start - early * stride[kitty]]
        for place in range(early - 1, -1, -1):
            early_sums[place] = 0.0
            if place <= space[kitty]:
                state = start - place * stride[kitty]
                if space[opener] > 0:
                    early_sums[place] += odds[opener, place] * table[state - stride[opener]]
                early_sums[place] += odds[kitty, place] * early_sums[place + 1]
        total = early_sums[0]
    total *= ways_within(players, groups, group, known.room)
    leader = NOBODY
    if view.leader >= 0 and view.cards_played == 0 and rules.first_lead != ELDEST_ANY:
        leader = view.leader
    return Belief(
        total if possible else 0.0,
        weighted,
        players,
        known.held,
        known.room,
        group,
        groups,
        sure,
        space,
        number,
        cards,
        odds,
        table,
        stride,
        start,
        free,
        early,
        early_sums,
        opener,
        kitty,
        leader,
        rules.first_lead == LOWEST_CLUB,
        np.empty(PLACES, np.int64),
        np.empty(PLACES, np.int64),
    )


@kernel
def list_cards(
    some: int, place: int, groups: int, may_hold: Any, odds_of: Any, cards: Any, odds: Any
) -> int:
    """Add cards and their odds by group to those of the table; returns how many it has then."""
    while some:
        card = lowest(some)
        some &= some - 1
        cards[place] = card
        for group in range(groups):
            odds[group, place] = may_hold[group] >> card & 1
            if len(odds_of):
                odds[group, place] *= odds_of[group, card]
        place += 1
    return place


@kernel
def ways_within(players: int, groups: int, group: Any, room: Any) -> float:
    """Number of ways to share out what goes to each group among its places."""
    ways = 1.0
    for number in range(groups):
        size = 0
        for place in range(players + 1):
            if group[place] == number:
                size += room[place]
                ways /= FACTORIAL[room[place]]
        ways *= FACTORIAL[size]
    return ways
