"""The schedule as a pure function: who sits where, how often, and in which parts it is played."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from trial import python

from hearts_sim.tournament.schedule import (
    LARGEST_PART,
    Block,
    Schedule,
    Seating,
    parts,
)

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
        counts = schedule.games_per_entry()
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
    monkeypatch.setattr("hearts_sim.tournament.schedule.MOST_UNITS", 8)
    schedule = Schedule("table", 12, 5, 1000, seed=8_000_001)
    counts = schedule.games_per_entry()
    assert counts.min() == counts.max()
    assert len(set(tables(schedule, 792))) == 8 * 12


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("entries", "players"), [(2, 4), (4, 4), (5, 3), (8, 4), (12, 7)])
def test_a_larger_budget_continues_a_smaller_one(kind: str, entries: int, players: int) -> None:
    """The blocks of 200 games are the first blocks of 2,000."""
    small = list(Schedule(kind, entries, players, 200, seed=5))
    large = list(Schedule(kind, entries, players, 2000, seed=5))
    assert len(small) < len(large)
    assert large[: len(small)] == small


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
from hearts_sim.tournament.schedule import Schedule
text = ""
for kind in ("table", "selfplay"):
    for entries, players in ((2, 4), (3, 7), (8, 4), (9, 5)):
        text += repr(list(Schedule(kind, entries, players, 400, 77)))
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_the_same_in_every_process() -> None:
    """The schedule is the same in processes whose hashes differ."""
    digests = {
        python("-c", PRINT_DIGEST, PYTHONHASHSEED=salt).stdout.strip() for salt in ("1", "2")
    }
    text = ""
    for kind in KINDS:
        for entries, players in ((2, 4), (3, 7), (8, 4), (9, 5)):
            text += repr(list(Schedule(kind, entries, players, 400, 77)))
    assert digests == {hashlib.sha256(text.encode()).hexdigest()}


def test_the_seed_shuffles() -> None:
    """Another seed plays the same tables in another sequence."""
    one, other = (Schedule("table", 8, 4, 280, seed) for seed in (5, 6))
    assert tables(one, 70) != tables(other, 70)
    assert set(tables(one, 70)) == set(tables(other, 70))


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("entries", range(5, 21))
def test_pairs_meet_about_equally_often(entries: int, players: int) -> None:
    """After 1,000 games or more, no pair has met in over four blocks more than another pair."""
    for games in (1000, 5000) if entries in (8, 16, 20) else (1000,):
        counts = _meetings(Schedule("table", entries, players, games, seed=3))
        met = [counts[pair] for pair in itertools.combinations(range(entries), 2)]
        assert min(met) > 0
        assert max(met) - min(met) <= 4


def test_games_per_entry_counts_seatings() -> None:
    """`games_per_entry` is what counting the seatings by hand gives."""
    schedule = Schedule("table", 3, 4, 50, seed=5)
    counts = np.zeros((3, 4), int)
    for block in schedule:
        for seating in block.seatings:
            for seat, entry in enumerate(seating):
                counts[entry, seat] += 1
    assert (schedule.games_per_entry() == counts).all()


@pytest.mark.parametrize("blocks", [0, 1, 7, 8, 9, 25, 1000, 16_367, 16_368, 16_369, 50_000])
def test_parts_partition_the_blocks(blocks: int) -> None:
    """Parts are neighbouring ranges that hold every block once, none of them too large."""
    ranges = parts(blocks)
    assert list(itertools.chain(*ranges)) == list(range(blocks))
    assert all(1 <= len(part) <= LARGEST_PART for part in ranges)


@pytest.mark.parametrize(("few", "many"), [(1, 9), (5, 6), (17, 40), (999, 5000), (20_000, 90_000)])
def test_parts_of_a_larger_run(few: int, many: int) -> None:
    """Of a larger run the first parts are the same; only the last one may have been shorter."""
    small, large = parts(few), parts(many)
    assert large[: len(small) - 1] == small[:-1]
    last = large[len(small) - 1]
    assert small[-1].start == last.start
    assert small[-1].stop <= last.stop


def test_first_parts_are_small() -> None:
    """The first eight parts hold one block each, so that a slow run is saved early."""
    assert [len(part) for part in parts(100)[:17]] == [1] * 8 + [2] * 8 + [4]


def _meetings(schedule: Schedule) -> Counter[tuple[int, int]]:
    """How many blocks each pair of entries meets in."""
    counts: Counter[tuple[int, int]] = Counter()
    for block in schedule:
        counts.update(itertools.combinations(sorted(set(block.seatings[0])), 2))
    return counts
