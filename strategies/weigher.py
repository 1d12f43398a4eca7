"""W"""

from hearts_sim import CompiledStrategy
from hearts_sim.strategy.toolkit import count, lowest, memory, options

from ._moons import goes_for_moon, strongest_card
from ._weighing import MEMORY, best_card, best_pass
from ._weights import WEIGHING


class Weigher(CompiledStrategy):
    """W"""

    options = WEIGHING
    memory_words = MEMORY

    @staticmethod
    def choose_pass(view):
        return best_pass(view, options(view))

    @staticmethod
    def choose_card(view):
        weights = options(view)
        memory(view)[0] = goes_for_moon(view, weights, memory(view)[0])
        if count(view.legal) == 1:
            return lowest(view.legal)
        if memory(view)[0]:
            return strongest_card(view)
        return best_card(view, weights)
