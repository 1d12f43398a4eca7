"""Refusing values that no setting can have, and settings that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hearts_sim.cards import CLUBS_MASK, HEARTS_SET, QUEEN_OF_SPADES
from hearts_sim.rules.forms import (
    as_cards,
    as_cycle,
    as_end,
    as_points,
    as_removal,
    for_players,
    need_int,
)
from hearts_sim.rules.problems import rules_error
from hearts_sim.rules.values import (
    CHOICES,
    MAX_CYCLE,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MOST_ONE_PACK,
    PASS_TOKENS,
    RANGES,
    SWITCHES,
)

if TYPE_CHECKING:
    from hearts_sim.rules.settings import Rules

Clash = tuple[bool, tuple[str, ...], str]


def need_players(value: Any, packs: Any) -> None:
    """Refuse a number of players that no table has, or more than one pack is enough for."""
    need_int("players", value, MIN_PLAYERS, MAX_PLAYERS)
    if value > MOST_ONE_PACK and packs == 1:
        raise rules_error(
            ("players", "packs"),
            f"{value} players need two packs (packs: 2, as in the preset cancellation): one pack "
            f"is enough for {MOST_ONE_PACK}",
        )


def normalise(rules: Rules) -> None:
    """Bring every field to its one form.

    Raises
    ------
    RulesError
        For values that have none.
    """

    def put(name: str, value: Any) -> None:
        object.__setattr__(rules, name, value)

    need_players(rules.players, rules.packs)
    for name, allowed in CHOICES.items():
        value = getattr(rules, name)
        if not isinstance(value, str) or value not in allowed:
            raise rules_error((name,), f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    for name in SWITCHES:
        value = getattr(rules, name)
        if not isinstance(value, bool):
            raise rules_error((name,), f"{name} must be true or false, got {value!r}")
    for name, (low, high) in RANGES.items():
        need_int(name, getattr(rules, name), low, high)
    if rules.moon_value != "auto":
        need_int("moon_value", rules.moon_value, 1, 10_000, "or auto")
    if rules.deck_removal is None and rules.leftover != "remove":
        put("deck_removal", ())
    put("deck_removal", as_removal(rules.deck_removal, rules.players, rules.packs))
    put("pass_cycle", as_cycle(rules.pass_cycle, rules.players))
    put("pass_forbidden", as_cards("pass_forbidden", rules.pass_forbidden))
    put("cards", as_points("cards", rules.cards, 1, 1000, "{QS: 13}"))
    put("bonus", as_points("bonus", rules.bonus, -1000, -1, "{JD: -10}"))
    put("end", as_end(rules.end))
    size: Any = for_players("hand_size", rules.hand_size, rules.players)
    if size == "auto":
        size = rules.deck_size // rules.players
    else:
        need_int("hand_size", size, 2, 52, "or auto")
    put("hand_size", size)


def check(rules: Rules) -> None:
    """Say no to settings that contradict each other.

    Raises
    ------
    RulesError
        With the reason and what to do.
    """
    for clashes in (_table, _passing, _costs, _queen, _tricks, _moon, _end):
        for clash, settings, message in clashes(rules):
            if clash:
                raise rules_error(settings, message)


def _table(rules: Rules) -> Iterator[Clash]:
    """Seats, packs and the deal."""
    players, size = rules.players, rules.hand_size
    yield (
        rules.teams != "none" and players % 2 == 1,
        ("teams", "players"),
        f"teams: {rules.teams} needs an even table, where partners sit opposite, not {players} "
        "players",
    )
    left = rules.deck_size
    extra = left % players
    evenly = rules.leftover == "remove"
    fewer = players - extra
    or_fewer = f", or {fewer} fewer" if fewer <= len(rules.deck_removal) else ""
    yield (
        evenly and extra > 0,
        ("deck_removal", "players"),
        f"deck_removal leaves {left} cards, which do not come out even for {players} players: "
        f"remove {extra} more{or_fewer}, or leave a kitty with leftover",
    )
    yield (
        size * players > left,
        ("hand_size", "deck_removal"),
        f"hand_size: {size} needs {size * players} cards for {players} players, and there are "
        f"{left}: use hand_size: auto",
    )
    yield (
        evenly and size * players != left,
        ("hand_size", "leftover"),
        f"hand_size: {size} leaves {left - size * players} of {left} cards over: use hand_size: "
        "auto, or leave a kitty with leftover",
    )
    yield (
        size < 2,
        ("hand_size", "deck_removal", "players"),
        f"a hand of {size} {'card' if size == 1 else 'cards'} is too small: with {left} cards in "
        f"play and {players} players, give at least two to each",
    )
    yield (
        rules.first_lead != "eldest_any" and not rules.deck & CLUBS_MASK,
        ("first_lead", "deck_removal"),
        f"first_lead: {rules.first_lead} needs a club, but deck_removal takes all of them out: "
        "use first_lead: eldest_any",
    )


def _passing(rules: Rules) -> Iterator[Clash]:
    cycle, players = rules.pass_cycle, rules.players
    yield (
        not cycle,
        ("pass_cycle",),
        "pass_cycle is empty: write [H] for a game without passing",
    )
    yield (
        len(cycle) > MAX_CYCLE,
        ("pass_cycle",),
        f"pass_cycle has more than {MAX_CYCLE} directions",
    )
    # With two packs a hand may hold every card twice; a bot that names different cards to pass
    # must find enough of them.
    different = -(-rules.hand_size // rules.packs)
    has = f"a hand of {rules.hand_size} cards"
    if rules.packs == 2:
        has += f", in which perhaps only {different} are different,"
    for token in cycle:
        known = token in PASS_TOKENS
        yield (
            not known,
            ("pass_cycle",),
            f"pass_cycle: {token!r} is no direction: use {', '.join(PASS_TOKENS)}",
        )
        yield (
            token == "A" and players % 2 == 1,
            ("pass_cycle", "players"),
            f"pass_cycle: A (across) needs an even table, not {players} players: use L2 or R2",
        )
        yield (
            token == "partner" and rules.teams == "none",
            ("pass_cycle", "teams"),
            "pass_cycle: partner needs teams: use teams: singly or pooled, or another direction",
        )
        yield (
            token not in ("H", "scatter") and rules.pass_offset(token) == 0,
            ("pass_cycle", "players"),
            f"pass_cycle: {token} leads back to the same seat with {players} players",
        )
        yield (
            token == "scatter" and rules.pass_count > 0 and players - 1 > different,
            ("pass_cycle", "players", "deck_removal", "hand_size"),
            f"pass_cycle: {has} is too small for a scatter of {players - 1} cards: use "
            "another direction",
        )
    yield (
        rules.pass_count > different and any(token not in ("H", "scatter") for token in cycle),
        ("pass_count", "players", "deck_removal", "hand_size"),
        f"pass_count: {has} is too small to pass {rules.pass_count}: pass fewer",
    )
    for card in rules.pass_forbidden:
        yield (
            card not in rules.deck,
            ("pass_forbidden", "deck_removal"),
            f"pass_forbidden names {card}, but deck_removal takes it out: keep one of them",
        )


def _costs(rules: Rules) -> Iterator[Clash]:
    for name, points in (("cards", rules.cards), ("bonus", rules.bonus)):
        for card in points:
            yield (
                card not in rules.deck,
                (name, "deck_removal"),
                f"{name} names {card}, but deck_removal takes it out: keep one of them",
            )
    for card in rules.bonus:
        yield (
            card in HEARTS_SET,
            ("bonus",),
            f"bonus: {card} is a heart, and hearts are penalty cards: choose another card",
        )
        yield (
            rules.costs[card] > 0,
            ("bonus", "cards", "heart_scale"),
            f"bonus: {card} takes points off, but it also costs {rules.costs[card]}: a card can do "
            "one of them",
        )
    floor = rules.score_floor == "hand0"
    yield (
        floor and rules.no_trick_bonus < 0,
        ("no_trick_bonus", "score_floor"),
        f"no_trick_bonus: {rules.no_trick_bonus} has no effect with score_floor: hand0, since who "
        "takes no trick has no points to take off",
    )
    yield (
        floor and rules.moon == "new",
        ("moon", "score_floor"),
        "moon: new takes points off, and score_floor: hand0 lets no hand do so: use score_floor: "
        "total0, or moon: void",
    )
    yield (
        rules.total == 0,
        ("heart_scale", "cards", "deck_removal"),
        "no penalty card is in the deck, so nobody would ever score: give hearts a cost with "
        "heart_scale or single cards with cards",
    )


def _queen(rules: Rules) -> Iterator[Clash]:
    """Settings that speak of a queen of spades which is not there."""
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
        yield (
            QUEEN_OF_SPADES not in rules.deck and needs_queen,
            (name, "deck_removal"),
            f"{name}: {_yaml(value)} speaks of QS, which deck_removal takes out: use {name}: "
            f"{_yaml(idle)}",
        )


def _yaml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _tricks(rules: Rules) -> Iterator[Clash]:
    yield (
        rules.first_trick_all_points != "any" and rules.first_trick_points == "free",
        ("first_trick_all_points", "first_trick_points"),
        f"first_trick_all_points: {rules.first_trick_all_points} has no meaning with "
        "first_trick_points: free, which forbids nothing",
    )
    others = rules.point_cards - HEARTS_SET
    yield (
        rules.first_trick_all_points == "queen_first" and QUEEN_OF_SPADES not in others,
        ("first_trick_all_points", "cards"),
        "first_trick_all_points: queen_first has no meaning when QS costs nothing",
    )
    yield (
        rules.first_trick_all_points == "hearts_only" and not others,
        ("first_trick_all_points", "cards"),
        "first_trick_all_points: hearts_only has no meaning when only hearts are banned",
    )
    free = all(
        getattr(rules, name) == "free" for name in ("hearts_lead", "queen_lead", "queen_discard")
    )
    yield (
        free and rules.broken_by != "heart",
        ("broken_by", "hearts_lead"),
        f"broken_by: {rules.broken_by} has no meaning with hearts_lead: free: nothing depends on "
        "broken hearts",
    )
    yield (
        rules.hearts_instead_of_queen and rules.queen_lead == "after_broken",
        ("hearts_instead_of_queen", "queen_lead"),
        "hearts_instead_of_queen: true has no meaning with queen_lead: after_broken, with which "
        "QS need not be led",
    )
    yield (
        rules.hearts_instead_of_queen and rules.hearts_lead == "free",
        ("hearts_instead_of_queen", "hearts_lead"),
        "hearts_instead_of_queen: true has no meaning with hearts_lead: free, which lets "
        "hearts be led anyway",
    )
    yield (
        rules.packs == 1 and rules.trick_winner != "highest_led",
        ("trick_winner", "packs"),
        f"trick_winner: {rules.trick_winner} has no meaning with one pack, in which no card is "
        "there twice: use trick_winner: highest_led, or packs: 2",
    )
    yield (
        rules.packs == 2 and rules.trick_winner == "highest_led",
        ("trick_winner", "packs"),
        "with packs: 2 two equal cards may be highest: say trick_winner: cancel_pairs or "
        "latest_of_equals",
    )
    yield (
        rules.cancel_two_pairs and rules.trick_winner != "cancel_pairs",
        ("cancel_two_pairs", "trick_winner"),
        "cancel_two_pairs: true has no meaning without trick_winner: cancel_pairs",
    )


def _moon(rules: Rules) -> Iterator[Clash]:
    off = rules.moon == "off"
    for name, idle in (
        ("moon_scope", "player"),
        ("moon_partner", "normal"),
        ("moon_needs_bonus", False),
        ("sun", "off"),
    ):
        value = getattr(rules, name)
        yield (
            off and value != idle,
            (name, "moon"),
            f"{name}: {_yaml(value)} has no meaning with moon: off: leave it out or choose another "
            "moon",
        )
    yield (
        rules.moon_value != "auto" and rules.moon in ("off", "void"),
        ("moon_value", "moon"),
        f"moon_value: {rules.moon_value} is never paid with moon: {rules.moon}: leave it out "
        "or choose another moon",
    )
    yield (
        rules.sun != "off" and rules.moon == "void",
        ("sun", "moon"),
        f"sun: {rules.sun} changes how a moon is paid, and for moon: void nobody pays: use sun: "
        "off",
    )
    yield (
        rules.sun_first_trick == "exempt" and rules.sun == "off",
        ("sun_first_trick", "sun"),
        "sun_first_trick: exempt has no meaning with sun: off",
    )
    yield (
        rules.moon_needs_bonus and not rules.bonus,
        ("moon_needs_bonus", "bonus"),
        "moon_needs_bonus: true needs bonus cards, such as bonus: {JD: -10}",
    )
    yield (
        rules.moon_scope == "team" and rules.teams == "none",
        ("moon_scope", "teams"),
        "moon_scope: team needs teams: use teams: singly or pooled",
    )
    exempt = rules.moon_partner == "exempt"
    yield (
        exempt and rules.teams != "singly",
        ("moon_partner", "teams"),
        "moon_partner: exempt is for partners who keep their scores singly: use teams: singly",
    )
    yield (
        exempt and rules.moon_scope == "team",
        ("moon_partner", "moon_scope"),
        "moon_partner: exempt has no meaning with moon_scope: team, where no partner pays",
    )
    yield (
        exempt and rules.moon in ("new", "void"),
        ("moon_partner", "moon"),
        f"moon_partner: exempt has no meaning with moon: {rules.moon}, where no partner pays",
    )


def _end(rules: Rules) -> Iterator[Clash]:
    exact = rules.exact_target
    yield (
        exact != "off" and rules.win == "highest",
        ("exact_target", "win"),
        f"exact_target: {exact} is made for games that the lowest total wins: use exact_target: "
        "off with win: highest",
    )
    yield (
        exact != "off" and rules.teams != "none",
        ("exact_target", "teams"),
        f"exact_target: {exact} is made for players who play alone: use exact_target: off with "
        "teams",
    )
    yield (
        exact != "off" and rules.deals > 0,
        ("exact_target", "end"),
        f"exact_target: {exact} needs a target, but the game ends after "
        f"{rules.deals} deals: use exact_target: off or end: points",
    )
    yield (
        rules.deals > rules.max_hands,
        ("end", "max_hands"),
        f"end: {{deals: {rules.deals}}} is beyond max_hands: {rules.max_hands}: raise it",
    )
