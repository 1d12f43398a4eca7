"""How long a command takes until its first game, and its report.

python tests/benchmarks/start.py [ROUNDS]

A bot writes down when it is first asked for a card; everything is compiled before. The quickstart
is run as in the README, and its report is what is left of its time after the games.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from commands import HEARTS_SIM, environment

ROOT = Path(__file__).parents[2]
BOT = """
import time
from pathlib import Path
from hearts_sim import Strategy

MARK = Path({mark!r})

class Marks(Strategy):
    '''Plays its lowest card, and notes when it was first asked.'''

    def choose_card(self, view):
        global MARK
        if MARK is not None and not MARK.exists():
            MARK.write_text(str(time.time()))
        MARK = None
        return view.legal.lowest()
"""


def command(*arguments: str) -> float:
    """Run hearts-sim; returns the seconds that it took."""
    began = time.perf_counter()
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([*HEARTS_SIM, *arguments], check=True, env=environment(), **silent)
    return time.perf_counter() - began


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    firsts, quick, reports = [], [], []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        mark = folder / "mark"
        (folder / "bots").mkdir()
        (folder / "bots" / "marks.py").write_text(BOT.format(mark=str(mark)))
        (folder / "c.yaml").write_text(
            "strategies: {folder: bots}\nformat: {type: selfplay, games: 4}\nlog: games\n"
        )
        config = str(ROOT / "configs" / "quickstart.yaml")
        for place in range(rounds + 1):
            mark.unlink(missing_ok=True)
            began = time.time()
            command("run", str(folder / "c.yaml"), "-o", str(folder / "out"), "--force")
            first = float(mark.read_text()) - began
            seconds = command("run", config, "-o", str(folder / "quick"), "--force")
            played = json.loads((folder / "quick" / "run.json").read_text())["seconds"]
            report = command("report", str(folder / "quick"))
            if place:  # the first one may have to compile
                firsts.append(first)
                quick.append(seconds)
                reports.append(report)
            print(
                f"first card after {first:.2f} s; quickstart {seconds:.2f} s, of which {played:.2f}"
                f" playing; its report by itself {report:.2f} s",
                flush=True,
            )
    print(
        f"medians of {rounds}: first card after {statistics.median(firsts):.2f} s, quickstart "
        f"{statistics.median(quick):.2f} s, report {statistics.median(reports):.2f} s"
    )


if __name__ == "__main__":
    main()
