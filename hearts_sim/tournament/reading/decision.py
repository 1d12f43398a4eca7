"""One decision of a game again: what the bot sees, what it answers, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hearts_sim.cards import Card, CardSet
from hearts_sim.engine.hooks import call_hook
from hearts_sim.engine.layout import (
    ANSWERED,
    CARD,
    DEFAULT,
    FAULT_FAILED,
    FAULT_ILLEGAL,
    FAULT_NONE,
    HOOKS,
    MOON,
    MOON_ADD,
    MOON_SUBTRACT,
    PASS,
)
from hearts_sim.engine.machine import Machine
from hearts_sim.engine.passing import is_pass
from hearts_sim.errors import ResultsError
from hearts_sim.strategy.faults import Fault
from hearts_sim.strategy.table import Lineup
from hearts_sim.strategy.view import View
from hearts_sim.tournament.players.due import key_of
from hearts_sim.tournament.players.judge import Judge
from hearts_sim.tournament.reading.replay import set_up
from hearts_sim.tournament.reading.results import Results


@dataclass(frozen=True)
class Decision:
    """What came of asking a bot once more.

    Attributes
    ----------
    answer : str
        What it answered, as cards or words; empty for a hook that has no answer.
    fault : Fault or None
        What is wrong with it.
    """

    answer: str
    fault: Fault | None


class _Reached(Exception):
    """The game has come to the decision."""


def ask_again(
    results: Results,
    game: int,
    hand: int,
    hook: str,
    trick: int,
    seat: int,
    tell: Callable[[str, View], None],
) -> Decision:
    """Play a game up to a decision, with the faults that happened before, and ask the bot.

    It is asked in this process and without a limit of time: a bot that hangs can be interrupted,
    and a debugger works.

    Parameters
    ----------
    hand, trick : int
        0 where there is none: before the first deal; for all hooks but ``choose_card``.
    tell : callable
        Called with the name of the bot and its view before it is asked.

    Raises
    ------
    ResultsError
        When the game does not come to such a decision.
    StrategyLoadError
        When the strategies cannot be loaded as they were.
    KeyboardInterrupt
        After Ctrl-C.
    """
    again = set_up(results, game)
    machine, lineup = again.machine, again.lineup
    key = key_of(hand, hook, trick, seat)
    judge = Judge(machine, lineup, again.rules)
    judge.expect([due for due in again.due if due.key != key])
    machine.game["stop"] = key

    def on_fault() -> None:
        if lineup.decision_key() == key:
            raise _Reached
        judge()

    try:
        machine.play_on(again.jobs, on_fault)
    except _Reached:
        name = again.names[seat]
        tell(name, View(machine.words, results.rules))
        return _ask(machine, lineup, seat, HOOKS.index(hook))
    finally:
        lineup.close()
    where = f"hand {hand}, trick {trick}" if trick else f"hand {hand}"
    raise ResultsError(
        f"game {game} of {results.path} has no such decision: seat {seat} is not asked {hook} in "
        f"{where}"
    )


def _ask(machine: Machine, lineup: Lineup, seat: int, call: int) -> Decision:
    game, view = machine.game[0], machine.view[0]
    game["fault_seat"], game["fault_call"] = seat, call
    view["answer_twice"] = 0
    answered = call_hook(machine.seats[seat], view, call)
    game["fault"] = FAULT_FAILED
    if answered == ANSWERED:
        game["fault"] = FAULT_NONE if _is_allowed(game, view, call) else FAULT_ILLEGAL
    elif answered == DEFAULT:
        return Decision("its default", None)
    fault = lineup.fault() if game["fault"] else None
    return Decision("" if fault else _words(view, call), fault)


def _is_allowed(game: Any, view: Any, call: int) -> bool:
    answer, legal = int(view["answer"]), int(view["legal"])
    if call == CARD:
        return 0 <= answer < 52 and bool(legal >> answer & 1)
    if call == PASS:
        twice = int(view["answer_twice"])
        return bool(is_pass(game, legal, view["hand_twice"], answer, twice))
    return call != MOON or answer in (MOON_ADD, MOON_SUBTRACT)


def _words(view: Any, call: int) -> str:
    """The answer, as a person would say it."""
    answer = int(view["answer"])
    if call == CARD:
        return str(Card(answer))
    if call == PASS:
        twice = CardSet(int(view["answer_twice"]))
        return " ".join(map(str, sorted((*CardSet(answer), *twice))))
    if call == MOON:
        return "add" if answer == MOON_ADD else "subtract"
    return ""
