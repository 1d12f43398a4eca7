"""Records of the compiled core, field by field.

Every field is a 64-bit word, so that the same layout serves numba, ctypes and C. Sets of cards are
int64 masks. With two packs a card may be there twice: then the set has it once, and a second set,
the field of the same name with ``_twice``, has those that are there twice. Arrays by seat have room
for the largest table; seats are numbered clockwise from 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hearts_sim.cards import MAX_SEATS
from hearts_sim.rules import MAX_CYCLE

VIEW_VERSION: Final = 1
MAX_TRICKS: Final = 34
MAX_CARDS: Final = 104
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

# What came of calling a hook; a bot returns the last two itself.
FAILED, ANSWERED, DEFAULT = codes(3)

LOG_LEVELS: Final = ("games", "hands", "plays")
"""How much is logged; each level has the tables of those before it."""

NO_ANSWER: Final = np.int64(-2)
"""What a function in Python gives instead of a card when the bot failed; -1 is no card."""

FAULT_NONE, FAULT_FAILED, FAULT_ILLEGAL, FAULT_SLOW, FAULT_DUE = codes(5)

WATCH_TIME: Final = np.int64(1)
"""The time of decisions is taken."""
WATCH_CALLS: Final = np.int64(2)
"""Another process can see who thinks, and faults can be due."""

_RULES: Final = [
    ("players", "i8"),
    ("hand_size", "i8"),
    ("deck_size", "i8"),
    ("deck_cards", "i8", MAX_CARDS),
    ("deck_twice", "i8"),
    ("kitty_rule", "i8"),  # who gets the cards that are left after the deal, 0 when none are
    ("kitty_size", "i8"),
    ("sides", "i8"),  # teams, or seats without teams
    ("side", "i8", MAX_SEATS),  # of each seat; the first seats have their own number
    ("team_count", "i8"),
    ("singly", "i8"),  # 1: the scores of partners are added up to compare sides
    ("pooled", "i8"),  # 1: partners have one score
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
    ("trick_winner", "i8"),
    ("cancel_two_pairs", "i8"),
    ("point_cards", "i8"),
    ("penalty_cards", "i8"),
    ("penalty_count", "i8"),
    ("cost", "i8", 52),
    ("bonus_cards", "i8"),
    ("bonus", "i8", 52),
    ("no_trick_bonus", "i8"),
    ("moon", "i8"),
    ("moon_points", "i8"),
    ("moon_cards", "i8"),  # what the shooter must take
    ("moon_by_team", "i8"),  # 1: a team shoots together
    ("moon_side", "i8", MAX_SEATS),  # as `side`, for a moon: teams or seats
    ("moon_spares", "i8"),  # 1: the shooter's partner does not pay
    ("sun", "i8"),
    ("sun_spares_first", "i8"),
    ("floor", "i8"),
    ("exact_target", "i8"),
    ("win_highest", "i8"),
    ("deals", "i8"),
    ("target", "i8"),
    ("pass_target", "i8"),  # 1: the target must be passed, 0: reached
    ("tie_draw", "i8"),
    ("tie_cap", "i8"),
    ("max_hands", "i8"),
]

RULES: Final = np.dtype([*_RULES, ("narrow", "i8")], align=True)
"""The rules of a game, read only."""

WIDE_RULES: Final = np.dtype([*_RULES, ("wide", "i8")], align=True)
"""The same for games with two packs or a kitty.

