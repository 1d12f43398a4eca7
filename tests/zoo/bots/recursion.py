"""Falls into a hole."""

from ._late import _Late


class Recursion(_Late):
    """Calls itself without end."""

    def misbehave(self, view):
        return self.misbehave(view)
