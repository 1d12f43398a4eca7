"""Tables for people: what a frame's columns look like, and what they are sorted by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from hearts_sim.report import text

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Mark:
    """A small picture in a cell: where a value and its interval lie on a scale from 0 to 1."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Cell:
    """What a cell shows.

    Attributes
    ----------
    text : str
        What is read.
    value : str
        What it is sorted by; empty where the number that the text begins with will do.
    href : str
        Where a click leads; empty for nowhere.
    mark : Mark or None
        Drawn instead of the text.
    code : bool
        Whether it is a command, to be copied.
    """

    text: str
    value: str = ""
    href: str = ""
    mark: Mark | None = None
    code: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    head : str
    cell : callable
        From a row of a frame to the cell.
    meaning : str
        What the column is, in words.
    kind : str
        "number", "text" or "mark"; a mark is not sorted by.
    """

    head: str
    cell: Callable[[Row], Cell]
    meaning: str = ""
    kind: str = "number"


@dataclass(frozen=True)
class Table:
    """A table as it is shown.

    Attributes
    ----------
    columns : sequence of Column
    rows : list of list of Cell
    note : str
        How to read it; empty where it says so itself.
    line : float or None
        Where small pictures have a line, on their scale from 0 to 1.
    """

    columns: Sequence[Column]
    rows: list[list[Cell]] = field(default_factory=list)
    note: str = ""
    line: float | None = None

    @property
    def heads(self) -> list[str]:
        """Heads of the columns."""
        return [column.head for column in self.columns]

    @property
    def texts(self) -> list[list[str]]:
        """What the cells say."""
        return [[cell.text for cell in row] for row in self.rows]

    @property
    def left(self) -> list[int]:
        """Numbers of the columns that are words."""
        return [at for at, column in enumerate(self.columns) if column.kind == "text"]


def table_of(frame: pd.DataFrame, columns: Sequence[Column], note: str = "") -> Table:
    """The rows of a frame, in its order, under the given columns."""
    rows: list[dict[str, Any]] = frame.to_dict("records")  # type: ignore[assignment]
    return Table(columns, [[column.cell(row) for column in columns] for row in rows], note)


def sort_key(value: Any) -> str:
    """What a number is sorted by, to seven digits that count; empty where it is none."""
    if value is None or value is pd.NA or math.isnan(value):
        return ""
    if math.isinf(value):
        return "1e999" if value > 0 else "-1e999"
    return f"{value:.7g}"


def words(head: str, name: str, meaning: str = "") -> Column:
    """A column of texts, which are foreign: what a terminal would obey is escaped."""
    return Column(head, lambda row: Cell(text.printable(str(row[name]))), meaning, "text")


def numbers(
    head: str, name: str, digits: int = 0, meaning: str = "", *, sign: bool = False
) -> Column:
    """A column of numbers."""

    def cell(row: Row) -> Cell:
        return Cell(text.number(float(row[name]), digits, sign=sign))

    return Column(head, cell, meaning)


def identifiers(head: str, name: str, meaning: str = "") -> Column:
    """A column of numbers that name something, such as a game: without commas."""
    return Column(head, lambda row: Cell(str(row[name])), meaning)


def shares(head: str, name: str, digits: int = 1, meaning: str = "") -> Column:
    """A column of shares, in percent."""
    return Column(head, lambda row: Cell(text.percent(row[name], digits)), meaning)


def intervals(
    low: str, high: str, digits: int = 2, *, head: str = "interval", percent: bool = False
) -> Column:
    """A column of intervals, sorted by their lower ends."""

    def cell(row: Row) -> Cell:
        return Cell(span(row[low], row[high], digits, percent=percent))

    return Column(head, cell, "interval at the run's confidence, whole blocks as the unit")


def span(low: float, high: float, digits: int, *, percent: bool = False) -> str:
    """An interval in words; a dash where it is unknown."""
    if math.isnan(low) or math.isnan(high):
        return "–"
    if percent:
        return f"{100 * low:.{digits}f} to {text.percent(high, digits)}"
    return f"{text.number(low, digits)} to {text.number(high, digits)}"


def on_scale(number: float, ends: tuple[float, float]) -> float:
    """Where a number lies between two ends, from 0 to 1; at an end where it lies beyond."""
    return min(max((number - ends[0]) / (ends[1] - ends[0]), 0.0), 1.0)


def marks(value: str, low: str, high: str, ends: tuple[float, float]) -> Column:
    """A column of small pictures on one scale; nothing where there is no value."""

    def cell(row: Row) -> Cell:
        at = float(row[value])
        if math.isnan(at) or not ends[1] > ends[0]:
            return Cell("")
        known = not (math.isnan(row[low]) or math.isnan(row[high]))
        limits = (row[low], row[high]) if known else (at, at)
        return Cell("", mark=Mark(*(on_scale(number, ends) for number in (at, *limits))))

    return Column("", cell, kind="mark")
