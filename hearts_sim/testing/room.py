"""A table for a bot that is checked, with company."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hearts_sim.engine.layout import WATCH_TIME
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.rules import Rules
from hearts_sim.strategy.faults import Fault
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.testing.company import Chance, Dealer
from hearts_sim.testing.positions import Position
from hearts_sim.testing.watch import Beat, Watch

BOT, COMPANY, DEALER = range(3)


class Room:
    """A machine with the bot, who may sit on several seats, and players at random.

    Parameters
    ----------
    seated : Seated
    rules : Rules
    seed : int
    beat : Beat
        Told of each game.
    watch : Watch, optional
        Watches the bot; without it, it plays as in a run.
    log : {"games", "plays"}
    prepared : set of int
        As of `Lineup`.
    """

    def __init__(
        self,
        seated: Seated,
        rules: Rules,
        seed: int,
        beat: Beat,
        *,
        prepared: set[int],
        watch: Watch | None = None,
        log: str = "games",
    ) -> None:
        self.seated, self.rules, self.beat, self.watch = seated, rules, beat, watch
        self.machine = Machine(rules, seed, log, entries=3)
        dealer = type("Dealer", (Dealer,), {"machine": self.machine})
        self.dealer: Any = dealer
        entries = [seated, Seated("Chance", Chance), Seated("Dealer", dealer)]
        self.lineup = Lineup(self.machine, entries, prepared)
        self._watched: set[int] = set()

    def close(self) -> None:
        """End what belongs to it."""
        self.lineup.close()

    def with_itself(self) -> list[int]:
        """The bot on every seat."""
        return [BOT] * self.rules.players

    def in_company(self, seat: int) -> list[int]:
        """The bot on one seat."""
        entries = [COMPANY] * self.rules.players
        entries[seat % self.rules.players] = BOT
        return entries

    def play(self, entries: Sequence[int], block: int, *, timed: bool = False) -> Fault | None:
        """Play a game; what went wrong, if something did. The room cannot be used after that."""
        for seat, entry in enumerate(entries):
            self.lineup.seat(entry, seat)
            if entry == BOT and self.watch is not None and seat not in self._watched:
                self._watched.add(seat)
                self.watch.stand_between(self.machine, self.seated, BOT, seat)
        jobs = one_job(list(entries), block)
        jobs["number"] = block
        jobs["watch"] = WATCH_TIME if timed else 0
        self.beat.words[0] += 1
        try:
            self.machine.play_on(jobs)
        except BotFailed:
            return self.lineup.fault()
        self.beat.words[0] += 1
        return None

    def play_position(self, position: Position, block: int) -> Fault | None:
        """Play a position with the bot on seat 1."""
        self.dealer.position, self.dealer.seat = position, 1
        return self.play([DEALER, *self.in_company(1)[1:]], block)


def spy_on(seated: Seated, views: list[Any]) -> Seated:
    """The same strategy in plain Python, which also keeps the views that it is given."""
    strategy = seated.strategy
    assert isinstance(strategy, type)

    def spy(hook: str) -> Any:
        original = getattr(strategy, hook)

        def spied(self: Any, view: Any) -> Any:
            if view not in views:
                views.append(view)
            return original(self, view)

        return spied

    hooks = {"choose_card": spy("choose_card")}
    try:
        spied = type(strategy.__name__, (strategy,), {**hooks, "__module__": strategy.__module__})
    except Exception:  # a class may forbid to be built on
        return seated
    return replace(seated, strategy=spied)
