"""Writing the report of a run: its files, and what each of them holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pandas as pd

from hearts_sim.cards import QUEEN_OF_SPADES
from hearts_sim.errors import ResultsError
from hearts_sim.report import fault_text
from hearts_sim.report.as_json import as_json
from hearts_sim.report.board import differences, pairwise
from hearts_sim.report.kinds import KINDS, TITLES
from hearts_sim.report.markdown import markdown
from hearts_sim.report.notes import TEAM_PLACES, TEAM_POINTS, facts, field_of
from hearts_sim.report.page import Picture, html_page
from hearts_sim.report.summary import Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(summary: Summary, kind: str) -> Figure:
    """One chart of a run.

    Raises
    ------
    ResultsError
        When the chart needs the log of hands and the run did not keep it, or no hand was finished.
    """
    from hearts_sim.report import charts

    rules = summary.results.rules
    highest = summary.highest_wins
    board = summary.board
    played = facts(summary)
    team_points = [TEAM_POINTS] if rules.teams == "pooled" else []
    out = [item["strategy"] for item in summary.faults.disqualified]
    disqualified = [f"Disqualified, without a rank: {', '.join(out)}."] if out else []
    if kind == "ratings":
        return charts.ratings(
            board,
            reference=summary.reference,
            subtitle=played,
            confidence=summary.confidence,
            highest_wins=highest,
            notes=[*team_points, *disqualified],
        )
    if kind == "places":
        return charts.places(
            summary.places,
            sides=rules.sides,
            subtitle=played,
            notes=[] if rules.teams == "none" else [TEAM_PLACES],
        )
    if summary.histogram is None:
        raise ResultsError(
            f"the chart {kind!r} needs the log of hands, and {summary.results.path} was played "
            f"with log: {summary.results.log}: play it with log: hands"
        )
    if summary.histogram.empty:
        raise ResultsError(
            f"the chart {kind!r} needs hands, and in {summary.results.path} none was played to its "
            "end"
        )
    return charts.points_histogram(
        summary.histogram,
        subtitle=played,
        highest_wins=highest,
        queen=rules.costs[QUEEN_OF_SPADES],
        notes=team_points,
    )


def drawable(summary: Summary) -> list[str]:
    """Kinds of charts that the log of a run is enough for."""
    hands = summary.histogram is not None and not summary.histogram.empty
    return [kind for kind in KINDS if kind != "points" or hands]


def write_report(summary: Summary) -> list[str]:
    """Write all tables, charts and pages of a run into its folder.

    Returns
    -------
    list of str
        Names of the files, below the folder.

    Raises
    ------
    ResultsError
        When a file cannot be written.
    """
    from hearts_sim.report.charts import to_bytes, to_svg

    folder = summary.results.folder
    files: dict[str, bytes] = {
        "ratings.csv": _csv(_ratings(summary)),
        "summary.csv": _csv(summary.board),
        "pairwise.csv": _csv(pairwise(summary)),
        "differences.csv": _csv(differences(summary)),
        "summary.json": (json.dumps(as_json(summary), indent=2) + "\n").encode(),
    }
    faults = fault_text.table(summary)
    if faults is not None:
        files["faults.csv"] = _csv(faults)
    pictures = []
    for kind in drawable(summary):
        figure = draw(summary, kind)
        files[f"charts/{kind}.png"] = to_bytes(figure, "png")
        files[f"charts/{kind}.svg"] = drawn = to_bytes(figure, "svg")
        pictures.append(Picture(kind, TITLES[kind], to_svg(figure, drawn)))
    files["report.md"] = markdown(summary, pictures).encode()
    files["report.html"] = html_page(summary, pictures).encode()
    for name, data in files.items():
        folder.write(name, data)
    if faults is None:
        _delete(folder.path / "faults.csv")
    return list(files)


def _delete(path: Path) -> None:
    """Delete what an earlier report wrote."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be deleted: {error.strerror}") from None


_RATING_COLUMNS: Final = (
    "rank", "rank_best", "rank_worst", "strategy", "elo", "elo_bound", "elo_low", "elo_high",
    "elo_design", "superiority", "best", "blocks",
)  # fmt: skip


def _ratings(summary: Summary) -> pd.DataFrame:
    """The ratings, with what they hold for; where blocks are tainted also those without them."""
    frame = summary.board[list(_RATING_COLUMNS)].copy()
    frame["reference"] = summary.reference
    frame["holds_for"] = field_of(summary)
    clean = fault_text.clean_board(summary)
    return frame if clean.empty else frame.merge(clean, on="strategy", how="left")


def _csv(frame: pd.DataFrame) -> bytes:
    data: bytes = frame.to_csv(index=False, lineterminator="\n").encode()
    return data
