"""The compiled table and the slow twin side by side, card by card; deals and ways to play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from twin import QUEEN, HandResult, TwinGame
from twin_rules import without

from hearts_sim.cards import CARDS, SUITS, Card, CardSet
from hearts_sim.engine.table import Table
from hearts_sim.errors import IllegalPlayError
from hearts_sim.rules import Rules

BIT = {card.name: 1 << card for card in CARDS}
Hands = Sequence[Iterable[str]]
Policy = Callable[["Pair", random.Random], str]


def mask(names: Iterable[str]) -> int:
    """Set of named cards as an integer; a card that comes twice is in it once."""
    cards = 0
    for name in names:
        cards |= BIT[name]
    return cards


def masks(names: Iterable[str]) -> tuple[int, int]:
    """Set of named cards, and the set of those that come twice."""
    once, twice = 0, 0
    for name in names:
        twice |= once & BIT[name]
        once |= BIT[name]
    return once, twice


def names(cards: int) -> set[str]:
    """Names of the cards of a set."""
    return {card.name for card in CardSet(cards)}


def listed(cards: int, twice: int = 0) -> list[str]:
    """Names of the cards of a set in order, those of the second set twice."""
    return [card.name for card in sorted((*CardSet(cards), *CardSet(twice)))]


def suits(bits: int) -> set[str]:
    """Letters of the suits whose bits are set."""
    return {letter for number, letter in enumerate(SUITS) if bits >> number & 1}


def twin_of(rules: Rules) -> TwinGame:
    """The twin's game under the same rules."""
    return TwinGame(rules.settings())


def moon_signs(result: HandResult) -> list[int]:
    """1 for who shot and -1 for all who pay, from the twin's result."""
    return [1 if shot else -(seat in result.pays) for seat, shot in enumerate(result.moon)]


def refuses(step: Callable[[Any], None], argument: Any) -> bool:
    """Whether a step is refused as illegal."""
    try:
        step(argument)
    except (ValueError, IllegalPlayError):
        return True
    return False


