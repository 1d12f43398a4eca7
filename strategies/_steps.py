"""What the rungs of the ladder add to each other: each function is one habit of a player."""

from hearts_sim import CardSet
from hearts_sim.cards import (
    ACE_OF_SPADES,
    HEARTS,
    KING_OF_SPADES,
    QUEEN_OF_SPADES,
    SPADES,
)

from ._danger import danger, duck

QUEEN = CardSet.of(QUEEN_OF_SPADES)
CATCHERS = CardSet.of(KING_OF_SPADES, ACE_OF_SPADES)


def is_last(view):
    """Whether one plays the last card of the trick."""
    return view.trick_size == view.players - 1


def is_harmless(view):
    """Whether no points can come with the trick that one is about to play to.

    One plays last and there are none in it, or it is a first trick to which none may be thrown.
    """
    if view.trick_points:
        return False
    barred = view.trick_number == 1 and view.rules.first_trick_points != "free"
    return is_last(view) or barred


def follow(view):
    """While following suit: the highest card where it costs nothing, else stay under the trick.

    A trick that one must take as the last is taken with the highest card, too. The queen of spades
    is kept out of both.
    """
    cheap = view.legal - view.point_cards
    if cheap and is_harmless(view):
        return cheap.highest()
    if is_last(view) and not view.legal.below(view.winning_card):
        return (view.legal - QUEEN or view.legal).highest()
    return duck(view)


def queen_is_out(view):
    """Whether another seat still holds the queen of spades."""
    return QUEEN_OF_SPADES in view.unseen


def low_spades(hand):
    """The spades under the queen: she and those that catch her hide behind them."""
    return hand.suit(SPADES).below(QUEEN_OF_SPADES)


def flusher(view):
    """A spade to lead so that the queen must come out, None when it is not the time for it."""
    spades = view.legal.suit(SPADES)
    low = low_spades(spades)
    if not low or not queen_is_out(view) or spades & CATCHERS:
        return None
    return low.highest()


def lead_order(card):
    """Order of leading: by rank, with the queen of spades and what catches her last."""
    return card >= QUEEN_OF_SPADES and card.suit == SPADES, card.rank


def throw(view):
    """When void: the queen of spades, king and ace while she is out, then the most dangerous."""
    if QUEEN_OF_SPADES in view.legal:
        return QUEEN_OF_SPADES
    catchers = view.legal & CATCHERS
    if catchers and queen_is_out(view):
        return catchers.highest()
    return max(view.legal, key=danger)


def plan_pass(view, guards, short, cover, hearts):
    """Choose the cards to pass one after another, each for the hand that is left by then.

    See `ShortPasser` for the weights.
    """
    safe = len(low_spades(view.hand)) >= guards
    hand, legal, chosen = view.hand, view.legal, []

    def urgency(card):
        if card.suit == SPADES:
            return 100 + card if card >= QUEEN_OF_SPADES and not safe else -100
        suit = hand.suit(card.suit)
        danger = card.rank - cover * len(suit.below(card))
        if card.suit == HEARTS:
            return danger + hearts
        return danger + short * (len(chosen) + len(suit) <= view.pass_count)

    while len(chosen) < view.pass_count:
        chosen.append(max(legal, key=urgency))
        hand, legal = hand - CardSet.of(chosen[-1]), legal - CardSet.of(chosen[-1])
    return chosen
