"""A player that remembers every card."""

from hearts_sim import Strategy
from hearts_sim.cards import ACE_OF_SPADES, KING_OF_SPADES, QUEEN_OF_SPADES

from ._danger import duck, is_void, most_dangerous


class CardCounter(Strategy):
    """Counts which cards are still out, and plays those that somebody must beat.

    Passes: the queen of spades, then hearts from the top, then the highest ranks.
    Plays: leads the card that most of its suit's unseen cards beat; follows with the highest card
        that does not win, but takes a trick that can bring no points with its highest; void, throws
        the queen, then the king and ace that could catch her, then the card that fewest beat.
    Uses: the hand, the legal cards, the unseen cards, the trick and its points.
    """

    def choose_pass(self, view):
        return most_dangerous(view.legal, view.pass_count)

    def choose_card(self, view):
        unseen = view.unseen
        if view.trick_size == 0:
            return max(view.legal, key=lambda card: chance_to_lose(card, unseen))
        if is_void(view):
            return max(view.legal, key=lambda card: burden(card, unseen))
        return self.follow(view, unseen)

    def follow(self, view, unseen):
        """A card of the led suit."""
        behind = view.players - 1 - view.trick_size
        all_can_follow = len(unseen.suit(view.led_suit)) >= 2 * view.players
        no_points = view.trick_points == 0 and not view.legal & view.point_cards
        catches_queen = QUEEN_OF_SPADES in unseen and view.legal.highest() > QUEEN_OF_SPADES
        if no_points and (behind == 0 or (all_can_follow and not catches_queen)):
            return view.legal.highest()
        return duck(view)


def chance_to_lose(card, unseen):
    """Share of the unseen cards of its suit that beat a card; a suit that nobody has is bad."""
    suit = unseen.suit(card.suit)
    return len(suit.above(card)) / len(suit) if suit else -1.0


def burden(card, unseen):
    """How gladly a card is thrown away: the larger, the sooner."""
    if card == QUEEN_OF_SPADES:
        return 3.0
    if card in (KING_OF_SPADES, ACE_OF_SPADES) and QUEEN_OF_SPADES in unseen:
        return 2.0
    return -chance_to_lose(card, unseen) + card.rank / 100
