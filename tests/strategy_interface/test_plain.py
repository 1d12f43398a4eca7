"""Strategies in plain Python: how they are made and called, and what they may answer."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trial import settings, write_files

from hearts_sim import Card, CardSet, Rules, Strategy, Table, play_game, run
from hearts_sim.api import GameResult
from hearts_sim.engine.machine import BotFailed, Machine, one_job
from hearts_sim.errors import StrategyFault
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.strategy.view import View

SHORT = {"end": {"deals": 2}, "tie": "draw"}
HOLD = {**SHORT, "pass_cycle": ["H"]}


class Lowest(Strategy):
    """Plays its lowest card."""

    def choose_card(self, view: View) -> Any:
        return view.legal.lowest()


class Highest(Lowest):
    """Passes its lowest ranks and plays the highest."""

    def choose_pass(self, view: View) -> Any:
        return sorted(view.legal, key=lambda card: card.rank)[: view.pass_count]

    def choose_card(self, view: View) -> Any:
        return max(view.legal, key=lambda card: card.rank)


def with_lowest(bot: type[Strategy], rules: Any = None, seed: int = 0) -> GameResult:
    """A game of a bot on seat 0 against three that play their lowest card."""
    return play_game([bot, Lowest, Lowest, Lowest], rules, seed)


# Instances


def test_a_fresh_instance_for_every_game_and_seat(tmp_path: Path) -> None:
    """Every game and seat has an instance of its own, made with the entry's options."""
    bot = """
        from hearts_sim import Strategy

        class Counted(Strategy):
            made = []
            prepared = []

            def __init__(self, risk=0):
                self.made.append((self, risk))
                self.games = 0

            @classmethod
            def prepare(cls, options):
                assert not cls.made
                cls.prepared.append(options)

            def start_game(self, view):
                self.games += 1
                assert self.games == 1

            def choose_card(self, view):
                return view.legal.lowest()
    """
    folder = write_files(tmp_path / "s", {"bot.py": bot})
    entries = [
        {"strategy": "Counted", "name": "one", "options": {"risk": 1}},
        {"strategy": "Counted", "name": "two", "options": {"risk": 2}},
    ]
    results = run(
        settings(folder, entries, games=24, rules=SHORT), output=tmp_path / "out", report=False
    )
    from hearts_sim.tournament.players import tasks

    (player,) = tasks._players.values()
    counted: Any = player.lineup.entries[0].strategy
    games = results.info["games"]
    games += len(entries)  # a game of each with itself, in which the run looks for twins
    assert len({id(made) for made, _ in counted.made}) == len(counted.made) == 4 * games
    risks = [risk for _, risk in counted.made]
    assert risks.count(1) == risks.count(2) == 2 * games


def test_prepare_is_called_once_in_a_process(tmp_path: Path) -> None:
    """`prepare` runs once for an entry in a process, before it plays, with the entry's options."""
    bot = """
        from hearts_sim import Strategy

        class Prepared(Strategy):
            calls = []

            def __init__(self, risk=0):
                assert {"risk": risk} in self.calls

            @classmethod
            def prepare(cls, options):
                cls.calls.append(options)

            def choose_card(self, view):
                return view.legal.lowest()
    """
    folder = write_files(tmp_path / "s", {"bot.py": bot})
    entries = [
        {"strategy": "Prepared", "name": str(risk), "options": {"risk": risk}} for risk in (1, 2)
    ]
    run(settings(folder, entries, games=40, rules=SHORT), output=tmp_path / "out", report=False)
    from hearts_sim.tournament.players import tasks

    (player,) = tasks._players.values()
    prepared: Any = player.lineup.entries[0].strategy
    assert sorted(prepared.calls, key=str) == [{"risk": 1}, {"risk": 2}]


def test_the_stream_is_there_from_the_start() -> None:
    """`self.rng` is a `random.Random`, in `__init__` too and without calling the parent's."""
    drawn: list[float] = []

    class Roller(Lowest):
        def __init__(self) -> None:
            assert isinstance(self.rng, random.Random)
            drawn.append(self.rng.random())

    for _ in range(2):
        with_lowest(Roller, SHORT, seed=4)
    with_lowest(Roller, SHORT, seed=5)
    assert drawn[0] == drawn[1] != drawn[2]
    assert 0 <= min(drawn) <= max(drawn) < 1


