"""Gives away more than it has."""

from hearts_sim import Strategy


class PassTwice(Strategy):
    """Passes the same card several times, from a hand on."""

    def __init__(self, hand=1):
        self.hand = hand

    def choose_pass(self, view):
        cards = sorted(view.legal, key=lambda card: (card.rank, card.suit), reverse=True)
        if view.hand_number >= self.hand:
            return cards[:1] * view.pass_count
        return cards[: view.pass_count]

    def choose_card(self, view):
        return view.legal.lowest()
