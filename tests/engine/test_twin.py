"""The compiled engine against the slow twin, card by card and game by game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from replay import (
    FullRecorder,
    Pair,
    Recorder,
    Replay,
    deal_high,
    deal_of_seed,
    deal_points,
    play_for_moon,
    play_game,
    play_jobs,
    play_nearly_moon,
    play_random,
)

from hearts_sim.cards import CARDS, CardSet
from hearts_sim.engine.deal import open_play
from hearts_sim.engine.layout import GAME, HANDS, JOB, TABLE
from hearts_sim.engine.legal import legal_cards
from hearts_sim.engine.machine import one_job
from hearts_sim.engine.play import clear_table, play_card, take_trick
from hearts_sim.engine.record import compile_rules
from hearts_sim.engine.table import Table
from hearts_sim.errors import IllegalPlayError, RulesError
from hearts_sim.rules import CHOICES, PASS_TOKENS, PRESETS, Rules

NAMES = [card.name for card in CARDS]
DEALS = {"seed": deal_of_seed, "high": deal_high, "points": deal_points}
PLAYS = {"random": play_random, "moon": play_for_moon, "nearly": play_nearly_moon}
TABLES = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name, preset in PRESETS.items()
    for players in preset.players
]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_presets_agree_card_by_card(preset: str, players: int) -> None:
    """A game at random under a preset is the same game in both engines."""
    rules = Rules.preset(preset, players=players)
    events = play_game(Pair(rules, seed=players), random.Random(players), deal_of_seed, play_random)

    assert events["broken"] >= 3
    assert events["L"] >= 1


# Any rules.


def _some(name: str) -> st.SearchStrategy[Any]:
    """Values of one setting, good and bad together."""
    card = st.sampled_from(NAMES)
    special: dict[str, st.SearchStrategy[Any]] = {
        "players": st.integers(3, 7),
        "pass_count": st.integers(0, 5),
        "pass_cycle": st.lists(st.sampled_from(PASS_TOKENS), min_size=1, max_size=4),
        "pass_forbidden": st.lists(card, unique=True, max_size=6),
        "hearts_instead_of_queen": st.booleans(),
        "queen_forced": st.booleans(),
        "cards": st.one_of(
            st.dictionaries(card, st.integers(1, 30), max_size=4),
            st.dictionaries(st.sampled_from(["QS", "7C", "JD"]), st.just(13), max_size=3),
        ),
        "moon_value": st.one_of(st.just("auto"), st.integers(1, 60)),
        "end": st.one_of(st.just("points"), st.builds(lambda n: {"deals": n}, st.integers(1, 3))),
        "target": st.sampled_from([5, 13, 20, 26, 39, 52, 60, 100]),
        "tie_cap": st.integers(0, 3),
    }
    return special[name] if name in special else st.sampled_from(CHOICES[name])


@st.composite
def any_rules(draw: Any) -> Rules:
    """Rules with any settings that are allowed together."""
    players = draw(_some("players"))
    optional = ["pass_count", "pass_cycle", "pass_forbidden", "hearts_instead_of_queen"]
    optional += ["queen_forced", "cards", "moon_value", "end", "target", "tie_cap", *CHOICES]
    chosen = draw(st.fixed_dictionaries({}, optional={name: _some(name) for name in optional}))
    if draw(st.booleans()):
        few = draw(st.integers(0, 3)) * players + 52 % players
        order = random.Random(draw(st.integers(0, 999))).sample(NAMES, 52)
        chosen["deck_removal"] = order[:few]
    chosen["max_hands"] = draw(st.integers(2, 5))
    while True:
        try:
            return Rules(players=players, **chosen)
        except RulesError as error:
            # What is refused is dropped; `error.settings` tells what that is.
            given_ones = [name for name in error.settings if name in chosen]
            if not given_ones:
                raise
            del chosen[given_ones[0]]


@given(
    rules=any_rules(),
    seed=st.integers(0, 2**32),
    deal=st.sampled_from(sorted(DEALS)),
    play=st.sampled_from(sorted(PLAYS)),
)
@settings(max_examples=200)
def test_any_rules_agree_card_by_card(rules: Rules, seed: int, deal: str, play: str) -> None:
    """Under any rules that are allowed, both engines play, score and end the same game."""
    pair = Pair(rules, seed=seed)
    play_game(pair, random.Random(seed), DEALS[deal], PLAYS[play])

    with pytest.raises(IllegalPlayError, match="the game is over"):
        pair.table.deal()


# What is rare at random.

_RARE: dict[str, dict[str, Any]] = {
    # moons of all kinds
    **{f"moon {moon}": {"moon": moon} for moon in CHOICES["moon"]},
    "moon old to exactly the target": {"target": 52, "exact_target": "minus50"},
    "moon old to zero": {"target": 26, "exact_target": "zero", "max_hands": 8},
    "moon old wins exactly": {"target": 52, "exact_target": "win"},
    "moon mixed with exact target": {"moon": "mixed", "target": 52, "exact_target": "zero"},
    "moon auto, low target": {"moon": "auto", "target": 50},
    "moon mixed, low target": {"moon": "mixed", "target": 50},
    "moon mixed, highest": {"moon": "mixed", "win": "highest", "target": 60},
    "moon choice, highest": {"moon": "choice", "win": "highest", "target": 60},
    "moon of a value": {"moon": "choice", "moon_value": 40, "target": 80},
    "one penalty card": {"heart_scale": "zero", "cards": {"QS": 5}, "target": 25},
    "two penalty cards, mixed": {
        "heart_scale": "zero",
        "cards": {"QS": 7, "JD": 6},
        "moon": "mixed",
        "target": 39,
    },
    # the end
    "deals, all tied": {"end": {"deals": 2}, "moon": "void", "tie_cap": 2},
    "deals, tied and drawn": {"end": {"deals": 2}, "moon": "void", "tie": "draw"},
    "highest, tied": {"win": "highest", "target": 26, "max_hands": 6, "tie_cap": 4},
    "highest, no extra hands": {"win": "highest", "target": 26, "tie_cap": 0},
    "stopped by max_hands": {"target": 1000, "max_hands": 3},
    "target passed": {"target": 52, "end_cmp": ">"},
    # the first trick
    **{
        f"points only, {allowed}": {"first_trick_all_points": allowed, "max_hands": 6}
        for allowed in CHOICES["first_trick_all_points"]
    },
    # other tables
    "three players": {"players": 3, "pass_cycle": ["H", "L", "scatter"], "target": 60},
    "five players": {"players": 5, "pass_cycle": ["H", "L2", "R2", "scatter"], "target": 60},
    "six players": {"players": 6, "pass_cycle": ["H", "A", "L3", "scatter"], "target": 60},
    "seven players": {"players": 7, "pass_cycle": ["H", "R3", "scatter"], "target": 60},
    # passing what may not be passed
    "no hearts passed": {"pass_forbidden": [f"{rank}H" for rank in "23456789TJQKA"]},
}


@cache
def rare(scenario: str) -> Counter[str]:
    """Play some games of a scenario on both sides; returns what happened."""
    given_ones = {"pass_cycle": ["H", "L", "R"], "max_hands": 12} | _RARE[scenario]
    rules = Rules(**given_ones)
    events: Counter[str] = Counter()
    deal: Callable[..., Any] = deal_points if "only" in scenario else deal_high
    if "passed" in scenario and "hearts" in scenario:
        deal = deal_points
    for seed, play in enumerate(PLAYS.values()):
        rng = random.Random(f"{scenario} {seed}")
        events += play_game(Pair(rules, seed=seed), rng, deal, play)
    return events


@pytest.mark.parametrize("scenario", list(_RARE))
def test_rare_things_agree_card_by_card(scenario: str) -> None:
    """Moons, ties, exact targets and hands of points alone are the same in both engines."""
    assert sum(rare(scenario).values()) > 0


# Game loop.

_TABLES: dict[str, tuple[dict[str, Any], type[Recorder] | None]] = {
    "black_lady": ({}, FullRecorder),
    "black_widow": ({"preset": "black_widow"}, Recorder),
    "hearts": ({"preset": "hearts", "target": 60}, FullRecorder),
    "three players": ({"players": 3}, FullRecorder),
    "five, scatter": ({"players": 5, "pass_cycle": ["scatter", "L2", "H"]}, FullRecorder),
    "six": ({"players": 6, "pass_cycle": ["A", "R2"], "pass_forbidden": ["QS", "AS"]}, Recorder),
    "seven": ({"players": 7, "first_lead": "lowest_club_holder_any_club"}, FullRecorder),
    "eldest leads": (
        {"first_lead": "eldest_any", "first_trick_points": "free", "hearts_lead": "free"},
        FullRecorder,
    ),
    "queen forced": (
        {"queen_forced": True, "queen_lead": "after_broken", "broken_by": "any_penalty"},
        FullRecorder,
    ),
    "queen kept": ({"queen_discard": "after_broken", "hearts_instead_of_queen": True}, Recorder),
    "moon every hand, choice": (
        {"heart_scale": "zero", "cards": {"QS": 9}, "moon": "choice", "target": 60},
        FullRecorder,
    ),
    "moon every hand, mixed": (
        {"heart_scale": "zero", "cards": {"QS": 9}, "moon": "mixed", "target": 45},
        FullRecorder,
    ),
    "moon every hand, mixed by default": (
        {"heart_scale": "zero", "cards": {"QS": 9}, "moon": "mixed", "target": 45},
        Recorder,
    ),
    "moon every hand, auto": (
        {"heart_scale": "zero", "cards": {"QS": 9}, "moon": "auto", "target": 45},
        Recorder,
    ),
    "exact target": (
        {"heart_scale": "zero", "cards": {"QS": 9}, "exact_target": "zero", "target": 45}
        | {"max_hands": 30},
        Recorder,
    ),
    "exact win": (
        {"heart_scale": "zero", "cards": {"QS": 10, "AS": 5}, "exact_target": "win", "target": 30},
        Recorder,
    ),
    "deals": ({"end": {"deals": 3}, "heart_scale": "face5432", "tie": "draw"}, FullRecorder),
    "highest wins": ({"win": "highest", "moon": "off", "target": 60}, Recorder),
    "ties to the cap": (
        {"end": {"deals": 1}, "heart_scale": "zero", "cards": {"QS": 9}, "moon": "void"}
        | {"tie_cap": 2},
        Recorder,
    ),
    "compiled bots": ({}, None),
    "compiled bots, seven": ({"players": 7, "pass_cycle": ["R3", "scatter"]}, None),
}


def _jobs(players: int, number: int) -> Any:
    jobs = np.zeros(number, JOB)
    for game in range(number):
        jobs[game]["block"] = 7 + game // 2
        jobs[game]["seating"] = game % 2
        jobs[game]["number"] = 100 + game
        seats = [(seat + game) % players for seat in range(players)]
        jobs[game]["entries"][:players] = seats
    return jobs


@pytest.mark.parametrize("name", list(_TABLES))
def test_log_of_the_game_loop_agrees_with_the_twin(name: str, library: Any) -> None:
    """Every column of the log, and all that bots saw, is what the twin says of the same cards."""
    options, recorder = _TABLES[name]
    rules = Rules.from_spec(options)
    jobs = _jobs(rules.players, 3 if recorder else 6)
    seen: list[Any] | None = [] if recorder else None
    bots = [recorder or library.get("RandomLegal").strategy] * rules.players
    hands, games, plays = play_jobs(
        rules, bots, jobs, seed=3, options={"seen": seen} if recorder else None
    )

    replay = Replay(rules, hands, games, plays, seen)
    for job in jobs:
        replay.game(job)
    replay.end()

    if "every hand" in name:
        assert replay.moons * rules.players == len(hands)


def test_bots_with_and_without_hooks_at_one_table() -> None:
    """Where only some bots choose their pass and their moon, the others get the default."""
    rules = Rules.preset(heart_scale="zero", cards={"QS": 9, "AS": 2}, moon="choice", target=60)
    seen: list[Any] = []
    jobs = _jobs(4, 4)
    bots = [Recorder, FullRecorder, FullRecorder, Recorder]
    hands, games, plays = play_jobs(rules, bots, jobs, seed=9, options={"seen": seen})

    replay = Replay(rules, hands, games, plays, seen)
    for job in jobs:
        replay.game(job)
    replay.end()

    assert replay.moons > 0


class HighSeatZero(Recorder):
    """Seat 0 plays its highest card, the others their lowest."""

    def choose_card(self, view: Any) -> Any:
        best = max if view.seat == 0 else min
        return self._note("choose_card", view, best(view.legal, key=lambda card: card.rank))


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(
            {"heart_scale": "zero", "cards": {"QS": 1}, "moon_value": 10_000}
            | {"target": 40_000, "exact_target": "zero", "max_hands": 8},
            id="adjust",
        ),
        pytest.param(
            {"players": 3, "cards": dict.fromkeys(NAMES[:13] + NAMES[14:], 1000), "moon": "off"}
            | {"end": {"deals": 40}},
            id="raw",
        ),
    ],
)
def test_log_holds_the_largest_points_that_settings_allow(options: dict[str, Any]) -> None:
    """Costs, moons and targets at their limits are in the log as they are."""
    rules = Rules(pass_count=0, first_trick_points="free", hearts_lead="free", **options)
    seen: list[Any] = []
    bots, job = [HighSeatZero] * rules.players, one_job([0, 1, 2, 3][: rules.players])
    hands, games, plays = play_jobs(rules, bots, job, seed=1, options={"seen": seen})

    replay = Replay(rules, hands, games, plays, seen)
    replay.game(job[0])
    replay.end()


@pytest.mark.parametrize("log", ["games", "hands"])
def test_less_log_is_a_part_of_the_whole_log(log: str, library: Any) -> None:
    """The rows of a game are the same whatever else is logged."""
    bots = [library.get("RandomLegal").strategy] * 4
    whole = play_jobs(Rules(), bots, _jobs(4, 4), seed=1)
    part = play_jobs(Rules(), bots, _jobs(4, 4), seed=1, log=log)

    assert part[1] == whole[1]
    assert part[0] == (whole[0] if log == "hands" else [])
    assert part[2] == []


# The compact record of a playout.


@njit
def _legal(rules: Any, table: Any, hands: Any) -> Any:
    return legal_cards(rules, table, hands)


@njit
def _step(rules: Any, table: Any, hands: Any, card: Any) -> None:
    play_card(rules, table, hands, card)
    if table.trick_size == rules.players:
        take_trick(table)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="black_lady"),
        pytest.param({"players": 6, "first_lead": "eldest_any"}, id="six-eldest"),
        pytest.param({"queen_forced": True, "queen_lead": "after_broken"}, id="queen"),
    ],
)
def test_compact_record_plays_by_the_same_rules(options: dict[str, Any]) -> None:
    """The small record that playouts copy allows the same cards and takes the same tricks."""
    rules = Rules.preset(**options)
    record = compile_rules(rules)[0]
    table = Table(rules, seed=5)
    rng = random.Random(5)
    for _ in range(5):
        table.deal()
        if table.pass_count:
            table.exchange([table.default_pass(seat) for seat in range(rules.players)])
        game = np.zeros(1, GAME)[0]
        game["hand_number"] = table.hand_number
        small, hands = np.zeros(1, TABLE)[0], np.zeros(1, HANDS)[0]
        hands["cards"][: rules.players] = table.hands
        clear_table(record, small)
        open_play(record, game, small, hands)
        while not table.hand_over:
            assert small["turn"] == table.turn
            assert CardSet(_legal(record, small, hands)) == table.legal
            card = rng.choice(list(table.legal))
            table.play(card)
            _step(record, small, hands, int(card))
        assert tuple(small["taken"][: rules.players]) == table.taken
        assert tuple(small["points"][: rules.players]) == table.points
        table.score()


def test_rare_things_really_happened() -> None:
    """The comparisons above met every rare thing often enough to mean something."""
    events: Counter[str] = Counter()
    for scenario in _RARE:
        events += rare(scenario)
    few = {
        "moon": 60,
        "moon of others": 30,
        "moon below zero": 10,
        "moon void": 4,
        "moon chosen": 10,
        "moon stopped": 10,
        "exact hit": 10,
        "relief": 5,
        "extra hand": 10,
        "shared win": 5,
        "ban lapsed": 10,
        "pass ban lapsed": 2,
        "scatter": 4,
        "ended by target": 20,
        "ended by deals": 2,
        "ended by exact": 2,
        "ended by tie_cap": 2,
        "ended by max_hands": 2,
    }
    assert {name: events[name] for name, least in few.items() if events[name] < least} == {}
