"""The schedule as a pure function: who sits where, how often, and in which parts it is played."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from trial import python

from hearts_sim.tournament.plan import cover
from hearts_sim.tournament.plan.orders import Seating
from hearts_sim.tournament.plan.schedule import LARGEST_PART, Block, Schedule, parts

SIZES = [(entries, players) for players in range(3, 8) for entries in range(1, 13)]
KINDS = ("table", "selfplay")


def rotations(order: Seating) -> list[Seating]:
    return [order[shift:] + order[:shift] for shift in range(len(order))]


def first_blocks(schedule: Schedule, number: int) -> Iterator[Block]:
    return map(schedule.block, range(number))


def tables(schedule: Schedule, number: int) -> list[Seating]:
    """The entries at the table of each of the first blocks, in order of their numbers."""
    return [tuple(sorted(block.seatings[0])) for block in first_blocks(schedule, number)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("entries", "players"), SIZES)
def test_equal_games_in_every_seat(kind: str, entries: int, players: int) -> None:
    """Every entry plays equally many games in every seat, whatever the budget."""
    for games in (1, 333):
        schedule = Schedule(kind, entries, players, games, seed=5)
        _, counts = schedule.count()
        assert counts.shape == (entries, players)
        assert counts.min() == counts.max() > 0
        assert schedule.total_games >= games
        assert counts.sum() == schedule.total_games * players


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("entries", "players"), [size for size in SIZES if size[0] > 1])
def test_the_budget_is_rounded_up_once(kind: str, entries: int, players: int) -> None:
    """A rounded number of games is not rounded again, and one game less is rounded up to it."""
    total = Schedule(kind, entries, players, 100, seed=5).total_games
    for games in (total, total - 1):
        assert Schedule(kind, entries, players, games, seed=5).total_games == total


def test_equal_games_when_tables_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """With too many tables to tell apart a sample is played, in which all play equally often."""
    monkeypatch.setattr("hearts_sim.tournament.plan.cover.MOST_UNITS", 8)
    cover.units.cache_clear()
    schedule = Schedule("table", 12, 5, 1000, seed=8_000_001)
    _, counts = schedule.count()
    assert counts.min() == counts.max()
    assert len(set(tables(schedule, 792))) == 8 * 12
    cover.units.cache_clear()


ALL_KINDS: dict[str, tuple[str, int, int, int, tuple[int, ...]]] = {
    "table": ("table", 8, 4, 0, ()),
    "table of one set": ("table", 4, 4, 0, ()),
    "small table": ("table", 5, 3, 0, ()),
    "large table": ("table", 12, 7, 0, ()),
    "few entries": ("table", 2, 4, 0, ()),
    "table of teams": ("table", 3, 4, 2, ()),
    "duel": ("duel", 2, 4, 0, ()),
    "large duel": ("duel", 2, 8, 0, ()),
    "duel of teams": ("duel", 2, 6, 3, ()),
    "gauntlet": ("gauntlet", 9, 4, 0, (2, 5)),
    "gauntlet with a small field": ("gauntlet", 3, 5, 0, (0,)),
    "self-play": ("selfplay", 5, 4, 0, ()),
}


@pytest.mark.parametrize(
    ("kind", "entries", "players", "teams", "newcomers"), ALL_KINDS.values(), ids=ALL_KINDS
)
def test_a_larger_budget_continues_a_smaller_one(
    kind: str, entries: int, players: int, teams: int, newcomers: tuple[int, ...]
) -> None:
    """Blocks and parts of 1,000 games are the first ones of 4,000, asked for in games or blocks."""

    def of(games: int | None, blocks: int | None = None) -> Schedule:
        return Schedule(kind, entries, players, games, 5, teams, newcomers, blocks)

    small, large = of(1000), of(4000)
    few, many = list(small), list(large)
    assert len(few) < len(many)
    assert many[: len(few)] == few
    *first, last = small.parts()
    longer = large.parts()
    assert longer[: len(first)] == first
    assert longer[len(first)].blocks.start == last.blocks.start
    assert longer[len(first)].blocks.stop >= last.blocks.stop
    counted = of(None, small.blocks)
    assert (list(counted), counted.parts()) == (few, small.parts())
    assert of(None, small.blocks - 1).blocks in (small.blocks - 1, small.blocks)
    assert replace(small, games=None, budget_blocks=large.blocks).parts() == longer


@pytest.mark.parametrize(
    ("kind", "entries", "players", "teams", "newcomers"), ALL_KINDS.values(), ids=ALL_KINDS
)
def test_parts_end_where_all_are_equal(
    kind: str, entries: int, players: int, teams: int, newcomers: tuple[int, ...]
) -> None:
    """A part is even only where all of a role have equally many games in every seat."""
    schedule = Schedule(kind, entries, players, 2500, 5, teams, newcomers)
    counts = np.zeros((entries, players), int)
    roles = [list(newcomers), [entry for entry in range(entries) if entry not in newcomers]]
    ends = 0
    for part in schedule.parts():
        for number in part.blocks:
            for seating in schedule.block(number).seatings:
                np.add.at(counts, (list(seating), range(players)), 1)
        equal = all(len(np.unique(counts[role])) <= 1 for role in roles)
        assert part.even <= equal
        ends += part.even
    assert equal
    assert part.even
    assert ends >= 5


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_are_numbered(kind: str) -> None:
    """Iterating gives the blocks 0, 1, ... and `blocks` is their number."""
    schedule = Schedule(kind, 5, 4, 60, seed=5)
    blocks = list(schedule)
    assert [block.number for block in blocks] == list(range(schedule.blocks))
    assert blocks[3] == schedule.block(3)
    assert sum(len(block.seatings) for block in blocks) == schedule.total_games


@pytest.mark.parametrize(("entries", "players"), SIZES)
def test_a_block_is_the_rotations_of_one_order(entries: int, players: int) -> None:
    """The seatings of a block are the distinct rotations of one circular order, each once."""
    schedule = Schedule("table", entries, players, 1, seed=5)
    for block in first_blocks(schedule, 30):
        assert len(set(block.seatings)) == len(block.seatings)
        assert set(block.seatings) == set(rotations(block.seatings[0]))


def test_selfplay_blocks_hold_every_entry_once() -> None:
    """In self-play a block has one table of each entry, on the same deals."""
    schedule = Schedule("selfplay", 3, 4, 10, seed=5)
    assert schedule.total_games == 12
    for block in schedule:
        assert block.seatings == ((0,) * 4, (1,) * 4, (2,) * 4)


def test_all_tables_occur_before_one_repeats() -> None:
    """Of eight entries all 70 tables of four are played before any is played again."""
    schedule = Schedule("table", 8, 4, 1, seed=5)
    played = tables(schedule, 280)
    everything = set(itertools.combinations(range(8), 4))
    for start in range(0, 280, 70):
        assert set(played[start : start + 70]) == everything


@pytest.mark.parametrize(("entries", "players", "orders"), [(5, 4, 6), (4, 4, 6), (6, 5, 24)])
def test_circular_orders_take_turns(entries: int, players: int, orders: int) -> None:
    """At every table all circular orders are played equally often."""
    schedule = Schedule("table", entries, players, 1, seed=5)
    number = len(set(tables(schedule, 200)))
    seen: Counter[Seating] = Counter()
    for block in first_blocks(schedule, 2 * orders * number):
        seen[min(block.seatings)] += 1
    assert len(seen) == orders * number
    assert set(seen.values()) == {2}


def test_tables_do_not_keep_step() -> None:
    """Different tables begin with different circular orders."""
    schedule = Schedule("table", 8, 4, 1, seed=5)
    seen = set()
    for block in first_blocks(schedule, 70):
        order = min(block.seatings)
        seen.add(tuple(sorted(order).index(entry) for entry in order))
    assert len(seen) == 6


@pytest.mark.parametrize(("entries", "players"), [size for size in SIZES if 1 < size[0] < size[1]])
def test_fewer_entries_than_seats(entries: int, players: int) -> None:
    """Fewer entries than seats all sit down, as often as each other or once more."""
    schedule = Schedule("table", entries, players, 1, seed=5)
    played = tables(schedule, 60)
    for table in played:
        counts = Counter(table)
        assert len(counts) == entries
        assert max(counts.values()) - min(counts.values()) <= 1
    wanted = {
        tuple(sorted(tuple(range(entries)) * (players // entries) + extra))
        for extra in itertools.combinations(range(entries), players % entries)
    }
    assert set(played) == wanted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("entries", "players"), [(1, 4), (2, 4), (3, 5), (8, 4), (9, 7)])
def test_game_numbers_are_unique(kind: str, entries: int, players: int) -> None:
    """Numbers made of block and seating never meet."""
    schedule = Schedule(kind, entries, players, 300, seed=5)
    numbers = [
        block.number * schedule.seatings_per_block + seating
        for block in schedule
        for seating in range(len(block.seatings))
    ]
    assert len(set(numbers)) == schedule.total_games


PRINT_DIGEST = """
import hashlib
from hearts_sim.tournament.plan.schedule import Schedule
text = ""
for kind in ("table", "duel", "gauntlet", "selfplay"):
    for entries, players in ((2, 4), (3, 7), (8, 4), (9, 5)):
        newcomers = (1,) if kind == "gauntlet" else ()
        text += repr(list(Schedule(kind, entries, players, 400, 77, newcomers=newcomers)))
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_the_same_in_every_process() -> None:
    """The schedule is the same in processes whose hashes differ."""
    digests = {
        python("-c", PRINT_DIGEST, PYTHONHASHSEED=salt).stdout.strip() for salt in ("1", "2")
    }
    text = ""
    for kind in ("table", "duel", "gauntlet", "selfplay"):
        for entries, players in ((2, 4), (3, 7), (8, 4), (9, 5)):
            newcomers = (1,) if kind == "gauntlet" else ()
            text += repr(list(Schedule(kind, entries, players, 400, 77, newcomers=newcomers)))
    assert digests == {hashlib.sha256(text.encode()).hexdigest()}


