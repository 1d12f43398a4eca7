"""Playing cards and winning tricks: the part of the rules that a playout needs."""

from __future__ import annotations

from typing import Any

from hearts_sim.engine._jit import inlined, kernel


@kernel
def clear_play(rules: Any, play: Any) -> None:
    """Begin the play of a hand: nothing taken, hearts unbroken."""
    for seat in range(rules.players):
        play.taken[seat] = 0
        play.points[seat] = 0
    play.broken = 0
    play.done = 0
    clear_trick(play)


@inlined
def clear_trick(play: Any) -> None:
    """An empty table in front of the next leader."""
    play.count = 0
    play.trick = 0
    play.trick_points = 0
    play.led = -1
    play.best = -1


@inlined
def play_card(rules: Any, play: Any, card: int) -> None:
    """The seat in turn puts a legal card on the table.

    Parameters
    ----------
    rules : record of dtype `RULES`
    play : record of dtype `PLAY`
    card : int
        0..51; not checked here.
    """
    seat = play.turn
    bit = 1 << card
    play.hands[seat] ^= bit
    play.trick |= bit
    play.trick_points += rules.cost[card]
    if bit & rules.breakers:
        play.broken = 1
    suit = card // 13
    if play.count == 0:
        play.led = suit
        play.best = card
        play.winner = seat
    elif suit == play.led and card > play.best:
        play.best = card
        play.winner = seat
    play.count += 1
    seat += 1
    play.turn = 0 if seat == rules.players else seat


@inlined
def take_trick(play: Any) -> None:
    """The winner of a complete trick takes it and leads to the next."""
    winner = play.winner
    play.taken[winner] |= play.trick
    play.points[winner] += play.trick_points
    play.leader = winner
    play.turn = winner
    play.done += 1
    clear_trick(play)
