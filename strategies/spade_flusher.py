"""A player that makes somebody else play the queen of spades."""

from hearts_sim import Strategy
from hearts_sim.cards import QUEEN_OF_SPADES, SPADES

from ._danger import danger, duck, is_void, rank


class SpadeFlusher(Strategy):
    """Leads low spades until the queen has been played.

    Passes: the queen, king and ace of spades, then the highest ranks, and spades under the queen
        last.
    Plays: leads its highest spade under the queen while another seat holds her, else its lowest
        rank; follows with the highest card that does not win, or its lowest; void, throws the
        queen, then hearts from the top, then the highest ranks.
    Uses: the legal cards, the card that wins so far, whether another seat still holds the queen.
    """

    def choose_pass(self, view):
        return sorted(view.legal, key=unfit_for_flushing, reverse=True)[: view.pass_count]

    def choose_card(self, view):
        if is_void(view):
            return max(view.legal, key=danger)
        if view.trick_size > 0:
            return duck(view)
        flushers = view.legal.suit(SPADES).below(QUEEN_OF_SPADES)
        if flushers and QUEEN_OF_SPADES in view.unseen:
            return flushers.highest()
        return min(view.legal, key=rank)


def unfit_for_flushing(card):
    """High spades would catch the queen oneself, low ones drive her out."""
    if card.suit == SPADES:
        return 100 - card.rank if card >= QUEEN_OF_SPADES else card.rank - 100
    return card.rank
