"""Asking a bot once more after the cards that it cannot see changed places.

A game goes on at the machine as always, but at every decision it is stopped and played on from
there in other worlds: the hidden cards are dealt otherwise into the machine's record of the hands,
as far as they fit what the seat has seen, and the bot gets back its random numbers and what it
remembered. What the machine shows, what the bot answers and what it remembers must be the same.
"""

from __future__ import annotations

import copy
import ctypes
import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hearts_sim.cards import CardSet
from hearts_sim.engine.layout import CARD, END_HAND, HOOKS, MOON, PASS, START_GAME
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.rules import Rules
from hearts_sim.strategy.base import AnyStrategy, CompiledStrategy
from hearts_sim.strategy.compiled import CompiledPlayer
from hearts_sim.strategy.loader import source_digest
from hearts_sim.strategy.plain import PlainPlayer

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_SWAPS = 60
KITTY = -1

World = dict[int, list[int]]
"""Cards by the seat that holds them, or `KITTY`; a card that is there twice is named twice."""


@dataclass(frozen=True)
class Leak:
    """Something that was not the same in another world."""

    hook: str
    seat: int
    what: str  # "view", "answer" or "memory"


@dataclass
class Asked:
    """One call of a bot."""

    call: int
    seat: int
    shown: bytes  # the view's record before the call
    answer: tuple[int, int]
    remembers: Any

    def differences(self, other: Asked) -> Iterator[Leak]:
        """What of another call of the same hook is different."""
        assert (self.call, self.seat) == (other.call, other.seat)
        for what in ("shown", "answer", "remembers"):
            if getattr(self, what) != getattr(other, what):
                name = {"shown": "view", "remembers": "memory"}.get(what, what)
                yield Leak(HOOKS[self.call], self.seat, name)


class Mind:
    """What a bot on a seat remembers: its random numbers, and its memory or its instance."""

    def __init__(self, player: PlainPlayer | CompiledPlayer) -> None:
        self.player = player

    def state(self) -> Any:
        """A copy of all of it, that can be compared."""
        rng = self.player.own["rng"].tobytes()
        if isinstance(self.player, CompiledPlayer):
            return rng, self.player.memory.tobytes()
        bot = self.player.bot
        rest = {name: value for name, value in vars(bot).items() if name != "rng"}
        return rng, self.player.rng.gauss_next, copy.deepcopy(rest)

    def restore(self, state: Any) -> None:
        """Make it what it was."""
        self.player.own["rng"] = np.frombuffer(state[0], np.uint64)
        if isinstance(self.player, CompiledPlayer):
            self.player.memory[:] = np.frombuffer(state[1], np.int64)
            return
        self.player.rng.gauss_next = state[1]
        # In place: the player kept the bot's methods.
        own = vars(self.player.bot)
        for name in [name for name in own if name != "rng"]:
            del own[name]
        own.update(copy.deepcopy(state[2]))


