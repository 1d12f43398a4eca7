"""One run, or two runs as if they were one: rows part by part, under common numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from hearts_sim.errors import ResultsError
from hearts_sim.report.same_field import others_of, unlike_deals
from hearts_sim.rules import nearest
from hearts_sim.tournament.counting.tally import GAME_COLUMNS, HAND_COLUMNS, numbers
from hearts_sim.tournament.log.columns import names_for
from hearts_sim.tournament.reading.results import Results

MORE_OF_HANDS: Final = ("pass", "hearts", "queen", "queen_how", "tricks", "moon")

_APART: Final = 1 << 40
"""Added to the block numbers of a second run whose blocks are other deals."""

Columns = dict[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Joined:
    """Rows of one or two runs.

    Attributes
    ----------
    runs : tuple of Results
        One, or two: the first has `a`, the second `b`.
    a, b : str
        The entries that are compared.

    Notes
    -----
    Of two runs the others are one entry where they are equal in both: name, strategy, options and
    source. Game g of run r is numbered 2 g + r.
    """

    runs: tuple[Results, ...]
    a: str
    b: str

    @classmethod
    def of(cls, results: Results, a: str, b: str, against: Results | None = None) -> Joined:
        """Take `a` from `results`, and `b` from `against` if there is one.

        Raises
        ------
        ResultsError
            When one of them is no entry there, or both are the same one.
        """
        runs = (results,) if against is None else (results, against)
        for name, run in ((a, runs[0]), (b, runs[-1])):
            if name not in run.names:
                raise ResultsError(
                    f"no entry of {run.path} has the name {name!r}{nearest(name, run.names)}"
                )
        if against is None and a == b:
            raise ResultsError(
                f"{a} and {b} are one entry: name two, or the run that the other one is from "
                "(--against RUN2)"
            )
        return cls(runs, a, b)

    @cached_property
    def codes(self) -> tuple[np.ndarray[Any, Any], ...]:
        """Common number of each entry of each run."""
        return tuple(self._numbering[0])

    @property
    def first(self) -> int:
        """Common number of `a`."""
        return int(self.codes[0][self.runs[0].names.index(self.a)])

    @property
    def second(self) -> int:
        """Common number of `b`."""
        return int(self.codes[-1][self.runs[-1].names.index(self.b)])

    @property
    def own(self) -> tuple[int, ...]:
        """Common number of the entry whose seats are counted, in each run."""
        return (self.first, self.second)[: len(self.runs)]

    @property
    def entries(self) -> int:
        """Number of different entries."""
        return self._numbering[1]

    @cached_property
    def shared(self) -> int:
        """Number of others that both runs have."""
        return sum(map(len, self.codes)) - self.entries

    @cached_property
    def _numbering(self) -> tuple[list[np.ndarray[Any, Any]], int]:
        if len(self.runs) == 1:
            entries = len(self.runs[0].names)
            return [np.arange(entries)], entries
        known: dict[str, int] = {}
        codes = []
        for number, (run, name) in enumerate(zip(self.runs, (self.a, self.b), strict=True)):
            others = others_of(run, name)
            keys = [
                repr(sorted(others[entry].items())) if entry in others else f"compared {number}"
                for entry in run.names
            ]
            codes.append(np.array([known.setdefault(key, len(known)) for key in keys]))
        return codes, len(known)

    @cached_property
    def unlike(self) -> str:
        """Why equal block numbers of the two runs are not the same deals; empty when they are."""
        return unlike_deals(*self.runs, self.a, self.b) if len(self.runs) == 2 else ""

    @property
    def has_hands(self) -> bool:
        """Whether hands were logged."""
        return all(run.has("hands") for run in self.runs)

    @cached_property
    def passes(self) -> list[str]:
        """Where cards were passed, as the column ``pass`` of `parts` counts them."""
        return list(dict.fromkeys(name for run in self.runs for name in _passes(run)))

    def parts(self) -> Iterator[tuple[Columns, Columns | None]]:
        """Rows of games and of hands, whole blocks at a time; hands are None without their log.

        Blocks of two runs that are the same deals come together, those of one run alone are left
        out. Else all blocks of both come, as different ones.

        Raises
        ------
        ResultsError
            When a file is damaged.
        """
        notes = [
            {number: part for number, part in run.folder.parts().items() if part["games"]}
            for run in self.runs
        ]
        if len(self.runs) == 1 or self.unlike:
            for run, parts in enumerate(notes):
                for number in sorted(parts):
                    games = self._read("games", run, number)
                    yield games, self._read("hands", run, number) if self.has_hands else None
            return
        for number in sorted(set(notes[0]) & set(notes[1])):
            ranges = [parts[number]["blocks"] for parts in notes]
            both = max(start for start, _ in ranges), min(stop for _, stop in ranges)
            if both[0] < both[1]:
                games = self._both("games", number, both)
                yield games, self._both("hands", number, both) if self.has_hands else None

    def _both(self, table: str, number: int, blocks: tuple[int, int]) -> Columns:
        found = []
        for run in range(2):
            rows = self._read(table, run, number)
            there = (rows["block"] >= blocks[0]) & (rows["block"] < blocks[1])
            found.append({name: values[there] for name, values in rows.items()})
        return {name: np.concatenate([rows[name] for rows in found]) for name in found[0]}

    def _read(self, table: str, run: int, number: int) -> Columns:
        columns = GAME_COLUMNS if table == "games" else (*HAND_COLUMNS, *MORE_OF_HANDS)
        rows = numbers(self.runs[run].folder.read_part(table, number, columns))
        shift = run * _APART if self.unlike else 0
        rows["block"] = rows["block"].astype(np.int64) + shift
        rows["game"] = rows["game"].astype(np.int64) * len(self.runs) + run
        rows["strategy"] = self.codes[run][rows["strategy"]]
        if "pass" in rows:
            own = np.array([self.passes.index(name) for name in _passes(self.runs[run])])
            rows["pass"] = own[rows["pass"]]
        return rows

    def origin(self, block: int, game: int) -> tuple[int, int, int]:
        """Run of a game of `parts`, and its numbers of block and game there."""
        number, run = divmod(game, len(self.runs))
        return run, block - (run * _APART if self.unlike else 0), number


def _passes(run: Results) -> Sequence[str]:
    found: Mapping[str, list[str]] = names_for(run.rules, run.names)
    return found["pass"]
