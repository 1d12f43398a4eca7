"""The rules of a game as data: one field per setting, checked against each other when made.

`Rules` holds concrete values for one table size. A preset is a named set of values; settings given
beside it override it. Sources are named in short: *Black Widow*, *Cardgames.io* and
*Hartenkaartspel* are three Dutch rule texts, *Pagat* is https://www.pagat.com/reverse/hearts.html,
*Bicycle* is https://bicyclecards.com/how-to-play/hearts/.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from hearts_sim.cards import (
    CLUBS_MASK,
    FULL_DECK_MASK,
    HEARTS_MASK,
    QUEEN_OF_SPADES,
    Card,
    CardSet,
    mask_of,
)
from hearts_sim.errors import CardError, RulesError

RULES_VERSION: Final = 1
"""Changes only when equal seeds and settings give other games than before."""

MAX_CYCLE: Final = 32
MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 7

PASS_OFFSETS: Final = {"L": 1, "R": -1, "L2": 2, "R2": -2, "L3": 3, "R3": -3}
"""Seats to the left that a pass goes; ``A`` is half the table, ``H`` holds."""
PASS_TOKENS: Final = ("H", "L", "R", "A", "L2", "R2", "L3", "R3", "scatter")
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
}

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
        "first_lead": ("lowest_club", "lowest_club_holder_any_club", "eldest_any"),
        "first_trick_points": ("forbidden", "free"),
        "first_trick_all_points": ("any", "hearts_only", "queen_first"),
        "hearts_lead": ("after_broken", "free"),
        "broken_by": ("heart", "heart_or_queen", "any_penalty"),
        "queen_lead": ("free", "after_broken"),
        "queen_discard": ("free", "after_broken"),
        "heart_scale": tuple(HEART_SCALES),
        "moon": ("off", "old", "new", "choice", "mixed", "auto", "void"),
        "exact_target": ("off", "minus50", "zero", "win"),
        "win": ("lowest", "highest"),
        "end_cmp": (">=", ">"),
        "tie": ("play_on", "draw"),
    }
)

_DUTCH_DECKS: Final = {
    3: ("2D",),
    4: (),
    5: ("2D", "2C"),
    6: ("2D", "3D", "3C", "4C"),
    7: ("2D", "3D", "3C"),
}
_DUTCH_CYCLES: Final = {3: ("L", "R", "H"), 4: ("L", "R", "A", "H")}


def _setting(default: Any, meaning: str, source: str, **kwargs: Any) -> Any:
    metadata = {"meaning": meaning, "source": source}
    if callable(default):
        return field(default_factory=default, metadata=metadata, **kwargs)
    return field(default=default, metadata=metadata, **kwargs)


@dataclass(frozen=True)
class Deals:
    """End of the game after a fixed number of deals; in a config ``end: {deals: 8}``."""

    deals: int


@dataclass(frozen=True)
class Rules:
    """Settings of one game of Hearts, for a given number of players.

    Every field may be given in the form that a person writes: cards as text (``"QS"``), ``cards``
    as a mapping, ``end`` as ``"points"`` or ``{"deals": 8}``. Left out, a field has the value of
    the preset ``black_lady``; ``deck_removal`` and ``pass_cycle`` follow the number of players.

    Raises
    ------
    RulesError
        When a value is not allowed or settings contradict each other. ``error.settings`` names
        the settings concerned.
    """

    players: int = _setting(4, "seats at the table, 3 to 7", "Hartenkaartspel: 3 to 7, best with 4")
    deck_removal: tuple[Card, ...] = _setting(
        None,
        "cards taken out before dealing, so that hands come out even",
        "Hartenkaartspel: 2D; 2D 2C; 2D 3D 3C 4C; 2D 3D 3C for 3, 5, 6, 7 players",
    )
    pass_count: int = _setting(3, "cards that each seat passes, 0 to 5", "all three texts: three")
    pass_cycle: tuple[str, ...] = _setting(
        None,
        "where passes go, hand by hand: L R A L2 R2 L3 R3 (seats to the left or right, across), "
        "H (hold), scatter (one card to each other seat)",
        "all three texts: left, right, across, hold; Hartenkaartspel: left, right above 4; "
        "Pagat: left, right, hold for 3",
    )
    pass_forbidden: tuple[Card, ...] = _setting(
        (), "cards that may not be passed, unless a hand has too few others", "Black Lady variants"
    )
    first_lead: str = _setting(
        "lowest_club",
        "who opens a hand and with what",
        "all three texts: 2C; Pagat: eldest hand leads any card in the original game",
    )
    first_trick_points: str = _setting(
        "forbidden",
        "whether penalty cards may be played to the first trick",
        "all three texts: forbidden; Pagat: free, the ban is a variation",
    )
    first_trick_all_points: str = _setting(
        "any",
        "what may be played to the first trick when the ban leaves nothing",
        "Pagat: any card",
    )
    hearts_lead: str = _setting(
        "after_broken",
        "when hearts may be led",
        "all three texts; Pagat: free in the original game",
    )
    broken_by: str = _setting(
        "heart",
        "what breaks hearts",
        "Cardgames.io: a heart; Hartenkaartspel, Bicycle: a heart or the queen of spades",
    )
    hearts_instead_of_queen: bool = _setting(
        False,
        "with only hearts and QS in hand and hearts unbroken, a heart may be led",
        "Pagat: many people allow it",
    )
    queen_lead: str = _setting(
        "free",
        "when QS may be led",
        "Hartenkaartspel: any time; Cardgames.io names the restriction",
    )
    queen_discard: str = _setting("free", "when QS may be discarded", "a house rule of card sites")
    queen_forced: bool = _setting(
        False,
        "QS must be played at the first safe chance (void, or under K or A of spades)",
        "Pagat: a variation",
    )
    heart_scale: str = _setting(
        "ones",
        "cost of each heart: " + ", ".join(HEART_SCALES),
        "all three texts: one each; Cardgames.io: face value in Spot Hearts",
    )
    cards: Mapping[Card, int] = _setting(
        lambda: {QUEEN_OF_SPADES: 13},
        "cards with a cost of their own, before the scale of the hearts",
        "all three texts: QS 13",
        hash=False,
    )
    moon: str = _setting(
        "old",
        "payment for taking every penalty card: old (others pay), new (shooter's score falls), "
        "choice, mixed (old, but new may be taken where old would lose), auto (the same without "
        "asking), void (nobody scores), off",
        "Cardgames.io: old, new, mixed; Hartenkaartspel: choice; Pagat: choice, auto",
    )
    moon_value: int | str = _setting(
        "auto", "points of a moon: auto is the cost of all cards dealt", "all three texts: 26"
    )
    exact_target: str = _setting(
        "off",
        "a total of exactly the target: minus50, zero, or win",
        "Black Widow: minus 50 or zero in some variants",
    )
    win: str = _setting("lowest", "which total wins", "all three texts: lowest; Reverse: highest")
    end: str | Deals = _setting(
        "points",
        "points (somebody reaches the target) or {deals: n}",
        "all three texts: points; Cardgames.io: fixed deals in the original game",
    )
    target: int = _setting(100, "total that ends the game", "all three texts: 100")
    end_cmp: str = _setting(
        ">=",
        "whether the target must be reached or passed",
        "Cardgames.io, Hartenkaartspel: reached; Black Widow: passed",
    )
    tie: str = _setting(
        "play_on",
        "several best totals at the end: play_on (extra hands) or draw",
        "Cardgames.io: play on; Black Widow: draw",
    )
    tie_cap: int = _setting(20, "most extra hands before the tied share the win", "a safeguard")
    max_hands: int = _setting(
        1000, "the game stops after so many hands, and says so", "a safeguard"
    )

    def __post_init__(self) -> None:
        _normalise(self)
        _check(self)

    # What follows from the settings.

    @cached_property
    def deck(self) -> CardSet:
        """The cards that are dealt."""
        return CardSet(FULL_DECK_MASK & ~mask_of(self.deck_removal))

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat, which is the number of tricks in a hand."""
        return len(self.deck) // self.players

    @cached_property
    def costs(self) -> tuple[int, ...]:
        """Penalty points of the 52 cards by number; 0 for cards that are not dealt."""
        costs = [0] * 39 + list(HEART_SCALES[self.heart_scale])
        for card, cost in self.cards.items():
            costs[card] = cost
        return tuple(cost if card in self.deck else 0 for card, cost in enumerate(costs))

    @cached_property
    def penalty_cards(self) -> CardSet:
        """Dealt cards that cost something; a moon is all of them in one hand."""
        return CardSet(mask_of(card for card, cost in enumerate(self.costs) if cost > 0))

    @cached_property
    def point_cards(self) -> CardSet:
        """Cards that the ban on the first trick concerns: hearts and every card in `cards`."""
        return CardSet((HEARTS_MASK | mask_of(self.cards)) & self.deck)

    @property
    def total(self) -> int:
        """Penalty points in the deck."""
        return sum(self.costs)

    @property
    def moon_points(self) -> int:
        """Points of a moon."""
        return self.total if self.moon_value == "auto" else int(self.moon_value)

    @property
    def deals(self) -> int:
        """Fixed number of deals, or 0 when points end the game."""
        return self.end.deals if isinstance(self.end, Deals) else 0

    def pass_token(self, hand_number: int) -> str:
        """Where the pass of hand 1, 2, ... goes: a token of `PASS_TOKENS`."""
        return self.pass_cycle[(hand_number - 1) % len(self.pass_cycle)]

    def pass_offset(self, token: str) -> int:
        """Seats to the left that a pass goes (1 to players - 1), 0 for hold, -1 for scatter."""
        if token == "scatter":
            return -1
        if token == "A":
            return self.players // 2
        return PASS_OFFSETS.get(token, 0) % self.players

    def warnings(self) -> list[str]:
        """Sentences about settings that are allowed but probably not meant."""
        if self.deals or self.target >= 50:
            return []
        return [
            f"target: {self.target} is very low: a moon or a single bad hand can end the game "
            "(50 is a sensible minimum)"
        ]

    def settings(self) -> dict[str, Any]:
        """All settings as plain JSON values; ``Rules(**settings)`` is equal to these rules."""
        plain: dict[str, Any] = {}
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if item.name in ("deck_removal", "pass_forbidden"):
                value = [card.name for card in value]
            elif item.name == "cards":
                value = {card.name: cost for card, cost in value.items()}
            elif item.name == "pass_cycle":
                value = list(value)
            elif isinstance(value, Deals):
                value = {"deals": value.deals}
            plain[item.name] = value
        return plain

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.settings(),)

    @classmethod
    def preset(cls, name: str = "black_lady", /, **overrides: Any) -> Rules:
        """Rules of a preset, with some settings changed.

        Raises
        ------
        RulesError
            For an unknown preset or setting (with the nearest name), and as for `Rules`.
        """
        chosen = find_preset(name)
        known = [item.name for item in dataclasses.fields(cls)]
        for key in overrides:
            if key not in known:
                raise _error((key,), f"unknown setting {key!r}{nearest(key, known)}")
        players = overrides.get("players", chosen.default_players)
        _need_int("players", players, MIN_PLAYERS, MAX_PLAYERS)
        if players not in chosen.players:
            allowed = f"{min(chosen.players)} to {max(chosen.players)}"
            if len(chosen.players) == 1:
                allowed = str(chosen.default_players)
            raise _error(
                ("preset", "players"), f"{name} is a game for {allowed} players, not {players}"
            )
        return cls(**{"players": players} | dict(chosen.settings(players)) | overrides)

    @classmethod
    def from_spec(cls, spec: str | Mapping[str, Any] | Rules) -> Rules:
        """Rules from what a config says: a preset's name, or a mapping with or without ``preset``.

        Raises
        ------
        RulesError
            As `preset`, and when `spec` is neither text nor mapping.
        """
        if isinstance(spec, Rules):
            return spec
        if isinstance(spec, str):
            return cls.preset(spec)
        if not isinstance(spec, Mapping):
            raise _error((), f"expected a preset's name or a mapping of settings, got {spec!r}")
        overrides = {str(key): value for key, value in spec.items()}
        name = overrides.pop("preset", "black_lady")
        if not isinstance(name, str):
            raise _error(("preset",), f"expected a preset's name, got {name!r}")
        return cls.preset(name, **overrides)


