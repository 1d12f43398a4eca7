"""Each strategy by itself: where it stands, how it plays, its worst hands."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import pandas as pd

from hearts_sim.report import behind, text
from hearts_sim.report.board import differences, pairwise
from hearts_sim.report.notes import verdicts
from hearts_sim.report.slugs import slugs
from hearts_sim.report.summary import Summary
from hearts_sim.report.tables import (
    Cell,
    Column,
    Table,
    identifiers,
    intervals,
    marks,
    numbers,
    on_scale,
    shares,
    table_of,
    words,
)

MOST_OPEN: Final = 8
"""Tables with more rows are folded."""


@dataclass(frozen=True)
class Part:
    """A table of a section, with its head."""

    title: str
    table: Table

    @property
    def folded(self) -> bool:
        """Whether it is shown only when asked for."""
        return len(self.table.rows) > MOST_OPEN


@dataclass(frozen=True)
class Profile:
    """What a report says about one strategy.

    Attributes
    ----------
    name : str
    slug : str
        For its address.
    standing : str
        Rank, Elo, points.
    source : str
        What plays: class, command or library, with its options.
    said : list of str
        The verdicts that name it, its disqualification, its faults.
    parts : list of Part
    worst : Table or None
        Its worst hands, with the commands that replay them.
    """

    name: str
    slug: str
    standing: str
    source: str
    said: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    worst: Table | None = None


def profiles(summary: Summary) -> list[Profile]:
    """A profile of every strategy, best first."""
    address = slugs(summary.results.names)
    named = _verdicts_by_name(summary)
    frames = _Frames(summary)
    entries = {entry["name"]: entry for entry in summary.results.info["identity"]["entries"]}
    rows: list[dict[str, Any]] = summary.board.to_dict("records")  # type: ignore[assignment]
    return [
        Profile(
            name=row["strategy"],
            slug=address[row["strategy"]],
            standing=_standing(row),
            source=source_of(entries.get(row["strategy"], {})),
            said=[*named.get(row["strategy"], []), *_failed(summary, row["strategy"])],
            parts=_parts(frames, row["strategy"], row["points"]),
            worst=_worst(frames, row["strategy"]),
        )
        for row in rows
    ]


def _verdicts_by_name(summary: Summary) -> dict[str, list[str]]:
    """The sentences that compare a strategy with the one before it and the one behind it."""
    board = summary.board
    ranked = [str(name) for name in board["strategy"][~board["disqualified"]]]
    named: dict[str, list[str]] = {}
    for pair, said in zip(itertools.pairwise(ranked), verdicts(summary), strict=False):
        for name in pair:
            named.setdefault(name, []).append(said)
    return named


def _standing(row: dict[str, Any]) -> str:
    rank = f"rank {text.ranks(row)}"
    parts = [
        "disqualified, without a rank" if row["disqualified"] else rank,
        f"{text.elo(row)} Elo",
        f"{text.with_error(row['points'], row['points_error'], 2)} points per hand",
        f"{text.percent(row['wins'])} of its games won",
        text.counted(int(row["games"]), "game"),
        text.counted(int(row["hands"]), "hand"),
    ]
    return " · ".join(part for part in parts if not part.startswith("–"))


def source_of(entry: dict[str, Any]) -> str:
    """What plays as an entry, in one line."""
    what = entry.get("strategy") or " ".join(entry.get("command") or []) or entry.get("library", "")
    options = entry.get("options")
    given = f", options {json.dumps(options)}" if options else ""
    return text.printable(f"{what}{given}")


def _failed(summary: Summary, name: str) -> list[str]:
    """Why it is disqualified, and how often it failed."""
    faults = summary.faults
    said = [
        text.printable(f"Disqualified: {item['why'].rstrip('.')}.")
        for item in faults.disqualified
        if item["strategy"] == name
    ]
    if name in faults.kinds:
        at = summary.results.names.index(name)
        kinds = ", ".join(
            f"{often:,} {text.printable(kind.replace('_', ' '))}"
            for kind, often in faults.kinds[name].most_common()
        )
        faulty = int(summary.counts.totals["faulty"][at])
        said.append(f"Faults: {kinds}; in {text.counted(faulty, 'game')}.")
    return said


class _Frames:
    """The frames of a run's details, cut up by strategy once."""

    def __init__(self, summary: Summary) -> None:
        self._summary = summary
        self._cut: dict[str, dict[str, pd.DataFrame]] = {}

    def own(self, name: str, strategy: str) -> pd.DataFrame | None:
        """Rows of a strategy; None where there are none."""
        if name not in self._cut:
            frame = self._made(name)
            self._cut[name] = (
                {}
                if frame is None
                else {str(key): own for key, own in frame.groupby("strategy", sort=False)}
            )
        return self._cut[name].get(strategy)

    def _made(self, name: str) -> pd.DataFrame | None:
        if name == "opponents":
            return opponents(self._summary)
        if name == "how":
            taken = behind.detail(self._summary, "queens")
            given = behind.detail(self._summary, "queens_given")
            return None if taken is None or given is None else behind.queens(taken, given)
        return behind.detail(self._summary, name)


