"""Runs that end by their results: at fixed block numbers, in the order of the blocks.

What is decided follows from the log up to a block that the schedule names, so that neither the
number of processes nor the order in which parts come back can change it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from hearts_sim.rules import Rules

if TYPE_CHECKING:
    from hearts_sim.tournament.counting.kept import KeptPart


@dataclass(frozen=True)
class Verdict:
    """What a look at a running tournament says.

    Attributes
    ----------
    standing : str
        How it stands, short enough for a progress bar.
    text : str
        The same with what it means, in one line.
    ends : bool
        Whether the run ends here.
    figures : dict
        The same as plain JSON values.
    """

    standing: str
    text: str
    ends: bool
    figures: dict[str, Any]


class Decider(Protocol):
    """Looks at a run as it goes on."""

    def add(self, part: KeptPart) -> None:
        """Take in the games of the next part."""

    def look(self) -> Verdict:
        """Say where the run stands."""


class Stop(Protocol):
    """A rule by which a run ends."""

    def plain(self) -> dict[str, Any]:
        """The rule as plain JSON values."""

    def when(self) -> str:
        """When the run ends, for a person."""

    def begin(self, rules: Rules, entries: int) -> Decider:
        """Somebody who applies it to a run."""


@dataclass(frozen=True)
class Target:
    """End when the widest interval against the reference is narrow enough.

    Parameters
    ----------
    measure : {"elo", "points"}
    halfwidth : float
        In Elo, or in points per hand.
    confidence : float
    reference : int or None
        Entry against which the others are measured. None: Elo against the field's mean, and points
        as they are.
    """

    measure: str
    halfwidth: float
    confidence: float
    reference: int | None

    def plain(self) -> dict[str, Any]:
        return {"rule": "target", **dataclasses.asdict(self)}

    def when(self) -> str:
        unit = "Elo" if self.measure == "elo" else "points per hand"
        return f"when the widest interval is no wider than ±{self.halfwidth:g} {unit}"

    def begin(self, rules: Rules, entries: int) -> Decider:
        from hearts_sim.tournament.run.deciding import TargetDecider

        return TargetDecider(self, entries)


@dataclass(frozen=True)
class Sprt:
    """A sequential test of a duel: by how much entry 0 is better than entry 1.

    Parameters
    ----------
    measure : {"points", "elo"}
        Points per hand, counted so that more is better for entry 0, or Elo.
    h0, h1, alpha, beta
        As in `SequentialTest`; in points per hand, or Elo.
    names : tuple of str
        The two entries.
    """

    measure: str
    h0: float
    h1: float
    alpha: float
    beta: float
    names: tuple[str, str]

    def plain(self) -> dict[str, Any]:
        return {"rule": "sprt", **dataclasses.asdict(self), "names": list(self.names)}

    def when(self) -> str:
        unit = "Elo" if self.measure == "elo" else "points per hand"
        first, second = self.names
        return (
            f"when a sequential test finds that {first} is ahead of {second} by {self.h1:+g} "
            f"{unit} (h1) rather than {self.h0:+g} (h0), or the other way round; alpha "
            f"{self.alpha:g}, beta {self.beta:g}"
        )

    def begin(self, rules: Rules, entries: int) -> Decider:
        from hearts_sim.tournament.run.deciding import SprtDecider

        return SprtDecider(self, rules.win == "highest")
