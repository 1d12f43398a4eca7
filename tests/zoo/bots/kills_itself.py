"""Leaves by force."""

import os
import signal

from ._late import _Late


class KillsItself(_Late):
    """Sends its process a signal that cannot be caught."""

    def misbehave(self, view):
        os.kill(os.getpid(), signal.SIGKILL)
