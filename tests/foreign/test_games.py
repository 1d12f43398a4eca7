"""Bots in C play whole games as their twins in Python do, and see what these see."""

from __future__ import annotations

import ctypes
from collections import Counter
from typing import Any

import numpy as np
import pytest
from building import EXAMPLE, FULL, Seating, build, foreign, plain

from hearts_sim import Card, CardSet, Strategy
from hearts_sim.engine.layout import CARD, HOOKS, MOON, OWN, PASS, VIEW
from hearts_sim.rules import Rules
from hearts_sim.strategy.compiled import CompiledPlayer
from hearts_sim.strategy.loader import Library
from hearts_sim.strategy.view import View

DEALS: dict[str, Any] = {"end": {"deals": 4}, "tie": "draw"}
TABLES: dict[str, dict[str, Any]] = {
    "black_lady": {"preset": "black_lady"},
    "partnership": {"preset": "partnership_pooled"},
    "cancellation": {"preset": "cancellation", **DEALS},
    "two packs, passing pairs": {
        "preset": "cancellation",
        "players": 6,
        "pass_cycle": ["L", "scatter"],
        "pass_count": 5,
        **DEALS,
    },
}


class Ducker(Strategy):
    """The bot of strategies/library/ducker.c again, in Python."""

    def __init__(self, spades: float = 0) -> None:
        self.spades = spades

    def danger(self, card: Card) -> tuple[int, ...]:
        if self.spades and card.name in ("QS", "AS", "KS"):
            return (1, ["KS", "AS", "QS"].index(card.name))
        return (0, card.rank, card.suit)

    def choose_pass(self, view: View) -> list[Card]:
        cards = sorted([*view.legal, *(view.legal & view.hand_twice)], key=self.danger)
        return cards[len(cards) - view.pass_count :]

    def choose_card(self, view: View) -> Card:
        cards = list(view.legal)
        if view.trick_size == 0:
            return min(cards, key=lambda card: (card.rank, card.suit))
        if cards[0].suit != view.led_suit:
            return max(cards, key=self.danger)
        under = [card for card in cards if card < view.winning_card]
        return under[-1] if under else cards[0]


@pytest.fixture(scope="module")
def ducker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The example as a library."""
    return build(tmp_path_factory.mktemp("ducker"), EXAMPLE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("table", TABLES)
def test_example_plays_as_its_twin(ducker: str, table: str) -> None:
    """The C bot plays every card that its twin plays, among themselves and in company."""
    rules = Rules.from_spec(TABLES[table])
    seats = range(rules.players)
    options = [{"spades": seat % 2} for seat in seats]
    in_c = [foreign(ducker, "ducker", options[seat]) for seat in seats]
    in_python = [plain(Ducker, options[seat]) for seat in seats]
    mixed = [(in_c, in_python)[seat // 2 % 2][seat] for seat in seats]
    expected = Seating(rules, in_python).play(games=3)
    assert len(expected) >= 3 * rules.players * rules.hand_size
    for makers in (in_c, mixed):
        assert Seating(rules, makers).play(games=3).tobytes() == expected.tobytes()
    # The option and the bot matter: without them other cards are played.
    without = [foreign(ducker, "ducker") for _ in seats]
    assert Seating(rules, without).play(games=3).tobytes() != expected.tobytes()


BOTS = (
    FULL
    + """
HS_BOT(chance, 0);
HS_BOT(low, 0);
HS_BOT(high, 2);
HS_BOT(keeper, 3);
HS_BOT(chooser, 0);

/* Passes and plays at random. */
int64_t chance(hs_view *view)
{
    int64_t chosen = 0, number;
    if (view->call == HS_PASS) {
        for (number = 0; number < view->pass_count; number++)
            chosen |= hs_bit(hs_random_card(view, view->legal & ~chosen));
        view->answer = chosen;
        return HS_ANSWERED;
    }
    if (view->call != HS_CARD)
        return HS_DEFAULT;
    view->answer = hs_random_card(view, view->legal);
    return HS_ANSWERED;
}

int64_t low(hs_view *view)
{
    view->answer = hs_lowest(view->legal);
    return view->call == HS_CARD ? HS_ANSWERED : HS_DEFAULT;
}

int64_t high(hs_view *view)
{
    view->answer = hs_highest(view->legal);
    return view->call == HS_CARD ? HS_ANSWERED : HS_DEFAULT;
}

