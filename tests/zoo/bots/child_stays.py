"""Leaves something behind."""

import subprocess

from ._late import _Late


class ChildStays(_Late):
    """Starts a program in a session of its own, once in each process; plays well.

    The program has the same standard streams, and ends long after everything else.
    """

    children = []

    def start_game(self, view):
        if not self.children:
            self.children.append(subprocess.Popen(["sleep", "1000"], start_new_session=True))

    def misbehave(self, view):
        return view.legal.lowest()
