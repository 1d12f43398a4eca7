"""A player that stays just under every trick."""

from hearts_sim import Strategy

from ._danger import danger, duck, is_void, most_dangerous, rank


class TrickDucker(Strategy):
    """Follows with the highest card that does not win.

    Passes: the queen of spades, then hearts from the top, then the highest ranks.
    Plays: leads its lowest rank; follows with the highest card under the winning one, or its lowest
        when all would win; void, throws what it would pass.
    Uses: the legal cards and the card that wins the trick so far.
    """

    def choose_pass(self, view):
        return most_dangerous(view.legal, view.pass_count)

    def choose_card(self, view):
        if view.trick_size == 0:
            return min(view.legal, key=rank)
        if is_void(view):
            return max(view.legal, key=danger)
        return duck(view)
