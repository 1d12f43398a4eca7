"""What a strategy sees: right, complete, and nothing of the other hands."""

from __future__ import annotations

import gc
import random
import types
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from pair import mask, masks, names
from replay import FullRecorder, Recorder, Replay, play_jobs, seated
from twin import TwinGame

from hearts_sim.cards import CARDS, SUITS, Card, CardSet
from hearts_sim.engine.layout import HANDS, JOB, OWN, VIEW
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.rules import PASS_NAMES, Rules
from hearts_sim.strategy.base import CompiledStrategy, Strategy
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.strategy.toolkit import memory, partner, random_card, rules, unseen, unseen_twice
from hearts_sim.strategy.view import View

NAMES = [card.name for card in CARDS]


def only(cards: str, packs: int = 1) -> dict[str, Any]:
    """Settings with which only some cards are in play, each in as many copies as there are packs.

    Cards that the text names twice stay once with two packs.
    """
    kept = cards.split()
    gone = [card for card in NAMES if card not in kept] * packs
    gone += [card for card in set(kept) if kept.count(card) == 2]
    return {"deck_removal": gone, "packs": packs} | (
        {"trick_winner": "cancel_pairs"} if packs == 2 else {}
    )


GAMES: dict[str, dict[str, Any]] = {
    "black_lady": {},
    "three": {"players": 3},
    "five, scatter": {"players": 5, "pass_cycle": ["scatter", "R2", "H"]},
    "six, across": {"players": 6, "pass_cycle": ["A", "L3", "scatter"]},
    "seven": {"players": 7},
    "odd costs": {
        "cards": {"QS": 13, "7C": 5, "AH": 9},
        "heart_scale": "face5432",
        "deck_removal": ["2H", "3H", "2S", "3S"],
    },
    "kitty": {"preset": "kitty"},
    "two packs": {
        "preset": "cancellation",
        "pass_cycle": ["L", "scatter", "H"],
        "pass_count": 5,
    },
    "two packs, few cards": {
        "players": 4,
        "pass_cycle": ["scatter", "R", "A"],
        "leftover": "kitty_first_penalty",
        "hand_size": 8,
        "bonus": {"JD": -10},
        "cards": {"QS": 13},
    }
    | only("9C TC KC AC 9D JD QD KD JS QS KS AS 2H 3H KH AH AD AD TS", packs=2),
    "teams": {"preset": "partnership_pooled", "pass_cycle": ["partner", "L"]},
    "teams of six": {"players": 6, "teams": "singly", "bonus": {"TD": -5}},
}


class PairPasser(FullRecorder):
    """Passes both copies of a card where it can."""

    def choose_pass(self, view: View) -> list[Card]:
        pairs = [card for card in view.legal & view.hand_twice for _ in range(2)]
        single = list(view.legal - view.hand_twice)
        self.rng.shuffle(single)
        return self._note("choose_pass", view, (pairs + single)[: view.pass_count])


def replay(
    options: dict[str, Any],
    at_view: Callable[[str, View, TwinGame], None],
    bots: type[Recorder] = FullRecorder,
    seed: int = 6,
    hands: int = 3,
) -> int:
    """Play some hands, and call back with what each bot saw beside the twin at that moment."""
    rules = Rules.from_spec(options | {"max_hands": hands})
    seen: list[Any] = []
    job = one_job(list(range(rules.players)), block=3)
    logs = play_jobs(rules, [bots] * rules.players, job, seed, {"seen": seen})
    calls = len(seen)
    game = Replay(rules, *logs, seen, at_view)
    game.game(job[0])
    game.end()
    return calls


# What one may know.