def test_an_instance_plays_as_it_is() -> None:
    """`play_game` takes an instance, which keeps what it has and gets its stream."""

    class Memory(Lowest):
        def __init__(self, label: str) -> None:
            self.label = label
            self.hands = 0

        def start_hand(self, view: View) -> None:
            self.hands += 1
            self.rng.random()

    bot = Memory("mine")
    for _ in range(2):
        play_game([bot, Lowest, Lowest, Lowest], SHORT)
    assert (bot.label, bot.hands) == ("mine", 4)


# Calls


class Diary(Lowest):
    """Writes down every call, with a copy of the view."""

    pages: list[tuple[str, View]] = []

    def start_game(self, view: View) -> None:
        self.pages.append(("start_game", view.copy()))

    def start_hand(self, view: View) -> None:
        self.pages.append(("start_hand", view.copy()))

    def choose_pass(self, view: View) -> Any:
        self.pages.append(("choose_pass", view.copy()))
        return list(view.legal)[: view.pass_count]

    def choose_card(self, view: View) -> Any:
        self.pages.append(("choose_card", view.copy()))
        return view.legal.lowest()

    def end_hand(self, view: View) -> None:
        self.pages.append(("end_hand", view.copy()))


@pytest.fixture(scope="module")
def game() -> Iterator[tuple[list[tuple[str, View]], GameResult]]:
    """The pages of a diary kept on seat 2, and the game."""
    Diary.pages = []
    result = play_game([Lowest, Lowest, Diary, Highest], {"end": {"deals": 5}, "tie": "draw"}, 8)
    yield Diary.pages, result
    Diary.pages = []


def test_order_of_the_calls(game: Any) -> None:
    """A game starts once; a hand starts, passes unless it holds, plays 13 cards and ends."""
    pages, _ = game
    hand = ["start_hand", "choose_pass", *["choose_card"] * 13, "end_hand"]
    hold = [hook for hook in hand if hook != "choose_pass"]
    assert [hook for hook, _ in pages] == ["start_game", *hand * 3, *hold, *hand]


def test_view_of_a_game(game: Any) -> None:
    """At the start of a game the view has seat, rules and totals of zero, and no cards."""
    (_, view), *_ = game[0]
    assert (view.seat, view.players, view.hand_number) == (2, 4, 0)
    assert view.scores == (0, 0, 0, 0)
    assert not view.hand
    assert not view.legal
    assert view.rules.deals == 5


def test_view_of_a_new_hand(game: Any) -> None:
    """At the start of a hand the view has the dealt cards, and the totals of the hands before."""
    pages, result = game
    starts = [view for hook, view in pages if hook == "start_hand"]
    assert [view.hand_number for view in starts] == [1, 2, 3, 4, 5]
    totals = [(0, 0, 0, 0), *result.hands.groupby("hand")["score"].apply(tuple)]
    for view, total in zip(starts, totals, strict=False):
        assert len(view.hand) == 13
        assert not view.played
        assert not view.passed
        assert not view.received
        assert view.points == (0, 0, 0, 0)
        assert view.scores == total


def test_view_of_a_pass(game: Any) -> None:
    """In a pass all cards of the hand may go, and it says how many go where."""
    passes = [view for hook, view in game[0] if hook == "choose_pass"]
    assert [view.pass_direction for view in passes] == ["left", "right", "across", "left"]
    assert [view.pass_to for view in passes] == [3, 1, 0, 3]
    assert [view.pass_from for view in passes] == [1, 3, 0, 1]
    for view in passes:
        assert view.legal == view.hand
        assert view.pass_count == 3
        assert not view.passed


def test_view_of_the_play(game: Any) -> None:
    """While playing, the hand shrinks card by card, after the exchange of passed and received."""
    pages, _ = game
    dealt = CardSet(0)
    for hook, view in pages:
        if hook == "start_hand":
            dealt = view.hand
        if hook != "choose_card":
            continue
        assert len(view.hand) == 14 - view.trick_number
        assert view.legal
        assert not view.legal - view.hand
        assert view.hand | view.played_by[2] == (dealt - view.passed) | view.received
        assert len(view.trick) == view.trick_size <= 3
        assert len(view.passed) == len(view.received) == (0 if view.hand_number == 4 else 3)


