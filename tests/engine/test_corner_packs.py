"""Corner cases 16 to 18: two packs, tricks without a winner, and the kitty."""

from __future__ import annotations

from typing import Any

import pytest
from corner import deal, hand, play, small_rules

from hearts_sim.engine.table import Table
from hearts_sim.errors import RulesError
from hearts_sim.rules import Rules

FILLERS = ("3D", "4D", "5D", "6D", "7D", "8D", "2H")


def one_trick(cards: str, **options: Any) -> Table:
    """A table at which these cards have just been played to the first trick.

    Seat 1, the eldest, led the first of them, seat 2 played the second, and so on; the last is of
    seat 0.
    """
    played = cards.split()
    hands = [f"{card} {other}" for card, other in zip(played, FILLERS[-len(played) :], strict=True)]
    options = {"first_lead": "eldest_any", "first_trick_points": "free", "packs": 2} | options
    table = deal(hands[-1], *hands[:-1], hearts_lead="free", **options)
    play(table, cards)
    return table


# 16: who wins when identical cards cancel each other.


@pytest.mark.parametrize(
    ("cards", "winner", "points"),
    [
        pytest.param("9C TC KC AC", 0, 0, id="no-pair"),
        pytest.param("9C AC AC TC", 0, 0, id="aces-cancel"),
        pytest.param("9C AC KC AC", 3, 0, id="king-behind-the-aces"),
        pytest.param("AC KC QC AC", 2, 0, id="led-ace-cancelled-by-the-last"),
        pytest.param("9C 9C 2C 3C", 0, 0, id="led-card-cancelled-suit-stays"),
        pytest.param("9C 9C AD 2C", 0, 0, id="low-club-beats-another-suit"),
        pytest.param("9C AD AD TC", 0, 0, id="pair-of-another-suit-is-no-matter"),
        pytest.param("TC AD AD 9C", 1, 0, id="leader-wins-beside-a-pair-of-another-suit"),
        pytest.param("9C 9D KC 9S", 3, 0, id="same-rank-is-not-identical"),
        pytest.param("9C 9D 9S 9H", 1, 1, id="four-nines-of-four-suits"),
        pytest.param("9C AH AH 2C", 1, 2, id="cancelled-hearts-cost"),
        pytest.param("QS QS 2S AH", 3, 27, id="cancelled-queens-cost"),
        pytest.param("KH KH 2H AH", 0, 4, id="hearts-led"),
        pytest.param("9C 9C AC AC KC 2C", 5, 0, id="two-pairs-and-a-king"),
        pytest.param("9C 2C 9C AC AC", 2, 0, id="lowest-of-all-wins"),
    ],
)
def test_16_cancellation_who_wins(cards: str, winner: int, points: int) -> None:
    """The highest card of the suit led that is there once; what cancels keeps its cost."""
    table = one_trick(cards)

    assert table.turn == table.leader == winner
    assert table.points[winner] == points
    assert table.tricks_won[winner] == 1
    assert sum(table.points) == points
    assert sum(table.tricks_won) == 1
    assert table.held_tricks == 0


def test_16_the_led_suit_stays_when_its_card_is_cancelled() -> None:
    """The next seats still have to follow the suit of the card that was cancelled."""
    table = deal("3C AD", "9C 4D", "9C 5D", "4C 2H", packs=2, first_lead="eldest_any")
    play(table, "9C 9C")

    assert table.led_suit == 0
    assert table.legal == hand("4C")
    play(table, "4C")
    assert table.legal == hand("3C")


def test_16_both_copies_are_taken() -> None:
    """The winner has both of the cards that cancelled each other."""
    table = one_trick("QS QS 2S AH")

    assert table.taken[3] == hand("QS 2S AH")
    assert table.taken_twice[3] == hand("QS")
    assert table.points == (0, 0, 0, 27)


