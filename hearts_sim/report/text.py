"""Tables as text, for the terminal and for Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pandas as pd

LEADERBOARD: Final = (
    "rank", "strategy", "games", "points/hand", "deff", "Elo", "deff", "LOS", "best", "wins",
    "µs/card",
)  # fmt: skip
"""Heads of the leaderboard in a terminal."""

MORE: Final = (
    "strategy", "net", "deff", "datum", "deff", "points/game", "deff", "last", "moons", "queens",
    "±10 Elo",
)  # fmt: skip
"""Heads of what a page shows beside it."""


def number(value: float, digits: int = 0, *, sign: bool = False) -> str:
    """A number for people, never -0; an en dash where there is none, ∞ where it is unbounded."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    return f"{value:{'+' if sign else ''}z,.{digits}f}"


def with_error(value: float, error: float, digits: int, *, sign: bool = False) -> str:
    """Value and half-width of its interval, as ``5.29 ±0.24``."""
    if math.isnan(value):
        return "–"
    plain = f"{value:{'+' if sign else ''}z.{digits}f}"
    return f"{plain} ±{number(error, digits)}"


def counted(count: int, noun: str) -> str:
    """A number of things: ``1 game``, ``1,040 games``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def percent(share: float, digits: int = 1) -> str:
    """A share in percent."""
    return "–" if math.isnan(share) else f"{100 * share:.{digits}f} %"


def probability(value: float) -> str:
    """A probability in percent, never rounded to certainty."""
    if math.isnan(value):
        return "–"
    if value < 0.0005:
        return "<0.1 %"
    if value > 0.9995:
        return ">99.9 %"
    return percent(value)


def printable(text: str) -> str:
    r"""Foreign text in one line, with everything escaped that a terminal would obey or hide.

    Line ends, control characters, escape sequences and marks that turn the direction of writing
    become what Python writes for them, such as ``\n`` and ``\x1b``.
    """
    if text.isprintable():
        return text
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in text
    )


def elo(row: Mapping[str, Any]) -> str:
    """The rating of a row of the leaderboard, or its bound."""
    if row["elo_bound"]:
        return f"{row['elo_bound']} {number(row['elo'])}"
    return with_error(row["elo"], row["elo_error"], 0)


def ranks(row: Mapping[str, Any]) -> str:
    """The rank of a row of the leaderboard, and those that are possible if there are several.

    A disqualified strategy has none.
    """
    if row["disqualified"]:
        return "–"
    best, worst = int(row["rank_best"]), int(row["rank_worst"])
    return str(row["rank"]) if best == worst == row["rank"] else f"{row['rank']} ({best}–{worst})"


def leaderboard(board: pd.DataFrame) -> list[list[str]]:
    """Cells of the leaderboard, one row per strategy, under the heads of `LEADERBOARD`."""
    rows: list[dict[str, Any]] = board.to_dict("records")  # type: ignore[assignment]
    return [
        [
            ranks(row),
            str(row["strategy"]) + " (disqualified)" * bool(row["disqualified"]),
            number(row["games"]),
            with_error(row["points"], row["points_error"], 2),
            number(row["points_design"], 2),
            elo(row),
            number(row["elo_design"], 2),
            probability(row["superiority"]),
            probability(row["best"]),
            percent(row["wins"]),
            number(row["microseconds"], 2 if row["microseconds"] < 100 else 0),
        ]
        for row in rows
    ]


def more(board: pd.DataFrame) -> list[list[str]]:
    """Cells of the second table, under the heads of `MORE`."""
    rows: list[dict[str, Any]] = board.to_dict("records")  # type: ignore[assignment]
    return [
        [
            str(row["strategy"]),
            with_error(row["net"], row["net_error"], 2, sign=True),
            number(row["net_design"], 2),
            with_error(row["datum"], row["datum_error"], 2, sign=True),
            number(row["datum_design"], 2),
            with_error(row["game_points"], row["game_points_error"], 1),
            number(row["game_points_design"], 2),
            percent(row["last"]),
            percent(row["moons"], 2),
            percent(row["queens"]),
            _more_games(row["more_games"]),
        ]
        for row in rows
    ]


def _more_games(games: float) -> str:
    if not math.isfinite(games):
        return "–"
    return f"+{round_up(games)}" if games > 0 else "reached"


def round_up(games: float) -> str:
    """A number of games with two digits that count, rounded up."""
    step = 10 ** max(0, math.floor(math.log10(games)) - 1) if games >= 1 else 1
    return number(math.ceil(games / step) * step)


def difference_matrix(differences: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Heads and cells of all differences in Elo, or in points where there is no Elo.

    A star marks what holds for all pairs at once. Row less column; only above the diagonal.
    """
    measure = "points" if differences["elo_difference"].isna().all() else "elo"
    digits = 0 if measure == "elo" else 2
    names = list(dict.fromkeys([*differences["strategy"], *differences["opponent"]]))
    cells = {
        (row["strategy"], row["opponent"]): with_error(
            row[f"{measure}_difference"], row[f"{measure}_error"], digits, sign=True
        )
        + (" *" if row["better"] else "")
        for row in differences.to_dict("records")
    }
    heads = ["Elo difference" if measure == "elo" else "points per hand", *names[1:]]
    rows = [[name, *(cells.get((name, other), "") for other in names[1:])] for name in names[:-1]]
    return heads, rows


def text_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()
) -> str:
    """Columns of text, to the right except those whose numbers are in `left`."""
    widths = [
        max(len(head), *(len(row[column]) for row in rows), 0) if rows else len(head)
        for column, head in enumerate(heads)
    ]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    return "\n".join([line(heads), *map(line, rows)])


def markdown_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()
) -> str:
    """The same as a Markdown table; names are foreign text and are escaped."""
    marks = [":--" if column in left else "--:" for column in range(len(heads))]
    lines = [marks, *([markdown_text(cell) for cell in row] for row in rows)]
    lines.insert(0, [markdown_text(head) for head in heads])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def markdown_text(text: str) -> str:
    """Text with everything escaped that Markdown or HTML would take as its own."""
    for mark in "\\`*_{}[]()#+!|~<>":
        text = text.replace(mark, "\\" + mark)
    return text
