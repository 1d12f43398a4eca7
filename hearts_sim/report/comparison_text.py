"""A comparison of two entries as text and as JSON."""

from __future__ import annotations

import dataclasses
import math
import shlex
from collections.abc import Sequence
from typing import Any, Final

from hearts_sim.report.comparison import MEASURES, Comparison, Contestant, LineUp, Measure
from hearts_sim.report.telling_hands import TellingHand
from hearts_sim.report.text import counted, number, percent, probability, round_up, text_table
from hearts_sim.report.verdicts import WANTED_ELO, Difference

SCHEMA_VERSION: Final = 1

_FORMATS: Final = {
    "table": "table tournament", "duel": "duel", "gauntlet": "gauntlet", "selfplay": "self-play",
}  # fmt: skip


def comparison_text(found: Comparison) -> str:
    """Everything that a comparison says, to read."""
    parts = [
        f"{heading(found)}\n\n{found.verdict}",
        sign_text(found),
        _main_table(found),
        *(f"Note: {note}" for note in notes(found)),
    ]
    details = [
        _table("Points per hand by line-up", [_line_up_cells(row) for row in found.line_ups],
               ["line-up", "games", *_heads(found), "pair score", "Elo"]),
        _table("Points per hand by pass", _group_cells(found.passes),
               ["pass", "hands held", *_heads(found)]),
        _table("Points per hand by seat", _group_cells(found.seats),
               ["seat", "hands held", *_heads(found)]),
        _table("Play", [[_per(row.name), *_cells(row)] for row in found.play],
               ["", *_heads(found)]),
    ]  # fmt: skip
    if any(details):
        share = f"{100 * found.confidence:g} %"
        parts.append(
            "Many comparisons follow: where there is no difference at all, one in "
            f"{_one_in(found.confidence)} is still outside its {share} interval by chance."
        )
    parts += [text for text in details if text]
    if found.telling:
        parts.append(_telling(found))
    return "\n\n".join(parts)


def heading(found: Comparison) -> str:
    """Who is compared, and in what run."""
    interim = "" if found.finished else "interim: "
    runs = list(dict.fromkeys((found.first.run, found.second.run)))
    first, second = (
        side.label if found.first.name == found.second.name else side.name
        for side in (found.first, found.second)
    )
    return (
        f"{first} against {second}: {interim}{_FORMATS[found.format]}, {found.games:,} games in "
        f"{_blocks(found.blocks)}, {found.hands:,} hands ({' and '.join(runs)})"
    )


def sign_text(found: Comparison) -> str:
    """What the sign of a difference means."""
    first, second = found.first.label, found.second.label
    good = "many points are good" if found.highest_wins else "fewer are better"
    text = (
        f"Differences are {first} less {second}. Points above 0: {first} takes more per hand "
        f"({good})."
    )
    if found.elo is not None:
        text += f" Elo above 0: {first} is better."
    return (
        f"{text} ± is half of a {100 * found.confidence:g} % interval with whole blocks as the "
        "unit."
    )


def notes(found: Comparison) -> list[str]:
    """Sentences that a reader of the figures must know."""
    said = []
    if not found.finished:
        said.append("The run is not finished: all figures are interim.")
    said += [f"The runs differ in {text}." for text in found.differ]
    if found.paired:
        said.append(
            "Both runs have the same deals and company: differences are taken block by block."
        )
        if found.left_out:
            said.append(f"{_blocks(found.left_out)} that only one of the runs has are left out.")
    elif found.paired is False:
        said.append(
            f"Not compared block by block, since {found.unpaired_because}: the errors of both runs "
            "are independent, and the hands are not the same."
        )
    if found.paired is not None and found.elo is not None:
        said.append(
            "Elo is from one fit of both runs. Ratings of two fields can be compared only through "
            f"those that are in both, here {found.shared}."
        )
    if found.elo is None:
        why = "in self-play nobody meets anybody else"
        if found.format != "selfplay":
            why = "nobody whom both have met ties them together"
        said.append(f"There is no Elo: {why}.")
    failed = [
        f"{side.label} in {counted(side.faulty, 'game')}"
        for side in (found.first, found.second)
        if side.faulty
    ]
    if failed:
        said.append(
            f"Failed: {' and '.join(failed)}, where neutral cards were played in its place or the "
            "game was forfeited; the report of the run has all of it, and ratings without it."
        )
    if found.pooled:
        said.append("Partners have one score: points are those of the team.")
    if found.log == "games":
        said.append(
            "By pass, by seat, points against the datum, moons, queens, hearts, tricks and single "
            "hands need log: hands; this was played with log: games."
        )
    return said


