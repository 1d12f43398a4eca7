"""How the players of a table sit: circular orders and their rotations."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache

from hearts_sim.tournament.plan.cover import Table, key

Seating = tuple[int, ...]
"""Entry on seat 0, 1, ..."""

_MOST_LISTED = 6
"""Tables with more others than this get a random order in each turn: there are too many to list."""


def circular_order(table: Table, seed: int, turn: int, teams: int) -> Seating:
    """Circular order for the `turn`-th block of a table: all orders in turn, in mixed sequence.

    Orders in which all teams have the same line-up, from which nothing can be learnt, are left out.
    """
    if len(table) - 1 > _MOST_LISTED:
        return _random_order(table, seed, turn, teams)
    if len(set(table)) == len(table):
        return _permuted(table, seed, turn % math.factorial(len(table) - 1))
    orders = _distinct_orders(table, seed, teams)
    return orders[(_first_order(table, seed) + turn) % len(orders)]


@lru_cache(maxsize=4096)
def _permuted(table: Table, seed: int, turn: int) -> Seating:
    """Circular order of a table at which everybody sits once."""
    first, *others = table
    mixed = _mixed_permutations(len(others), seed)
    order = mixed[(_first_order(table, seed) + turn) % len(mixed)]
    return (first, *(others[place] for place in order))


@lru_cache(maxsize=4096)
def rotations(order: Seating) -> tuple[Seating, ...]:
    """Every different seating that arises when all move on by one seat, again and again."""
    turned = (order[shift:] + order[:shift] for shift in range(len(order)))
    return tuple(dict.fromkeys(turned))


def teams_are_equal(order: Seating, teams: int) -> bool:
    """Whether all teams of a table have the same line-up, though not all players are the same."""
    line_ups = {tuple(sorted(order[team::teams])) for team in range(teams)}
    return len(line_ups) == 1 and len(set(order)) > 1


def _random_order(table: Table, seed: int, turn: int, teams: int) -> Seating:
    first, *others = table
    for attempt in itertools.count():
        drawn = (seed, table, turn, attempt)
        places = sorted(range(len(others)), key=lambda place: key(*drawn, place))
        order = (first, *(others[place] for place in places))
        if not (teams and teams_are_equal(order, teams)):
            return order
    raise AssertionError


@lru_cache(maxsize=65536)
def _first_order(table: Table, seed: int) -> int:
    return int.from_bytes(key(seed, "order", table)[:7])


@lru_cache(maxsize=8)
def _mixed_permutations(size: int, seed: int) -> list[Seating]:
    permutations = itertools.permutations(range(size))
    return sorted(permutations, key=lambda order: key(seed, "order", order))


@lru_cache(maxsize=256)
def _distinct_orders(table: Table, seed: int, teams: int) -> list[Seating]:
    """Circular orders of a table at which some sit several times."""
    first, *others = table
    distinct: dict[Seating, Seating] = {}
    for rest in itertools.permutations(others):
        order = (first, *rest)
        if not teams_are_equal(order, teams):
            distinct.setdefault(min(rotations(order)), order)
    return sorted(distinct.values(), key=lambda order: key(seed, "order", order))
