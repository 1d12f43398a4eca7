"""Keeping the public table of the view, and what the log tells of a hand, up to date."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import count, either, index
from hearts_sim.engine.layout import codes
from hearts_sim.engine.legal import suit_mask
from hearts_sim.engine.play import (
    clear_table,
    find_taker,
    finish_trick,
    follow_card,
    lead_card,
)
from hearts_sim.engine.wide import NOBODY, is_wide

QUEEN_CARD = 36
SPADES = 2
QUEEN_UNTAKEN, QUEEN_LED, QUEEN_FOLLOWED, QUEEN_DUMPED = codes(4)
SEVERAL = np.int64(-2)


@kernel
def show_rules(rules: Any, view: Any) -> None:
    """Put the rules into the view; they do not change in a game."""
    view.players = rules.players
    view.hand_size = rules.hand_size
    view.deck = 0
    for place in range(rules.deck_size):
        view.deck |= 1 << rules.deck_cards[place]
    view.deck_twice = rules.deck_twice
    view.kitty_size = rules.kitty_size
    view.kitty_seat = NOBODY
    view.team_count = rules.team_count
    view.bonus_cards = rules.bonus_cards
    view.point_cards = rules.point_cards
    view.penalty_cards = rules.penalty_cards
    for card in range(52):
        view.cost[card] = rules.cost[card]
        view.bonus[card] = rules.bonus[card]
    view.moon = rules.moon
    view.moon_points = rules.moon_points
    view.win_highest = rules.win_highest
    view.target = rules.target
    view.deals = rules.deals


@kernel
def show_scores(rules: Any, game: Any, view: Any) -> None:
    """Put the totals into the view."""
    for seat in range(rules.players):
        view.scores[seat] = game.totals[seat]


@kernel
def show_new_hand(rules: Any, game: Any, view: Any) -> None:
    """A table on which nothing has been played."""
    clear_table(rules, view)
    view.hand_number = game.hand_number
    view.pass_offset = game.pass_offset
    view.pass_count = game.pass_need
    view.leader = -1
    view.turn = -1
    view.played = 0
    view.cards_played = 0
    view.passed = 0
    view.received = 0
    view.played_by[:] = 0
    view.tricks_won[:] = 0
    view.voids[:] = 0
    game.stopped_by[:] = NOBODY
    if is_wide(rules):
        view.played_by_twice[:] = 0
        # A queen in the kitty is taken without having been played.
        game.queen_by[:] = NOBODY
        game.queen_how[:] = QUEEN_UNTAKEN
        view.played_twice = 0
        view.kitty = 0
        view.kitty_twice = 0
    view.passed_twice = 0
    view.received_twice = 0
    game.queen_waits = 0
    game.sole_taker = NOBODY
    game.last_taker = NOBODY
    game.shooter = NOBODY
    show_scores(rules, game, view)


@inlined
def put_card(rules: Any, game: Any, view: Any, hands: Any, card: int) -> None:
    """The seat in turn plays a legal card, and everybody sees it."""
    if view.trick_size == 0:
        put_lead(rules, game, view, hands, card)
    else:
        put_follow(rules, game, view, hands, card, suit_mask(view.led_suit))
    if view.trick_size == rules.players:
        end_trick(rules, game, view)


@inlined
def put_lead(rules: Any, game: Any, view: Any, hands: Any, card: int) -> None:
    """The leader of a trick plays a legal card, and everybody sees it."""
    seat = index(view.turn)
    lead_card(rules, view, hands, card)
    show_card(rules, game, view, seat, card)


@inlined
def put_follow(rules: Any, game: Any, view: Any, hands: Any, card: int, led: int) -> None:
    """Another seat plays a legal card, and everybody sees it; `led` is all of the suit led."""
    seat = index(view.turn)
    follows = follow_card(rules, view, hands, card, led)
    show_card(rules, game, view, seat, card)
    view.voids[seat] |= (not follows) << view.led_suit


@inlined
def show_card(rules: Any, game: Any, view: Any, seat: Any, card: int) -> None:
    """Note a card that a seat has just put into the trick."""
    if card == QUEEN_CARD:
        note_queen(game, view, seat)
    bit = 1 << card
    view.history[index(view.cards_played)] = card
    view.cards_played += 1
    if is_wide(rules):
        view.played_twice |= view.played & bit
        view.played_by_twice[seat] |= view.played_by[seat] & bit
    view.played |= bit
    view.played_by[seat] |= bit


@inlined
def end_trick(rules: Any, game: Any, view: Any) -> None:
    """The winner takes the trick, and everybody sees it."""
    taker = find_taker(rules, view)
    if not is_wide(rules) or taker >= 0:
        cards, tricks = view.trick_cards, 1
        if is_wide(rules):
            cards |= view.held
            tricks += view.held_tricks
        note_penalty(rules, game, view, taker, cards & rules.penalty_cards != 0)
        if is_wide(rules) and game.queen_waits:
            note_queen_taken(game, taker)
        view.tricks_won[index(taker)] += tricks
    finish_trick(rules, view, taker)
    if view.trick_number <= rules.hand_size:
        show_leader(view)


@inlined
def show_leader(view: Any) -> None:
    """Note who leads to the coming trick."""
    view.leaders[index(view.trick_number - 1)] = view.leader


@kernel
def note_queen(game: Any, view: Any, seat: int) -> None:
    """Note who played the queen of spades, and how."""
    game.queen_waits = 1
    game.queen_seat = seat
    game.queen_manner = QUEEN_DUMPED
    if view.led_suit == SPADES:
        game.queen_manner = QUEEN_LED if view.trick_size == 1 else QUEEN_FOLLOWED


@kernel
def note_queen_taken(game: Any, taker: int) -> None:
    """Note for who took the queen how she came; with two of them, the one that was played last."""
    game.queen_waits = 0
    game.queen_by[taker] = game.queen_seat
    game.queen_how[taker] = game.queen_manner


@kernel
def how_queen_came(rules: Any, game: Any, seat: int) -> tuple[int, int]:
    """How the queen of spades was played to a seat that took her, and by which seat."""
    if is_wide(rules):
        return game.queen_how[seat], game.queen_by[seat]
    return game.queen_manner, game.queen_seat


@inlined
def note_penalty(rules: Any, game: Any, view: Any, taker: int, penalty: bool) -> None:
    """Follow which side alone has taken penalty cards, and who ends that.

    `penalty` is whether there is one in the trick that a seat has just taken.
    """
    holder, side = game.sole_taker, rules.moon_side[index(taker)]
    game.last_taker = either(penalty, taker, game.last_taker)
    game.sole_taker = either(penalty & (holder == NOBODY), side, holder)
    if penalty & (holder >= 0) & (holder != side):
        note_stop(rules, game, view, taker)


@kernel
def note_stop(rules: Any, game: Any, view: Any, taker: int) -> None:
    """Note that a side is not alone with the penalty cards any more.

    A moon counts as stopped when the side alone held at least half of all of them.
    """
    holder = game.sole_taker
    if 2 * count_held(rules, view, holder) >= rules.penalty_count:
        for seat in range(rules.players):
            if rules.moon_side[seat] == holder:
                game.stopped_by[seat] = taker
    game.sole_taker = SEVERAL


@kernel
def count_held(rules: Any, view: Any, side: int) -> int:
    """Penalty cards that a side has taken."""
    held = 0
    for seat in range(rules.players):
        if rules.moon_side[seat] == side:
            held += count(view.taken[seat] & rules.penalty_cards)
            if is_wide(rules):
                held += count(view.taken_twice[seat] & rules.penalty_cards)
    return held
