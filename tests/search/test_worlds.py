"""Worlds as students get them, what is wrong to ask, and that none is impossible."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from checker import count_impossible
from positions import one_pack_rules, positions, rotated
from trial import python

import hearts_sim.search
from hearts_sim.cards import CardSet
from hearts_sim.errors import WorldsError
from hearts_sim.rules import Rules
from hearts_sim.search import possible_worlds
from hearts_sim.strategy.view import View


@pytest.fixture(scope="module")
def views() -> list[View]:
    """The decisions of a random hand."""
    return [view for view, _ in positions(Rules(), random.Random(3))]


def test_worlds_for_students(views: list[View]) -> None:
    """A list of hands by seat, of sets of cards, that depends on the given generator alone."""
    for view in views[::7]:
        worlds = possible_worlds(view, 5, random.Random(1))
        assert worlds == possible_worlds(view, 5, random.Random(1))
        for hands in worlds:
            assert [type(cards) for cards in hands] == [CardSet] * 4
            assert hands[view.seat] == view.hand
            assert sum(map(len, hands)) == 52 - len(view.played)
            for seat in range(4):
                assert hands[seat] & view.possible_cards(seat) == hands[seat]
                assert view.known_cards(seat) & hands[seat] == view.known_cards(seat)
    assert possible_worlds(views[0], 0, random.Random(1)) == []
    first, second = possible_worlds(views[0], 2, random.Random(1))
    assert first != second


def test_a_bot_draws_from_its_stream(views: list[View]) -> None:
    """Worlds of a live view, in a game, with the generator of the seat."""
    from hearts_sim import Strategy, play_game

    class Dreamer(Strategy):
        seen = 0

        def choose_card(self, view: View) -> Any:
            worlds = possible_worlds(view, 3, self.rng)
            Dreamer.seen += len(worlds)
            return (worlds[0][view.seat] & view.legal).lowest()

    play_game([Dreamer] * 4, rules=Rules(max_hands=1))
    assert Dreamer.seen == 3 * 52


def test_mistakes_are_named(views: list[View]) -> None:
    """What cannot be asked for is refused with a reason."""
    view = views[0]
    rng = random.Random(1)
    with pytest.raises(WorldsError, match="-1 possible worlds cannot be drawn"):
        possible_worlds(view, -1, rng)
    with pytest.raises(WorldsError, match=r"shape \(4, 52\), not \(5, 52\)"):
        possible_worlds(view, 1, rng, np.ones((4, 52)))
    with pytest.raises(WorldsError, match="finite and not below 0"):
        possible_worlds(view, 1, rng, np.full((5, 52), np.nan))
    with pytest.raises(WorldsError, match="must be numbers"):
        possible_worlds(view, 1, rng, [["much"] * 52] * 5)
    empty = View(memoryview(bytes(8 * len(view._words))).cast("q"), view.rules)
    with pytest.raises(WorldsError, match="before a hand was dealt"):
        possible_worlds(empty, 1, rng)
    two_packs = View(view._words, Rules.preset("cancellation", players=6))
    with pytest.raises(WorldsError, match="one pack only"):
        possible_worlds(two_packs, 1, rng)


def test_importing_is_cheap() -> None:
    """Nothing is compiled, nor numba imported, before a world is asked for."""
    done = python("-c", "import sys, hearts_sim.search; print('numba' in sys.modules)")
    assert done.stdout == "False\n", done.stderr
    assert hearts_sim.search.possible_worlds is possible_worlds
    with pytest.raises(AttributeError, match="no attribute 'impossible_worlds'"):
        hearts_sim.search.impossible_worlds  # noqa: B018


@pytest.mark.parametrize("seed", range(3))
def test_no_world_is_impossible(seed: int) -> None:
    """From none of the worlds would a card that was played have been illegal.

    ``impossible.py`` does this with a million worlds.
    """
    rng = random.Random(seed)
    for _ in range(10):
        for view, _truth in positions(rotated(one_pack_rules(rng), rng), rng):
            assert count_impossible(view, 10, rng.getrandbits(60)) == 0, str(view)