def test_the_seed_shuffles() -> None:
    """Another seed plays the same tables in another sequence."""
    one, other = (Schedule("table", 8, 4, 280, seed) for seed in (5, 6))
    assert tables(one, 70) != tables(other, 70)
    assert set(tables(one, 70)) == set(tables(other, 70))


@pytest.mark.parametrize(
    ("kind", "entries", "players", "teams", "newcomers"), ALL_KINDS.values(), ids=ALL_KINDS
)
def test_count(
    kind: str, entries: int, players: int, teams: int, newcomers: tuple[int, ...]
) -> None:
    """`count` is what counting the seatings one by one gives; a seat twice is one game."""
    schedule = Schedule(kind, entries, players, 50, 5, teams, newcomers)
    games = np.zeros(entries, int)
    seats = np.zeros((entries, players), int)
    for block in schedule:
        for seating in block.seatings:
            for entry in range(entries):
                games[entry] += entry in seating
            for seat, entry in enumerate(seating):
                seats[entry, seat] += 1
    found = schedule.count()
    assert found[0].tolist() == games.tolist()
    assert found[1].tolist() == seats.tolist()


SIZES_OF_PARTS = [1] * 8 + [2] * 8 + [4] * 8 + [8] * 8


@pytest.mark.parametrize("unit", [1, 3, 5, 70, 1500, 5000])
@pytest.mark.parametrize("blocks", [0, 1, 7, 8, 9, 25, 1000, 16_367, 16_368, 16_369, 50_000])
def test_parts_partition_the_blocks(blocks: int, unit: int) -> None:
    """Parts are neighbouring ranges that hold every block once, none of them too large."""
    found = parts(blocks, itertools.count(unit, unit))
    assert [part.number for part in found] == list(range(len(found)))
    assert list(itertools.chain(*(part.blocks for part in found))) == list(range(blocks))
    assert all(1 <= len(part.blocks) < 2 * LARGEST_PART for part in found)
    for part in found[:-1]:
        assert part.even == (part.blocks.stop % unit == 0)


