"""Never answers, and lets nobody else run."""

from ._late import _Late


class CLoop(_Late):
    """Calls a function in C that takes hours, holds the interpreter and looks for no signal."""

    def misbehave(self, view):
        sum(range(10**12))
        return view.legal.lowest()
