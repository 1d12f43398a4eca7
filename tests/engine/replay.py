"""Tools for the tests of the engine: the compiled table and the slow twin, side by side."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from twin import TwinGame

from hearts_sim.cards import CARDS, SUITS, Card, CardSet
from hearts_sim.engine.machine import Machine
from hearts_sim.engine.record import ENDS
from hearts_sim.engine.table import QUEEN_HOW, Table
from hearts_sim.rules import Rules
from hearts_sim.strategy.base import Strategy
from hearts_sim.strategy.table import Lineup, Seated
from hearts_sim.strategy.view import View

BIT = {card.name: 1 << card for card in CARDS}
Policy = Callable[["Pair", random.Random], str]


def mask(names: Iterable[str]) -> int:
    """Set of named cards as an integer."""
    return sum(BIT[name] for name in names)


def names(cards: int) -> set[str]:
    """Names of the cards of a set."""
    return {card.name for card in CardSet(cards)}


def suits(bits: int) -> set[str]:
    """Letters of the suits whose bits are set."""
    return {letter for number, letter in enumerate(SUITS) if bits >> number & 1}


def twin_of(rules: Rules) -> TwinGame:
    """The twin's game under the same rules."""
    return TwinGame(rules.settings())


class Pair:
    """A `Table` and a `TwinGame` that take the same steps and are compared after each.

    `events` counts the rare things that happened on the way.
    """

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules = rules
        self.table = Table(rules, seed=seed)
        self.twin = twin_of(rules)
        self.events: Counter[str] = Counter()
        self.points = mask(name for name in self.twin.deck() if self.twin.is_penalty(name))
        self.latched = 0

    @property
    def legal(self) -> CardSet:
        """Cards that the seat in turn may play, on which both agree."""
        return CardSet(mask(self.twin.legal()))

    def deal(self, hands: Sequence[Iterable[str]] | None = None) -> None:
        """Begin a hand, with the cards of the seed or with given ones."""
        table, twin = self.table, self.twin
        table.deal(None if hands is None else [list(hand) for hand in hands])
        twin.start_hand([sorted(names(hand)) for hand in table.hands])
        assert table.hand_number == twin.hand_number
        assert table.pass_count == twin.pass_size
        if table.pass_count == 0:
            self.check()

    def exchange(self, rng: random.Random) -> None:
        """Let every seat pass random cards, if there is a pass."""
        table, twin = self.table, self.twin
        if not twin.pass_size:
            return
        choices = []
        for seat in twin.seats:
            passable = twin.passable(seat)
            assert names(table.passable(seat)) == passable
            self.events["pass ban lapsed"] += bool(passable & set(self.rules_forbidden))
            choices.append(rng.sample(sorted(passable), twin.pass_size))
        table.exchange(choices)
        twin.exchange([set(choice) for choice in choices])
        self.events[twin.pass_token] += 1
        self.check()

    @property
    def rules_forbidden(self) -> list[str]:
        """Names of the cards that may not be passed."""
        return [card.name for card in self.rules.pass_forbidden]

    def play(self, card: str) -> None:
        """Play a card on both sides and compare."""
        legal, twin = self.legal, self.twin
        if twin.trick_number == 1 and self.rules.first_trick_points == "forbidden":
            self.events["ban lapsed"] += not int(legal) & ~self.points
        self.events["broken"] -= twin.broken
        self.table.play(card)
        twin.play(card)
        self.events["broken"] += twin.broken
        self.check()

    def check(self) -> None:
        """Compare all that the two tell of the hand."""
        table, twin = self.table, self.twin
        assert list(map(int, table.hands)) == [mask(hand) for hand in twin.hands]
        assert [card.name for card in table.trick] == [card for _, card in twin.trick]
        assert table.trick_number == twin.trick_number
        assert table.hearts_broken == twin.broken
        assert list(map(int, table.taken)) == [mask(cards) for cards in twin.taken]
        assert list(map(int, table.played_by)) == [mask(cards) for cards in twin.played_by]
        assert [suits(bits) for bits in table.voids] == twin.voids
        assert list(table.points) == twin.raw
        assert list(table.tricks_won) == twin.tricks_won
        assert list(map(int, table.passed)) == [mask(cards) for cards in twin.passed]
        assert list(map(int, table.received)) == [mask(cards) for cards in twin.received]
        assert list(table.scores) == twin.scores
        assert table.hand_over == twin.hand_over
        if not twin.hand_over:
            assert table.turn == twin.to_play
            assert table.leader == twin.leader
            assert table.led_suit == (SUITS.index(twin.led_suit) if twin.led_suit else -1)
            assert names(table.legal) == twin.legal()

    def score(self, choice: str | None = None) -> None:
        """Score the hand on both sides and compare the results and the state of the game."""
        table, twin = self.table, self.twin
        shooter = twin.shooter()
        assert table.shooter == shooter
        assert table.moon_options == twin.moon_options()
        before = list(twin.scores)
        ours, theirs = table.score(choice), twin.score_hand(choice)
        for name in ("raw", "points", "adjust", "scores", "hearts", "queen", "tricks"):
            assert list(getattr(ours, name)) == getattr(theirs, name), name
        assert list(ours.queen_how) == theirs.queen_how
        assert list(ours.queen_by) == theirs.queen_by
        assert list(ours.stopped_by) == theirs.moon_stopped_by
        assert list(ours.moon) == moon_signs(theirs)
        assert table.scores == tuple(twin.scores)
        assert bool(table.ended) == twin.game_over
        assert table.ended == (twin.ended or "")
        if twin.game_over:
            assert list(table.places) == twin.places
            assert list(table.wins) == twin.wins
            self.events[f"ended by {twin.ended}"] += 1
            self.events["shared win"] += twin.wins.count(0.0) < len(twin.wins) - 1
        target = self.rules.target
        self.events["moon"] += shooter is not None
        self.events["moon chosen"] += choice is not None
        self.events["moon below zero"] += shooter is not None and min(theirs.points) < 0
        self.events["moon of others"] += shooter is not None and max(theirs.points) > 0
        self.events["moon void"] += shooter is not None and not any(theirs.points)
        self.events["moon stopped"] += any(by is not None for by in theirs.moon_stopped_by)
        self.events["relief"] += any(theirs.adjust)
        self.events["exact hit"] += any(
            old + new == target for old, new in zip(before, theirs.points, strict=True)
        )
        if self.latched:
            self.events["extra hand"] += 1
        self.latched = not twin.game_over and twin._latched is not None


