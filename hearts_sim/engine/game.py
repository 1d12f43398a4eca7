"""The course of a game: deal, pass, play, score, until it ends.

Everything that a game is lies in its records, so a game that stopped at a decision goes on from
there. A function here returns 1 when its part is over and 0 when a bot failed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.bits import index
from hearts_sim.engine.deal import deal_hand, open_play, seed_game, seed_hand
from hearts_sim.engine.hooks import ask, ask_card, fail, how_to_ask, show_seat
from hearts_sim.engine.layout import (
    ANSWERED,
    CARD,
    DEFAULT,
    END_HAND,
    FAILED,
    FAULT_ILLEGAL,
    HOOKS,
    MOON,
    MOON_ADD,
    MOON_SUBTRACT,
    OWN_MEMORY,
    OWN_MEMORY_SIZE,
    PASS,
    START_GAME,
    START_HAND,
    WATCH_TIME,
    codes,
)
from hearts_sim.engine.legal import follows_simply, legal_follows, legal_leads, suit_mask
from hearts_sim.engine.log import log_game, log_hand, log_plays
from hearts_sim.engine.memory import own_word, words_at
from hearts_sim.engine.passing import (
    exchange,
    highest_cards,
    is_pass,
    passable_cards,
    plan_pass,
)
from hearts_sim.engine.public import (
    end_trick,
    put_follow,
    put_lead,
    show_leader,
    show_new_hand,
    show_scores,
)
from hearts_sim.engine.record import END_FORFEIT, MOON_NEW, MOON_OLD
from hearts_sim.engine.score import (
    add_up,
    default_moon,
    find_shooter,
    may_choose_moon,
    pay_hand,
    shot,
)
from hearts_sim.engine.wide import give_kitty, is_wide, show_wide

(
    PHASE_IDLE,
    PHASE_START_GAME,
    PHASE_DEAL,
    PHASE_START_HAND,
    PHASE_PASS,
    PHASE_PLAY,
    PHASE_MOON,
    PHASE_END_HAND,
    PHASE_LOG,
    PHASE_OVER,
) = codes(10)

STATUS_DONE, STATUS_FULL, STATUS_FAULT = codes(3)

QUEEN = 1 << 36
NO_CARDS = np.int64(0)


@kernel
def begin_game(rules: Any, game: Any, view: Any, seats: Any) -> None:
    """A new game at the table: totals and memories are zero."""
    game.hand_number = 0
    game.latched = 0
    game.ended = 0
    game.extra_hands = 0
    game.exact_winners = 0
    game.default_next = 0
    game.out = 0
    game.forfeiter = -1
    for seat in range(rules.players):
        game.faults[seat] = 0
        game.totals[seat] = 0
        game.sum_points[seat] = 0
        game.sum_moons[seat] = 0
        game.sum_queens[seat] = 0
        own = seats.bot[seat].own
        words_at(own_word(own, OWN_MEMORY), own_word(own, OWN_MEMORY_SIZE))[:] = 0
    game.pass_offset = 0
    game.pass_need = 0
    for seat in range(rules.players):
        game.passed[seat] = 0
        game.received[seat] = 0
    # Nothing of the game before may be seen in the new one.
    show_new_hand(rules, game, view)
    view.trick_number = 0
    seed_game(rules, game)
    seed_hand(rules, game, seats)
    game.phase = PHASE_START_GAME
    game.position = 0


@kernel
def begin_hand(rules: Any, game: Any, view: Any, seats: Any) -> None:
    """Count the next hand, plan its pass and clear the table; the cards are dealt after this."""
    game.hand_number += 1
    plan_pass(rules, game)
    show_new_hand(rules, game, view)
    seed_hand(rules, game, seats)


@kernel
def begin_play(rules: Any, game: Any, view: Any, hands: Any) -> None:
    """After the exchange: find the opener and show who leads."""
    open_play(rules, game, view, hands)
    show_leader(view)


@kernel
def tell_seats(rules: Any, game: Any, view: Any, hands: Any, seats: Any, call: int) -> int:
    """Call a hook that has no answer on every seat that has it."""
    if not game.hooks >> call & 1:
        return 1
    while game.position < rules.players:
        seat = game.position
        if seats.bot[seat].hooks[call]:
            hand = hands.cards[seat] if call != START_GAME else NO_CARDS
            show_seat(seats.bot[seat], view, seat, hand, NO_CARDS)
            view.passed = game.passed[seat]
            view.received = game.received[seat]
            if is_wide(rules):
                show_wide(rules, game, view, hands, seat)
            if ask(game, view, seats, seat, call) == FAILED:
                return 0
        game.position += 1
    game.position = 0
    return 1


@kernel
def choose_passes(rules: Any, game: Any, view: Any, hands: Any, seats: Any) -> int:
    """Let every seat choose what to pass, before anybody sees what comes."""
    view.passed = 0
    view.received = 0
    while game.position < rules.players:
        seat = game.position
        hand, twice = hands.cards[seat], NO_CARDS
        if is_wide(rules):
            twice = hands.cards_twice[seat]
        passable = passable_cards(rules, game, hand, twice)
        answered = DEFAULT
        if seats.bot[seat].hooks[PASS]:
            show_seat(seats.bot[seat], view, seat, hand, passable)
            if is_wide(rules):
                show_wide(rules, game, view, hands, seat)
            view.answer_twice = 0
            answered = ask(game, view, seats, seat, PASS)
            if answered == FAILED:
                return 0
        if answered == ANSWERED:
            chosen, chosen_twice = view.answer, view.answer_twice
            if not is_pass(game, passable, twice, chosen, chosen_twice):
                return fail(game, seat, PASS, FAULT_ILLEGAL)
        else:
            chosen, chosen_twice = highest_cards(passable, twice, game.pass_need)
        game.passed[seat] = chosen
        if is_wide(rules):
            game.passed_twice[seat] = chosen_twice
            view.answer_twice = 0  # or the next seats would see it
        game.position += 1
    game.position = 0
    return 1


@kernel
def play_tricks(rules: Any, game: Any, view: Any, hands: Any, seats: Any) -> int:
    """Play until all cards are out."""
    view.call = CARD
    view.answer = -1  # or a bot would see what the last seat has passed
    asking = how_to_ask(game)
    while view.trick_number <= rules.hand_size:
        if view.trick_size == 0:
            seat = view.turn
            legal = legal_leads(rules, view, hands, hands.cards[index(seat)])
            card = ask_card(rules, game, view, hands, seats, seat, legal, asking)
            if card < 0:
                return 0
            put_lead(rules, game, view, hands, card)
        led = suit_mask(view.led_suit)
        simply = follows_simply(rules, view)
        while view.trick_size < rules.players:
            seat = view.turn
            legal = legal_follows(rules, view, hands.cards[index(seat)], led, simply)
            card = ask_card(rules, game, view, hands, seats, seat, legal, asking)
            if card < 0:
                return 0
            put_follow(rules, game, view, hands, card, led)
        end_trick(rules, game, view)
    return 1


@kernel
def end_play(rules: Any, game: Any, view: Any, hands: Any) -> None:
    """After the last trick, before the score: give out the kitty."""
    if is_wide(rules):
        give_kitty(rules, view, hands)
        if rules.kitty_rule and hands.kitty & rules.penalty_cards:
            game.last_taker = view.kitty_seat


@kernel
def who_shot(rules: Any, game: Any, view: Any) -> int:
    """Seat that shot the moon, of a team the one that took its last penalty card; else -1."""
    shooter: int = find_shooter(rules, view)
    return game.last_taker if shooter >= 0 and rules.moon_by_team else shooter


@kernel
def settle_moon(rules: Any, game: Any, view: Any, hands: Any, seats: Any) -> int:
    """See whether somebody shot the moon, and how it is paid."""
    shooter = who_shot(rules, game, view)
    moon = -1
    if shooter >= 0:
        moon = default_moon(rules, game, view, shooter)
        if seats.bot[shooter].hooks[MOON] and may_choose_moon(rules, game, view, shooter):
            show_seat(seats.bot[shooter], view, shooter, NO_CARDS, NO_CARDS)
            view.passed = game.passed[shooter]
            view.received = game.received[shooter]
            if is_wide(rules):
                show_wide(rules, game, view, hands, shooter)
            answered = ask(game, view, seats, shooter, MOON)
            if answered == FAILED:
                return 0
            if answered == ANSWERED:
                if view.answer != MOON_ADD and view.answer != MOON_SUBTRACT:
                    return fail(game, shooter, MOON, FAULT_ILLEGAL)
                moon = MOON_OLD if view.answer == MOON_ADD else MOON_NEW
    score_hand(rules, game, view, shooter, moon)
    return 1


@kernel
def score_hand(rules: Any, game: Any, view: Any, shooter: int, moon: int) -> None:
    """Score a finished hand and show the result."""
    pay_hand(rules, game, view, shooter, moon)
    add_up(rules, game)
    for seat in range(rules.players):
        view.points[seat] = game.hand_points[seat]
        game.sum_moons[seat] += shooter >= 0 and shot(rules, seat, shooter)
        game.sum_queens[seat] += view.taken[seat] & QUEEN != 0
    show_scores(rules, game, view)


@kernel
def forfeit(rules: Any, game: Any) -> None:
    """End a game at once; a hand that is not scored yet does not count."""
    if game.phase == PHASE_END_HAND:
        game.phase = PHASE_LOG
    else:
        if game.phase != PHASE_START_GAME:
            game.hand_number -= 1
        game.phase = PHASE_OVER
    game.ended = END_FORFEIT


@kernel
def advance(
    rules: Any,
    game: Any,
    view: Any,
    hands: Any,
    seats: Any,
    hand_rows: Any,
    game_rows: Any,
    play_rows: Any,
    filled: Any,
) -> int:
    """Go on with a game until it is over (1) or a bot failed (0)."""
    if game.forfeiter >= 0:
        forfeit(rules, game)
    while True:
        if game.phase == PHASE_START_GAME:
            if not tell_seats(rules, game, view, hands, seats, START_GAME):
                return 0
            game.phase = PHASE_DEAL
        if game.phase == PHASE_DEAL:
            begin_hand(rules, game, view, seats)
            deal_hand(rules, game, hands)
            game.phase = PHASE_START_HAND
        if game.phase == PHASE_START_HAND:
            if not tell_seats(rules, game, view, hands, seats, START_HAND):
                return 0
            game.phase = PHASE_PASS
        if game.phase == PHASE_PASS:
            if game.pass_need:
                if not choose_passes(rules, game, view, hands, seats):
                    return 0
                exchange(rules, game, hands)
            begin_play(rules, game, view, hands)
            game.phase = PHASE_PLAY
        if game.phase == PHASE_PLAY:
            if not play_tricks(rules, game, view, hands, seats):
                return 0
            end_play(rules, game, view, hands)
            game.phase = PHASE_MOON
        if game.phase == PHASE_MOON:
            if not settle_moon(rules, game, view, hands, seats):
                return 0
            game.phase = PHASE_END_HAND
        if game.phase == PHASE_END_HAND:
            if not tell_seats(rules, game, view, hands, seats, END_HAND):
                return 0
            game.phase = PHASE_LOG
        if game.phase == PHASE_LOG:
            if len(hand_rows):
                filled[0] = log_hand(rules, game, view, seats, hand_rows, filled[0])
            if len(play_rows):
                filled[2] = log_plays(rules, game, view, play_rows, filled[2])
        game.phase = PHASE_DEAL
        if game.ended:
            filled[1] = log_game(rules, game, seats, game_rows, filled[1])
            game.phase = PHASE_IDLE
            return 1


@kernel
def take_seat(game: Any, place: Any, bot: Any) -> None:
    """Let a bot sit down. Field by field: numba would copy the record byte by byte."""
    place.entry = bot.entry
    place.compiled = bot.compiled
    for call in range(len(HOOKS)):
        place.hooks[call] = bot.hooks[call]
        game.hooks |= (bot.hooks[call] != 0) << call
    place.card_function = bot.card_function
    place.own = bot.own
    place.decisions = bot.decisions
    place.nanoseconds = bot.nanoseconds


@kernel
def play_games(
    rules: Any,
    game: Any,
    view: Any,
    hands: Any,
    seats: Any,
    table: Any,
    jobs: Any,
    hand_rows: Any,
    game_rows: Any,
    play_rows: Any,
    filled: Any,
) -> int:
    """Play games one after the other until all are played, the log is full, or a bot failed.

    Parameters
    ----------
    rules, game, view, hands : ndarray of shape (1,)
        Records of `layout`. A game that is in progress is gone on with first.
    seats : ndarray of shape (1,), dtype `SEATS`
        Scratch space: who sits where in the current game.
    table : ndarray of shape (entries, MAX_SEATS), dtype `BOT`
        Every entry's bot for every seat.
    jobs : ndarray of dtype `JOB`
    hand_rows, game_rows, play_rows : ndarray
        The log; of length 0 where it is not wanted.
    filled : ndarray of shape (4,), int64
        Rows used of the three logs, and games done; updated.

    Returns
    -------
    int
        `STATUS_DONE`, `STATUS_FULL` (empty the log and call again) or `STATUS_FAULT`.
    """
    now = game[0]
    players = rules[0].players
    cards_per_hand = players * rules[0].hand_size + players * players * 5
    while filled[3] < len(jobs):
        if now.phase == PHASE_IDLE:
            job = jobs[filled[3]]
            worst = rules[0].max_hands * players
            if len(hand_rows) and filled[0] + worst > len(hand_rows):
                return STATUS_FULL
            if filled[1] + players > len(game_rows):
                return STATUS_FULL
            if len(play_rows) and filled[2] + rules[0].max_hands * cards_per_hand > len(play_rows):
                return STATUS_FULL
            now.block = job.block
            now.seating = job.seating
            now.number = job.number
            now.watched = job.watch
            now.hooks = 0
            for seat in range(players):
                take_seat(now, seats[0].bot[seat], table[job.entries[seat], seat])
            begin_game(rules[0], now, view[0], seats[0])
        if not advance(
            rules[0],
            now,
            view[0],
            hands[0],
            seats[0],
            hand_rows,
            game_rows,
            play_rows,
            filled,
        ):
            return STATUS_FAULT
        if now.watched & WATCH_TIME:
            for seat in range(players):
                bot = seats[0].bot[seat]
                table[bot.entry, seat].decisions = bot.decisions
                table[bot.entry, seat].nanoseconds = bot.nanoseconds
        filled[3] += 1
    return STATUS_DONE
