"""How many ways there are to lay hidden cards: groups of places, what is certain, and the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine.bits import count, index, lowest
from hearts_sim.search._jit import inlined, kernel
from hearts_sim.search.knowledge import NO_CARDS, PLACES

FACTORIAL = np.cumprod(np.maximum(np.arange(53.0), 1.0))
INVERSE = 1.0 / FACTORIAL


@kernel
def open_places(known: Any) -> Any:
    """The hidden cards that may lie at each place.

    Returns
    -------
    ndarray of shape (PLACES,), int64
    """
    may_hold = np.zeros(PLACES, np.int64)
    for place in range(known.players + 1):
        if known.room[place] > 0:
            may_hold[place] = known.hidden & ~known.barred[place]
    return may_hold


@kernel
def scaled_odds(known: Any, weights: Any, may_hold: Any) -> Any:
    """Odds of each card at each place, 1 for the best of its places.

    Without them a product over fifty cards could get too large or too small for a float64. Cards
    without odds at a place are taken out of `may_hold`.

    Returns
    -------
    ndarray of shape (PLACES, 52), float64
        0 where a card cannot lie.
    """
    odds = np.zeros((PLACES, 52))
    left = known.hidden
    while left:
        card = lowest(left)
        bit = left & -left
        left ^= bit
        best = 0.0
        for place in range(known.players + 1):
            if may_hold[place] & bit and weights[place, card] > best:
                best = weights[place, card]
        for place in range(known.players + 1):
            if may_hold[place] & bit:
                if weights[place, card] > 0.0 and best < np.inf:
                    odds[place, card] = weights[place, card] / best
                # Also when that was too small.
                if odds[place, card] == 0.0:
                    may_hold[place] &= ~bit
    return odds


@kernel
def group_places(known: Any, may_hold: Any, odds: Any, group: Any, space: Any) -> int:
    """Put places to which the same cards are open, with equal odds, into one group.

    Fills `group` by place, -1 for places without room, and `space` by group; changes `may_hold` to
    be by group, and `odds` if there are any. Returns the number of groups.
    """
    groups = 0
    like = np.empty(PLACES, np.int64)  # the first place of each group
    for place in range(PLACES):
        group[place] = -1
        if place > known.players or known.room[place] == 0:
            continue
        # The opener and the kitty have a part of their own while the opening says something.
        alone = known.opener >= 0 and (place == known.opener or place == known.players)
        for other in range(groups if not alone else 0):
            first = like[other]
            if (
                may_hold[first] == may_hold[place]
                and (known.opener < 0 or first != known.opener)
                and same_odds(odds, may_hold[place], first, place)
            ):
                group[place] = other
                break
        if group[place] < 0:
            group[place] = groups
            like[groups] = place
            space[groups] = 0
            groups += 1
        space[group[place]] += known.room[place]
    for number in range(groups):
        may_hold[number] = may_hold[like[number]]
        if len(odds):
            odds[number] = odds[like[number]]
    return groups


@kernel
def same_odds(odds: Any, cards: int, one: int, other: int) -> bool:
    """Whether some cards have equal odds at two places, as they have without odds."""
    while len(odds) and cards:
        card = lowest(cards)
        if odds[one, card] != odds[other, card]:
            return False
        cards &= cards - 1
    return True


@kernel
def settle(groups: int, hidden: int, early: int, may_hold: Any, space: Any, sure: Any) -> int:
    """Put cards that may go to one group only into it, until there are none.

    The early clubs stay, since the opening says more of them. `may_hold` and `space` become what is
    left, `sure` what is put by group.

    Returns
    -------
    int
        The cards that are left; -1 when the cards do not fit.
    """
    for group in range(groups):
        sure[group] = 0
    while True:
        once, twice = NO_CARDS, NO_CARDS
        for group in range(groups):
            twice |= once & may_hold[group]
            once |= may_hold[group]
        if hidden & ~once:
            return -1
        lone = once & ~twice & ~early
        if not lone:
            return hidden
        hidden &= ~lone
        for group in range(groups):
            here = lone & may_hold[group]
            sure[group] |= here
            space[group] -= count(here)
            may_hold[group] &= ~here
            if space[group] < 0:
                return -1
            if space[group] == 0:
                may_hold[group] = 0


@kernel
def free_cards(groups: int, cards: int, may_hold: Any, space: Any, odds: Any) -> int:
    """Those of some cards that may go to every group that has space, with equal odds."""
    first = -1
    for group in range(groups):
        if space[group] > 0:
            cards &= may_hold[group]
            if first < 0:
                first = group
            left = cards if len(odds) else NO_CARDS
            while left:
                card = lowest(left)
                bit = left & -left
                left ^= bit
                if odds[group, card] != odds[first, card]:
                    cards ^= bit
    return cards


@kernel
def fill_table(
    groups: int, space: Any, stride: Any, odds: Any, number: int, free: int, table: Any
) -> None:
    """Find what the cards that are not laid yet sum up to, for every state of the space left.

    Parameters
    ----------
    groups : int
    space, stride : ndarray
        Of each group at the start, and its part in the index of the table.
    odds : ndarray of shape (groups, number), float64
        Of the cards of the table, in the order in which they are laid.
    number, free : int
        Number of cards of the table, and of those that may go everywhere, which come last.
    table : ndarray of float64
        One entry for each state. Those in which fewer cards are left than are free are not filled.
    """
    digits = np.zeros(PLACES, np.int64)
    width = space[0] + 1
    left = 0  # of all groups but the first
    # A row has all states of the first group.
    for row in range(0, len(table), width):
        digits[0] = max(0, free - left)
        begin = digits[0]
        if left + begin == free and begin < width:
            table[row + begin] = multinomial(groups, digits)
            begin += 1
        fill_row(groups, digits, stride, odds, number + free - left, row, begin, width, table)
        group = 1
        while group < groups and digits[group] == space[group]:
            left -= digits[group]
            digits[group] = 0
            group += 1
        if group < groups:
            digits[group] += 1
            left += 1


@inlined
def fill_row(
    groups: int,
    digits: Any,
    stride: Any,
    odds: Any,
    card: int,
    row: int,
    begin: int,
    width: int,
    table: Any,
) -> None:
    """Fill a row of the table from some entry on; `card` is the next card at its first entry."""
    for place in range(begin, width):
        table[index(row + place)] = 0.0
    for group in range(1, groups):
        if digits[group] > 0:
            below = row - stride[group]
            for place in range(begin, width):
                more = odds[index(group), index(card - place)] * table[index(below + place)]
                table[index(row + place)] += more
    for place in range(max(begin, 1), width):
        more = odds[0, index(card - place)] * table[index(row + place - 1)]
        table[index(row + place)] += more


@kernel
def multinomial(groups: int, sizes: Any) -> float:
    """Number of ways to share out cards among groups of given sizes."""
    whole = 0
    ways: float = 1.0
    for group in range(groups):
        whole += sizes[group]
        ways *= INVERSE[sizes[group]]
    ways *= FACTORIAL[whole]
    return ways
