"""A player that empties a suit, so that it can throw cards away."""

from hearts_sim import Strategy

from ._danger import danger, duck, is_void


class VoidMaker(Strategy):
    """Empties its shortest suit to be able to throw dangerous cards early.

    Passes: its shortest suit from the top, then the next shortest.
    Plays: leads the lowest card of its shortest suit; follows with the highest card that does not
        win, or its lowest; void, throws the queen of spades, then hearts from the top, then the
        highest ranks.
    Uses: the hand, the legal cards and the card that wins the trick so far.
    """

    def choose_pass(self, view):
        length = lengths(view)
        by_length = sorted(view.legal, key=lambda card: (length[card.suit], card.suit, -card.rank))
        return by_length[: view.pass_count]

    def choose_card(self, view):
        if view.trick_size == 0:
            length = lengths(view)
            return min(view.legal, key=lambda card: (length[card.suit], card.rank))
        if is_void(view):
            return max(view.legal, key=danger)
        return duck(view)


def lengths(view):
    """Number of cards in the hand, by suit."""
    return [len(view.hand.suit(suit)) for suit in range(4)]