/* Fails unless its memory is its own and zero at the start of a game. */
int64_t keeper(hs_view *view)
{
    int64_t *memory = hs_memory(view);
    if (view->call == HS_START_GAME) {
        if (hs_memory_words(view) != 3 || memory[0] || memory[1] || memory[2])
            return 0;
        memory[1] = 1 + view->seat;
        return HS_ANSWERED;
    }
    if (memory[1] != 1 + view->seat)
        return 0;
    if (view->call != HS_CARD)
        return HS_DEFAULT;
    memory[0]++;
    memory[2] = hs_unseen(view);
    view->answer = hs_lowest(view->legal);
    return HS_ANSWERED;
}

/* Plays the card at a place among the legal ones, as its options say. */
int64_t chooser(hs_view *view)
{
    const double *options = hs_options(view);
    if (view->call == HS_MOON) {
        view->answer = options[1] < 0 ? HS_MOON_SUBTRACT : HS_MOON_ADD;
        return HS_ANSWERED;
    }
    view->answer = hs_nth(view->legal, (int64_t)(options[0] * (double)(hs_count(view->legal) - 1)));
    return view->call == HS_CARD ? HS_ANSWERED : HS_DEFAULT;
}
"""
)


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Five bots in one library."""
    return build(tmp_path_factory.mktemp("bots"), BOTS)


class Low(Strategy):
    def choose_card(self, view: View) -> Card:
        return view.legal.lowest()


class High(Strategy):
    def choose_card(self, view: View) -> Card:
        return view.legal.highest()


class Chooser(Strategy):
    def __init__(self, place: float, moon: float) -> None:
        self.place, self.moon = place, moon

    def choose_moon(self, view: View) -> str:
        return "subtract" if self.moon < 0 else "add"

    def choose_card(self, view: View) -> Card:
        cards = list(view.legal)
        return cards[int(self.place * (len(cards) - 1))]


def test_two_bots_in_one_library(bots: str) -> None:
    """Each symbol is a bot of its own; a pass that it does not decide is the default one."""
    rules = Rules()
    in_c = [foreign(bots, name) for name in ("low", "high", "high", "low")]
    in_python = [plain(kind) for kind in (Low, High, High, Low)]
    found, expected = (Seating(rules, makers).play(2) for makers in (in_c, in_python))
    assert found.tobytes() == expected.tobytes()


def test_random_play(bots: str, library: Library) -> None:
    """A random bot in C plays the games of the compiled one: it has the same random numbers."""
    found = library.get("RandomLegal")

    def compiled(machine: Any) -> CompiledPlayer:
        return CompiledPlayer(found.strategy, {}, found.digest, found.file)  # type: ignore[arg-type]

    rules = Rules()
    games = [
        Seating(rules, [maker] * 4, seed).play(2)
        for maker, seed in ((foreign(bots, "chance"), 5), (compiled, 5), (compiled, 6))
    ]
    assert games[0].tobytes() == games[1].tobytes()
    assert games[1].tobytes() != games[2].tobytes()


def test_memory(bots: str) -> None:
    """The memory has the size that the bot asks for, belongs to its seat, and starts at zero."""
    rules = Rules.from_spec({"end": {"deals": 1}, "tie": "draw"})
    table = Seating(rules, [foreign(bots, "keeper")] * 4)
    table.play(games=3)
    for seat, player in enumerate(table.players):
        assert player.memory.tolist()[:2] == [13, 1 + seat]  # cards of the last game alone
        assert player.own["memory_size"] == 3
    assert Seating(rules, [foreign(bots, "high")] * 4).players[0].own["memory_size"] == 2


def test_options_and_moon(bots: str) -> None:
    """Options come in the order of the config, and the answer to a moon counts."""
    rules = Rules.from_spec({"moon": "choice", **DEALS})
    values = (0.25, -1), (1, 1), (0, -1), (True, 2)
    options = [{"place": place, "moon": moon} for place, moon in values]
    in_c = [foreign(bots, "chooser", option) for option in options]
    in_python = [plain(Chooser, option) for option in options]
    found, expected = (Seating(rules, makers).play(20) for makers in (in_c, in_python))
    assert found.tobytes() == expected.tobytes()


# What a bot in C sees.

