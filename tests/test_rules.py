"""Rules as data: every refusal, defaults by table size, forms and round trips, sums by hand."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hearts_sim.cards import CARDS, Card, CardSet
from hearts_sim.errors import HeartsError, RulesError
from hearts_sim.rules import (
    CHOICES,
    HEART_SCALES,
    PASS_NAMES,
    PASS_TOKENS,
    Deals,
    Rules,
    nearest,
)

NAMES = [item.name for item in dataclasses.fields(Rules)]
ALL = [card.name for card in CARDS]
CLUBS = [name for name in ALL if name[1] == "C"]
HEARTS = [name for name in ALL if name[1] == "H"]
NO_QUEEN = {"cards": {}, "deck_removal": ["QS", "KS", "AS", "2S"]}
ONLY_HEARTS_OUT = {"players": 3, "deck_removal": HEARTS, "cards": {}}
TWO_PACKS = {"packs": 2, "players": 8, "trick_winner": "cancel_pairs"}
KITTY = {"leftover": "kitty_first_trick"}
TEAMS = {"teams": "singly"}

# What is refused: settings, the settings that the error names, a part of its message.
REFUSED = {
    # values that a setting cannot have
    "players-few": ({"players": 2}, ("players",), "from 3 to 11, got 2"),
    "players-many": ({"players": 12}, ("players",), "from 3 to 11, got 12"),
    "players-text": ({"players": "4"}, ("players",), "whole number"),
    "players-float": ({"players": 4.0}, ("players",), "whole number"),
    "players-bool": ({"players": True}, ("players",), "whole number"),
    "players-none": ({"players": None}, ("players",), "whole number"),
    "packs-none": ({"packs": 0}, ("packs",), "from 1 to 2, got 0"),
    "packs-many": ({"packs": 3}, ("packs",), "from 1 to 2, got 3"),
    "packs-bool": ({"packs": True}, ("packs",), "whole number"),
    "pass-count-negative": ({"pass_count": -1}, ("pass_count",), "from 0 to 5"),
    "pass-count-many": ({"pass_count": 6}, ("pass_count",), "from 0 to 5"),
    "target-zero": ({"target": 0}, ("target",), "from 1 to 1000000"),
    "target-huge": ({"target": 1_000_001}, ("target",), "from 1 to 1000000"),
    "tie-cap-negative": ({"tie_cap": -1}, ("tie_cap",), "from 0 to 1000"),
    "max-hands-zero": ({"max_hands": 0}, ("max_hands",), "from 1 to 10000"),
    "no-trick-low": ({"no_trick_bonus": -101}, ("no_trick_bonus",), "from -100 to 0"),
    "no-trick-above-zero": ({"no_trick_bonus": 5}, ("no_trick_bonus",), "from -100 to 0, got 5"),
    "no-trick-text": ({"no_trick_bonus": "-5"}, ("no_trick_bonus",), "whole number"),
    "moon-value-zero": ({"moon_value": 0}, ("moon_value",), "from 1 to 10000"),
    "moon-value-text": ({"moon_value": "all"}, ("moon_value",), "whole number"),
    "moon-value-bool": ({"moon_value": True}, ("moon_value",), "whole number"),
    "instead-text": ({"hearts_instead_of_queen": "yes"}, ("hearts_instead_of_queen",), "true or"),
    "forced-number": ({"queen_forced": 1}, ("queen_forced",), "true or false, got 1"),
    "two-pairs-none": ({"cancel_two_pairs": None}, ("cancel_two_pairs",), "true or false"),
    "needs-bonus-text": ({"moon_needs_bonus": "no"}, ("moon_needs_bonus",), "true or false"),
    **{
        f"{name}-unknown": ({name: "sometimes"}, (name,), f"{name} must be one of {allowed[0]}")
        for name, allowed in CHOICES.items()
    },
    "choice-unhashable": ({"moon": ["old"]}, ("moon",), "must be one of"),
    # decks
    "deck-typo": (
        {"deck_removal": "fostr"},
        ("deck_removal",),
        "there is no deck 'fostr': did you mean 'foster'",
    ),
    "deck-unknown": (
        {"deck_removal": "2D"},
        ("deck_removal",),
        "no deck '2D': there is hartenkaartspel, board_game_arena",
    ),
    "deck-in-a-mapping": ({"deck_removal": {4: "foster"}}, ("deck_removal",), "must be a list"),
    "deck-of-fewer-players": (
        {"players": 7, "deck_removal": "foster"},
        ("deck_removal", "players"),
        "foster is a deck for 3 to 6 players, not 7: list the cards",
    ),
    "deck-of-one-pack": (
        TWO_PACKS | {"deck_removal": "morehead"},
        ("deck_removal", "packs"),
        "morehead is a deck of one pack",
    ),
    "removal-number": ({"deck_removal": 3}, ("deck_removal",), "must be a list of cards"),
    "removal-bare-number": ({"deck_removal": [13]}, ("deck_removal",), "13 is no card"),
    "removal-no-card": ({"deck_removal": ["2X"]}, ("deck_removal",), "'2X' is no card"),
    "removal-twice": (
        {"deck_removal": ["2D", "3D", "2d", "4D"]},
        ("deck_removal",),
        "names 2D twice",
    ),
    "removal-three-times": (
        TWO_PACKS | {"deck_removal": ["2D", "2D", "2D"]},
        ("deck_removal",),
        "names 2D more than twice",
    ),
    "removal-uneven": (
        {"deck_removal": ["2D"]},
        ("deck_removal", "players"),
        "51 cards, which do not come out even for 4 players: remove 3 more, or 1 fewer",
    ),
    # "Or 2 fewer" is said only where at least two are taken out.
    "removal-two-back": (
        {"deck_removal": ["2D", "3D"]},
        ("deck_removal", "players"),
        "50 cards, .* remove 2 more, or 2 fewer, or leave a kitty with leftover",
    ),
    "removal-too-few-to-put-back": (
        {"players": 6, "deck_removal": ["2D"]},
        ("deck_removal", "players"),
        "51 cards, .* for 6 players: remove 3 more, or leave a kitty with leftover",
    ),
    "removal-three": (
        {"players": 3, "deck_removal": []},
        ("deck_removal", "players"),
        "52 cards, .* for 3 players: remove 1 more, or leave a kitty with leftover",
    ),
    "removal-none-to-put-back": (
        TWO_PACKS | {"players": 5},
        ("deck_removal", "players"),
        "104 cards, .* for 5 players: remove 4 more, or leave a kitty with leftover",
    ),
    "removal-two-packs": (
        TWO_PACKS | {"players": 6},
        ("deck_removal", "players"),
        "leaves 104 cards, which do not come out even for 6 players: remove 2 more, or leave",
    ),
    "removal-all-but-one-each": (
        {"deck_removal": ALL[:48]},
        ("hand_size", "deck_removal", "players"),
        "a hand of 1 card is too small: with 4 cards in play and 4 players, give at least two to",
    ),
    "removal-all": (
        {"deck_removal": ALL},
        ("hand_size", "deck_removal", "players"),
        "a hand of 0 cards is too small: with 0 cards in play",
    ),
    **{
        f"nine-players-{case}": (
            {"players": 9} | more,
            ("players", "packs"),
            r"^9 players need two packs \(packs: 2, as in the preset cancellation\): one pack is "
            "enough for 8$",
        )
        for case, more in {
            "alone": {},
            "with-a-deck": {"deck_removal": ALL[:7]},
            "with-a-kitty": KITTY,
        }.items()
    },
    "eleven-players": ({"players": 11}, ("players", "packs"), "^11 players need two packs"),
    # hands and kitty
    "hand-text": ({"hand_size": "all"}, ("hand_size",), "whole number"),
    "hand-bool": ({"hand_size": True}, ("hand_size",), "whole number"),
    "hand-many": ({"hand_size": 53}, ("hand_size",), "whole number"),
    "hand-without-table": ({"hand_size": {5: 10}}, ("hand_size", "players"), "of 4 players"),
    "hand-leaves-cards": (
        {"hand_size": 12},
        ("hand_size", "leftover"),
        "12 leaves 4 of 52 cards over: use hand_size: auto, or leave a kitty",
    ),
    **{
        f"hand-too-large-{case}": (
            more | {"hand_size": 14},
            ("hand_size", "deck_removal"),
            "hand_size: 14 needs 56 cards for 4 players, and there are 52",
        )
        for case, more in {"with-a-kitty": KITTY, "without": {}}.items()
    },
    "hand-of-two-leaves-cards": (
        {"hand_size": 2},
        ("hand_size", "leftover"),
        "2 leaves 44 of 52 cards over: use hand_size: auto, or leave a kitty",
    ),
    **{
        f"hand-of-{size}": (
            KITTY | {"hand_size": size},
            ("hand_size",),
            f"hand_size must be a whole number from 2 to 52 or auto, got {size}",
        )
        for size in (0, 1)
    },
    # teams
    **{
        f"teams-{teams}-{players}": (
            {"teams": teams, "players": players},
            ("teams", "players"),
            f"teams: {teams} needs an even table.*not {players} players",
        )
        for teams in ("singly", "pooled")
        for players in (3, 5, 7)
    },
    "removal-without-table": (
        {"deck_removal": {5: ["2D", "2C"]}},
        ("deck_removal", "players"),
        "says nothing of 4 players",
    ),
    "no-club": (
        {"players": 3, "deck_removal": CLUBS},
        ("first_lead", "deck_removal"),
        "needs a club",
    ),
    # passing
    "cycle-empty": ({"pass_cycle": []}, ("pass_cycle",), r"write \[H\]"),
    "cycle-text": ({"pass_cycle": "LRAH"}, ("pass_cycle",), "must be a list"),
    "cycle-number": ({"pass_cycle": 3}, ("pass_cycle",), "must be a list"),
    "cycle-long": ({"pass_cycle": ["L"] * 33}, ("pass_cycle",), "more than 32"),
    "cycle-unknown": ({"pass_cycle": ["L", "X"]}, ("pass_cycle",), "'X' is no direction"),
    "cycle-no-text": ({"pass_cycle": [1]}, ("pass_cycle",), "1 is no direction"),
    "cycle-across-3": (
        {"players": 3, "pass_cycle": ["A"]},
        ("pass_cycle", "players"),
        "even table, not 3 players",
    ),
    "cycle-across-7": ({"players": 7, "pass_cycle": ["L", "A"]}, ("pass_cycle", "players"), "even"),
    "cycle-to-oneself": (
        {"players": 3, "pass_cycle": ["L3"]},
        ("pass_cycle", "players"),
        "L3 leads back to the same seat with 3 players",
    ),
    "cycle-without-table": (
        {"pass_cycle": {5: ["L"]}},
        ("pass_cycle", "players"),
        "pass_cycle says nothing of 4 players",
    ),
    "cycle-partner-alone": (
        {"pass_cycle": ["partner"]},
        ("pass_cycle", "teams"),
        "partner needs teams",
    ),
    "scatter-too-wide": (
        {"players": 7, "pass_cycle": ["scatter"], "pass_count": 2, "deck_removal": ALL[1:18]},
        ("pass_cycle", "players", "deck_removal", "hand_size"),
        "^pass_cycle: a hand of 5 cards is too small for a scatter of 6 cards: use another "
        "direction$",
    ),
    # Two packs: of nine cards perhaps five are different, of twelve six.
    **{
        f"scatter-too-wide-two-packs-{players}": (
            TWO_PACKS | KITTY | {"players": players, "hand_size": size, "pass_cycle": ["scatter"]},
            ("pass_cycle", "players", "deck_removal", "hand_size"),
            f"a hand of {size} cards, in which perhaps only {different} are different, is too "
            f"small for a scatter of {players - 1} cards",
        )
        for players, size, different in ((11, 9, 5), (8, 12, 6))
    },
    "scatter-after-a-hold": (
        KITTY | {"hand_size": 2, "pass_count": 1, "pass_cycle": ["H", "scatter"]},
        ("pass_cycle", "players", "deck_removal", "hand_size"),
        "a hand of 2 cards is too small for a scatter of 3 cards",
    ),
    "pass-more-than-a-hand": (
        {"pass_count": 4, "deck_removal": ALL[1:41], "cards": {}},
        ("pass_count", "players", "deck_removal", "hand_size"),
        "^pass_count: a hand of 3 cards is too small to pass 4: pass fewer$",
    ),
    "pass-more-than-a-hand-after-a-hold": (
        KITTY | {"hand_size": 4, "pass_count": 5, "pass_cycle": ["H", "scatter", "L"]},
        ("pass_count", "players", "deck_removal", "hand_size"),
        "a hand of 4 cards is too small to pass 5",
    ),
    "pass-more-than-is-different": (
        TWO_PACKS | KITTY | {"hand_size": 6, "pass_count": 4},
        ("pass_count", "players", "deck_removal", "hand_size"),
        "a hand of 6 cards, in which perhaps only 3 are different, is too small to pass 4",
    ),
    "forbidden-no-card": ({"pass_forbidden": ["queen"]}, ("pass_forbidden",), "no card"),
    "forbidden-twice": ({"pass_forbidden": ["QS", "QS"]}, ("pass_forbidden",), "QS twice"),
    "forbidden-removed": (
        {"players": 5, "pass_forbidden": ["QS", "4C", "2D"]},
        ("pass_forbidden", "deck_removal"),
        "pass_forbidden names 2D, but deck_removal takes it out: keep one of them",
    ),
    "forbidden-removed-twice": (
        TWO_PACKS | {"deck_removal": ["2C", "2C", *ALL[1:7]], "pass_forbidden": ["2C"]},
        ("pass_forbidden", "deck_removal"),
        "pass_forbidden names 2C, but deck_removal takes it out",
    ),
    # costs
    "cards-list": ({"cards": ["QS"]}, ("cards",), "must map cards to points"),
    "cards-zero": ({"cards": {"QS": 0}}, ("cards",), "from 1 to 1000, got 0"),
    "cards-negative": ({"cards": {"JD": -10}}, ("cards",), "from 1 to 1000, got -10"),
    "cards-no-card": ({"cards": {"Queen": 13}}, ("cards",), "'Queen' is no card"),
    "cards-bare-number": ({"cards": {36: 13}}, ("cards",), "36 is no card"),
    "cards-twice": ({"cards": {"QS": 13, "qs": 5}}, ("cards",), "names QS twice"),
    "cards-removed": (
        {"deck_removal": ["QS", "KS", "AS", "2S"]},
        ("cards", "deck_removal"),
        "cards names QS, but deck_removal takes it out",
    ),
    "cards-removed-twice": (
        TWO_PACKS | {"deck_removal": ["QS", "QS", *CLUBS[:6]]},
        ("cards", "deck_removal"),
        "cards names QS, but deck_removal takes it out",
    ),
    "bonus-list": ({"bonus": ["JD"]}, ("bonus",), "must map cards to points, as {JD: -10}"),
    "bonus-zero": ({"bonus": {"JD": 0}}, ("bonus",), "from -1000 to -1, got 0"),
    "bonus-above-zero": ({"bonus": {"JD": 10}}, ("bonus",), "from -1000 to -1, got 10"),
    "bonus-no-card": ({"bonus": {"Jack": -10}}, ("bonus",), "'Jack' is no card"),
    "bonus-twice": ({"bonus": {"JD": -10, "jd": -5}}, ("bonus",), "names JD twice"),
    "bonus-removed": (
        {"players": 3, "deck_removal": ["JD"], "bonus": {"JD": -10}},
        ("bonus", "deck_removal"),
        "bonus names JD, but deck_removal takes it out",
    ),
    "bonus-that-costs": (
        {"bonus": {"QS": -10}},
        ("bonus", "cards", "heart_scale"),
        "QS takes points off, but it also costs 13",
    ),
    **{
        f"bonus-heart-of-{scale}": (
            {"bonus": {"2H": -1}, "heart_scale": scale},
            ("bonus",),
            "bonus: 2H is a heart, and hearts are penalty cards: choose another card",
        )
        for scale in ("ones", "zero")
    },
    "no-trick-with-a-floor": (
        {"no_trick_bonus": -5, "score_floor": "hand0"},
        ("no_trick_bonus", "score_floor"),
        "no_trick_bonus: -5 has no effect with score_floor: hand0, since who takes no trick",
    ),
    "no-trick-of-one-with-a-floor": (
        {"no_trick_bonus": -1, "score_floor": "hand0"},
        ("no_trick_bonus", "score_floor"),
        "no_trick_bonus: -1 has no effect",
    ),
    "new-moon-with-a-floor": (
        {"moon": "new", "score_floor": "hand0"},
        ("moon", "score_floor"),
        "moon: new takes points off, .* use score_floor: total0, or moon: void",
    ),
    "nothing-costs": (
        {"heart_scale": "zero", "cards": {}},
        ("heart_scale", "cards", "deck_removal"),
        "no penalty card",
    ),
    "no-heart-left": (ONLY_HEARTS_OUT, ("heart_scale", "cards", "deck_removal"), "no penalty card"),
    # the end
    "end-unknown": ({"end": "never"}, ("end",), "points or {deals: n}"),
    "end-mapping": ({"end": {"hands": 3}}, ("end",), "points or {deals: n}"),
    "end-two-keys": ({"end": {"deals": 3, "x": 1}}, ("end",), "points or {deals: n}"),
    "end-zero": ({"end": {"deals": 0}}, ("end",), "from 1 to 10000"),
    "end-many": ({"end": {"deals": 10_001}}, ("end",), "from 1 to 10000"),
    "end-deals-object-zero": ({"end": Deals(0)}, ("end",), "from 1 to 10000"),
    "end-deals-object-negative": ({"end": Deals(-3)}, ("end",), "from 1 to 10000"),
    "deals-beyond-max": (
        {"end": {"deals": 20}, "max_hands": 10},
        ("end", "max_hands"),
        "beyond max_hands: 10",
    ),
    # settings that contradict each other
    **{
        f"all-points-{value}-without-ban": (
            {"first_trick_all_points": value, "first_trick_points": "free"},
            ("first_trick_all_points", "first_trick_points"),
            "which forbids nothing",
        )
        for value in ("hearts_only", "queen_first")
    },
    **{
        f"queen-first-{case}": (
            {"first_trick_all_points": "queen_first"} | more,
            ("first_trick_all_points", "cards"),
            "first_trick_all_points: queen_first has no meaning when QS costs nothing",
        )
        for case, more in {
            "of-hearts": {"cards": {}},
            "of-another-card": {"cards": {"KS": 10}},
            "of-a-bonus": {"cards": {}, "bonus": {"QS": -5}},
        }.items()
    },
    **{
        f"hearts-only-{case}": (
            {"first_trick_all_points": "hearts_only", "cards": cards},
            ("first_trick_all_points", "cards"),
            "first_trick_all_points: hearts_only has no meaning when only hearts are banned",
        )
        for case, cards in {"of-hearts": {}, "of-a-dear-heart": {"QH": 13}}.items()
    },
    **{
        f"broken-by-{value}-without-need": (
            {"broken_by": value, "hearts_lead": "free"},
            ("broken_by", "hearts_lead"),
            f"broken_by: {value} has no meaning with hearts_lead: free: nothing depends on broken",
        )
        for value in ("heart_or_queen", "any_penalty")
    },
    "instead-with-a-barred-queen": (
        {"hearts_instead_of_queen": True, "queen_lead": "after_broken"},
        ("hearts_instead_of_queen", "queen_lead"),
        "true has no meaning with queen_lead: after_broken, with which QS need not be led",
    ),
    "instead-with-free-hearts": (
        {"hearts_instead_of_queen": True, "hearts_lead": "free"},
        ("hearts_instead_of_queen", "hearts_lead"),
        "lets hearts be led anyway",
    ),
    **{
        f"one-pack-{winner}": (
            {"trick_winner": winner},
            ("trick_winner", "packs"),
            f"trick_winner: {winner} has no meaning with one pack",
        )
        for winner in ("cancel_pairs", "latest_of_equals")
    },
    "two-packs-highest": (
        {"packs": 2, "players": 8},
        ("trick_winner", "packs"),
        "say trick_winner: cancel_pairs or latest_of_equals",
    ),
    "two-pairs-one-pack": (
        {"cancel_two_pairs": True},
        ("cancel_two_pairs", "trick_winner"),
        "without trick_winner: cancel_pairs",
    ),
    "two-pairs-latest": (
        TWO_PACKS | {"trick_winner": "latest_of_equals", "cancel_two_pairs": True},
        ("cancel_two_pairs", "trick_winner"),
        "without trick_winner: cancel_pairs",
    ),
    **{
        f"no-moon-{name}": (
            {"moon": "off", name: value} | more,
            (name, "moon"),
            f"^{name}: {str(value).lower()} has no meaning with moon: off: leave it out or choose "
            "another moon$",
        )
        for name, value, more in (
            ("moon_scope", "team", TEAMS),
            ("moon_partner", "exempt", TEAMS),
            ("moon_needs_bonus", True, {"bonus": {"JD": -10}}),
            ("sun", "double", {}),
            ("sun", "reset_to_zero", {}),
        )
    },
    **{
        f"{sun}-sun-of-a-void-moon": (
            {"sun": sun, "moon": "void"},
            ("sun", "moon"),
            f"sun: {sun} changes how a moon is paid, and for moon: void nobody pays: use sun: off",
        )
        for sun in ("double", "reset_to_zero")
    },
    "first-trick-without-sun": (
        {"sun_first_trick": "exempt"},
        ("sun_first_trick", "sun"),
        "no meaning with sun: off",
    ),
    "needs-bonus-without-bonus": (
        {"moon_needs_bonus": True},
        ("moon_needs_bonus", "bonus"),
        "needs bonus cards, such as bonus: {JD: -10}",
    ),
    "team-moon-without-teams": (
        {"moon_scope": "team"},
        ("moon_scope", "teams"),
        "team needs teams: use teams: singly or pooled",
    ),
    **{
        f"exempt-teams-{teams}": (
            {"moon_partner": "exempt", "teams": teams},
            ("moon_partner", "teams"),
            "use teams: singly",
        )
        for teams in ("none", "pooled")
    },
    "exempt-team-moon": (
        TEAMS | {"moon_partner": "exempt", "moon_scope": "team"},
        ("moon_partner", "moon_scope"),
        "no meaning with moon_scope: team",
    ),
    **{
        f"exempt-{moon}": (
            TEAMS | {"moon_partner": "exempt", "moon": moon},
            ("moon_partner", "moon"),
            f"no meaning with moon: {moon}",
        )
        for moon in ("new", "void")
    },
    **{
        f"moon-value-{moon}": (
            {"moon_value": 30, "moon": moon},
            ("moon_value", "moon"),
            f"never paid with moon: {moon}",
        )
        for moon in ("off", "void")
    },
    **{
        f"exact-{exact}-highest": (
            {"exact_target": exact, "win": "highest"},
            ("exact_target", "win"),
            f"exact_target: {exact} is made for games that the lowest total wins: use "
            "exact_target: off with win: highest",
        )
        for exact in ("minus50", "zero", "win")
    },
    **{
        f"exact-{exact}-{teams}": (
            {"exact_target": exact, "teams": teams},
            ("exact_target", "teams"),
            f"exact_target: {exact} is made for players who play alone: use exact_target: off with "
            "teams",
        )
        for exact in ("minus50", "zero", "win")
        for teams in ("singly", "pooled")
    },
    **{
        f"exact-{exact}-deals": (
            {"exact_target": exact, "end": {"deals": 4}},
            ("exact_target", "end"),
            "the game ends after 4 deals",
        )
        for exact in ("minus50", "zero", "win")
    },
    **{
        f"no-queen-{name}": (
            NO_QUEEN | {name: value},
            (name, "deck_removal"),
            "speaks of QS, which deck_removal takes out",
        )
        for name, value in {
            "queen_lead": "after_broken",
            "queen_discard": "after_broken",
            "queen_forced": True,
            "hearts_instead_of_queen": True,
            "broken_by": "heart_or_queen",
            "first_trick_all_points": "queen_first",
        }.items()
    },
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_settings_that_cannot_be_are_refused(case: str) -> None:
    """The error says what is wrong and names the settings concerned, the one to look at first."""
    settings, named, message = REFUSED[case]
    with pytest.raises(RulesError, match=message) as caught:
        Rules(**settings)

    assert caught.value.settings == named
    assert isinstance(caught.value, HeartsError)
    assert caught.value.exit_code == 2
    assert set(named) <= set(NAMES)
    assert any(name in str(caught.value) for name in named)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(NO_QUEEN, id="no-queen"),
        pytest.param(NO_QUEEN | {"broken_by": "any_penalty"}, id="no-queen-any-penalty"),
        pytest.param(
            {"players": 3, "deck_removal": CLUBS, "first_lead": "eldest_any"}, id="no-clubs"
        ),
        pytest.param({"end": {"deals": 10}, "max_hands": 10}, id="as-many-deals-as-hands"),
        pytest.param(
            {"deck_removal": ALL[1:13] + ALL[13:45], "pass_count": 2, "cards": {}},
            id="two-cards-each",
        ),
        pytest.param({"players": 3, "pass_cycle": ["L2", "R2"]}, id="second-seat-of-three"),
        pytest.param({"heart_scale": "zero"}, id="queen-alone"),
        pytest.param({"moon_value": 1}, id="small-moon"),
        pytest.param({"tie_cap": 0}, id="no-extra-hands"),
        pytest.param({"bonus": {"QS": -10}, "cards": {}}, id="the-queen-as-a-bonus"),
        pytest.param(KITTY | {"hand_size": 13}, id="no-card-left-over"),
        pytest.param(KITTY | {"hand_size": 3}, id="a-large-kitty"),
        pytest.param({"players": 8, "deck_removal": ["2C", "2D", "2S", "3C"]}, id="eight"),
        pytest.param(TWO_PACKS | {"trick_winner": "latest_of_equals"}, id="two-packs"),
        pytest.param(TWO_PACKS | {"players": 4}, id="two-packs-for-four"),
        pytest.param(TWO_PACKS | KITTY | {"players": 11}, id="eleven"),
        pytest.param(TWO_PACKS | {"deck_removal": ["QS", *CLUBS[:7]]}, id="one-queen-of-two"),
        pytest.param(TWO_PACKS | {"teams": "pooled", "moon_scope": "team"}, id="four-teams"),
        pytest.param(TWO_PACKS | {"cancel_two_pairs": True}, id="two-pairs"),
        pytest.param(TWO_PACKS | {"pass_cycle": ["scatter"]}, id="scatter-of-seven"),
        pytest.param(
            KITTY | {"hand_size": 3, "pass_count": 5, "pass_cycle": ["scatter", "H"]},
            id="scatter-of-a-whole-hand",
        ),
        pytest.param(
            KITTY | {"hand_size": 2, "pass_count": 0, "pass_cycle": ["scatter"]},
            id="scatter-of-nothing",
        ),
        pytest.param(
            KITTY | {"hand_size": 4, "pass_count": 5, "pass_cycle": ["H"]}, id="no-pass-of-five"
        ),
        pytest.param(KITTY | {"hand_size": 4, "pass_count": 4}, id="pass-of-a-whole-hand"),
        pytest.param(
            TWO_PACKS | KITTY | {"hand_size": 5, "pass_count": 3}, id="pass-of-all-that-differ"
        ),
        pytest.param({"pass_count": 0, "pass_cycle": ["L"]}, id="pass-of-nothing"),
        pytest.param(
            TWO_PACKS | {"deck_removal": ["2C", *ALL[1:8]], "pass_forbidden": ["2C"]},
            id="forbidden-once-of-two",
        ),
        pytest.param(TEAMS | {"pass_cycle": ["partner", "A"]}, id="partner"),
        pytest.param(TEAMS | {"players": 6}, id="three-teams"),
        pytest.param(TEAMS | {"moon_partner": "exempt", "moon": "mixed"}, id="exempt-mixed"),
        pytest.param(TEAMS | {"moon_scope": "team"}, id="singly-team-moon"),
        pytest.param({"teams": "pooled"}, id="pooled-player-moon"),
        pytest.param({"moon": "off", "bonus": {"JD": -10}}, id="bonus-without-moon"),
        pytest.param({"no_trick_bonus": -5, "moon": "off"}, id="no-trick-without-moon"),
        pytest.param({"sun": "double", "sun_first_trick": "exempt"}, id="sun"),
        pytest.param({"win": "highest", "moon": "old"}, id="reverse-old-moon"),
        pytest.param({"score_floor": "total0", "moon": "new"}, id="floor"),
        pytest.param({"score_floor": "total0", "no_trick_bonus": -5}, id="floor-without-a-trick"),
        *(
            pytest.param({"score_floor": "hand0", "moon": moon}, id=f"floor-of-a-hand-{moon}")
            for moon in CHOICES["moon"]
            if moon != "new"
        ),
        *(
            pytest.param({"first_trick_all_points": value}, id=f"all-points-{value}")
            for value in CHOICES["first_trick_all_points"]
        ),
        pytest.param(
            {"first_trick_all_points": "hearts_only", "cards": {"KS": 10}},
            id="hearts-before-a-king",
        ),
        *(
            pytest.param(
                {"broken_by": "any_penalty", "hearts_lead": "free", name: "after_broken"},
                id=f"broken-for-{name}",
            )
            for name in ("queen_lead", "queen_discard", "hearts_lead")
        ),
        pytest.param(
            {"hearts_instead_of_queen": True, "queen_discard": "after_broken"}, id="instead"
        ),
    ],
)
def test_settings_at_the_edge_are_allowed(settings: dict[str, Any]) -> None:
    """What makes sense is allowed, even if nobody plays so."""
    assert Rules(**settings).total > 0


# On a busy machine the first texts, for which hypothesis lays a table of letters, are slow.
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.sampled_from(NAMES),
        st.one_of(st.none(), st.booleans(), st.integers(-2, 60), st.text(max_size=3), st.floats())
        | st.lists(st.sampled_from(["L", "QS", 3]), max_size=3)
        | st.dictionaries(st.sampled_from(["QS", "deals", 4]), st.integers(-1, 5), max_size=2),
        max_size=3,
    )
)
def test_nonsense_is_refused_with_a_rules_error(settings: dict[str, Any]) -> None:
    """Whatever is given: rules come out of it, or an error that names a setting."""
    try:
        rules = Rules(**settings)
    except RulesError as error:
        refused = error
    else:
        assert Rules(**rules.settings()) == rules
        return
    assert refused.settings
    assert set(refused.settings) & {*settings, "players", "deck_removal"}


def some_values(name: str) -> st.SearchStrategy[Any]:
    """Values that a setting by itself can have."""
    if name in CHOICES:
        return st.sampled_from(CHOICES[name])
    values: dict[str, st.SearchStrategy[Any]] = {
        "players": st.integers(3, 11),
        "packs": st.sampled_from([1, 2]),
        "deck_removal": st.sampled_from([None, [], ["2C"], ["2C", "2D"], ["QS"], *DECK_NAMES]),
        "hand_size": st.just("auto") | st.integers(2, 20),
        "pass_count": st.integers(0, 5),
        "pass_cycle": st.lists(st.sampled_from(PASS_TOKENS), min_size=1, max_size=3),
        "pass_forbidden": st.lists(st.sampled_from(["QS", "AH", "2C"]), unique=True),
        "cards": st.dictionaries(st.sampled_from(["QS", "KS", "QH", "7C"]), st.integers(1, 50)),
        "bonus": st.dictionaries(st.sampled_from(["JD", "TD"]), st.integers(-20, -1)),
        "no_trick_bonus": st.integers(-5, 0),
        "moon_value": st.sampled_from(["auto", 26, 150]),
        "end": st.just("points") | st.builds(Deals, st.integers(1, 20)),
        "target": st.integers(50, 500),
        "tie_cap": st.integers(0, 20),
        "max_hands": st.integers(20, 1000),
    }
    return values.get(name, st.booleans())


DECK_NAMES = ["hartenkaartspel", "morehead", "culbertson"]


@given(
    st.lists(st.sampled_from(NAMES), max_size=8, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: some_values(name) for name in names})
    )
)
def test_possible_values_hold_together_or_are_refused(settings: dict[str, Any]) -> None:
    """Values that are possible each by itself: cards and points add up, or the error says why."""
    refused = None
    try:
        rules = Rules(**settings)
    except RulesError as error:
        refused = error
    if refused is not None:
        # The usual three cards may be too many for the hand that is asked for.
        assert set(refused.settings) & {*settings, "pass_count"}
        assert any(name in str(refused) for name in refused.settings)
        return
    assert Rules(**json.loads(json.dumps(rules.settings()))) == rules
    assert rules.hand_size >= 2
    assert rules.players * rules.hand_size + rules.kitty_size == rules.deck_size
    assert rules.kitty_size >= 0
    assert rules.kitty_size == 0 or rules.leftover != "remove"
    assert sum(map(rules.copies, range(52))) == rules.deck_size
    assert len(rules.deck) + len(rules.deck_twice) == rules.deck_size
    points = [rules.costs[card] * rules.copies(card) for card in range(52)]
    assert sum(points) == rules.total > 0
    assert not rules.penalty_cards & CardSet.of(*rules.bonus)
    assert rules.penalty_cards - rules.deck == CardSet(0)
    for token in rules.pass_cycle:
        offset = rules.pass_offset(token)
        assert 0 < offset < rules.players or token in ("H", "scatter")


# Defaults and what follows from the settings.


@pytest.mark.parametrize(
    ("players", "removed", "hand_size", "cycle"),
    [
        (3, "2D", 17, "L R H"),
        (4, "", 13, "L R A H"),
        (5, "2C 2D", 10, "L R"),
        (6, "3C 4C 2D 3D", 8, "L R"),
        (7, "3C 2D 3D", 7, "L R"),
        (8, "2C 3C 2D 2S", 6, "L R"),
    ],
)
def test_defaults_by_number_of_players(
    players: int, removed: str, hand_size: int, cycle: str
) -> None:
    """Deck and passes follow the number of players as the Dutch texts say."""
    rules = Rules(players=players)

    assert rules.deck_removal == tuple(map(Card, removed.split()))
    assert rules.hand_size == hand_size
    assert len(rules.deck) == players * hand_size
    assert rules.deck == CardSet((1 << 52) - 1) - CardSet.parse(removed)
    assert rules.pass_cycle == tuple(cycle.split())
    assert [rules.pass_token(hand) for hand in range(1, 9)] == (cycle.split() * 4)[:8]


def test_defaults_are_black_lady() -> None:
    """Rules without any setting are the preset `black_lady`."""
    rules = Rules()

    assert rules == Rules.preset() == Rules.preset("black_lady")
    assert rules.moon == "old"
    assert rules.broken_by == "heart"
    assert rules.first_trick_points == "forbidden"
    assert (rules.target, rules.end_cmp, rules.tie, rules.win) == (100, ">=", "play_on", "lowest")


@pytest.mark.parametrize(
    ("settings", "total", "cards"),
    [
        pytest.param({}, 26, 14, id="black-lady"),
        pytest.param({"cards": {}}, 13, 13, id="original"),
        pytest.param({"cards": {"QS": 13, "KS": 10, "AS": 7}}, 43, 16, id="black-maria"),
        # QH has a cost of its own instead of the scale's, not beside it: 12 + 13 + 13.
        pytest.param({"cards": {"QS": 13, "QH": 13}}, 38, 14, id="pink-lady"),
        pytest.param({"cards": {"QS": 25}, "heart_scale": "pips14"}, 129, 14, id="spot"),
        # 2 to 10 are 54, the three courts 30, the ace 15.
        pytest.param({"heart_scale": "court10_ace15"}, 99 + 13, 14, id="courts-10-ace-15"),
        pytest.param({"heart_scale": "pips_ace1"}, 91 + 13, 14, id="ace-1"),
        pytest.param({"heart_scale": "face5432"}, 9 + 14 + 13, 14, id="courts-2-to-5"),
        pytest.param({"heart_scale": "zero"}, 13, 1, id="queen-alone"),
        pytest.param({"players": 3, "deck_removal": ["2H"]}, 25, 13, id="two-of-hearts-removed"),
        pytest.param({"cards": {"QS": 13, "7C": 5}}, 31, 15, id="seven-of-clubs"),
        # Two packs: 26 and 26, and without one queen and one heart 14 less.
        pytest.param(TWO_PACKS, 52, 14, id="two-packs"),
        pytest.param(
            TWO_PACKS | {"deck_removal": ["QS", "2H", *CLUBS[:6]]}, 38, 14, id="two-packs-stripped"
        ),
        # A bonus is no part of the points; cards that lie in the kitty are.
        pytest.param({"bonus": {"JD": -10}}, 26, 14, id="omnibus"),
        pytest.param(KITTY | {"hand_size": 5}, 26, 14, id="kitty"),
        pytest.param({"players": 6, "deck_removal": "foster"}, 25, 13, id="all-twos"),
        pytest.param(
            {"players": 6, "deck_removal": "culbertson", "cards": {"QS": 13, "KS": 10, "AS": 7}},
            42,
            15,
            id="black-maria-for-six",
        ),
        pytest.param(
            {"heart_scale": "court10_ace15", "cards": {"QS": 25}}, 124, 14, id="spot-in-tens"
        ),
        pytest.param({"heart_scale": "pips_ace1", "cards": {"QS": 25}}, 116, 14, id="spot-ace-1"),
        pytest.param(
            {"cards": {"QC": 13, "QD": 13, "QS": 13, "QH": 13}}, 64, 16, id="chasse-coeur"
        ),
        pytest.param({"cards": {"QS": 13, "TD": 10}}, 36, 15, id="likha"),
    ],
)
def test_sums_by_hand(settings: dict[str, Any], total: int, cards: int) -> None:
    """The points in the deck are those added up by hand, and a moon is worth as many."""
    rules = Rules(**settings)

    assert rules.total == rules.moon_points == total
    assert len(rules.penalty_cards) == cards
    assert rules.point_cards & rules.penalty_cards == rules.penalty_cards
    assert len(rules.costs) == 52
    assert sum(rules.costs[card] * rules.copies(card) for card in rules.penalty_cards) == total


def test_costs_card_by_card() -> None:
    """A card's own cost goes before the scale; cards that are not dealt cost nothing."""
    rules = Rules(
        cards={"QS": 13, "TH": 20},
        heart_scale="pips14",
        deck_removal=["2H", "3H", "4S", "5S"],
    )
    costs = {card.name: rules.costs[card] for card in CARDS}

    assert costs["QS"] == 13
    assert costs["TH"] == 20
    assert costs["AH"] == 14
    assert costs["JH"] == 11
    assert costs["2H"] == costs["3H"] == 0
    assert costs["KS"] == costs["2C"] == 0
    assert "2H" not in rules.point_cards


