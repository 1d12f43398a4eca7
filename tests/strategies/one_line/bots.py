"""Three bots of one line each that differ from the shipped ones of the name they go by."""

from hearts_sim import Strategy
from hearts_sim.cards import HEARTS, QUEEN_OF_SPADES


def danger(card):
    """The queen of spades, then hearts by rank, then the rank."""
    return card == QUEEN_OF_SPADES, card.suit == HEARTS, card.rank


def by_rank(card):
    """The rank, as a key."""
    return card.rank


def is_void(view):
    """Whether one cannot follow suit."""
    return view.trick_size > 0 and not view.hand.suit(view.led_suit)


class ShortestSuit(Strategy):
    """Passes from its shortest suit, low cards first; throws its most dangerous card when void.

    The published VoidMaker.
    """

    def choose_pass(self, view):
        def length(card):
            return len(view.hand.suit(card.suit)), card.rank

        return sorted(view.legal, key=length)[: view.pass_count]

    def choose_card(self, view):
        return max(view.legal, key=danger) if is_void(view) else min(view.legal, key=by_rank)


class HeartsLast(Strategy):
    """Plays its lowest card that is no heart, and throws its most dangerous card when void.

    The published HeartAvoider.
    """

    def choose_pass(self, view):
        return sorted(view.legal, key=danger)[-view.pass_count :]

    def choose_card(self, view):
        if is_void(view):
            return max(view.legal, key=danger)
        return min(view.legal, key=lambda card: (card.suit == HEARTS, card.rank))


class LowestCard(Strategy):
    """Plays its lowest legal card; of equal ranks, hearts first and clubs last.

    The published LowballBot. It passes its highest cards, of equal ranks clubs first.
    """

    def choose_pass(self, view):
        return sorted(view.legal, key=hearts_first)[-view.pass_count :]

    def choose_card(self, view):
        return min(view.legal, key=hearts_first)


def hearts_first(card):
    """Order by rank, and within a rank from hearts to clubs."""
    return card.rank, -card.suit
