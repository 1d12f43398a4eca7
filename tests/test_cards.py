"""Cards and sets of cards: names, numbers, and the algebra of sets against `frozenset`."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_sim.cards import (
    ACE_OF_SPADES,
    CARDS,
    EMPTY,
    FULL_DECK_MASK,
    HEARTS_SET,
    KING_OF_SPADES,
    QUEEN_OF_SPADES,
    RANKS,
    SUIT_MASKS,
    SUIT_NAMES,
    SUITS,
    TWO_OF_CLUBS,
    Card,
    CardSet,
    card_name,
    mask_of,
    parse_card,
)
from hearts_sim.errors import CardError, HeartsError

numbers = st.integers(0, 51)
sets = st.frozensets(numbers)


def as_set(cards: frozenset[int]) -> CardSet:
    """The `CardSet` of some numbers."""
    return CardSet.of(*cards)


# One card.


@pytest.mark.parametrize("number", range(52))
def test_name_and_number_of_a_card_belong_together(number: int) -> None:
    """Every card has one name, from which it is read again in any spelling."""
    card = Card(number)
    name = card.name

    assert name == RANKS[number % 13] + SUITS[number // 13]
    assert Card(name) == parse_card(name) == number
    assert parse_card(f" {name.lower()} ") == number
    assert card_name(number) == str(card) == repr(card) == f"{card}" == name
    assert (card.suit, card.rank) == divmod(number, 13)
    assert CARDS[number] == card


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2C", 0),
        ("AC", 12),
        ("2D", 13),
        ("QS", 36),
        ("AH", 51),
        ("10h", 47),
        ("10S", 34),
        ("td", 21),
    ],
)
def test_cards_by_hand(text: str, number: int) -> None:
    """The two of clubs is 0, the ace of hearts 51; a ten may be written 10 or T."""
    assert parse_card(text) == number


@pytest.mark.parametrize(
    "text", ["", "Q", "SQ", "1S", "QX", "QSS", "Q S", "11S", "101S", "10", "♠Q", "queen of spades"]
)
def test_text_that_is_no_card_is_refused_with_an_example(text: str) -> None:
    """The error quotes the text and shows what a card looks like."""
    with pytest.raises(CardError, match="as in QS") as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)
    assert isinstance(caught.value, HeartsError | ValueError)


@given(st.text(max_size=4))
def test_any_text_is_a_card_or_an_error(text: str) -> None:
    """Reading a text gives a card whose name is that text again, or a `CardError`."""
    try:
        card = Card(text)
    except CardError:
        return
    assert text.strip().upper().replace("10", "T") == card.name


@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_a_number_that_is_no_card_is_refused(number: int) -> None:
    """Cards are numbered 0 to 51."""
    with pytest.raises(CardError, match=r"0 \(2C\) to 51 \(AH\)"):
        Card(number)


def test_a_card_is_its_number() -> None:
    """A card equals, hashes and sorts as its integer, and survives pickling."""
    card = Card("QS")

    assert card == 36
    assert hash(card) == hash(36)
    assert sorted([Card("AH"), Card("2C")]) == [0, 51]
    assert {card: 13}[36] == 13
    again = pickle.loads(pickle.dumps(card))
    assert again == card
    assert type(again) is Card


def test_constants() -> None:
    """The named cards, suits and masks are what they say."""
    assert TWO_OF_CLUBS.name == "2C"
    assert QUEEN_OF_SPADES.name == "QS"
    assert KING_OF_SPADES.name == "KS"
    assert ACE_OF_SPADES.name == "AS"
    assert SUIT_NAMES == ("clubs", "diamonds", "spades", "hearts")
    assert [len(CardSet(suit)) for suit in SUIT_MASKS] == [13] * 4
    assert sum(SUIT_MASKS) == FULL_DECK_MASK == 2**52 - 1
    assert {card.name for card in HEARTS_SET} == {rank + "H" for rank in RANKS}
    assert EMPTY == 0


# Sets.


@given(sets)
def test_a_set_is_the_frozenset_of_its_cards(cards: frozenset[int]) -> None:
    """Length, truth, members and order are those of the numbers, ascending."""
    ours = as_set(cards)

    assert list(ours) == sorted(cards)
    assert len(ours) == len(cards)
    assert bool(ours) is bool(cards)
    assert {number for number in range(52) if number in ours} == cards
    assert {card.name for card in CARDS if card.name in ours} == {card.name for card in ours}
    assert all(type(card) is Card for card in ours)
    assert ours == mask_of(cards) == sum(1 << card for card in cards)
    assert hash(ours) == hash(int(ours))


@given(sets, sets)
@pytest.mark.parametrize(
    "operation",
    [operator.and_, operator.or_, operator.xor, operator.sub],
    ids=["and", "or", "xor", "sub"],
)
def test_operations_are_those_of_frozenset(
    operation: Callable[[Any, Any], Any], one: frozenset[int], other: frozenset[int]
) -> None:
    """Intersection, union, symmetric difference and difference are those of `frozenset`."""
    expected = operation(one, other)
    ours, theirs = as_set(one), as_set(other)

    result = operation(ours, theirs)
    assert frozenset(result) == expected
    assert type(result) is CardSet
    assert operation(ours, int(theirs)) == result


@given(sets, sets)
@pytest.mark.parametrize(
    "operation", [operator.and_, operator.or_, operator.xor], ids=["and", "or", "xor"]
)
def test_operations_with_a_bare_mask_on_the_left(
    operation: Callable[[Any, Any], Any], one: frozenset[int], other: frozenset[int]
) -> None:
    """An integer mask on the left gives a `CardSet` too."""
    result = operation(int(as_set(one)), as_set(other))

    assert frozenset(result) == operation(one, other)
    assert type(result) is CardSet


@given(sets, sets)
def test_the_other_side_may_be_cards(one: frozenset[int], other: frozenset[int]) -> None:
    """Sets, lists and text of cards stand for the set of these cards, on either side."""
    text = " ".join(Card(card).name for card in other)
    for cards in (other, list(other), {Card(card) for card in other}, text):
        assert frozenset(as_set(one) - cards) == one - other
        assert frozenset(as_set(one) & cards) == one & other
        assert frozenset(cards | as_set(one)) == one | other
        assert isinstance(as_set(one) ^ cards, CardSet)
    for wrong in ("QX", ["QS", 52], {"Q"}):
        with pytest.raises(CardError):
            as_set(one) - wrong


@given(sets, numbers)
def test_parts_of_a_set(cards: frozenset[int], card: int) -> None:
    """`suit`, `below` and `above` give the cards that they name."""
    ours = as_set(cards)

    assert frozenset(ours.below(card)) == {each for each in cards if each < card}
    assert frozenset(ours.above(card)) == {each for each in cards if each > card}
    assert ours.below(-1) == 0  # -1 stands for no card
    assert ours.above(-1) == ours
    for number, letter in enumerate(SUITS):
        expected = {each for each in cards if each // 13 == number}
        assert frozenset(ours.suit(number)) == expected
        assert ours.suit(letter) == ours.suit(letter.lower()) == ours.suit(number)


@given(sets.filter(bool))
def test_lowest_and_highest(cards: frozenset[int]) -> None:
    """The ends of a set are cards."""
    ours = as_set(cards)

    assert ours.lowest() == min(cards)
    assert ours.highest() == max(cards)
    assert type(ours.lowest()) is type(ours.highest()) is Card


@pytest.mark.parametrize("end", ["lowest", "highest"])
def test_an_empty_set_has_no_ends(end: str) -> None:
    """Asking an empty set for a card is an error that says so."""
    with pytest.raises(CardError, match=f"no {end} card"):
        getattr(EMPTY, end)()


@given(sets)
def test_text_of_a_set_is_read_again(cards: frozenset[int]) -> None:
    """`str` names the cards, `parse` and the `repr` give the set back, and so does pickling."""
    ours = as_set(cards)

    assert str(ours).split() == [card.name for card in ours]
    assert CardSet.parse(str(ours)) == ours
    assert CardSet.parse(str(ours).replace(" ", ", ")) == ours
    assert eval(repr(ours), {"CardSet": CardSet}) == ours
    again = pickle.loads(pickle.dumps(ours))
    assert again == ours
    assert type(again) is CardSet


def test_sets_from_cards_numbers_and_text() -> None:
    """`of` takes cards, numbers and text, each once or more."""
    assert CardSet.of("QS", 0, Card("AH"), "qs") == CardSet.parse("2C QS AH")
    assert CardSet.of() == CardSet.parse("") == EMPTY


@pytest.mark.parametrize("card", ["XX", 52, -1])
def test_sets_of_what_is_no_card_are_refused(card: int | str) -> None:
    """A set is made of cards only."""
    with pytest.raises(CardError):
        CardSet.of("2C", card)


@pytest.mark.parametrize("other", [52, -1, 64, 1000, None, 3.5, "2C"], ids=repr)
def test_what_is_no_card_is_in_no_set(other: object) -> None:
    """Membership of something that is no card is false (the empty set holds no card either)."""
    assert other not in EMPTY
    if other != "2C":
        assert other not in CardSet(FULL_DECK_MASK)


def test_a_card_in_a_set_operation_stands_for_itself() -> None:
    """Joining a set with a card, or taking one out, works as with the set of that card."""
    cards = CardSet.parse("2C 5D AH")
    assert cards | Card("QS") == CardSet.parse("2C 5D QS AH")
    assert cards - Card("5D") == CardSet.parse("2C AH")
    assert cards & Card("5D") == CardSet.parse("5D")
    assert cards ^ Card("2C") == CardSet.parse("5D AH")
    assert list(reversed(cards)) == [Card("AH"), Card("5D"), Card("2C")]


@pytest.mark.parametrize("suit", [-1, 4, "X", "", "CD"])
def test_what_is_no_suit_is_refused(suit: int | str) -> None:
    """The -1 that stands for no lead gives no cards silently, nor does any other wrong suit."""
    with pytest.raises(CardError, match="is no suit"):
        CardSet.parse("2C AH").suit(suit)
