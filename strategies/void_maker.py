"""A player that empties a suit, so that it can throw cards away."""

from hearts_sim import Strategy

from ._danger import danger, is_void, rank


class VoidMaker(Strategy):
    """Empties its shortest suit to be able to throw dangerous cards early.

    Passes: its shortest suit from the top, then the next shortest.
    Plays: leads the lowest card of its shortest suit; follows with its lowest; void, throws the
        queen of spades, then hearts from the top, then the highest ranks.
    Uses: the hand, the legal cards and the led suit.
    """

    def choose_pass(self, view):
        def shortness(card):
            return len(view.hand.suit(card.suit)), card.suit, -card.rank

        return sorted(view.legal, key=shortness)[: view.pass_count]

    def choose_card(self, view):
        def shortness(card):
            return len(view.hand.suit(card.suit)), card.rank

        if view.trick_size == 0:
            return min(view.legal, key=shortness)
        if is_void(view):
            return max(view.legal, key=danger)
        return min(view.legal, key=rank)
