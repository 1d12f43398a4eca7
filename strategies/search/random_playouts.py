"""A player that tries every card in hidden hands that could be."""

from hearts_sim import CompiledStrategy
from hearts_sim.search import fallback, monte_carlo, settings


class RandomPlayouts(CompiledStrategy):
    """Plays every card out at random in many possible worlds, and takes the best.

    Passes: as AllRound.
    Plays: deals the hidden cards in many ways that agree with all it has seen, plays every legal
        card out at random in each, and takes the card with the best mean result.
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
        return fallback.habitual_pass(view)

    @staticmethod
    def choose_card(view):
        return monte_carlo.card_by_playouts(view, False)
