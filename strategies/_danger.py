"""What several players share: how dangerous a card is, and how to stay under a trick."""

from hearts_sim.cards import HEARTS, QUEEN_OF_SPADES


def danger(card):
    """How dangerous a card is to hold: the queen of spades, then hearts by rank, then the rank."""
    if card == QUEEN_OF_SPADES:
        return 200
    if card.suit == HEARTS:
        return 100 + card.rank
    return card.rank


def most_dangerous(cards, number):
    """The most dangerous of some cards, the worst first."""
    return sorted(cards, key=danger, reverse=True)[:number]


def rank(card):
    """Rank of a card, as a key for ``min`` and ``max``."""
    return card.rank


def is_void(view):
    """Whether one cannot follow suit: there is a lead, and no card of its suit in the hand."""
    return view.trick_size > 0 and not view.hand.suit(view.led_suit)


def duck(view):
    """While following suit: the highest card that does not win the trick, else the lowest."""
    under = view.legal.below(view.winning_card)
    return under.highest() if under else view.legal.lowest()
