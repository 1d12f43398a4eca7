"""All worlds that agree with a view, one by one: slow, plain, and with the twin's rules.

Every way to lay the unseen cards so that everybody has as many as they must, with the cards that
were passed where they went, is kept when every play so far was legal from these hands and when the
hand was opened by who had to open it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

from pair import BIT, mask, names, twin_of
from twin_rules import in_order

from hearts_sim.strategy.view import View

World = tuple[int, ...]
"""Masks of the cards in hand by seat, then of the kitty."""


class Enumerated:
    """What can be said of a view card by card.

    Attributes
    ----------
    deals : int
        Ways to lay the unseen cards, whatever was played.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.twin = twin_of(view.rules)
        self.seats = list(self.twin.seats)
        self.unseen = names(view.deck) - names(view.hand) - names(view.played) - names(view.kitty)
        self.played = [names(cards) for cards in view.played_by]
        self.must = self._passed()
        self.places = [seat for seat in self.seats if seat != view.seat]
        self.sizes = {
            seat: view.hand_size - len(self.played[seat]) - len(self.must[seat])
            for seat in self.places
        }
        self.loose = self.unseen - {card for cards in self.must for card in cards}
        self.deals = 1
        left = len(self.loose)
        for seat in self.places:
            self.deals *= comb(left, self.sizes[seat])
            left -= self.sizes[seat]
        self._turns = self._all_turns()
        self._known: dict[tuple[int, frozenset[str]], bool] = {}
        self._opened: dict[tuple[frozenset[str], ...], bool] = {}

    def _passed(self) -> list[set[str]]:
        """The cards that one passed to each seat and that are not played."""
        view, cards = self.view, in_order(names(self.view.passed))
        went: list[set[str]] = [set() for _ in self.seats]
        for place, card in enumerate(cards):
            step = place + 1 if view.pass_offset == -1 else view.pass_offset
            went[(view.seat + step) % len(self.seats)].add(card)
        return [cards & self.unseen for cards in went]

    def _all_turns(self) -> list[list[tuple[str, list[Any], int, bool]]]:
        """For every seat its plays: the card, the trick before it, tricks and breaking before."""
        turns: list[list[Any]] = [[] for _ in self.seats]
        broken = False
        for number, (leader, cards) in enumerate(self.view.tricks):
            trick: list[tuple[int, str]] = []
            for place, card in enumerate(card.name for card in cards):
                seat = (leader + place) % len(self.seats)
                turns[seat].append((card, list(trick), number, broken))
                trick.append((seat, card))
                broken = broken or self.twin._breaks(card)
        return turns

    def fits(self, seat: int, hidden: frozenset[str]) -> bool:
        """Whether all that a seat played was legal if these are the cards that it still has."""
        key = (seat, hidden)
        if key not in self._known:
            self._known[key] = self._fits(seat, hidden)
        return self._known[key]

    def _fits(self, seat: int, hidden: frozenset[str]) -> bool:
        twin = self.twin
        hand = hidden | self.played[seat]
        for card, trick, tricks, broken in self._turns[seat]:
            twin._phase, twin.to_play = "playing", seat
            twin.hands[seat] = in_order(hand)
            twin.trick, twin.history, twin.broken = trick, [[]] * tricks, broken
            if card not in twin.legal():
                return False
            hand -= {card}
        return True

    def opens(self, hands: list[set[str]]) -> bool:
        """Whether the right seat opened the hand, when these are the hands now."""
        dealt = [hands[seat] | self.played[seat] for seat in self.seats]
        # Only clubs decide who opens.
        key = tuple(frozenset(card for card in hand if card[1] == "C") for hand in dealt)
        if key not in self._opened:
            self._opened[key] = self._opens(dealt)
        return self._opened[key]

    def _opens(self, dealt: list[set[str]]) -> bool:
        tricks, twin = self.view.tricks, self.twin
        leader = tricks[0][0] if tricks else self.view.leader
        if leader < 0:  # before the play
            return True
        twin.hand_number = self.view.hand_number
        twin._clear_hand([[*hand] for hand in dealt], [])
        twin._begin_play()
        return bool(twin.to_play == leader)

    def worlds(self) -> Iterator[World]:
        """All worlds that are possible."""
        hands: list[set[str]] = [set() for _ in self.seats]
        hands[self.view.seat] = names(self.view.hand)
        yield from self._lay(0, self.loose, hands)

    def _lay(self, number: int, left: set[str], hands: list[set[str]]) -> Iterator[World]:
        if number == len(self.places):
            if self.opens(hands):
                yield (*map(mask, hands), mask(left | names(self.view.kitty)))
            return
        seat = self.places[number]
        for some in combinations(sorted(left, key=BIT.__getitem__), self.sizes[seat]):
            hidden = frozenset(some) | self.must[seat]
            if self.fits(seat, hidden):
                hands[seat] = set(hidden)
                yield from self._lay(number + 1, left - hidden, hands)
