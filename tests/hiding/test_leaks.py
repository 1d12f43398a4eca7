"""The shipped strategies play the same wherever the cards lie that they cannot see."""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from probe import Probe, Seen, held, probe

from hearts_sim.engine.machine import Machine
from hearts_sim.engine.memory import words_at
from hearts_sim.rules import Rules
from hearts_sim.strategy.base import CompiledStrategy, Strategy
from hearts_sim.strategy.loader import Library, load_folders
from hearts_sim.strategy.names import class_names
from hearts_sim.strategy.toolkit import lowest, options

FOLDER = Path(__file__).parents[2] / "strategies"
NAMES = sorted(class_names([FOLDER]))
SEARCH = sorted(class_names([FOLDER / "search"]))

GAMES: dict[str, dict[str, Any]] = {
    "black_lady": {"pass_cycle": ["L", "A"]},
    "three, scatter": {"players": 3, "pass_cycle": ["R", "scatter"]},
}
WIDE: dict[str, dict[str, Any]] = {
    "cancellation": {"preset": "cancellation", "pass_cycle": ["L"], "hand_size": 9},
    "kitty": {"preset": "kitty"},
    "partnership": {"preset": "partnership_pooled"},
}


@cache
def library(*below: str) -> Library:
    """The strategies; to import them compiles some, which finding the tests should not."""
    return load_folders([FOLDER.joinpath(*below)])


def rules_of(options: dict[str, Any], deals: int) -> Rules:
    return Rules.from_spec(options | {"end": {"deals": deals}, "tie": "draw"})


def check(rules: Rules, bot: Any, seed: int) -> None:
    found = probe(rules, bot, seed)
    assert found.leaks == []
    # The last tricks, and voids shown before, leave few worlds; every other decision was tried.
    assert found.decisions > rules.deals * rules.players * (rules.hand_size - 4)
    assert found.tried > 1.5 * found.decisions


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("name", NAMES)
def test_shipped_strategies_see_no_other_hand(name: str, game: str) -> None:
    """Every decision of some hands is the same in other worlds that fit what was seen."""
    check(rules_of(GAMES[game], 2), library().get(name).strategy, seed=11)


@pytest.mark.parametrize("game", list(WIDE))
@pytest.mark.parametrize("name", ["AllRound", "AllRoundCompiled"])
def test_nor_with_two_packs_a_kitty_or_a_partner(name: str, game: str) -> None:
    """The same where the machine has more to show, and to hide."""
    check(rules_of(WIDE[game], 1), library().get(name).strategy, seed=12)


@pytest.mark.parametrize("name", SEARCH)
def test_nor_do_those_that_look_ahead(name: str) -> None:
    """They deal the hidden cards themselves; where these really lie is nothing to them."""
    rules = Rules(pass_cycle=["L"], end={"deals": 1}, tie="draw")
    few = {"playouts": 12, "pass_playouts": 300}
    found = probe(rules, library("search").get(name).strategy, 13, options=few)
    assert found.leaks == []
    assert found.decisions > 4 * 9
    assert found.tried > 1.5 * found.decisions


# The probe itself.

TABLE: list[Machine] = []


def next_hand(view: Any) -> int:
    """The hand on the left, which nobody may see."""
    return int(TABLE[-1].hands[0]["cards"][(view.seat + 1) % view.players])


class PeeksAtCards(Strategy):
    def choose_card(self, view):
        return view.legal.lowest() if next_hand(view) % 3 else view.legal.highest()


class PeeksAtPass(Strategy):
    def choose_pass(self, view):
        cards = sorted(view.legal, reverse=next_hand(view) % 2 == 0)
        return cards[: view.pass_count]

    def choose_card(self, view):
        return view.legal.lowest()


class Remembers(Strategy):
    """Looks when the hand begins, and uses it for nothing."""

    def start_hand(self, view):
        self.sees = {"deep": [next_hand(view)]}

    def choose_card(self, view):
        return view.legal.lowest()


class DrawsMore(Strategy):
    """Only its random numbers tell that it looked."""

    def choose_card(self, view):
        for _ in range(next_hand(view) % 3):
            self.rng.random()
        return view.legal.lowest()


