"""A player that counts the cards that are still out before it leads."""

from hearts_sim import Strategy

from ._danger import is_void
from ._steps import flusher, follow, lead_order, plan_pass, throw


class SafeLeader(Strategy):
    """Counts the cards of a suit that are out, and leads what somebody must beat.

    The options are those of ShortPasser, and ``few``: with fewer cards of a suit than that unseen,
    its cards count ``worn`` ranks more when it chooses a lead, since others are void.

    Passes: as ShortPasser.
    Plays: leads its highest spade under the queen as QueenCarer does, else the lowest rank of the
        cards that an unseen card beats, of suits that are nearly played out last; else as
        QueenCarer.
    Uses: as QueenCarer, and the unseen cards.
    """

    def __init__(self, guards=4, short=3.0, cover=1.0, hearts=2.0, few=4, worn=2.0):
        self.weights = (guards, short, cover, hearts)
        self.few, self.worn = few, worn

    def choose_pass(self, view):
        return plan_pass(view, *self.weights)

    def choose_card(self, view):
        if view.trick_size == 0:
            return flusher(view) or self.best_lead(view)
        return throw(view) if is_void(view) else follow(view)

    def best_lead(self, view):
        """The lowest card that somebody can beat, in a suit that others still hold."""
        unseen = view.unseen

        def risk(card):
            others = unseen.suit(card.suit)
            catches_queen, rank = lead_order(card)
            worn_out = self.worn * (len(others) < self.few)
            return not others.above(card), catches_queen, rank + worn_out

        return min(view.legal, key=risk)
