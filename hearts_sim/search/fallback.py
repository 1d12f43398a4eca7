"""What search players do where they do not search: play by `all_round`."""

from __future__ import annotations

from typing import Any

from hearts_sim.engine.memory import rules_at
from hearts_sim.search import all_round
from hearts_sim.search._jit import kernel
from hearts_sim.search.belief import covers
from hearts_sim.search.linked import address_of, linked, view_at


@linked("int64(int64)")
def all_round_card(view: int) -> int:
    """The card of `all_round`, for the view at an address."""
    return all_round.choose_card(view_at(view))


@linked("int64(int64)")
def all_round_pass(view: int) -> int:
    """The pass of `all_round`, for the view at an address."""
    shown = view_at(view)
    all_round.start_game(shown)
    return all_round.choose_pass(shown)


@kernel
def start_game(view: Any) -> None:
    """Before the first hand of a game."""
    if not covers(rules_at(view.rules)):
        all_round.start_game(view)


@kernel
def habitual_pass(view: Any) -> int:
    """The pass of `all_round`, without any search."""
    return all_round_pass(address_of(view))
