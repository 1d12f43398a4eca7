"""Has a bug."""

from ._late import _Late


class Raises(_Late):
    """Raises an exception."""

    def misbehave(self, view):
        raise ValueError(f"no idea what to do with {len(view.hand)} cards")
