"""What a run does about a bot that fails."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

POLICIES: Final = ("strict", "substitute", "forfeit")

FAULTY_GAMES: Final = 20
"""So many games with a fault an entry must have had before it can be disqualified."""


@dataclass(frozen=True)
class FaultRules:
    """The section ``faults`` of a config.

    Attributes
    ----------
    policy : {"strict", "substitute", "forfeit"}
        Stop at once; play a neutral legal card instead; or end the game, with the last place for
        who failed.
    decision_seconds : float or None
        Longest time of one call of a bot.
    game_seconds : float or None
        Longest time of a bot in one game, all its calls together, for each seat.
    memory_mb : int or None
        Memory of the bots of a player process, or of each bot that has a process of its own, in
        units of 2**20 bytes.
    max_rate : float
        Share of its games with a fault above which an entry is disqualified.
    """

    policy: str = "substitute"
    decision_seconds: float | None = None
    game_seconds: float | None = None
    memory_mb: int | None = None
    max_rate: float = 0.01

    @property
    def timed(self) -> bool:
        """Whether there is a limit of time."""
        return self.decision_seconds is not None or self.game_seconds is not None

    def plain(self) -> dict[str, Any]:
        """The rules as JSON values."""
        return asdict(self)
