"""Choosing by playouts: every candidate in the same worlds, the hopeless ones dropped on the way.

Perfect-information Monte Carlo (M. Ginsberg, GIB: imperfect information in a computationally
challenging game, JAIR 14, 2001), but with playouts by a policy that sees no other hand, so that a
candidate is not valued by what only an open table would allow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine.bits import count, lowest
from hearts_sim.engine.memory import rules_at, stream_at
from hearts_sim.search._jit import kernel
from hearts_sim.search.belief import covers, draw
from hearts_sim.search.endgame import EXACT_CARDS, exact_at_end
from hearts_sim.search.fallback import all_round_card
from hearts_sim.search.linked import address_of, linked, view_at
from hearts_sim.search.memory import wide_rules_at
from hearts_sim.search.plan import MOST_WORLDS, is_over, new_room
from hearts_sim.search.playout import play_out, sole_taker
from hearts_sim.search.policy import SHOOTS, USUAL, fill_danger
from hearts_sim.search.racing import FIRST_LOOK, best_arm, drop_worse, new_arms, note_value
from hearts_sim.search.reading import believe_signs
from hearts_sim.search.records import copy_record, shown_table
from hearts_sim.search.settings import PLAYOUTS, plan_of
from hearts_sim.search.steps import (
    by_habit,
    cards_elsewhere,
    may_shoot,
    play_and_finish,
    representatives,
    set_moods,
)
from hearts_sim.search.value import begin_score, value_at_end
from hearts_sim.strategy.toolkit import options


@kernel
def choose_by_playouts(rules: Any, view: Any, stream: Any, plan: Any, room: Any) -> int:
    """The legal card with the best mean value over playouts.

    Each card is tried with the plan to go on as usual, and to go on for the moon.

    Parameters
    ----------
    rules : record of dtype `RULES` or `WIDE_RULES`
    view : record of dtype `VIEW`
    stream : ndarray of two uint64
        Random stream of the seat.
    plan : Plan
    room : Room
    """
    candidates = representatives(rules, view.legal, view.hand, cards_elsewhere(view))
    if count(candidates) == 1:
        return lowest(candidates)
    table, world, hands, score = room.tables[0], room.worlds[0], room.hands[0], room.scores[0]
    seat = view.seat
    belief = believe_signs(rules_at(view.rules), view, plan.trust)
    start = shown_table(view)
    sole = sole_taker(rules, start)
    exact = plan.exact and rules.players * count(view.hand) - view.trick_size <= EXACT_CARDS
    moods_each = 2 if plan.sensible and not exact and may_shoot(rules, seat, sole) else 1
    if count(candidates) * moods_each > plan.playouts:
        moods_each = 1
    danger = np.empty(52, np.int64)
    fill_danger(rules, danger)
    number = count(candidates) * moods_each
    card_of = np.empty(number, np.int64)
    # The first one wins ties, and is played when the playouts do not suffice for a single world.
    card = by_habit(rules, view, start, candidates, danger)
    for arm in range(number):
        card_of[arm] = card
        candidates &= ~(1 << card)
        if arm % moods_each == moods_each - 1:
            card = lowest(candidates)
    most = min(plan.worlds, max(2, min(MOST_WORLDS, plan.playouts // 2)))
    arms = new_arms(number, most)
    begin_score(rules, view, score)
    moods, began = np.zeros(16, np.int64), np.zeros(16, np.int64)
    played, worlds, next_look, living = 0, 0, FIRST_LOOK, number
    while living > 1 and worlds < most and played + living <= plan.playouts:
        draw(belief, stream, world)
        set_moods(rules, world, seat, sole, began)
        for arm in range(number):
            if not arms.alive[arm]:
                continue
            copy_record(table, start)
            copy_record(hands, world)
            moods[:] = began
            moods[seat] = SHOOTS if arm % moods_each else USUAL
            play_and_finish(rules, table, hands, card_of[arm])
            if exact:
                value = exact_at_end(rules, table, hands, score, seat, plan.spread)
            else:
                play_out(rules, table, hands, stream, moods, danger, plan)
                value = value_at_end(rules, table, score, seat, plan.spread)
            note_value(arms, arm, worlds, value)
            played += 1
        worlds += 1
        if worlds == next_look:
            next_look *= 2
            living = drop_worse(arms, worlds)
        if is_over(plan):
            break
    return card_of[best_arm(arms)]


@linked("int64(int64, int64)")
def playouts_narrow(view: int, sensible: int) -> int:
    """As `card_by_playouts`, by the address of the view."""
    shown = view_at(view)
    rules = rules_at(shown.rules)
    plan = plan_of(rules, shown, options(shown)[PLAYOUTS], sensible)
    return choose_by_playouts(rules, shown, stream_at(shown.own), plan, new_room())


@linked("int64(int64, int64)", later=True)
def playouts_wide(view: int, sensible: int) -> int:
    """As `playouts_narrow`, for a game with a kitty."""
    shown = view_at(view)
    rules = wide_rules_at(shown.rules)
    plan = plan_of(rules, shown, options(shown)[PLAYOUTS], sensible)
    return choose_by_playouts(rules, shown, stream_at(shown.own), plan, new_room())


@kernel
def card_by_playouts(view: Any, sensible: bool) -> int:
    """The card that a player with the options of `settings` chooses by playouts."""
    if not covers(rules_at(view.rules)):
        return all_round_card(address_of(view))
    if view.kitty_size:
        return playouts_wide(address_of(view), sensible)
    return playouts_narrow(address_of(view), sensible)
