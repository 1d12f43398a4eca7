"""The corner cases of Hearts, card by card, and mistakes that were found in other engines.

Hands are written by seat; what a test does not care about is filled up from the rest of the deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hearts_sim.cards import CardSet
from hearts_sim.engine.table import HandResult, Table
from hearts_sim.errors import IllegalPlayError
from hearts_sim.rules import Rules

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
SPADES = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
DIAMONDS = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"
CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
ONE_SUIT_EACH = (CLUBS, DIAMONDS, SPADES, HEARTS)


def hand(text: str) -> CardSet:
    """Set of the cards in a text."""
    return CardSet.parse(text)


def small_rules(*hands: str, **options: Any) -> Rules:
    """Rules of a game without a pass in which exactly these hands are dealt."""
    kept = set(" ".join(hands).split())
    options.setdefault("cards", {"QS": 13} if "QS" in kept else {})
    return Rules(
        players=len(hands),
        deck_removal=[card.name for card in CardSet.of(*range(52)) if card.name not in kept],
        pass_count=0,
        pass_cycle=["H"],
        **options,
    )


def deal(*hands: str, **options: Any) -> Table:
    """A table at which these hands, the whole deck, were dealt and nothing is passed."""
    table = Table(small_rules(*hands, **options))
    table.deal([hand(text) for text in hands])
    return table


def play(table: Table, text: str) -> None:
    """Play the cards of a text in order."""
    for card in text.split():
        table.play(card)


def whole_hands(first: str, seat: int = 1, players: int = 4) -> list[CardSet]:
    """A full deal in which a seat holds the given cards and seat 0 the two of clubs."""
    rules = Rules(players=players)
    rest = [card for card in rules.deck if card not in hand(first)]
    hands = [CardSet.of(*rest[place :: players - 1]) for place in range(players - 1)]
    hands.insert(seat, hand(first))
    return hands


def play_out(table: Table) -> None:
    """Play the rest of a hand with the lowest legal cards."""
    while not table.hand_over:
        table.play(table.legal.lowest())


def moon_hand(table: Table, shooter: int = 0, choice: str | None = None) -> HandResult:
    """Play a hand in which a seat takes everything: aces and kings against small cards."""
    players = table.rules.players
    cards = sorted(table.rules.deck, key=lambda card: (-card.rank, card.suit))
    size = table.rules.hand_size
    hands = [CardSet.of(*cards[start : start + size]) for start in range(0, size * players, size)]
    hands[0], hands[shooter] = hands[shooter], hands[0]
    table.deal(hands)
    assert not table.pass_count
    while not table.hand_over:
        cards = sorted(table.legal, key=lambda card: card.rank)
        table.play(cards[-1] if table.turn == shooter else cards[0])
    assert table.tricks_won[shooter] == size
    return table.score(choice)


def no_pass(**options: Any) -> Rules:
    """Rules without passing, for `moon_hand`."""
    return Rules(**{"pass_count": 0, "pass_cycle": ["H"]} | options)


def scores_before(rules: Rules, scores: Sequence[int]) -> Table:
    """A table at which the seats have these totals, as if hands had been played."""
    table = Table(rules)
    table._game["totals"][: len(scores)] = scores
    table._view["scores"][: len(scores)] = scores
    return table


# 1, 2: the first trick with nothing but points.


@pytest.mark.parametrize("broken_by", ["heart", "heart_or_queen", "any_penalty"])
def test_case_1_thirteen_hearts_on_the_first_trick(broken_by: str) -> None:
    """Void of clubs with thirteen hearts, every heart may be played, and it breaks hearts."""
    table = Table(no_pass(broken_by=broken_by))
    table.deal([hand(text) for text in ONE_SUIT_EACH])
    play(table, "2C")
    play(table, "2D 2S")

    assert table.turn == 3
    assert table.legal == hand(HEARTS)
    table.play("AH")
    assert table.hearts_broken
    assert table.points == (1, 0, 0, 0)


def test_case_1_the_ban_bites_while_another_card_is_held() -> None:
    """With a single harmless card the ban leaves that one alone."""
    table = Table(no_pass())
    table.deal(whole_hands("3D QS 4H 5H 6H 7H 8H 9H TH JH QH KH AH"))
    play(table, "2C")

    assert table.legal == hand("3D")
    with pytest.raises(IllegalPlayError, match="first trick"):
        table.play("AH")


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ("any", "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"),
        ("hearts_only", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"),
        ("queen_first", "QS"),
    ],
)
def test_case_2_twelve_hearts_and_the_queen_on_the_first_trick(allowed: str, expected: str) -> None:
    """Void of clubs with twelve hearts and QS, all may be played unless a setting says no."""
    table = Table(no_pass(first_trick_all_points=allowed))
    table.deal(whole_hands("QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))
    play(table, "2C")

    assert table.legal == hand(expected)


@pytest.mark.parametrize(
    ("broken_by", "broken"),
    [("heart", False), ("heart_or_queen", True), ("any_penalty", True)],
)
def test_case_2_the_queen_thrown_on_the_first_trick_counts(broken_by: str, broken: bool) -> None:
    """QS thrown to the first trick is taken by its winner and breaks hearts only if she may."""
    table = Table(no_pass(broken_by=broken_by))
    table.deal(whole_hands("QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))
    play(table, "2C QS")
    assert table.hearts_broken is broken

    table.play(table.legal.lowest())
    table.play(table.legal.highest())
    assert table.points == (0, 0, 0, 13)


def test_hearts_only_without_hearts_lets_the_other_points_through() -> None:
    """`hearts_only` has nothing to say to a hand of points without hearts."""
    hands = ("2C 3C", "QS 7D", "4C 5C", "6C 8C")
    table = deal(*hands, first_trick_all_points="hearts_only", cards={"QS": 13, "7D": 3})
    play(table, "2C")

    assert table.legal == hand("QS 7D")


def test_ban_counts_every_card_with_a_cost_within_the_led_suit() -> None:
    """A club that costs points may not be played to the first trick while another club can."""
    table = deal("2C 3D", "7C 8C", "9C 4D", "TC 5D", cards={"7C": 5})
    play(table, "2C")

    assert table.legal == hand("8C")


def test_ban_leaves_a_lone_club_that_costs_points() -> None:
    """A seat whose only club costs points must follow with it."""
    table = deal("2C 3D", "7C 8D", "9C 4D", "TC 5D", cards={"7C": 5})
    play(table, "2C")

    assert table.legal == hand("7C")


def test_ban_includes_hearts_that_cost_nothing() -> None:
    """The ban is on hearts by suit, also where the scale gives them no cost."""
    table = deal("2C 3C", "2H 4D", "5C 6C", "QS 7C", heart_scale="zero")
    play(table, "2C")

    assert table.legal == hand("4D")


def test_ban_off_lets_points_fall_on_the_first_trick() -> None:
    """With `first_trick_points: free` hearts and QS may be thrown to the first trick."""
    table = deal("2C 3C", "2H 4D", "5C 6C", "QS 7D", first_trick_points="free")
    play(table, "2C")
    assert table.legal == hand("2H 4D")
    play(table, "2H 5C")
    assert table.legal == hand("QS 7D")


# 4 to 7: leads, and what breaks hearts.


def test_case_4_only_hearts_left_on_lead() -> None:
    """A leader with nothing but hearts leads one although they are unbroken, and breaks them."""
    table = deal("2C 3H 4H", "5C 6D 7D", "AC JH QH", "9C 8D 5D")
    play(table, "2C 5C AC 9C")

    assert table.turn == 2
    assert not table.hearts_broken
    assert table.legal == hand("JH QH")
    table.play("QH")
    assert table.hearts_broken


def test_hearts_may_not_be_led_before_they_are_broken() -> None:
    """With another card in hand a leader may not lead a heart, and is told so."""
    table = deal("2C 3H 4D", "5C 6D 7D", "AC JH QD", "9C 8D 5D")
    play(table, "2C 5C AC 9C")

    assert table.legal == hand("QD")
    with pytest.raises(IllegalPlayError, match="hearts are not broken"):
        table.play("JH")


def test_hearts_may_be_led_at_once_when_they_are_free() -> None:
    """With `hearts_lead: free` a heart may be led before one was played."""
    table = deal("2C 3H 4D", "5C 6D 7D", "AC JH QD", "9C 8D 5D", hearts_lead="free")
    play(table, "2C 5C AC 9C")

    assert table.legal == hand("JH QD")


QUEEN_AND_HEARTS = ("2C 3S 4S", "5C 6S 7D", "AC QS JH", "9C 8S 5D")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param({}, "QS", id="case-5-default"),
        pytest.param({"hearts_instead_of_queen": True}, "QS JH", id="case-5-hearts-instead"),
        pytest.param({"queen_lead": "after_broken"}, "QS JH", id="case-6-queen-barred"),
        pytest.param(
            {"queen_lead": "after_broken", "hearts_instead_of_queen": True},
            "QS JH",
            id="case-6-both",
        ),
        pytest.param({"hearts_lead": "free"}, "QS JH", id="hearts-free"),
        pytest.param({"hearts_lead": "free", "queen_lead": "after_broken"}, "JH", id="queen-only"),
    ],
)
def test_cases_5_and_6_only_hearts_and_the_queen_on_lead(
    options: dict[str, Any], expected: str
) -> None:
    """With QS and hearts only, unbroken, she is led, or hearts too where a setting allows it."""
    table = deal(*QUEEN_AND_HEARTS, **options)
    play(table, "2C 5C AC 9C")

    assert table.turn == 2
    assert table.legal == hand(expected)


def test_case_5_with_a_third_card_hearts_stay_barred() -> None:
    """`hearts_instead_of_queen` helps only a hand of nothing but hearts and QS."""
    hands = ("2C 3S 4S 2D", "5C 6S 7D 3D", "AC QS JH 4D", "9C 8S 5D 6D")
    table = deal(*hands, hearts_instead_of_queen=True)
    play(table, "2C 5C AC 9C")

    assert table.legal == hand("QS 4D")


def test_case_6_a_heart_led_from_queen_and_hearts_breaks_them() -> None:
    """Where both filters leave nothing the heart that is led breaks hearts."""
    table = deal(*QUEEN_AND_HEARTS, queen_lead="after_broken")
    play(table, "2C 5C AC 9C JH")

    assert table.hearts_broken


def test_case_6_a_last_lone_queen_may_be_led() -> None:
    """QS as the last card is led although she may not be led before hearts are broken."""
    table = deal("2C 3S", "5C 6S", "AC QS", "9C 8S", queen_lead="after_broken", heart_scale="zero")
    play(table, "2C 5C AC 9C")

    assert not table.hearts_broken
    assert table.legal == hand("QS")
    play(table, "QS")
    assert table.legal == hand("8S")


def test_case_6_queen_may_be_led_once_hearts_are_broken() -> None:
    """`queen_lead: after_broken` ends when a heart was played."""
    hands = ("2C 4D 4S", "5C 6S 7D", "AC QS KD", "9C 3H 5S")
    table = deal(*hands, queen_lead="after_broken")
    play(table, "2C 5C AC 9C")
    assert table.legal == hand("KD")
    play(table, "KD 3H 4D 7D")

    assert table.turn == 2
    assert table.legal == hand("QS")


@pytest.mark.parametrize(
    ("broken_by", "card", "breaks"),
    [
        ("heart", "3H", True),
        ("heart", "QS", False),
        ("heart", "JD", False),
        ("heart_or_queen", "3H", True),
        ("heart_or_queen", "QS", True),
        ("heart_or_queen", "JD", False),
        ("any_penalty", "3H", True),
        ("any_penalty", "QS", True),
        ("any_penalty", "JD", True),
        ("any_penalty", "2D", False),
    ],
)
def test_case_7_what_breaks_hearts(broken_by: str, card: str, breaks: bool) -> None:
    """Hearts break at the moment when a card that breaks them is played."""
    hands = ("2C 3C 4C 5C 6C", "7C 8C 9C TC 5D", "AC KC QC JC 6D", "4D 3H QS JD 2D")
    table = deal(*hands, broken_by=broken_by, cards={"QS": 13, "JD": 10}, first_trick_points="free")
    play(table, "2C 7C AC")
    assert not table.hearts_broken

    play(table, card)
    assert table.hearts_broken is breaks


def test_case_7_the_queen_breaks_hearts_when_led_or_followed() -> None:
    """With `heart_or_queen` it does not matter how QS came to the table."""
    led = deal(*QUEEN_AND_HEARTS, broken_by="heart_or_queen")
    play(led, "2C 5C AC 9C QS")
    assert led.hearts_broken

    hands = ("2C 3S 4S", "5C 6S 7D", "AC KS JH", "9C QS 5D")
    followed = deal(*hands, broken_by="heart_or_queen")
    play(followed, "2C 5C AC 9C KS")
    assert not followed.hearts_broken
    play(followed, "QS")
    assert followed.hearts_broken


def test_case_7_passing_hearts_does_not_break_them() -> None:
    """Hearts and QS that were passed leave hearts unbroken."""
    table = Table(Rules(broken_by="any_penalty"), seed=1)
    table.deal([hand(text) for text in ONE_SUIT_EACH])
    table.exchange([hand("3C 4C 5C"), hand("2D 3D 4D"), hand("QS KS AS"), hand("2H 3H 4H")])

    assert not table.hearts_broken


def test_hearts_are_unbroken_again_in_the_next_hand() -> None:
    """Nothing of the play of a hand is left when the next is dealt."""
    table = Table(no_pass(), seed=1)
    table.deal()
    play_out(table)
    table.score()
    table.deal()

    assert not table.hearts_broken
    assert table.trick_number == 1
    assert table.points == table.tricks_won == table.voids == (0, 0, 0, 0)
    assert not any(table.taken)
    assert not any(table.played_by)


# 8: a first trick that is led with something else.


def test_case_8_the_eldest_leads_any_harmless_card() -> None:
    """The seat left of the dealer leads the first trick, and no point card under the ban."""
    hands = ("2C 3H 4D", "5C QS 7H", "AC JH QD", "9C 8D 5D")
    table = deal(*hands, first_lead="eldest_any")

    assert table.turn == 1
    assert table.legal == hand("5C")
    assert deal(*hands, first_lead="eldest_any", first_trick_points="free").legal == hand("5C QS")


def test_case_8_follow_suit_comes_before_the_ban() -> None:
    """A lone QS must follow a spade led to the first trick; beside another spade she may not."""
    hands = ("QS 3H 4D", "5S 6D 7H", "QD JS 2H", "9C 8D 5D")
    lone = deal(*hands, first_lead="eldest_any")
    play(lone, "5S JS 9C")
    assert lone.turn == 0
    assert lone.legal == hand("QS")

    hands = ("QS 3S 4D", "5S 6D 7H", "QD JS 2H", "9C 8D 5D")
    beside = deal(*hands, first_lead="eldest_any")
    play(beside, "5S JS 9C")
    assert beside.legal == hand("3S")


def test_case_8_an_eldest_with_points_only_leads_what_the_settings_allow() -> None:
    """An opening hand of nothing but points leads QS, or any card when she may not be led."""
    hands = ("2C 3C 4D", "QS JH 7H", "AC 2H QD", "9C 8D 5D")
    assert deal(*hands, first_lead="eldest_any").legal == hand("QS")
    barred = deal(*hands, first_lead="eldest_any", queen_lead="after_broken")
    assert barred.legal == hand("QS JH 7H")
    hearts = deal(*hands, first_lead="eldest_any", first_trick_all_points="hearts_only")
    assert hearts.legal == hand("JH 7H")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_deal_goes_round_clockwise(players: int) -> None:
    """The dealer of hand k is seat k - 1 and the next seat is the eldest."""
    table = Table(no_pass(players=players, first_lead="eldest_any"), seed=2)
    for number in range(1, players + 3):
        table.deal()
        assert table.turn == number % players
        play_out(table)
        table.score()


# 9, 14: the moon that may be paid either way.


def test_case_9_mixed_moon_gives_the_choice_where_the_old_moon_loses() -> None:
    """At 90 with 63 beside, +26 ends the game for the one at 89: the shooter may go to 64."""
    table = scores_before(no_pass(moon="mixed"), [90, 95, 63, 80])
    table.deal([hand(text) for text in ("AC KC QC AD KD QD JD AS KS QS AH KH QH", *_REST)])
    _shoot(table, 0)

    assert table.moon_options == {"add", "subtract"}
    assert table.score("subtract").scores == (64, 95, 63, 80)
    assert table.ended == ""


def test_case_9_the_shooter_may_still_let_the_others_pay() -> None:
    """*May* is not must: with "add" the game ends and the shooter is beaten."""
    table = scores_before(no_pass(moon="mixed"), [90, 95, 63, 80])
    table.deal([hand(text) for text in ("AC KC QC AD KD QD JD AS KS QS AH KH QH", *_REST)])
    _shoot(table, 0)

    assert table.score("add").scores == (90, 121, 89, 106)
    assert table.ended == "target"
    assert table.places == (2, 4, 1, 3)


@pytest.mark.parametrize(
    "scores",
    [
        pytest.param([50, 95, 80, 70], id="shooter-wins"),
        pytest.param([89, 95, 63, 80], id="tie-for-best-is-no-loss"),
        pytest.param([60, 50, 40, 30], id="game-goes-on"),
    ],
)
def test_case_9_no_choice_where_the_old_moon_does_not_lose(scores: list[int]) -> None:
    """A shooter who would not be beaten at the end has nothing to choose in a mixed moon."""
    table = scores_before(no_pass(moon="mixed"), scores)
    table.deal([hand(text) for text in ("AC KC QC AD KD QD JD AS KS QS AH KH QH", *_REST)])
    _shoot(table, 0)

    assert table.moon_options == frozenset()
    with pytest.raises(IllegalPlayError, match="not among the options"):
        table.score("subtract")
    assert table.score().points == (0, 26, 26, 26)


@pytest.mark.parametrize("exact", ["minus50", "zero"])
def test_case_9_totals_are_taken_after_the_exact_target(exact: str) -> None:
    """Whether the old moon loses is seen after the relief: 74 + 26 is 100 and falls back."""
    table = scores_before(no_pass(moon="mixed", exact_target=exact), [60, 74, 74, 90])
    table.deal([hand(text) for text in ("AC KC QC AD KD QD JD AS KS QS AH KH QH", *_REST)])
    _shoot(table, 0)

    # 116 ends the game; relieved, two seats stand better than the shooter at 60.
    assert table.moon_options == {"add", "subtract"}
    relieved = 50 if exact == "minus50" else 0
    assert table.score("add").scores == (60, relieved, relieved, 116)


@pytest.mark.parametrize(
    ("moon", "scores", "points"),
    [
        pytest.param("auto", [90, 95, 63, 80], (-26, 0, 0, 0), id="auto-loses"),
        pytest.param("auto", [50, 95, 63, 80], (0, 26, 26, 26), id="auto-wins"),
        pytest.param("auto", [89, 95, 63, 80], (0, 26, 26, 26), id="auto-tie"),
        pytest.param("auto", [60, 50, 40, 30], (0, 26, 26, 26), id="auto-goes-on"),
        pytest.param("mixed", [90, 95, 63, 80], (-26, 0, 0, 0), id="mixed-loses"),
        pytest.param("choice", [90, 95, 63, 80], (-26, 0, 0, 0), id="choice-loses"),
        pytest.param("choice", [50, 95, 63, 80], (0, 26, 26, 26), id="choice-wins"),
        pytest.param("old", [90, 95, 63, 80], (0, 26, 26, 26), id="old"),
        pytest.param("new", [50, 95, 63, 80], (-26, 0, 0, 0), id="new"),
        pytest.param("void", [50, 95, 63, 80], (0, 0, 0, 0), id="void"),
        pytest.param("off", [50, 95, 63, 80], (26, 0, 0, 0), id="off"),
    ],
)
def test_case_14_how_a_moon_is_paid_without_an_answer(
    moon: str, scores: list[int], points: tuple[int, ...]
) -> None:
    """Left to itself the moon is old, unless that ends the game with the shooter beaten."""
    table = scores_before(no_pass(moon=moon), scores)
    table.deal([hand(text) for text in ("AC KC QC AD KD QD JD AS KS QS AH KH QH", *_REST)])
    _shoot(table, 0)

    assert table.score().points == points


def test_case_14_the_choice_comes_before_the_totals() -> None:
    """When the shooter is asked, the totals are still those before the hand."""
    table = scores_before(no_pass(moon="choice"), [10, 20, 30, 40])
    table.deal([hand(text) for text in ("AC KC QC AD KD QD JD AS KS QS AH KH QH", *_REST)])
    _shoot(table, 0)

    assert table.moon_options == {"add", "subtract"}
    assert table.scores == (10, 20, 30, 40)


_REST = (
    "2C 3C 4C 2D 3D 4D 2S 3S 4S 2H 3H 4H JC",
    "5C 6C 7C 5D 6D 7D 5S 6S 7S 5H 6H 7H JS",
    "8C 9C TC 8D 9D TD 8S 9S TS 8H 9H TH JH",
)


def _shoot(table: Table, shooter: int) -> None:
    """Play a hand that one seat wins trick by trick."""
    while not table.hand_over:
        cards = sorted(table.legal, key=lambda card: card.rank)
        table.play(cards[-1] if table.turn == shooter else cards[0])
    assert table.tricks_won[shooter] == table.rules.hand_size


# 10, 13: what a moon is worth.


@pytest.mark.parametrize(
    ("options", "value"),
    [
        pytest.param({}, 26, id="black-lady"),
        pytest.param({"cards": {}}, 13, id="original"),
        pytest.param({"cards": {"QS": 13, "KS": 10, "AS": 7}}, 43, id="black-maria"),
        pytest.param({"cards": {"QS": 13, "QH": 13}}, 38, id="pink-lady"),
        pytest.param({"cards": {"QS": 25}, "heart_scale": "pips14"}, 129, id="spot"),
        pytest.param({"players": 3, "deck_removal": ["2H"]}, 25, id="two-of-hearts-removed"),
        pytest.param({"moon_value": 100, "target": 500}, 100, id="value-given"),
    ],
)
def test_case_10_a_moon_is_worth_the_cards_that_are_dealt(
    options: dict[str, Any], value: int
) -> None:
    """The value is the cost of all penalty cards in the deck, unless it is given."""
    result = moon_hand(Table(no_pass(**options)))

    players = len(result.points)
    assert result.points == (0,) + (value,) * (players - 1)
    assert result.moon == (1,) + (-1,) * (players - 1)


def test_case_10_a_moon_is_seen_by_cards_and_not_by_points() -> None:
    """26 points without every penalty card are no moon."""
    hands = ("2C AS 6D", "5C QS 2D", "AC KS 2H", "9C 4S 7D")
    table = deal(*hands, cards={"QS": 13, "KS": 13})
    play(table, "2C 5C AC 9C KS 4S AS QS 6D 2D 2H 7D")

    assert table.points == (26, 0, 0, 1)
    assert table.shooter is None


def test_all_but_one_penalty_card_is_no_moon() -> None:
    """A seat that lacks one heart scores what it took, and the taker of that heart one."""
    hands = ("2C AS 6H", "5C QS 2H", "AC 3S AH", "9C 4S 3H")
    table = deal(*hands)
    play(table, "2C 5C AC 9C 3S 4S AS QS 6H 2H AH 3H")

    assert table.points == (13, 0, 4, 0)
    assert table.shooter is None
    assert table.score().moon == (0, 0, 0, 0)


def test_a_moon_needs_no_card_that_costs_nothing() -> None:
    """Where hearts cost nothing QS alone is the moon."""
    result = moon_hand(Table(no_pass(heart_scale="zero")), shooter=1)

    assert result.points == (13, 0, 13, 13)


def test_case_13_a_new_moon_may_go_below_zero() -> None:
    """Totals are signed: a new moon in the first hand leaves the shooter at -26."""
    table = Table(no_pass(moon="new"))
    result = moon_hand(table, shooter=2)

    assert result.scores == (0, 0, -26, 0)
    assert result.moon == (0, 0, 1, 0)
    assert moon_hand(table, shooter=2).scores == (0, 0, -52, 0)


# 19 to 22: targets, ties, reverse.


def _score_of(scores: Sequence[int], **options: Any) -> Table:
    """Play a hand in which seat 0 is the shooter of an old moon, from these totals."""
    table = scores_before(no_pass(**options), scores)
    moon_hand(table, shooter=0)
    return table


@pytest.mark.parametrize(
    ("exact", "scores", "adjust"),
    [("minus50", (0, 50, 56, 66), -50), ("zero", (0, 0, 56, 66), -100)],
)
def test_case_19_an_opponent_lifted_to_exactly_the_target_is_relieved(
    exact: str, scores: tuple[int, ...], adjust: int
) -> None:
    """A moon's +26 from 74 gives 100, which falls back before the end is tested."""
    table = scores_before(no_pass(exact_target=exact), [0, 74, 30, 40])
    result = moon_hand(table)

    assert result.adjust == (0, adjust, 0, 0)
    assert result.scores == scores
    assert table.ended == ""


