"""Every kind of chart of a made-up run, for tests and for looking at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.typing import NDArray

from hearts_sim.report import charts
from hearts_sim.report.charts import strategy_colours
from hearts_sim.report.charts.output import styled


def rating_frame(names: Sequence[str], *, far: float = 0.0, known: bool = True) -> pd.DataFrame:
    rng = np.random.default_rng(len(names))
    elo = 1500 + rng.normal(0, 90, len(names))
    points = 6.5 - (elo - 1500) / 90
    elo[:1] += far
    width = rng.uniform(8, 22, len(names)) * (1.0 if known else np.nan)
    return pd.DataFrame(
        {
            "strategy": names,
            "elo": elo,
            "elo_low": elo - width,
            "elo_high": elo + width,
            "points": points,
            "points_low": points - width / 100,
            "points_high": points + width / 100,
        }
    )


def point_frame(
    names: Sequence[str], *, own: int = 0, scale: int = 1, moons: bool = True
) -> pd.DataFrame:
    rng = np.random.default_rng(len(names))
    rows: list[tuple[str, int, int, str]] = []
    for name in names:
        hands = np.r_[2300, rng.integers(20, 1200, 26)]
        rows += [(name, scale * value, int(count), "") for value, count in enumerate(hands)]
        if moons:
            rows += [(name, own, 100, "made"), (name, 26 * scale, 300, "suffered")]
    return pd.DataFrame(rows, columns=["strategy", "points", "hands", "moon"])


def place_frame(names: Sequence[str], sides: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(len(names))
    rows: list[tuple[str, float, int, int]] = []
    for name in names:
        games = rng.integers(1, 900, sides)
        rows += [(name, 1.0 + seat, 1, int(count)) for seat, count in enumerate(games)]
        rows.append((name, 1.5, 2, 10))
    return pd.DataFrame(rows, columns=["strategy", "place", "tied", "games"])


def pair_frame(names: Sequence[str], *, far: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(len(names))
    skill = rng.normal(0, 0.4, len(names))
    skill[:1] += far / 170
    rows = [
        (one, other, 1 / (1 + np.exp(skill[b] - skill[a])), (skill[b] - skill[a]) * 2,
         abs(skill[a] - skill[b]) > 0.3)
        for a, one in enumerate(names)
        for b, other in enumerate(names)
        if a != b
    ]  # fmt: skip
    columns = ["strategy", "opponent", "share", "points_difference", "significant"]
    return pd.DataFrame(rows, columns=columns)


def draw_made(
    kind: str,
    details: Any,
    names: Sequence[str],
    *,
    players: int = 4,
    teams: int = 0,
    blocks: int = 400,
    moons: bool = True,
    far: float = 0.0,
    subtitle: str = "league: 2,000 games in 500 blocks, seed 2026",
) -> Figure:
    """One chart of a made-up run."""
    common: dict[str, Any] = {"subtitle": subtitle}
    coloured: dict[str, Any] = common | {"colours": strategy_colours(names)}
    if kind == "ratings":
        frame = rating_frame(names, far=far, known=blocks > 1)
        return charts.ratings(frame, reference=names[-1], **coloured)
    if kind in ("points", "ecdf"):
        return charts.CHARTS[kind](point_frame(names, moons=moons), **coloured)
    if kind == "places":
        sides = teams or players
        return charts.places(place_frame(names, sides), sides=sides, **common)
    if kind == "pairwise":
        order = list(rating_frame(names, far=far).sort_values("elo")["strategy"])[::-1]
        return charts.pairwise(pair_frame(names, far=far), strategies=order, **common)
    if kind == "queens":
        return charts.queens(details.queens, details.queens_given, **coloured)
    if kind == "lengths":
        return charts.lengths(details.lengths, **common)
    if kind == "faults":
        return charts.faults(details.faults, **common)
    name = {"passes": "by_pass", "seats": "by_seat", "hearts": "takes"}.get(kind, kind)
    return charts.CHARTS[kind](getattr(details, name), **coloured)


def visible_texts(figure: Figure) -> list[Text]:
    return [text for text in figure.texts if text.get_visible() and text.get_text().strip()]


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in visible_texts(figure)]


def assert_legible(figure: Figure) -> None:
    """No text leaves the page or touches another; matplotlib measures, charts do it themselves."""
    texts = visible_texts(figure)
    assert texts
    with styled():  # as it is saved
        boxes = np.array([text.get_window_extent().extents for text in texts])
    low, high = boxes[:, :2], boxes[:, 2:]
    out = (low < 0).any(axis=1) | (high > (figure.bbox.width, figure.bbox.height)).any(axis=1)
    assert not out.any(), [texts[index].get_text() for index in np.flatnonzero(out)]
    common = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    touch = np.triu((common > 0).all(axis=2), 1)
    assert not touch.any(), [
        (texts[one].get_text(), texts[other].get_text()) for one, other in np.argwhere(touch)
    ]


def boxes_of(figure: Figure, label: str) -> NDArray[np.float64]:
    """Left, top, right and lower edge of the boxes with a label, inches from the top left."""
    shapes = [item for item in figure.artists if item.get_label() == label]
    assert all(isinstance(item, PathCollection) for item in shapes)
    paths = [path for item in shapes for path in item.get_paths()]  # type: ignore[attr-defined]
    corners = np.concatenate([np.asarray(path.vertices).reshape(-1, 5, 2)[:, :4] for path in paths])
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


def marks_of(figure: Figure, label: str) -> int:
    """How many marks have a label."""
    return sum(
        len(item.get_offsets())  # type: ignore[attr-defined]
        for item in figure.artists
        if item.get_label() == label
    )


def dots_of(figure: Figure, label: str = "value") -> NDArray[np.float64]:
    """Where the marks with a label are, inches from the top left, in the order of drawing."""
    return np.concatenate(
        [
            np.asarray(item.get_offsets())
            for item in figure.artists
            if isinstance(item, PathCollection) and item.get_label() == label
        ]
    )


def line_of(figure: Figure, label: str) -> NDArray[np.float64]:
    """The points of a line, inches from the top left."""
    (line,) = (
        item
        for item in figure.artists
        if isinstance(item, LineCollection) and item.get_label() == label
    )
    return np.asarray(line.get_paths()[0].vertices)


def place_of(figure: Figure, words: str) -> NDArray[np.float64]:
    """Where a text that occurs once is placed, inches from the top left."""
    (text,) = (text for text in figure.texts if text.get_text() == words)
    x, y = text.get_position()
    return np.array([x * figure.get_figwidth(), (1 - y) * figure.get_figheight()])
