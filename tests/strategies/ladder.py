"""What each rung of the ladder gains over the one below, as the table in ``strategies/README.md``.

``python tests/strategies/ladder.py`` plays every config in ``configs/ladder`` and puts the table
into the page; with numbers of rungs (``... ladder.py 08 09``) only those are played and shown.
"""

from __future__ import annotations

import datetime
import sys
import tempfile
from pathlib import Path

import hearts_sim
from hearts_sim.report.comparing import compare
from hearts_sim.tournament.config import read_config

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "strategies" / "README.md"
BEGIN, END = "<!-- the table: tests/strategies/ladder.py -->\n", "<!-- end of the table -->\n"
HEAD = """\
| | rung | against | points per hand | Elo | games won, % | hands |
|---|---|---|--:|--:|--:|--:|
"""


def row(path: Path, folder: Path) -> str:
    """Play the duel of a config, and show what its first strategy gains."""
    duel = read_config(path).format
    results = hearts_sim.run(path, output=folder / path.stem, jobs=2, report=False)
    found = compare(results, duel.a, duel.b)
    points, elo = found.points.difference, found.elo
    assert elo is not None
    won = 100 * results.games(strategies=[duel.a])["win"].sum() / found.games
    return (
        f"| {path.name[:2] if path.name[0].isdigit() else '–'} | {duel.a} | {duel.b} "
        f"| {points.difference:+.2f} ± {points.half_width:.2f} "
        f"| {elo.difference:+.0f} ± {elo.half_width:.0f} | {won:.1f} | {found.hands:,} |\n"
    )


def main(rungs: list[str]) -> None:
    """Print the table; with all rungs, write it into the page as well."""
    paths = sorted((ROOT / "configs" / "ladder").glob("*.yaml"))
    print(HEAD, end="", flush=True)
    table = HEAD
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            if not rungs or path.name[:2] in rungs:
                line = row(path, Path(folder))
                print(line, end="", flush=True)
                table += line
    if not rungs:
        text = PAGE.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        date = datetime.date.today().isoformat()
        made = f"\nMade on {date} by `python tests/strategies/ladder.py`.\n"
        PAGE.write_text(before + BEGIN + table + made + END + after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
