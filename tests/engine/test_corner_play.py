"""Corner cases 1 to 8, 23, 24 and 27: what may be led, played and passed; and the queen."""

from __future__ import annotations

import math
from typing import Any

import pytest
from corner import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    ONE_SUIT_EACH,
    deal,
    deal_again,
    hand,
    no_pass,
    play,
    play_out,
    whole_hands,
)

from hearts_sim.cards import CardSet
from hearts_sim.engine.table import Table
from hearts_sim.errors import IllegalPlayError, RulesError
from hearts_sim.rules import Rules

# 1, 2: the first trick with nothing but points.


@pytest.mark.parametrize("broken_by", ["heart", "heart_or_queen", "any_penalty"])
def test_01_thirteen_hearts_on_the_first_trick(broken_by: str) -> None:
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


def test_01_the_ban_bites_while_another_card_is_held() -> None:
    """With a single harmless card the ban leaves that one alone."""
    table = Table(no_pass())
    table.deal(whole_hands("3D QS 4H 5H 6H 7H 8H 9H TH JH QH KH AH"))
    play(table, "2C")

    assert table.legal == hand("3D")
    with pytest.raises(IllegalPlayError, match="first trick"):
        table.play("AH")


@pytest.mark.parametrize(
    ("players", "cards"), [(6, "2H 3H 4H 5H 6H 7H 8H 9H"), (7, "3H 4H 5H 9H QH KH AH")]
)
def test_01_a_small_hand_of_hearts_on_the_first_trick(players: int, cards: str) -> None:
    """Hands of eight or seven cards are all hearts far more often, and the rule is the same."""
    table = Table(no_pass(players=players))
    table.deal(whole_hands(cards, players=players))
    play(table, "2C")

    assert table.turn == 1
    assert table.legal == hand(cards)


