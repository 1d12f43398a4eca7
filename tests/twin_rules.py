"""What the rules alone say, for the slow twin: the deck, costs, sides and passes.

Cards are strings of rank and suit ("TD", "QS"); seats count clockwise, so left is +1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDSH"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
QUEEN = "QS"

HEART_SCALES: dict[str, list[int]] = {  # the cost of the hearts from 2 up to the ace
    "ones": [1] * 13,
    "pips14": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    "court10_ace15": [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15],
    "pips_ace1": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1],
    "face5432": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5],
    "zero": [0] * 13,
}

CHOICES: dict[str, list[str]] = {  # the values of some settings that name a rule
    "teams": ["none", "singly", "pooled"],
    "leftover": ["remove", "kitty_first_trick", "kitty_first_penalty", "kitty_last_trick"],
    "trick_winner": ["highest_led", "cancel_pairs", "latest_of_equals"],
    "moon_scope": ["player", "team"],
    "moon_partner": ["normal", "exempt"],
    "sun": ["off", "double", "reset_to_zero"],
    "sun_first_trick": ["counts", "exempt"],
    "score_floor": ["none", "hand0", "total0"],
}


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards, by suit (C D S H) and rank; of two packs a card can be there twice."""
    return sorted(cards, key=CARDS.index)


def without(cards: Iterable[str], gone: Iterable[str]) -> list[str]:
    """The cards, sorted, less one copy for every card that is gone."""
    left = in_order(cards)
    for card in gone:
        left.remove(card)
    return left


def contains(cards: list[str], wanted: Iterable[str]) -> bool:
    """Whether all that is wanted is among the cards, as often as it is wanted."""
    wanted = list(wanted)
    return all(cards.count(card) >= wanted.count(card) for card in wanted)


def hearts_of(cards: Iterable[str]) -> set[str]:
    """The hearts among the given cards."""
    return {card for card in cards if card[1] == "H"}


class TwinRules:
    """A plain dict of rules, and what follows from it before any card is dealt."""

    def __init__(self, rules: dict[str, Any]) -> None:
        """Refuses rules that cannot be played."""
        self.rules = rules
        self.players: int = rules["players"]
        self.seats = range(self.players)
        self._check_deck()
        self._check_sides()
        self._check_passes()

    # ---- what cannot be played --------------------------------------------------------------

    def _check_deck(self) -> None:
        """Put the deck together; ValueError if it cannot be dealt or scored."""
        rules = self.rules
        for key, values in CHOICES.items():
            if rules[key] not in values:
                raise ValueError(f"{key} cannot be {rules[key]!r}")
        if not 3 <= self.players <= 11:
            raise ValueError("there must be 3 to 11 players")
        if rules["packs"] not in (1, 2):
            raise ValueError("there must be 1 or 2 packs")
        if self.players > 8 and rules["packs"] == 1:
            raise ValueError("more than 8 players need two packs")
        if rules["packs"] == 2 and rules["trick_winner"] == "highest_led":
            raise ValueError("with two packs it must be said which of two equal cards wins")
        packs = in_order(CARDS * rules["packs"])
        if not contains(packs, rules["deck_removal"]):
            raise ValueError("more is removed than the packs hold")
        self._deck = without(packs, rules["deck_removal"])
        left = len(self._deck) - self.players * rules["hand_size"]
        if rules["hand_size"] < 1 or left < 0:
            raise ValueError("the deck does not give every seat its cards")
        if left > 0 and rules["leftover"] == "remove":
            raise ValueError("the deck does not divide by the number of players")
        if not self._costly_cards():
            raise ValueError("the deck holds no penalty card")
        if any(value >= 0 for value in rules["bonus"].values()) or rules["no_trick_bonus"] > 0:
            raise ValueError("a bonus must be below zero")
        if any(self.is_penalty(card) for card in rules["bonus"]):
            raise ValueError("a card cannot be both a penalty and a bonus")

    def _check_sides(self) -> None:
        """Raise ValueError for teams that cannot be formed or scored."""
        rules = self.rules
        relief = rules["exact_target"] in ("minus50", "zero")
        if rules["win"] == "highest" and relief:
            raise ValueError("relief on the exact target makes no sense when the highest wins")
        if rules["teams"] != "none" and relief:
            raise ValueError("relief on the exact target makes no sense with teams")
        if rules["teams"] != "none" and self.players % 2:
            raise ValueError("teams need an even number of players")

    def _check_passes(self) -> None:
        """Raise ValueError for passes that cannot be made."""
        cycle = self.rules["pass_cycle"]
        if not cycle:
            raise ValueError("the pass cycle is empty")
        for token in cycle:
            if self._size_of_pass(token) > self.rules["hand_size"]:
                raise ValueError("a hand is too small for the pass")
            if token not in ("H", "scatter") and self._distance(token) % self.players == 0:
                raise ValueError(f"pass {token} comes back to the passer")

    # ---- the deck and its costs -------------------------------------------------------------

    def deck(self) -> list[str]:
        """The cards under the rules, sorted: all hands and the kitty."""
        return list(self._deck)

    def cost(self, card: str) -> int:
        """The penalty of a card; an entry in `cards` beats the scale of the hearts."""
        if card in self.rules["cards"]:
            return self.rules["cards"][card]
        if card[1] == "H":
            return HEART_SCALES[self.rules["heart_scale"]][RANKS.index(card[0])]
        return 0

    def is_penalty(self, card: str) -> bool:
        """Whether a card is banned from the first trick: any heart, any card in `cards`."""
        return card[1] == "H" or card in self.rules["cards"]

    def _costly_cards(self) -> list[str]:
        """The cards of the deck that cost more than zero, sorted."""
        return [card for card in self.deck() if self.cost(card) > 0]

    def _moon_cards(self) -> list[str]:
        """The cards of the deck that a shooter needs, sorted."""
        needed = self._costly_cards()
        if self.rules["moon_needs_bonus"]:
            needed += [card for card in self.deck() if card in self.rules["bonus"]]
        return in_order(needed)

    # ---- sides ------------------------------------------------------------------------------

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each side: partners sit opposite; without teams a seat is a side."""
        number = self.players if self.rules["teams"] == "none" else self.players // 2
        return [[seat for seat in self.seats if seat % number == side] for side in range(number)]

    def side_of(self, seat: int) -> int:
        """The side that a seat belongs to."""
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    def sharers(self, seat: int) -> list[int]:
        """The seats that have one score together with this one (and itself)."""
        return self.sides[self.side_of(seat)] if self.rules["teams"] == "pooled" else [seat]

    # ---- passes -----------------------------------------------------------------------------

    def _size_of_pass(self, token: str) -> int:
        """How many cards each seat passes under a token."""
        if token == "H" or self.rules["pass_count"] == 0:
            return 0
        return self.players - 1 if token == "scatter" else self.rules["pass_count"]

    def _distance(self, token: str) -> int:
        """How many seats to the left a pass goes (negative: to the right)."""
        if token == "partner" and self.rules["teams"] == "none":
            raise ValueError("without teams nobody has a partner")
        if token in ("A", "partner"):
            if self.players % 2:
                raise ValueError("no seat is straight across at an odd table")
            return self.players // 2
        return {"L": 1, "L2": 2, "L3": 3, "R": -1, "R2": -2, "R3": -3}[token]
