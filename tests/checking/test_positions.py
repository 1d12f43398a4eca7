"""Odd hands are what they say, and a bot really gets them."""

from __future__ import annotations

from collections import Counter

import pytest

from hearts_sim import Rules, Strategy
from hearts_sim.rules import PRESETS
from hearts_sim.strategy.seated import Seated
from hearts_sim.testing.positions import positions
from hearts_sim.testing.room import Room
from hearts_sim.testing.target import all_tables
from hearts_sim.testing.watch import Beat

TABLES = [(preset.name, size) for preset in PRESETS.values() for size in preset.players]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_deals_are_the_deck(preset: str, players: int) -> None:
    rules = Rules.preset(preset, players=players)
    deck = Counter({card: rules.copies(card) for card in rules.deck})
    found = positions(rules, chooses_moon=True)
    assert len(found) >= 8
    for position in found:
        hands, kitty = position.deal(1, 5)
        assert [len(hand) for hand in hands] == [rules.hand_size] * players
        assert len(kitty) == rules.kitty_size
        assert sum((Counter(hand) for hand in hands), Counter(kitty)) == deck
        assert tuple(hands[1]) == position.hand


def test_all_tables() -> None:
    assert len(all_tables()) == len(TABLES)


def seen_at(rules: Rules) -> dict[str, list[tuple[str, set[object]]]]:
    """What a bot sees at each position: the hook, and its hand or the first trick's legal cards."""
    seen: list[tuple[str, set[object]]] = []

    class Notes(Strategy):
        def choose_pass(self, view):
            seen.append(("pass", set(view.hand)))
            return view.legal if len(view.legal) == 3 else list(view.legal)[: view.pass_count]

        def choose_card(self, view):
            if view.trick_number == 1:
                seen.append(("card", set(view.legal)))
            return max(view.legal, key=lambda card: card.rank)

        def choose_moon(self, view):
            seen.append(("moon", set(view.scores)))
            return "subtract"

    found: dict[str, list[tuple[str, set[object]]]] = {}
    for position in positions(rules, chooses_moon=True):
        seen.clear()
        room = Room(Seated("Notes", Notes), position.rules, 0, Beat(None), prepared=set())
        assert room.play_position(position, 0) is None
        found.setdefault(position.name, []).extend(seen)
    return found


def test_bot_gets_them() -> None:
    seen = seen_at(Rules())
    ((hook, legal),) = seen["nothing but points to the first trick"]
    assert hook == "card"
    assert {str(card) for card in legal} == {"QS", *(f"{rank}H" for rank in "23456789TJQK")}
    ((hook, hand), *_) = seen["a pass from hearts alone"]
    assert hook == "pass"
    assert {str(card)[1] for card in hand} == {"H"}


@pytest.mark.parametrize(("preset", "players"), [t for t in TABLES if t[0] in ("hearts", "pagat")])
def test_moon_is_asked(preset: str, players: int) -> None:
    """Whoever holds the highest clubs and diamonds takes everything, however it plays them."""
    seen = seen_at(Rules.preset(preset, players=players))
    assert "moon" in [hook for hook, _ in seen["a moon to choose for"]]


def test_moon_that_would_lose() -> None:
    seen = seen_at(Rules(moon="mixed"))["a moon to choose for"]
    assert ("moon", {0, 1000}) in seen
