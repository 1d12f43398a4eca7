"""What ``hearts-sim check --positions`` does, and a position as text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from hearts_sim.cli.options import show_json

if TYPE_CHECKING:
    from hearts_sim.testing.endgames import Endgame
    from hearts_sim.testing.report import Report
    from hearts_sim.testing.target import Plan, Target


def ask_and_show(
    targets: Sequence[Target],
    number: int | None,
    plan: Plan,
    show: Callable[[str], None],
    *,
    as_json: bool,
    style: Callable[[str, str], str],
    quiet: bool,
) -> Report:
    """Ask strategies all positions, or one of them, and say what they played.

    Without strategies, only the one position is shown.
    """
    from hearts_sim.testing.checking import ask_targets
    from hearts_sim.testing.endgames import endgame, endgames
    from hearts_sim.testing.report import Report

    chosen = endgames() if number is None else (endgame(number),)
    numbers = [position.number for position in chosen]
    report = ask_targets(targets, numbers, plan, show) if targets else Report()
    show("")
    if as_json:
        document = report.plain()
        if number is not None:
            document["position"] = chosen[0].plain()
        show_json(document)
        return report
    if number is not None and not quiet:
        click.echo(position_text(chosen[0]) + "\n")
    if quiet:
        for checked in report.strategies:
            click.echo(f"{checked.name}: {checked.solved} of {checked.positions}")
    elif number is None:
        for text in report.lines(style):
            click.echo(text)
    else:
        for checked in report.strategies:
            for answer in checked.answers:
                played = f"plays {answer.card}" if answer.card else answer.failed
                verdict = "which is best" if answer.solved else "which is not the best"
                click.echo(f"{checked.name} {played}" + (f", {verdict}" if answer.card else ""))
            for finding in checked.findings:
                click.echo(f"{finding.severity}: {finding}")
    sys.stdout.flush()
    return report


def position_text(position: Endgame) -> str:
    """A position to read: what its seat sees, and what each of its cards leads to."""
    from hearts_sim.report.text import text_table
    from hearts_sim.rules import PASS_NAMES
    from hearts_sim.testing.endgames import KINDS

    table, seat = position.table(), position.seat
    players, rules = position.players, position.rules
    number = len(position.hands)
    direction = "no pass"
    if table.pass_count:
        direction = f"pass: {PASS_NAMES[rules.pass_token(number)]}"
    parts = [
        f"position {position.number}, {KINDS[position.kind]}: {position.preset}, {players} "
        f"players, hand {number}, trick {position.trick}, seat {seat} in turn, {direction}",
    ]
    if table.pass_count:
        parts.append(
            f"It passed {_cards(table.passed[seat])} and received {_cards(table.received[seat])}."
        )
    lines = []
    for place, (leader, winner, points, by_seat) in enumerate(_tricks(position), 1):
        cells = [
            f"{'>' if other == leader else ' '}{by_seat.get(other, '')}"
            f"{'*' if other == winner else ' '}"
            for other in range(players)
        ]
        lines.append([str(place), *cells, points])
    heads = ["trick", *(f"seat {other}" for other in range(players)), "points"]
    parts.append(text_table(heads, lines) + "\n\n> leads, * takes the trick")
    counts = [cost != bonus for cost, bonus in zip(rules.costs, rules.bonuses, strict=True)]
    rows = [
        [
            str(other),
            *map(str, (table.scores[other], table.points[other])),
            _cards([card for card in some if counts[card]]),
        ]
        for other, some in enumerate(table.taken)
    ]
    parts.append(text_table(["seat", "score", "points", "cards that count"], rows, left=(3,)))
    parts.append(f"Seat {seat} holds {_cards(table.hands[seat])}.")
    worlds = "one deal of the others' cards is"
    if position.worlds > 1:
        worlds = f"{position.worlds:,} deals of the others' cards are"
    parts.append(f"For all that it knows, {worlds} possible. Its points of the hand:")
    parts.append(
        text_table(
            ["card", "at least", "at most", ""],
            [
                [card.name, str(least), str(most), "best" if card in position.best else ""]
                for card, (least, most) in position.points.items()
            ],
            left=(3,),
        )
    )
    return "\n\n".join(parts)


def _cards(cards: Any) -> str:
    return " ".join(card.name for card in cards) or "–"


def _tricks(position: Endgame) -> list[tuple[int, int | None, str, dict[int, str]]]:
    """Leader, winner, points and cards by seat of each trick of the hand."""
    from dataclasses import replace

    hand = position.hands[-1]
    table = replace(position, hands=(*position.hands[:-1], replace(hand, plays=()))).table()
    tricks: list[tuple[int, int | None, str, dict[int, str]]] = []
    by_seat: dict[int, str] = {}
    for card in hand.plays:
        if not by_seat:
            leader, before = table.leader, table.points
        by_seat[table.turn] = card.name
        table.play(card)
        if len(by_seat) == position.players:
            winner = table.leader
            gained = table.points[winner] - before[winner]
            tricks.append((leader, winner, str(gained), by_seat))
            by_seat = {}
    if by_seat:
        tricks.append((leader, None, "", by_seat))
    return tricks
