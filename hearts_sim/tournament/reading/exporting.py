"""Tables of a run in the forms that other programs read: CSV, Parquet, JSON.

A table comes as Arrow tables one after the other, a part of the run each, and is written so. So a
run of any size is exported in the memory of a part.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from hearts_sim.errors import ResultsError
from hearts_sim.rules import nearest
from hearts_sim.tournament.log.columns import TABLES
from hearts_sim.tournament.log.durable import CannotWrite, make_folder, spare_name, sync_folder

if TYPE_CHECKING:
    import pyarrow as pa

    from hearts_sim.tournament.reading.results import Results

FORMATS: Final = ("csv", "parquet", "json", "jsonl")
"""CSV with a head; Parquet; one array of objects; an object on each line."""

_ROWS_AT_ONCE: Final = 65_536
"""Rows that are made into text at a time."""


def format_of(path: str | os.PathLike[str], given: str | None = None) -> str:
    """The format that is given, or that the name of a file ends in; else CSV.

    Raises
    ------
    ResultsError
        When nothing is given, and the name ends in what is none of them.
    """
    suffix = Path(path).suffix.lower().removeprefix(".")
    if given is not None:
        return given
    if suffix and suffix not in FORMATS:
        raise ResultsError(
            f"{path}: a file .{suffix} is none of {', '.join(FORMATS)}: give --format, or another "
            "name"
        )
    return suffix or "csv"


def log_chunks(
    results: Results, table: str, strategies: Sequence[str] | None = None
) -> tuple[pa.Schema, Iterator[pa.Table]]:
    """A table of the log, part by part.

    Parameters
    ----------
    results : Results
        Of a finished or unfinished run.
    table : {"games", "hands", "plays", "faults"}
    strategies : sequence of str, optional
        Only rows of these; of `plays`, cards of their seats.

    Returns
    -------
    schema : pyarrow.Schema
    chunks : iterator of pyarrow.Table

    Raises
    ------
    ResultsError
        When the run has no such table or strategy; while it is read, when a file is damaged.
    """
    check_strategies(results.names, strategies)
    parts = results.parts(table)
    first = next(parts, None)
    schema = _empty(table).schema if first is None else first.schema

    def chunks() -> Iterator[pa.Table]:
        seats = None
        if strategies is not None and table == "plays":
            seats = results.parts("games", ["game", "seat", "strategy"])
        for part in (first, *parts) if first is not None else ():
            chosen = part
            if seats is not None:
                chosen = part.filter(_at_seats(part, _of(next(seats), strategies or ())))
            elif strategies is not None:
                chosen = _of(part, strategies)
            yield chosen

    return schema, chunks()


def check_strategies(names: Sequence[str], strategies: Sequence[str] | None) -> None:
    """Refuse a strategy that did not play.

    Raises
    ------
    ResultsError
        With the nearest name.
    """
    for name in strategies or ():
        if name not in names:
            raise ResultsError(f"no strategy {name!r} in the run{nearest(name, names)}")


def _of(part: pa.Table, strategies: Sequence[str]) -> pa.Table:
    """Rows of some strategies."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pa.array(list(strategies), pa.string())
    return part.filter(pc.is_in(part["strategy"].cast(pa.string()), value_set=names))


def _at_seats(plays: pa.Table, games: pa.Table) -> Any:
    """Which cards were played from a seat of a game that is in `games`."""
    import numpy as np
    import pyarrow as pa

    def key(table: pa.Table) -> Any:
        return table["game"].to_numpy().astype(np.int64) * 16 + table["seat"].to_numpy()

    return pa.array(np.isin(key(plays), key(games)))


def _empty(table: str) -> pa.Table:
    """A table of the log without a row, as one with rows has it."""
    import pyarrow as pa

    texts = {"text": pa.string()}
    fields = [
        pa.field(
            column.name,
            pa.dictionary(pa.int8(), pa.string())
            if column.names
            else texts.get(column.dtype) or pa.type_for_alias(column.dtype),
            nullable=column.dtype == "text",
        )
        for column in TABLES[table]
    ]
    return pa.schema(fields).empty_table()