The core is compiled once more for this type, so that other games pay nothing for either (see
`wide.is_wide`). The last field has no value; without it on both sides, numba would take one type
for the other.
"""

HANDS: Final = np.dtype(
    [
        ("cards", "i8", MAX_SEATS),
        ("opening", "i8"),  # cards that may open the hand, 0 when any may
        ("cards_twice", "i8", MAX_SEATS),
        ("kitty", "i8"),
        ("kitty_twice", "i8"),
    ],
    align=True,
)
"""What is hidden: the hands and the kitty."""

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
    ("trick", "i8", MAX_SEATS),  # cards in the order played
    ("first_winner", "i8"),  # of the first trick, where it matters; -1 for none
    # Two packs and kitty.
    ("trick_twice", "i8"),
    ("held", "i8"),  # cards of tricks without a winner, for the next winner
    ("held_twice", "i8"),
    ("held_points", "i8"),
    ("held_tricks", "i8"),
    ("taken_twice", "i8", MAX_SEATS),
    ("kitty_seat", "i8"),  # who gets the kitty, -1 while nobody does
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
        ("passed_twice", "i8", MAX_SEATS),
        ("received_twice", "i8", MAX_SEATS),
        # The score of the hand: penalty points taken, bonus, points, and the totals after it.
        ("raw", "i8", MAX_SEATS),
        ("bonus", "i8", MAX_SEATS),
        ("hand_points", "i8", MAX_SEATS),
        ("next_totals", "i8", MAX_SEATS),
        ("shooter", "i8"),
        ("payers", "i8"),  # mask of seats that pay for the moon
        # What the log tells of the hand.
        ("adjust", "i8", MAX_SEATS),
        ("queen_waits", "i8"),  # 1 while the queen of spades lies on the table
        ("queen_seat", "i8"),  # who played her last, and how
        ("queen_manner", "i8"),
        ("queen_by", "i8", MAX_SEATS),  # the same by who took her, where there may be two of her
        ("queen_how", "i8", MAX_SEATS),
        ("sole_taker", "i8"),  # side with all penalty cards taken so far, -1 none, -2 several
        ("last_taker", "i8"),  # seat that took a penalty card last, -1 for none
        ("stopped_by", "i8", MAX_SEATS),
        # What the log tells of the game.
        ("sum_points", "i8", MAX_SEATS),
        ("sum_moons", "i8", MAX_SEATS),
        ("sum_queens", "i8", MAX_SEATS),
        # A decision that failed, and what is done about it (see `machine.Machine`).
        ("fault", "i8"),
        ("fault_seat", "i8"),
        ("fault_call", "i8"),
        ("faults", "i8", MAX_SEATS),  # of each seat in this game
        ("default_next", "i8"),  # 1: the next decision is taken by default, without asking
        ("out", "i8"),  # mask of seats that are not asked any more in this game
        ("forfeiter", "i8"),  # seat that forfeits the game, -1 for nobody
        # Who is watched: `WATCH_TIME`, `WATCH_CALLS`. Keys of decisions are `hooks.decision_key`.
        ("watched", "i8"),
        ("hooks", "i8"),  # mask of the hooks that somebody at the table has
        ("due", "i8"),  # key of a decision that fails without being asked, -1 for none
        ("stop", "i8"),  # key of a decision before which the game stops, as by a fault; -1 for none
        ("asked", "i8"),  # odd while a bot thinks; never falls
        ("asking", "i8"),  # key of its decision
        ("asking_entry", "i8"),
        ("overdue", "i8"),  # value of `asked` at which the time of the bot is over
        # Random streams of the hand, and scratch space of the deal.
        ("hand_key", "u8"),
        ("seat_keys", "u8", MAX_SEATS),
        ("stream", "u8", 2),
        ("deck", "i8", MAX_CARDS),
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
        ("answer_twice", "i8"),  # in a pass: cards of the answer of which both copies go
        ("hand_twice", "i8"),
        ("passed_twice", "i8"),
        ("received_twice", "i8"),
        ("kitty", "i8"),  # cards of the kitty, for who has it
        ("kitty_twice", "i8"),
        # The table.
        ("players", "i8"),
        ("hand_size", "i8"),
        ("hand_number", "i8"),
        ("pass_offset", "i8"),  # seats to the left, 0 hold, -1 scatter
        ("pass_count", "i8"),
        *_STATE,
        ("played", "i8"),
        ("cards_played", "i8"),
        ("played_by", "i8", MAX_SEATS),
        ("tricks_won", "i8", MAX_SEATS),
        ("voids", "i8", MAX_SEATS),  # bit per suit that the seat has shown to be void in
        ("scores", "i8", MAX_SEATS),
        ("history", "i8", MAX_CARDS),  # every card in the order played
        ("leaders", "i8", MAX_TRICKS),
        ("played_twice", "i8"),
        ("played_by_twice", "i8", MAX_SEATS),
        # The rules, as far as players look at them all the time; all of them are at `rules`.
        ("deck", "i8"),
        ("deck_twice", "i8"),
        ("kitty_size", "i8"),
        ("team_count", "i8"),  # 0 without teams
        ("point_cards", "i8"),
        ("penalty_cards", "i8"),
        ("bonus_cards", "i8"),
        ("cost", "i8", 52),
        ("bonus", "i8", 52),
        ("moon", "i8"),
        ("moon_points", "i8"),
        ("win_highest", "i8"),
        ("target", "i8"),
        ("deals", "i8"),
        ("rules", "i8"),  # address of the `RULES` record
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
        ("card_function", "i8"),  # address of a function in Python, called instead of the hook
        ("own", "i8"),  # address of its `OWN` record
        # Decisions on cards, and the time of all hooks, in games with `WATCH_TIME`.
        ("decisions", "i8"),
        ("nanoseconds", "i8"),
    ],
    align=True,
)
"""A player of an entry on a seat."""

SEATS: Final = np.dtype([("bot", BOT, MAX_SEATS)], align=True)
"""Who sits at the table. A record and no array, since numba counts who holds an array."""

JOB: Final = np.dtype(
    [
        ("block", "i8"),
        ("seating", "i8"),
        ("number", "i8"),
        ("watch", "i8"),  # `WATCH_TIME`, `WATCH_CALLS`
        ("entries", "i8", MAX_SEATS),
    ],
    align=True,
)
"""One game to play."""