def test_hearts_without_a_cost_are_still_point_cards() -> None:
    """The ban on the first trick is on hearts by suit; the moon on what costs something."""
    rules = Rules(heart_scale="zero")

    assert rules.point_cards == CardSet.of(*HEARTS, "QS")
    assert rules.penalty_cards == CardSet.of("QS")


@pytest.mark.parametrize("scale", list(HEART_SCALES))
def test_scales_have_a_cost_for_each_heart(scale: str) -> None:
    """Every scale has thirteen numbers that are not negative."""
    assert len(HEART_SCALES[scale]) == 13
    assert min(HEART_SCALES[scale]) >= 0


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("token", PASS_TOKENS)
def test_offsets_of_passes(players: int, token: str) -> None:
    """Offsets count seats to the left; 0 is a hold and -1 a scatter."""
    expected = {"H": 0, "scatter": -1, "A": players // 2, "partner": players // 2}
    steps = int(token[1:] or 1) if token[0] in "LR" else 0
    if token[0] == "L":
        expected[token] = steps % players
    if token[0] == "R":
        expected[token] = -steps % players

    assert Rules(players=players).pass_offset(token) == expected[token]
    assert PASS_NAMES[token]


@pytest.mark.parametrize(
    ("players", "teams"),
    [(4, [0, 1, 0, 1]), (6, [0, 1, 2, 0, 1, 2]), (8, [0, 1, 2, 3, 0, 1, 2, 3])],
)
def test_partners_sit_opposite(players: int, teams: list[int]) -> None:
    """A table of n seats has n/2 teams; without teams everybody is a side."""
    for kind in ("singly", "pooled"):
        rules = Rules(players=players, teams=kind)
        assert [rules.team(seat) for seat in range(players)] == teams
        assert rules.team_count == rules.sides == players // 2
        for seat in range(players):
            assert teams[(seat + rules.pass_offset("partner")) % players] == teams[seat]
    alone = Rules(players=players)
    assert {alone.team(seat) for seat in range(players)} == {-1}
    assert (alone.team_count, alone.sides) == (0, players)


def test_bonuses() -> None:
    """What bonus cards take off, by the number of the card; they are no penalty cards."""
    rules = Rules(bonus={"JD": -10, "TD": -5})
    taken_off = {card.name: rules.bonuses[card] for card in CARDS if rules.bonuses[card]}

    assert taken_off == {"JD": -10, "TD": -5}
    assert len(rules.bonuses) == 52
    assert "JD" not in rules.point_cards
    assert rules == Rules(bonus={"td": -5, "jd": -10})


def test_deals() -> None:
    """A number of deals can be written as a mapping or as `Deals`; otherwise it is 0."""
    assert Rules().deals == 0
    assert Rules(end={"deals": 8}).deals == 8
    assert Rules(end=Deals(8)) == Rules(end={"deals": 8})


# What a config says.


@pytest.mark.parametrize(
    ("call", "named", "message"),
    [
        pytest.param(
            lambda: Rules.preset("black_laddy"), ("preset",), "did you mean 'black_lady'", id="typo"
        ),
        pytest.param(
            lambda: Rules.preset(tarket=50), ("tarket",), "did you mean 'target'", id="setting"
        ),
        pytest.param(lambda: Rules.preset(players=12), ("players",), "3 to 11", id="players"),
        pytest.param(lambda: Rules.from_spec(7), (), "a preset's name or a mapping", id="spec"),
        pytest.param(
            lambda: Rules.from_spec({"preset": 3}), ("preset",), "a preset's name", id="spec-preset"
        ),
        pytest.param(
            lambda: Rules.from_spec({"preset": "hearts", 5: 1}),
            ("5",),
            "unknown setting '5'",
            id="spec-key",
        ),
    ],
)
def test_what_no_config_can_say_is_refused(call: Any, named: tuple[str, ...], message: str) -> None:
    """An unknown name is refused with the nearest one that there is."""
    with pytest.raises(RulesError, match=message) as caught:
        call()
    assert caught.value.settings == named


def test_rules_from_what_a_config_says() -> None:
    """A name, a mapping with or without a preset, and rules themselves are all taken."""
    assert Rules.from_spec("hearts") == Rules.preset("hearts")
    assert Rules.from_spec({"target": 50}) == Rules(target=50)
    spec = {"preset": "hearts", "moon": "new", "players": 5}
    assert Rules.from_spec(spec) == Rules.preset("hearts", moon="new", players=5)
    assert spec == {"preset": "hearts", "moon": "new", "players": 5}
    rules = Rules(target=70)
    assert Rules.from_spec(rules) is rules
    assert Rules.from_spec({}) == Rules()
    assert Rules.from_spec({"preset": "Windows Hearts", "tie": "play_on"}) == Rules()


def test_settings_given_beside_a_preset_go_first() -> None:
    """A setting overrides the preset's value."""
    rules = Rules.preset("hearts", moon="old", target=50)

    assert rules.moon == "old"
    assert rules.broken_by == "heart_or_queen"
    assert rules.target == 50


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("taget", ["target", "tie"], ": did you mean 'target'?"),
        ("zzz", ["target", "tie"], ": there is target, tie"),
        ("zzz", [], ""),
    ],
)
def test_nearest(word: str, known: list[str], expected: str) -> None:
    """The nearest name is offered, or all there are."""
    assert nearest(word, known) == expected


