"""What the scripts here share that time whole commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path

STRATEGIES = Path(__file__).parents[2] / "strategies"

HEARTS_SIM = (sys.executable, "-m", "hearts_sim.cli")


def environment() -> dict[str, str]:
    """Where modules are compiled once and kept, as they are when a package is installed."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def table_of_four(strategy: str, games: int) -> str:
    """A config in which four of a kind sit at a table."""
    entries = "".join(f"    - {{strategy: {strategy}, name: bot-{n}}}\n" for n in range(4))
    return (
        f"strategies:\n  folder: {STRATEGIES}\n  entries:\n{entries}"
        f"format: {{type: table, games: {games}}}\nlog: hands\n"
    )
