"""Crashes."""

import ctypes

from ._late import _Late


class Segfault(_Late):
    """Reads at address 0."""

    def misbehave(self, view):
        ctypes.string_at(0)
