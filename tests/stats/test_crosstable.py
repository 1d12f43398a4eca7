"""Comparisons counted by line-up, against plain loops over blocks."""

from collections import Counter
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from hearts_sim.stats import (
    Crosstable,
    PairCounts,
    _clusters,
    bradley_terry,
    concatenate,
    placement_pairs,
)
from hearts_sim.stats import crosstable as module

pytestmark = pytest.mark.filterwarnings("error")

COLUMNS = ("block", "i", "j", "games", "wins")


def play(blocks: int, tables: list[list[int]], seed: int = 0) -> dict[str, np.ndarray]:
    """Play blocks of two games, each at one of the tables, with ties."""
    rng = np.random.default_rng(seed)
    seats = len(tables[0])
    table = np.array(tables)[rng.integers(0, len(tables), blocks)]
    return {
        "block": np.repeat(np.arange(blocks), 2 * seats),
        "game": np.repeat(np.arange(2 * blocks), seats),
        "entry": np.repeat(table, 2, axis=0).ravel(),
        "place": rng.integers(1, seats + 1, 2 * blocks * seats),
    }


def rows_of(pairs: PairCounts) -> list[tuple[int, int, int, int, float]]:
    return list(zip(*(getattr(pairs, name).tolist() for name in COLUMNS), strict=True))


def from_rows(rows: list[tuple[int, int, int, int, float]]) -> PairCounts:
    block, i, j, games, wins = np.array(rows, dtype=float).reshape(-1, 5).T
    return PairCounts(*(column.astype(int) for column in (block, i, j, games)), wins=wins)


def assert_same(one: Crosstable | None, other: Crosstable | None) -> None:
    """To the last bit."""
    assert (one is None) == (other is None)
    if one is None or other is None:
        return
    for field in fields(Crosstable):
        if field.name != "by_game":
            np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))
    assert_same(one.by_game, other.by_game)


def slow_products(pairs: PairCounts, theta: np.ndarray) -> np.ndarray:
    """Sum the outer products of the score vectors, block by block."""
    scores: dict[int, np.ndarray] = {}
    for block, i, j, games, wins in rows_of(pairs):
        score = scores.setdefault(block, np.zeros(theta.size))
        residual = wins - games * expit(theta[i] - theta[j])
        score[i] += residual
        score[j] -= residual
    return np.array(sum((np.outer(u, u) for u in scores.values()), np.zeros((theta.size,) * 2)))


