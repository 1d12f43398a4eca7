"""A player that knows which cards are bad, and nothing else."""

from hearts_sim import Strategy

from ._danger import danger, is_void, most_dangerous, rank


class Cautious(Strategy):
    """Throws its most dangerous card whenever it cannot follow suit.

    Passes: the queen of spades, then hearts from the top, then the highest ranks.
    Plays: its lowest rank; void, throws what it would pass.
    Uses: the legal cards and the led suit.
    """

    def choose_pass(self, view):
        return most_dangerous(view.legal, view.pass_count)

    def choose_card(self, view):
        return max(view.legal, key=danger) if is_void(view) else min(view.legal, key=rank)
