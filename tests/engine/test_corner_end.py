"""Corner cases 19 to 21, 29 and 30: exact targets, ties, the end of the game, sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from corner import (
    MOON,
    MOON_PLAY,
    TWO_OF_THIRTEEN,
    deal,
    deal_again,
    hand,
    moon_hand,
    no_pass,
    play,
    play_out,
    small_moon,
    small_rules,
    split_points,
    winning_hand,
    with_totals,
)

from hearts_sim.engine.table import HandResult, Table
from hearts_sim.errors import IllegalPlayError, RulesError
from hearts_sim.rules import Rules


def scored(before: Sequence[int], **options: Any) -> Table:
    """A table at which seat 0 has taken everything from these totals, and the hand was scored."""
    table = winning_hand(before, **options)
    table.score()
    return table


# 19: exactly on the target.


@pytest.mark.parametrize(
    ("exact", "scores", "adjust"),
    [("minus50", (0, 50, 56, 66), -50), ("zero", (0, 0, 56, 66), -100)],
)
@pytest.mark.parametrize("end_cmp", [">=", ">"])
def test_19_an_opponent_lifted_to_exactly_the_target_is_relieved(
    end_cmp: str, exact: str, scores: tuple[int, ...], adjust: int
) -> None:
    """A moon's +26 from 74 gives 100, which falls back before the end is tested."""
    table = winning_hand([0, 74, 30, 40], exact_target=exact, end_cmp=end_cmp)
    result = table.score()

    assert result.adjust == (0, adjust, 0, 0)
    assert result.scores == scores
    assert table.ended == ""


@pytest.mark.parametrize("end_cmp", [">=", ">"])
def test_19_one_point_more_ends_the_game(end_cmp: str) -> None:
    """With the relief, 101 is needed to end the game at 100, however the target is compared."""
    table = scored([0, 75, 74, 40], exact_target="minus50", end_cmp=end_cmp)

    assert table.scores == (0, 101, 50, 66)
    assert table.ended == "target"


def test_19_the_relief_belongs_to_the_target() -> None:
    """At a target of 50 the relief is at 50 and not at 100."""
    table = scored([0, 24, 20, 10], exact_target="zero", target=50)
    assert table.scores == (0, 0, 46, 36)
    assert table.ended == ""

    table = scored([0, 74, 20, 10], exact_target="zero", target=150)
    assert table.scores == (0, 100, 46, 36)


def test_19_the_relief_is_fifty_at_any_target() -> None:
    """At a target of 150 an exact hit falls back to 100."""
    assert scored([0, 124, 20, 10], exact_target="minus50", target=150).scores == (0, 100, 46, 36)


def test_19_several_seats_are_relieved_at_once() -> None:
    """Every seat that stands exactly on the target is relieved."""
    assert scored([0, 74, 74, 74], exact_target="minus50").scores == (0, 50, 50, 50)


@pytest.mark.parametrize(("jack", "scores"), [(84, (0, 101, 50, 66)), (74, (0, 101, 90, 66))])
def test_19_the_whole_hand_comes_before_the_relief(jack: int, scores: tuple[int, ...]) -> None:
    """Moon and JD are counted first: 84 + 26 - 10 is relieved, 74 + 26 - 10 never was at 100."""
    hands = ("AC AS 3D", "2C QS 4D", "3C AH JD", "4C 3S 5D")
    table = deal(
        *hands,
        before=[0, 75, jack, 40],
        cards=TWO_OF_THIRTEEN,
        bonus={"JD": -10},
        exact_target="minus50",
    )
    play(table, "2C 3C 4C AC AS QS AH 3S 3D 4D JD 5D")

    assert table.score().scores == scores


def test_19_points_taken_in_tricks_are_relieved_too() -> None:
    """87 + 13 is 100 without any moon."""
    table = split_points([87, 60, 40, 99], exact_target="zero")

    assert table.score().scores == (0, 60, 53, 99)
    assert table.ended == ""


def test_19_an_exact_hit_wins_at_once() -> None:
    """With `exact_target: win` the seat on exactly 100 wins, though others have less."""
    table = scored([0, 74, 30, 40], exact_target="win")

    assert table.scores == (0, 100, 56, 66)
    assert table.ended == "exact"
    assert table.wins == (0, 1, 0, 0)
    assert table.places == (2, 1, 3, 4)


def test_19_an_exact_hit_wins_where_the_target_must_be_passed() -> None:
    """100 does not end the game by `>`, but standing exactly on it wins."""
    table = scored([0, 74, 30, 40], exact_target="win", end_cmp=">")

    assert table.ended == "exact"
    assert table.wins == (0, 1, 0, 0)


