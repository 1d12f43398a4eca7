"""What goes wrong with bots in libraries: when they are loaded, and in a game."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from building import FULL, Seating, build, foreign, plain

from hearts_sim import Strategy
from hearts_sim.engine.layout import (
    CARD,
    END_HAND,
    FAULT_FAILED,
    FAULT_ILLEGAL,
    MOON,
    MOST_OPTIONS,
    PASS,
    START_GAME,
    VIEW_VERSION,
)
from hearts_sim.engine.machine import BotFailed
from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import Rules
from hearts_sim.strategy.foreign import (
    MOST_MEMORY_WORDS,
    ForeignPlayer,
    check_library,
    library_digest,
)
from hearts_sim.strategy.seated import Seated

# In a game.

WRONG = FULL + "".join(
    f"""
HS_BOT({name}, 0);
int64_t {name}(hs_view *view)
{{
    view->answer = hs_lowest(view->legal);
    {statement}
    return view->call == HS_CARD ? HS_ANSWERED : HS_DEFAULT;
}}
"""
    for name, statement in {
        "returns_0": "if (view->call == HS_CARD && view->trick_number == 4) return 0;",
        "returns_7": "if (view->call == HS_CARD && view->trick_number == 4) return 7;",
        "returns_3": "if (view->call == HS_PASS) return 3;",
        "returns_less": "if (view->call == HS_END_HAND) return -1;",
        "never_starts": "if (view->call == HS_START_GAME) return 0;",
        "card_by_default": "if (view->call == HS_CARD) return HS_DEFAULT;",
        "card_99": "if (view->call == HS_CARD && view->trick_number == 4) view->answer = 99;",
        "card_below_0": "if (view->call == HS_CARD) view->answer = -5;",
        "card_of_others": "if (view->call == HS_CARD) view->answer = hs_lowest(hs_unseen(view));",
        "says_nothing": "if (view->call == HS_CARD) view->answer = -1;",
        "passes_two": "if (view->call == HS_PASS) { view->answer = view->legal & -view->legal; "
        "return HS_ANSWERED; }",
        "passes_others": "if (view->call == HS_PASS) { view->answer = hs_unseen(view) & 0x1FFF; "
        "return HS_ANSWERED; }",
        "passes_twice": "if (view->call == HS_PASS) { view->answer = view->answer_twice = 1; "
        "return HS_ANSWERED; }",
        "moon_5": "if (view->call == HS_MOON) { view->answer = 5; return HS_ANSWERED; }",
    }.items()
)


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Bots with one fault each."""
    return build(tmp_path_factory.mktemp("wrong"), WRONG)


class Low(Strategy):
    def choose_card(self, view: Any) -> Any:
        return view.legal.lowest()


@pytest.mark.parametrize(
    ("symbol", "kind", "call", "trick"),
    [
        ("returns_0", FAULT_FAILED, CARD, 4),
        ("returns_7", FAULT_FAILED, CARD, 4),
        ("returns_3", FAULT_FAILED, PASS, None),
        ("returns_less", FAULT_FAILED, END_HAND, None),
        ("never_starts", FAULT_FAILED, START_GAME, None),
        ("card_by_default", FAULT_FAILED, CARD, 1),
        ("card_99", FAULT_ILLEGAL, CARD, 4),
        ("card_below_0", FAULT_ILLEGAL, CARD, 1),
        ("card_of_others", FAULT_ILLEGAL, CARD, 1),
        ("says_nothing", FAULT_ILLEGAL, CARD, 1),
        ("passes_two", FAULT_ILLEGAL, PASS, None),
        ("passes_others", FAULT_ILLEGAL, PASS, None),
        ("passes_twice", FAULT_ILLEGAL, PASS, None),
    ],
)
def test_faults(wrong: str, symbol: str, kind: int, call: int, trick: int | None) -> None:
    """A wrong answer or a wrong return value stops the game there, and not elsewhere."""
    makers = [plain(Low), plain(Low), foreign(wrong, symbol), plain(Low)]
    table = Seating(Rules(), makers)
    with pytest.raises(BotFailed):
        table.play()
    game, view = table.machine.game[0], table.machine.view[0]
    assert (game["fault"], game["fault_seat"], game["fault_call"]) == (kind, 2, call)
    assert trick is None or view["trick_number"] == trick


