"""Leaves politely."""

import sys

from ._late import _Late


class SysExit(_Late):
    """Calls sys.exit."""

    def misbehave(self, view):
        sys.exit("I have had enough")
