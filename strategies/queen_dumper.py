"""A player that thinks of nothing but the queen of spades."""

from hearts_sim import Strategy
from hearts_sim.cards import ACE_OF_SPADES, KING_OF_SPADES, QUEEN_OF_SPADES

from ._danger import danger, is_void, rank

HIGH_SPADES = (QUEEN_OF_SPADES, KING_OF_SPADES, ACE_OF_SPADES)


class QueenDumper(Strategy):
    """Gets rid of the queen of spades, and of the cards that catch her, at the first chance.

    Passes: queen, king and ace of spades, then hearts from the top, then the highest ranks.
    Plays: its lowest rank; void, throws the queen of spades, then hearts from the top, then the
        highest ranks.
    Uses: the legal cards and the led suit.
    """

    def choose_pass(self, view):
        by_fear = sorted(view.legal, key=fear_of_passing, reverse=True)
        return by_fear[: view.pass_count]

    def choose_card(self, view):
        if is_void(view):
            return max(view.legal, key=danger)
        return min(view.legal, key=rank)


def fear_of_passing(card):
    """High spades before everything else, the queen first of all."""
    if card in HIGH_SPADES:
        return 1000 - card
    return danger(card)
