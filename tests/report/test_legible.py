"""Every kind of chart is legible: small and large fields, few and many seats, odd runs."""

from __future__ import annotations

import itertools
from typing import Any, Final, NamedTuple

import pytest
from drawn import assert_legible, draw_made, words
from made_details import made_details

from hearts_sim.report.kinds import KINDS

COUNTS: Final = (2, 4, 12, 50)
PLAYERS: Final = (3, 4, 5, 6, 7)
SPECIAL: Final[dict[str, dict[str, Any]]] = {
    "ordinary": {},
    "teams": {"teams": 2},
    "one block": {"blocks": 1},
    "no moons": {"moons": False},
    "one far ahead": {"far": 1500.0},
    "long names": {"name": "determinized_search_with_{:03d}_samples_a"},
    "wide names": {"name": "{:03d}" + "W" * 37},
    "odd names": {"name": "<script>$x^{:02d}$</script> \U0001f0a1 & __init__"},
}


class Case(NamedTuple):
    """A chart to look at."""

    kind: str
    count: int
    players: int
    special: str


EVERY: Final = list(itertools.starmap(Case, itertools.product(KINDS, COUNTS, PLAYERS, SPECIAL)))


def some() -> list[Case]:
    """Cases in which every two values of different columns come together at least once."""
    chosen = []
    for (at, kind), (place, special) in itertools.product(enumerate(KINDS), enumerate(SPECIAL)):
        step = at + place
        chosen.append(Case(kind, COUNTS[step % 4], PLAYERS[step % 5], special))
    return chosen


SOME: Final = some()


def draw(case: Case) -> Any:
    options = dict(SPECIAL[case.special])
    form = options.pop("name", "Bot{}")
    names = [form.format(index) for index in range(case.count)]
    details = made_details(names, case.players, failed=-(-case.count // 2), **options)
    subtitle = "a table of strategies, 2,000 games in 500 blocks, 18,000 hands, seed 2026"
    return draw_made(case.kind, details, names, players=case.players, subtitle=subtitle, **options)


def test_pairs_are_covered() -> None:
    for one, other in itertools.combinations(range(4), 2):
        assert {(case[one], case[other]) for case in SOME} == {
            (case[one], case[other]) for case in EVERY
        }


@pytest.mark.parametrize("case", SOME, ids=str)
def test_texts_stand_apart(case: Case) -> None:
    assert_legible(draw(case))


@pytest.mark.long
@pytest.mark.parametrize("case", sorted(set(EVERY) - set(SOME)), ids=str)
def test_texts_stand_apart_everywhere(case: Case) -> None:
    assert_legible(draw(case))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "lengths"])
def test_every_strategy_is_named(kind: str) -> None:
    """Names of usual length are written in full, however many there are."""
    for count in COUNTS:
        shown = words(draw(Case(kind, count, 4, "ordinary")))
        there = -(-count // 2) if kind == "faults" else count
        assert [f"Bot{index}" in shown for index in range(there)] == [True] * there, count
