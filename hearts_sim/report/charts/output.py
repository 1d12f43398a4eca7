"""The packaged style, and figures as files or as text: same data, same bytes."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from matplotlib import style
from matplotlib.figure import Figure
from PIL import Image

from hearts_sim.report.charts.writing import Words, svg_of

DPI: Final = 150
POINTS: Final = 72.0
NOTHING: Final[dict[str, Any]] = {"Date": None, "Creator": None, "Format": None, "Type": None}


@contextmanager
def styled() -> Iterator[None]:
    """Draw with the packaged style on matplotlib's defaults; the reader's settings come back.

    Within another one it does nothing: setting matplotlib's defaults takes as long as some charts.
    """
    if _styled:
        yield
        return
    with (
        as_file(files("hearts_sim.report") / "hearts.mplstyle") as path,
        style.context(path, after_reset=True),
    ):
        _styled.append(True)
        try:
            yield
        finally:
            _styled.pop()


_styled: list[bool] = []


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a chart as PNG (150 dots per inch) or SVG, as the suffix of the path says.

    The same chart gives the same bytes with the same matplotlib: no date, no version of a program
    and no random identifier goes into the file. Texts in SVG are outlines: they look the same
    everywhere, whatever fonts are installed, and the layout, which was measured with DejaVu Sans,
    cannot come apart. The price is that they cannot be selected; each is kept as a comment.

    Parameters
    ----------
    figure
        What one of the charts returned.
    path
        File to write; its folder exists.

    Raises
    ------
    ValueError
        When the suffix is neither ``.png`` nor ``.svg``.
    """
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in (".png", ".svg"):
        raise ValueError(f"cannot save a chart as {target.name!r}: use the suffix .png or .svg")
    target.write_bytes(to_bytes(figure, kind[1:]))


def to_bytes(figure: Figure, kind: str) -> bytes:
    """The file that `save` would write, for `kind` "png" or "svg"."""
    if kind == "svg":
        return _svg(figure, {"Title": str(figure.get_label())} | NOTHING)
    buffer = io.BytesIO()
    with styled():
        figure.savefig(buffer, format="rgba", dpi=DPI)
    width = int(DPI * figure.get_figwidth())
    height = len(buffer.getvalue()) // (4 * width)
    pixels = Image.frombuffer("RGBA", (width, height), buffer.getvalue(), "raw", "RGBA", 0, 1)
    buffer = io.BytesIO()
    # White lies under everything. Without the layer of transparency and the last percents of
    # compression writing takes half of the time.
    pixels.convert("RGB").save(buffer, "png", compress_level=3, dpi=(DPI, DPI))
    return buffer.getvalue()


def to_svg(figure: Figure, drawn: bytes | None = None) -> str:
    """Give a chart as an ``<svg>`` element to put into an HTML page.

    No XML declaration, no reference to anything outside, and identifiers that do not collide with
    those of other charts in the page. It shrinks with the page and carries its title for readers
    that speak.

    Parameters
    ----------
    figure
        What one of the charts returned.
    drawn : bytes, optional
        What `to_bytes` gave as SVG, to save drawing it a second time.

    Returns
    -------
    str
        The element, from ``<svg`` to ``</svg>`` and a line break.
    """
    text = (drawn or to_bytes(figure, "svg")).decode("utf-8")
    text = text[text.index("<svg") :]
    # The title goes into a label; what the file says about itself does not belong into a page.
    text = re.sub(r" <title>.*?</metadata>\n", "", text, count=1, flags=re.DOTALL)
    own = "c" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:10] + "-"
    text = re.sub(r'( id="|href="#|url\(#)', lambda match: match[0] + own, text)
    label = escape(str(figure.get_label()))
    # matplotlib's own style sheet is meant for a file: in a page its "*" would match everything.
    text = re.sub(r"<style.*?</style>", "", text, count=1, flags=re.DOTALL)
    look = "max-width:100%;height:auto;stroke-linejoin:round;stroke-linecap:butt"
    head = f'<svg role="img" aria-label="{label}" style="{look}"'
    return head + text.removeprefix("<svg")


def _svg(figure: Figure, metadata: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    texts = [text for text in figure.texts if isinstance(text, Words) and text.get_visible()]
    dpi = figure.dpi
    try:
        for text in texts:
            text.set_visible(False)
        with styled():
            figure.savefig(buffer, format="svg", metadata=metadata)
        figure.dpi = POINTS
        written = svg_of(texts, POINTS * figure.get_figheight())
    finally:
        figure.dpi = dpi
        for text in texts:
            text.set_visible(True)
    drawn = buffer.getvalue().replace(b"\r\n", b"\n")
    return drawn.replace(b"</svg>\n", written.encode() + b"</svg>\n")
