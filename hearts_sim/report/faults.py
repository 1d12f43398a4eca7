"""What failed in a run, and what the ratings are without the blocks in which something did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from hearts_sim.stats import Ratings, RatioEstimate, bradley_terry
from hearts_sim.tournament.counting.counts import Counts
from hearts_sim.tournament.counting.tally import GAME_COLUMNS, Tally
from hearts_sim.tournament.reading.results import Results

NOT_REPRODUCIBLE: Final = ("too_slow", "memory")
"""Kinds of faults that depend on the machine."""


@dataclass
class Clean:
    """Estimates from the blocks without any fault; vectors in the order of `Results.names`.

    Attributes
    ----------
    blocks, games : int
        How many there are.
    points : RatioEstimate
        Points per hand.
    ratings : Ratings or None
        Elo; None where nobody met anybody else in these blocks.
    anchor : str or None
        Entry that ratings are relative to. None for the mean, which also stands in for an anchor
        that has met nobody in these blocks.
    """

    blocks: int
    games: int
    points: RatioEstimate
    ratings: Ratings | None
    anchor: str | None


@dataclass
class Faults:
    """All that failed.

    Attributes
    ----------
    policy : str
        What was done about it: strict, substitute or forfeit.
    kinds : dict of str to Counter
        Faults of each strategy that has any, by their kind.
    first : list of dict
        The first fault of each strategy and kind, with all columns of the log.
    not_reproducible : int
        Blocks with a fault of time or memory.
    not_reproducible_by : list of str
        Strategies that had these.
    clean : Clean or None
        None when no block has a fault, or every one.
    disqualified : list of dict
        strategy, block (the first it does not play), games, faulty, why.
    not_loaded : list of dict
        file, message.
    """

    policy: str
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    first: list[dict[str, Any]] = field(default_factory=list)
    not_reproducible: int = 0
    not_reproducible_by: list[str] = field(default_factory=list)
    clean: Clean | None = None
    disqualified: list[dict[str, Any]] = field(default_factory=list)
    not_loaded: list[dict[str, Any]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Number of faults."""
        return sum(sum(kinds.values()) for kinds in self.kinds.values())

    @property
    def out(self) -> set[str]:
        """Names of the disqualified."""
        return {item["strategy"] for item in self.disqualified}

    def __bool__(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.kinds or self.disqualified or self.not_loaded)


def find_faults(results: Results, counted: Counts, anchor: str | None) -> Faults:
    """Collect what failed, and estimate again from the blocks that have no fault.

    The log is read again only where something failed.

    Parameters
    ----------
    results : Results
    counted : Counts
        Of the whole run.
    anchor : str or None
        Entry that the run's ratings are relative to.

    Raises
    ------
    ResultsError
        When a file is damaged.
    """
    info = results.info
    found = Faults(
        policy=info["config"].get("faults", {}).get("policy", "substitute"),
        disqualified=info.get("disqualified") or [],
        not_loaded=info.get("not_loaded") or [],
    )
    if counted.tainted or found.disqualified:
        _read_log(results, found)
    if counted.tainted:
        found.clean = _without(results, counted.tainted, anchor)
    return found


def _read_log(results: Results, found: Faults) -> None:
    blocks: set[int] = set()
    by: set[str] = set()
    for part in results.parts("faults"):
        rows = part.select(["strategy", "kind", "block"]).to_pandas()
        strategies, kinds = rows["strategy"].astype(str), rows["kind"].astype(str)
        for at, (strategy, kind) in enumerate(zip(strategies, kinds, strict=True)):
            known = found.kinds.setdefault(strategy, Counter())
            if kind not in known:
                found.first.append(part.slice(at, 1).to_pylist()[0])
            known[kind] += 1
        late = kinds.isin(NOT_REPRODUCIBLE)
        blocks.update(rows["block"][late].tolist())
        by.update(strategies[late])
    found.not_reproducible = len(blocks)
    found.not_reproducible_by = [name for name in results.names if name in by]


def _without(results: Results, tainted: set[int], anchor: str | None) -> Clean | None:
    """Estimates from the other blocks; None when there are none."""
    confidence = results.info["config"]["report"]["confidence"]
    tally = Tally(len(results.names), int(results.info.get("blocks", 1)))
    left_out = np.array(sorted(tainted))
    games = 0
    for part in results.kept_parts():
        if tainted.isdisjoint(range(*part.notes["blocks"])):
            tally.merge(part.counts().tally)
            games += part.notes["games"]
            continue
        columns = part.rows("games", GAME_COLUMNS)
        kept = ~np.isin(columns["block"], left_out)
        if kept.any():
            tally.add_games({name: values[kept] for name, values in columns.items()})
            games += int(kept.sum()) // results.rules.players
    if not tally.blocks:
        return None
    table = tally.table
    compared = table.entry_blocks() > 0
    ratings = place = None
    if compared.any():
        place = None if anchor is None else results.names.index(anchor)
        if place is not None and not compared[place]:
            place = None
        ratings = bradley_terry(table, anchor=place, confidence=confidence)
    return Clean(
        blocks=tally.blocks,
        games=games,
        points=tally.points.estimate(confidence),
        ratings=ratings,
        anchor=None if place is None else anchor,
    )


def elo_change(ratings: Ratings | None, clean: Ratings | None) -> Any:
    """Elo without tainted blocks less that of the whole run, for each entry.

    Two ratings around means of different fields cannot be subtracted: the difference is taken
    around the mean of those that are measured in both.

    Returns
    -------
    ndarray of shape (k,), or None
        nan for an entry that is not measured in both; None where one of them has no Elo.
    """
    if ratings is None or clean is None:
        return None
    measured = [(found.bound == 0) & ~np.isnan(found.elo) for found in (ratings, clean)]
    both = measured[0] & measured[1]
    change = np.where(both, clean.elo - ratings.elo, np.nan)
    same_reference = ratings.anchor == clean.anchor and (
        ratings.anchor is not None or np.array_equal(*measured)
    )
    if both.any() and not same_reference:
        change -= change[both].mean()
    return change
