"""The vocabulary: cards, suits and sets of cards.

A card is the integer ``suit * 13 + rank``. Suits are numbered C, D, S, H = 0, 1, 2, 3 and ranks
from the two (0) to the ace (12), so the two of clubs is 0 and the ace of hearts 51. A set of cards
is an integer too: bit ``i`` stands for card ``i``. Compiled code uses the bare integers; people get
`Card` and `CardSet`, which are the same integers with names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from hearts_sim.errors import CardError

SUITS: Final = "CDSH"
RANKS: Final = "23456789TJQKA"
_SUIT_NUMBERS: Final = {letter: number for number, letter in enumerate(SUITS)}
SUIT_NAMES: Final = ("clubs", "diamonds", "spades", "hearts")
CLUBS: Final = 0
DIAMONDS: Final = 1
SPADES: Final = 2
HEARTS: Final = 3
DECK_SIZE: Final = 52
MAX_SEATS: Final = 11

SUIT_MASKS: Final = tuple(0x1FFF << (13 * suit) for suit in range(4))
CLUBS_MASK, DIAMONDS_MASK, SPADES_MASK, HEARTS_MASK = SUIT_MASKS
FULL_DECK_MASK: Final = (1 << DECK_SIZE) - 1


class Card(int):
    """One card: an integer 0..51 with a name.

    ``Card(36)`` and ``Card("QS")`` are the queen of spades. Equal to, and hashed as, its integer.

    Raises
    ------
    CardError
        When the text is no card, or the number is not 0..51.
    """

    __slots__ = ()

    def __new__(cls, value: int | str) -> Card:
        number = parse_card(value) if isinstance(value, str) else int(value)
        if not 0 <= number < DECK_SIZE:
            raise CardError(f"{value!r} is no card: cards are numbered 0 (2C) to 51 (AH)")
        return int.__new__(cls, number)

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 spades, 3 hearts."""
        return int(self) // 13

    @property
    def rank(self) -> int:
        """0 for the two up to 12 for the ace."""
        return int(self) % 13

    @property
    def name(self) -> str:
        """Rank and suit, for example ``"QS"``."""
        return RANKS[self % 13] + SUITS[self // 13]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name


def parse_card(text: str) -> int:
    """Number of the card that a person wrote, for example ``"QS"``, ``"10h"`` or ``"td"``.

    Raises
    ------
    CardError
        When the text names no card; the message shows what a card looks like.
    """
    cleaned = text.strip().upper().replace("10", "T")
    if len(cleaned) == 2 and cleaned[0] in RANKS and cleaned[1] in SUITS:
        return SUITS.index(cleaned[1]) * 13 + RANKS.index(cleaned[0])
    raise CardError(
        f"{text!r} is no card: write a rank (2-9, T, J, Q, K, A) and a suit (C, D, S, H), as in QS"
    )


def card_name(card: int) -> str:
    """Name of card 0..51, for example ``"QS"``; the inverse of `parse_card`."""
    return Card(card).name


CARDS: Final = tuple(Card(number) for number in range(DECK_SIZE))
TWO_OF_CLUBS: Final = CARDS[0]
QUEEN_OF_SPADES: Final = CARDS[36]
KING_OF_SPADES: Final = CARDS[37]
ACE_OF_SPADES: Final = CARDS[38]


Cards = int | str | Iterable[int | str]
"""What may stand for a set beside one: a card, its bits, text such as "QS KS", or several cards."""


def _as_set(other: Cards) -> int:
    if type(other) is Card:
        return 1 << other
    if isinstance(other, int):
        return int(other)
    return CardSet.parse(other) if isinstance(other, str) else CardSet.of(*other)


class CardSet(int):
    """A set of cards, held as the integer whose bit ``i`` is card ``i``.

    Iterates in ascending order (clubs, diamonds, spades, hearts; two to ace). ``len``, ``in``,
    ``|``, ``&``, ``^`` and ``-`` (difference) work as on a ``frozenset``, with another set, a
    `Card`, cards in a list and the like, or text: ``view.legal - "QS"``. An empty set is false.
    It compares equal to its integer, which is what compiled bots see.

    ``CardSet.of("QS", "2C")`` and ``CardSet.parse("QS 2C")`` build one by hand.
    """

    __slots__ = ()

    @classmethod
    def of(cls, *cards: int | str) -> CardSet:
        """Set of the given cards, each a `Card`, an int or text."""
        bits = 0
        for card in cards:
            bits |= 1 << Card(card)
        return cls(bits)

    @classmethod
    def parse(cls, text: str) -> CardSet:
        """Set of the cards named in a text such as ``"2C QS AH"``."""
        return cls.of(*text.replace(",", " ").split())

    def __iter__(self) -> Iterator[Card]:
        bits = int(self)
        while bits:
            low = bits & -bits
            yield CARDS[low.bit_length() - 1]
            bits ^= low

    def __len__(self) -> int:
        return self.bit_count()

    def __contains__(self, card: object) -> bool:
        if isinstance(card, str):
            card = parse_card(card)
        return isinstance(card, int) and 0 <= card < DECK_SIZE and bool(int(self) >> card & 1)

    def __reversed__(self) -> Iterator[Card]:
        return reversed(list(self))

    def __and__(self, other: Cards) -> CardSet:
        return CardSet(int.__and__(self, _as_set(other)))

    def __or__(self, other: Cards) -> CardSet:
        return CardSet(int.__or__(self, _as_set(other)))

    def __xor__(self, other: Cards) -> CardSet:
        return CardSet(int.__xor__(self, _as_set(other)))

    def __sub__(self, other: Cards) -> CardSet:
        return CardSet(int.__and__(self, ~_as_set(other)))

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def lowest(self) -> Card:
        """Lowest card in the order of iteration; with one suit, the card of lowest rank.

        Raises
        ------
        CardError
            When the set is empty.
        """
        bits = +self  # a plain int, with which the steps below are quicker
        if not bits:
            raise CardError("an empty set has no lowest card: test the set before asking")
        return CARDS[(bits & -bits).bit_length() - 1]

    def highest(self) -> Card:
        """Highest card in the order of iteration; with one suit, the card of highest rank.

        Raises
        ------
        CardError
            When the set is empty.
        """
        if not self:
            raise CardError("an empty set has no highest card: test the set before asking")
        return CARDS[self.bit_length() - 1]

    def suit(self, suit: int | str) -> CardSet:
        """The cards of one suit, given as 0..3 or as a letter of ``"CDSH"``.

        Raises
        ------
        CardError
            For anything else, such as the -1 of ``view.led_suit`` before the lead.
        """
        number = _SUIT_NUMBERS.get(suit.upper(), -1) if isinstance(suit, str) else suit
        if not 0 <= number < 4:
            raise CardError(f"{suit!r} is no suit: give 0 to 3 or a letter of CDSH")
        return CardSet(int.__and__(self, SUIT_MASKS[number]))

    def below(self, card: int) -> CardSet:
        """The cards that come before `card` in the order of iteration.

        None for -1, which a view says where there is no card.
        """
        return CardSet(int.__and__(self, (1 << card) - 1) if card > 0 else 0)

    def above(self, card: int) -> CardSet:
        """The cards that come after `card` in the order of iteration; all of them for -1."""
        return CardSet(int.__and__(self, -1 << (card + 1)))

    def __str__(self) -> str:
        return " ".join(card.name for card in self)

    def __repr__(self) -> str:
        return f"CardSet.parse({str(self)!r})"


EMPTY: Final = CardSet(0)
HEARTS_SET: Final = CardSet(HEARTS_MASK)


def mask_of(cards: Iterable[int]) -> int:
    """Bare integer mask of some cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def mask_twice(cards: Iterable[int]) -> tuple[int, int]:
    """Masks of some cards, and of those that are among them twice.

    Raises
    ------
    CardError
        When a card is there three times.
    """
    bits, twice = 0, 0
    for card in cards:
        bit = 1 << card
        if twice & bit:
            raise CardError(f"{Card(card)} is there three times")
        twice |= bits & bit
        bits |= bit
    return bits, twice
