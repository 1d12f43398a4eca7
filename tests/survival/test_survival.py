"""A run survives being killed, a full disk and a folder that nobody may write to."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from trial import FOUR, SURVEY, python, settings, write_files

from hearts_sim import load, run
from hearts_sim.errors import ResultsError
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.players import launch, processes, supervise

HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, mounts, looks into /proc")


def config(folder: Path, games: int = 80) -> dict[str, Any]:
    return settings(folder, games=games, rules={"end": {"deals": 1}, "tie": "draw"}, log="plays")


def test_kill_points() -> None:
    """Killed at random points, a run goes on and is what an undisturbed one is.

    docs/verification/kill_points.md has more of them.
    """
    done = python(
        str(HERE / "kill_points.py"), "--calls", "4", "--sizes", "36", "44", "--moments", "0"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| **runs that were not as the undisturbed one** | **0** |" in done.stdout


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=200k", "none", str(place)]
    try:
        made = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if made.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def mount_again(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


@pytest.mark.parametrize("jobs", [None, 2], ids=["inline", "processes"])
def test_the_disk_is_full(disk: Path, tmp_path: Path, jobs: int | None) -> None:
    """One message; what was written is whole; with space again --resume ends as it should."""
    bots = write_files(tmp_path / "bots", FOUR)
    with pytest.raises(ResultsError) as caught:
        run(config(bots), output=disk / "out", jobs=jobs, report=False)
    assert "cannot be written: No space left on device; what was written before is kept" in str(
        caught.value
    )
    assert str(caught.value).endswith("the same command with --resume goes on from there")
    assert "\n" not in str(caught.value)
    kept = load(disk / "out").folder.parts()
    assert 0 < len(kept) < 14
    assert not list(disk.rglob("*.tmp"))
    with pytest.raises(ResultsError, match="No space left on device"):
        run(config(bots), output=disk / "out", resume=True, report=False)
    assert load(disk / "out").folder.parts().items() >= kept.items()
    if jobs is None:
        mount_again(disk, "ro")
        with pytest.raises(ResultsError) as caught:
            run(config(bots), output=disk / "out", resume=True, report=False)
        assert f"{disk / 'out'}: cannot be written: Read-only file system" in str(caught.value)
        assert "\n" not in str(caught.value)
    mount_again(disk, "rw,size=8m")
    done = run(config(bots), output=disk / "out", resume=True, report=False)
    assert done.digest() == run(config(bots), output=tmp_path / "whole", report=False).digest()


def test_a_full_disk_keeps_the_shorter_part(disk: Path, tmp_path: Path) -> None:
    """An extension that finds no space leaves the last part of the finished run where it is."""
    mount_again(disk, "size=8m")
    bots = write_files(tmp_path / "bots", FOUR)
    small = run(config(bots, 44), output=disk / "out", report=False)
    last = max(small.folder.parts())
    used = sum(path.stat().st_blocks * 512 for path in disk.rglob("*"))
    mount_again(disk, f"size={used + 16384}")
    with pytest.raises(ResultsError, match="No space left on device"):
        run(config(bots), output=disk / "out", report=False)
    assert load(disk / "out").folder.parts()[last] == small.folder.parts()[last]
    assert len(load(disk / "out").games()) == 4 * 44


def test_a_player_is_killed(tmp_path: Path) -> None:
    """Somebody kills a player process: no bot is blamed, and the run is as it should be."""
    bots = write_files(tmp_path / "bots", {**FOUR, "killed.py": KILLED})
    (tmp_path / "killed").write_text("")
    more = {"entries": ["Killed", "Low"], "type": "duel", "faults": {"decision_seconds": 60}}
    sizes = {"games": 28, "rules": {"end": {"deals": 1}, "tie": "draw"}, "log": "plays"}
    results = run(settings(bots, **more, **sizes), output=tmp_path / "out", jobs=1, report=False)
    assert not (tmp_path / "killed").exists()
    assert len(results.faults()) == 0
    whole = run(settings(bots, **more, **sizes), output=tmp_path / "whole", jobs=1, report=False)
    assert results.digest() == whole.digest()


KILLED = """
    import os, signal
    from pathlib import Path
    from hearts_sim import Strategy

    MARK = Path(__file__).parents[1] / "killed"

    class Killed(Strategy):
        '''Dies in its sixth trick, once; which is what it looks like when another kills it.'''

        def choose_card(self, view):
            if view.trick_number == 6 and MARK.exists():
                MARK.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
            return view.legal.lowest()
"""


@pytest.mark.parametrize("deaths", [2, 3])
def test_killed_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaths: int
) -> None:
    """Another process is started in its place, twice; then that is said."""
    bots = write_files(tmp_path / "bots", FOUR)
    started: list[Any] = []

    def killed(ahead: bool = True) -> Any:
        launched = launch.take(ahead)
        started.append(launched)
        if len(started) <= deaths:
            launched.process.kill()
        return launched

    supervise.end_processes()
    monkeypatch.setattr(processes, "take", killed)
    if deaths == 3:
        with pytest.raises(ResultsError, match="could not begin: its process was killed"):
            SURVEY([str(bots)], FaultRules())
    else:
        found = SURVEY([str(bots)], FaultRules())
        assert sorted(found.found) == ["Chance", "High", "Low", "Middle"]
    assert len(started) == 3
    supervise.end_processes()


def test_ctrl_c_before_anything_is_played(tmp_path: Path) -> None:
    """Ctrl-C while bots are loaded ends with 130 and the command that goes on, not in a trace."""
    slow = "import time\nfrom pathlib import Path\nPath('here').touch()\ntime.sleep(60)\n"
    write_files(tmp_path / "bots", {"low.py": FOUR["low.py"], "slow.py": slow})
    (tmp_path / "c.yaml").write_text(
        "name: t\nstrategies: {folder: bots}\nformat: {type: selfplay, games: 8}\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "hearts_sim.cli", "run", "c.yaml", "-j", "1"],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        while not (tmp_path / "here").exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("Error: interrupted")
