"""Every table of a run by name, for other programs: those of the log and those of the report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Final

from hearts_sim.errors import ResultsError
from hearts_sim.rules import nearest
from hearts_sim.tournament.log.columns import TABLES
from hearts_sim.tournament.reading.exporting import (
    check_strategies,
    format_of,
    log_chunks,
    write_file,
    write_stream,
)

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from hearts_sim.tournament.reading.results import Results

_OF_REPORT: Final = ("ratings", "summary", "pairwise", "differences", "places")


def export_table(
    results: Results,
    table: str | None,
    output: str | os.PathLike[str] | IO[bytes],
    *,
    kind: str | None = None,
    strategies: Sequence[str] | None = None,
) -> int:
    """Write one table of a run to a file or a stream, part by part.

    Parameters
    ----------
    results : Results
        Of a finished or unfinished run.
    table : str or None
        A table of the log or of the report; None for the hands, or the games where the log has no
        hands.
    output : path or stream of bytes
        A file is written whole or not at all.
    kind : str, optional
        One of `exporting.FORMATS`; left out, as the name of the file says, or CSV.
    strategies : sequence of str, optional
        Only rows of these; of a table of pairs, the pairs among them.

    Returns
    -------
    int
        Number of rows.

    Raises
    ------
    ResultsError
        When there is no such table or strategy, with those that there are; when a file of the log
        is damaged, or the file cannot be written.
    """
    is_path = isinstance(output, str | os.PathLike)
    kind = format_of(output, kind) if is_path else kind or "csv"  # type: ignore[arg-type]
    schema, chunks = table_chunks(results, table, strategies)
    if isinstance(output, str | os.PathLike):
        return write_file(output, kind, schema, chunks)
    return write_stream(output, kind, schema, chunks)


def table_chunks(
    results: Results, table: str | None = None, strategies: Sequence[str] | None = None
) -> tuple[pa.Schema, Iterator[pa.Table]]:
    """A table as its schema and Arrow tables one after the other; as `export_table`."""
    if table is None:
        table = "hands" if results.has("hands") else "games"
    if table in TABLES:
        if not results.has(table):
            raise ResultsError(
                f"{results.path} was played with log: {results.log}, which keeps no {table}: there "
                f"is {', '.join(_there(results))}; play it with log: {table} to have them"
            )
        return log_chunks(results, table, strategies)
    check_strategies(results.names, strategies)
    frame = _frame(results, table)
    for column in ("strategy", "opponent"):
        if strategies is not None and column in frame:
            frame = frame[frame[column].isin(strategies)]
    import pyarrow as pa

    whole = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
    return whole.schema, iter([whole])


def _there(results: Results) -> list[str]:
    """Names of tables that a run has for certain."""
    return [*(name for name in TABLES if results.has(name)), *_OF_REPORT]


def _frame(results: Results, table: str) -> pd.DataFrame:
    """A table of the report."""
    from hearts_sim.report.frames import report_frames
    from hearts_sim.report.summary import summarise

    makers = report_frames(summarise(results))
    if table not in makers:
        there = [*(name for name in TABLES if results.has(name)), *makers]
        close = nearest(table, there)
        others = "" if close.startswith(": there is") else f" there is {', '.join(there)}"
        raise ResultsError(f"there is no table {table!r}{close}{others}")
    frame = makers[table]()
    if frame is None:
        raise ResultsError(
            f"{table} is made from hands, and {results.path} was played with log: {results.log}: "
            "play it with log: hands to have it"
        )
    return frame