class Knowledge:
    """What follows for a seat from its own cards, its pass, the cards played and the voids.

    `unseen` are the cards that it has not seen, with copies; `needs` those that others, by seat,
    were passed by it and have not played since.
    """

    def __init__(self, hook: str, view: View, twin: TwinGame) -> None:
        self.me, self.twin = view.seat, twin
        own_kitty = twin.kitty if twin.kitty_seat == self.me else []
        self.unseen = Counter(twin.deck()) - Counter(twin.hands[self.me]) - Counter(own_kitty)
        for cards in twin.played_by:
            self.unseen -= Counter(cards)
        self.needs = {}
        passed = [] if hook in ("start_hand", "choose_pass") else twin.passed[self.me]
        for seat in twin.seats:
            given: list[str] = []
            steps = (seat - self.me) % twin.players
            if passed and twin.pass_token == "scatter":
                given = [passed[steps - 1]] if steps else []
            elif passed and steps == twin._distance(twin.pass_token) % twin.players:
                given = passed
            self.needs[seat] = Counter(given) - Counter(twin.played_by[seat])
        self.others = [seat for seat in twin.seats if seat != self.me]
        self.kitty = bool(twin.kitty) and not own_kitty

    def ways(self, card: str) -> Iterator[Counter[int]]:
        """Every way in which the unseen copies of a card may lie: how many where (-1: kitty)."""
        places = [*self.others, *([-1] if self.kitty else [])]
        for chosen in combinations_with_replacement(places, self.unseen[card]):
            way = Counter(chosen)
            if all(way[seat] >= self.needs[seat][card] for seat in self.others) and not any(
                way[seat] and card[1] in self.twin.voids[seat] for seat in self.others
            ):
                yield way

    def possible(self) -> dict[int, set[str]]:
        """Cards that each seat may hold, each looked at alone."""
        found: dict[int, set[str]] = {seat: set() for seat in self.others}
        for card in self.unseen:
            for seat in {seat for way in self.ways(card) for seat in way if seat >= 0}:
                found[seat].add(card)
        return found

    def worlds(self) -> list[dict[int, Counter[str]]]:
        """Every way in which all unseen cards may lie, with as many in each place as there are."""
        room = {seat: len(self.twin.hands[seat]) for seat in self.others}
        if self.kitty:
            room[-1] = len(self.twin.kitty)
        found: list[dict[int, Counter[str]]] = []
        ways = {card: list(self.ways(card)) for card in self.unseen}

        def lay(cards: list[str], world: dict[int, Counter[str]]) -> None:
            if not cards:
                found.append(world)
                return
            for way in ways[cards[0]]:
                if all(world[at].total() + number <= room[at] for at, number in way.items()):
                    more = {at: world[at] + Counter({cards[0]: way[at]}) for at in way}
                    lay(cards[1:], world | more)

        lay(sorted(self.unseen), {at: Counter() for at in room})
        return found


@pytest.mark.parametrize("bots", [FullRecorder, PairPasser])
@pytest.mark.parametrize("name", list(GAMES))
def test_what_one_may_know_is_true_and_complete(name: str, bots: type[Recorder]) -> None:
    """At every call, known cards are held and possible cards leave none out.

    Both are exactly what follows from one's own hand, the pass, the cards played and the voids.
    """
    narrowed = 0

    def check(hook: str, view: View, twin: TwinGame) -> None:
        nonlocal narrowed
        if hook == "start_game":
            return
        knows = Knowledge(hook, view, twin)
        may_hold = knows.possible()
        assert (view.unseen, view.unseen_twice) == masks(knows.unseen.elements())
        for seat in twin.seats:
            known, possible = names(view.known_cards(seat)), names(view.possible_cards(seat))
            held = set(twin.hands[seat])
            assert known <= held <= possible
            if seat == view.seat:
                assert known == possible == names(view.hand)
                continue
            assert known == set(knows.needs[seat])
            assert possible == may_hold[seat]
            narrowed += len(possible) < len(knows.unseen)

    assert replay(GAMES[name], check, bots) > 50
    assert narrowed > 30


