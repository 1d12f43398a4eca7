"""A player that cares for the queen of spades: its own, and that of others."""

from hearts_sim import Strategy
from hearts_sim.cards import QUEEN_OF_SPADES, SPADES

from ._danger import danger, is_void
from ._steps import flusher, follow, lead_order, low_spades, throw


class QueenCarer(Strategy):
    """Hides high spades behind low ones, and else gets rid of them; flushes out the queen.

    The option ``guards`` is the number of spades under the queen that protect those above.

    Passes: queen, king and ace of spades unless enough lower spades guard them, then hearts from
        the top, then the highest ranks; low spades last.
    Plays: leads its highest spade under the queen while another seat holds her and it has neither
        king nor ace, else its lowest rank, spades from the queen up last; follows as LastSeat;
        void, throws the queen, then ace and king of spades while she is out, then hearts from the
        top, then the highest ranks.
    Uses: the hand, the legal cards, the trick and its points, its place in the trick, whether
        another seat still holds the queen.
    """

    def __init__(self, guards=6):
        self.guards = guards

    def choose_pass(self, view):
        safe = len(low_spades(view.hand)) >= self.guards

        def urgency(card):
            if card.suit != SPADES:
                return danger(card)
            return 200 + danger(card) if card >= QUEEN_OF_SPADES and not safe else card.rank - 100

        return sorted(view.legal, key=urgency, reverse=True)[: view.pass_count]

    def choose_card(self, view):
        if view.trick_size == 0:
            return flusher(view) or min(view.legal, key=lead_order)
        return throw(view) if is_void(view) else follow(view)
