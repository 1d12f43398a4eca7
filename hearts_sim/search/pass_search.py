"""Choosing what to pass, by playing hands out after it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine.bits import count, lowest
from hearts_sim.engine.deal import open_play
from hearts_sim.engine.legal import suit_mask
from hearts_sim.engine.memory import rules_at, stream_at
from hearts_sim.engine.passing import exchange, passable_cards
from hearts_sim.engine.play import clear_table
from hearts_sim.search._jit import kernel
from hearts_sim.search.belief import believe, covers, draw
from hearts_sim.search.fallback import all_round_pass
from hearts_sim.search.linked import address_of, linked, view_at
from hearts_sim.search.memory import wide_rules_at
from hearts_sim.search.plan import MOST_WORLDS, is_over, new_room
from hearts_sim.search.playout import play_out
from hearts_sim.search.policy import (
    KING_ACE,
    LEAST,
    NO_CARD,
    NOBODY,
    QUEEN_BIT,
    SHOOTS,
    USUAL,
    fill_danger,
)
from hearts_sim.search.racing import FIRST_LOOK, best_arm, drop_worse, new_arms, note_value
from hearts_sim.search.records import copy_record
from hearts_sim.search.settings import PASS_PLAYOUTS, plan_of
from hearts_sim.search.steps import set_moods
from hearts_sim.search.value import begin_score, value_at_end
from hearts_sim.strategy.toolkit import options

MOST_PASSES = 96
"""Passes that are compared at most."""


@kernel
def appeal(rules: Any, hand: int, card: int, danger: Any) -> int:
    """How much speaks for passing a card."""
    suit = suit_mask(card // 13) & hand
    score = danger[card]
    if rules.win_highest:
        return score
    if card // 13 == 2 and rules.penalty_cards & QUEEN_BIT:
        # Enough low spades guard the high ones.
        guards = count(suit & ~(QUEEN_BIT | KING_ACE))
        if 1 << card & (QUEEN_BIT | KING_ACE):
            return score + 60 - 45 * max(0, guards - 2) if guards < 5 else score - 160
        return score - 30
    if card // 13 != 3:
        score += 8 * (4 - count(suit))
        if card % 13 <= 2:
            score -= 10
    return score


@kernel
def pass_quickly(rules: Any, hand: int, legal: int, need: int, danger: Any) -> int:
    """What a player passes without much thought."""
    chosen = 0
    for _ in range(need):
        best, best_score = NO_CARD, LEAST
        cards = legal & ~chosen
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            score = appeal(rules, hand & ~chosen, card, danger)
            if score > best_score:
                best, best_score = card, score
        chosen |= 1 << best
    return chosen


@kernel
def candidate_passes(rules: Any, hand: int, legal: int, need: int, danger: Any, sets: Any) -> int:
    """Passes worth comparing, the first by habit; returns their number.

    All choices out of the cards that appeal most, and what one passes to shoot the moon.
    """
    sets[0] = pass_quickly(rules, hand, legal, need, danger)
    found = 1
    # The lowest cards of other suits than hearts: for the moon.
    chosen = 0
    for rank in range(13):
        for suit in range(4):
            bit = 1 << (13 * suit + rank)
            if legal & bit and count(chosen) < need and (suit != 3 or count(chosen) >= need - 1):
                chosen |= bit
    if count(chosen) == need and chosen != sets[0]:
        sets[found] = chosen
        found += 1
    # The low hearts: they lose tricks that a moon needs.
    chosen = 0
    for suit in (3, 0, 1, 2):
        for rank in range(13):
            bit = 1 << (13 * suit + rank)
            if legal & bit and count(chosen) < need:
                chosen |= bit
    if chosen != sets[0]:
        sets[found] = chosen
        found += 1
    pool, size = 0, 0
    ways = 1
    while size < count(legal):
        # As many cards as there is room for all choices among them.
        more = ways
        if size >= need:
            more = ways * (size + 1) // (size + 1 - need)
        if size + 1 > need and more > MOST_PASSES - found:
            break
        size += 1
        ways = more
    pool = pass_quickly(rules, hand, legal, size, danger)
    cards = np.empty(size, np.int64)
    left = pool
    for place in range(size):
        cards[place] = lowest(left)
        left &= left - 1
    for choice in range(1 << size):
        if count(choice) != need or found >= MOST_PASSES:
            continue
        chosen = 0
        for place in range(size):
            if choice >> place & 1:
                chosen |= 1 << cards[place]
        if (
            chosen != sets[0]
            and (found < 2 or chosen != sets[1])
            and (found < 3 or chosen != sets[2])
        ):
            sets[found] = chosen
            found += 1
    return found


@kernel
def choose_pass_by_playouts(rules: Any, view: Any, stream: Any, plan: Any, room: Any) -> int:
    """The pass with the best mean value over playouts, of those that are worth comparing.

    Each is tried with the plan to go on as usual, and to go on for the moon.

    Parameters
    ----------
    rules, view, stream, plan, room
        As of `monte_carlo.choose_by_playouts`.
    """
    table, world, hands, score = room.tables[0], room.worlds[0], room.hands[0], room.scores[0]
    seat, need = view.seat, view.pass_count
    danger = np.empty(52, np.int64)
    fill_danger(rules, danger)
    sets = np.empty(MOST_PASSES + 3, np.int64)
    passes = candidate_passes(rules, view.hand, view.legal, need, danger, sets)
    moods_each = 2 if plan.sensible and rules.moon else 1
    number = passes * moods_each
    most = min(plan.worlds, max(2, min(MOST_WORLDS, plan.playouts // 2)))
    arms = new_arms(number, most)
    begin_score(rules, view, score)
    score.pass_need = need
    score.pass_offset = view.pass_offset
    moods = np.zeros(16, np.int64)
    belief = believe(rules_at(view.rules), view)
    played, worlds, next_look, living = 0, 0, FIRST_LOOK, number
    while living > 1 and worlds < most and played + living <= plan.playouts:
        draw(belief, stream, world)
        for other in range(rules.players):
            if other != seat:
                hand = world.cards[other]
                legal = passable_cards(rules, score, hand, 0)
                score.passed[other] = pass_quickly(rules, hand, legal, need, danger)
        for arm in range(number):
            if not arms.alive[arm]:
                continue
            copy_record(hands, world)
            score.passed[seat] = sets[arm // moods_each]
            score.received[:] = 0
            exchange(rules, score, hands)
            clear_table(rules, table)
            open_play(rules, score, table, hands)
            set_moods(rules, hands, seat, NOBODY, moods)
            moods[seat] = SHOOTS if arm % moods_each else USUAL
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
    return sets[best_arm(arms) // moods_each]


@linked("int64(int64)")
def passes_narrow(view: int) -> int:
    """As `pass_by_playouts`, by the address of the view."""
    shown = view_at(view)
    rules = rules_at(shown.rules)
    plan = plan_of(rules, shown, options(shown)[PASS_PLAYOUTS], True)
    return choose_pass_by_playouts(rules, shown, stream_at(shown.own), plan, new_room())


@linked("int64(int64)", later=True)
def passes_wide(view: int) -> int:
    """As `passes_narrow`, for a game with a kitty."""
    shown = view_at(view)
    rules = wide_rules_at(shown.rules)
    plan = plan_of(rules, shown, options(shown)[PASS_PLAYOUTS], True)
    return choose_pass_by_playouts(rules, shown, stream_at(shown.own), plan, new_room())


@kernel
def pass_by_playouts(view: Any) -> int:
    """The pass that a player with the options of `settings` chooses by playouts."""
    if not covers(rules_at(view.rules)):
        return all_round_pass(address_of(view))
    if view.kitty_size:
        return passes_wide(address_of(view))
    return passes_narrow(address_of(view))
