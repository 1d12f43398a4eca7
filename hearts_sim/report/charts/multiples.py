"""Small multiples: a panel for each strategy, all with the same axes, best first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hearts_sim.report.charts.colours import AXIS, GREY, RULE, TICK
from hearts_sim.report.charts.labels import fit_names, shorten, width_of
from hearts_sim.report.charts.panel import Panel
from hearts_sim.report.charts.sheet import INNER, MARGIN, SMALL, Heading, Key, Sheet

GAP: Final = 0.22
BETWEEN: Final = 0.2
NAME: Final = 0.28
FACT: Final = 0.18
Ticks = tuple[Sequence[float], Sequence[str]]


def columns_for(panels: int) -> int:
    """How many panels stand side by side."""
    small = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3, 9: 3}
    return small.get(panels, 4 if panels <= 24 else 5)


@dataclass(frozen=True)
class Cell:
    """One panel: what it is about, where it is, and whether labels stand left of it or below."""

    name: str
    panel: Panel
    first: bool
    lowest: bool


class Multiples:
    """Where the panels of some strategies go.

    Parameters
    ----------
    names
        Strategies, a panel each.
    axis
        Room left of the panels for the labels of the vertical axis, inches.
    numbers
        Room in each panel right of what is drawn, inches.
    """

    def __init__(self, names: Sequence[str], axis: float, numbers: float = 0.0) -> None:
        self.names = names
        self.axis = axis
        self.numbers = numbers
        self.across = columns_for(len(names))
        self.down = math.ceil(len(names) / self.across)
        self.width = (INNER - axis - GAP * (self.across - 1)) / self.across

    @property
    def height(self) -> float:
        """A height that looks well with the width, inches."""
        return {1: 2.6, 2: 1.9, 3: 1.6, 4: 1.15}.get(self.across, 0.9)

    def place(
        self,
        heading: Heading,
        x: tuple[float, float],
        y: tuple[float, float],
        *,
        height: float,
        foot: float = 0.37,
        facts: Mapping[str, str] | None = None,
        keys: Sequence[Key] = (),
    ) -> tuple[Sheet, list[Cell]]:
        """Make the page, with the names of the strategies and a line of facts under each."""
        size = 9.0 if self.across <= 4 else 8.0
        labels = fit_names(self.names, self.width, size, bold=True)
        head = NAME + (FACT if facts else 0.0)
        pitch = head + height + BETWEEN
        sheet = Sheet(heading, body=self.down * pitch - BETWEEN + foot, keys=keys)
        cells: list[Cell] = []
        for index, name in enumerate(self.names):
            left = MARGIN + self.axis + (index % self.across) * (self.width + GAP)
            top = sheet.top + (index // self.across) * pitch
            sheet.text(left, top + 0.1, labels[name], size=size, bold=True)
            if facts:
                fact = shorten(facts[name], self.width, SMALL)
                sheet.text(left, top + 0.28, fact, size=SMALL, colour=GREY)
            panel = Panel(left, top + head, self.width - self.numbers, height, x, y)
            lowest = index + self.across >= len(self.names)
            cells.append(Cell(name, panel, index % self.across == 0, lowest))
        return sheet, cells


def level_grid(sheet: Sheet, cells: Sequence[Cell], marks: Ticks) -> None:
    """Draw level lines at the ticks of the vertical axis, with labels left of the first panels."""
    places, written = marks
    lines = [line for cell in cells for line in cell.panel.level(places)]
    sheet.lines(lines, RULE, layer=0)
    for cell in cells:
        if cell.first:
            for y, text in zip(cell.panel.down(places), written, strict=True):
                x = cell.panel.left - 0.06
                sheet.text(x, float(y), text, size=SMALL, colour=GREY, side="right")


def bottom_ticks(sheet: Sheet, cells: Sequence[Cell], marks: Ticks, *, grid: bool = False) -> None:
    """Label the horizontal axis below the lowest panels, with ticks or with lines through all."""
    places, written = marks
    if grid:
        sheet.lines([line for c in cells for line in c.panel.upright(places)], RULE, layer=0)
    for cell in cells:
        if not cell.lowest:
            continue
        y = cell.panel.top + cell.panel.height
        at = cell.panel.across(places)
        if not grid:
            sheet.lines([[(x, y), (x, y + 0.035)] for x in at], TICK)
        for x, text in zip(at, written, strict=True):
            sheet.text(float(x), y + 0.11, text, size=SMALL, colour=GREY, side="center")


def base_lines(sheet: Sheet, cells: Sequence[Cell]) -> None:
    """Draw the line that bars stand on."""
    sheet.lines([cell.panel.level(0)[0] for cell in cells], AXIS, width=0.8, layer=4)


def foot_note(sheet: Sheet, left: float, unit: str, hint: str = "") -> None:
    """Say below the panels what the horizontal axis is, and which way is better."""
    y = sheet.bottom - 0.06
    sheet.text(left, y, unit, size=SMALL, colour=GREY)
    if hint:
        sheet.text(left + width_of(unit, SMALL) + 0.2, y, hint, size=SMALL, colour=GREY)
