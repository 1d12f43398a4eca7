"""Scoring a hand: the moon, exact targets, the end of the game, places."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.record import (
    END_DEALS,
    END_EXACT,
    END_MAX_HANDS,
    END_TARGET,
    END_TIE_CAP,
    EXACT_MINUS50,
    EXACT_WIN,
    EXACT_ZERO,
    MOON_CHOICE,
    MOON_MIXED,
    MOON_NEW,
    MOON_OFF,
    MOON_OLD,
    MOON_VOID,
    NOT_ENDED,
)


@kernel
def find_shooter(rules: Any, table: Any) -> int:
    """Seat that took every penalty card, or -1; by cards, never by points."""
    if rules.moon == MOON_OFF:
        return -1
    for seat in range(rules.players):
        if table.taken[seat] & rules.penalty_cards == rules.penalty_cards:
            return seat
    return -1


@kernel
def after_exact(rules: Any, total: int) -> int:
    """Total after the relief for standing exactly on the target."""
    if total == rules.target:
        if rules.exact_target == EXACT_MINUS50:
            return total - 50
        if rules.exact_target == EXACT_ZERO:
            return 0
    return total


@kernel
def how_it_ends(rules: Any, totals: Any, hand_number: int, exact: int) -> int:
    """Whether these totals end the game, and by what (`NOT_ENDED` when they do not)."""
    if rules.deals:
        if hand_number >= rules.deals:
            return END_DEALS
    else:
        for seat in range(rules.players):
            if totals[seat] >= rules.target + rules.pass_target:
                return END_TARGET
    return END_EXACT if exact else NOT_ENDED


@kernel
def exact_hits(rules: Any, totals: Any) -> int:
    """Seats (as a mask) that win by standing exactly on the target."""
    hits = 0
    if rules.exact_target == EXACT_WIN:
        for seat in range(rules.players):
            if totals[seat] == rules.target:
                hits |= 1 << seat
    return hits


@kernel
def stands_better(rules: Any, totals: Any, exact: int, one: int, other: int) -> bool:
    """Whether seat `one` is placed strictly before seat `other`."""
    if (exact >> one & 1) != (exact >> other & 1):
        return exact >> one & 1 == 1
    if rules.win_highest:
        return totals[one] > totals[other]
    return totals[one] < totals[other]


@kernel
def old_moon_loses(rules: Any, game: Any, shooter: int) -> bool:
    """Whether the old moon would end the game with somebody placed before the shooter."""
    totals = np.zeros(rules.players, np.int64)
    for seat in range(rules.players):
        paid = 0 if seat == shooter else rules.moon_points
        totals[seat] = after_exact(rules, game.totals[seat] + paid)
    exact = exact_hits(rules, totals)
    if not game.latched and how_it_ends(rules, totals, game.hand_number, exact) == NOT_ENDED:
        return False
    for seat in range(rules.players):
        if stands_better(rules, totals, exact, seat, shooter):
            return True
    return False


@kernel
def may_choose_moon(rules: Any, game: Any, shooter: int) -> bool:
    """Whether the shooter has a say in how the moon is paid."""
    if shooter < 0:
        return False
    if rules.moon == MOON_CHOICE:
        return True
    return rules.moon == MOON_MIXED and old_moon_loses(rules, game, shooter)


@kernel
def default_moon(rules: Any, game: Any, shooter: int) -> int:
    """How a moon is paid when nobody chooses: `MOON_OLD`, `MOON_NEW` or `MOON_VOID`."""
    if rules.moon == MOON_VOID or rules.moon == MOON_NEW or rules.moon == MOON_OLD:
        return rules.moon
    return MOON_NEW if old_moon_loses(rules, game, shooter) else MOON_OLD


@kernel
def pay_hand(rules: Any, game: Any, table: Any, shooter: int, moon: int) -> None:
    """Set `game.hand_points`: the penalty points, or what the moon puts in their place."""
    game.shooter = shooter
    game.moon_choice = moon
    for seat in range(rules.players):
        points = table.points[seat]
        game.raw[seat] = points
        if shooter >= 0:
            points = 0
            if moon == MOON_OLD and seat != shooter:
                points = rules.moon_points
            if moon == MOON_NEW and seat == shooter:
                points = -rules.moon_points
        game.hand_points[seat] = points


@kernel
def add_up(rules: Any, game: Any) -> None:
    """Add the hand to the totals, relieve exact hits, and see whether the game is over."""
    for seat in range(rules.players):
        total = game.totals[seat] + game.hand_points[seat]
        game.totals[seat] = after_exact(rules, total)
        game.adjust[seat] = game.totals[seat] - total
        game.sum_points[seat] += game.hand_points[seat]
    game.exact_winners = exact_hits(rules, game.totals)
    if game.latched:
        game.extra_hands += 1
    else:
        game.latched = how_it_ends(rules, game.totals, game.hand_number, game.exact_winners)
    if game.latched:
        if rules.tie_draw or count_best(rules, game) == 1:
            game.ended = END_EXACT if game.exact_winners else game.latched
        elif game.extra_hands >= rules.tie_cap:
            game.ended = END_TIE_CAP
    if not game.ended and game.hand_number >= rules.max_hands:
        game.ended = END_MAX_HANDS


@kernel
def count_best(rules: Any, game: Any) -> int:
    """Number of seats that nobody is placed before."""
    best = 0
    for seat in range(rules.players):
        before, _ = count_place(rules, game, seat)
        if before == 0:
            best += 1
    return best


@kernel
def count_place(rules: Any, game: Any, seat: int) -> tuple[int, int]:
    """Seats placed before a seat, and seats that share its place (itself included)."""
    before = 0
    level = 0
    for other in range(rules.players):
        if stands_better(rules, game.totals, game.exact_winners, other, seat):
            before += 1
        elif not stands_better(rules, game.totals, game.exact_winners, seat, other):
            level += 1
    return before, level
