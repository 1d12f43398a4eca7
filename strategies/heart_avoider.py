"""A player that thinks of nothing but hearts."""

from hearts_sim import Strategy
from hearts_sim.cards import HEARTS

from ._danger import is_void


class HeartAvoider(Strategy):
    """Fears hearts only: passes and throws them first, and never leads one by choice.

    Passes: hearts from the top, then the highest ranks.
    Plays: its lowest card that is no heart; void, throws hearts from the top, then the highest
        ranks. The queen of spades is a queen like any other.
    Uses: the legal cards and the led suit.
    """

    def choose_pass(self, view):
        return sorted(view.legal, key=hearts_last)[-view.pass_count :]

    def choose_card(self, view):
        if is_void(view):
            return max(view.legal, key=hearts_last)
        return min(view.legal, key=hearts_last)


def hearts_last(card):
    """Order by rank, with all hearts behind all other cards."""
    return card.suit == HEARTS, card.rank
