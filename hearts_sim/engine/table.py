"""A table that is driven card by card: the same compiled functions, without bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hearts_sim.cards import HEARTS_MASK, QUEEN_OF_SPADES, SUITS, Card, CardSet, mask_twice
from hearts_sim.engine._jit import kernel
from hearts_sim.engine.deal import deal_hand
from hearts_sim.engine.game import (
    begin_game,
    begin_hand,
    begin_play,
    end_play,
    score_hand,
    who_shot,
)
from hearts_sim.engine.layout import GAME, HANDS, OWN, SEATS, VIEW
from hearts_sim.engine.legal import legal_cards
from hearts_sim.engine.passing import exchange, highest_cards, is_pass, passable_cards
from hearts_sim.engine.public import how_queen_came, put_card, show_rules
from hearts_sim.engine.record import ENDS, MOON_NEW, MOON_OLD, compile_rules
from hearts_sim.engine.score import count_place, default_moon, may_choose_moon, shot
from hearts_sim.errors import CardError, IllegalPlayError
from hearts_sim.rules import Rules

QUEEN_HOW = (None, "led", "followed", "dumped")
Cards = CardSet | Iterable[int | str]
"""Cards as they are given: a set, or cards one by one, of which one may come twice."""


@kernel
def _legal(rules: Any, view: Any, hands: Any) -> int:
    return legal_cards(rules, view, hands)


@kernel
def _put(rules: Any, game: Any, view: Any, hands: Any, card: int) -> None:
    put_card(rules, game, view, hands, card)


@dataclass(frozen=True)
class HandResult:
    """How a hand was scored; all tuples are by seat.

    `raw` are the penalty points taken, `bonus` the points of bonus cards and for taking no trick,
    `points` what the hand is worth after moon, bonus and floor, `scores` the totals, and `adjust`
    what they changed beside `points` (an exact target, a total's floor, a sun that resets).
    `hearts` and `queen` are cards taken; `queen_how` ("led", "followed", "dumped") and `queen_by`
    (seat that played her) stand at the seat that took the queen of spades. `moon` is 1 for the
    shooter, or the team that shot, and -1 for those who pay; `stopped_by` is the seat that ended
    another's moon. Partners with one score have the same `bonus`, `points` and `scores`.
    """

    raw: tuple[int, ...]
    bonus: tuple[int, ...]
    points: tuple[int, ...]
    adjust: tuple[int, ...]
    scores: tuple[int, ...]
    hearts: tuple[int, ...]
    queen: tuple[int, ...]
    queen_how: tuple[str | None, ...]
    queen_by: tuple[int | None, ...]
    tricks: tuple[int, ...]
    moon: tuple[int, ...]
    stopped_by: tuple[int | None, ...]


class Table:
    """One game of Hearts, step by step: `deal`, `exchange`, `play` card by card, `score`.

    ::

        table = Table(Rules(), seed=1)
        table.deal()
        if table.pass_count:
            table.exchange([table.default_pass(seat) for seat in range(4)])
        while not table.hand_over:
            table.play(table.legal.lowest())
        result = table.score()

    Parameters
    ----------
    rules : Rules
    seed, block : int
        Key the deals, as in a run.

    Raises
    ------
    IllegalPlayError
        By every step that the rules do not allow at that moment.
    """

    def __init__(self, rules: Rules | None = None, seed: int = 0, block: int = 0) -> None:
        self.rules = rules or Rules()
        self._rules = compile_rules(self.rules)[0]
        self._game = np.zeros(1, GAME)[0]
        self._view = np.zeros(1, VIEW)[0]
        self._hands = np.zeros(1, HANDS)[0]
        self._bots = np.zeros(1, SEATS)[0]
        self._owns = np.zeros(self.rules.players, OWN)
        owns = [self._owns[seat : seat + 1].ctypes.data for seat in self._seats]
        self._bots["bot"]["own"][: self.rules.players] = owns
        self._game["seed"] = seed
        self._game["block"] = block
        self._stage = "deal"
        show_rules(self._rules, self._view)
        begin_game(self._rules, self._game, self._view, self._bots)

    # The game.

    @property
    def hand_number(self) -> int:
        """Number of the current hand, 0 before the first."""
        return int(self._game["hand_number"])

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals by seat."""
        return self._by_seat(self._game["totals"])

    @property
    def ended(self) -> str:
        """How the game ended (target, deals, exact, tie_cap, max_hands); "" while it goes on."""
        return ENDS[int(self._game["ended"])]

    @property
    def places(self) -> tuple[float, ...]:
        """Places by seat as the totals stand, 1 for the best; ties share the mean place.

        Partners have the place of their team among the teams.
        """
        counts = [count_place(self._rules, self._game, seat) for seat in self._seats]
        return tuple(before + (level + 1) / 2 for before, level in counts)

    @property
    def wins(self) -> tuple[float, ...]:
        """Shares of the win by seat as the totals stand: 1/k for each of k on the first place.

        Of teams, both partners have their team's share.
        """
        counts = [count_place(self._rules, self._game, seat) for seat in self._seats]
        return tuple(0.0 if before else 1 / level for before, level in counts)

    # The hand.

    @property
    def _seats(self) -> range:
        return range(self.rules.players)

    def _by_seat(self, values: Any) -> tuple[int, ...]:
        return tuple(int(value) for value in values[: self.rules.players])

    def _sets(self, values: Any) -> tuple[CardSet, ...]:
        return tuple(CardSet(value) for value in values[: self.rules.players])

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """The cards in each seat's hand; of those that it has twice, see `hands_twice`."""
        return self._sets(self._hands["cards"])

    @property
    def hands_twice(self) -> tuple[CardSet, ...]:
        """The cards that each seat has twice, with two packs."""
        return self._sets(self._hands["cards_twice"])

    @property
    def kitty(self) -> CardSet:
        """Cards that were left after the deal."""
        return CardSet(self._hands["kitty"])

    @property
    def kitty_twice(self) -> CardSet:
        """Cards that are in the kitty twice."""
        return CardSet(self._hands["kitty_twice"])

    @property
    def kitty_seat(self) -> int | None:
        """Seat that gets the kitty at the end of the hand; None while that is open."""
        seat = int(self._view["kitty_seat"])
        return seat if self.rules.kitty_size and seat >= 0 else None

    @property
    def pass_offset(self) -> int:
        """Seats to the left that the pass goes; 0 for a hold, -1 for a scatter."""
        return int(self._game["pass_offset"])

    @property
    def pass_count(self) -> int:
        """Cards that each seat passes in this hand, 0 for none."""
        return int(self._game["pass_need"])

    @property
    def passed(self) -> tuple[CardSet, ...]:
        """Cards that each seat passed."""
        return self._sets(self._game["passed"])

    @property
    def passed_twice(self) -> tuple[CardSet, ...]:
        """Cards of which each seat passed both copies."""
        return self._sets(self._game["passed_twice"])

    @property
    def received(self) -> tuple[CardSet, ...]:
        """Cards that each seat was passed."""
        return self._sets(self._game["received"])

    @property
    def received_twice(self) -> tuple[CardSet, ...]:
        """Cards of which each seat was passed both copies."""
        return self._sets(self._game["received_twice"])

    @property
    def turn(self) -> int:
        """Seat whose turn it is."""
        return int(self._view["turn"])

    @property
    def leader(self) -> int:
        """Seat that leads the trick."""
        return int(self._view["leader"])

    @property
    def trick(self) -> tuple[Card, ...]:
        """Cards of the trick in the order played."""
        return tuple(Card(card) for card in self._view["trick"][: self._view["trick_size"]])

    @property
    def trick_number(self) -> int:
        """Number of the trick, from 1; one more than the tricks of a hand when all are played."""
        return int(self._view["trick_number"])

    @property
    def led_suit(self) -> int:
        """Suit of the lead, -1 before it."""
        return int(self._view["led_suit"])

    @property
    def hearts_broken(self) -> bool:
        """Whether hearts are broken."""
        return bool(self._view["hearts_broken"])

    @property
    def taken(self) -> tuple[CardSet, ...]:
        """Cards that each seat took in tricks, at the end of the hand with the kitty."""
        return self._sets(self._view["taken"])

    @property
    def taken_twice(self) -> tuple[CardSet, ...]:
        """Cards of which each seat took both copies."""
        return self._sets(self._view["taken_twice"])

    @property
    def held(self) -> CardSet:
        """Cards of tricks without a winner, which wait for the next winner."""
        return CardSet(self._view["held"])

    @property
    def held_twice(self) -> CardSet:
        """Cards of which both copies are held."""
        return CardSet(self._view["held_twice"])

    @property
    def held_tricks(self) -> int:
        """Number of tricks that are held."""
        return int(self._view["held_tricks"])

    @property
    def played_by(self) -> tuple[CardSet, ...]:
        """Cards that each seat played."""
        return self._sets(self._view["played_by"])

    @property
    def points(self) -> tuple[int, ...]:
        """Penalty points that each seat took; after `score`, the points of the hand."""
        return self._by_seat(self._view["points"])

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """Tricks that each seat won."""
        return self._by_seat(self._view["tricks_won"])

    @property
    def voids(self) -> tuple[int, ...]:
        """Suits that each seat has shown to be void in, as bits."""
        return self._by_seat(self._view["voids"])

    @property
    def hand_over(self) -> bool:
        """Whether all cards of the hand are played."""
        return self._stage == "score"

    # The steps.

    def _expect(self, stage: str, step: str) -> None:
        if self._stage != stage:
            if self.ended:
                raise IllegalPlayError(f"{step}: the game is over ({self.ended})")
            raise IllegalPlayError(f"{step}: the next step is {self._stage}")

    def deal(self, hands: Sequence[Cards] | None = None, kitty: Cards | None = None) -> None:
        """Begin the next hand, with the cards of the seed or with given ones.

        Parameters
        ----------
        hands : sequence of CardSet or of cards, optional
            One for each seat; together with the kitty they must be the deck.
        kitty : CardSet or cards, optional
            What is left over; by default the cards of the deck that are in no hand.
        """
        self._expect("deal", "deal")
        given = None if hands is None else self._given(list(hands), kitty)
        begin_hand(self._rules, self._game, self._view, self._bots)
        if given is None:
            deal_hand(self._rules, self._game, self._hands)
        else:
            *sets, left = given
            for seat, (cards, twice) in enumerate(sets):
                self._hands["cards"][seat], self._hands["cards_twice"][seat] = cards, twice
            self._hands["kitty"], self._hands["kitty_twice"] = left
        self._stage = "exchange" if self.pass_count else "play"
        if self._stage == "play":
            begin_play(self._rules, self._game, self._view, self._hands)

    def _given(self, hands: list[Cards], kitty: Cards | None) -> list[tuple[int, int]]:
        """Masks of hands that are dealt by hand, and of the kitty."""
        rules = self.rules
        cards = [_as_cards(hand) for hand in hands]
        if len(cards) != rules.players or any(len(hand) != rules.hand_size for hand in cards):
            raise IllegalPlayError(
                f"deal: expected {rules.players} hands of {rules.hand_size} cards"
            )
        dealt = Counter(card for hand in cards for card in hand)
        deck = Counter({card: rules.copies(card) for card in rules.deck})
        left = list((deck - dealt).elements()) if kitty is None else _as_cards(kitty)
        if dealt + Counter(left) != deck:
            whole = "hands and kitty together are" if rules.kitty_size else "hands together are"
            raise IllegalPlayError(f"deal: the {whole} not the deck of these rules")
        return [mask_twice(hand) for hand in (*cards, left)]

    def passable(self, seat: int) -> CardSet:
        """Cards that a seat may pass."""
        hand, twice = self._hands["cards"][seat], self._hands["cards_twice"][seat]
        return CardSet(passable_cards(self._rules, self._game, hand, twice))

    def default_pass(self, seat: int) -> tuple[Card, ...]:
        """Cards that a bot without a pass of its own would pass, a card perhaps twice."""
        twice = self._hands["cards_twice"][seat]
        chosen, both = highest_cards(int(self.passable(seat)), twice, self.pass_count)
        return tuple(sorted((*CardSet(chosen), *CardSet(both))))

    def exchange(self, choices: Sequence[Cards]) -> None:
        """Every seat passes the cards chosen for it, all at the same time."""
        self._expect("exchange", "exchange")
        given = [_as_cards(chosen) for chosen in choices]
        if len(given) != self.rules.players:
            raise IllegalPlayError(f"exchange: expected {self.rules.players} choices")
        sets = []
        for seat, cards in enumerate(given):
            try:
                chosen, both = mask_twice(cards)
            except CardError:
                chosen, both = -1, 0
            twice = self._hands["cards_twice"][seat]
            if not is_pass(self._game, int(self.passable(seat)), twice, chosen, both):
                raise IllegalPlayError(
                    f"illegal pass {' '.join(map(str, cards)) or 'of nothing'} by seat {seat} in "
                    f"hand {self.hand_number}: expected {self.pass_count} cards of "
                    f"{self.passable(seat)}"
                )
            sets.append((chosen, both))
        for seat, (chosen, both) in enumerate(sets):
            self._game["passed"][seat], self._game["passed_twice"][seat] = chosen, both
        exchange(self._rules, self._game, self._hands)
        begin_play(self._rules, self._game, self._view, self._hands)
        self._stage = "play"

    @property
    def legal(self) -> CardSet:
        """Cards that the seat in turn may play."""
        self._expect("play", "legal")
        return CardSet(_legal(self._rules, self._view, self._hands))

    def play(self, card: int | str) -> None:
        """The seat in turn plays a card."""
        self._expect("play", "play")
        number = Card(card)
        if number not in self.legal:
            raise IllegalPlayError(
                f"illegal card {number} by seat {self.turn} in hand {self.hand_number}, trick "
                f"{self.trick_number}: {self._why_not(number)}; legal: {self.legal}"
            )
        _put(self._rules, self._game, self._view, self._hands, int(number))
        if self.trick_number > self.rules.hand_size:
            end_play(self._rules, self._game, self._view, self._hands)
            self._stage = "score"

    def _why_not(self, card: Card) -> str:
        if card not in self.hands[self.turn]:
            return "the seat does not hold it"
        if self.trick and card.suit != self.led_suit and self.hands[self.turn].suit(self.led_suit):
            return f"{SUITS[self.led_suit]} was led and must be followed"
        if self.trick_number == 1:
            return "the rules of the first trick do not allow it"
        if not self.trick and card.suit == 3:
            return "hearts are not broken"
        return "the rules do not allow it now"

    @property
    def shooter(self) -> int | None:
        """Seat that shot the moon, or None.

        Of a team that shot together, the seat that took its last penalty card.
        """
        self._expect("score", "shooter")
        seat = who_shot(self._rules, self._game, self._view)
        return None if seat < 0 else int(seat)

    @property
    def moon_options(self) -> frozenset[str]:
        """What the shooter may choose: "add" and "subtract", or nothing."""
        shooter = -1 if self.shooter is None else self.shooter
        asked = may_choose_moon(self._rules, self._game, self._view, shooter)
        return frozenset(("add", "subtract") if asked else ())

    def score(self, choice: str | None = None) -> HandResult:
        """Score the hand.

        Parameters
        ----------
        choice : {"add", "subtract"}, optional
            What the shooter of a moon chooses, where `moon_options` gives a choice; left out, the
            better one.
        """
        self._expect("score", "score")
        shooter = -1 if self.shooter is None else self.shooter
        moon = -1
        if shooter >= 0:
            moon = default_moon(self._rules, self._game, self._view, shooter)
        if choice is not None:
            if choice not in self.moon_options:
                raise IllegalPlayError(f"score: {choice!r} is not among the options of this hand")
            moon = MOON_OLD if choice == "add" else MOON_NEW
        score_hand(self._rules, self._game, self._view, shooter, moon)
        self._stage = "over" if self.ended else "deal"
        return self._result(shooter)

    def _result(self, shooter: int) -> HandResult:
        game, taken, twice = self._game, self.taken, self.taken_twice
        queens = [
            int(QUEEN_OF_SPADES in cards) + int(QUEEN_OF_SPADES in more)
            for cards, more in zip(taken, twice, strict=True)
        ]
        stopped = self._by_seat(game["stopped_by"])
        came = [how_queen_came(self._rules, game, seat) for seat in self._seats]
        return HandResult(
            raw=self._by_seat(game["raw"]),
            bonus=self._by_seat(game["bonus"]),
            points=self._by_seat(game["hand_points"]),
            adjust=self._by_seat(game["adjust"]),
            scores=self.scores,
            hearts=tuple(
                len(cards & HEARTS_MASK) + len(more & HEARTS_MASK)
                for cards, more in zip(taken, twice, strict=True)
            ),
            queen=tuple(queens),
            queen_how=tuple(
                QUEEN_HOW[how] if number else None
                for (how, _), number in zip(came, queens, strict=True)
            ),
            queen_by=tuple(
                int(by) if number and by >= 0 else None
                for (_, by), number in zip(came, queens, strict=True)
            ),
            tricks=self.tricks_won,
            moon=tuple(self._moon_sign(seat, shooter) for seat in self._seats),
            stopped_by=tuple(None if seat < 0 else seat for seat in stopped),
        )

    def _moon_sign(self, seat: int, shooter: int) -> int:
        if shooter >= 0 and shot(self._rules, seat, shooter):
            return 1
        return -(int(self._game["payers"]) >> seat & 1)


def _as_cards(cards: Cards) -> list[Card]:
    """The cards that somebody gave, one by one."""
    return list(cards) if isinstance(cards, CardSet) else [Card(card) for card in cards]
