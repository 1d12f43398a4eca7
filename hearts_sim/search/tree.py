"""A tree over what may happen, grown in one world after the other.

Information set Monte Carlo tree search with one observer (P. Cowling, E. Powley, D. Whitehouse,
IEEE TCIAIG 4, 2012): a node is a sequence of cards, whoever could have held them; each step goes
by UCB1 (P. Auer, N. Cesa-Bianchi, P. Fischer, 2002) among the cards that are legal in the world at
hand, and every seat counts its own value (max-n).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from hearts_sim.cards import MAX_SEATS
from hearts_sim.engine.bits import count, lowest
from hearts_sim.engine.legal import legal_cards
from hearts_sim.engine.memory import rules_at, stream_at
from hearts_sim.search._jit import kernel
from hearts_sim.search.belief import covers, draw
from hearts_sim.search.endgame import cards_out, is_finished
from hearts_sim.search.fallback import all_round_card
from hearts_sim.search.linked import address_of, linked, view_at
from hearts_sim.search.memory import wide_rules_at
from hearts_sim.search.plan import is_over, new_room
from hearts_sim.search.playout import play_out, sole_taker
from hearts_sim.search.policy import SHOOTS, USUAL, fill_danger, random_card
from hearts_sim.search.reading import believe_signs
from hearts_sim.search.records import copy_record, shown_table
from hearts_sim.search.settings import COURAGE, PLAYOUTS, plan_of
from hearts_sim.search.steps import (
    cards_elsewhere,
    may_shoot,
    play_and_finish,
    representatives,
    set_moods,
)
from hearts_sim.search.value import begin_score, values_at_end
from hearts_sim.strategy.toolkit import options

NONE: Any = np.int64(-1)
MOST_NODES = 1 << 15

MOST_RUNS = np.int64(1 << 17)
"""Worlds that a tree is grown in where no limit is given."""


class Tree(NamedTuple):
    """Nodes by number; the root's children are first. Each is a card after those of its parent.

    Attributes
    ----------
    card, seat, child, sibling : ndarray of int64
        What was played and by whom; first child and next sibling, -1 for none.
    visits, chances : ndarray of int64
        How often it was gone through, and how often it could have been.
    total : ndarray of float64
        Sum of the values for who played the card.
    """

    card: Any
    seat: Any
    child: Any
    sibling: Any
    visits: Any
    chances: Any
    total: Any


@kernel
def new_tree(size: int) -> Any:
    """Room for so many nodes."""
    return Tree(
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.float64),
    )


@kernel
def add_node(tree: Any, node: int, parent: int, card: int, seat: int) -> None:
    """Put a node below another one."""
    tree.card[node] = card
    tree.seat[node] = seat
    tree.child[node] = NONE
    tree.sibling[node] = NONE
    tree.visits[node] = 0
    tree.chances[node] = 0
    tree.total[node] = 0.0
    if parent >= 0:
        tree.sibling[node] = tree.child[parent]
        tree.child[parent] = node


@kernel
def choose_by_tree(
    rules: Any, view: Any, stream: Any, plan: Any, courage: float, room: Any, tree: Any
) -> int:
    """The legal card that a tree search went through most often.

    Parameters
    ----------
    rules, view, stream, plan, room
        As of `monte_carlo.choose_by_playouts`.
    courage : float
        Factor of UCB1's term for what was tried seldom, of the range of the values seen so far.
    tree : Tree
    """
    candidates = representatives(rules, view.legal, view.hand, cards_elsewhere(view))
    if count(candidates) == 1:
        return lowest(candidates)
    table, world, hands, score = room.tables[0], room.worlds[0], room.hands[0], room.scores[0]
    seat = view.seat
    belief = believe_signs(rules_at(view.rules), view, plan.trust)
    start = shown_table(view)
    sole = sole_taker(rules, start)
    begin_score(rules, view, score)
    danger = np.empty(52, np.int64)
    fill_danger(rules, danger)
    moods, values = np.zeros(16, np.int64), np.zeros(MAX_SEATS)
    path = np.empty(64, np.int64)
    # One tree for going on as usual, and one for the moon.
    trees = 2 if plan.sensible and may_shoot(rules, seat, sole) else 1
    for mood in range(trees):
        add_node(tree, mood, NONE, NONE, NONE)
    nodes = trees
    worst, best = 1e300, -1e300
    most = min(plan.playouts, plan.worlds)
    if plan.deadline == 0:
        most = min(most, MOST_RUNS)
    runs, scale = 0, 0.0
    while runs < most and not is_over(plan):
        draw(belief, stream, world)
        set_moods(rules, world, seat, sole, moods)
        copy_record(table, start)
        copy_record(hands, world)
        if runs:
            scale = courage * (best - worst)
        mood = choose_root(tree, trees, runs, scale)
        moods[seat] = SHOOTS if mood else USUAL
        node, steps = mood, 0
        tree.visits[node] += 1
        while nodes < MOST_NODES and not is_finished(rules, table, hands):
            turn = table.turn
            hand = hands.cards[turn]
            elsewhere = cards_out(rules, hands) & ~hand | table.trick_cards
            legal = representatives(rules, legal_cards(rules, table, hands), hand, elsewhere)
            chosen, fresh = step(tree, node, turn, legal, scale, stream)
            if fresh >= 0:
                chosen = nodes
                add_node(tree, chosen, node, fresh, turn)
                tree.chances[chosen] = 1
                nodes += 1
            node = chosen
            tree.visits[node] += 1
            path[steps] = node
            steps += 1
            play_and_finish(rules, table, hands, tree.card[node])
            if fresh >= 0 and legal & (legal - 1):
                break
        play_out(rules, table, hands, stream, moods, danger, plan)
        values_at_end(rules, table, score, values, plan.spread)
        for place in range(steps):
            tree.total[path[place]] += values[tree.seat[path[place]]]
        tree.total[mood] += values[seat]
        runs += 1
        worst, best = min(worst, values[seat]), max(best, values[seat])
    card = most_visited(tree, trees)
    # Nothing grows where the score is certain already.
    return card if card >= 0 else lowest(view.legal)


@kernel
def choose_root(tree: Any, trees: int, runs: int, courage: float) -> int:
    """With or without the moon in mind, by UCB1."""
    if trees == 1:
        return 0
    if runs < 2:
        return runs
    log = math.log(runs)
    first = tree.total[0] / tree.visits[0] + courage * math.sqrt(log / tree.visits[0])
    second = tree.total[1] / tree.visits[1] + courage * math.sqrt(log / tree.visits[1])
    return 1 if second > first else 0


@kernel
def step(
    tree: Any, node: int, seat: int, legal: int, courage: float, stream: Any
) -> tuple[Any, Any]:
    """The next node on the way down, and a card that has none yet (-1: all have)."""
    untried, best, best_score = legal, NONE, -1e300
    child = tree.child[node]
    while child >= 0:
        bit = 1 << tree.card[child]
        if legal & bit and tree.seat[child] == seat:
            untried &= ~bit
            tree.chances[child] += 1
        child = tree.sibling[child]
    if untried:
        return NONE, random_card(stream, untried)
    child = tree.child[node]
    while child >= 0:
        if legal >> tree.card[child] & 1 and tree.seat[child] == seat:
            visits = tree.visits[child]
            score = tree.total[child] / visits
            score += courage * math.sqrt(math.log(tree.chances[child]) / visits)
            if score > best_score:
                best, best_score = child, score
        child = tree.sibling[child]
    return best, NONE


@kernel
def most_visited(tree: Any, trees: int) -> int:
    """The card at the root that was gone through most, in the better of the trees."""
    root = 0
    if trees == 2 and tree.visits[1] > tree.visits[0]:
        root = 1
    best = NONE
    child = tree.child[root]
    while child >= 0:
        if best < 0 or tree.visits[child] > tree.visits[best]:
            best = child
        child = tree.sibling[child]
    return tree.card[best] if best >= 0 else NONE


@linked("int64(int64)")
def tree_narrow(view: int) -> int:
    """As `card_by_tree`, by the address of the view."""
    shown = view_at(view)
    rules, own = rules_at(shown.rules), options(shown)
    plan = plan_of(rules, shown, own[PLAYOUTS], True)
    stream = stream_at(shown.own)
    return choose_by_tree(
        rules, shown, stream, plan, own[COURAGE], new_room(), new_tree(MOST_NODES)
    )


@linked("int64(int64)", later=True)
def tree_wide(view: int) -> int:
    """As `tree_narrow`, for a game with a kitty."""
    shown = view_at(view)
    rules, own = wide_rules_at(shown.rules), options(shown)
    plan = plan_of(rules, shown, own[PLAYOUTS], True)
    stream = stream_at(shown.own)
    return choose_by_tree(
        rules, shown, stream, plan, own[COURAGE], new_room(), new_tree(MOST_NODES)
    )


@kernel
def card_by_tree(view: Any) -> int:
    """The card that a player with the options of `settings` chooses by a tree."""
    if not covers(rules_at(view.rules)):
        return all_round_card(address_of(view))
    if view.kitty_size:
        return tree_wide(address_of(view))
    return tree_narrow(address_of(view))