def test_moon_answers(wrong: str) -> None:
    """An answer to a moon that is neither of the two is a fault."""
    rules = Rules.from_spec({"players": 3, "moon": "choice", "end": {"deals": 60}, "tie": "draw"})
    table = Seating(rules, [foreign(wrong, "moon_5"), plain(Low), plain(Low)])
    with pytest.raises(BotFailed):
        table.play(games=20)
    game = table.machine.game[0]
    assert (game["fault"], game["fault_seat"], game["fault_call"]) == (FAULT_ILLEGAL, 0, MOON)


# When it is loaded.

KINDS = (
    FULL
    + f"""
HS_BOT(good, 12);
int64_t good(hs_view *view) {{ view->answer = hs_lowest(view->legal); return 1; }}
int64_t good_pair(hs_view *view) {{ return good(view); }}
HS_BOT(negative, -1);
int64_t negative(hs_view *view) {{ return good(view); }}
HS_BOT(huge, {MOST_MEMORY_WORDS + 1});
int64_t huge(hs_view *view) {{ return good(view); }}
HS_BOT(most, {MOST_MEMORY_WORDS});
int64_t most(hs_view *view) {{ return good(view); }}
int64_t bare(hs_view *view) {{ return good(view); }}
int64_t older(hs_view *view) {{ return good(view); }}
const int64_t older_view_version = {VIEW_VERSION - 1};
int64_t half(hs_view *view) {{ return good(view); }}
const int64_t half_view_version = {VIEW_VERSION};
"""
)


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A good bot and others that cannot play."""
    return build(tmp_path_factory.mktemp("kinds"), KINDS, "-Wall")


def test_good_library(kinds: str) -> None:
    """A good bot tells its memory, from whatever folder its path is given."""
    assert check_library(kinds, "good") == 12
    assert check_library(os.path.relpath(kinds), "good") == 12
    assert check_library(kinds, "most") == MOST_MEMORY_WORDS


@pytest.mark.parametrize(
    ("symbol", "parts"),
    [
        ("godo", ["no function 'godo': did you mean 'good'?", "HS_BOT(godo, 0)"]),
        ("other_thing", ["no function 'other_thing': there is good, half, huge, most, negative,"]),
        ("good()", ["'good()' is no name of a function in C"]),
        ("", ["'' is no name"]),
        ("_handle", ["no function '_handle'"]),
        ("bare", ["no bare_view_version", "HS_BOT(bare, 0)", "build again"]),
        ("older", [f"version {VIEW_VERSION - 1}", f"version {VIEW_VERSION}", "build it again"]),
        ("half", ["no half_memory_words"]),
        ("negative", ["asks for -1 words", f"0 to {MOST_MEMORY_WORDS}"]),
        ("huge", [f"asks for {MOST_MEMORY_WORDS + 1} words"]),
    ],
)
def test_wrong_symbols(kinds: str, symbol: str, parts: list[str]) -> None:
    """Each message names the library, what is wrong with the bot, and what to do."""
    with pytest.raises(StrategyLoadError) as caught:
        check_library(kinds, symbol)
    message = str(caught.value)
    assert message.startswith(f"{kinds}: ")
    for part in parts:
        assert part in message
    with pytest.raises(StrategyLoadError):
        ForeignPlayer(Seated("bot", library=kinds, symbol=symbol))


def test_wrong_files(tmp_path: Path, kinds: str) -> None:
    """What is no library is refused with the reason that the system gives."""
    content = Path(kinds).read_bytes()
    (tmp_path / "text.so").write_text("no library")
    (tmp_path / "empty.so").write_bytes(b"")
    (tmp_path / "half.so").write_bytes(content[: len(content) // 3])
    (tmp_path / "noise.so").write_bytes(content[:16] + bytes(range(256)) * 30)
    (tmp_path / "folder.so").mkdir()
    for name, part in {
        "missing.so": "there is no such file",
        "folder.so": "is a folder",
        "text.so": "is no library that can be loaded here",
        "empty.so": "is no library that can be loaded here",
        "noise.so": "is no library that can be loaded here",
        "half.so": "",  # which of the two depends on the system
        "nul\0.so": "there is no such file",
    }.items():
        path = str(tmp_path / name)
        with pytest.raises(StrategyLoadError) as caught:
            check_library(path, "good")
        assert str(caught.value).startswith(f"{path}: {part}")


def test_loading_that_fails(tmp_path: Path) -> None:
    """A library whose code crashes, or ends the process, while it is loaded does not end ours."""
    for number, (statement, part) in enumerate(
        {
            "__builtin_trap();": "it was killed by signal",
            "_exit(3);": "it ended with exit code 3",
        }.items()
    ):
        text = f"""#include <unistd.h>
{FULL}
__attribute__((constructor)) static void begin(void) {{ {statement} }}
HS_BOT(bot, 0);
int64_t bot(hs_view *view) {{ (void)view; return HS_DEFAULT; }}
"""
        library = build(tmp_path, text, name=f"bot{number}")
        with pytest.raises(StrategyLoadError, match="ends the process that loads it") as caught:
            check_library(library, "bot")
        assert part in str(caught.value)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it cannot even be linked")
def test_undefined_function(tmp_path: Path) -> None:
    """A library that needs what is not there is refused, and the message names it."""
    text = f"""{FULL}
