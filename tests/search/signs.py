"""How much each sign of `hearts_sim.search.reading` is worth, as docs/verification/reading.md.

``python tests/search/signs.py`` plays hands of each strategy with itself, and asks at every fourth
card: of the cards that a sign speaks against, how many does the seat hold, and how many would it,
were all possible worlds equally likely (means of 200 worlds)? The factor is what must be multiplied
on the odds to explain the number that it does hold.
"""

from __future__ import annotations

import datetime
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import hearts_sim
from hearts_sim.cards import Card
from hearts_sim.engine.layout import HANDS
from hearts_sim.engine.record import compile_rules
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.search import reading
from hearts_sim.search._jit import kernel
from hearts_sim.search.belief import believe, draw

sys.path.append(str(Path(__file__).parent))
sys.path += [str(Path(__file__).parents[1] / name) for name in (".", "engine")]
from linking import Asked

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "verification" / "reading.md"
BEGIN, END = "<!-- the table: tests/search/signs.py -->\n", "<!-- end of the table -->\n"
SIGNS = {
    "kept queen": "the queen, when something else was thrown",
    "took early": "lower ones, when a trick was taken before the last seat or with points in it",
    "led spade": "queen, king and ace of spades, when a lower spade was led",
}
FIELD = [
    "AllRoundCompiled",
    "MoonStopper",
    "CardCounter",
    "TrickDucker",
    "MoonShooter",
    "LowCard",
    "PassSearcher",
]
RULES: dict[str, Any] = {"preset": "black_lady", "end": {"deals": 1}}


@kernel
def marks(rules: Any, view: Any, number: int) -> Any:
    """What each sign speaks against, and the share of worlds in which each seat has each card."""
    signs = len(reading.FACTORS)
    marked = np.zeros((signs, view.players, 52), np.bool_)
    for sign in range(signs):
        factors = np.ones(signs)
        factors[sign] = 0.5
        weights = np.ones((view.players + 1, 52))
        reading.weigh_signs(rules, view, factors, weights)
        for seat in range(view.players):
            for card in range(52):
                marked[sign, seat, card] = weights[seat, card] < 1.0
    belief = believe(rules, view)
    stream = np.array([1, 1], np.uint64)
    hands = np.zeros(1, HANDS)
    share = np.zeros((view.players, 52))
    for _ in range(number):
        draw(belief, stream, hands[0])
        for seat in range(view.players):
            for card in range(52):
                share[seat, card] += hands[0].cards[seat] >> card & 1
    return marked, share / number


def odds_ratio(held: Any, share: Any) -> tuple[float, float]:
    """The factor on the odds that explains how many were held, and the error of its logarithm."""
    low, high = -6.0, 6.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        odds = np.exp(middle) * share / (1 - share)
        low, high = (middle, high) if (odds / (1 + odds)).sum() < held.sum() else (low, middle)
    odds = np.exp(low) * share / (1 - share)
    spread = (odds / (1 + odds) ** 2).sum()
    return float(np.exp(low)), float(1 / np.sqrt(max(spread, 1e-9)))


def measured(strategy: str, hands: int, folder: Path) -> dict[str, tuple[int, float, float]]:
    """Cards that each sign speaks against in play of a strategy, and its factor."""
    config = {
        "name": "signs",
        "seed": 2026,
        "rules": RULES,
        "strategies": {
            "folder": [str(ROOT / "strategies"), str(ROOT / "strategies" / "search")],
            "entries": [strategy],
        },
        "format": {"type": "selfplay", "games": hands},
        "log": "plays",
    }
    plays = hearts_sim.run(config, output=folder / strategy, jobs=2, report=False).plays()
    rng = random.Random(1)
    held: list[list[Any]] = [[] for _ in SIGNS]
    shares: list[list[Any]] = [[] for _ in SIGNS]
    rules = Rules.preset("black_lady", end={"deals": 1})
    record = compile_rules(rules)
    # A tie brings more hands, with other passes.
    for _, hand in plays[plays["hand"] == 1].groupby(["block", "game"]):
        for marked, share, own in positions(rules, record, hand, rng):
            for sign in range(len(SIGNS)):
                open_ = marked[sign] & (share > 0) & (share < 1)
                held[sign].append(own[open_])
                shares[sign].append(share[open_])
    found = {}
    for sign, name in enumerate(SIGNS):
        mine, theirs = np.concatenate(held[sign]), np.concatenate(shares[sign])
        found[name] = (len(mine), *odds_ratio(mine, theirs))
    return found


def positions(rules: Rules, record: Any, hand: pd.DataFrame, rng: random.Random) -> Any:
    """Marks, shares and the true hands at some cards of a hand."""
    passed = hand[hand["trick"] == 0]
    played = hand[hand["trick"] > 0]
    after = [set(played[played["seat"] == seat]["card"]) for seat in range(4)]
    gave = [set(passed[passed["seat"] == seat]["card"]) for seat in range(4)]
    table = Table(rules)
    dealt = [(after[seat] - gave[seat - 1]) | gave[seat] for seat in range(4)]
    table.deal([[Card(int(card)) for card in cards] for cards in dealt])
    table.exchange([[Card(int(card)) for card in cards] for cards in gave])
    for number, card in enumerate(played["card"]):
        if number and rng.random() < 0.25:
            asked = Asked(table)
            marked, share = marks(record[0], asked.view[0], 200)
            own = np.array(
                [[int(cards) >> card & 1 for card in range(52)] for cards in table.hands]
            )
            yield marked, share, own
        table.play(Card(int(card)))


def main(names: list[str], hands: int = 1000) -> None:
    """Print the table; with the whole field, write it into the page as well."""
    lines = "| sign speaks against cards | " + " | ".join(names or FIELD) + " |\n"
    lines += "|---|" + "--:|" * len(names or FIELD) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        found = {name: measured(name, hands, Path(folder)) for name in names or FIELD}
    for sign, text in SIGNS.items():
        lines += f"| {text} | "
        lines += " | ".join(f"{found[name][sign][1]:.2f}" for name in found) + " |\n"
        print(sign, {name: tuple(round(x, 3) for x in found[name][sign]) for name in found})
    print(lines)
    if not names:
        text = PAGE.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        date = datetime.date.today().isoformat()
        made = f"\nMade on {date} by `python tests/search/signs.py`.\n"
        PAGE.write_text(before + BEGIN + lines + made + END + after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
