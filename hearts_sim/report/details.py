"""Frames of what lies behind the points: passes, seats, hands, moons, queens, time, faults."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from hearts_sim.report.convergence import convergence
from hearts_sim.stats import CellEstimate, ratio_by_block
from hearts_sim.tournament.counting import worst
from hearts_sim.tournament.counting.details import HOWS, MOST_HANDS, RATES
from hearts_sim.tournament.log.columns import names_for

if TYPE_CHECKING:
    from hearts_sim.report.summary import Summary
    from hearts_sim.tournament.counting.details import DetailCounts

RARE: Final = 0.01
"""Hands that a smaller share of the games reaches are left out of what is told by hand."""

_INTERVAL: Final = ("low", "high")


DETAILS: Final = (
    "by_pass", "by_seat", "by_hand", "trajectory", "lengths", "moons", "queens", "queens_given",
    "takes", "convergence", "timing", "faults", "worst", "stopping",
)  # fmt: skip
"""The frames by name."""


def _from_here(path: Path) -> str:
    """A folder as one names it from the current folder, however it was named."""
    whole, here = path.resolve(), Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else whole)


class Details:
    """Frames of a run, each made when it is first asked for.

    In every frame `strategy` is the name of the entry, entries come in the order of
    `Results.names`, and what never happened has no row: no entry that did not play, no seat that
    it did not have. `low` and `high` are the ends of an interval at the run's confidence, with
    blocks as units; nan where it cannot be told. An interval of what is counted ends at 0, that of
    a share also at 1. A share that is the one or the other has none: a thing that was never seen
    does not tell how rare it is.

    A hand counts for each seat of an entry. A frame that needs the log of hands is None without it.

    Parameters
    ----------
    summary : Summary
    """

    def __init__(self, summary: Summary) -> None:
        self._summary = summary
        self._names = summary.results.names
        self._rules = summary.results.rules
        self._confidence = summary.confidence

    @property
    def _counted(self) -> DetailCounts:
        return self._summary.detailed

    @property
    def _has_hands(self) -> bool:
        return self._summary.results.has("hands")

    @cached_property
    def by_pass(self) -> pd.DataFrame | None:
        """Points per hand by direction of the pass, in the order of the directions in a game.

        Columns: strategy, pass (as in the log), points, low, high, hands, blocks.
        """
        if not self._has_hands:
            return None
        texts = names_for(self._rules, self._names)["pass"]
        offsets = (self._rules.pass_offset(token) for token in self._rules.pass_cycle)
        # -1, a scatter, is the last of the texts.
        order = list(dict.fromkeys(offset % len(texts) for offset in offsets))
        found = self._counted.passes.estimate(self._confidence)
        return self._by(found, "pass", [texts[code] for code in order], order)

    @cached_property
    def by_seat(self) -> pd.DataFrame:
        """Points per hand by seat.

        Columns: strategy, seat (from 0), points, low, high, hands, blocks.
        """
        found = self._counted.seats.estimate(self._confidence)
        seats = range(self._rules.players)
        return self._by(found, "seat", seats, seats)

    @cached_property
    def by_hand(self) -> pd.DataFrame | None:
        """Points by number of the hand in its game, for hands that are not rare.

        Columns: strategy, hand (from 1), points, low, high, hands, blocks.
        """
        if not self._has_hands:
            return None
        found = self._counted.hands.estimate(self._confidence)
        return self._by(found, "hand", [hand + 1 for hand in self._usual], self._usual)

    @cached_property
    def trajectory(self) -> pd.DataFrame | None:
        """Totals after each hand, over the games that have it.

        Columns: strategy, hand (as in `by_hand`), score (the mean), low, high, q10, q90 (quantiles
        of the total, interpolated as `numpy.quantile` does; see `Totals`), games (one for each seat
        of the entry).
        """
        if not self._has_hands:
            return None
        found = self._counted.scores.estimate(self._confidence)
        hands = [hand + 1 for hand in self._usual]
        frame = self._by(found, "hand", hands, self._usual, mean="score")
        there = found.blocks[:, self._usual] > 0
        for name, share in (("q10", 0.1), ("q90", 0.9)):
            frame[name] = self._counted.totals.quantile(share)[:, self._usual][there]
        frame["games"] = frame["hands"]
        return frame[["strategy", "hand", "score", *_INTERVAL, "q10", "q90", "games"]]

    @cached_property
    def lengths(self) -> pd.DataFrame:
        """Games of the run by their number of hands.

        Columns: hands, games.
        """
        hands = np.flatnonzero(self._counted.lengths)
        return pd.DataFrame({"hands": hands, "games": self._counted.lengths[hands]})

    @cached_property
    def moons(self) -> pd.DataFrame | None:
        """Moons by what an entry had to do with them.

        Columns: strategy; made (or its team), suffered (it paid), stopped (attempts of others that
        it ended, see ``moon_stopped_by`` of the log) and failed (its own, or its team's, that
        others ended), in hands; hands; and of the first three the share of its hands, such as
        made_share, made_low, made_high.
        """
        if not self._has_hands:
            return None
        kinds = ("made", "suffered", "stopped")
        columns = {kind: self._total(kind) for kind in (*kinds, "failed")}
        columns["hands"] = self._hands
        for kind in kinds:
            columns |= {f"{kind}_{end}": it for end, it in self._share(kind).items()}
        return self._of_players(columns)

    @cached_property
    def queens(self) -> pd.DataFrame | None:
        """Queens of spades that an entry took, by how they were played.

        Columns: strategy, how (led, followed, dumped), taken, share (by its hands), low, high. With
        one pack `taken` are hands. With two it counts queens, so that a share may be above 1; who
        took both has them as the one that was played last. A queen in a kitty was not played.
        """
        return self._queens("taken", HOWS) if self._has_hands else None

    @cached_property
    def queens_given(self) -> pd.DataFrame | None:
        """Queens of spades that an entry played and another side took, by how it played them.

        Columns: strategy, how (led, followed, dumped), given, share (by its hands), low, high.
        `given` are hands; with two packs, hands and takers, and who took both has them from the
        seat that played the last one.
        """
        return self._queens("given", [f"given {how}" for how in HOWS]) if self._has_hands else None

    @cached_property
    def takes(self) -> pd.DataFrame | None:
        """What an entry takes in a hand.

        Columns: strategy; hearts, queens, tricks, and clean, the share of hands in which it took no
        penalty point (whatever it paid for a moon); each with its interval, such as hearts_low,
        hearts_high; hands.
        """
        if not self._has_hands:
            return None
        columns = {}
        for name in ("hearts", "queens", "tricks"):
            at = RATES.index(name)
            columns[name] = self._rates.estimate[:, at]
            columns[f"{name}_low"] = np.maximum(_told(self._rates.low[:, at]), 0.0)
            columns[f"{name}_high"] = _told(self._rates.high[:, at])
        clean = self._share("clean")
        columns["clean"] = clean["share"]
        columns |= {f"clean_{end}": clean[end] for end in _INTERVAL}
        return self._of_players(columns | {"hands": self._hands})

    @cached_property
    def convergence(self) -> pd.DataFrame:
        """Elo and points per hand as they were after the first so many blocks.

        Columns: strategy, blocks, elo, low, high, points, points_low, points_high. See
        `hearts_sim.report.convergence`.
        """
        return convergence(self._summary)

    @cached_property
    def timing(self) -> pd.DataFrame:
        """Time per decision, from those that were timed; parts of the run are the units.

        Columns: strategy, microseconds, low, high, decisions.
        """
        rows = [
            (number, entry, notes["nanoseconds"][name], notes["decisions"][name])
            for number, notes in sorted(self._summary.results.folder.parts().items())
            for entry, name in enumerate(self._names)
            if notes["decisions"].get(name)
        ]
        part, entry, spent, decisions = np.array(rows, np.int64).reshape(-1, 4).T
        entries = len(self._names)
        found = ratio_by_block(part, entry, spent / 1000, decisions, entries, self._confidence)
        columns = {
            "microseconds": found.estimate,
            "low": np.maximum(_told(found.low), 0.0),
            "high": _told(found.high),
            "decisions": np.bincount(entry, decisions, entries).astype(np.int64),
        }
        return self._frame(columns, found.blocks > 0)

    @cached_property
    def faults(self) -> pd.DataFrame:
        """Faults of each entry by their kind, the most frequent first.

        Columns: strategy, kind, faults.
        """
        kinds = self._summary.faults.kinds
        rows = [
            (name, kind, number)
            for name in self._names
            if name in kinds
            for kind, number in sorted(kinds[name].items(), key=lambda item: (-item[1], item[0]))
        ]
        frame = pd.DataFrame(rows, columns=["strategy", "kind", "faults"])
        return frame.astype({"faults": np.int64})

    @cached_property
    def worst(self) -> pd.DataFrame | None:
        """The five hands in which an entry got most points, or fewest where the highest wins.

        Hands in which another shot the moon are left out.

        Columns: strategy, rank (from 1), points, block, seating, game, hand, seat (as in the log;
        of equal ones the first there), replay (the command that shows the hand).
        """
        if not self._has_hands:
            return None
        columns = dict(zip(worst.FIELDS, self._counted.worst.T, strict=True))
        entry = columns.pop("strategy")
        run = shlex.quote(_from_here(self._summary.results.path))
        frame = pd.DataFrame(
            {
                "strategy": [self._names[number] for number in entry],
                "rank": np.arange(len(entry)) - np.searchsorted(entry, entry) + 1,
                **columns,
            }
        )
        frame["replay"] = [
            f"hearts-sim replay {run} {game} --hand {hand}"
            for game, hand in zip(frame["game"], frame["hand"], strict=True)
        ]
        return frame

    @cached_property
    def stopping(self) -> pd.DataFrame | None:
        """Whose attempts to shoot the moon were ended by whom.

        Columns: strategy (who stopped it), shooter, hands.
        """
        if not self._has_hands:
            return None
        stopper, shooter = np.nonzero(self._counted.stopping)
        return pd.DataFrame(
            {
                "strategy": [self._names[entry] for entry in stopper],
                "shooter": [self._names[entry] for entry in shooter],
                "hands": self._counted.stopping[stopper, shooter],
            }
        )

    @cached_property
    def _usual(self) -> list[int]:
        """Numbers, from 0, of the hands that enough games reach."""
        lengths = self._counted.lengths
        reached = lengths[::-1].cumsum()[::-1][1:]
        usual = np.flatnonzero((reached >= RARE * lengths.sum()) & (reached > 0))
        return [int(hand) for hand in usual[:MOST_HANDS]]

    @cached_property
    def _rates(self) -> CellEstimate:
        return self._counted.rates.estimate(self._confidence)

    @property
    def _hands(self) -> Any:
        return self._rates.count[:, 0].astype(np.int64)

    def _total(self, rate: str) -> Any:
        return self._rates.total[:, RATES.index(rate)].astype(np.int64)

    def _share(self, rate: str, most: int = 1) -> dict[str, Any]:
        """A rate with its interval, which ends at 0 and at `most`."""
        at = RATES.index(rate)
        total, count = self._rates.total[:, at], self._rates.count[:, at]
        known = (total > 0) & (total < most * count)
        low, high = (_told(getattr(self._rates, end)[:, at]) for end in _INTERVAL)
        return {
            "share": self._rates.estimate[:, at],
            "low": np.where(known, np.maximum(low, 0.0), np.nan),
            "high": np.where(known, np.minimum(high, most), np.nan),
        }

    def _queens(self, count: str, rates: Sequence[str]) -> pd.DataFrame:
        shares = [self._share(rate, self._rules.packs) for rate in rates]
        played = self._hands > 0
        names = [name for name, there in zip(self._names, played, strict=True) if there]
        columns: dict[str, Any] = {
            "strategy": [name for name in names for _ in HOWS],
            "how": list(HOWS) * len(names),
            count: np.stack([self._total(rate) for rate in rates], axis=1)[played].ravel(),
        }
        for end in ("share", *_INTERVAL):
            values = np.stack([share[end] for share in shares], axis=1)
            columns[end] = values[played].ravel()
        return pd.DataFrame(columns)

    def _of_players(self, columns: dict[str, Any]) -> pd.DataFrame:
        """A row for each entry that finished a hand."""
        return self._frame(columns, self._hands > 0)

    def _frame(self, columns: dict[str, Any], there: Any) -> pd.DataFrame:
        names = [name for name, kept in zip(self._names, there, strict=True) if kept]
        kept = {column: values[there] for column, values in columns.items()}
        return pd.DataFrame({"strategy": names, **kept})

    def _by(
        self,
        found: CellEstimate,
        column: str,
        values: Sequence[Any],
        categories: Sequence[int],
        mean: str = "points",
    ) -> pd.DataFrame:
        """A row for each entry and category with data: `values` name the categories."""
        chosen = list(categories)
        entry, place = np.nonzero(found.blocks[:, chosen])
        cell = entry, np.array(chosen, np.int64)[place]
        return pd.DataFrame(
            {
                "strategy": [self._names[number] for number in entry],
                column: [values[number] for number in place.tolist()],
                mean: found.estimate[cell],
                "low": _told(found.low[cell]),
                "high": _told(found.high[cell]),
                "hands": found.count[cell].astype(np.int64),
                "blocks": found.blocks[cell],
            }
        )


def _told(values: Any) -> Any:
    """Ends of intervals, nan where these are infinite."""
    return np.where(np.isfinite(values), values, np.nan)
