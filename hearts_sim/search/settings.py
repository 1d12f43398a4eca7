"""Options of the search players, and the plan that they make."""

from __future__ import annotations

from typing import Any, Final

from hearts_sim.search import all_round
from hearts_sim.search._jit import kernel
from hearts_sim.search.plan import new_plan
from hearts_sim.search.value import spread_ahead
from hearts_sim.strategy.toolkit import options

OPTIONS: Final = {
    "playouts": 1000,
    "pass_playouts": 4000,
    "worlds": 0,
    "seconds": 0,
    "threat": 9,
    "places": 1,
    "courage": 0.3,
    "exact": 1,
    "trust": 1,
}
"""Options of every search player, in this order, with their defaults.

``playouts`` and ``pass_playouts`` are hands played out for a card and for a pass, ``worlds`` the
most worlds drawn and ``seconds`` the most time for a decision (0: no limit; with a limit of time
runs are not repeated exactly). Playouts take one seat with all penalty cards for a danger from
``threat`` points on. ``places`` 1 plays for the place at the game's end, 0 for points in each hand.
``courage`` is how gladly a tree tries what looks bad. ``exact`` 1 solves the last tricks of each
world instead of playing them out; a tree has no use for it. ``trust`` is how far worlds are more
likely that agree with what others chose: 1 as `reading` counts it, 0 not at all.
"""
PLAYOUTS, PASS_PLAYOUTS, WORLDS, SECONDS = range(4)
THREAT, PLACES, COURAGE, EXACT, TRUST = range(4, len(OPTIONS))

WITH_TWO_PACKS: Final = (
    "where a card may be there twice it does not look ahead, but plays by the habits of AllRound."
)
"""What every search player says of itself, as `CompiledStrategy.with_two_packs`."""

MEMORY_WORDS: Final = all_round.MEMORY_WORDS
"""Scratch memory of every search player; only the fallback needs it."""


@kernel
def plan_of(rules: Any, view: Any, playouts: int, sensible: bool) -> Any:
    """The plan that the options of a seat make."""
    own = options(view)
    spread = spread_ahead(rules, view) if own[PLACES] else 0.0
    return new_plan(
        playouts,
        own[WORLDS],
        own[SECONDS],
        sensible,
        own[THREAT],
        spread,
        own[EXACT] > 0.0,
        own[TRUST],
    )
