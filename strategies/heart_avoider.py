"""A player that does not touch hearts."""

from hearts_sim import Strategy
from hearts_sim.cards import HEARTS

from ._danger import danger, is_void, most_dangerous


class HeartAvoider(Strategy):
    """Never leads a heart while it has another card.

    Passes: the queen of spades, then hearts from the top, then the highest ranks.
    Plays: its lowest card that is no heart; void, throws the queen of spades, then hearts from the
        top, then the highest ranks.
    Uses: the legal cards and the led suit.
    """

    def choose_pass(self, view):
        return most_dangerous(view.legal, view.pass_count)

    def choose_card(self, view):
        if is_void(view):
            return max(view.legal, key=danger)
        return min(view.legal, key=lambda card: (card.suit == HEARTS, card.rank))
