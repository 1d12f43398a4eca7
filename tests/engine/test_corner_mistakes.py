"""Mistakes that were found in other Hearts engines, each as a hand in which it would show."""

from __future__ import annotations

from typing import Any

import pytest
from corner import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    TWO_OF_THIRTEEN,
    deal,
    hand,
    moon_hand,
    no_pass,
    play,
    play_out,
    small_moon,
    whole_hands,
    winning_hand,
)

from hearts_sim.cards import CardSet
from hearts_sim.engine.table import Table
from hearts_sim.errors import IllegalPlayError
from hearts_sim.rules import Rules

# xinxin: what may be played when nothing is left, and the moon with JD.


def test_mistake_queen_missing_among_the_cards_of_last_resort() -> None:
    """A list of hearts is no answer for a hand of points that has QS, or QS alone of points."""
    table = Table(no_pass())
    table.deal(whole_hands("QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))
    play(table, "2C")
    assert "QS" in table.legal
    assert len(table.legal) == 13

    table = deal("2C 3C", "QS KS", "4C 5C", "6C 8C", cards={"QS": 13, "KS": 10})
    play(table, "2C")
    assert table.legal == hand("QS KS")


@pytest.mark.parametrize("shooter", range(4))
@pytest.mark.parametrize("jack", range(4))
def test_mistake_jack_looked_for_at_the_wrong_player(jack: int, shooter: int) -> None:
    """A moon that needs JD looks at the cards of the shooter, whichever seat that is."""
    # Trick three: the shooter leads TD; JD wins it at another seat, or the shooter leads AD.
    hands = ["AC AS TD", "2C QS 4D", "3C AH 2D", "4C 3S 5D"]
    cards = "2C 3C 4C AC AS QS AH 3S TD 4D 2D 5D"
    place = (jack - shooter) % 4
    if place == 0:
        hands[0], hands[1], cards = "AC AS AD", "2C QS JD", cards.replace("TD 4D", "AD JD")
    else:
        plain = ("TD", "4D", "2D", "5D")[place]
        hands[place] = hands[place].replace(plain, "JD")
        cards = cards.replace(plain, "JD")
    around = [hands[(seat - shooter) % 4] for seat in range(4)]
    table = deal(
        *around, cards=TWO_OF_THIRTEEN, bonus={"JD": -10}, moon_needs_bonus=True, moon="new"
    )
    play(table, cards)

    assert table.shooter == (shooter if jack == shooter else None)
    expected = [0, 0, 0, 0]
    expected[jack] -= 10
    expected[shooter] += -26 if jack == shooter else 26
    assert table.score().points == tuple(expected)


def test_mistake_jack_of_the_shooter_lowers_what_others_pay() -> None:
    """The others pay 26 and not 16 when the shooter has JD."""
    assert winning_hand(bonus={"JD": -10}).score().points == (-10, 26, 26, 26)


# t_games: moons by points, the low club, the kitty, the automatic moon.


def test_mistake_moon_by_points_less_a_bonus() -> None:
    """QS and three hearts are 16, which is 26 less 10, and no moon; nor with JD."""
    hands = ("AC AS AD 6C", "2C QS 4D KH", "3C 2H JD 7C", "4C 3H 4H 8C")
    cards = "2C 3C 4C AC AS QS 2H 3H AD 4D JD 4H 6C KH 7C 8C"
    for bonus in ({}, {"JD": -10}):
        table = deal(*hands, bonus=bonus)
        play(table, cards)
        assert table.points == (16, 0, 0, 1)
        assert table.shooter is None
        taken = 6 if bonus else 16
        assert table.score().points == (taken, 0, 0, 1)


def test_mistake_moon_hidden_by_a_bonus() -> None:
    """All fourteen and JD are 16 in sum, and a moon."""
    table = winning_hand(bonus={"JD": -10}, moon="new")

    assert table.shooter == 0
    assert table.score().points == (-36, 0, 0, 0)


@pytest.mark.parametrize("cycle", [["H"], ["L", "H"]])
def test_mistake_low_club_forgotten_without_a_pass(cycle: list[str]) -> None:
    """In a hand that holds, the lowest club opens as in any other."""
    table = Table(Rules(pass_cycle=cycle, target=1000), seed=1)
    for _ in range(2):
        table.deal()
        if table.pass_count:
            table.exchange([table.default_pass(seat) for seat in range(4)])
        assert table.legal == hand("2C")
        assert "2C" in table.hands[table.turn]
        play_out(table)
        table.score()


def test_mistake_kitty_to_the_first_trick_and_not_the_first_penalty() -> None:
    """The kitty for the first penalty card waits while tricks without one are won."""
    hands = ("AC 3S 4D", "2C AS 3D", "3C 7S 2H", "4C 2S 5D")
    table = deal(*hands, kitty="9S TS JS 8H", leftover="kitty_first_penalty")
    play(table, "2C 3C 4C AC")
    assert table.kitty_seat is None
    play(table, "3S AS 7S 2S")
    assert table.kitty_seat is None
    play(table, "3D 2H 5D 4D")
    assert table.kitty_seat == 3
    assert table.points == (0, 0, 0, 2)


@pytest.mark.parametrize("moon", ["auto", "mixed", "choice"])
def test_mistake_automatic_moon_flips_although_the_shooter_wins(moon: str) -> None:
    """Where the old moon ends the game with the shooter best, it stays old."""
    table = winning_hand([50, 95, 80, 70], moon=moon)
    table.score()

    assert table.scores == (50, 121, 106, 96)
    assert table.wins == (1, 0, 0, 0)


# hearts.py: the kitty, and 100.


def test_mistake_points_of_the_kitty_vanish() -> None:
    """The kitty is given out before the hand is scored."""
    table = deal("AC 3D", "2C 2H", "3C 5D", kitty="QS 5H 6H")
    play(table, "2C 3C AC 3D 2H 5D")
    result = table.score()

    assert result.raw == result.points == (15, 0, 1)
    assert result.hearts == (2, 0, 1)
    assert result.queen == (1, 0, 0)


@pytest.mark.parametrize(
    ("target", "before", "scores"),
    [
        (50, [0, 24, 20, 10], (0, 0, 46, 36)),
        (450, [0, 74, 424, 10], (0, 100, 0, 36)),
        (500, [0, 74, 474, 10], (0, 100, 0, 36)),
    ],
)
def test_mistake_exactly_one_hundred_at_another_target(
    target: int, before: list[int], scores: tuple[int, ...]
) -> None:
    """The relief is at the target that is played to; 100 is a total as any other."""
    table = small_moon(before, target=target, exact_target="zero")

    assert table.score().scores == scores


# GNOME Hearts: sizes of a full pack.


@pytest.mark.parametrize(("players", "size"), [(3, 17), (4, 13), (5, 10), (6, 8), (7, 7), (8, 6)])
def test_mistake_first_trick_seen_by_thirteen_cards(players: int, size: int) -> None:
    """A hand of any size has its own first trick, with the ban, and its own last one."""
    table = Table(no_pass(players=players), seed=1)
    table.deal()
    assert table.trick_number == 1
    for _ in range(players):
        assert not table.legal & table.rules.point_cards
        table.play(table.legal.highest())
    assert table.trick_number == 2
    play_out(table)
    assert table.trick_number == size + 1


@pytest.mark.parametrize("players", [3, 5, 6, 7, 8])
def test_mistake_sun_seen_by_52_cards(players: int) -> None:
    """All tricks of a stripped deck are a sun."""
    result = moon_hand(Table(no_pass(players=players, sun="double")))

    assert result.points == (0,) + (52,) * (players - 1)


# mdhearts, the crate hearts: totals that cannot fall below zero.


def test_mistake_unsigned_totals() -> None:
    """A new moon, a bonus and a comparison of totals below zero."""
    table = winning_hand(moon="new", bonus={"JD": -10}, end={"deals": 1})
    table.score()

    assert table.scores == (-36, 0, 0, 0)
    assert table.ended == "deals"
    assert table.wins == (1, 0, 0, 0)


# A JavaScript engine, a TypeScript engine: Black Maria.


def test_mistake_king_and_ace_of_black_maria_swapped() -> None:
    """KS costs 10 and AS 7."""
    for players in (3, 4):
        rules = Rules.preset("black_maria", players=players)
        assert {card.name: cost for card, cost in rules.cards.items()} == {
            "QS": 13,
            "KS": 10,
            "AS": 7,
        }

    rules = Rules.preset("black_maria", pass_cycle=["H"])
    rest = list(rules.deck - hand("2S AS KS"))
    hands = [CardSet.of(card, *rest[seat::3]) for seat, card in enumerate(("2S", "AS", "KS"))]
    table = Table(rules)
    table.deal(hands)
    play(table, "AS KS 2S")

    assert table.points == (0, 17, 0)


def test_mistake_black_maria_moon_without_king_and_ace() -> None:
    """All hearts and QS are no moon while KS and AS are elsewhere; all sixteen are 43."""
    rules: dict[str, Any] = {"cards": {"QS": 13, "KS": 10, "AS": 7}}
    table = deal("AC AD 4S", "2C QS KS", "3C AH AS", "4C 3D 5S", **rules)
    play(table, "2C 3C 4C AC AD QS AH 3D 4S KS AS 5S")
    assert table.points == (14, 0, 17, 0)
    assert table.shooter is None

    assert winning_hand(**rules).score().points == (0, 43, 43, 43)


# html5-hearts: points on the first trick.


def test_mistake_points_on_the_first_trick() -> None:
    """A heart or QS is refused there while another card is held, with the reason."""
    table = deal("2C 3C 4D", "5H QS 7D", "AC JH QD", "9C 8D 5D")
    play(table, "2C")
    for card in ("5H", "QS"):
        with pytest.raises(IllegalPlayError, match="first trick"):
            table.play(card)
    assert table.legal == hand("7D")


# Trickster Cards: the last card is QS.


@pytest.mark.parametrize("queen_lead", ["free", "after_broken"])
@pytest.mark.parametrize("queen_discard", ["free", "after_broken"])
@pytest.mark.parametrize("queen_forced", [False, True])
def test_mistake_no_card_for_a_lone_queen(
    queen_lead: str, queen_discard: str, queen_forced: bool
) -> None:
    """QS alone may be led, followed and thrown, whatever holds for her otherwise."""
    options: dict[str, Any] = {
        "queen_lead": queen_lead,
        "queen_discard": queen_discard,
        "queen_forced": queen_forced,
    }
    led = deal("2C 3S", "5C 6S", "AC QS", "9C 2H", **options)
    play(led, "2C 5C AC 9C")
    assert led.legal == hand("QS")

    followed = deal("2C 3S", "5C 2H", "AC 8S", "9C QS", **options)
    play(followed, "2C 5C AC 9C 8S")
    assert followed.legal == hand("QS")

    thrown = deal("2C 3D", "5C 2H", "AC 8D", "9C QS", **options)
    play(thrown, "2C 5C AC 9C 8D")
    assert thrown.legal == hand("QS")


# What a table says to a wrong step.


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
