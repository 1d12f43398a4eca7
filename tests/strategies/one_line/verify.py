"""The published figures beside ours, as a page.

``python tests/strategies/one_line/verify.py > docs/verification/one_line_bots.md``
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

from published import PUBLISHED, figures, play

INTRODUCTION = """\
# Bots of one line against published figures

Eight bots that are defined by one line each, and what another engine published for them: that of
SanjinDedic/agent_games, whose validation bots they are. The order is to be the same, and every mean
within 0.3 points. Only hearts break hearts; a total of 100 ends a game. `tests/strategies/one_line`
has the configs, and the bots that differ from the shipped ones of their name. A test plays a
smaller number of games.

```sh
python tests/strategies/one_line/verify.py > docs/verification/one_line_bots.md
```

| bot | passes | throws when void | else plays | played by |
|---|---|---|---|---|
| TrickDucker | most dangerous | same | highest under the winner or lowest | TrickDucker |
| QueenDumper | Q, K, A of spades, most dangerous | most dangerous | lowest | QueenDumper |
| Cautious | most dangerous | same | lowest | Cautious |
| VoidMaker | from the shortest suit | most dangerous | lowest | ShortestSuit |
| HeartAvoider | most dangerous | same | lowest that is no heart | HeartsLast |
| LowballBot | three highest | lowest | lowest | LowestCard |
| RandomBot | random | random | random | RandomLegal |
| MoonShooter | three lowest | highest | highest | HighCard |

The most dangerous are the queen of spades, then hearts by rank, then the highest ranks.
"""

EXPLANATION = """\
Intervals are 95 %; those of the published means are about ±0.15 to 0.18 (standard errors of 0.07 to
0.09), so a difference of up to about 0.2 is within the noise of both. None is larger than 0.11.
VoidMaker and HeartAvoider, which have changed places in the round robin, were published as equal.

One line leaves two things open, and both matter more than the noise:

- **VoidMaker** is weak in the published table, weaker than Cautious, from which only its pass
  differs. That is so when it passes the *low* cards of its shortest suit first. From the top, as
  the shipped VoidMaker does it, the same player had 2.76 ± 0.18 points against random players and
  4.72 ± 0.16 in the round robin (2,000 games each), more than a point less.
- **LowballBot** depends on which of equal ranks is the lowest. With clubs first, as the shipped
  LowCard plays, it had 4.53 ± 0.19 and 6.23 ± 0.14 points (3,000 games each): 0.2 and 0.4 less than
  published, and 23 % of the games of the round robin. Of equal ranks it then passes hearts and
  spades, and plays clubs first. The other way round both tables fit.

Both were found by trying what the line allows, without a look at the other engine's code.

Games that several win are shared here; there the first in the shuffled order of the seats wins.
Means over many games are the same.
"""


def table(title: str, name: str, folder: Path) -> str:
    """Play one of the configs, and show ours beside what was published."""
    results = play(name, folder / name)
    found = figures(results)
    hands, games = results.info["hands"], results.info["games"]
    lines = [
        f"## {title}",
        "",
        f"{games:,} games, {hands:,} hands.",
        "",
        "| bot | points per hand | published | difference | games won, % | published | moons, % |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for bot, theirs in PUBLISHED[name].items():
        ours = found[bot]
        lines.append(
            f"| {bot} | {ours.points:.2f} ± {ours.half_width:.2f} | {theirs.points:.2f} "
            f"| {ours.points - theirs.points:+.2f} | {ours.wins:.1f} | {theirs.wins:.1f} "
            f"| {ours.moons:.2f} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(INTRODUCTION)
        print(table("Against three random players", "against_random", Path(folder)))
        print(table("All tables of four of the eight", "round_robin", Path(folder)))
        print(EXPLANATION, end="")
