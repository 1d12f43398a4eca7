"""The columns of the log: one registry for files, documentation and readers."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hearts_sim.engine.record import ENDS
from hearts_sim.rules import PASS_NAMES, Rules
from hearts_sim.strategy.faults import Fault

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION: Final = 4
"""Changes when columns change their meaning, or the folder its layout."""


@dataclass(frozen=True)
class Column:
    """A column of a log table.

    `dtype` is one of numpy's, or text. `names` says what a text column's codes stand for: a key of
    `names_for`.
    """

    name: str
    dtype: str
    unit: str
    meaning: str
    names: str = ""


_BLOCK: Final = Column("block", "uint32", "", "block, from 0: one deal sequence")
_SEATING: Final = Column("seating", "uint16", "", "seating within the block, from 0")
_GAME: Final = Column("game", "uint32", "", "game, unique in the run")
_SEAT: Final = Column("seat", "uint8", "", "seat, from 0, clockwise")
_HAND: Final = Column("hand", "uint16", "", "hand of the game, from 1")
_STRATEGY: Final = Column("strategy", "uint16", "", "entry on the seat", "strategy")
_TEAM: Final = Column("team", "int8", "", "team of the seat, -1 without teams")

TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "hands": (
        _BLOCK,
        _SEATING,
        _GAME,
        _HAND,
        _SEAT,
        _STRATEGY,
        _TEAM,
        Column("pass", "int8", "", "where the pass went", "pass"),
        Column("raw", "int32", "points", "penalty points taken, before the moon"),
        Column("bonus", "int32", "points", "points of bonus cards, and for taking no trick"),
        Column(
            "points",
            "int32",
            "points",
            "points of the hand, after moon, bonus and floor; partners with one score have the "
            "same",
        ),
        Column("hearts", "uint8", "cards", "hearts taken"),
        Column("queen", "uint8", "cards", "queens of spades taken"),
        Column("queen_how", "uint8", "", "how she was played, for who took her", "queen_how"),
        Column(
            "queen_by",
            "int8",
            "",
            "seat that played her, for who took her (of two, the one played last); else -1, also "
            "when she lay in the kitty",
        ),
        Column("tricks", "uint8", "tricks", "tricks won, with those held for the winner"),
        Column(
            "moon",
            "int8",
            "",
            "1 for the shooter, or the team that shot, -1 for who pays for a moon, else 0",
        ),
        Column(
            "moon_stopped_by",
            "int8",
            "",
            "seat that took a penalty card after this one (or its team, where teams shoot) alone "
            "had taken all so far, and at least half of those that there are; else -1",
        ),
        Column(
            "adjust",
            "int32",
            "points",
            "change of the total beside the points: an exact target, a total's floor, a sun that "
            "resets",
        ),
        Column("score", "int32", "points", "total after the hand"),
    ),
    "games": (
        _BLOCK,
        _SEATING,
        _GAME,
        _SEAT,
        _STRATEGY,
        _TEAM,
        Column("score", "int32", "points", "total at the end"),
        Column("points", "int32", "points", "points of all hands, without adjustments"),
        Column(
            "place",
            "float32",
            "",
            "place, 1 is best; ties share the mean place; partners have that of their team among "
            "the teams",
        ),
        Column(
            "win",
            "float32",
            "games",
            "share of the win: 1/k for each of k on place 1; partners both have their team's",
        ),
        Column("hands", "uint16", "hands", "hands played"),
        Column("moons", "uint16", "hands", "moons shot"),
        Column("queens", "uint16", "hands", "hands in which the seat took the queen of spades"),
        Column(
            "faults",
            "uint16",
            "",
            "how often the bot on the seat failed; a bot that is not asked again in the game has "
            "failed once",
        ),
        Column("ended", "uint8", "", "what ended the game", "ended"),
    ),
    "plays": (
        _BLOCK,
        _SEATING,
        _GAME,
        _HAND,
        Column("trick", "uint8", "", "trick of the hand, from 1; 0 for a card that was passed"),
        _SEAT,
        Column("card", "uint8", "", "card, 0 (2C) to 51 (AH)"),
    ),
    "faults": (
        _BLOCK,
        _SEATING,
        _GAME,
        Column("hand", "uint16", "", "hand of the game, from 1; 0 before the first deal"),
        Column("trick", "uint8", "", "trick of the hand, from 1; 0 where no card was to be played"),
        _SEAT,
        _STRATEGY,
        Column("hook", "text", "", "what the bot was asked, such as choose_card"),
        Column("kind", "text", "", "kind of the fault; see faults.md"),
        Column("given", "text", "", "what the bot saw: its hand and its legal cards"),
        Column("answer", "text", "", "what it answered, if it answered"),
        Column("message", "text", "", "what went wrong"),
        Column("traceback", "text", "", "where in the bot, if it raised an exception"),
        Column("replay", "text", "", "the command that replays just that decision"),
    ),
}


def names_for(rules: Rules, entries: Sequence[str]) -> dict[str, list[str]]:
    """Texts of the columns that hold text, by the number that the core writes."""
    passes = ["hold"] + [f"{offset} to the left" for offset in range(1, rules.players)]
    across = ("partner",) if "partner" in rules.pass_cycle else ("A",)
    for token in ("L3", "R3", "L2", "R2", *across, "R", "L"):
        offset = rules.pass_offset(token)
        if offset and (token != "A" or rules.players % 2 == 0):
            passes[offset] = PASS_NAMES[token]
    return {
        "strategy": list(entries),
        "pass": [*passes, "scatter"],
        "queen_how": ["not taken", "led", "followed", "dumped"],
        "ended": list(ENDS),
    }


_ROWS_AT_A_TIME: Final = 8192
"""So many rows of the core stay in a processor's cache while they are taken apart."""


