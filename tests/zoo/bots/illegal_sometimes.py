"""Plays illegal cards in some games."""

from hearts_sim.cards import CARDS

from ._late import _Late


class IllegalSometimes(_Late):
    """Plays one card that it may not, in about one game of ten."""

    def __init__(self, rate=0.1, hand=1, trick=1):
        super().__init__(hand, trick)
        self.bad = self.rng.random() < rate

    def misbehave(self, view):
        if self.bad:
            self.bad = False
            return next(card for card in CARDS if card not in view.legal)
        return view.legal.lowest()
