"""Compares many hands with OpenSpiel under every combination of its options: a Markdown table.

``python tests/engine/long_open_spiel.py --hands 10000 --processes 2 > table.md``
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.metadata import version

from open_spiel_match import Outcome, all_options, label, play_hands

from hearts_sim.rules import PASS_NAMES


def row(name: str, outcomes: Sequence[Outcome]) -> str:
    """One line of the table: the sums over some outcomes."""
    figures = (
        sum(outcome.hands for outcome in outcomes),
        sum(outcome.choices for outcome in outcomes),
        sum(outcome.seen["moon"] for outcome in outcomes),
        sum(outcome.different for outcome in outcomes),
    )
    return f"| {name} | {' | '.join(f'{figure:,}' for figure in figures)} |"


def main() -> int:
    """Print the table; returns 1 when there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000, help="for each combination")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()

    print(f"OpenSpiel {version('open-spiel')}, {given.hands:,} hands each, seed {given.seed}.\n")
    print("| options that are not as by default | hands | choices compared | moons | differences |")
    print("|---|--:|--:|--:|--:|", flush=True)
    outcomes = []
    play = partial(play_hands, hands=given.hands, seed=given.seed)
    with ProcessPoolExecutor(given.processes) as pool:
        for outcome in pool.map(play, all_options()):
            outcomes.append(outcome)
            print(row(label(outcome.options), [outcome]), flush=True)
    print(row("**all**", outcomes))

    seen: Counter[str] = Counter()
    for outcome in outcomes:
        seen.update(outcome.seen)
    print("\n| met on the way | times |\n|---|--:|")
    for event, times in sorted(seen.items()):
        name = f"pass: {PASS_NAMES[event]}" if event in PASS_NAMES else event
        print(f"| {name} | {times:,} |")
    for outcome in outcomes:
        for example in outcome.examples:
            print(f"\n{label(outcome.options)}: {example}")
    return int(any(outcome.different for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
