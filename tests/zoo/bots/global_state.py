"""Is not the same in every process."""

from ._late import _Late


class GlobalState(_Late):
    """Counts its decisions over all games and seats, and lets that choose its card."""

    decisions = 0

    def misbehave(self, view):
        type(self).decisions += 1
        cards = list(view.legal)
        return cards[self.decisions % len(cards)]
