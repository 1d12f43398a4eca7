"""Rules as data: every refusal, presets, defaults by table size, round trips, sums by hand."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_sim.cards import CARDS, Card, CardSet
from hearts_sim.errors import HeartsError, RulesError
from hearts_sim.rules import (
    CHOICES,
    HEART_SCALES,
    PASS_NAMES,
    PASS_TOKENS,
    PRESETS,
    Deals,
    Rules,
    find_preset,
    nearest,
)

ALL = [card.name for card in CARDS]
CLUBS = [name for name in ALL if name[1] == "C"]
HEARTS = [name for name in ALL if name[1] == "H"]
NO_QUEEN = {"cards": {}, "deck_removal": ["QS", "KS", "AS", "2S"]}
ONLY_HEARTS_OUT = {"players": 3, "deck_removal": HEARTS, "cards": {}}

# What is refused: settings, the settings that the error names, a part of its message.
REFUSED = {
    # values that a setting cannot have
    "players-few": ({"players": 2}, ("players",), "from 3 to 7, got 2"),
    "players-many": ({"players": 8}, ("players",), "from 3 to 7, got 8"),
    "players-text": ({"players": "4"}, ("players",), "whole number"),
    "players-float": ({"players": 4.0}, ("players",), "whole number"),
    "players-bool": ({"players": True}, ("players",), "whole number"),
    "players-none": ({"players": None}, ("players",), "whole number"),
    "pass-count-negative": ({"pass_count": -1}, ("pass_count",), "from 0 to 5"),
    "pass-count-many": ({"pass_count": 6}, ("pass_count",), "from 0 to 5"),
    "target-zero": ({"target": 0}, ("target",), "from 1 to 1000000"),
    "target-huge": ({"target": 1_000_001}, ("target",), "from 1 to 1000000"),
    "tie-cap-negative": ({"tie_cap": -1}, ("tie_cap",), "from 0 to 1000"),
    "max-hands-zero": ({"max_hands": 0}, ("max_hands",), "from 1 to 10000"),
    "moon-value-zero": ({"moon_value": 0}, ("moon_value",), "from 1 to 10000"),
    "moon-value-text": ({"moon_value": "all"}, ("moon_value",), "whole number"),
    "moon-value-bool": ({"moon_value": True}, ("moon_value",), "whole number"),
    "instead-text": ({"hearts_instead_of_queen": "yes"}, ("hearts_instead_of_queen",), "true or"),
    "forced-number": ({"queen_forced": 1}, ("queen_forced",), "true or false, got 1"),
    **{
        f"{name}-unknown": ({name: "sometimes"}, (name,), f"{name} must be one of {allowed[0]}")
        for name, allowed in CHOICES.items()
    },
    "choice-unhashable": ({"moon": ["old"]}, ("moon",), "must be one of"),
    # decks
    "removal-text": ({"deck_removal": "2D"}, ("deck_removal",), "must be a list of cards"),
    "removal-number": ({"deck_removal": 3}, ("deck_removal",), "must be a list of cards"),
    "removal-bare-number": ({"deck_removal": [13]}, ("deck_removal",), "13 is no card"),
    "removal-no-card": ({"deck_removal": ["2X"]}, ("deck_removal",), "'2X' is no card"),
    "removal-twice": (
        {"deck_removal": ["2D", "3D", "2d", "4D"]},
        ("deck_removal",),
        "names 2D twice",
    ),
    "removal-uneven": (
        {"deck_removal": ["2D"]},
        ("deck_removal", "players"),
        "51 cards, which do not come out even for 4 players: remove 3 more, or 1 fewer",
    ),
    "removal-three": (
        {"players": 3, "deck_removal": []},
        ("deck_removal", "players"),
        "remove 1 more",
    ),
    "removal-all-but-one-each": (
        {"deck_removal": ALL[:48]},
        ("deck_removal", "players"),
        "at least two for each of 4 players",
    ),
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
    "scatter-too-wide": (
        {"players": 7, "pass_cycle": ["scatter"], "pass_count": 2, "deck_removal": ALL[:17]},
        ("pass_cycle", "players", "deck_removal"),
        "scatter",
    ),
    "pass-more-than-a-hand": (
        {"pass_count": 4, "deck_removal": ALL[:40]},
        ("pass_count", "players", "deck_removal"),
        "4 is more than the 3 cards of a hand",
    ),
    "forbidden-no-card": ({"pass_forbidden": ["queen"]}, ("pass_forbidden",), "no card"),
    "forbidden-twice": ({"pass_forbidden": ["QS", "QS"]}, ("pass_forbidden",), "QS twice"),
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
        "gives QS a cost, but deck_removal takes it out",
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
    "instead-with-free-hearts": (
        {"hearts_instead_of_queen": True, "hearts_lead": "free"},
        ("hearts_instead_of_queen", "hearts_lead"),
        "lets hearts be led anyway",
    ),
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
            "it would punish",
        )
        for exact in ("minus50", "zero", "win")
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
    assert set(named) <= {item.name for item in dataclasses.fields(Rules)}
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
    ],
)
def test_settings_at_the_edge_are_allowed(settings: dict[str, Any]) -> None:
    """What makes sense is allowed, even if nobody plays so."""
    assert Rules(**settings).total > 0


@given(
    st.dictionaries(
        st.sampled_from([item.name for item in dataclasses.fields(Rules)]),
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


# Defaults and what follows from the settings.


@pytest.mark.parametrize(
    ("players", "removed", "hand_size", "cycle"),
    [
        (3, "2D", 17, "L R H"),
        (4, "", 13, "L R A H"),
        (5, "2C 2D", 10, "L R"),
        (6, "3C 4C 2D 3D", 8, "L R"),
        (7, "3C 2D 3D", 7, "L R"),
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
    ],
)
def test_sums_by_hand(settings: dict[str, Any], total: int, cards: int) -> None:
    """The points in the deck are those added up by hand, and a moon is worth as many."""
    rules = Rules(**settings)

    assert rules.total == rules.moon_points == total
    assert len(rules.penalty_cards) == cards
    assert rules.point_cards & rules.penalty_cards == rules.penalty_cards
    assert len(rules.costs) == 52
    assert sum(rules.costs[card] for card in rules.penalty_cards) == total


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


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("token", PASS_TOKENS)
def test_offsets_of_passes(players: int, token: str) -> None:
    """Offsets count seats to the left; 0 is a hold and -1 a scatter."""
    expected = {"H": 0, "scatter": -1, "A": players // 2}
    steps = int(token[1:] or 1) if token[0] in "LR" else 0
    if token[0] == "L":
        expected[token] = steps % players
    if token[0] == "R":
        expected[token] = -steps % players

    assert Rules(players=players).pass_offset(token) == expected[token]
    assert PASS_NAMES[token]


def test_deals() -> None:
    """A number of deals can be written as a mapping or as `Deals`; otherwise it is 0."""
    assert Rules().deals == 0
    assert Rules(end={"deals": 8}).deals == 8
    assert Rules(end=Deals(8)) == Rules(end={"deals": 8})


# Presets.


def test_presets_say_what_they_change() -> None:
    """Each preset differs from `black_lady` in just the settings that its text demands."""
    base = Rules().settings()

    def changed(name: str) -> dict[str, Any]:
        mine = Rules.preset(name).settings()
        return {key: value for key, value in mine.items() if value != base[key]}

    assert changed("black_lady") == {}
    assert changed("black_widow") == {"end_cmp": ">", "tie": "draw"}
    assert changed("hearts") == {"broken_by": "heart_or_queen", "moon": "choice"}


@pytest.mark.parametrize("name", list(PRESETS))
def test_presets_work_for_all_their_players(name: str) -> None:
    """Every preset gives rules for every number of players that it allows, and has a source."""
    preset = PRESETS[name]
    assert preset.name == name
    assert preset.summary
    assert preset.source
    assert preset.default_players in preset.players
    for players in preset.players:
        rules = Rules.preset(name, players=players)
        assert rules.players == players
        assert rules.warnings() == []


@pytest.mark.parametrize(
    ("call", "named", "message"),
    [
        pytest.param(
            lambda: Rules.preset("black_laddy"), ("preset",), "did you mean 'black_lady'", id="typo"
        ),
        pytest.param(lambda: Rules.preset("whist"), ("preset",), "there is black_lady", id="other"),
        pytest.param(lambda: find_preset("x"), ("preset",), "unknown preset 'x'", id="find"),
        pytest.param(
            lambda: Rules.preset(tarket=50), ("tarket",), "did you mean 'target'", id="setting"
        ),
        pytest.param(
            lambda: Rules.preset("black_widow", players=5),
            ("preset", "players"),
            "for 4 players, not 5",
            id="players-of-preset",
        ),
        pytest.param(lambda: Rules.preset(players=9), ("players",), "3 to 7", id="players"),
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
def test_unknown_presets_and_settings_are_refused(
    call: Any, named: tuple[str, ...], message: str
) -> None:
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
    "removal-by-players": {"players": 5, "deck_removal": {5: ["2c", "2d"], 6: []}},
}


@pytest.mark.parametrize("name", list(ROUND))
def test_settings_make_the_same_rules_again(name: str) -> None:
    """`settings` is plain JSON, has every field, and gives equal rules."""
    rules = Rules(**ROUND[name])
    settings = rules.settings()

    assert Rules(**json.loads(json.dumps(settings))) == rules
    assert list(settings) == [item.name for item in dataclasses.fields(Rules)]
    assert Rules(**settings).settings() == settings


@pytest.mark.parametrize("name", list(ROUND))
def test_rules_survive_pickling_and_copying(name: str) -> None:
    """Rules can be sent to another process; equal rules have equal hashes."""
    rules = Rules(**ROUND[name])
    for again in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert again == rules
        assert hash(again) == hash(rules)
        assert again.costs == rules.costs
        assert again.deck == rules.deck


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
    with pytest.raises(TypeError):
        rules.cards[Card("QS")] = 1  # type: ignore[index]
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


@pytest.mark.parametrize(
    ("settings", "number"),
    [({}, 0), ({"target": 50}, 0), ({"target": 49}, 1), ({"target": 20, "end": {"deals": 3}}, 0)],
    ids=str,
)
def test_warnings(settings: dict[str, Any], number: int) -> None:
    """A target below 50 is warned of, where a target matters."""
    warnings = Rules(**settings).warnings()

    assert len(warnings) == number
    assert all("target" in text and "50" in text for text in warnings)


@pytest.mark.parametrize("item", dataclasses.fields(Rules), ids=lambda item: item.name)
def test_every_setting_has_a_meaning_and_a_source(item: dataclasses.Field[Any]) -> None:
    """The table of settings can be made from the fields: none lacks its sentence."""
    assert item.metadata["meaning"]
    assert item.metadata["source"]