class Pair:
    """A `Table` and a `TwinGame` that take the same steps and are compared after each.

    After a card, what a card changes is compared; after a trick, all that there is.

    `events` counts the rare things that happened on the way.
    """

    def __init__(self, rules: Rules, seed: int = 0, block: int = 0) -> None:
        self.rules = rules
        self.table = Table(rules, seed=seed, block=block)
        self.twin = twin_of(rules)
        self.events: Counter[str] = Counter()
        self.points = mask(name for name in self.twin.deck() if self.twin.is_penalty(name))
        self.hidden = {card.name for card in rules.pass_forbidden}
        self.latched = False
        self.legal = CardSet(0)
        """Cards that the seat in turn may play, on which both agree."""

    def deal(self, hands: Hands | None = None) -> None:
        """Begin a hand, with the cards of the seed or with given ones."""
        table, twin = self.table, self.twin
        if hands is None:
            table.deal()
        elif self.events["hand"] % 2:
            table.deal([list(hand) for hand in hands])
        else:
            left = without(twin.deck(), [card for hand in hands for card in hand])
            table.deal([list(hand) for hand in hands], left)
        dealt = [listed(*cards) for cards in zip(table.hands, table.hands_twice, strict=True)]
        kitty = listed(table.kitty, table.kitty_twice)
        twin.start_hand(dealt, kitty)
        assert len(kitty) == self.rules.kitty_size
        assert table.hand_number == twin.hand_number
        assert table.pass_count == twin.pass_size
        self.events["hand"] += 1
        self.events[f"pass {twin.pass_token if twin.pass_size else 'H'}"] += 1
        self.events["queen in the kitty"] += QUEEN in kitty
        if table.pass_count == 0:
            self._note_opening()
            self.check()

    def _note_opening(self) -> None:
        """Count what was rare about the clubs with which a hand is opened."""
        clubs = [[card for card in hand if card[1] == "C"] for hand in self.twin.hands]
        lowest = min((cards[0] for cards in clubs if cards), key=BIT.__getitem__, default=None)
        if lowest is None:
            self.events["all clubs in the kitty"] += any(c[1] == "C" for c in self.twin.kitty)
        else:
            self.events["two lowest clubs"] += sum(lowest in cards for cards in clubs) == 2

    def exchange(self, rng: random.Random) -> None:
        """Let every seat pass random cards, or by default now and then, if there is a pass."""
        table, twin = self.table, self.twin
        if not twin.pass_size:
            return
        choices: list[list[str]] = []
        for seat in twin.seats:
            passable = twin.passable(seat)
            assert names(table.passable(seat)) == set(passable)
            lapsed = self.hidden.intersection(passable)
            self.events["ban on passing lapsed"] += bool(lapsed)
            usual = default_pass(passable, twin.pass_size)
            assert [card.name for card in table.default_pass(seat)] == sorted(
                usual, key=lambda card: BIT[card]
            )
            choices.append(usual if rng.random() < 0.2 else rng.sample(passable, twin.pass_size))
        self._refuse(choices, rng)
        table.exchange(choices)
        twin.exchange(choices)
        for event, cards in (("passed", twin.passed), ("received", twin.received)):
            self.events[f"both copies {event}"] += sum(masks(some)[1] > 0 for some in cards)
        self._note_opening()
        self.check()

    def _refuse(self, choices: Sequence[list[str]], rng: random.Random) -> None:
        """See that both refuse a pass of the wrong size, of cards not held, or of three copies."""
        seat = rng.randrange(self.twin.players)
        hand, chosen = self.twin.hands[seat], choices[seat]
        missing = [name for name in BIT if hand.count(name) < self.rules.packs]
        wrong = [chosen[1:], [*chosen, hand[0]], [*chosen[1:], *[chosen[0]] * 2]]
        if missing:
            card = rng.choice(missing)
            wrong.append([*chosen[1:], card] if card not in hand else [*chosen[2:], card, card])
        bad = list(choices)
        bad[seat] = rng.choice(wrong)
        assert refuses(self.twin.exchange, bad)
        assert refuses(self.table.exchange, bad)

    def play(self, card: str) -> None:
        """Play a card on both sides and compare."""
        twin, events = self.twin, self.events
        if twin.trick_number == 1 and self.rules.first_trick_points == "forbidden":
            events["ban lapsed"] += not int(self.legal) & ~self.points
        broken, kitty_seat, held = twin.broken, twin.kitty_seat, twin.held_tricks
        number, leader = twin.trick_number, twin.leader
        if number == 1 or len(twin.trick) == 1:
            wrong = [held for held in twin.hands[twin.to_play] if held not in self.legal]
            if wrong:
                assert refuses(self.table.play, wrong[-1])
                assert refuses(twin.play, wrong[-1])
        self.table.play(card)
        twin.play(card)
        events["broken"] += twin.broken and not broken
        if twin.kitty_seat != kitty_seat:
            last = "last" if twin.hand_over else "first" if number == 1 else "middle"
            events[f"{self.rules.leftover} on a {last} trick"] += 1
        if twin.trick_number > number:
            self._note_trick(held, leader)
            self.check()
        else:
            self._check_trick()

    def _note_trick(self, held: int, leader: int | None) -> None:
        """Count what was rare about the trick that is now over."""
        twin, events = self.twin, self.events
        trick = twin.history[-1]
        winner = twin.trick_winner(trick)
        won = winner is not None
        events["trick held"] += not won and not twin.hand_over
        events["held tricks taken"] += held > 0 and twin.held_tricks == 0
        events["two tricks held"] += twin.held_tricks == 2
        events["last trick unwon"] += not won and twin.hand_over
        events["no trick won"] += twin.hand_over and held == len(twin.history) - 1 and not won
        copies = Counter(card for _, card in trick)
        events["a pair in a trick"] += copies.most_common(1)[0][1] == 2
        events["two pairs in a trick"] += list(copies.values()).count(2) >= 2
        events["the led card beaten by its copy"] += (
            winner not in (None, leader) and dict(trick)[winner] == trick[0][1]
        )

    def check(self) -> None:
        """Compare all that the two tell of the hand."""
        table, twin, view = self.table, self.twin, self.table._view
        over = twin.hand_over
        taken = [twin.captured(seat) for seat in twin.seats] if over else twin.taken
        points = [twin._raw(seat) for seat in twin.seats] if over else twin.raw
        hands = list(zip(table.hands, table.hands_twice, strict=True))
        assert hands == [masks(hand) for hand in twin.hands]
        assert (table.kitty, table.kitty_twice) == masks(twin.kitty)
        assert table.kitty_seat == twin.kitty_seat
        took = list(zip(table.taken, table.taken_twice, strict=True))
        assert took == [masks(cards) for cards in taken]
        assert (table.held, table.held_twice) == masks(twin.held)
        assert table.held_tricks == twin.held_tricks
        assert int(view["held_points"]) == sum(twin.cost(card) for card in twin.held)
        played_twice = view["played_by_twice"][: twin.players].tolist()
        played = list(zip(table.played_by, played_twice, strict=True))
        assert played == [masks(cards) for cards in twin.played_by]
        assert [suits(bits) for bits in table.voids] == twin.voids
        assert list(table.points) == points
        assert list(table.tricks_won) == twin.tricks_won
        passed = list(zip(table.passed, table.passed_twice, strict=True))
        assert passed == [masks(cards) for cards in twin.passed]
        received = list(zip(table.received, table.received_twice, strict=True))
        assert received == [masks(cards) for cards in twin.received]
        assert list(table.scores) == twin.scores
        assert table.hand_over == over
        self._check_trick()

    def _check_trick(self) -> None:
        """Compare what changes with every card."""
        table, twin = self.table, self.twin
        assert [card.name for card in table.trick] == [card for _, card in twin.trick]
        assert table.trick_number == twin.trick_number
        assert table.hearts_broken == twin.broken
        if twin.hand_over:
            return
        assert table.turn == twin.to_play
        assert table.leader == twin.leader
        assert table.led_suit == (SUITS.index(twin.led_suit) if twin.led_suit else -1)
        self._check_winner()
        self.legal = CardSet(mask(twin.legal()))
        assert table.legal == self.legal

    def _check_winner(self) -> None:
        """Compare who wins the trick so far, and with what."""
        twin, view = self.twin, self.table._view
        winner = twin.trick_winner(twin.trick) if twin.trick else None
        card = -1 if winner is None else Card(dict(twin.trick)[winner])
        assert int(view["winning_card"]) == card
        assert int(view["winning_seat"]) == (-1 if winner is None else winner)

    def score(self, choice: str | None = None) -> HandResult:
        """Score the hand on both sides and compare the results and the state of the game."""
        table, twin = self.table, self.twin
        assert table.shooter == twin.shooter()
        assert table.moon_options == twin.moon_options()
        before = list(twin.scores)
        ours, theirs = table.score(choice), twin.score_hand(choice)
        for name in (
            "raw", "bonus", "points", "adjust", "scores", "hearts", "queen", "queen_how",
            "queen_by", "tricks",
        ):  # fmt: skip
            assert list(getattr(ours, name)) == getattr(theirs, name), name
        assert list(ours.stopped_by) == theirs.moon_stopped_by
        assert list(ours.moon) == moon_signs(theirs)
        assert table.scores == tuple(twin.scores)
        assert table.ended == (twin.ended or "")
        assert bool(table.ended) == twin.game_over
        if twin.game_over:
            assert list(table.places) == twin.places
            assert list(table.wins) == twin.wins
        self._note_score(before, theirs, choice)
        return theirs

    def _note_score(self, before: list[int], result: HandResult, choice: str | None) -> None:
        """Count what was rare about the hand that is now scored."""
        rules, twin, events = self.rules, self.twin, self.events
        seats = twin.moon_seats()
        idle = [not any(twin.tricks_won[s] for s in twin.sharers(seat)) for seat in twin.seats]
        kitty = rules.kitty_size > 0
        if seats:
            events["moon"] += 1
            events[f"moon {rules.moon}, {rules.teams}, by {rules.moon_scope}"] += 1
            events["moon of two partners"] += sum(bool(twin.captured(s)) for s in seats) > 1
            events["moon of two packs"] += rules.packs == 2
            events["moon with a kitty"] += kitty
            dear = any(twin.cost(card) > 0 for card in twin.kitty)
            events["moon asked of who got the kitty"] += dear and len(seats) > 1
            events["moon chosen"] += choice is not None
            events["moon below zero"] += min(result.points) < 0
            events["moon of others"] += bool(result.pays)
            events["moon void"] += not any(result.points)
            events["moon spares the partner"] += rules.moon_partner == "exempt" and bool(
                result.pays
            )
            events["moon with all bonus cards"] += rules.moon_needs_bonus
            events["no-trick bonus withheld"] += rules.no_trick_bonus < 0 and any(idle)
            if twin.sun():
                events[f"sun {rules.sun}"] += 1
                events["sun of two partners"] += len(set(twin.takers)) > 1 and len(seats) > 1
                events["sun without the first trick"] += twin.takers[0] not in seats
            events["moon without sun"] += rules.sun != "off" and not twin.sun()
        elif rules.no_trick_bonus:
            events["no-trick bonus"] += sum(idle)
        stopped = [by for by in result.moon_stopped_by if by is not None]
        events["moon stopped"] += bool(stopped)
        events["moon of a team stopped"] += len(stopped) > 1
        events["bonus card taken"] += bool(rules.bonus) and min(result.bonus) < 0
        events["both queens"] += 2 in result.queen
        events["a queen each"] += result.queen.count(1) == 2
        events["penalty in the kitty"] += any(twin.cost(card) > 0 for card in twin.kitty)
        floor = [twin._penalty(s, None) + result.bonus[s] < 0 for s in twin.seats]
        events["hand floor"] += rules.score_floor == "hand0" and not seats and any(floor)
        sums = [old + new for old, new in zip(before, result.points, strict=True)]
        events["total floor"] += rules.score_floor == "total0" and min(sums) < 0
        events["exact hit"] += rules.exact_target != "off" and rules.target in sums
        events["relief"] += rules.exact_target in ("minus50", "zero") and any(result.adjust)
        events["extra hand"] += self.latched
        self.latched = not twin.game_over and twin._latched is not None
        if twin.game_over:
            events[f"ended by {twin.ended}"] += 1
            shared = sum(twin.wins[side[0]] > 0 for side in twin.sides) > 1
            events["shared win"] += shared
            events["shared win of teams"] += shared and rules.teams != "none"


