"""Keeping the public table of the view, and what the log tells of a hand, up to date."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import count
from hearts_sim.engine.layout import codes
from hearts_sim.engine.play import play_card, take_trick

QUEEN_CARD = 36
SPADES = 2
QUEEN_UNTAKEN, QUEEN_LED, QUEEN_FOLLOWED, QUEEN_DUMPED = codes(4)
NOBODY, SEVERAL = np.int64(-1), np.int64(-2)


@kernel
def show_rules(rules: Any, view: Any) -> None:
    """Put the rules into the view; they do not change in a game."""
    view.players = rules.players
    view.hand_size = rules.hand_size
    view.deck = 0
    for index in range(rules.deck_size):
        view.deck |= 1 << rules.deck_cards[index]
    view.point_cards = rules.point_cards
    view.penalty_cards = rules.penalty_cards
    for card in range(52):
        view.cost[card] = rules.cost[card]
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
    view.hand_number = game.hand_number
    view.pass_offset = game.pass_offset
    view.pass_count = game.pass_need
    view.trick_number = 1
    view.leader = -1
    view.played = 0
    view.hearts_broken = 0
    view.passed = 0
    view.received = 0
    for seat in range(rules.players):
        view.played_by[seat] = 0
        view.taken[seat] = 0
        view.points[seat] = 0
        view.tricks_won[seat] = 0
        view.voids[seat] = 0
        game.stopped_by[seat] = NOBODY
        game.tricks[seat] = 0
        game.adjust[seat] = 0
        game.hand_points[seat] = 0
    game.queen_by = NOBODY
    game.queen_how = QUEEN_UNTAKEN
    game.sole_taker = NOBODY
    game.shooter = NOBODY
    show_scores(rules, game, view)
    show_empty_trick(view)


@inlined
def show_empty_trick(view: Any) -> None:
    """No card in the trick yet."""
    view.trick_size = 0
    view.trick_points = 0
    view.led_suit = -1
    view.winning_card = -1
    view.winning_seat = -1


@inlined
def show_leader(play: Any, view: Any) -> None:
    """Say who leads to the coming trick."""
    view.leader = play.leader
    view.leaders[play.done] = play.leader


@inlined
def put_card(rules: Any, game: Any, play: Any, view: Any, card: int) -> None:
    """The seat in turn plays a legal card, and everybody sees it."""
    seat = play.turn
    place = play.count
    play_card(rules, play, card)
    suit = card // 13
    if card == QUEEN_CARD:
        game.queen_by = seat
        game.queen_how = QUEEN_DUMPED
        if play.led == SPADES:
            game.queen_how = QUEEN_LED if place == 0 else QUEEN_FOLLOWED
    view.history[play.done * rules.players + place] = card
    view.trick[place] = card
    view.trick_size = place + 1
    view.trick_points = play.trick_points
    view.led_suit = play.led
    view.winning_card = play.best
    view.winning_seat = play.winner
    view.hearts_broken = play.broken
    view.played |= 1 << card
    view.played_by[seat] |= 1 << card
    view.voids[seat] |= (suit != play.led) << play.led
    if place + 1 == rules.players:
        end_trick(rules, game, play, view)


@inlined
def end_trick(rules: Any, game: Any, play: Any, view: Any) -> None:
    """The winner takes the trick, and everybody sees it."""
    winner = play.winner
    if play.trick & rules.penalty_cards:
        note_penalty(rules, game, play, winner)
    game.tricks[winner] += 1
    take_trick(play)
    view.taken[winner] = play.taken[winner]
    view.points[winner] = play.points[winner]
    view.tricks_won[winner] = game.tricks[winner]
    view.trick_number = play.done + 1
    show_empty_trick(view)
    if play.done < rules.hand_size:
        show_leader(play, view)


@kernel
def note_penalty(rules: Any, game: Any, play: Any, winner: int) -> None:
    """Follow who alone has taken penalty cards, and who ends that.

    A moon counts as stopped when the seat alone held at least half of all penalty cards.
    """
    holder = game.sole_taker
    if holder == NOBODY:
        game.sole_taker = winner
    elif holder >= 0 and holder != winner:
        held = count(play.taken[holder] & rules.penalty_cards)  # type: ignore[call-arg]
        if 2 * held >= rules.penalty_count:
            game.stopped_by[holder] = winner
        game.sole_taker = SEVERAL
