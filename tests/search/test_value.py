"""What a finished hand is worth: against the twin's scores and places, and by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest
from linking import Asked, State, play_both, started
from max_n import points_after, values_of
from positions import NARROW

from hearts_sim.engine.layout import GAME
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.testing.target import changed


@pytest.mark.parametrize(("name", "players"), NARROW)
def test_points_and_places_are_those_of_the_twin(name: str, players: int) -> None:
    """Points, totals, and at the end of the game places; between hands what the formula says."""
    rng = random.Random(f"value {name} {players}")
    rules = changed(Rules.preset(name, players=players), tie="draw")
    for moon in (True, rng.random() < 0.5):
        table, twin = started(rules, rng)
        play_both(table, twin, rng, 0, moon)
        if rules.target:
            totals = [rng.randrange(rules.target) for _ in twin.seats]
        else:
            totals = [rng.randrange(-20, 60) for _ in twin.seats]
        if rules.teams == "pooled":
            totals = [totals[twin.side_of(seat)] for seat in twin.seats]
        twin.scores = totals
        table._game["totals"][:players] = totals
        points, after = points_after(twin)
        state = State(table)
        assert state.values(0.0) == pytest.approx(values_of(twin, 0.0))
        assert state.score[0]["hand_points"][:players].tolist() == points
        assert state.score[0]["next_totals"][:players].tolist() == after
        values = state.values(9.0)
        assert values == pytest.approx(values_of(twin, 9.0))
        assert sum(values) == pytest.approx(players * (len(twin.sides) - 1) / 2)
        assert all(0.0 <= value <= len(twin.sides) - 1 for value in values)
        twin.score_hand()
        if twin.game_over:
            assert values == [len(twin.sides) - place for place in twin.places]


def finished(rules: Rules, taken: dict[int, str], totals: list[int]) -> State:
    """A hand after which seats have these penalty and bonus cards, and the first seat the rest."""
    from hearts_sim.cards import Card

    table = Table(rules)
    table._game["totals"][: rules.players] = totals
    table._game["hand_number"] = 1
    state = State(table)
    record = state.table[0]
    record["trick_number"] = rules.hand_size + 1
    sets = [0] * rules.players
    for seat, names in taken.items():
        sets[seat] = sum(1 << Card(name) for name in names.split())
    rest = sum(1 << card for card in rules.deck) & ~sum(sets)
    sets[0] |= rest
    for seat, cards in enumerate(sets):
        record["taken"][seat] = cards
        costs = [state.rules[0]["cost"][card] for card in range(52) if cards >> card & 1]
        record["points"][seat] = sum(costs)
    return state


HEARTS = " ".join(rank + "H" for rank in "23456789TJQKA")


def test_points_by_hand() -> None:
    """Points of a seat against the mean of the others; a moon in three ways."""
    plain = finished(Rules(), {1: "QS", 2: "2H 3H"}, [0] * 4)  # the other eleven are seat 0's
    # 11, 13, 2, 0.
    assert plain.values(0.0) == pytest.approx([5 - 11, 13 / 3 - 13, 8 - 2, 26 / 3])
    moon = {1: HEARTS + " QS"}
    assert finished(Rules(moon="old"), moon, [0] * 4).values(0.0) == pytest.approx(
        [52 / 3 - 26, 26, 52 / 3 - 26, 52 / 3 - 26]
    )
    assert finished(Rules(moon="new"), moon, [0] * 4).values(0.0) == pytest.approx(
        [-26 / 3, 26, -26 / 3, -26 / 3]
    )
    # The choice is the old moon, unless that ends the game with somebody else before the shooter.
    choice = finished(Rules(moon="choice"), moon, [90, 80, 10, 10])
    choice.values(0.0)
    assert choice.score[0]["next_totals"][:4].tolist() == [90, 54, 10, 10]
    choice = finished(Rules(moon="choice"), moon, [90, 20, 10, 10])
    choice.values(0.0)
    assert choice.score[0]["next_totals"][:4].tolist() == [116, 20, 36, 36]


def test_places_by_hand() -> None:
    """Who is beaten at the end of a game, with ties, teams, and an exact target."""
    taken = {1: "QS", 2: "2H 3H", 3: "4H 5H"}  # 9, 13, 2, 2
    assert finished(Rules(), taken, [95, 50, 40, 40]).values(9.0) == [0.0, 1.0, 2.5, 2.5]
    highest = Rules(win="highest", target=100)
    assert finished(highest, taken, [95, 50, 40, 40]).values(9.0) == [3.0, 2.0, 0.5, 0.5]
    exact = Rules(exact_target="win", target=100)
    # Seat 3 stands exactly at 100 and wins.
    assert finished(exact, taken, [20, 30, 40, 98]).values(9.0) == [2.0, 0.0, 1.0, 3.0]
    # The game is over with its last hand, whatever the totals.
    last = Rules(max_hands=1)
    assert finished(last, taken, [0, 0, 0, 0]).values(9.0) == [1.0, 0.0, 2.5, 2.5]
    teams = Rules(teams="singly", target=100)
    # 104 + 42 against 63 + 42.
    assert finished(teams, taken, [95, 50, 40, 40]).values(9.0) == [0.0, 1.0, 0.0, 1.0]


def test_more_of_ones_own_points_is_never_better() -> None:
    """Between hands a higher total is worth less to its seat, and more to every other."""
    taken = {1: "QS", 2: "2H 3H", 3: "4H 5H"}
    for win, sign in (("lowest", 1), ("highest", -1)):
        last: list[float] | None = None
        for total in range(0, 60, 6):
            values = finished(Rules(win=win), taken, [10, total, 20, 30]).values(12.0)
            if last is not None:
                assert sign * values[1] < sign * last[1]
                assert all(sign * values[s] > sign * last[s] for s in (0, 2, 3))
            last = values


def test_a_hand_after_a_tie_ends_the_game() -> None:
    """Who reached the target before has ended the game, though a moon takes all below it again."""
    from hearts_sim.search.value import begin_score

    for scores, over in (([104, 60, 60, 80], True), ([99, 60, 60, 80], False)):
        table = Table(Rules(pass_count=0))
        table.deal()
        table._view["scores"][:4] = scores
        table._view["hand_number"] = 12
        asked = Asked(table)
        score = np.zeros(1, GAME)
        begin_score(asked.rules[0], asked.view[0], score[0])
        assert bool(score["latched"][0]) == over


def test_what_is_ahead() -> None:
    """Fewer hands to come, less that can still change: by hand for the usual game."""
    from hearts_sim.search.value import spread_ahead

    rules = Rules(pass_count=0)
    table = Table(rules)
    table.deal()
    table._view["scores"][:4] = [60, 10, 20, 30]
    asked = Asked(table)
    # 8.45 points a hand for the leader leave 3.73 hands after this one.
    spread = spread_ahead(asked.rules[0], asked.view[0])
    assert spread == pytest.approx(0.44 * 26 * np.sqrt(40 / 8.45 - 1))
    table._view["scores"][0] = 99
    asked = Asked(table)
    assert spread_ahead(asked.rules[0], asked.view[0]) == pytest.approx(0.44 * 26)
    table = Table(changed(rules, end={"deals": 5}))
    table.deal()
    asked = Asked(table)
    assert spread_ahead(asked.rules[0], asked.view[0]) == pytest.approx(0.44 * 26 * 2)
