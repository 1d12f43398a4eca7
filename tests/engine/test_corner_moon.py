"""Corner cases 9 to 15, 22, 25 and 28: moon, sun, bonus cards and teams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from corner import (
    MOON,
    MOON_PLAY,
    SPLIT,
    SPLIT_PLAY,
    TWO_OF_THIRTEEN,
    WINNING_HANDS,
    deal,
    deal_again,
    moon_hand,
    no_pass,
    play,
    shoot,
    small_moon,
    split_points,
    two_pack_moon,
    winning_hand,
)

from hearts_sim.cards import CardSet
from hearts_sim.engine.table import Table
from hearts_sim.errors import IllegalPlayError, RulesError
from hearts_sim.rules import Rules

BOTH = {"add", "subtract"}

# The hand of `MOON` for three and for six seats: seat 0 takes both cards of 13.
MOON_THREE_PLAY = "2C 3C AC AS QS AH 3D 4D 2D"
MOON_SIX = (*MOON, "5C 4S 6D", "6C 5S 7D")
MOON_SIX_PLAY = "2C 3C 4C 5C 6C AC AS QS AH 3S 4S 5S 3D 4D 2D 5D 6D 7D"

# The same with JD: for seat 2 with the last trick, or for the shooter.
JACK_AWAY = ("AC AS 3D", "2C QS 4D", "3C AH JD", "4C 3S 5D")
JACK_AWAY_PLAY = "2C 3C 4C AC AS QS AH 3S 3D 4D JD 5D"
JACK_HOME = ("AC AS AD", "2C QS 4D", "3C AH 2D", "4C 3S JD")
JACK_HOME_PLAY = "2C 3C 4C AC AS QS AH 3S AD 4D 2D JD"


def jack_away(before: Sequence[int] | None = None, **options: Any) -> Table:
    """A table at which seat 0 has just taken both cards of 13, and seat 2 JD."""
    options = {"bonus": {"JD": -10}} | options
    table = deal(*JACK_AWAY, before=before, cards=TWO_OF_THIRTEEN, **options)
    play(table, JACK_AWAY_PLAY)
    return table


def jack_home(before: Sequence[int] | None = None, **options: Any) -> Table:
    """A table at which seat 0 has just taken both cards of 13, and JD."""
    options = {"bonus": {"JD": -10}} | options
    table = deal(*JACK_HOME, before=before, cards=TWO_OF_THIRTEEN, **options)
    play(table, JACK_HOME_PLAY)
    return table


# 9: the mixed moon.


def test_09_the_choice_where_the_old_moon_loses() -> None:
    """At 90 with 63 beside, +26 ends the game for the one at 89: the shooter may go to 64."""
    table = winning_hand([90, 95, 63, 80], moon="mixed")

    assert table.moon_options == BOTH
    assert table.score("subtract").scores == (64, 95, 63, 80)
    assert table.ended == ""


@pytest.mark.parametrize(
    ("choice", "scores", "ended"),
    [("add", (90, 121, 89), "target"), ("subtract", (64, 95, 63), "")],
)
def test_09_the_shooter_at_90_against_95_and_63(
    choice: str, scores: tuple[int, ...], ended: str
) -> None:
    """The example itself: 121 would end the game, and 89 beats 90."""
    table = deal(*MOON[:3], before=[90, 95, 63], cards=TWO_OF_THIRTEEN, moon="mixed")
    play(table, MOON_THREE_PLAY)

    assert table.moon_options == BOTH
    assert table.score(choice).scores == scores
    assert table.ended == ended


def test_09_the_shooter_may_still_let_the_others_pay() -> None:
    """*May* is not must: with "add" the game ends and the shooter is beaten."""
    table = winning_hand([90, 95, 63, 80], moon="mixed")

    assert table.score("add").scores == (90, 121, 89, 106)
    assert table.ended == "target"
    assert table.places == (2, 4, 1, 3)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([50, 95, 80, 70], id="shooter-wins"),
        pytest.param([89, 95, 63, 80], id="tie-for-best-is-no-loss"),
        pytest.param([60, 50, 40, 30], id="game-goes-on"),
        pytest.param([90, 73, 10, 10], id="game-goes-on-one-point-short"),
    ],
)
def test_09_no_choice_where_the_old_moon_does_not_lose(before: list[int]) -> None:
    """A shooter who would not be beaten at the end has nothing to choose in a mixed moon."""
    table = winning_hand(before, moon="mixed")

    assert table.moon_options == set()
    with pytest.raises(IllegalPlayError, match="not among the options"):
        table.score("subtract")
    assert table.score().points == (0, 26, 26, 26)


@pytest.mark.parametrize(("end_cmp", "options"), [(">=", BOTH), (">", set())])
def test_09_the_end_is_tested_as_the_rules_say(end_cmp: str, options: set[str]) -> None:
    """74 + 26 is 100: that ends the game when 100 must be reached, and not when passed."""
    table = winning_hand([90, 74, 50, 60], moon="mixed", end_cmp=end_cmp)

    assert table.moon_options == options


@pytest.mark.parametrize("exact", ["minus50", "zero"])
def test_09_totals_are_taken_after_the_exact_target(exact: str) -> None:
    """Whether the old moon loses is seen after the relief: 74 + 26 is 100 and falls back."""
    table = winning_hand([60, 74, 74, 90], moon="mixed", exact_target=exact)

    # 116 ends the game; relieved, two seats stand better than the shooter at 60.
    assert table.moon_options == BOTH
    relieved = 50 if exact == "minus50" else 0
    assert table.score("add").scores == (60, relieved, relieved, 116)


def test_09_a_relief_can_keep_the_game_from_ending() -> None:
    """The one at 74 falls back from 100, and nobody ends the game: there is no choice."""
    table = winning_hand([90, 74, 10, 20], moon="mixed", exact_target="minus50")

    assert table.moon_options == set()
    assert table.score().scores == (90, 50, 36, 46)


def test_09_an_exact_hit_that_wins_is_a_loss() -> None:
    """Who is lifted to exactly 100 would win at once, whatever the shooter has."""
    table = winning_hand([0, 74, 10, 20], moon="mixed", exact_target="win")

    assert table.moon_options == BOTH
    assert table.score("subtract").scores == (-26, 74, 10, 20)


@pytest.mark.parametrize(
    ("before", "options"),
    [
        pytest.param([90, 95, 73, 80], BOTH, id="89-beats-90"),
        pytest.param([89, 95, 73, 80], set(), id="89-ties-89"),
        pytest.param([90, 95, 74, 80], set(), id="90-ties-90"),
    ],
)
def test_09_bonus_cards_count_in_the_comparison(before: list[int], options: set[str]) -> None:
    """The opponent with JD pays 16 and may so come out below the shooter."""
    assert jack_away(before, moon="mixed").moon_options == options


@pytest.mark.parametrize(
    ("before", "options"), [([90, 95, 63, 80], set()), ([100, 95, 63, 80], BOTH)]
)
def test_09_a_bonus_of_the_shooter_counts_too(before: list[int], options: set[str]) -> None:
    """With JD the shooter at 90 comes to 80 and beats 89; at 100 it comes to 90 and does not."""
    assert jack_home(before, moon="mixed").moon_options == options


@pytest.mark.parametrize(
    ("deals", "before", "options"),
    [
        pytest.param(1, [30, 0, 10, 10], BOTH, id="last-deal-loses"),
        pytest.param(1, [26, 0, 10, 10], set(), id="last-deal-ties"),
        pytest.param(1, [20, 0, 10, 10], set(), id="last-deal-wins"),
        pytest.param(2, [30, 0, 10, 10], set(), id="first-deal-of-two"),
    ],
)
def test_09_with_fixed_deals_the_end_is_the_last_deal(
    deals: int, before: list[int], options: set[str]
) -> None:
    """Totals are no matter then: the last deal ends the game, and no deal before it."""
    table = winning_hand(before, moon="mixed", end={"deals": deals}, target=20)

    assert table.moon_options == options


def test_09_every_extra_hand_after_a_tie_is_an_end() -> None:
    """Once the end was reached the old moon may lose in any hand, also far below the target."""
    table = small_moon([26, 0, 0, 60], moon="mixed", target=80)
    assert table.moon_options == set()  # 26 for three: the shooter ties for the best
    assert table.score().scores == (26, 26, 26, 86)
    assert table.ended == ""

    turned = (*MOON[1:], MOON[0])  # now seat 3 takes both cards
    for total, after in ((86, 60), (60, 34)):
        deal_again(table, *turned)
        play(table, MOON_PLAY)
        assert table.scores[3] == total
        assert table.moon_options == BOTH  # 52 for the others would beat it
        assert table.score("subtract").scores == (26, 26, 26, after)
    deal_again(table, *turned)
    play(table, MOON_PLAY)
    assert table.moon_options == set()  # 34 would beat 52
    assert table.score().scores == (52, 52, 52, 34)
    assert table.ended == "target"


@pytest.mark.parametrize(
    ("before", "options"),
    [
        pytest.param([50, 90, 10, 20], BOTH, id="others-win"),
        pytest.param([116, 90, 10, 20], set(), id="ties"),
        pytest.param([50, 60, 10, 20], set(), id="game-goes-on"),
    ],
)
def test_09_in_reverse_the_old_moon_loses_against_a_higher_total(
    before: list[int], options: set[str]
) -> None:
    """Where the highest total wins, +26 helps the others."""
    assert winning_hand(before, moon="mixed", win="highest").moon_options == options


@pytest.mark.parametrize(
    ("before", "partner", "options"),
    [
        # Sides before: 80 : 116. The partner at 46 stands below the shooter, who is not beaten.
        pytest.param([60, 40, 20, 76], "normal", set(), id="partner-is-no-opponent"),
        # Sides after the old moon: 156 : 126, 146 : 126 and 120 : 126.
        pytest.param([90, 0, 40, 74], "normal", BOTH, id="side-loses"),
        pytest.param([90, 0, 30, 74], "normal", BOTH, id="side-loses-by-the-partner"),
        pytest.param([90, 0, 30, 74], "exempt", set(), id="partner-exempt"),
        # 152 : 152.
        pytest.param([96, 0, 30, 100], "normal", set(), id="tie"),
    ],
)
def test_09_partners_who_score_singly_lose_by_their_sum(
    before: list[int], partner: str, options: set[str]
) -> None:
    """The old moon loses when the sum of the shooter's side is beaten."""
    table = small_moon(before, moon="mixed", teams="singly", moon_partner=partner)

    assert table.moon_options == options


