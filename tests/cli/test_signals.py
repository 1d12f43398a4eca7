"""Stopping a run from outside, with Ctrl-C and with violence."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from trial import FOUR, PATIENCE, started, wait_until, write_files

from hearts_sim import Strategy, load, play_game, run
from hearts_sim.errors import ResultsError
from hearts_sim.report.notes import facts
from hearts_sim.report.summary import summarise

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

CONFIG = """\
name: long
strategies: {folder: bots}
format: {type: table, games: 1000000}
"""


class Low(Strategy):
    """Plays its lowest card."""

    def choose_card(self, view: Any) -> Any:
        return view.legal.lowest()


def children(pid: int) -> list[int]:
    """Processes whose parent this one is."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [
        int(number) for thread in threads for number in (thread / "children").read_text().split()
    ]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A long run with two player processes, some of whose parts are written."""
    play_game([Low] * 4)  # so that the engine is compiled
    write_files(tmp_path / "bots", FOUR)
    (tmp_path / "c.yaml").write_text(CONFIG)
    written = tmp_path / "results" / "long" / "timing"
    command = ("run", "c.yaml", "-j", "2")
    with started(tmp_path, *command, when=lambda: len(list(written.glob("*.json"))) > 2) as process:
        yield process


def test_ctrl_c_and_resume(
    running: subprocess.Popen[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends a run with 130 and one message; what was played is kept and can be reported.

    What was interrupted goes on, and ends as if it had never been interrupted.
    """
    players = children(running.pid)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, err
    assert out == ""
    assert "in play will be finished; Ctrl-C again stops at once" in err
    assert err.splitlines()[-2:] == [
        "Error: interrupted: what was played is in results/long; this goes on with it:",
        "hearts-sim run c.yaml -j 2 --resume",
    ]
    assert "Traceback" not in err
    wait_until(lambda: not any(map(alive, players)))
    results = load(tmp_path / "results" / "long")
    parts = results.folder.parts()
    assert len(parts) > 2
    assert len(results.games()) == 4 * sum(notes["games"] for notes in parts.values())
    assert results.info["status"] == "running"
    assert facts(summarise(results)).startswith("interim: ")
    monkeypatch.chdir(tmp_path)
    blocks = max(notes["blocks"][1] for notes in parts.values())
    shorter = Path("c.yaml").read_text().replace("games: 1000000", f"blocks: {blocks}")
    Path("c.yaml").write_text(shorter)
    with pytest.raises(ResultsError, match="did not finish: --resume goes on with it"):
        run("c.yaml", report=False)
    resumed = run("c.yaml", resume=True, report=False)
    assert (resumed.info["status"], resumed.info["blocks"]) == ("finished", blocks)
    assert resumed.digest() == run("c.yaml", output="fresh", report=False).digest()


def test_players_end_with_their_parent(running: subprocess.Popen[str]) -> None:
    """When the command is killed its player processes end too."""
    players = children(running.pid)
    assert len(players) >= 2
    running.kill()
    running.wait()
    wait_until(lambda: not any(map(alive, players)))


HANGS = """
import time
from pathlib import Path
from hearts_sim import Strategy

class Hangs(Strategy):
    '''Never plays its first card.'''

    def choose_card(self, view):
        Path("hangs").touch()
        while True:
            time.sleep(60)
"""


def test_the_second_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    """The first waits for a game that never ends, and says so; the second leaves it."""
    play_game([Low] * 4)  # so that the engine is compiled
    write_files(tmp_path / "bots", {"hangs.py": HANGS, "low.py": FOUR["low.py"]})
    (tmp_path / "c.yaml").write_text(CONFIG)
    command = ("run", "c.yaml", "-j", "1")
    with started(tmp_path, *command, when=(tmp_path / "hangs").exists) as process:
        players = children(process.pid)
        process.send_signal(signal.SIGINT)
        for line in process.stderr:
            if "in play will be finished; Ctrl-C again stops at once" in line:
                break
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "hearts-sim run c.yaml -j 1 --resume"
    assert "Traceback" not in err
    wait_until(lambda: not any(map(alive, players)))
    assert load(tmp_path / "results" / "long").folder.parts() == {}
