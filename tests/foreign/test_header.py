"""The header: as the records are, for every C and C++, and its functions as those in Python."""

from __future__ import annotations

import ctypes
import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from building import EXAMPLE, FULL, INCLUDE, build, compiler
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from trial import python

from hearts_sim.cards import CARDS, SUIT_MASKS, CardSet
from hearts_sim.engine import record
from hearts_sim.engine.layout import (
    ANSWERED,
    DEFAULT,
    HOOKS,
    MOON_ADD,
    MOON_SUBTRACT,
    OWN,
    RULES,
    VIEW,
    VIEW_VERSION,
    WIDE_RULES,
)
from hearts_sim.strategy.header import CODED, header
from hearts_sim.strategy.toolkit import random_below, random_card

RECORDS = {"hs_view": VIEW, "hs_own": OWN, "hs_rules": WIDE_RULES}

LAYOUTS = {1: "c1b48b3cfaf2cc8d"}
"""Digest of the records for each version of the view; an older version is never changed."""


def test_kept_header_is_the_one_that_is_made() -> None:
    """The header in the package says what the records are."""
    kept = (INCLUDE / "hearts_sim.h").read_text(encoding="utf-8")
    assert kept == header(), (
        "python -m hearts_sim.strategy.header > hearts_sim/include/hearts_sim.h"
    )


def test_other_layout_has_another_version() -> None:
    """A library that was built for other records is refused, since they have another version."""
    fields = [(kind.descr, kind.itemsize) for kind in (VIEW, OWN, RULES)]
    digest = hashlib.sha256(repr(fields).encode()).hexdigest()[:16]
    assert LAYOUTS.get(VIEW_VERSION) == digest, (
        "the records that bots in C see have changed: raise VIEW_VERSION, and add "
        f'{VIEW_VERSION + 1}: "{digest}" here'
    )


def test_rules_of_both_kinds_are_the_same() -> None:
    """One structure serves for the rules of games with one pack and with two."""
    places = [
        [(name, kind.fields[name]) for name in kind.names[:-1]]  # type: ignore[index]
        for kind in (RULES, WIDE_RULES)
    ]
    assert places[0] == places[1]
    assert RULES.itemsize == WIDE_RULES.itemsize


def test_include_prints_its_folder() -> None:
    """`python -m hearts_sim.include` is what a compiler needs after -I."""
    done = python("-m", "hearts_sim.include")
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == INCLUDE.resolve()
    assert done.stdout.count("\n") == 1


def test_places_as_the_compiler_sees_them(tmp_path: Path) -> None:
    """The C compiler has every field at the place and of the size that it has in the engine."""
    expected, entries = [], []
    for struct, kind in RECORDS.items():
        assert kind.fields is not None
        assert kind.names is not None
        for name in kind.names:
            field = "unused" if name == kind.names[-1] and struct == "hs_rules" else name
            entries.append(f"offsetof({struct}, {field}), sizeof((({struct} *)0)->{field})")
            expected += [kind.fields[name][1], kind.fields[name][0].itemsize]
        entries.append(f"sizeof({struct})")
        expected.append(kind.itemsize)
    table = ", ".join(entries)
    library = ctypes.CDLL(build(tmp_path, f"{FULL}const int64_t places[] = {{{table}}};"))
    found = (ctypes.c_int64 * len(expected)).in_dll(library, "places")
    assert list(found) == expected


