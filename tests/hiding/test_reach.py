"""From what a bot is given nothing hidden can be reached.

A spy looks at every hook through all that it can follow from the view, from itself and from its
random numbers, and what it finds is compared with the machine's own records.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from walk import BUFFERS, WORD, Reached, lies_in, reachable, shown_numbers

from hearts_sim.cards import SUIT_MASKS, Card, CardSet
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.engine.rng import block_key
from hearts_sim.rules import Rules
from hearts_sim.strategy.base import Strategy
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.strategy.view import View

SEED = 0x5EED_0123_4567_89AB  # no number that could be met by chance
CLOSED = ("game", "hands", "view", "seats", "table", "hand_rows", "game_rows", "play_rows")
FEW = 3  # cards; sets of fewer are met by chance among the many that are open

Look = Callable[[str, View, Strategy], None]
# The spies' way to the test: a global, which the search does not follow.
WATCH: list[Look] = []


class Spy(Strategy):
    """Lets the test look at every hook, and keeps whatever it was given."""

    def __init__(self) -> None:
        self.kept: list[Any] = [self.rng.random, self.rng.getrandbits]

    def _look(self, hook: str, view: View) -> None:
        # Of its last calls: more would only be the same again.
        self.kept = [*self.kept[:2], view, view.copy(), view.copy, view.known_cards]
        WATCH[-1](hook, view, self)

    def start_game(self, view: View) -> None:
        self._look("start_game", view)

    def start_hand(self, view: View) -> None:
        self._look("start_hand", view)

    def choose_pass(self, view: View) -> list[Card]:
        self._look("choose_pass", view)
        return self.rng.sample(list(view.legal), view.pass_count)

    def choose_card(self, view: View) -> Card:
        if view.trick_number % 2:  # every other trick, to be quick
            self._look("choose_card", view)
        return self.rng.choice(list(view.legal))

    def choose_moon(self, view: View) -> str:
        self._look("choose_moon", view)
        return "add"

    def end_hand(self, view: View) -> None:
        self._look("end_hand", view)


class Table:
    """A table of spies, and what is hidden from each of them."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.machine = Machine(rules, SEED)
        self.lineup = Lineup(self.machine, [Seated("spy", Spy)])
        for seat in range(rules.players):
            self.lineup.seat(0, seat)
        self.calls: list[str] = []
        self.found: list[str] = []
        self.met = 0  # one's own hand among what was found
        self.looked_for = 0

    def play(self) -> None:
        """Play a game with this table's eyes."""
        WATCH.append(self.look)
        try:
            list(self.machine.play(one_job([0] * self.rules.players, block=7)))
        except BotFailed:
            raise self.lineup.fault().error() from None
        finally:
            WATCH.pop()
            self.lineup.close()

    def look(self, hook: str, view: View, bot: Strategy) -> None:
        """Note what a spy reaches that it must not."""
        seat = view.seat
        reached = reachable(self.rules.players, view=view, bot=bot, rng=bot.rng)
        secrets = self.numbers(hook, seat)
        self.looked_for += len(secrets)
        own = int(self.machine.hands[0]["cards"][seat])
        self.met += own.bit_count() >= FEW and any(own in shown_numbers(r.value) for r in reached)
        self.calls.append(hook)
        self.found += [f"{hook} of seat {seat}: {what}" for what in leaks(reached, secrets)]
        self.found += [
            f"{hook} of seat {seat}: {what}" for what in overlaps(reached, self.memory(seat))
        ]

    def numbers(self, hook: str, seat: int) -> dict[int, str]:
        """Numbers that a seat must not see, with what they are."""
        game, hands = self.machine.game[0], self.machine.hands[0]
        hidden: dict[int, str] = {SEED: "the seed"}
        hidden[int(game["hand_key"])] = "the key of the hand"
        if game["hand_number"]:
            hidden |= {int(word): "the stream of the deal" for word in game["stream"]}
        for other in range(self.rules.players):
            if other != seat:
                hidden |= dict.fromkeys(self.stream(other), f"the stream of seat {other}")
        if hook in ("start_game", "end_hand"):
            return hidden  # no cards are out
        seen = self.follows(seat) | {int(hands["cards"][seat])}
        for cards, what in self.cards(seat):
            if cards.bit_count() >= FEW and cards not in seen:
                hidden[cards] = what
        return hidden

    def cards(self, seat: int) -> Iterator[tuple[int, str]]:
        """Sets of cards that a seat must not see."""
        game, hands, view = (self.machine.game[0], self.machine.hands[0], self.machine.view[0])
        played, packs = int(view["played"]), self.rules.packs
        for other in range(self.rules.players):
            if other != seat:
                yield int(hands["cards"][other]), f"the hand of seat {other}"
                yield int(hands["cards_twice"][other]), f"what seat {other} has twice"
            passed = int(game["passed"][other])
            gets = (other + int(game["pass_offset"])) % self.rules.players
            if seat not in (other, gets) and not passed & played and packs == 1:
                yield passed, f"the pass of seat {other}"
        if view["kitty_seat"] != seat:
            yield int(hands["kitty"]), "the kitty"

    def follows(self, seat: int) -> set[int]:
        """Sets that follow from what a seat has seen: all that is out, less what others lack."""
        view, hands = self.machine.view[0], self.machine.hands[0]
        out = int(hands["kitty"]) if view["kitty_seat"] != seat else 0
        for other in range(self.rules.players):
            out |= int(hands["cards"][other]) if other != seat else 0
        sets = {out}
        for voids in view["voids"]:
            lacks = sum(mask for suit, mask in enumerate(SUIT_MASKS) if int(voids) >> suit & 1)
            sets.add(out & ~lacks)
        return sets

    def stream(self, seat: int) -> list[int]:
        """State of a seat's random numbers."""
        return [int(word) for word in self.own(seat)[:2]]

    def own(self, seat: int) -> Any:
        """The words of what belongs to a seat, at the address that the machine has of it."""
        return words_at(int(self.machine.table[0, seat]["own"]), 5)

    def memory(self, seat: int) -> dict[str, Any]:
        """Memory of which nothing must be reached by a seat."""
        machine = self.machine
        closed = {name: getattr(machine, name) for name in CLOSED}
        for other in range(self.rules.players):
            if other != seat:
                closed[f"what belongs to seat {other}"] = self.own(other)
        return {name: array for name, array in closed.items() if len(array)}


