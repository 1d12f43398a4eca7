"""Finding endgame positions: ``python -m hearts_sim.testing.finding STRATEGIES -o FILE``.

Games of strategies from a folder are looked through for moments with one best card. The same
folder, seed and versions give the same positions. With ``--add`` positions of `RARE` kinds are
looked for in games of strategies that shoot moons, and added to those that the file has.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from hearts_sim.cards import Card, CardSet
from hearts_sim.engine.machine import Machine, one_job
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import Library, load_folders
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.testing.endgames import FILE, KINDS, Endgame, PlayedHand, read, written
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

RARE: Final = ("moon", "stop", "queen")
"""Kinds that few moments of a game can be of: looked for on their own, they are found quickly."""

_SHOOTERS: Final = ("MoonSeeker", "MoonShooter")
"""Strategies on two of the seats where rare kinds are looked for."""

_QUEEN: Final = Card("QS")
_HANDS = 3
_MOST_WORLDS = 1000
_MOST_PLAYS = 300_000
_SIMPLE, _SIMPLE_ADDED = 1 / 4, 1 / 3
"""Share of the positions that the lowest rank may solve, and the highest; once some are added."""


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
    total = _points(rules, rules.penalty_cards)
    own = proof.points[best]
    wrong = [points for card, points in proof.points.items() if card not in proof.best]
    takers = _takers(table)
    if takers == [seat] and max(own) <= 0 and max(most for _, most in wrong) > 0:
        return "moon"
    if len(takers) == 1 and takers != [seat] and max(most for _, most in wrong) >= total > own[1]:
        return "stop"
    if table.trick and best.suit != table.led_suit:
        return "queen" if proof.best == (_QUEEN,) else "discard"
    if table.trick:
        highest = max(card for card in table.trick if card.suit == table.led_suit)
        return "take" if best > highest else "duck"
    if rules.hand_size - table.trick_number == 1:
        return "last lead"
    return "throw in" if _thrown_in(table, best) else "lead"


def _points(rules: Rules, cards: CardSet) -> int:
    return sum(rules.costs[card] * rules.copies(card) for card in cards)


def _takers(table: Table) -> list[int]:
    """The seats that have points so far."""
    penalty_cards = table.rules.penalty_cards
    return [place for place, cards in enumerate(table.taken) if cards & penalty_cards]


def _moon_is_near(table: Table) -> bool:
    """Whether one seat has all points so far, and they are at least half of those of a hand."""
    rules, takers = table.rules, _takers(table)
    if len(takers) != 1:
        return False
    taken = table.taken[takers[0]] & rules.penalty_cards
    return 2 * _points(rules, taken) >= _points(rules, rules.penalty_cards)


def _can_be(kinds: Collection[str], table: Table) -> bool:
    """Whether a moment can be of one of some rare kinds, as is seen without solving it."""
    discards = table.trick and table.legal.suit(table.led_suit) != table.legal
    if "queen" in kinds and discards and _QUEEN in table.legal:
        return True
    return _moon_is_near(table) and ("moon" if _takers(table) == [table.turn] else "stop") in kinds


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
    simple = Simple(found, int(_SIMPLE * number))
    for block in range(most_games):
        preset, players = TABLES[block % len(TABLES)]
        chosen = random.Random(f"{seed} {block}").choices(names, k=players)
        for position in certain(library, preset, chosen, seed, block):
            kind = position.kind
            if (
                kinds[kind] >= 2 * number / len(KINDS)
                or _hand_is_among(found, position)
                or not simple.takes(position)
            ):
                continue
            kinds[kind] += 1
            found.append(position)
            yield _numbered(found)
            if len(found) == number:
                return


def add(
    known: Sequence[Endgame], folder: str, seed: int, number: int, blocks: Iterable[int]
) -> Iterator[list[Endgame]]:
    """Look for positions of `RARE` kinds, until there are so many of each.

    No more than a third of a kind have the same number of cards left. Yields those known and found
    so far, each time that there is one more.
    """
    library = load_folders([folder])
    names = [name for name in NAMES if name in library.found]
    shooters = [name for name in _SHOOTERS if name in library.found] or names
    found = list(known)
    kinds = Counter(position.kind for position in known)
    of_all = len(found) + sum(max(0, number - kinds[kind]) for kind in RARE)
    simple = Simple(known, int(_SIMPLE_ADDED * of_all))
    alike: Counter[Any] = Counter()
    for block in blocks:
        preset, players = TABLES[block % len(TABLES)]
        rng = random.Random(f"{seed} {block}")
        chosen = rng.choices(shooters, k=2) + rng.choices(names, k=players - 2)
        rng.shuffle(chosen)
        wanted = [kind for kind in RARE if kinds[kind] < number]
        likely = partial(_can_be, wanted)
        for position in certain(library, preset, chosen, seed, block, likely):
            kind = position.kind
            likeness = kind, position.rules.hand_size - position.trick
            if (
                (kind not in RARE or kinds[kind] >= number or alike[likeness] >= number / 3)
                or _hand_is_among(found, position)
                or not simple.takes(position)
            ):
                continue
            kinds[kind] += 1
            alike[likeness] += 1
            found.append(replace(position, number=len(found) + 1))
            yield found
            if len(found) == of_all:
                return


class Simple:
    """Counts positions that the lowest rank solves, and the highest, up to so many of each."""

    def __init__(self, known: Sequence[Endgame], most: int) -> None:
        self.most = most
        orders = [fixed_orders(position.table(), position.best) for position in known]
        self.numbers = [sum(order[place] for order in orders) for place in (0, 1)]

    def takes(self, position: Endgame) -> bool:
        """Whether there is room for a position; it is counted then."""
        fixed = fixed_orders(position.table(), position.best)
        pairs = list(zip(fixed, self.numbers, strict=True))
        if any(this and number >= self.most for this, number in pairs):
            return False
        self.numbers = [number + this for this, number in pairs]
        return True


def certain(
    library: Library,
    preset: str,
    chosen: Sequence[str],
    seed: int,
    block: int,
    likely: Callable[[Table], bool] = lambda table: True,
) -> Iterator[Endgame]:
    """Positions with one best card of a game of some strategies, without their numbers.

    Moments that are not `likely` to be looked for are not solved.
    """
    rules = Rules.preset(preset, players=len(chosen))
    seated = [
        Seated(item.name, item.strategy, {}, item.digest, str(item.file))
        for item in (library.found[name] for name in chosen)
    ]
    rows = play_game(rules, seated, seed, block)
    source = f"{', '.join(chosen)}; seed {seed}, block {block}"
    for table, hands in moments(rules, rows, seed, block):
        if not likely(table) or _too_open(table):
            continue
        proof = prove(table, _MOST_WORLDS, _MOST_PLAYS)
        if proof is not None and proof.best and proof.gain[0] >= 1:
            yield Endgame(
                0, kind_of(table, proof), preset, len(chosen), table.turn, proof.best,
                proof.worlds, proof.points, proof.gain, source, tuple(hands),
            )  # fmt: skip


def _hand_is_among(found: Sequence[Endgame], position: Endgame) -> bool:
    """Whether there is a position of the same hand already."""
    return any(position.hands[-1].dealt == other.hands[-1].dealt for other in found)


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
    parser.add_argument(
        "--add", type=int, metavar="N",
        help="add to the file until there are N positions of each of: " + ", ".join(RARE),
    )  # fmt: skip
    parser.add_argument(
        "--blocks", type=lambda text: [int(block) for block in text.split(",")], metavar="B,B,...",
        help="with --add, look only at these games: where a longer search found some",
    )  # fmt: skip
    given = parser.parse_args()
    if given.add is None:
        search = find(given.folder, given.seed, given.number, given.games)
        found: list[Endgame] = []
    else:
        found = read(Path(given.output))
        blocks = given.blocks or range(given.games)
        search = add(found, given.folder, given.seed, given.add, blocks)
    for found in search:
        # At once: whoever stops it has what was found by then.
        Path(given.output).write_text(written(found), encoding="utf-8")
        kinds = Counter(position.kind for position in found)
        print(len(found), dict(kinds), file=sys.stderr)
    print(f"{len(found)} positions in {given.output}")


if __name__ == "__main__":
    main()