def test_01_a_hand_of_hearts_twice_on_the_first_trick() -> None:
    """With two packs the ban lifts as well, and bites as long as another card is held."""
    hands = ("2C 3C 5D", "2H 2H AH", "3H AH 4D", "6C 7C 8C")
    table = deal(*hands, packs=2)
    play(table, "2C")
    assert table.legal == hand("2H AH")
    play(table, "2H")
    assert table.hearts_broken
    assert table.legal == hand("4D")


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ("any", "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"),
        ("hearts_only", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"),
        ("queen_first", "QS"),
    ],
)
def test_02_twelve_hearts_and_the_queen_on_the_first_trick(allowed: str, expected: str) -> None:
    """Void of clubs with twelve hearts and QS, all may be played unless a setting says no."""
    table = Table(no_pass(first_trick_all_points=allowed))
    table.deal(whole_hands("QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))
    play(table, "2C")

    assert table.legal == hand(expected)


@pytest.mark.parametrize(
    ("broken_by", "broken"),
    [("heart", False), ("heart_or_queen", True), ("any_penalty", True)],
)
def test_02_the_queen_thrown_on_the_first_trick_counts(broken_by: str, broken: bool) -> None:
    """QS thrown to the first trick is taken by its winner and breaks hearts only if she may."""
    table = Table(no_pass(broken_by=broken_by))
    table.deal(whole_hands("QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))
    play(table, "2C QS")
    assert table.hearts_broken is broken

    table.play(table.legal.lowest())
    table.play(table.legal.highest())
    assert table.points == (0, 0, 0, 13)


def test_02_hearts_only_without_hearts_lets_the_other_points_through() -> None:
    """`hearts_only` has nothing to say to a hand of points without hearts."""
    hands = ("2C 3C", "QS 7D", "4C 5C", "6C 8C")
    table = deal(*hands, first_trick_all_points="hearts_only", cards={"QS": 13, "7D": 3})
    play(table, "2C")

    assert table.legal == hand("QS 7D")


def test_01_ban_counts_every_card_with_a_cost_within_the_led_suit() -> None:
    """A club that costs points may not be played to the first trick while another club can."""
    table = deal("2C 3D", "7C 8C", "9C 4D", "TC 5D", cards={"7C": 5})
    play(table, "2C")

    assert table.legal == hand("8C")


def test_01_ban_leaves_a_lone_club_that_costs_points() -> None:
    """A seat whose only club costs points must follow with it."""
    table = deal("2C 3D", "7C 8D", "9C 4D", "TC 5D", cards={"7C": 5})
    play(table, "2C")

    assert table.legal == hand("7C")


def test_01_ban_includes_hearts_that_cost_nothing() -> None:
    """The ban is on hearts by suit, also where the scale gives them no cost."""
    table = deal("2C 3C", "2H 4D", "5C 6C", "QS 7C", heart_scale="zero")
    play(table, "2C")

    assert table.legal == hand("4D")


def test_01_ban_off_lets_points_fall_on_the_first_trick() -> None:
    """With `first_trick_points: free` hearts and QS may be thrown to the first trick."""
    table = deal("2C 3C", "2H 4D", "5C 6C", "QS 7D", first_trick_points="free")
    play(table, "2C")
    assert table.legal == hand("2H 4D")
    play(table, "2H 5C")
    assert table.legal == hand("QS 7D")


# 3: how often the ban meets a hand of nothing but points.

BLACK_MARIA = {"QS": 13, "KS": 10, "AS": 7}


@pytest.mark.parametrize(
    ("players", "cards", "deals"),
    [
        pytest.param(4, {"QS": 13}, 1.1e10, id="4"),
        pytest.param(5, {"QS": 13}, 2e6, id="5"),
        pytest.param(6, {"QS": 13}, 21_000, id="6"),
        pytest.param(7, {"QS": 13}, 3_600, id="7"),
        pytest.param(4, BLACK_MARIA, 2.8e8, id="4-black-maria"),
        pytest.param(5, BLACK_MARIA, 2.6e5, id="5-black-maria"),
        pytest.param(6, BLACK_MARIA, 4_900, id="6-black-maria"),
        pytest.param(7, BLACK_MARIA, 1_070, id="7-black-maria"),
    ],
)
def test_03_how_rare_a_hand_of_points_is(players: int, cards: dict[str, int], deals: float) -> None:
    """So many deals bring one hand of nothing but points, by the decks and what the ban is on."""
    rules = Rules(players=players, cards=cards)
    size, points = rules.hand_size, len(rules.point_cards)
    hands = math.comb(rules.deck_size, size) / math.comb(points, size)

    assert hands / players == pytest.approx(deals, rel=0.05)


def test_03_three_players_always_hold_another_card() -> None:
    """Seventeen cards cannot be points alone: there are fourteen."""
    rules = Rules(players=3)

    assert (rules.hand_size, len(rules.point_cards)) == (17, 14)


# 4 to 7: leads, and what breaks hearts.


def test_04_only_hearts_left_on_lead() -> None:
    """A leader with nothing but hearts leads one although they are unbroken, and breaks them."""
    table = deal("2C 3H 4H", "5C 6D 7D", "AC JH QH", "9C 8D 5D")
    play(table, "2C 5C AC 9C")

    assert table.turn == 2
    assert not table.hearts_broken
    assert table.legal == hand("JH QH")
    table.play("QH")
    assert table.hearts_broken


def test_04_hearts_may_not_be_led_before_they_are_broken() -> None:
    """With another card in hand a leader may not lead a heart, and is told so."""
    table = deal("2C 3H 4D", "5C 6D 7D", "AC JH QD", "9C 8D 5D")
    play(table, "2C 5C AC 9C")

    assert table.legal == hand("QD")
    with pytest.raises(IllegalPlayError, match="hearts are not broken"):
        table.play("JH")


def test_04_hearts_may_be_led_at_once_when_they_are_free() -> None:
    """With `hearts_lead: free` a heart may be led before one was played."""
    table = deal("2C 3H 4D", "5C 6D 7D", "AC JH QD", "9C 8D 5D", hearts_lead="free")
    play(table, "2C 5C AC 9C")

    assert table.legal == hand("JH QD")


QUEEN_AND_HEARTS = ("2C 3S 4S", "5C 6S 7D", "AC QS JH", "9C 8S 5D")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param({}, "QS", id="05-default"),
        pytest.param({"hearts_instead_of_queen": True}, "QS JH", id="05-hearts-instead"),
        pytest.param({"queen_lead": "after_broken"}, "QS JH", id="06-queen-barred"),
        pytest.param({"hearts_lead": "free"}, "QS JH", id="hearts-free"),
        pytest.param({"hearts_lead": "free", "queen_lead": "after_broken"}, "JH", id="queen-only"),
    ],
)
def test_05_and_06_only_hearts_and_the_queen_on_lead(
    options: dict[str, Any], expected: str
) -> None:
    """With QS and hearts only, unbroken, she is led, or hearts too where a setting allows it."""
    table = deal(*QUEEN_AND_HEARTS, **options)
    play(table, "2C 5C AC 9C")

    assert table.turn == 2
    assert table.legal == hand(expected)


def test_05_with_a_third_card_hearts_stay_barred() -> None:
    """`hearts_instead_of_queen` helps only a hand of nothing but hearts and QS."""
    hands = ("2C 3S 4S 2D", "5C 6S 7D 3D", "AC QS JH 4D", "9C 8S 5D 6D")
    table = deal(*hands, hearts_instead_of_queen=True)
    play(table, "2C 5C AC 9C")

    assert table.legal == hand("QS 4D")


def test_06_a_heart_led_from_queen_and_hearts_breaks_them() -> None:
    """Where both filters leave nothing the heart that is led breaks hearts."""
    table = deal(*QUEEN_AND_HEARTS, queen_lead="after_broken")
    play(table, "2C 5C AC 9C JH")

    assert table.hearts_broken


def test_06_a_last_lone_queen_may_be_led() -> None:
    """QS as the last card is led although she may not be led before hearts are broken."""
    table = deal("2C 3S", "5C 6S", "AC QS", "9C 8S", queen_lead="after_broken", heart_scale="zero")
    play(table, "2C 5C AC 9C")

    assert not table.hearts_broken
    assert table.legal == hand("QS")
    play(table, "QS")
    assert table.legal == hand("8S")


def test_06_queen_may_be_led_once_hearts_are_broken() -> None:
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
def test_07_what_breaks_hearts(broken_by: str, card: str, breaks: bool) -> None:
    """Hearts break at the moment when a card that breaks them is played."""
    hands = ("2C 3C 4C 5C 6C", "7C 8C 9C TC 5D", "AC KC QC JC 6D", "4D 3H QS JD 2D")
    table = deal(*hands, broken_by=broken_by, cards={"QS": 13, "JD": 10}, first_trick_points="free")
    play(table, "2C 7C AC")
    assert not table.hearts_broken

    play(table, card)
    assert table.hearts_broken is breaks


def test_07_the_queen_breaks_hearts_when_led_or_followed() -> None:
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


def test_07_passing_hearts_does_not_break_them() -> None:
    """Hearts and QS that were passed leave hearts unbroken."""
    table = Table(Rules(broken_by="any_penalty"), seed=1)
    table.deal([hand(text) for text in ONE_SUIT_EACH])
    table.exchange([hand("3C 4C 5C"), hand("2D 3D 4D"), hand("QS KS AS"), hand("2H 3H 4H")])

    assert not table.hearts_broken


def test_07_hearts_in_the_kitty_do_not_break_them() -> None:
    """Who takes a kitty of hearts with a trick has not broken hearts."""
    hands = ("2C 4H 4D", "5C 6D 7D", "AC JH QD")
    table = deal(*hands, kitty="2H 3H KH", broken_by="any_penalty")
    play(table, "2C 5C AC")

    assert table.kitty_seat == 2
    assert not table.hearts_broken
    assert table.legal == hand("QD")


def test_07_a_heart_that_is_cancelled_breaks_hearts() -> None:
    """It counts that a heart was played, not what became of the trick."""
    hands = ("2C 4H 4D", "9C 6D 7D", "2H 8D QD", "2H 9D JD")
    table = deal(*hands, "9C 8S TD", packs=2, first_trick_points="free")
    play(table, "2C 9C")
    assert not table.hearts_broken
    play(table, "2H")
    assert table.hearts_broken
    play(table, "2H 9C")

    assert table.leader == 0
    assert table.legal == hand("4H 4D")


def test_07_the_queen_in_a_trick_without_a_winner_breaks_hearts() -> None:
    """Where QS breaks hearts she does so in a held trick too."""
    hands = ("9C 4H 4D", "9C 6D 7D", "QS 8D QD")
    table = deal(*hands, packs=2, broken_by="heart_or_queen", first_trick_points="free")
    play(table, "9C QS 9C")

    assert table.held == hand("9C QS")
    assert table.hearts_broken


def test_07_hearts_are_unbroken_again_in_the_next_hand() -> None:
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


def test_08_the_eldest_leads_any_harmless_card() -> None:
    """The seat left of the dealer leads the first trick, and no point card under the ban."""
    hands = ("2C 3H 4D", "5C QS 7H", "AC JH QD", "9C 8D 5D")
    table = deal(*hands, first_lead="eldest_any")

    assert table.turn == 1
    assert table.legal == hand("5C")
    assert deal(*hands, first_lead="eldest_any", first_trick_points="free").legal == hand("5C QS")


def test_08_follow_suit_comes_before_the_ban() -> None:
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


def test_08_an_eldest_with_points_only_leads_what_the_settings_allow() -> None:
    """An opening hand of nothing but points leads QS, or any card when she may not be led."""
    hands = ("2C 3C 4D", "QS JH 7H", "AC 2H QD", "9C 8D 5D")
    assert deal(*hands, first_lead="eldest_any").legal == hand("QS")
    barred = deal(*hands, first_lead="eldest_any", queen_lead="after_broken")
    assert barred.legal == hand("QS JH 7H")
    hearts = deal(*hands, first_lead="eldest_any", first_trick_all_points="hearts_only")
    assert hearts.legal == hand("JH 7H")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_08_the_deal_goes_round_clockwise(players: int) -> None:
    """The dealer of hand k is seat k - 1 and the next seat is the eldest."""
    table = Table(no_pass(players=players, first_lead="eldest_any"), seed=2)
    for number in range(1, players + 3):
        table.deal()
        assert table.turn == number % players
        play_out(table)
        table.score()


# 27: bonus cards on the first trick.


def test_27_jack_of_diamonds_may_fall_on_the_first_trick() -> None:
    """A bonus card is no point card: it may be thrown where hearts and QS may not."""
    hands = ("2C 3C 4C", "JD 3H QS", "AC 5C 6C", "9C 7C 8C")
    table = deal(*hands, bonus={"JD": -10})
    play(table, "2C")
    assert table.legal == hand("JD")
    play(table, "JD AC 9C")

    assert table.points == (0, 0, 0, 0)
    assert not table.hearts_broken


def test_27_jack_of_diamonds_beside_twelve_hearts_is_all_there_is() -> None:
    """With JD in hand the ban does not lift: the jack must be played."""
    table = Table(no_pass(bonus={"JD": -10}))
    table.deal(whole_hands("JD 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))
    play(table, "2C")

    assert table.legal == hand("JD")


def test_27_jack_of_diamonds_with_a_cost_is_barred() -> None:
    """The same card as a penalty card falls under the ban."""
    hands = ("2C 3C 4C", "JD 3H 4D", "AC 5C 6C", "9C 7C 8C")
    table = deal(*hands, cards={"JD": 10})
    play(table, "2C")

    assert table.legal == hand("4D")


# 23, 24: who opens, and the pass.


@pytest.mark.parametrize(
    ("players", "opening"),
    [(3, "2C"), (4, "2C"), (5, "3C"), (6, "2C"), (7, "2C")],
)
def test_23_the_lowest_club_that_is_dealt_opens(players: int, opening: str) -> None:
    """With fewer cards in the deck the lowest club that anybody holds is led."""
    table = Table(no_pass(players=players), seed=players)
    table.deal()

    assert opening in table.hands[table.turn]
    assert table.legal == hand(opening)


def test_23_another_deck_opens_with_its_own_lowest_club() -> None:
    """With 2C, 2D, 3C and 2S taken out the 4C is led."""
    table = Table(no_pass(players=6, deck_removal=["2C", "2D", "3C", "2S"]), seed=1)
    table.deal()

    assert table.legal == hand("4C")


@pytest.mark.parametrize(
    ("deck", "players", "opening"),
    [
        ("board_game_arena", 3, "2C"),
        ("board_game_arena", 5, "3C"),
        ("board_game_arena", 6, "4C"),
        ("board_game_arena", 7, "3C"),
        ("board_game_arena", 8, "4C"),
        ("morehead", 3, "3C"),
        ("culbertson", 6, "3C"),
    ],
)
def test_23_decks_by_name_open_with_their_lowest_club(
    deck: str, players: int, opening: str
) -> None:
    """Where the twos of clubs, or the threes too, are out, the next club is led."""
    table = Table(no_pass(players=players, deck_removal=deck), seed=1)
    table.deal()

    assert table.legal == hand(opening)
    assert opening in table.hands[table.turn]


def test_23_the_kitty_may_hold_the_lowest_clubs() -> None:
    """With 2C and 3C face down the holder of 4C opens."""
    table = deal("7C 4H 4D", "5C 6D 7D", "AC 4C QD", kitty="2C 3C 2H")

    assert table.turn == 2
    assert table.legal == hand("4C")


def test_23_the_eldest_leads_what_it_likes_when_all_clubs_lie_in_the_kitty() -> None:
    """Without a club in any hand the eldest opens, under the ban with no point card."""
    table = deal("2D 3D", "4D 2H", "6D AH", kitty="2C 3C 4C")

    assert table.turn == 1
    assert table.legal == hand("4D")


@pytest.mark.parametrize("first_lead", ["lowest_club", "lowest_club_holder_any_club"])
def test_23_of_two_lowest_clubs_the_one_nearer_to_the_eldest_opens(first_lead: str) -> None:
    """With two packs the first holder counted from the eldest, who moves from hand to hand."""
    hands = ("2C 7C", "4C 5D", "5C 6D", "2C AH")
    table = deal(*hands, packs=2, first_lead=first_lead, target=1000)
    openers = []
    for _ in range(5):
        openers.append(table.turn)
        own = {0: "2C 7C", 3: "2C"} if first_lead == "lowest_club_holder_any_club" else {}
        assert table.legal == hand(own.get(table.turn, "2C"))
        play_out(table)
        table.score()
        deal_again(table, *hands)

    # The eldest are seats 1, 2, 3, 0, 1.
    assert openers == [3, 3, 3, 0, 3]


def test_23_both_lowest_clubs_in_one_hand_open_once() -> None:
    """The opening card is led, and its copy is free in the next trick."""
    table = deal("3C 4D", "4C 5D", "2C 2C", "5C AH", packs=2)
    assert table.turn == 2
    assert table.legal == hand("2C")
    play(table, "2C 5C 3C 4C")

    assert table.turn == 3
    assert table.hands[2] == hand("2C")
    assert table.hands_twice[2] == hand("")


def test_23_the_opener_is_found_after_the_pass() -> None:
    """The two of clubs may be passed: who holds it afterwards leads."""
    table = Table(Rules())
    table.deal([hand(text) for text in ONE_SUIT_EACH])
    table.exchange([hand("2C 3C 4C"), hand("2D 3D 4D"), hand("2S 3S 4S"), hand("2H 3H 4H")])

    assert table.turn == 1
    assert table.legal == hand("2C")


def test_23_the_low_club_opens_without_a_pass_too() -> None:
    """In a hand that holds the opening rule is the same."""
    table = Table(no_pass(), seed=3)
    table.deal()
    assert table.legal == hand("2C")


def test_23_any_club_of_the_holder_may_open() -> None:
    """`lowest_club_holder_any_club` lets the holder of 2C lead any of its clubs."""
    table = deal(
        "2C 7C 4D", "5C 6D 7D", "AC JH QD", "9C 8D 5D", first_lead="lowest_club_holder_any_club"
    )

    assert table.legal == hand("2C 7C")
    play(table, "7C 5C AC 9C QD 8D 4D 6D")
    assert table.turn == 2


def test_24_all_seats_pass_before_anybody_receives() -> None:
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
def test_24_the_cycle_of_passes(players: int, offsets: list[int]) -> None:
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
def test_24_where_each_direction_goes(token: str, to: int) -> None:
    """At six seats every direction takes the cards of seat 0 to the seat it names."""
    table = Table(Rules(players=6, pass_cycle=[token]), seed=1)
    table.deal()
    chosen = [CardSet.of(*table.default_pass(seat)) for seat in range(6)]
    table.exchange(chosen)

    assert table.received[to] == chosen[0]


def test_24_across_needs_an_even_table() -> None:
    """Nobody sits opposite at a table of five."""
    with pytest.raises(RulesError, match="across"):
        Rules(players=5, pass_cycle=["L", "A"])


@pytest.mark.parametrize(("players", "partner"), [(4, 2), (6, 3), (8, 4)])
def test_24_a_pass_to_the_partner(players: int, partner: int) -> None:
    """The partner sits opposite; the cards come back the same way."""
    table = Table(Rules(players=players, teams="singly", pass_cycle=["partner"]), seed=1)
    table.deal()
    chosen = [CardSet.of(*table.default_pass(seat)) for seat in range(players)]
    table.exchange(chosen)

    assert table.pass_offset == partner
    assert table.received[partner] == chosen[0]
    assert table.received[0] == chosen[partner]


def test_24_three_of_seven_cards_are_passed() -> None:
    """At a table of seven the pass is three cards as at any other."""
    table = Table(Rules(players=7), seed=1)
    table.deal()
    assert all(len(cards) == 7 for cards in table.hands)
    assert table.pass_count == 3
    chosen = [CardSet.of(*table.default_pass(seat)) for seat in range(7)]
    table.exchange(chosen)

    assert all(len(cards) == 7 for cards in table.hands)
    assert table.received[1] == chosen[0]


def test_24_both_copies_of_a_card_may_be_passed() -> None:
    """With two packs a seat may pass one copy or both, and may come to hold both."""
    hands = ("2C 2C 3C 4C", "5C 5C 6C 7C", "8C 9C TC JC", "8C 2H 2H AH")
    table = deal(*hands, packs=2, pass_count=2, pass_cycle=["R"])
    with pytest.raises(IllegalPlayError, match="seat 2"):
        table.exchange([text.split() for text in ("2C 2C", "5C 6C", "9C 9C", "8C AH")])
    table.exchange([text.split() for text in ("2C 2C", "5C 6C", "9C TC", "8C AH")])

    assert table.hands == (
        hand("3C 4C 5C 6C"),
        hand("5C 7C 9C TC"),
        hand("8C JC AH"),
        hand("2C 2H"),
    )
    assert table.hands_twice == (hand(""), hand(""), hand("8C"), hand("2C 2H"))
    assert table.received[3] == table.received_twice[3] == hand("2C")
    assert table.passed[0] == table.passed_twice[0] == hand("2C")


def test_24_hands_that_hold_move_the_cycle_on() -> None:
    """A hold is a hand of the cycle: after it comes the next direction."""
    table = Table(Rules(pass_cycle=["H", "R", "H", "L"], target=1000), seed=1)
    seen = []
    for _ in range(5):
        table.deal()
        seen.append(table.pass_offset)
        if table.pass_count:
            table.exchange([table.default_pass(seat) for seat in range(4)])
        play_out(table)
        table.score()

    assert seen == [0, 3, 0, 1, 0]


def test_24_a_scatter_gives_a_card_to_everybody() -> None:
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


def test_24_a_ban_on_passing_lapses_for_a_hand_of_nothing_else() -> None:
    """Cards that may not be passed may after all when a hand has too few others."""
    table = Table(Rules(pass_forbidden=[f"{rank}H" for rank in "23456789TJQKA"]))
    table.deal([hand(text) for text in ONE_SUIT_EACH])

    assert table.passable(3) == hand(HEARTS)
    assert table.passable(0) == hand(CLUBS)


def test_24_a_pass_of_the_wrong_cards_is_refused() -> None:
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