HS_BOT(bot, 0);
int64_t elsewhere(void);
int64_t bot(hs_view *view) {{ (void)view; return elsewhere(); }}
"""
    library = build(tmp_path, text)
    with pytest.raises(StrategyLoadError, match="elsewhere"):
        check_library(library, "bot")


def test_cpp_without_macro(tmp_path: Path) -> None:
    """In C++ a function has its plain name only with the macro, and the message says so."""
    text = f"{FULL}int64_t bot(hs_view *) {{ return HS_DEFAULT; }}\n"
    library = build(tmp_path, text, cc="c++")
    with pytest.raises(StrategyLoadError, match=r"no function 'bot' .*plain name: put HS_BOT\(bot"):
        check_library(library, "bot")


def test_built_again(tmp_path: Path) -> None:
    """A library that changed after it was loaded is refused: the old code would play on."""
    text = FULL + "HS_BOT(bot, 0);\nint64_t bot(hs_view *view) { return view->call ? 2 : 1; }\n"
    library = build(tmp_path, text)
    before = library_digest(library)
    assert check_library(library, "bot") == 0
    Path(library).unlink()
    build(tmp_path, text.replace("0", "5"))
    assert library_digest(library) != before
    with pytest.raises(StrategyLoadError, match=r"was built again .* start Python again"):
        check_library(library, "bot")
    other = build(tmp_path, text.replace("0", "5"), name="other")
    assert check_library(other, "bot") == 5


def test_digest(kinds: str, tmp_path: Path) -> None:
    """The digest is that of the bytes, wherever they lie."""
    content = Path(kinds).read_bytes()
    assert library_digest(kinds) == hashlib.sha256(content).hexdigest()[:16]
    (tmp_path / "copy.so").write_bytes(content)
    assert library_digest(str(tmp_path / "copy.so")) == library_digest(kinds)
    with pytest.raises(StrategyLoadError, match=r"missing\.so: cannot be read: No such file"):
        library_digest(str(tmp_path / "missing.so"))


@pytest.mark.parametrize("value", ["3", None, [1], 1j, 10**400])
def test_options_that_are_no_numbers(kinds: str, value: Any) -> None:
    """An option that is no number is named."""
    options = {"first": 1, "second": value}
    with pytest.raises(StrategyLoadError, match="good: option second must be a number, got"):
        ForeignPlayer(Seated("bot", library=kinds, symbol="good", options=options))


def test_options(kinds: str) -> None:
    """As many options as there is room for keep their order; one more is refused."""
    options = {f"o{number}": number / 4 for number in range(MOST_OPTIONS)}
    player = ForeignPlayer(Seated("bot", library=kinds, symbol="good", options=options))
    assert player.options.tolist() == [number / 4 for number in range(MOST_OPTIONS)]
    seated = Seated("bot", library=kinds, symbol="good", options=options | {"more": 1})
    with pytest.raises(StrategyLoadError, match="got 65 options, at most 64"):
        ForeignPlayer(seated)
