"""What is done at the table about a bot that failed."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hearts_sim.engine.layout import FAULT_DUE
from hearts_sim.engine.machine import Machine
from hearts_sim.strategy.faults import HARD, Fault
from hearts_sim.strategy.table import Lineup
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.players.due import Due, SpoiltProcess, key_of
from hearts_sim.tournament.players.memory import MemoryLimit

FULL_RECORDS: Final = 1000
"""Faults of an entry in a part that are kept with all their texts; of more, the place is kept."""


class Judge:
    """Decides about every fault by the rules of the run, and keeps it.

    Called by the machine when a bot failed.

    Parameters
    ----------
    memory : MemoryLimit, optional
        What the bots of this process have together.

    Attributes
    ----------
    faults : list of Fault
        In the order in which they happened.
    """

    def __init__(
        self,
        machine: Machine,
        lineup: Lineup,
        rules: FaultRules,
        memory: MemoryLimit | None = None,
    ) -> None:
        self.machine = machine
        self.lineup = lineup
        self.rules = rules
        self.memory = memory or MemoryLimit(None)
        self.faults: list[Fault] = []
        self._due: list[Due] = []
        self._kept: Counter[str] = Counter()

    def expect(self, due: Sequence[Due]) -> None:
        """Let these decisions of the coming game fail."""
        self._due = list(due)
        self._set_due()

    def _set_due(self) -> None:
        self.machine.game["due"] = self._due[0].key if self._due else -1

    def take(self) -> list[Fault]:
        """The faults so far; begin a new list."""
        faults, self.faults = self.faults, []
        self._kept.clear()
        return faults

    def __call__(self) -> None:
        """Decide about the fault at which the machine stopped.

        Raises
        ------
        StrategyFault
            When the rules are strict.
        SpoiltProcess
            When memory ran out in a process that bots share.
        KeyboardInterrupt
            After Ctrl-C.
        """
        with self.memory.lifted():
            self._decide()

    def _decide(self) -> None:
        game = self.machine.game[0]
        if game["fault"] == FAULT_DUE:
            known = self._due.pop(0)
            self._set_due()
            error = None
            fault = self.lineup.fault(known.kind, known.message)
        else:
            error = self.lineup.error()
            fault = self.lineup.fault()
        if self.rules.policy == "strict":
            raise fault.error() from error
        if fault.kind == "memory":
            del error
            self._free_memory(fault)
        self._keep(fault)
        if self.rules.policy == "forfeit":
            self.machine.forfeit()
        else:
            # A bot that did not begin the game has nothing to play it with.
            self.machine.substitute(out=fault.kind in HARD or fault.hook == "start_game")

    def _free_memory(self, fault: Fault) -> None:
        """Let go what the bot has taken; if it holds on to it, nobody can play on here."""
        self.lineup.drop()
        gc.collect()
        if self.memory.is_short:
            key = key_of(fault.hand, fault.hook, fault.trick, fault.seat)
            raise SpoiltProcess(Due(fault.block, fault.seating, key, fault.kind, fault.message))

    def _keep(self, fault: Fault) -> None:
        self._kept[fault.strategy] += 1
        if self._kept[fault.strategy] > FULL_RECORDS:
            fault = replace(fault, given="", answer="", message="", traceback="")
        self.faults.append(fault)
