"""How much a search may do, how it values what comes out, and the room that it works in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hearts_sim.engine.hooks import clock
from hearts_sim.engine.layout import GAME, HANDS, TABLE
from hearts_sim.search._jit import inlined, kernel

UNLIMITED = np.int64(1 << 40)

MOST_WORLDS = 4096
"""Worlds in which candidates are compared, at most."""


class Plan(NamedTuple):
    """What a decision may cost and what counts.

    Attributes
    ----------
    playouts : int
        Hands played out for a decision, at most.
    worlds : int
        Worlds drawn for a decision, at most.
    deadline : int
        Nanoseconds of the clock at which the search ends; 0 for never.
    sensible : bool
        Whether playouts go by `policy`, or at random.
    threat : int
        Points from which on one seat that has all of them is stopped, in sensible playouts.
    spread : float
        As in `value.value_of`: 0 to value points, otherwise places.
    exact : bool
        Whether the last tricks are played exactly (`endgame`) instead of played out.
    trust : float
        As of `reading.believe_signs`.
    """

    playouts: Any
    worlds: Any
    deadline: Any
    sensible: Any
    threat: Any
    spread: Any
    exact: Any
    trust: Any


class Room(NamedTuple):
    """Room for one record each: numba keeps an array alive for a call, not a record in it."""

    tables: Any
    worlds: Any
    hands: Any
    scores: Any


@kernel
def new_room() -> Any:
    """Room for a search."""
    return Room(np.zeros(1, TABLE), np.zeros(1, HANDS), np.zeros(1, HANDS), np.zeros(1, GAME))


@kernel
def new_plan(
    playouts: float,
    worlds: float,
    seconds: float,
    sensible: bool,
    threat: float,
    spread: float,
    exact: bool,
    trust: float,
) -> Any:
    """A plan from options of a player, where 0 is no limit."""
    deadline = np.int64(0)
    if seconds > 0.0:
        deadline = clock() + np.int64(seconds * 1e9)
    return Plan(
        np.int64(playouts) if playouts > 0.0 else UNLIMITED,
        np.int64(worlds) if worlds > 0.0 else UNLIMITED,
        deadline,
        sensible,
        np.int64(threat),
        spread,
        exact,
        trust,
    )


@inlined
def is_over(plan: Any) -> bool:
    """Whether the time is over."""
    return plan.deadline != 0 and clock() >= plan.deadline
