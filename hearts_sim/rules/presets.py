"""Named sets of settings: the games that people know under a name.

Settings that a preset leaves out are those of `black_lady`. Beside the sources that
`hearts_sim.rules` names: *Wikipedia, Hearts* is
https://en.wikipedia.org/wiki/Hearts_(card_game), *Wikipedia, Black Lady* and *Black Maria* are its
pages on these games, *Microsoft* is the help text of Microsoft Hearts.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from hearts_sim.rules.problems import rules_error


@dataclass(frozen=True)
class Preset:
    """A named set of settings.

    Attributes
    ----------
    name, summary, source : str
    settings : mapping
        What differs from `black_lady`.
    players : tuple of int
        Table sizes that it is for.
    default_players : int
    also : tuple of str
        Other names under which people may look for it.
    """

    name: str
    summary: str
    source: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[int, ...] = (3, 4, 5, 6, 7, 8)
    default_players: int = 4
    also: tuple[str, ...] = ()


_CLASSIC: Final = {  # the rules of 1887: hearts only, anything may be led or thrown
    "pass_cycle": ["H"],
    "first_lead": "eldest_any",
    "first_trick_points": "free",
    "hearts_lead": "free",
    "cards": {},
    "moon": "off",
}
_BLACK_MARIA: Final = {
    "pass_cycle": ["R"],
    "first_lead": "eldest_any",
    "first_trick_points": "free",
    "hearts_lead": "free",
    "cards": {"QS": 13, "KS": 10, "AS": 7},
    "moon": "off",
}
_SHORT_DECK: Final = [rank + suit for suit in "CDSH" for rank in "23456"]

_ALL: Final = (
    Preset(
        "black_lady",
        "the usual game: QS 13, old moon, to 100, ties play on",
        "Cardgames.io; Hartenkaartspel for 3 and 5 to 7 players, Board Game Arena for 8",
        also=(
            "American Hearts",
            "Black Lady Hearts",
            "Discard Hearts",
            "Rickety Kate",
            "Slippery Anne",
            "Cardgames.io",
        ),
    ),
    Preset(
        "black_widow",
        "100 must be passed, and ties are drawn",
        "Black Widow",
        {"end_cmp": ">", "tie": "draw"},
        players=(4,),
    ),
    Preset(
        "hearts",
        "QS breaks hearts too, and the shooter of a moon chooses who pays",
        "Hartenkaartspel",
        {"broken_by": "heart_or_queen", "moon": "choice"},
        players=(3, 4, 5, 6, 7),
        also=("Hartenjagen", "Hartenkaartspel"),
    ),
    Preset(
        "pagat",
        "points may be thrown to the first trick, the shooter chooses",
        "Pagat",
        {
            "first_trick_points": "free",
            "moon": "choice",
            "pass_cycle": {
                3: ["L", "R", "H"],
                4: ["L", "R", "A", "H"],
                5: ["L", "R", "L2", "R2", "H"],
            },
        },
        players=(3, 4, 5),
    ),
    Preset(
        "bicycle",
        "QS breaks hearts too, ties are drawn",
        "Bicycle (it says nothing of ties)",
        {"broken_by": "heart_or_queen", "tie": "draw"},
        players=(3, 4, 5),
    ),
    Preset(
        "microsoft",
        "as in the computer game: ties are drawn",
        "Microsoft (it says nothing of ties)",
        {"tie": "draw"},
        players=(4,),
        also=("Microsoft Hearts", "Windows Hearts"),
    ),
    Preset(
        "original",
        "hearts only, no passing, no moon",
        "Cardgames.io",
        {"pass_cycle": ["H"], "cards": {}, "moon": "off"},
        also=("Original Hearts",),
    ),
    Preset(
        "original_1887",
        "hearts only, anything may be led or thrown at once; 8 deals",
        "Wikipedia, Hearts (1887, with Arnold's 8 deals of 2011)",
        {**_CLASSIC, "deck_removal": "morehead", "end": {"deals": 8}, "tie": "draw"},
        players=(3, 4, 5, 6),
    ),
    Preset(
        "black_maria",
        "QS 13, KS 10, AS 7; always pass right, eldest leads anything, no moon",
        "Cardgames.io, whose king of clubs and AS 3 are slips (they do not make its total of 43); "
        "Pagat; Wikipedia, Black Maria",
        {**_BLACK_MARIA, "deck_removal": {3: ["2C"], 4: []}},
        players=(3, 4),
        default_players=3,
        also=("Slippery Bitch",),
    ),
    Preset(
        "spot",
        "hearts cost their face value up to 14, QS 25; to 500",
        "Cardgames.io; Pagat for the ace and the target",
        {"heart_scale": "pips14", "cards": {"QS": 25}, "target": 500},
        also=("Spot Hearts",),
    ),
    Preset(
        "partnership",
        "partners opposite, scores kept singly and added at the end",
        "Cardgames.io; Pagat's second form",
        {"teams": "singly"},
        players=(4,),
        also=("Partnership Hearts", "Partner Hearts", "Team Hearts"),
    ),
    Preset(
        "partnership_pooled",
        "partners opposite, tricks and score kept together; a side shoots and chooses",
        "Pagat's first form",
        {"teams": "pooled", "moon": "choice", "moon_scope": "team"},
        players=(4,),
    ),
    Preset(
        "reverse",
        "the highest total wins; no moon",
        "Cardgames.io",
        {"win": "highest", "moon": "off"},
        also=("Reverse Hearts",),
    ),
    Preset(
        "omnibus",
        "JD takes 10 points off, the shooter of a moon chooses",
        "Hartenkaartspel names it; Pagat",
        {"bonus": {"JD": -10}, "moon": "choice"},
        also=("Omnibus Hearts",),
    ),
    Preset(
        "omnibus_ten",
        "TD takes 10 points off; a moon needs it too, and takes 26 off with it",
        "Culbertson and Arnold in Wikipedia, Hearts and Black Lady: 26 for the deal, so that the "
        "moon itself takes off 16",
        {"bonus": {"TD": -10}, "moon": "new", "moon_value": 16, "moon_needs_bonus": True},
    ),
    Preset(
        "cancellation",
        "two packs: identical cards in a trick cancel each other",
        "Hartenkaartspel names it; Pagat for 6 to 10; Wikipedia, Black Lady for 11; Bicycle",
        {
            "packs": 2,
            "leftover": "kitty_first_trick",
            "pass_cycle": ["H"],
            "first_lead": "eldest_any",
            "first_trick_points": "free",
            "trick_winner": "cancel_pairs",
        },
        players=(6, 7, 8, 9, 10, 11),
        default_players=6,
        also=("Cancellation Hearts",),
    ),
    Preset(
        "black_jack",
        "JS 10 in place of the queen",
        "Wikipedia, Black Lady (Foster 1909)",
        {"cards": {"JS": 10}},
        also=("Black Jack Hearts",),
    ),
    Preset(
        "pink_lady",
        "QH costs 13 as well: 38 points",
        "Wikipedia, Black Lady (Gibson, Spadaccini)",
        {"cards": {"QS": 13, "QH": 13}},
    ),
    Preset(
        "hooligan",
        "7C costs 7 as well: 33 points",
        "Wikipedia, Hearts, an older revision, whose copy has lost the card: 7C is the usual one",
        {"cards": {"QS": 13, "7C": 7}},
        also=("Hooligan Hearts",),
    ),
    Preset(
        "dirty_lady",
        "QS 13 may not be passed, AH KH QH JH cost 5 4 3 2; pass left, a moon takes 36 off",
        "Wikipedia, Black Maria",
        {
            **_BLACK_MARIA,
            "pass_cycle": ["L"],
            "pass_forbidden": ["QS"],
            "heart_scale": "face5432",
            "cards": {"QS": 13},
            "deck_removal": ["2D"],
            "moon": "new",
        },
        players=(3,),
        default_players=3,
    ),
    Preset(
        "pip",
        "hearts cost their face value up to 14, the queen nothing: 104 points; to 500",
        "Wikipedia, Hearts, an older revision; the target is that of Spot Hearts",
        {"heart_scale": "pips14", "cards": {}, "target": 500},
        also=("Pip Hearts",),
    ),
    Preset(
        "greek",
        "QS 50, AH 15, other court hearts 10, hearts below their face value; a moon is 150",
        "Phillips in Wikipedia, Hearts; the target is that of Spot Hearts",
        {
            "heart_scale": "court10_ace15",
            "cards": {"QS": 50},
            "moon_value": 150,
            "target": 500,
        },
        also=("Greek Hearts",),
    ),
    Preset(
        "greek_parlett",
        "QS 50, AH 15, other court hearts 10, other hearts 1; to 500",
        "Parlett in Wikipedia, Hearts; the target is that of Spot Hearts",
        {"cards": {"QS": 50, "AH": 15, "KH": 10, "QH": 10, "JH": 10}, "target": 500},
    ),
    Preset(
        "greek_culbertson",
        "always pass right, JD takes 10 points off",
        "Culbertson in Wikipedia, Hearts; the rest is as in black_lady",
        {"pass_cycle": ["R"], "bonus": {"JD": -10}},
    ),
    Preset(
        "kitty",
        "cards left over go to the first player who takes a penalty card (12 each with 4 players)",
        "Pagat",
        {
            "deck_removal": [],
            "hand_size": {3: "auto", 4: 12, 5: "auto", 6: "auto", 7: "auto"},
            "leftover": "kitty_first_penalty",
        },
        players=(3, 4, 5, 6, 7),
    ),
    Preset(
        "heartsette",
        "the game of 1887 with a widow for the winner of the first trick",
        "Foster (1897) in Wikipedia, Hearts; its deck for 3 players leaves 49 cards, so theirs is "
        "that of later books",
        {
            **_CLASSIC,
            "deck_removal": {3: ["2S"], 4: ["2S"], 5: [], 6: []},
            "hand_size": {3: 16, 4: 12, 5: 10, 6: 8},
            "leftover": "kitty_first_trick",
            "end": {"deals": 8},
            "tie": "draw",
        },
        players=(3, 4, 5, 6),
    ),
    Preset(
        "shoot_the_sun",
        "a moon with all tricks is a sun and pays double",
        "Pagat; Wikipedia, Black Lady",
        {"sun": "double"},
        also=("Sun",),
    ),
    Preset(
        "no_trick",
        "who takes no trick gets 5 points off",
        "Wikipedia, Black Lady",
        {"no_trick_bonus": -5},
    ),
    Preset(
        "small",
        "28 cards from the eight up, QS 7: 14 points",
        "Wikipedia, Hearts, an older revision, whose copy has lost the card of 7 points: QS makes "
        "its moon of 14",
        {
            "deck_removal": [*_SHORT_DECK, "7C", "7D", "7S", "7H"],
            "cards": {"QS": 7},
            "moon": "new",
        },
        players=(4,),
        also=("Small Hearts",),
    ),
    Preset(
        "hartenjagen_32",
        "the Dutch computer game: 32 cards from the seven up, QS 5, JC 2: 15 points",
        "Pagat on patiencespelen.nl; it says nothing of the other rules",
        {"deck_removal": _SHORT_DECK, "cards": {"QS": 5, "JC": 2}},
        players=(4,),
    ),
)

PRESETS: Final[Mapping[str, Preset]] = MappingProxyType({preset.name: preset for preset in _ALL})


def _plain(name: str) -> str:
    """A name as it is compared: small letters and digits only."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


_BY_NAME: Final = {
    _plain(name): (preset, name) for preset in _ALL for name in (preset.name, *preset.also)
}


def find_preset(name: str) -> Preset:
    """The preset of a name, or of another name that people know it under (*Rickety Kate*).

    Raises
    ------
    RulesError
        With the nearest name, when there is none.
    """
    found = _BY_NAME.get(_plain(name))
    if found is None:
        near = difflib.get_close_matches(_plain(name), _BY_NAME, n=1, cutoff=0.6)
        close = nearest(name, PRESETS)
        if near:
            meant, known = _BY_NAME[near[0]]
            close = f": did you mean {meant.name!r}" + (
                f" ({known})?" if known != meant.name else "?"
            )
        raise rules_error(("preset",), f"unknown preset {name!r}{close}")
    return found[0]


def nearest(word: str, known: Iterable[str]) -> str:
    """``": did you mean 'x'?"`` or a list of what there is, to end a message with."""
    names = list(known)
    close = difflib.get_close_matches(str(word), names, n=1, cutoff=0.6)
    if close:
        return f": did you mean {close[0]!r}?"
    return f": there is {', '.join(names)}" if names else ""
