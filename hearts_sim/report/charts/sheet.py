"""The page that every chart is laid out on: inches from the top left corner, texts measured.

A chart asks for a `Sheet` of a certain height and places texts, lines, boxes and marks on it, many
at a time. Title, subtitle, colour key and notes are the sheet's own, so that they sit alike on all
charts. There are no matplotlib axes: one takes longer to draw than a whole chart without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection, LineCollection, PathCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Affine2D, Bbox, TransformedBbox

from hearts_sim.report.charts.colours import GREY, INK
from hearts_sim.report.charts.labels import number_text, plain, width_of, wrap
from hearts_sim.report.charts.panel import Panel
from hearts_sim.report.charts.writing import Words

WIDTH: Final = 8.0
MARGIN: Final = 0.25
INNER: Final = WIDTH - 2 * MARGIN
TITLE: Final = 13.0
SUBTITLE: Final = 9.0
BODY: Final = 8.5
SMALL: Final = 7.5
MOST: Final = 50
"""A chart shows at most so many strategies; the tables have them all."""

BETTER: Final = ("\u2190 lower is better", "higher is better \u2192")
"""Which way points are better on an axis: where the lowest total wins, and where the highest."""

Side = Literal["left", "center", "right"]
Colours = str | Sequence[str]


@dataclass(frozen=True)
class Key:
    """An entry of the colour key: a swatch and what it stands for."""

    label: str
    face: str
    edge: str
    hatch: str | None = None


@dataclass(frozen=True)
class Heading:
    """The words around a chart: what it shows, facts about the run, remarks below."""

    title: str
    subtitle: str = ""
    notes: Sequence[str] = ()


class Sheet:
    """A figure with its title, subtitle, key and notes in place and room for a body between.

    Parameters
    ----------
    heading
        Title, subtitle and notes; long ones are broken into lines.
    body
        Height of the chart proper, inches.
    keys
        Entries of the colour key, below the subtitle.
    """

    def __init__(self, heading: Heading, *, body: float, keys: Sequence[Key] = ()) -> None:
        heads = wrap(heading.title, INNER, TITLE, bold=True)
        subs = wrap(heading.subtitle, INNER, SUBTITLE)
        foots = [line for note in heading.notes for line in wrap(note, INNER, SMALL)]
        rows = _key_rows(keys)
        self.top = MARGIN + 0.24 * len(heads) + 0.18 * len(subs) + 0.22 * len(rows) + 0.12
        self.bottom = self.top + body
        foot = 0.1 + 0.155 * len(foots) if foots else 0.0
        self.height = self.bottom + foot + MARGIN
        self.figure = Figure(figsize=(WIDTH, self.height))
        FigureCanvasAgg(self.figure)
        self.figure.set_label(" ".join(heads))
        self._inches = (
            Affine2D().scale(1, -1).translate(0, self.height) + self.figure.dpi_scale_trans
        )

        y = MARGIN
        for line in heads:
            self.text(MARGIN, y + 0.12, line, size=TITLE, bold=True)
            y += 0.24
        for line in subs:
            self.text(MARGIN, y + 0.09, line, size=SUBTITLE, colour=GREY)
            y += 0.18
        for row in rows:
            for x, key in row:
                self._swatch(x, y + 0.13, key)
            y += 0.22
        y = self.bottom + 0.1
        for line in foots:
            self.text(MARGIN, y + 0.08, line, size=SMALL, colour=GREY)
            y += 0.155

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = BODY,
        colour: str = INK,
        side: Side = "left",
        bold: bool = False,
        upright: bool = False,
    ) -> Text:
        """Write one line, its middle at height y; ``side`` says which of its ends is at x."""
        words = Words(
            x / WIDTH,
            1 - y / self.height,
            plain(text),
            fontsize=size,
            color=colour,
            ha=side,
            va="center" if upright else "center_baseline",
            fontweight="bold" if bold else "normal",
            rotation=90 if upright else 0,
            parse_math=False,
        )
        words.set_figure(self.figure)
        words.set_transform(self.figure.transFigure)
        self.figure.texts.append(words)
        return words

    def lines(
        self,
        paths: Any,
        colours: Colours,
        *,
        width: float = 0.7,
        dash: tuple[float, float] | None = None,
        layer: float = 1,
        within: Panel | None = None,
        label: str = "",
    ) -> None:
        """Draw lines, each an array of points (x, y) in inches; ``width`` and dashes in points."""
        if len(paths):
            style = "solid" if dash is None else (0, dash)
            shapes = LineCollection(
                list(paths), colors=colours, linewidths=width, linestyles=[style]
            )
            self._add(shapes, layer, within, label)

    def boxes(
        self,
        left: Any,
        top: Any,
        right: Any,
        bottom: Any,
        faces: Colours,
        edges: Colours = "none",
        *,
        hatch: str | None = None,
        layer: float = 2,
        label: str = "",
    ) -> None:
        """Draw rectangles whose edges are at these inches."""
        left, top, right, bottom = np.broadcast_arrays(left, top, right, bottom)
        corners = [left, bottom, left, top, right, top, right, bottom]
        shapes = np.stack(corners, axis=-1).reshape(-1, 4, 2)
        if not len(shapes):
            return
        style: dict[str, Any] = {
            "facecolors": faces,
            "edgecolors": edges,
            "hatch": hatch,
            "linewidths": 0.7,
        }
        drawn: Collection
        if isinstance(faces, str):  # one shape of many parts is drawn much faster than many
            drawn = PathCollection([Path.make_compound_path_from_polys(shapes)], **style)
        else:
            drawn = PolyCollection(list(shapes), **style)
        drawn.set_snap(True)
        self._add(drawn, layer, None, label)

    def areas(
        self,
        shapes: Any,
        faces: Colours,
        *,
        alpha: float = 1.0,
        layer: float = 2,
        within: Panel | None = None,
        label: str = "",
    ) -> None:
        """Fill polygons, each an array of points (x, y) in inches."""
        if len(shapes):
            filled = PolyCollection(
                list(shapes), facecolors=faces, edgecolors="none", linewidths=0, alpha=alpha
            )
            self._add(filled, layer, within, label)

    def marks(
        self,
        x: Any,
        y: Any,
        faces: Colours,
        edges: Colours = "none",
        *,
        shape: str = "o",
        size: float = 5,
        edge: float = 0.8,
        layer: float = 4,
        label: str = "",
    ) -> None:
        """Draw one of matplotlib's markers at each place; ``size`` and ``edge`` in points."""
        if len(x):
            marker = MarkerStyle(shape)
            dots = PathCollection(
                [marker.get_path().transformed(marker.get_transform())],
                [size**2],
                facecolors=faces,
                edgecolors=edges,
                linewidths=edge,
                offsets=np.column_stack([x, y]),
                offset_transform=self._inches,
            )
            dots.set_zorder(layer)
            dots.set_label(label)
            dots.set_transform(Affine2D())
            self.figure.add_artist(dots)

    def _add(self, shapes: Collection, layer: float, within: Panel | None, label: str) -> None:
        shapes.set_transform(self._inches)
        shapes.set_zorder(layer)
        shapes.set_label(label)
        if within is not None:
            corners = Bbox.from_extents(
                within.left, within.top, within.left + within.width, within.top + within.height
            )
            shapes.set_clip_box(TransformedBbox(corners, self._inches))
        self.figure.add_artist(shapes)

    def _swatch(self, x: float, y: float, key: Key) -> None:
        self.boxes(x, y - 0.055, x + 0.17, y + 0.055, key.face, key.edge, hatch=key.hatch)
        self.text(x + 0.23, y, key.label, size=SMALL)


