"""Reading a run: lazily, column by column and part by part."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hearts_sim.engine.layout import LOG_LEVELS
from hearts_sim.errors import ResultsError
from hearts_sim.rules import Rules, nearest
from hearts_sim.tournament.log.columns import TABLES
from hearts_sim.tournament.log.folder import RunFolder

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from hearts_sim.tournament.counting.kept import KeptPart


class Results:
    """A results folder.

    Nothing is read before it is asked for, and `parts` never holds more than one part.

    Parameters
    ----------
    path : path of a run's folder

    Raises
    ------
    ResultsError
        When there is no run, or another version wrote it.

    Attributes
    ----------
    info : dict
        What ``run.json`` says.
    names : list of str
        Names of the entries, in order.
    rules : Rules
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.folder = RunFolder(path)
        self.info: dict[str, Any] = self.folder.info()
        identity = self.info["identity"]
        self.names: list[str] = [entry["name"] for entry in identity["entries"]]
        self.rules = Rules(**identity["rules"])
        self.log: str = identity["log"]

    @property
    def path(self) -> Path:
        """The folder."""
        return self.folder.path

    def digest(self) -> str:
        """Digest over all rows; equal for equal runs."""
        return self.folder.digest()

    def parts(
        self, table: str, columns: Sequence[str] | None = None, *, first: int | None = None
    ) -> Iterator[pa.Table]:
        """Arrow tables of a log table, one for each part, in the order of the blocks.

        Parameters
        ----------
        table : {"games", "hands", "plays", "faults"}
        columns : sequence of str, optional
            Only these; see `hearts_sim.tournament.log.columns.TABLES`.
        first : int, optional
            Only so many parts.

        Raises
        ------
        ResultsError
            When the run did not log that table, a column does not exist, or a file is damaged.
        """
        if table not in TABLES:
            raise ResultsError(f"there is no table {table!r}{nearest(table, TABLES)}")
        known = [column.name for column in TABLES[table]]
        for name in columns or ():
            if name not in known:
                raise ResultsError(f"{table} has no column {name!r}{nearest(name, known)}")
        if not self.has(table):
            raise ResultsError(
                f"{self.path} was played with log: {self.log}, which keeps no {table}: play it "
                f"with log: {table}"
            )
        rows = "faults" if table == "faults" else "games"
        filled = [number for number, notes in self.folder.parts().items() if notes[rows]]
        for number in sorted(filled)[:first]:
            yield self.folder.read_part(table, number, columns)

    def kept_parts(self) -> Iterator[KeptPart]:
        """Every part that has games, in the order of the blocks: its rows, and what they sum to."""
        from hearts_sim.tournament.counting.kept import Counter

        yield from Counter.of(self.rules, len(self.names), self.log).parts(self.folder)

    def has(self, table: str) -> bool:
        """Whether the run logged a table."""
        return table == "faults" or table in LOG_LEVELS[: LOG_LEVELS.index(self.log) + 1]

    def _frame(
        self, table: str, columns: Sequence[str] | None, strategies: Sequence[str] | None
    ) -> pd.DataFrame:
        import pandas as pd
        import pyarrow.compute as pc

        wanted = list(columns) if columns is not None else None
        if strategies is not None:
            for name in strategies:
                if name not in self.names:
                    raise ResultsError(
                        f"no strategy {name!r} in the run{nearest(name, self.names)}"
                    )
            if wanted is not None and "strategy" not in wanted:
                wanted.append("strategy")
        frames = []
        for part in self.parts(table, wanted):
            chosen = part
            if strategies is not None:
                texts = part["strategy"].cast("string")
                chosen = part.filter(pc.is_in(texts, value_set=_array(strategies)))
            frames.append(chosen.to_pandas())
        if not frames:
            return pd.DataFrame(columns=wanted or [column.name for column in TABLES[table]])
        whole: pd.DataFrame = pd.concat(frames, ignore_index=True)
        return whole

    def games(
        self, columns: Sequence[str] | None = None, strategies: Sequence[str] | None = None
    ) -> pd.DataFrame:
        """Rows of games and seats as a frame; only some columns or strategies when given."""
        return self._frame("games", columns, strategies)

    def hands(
        self, columns: Sequence[str] | None = None, strategies: Sequence[str] | None = None
    ) -> pd.DataFrame:
        """Rows of hands and seats as a frame; only some columns or strategies when given."""
        return self._frame("hands", columns, strategies)

    def plays(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Rows of cards played as a frame."""
        return self._frame("plays", columns, None)

    def faults(self) -> pd.DataFrame:
        """Rows of faults as a frame, in the order of the games."""
        return self._frame("faults", None, None)

    def export(
        self,
        path: str | os.PathLike[str],
        table: str = "hands",
        strategies: Sequence[str] | None = None,
    ) -> int:
        """Write a table of the log to a file, part by part; returns the number of rows.

        The name ends in ``.csv``, ``.parquet``, ``.json`` (one array of objects) or ``.jsonl``.

        Raises
        ------
        ResultsError
            As `parts`, and when the file cannot be written.
        """
        from hearts_sim.tournament.reading.exporting import format_of, log_chunks, write_file

        return write_file(path, format_of(path), *log_chunks(self, table, strategies))

    def __repr__(self) -> str:
        return (
            f"<Results {self.path}: {self.info['games']} games of {', '.join(self.names)}; "
            f"{self.info['status']}>"
        )


def _array(values: Sequence[str]) -> Any:
    import pyarrow as pa

    return pa.array(list(values), pa.string())
