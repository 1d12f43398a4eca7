"""Wants to know the cards in advance."""

import gc
import os
import sys

from ._late import _Late


class SeedThief(_Late):
    """Looks for seeds in arguments, environment, frames and all objects; plays well.

    Once per game, and `found` has what it saw last.
    """

    found = ()

    def misbehave(self, view):
        if "looked" not in vars(self):
            self.looked = True
            type(self).found = (*from_process(), *from_frames(), *from_objects())
        return view.legal.lowest()


def from_process():
    """Words that follow a --seed, and variables that are called so."""
    arguments = [*sys.argv, ""]
    after = [arguments[at + 1] for at, word in enumerate(arguments) if word == "--seed"]
    return after + [value for name, value in os.environ.items() if "SEED" in name.upper()]


def from_frames():
    """Values of that name in the functions that called."""
    frame, values = sys._getframe(1), []
    while frame is not None:
        values += [value for name, value in frame.f_locals.items() if "seed" in name]
        frame = frame.f_back
    return values


def from_objects():
    """Values of that name in all dictionaries that there are."""
    found = (one for one in gc.get_objects() if type(one) is dict)
    return [one["seed"] for one in found if isinstance(one.get("seed"), int)]