def words_at(address: int, size: int) -> Any:
    """Words at an address, as they are there."""
    return np.frombuffer((ctypes.c_uint64 * size).from_address(address), np.uint64)


def leaks(reached: list[Reached], secrets: dict[int, str]) -> Iterator[str]:
    """What of some secret numbers can be reached, and how."""
    texts = {str(CardSet(number)): what for number, what in secrets.items() if number < 1 << 52}
    for one in reached:
        for number in shown_numbers(one.value) & secrets.keys():
            yield f"{secrets[number]} at {one.way}"
        if isinstance(one.value, str):
            yield from (f"{texts[text]} at {one.way}" for text in texts if text in one.value)


def overlaps(reached: list[Reached], closed: dict[str, Any]) -> Iterator[str]:
    """What of some memory can be reached, and how."""
    ranges = {name: lies_in(array) for name, array in closed.items()}
    for one in reached:
        low, high = lies_in(one.value)
        for name, (start, end) in ranges.items():
            if low < end and start < high:
                yield f"the memory of {name} at {one.way}"


GAMES: dict[str, dict[str, Any]] = {
    "black_lady": {},
    "three, scatter": {"players": 3, "pass_cycle": ["scatter", "R"]},
    "kitty": {"preset": "kitty"},
    "cancellation": {"preset": "cancellation", "pass_cycle": ["L", "H"], "hand_size": 9},
    "partnership": {"preset": "partnership"},
    "partnership_pooled": {"preset": "partnership_pooled"},
}


@pytest.mark.parametrize("name", list(GAMES))
def test_nothing_hidden_is_reached(name: str) -> None:
    """At no hook does a bot reach a hand, a pass, the kitty, a stream, the seed or their memory."""
    table = Table(Rules.from_spec(GAMES[name] | {"end": {"deals": 1}, "tie": "draw"}))
    table.play()
    assert table.found == []

    rules = table.rules
    assert table.calls.count("choose_card") == rules.players * -(-rules.hand_size // 2)
    assert table.calls.count("start_hand") == table.calls.count("end_hand") == rules.players
    assert table.calls.count("choose_pass") >= rules.players
    # Where it looked it found what is its own, and there was enough to look for.
    assert table.met >= rules.players * (rules.hand_size - FEW) // 2
    assert table.looked_for > 5 * len(table.calls)


# The search itself.


class Slots:
    __slots__ = ("deep",)

    def __init__(self, deep: Any) -> None:
        self.deep = deep

    def method(self) -> None:
        """Nothing."""


class Behind:
    def __init__(self, deep: Any) -> None:
        self._get = lambda: deep

    @property
    def shown(self) -> Any:
        return self._get()


def closure(deep: Any) -> Any:
    return lambda: deep


def default(deep: Any) -> Any:
    return lambda given=deep: given


WAYS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda machine: machine,
    "a list in a dict": lambda machine: {"a": [machine.hands]},
    "slots": Slots,
    "a property": Behind,
    "a closure": closure,
    "a default": default,
    "a bound method": lambda machine: Slots(machine).method,
    "a built-in method": lambda machine: [machine.hands].append,
    "a partial": lambda machine: functools.partial(print, machine),
    "the base of an array": lambda machine: machine.hands["opening"],
    "the base of a record": lambda machine: machine.hands[0],
    "the object of a buffer": lambda machine: memoryview(machine.hands.view("u1"))[:8].toreadonly(),
    "an iterator": lambda machine: iter([machine.hands]),
    "an exception": lambda machine: ValueError(machine.hands),
    "a copy of the bytes": lambda machine: machine.hands.tobytes(),
    "a list of cards": lambda machine: list(CardSet(machine.hands[0]["cards"][2])),
    "numbers": lambda machine: machine.hands[0]["cards"].tolist(),
    "a text": lambda machine: f"seat 2 has {CardSet(machine.hands[0]['cards'][2])}",
}


