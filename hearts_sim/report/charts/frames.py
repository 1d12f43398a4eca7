"""Checks of the frames that charts are given, and their columns as plain numbers."""

from __future__ import annotations

import pandas as pd


def checked(frame: pd.DataFrame, chart: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Give the named columns of a frame that has rows, with names of strategies as texts.

    Raises
    ------
    ValueError
        When a column is missing or there is nothing to draw.
    """
    if missing := [column for column in columns if column not in frame.columns]:
        raise ValueError(
            f"chart {chart!r}: the frame lacks {', '.join(missing)}; it needs {', '.join(columns)}"
        )
    if frame.empty:
        raise ValueError(f"chart {chart!r}: no strategies to draw")
    picked = frame.loc[:, list(columns)].reset_index(drop=True)
    return picked.assign(strategy=picked["strategy"].astype(str))


def floats(frame: pd.DataFrame, column: str) -> list[float]:
    """Give a column as floats, whatever its kind; missing values are nan."""
    return [
        float(value) for value in frame[column].to_numpy(dtype="float64", na_value=float("nan"))
    ]