# Forms and round trips.

ROUND = {
    "default": {},
    "seven": {"players": 7, "pass_cycle": ["L3", "scatter", "H"], "pass_forbidden": ["AS", "QS"]},
    "costs": {"cards": {"AS": 7, "KS": 10, "QS": 13}, "heart_scale": "pips14", "moon_value": 50},
    "deals": {"end": {"deals": 4}, "tie": "draw", "win": "highest"},
    "by-players": {
        "players": 5,
        "deck_removal": {5: ["2c", "2d"], 6: []},
        "hand_size": {5: 10, 4: 12},
        "pass_cycle": {5: ["L", "L2"], 4: ["A"]},
    },
    "deck": {"players": 6, "deck_removal": "foster"},
    "two-packs": TWO_PACKS | {"deck_removal": ["2c", "2C", *ALL[1:7]], "cancel_two_pairs": True},
    "kitty": {"leftover": "kitty_last_trick", "hand_size": 11},
    "bonus": {"bonus": {"TD": -10, "JD": -5}, "moon_needs_bonus": True, "no_trick_bonus": -3},
    "teams": {"teams": "pooled", "moon_scope": "team", "pass_cycle": ["partner", "H"]},
}


@pytest.mark.parametrize("name", list(ROUND))
def test_settings_make_the_same_rules_again(name: str) -> None:
    """`settings` is plain JSON, has every field, and gives equal rules."""
    rules = Rules(**ROUND[name])
    settings = rules.settings()

    assert Rules(**json.loads(json.dumps(settings))) == rules
    assert list(settings) == NAMES
    assert Rules(**settings).settings() == settings