def test_19_two_exact_hits_share_or_play_on() -> None:
    """Two at once on the target follow the rule for ties."""
    drawn = scored([0, 74, 74, 40], exact_target="win", tie="draw")
    assert drawn.ended == "exact"
    assert drawn.wins == (0, 0.5, 0.5, 0)
    assert drawn.places == (3, 1.5, 1.5, 4)

    assert scored([0, 74, 74, 40], exact_target="win", tie="play_on").ended == ""


@pytest.mark.parametrize("exact", ["minus50", "zero", "win"])
@pytest.mark.parametrize(
    "options",
    [
        {"win": "highest", "moon": "off"},
        {"teams": "singly"},
        {"teams": "pooled"},
        {"end": {"deals": 8}},
    ],
)
def test_19_where_a_relief_has_no_sense_it_is_refused(exact: str, options: dict[str, Any]) -> None:
    """It is for single players with low scores, and needs a target."""
    with pytest.raises(RulesError, match="exact_target"):
        Rules(exact_target=exact, **options)


# 20: several over the target.


def test_20_the_winner_may_be_over_the_target_himself() -> None:
    """All totals are looked at once after the hand: 120, 90, 85 and 85 have two at the best."""
    table = scored([94, 90, 85, 85], moon="off", tie="draw")
    assert table.scores == (120, 90, 85, 85)
    assert table.ended == "target"
    assert table.places == (4, 3, 1.5, 1.5)

    over = scored([101, 80, 90, 95])
    assert over.scores == (101, 106, 116, 121)
    assert over.wins == (1, 0, 0, 0)


@pytest.mark.parametrize(("end_cmp", "ended"), [(">=", "target"), (">", "")])
def test_20_the_target_is_reached_or_must_be_passed(end_cmp: str, ended: str) -> None:
    """A total of exactly 100 ends the game unless it must be passed."""
    assert scored([0, 74, 30, 40], end_cmp=end_cmp).ended == ended


def test_20_the_end_is_tested_after_a_whole_hand() -> None:
    """Passing the target within a hand, before the shooter is relieved of it, ends nothing."""
    table = winning_hand([90, 10, 20, 30])
    assert table.points == (26, 0, 0, 0)
    table.score()

    assert table.scores == (90, 36, 46, 56)
    assert table.ended == ""


# 21: ties for the best.


def test_21_ties_for_the_best_are_played_on_until_one_is_ahead() -> None:
    """With two at the best a whole hand more is played, and its best wins."""
    table = scored([80, 50, 50, 60], moon="off")
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


def _two_hearts(before: Sequence[int], moon: str = "new", target: int = 20) -> Table:
    """A table before these totals, for the hands above."""
    return with_totals(
        small_rules(*_SHARED, heart_scale="pips14", moon=moon, target=target), before
    )


def _hand(table: Table, hands: Sequence[str], cards: str, choice: str | None = None) -> HandResult:
    deal_again(table, *hands)
    play(table, cards)
    return table.score(choice)


def test_21_the_seat_that_ended_the_game_may_still_win() -> None:
    """An extra hand can bring the one over the target to the best place."""
    table = _two_hearts([6, 12, 12, 10])
    assert _hand(table, _SHARED, _SHARED_PLAY).scores == (20, 12, 12, 12)
    assert table.ended == ""

    assert _hand(table, _ALONE, _ALONE_PLAY).scores == (4, 12, 12, 12)
    assert table.ended == "target"
    assert table.wins == (1, 0, 0, 0)


def test_21_an_end_that_was_reached_is_not_undone() -> None:
    """Totals that fall below the target again in an extra hand do not reopen the game."""
    table = _two_hearts([14, 12, 12, 10])
    assert _hand(table, _SHARED, _SHARED_PLAY).scores == (28, 12, 12, 12)
    assert _hand(table, _ALONE, _ALONE_PLAY).scores == (12, 12, 12, 12)
    assert table.ended == ""

    assert _hand(table, _ALONE, _ALONE_PLAY).scores == (-4, 12, 12, 12)
    assert table.ended == "target"


def test_21_an_extra_hand_ends_the_game_below_the_target_too() -> None:
    """In an extra hand the moon is paid as at the end of a game, wherever the totals stand."""
    table = _two_hearts([26, -9, -9, -11], moon="choice", target=40)
    assert _hand(table, _SHARED, _SHARED_PLAY).scores == (40, -9, -9, -9)
    for total in (24, 8):
        assert _hand(table, _ALONE, _ALONE_PLAY, "subtract").scores == (total, -9, -9, -9)

    # To add would leave 8 against 7, far below 40, but the end was reached: the shooter loses.
    assert _hand(table, _ALONE, _ALONE_PLAY).points == (-16, 0, 0, 0)