@pytest.mark.parametrize(
    ("choice", "scores", "places"),
    [
        ("add", (90, 121, 89, 90, 121, 89), (2, 3, 1, 2, 3, 1)),
        ("subtract", (64, 95, 63, 64, 95, 63), (2, 3, 1, 2, 3, 1)),
    ],
)
@pytest.mark.parametrize("scope", ["player", "team"])
def test_09_three_pooled_sides(
    scope: str, choice: str, scores: tuple[int, ...], places: tuple[int, ...]
) -> None:
    """The example with three sides of two: 90 against 95 and 63."""
    table = deal(
        *MOON_SIX,
        before=[90, 95, 63, 90, 95, 63],
        cards=TWO_OF_THIRTEEN,
        moon="mixed",
        teams="pooled",
        moon_scope=scope,
    )
    play(table, MOON_SIX_PLAY)

    assert table.shooter == 0
    assert table.moon_options == BOTH
    assert table.score(choice).scores == scores
    assert table.places == places
    assert table.ended == ("target" if choice == "add" else "")


def test_09_a_doubled_moon_is_compared_as_it_is_paid() -> None:
    """A sun of 52 ends the game from 50 where a moon of 26 would not."""
    assert winning_hand([70, 50, 10, 20], moon="mixed").moon_options == set()
    table = winning_hand([70, 50, 10, 20], moon="mixed", sun="double")

    assert table.moon_options == BOTH
    assert table.score("subtract").scores == (18, 50, 10, 20)


# 10: what a moon is worth, and who shot it.


@pytest.mark.parametrize(
    ("options", "value"),
    [
        pytest.param({}, 26, id="black-lady"),
        pytest.param({"cards": {}}, 13, id="original"),
        pytest.param({"cards": {"QS": 13, "KS": 10, "AS": 7}}, 43, id="black-maria"),
        pytest.param({"cards": {"QS": 13, "QH": 13}}, 38, id="pink-lady"),
        pytest.param({"cards": {"QS": 25}, "heart_scale": "pips14"}, 129, id="spot"),
        pytest.param({"cards": {"QS": 25}, "heart_scale": "court10_ace15"}, 124, id="spot-court"),
        pytest.param({"cards": {"QS": 50}, "heart_scale": "court10_ace15"}, 149, id="greek"),
        pytest.param({"cards": {"QS": 25}, "heart_scale": "pips_ace1"}, 116, id="ace-one"),
        pytest.param({"cards": {"QS": 13, "7C": 7}}, 33, id="hooligan"),
        pytest.param({"players": 3, "deck_removal": ["2H"]}, 25, id="two-of-hearts-removed"),
        pytest.param({"players": 6, "deck_removal": "foster"}, 25, id="all-twos-removed"),
        pytest.param({"bonus": {"JD": -10}}, 26, id="bonus-is-no-penalty"),
        pytest.param({"moon_value": 150, "target": 500}, 150, id="value-given"),
    ],
)
def test_10_a_moon_is_worth_the_cards_that_are_dealt(options: dict[str, Any], value: int) -> None:
    """The value is the cost of all penalty cards in the deck, unless it is given."""
    table = Table(no_pass(**options))
    result = moon_hand(table)

    players = len(result.points)
    mine = sum(table.rules.bonus.values())
    assert result.points == (mine,) + (value,) * (players - 1)
    assert result.moon == (1,) + (-1,) * (players - 1)


def test_10_a_moon_of_two_packs_is_worth_52() -> None:
    """Both packs together: 26 hearts and two queens."""
    table = two_pack_moon(Rules.preset("cancellation", players=8))
    result = table.score()

    assert result.raw == (0, 52, 0, 0, 0, 0, 0, 0)
    assert result.hearts[1] == 26
    assert result.queen[1] == 2
    assert result.points == (52, 0, 52, 52, 52, 52, 52, 52)


def test_10_one_copy_elsewhere_is_no_moon() -> None:
    """With two packs both copies are needed."""
    # Trick two brings seat 0 one copy of AH, trick three the other to seat 1.
    hands = ("AC AS 3D", "2C QS 4D", "3C AH 2D", "4C 3S AH")
    table = deal(*hands, cards=TWO_OF_THIRTEEN, packs=2)
    play(table, "2C 3C 4C AC AS QS AH 3S 3D 4D 2D AH")
    assert table.points == (26, 13, 0, 0)
    assert table.shooter is None
    assert table.score().points == (26, 13, 0, 0)


