"""A player that goes for every point when its cards allow it."""

from hearts_sim import Strategy
from hearts_sim.cards import HEARTS

from ._danger import danger, duck, is_void, most_dangerous, rank


class MoonShooter(Strategy):
    """Tries to take all the points when it holds enough high cards, and ducks otherwise.

    The option ``winners`` is the number of cards that must be sure to win before it tries.

    Passes: with a strong hand its lowest ranks, else the most dangerous cards.
    Plays: on the way to the moon, leads cards that nobody can beat, takes every trick that it can
        and throws its lowest cards; when another seat has taken a point, or without the cards for
        it, ducks.
    Uses: the hand, the legal cards, the unseen cards, the points of every seat and the trick.
    """

    def __init__(self, winners=6):
        self.winners = winners
        self.shooting = False

    def start_hand(self, view):
        self.shooting = view.rules.moon != "off" and is_strong(view, self.winners)

    def choose_pass(self, view):
        if self.shooting:
            return sorted(view.legal, key=rank)[: view.pass_count]
        return most_dangerous(view.legal, view.pass_count)

    def choose_card(self, view):
        if view.trick_number == 1:
            self.shooting = view.rules.moon != "off" and is_strong(view, self.winners)
        if sum(view.points) > view.points[view.seat]:
            self.shooting = False
        return self.shoot(view) if self.shooting else self.avoid(view)

    def shoot(self, view):
        """Take the trick, or keep the cards that will take others."""
        if view.trick_size == 0:
            return max(view.legal, key=lambda card: (is_winner(card, view.unseen), card.rank))
        if is_void(view):
            return min(view.legal, key=lambda card: (card.suit == HEARTS, card.rank))
        last = view.trick_size == view.players - 1
        over = view.legal.above(view.winning_card)
        if not over:
            return view.legal.lowest()
        return over.lowest() if last else over.highest()

    def avoid(self, view):
        """Stay under every trick."""
        if view.trick_size == 0:
            return min(view.legal, key=rank)
        if is_void(view):
            return max(view.legal, key=danger)
        return duck(view)


def is_winner(card, unseen):
    """Whether no card that is still out beats a card."""
    return not unseen.suit(card.suit).above(card)


def is_strong(view, winners):
    """Whether a hand has enough winners, and no hearts that must lose."""
    found = 0
    for suit in range(4):
        mine, others = view.hand.suit(suit), view.unseen.suit(suit)
        top = sum(is_winner(card, others) for card in mine)
        # Behind three winners the small cards of a long suit win as well.
        found += len(mine) if top >= 3 and len(mine) >= 5 else top
        if suit == HEARTS and mine and not top:
            return False
    return found >= winners
