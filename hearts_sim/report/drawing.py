"""The charts of a run: which can be drawn, and drawing one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from hearts_sim.cards import QUEEN_OF_SPADES
from hearts_sim.errors import ResultsError
from hearts_sim.report.board import differences, pairwise
from hearts_sim.report.kinds import KINDS, NEEDS_HANDS
from hearts_sim.report.notes import TEAM_PLACES, TEAM_POINTS, facts
from hearts_sim.report.summary import Summary
from hearts_sim.rules import nearest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DETAILS: Final = {
    "passes": "by_pass",
    "seats": "by_seat",
    "moons": "moons",
    "queens": "queens",
    "hearts": "takes",
    "trajectory": "trajectory",
    "lengths": "lengths",
    "convergence": "convergence",
    "timing": "timing",
    "faults": "faults",
}
"""Where in `Summary.details` the frame of a chart is."""

_OWN_ORDER: Final = {"ratings", "points", "ecdf", "places", "timing", "faults"}
"""Charts that put the best, or the most, first by what they show."""

_BY_TEAM: Final = {"points", "ecdf", "passes", "seats", "trajectory"}
_COLOURED: Final = frozenset(KINDS) - {"pairwise", "places", "lengths", "faults"}
_WITHOUT_INTERVALS: Final = {"points", "ecdf", "places", "lengths", "faults"}
_BETTER: Final = {"ratings", "points", "ecdf", "passes", "seats", "trajectory"}


def draw(summary: Summary, kind: str, strategies: Sequence[str] | None = None) -> Figure:
    """One chart of a run.

    Parameters
    ----------
    summary
    kind
        One of `hearts_sim.report.kinds.KINDS`.
    strategies
        Strategies to show, in this order; by default all, best first.

    Raises
    ------
    ResultsError
        When the chart needs the log of hands and the run did not keep it, when there is nothing to
        show, or when a strategy is not in the run.
    """
    from hearts_sim.report import charts

    chosen = _chosen(summary, strategies)
    frame = _frame(summary, kind)
    if frame is None or frame.empty:
        raise ResultsError(_why_not(summary, kind))
    if chosen and "strategy" in frame and not frame["strategy"].isin(chosen).any():
        raise ResultsError(
            f"the chart {kind!r} has nothing to show of {', '.join(chosen)} in "
            f"{summary.results.path}"
        )
    options: dict[str, Any] = {"subtitle": facts(summary), "notes": _notes(summary, kind)}
    if kind != "lengths":
        ranked = [] if kind in _OWN_ORDER else list(summary.board["strategy"])
        options["strategies"] = chosen or ranked
    if kind not in _WITHOUT_INTERVALS:
        options["confidence"] = summary.confidence
    if kind in _BETTER:
        options["highest_wins"] = summary.highest_wins
    if kind in _COLOURED:
        options["colours"] = _colours(summary, chosen)
    options |= _more(summary, kind)
    return charts.CHARTS[kind](frame, **options)


def drawable(summary: Summary) -> list[str]:
    """Kinds of charts that there is something to show in."""
    found = {kind: _frame(summary, kind) for kind in KINDS}
    return [kind for kind, frame in found.items() if frame is not None and not frame.empty]


def crosstable(summary: Summary) -> pd.DataFrame:
    """Who finishes ahead of whom, and whether that can be chance.

    Returns
    -------
    DataFrame
        strategy, opponent, games, wins, share, both directions, as `board.pairwise`;
        points_difference (points per hand of the first less those of the second); significant
        (whether their ratings are known to differ, for all pairs at once).
    """
    known = differences(summary, both=True)
    known["significant"] = (known["better"] | known["worse"]).astype(bool)
    columns = ["strategy", "opponent", "points_difference", "significant"]
    return pairwise(summary).merge(known[columns], on=["strategy", "opponent"], how="left")


def _frame(summary: Summary, kind: str) -> pd.DataFrame | None:
    """What a chart shows; None where the log is not enough."""
    made: dict[str, Callable[[], pd.DataFrame | None]] = {
        "ratings": lambda: summary.board,
        "pairwise": lambda: crosstable(summary),
        "places": lambda: summary.places,
        "points": lambda: summary.histogram,
        "ecdf": lambda: summary.histogram,
    }
    return made[kind]() if kind in made else _detail(summary, _DETAILS[kind])


def _detail(summary: Summary, name: str) -> pd.DataFrame | None:
    frame: pd.DataFrame | None = getattr(summary.details, name)
    return frame


def _chosen(summary: Summary, strategies: Sequence[str] | None) -> list[str]:
    """The strategies asked for, each once.

    Raises
    ------
    ResultsError
        When one is not in the run.
    """
    names = summary.results.names
    for name in strategies or ():
        if name not in names:
            raise ResultsError(
                f"no strategy {name!r} in {summary.results.path}{nearest(name, names)}"
            )
    return list(dict.fromkeys(strategies or ()))


def _why_not(summary: Summary, kind: str) -> str:
    path = summary.results.path
    if kind in NEEDS_HANDS and not summary.results.has("hands"):
        others = ", ".join(drawable(summary))
        return (
            f"the chart {kind!r} needs the log of hands, and {path} was played with log: "
            f"{summary.results.log}: play it with log: hands, or draw one of {others}"
        )
    if kind in NEEDS_HANDS:
        return f"the chart {kind!r} needs hands, and in {path} none was played to its end"
    reasons = {
        "pairwise": "nobody met another strategy",
        "faults": "nobody failed",
        "timing": "no decision was timed",
    }
    reason = reasons.get(kind, "nothing of it was counted")
    return f"the chart {kind!r} has nothing to show: in {path} {reason}"


def _notes(summary: Summary, kind: str) -> list[str]:
    rules = summary.results.rules
    notes = []
    if kind in _BY_TEAM | {"ratings"} and rules.teams == "pooled":
        notes.append(TEAM_POINTS)
    if kind == "places" and rules.teams != "none":
        notes.append(TEAM_PLACES)
    out = [item["strategy"] for item in summary.faults.disqualified]
    if kind == "ratings" and out:
        notes.append(f"Disqualified, without a rank: {', '.join(out)}.")
    return notes


def _colours(summary: Summary, chosen: Sequence[str]) -> dict[str, str]:
    """Colours of the field; in a large one those asked for are picked out."""
    from hearts_sim.report.charts.colours import HUES, strategy_colours

    names = summary.results.names
    picked = chosen if len(names) > len(HUES) >= len(chosen) else ()
    return strategy_colours(names, highlight=picked)


def _more(summary: Summary, kind: str) -> dict[str, Any]:
    """What only one kind of chart is told."""
    rules = summary.results.rules
    if kind == "ratings":
        return {"reference": summary.reference}
    if kind == "places":
        return {"sides": rules.sides}
    if kind == "points":
        return {"queen": rules.costs[QUEEN_OF_SPADES]}
    if kind == "queens":
        return {"given": _detail(summary, "queens_given")}
    return {}