def moon_signs(result: Any) -> list[int]:
    """1 for the shooter and -1 for all who pay him, from the twin's result."""
    if not any(result.moon):
        return [0] * len(result.moon)
    return [
        1 if shot else -int(points > 0)
        for shot, points in zip(result.moon, result.points, strict=True)
    ]


def play_game(
    pair: Pair,
    rng: random.Random,
    deal: Callable[[Rules, random.Random], Sequence[Iterable[str]] | None],
    policy: Policy,
) -> Counter[str]:
    """Play a whole game on both sides; returns what happened."""
    twin = pair.twin
    while not twin.game_over:
        pair.deal(deal(pair.rules, rng))
        pair.exchange(rng)
        while not twin.hand_over:
            pair.play(policy(pair, rng))
        options = sorted(twin.moon_options())
        pair.score(rng.choice([*options, None]) if options else None)
    return pair.events


# Deals.


def deal_of_seed(rules: Rules, rng: random.Random) -> None:
    """The cards that the table deals itself."""


def _given(rules: Rules, cards: list[str], seat: int) -> list[list[str]]:
    """The first cards to one seat, the others to the seats after it."""
    size = rules.hand_size
    hands = [cards[start : start + size] for start in range(0, len(cards), size)]
    return hands[-seat:] + hands[:-seat] if seat else hands


def deal_high(rules: Rules, rng: random.Random) -> list[list[str]]:
    """Seat 0 gets the highest cards, the others what is left."""
    cards = sorted(rules.deck, key=lambda card: (-card.rank, rng.random()))
    high, rest = cards[: rules.hand_size], cards[rules.hand_size :]
    rng.shuffle(rest)
    return _given(rules, [card.name for card in high + rest], 0)


