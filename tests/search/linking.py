"""The linked functions of searches called from Python, on states of play that tests set up.

What searches link to is machine code already: calling it by address compiles nothing more. It is
compiled when it is imported, which every process of the tests would do at the same time if that
were needed to find the tests; so it is imported when the first of them asks.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from pair import BIT, twin_of
from twin import TwinGame

from hearts_sim.cards import MAX_SEATS, Card
from hearts_sim.engine.building import build_for_kitties
from hearts_sim.engine.layout import CARD, GAME, HANDS, MOST_OPTIONS, OWN, PASS, TABLE, VIEW
from hearts_sim.engine.record import compile_rules
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules


def function(name: str) -> Any:
    """A linked function by its name, as one that takes addresses."""
    from hearts_sim.search import linked, monte_carlo, pass_search, tree  # noqa: F401 - are linked

    for _ in range(2):
        for kept in linked._kept:
            if getattr(kept, "__name__", "") == name:
                return kept.ctypes
        build_for_kitties()
    raise LookupError(name)


def address(record: Any) -> int:
    """Address of an array of one record."""
    return int(record.ctypes.data)


class State:
    """Copies of the records behind a table: of the rules, the state of play, hands, and scores."""

    def __init__(self, table: Table) -> None:
        self.players = table.rules.players
        self.wide = table.rules.kitty_size > 0
        self.rules = compile_rules(table.rules).copy()
        self.table, self.hands = np.zeros(1, TABLE), np.zeros(1, HANDS)
        for name in TABLE.names or ():
            self.table[0][name] = table._view[name]
        self.hands[0] = table._hands
        self.score = np.zeros(1, GAME)
        self.score[0]["hand_number"] = table.hand_number
        self.score[0]["totals"] = table._game["totals"]
        self.moods = np.zeros(16, np.int64)

    def _call(self, name: str, *arguments: Any) -> Any:
        return function(f"{name}_{'wide' if self.wide else 'narrow'}")(
            address(self.rules), *arguments
        )

    def danger(self) -> Any:
        """How gladly cards are thrown: dear ones, then high ones."""
        rules, danger = self.rules[0], np.zeros(52, np.int64)
        for card in range(52):
            worth = int(rules["cost"][card] + rules["bonus"][card])
            worth = -worth if rules["win_highest"] else worth
            danger[card] = 10 * worth + 3 * (card % 13)
            if int(rules["penalty_cards"]) >> card & 1 and not rules["win_highest"]:
                danger[card] += 12
        return danger

    def play_out(self, stream: Any, sensible: bool, threat: int = 9) -> None:
        """Play to the end, and so spoil the state."""
        danger = self.danger()
        self._call(
            "play_out",
            address(self.table),
            address(self.hands),
            stream.ctypes.data,
            self.moods.ctypes.data,
            danger.ctypes.data,
            int(sensible),
            threat,
        )

    def play_trick(self, stream: Any, sensible: bool, threat: int = 9) -> list[int]:
        """Play the trick to its end, as if it were the last; its new cards in order."""
        before = self.hands[0]["cards"].copy()
        seat, size = int(self.table[0]["turn"]), int(self.rules[0]["hand_size"])
        self.rules[0]["hand_size"] = self.table[0]["trick_number"]
        self.play_out(stream, sensible, threat)
        self.rules[0]["hand_size"] = size
        cards = []
        for _ in range(self.players):
            gone = int(before[seat] & ~self.hands[0]["cards"][seat])
            if not gone:
                break
            assert gone & (gone - 1) == 0, "more than a card of a seat in a trick"
            cards.append(gone.bit_length() - 1)
            seat = (seat + 1) % self.players
        return cards

    def values(self, spread: float) -> list[float]:
        """What a finished hand is worth to each seat; sets the points in `score`."""
        values = np.zeros(MAX_SEATS)
        self._call("values", address(self.table), address(self.score), values.ctypes.data, spread)
        each = [
            self._call("value", address(self.table), address(self.score), seat, spread)
            for seat in range(self.players)
        ]
        assert each == values[: self.players].tolist()
        return each

    def exact(self, spread: float) -> list[float]:
        """Values when all play on perfectly."""
        where = address(self.table), address(self.hands), address(self.score)
        return [self._call("exact", *where, seat, spread) for seat in range(self.players)]


class Asked:
    """What a search player is shown, with a stream and options of its own."""

    def __init__(
        self, table: Table, seed: int = 1, seat: int | None = None, **given: float
    ) -> None:
        """The decision on a card of the seat in turn, or with `seat` on what that one passes."""
        from hearts_sim.search.settings import OPTIONS

        self.rules = compile_rules(table.rules)
        self.options = np.zeros(MOST_OPTIONS)
        self.options[: len(OPTIONS)] = list((OPTIONS | given).values())
        self.own = np.zeros(1, OWN)
        self.own[0]["rng"] = [seed, 1]
        self.own[0]["options"] = self.options.ctypes.data
        self.view = np.zeros(1, VIEW)
        self.view[0] = table._view
        view = self.view[0]
        asks = table.turn if seat is None else seat
        view["call"] = CARD if seat is None else PASS
        view["seat"], view["hand"] = asks, table._hands["cards"][asks]
        view["legal"] = int(table.legal if seat is None else table.passable(asks))
        view["passed"], view["received"] = (table._game[n][asks] for n in ("passed", "received"))
        view["own"], view["rules"] = address(self.own), address(self.rules)
        self.wide = table.rules.kitty_size > 0

    @property
    def stream(self) -> list[int]:
        """State of the random numbers."""
        return [int(word) for word in self.own[0]["rng"]]

    def choose(self, name: str, *more: int) -> int:
        """What a search answers: `playouts` (and whether sensibly), `passes`, `tree`."""
        ending = "wide" if self.wide else "narrow"
        return int(function(f"{name}_{ending}")(address(self.view), *more))


SEARCHES: Mapping[str, tuple[Any, ...]] = {
    "random": ("playouts", 0),
    "sensible": ("playouts", 1),
    "tree": ("tree",),
}
"""Ways to choose a card, for `Asked.choose`."""


def new_stream(seed: int) -> Any:
    """Random numbers."""
    return np.array([seed, 1], np.uint64)


def started(rules: Rules, rng: random.Random) -> tuple[Table, TwinGame]:
    """A table with a hand dealt and passed at random, and a twin with the same cards."""
    table, twin = Table(rules, seed=rng.getrandbits(40)), twin_of(rules)
    table.deal()
    twin.start_hand([[card.name for card in hand] for hand in table.hands], _names(table.kitty))
    if twin.pass_size:
        choices = [rng.sample(twin.passable(seat), twin.pass_size) for seat in twin.seats]
        table.exchange([[Card(name) for name in cards] for cards in choices])
        twin.exchange(choices)
    return table, twin


def play_both(table: Table, twin: TwinGame, rng: random.Random, left: int, moon: bool) -> None:
    """Play at random until so many cards are in hands; with `moon` seat 0 takes what it can."""
    while sum(map(len, twin.hands)) > left:
        cards = sorted(twin.legal(), key=BIT.__getitem__)
        card = rng.choice(cards)
        if moon:
            cards.sort(key=lambda name: ("23456789TJQKA".index(name[0]), rng.random()))
            card = cards[-1] if twin.to_play == 0 else cards[0]
            dear = [name for name in cards if twin.cost(name) > 0]
            if twin.trick and card[1] != twin.led_suit and dear and twin.to_play:
                card = dear[0]
        table.play(card)
        twin.play(card)


def _names(cards: Iterable[Card]) -> list[str]:
    return [card.name for card in cards]
