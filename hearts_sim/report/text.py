"""Tables as text, for the terminal and for Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

LEADERBOARD = (
    "rank", "strategy", "games", "points/hand", "Elo", "wins", "last", "moons", "queens", "µs/card",
)  # fmt: skip


def number(value: float, digits: int = 0, *, sign: bool = False) -> str:
    """A number for people; an en dash where there is none, ∞ where it is unbounded."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    return f"{value:{'+' if sign else ''},.{digits}f}"


def with_error(value: float, error: float, digits: int) -> str:
    """Value and half-width of its interval, as ``5.29 ±0.24``."""
    if math.isnan(value):
        return "–"
    plain = f"{value:.{digits}f}"
    return f"{plain} ±{number(error, digits)}"


def percent(share: float, digits: int = 1) -> str:
    """A share in percent."""
    return "–" if math.isnan(share) else f"{100 * share:.{digits}f} %"


def leaderboard(board: pd.DataFrame) -> list[list[str]]:
    """Cells of the leaderboard, one row per strategy, under the heads of `LEADERBOARD`."""
    rows: list[dict[str, Any]] = board.to_dict("records")  # type: ignore[assignment]
    return [
        [
            str(row["rank"]),
            str(row["strategy"]),
            number(row["games"]),
            with_error(row["points"], row["points_error"], 2),
            with_error(row["elo"], row["elo_error"], 0),
            percent(row["wins"]),
            percent(row["last"]),
            percent(row["moons"], 2),
            percent(row["queens"]),
            number(row["microseconds"], 2 if row["microseconds"] < 100 else 0),
        ]
        for row in rows
    ]


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
    lines = [heads, marks, *([markdown_text(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def markdown_text(text: str) -> str:
    """Text with everything escaped that Markdown or HTML would take as its own."""
    for mark in "\\`*_{}[]()#+!|~<>":
        text = text.replace(mark, "\\" + mark)
    return text
