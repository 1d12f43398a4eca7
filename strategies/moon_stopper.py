"""A player that does not let others shoot the moon."""

from hearts_sim import CompiledStrategy
from hearts_sim.strategy.toolkit import memory, options

from ._moons import goes_for_moon, strongest_card
from ._weighing import MEMORY, best_card, best_pass
from ._weights import STOPPING


class MoonStopper(CompiledStrategy):
    """Takes points itself, or gives them to a third seat, when one seat has them all.

    The options are the weights in ``_weights.py``.

    Passes: as MoonSeeker.
    Plays: as MoonSeeker; while another seat alone has points, it counts a trick with points as
        worth taking, a heart in another one's trick as worth giving, and a card that can still win
        a trick as worth keeping, the more the more points are gone.
    Uses: as MoonSeeker. Compiled, with the same memory.
    """

    options = STOPPING
    memory_words = MEMORY

    @staticmethod
    def choose_pass(view):
        return best_pass(view, options(view))

    @staticmethod
    def choose_card(view):
        weights, own = options(view), memory(view)
        own[0] = goes_for_moon(view, weights, own[0])
        return strongest_card(view) if own[0] else best_card(view, weights)