def _key_rows(keys: Sequence[Key]) -> list[list[tuple[float, Key]]]:
    rows: list[list[tuple[float, Key]]] = []
    x = WIDTH
    for key in keys:
        width = 0.23 + width_of(key.label, SMALL)
        if x + width > WIDTH - MARGIN:
            rows.append([])
            x = MARGIN
        rows[-1].append((x, key))
        x += width + 0.22
    return rows


def row_height(strategies: int) -> float:
    """Height in inches of one strategy's row in a chart that lists them."""
    return 0.34 if strategies <= 8 else 0.26 if strategies <= 24 else 0.2


def name_size(strategies: int) -> float:
    """Size of the names, points, that goes with `row_height`."""
    return 9.0 if strategies <= 8 else 8.5 if strategies <= 24 else 7.5


def ticks(
    low: float, high: float, width: float, *, steps: Sequence[float] = (1, 2, 2.5, 5, 10)
) -> tuple[list[float], list[str]]:
    """Round tick positions between two limits, and labels with room to spare over a width."""
    for wanted in range(max(2, int(width / 0.42)), 0, -1):
        found = MaxNLocator(nbins=wanted, steps=list(steps)).tick_values(low, high)
        inside = [float(tick) for tick in found if low <= tick <= high]
        decimals = _decimals(inside)
        labels = [number_text(tick, decimals) for tick in inside]
        middles = [width * (tick - low) / (high - low or 1.0) for tick in inside]
        widths = [width_of(label, SMALL) for label in labels]
        gaps = (
            middles[i + 1] - middles[i] - (widths[i] + widths[i + 1]) / 2
            for i in range(len(inside) - 1)
        )
        if inside and all(gap > 0.12 for gap in gaps):
            return inside, labels
    return [], []


def _decimals(values: list[float]) -> int:
    for decimals in range(6):
        if all(abs(value - round(value, decimals)) < 1e-9 * max(1, abs(value)) for value in values):
            return decimals
    return 6


def cap(names: Sequence[str], keep: str = "") -> tuple[list[str], list[str]]:
    """Pick the names that a chart shows, of a list best first; a note says if that is not all.

    ``keep`` is shown wherever it stands.
    """
    if len(names) <= MOST:
        return list(names), []
    shown, also = list(names[:MOST]), ""
    if keep in names[MOST:]:
        shown, also = [*shown[:-1], keep], f", and {keep}"
    first = MOST - bool(also)
    return shown, [f"The first {first} of {len(names)} strategies{also}; the tables have all."]
