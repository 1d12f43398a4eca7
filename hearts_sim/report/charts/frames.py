"""Checks of the frames that charts are given, and their columns as plain numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd


def lacks(frame: pd.DataFrame, chart: str, columns: tuple[str, ...]) -> None:
    """Refuse a frame that lacks a column.

    Raises
    ------
    ValueError
        When a column is missing.
    """
    if missing := [column for column in columns if column not in frame.columns]:
        raise ValueError(
            f"chart {chart!r}: the frame lacks {', '.join(missing)}; it needs {', '.join(columns)}"
        )


def checked(frame: pd.DataFrame, chart: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Give the named columns of a frame that has rows, with names of strategies as texts.

    Raises
    ------
    ValueError
        When a column is missing or there is nothing to draw.
    """
    lacks(frame, chart, columns)
    if frame.empty:
        raise ValueError(f"chart {chart!r}: no strategies to draw")
    table = frame.loc[:, list(columns)].reset_index(drop=True)
    named = [column for column in ("strategy", "opponent") if column in columns]
    return table.assign(**{column: table[column].astype(str) for column in named})


def picked(names: Iterable[str], strategies: Sequence[str], chart: str) -> list[str]:
    """Each of the names once, or those of some strategies that are among them, in their order.

    Raises
    ------
    ValueError
        When none of the strategies is there.
    """
    known = list(dict.fromkeys(names))
    if not strategies:
        return known
    found = [name for name in dict.fromkeys(strategies) if name in set(known)]
    if not found:
        raise ValueError(f"chart {chart!r}: the frame has none of {', '.join(strategies)}")
    return found


def floats(frame: pd.DataFrame, column: str) -> list[float]:
    """Give a column as floats, whatever its kind; missing values are nan."""
    return [
        float(value) for value in frame[column].to_numpy(dtype="float64", na_value=float("nan"))
    ]
