"""Cannot be made."""

from hearts_sim import Strategy


class InitRaises(Strategy):
    """Raises in its constructor, at the start of every game."""

    def __init__(self):
        raise KeyError("weights")

    def choose_card(self, view):
        return view.legal.lowest()
