"""What a strategy in plain Python sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hearts_sim.cards import CARDS, SUIT_MASKS, SUITS, Card, CardSet
from hearts_sim.engine.layout import VIEW
from hearts_sim.rules import PASS_NAMES

if TYPE_CHECKING:
    from hearts_sim.rules import Rules


def _word(name: str) -> int:
    fields = VIEW.fields
    assert fields is not None
    return int(fields[name][1]) // 8


_SEAT, _HAND, _LEGAL = _word("seat"), _word("hand"), _word("legal")
_PASSED, _RECEIVED = _word("passed"), _word("received")
_PLAYED, _DECK = _word("played"), _word("deck")
_TRICK, _TRICK_SIZE = _word("trick"), _word("trick_size")
_VOIDS, _LEADERS, _HISTORY = (_word(name) for name in ("voids", "leaders", "history"))


def _number(name: str, meaning: str) -> Any:
    index = _word(name)

    def read(self: View) -> int:
        return self._words[index]

    read.__doc__ = meaning
    return property(read)


def _cards(name: str, meaning: str) -> Any:
    index = _word(name)

    def read(self: View) -> CardSet:
        return CardSet(self._words[index])

    read.__doc__ = meaning
    return property(read)


def _numbers(name: str, meaning: str) -> Any:
    index = _word(name)

    def read(self: View) -> tuple[int, ...]:
        return tuple(self._words[index : index + self.players])

    read.__doc__ = meaning
    return property(read)


def _sets(name: str, meaning: str) -> Any:
    index = _word(name)

    def read(self: View) -> tuple[CardSet, ...]:
        return tuple(map(CardSet, self._words[index : index + self.players]))

    read.__doc__ = meaning
    return property(read)


class View:
    """The table as one seat sees it.

    A view is live: it shows the moment of the call, and later calls change it. `copy` keeps it.
    Seats are numbered clockwise, so ``(seat + 1) % players`` sits to the left.
    """

    __slots__ = ("_words", "players", "rules")

    def __init__(self, words: Any, rules: Rules) -> None:
        self._words: memoryview[int] = words.toreadonly()
        self.rules = rules
        self.players = rules.players

    # One's own seat.
    seat: int = _number("seat", "One's own seat, 0 to players - 1.")
    hand: CardSet = _cards("hand", "The cards in one's hand.")
    legal: CardSet = _cards("legal", "Cards that may be played now, or in a pass: be passed.")
    passed: CardSet = _cards("passed", "Cards that one passed in this hand.")
    received: CardSet = _cards("received", "Cards that one was passed in this hand.")
    # The hand.
    hand_size: int = _number("hand_size", "Cards dealt to each seat; tricks in a hand.")
    hand_number: int = _number("hand_number", "Number of the hand in the game, from 1.")
    pass_offset: int = _number(
        "pass_offset", "Seats to the left that the pass goes; 0 for a hold, -1 for a scatter."
    )
    pass_count: int = _number("pass_count", "Cards that each seat passes in this hand.")
    trick_number: int = _number("trick_number", "Number of the trick in the hand, from 1.")
    hearts_broken: int = _number("hearts_broken", "1 when hearts are broken, else 0.")
    played: CardSet = _cards("played", "All cards played in this hand.")
    played_by: tuple[CardSet, ...] = _sets("played_by", "Cards played in this hand, by seat.")
    taken: tuple[CardSet, ...] = _sets("taken", "Cards taken in tricks in this hand, by seat.")
    points: tuple[int, ...] = _numbers(
        "points", "Penalty points taken in this hand, by seat; in `end_hand` the hand's points."
    )
    tricks_won: tuple[int, ...] = _numbers("tricks_won", "Tricks won in this hand, by seat.")
    scores: tuple[int, ...] = _numbers("scores", "Total of the hands before this one, by seat.")
    voids: tuple[int, ...] = _numbers(
        "voids", "Suits that each seat has shown to be void in, bit 0 for clubs to bit 3 hearts."
    )
    # The trick.
    leader: int = _number("leader", "Seat that leads the trick.")
    trick_size: int = _number("trick_size", "Cards in the trick so far; 0 when one leads.")
    trick_points: int = _number("trick_points", "Penalty points in the trick so far.")
    led_suit: int = _number("led_suit", "Suit of the lead, -1 when one leads.")
    winning_card: int = _number("winning_card", "Card that wins the trick so far, -1 for none.")
    winning_seat: int = _number("winning_seat", "Seat that wins the trick so far, -1 for none.")
    # The rules, as far as players look at them all the time; the others are in `rules`.
    deck: CardSet = _cards("deck", "The cards that are dealt.")
    point_cards: CardSet = _cards("point_cards", "Hearts and the other cards that cost points.")
    penalty_cards: CardSet = _cards("penalty_cards", "Cards that cost points; all are a moon.")

    @property
    def trick(self) -> tuple[Card, ...]:
        """Cards of the trick in the order played, the lead first."""
        words = self._words
        return tuple([CARDS[card] for card in words[_TRICK : _TRICK + words[_TRICK_SIZE]]])

    @property
    def tricks(self) -> tuple[tuple[int, tuple[Card, ...]], ...]:
        """The tricks so far, the current one last: pairs of the leader's seat and the cards."""
        words, players = self._words, self.players
        number = words[_PLAYED].bit_count()
        cards = [CARDS[card] for card in words[_HISTORY : _HISTORY + number]]
        return tuple(
            (words[_LEADERS + start // players], tuple(cards[start : start + players]))
            for start in range(0, number, players)
        )

    moon: int = _number("moon", "Number of the moon rule; its name is in ``rules.moon``.")
    moon_points: int = _number("moon_points", "Points of a moon.")
    win_highest: int = _number("win_highest", "1 when the highest total wins, else 0.")
    target: int = _number("target", "Total that ends the game.")
    deals: int = _number("deals", "Fixed number of deals, 0 when points end the game.")

    @property
    def cost(self) -> tuple[int, ...]:
        """Penalty points of each of the 52 cards."""
        return self.rules.costs

    @property
    def pass_direction(self) -> str:
        """Where the pass of this hand goes: "left", "right", "across", "hold", ..."""
        if self.pass_offset == 0:
            return PASS_NAMES["H"]
        return PASS_NAMES[self.rules.pass_token(self.hand_number)]

    @property
    def pass_to(self) -> int | None:
        """Seat that one passes to; None when nothing is passed, or to several."""
        offset = self.pass_offset
        return (self.seat + offset) % self.players if offset > 0 else None

    @property
    def pass_from(self) -> int | None:
        """Seat that passes to oneself; None when nothing is passed, or by several."""
        offset = self.pass_offset
        return (self.seat - offset) % self.players if offset > 0 else None

    @property
    def unseen(self) -> CardSet:
        """Cards of the deck that are neither in one's hand nor played."""
        words = self._words
        return CardSet(words[_DECK] & ~words[_HAND] & ~words[_PLAYED])

    def is_void(self, seat: int, suit: int | str) -> bool:
        """Whether a seat has shown that it has no card of a suit (0..3 or a letter of CDSH)."""
        number = SUITS.index(suit.upper()) if isinstance(suit, str) else suit
        return bool(self._words[_VOIDS + seat] >> number & 1)

    def known_cards(self, seat: int) -> CardSet:
        """Cards that a seat holds for certain: one's own hand, or what one passed to it."""
        words = self._words
        if seat == words[_SEAT]:
            return CardSet(words[_HAND])
        offset = (seat - words[_SEAT]) % self.players
        given = 0
        if self.pass_offset == offset:
            given = words[_PASSED]
        elif self.pass_offset == -1 and words[_PASSED]:
            given = 1 << list(CardSet(words[_PASSED]))[offset - 1]
        return CardSet(given & ~words[_PLAYED])

    def possible_cards(self, seat: int) -> CardSet:
        """Cards that a seat may hold, after what was played, passed and shown to be missing."""
        words = self._words
        if seat == words[_SEAT]:
            return CardSet(words[_HAND])
        cards = int(self.unseen)
        for other in range(self.players):
            if other not in (seat, words[_SEAT]):
                cards &= ~int(self.known_cards(other))
        for suit, mask in enumerate(SUIT_MASKS):
            if words[_VOIDS + seat] >> suit & 1:
                cards &= ~mask
        return CardSet(cards)

    def copy(self) -> View:
        """A view that stays as it is now."""
        return View(memoryview(bytes(self._words)).cast("q"), self.rules)

    def __str__(self) -> str:
        return (
            f"hand {self.hand_number}, trick {self.trick_number}, seat {self.seat}: "
            f"holds {self.hand}; trick: {' '.join(map(str, self.trick)) or 'none'}; "
            f"legal: {self.legal}"
        )

    def __repr__(self) -> str:
        return f"<View of {self}>"
