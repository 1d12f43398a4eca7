"""Comparing two entries: of one run, or each of a run of its own."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from hearts_sim.errors import ResultsError
from hearts_sim.report.comparison import MEASURES, Comparison, Contestant, LineUp, Measure
from hearts_sim.report.joined import Joined
from hearts_sim.report.same_field import differences
from hearts_sim.report.telling_hands import TellingHand, TellingHands
from hearts_sim.report.verdicts import WANTED_ELO, Difference, verdict
from hearts_sim.stats import (
    Crosstable,
    RatioEstimate,
    RatioSums,
    bradley_terry,
    concatenate,
    games_needed,
)
from hearts_sim.tournament.counting.tally import Tally
from hearts_sim.tournament.reading.results import Results

_HOW: Final = {"queens led": 1, "queens followed": 2, "queens dumped": 3}
_ROUNDING: Final = 1e-9
"""Elo differences below this are what the rounding of a fit leaves of 0."""


def compare(
    results: Results, a: str, b: str, against: Results | None = None, *, force: bool = False
) -> Comparison:
    """Compare two entries in one pass over the log.

    Parameters
    ----------
    results : Results
        Of a finished or unfinished run.
    a, b : str
        Names of entries of `results`.
    against : Results, optional
        Run of which `b` is an entry instead. With the same seed and schedule its blocks are the
        same deals, and the two are compared block by block.
    force : bool
        Compare two runs although they differ in more than the two entries.

    Raises
    ------
    ResultsError
        When one of the two is no entry, nothing is played yet (of `a` or `b`), a file is damaged,
        or two runs differ in rules, format or field.

    Notes
    -----
    Of two runs the Elo difference is from one fit, in which the others are the same entries in
    both: the scale of either is held by the rest of the field, and only by that. Blocks of the
    same deals are one observation in it. Where the blocks are other deals, the errors of the two
    are independent: they add up in squares, with degrees of freedom by Welch and Satterthwaite as
    in `RatioEstimate.difference_degrees_of_freedom`.
    """
    joined = Joined.of(results, a, b, against)
    differ = differences(*joined.runs, a, b) if len(joined.runs) == 2 else []
    if differ and not force:
        raise ResultsError(
            f"{joined.runs[0].path} and {joined.runs[1].path} differ in more than {_pair(a, b)}, "
            "so that a difference could be due to that:\n"
            + "".join(f"  {text}\n" for text in differ)
            + "play one of them again with the settings of the other, or give --force to compare "
            "them as they are"
        )
    counts = _Counts(joined)
    for games, hands in joined.parts():
        counts.add_games(games)
        if hands is not None:
            counts.add_hands(hands)
    return counts.comparison(differ)


def _pair(a: str, b: str) -> str:
    return a if a == b else f"{a} and {b}"


class _Counts:
    """Sums over the parts of a run, or of two."""

    def __init__(self, joined: Joined) -> None:
        self.joined = joined
        self.first, self.second = joined.first, joined.second
        info = joined.runs[0].info
        self.kind: str = info["identity"]["format"]
        self.kinds = {run.info["identity"]["format"] for run in joined.runs}
        self.confidence: float = info["config"]["report"]["confidence"]
        self.tally = Tally(joined.entries, max(run.info["blocks"] for run in joined.runs))
        self.games = self.hands = 0
        self.games_by_run = [0] * len(joined.runs)
        self.line_ups: dict[int, _LineUpSums] = {}
        self.groups: dict[tuple[str, int], RatioSums] = {}
        self.hands_by: dict[tuple[str, int], int] = {}
        self.telling = TellingHands(self.first, self.second, alike=len(joined.runs) == 2)

    def add_games(self, rows: Mapping[str, np.ndarray[Any, Any]]) -> None:
        self.tally.add_games(rows)
        _, start, game = np.unique(rows["game"], return_index=True, return_inverse=True)
        self.games += len(start)
        self.hands += int(rows["hands"][start].sum())
        run = rows["game"][start] % len(self.joined.runs)
        for number, count in enumerate(np.bincount(run, minlength=len(self.joined.runs))):
            self.games_by_run[number] += int(count)
        seats = [
            np.bincount(game, rows["strategy"] == entry).astype(np.int64)
            for entry in (self.first, self.second)
        ]
        group: np.ndarray[Any, Any]
        if self.kinds == {"duel"}:
            theirs = seats[1] if len(self.joined.runs) == 2 else seats[0]
            group = np.where(run == 0, seats[0], theirs)
        elif len(self.joined.runs) == 1 and self.kind != "selfplay":
            group = ((seats[0] > 0) & (seats[1] > 0)).astype(np.int64) - 1
        else:
            return
        for number in np.unique(group[group >= 0]).tolist():
            found = self.line_ups.setdefault(number, _LineUpSums(self.tally.entries))
            there = (group == number)[game]
            found.add({name: values[there] for name, values in rows.items()}, self._sides)

    def add_hands(self, rows: Mapping[str, np.ndarray[Any, Any]]) -> None:
        if not self.joined.unlike:
            self.tally.add_hands(rows)
            self.telling.add(rows)
        side = self._sides(rows["strategy"])
        own = side >= 0
        mine = {name: values[own] for name, values in rows.items()}
        _, block = np.unique(mine["block"], return_inverse=True)
        cell = 2 * block + side[own]
        for key in ("pass", "seat"):
            for value in np.unique(mine[key]).tolist():
                there = mine[key] == value
                self._add(key, value, cell[there], mine["points"][there])
        values = {
            "moons made": mine["moon"] == 1,
            "moons suffered": mine["moon"] == -1,
            "queens taken": mine["queen"],
            "hearts": mine["hearts"],
            "tricks": mine["tricks"],
            **{name: mine["queen_how"] == how for name, how in _HOW.items()},
        }
        for place, (name, per) in enumerate(MEASURES.items()):
            self._add("play", place, cell, per * values[name].astype(np.int64))

    def _sides(self, entry: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """0 for the first, 1 for the second, -1 for others."""
        return np.where(entry == self.first, 0, np.where(entry == self.second, 1, -1))

    def _add(
        self, kind: str, value: int, cell: np.ndarray[Any, Any], total: np.ndarray[Any, Any]
    ) -> None:
        """Add hands, each in a cell of 2 block + side, added up by cell."""
        times = np.bincount(cell)
        there = np.flatnonzero(times)
        sums = self.groups.setdefault((kind, value), RatioSums(2))
        totals = np.bincount(cell, total)[there]
        sums.add(there // 2, there % 2, totals, times[there])
        self.hands_by[kind, value] = self.hands_by.get((kind, value), 0) + len(cell)

    def comparison(self, differ: list[str]) -> Comparison:
        """Estimate everything from the sums."""
        joined, tally = self.joined, self.tally
        self._check_played()
        highest = joined.runs[0].rules.win == "highest"
        points = self._measure("points", tally.points, self.first, self.second)
        elo = self._elo(tally.table)
        better, los_from = points.difference, "points"
        if elo is not None and not math.isnan(elo.superiority):
            better, los_from = elo, "elo"
        los = better.superiority
        if los_from == "points" and not highest:
            los = 1 - los
        contestants = _contestants(joined)
        return Comparison(
            first=contestants[0],
            second=contestants[1],
            finished=all(run.info["status"] == "finished" for run in joined.runs),
            format=self.kind,
            games=self.games,
            hands=self.hands,
            blocks=points.blocks,
            confidence=self.confidence,
            highest_wins=highest,
            pooled=joined.runs[0].rules.teams == "pooled",
            log=min((run.log for run in joined.runs), key=("games", "hands", "plays").index),
            paired=None if len(joined.runs) == 1 else not joined.unlike,
            unpaired_because=joined.unlike,
            left_out=self._left_out(),
            differ=differ,
            shared=joined.shared,
            points=points,
            net=None if "selfplay" in self.kinds else self._of_tally("net", tally.net),
            datum=self._of_tally("datum", tally.datum)
            if joined.has_hands and not joined.unlike
            else None,
            elo=elo,
            los=los,
            los_from=los_from,
            games_needed=math.nan
            if elo is None
            else games_needed(self.games, elo.half_width, WANTED_ELO),
            verdict=verdict(
                contestants[0].label,
                contestants[1].label,
                points.difference,
                elo,
                games=self.games,
                blocks=points.blocks,
                highest_wins=highest,
            ),
            line_ups=list(self._line_ups()),
            passes=self._groups("pass", joined.passes),
            seats=self._groups("seat", [str(seat) for seat in range(255)]),
            play=self._groups("play", list(MEASURES)),
            telling=[self._in_its_run(hand) for hand in self.telling.hands],
        )

    def _check_played(self) -> None:
        joined = self.joined
        for run in joined.runs:
            if not run.folder.parts():
                raise ResultsError(
                    f"{run.path}: nothing is played yet: let the run play at least one part first"
                )
        if not self.games:
            raise ResultsError(
                f"{joined.runs[0].path} and {joined.runs[1].path} have no block in common yet: let "
                "both play on"
            )
        blocks = self.tally.points.estimate().blocks
        for name, entry, run in zip(
            (joined.a, joined.b),
            (self.first, self.second),
            (joined.runs[0], joined.runs[-1]),
            strict=True,
        ):
            if not blocks[entry]:
                raise ResultsError(f"{name} has not played yet in {run.path}: let the run play on")

    def _left_out(self) -> int:
        """Blocks that one of two paired runs has and the other one has not."""
        joined = self.joined
        if len(joined.runs) == 1 or joined.unlike:
            return 0
        played = [
            sum(notes["blocks"][1] - notes["blocks"][0] for notes in run.folder.parts().values())
            for run in joined.runs
        ]
        return int(sum(played) - 2 * self.tally.blocks)

    def _of_tally(self, name: str, sums: RatioSums) -> Measure:
        return self._measure(name, sums, self.first, self.second)

    def _measure(
        self, name: str, sums: RatioSums, first: int, second: int, hands: int = 0
    ) -> Measure:
        estimate = sums.estimate(self.confidence)
        return Measure(
            name=name,
            first=float(estimate.estimate[first]),
            second=float(estimate.estimate[second]),
            difference=_difference(estimate, first, second),
            blocks=int(min(estimate.blocks[first], estimate.blocks[second])),
            hands=hands,
        )

    def _groups(self, kind: str, names: list[str]) -> list[Measure]:
        return [
            self._measure(names[value], self.groups[kind, value], 0, 1, self.hands_by[kind, value])
            for found, value in sorted(self.groups, key=_hold_last)
            if found == kind
        ]

    def _elo(self, table: Crosstable) -> Difference | None:
        joined = self.joined
        if len(joined.runs) == 2 and not joined.shared:
            return None
        met = table.entry_blocks() > 0
        if not (met[self.first] and met[self.second]):
            return None
        at = self.first, self.second
        ratings = bradley_terry(table, confidence=self.confidence)
        gap = float(ratings.difference()[at])
        if math.isfinite(gap) and math.isinf(ratings.difference_se()[at]):
            # Both are outside the largest group: an anchor moves no difference, but makes their
            # group the one that has errors.
            ratings = bradley_terry(table, anchor=min(at), confidence=self.confidence)
            gap = float(ratings.difference()[at])
        return Difference(
            difference=0.0 if abs(gap) < _ROUNDING else gap,
            se=float(ratings.difference_se()[at]),
            freedom=float(ratings.difference_degrees_of_freedom()[at]),
            confidence=self.confidence,
            design_effect=float(ratings.difference_design_effect()[at]),
        )

    def _line_ups(self) -> Iterator[LineUp]:
        whole = self.kind != "duel"
        players = self.joined.runs[0].rules.players
        for seats, sums in sorted(
            self.line_ups.items(), key=lambda item: _alone_first(item[0], players)
        ):
            if whole and sums.games == self.games:
                continue
            wins = sums.table.win_matrix()
            met = wins[self.first, self.second] + wins[self.second, self.first]
            yield LineUp(
                name=self._line_up_name(seats, players),
                games=sums.games,
                points=self._measure("points", sums.points, 0, 1),
                score=float(wins[self.first, self.second] / met) if met else math.nan,
                elo=self._elo(sums.table),
            )

    def _line_up_name(self, seats: int, players: int) -> str:
        if self.kind != "duel":
            return "both at the table"
        if len(self.joined.runs) == 1:
            return f"{seats} {self.joined.a}, {players - seats} {self.joined.b}"
        return f"{seats} of {players} seats"

    def _in_its_run(self, hand: TellingHand) -> TellingHand:
        """Give a hand the numbers of its games in their runs."""
        block = self.joined.origin(hand.block, hand.first_game)[1]
        return dataclasses.replace(
            hand,
            block=block,
            first_game=self.joined.origin(hand.block, hand.first_game)[2],
            second_game=self.joined.origin(hand.block, hand.second_game)[2],
        )


class _LineUpSums:
    """Sums over the games of one line-up."""

    def __init__(self, entries: int) -> None:
        self.games = 0
        self.points = RatioSums(2)
        self.table = Crosstable.from_pairs(concatenate([]), entries, concatenate([]))

    def add(self, rows: Mapping[str, np.ndarray[Any, Any]], sides: Any) -> None:
        """Add the rows of whole games; `sides` tells which entry is 0, 1 or neither."""
        block, game, entry = rows["block"], rows["game"], rows["strategy"]
        self.games += len(np.unique(game))
        side = sides(entry)
        own = side >= 0
        self.points.add(block[own], side[own], rows["points"][own], rows["hands"][own], game[own])
        team = rows["team"].astype(np.int64) if (rows["team"] >= 0).any() else None
        self.table += Crosstable.from_placements(
            block, game, entry, rows["place"], self.table.entries, team
        )


def _hold_last(group: tuple[str, int]) -> tuple[bool, str, int]:
    return group == ("pass", 0), *group


def _alone_first(seats: int, players: int) -> tuple[bool, int]:
    """One against many, many against one, then the rest."""
    return seats not in (1, players - 1), seats


def _difference(estimate: RatioEstimate, first: int, second: int) -> Difference:
    at = first, second
    return Difference(
        difference=float(estimate.estimate[first] - estimate.estimate[second]),
        se=float(estimate.difference_se()[at]),
        freedom=float(estimate.difference_degrees_of_freedom()[at]),
        confidence=estimate.confidence,
        design_effect=float(estimate.difference_design_effect()[at]),
    )


def _contestants(joined: Joined) -> tuple[Contestant, Contestant]:
    found = []
    for name, run in ((joined.a, joined.runs[0]), (joined.b, joined.runs[-1])):
        entry = run.info["identity"]["entries"][run.names.index(name)]
        label = name if joined.a != joined.b else f"{name} ({run.path})"
        found.append(
            Contestant(
                name,
                label,
                entry["strategy"],
                entry["options"],
                entry["digest"],
                str(run.path),
                sum(notes["faulty"][name] for notes in run.folder.parts().values()),
            )
        )
    return found[0], found[1]