@dataclass(frozen=True)
class Preset:
    """A named set of settings."""

    name: str
    summary: str
    source: str
    settings: Callable[[int], Mapping[str, Any]]
    default_players: int = 4
    players: tuple[int, ...] = (3, 4, 5, 6, 7)


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                "black_lady",
                "the usual game: QS 13, old moon, first to 100, ties play on",
                "Cardgames.io; Hartenkaartspel for 3 and 5 to 7 players",
                lambda players: {},
            ),
            Preset(
                "black_widow",
                "as black_lady, but 100 must be passed and ties are drawn",
                "Black Widow",
                lambda players: {"end_cmp": ">", "tie": "draw"},
                players=(4,),
            ),
            Preset(
                "hearts",
                "QS breaks hearts too, and the shooter of a moon chooses who pays",
                "Hartenkaartspel",
                lambda players: {"broken_by": "heart_or_queen", "moon": "choice"},
            ),
        )
    }
)


def find_preset(name: str) -> Preset:
    """The preset of that name; raises `RulesError` with the nearest name when there is none."""
    if name not in PRESETS:
        raise _error(("preset",), f"unknown preset {name!r}{nearest(name, PRESETS)}")
    return PRESETS[name]


def nearest(word: str, known: Iterable[str]) -> str:
    """``": did you mean 'x'?"`` or a list of what there is, to end a message with."""
    names = list(known)
    close = difflib.get_close_matches(str(word), names, n=1, cutoff=0.6)
    if close:
        return f": did you mean {close[0]!r}?"
    return f": there is {', '.join(names)}" if names else ""


