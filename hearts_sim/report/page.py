"""report.html: everything about a run in one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pandas as pd

from hearts_sim.report import fault_text, text
from hearts_sim.report.behind import READ, behind, not_drawn
from hearts_sim.report.board import BOARD_COLUMNS, differences
from hearts_sim.report.notes import MORE_LEGEND, checks, facts, legend, notes, verdicts
from hearts_sim.report.played import command_of, entries, how_it_was_played
from hearts_sim.report.profiles import profiles
from hearts_sim.report.slugs import slugs
from hearts_sim.report.summary import Summary
from hearts_sim.report.tables import Cell, Column, Table, sort_key

MOST_IN_MATRIX: Final = 13
"""With more strategies all differences are in differences.csv only."""

MATRIX_LEGEND: Final = (
    "Row less column; * marks differences that hold for all pairs at once (Holm's correction). All "
    "of them, with errors and probabilities, are in differences.csv."
)

FIRST_VERDICTS: Final = 5
"""So many verdicts stand on the first screen; the others are folded."""

CARDS: Final = frozenset({"pairwise", "places"})
"""Charts with words on colours, which would be hard to read when a dark page turned them over."""

_BOARD: Final = (
    "rank", "strategy", "games", "points", "points_design", "elo", "elo_design", "superiority",
    "best", "wins", "microseconds",
)  # fmt: skip
"""What the columns of `text.LEADERBOARD` show and are sorted by."""

_MORE: Final = (
    "strategy", "net", "net_design", "datum", "datum_design", "game_points", "game_points_design",
    "last", "moons", "queens", "more_games",
)  # fmt: skip
"""The same of `text.MORE`."""


@dataclass(frozen=True)
class Picture:
    """A chart that is drawn.

    Attributes
    ----------
    kind, title : str
        See `hearts_sim.report.kinds`.
    svg : str
        An ``<svg>`` element.
    """

    kind: str
    title: str
    svg: str


def matrix(summary: Summary) -> tuple[list[str], list[list[str]]] | None:
    """Heads and cells of all differences; None where they are too many, or none."""
    if not 2 <= len(summary.results.names) <= MOST_IN_MATRIX:
        return None
    return text.difference_matrix(differences(summary))


@cache
def _template() -> Any:
    """The page, still without a run; compiling it takes as long as a tenth of a small report."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("hearts_sim.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2")


def html_page(summary: Summary, pictures: Sequence[Picture]) -> str:
    """The page as text, with the charts that are given in their order.

    Names of strategies, and all that a bot says, are foreign text and are escaped by the template;
    only the charts are put in as they are.
    """
    info = summary.results.info
    said = verdicts(summary)
    drawn = {picture.kind: picture for picture in pictures}
    page: str = _template().render(
        name=text.printable(info["name"]),
        facts=facts(summary),
        notes=notes(summary),
        verdicts=said[:FIRST_VERDICTS],
        more_verdicts=said[FIRST_VERDICTS:],
        first=drawn.get("ratings"),
        faulty=drawn.get("faults"),
        pictures=pictures,
        behind={picture.kind: behind(summary, picture.kind) for picture in pictures},
        read=READ,
        cards=CARDS,
        not_drawn=not_drawn(summary, list(drawn)),
        board=_linked(summary, text.LEADERBOARD, text.leaderboard(summary.board), _BOARD),
        legend=legend(summary),
        matrix=_texts(matrix(summary)),
        matrix_legend=MATRIX_LEGEND,
        more=_linked(summary, text.MORE, text.more(summary.board), _MORE),
        more_legend=MORE_LEGEND,
        profiles=profiles(summary),
        faults=_faults(summary),
        checks=checks(summary),
        played=how_it_was_played(summary),
        command=command_of(summary),
        entries=entries(summary),
        version=info["hearts_sim"],
        rules_version=info["rules_version"],
        digest=info.get("digest", "none yet"),
    )
    return page


def _linked(
    summary: Summary, heads: Sequence[str], rows: list[list[str]], names: Sequence[str]
) -> Table:
    """A table of the leaderboard, whose names lead to the sections of the strategies."""
    address = slugs(summary.results.names)
    board = summary.board
    columns = [
        Column(head, _nothing, BOARD_COLUMNS[name], "text" if name == "strategy" else "number")
        for head, name in zip(heads, names, strict=True)
    ]
    values = {name: _sorted_by(board[name]) for name in names}
    cells = [
        [
            Cell(shown, values[name][at], _address(address, board, at) * (name == "strategy"))
            for name, shown in zip(names, row, strict=True)
        ]
        for at, row in enumerate(rows)
    ]
    return Table(columns, cells)


def _nothing(row: Any) -> Cell:
    return Cell("")


def _sorted_by(values: pd.Series[Any]) -> list[str]:
    if values.name == "strategy":
        return [""] * len(values)
    return [sort_key(value) for value in values]


def _address(address: dict[str, str], board: pd.DataFrame, at: int) -> str:
    return f"#strategy-{address[str(board['strategy'].iloc[at])]}"


def _texts(table: tuple[Sequence[str], list[list[str]]] | None) -> Table | None:
    """A table of texts that are not sorted by a number of their own; the first column is words."""
    if table is None:
        return None
    heads, rows = table
    columns = [
        Column(head, _nothing, kind="text" if at == 0 else "number")
        for at, head in enumerate(heads)
    ]
    return Table(columns, [[Cell(shown) for shown in row] for row in rows])


def _faults(summary: Summary) -> dict[str, Any] | None:
    found = fault_text.for_page(summary)
    if found is None:
        return None
    clean = (found["clean_heads"], found["clean_rows"])
    return found | {"kinds": _texts(found["kinds"]), "clean": _texts(clean)}
