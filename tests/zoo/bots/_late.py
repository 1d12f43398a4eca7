"""What the animals have in common: they behave well until a chosen moment."""

from hearts_sim import Strategy


class _Late(Strategy):
    """Plays its lowest card, and misbehaves from a trick of a hand on.

    Parameters
    ----------
    hand, trick : int
        From this trick of this hand of each game on.
    """

    def __init__(self, hand=1, trick=1):
        self.hand, self.trick = hand, trick

    def choose_card(self, view):
        if (view.hand_number, view.trick_number) < (self.hand, self.trick):
            return view.legal.lowest()
        return self.misbehave(view)

    def misbehave(self, view):
        """Answer badly, or never."""
        raise NotImplementedError
