"""The JSON lines that a program and the table exchange; docs/protocol.md describes them.

Functions from a view to a line, and from a line to an answer. Whatever bytes a program writes,
reading them ends in an answer, in `BotProtocolError` (no message of the protocol) or in `BadAnswer`
(a message with a value that cannot be).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from hearts_sim.cards import CARDS, SUITS
from hearts_sim.engine.layout import HOOKS, MOON_ADD, MOON_SUBTRACT
from hearts_sim.rules import nearest
from hearts_sim.strategy.faults import BadAnswer, BotProtocolError
from hearts_sim.strategy.plain import as_card, as_pass
from hearts_sim.strategy.view import View

PROTOCOL: Final = 1
LONGEST_LINE: Final = 1 << 16
"""Bytes of the longest line that a program may write."""

GOODBYE: Final = b'{"type":"goodbye"}\n'
ANSWERS: Final = {"choose_pass": "cards", "choose_card": "card", "choose_moon": "moon"}
"""What the answer to each request is called."""

_MOON: Final = {"add": int(MOON_ADD), "subtract": int(MOON_SUBTRACT)}
_NAMES: Final = tuple(card.name for card in CARDS)
_VOIDS: Final = tuple(
    "".join(letter for suit, letter in enumerate(SUITS) if bits >> suit & 1) for bits in range(16)
)
_LONGEST_QUOTE: Final = 200


# From the table to the program.


def hello_line(name: str, options: Mapping[str, Any], view: View) -> bytes:
    """The first line: who plays, by which rules, and what never changes.

    Raises
    ------
    ValueError, TypeError
        When the options are no JSON.
    """
    rules = view.rules
    message = {
        "type": "hello",
        "protocol": PROTOCOL,
        "name": name,
        "options": dict(options),
        "rules": rules.settings(),
        "players": rules.players,
        "hand_size": rules.hand_size,
        "kitty_size": rules.kitty_size,
        "team_count": rules.team_count,
        "deck": _cards(rules.deck),
        "point_cards": _cards(rules.point_cards),
        "penalty_cards": _cards(rules.penalty_cards),
        "bonus_cards": _cards(view.bonus_cards),
        "cost": {_NAMES[card]: cost for card, cost in enumerate(rules.costs) if cost},
        "bonus": {_NAMES[card]: points for card, points in enumerate(rules.bonuses) if points},
        "moon_points": rules.moon_points,
        "target": rules.target,
        "deals": rules.deals,
        "win_highest": rules.win == "highest",
    }
    if rules.packs == 2:
        message["deck_twice"] = _cards(rules.deck_twice)
    return _line(message)


def start_game_line(view: View, random: int) -> bytes:
    """A game begins."""
    message: dict[str, Any] = {"type": "start_game", "seat": view.seat, "players": view.players}
    if view.team_count:
        message["partner"] = view.partner
    message["random"] = random
    return _line(message)


def start_hand_line(view: View, random: int) -> bytes:
    """A hand was dealt."""
    message = {"type": "start_hand", "hand": _cards(view.hand), **_before_play(view)}
    message["random"] = random
    return _line(message)


def end_hand_line(view: View) -> bytes:
    """A hand was scored."""
    return _line({"type": "end_hand", **_before_play(view), **_play(view)})


def request_line(hook: str, number: int, view: View) -> bytes:
    """A question: one of `ANSWERS`, with a number that its answer repeats."""
    message: dict[str, Any] = {"type": hook, "id": number}
    if hook != "choose_moon":
        # First, so that a shell script finds them with simple means.
        message["legal"] = _cards(view.legal)
        message["hand"] = _cards(view.hand)
    message.update(_before_play(view))
    if hook != "choose_pass":
        message.update(_play(view))
    return _line(message)


def _before_play(view: View) -> dict[str, Any]:
    """What is known before the first card."""
    fields: dict[str, Any] = {
        "seat": view.seat,
        "hand_number": view.hand_number,
        "scores": view.scores,
        "pass_direction": view.pass_direction,
        "pass_count": view.pass_count,
        "pass_to": view.pass_to,
        "pass_from": view.pass_from,
    }
    if view.team_count:
        fields["partner"] = view.partner
    if view.rules.packs == 2:
        fields["hand_twice"] = _cards(view.hand_twice)
    return fields


def _play(view: View) -> dict[str, Any]:
    """What the play has shown so far."""
    fields: dict[str, Any] = {
        "passed": _cards(view.passed),
        "received": _cards(view.received),
        "trick_number": view.trick_number,
        "leader": _seat(view.leader),
        "led_suit": SUITS[view.led_suit] if view.led_suit >= 0 else None,
        "trick": [_NAMES[card] for card in view.trick],
        "trick_points": view.trick_points,
        "winning_card": _NAMES[view.winning_card] if view.winning_card >= 0 else None,
        "winning_seat": _seat(view.winning_seat),
        "hearts_broken": bool(view.hearts_broken),
        "points": view.points,
        "tricks_won": view.tricks_won,
        "voids": [_VOIDS[bits] for bits in view.voids],
        "unseen": _cards(view.unseen),
        "taken": [_cards(cards) for cards in view.taken],
        "tricks": [
            {"leader": leader, "cards": [_NAMES[card] for card in cards]}
            for leader, cards in view.tricks
        ],
    }
    if view.kitty_size:
        fields["kitty_seat"] = _seat(view.kitty_seat)
        fields["kitty"] = _cards(view.kitty)
    if view.rules.packs == 2:
        fields["passed_twice"] = _cards(view.passed_twice)
        fields["received_twice"] = _cards(view.received_twice)
        fields["unseen_twice"] = _cards(view.unseen_twice)
        fields["taken_twice"] = [_cards(cards) for cards in view.taken_twice]
        fields["kitty_twice"] = _cards(view.kitty_twice)
        fields["held"] = _cards(view.held)
        fields["held_twice"] = _cards(view.held_twice)
        fields["held_points"] = view.held_points
        fields["held_tricks"] = view.held_tricks
    return fields


def _cards(cards: int) -> list[str]:
    bits = int(cards)
    names = []
    while bits:
        low = bits & -bits
        names.append(_NAMES[low.bit_length() - 1])
        bits ^= low
    return names


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _line(message: Mapping[str, Any]) -> bytes:
    text = json.dumps(message, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii") + b"\n"


# From the program to the table.


def read_hello(line: bytes) -> tuple[str, ...]:
    """The hooks that a program has, from its answer to the hello.

    Raises
    ------
    BotProtocolError
        When it is none, or one of another version.
    """
    message = _object(line, 'its answer to "hello"')
    if message.get("type") != "hello":
        raise BotProtocolError(
            f'its first line must be its answer to "hello", such as '
            f'{{"type":"hello","protocol":{PROTOCOL}}}, not {quoted(line)}'
        )
    version = message.get("protocol")
    if type(version) is not int or version != PROTOCOL:
        raise BotProtocolError(
            f'it speaks version {short(version)} of the protocol; expected "protocol":{PROTOCOL}'
        )
    hooks = message.get("hooks", ["choose_card"])
    if not isinstance(hooks, list) or not all(isinstance(hook, str) for hook in hooks):
        raise BotProtocolError(
            f'"hooks" in its hello must be a list such as ["choose_card","choose_pass"], '
            f"not {short(hooks)}"
        )
    for hook in hooks:
        if hook not in HOOKS:
            raise BotProtocolError(
                f'"hooks" in its hello names {short(hook)}{nearest(hook[:100], HOOKS)}'
            )
    if "choose_card" not in hooks:
        raise BotProtocolError(
            '"hooks" in its hello must name "choose_card": every bot plays cards'
        )
    return tuple(hooks)


def read_answer(line: bytes, number: int, hook: str) -> Any:
    """The value in an answer, as JSON has it, not yet looked at.

    Raises
    ------
    BotProtocolError
        When the line is no answer to the request with this number.
    """
    asked = f"its answer to request {number} ({hook})"
    message = _object(line, asked)
    given = message.get("id")
    if type(given) is not int or given != number:
        again = ""
        if type(given) is int and 0 < given < number:
            again = f"; request {given} was answered before: every request has one answer"
        raise BotProtocolError(
            f'{asked} must have "id":{number}, not {short(given)}{again}: {quoted(line)}'
        )
    key = ANSWERS[hook]
    if key not in message:
        raise BotProtocolError(f'{asked} must have "{key}": {quoted(line)}')
    return message[key]


def card_of(value: Any) -> int:
    """Number of the card that was answered.

    Raises
    ------
    BadAnswer
        When it is none.
    """
    if not isinstance(value, str):
        raise BadAnswer(f'"card" must be a text such as "QS", not {short(value)}')
    return as_card(value[:100])


def pass_of(value: Any, packs: int = 1) -> tuple[int, int]:
    """Masks of the cards that were answered, and of those of which both copies go.

    Raises
    ------
    BadAnswer
        When it is no list of cards, or has a card more often than there are packs.
    """
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadAnswer(f'"cards" must be a list such as ["QS","AH","2C"], not {short(value)}')
    return as_pass([item[:100] for item in value], packs)


def moon_of(value: Any) -> int:
    """`MOON_ADD` or `MOON_SUBTRACT`.

    Raises
    ------
    BadAnswer
        When it is neither "add" nor "subtract".
    """
    if not isinstance(value, str) or value not in _MOON:
        raise BadAnswer(f'"moon" must be "add" or "subtract", not {short(value)}')
    return _MOON[value]


def _object(line: bytes, expected: str) -> dict[str, Any]:
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # no JSON, no UTF-8, or endless brackets
        why = str(error) if isinstance(error, json.JSONDecodeError) else type(error).__name__
        raise BotProtocolError(
            f"expected {expected}, a JSON object in one line, but it wrote {quoted(line)} ({why}); "
            "what is not an answer belongs to standard error"
        ) from None
    if not isinstance(message, dict):
        raise BotProtocolError(
            f"expected {expected}, a JSON object, but it wrote {quoted(line)}; "
            "what is not an answer belongs to standard error"
        )
    return message


def quoted(line: bytes) -> str:
    """What was written, for a message: on one line, and not too long."""
    text = repr(line[:_LONGEST_QUOTE].decode("utf-8", "backslashreplace"))
    return text if len(line) <= _LONGEST_QUOTE else f"{text}... ({len(line):,} bytes)"


def short(value: Any) -> str:
    """A JSON value, for a message."""
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, endless brackets
        return f"a {type(value).__name__} that is too large to show"
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}..."