def _error(settings: tuple[str, ...], message: str) -> RulesError:
    return RulesError(message, tuple(name.split(":")[0] for name in settings))


def _rebuild(settings: dict[str, Any]) -> Rules:
    return Rules(**settings)


def _need_int(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _error((name,), f"{name} must be a whole number from {low} to {high}, got {value!r}")


def _as_cards(name: str, value: Any) -> tuple[Card, ...]:
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise _error((name,), f"{name} must be a list of cards such as [2D, 2C], got {value!r}")
    cards: list[Card] = sorted(_as_card(name, card) for card in value)
    for card in cards:
        if cards.count(card) > 1:
            raise _error((name,), f"{name} names {card} twice")
    return tuple(cards)


def _as_card(name: str, value: Any) -> Card:
    if not isinstance(value, Card | str):
        raise _error((name,), f"{name}: {value!r} is no card; write it as QS")
    try:
        return Card(value)
    except CardError as error:
        raise _error((name,), f"{name}: {error}") from None


def _as_costs(value: Any) -> Mapping[Card, int]:
    if not isinstance(value, Mapping):
        raise _error(("cards",), f"cards must map cards to points, as {{QS: 13}}, got {value!r}")
    costs: dict[Card, int] = {}
    for key, cost in value.items():
        card = _as_card("cards", key)
        if card in costs:
            raise _error(("cards",), f"cards names {card} twice")
        _need_int(f"cards: {card}", cost, 1, 1000)
        costs[card] = cost
    return MappingProxyType(dict(sorted(costs.items())))


def _as_end(value: Any) -> str | Deals:
    if value == "points":
        return "points"
    if isinstance(value, Mapping) and list(value) == ["deals"]:
        value = Deals(value["deals"])
    if isinstance(value, Deals):
        _need_int("end: deals", value.deals, 1, 10_000)
        return value
    raise _error(("end",), f"end must be points or {{deals: n}}, got {value!r}")


def _normalise(rules: Rules) -> None:
    """Bring every field to its one form; says no to values that have none."""

    def put(name: str, value: Any) -> None:
        object.__setattr__(rules, name, value)

    _need_int("players", rules.players, MIN_PLAYERS, MAX_PLAYERS)
    removal: Any = rules.deck_removal
    if removal is None:
        removal = _DUTCH_DECKS[rules.players]
    elif isinstance(removal, Mapping):
        if rules.players not in removal:
            raise _error(
                ("deck_removal", "players"), f"deck_removal says nothing of {rules.players} players"
            )
        removal = removal[rules.players]
    put("deck_removal", _as_cards("deck_removal", removal))
    cycle: Any = rules.pass_cycle
    if cycle is None:
        cycle = _DUTCH_CYCLES.get(rules.players, ("L", "R"))
    if isinstance(cycle, str | Mapping) or not isinstance(cycle, Iterable):
        raise _error(("pass_cycle",), f"pass_cycle must be a list such as [L, R, H], got {cycle!r}")
    put("pass_cycle", tuple(cycle))
    put("pass_forbidden", _as_cards("pass_forbidden", rules.pass_forbidden))
    put("cards", _as_costs(rules.cards))
    put("end", _as_end(rules.end))
    for name, allowed in CHOICES.items():
        value = getattr(rules, name)
        if not isinstance(value, str) or value not in allowed:
            raise _error((name,), f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    for name in ("hearts_instead_of_queen", "queen_forced"):
        if not isinstance(getattr(rules, name), bool):
            raise _error((name,), f"{name} must be true or false, got {getattr(rules, name)!r}")
    if rules.moon_value != "auto":
        _need_int("moon_value", rules.moon_value, 1, 10_000)
    for name, low, high in (
        ("pass_count", 0, 5),
        ("target", 1, 1_000_000),
        ("tie_cap", 0, 1000),
        ("max_hands", 1, 10_000),
    ):
        _need_int(name, getattr(rules, name), low, high)


def _check(rules: Rules) -> None:
    """Say no to settings that contradict each other."""
    left = 52 - len(rules.deck_removal)
    extra = left % rules.players
    if extra:
        raise _error(
            ("deck_removal", "players"),
            f"deck_removal leaves {left} cards, which do not come out even for {rules.players} "
            f"players: remove {extra} more, or {rules.players - extra} fewer",
        )
    if left < 2 * rules.players:
        raise _error(
            ("deck_removal", "players"),
            f"deck_removal leaves {left} cards: at least two for each of {rules.players} players "
            "are needed",
        )
    _check_passing(rules)
    removed = [card for card in rules.cards if card in rules.deck_removal]
    if removed:
        raise _error(
            ("cards", "deck_removal"),
            f"cards gives {removed[0]} a cost, but deck_removal takes it out: keep one of them",
        )
    if rules.total == 0:
        raise _error(
            ("heart_scale", "cards", "deck_removal"),
            "no penalty card is in the deck, so nobody would ever score: give hearts a cost with "
            "heart_scale or single cards with cards",
        )
    if rules.first_lead != "eldest_any" and not rules.deck & CLUBS_MASK:
        raise _error(
            ("first_lead", "deck_removal"),
            f"first_lead: {rules.first_lead} needs a club, but deck_removal takes all of them out: "
            "use first_lead: eldest_any",
        )
    _check_queen(rules)
    clashes = (
        (
            rules.first_trick_all_points != "any" and rules.first_trick_points == "free",
            ("first_trick_all_points", "first_trick_points"),
            f"first_trick_all_points: {rules.first_trick_all_points} has no meaning with "
            "first_trick_points: free, which forbids nothing",
        ),
        (
            rules.hearts_instead_of_queen and rules.hearts_lead == "free",
            ("hearts_instead_of_queen", "hearts_lead"),
            "hearts_instead_of_queen: true has no meaning with hearts_lead: free, which lets "
            "hearts be led anyway",
        ),
        (
            rules.moon_value != "auto" and rules.moon in ("off", "void"),
            ("moon_value", "moon"),
            f"moon_value: {rules.moon_value} is never paid with moon: {rules.moon}: leave it out "
            "or choose another moon",
        ),
        (
            rules.exact_target != "off" and rules.win == "highest",
            ("exact_target", "win"),
            f"exact_target: {rules.exact_target} is a relief for low scores; with win: highest it "
            "would punish: use exact_target: off",
        ),
        (
            rules.exact_target != "off" and rules.deals > 0,
            ("exact_target", "end"),
            f"exact_target: {rules.exact_target} needs a target, but the game ends after "
            f"{rules.deals} deals: use exact_target: off or end: points",
        ),
        (
            rules.deals > rules.max_hands,
            ("end", "max_hands"),
            f"end: {{deals: {rules.deals}}} is beyond max_hands: {rules.max_hands}: raise it",
        ),
    )
    for clash, settings, message in clashes:
        if clash:
            raise _error(settings, message)


def _check_passing(rules: Rules) -> None:
    if not rules.pass_cycle:
        raise _error(("pass_cycle",), "pass_cycle is empty: write [H] for a game without passing")
    if len(rules.pass_cycle) > MAX_CYCLE:
        raise _error(("pass_cycle",), f"pass_cycle has more than {MAX_CYCLE} directions")
    for token in rules.pass_cycle:
        if token not in PASS_TOKENS:
            raise _error(
                ("pass_cycle",),
                f"pass_cycle: {token!r} is no direction: use {', '.join(PASS_TOKENS)}",
            )
        if token == "A" and rules.players % 2:
            raise _error(
                ("pass_cycle", "players"),
                f"pass_cycle: A (across) needs an even table, not {rules.players} players: "
                "use L2 or R2",
            )
        if token not in ("H", "scatter") and rules.pass_offset(token) == 0:
            raise _error(
                ("pass_cycle", "players"),
                f"pass_cycle: {token} leads back to the same seat with {rules.players} players",
            )
        if token == "scatter" and rules.players - 1 > rules.hand_size:
            raise _error(
                ("pass_cycle", "players", "deck_removal"),
                f"pass_cycle: a hand of {rules.hand_size} cards is too small for a scatter",
            )
    if rules.pass_count > rules.hand_size:
        raise _error(
            ("pass_count", "players", "deck_removal"),
            f"pass_count: {rules.pass_count} is more than the {rules.hand_size} cards of a hand",
        )


def _check_queen(rules: Rules) -> None:
    if QUEEN_OF_SPADES in rules.deck:
        return
    for name, idle in (
        ("queen_lead", "free"),
        ("queen_discard", "free"),
        ("queen_forced", False),
        ("hearts_instead_of_queen", False),
        ("broken_by", "heart"),
        ("first_trick_all_points", "any"),
    ):
        value = getattr(rules, name)
        needs_queen = value in (True, "after_broken", "heart_or_queen", "queen_first")
        if value != idle and needs_queen:
            raise _error(
                (name, "deck_removal"),
                f"{name}: {value} speaks of QS, which deck_removal takes out: use {name}: {idle}",
            )
