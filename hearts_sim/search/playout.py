"""Playing a hand to its end, by the engine's own rules, on a copy of the state of play."""

from __future__ import annotations

from typing import Any

from hearts_sim.cards import MAX_SEATS
from hearts_sim.engine.bits import index
from hearts_sim.engine.legal import follows_simply, legal_follows, legal_leads, suit_mask
from hearts_sim.engine.memory import rules_at, stream_at, words_at
from hearts_sim.engine.play import find_taker, finish_trick, follow_card, lead_card
from hearts_sim.engine.rng import next_word
from hearts_sim.engine.wide import give_kitty, is_wide
from hearts_sim.search._jit import inlined, kernel
from hearts_sim.search.linked import address_of, hands_at, linked, table_at
from hearts_sim.search.memory import wide_rules_at
from hearts_sim.search.policy import (
    NOBODY,
    SEVERAL,
    SHOOTS,
    USUAL,
    answer,
    lead,
    random_card,
)


@kernel
def play_randomly(rules: Any, table: Any, hands: Any, stream: Any) -> int:
    """Play legal cards at random until all are out; returns how many were played.

    Parameters
    ----------
    table : record of dtype `TABLE`
    hands : record of dtype `HANDS`
    stream : ndarray of two uint64
    """
    cards = 0
    while table.trick_number <= rules.hand_size:
        if table.trick_size == 0:
            legal = legal_leads(rules, table, hands, hands.cards[index(table.turn)])
            lead_card(rules, table, hands, random_card(stream, legal))
            cards += 1
        led = suit_mask(table.led_suit)
        simply = follows_simply(rules, table)
        while table.trick_size < rules.players:
            hand = hands.cards[index(table.turn)]
            legal = legal_follows(rules, table, hand, led, simply)
            follow_card(rules, table, hands, random_card(stream, legal), led)
            cards += 1
        finish_trick(rules, table, find_taker(rules, table))
    if is_wide(rules):
        give_kitty(rules, table, hands)
    return cards


@inlined
def sole_taker(rules: Any, table: Any) -> int:
    """Side that has taken all penalty cards so far; `NOBODY`, `SEVERAL`."""
    sole = NOBODY
    for seat in range(rules.players):
        if table.taken[seat] & rules.moon_cards:
            side = rules.moon_side[seat]
            if sole == NOBODY:
                sole = side
            elif sole != side:
                sole = SEVERAL
    return sole


@inlined
def decided(rules: Any, table: Any, out: int) -> bool:
    """Whether no card that is out can change the score any more."""
    return out & (rules.penalty_cards | rules.bonus_cards) == 0 and not (
        rules.no_trick_bonus or rules.sun or is_wide(rules)
    )


@kernel
def play_sensibly(
    rules: Any, table: Any, hands: Any, stream: Any, moods: Any, danger: Any, threat: int
) -> None:
    """Play by `policy` until the score of the hand is certain.

    Parameters
    ----------
    moods : ndarray of int64, by seat
        `USUAL` or `SHOOTS`; changed when a moon is over.
    danger : ndarray of 52 int64
        As `policy.fill_danger` sets it.
    threat : int
        Points from which on one seat with all of them is stopped by the others.
    """
    out = 0
    for seat in range(rules.players):
        out |= hands.cards[seat]
    sole = sole_taker(rules, table)
    if sole == SEVERAL:
        moods[:] = USUAL
    while table.trick_number <= rules.hand_size:
        if table.trick_size == 0 and decided(rules, table, out):
            return
        while table.trick_size < rules.players:
            seat = table.turn
            hand = hands.cards[index(seat)]
            noise = next_word(stream)
            shoots = moods[index(seat)] == SHOOTS
            others = out & ~hand
            if table.trick_size == 0:
                legal = legal_leads(rules, table, hands, hand)
                card = lead(rules, hand, legal, others, shoots, noise)
                lead_card(rules, table, hands, card)
            else:
                led = suit_mask(table.led_suit)
                legal = legal_follows(rules, table, hand, led, follows_simply(rules, table))
                threatens = False
                if sole >= 0 and rules.moon_side[index(seat)] != sole and table.winning_seat >= 0:
                    winner = table.winning_seat
                    if rules.moon_side[index(winner)] == sole:
                        threatens = table.points[index(winner)] >= threat
                card = answer(
                    rules,
                    table,
                    seat,
                    hand,
                    legal,
                    led,
                    others,
                    shoots,
                    threatens,
                    danger,
                    noise,
                )
                follow_card(rules, table, hands, card, led)
            out ^= 1 << card
        # With one pack, no trick stays without a winner.
        taker = table.winning_seat
        if sole != SEVERAL and table.trick_cards & rules.moon_cards:
            side = rules.moon_side[index(taker)]
            if sole == NOBODY:
                sole = side
                for seat in range(rules.players):
                    if rules.moon_side[seat] != side:
                        moods[seat] = USUAL
            elif sole != side:
                sole = SEVERAL
                moods[:] = USUAL
        finish_trick(rules, table, taker)
    if is_wide(rules):
        give_kitty(rules, table, hands)


@kernel
def play_either_way(
    rules: Any,
    table: Any,
    hands: Any,
    stream: int,
    moods: int,
    danger: int,
    sensible: int,
    threat: int,
) -> None:
    """Play to the end, sensibly or at random; the last but two are given by their addresses."""
    if sensible:
        play_sensibly(
            rules,
            table,
            hands,
            stream_at(stream),
            words_at(moods, MAX_SEATS),
            words_at(danger, 52),
            threat,
        )
    else:
        play_randomly(rules, table, hands, stream_at(stream))


@linked("void(int64, int64, int64, int64, int64, int64, int64, int64)")
def play_out_narrow(
    rules: int,
    table: int,
    hands: int,
    stream: int,
    moods: int,
    danger: int,
    sensible: int,
    threat: int,
) -> None:
    """As `play_out`, by addresses."""
    play_either_way(
        rules_at(rules), table_at(table), hands_at(hands), stream, moods, danger, sensible, threat
    )


@linked("void(int64, int64, int64, int64, int64, int64, int64, int64)", later=True)
def play_out_wide(
    rules: int,
    table: int,
    hands: int,
    stream: int,
    moods: int,
    danger: int,
    sensible: int,
    threat: int,
) -> None:
    """As `play_out_narrow`, for a game with a kitty."""
    play_either_way(
        wide_rules_at(rules),
        table_at(table),
        hands_at(hands),
        stream,
        moods,
        danger,
        sensible,
        threat,
    )


@inlined
def play_out(
    rules: Any, table: Any, hands: Any, stream: Any, moods: Any, danger: Any, plan: Any
) -> None:
    """Play to the end in the way that a `plan.Plan` says; the rest is as of `play_sensibly`."""
    where, state, cards = address_of(rules), address_of(table), address_of(hands)
    numbers, going, feared = stream.ctypes.data, moods.ctypes.data, danger.ctypes.data
    sensible, threat = plan.sensible, plan.threat
    if is_wide(rules):
        play_out_wide(where, state, cards, numbers, going, feared, sensible, threat)
    else:
        play_out_narrow(where, state, cards, numbers, going, feared, sensible, threat)
