"""The built package works by itself: from a wheel, in a folder that has nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "hearts_sim" / "report" / "templates"

pytestmark = pytest.mark.long


def run(*command: str, cwd: Path, **environment: str) -> Any:
    """A process to its end, with what it says."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True, text=True, encoding="utf-8", check=False, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this tree, built from a copy so that nothing is left in it."""
    pytest.importorskip("hatchling")
    home = tmp_path_factory.mktemp("build")
    leave = shutil.ignore_patterns(".*", "tests", "results", "__pycache__", "*.egg-info", "dist")
    shutil.copytree(ROOT, home / "tree", ignore=leave)
    run(
        sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet",
        "--no-index", "-w", str(home), str(home / "tree"), cwd=home,
    )  # fmt: skip
    (built,) = home.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, and no other."""
    folder = tmp_path_factory.mktemp("site")
    run(
        sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet",
        "--target", str(folder), str(wheel), cwd=folder,
    )  # fmt: skip
    return folder


def test_what_is_in_it(wheel: Path) -> None:
    """Code, templates, the header and the starter's files; nothing that was made by running."""
    names = set(zipfile.ZipFile(wheel).namelist())
    for path in (
        "hearts_sim/py.typed",
        *(f"hearts_sim/report/templates/{path.name}" for path in TEMPLATES.iterdir()),
        "hearts_sim/report/replay.html.j2",
        "hearts_sim/include/hearts_sim.h",
        "hearts_sim/starter/configs/quickstart.yaml",
        "hearts_sim/starter/strategies/low_card.py",
        "hearts_sim/starter/strategies/_danger.py",
        "hearts_sim/starter/strategies/library/ducker.c",
    ):
        assert path in names
    for name in names:
        assert name.split("/")[0] == "hearts_sim" or ".dist-info/" in name
        assert "__pycache__" not in name
        assert not name.endswith((".pyc", ".so"))


def test_from_nothing(installed: Path, tmp_path: Path) -> None:
    """From an empty folder to a report, a replay and a strategy of one's own."""

    def hearts(*arguments: str) -> Any:
        return run(
            sys.executable, "-P", "-m", "hearts_sim.cli", *arguments,
            cwd=tmp_path, PYTHONPATH=str(installed),
        )  # fmt: skip

    where = run(
        sys.executable, "-P", "-c", "import hearts_sim; print(hearts_sim.__file__)",
        cwd=tmp_path, PYTHONPATH=str(installed),
    )  # fmt: skip
    assert Path(where.stdout.strip()).is_relative_to(installed)

    hearts("init")
    assert (tmp_path / "strategies" / "all_round.py").exists()
    hearts("new", "MyBot")
    hearts("check", "strategies/my_bot.py", "--games", "2", "-q")
    config = (tmp_path / "configs" / "quickstart.yaml").read_text(encoding="utf-8")
    entries = "  folder: ../strategies\n  entries: [MyBot, LowCard, HighCard, RandomLegal]\n"
    head, rest = config.split("strategies:\n")
    rest = rest[rest.index("\nformat:") :].replace("games: 1000", "games: 8")
    own = tmp_path / "configs" / "own.yaml"
    own.write_text(head + "strategies:\n" + entries + rest, encoding="utf-8")
    assert "MyBot" in hearts("validate", "configs/own.yaml").stdout
    assert "MyBot" in hearts("validate", "configs/quickstart.yaml").stdout
    hearts("run", "configs/own.yaml", "-q", "-j", "1", "-o", "results/own")
    hearts("report", "results/own", "-q")
    assert (tmp_path / "results" / "own" / "report.html").stat().st_size > 10_000
    document = json.loads(hearts("replay", "results/own", "3", "--json").stdout)
    assert "MyBot" in document["strategies"]
    hearts("replay", "results/own", "3", "--html", "game.html")
    assert (tmp_path / "game.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    rows = json.loads(
        hearts("export", "results/own", "--table", "games", "--format", "json").stdout
    )
    assert len(rows) == 4 * 8
    assert "hearts-sim" in hearts("completion", "zsh").stdout
    assert json.loads(hearts("schema").stdout)["title"] == "hearts-sim config"
