"""The file of a new strategy: one that works, to be changed into a better one."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Final

from hearts_sim.errors import StrategyLoadError, WouldOverwrite
from hearts_sim.strategy.names import class_names

_LONGEST: Final = 60
_TAKEN: Final = ("Strategy", "CompiledStrategy")


def new_strategy(name: str, folder: Path, *, compiled: bool = False) -> tuple[Path, str, str]:
    """What a new strategy needs: the path of its file, the name of its class, and the text.

    Parameters
    ----------
    name : str
        Of the class, or of the file in snake case: ``MyBot`` and ``my_bot`` are the same.
    folder : path
        Where it is to lie; it need not be there yet.
    compiled : bool
        Whether numba is to compile it.

    Raises
    ------
    StrategyLoadError
        When the name can be none.
    WouldOverwrite
        When the file or the class is there already.
    """
    class_name, stem = both_names(name)
    path = folder / f"{stem}.py"
    try:
        is_there = path.exists()
    except OSError as error:
        raise StrategyLoadError(f"{path}: cannot be a file: {error.strerror}") from None
    if is_there:
        raise WouldOverwrite(f"{path} is there already: choose another name, or edit that file")
    there = class_names([folder]).get(class_name)
    if there is not None:
        raise WouldOverwrite(
            f"{there.file}:{there.line}: a class {class_name} is there already: choose another name"
        )
    return path, class_name, (_COMPILED if compiled else _PLAIN).replace("NAME", class_name)


def both_names(name: str) -> tuple[str, str]:
    """The name of a class as Python writes it, and of its file.

    Raises
    ------
    StrategyLoadError
        When it cannot be one.
    """
    class_name = name
    if "_" in name or name[:1].islower():
        class_name = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", class_name).lower()
    if name.endswith(".py"):
        raise StrategyLoadError(f"{name!r} is a file: give the name of the class, such as MyBot")
    if not (class_name.isidentifier() and class_name.isascii()) or len(name) > _LONGEST:
        raise StrategyLoadError(
            f"{name!r} cannot be the name of a class: use letters (a to z) and digits, not a digit "
            f"first, at most {_LONGEST}, such as MyBot or my_bot"
        )
    if name.startswith("_"):
        raise StrategyLoadError(
            f"{name!r}: what has '_' in front is a helper and plays in no tournament: leave it out"
        )
    if class_name in _TAKEN or keyword.iskeyword(class_name) or keyword.iskeyword(stem):
        raise StrategyLoadError(f"{name!r} has a meaning already: choose another name")
    return class_name, stem


_PLAIN: Final = '''\
"""A player in plain Python: change it into yours."""

from hearts_sim import Strategy


class NAME(Strategy):
    """Stays under the trick where it can, and throws what is dear when it cannot follow.

    Passes: the cards that cost most, then the highest ranks.
    Plays: leads its lowest rank; follows with the highest card that does not win; as the last one
        takes a trick that costs no more than `risk`, with its highest card; void, throws the card
        that costs most, then the highest rank.
    Uses: the legal cards, the trick and what cards cost.
    """

    # Keywords are options. In a config: {strategy: NAME, options: {risk: 1}}
    def __init__(self, risk=0):
        self.risk = risk  # points

    # A fresh object plays each game, so what you keep in self lasts for a game. Also there, when
    # you need them: start_game(view), start_hand(view), end_hand(view), choose_moon(view).

    def choose_pass(self, view):
        # view.pass_count cards of view.legal. view.pass_to is the seat that gets them,
        # view.pass_direction says "left", "right", "across" ...
        by_danger = sorted(view.legal, key=lambda card: danger(view, card), reverse=True)
        return by_danger[: view.pass_count]

    def choose_card(self, view):
        # One card of view.legal. What you can look at:
        #   view.hand, view.passed, view.received    sets of cards: in, len, |, &, -, suit("S")
        #   view.trick, view.led_suit                the trick so far, the lead first
        #   view.winning_card, view.winning_seat     who wins it so far
        #   view.trick_points, view.cost[card]       penalty points
        #   view.played, view.unseen, view.taken     this hand; taken[seat], played_by[seat]
        #   view.is_void(seat, "H")                  who has shown that a suit is missing
        #   view.possible_cards(seat)                what a seat may still hold
        #   view.points, view.scores                 of this hand and of the hands before, by seat
        #   view.seat, view.players, view.rules      who you are, and what is played
        # self.rng is a random.Random that repeats when the run is repeated; use no other chance.
        # All of it: help(hearts_sim.strategy.view.View)
        if view.trick_size == 0:
            return min(view.legal, key=lambda card: card.rank)
        follow = view.legal.suit(view.led_suit)
        if not follow:
            return max(view.legal, key=lambda card: danger(view, card))
        if view.trick_size == view.players - 1 and view.trick_points <= self.risk:
            return follow.highest()
        under = follow.below(view.winning_card)
        return under.highest() if under else follow.lowest()


def danger(view, card):
    """How gladly a card is given away: by what it costs, then by its rank."""
    return view.cost[card], card.rank
'''

_COMPILED: Final = '''\
"""A player that numba compiles: change it into yours."""

from hearts_sim import CompiledStrategy
from hearts_sim.strategy.toolkit import (
    below_card,
    bit,
    has,
    helper,
    highest,
    in_suit,
    lowest,
    options,
    rank_of,
)

RISK = 0  # place in `options`


class NAME(CompiledStrategy):
    """Stays under the trick where it can, and throws what is dear when it cannot follow.

    Passes: the cards that cost most, then the highest ranks.
    Plays: leads its lowest rank; follows with the highest card that does not win; as the last one
        takes a trick that costs no more than `risk`, with its highest card; void, throws the card
        that costs most, then the highest rank.
    Uses: the legal cards, the trick and what cards cost. Compiled.
    """

    # Numbers, with their defaults. In a config: {strategy: NAME, options: {risk: 1}}
    options = {"risk": 0}

    # Methods are functions of the view alone. What is to be kept from one call to the next goes
    # into memory(view) of the toolkit: so many int64, zero when a game begins.
    # memory_words = 8

    @staticmethod
    def choose_pass(view):
        # A set of view.pass_count cards of view.legal. A card is a number from 0 (2C) to 51 (AH),
        # a set of cards a number whose bit i is card i.
        chosen = 0
        for _ in range(view.pass_count):
            chosen |= bit(dearest(view, view.legal & ~chosen))
        return chosen

    @staticmethod
    def choose_card(view):
        # One card of view.legal. What you can look at:
        #   view.hand, view.passed, view.received    sets of cards
        #   view.trick[i], view.trick_size           the trick so far, the lead first
        #   view.led_suit, view.winning_card         -1 where there is none
        #   view.trick_points, view.cost[card]       penalty points
        #   view.played, view.taken[seat], view.played_by[seat], unseen(view)
        #   view.voids[seat]                         suits that a seat has shown to lack: bits 0..3
        #   view.points[seat], view.scores[seat]     of this hand and of the hands before
        #   view.seat, view.players                  who you are
        # random_card(view, cards) and random_below(view, n) repeat when the run is repeated.
        # All of it: help(hearts_sim.strategy.view.View), help(hearts_sim.strategy.toolkit)
        if view.trick_size == 0:
            return lowest_rank(view.legal)
        follow = in_suit(view.legal, view.led_suit)
        if follow == 0:
            return dearest(view, view.legal)
        if view.trick_size == view.players - 1 and view.trick_points <= options(view)[RISK]:
            return highest(follow)
        under = below_card(follow, view.winning_card) if view.winning_card >= 0 else 0
        return highest(under) if under else lowest(follow)


# Functions that the methods call are compiled with them: put @helper above.


@helper
def dearest(view, cards):
    """The card of a set that is given away most gladly: by what it costs, then by its rank."""
    best, most = -1, -1
    for card in range(52):
        if has(cards, card):
            danger = 13 * view.cost[card] + rank_of(card)
            if danger > most:
                best, most = card, danger
    return best


@helper
def lowest_rank(cards):
    """The card of lowest rank of a set."""
    best = lowest(cards)
    for card in range(52):
        if has(cards, card) and rank_of(card) < rank_of(best):
            best = card
    return best
'''
