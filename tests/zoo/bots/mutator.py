"""Changes what it is given."""

import contextlib

from hearts_sim import CardSet
from hearts_sim.cards import QUEEN_OF_SPADES
from hearts_sim.engine.layout import VIEW

from ._late import _Late


def set_hand(view):
    view.hand |= CardSet.of("QS")


def set_scores(view):
    view.scores = (0,) * 4


def set_score(view):
    view.scores[0] = -100


def set_new(view):
    view.stolen = 1


def force_hand(view):
    object.__setattr__(view, "hand", CardSet.of("2C"))


def force_players(view):
    object.__setattr__(view, "players", 3)


def set_word(view):
    view._words[3] = 0


def force_words(view):
    words = view._words
    try:
        object.__setattr__(view, "_words", memoryview(bytes(words.nbytes)).cast("q"))
    finally:
        object.__setattr__(view, "_words", words)


def release_words(view):
    view._words[:1].release()


def set_rules(view):
    view.rules.players = 3


def set_cards(view):
    view.rules.cards[QUEEN_OF_SPADES] = 0


def write_below(view):
    """The table itself, under the view: none of the tricks were its own."""
    below = memoryview(view._words.obj).cast("B").cast("q")
    for field in ("points", "taken", "tricks_won"):
        below[VIEW.fields[field][1] // 8 + view.seat] = 0


class Mutator(_Late):
    """Tries to write into its view and all that hangs on it; plays well.

    What it manages to change must be its own affair.
    """

    def misbehave(self, view):
        card = view.legal.lowest()
        for change in (
            set_hand,
            set_scores,
            set_score,
            set_new,
            force_hand,
            force_players,
            set_word,
            force_words,
            release_words,
            set_rules,
            set_cards,
            write_below,
        ):
            with contextlib.suppress(Exception):
                change(view)
        with contextlib.suppress(Exception):
            self.rng.seed(0)
        return card