def split(rows: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Rows of the core as columns, each in one piece."""
    columns = {name: np.empty(len(rows), rows.dtype[name]) for name in rows.dtype.names or ()}
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        part = slice(start, start + _ROWS_AT_A_TIME)
        for name, values in columns.items():
            values[part] = rows[part][name]
    return columns


def arrow_table(name: str, rows: Any, names: Mapping[str, list[str]]) -> pa.Table:
    """Rows of the core as an Arrow table with the columns of the registry.

    Parameters
    ----------
    name : {"hands", "games", "plays"}
    rows : structured ndarray or mapping of name to ndarray
        Of dtype `HAND_ROW`, `GAME_ROW` or `PLAY_ROW`, or what `split` made of it.
    names : mapping
        From `names_for`.
    """
    import pyarrow as pa

    arrays, fields = [], []
    for column in TABLES[name]:
        values = np.ascontiguousarray(rows[column.name])
        if column.names:
            texts = names[column.names]
            codes: Any = values.astype(np.int8 if len(texts) <= 127 else np.int16, copy=False)
            if codes.min(initial=0) < 0:
                # -1 (a scatter) counts from the end, as in Python.
                codes = np.where(codes < 0, codes + len(texts), codes).astype(codes.dtype)
            array = pa.DictionaryArray.from_arrays(_arrow(codes), _arrow_texts(texts))
        else:
            array = _arrow(values)
        arrays.append(array)
        fields.append(pa.field(column.name, array.type, nullable=False))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


# `pa.array` imports pandas to see whether it is given something of it, which takes a process that
# plays longer than its first thousand games.


def _arrow(values: np.ndarray[Any, Any]) -> pa.Array:
    import pyarrow as pa

    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def _arrow_texts(texts: Sequence[str]) -> pa.Array:
    import pyarrow as pa

    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(
        len(texts), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))
    )


def faults_table(faults: Sequence[Fault], entries: Sequence[str], run: str) -> pa.Table:
    """Faults as an Arrow table with the columns of the registry.

    Parameters
    ----------
    faults : sequence of Fault
    entries : sequence of str
        Names of the entries of the run.
    run : str
        The results folder, for the commands.
    """
    import pyarrow as pa

    arrays = []
    for column in TABLES["faults"]:
        if column.name == "strategy":
            codes = [entries.index(fault.strategy) for fault in faults]
            kind = pa.int8() if len(entries) <= 127 else pa.int16()
            arrays.append(
                pa.DictionaryArray.from_arrays(pa.array(codes, kind), pa.array(list(entries)))
            )
        elif column.name == "replay":
            arrays.append(pa.array([replay_command(fault, run) for fault in faults]))
        elif column.dtype == "text":
            texts = [getattr(fault, column.name) for fault in faults]
            arrays.append(pa.array([_storable(text) for text in texts], pa.string()))
        else:
            numbers = [getattr(fault, column.name) for fault in faults]
            arrays.append(pa.array(numbers, column.dtype))
    return pa.Table.from_arrays(arrays, [column.name for column in TABLES["faults"]])


def _storable(text: str) -> str:
    """A text without the halves of characters that UTF-8 cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def parquet(name: str, table: pa.Table) -> bytes:
    """A table of the log as a file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = pa.BufferOutputStream()
    pq.write_table(
        table,
        stream,
        compression="zstd",
        compression_level=1,
        use_dictionary=[column.name for column in TABLES[name] if column.names],
        write_statistics=["block"],
    )
    data: bytes = stream.getvalue().to_pybytes()
    return data


def replay_command(fault: Fault, run: str) -> str:
    """The command that shows one decision; nothing where nothing was asked."""
    if fault.kind == "import_error":
        return ""
    command = f"hearts-sim replay {shlex.quote(run)} {fault.game}"
    if fault.hand:
        command += f" --hand {fault.hand}"
    if fault.trick:
        command += f" --trick {fault.trick}"
    return f"{command} --seat {fault.seat} --hook {fault.hook}"


def as_markdown() -> str:
    """The registry as the page ``docs/log.md``."""
    lines = [
        "# The log",
        "",
        "A run writes its log as Parquet, one file per part of the run in a folder for each table.",
        "`log:` in the config says which tables there are: `games`; `hands` and games; or `plays`",
        "and both. Rows are in the order of block, seating, hand and seat. `faults` is there at",
        "every level, for the parts in which a bot failed.",
        "",
        "What the report needs of a part is counted when it is played and kept in `counts`, in a",
        "form that may change with every version: the log is what to read. A part whose counts are",
        "deleted, damaged or of another version is counted from the log.",
        "",
        "This page is made by `python -m hearts_sim.tournament.log.columns`.",
    ]
    for name, columns in TABLES.items():
        lines += ["", f"## {name}", "", "| column | type | unit | meaning |", "|---|---|---|---|"]
        for column in columns:
            kind = "text" if column.names else column.dtype
            lines.append(f"| `{column.name}` | {kind} | {column.unit} | {column.meaning} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(as_markdown(), end="")