@pytest.mark.parametrize("way", list(WAYS))
def test_the_search_would_find_it(way: str) -> None:
    """A bot that got at the hands in any such way would be caught."""
    machine = Machine(Rules(), SEED)
    hand = 0x1_0203_0405_0607
    machine.hands[0]["cards"][2] = hand
    reached = reachable(bot=Slots(WAYS[way](machine)))
    assert list(leaks(reached, {hand: "the hand of seat 2"})) != []
    if any(isinstance(one.value, BUFFERS[1:]) for one in reached):
        assert list(overlaps(reached, {"hands": machine.hands})) != []


def test_the_search_stops_at_modules_and_classes() -> None:
    """What is global is not followed, or everything would be found from everywhere."""
    reached = reachable(bot=Slots([np, Spy, leaks, test_the_search_stops_at_modules_and_classes]))
    assert not any(one.value is WATCH for one in reached)
    assert len(reached) < 100


# What is given cannot be written, and tells no more than it says.


def test_the_table_cannot_be_written_through_the_view() -> None:
    """What shows the machine's record can only be read, down to the memory that it is a part of."""
    machine = Machine(Rules(), SEED)
    view = View(machine.shown, machine.rules)
    reached = [one for one in reachable(4, view=view) if isinstance(one.value, BUFFERS)]
    machine.view[0]["held"] = mark = 0x0A0B_0C0D_0E0F_1011  # after the copies were made
    live = [one for one in reached if mark in shown_numbers(one.value)]
    assert len(live) > 1
    assert [one.way for one in live if not memoryview(one.value).readonly] == []
    assert list(overlaps(live, {"the record": machine.view})) == []


GOLDEN, MIX_A, MIX_B = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def unmixed(word: int) -> int:
    """What splitmix64 made a number from."""

    def unshift(word: int, by: int) -> int:
        result = word
        for _ in range(64 // by):
            result = word ^ result >> by
        return result

    word = unshift(word, 31) * pow(MIX_B, -1, 1 << 64) & WORD
    word = unshift(word, 27) * pow(MIX_A, -1, 1 << 64) & WORD
    return (unshift(word, 30) - GOLDEN) & WORD


class Calculator(Strategy):
    """Calculates all keys that it can back from the first state of its own random numbers."""

    seats: list[int] = []
    others: list[int] = []

    def start_hand(self, view: View) -> None:
        stream = unmixed(self.rng.getstate()[0])
        seat = unmixed(stream) ^ view.hand_number
        self.seats.append(seat)
        # As if the key of the seat came from the others in the way in which they come about.
        block = unmixed(seat ^ view.seat)
        self.others += [stream, unmixed(stream), block, unmixed(seat), unmixed(block), seat]

    def choose_card(self, view: View) -> Card:
        return view.legal.lowest()


def test_the_own_stream_does_not_tell_the_key_of_the_deal() -> None:
    """Who knows how streams are keyed cannot calculate the deal from its own random numbers."""
    machine = Machine(Rules(end={"deals": 1}, tie="draw", moon="off"), SEED)
    lineup = Lineup(machine, [Seated("calculator", Calculator)])
    for seat in range(4):
        lineup.seat(0, seat)
    Calculator.seats.clear()
    Calculator.others.clear()
    list(machine.play(one_job([0] * 4, block=3)))
    lineup.close()
    game = machine.game[0]
    assert Calculator.seats == game["seat_keys"][:4].tolist()  # here its knowledge ends
    for secret in (game["hand_key"], block_key(SEED, 3), SEED):
        assert int(secret) not in Calculator.others