def test_case_19_one_point_more_ends_the_game() -> None:
    """With the relief, 101 is needed to end the game at 100."""
    table = _score_of([0, 75, 74, 40], exact_target="minus50")

    assert table.scores == (0, 101, 50, 66)
    assert table.ended == "target"


def test_case_19_the_relief_belongs_to_the_target() -> None:
    """At a target of 50 the relief is at 50 and not at 100."""
    table = _score_of([0, 24, 20, 10], exact_target="zero", target=50)
    assert table.scores == (0, 0, 46, 36)
    assert table.ended == ""

    table = _score_of([0, 74, 20, 10], exact_target="zero", target=150)
    assert table.scores == (0, 100, 46, 36)


def test_case_19_the_relief_is_fifty_at_any_target() -> None:
    """At a target of 150 an exact hit falls back to 100."""
    table = _score_of([0, 124, 20, 10], exact_target="minus50", target=150)

    assert table.scores == (0, 100, 46, 36)


def test_case_19_several_seats_are_relieved_at_once() -> None:
    """Every seat that stands exactly on the target is relieved."""
    assert _score_of([0, 74, 74, 74], exact_target="minus50").scores == (0, 50, 50, 50)


def test_case_19_an_exact_hit_wins_at_once() -> None:
    """With `exact_target: win` the seat on exactly 100 wins, though others have less."""
    table = _score_of([0, 74, 30, 40], exact_target="win")

    assert table.ended == "exact"
    assert table.wins == (0, 1, 0, 0)
    assert table.places == (2, 1, 3, 4)


