"""Seating bots at a machine, and saying what went wrong at a decision."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol

from hearts_sim.cards import Card, CardSet
from hearts_sim.engine.hooks import decision_key
from hearts_sim.engine.layout import CARD, FAULT_ILLEGAL, FAULT_SLOW, HOOKS, PASS
from hearts_sim.engine.machine import Machine
from hearts_sim.errors import StrategyFault, StrategyLoadError
from hearts_sim.strategy.base import CompiledStrategy
from hearts_sim.strategy.compiled import CompiledPlayer
from hearts_sim.strategy.faults import (
    BadAnswer,
    BotCrash,
    BotProtocolError,
    Fault,
    RemoteError,
    TooSlow,
    clipped,
    shown,
)
from hearts_sim.strategy.plain import PlainPlayer
from hearts_sim.strategy.seated import Seated

MOST_PROCESSES: Final = 32
"""So many bots with processes of their own run at once, at one machine."""

_MOST_FRAMES = 6


class SeatPlayer(Protocol):
    """A bot on one seat of a machine, of whatever kind.

    Attributes
    ----------
    own : ndarray of shape (1,), dtype `OWN`
    compiled : int
        1 for numba's own calling convention, 0 for the public one.
    error : BaseException or None
        What was raised at the last decision that failed.
    answer : object
        What was answered last, where it is known; for messages.
    card_function : int
        Address of a function in Python that is called instead of the hook for a card, or 0.
    """

    own: Any
    compiled: int
    card_function: int
    error: BaseException | None
    answer: Any

    def addresses(self) -> list[int]:
        """Address of each hook, 0 where the bot has none."""

    def close(self) -> None:
        """End what belongs to it outside of this process."""


class Lineup:
    """The entries of a run at one machine.

    Players are made when an entry first sits on a seat, so that a large field costs nothing.

    Parameters
    ----------
    machine : Machine
    entries : sequence of Seated
    prepared : set of int, optional
        Entries that this process has prepared already; another line-up's, to share it.
    memory_mb : int, optional
        Memory of each bot that has a process of its own, in units of 2**20 bytes.
    entering : callable
        Called with an entry before its own process is started, and with None after it.
    """

    def __init__(
        self,
        machine: Machine,
        entries: Sequence[Seated],
        prepared: set[int] | None = None,
        memory_mb: int | None = None,
        entering: Callable[[int | None], None] = lambda entry: None,
    ) -> None:
        self.machine = machine
        machine.line_ups.append(self)
        self.entering = entering
        self.entries = entries
        self.memory_mb = memory_mb
        self.prepared = set() if prepared is None else prepared
        self._players: dict[tuple[int, int], SeatPlayer] = {}
        self._running: list[SeatPlayer] = []

    def seat(self, entry: int, seat: int, *, alone: bool = False) -> None:
        """Make sure that an entry can play on a seat.

        Parameters
        ----------
        entry, seat : int
        alone : bool
            Whether it sits on no other seat of the same game: then a bot with a process of its own
            needs only one, wherever it sits.

        Raises
        ------
        StrategyLoadError
            When a compiled strategy does not compile, or a library cannot be loaded. (A program
            that cannot be started fails at the start of a game.)
        StrategyFault
            When its `prepare` raises.
        """
        player = self._players.get((entry, seat))
        seated = self.entries[entry]
        apart = bool(seated.command) or seated.isolate == "process"
        others = (
            [
                other
                for place in range(self.machine.rules.players)
                if place != seat and (other := self._players.get((entry, place))) is not None
            ]
            if apart
            else []
        )
        if player is not None and (alone or player not in others):
            return
        player = others[0] if others and alone else self._make(entry)
        row = self.machine.table[entry, seat]
        row["compiled"] = player.compiled
        row["hooks"] = player.addresses()
        row["card_function"] = player.card_function
        row["own"] = player.own.ctypes.data
        self._players[entry, seat] = player

    def start(self, entry: int) -> None:
        """Start a strategy in Python that has a process of its own, and load it there.

        Raises
        ------
        StrategyLoadError, StrategyFault
            When it cannot be started or loaded, or its `prepare` raises.
        """
        self.seat(entry, 0)
        seated, player = self.entries[entry], self._players[entry, 0]
        if seated.command or seated.isolate != "process":
            return
        from hearts_sim.strategy.isolated import IsolatedPlayer

        assert isinstance(player, IsolatedPlayer)
        try:
            player.start()
        except (RemoteError, BotCrash, BotProtocolError) as error:
            raise StrategyFault(
                f"{seated.name} ({seated.file}): could not be loaded in its process: {error}"
            ) from error

    def _make(self, entry: int) -> SeatPlayer:
        seated = self.entries[entry]
        strategy = seated.strategy

        def starting(player: SeatPlayer) -> contextlib.AbstractContextManager[None]:
            return self._starting(player, entry)

        if seated.command:
            from hearts_sim.strategy.command import CommandPlayer

            return CommandPlayer(seated, self.machine, self.memory_mb, starting)
        if seated.library:
            from hearts_sim.strategy.foreign import ForeignPlayer

            return ForeignPlayer(seated)
        if seated.isolate == "process":
            from hearts_sim.strategy.isolated import IsolatedPlayer

            return IsolatedPlayer(seated, self.machine, self.memory_mb, starting)
        assert strategy is not None
        if isinstance(strategy, type) and issubclass(strategy, CompiledStrategy):
            return CompiledPlayer(strategy, seated.options, seated.digest, seated.file)
        if entry not in self.prepared:
            self.prepared.add(entry)
            try:
                strategy.prepare(dict(seated.options))
            except Exception as error:
                raise StrategyFault(
                    f"{seated.name} ({seated.file}): prepare raised {type(error).__name__}: {error}"
                ) from error
        return PlainPlayer(strategy, seated.options, self.machine)

    @contextlib.contextmanager
    def _starting(self, player: SeatPlayer, entry: int) -> Iterator[None]:
        """While a bot's own process is started: those that began first make room for it."""
        self.entering(entry)
        try:
            seats = self.machine.seats[: self.machine.rules.players]
            sitting = [
                self._players.get((int(row["entry"]), seat)) for seat, row in enumerate(seats)
            ]
            running = [other for other in self._running if other is not player]
            idle = [other for other in running if other not in sitting]
            for other in idle[: max(0, len(running) + 1 - MOST_PROCESSES)]:
                other.close()
                running.remove(other)
            self._running = [*running, player]
            yield
        finally:
            self.entering(None)

    def close(self) -> None:
        """End the processes of the bots that have one; they begin anew with the next game."""
        for player in self._players.values():
            player.close()

    def error(self) -> BaseException | None:
        """What the bot raised at the decision where the machine stopped."""
        return self._failed().error

    def _failed(self) -> SeatPlayer:
        seat = int(self.machine.game[0]["fault_seat"])
        return self._players[int(self.machine.seats[seat]["entry"]), seat]

    def drop(self) -> None:
        """Let go what the bot that failed holds; it must not be asked again in this game."""
        player = self._failed()
        if isinstance(player, PlainPlayer):
            player.drop()

    def decision_key(self) -> int:
        """Key of the decision where the machine stopped; see `hearts_sim.engine.hooks`."""
        game, view = self.machine.game[0], self.machine.view[0]
        call = int(game["fault_call"])
        trick = int(view["trick_number"]) if call == CARD else 0
        return int(decision_key(game["hand_number"], call, trick, game["fault_seat"]))

    def fault(self, kind: str = "", message: str = "") -> Fault:
        """What happened at the decision where the machine stopped.

        Parameters
        ----------
        kind, message : str
            What happened when it was tried before; left out, the bot itself tells.

        Raises
        ------
        KeyboardInterrupt
            When it was Ctrl-C that came while the bot was thinking.
        """
        game, view = self.machine.game[0], self.machine.view[0]
        seat, call = int(game["fault_seat"]), int(game["fault_call"])
        seated = self.entries[int(self.machine.seats[seat]["entry"])]
        player = self._failed()
        error = player.error
        player.error = None
        if isinstance(error, KeyboardInterrupt):
            raise error
        answer = frames = ""
        if kind:
            pass
        elif game["fault"] == FAULT_SLOW and not isinstance(error, TooSlow):
            # Whatever it has answered or raised: it was too late.
            kind, message = "too_slow", "it answered when its time was over"
        elif game["fault"] == FAULT_ILLEGAL:
            kind, answer, message = self._illegal(call, player)
        else:
            kind, message, frames = self._failure(player, call, error)
            if kind == "wrong_type":
                answer = shown(player.answer)
        given = ""
        if call in (CARD, PASS):
            given = f"hand: {CardSet(view['hand'])}; legal: {CardSet(view['legal'])}"
        return Fault(
            strategy=seated.name,
            kind=kind,
            hook=HOOKS[call],
            block=int(game["block"]),
            seating=int(game["seating"]),
            game=int(game["number"]),
            hand=int(game["hand_number"]),
            trick=int(view["trick_number"]) if call == CARD else 0,
            seat=seat,
            given=given,
            answer=clipped(answer),
            message=clipped(message),
            traceback=clipped(frames),
            file=seated.file,
        )

    def _failure(
        self, player: SeatPlayer, call: int, error: BaseException | None
    ) -> tuple[str, str, str]:
        """Kind, message and traceback of a decision without an answer."""
        if error is None and isinstance(player, CompiledPlayer):
            # The compiled call only tells that it raised: call it once more to see what.
            try:
                player.hooks[call](self.machine.view[0])
            except Exception as again:
                return "exception", f"it raised {type(again).__name__}: {again}", ""
        if error is None:
            return "exception", "it did not answer", ""
        if isinstance(error, StrategyLoadError):
            return "import_error", str(error), ""
        if isinstance(error, BotCrash):
            return "crash", str(error), ""
        if isinstance(error, BotProtocolError):
            return "protocol", str(error), ""
        if isinstance(error, TooSlow):
            return "too_slow", str(error), _frames(error)
        if isinstance(error, RemoteError):
            kind = "memory" if error.kind == "MemoryError" else "exception"
            return kind, f"it raised {error}", error.frames
        kind = "exception"
        if isinstance(error, BadAnswer):
            kind = "wrong_type"
        elif isinstance(error, MemoryError):
            kind = "memory"
        return kind, f"it raised {type(error).__name__}: {text_of(error)}", _frames(error)

    def _illegal(self, call: int, player: SeatPlayer) -> tuple[str, str, str]:
        """Kind, answer and message of an answer that is against the rules."""
        view = self.machine.view[0]
        answer = int(view["answer"])
        if call == CARD:
            given = answer if player.answer is None else player.answer
            name = str(Card(answer)) if 0 <= answer < 52 else f"{shown(given)}, which is no card"
            return "illegal_card", name, f"it played {name}, which it may not"
        if call == PASS:
            cards = str(CardSet(answer)) if answer >= 0 else str(answer)
            twice = CardSet(int(view["answer_twice"]))
            cards += f", and once more {twice}" if twice else ""
            different = "cards" if view["deck_twice"] else "different cards"
            return (
                "illegal_pass",
                cards,
                f"it passed {cards or 'nothing'}: expected {view['pass_count']} {different} "
                "of its legal ones",
            )
        return "wrong_type", str(answer), f"it answered {answer}: expected 0 (add) or 1 (subtract)"


def _frames(error: BaseException) -> str:
    """The last frames of an exception, without ours that called the bot."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    return "".join(traceback.format_list(frames[-_MOST_FRAMES:]))


def text_of(error: BaseException) -> str:
    """What an exception says, even if saying it fails."""
    try:
        return str(error)
    except Exception as again:
        return f"(its text cannot be shown: {type(again).__name__})"
