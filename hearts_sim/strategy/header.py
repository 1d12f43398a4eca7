"""The header for bots in C and C++, made from the records that the engine uses.

::

    python -m hearts_sim.strategy.header > hearts_sim/include/hearts_sim.h

What a field means is said where it is defined: in the docstrings of `View`, or else beside the
field in `hearts_sim.engine.layout`. So a new field is in the header with its meaning, or the header
that is kept differs from the one that is made, and a test says so.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hearts_sim.cards import ACE_OF_SPADES, KING_OF_SPADES, MAX_SEATS, QUEEN_OF_SPADES, SUIT_NAMES
from hearts_sim.engine import layout
from hearts_sim.engine.layout import HOOKS, MAX_CARDS, MAX_TRICKS, MOST_OPTIONS
from hearts_sim.rules import CHOICES, MAX_CYCLE
from hearts_sim.strategy.view import View

RANK_NAMES: Final = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "jack", "queen", "king", "ace",
)  # fmt: skip

CODED: Final = {
    "kitty_rule": "leftover",
    "first_lead": "first_lead",
    "first_trick_all_points": "first_trick_all_points",
    "trick_winner": "trick_winner",
    "moon": "moon",
    "sun": "sun",
    "floor": "score_floor",
    "exact_target": "exact_target",
}
"""Fields of the rules that hold the place of a word in `CHOICES`, and the setting."""

_MEANINGS: Final = {
    "call": "which hook is called: HS_CARD, HS_PASS, ...",
    "answer": "your answer goes here",
    "answer_twice": "in a pass with two packs: cards of the answer of which both copies go",
    "own": "address of the seat's hs_own",
    "players": "number of seats",
    "turn": "seat that plays next",
    "trick": "cards of the trick in the order played, trick_size of them",
    "trick_cards": "cards of the trick so far, as a set",
    "trick_twice": "cards that are twice in the trick",
    "points": "penalty points taken in this hand, by seat; in HS_END_HAND the hand's points",
    "cards_played": "number of cards played in this hand",
    "leaders": "seat that led each trick so far, the current one last",
    "moon": "HS_MOON_OFF, HS_MOON_OLD, ...",
    "rules": "address of the hs_rules",
    "first_winner": "seat that won the first trick; kept only where the rules need it, else -1",
}
"""Where the words of `View` do not fit C."""

_SIZES: Final = {
    MAX_SEATS: "HS_MAX_SEATS",
    MAX_TRICKS: "HS_MAX_TRICKS",
    MAX_CARDS: "HS_MAX_CARDS",
    MAX_CYCLE: "HS_MAX_CYCLE",
}

_WIDTH: Final = 100


def header() -> str:
    """The text of ``hearts_sim.h``."""
    parts = {
        "VERSION": str(layout.VIEW_VERSION),
        "RETURNS": _enum({name: getattr(layout, name) for name in ("ANSWERED", "DEFAULT")}),
        "CONSTANTS": "\n".join(_constants()),
        "OWN": _struct("hs_own", layout.OWN, _comments("OWN")),
        "RULES": _struct("hs_rules", layout.WIDE_RULES, _comments("_RULES") | _codes_of_rules()),
        "VIEW": _struct("hs_view", layout.VIEW, _comments("_STATE", "VIEW") | _of_view()),
    }
    return re.sub(r"@(\w+)@", lambda found: parts[found[1]], _HEADER)


# Constants.


def _constants() -> Iterator[str]:
    hooks = ("START_GAME", "START_HAND", "PASS", "CARD", "MOON", "END_HAND")
    assert sorted(getattr(layout, hook) for hook in hooks) == list(range(len(HOOKS)))
    yield "/* Which hook is called: view->call. */"
    yield _enum({hook: getattr(layout, hook) for hook in hooks})
    yield "/* Answers to HS_MOON: charge every other seat, or relieve your own. */"
    yield _enum({name: getattr(layout, name) for name in ("MOON_ADD", "MOON_SUBTRACT")})
    yield "/* view->pass_offset, where it is no number of seats to the left. */"
    yield _enum({"SCATTER": -1, "HOLD": 0})
    yield "/* A card is suit * 13 + rank; a set of cards has bit n for card n. */"
    yield _enum({name: number for number, name in enumerate(SUIT_NAMES)})
    yield _enum({name: number for number, name in enumerate(RANK_NAMES)})
    yield _enum(
        {
            "queen_of_spades": QUEEN_OF_SPADES,
            "king_of_spades": KING_OF_SPADES,
            "ace_of_spades": ACE_OF_SPADES,
        }
    )
    yield "/* Sizes of arrays. Those by seat have room for the largest table. */"
    yield _enum({name.removeprefix("HS_"): size for size, name in _SIZES.items()})
    yield _enum({"MOST_OPTIONS": MOST_OPTIONS})
    yield "/* Codes of the rules; docs/rules.md says what each means. */"
    for field, setting in CODED.items():
        yield f"/* hs_rules.{field} */"
        yield _enum({f"{setting}_{word}": code for code, word in enumerate(CHOICES[setting])})


def _enum(numbers: Mapping[str, int]) -> str:
    body = ", ".join(f"HS_{name.upper()} = {int(number)}" for name, number in numbers.items())
    if len(body) + 10 <= _WIDTH:
        return f"enum {{ {body} }};"
    return (
        "enum {\n"
        + textwrap.fill(body, _WIDTH, initial_indent="    ", subsequent_indent="    ")
        + "\n};"
    )


# Structures.


def _struct(name: str, record: Any, meanings: Mapping[str, str]) -> str:
    """A structure with the fields of a record, and assertions that the compiler agrees."""
    lines = ["typedef struct {"]
    last = len(record.names) - 1
    for place, field in enumerate(record.names):
        kind, offset = record.fields[field][:2]
        assert kind.base.itemsize == 8
        number = kind.shape[0] if kind.shape else 0
        size = f"[{_SIZES.get(number, number)}]" if number else ""
        word = "uint64_t" if kind.base.kind == "u" else "int64_t"
        no_value = name == "hs_rules" and place == last
        meaning = "no value" if no_value else meanings.get(field, "")
        lines += _field(f"{word} {'unused' if no_value else field}{size};", offset // 8, meaning)
    lines.append(f"}} {name};")
    lines.append(f'HS_ASSERT(sizeof({name}) == {record.itemsize}, "{name} has another size");')
    for field in record.names[1:-1:12]:
        test = f"offsetof({name}, {field}) == {record.fields[field][1]}"
        lines.append(f'HS_ASSERT({test}, "{name}.{field} is elsewhere");')
    return "\n".join(lines)


def _field(declaration: str, word: int, meaning: str) -> list[str]:
    """A field with the number of its word and its meaning, which may go on in further lines."""
    first = f"    {declaration:<36} /* {word}"
    if not meaning:
        return [first + " */"]
    wrapped = textwrap.wrap(meaning, _WIDTH - 52)
    lines = [f"{first:<47}: {wrapped[0]}"]
    lines += [f"{'':<49}{line}" for line in wrapped[1:]]
    lines[-1] += " */"
    return lines


def _comments(*tables: str) -> dict[str, str]:
    """What stands as a comment beside the fields of some tables of `layout`."""
    source = inspect.getsource(layout)
    beside = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and token.line.strip().startswith("(")
    }
    found = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) in tables:
            for node in ast.walk(statement):
                if isinstance(node, ast.Tuple) and node.lineno in beside:
                    found[ast.literal_eval(node.elts[0])] = _in_c(beside[node.lineno])
    return found


def _of_view() -> dict[str, str]:
    """What the fields of a view mean."""
    meanings = {}
    for field in layout.VIEW.names or ():
        text = getattr(getattr(View, field, None), "__doc__", None)
        if text and field not in _MEANINGS:
            meanings[field] = _in_c(text[0].lower() + text[1:].removesuffix("."))
    return meanings | _MEANINGS


def _codes_of_rules() -> dict[str, str]:
    meanings = {}
    for field, setting in CODED.items():
        first, second = (f"HS_{setting}_{word}".upper() for word in CHOICES[setting][:2])
        meanings[field] = f"{first}, {second}, ..."
    return meanings


def _in_c(text: str) -> str:
    """A sentence on the records, with the names that things have in C."""
    text = re.sub(r"`(OWN|RULES|VIEW)`( record)?", lambda name: f"hs_{name[1].lower()}", text)
    text = text.replace("`end_hand`", "HS_END_HAND").replace("`", "")
    assert "*/" not in text
    return text


_HEADER: Final = r"""/* Bots for hearts-sim in C and C++.
 *
 * Made by `python -m hearts_sim.strategy.header`: do not edit. docs/c.md tells how to use it.
 *
 *     #include "hearts_sim.h"
 *
 *     HS_BOT(lowest, 0);
 *
 *     int64_t lowest(hs_view *view)
 *     {
 *         if (view->call != HS_CARD)
 *             return HS_DEFAULT;
 *         view->answer = hs_lowest(view->legal);
 *         return HS_ANSWERED;
 *     }
 */
