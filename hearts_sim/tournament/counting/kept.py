"""All that a report is made from, of one part or of several: counted once and kept beside the log.

The log is the truth. A part is counted by the process that played it, which has the rows at hand;
where what it counted is missing, damaged or of another version, the part is counted from the log,
by the same function and to the same bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hearts_sim.engine.layout import LOG_LEVELS
from hearts_sim.rules import Rules
from hearts_sim.tournament.counting import counts, details, tally
from hearts_sim.tournament.counting.counts import Counts
from hearts_sim.tournament.counting.details import DetailCounts
from hearts_sim.tournament.counting.tally import Columns, Tally, below, numbers
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.log.packing import pack, unpack

COUNTS_VERSION: Final = 2
"""Changes when a part is counted in another way."""

GAME_COLUMNS: Final = tuple(
    dict.fromkeys((*tally.GAME_COLUMNS, *counts.COLUMNS, *details.GAME_COLUMNS))
)
HAND_COLUMNS: Final = tuple(
    dict.fromkeys((*tally.HAND_COLUMNS, *counts.HAND_COLUMNS, *details.HAND_COLUMNS))
)


@dataclass
class PartCounts:
    """What is counted of a part.

    Attributes
    ----------
    tally : Tally
        What estimates are made from.
    counts : Counts
    details : DetailCounts
    blocks, dealt : ndarray of int64
        Numbers of the blocks of the part, and the deals of each: the hands of its longest game,
        0 where no game was played.
    """

    tally: Tally
    counts: Counts
    details: DetailCounts
    blocks: Any
    dealt: Any

    def to_bytes(self, notes: Mapping[str, Any]) -> bytes:
        """The file of the part."""
        groups = {
            "tally": self.tally.to_arrays(),
            "counts": self.counts.to_arrays(),
            "details": self.details.to_arrays(),
        }
        arrays = {
            f"{group}.{name}": array
            for group, found in groups.items()
            for name, array in found.items()
        }
        return pack(notes, arrays | {"dealt": self.dealt})

    @classmethod
    def from_arrays(cls, blocks: range, arrays: Columns) -> PartCounts:
        """What `to_bytes` was called on."""
        return cls(
            Tally.from_arrays(below("tally", arrays)),
            Counts.from_arrays(below("counts", arrays)),
            DetailCounts.from_arrays(below("details", arrays)),
            np.arange(blocks.start, blocks.stop),
            arrays["dealt"],
        )


@dataclass(frozen=True)
class Counter:
    """Counts parts of a run.

    Parameters
    ----------
    entries, players, sides : int
    hands : bool
        Whether the log has hands.
    highest_wins : bool
        Whether many points are good.
    """

    entries: int
    players: int
    sides: int
    hands: bool
    highest_wins: bool = False

    @classmethod
    def of(cls, rules: Rules, entries: int, log: str) -> Counter:
        """For a run with these rules and this log."""
        hands = LOG_LEVELS.index(log) >= LOG_LEVELS.index("hands")
        return cls(entries, rules.players, rules.sides, hands, rules.win == "highest")

    def count(self, blocks: range, games: Columns, hands: Columns | None) -> PartCounts:
        """Count the rows of a part.

        Parameters
        ----------
        blocks : range
            Of the part.
        games, hands : mapping of name to ndarray
            Columns of the log, `GAME_COLUMNS` and `HAND_COLUMNS`: names as codes, in the order of
            the log. `hands` counts only where the log has them.
        """
        # No run that keeps the part has fewer blocks, and so no smaller batches.
        found = Tally(self.entries, blocks.stop)
        counted = Counts(self.entries, self.players, self.sides)
        detailed = DetailCounts(self.entries, self.players, self.highest_wins)
        found.add_games(games)
        counted.add_games(games)
        detailed.add_games(games)
        if self.hands and hands is not None:
            found.add_hands(hands)
            counted.add_hands(hands)
            detailed.add_hands(hands)
        dealt = np.zeros(len(blocks), np.int64)
        rows = slice(None, None, self.players)  # a game's seats have the same hands
        place = games["block"][rows].astype(np.int64) - blocks.start
        np.maximum.at(dealt, place, games["hands"][rows].astype(np.int64))
        return PartCounts(found, counted, detailed, np.arange(blocks.start, blocks.stop), dealt)

    def file(self, blocks: range, games: Columns, hands: Columns | None, digest: str) -> bytes:
        """What is counted of a part, as a file; `digest` is that of its rows."""
        return self.count(blocks, games, hands).to_bytes(self.notes(digest))

    def parts(self, folder: RunFolder) -> Iterator[KeptPart]:
        """Every part of a folder that has games, in the order of the blocks."""
        for number, notes in sorted(folder.parts().items()):
            if notes["games"]:
                yield KeptPart(self, folder, number, notes)

    def notes(self, digest: str) -> dict[str, Any]:
        """What a file of counts has to say of itself."""
        return {
            "version": COUNTS_VERSION,
            "entries": self.entries,
            "players": self.players,
            "sides": self.sides,
            "hands": self.hands,
            "highest_wins": self.highest_wins,
            "digest": digest,
        }


@dataclass(frozen=True)
class KeptPart:
    """A part with games in a results folder.

    `notes` are what the folder notes of it.
    """

    counter: Counter
    folder: RunFolder
    number: int
    notes: Mapping[str, Any]

    def counts(self) -> PartCounts:
        """What is counted of it: as it is kept, or else from its log.

        Raises
        ------
        ResultsError
            When there are neither counts nor a log that can be read.
        """
        blocks = range(*self.notes["blocks"])
        kept = self._kept()
        if kept is not None:
            return PartCounts.from_arrays(blocks, kept)
        games = self.rows("games", GAME_COLUMNS)
        hands = self.rows("hands", HAND_COLUMNS) if self.counter.hands else None
        return self.counter.count(blocks, games, hands)

    def dealt(self) -> tuple[Any, Any]:
        """Numbers of its blocks, and the deals of each, as in `PartCounts`.

        Raises
        ------
        ResultsError
            As `counts`.
        """
        kept = self._kept(["dealt"])
        if kept is not None:
            return np.arange(*self.notes["blocks"]), kept["dealt"]
        counted = self.counts()
        return counted.blocks, counted.dealt

    def _kept(self, names: Sequence[str] | None = None) -> Columns | None:
        """Arrays of the file of counts, if that is whole and of this version."""
        data = self.folder.read_counts(self.number)
        kept = None if data is None else unpack(data, names)
        if kept is None or kept[0] != self.counter.notes(self.notes["digest"]):
            return None
        return kept[1]

    def rows(self, table: str, columns: Sequence[str]) -> Columns:
        """Columns of its log, text as codes.

        Raises
        ------
        ResultsError
            When the file is missing or damaged.
        """
        return numbers(self.folder.read_part(table, self.number, columns))
