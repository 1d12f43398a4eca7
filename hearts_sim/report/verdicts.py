"""What the figures say about two strategies, in sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from hearts_sim.report.text import round_up
from hearts_sim.stats import games_needed, half_width, likelihood_of_superiority

PROVISIONAL_BLOCKS: Final = 10
"""With fewer blocks intervals are called provisional."""

WANTED_ELO: Final = 10.0
"""Half-width, in Elo, for which the games still needed are given."""


@dataclass(frozen=True)
class Difference:
    """A difference of two estimates.

    Attributes
    ----------
    difference : float
        First less second; nan where nothing supports a number.
    se : float
        Standard error; inf where it is unknown.
    freedom : float
        Degrees of freedom of `se`.
    confidence : float
        Coverage of the interval.
    design_effect : float
        Variance with whole blocks as observations, by that as if games were independent; nan where
        it is unknown.
    """

    difference: float
    se: float
    freedom: float
    confidence: float = 0.95
    design_effect: float = math.nan

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        if not math.isfinite(self.se):
            return math.inf
        return half_width(self.se, self.freedom, self.confidence)

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.difference - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.difference + self.half_width

    @property
    def sign(self) -> int:
        """1 or -1 where the interval leaves 0 out on one side, else 0."""
        return int(self.low > 0) - int(self.high < 0)

    @property
    def is_nothing(self) -> bool:
        """Whether the two are equal in every block."""
        return self.difference == 0 and self.se == 0

    @property
    def superiority(self) -> float:
        """Probability that the true difference is above 0; nan where it is unknown."""
        return float(likelihood_of_superiority(self.difference, self.se, self.freedom))

    def plain(self) -> dict[str, Any]:
        """Plain JSON values; what is not finite is None."""
        figures = {
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "se": self.se,
            "design_effect": self.design_effect,
        }
        return {key: value if math.isfinite(value) else None for key, value in figures.items()}


def verdict(
    first: str,
    second: str,
    points: Difference,
    elo: Difference | None,
    *,
    games: int,
    blocks: int,
    highest_wins: bool = False,
    elo_sign: int | None = None,
    points_sign: int | None = None,
) -> str:
    """Say which of two strategies is better, by how much and how sure that is.

    Parameters
    ----------
    first, second : str
        Names.
    points : Difference
        Points per hand, first less second.
    elo : Difference or None
        Elo, first less second; None where there is none.
    games : int
        Games of the run, from which the games still needed follow.
    blocks : int
        Blocks that the errors rest on.
    highest_wins : bool
        Whether many points are good.
    elo_sign, points_sign : int, optional
        Which of them is better by Elo, and by points (1, -1, 0), when that was tested together with
        other pairs; left out, what the intervals say.

    Returns
    -------
    str
        One sentence or two.
    """
    gain = _times(points, 1 if highest_wins else -1)
    pair = f"{first} and {second}"
    start = "" if blocks >= PROVISIONAL_BLOCKS else "Provisional: "
    if points.is_nothing and (elo is None or elo.is_nothing):
        return f"{start}{pair} differ by exactly nothing in every block."
    if elo is not None and math.isnan(gain.difference) and _is_measured(elo):
        return start + _by_places(first, second, elo, elo.sign if elo_sign is None else elo_sign)
    if not math.isfinite(gain.half_width):
        return f"{pair}: nothing can be said yet; it takes two blocks at least."
    if elo is None:
        return start + _never_met(first, second, points)
    joint = elo_sign is not None
    elo_sign = elo.sign if elo_sign is None else elo_sign
    points_sign = gain.sign if points_sign is None else points_sign
    if math.isnan(elo.difference) or not math.isfinite(elo.half_width):
        reason = (
            "no chain of results in both directions ties them"
            if math.isnan(elo.difference)
            else "they have too few blocks"
        )
        return (
            f"{start}{pair}: their places give no Elo difference, since {reason}; "
            f"{_more_points(first, second, gain)}."
        )
    figures = f"{elo.difference:+z.0f} ±{elo.half_width:.0f} Elo"
    if elo_sign:
        better, worse = (first, second) if elo_sign > 0 else (second, first)
        amount = f"{abs(elo.difference):.0f} ±{elo.half_width:.0f} Elo"
        said = f"{start}{better} is better than {worse} by {amount}"
        if points_sign == -elo_sign:
            return f"{said}, though it does worse in points ({_points(gain, elo_sign)} per hand)."
        return f"{said} and {_points(gain, elo_sign)} points per hand."
    needed = _needed(games, elo.half_width)
    together = " among all pairs at once" if joint and elo.sign else ""
    if points_sign:
        better, worse = (first, second) if points_sign > 0 else (second, first)
        return (
            f"{start}{better} does better than {worse} in points "
            f"({_points(gain, points_sign)} per hand); by places they are not "
            f"distinguishable{together} ({figures}{needed})."
        )
    return f"{start}{pair}: not distinguishable{together} ({figures}{needed})."


def _needed(games: int, width: float) -> str:
    more = games_needed(games, width, WANTED_ELO)
    if not more > 0 or not math.isfinite(more):
        return ""
    return f"; about {round_up(more)} more games for ±{WANTED_ELO:g} Elo"


def _is_measured(value: Difference) -> bool:
    return not math.isnan(value.difference) and math.isfinite(value.half_width)


def _by_places(first: str, second: str, elo: Difference, sign: int) -> str:
    without = "there are no points to compare, since one of them finished no hand"
    if sign:
        better, worse = (first, second) if sign > 0 else (second, first)
        amount = f"{abs(elo.difference):.0f} ±{elo.half_width:.0f} Elo"
        return f"{better} is better than {worse} by {amount}; {without}."
    figures = f"{elo.difference:+z.0f} ±{elo.half_width:.0f} Elo"
    return f"{first} and {second}: not distinguishable by places ({figures}); {without}."


def _never_met(first: str, second: str, points: Difference) -> str:
    sign = -1 if points.difference < 0 else 1
    more, fewer = (first, second) if sign > 0 else (second, first)
    sure = "" if points.sign else ", which may be chance"
    return (
        f"{first} and {second} never met: in games of their own {more} takes "
        f"{_points(points, sign)} points per hand more than {fewer}{sure}; that tells of their "
        "games, not who is better."
    )


def _more_points(first: str, second: str, gain: Difference) -> str:
    sign = -1 if gain.difference < 0 else 1
    ahead, behind = (first, second) if sign > 0 else (second, first)
    return f"in points {ahead} is ahead of {behind} by {_points(gain, sign)} per hand"


def _points(gain: Difference, sign: int) -> str:
    return f"{sign * gain.difference:z.2f} ±{gain.half_width:.2f}"


def _times(value: Difference, sign: int) -> Difference:
    return Difference(
        sign * value.difference, value.se, value.freedom, value.confidence, value.design_effect
    )
