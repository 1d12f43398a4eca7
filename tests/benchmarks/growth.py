"""Time and memory of whole runs of growing size, as a page: ``docs/verification/growth.md``.

python tests/benchmarks/growth.py [ROUNDS [GAMES ...]]

Each run is the command ``hearts-sim run`` with two player processes: four compiled bots at a table,
the log of hands, statistics and report. Peaks of memory are what Linux keeps of every process.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from commands import HEARTS_SIM, environment, table_of_four

HERE = Path(__file__).parent
GAMES = (10_000, 100_000, 1_000_000)
LIMIT_HANDS = 2_000_000
LOOK_SECONDS = 0.1
COLUMNS = (
    "games",
    "hands",
    "seconds",
    "of these not playing",
    "limit's seconds",
    "times the limit",
    "processor's seconds, times the limit's",
    "command, MiB",
    "largest player, MiB",
)


@dataclass(frozen=True)
class Measured:
    """One run: seconds of the command, of its playing, of processors; peaks in MiB.

    Of the limit, for as many hands, the seconds and those of the processor.
    """

    games: int
    hands: int
    seconds: float
    playing: float
    processor: float
    limit: float
    limit_processor: float
    own: float
    players: float


def processor_seconds() -> float:
    """What processes that this one has waited for took of processors."""
    spent = os.times()
    return spent.children_user + spent.children_system


def limit_seconds(binary: Path) -> tuple[float, float]:
    """Seconds that the limit takes for a hand, and those of the processor."""
    command = [str(binary), str(LIMIT_HANDS)]
    before = processor_seconds()
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    spent = processor_seconds() - before
    return 1 / float(json.loads(printed)["hands_per_second"]), spent / LIMIT_HANDS


def peaks(pid: int) -> dict[int, float]:
    """The largest memory in MiB that a process and those below it ever had, by their numbers."""
    found, waiting = {}, [pid]
    while waiting:
        pid = waiting.pop()
        # A process may end while it is looked at.
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("VmHWM"):
                    found[pid] = int(line.split()[1]) / 1024
            for task in Path(f"/proc/{pid}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
    return found


def measure(games: int, folder: Path, binary: Path) -> Measured:
    """Play a run of this size."""
    config = folder / f"{games}.yaml"
    config.write_text(table_of_four("RandomLegal", games))
    out = folder / "out"
    command = [*HEARTS_SIM, "run", str(config), "-o", str(out), "-j", "2", "--force", "--quiet"]
    limits = [limit_seconds(binary)]
    before = processor_seconds()
    began = time.perf_counter()
    largest: dict[int, float] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment()) as process:
        while process.poll() is None:
            for pid, mebibytes in peaks(process.pid).items():
                largest[pid] = max(largest.get(pid, 0.0), mebibytes)
            time.sleep(LOOK_SECONDS)
        seconds = time.perf_counter() - began
    assert process.returncode == 0
    processor = processor_seconds() - before
    limits.append(limit_seconds(binary))
    info = json.loads((out / "run.json").read_text())
    limit, limit_processor = (info["hands"] * sum(pair) / 2 for pair in zip(*limits, strict=True))
    return Measured(
        games=info["games"],
        hands=info["hands"],
        seconds=seconds,
        playing=info["seconds"],
        processor=processor,
        limit=limit,
        limit_processor=limit_processor,
        own=largest.pop(process.pid),
        players=max(largest.values()),
    )


def cells(rounds: list[Measured]) -> list[str]:
    """Medians of the rounds, the ratios of each, and the highest peaks."""

    def median(values: Iterable[float], digits: int) -> str:
        return f"{statistics.median(values):.{digits}f}"

    ratios = [each.seconds / each.limit for each in rounds]
    shares = [each.processor / each.limit_processor for each in rounds]
    return [
        f"{rounds[0].games:,}",
        f"{rounds[0].hands:,}",
        median((each.seconds for each in rounds), 1),
        median((each.seconds - each.playing for each in rounds), 1),
        median((each.limit for each in rounds), 1),
        f"{median(ratios, 2)} ({', '.join(f'{ratio:.2f}' for ratio in ratios)})",
        f"{median(shares, 2)} ({', '.join(f'{share:.2f}' for share in shares)})",
        f"{max(each.own for each in rounds):.0f}",
        f"{max(each.players for each in rounds):.0f}",
    ]


def main(number: int, sizes: list[int]) -> None:
    """Print a row for each size: the median of the rounds, and the range of the ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        binary = folder / "limit"
        source = str(HERE / "limit.c")
        subprocess.run(["cc", "-O3", "-march=native", source, "-o", str(binary)], check=True)
        measure(1000, folder, binary)  # compiles what is not compiled yet
        print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
        for games in sizes:
            rounds = [measure(games, folder, binary) for _ in range(number)]
            print(f"| {' | '.join(cells(rounds))} |", flush=True)
        load = "/".join(f"{value:.1f}" for value in os.getloadavg())
        print(
            f"\n{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python "
            f"{platform.python_version()}; load of the machine at the end {load}"
        )


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    main(given[0] if given else 3, given[1:] or list(GAMES))