SMALL: dict[str, dict[str, Any]] = {
    "two packs": {"players": 3, "pass_count": 2, "pass_cycle": ["scatter", "L", "H"]}
    | only("2C 3C KS QS 2H 3H", packs=2),
    "two packs, four players": {"players": 4, "pass_count": 2, "pass_cycle": ["A", "R"]}
    | only("2C 3C QS 2H 3H AH", packs=2),
    "two packs, kitty": {
        "players": 3,
        "pass_count": 2,
        "pass_cycle": ["R", "scatter"],
        "leftover": "kitty_first_penalty",
        "hand_size": 4,
    }
    | only("2C 3C 4C QS KS 2H 3H", packs=2),
    "kitty": {
        "players": 3,
        "pass_count": 2,
        "pass_cycle": ["scatter", "L", "R"],
        "leftover": "kitty_first_trick",
        "hand_size": 3,
    }
    | only("2C 3C 4C QS KS AS 2H 3H 4H 2D 3D"),
}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", list(SMALL))
def test_no_deal_that_is_possible_contradicts_the_view(name: str, seed: int) -> None:
    """Of all deals that fit what a seat knows, each has its known cards and only possible ones.

    With small decks all of them are counted, and mostly every possible card is in some.
    """
    looked, tight, worlds_met = 0, 0, 0

    def check(hook: str, view: View, twin: TwinGame) -> None:
        nonlocal looked, tight, worlds_met
        if hook == "start_game" or twin.hand_over:
            return
        worlds = Knowledge(hook, view, twin).worlds()
        worlds_met += len(worlds)
        for seat in twin.seats:
            if seat != view.seat:
                assert any(world[seat] == Counter(twin.hands[seat]) for world in worlds)
                known, possible = view.known_cards(seat), names(view.possible_cards(seat))
                assert all(names(known) <= set(world[seat]) for world in worlds)
                somewhere = {card for world in worlds for card in world[seat]}
                assert somewhere <= possible
                looked += 1
                tight += somewhere == possible

    replay(SMALL[name] | {"target": 1000}, check, PairPasser, seed)
    assert looked > 50
    assert worlds_met > 2 * looked
    assert tight > looked / 2


# What is hidden.

STATIC = {"deck", "deck_twice", "point_cards", "penalty_cards", "bonus_cards"}
OPEN = {"unseen", "unseen_twice"}


def words_of(view: View) -> dict[str, list[int]]:
    """All words of the record behind a view, by field."""
    record = np.frombuffer(bytes(view._words), VIEW)[0]
    return {name: np.atleast_1d(record[name]).ravel().tolist() for name in VIEW.names or ()}


def sets_of(view: View) -> dict[str, list[CardSet]]:
    """All sets of cards that a view shows by name."""
    shown: dict[str, list[CardSet]] = {}
    for name in dir(View):
        if not name.startswith("_") and name not in STATIC | OPEN:
            value = getattr(view, name)
            values = value if isinstance(value, tuple) else (value,)
            shown[name] = [one for one in values if isinstance(one, CardSet)]
    return shown


@pytest.mark.parametrize("leftover", ["kitty_first_trick", "kitty_first_penalty"])
@pytest.mark.parametrize("packs", [1, 2])
def test_only_who_has_the_kitty_sees_it(leftover: str, packs: int) -> None:
    """No word of another seat's view tells the kitty before the hand is over.

    Who gets it sees all of it from that moment on.
    """
    options = {"players": 4, "leftover": leftover, "hand_size": 11, "pass_cycle": ["H", "L"]}
    if packs == 2:
        options |= {"packs": 2, "hand_size": 25, "trick_winner": "latest_of_equals"}
    had, others = 0, 0

    def check(hook: str, view: View, twin: TwinGame) -> None:
        nonlocal had, others
        if hook == "start_game" or twin.hand_over:
            return
        kitty, twice = masks(twin.kitty)
        if view.seat == twin.kitty_seat:
            had += 1
            assert (view.kitty, view.kitty_twice) == (kitty, twice)
            assert not view.unseen & kitty or packs == 2
            return
        others += 1
        assert view.kitty == view.kitty_twice == 0
        found = {name for name, words in words_of(view).items() if kitty in words}
        assert found == set()
        if packs == 1:
            shown = {
                name: sets
                for name, sets in sets_of(view).items()
                if any(one & kitty for one in sets)
            }
            assert shown == {}

    replay(options | {"target": 1000}, check, hands=4)
    assert had > 20
    assert others > 100


