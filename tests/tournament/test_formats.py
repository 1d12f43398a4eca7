"""What a block of a duel, of a gauntlet and of a table with teams holds."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from hearts_sim.tournament.plan.formats import Duel, Gauntlet, TableFormat
from hearts_sim.tournament.plan.orders import Seating
from hearts_sim.tournament.plan.schedule import Schedule

PLAYERS = range(3, 12)
TEAMS = (4, 6, 8, 10)
DUELS = [*((players, 0) for players in PLAYERS), *((players, players // 2) for players in TEAMS)]


def exchanged(seating: Seating) -> Seating:
    """The two entries of a duel have changed places."""
    return tuple(1 - entry for entry in seating)


def all_teams_alike(seating: Seating) -> bool:
    """Whether every pair of partners, who sit opposite each other, has the same two entries."""
    half = len(seating) // 2
    pairs = {
        frozenset(Counter((seating[seat], seating[seat + half])).items()) for seat in range(half)
    }
    return len(pairs) == 1


def seat_counts(seatings: list[Seating], entries: int) -> np.ndarray:
    """Games of each entry in each seat."""
    counts = np.zeros((entries, len(seatings[0])), int)
    for seating in seatings:
        for seat, entry in enumerate(seating):
            counts[entry, seat] += 1
    return counts


def next_to(order: Seating) -> Seating:
    """A circular order, turned so that the smallest rotation stands for all of them."""
    return min(order[shift:] + order[:shift] for shift in range(len(order)))


# Duel


@pytest.mark.parametrize(("players", "seatings"), [(3, 6), (4, 14), (5, 30)])
def test_a_duel_plays_every_mixed_seating(players: int, seatings: int) -> None:
    """Up to five players a block has each seating of the two in which both sit: 2**n - 2."""
    every = {
        order for order in itertools.product((0, 1), repeat=players) if 0 < sum(order) < players
    }
    for number in (0, 17):
        found = Duel(players, 5).seatings(number)
        assert len(found) == len(every) == seatings
        assert set(found) == every


def test_a_duel_of_teams() -> None:
    """Of the 14 at four seats the four in which both teams have one of each are left out."""
    found = Duel(4, 5, 2).seatings(0)
    alike = {(0, 0, 1, 1), (0, 1, 1, 0), (1, 1, 0, 0), (1, 0, 0, 1)}
    assert set(Duel(4, 5).seatings(0)) - set(found) == alike
    assert len(found) == 10


@pytest.mark.parametrize(("players", "teams"), DUELS)
def test_a_duel_is_fair(players: int, teams: int) -> None:
    """Exchanging the two changes nothing, so that equal players differ by exactly nothing."""
    duel = Duel(players, 5, teams)
    for number in range(12):
        found = duel.seatings(number)
        assert len(set(found)) == len(found) == duel.games(number) <= duel.most_seatings
        assert set(map(exchanged, found)) == set(found)
        counts = seat_counts(found, 2)
        assert counts.min() == counts.max() == len(found) / 2
        if teams:
            assert not any(map(all_teams_alike, found))


@pytest.mark.parametrize("players", [6, 7, 8, 11])
def test_a_large_duel_has_every_number_of_seats(players: int) -> None:
    """Above five players each number of seats has one arrangement, its mirror and all rotations."""
    duel = Duel(players, 5)
    arrangements = set()
    for number in range(10):
        found = duel.seatings(number)
        by_count: dict[int, set[Seating]] = {}
        for seating in found:
            by_count.setdefault(seating.count(0), set()).add(next_to(seating))
        assert sorted(by_count) == list(range(1, players))
        for count, orders in by_count.items():
            assert len(orders) <= (2 if 2 * count == players else 1)
            assert {next_to(exchanged(order)) for order in orders} == by_count[players - count]
        whole = {seating[shift:] + seating[:shift] for seating in found for shift in range(players)}
        assert whole == set(found)
        arrangements.add(frozenset(map(next_to, found)))
    assert len(arrangements) > 1


@pytest.mark.parametrize(("players", "teams"), [(6, 0), (8, 0), (10, 5)])
def test_game_numbers_of_a_duel(players: int, teams: int) -> None:
    """Blocks of different sizes leave room for each other's game numbers."""
    schedule = Schedule("duel", 2, players, 2000, 5, teams)
    numbers = [
        block.number * schedule.seatings_per_block + place
        for block in schedule
        for place in range(len(block.seatings))
    ]
    assert len({len(block.seatings) for block in schedule}) > 1
    assert len(set(numbers)) == len(numbers) == schedule.total_games