def test_case_19_two_exact_hits_share_or_play_on() -> None:
    """Two at once on the target follow the rule for ties."""
    drawn = _score_of([0, 74, 74, 40], exact_target="win", tie="draw")
    assert drawn.ended == "exact"
    assert drawn.wins == (0, 0.5, 0.5, 0)
    assert drawn.places == (3, 1.5, 1.5, 4)

    assert _score_of([0, 74, 74, 40], exact_target="win", tie="play_on").ended == ""


def test_case_20_the_winner_may_be_over_the_target_himself() -> None:
    """All totals are looked at once after the hand: 120, 90, 85 and 85 have two at the best."""
    table = scores_before(no_pass(moon="off", tie="draw"), [94, 90, 85, 85])
    moon_hand(table, shooter=0)
    assert table.scores == (120, 90, 85, 85)
    assert table.ended == "target"
    assert table.places == (4, 3, 1.5, 1.5)

    over = scores_before(no_pass(), [101, 80, 90, 95])
    moon_hand(over, shooter=0)
    assert over.scores == (101, 106, 116, 121)
    assert over.wins == (1, 0, 0, 0)


@pytest.mark.parametrize(("end_cmp", "ended"), [(">=", "target"), (">", "")])
def test_the_target_is_reached_or_must_be_passed(end_cmp: str, ended: str) -> None:
    """A total of exactly 100 ends the game unless it must be passed."""
    assert _score_of([0, 74, 30, 40], end_cmp=end_cmp).ended == ended