def test_nobody_sees_what_others_passed_to_others() -> None:
    """No word of a view tells a pass that is neither from nor to its seat."""
    options = {"players": 4, "pass_count": 4, "pass_cycle": ["L", "A", "R"]}
    looked = 0

    def check(hook: str, view: View, twin: TwinGame) -> None:
        nonlocal looked
        if hook != "choose_card" or view.trick_number > 2:
            return
        words = words_of(view)
        for seat in twin.seats:
            passed, both = masks(twin.passed[seat])
            if seat not in (view.seat, view.pass_from) and not view.played & passed:
                hidden = {passed, both} - {0}
                looked += len(hidden)
                found = {name for name, some in words.items() if hidden.intersection(some)}
                assert found == set()

    few = only(" ".join(NAMES[4:]), packs=2)
    replay(options | few | {"target": 1000}, check, PairPasser, hands=6)
    assert looked > 50


def test_a_game_begins_without_a_trace_of_the_one_before() -> None:
    """At the start of every game the view is the same, whatever was played before."""
    for options in ({}, {"preset": "kitty"}, {"preset": "cancellation"}):
        rules = Rules.from_spec({**options, "end": {"deals": 1}, "moon": "off", "tie": "draw"})
        seen: list[Any] = []
        jobs = np.zeros(2, JOB)
        jobs["entries"][:, : rules.players] = range(rules.players)
        play_jobs(rules, [FullRecorder] * rules.players, jobs, seed=2, options={"seen": seen})
        first, second = (
            [view for hook, view, _ in seen if hook == "start_game"][start : start + rules.players]
            for start in (0, rules.players)
        )
        for one, other in zip(first, second, strict=True):
            assert sets_of(one) == sets_of(other)
            for name in dir(View):
                if not name.startswith("_") and not callable(getattr(View, name)):
                    assert getattr(one, name) == getattr(other, name), name


# The rules in the view, and the pass.


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
                passed, received = twin.received[view.pass_to], twin.passed[view.pass_from]
                assert masks(passed) == (view.passed, view.passed_twice)
                assert masks(received) == (view.received, view.received_twice)
        for seat in twin.seats:
            for number, letter in enumerate(SUITS):
                void = letter in twin.voids[seat]
                assert view.is_void(seat, number) is view.is_void(seat, letter) is void
                assert view.is_void(seat, letter.lower()) is void

    replay(GAMES[name], check, PairPasser)


@pytest.mark.parametrize("name", list(GAMES))
def test_rules_in_the_view(name: str) -> None:
    """Deck, costs, penalty and bonus cards and teams are those of the rules, which are there."""

    def check(hook: str, view: View, twin: TwinGame) -> None:
        deck = twin.deck()
        assert view.players == twin.players
        assert (view.deck, view.deck_twice) == masks(deck)
        assert view.cost == tuple(twin.cost(card) if card in deck else 0 for card in NAMES)
        assert view.bonus == tuple(twin.rules["bonus"].get(card, 0) for card in NAMES)
        assert names(view.bonus_cards) == set(twin.rules["bonus"])
        assert names(view.penalty_cards) == set(twin._costly_cards())
        assert names(view.point_cards) == {card for card in deck if twin.is_penalty(card)}
        assert view.kitty_size == len(deck) - twin.players * view.hand_size
        assert view.moon_points == twin._moon_value()
        if twin.rules["teams"] == "none":
            assert view.team_count == 0
            assert view.partner is None
        else:
            assert view.team_count == len(twin.sides)
            assert {view.seat, view.partner} == set(twin.sides[twin.side_of(view.seat)])
        assert view.rules.settings() == twin.rules

    replay(GAMES[name], check, hands=1)


# Compiled bots.

_NOTED = 7


