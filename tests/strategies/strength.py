"""How strong the search players are, as the table in ``docs/verification/search.md``.

``python tests/strategies/strength.py`` plays every config in ``configs/search``; with names of
configs only those are played and shown. It takes about an hour on two cores.
"""

from __future__ import annotations

import datetime
import sys
import tempfile
from pathlib import Path

import hearts_sim
from hearts_sim.report import summarise
from hearts_sim.report.comparing import compare
from hearts_sim.tournament.config import read_config

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "verification" / "search.md"
BEGIN, END = "<!-- the table: tests/strategies/strength.py -->\n", "<!-- end of the table -->\n"
HEAD = """\
| config | strategy | hands | points per hand | difference | moons, % of its hands | ms per card |
|---|---|--:|--:|--:|--:|--:|
"""


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
    """Print the table; with all configs, write it into the page as well."""
    print(HEAD, end="", flush=True)
    table = HEAD
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((ROOT / "configs" / "search").glob("*.yaml")):
            if not names or path.stem in names:
                lines = rows(path, Path(folder))
                print(lines, end="", flush=True)
                table += lines
    if not names:
        text = PAGE.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        date = datetime.date.today().isoformat()
        made = f"\nMade on {date} by `python tests/strategies/strength.py`.\n"
        PAGE.write_text(before + BEGIN + table + made + END + after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
