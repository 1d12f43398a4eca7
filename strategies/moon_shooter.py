"""A player that goes for every point when its cards allow it."""

from hearts_sim import Strategy
from hearts_sim.cards import HEARTS

from ._danger import danger, duck, is_void, most_dangerous, rank


class MoonShooter(Strategy):
    """Tries to take all the points when it holds enough high cards, and ducks otherwise.

    The option ``winners`` is the number of sure tricks that it needs for the attempt.

    Passes: with a strong hand its lowest ranks, else the most dangerous cards.
    Plays: on the way to the moon, leads cards that nobody can beat, takes every trick that it can
        and throws its lowest harmless card. With a weak hand, or once another seat has points, it
        leads low, stays under the winning card and throws what it would pass.
    Uses: the hand, the legal cards, the unseen cards, the points of every seat and the trick.
    """

    def __init__(self, winners=3):
        self.winners = winners
        self.shooting = False

    def choose_pass(self, view):
        if self.is_strong(view):
            return sorted(view.legal, key=rank)[: view.pass_count]
        return most_dangerous(view.legal, view.pass_count)

    def choose_card(self, view):
        if view.trick_number == 1:
            self.shooting = self.is_strong(view)
        if sum(view.points) > view.points[view.seat]:
            self.shooting = False
        return take(view) if self.shooting else avoid(view)

    def is_strong(self, view):
        """Whether the hand has enough winners, and none but good hearts."""
        hearts = view.hand.suit(HEARTS)
        if view.rules.moon == "off":
            return False
        if hearts and not is_winner(hearts.highest(), view.unseen):
            return False
        return sum(sure_tricks(view, suit) for suit in range(4)) >= self.winners


def take(view):
    """Win the trick, or keep the cards that will win others."""
    unseen = view.unseen
    if view.trick_size == 0:
        return max(view.legal, key=lambda card: (is_winner(card, unseen), card.rank))
    if is_void(view):
        costs = view.cost
        return min(view.legal, key=lambda card: (costs[card], is_winner(card, unseen), card.rank))
    over = view.legal.above(view.winning_card)
    if not over:
        return view.legal.lowest()
    last = view.trick_size == view.players - 1
    return over.lowest() if last else over.highest()


def avoid(view):
    """Stay under every trick."""
    if view.trick_size == 0:
        return min(view.legal, key=rank)
    if is_void(view):
        return max(view.legal, key=danger)
    return duck(view)


def is_winner(card, unseen):
    """Whether no card that is still out beats a card."""
    return not unseen.suit(card.suit).above(card)


def sure_tricks(view, suit):
    """Tricks that a suit is good for: its winners, or all its cards when those draw the others."""
    mine, others = view.hand.suit(suit), view.unseen.suit(suit)
    winners = sum(is_winner(card, others) for card in mine)
    draws_all = winners * (view.players - 1) >= len(others)
    return len(mine) if draws_all else winners
