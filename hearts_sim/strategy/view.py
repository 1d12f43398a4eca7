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
_PLAYED, _DECK, _KITTY = _word("played"), _word("deck"), _word("kitty")
_CARDS_PLAYED = _word("cards_played")
_HAND_TWICE, _PLAYED_TWICE, _PASSED_TWICE, _KITTY_TWICE, _DECK_TWICE = (
    _word(f"{name}_twice") for name in ("hand", "played", "passed", "kitty", "deck")
)
_PLAYED_BY, _PLAYED_BY_TWICE = _word("played_by"), _word("played_by_twice")
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

    With two packs a set has every card once, and the set of the same name with ``_twice`` has those
    that are there twice; with one pack these are empty.
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
    hand_twice: CardSet = _cards("hand_twice", "The cards that one holds twice.")
    passed_twice: CardSet = _cards("passed_twice", "Cards of which one passed both copies.")
    received_twice: CardSet = _cards("received_twice", "Cards of which one was passed both copies.")
    kitty: CardSet = _cards("kitty", "Cards of the kitty, when one has it; else empty.")
    kitty_twice: CardSet = _cards("kitty_twice", "Cards that are twice in the kitty one has.")
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
    taken: tuple[CardSet, ...] = _sets(
        "taken", "Cards taken in tricks in this hand, by seat; at its end with the kitty."
    )
    played_twice: CardSet = _cards("played_twice", "Cards of which both copies are played.")
    played_by_twice: tuple[CardSet, ...] = _sets(
        "played_by_twice", "Cards of which a seat played both copies, by seat."
    )
    taken_twice: tuple[CardSet, ...] = _sets(
        "taken_twice", "Cards of which a seat took both copies, by seat."
    )
    kitty_seat: int = _number("kitty_seat", "Seat that has the kitty, -1 while nobody has.")
    held: CardSet = _cards("held", "Cards of tricks without a winner, for the next winner.")
    held_twice: CardSet = _cards("held_twice", "Cards of which both copies are held.")
    held_points: int = _number("held_points", "Penalty points that are held.")
    held_tricks: int = _number("held_tricks", "Number of tricks that are held.")
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
    bonus_cards: CardSet = _cards("bonus_cards", "Cards that take points off.")
    deck_twice: CardSet = _cards("deck_twice", "The cards that are there twice.")
    kitty_size: int = _number("kitty_size", "Number of cards that are left after the deal.")
    team_count: int = _number("team_count", "Number of teams, 0 without teams.")

    @property
    def trick(self) -> tuple[Card, ...]:
        """Cards of the trick in the order played, the lead first."""
        words = self._words
        return tuple([CARDS[card] for card in words[_TRICK : _TRICK + words[_TRICK_SIZE]]])

    @property
    def tricks(self) -> tuple[tuple[int, tuple[Card, ...]], ...]:
        """The tricks so far, the current one last: pairs of the leader's seat and the cards."""
        words, players = self._words, self.players
        number = words[_CARDS_PLAYED]
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
    def bonus(self) -> tuple[int, ...]:
        """Points of the bonus cards among the 52 cards: below zero, 0 for the others."""
        return self.rules.bonuses

    @property
    def partner(self) -> int | None:
        """Seat of one's partner, who sits opposite; None without teams."""
        teams = self.team_count
        return (self.seat + teams) % self.players if teams else None

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
        """Cards in play that one has not seen: neither in one's hand or kitty nor played.

        With two packs, those of which at least one copy is unseen.
        """
        words = self._words
        hand, played, kitty = words[_HAND], words[_PLAYED], words[_KITTY]
        cards = words[_DECK] & ~(hand | played | kitty)
        if words[_DECK_TWICE]:
            seen = words[_HAND_TWICE] | words[_PLAYED_TWICE] | words[_KITTY_TWICE]
            seen |= hand & played | hand & kitty | played & kitty
            cards |= words[_DECK_TWICE] & ~seen
        return CardSet(cards)

    @property
    def unseen_twice(self) -> CardSet:
        """Cards of which both copies are unseen."""
        words = self._words
        return CardSet(words[_DECK_TWICE] & ~(words[_HAND] | words[_PLAYED] | words[_KITTY]))

    def is_void(self, seat: int, suit: int | str) -> bool:
        """Whether a seat has shown that it has no card of a suit (0..3 or a letter of CDSH)."""
        number = SUITS.index(suit.upper()) if isinstance(suit, str) else suit
        return bool(self._words[_VOIDS + seat] >> number & 1)

    def _passed_to(self, seat: int) -> tuple[int, int]:
        """What one passed to a seat in this hand, and what of it twice."""
        words = self._words
        offset = (seat - words[_SEAT]) % self.players
        if self.pass_offset == offset:
            return words[_PASSED], words[_PASSED_TWICE]
        if self.pass_offset == -1 and words[_PASSED]:
            both = CardSet(words[_PASSED_TWICE])
            return 1 << sorted((*CardSet(words[_PASSED]), *both))[offset - 1], 0
        return 0, 0

    def _known(self, seat: int) -> tuple[int, int]:
        """Cards that another seat holds for certain, and those that it holds twice."""
        words = self._words
        given, both = self._passed_to(seat)
        played, played_twice = words[_PLAYED_BY + seat], words[_PLAYED_BY_TWICE + seat]
        return given & ~played | both & ~played_twice, both & ~played

    def known_cards(self, seat: int) -> CardSet:
        """Cards that a seat holds for certain: one's own hand, or what one passed to it."""
        if seat == self._words[_SEAT]:
            return CardSet(self._words[_HAND])
        return CardSet(self._known(seat)[0])

    def possible_cards(self, seat: int) -> CardSet:
        """Cards that a seat may hold, after what was played, passed and shown to be missing."""
        words = self._words
        if seat == words[_SEAT]:
            return CardSet(words[_HAND])
        cards = int(self.unseen)
        once, twice = 0, 0  # of what others hold for certain
        for other in range(self.players):
            if other not in (seat, words[_SEAT]):
                known, both = self._known(other)
                twice |= both | once & known
                once |= known
        cards &= ~(once & ~int(self.unseen_twice) | twice)
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