#ifndef HEARTS_SIM_H
#define HEARTS_SIM_H

#include <stddef.h>
#include <stdint.h>

#define HS_VIEW_VERSION @VERSION@

/* What a bot returns: the answer is in view->answer, or "I do not decide this". The second is for
 * every hook but HS_CARD: the default pass, the better moon choice, nothing where there is nothing
 * to answer. Anything else means that it failed. */
@RETURNS@

@CONSTANTS@

#if defined(__cplusplus)
#define HS_C extern "C"
#else
#define HS_C
#endif

#if defined(_WIN32)
#define HS_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define HS_EXPORT __attribute__((visibility("default")))
#else
#define HS_EXPORT
#endif

/* Goes once above the function of each bot: its name, and the size of its memory in words of
 * 8 bytes. */
#define HS_BOT(symbol, memory_words)                                                               \
    HS_C HS_EXPORT int64_t symbol(hs_view *view);                                                  \
    HS_C HS_EXPORT const int64_t symbol##_view_version = HS_VIEW_VERSION;                          \
    HS_C HS_EXPORT const int64_t symbol##_memory_words = (memory_words)

#if defined(__cplusplus) && __cplusplus >= 201103L
#define HS_ASSERT(condition, text) static_assert(condition, text)
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define HS_ASSERT(condition, text) _Static_assert(condition, text)
#else
#define HS_JOIN_(left, right) left##right
#define HS_JOIN(left, right) HS_JOIN_(left, right)
#define HS_ASSERT(condition, text) typedef char HS_JOIN(hs_assert_, __LINE__)[(condition) ? 1 : -1]
#endif

