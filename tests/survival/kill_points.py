"""Kill runs at random points, let them go on, and compare with a run that nobody disturbed.

Points of the first kind lie just before or after one of the calls that change files (or in the
middle of a write: the file is cut in half); the run is forked from this process and killed there.
Points of the second kind are moments: the command plays in processes of its own, and it or one of
its player processes is killed. ``--help`` says the rest.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from trial import FOUR, write_files

from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.plan.spec import plan_run
from hearts_sim.tournament.players import tasks
from hearts_sim.tournament.run.runner import play_run

CALLS = ("fsync", "replace", "unlink", "mkdir")


class Calls:
    """Counts the calls that change files, and ends the process at one of them."""

    def __init__(self, kill_at: int | None, how: str) -> None:
        self.seen = 0
        self.kill_at = kill_at
        self.how = how
        for name in CALLS:
            setattr(os, name, self._counted(name, getattr(os, name)))

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **more: Any) -> Any:
            here = self.seen == self.kill_at
            self.seen += 1
            if here and self.how == "in" and name == "fsync":
                with contextlib.suppress(OSError):  # a folder
                    os.ftruncate(args[0], os.fstat(args[0]).st_size // 2)
            if here and self.how != "after":
                os.kill(os.getpid(), signal.SIGKILL)
            done = call(*args, **more)
            if here:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        return counted


def planned(bots: Path, games: int) -> tuple[Any, dict[str, Any]]:
    """A run of games of one deal."""
    settings = config_from_mapping(
        {
            "name": "kills",
            "strategies": {"folder": str(bots)},
            "rules": {"end": {"deals": 1}, "tie": "draw"},
            "format": {"type": "table", "games": games},
            "log": "plays",
        }
    )
    return plan_run(settings)[0], settings.resolved()


def play(
    plan: tuple[Any, dict[str, Any]], output: Path, kill_at: int | None = None, how: str = "before"
) -> tuple[bool, int]:
    """Play or go on in a forked process; whether it came to its end, and how many calls it made."""
    count = output.with_suffix(".count")
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            calls = Calls(kill_at, how)
            play_run(plan[0], output, config=plan[1], source="# the config\n", resume=True)
            count.write_text(str(calls.seen))
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, "the run failed"
        return True, int(count.read_text())
    return False, 0


def differences(output: Path, whole: Path) -> list[str]:
    """In what a run is not the undisturbed one."""
    found = []
    folder, other = RunFolder(output), RunFolder(whole)
    if not folder.digest() == other.digest() == folder.info().get("digest"):
        found.append("digest")
    keys = ("status", "blocks", "games", "hands", "identity", "verdict")
    found += [key for key in keys if folder.info()[key] != other.info()[key]]
    names = [
        sorted(str(path.relative_to(one)) for path in one.rglob("*") if path.suffix != ".json")
        for one in (output, whole)
    ]
    if names[0] != names[1]:
        found.append("names of files")
    elif any(
        (output / name).read_bytes() != (whole / name).read_bytes()
        for name in names[0]
        if name.endswith(".parquet")
    ):
        found.append("files")
    return found


def calls_points(
    room: Path, points: int, rng: random.Random, sizes: tuple[int, int]
) -> tuple[Counter[str], list[str]]:
    """Kill at calls: new runs, and a small run that is extended to a large one."""
    bots = write_files(room / "bots", FOUR)
    small, large = (planned(bots, games) for games in sizes)
    tasks.player_of(large[0]).warm_up()
    _, calls = play(large, room / "whole")
    play(small, room / "small")
    shutil.copytree(room / "small", room / "extended")
    _, more_calls = play(large, room / "extended")
    problems = [f"undisturbed: {what}" for what in differences(room / "extended", room / "whole")]
    counts: Counter[str] = Counter()
    for point in range(points):
        output = room / f"point-{point}"
        extension = rng.random() < 0.5
        if extension:
            shutil.copytree(room / "small", output)
        kind = "an extension" if extension else "a new run"
        how = rng.choice(["before", "in", "after"])
        at = rng.randrange(more_calls if extension else calls)
        ended, _ = play(large, output, at, how)
        counts[f"{kind}, killed {how} a call"] += not ended
        if rng.random() < 0.3:  # and once more, early
            ended, _ = play(large, output, rng.randrange(40), rng.choice(["before", "after"]))
            counts["killed again while it went on"] += not ended
        play(large, output)
        wrong = differences(output, room / "whole")
        problems += [f"point {point} ({kind}, {how} call {at}): {what}" for what in wrong]
        shutil.rmtree(output)
    return counts, problems


CONFIG = """\
name: kills
strategies: {{folder: bots}}
rules: {{end: {{deals: 1}}, tie: draw}}
format: {{type: table, games: {games}}}
log: hands
"""


def moment_points(
    room: Path, points: int, rng: random.Random, games: int
) -> tuple[Counter[str], list[str]]:
    """Kill at moments: the command, or one of its two player processes."""
    write_files(room / "bots", FOUR)
    (room / "c.yaml").write_text(CONFIG.format(games=games))
    command = [sys.executable, "-m", "hearts_sim.cli", "run", "c.yaml", "-q", "-j", "2"]
    counts: Counter[str] = Counter()
    problems = []
    began = time.monotonic()
    subprocess.run([*command, "-o", "whole"], cwd=room, check=True, capture_output=True)
    span = time.monotonic() - began
    for point in range(points):
        output = room / f"moment-{point}"
        whom = rng.choice(["the command", "a player process"])
        process = subprocess.Popen(
            [*command, "-o", output.name, "--resume"],
            cwd=room,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        notes = output / "timing"
        until = rng.randrange(12)
        while process.poll() is None and len(list(notes.glob("part-*.json"))) < until:
            time.sleep(0.001)
        time.sleep(rng.random() * 0.05 * span)
        players = players_of(process.pid)
        victim = process.pid if whom == "the command" else rng.choice(players or [process.pid])
        if process.poll() is None:
            os.kill(victim, signal.SIGKILL)
            counts[f"killed {whom}"] += 1
        _, said = process.communicate()
        if victim == process.pid:
            end = time.monotonic() + 20
            while any(map(alive, players)) and time.monotonic() < end:
                time.sleep(0.02)
            if any(map(alive, players)):
                problems.append(f"moment {point}: player processes are left")
        elif process.returncode != 0:
            problems.append(f"moment {point}: did not survive its player process: {said}")
        subprocess.run(
            [*command, "-o", output.name, "--resume"], cwd=room, check=True, capture_output=True
        )
        one, other = (RunFolder(path) for path in (output, room / "whole"))
        if not one.digest() == other.digest() == one.info()["digest"]:
            problems.append(f"moment {point} ({whom}): digest")
        shutil.rmtree(output)
    return counts, problems


def players_of(pid: int) -> list[int]:
    """Processes whose parent this one is."""
    found = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += [int(number) for number in (thread / "children").read_text().split()]
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def main() -> int:
    """Print what came of it as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100, help="points at calls")
    parser.add_argument(
        "--sizes", type=int, nargs=2, default=(44, 88),
        help="games of a small run and a large one; the small one's last part must be a short one",
    )  # fmt: skip
    parser.add_argument("--moments", type=int, default=20, help="points at moments")
    parser.add_argument("--games", type=int, default=3000, help="games of the runs of moments")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng = random.Random(chosen.seed)
    counts: Counter[str] = Counter()
    problems = []
    with tempfile.TemporaryDirectory() as room:
        if chosen.calls:
            (Path(room) / "calls").mkdir()
            found = calls_points(Path(room) / "calls", chosen.calls, rng, tuple(chosen.sizes))
            counts += found[0]
            problems += found[1]
        if chosen.moments:
            (Path(room) / "moments").mkdir()
            found = moment_points(Path(room) / "moments", chosen.moments, rng, chosen.games)
            counts += found[0]
            problems += found[1]
    print("| what | times |\n|---|--:|")
    for what, times in sorted(counts.items()):
        print(f"| {what} | {times} |")
    print(f"| **runs that were not as the undisturbed one** | **{len(problems)}** |")
    print(json.dumps(problems, indent=1) if problems else "", end="")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
