"""Search players: from what a seat sees and its options to a card or a pass.

Where worlds cannot be drawn, with two packs, they play by `all_round`.
"""

from __future__ import annotations

from typing import Any, Final

from hearts_sim.engine.memory import rules_at, stream_at
from hearts_sim.search import all_round
from hearts_sim.search._jit import kernel
from hearts_sim.search.belief import covers
from hearts_sim.search.memory import wide_rules_at
from hearts_sim.search.monte_carlo import choose_by_playouts
from hearts_sim.search.pass_search import choose_pass_by_playouts
from hearts_sim.search.plan import new_plan
from hearts_sim.search.tree import choose_by_tree
from hearts_sim.search.value import spread_ahead
from hearts_sim.strategy.toolkit import options

OPTIONS: Final = {
    "playouts": 1000,
    "pass_playouts": 4000,
    "worlds": 0,
    "seconds": 0,
    "threat": 9,
    "places": 1,
    "courage": 1.4,
}
"""Options of every search player, in this order, with their defaults.

``playouts`` and ``pass_playouts`` are hands played out for a card and for a pass, ``worlds`` the
most worlds drawn and ``seconds`` the most time for a decision (0: no limit; with a limit of time
runs are not repeated exactly). Playouts take one seat with all penalty cards for a danger from
``threat`` points on. ``places`` 1 plays for the place at the game's end, 0 for points in each hand.
``courage`` is how gladly a tree tries what looks bad.
"""
_PLAYOUTS, _PASS_PLAYOUTS, _WORLDS, _SECONDS, _THREAT, _PLACES, _COURAGE = range(len(OPTIONS))

MEMORY_WORDS: Final = all_round.MEMORY_WORDS


@kernel
def plan_of(rules: Any, view: Any, playouts: int, sensible: bool) -> Any:
    """The plan that the options of a seat make."""
    own = options(view)
    spread = spread_ahead(rules, view) if own[_PLACES] else 0.0
    return new_plan(playouts, own[_WORLDS], own[_SECONDS], sensible, own[_THREAT], spread)


@kernel
def start_game(view: Any) -> None:
    """Before the first hand of a game."""
    if not covers(rules_at(view.rules)):
        all_round.start_game(view)


@kernel
def card_by_playouts(view: Any, sensible: bool) -> int:
    """The card that playouts find best, at random or sensible ones."""
    rules = rules_at(view.rules)
    if not covers(rules):
        return all_round.choose_card(view)
    stream, playouts = stream_at(view.own), options(view)[_PLAYOUTS]
    if view.kitty_size:
        wide = wide_rules_at(view.rules)
        return choose_by_playouts(wide, view, stream, plan_of(wide, view, playouts, sensible))
    return choose_by_playouts(rules, view, stream, plan_of(rules, view, playouts, sensible))


@kernel
def card_by_tree(view: Any) -> int:
    """The card that a tree search finds best."""
    rules = rules_at(view.rules)
    if not covers(rules):
        return all_round.choose_card(view)
    own, stream = options(view), stream_at(view.own)
    if view.kitty_size:
        wide = wide_rules_at(view.rules)
        plan = plan_of(wide, view, own[_PLAYOUTS], True)
        return choose_by_tree(wide, view, stream, plan, own[_COURAGE])
    plan = plan_of(rules, view, own[_PLAYOUTS], True)
    return choose_by_tree(rules, view, stream, plan, own[_COURAGE])


@kernel
def habitual_pass(view: Any) -> int:
    """The pass of `all_round`, without any search."""
    all_round.start_game(view)
    return all_round.choose_pass(view)


@kernel
def pass_by_playouts(view: Any) -> int:
    """The pass that playouts find best."""
    rules = rules_at(view.rules)
    if not covers(rules):
        return all_round.choose_pass(view)
    stream, playouts = stream_at(view.own), options(view)[_PASS_PLAYOUTS]
    if view.kitty_size:
        wide = wide_rules_at(view.rules)
        return choose_pass_by_playouts(wide, view, stream, plan_of(wide, view, playouts, True))
    return choose_pass_by_playouts(rules, view, stream, plan_of(rules, view, playouts, True))
