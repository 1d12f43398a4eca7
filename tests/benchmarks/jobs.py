"""How runs scale with ``--jobs``, against two copies of the limit side by side.

python tests/benchmarks/jobs.py [ROUNDS]

Two processes on two cores cannot be twice as fast where the cores share anything: what two copies
of ``limit.c`` reach side by side is what there is to reach. Playing is timed by the run itself,
from its first task to the last part that is written.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from commands import HEARTS_SIM, environment, table_of_four

HANDS = 4_000_000
LINE_UPS = {"RandomLegal": 1_000_000, "LowCard": 50_000}
"""Games of four of a kind: compiled, and in plain Python."""


def limit_rate(binary: Path, copies: int) -> float:
    """Hands per second of some copies of the limit together."""
    processes = [
        subprocess.Popen([str(binary), str(HANDS)], stdout=subprocess.PIPE, text=True)
        for _ in range(copies)
    ]
    printed = [process.communicate()[0] for process in processes]
    return sum(float(json.loads(text)["hands_per_second"]) for text in printed)


def playing_seconds(strategy: str, games: int, jobs: int, folder: Path) -> float:
    """Seconds that a run says it has played for."""
    config = folder / "c.yaml"
    config.write_text(table_of_four(strategy, games))
    command = [*HEARTS_SIM, "run", str(config), "-o", str(folder / "out"), "--force", "--quiet"]
    command += ["-j", str(jobs)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
    return float(json.loads((folder / "out" / "run.json").read_text())["seconds"])


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    gains: dict[str, list[float]] = {"limit.c": [], **{name: [] for name in LINE_UPS}}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        binary = folder / "limit"
        build = [
            "cc",
            "-O3",
            "-march=native",
            "-o",
            str(binary),
            str(Path(__file__).with_name("limit.c")),
        ]
        subprocess.run(build, check=True)
        for _ in range(rounds):
            gains["limit.c"].append(limit_rate(binary, 2) / limit_rate(binary, 1))
            for name, games in LINE_UPS.items():
                one, two = (playing_seconds(name, games, jobs, folder) for jobs in (1, 2))
                gains[name].append(one / two)
                print(name, f"{one:.1f} s with -j 1, {two:.1f} s with -j 2", flush=True)
    reached = statistics.median(gains["limit.c"])
    for name, found in gains.items():
        middle = statistics.median(found)
        print(
            f"{name}: {middle:.2f} times as fast with two ({min(found):.2f} to {max(found):.2f}), "
            f"{middle / reached:.2f} of what two copies of the limit reach"
        )


if __name__ == "__main__":
    main()
