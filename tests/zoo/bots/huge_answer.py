"""Says too much."""

from ._late import _Late


class HugeAnswer(_Late):
    """Answers with a list of a million cards, or a text of ten million characters."""

    def __init__(self, hand=1, trick=1, text=False):
        super().__init__(hand, trick)
        self.text = text

    def misbehave(self, view):
        return "Q" * 10**7 if self.text else list(view.legal)[:1] * 10**6