class Notes(CompiledStrategy):
    """Plays at random and notes what the toolkit says before every card."""

    memory_words = 1 + _NOTED * 500

    @staticmethod
    def choose_card(view: Any) -> int:
        words, settings = memory(view), rules(view)
        at = 1 + _NOTED * words[0]
        words[0] += 1
        words[at] = unseen(view)
        words[at + 1] = unseen_twice(view)
        words[at + 2] = partner(view)
        words[at + 3] = settings.deck_size
        words[at + 4] = settings.moon_cards
        words[at + 5] = settings.max_hands
        words[at + 6] = settings.side[view.seat]
        return random_card(view, view.legal)


@pytest.mark.parametrize("name", list(GAMES))
def test_toolkit_in_a_compiled_bot(name: str) -> None:
    """Unseen cards, the partner and the record of the rules are those of the twin."""
    game_rules = Rules.from_spec(GAMES[name] | {"max_hands": 2})
    machine = Machine(game_rules, seed=3, log="plays", entries=1)
    lineup = seated(machine, [Notes])
    job = one_job([0] * game_rules.players)
    hands, games, plays = next(iter(machine.play(job)))
    noted = [lineup._players[0, seat].memory for seat in range(game_rules.players)]
    at = [1] * game_rules.players

    def check(twin: TwinGame) -> None:
        seat = twin.to_play
        assert seat is not None
        found = noted[seat][at[seat] : at[seat] + _NOTED].tolist()
        at[seat] += _NOTED
        kitty = twin.kitty if twin.kitty_seat == seat else []
        left = Counter(twin.deck()) - Counter(twin.hands[seat]) - Counter(kitty)
        for cards in twin.played_by:
            left -= Counter(cards)
        side = twin.sides[twin.side_of(seat)]
        mate = sum(side) - seat if len(side) == 2 else -1
        expected = [*masks(left.elements()), mate, len(twin.deck()), mask(twin._moon_cards())]
        assert found == [*expected, game_rules.max_hands, twin.side_of(seat)]

    replayed = Replay(game_rules, hands, games, plays, before_card=check)
    replayed.game(job[0])
    replayed.end()
    assert [1 + _NOTED * words[0] for words in noted] == at


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

    replay(GAMES[name], check)


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
        for seat, hand in hands():
            if seat == view.seat:
                # The search finds one's own hand, so it would find another.
                assert any(shows(value, hand) for value in values)
            else:
                found.extend((hook, view.seat, seat, v) for v in values if shows(v, hand))
        found.append((hook, len(values)))

    return look


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 3},
        {"players": 5},
        {"preset": "kitty"},
        {"preset": "cancellation", "players": 7},
    ],
    ids=str,
)
def test_no_other_hand_is_reachable(options: dict[str, Any]) -> None:
    """From the view, the bot and its random stream no record and no set shows another hand.

    Nor, with two packs, what others have twice, nor a kitty that is not one's own.
    """
    cycle = {"pass_cycle": ["L", "scatter", "H"]}
    rules = Rules.from_spec(options | cycle | {"end": {"deals": 3}, "tie": "draw"})
    machine = Machine(rules, seed=8)
    found: list[Any] = []

    def hands() -> list[tuple[int, int]]:
        record, owner = machine.hands[0], int(machine.view[0]["kitty_seat"])
        cards = [(seat, int(record["cards"][seat])) for seat in range(rules.players)]
        cards += [(seat, int(record["cards_twice"][seat])) for seat in range(rules.players)]
        cards.append((owner, int(record["kitty"])))
        # A few cards can be met by chance in the many sets that are open.
        return [(seat, some) for seat, some in cards if some.bit_count() > 2]

    spies = {"hands": hands, "found": found}
    lineup = Lineup(machine, [Seated("spy", Spy, spies)])
    for seat in range(rules.players):
        lineup.seat(0, seat)
    try:
        list(machine.play(one_job([0] * rules.players)))
    except BotFailed:
        raise lineup.fault().error() from None

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
    hidden = {*(HANDS.names or ()), "seed", "block", "hand_key", "stream"}
    assert VIEW.fields.keys() & hidden == {"kitty", "kitty_twice"}  # of the seat that has it
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
