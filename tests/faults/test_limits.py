"""Limits of time, and processes that end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from trial import LOW, settings, write_files

from hearts_sim import run
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.players.due import key_of
from hearts_sim.tournament.players.processes import Watchdog
from hearts_sim.tournament.players.pulse import PLAYING, Thinking
from hearts_sim.tournament.reading.results import Results

# Three players have six mixed seatings, four have fourteen, and most bots here sleep in each.
SHORT = {"players": 3, "end": {"deals": 1}, "tie": "draw"}

BOT = """
import os
import time
from pathlib import Path
from hearts_sim import Strategy

class Bot(Strategy):
    def start_game(self, view):
        {start}

    def choose_card(self, view):
        {card}
        return view.legal.lowest()
"""


def play(tmp_path: Path, start: str = "pass", card: str = "pass", **faults: Any) -> Results:
    """A block of a duel with a bot that does something at the start, or at every card."""
    bot = BOT.format(start=start, card=card)
    write_files(tmp_path / "s", {"bot.py": bot, "low.py": LOW})
    config = settings(tmp_path / "s", ["Bot", "Low"], type="duel", games=6, rules=SHORT)
    config |= {"faults": {"max_rate": 1, **faults}, "log": "plays"}
    # With limits a process of its own is used without being asked for.
    return run(config, output=tmp_path / "out", jobs=None if faults else 1, report=False)


def test_the_time_of_a_game(tmp_path: Path) -> None:
    """All calls of a seat in a game are added up."""
    # A watchdog that a busy machine wakes late counts less: the third call is over by 0.15 s.
    late = "if view.trick_number > 10: time.sleep(0.3)"
    results = play(tmp_path, card=late, game_seconds=0.75)
    faults = results.faults()
    assert set(faults["kind"]) == {"too_slow"}
    assert set(faults["strategy"]) == {"Bot"}
    assert set(faults["trick"]) <= {12, 13}
    assert (
        faults["message"].str.contains(r"longer than 0\.75 s in this game \(game_seconds\)").all()
    )
    fine = play(tmp_path / "more", card=late.replace("10", "16"), game_seconds=5)
    assert len(fine.faults()) == 0


def test_the_start_may_take_longer(tmp_path: Path) -> None:
    """Ten times as long as another call."""
    results = play(tmp_path, start="time.sleep(0.3)", decision_seconds=0.1)
    assert len(results.faults()) == 0


def test_a_late_answer_is_a_fault(tmp_path: Path) -> None:
    """Who catches the interruption and answers has answered too late."""
    late = (
        "if view.trick_number == 4:\n"
        "            try:\n"
        "                time.sleep(5)\n"
        "            except BaseException:\n"
        "                pass"
    )
    results = play(tmp_path, card=late, decision_seconds=0.2)
    faults = results.faults()
    assert set(faults["message"]) == {"it answered when its time was over"}
    assert set(faults["kind"]) == {"too_slow"}
    assert set(faults["trick"]) == {4}


def test_nobody_is_blamed_for_what_does_not_happen_again(tmp_path: Path) -> None:
    """Somebody else has ended the process, perhaps: the part is played again, without a fault."""
    mark = tmp_path / "mark"
    once = (
        f"if view.trick_number == 5 and not Path({str(mark)!r}).exists():\n"
        f"            Path({str(mark)!r}).touch()\n"
        "            os._exit(1)"
    )
    results = play(tmp_path / "once", card=once)
    assert mark.exists()
    assert len(results.faults()) == 0
    good = play(tmp_path / "good")
    assert results.plays().equals(good.plays())


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A run without limits."""
    return play(tmp_path_factory.mktemp("free"), card="self.rng.random()")


@pytest.mark.parametrize("limit", [{"decision_seconds": 30}, {"memory_mb": 4096}])
def test_limits_change_nothing(tmp_path: Path, free: Results, limit: dict[str, Any]) -> None:
    """A bot that keeps to them plays the same games."""
    results = play(tmp_path / "limited", card="self.rng.random()", **limit)
    assert results.digest() == free.digest()


class Watched:
    """A player process that does what it is told to be at; it keeps what is done to it."""

    def __init__(self) -> None:
        self.pulse = self
        self.at: Thinking | None = None
        self.loading: int | None = None
        self.building = False
        self.done: list[str] = []

    def thinking(self) -> Thinking | None:
        return self.at

    def end_time_of(self, decision: Thinking, *, whole_game: bool) -> None:
        self.done.append("game is over" if whole_game else "time is over")

    def interrupt(self) -> None:
        pass

    def kill(self, verdict: str) -> None:
        self.done.append(verdict)


def watch(limits: FaultRules) -> tuple[Any, Watched]:
    process = Watched()
    dog = Watchdog(process, limits)  # type: ignore[arg-type]
    dog.stop()
    return dog, process


def at(hook: str, asked: int, seat: int = 2) -> Thinking:
    return Thinking(PLAYING, asked, 0, 0, 0, 0, key_of(1, hook, 0, seat))


def test_starting_a_process_is_no_thinking() -> None:
    """While a bot's own process starts it has ten seconds; then its own time begins."""
    dog, process = watch(FaultRules(decision_seconds=0.01, game_seconds=0.5))
    process.at, process.loading = at("start_game", 1), 0
    for _ in range(99):
        dog._look(0.1)
    assert process.done == []
    process.loading = None
    dog._look(0.1)
    dog._look(0.05)  # ten times decision_seconds is the limit
    assert process.done == []
    dog._look(0.1)
    assert process.done == ["time is over"]
    process.at = at("choose_pass", 3)
    dog._look(0.1)
    dog._look(0.1)  # 0.45 s in this game up to here
    assert process.done == ["time is over", "time is over"]
    process.at = at("choose_card", 5)
    dog._look(0.005)
    dog._look(0.005)
    dog._look(0.2)
    assert process.done[2:] == ["game is over"]


def test_a_process_that_does_not_start() -> None:
    """After ten seconds it is over, as with every decision; then the player process is ended."""
    dog, process = watch(FaultRules(decision_seconds=0.01))
    process.at, process.loading = at("start_game", 1), 0
    for _ in range(102):
        dog._look(0.1)
    assert process.done == ["time is over"]
    for _ in range(11):
        dog._look(0.1)
    assert "its process was ended" in process.done[-1]


def test_compiling_is_nobodys_time() -> None:
    """While an entry is loaded. In a decision it is the bot's own idea, and counts."""
    dog, process = watch(FaultRules(decision_seconds=0.01))
    process.loading, process.building = 3, True
    for _ in range(2000):
        dog._look(0.1)
    assert process.done == []
    process.building = False
    for _ in range(600):
        dog._look(0.1)
    assert process.done == ["it took longer than 60 s to be loaded"]
    process.at, process.loading, process.building = at("choose_card", 1), None, True
    for _ in range(3):
        dog._look(0.01)
    assert process.done[1:] == ["time is over"]


def test_importing_has_a_minute() -> None:
    """Where nobody thinks, an entry is loaded."""
    dog, process = watch(FaultRules(decision_seconds=0.01))
    process.loading = 3
    for _ in range(599):
        dog._look(0.1)
    assert process.done == []
    dog._look(0.3)
    assert process.done == ["it took longer than 60 s to be loaded"]