def _main_table(found: Comparison) -> str:
    rows = [["points per hand", *_cells(found.points), _effect(found.points.difference)]]
    for name, measure in (
        ("  less the others' at the table", found.net),
        ("  less the datum", found.datum),
    ):
        if measure is not None:
            rows.append([name, *_cells(measure), _effect(measure.difference)])
    if found.elo is not None:
        rows.append(["Elo", "", "", *_elo_cells(found.elo), _effect(found.elo)])
    table = text_table(["", *_heads(found), "design effect"], rows, left=(0,))
    by = "Elo" if found.los_from == "elo" else "points"
    lines = [table, ""]
    chance = probability(found.los)
    lines.append(f"Likelihood that {found.first.label} is better, from {by}: {chance}")
    if found.games_needed > 0:
        lines.append(f"About {round_up(found.games_needed)} more games for ±{WANTED_ELO:g} Elo")
    elif found.games_needed == 0:
        lines.append(f"There are games enough for ±{WANTED_ELO:g} Elo")
    return "\n".join(lines)


def _heads(found: Comparison) -> list[str]:
    return [found.first.label, found.second.label, "difference", "from", "to"]


def _cells(measure: Measure) -> list[str]:
    difference = measure.difference
    return [
        number(measure.first, 2),
        number(measure.second, 2),
        _with_sign(difference, 2),
        *(number(end, 2, sign=True) for end in _ends(difference)),
    ]


def _elo_cells(elo: Difference) -> list[str]:
    return [_with_sign(elo, 0), *(number(end, 0, sign=True) for end in _ends(elo))]


def _with_sign(difference: Difference, digits: int) -> str:
    if math.isnan(difference.difference):
        return "–"
    return (
        f"{number(difference.difference, digits, sign=True)} "
        f"±{number(difference.half_width, digits)}"
    )


def _ends(difference: Difference) -> tuple[float, float]:
    """Ends of the interval; nan where it is unbounded."""
    ends = difference.low, difference.high
    return ends if all(map(math.isfinite, ends)) else (math.nan, math.nan)


def _effect(difference: Difference) -> str:
    return number(difference.design_effect, 2)


def _line_up_cells(row: LineUp) -> list[str]:
    elo = "–" if row.elo is None else _with_sign(row.elo, 0)
    return [row.name, number(row.games), *_cells(row.points), percent(row.score), elo]


def _group_cells(rows: Sequence[Measure]) -> list[list[str]]:
    return [[row.name, number(row.hands), *_cells(row)] for row in rows]


def _per(name: str) -> str:
    return f"{name} per {'hand' if MEASURES[name] == 1 else f'{MEASURES[name]} hands'}"


def _table(title: str, rows: Sequence[Sequence[str]], heads: Sequence[str]) -> str:
    return f"{title}\n\n{text_table(heads, rows, left=(0,))}" if rows else ""


def _telling(found: Comparison) -> str:
    first, second = found.first.label, found.second.label
    rows = [
        [
            str(hand.block),
            str(hand.hand),
            str(hand.seat),
            number(hand.first_mean, 2),
            number(hand.second_mean, 2),
            number(hand.difference, 2, sign=True),
            str(hand.first_points),
            str(hand.second_points),
        ]
        for hand in found.telling
    ]
    heads = [
        "block", "hand", "seat", f"{first}, mean", f"{second}, mean", "difference",
        f"{first}, in its game", f"{second}, in its game",
    ]  # fmt: skip
    lines = [
        "Largest differences with the same cards, in points",
        "",
        text_table(heads, rows),
        "",
        "To see them, the first with the one in the seat, then with the other:",
        "",
    ]
    for hand in found.telling:
        lines += _commands(found, hand)
    return "\n".join(lines)


def _commands(found: Comparison, hand: TellingHand) -> tuple[str, str]:
    """How to see the hand as each of the two played it."""
    return (
        _command(found.first, hand.first_game, hand.hand),
        _command(found.second, hand.second_game, hand.hand),
    )