def test_10_a_moon_is_seen_by_cards_and_not_by_points() -> None:
    """26 points without every penalty card are no moon."""
    hands = ("2C AS 6D", "5C QS 2D", "AC KS 2H", "9C 4S 7D")
    table = deal(*hands, cards={"QS": 13, "KS": 13})
    play(table, "2C 5C AC 9C KS 4S AS QS 6D 2D 2H 7D")

    assert table.points == (26, 0, 0, 1)
    assert table.shooter is None


def test_10_all_but_one_penalty_card_is_no_moon() -> None:
    """A seat that lacks one heart scores what it took, and the taker of that heart one."""
    hands = ("2C AS 6H", "5C QS 2H", "AC 3S AH", "9C 4S 3H")
    table = deal(*hands)
    play(table, "2C 5C AC 9C 3S 4S AS QS 6H 2H AH 3H")

    assert table.points == (13, 0, 4, 0)
    assert table.shooter is None
    assert table.score().moon == (0, 0, 0, 0)


def test_10_a_moon_needs_no_card_that_costs_nothing() -> None:
    """Where hearts cost nothing QS alone is the moon."""
    result = moon_hand(Table(no_pass(heart_scale="zero")), shooter=1)

    assert result.points == (13, 0, 13, 13)


# 11: penalty cards in the kitty.

# Seat 0 takes QS and AH in trick two; seat 3 takes trick three and, in the second deal, trick one.
_FIRST_TO_SHOOTER = (*MOON, MOON_PLAY)
_FIRST_AWAY = (
    "4C AS 3D",
    "2C QS 4D",
    "3C AH 2D",
    "AC 3S 5D",
    "2C 3C AC 4C 3S AS QS AH 3D 4D 2D 5D",
)


@pytest.mark.parametrize(
    ("hands", "leftover", "owner", "points"),
    [
        (_FIRST_TO_SHOOTER, "kitty_first_trick", 0, (0, 27, 27, 27)),
        (_FIRST_TO_SHOOTER, "kitty_first_penalty", 0, (0, 27, 27, 27)),
        (_FIRST_TO_SHOOTER, "kitty_last_trick", 3, (26, 0, 0, 1)),
        (_FIRST_AWAY, "kitty_first_trick", 3, (26, 0, 0, 1)),
        (_FIRST_AWAY, "kitty_first_penalty", 0, (0, 27, 27, 27)),
        (_FIRST_AWAY, "kitty_last_trick", 3, (26, 0, 0, 1)),
    ],
)
def test_11_a_shooter_must_win_a_kitty_with_penalty_cards(
    hands: tuple[str, ...], leftover: str, owner: int, points: tuple[int, ...]
) -> None:
    """A heart in the kitty belongs to who gets it, and makes or breaks the moon."""
    *hands_of_seats, cards = hands
    table = deal(*hands_of_seats, kitty="2H 9C", cards=TWO_OF_THIRTEEN, leftover=leftover)
    play(table, cards)

    assert table.kitty_seat == owner
    assert table.shooter == (0 if owner == 0 else None)
    assert table.score().points == points


@pytest.mark.parametrize(
    "leftover", ["kitty_first_trick", "kitty_first_penalty", "kitty_last_trick"]
)
def test_11_a_kitty_without_penalty_cards_is_not_needed(leftover: str) -> None:
    """Who gets harmless cards is no matter for the moon."""
    *hands, cards = _FIRST_AWAY
    table = deal(*hands, kitty="8C 9C", cards=TWO_OF_THIRTEEN, leftover=leftover)
    play(table, cards)

    assert table.kitty_seat == (0 if leftover == "kitty_first_penalty" else 3)
    assert table.score().points == (0, 26, 26, 26)


@pytest.mark.parametrize(
    ("leftover", "shooter", "points"),
    [
        ("kitty_first_trick", 2, (26, 26, 0)),
        ("kitty_first_penalty", 1, (26, 0, 26)),
        ("kitty_last_trick", 1, (26, 0, 26)),
    ],
)
def test_11_a_kitty_of_all_penalty_cards_is_a_moon(
    leftover: str, shooter: int, points: tuple[int, ...]
) -> None:
    """When nobody can take a penalty card in a trick, the kitty makes its owner the shooter."""
    table = deal("2C 3D", "4C 5D", "6C 4D", kitty="QS AH", cards=TWO_OF_THIRTEEN, leftover=leftover)
    play(table, "2C 4C 6C 4D 3D 5D")

    assert table.shooter == shooter
    assert table.score().points == points


def test_11_removed_cards_are_no_part_of_the_moon() -> None:
    """With AH taken out before the deal the shooter does not need it: QS and 12 hearts are 25."""
    table = Table(no_pass(players=3, deck_removal=["AH"]))

    assert moon_hand(table).points == (0, 25, 25)


# 12: moon and bonus cards.


@pytest.mark.parametrize(
    ("moon", "choice", "away", "home"),
    [
        ("old", None, (0, 26, 16, 26), (-10, 26, 26, 26)),
        ("new", None, (-26, 0, -10, 0), (-36, 0, 0, 0)),
        ("choice", "add", (0, 26, 16, 26), (-10, 26, 26, 26)),
        ("choice", "subtract", (-26, 0, -10, 0), (-36, 0, 0, 0)),
        ("void", None, (0, 0, -10, 0), (-10, 0, 0, 0)),
        ("off", None, (26, 0, -10, 0), (16, 0, 0, 0)),
    ],
)
def test_12_the_jack_goes_to_its_taker_in_addition(
    moon: str, choice: str | None, away: tuple[int, ...], home: tuple[int, ...]
) -> None:
    """Whoever took JD gets 10 off, shooter or not, and a moon does not need it."""
    result = jack_away(moon=moon).score(choice)
    assert result.points == away
    assert result.bonus == (0, 0, -10, 0)

    result = jack_home(moon=moon).score(choice)
    assert result.points == home
    assert result.bonus == (-10, 0, 0, 0)


def test_12_a_moon_that_needs_the_jack_fails_without_it() -> None:
    """The player simply scores 26, and the one with JD its 10 off."""
    table = jack_away(moon="old", moon_needs_bonus=True)
    assert table.shooter is None
    result = table.score()

    assert result.points == (26, 0, -10, 0)
    assert result.moon == (0, 0, 0, 0)


@pytest.mark.parametrize(("moon", "points"), [("old", (-10, 26, 26, 26)), ("new", (-36, 0, 0, 0))])
def test_12_a_moon_that_needs_the_jack_is_shot_with_it(moon: str, points: tuple[int, ...]) -> None:
    """With JD among the cards taken it is a moon as any other."""
    assert jack_home(moon=moon, moon_needs_bonus=True).score().points == points


def test_12_all_fifteen_counters() -> None:
    """The game with TD: who takes all fourteen penalty cards and TD has 26 off, the rest zero."""
    rules = Rules.preset("omnibus_ten", pass_count=0, pass_cycle=["H"])
    table = Table(rules)
    deal_again(table, *WINNING_HANDS)
    shoot(table, 0)

    assert table.score().points == (-26, 0, 0, 0)