class PeeksCompiled(CompiledStrategy):
    options = {"hands": 0.0}

    @staticmethod
    def choose_card(view):
        hands = words_at(int(options(view)[0]), view.players)
        other = hands[(view.seat + 1) % view.players]
        cards = view.legal
        return lowest(cards & (cards - 1)) if other % 3 and cards & (cards - 1) else lowest(cards)


class Honest(Strategy):
    """Uses its random numbers and what it remembers, and looks nowhere."""

    def __init__(self):
        self.count = 0

    def choose_pass(self, view):
        return self.rng.sample(list(view.legal), view.pass_count)

    def choose_card(self, view):
        self.count += int(self.rng.gauss(5, 2))
        return list(view.legal)[self.count % len(view.legal)]


def caught(bot: Any, spoil: Any = None) -> set[tuple[str, str]]:
    """Hooks in which a bot was caught, and by what."""
    table = Probe(rules_of({}, 1), [bot] * 4, seed=3, spoil=spoil)
    TABLE.append(table.machine)
    table.play()
    TABLE.pop()
    assert table.decisions > 40
    return {(leak.hook, leak.what) for leak in table.leaks}


def test_cheats_are_caught() -> None:
    """Bots that look at the machine's hands are caught where they do; an honest one is not."""
    assert caught(Honest) == set()
    assert caught(PeeksAtCards) == {("choose_card", "answer")}
    assert caught(PeeksAtPass) == {("choose_pass", "answer")}
    assert caught(Remembers) == {("start_hand", "memory")}
    assert caught(DrawsMore) == {("choose_card", "memory")}


def test_a_compiled_cheat_is_caught() -> None:
    """A compiled bot that knows the address of the hands is caught as well."""
    table = Probe(rules_of({}, 1), [PeeksCompiled] * 4, seed=3)
    for player in table.players:
        player.options[0] = table.machine.hands.ctypes.data
    assert {(leak.hook, leak.what) for leak in table.play()} == {("choose_card", "answer")}


@pytest.mark.parametrize("field", ["kitty", "answer_twice", "trick_twice"])
def test_a_machine_that_shows_too_much_is_caught(field: str) -> None:
    """One hidden bit in any word of the view is enough, also where no bot looks."""

    def spoil(machine: Machine) -> None:
        view = machine.view[0]
        view[field] = int(machine.hands[0]["cards"][(view["seat"] + 1) % 4]) & 0x111

    found = caught(Honest, spoil)
    assert {("choose_card", "view"), ("choose_pass", "view")} & found
    assert {what for _, what in found} <= {"view", "answer"}


@pytest.mark.parametrize("game", ["black_lady", "three, scatter", "cancellation", "kitty"])
def test_other_worlds_fit_what_was_seen(game: str) -> None:
    """They have the same cards and sizes, nobody's void filled, and what was passed where it went.

    Between them the hidden cards move: over a hand most go to every place where they may be.
    """
    rules = rules_of((GAMES | WIDE)[game], 2)
    moved, kept = 0, 0

    class Watched(Probe):
        def _other_worlds(self, asked):
            nonlocal moved, kept
            truth, seen = held(self.machine, asked.seat), Seen(self.machine, asked)
            for world in super()._other_worlds(asked):
                assert {p: len(cards) for p, cards in world.items()} == {
                    p: len(cards) for p, cards in truth.items()
                }
                assert sorted(chain(*world.values())) == sorted(chain(*truth.values()))
                view = self.machine.view[0]
                for place, cards in world.items():
                    if place >= 0:
                        voids = int(view["voids"][place])
                        assert not any(voids >> card // 13 & 1 for card in cards)
                    assert not set(seen.stays[place]) - set(cards)
                    moved += len(set(cards) - set(truth[place]))
                    kept += len(seen.stays[place])
                yield world

    table = Watched(rules, [Honest] * rules.players, seed=5)
    assert table.play() == []
    assert moved > 5 * table.tried
    assert kept > table.tried / 2 or rules.pass_cycle[0] == "H"
