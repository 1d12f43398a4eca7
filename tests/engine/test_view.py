"""What a strategy sees: right, complete, and nothing of the other hands."""

from __future__ import annotations

import gc
import random
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from replay import FullRecorder, Replay, mask, names, play_jobs
from twin import TwinGame

from hearts_sim.cards import SUITS, Card, CardSet
from hearts_sim.engine.layout import HANDS, OWN, VIEW
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.rules import PASS_NAMES, Rules
from hearts_sim.strategy.base import Strategy
from hearts_sim.strategy.table import Lineup, Seated
from hearts_sim.strategy.view import View

GAMES = {
    "black_lady": {"target": 40},
    "three": {"players": 3, "target": 40},
    "five, scatter": {"players": 5, "pass_cycle": ["scatter", "R2", "H"], "target": 60},
    "six, across": {"players": 6, "pass_cycle": ["A", "L3", "scatter"], "target": 40},
    "seven": {"players": 7, "target": 26},
    "odd costs": {
        "cards": {"QS": 13, "7C": 5, "AH": 9},
        "heart_scale": "face5432",
        "deck_removal": ["2H", "3H", "2S", "3S"],
        "target": 60,
    },
}


def replay(name: str, at_view: Callable[[str, View, TwinGame], None]) -> int:
    """Play a game, and call back with what each bot saw beside the twin at that moment."""
    rules = Rules.preset(**GAMES[name])
    seen: list[Any] = []
    job = one_job(list(range(rules.players)), block=3)
    bots = [FullRecorder] * rules.players
    hands, games, plays = play_jobs(rules, bots, job, seed=6, options={"seen": seen})
    calls = len(seen)
    game = Replay(rules, hands, games, plays, seen, at_view)
    game.game(job[0])
    game.end()
    return calls


@pytest.mark.parametrize("name", list(GAMES))
def test_what_one_may_know_is_true_and_complete(name: str) -> None:
    """At every call, known cards are held and possible cards leave none out.

    Both are exactly what follows from one's own hand, the pass, the cards played and the voids.
    """
    narrowed = 0

    def check(hook: str, view: View, twin: TwinGame) -> None:
        nonlocal narrowed
        if hook == "start_game":
            return
        me = view.seat
        played = {card for cards in twin.played_by for card in cards}
        unseen = set(twin.deck()) - twin.hands[me] - played
        assert names(view.unseen) == unseen
        passed = twin.passed[me] if hook not in ("start_hand", "choose_pass") else set()
        given = {seat: passed & twin.received[seat] - played for seat in twin.seats}
        for seat in twin.seats:
            known, possible = view.known_cards(seat), view.possible_cards(seat)
            held = mask(twin.hands[seat])
            assert int(known) & ~held == 0
            assert held & ~int(possible) == 0
            assert int(known) & ~int(possible) == 0
            if seat == me:
                assert known == possible == view.hand
                continue
            elsewhere = {card for other in twin.seats if other != seat for card in given[other]}
            assert names(known) == given[seat]
            assert names(possible) == {
                card for card in unseen - elsewhere if card[1] not in twin.voids[seat]
            }
            narrowed += len(possible) < len(unseen)

    assert replay(name, check) > 50
    assert narrowed > 100


@pytest.mark.parametrize("name", list(GAMES))
def test_pass_and_voids_are_shown(name: str) -> None:
    """Where one passes to, whence one receives, and who is void are those of the twin."""

    def check(hook: str, view: View, twin: TwinGame) -> None:
        if hook == "start_game":
            assert view.hand_number == 0
            assert view.hand == 0
            assert view.scores == (0,) * twin.players
            return
        token, me, players = twin.pass_token, view.seat, twin.players
        assert view.pass_direction == PASS_NAMES[token]
        if token in ("H", "scatter"):
            assert view.pass_to is view.pass_from is None
        else:
            assert view.pass_to == (me + twin._distance(token)) % players
            assert view.pass_from == (me - twin._distance(token)) % players
            if view.passed:
                assert mask(twin.received[view.pass_to]) == view.passed
                assert mask(twin.passed[view.pass_from]) == view.received
        for seat in twin.seats:
            for number, letter in enumerate(SUITS):
                void = letter in twin.voids[seat]
                assert view.is_void(seat, number) is view.is_void(seat, letter) is void
                assert view.is_void(seat, letter.lower()) is void

    replay(name, check)


@pytest.mark.parametrize("name", list(GAMES))
def test_rules_in_the_view(name: str) -> None:
    """Deck, costs, point and penalty cards are those of the rules, and the rules are there."""

    def check(hook: str, view: View, twin: TwinGame) -> None:
        assert view.players == twin.players
        assert names(view.deck) == set(twin.deck())
        assert view.cost == tuple(
            twin.cost(Card(number).name) if Card(number).name in twin.deck() else 0
            for number in range(52)
        )
        assert names(view.penalty_cards) == twin._costly_cards()
        assert names(view.point_cards) == {c for c in twin.deck() if twin.is_penalty(c)}
        assert view.rules.settings() == twin.rules

    replay(name, check)