def write_file(
    path: str | os.PathLike[str], kind: str, schema: pa.Schema, chunks: Iterable[pa.Table]
) -> int:
    """Write a table to a file, whole or not at all.

    Parameters
    ----------
    kind : str
        One of `FORMATS`.
    schema : pyarrow.Schema
        Of every chunk.
    chunks : iterable of pyarrow.Table

    Returns
    -------
    int
        Number of rows.

    Raises
    ------
    CannotWrite
        When the file cannot be written; what was there before stays.
    """
    target = Path(path)
    spare = spare_name(target)
    try:
        if target.is_dir():
            raise CannotWrite(f"{target} is a folder: give the name of a file")
        make_folder(target.parent)
        with open(spare, "wb") as file:
            rows = write_stream(file, kind, schema, chunks)
            file.flush()
            os.fsync(file.fileno())
        os.replace(spare, target)
        sync_folder(target.parent)
    except OSError as error:
        raise CannotWrite(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:  # also after Ctrl-C
        with contextlib.suppress(OSError):
            spare.unlink()
    return rows


def write_stream(
    stream: IO[bytes], kind: str, schema: pa.Schema, chunks: Iterable[pa.Table]
) -> int:
    """Write a table to a stream of bytes; as `write_file`."""
    writers = {
        "csv": _write_csv,
        "parquet": _write_parquet,
        "json": _write_json,
        "jsonl": _write_lines,
    }
    return writers[kind](stream, schema, chunks)


def _write_csv(stream: IO[bytes], schema: pa.Schema, chunks: Iterable[pa.Table]) -> int:
    import pyarrow as pa
    from pyarrow import csv

    stream.write((",".join(schema.names) + "\n").encode())
    options = csv.WriteOptions(include_header=False)
    rows = 0
    for chunk in chunks:
        for start in range(0, chunk.num_rows, _ROWS_AT_ONCE):
            buffer = pa.BufferOutputStream()
            csv.write_csv(_plain(chunk.slice(start, _ROWS_AT_ONCE)), buffer, options)
            stream.write(buffer.getvalue())
        rows += chunk.num_rows
    return rows


def _write_parquet(stream: IO[bytes], schema: pa.Schema, chunks: Iterable[pa.Table]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    with (
        pa.PythonFile(_LeftOpen(stream), mode="w") as sink,
        pq.ParquetWriter(sink, schema, compression="zstd") as writer,
    ):
        for chunk in chunks:
            if chunk.num_rows:
                writer.write_table(chunk)
            rows += chunk.num_rows
    return rows


class _LeftOpen:
    """A stream that pyarrow may write to, but not close."""

    closed = False

    def __init__(self, stream: IO[bytes]) -> None:
        self.write = stream.write
        self.flush = stream.flush

    def close(self) -> None:
        """Leave it open."""


def _write_json(stream: IO[bytes], schema: pa.Schema, chunks: Iterable[pa.Table]) -> int:
    rows = 0
    for texts in _objects(chunks):
        stream.write(("[\n" if rows == 0 else ",\n").encode() + ",\n".join(texts).encode())
        rows += len(texts)
    stream.write(b"\n]\n" if rows else b"[]\n")
    return rows


def _write_lines(stream: IO[bytes], schema: pa.Schema, chunks: Iterable[pa.Table]) -> int:
    rows = 0
    for texts in _objects(chunks):
        stream.write(("\n".join(texts) + "\n").encode())
        rows += len(texts)
    return rows


def _objects(chunks: Iterable[pa.Table]) -> Iterator[list[str]]:
    """Rows as texts of JSON objects, many at a time."""
    for chunk in chunks:
        for start in range(0, chunk.num_rows, _ROWS_AT_ONCE):
            plain = _plain(chunk.slice(start, _ROWS_AT_ONCE))
            yield [json.dumps(_json(row), ensure_ascii=False) for row in plain.to_pylist()]


def _json(row: dict[str, Any]) -> dict[str, Any]:
    """A row as JSON has it: what is no number is null."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }


def _plain(table: pa.Table) -> pa.Table:
    """The same with texts for codes, and fractions as short as they were meant."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        kind = field.type
        if pa.types.is_dictionary(kind):
            table = table.set_column(place, field.name, table[place].cast(kind.value_type))
        elif pa.types.is_float32(kind):
            short = table[place].cast(pa.string()).cast(pa.float64())
            table = table.set_column(place, field.name, short)
    return table
