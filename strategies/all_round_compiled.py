"""The compiled twin of `AllRound`, for many games."""

from hearts_sim import CompiledStrategy
from hearts_sim.search import all_round


class AllRoundCompiled(CompiledStrategy):
    """Weighs what a card may cost now against what it may cost later, compiled.

    Passes: as AllRound, card by card.
    Plays: as AllRound, card by card.
    Uses: as AllRound: the hand, the unseen cards, the voids shown, the trick, the points, the cost
        of cards and the rules. Compiled; its memory is whether it is shooting the moon, and what
        the cards are worth to it.
    """

    memory_words = all_round.MEMORY_WORDS

    @staticmethod
    def start_game(view):
        all_round.start_game(view)

    @staticmethod
    def choose_pass(view):
        return all_round.choose_pass(view)

    @staticmethod
    def choose_card(view):
        return all_round.choose_card(view)