@pytest.mark.parametrize("name", list(GAMES))
def test_points_at_the_end_of_a_hand(name: str) -> None:
    """In `end_hand` the view shows the points of the hand and the totals with them."""
    before: dict[int, tuple[int, ...]] = {}

    def check(hook: str, view: View, twin: TwinGame) -> None:
        if hook == "start_hand":
            before[view.hand_number] = view.scores
        elif hook == "end_hand":
            old = before[view.hand_number]
            assert view.scores == tuple(twin.scores)
            assert view.scores == tuple(a + b for a, b in zip(old, view.points, strict=True))
            assert view.hand == 0
            assert len(view.tricks) == view.hand_size

    replay(name, check)


def test_every_hook_is_called_in_order() -> None:
    """A game starts once; each hand is a start, the passes, the cards and an end on each seat."""
    seen: list[Any] = []
    rules = Rules(end={"deals": 2}, pass_cycle=["L", "H"], moon="off", tie="draw")
    play_jobs(rules, [FullRecorder] * 4, one_job([0, 1, 2, 3]), seed=2, options={"seen": seen})

    expected = ["start_game"] * 4
    for number in range(2):
        expected += ["start_hand"] * 4 + ["choose_pass"] * 4 * (number == 0)
        expected += ["choose_card"] * 52 + ["end_hand"] * 4
    assert [hook for hook, _, _ in seen] == expected
    assert all(
        [view.seat for hook, view, _ in seen if hook == each][:4] == [0, 1, 2, 3]
        for each in ("start_game", "start_hand", "choose_pass", "end_hand")
    )


class Live(Strategy):
    """Keeps the live view and a copy of it at its first card."""

    def __init__(self, kept: list[tuple[View, View, str]]) -> None:
        self.kept = kept

    def choose_card(self, view: View) -> Card:
        if len(self.kept) < 1:
            self.kept.append((view, view.copy(), str(view)))
        return view.legal.lowest()


def test_a_copy_stays_and_the_view_goes_on() -> None:
    """A copied view keeps its moment, while the view itself shows what is now."""
    kept: list[tuple[View, View, str]] = []
    rules = Rules(end={"deals": 1}, moon="off", tie="draw")
    play_jobs(rules, [Live] * 4, one_job([0, 1, 2, 3]), seed=2, options={"kept": kept})
    live, copied, text = kept[0]

    assert str(copied) == text
    assert copied.trick_number == 1
    assert len(copied.hand) == 13
    assert copied.legal == CardSet.of("2C")
    assert copied.copy().hand == copied.hand
    assert live.trick_number > 1
    assert str(live) != text
    assert "2C" in text
    assert repr(copied) == f"<View of {text}>"


@pytest.mark.parametrize(
    "name", [name for name in dir(View) if not name.startswith("_") and name != "rules"]
)
def test_a_view_cannot_be_written(name: str) -> None:
    """Nothing that a view shows can be set, neither by name nor in its memory."""
    machine = Machine(Rules(), seed=0)
    view = View(machine.words, machine.rules)
    if name != "players":
        with pytest.raises(AttributeError):
            setattr(view, name, 0)
    with pytest.raises(AttributeError):
        view.other = 0
    with pytest.raises(TypeError):
        view._words[0] = 1


@pytest.mark.parametrize("token", ["L", "A", "scatter"])
def test_a_pass_of_no_cards_is_a_hold(token: str) -> None:
    """With `pass_count: 0` nothing is passed whatever the cycle says, and the view says hold."""
    seen: list[Any] = []
    rules = Rules(pass_count=0, pass_cycle=[token], end={"deals": 1}, tie="draw")
    play_jobs(rules, [FullRecorder] * 4, one_job([0, 1, 2, 3]), seed=2, options={"seen": seen})
    view = next(view for hook, view, _ in seen if hook == "choose_card")

    assert view.pass_offset == view.pass_count == 0
    assert view.pass_to is view.pass_from is None
    assert view.pass_direction == "hold"


# Nothing else is reachable.


CLOSED = (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType)


def reachable(*starts: Any) -> list[Any]:
    """All that attributes and references lead to, without crossing modules, classes, functions."""
    found: dict[int, Any] = {}
    todo = list(starts)
    while todo:
        value = todo.pop()
        if id(value) in found or isinstance(value, CLOSED):
            continue
        found[id(value)] = value
        todo.extend(gc.get_referents(value))
        if isinstance(value, np.ndarray | np.generic | memoryview):
            # The other attributes of these make new arrays of the same memory without end.
            todo.append(getattr(value, "base", None))
            todo.append(getattr(value, "obj", None))
        elif type(value).__module__ != "builtins" and not isinstance(value, int):
            todo.extend(attributes(value))
        assert len(found) < 20_000, "too much is reachable from a view"
    return list(found.values())


