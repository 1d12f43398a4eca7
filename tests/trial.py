"""Small strategies, written as files, and small tournaments of them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from hearts_sim.strategy.loader import load_folders
from hearts_sim.tournament.players import launch, supervise, tasks
from hearts_sim.tournament.run import course

LOW = """
from hearts_sim import Strategy

class Low(Strategy):
    '''Plays its lowest card.'''

    def choose_card(self, view):
        return view.legal.lowest()
"""

HIGH = """
from hearts_sim import Strategy

class High(Strategy):
    '''Plays its highest rank and keeps it.'''

    def choose_pass(self, view):
        return sorted(view.legal, key=lambda card: card.rank)[: view.pass_count]

    def choose_card(self, view):
        return max(view.legal, key=lambda card: card.rank)
"""

CHANCE = """
from hearts_sim import Strategy

class Chance(Strategy):
    '''Plays at random.'''

    def choose_pass(self, view):
        return self.rng.sample(list(view.legal), view.pass_count)

    def choose_card(self, view):
        return self.rng.choice(list(view.legal))
"""

MIDDLE = """
from hearts_sim import Strategy

class Middle(Strategy):
    '''Plays from the middle of its hand.'''

    def __init__(self, risk=0.5):
        self.risk = risk

    def choose_card(self, view):
        cards = list(view.legal)
        return cards[int(self.risk * (len(cards) - 1))]
"""

COUNTS = """
from hearts_sim import Strategy

SEEN = 0

class Counts(Strategy):
    '''Remembers all games, in its module.'''

    def choose_card(self, view):
        global SEEN
        SEEN += 1
        cards = list(view.legal)
        return cards[SEEN // 100 % len(cards)]
"""
"""Not the same in another process."""

FOUR = {"low.py": LOW, "high.py": HIGH, "chance.py": CHANCE, "middle.py": MIDDLE}
"""Four strategies that play differently: Chance, High, Low and Middle."""


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write texts, without their common indentation, into a folder; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    return folder


def settings(
    folder: Path, entries: Sequence[Any] | None = None, games: int = 8, **more: Any
) -> dict[str, Any]:
    """A config as a mapping; ``type`` is ``table`` unless given."""
    strategies: dict[str, Any] = {"folder": str(folder)}
    if entries is not None:
        strategies["entries"] = list(entries)
    kind = more.pop("type", "table")
    return {
        "name": "trial",
        "strategies": strategies,
        "format": {"type": kind, "games": games},
        **more,
    }


SURVEY = supervise.survey
"""How strategies are found when nothing is patched: in a process that they may end."""


def play_inline(patch: pytest.MonkeyPatch) -> None:
    """Play all runs in this process, where starting takes no time."""
    stage = course.stage
    patch.setattr(launch, "launch_early", lambda: None)
    patch.setattr(supervise, "start_ahead", lambda number: None)
    patch.setattr(supervise, "survey", lambda folders, *rest: load_folders(folders))
    patch.setattr(course, "stage", lambda jobs, progress: stage(None, progress))


def python(*arguments: str, cwd: Path | None = None, **environment: str) -> Any:
    """Run another Python process to its end; ``returncode``, ``stdout`` and ``stderr`` as text."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )


PATIENCE = 120
"""Seconds after which something is taken never to happen."""


def wait_until(happens: Callable[[], bool]) -> None:
    """Look again and again; fails when it does not happen."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.05)


@contextlib.contextmanager
def started(
    folder: Path, *arguments: str, when: Callable[[], bool]
) -> Iterator[subprocess.Popen[str]]:
    """A ``hearts-sim`` of its own in a folder, once something has happened; killed in the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hearts_sim.cli", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            wait_until(lambda: when() or process.poll() is not None)
            yield process
        finally:
            process.kill()


def parts_played(patch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the parts that are played in this process from now on, as they are played."""
    numbers: list[int] = []
    play_part = tasks.play_part

    def noted(spec: Any, number: int, blocks: range, absent: Any) -> Any:
        numbers.append(number)
        return play_part(spec, number, blocks, absent)

    patch.setattr(tasks, "play_part", noted)
    return numbers
