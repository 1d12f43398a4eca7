"""Odd hands: what seldom comes up in play, and what bots forget.

A position is the hand that the bot is dealt and the rules it is played under. Somebody else at the
table has all other cards; the game then takes its course.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hearts_sim.cards import CLUBS, DIAMONDS, HEARTS, QUEEN_OF_SPADES, SPADES, Card
from hearts_sim.errors import RulesError
from hearts_sim.rules import Rules
from hearts_sim.testing.target import changed, short

_SUIT_NAMES = ("clubs", "diamonds", "spades", "hearts")


@dataclass(frozen=True)
class Position:
    """A deal for one hand.

    Attributes
    ----------
    name : str
        What is odd about it, to follow "with".
    rules : Rules
    hand : tuple of Card
        The bot's.
    lost : bool
        Whether the bot stands so badly that an old moon would lose it the game.
    """

    name: str
    rules: Rules
    hand: tuple[Card, ...]
    lost: bool = False

    def deal(self, seat: int, number: int) -> tuple[list[list[Card]], list[Card]]:
        """Hands by seat, and the kitty; `number` shuffles the cards of the others."""
        left = _deck(self.rules)
        for card in self.hand:
            left.remove(card)
        random.Random(number).shuffle(left)
        size = self.rules.hand_size
        hands = []
        for place in range(self.rules.players):
            if place == seat:
                hands.append(list(self.hand))
            else:
                hands.append(left[:size])
                del left[:size]
        return hands, left


def positions(rules: Rules, *, chooses_moon: bool) -> list[Position]:
    """Odd hands under some rules.

    Parameters
    ----------
    chooses_moon : bool
        Whether the bot has a `choose_moon` that should be asked, even where these rules never do.
    """
    found = list(_held(rules))
    if rules.pass_count and set(rules.pass_cycle) != {"H"}:
        plain = short(rules, 1)
        first = next((token for token in rules.pass_cycle if token != "H"), "L")
        passing = changed(plain, pass_cycle=[first, *rules.pass_cycle])
        points = _first(rules, list(rules.point_cards))
        found.append(Position("a pass from all the penalty cards that fit", passing, points))
        hearts = _first(rules, _suit(rules, HEARTS))
        found.append(Position("a pass from hearts alone", passing, hearts))
    for moon in ("choice", "mixed"):
        if rules.moon == moon or (chooses_moon and moon == "choice"):
            try:
                asked = _hold(changed(rules, moon=moon))
            except RulesError:
                continue
            top = _first(rules, [*_suit(rules, CLUBS), *_suit(rules, DIAMONDS)])
            found.append(Position("a moon to choose for", asked, top, lost=moon == "mixed"))
    return found


def _held(rules: Rules) -> Iterator[Position]:
    """Hands that are not passed from."""
    held = _hold(rules)
    deck = _deck(rules)
    points = list(rules.point_cards)
    if sum(rules.copies(card) for card in points) >= rules.hand_size:
        yield Position("nothing but points to the first trick", held, _first(rules, points))
    hearts = [card for card in deck if card.suit == HEARTS]
    yield Position("hearts and the fewest others", held, _first(rules, hearts[::-1]))
    if QUEEN_OF_SPADES in deck:
        others = [card for card in deck if card.suit in (CLUBS, DIAMONDS)]
        yield Position(
            "the queen of spades alone in her suit", held, _first(rules, [QUEEN_OF_SPADES, *others])
        )
    for suit in (CLUBS, DIAMONDS, SPADES):
        name = f"{_SUIT_NAMES[suit]} and the fewest others"
        yield Position(name, held, _first(rules, _suit(rules, suit)))
    for suit in range(4):
        spread = sorted(
            (card for card in deck if card.suit != suit), key=lambda card: (card.rank, card)
        )
        # Every third card, so that all other suits are there from low to high.
        mixed = spread[::3] + spread[1::3] + spread[2::3]
        yield Position(f"no {_SUIT_NAMES[suit]}", held, tuple(mixed[: rules.hand_size]))


def _hold(rules: Rules) -> Rules:
    """The rules for one deal without a pass."""
    return changed(short(rules, 1), pass_cycle=["H"], pass_forbidden=[])


def _deck(rules: Rules) -> list[Card]:
    return [card for card in rules.deck for _ in range(rules.copies(card))]


def _suit(rules: Rules, suit: int) -> list[Card]:
    """The cards of a suit, highest first."""
    return [card for card in _deck(rules)[::-1] if card.suit == suit]


def _first(rules: Rules, wanted: Sequence[Card]) -> tuple[Card, ...]:
    """A hand of the cards that are wanted, then of others, highest first."""
    left = _deck(rules)[::-1]
    hand: list[Card] = []
    for card in [*wanted, *wanted, *left]:
        if card in left and len(hand) < rules.hand_size:
            left.remove(card)
            hand.append(card)
    return tuple(hand)