def attributes(value: Any) -> list[Any]:
    """Values of all attributes, properties too, that do not refuse."""
    values = []
    for name in dir(value):
        try:
            values.append(getattr(value, name))
        except Exception:  # what raises shows nothing
            continue
    return values


def shows(value: Any, hand: int) -> bool:
    """Whether a value is, or holds in its memory, a set with all cards of a hand."""
    if isinstance(value, int):
        return int(value) == hand
    if isinstance(value, bytes | bytearray | memoryview | np.ndarray | np.void):
        data = bytes(value)
        return hand.to_bytes(8, "little") in data
    if isinstance(value, set | frozenset | list | tuple):
        cards = {int(card) for card in value if isinstance(card, int) and 0 <= card < 52}
        return bool(hand) and {int(card) for card in CardSet(hand)} <= cards
    return isinstance(value, np.generic) and value.dtype == HANDS


class Spy(Strategy):
    """Looks for the other hands in whatever it can reach, from the view and from itself."""

    def __init__(self, hands: Any, found: list[Any]) -> None:
        # Through a closure, which the search does not cross: the test's own way to the hands.
        self.look = _looker(hands, found)

    def start_hand(self, view: View) -> None:
        self.look("start_hand", view, self)

    def choose_pass(self, view: View) -> list[Card]:
        self.look("choose_pass", view, self)
        return list(view.legal)[: view.pass_count]

    def choose_card(self, view: View) -> Card:
        # With few cards left a hand could be met by chance, in a set of the cards not played.
        if view.trick_number in (1, 5):
            self.look("choose_card", view, self)
        return random.Random(view.trick_number).choice(list(view.legal))


def _looker(hands: Any, found: list[Any]) -> Callable[[str, View, Strategy], None]:
    def look(hook: str, view: View, bot: Strategy) -> None:
        values = reachable(view, bot, bot.rng)
        for seat, hand in enumerate(hands()):
            if seat == view.seat:
                # The search finds one's own hand, so it would find another.
                assert any(shows(value, hand) for value in values)
            else:
                found.extend((hook, view.seat, seat, v) for v in values if shows(v, hand))
        found.append((hook, len(values)))

    return look


@pytest.mark.parametrize("options", [{}, {"players": 3}, {"players": 5}], ids=str)
def test_no_other_hand_is_reachable(options: dict[str, Any]) -> None:
    """From the view, the bot and its random stream no record and no set shows another hand."""
    rules = Rules(**options, end={"deals": 3}, pass_cycle=["L", "scatter", "H"], tie="draw")
    machine = Machine(rules, seed=8)
    found: list[Any] = []
    record = machine.hands[0]["cards"]
    spies = {"hands": lambda: list(map(int, record[: rules.players])), "found": found}
    lineup = Lineup(machine, [Seated("spy", Spy, spies)])
    for seat in range(rules.players):
        lineup.seat(0, seat)
    try:
        list(machine.play(one_job([0] * rules.players)))
    except BotFailed:
        raise lineup.fault() from None

    calls = [entry for entry in found if len(entry) == 2]
    assert len(calls) == rules.players * (3 * (1 + 2) + 2)
    assert [entry for entry in found if len(entry) != 2] == []


def test_the_search_would_find_a_hand_that_is_reachable() -> None:
    """A bot that somehow got at the machine would be caught: the search finds all hands there."""
    machine = Machine(Rules(), seed=8)
    machine.hands[0]["cards"][:4] = [0x1FFF << 13 * suit for suit in range(4)]
    bot = types.SimpleNamespace(options={"deep": [machine]})

    values = reachable(bot)
    assert all(any(shows(value, 0x1FFF << 13 * suit) for value in values) for suit in range(4))


def test_the_view_record_has_no_field_for_what_is_hidden() -> None:
    """The record that compiled and C players get has one hand, one's own, and no key of a deal."""
    assert VIEW.fields is not None
    assert not VIEW.fields.keys() & {*HANDS.names, "seed", "block", "hand_key", "stream"}
    for name in ("hand", "legal", "passed", "received", "deck", "own"):
        assert VIEW.fields[name][0].shape == ()


def test_what_belongs_to_players_lies_apart(library: Any) -> None:
    """Every player on every seat has random stream, options and memory of its own."""
    machine = Machine(Rules(), seed=0, entries=2)
    bots = [library.get(name).strategy for name in ("RandomLegal", "LowCard")]
    lineup = Lineup(machine, [Seated(str(number), bot) for number, bot in enumerate(bots)])
    for entry in range(2):
        for seat in range(4):
            lineup.seat(entry, seat)

    addresses = np.sort(machine.table["own"][:, :4].ravel())
    assert (np.diff(addresses) >= OWN.itemsize).all()
