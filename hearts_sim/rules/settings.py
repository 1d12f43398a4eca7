"""The settings of a game, one field each, and what follows from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hearts_sim.cards import FULL_DECK_MASK, HEARTS_MASK, QUEEN_OF_SPADES, Card, CardSet, mask_of
from hearts_sim.rules.checks import check, need_players, normalise
from hearts_sim.rules.forms import Deals
from hearts_sim.rules.presets import find_preset, nearest
from hearts_sim.rules.problems import rules_error
from hearts_sim.rules.values import HEART_SCALES, PASS_OFFSETS


def _setting(default: Any, meaning: str, source: str, **kwargs: Any) -> Any:
    metadata = {"meaning": meaning, "source": source}
    if callable(default):
        return field(default_factory=default, metadata=metadata, **kwargs)
    return field(default=default, metadata=metadata, **kwargs)


@dataclass(frozen=True)
class Rules:
    """Settings of one game of Hearts, for a given number of players.

    Every field may be given in the form that a person writes: cards as text (``"QS"``), ``cards``
    as a mapping, ``end`` as ``"points"`` or ``{"deals": 8}``; ``deck_removal``, ``hand_size`` and
    ``pass_cycle`` also as mappings from the number of players. Left out, a field has the value of
    the preset ``black_lady``; the three just named follow the number of players.

    Raises
    ------
    RulesError
        When a value is not allowed or settings contradict each other. ``error.settings`` names
        the settings concerned.
    """

    players: int = _setting(
        4,
        "seats at the table, 3 to 8 with one pack and 3 to 11 with two",
        "Hartenkaartspel: 3 to 7, best with 4; Board Game Arena: 8; Pagat: 6 to 10 with two packs; "
        "Wikipedia, Black Lady: 11",
    )
    teams: str = _setting(
        "none",
        "partners sit opposite: none, singly (each keeps a score, added up at the end), pooled "
        "(one score for both)",
        "Cardgames.io: singly; Pagat: both",
    )
    packs: int = _setting(
        1, "packs of 52 cards, 1 or 2", "all three texts: one; Pagat: two in Cancellation Hearts"
    )
    deck_removal: tuple[Card, ...] = _setting(
        None,
        "cards taken out before dealing, or the name of a deck; with two packs a card named once "
        "loses one of its two copies",
        "Hartenkaartspel: 2D; 2D 2C; 2D 3D 3C 4C; 2D 3D 3C for 3, 5, 6, 7 players",
    )
    hand_size: int = _setting(
        "auto",
        "cards dealt to each seat; auto deals as far as it goes",
        "all three texts: all cards; Pagat: 12 with a kitty of four",
    )
    leftover: str = _setting(
        "remove",
        "cards left after the deal: remove (there are none: deck_removal sees to it), or a kitty "
        "for the winner of the first trick, for who takes the first penalty card, or for the "
        "winner of the last trick",
        "Hartenkaartspel: remove; Pagat: first trick, first penalty card; Parlett: last trick",
    )
    pass_count: int = _setting(3, "cards that each seat passes, 0 to 5", "all three texts: three")
    pass_cycle: tuple[str, ...] = _setting(
        None,
        "where passes go, hand by hand: L R A L2 R2 L3 R3 (seats to the left or right, across), "
        "H (hold), scatter (one card to each other seat), partner",
        "all three texts: left, right, across, hold; Hartenkaartspel: left, right above 4; "
        "Pagat: left, right, hold for 3",
    )
    pass_forbidden: tuple[Card, ...] = _setting(
        (),
        "cards that may not be passed, unless a hand has too few others",
        "Wikipedia, Black Lady; Wikipedia, Black Maria: QS in Dirty Lady",
    )
    first_lead: str = _setting(
        "lowest_club",
        "who opens a hand and with what: the lowest club in the hands, any club by its holder, or "
        "any card by the eldest (left of the dealer)",
        "all three texts: 2C; OpenSpiel: any club; Pagat: eldest leads any card in the original "
        "game",
    )
    first_trick_points: str = _setting(
        "forbidden",
        "whether hearts and cards with a cost may be played to the first trick",
        "all three texts: forbidden; Pagat: free, the ban is a variation",
    )
    first_trick_all_points: str = _setting(
        "any",
        "what may be played to the first trick when the ban leaves nothing",
        "Pagat: any card; xinxin: hearts_only; Turbo Hearts: queen_first",
    )
    hearts_lead: str = _setting(
        "after_broken",
        "when hearts may be led (with nothing else in hand: always)",
        "all three texts; Pagat: free in the original game",
    )
    broken_by: str = _setting(
        "heart",
        "what breaks hearts when it is played",
        "Cardgames.io: a heart; Hartenkaartspel, Bicycle: a heart or QS; Wikipedia, Black Lady: "
        "any penalty card",
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
    queen_discard: str = _setting("free", "when QS may be discarded", "Trickster Cards")
    queen_forced: bool = _setting(
        False,
        "QS must be played at the first safe chance (void, or under K or A of spades)",
        "Pagat: a variation; Wikipedia, Black Lady (Morehead): club play",
    )
    trick_winner: str = _setting(
        "highest_led",
        "highest_led; with two packs cancel_pairs (identical cards cancel each other; a trick "
        "without a winner stays for the next one) or latest_of_equals",
        "all three texts: the highest card of the suit; Pagat: cancel_pairs; Wikipedia, Black "
        "Lady: the later of two equals",
    )
    cancel_two_pairs: bool = _setting(
        False,
        "with cancel_pairs: two pairs in a trick cancel all of it",
        "Culbertson in Wikipedia, Black Lady",
    )
    heart_scale: str = _setting(
        "ones",
        "cost of each heart: ones, pips14 (face value, J 11 to A 14), court10_ace15 (J Q K 10, A "
        "15), pips_ace1 (A 1), face5432 (A 5, K 4, Q 3, J 2, others 1) or zero",
        "all three texts: one each; Cardgames.io: face value in Spot Hearts",
    )
    cards: Mapping[Card, int] = _setting(
        lambda: {QUEEN_OF_SPADES: 13},
        "cards with a cost of their own, before the scale of the hearts",
        "all three texts: QS 13",
        hash=False,
    )
    bonus: Mapping[Card, int] = _setting(
        dict,
        "cards that take points off, such as {JD: -10}; no penalty cards, and not part of a moon",
        "Pagat: JD or TD in Omnibus Hearts",
        hash=False,
    )
    no_trick_bonus: int = _setting(
        0,
        "points for taking no trick, such as -5; not in a hand with a moon",
        "Wikipedia, Black Lady: -5",
    )
    moon: str = _setting(
        "old",
        "payment for taking every penalty card: old (others pay), new (shooter's score falls), "
        "choice, mixed (old, but new may be taken where old would lose), auto (the same without "
        "asking), void (nobody scores), off",
        "Cardgames.io: old, new, mixed, off; Hartenkaartspel: choice; Pagat: choice, auto; "
        "Culbertson in Wikipedia, Black Lady: void",
    )
    moon_value: int | str = _setting(
        "auto",
        "points of a moon: auto is the cost of all cards in play, or a number",
        "all three texts: 26",
    )
    moon_needs_bonus: bool = _setting(
        False,
        "a moon needs the bonus cards too",
        "Culbertson, Arnold in Wikipedia, Hearts; Pagat: it does not",
    )
    moon_scope: str = _setting(
        "player",
        "who shoots a moon: one player, or a team together",
        "Pagat: one player when scores are kept singly, a team when they are pooled",
    )
    moon_partner: str = _setting(
        "normal",
        "whether the shooter's partner pays for an old moon like others, or is exempt",
        "Cardgames.io: exempt in some variants",
    )
    sun: str = _setting(
        "off",
        "a moon with all tricks of the hand: double (twice the points) or reset_to_zero (the "
        "shooter's total becomes 0, nobody pays)",
        "Pagat; Wikipedia, Black Lady",
    )
    sun_first_trick: str = _setting(
        "counts",
        "whether a sun needs the first trick too, or is exempt from it",
        "Wikipedia, Black Lady: exempt in some variants",
    )
    score_floor: str = _setting(
        "none",
        "none, hand0 (a hand never takes points off) or total0 (no total below 0)",
        "none in all three texts; t_games: a floor",
    )
    exact_target: str = _setting(
        "off",
        "a total of exactly the target: minus50, zero, or win",
        "Black Widow: minus 50 or zero in some variants; letsplayhearts.com: win",
    )
    win: str = _setting(
        "lowest",
        "which total wins",
        "all three texts: lowest; Cardgames.io: highest in Reverse Hearts",
    )
    end: str | Deals = _setting(
        "points",
        "points (somebody reaches the target) or {deals: n}",
        "all three texts: points; Cardgames.io: fixed deals in the original game",
    )
    target: int = _setting(
        100, "total that ends the game", "all three texts: 100; Hartenkaartspel: or as agreed"
    )
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
        normalise(self)
        check(self)

    # What follows from the settings.

    @cached_property
    def deck(self) -> CardSet:
        """The cards that are in play, in hands or in the kitty."""
        missing = [card for card in self.deck_removal if self.copies(card) == 0]
        return CardSet(FULL_DECK_MASK & ~mask_of(missing))

    @cached_property
    def deck_twice(self) -> CardSet:
        """The cards that are in play in two copies; empty with one pack."""
        if self.packs == 1:
            return CardSet(0)
        return CardSet(FULL_DECK_MASK & ~mask_of(self.deck_removal))

    def copies(self, card: int) -> int:
        """How often a card is in play: 0, 1 or 2."""
        return self.packs - self.deck_removal.count(Card(card))

    @property
    def deck_size(self) -> int:
        """Number of cards in play."""
        return 52 * self.packs - len(self.deck_removal)

    @property
    def kitty_size(self) -> int:
        """Number of cards that are left after the deal."""
        return self.deck_size - self.players * self.hand_size

    @property
    def team_count(self) -> int:
        """Number of teams; 0 when everybody plays alone."""
        return 0 if self.teams == "none" else self.players // 2

    @property
    def sides(self) -> int:
        """Number of those who compete: teams, or seats."""
        return self.team_count or self.players

    def team(self, seat: int) -> int:
        """Team of a seat, -1 without teams; partners sit opposite each other."""
        return seat % self.team_count if self.team_count else -1

    @cached_property
    def costs(self) -> tuple[int, ...]:
        """Penalty points of the 52 cards by number; 0 for cards that are not in play."""
        costs = [0] * 39 + list(HEART_SCALES[self.heart_scale])
        for card, cost in self.cards.items():
            costs[card] = cost
        return tuple(cost if card in self.deck else 0 for card, cost in enumerate(costs))

    @cached_property
    def bonuses(self) -> tuple[int, ...]:
        """Points of the bonus cards among the 52 cards by number: 0 or less."""
        return tuple(self.bonus.get(Card(card), 0) for card in range(52))

    @cached_property
    def penalty_cards(self) -> CardSet:
        """Cards in play that cost something; a moon is all of them in one hand."""
        return CardSet(mask_of(card for card, cost in enumerate(self.costs) if cost > 0))

    @cached_property
    def point_cards(self) -> CardSet:
        """Cards that the ban on the first trick concerns: hearts and every card in `cards`."""
        return CardSet((HEARTS_MASK | mask_of(self.cards)) & self.deck)

    @property
    def total(self) -> int:
        """Penalty points of all cards in play."""
        return sum(cost * self.copies(card) for card, cost in enumerate(self.costs) if cost)

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
        if token in ("A", "partner"):
            return self.players // 2
        return PASS_OFFSETS.get(token, 0) % self.players

    def warnings(self) -> list[str]:
        """Sentences about settings that are allowed but probably not meant."""
        found = []
        if not self.deals and self.target < 50:
            found.append(
                f"target: {self.target} is very low: a moon or a single bad hand can end the game "
                "(50 is a sensible minimum)"
            )
        if self.leftover != "remove" and self.kitty_size == 0 and self.packs == 1:
            found.append(
                f"leftover: {self.leftover} has no effect: no card of {self.deck_size} is left for "
                f"a kitty with {self.players} players and hand_size: {self.hand_size}"
            )
        return found

    def settings(self) -> dict[str, Any]:
        """All settings as plain JSON values; ``Rules(**settings)`` is equal to these rules."""
        plain: dict[str, Any] = {}
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if item.name in ("deck_removal", "pass_forbidden"):
                value = [card.name for card in value]
            elif item.name in ("cards", "bonus"):
                value = {card.name: points for card, points in value.items()}
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
                raise rules_error((key,), f"unknown setting {key!r}{nearest(key, known)}")
        players = overrides.get("players", chosen.default_players)
        need_players(players, overrides.get("packs", chosen.settings.get("packs", 1)))
        own_deck = "packs" in overrides or "deck_removal" in overrides or "leftover" in overrides
        if players not in chosen.players and not own_deck:
            allowed = f"{min(chosen.players)} to {max(chosen.players)}"
            if len(chosen.players) == 1:
                allowed = str(chosen.default_players)
            raise rules_error(
                ("preset", "players"),
                f"{chosen.name} is a game for {allowed} players, not {players}: for another "
                "number, say which cards are taken out (deck_removal), or leave a kitty (leftover)",
            )
        return cls(**{"players": players} | dict(chosen.settings) | overrides)

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
            raise rules_error(
                (), f"expected a preset's name or a mapping of settings, got {spec!r}"
            )
        overrides = {str(key): value for key, value in spec.items()}
        name = overrides.pop("preset", "black_lady")
        if not isinstance(name, str):
            raise rules_error(("preset",), f"expected a preset's name, got {name!r}")
        return cls.preset(name, **overrides)


def _rebuild(settings: dict[str, Any]) -> Rules:
    return Rules(**settings)
