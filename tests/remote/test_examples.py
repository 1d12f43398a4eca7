"""The example bots in Python, shell and C play a thousand games each without a fault."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hearts_sim
from hearts_sim import run

STRATEGIES = Path(__file__).parents[2] / "strategies"
INCLUDE = Path(hearts_sim.__file__).parent / "include"


@pytest.mark.long
def test_a_thousand_games(tmp_path: Path) -> None:
    """Each in every seat of a table with three shipped strategies."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no cc")
    library = tmp_path / "ducker.so"
    source = STRATEGIES / "library" / "ducker.c"
    build = [compiler, "-O2", "-shared", "-fPIC", f"-I{INCLUDE}", str(source), "-o", str(library)]
    subprocess.run(build, check=True)
    examples = [
        {"name": "python", "command": [sys.executable, str(STRATEGIES / "command" / "ducker.py")]},
        {"name": "shell", "command": [str(STRATEGIES / "command" / "lowest.sh")]},
        {"name": "c", "library": str(library), "symbol": "ducker"},
    ]
    config = {
        "seed": 5,
        "strategies": {
            "folder": str(STRATEGIES),
            "entries": ["LowCard", "TrickDucker", "QueenDumper", *examples],
        },
        "format": {
            "type": "gauntlet",
            "newcomers": [entry["name"] for entry in examples],
            "blocks": 250,
        },
        "faults": {"policy": "strict"},
    }
    results = run(config, output=tmp_path / "out", jobs=2, report=False)
    games = results.games()
    for entry in examples:
        assert (games["strategy"] == entry["name"]).sum() == 1000
    assert games["faults"].eq(0).all()
