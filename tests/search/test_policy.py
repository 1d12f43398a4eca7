"""Habits of the sensible playouts, in situations set up by hand."""

from __future__ import annotations

from typing import Any

import pytest
from linking import State, new_stream

from hearts_sim.cards import Card
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules

SEEDS = range(1, 9)


def bits(names: str) -> int:
    """Mask of some cards."""
    return sum(1 << Card(name) for name in names.split())


def situation(
    trick: str, hands: list[str], taken: dict[int, str] | None = None, **settings: Any
) -> State:
    """A trick that seat 0 leads, or has led, in the middle of a hand.

    `hands` are those of all seats without the cards of the trick; hearts are broken.
    """
    rules = Rules(pass_count=0, **settings)
    table = Table(rules)
    table.deal()
    state = State(table)
    record, cards = state.table[0], [Card(name) for name in trick.split()]
    longest = max(len(hand.split()) for hand in hands)
    record["trick_number"] = rules.hand_size - longest + 1
    record["leader"], record["turn"] = 0, len(cards)
    record["hearts_broken"] = 1
    record["trick_size"], record["trick_cards"] = len(cards), bits(trick)
    costs = state.rules[0]["cost"]
    record["trick_points"] = sum(costs[card] for card in cards)
    if cards:
        record["led_suit"] = cards[0].suit
        best = max(card for card in cards if card.suit == cards[0].suit)
        record["winning_card"], record["winning_seat"] = best, cards.index(best)
        record["trick"][: len(cards)] = cards
    state.hands[0]["opening"] = 0
    for seat, hand in enumerate(hands):
        state.hands[0]["cards"][seat] = bits(hand)
    for seat, names in (taken or {}).items():
        record["taken"][seat] = bits(names)
        record["points"][seat] = sum(costs[Card(name)] for name in names.split())
    return state


def first_cards(*given: Any, shoots: int | None = None, **settings: Any) -> set[str]:
    """What the seat in turn plays, with several random numbers."""
    found = set()
    for seed in SEEDS:
        state = situation(*given, **settings)
        if shoots is not None:
            state.moods[shoots] = 1
        found.add(Card(state.play_trick(new_stream(seed), sensible=True)[0]).name)
    return found


def test_ducks_with_the_highest_card_that_loses() -> None:
    hands = ["3C 4C 7D", "2C 5C 9C KC", "8D 9D AD QS", "3S 4S 5S 6H"]
    assert first_cards("TC", hands) == {"9C"}


def test_throws_the_queen_when_void() -> None:
    assert first_cards("TC", ["3C 4C 7D", "KH AD QS KD", "8D 9D 2D 8S", "3S 4S 5S 6H"]) == {"QS"}
    # And without her what threatens to take her.
    assert first_cards("TC", ["3C 4C 7D", "2D 3D KS 4D", "8D 9D 5D QS", "3S 4S 5S 6H"]) == {"KS"}


def test_does_not_help_a_seat_that_shoots() -> None:
    """To a seat with ten hearts, and nobody else with any, goes neither the queen nor a heart."""
    hands = ["AC KC 7D", "KH AD QS KD", "8D 9D 2D 8S", "3S 4S 5S 6H"]
    ten = {0: "2H 3H 4H 5H 7H 8H 9H TH JH QH"}
    assert first_cards("QC", hands, ten) & {"QS", "KH"} == set()
    assert first_cards("QC", hands, {0: "2H 3H"}) == {"QS"}
    assert first_cards("QC", hands, ten | {1: "2H"}) == {"QS"}


def test_stops_the_moon() -> None:
    """A trick with a heart is taken from who shoots."""
    hands = ["AC KC 7D", "2H AH AD KD", "8D 9D 2D 8S", "3S 4S 5S 6D"]
    ten = {0: "3H 4H 5H 7H 8H 9H TH JH QH QS"}
    assert first_cards("KH", hands, ten) == {"AH"}
    assert first_cards("KH", hands, {0: "3H 4H 5H"}) == {"2H"}


def test_last_in_a_clean_trick_is_rid_of_a_high_card() -> None:
    hands = ["3C 4C 7D", "2D KD 5D", "8D 9D AD", "6C JC AC QS"]
    found = first_cards("TC 8C 2C", hands)
    assert "AC" in found
    assert found <= {"AC", "6C"}  # now and then it ducks
    # With a heart in it the trick is left to others.
    assert first_cards("TC 8C 2H", hands) == {"6C"}


def test_gives_the_queen_under_king_or_ace() -> None:
    hands = ["3C 4C 7D", "2D KD 5D", "8D 9D AD", "6S QS AC 2C"]
    assert first_cards("KS 8S 2S", hands) == {"QS"}
    assert first_cards("TS 8S 2S", hands) == {"6S"}  # and keeps her out of the trick else


def test_flushes_the_queen() -> None:
    """Who has low spades leads the highest below the queen; who has the king does not."""
    others = ["KC QS 5D 6D", "8D 9D 2D 8S", "3S 9S TC 6H"]
    assert first_cards("", ["AC KD 4S JS", *others]) == {"JS"}
    assert first_cards("", ["3C KD 4S KS", *others]).isdisjoint({"4S", "KS"})


def test_shooter_leads_its_top_cards() -> None:
    others = ["KC QC 5D 6D", "8D 9D 2D 8S", "3S 9S TC 6H"]
    assert first_cards("", ["AH KH AS 2C", *others], shoots=0) <= {"AH", "KH", "AS"}
    assert first_cards("", ["AH KH AS 2C", *others]) == {"2C"}


@pytest.mark.parametrize("win", ["lowest", "highest"])
def test_the_highest_wins(win: str) -> None:
    """Where penalty points are good a trick with them is taken, and the queen not given away."""
    hands = ["3C 4C 7D", "2D KD 5D", "8D 9D AD", "6C JC AC QS"]
    expected = {"lowest": {"6C"}, "highest": {"JC"}}
    found = first_cards("TC 8C 2H", hands, win=win)
    assert found == expected[win]
    void = first_cards("TC", ["3C 4C 7D", "2D AD QS KD", "8D 9D JD 8S", "3S 4S 5S 6H"], win=win)
    assert (void == {"QS"}) == (win == "lowest")
