"""Libraries built from C in a test, and tables at which their bots sit."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hearts_sim
from hearts_sim.engine.layout import JOB
from hearts_sim.engine.machine import Machine
from hearts_sim.rules import Rules
from hearts_sim.strategy.foreign import ForeignPlayer
from hearts_sim.strategy.plain import PlainPlayer
from hearts_sim.strategy.seated import Seated

INCLUDE = Path(hearts_sim.__file__).parent / "include"
EXAMPLE = Path(__file__).parents[2] / "strategies" / "library" / "ducker.c"
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
FULL = '#include "hearts_sim.h"\n'

Maker = Callable[[Machine], Any]
"""Makes a player for one seat of a machine."""


def compiler(name: str = "cc") -> str:
    """Path of a compiler; skips the test where there is none."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"there is no {name}")
    return found


def build(folder: Path, text: str, *flags: str, name: str = "bots", cc: str = "cc") -> str:
    """Build a library from a source text; returns its path."""
    suffix = ".cpp" if cc.endswith("++") else ".c"
    source, library = folder / f"{name}{suffix}", folder / f"{name}.so"
    source.write_text(text, encoding="utf-8")
    options = ["-O1", "-shared", "-fPIC", f"-I{INCLUDE}", *(flags or STRICT)]
    done = subprocess.run(
        [compiler(cc), *options, str(source), "-o", str(library)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return str(library)


def foreign(library: str, symbol: str, options: Mapping[str, Any] | None = None) -> Maker:
    """A bot in a library."""
    return lambda machine: ForeignPlayer(
        Seated(symbol, library=library, symbol=symbol, options=options or {})
    )


def plain(strategy: Any, options: Mapping[str, Any] | None = None) -> Maker:
    """A strategy in Python."""
    return lambda machine: PlainPlayer(strategy, options or {}, machine)


class Seating:
    """A machine at which players sit, one on each seat."""

    def __init__(self, rules: Rules, makers: Sequence[Maker], seed: int = 5) -> None:
        assert len(makers) == rules.players
        self.machine = Machine(rules, seed, "plays", entries=rules.players)
        self.players = [maker(self.machine) for maker in makers]
        for seat, player in enumerate(self.players):
            row = self.machine.table[seat, seat]
            row["compiled"] = player.compiled
            row["hooks"] = player.addresses()
            row["own"] = player.own.ctypes.data

    def play(self, games: int = 1) -> Any:
        """Every card of some games, as rows of dtype `PLAY_ROW`."""
        jobs = np.zeros(games, JOB)
        jobs["block"] = jobs["number"] = np.arange(games)
        jobs["entries"][:, : len(self.players)] = np.arange(len(self.players))
        return np.concatenate([plays for _, _, plays in self.machine.play(jobs)])