@pytest.mark.parametrize("cap", [0, 1, 3])
def test_21_extra_hands_have_a_cap(cap: int) -> None:
    """After the last extra hand the tied share the win, and the game says so."""
    table = Table(no_pass(end={"deals": 1}, moon="void", tie_cap=cap))
    for _ in range(cap + 1):
        assert table.ended == ""
        moon_hand(table)

    assert table.ended == "tie_cap"
    assert table.hand_number == cap + 1
    assert table.wins == (0.25, 0.25, 0.25, 0.25)
    assert table.places == (2.5, 2.5, 2.5, 2.5)


def test_21_a_draw_shares_the_win_at_once() -> None:
    """With `tie: draw` several best totals are joint winners."""
    table = scored([80, 50, 50, 60], moon="off", tie="draw")

    assert table.ended == "target"
    assert table.wins == (0, 0.5, 0.5, 0)
    assert table.places == (4, 1.5, 1.5, 3)


def test_21_ties_for_lower_places_are_always_shared() -> None:
    """Two with the same total behind a sole winner share the mean of their places."""
    table = scored([80, 50, 60, 60], moon="off")

    assert table.ended == "target"
    assert table.places == (4, 1, 2.5, 2.5)


def test_21_in_reverse_the_highest_totals_tie() -> None:
    """Where the highest total wins, a tie at the top is played on and one at the bottom is not."""
    assert scored([74, 100, 10, 10], win="highest", moon="off").ended == ""
    table = scored([75, 100, 10, 10], win="highest", moon="off")

    assert table.ended == "target"
    assert table.places == (1, 2, 3.5, 3.5)


def test_21_a_pooled_side_ties_with_a_side() -> None:
    """Partners with one score are no tie; two sides with the same score are."""
    table = split_points([74, 50, 74, 50], teams="pooled")
    assert table.score().scores == (100, 50, 100, 50)
    assert table.ended == "target"

    table = split_points([74, 100, 74, 100], teams="pooled")
    assert table.score().scores == (100, 100, 100, 100)
    assert table.ended == ""
    assert table.places == (1.5, 1.5, 1.5, 1.5)


def test_21_the_pass_and_the_dealer_go_on_in_extra_hands() -> None:
    """Extra hands continue the cycle of passes, and the deal, as any hand does."""
    # With QS as the only penalty card every hand is a moon, and a void moon leaves all at 0.
    table = Table(
        Rules(
            heart_scale="zero",
            moon="void",
            end={"deals": 1},
            pass_cycle=["H", "L", "R"],
            first_lead="eldest_any",
            tie_cap=4,
        ),
        seed=1,
    )
    offsets = []
    eldest = []
    while not table.ended:
        table.deal()
        offsets.append(table.pass_offset)
        if table.pass_count:
            table.exchange([table.default_pass(seat) for seat in range(4)])
        eldest.append(table.turn)
        play_out(table)
        table.score()

    assert offsets == [0, 1, 3, 0, 1]
    assert eldest == [1, 2, 3, 0, 1]


# 29: fixed deals.


def test_29_a_fixed_number_of_deals_ends_the_game() -> None:
    """The n-th scored hand is the last, whether or not the target was reached before."""
    table = Table(no_pass(end={"deals": 5}, target=26), seed=11)
    for number in range(1, 6):
        assert table.ended == ""
        moon_hand(table, shooter=0)
        assert table.hand_number == number

    assert table.ended == "deals"
    assert table.scores == (0, 130, 130, 130)
    with pytest.raises(IllegalPlayError, match=r"the game is over \(deals\)"):
        table.deal()


def test_29_a_tie_after_the_last_deal_is_played_on() -> None:
    """Whole hands more are played until the best total is unique."""
    table = Table(no_pass(end={"deals": 2}, moon="off"))
    moon_hand(table, shooter=0)
    assert table.ended == ""
    moon_hand(table, shooter=1)
    assert table.scores == (26, 26, 0, 0)
    assert table.ended == ""
    moon_hand(table, shooter=2)

    assert table.scores == (26, 26, 26, 0)
    assert table.ended == "deals"
    assert table.wins == (0, 0, 0, 1)


def test_29_a_tie_after_the_last_deal_is_drawn() -> None:
    """With `tie: draw` the last deal is the last."""
    table = Table(no_pass(end={"deals": 2}, moon="off", tie="draw"))
    moon_hand(table, shooter=0)
    moon_hand(table, shooter=1)

    assert table.ended == "deals"
    assert table.wins == (0, 0, 0.5, 0.5)


def test_29_sums_of_partners_decide_after_the_last_deal() -> None:
    """With scores kept singly the sums are compared, whoever has the best single total."""
    table = split_points([0, 8, 0, 19], teams="singly", end={"deals": 1})
    table.score()

    assert table.scores == (13, 8, 13, 19)
    assert table.ended == "deals"
    assert table.wins == (1, 0, 1, 0)


