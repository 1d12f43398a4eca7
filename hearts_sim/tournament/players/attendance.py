"""Who plays in which part: an entry that fails too often is out from the next part on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hearts_sim.tournament.plan.policy import FAULTY_GAMES
from hearts_sim.tournament.plan.schedule import Part
from hearts_sim.tournament.plan.spec import RunSpec


@dataclass(frozen=True)
class Turnout:
    """What a played part says about its entries; lists are by entry.

    `absent` are the entries whose games were left out, `seated` counts games in which an entry
    sat, `faulty` those in which it failed.
    """

    absent: tuple[int, ...]
    seated: Sequence[int]
    faulty: Sequence[int]


@dataclass(frozen=True)
class Disqualified:
    """An entry that plays no more from a block on, with its games so far."""

    entry: int
    block: int
    games: int
    faulty: int
    why: str


class Attendance:
    """Follows the parts of a run in their order, however they come in.

    Parameters
    ----------
    spec : RunSpec
    parts : sequence of Part
        All parts of the run.
    barred : mapping of entry to text
        Entries that cannot play at all, and why.

    Attributes
    ----------
    out : dict of entry to Disqualified
        In the order in which it was decided.
    confirmed : int
        So many parts are played as they must be, by who was not out then.
    goes_on : bool
        Whether there can be games in which nobody is out.
    """

    def __init__(self, spec: RunSpec, parts: Sequence[Part], barred: Mapping[int, str]) -> None:
        self.spec = spec
        self.parts = parts
        self.out = {entry: Disqualified(entry, 0, 0, 0, why) for entry, why in barred.items()}
        self.confirmed = 0
        self.goes_on = self._can_go_on()
        self._seated = np.zeros(len(spec.entries), np.int64)
        self._faulty = np.zeros(len(spec.entries), np.int64)

    @property
    def absent(self) -> tuple[int, ...]:
        """Entries that play no more, as far as is known."""
        return tuple(sorted(self.out))

    def confirm(self, turnout: Turnout) -> list[int]:
        """Take in the part that is next in the order; returns who is out from now on."""
        before = set(self.out)
        self._seated += np.asarray(turnout.seated)
        self._faulty += np.asarray(turnout.faulty)
        self._decide(self.parts[self.confirmed].blocks.stop)
        self.confirmed += 1
        return [entry for entry in self.out if entry not in before]

    def _decide(self, block: int) -> None:
        rate = self.spec.faults.max_rate
        too_many = (self._faulty >= FAULTY_GAMES) & (self._faulty > rate * self._seated)
        for entry in np.flatnonzero(too_many).tolist():
            if entry not in self.out:
                games, faulty = int(self._seated[entry]), int(self._faulty[entry])
                why = (
                    f"it failed in {faulty} of its {games} games, more than {100 * rate:g} % "
                    "(max_rate)"
                )
                self.out[entry] = Disqualified(entry, block, games, faulty, why)
                self.goes_on = self._can_go_on()

    def _can_go_on(self) -> bool:
        return not self.out or self.spec.schedule.can_go_on(self.out)

    def plain(self) -> list[dict[str, Any]]:
        """Who is disqualified, for ``run.json``."""
        return [
            {
                "strategy": self.spec.names[item.entry],
                "block": item.block,
                "games": item.games,
                "faulty": item.faulty,
                "why": item.why,
            }
            for item in self.out.values()
        ]
