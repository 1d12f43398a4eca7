"""Who sits at the table with a bot that is checked."""

from __future__ import annotations

from typing import Any

from hearts_sim.cards import mask_twice
from hearts_sim.engine.machine import Machine
from hearts_sim.strategy.base import Strategy
from hearts_sim.strategy.view import View
from hearts_sim.testing.positions import Position


class Chance(Strategy):
    """Passes and plays at random, and so brings a table into every kind of trouble."""

    def choose_pass(self, view: View) -> Any:
        """Random cards."""
        cards = [*view.legal, *(view.hand_twice & view.legal)]
        return self.rng.sample(cards, view.pass_count)

    def choose_card(self, view: View) -> int:
        """A random card."""
        return self.rng.choice(list(view.legal))


class Dealer(Chance):
    """Plays at random, and on seat 0 puts a position on the table before anybody looks.

    The first hook after the deal is that of seat 0, so no bot sees other cards than these.
    """

    machine: Machine
    position: Position
    seat: int

    def start_hand(self, view: View) -> None:
        """Deal the position."""
        machine, position = self.machine, self.position
        dealt, kitty = position.deal(self.seat, int(machine.game[0]["block"]))
        hands = machine.hands[0]
        for place, cards in enumerate(dealt):
            hands["cards"][place], hands["cards_twice"][place] = mask_twice(cards)
        hands["kitty"], hands["kitty_twice"] = mask_twice(kitty)
        if position.lost:
            machine.game[0]["totals"][self.seat] = 1000
            machine.view[0]["scores"][self.seat] = 1000
