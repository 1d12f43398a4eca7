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
    picked = frame.loc[:, list(columns)].reset_index(drop=True)
    named = [column for column in ("strategy", "opponent") if column in columns]
    return picked.assign(**{column: picked[column].astype(str) for column in named})


def in_order(names: Iterable[str], order: Sequence[str]) -> list[str]:
    """Each of the names once: first those that an order has, in that order, then the others."""
    known = list(dict.fromkeys(names))
    first = [name for name in dict.fromkeys(order) if name in set(known)]
    return first + [name for name in known if name not in set(first)]


def floats(frame: pd.DataFrame, column: str) -> list[float]:
    """Give a column as floats, whatever its kind; missing values are nan."""
    return [
        float(value) for value in frame[column].to_numpy(dtype="float64", na_value=float("nan"))
    ]
