"""Draws many worlds in odd positions and looks for one that is impossible: a Markdown table.

``python tests/search/impossible.py --worlds 1000000 > table.md``

Positions come from random games: one half under the presets with one pack at all their table sizes,
one half under random settings with one pack. Those are taken of which something is known but the
hand, the cards played, and hand sizes. Each has 200 worlds drawn, in one of four with weights.
`checker` plays the cards of the game from the hands of each world with the engine's rules.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "engine")]

from checker import count_impossible
from positions import TABLES, one_pack_rules, positions, rotated

from hearts_sim.cards import SUIT_MASKS
from hearts_sim.engine.layout import RULES, VIEW
from hearts_sim.engine.record import compile_rules
from hearts_sim.rules import Rules
from hearts_sim.search.belief import believe
from hearts_sim.search.knowledge import learn
from hearts_sim.strategy.view import View

EACH = 200


def kinds_of(view: View) -> Iterator[str]:
    """What is odd about a position."""
    rules = compile_rules(view.rules).view(RULES)[0]
    words = np.frombuffer(bytes(view._words), VIEW)[0]
    known = learn(rules, words)
    others = [seat for seat in range(view.players) if seat != view.seat]
    barred = [int(known.barred[seat] & known.hidden) for seat in others]
    if any(barred):
        yield "something is known of a hand"
    suits = [mask & known.hidden for mask in SUIT_MASKS]
    if any(cards & suit not in (0, suit) for cards in barred for suit in suits):
        yield "more is known than voids"
    if sum(voids.bit_count() for voids in view.voids) >= 5:
        yield "five voids or more"
    if any(known.held[seat] for seat in others):
        yield "a card is known at another seat"
    if known.opener >= 0:
        yield "who opened had the lowest club, and nobody knows which"
    if believe(rules, words).number:
        yield "cards go through the table"


def games(rng: random.Random) -> Iterator[Rules]:
    """Rules to play under, without end."""
    while True:
        name, players = rng.choice(TABLES)
        yield rotated(Rules.preset(name, players=players), rng)
        yield rotated(one_pack_rules(rng), rng)


def main() -> int:
    """Print the table; returns 1 when a world was impossible."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--worlds", type=int, default=1_000_000, help="at least so many in all")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    rng = random.Random(given.seed)
    numbers: Any = np.random.default_rng(given.seed)
    seen: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for rules in games(rng):
        for view, _ in positions(rules, rng):
            kinds = [*kinds_of(view)]
            if not kinds:
                continue
            kinds.append(f"{view.players} players")
            if view.kitty_size and not view.kitty:
                kinds.append("a kitty that is not seen")
            if view.pass_offset == -1:
                kinds.append("scatter pass")
            weights = None
            if rng.random() < 0.25 and view.trick_number > 2:
                weights = 10.0 ** numbers.uniform(-3.0, 0.0, (view.players + 1, 52))
                kinds.append("with weights")
            found = count_impossible(view, EACH, rng.getrandbits(60), weights)
            for kind in (*kinds, "**all**"):
                seen[kind] += 1
                wrong[kind] += found
            if found:
                print(f"{found} impossible: {view}; {rules.settings()}", file=sys.stderr)
        if seen["**all**"] * EACH >= given.worlds:
            break
    print("| positions in which | positions | worlds | impossible |")
    print("|---|--:|--:|--:|")
    for kind, positions_seen in sorted(seen.items(), key=lambda pair: (pair[0][0] == "*", pair)):
        print(f"| {kind} | {positions_seen:,} | {positions_seen * EACH:,} | {wrong[kind]} |")
    return int(wrong["**all**"] > 0)


if __name__ == "__main__":
    sys.exit(main())
