"""Plays many hands in the compiled engine and in the slow twin: a Markdown table of differences.

``python tests/engine/long_twin.py --hands 100000 --processes 2 > table.md``

Half of the hands are shared out over every preset at every table size, half are under random
settings. Two of three games are played card by card at a `Table`, with deals and ways to play that
bring moons, held tricks and the like; the third is played by bots in the game loop, and its log and
all that the bots were shown are replayed in the twin.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))  # where the twin is

from pair import DEALS, PLAYS, Pair, play_game
from random_rules import random_rules
from replay import FullRecorder, Recorder, Replay, play_jobs

from hearts_sim.engine.machine import one_job
from hearts_sim.rules import PRESETS, Rules

RANDOM = "random settings"


@dataclass(frozen=True)
class Task:
    """Some hands to play: under a preset at a table size, or under random settings."""

    name: str
    players: int
    hands: int
    seed: str


@dataclass
class Outcome:
    """What a table gave. `examples` say how the first differences came about."""

    name: str
    players: int
    hands: int = 0
    different: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)


def play_task(task: Task) -> list[Outcome]:
    """Play the hands of a task; an outcome for every number of players."""
    outcomes: dict[int, Outcome] = {}
    game, left = 0, task.hands
    while left > 0:
        game += 1
        key = f"{task.seed}, game {game}"
        rng = random.Random(key)
        if task.name == RANDOM:
            rules = random_rules(rng)
        else:
            rules = Rules.preset(task.name, players=task.players)
        outcome = outcomes.setdefault(rules.players, Outcome(task.name, rules.players))
        before = outcome.hands
        try:
            (_play_bots if game % 3 == 0 else _play_cards)(rules, rng, outcome)
        except Exception as error:  # an error is a difference too, and the next game goes on
            outcome.different += 1
            if len(outcome.examples) < 3:
                last = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{Path(last.filename).name}:{last.lineno}: {last.line}"
                kind = f"{type(error).__name__} {error}".strip()
                outcome.examples.append(f"{key}: {kind} at {where}; {rules.settings()}")
        left -= max(1, outcome.hands - before)
    return list(outcomes.values())


def _play_cards(rules: Rules, rng: random.Random, outcome: Outcome) -> None:
    """A game card by card at a table, with a deal and a way to play for each hand."""
    pair = Pair(rules, seed=rng.getrandbits(62), block=rng.getrandbits(20))
    usual = rng.random() < 0.4
    plays = ["random"] if usual else rng.choices(list(PLAYS), k=2)

    def deal(rules: Rules, rng: random.Random) -> Any:
        return DEALS["seed" if usual else rng.choice(list(DEALS))](rules, rng)

    def play(pair: Pair, rng: random.Random) -> str:
        return PLAYS[plays[pair.twin.hand_number % len(plays)]](pair, rng)

    try:
        play_game(pair, rng, deal, play)
    finally:
        outcome.hands += pair.events["hand"]
        outcome.seen.update(pair.events)


def _play_bots(rules: Rules, rng: random.Random, outcome: Outcome) -> None:
    """A game of bots in the game loop, replayed from its log."""
    seen: list[Any] = []
    bots = [rng.choice([FullRecorder, Recorder]) for _ in range(rules.players)]
    job = one_job(list(range(rules.players)), block=rng.getrandbits(20))
    hands, games, plays = play_jobs(rules, bots, job, rng.getrandbits(62), {"seen": seen})
    outcome.hands += len(hands) // rules.players
    outcome.seen["hand of bots in the game loop"] += len(hands) // rules.players
    replay = Replay(rules, hands, games, plays, seen)
    replay.game(job[0])
    replay.end()
    outcome.seen["moon"] += replay.moons


def all_tasks(hands: int, seed: int) -> Iterator[Task]:
    """Every preset at every table size, then random settings in small parts."""
    tables = [(preset.name, players) for preset in PRESETS.values() for players in preset.players]
    share = -(-hands // (2 * len(tables)))
    for name, players in tables:
        yield Task(name, players, share, f"seed {seed}, {name}, {players} players")
    left = hands - share * len(tables)
    parts = max(1, left // 500)
    for part in range(parts):
        yield Task(RANDOM, 0, -(-left // parts), f"seed {seed}, {RANDOM}, part {part}")


def row(name: str, players: str, outcomes: Sequence[Outcome]) -> str:
    """One line of the table: the sums over some outcomes."""
    figures = (
        sum(outcome.hands for outcome in outcomes),
        sum(outcome.seen["moon"] for outcome in outcomes),
        sum(outcome.different for outcome in outcomes),
    )
    return f"| {name} | {players} | {' | '.join(f'{figure:,}' for figure in figures)} |"


def main() -> int:
    """Print the table; returns 1 when there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=100_000, help="at least so many in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    if not __debug__:
        parser.error("the comparisons are assert statements: run it without -O")

    began = time.monotonic()
    print(f"Seed {given.seed}.\n")
    print("| preset | players | hands | moons | differences |")
    print("|---|--:|--:|--:|--:|", flush=True)
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(given.processes) as pool:
        for some in pool.map(play_task, all_tasks(given.hands, given.seed)):
            outcomes += some
            if some[0].name != RANDOM:
                print(row(some[0].name, str(some[0].players), some), flush=True)
    for players in sorted({outcome.players for outcome in outcomes if outcome.name == RANDOM}):
        some = [one for one in outcomes if (one.name, one.players) == (RANDOM, players)]
        print(row(RANDOM, str(players), some))
    print(row("**all**", "", outcomes))

    seen: Counter[str] = Counter()
    for outcome in outcomes:
        seen.update(outcome.seen)
    print("\n| met on the way | times |\n|---|--:|")
    for event, times in sorted(seen.items()):
        if times:
            print(f"| {event} | {times:,} |")
    for outcome in outcomes:
        for example in outcome.examples:
            print(f"\n{example}")
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return int(any(outcome.different for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
