"""Cannot count."""

from hearts_sim import Strategy


class WrongPassCount(Strategy):
    """Passes more cards than it shall, from a hand on; or fewer, with `extra` below zero."""

    def __init__(self, hand=1, extra=1):
        self.hand, self.extra = hand, extra

    def choose_pass(self, view):
        cards = sorted(view.legal, key=lambda card: (card.rank, card.suit), reverse=True)
        extra = self.extra if view.hand_number >= self.hand else 0
        return cards[: view.pass_count + extra]

    def choose_card(self, view):
        return view.legal.lowest()
