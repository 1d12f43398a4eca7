"""A hand of a replayed game as text: to read, to paste into a test, and for JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from hearts_sim.cards import SUIT_NAMES, Card
from hearts_sim.report.text import text_table
from hearts_sim.tournament.reading.replay import Replay
from hearts_sim.tournament.reading.retell import ToldHand, ToldTrick

WIDTH: Final = 100
"""Columns that a table of tricks may have before its heads lose their names."""


def hand_text(replay: Replay, hand: ToldHand) -> str:
    """A hand to read: heading, cards as dealt, the pass, the tricks, the points."""
    parts = [heading(replay, hand), _dealt(replay, hand), _pass(replay, hand)]
    parts += [_tricks(replay, hand), _points(replay, hand)]
    return "\n\n".join(parts)


def heading(replay: Replay, hand: ToldHand) -> str:
    """Which hand of which game it is, and where the pass goes."""
    passing = f"pass: {hand.direction}" if hand.offset else "no pass"
    return (
        f"{replay.run}, game {replay.game} (block {replay.block}, seating {replay.seating}), "
        f"hand {hand.number}, {passing}"
    )


def final_text(replay: Replay, hands: Sequence[ToldHand]) -> str:
    """How the game ended: scores and places of all seats."""
    last = hands[-1]
    rows = [
        [*who, str(score), f"{place:g}"]
        for who, score, place in zip(_who(replay), last.result.scores, last.places, strict=True)
    ]
    number = f"{len(hands)} hand{'s' if len(hands) > 1 else ''}"
    table = text_table([*_who_heads(replay), "score", "place"], rows, left=(1,))
    return f"Final scores after {number} ({last.ended}):\n\n{table}"


def hand_python(replay: Replay, hand: ToldHand) -> str:
    """A hand as Python: literals that can be pasted into a test.

    ``hands`` has the cards as dealt by seat, ``kitty`` and ``passes`` are there when there are any,
    ``plays`` has seat and card in the order played, ``points`` what the hand is worth by seat.
    """
    seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(replay.names))
    lines = [f"# {heading(replay, hand)}", f"# seats: {seats}", *_literal("hands", hand.dealt)]
    if hand.kitty:
        lines.append(f"kitty = {json.dumps(_names(hand.kitty))}")
    if hand.offset:
        lines += _literal("passes", hand.passed)
    lines.append("plays = [")
    for number, trick in enumerate(hand.tricks, 1):
        played = " ".join(f'({seat}, "{card}"),' for seat, card in trick.by_seat().items())
        lines.append(f"    {played}  # trick {number}")
    lines += ["]", f"points = {list(hand.result.points)}"]
    return "\n".join(lines)


def replay_json(replay: Replay, hands: Sequence[ToldHand]) -> dict[str, Any]:
    """Some hands of a game as plain JSON values; lists are by seat, cards have their names."""
    return {
        "run": replay.run,
        "game": replay.game,
        "block": replay.block,
        "seating": replay.seating,
        "strategies": list(replay.names),
        "source": "played again" if replay.again else "log",
        "differs": replay.differs,
        "scores": replay.games["score"].tolist(),
        "places": replay.games["place"].tolist(),
        "ended": str(replay.games["ended"].iloc[0]),
        "hands": [_hand_json(hand) for hand in hands],
    }


def _hand_json(hand: ToldHand) -> dict[str, Any]:
    result = hand.result
    return {
        "hand": hand.number,
        "pass": hand.direction,
        "scores_before": list(hand.before),
        "dealt": [_names(cards) for cards in hand.dealt],
        "kitty": _names(hand.kitty),
        "passed": [_names(cards) for cards in hand.passed],
        "received": [_names(cards) for cards in hand.received],
        "tricks": [
            {
                "leader": trick.leader,
                "plays": [[seat, card.name] for seat, card in trick.by_seat().items()],
                "winner": trick.winner,
                "points": trick.points,
            }
            for trick in hand.tricks
        ],
        "kitty_seat": hand.kitty_seat,
        "kitty_points": hand.kitty_points,
        "tricks_won": list(result.tricks),
        "raw": list(result.raw),
        "bonus": list(result.bonus),
        "moon": list(result.moon),
        "points": list(result.points),
        "adjust": list(result.adjust),
        "scores": list(result.scores),
    }


_CELL: Final = re.compile(r"(?<![\w.])(>?)([2-9TJQKA][CDSH])(\*?)(?![\w.])")


def coloured(replay: Replay, text: str, style: Callable[..., str]) -> str:
    """A text of `hand_text` for a terminal: cards that cost in red, what takes a trick in bold.

    `style` puts colours around a text, as `click.style` does.
    """
    costs, bonus = replay.rules.costs, replay.rules.bonuses

    def card(found: re.Match[str]) -> str:
        number = Card(found[2])
        colour = "red" if costs[number] else "green" if bonus[number] else None
        return style(found[0], fg=colour, bold=bool(found[3]) or None)

    return _CELL.sub(card, text)


def _names(cards: Sequence[Card]) -> list[str]:
    return [card.name for card in cards]


def _literal(name: str, cards: Sequence[Sequence[Card]]) -> list[str]:
    return [f"{name} = [", *(f"    {json.dumps(_names(some))}," for some in cards), "]"]


def _who_heads(replay: Replay) -> list[str]:
    return ["seat", "strategy", *(["team"] if replay.rules.team_count else [])]


def _who(replay: Replay) -> list[list[str]]:
    """Seat and strategy, and the team where there are teams: the first cells of a seat's row."""
    return [
        [str(seat), name, *([str(replay.rules.team(seat))] if replay.rules.team_count else [])]
        for seat, name in enumerate(replay.names)
    ]


