"""Plays the same hands in this engine and in OpenSpiel's Hearts, and notes every difference.

OpenSpiel (https://github.com/google-deepmind/open_spiel, game ``hearts``) is a C++ engine by other
hands. It knows four seats and 52 cards, plays single hands and has eight yes/no options, of which
each combination has settings here:

``pass_cards``
    ``pass_cycle`` with all four directions, or only a hold. In OpenSpiel the direction of a hand is
    the first chance action (0 hold, 1 left, 2 across, 3 right).
``no_pts_on_first_trick``
    ``first_trick_points``. A seat with nothing but point cards may play any of them, which is
    ``first_trick_all_points: any``; OpenSpiel has no counterpart of the other two values.
``can_lead_any_club``
    ``first_lead: lowest_club_holder_any_club``.
``must_break_hearts``
    ``hearts_lead``.
``qs_breaks_hearts``
    ``broken_by``.
``can_lead_hearts_instead_of_qs``
    ``hearts_instead_of_queen``. Where OpenSpiel finds that the queen is all that may be led, it
    drops the whole filter and allows every card of the hand: the hearts and the queen too. So do
    we.
``jd_bonus``
    ``bonus: {JD: -10}``. The jack is no point card: the first trick may have it, it does not break
    hearts, and a moon does not need it. It counts in the hand of a moon too.
``avoid_all_tricks_bonus``
    ``no_trick_bonus: -5``. Nobody gets it in the hand of a moon.

Without ``must_break_hearts`` OpenSpiel takes ``qs_breaks_hearts`` and
``can_lead_hearts_instead_of_qs`` as well, and they do nothing. `Rules` refuses settings without a
meaning; there they are left out, and the hands are the same.

OpenSpiel knows one moon, ``moon: old``. Its return is 26 minus the points of the hand.

What else OpenSpiel calls differently has no effect on a game: without ``must_break_hearts`` it says
from the start that hearts are broken, where we say so when one has been played.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import njit

from hearts_sim.cards import HEARTS_MASK, RANKS, CardSet, parse_card
from hearts_sim.engine.game import begin_hand, begin_play, end_play, settle_moon
from hearts_sim.engine.legal import legal_cards
from hearts_sim.engine.passing import exchange, passable_cards
from hearts_sim.engine.public import put_card
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules

DEFAULTS = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
}
"""OpenSpiel's options and their values when nothing is said."""

DIRECTIONS = "HLAR"
"""Our name of OpenSpiel's directions 0 to 3."""

# OpenSpiel numbers cards by rank and then by suit, hearts before spades.
NAMES = [rank + suit for rank in RANKS for suit in "CDHS"]
OURS = [parse_card(name) for name in NAMES]
BITS = [1 << card for card in OURS]
_bit_of = BITS.__getitem__
HEARTS = 2
QUEEN_OF_SPADES = NAMES.index("QS")
QUEEN = BITS[QUEEN_OF_SPADES]
POINTS = HEARTS_MASK | QUEEN

TOTAL = 26
PLAYS = 52
HANDS_PER_TABLE = 1000

Options = Mapping[str, bool]
Temperament = Callable[[list[int], random.Random], int]


def our_set(cards: Iterable[int]) -> int:
    """Our set of OpenSpiel's cards."""
    return sum(map(_bit_of, cards))


def all_options() -> list[dict[str, bool]]:
    """Every combination of the options, OpenSpiel's defaults first."""
    values = [(default, not default) for default in DEFAULTS.values()]
    return [dict(zip(DEFAULTS, chosen, strict=True)) for chosen in itertools.product(*values)]


def label(options: Options) -> str:
    """What is not as in OpenSpiel's defaults, in its own words."""
    changed = [
        name if options[name] else f"not {name}"
        for name, default in DEFAULTS.items()
        if options[name] != default
    ]
    return ", ".join(changed) or "defaults"


