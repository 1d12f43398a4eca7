"""Possible worlds against all of them, laid one by one with the rules of the twin.

Seeds are fixed. Were they not, a right sampler would fail `test_uniform` about once in 1,000 runs:
each of the some 800 positions, half of them in long tests, is held to a level of 1e-7, those of a
seed together to 2e-4, and so with weights. With 20 draws for each world, one world in a thousand
runs would be missed by chance.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from enumerated import Enumerated, World
from positions import Position, one_pack_rules, pointed_rules, positions, rotated, with_kitty
from scipy.stats import chi2, chisquare

from hearts_sim.cards import CardSet
from hearts_sim.search.worlds import drawn_hands

EACH, ALL = 1e-7, 2e-4


def small_positions(seed: str, games: int, most: int = 800) -> Iterator[tuple[Position, Any]]:
    """Positions with few enough deals to go through them, up to eight of a game."""
    rng = random.Random(seed)
    for game in range(games):
        rules = pointed_rules(rng) if game % 4 else one_pack_rules(rng)
        found = [
            (position, deals)
            for position in positions(rotated(rules, rng), rng)
            for deals in [Enumerated(position[0])]
            if 1 < deals.deals <= most
        ]
        yield from rng.sample(found, min(8, len(found)))


def compare(drawn: list[World], expected: dict[World, float]) -> tuple[float, int]:
    """Chi-square of draws against expected numbers, and its degrees of freedom.

    Cells in which less than five are expected are put together.
    """
    counts = Counter(drawn)
    assert set(counts) <= set(expected), "a world was drawn that is impossible"
    seen, wanted = [0.0], [0.0]
    for world, number in sorted(expected.items(), key=lambda pair: pair[1]):
        if wanted[-1] >= 5.0:
            seen.append(0.0)
            wanted.append(0.0)
        seen[-1] += counts[world]
        wanted[-1] += number
    if len(wanted) == 1:
        return 0.0, 0
    if wanted[-1] < 5.0:
        seen[-2:] = [sum(seen[-2:])]
        wanted[-2:] = [sum(wanted[-2:])]
    statistic, level = chisquare(seen, wanted)
    assert level > EACH
    return float(statistic), len(wanted) - 1


def first_of(number: int, short: int) -> list[Any]:
    """Seeds, of which only the first are for the short suite."""
    return [
        pytest.param(seed, marks=pytest.mark.long if seed >= short else ())
        for seed in range(number)
    ]


@pytest.mark.parametrize("seed", first_of(4, short=2))
def test_uniform(seed: int) -> None:
    """Exactly the worlds that are possible are drawn, each equally often."""
    rng = random.Random(seed)
    statistic, freedom = 0.0, 0
    for (view, truth), cards in small_positions(f"uniform {seed}", 30):
        worlds = list(cards.worlds())
        assert truth in worlds
        number = 20 * len(worlds)
        total, hands = drawn_hands(view, number, rng)
        assert total == pytest.approx(len(worlds), rel=1e-9), str(view)
        drawn = with_kitty(view, hands)
        assert set(drawn) == set(worlds)
        one, more = compare(drawn, dict.fromkeys(worlds, 20.0))
        statistic, freedom = statistic + one, freedom + more
    assert freedom > 1000
    assert chi2.sf(statistic, freedom) > ALL


def some_weights(rng: random.Random, places: int) -> Any:
    """Weights of which some are equal, some or all zero, and some far from the others."""
    kind = rng.choice(["any", "equal places", "zeros", "wide", "none"])
    numbers = np.random.default_rng(rng.getrandbits(30))
    weights = numbers.uniform(0.2, 1.0, (places, 52))
    if kind == "equal places":
        weights[1:3] = weights[0]
        weights[:, numbers.random(52) < 0.3] = 0.7
    if kind == "zeros":
        weights[numbers.random((places, 52)) < 0.15] = 0.0
    if kind == "none":
        weights[:] = 0.0
    if kind == "wide":
        weights = 10.0 ** numbers.uniform(-4.0, 4.0, (places, 52))
    return weights


@pytest.mark.parametrize("seed", first_of(2, short=1))
def test_weighted(seed: int) -> None:
    """With weights, worlds are drawn in proportion to their products."""
    rng = random.Random(seed)
    statistic, freedom, dropped = 0.0, 0, 0
    for (view, _), cards in small_positions(f"weighted {seed}", 16):
        weights = some_weights(rng, view.players + 1)
        loose = sum(1 << card for card in CardSet.of(*cards.loose))
        products = {}
        for world in cards.worlds():
            held = [
                (place, card) for place, hand in enumerate(world) for card in CardSet(hand & loose)
            ]
            products[world] = float(np.prod([weights[place, card] for place, card in held]))
        whole = sum(products.values())
        if whole == 0.0:  # then all worlds are equally likely
            products, whole = dict.fromkeys(products, 1.0), len(products)
            dropped += 1
        number = 20 * len(products)
        possible = {w: number * value / whole for w, value in products.items() if value > 0.0}
        _, hands = drawn_hands(view, number, rng, weights)
        one, more = compare(with_kitty(view, hands), possible)
        statistic, freedom = statistic + one, freedom + more
    assert dropped
    assert freedom > 1000
    assert chi2.sf(statistic, freedom) > ALL