def test_case_21_ties_for_the_best_are_played_on_until_one_is_ahead() -> None:
    """With two at the best a whole hand more is played, and its best wins."""
    table = scores_before(no_pass(moon="off"), [80, 50, 50, 60])
    moon_hand(table, shooter=0)
    assert table.scores == (106, 50, 50, 60)
    assert table.ended == ""

    moon_hand(table, shooter=1)
    assert table.scores == (106, 76, 50, 60)
    assert table.ended == "target"
    assert table.hand_number == 2
    assert table.wins == (0, 0, 1, 0)


# Hands with two penalty cards, AH 14 and 2H 2: shared between seats 0 and 3, or both for seat 0.
_SHARED = ("AC KD 3D", "2C 5C AH", "3C 5D 2H", "4C AD 6D")
_SHARED_PLAY = "2C 3C 4C AC KD AH 5D 6D 3D 5C 2H AD"
_ALONE = ("AC KD AD", "2C 5C AH", "3C 5D 2H", "4C 3D 6D")
_ALONE_PLAY = "2C 3C 4C AC KD AH 5D 3D AD 5C 2H 6D"


def _two_hearts(scores: Sequence[int], moon: str = "new", target: int = 20) -> Table:
    """A table before these totals, for the hands above."""
    return scores_before(
        small_rules(*_SHARED, heart_scale="pips14", moon=moon, target=target), scores
    )


