"""Measures of play other than plain points: points less those of the table, or of the deal."""

import numpy as np
from numpy.typing import ArrayLike

from hearts_sim.stats import _clusters
from hearts_sim.stats._clusters import Floats, Ints


def net_points(
    game: ArrayLike, points: ArrayLike, side: ArrayLike | None = None
) -> tuple[Ints, Ints]:
    """Points of each seat less the mean of its opponents' at the same table, as a fraction.

    What a deal gives to everybody at the table drops out. The net points of a table without sides
    sum to 0.

    Parameters
    ----------
    game : array_like of int, shape (n,)
        Game of each row; a row is one seat of one game. The rows of a game are contiguous, and
        every game has the same number of them.
    points : array_like of int, shape (n,)
        Points of the seat.
    side : array_like of int, shape (n,), optional
        Side of the seat. Seats of one side are partners, negative for none; without `side`
        everybody plays alone.

    Returns
    -------
    total, weight : ndarray of int64, shape (n,)
        Net points are ``total / weight``. `weight` is the number of opponents, and `total` is
        `weight` times the own points less the sum of the opponents'. Both are 0 for a seat
        without opponents.

    Raises
    ------
    ValueError
        Columns of unequal length or wrong type, games of different size or scattered over the
        rows.

    Notes
    -----
    The unit is that of `points` and so is the sign: where points are penalties, above 0 is worse
    than the table. Whole numbers keep sums exact, so that ``RatioSums.add(block, entry, total,
    weight * hands, game)`` estimates net points per hand.

    Without sides, where the points of every hand sum to the same, net points are points less a
    constant, in another scale; they say something else where a moon or another rule changes the
    sum.

    References
    ----------
    Cochran (1977), "Sampling Techniques", 3rd ed., chapter 7 (regression estimates, of which
    a difference is the one with slope 1).
    """
    game_of_rows = _clusters.integers("game", game)
    rows = game_of_rows.size
    points_of_rows = _clusters.integers("points", points, rows)
    side_of_rows = None if side is None else _clusters.integers("side", side, rows)
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)

    table = points_of_rows.reshape(-1, _seats_per_game(game_of_rows))
    seats = table.shape[1]
    if side_of_rows is None:
        total = seats * table - table.sum(axis=1, keepdims=True)
        return total.ravel(), np.full(rows, seats - 1, dtype=np.int64)

    sides = side_of_rows.reshape(table.shape)
    total = np.zeros_like(table)
    weight = np.zeros_like(table)
    for seat in range(1, seats):  # each seat meets the one that sits so many places on
        opposite = np.roll(sides, seat, axis=1)
        opposed = (sides != opposite) | (sides < 0)
        total += opposed * (table - np.roll(table, seat, axis=1))
        weight += opposed
    return total.ravel(), weight.ravel()


def datum_points(deal: ArrayLike, seat: ArrayLike, points: ArrayLike) -> Floats:
    """Points less the datum, the mean of what this seat got on this deal whenever it was played.

    What the cards of a seat are worth drops out, and what was made of them is left.

    Parameters
    ----------
    deal : array_like of int, shape (n,)
        Deal of each row, any numbers in any order.
    seat : array_like of int, shape (n,)
        Seat, from 0 up: the hand of cards that was played.
    points : array_like, shape (n,)
        Points of that seat on that deal.

    Returns
    -------
    ndarray of float64, shape (n,)
        Unit and sign of `points`: where points are penalties, above 0 is worse than the others
        did with these cards. Exactly 0 where all rows of the deal and seat have equal points.

    Raises
    ------
    ValueError
        Columns of unequal length or wrong type, a negative seat, points that are not finite.

    Notes
    -----
    As in bridge the own row is part of the datum, so that the results of a deal and seat sum to 0;
    over m rows the difference to the mean of the others is m / (m - 1) times as large. Unlike in
    bridge no extreme result is left out, nothing is rounded, and the scale stays that of points.

    References
    ----------
    "The Official Encyclopedia of Bridge" (American Contract Bridge League), on Butler scoring.
    """
    deal_of_rows = _clusters.integers("deal", deal)
    rows = deal_of_rows.size
    seat_of_rows = _clusters.integers("seat", seat, rows)
    points_of_rows = _clusters.finite_floats("points", points, rows)
    if rows and seat_of_rows.min() < 0:
        msg = f"seat must not be negative, got {seat_of_rows.min()}"
        raise ValueError(msg)

    if not rows:
        return np.zeros(0)
    seats = int(seat_of_rows.max()) + 1
    low = int(deal_of_rows.min())
    hands = (int(deal_of_rows.max()) - low + 1) * seats
    if hands <= _clusters.DENSE * rows:
        hand = (deal_of_rows - low) * seats + seat_of_rows
    else:
        _, deal_index = _clusters.number_blocks(deal_of_rows)
        _, seat_index = _clusters.number_blocks(seat_of_rows)
        distinct, hand = _clusters.number_blocks(deal_index * (seat_index.max() + 1) + seat_index)
        hands = distinct.size
    origin = np.zeros(hands)
    origin[hand] = points_of_rows
    # From one of the hand's own values, so that equal fractions differ by exactly 0.
    ahead = points_of_rows - origin[hand]
    times = np.bincount(hand, minlength=hands)[hand]
    beside: Floats = (times * ahead - _clusters.sums(hand, ahead, hands)[hand]) / times
    return beside


def _seats_per_game(game: Ints) -> int:
    """Return the common number of rows per game, or raise ValueError."""
    starts = _clusters.starts_of_runs(game)
    size = np.diff(starts, append=game.size)
    seats = int(size[0])
    if np.any(size != seats):
        at = int(np.flatnonzero(size != seats)[0])
        msg = (
            f"every game must have the same number of contiguous rows: game {game[0]} has "
            f"{seats}, game {game[starts[at]]} has {size[at]}"
        )
        raise ValueError(msg)
    numbers = np.sort(game[starts])
    twice = np.flatnonzero(numbers[1:] == numbers[:-1])
    if twice.size:
        msg = f"the rows of game {numbers[twice[0]]} are not contiguous"
        raise ValueError(msg)
    return seats
