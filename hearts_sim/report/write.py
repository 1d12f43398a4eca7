"""Writing the report of a run: tables, charts, Markdown and HTML."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Final

import pandas as pd

from hearts_sim.errors import ResultsError
from hearts_sim.report import fault_text, text
from hearts_sim.report.board import BOARD_COLUMNS, differences, pairwise
from hearts_sim.report.drawing import draw, drawable
from hearts_sim.report.kinds import TITLES
from hearts_sim.report.notes import (
    MORE_LEGEND,
    checks,
    facts,
    field_of,
    legend,
    notes,
    verdicts,
)
from hearts_sim.report.summary import Summary
from hearts_sim.tournament.columns import SCHEMA_VERSION


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
        pictures.append((TITLES[kind], to_svg(figure, drawn), kind))
    files["report.md"] = _markdown(summary, pictures).encode()
    files["report.html"] = _html(summary, pictures).encode()
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


def as_json(summary: Summary) -> dict[str, Any]:
    """Everything that the report says, as plain JSON values; no number is NaN or infinite."""
    info = summary.results.info
    rows = summary.board.to_dict("records")
    return {
        "schema_version": SCHEMA_VERSION,
        "name": info["name"],
        "status": info["status"],
        "format": info["identity"]["format"],
        "games": summary.games,
        "blocks": summary.blocks,
        "hands": summary.hands,
        "confidence": summary.confidence,
        "reference": summary.reference,
        "holds_for": field_of(summary),
        "digest": info.get("digest"),
        "ended": info.get("verdict"),
        "notes": notes(summary),
        "verdicts": verdicts(summary),
        "checks": checks(summary),
        "faults": _plain(fault_text.plain(summary)),
        "disqualified": summary.faults.disqualified,
        "not_loaded": summary.faults.not_loaded,
        "columns": BOARD_COLUMNS,
        "strategies": _plain(rows),
    }


def _plain(value: Any) -> Any:
    """Values that JSON has; what is no number is None."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value.item() if hasattr(value, "item") else value


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


MOST_IN_MATRIX: Final = 13
"""With more strategies all differences are in differences.csv only."""


def _matrix(summary: Summary) -> tuple[list[str], list[list[str]]] | None:
    if not 2 <= len(summary.results.names) <= MOST_IN_MATRIX:
        return None
    return text.difference_matrix(differences(summary))


MATRIX_LEGEND: Final = (
    "Row less column; * marks differences that hold for all pairs at once (Holm's correction). All "
    "of them, with errors and probabilities, are in differences.csv."
)


def _markdown(summary: Summary, pictures: list[tuple[str, str, str]]) -> str:
    lines = [f"# {text.markdown_text(summary.results.info['name'])}", "", facts(summary), ""]
    for note in notes(summary):
        lines += [f"**{text.markdown_text(note)}**", ""]
    board = summary.board
    lines += [text.markdown_table(text.LEADERBOARD, text.leaderboard(board), left=(1,)), ""]
    lines += [legend(summary), "", "## Verdicts", ""]
    lines += [f"- {text.markdown_text(said)}" for said in verdicts(summary)]
    matrix = _matrix(summary)
    if matrix is not None:
        lines += ["", "## Differences", "", text.markdown_table(*matrix, left=(0,)), ""]
        lines += [MATRIX_LEGEND]
    lines += ["", *fault_text.in_markdown(summary)]
    lines += ["## More figures", ""]
    lines += [text.markdown_table(text.MORE, text.more(board), left=(0,)), "", MORE_LEGEND, ""]
    for title, _, kind in pictures:
        lines += [f"## {title}", "", f"![{title}](charts/{kind}.svg)", ""]
    lines += ["## Checks", ""]
    lines += [f"- {text.markdown_text(said)}" for said in checks(summary)]
    return "\n".join(lines).rstrip() + "\n"


def _html(summary: Summary, pictures: list[tuple[str, str, str]]) -> str:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("hearts_sim.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    info = summary.results.info
    board = summary.board
    page: str = environment.get_template("report.html.j2").render(
        name=info["name"],
        facts=facts(summary),
        notes=notes(summary),
        heads=text.LEADERBOARD,
        rows=text.leaderboard(board),
        legend=legend(summary),
        verdicts=verdicts(summary),
        matrix=_matrix(summary),
        matrix_legend=MATRIX_LEGEND,
        faults=fault_text.for_page(summary),
        more_heads=text.MORE,
        more_rows=text.more(board),
        more_legend=MORE_LEGEND,
        charts=[(title, svg) for title, svg, _ in pictures],
        checks=checks(summary),
        version=info["hearts_sim"],
        rules_version=info["rules_version"],
        digest=info.get("digest", "none yet"),
    )
    return page
