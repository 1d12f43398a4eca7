"""The opposite of LowCard."""

from hearts_sim import Strategy

from ._danger import rank


class HighCard(Strategy):
    """Always plays its highest legal card: how not to play, unless the highest total wins.

    Passes: its lowest ranks.
    Plays: the highest legal rank.
    Uses: the legal cards only.
    """

    def choose_pass(self, view):
        return sorted(view.legal, key=rank)[: view.pass_count]

    def choose_card(self, view):
        return max(view.legal, key=rank)
