"""Texts of a chart, drawn as outlines of letters that are made once.

Matplotlib lays out each text anew for each file, with a layout engine for all scripts; that is most
of the time that a chart takes. A chart has one-line texts in one font, whose widths are the sums of
their letters' (see `labels.width_of`), so their letters can be put side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Any, Final

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_hex, to_rgba
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

from hearts_sim.report.charts.labels import advance, outline

MIDDLE: Final = 0.38
"""Half of the height of a tall letter as a part of the font's size: what texts are centred on."""

UNIT: Final = 100
"""Size of the font in which SVG files have the letters."""


class Words(Text):
    """One line of text in DejaVu Sans, level or upright (rotation 90).

    It is placed and can be looked at and measured as any `matplotlib.text.Text`; only the drawing
    of pictures is its own.
    """

    def draw(self, renderer: Any) -> None:
        """Draw the outlines of the letters."""
        if not isinstance(renderer, RendererAgg):
            super().draw(renderer)
            return
        text = self.get_text()
        if not (self.get_visible() and text.strip()):
            return
        draw: Any = renderer
        scale = draw.points_to_pixels(self.get_fontsize())
        x, y = self._origin(scale)
        place = Affine2D().scale(scale).rotate_deg(float(self.get_rotation())).translate(x, y)
        gc = draw.new_gc()
        gc.set_linewidth(0)
        gc.set_snap(False)
        gc.set_antialiased(True)
        draw.draw_path(gc, _line(text, self._bold()), place, to_rgba(str(self.get_color())))
        gc.restore()
        self.stale = False

    def in_svg(self, height: float) -> tuple[set[tuple[str, bool]], str]:
        """The letters that are used, and the element of a page so high that refers to them."""
        text, bold = self.get_text(), self._bold()
        used = [
            (letter, start)
            for letter, start in zip(text, UNIT * _ends(text, bold), strict=False)
            if letter != " "
        ]
        size = float(self.get_fontsize())
        x, y = self._origin(size)
        turn = " rotate(-90)" if self.get_rotation() else ""
        place = f"translate({x:.2f} {height - y:.2f}){turn} scale({size / UNIT:g})"
        letters = "".join(
            f'<use xlink:href="#{_identifier(letter, bold)}" x="{start:.0f}"/>'
            for letter, start in used
        )
        note = escape(re.sub("-(?=-)", "- ", text))  # two in a row would end the comment
        group = f'<g fill="{to_hex(str(self.get_color()))}" transform="{place}">{letters}</g>'
        return {(letter, bold) for letter, _ in used}, f"<!-- {note} -->\n{group}\n"

    def _bold(self) -> bool:
        return bool(self.get_fontweight() == "bold")

    def _origin(self, scale: float) -> tuple[float, float]:
        """Where the line starts on its baseline."""
        x, y = self.get_transform().transform(self.get_position())
        width = scale * float(_ends(self.get_text(), self._bold())[-1])
        if self.get_rotation():
            return x + 2 * MIDDLE * scale, y - width / 2
        back = {"left": 0.0, "center": width / 2, "right": width}[self.get_horizontalalignment()]
        return x - back, y - MIDDLE * scale


def svg_of(texts: Iterable[Words], height: float) -> str:
    """All texts of a page as SVG: each letter once, and references to it."""
    letters: set[tuple[str, bool]] = set()
    groups: list[str] = []
    for text in texts:
        used, group = text.in_svg(height)
        letters |= used
        groups.append(group)
    shapes = "".join(
        f'<path id="{_identifier(*letter)}" d="{_commands(*letter)}"/>\n'
        for letter in sorted(letters)
    )
    return f"<defs>\n{shapes}</defs>\n{''.join(groups)}"


def _identifier(letter: str, bold: bool) -> str:
    return f"{'b' if bold else 't'}{ord(letter):x}"


@cache
def _commands(letter: str, bold: bool) -> str:
    """The shape of a letter as SVG draws it, y downwards."""
    path = Path(*outline(letter, bold))
    names = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CLOSEPOLY: "Z"}
    parts: list[str] = []
    for points, code in path.iter_segments(simplify=False, curves=True):
        if code == Path.CLOSEPOLY:
            parts.append("Z")
        else:
            flipped = np.asarray(points).reshape(-1, 2) * (UNIT, -UNIT)
            parts.append(names[code] + " ".join(f"{value:.4g}" for value in flipped.ravel()))
    return "".join(parts)


def _ends(text: str, bold: bool) -> NDArray[np.float64]:
    """Where each letter starts, and the last one ends."""
    return np.cumsum([0.0, *(advance(letter, bold) for letter in text)])


def _line(text: str, bold: bool) -> Path:
    """The outlines of a whole line of size 1."""
    shapes = [
        (outline(letter, bold), start)
        for letter, start in zip(text, _ends(text, bold), strict=False)
        if letter != " "
    ]
    return Path(
        np.concatenate([vertices + np.array([start, 0.0]) for (vertices, _), start in shapes]),
        np.concatenate([codes for (_, codes), _ in shapes]),
    )
