"""Dask as it is started from a terminal, and the real command that talks to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from trial import FOUR, PATIENCE, started, wait_until, write_files

from hearts_sim import load, run
from hearts_sim.cli import main

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

CONFIG = """\
name: long
strategies: {folder: bots}
format: {type: table, games: 1000000}
"""


def players(folder: Path) -> list[str]:
    """Player processes that were started by this cluster."""
    mark = f"TMPDIR={folder / 'theirs'}".encode()
    found = []
    for process in Path("/proc").iterdir():
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().decode())
        except OSError:
            continue
    return [command for command in found if "players.playing" in command]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and a worker with two threads."""
    folder = tmp_path_factory.mktemp("dask")
    (folder / "theirs").mkdir()
    where = folder / "scheduler.json"
    common = ["--no-dashboard", "--scheduler-file", str(where)]
    dask = [sys.executable, "-m", "dask"]
    environment = {**os.environ, "TMPDIR": str(folder / "theirs")}
    with open(folder / "log", "wb") as log:
        servers = [
            subprocess.Popen(
                [*dask, *more, *common], env=environment, stdout=log, stderr=log, cwd=folder
            )
            for more in (
                ["scheduler", "--host", "127.0.0.1", "--port", "0"],
                ["worker", "--host", "127.0.0.1", "--nworkers", "1", "--nthreads", "2"],
            )
        ]
        try:
            wait_until(where.exists)
            wait_until(lambda: where.read_text().endswith("}"))
            yield json.loads(where.read_text())["address"]
        finally:
            for process in servers[::-1]:
                process.terminate()
            for process in servers:
                process.wait(PATIENCE)
    assert players(folder) == []


@pytest.fixture
def running(address: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A long run on the cluster, some of whose parts are written."""
    write_files(tmp_path / "bots", FOUR)
    (tmp_path / "c.yaml").write_text(CONFIG)
    written = tmp_path / "results" / "long" / "timing"
    command = ("run", "c.yaml", "--scheduler", address)
    with started(tmp_path, *command, when=lambda: len(list(written.glob("*.json"))) > 2) as process:
        yield process


@pytest.mark.long
def test_ctrl_c_and_resume(
    running: subprocess.Popen[str], address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted on the cluster and gone on with there, a run is what it is on one machine."""
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, err
    assert out == ""
    lines = [line for line in err.splitlines() if " games, " not in line]
    assert lines[0] == f"{address}: 1 worker with 2 threads"
    assert "in play will be finished; Ctrl-C again stops at once" in lines[1]
    assert lines[2:] == [
        "Error: interrupted: what was played is in results/long; this goes on with it:",
        f"hearts-sim run c.yaml --scheduler {address} --resume",
    ]
    monkeypatch.chdir(tmp_path)
    parts = load("results/long").folder.parts()
    assert sorted(parts) == list(range(len(parts)))
    blocks = max(notes["blocks"][1] for notes in parts.values()) + 20
    shorter = CONFIG.replace("games: 1000000", f"blocks: {blocks}")
    Path("c.yaml").write_text(shorter)
    done = CliRunner().invoke(main, ["run", "c.yaml", "--scheduler", address, "--resume", "-q"])
    assert done.exit_code == 0, done.output
    resumed: Any = load("results/long")
    assert (resumed.info["status"], resumed.info["blocks"]) == ("finished", blocks)
    assert resumed.digest() == run("c.yaml", output="here", report=False).digest()


@pytest.mark.long
def test_ctrl_c_twice(running: subprocess.Popen[str], address: str, tmp_path: Path) -> None:
    """The second one leaves at once; nothing of the run is left on the cluster."""
    from distributed import Client

    running.send_signal(signal.SIGINT)
    time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, err
    assert "Traceback" not in err
    make: Any = Client
    with make(address, set_as_default=False) as client:
        wait_until(lambda: not any(client.processing().values()))


def test_not_both() -> None:
    """Jobs are for this machine."""
    done = CliRunner().invoke(main, ["run", "c.yaml", "--scheduler", "tcp://x:1", "-j", "3"])
    assert done.exit_code == 2
    assert "--jobs is for this machine, --scheduler for a cluster" in done.output
