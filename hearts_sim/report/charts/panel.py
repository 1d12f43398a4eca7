"""A part of the page in which numbers have places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Panel:
    """A rectangle in inches from the top left corner of the page, and what its edges stand for.

    Attributes
    ----------
    left, top, width, height : float
        Inches.
    x : tuple of float
        Values at the left and right edge.
    y : tuple of float
        Values at the lower and upper edge.
    """

    left: float
    top: float
    width: float
    height: float
    x: tuple[float, float]
    y: tuple[float, float] = (0.0, 1.0)

    def across(self, values: ArrayLike) -> NDArray[np.float64]:
        """Inches from the left of the page."""
        low, high = self.x
        return self.left + self.width * (np.asarray(values, np.float64) - low) / (high - low)

    def down(self, values: ArrayLike) -> NDArray[np.float64]:
        """Inches from the top of the page."""
        low, high = self.y
        return self.top + self.height * (high - np.asarray(values, np.float64)) / (high - low)

    def path(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Points of a line through these values."""
        return np.column_stack([self.across(x), self.down(y)])

    def upright(self, values: ArrayLike) -> list[Any]:
        """Lines over the whole height at these values."""
        low, high = self.top, self.top + self.height
        return [[(x, low), (x, high)] for x in np.atleast_1d(self.across(values))]

    def level(self, values: ArrayLike) -> list[Any]:
        """Lines over the whole width at these values."""
        low, high = self.left, self.left + self.width
        return [[(low, y), (high, y)] for y in np.atleast_1d(self.down(values))]