def _hand(table: Table, hands: Sequence[str], cards: str, choice: str | None = None) -> HandResult:
    table.deal([hand(text) for text in hands])
    play(table, cards)
    return table.score(choice)


def test_case_21_the_seat_that_ended_the_game_may_still_win() -> None:
    """An extra hand can bring the one over the target to the best place."""
    table = _two_hearts([6, 12, 12, 10])
    assert _hand(table, _SHARED, _SHARED_PLAY).scores == (20, 12, 12, 12)
    assert table.ended == ""

    assert _hand(table, _ALONE, _ALONE_PLAY).scores == (4, 12, 12, 12)
    assert table.ended == "target"
    assert table.wins == (1, 0, 0, 0)


def test_case_21_an_end_that_was_reached_is_not_undone() -> None:
    """Totals that fall below the target again in an extra hand do not reopen the game."""
    table = _two_hearts([14, 12, 12, 10])
    assert _hand(table, _SHARED, _SHARED_PLAY).scores == (28, 12, 12, 12)
    assert _hand(table, _ALONE, _ALONE_PLAY).scores == (12, 12, 12, 12)
    assert table.ended == ""

    assert _hand(table, _ALONE, _ALONE_PLAY).scores == (-4, 12, 12, 12)
    assert table.ended == "target"


def test_case_21_an_extra_hand_ends_the_game_below_the_target_too() -> None:
    """In an extra hand the moon is paid as at the end of a game, wherever the totals stand."""
    table = _two_hearts([26, -9, -9, -11], moon="choice", target=40)
    assert _hand(table, _SHARED, _SHARED_PLAY).scores == (40, -9, -9, -9)
    for total in (24, 8):
        assert _hand(table, _ALONE, _ALONE_PLAY, "subtract").scores == (total, -9, -9, -9)

    # To add would leave 8 against 7, far below 40, but the end was reached: the shooter loses.
    assert _hand(table, _ALONE, _ALONE_PLAY).points == (-16, 0, 0, 0)


@pytest.mark.parametrize("cap", [0, 1, 3])
def test_case_21_extra_hands_have_a_cap(cap: int) -> None:
    """After the last extra hand the tied share the win, and the game says so."""
    table = Table(no_pass(end={"deals": 1}, moon="void", tie_cap=cap))
    for _ in range(cap + 1):
        assert table.ended == ""
        moon_hand(table)

    assert table.ended == "tie_cap"
    assert table.hand_number == cap + 1
    assert table.wins == (0.25, 0.25, 0.25, 0.25)
    assert table.places == (2.5, 2.5, 2.5, 2.5)


