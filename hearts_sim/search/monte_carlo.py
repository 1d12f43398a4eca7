"""Choosing by playouts: every candidate in the same worlds, the hopeless ones dropped on the way.

Perfect-information Monte Carlo (M. Ginsberg, GIB: imperfect information in a computationally
challenging game, JAIR 14, 2001), but with playouts by a policy that sees no other hand, so that a
candidate is not valued by what only an open table would allow.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hearts_sim.engine.bits import count, highest, index, lowest
from hearts_sim.engine.layout import GAME, HANDS, TABLE
from hearts_sim.engine.legal import suit_mask
from hearts_sim.engine.play import find_taker, finish_trick, play_card
from hearts_sim.search._jit import kernel
from hearts_sim.search.playout import play_sensibly, sole_taker
from hearts_sim.search.policy import NOBODY, SHOOTS, USUAL, fill_danger, is_strong
from hearts_sim.search.records import copy_record, shown_table
from hearts_sim.search.value import begin_score, settle, value_of
from hearts_sim.search.belief import believe, draw

FIRST_ROUND = 8
"""Worlds before candidates are dropped for the first time."""

SURE = 2.6
"""Standard errors by which a candidate must be worse to be dropped."""


@kernel
def representatives(rules: Any, view: Any, legal: int) -> int:
    """Of the legal cards that come to the same, the lowest.

    Two cards of a suit come to the same when no card between them is in another hand and both cost
    as much.
    """
    out = view.deck & ~(view.hand | view.played)
    # A card of the trick on the table still matters for who wins it.
    for place in range(view.trick_size):
        out |= 1 << view.trick[place]
    kept, before = 0, np.int64(-1)
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        same = False
        if before >= 0 and before // 13 == card // 13:
            between = ((1 << card) - 1) & ~((2 << before) - 1)
            same = (
                out & between == 0
                and rules.cost[card] == rules.cost[before]
                and rules.bonus[card] == rules.bonus[before]
                and (card == before + 1 or between & view.hand & ~legal == 0)
            )
        if not same:
            kept |= 1 << card
        before = card
    return kept


@kernel
def moods_of(rules: Any, hands: Any, seat: int, sole: int, moods: Any) -> None:
    """Who of the others goes for the moon in a world."""
    out = 0
    for other in range(rules.players):
        out |= hands.cards[other]
    for other in range(rules.players):
        moods[other] = USUAL
        if other != seat and (sole == NOBODY or sole == rules.moon_side[other]):
            hand = hands.cards[other]
            if is_strong(rules, hand, out & ~hand):
                moods[other] = SHOOTS


@kernel
def choose_by_playouts(
    rules: Any, view: Any, stream: Any, budget: int, threat: int, spread: float
) -> int:
    """The legal card with the best mean value over playouts.

    Parameters
    ----------
    budget : int
        Playouts in all.
    spread : float
        As in `value.value_of`.
    """
    legal = view.legal
    if count(legal) == 1:
        return lowest(legal)
    candidates = representatives(rules, view, legal)
    if count(candidates) == 1:
        return lowest(candidates)
    # Numba keeps an array alive for the length of a call, but not for a record in it.
    return compare_cards(
        rules,
        view,
        stream,
        candidates,
        budget,
        threat,
        spread,
        np.zeros(1, TABLE),
        np.zeros(1, HANDS),
        np.zeros(1, HANDS),
        np.zeros(1, GAME),
    )


@kernel
def compare_cards(
    rules: Any,
    view: Any,
    stream: Any,
    candidates: int,
    budget: int,
    threat: int,
    spread: float,
    tables: Any,
    worlds_drawn: Any,
    hands_played: Any,
    scores: Any,
) -> int:
    """The best of some cards; the last four arguments are room for one record each."""
    table, world, hands, score = tables[0], worlds_drawn[0], hands_played[0], scores[0]
    seat = view.seat
    belief = believe(rules, view)
    start = shown_table(view)
    sole = sole_taker(rules, start)
    tries = 2 if rules.moon and (sole == NOBODY or sole == rules.moon_side[seat]) else 1
    arms = count(candidates) * tries
    card_of = np.empty(arms, np.int64)
    alive = np.ones(arms, np.bool_)
    arm = 0
    cards = candidates
    while cards:
        for _ in range(tries):
            card_of[arm] = lowest(cards)
            arm += 1
        cards &= cards - 1
    most = max(2, budget // 2)
    values = np.empty((arms, most), np.float64)
    sums = np.zeros(arms)
    begin_score(rules, view, score)
    danger = np.empty(52, np.int64)
    fill_danger(rules, danger)
    moods, began = np.zeros(16, np.int64), np.zeros(16, np.int64)
    played, worlds, next_look, living = 0, 0, FIRST_ROUND, arms
    while played + living <= budget and worlds < most and living > 1:
        draw(belief, stream, world)
        moods_of(rules, world, seat, sole, began)
        for arm in range(arms):
            if not alive[arm]:
                continue
            copy_record(table, start)
            copy_record(hands, world)
            moods[:] = began
            moods[seat] = SHOOTS if tries == 2 and arm & 1 else USUAL
            play_card(rules, table, hands, card_of[arm])
            if table.trick_size == rules.players:
                finish_trick(rules, table, find_taker(rules, table))
            play_sensibly(rules, table, hands, stream, moods, danger, threat)
            settle(rules, table, score)
            value = value_of(rules, score, seat, spread)
            values[arm, worlds] = value
            sums[arm] += value
            played += 1
        worlds += 1
        if worlds == next_look:
            next_look *= 2
            living = drop_worse(values, sums, alive, worlds)
    best = -1
    for arm in range(arms):
        if alive[arm] and (best < 0 or sums[arm] > sums[best]):
            best = arm
    return card_of[best]


@kernel
def drop_worse(values: Any, sums: Any, alive: Any, worlds: int) -> int:
    """Drop candidates that are surely worse than the best so far; returns how many are left."""
    best = -1
    for arm in range(len(sums)):
        if alive[arm] and (best < 0 or sums[arm] > sums[best]):
            best = arm
    living = 0
    for arm in range(len(sums)):
        if not alive[arm]:
            continue
        if arm != best:
            total, squares = 0.0, 0.0
            for world in range(worlds):
                difference = values[best, world] - values[arm, world]
                total += difference
                squares += difference * difference
            mean = total / worlds
            variance = max(0.0, squares / worlds - mean * mean) / worlds
            if mean > SURE * math.sqrt(variance) and mean > 0.0:
                alive[arm] = False
                continue
        living += 1
    return living
