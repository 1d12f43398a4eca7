"""The hands of a replayed game, card by card, as the engine itself tells them.

The cards are put on a `Table` once more, so what was dealt, who won a trick and what it cost comes
from the rules of the engine, with two packs and a kitty as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hearts_sim.cards import Card, CardSet
from hearts_sim.engine.table import HandResult, Table
from hearts_sim.errors import CardError, IllegalPlayError, ResultsError
from hearts_sim.rules import RULES_VERSION
from hearts_sim.tournament.reading.replay import Replay

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class ToldTrick:
    """A trick: `cards` in the order played, from the seat `leader` on.

    `winner` is the seat that took it, None for one that was held for the next winner, and `points`
    the penalty points that its winner got with it, those of held tricks included.
    """

    leader: int
    cards: Cards
    winner: int | None
    points: int

    def by_seat(self) -> dict[int, Card]:
        """Cards by seat."""
        players = len(self.cards)
        return {(self.leader + place) % players: card for place, card in enumerate(self.cards)}


@dataclass(frozen=True)
class ToldHand:
    """A hand; what is a tuple of several is by seat, and cards are in ascending order.

    Attributes
    ----------
    number : int
        From 1.
    direction : str
        Where the pass went, as in the log; `offset` the same in seats to the left, 0 for none and
        -1 for a scatter.
    before : tuple of int
        Totals before the hand.
    dealt, passed, received : tuple of tuples of Card
    kitty : tuple of Card
        Cards that were left over; `kitty_seat` got them, with `kitty_points` penalty points.
    tricks : tuple of ToldTrick
    result : HandResult
    ended : str
        How the game ended with this hand; empty while it goes on.
    places : tuple of float
        Places after the hand.
    """

    number: int
    direction: str
    offset: int
    before: tuple[int, ...]
    dealt: tuple[Cards, ...]
    kitty: Cards
    passed: tuple[Cards, ...]
    received: tuple[Cards, ...]
    tricks: tuple[ToldTrick, ...]
    kitty_seat: int | None
    kitty_points: int
    result: HandResult
    ended: str
    places: tuple[float, ...]


def retell(replay: Replay) -> list[ToldHand]:
    """Every hand of a game.

    Raises
    ------
    ResultsError
        When the cards of the log do not fit the rules, the seed or the logged scores: the log is
        damaged, or a version with other rules wrote it.
    """
    table = Table(replay.rules, replay.seed, replay.block)
    cards: dict[int, dict[int, list[tuple[int, int]]]] = {}
    columns = (replay.plays[name].tolist() for name in ("hand", "trick", "seat", "card"))
    for hand, trick, seat, card in zip(*columns, strict=True):
        cards.setdefault(hand, {}).setdefault(trick, []).append((seat, card))
    rows: dict[int, list[dict[str, Any]]] = {}
    for row in replay.hands.to_dict("records"):
        rows.setdefault(int(row["hand"]), []).append({str(key): row[key] for key in row})
    told = []
    for number in sorted(rows):
        try:
            told.append(_tell(table, rows[number], cards.get(number, {})))
            problem = _scores_differ(told[-1], rows[number])
        except (IllegalPlayError, CardError) as error:
            problem = str(error)
        if problem:
            raise ResultsError(
                f"{replay.run}: the log of game {replay.game}, hand {number} does not fit the "
                f"rules ({problem}): it is damaged, or a hearts-sim with other rules wrote it "
                f"(this one has rules version {RULES_VERSION})"
            )
    return told


def choose_hand(replay: Replay, hands: Sequence[ToldHand], number: int) -> ToldHand:
    """A hand by its number, from 1.

    Raises
    ------
    ResultsError
        When the game has no such hand.
    """
    if not 1 <= number <= len(hands):
        raise ResultsError(
            f"game {replay.game} of {replay.run} has no hand {number}: its hands are 1 to "
            f"{len(hands)}"
        )
    return hands[number - 1]


def _tell(
    table: Table, rows: Sequence[Mapping[str, Any]], cards: Mapping[int, list[tuple[int, int]]]
) -> ToldHand:
    before = table.scores
    table.deal()
    dealt = _all_cards(table.hands, table.hands_twice)
    kitty = _cards(table.kitty, table.kitty_twice)
    if table.pass_count:
        passed = cards.get(0, [])
        table.exchange(
            [[card for giver, card in passed if giver == seat] for seat in range(len(dealt))]
        )
    kitty_points = sum(table.rules.costs[card] for card in kitty)
    tricks = tuple(
        _play_trick(table, cards[trick], kitty_points) for trick in sorted(cards) if trick
    )
    result = table.score(_moon_choice(table, rows))
    return ToldHand(
        number=table.hand_number,
        direction=str(rows[0]["pass"]),
        offset=table.pass_offset if table.pass_count else 0,
        before=before,
        dealt=dealt,
        kitty=kitty,
        passed=_all_cards(table.passed, table.passed_twice),
        received=_all_cards(table.received, table.received_twice),
        tricks=tricks,
        kitty_seat=table.kitty_seat,
        kitty_points=kitty_points,
        result=result,
        ended=table.ended,
        places=table.places,
    )


def _play_trick(table: Table, cards: Sequence[tuple[int, int]], kitty_points: int) -> ToldTrick:
    leader, won, points = table.leader, table.tricks_won, table.points
    for seat, card in cards:
        if seat != table.turn:
            raise IllegalPlayError(
                f"seat {seat} plays {Card(card)}, it is seat {table.turn}'s turn"
            )
        table.play(card)
    winner = next(
        (seat for seat, tricks in enumerate(table.tricks_won) if tricks != won[seat]), None
    )
    gained = 0
    if winner is not None:
        gained = table.points[winner] - points[winner]
        if table.hand_over and winner == table.kitty_seat:
            gained -= kitty_points  # which the table gives out right after the last card
    return ToldTrick(leader, tuple(Card(card) for _, card in cards), winner, gained)


def _moon_choice(table: Table, rows: Sequence[Mapping[str, Any]]) -> str | None:
    """What a shooter chose, by who paid; None where there was nothing to choose."""
    if not table.hand_over or not table.moon_options:
        return None
    return "add" if any(row["moon"] < 0 for row in rows) else "subtract"


def _scores_differ(hand: ToldHand, rows: Sequence[Mapping[str, Any]]) -> str:
    logged = tuple(int(row["score"]) for row in rows)
    if hand.result.scores == logged:
        return ""
    return f"its cards give the scores {hand.result.scores}, logged are {logged}"


def _all_cards(once: Sequence[CardSet], twice: Sequence[CardSet]) -> tuple[Cards, ...]:
    return tuple(_cards(*both) for both in zip(once, twice, strict=True))


def _cards(once: CardSet, twice: CardSet) -> Cards:
    return tuple(sorted((*once, *twice)))