def test_constants(tmp_path: Path) -> None:
    """Numbers have the same names in C as in the engine."""
    names = {f"HS_{hook.removeprefix('choose_').upper()}": code for code, hook in enumerate(HOOKS)}
    names |= {"HS_ANSWERED": int(ANSWERED), "HS_DEFAULT": int(DEFAULT)}
    names |= {"HS_MOON_ADD": int(MOON_ADD), "HS_MOON_SUBTRACT": int(MOON_SUBTRACT)}
    names |= {"HS_CLUBS": 0, "HS_DIAMONDS": 1, "HS_SPADES": 2, "HS_HEARTS": 3}
    names |= {"HS_TWO": 0, "HS_TEN": 8, "HS_JACK": 9, "HS_ACE": 12, "HS_QUEEN_OF_SPADES": 36}
    names |= {
        "HS_MOON_VOID": int(record.MOON_VOID),
        "HS_SUN_RESET_TO_ZERO": int(record.SUN_RESET),
        "HS_SCORE_FLOOR_TOTAL0": int(record.FLOOR_TOTAL),
        "HS_EXACT_TARGET_WIN": int(record.EXACT_WIN),
        "HS_TRICK_WINNER_LATEST_OF_EQUALS": int(record.LATEST_OF_EQUALS),
        "HS_FIRST_TRICK_ALL_POINTS_QUEEN_FIRST": int(record.ALL_POINTS_QUEEN),
        "HS_FIRST_LEAD_ELDEST_ANY": int(record.ELDEST_ANY),
        "HS_LEFTOVER_KITTY_LAST_TRICK": int(record.KITTY_LAST_TRICK),
    }
    assert set(names) >= {"HS_START_GAME", "HS_PASS", "HS_CARD", "HS_MOON", "HS_END_HAND"}
    assert len(CODED) == 8
    text = f"{FULL}const int64_t numbers[] = {{{', '.join(names)}}};"
    library = ctypes.CDLL(build(tmp_path, text))
    found = (ctypes.c_int64 * len(names)).in_dll(library, "numbers")
    assert list(found) == list(names.values())


@pytest.mark.parametrize(
    ("cc", "standard"),
    [("cc", "c99"), ("cc", "c11"), ("c++", "c++98"), ("c++", "c++11"), ("c++", "c++17")],
)
def test_every_standard(tmp_path: Path, cc: str, standard: str) -> None:
    """The example compiles without a warning as C and as C++, and exports the same names."""
    compiler(cc)
    text = EXAMPLE.read_text(encoding="utf-8")
    flags = ("-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wshadow", f"-std={standard}")
    pedantic = () if standard == "c++98" else ("-Wpedantic",)  # it has no long long
    library = ctypes.CDLL(build(tmp_path, text, *flags, *pedantic, cc=cc))
    assert ctypes.c_int64.in_dll(library, "ducker_view_version").value == VIEW_VERSION
    assert ctypes.c_int64.in_dll(library, "ducker_memory_words").value == 0
    assert library.ducker


def test_wrong_size_does_not_compile(tmp_path: Path) -> None:
    """Where the structures would be others, the compiler stops."""
    for standard in ("c99", "c11"):
        with pytest.raises(AssertionError, match=r"assert|negative"):
            build(tmp_path, f"#include <stdint.h>\n#define int64_t int\n{FULL}", f"-std={standard}")


# Functions.

HELPERS = (
    FULL
    + """
int64_t number(int64_t which, int64_t cards, int64_t card)
{
    switch (which) {
    case 0: return hs_card(hs_suit(card), hs_rank(card));
    case 1: return hs_suit(card);
    case 2: return hs_rank(card);
    case 3: return hs_bit(card);
    case 4: return hs_has(cards, card);
    case 5: return hs_in_suit(cards, card % 4);
    case 6: return hs_below_card(cards, card);
    case 7: return hs_above_card(cards, card);
    case 8: return hs_count(cards);
    case 9: return hs_lowest(cards);
    case 10: return hs_highest(cards);
    default: return hs_nth(cards, card % (hs_count(cards) + !cards));
    }
}

void numbers(const hs_view *view, const int64_t *bounds, int64_t size, int64_t *found)
{
    int64_t place;
    for (place = 0; place < size; place++)
        found[place] = hs_random_below(view, bounds[place]);
}

void cards(const hs_view *view, const int64_t *sets, int64_t size, int64_t *found)
{
    int64_t place;
    for (place = 0; place < size; place++)
        found[place] = hs_random_card(view, sets[place]);
}
"""
)


