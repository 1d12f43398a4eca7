"""From what a person writes to the one form that a setting has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from hearts_sim.cards import Card
from hearts_sim.errors import CardError
from hearts_sim.rules.presets import nearest
from hearts_sim.rules.problems import rules_error
from hearts_sim.rules.values import (
    CYCLE_ABOVE_FOUR,
    DECKS,
    DEFAULT_CYCLES,
    DEFAULT_DECK,
)


@dataclass(frozen=True)
class Deals:
    """End of the game after a fixed number of deals; in a config ``end: {deals: 8}``."""

    deals: int


def need_int(name: str, value: Any, low: int, high: int, otherwise: str = "") -> None:
    """Refuse what is no whole number within bounds; `otherwise` says what else may stand there."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise rules_error(
            (name,),
            f"{name} must be a whole number from {low} to {high}"
            f"{otherwise and ' ' + otherwise}, got {value!r}",
        )


def for_players(name: str, value: Any, players: int) -> Any:
    """Of a mapping from the number of players, what it says for this one."""
    if not isinstance(value, Mapping):
        return value
    if players not in value:
        raise rules_error((name, "players"), f"{name} says nothing of {players} players")
    return value[players]


def as_removal(value: Any, players: int, packs: int) -> tuple[Card, ...]:
    """Cards taken out, from a list, the name of a deck, or None for the usual deck."""
    if value is None and packs == 2:
        return ()
    if value is None or isinstance(value, str):
        name = DEFAULT_DECK if value is None else value
        if name not in DECKS:
            raise rules_error(
                ("deck_removal",), f"deck_removal: there is no deck {name!r}{nearest(name, DECKS)}"
            )
        deck = DECKS[name]
        if packs == 2:
            raise rules_error(
                ("deck_removal", "packs"), f"deck_removal: {name} is a deck of one pack: list cards"
            )
        if players not in deck:
            raise rules_error(
                ("deck_removal", "players"),
                f"deck_removal: {name} is a deck for {min(deck)} to {max(deck)} players, not "
                f"{players}: list the cards to take out",
            )
        value = deck[players]
    return as_cards("deck_removal", for_players("deck_removal", value, players), packs)


def as_cycle(value: Any, players: int) -> tuple[str, ...]:
    """Directions of passes, from a list or None for the usual ones."""
    cycle = for_players("pass_cycle", value, players)
    if cycle is None:
        cycle = DEFAULT_CYCLES.get(players, CYCLE_ABOVE_FOUR)
    if isinstance(cycle, str) or not isinstance(cycle, Iterable):
        raise rules_error(
            ("pass_cycle",), f"pass_cycle must be a list such as [L, R, H], got {cycle!r}"
        )
    return tuple(cycle)


def as_cards(name: str, value: Any, most: int = 1) -> tuple[Card, ...]:
    """Cards in order; each at most so many times."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise rules_error(
            (name,), f"{name} must be a list of cards such as [2D, 2C], got {value!r}"
        )
    cards: list[Card] = sorted(as_card(name, card) for card in value)
    for card in cards:
        if cards.count(card) > most:
            times = "twice" if most == 1 else "more than twice"
            raise rules_error((name,), f"{name} names {card} {times}")
    return tuple(cards)


def as_card(name: str, value: Any) -> Card:
    """A card, from itself or its text."""
    if not isinstance(value, Card | str):
        raise rules_error((name,), f"{name}: {value!r} is no card; write it as QS")
    try:
        return Card(value)
    except CardError as error:
        raise rules_error((name,), f"{name}: {error}") from None


def as_points(name: str, value: Any, low: int, high: int, example: str) -> Mapping[Card, int]:
    """Points by card, each within bounds."""
    if not isinstance(value, Mapping):
        raise rules_error((name,), f"{name} must map cards to points, as {example}, got {value!r}")
    points: dict[Card, int] = {}
    for key, number in value.items():
        card = as_card(name, key)
        if card in points:
            raise rules_error((name,), f"{name} names {card} twice")
        need_int(f"{name}: {card}", number, low, high)
        points[card] = number
    return MappingProxyType(dict(sorted(points.items())))


def as_end(value: Any) -> str | Deals:
    """How the game ends."""
    if value == "points":
        return "points"
    if isinstance(value, Mapping) and list(value) == ["deals"]:
        value = Deals(value["deals"])
    if isinstance(value, Deals):
        need_int("end: deals", value.deals, 1, 10_000)
        return value
    raise rules_error(("end",), f"end must be points or {{deals: n}}, got {value!r}")