def opponents(summary: Summary) -> pd.DataFrame:
    """Every strategy against every other one, best first; differences are its less the other's."""
    known = differences(summary, both=True)
    known["sure"] = np.select([known["better"], known["worse"]], ["better", "worse"], "–")
    won = pairwise(summary)[["strategy", "opponent", "games", "share"]]
    return known.merge(won, on=["strategy", "opponent"], how="left")


def _parts(frames: _Frames, name: str, points: float) -> list[Part]:
    makers: Sequence[tuple[str, str, Callable[[pd.DataFrame], Table]]] = (
        ("By pass", "by_pass", lambda own: _by(own, behind.PASS, points)),
        ("By seat", "by_seat", lambda own: _by(own, behind.SEAT, points)),
        ("Moons", "moons", _moons),
        ("Hearts, queens, tricks", "takes", _takes),
        ("The queen of spades", "how", _queens),
        ("Whose moons it stopped", "stopping", _stopping),
        ("By hand of the game", "by_hand", lambda own: _by(own, behind.HAND, points)),
        ("Against each other strategy", "opponents", _opponents),
    )
    found = []
    for title, frame, make in makers:
        own = frames.own(frame, name)
        if own is not None and len(own):
            found.append(Part(title, make(own)))
    return found


def _by(own: pd.DataFrame, by: Column, points: float) -> Table:
    """Points per hand by something; the pictures share one scale, with the whole in it."""
    known = own[["points", "low", "high"]].to_numpy(float).ravel()
    known = np.append(known[np.isfinite(known)], points)
    known = known[np.isfinite(known)]
    ends = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    table = table_of(
        own,
        [
            by,
            numbers("points", "points", 2, "points per hand"),
            marks("points", "low", "high", ends),
            intervals("low", "high"),
            numbers("hands", "hands"),
        ],
    )
    drawn = ends[1] > ends[0] and math.isfinite(points)
    return replace(table, line=on_scale(points, ends)) if drawn else table


def _turned(rows: list[dict[str, Any]], columns: Sequence[Column]) -> Table:
    return table_of(pd.DataFrame(rows), columns)


def _moons(own: pd.DataFrame) -> Table:
    row = own.iloc[0]
    rows = [
        {
            "what": name,
            "hands": row[name],
            "share": row[f"{name}_share"],
            "low": row[f"{name}_low"],
            "high": row[f"{name}_high"],
        }
        for name in ("made", "suffered", "stopped")
    ]
    nothing = float("nan")
    failed = {"what": "failed", "hands": row["failed"], "low": nothing, "high": nothing}
    share = row["failed"] / row["hands"] if row["hands"] else nothing
    return _turned(
        [*rows, failed | {"share": share}],
        [
            words("moon", "what"),
            numbers("hands", "hands"),
            shares("share", "share", 2, "of its hands"),
            intervals("low", "high", 2, percent=True),
        ],
    )


def _takes(own: pd.DataFrame) -> Table:
    row = own.iloc[0]
    rows = [
        {"what": what, "value": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}
        for name, what in (
            ("hearts", "hearts per hand"),
            ("queens", "queens per hand"),
            ("tricks", "tricks per hand"),
            ("clean", "share of hands without a point"),
        )
    ]
    return _turned(
        rows, [words("takes", "what"), numbers("value", "value", 3), intervals("low", "high", 3)]
    )


def _queens(own: pd.DataFrame) -> Table:
    return table_of(own, behind.queen_columns()[1:])


def _stopping(own: pd.DataFrame) -> Table:
    return table_of(own, [words("shooter", "shooter"), numbers("hands", "hands")])


def _opponents(own: pd.DataFrame) -> Table:
    return table_of(
        own,
        [
            words("opponent", "opponent"),
            shares("wins", "share", meaning="share of comparisons of places, ties half"),
            numbers("Elo", "elo_difference", sign=True, meaning="its own less the opponent's"),
            numbers("±", "elo_error"),
            numbers("points/hand", "points_difference", 2, sign=True),
            numbers("±", "points_error", 2),
            words("sure", "sure", "better or worse for all pairs at once (Holm's correction)"),
        ],
    )


def _worst(frames: _Frames, name: str) -> Table | None:
    own = frames.own("worst", name)
    if own is None or own.empty:
        return None
    replay = Column(
        "replay",
        lambda row: Cell(text.printable(str(row["replay"])), code=True),
        "the command that shows the hand card by card",
        "text",
    )
    return table_of(
        own,
        [
            numbers("points", "points"),
            *(identifiers(name, name) for name in ("block", "seating", "game", "hand", "seat")),
            replay,
        ],
    )
