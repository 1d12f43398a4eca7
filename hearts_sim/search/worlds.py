"""Possible worlds for strategies in plain Python."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import numpy as np

from hearts_sim.cards import CardSet
from hearts_sim.engine.layout import HANDS, RULES, VIEW
from hearts_sim.engine.record import compile_rules
from hearts_sim.errors import WorldsError
from hearts_sim.rules import Rules
from hearts_sim.search._jit import kernel
from hearts_sim.search.belief import believe, believe_weighted, covers, draw
from hearts_sim.strategy.view import View


def possible_worlds(
    view: View, number: int, rng: random.Random, weights: Any = None
) -> list[tuple[CardSet, ...]]:
    """Draw hands of all seats that agree with everything that a seat knows.

    That is: one's own hand, the cards played and passed, how many cards everybody holds, and what
    the plays of the others say of their hands under the rules (that a seat is void, say). Without
    weights every such world is equally likely; the draws are independent, so a world may come
    twice. ::

        def choose_card(self, view):
            for hands in possible_worlds(view, 100, self.rng):
                ...  # hands[seat] is a CardSet; hands[view.seat] == view.hand

    Parameters
    ----------
    view : View
        In any hook but `start_game`, or a copy that was taken there.
    number : int
        Number of worlds.
    rng : random.Random
        Equal states give equal worlds.
    weights : array of shape (players + 1, 52), optional
        How likely each place (the seats, then the kitty) holds each card; only the proportions
        within a card matter. The worlds then come in proportion to the product of their weights.
        When no world has any weight, all are equally likely again.

    Returns
    -------
    list of tuples of CardSet
        For each world the cards in hand by seat. The kitty, if there is one that nobody has shown,
        is what is left: ``view.unseen`` without all of them.

    Raises
    ------
    WorldsError
        With two packs; for a view without a hand that was dealt; for a number below 0; for weights
        of another shape, below zero, or not finite.
    """
    total, hands = drawn_hands(view, number, rng, weights)
    if not total > 0.0:
        raise WorldsError(
            "no hands agree with this view: its fields contradict each other, as they do when one "
            "was put together by hand"
        )
    return [tuple(map(CardSet, cards)) for cards in hands.tolist()]


def drawn_hands(
    view: View, number: int, rng: random.Random, weights: Any = None
) -> tuple[float, Any]:
    """Draw as `possible_worlds` does, as an array.

    Returns
    -------
    total : float
        `Belief.total`: without weights, the number of worlds that are possible.
    hands : ndarray of shape (number, players), int64
        Masks of the cards in hand.
    """
    rules = _record(view.rules)
    if not covers(rules):
        raise WorldsError(
            "possible worlds are drawn from one pack only, and these rules have cards that are "
            "there twice: use packs: 1"
        )
    if number < 0:
        raise WorldsError(f"{number} possible worlds cannot be drawn: ask for 0 or more")
    words = np.frombuffer(view._words, np.int64).copy().view(VIEW)[0]
    if words["hand_number"] < 1 or words["trick_number"] < 1:
        raise WorldsError(
            "possible worlds were asked for before a hand was dealt: ask in start_hand or later"
        )
    odds = _as_odds(weights, view.players)
    stream = np.array([rng.getrandbits(64), rng.getrandbits(64) | 1], np.uint64)
    hands = np.zeros((number, view.players), np.int64)
    total = _draw_many(rules, words, odds, stream, np.zeros(1, HANDS)[0], hands)
    return total, hands


def _as_odds(weights: Any, players: int) -> Any:
    """Weights as the compiled side takes them, of no length for none."""
    if weights is None:
        return np.empty((0, 52))
    try:
        odds = np.ascontiguousarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WorldsError(f"weights must be numbers: {error}") from None
    if odds.shape != (players + 1, 52):
        raise WorldsError(
            f"weights have the shape {odds.shape}, not ({players + 1}, 52): a row for each seat "
            "and one for the kitty, a column for each card"
        )
    if not np.all(np.isfinite(odds)) or odds.min() < 0:
        raise WorldsError("weights must be finite and not below 0")
    return odds


@lru_cache(maxsize=16)
def _record(rules: Rules) -> Any:
    """The record of some rules. The fields that are read here are alike in both dtypes."""
    return compile_rules(rules).view(RULES)[0]


@kernel
def _draw_many(rules: Any, view: Any, weights: Any, stream: Any, hands: Any, cards: Any) -> float:
    """Draw a world into each row of `cards`; returns the total of the belief."""
    belief = believe_weighted(rules, view, weights) if len(weights) else believe(rules, view)
    for row in range(len(cards)):
        draw(belief, stream, hands)
        for seat in range(view.players):
            cards[row, seat] = hands.cards[seat]
    return belief.total