_READ = """
static const hs_view *seen;
static hs_view copied;
static void (*tell)(void);
HS_BOT(mirror, 1);

int64_t mirror(hs_view *view)
{
    int64_t chosen = 0, number;
    seen = view;
    memcpy(&copied, view, sizeof copied);
    tell();
    if (view->call == HS_PASS) {
        for (number = 0; number < view->pass_count; number++)
            chosen |= hs_bit(hs_random_card(view, view->legal & ~chosen));
        view->answer = chosen;
    } else if (view->call == HS_CARD)
        view->answer = hs_random_card(view, view->legal);
    else if (view->call == HS_MOON)
        view->answer = HS_MOON_ADD;
    return HS_ANSWERED;
}

void tell_by(void (*function)(void)) { tell = function; }
const hs_view *get_copy(void) { return &copied; }
int64_t get_unseen(void) { return hs_unseen(seen); }
int64_t get_unseen_twice(void) { return hs_unseen_twice(seen); }
int64_t get_partner(void) { return hs_partner(seen); }
"""
_STRUCTS = {
    "view": ("hs_view", "seen", VIEW.names),
    "own": ("hs_own", "hs_own_of(seen)", OWN.names),
}


def _source(rules_names: tuple[str, ...]) -> str:
    """The bot, and functions that write every field of a structure by its name into a buffer."""
    text = "#include <string.h>\n" + FULL + _READ
    for name, (struct, pointer, fields) in {
        **_STRUCTS,
        "rules": ("hs_rules", "hs_rules_of(seen)", rules_names),
    }.items():
        copies = "".join(
            f"    memcpy(to, &from->{field}, sizeof from->{field}); to += sizeof from->{field};\n"
            for field in fields or ()
        )
        text += (
            f"void read_{name}(char *to)\n{{\n    const {struct} *from = {pointer};\n{copies}}}\n"
        )
    return text


class Mirror:
    """Compares at every call what C reads with what Python reads."""

    def __init__(self, library: str, rules: Rules) -> None:
        self.library = ctypes.CDLL(library)
        self.library.get_copy.restype = ctypes.c_void_p
        for name in ("get_unseen", "get_unseen_twice", "get_partner"):
            getattr(self.library, name).restype = ctypes.c_int64
        self.table = Seating(rules, [foreign(library, "mirror")] * rules.players)
        self.calls: Counter[int] = Counter()
        self.problems: list[str] = []
        self.told = ctypes.CFUNCTYPE(None)(self.look)  # kept alive while the library has it
        self.library.tell_by(self.told)

    def look(self) -> None:
        try:
            self.compare()
        except BaseException as error:  # nothing may pass through C
            self.problems.append(repr(error))

    def compare(self) -> None:
        machine = self.table.machine
        record, view = machine.view[0], View(machine.words, machine.rules)
        self.calls[int(record["call"])] += 1
        assert ctypes.string_at(self.library.get_copy(), VIEW.itemsize) == machine.view.tobytes()
        self.same("view", record)
        self.same("rules", machine.rules_record[0])
        self.same("own", self.table.players[view.seat].own[0])
        assert self.library.get_unseen() == view.unseen
        assert self.library.get_unseen_twice() == view.unseen_twice
        assert self.library.get_partner() == (-1 if view.partner is None else view.partner)

    def same(self, name: str, record: Any) -> None:
        buffer = ctypes.create_string_buffer(record.dtype.itemsize + 8)
        buffer[record.dtype.itemsize] = b"!"  # would be written over by more fields
        getattr(self.library, f"read_{name}")(buffer)
        found = np.frombuffer(buffer.raw, np.int64)
        at = 0
        for field in record.dtype.names:
            expected = np.ravel(record[field]).view(np.int64)
            here = found[at : at + len(expected)]
            assert here.tolist() == expected.tolist(), f"{name}.{field}"
            at += len(expected)
        assert buffer[record.dtype.itemsize] == b"!"


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A bot that shows what it sees."""
    names = Seating(Rules(), [plain(Low)] * 4).machine.rules_record.dtype.names
    return build(tmp_path_factory.mktemp("mirror"), _source((*names[:-1], "unused")))


@pytest.mark.parametrize("table", ["black_lady", "partnership", "cancellation", "kitty"])
def test_view(mirror: str, table: str) -> None:
    """At every call each field in C is that of the record, and so is the whole."""
    rules = Rules.from_spec({"kitty": {"preset": "kitty"}, **TABLES}[table] | DEALS)
    watch = Mirror(mirror, rules)
    watch.table.play()
    assert watch.problems[:1] == []
    assert watch.calls[int(CARD)] == 4 * rules.players * rules.hand_size
    passing = rules.pass_count > 0 and table != "cancellation"
    assert (watch.calls[int(PASS)] > 0) >= passing
    assert set(watch.calls) >= set(range(len(HOOKS))) - {int(PASS), int(MOON)}
    assert CardSet(watch.table.machine.view[0]["deck"]) == rules.deck