@pytest.mark.parametrize("name", list(ROUND))
def test_rules_survive_pickling_and_copying(name: str) -> None:
    """Rules can be sent to another process; equal rules have equal hashes."""
    rules = Rules(**ROUND[name])
    for again in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert again == rules
        assert hash(again) == hash(rules)
        assert again.costs == rules.costs
        assert again.bonuses == rules.bonuses
        assert (again.deck, again.deck_twice) == (rules.deck, rules.deck_twice)


def test_forms_of_a_value_do_not_matter() -> None:
    """Order, case and type of what is given make no difference."""
    one = Rules(deck_removal=["2C", "2D"], players=5, cards={"qs": 13, "KS": 1})
    other = Rules(deck_removal=("2d", Card("2C")), players=5, cards={Card("KS"): 1, "QS": 13})

    assert one == other
    assert hash(one) == hash(other)
    assert one.settings() == other.settings()
    assert Rules(target=50) != Rules(target=60)
    assert Rules(cards={"QS": 12}) != Rules()


def test_rules_cannot_be_changed() -> None:
    """Rules are frozen, down to the costs."""
    rules = Rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.target = 50  # type: ignore[misc]
    for points in (rules.cards, rules.bonus):
        with pytest.raises(TypeError):
            points[Card("QS")] = 1  # type: ignore[index]
    given_cards = {"QS": 13}
    rules = Rules(cards=given_cards)
    given_cards["QS"] = 1
    assert rules.cards[Card("QS")] == 13


