"""The game loop with bots: what they were shown and what was logged, replayed in the slow twin."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pair import default_pass, masks, moon_signs, names, suits, twin_of
from twin import HandResult, TwinGame
from twin_rules import in_order, without

from hearts_sim.cards import SUITS, Card
from hearts_sim.engine.machine import Machine
from hearts_sim.engine.record import ENDS
from hearts_sim.engine.table import QUEEN_HOW
from hearts_sim.rules import Rules
from hearts_sim.strategy.base import Strategy
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.strategy.view import View

Seen = tuple[str, View, Any]
"""A call of a bot: the hook, a copy of the view, the answer."""


class Recorder(Strategy):
    """Chooses at random and notes every call.

    Without `choose_pass` and `choose_moon`.
    """

    def __init__(self, seen: list[Seen]) -> None:
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
        cards = [*view.legal, *(view.legal & view.hand_twice)]
        return self._note("choose_pass", view, self.rng.sample(cards, view.pass_count))

    def choose_moon(self, view: View) -> str:
        return self._note("choose_moon", view, self.rng.choice(["add", "subtract"]))


def seated(
    machine: Machine, strategies: Sequence[type[Any]], options: dict[str, Any] | None = None
) -> Lineup:
    """Every strategy as an entry that can play on every seat of a machine."""
    entries = [Seated(f"e{i}", kind, options or {}) for i, kind in enumerate(strategies)]
    lineup = Lineup(machine, entries)
    for entry in range(len(strategies)):
        for seat in range(machine.rules.players):
            lineup.seat(entry, seat)
    return lineup


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
    lineup = seated(machine, strategies, options)
    hands, games, plays = [], [], []
    for some_hands, some_games, some_plays in machine.play(jobs):
        hands.extend(some_hands)
        games.extend(some_games)
        plays.extend(some_plays)
    del lineup  # had to live until here: it keeps what the machine calls
    return hands, games, plays


def received_by(seat: int, passed: list[list[str]], offset: int) -> list[str]:
    """What reaches a seat when all pass `offset` seats to the left, or scatter (-1)."""
    players = len(passed)
    if offset > 0:
        return passed[(seat - offset) % players]
    if offset == 0:
        return []
    return [in_order(passed[(seat - step) % players])[step - 1] for step in range(1, players)]


class Replay:
    """Plays the rows of a log in the twin and compares every column on the way.

    With `seen` (of recorders on all seats), what each bot was shown is compared as well, and
    `at_view` is called with it. `before_card` is called before every card.
    """

    def __init__(
        self,
        rules: Rules,
        hands: Iterable[Any],
        games: Iterable[Any],
        plays: Iterable[Any],
        seen: Iterable[Seen] | None = None,
        at_view: Callable[[str, View, TwinGame], None] | None = None,
        before_card: Callable[[TwinGame], None] | None = None,
    ) -> None:
        self.rules, self.hands, self.plays = rules, iter(hands), iter(plays)
        self.games = iter(games)
        self.seen = None if seen is None else deque(seen)
        self.at_view = at_view or (lambda hook, view, twin: None)
        self.before_card = before_card or (lambda twin: None)
        self.moons = 0
        self.result: HandResult | None = None

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
            self.moons += any(result.moon)
            signs = moon_signs(result)
            for seat in twin.seats:
                row = next(self.hands)
                expected = same | {
                    "hand": twin.hand_number,
                    "seat": seat,
                    "strategy": job["entries"][seat],
                    "score": result.scores[seat],
                    "raw": result.raw[seat],
                    "bonus": result.bonus[seat],
                    "points": result.points[seat],
                    "adjust": result.adjust[seat],
                    "team": self._team(twin, seat),
                    "pass": offset,
                    "hearts": result.hearts[seat],
                    "queen": result.queen[seat],
                    "queen_how": QUEEN_HOW.index(result.queen_how[seat]),
                    "queen_by": _or_minus(result.queen_by[seat]),
                    "tricks": result.tricks[seat],
                    "moon": signs[seat],
                    "moon_stopped_by": _or_minus(result.moon_stopped_by[seat]),
                }
                assert {name: row[name] for name in row.dtype.names} == expected
                sums[seat] += result.points[seat]
                moons[seat] += result.moon[seat]
                queens[seat] += result.queen[seat] > 0
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
                "team": self._team(twin, seat),
                "ended": ENDS.index(twin.ended),
                "faults": 0,
            }
            assert {name: row[name] for name in expected} == expected
            assert abs(row["win"] - twin.wins[seat]) < 1e-6
            assert set(row.dtype.names) == set(expected) | {"win"}
        return twin

    def end(self) -> None:
        """Nothing is left over in any log."""
        assert [*self.hands, *self.games, *self.plays, *(self.seen or ())] == []

    def _team(self, twin: TwinGame, seat: int) -> int:
        return -1 if self.rules.teams == "none" else twin.side_of(seat)

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
        if hook == "end_hand" and self.result is not None:
            assert list(view.points) == self.result.points
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

    def _hand(self, twin: TwinGame, game: dict[str, Any]) -> tuple[HandResult, int]:
        rules, players = self.rules, self.rules.players
        same = game | {"hand": twin.hand_number + 1}
        token = rules.pass_cycle[twin.hand_number % len(rules.pass_cycle)]
        need = twin._size_of_pass(token)
        offset = 0
        if need:
            offset = -1 if token == "scatter" else twin._distance(token) % players
        passed: list[list[str]] = [[] for _ in twin.seats]
        for place, (seat, card) in enumerate(self._rows(0, need * players, same)):
            assert seat == place // need
            passed[seat].append(card)
        assert passed == [in_order(cards) for cards in passed]
        tricks = [self._rows(number, players, same) for number in range(1, rules.hand_size + 1)]
        # The cards that were dealt are not logged: those played, less what came, with what went.
        left = twin.deck()
        dealt = []
        for seat in twin.seats:
            hand = [card for trick in tricks for at, card in trick if at == seat]
            dealt.append(without(hand, received_by(seat, passed, offset)) + passed[seat])
            left = without(left, dealt[seat])
        twin.start_hand(dealt, left)
        for seat in twin.seats:
            self._saw("start_hand", twin, seat)
        if need:
            self._pass(twin, passed)
        for trick in tricks:
            for seat, card in trick:
                assert twin.to_play == seat
                self.before_card(twin)
                answer = self._saw("choose_card", twin, seat)
                assert answer is None or answer.name == card
                twin.play(card)
        result = self.result = twin.score_hand(self._moon(twin))
        for seat in twin.seats:
            self._saw("end_hand", twin, seat)
        return result, offset

    def _pass(self, twin: TwinGame, passed: list[list[str]]) -> None:
        for seat in twin.seats:
            if self._asked("choose_pass", seat):
                answer = self._saw("choose_pass", twin, seat)
                assert in_order(card.name for card in answer) == passed[seat]
            elif self.seen is not None:
                usual = default_pass(twin.passable(seat), twin.pass_size)
                assert passed[seat] == in_order(usual)
        twin.exchange(passed)

    def _moon(self, twin: TwinGame) -> str | None:
        shooter = twin.shooter()
        if shooter is not None and twin.moon_options() and self._asked("choose_moon", shooter):
            return str(self._saw("choose_moon", twin, shooter))
        return None


def _or_minus(seat: int | None) -> int:
    return -1 if seat is None else seat


def check_view(hook: str, view: View, twin: TwinGame) -> None:
    """Compare what a bot was shown with the twin at the same moment."""
    over = twin.hand_over
    assert view.players == twin.players
    assert view.hand_number == twin.hand_number
    assert view.hand_size == twin.rules["hand_size"]
    assert view.pass_count == twin.pass_size
    assert (view.deck, view.deck_twice) == masks(twin.deck())
    _check_own_side(hook, view, twin)
    taken = [twin.captured(seat) for seat in twin.seats] if over else twin.taken
    assert _sets(view.taken, view.taken_twice) == [masks(cards) for cards in taken]
    assert (view.held, view.held_twice) == masks(twin.held)
    assert view.held_points == sum(twin.cost(card) for card in twin.held)
    assert view.held_tricks == twin.held_tricks
    assert view.kitty_size == len(twin.kitty)
    assert view.kitty_seat == _or_minus(twin.kitty_seat)
    assert _sets(view.played_by, view.played_by_twice) == [masks(c) for c in twin.played_by]
    played = [card for cards in twin.played_by for card in cards]
    assert (view.played, view.played_twice) == masks(played)
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
    if hook != "end_hand":
        assert list(view.points) == ([twin._raw(seat) for seat in twin.seats] if over else twin.raw)
    if hook == "choose_card":
        _check_trick(view, twin)


def _sets(once: Sequence[int], twice: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(once, twice, strict=True))


def _check_own_side(hook: str, view: View, twin: TwinGame) -> None:
    """Compare one's own cards: the hand, the pass, and the kitty for who has it."""
    seat = view.seat
    assert (view.hand, view.hand_twice) == masks(twin.hands[seat])
    kitty = twin.kitty if twin.kitty_seat == seat else []
    assert (view.kitty, view.kitty_twice) == masks(kitty)
    passed, received = [], []
    if hook not in ("start_hand", "choose_pass"):
        passed, received = twin.passed[seat], twin.received[seat]
    assert (view.passed, view.passed_twice) == masks(passed)
    assert (view.received, view.received_twice) == masks(received)
    if hook == "choose_pass":
        assert names(view.legal) == set(twin.passable(seat))


def _check_trick(view: View, twin: TwinGame) -> None:
    assert names(view.legal) == twin.legal()
    assert view.leader == twin.leader
    assert [card.name for card in view.trick] == [card for _, card in twin.trick]
    assert view.trick_size == len(twin.trick)
    assert view.trick_points == sum(twin.cost(card) for _, card in twin.trick)
    winner = twin.trick_winner(twin.trick) if twin.trick else None
    if winner is None:
        assert (view.winning_card, view.winning_seat) == (-1, -1)
    else:
        assert view.winning_seat == winner
        assert Card(view.winning_card).name == dict(twin.trick)[winner]
    assert view.led_suit == (SUITS.index(twin.led_suit) if twin.led_suit else -1)