def test_view_of_the_end(game: Any) -> None:
    """At the end of a hand the view has its points and the totals with them."""
    pages, result = game
    ends = [view for hook, view in pages if hook == "end_hand"]
    points = list(result.hands.groupby("hand")["points"].apply(tuple))
    scores = list(result.hands.groupby("hand")["score"].apply(tuple))
    assert [view.points for view in ends] == points
    assert [view.scores for view in ends] == scores
    assert all(len(view.played) == 52 and not view.hand for view in ends)


def test_a_copy_stays(game: Any) -> None:
    """A view is live and changes with the calls; a copy stays as it was."""
    kept: list[tuple[View, View, str]] = []

    class Keeper(Lowest):
        def choose_card(self, view: View) -> Any:
            kept.append((view, view.copy(), str(view)))
            return view.legal.lowest()

    with_lowest(Keeper, SHORT)
    views, copies, texts = zip(*kept, strict=True)
    assert len({id(view) for view in views}) == 1
    assert [str(copy) for copy in copies] == list(texts)
    assert len(set(texts)) == len(texts)


def test_a_view_cannot_be_written() -> None:
    """A strategy cannot change the view, nor add to it."""

    class Cheat(Lowest):
        def choose_card(self, view: View) -> Any:
            for name, value in (("hand", 0), ("scores", ()), ("anything", 1)):
                with pytest.raises(AttributeError):
                    setattr(view, name, value)
            with pytest.raises(TypeError):
                view._words[0] = 1
            return view.legal.lowest()

    with_lowest(Cheat, SHORT)


# The pass


def test_default_pass_by_hand() -> None:
    """Without choose_pass the three highest ranks go, of equal ranks hearts first, then spades."""
    table = Table(Rules())
    hands = [
        CardSet.parse("AC KC 2C AD 3D 4D AS 5S 6S KH 7H 8H 9H"),
        CardSet.parse("3C 4C 5C 6C 7C 8C QD KD KS 2S 3S 2H 3H"),
    ]
    rest = list(table.rules.deck - hands[0] - hands[1])
    table.deal([*hands, CardSet.of(*rest[:13]), CardSet.of(*rest[13:])])
    assert CardSet.of(*table.default_pass(0)) == CardSet.parse("AC AD AS")
    assert CardSet.of(*table.default_pass(1)) == CardSet.parse("KS KD QD")
    assert CardSet.of(*table.default_pass(2)) == CardSet.parse("QC JD JC")
    assert CardSet.of(*table.default_pass(3)) == CardSet.parse("AH QH QS")


def test_default_pass_in_a_game() -> None:
    """A strategy without choose_pass passes its three highest cards."""
    seen: list[tuple[CardSet, CardSet]] = []

    class Watch(Lowest):
        def start_hand(self, view: View) -> None:
            self.dealt = view.hand

        def choose_card(self, view: View) -> Any:
            if view.trick_number == 1:
                seen.append((self.dealt, view.passed))
            return view.legal.lowest()

    with_lowest(Watch, {"pass_cycle": ["L"], "end": {"deals": 6}, "tie": "draw"})
    assert len(seen) == 6
    for dealt, passed in seen:
        order = sorted(dealt, key=lambda card: (card.rank, card.suit))
        assert passed == CardSet.of(*order[-3:])


def passing(choose: Callable[[View], Any]) -> type[Strategy]:
    """A strategy with this choose_pass."""

    class Passing(Lowest):
        def choose_pass(self, view: View) -> Any:
            return choose(view)

    return Passing


def lowest_three(view: View) -> list[Card]:
    return list(view.legal)[:3]


PASSES: dict[str, Callable[[View], Any]] = {
    "list": lowest_three,
    "tuple": lambda view: tuple(lowest_three(view)),
    "set": lambda view: set(lowest_three(view)),
    "generator": lambda view: (card for card in lowest_three(view)),
    "CardSet": lambda view: CardSet.of(*lowest_three(view)),
    "names": lambda view: [card.name for card in lowest_three(view)],
    "ints": lambda view: [int(card) for card in lowest_three(view)],
    "numpy": lambda view: np.array(lowest_three(view)),
    "dict": lambda view: dict.fromkeys(lowest_three(view)),
}


