"""The search players: legal everywhere, the same in every way to run them, and documented."""

from __future__ import annotations

import inspect
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from positions import NARROW, WIDE, rotated

from hearts_sim import run
from hearts_sim.cli import main
from hearts_sim.engine.layout import JOB
from hearts_sim.engine.machine import BotFailed, Machine
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import Library, load_folders
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.testing.target import changed, short

STRATEGIES = Path(__file__).parents[2] / "strategies"
SEARCH = STRATEGIES / "search"
NAMES = ["RandomPlayouts", "SensiblePlayouts", "PassSearcher", "TreeSearcher"]
TINY = {"playouts": 12, "pass_playouts": 300}


@cache
def library() -> Library:
    """The players; to import them compiles them, which finding the tests should not."""
    return load_folders([STRATEGIES, SEARCH])


def plays_of(rules: Rules, names: list[str]) -> Any:
    """The rows of the cards of one game."""
    kinds = list(dict.fromkeys(names))
    machine = Machine(rules, 1, "plays", entries=len(kinds))
    entries = []
    for kind in kinds:
        found = library().get(kind)
        given = TINY if kind in NAMES else {}
        entries.append(Seated(kind, found.strategy, given, found.digest, found.file))
    lineup = Lineup(machine, entries)
    jobs = np.zeros(1, JOB)
    for seat, name in enumerate(names):
        lineup.seat(kinds.index(name), seat)
        jobs["entries"][0, seat] = kinds.index(name)
    try:
        return np.concatenate([rows[2] for rows in machine.play(jobs)])
    except BotFailed:
        raise lineup.fault().error() from None


@pytest.mark.parametrize(("preset", "players"), [*NARROW, *WIDE])
def test_legal_under_presets(preset: str, players: int) -> None:
    """Every card of a hand is played, and nothing illegal: three or four of them to a table."""
    rng = random.Random(f"{preset} {players}")
    rules = rotated(Rules.preset(preset, players=players), rng)
    names = (NAMES + ["RandomLegal"] * players)[:players]
    rng.shuffle(names)
    plays = plays_of(rules, names)
    assert (plays["trick"] > 0).sum() == rules.players * rules.hand_size


@pytest.mark.parametrize("name", NAMES)
def test_two_packs_are_played_as_all_round_does(name: str) -> None:
    """Where a card may be there twice, card by card."""
    rules = changed(short(Rules.preset("cancellation", players=6), 1), pass_cycle=["L"])
    ours, theirs = (
        plays_of(rules, [player, "RandomLegal", player, player, "RandomLegal", player])
        for player in (name, "AllRoundCompiled")
    )
    assert ours["card"].tolist() == theirs["card"].tolist()
    assert len(ours) > rules.players * rules.hand_size  # with a pass


@pytest.mark.parametrize("name", NAMES)
def test_docstring(name: str) -> None:
    from hearts_sim.search.settings import OPTIONS

    found = library().get(name)
    text = inspect.getdoc(found.strategy) or ""
    assert re.fullmatch(r"[A-Z].{10,99}\.", found.summary)
    for heading in ("Passes", "Plays", "Uses"):
        assert len(re.findall(rf"^{heading}: \S", text, re.MULTILINE)) == 1, heading
    assert "hearts_sim.search.settings" in text
    assert found.strategy.options == OPTIONS
    assert found.decides_by_clock({"seconds": 0.5})
    assert not found.decides_by_clock({})


def test_one_player_per_file() -> None:
    files = {path.stem.title().replace("_", "") for path in SEARCH.glob("[!_]*.py")}
    assert files == set(NAMES)


def test_a_run_is_the_same_in_every_process(tmp_path: Path) -> None:
    """With one process of players and with two, in hands one after the other."""
    config = {
        "name": "searching",
        "strategies": {
            "folder": str(SEARCH),
            "entries": [{"strategy": name, "options": TINY} for name in NAMES],
        },
        "rules": {"end": {"deals": 2}, "tie": "draw"},
        "format": {"type": "table", "games": 4},
        "seed": 7,
    }
    digests = {
        run(config, output=tmp_path / str(jobs), jobs=jobs, report=False).digest()
        for jobs in (1, 2)
    }
    assert len(digests) == 1


@pytest.mark.long
def test_they_pass_the_check() -> None:
    done = CliRunner().invoke(main, ["check", str(SEARCH), "--games", "1"])
    assert done.exit_code == 0, done.output