def test_12_fourteen_of_fifteen_counters() -> None:
    """Without TD the same game knows no moon: 26 for the one, 10 off for the other."""
    rules = Rules.preset("omnibus_ten", pass_count=0, pass_cycle=["H"])
    table = Table(rules)
    # Seat 1 throws TD on the AC of seat 2; all other tricks are for seat 0.
    deal_again(
        table,
        "KC QC JC AD KD QD JD AS KS QS AH KH QH",
        "8D 9D TD 2D 3D 4D 2S 3S 4S 2H 3H 4H JS",
        "5C 6C 7C 5D 6D 7D 5S 6S 7S 5H 6H 7H AC",
        "2C 3C 4C 8C 9C TC 8S 9S TS 8H 9H TH JH",
    )
    play(table, "2C KC TD AC 5D")
    shoot(table, 0)

    assert table.tricks_won == (12, 0, 1, 0)
    assert table.score().points == (26, 0, -10, 0)


def test_12_both_jacks_of_two_packs_are_needed() -> None:
    """Each copy counts for its taker, and a moon that needs JD needs both."""
    hands = ("AC AS 3D JD", "2C QS 4D 7D", "3C AH JD TD", "4C 3S 5D 6D")
    cards = "2C 3C 4C AC AS QS AH 3S 3D 4D JD 5D TD 6D JD 7D"
    options: dict[str, Any] = {"packs": 2, "cards": TWO_OF_THIRTEEN, "bonus": {"JD": -10}}
    table = deal(*hands, **options)
    play(table, cards)
    assert table.score().points == (-10, 26, 16, 26)

    table = deal(*hands, moon_needs_bonus=True, **options)
    play(table, cards)
    assert table.shooter is None
    assert table.score().points == (16, 0, -10, 0)


def test_12_both_jacks_in_one_hand_take_off_twice() -> None:
    """Two jacks that cancel each other still count for who takes the trick."""
    hands = ("AC AS 3D", "2C QS JD", "3C AH JD", "4C 3S 5D")
    table = deal(*hands, packs=2, cards=TWO_OF_THIRTEEN, bonus={"JD": -10})
    play(table, "2C 3C 4C AC AS QS AH 3S 3D JD JD 5D")

    assert table.score().points == (0, 26, 26, 6)


@pytest.mark.parametrize(
    ("leftover", "needed", "points"),
    [
        ("kitty_first_trick", True, (-10, 26, 26, 26)),
        ("kitty_last_trick", True, (26, 0, 0, -10)),
        ("kitty_last_trick", False, (0, 26, 26, 16)),
    ],
)
def test_12_the_jack_in_the_kitty(leftover: str, needed: bool, points: tuple[int, ...]) -> None:
    """JD belongs to who gets the kitty, as any card that lies in it."""
    table = deal(
        *MOON,
        kitty="JD 9C",
        cards=TWO_OF_THIRTEEN,
        bonus={"JD": -10},
        leftover=leftover,
        moon_needs_bonus=needed,
    )
    play(table, MOON_PLAY)

    assert table.score().points == points


# 13: totals below zero, and floors.


def test_13_a_new_moon_may_go_below_zero() -> None:
    """Totals are signed: a new moon in the first hand leaves the shooter at -26."""
    table = Table(no_pass(moon="new"))
    result = moon_hand(table, shooter=2)

    assert result.scores == (0, 0, -26, 0)
    assert result.moon == (0, 0, 1, 0)
    assert moon_hand(table, shooter=2).scores == (0, 0, -52, 0)


@pytest.mark.parametrize(
    ("floor", "points", "scores", "adjust"),
    [
        ("none", (-26, 0, -10, 0), (-16, 10, -3, 10), (0, 0, 0, 0)),
        ("hand0", (0, 0, 0, 0), (10, 10, 7, 10), (0, 0, 0, 0)),
        ("total0", (-26, 0, -10, 0), (0, 10, 0, 10), (16, 0, 3, 0)),
    ],
)
def test_13_floors(
    floor: str, points: tuple[int, ...], scores: tuple[int, ...], adjust: tuple[int, ...]
) -> None:
    """A floor keeps a hand from taking points off, or a total from falling below zero."""
    table = jack_away([10, 10, 7, 10], moon="choice", score_floor=floor)
    result = table.score("subtract")

    assert result.points == points
    assert result.scores == scores
    assert result.adjust == adjust


@pytest.mark.parametrize(("floor", "points"), [("none", -5), ("hand0", 0), ("total0", -5)])
def test_13_a_floor_of_the_hand_is_over_all_of_it(floor: str, points: int) -> None:
    """Penalty cards and bonus cards of a hand are added before the floor looks at it."""
    # AH costs 5 and QS 13: seat 2 takes AH and JD, seat 0 QS.
    hands = ("AC AS 3D", "2C QS AH", "3C 2S JD", "4C 3S 5D")
    table = deal(
        *hands, cards={"QS": 13, "AH": 5}, bonus={"JD": -10}, score_floor=floor, before=[0, 0, 9, 0]
    )
    play(table, "2C 3C 4C AC AS QS 2S 3S 3D AH JD 5D")
    result = table.score()

    assert result.raw == (13, 0, 5, 0)
    assert result.points == (13, 0, points, 0)
    assert result.scores == (13, 0, 9 + points, 0)


@pytest.mark.parametrize("floor", ["none", "hand0", "total0"])
def test_13_the_relief_comes_after_the_floor(floor: str) -> None:
    """Exactly 40 falls back to -10: the floor of totals has been looked at before."""
    result = small_moon([0, 14, 0, 0], exact_target="minus50", target=40, score_floor=floor).score()

    assert result.scores == (0, -10, 26, 26)
    assert result.adjust == (0, -50, 0, 0)


def test_13_a_bonus_of_the_first_hand_goes_below_zero() -> None:
    """JD alone leaves a total of -10, and no trick one of -5."""
    hands = ("AC AS 3D", "2C QS 4D", "3C 4S JD", "4C 3S 2H")
    table = deal(*hands, bonus={"JD": -10}, no_trick_bonus=-5)
    play(table, "2C 3C 4C AC AS QS 4S 3S 3D 4D JD 2H")

    assert table.score().scores == (13, -5, -9, -5)


# 14: who chooses, and what happens without an answer.


@pytest.mark.parametrize(
    ("moon", "before", "points"),
    [
        pytest.param("auto", [90, 95, 63, 80], (-26, 0, 0, 0), id="auto-loses"),
        pytest.param("auto", [50, 95, 63, 80], (0, 26, 26, 26), id="auto-wins"),
        pytest.param("auto", [89, 95, 63, 80], (0, 26, 26, 26), id="auto-tie"),
        pytest.param("auto", [60, 50, 40, 30], (0, 26, 26, 26), id="auto-goes-on"),
        pytest.param("mixed", [90, 95, 63, 80], (-26, 0, 0, 0), id="mixed-loses"),
        pytest.param("mixed", [50, 95, 63, 80], (0, 26, 26, 26), id="mixed-wins"),
        pytest.param("choice", [90, 95, 63, 80], (-26, 0, 0, 0), id="choice-loses"),
        pytest.param("choice", [50, 95, 63, 80], (0, 26, 26, 26), id="choice-wins"),
        pytest.param("choice", [89, 95, 63, 80], (0, 26, 26, 26), id="choice-tie"),
        pytest.param("choice", [60, 50, 20, 30], (0, 26, 26, 26), id="choice-goes-on"),
        pytest.param("old", [90, 95, 63, 80], (0, 26, 26, 26), id="old"),
        pytest.param("new", [50, 95, 63, 80], (-26, 0, 0, 0), id="new"),
        pytest.param("void", [50, 95, 63, 80], (0, 0, 0, 0), id="void"),
        pytest.param("off", [50, 95, 63, 80], (26, 0, 0, 0), id="off"),
    ],
)
def test_14_how_a_moon_is_paid_without_an_answer(
    moon: str, before: list[int], points: tuple[int, ...]
) -> None:
    """Left to itself the moon is old, unless that ends the game with the shooter beaten."""
    assert winning_hand(before, moon=moon).score().points == points


