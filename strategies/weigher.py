"""A player that weighs every card instead of following rules of thumb."""

from hearts_sim import CompiledStrategy
from hearts_sim.strategy.toolkit import options

from ._weighing import MEMORY, best_card, best_pass
from ._weights import WEIGHING


class Weigher(CompiledStrategy):
    """Weighs the points that a card may cost now against those that it would cost later.

    The options are the weights in ``_weights.py``.

    Passes: one after another the cards that are dearest to keep, gladly those of a suit that can be
        emptied.
    Plays: the card with the best balance of the points that it is likely to cost in a later trick
        and those that come with it now, from the chances that each seat that still plays can beat
        it, must follow or throws something.
    Uses: the hand, the unseen cards, the voids shown, how many cards each seat has, who plays after
        it, the trick, the cost of cards. Compiled; its memory is the losses of a suit's cards.
    """

    options = WEIGHING
    memory_words = MEMORY

    @staticmethod
    def choose_pass(view):
        return best_pass(view, options(view))

    @staticmethod
    def choose_card(view):
        return best_card(view, options(view))
