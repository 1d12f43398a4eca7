"""Scoring a hand: moon and sun, bonus cards, floors, exact targets, the end of the game, places.

Who competes is a side: a team, or a seat without teams. A side has the number of its first seat.
"""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import inlined, kernel
from hearts_sim.engine.bits import count, lowest
from hearts_sim.engine.record import (
    END_DEALS,
    END_EXACT,
    END_MAX_HANDS,
    END_TARGET,
    END_TIE_CAP,
    EXACT_MINUS50,
    EXACT_WIN,
    EXACT_ZERO,
    FLOOR_HAND,
    FLOOR_TOTAL,
    MOON_CHOICE,
    MOON_MIXED,
    MOON_NEW,
    MOON_OFF,
    MOON_OLD,
    MOON_VOID,
    NOT_ENDED,
    SUN_DOUBLE,
    SUN_OFF,
    SUN_RESET,
)
from hearts_sim.engine.wide import is_wide


@kernel
def find_shooter(rules: Any, table: Any) -> int:
    """A seat of the side that took every penalty card of the hand, or -1.

    By cards, never by points: at the end of a hand all cards are taken, so a side has them all when
    no other side has one.
    """
    shooter = -1
    if rules.moon == MOON_OFF:
        return shooter
    for seat in range(rules.players):
        if table.taken[seat] & rules.moon_cards:
            if shooter < 0:
                shooter = seat
            elif not shot(rules, seat, shooter):
                return -1
    return shooter


@kernel
def shot(rules: Any, seat: int, shooter: int) -> bool:
    """Whether a seat is the shooter, or of the team that shot together."""
    return rules.moon_side[seat] == rules.moon_side[shooter]


@kernel
def is_sun(rules: Any, table: Any, shooter: int) -> bool:
    """Whether the shooter, or the team that shot, took all tricks of the hand as well."""
    if rules.sun == SUN_OFF:
        return False
    for seat in range(rules.players):
        if table.taken[seat] and not shot(rules, seat, shooter):
            # The first trick may be spared: then it is all that another seat may have taken.
            if not rules.sun_spares_first or table.first_winner != seat:
                return False
            cards = count(table.taken[seat])
            if is_wide(rules):
                cards += count(table.taken_twice[seat])
                if table.kitty_seat == seat:
                    cards -= rules.kitty_size
            if cards != rules.players:
                return False
    return True


@kernel
def pay_hand(rules: Any, game: Any, table: Any, shooter: int, moon: int) -> None:
    """Set what the hand is worth to every seat, and the totals that it leads to.

    That is `raw`, `bonus`, `hand_points`, `payers` and `next_totals` of the game; the totals
    themselves stay as they are.

    Parameters
    ----------
    shooter : int
        Seat that shot the moon, -1 for none.
    moon : int
        `MOON_OLD`, `MOON_NEW` or `MOON_VOID`; of no meaning without a shooter.
    """
    game.shooter = shooter
    game.payers = 0
    for seat in range(rules.players):
        game.raw[seat] = table.points[seat]
        game.hand_points[seat] = table.points[seat]
        game.bonus[seat] = 0
    sun = False
    if shooter >= 0:
        sun = is_sun(rules, table, shooter)
        pay_moon(rules, game, shooter, moon, sun)
    if rules.pooled:
        pool_points(rules, game, shooter)
    if rules.bonus_cards or rules.no_trick_bonus:
        add_bonus(rules, game, table, shooter)
    if rules.floor == FLOOR_HAND:
        for seat in range(rules.players):
            game.hand_points[seat] = max(game.hand_points[seat], 0)
    for seat in range(rules.players):
        game.next_totals[seat] = game.totals[seat] + game.hand_points[seat]
    if rules.floor == FLOOR_TOTAL:
        for seat in range(rules.players):
            game.next_totals[seat] = max(game.next_totals[seat], 0)
    if sun and rules.sun == SUN_RESET:
        for seat in range(rules.players):
            if shares_score(rules, seat, shooter):
                game.next_totals[seat] = 0
    if rules.exact_target:
        for seat in range(rules.players):
            game.next_totals[seat] = after_exact(rules, game.next_totals[seat])


@kernel
def pay_moon(rules: Any, game: Any, shooter: int, moon: int, sun: bool) -> None:
    """Put what a moon costs in the place of the penalty points."""
    value = rules.moon_points
    if sun and rules.sun == SUN_DOUBLE:
        value *= 2
    if sun and rules.sun == SUN_RESET:
        value = 0
    for seat in range(rules.players):
        points = 0
        if shot(rules, seat, shooter):
            if moon == MOON_NEW:
                points = -value
        elif moon == MOON_OLD and value and not is_spared(rules, seat, shooter):
            points = value
            game.payers |= 1 << seat
        game.hand_points[seat] = points


@kernel
def is_spared(rules: Any, seat: int, shooter: int) -> bool:
    """Whether a seat is the shooter's partner and does not pay."""
    return rules.moon_spares == 1 and rules.side[seat] == rules.side[shooter]


@kernel
def shares_score(rules: Any, seat: int, shooter: int) -> bool:
    """Whether what happens to the shooter's total happens to a seat's as well."""
    if rules.pooled:
        return rules.side[seat] == rules.side[shooter]
    return shot(rules, seat, shooter)


