"""The totals of a game: who is to get the points that one gives away."""

from hearts_sim.strategy.toolkit import helper

from ._weights import END, NEAR


@helper
def aims(view, weights):
    """What a point is worth that goes to the seat that wins the trick so far.

    Who leads wants the game to end, so it gives to the seat nearest the target; who does not gives
    to the leader, and nothing to one whom it takes over the target.
    """
    if weights[END] == 0.0 or view.target <= 0 or view.deals or view.team_count or view.win_highest:
        return 0.0
    if view.trick_size == 0 or view.winning_seat == view.seat:
        return 0.0
    mine = total(view, view.seat)
    least, most = -1, -1
    for seat in range(view.players):
        if seat != view.seat:
            if least < 0 or total(view, seat) < total(view, least):
                least = seat
            if most < 0 or total(view, seat) > total(view, most):
                most = seat
    near = max(0.0, max(total(view, most), mine) / view.target)
    worth = weights[END]
    for _ in range(int(weights[NEAR])):
        worth *= near
    if mine <= total(view, least):
        return worth if view.winning_seat == most else 0.0
    if view.winning_seat == least:
        return worth
    return -worth if view.winning_seat == most else 0.0


@helper
def total(view, seat):
    """Total of a seat if the hand ended now."""
    return view.scores[seat] + view.points[seat]