def settings_of(options: Options) -> dict[str, Any]:
    """The settings under which our game is OpenSpiel's; the module says where this is not plain."""
    must_break = options["must_break_hearts"]
    queen_breaks = must_break and options["qs_breaks_hearts"]
    settings: dict[str, Any] = {
        "pass_cycle": list(DIRECTIONS) if options["pass_cards"] else ["H"],
        "first_lead": "lowest_club",
        "first_trick_points": "forbidden" if options["no_pts_on_first_trick"] else "free",
        "first_trick_all_points": "any",
        "hearts_lead": "after_broken" if must_break else "free",
        "broken_by": "heart_or_queen" if queen_breaks else "heart",
        "hearts_instead_of_queen": must_break and options["can_lead_hearts_instead_of_qs"],
        "moon": "old",
        # Hands are single in OpenSpiel: no total ends our game.
        "target": 1_000_000,
    }
    if options["can_lead_any_club"]:
        settings["first_lead"] = "lowest_club_holder_any_club"
    if options["jd_bonus"]:
        settings["bonus"] = {"JD": -10}
    if options["avoid_all_tricks_bonus"]:
        settings["no_trick_bonus"] = -5
    return settings


# Temperaments: what a seat plays of the cards that OpenSpiel allows, which go from low to high.


def anything(cards: list[int], rng: random.Random) -> int:
    """Any card."""
    return cards[int(rng.random() * len(cards))]


def highest(cards: list[int], rng: random.Random) -> int:
    """The highest card; in passing, the shooter's friend."""
    return cards[-1]


def lowest(cards: list[int], rng: random.Random) -> int:
    """The lowest card."""
    return cards[0]


def heart(cards: list[int], rng: random.Random) -> int:
    """The highest heart, where one is allowed, or else the lowest card."""
    for card in reversed(cards):
        if card % 4 == HEARTS:
            return card
    return cards[0]


def no_heart(cards: list[int], rng: random.Random) -> int:
    """The highest card that costs nothing, where one is allowed: keeps hearts unbroken."""
    for card in reversed(cards):
        if card % 4 != HEARTS and card != QUEEN_OF_SPADES:
            return card
    return cards[0]


PASSES: dict[Temperament, Temperament] = {
    anything: anything,
    highest: lowest,
    lowest: highest,
    heart: heart,
    no_heart: no_heart,
}
"""What each temperament plays, and what it passes."""
TEMPERAMENTS = tuple(PASSES)


# Deals: 52 cards of which a seat gets every fourth, and the temperaments of the seats.

Deal = tuple[list[int], list[Temperament]]


def deal_any(rng: random.Random) -> Deal:
    """Any cards and any players."""
    cards = list(range(52))
    rng.shuffle(cards)
    return cards, rng.choices(TEMPERAMENTS, k=4)


def deal_moon(rng: random.Random) -> Deal:
    """A seat has most of the high cards and plays them; the others stay low or give hearts."""
    low, high = list(range(32)), list(range(32, 52))
    rng.shuffle(high)
    seat = rng.randrange(4)
    players = rng.choices((lowest, heart), k=4)
    players[seat] = highest
    return _to_seat(seat, high[:13], low + high[13:], rng), players


def deal_points(rng: random.Random) -> Deal:
    """A seat has the queen, many or all of the hearts, and then the highest cards."""
    hearts = [card for card in range(52) if card % 4 == HEARTS]
    others = [card for card in range(52) if card % 4 != HEARTS and card != QUEEN_OF_SPADES]
    rng.shuffle(hearts)
    number = rng.randint(7, 13)
    first = [*hearts[:number], QUEEN_OF_SPADES, *others[::-1]][:13]
    rest = [card for card in range(52) if card not in first]
    players = rng.choices(TEMPERAMENTS if rng.random() < 0.5 else (no_heart, lowest), k=4)
    return _to_seat(rng.randrange(4), first, rest, rng), players


def _to_seat(seat: int, first: list[int], rest: list[int], rng: random.Random) -> list[int]:
    rng.shuffle(rest)
    cards = [0] * 52
    for place in range(4):
        cards[place::4] = first if place == seat else [rest.pop() for _ in range(13)]
    return cards


