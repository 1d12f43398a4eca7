"""Endgames with open hands, solved for every way in which indifferent players may choose.

Every seat plays for few points of its own and sees all cards (max-n). Such play is seldom unique:
a seat often has several cards that cost it the same and cost others more or less. So a position has
no value but a set of possible outcomes. The set of a finished hand is its points; where a seat
chooses, an outcome of one of its cards is possible if it costs that seat no more than some outcome
of each other card:

    v of card a is possible  <=>  v[seat] <= max over the outcomes w of b of w[seat], for all b != a

Max-n: C. Luckhardt and K. Irani, An algorithmic solution of n-person games, AAAI 1986. Sets of
outcomes: N. Sturtevant and M. Bowling, Robust game play against unknown opponents, AAMAS 2006, who
keep or drop the set of a card as a whole.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.bits import lowest
from hearts_sim.engine.legal import legal_cards
from hearts_sim.engine.play import find_taker, finish_trick, play_card
from hearts_sim.engine.score import default_moon, find_shooter, pay_hand

MOST_OUTCOMES: Final = 512
MOST_CARDS: Final = 40
"""Cards in all hands at the moment that is solved."""
MOST_SEATS: Final = 6
"""More do not fit into an outcome."""
_BITS: Any = np.int64(10)
_MIDDLE: Any = np.int64(512)
_LOW_BITS: Any = np.int64(1023)


def new_stack() -> tuple[Any, ...]:
    """Room for `solve`.

    By depth: outcomes, those of the cards tried, cards left to try, where the outcomes of each card
    end, number of cards tried. Then a number of plays that may still be tried.
    """
    depths = MOST_CARDS + 2
    return (
        np.zeros((depths, MOST_OUTCOMES), np.int64),
        np.zeros((depths, 8 * MOST_OUTCOMES), np.int64),
        np.zeros(depths, np.int64),
        np.zeros((depths, MOST_CARDS), np.int64),
        np.zeros(depths, np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def own_points(outcome: int, seat: int) -> int:
    """Points of a seat in an outcome: ten bits for each seat, 512 for no points."""
    points: int = (outcome >> (_BITS * seat) & _LOW_BITS) - _MIDDLE
    return points


@kernel
def outcome_of(rules: Any, game: Any, table: Any) -> int:
    """The outcome of a hand of which all cards are played."""
    shooter = find_shooter(rules, table)
    moon = -1
    if shooter >= 0:
        moon = default_moon(rules, game, table, shooter)
    pay_hand(rules, game, table, shooter, moon)
    outcome: int = _MIDDLE - _MIDDLE
    for seat in range(rules.players):
        outcome |= (game.hand_points[seat] + _MIDDLE) << (_BITS * seat)
    return outcome


@kernel
def copy_state(rules: Any, table: Any, hands: Any, to_table: Any, to_hands: Any) -> None:
    """What a playout must copy; not of two packs or a kitty."""
    to_table.turn = table.turn
    to_table.leader = table.leader
    to_table.trick_number = table.trick_number
    to_table.trick_size = table.trick_size
    to_table.trick_cards = table.trick_cards
    to_table.trick_points = table.trick_points
    to_table.led_suit = table.led_suit
    to_table.winning_card = table.winning_card
    to_table.winning_seat = table.winning_seat
    to_table.hearts_broken = table.hearts_broken
    to_table.first_winner = table.first_winner
    to_hands.opening = hands.opening
    for seat in range(rules.players):
        to_table.taken[seat] = table.taken[seat]
        to_table.points[seat] = table.points[seat]
        to_table.trick[seat] = table.trick[seat]
        to_hands.cards[seat] = hands.cards[seat]


@kernel
def add_outcome(outcomes: Any, number: int, outcome: int) -> int:
    """Add an outcome to a set of so many; returns the number then, one too many when it is full."""
    for place in range(number):
        if outcomes[place] == outcome:
            return number
    if number < len(outcomes):
        outcomes[number] = outcome
    return number + 1


@kernel
def solve(rules: Any, game: Any, tables: Any, hands: Any, stack: Any, start: int) -> int:
    """Find the possible outcomes of the state at a depth.

    Parameters
    ----------
    game : record of dtype `GAME`
        Of the totals before the hand, for rules by which they decide how a moon is paid.
    tables, hands : ndarray of shape (depths,), dtypes `TABLE` and `HANDS`
        The state at the depth `start`; those below are scratch space.
    stack : tuple of ndarray
        As from `new_stack`; the row `start` of `sets` gets the outcomes.

    Returns
    -------
    int
        Number of possible outcomes, -1 when there are too many, or too many plays to try.
    """
    sets, pool, moves, ends, cards, budget = stack
    depth = start
    enter = True
    while True:
        size = 0
        if enter and tables[depth].trick_number > rules.hand_size:
            sets[depth, 0] = outcome_of(rules, game, tables[depth])
            size = 1
        elif enter:
            moves[depth] = legal_cards(rules, tables[depth], hands[depth])
            cards[depth] = 0
        if size == 0 and moves[depth]:
            card = lowest(moves[depth])
            moves[depth] &= moves[depth] - 1
            budget[0] -= 1
            if budget[0] < 0:
                return -1
            play_below(rules, tables, hands, depth, card)
            depth += 1
            enter = True
            continue
        if size == 0:
            size = join(sets[depth], pool[depth], ends[depth], cards[depth], tables[depth].turn)
        if size < 0 or depth == start:
            return size
        # What a card leads to is put beside that of the cards before it.
        depth -= 1
        enter = False
        total = ends[depth, cards[depth] - 1] if cards[depth] else 0
        if total + size > pool.shape[1]:
            return -1
        for place in range(size):
            pool[depth, total + place] = sets[depth + 1, place]
        ends[depth, cards[depth]] = total + size
        cards[depth] += 1


@kernel
def join(outcomes: Any, pool: Any, ends: Any, cards: int, seat: int) -> int:
    """Find which outcomes are possible where a seat chooses.

    Parameters
    ----------
    outcomes : ndarray of int64
        Gets them.
    pool : ndarray of int64
        Outcomes of all its cards, those of a card up to its number in `ends`.

    Returns
    -------
    int
        Their number, -1 when there are too many.
    """
    # The worst outcomes of the cards limit each other: that of one card all other cards.
    first, second, first_card = 1 << 20, 1 << 20, -1
    place = 0
    for number in range(cards):
        worst = -(1 << 20)
        while place < ends[number]:
            worst = max(worst, own_points(pool[place], seat))
            place += 1
        if worst < first:
            first, second, first_card = worst, first, number
        elif worst < second:
            second = worst
    size, place = 0, 0
    for number in range(cards):
        limit = second if number == first_card else first
        while place < ends[number]:
            outcome = pool[place]
            place += 1
            if own_points(outcome, seat) <= limit:
                size = add_outcome(outcomes, size, outcome)
                if size > len(outcomes):
                    return -1
    return size


@kernel
def play_below(rules: Any, tables: Any, hands: Any, depth: int, card: int) -> None:
    """Put the state after a card one depth below."""
    copy_state(rules, tables[depth], hands[depth], tables[depth + 1], hands[depth + 1])
    table = tables[depth + 1]
    play_card(rules, table, hands[depth + 1], card)
    if table.trick_size == rules.players:
        finish_trick(rules, table, find_taker(rules, table))


@kernel
def solve_cards(
    rules: Any, game: Any, tables: Any, hands: Any, stack: Any, worlds: Any, results: Any
) -> int:
    """Own points of the seat in turn for each of its cards, in one world after the other.

    It ends early, when no card is left that could be the best one everywhere.

    Parameters
    ----------
    tables : ndarray of shape (depths,), dtype `TABLE`
        The first is the moment, the others scratch space; the same holds for `hands`.
    stack : tuple of ndarray
        As from `new_stack`.
    worlds : ndarray of shape (number, seats), int64
        Hands at the moment.
    results : ndarray of shape (number, 52, 3), int64
        Gets for each world and legal card the least and the most points that are possible, and a
        number that is the same for equal sets of outcomes.

    Returns
    -------
    int
        Number of worlds that were solved; -1 when there are too many outcomes or plays.
    """
    sets = stack[0]
    seat = tables[0].turn
    # Of two cards: whether the first was never worse, and whether both always were the same.
    leads = np.ones((52, 52), np.bool_)
    same = np.ones((52, 52), np.bool_)
    for world in range(len(worlds)):
        for place in range(rules.players):
            hands[0].cards[place] = worlds[world, place]
        legal = legal_cards(rules, tables[0], hands[0])
        left = legal
        while left:
            card = lowest(left)
            left &= left - 1
            play_below(rules, tables, hands, 0, card)
            size = solve(rules, game, tables, hands, stack, 1)
            if size < 0:
                return -1
            least, most, digest = np.int64(1 << 20), np.int64(-(1 << 20)), np.int64(0)
            for place in range(size):
                outcome = sets[1, place]
                least = min(least, own_points(outcome, seat))
                most = max(most, own_points(outcome, seat))
                digest += outcome * outcome  # in any order; it may go round
            results[world, card, 0] = least
            results[world, card, 1] = most
            results[world, card, 2] = digest * 64 + size
        best = False
        for one in range(52):
            if legal >> one & 1:
                for other in range(52):
                    if legal >> other & 1:
                        leads[one, other] &= results[world, one, 1] <= results[world, other, 0]
                        same[one, other] &= results[world, one, 2] == results[world, other, 2]
                fine = True
                for other in range(52):
                    if legal >> other & 1 and other != one:
                        fine &= leads[one, other] or same[one, other]
                best |= fine
        if not best:
            return world + 1
    return len(worlds)