@pytest.mark.parametrize(
    ("cards", "single", "pairs"),
    [
        pytest.param("TC AC AC 9C 9C", 1, None, id="both-of-the-suit-led"),
        pytest.param("9C AC AC KD KD", 1, None, id="one-of-another-suit"),
        pytest.param("9C AD AD KD KD", 1, None, id="both-of-another-suit"),
        pytest.param("9C AD AD KH KH", 1, None, id="of-two-other-suits"),
        pytest.param("2C 3C AC AC KD KD", 2, None, id="with-two-single-clubs"),
        pytest.param("2C AC AC KD KD AD AD", 1, None, id="three-pairs"),
        pytest.param("9C AC AC KD TC", 0, 0, id="one-pair"),
        pytest.param("9C AD AD KD TC", 0, 0, id="one-pair-of-another-suit"),
        pytest.param("9C 9D KD 9S TC", 0, 0, id="no-pair"),
    ],
)
def test_16_two_pairs_cancel_the_whole_trick(cards: str, single: int, pairs: int | None) -> None:
    """`cancel_two_pairs`: two pairs of any suits leave no winner, one pair does."""
    assert one_trick(cards).tricks_won[single] == 1
    table = one_trick(cards, cancel_two_pairs=True)
    if pairs is None:
        assert sum(table.tricks_won) == 0
        assert table.held_tricks == 1
        assert table.leader == table.turn == 1
    else:
        assert table.tricks_won[pairs] == 1


def test_16_two_pairs_in_two_tricks_are_one_each() -> None:
    """Pairs are counted in each trick for itself, also while a trick is held."""
    hands = ("KC 4S 2H", "9C 3S 5D", "9C 3S 6D", "KC 5S 7D")
    table = deal(*hands, packs=2, cancel_two_pairs=True, first_lead="eldest_any")
    play(table, "9C 9C KC KC")
    assert table.held_tricks == 1
    play(table, "3S 3S 5S 4S")

    assert table.tricks_won == (0, 0, 0, 2)


# 17: tricks without a winner.


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param("9C 9C AC AC", id="two-pairs"),
        pytest.param("9C 9C AD AD", id="pair-and-pair-of-another-suit"),
        pytest.param("9C 9C AD KH", id="pair-and-single-cards-of-other-suits"),
        pytest.param("9C AD AS 9C", id="led-card-cancelled-by-the-last"),
        pytest.param("9C KC 9C AC AC KC", id="three-pairs"),
    ],
)
def test_17_cancellation_no_winner(cards: str) -> None:
    """Nobody takes the cards, and the same player leads again."""
    table = one_trick(cards)

    assert table.leader == table.turn == 1
    assert table.trick_number == 2
    assert table.trick == ()
    assert table.held_tricks == 1
    assert table.held == hand(cards)
    assert len(table.held) + len(table.held_twice) == len(cards.split())
    assert not any(table.taken)
    assert not any(table.points)
    assert not any(table.tricks_won)


def test_17_held_tricks_accumulate() -> None:
    """The next winner takes the cards of all of them, and they are its tricks."""
    hands = ("KC QS 6S 8S", "9C 5D 2S 9S", "9C 5D 3S 7S", "KC AH 4S JS")
    table = deal(*hands, packs=2, first_lead="eldest_any")
    play(table, "9C 9C KC KC")
    assert table.held_tricks == 1
    assert table.turn == 1
    play(table, "5D 5D AH QS")
    assert table.held_tricks == 2
    assert table.turn == 1
    assert table.held == hand("9C KC 5D AH QS")
    assert table.held_twice == hand("9C KC 5D")
    assert table.points == (0, 0, 0, 0)
    play(table, "2S 3S 4S 6S")

    assert table.turn == 0
    assert table.held_tricks == 0
    assert table.held == table.held_twice == hand("")
    assert table.tricks_won == (3, 0, 0, 0)
    assert table.points == (14, 0, 0, 0)
    assert table.taken[0] == hand("9C KC 5D AH QS 2S 3S 4S 6S")
    assert table.taken_twice[0] == hand("9C KC 5D")
    play(table, "8S 9S 7S JS")
    assert table.tricks_won == (3, 0, 0, 1)


def test_17_both_copies_in_different_held_tricks() -> None:
    """A card of the first held trick and its copy in the second are both taken."""
    hands = ("AH 4D 8S", "9C 5D 2S", "9C AH 3S", "KH 5D 4S")
    table = deal(*hands, packs=2, first_lead="eldest_any", first_trick_points="free")
    play(table, "9C 9C KH AH")
    assert table.held_twice == hand("9C")
    play(table, "5D AH 5D 4D")

    assert table.turn == 0
    assert table.taken[0] == hand("9C KH AH 5D 4D")
    assert table.taken_twice[0] == hand("9C AH 5D")
    assert table.points == (3, 0, 0, 0)


