"""Telling how a run goes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

STANDS_SECONDS: Final = 60.0
"""After so long without the end of a game it is said that something may hang."""


class Watcher:
    """Who is told how a run goes; this one says nothing of it."""

    def notice(self, text: str) -> None:
        """Something about where it is played."""

    def compiling(self) -> None:
        """The engine or strategies may have to be compiled now."""

    def started(self, games: int) -> None:
        """The games begin."""

    def continued(self, games: int) -> None:
        """The run goes on with so many games that are played already."""

    def advanced(self, games: int) -> None:
        """So many games are played by now."""

    def interim(self, text: str) -> None:
        """How a run that ends by its results stands."""

    def disqualified(self, name: str, why: str) -> None:
        """An entry plays no more."""

    def auditing(self, share: float) -> None:
        """So large a share of the blocks is played again now."""

    def stands(self, seconds: float) -> None:
        """No game has come to its end for so long, and nothing limits the time of a bot."""

    def damaged(self, part: int, why: str) -> None:
        """A part that was played is not whole, and is played again."""

    def put_aside(self, path: str) -> None:
        """A file that belongs to no part of the run has this name now."""

    def finishing(self, parts: int) -> None:
        """The run was interrupted; so many parts are in play and are finished."""


@dataclass
class Progress:
    """Games played: in parts that are kept, and in those that are being played.

    Attributes
    ----------
    watcher : Watcher
    kept, at_hand : int
        Games in parts that are kept, and those that are being played in this process.
    patience : float
        Seconds without the end of a game after which that is said, once.
    elsewhere : callable
        Games that are being played in other processes.
    """

    watcher: Watcher
    kept: int = 0
    at_hand: int = 0
    patience: float = math.inf
    elsewhere: Callable[[], int] = lambda: 0
    _told: int = field(default=0)
    _since: float = field(default_factory=time.monotonic)

    def begin(self) -> None:
        """The games begin: what came before, as compiling, is no waiting for a game."""
        self._since = time.monotonic()

    def add(self, games: int) -> None:
        """Count games that are being played in this process."""
        self.at_hand += games
        self.tell()

    def keep(self, games: int) -> None:
        """Count the games of a part that is kept."""
        self.kept += games
        self.at_hand = 0

    def tell(self) -> None:
        """Tell how many games are played by now, if there are more than before."""
        games = self.kept + self.at_hand + self.elsewhere()
        now = time.monotonic()
        if games > self._told:
            self._told, self._since = games, now
            self.watcher.advanced(games)
        elif now - self._since > self.patience:
            self.patience = math.inf  # once is enough
            self.watcher.stands(now - self._since)