def deal_points(rules: Rules, rng: random.Random) -> list[list[str]]:
    """A random seat gets nothing but point cards, as far as they go."""
    cards = sorted(rules.deck, key=lambda card: (card not in rules.point_cards, rng.random()))
    first, rest = cards[: rules.hand_size], cards[rules.hand_size :]
    rng.shuffle(rest)
    return _given(rules, [card.name for card in first + rest], rng.randrange(rules.players))


# Ways to play.


def play_random(pair: Pair, rng: random.Random) -> str:
    """Any legal card."""
    return rng.choice(list(pair.legal)).name


def play_for_moon(pair: Pair, rng: random.Random) -> str:
    """Seat 0 plays its highest card, the others their lowest, hearts first when void."""
    cards = sorted(pair.legal, key=lambda card: (card.rank, card.suit))
    if pair.twin.to_play == 0:
        return cards[-1].name
    points = [card for card in cards if 1 << card & pair.points]
    void = pair.twin.led_suit and all(SUITS[card.suit] != pair.twin.led_suit for card in cards)
    return (points if void and points else cards)[0].name


def play_nearly_moon(pair: Pair, rng: random.Random) -> str:
    """As `play_for_moon`, with a slip now and then."""
    return play_random(pair, rng) if rng.random() < 0.15 else play_for_moon(pair, rng)


# The game loop with bots.


class Recorder(Strategy):
    """Chooses at random and notes every call: hook, a copy of the view, the answer.

    Without `choose_pass` and `choose_moon`.
    """

    def __init__(self, seen: list[tuple[str, View, Any]]) -> None:
        self.seen = seen

    def _note(self, hook: str, view: View, answer: Any = None) -> Any:
        self.seen.append((hook, view.copy(), answer))
        return answer

    def start_game(self, view: View) -> None:
        self._note("start_game", view)

    def start_hand(self, view: View) -> None:
        self._note("start_hand", view)

    def end_hand(self, view: View) -> None:
        self._note("end_hand", view)

    def choose_card(self, view: View) -> Card:
        return self._note("choose_card", view, self.rng.choice(list(view.legal)))


class FullRecorder(Recorder):
    """The same with every hook."""

    def choose_pass(self, view: View) -> list[Card]:
        return self._note("choose_pass", view, self.rng.sample(list(view.legal), view.pass_count))

    def choose_moon(self, view: View) -> str:
        return self._note("choose_moon", view, self.rng.choice(["add", "subtract"]))


def play_jobs(
    rules: Rules,
    strategies: Sequence[type[Any]],
    jobs: Any,
    seed: int,
    options: dict[str, Any] | None = None,
    log: str = "plays",
) -> tuple[list[Any], list[Any], list[Any]]:
    """Play games between strategies at a machine; returns the rows of the three logs."""
    machine = Machine(rules, seed, log=log, entries=len(strategies))
    entries = [Seated(f"e{i}", kind, options or {}) for i, kind in enumerate(strategies)]
    lineup = Lineup(machine, entries)
    for entry in range(len(strategies)):
        for seat in range(rules.players):
            lineup.seat(entry, seat)
    hands, games, plays = [], [], []
    for some_hands, some_games, some_plays in machine.play(jobs):
        hands.extend(some_hands)
        games.extend(some_games)
        plays.extend(some_plays)
    return hands, games, plays


def default_pass(hand: Iterable[str], number: int) -> set[str]:
    """The cards of highest rank; among equal ranks hearts, spades, diamonds, clubs."""
    order = sorted(hand, key=lambda card: ("23456789TJQKA".index(card[0]), SUITS.index(card[1])))
    return set(order[len(order) - number :])


def received_by(seat: int, passed: list[set[str]], offset: int) -> set[str]:
    """What reaches a seat when all pass `offset` seats to the left, or scatter (-1)."""
    players = len(passed)
    if offset > 0:
        return passed[(seat - offset) % players]
    if offset == 0:
        return set()
    return {
        Card(sorted(map(int, map(Card, passed[(seat - step) % players])))[step - 1]).name
        for step in range(1, players)
    }


