"""A player that looks further than the next card."""

from hearts_sim import CompiledStrategy
from hearts_sim.search import fallback, pass_search, settings, tree


class TreeSearcher(CompiledStrategy):
    """Grows a tree of what everybody may play, in one possible world after another.

    Passes: as PassSearcher.
    Plays: the card that information set Monte Carlo tree search goes through most, in which
        everybody looks for his own best.
    Uses: all that its seat has seen, and who else may hold what. Options are those of
        `hearts_sim.search.settings`. Where a card may be there twice it plays as AllRound.
    """

    options = settings.OPTIONS
    memory_words = settings.MEMORY_WORDS
    uses_clock = "seconds"
    with_two_packs = settings.WITH_TWO_PACKS

    @staticmethod
    def start_game(view):
        fallback.start_game(view)

    @staticmethod
    def choose_pass(view):
        return pass_search.pass_by_playouts(view)

    @staticmethod
    def choose_card(view):
        return tree.card_by_tree(view)
