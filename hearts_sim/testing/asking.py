"""Asking a bot for its card in a position, after a game that goes as it went.

The bot is called in every hook as in a run, and answers; but up to the position what it answers is
exchanged for what was played then, as long as it is legal.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hearts_sim.cards import Card, mask_of
from hearts_sim.engine.layout import ANSWERED, DEFAULT, HOOKS
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.engine.passing import is_pass
from hearts_sim.errors import StrategyFault, StrategyLoadError
from hearts_sim.strategy.faults import Fault
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.testing.company import Chance
from hearts_sim.testing.endgames import Endgame, PlayedHand, endgame
from hearts_sim.testing.source import Source
from hearts_sim.testing.subject import Subject, finding_of, tell_finding
from hearts_sim.testing.target import Plan, short
from hearts_sim.testing.watch import _CALL, Beat, Watch

_BOT, _OTHERS = 0, 1


@dataclass(frozen=True)
class Asked:
    """What a bot played in a position.

    Attributes
    ----------
    number : int
        Of the position.
    card : Card or None
        None when it failed before it, or in it.
    fault : Fault or None
        How it failed.
    """

    number: int
    card: Card | None
    fault: Fault | None = None


def ask(
    seated: Seated, position: Endgame, seed: int, beat: Beat, prepared: set[int] | None = None
) -> Asked:
    """Ask a bot for its card in a position.

    Parameters
    ----------
    seed : int
        Keys its random stream, together with the number of the position.
    prepared : set of int, optional
        As of `Lineup`.

    Raises
    ------
    StrategyLoadError, StrategyFault
        When it cannot be seated.
    """
    machine = Machine(position.rules, seed, entries=2)
    lineup = Lineup(machine, [seated, Seated("Chance", Chance)], prepared)
    script = _Script(position, machine, beat)
    entries = [_OTHERS] * position.players
    entries[position.seat] = _BOT
    try:
        for seat, entry in enumerate(entries):
            lineup.seat(entry, seat, alone=entry == _BOT)
            script.stand_between(machine, lineup.entries[entry], entry, seat)
        jobs = one_job(entries, position.number)
        try:
            machine.play_on(jobs)
        except BotFailed:
            if script.card is None:
                return Asked(position.number, None, lineup.fault())
        assert script.card is not None
        return Asked(position.number, script.card)
    finally:
        lineup.close()


def ask_all(subject: Subject, plan: Plan, beat: Beat, numbers: Sequence[int]) -> None:
    """Ask a strategy positions of these numbers, and tell what it plays.

    Those under other rules than it is to play are left out.
    """
    chosen = [endgame(number) for number in numbers]
    declared = getattr(subject.seated.strategy, "rules", None) is not None
    if plan.rules or declared:
        tables = [short(rules, 1) for _, rules in subject.tables]
        chosen = [position for position in chosen if short(position.rules, 1) in tables]
    subject.tell({"event": "positions", "strategy": subject.name, "number": len(chosen)})
    if not chosen:
        subject.found("hint", "unchecked", "no position is under its rules")
    prepared: set[int] = set()
    failed: set[tuple[str, str]] = set()
    for position in chosen:
        subject.begin(f"position {position.number}")
        seated = replace(subject.seated, options=subject.copy_of_options())
        try:
            asked = ask(seated, position, plan.seed, beat, prepared)
        except (StrategyLoadError, StrategyFault) as error:
            found = finding_of(error, "start", subject.name, subject.source.file, subject.line)
            tell_finding(subject.tell, found)
            return
        fault = asked.fault
        subject.tell(
            {
                "event": "answer",
                "strategy": subject.name,
                "number": position.number,
                "card": "" if asked.card is None else asked.card.name,
                "failed": "" if fault is None else f"{fault.hook} failed: {fault.message}",
            }
        )
        if fault is not None and (fault.kind, fault.hook) not in failed:
            failed.add((fault.kind, fault.hook))
            message = f"{fault.hook}: {fault.message} (position {position.number}; {fault.place})"
            place = subject.source.last_line(fault.traceback)
            subject.found("error", fault.kind, message, place, fault.traceback)


class _Script(Watch):
    """Calls the bot, and lets the table do what was done then."""

    def __init__(self, position: Endgame, machine: Machine, beat: Beat) -> None:
        super().__init__(Source(""), beat)
        self.position, self.machine = position, machine
        self.card: Card | None = None
        self._steps = {
            "start_hand": self._deal,
            "choose_pass": self._pass,
            "choose_card": self._play,
            "choose_moon": self._default,
        }

    def stand_between(self, machine: Machine, seated: Seated, entry: int, seat: int) -> None:
        """As `Watch`, but of the others no bot is asked, and no hook is left to the table."""
        row = machine.table[entry, seat]
        if entry == _OTHERS:
            row["hooks"] = 0
        super().stand_between(machine, seated, entry, seat)
        # Hooks that the bot does not have.
        for number, hook in enumerate(HOOKS):
            if not row["hooks"][number] and hook in self._steps:
                call = _CALL(self._between(machine, number, None))
                self._kept.append(call)
                row["hooks"][number] = ctypes.cast(call, ctypes.c_void_p).value

    def _between(self, machine: Machine, number: int, call: Any) -> Callable[[Any], int]:
        watched = super()._between(machine, number, call) if call is not None else None
        step = self._steps.get(HOOKS[number])

        def between(address: Any) -> int:
            view = machine.view[0]
            if step == self._deal and view["seat"] == 0:
                self._lay_cards()
            if watched is not None:
                fine = watched(address)
                if not fine:
                    return 0
            else:
                view["answer"] = -1
                fine = int(ANSWERED)
            return fine if step is None or step == self._deal else step(watched is not None, fine)

        return between

    @property
    def _hand(self) -> PlayedHand:
        return self.position.hands[int(self.machine.game[0]["hand_number"]) - 1]

    def _deal(self, asked: bool, fine: int) -> int:
        return fine

    def _lay_cards(self) -> None:
        """The first hook after the deal is that of seat 0: nobody has seen other cards."""
        hands = self.machine.hands[0]
        for seat, cards in enumerate(self._hand.dealt):
            hands["cards"][seat] = mask_of(cards)
        self.machine.view[0]["hand"] = hands["cards"][0]

    def _pass(self, asked: bool, fine: int) -> int:
        game, view = self.machine.game[0], self.machine.view[0]
        if asked and fine == ANSWERED:
            answer, twice = int(view["answer"]), int(view["answer_twice"])
            if not is_pass(game, int(view["legal"]), view["hand_twice"], answer, twice):
                return fine
        view["answer"] = mask_of(self._hand.passed[int(view["seat"])])
        view["answer_twice"] = 0
        return int(ANSWERED)

    def _play(self, asked: bool, fine: int) -> int:
        view = self.machine.view[0]
        place, plays = int(view["cards_played"]), self._hand.plays
        answer = int(view["answer"])
        if asked and not (0 <= answer < 52 and int(view["legal"]) >> answer & 1):
            return fine
        if place == len(plays):
            # The position: the game goes no further.
            self.card = Card(answer)
            return 0
        view["answer"] = int(plays[place])
        return int(ANSWERED)

    def _default(self, asked: bool, fine: int) -> int:
        return int(DEFAULT)
