"""Values of endings by plain recursion with the twin's rules: every card, nothing cut off."""

from __future__ import annotations

import math
from typing import Any

from pair import BIT
from twin import TwinGame

_LISTS = ("raw", "tricks_won", "history", "takers", "held", "trick")
_LISTS_BY_SEAT = ("hands", "taken", "played_by")
_PLAIN = ("held_tricks", "leader", "to_play", "broken", "kitty_seat", "_phase")


def _saved(twin: TwinGame) -> dict[str, Any]:
    state: dict[str, Any] = {name: getattr(twin, name) for name in _PLAIN}
    state |= {name: list(getattr(twin, name)) for name in _LISTS}
    state |= {name: [list(some) for some in getattr(twin, name)] for name in _LISTS_BY_SEAT}
    return state


def points_after(twin: TwinGame) -> tuple[list[int], list[int]]:
    """Points of a finished hand and the totals after it, the moon paid by default."""
    payment = None
    if twin._sun_resets():
        payment = "sun"
    elif twin.moon_seats():
        fixed = {"old": "add", "new": "subtract", "void": "void"}
        payment = fixed.get(twin.rules["moon"]) or twin.default_moon()
    points = twin._points(payment)
    return points, twin._totals(points)


def values_of(twin: TwinGame, spread: float) -> list[float]:
    """What a finished hand is worth to each seat."""
    points, totals = points_after(twin)
    sign = 1 if twin.rules["win"] == "lowest" else -1
    values = []
    for seat in twin.seats:
        own = twin.sides[twin.side_of(seat)]
        if spread == 0.0:
            others = [points[other] for other in twin.seats if other not in own]
            mine = sum(points[mate] for mate in own) / len(own)
            values.append(sign * (sum(others) / len(others) - mine))
            continue
        rank, ends = twin._ranking(totals), twin._end_reason(totals) is not None
        beaten = 0.0
        for number, side in enumerate(twin.sides):
            if side == own:
                continue
            mine_rank = rank[twin.side_of(seat)]
            if ends:
                beaten += 1.0 if mine_rank < rank[number] else 0.5 * (mine_rank == rank[number])
            else:
                pooled = twin.rules["teams"] == "pooled"
                theirs, ours = (
                    sum(totals[mate] for mate in some) / (len(some) if pooled else 1)
                    for some in (side, own)
                )
                beaten += 1.0 / (1.0 + math.exp(-1.702 * sign * (theirs - ours) / spread))
        values.append(beaten)
    return values


def each_card(
    twin: TwinGame, spread: float, ties: list[str] | None = None
) -> dict[str, list[float]]:
    """Values of all seats after each legal card, when all take the best for themselves.

    Who is indifferent takes the lowest of the best cards. Into `ties` go cards that would have been
    as good for who did not play them, but not for everybody.
    """
    values = {}
    for card in sorted(twin.legal(), key=BIT.__getitem__):
        before = _saved(twin)
        voids = [set(some) for some in twin.voids]
        twin.play(card)
        values[card] = solved(twin, spread, ties)
        for name, value in before.items():
            setattr(twin, name, value)
        twin.voids = voids
    return values


def best_of(values: dict[str, list[float]], seat: int) -> str:
    """The first card with the best value for a seat."""
    best = ""
    for card in values:
        if not best or values[card][seat] > values[best][seat] + 1e-12:
            best = card
    return best


def solved(twin: TwinGame, spread: float, ties: list[str] | None = None) -> list[float]:
    """Values of all seats under perfect play with open hands."""
    if twin.hand_over:
        return values_of(twin, spread)
    values, seat = each_card(twin, spread, ties), twin.to_play
    assert seat is not None
    best = values[best_of(values, seat)]
    if ties is not None:
        same = [card for card in values if abs(values[card][seat] - best[seat]) < 1e-9]
        ties += [card for card in same if values[card] != best]
    return best
