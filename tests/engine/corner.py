"""Tables for the corner cases: small decks dealt by hand, totals given, cards played by name.

A hand is written as a text such as ``"2C QS"``; with two packs a card may stand in it twice. The
deck is what stands in the hands and in the kitty, so a test shows every card there is.

The corner cases have numbers, by which their tests are named (``test_09_...``):

- `test_corner_play`: 1 first trick with thirteen hearts, 2 with twelve hearts and QS, 3 how often
  that is, 4 only hearts on lead, 5 hearts and QS on lead, 6 the same with QS barred, 7 what breaks
  hearts, 8 first trick not led with a club, 23 opening lead, 24 passing, 27 JD on the first trick
- `test_corner_moon`: 9 mixed moon, 10 total that is not 26, 11 moon and kitty, 12 moon and bonus
  cards, 13 totals below zero, 14 who chooses, 15 teams, 22 reverse, 25 sun, 28 no trick in a moon
  hand
- `test_corner_packs`: 16 cancelled cards, 17 trick without a winner, 18 the last one, and the kitty
- `test_corner_end`: 19 exactly on the target, 20 several over it, 21 ties, 29 fixed deals, 30 sums
- `test_corner_mistakes`: mistakes that were found in other engines

Not among the rules that can be set, so without a test: jokers, nines that add a round to a trick,
misdeals, passes into a common heap or as the dealer says, a kitty that is exchanged for cards of
the hand, a sun that punishes who passed the cards, claims of the rest (26).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hearts_sim.cards import CARDS, Card, CardSet
from hearts_sim.engine.table import HandResult, Table
from hearts_sim.rules import Rules

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
SPADES = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
DIAMONDS = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"
CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
ONE_SUIT_EACH = (CLUBS, DIAMONDS, SPADES, HEARTS)

# A whole pack in which seat 0 wins every trick when it plays its highest cards.
WINNING_HANDS = (
    "AC KC QC AD KD QD JD AS KS QS AH KH QH",
    "2C 3C 4C 2D 3D 4D 2S 3S 4S 2H 3H 4H JC",
    "5C 6C 7C 5D 6D 7D 5S 6S 7S 5H 6H 7H JS",
    "8C 9C TC 8D 9D TD 8S 9S TS 8H 9H TH JH",
)


def hand(text: str) -> CardSet:
    """Set of the cards in a text."""
    return CardSet.parse(text)


def no_pass(**options: Any) -> Rules:
    """Rules without passing."""
    return Rules(**{"pass_count": 0, "pass_cycle": ["H"]} | options)


def small_rules(*hands: str, kitty: str = "", **options: Any) -> Rules:
    """Rules of a game without a pass in which exactly these hands, and the kitty, are dealt."""
    packs = options.get("packs", 1)
    kept = Counter(Card(text) for text in " ".join((*hands, kitty)).split())
    assert max(kept.values()) <= packs
    if Card("QS") not in kept:
        options.setdefault("cards", {})
    if packs == 2:
        options.setdefault("trick_winner", "cancel_pairs")
    if kitty:
        options.setdefault("leftover", "kitty_first_trick")
    return no_pass(
        players=len(hands),
        deck_removal=[card.name for card in CARDS for _ in range(packs - kept[card])],
        hand_size=len(hands[0].split()),
        **options,
    )


def deal(
    *hands: str, kitty: str = "", before: Sequence[int] | None = None, **options: Any
) -> Table:
    """A table at which these hands, the whole deck, were dealt and nothing is passed.

    `before` are the totals that the seats have from earlier hands.
    """
    table = with_totals(small_rules(*hands, kitty=kitty, **options), before)
    deal_again(table, *hands)
    return table


def deal_again(table: Table, *hands: str) -> None:
    """Deal the next hand at a table; what stands in none of the hands is the kitty."""
    table.deal([text.split() for text in hands])


def with_totals(rules: Rules, before: Sequence[int] | None = None) -> Table:
    """A table at which the seats have these totals, as if hands had been played."""
    table = Table(rules)
    if before is not None:
        assert len(before) == rules.players
        table._game["totals"][: rules.players] = before
        table._view["scores"][: rules.players] = before
    return table


def play(table: Table, text: str) -> None:
    """Play the cards of a text in order."""
    for card in text.split():
        table.play(card)


def play_out(table: Table) -> None:
    """Play the rest of a hand with the lowest legal cards."""
    while not table.hand_over:
        table.play(table.legal.lowest())


def whole_hands(first: str, seat: int = 1, players: int = 4) -> list[CardSet]:
    """A full deal in which a seat holds the given cards and seat 0 the lowest club."""
    rules = Rules(players=players)
    rest = [card for card in rules.deck if card not in hand(first)]
    hands = [CardSet.of(*rest[place :: players - 1]) for place in range(players - 1)]
    hands.insert(seat, hand(first))
    return hands


def shoot(table: Table, shooter: int) -> None:
    """Play a hand in which a seat plays its highest cards and the others their lowest."""
    while not table.hand_over:
        cards = sorted(table.legal, key=lambda card: card.rank)
        table.play(cards[-1] if table.turn == shooter else cards[0])


def moon_hand(table: Table, shooter: int = 0, choice: str | None = None) -> HandResult:
    """Play a hand in which a seat takes all tricks: aces and kings against small cards."""
    players = table.rules.players
    cards = sorted(table.rules.deck, key=lambda card: (-card.rank, card.suit))
    size = table.rules.hand_size
    hands = [CardSet.of(*cards[start : start + size]) for start in range(0, size * players, size)]
    hands[0], hands[shooter] = hands[shooter], hands[0]
    table.deal(hands)
    shoot(table, shooter)
    assert table.tricks_won[shooter] == size
    return table.score(choice)


def winning_hand(before: Sequence[int] | None = None, **options: Any) -> Table:
    """A table with these totals at which seat 0 has just won all tricks of a whole pack."""
    table = with_totals(no_pass(**options), before)
    deal_again(table, *WINNING_HANDS)
    shoot(table, 0)
    return table


# Two penalty cards that make the usual 26.
TWO_OF_THIRTEEN: dict[str, int] = {"QS": 13, "AH": 13}
MOON = ("AC AS 3D", "2C QS 4D", "3C AH 2D", "4C 3S 5D")
MOON_PLAY = "2C 3C 4C AC AS QS AH 3S 3D 4D 2D 5D"
"""Seat 0 takes both penalty cards; seat 3 wins the last trick."""
SPLIT = ("AC AS 3D", "2C QS AH", "3C 2S KD", "4C 3S 5D")
SPLIT_PLAY = "2C 3C 4C AC AS QS 2S 3S 3D AH KD 5D"
"""Seat 0 takes QS, seat 2 takes AH with the last trick; seats 1 and 3 win no trick."""


def small_moon(before: Sequence[int] | None = None, **options: Any) -> Table:
    """A table at which seat 0 has just played a moon with `MOON`, of two tricks in three."""
    table = deal(*MOON, before=before, cards=TWO_OF_THIRTEEN, **options)
    play(table, MOON_PLAY)
    return table


def split_points(before: Sequence[int] | None = None, **options: Any) -> Table:
    """A table at which seats 0 and 2 have just taken a card of 13 each, with `SPLIT`."""
    table = deal(*SPLIT, before=before, cards=TWO_OF_THIRTEEN, **options)
    play(table, SPLIT_PLAY)
    return table


def two_pack_moon(rules: Rules) -> Table:
    """A table of eight at which seat 1, the eldest, has just won all tricks of two whole packs."""
    mine = [Card(card) for card in ("AC", "KC", "AS", "AD", "AH", "KH") for _ in range(2)]
    mine.append(Card("QH"))
    left = Counter(2 * CARDS) - Counter(mine)
    hearts = [card for card in left.elements() if card.suit == 3]
    others = [card for card in left.elements() if card.suit != 3]
    # Three hearts for each of the seven others: they are out when the last king is led.
    hands = [[*hearts[place::7], *others[place::7]] for place in range(7)]
    table = Table(rules)
    table.deal([hands[0], mine, *hands[1:]])
    for card in mine:
        assert table.turn == 1
        table.play(card)
        while table.turn != 1:
            table.play(table.legal.lowest())
    return table
