"""Whole decisions: what is obvious is found, limits are kept to, and equal seeds give the same."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from linking import SEARCHES, Asked, new_stream, play_both, started
from positions import rotated

from hearts_sim.cards import Card, CardSet
from hearts_sim.engine.layout import HANDS
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.search.worlds import _draw_many

PLAIN = Rules(pass_count=0)


def dealt(hand: str, rules: Rules = PLAIN, seat: int = 0, seed: int = 1) -> Table:
    """A hand in which a seat holds some cards, and the others random ones."""
    mine = CardSet.of(*(Card(name) for name in hand.split()))
    rest = [card for card in rules.deck if card not in mine]
    random.Random(seed).shuffle(rest)
    size = rules.hand_size
    hands: list[Any] = [rest[place * size : (place + 1) * size] for place in range(3)]
    hands.insert(seat, mine)
    table = Table(rules)
    table.deal(hands)
    return table


def played(table: Table, *cards: str) -> Table:
    """The same after some cards, each of whoever is in turn."""
    for card in cards:
        table.play(card)
    return table


@pytest.mark.parametrize("name", SEARCHES)
def test_the_queen_goes_under_the_ace(name: str) -> None:
    """The ace of spades was led and the king lies on it: the queen costs one nothing.

    With a single playout no card can be tried, and habit says the same.
    """
    hands = [
        "2C AS 5S 3D 4D 5D 6D 7D 8D 9D 2H 3H 4H",
        "3C KS 4S TD JD QD KD AD 5H 6H 7H 8H 9H",
        "4C QS 2S 3S 6C 7C 8C 9C 2D TH JH QH KH",
        "AC KC QC JC TC 5C 6S 7S 8S 9S TS JS AH",
    ]
    hands[0], hands[3] = hands[0].replace("2C", "AC"), hands[3].replace("AC", "2C")
    table = Table(PLAIN)
    table.deal([hand.split() for hand in hands])
    played(table, "2C", "AC", "3C", "4C", "AS", "KS")
    for seed, playouts in ((1, 300), (2, 300), (1, 1)):
        if name != "tree" or playouts > 1:
            card = Asked(table, seed, playouts=playouts).choose(*SEARCHES[name])
            assert Card(card).name == "QS"


SIXTEEN = "AS KS QC KC AC JC 3C 2C AH KH QH JH TH 9H 8H 7H"
SMALL = Rules(
    cards={},
    players=4,
    deck_removal=[card.name for card in Rules().deck if card.name not in SIXTEEN],
    hand_size=4,
    pass_count=0,
    first_lead="eldest_any",
    first_trick_points="free",
    hearts_lead="free",
    moon="old",
)


@pytest.mark.parametrize("name", ["sensible", "tree"])
def test_a_sure_moon_is_played(name: str) -> None:
    """With the three highest hearts one does not begin with the two of clubs."""
    for seed in (1, 2, 3):
        table = dealt("AH KH QH 2C", SMALL, seat=1, seed=seed)
        assert table.turn == 1
        card = Asked(table, seed, playouts=400).choose(*SEARCHES[name])
        assert Card(card).name == "QH"


def test_the_bare_queen_is_passed() -> None:
    """From a hand that holds her with one low spade, and no other card that hurts."""
    hand = "QS 2S 2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 4H"
    for seed in (1, 2):
        table = dealt(hand, Rules(), seed=seed)
        chosen = CardSet(Asked(table, seed, seat=0, pass_playouts=1500).choose("passes"))
        assert len(chosen) == 3
        assert Card("QS") in chosen
        assert chosen <= table.hands[0]


# Limits.


def late_decision() -> Table:
    """Two tricks before the end, with more than one card to choose from: all is solved exactly."""
    for seed in range(100):
        rng = random.Random(seed)
        table, twin = started(PLAIN, rng)
        play_both(table, twin, rng, 12, moon=False)
        points = sum(twin.cost(card) for hand in twin.hands for card in hand)
        if len({card.suit for card in table.legal}) == 3 and points > 3:
            return table
    raise LookupError


def draws(table: Table, seed: int, number: int) -> list[list[int]]:
    """States of the random numbers after 0, 1, ... worlds were drawn."""
    asked = Asked(table, seed)
    stream, hands = new_stream(seed), np.zeros((1, 4), np.int64)
    states = [stream.tolist()]
    for _ in range(number):
        world = np.zeros(1, HANDS)[0]
        # The record of the dtype that the sampler takes for all rules.
        _draw_many(asked.rules[0], asked.view[0], np.empty((0, 52)), stream, world, hands)
        states.append(stream.tolist())
    return states


@pytest.mark.parametrize(
    ("given", "at_most"),
    [
        ({"worlds": 1}, 1),
        ({"worlds": 5}, 5),
        ({"worlds": 7, "playouts": 0}, 7),
        ({"playouts": 20}, 6),  # 20 // 3
        ({"playouts": 2}, 0),  # not one for each of three cards
        ({"playouts": 1}, 0),
    ],
)
def test_playouts_and_worlds_are_counted(given: dict[str, float], at_most: int) -> None:
    """In the last tricks only worlds take random numbers: they tell how many were drawn."""
    table = late_decision()
    states = draws(table, 5, 10)
    asked = Asked(table, 5, **given)
    card = asked.choose("playouts", 1)
    assert states.index(asked.stream) == at_most
    assert Card(card) in table.legal


def test_a_tree_counts_them_too() -> None:
    """Each run is a world and a playout: either limit stops at the same place."""
    table = dealt("AC 5C 3C AD 9D 3D AS QS 4S AH TH 7H 2H")
    while table.turn:
        table.play(table.legal.lowest())
    ends = []
    limits = ({"playouts": 40}, {"playouts": 0, "worlds": 40}, {"playouts": 41}, {"worlds": 39})
    for given in limits:
        asked = Asked(table, **given)
        assert Card(asked.choose("tree")) in table.legal
        ends.append(asked.stream)
    assert ends[0] == ends[1]
    assert ends[0] not in ends[2:]


@pytest.mark.parametrize("name", [*SEARCHES, "passes"])
def test_time_ends_a_search(name: str) -> None:
    """Without any other limit."""
    table = dealt("AC 5C 3C AD 9D 3D AS QS 4S AH TH 7H 2H", Rules() if name == "passes" else PLAIN)
    while name != "passes" and table.turn:
        table.play(table.legal.lowest())
    limits = {"playouts": 0, "pass_playouts": 0, "worlds": 0, "seconds": 0.01}
    asked = Asked(table, seat=0 if name == "passes" else None, **limits)
    before = asked.stream
    answer = asked.choose(*SEARCHES.get(name, (name,)))
    assert answer & ~int(table.hands[0]) == 0 if name == "passes" else Card(answer) in table.legal
    assert asked.stream != before


@pytest.mark.parametrize("name", SEARCHES)
def test_equal_seeds_give_equal_choices(name: str) -> None:
    """And leave the random numbers where they were the other time; other seeds do not."""
    rng = random.Random(4)
    table, twin = started(rotated(Rules(), rng), rng)
    play_both(table, twin, rng, 38, moon=False)
    results = []
    for seed in (1, 1, 2):
        asked = Asked(table, seed, playouts=30)
        results.append((asked.choose(*SEARCHES[name]), asked.stream))
    assert results[0] == results[1] != results[2]


def test_options_are_explained() -> None:
    """Every option stands in the text on them."""
    import ast
    import inspect

    from hearts_sim.search import settings

    body = ast.parse(inspect.getsource(settings)).body
    after = next(
        number
        for number, node in enumerate(body)
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "OPTIONS"
    )
    text = ast.unparse(body[after + 1])
    assert all(f"``{name}``" in text for name in settings.OPTIONS)