@pytest.mark.parametrize("moon", ["auto", "old", "new", "void", "off"])
def test_14_who_is_not_asked(moon: str) -> None:
    """Only `choice` and `mixed` ask; `auto` decides as `mixed` would without an answer."""
    table = winning_hand([90, 95, 63, 80], moon=moon)

    assert table.moon_options == set()
    with pytest.raises(IllegalPlayError, match="not among the options"):
        table.score("add")


def test_14_the_choice_comes_before_the_totals() -> None:
    """When the shooter is asked, the totals are still those before the hand."""
    table = winning_hand([10, 20, 30, 40], moon="choice")

    assert table.moon_options == BOTH
    assert table.scores == (10, 20, 30, 40)
    assert table.points == (26, 0, 0, 0)
    assert table.score("subtract").scores == (-16, 20, 30, 40)


@pytest.mark.parametrize(
    ("deals", "before", "points"),
    [
        pytest.param(1, [30, 0, 10, 10], (-26, 0, 0, 0), id="last-deal-loses"),
        pytest.param(1, [20, 0, 10, 10], (0, 26, 26, 26), id="last-deal-wins"),
        pytest.param(1, [26, 0, 10, 10], (0, 26, 26, 26), id="last-deal-ties"),
        pytest.param(2, [30, 0, 10, 10], (0, 26, 26, 26), id="first-deal-of-two"),
    ],
)
@pytest.mark.parametrize("moon", ["choice", "mixed", "auto"])
def test_14_with_fixed_deals_the_default_looks_at_the_last(
    moon: str, deals: int, before: list[int], points: tuple[int, ...]
) -> None:
    """Where deals end the game, the last one is the end, whatever the totals are."""
    table = winning_hand(before, moon=moon, end={"deals": deals})

    assert table.score().points == points


def test_14_in_reverse_the_default_is_the_better_place() -> None:
    """In reverse the old moon loses whenever it ends the game with another seat above."""
    table = winning_hand([50, 90, 10, 20], moon="auto", win="highest")
    assert table.score().points == (-26, 0, 0, 0)

    table = winning_hand([120, 90, 10, 20], moon="auto", win="highest")
    assert table.score().points == (0, 26, 26, 26)


@pytest.mark.parametrize(
    ("before", "points"),
    [
        pytest.param([90, 0, 40, 74], (-26, 0, 0, 0), id="side-loses"),
        pytest.param([60, 40, 20, 76], (0, 26, 26, 26), id="side-wins"),
    ],
)
def test_14_partners_look_at_the_place_of_their_side(
    before: list[int], points: tuple[int, ...]
) -> None:
    """What counts is the better place for the shooter's side."""
    assert small_moon(before, moon="choice", teams="singly").score().points == points


# Seats 2 and 0 in the parts of seats 0 and 2.
TURNED_SPLIT = (*SPLIT[2:], *SPLIT[:2])


@pytest.mark.parametrize(("hands", "asked"), [(SPLIT, 2), (TURNED_SPLIT, 0)])
@pytest.mark.parametrize("teams", ["singly", "pooled"])
def test_14_a_team_is_asked_through_who_took_its_last_penalty_card(
    teams: str, hands: tuple[str, ...], asked: int
) -> None:
    """Of two partners with all penalty cards the one answers who took the last of them."""
    table = deal(*hands, cards=TWO_OF_THIRTEEN, moon="choice", teams=teams, moon_scope="team")
    play(table, SPLIT_PLAY)

    assert table.shooter == asked
    assert table.moon_options == BOTH


def test_14_a_kitty_is_the_last_that_is_taken() -> None:
    """Its cards count at the end of the hand: who gets hearts with it is asked."""
    table = deal(
        *SPLIT,
        kitty="2H 9C",
        cards=TWO_OF_THIRTEEN,
        moon="choice",
        teams="pooled",
        moon_scope="team",
    )
    play(table, SPLIT_PLAY)
    assert table.shooter == 0

    table = deal(
        *SPLIT,
        kitty="8C 9C",
        cards=TWO_OF_THIRTEEN,
        moon="choice",
        teams="pooled",
        moon_scope="team",
    )
    play(table, SPLIT_PLAY)
    assert table.shooter == 2


# 15: partners.


@pytest.mark.parametrize(
    ("options", "points", "moon", "sums"),
    [
        pytest.param({}, (0, 26, 26, 26), (1, -1, -1, -1), (26, 52), id="normal"),
        pytest.param(
            {"moon_partner": "exempt"}, (0, 26, 0, 26), (1, -1, 0, -1), (0, 52), id="exempt"
        ),
        pytest.param({"moon": "new"}, (-26, 0, 0, 0), (1, 0, 0, 0), (-26, 0), id="new"),
        pytest.param({"moon": "void"}, (0, 0, 0, 0), (1, 0, 0, 0), (0, 0), id="void"),
        pytest.param({"moon": "off"}, (26, 0, 0, 0), (0, 0, 0, 0), (26, 0), id="off"),
        pytest.param(
            {"moon_scope": "team"}, (0, 26, 0, 26), (1, -1, 1, -1), (0, 52), id="team-old"
        ),
        pytest.param(
            {"moon_scope": "team", "moon": "new"},
            (-26, 0, -26, 0),
            (1, 0, 1, 0),
            (-52, 0),
            id="team-new",
        ),
    ],
)
def test_15_a_moon_of_partners_who_score_singly(
    options: dict[str, Any],
    points: tuple[int, ...],
    moon: tuple[int, ...],
    sums: tuple[int, int],
) -> None:
    """The partner pays 26 too, unless it is exempt or shoots together with the other."""
    result = small_moon(teams="singly", **options).score()

    assert result.points == points
    assert result.moon == moon
    assert (points[0] + points[2], points[1] + points[3]) == sums
    assert result.scores == points


@pytest.mark.parametrize(
    ("options", "points"),
    [
        pytest.param({}, (13, 0, 13, 0), id="a-player-must-take-all"),
        pytest.param({"moon_scope": "team"}, (0, 26, 0, 26), id="team-old"),
        pytest.param({"moon_scope": "team", "moon": "new"}, (-26, 0, -26, 0), id="team-new"),
    ],
)
def test_15_penalty_cards_on_both_partners_who_score_singly(
    options: dict[str, Any], points: tuple[int, ...]
) -> None:
    """Split between partners the cards are a moon only where a team shoots together."""
    assert split_points(teams="singly", **options).score().points == points


@pytest.mark.parametrize(
    ("options", "choice", "points"),
    [
        pytest.param({}, "add", (0, 26, 0, 26), id="the-other-side-pays"),
        pytest.param({}, "subtract", (-26, 0, -26, 0), id="own-score-falls"),
        pytest.param({"moon_value": 52}, "add", (0, 52, 0, 52), id="52-where-that-is-played"),
        pytest.param({"moon_value": 52}, "subtract", (-52, 0, -52, 0), id="52-off"),
    ],
)
def test_15_a_side_with_one_score_shoots_together(
    options: dict[str, Any], choice: str, points: tuple[int, ...]
) -> None:
    """A side that owns all penalty cards charges the other side once, or itself once."""
    options = {"teams": "pooled", "moon": "choice", "moon_scope": "team"} | options
    result = split_points([40, 30, 40, 30], **options).score(choice)

    assert result.raw == (13, 0, 13, 0)
    assert result.points == points
    assert result.scores == (40 + points[0], 30 + points[1], 40 + points[2], 30 + points[3])


