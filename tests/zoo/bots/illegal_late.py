"""Plays illegal cards, but not at once."""

from hearts_sim.cards import CARDS

from ._late import _Late


class IllegalLate(_Late):
    """Plays a card that it may not, from the second hand on."""

    def __init__(self, hand=2, trick=1):
        super().__init__(hand, trick)

    def misbehave(self, view):
        return next(card for card in CARDS if card not in view.legal)
