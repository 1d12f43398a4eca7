"""What the end of a hand is worth to each seat: points, or the places that they lead to."""

from __future__ import annotations

import math
from typing import Any

from hearts_sim.engine.memory import floats_at, rules_at
from hearts_sim.engine.record import NOT_ENDED
from hearts_sim.engine.score import (
    default_moon,
    exact_hits,
    find_shooter,
    how_it_ends,
    pay_hand,
    standing,
    stands_better,
)
from hearts_sim.engine.wide import is_wide
from hearts_sim.search._jit import inlined, kernel
from hearts_sim.search.linked import address_of, game_at, linked, table_at
from hearts_sim.search.memory import wide_rules_at

SPREAD = 0.44
"""Standard deviation of how far two seats part in a hand, as a share of all penalty points: 11.4
of 26 points, for points of a seat with a deviation of 7 (four random players; 6.9 measured)."""

HASTE = 1.3
"""How much faster than the mean the seat with most points gets them."""

STEEPNESS = 1.702
"""Of the logistic curve that is next to the normal one (D. D. Haley, 1952)."""


@kernel
def begin_score(rules: Any, view: Any, score: Any) -> None:
    """Take over from the view what the score of the hand depends on.

    Parameters
    ----------
    score : record of dtype `GAME`
        Scratch space; nothing else reads it.
    """
    score.hand_number = view.hand_number
    for seat in range(rules.players):
        score.totals[seat] = view.scores[seat]
    score.exact_winners = 0
    # After a tie at the end, further hands are played.
    hits = exact_hits(rules, score.totals)
    score.latched = how_it_ends(rules, score.totals, view.hand_number - 1, hits)


@kernel
def all_points(rules: Any) -> int:
    """Points of all penalty cards of one pack."""
    points = 0
    for card in range(52):
        if rules.penalty_cards >> card & 1:
            points += rules.cost[card]
    return max(points, 1)


@kernel
def spread_ahead(rules: Any, view: Any) -> float:
    """Standard deviation of what is still to come between two totals after this hand."""
    total = all_points(rules)
    if rules.deals:
        hands = max(0.0, float(rules.deals - view.hand_number))
    else:
        most = view.scores[0]
        for seat in range(rules.players):
            most = max(most, view.scores[seat])
        per_hand = HASTE * total / rules.players
        hands = max(1.0, (rules.target - most) / per_hand - 1.0)
    return float(max(1.0, SPREAD * total * math.sqrt(hands)))


@kernel
def settle(rules: Any, table: Any, score: Any) -> None:
    """Score a finished hand into `hand_points` and `next_totals` of the scratch record."""
    shooter = find_shooter(rules, table)
    moon = default_moon(rules, score, table, shooter) if shooter >= 0 else -1
    pay_hand(rules, score, table, shooter, moon)


@inlined
def points_ahead(rules: Any, score: Any, seat: int) -> float:
    """How many points the hand went better for a seat's side than for the others, on average."""
    own, others = 0, 0
    for other in range(rules.players):
        if rules.side[other] == rules.side[seat]:
            own += score.hand_points[other]
        else:
            others += score.hand_points[other]
    rivals = rules.sides - 1
    mates = rules.players // rules.sides
    ahead = others / (rivals * mates) - own / mates
    return -ahead if rules.win_highest else ahead


@inlined
def places_ahead(rules: Any, score: Any, seat: int, spread: float) -> float:
    """Rivals that a seat's side can expect to finish before it, from 0 to their number.

    When the hand ends the game, those that it does; else each difference of totals counts as much
    as it will decide, when as much as `spread` is to come.
    """
    totals, side = score.next_totals, rules.side[seat]
    exact = exact_hits(rules, totals)
    ends = (
        score.latched != NOT_ENDED
        or score.hand_number >= rules.max_hands
        or how_it_ends(rules, totals, score.hand_number, exact) != NOT_ENDED
    )
    beaten = 0.0
    for rival in range(rules.sides):
        if rival == side:
            continue
        if ends:
            if stands_better(rules, totals, exact, side, rival):
                beaten += 1.0
            elif not stands_better(rules, totals, exact, rival, side):
                beaten += 0.5
        else:
            lead = float(standing(rules, totals, rival) - standing(rules, totals, side))
            if rules.win_highest:
                lead = -lead
            beaten += 1.0 / (1.0 + math.exp(-STEEPNESS * lead / spread))
    return beaten


@inlined
def value_of(rules: Any, score: Any, seat: int, spread: float) -> float:
    """What a settled hand is worth to a seat: by places, or by points where `spread` is 0."""
    if spread > 0.0:
        return places_ahead(rules, score, seat, spread)
    return points_ahead(rules, score, seat)


@kernel
def fill_values(rules: Any, table: Any, score: Any, values: int, spread: float) -> None:
    """Settle a hand, and put its value for every seat at an address."""
    settle(rules, table, score)
    into = floats_at(values, rules.players)
    for seat in range(rules.players):
        into[seat] = value_of(rules, score, seat, spread)


@linked("float64(int64, int64, int64, int64, float64)")
def value_narrow(rules: int, table: int, score: int, seat: int, spread: float) -> float:
    """As `value_at_end`, by addresses."""
    record = rules_at(rules)
    settle(record, table_at(table), game_at(score))
    return value_of(record, game_at(score), seat, spread)


@linked("float64(int64, int64, int64, int64, float64)", later=True)
def value_wide(rules: int, table: int, score: int, seat: int, spread: float) -> float:
    """As `value_narrow`, for a game with a kitty."""
    record = wide_rules_at(rules)
    settle(record, table_at(table), game_at(score))
    return value_of(record, game_at(score), seat, spread)


@linked("void(int64, int64, int64, int64, float64)")
def values_narrow(rules: int, table: int, score: int, values: int, spread: float) -> None:
    """As `values_at_end`, by addresses."""
    fill_values(rules_at(rules), table_at(table), game_at(score), values, spread)


@linked("void(int64, int64, int64, int64, float64)", later=True)
def values_wide(rules: int, table: int, score: int, values: int, spread: float) -> None:
    """As `values_narrow`, for a game with a kitty."""
    fill_values(wide_rules_at(rules), table_at(table), game_at(score), values, spread)


@inlined
def value_at_end(rules: Any, table: Any, score: Any, seat: int, spread: float) -> float:
    """Settle a finished hand, and say what it is worth to a seat."""
    where, state, game = address_of(rules), address_of(table), address_of(score)
    if is_wide(rules):
        return value_wide(where, state, game, seat, spread)
    return value_narrow(where, state, game, seat, spread)


@inlined
def values_at_end(rules: Any, table: Any, score: Any, values: Any, spread: float) -> None:
    """Settle a finished hand, and say what it is worth to every seat."""
    where, state, game = address_of(rules), address_of(table), address_of(score)
    if is_wide(rules):
        values_wide(where, state, game, values.ctypes.data, spread)
    else:
        values_narrow(where, state, game, values.ctypes.data, spread)
