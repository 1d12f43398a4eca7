"""Writing the report of a run: tables, charts, Markdown and HTML."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from hearts_sim.cards import QUEEN_OF_SPADES
from hearts_sim.errors import ResultsError
from hearts_sim.report import text
from hearts_sim.report.kinds import KINDS, TITLES
from hearts_sim.report.summary import (
    BOARD_COLUMNS,
    TEAM_PLACES,
    TEAM_POINTS,
    Summary,
    pairwise,
)
from hearts_sim.tournament.columns import SCHEMA_VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(summary: Summary, kind: str) -> Figure:
    """One chart of a run.

    Raises
    ------
    ResultsError
        When the chart needs the log of hands and the run did not keep it.
    """
    from hearts_sim.report import charts

    rules = summary.results.rules
    highest = rules.win == "highest"
    board = summary.board
    facts = summary.facts()
    team_points = [TEAM_POINTS] if rules.teams == "pooled" else []
    if kind == "ratings":
        return charts.ratings(
            board,
            reference=summary.reference,
            subtitle=facts,
            confidence=summary.confidence,
            highest_wins=highest,
            notes=team_points,
        )
    if kind == "places":
        return charts.places(
            summary.places,
            sides=rules.sides,
            subtitle=facts,
            notes=[] if rules.teams == "none" else [TEAM_PLACES],
        )
    if summary.histogram is None:
        raise ResultsError(
            f"the chart {kind!r} needs the log of hands, and {summary.results.path} was played "
            f"with log: {summary.results.log}: play it with log: hands"
        )
    return charts.points_histogram(
        summary.histogram,
        subtitle=facts,
        highest_wins=highest,
        queen=rules.costs[QUEEN_OF_SPADES],
        notes=team_points,
    )


def drawable(summary: Summary) -> list[str]:
    """Kinds of charts that the log of a run is enough for."""
    return [kind for kind in KINDS if kind != "points" or summary.histogram is not None]


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
        "ratings.csv": _csv(summary, ["rank", "strategy", "elo", "elo_low", "elo_high", "blocks"]),
        "summary.csv": _csv(summary, None),
        "pairwise.csv": pairwise(summary).to_csv(index=False, lineterminator="\n").encode(),
        "summary.json": (json.dumps(as_json(summary), indent=2) + "\n").encode(),
    }
    pictures = []
    for kind in drawable(summary):
        figure = draw(summary, kind)
        svg = to_svg(figure)
        files[f"charts/{kind}.png"] = to_bytes(figure, "png")
        files[f"charts/{kind}.svg"] = to_bytes(figure, "svg")
        pictures.append((TITLES[kind], svg, kind))
    files["report.md"] = _markdown(summary, pictures).encode()
    files["report.html"] = _html(summary, pictures).encode()
    for name, data in files.items():
        folder.write(name, data)
    return list(files)


def legend(summary: Summary) -> str:
    """What the leaderboard's figures mean, in one paragraph."""
    share = f"{100 * summary.confidence:g} %"
    against = f"{summary.anchor} stands at 1500" if summary.anchor else "the field's mean is 1500"
    pairs = "pairs" if summary.results.rules.teams == "none" else "pairs of opponents"
    elo = f"Elo is Bradley-Terry on the places of all {pairs} at a table; {against}. "
    better = "more" if summary.results.rules.win == "highest" else "fewer"
    return (
        f"Points per hand: {better} are better. "
        + (elo if summary.ratings is not None else "Self-play gives no Elo. ")
        + f"± is half of a {share} interval with whole blocks of equal deals as the unit."
    )


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
        "digest": info.get("digest"),
        "notes": summary.notes(),
        "columns": BOARD_COLUMNS,
        "strategies": [{key: _plain(value) for key, value in row.items()} for row in rows],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value


def _csv(summary: Summary, columns: list[str] | None) -> bytes:
    board = summary.board if columns is None else summary.board[columns]
    data: bytes = board.to_csv(index=False, lineterminator="\n").encode()
    return data


def _markdown(summary: Summary, pictures: list[tuple[str, str, str]]) -> str:
    lines = [f"# {text.markdown_text(summary.results.info['name'])}", "", summary.facts(), ""]
    for note in summary.notes():
        lines += [f"**{text.markdown_text(note)}**", ""]
    rows = text.leaderboard(summary.board)
    lines += [text.markdown_table(text.LEADERBOARD, rows, left=(1,)), "", legend(summary), ""]
    for title, _, kind in pictures:
        lines += [f"## {title}", "", f"![{title}](charts/{kind}.svg)", ""]
    return "\n".join(lines)


def _html(summary: Summary, pictures: list[tuple[str, str, str]]) -> str:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("hearts_sim.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    info = summary.results.info
    page: str = environment.get_template("report.html.j2").render(
        name=info["name"],
        facts=summary.facts(),
        notes=summary.notes(),
        heads=text.LEADERBOARD,
        rows=text.leaderboard(summary.board),
        legend=legend(summary),
        charts=[(title, svg) for title, svg, _ in pictures],
        version=info["hearts_sim"],
        rules_version=info["rules_version"],
        digest=info.get("digest", "none yet"),
    )
    return page
