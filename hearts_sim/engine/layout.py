"""Records of the compiled core, field by field.

Every field is a 64-bit word, so that the same layout serves numba, ctypes and C. Sets of cards are
int64 masks. Arrays by seat have room for the largest table; seats are numbered clockwise from 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hearts_sim.cards import MAX_SEATS
from hearts_sim.rules import MAX_CYCLE

VIEW_VERSION: Final = 1
MAX_TRICKS: Final = 17
MOST_OPTIONS: Final = 64


def codes(number: int) -> tuple[Any, ...]:
    """Numbers 0, 1, ... for a list of constants of the compiled core.

    Not plain ints: numba would compile every function once more for each plain constant it gets.
    """
    return tuple(np.int64(code) for code in range(number))


# Which hook of a bot is called: `view.call`, and the index into a bot's table of addresses.
START_GAME, START_HAND, PASS, CARD, MOON, END_HAND = codes(6)
HOOKS: Final = ("start_game", "start_hand", "choose_pass", "choose_card", "choose_moon", "end_hand")

MOON_ADD, MOON_SUBTRACT = codes(2)

RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("hand_size", "i8"),
        ("deck_size", "i8"),
        ("deck_cards", "i8", 52),
        ("pass_count", "i8"),
        ("pass_forbidden", "i8"),
        ("cycle_length", "i8"),
        ("cycle", "i8", MAX_CYCLE),  # seats to the left, 0 hold, -1 scatter
        ("first_lead", "i8"),
        ("first_trick_ban", "i8"),
        ("first_trick_all_points", "i8"),
        ("hearts_lead_barred", "i8"),
        ("breakers", "i8"),
        ("hearts_instead_of_queen", "i8"),
        ("queen_lead_barred", "i8"),
        ("queen_discard_barred", "i8"),
        ("queen_forced", "i8"),
        ("point_cards", "i8"),
        ("penalty_cards", "i8"),
        ("penalty_count", "i8"),
        ("cost", "i8", 52),
        ("moon", "i8"),
        ("moon_points", "i8"),
        ("exact_target", "i8"),
        ("win_highest", "i8"),
        ("deals", "i8"),
        ("target", "i8"),
        ("pass_target", "i8"),  # 1: the target must be passed, 0: reached
        ("tie_draw", "i8"),
        ("tie_cap", "i8"),
        ("max_hands", "i8"),
    ],
    align=True,
)
"""The rules of a game, read only."""

HANDS: Final = np.dtype(
    [
        ("cards", "i8", MAX_SEATS),
        ("opening", "i8"),  # cards that may open the hand, 0 when any may
    ],
    align=True,
)
"""What is hidden: the hands."""

_STATE: Final = [
    ("turn", "i8"),
    ("leader", "i8"),
    ("trick_number", "i8"),
    ("trick_size", "i8"),
    ("trick_cards", "i8"),
    ("trick_points", "i8"),
    ("led_suit", "i8"),
    ("winning_card", "i8"),
    ("winning_seat", "i8"),
    ("hearts_broken", "i8"),
    ("taken", "i8", MAX_SEATS),
    ("points", "i8", MAX_SEATS),
]

TABLE: Final = np.dtype(_STATE, align=True)
"""The state of play that the rules need: with `HANDS`, all that a playout must copy.

