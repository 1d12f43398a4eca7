"""Whether a moment of a hand has a best card: in every world that its seat cannot rule out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from hearts_sim.cards import Card, CardSet
from hearts_sim.engine.layout import HANDS, TABLE, VIEW
from hearts_sim.engine.table import Table
from hearts_sim.search.belief import believe
from hearts_sim.search.knowledge import learn
from hearts_sim.testing.solving import MOST_CARDS, MOST_SEATS, new_stack, solve_cards


@dataclass(frozen=True)
class Proof:
    """What the cards of a moment lead to.

    Attributes
    ----------
    best : tuple of Card
        The best card, or several that lead to the same in every world; empty when there is none.
    worlds : int
        Number of hands of the others that agree with what the seat knows.
    points : dict of Card to (int, int)
        Own points of the hand for each legal card: the least and the most over all worlds and all
        ways to break ties. Empty when there is no best card.
    gain : tuple of (int, int)
        By how much the best card is better than every other one in a world: its worst outcome
        against the best of the others, the least and the most over the worlds.
    """

    best: tuple[Card, ...]
    worlds: int
    points: dict[Card, tuple[int, int]]
    gain: tuple[int, int]


def view_of(table: Table) -> Any:
    """The record that the seat in turn sees, as far as it tells of cards."""
    view = np.zeros(1, VIEW)
    view[0] = table._view
    seat = table.turn
    view["seat"], view["hand"] = seat, int(table.hands[seat])
    view["passed"], view["received"] = int(table.passed[seat]), int(table.received[seat])
    view["legal"] = int(table.legal)
    return view[0]


def count_worlds(table: Table) -> int:
    """Number of hands of the others that agree with what the seat in turn knows."""
    return round(float(believe(table._rules, view_of(table)).total))


def worlds_of(table: Table) -> Any:
    """All hands that agree with what the seat in turn knows, as it is after the first trick.

    Returns
    -------
    ndarray of shape (number, players), int64
    """
    known = learn(table._rules, view_of(table))
    players = known.players
    held, barred, room = (values.tolist() for values in (known.held, known.barred, known.room))
    # Who may hold the least comes first, so that few ways turn out to be none.
    order = sorted(
        (seat for seat in range(players) if room[seat]),
        key=lambda seat: int(known.hidden & ~barred[seat]).bit_count(),
    )

    def lay(number: int, left: int, hands: list[int]) -> Iterator[tuple[int, ...]]:
        if number == len(order):
            yield tuple(hands)
            return
        seat = order[number]
        for some in combinations(CardSet(left & ~barred[seat]), room[seat]):
            cards = sum(1 << card for card in some)
            hands[seat] = held[seat] | cards
            yield from lay(number + 1, left & ~cards, hands)

    return np.array(list(lay(0, int(known.hidden), held[:players])), np.int64)


@lru_cache(maxsize=1)
def _room() -> Any:
    """Scratch space for `solve_cards`."""
    depths = MOST_CARDS + 2
    return np.zeros(depths, TABLE), np.zeros(depths, HANDS), new_stack()


def prove(table: Table, worlds: int = 5000, plays: int = 10**10) -> Proof | None:
    """Solve a moment in all of its worlds.

    Parameters
    ----------
    worlds, plays : int
        More than so many worlds, or cards played in them, are not tried.

    Returns
    -------
    Proof or None
        None when there are too many worlds, plays or outcomes to say.

    Raises
    ------
    ValueError
        For rules with two packs, a kitty or too many seats.
    """
    rules = table.rules
    if rules.packs == 2 or rules.kitty_size or rules.players > MOST_SEATS:
        raise ValueError(f"endgames are solved for one pack, no kitty, at most {MOST_SEATS} seats")
    left = sum(len(hand) for hand in table.hands)
    if left > MOST_CARDS or count_worlds(table) > worlds:
        return None
    hidden = worlds_of(table)
    tables, hands, stack = _room()
    stack[-1][0] = plays
    for name in TABLE.names or ():
        tables[name][0] = table._view[name]
    hands["opening"][0] = table._hands["opening"]
    results = np.zeros((len(hidden), 52, 3), np.int64)
    game = table._game.copy()
    solved = solve_cards(table._rules, game, tables, hands, stack, hidden, results)
    if solved < 0:
        return None
    nothing = Proof((), len(hidden), {}, (0, 0))
    if solved < len(hidden):
        return nothing
    return _judge(list(table.legal), results) or nothing


def _judge(legal: list[Card], results: Any) -> Proof | None:
    least, most, sets = results[:, :, 0], results[:, :, 1], results[:, :, 2]
    for card in legal:
        best = [other for other in legal if (sets[:, other] == sets[:, card]).all()]
        others = [other for other in legal if other not in best]
        if not others:
            return None
        # By how much every other card is worse, world by world.
        gains = least[:, others].min(axis=1) - most[:, best].max(axis=1)
        if gains.min() >= 0 and gains.max() > 0:
            points = {
                other: (int(least[:, other].min()), int(most[:, other].max())) for other in legal
            }
            return Proof(tuple(best), len(results), points, (int(gains.min()), int(gains.max())))
    return None