# Gauntlet

GAUNTLETS = {
    "one newcomer": (8, 4, (3,)),
    "three newcomers": (10, 4, (0, 4, 9)),
    "small table": (7, 3, (2, 6)),
    "large table": (10, 8, (1, 2)),
    "one in the field": (3, 4, (0, 2)),
    "field smaller than the table": (4, 6, (1,)),
}


@pytest.mark.parametrize(("entries", "players", "newcomers"), GAUNTLETS.values(), ids=GAUNTLETS)
def test_newcomers_play_the_same_games(
    entries: int, players: int, newcomers: tuple[int, ...]
) -> None:
    """In a block each newcomer has every seat once, among the same others in the same order."""
    gauntlet = Gauntlet(entries, players, newcomers, 5)
    for number in range(40):
        found = gauntlet.seatings(number)
        assert len(found) == gauntlet.games(number) == gauntlet.most_seatings
        around: dict[int, dict[int, Seating]] = {newcomer: {} for newcomer in newcomers}
        for seating in found:
            (newcomer,) = set(seating) & set(newcomers)
            assert seating.count(newcomer) == 1
            seat = seating.index(newcomer)
            around[newcomer][seat] = seating[seat + 1 :] + seating[:seat]
        others = {order for orders in around.values() for order in orders.values()}
        assert len(others) == 1
        assert all(sorted(orders) == list(range(players)) for orders in around.values())


@pytest.mark.parametrize(("entries", "players", "newcomers"), GAUNTLETS.values(), ids=GAUNTLETS)
def test_the_field_plays_equally_often(
    entries: int, players: int, newcomers: tuple[int, ...]
) -> None:
    """At the end of each unit the field has sat equally often in every seat."""
    gauntlet = Gauntlet(entries, players, newcomers, 5)
    field = [entry for entry in range(entries) if entry not in newcomers]
    number = 0
    counts = np.zeros((entries, players), int)
    for size in itertools.islice(gauntlet.unit_sizes(), 6):
        for _ in range(size):
            counts += seat_counts(gauntlet.seatings(number), entries)
            number += 1
        assert len(np.unique(counts[field])) == 1
        assert (counts[list(newcomers)] == number).all()


def test_line_ups_of_the_field() -> None:
    """Every line-up of the field comes before one comes again, and in the end in every order."""
    gauntlet = Gauntlet(6, 4, (1,), 5)
    field = (0, 2, 3, 4, 5)
    line_ups = set(itertools.combinations(field, 3))
    seen: Counter[Seating] = Counter()
    for turn in range(6):
        cycle = [gauntlet.seatings(number)[0] for number in range(10 * turn, 10 * turn + 10)]
        assert {tuple(sorted(set(order) - {1})) for order in cycle} == line_ups
        seen.update(map(next_to, cycle))
    every = {next_to((1, *order)) for order in itertools.permutations(field, 3)}
    assert set(seen) == every
    assert set(seen.values()) == {1}


def test_a_field_smaller_than_the_table() -> None:
    """A field of two at four seats fills three of them, one of the two twice, in turn."""
    gauntlet = Gauntlet(3, 4, (2,), 5)
    assert next(gauntlet.unit_sizes()) == 2
    seen = {next_to(gauntlet.seatings(number)[0]) for number in range(6)}
    assert seen == {
        next_to((2, *order))
        for twice in ((0, 0, 1), (0, 1, 1))
        for order in set(itertools.permutations(twice))
    }


# Tables of teams


@pytest.mark.parametrize("players", TEAMS)
@pytest.mark.parametrize("entries", [2, 3, 4])
def test_tables_of_teams(players: int, entries: int) -> None:
    """No table is played at which all teams have the same line-up, and all sit equally often."""
    table = TableFormat(entries, players, 5, players // 2)
    number = 0
    counts = np.zeros((entries, players), int)
    for size in itertools.islice(table.unit_sizes(), 10):
        for _ in range(size):
            found = table.seatings(number)
            assert len(found) == table.games(number)
            assert not any(map(all_teams_alike, found))
            counts += seat_counts(found, entries)
            number += 1
        assert counts.min() == counts.max()


def test_one_entry_may_play_itself_in_teams() -> None:
    """A table of one entry is played although all its teams are alike: there is nothing else."""
    for players in TEAMS:
        assert TableFormat(1, players, 5, players // 2).seatings(3) == ((0,) * players,)