@pytest.fixture(scope="module", params=["builtins", "plain C"])
def helpers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The functions of the header, with those of GNU C and with what other compilers get."""
    text = (
        HELPERS
        if request.param == "builtins"
        else HELPERS.replace(
            FULL, f"#include <stddef.h>\n#include <stdint.h>\n#undef __GNUC__\n{FULL}"
        )
    )
    library = ctypes.CDLL(build(tmp_path_factory.mktemp("helpers"), text, "-Wall"))
    library.number.argtypes = [ctypes.c_int64] * 3
    library.number.restype = ctypes.c_int64
    for name in ("numbers", "cards"):
        words = np.ctypeslib.ndpointer(np.int64, flags="C_CONTIGUOUS")
        getattr(library, name).argtypes = [ctypes.c_void_p, words, ctypes.c_int64, words]
        getattr(library, name).restype = None
    return library


@given(cards=st.integers(0, (1 << 52) - 1), card=st.sampled_from(CARDS))
def test_sets_and_cards(helpers: Any, cards: int, card: Any) -> None:
    """Sets and cards in C are those of `CardSet` and `Card`."""
    members = list(CardSet(cards))
    expected = [
        int(card),
        card.suit,
        card.rank,
        int(CardSet.of(card)),
        int(card in CardSet(cards)),
        int(CardSet(cards) & CardSet(SUIT_MASKS[card % 4])),
        int(CardSet.of(*[other for other in members if other < card])),
        int(CardSet.of(*[other for other in members if other > card])),
        len(members),
        int(members[0]) if members else 64,
        int(members[-1]) if members else -1,
        int(members[card % len(members)]) if members else 64,
    ]
    assert [helpers.number(which, cards, card) for which in range(12)] == expected


@njit
def _numbers(view: Any, bounds: Any, found: Any) -> None:
    for place in range(len(bounds)):
        found[place] = random_below(view[0], bounds[place])


@njit
def _cards(view: Any, sets: Any, found: Any) -> None:
    for place in range(len(sets)):
        found[place] = random_card(view[0], sets[place])


@pytest.mark.parametrize("kind", ["numbers", "cards"])
def test_random_numbers(helpers: Any, kind: str) -> None:
    """The same seed gives the same numbers and cards in C as in a compiled strategy.

    Three quarters of 2**32 is a bound for which every fourth number is thrown away.
    """
    generator = np.random.default_rng(8)
    bounds = np.array([1, 2, 3, 52, 3 << 30, (1 << 32) - 1] * 200)
    sets = generator.integers(1, 1 << 52, len(bounds))
    given_numbers = bounds if kind == "numbers" else sets
    found = []
    for play in (_numbers if kind == "numbers" else _cards, getattr(helpers, kind)):
        own = np.zeros(1, OWN)
        own["rng"] = np.random.default_rng(9).integers(1, 1 << 63, 2, dtype=np.uint64)
        view = np.zeros(1, VIEW)
        view["own"] = own.ctypes.data
        numbers = np.full(len(bounds), -1)
        if play in (_numbers, _cards):
            play(view, given_numbers, numbers)
        else:
            play(view.ctypes.data, given_numbers, len(bounds), numbers)
        found.append((numbers.tolist(), own["rng"].tolist()))
    assert found[0] == found[1]
    assert len(set(found[0][0])) > 40
    if kind == "cards":
        assert all(cards >> card & 1 for cards, card in zip(sets, found[0][0], strict=True))


def test_every_field_of_the_view_is_explained() -> None:
    """A bot in C need not look elsewhere for what a field of its view means."""
    text = header()
    view = text[text.index("/* What you see.") : text.index("} hs_view;")]
    fields = re.findall(r"int64_t (\w+)(?:\[\w+\])?; +/\* (\d+) *(?:: ([^*]+))?\*/", view)
    assert VIEW.fields is not None
    assert [name for name, _, _ in fields] == list(VIEW.names or ())
    for name, word, meaning in fields:
        assert int(word) * 8 == VIEW.fields[name][1]
        assert len(meaning.strip()) > 8, name