class Probe:
    """A table at which every decision is tried in other worlds.

    Parameters
    ----------
    bots : list of strategies, one per seat
    worlds : int
        Other worlds for each decision.
    spoil : callable, optional
        Called before each call with the machine, to let the machine itself leak.

    Attributes
    ----------
    machine : Machine
    leaks : list of Leak
    tried : int
        Calls that were repeated in another world.
    decisions : int
        Calls of `choose_pass` and `choose_card` that could be tried.
    """

    def __init__(
        self,
        rules: Rules,
        bots: list[AnyStrategy],
        seed: int,
        worlds: int = 2,
        spoil: Callable[[Machine], None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.rules, self.worlds, self.spoil = rules, worlds, spoil
        self.chance = random.Random(seed)
        self.machine = Machine(rules, seed, entries=len(bots))
        self.players = [self._player(bot, options or {}) for bot in bots]
        self.minds = [Mind(player) for player in self.players]
        self.leaks: list[Leak] = []
        self.tried = self.decisions = 0
        self.asked: Asked | None = None
        self.before: Any = None
        self.go_on_with: Asked | None = None
        self._callbacks: list[Any] = []  # kept alive for the machine
        for seat, player in enumerate(self.players):
            self._seat(seat, player)

    def _player(self, bot: AnyStrategy, options: dict[str, Any]) -> PlainPlayer | CompiledPlayer:
        if issubclass(bot, CompiledStrategy):
            file = inspect.getfile(bot)
            return CompiledPlayer(bot, options, source_digest(Path(file)), file)
        bot.prepare(options)
        return PlainPlayer(bot, options, self.machine)

    def _seat(self, seat: int, player: PlainPlayer | CompiledPlayer) -> None:
        row = self.machine.table[seat, seat]
        row["compiled"] = 0
        row["own"] = player.own.ctypes.data
        for call, address in enumerate(player.addresses()):
            if address:
                callback = _CALLBACK(self._hook(seat, call, address))
                self._callbacks.append(callback)
                row["hooks"][call] = ctypes.cast(callback, ctypes.c_void_p).value

    def _hook(self, seat: int, call: int, address: int) -> Callable[[int], int]:
        player = self.players[seat]
        public = _CALLBACK(address)
        # Where no cards are out, or nobody but the shooter is asked, there is nothing to try.
        passes_by = call in (START_GAME, END_HAND, MOON)

        def forward(view: int) -> int:
            if isinstance(player, PlainPlayer):
                return public(view)
            answer = player.hooks[call](self.machine.view[0])
            if call in (PASS, CARD, MOON):
                self.machine.view[0]["answer"] = answer
            return 1

        def hook(view: int) -> int:
            try:
                if passes_by:
                    return forward(view)
                if self.go_on_with is not None:
                    self._write(self.go_on_with.answer)
                    self.go_on_with = None
                    return 1
                if self.spoil is not None:
                    self.spoil(self.machine)
                self.before = self.minds[seat].state()
                shown = self.machine.view.tobytes()
                self.asked = None
                if forward(view) == 1:
                    mind = self.minds[seat].state()
                    self.asked = Asked(call, seat, shown, self._read(), mind)
            except BaseException as error:
                player.error = error
            return 0  # stop here: `play` goes on

        return hook

    def _read(self) -> tuple[int, int]:
        view = self.machine.view[0]
        return int(view["answer"]), int(view["answer_twice"])

    def _write(self, answer: tuple[int, int]) -> None:
        view = self.machine.view[0]
        view["answer"], view["answer_twice"] = answer

    def play(self, block: int = 0) -> list[Leak]:
        """Play a game, and try every decision; returns what leaked."""
        job = one_job(list(range(len(self.players))), block)
        while (asked := self._next(job)) is not None:
            self._try(asked, self.before, job)
        return self.leaks

    def _next(self, job: Any) -> Asked | None:
        """Go on to the next call that can be tried, None when the game is over."""
        self.asked = None
        try:
            self.machine.play_on(job)
        except BotFailed:
            if self.asked is None:
                failed = self.players[int(self.machine.game[0]["fault_seat"])]
                raise failed.error or AssertionError("a bot did not answer") from None
            return self.asked
        return None

    def _try(self, first: Asked, before: Any, job: Any) -> None:
        hands = self.machine.hands
        truth = hands.copy()
        mind = self.minds[first.seat]
        tried = 0
        for world in self._other_worlds(first):
            lay(hands[0], world)
            mind.restore(before)
            again = self._next(job)
            assert again is not None, "the game went on where it had to stop"
            self.leaks.extend(first.differences(again))
            tried += 1
        self.tried += tried
        self.decisions += tried > 0 and first.call in (PASS, CARD)
        hands[:] = truth
        mind.restore(first.remembers)
        self.go_on_with = first

    def _other_worlds(self, asked: Asked) -> Iterator[World]:
        """Some worlds that fit what a seat has seen, none of them the true one."""
        seen = Seen(self.machine, asked)
        truth = held(self.machine, asked.seat)
        for _ in range(self.worlds):
            world = {place: list(cards) for place, cards in truth.items()}
            seen.shuffle(world, self.chance)
            assert seen.fits(world)
            if any(sorted(world[place]) != sorted(truth[place]) for place in truth):
                yield world


def both(cards: Any, twice: Any) -> list[int]:
    """Cards of a set of which some are twice in it."""
    return [int(card) for mask in (cards, twice) for card in CardSet(int(mask))]


def held(machine: Machine, seat: int) -> World:
    """Who holds what, apart from a seat and from a kitty that it has."""
    hands, view = machine.hands[0], machine.view[0]
    world = {
        other: both(hands["cards"][other], hands["cards_twice"][other])
        for other in range(machine.rules.players)
        if other != seat
    }
    if view["kitty_seat"] != seat:
        world[KITTY] = both(hands["kitty"], hands["kitty_twice"])
    return world


def lay(hands: Any, world: World) -> None:
    """Write a world into the record of the hands."""
    for place, cards in world.items():
        once = sum(1 << card for card in set(cards))
        twice = sum(1 << card for card in set(cards) if cards.count(card) == 2)
        if place == KITTY:
            hands["kitty"], hands["kitty_twice"] = once, twice
        else:
            hands["cards"][place], hands["cards_twice"][place] = once, twice


class Seen:
    """What a seat has seen of the others: voids, and the cards that it passed and that are out.

    Taken from the cards in the order they were played, not from what the view says of them.
    """

    def __init__(self, machine: Machine, asked: Asked) -> None:
        view, game, players = machine.view[0], machine.game[0], machine.rules.players
        self.voids: dict[int, set[int]] = {place: set() for place in range(-1, players)}
        plays: list[tuple[int, int]] = []
        led = 0
        for number in range(int(view["cards_played"])):
            trick, place = divmod(number, players)
            card, seat = (
                int(view["history"][number]),
                (int(view["leaders"][trick]) + place) % players,
            )
            led = card // 13 if place == 0 else led
            if card // 13 != led:
                self.voids[seat].add(led)
            plays.append((seat, card))
        self.stays: dict[int, list[int]] = {place: [] for place in range(-1, players)}
        if asked.call == CARD:
            passed = sorted(both(game["passed"][asked.seat], game["passed_twice"][asked.seat]))
            offset = int(game["pass_offset"])
            for place, card in enumerate(passed):
                steps = place + 1 if offset == -1 else offset
                self.stays[(asked.seat + steps) % players].append(card)
        for seat, card in plays:
            if card in self.stays[seat]:
                self.stays[seat].remove(card)

    def fits(self, world: World) -> bool:
        """Whether a world has nobody void with a card of the suit, and all that was passed."""
        return all(
            not {card // 13 for card in cards} & self.voids[place]
            and all(cards.count(card) >= self.stays[place].count(card) for card in cards)
            and set(self.stays[place]) <= set(cards)
            for place, cards in world.items()
        )

    def shuffle(self, world: World, chance: random.Random) -> None:
        """Swap cards between places, as long as it fits."""
        places = [place for place in world if world[place]]
        if len(places) < 2:
            return
        for _ in range(_SWAPS):
            one, other = chance.sample(places, 2)
            mine, yours = chance.randrange(len(world[one])), chance.randrange(len(world[other]))
            went, came = world[one][mine], world[other][yours]
            world[one][mine], world[other][yours] = came, went
            if not (
                self._fits_after(world, one, came, went)
                and self._fits_after(world, other, went, came)
            ):
                world[one][mine], world[other][yours] = went, came

    def _fits_after(self, world: World, place: int, came: int, went: int) -> bool:
        """As `fits` of a place that did before a card came and another one went."""
        stays = self.stays[place]
        return came // 13 not in self.voids[place] and world[place].count(went) >= stays.count(went)


def probe(rules: Rules, bot: AnyStrategy, seed: int, **more: Any) -> Probe:
    """Play one game of a bot against itself, every decision tried."""
    found = Probe(rules, [bot] * rules.players, seed, **more)
    found.play()
    return found
