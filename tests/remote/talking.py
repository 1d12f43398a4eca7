"""Small programs that speak JSON lines, well or badly, and a table for them."""

from __future__ import annotations

import contextlib
import signal
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hearts_sim import Rules, Strategy
from hearts_sim.engine.game import PHASE_IDLE
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.strategy.command import CommandPlayer
from hearts_sim.strategy.faults import TooSlow
from hearts_sim.strategy.plain import PlainPlayer
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.view import View

EXAMPLES = Path(__file__).parents[2] / "strategies" / "command"
SHORT: Mapping[str, Any] = {"end": {"deals": 2}, "tie": "draw"}
HOLD: Mapping[str, Any] = {**SHORT, "pass_cycle": ["H"]}

_PROGRAM = """
import json, os, signal, subprocess, sys, time

def say(message):
    text = message if isinstance(message, str) else json.dumps(message)
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

hello = {"type": "hello", "protocol": 1}
for message in map(json.loads, sys.stdin):
    kind = message["type"]
    if kind == "hello":
HELLO
    elif kind == "choose_card":
        number, card = message["id"], message["legal"][0]
        if number == 3:
MISCHIEF
        say({"id": number, "card": card})
    else:
OTHER
"""


def program(mischief: str = "pass", hello: str = "say(hello)", other: str = "pass") -> Seated:
    """A program that plays its lowest card, with a statement before its third answer."""
    source = _PROGRAM
    for name, code, depth in (("HELLO", hello, 8), ("MISCHIEF", mischief, 12), ("OTHER", other, 8)):
        source = source.replace(name, textwrap.indent(textwrap.dedent(code).strip(), " " * depth))
    return Seated("bot", command=(sys.executable, "-I", "-S", "-c", source))


def example(name: str, **options: Any) -> Seated:
    """One of the bots in strategies/command/."""
    return Seated(name, command=(f"./{name}",), folder=str(EXAMPLES), options=options)


class Low(Strategy):
    """Plays its lowest card."""

    def choose_card(self, view: View) -> Any:
        return view.legal.lowest()


class Table:
    """Bots at a machine; one after the other, each on its seat."""

    def __init__(
        self, bots: Sequence[Seated | type[Strategy]], rules: Rules, seed: int, **more: Any
    ) -> None:
        self.machine = Machine(rules, seed, "plays", len(bots))
        self.players: list[Any] = []
        for seat, bot in enumerate(bots):
            player: Any
            if isinstance(bot, Seated):
                player = CommandPlayer(bot, self.machine, **more)
            else:
                player = PlainPlayer(bot, {}, self.machine)
            row = self.machine.table[seat, seat]
            row["compiled"] = player.compiled
            row["hooks"] = player.addresses()
            row["own"] = player.own.ctypes.data
            self.players.append(player)

    def play(self, block: int = 0) -> tuple[Any, Any, Any]:
        """Play a game; rows of hands, games and plays."""
        self.machine.game["phase"] = PHASE_IDLE  # whatever became of the one before
        self.machine.filled[:] = 0
        jobs = one_job(list(range(len(self.players))), block)
        return next(self.machine.play(jobs))

    def go_on(self) -> None:
        """Go on with the game where the machine stopped."""
        self.machine.play_on(one_job(list(range(len(self.players)))))

    def failure(self, block: int = 0) -> BaseException:
        """Play a game in which a bot must fail; what it failed with."""
        try:
            self.play(block)
        except BotFailed:
            player = self.players[int(self.machine.game[0]["fault_seat"])]
            assert player.error is not None
            error: BaseException = player.error
            player.error = None
            return error
        raise AssertionError("nobody failed")


@contextlib.contextmanager
def table(
    *bots: Seated | type[Strategy],
    rules: Rules | Mapping[str, Any] = HOLD,
    seed: int = 0,
    **more: Any,
) -> Iterator[Table]:
    """Bots at a table, with `Low` on the seats that are left; closed at the end."""
    if not isinstance(rules, Rules):
        rules = Rules.from_spec(rules)
    low = [Low] * (rules.players - len(bots))
    seated = Table([*bots, *low], rules, seed, **more)
    try:
        yield seated
    finally:
        for player in seated.players:
            player.close()


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """What watches over bots: after a while `TooSlow` comes out of whatever runs."""

    def ring(number: int, frame: Any) -> None:
        raise TooSlow("it took too long")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