/* The numbers before the meanings are those of the words of 8 bytes, for other languages.
 *
 * Sets have every card once; with two packs, the set of the same name with _twice has those that
 * are there twice. Seats are numbered clockwise from 0. */

/* What belongs to you on your seat. Do not write here: there are functions for it below. */
@OWN@

/* All settings of the game; read only. */
@RULES@

/* What you see. Write nothing but answer and answer_twice: it is the table itself, no copy. */
@VIEW@

/* Cards. */

static inline int64_t hs_card(int64_t suit, int64_t rank)
{
    return suit * 13 + rank;
}

static inline int64_t hs_suit(int64_t card)
{
    return card / 13;
}

static inline int64_t hs_rank(int64_t card)
{
    return card % 13;
}

/* Sets of cards. */

/* The set that holds one card. */
static inline int64_t hs_bit(int64_t card)
{
    return (int64_t)1 << card;
}

static inline int hs_has(int64_t cards, int64_t card)
{
    return (int)(cards >> card & 1);
}

/* All thirteen cards of a suit. */
static inline int64_t hs_suit_mask(int64_t suit)
{
    return (int64_t)0x1FFF << (13 * suit);
}

/* Those of a suit. */
static inline int64_t hs_in_suit(int64_t cards, int64_t suit)
{
    return cards & hs_suit_mask(suit);
}

/* Those with a lower number than a card; within a suit, those of lower rank. */
static inline int64_t hs_below_card(int64_t cards, int64_t card)
{
    return cards & (hs_bit(card) - 1);
}

/* Those with a higher number than a card; within a suit, those of higher rank. */
static inline int64_t hs_above_card(int64_t cards, int64_t card)
{
    return cards & ~(2 * hs_bit(card) - 1);
}

/* Number of cards. */
static inline int64_t hs_count(int64_t cards)
{
#if defined(__GNUC__)
    return __builtin_popcountll((unsigned long long)cards);
#else
    int64_t number = 0;
    for (; cards; cards &= cards - 1)
        number++;
    return number;
#endif
}

