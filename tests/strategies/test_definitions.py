"""The strategies that are defined by one sentence do what it says, card by card."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from shipped import library

from hearts_sim import Card, CardSet


def position(hand: str, trick: str = "", pass_count: int = 0) -> Any:
    """What a strategy sees with a hand and a trick, without any rule but following suit."""
    held = CardSet.parse(hand)
    cards = [Card(text) for text in trick.split()]
    led = cards[0].suit if cards else -1
    return SimpleNamespace(
        hand=held,
        legal=(held.suit(led) or held) if cards else held,
        trick_size=len(cards),
        led_suit=led,
        winning_card=max((card for card in cards if card.suit == led), default=-1),
        pass_count=pass_count,
    )


def played(name: str, hand: str, trick: str = "") -> str:
    """The card that a strategy plays."""
    return str(library().get(name).strategy().choose_card(position(hand, trick)))


def passed(name: str, hand: str, number: int = 3) -> set[str]:
    """The cards that a strategy passes."""
    cards = library().get(name).strategy().choose_pass(position(hand, pass_count=number))
    return {str(card) for card in cards}


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        pytest.param("5C 3D 9S 4H", "", "3D", id="leads its lowest rank"),
        pytest.param("4C 4D QS", "", "4C", id="of equal ranks the first suit"),
        pytest.param("2C 7C TC KC", "8C", "7C", id="highest under the winner"),
        pytest.param("2C 7C TC KC", "3C QC", "TC", id="the winner is not the lead"),
        pytest.param("2C 7C TC KC", "8C AH KD", "7C", id="other suits do not win"),
        pytest.param("9C TC KC", "8C", "9C", id="all would win: the lowest"),
        pytest.param("2S QS", "5S KS", "QS", id="the queen under the king"),
        pytest.param("AC QS AH", "5D", "QS", id="void: the queen"),
        pytest.param("AC KS 3H 9H", "5D", "9H", id="void: the highest heart"),
        pytest.param("TC KS AS", "5D", "AS", id="void: the highest rank"),
    ],
)
def test_trick_ducker_plays(hand: str, trick: str, card: str) -> None:
    assert played("TrickDucker", hand, trick) == card


@pytest.mark.parametrize(
    ("hand", "cards"),
    [
        ("AC AD KS AS QS 2H 3H", {"QS", "3H", "2H"}),
        ("AC AD KS AS 2H", {"2H", "AC", "AD"}),
        ("2C 9D KS JH TH 4H AH", {"AH", "JH", "TH"}),
    ],
)
def test_trick_ducker_passes(hand: str, cards: set[str]) -> None:
    assert passed("TrickDucker", hand) == cards


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        pytest.param("5C 3D 9S 4H", "", "3D", id="leads its lowest rank"),
        pytest.param("2C 7C TC KC", "8C", "2C", id="follows with its lowest"),
        pytest.param("9C TC KC", "8C", "9C", id="also when it wins"),
        pytest.param("AC QS AH", "5D", "QS", id="void: the queen"),
        pytest.param("AC KS 3H 9H", "5D", "9H", id="void: the highest heart"),
    ],
)
def test_queen_dumper_plays(hand: str, trick: str, card: str) -> None:
    assert played("QueenDumper", hand, trick) == card


@pytest.mark.parametrize(
    ("hand", "number", "cards"),
    [
        ("AC AH KS AS QS 2H", 3, {"QS", "KS", "AS"}),
        ("AC AH KS AS QS 2H", 1, {"QS"}),
        ("AC AH KS AS QS 2H", 2, {"QS", "KS"}),
        ("AC AH AS JS 2H", 3, {"AS", "AH", "2H"}),
        ("AC KD JS", 2, {"AC", "KD"}),
    ],
)
def test_queen_dumper_passes(hand: str, number: int, cards: set[str]) -> None:
    assert passed("QueenDumper", hand, number) == cards


def test_void_maker_passes_its_shortest_suit() -> None:
    assert passed("VoidMaker", "2C 3C 4C 5C 9D TD 6S 7S 8S 2H 3H 4H 5H") == {"TD", "9D", "8S"}
    assert played("VoidMaker", "2C 3C 4C 9D TD") == "9D"


def test_heart_avoider_leads_hearts_last() -> None:
    assert played("HeartAvoider", "AC 2H") == "AC"
    assert played("HeartAvoider", "QS 2H", "5D") == "2H"


def test_high_card_is_the_opposite_of_low_card() -> None:
    assert passed("HighCard", "2C 5D 9S AH", 2) == {"2C", "5D"}
    assert played("HighCard", "2C AD 9S", "") == "AD"


def seen(name: str, hand: str, trick: str = "", **more: Any) -> str:
    """The card that a rung of the ladder plays, in the midst of a hand unless `more` says so."""
    view = position(hand, trick)
    table: dict[str, Any] = {
        "players": 4,
        "trick_number": 5,
        "trick_points": 0,
        "unseen": CardSet.parse("QS AC AD AH 3C 4C 6C 3D 4D 6D 3H 4H 6H 3S 4S 6S"),
        "point_cards": CardSet.parse("QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"),
        "rules": SimpleNamespace(first_trick_points="forbidden"),
    }
    vars(view).update(table | more)
    return str(library().get(name).strategy().choose_card(view))


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        pytest.param("2C 9C KC", "5C TC 6C", "KC", id="last and harmless: the highest"),
        pytest.param("2C 9C KC", "5C TC", "9C", id="not last: under the winner"),
        pytest.param("JS QS", "5S KS 6S", "JS", id="never the queen for nothing"),
        pytest.param("JC KC", "5C TC 6C", "KC", id="must take it: with the highest"),
    ],
)
def test_last_seat_takes_what_is_harmless(hand: str, trick: str, card: str) -> None:
    assert seen("LastSeat", hand, trick) == card


def test_last_seat_ducks_a_trick_with_points() -> None:
    assert seen("LastSeat", "2C 9C KC", "5C TC AH", trick_points=1) == "9C"
    assert seen("LastSeat", "2C 9C KC", "5C TC", trick_number=1) == "KC"


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        pytest.param("2C 5S JS", "JS", id="flushes her out"),
        pytest.param("2C 5S KS", "2C", id="not while it holds what catches her"),
        pytest.param("9C KS AS", "9C", id="leads high spades last"),
    ],
)
def test_queen_carer_leads(hand: str, card: str) -> None:
    assert seen("QueenCarer", hand) == card


def test_queen_carer_throws_what_catches_her_while_she_is_out() -> None:
    assert seen("QueenCarer", "AH KS 2S", "5C") == "KS"
    assert seen("QueenCarer", "AH KS 2S", "5C", unseen=CardSet.parse("2C 3D")) == "AH"


@pytest.mark.parametrize(
    ("hand", "cards"),
    [
        pytest.param("QS KS 2S 3S 4S 5S 6S 2C 2D AH KH QH 2H", {"QS", "KS", "AH"}, id="unguarded"),
        pytest.param("QS KS 2S 3S 4S 5S 6S 7S 2D AH KH QH 2H", {"AH", "KH", "QH"}, id="guarded"),
    ],
)
def test_queen_carer_passes_high_spades_unless_guarded(hand: str, cards: set[str]) -> None:
    assert passed("QueenCarer", hand) == cards


def test_short_passer_empties_a_suit() -> None:
    assert passed("ShortPasser", "8C 9C TC 2D 4D 6D 8D 3S 4S 5S 2H 3H 4H") == {"8C", "9C", "TC"}


def test_safe_leader_leads_what_somebody_beats() -> None:
    out = CardSet.parse("2D 3D 4D 6D JC QC KC AC")
    assert seen("ShortPasser", "7D 9C", unseen=out) == "7D"
    assert seen("SafeLeader", "7D 9C", unseen=out) == "9C"
