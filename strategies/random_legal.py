"""Players that choose at random: the bottom of every ranking and the measure of speed."""

from hearts_sim.strategy.base import CompiledStrategy, Strategy
from hearts_sim.strategy.toolkit import bit, random_card


class RandomLegal(CompiledStrategy):
    """Passes and plays at random.

    Passes: three random cards.
    Plays: a random legal card.
    Uses: the legal cards only. Compiled.
    """

    @staticmethod
    def choose_pass(view):
        chosen = 0
        for _ in range(view.pass_count):
            chosen |= bit(random_card(view, view.legal & ~chosen))
        return chosen

    @staticmethod
    def choose_card(view):
        return random_card(view, view.legal)


class RandomLegalPython(Strategy):
    """Passes and plays at random, in plain Python.

    Passes: three random cards.
    Plays: a random legal card.
    Uses: the legal cards only.
    """

    def choose_pass(self, view):
        return self.rng.sample(list(view.legal), view.pass_count)

    def choose_card(self, view):
        return self.rng.choice(list(view.legal))
