"""A player that gets rid of high cards where they cost nothing."""

from hearts_sim import Strategy

from ._danger import danger, is_void, most_dangerous, rank
from ._steps import follow


class LastSeat(Strategy):
    """Takes a trick that brings no points with its highest card.

    Passes: the queen of spades, then hearts from the top, then the highest ranks.
    Plays: leads its lowest rank; as the last of a trick without points, or in a first trick to
        which none may be thrown, follows with its highest card; takes a trick that it must take as
        the last with its highest card; else follows with the highest card that does not win; void,
        throws what it would pass.
    Uses: the legal cards, the trick and its points, its place in the trick.
    """

    def choose_pass(self, view):
        return most_dangerous(view.legal, view.pass_count)

    def choose_card(self, view):
        if view.trick_size == 0:
            return min(view.legal, key=rank)
        if is_void(view):
            return max(view.legal, key=danger)
        return follow(view)
