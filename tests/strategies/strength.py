"""How strong the search players are, as the table in ``docs/verification/search.md``.

``python tests/strategies/strength.py`` plays every config in ``configs/search`` and puts the table
into the page; with names of configs only those are played, and take the place of their old lines.
All together take about half an hour on two cores.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from page_table import ROOT, PageTable

import hearts_sim
from hearts_sim.report import summarise
from hearts_sim.report.comparing import compare
from hearts_sim.tournament.config.reading import read_config

TABLE = PageTable(
    "docs/verification/search.md",
    "tests/strategies/strength.py",
    """\
| config | strategy | hands | points per hand | difference | moons, % of its hands | ms per card |
|---|---|--:|--:|--:|--:|--:|
""",
)


def rows(path: Path, folder: Path) -> str:
    """Play a config, and show what its strategies got, the first one's difference last."""
    results = hearts_sim.run(path, output=folder / path.stem, jobs=2, report=False)
    summary = summarise(results)
    moons, timing = summary.details.moons, summary.details.timing
    assert moons is not None
    lines = ""
    for place, name in enumerate(results.names):
        board = summary.board.query("strategy == @name").iloc[0]
        moon = moons.query("strategy == @name").iloc[0]
        time = timing.query("strategy == @name").iloc[0]
        difference = ""
        if place == 0 and read_config(path).format.type == "duel":
            found = compare(results, name, results.names[1]).points.difference
            difference = f"{found.difference:+.2f} ± {found.half_width:.2f}"
        lines += (
            f"| {path.stem} | {name} | {moon['hands']:,} "
            f"| {board['points']:.2f} ± {board['points_error']:.2f} | {difference} "
            f"| {100 * moon['made_share']:.1f} ({100 * moon['made_low']:.1f} to "
            f"{100 * moon['made_high']:.1f}) | {time['microseconds'] / 1000:.2f} |\n"
        )
    return lines


def main(names: list[str]) -> None:
    """Print the lines of some configs, or of all, and write them into the page."""
    paths = sorted((ROOT / "configs" / "search").glob("*.yaml"))
    print(TABLE.head, end="", flush=True)
    lines: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            if not names or path.stem in names:
                lines[path.stem] = more = rows(path, Path(folder))
                print(more, end="", flush=True)
                TABLE.put(lines, [path.stem for path in paths])


if __name__ == "__main__":
    main(sys.argv[1:])
