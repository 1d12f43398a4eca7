"""Whether a world is possible, by playing what was played from its hands with the engine's rules.

It knows nothing of what a play says of a hand: it deals the world, opens the hand, and looks at
every card whether it was legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine.bits import count
from hearts_sim.engine.deal import open_play
from hearts_sim.engine.layout import GAME, HANDS, RULES, TABLE, VIEW
from hearts_sim.engine.legal import legal_cards
from hearts_sim.engine.play import clear_table, find_taker, finish_trick, play_card
from hearts_sim.engine.record import compile_rules
from hearts_sim.search.belief import believe, believe_weighted, draw
from hearts_sim.strategy.toolkit import helper
from hearts_sim.strategy.view import View


@helper
def lies_right(view: Any, world: Any) -> bool:
    """Whether everybody has as many cards as they must, and what one knows is where it is."""
    cards = view.played
    for place in range(view.players + 1):
        hand = world.kitty if place == view.players else world.cards[place]
        size = view.kitty_size
        if place < view.players:
            size = view.hand_size - count(view.played_by[place])
        if hand & cards or count(hand) != size:
            return False
        cards |= hand
    if cards != view.deck or world.cards[view.seat] != view.hand:
        return False
    if view.kitty and world.kitty != view.kitty:
        return False
    went = view.passed
    for offset in range(1, view.players):
        there = (view.seat + offset) % view.players
        had = world.cards[there] | view.played_by[there]
        if offset == view.pass_offset and went & ~had:
            return False
        if view.pass_offset == -1:
            if went & -went & ~had:
                return False
            went &= went - 1
    return True


@helper
def plays_right(rules: Any, view: Any, world: Any, game: Any, table: Any, hands: Any) -> bool:
    """Whether all that was played was legal from these hands, and opened by the right seat."""
    for seat in range(view.players):
        hands.cards[seat] = world.cards[seat] | view.played_by[seat]
        hands.cards_twice[seat] = 0
    hands.kitty = world.kitty
    game.hand_number = view.hand_number
    clear_table(rules, table)
    open_play(rules, game, table, hands)
    if view.cards_played == 0 and world.opening != hands.opening:
        return False
    for number in range(view.cards_played):
        if table.trick_size == 0 and table.turn != view.leaders[table.trick_number - 1]:
            return False
        card = view.history[number]
        if not legal_cards(rules, table, hands) >> card & 1:
            return False
        play_card(rules, table, hands, card)
        if table.trick_size == view.players:
            finish_trick(rules, table, find_taker(rules, table))
    return table.turn == view.turn and legal_cards(rules, view, world) == view.legal


@helper
def impossible_among(
    rules: Any, view: Any, belief: Any, stream: Any, number: int, records: Any
) -> int:
    """Draw worlds and count those that are impossible."""
    world, game, table, hands = records
    wrong = 0
    for _ in range(number):
        draw(belief, stream, world)
        right = lies_right(view, world)
        if right and view.leader >= 0:
            right = plays_right(rules, view, world, game, table, hands)
        wrong += not right
    return wrong


def count_impossible(view: View, number: int, seed: int, weights: Any = None) -> int:
    """Of so many worlds drawn for a view, those that are impossible; none at all counts as one."""
    words = np.frombuffer(bytes(view._words), VIEW)[0]
    rules = compile_rules(view.rules)
    # As bots do it; only the game needs what a kitty adds to the record of the rules.
    known = rules.view(RULES)[0]
    belief = believe(known, words) if weights is None else believe_weighted(known, words, weights)
    if not belief.total > 0.0:
        return 1
    records = tuple(np.zeros(1, dtype)[0] for dtype in (HANDS, GAME, TABLE, HANDS))
    return int(
        impossible_among(
            rules[0],
            words,
            belief,
            np.array([seed, 1], np.uint64),
            number,
            records,
        )
    )
