"""Endgames by brute force: plain Python, with the twin's rules, straight from the definition.

An outcome is possible if there is a choice of what each card leads to, among what is possible after
it, with which the seat in turn may play that card: no other card costs it less. So all choices are
gone through, one for each card; nothing is said of limits.
"""

from __future__ import annotations

import copy
from itertools import product

from pair import twin_of
from twin import TwinGame

from hearts_sim.engine.table import Table

Outcome = tuple[int, ...]


def twin_at(table: Table, dealt: list[list[str]], passed: list[list[str]], plays: list[str]):
    """The twin after the same deal, pass and cards."""
    twin = twin_of(table.rules)
    twin.start_hand(dealt)
    if twin.pass_size:
        twin.exchange(passed)
    for card in plays:
        twin.play(card)
    return twin


def outcomes(twin: TwinGame) -> set[Outcome]:
    """All possible points of the hand by seat."""
    if twin.hand_over:
        return {tuple(copy.deepcopy(twin).score_hand().points)}
    seat = twin.to_play
    below = [outcomes(after(twin, card)) for card in sorted(twin.legal())]
    found: set[Outcome] = set()
    for choice in product(*below):
        least = min(outcome[seat] for outcome in choice)
        found |= {outcome for outcome in choice if outcome[seat] == least}
    return found


def after(twin: TwinGame, card: str) -> TwinGame:
    """The game with one card more."""
    game = copy.deepcopy(twin)
    game.play(card)
    return game
