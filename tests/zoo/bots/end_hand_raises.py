"""Has a bug where nothing is to be decided."""

from hearts_sim import Strategy


class EndHandRaises(Strategy):
    """Raises when a hand was scored, from a hand on."""

    def __init__(self, hand=1):
        self.hand = hand

    def choose_card(self, view):
        return view.legal.lowest()

    def end_hand(self, view):
        if view.hand_number >= self.hand:
            raise ZeroDivisionError("average of no tricks")