@pytest.mark.parametrize("choose", PASSES.values(), ids=PASSES)
def test_accepted_passes(choose: Callable[[View], Any]) -> None:
    """A pass may be any collection of cards, each in any form that a card may have."""
    plain = with_lowest(passing(lowest_three), SHORT)
    assert with_lowest(passing(choose), SHORT).plays.equals(plain.plays)


NO_PASSES: dict[str, tuple[Callable[[View], Any], str]] = {
    "nothing": (lambda view: None, "must return a collection of cards, not NoneType"),
    "one card": (lambda view: view.legal.lowest(), "must return a collection of cards, not Card"),
    "text": (lambda view: "2C 3C 4C", "must return a collection of cards, not str"),
    "floats": (lambda view: [1.0, 2.0, 3.0], "must return one card"),
    "wrong text": (lambda view: ["2C", "3C", "XX"], "'XX' is no card"),
    "no card": (lambda view: [1, 2, 99], "returned 99, which is no card"),
    "twice": (lambda view: [*lowest_three(view)[:2], view.legal.lowest()], " twice"),
    "endless": (lambda view: itertools.repeat(view.legal.lowest()), " twice"),
    "too few": (lambda view: lowest_three(view)[:2], "expected 3 different cards of its legal"),
    "none": (lambda view: [], "it passed nothing: expected 3 different cards"),
    "too many": (lambda view: view.legal, "expected 3 different cards of its legal ones"),
    "not held": (lambda view: list(view.unseen)[:3], "expected 3 different cards of its legal"),
}


@pytest.mark.parametrize(("choose", "words"), NO_PASSES.values(), ids=NO_PASSES)
def test_refused_passes(choose: Callable[[View], Any], words: str) -> None:
    """What is no pass is a fault that says what came and what is expected."""
    with pytest.raises(StrategyFault) as caught:
        with_lowest(passing(choose), SHORT)
    message = str(caught.value)
    assert message.startswith("Passing failed in choose_pass (block 0, seating 0, game 0, hand 1, ")
    assert words in message


# The card


def playing(choose: Callable[[View], Any]) -> type[Strategy]:
    """A strategy with this choose_card."""

    class Playing(Strategy):
        def choose_card(self, view: View) -> Any:
            return choose(view)

    return Playing


CARDS: dict[str, Callable[[Card], Any]] = {
    "Card": lambda card: card,
    "int": int,
    "int64": np.int64,
    "uint8": np.uint8,
    "name": lambda card: card.name,
    "small name": lambda card: card.name.lower(),
    "name with ten": lambda card: card.name.replace("T", "10"),
}


@pytest.mark.parametrize("form", CARDS.values(), ids=CARDS)
def test_accepted_cards(form: Callable[[Card], Any]) -> None:
    """A card may be a Card, a whole number of Python or numpy, or its name."""
    plain = with_lowest(Lowest, SHORT)
    bot = playing(lambda view: form(view.legal.lowest()))
    assert with_lowest(bot, SHORT).plays.equals(plain.plays)


NO_CARDS: dict[str, tuple[Callable[[View], Any], str]] = {
    "nothing": (lambda view: None, "must return one card (such as view.legal.lowest()), not None"),
    "float": (lambda view: 12.0, "must return one card (such as view.legal.lowest()), not float"),
    "true": (lambda view: True, "must return one card, not True"),
    "numpy true": (lambda view: np.True_, "must return one card, not "),
    "list": (lambda view: [view.legal.lowest()], "not list"),
    "set of cards": (lambda view: view.legal, "must return one card, not CardSet.parse("),
    "array": (lambda view: np.array([1]), "not ndarray"),
    "wrong text": (lambda view: "1C", "'1C' is no card: write a rank"),
    "empty text": (lambda view: "", "'' is no card"),
    "99": (lambda view: 99, "it played 99, which is no card"),
    "-1": (lambda view: -1, "it played -1, which is no card"),
    "huge": (lambda view: 2**80, "it played 1208925819614629174706176, which is no card"),
    "not held": (lambda view: view.unseen.lowest(), "which it may not"),
    "not legal": (lambda view: (view.hand - view.legal).highest(), "which it may not"),
}


