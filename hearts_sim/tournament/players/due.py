"""Decisions, named so that another process knows them, and those whose fault is known before."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_sim.engine.layout import CARD, HOOKS


@dataclass(frozen=True)
class Due:
    """A fault that is known before: the process of the player ended at this decision.

    Attributes
    ----------
    block, seating : int
        The game.
    key : int
        The decision in it, as `hearts_sim.engine.hooks.decision_key` numbers them.
    kind, message : str
        As of a `Fault`.
    """

    block: int
    seating: int
    key: int
    kind: str
    message: str


def place_of(key: int) -> tuple[int, str, int, int]:
    """Hand, hook, trick and seat of a decision by its key."""
    rest, seat = divmod(key, 16)
    rest, trick = divmod(rest, 64)
    hand, call = divmod(rest, 8)
    return hand, HOOKS[call], trick, seat


def key_of(hand: int, hook: str, trick: int, seat: int) -> int:
    """Key of a decision: what `place_of` takes apart."""
    call = HOOKS.index(hook)
    return ((hand * 8 + call) * 64 + (trick if call == CARD else 0)) * 16 + seat


class SpoiltProcess(Exception):
    """A fault after which nobody can play on in this process; it is due when the part is replayed.

    Parameters
    ----------
    due : Due
    """

    def __init__(self, due: Due) -> None:
        super().__init__(due)
        self.due = due
