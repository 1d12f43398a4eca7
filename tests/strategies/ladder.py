"""What each rung of the ladder gains over the one below, as the table in ``strategies/README.md``.

``python tests/strategies/ladder.py`` plays every config in ``configs/ladder`` and puts the table
into the page; with numbers of rungs (``... ladder.py 08 09``) only those are played, and take the
place of their old lines.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from page_table import ROOT, PageTable

import hearts_sim
from hearts_sim.report.comparing import compare
from hearts_sim.tournament.config.reading import read_config

TABLE = PageTable(
    "strategies/README.md",
    "tests/strategies/ladder.py",
    """\
| | rung | against | points per hand | Elo | games won, % | hands |
|---|---|---|--:|--:|--:|--:|
""",
)


def number(path: Path) -> str:
    """Of the rung of a config, in the table."""
    return path.name[:2] if path.name[0].isdigit() else "–"


def row(path: Path, folder: Path) -> str:
    """Play the duel of a config, and show what its first strategy gains."""
    duel = read_config(path).format
    results = hearts_sim.run(path, output=folder / path.stem, jobs=2, report=False)
    found = compare(results, duel.a, duel.b)
    points, elo = found.points.difference, found.elo
    assert elo is not None
    won = 100 * results.games(strategies=[duel.a])["win"].sum() / found.games
    return (
        f"| {number(path)} | {duel.a} | {duel.b} "
        f"| {points.difference:+.2f} ± {points.half_width:.2f} "
        f"| {elo.difference:+.0f} ± {elo.half_width:.0f} | {won:.1f} | {found.hands:,} |\n"
    )


def main(rungs: list[str]) -> None:
    """Print the lines of some rungs, or of all, and write them into the page."""
    paths = sorted((ROOT / "configs" / "ladder").glob("*.yaml"))
    print(TABLE.head, end="", flush=True)
    lines: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            if not rungs or number(path) in rungs:
                lines[number(path)] = line = row(path, Path(folder))
                print(line, end="", flush=True)
                TABLE.put(lines, [number(path) for path in paths])


if __name__ == "__main__":
    main(sys.argv[1:])
