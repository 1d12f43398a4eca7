"""Versions of hearts-sim against each other and against the limit, in alternation.

python tests/benchmarks/versions.py PAIRS STRATEGY GAMES TREE [TREE ...]

A tree is a folder with `hearts_sim` and `strategies` in it; with ``@2`` after it, its games are
watched by another process (`WATCH_CALLS`). Each version plays in a process of its own, a slice of
games at a time, with a slice of the limit before and after. Processor time is measured, not time on
the clock, so that other programs disturb less; what they do to a shared core still shows, so only
medians over many slices tell anything.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LIMIT = Path(__file__).parent / "limit.c"
LIMIT_HANDS = 100_000
PLAYER = """
import sys, time
tree, name, games, watch = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
sys.path.insert(0, tree)
import numpy as np
from hearts_sim.engine.layout import JOB
from hearts_sim.engine.machine import Machine
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import load_folders
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup

found = load_folders([tree + "/strategies"]).get(name)
machine = Machine(Rules(), 1, "games", 4)
lineup = Lineup(machine, [Seated(name, found.strategy, {}, found.digest, found.file)] * 4)
for seat in range(4):
    lineup.seat(seat, seat)
jobs = np.zeros(games, JOB)
jobs["entries"][:, :4] = range(4)
jobs["watch"] = watch
first = 0
for line in sys.stdin:
    jobs["block"] = jobs["number"] = np.arange(first, first + games)
    first += games
    began, hands = time.thread_time(), 0
    for _, rows, _ in machine.play(jobs):
        hands += int(rows["hands"].sum()) // 4
    print(hands / (time.thread_time() - began), flush=True)
"""


def limit(binary: Path) -> float:
    """The limit's hands per second."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([binary, str(LIMIT_HANDS)], check=True, capture_output=True)
    return LIMIT_HANDS / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def play(process: Any) -> float:
    """Hands per second of a version, for a slice of games."""
    process.stdin.write("\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def main(pairs: int, name: str, games: str, trees: list[str]) -> None:
    """Print medians of each version: its speed, as a share of the limit's, and by the first's."""
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "limit"
        subprocess.run(["cc", "-O3", "-march=native", LIMIT, "-o", binary], check=True)
        processes = []
        for tree in trees:
            path, _, watch = tree.partition("@")
            command = [sys.executable, "-c", PLAYER, str(Path(path).resolve()), name, games]
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            processes.append(subprocess.Popen([*command, watch or "0"], text=True, **pipes))
        for process in processes:
            play(process)
        speeds: list[list[float]] = [[] for _ in trees]
        shares: list[list[float]] = [[] for _ in trees]
        for pair in range(pairs):
            before = limit(binary)
            for turn in range(len(trees)):
                which = (pair + turn) % len(trees)
                speed, after = play(processes[which]), limit(binary)
                speeds[which].append(speed)
                shares[which].append(speed / ((before + after) / 2))
                before = after
        for process in processes:
            process.stdin.close()
            process.wait()
    for tree, own, share in zip(trees, speeds, shares, strict=True):
        by_first = [speed / first for speed, first in zip(own, speeds[0], strict=True)]
        found = {
            "hands_per_second": round(statistics.median(own)),
            "share": round(statistics.median(share), 4),
            "shares": [round(min(share), 4), round(max(share), 4)],
            "by_first": round(statistics.median(by_first), 3),
        }
        print(tree, json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
