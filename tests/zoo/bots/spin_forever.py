"""Never answers."""

from ._late import _Late


class SpinForever(_Late):
    """Runs in a circle."""

    def misbehave(self, view):
        while True:
            pass
