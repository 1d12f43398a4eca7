"""A player that passes three cards as one plan."""

from hearts_sim import Strategy

from ._danger import is_void
from ._steps import flusher, follow, lead_order, plan_pass, throw


class ShortPasser(Strategy):
    """Passes to become short in a suit, and keeps the low cards that guard high ones.

    The options are weights of the pass, in ranks but for the first one: ``guards`` is the number of
    spades under the queen that protect those above, ``short`` what it is worth to empty clubs or
    diamonds, ``cover`` what each lower card of the suit takes off a card's danger, and ``hearts``
    how much more dangerous hearts are than other suits.

    Passes: one card after another: queen, king and ace of spades unless guarded, then the card of
        the highest rank, less something for each lower card of its suit, more where the whole suit
        can be passed. Spades under the queen stay.
    Plays: as QueenCarer.
    Uses: as QueenCarer.
    """

    def __init__(self, guards=4, short=3.0, cover=1.0, hearts=2.0):
        self.weights = (guards, short, cover, hearts)

    def choose_pass(self, view):
        return plan_pass(view, *self.weights)

    def choose_card(self, view):
        if view.trick_size == 0:
            return flusher(view) or min(view.legal, key=lead_order)
        return throw(view) if is_void(view) else follow(view)
