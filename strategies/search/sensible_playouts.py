"""A player that lets everybody play sensibly in its playouts."""

from hearts_sim import CompiledStrategy
from hearts_sim.search import fallback, monte_carlo, settings


class SensiblePlayouts(CompiledStrategy):
    """Plays every card out in many possible worlds, where everybody plays by good habits.

    Passes: as AllRound.
    Plays: as RandomPlayouts, but in the playouts everybody ducks, counts, and shoots and stops
        moons as a fair player does; its own moon is tried as a plan of its own.
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
        return monte_carlo.card_by_playouts(view, True)
