"""A player that shoots the moon when the moon comes near."""

from hearts_sim import CompiledStrategy
from hearts_sim.strategy.toolkit import memory, options

from ._moons import goes_for_moon, strongest_card
from ._weighing import MEMORY, best_card, best_pass
from ._weights import SHOOTING


class MoonSeeker(CompiledStrategy):
    """Shoots the moon when it has all points so far and sure tricks for the others.

    The options are the weights in ``_weights.py``.

    Passes: as Weigher; with enough sure tricks its lowest ranks.
    Plays: as Weigher, until it holds some of the points, nobody else has any, and its hand has
        enough sure tricks and no heart that must lose one; then leads what nobody beats, takes
        every trick that it can and throws harmless cards, until another seat has a point.
    Uses: as Weigher, and the points and cards taken by every seat. Compiled; its memory is whether
        it is shooting the moon, and the losses of a suit's cards.
    """

    options = SHOOTING
    memory_words = MEMORY

    @staticmethod
    def choose_pass(view):
        return best_pass(view, options(view))

    @staticmethod
    def choose_card(view):
        weights, own = options(view), memory(view)
        own[0] = goes_for_moon(view, weights, own[0])
        return strongest_card(view) if own[0] else best_card(view, weights)
