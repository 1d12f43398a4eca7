"""Endgames are solved as a brute force solves them that knows nothing of the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from brute import after, outcomes, twin_at

from hearts_sim import Rules, Table
from hearts_sim.cards import Card
from hearts_sim.testing.proving import count_worlds, prove, worlds_of

TABLES = [("black_lady", 3), ("black_lady", 4), ("omnibus", 4), ("black_lady", 5)]


def endings(preset: str, players: int, seed: int, left: int) -> Iterator[tuple[Table, list[str]]]:
    """A table that is played at random, at each choice of its last tricks, with the cards so far.

    The table itself moves on.
    """
    rng = random.Random(seed)
    table = Table(Rules.preset(preset, players=players), seed=seed)
    table.deal()
    dealt = [[card.name for card in cards] for cards in table.hands]
    passed = [[card.name for card in table.default_pass(seat)] for seat in range(players)]
    if table.pass_count:
        table.exchange(passed)
    plays: list[str] = []
    while not table.hand_over:
        rest = table.rules.hand_size + 1 - table.trick_number
        if rest <= left and len(table.legal) > 1:
            yield table, twin_at(table, dealt, passed, plays)
        card = rng.choice(list(table.legal))
        plays.append(card.name)
        table.play(card)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_all_worlds_of_two_tricks(preset: str, players: int) -> None:
    """In every world of some endings: own points of each card, and from them the best card."""
    seen = proved = 0
    for seed in range(40):
        for table, twin in endings(preset, players, seed, 2):
            number = count_worlds(table)
            if number > 12:
                continue
            worlds = worlds_of(table)
            assert len(worlds) == number
            seat, cards = table.turn, [card.name for card in table.legal]
            points: dict[str, list[set[int]]] = {card: [] for card in cards}
            for world in worlds.tolist():
                twin.hands = [[card.name for card in cards_of(hand)] for hand in world]
                for card in cards:
                    found = {outcome[seat] for outcome in outcomes(after(twin, card))}
                    points[card].append(found)
            proof = prove(table)
            assert proof is not None
            assert proof.worlds == number
            seen += 1
            wins = [card for card in cards if is_best(card, points)]
            if proof.best:
                proved += 1
                assert {str(card) for card in proof.best} >= set(wins)
                for card, (least, most) in proof.points.items():
                    every = set().union(*points[card.name])
                    assert (min(every), max(every)) == (least, most)
                others = [card for card in cards if Card(card) not in proof.best]
                gains = [
                    min(min(points[other][world]) for other in others)
                    - max(max(points[card.name][world]) for card in proof.best)
                    for world in range(number)
                ]
                assert (min(gains), max(gains)) == proof.gain
            else:
                assert not wins
        if seen >= 25 and proved >= 3:
            return
    raise AssertionError(f"only {seen} endings, {proved} with a best card")


def cards_of(mask: int) -> list[Card]:
    return [Card(number) for number in range(52) if mask >> number & 1]


def is_best(card: str, points: dict[str, list[set[int]]]) -> bool:
    """Whether a card alone is never worse than another, and than each of them once better."""
    others = [other for other in points if other != card]
    gains = [
        min(min(points[other][world]) for other in others) - max(own)
        for world, own in enumerate(points[card])
    ]
    return min(gains) >= 0 and max(gains) > 0