def _command(side: Contestant, game: int, hand: int) -> str:
    return f"hearts-sim replay {shlex.quote(side.run)} {game} --hand {hand}"


def _one_in(confidence: float) -> str:
    one_in = 1 / (1 - confidence)
    return "twenty" if math.isclose(one_in, 20) else f"{one_in:.0f}"


def _blocks(blocks: int) -> str:
    return f"{blocks:,} block{'' if blocks == 1 else 's'}"


def as_json(found: Comparison) -> dict[str, Any]:
    """Everything that `comparison_text` says as plain JSON values; no number is NaN or infinite.

    Returns
    -------
    dict
        ``schema_version``
            1; goes up when a key changes its meaning.
        ``first``, ``second``
            name, label, strategy, options, digest, run (its folder), faulty (games in which it
            failed).
        ``finished``, ``format``, ``games``, ``hands``, ``blocks``, ``confidence``,
        ``highest_wins``, ``pooled``, ``log``, ``paired``, ``unpaired_because``, ``left_out``,
        ``differ``, ``shared``
            As in `Comparison`.
        ``points``, ``net``, ``datum``
            Points per hand; the same less the mean of the other sides of the table; the same less
            the mean of all who held these cards. Each has ``first``, ``second``, ``difference``
            (first less second), ``low``, ``high``, ``se``, ``design_effect``, ``blocks``.
            ``net`` and ``datum`` are null where they are not to be had.
        ``elo``
            difference, low, high, se, design_effect; null where there is no Elo at all.
        ``los``, ``los_from``
            Probability that the first is better, and whether it is from "elo" or "points".
        ``design_effect``
            That of the difference in points.
        ``games_needed``
            Further games for ±10 Elo.
        ``verdict``, ``sign``, ``notes``
            Sentences.
        ``line_ups``
            name, games, points (as above), score (share of comparisons that the first won), elo.
        ``passes``, ``seats``
            Points per hand by pass and seat, as above with ``name`` and ``hands``.
        ``play``
            Moons, queens, hearts and tricks likewise, with ``per`` (hands).
        ``telling``
            The hands with the largest differences: block, hand, seat, first_mean, second_mean,
            difference, first_points and second_points in the games first_game and second_game,
            others_differ (other seats that differ between these games), first_replay and
            second_replay (commands).

        What is not finite is null.
    """
    copied = (
        "finished", "format", "games", "hands", "blocks", "confidence", "highest_wins", "pooled",
        "log", "paired", "unpaired_because", "left_out", "differ", "shared",
    )  # fmt: skip
    return {
        "schema_version": SCHEMA_VERSION,
        "first": dataclasses.asdict(found.first),
        "second": dataclasses.asdict(found.second),
        **{name: getattr(found, name) for name in copied},
        "points": _plain(found.points),
        "net": None if found.net is None else _plain(found.net),
        "datum": None if found.datum is None else _plain(found.datum),
        "elo": None if found.elo is None else found.elo.plain(),
        "los": _finite(found.los),
        "los_from": found.los_from,
        "design_effect": _finite(found.points.difference.design_effect),
        "games_needed": _finite(found.games_needed),
        "verdict": found.verdict,
        "sign": sign_text(found),
        "notes": notes(found),
        "line_ups": [
            {
                "name": row.name,
                "games": row.games,
                "points": _plain(row.points),
                "score": _finite(row.score),
                "elo": None if row.elo is None else row.elo.plain(),
            }
            for row in found.line_ups
        ],
        "passes": [_named(row) for row in found.passes],
        "seats": [_named(row) for row in found.seats],
        "play": [_named(row) | {"per": MEASURES[row.name]} for row in found.play],
        "telling": [_hand(found, hand) for hand in found.telling],
    }


def _plain(measure: Measure) -> dict[str, Any]:
    figures = {"first": _finite(measure.first), "second": _finite(measure.second)}
    return figures | measure.difference.plain() | {"blocks": measure.blocks}


def _named(measure: Measure) -> dict[str, Any]:
    return {"name": measure.name, "hands": measure.hands} | _plain(measure)


def _hand(found: Comparison, hand: TellingHand) -> dict[str, Any]:
    first, second = _commands(found, hand)
    return dataclasses.asdict(hand) | {
        "difference": hand.difference,
        "first_replay": first,
        "second_replay": second,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
