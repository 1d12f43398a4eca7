"""Rows that the compiled core writes: a hand, a game, a card.

The column registry of the results (names, units, meaning) is built on these.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.bits import count
from hearts_sim.engine.public import how_queen_came
from hearts_sim.engine.score import count_place, shot
from hearts_sim.engine.wide import is_wide

HEARTS = 0x1FFF << 39
QUEEN_CARD = 36
PASSED = np.int64(0)


HAND_ROW: Final = np.dtype(
    [
        ("block", "<u4"),
        ("game", "<u4"),
        ("score", "<i4"),
        ("raw", "<i4"),
        ("bonus", "<i4"),
        ("points", "<i4"),
        ("adjust", "<i4"),
        ("hand", "<u2"),
        ("strategy", "<u2"),
        ("seating", "<u2"),
        ("seat", "u1"),
        ("team", "i1"),
        ("pass", "i1"),
        ("hearts", "u1"),
        ("queen", "u1"),
        ("queen_how", "u1"),
        ("queen_by", "i1"),
        ("tricks", "u1"),
        ("moon", "i1"),
        ("moon_stopped_by", "i1"),
    ]
)
"""One row per hand and seat."""

GAME_ROW: Final = np.dtype(
    [
        ("block", "<u4"),
        ("game", "<u4"),
        ("score", "<i4"),
        ("points", "<i4"),
        ("place", "<f4"),
        ("win", "<f4"),
        ("strategy", "<u2"),
        ("hands", "<u2"),
        ("moons", "<u2"),
        ("queens", "<u2"),
        ("seating", "<u2"),
        ("faults", "<u2"),
        ("seat", "u1"),
        ("team", "i1"),
        ("ended", "u1"),
    ]
)
"""One row per game and seat."""

PLAY_ROW: Final = np.dtype(
    [
        ("block", "<u4"),
        ("game", "<u4"),
        ("hand", "<u2"),
        ("seating", "<u2"),
        ("trick", "u1"),
        ("seat", "u1"),
        ("card", "u1"),
    ]
)
"""One row per card; trick 0 holds the cards that a seat passed."""


@kernel
def team_of(rules: Any, seat: int) -> int:
    """Team of a seat, -1 without teams."""
    return rules.side[seat] if rules.team_count else -1


@kernel
def log_hand(rules: Any, game: Any, view: Any, seats: Any, rows: Any, at: int) -> int:
    """Write the rows of a finished hand; returns the next free row."""
    for seat in range(rules.players):
        row = rows[at + seat]
        row.block = game.block
        row.game = game.number
        row.score = game.totals[seat]
        row.hand = game.hand_number
        row.strategy = seats.bot[seat].entry
        row.raw = game.raw[seat]
        row.bonus = game.bonus[seat]
        row.points = game.hand_points[seat]
        row.adjust = game.adjust[seat]
        row.seating = game.seating
        row.seat = seat
        row.team = team_of(rules, seat)
        row["pass"] = game.pass_offset
        hearts = count(view.taken[seat] & HEARTS)
        queens = view.taken[seat] >> QUEEN_CARD & 1
        how, by = how_queen_came(rules, game, seat)
        row.queen_how = how if queens else 0
        row.queen_by = by if queens else -1
        if is_wide(rules):
            hearts += count(view.taken_twice[seat] & HEARTS)
            queens += view.taken_twice[seat] >> QUEEN_CARD & 1
        row.hearts = hearts
        row.queen = queens
        row.tricks = view.tricks_won[seat]
        moon = 0
        if game.shooter >= 0:
            if shot(rules, seat, game.shooter):
                moon = 1
            elif game.payers >> seat & 1:
                moon = -1
        row.moon = moon
        row.moon_stopped_by = game.stopped_by[seat]
    return at + rules.players


@kernel
def log_plays(rules: Any, game: Any, view: Any, rows: Any, at: int) -> int:
    """Write every card of a finished hand, passes first; returns the next free row."""
    if game.pass_need:
        for seat in range(rules.players):
            for card in range(52):
                if game.passed[seat] >> card & 1:
                    at = _log_card(game, rows, at, PASSED, seat, card)
                if is_wide(rules) and game.passed_twice[seat] >> card & 1:
                    at = _log_card(game, rows, at, PASSED, seat, card)
    for trick in range(rules.hand_size):
        for place in range(rules.players):
            seat = (view.leaders[trick] + place) % rules.players
            card = view.history[trick * rules.players + place]
            at = _log_card(game, rows, at, trick + 1, seat, card)
    return at


@kernel
def _log_card(game: Any, rows: Any, at: int, trick: int, seat: int, card: int) -> int:
    row = rows[at]
    row.block = game.block
    row.game = game.number
    row.hand = game.hand_number
    row.seating = game.seating
    row.trick = trick
    row.seat = seat
    row.card = card
    return at + 1


@kernel
def log_game(rules: Any, game: Any, seats: Any, rows: Any, at: int) -> int:
    """Write the rows of a finished game; returns the next free row."""
    for seat in range(rules.players):
        before, level = count_place(rules, game, seat)
        row = rows[at + seat]
        row.block = game.block
        row.game = game.number
        row.score = game.totals[seat]
        row.points = game.sum_points[seat]
        row.place = before + (level + 1) / 2
        row.win = 1 / level if before == 0 else 0.0
        row.strategy = seats.bot[seat].entry
        row.hands = game.hand_number
        row.moons = game.sum_moons[seat]
        row.queens = game.sum_queens[seat]
        row.faults = game.faults[seat]
        row.seating = game.seating
        row.seat = seat
        row.team = team_of(rules, seat)
        row.ended = game.ended
    return at + rules.players