@pytest.mark.parametrize(
    ("scope", "moon", "shot", "split"),
    [
        ("player", "old", (0, 26, 0, 26), (26, 0, 26, 0)),
        ("player", "new", (-26, 0, -26, 0), (26, 0, 26, 0)),
        ("team", "old", (0, 26, 0, 26), (0, 26, 0, 26)),
        ("team", "new", (-26, 0, -26, 0), (-26, 0, -26, 0)),
    ],
)
def test_15_a_side_is_never_charged_twice(
    scope: str, moon: str, shot: tuple[int, ...], split: tuple[int, ...]
) -> None:
    """Two opponents, or two shooters, with one score: 26 and not 52."""
    options: dict[str, Any] = {"teams": "pooled", "moon_scope": scope, "moon": moon}

    assert small_moon(**options).score().points == shot
    assert split_points(**options).score().points == split


@pytest.mark.parametrize(
    ("options", "points"),
    [
        pytest.param({"teams": "singly"}, (0, 26, 26, 26, 26, 26), id="singly"),
        pytest.param(
            {"teams": "singly", "moon_partner": "exempt"}, (0, 26, 26, 0, 26, 26), id="exempt"
        ),
        pytest.param(
            {"teams": "singly", "moon": "new", "moon_scope": "team"},
            (-26, 0, 0, -26, 0, 0),
            id="singly-team-new",
        ),
        pytest.param({"teams": "pooled"}, (0, 26, 26, 0, 26, 26), id="pooled"),
        pytest.param({"teams": "pooled", "moon": "new"}, (-26, 0, 0, -26, 0, 0), id="pooled-new"),
    ],
)
def test_15_three_sides_of_two(options: dict[str, Any], points: tuple[int, ...]) -> None:
    """With six players the partner of seat 0 is seat 3, and both other sides pay."""
    table = deal(*MOON_SIX, cards=TWO_OF_THIRTEEN, **options)
    play(table, MOON_SIX_PLAY)

    assert [table.rules.team(seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]
    assert table.score().points == points


def test_15_points_of_a_hand_without_a_moon_are_pooled() -> None:
    """Both partners show what their side took; what each of them took stays in `raw`."""
    hands = ("AC AS 3D", "2C QS AH", "3C 2S 2H", "4C 3S 5D")
    table = deal(*hands, teams="pooled", before=[7, 8, 7, 8])
    play(table, "2C 3C 4C AC AS QS 2S 3S 3D AH 2H 5D")
    result = table.score()

    assert result.raw == (13, 0, 0, 2)
    assert result.points == (13, 2, 13, 2)
    assert result.scores == (20, 10, 20, 10)


def test_15_bonus_cards_of_a_side_count_once() -> None:
    """JD of either partner takes 10 off the side's one score."""
    result = jack_away(teams="pooled").score()
    assert result.bonus == (-10, 0, -10, 0)
    assert result.points == (-10, 26, -10, 26)

    result = jack_away(teams="singly").score()
    assert result.points == (0, 26, 16, 26)


def test_15_a_moon_of_a_side_that_needs_the_jack() -> None:
    """JD with the partner does where the team shoots, and not where a player does."""
    team = jack_away(teams="pooled", moon_scope="team", moon_needs_bonus=True)
    assert team.score().points == (-10, 26, -10, 26)

    player = jack_away(teams="pooled", moon_needs_bonus=True)
    assert player.shooter is None
    assert player.score().points == (16, 0, 16, 0)


def test_15_a_player_over_the_target_may_be_on_the_winning_side() -> None:
    """105 + 34 = 139 beats 78 + 69 = 147, and one player at the target ended the play."""
    table = split_points([92, 78, 21, 69], teams="singly")
    table.score()

    assert table.scores == (105, 78, 34, 69)
    assert table.ended == "target"
    assert table.wins == (1, 0, 1, 0)
    assert table.places == (1, 2, 1, 2)


def test_15_a_sum_over_the_target_does_not_end_the_game() -> None:
    """99 + 99 is well over 100, but no player has reached it."""
    table = split_points([86, 78, 86, 69], teams="singly")
    table.score()

    assert table.scores == (99, 78, 99, 69)
    assert table.ended == ""


def test_15_equal_sums_are_a_tie() -> None:
    """105 + 24 against 78 + 51: played on, or drawn."""
    table = split_points([92, 78, 11, 51], teams="singly")
    table.score()
    assert table.scores == (105, 78, 24, 51)
    assert table.ended == ""
    assert table.places == (1.5, 1.5, 1.5, 1.5)
    deal_again(table, *SPLIT)
    play(table, SPLIT_PLAY)
    table.score()
    assert table.ended == "target"
    assert table.wins == (0, 1, 0, 1)

    drawn = split_points([92, 78, 11, 51], teams="singly", tie="draw")
    drawn.score()
    assert drawn.ended == "target"
    assert drawn.wins == (0.5, 0.5, 0.5, 0.5)


def test_15_equal_single_totals_are_no_tie() -> None:
    """Two players with the same best total on different sides: only the sums are compared."""
    table = split_points([92, 50, 37, 60], teams="singly")
    table.score()

    assert table.scores == (105, 50, 50, 60)
    assert table.ended == "target"
    assert table.wins == (0, 1, 0, 1)


@pytest.mark.parametrize(
    ("before", "ended"), [([74, 60, 74, 60], "target"), ([73, 60, 73, 60], "")]
)
def test_15_the_score_of_a_side_ends_the_game(before: list[int], ended: str) -> None:
    """Pooled, the side's score is tested once: 74 + 26 reaches 100, 73 + 26 does not."""
    table = split_points(before, teams="pooled")
    result = table.score()

    assert result.scores == (before[0] + 26, 60, before[2] + 26, 60)
    assert table.ended == ended
    assert table.wins == (0, 1, 0, 1)


@pytest.mark.parametrize("players", [3, 5, 7])
def test_15_partners_need_an_even_table(players: int) -> None:
    """Nobody sits opposite at an odd table."""
    with pytest.raises(RulesError, match="even table"):
        Rules(players=players, teams="pooled")


# 22: the moon in reverse.


def test_22_in_reverse_the_highest_total_wins() -> None:
    """With `win: highest` and the moon off, 26 points are just 26 points."""
    table = winning_hand([80, 90, 10, 20], win="highest", moon="off")
    table.score()

    assert table.scores == (106, 90, 10, 20)
    assert table.ended == "target"
    assert table.places == (1, 2, 4, 3)


@pytest.mark.parametrize(
    ("moon", "choice", "points", "ended"),
    [
        ("old", None, (0, 26, 26, 26), "target"),
        ("new", None, (-26, 0, 0, 0), ""),
        ("choice", "add", (0, 26, 26, 26), "target"),
        ("choice", "subtract", (-26, 0, 0, 0), ""),
    ],
)
def test_22_a_moon_in_reverse(
    moon: str, choice: str | None, points: tuple[int, ...], ended: str
) -> None:
    """Under an old moon the +26 of the others may end a reverse game, which the shooter loses."""
    table = winning_hand([50, 90, 10, 20], win="highest", moon=moon)
    assert table.score(choice).points == points

    assert table.ended == ended
    assert table.places[1] == 1


# 25: the sun.


@pytest.mark.parametrize(("players", "tricks"), [(3, 17), (4, 13), (5, 10), (6, 8), (7, 7), (8, 6)])
@pytest.mark.parametrize(("moon", "mine", "theirs"), [("old", 0, 52), ("new", -52, 0)])
def test_25_all_tricks_of_the_deal_are_a_sun(
    players: int, tricks: int, moon: str, mine: int, theirs: int
) -> None:
    """However many tricks a hand has at this table, all of them double the moon."""
    table = Table(no_pass(players=players, sun="double", moon=moon))
    result = moon_hand(table)

    assert result.tricks == (tricks,) + (0,) * (players - 1)
    assert result.points == (mine,) + (theirs,) * (players - 1)


@pytest.mark.parametrize(("first", "value"), [("counts", 26), ("exempt", 52)])
@pytest.mark.parametrize(("players", "tricks"), [(3, 17), (4, 13), (5, 10), (7, 7)])
def test_25_all_tricks_but_the_first(players: int, tricks: int, first: str, value: int) -> None:
    """With the ace of clubs elsewhere the first trick is lost: a sun only where it is spared."""
    table = Table(no_pass(players=players, sun="double", sun_first_trick=first))
    deck = sorted(table.rules.deck, key=lambda card: (-card.rank, card.suit))
    hands = [deck[start : start + tricks] for start in range(0, len(deck), tricks)]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    table.deal([CardSet.of(*cards) for cards in hands])
    while not table.hand_over:
        # The winner of the first trick leads no club, of which seat 0 may have no more.
        cards = sorted(table.legal, key=lambda card: (card.suit == 0, card.rank))
        if "AC" in table.legal:
            table.play("AC")
        elif table.turn == 0:
            table.play(max(cards, key=lambda card: card.rank))
        else:
            table.play(cards[0])

    assert table.tricks_won == (tricks - 1, 1) + (0,) * (players - 2)
    assert table.score().points == (0,) + (value,) * (players - 1)


@pytest.mark.parametrize("first", ["counts", "exempt"])
@pytest.mark.parametrize("kitty", ["", "8C 9C"])
def test_25_any_other_trick_is_not_spared(kitty: str, first: str) -> None:
    """Who loses the last trick has no sun, also when the first is lost to the same seat."""
    for won, hands in (
        ((2, 0, 0, 1), _FIRST_TO_SHOOTER),
        ((1, 0, 0, 2), _FIRST_AWAY),
    ):
        *hands_of_seats, cards = hands
        table = deal(
            *hands_of_seats,
            kitty=kitty,
            cards=TWO_OF_THIRTEEN,
            sun="double",
            sun_first_trick=first,
        )
        play(table, cards)
        assert table.tricks_won == won
        assert table.score().points == (0, 26, 26, 26)


def test_25_the_holder_of_the_low_club_may_win_the_first_trick() -> None:
    """2C led takes the trick when nobody else has a club."""
    hands = ("2C AS AD", "QS 4D 5D", "AH 2D 3D", "3S 6D 7D")
    table = deal(*hands, cards=TWO_OF_THIRTEEN, sun="double")
    play(table, "2C 4D 2D 6D AS QS AH 3S AD 5D 3D 7D")

    assert table.score().points == (0, 52, 52, 52)


@pytest.mark.parametrize(
    ("options", "points"),
    [
        pytest.param({"moon_value": 100, "target": 500}, (0, 200, 200, 200), id="value-given"),
        pytest.param(
            {"cards": {"QS": 25}, "heart_scale": "pips14", "moon": "new"},
            (-258, 0, 0, 0),
            id="spot-new",
        ),
        pytest.param({"bonus": {"JD": -10}}, (-10, 52, 52, 52), id="bonus-not-doubled"),
        pytest.param({"no_trick_bonus": -5}, (0, 52, 52, 52), id="no-bonus-for-no-trick"),
    ],
)
def test_25_a_sun_doubles_the_value_of_the_moon(
    options: dict[str, Any], points: tuple[int, ...]
) -> None:
    """Twice the value, in whatever payment; bonus cards are apart."""
    assert winning_hand(sun="double", **options).score().points == points


@pytest.mark.parametrize(
    ("choice", "points"), [("add", (0, 52, 52, 52)), ("subtract", (-52, 0, 0, 0))]
)
def test_25_the_shooter_of_a_double_sun_chooses(choice: str, points: tuple[int, ...]) -> None:
    """A sun that doubles is paid as the moon is, so the shooter has the same choice."""
    assert winning_hand(sun="double", moon="choice").score(choice).points == points


@pytest.mark.parametrize("moon", ["old", "new", "choice", "mixed", "auto"])
@pytest.mark.parametrize(("total", "adjust"), [(90, -90), (-30, 30), (0, 0)])
def test_25_a_sun_that_resets(moon: str, total: int, adjust: int) -> None:
    """The shooter's total becomes 0, whatever it was, and nobody pays or is asked."""
    table = winning_hand([total, 95, 63, 80], sun="reset_to_zero", moon=moon)
    assert table.moon_options == set()
    result = table.score()

    assert result.points == (0, 0, 0, 0)
    assert result.scores == (0, 95, 63, 80)
    assert result.adjust == (adjust, 0, 0, 0)
    assert result.moon == (1, 0, 0, 0)


def test_25_a_reset_takes_the_bonus_along() -> None:
    """The total is 0 and not 0 less 10 for JD."""
    result = winning_hand([40, 0, 0, 0], sun="reset_to_zero", bonus={"JD": -10}).score()

    assert result.scores == (0, 0, 0, 0)


def test_25_a_moon_without_a_sun_is_paid_as_ever() -> None:
    """Where the sun resets or doubles, a moon with fewer tricks is just a moon."""
    for sun in ("double", "reset_to_zero"):
        table = small_moon([40, 50, 60, 70], sun=sun, moon="choice")
        assert table.moon_options == BOTH
        assert table.score("subtract").scores == (14, 50, 60, 70)


def test_25_all_tricks_without_the_bonus_are_a_moon_only_if_that_is_not_needed() -> None:
    """All tricks but the spared first one, in which an opponent took JD."""
    # Trick one: JD falls to the AC of seat 3.
    hands = ("4C AS AD", "2C QS 4D", "JD AH 2D", "AC 3S 5D")
    cards = "2C JD AC 4C 3S AS QS AH AD 4D 2D 5D"
    options: dict[str, Any] = {
        "cards": TWO_OF_THIRTEEN,
        "bonus": {"JD": -10},
        "sun": "double",
        "sun_first_trick": "exempt",
    }
    table = deal(*hands, **options)
    play(table, cards)
    assert table.score().points == (0, 52, 52, 42)

    table = deal(*hands, moon_needs_bonus=True, **options)
    play(table, cards)
    assert table.score().points == (26, 0, 0, -10)


# Seat 0 takes both cards of 13; its partner, seat 2, wins the last trick.
_PARTNER_LAST = ("AC AS 3D", "2C QS 4D", "3C AH 6D", "4C 3S 5D")
_PARTNER_LAST_PLAY = "2C 3C 4C AC AS QS AH 3S 3D 4D 6D 5D"


@pytest.mark.parametrize(
    ("teams", "scope", "points"),
    [
        ("singly", "player", (0, 26, 26, 26)),
        ("pooled", "player", (0, 26, 0, 26)),
        ("singly", "team", (0, 52, 0, 52)),
        ("pooled", "team", (0, 52, 0, 52)),
    ],
)
def test_25_a_trick_of_the_partner(teams: str, scope: str, points: tuple[int, ...]) -> None:
    """Tricks of both partners make a sun where the team shoots together."""
    table = deal(*_PARTNER_LAST, cards=TWO_OF_THIRTEEN, sun="double", teams=teams, moon_scope=scope)
    play(table, _PARTNER_LAST_PLAY)

    assert table.tricks_won == (2, 0, 1, 0)
    assert table.score().points == points


@pytest.mark.parametrize(
    ("teams", "scope", "scores"),
    [
        ("pooled", "team", (0, 30, 0, 30)),
        ("singly", "team", (0, 30, 0, 30)),
    ],
)
def test_25_a_team_that_resets(teams: str, scope: str, scores: tuple[int, ...]) -> None:
    """A team's sun sets the total of both partners to 0."""
    table = split_points([40, 30, 40, 30], sun="reset_to_zero", teams=teams, moon_scope=scope)

    assert table.score().scores == scores


def test_25_a_player_resets_the_score_of_the_side() -> None:
    """One player with all tricks resets the side's one score, or its own single total."""
    pooled = winning_hand([40, 30, 40, 30], sun="reset_to_zero", teams="pooled")
    assert pooled.score().scores == (0, 30, 0, 30)
    singly = winning_hand([40, 30, 45, 35], sun="reset_to_zero", teams="singly")
    assert singly.score().scores == (0, 30, 45, 35)


@pytest.mark.parametrize(("sun", "theirs"), [("off", 52), ("double", 104)])
def test_25_all_tricks_of_two_packs(sun: str, theirs: int) -> None:
    """Thirteen tricks of 104 cards: twice 52."""
    table = two_pack_moon(Rules.preset("cancellation", players=8, sun=sun))
    result = table.score()

    assert result.tricks[1] == 13
    assert result.points == (theirs, 0, *(theirs,) * 6)


@pytest.mark.parametrize(
    ("hands", "cards", "counts", "exempt"),
    [
        pytest.param(
            # Trick one is held, and taken with trick two.
            ("KC AS AD", "9C 2S 4D", "9C 3S AH", "KC QS 5D"),
            "9C 9C KC KC 2S 3S QS AS AD 4D AH 5D",
            52,
            52,
            id="first-held",
        ),
        pytest.param(
            # Trick three has no winner and goes to its leader.
            ("KC AS AD", "9C 2S 4D", "9C AH 4D", "KC QS AD"),
            "9C 9C KC KC 2S AH QS AS AD 4D 4D AD",
            52,
            52,
            id="first-and-last-held",
        ),
        pytest.param(
            # Seat 2 wins trick one.
            ("KC AS AD", "9C 2S 4D", "TC 3S AH", "KC QS 5D"),
            "9C TC KC KC 3S QS AS 2S AD 4D AH 5D",
            26,
            52,
            id="first-lost",
        ),
        pytest.param(
            # Seat 1 wins trick two and takes the first with it: two tricks are lost.
            ("KC 4D AS", "9C 7D 2S", "9C 3D AH", "KC 2D QS"),
            "9C 9C KC KC 7D 3D 2D 4D 2S AH QS AS",
            26,
            26,
            id="first-held-and-lost",
        ),
    ],
)
def test_25_tricks_without_a_winner_count_for_who_takes_them(
    hands: tuple[str, ...], cards: str, counts: int, exempt: int
) -> None:
    """A held trick is a trick of the one who takes it later."""
    for first, value in (("counts", counts), ("exempt", exempt)):
        table = deal(
            *hands,
            packs=2,
            cards=TWO_OF_THIRTEEN,
            first_lead="eldest_any",
            sun="double",
            sun_first_trick=first,
        )
        play(table, cards)
        assert table.shooter == 0
        assert table.score().points == (0, value, value, value)


@pytest.mark.parametrize(("first", "value"), [("counts", 26), ("exempt", 52)])
def test_25_a_kitty_is_no_trick(first: str, value: int) -> None:
    """The spared first trick may have brought an opponent a harmless kitty."""
    hands = ("4C AS AD", "2C QS 4D", "3C AH 2D", "AC 3S 5D")
    table = deal(*hands, kitty="8C 9C", cards=TWO_OF_THIRTEEN, sun="double", sun_first_trick=first)
    play(table, "2C 3C AC 4C 3S AS QS AH AD 4D 2D 5D")

    assert table.kitty_seat == 3
    assert table.score().points == (0, value, value, value)


# 28: points for taking no trick.

# Seat 0 takes QS in two tricks, seat 1 takes AH; seats 2 and 3 win no trick.
_TWO_WITHOUT = ("AC AS 3D", "2C QS 4D", "3C 4S 2D", "4C 3S AH")
_TWO_WITHOUT_PLAY = "2C 3C 4C AC AS QS 4S 3S 3D 4D 2D AH"


@pytest.mark.parametrize("bonus", [-5, -3])
def test_28_who_takes_no_trick(bonus: int) -> None:
    """In a hand without a moon everybody without a trick gets points off."""
    table = deal(*_TWO_WITHOUT, no_trick_bonus=bonus)
    play(table, _TWO_WITHOUT_PLAY)
    result = table.score()

    assert result.points == (13, 1, bonus, bonus)
    assert result.bonus == (0, 0, bonus, bonus)


@pytest.mark.parametrize(
    ("moon", "points"),
    [
        ("old", (0, 26, 26, 26)),
        ("new", (-26, 0, 0, 0)),
        ("choice", (0, 26, 26, 26)),
        ("void", (0, 0, 0, 0)),
        ("off", (26, -5, -5, 0)),
    ],
)
def test_28_not_in_a_moon_hand(moon: str, points: tuple[int, ...]) -> None:
    """A moon leaves nothing for taking no trick; where there is no moon 26 is just 26."""
    assert small_moon(no_trick_bonus=-5, moon=moon).score().points == points


def test_28_paid_when_the_moon_lacks_the_jack() -> None:
    """All fourteen without JD are no moon where that is needed, so the bonus is paid."""
    table = jack_away(no_trick_bonus=-5, moon_needs_bonus=True)

    assert table.tricks_won == (2, 0, 1, 0)
    assert table.score().points == (26, -5, -10, -5)


@pytest.mark.parametrize(
    ("teams", "scope", "points"),
    [
        pytest.param("singly", "player", (13, -5, 13, -5), id="singly"),
        pytest.param("pooled", "player", (26, -5, 26, -5), id="pooled"),
        pytest.param("pooled", "team", (0, 26, 0, 26), id="pooled-moon"),
        pytest.param("singly", "team", (0, 26, 0, 26), id="singly-moon"),
    ],
)
def test_28_a_side_without_a_trick_counts_once(
    teams: str, scope: str, points: tuple[int, ...]
) -> None:
    """Partners with one score get the 5 together; singly each gets its own."""
    table = split_points(teams=teams, moon_scope=scope, no_trick_bonus=-5)

    assert table.tricks_won == (2, 0, 1, 0)
    assert table.score().points == points


def test_28_a_partner_with_a_trick_is_enough() -> None:
    """Pooled, a side has no trick when neither of the two has one."""
    table = deal(*_TWO_WITHOUT, teams="pooled", no_trick_bonus=-5)
    play(table, _TWO_WITHOUT_PLAY)

    assert table.score().points == (13, 1, 13, 1)
