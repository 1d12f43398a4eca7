"""A player that finds its pass by playouts too."""

from hearts_sim import CompiledStrategy
from hearts_sim.search import fallback, monte_carlo, pass_search, settings


class PassSearcher(CompiledStrategy):
    """Plays out what it could pass as well, hand after hand.

    Passes: what comes out best when some ninety passes are played out in deals that could be.
    Plays: as SensiblePlayouts.
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
        return monte_carlo.card_by_playouts(view, True)
