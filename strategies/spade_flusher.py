"""A player that makes somebody else play the queen of spades."""

from hearts_sim import Strategy
from hearts_sim.cards import ACE_OF_SPADES, KING_OF_SPADES, QUEEN_OF_SPADES, SPADES

from ._danger import danger, duck, is_void, most_dangerous, rank


class SpadeFlusher(Strategy):
    """Leads low spades until the queen has been played.

    Passes: the queen, king and ace of spades, then the most dangerous, but no spade under the queen
        while it has other cards.
    Plays: leads its highest spade under the queen while another seat holds her, else its lowest
        rank; follows with the highest card that does not win; void, throws the queen, then king
        and ace of spades while she is out, then hearts from the top, then the highest ranks.
    Uses: the hand, the legal cards, the card that wins so far and which cards are unseen.
    """

    def choose_pass(self, view):
        high = [c for c in (QUEEN_OF_SPADES, KING_OF_SPADES, ACE_OF_SPADES) if c in view.legal]
        low = view.legal.suit(SPADES).below(QUEEN_OF_SPADES)
        rest = most_dangerous(view.legal.below(QUEEN_OF_SPADES) - low, 13)
        hearts = list(view.legal.suit("H"))[::-1]
        return (high + hearts + rest + list(low)[::-1])[: view.pass_count]

    def choose_card(self, view):
        queen_is_out = QUEEN_OF_SPADES in view.unseen
        if view.trick_size == 0:
            flushers = view.legal.suit(SPADES).below(QUEEN_OF_SPADES)
            if queen_is_out and flushers:
                return flushers.highest()
            return min(view.legal, key=rank)
        if not is_void(view):
            return duck(view)
        catchers = view.legal.suit(SPADES).above(QUEEN_OF_SPADES)
        if queen_is_out and catchers:
            return catchers.highest()
        return max(view.legal, key=danger)