def _dealt(replay: Replay, hand: ToldHand) -> str:
    heads = [*_who_heads(replay), "score", *SUIT_NAMES]
    rows = [
        [*who, str(score), *_suits(cards)]
        for who, score, cards in zip(_who(replay), hand.before, hand.dealt, strict=True)
    ]
    if hand.kitty:
        rows.append(["", "(kitty)", *[""] * (len(heads) - 6), *_suits(hand.kitty)])
    return text_table(heads, rows, left=(1, *range(len(heads) - 4, len(heads))))


def _suits(cards: Sequence[Card]) -> list[str]:
    return [
        " ".join(card.name for card in cards if card.suit == suit) or "–"
        for suit in range(len(SUIT_NAMES))
    ]


def _pass(replay: Replay, hand: ToldHand) -> str:
    if not hand.offset:
        return "No cards are passed."
    players = len(replay.names)
    rows = []
    for seat, who in enumerate(_who(replay)):
        to = (seat + hand.offset) % players
        target = "one to each" if hand.offset < 0 else f"{to} {replay.names[to]}"
        passed, received = (" ".join(_names(side[seat])) for side in (hand.passed, hand.received))
        rows.append([*who[:2], passed, target, received])
    return text_table(["seat", "strategy", "passes", "to", "receives"], rows, left=(1, 2, 3, 4))


def _tricks(replay: Replay, hand: ToldHand) -> str:
    heads = [f"{seat} {name}" for seat, name in enumerate(replay.names)]
    if sum(max(len(head), 4) + 2 for head in heads) > WIDTH - len("trick  points"):
        heads = [f"seat {seat}" for seat in range(len(heads))]
    rows = [
        [str(number), *_cells(trick), "held" if trick.winner is None else str(trick.points)]
        for number, trick in enumerate(hand.tricks, 1)
    ]
    lines = [text_table(["trick", *heads, "points"], rows), "", "> leads, * takes the trick"]
    if any(trick.winner is None for trick in hand.tricks):
        lines[-1] += "; held: nobody takes it, it goes to the next winner"
    if hand.kitty_seat is not None:
        name = replay.names[hand.kitty_seat]
        lines.append(
            f"The kitty ({' '.join(_names(hand.kitty))}) goes to seat {hand.kitty_seat} ({name}), "
            f"points: {hand.kitty_points}"
        )
    return "\n".join(lines)


def _cells(trick: ToldTrick) -> list[str]:
    """Cards of a trick by seat, with what marks the leader and the winner."""
    return [
        f"{'>' if seat == trick.leader else ' '}{card}{'*' if seat == trick.winner else ' '}"
        for seat, card in sorted(trick.by_seat().items())
    ]


def _points(replay: Replay, hand: ToldHand) -> str:
    """Points of the hand and totals; columns that say nothing new are left out."""
    result = hand.result
    moon = [{1: "shot", -1: "pays"}.get(sign, "") for sign in result.moon]
    columns = {
        "tricks": list(map(str, result.tricks)),
        "taken": list(map(str, result.raw)) if result.raw != result.points else [],
        "moon": moon if any(moon) else [],
        "bonus": list(map(str, result.bonus)) if any(result.bonus) else [],
        "points": list(map(str, result.points)),
        "adjust": list(map(str, result.adjust)) if any(result.adjust) else [],
        "score": list(map(str, result.scores)),
    }
    kept = {head: cells for head, cells in columns.items() if cells}
    by_seat = zip(*kept.values(), strict=True)
    rows = [[*who, *cells] for who, cells in zip(_who(replay), by_seat, strict=True)]
    return text_table([*_who_heads(replay), *kept], rows, left=(1,))