DEALS = (deal_any, deal_any, deal_moon, deal_points)


# The two engines. A hand is a row of choices: three cards that each seat passes, then 52 plays.


@dataclass
class Hand:
    """A hand as one of the engines had it: for each choice the seat and the cards it might take."""

    seats: list[int]
    allowed: list[int]
    points: tuple[int, ...] | None = None


def play_there(
    state: Any, direction: int, deal: Deal, rng: random.Random
) -> tuple[Hand, list[int], list[int]]:
    """Let OpenSpiel play a hand; returns it, the hands that were dealt and the cards chosen."""
    order, players = deal
    current_player, legal_actions, apply_action = (
        state.current_player,
        state.legal_actions,
        state.apply_action,
    )
    for action in (direction, *order):
        apply_action(action)
    passes = 12 if direction else 0
    hand, cards = Hand([], []), []
    for place in range(passes + PLAYS):
        seat, legal = current_player(), legal_actions()
        chooser = players[seat] if place >= passes else PASSES[players[seat]]
        card = chooser(legal, rng)
        hand.seats.append(seat)
        hand.allowed.append(our_set(legal))
        cards.append(OURS[card])
        apply_action(card)
    hand.points = tuple(TOTAL - int(value) for value in state.returns())
    return hand, [our_set(order[seat::4]) for seat in range(4)], cards


def play_by_steps(table: Table, dealt: list[int], cards: list[int]) -> Hand:
    """Play a hand on our table step by step, until a card is not allowed."""
    table.deal([CardSet(hand) for hand in dealt])
    hand, choices = Hand([], []), []
    for seat in range(4):
        chosen = 0
        for card in cards[3 * seat : 3 * seat + table.pass_count]:
            hand.seats.append(seat)
            hand.allowed.append(int(table.passable(seat)) & ~chosen)
            chosen |= 1 << card
            if not hand.allowed[-1] >> card & 1:
                return hand
        choices.append(CardSet(chosen))
    if table.pass_count:
        table.exchange(choices)
    for card in cards[len(hand.seats) :]:
        hand.seats.append(table.turn)
        hand.allowed.append(int(table.legal))
        if not hand.allowed[-1] >> card & 1:
            return hand
        table.play(card)
    hand.points = table.score().points
    return hand


def play_at_once(table: Table, dealt: list[int], cards: list[int]) -> Hand:
    """As `play_by_steps`, in one call of compiled code."""
    seats, allowed = np.zeros((2, len(cards)), np.int64)
    records = table._rules, table._game, table._view, table._hands, table._bots
    done = _play(*records, np.array(dealt), np.array(cards), seats, allowed)
    points = table.points if done == len(cards) else None
    return Hand(seats[: done + 1].tolist(), allowed[: done + 1].tolist(), points)


@njit
def _play(
    rules: Any,
    game: Any,
    view: Any,
    hands: Any,
    bots: Any,
    dealt: Any,
    cards: Any,
    seats: Any,
    allowed: Any,
) -> int:
    """Play a hand as the game loop does; returns how many of the cards were allowed."""
    begin_hand(rules, game, view, bots)
    for seat in range(rules.players):
        hands.cards[seat] = dealt[seat]
    place = 0
    if game.pass_need:
        for seat in range(rules.players):
            chosen = 0
            for _ in range(game.pass_need):
                bit = 1 << cards[place]
                seats[place] = seat
                allowed[place] = passable_cards(rules, game, hands.cards[seat], 0) & ~chosen
                if not allowed[place] & bit:
                    return place
                chosen |= bit
                place += 1
            game.passed[seat] = chosen
        exchange(rules, game, hands)
    begin_play(rules, game, view, hands)
    while place < len(cards):
        seats[place] = view.turn
        allowed[place] = legal_cards(rules, view, hands)
        if not allowed[place] >> cards[place] & 1:
            return place
        put_card(rules, game, view, hands, cards[place])
        place += 1
    end_play(rules, game, view, hands)
    settle_moon(rules, game, view, hands, bots)
    return place


