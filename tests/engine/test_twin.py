"""The compiled engine against the slow twin, card by card and game by game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from pair import DEALS, PLAYS, Pair, play_game
from random_rules import all_values, random_rules, values_of
from replay import FullRecorder, Recorder, Replay, play_jobs

from hearts_sim.cards import CARDS, CardSet
from hearts_sim.engine.deal import open_play
from hearts_sim.engine.layout import GAME, HANDS, JOB, TABLE
from hearts_sim.engine.legal import legal_cards
from hearts_sim.engine.machine import one_job
from hearts_sim.engine.play import clear_table, find_taker, finish_trick, play_card
from hearts_sim.engine.record import compile_rules
from hearts_sim.engine.table import Table
from hearts_sim.engine.wide import give_kitty
from hearts_sim.errors import IllegalPlayError
from hearts_sim.rules import CHOICES, PRESETS, Rules

NAMES = [card.name for card in CARDS]
TABLES = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name, preset in PRESETS.items()
    for players in preset.players
]


def short_game(name: str, players: int, hands: int = 3) -> Rules:
    """Rules of a preset whose game stops after some hands, or after as many as it has."""
    return Rules.preset(
        name, players=players, max_hands=max(hands, Rules.preset(name, players=players).deals)
    )


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_presets_agree_card_by_card(preset: str, players: int) -> None:
    """Hands at random under a preset, at every table size, are the same in both engines."""
    rules = short_game(preset, players)
    pair = Pair(rules, seed=players)
    events = play_game(pair, random.Random(players), DEALS["seed"], PLAYS["random"])

    tokens = Counter(f"pass {rules.pass_token(hand)}" for hand in range(1, events["hand"] + 1))
    assert events["hand"] == pair.twin.hand_number >= 3
    assert tokens == {name: number for name, number in events.items() if name in tokens}


@pytest.mark.parametrize("preset", list(PRESETS))
def test_whole_games_of_presets_agree(preset: str) -> None:
    """A game to its end, with deals and ways to play of all kinds, is the same in both engines.

    Half the target is enough for that.
    """
    rng = random.Random(preset)
    pair = Pair(Rules.preset(preset, target=Rules.preset(preset).target // 2), seed=1)
    play_game(
        pair,
        rng,
        lambda rules, rng: rng.choice(list(DEALS.values()))(rules, rng),
        lambda pair, rng: rng.choice(list(PLAYS.values()))(pair, rng),
    )

    assert pair.twin.ended in ("target", "deals")


# Any rules.


def for_any_rules(agree: Callable[[Rules, random.Random], None], number: int) -> None:
    """Call a test with random rules, and then with some more for the values that none had."""
    met: set[tuple[str, Any]] = set()

    @given(rng=st.randoms(use_true_random=False), seed=st.integers(0, 2**32))
    @settings(max_examples=number)
    def search(rng: random.Random, seed: int) -> None:
        rules = random_rules(rng)
        met.update(values_of(rules))
        agree(rules, random.Random(seed))

    search()
    for seed in range(2000):
        rules = random_rules(random.Random(seed))
        if not met.issuperset(values_of(rules)):
            met.update(values_of(rules))
            agree(rules, random.Random(seed))
    assert met >= all_values()


def test_any_rules_agree_card_by_card() -> None:
    """Under any rules that are allowed, both engines play, score and end the same game."""

    def agree(rules: Rules, rng: random.Random) -> None:
        pair = Pair(rules, seed=rng.getrandbits(32))
        deal, play = rng.choice(sorted(DEALS)), rng.choice(sorted(PLAYS))
        play_game(pair, rng, DEALS[deal], PLAYS[play])
        with pytest.raises(IllegalPlayError, match="the game is over"):
            pair.table.deal()

    for_any_rules(agree, 60)


def test_any_rules_agree_in_the_game_loop() -> None:
    """Under any rules, the log of a game and all that bots saw are what the twin says."""

    def agree(rules: Rules, rng: random.Random) -> None:
        seen: list[Any] = []
        bots = [rng.choice([FullRecorder, Recorder]) for _ in range(rules.players)]
        job = one_job(list(range(rules.players)))
        logs = play_jobs(rules, bots, job, rng.getrandbits(32), {"seen": seen})
        replay = Replay(rules, *logs, seen)
        replay.game(job[0])
        replay.end()

    for_any_rules(agree, 40)


def test_random_rules_are_of_every_kind() -> None:
    """Each value of each setting is in at least one in a hundred of the rules drawn at random."""
    met: Counter[tuple[str, Any]] = Counter()
    as_drawn = 0
    for seed in range(1000):
        refused: Counter[str] = Counter()
        met.update(values_of(random_rules(random.Random(seed), refused)))
        as_drawn += not refused

    assert as_drawn > 500
    assert {value: met[value] for value in all_values() if met[value] < 10} == {}
    assert met.keys() == all_values()


# What is rare at random.

_SHORT = [rank + suit for suit in "CDSH" for rank in "23456"]  # leaves 32 cards of a pack
_MOONS = ("moon", "nearly", "late")
_NEARLY = ("nearly",) * 8
_BEATEN = {"end": {"deals": 3}, "moon_value": 5}  # the shooter of a moon may be behind at the end
_ONE_COST = {"heart_scale": "zero", "cards": {"QS": 9}}


class Rare(NamedTuple):
    """Games in which something rare is to happen: settings, the deal, ways to play, how often."""

    options: dict[str, Any]
    events: dict[str, int]
    deal: str = "high"
    plays: tuple[str, ...] = tuple(PLAYS)


def _short(players: int = 4, packs: int = 1, hand: int = 8, kitty: int = 0) -> dict[str, Any]:
    """Settings of a table where the highest cards are in play, some for each hand."""
    order = sorted(NAMES * packs, key=lambda card: ("23456789TJQKA".index(card[0]), card))
    removed = order[: 52 * packs - players * hand - kitty]
    options: dict[str, Any] = {"players": players, "packs": packs, "deck_removal": removed}
    if packs == 2:
        options["trick_winner"] = "cancel_pairs"
    if kitty:
        options |= {"hand_size": hand, "leftover": "kitty_first_trick"}
    return options


def _of_two_packs(cards: str) -> dict[str, Any]:
    """Settings of a table for four where both copies of some cards are in play."""
    gone = [card for card in NAMES if card not in cards.split()] * 2
    return {"packs": 2, "trick_winner": "cancel_pairs", "deck_removal": gone, "hand_size": "auto"}


_TEAM_MOONS = {
    f"moon {moon}, {teams}, by {scope}": Rare(
        {"moon": moon, "teams": teams, "moon_scope": scope, "target": 40},
        {f"moon {moon}, {teams}, by {scope}": 3},
        "team" if scope == "team" else "high",
        _MOONS,
    )
    for moon in CHOICES["moon"][1:]
    for teams in ("singly", "pooled")
    for scope in CHOICES["moon_scope"]
}

_RARE: dict[str, Rare] = {
    # moons by a player
    **{
        f"moon {moon}": Rare({"moon": moon}, {"moon": 3, "moon stopped": 1}, plays=_MOONS)
        for moon in CHOICES["moon"][1:]
    },
    "no moon": Rare({"moon": "off"}, {"hand": 5}),
    "moon auto, taken off": Rare(_BEATEN | {"moon": "auto"}, {"moon below zero": 1}, plays=_NEARLY),
    "moon mixed, taken off": Rare(_BEATEN | {"moon": "mixed"}, {"moon chosen": 1}, plays=_NEARLY),
    "moon choice, taken off": Rare(
        _BEATEN | {"moon": "choice"}, {"moon below zero": 1}, plays=_NEARLY
    ),
    "moon mixed, exact": Rare(
        {"moon": "mixed", "target": 42, "exact_target": "zero"}, {"moon": 3, "relief": 1}
    ),
    "moon mixed, highest": Rare(
        {"moon": "mixed", "win": "highest", "target": 60}, {"moon chosen": 1}
    ),
    "moon choice, highest": Rare(
        {"moon": "choice", "win": "highest", "target": 60}, {"moon chosen": 2}
    ),
    "moon of a value": Rare({"moon": "choice", "moon_value": 40, "target": 80}, {"moon chosen": 2}),
    "moon with a bonus card": Rare(
        {"moon": "new", "bonus": {"AD": -10}, "moon_needs_bonus": True},
        {"moon with all bonus cards": 2},
    ),
    "moon of one card": Rare({"cards": {"QS": 5}, "heart_scale": "zero"}, {"moon": 10}),
    "moon of two cards, mixed": Rare(
        {"heart_scale": "zero", "cards": {"QS": 7, "JD": 6}, "moon": "mixed", "target": 39},
        {"moon": 5},
    ),
    "moon with two packs": Rare(_short(6, 2), {"moon of two packs": 2}, plays=_MOONS),
    "moon with a kitty": Rare(_short(4, 1, 7, 4), {"moon with a kitty": 2}, plays=_MOONS),
    # moons by a team
    **_TEAM_MOONS,
    "moon of both partners": Rare(
        {"teams": "pooled", "moon_scope": "team", "moon": "choice"},
        {"moon of two partners": 2, "moon chosen": 2},
        "team",
        _MOONS,
    ),
    "moon of a team stopped": Rare(
        {"teams": "singly", "moon_scope": "team"},
        {"moon of a team stopped": 1},
        "team",
        ("nearly", "random", "dump"),
    ),
    "moon that a kitty completes": Rare(
        {"teams": "pooled", "moon_scope": "team", "moon": "mixed", "target": 30}
        | _short(4, 1, 6, 8),
        {"moon asked of who got the kitty": 2},
        "team",
    ),
    "moon that spares the partner": Rare(
        {"teams": "singly", "moon_partner": "exempt"}, {"moon spares the partner": 3}, plays=_MOONS
    ),
    "moon of a team of six": Rare(
        {"teams": "singly", "moon_scope": "team", "pass_cycle": ["partner", "A", "L2"]}
        | _short(6, 1, 6),
        {"pass partner": 3, "moon": 2},
        "team",
    ),
    # suns
    **{
        f"sun {sun}, first trick {first}": Rare(
            {"sun": sun, "sun_first_trick": first, "moon": "choice", "target": 90},
            {f"sun {sun}": 5},
        )
        for sun in CHOICES["sun"][1:]
        for first in CHOICES["sun_first_trick"]
    },
    "moon without a sun": Rare(
        {"sun": "double", "teams": "singly"}, {"moon without sun": 2}, plays=_NEARLY
    ),
    "sun without the first trick": Rare(
        {"sun": "double", "sun_first_trick": "exempt", "max_hands": 20} | _short(3, 1, 3),
        {"sun without the first trick": 1},
        "seed",
    ),
    "sun of both partners": Rare(
        {"sun": "reset_to_zero", "teams": "pooled", "moon_scope": "team", "moon": "mixed"},
        {"sun of two partners": 2},
        "team",
        _MOONS,
    ),
    "sun with held tricks": Rare(
        {"sun": "double", "sun_first_trick": "exempt"} | _short(4, 2, 6),
        {"sun double": 1},
    ),
    # bonus cards, no tricks, floors
    "bonus cards": Rare({"bonus": {"JD": -10, "TC": -3}}, {"bonus card taken": 5}, "seed"),
    "bonus cards of two packs": Rare(
        {"bonus": {"JD": -10}} | _short(4, 2), {"bonus card taken": 5}, "seed"
    ),
    "no trick": Rare({"no_trick_bonus": -5}, {"no-trick bonus": 3, "no-trick bonus withheld": 2}),
    "no trick, pooled": Rare(
        {"no_trick_bonus": -5, "teams": "pooled", "moon": "off"} | _short(6, 1, 4),
        {"no-trick bonus": 3},
    ),
    "floor of a hand": Rare({"score_floor": "hand0", "bonus": {"JD": -10}}, {"hand floor": 5}),
    "floor of a total": Rare(
        {"score_floor": "total0", "bonus": {"JD": -10}, "moon": "new"}, {"total floor": 5}
    ),
    "floor of a total, pooled": Rare(
        {"score_floor": "total0", "teams": "pooled", "bonus": {"JD": -20}}, {"total floor": 3}
    ),
    # two packs
    "held tricks": Rare(
        {"pass_count": 2} | _short(4, 2, 4) | {"cards": {"AS": 13}},
        {"trick held": 10, "held tricks taken": 10, "two tricks held": 1, "last trick unwon": 1},
        "mirrored",
    ),
    "no trick is won": Rare(
        {"first_lead": "eldest_any", "pass_count": 0, "cards": {}} | _of_two_packs("2H 3H 4H 5H"),
        {"no trick won": 1},
        "mirrored",
    ),
    "two pairs cancel a trick": Rare(
        {"cancel_two_pairs": True} | _short(6, 2, 5), {"two pairs in a trick": 5}, "mirrored"
    ),
    "the later of two equals": Rare(
        _short(5, 2, 6) | {"trick_winner": "latest_of_equals"},
        {"the led card beaten by its copy": 2},
        "mirrored",
    ),
    "queens of two packs": Rare(
        _short(6, 2), {"both queens": 5, "a queen each": 3}, "seed", ("random", "dump")
    ),
    "both copies passed": Rare(
        {"pass_count": 4, "pass_cycle": ["L", "scatter", "A"]} | _short(4, 2),
        {"both copies passed": 5, "both copies received": 5},
    ),
    "opened by one of two equal clubs": Rare(_short(7, 2, 6), {"two lowest clubs": 3}, "seed"),
    # kitties
    **{
        f"{leftover}, {packs} packs": Rare(
            _short(4, packs, 6, 5) | {"leftover": leftover, "moon_scope": "player"},
            {"penalty in the kitty": 5, "queen in the kitty": 1} | events,
            "seed",
        )
        for packs in (1, 2)
        for leftover, events in {
            "kitty_first_trick": {"kitty_first_trick on a first trick": 5},
            "kitty_first_penalty": {"kitty_first_penalty on a middle trick": 3},
            "kitty_last_trick": {"kitty_last_trick on a last trick": 5},
        }.items()
    },
    "the kitty waits for a trick that is won": Rare(
        {"pass_count": 2} | _short(4, 2, 4, 3) | {"cards": {"AS": 13}},
        {"kitty_first_trick on a middle trick": 1},
        "mirrored",
    ),
    "the only penalty card is in the kitty": Rare(
        _ONE_COST | _short(4, 1, 6, 8) | {"leftover": "kitty_first_penalty"},
        {"kitty_first_penalty on a last trick": 1, "moon with a kitty": 5},
        "seed",
    ),
    "all clubs in the kitty": Rare(
        {"deck_removal": NAMES[:12] + NAMES[13:20], "hand_size": 6, "leftover": "kitty_last_trick"},
        {"all clubs in the kitty": 2},
        "seed",
    ),
    # the end
    "moon old to exactly the target": Rare(
        {"target": 42, "exact_target": "minus50"}, {"exact hit": 2, "relief": 2}
    ),
    "moon old to zero": Rare({"target": 21, "exact_target": "zero"}, {"relief": 2}),
    "moon old wins exactly": Rare({"target": 21, "exact_target": "win"}, {"ended by exact": 1}),
    "exactly the target, below a floor": Rare(
        {"target": 21, "exact_target": "minus50", "score_floor": "total0"}, {"relief": 2}
    ),
    "deals, all tied": Rare(
        {"end": {"deals": 2}, "moon": "void", "tie_cap": 2} | _ONE_COST,
        {"ended by tie_cap": 3, "extra hand": 3},
    ),
    "deals, tied and drawn": Rare(
        {"end": {"deals": 2}, "moon": "void", "tie": "draw"} | _ONE_COST,
        {"ended by deals": 3, "shared win": 3},
    ),
    "teams tied and drawn": Rare(
        {"end": {"deals": 2}, "moon": "void", "tie": "draw", "teams": "singly"} | _ONE_COST,
        {"shared win of teams": 3},
    ),
    "pooled teams tied to the cap": Rare(
        {"end": {"deals": 1}, "moon": "void", "tie_cap": 1, "teams": "pooled"} | _ONE_COST,
        {"ended by tie_cap": 3, "shared win of teams": 3},
    ),
    "three teams, the lowest of them": Rare(
        {"teams": "singly", "target": 20} | _short(6, 1, 6), {"ended by target": 3}, "seed"
    ),
    "highest, tied": Rare({"win": "highest", "target": 21, "tie_cap": 4}, {"extra hand": 1}),
    "highest, no extra hands": Rare(
        {"win": "highest", "target": 21, "tie_cap": 0}, {"ended by tie_cap": 1}
    ),
    "stopped by max_hands": Rare({"target": 1000}, {"ended by max_hands": 5}),
    "target passed": Rare({"target": 42, "end_cmp": ">"}, {"hand": 5}),
    # the first trick
    **{
        f"points only, {allowed}": Rare(
            {"first_trick_all_points": allowed}, {"ban lapsed": 2}, "points"
        )
        for allowed in CHOICES["first_trick_all_points"]
    },
    "points only, two packs": Rare(_short(4, 2, 6), {"ban lapsed": 2}, "points"),
    # passing
    "three players": Rare(
        {"pass_cycle": ["H", "L", "scatter"], "pass_count": 4} | _short(3), {"pass scatter": 5}
    ),
    "seven players": Rare(
        {"pass_cycle": ["R3", "L3", "R2", "scatter"]} | _short(7, 1, 7), {"pass scatter": 3}
    ),
    "no hearts passed": Rare(
        {"pass_forbidden": NAMES[44:]}, {"ban on passing lapsed": 2}, "points"
    ),
}


@pytest.mark.parametrize("scenario", list(_RARE))
def test_rare_things_happen_and_agree(scenario: str) -> None:
    """Moons, suns, ties, held tricks, kitties, floors and the like are the same in both engines."""
    rare = _RARE[scenario]
    usual = {"pass_cycle": ["H", "L", "R"], "max_hands": 5} | _short()
    rules = Rules(**usual | rare.options)
    events: Counter[str] = Counter()
    for seed, play in enumerate(rare.plays):
        rng = random.Random(f"{scenario} {seed}")
        events += play_game(Pair(rules, seed=seed), rng, DEALS[rare.deal], PLAYS[play])

    few = {name: events[name] for name, least in rare.events.items() if events[name] < least}
    assert few == {}


# The game loop.

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
    "kitty": ({"preset": "kitty", "target": 60}, FullRecorder),
    "heartsette": ({"preset": "heartsette", "players": 5}, Recorder),
    "kitty for the last trick": (
        {"preset": "kitty", "leftover": "kitty_last_trick", "target": 50, "sun": "double"},
        FullRecorder,
    ),
    "cancellation": ({"preset": "cancellation", "target": 60}, Recorder),
    "cancellation, eleven": ({"preset": "cancellation", "players": 11, "target": 40}, FullRecorder),
    "two packs, few cards": (
        {"players": 4, "deck_removal": [card for card in NAMES if card[0] in "2345678"] * 2}
        | {"pass_cycle": ["scatter", "L", "A"], "pass_count": 4, "target": 150}
        | {"packs": 2, "trick_winner": "cancel_pairs", "cancel_two_pairs": True, "moon": "choice"},
        FullRecorder,
    ),
    "two packs, the later of two equals": (
        {"players": 5, "packs": 2, "trick_winner": "latest_of_equals", "target": 60}
        | {"leftover": "kitty_first_penalty", "pass_cycle": ["R2", "scatter"]},
        Recorder,
    ),
    "partnership": ({"preset": "partnership", "target": 60}, FullRecorder),
    "partnership, pooled": (
        {"preset": "partnership_pooled", "pass_cycle": ["partner", "L"], "target": 60}
        | {"bonus": {"JD": -10}, "no_trick_bonus": -5},
        FullRecorder,
    ),
    "six in teams, two packs": (
        {"preset": "cancellation", "teams": "singly", "moon_scope": "team", "target": 60}
        | {"pass_cycle": ["partner"]},
        Recorder,
    ),
    "moon of a team every hand": (
        {"heart_scale": "zero", "cards": {"QS": 9}, "teams": "singly", "moon_scope": "team"}
        | {"moon": "choice", "target": 60},
        FullRecorder,
    ),
    "omnibus": ({"preset": "omnibus", "target": 60}, FullRecorder),
    "floor of a total": (
        {"bonus": {"JD": -10, "TC": -8}, "score_floor": "total0", "no_trick_bonus": -20}
        | {"target": 40},
        Recorder,
    ),
    "compiled bots": ({}, None),
    "compiled bots, seven": ({"players": 7, "pass_cycle": ["R3", "scatter"]}, None),
    "compiled bots, cancellation": ({"preset": "cancellation", "players": 8, "target": 60}, None),
    "compiled bots, kitty, teams": ({"preset": "kitty", "teams": "pooled", "target": 60}, None),
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
    if "cancellation" in name:
        assert max(row["queen"] for row in hands) == 2


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
        pytest.param(
            {"players": 3, "packs": 2, "trick_winner": "latest_of_equals", "moon": "off"}
            | {"leftover": "kitty_last_trick", "bonus": dict.fromkeys(NAMES[:36], -1000)}
            | {"no_trick_bonus": -100, "end": {"deals": 20}},
            id="bonus",
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
        finish_trick(rules, table, find_taker(rules, table))


@njit
def _give_kitty(rules: Any, table: Any, hands: Any) -> None:
    give_kitty(rules, table, hands)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="black_lady"),
        pytest.param({"players": 6, "first_lead": "eldest_any"}, id="six-eldest"),
        pytest.param({"queen_forced": True, "queen_lead": "after_broken"}, id="queen"),
        pytest.param({"preset": "cancellation"}, id="cancellation"),
        pytest.param({"preset": "kitty", "players": 5}, id="kitty"),
    ],
)
def test_compact_record_plays_by_the_same_rules(options: dict[str, Any]) -> None:
    """The small record that playouts copy allows the same cards and takes the same tricks."""
    rules = Rules.from_spec(options)
    record = compile_rules(rules)[0]
    wide = rules.kitty_size > 0
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
        hands["cards_twice"][: rules.players] = table.hands_twice
        hands["kitty"], hands["kitty_twice"] = table.kitty, table.kitty_twice
        clear_table(record, small)
        open_play(record, game, small, hands)
        while not table.hand_over:
            assert small["turn"] == table.turn
            assert CardSet(_legal(record, small, hands)) == table.legal
            assert (small["held"], small["held_twice"]) == (table.held, table.held_twice)
            card = rng.choice(list(table.legal))
            table.play(card)
            _step(record, small, hands, int(card))
        if wide:
            _give_kitty(record, small, hands)
            assert small["kitty_seat"] == table.kitty_seat
        assert tuple(small["taken"][: rules.players]) == table.taken
        assert tuple(small["taken_twice"][: rules.players]) == table.taken_twice
        assert tuple(small["points"][: rules.players]) == table.points
        table.score()
