"""Placements broken into pairs, against a slow twin written from the definition."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_sim.stats import PairCounts, concatenate, placement_pairs

pytestmark = pytest.mark.filterwarnings("error")

Table = dict[tuple[int, int, int], tuple[int, float]]


def as_table(pairs: PairCounts) -> Table:
    return {
        (b, i, j): (n, w)
        for b, i, j, n, w in zip(
            pairs.block.tolist(),
            pairs.i.tolist(),
            pairs.j.tolist(),
            pairs.games.tolist(),
            pairs.wins.tolist(),
            strict=True,
        )
    }


def slow_pairs(games: list[tuple[int, list[tuple[int, float, int]]]]) -> Table:
    """Count seat by seat; a game is (block, [(entry, place, team), ...])."""
    number: Counter[tuple[int, int, int]] = Counter()
    won: Counter[tuple[int, int, int]] = Counter()
    for block, seats in games:
        for (e, p, t), (f, q, u) in combinations(seats, 2):
            if e == f or (t >= 0 and t == u):
                continue
            key = (block, min(e, f), max(e, f))
            number[key] += 1
            p_first, q_first = (p, q) if e < f else (q, p)
            won[key] += 1.0 if p_first < q_first else 0.5 if p_first == q_first else 0.0
    return {key: (number[key], float(won[key])) for key in number}


def columns(games: list[tuple[int, list[tuple[int, float, int]]]]) -> dict[str, Any]:
    rows = [(b, g, *seat) for g, (b, seats) in enumerate(games) for seat in seats]
    block, game, entry, place, team = zip(*rows, strict=True)
    return {"block": block, "game": game, "entry": entry, "place": place, "team": team}


def test_one_game_by_hand() -> None:
    """Four seats, a shared second place: six pairs, one of them half a win each."""
    pairs = placement_pairs([9] * 4, [0] * 4, [2, 0, 3, 1], [1, 2.5, 2.5, 4])

    assert as_table(pairs) == {
        (9, 0, 1): (1, 1.0),
        (9, 0, 2): (1, 0.0),
        (9, 0, 3): (1, 0.5),
        (9, 1, 2): (1, 0.0),
        (9, 1, 3): (1, 0.0),
        (9, 2, 3): (1, 1.0),
    }


def test_seats_of_one_entry_are_not_compared() -> None:
    """One A against three B: three comparisons, added up into one row."""
    pairs = placement_pairs([0] * 4, [0] * 4, [1, 0, 1, 1], [1, 2, 3, 4])

    assert as_table(pairs) == {(0, 0, 1): (3, 2.0)}


def test_partners_are_not_compared() -> None:
    """Seats of one team are left out; negative means no team, and is no common team."""
    rows = {"block": [0] * 4, "game": [0] * 4, "entry": [0, 1, 2, 3], "place": [1, 2, 3, 4]}

    assert set(as_table(placement_pairs(**rows, team=[0, 1, 0, 1]))) == {
        (0, 0, 1),
        (0, 0, 3),
        (0, 1, 2),
        (0, 2, 3),
    }
    assert as_table(placement_pairs(**rows, team=[-1] * 4)) == as_table(placement_pairs(**rows))


@pytest.mark.parametrize("teams", [2, 3, 4, 5])
def test_games_in_teams(teams: int) -> None:
    """Partners sit opposite and share a place; every seat meets all but its partner."""
    rng = np.random.default_rng(teams)
    games = []
    for block in range(20):
        place = rng.integers(1, teams + 1, teams)
        entry = rng.integers(0, 4, 2 * teams)
        games.append(
            (block, [(int(entry[s]), int(place[s % teams]), s % teams) for s in range(2 * teams)])
        )

    assert as_table(placement_pairs(**columns(games))) == slow_pairs(games)
    apart = [(b, [(s, place, team) for s, (_, place, team) in enumerate(g)]) for b, g in games]
    met = as_table(placement_pairs(**columns(apart)))
    assert {games for games, _ in met.values()} == {1}
    assert len(met) == 20 * teams * (2 * teams - 2)
    assert not any(j - i == teams for _, i, j in met)


games_of_any_size = st.integers(2, 11).flatmap(
    lambda seats: st.lists(
        st.tuples(
            st.integers(-2, 4),
            st.lists(
                st.tuples(st.integers(0, 5), st.integers(1, 4), st.integers(-1, 4)),
                min_size=seats,
                max_size=seats,
            ),
        ),
        min_size=1,
        max_size=12,
    )
)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(games=games_of_any_size)
def test_equals_a_slow_twin(games: list[tuple[int, list[tuple[int, float, int]]]]) -> None:
    """For two to eleven seats, teams, ties and blocks in any order, counting by hand agrees."""
    pairs = placement_pairs(**columns(games))

    assert as_table(pairs) == slow_pairs(games)
    key = list(zip(pairs.block, pairs.i, pairs.j, strict=True))
    assert key == sorted(key)


@settings(deadline=None, derandomize=True, max_examples=50)
@given(data=st.data())
def test_order_of_games_does_not_matter(data: st.DataObject) -> None:
    """Games in another order, and their seats in another order, give the same rows."""
    games = data.draw(games_of_any_size)
    shuffled = [(b, data.draw(st.permutations(s))) for b, s in data.draw(st.permutations(games))]

    one, other = placement_pairs(**columns(games)), placement_pairs(**columns(shuffled))

    for name in ("block", "i", "j", "games", "wins"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_parts_concatenate_to_the_whole() -> None:
    """Parts with blocks of their own, one after the other, give what the whole run gives."""
    rng = np.random.default_rng(5)
    rows = {
        "block": np.repeat(np.arange(30), 16),
        "game": np.repeat(np.arange(120), 4),
        "entry": np.argsort(rng.random((120, 6)), axis=1)[:, :4].ravel(),
        "place": np.argsort(rng.random((120, 4)), axis=1).ravel(),
    }
    cuts = [slice(0, 160), slice(160, 176), slice(176, 480)]

    joined = concatenate([placement_pairs(**{k: v[cut] for k, v in rows.items()}) for cut in cuts])

    assert as_table(joined) == as_table(placement_pairs(**rows))
    assert joined.block.size == placement_pairs(**rows).block.size


def test_win_matrix_adds_blocks_up() -> None:
    """Wins of i over j and of j over i add up to the comparisons of the two."""
    pairs = PairCounts(
        block=np.array([0, 1, 1]),
        i=np.array([0, 0, 1]),
        j=np.array([1, 1, 3]),
        games=np.array([4, 2, 3]),
        wins=np.array([2.5, 2.0, 0.0]),
    )

    expected = np.zeros((4, 4))
    expected[0, 1], expected[1, 0], expected[3, 1] = 4.5, 1.5, 3.0
    np.testing.assert_array_equal(pairs.win_matrix(4), expected)


def test_game_numbers_may_start_again_in_each_block() -> None:
    """A game is known by block and number, so neighbouring blocks may both have a game 0."""
    pairs = placement_pairs([0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 1], [1, 2, 1, 2])

    assert as_table(pairs) == {(0, 0, 1): (1, 1.0), (1, 0, 1): (1, 1.0)}


@pytest.mark.parametrize("team", [None, []], ids=["without-teams", "with-teams"])
def test_no_rows_give_no_pairs(team: list[int] | None) -> None:
    """An empty part is an empty result with columns of the right type."""
    pairs = placement_pairs([], [], [], [], team)

    assert pairs.block.size == 0
    assert pairs.wins.dtype == np.float64
    assert pairs.games.dtype == np.int64
    np.testing.assert_array_equal(pairs.win_matrix(2), np.zeros((2, 2)))


def test_selfplay_gives_no_pairs() -> None:
    """A table of four copies compares nothing."""
    assert placement_pairs([0] * 4, [0] * 4, [0] * 4, [1, 2, 3, 4]).block.size == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"game": [0, 0, 0, 1]}, "same number of contiguous rows", id="sizes"),
        pytest.param({"game": [0, 1, 0, 1]}, "game 0 of block 0 are not contiguous", id="mixed"),
        pytest.param({"block": [0, 0, 0, 1]}, "same number of contiguous rows", id="two-blocks"),
        pytest.param({"entry": [0, 1, -1, 1]}, "entry must not be negative", id="entry"),
        pytest.param({"entry": [0, 1, 2**40, 1]}, "too large", id="entry-overflow"),
        pytest.param({"place": [1, 2, 1, np.nan]}, "finite, got nan in row 3", id="place"),
        pytest.param({"team": [0, 1]}, "team must have 4 rows", id="team"),
        pytest.param({"game": [0.0, 0.0, 1.0, 1.0]}, "flat array of integers", id="float-game"),
    ],
)
def test_refuses_bad_columns(change: dict[str, Any], message: str) -> None:
    """Rows that are not whole games of one size are errors that say where."""
    good = {"block": [0] * 4, "game": [0, 0, 1, 1], "entry": [0, 1, 0, 1], "place": [1, 2, 2, 1]}

    with pytest.raises(ValueError, match=message):
        placement_pairs(**good | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"i": [1]}, "0 <= i < j", id="order"),
        pytest.param({"i": [-1]}, "0 <= i < j", id="negative"),
        pytest.param({"wins": [3.5]}, "wins between 0 and games", id="wins"),
        pytest.param({"games": [0], "wins": [0.0]}, "at least one game", id="empty-row"),
        pytest.param({"wins": [1.0, 2.0]}, "wins must have 1 rows", id="length"),
    ],
)
def test_pair_counts_check_themselves(change: dict[str, Any], message: str) -> None:
    """Counts that no games could have given are refused."""
    good = {"block": [0], "i": [0], "j": [1], "games": [3], "wins": [1.0]}

    with pytest.raises(ValueError, match=message):
        PairCounts(**good | change)


def test_win_matrix_refuses_too_few_entries() -> None:
    """A pair outside the matrix is an error, not a wrong cell."""
    pairs = placement_pairs([0, 0], [0, 0], [0, 5], [1, 2])

    with pytest.raises(ValueError, match=r"entry must lie in 0..4"):
        pairs.win_matrix(5)
