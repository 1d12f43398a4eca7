"""The compiled core with its memory: what plays games for a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hearts_sim.cards import MAX_SEATS
from hearts_sim.engine.game import STATUS_DONE, STATUS_FAULT, play_games
from hearts_sim.engine.layout import BOT, GAME, HANDS, JOB, SEATS, VIEW, WATCH_CALLS
from hearts_sim.engine.log import GAME_ROW, HAND_ROW, PLAY_ROW
from hearts_sim.engine.public import show_rules
from hearts_sim.engine.record import compile_rules
from hearts_sim.engine.shown import written_and_shown
from hearts_sim.rules import Rules


class Machine:
    """Records and log buffers of one table.

    Parameters
    ----------
    rules : Rules
    seed : int
        0 .. 2**63 - 1; keys every deal and every random stream.
    log : {"games", "hands", "plays"}
        What `play` keeps of each game.
    entries : int
        Number of entries that `table` has room for.
    memory : writable buffer of ``GAME.itemsize`` bytes, optional
        Where the record of the game lies, so that another process can watch it.

    Attributes
    ----------
    game : ndarray of shape (1,), dtype `GAME`
    words : memoryview of int64
        The view record, word by word.
    shown : memoryview of int64
        The same for bots in plain Python, who can only read it.
    table : ndarray of shape (entries, MAX_SEATS), dtype `BOT`
        The bots; fill it before playing.
    seats : ndarray of shape (MAX_SEATS,), dtype `BOT`
        Who sits where in the current game.
    line_ups : list
        Whoever put bots into the table: kept alive, for the table has only their addresses.
    """

    def __init__(
        self, rules: Rules, seed: int, log: str = "games", entries: int = 1, memory: Any = None
    ) -> None:
        self.rules = rules
        self.rules_record = compile_rules(rules)
        self.game = np.frombuffer(bytearray(GAME.itemsize) if memory is None else memory, GAME)
        # In shared memory another machine may have stopped in the middle of a game.
        asked = int(self.game["asked"][0])
        self.game[:] = 0
        self.game["asked"] = asked + (asked & 1)
        self.game["seed"] = seed
        self.game["due"] = self.game["stop"] = -1
        self.hands = np.zeros(1, HANDS)
        written, shown = written_and_shown(VIEW.itemsize)
        self.view = np.frombuffer(written, VIEW)
        self.words, self.shown = written.cast("q"), shown.cast("q")
        self._seats = np.zeros(1, SEATS)
        self.seats = self._seats["bot"][0]
        self.table = np.zeros((entries, MAX_SEATS), BOT)
        self.table["entry"] = np.arange(entries)[:, None]
        self.line_ups: list[Any] = []
        self._allocate(log)
        show_rules(self.rules_record[0], self.view[0])
        self.view["rules"] = self.rules_record.ctypes.data

    def _allocate(self, log: str) -> None:
        players, size = self.rules.players, self.rules.hand_size
        worst = self.rules.max_hands * players
        hands = max(1 << 16, worst) if log in ("hands", "plays") else 0
        cards = self.rules.max_hands * (players * size + players * players * 5)
        plays = max(1 << 18, cards) if log == "plays" else 0
        self.hand_rows = np.zeros(hands, HAND_ROW)
        self.game_rows = np.zeros(max(1 << 13, players), GAME_ROW)
        self.play_rows = np.zeros(plays, PLAY_ROW)
        self.filled = np.zeros(4, np.int64)
        self._beyond = {
            name: max(1 << 12, most)
            for name, most in (("hand_rows", worst), ("play_rows", cards))
            if not len(getattr(self, name))
        }
        self._aside = {name: getattr(self, name) for name in self._beyond}

    def log_everything(self, on: bool) -> None:
        """Log hands and plays too, beyond what was asked for; or no more.

        Rows that were logged in this way are seen by `rows` while it is on.
        """
        for name, size in self._beyond.items():
            rows = getattr(self, name)
            if on == bool(len(rows)):
                continue
            if on and not len(self._aside[name]):
                self._aside[name] = np.zeros(size, rows.dtype)
            setattr(self, name, self._aside[name])
            self._aside[name] = rows

    def _go_on(self, jobs: Any, on_fault: Callable[[], None] | None = None) -> bool:
        """Play until all games are done (True) or the log is full (False)."""
        while True:
            status = play_games(
                self.rules_record,
                self.game,
                self.view,
                self.hands,
                self._seats,
                self.table,
                jobs,
                self.hand_rows,
                self.game_rows,
                self.play_rows,
                self.filled,
            )
            if status != STATUS_FAULT:
                return bool(status == STATUS_DONE)
            if on_fault is None:
                raise BotFailed
            on_fault()

    def play(self, jobs: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Play games; yields the log as it fills up, at last what is left.

        Parameters
        ----------
        jobs : ndarray of dtype `JOB`

        Yields
        ------
        hands, games, plays : ndarray
            Rows of dtype `HAND_ROW`, `GAME_ROW`, `PLAY_ROW`; copies.

        Raises
        ------
        BotFailed
            When a bot failed; the rows of the games before are lost to the caller, the records
            still show the decision.
        """
        self.filled[:] = 0
        done = False
        while not done:
            done = self._go_on(jobs)
            hands, games, plays = self.rows()
            yield hands.copy(), games.copy(), plays.copy()
            self.clear_rows()

    def play_on(self, jobs: Any, on_fault: Callable[[], None] | None = None) -> None:
        """Play games and add their rows to the log, which grows as needed.

        Parameters
        ----------
        jobs : ndarray of dtype `JOB`
        on_fault : callable, optional
            Called when a bot failed, at the decision that the records show. It says what is done
            about it, with `substitute` or `forfeit`, or raises.

        Raises
        ------
        BotFailed
            As `play`, without `on_fault`.
        """
        self.filled[3] = 0
        while not self._go_on(jobs, on_fault):
            self.hand_rows = _twice(self.hand_rows)
            self.game_rows = _twice(self.game_rows)
            self.play_rows = _twice(self.play_rows)

    def substitute(self, *, out: bool) -> None:
        """Let the core decide for the bot that failed: a neutral card, the default pass or moon.

        With `out`, also everything else that the bot would be asked in this game.
        """
        game = self.game[0]
        seat = int(game["fault_seat"])
        game["default_next"] = 1
        game["watched"] |= WATCH_CALLS
        game["faults"][seat] += 1
        if out:
            game["out"] |= 1 << seat

    def forfeit(self) -> None:
        """End the game at once, with the last place for the bot that failed."""
        game = self.game[0]
        game["forfeiter"] = game["fault_seat"]
        game["faults"][int(game["fault_seat"])] += 1

    def rows(self) -> tuple[Any, Any, Any]:
        """Rows of hands, games and plays in the log: views, gone with `clear_rows`."""
        hands, games, plays = (int(number) for number in self.filled[:3])
        return self.hand_rows[:hands], self.game_rows[:games], self.play_rows[:plays]

    def clear_rows(self) -> None:
        """Empty the log."""
        self.filled[:3] = 0

    def take_times(self) -> tuple[list[int], list[int]]:
        """Decisions on cards and nanoseconds of each entry, of games with `WATCH_TIME`; reset."""
        times = tuple(
            self.table[name].sum(axis=1).tolist() for name in ("decisions", "nanoseconds")
        )
        self.table["decisions"] = 0
        self.table["nanoseconds"] = 0
        return times


def _twice(rows: Any) -> Any:
    return np.concatenate([rows, np.zeros_like(rows)])


class BotFailed(Exception):
    """A bot failed at the decision that the machine's records show."""


def one_job(entries: list[int], block: int = 0) -> Any:
    """Job array for a single game in which these entries sit on seats 0, 1, ..."""
    jobs = np.zeros(1, JOB)
    jobs["block"] = block
    jobs["entries"][0, : len(entries)] = entries
    return jobs
