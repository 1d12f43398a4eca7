"""What choices suggest, against the same written slowly, card by card, from the tricks."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from linking import Asked, new_stream
from positions import TABLES, positions, rotated

from hearts_sim.cards import SPADES, Card
from hearts_sim.engine.layout import HANDS, RULES, VIEW
from hearts_sim.engine.record import compile_rules
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.search._jit import kernel
from hearts_sim.search.belief import draw
from hearts_sim.search.reading import FACTORS, believe_signs, weigh_signs
from hearts_sim.strategy.view import View

KEPT, EARLY, LED = FACTORS
QUEEN = int(Card("QS"))


@kernel
def read(rules: Any, view: Any, weights: Any) -> bool:
    """The odds, and whether any changed."""
    return weigh_signs(rules, view, FACTORS, weights)


def odds(view: View) -> dict[tuple[int, Card], float]:
    """The odds that are not 1, by seat and card."""
    rules = view.rules
    hidden = [card for card in view.deck - view.played if card not in view.hand]
    penalties = [card for card in rules.deck if rules.costs[card] > 0]
    queen = Card("QS")
    found: dict[tuple[int, Card], float] = {}

    def against(seat: int, cards: list[Card], factor: float) -> None:
        if seat != view.seat:
            for card in cards:
                found[seat, card] = max(0.02, found.get((seat, card), 1.0) * factor)

    for number, (leader, cards) in enumerate(view.tricks):
        first = cards[0]
        best = first
        if queen in hidden and queen in penalties and first.suit == SPADES and first < queen:
            high = [card for card in hidden if card.name in ("QS", "KS", "AS")]
            against(leader, high, LED)
        for place, card in enumerate(cards[1:], 1):
            seat = (leader + place) % view.players
            if card.suit != first.suit:
                banned = number == 0 and rules.first_trick_points != "free"
                if queen in hidden and queen in penalties and not banned:
                    against(seat, [queen], KEPT)
                continue
            dear = any(other in penalties for other in cards[:place])
            if card > best and number > 0 and (place < view.players - 1 or dear):
                lower = [c for c in hidden if c.suit == first.suit and c < best]
                against(seat, lower, EARLY)
            best = max(best, card)
    return found


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_signs_are_read(name: str, players: int) -> None:
    """At every decision of random hands."""
    rng = random.Random(f"signs {name} {players}")
    rules = rotated(Rules.preset(name, players=players), rng)
    record = compile_rules(rules).view(RULES)[0]
    changed = 0
    for view, _ in positions(rules, rng, games=2):
        words = np.frombuffer(view._words, np.int64).copy().view(VIEW)[0]
        weights = np.ones((players + 1, 52))
        any_changed = read(record, words, weights)
        expected = odds(view)
        wanted = np.ones((players + 1, 52))
        for (seat, card), factor in expected.items():
            wanted[seat, int(card)] = factor
        np.testing.assert_allclose(weights, wanted)
        assert any_changed == bool(expected)
        changed += any_changed
    assert changed


@kernel
def count_queens(rules: Any, view: Any, trust: float, stream: Any, hands: Any, number: int) -> Any:
    """In how many worlds each seat has the queen."""
    belief = believe_signs(rules, view, trust)
    held = np.zeros(4, np.int64)
    for _ in range(number):
        draw(belief, stream, hands)
        for seat in range(4):
            held[seat] += hands.cards[seat] >> QUEEN & 1
    return held


def test_the_queen_is_looked_for_elsewhere() -> None:
    """Seat 3 threw a diamond where she could have gone: a fifth of the odds are left.

    Seat 0 does not see 34 cards: six clubs, of which seat 3 has none, and 28 others, of which it
    has 11. So equally likely worlds have the queen there in 11 of 28, and of the others 12 in 23
    have her at seat 1.
    """
    table = Table(Rules(pass_count=0))
    hands = [
        "2C 4C 5C 6C AD KD QD 2H 3H 4H 5H 6H 7H",
        "3C 7C 8C 9C 2D 3D 4D QS 2S 3S 8H 9H TH",
        "TC JC QC KC AC 4S 5S 6S 7S 8S JH QH KH",
        "5D 6D 7D 8D 9D TD JD 9S TS JS KS AS AH",
    ]
    table.deal([hand.split() for hand in hands])
    for card in ("2C", "3C", "AC", "5D"):
        table.play(card)
    for card in ("KC", "6D"):
        table.play(card)
    record = compile_rules(table.rules).view(RULES)[0]
    asked, world = Asked(table), np.zeros(1, HANDS)[0]
    for trust, factor in ((0.0, 1.0), (1.0, 0.2), (2.0, 0.04)):
        held = count_queens(record, asked.view[0], trust, new_stream(1), world, 20_000)
        third = 11 * factor / (11 * factor + 17)
        first = (1 - third) * 12 / 23
        expected = [0.0, first, 1 - first - third, third]
        # Four standard errors are 0.014 at most.
        np.testing.assert_allclose(held / 20_000, expected, atol=0.014)
