"""What the settings of the rules may say: words, directions of passes, decks by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

MIN_PLAYERS: Final = 3
MOST_ONE_PACK: Final = 8
MAX_PLAYERS: Final = 11
MAX_CYCLE: Final = 32

PASS_OFFSETS: Final = {"L": 1, "R": -1, "L2": 2, "R2": -2, "L3": 3, "R3": -3}
"""Seats to the left that a pass goes; ``A`` is half the table, ``H`` holds."""
PASS_NAMES: Final = {
    "H": "hold",
    "L": "left",
    "R": "right",
    "A": "across",
    "L2": "second left",
    "R2": "second right",
    "L3": "third left",
    "R3": "third right",
    "scatter": "scatter",
    "partner": "partner",
}
PASS_TOKENS: Final = tuple(PASS_NAMES)

HEART_SCALES: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        "ones": (1,) * 13,
        "pips14": (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
        "court10_ace15": (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15),
        "pips_ace1": (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1),
        "face5432": (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5),
        "zero": (0,) * 13,
    }
)
"""Cost of the hearts from the two to the ace."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "teams": ("none", "singly", "pooled"),
        "leftover": ("remove", "kitty_first_trick", "kitty_first_penalty", "kitty_last_trick"),
        "first_lead": ("lowest_club", "lowest_club_holder_any_club", "eldest_any"),
        "first_trick_points": ("forbidden", "free"),
        "first_trick_all_points": ("any", "hearts_only", "queen_first"),
        "hearts_lead": ("after_broken", "free"),
        "broken_by": ("heart", "heart_or_queen", "any_penalty"),
        "queen_lead": ("free", "after_broken"),
        "queen_discard": ("free", "after_broken"),
        "trick_winner": ("highest_led", "cancel_pairs", "latest_of_equals"),
        "heart_scale": tuple(HEART_SCALES),
        "moon": ("off", "old", "new", "choice", "mixed", "auto", "void"),
        "moon_scope": ("player", "team"),
        "moon_partner": ("normal", "exempt"),
        "sun": ("off", "double", "reset_to_zero"),
        "sun_first_trick": ("counts", "exempt"),
        "score_floor": ("none", "hand0", "total0"),
        "exact_target": ("off", "minus50", "zero", "win"),
        "win": ("lowest", "highest"),
        "end_cmp": (">=", ">"),
        "tie": ("play_on", "draw"),
    }
)
"""Settings that are one of several words."""

SWITCHES: Final = (
    "hearts_instead_of_queen",
    "queen_forced",
    "cancel_two_pairs",
    "moon_needs_bonus",
)
"""Settings that are true or false."""

RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "packs": (1, 2),
        "pass_count": (0, 5),
        "no_trick_bonus": (-100, 0),
        "target": (1, 1_000_000),
        "tie_cap": (0, 1000),
        "max_hands": (1, 10_000),
    }
)
"""Settings that are whole numbers, with the least and the most."""

_ALL_TWOS: Final = ("2C", "2D", "2S", "2H")

DECKS: Final[Mapping[str, Mapping[int, tuple[str, ...]]]] = MappingProxyType(
    {
        "hartenkaartspel": {
            3: ("2D",),
            4: (),
            5: ("2D", "2C"),
            6: ("2D", "3D", "3C", "4C"),
            7: ("2D", "3D", "3C"),
            8: ("2C", "2D", "2S", "3C"),  # from Board Game Arena: the text ends at 7
        },
        "board_game_arena": {
            3: ("2D",),
            4: (),
            5: ("2D", "2C"),
            6: ("2C", "2D", "3C", "2S"),
            7: ("2D", "2C", "2S"),
            8: ("2C", "2D", "2S", "3C"),
        },
        "morehead": {3: ("2C",), 4: (), 5: ("2C", "2D"), 6: ("2C", "2D", "3C", "2S")},
        "foster": {3: ("2S",), 4: (), 5: ("2C", "2S"), 6: _ALL_TWOS},
        "culbertson": {
            3: ("2C",),
            4: (),
            5: ("2C", "2D"),
            6: _ALL_TWOS,
            7: ("2C", "2D", "2S"),
        },
    }
)
"""Cards taken out of one pack by number of players, under the name of who says so.

*Foster* (1909), *Culbertson* (1950) and *Morehead* (2001) as in Wikipedia, Black Lady.
"""
DEFAULT_DECK: Final = "hartenkaartspel"

DEFAULT_CYCLES: Final = {3: ("L", "R", "H"), 4: ("L", "R", "A", "H")}
CYCLE_ABOVE_FOUR: Final = ("L", "R")
