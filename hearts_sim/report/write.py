"""Writing the report of a run: its files, and what each of them holds."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from hearts_sim.errors import ResultsError
from hearts_sim.report import fault_text
from hearts_sim.report.as_json import as_json
from hearts_sim.report.board import differences, pairwise
from hearts_sim.report.drawing import draw, drawable
from hearts_sim.report.frames import ratings
from hearts_sim.report.kinds import TITLES
from hearts_sim.report.markdown import markdown
from hearts_sim.report.page import Picture, html_page
from hearts_sim.report.summary import Summary


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
    from hearts_sim.report.charts import styled, to_bytes, to_svg

    folder = summary.results.folder
    files: dict[str, bytes] = {
        "ratings.csv": _csv(ratings(summary)),
        "summary.csv": _csv(summary.board),
        "pairwise.csv": _csv(pairwise(summary)),
        "differences.csv": _csv(differences(summary)),
        "summary.json": (json.dumps(as_json(summary), indent=2) + "\n").encode(),
    }
    faults = fault_text.table(summary)
    if faults is not None:
        files["faults.csv"] = _csv(faults)
    pictures = []
    with styled():
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


def _csv(frame: pd.DataFrame) -> bytes:
    data: bytes = frame.to_csv(index=False, lineterminator="\n").encode()
    return data
