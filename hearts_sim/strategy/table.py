"""Seating strategies at a machine, and saying what went wrong at a decision."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hearts_sim.cards import Card, CardSet
from hearts_sim.engine.game import FAULT_FAILED
from hearts_sim.engine.layout import CARD, HOOKS, PASS
from hearts_sim.engine.machine import Machine
from hearts_sim.errors import StrategyFault
from hearts_sim.strategy.base import CompiledStrategy, Strategy
from hearts_sim.strategy.compiled import CompiledPlayer
from hearts_sim.strategy.plain import PlainPlayer


@dataclass(frozen=True)
class Seated:
    """An entry as it is seated: a strategy under a name, with its options.

    `digest` and `file` are those of the source; empty for a class made in a session.
    """

    name: str
    strategy: type[Strategy] | type[CompiledStrategy] | Strategy
    options: Mapping[str, Any] = field(default_factory=dict)
    digest: str = "session"
    file: str = "a class made in Python"


class Lineup:
    """The entries of a run at one machine.

    Players are made when an entry first sits on a seat, so that a large field costs nothing.

    Parameters
    ----------
    machine : Machine
    entries : sequence of Seated
    prepared : set of int, optional
        Entries that this process has prepared already; another line-up's, to share it.
    """

    def __init__(
        self, machine: Machine, entries: Sequence[Seated], prepared: set[int] | None = None
    ) -> None:
        self.machine = machine
        self.entries = entries
        self.prepared = set() if prepared is None else prepared
        self._players: dict[tuple[int, int], PlainPlayer | CompiledPlayer] = {}

    def seat(self, entry: int, seat: int) -> None:
        """Make sure that an entry can play on a seat.

        Raises
        ------
        StrategyLoadError
            When a compiled strategy does not compile.
        """
        if (entry, seat) in self._players:
            return
        seated = self.entries[entry]
        strategy = seated.strategy
        player: PlainPlayer | CompiledPlayer
        row = self.machine.table[entry, seat]
        if isinstance(strategy, type) and issubclass(strategy, CompiledStrategy):
            player = CompiledPlayer(strategy, seated.options, seated.digest, seated.file)
            row["compiled"] = 1
        else:
            if entry not in self.prepared:
                self.prepared.add(entry)
                try:
                    strategy.prepare(dict(seated.options))
                except Exception as error:
                    raise StrategyFault(
                        f"{seated.name} ({seated.file}): prepare raised "
                        f"{type(error).__name__}: {error}"
                    ) from error
            player = PlainPlayer(strategy, seated.options, self.machine)
        row["hooks"] = player.addresses()
        row["own"] = player.own.ctypes.data
        self._players[entry, seat] = player

    def fault(self) -> StrategyFault | KeyboardInterrupt:
        """The error that tells what happened at the decision where the machine stopped."""
        game = self.machine.game[0]
        seat, call = int(game["fault_seat"]), int(game["fault_call"])
        entry = int(self.machine.seats[seat]["entry"])
        player = self._players[entry, seat]
        seated = self.entries[entry]
        error = player.error if isinstance(player, PlainPlayer) else None
        if isinstance(error, KeyboardInterrupt):
            return error
        hook = HOOKS[call]
        place = (
            f"block {game['block']}, seating {game['seating']}, game {game['number']}, "
            f"hand {game['hand_number']}, "
            + (f"trick {self.machine.view[0]['trick_number']}, " if call == CARD else "")
            + f"seat {seat}"
        )
        if game["fault"] == FAULT_FAILED:
            what, detail = self._failure(player, call, error)
        else:
            what, detail = self._illegal(call, player), ""
        message = f"{seated.name} failed in {hook} ({place}): {what}"
        if call in (CARD, PASS):
            view = self.machine.view[0]
            message += f"\n  hand: {CardSet(view['hand'])}; legal: {CardSet(view['legal'])}"
        message += f"\n  in {seated.file}{detail}"
        fault = StrategyFault(message)
        fault.__cause__ = error
        return fault

    def _failure(
        self, player: PlainPlayer | CompiledPlayer, call: int, error: BaseException | None
    ) -> tuple[str, str]:
        if error is None and isinstance(player, CompiledPlayer):
            # The compiled call only tells that it raised: call it once more to see what.
            try:
                player.hooks[call](self.machine.view[0])
            except Exception as again:
                return f"it raised {type(again).__name__}: {again}", ""
        if error is None:
            return "it raised an exception", ""
        frames = traceback.extract_tb(error.__traceback__)[1:]
        detail = "".join(
            "\n  " + line for line in "".join(traceback.format_list(frames[-6:])).splitlines()
        )
        return f"it raised {type(error).__name__}: {error}", detail

    def _illegal(self, call: int, player: PlainPlayer | CompiledPlayer) -> str:
        view = self.machine.view[0]
        answer = int(view["answer"])
        if call == CARD:
            given = player.answer if isinstance(player, PlainPlayer) else answer
            name = str(Card(answer)) if 0 <= answer < 52 else f"{given!r}, which is no card"
            return f"it played {name}, which it may not"
        if call == PASS:
            cards = str(CardSet(answer)) if answer >= 0 else str(answer)
            twice = CardSet(int(view["answer_twice"]))
            cards += f", and once more {twice}" if twice else ""
            different = "cards" if view["deck_twice"] else "different cards"
            return (
                f"it passed {cards or 'nothing'}: expected {view['pass_count']} {different} "
                "of its legal ones"
            )
        return f"it answered {answer}: expected 0 (add) or 1 (subtract)"