class Replay:
    """Plays the rows of a log in the twin and compares every column on the way.

    With `seen` (of recorders on all seats), what each bot was shown is compared as well.
    """

    def __init__(
        self,
        rules: Rules,
        hands: list[Any],
        games: list[Any],
        plays: list[Any],
        seen: list[tuple[str, View, Any]] | None = None,
        at_view: Callable[[str, View, TwinGame], None] | None = None,
    ) -> None:
        self.rules, self.hands, self.plays = rules, iter(hands), iter(plays)
        self.games = iter(games)
        self.seen = None if seen is None else deque(seen)
        self.at_view = at_view or (lambda hook, view, twin: None)
        self.moons = 0

    def game(self, job: Any) -> TwinGame:
        """Replay one game; the log must have been played from this job."""
        rules, twin = self.rules, twin_of(self.rules)
        same = {"block": job["block"], "game": job["number"], "seating": job["seating"]}
        for seat in twin.seats:
            self._saw("start_game", twin, seat)
        sums = [0] * rules.players
        moons, queens = list(sums), list(sums)
        while not twin.game_over:
            result, offset = self._hand(twin, same)
            for seat in twin.seats:
                row = next(self.hands)
                expected = same | {
                    "hand": twin.hand_number,
                    "seat": seat,
                    "strategy": job["entries"][seat],
                    "score": result.scores[seat],
                    "raw": result.raw[seat],
                    "points": result.points[seat],
                    "adjust": result.adjust[seat],
                    "team": -1,
                    "pass": offset,
                    "hearts": result.hearts[seat],
                    "queen": result.queen[seat],
                    "queen_how": QUEEN_HOW.index(result.queen_how[seat]),
                    "queen_by": _or_minus(result.queen_by[seat]),
                    "tricks": result.tricks[seat],
                    "moon": moon_signs(result)[seat],
                    "moon_stopped_by": _or_minus(result.moon_stopped_by[seat]),
                }
                assert {name: row[name] for name in row.dtype.names} == expected
                sums[seat] += result.points[seat]
                moons[seat] += result.moon[seat]
                queens[seat] += result.queen[seat]
        for seat in twin.seats:
            row = next(self.games)
            expected = same | {
                "seat": seat,
                "strategy": job["entries"][seat],
                "score": twin.scores[seat],
                "points": sums[seat],
                "place": twin.places[seat],
                "hands": twin.hand_number,
                "moons": moons[seat],
                "queens": queens[seat],
                "team": -1,
                "ended": ENDS.index(twin.ended),
            }
            assert {name: row[name] for name in expected} == expected
            assert abs(row["win"] - twin.wins[seat]) < 1e-6
            assert set(row.dtype.names) == set(expected) | {"win"}
        self.moons += sum(moons)
        return twin

    def end(self) -> None:
        """Nothing is left over in any log."""
        assert [*self.hands, *self.games, *self.plays, *(self.seen or ())] == []

    def _asked(self, hook: str, seat: int) -> bool:
        """Whether the next call that was noted is this one."""
        return bool(self.seen) and (self.seen[0][0], self.seen[0][1].seat) == (hook, seat)

    def _saw(self, hook: str, twin: TwinGame, seat: int) -> Any:
        """Take the next call that was noted, of this hook and seat; returns the bot's answer."""
        if self.seen is None:
            return None
        called, view, answer = self.seen.popleft()
        assert (called, view.seat) == (hook, seat)
        if hook != "start_game":
            check_view(hook, view, twin)
        self.at_view(hook, view, twin)
        return answer

    def _rows(self, trick: int, number: int, same: dict[str, Any]) -> list[tuple[int, str]]:
        found = []
        for _ in range(number):
            row = next(self.plays)
            assert {name: row[name] for name in same} == same
            assert row["trick"] == trick
            found.append((int(row["seat"]), Card(int(row["card"])).name))
        return found

    def _hand(self, twin: TwinGame, game: dict[str, Any]) -> tuple[Any, int]:
        rules, players = self.rules, self.rules.players
        same = game | {"hand": twin.hand_number + 1}
        token = rules.pass_cycle[twin.hand_number % len(rules.pass_cycle)]
        need = twin._size_of_pass(token)
        offset = 0
        if need:
            offset = -1 if token == "scatter" else twin._distance(token) % players
        passed: list[set[str]] = [set() for _ in twin.seats]
        for place, (seat, card) in enumerate(self._rows(0, need * players, same)):
            assert seat == place // need
            passed[seat].add(card)
        tricks = [self._rows(number, players, same) for number in range(1, rules.hand_size + 1)]
        played = [{card for trick in tricks for at, card in trick if at == s} for s in twin.seats]
        dealt = [
            played[seat] - received_by(seat, passed, offset) | passed[seat] for seat in twin.seats
        ]
        twin.start_hand([sorted(hand) for hand in dealt])
        for seat in twin.seats:
            self._saw("start_hand", twin, seat)
        if need:
            self._pass(twin, passed)
        for trick in tricks:
            for seat, card in trick:
                assert twin.to_play == seat
                answer = self._saw("choose_card", twin, seat)
                assert answer is None or answer.name == card
                twin.play(card)
        result = twin.score_hand(self._moon(twin))
        for seat in twin.seats:
            self._saw("end_hand", twin, seat)
        return result, offset

    def _pass(self, twin: TwinGame, passed: list[set[str]]) -> None:
        for seat in twin.seats:
            if self._asked("choose_pass", seat):
                answer = self._saw("choose_pass", twin, seat)
                assert {card.name for card in answer} == passed[seat]
            elif self.seen is not None:
                assert passed[seat] == default_pass(twin.passable(seat), twin.pass_size)
        twin.exchange(passed)

    def _moon(self, twin: TwinGame) -> str | None:
        if twin.moon_options() and self._asked("choose_moon", twin.shooter()):
            return self._saw("choose_moon", twin, twin.shooter())
        return None


