"""The rules of a game as data: one field per setting, checked against each other when made.

`Rules` holds concrete values for one table size. A preset is a named set of values; settings given
beside it override it. Sources are named in short: *Black Widow*, *Cardgames.io* and
*Hartenkaartspel* are three Dutch rule texts, *Pagat* is https://www.pagat.com/reverse/hearts.html,
*Bicycle* is https://bicyclecards.com/how-to-play/hearts/.

`values` says what settings may say, `forms` brings what people write to one form, `checks` refuses
what contradicts itself, `presets` has the games by name.
"""

from hearts_sim.rules.forms import Deals
from hearts_sim.rules.presets import PRESETS, Preset, find_preset, nearest
from hearts_sim.rules.settings import Rules
from hearts_sim.rules.values import (
    CHOICES,
    DECKS,
    HEART_SCALES,
    MAX_CYCLE,
    MAX_PLAYERS,
    MIN_PLAYERS,
    PASS_NAMES,
    PASS_TOKENS,
)

RULES_VERSION = 1
"""Changes only when equal seeds and settings give other games than before."""

__all__ = [
    "CHOICES",
    "DECKS",
    "HEART_SCALES",
    "MAX_CYCLE",
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "PASS_NAMES",
    "PASS_TOKENS",
    "PRESETS",
    "RULES_VERSION",
    "Deals",
    "Preset",
    "Rules",
    "find_preset",
    "nearest",
]
