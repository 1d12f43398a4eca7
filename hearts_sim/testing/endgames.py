"""The endgame positions that come with the package: moments of real games with one best card.

Odd hands, which try what a bot can get wrong by the rules, are in `positions`; these here try how
well it plays the last tricks. docs/positions.md says what holds for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hearts_sim.cards import Card
from hearts_sim.errors import ConfigError
from hearts_sim.rules import Rules

if TYPE_CHECKING:
    from hearts_sim.engine.table import Table

KINDS: Final = {
    "moon": "finish one's own moon",
    "stop": "stop a moon",
    "queen": "discard the queen of spades",
    "discard": "discard another card",
    "duck": "follow below the card that wins",
    "take": "follow above the card that wins",
    "throw in": "lead to a seat that must take the trick",
    "last lead": "lead to the last trick but one",
    "lead": "lead earlier",
}
"""Kinds of positions, by what the best card does."""

FILE: Final = Path(__file__).with_name("endgames.json")


@dataclass(frozen=True)
class PlayedHand:
    """What happened in a hand: cards as dealt and passed by seat, and all plays in order.

    `plays` of the last hand of a position end where the seat is in turn.
    """

    dealt: tuple[tuple[Card, ...], ...]
    passed: tuple[tuple[Card, ...], ...]
    plays: tuple[Card, ...]


@dataclass(frozen=True)
class Endgame:
    """A position with a best card.

    Attributes
    ----------
    number : int
        From 1.
    kind : str
        One of `KINDS`.
    preset, players : str, int
        Its rules.
    seat : int
        Who is in turn.
    best : tuple of Card
        The best card, or several that are as good as each other.
    worlds : int
        Number of hands of the others that agree with what the seat knows.
    points : dict of Card to (int, int)
        Of each legal card: the least and the most points of the hand that it can lead to.
    gain : tuple of (int, int)
        By how many points the best card is better than every other in the same world, at least and
        at most.
    source : str
        Where the game comes from.
    hands : tuple of PlayedHand
        The game from its first card; the last hand is unfinished.
    """

    number: int
    kind: str
    preset: str
    players: int
    seat: int
    best: tuple[Card, ...]
    worlds: int
    points: dict[Card, tuple[int, int]]
    gain: tuple[int, int]
    source: str
    hands: tuple[PlayedHand, ...]

    @property
    def rules(self) -> Rules:
        """The rules of its game."""
        return Rules.preset(self.preset, players=self.players)

    @property
    def trick(self) -> int:
        """Number of the trick, from 1."""
        return len(self.hands[-1].plays) // self.players + 1

    def told(self, cards: Sequence[Card]) -> str:
        """Cards that are as good as each other, and what they lead to."""
        least, most = self.points[cards[0]]
        points = f"{least} to {most} points" if least != most else f"{most} points"
        if least == most == 1:
            points = "1 point"
        return f"{' or '.join(card.name for card in cards)} ({points})"

    def table(self) -> Table:
        """The table at the moment, with all cards open.

        Raises
        ------
        IllegalPlayError
            When a card of its history is against the rules.
        """
        from hearts_sim.engine.table import Table

        table = Table(self.rules)
        for number, hand in enumerate(self.hands, 1):
            table.deal([list(cards) for cards in hand.dealt])
            if table.pass_count:
                table.exchange([list(cards) for cards in hand.passed])
            for card in hand.plays:
                table.play(card)
            if number < len(self.hands):
                table.score()
        return table

    def plain(self) -> dict[str, Any]:
        """The position as JSON values."""
        return {
            "number": self.number,
            "kind": self.kind,
            "preset": self.preset,
            "players": self.players,
            "seat": self.seat,
            "best": _text(self.best),
            "worlds": self.worlds,
            "points": {card.name: list(points) for card, points in self.points.items()},
            "gain": list(self.gain),
            "source": self.source,
            "hands": [
                {
                    "dealt": [_text(cards) for cards in hand.dealt],
                    "passed": [_text(cards) for cards in hand.passed],
                    "plays": _text(hand.plays),
                }
                for hand in self.hands
            ],
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Endgame:
        """The inverse of `plain`."""
        return cls(
            number=plain["number"],
            kind=plain["kind"],
            preset=plain["preset"],
            players=plain["players"],
            seat=plain["seat"],
            best=_cards(plain["best"]),
            worlds=plain["worlds"],
            points={Card(card): (least, most) for card, (least, most) in plain["points"].items()},
            gain=tuple(plain["gain"]),
            source=plain["source"],
            hands=tuple(
                PlayedHand(
                    tuple(map(_cards, hand["dealt"])),
                    tuple(map(_cards, hand["passed"])),
                    _cards(hand["plays"]),
                )
                for hand in plain["hands"]
            ),
        )


@cache
def endgames() -> tuple[Endgame, ...]:
    """All positions, in the order of their numbers."""
    return tuple(read(FILE))


def read(file: Path) -> list[Endgame]:
    """The positions of a file that `written` made."""
    return list(map(Endgame.of, json.loads(file.read_text(encoding="utf-8"))))


def endgame(number: int) -> Endgame:
    """A position by its number.

    Raises
    ------
    ConfigError
        When there is none of this number.
    """
    known = endgames()
    if not 1 <= number <= len(known):
        raise ConfigError(f"there is no position {number}: they are 1 to {len(known)}")
    return known[number - 1]


def written(positions: Sequence[Endgame]) -> str:
    """The text of a file of positions: JSON, with a line for what belongs together."""
    return "[\n" + ",\n".join(_block(position.plain()) for position in positions) + "\n]\n"


def _block(plain: dict[str, Any]) -> str:
    hands = []
    for hand in plain.pop("hands"):
        lines = [f'    "{name}": {json.dumps(hand[name])}' for name in ("dealt", "passed", "plays")]
        hands.append("   {\n" + ",\n".join(lines) + "\n   }")
    head = [f'  "{name}": {json.dumps(value)}' for name, value in plain.items()]
    return " {\n" + ",\n".join([*head, '  "hands": [\n' + ",\n".join(hands) + "\n  ]"]) + "\n }"


def _text(cards: Iterable[Card]) -> str:
    return " ".join(card.name for card in cards)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))