def test_17_the_cancelled_trick_was_the_first_trick() -> None:
    """After it the ban is over, and no opening card is asked for."""
    hands = ("9C 4S JS", "2C 4D 5D", "2C AH 6S", "9C QS 7D")
    table = deal(*hands, packs=2)
    assert table.turn == 1
    assert table.legal == hand("2C")
    play(table, "2C 2C 9C 9C")

    assert table.turn == 1
    assert table.legal == hand("4D 5D")
    play(table, "4D")
    assert table.legal == hand("AH 6S")


def test_17_the_leader_of_a_held_trick_may_not_lead_unbroken_hearts() -> None:
    """Who leads again is bound as any leader."""
    hands = ("9C 4S", "2C 4H", "2C AH", "9C QS")
    table = deal(*hands, packs=2)
    play(table, "2C 2C 9C 9C")
    assert table.legal == hand("4H")  # nothing else is left

    hands = ("9C 4S 5S", "2C 4H 6S", "2C AH 7S", "9C QS 8S")
    table = deal(*hands, packs=2)
    play(table, "2C 2C 9C 9C")
    assert table.legal == hand("6S")


# 18: the last trick without a winner; two equal cards without cancelling.


def test_18_the_last_trick_without_a_winner_goes_to_the_previous_winner() -> None:
    """Seat 0 won the trick before, so it leads the last one and takes it."""
    hands = ("AC 5D AH", "2C 3D 4S", "3C 2D 4S", "4C 4D AH")
    table = deal(*hands, packs=2)
    play(table, "2C 3C 4C AC 5D 3D 2D 4D AH 4S 4S AH")

    assert table.hand_over
    assert table.tricks_won == (3, 0, 0, 0)
    assert table.points == (2, 0, 0, 0)
    assert table.held_tricks == 0


def test_18_held_tricks_at_the_end_go_to_who_won_the_last_that_was_won() -> None:
    """Seat 3 won trick one; tricks two and three have no winner."""
    hands = ("3C 6D QS", "2C 5D AH", "4C 6D AH", "AC 5D QS")
    table = deal(*hands, packs=2, first_lead="eldest_any")
    play(table, "2C 4C AC 3C")
    assert table.tricks_won == (0, 0, 0, 1)
    play(table, "5D 6D 5D 6D")
    assert table.held_tricks == 1
    assert table.turn == 3
    play(table, "QS QS AH AH")

    assert table.hand_over
    assert table.tricks_won == (0, 0, 0, 3)
    assert table.points == (0, 0, 0, 28)


@pytest.mark.parametrize(
    "leftover", ["kitty_first_trick", "kitty_first_penalty", "kitty_last_trick"]
)
def test_18_without_any_winner_all_goes_to_the_leader(leftover: str) -> None:
    """No trick of the hand was won: seat 1, who led all of them, takes them and the kitty."""
    hands = ("AC QS", "2C 3D", "2C 3D", "AC QS")
    table = deal(*hands, packs=2, first_lead="eldest_any", kitty="5H 5H 9S", leftover=leftover)
    play(table, "2C 2C AC AC")
    assert table.kitty_seat is None
    play(table, "3D 3D QS QS")

    assert table.kitty_seat == 1
    assert table.tricks_won == (0, 2, 0, 0)
    assert table.points == (0, 28, 0, 0)
    assert table.taken[1] == hand("AC QS 2C 3D 5H 9S")
    assert table.taken_twice[1] == hand("AC QS 2C 3D 5H")
    assert table.score().points == (28, 0, 28, 28)


@pytest.mark.parametrize(
    ("cards", "winner", "points"),
    [
        pytest.param("9C AC AC TC", 3, 0, id="second-ace"),
        pytest.param("AC KC QC AC", 0, 0, id="last-ace"),
        pytest.param("9C 9C 2C 3C", 2, 0, id="second-nine"),
        pytest.param("9C 9C AD KH", 2, 1, id="second-nine-against-other-suits"),
        pytest.param("9C 9C AC AC", 0, 0, id="two-pairs"),
        pytest.param("9C AD AD TC", 0, 0, id="pair-of-another-suit"),
        pytest.param("9C AC KC KC", 2, 0, id="ace-over-two-kings"),
        pytest.param("QS QS 2S AH", 2, 27, id="second-queen"),
    ],
)
def test_18_without_cancelling_the_later_of_two_equals_wins(
    cards: str, winner: int, points: int
) -> None:
    """`latest_of_equals`: every trick has a winner."""
    table = one_trick(cards, trick_winner="latest_of_equals")

    assert table.turn == winner
    assert table.points[winner] == points
    assert table.tricks_won[winner] == 1
    assert table.held_tricks == 0


