"""Colours: one per strategy, the same in every chart, told apart by colour-blind readers too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from matplotlib import colormaps
from matplotlib.colors import to_hex, to_rgb

INK: Final = "#1f1f1f"
GREY: Final = "#5f5f5f"
RULE: Final = "#e4e4e4"
TICK: Final = "#d4d4d4"
AXIS: Final = "#8a8a8a"
CONTEXT: Final = "#b4b4b4"

HUES: Final = (
    "#0072b2",  # blue
    "#d55e00",  # vermillion
    "#009e73",  # bluish green
    "#cc79a7",  # reddish purple
    "#e69f00",  # orange
    "#56b4e9",  # sky blue
    "#f0e442",  # yellow
    "#999999",  # grey, in place of black, which the charts keep for their own marks
)
"""The palette of Okabe and Ito (2008), strongest contrast to white first."""


def strategy_colours(names: Iterable[str], *, highlight: Iterable[str] = ()) -> dict[str, str]:
    """Give every strategy of a field its colour.

    The answer depends on the set of names and not on their order: two charts of one field agree.
    People tell eight colours apart at most. A larger field is drawn in a single colour, or with
    up to eight strategies of it picked out and the others in light grey; names stand beside
    everything that is drawn, so no chart needs the colour to be understood.

    Parameters
    ----------
    names
        The strategies of the whole field.
    highlight
        Strategies to pick out, in the order in which they get the colours; at most eight.

    Returns
    -------
    dict of str to str
        A colour ``#rrggbb`` for every name, in alphabetical order of the names.

    Raises
    ------
    ValueError
        When more than eight are to be picked out, or one that is not in the field.

    Examples
    --------
    >>> strategy_colours(["Random", "LowCard"])
    {'LowCard': '#0072b2', 'Random': '#d55e00'}
    """
    field = sorted(set(names))
    picked = list(dict.fromkeys(highlight))
    if len(picked) > len(HUES):
        raise ValueError(f"{len(picked)} strategies to highlight: at most {len(HUES)} can be")
    if strange := [name for name in picked if name not in field]:
        raise ValueError(f"cannot highlight {strange[0]!r}: it is not one of {', '.join(field)}")
    if picked:
        hues = dict(zip(picked, HUES, strict=False))
        return {name: hues.get(name, CONTEXT) for name in field}
    if len(field) > len(HUES):
        return dict.fromkeys(field, HUES[0])
    return dict(zip(field, HUES, strict=False))


def colours_for(names: Iterable[str], given: Mapping[str, str] | None) -> Mapping[str, str]:
    """Colours handed to a chart, checked, or those of the strategies that it shows."""
    field = list(names)
    if given is None:
        return strategy_colours(field)
    if missing := [name for name in field if name not in given]:
        raise ValueError(f"no colour given for {missing[0]!r}")
    return given


def place_colours(places: int) -> list[str]:
    """Colours from the first place (dark blue) to the last (yellow), in even steps.

    Up to seven places have cividis, which everybody sees alike. Its steps are too small for more:
    these have the whole of viridis, which goes from dark to light as well, through green.
    """
    scale, first, last = ("cividis", 0.06, 0.94) if places <= 7 else ("viridis", 0.0, 1.0)
    steps = max(places - 1, 1)
    return [
        to_hex(colormaps[scale](first + (last - first) * place / steps)) for place in range(places)
    ]


def text_on(background: str) -> str:
    """Black or white, whichever is read better on a background."""
    level = luminance(background) + 0.05
    return "#ffffff" if 1.05 / level > level / (luminance(INK) + 0.05) else INK


def edge_of(colour: str) -> str:
    """Give a colour for outlines: the same, or a darker one where it is too pale on white."""
    if luminance(colour) < 0.5:
        return colour
    red, green, blue = to_rgb(colour)
    return to_hex((0.62 * red, 0.62 * green, 0.62 * blue))


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it: 0 black to 1 white."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
