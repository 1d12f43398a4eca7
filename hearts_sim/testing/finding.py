"""Finding endgame positions: ``python -m hearts_sim.testing.finding STRATEGIES -o FILE``.

Games of strategies from a folder are looked through for moments with one best card. The same
folder, seed and versions give the same positions.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hearts_sim.cards import Card, CardSet
from hearts_sim.engine.machine import Machine, one_job
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import load_folders
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.testing.endgames import FILE, KINDS, Endgame, PlayedHand, written
from hearts_sim.testing.proving import Proof, prove, worlds_of

NAMES: Final = (
    "AllRound", "CardCounter", "Cautious", "MoonSeeker", "MoonShooter", "MoonStopper", "QueenCarer",
    "QueenDumper", "RandomLegal", "SafeLeader", "TrickDucker", "VoidMaker",
)  # fmt: skip
"""Strategies whose games are looked through, those that are not in the folder left out."""

TABLES: Final = (
    ("black_lady", 4), ("black_lady", 4), ("black_lady", 4), ("black_lady", 4), ("black_lady", 4),
    ("black_lady", 4), ("black_lady", 3), ("black_lady", 5), ("omnibus", 4),
)  # fmt: skip
"""Rules of the games, in turns."""

_QUEEN: Final = Card("QS")
_HANDS = 3
_MOST_WORLDS = 1000
_MOST_PLAYS = 300_000
_SIMPLE = 1 / 4
"""Share of the positions that the lowest rank may solve, and the highest."""


def play_game(rules: Rules, seated: Sequence[Seated], seed: int, block: int) -> Any:
    """Rows of the cards of one game."""
    machine = Machine(rules, seed, "plays", len(seated))
    lineup = Lineup(machine, seated)
    for seat in range(len(seated)):
        lineup.seat(seat, seat)
    try:
        machine.play_on(one_job(list(range(len(seated))), block))
        return machine.rows()[2].copy()
    finally:
        lineup.close()


def moments(rules: Rules, rows: Any, seed: int, block: int) -> Iterator[tuple[Table, list[Any]]]:
    """The table at each decision in the last tricks of a game's first hands.

    With it come the hands so far, the last of them as far as it is played.
    """
    table = Table(rules, seed, block)
    hands: list[PlayedHand] = []
    for number in range(1, _HANDS + 1):
        here = rows[rows["hand"] == number]
        if not len(here):
            return
        table.deal()
        dealt = tuple(tuple(cards) for cards in table.hands)
        passed: list[list[Card]] = [[] for _ in dealt]
        for row in here[here["trick"] == 0]:
            passed[row["seat"]].append(Card(int(row["card"])))
        if table.pass_count:
            table.exchange(passed)
        plays: list[Card] = []
        for row in here[here["trick"] > 0]:
            left = rules.hand_size + 1 - table.trick_number
            if 2 <= left <= 5 and len(table.legal) > 1:
                given = tuple(tuple(sorted(cards)) for cards in passed)
                yield table, [*hands, PlayedHand(dealt, given, tuple(plays))]
            card = Card(int(row["card"]))
            plays.append(card)
            table.play(card)
        table.score()
        given = tuple(tuple(sorted(cards)) for cards in passed)
        hands.append(PlayedHand(dealt, given, tuple(plays)))


def kind_of(table: Table, proof: Proof) -> str:
    """What the best card does: one of `KINDS`."""
    seat, best, rules = table.turn, proof.best[0], table.rules
    total = sum(rules.costs[card] * rules.copies(card) for card in rules.deck)
    own = proof.points[best]
    wrong = [points for card, points in proof.points.items() if card not in proof.best]
    takers = [place for place, cards in enumerate(table.taken) if cards & rules.penalty_cards]
    if takers == [seat] and max(own) <= 0 and max(most for _, most in wrong) > 0:
        return "moon"
    if len(takers) == 1 and takers != [seat] and max(most for _, most in wrong) >= total > own[1]:
        return "stop"
    if table.trick and best.suit != table.led_suit:
        return "queen" if _QUEEN in proof.best else "discard"
    if table.trick:
        highest = max(card for card in table.trick if card.suit == table.led_suit)
        return "take" if best > highest else "duck"
    if rules.hand_size - table.trick_number == 1:
        return "last lead"
    return "throw in" if _thrown_in(table, best) else "lead"


def _thrown_in(table: Table, card: Card) -> bool:
    """Whether the same other seat takes this lead, whatever is played to it in any world."""
    seat, suit = table.turn, card.suit
    takers = set()
    for world in worlds_of(table).tolist():
        hands = [CardSet(cards).suit(suit) for cards in world]
        over = {
            place
            for place, cards in enumerate(hands)
            if place != seat and any(other > card for other in cards)
        }
        must = [place for place in over if min(hands[place]) > card]
        if len(over) != 1 or not must:
            return False
        takers |= over
    return len(takers) == 1


def fixed_orders(table: Table, best: Sequence[Card]) -> tuple[bool, bool]:
    """Whether always the lowest, or always the highest legal rank is the best card."""
    legal = list(table.legal)
    ranks = [card.rank for card in legal]
    low, high = (
        all(card in best for card in legal if card.rank == rank)
        for rank in (min(ranks), max(ranks))
    )
    return low, high


def find(folder: str, seed: int, number: int, most_games: int) -> Iterator[list[Endgame]]:
    """Look for positions, at most a few of each kind, until there are enough.

    Yields all that are found so far, each time that there is one more.
    """
    library = load_folders([folder])
    names = [name for name in NAMES if name in library.found]
    found: list[Endgame] = []
    kinds: Counter[str] = Counter()
    simple = [0, 0]
    for block in range(most_games):
        preset, players = TABLES[block % len(TABLES)]
        rules = Rules.preset(preset, players=players)
        chosen = random.Random(f"{seed} {block}").choices(names, k=players)
        seated = [
            Seated(item.name, item.strategy, {}, item.digest, str(item.file))
            for item in (library.found[name] for name in chosen)
        ]
        rows = play_game(rules, seated, seed, block)
        taken: set[int] = set()  # one position of a hand
        for table, hands in moments(rules, rows, seed, block):
            if len(hands) in taken or _too_open(table):
                continue
            proof = prove(table, _MOST_WORLDS, _MOST_PLAYS)
            if proof is None or not proof.best or proof.gain[0] < 1:
                continue
            kind = kind_of(table, proof)
            fixed = fixed_orders(table, proof.best)
            if kinds[kind] >= 2 * number / len(KINDS) or any(
                this and so_far >= _SIMPLE * number
                for this, so_far in zip(fixed, simple, strict=True)
            ):
                continue
            kinds[kind] += 1
            simple = [so_far + this for this, so_far in zip(fixed, simple, strict=True)]
            taken.add(len(hands))
            source = f"{', '.join(chosen)}; seed {seed}, block {block}"
            position = Endgame(
                0, kind, preset, players, table.turn, proof.best, proof.worlds, proof.points,
                proof.gain, source, tuple(hands),
            )  # fmt: skip
            found.append(position)
            yield _numbered(found)
            if len(found) == number:
                return


def _too_open(table: Table) -> bool:
    """Whether so much is hidden that it would take long: a cheap test before the exact one."""
    hidden = sum(len(cards) for cards in table.hands) - len(table.hands[table.turn])
    return hidden > 12


def _numbered(found: Sequence[Endgame]) -> list[Endgame]:
    order = sorted(found, key=lambda position: list(KINDS).index(position.kind))
    return [replace(position, number=number) for number, position in enumerate(order, 1)]


def main() -> None:
    """Find positions and write them."""
    parser = argparse.ArgumentParser(description="Find endgame positions with one best card.")
    parser.add_argument("folder", help="folder of strategies whose games are looked through")
    parser.add_argument("-o", "--output", default=str(FILE), help="file to write")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--number", type=int, default=100, help="positions to find")
    parser.add_argument("--games", type=int, default=5000, help="games to look through at most")
    given = parser.parse_args()
    found: list[Endgame] = []
    for found in find(given.folder, given.seed, given.number, given.games):
        # At once: whoever stops it has what was found by then.
        Path(given.output).write_text(written(found), encoding="utf-8")
        kinds = Counter(position.kind for position in found)
        print(f"{len(found)} of {given.number}", dict(kinds), file=sys.stderr)
    print(f"{len(found)} positions in {given.output}")


if __name__ == "__main__":
    main()