@pytest.mark.parametrize("unit", [1, 3, 70])
@pytest.mark.parametrize(("few", "many"), [(1, 9), (5, 6), (17, 40), (999, 5000), (20_000, 90_000)])
def test_parts_of_a_larger_run(few: int, many: int, unit: int) -> None:
    """Of a larger run the first parts are the same; only the last one may have been shorter."""
    small, large = (parts(blocks, itertools.count(unit, unit)) for blocks in (few, many))
    assert large[: len(small) - 1] == small[:-1]
    last = large[len(small) - 1].blocks
    assert small[-1].blocks.start == last.start
    assert small[-1].blocks.stop <= last.stop


def test_first_parts_are_small() -> None:
    """The first eight parts hold one block each, so that a slow run is saved early."""
    assert [len(part.blocks) for part in parts(1000)[:32]] == SIZES_OF_PARTS


def test_parts_end_with_units() -> None:
    """Counted by hand: a part ends with the unit nearest to its usual end, where one is near."""
    found = parts(60, itertools.count(5, 5))
    # One block at a time up to 8, two up to 24, then four: 5 is nearer to four than 10 is.
    ends = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 17, 20, 22, 25, 30, 35, 40, 45, 50, 55, 60]
    assert [part.blocks.stop for part in found] == ends
    assert [part.blocks.stop for part in found if part.even] == list(range(5, 61, 5))