def test_replacing_a_setting_checks_again() -> None:
    """`dataclasses.replace` gives checked rules, with what follows from them anew."""
    rules = dataclasses.replace(Rules(), cards={})

    assert rules.total == 13
    with pytest.raises(RulesError):
        dataclasses.replace(rules, heart_scale="zero")


LOW = "target: {} is very low: a moon or a single bad hand can end the game"
NO_KITTY = "leftover: {} has no effect: no card of {} is left for a kitty with {} players"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, []),
        ({"target": 50}, []),
        ({"target": 49}, [LOW.format(49)]),
        ({"target": 20, "end": {"deals": 3}}, []),
        (KITTY, [NO_KITTY.format("kitty_first_trick", 52, 4) + " and hand_size: 13"]),
        (
            {"leftover": "kitty_last_trick", "players": 5, "deck_removal": ["2C", "2D"]},
            [NO_KITTY.format("kitty_last_trick", 50, 5) + " and hand_size: 10"],
        ),
        (KITTY | {"hand_size": 12}, []),
        (KITTY | {"players": 5}, []),
        (TWO_PACKS | KITTY, []),  # one leaves a kitty, or none, with the number of players
        (KITTY | {"target": 20}, [LOW.format(20), NO_KITTY.format("kitty_first_trick", 52, 4)]),
    ],
    ids=str,
)
def test_warnings(settings: dict[str, Any], expected: list[str]) -> None:
    """A target below 50, where one matters, and a kitty that never is one, are warned of."""
    warnings = Rules(**settings).warnings()

    assert len(warnings) == len(expected)
    assert all(text.startswith(start) for text, start in zip(warnings, expected, strict=True))


@pytest.mark.parametrize("item", dataclasses.fields(Rules), ids=lambda item: item.name)
def test_every_setting_has_a_meaning_and_a_source(item: dataclasses.Field[Any]) -> None:
    """The table of settings can be made from the fields: none lacks its sentence."""
    assert item.metadata["meaning"]
    assert item.metadata["source"]