@kernel
def pool_points(rules: Any, game: Any, shooter: int) -> None:
    """Give both partners the points of their side, which a moon charges once."""
    for side in range(rules.sides):
        points = 0
        for seat in range(rules.players):
            if rules.side[seat] == side:
                if shooter < 0:
                    points += game.hand_points[seat]
                elif game.hand_points[seat]:
                    points = game.hand_points[seat]
        for seat in range(rules.players):
            if rules.side[seat] == side:
                game.hand_points[seat] = points


@kernel
def add_bonus(rules: Any, game: Any, table: Any, shooter: int) -> None:
    """Add bonus cards to the points of who took them, and what taking no trick is worth.

    Partners with one score share both; taking no trick counts for them together, once.
    """
    for seat in range(rules.players):
        bonus = 0
        taken = 0
        for other in range(rules.players):
            if other == seat or (rules.pooled and rules.side[other] == rules.side[seat]):
                bonus += count_bonus(rules, table, other)
                taken |= table.taken[other]
        if taken == 0 and shooter < 0:
            bonus += rules.no_trick_bonus
        game.bonus[seat] = bonus
        game.hand_points[seat] += bonus


@kernel
def count_bonus(rules: Any, table: Any, seat: int) -> int:
    """Points of the bonus cards that a seat took."""
    bonus = 0
    cards = table.taken[seat] & rules.bonus_cards
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        bonus += rules.bonus[card]
        if is_wide(rules):
            bonus += rules.bonus[card] * (table.taken_twice[seat] >> card & 1)
    return bonus


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


@inlined
def standing(rules: Any, totals: Any, side: int) -> int:
    """What a side is compared by: its total, or the sum of its partners' totals."""
    if not rules.singly:
        return totals[side]
    total = 0
    for seat in range(rules.players):
        if rules.side[seat] == side:
            total += totals[seat]
    return total


@inlined
def stands_better(rules: Any, totals: Any, exact: int, one: int, other: int) -> bool:
    """Whether side `one` is placed strictly before side `other`."""
    if (exact >> one & 1) != (exact >> other & 1):
        return exact >> one & 1 == 1
    if rules.win_highest:
        return standing(rules, totals, one) > standing(rules, totals, other)
    return standing(rules, totals, one) < standing(rules, totals, other)


@kernel
def old_moon_loses(rules: Any, game: Any, table: Any, shooter: int) -> bool:
    """Whether the old moon would end the game with a side placed before the shooter's."""
    pay_hand(rules, game, table, shooter, MOON_OLD)
    totals = game.next_totals
    exact = exact_hits(rules, totals)
    if not game.latched and how_it_ends(rules, totals, game.hand_number, exact) == NOT_ENDED:
        return False
    for side in range(rules.sides):
        if stands_better(rules, totals, exact, side, rules.side[shooter]):
            return True
    return False


@kernel
def may_choose_moon(rules: Any, game: Any, table: Any, shooter: int) -> bool:
    """Whether the shooter has a say in how the moon is paid."""
    if shooter < 0 or (rules.sun == SUN_RESET and is_sun(rules, table, shooter)):
        return False
    if rules.moon == MOON_CHOICE:
        return True
    return rules.moon == MOON_MIXED and old_moon_loses(rules, game, table, shooter)


@kernel
def default_moon(rules: Any, game: Any, table: Any, shooter: int) -> int:
    """How a moon is paid when nobody chooses: `MOON_OLD`, `MOON_NEW` or `MOON_VOID`."""
    if rules.moon == MOON_VOID or rules.moon == MOON_NEW or rules.moon == MOON_OLD:
        return rules.moon
    return MOON_NEW if old_moon_loses(rules, game, table, shooter) else MOON_OLD


@kernel
def add_up(rules: Any, game: Any) -> None:
    """Take over the totals that `pay_hand` found, and see whether the game is over."""
    for seat in range(rules.players):
        points = game.hand_points[seat]
        game.adjust[seat] = game.next_totals[seat] - game.totals[seat] - points
        game.totals[seat] = game.next_totals[seat]
        game.sum_points[seat] += points
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
    """Number of sides that no side is placed before."""
    best = 0
    for side in range(rules.sides):
        before, _ = count_place(rules, game, side)
        if before == 0:
            best += 1
    return best


@inlined
def is_placed_before(rules: Any, game: Any, one: int, other: int) -> bool:
    """Whether side `one` is placed strictly before side `other`; who forfeits is last."""
    if game.forfeiter >= 0:
        last = rules.side[game.forfeiter]
        if one == last or other == last:
            return one != other and other == last
    return stands_better(rules, game.totals, game.exact_winners, one, other)


@kernel
def count_place(rules: Any, game: Any, seat: int) -> tuple[int, int]:
    """Sides placed before that of a seat, and sides that share its place (itself included)."""
    side = rules.side[seat]
    before = 0
    level = 0
    for other in range(rules.sides):
        if is_placed_before(rules, game, other, side):
            before += 1
        elif not is_placed_before(rules, game, side, other):
            level += 1
    return before, level