@pytest.mark.parametrize(("choose", "words"), NO_CARDS.values(), ids=NO_CARDS)
def test_refused_cards(choose: Callable[[View], Any], words: str) -> None:
    """What is no legal card is a fault that says what came; it is never taken for a card."""
    with pytest.raises(StrategyFault) as caught:
        with_lowest(playing(choose), HOLD)
    message = str(caught.value)
    assert message.startswith("Playing failed in choose_card (block 0, seating 0, game 0, hand 1, ")
    assert words in message
    assert "\n  hand: " in message
    assert "; legal: " in message


def test_what_nobody_catches(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception outside of what catches a bot's is told, and the decision has failed."""
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: told.append(found.exc_type))

    def breaks() -> int:
        raise ZeroDivisionError

    machine = Machine(Rules(), 1)
    lineup = Lineup(machine, [Seated("low", Lowest)])
    for seat in range(4):
        lineup.seat(0, seat)
    machine.table["card_function"][0, :4] = id(breaks)
    with pytest.raises(BotFailed):
        list(machine.play(one_job([0, 0, 0, 0])))
    assert told == [ZeroDivisionError]
    assert lineup.fault().message == "it did not answer"


# The moon


class Shooter(Highest):
    """Takes every trick that it can, and chooses how a moon is paid."""

    answer: Any = None
    asked: list[View] = []

    def choose_moon(self, view: View) -> Any:
        self.asked.append(view.copy())
        return self.answer


class Undecided(Highest):
    """Shoots too, without a choose_moon."""


MOON = {"moon": "choice", "end": {"deals": 4}, "tie": "draw"}


@pytest.fixture(scope="module")
def moon_seed() -> int:
    """A seed with which seat 0 shoots a moon."""
    for seed in range(200):
        hands = with_lowest(Undecided, MOON, seed).hands
        if (hands["moon"][hands["seat"] == 0] == 1).any():
            return seed
    raise AssertionError("no moon in 200 games")


@pytest.mark.parametrize(
    ("answer", "points"), [("add", [0, 26, 26, 26]), ("subtract", [-26, 0, 0, 0])]
)
def test_choose_moon(moon_seed: int, answer: str, points: list[int]) -> None:
    """A shooter is asked after the last trick; "add" charges the others, "subtract" relieves it."""
    Shooter.answer, Shooter.asked = answer, []
    hands = with_lowest(Shooter, MOON, moon_seed).hands
    moons = hands[hands["hand"].isin(hands["hand"][(hands["moon"] == 1) & (hands["seat"] == 0)])]
    assert len(Shooter.asked) == len(moons) // 4 >= 1
    for _, rows in moons.groupby("hand"):
        assert list(rows["points"]) == points
        assert list(rows["raw"]) == [26, 0, 0, 0]
        assert list(rows["moon"]) == ([1, -1, -1, -1] if answer == "add" else [1, 0, 0, 0])
    for view in Shooter.asked:
        assert view.points == (26, 0, 0, 0)
        assert not view.hand


def test_without_choose_moon(moon_seed: int) -> None:
    """A shooter that does not choose charges the others while that does not lose the game."""
    hands = with_lowest(Undecided, MOON, moon_seed).hands
    first = hands["hand"][hands["moon"] == 1].min()
    assert first < 4
    assert list(hands["points"][hands["hand"] == first]) == [0, 26, 26, 26]


@pytest.mark.parametrize("answer", [None, "both", 0, "ADD"])
def test_refused_moons(moon_seed: int, answer: Any) -> None:
    """Any other answer is a fault that names the two."""
    Shooter.answer = answer
    with pytest.raises(StrategyFault) as caught:
        with_lowest(Shooter, MOON, moon_seed)
    assert "Shooter failed in choose_moon" in str(caught.value)
    assert f'must return "add" or "subtract", not {answer!r}' in str(caught.value)


@pytest.mark.parametrize("moon", ["old", "new", "auto", "void", "off"])
def test_not_asked(moon_seed: int, moon: str) -> None:
    """Where the rules leave no choice, nobody is asked."""
    Shooter.answer, Shooter.asked = None, []
    with_lowest(Shooter, {**MOON, "moon": moon}, moon_seed)
    assert not Shooter.asked
