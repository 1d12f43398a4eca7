"""Never plays a legal card."""

from hearts_sim import Strategy
from hearts_sim.cards import CARDS


class IllegalNow(Strategy):
    """Plays a card that it may not, always."""

    def choose_card(self, view):
        return next(card for card in CARDS if card not in view.legal)
