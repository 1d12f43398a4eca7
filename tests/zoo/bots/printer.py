"""Talks while it plays."""

import os

from ._late import _Late


class Printer(_Late):
    """Prints, and writes bytes that are no text to the standard output; plays well."""

    def misbehave(self, view):
        print(f"I hold {view.hand}")
        os.write(1, b"\x00\xff\xfe{\n")
        return view.legal.lowest()
