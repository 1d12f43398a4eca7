"""Forgets to answer."""

from ._late import _Late


class WrongType(_Late):
    """Returns None."""

    def misbehave(self, view):
        return None
