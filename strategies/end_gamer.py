"""A player that looks at the totals of the game."""

from hearts_sim import CompiledStrategy
from hearts_sim.strategy.toolkit import memory, options

from ._moons import goes_for_moon, strongest_card
from ._weighing import MEMORY, best_card, best_pass
from ._weights import ENDING


class EndGamer(CompiledStrategy):
    """Gives its points to the seat that it wants to have them, the more the nearer the end is.

    The options are the weights in ``_weights.py``.

    Passes: as MoonStopper.
    Plays: as MoonStopper; of the points that it throws, those count as a gain that end the game
        while it leads, or that hurt the leader while it does not, and those as a loss that would
        end the game while it is behind.
    Uses: as MoonStopper, and the totals of the game and its target. Compiled, with the same memory.
    """

    options = ENDING
    memory_words = MEMORY

    @staticmethod
    def choose_pass(view):
        return best_pass(view, options(view))

    @staticmethod
    def choose_card(view):
        weights, own = options(view), memory(view)
        own[0] = goes_for_moon(view, weights, own[0])
        return strongest_card(view) if own[0] else best_card(view, weights)
