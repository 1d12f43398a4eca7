"""The engine against OpenSpiel's Hearts: the same cards may be passed and played, and cost as much.

What the two have in common, and under which settings, stands in `open_spiel_match`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from open_spiel_match import (
    DEFAULTS,
    NAMES,
    Outcome,
    all_options,
    label,
    play_by_steps,
    play_hands,
    settings_of,
)

from hearts_sim.errors import RulesError
from hearts_sim.rules import Rules

pyspiel = pytest.importorskip("pyspiel")

HANDS = 100
COMBINATIONS = {label(options): options for options in all_options()}
NEAR_DEFAULTS = [name for name in COMBINATIONS if "," not in name]


@cache
def outcome_of(combination: str) -> Outcome:
    """What came of some hands under one combination of options."""
    return play_hands(COMBINATIONS[combination], HANDS)


def total(event: str, **options: bool) -> int:
    """How often something happened, over all combinations that have these options."""
    return sum(
        outcome_of(name).seen[event]
        for name, combination in COMBINATIONS.items()
        if options.items() <= combination.items()
    )


def test_these_are_all_options() -> None:
    """OpenSpiel has no option that is not compared, and no other defaults."""
    assert pyspiel.load_game("hearts").get_type().parameter_specification == DEFAULTS


def test_cards_have_the_same_names() -> None:
    """The numbers of cards are translated by name."""
    state = pyspiel.load_game("hearts").new_initial_state()
    state.apply_action(0)
    assert [state.action_to_string(card) for card in range(52)] == NAMES


@pytest.mark.parametrize("combination", COMBINATIONS, ids=COMBINATIONS)
def test_same_hands(combination: str) -> None:
    """Under every combination of options, hands are the same to the last point."""
    outcome = outcome_of(combination)

    assert outcome.examples == []
    assert outcome.different == 0
    assert outcome.hands == HANDS
    directions = "HLAR" if COMBINATIONS[combination]["pass_cards"] else "H"
    assert all(outcome.seen[way] == HANDS // len(directions) for way in directions)
    passes = sum(outcome.seen[way] for way in "LAR")
    assert outcome.choices == HANDS * 52 + passes * 12


@pytest.mark.parametrize("combination", NEAR_DEFAULTS)
def test_same_hands_card_by_card(combination: str) -> None:
    """The same, where our side is a table that is played card by card."""
    outcome = play_hands(COMBINATIONS[combination], 20, play_here=play_by_steps)

    assert outcome.examples == []
    assert outcome.hands == 20


def test_rare_things_really_happened() -> None:
    """The comparison met what the options are about, often enough to mean something."""
    instead = "can_lead_hearts_instead_of_qs"
    met = {
        "moon": total("moon"),
        "first trick with point cards alone": total("first trick with point cards alone"),
        "only hearts to lead": total("only hearts to lead, unbroken"),
        "queen or hearts to lead": total("queen or hearts to lead, unbroken", **{instead: True}),
        "queen forced": total("queen forced, unbroken", **{instead: False}),
        "moon and jack": total("moon, jack with the shooter", jd_bonus=True),
        "moon without jack": total("moon, jack with another", jd_bonus=True),
        "no trick": total("seats without a trick", avoid_all_tricks_bonus=True),
        "no trick, moon": total("moon, seats without a trick", avoid_all_tricks_bonus=True),
    }
    assert {name: times for name, times in met.items() if times < 100} == {}
    # The queen is forced only where nothing else is allowed to be led.
    assert total("queen forced, unbroken", **{instead: True}) == 0
    assert total("queen or hearts to lead, unbroken", **{instead: False}) == 0


@pytest.mark.parametrize(
    ("option", "setting"),
    [
        ("qs_breaks_hearts", {"broken_by": "heart_or_queen"}),
        ("can_lead_hearts_instead_of_qs", {"hearts_instead_of_queen": True}),
    ],
)
def test_option_without_a_meaning(option: str, setting: dict[str, Any]) -> None:
    """Where hearts may always be led, what is about unbroken hearts is refused here, idle there.

    That it is idle there is part of `test_same_hands`, in which our settings leave it out.
    """
    options = DEFAULTS | {"must_break_hearts": False}
    assert settings_of(options | {option: True}) == settings_of(options | {option: False})
    with pytest.raises(RulesError, match="has no meaning with hearts_lead: free"):
        Rules(**settings_of(options) | setting)


# Where the two differ: options of OpenSpiel beside its defaults, settings beside those that agree
# with them, and where the first difference of a hand is.
_OPENING, _FIRST_TRICK, _ANY_CARD = r"card 1:", r"card [234]:", r"card \d+:"
_LEAD = rf"card ({'|'.join(map(str, range(5, 52, 4)))}):"
_PASS, _POINTS = r"pass \d+:", r"points:"
_JACK = {"jd_bonus": True}
_HOLD = {"pass_cards": False}
DIFFERENT: dict[str, tuple[dict[str, bool], dict[str, Any], str]] = {
    # each option, followed here where it is not followed there, or the other way round
    "no_pts_on_first_trick": ({}, {"first_trick_points": "free"}, _FIRST_TRICK),
    "can_lead_any_club": ({}, {"first_lead": "lowest_club_holder_any_club"}, _OPENING),
    "must_break_hearts": ({}, {"hearts_lead": "free", "broken_by": "heart"}, _LEAD),
    "qs_breaks_hearts": ({}, {"broken_by": "heart"}, _LEAD),
    "can_lead_hearts_instead_of_qs": ({}, {"hearts_instead_of_queen": True}, _LEAD),
    "jd_bonus": (_JACK, {"bonus": {}}, _POINTS),
    "avoid_all_tricks_bonus": ({"avoid_all_tricks_bonus": True}, {"no_trick_bonus": 0}, _POINTS),
    # settings that OpenSpiel has no option for
    "cards that may not be passed": ({}, {"pass_forbidden": ["QS"]}, _PASS),
    "another opener": ({}, {"first_lead": "eldest_any"}, _OPENING),
    "points alone, hearts only": (_HOLD, {"first_trick_all_points": "hearts_only"}, _FIRST_TRICK),
    "points alone, queen first": (_HOLD, {"first_trick_all_points": "queen_first"}, _FIRST_TRICK),
    "queen not led": ({}, {"queen_lead": "after_broken"}, _LEAD),
    "queen not discarded": ({}, {"queen_discard": "after_broken"}, _ANY_CARD),
    "queen forced": ({}, {"queen_forced": True}, _ANY_CARD),
    "moon taken off": ({}, {"moon": "new"}, _POINTS),
    "no moon": ({}, {"moon": "off"}, _POINTS),
    "void moon": ({}, {"moon": "void"}, _POINTS),
    "dearer moon": ({}, {"moon_value": 30}, _POINTS),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_other_settings_are_told_apart(name: str) -> None:
    """With one setting changed hands differ, and first where that setting works."""
    changed, settings, where = DIFFERENT[name]
    options = DEFAULTS | changed
    rules = Rules(**settings_of(options) | settings)
    outcome = play_hands(options, 1000, rules=rules, enough=3)

    assert outcome.different == 3
    assert all(re.search(f", {where}", example) for example in outcome.examples)


def test_bonus_card_is_no_penalty_card() -> None:
    """The jack of diamonds does not break hearts, not even where every penalty card does."""
    options = DEFAULTS | _JACK
    rules = Rules(**settings_of(options) | {"broken_by": "any_penalty"})

    assert play_hands(options, HANDS, rules=rules).examples == []