# Kitty.


@pytest.mark.parametrize(
    ("players", "size", "kitty"),
    [(6, 17, 2), (7, 14, 6), (8, 13, 0), (9, 11, 5), (10, 10, 4), (11, 9, 5)],
)
def test_17_two_packs_are_dealt_as_far_as_they_go(players: int, size: int, kitty: int) -> None:
    """What is left over lies face down, and goes with the first trick that is won."""
    table = Table(Rules.preset("cancellation", players=players), seed=1)
    table.deal()

    hands = zip(table.hands, table.hands_twice, strict=True)
    assert [len(cards) + len(twice) for cards, twice in hands] == [size] * players
    assert len(table.kitty) + len(table.kitty_twice) == kitty


def test_17_the_kitty_travels_with_the_first_trick_that_is_won() -> None:
    """While the first trick is held the kitty is nobody's; it counts at the end of the hand."""
    hands = ("KC 7S 6S", "9C 5S 2S", "9C 3S 4S", "KC 4D JS")
    table = deal(*hands, packs=2, first_lead="eldest_any", kitty="5H 5H QS AD AD")
    play(table, "9C 9C KC KC")
    assert table.kitty_seat is None
    play(table, "5S 3S JS 7S")
    assert table.kitty_seat == 3
    assert table.points == (0, 0, 0, 0)
    assert table.taken[3] == hand("9C KC 5S 3S JS 7S")
    play(table, "4D 6S 2S 4S")

    assert table.kitty_seat == 3
    assert table.points == (0, 0, 0, 15)
    assert table.taken[3] == hand("9C KC 5S 3S JS 7S 4D 6S 2S 4S 5H QS AD")
    assert table.taken_twice[3] == hand("9C KC 5H AD")
    assert table.score().raw == (0, 0, 0, 15)


def test_17_a_held_penalty_card_brings_the_kitty_when_it_is_taken() -> None:
    """A heart in a trick without a winner is taken with the next one, and with it the kitty."""
    hands = ("KH 7S 6S", "9C 5S 2S", "9C 3S 4S", "KC 4D JS")
    table = deal(
        *hands,
        packs=2,
        first_lead="eldest_any",
        first_trick_points="free",
        kitty="AD",
        leftover="kitty_first_penalty",
    )
    play(table, "9C 9C KC KH")
    assert table.tricks_won == (0, 0, 0, 1)
    assert table.kitty_seat == 3

    hands = ("KH 7S 6S", "9C 5S 2S", "9C 3S 4S", "JD 4D JS")
    table = deal(
        *hands,
        packs=2,
        first_lead="eldest_any",
        first_trick_points="free",
        kitty="AD",
        leftover="kitty_first_penalty",
    )
    play(table, "9C 9C JD KH")
    assert table.kitty_seat is None
    play(table, "5S 3S JS 7S")
    assert table.kitty_seat == 3


@pytest.mark.parametrize(
    ("leftover", "owner", "points"),
    [
        ("kitty_first_trick", 0, (3, 13, 0, 1)),
        ("kitty_first_penalty", 1, (0, 16, 0, 1)),
        ("kitty_last_trick", 3, (0, 13, 0, 4)),
    ],
)
def test_18_who_gets_the_kitty(leftover: str, owner: int, points: tuple[int, ...]) -> None:
    """Seat 0 wins trick one, seat 1 takes QS with trick two, seat 3 a heart with trick three."""
    hands = ("AC 3S 4D", "2C AS 3D", "3C QS 2H", "4C 2S 5D")
    table = deal(*hands, kitty="5H 6H 7H 9S", leftover=leftover)
    play(table, "2C 3C 4C AC 3S AS QS 2S 3D 2H 5D 4D")

    assert table.kitty_seat == owner
    assert table.points == points
    assert table.score().points == points


def test_18_a_kitty_needs_a_setting() -> None:
    """Cards that are left over are refused unless it is said who gets them."""
    rules = small_rules("2C 3H", "4C 5D", "6C 7D", kitty="8C 9C").settings()
    with pytest.raises(RulesError, match="leftover"):
        Rules(**rules | {"leftover": "remove"})
