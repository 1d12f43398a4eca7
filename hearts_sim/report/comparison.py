"""What a comparison of two entries tells; every difference is the first less the second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hearts_sim.report.telling_hands import TellingHand
from hearts_sim.report.verdicts import Difference

MEASURES: Final = {
    "moons made": 100,
    "moons suffered": 100,
    "queens taken": 100,
    "queens led": 100,
    "queens followed": 100,
    "queens dumped": 100,
    "hearts": 1,
    "tricks": 1,
}
"""What is counted in the log of hands, and per how many hands."""


@dataclass(frozen=True)
class Measure:
    """A figure of both entries.

    Attributes
    ----------
    name : str
    first, second : float
        The figure of each; nan where it has none.
    difference : Difference
        First less second.
    blocks : int
        Blocks of the one that has fewer.
    hands : int
        Hands of cards that either held; 0 where they are not counted.
    """

    name: str
    first: float
    second: float
    difference: Difference
    blocks: int
    hands: int = 0


@dataclass(frozen=True)
class LineUp:
    """Some games alone.

    Attributes
    ----------
    name : str
        Who sits at these tables.
    games : int
    points : Measure
        Points per hand.
    score : float
        Share of the comparisons of places of the two that the first won, ties half; nan where they
        never met.
    elo : Difference or None
        From these games alone; None where there is none.
    """

    name: str
    games: int
    points: Measure
    score: float
    elo: Difference | None


@dataclass(frozen=True)
class Contestant:
    """One of the two.

    `label` is its name, and with that of its run where both have one name; `faulty` are those of
    its games in which it failed.
    """

    name: str
    label: str
    strategy: str
    options: Mapping[str, Any]
    digest: str
    run: str
    faulty: int


@dataclass(frozen=True)
class Comparison:
    """What the games of two entries say about them.

    Attributes
    ----------
    first, second : Contestant
    finished : bool
        Whether all games are played.
    format : str
        Of the first one's run.
    games, hands, blocks : int
        Of all games that were looked at; `blocks` are those of the entry that has fewer.
    confidence : float
    highest_wins : bool
        Whether many points are good.
    pooled : bool
        Whether partners have one score.
    log : str
        What was logged; of two runs the lesser.
    paired : bool or None
        Whether two runs were compared block by block; None for one run.
    unpaired_because : str
        Why not; empty when they were.
    left_out : int
        Blocks that only one of two paired runs has.
    differ : list of str
        In what two runs differ apart from the two entries; only with `force`.
    shared : int
        Others that are in both of two runs; 0 for one run.
    points : Measure
        Points per hand.
    net : Measure or None
        Points per hand less the mean of the other sides at the table; None in self-play.
    datum : Measure or None
        Points per hand less the mean of all who held these cards; None without the log of hands,
        and for runs of different deals.
    elo : Difference or None
        None where there is none, in self-play and for two fields without a common entry.
    los : float
        Probability that the first is better; nan where it is unknown.
    los_from : {"elo", "points"}
    games_needed : float
        Further games for ±10 Elo; nan where it is unknown.
    verdict : str
    line_ups : list of LineUp
        In a duel by how many seats the first has; else the games with both at the table.
    passes, seats : list of Measure
        Points per hand by the direction of the pass, and by seat.
    play : list of Measure
        See `MEASURES`.
    telling : list of TellingHand
        The ten hands with the largest difference. Games are those of the entry's own run.
    """

    first: Contestant
    second: Contestant
    finished: bool
    format: str
    games: int
    hands: int
    blocks: int
    confidence: float
    highest_wins: bool
    pooled: bool
    log: str
    paired: bool | None
    unpaired_because: str
    left_out: int
    differ: list[str]
    shared: int
    points: Measure
    net: Measure | None
    datum: Measure | None
    elo: Difference | None
    los: float
    los_from: str
    games_needed: float
    verdict: str
    line_ups: list[LineUp]
    passes: list[Measure]
    seats: list[Measure]
    play: list[Measure]
    telling: list[TellingHand]