def _or_minus(seat: int | None) -> int:
    return -1 if seat is None else seat


def check_view(hook: str, view: View, twin: TwinGame) -> None:
    """Compare what a bot was shown with the twin at the same moment."""
    seat = view.seat
    over = hook == "end_hand"
    assert view.players == twin.players
    assert view.hand_number == twin.hand_number
    assert view.hand_size == len(twin.deck()) // twin.players
    assert view.pass_count == twin.pass_size
    assert int(view.deck) == mask(twin.deck())
    assert int(view.hand) == mask(twin.hands[seat])
    assert list(map(int, view.taken)) == [mask(cards) for cards in twin.taken]
    assert list(map(int, view.played_by)) == [mask(cards) for cards in twin.played_by]
    assert int(view.played) == mask(card for cards in twin.played_by for card in cards)
    assert [suits(bits) for bits in view.voids] == twin.voids
    assert list(view.tricks_won) == twin.tricks_won
    assert view.hearts_broken == twin.broken
    assert view.trick_number == twin.trick_number
    assert list(view.scores) == twin.scores
    shown = [*twin.history, *([twin.trick] if twin.trick else [])]
    assert [
        [((leader + place) % twin.players, card.name) for place, card in enumerate(cards)]
        for leader, cards in view.tricks
    ] == shown
    if not over:
        assert list(view.points) == twin.raw
    if hook in ("start_hand", "choose_pass"):
        assert view.passed == view.received == 0
    else:
        assert int(view.passed) == mask(twin.passed[seat])
        assert int(view.received) == mask(twin.received[seat])
    if hook == "choose_pass":
        assert names(view.legal) == twin.passable(seat)
    if hook == "choose_card":
        _check_trick(view, twin)


def _check_trick(view: View, twin: TwinGame) -> None:
    assert names(view.legal) == twin.legal()
    assert view.leader == twin.leader
    assert [card.name for card in view.trick] == [card for _, card in twin.trick]
    assert view.trick_size == len(twin.trick)
    assert view.trick_points == sum(twin.cost(card) for _, card in twin.trick)
    if not twin.trick:
        assert (view.led_suit, view.winning_card, view.winning_seat) == (-1, -1, -1)
        return
    winner = twin.trick_winner(twin.trick)
    assert SUITS[view.led_suit] == twin.led_suit
    assert view.winning_seat == winner
    assert Card(view.winning_card).name == dict(twin.trick)[winner]