def test_case_21_a_draw_shares_the_win_at_once() -> None:
    """With `tie: draw` several best totals are joint winners."""
    table = scores_before(no_pass(moon="off", tie="draw"), [80, 50, 50, 60])
    moon_hand(table, shooter=0)

    assert table.ended == "target"
    assert table.wins == (0, 0.5, 0.5, 0)
    assert table.places == (4, 1.5, 1.5, 3)


def test_case_21_ties_for_lower_places_are_always_shared() -> None:
    """Two with the same total behind a sole winner share the mean of their places."""
    table = scores_before(no_pass(moon="off"), [80, 50, 60, 60])
    moon_hand(table, shooter=0)

    assert table.ended == "target"
    assert table.places == (4, 1, 2.5, 2.5)


def test_case_21_the_pass_goes_on_in_extra_hands() -> None:
    """Extra hands continue the cycle of passes as any hand does."""
    # With QS as the only penalty card every hand is a moon, and a void moon leaves all at 0.
    table = Table(
        Rules(
            heart_scale="zero",
            moon="void",
            end={"deals": 1},
            pass_cycle=["H", "L", "R"],
            tie_cap=4,
        ),
        seed=1,
    )
    offsets = []
    while not table.ended:
        table.deal()
        offsets.append(table.pass_offset)
        if table.pass_count:
            table.exchange([table.default_pass(seat) for seat in range(4)])
        play_out(table)
        table.score()

    assert offsets == [0, 1, 3, 0, 1]


def test_case_22_in_reverse_the_highest_total_wins() -> None:
    """With `win: highest` and the moon off, 26 points are just 26 points."""
    table = scores_before(no_pass(win="highest", moon="off"), [80, 90, 10, 20])
    moon_hand(table, shooter=0)

    assert table.scores == (106, 90, 10, 20)
    assert table.ended == "target"
    assert table.places == (1, 2, 4, 3)


@pytest.mark.parametrize(
    ("moon", "points", "ended"),
    [("old", (0, 26, 26, 26), "target"), ("new", (-26, 0, 0, 0), "")],
)
def test_case_22_a_moon_in_reverse(moon: str, points: tuple[int, ...], ended: str) -> None:
    """Under an old moon the +26 of the others may end a reverse game, which the shooter loses."""
    table = scores_before(no_pass(win="highest", moon=moon), [50, 90, 10, 20])
    assert moon_hand(table, shooter=0).points == points
    assert table.ended == ended


def test_case_22_default_in_reverse_looks_at_the_better_place() -> None:
    """In reverse the old moon loses whenever it ends the game with another seat above."""
    table = scores_before(no_pass(win="highest", moon="auto"), [50, 90, 10, 20])

    assert moon_hand(table, shooter=0).points == (-26, 0, 0, 0)


# 23, 24: who opens, and the pass.


@pytest.mark.parametrize(
    ("players", "opening"),
    [(3, "2C"), (4, "2C"), (5, "3C"), (6, "2C"), (7, "2C")],
)
def test_case_23_the_lowest_club_that_is_dealt_opens(players: int, opening: str) -> None:
    """With fewer cards in the deck the lowest club that anybody holds is led."""
    table = Table(no_pass(players=players), seed=players)
    table.deal()

    assert opening in table.hands[table.turn]
    assert table.legal == hand(opening)


def test_case_23_another_deck_opens_with_its_own_lowest_club() -> None:
    """With 2C, 2D, 3C and 2S taken out the 4C is led."""
    table = Table(no_pass(players=6, deck_removal=["2C", "2D", "3C", "2S"]), seed=1)
    table.deal()

    assert table.legal == hand("4C")


def test_case_23_the_opener_is_found_after_the_pass() -> None:
    """The two of clubs may be passed: who holds it afterwards leads."""
    table = Table(Rules())
    table.deal([hand(text) for text in ONE_SUIT_EACH])
    table.exchange([hand("2C 3C 4C"), hand("2D 3D 4D"), hand("2S 3S 4S"), hand("2H 3H 4H")])

    assert table.turn == 1
    assert table.legal == hand("2C")


def test_case_23_the_low_club_opens_without_a_pass_too() -> None:
    """In a hand that holds the opening rule is the same."""
    table = Table(no_pass(), seed=3)
    table.deal()
    assert table.legal == hand("2C")


def test_any_club_of_the_holder_may_open() -> None:
    """`lowest_club_holder_any_club` lets the holder of 2C lead any of its clubs."""
    table = deal(
        "2C 7C 4D", "5C 6D 7D", "AC JH QD", "9C 8D 5D", first_lead="lowest_club_holder_any_club"
    )

    assert table.legal == hand("2C 7C")
    play(table, "7C 5C AC 9C QD 8D 4D 6D")
    assert table.turn == 2


def test_case_24_all_seats_pass_before_anybody_receives() -> None:
    """What arrives cannot be passed on: all choices are made of the cards dealt."""
    table = Table(Rules())
    table.deal([hand(text) for text in ONE_SUIT_EACH])
    with pytest.raises(IllegalPlayError, match="seat 1"):
        table.exchange([hand("2C 3C 4C"), hand("2C 3D 4D"), hand("2S 3S 4S"), hand("2H 3H 4H")])
    table.exchange([hand("2C 3C 4C"), hand("2D 3D 4D"), hand("2S 3S 4S"), hand("2H 3H 4H")])

    assert table.received == (
        hand("2H 3H 4H"),
        hand("2C 3C 4C"),
        hand("2D 3D 4D"),
        hand("2S 3S 4S"),
    )
    assert table.passed[0] == hand("2C 3C 4C")
    assert table.hands[1] == hand(DIAMONDS) - hand("2D 3D 4D") | hand("2C 3C 4C")


@pytest.mark.parametrize(
    ("players", "offsets"),
    [(3, [1, 2, 0]), (4, [1, 3, 2, 0]), (5, [1, 4]), (6, [1, 5]), (7, [1, 6])],
)
def test_case_24_the_cycle_of_passes(players: int, offsets: list[int]) -> None:
    """Left, right, (across,) hold and again; left and right above four players."""
    table = Table(Rules(players=players, target=1000), seed=1)
    seen = []
    for _ in range(2 * len(offsets)):
        table.deal()
        seen.append(table.pass_offset)
        assert table.pass_count == (3 if table.pass_offset else 0)
        if table.pass_count:
            table.exchange([table.default_pass(seat) for seat in range(players)])
        play_out(table)
        table.score()

    assert seen == offsets * 2


