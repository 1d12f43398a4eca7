"""The smallest strategy there is."""

from hearts_sim import Strategy


class LowCard(Strategy):
    """Always plays its lowest legal card.

    Passes: the three cards of highest rank (what every strategy without a pass of its own does).
    Plays: the lowest legal card, clubs before diamonds, spades and hearts.
    Uses: the legal cards only.
    """

    def choose_card(self, view):
        return view.legal.lowest()
