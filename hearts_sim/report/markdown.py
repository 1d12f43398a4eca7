"""report.md: the report for terminals and pull requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from hearts_sim.report import behind, fault_text, text
from hearts_sim.report.notes import MORE_LEGEND, checks, facts, legend, notes, verdicts
from hearts_sim.report.page import MATRIX_LEGEND, Picture, matrix
from hearts_sim.report.played import command_of, how_it_was_played
from hearts_sim.report.summary import Summary
from hearts_sim.report.tables import Table

_SPREAD: Final = {"passes": ("by_pass", "pass"), "seats": ("by_seat", "seat")}
"""Charts whose table has a row for each strategy, and a column for each value of a second one."""

_WHOLE: Final = ("moons", "queens", "hearts", "timing")
"""Charts whose table is short enough for this page."""


def markdown(summary: Summary, pictures: Sequence[Picture]) -> str:
    """The page as text; pictures are files beside it, in ``charts/``."""
    board = summary.board
    lines = [f"# {text.markdown_text(text.printable(summary.results.info['name']))}", ""]
    lines += [facts(summary), ""]
    for note in notes(summary):
        lines += [f"**{text.markdown_text(note)}**", ""]
    lines += [text.markdown_table(text.LEADERBOARD, text.leaderboard(board), left=(1,)), ""]
    lines += [legend(summary), "", "## Verdicts", ""]
    lines += [f"- {text.markdown_text(said)}" for said in verdicts(summary)]
    differences = matrix(summary)
    if differences is not None:
        lines += ["", "## Differences", "", text.markdown_table(*differences, left=(0,)), ""]
        lines += [MATRIX_LEGEND]
    drawn = {picture.kind: picture for picture in pictures}
    lines += ["", *_faults(summary, drawn.pop("faults", None))]
    lines += ["## More figures", ""]
    lines += [text.markdown_table(text.MORE, text.more(board), left=(0,)), "", MORE_LEGEND, ""]
    for picture in drawn.values():
        lines += [f"## {picture.title}", "", *_image(picture), *_behind(summary, picture.kind)]
    left_out = behind.not_drawn(summary, [picture.kind for picture in pictures])
    lines += [left_out, ""] * bool(left_out)
    lines += _worst(summary)
    lines += ["## Checks", ""]
    lines += [f"- {text.markdown_text(said)}" for said in checks(summary)]
    lines += ["", *_played(summary)]
    return "\n".join(lines).rstrip() + "\n"


def _image(picture: Picture) -> list[str]:
    return [f"![{picture.title}](charts/{picture.kind}.svg)", ""]


def _faults(summary: Summary, picture: Picture | None) -> list[str]:
    """The section of what failed, its chart first."""
    lines = fault_text.in_markdown(summary)
    if picture is None:
        return lines
    head = lines[:2] or ["## Faults", ""]
    return [*head, *_image(picture), *lines[2:]]


def _behind(summary: Summary, kind: str) -> list[str]:
    """The table behind a chart, where it is short, and how to read it."""
    lines = []
    if kind in _SPREAD:
        frame = behind.detail(summary, _SPREAD[kind][0])
        if frame is not None and len(frame):
            heads, rows = spread(frame, _SPREAD[kind][1])
            lines += [text.markdown_table(heads, rows, left=(0,)), ""]
    elif kind in _WHOLE:
        table = behind.behind(summary, kind)
        if table is not None and table.rows:
            lines += [_as_markdown(table), ""]
    said = behind.READ.get(kind)
    return [*lines, said, ""] if lines and said else lines


def spread(frame: pd.DataFrame, by: str) -> tuple[list[str], list[list[str]]]:
    """Points per hand with a row for each strategy and a column for each value of `by`.

    An interval is not always even about its estimate: shown is half of its width.
    """
    values = list(dict.fromkeys(frame[by]))
    rows: dict[str, dict[Any, str]] = {}
    for row in frame.to_dict("records"):
        half = (row["high"] - row["low"]) / 2
        cells = rows.setdefault(str(row["strategy"]), {})
        cells[row[by]] = text.with_error(row["points"], half, 2)
    heads = [f"points per hand by {by}", *(str(value) for value in values)]
    return heads, [
        [name, *(cells.get(value, "–") for value in values)] for name, cells in rows.items()
    ]


def _worst(summary: Summary) -> list[str]:
    """The worst hand of each strategy, with the command that shows it."""
    frame = behind.detail(summary, "worst")
    if frame is None or frame.empty:
        return []
    first = frame[frame["rank"] == frame["rank"].min()]
    rows = [
        [str(row["strategy"]), text.number(row["points"]), text.printable(str(row["replay"]))]
        for row in first.to_dict("records")
    ]
    lines = text.markdown_table(["strategy", "points", "replay"], rows, left=(0, 2))
    return ["## Worst hands", "", lines, ""]


def _played(summary: Summary) -> list[str]:
    rows = [[what, was] for what, was in how_it_was_played(summary)]
    command = command_of(summary)
    rows += [["command", command]] if command else []
    return ["## How it was played", "", text.markdown_table(["", ""], rows, left=(0, 1))]


def _as_markdown(table: Table) -> str:
    return text.markdown_table(table.heads, table.texts, table.left)