@pytest.mark.parametrize(
    ("token", "to"),
    [("L", 1), ("R", 5), ("A", 3), ("L2", 2), ("R2", 4), ("L3", 3), ("R3", 3)],
)
def test_case_24_where_each_direction_goes(token: str, to: int) -> None:
    """At six seats every direction takes the cards of seat 0 to the seat it names."""
    table = Table(Rules(players=6, pass_cycle=[token]), seed=1)
    table.deal()
    chosen = [table.default_pass(seat) for seat in range(6)]
    table.exchange(chosen)

    assert table.received[to] == chosen[0]


def test_case_24_a_scatter_gives_a_card_to_everybody() -> None:
    """The lowest card goes to the left neighbour, the next to the seat after it."""
    table = Table(Rules(pass_cycle=["scatter"]))
    table.deal([hand(text) for text in ONE_SUIT_EACH])
    table.exchange([hand("2C 3C 4C"), hand("2D 3D 4D"), hand("2S 3S 4S"), hand("2H 3H 4H")])

    assert table.received == (
        hand("2H 3S 4D"),
        hand("2C 3H 4S"),
        hand("2D 3C 4H"),
        hand("2S 3D 4C"),
    )


def test_a_ban_on_passing_lapses_for_a_hand_of_nothing_else() -> None:
    """Cards that may not be passed may after all when a hand has too few others."""
    table = Table(Rules(pass_forbidden=[f"{rank}H" for rank in "23456789TJQKA"]))
    table.deal([hand(text) for text in ONE_SUIT_EACH])

    assert table.passable(3) == hand(HEARTS)
    assert table.passable(0) == hand(CLUBS)


def test_a_pass_of_the_wrong_cards_is_refused() -> None:
    """Too few cards, or cards that may not be passed, are refused with what was expected."""
    table = Table(Rules(pass_forbidden=["QS"]))
    table.deal([hand(text) for text in ONE_SUIT_EACH])
    good = [hand("2C 3C 4C"), hand("2D 3D 4D"), hand("2S 3S 4S"), hand("2H 3H 4H")]
    for seat, bad in ((0, "2C 3C"), (2, "QS KS AS"), (3, "2H 3H 4H 5H")):
        choices = [*good[:seat], hand(bad), *good[seat + 1 :]]
        with pytest.raises(IllegalPlayError, match=f"seat {seat}.*expected 3 cards"):
            table.exchange(choices)
    with pytest.raises(IllegalPlayError, match="expected 4 choices"):
        table.exchange(good[:3])
    table.exchange(good)


# 29, 30: fixed deals, sums.


def test_case_29_a_fixed_number_of_deals_ends_the_game() -> None:
    """The n-th scored hand is the last, whether or not the target was reached before."""
    rules = no_pass(end={"deals": 5}, target=26)
    table = Table(rules, seed=11)
    for number in range(1, 6):
        assert table.ended == ""
        moon_hand(table, shooter=0)
        assert table.hand_number == number

    assert table.ended == "deals"
    assert table.scores == (0, 130, 130, 130)
    with pytest.raises(IllegalPlayError, match=r"the game is over \(deals\)"):
        table.deal()


def test_a_game_without_end_is_stopped_and_says_so() -> None:
    """After `max_hands` the game ends as it stands."""
    table = Table(no_pass(target=10_000, max_hands=2))
    moon_hand(table)
    moon_hand(table)

    assert table.ended == "max_hands"
    assert table.wins == (1, 0, 0, 0)


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_case_30_a_hand_without_a_moon_sums_to_the_deck(players: int) -> None:
    """The raw points of every hand are the 26 of the deck; so are the points without a moon."""
    table = Table(no_pass(players=players, target=10_000, max_hands=20), seed=players)
    for _ in range(20):
        table.deal()
        play_out(table)
        result = table.score()
        assert sum(result.raw) == 26
        assert sum(result.points) == (26 * (players - 1) if any(result.moon) else 26)
        assert sum(result.tricks) == table.rules.hand_size
        assert sum(result.hearts) == 13
        assert sum(result.queen) == 1


# The queen.


def test_queen_forced_when_void() -> None:
    """With `queen_forced` QS must be thrown when void in the led suit."""
    table = deal("2C 3C 4C", "5C 6C 7C", "AC KC TC", "9C QS 5H", queen_forced=True)
    play(table, "2C 5C AC 9C KC")

    assert table.legal == hand("QS")


def test_queen_forced_not_on_the_first_trick_while_banned() -> None:
    """The ban on the first trick comes before the duty to throw QS."""
    table = deal("2C 3C 4C", "5C 6C 7C", "AC KC TC", "9D QS 5H", queen_forced=True)
    play(table, "2C 5C AC")
    assert table.legal == hand("9D")

    options = {"queen_forced": True, "first_trick_points": "free"}
    free = deal("2C 3C 4C", "5C 6C 7C", "AC KC TC", "9D QS 5H", **options)
    play(free, "2C 5C AC")
    assert free.legal == hand("QS")


@pytest.mark.parametrize(("top", "expected"), [("KS", "QS"), ("AS", "QS"), ("JS", "QS 2S")])
def test_queen_forced_under_king_or_ace(top: str, expected: str) -> None:
    """Under the king or ace of spades QS must be played, under a lower spade she need not."""
    table = deal(f"AC {top} 4C", "5C 6C 7C", "8C KC TC", "2C QS 2S", queen_forced=True)
    play(table, f"2C AC 5C 8C {top} 6C KC")

    assert table.turn == 3
    assert table.legal == hand(expected)


def test_queen_forced_does_not_bind_the_leader() -> None:
    """A leader who holds QS may lead another card."""
    table = deal("3C 4C 9D", "AC QS 2S", "2C KC TC", "5C 6C 7C", queen_forced=True)
    play(table, "2C 5C 3C AC")

    assert table.turn == 1
    assert table.legal == hand("QS 2S")


def test_queen_kept_until_hearts_are_broken() -> None:
    """With `queen_discard: after_broken` QS is thrown only once hearts are broken, or alone."""
    hands = ("2C 3C 4C 6D", "5C 6C 7C 7D", "AC KC TC 8D", "9C QS 5H 2S")
    table = deal(*hands, queen_discard="after_broken")
    play(table, "2C 5C AC 9C KC")
    assert table.legal == hand("5H 2S")
    play(table, "5H 3C 6C TC")
    assert table.legal == hand("QS 2S")

    alone = deal("2C 3C", "5C 6C", "AC KC", "9C QS", queen_discard="after_broken")
    play(alone, "2C 5C AC 9C KC")
    assert alone.legal == hand("QS")


