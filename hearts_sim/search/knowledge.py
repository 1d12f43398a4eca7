"""What a seat knows of the hidden cards: from its hand and pass, and from the plays of the others.

A play that the rules allow only to some hands says what its seat does not hold: a discard, that it
is void in the suit led; a point on a first trick without points, that it has nothing else; a heart
led before hearts are broken, that it has only hearts. Cards never come into a hand during the play,
so each of these is a set of cards that the seat does not hold from then on.

Only the opening may say something else. Who opens with any club had the lowest of all clubs in the
hands; with a kitty nobody knows which one that is. This stays as `opener`, `early` and `may_lie`.

What a choice of cards to pass says about the hand it came from, under a ban on passing some, is
left out: it is about cards that have moved on since.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hearts_sim.cards import MAX_SEATS
from hearts_sim.engine.bits import count, index, lowest
from hearts_sim.engine.deal import CLUBS, NO_CARD
from hearts_sim.engine.legal import HEARTS, QUEEN, SPADE_KING_OR_ACE, SPADES, suit_mask
from hearts_sim.engine.record import (
    ALL_POINTS_HEARTS,
    ALL_POINTS_QUEEN,
    ELDEST_ANY,
    LOWEST_CLUB,
)
from hearts_sim.search._jit import inlined, kernel

PLACES = MAX_SEATS + 1
ALL_CARDS: Any = np.int64((1 << 52) - 1)
NO_CARDS: Any = np.int64(0)
NOBODY: Any = np.int64(-1)


class Knowledge(NamedTuple):
    """What a seat knows. A place is a seat, or the number of players for the kitty."""

    players: int
    hidden: int
    """Cards whose place is unknown."""
    held: Any
    """Cards that are at each place for certain, and not played: int64 of shape (PLACES,)."""
    barred: Any
    """Cards that are not at each place: int64 of shape (PLACES,)."""
    room: Any
    """Number of hidden cards at each place: int64 of shape (PLACES,)."""
    opener: int
    """Seat that holds the lowest of the `early` clubs that are in a hand; -1 when none is to."""
    early: int
    may_lie: int
    """1: all of the early clubs may also lie in the kitty."""


@kernel
def learn(rules: Any, view: Any) -> Any:
    """Find what the seat of a view knows, in any hook from `start_hand` on.

    Parameters
    ----------
    rules : record of dtype `RULES` or `WIDE_RULES`, under which no card is there twice
    view : record of dtype `VIEW`

    Returns
    -------
    Knowledge
    """
    players = rules.players
    held = np.zeros(PLACES, np.int64)
    barred = np.zeros(PLACES, np.int64)
    room = np.zeros(PLACES, np.int64)
    held[view.seat] = view.hand
    held[players] = view.kitty
    put_passed(view, held)
    hidden = view.deck & ~view.played
    for place in range(players + 1):
        hidden &= ~held[place]
        size = view.kitty_size
        if place < players:
            size = view.hand_size - count(view.played_by[place])
        room[place] = size - count(held[place])
    hear_plays(rules, view, barred)
    opener, early, may_lie = NOBODY, NO_CARDS, NO_CARDS
    # Before the play nobody leads yet.
    if view.leader >= 0 and rules.first_lead != ELDEST_ANY:
        opener, early, may_lie = hear_opening(rules, view, hidden, held, barred, room)
        hidden &= ~held[index(view.leaders[0])]
    return Knowledge(players, hidden, held, barred, room, opener, early, may_lie)


@kernel
def put_passed(view: Any, held: Any) -> None:
    """What the seat has passed lies where it went until it is played."""
    if view.pass_offset > 0:
        held[(view.seat + view.pass_offset) % view.players] |= view.passed & ~view.played
    elif view.pass_offset < 0:
        # In a scatter the lowest card goes to the next seat, the second to the one after it, ...
        left = view.passed
        for offset in range(1, view.players):
            bit = left & -left
            left ^= bit
            held[(view.seat + offset) % view.players] |= bit & ~view.played


@kernel
def hear_plays(rules: Any, view: Any, barred: Any) -> None:
    """Add to `barred` what every play says about the hand that it came from."""
    broken = False
    trick, place, seat, led, trick_cards = 0, 0, view.seat, NO_CARDS, NO_CARDS
    for number in range(view.cards_played):
        card = view.history[number]
        bit = 1 << card
        if place == 0:
            seat = view.leaders[trick]
            led = suit_mask(card // 13)
            trick_cards = NO_CARDS
            opens = trick == 0 and rules.first_lead != ELDEST_ANY and bit & CLUBS != 0
            if not opens:
                barred[index(seat)] |= missing_of_leader(rules, trick == 0, broken, bit)
        else:
            barred[index(seat)] |= missing_of_follower(
                rules, trick == 0, broken, trick_cards, led, bit
            )
        broken |= bit & rules.breakers != 0
        trick_cards |= bit
        seat = 0 if seat + 1 == rules.players else seat + 1
        place += 1
        if place == rules.players:
            place = 0
            trick += 1


@inlined
def missing_under_ban(rules: Any, bit: int) -> tuple[int, int]:
    """What a card says that was played where points are banned.

    Returns
    -------
    missing : int
        Cards that were not in the hand.
    choice : int
        Cards among which the hand had to choose, as far as it held them.
    """
    harmless = ALL_CARDS & ~rules.point_cards
    if bit & harmless:
        return NO_CARDS, harmless
    if rules.first_trick_all_points == ALL_POINTS_HEARTS:
        if bit & HEARTS:
            return harmless, HEARTS
        return harmless | HEARTS, ALL_CARDS
    if rules.first_trick_all_points == ALL_POINTS_QUEEN:
        if bit == QUEEN:
            return harmless, QUEEN
        return harmless | QUEEN, ALL_CARDS
    return harmless, ALL_CARDS


@kernel
def missing_of_leader(rules: Any, first: bool, broken: bool, bit: int) -> int:
    """Cards that a seat did not hold when it led a card, unless that had to open the hand.

    Parameters
    ----------
    first : bool
        Whether it is the first trick.
    broken : bool
        Whether hearts were broken before the card.
    bit : int
        The card as a set.
    """
    missing, choice = NO_CARDS, ALL_CARDS
    if first and rules.first_trick_ban:
        missing, choice = missing_under_ban(rules, bit)
    if broken:
        return missing
    stopped = NO_CARDS
    if rules.hearts_lead_barred:
        stopped |= HEARTS
    if rules.queen_lead_barred:
        stopped |= QUEEN
    if not bit & stopped:
        return missing
    # A card that must not be led is led when there is nothing else,
    others = choice & ~stopped
    if rules.hearts_instead_of_queen and bit & HEARTS:
        others &= ~QUEEN  # or nothing but the queen.
    return missing | others


@kernel
def missing_of_follower(
    rules: Any, first: bool, broken: bool, trick_cards: int, led: int, bit: int
) -> int:
    """Cards that a seat did not hold when it played a card to a trick.

    Parameters
    ----------
    first, broken, bit
        As in `missing_of_leader`.
    trick_cards : int
        The cards before it in the trick.
    led : int
        All cards of the suit led.
    """
    follows = bit & led != 0
    missing, choice = NO_CARDS, ALL_CARDS
    if first and rules.first_trick_ban:
        missing, choice = missing_under_ban(rules, bit)
    if follows:
        missing &= led
        forced = led == suit_mask(SPADES) and trick_cards & SPADE_KING_OR_ACE != 0
    else:
        missing |= led
        forced = True
        if rules.queen_discard_barred and not broken:
            if bit == QUEEN:
                return missing | choice & ~QUEEN
            forced = False
    if rules.queen_forced and forced and bit != QUEEN:
        missing |= choice & QUEEN
    return missing


@kernel
def hear_opening(
    rules: Any, view: Any, hidden: int, held: Any, barred: Any, room: Any
) -> tuple[int, int, int]:
    """Add what is known since one seat opens the hand: it had the lowest club of all hands.

    Returns
    -------
    opener, early, may_lie : int
        As in `Knowledge`, where it says more than which cards are not at which place.
    """
    players = rules.players
    opener = view.leaders[0]
    theirs, others = NO_CARDS, NO_CARDS
    for seat in range(players):
        clubs = (held[seat] | view.played_by[seat]) & CLUBS
        if seat == opener:
            theirs = clubs
        else:
            others |= clubs
    first = min(lowest(theirs), lowest(others))
    early = hidden & CLUBS
    if first < NO_CARD:
        early &= (1 << first) - 1
    led = view.cards_played > 0
    if (
        opener == view.seat
        or (led and (rules.first_lead == LOWEST_CLUB or view.history[0] >= 13))
        or room[opener] == 0
        or early & ~barred[opener] == 0
    ):
        # The lowest of all is in sight, or there was none: the early clubs are in no hand.
        for seat in range(players):
            barred[seat] |= early
        return NOBODY, NO_CARDS, NO_CARDS
    if early and room[players] == 0:
        # All of them are in hands.
        held[opener] |= early & -early
        room[opener] -= 1
        return NOBODY, NO_CARDS, NO_CARDS
    eldest = view.hand_number % players
    may_lie = lowest(theirs) < lowest(others) or (first == NO_CARD and opener == eldest)
    return opener if early else NOBODY, early, int(may_lie)
