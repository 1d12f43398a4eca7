"""At the seams: memory that is used again, a hook that is late, a death in loading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from trial import LOW, settings, write_files

from hearts_sim import CompiledStrategy, Strategy, run
from hearts_sim.cli.replay import HOOKS as NAMED
from hearts_sim.engine.layout import FAULT_SLOW, GAME, HOOKS
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.errors import ResultsError
from hearts_sim.rules import Rules
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup

ONE_HAND = Rules(end={"deals": 1}, tie="draw")


class Low(Strategy):
    def choose_card(self, view: Any) -> Any:
        return view.legal.lowest()


class Fails(Low):
    def choose_card(self, view: Any) -> Any:
        return view.legal.lowest() if view.trick_number < 6 else 99


def seat(machine: Machine, bot: Any) -> Lineup:
    lineup = Lineup(machine, [Seated("bot", bot)])
    for place in range(4):
        lineup.seat(0, place)
    return lineup


def cards(machine: Machine) -> list[tuple[int, int]]:
    (rows,) = [plays for _, _, plays in machine.play(one_job([0] * 4))]
    return [(int(row["seat"]), int(row["card"])) for row in rows]


def test_memory_that_was_used() -> None:
    """A machine begins anew, also where another one has stopped in the middle of a game."""
    memory = bytearray(GAME.itemsize)
    first = Machine(ONE_HAND, 3, "plays", memory=memory)
    kept = seat(first, Fails)
    with pytest.raises(BotFailed):
        cards(first)
    assert kept.fault().trick == 6
    asked = int(first.game[0]["asked"])
    second, fresh = Machine(ONE_HAND, 3, "plays", memory=memory), Machine(ONE_HAND, 3, "plays")
    seat(second, Low)
    seat(fresh, Low)
    assert cards(second) == cards(fresh)
    assert int(second.game[0]["asked"]) >= asked  # who watches must not see it fall


def test_a_late_compiled_hook_is_not_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is late is not tried once more to see why."""

    class Late(CompiledStrategy):
        @staticmethod
        def choose_card(view: Any) -> Any:
            return view.legal

    machine = Machine(ONE_HAND, 3)
    lineup = seat(machine, Late)
    with pytest.raises(BotFailed):
        list(machine.play(one_job([0] * 4)))
    player = lineup._players[0, int(machine.game[0]["fault_seat"])]

    calls: list[Any] = []
    monkeypatch.setattr(player, "hooks", [calls.append] * len(HOOKS))
    machine.game["fault"] = FAULT_SLOW
    fault = lineup.fault()
    assert (fault.kind, fault.message) == ("too_slow", "it answered when its time was over")
    assert calls == []


DIES = LOW.replace("class Low", "class Dies") + (
    "\n    @classmethod\n    def prepare(cls, options):\n        __import__('os')._exit(5)\n"
)


def test_a_process_that_ends_in_loading(tmp_path: Path) -> None:
    """Who ends the process while it is prepared is out; the others play."""
    files = {f"{name}.py": LOW.replace("Low", name) for name in "ABCD"}
    folder = write_files(tmp_path / "s", {**files, "dies.py": DIES})
    results = run(settings(folder, games=20), output=tmp_path / "out", jobs=1, report=False)
    (out,) = results.info["disqualified"]
    assert (out["strategy"], out["block"]) == ("Dies", 0)
    assert "its process ended with exit code 5" in out["why"]
    assert set(results.games()["strategy"]) == set("ABCD")
    assert results.faults()[["strategy", "kind"]].to_numpy().tolist() == [["Dies", "import_error"]]
    strict = settings(folder, games=20, faults={"policy": "strict"})
    with pytest.raises(ResultsError, match=r"Dies .* could not be loaded: its process ended"):
        run(strict, output=tmp_path / "strict", jobs=1, report=False)


def test_names_of_hooks() -> None:
    """The command line, which imports nothing heavy, names the hooks that there are."""
    assert NAMED == HOOKS