/* Lowest card by number; 64 for the empty set. */
static inline int64_t hs_lowest(int64_t cards)
{
#if defined(__GNUC__)
    return cards ? __builtin_ctzll((unsigned long long)cards) : 64;
#else
    int64_t card = 0;
    while (card < 64 && !((uint64_t)cards >> card & 1))
        card++;
    return card;
#endif
}

/* Highest card by number; -1 for the empty set. */
static inline int64_t hs_highest(int64_t cards)
{
#if defined(__GNUC__)
    return cards ? 63 - __builtin_clzll((unsigned long long)cards) : -1;
#else
    int64_t card = 63;
    while (card >= 0 && !((uint64_t)cards >> card & 1))
        card--;
    return card;
#endif
}

/* Card at a place (0, 1, ...) of a set in ascending order. */
static inline int64_t hs_nth(int64_t cards, int64_t place)
{
    for (; place > 0; place--)
        cards &= cards - 1;
    return hs_lowest(cards);
}

/* The table. */

/* All settings of the game. */
static inline const hs_rules *hs_rules_of(const hs_view *view)
{
    return (const hs_rules *)(intptr_t)view->rules;
}

/* Seat of your partner, who sits opposite; -1 without teams. */
static inline int64_t hs_partner(const hs_view *view)
{
    return view->team_count ? (view->seat + view->team_count) % view->players : -1;
}

/* Cards in play that you have not seen: neither in your hand or kitty nor played. With two packs,
 * those of which at least one copy is unseen. */
static inline int64_t hs_unseen(const hs_view *view)
{
    int64_t hand = view->hand, played = view->played, kitty = view->kitty;
    int64_t seen = view->hand_twice | view->played_twice | view->kitty_twice;
    seen |= (hand & played) | (hand & kitty) | (played & kitty);
    return (view->deck & ~(hand | played | kitty)) | (view->deck_twice & ~seen);
}

/* Cards of which both copies are unseen. */
static inline int64_t hs_unseen_twice(const hs_view *view)
{
    return view->deck_twice & ~(view->hand | view->played | view->kitty);
}

/* What is yours. */

static inline hs_own *hs_own_of(const hs_view *view)
{
    return (hs_own *)(intptr_t)view->own;
}

/* Your options, in the order of the config; HS_MOST_OPTIONS of them, 0 where the config has none.
 * They do not change in a game. */
static inline const double *hs_options(const hs_view *view)
{
    return (const double *)(intptr_t)hs_own_of(view)->options;
}

/* Your memory: as many words as HS_BOT says, 0 at the start of each game. Each seat has its own. */
static inline int64_t *hs_memory(const hs_view *view)
{
    return (int64_t *)(intptr_t)hs_own_of(view)->memory;
}

static inline int64_t hs_memory_words(const hs_view *view)
{
    return hs_own_of(view)->memory_size;
}

/* Next 64 bits of the seat's random stream, which is the same in every run with the same seed.
 * xoroshiro128++ (S. Vigna, D. Blackman, https://prng.di.unimi.it). */
static inline uint64_t hs_random_word(const hs_view *view)
{
    uint64_t *state = hs_own_of(view)->rng;
    uint64_t first = state[0], second = state[1], total = first + second;
    uint64_t word = ((total << 17) | (total >> 47)) + first;
    second ^= first;
    state[0] = ((first << 49) | (first >> 15)) ^ second ^ (second << 21);
    state[1] = (second << 28) | (second >> 36);
    return word;
}

/* Number from 0 to bound - 1, every one equally likely; bound is from 1 to 2^32 - 1.
 * D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019). */
static inline int64_t hs_random_below(const hs_view *view, int64_t bound)
{
    uint64_t limit = (uint64_t)bound, low = 0xFFFFFFFF;
    uint64_t product = (hs_random_word(view) >> 32) * limit;
    if ((product & low) < limit) {
        uint64_t floor = (low + 1 - limit) % limit;
        while ((product & low) < floor)
            product = (hs_random_word(view) >> 32) * limit;
    }
    return (int64_t)(product >> 32);
}

/* One card of a set, every one equally likely; the set must not be empty. */
static inline int64_t hs_random_card(const hs_view *view, int64_t cards)
{
    return hs_nth(cards, hs_random_below(view, hs_count(cards)));
}

#endif
"""

if __name__ == "__main__":
    print(header(), end="")
