"""A player that remembers every card."""

from hearts_sim import CardSet, Strategy
from hearts_sim.cards import ACE_OF_SPADES, KING_OF_SPADES, QUEEN_OF_SPADES, SPADES

from ._danger import duck, is_void

QUEEN = CardSet.of(QUEEN_OF_SPADES)
BY_SUIT = (0.0, 0.0, -0.3, 0.2)  # low spades are good company for high ones, hearts cost points


class CardCounter(Strategy):
    """Counts which cards are still out, and plays those that somebody must beat.

    Passes: the queen, king and ace of spades, then the cards that the fewest others beat,
        hearts sooner than spades.
    Plays: leads the card that the largest share of its suit's unseen cards beats; follows with the
        highest card that does not win, but takes a trick that will bring no points, or that it
        cannot escape, with its highest; void, throws the queen of spades, then king and ace while
        she is out, then the card that the fewest unseen cards beat, hearts sooner than spades.
    Uses: the hand, the legal cards, the unseen cards, the trick and its points.
    """

    def choose_pass(self, view):
        unseen = view.unseen
        by_burden = sorted(view.legal, key=lambda card: burden(card, unseen), reverse=True)
        return by_burden[: view.pass_count]

    def choose_card(self, view):
        unseen = view.unseen
        if view.trick_size == 0:
            return max(view.legal, key=lambda card: chance_to_lose(card, unseen))
        if is_void(view):
            return max(view.legal, key=lambda card: burden(card, unseen))
        if is_harmless(view, unseen) or is_doomed(view):
            return (view.legal - QUEEN or view.legal).highest()
        return duck(view)


def chance_to_lose(card, unseen):
    """Share of the unseen cards of its suit that beat a card; -1 when the suit is all one's own."""
    suit = unseen.suit(card.suit)
    return len(suit.above(card)) / len(suit) if suit else -1.0


def burden(card, unseen):
    """How gladly a card is given away."""
    if card == QUEEN_OF_SPADES:
        return 3.0
    if card in (KING_OF_SPADES, ACE_OF_SPADES) and QUEEN_OF_SPADES in unseen:
        return 2.0
    return BY_SUIT[card.suit] + card.rank / 100 - chance_to_lose(card, unseen)


def is_harmless(view, unseen):
    """Whether a trick can hardly bring points, so that a high card goes away for nothing."""
    if view.trick_points or view.legal & view.point_cards:
        return False
    if view.trick_size == view.players - 1:
        return True
    catches_queen = view.led_suit == SPADES and QUEEN_OF_SPADES in unseen
    return not catches_queen and len(unseen.suit(view.led_suit)) >= 2 * view.players


def is_doomed(view):
    """Whether one plays last and must take the trick."""
    last = view.trick_size == view.players - 1
    return last and not view.legal.below(view.winning_card)
