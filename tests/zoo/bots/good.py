"""What every animal of the zoo is before it misbehaves."""

from hearts_sim import Strategy


class Good(Strategy):
    """Plays its lowest card and passes the highest ranks."""

    def __init__(self, hand=1, trick=1):
        """Takes what the others take, and makes nothing of it."""

    def choose_card(self, view):
        return view.legal.lowest()