@dataclass
class Outcome:
    """What came of playing some hands in both engines; `seen` counts moons and rare things."""

    options: Options
    hands: int = 0
    choices: int = 0
    different: int = 0
    examples: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    def compare(self, ours: Hand, theirs: Hand) -> bool:
        """Count a hand and compare it; what follows on its first difference is not compared."""
        self.hands += 1
        self.choices += len(ours.seats)
        if ours == theirs:
            return True
        self.different += 1
        if len(self.examples) < 5:
            self.examples.append(f"hand {self.hands}, {_first_difference(ours, theirs)}")
        return False


def _first_difference(ours: Hand, theirs: Hand) -> str:
    passes = len(theirs.seats) - PLAYS
    rows = zip(ours.seats, ours.allowed, theirs.seats, theirs.allowed, strict=False)
    for place, (seat, cards, their_seat, their_cards) in enumerate(rows):
        if (seat, cards) != (their_seat, their_cards):
            what = f"pass {place + 1}" if place < passes else f"card {place + 1 - passes}"
            here, there = CardSet(cards), CardSet(their_cards)
            return f"{what}: seat {seat}: {here} here, seat {their_seat}: {there} in OpenSpiel"
    return f"points: {ours.points} here, {theirs.points} in OpenSpiel"


def play_hands(
    options: Options,
    hands: int,
    *,
    seed: int = 0,
    rules: Rules | None = None,
    play_here: Callable[[Table, list[int], list[int]], Hand] = play_at_once,
    enough: int | None = None,
) -> Outcome:
    """Play hands under one combination of OpenSpiel's options, or until `enough` are different.

    Without `rules`, our settings are those that agree with the options.
    """
    import pyspiel  # late: the tests are skipped where it is missing

    rng = random.Random(f"{label(options)} {seed}")
    rules = rules or Rules(**settings_of(options))
    game = pyspiel.load_game("hearts", dict(options))
    outcome = Outcome(options)
    while outcome.hands < hands and outcome.different != enough:
        table = Table(rules)
        for _ in range(min(hands - outcome.hands, HANDS_PER_TABLE)):
            way = rules.pass_token(table.hand_number + 1)
            deal = rng.choice(DEALS)(rng)
            theirs, dealt, cards = play_there(
                game.new_initial_state(), DIRECTIONS.index(way), deal, rng
            )
            if not outcome.compare(play_here(table, dealt, cards), theirs):
                # Its hand is not over.
                break
            outcome.seen[way] += 1
            _note_rare_things(outcome, table, cards[-PLAYS:], theirs.allowed[-PLAYS:])
    return outcome


def _note_rare_things(
    outcome: Outcome, table: Table, played: list[int], allowed: list[int]
) -> None:
    seen, options = outcome.seen, outcome.options
    if options["no_pts_on_first_trick"]:
        seen["first trick with point cards alone"] += any(
            not cards & ~POINTS for cards in allowed[1:4]
        )
    if options["must_break_hearts"]:
        breakers = POINTS if options["qs_breaks_hearts"] else HEARTS_MASK
        for place in range(4, PLAYS, 4):
            if any(1 << card & breakers for card in played[place - 4 : place]):
                break
            if not allowed[place] & ~HEARTS_MASK:
                seen["only hearts to lead, unbroken"] += 1
            elif not allowed[place] & ~POINTS:
                seen["queen or hearts to lead, unbroken"] += allowed[place] != QUEEN
                seen["queen forced, unbroken"] += allowed[place] == QUEEN
    taken, idle = table.taken, table.tricks_won.count(0)
    shooter = next((cards for cards in taken if not POINTS & ~cards), None)
    if shooter is None:
        seen["seats without a trick"] += idle
        return
    seen["moon"] += 1
    seen["moon, jack with the shooter"] += "JD" in shooter
    seen["moon, jack with another"] += "JD" not in shooter
    seen["moon, seats without a trick"] += idle