def play_game(
    pair: Pair,
    rng: random.Random,
    deal: Callable[[Rules, random.Random], Hands | None],
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


def default_pass(hand: Iterable[str], number: int) -> list[str]:
    """The cards of highest rank; among equal ranks hearts, spades, diamonds, clubs."""
    order = sorted(hand, key=lambda card: ("23456789TJQKA".index(card[0]), SUITS.index(card[1])))
    return order[len(order) - number :]


# Deals.


def deal_of_seed(rules: Rules, rng: random.Random) -> None:
    """The cards that the table deals itself."""


def _deck(rules: Rules) -> list[Card]:
    return [card for card in rules.deck for _ in range(rules.copies(card))]


def _hands(rules: Rules, cards: Sequence[Card], seat: int = 0) -> list[list[str]]:
    """The first cards to one seat, the others to the seats after it; what is left is the kitty."""
    size = rules.hand_size
    hands = [
        [card.name for card in cards[place * size : (place + 1) * size]]
        for place in range(rules.players)
    ]
    return hands[-seat:] + hands[:-seat] if seat else hands


def deal_high(rules: Rules, rng: random.Random) -> list[list[str]]:
    """Seat 0 gets the highest cards, the others what is left."""
    cards = sorted(_deck(rules), key=lambda card: (-card.rank, rng.random()))
    high, rest = cards[: rules.hand_size], cards[rules.hand_size :]
    rng.shuffle(rest)
    return _hands(rules, high + rest)


def deal_team(rules: Rules, rng: random.Random) -> list[list[str]]:
    """Seat 0 and the seat opposite get the highest cards, one by one."""
    size, opposite = rules.hand_size, rules.players // 2
    cards = sorted(_deck(rules), key=lambda card: (-card.rank, rng.random()))
    high, rest = cards[: 2 * size], cards[2 * size :]
    rng.shuffle(rest)
    hands = _hands(rules, [*high[::2], *high[1::2], *rest])
    hands[1], hands[opposite] = hands[opposite], hands[1]
    return hands


def deal_mirrored(rules: Rules, rng: random.Random) -> list[list[str]]:
    """Two neighbours get the same cards each, as far as there are two copies."""
    twice = list(rules.deck_twice)
    rng.shuffle(twice)
    whole = len(twice) - len(twice) % rules.hand_size
    sizes = range(0, min(whole, rules.players // 2 * rules.hand_size), rules.hand_size)
    cards = [
        card for start in sizes for _ in range(2) for card in twice[start : start + rules.hand_size]
    ]
    rest = list((Counter(_deck(rules)) - Counter(cards)).elements())
    rng.shuffle(rest)
    return _hands(rules, cards + rest)


def deal_points(rules: Rules, rng: random.Random) -> list[list[str]]:
    """A random seat gets nothing but point cards, as far as they go."""
    cards = sorted(_deck(rules), key=lambda card: (card not in rules.point_cards, rng.random()))
    first, rest = cards[: rules.hand_size], cards[rules.hand_size :]
    rng.shuffle(rest)
    return _hands(rules, first + rest, rng.randrange(rules.players))


DEALS: dict[str, Callable[[Rules, random.Random], Hands | None]] = {
    "seed": deal_of_seed,
    "high": deal_high,
    "team": deal_team,
    "mirrored": deal_mirrored,
    "points": deal_points,
}


# Ways to play.


def _by_rank(pair: Pair) -> list[Card]:
    return sorted(pair.legal, key=lambda card: (card.rank, card.suit))


def _is_void(pair: Pair) -> bool:
    """Whether the seat in turn cannot follow."""
    return bool(pair.twin.trick) and not pair.legal.suit(pair.twin.led_suit)


def _winner(pair: Pair) -> int | None:
    return pair.twin.trick_winner(pair.twin.trick) if pair.twin.trick else None


def _throw(pair: Pair) -> str:
    """The lowest card, or void a point card: the dearest."""
    cards = _by_rank(pair)
    if _is_void(pair):
        cards.sort(key=lambda card: (-pair.twin.cost(card.name), card.rank))
    return cards[0].name


def play_random(pair: Pair, rng: random.Random) -> str:
    """Any legal card."""
    return rng.choice(list(pair.legal)).name


def play_for_moon(pair: Pair, rng: random.Random) -> str:
    """Seat 0 plays its highest card, the others their lowest, point cards first when void.

    Where teams shoot, the partner plays high as well, until the trick is safe.
    """
    seat, twin = pair.twin.to_play, pair.twin
    shooters = twin.sides[0] if pair.rules.moon_scope == "team" else [0]
    if seat == 0 or (seat in shooters and _winner(pair) not in shooters):
        return _by_rank(pair)[-1].name
    return _throw(pair)


def play_nearly_moon(pair: Pair, rng: random.Random) -> str:
    """As `play_for_moon`, with a slip now and then."""
    return play_random(pair, rng) if rng.random() < 0.15 else play_for_moon(pair, rng)


def play_late_moon(pair: Pair, rng: random.Random) -> str:
    """As `play_for_moon`, but everybody ducks the first trick."""
    return _throw(pair) if pair.twin.trick_number == 1 else play_for_moon(pair, rng)


def play_to_dump(pair: Pair, rng: random.Random) -> str:
    """Everybody ducks as high as possible, and void gets rid of what is dearest."""
    twin, cards = pair.twin, _by_rank(pair)
    winner = _winner(pair)
    if winner is None or _is_void(pair):
        return _throw(pair)
    best = Card(dict(twin.trick)[winner])
    below = [card for card in cards if card < best]
    return (below[-1] if below else cards[0]).name


PLAYS: dict[str, Policy] = {
    "random": play_random,
    "moon": play_for_moon,
    "nearly": play_nearly_moon,
    "late": play_late_moon,
    "dump": play_to_dump,
}
