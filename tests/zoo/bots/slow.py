"""Takes its time."""

import time

from ._late import _Late


class Slow(_Late):
    """Sleeps before it answers."""

    def __init__(self, hand=1, trick=1, seconds=600.0):
        super().__init__(hand, trick)
        self.seconds = seconds

    def misbehave(self, view):
        time.sleep(self.seconds)
        return view.legal.lowest()