def test_29_a_game_without_end_is_stopped_and_says_so() -> None:
    """After `max_hands` the game ends as it stands."""
    table = Table(no_pass(target=10_000, max_hands=2))
    moon_hand(table)
    moon_hand(table)

    assert table.ended == "max_hands"
    assert table.wins == (1, 0, 0, 0)


# 30: sums.


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7, 8])
def test_30_a_hand_without_a_moon_sums_to_the_deck(players: int) -> None:
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


@pytest.mark.parametrize("moon", ["old", "new"])
def test_30_every_hand_is_a_multiple_of_26(moon: str) -> None:
    """An old moon at a table of four makes 78, a new one -26."""
    table = Table(no_pass(moon=moon))

    assert sum(moon_hand(table).points) == (78 if moon == "old" else -26)


@pytest.mark.parametrize("players", range(3, 12))
@pytest.mark.parametrize("trick_winner", ["cancel_pairs", "latest_of_equals"])
def test_30_two_packs_sum_to_52(trick_winner: str, players: int) -> None:
    """With held tricks and the kitty every card is somebody's at the end of the hand."""
    rules = Rules.preset(
        "cancellation",
        players=players,
        packs=2,
        trick_winner=trick_winner,
        moon="off",
        target=10_000,
    )
    table = Table(rules, seed=players)
    for _ in range(10):
        table.deal()
        play_out(table)
        result = table.score()
        assert sum(result.raw) == sum(result.points) == 52
        assert sum(result.tricks) == table.rules.hand_size
        assert sum(result.hearts) == 26
        assert sum(result.queen) == 2
        cards = zip(table.taken, table.taken_twice, strict=True)
        assert sum(len(once) + len(twice) for once, twice in cards) == 104


@pytest.mark.parametrize(
    "leftover", ["kitty_first_trick", "kitty_first_penalty", "kitty_last_trick"]
)
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_30_a_kitty_is_part_of_the_sum(players: int, leftover: str) -> None:
    """Cards of the kitty are nobody's before the end of a hand, and somebody's after it."""
    rules = Rules.preset("kitty", players=players, leftover=leftover, pass_count=0, moon="off")
    table = Table(rules, seed=players)
    for _ in range(3):
        table.deal()
        left = table.kitty
        play_out(table)
        assert table.kitty_seat is not None
        assert not left - table.taken[table.kitty_seat]
        result = table.score()
        assert sum(result.raw) == sum(result.points) == 26
        assert sum(len(cards) for cards in table.taken) == 52


@pytest.mark.parametrize("teams", ["singly", "pooled"])
def test_30_partners_sum_to_the_deck_once(teams: str) -> None:
    """What was taken sums to 26; shown for both partners the score of a side counts double."""
    table = split_points(teams=teams)
    result = table.score()

    assert sum(result.raw) == 26
    assert sum(result.points) == (26 if teams == "singly" else 52)


def test_30_the_removed_two_of_hearts_makes_25() -> None:
    """The sum is that of the cards that are dealt, never 26 by itself."""
    table = Table(no_pass(players=3, deck_removal=["2H"]), seed=1)
    table.deal()
    play_out(table)

    assert sum(table.score().raw) == 25


def test_30_bonus_cards_take_the_sum_down() -> None:
    """With JD a hand without a moon sums to 16."""
    hands = ("AC AS 3D", "2C QS AH", "3C 2S JD", "4C 3S 5D")
    table = deal(*hands, cards=TWO_OF_THIRTEEN, bonus={"JD": -10})
    play(table, "2C 3C 4C AC AS QS 2S 3S 3D AH JD 5D")

    assert sum(table.score().points) == 16


def test_30_state_does_not_leak_from_game_to_game() -> None:
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


def test_30_state_does_not_leak_from_hand_to_hand() -> None:
    """With two packs and a kitty the next hand starts with nothing held or taken twice."""
    hands = ("AC QS", "2C 3D", "2C 3D", "AC QS")
    table = deal(*hands, packs=2, first_lead="eldest_any", kitty="5H 5H 9S", target=1000)
    play(table, "2C 2C AC AC 3D 3D QS QS")
    table.score()
    deal_again(table, *hands)

    assert table.turn == 2
    assert table.kitty_seat is None
    assert table.held == table.held_twice == hand("")
    assert table.held_tricks == 0
    assert not any((*table.taken, *table.taken_twice, *table.points, *table.tricks_won))
    play(table, "2C AC AC 2C 3D QS QS 3D")
    assert table.kitty_seat == 2
    assert table.points == (0, 0, 28, 0)
    assert table.score().scores == (56, 28, 28, 56)


def test_30_a_moon_hand_after_another() -> None:
    """Totals add up hand by hand."""
    table = small_moon()
    table.score()
    deal_again(table, *MOON)
    play(table, MOON_PLAY)

    assert table.score().scores == (0, 52, 52, 52)