some_rows = st.lists(
    st.tuples(
        st.integers(-3, 3), st.sampled_from([(0, 1), (0, 2), (1, 2), (2, 4)]), st.integers(1, 3)
    ).flatmap(
        lambda row: st.integers(0, 2 * row[2]).map(
            lambda halves: (row[0], *row[1], row[2], halves / 2)
        )
    ),
    max_size=30,
)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(rows=some_rows)
def test_equals_plain_loops(rows: list[tuple[int, int, int, int, float]]) -> None:
    """Any rows, blocks in pieces included: counts, line-ups and the sandwich's middle by hand."""
    pairs = from_rows(rows)

    table = Crosstable.from_pairs(pairs, 5)

    games: Counter[tuple[int, int, int]] = Counter()
    for block, i, j, number, _ in rows:
        games[block, i, j] += number
    blocks = {row[0] for row in rows}
    line_ups = Counter(
        frozenset((i, j, n) for (b, i, j), n in games.items() if b == block) for block in blocks
    )
    found = Counter(
        {
            frozenset(
                (i, j, n)
                for c, i, j, n in zip(table.line_up, table.i, table.j, table.games, strict=True)
                if c == line_up
            ): int(number)
            for line_up, number in enumerate(table.blocks)
        }
    )
    assert found == line_ups
    np.testing.assert_array_equal(table.win_matrix(), pairs.win_matrix(5))
    took_part = [len({b for b, i, j in games if e in (i, j)}) for e in range(5)]
    assert table.entry_blocks().tolist() == took_part
    kept = table.j < 4
    for some, rows_kept in ((table.shared_blocks(), None), (table.shared_blocks(kept), 4)):
        present = [
            {b for b, i, j in games if e in (i, j) and (rows_kept is None or j < rows_kept)}
            for e in range(5)
        ]
        assert some.tolist() == [[len(one & other) for other in present] for one in present]
    theta = np.linspace(-1, 2, 5)
    middle = table.score_products(expit(theta[table.i] - theta[table.j]))
    np.testing.assert_allclose(middle, slow_products(pairs, theta), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(middle, middle.T)


@settings(deadline=None, derandomize=True, max_examples=50)
@given(rows=some_rows, data=st.data())
def test_order_and_parts_do_not_matter(
    rows: list[tuple[int, int, int, int, float]], data: st.DataObject
) -> None:
    """Shuffled rows, and tables of disjoint blocks merged in any order, are the same table."""
    whole = Crosstable.from_pairs(from_rows(rows), 5)
    shuffled = from_rows(data.draw(st.permutations(rows)))
    part = data.draw(st.lists(st.integers(0, 2), min_size=7, max_size=7))
    pieces = [
        Crosstable.from_pairs(from_rows([row for row in rows if part[row[0] + 3] == p]), 5)
        for p in data.draw(st.permutations(range(3)))
    ]

    assert_same(Crosstable.from_pairs(shuffled, 5), whole)
    assert_same(pieces[0] + pieces[1] + pieces[2], whole)
    assert_same(pieces[0] + (pieces[1] + pieces[2]), whole)


def test_a_block_in_two_parts_is_joined_before_it_is_counted() -> None:
    """The pairs of a split block are concatenated to one block; two tables would count two."""
    rows = [(0, 0, 1, 2, 1.5), (0, 0, 1, 2, 2.0), (1, 0, 1, 4, 1.0)]
    first, second = from_rows(rows[:1]), from_rows(rows[1:])

    joined = Crosstable.from_pairs(concatenate([first, second]), 2)

    assert_same(joined, Crosstable.from_pairs(from_rows([(0, 0, 1, 4, 3.5), rows[2]]), 2))
    apart = Crosstable.from_pairs(first, 2) + Crosstable.from_pairs(second, 2)
    assert (joined.blocks.sum(), apart.blocks.sum()) == (2, 3)


def test_renamed_entries_are_permuted() -> None:
    """Other numbers for the entries give the same counts under these numbers."""
    rename = np.array([3, 0, 4, 1, 2])
    rows = play(50, [[0, 1, 2], [1, 2, 3], [0, 3, 4], [2, 2, 4]])
    plain = Crosstable.from_placements(**rows, entries=5)

    renamed = Crosstable.from_placements(**rows | {"entry": rename[rows["entry"]]}, entries=5)

    move = np.ix_(rename, rename)
    np.testing.assert_array_equal(renamed.win_matrix()[move], plain.win_matrix())
    np.testing.assert_array_equal(renamed.squares[move], plain.squares)
    np.testing.assert_array_equal(renamed.entry_blocks()[rename], plain.entry_blocks())
    np.testing.assert_array_equal(np.sort(renamed.blocks), np.sort(plain.blocks))


def test_does_not_grow_with_games() -> None:
    """Ten times as many games at the same tables: arrays of the same size, ten times the counts."""
    tables = [[0, 1, 2, 3], [2, 3, 4, 5], [0, 2, 4, 5]]
    few = Crosstable.from_placements(**play(300, tables), entries=6)

    many = Crosstable.from_placements(**play(3000, tables), entries=6)

    for one, other in ((few, many), (few.by_game, many.by_game)):
        assert one is not None
        assert other is not None
        for field in fields(Crosstable):
            if field.name not in ("entries", "by_game"):
                assert getattr(one, field.name).shape == getattr(other, field.name).shape
        assert other.blocks.sum() == 10 * one.blocks.sum()
        assert one.blocks.size == 3
    merged = few + many + many
    assert merged.wins.shape == few.wins.shape
    assert merged.squares.nbytes + merged.wins.nbytes == 8 * (36 + 18)


def test_games_are_clusters_of_their_own() -> None:
    """The second count is that of pairs whose block is the game, even where numbers repeat."""
    rows = play(40, [[0, 1, 2], [1, 2, 3]])
    repeated = rows | {"game": rows["game"] % 2}

    table = Crosstable.from_placements(**repeated, entries=4)

    by_game = placement_pairs(**rows | {"block": rows["game"]})
    assert_same(table.by_game, Crosstable.from_pairs(by_game, 4))
    assert_same(table, Crosstable.from_pairs(placement_pairs(**rows), 4, by_game))


def test_parts_with_games_merge_to_the_whole() -> None:
    """Games are merged along with blocks, partners left out of both."""
    rows = play(60, [[0, 1, 2, 3], [1, 2, 3, 4]]) | {"team": np.tile([0, 1, 0, 1], 120)}
    parts = [slice(0, 80), slice(80, 480)]

    first, second = (
        Crosstable.from_placements(**{k: v[part] for k, v in rows.items()}, entries=5)
        for part in parts
    )

    whole = Crosstable.from_placements(**rows, entries=5)
    assert_same(first + second, whole)
    assert whole.comparisons().sum() == 120 * 4
    assert (first + Crosstable.from_pairs(placement_pairs(**rows), 5)).by_game is None


def test_codes_that_collide_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Line-ups that share a hash code are found out, and get codes from another salt."""
    mix, turns = module._mix, []

    def weak(value: np.ndarray) -> np.ndarray:
        turns.append(value.size)
        return np.zeros_like(value) if len(turns) <= 4 else mix(value)

    pairs = placement_pairs(**play(30, [[0, 1, 2], [1, 2, 3], [0, 0, 3]]))
    honest = Crosstable.from_pairs(pairs, 4)
    monkeypatch.setattr(module, "_mix", weak)

    table = Crosstable.from_pairs(pairs, 4)

    assert len(turns) == 6
    assert sorted(table.blocks.tolist()) == sorted(honest.blocks.tolist())
    np.testing.assert_array_equal(table.win_matrix(), honest.win_matrix())


def test_no_spread_is_exactly_none() -> None:
    """The same 3 : 1 in every block, a third of a million times, varies by nothing."""
    rows = PairCounts(
        np.arange(333_333), *(np.full(333_333, value) for value in (0, 1, 4)), np.full(333_333, 3.0)
    )

    ratings = bradley_terry(rows, 2, prior_sd=np.inf)

    assert ratings.se.max() < 1e-6
    table = Crosstable.from_pairs(rows, 2)
    np.testing.assert_array_equal(table.score_products(np.array([0.75])), np.zeros((2, 2)))


def test_sparse_and_plain_sums_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is a plain array in a small field and a sparse one in a large field gives equal bits."""
    rows = play(80, [[0, 1, 2, 3], [2, 3, 4, 5], [0, 2, 4, 5], [1, 1, 3, 5]])

    def all_of_it() -> tuple[Crosstable, Any]:
        table = Crosstable.from_placements(**rows, entries=6)
        return table, bradley_terry(table)

    plain, plain_ratings = all_of_it()
    monkeypatch.setattr(_clusters, "_DENSE", 0)
    sparse, sparse_ratings = all_of_it()

    assert_same(sparse, plain)
    np.testing.assert_array_equal(sparse.shared_blocks(), plain.shared_blocks())
    np.testing.assert_array_equal(sparse_ratings.covariance, plain_ratings.covariance)


def test_nothing_counted() -> None:
    """Self-play and no games at all are an empty table, which adds nothing."""
    empty = Crosstable.from_placements([], [], [], [], entries=3)
    selfplay = Crosstable.from_placements([0, 0], [0, 0], [1, 1], [1, 2], entries=3)
    some = Crosstable.from_placements([0, 0], [0, 0], [1, 2], [1, 2], entries=3)

    assert_same(empty, selfplay)
    assert_same(empty + some, some)
    assert empty.blocks.size == empty.i.size == 0
    np.testing.assert_array_equal(empty.score_products(np.zeros(0)), np.zeros((3, 3)))
    assert bradley_terry(empty).unrated.all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"entries": 2}, r"entry must lie in 0\.\.1", id="entries"),
        pytest.param({"by_game": from_rows([(0, 0, 1, 1, 1.0)])}, "same comparisons", id="games"),
    ],
)
def test_refuses_other_comparisons(change: dict[str, Any], message: str) -> None:
    """Entries outside the field, and games that are not those of the blocks, are errors."""
    pairs = from_rows([(0, 0, 2, 1, 1.0)])

    with pytest.raises(ValueError, match=message):
        Crosstable.from_pairs(pairs, **{"entries": 3} | change)


def test_refuses_to_merge_other_fields() -> None:
    """Tables of fields of different size do not add up, and neither do other things."""
    one, other = (Crosstable.from_pairs(from_rows([(0, 0, 1, 1, 1.0)]), k) for k in (2, 3))

    with pytest.raises(ValueError, match="same entries, got 2 and 3"):
        one + other
    with pytest.raises(TypeError):
        one + 1  # type: ignore[operator]