The functions of the rules take any record with these fields; in a game it is the view itself.
"""

GAME: Final = np.dtype(
    [
        ("seed", "i8"),
        ("block", "i8"),
        ("seating", "i8"),
        ("number", "i8"),
        ("phase", "i8"),
        ("position", "i8"),  # seat whose hook is next within the phase
        ("hand_number", "i8"),
        ("totals", "i8", MAX_SEATS),
        ("latched", "i8"),  # how the end was reached, 0 before that
        ("ended", "i8"),
        ("extra_hands", "i8"),
        ("exact_winners", "i8"),  # mask of seats exactly on the target, with exact_target: win
        ("pass_offset", "i8"),
        ("pass_need", "i8"),
        ("passed", "i8", MAX_SEATS),
        ("received", "i8", MAX_SEATS),
        # What the log tells of the hand.
        ("hand_points", "i8", MAX_SEATS),
        ("raw", "i8", MAX_SEATS),
        ("adjust", "i8", MAX_SEATS),
        ("shooter", "i8"),
        ("moon_choice", "i8"),
        ("queen_by", "i8"),
        ("queen_how", "i8"),
        ("sole_taker", "i8"),  # seat with all penalty cards taken so far, -1 none, -2 several
        ("stopped_by", "i8", MAX_SEATS),
        # What the log tells of the game.
        ("sum_points", "i8", MAX_SEATS),
        ("sum_moons", "i8", MAX_SEATS),
        ("sum_queens", "i8", MAX_SEATS),
        # A decision that failed.
        ("fault", "i8"),
        ("fault_seat", "i8"),
        ("fault_call", "i8"),
        ("timed", "i8"),
        # Random streams of the hand, and scratch space of the deal.
        ("hand_key", "u8"),
        ("stream", "u8", 2),
        ("deck", "i8", 52),
    ],
    align=True,
)
"""A game in progress: whatever is neither the play of the hand nor public."""

VIEW: Final = np.dtype(
    [
        ("call", "i8"),
        ("answer", "i8"),
        # One's own seat.
        ("seat", "i8"),
        ("hand", "i8"),
        ("legal", "i8"),
        ("passed", "i8"),
        ("received", "i8"),
        ("own", "i8"),  # address of the seat's `OWN` record
        # The table.
        ("players", "i8"),
        ("hand_size", "i8"),
        ("hand_number", "i8"),
        ("pass_offset", "i8"),  # seats to the left, 0 hold, -1 scatter
        ("pass_count", "i8"),
        *_STATE,
        ("trick", "i8", MAX_SEATS),  # cards in the order played
        ("played", "i8"),
        ("cards_played", "i8"),
        ("played_by", "i8", MAX_SEATS),
        ("tricks_won", "i8", MAX_SEATS),
        ("voids", "i8", MAX_SEATS),  # bit per suit that the seat has shown to be void in
        ("scores", "i8", MAX_SEATS),
        ("history", "i8", MAX_TRICKS * MAX_SEATS),  # every card in the order played
        ("leaders", "i8", MAX_TRICKS),
        # The rules.
        ("deck", "i8"),
        ("point_cards", "i8"),
        ("penalty_cards", "i8"),
        ("cost", "i8", 52),
        ("moon", "i8"),
        ("moon_points", "i8"),
        ("win_highest", "i8"),
        ("target", "i8"),
        ("deals", "i8"),
    ],
    align=True,
)
"""What a bot sees; nothing else is reachable from it."""

OWN: Final = np.dtype(
    [
        ("rng", "u8", 2),  # state of the seat's random stream
        ("options", "i8"),  # address of the options, float64
        ("memory", "i8"),  # address of the scratch memory
        ("memory_size", "i8"),  # in words of 8 bytes
    ],
    align=True,
)
"""What belongs to one player on one seat."""

OWN_RNG, OWN_OPTIONS, OWN_MEMORY, OWN_MEMORY_SIZE = 0, 2, 3, 4
"""The same by words."""

BOT: Final = np.dtype(
    [
        ("entry", "i8"),
        ("compiled", "i8"),  # 1: numba's own calling convention, 0: the public one
        ("hooks", "i8", len(HOOKS)),  # addresses, 0 where the bot has no such hook
        ("own", "i8"),  # address of its `OWN` record
        # Decisions on cards, and the time of all hooks, in games that are timed.
        ("decisions", "i8"),
        ("nanoseconds", "i8"),
    ],
    align=True,
)
"""Who sits on a seat."""

JOB: Final = np.dtype(
    [
        ("block", "i8"),
        ("seating", "i8"),
        ("number", "i8"),
        ("timed", "i8"),
        ("entries", "i8", MAX_SEATS),
    ],
    align=True,
)
"""One game to play."""