def test_queen_kept_does_not_touch_following() -> None:
    """`queen_discard` is about discards: following suit she may be played."""
    hands = ("2C 3S 4C", "5C 6S 7C", "AC 8S TC", "9C QS 2S")
    table = deal(*hands, queen_discard="after_broken")
    play(table, "2C 5C AC 9C 8S")

    assert table.legal == hand("QS 2S")


@pytest.mark.parametrize(
    ("hands", "cards", "how", "by", "taker"),
    [
        pytest.param(
            QUEEN_AND_HEARTS, "2C 5C AC 9C QS 8S 3S 6S JH 5D 4S 7D", "led", 2, 2, id="led"
        ),
        pytest.param(
            ("2C 3S 4S", "5C 6S 7D", "AC KS JH", "9C QS 5D"),
            "2C 5C AC 9C KS QS 3S 6S JH 5D 4S 7D",
            "followed",
            3,
            2,
            id="followed",
        ),
        pytest.param(
            ("2C 3S 4S", "5C 6S 7D", "AC KC JH", "9C QS 5D"),
            "2C 5C AC 9C KC QS 3S 6S JH 5D 4S 7D",
            "dumped",
            3,
            2,
            id="dumped",
        ),
    ],
)
def test_how_the_queen_was_taken(
    hands: tuple[str, ...], cards: str, how: str, by: int, taker: int
) -> None:
    """The result tells who took QS, who played her, and whether she was led, followed, dumped."""
    table = deal(*hands, moon="off")
    play(table, cards)
    result = table.score()

    assert result.queen == tuple(int(seat == taker) for seat in range(4))
    assert result.queen_how[taker] == how
    assert result.queen_by[taker] == by


def test_a_moon_that_was_not_half_way_is_not_stopped() -> None:
    """Who had less than half of the penalty cards alone had no moon to be stopped."""
    hands = ("AC AS KH 2D", "2C QS 3H 3D", "5C 3S AH 4D", "9C 4S 5H 5D")
    table = deal(*hands)
    play(table, "2C 5C 9C AC AS QS 3S 4S")
    assert table.points == (13, 0, 0, 0)
    play(table, "2D 3D 4D 5D 5H KH 3H AH")

    assert table.points == (13, 0, 4, 0)
    assert table.score().stopped_by == (None, None, None, None)


@pytest.mark.parametrize(
    ("last", "shooter", "stopped"),
    [("2H KH", 2, 2), ("KH 2H", 0, None)],
    ids=["stopped", "made"],
)
def test_who_stopped_a_moon(last: str, shooter: int, stopped: int | None) -> None:
    """With half of the penalty cards taken alone, the seat that takes the next one stops it."""
    mine, theirs = last.split()
    hands = (f"AC AH {mine} 2D", "2C QH 3H 3D", f"5C JH {theirs} 4D", "9C TH 4H 5D")
    table = deal(*hands, hearts_lead="free")
    play(table, "2C 5C 9C AC AH QH JH TH 2D 3D 4D 5D")
    assert table.points == (4, 0, 0, 0)
    play(table, f"4H {mine} 3H {theirs}")

    assert table.points[shooter] == (4 if stopped else 8)
    result = table.score()
    assert result.stopped_by == (stopped, None, None, None)
    assert result.moon[0] == (0 if stopped else 1)


# Mistakes found in other engines.


def test_first_tricks_are_counted_in_small_decks_too() -> None:
    """A hand of 17, 10, 8 or 7 cards has its own first trick and its own last one."""
    for players, size in ((3, 17), (4, 13), (5, 10), (6, 8), (7, 7)):
        table = Table(no_pass(players=players), seed=1)
        table.deal()
        assert table.trick_number == 1
        for _ in range(players):
            assert not table.legal & table.rules.point_cards
            table.play(table.legal.highest())
        assert table.trick_number == 2
        play_out(table)
        assert table.trick_number == size + 1


def test_state_does_not_leak_from_game_to_game() -> None:
    """A second game at a fresh table starts from nothing, and equals the first."""

    def whole_game() -> list[HandResult]:
        table = Table(no_pass(), seed=4)
        results = []
        while not table.ended:
            table.deal()
            play_out(table)
            results.append(table.score())
        return results

    first = whole_game()
    assert first == whole_game()
    assert first[0].scores == first[0].points


def test_illegal_cards_are_named_with_the_reason() -> None:
    """A refused card comes with seat, hand, trick, the reason and the legal cards."""
    table = deal("2C 3C 4D", "5C 6D 7D", "AC JH QD", "9C 8D 5D")
    with pytest.raises(IllegalPlayError, match=r"illegal card 3C by seat 0 in hand 1, trick 1"):
        table.play("3C")
    play(table, "2C")
    with pytest.raises(IllegalPlayError, match="C was led and must be followed; legal: 5C"):
        table.play("6D")
    with pytest.raises(IllegalPlayError, match="does not hold it"):
        table.play("AC")


@pytest.mark.parametrize("step", ["exchange", "legal", "play", "score", "shooter"])
def test_steps_out_of_turn_are_refused(step: str) -> None:
    """Before the deal no other step is possible, and the message names the one that is."""
    table = Table(Rules())
    calls = {
        "exchange": lambda: table.exchange([]),
        "legal": lambda: table.legal,
        "play": lambda: table.play("2C"),
        "score": lambda: table.score(),
        "shooter": lambda: table.shooter,
    }
    with pytest.raises(IllegalPlayError, match=f"{step}: the next step is deal"):
        calls[step]()


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        pytest.param([CLUBS, DIAMONDS, SPADES], "expected 4 hands", id="three-hands"),
        pytest.param([CLUBS, DIAMONDS, SPADES, HEARTS[:-3]], "13 cards", id="too-few-cards"),
        pytest.param([CLUBS, DIAMONDS, SPADES, SPADES], "not the deck", id="cards-twice"),
    ],
)
def test_hands_that_are_not_the_deck_are_refused(hands: list[str], message: str) -> None:
    """Given hands must be the whole deck, evenly."""
    with pytest.raises(IllegalPlayError, match=message):
        Table(Rules()).deal([hand(text) for text in hands])
