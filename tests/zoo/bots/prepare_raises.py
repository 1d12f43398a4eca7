"""Cannot prepare."""

from hearts_sim import Strategy


class PrepareRaises(Strategy):
    """Raises before the first game."""

    @classmethod
    def prepare(cls, options):
        raise FileNotFoundError("the weights are missing")

    def choose_card(self, view):
        return view.legal.lowest()
