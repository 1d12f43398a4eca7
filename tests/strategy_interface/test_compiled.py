"""Compiled strategies: what reaches them, what goes wrong in them, and where their code is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from trial import LOW, python, settings, write_files

from hearts_sim import CompiledStrategy, Strategy, play_game, run
from hearts_sim.engine import _jit
from hearts_sim.errors import StrategyFault, StrategyLoadError
from hearts_sim.strategy.toolkit import (
    QUEEN,
    above_card,
    below_card,
    bit,
    count,
    has,
    helper,
    highest,
    in_suit,
    lowest,
    memory,
    nth,
    options,
    random_below,
    random_card,
    rank_of,
    suit_of,
)
from hearts_sim.tournament.reading.results import Results

SHORT = {"end": {"deals": 2}, "tie": "draw"}


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Machine code of these strategies goes to a folder of the tests, not to the user's."""
    root = tmp_path_factory.mktemp("compiled")

    @contextmanager
    def cache_folder(*parts: str) -> Iterator[Path]:
        folder = root / "-".join(parts)
        folder.mkdir(exist_ok=True)
        before = _jit.numba.config.CACHE_DIR
        _jit.numba.config.CACHE_DIR = str(folder)
        yield folder
        _jit.numba.config.CACHE_DIR = before

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hearts_sim.strategy.compiled.cache_folder", cache_folder)
        patch.setattr("hearts_sim.strategy.toolkit.cache_folder", cache_folder)
        yield


def play(folder: Path, output: Path, entries: list[Any] | None = None, **more: Any) -> Results:
    config = settings(folder, entries, **{"type": "selfplay", "log": "plays", **more})
    return run(config, output=output, report=False)


class Low(Strategy):
    """Plays its lowest card, in plain Python."""

    def choose_card(self, view: Any) -> Any:
        return view.legal.lowest()


class Quick(CompiledStrategy):
    """Plays its lowest card."""

    @staticmethod
    def choose_card(view: Any) -> Any:
        return lowest(view.legal)


def test_like_the_plain_one() -> None:
    """A compiled strategy plays the game that the same one in plain Python plays."""
    assert play_game([Quick] * 4, seed=3).plays.equals(play_game([Low] * 4, seed=3).plays)
    mixed = play_game([Quick, Low, Quick, Low], seed=3)
    assert mixed.plays.equals(play_game([Low] * 4, seed=3).plays)


def test_without_staticmethod() -> None:
    """A hook without @staticmethod that takes the view alone is understood."""

    class Bare(CompiledStrategy):
        def choose_card(view: Any) -> Any:  # noqa: N805
            return lowest(view.legal)

    assert play_game([Bare] * 4, SHORT).plays.equals(play_game([Low] * 4, SHORT).plays)


def test_options(tmp_path: Path) -> None:
    """Options reach every hook as numbers in their order, each entry's own."""
    bot = """
        from hearts_sim import CompiledStrategy
        from hearts_sim.strategy.toolkit import highest, lowest, options

        class Bot(CompiledStrategy):
            options = {"first": 0.25, "high": 0}

            @staticmethod
            def start_game(view):
                if options(view)[0] != 0.25:
                    raise ValueError("the first option is wrong")

            @staticmethod
            def choose_card(view):
                return highest(view.legal) if options(view)[1] else lowest(view.legal)
    """
    plain = """
        from hearts_sim import Strategy

        class Bot(Strategy):
            def __init__(self, high):
                self.high = high

            def choose_card(self, view):
                return view.legal.highest() if self.high else view.legal.lowest()
    """
    entries = [
        {"strategy": "Bot", "name": name, "options": {"high": high}}
        for name, high in (("low", 0), ("high", 1.5), ("yes", True))
    ]
    digests = [
        play(write_files(tmp_path / kind, {"bot.py": text}), tmp_path / f"{kind}-out", entries)
        for kind, text in (("compiled", bot), ("plain", plain))
    ]
    assert digests[0].digest() == digests[1].digest()


def test_answers_of_others_stay_hidden(tmp_path: Path) -> None:
    """What the seat before has passed is not left in the view when the first card is asked for."""
    bot = """
        from hearts_sim import CompiledStrategy
        from hearts_sim.strategy.toolkit import has, highest, lowest

        class Bot(CompiledStrategy):
            @staticmethod
            def choose_pass(view):
                chosen = 0
                for _ in range(view.pass_count):
                    chosen |= 1 << highest(view.legal & ~chosen)
                return chosen

            @staticmethod
            def choose_card(view):
                seen = view.answer
                if seen != -1 and not (0 <= seen < 52 and has(view.played, seen)):
                    raise ValueError("an answer that nobody may see")
                return lowest(view.legal)
    """
    results = play(write_files(tmp_path / "s", {"bot.py": bot}), tmp_path / "out", games=2)
    assert results.games()["faults"].max() == 0


def test_memory(tmp_path: Path) -> None:
    """The scratch memory is zero at the start of each game and keeps within it, seat by seat."""
    bot = """
        from hearts_sim import CompiledStrategy
        from hearts_sim.strategy.toolkit import lowest, memory

        class Bot(CompiledStrategy):
            memory_words = 3

            @staticmethod
            def start_game(view):
                words = memory(view)
                if len(words) != 3 or words[0] != 0 or words[1] != 0 or words[2] != 0:
                    raise ValueError("not zero at the start of a game")
                words[2] = view.seat

            @staticmethod
            def start_hand(view):
                memory(view)[0] += 1

            @staticmethod
            def choose_card(view):
                words = memory(view)
                words[1] += 1
                if words[0] != view.hand_number or words[2] != view.seat:
                    raise ValueError("forgotten")
                if words[1] != 13 * (view.hand_number - 1) + view.trick_number:
                    raise ValueError("miscounted")
                return lowest(view.legal)
    """
    folder = write_files(tmp_path / "s", {"bot.py": bot, "low.py": LOW})
    results = play(folder, tmp_path / "out", type="table", games=24)
    games = results.games()
    assert games["hands"].min() > 1


@helper
def _tools(cards: int) -> Any:
    ends = (lowest(cards), highest(cards), count(cards), nth(cards, 2))
    queen = (suit_of(QUEEN), rank_of(QUEEN), has(cards, QUEEN), has(cards, 1))
    sets = (in_suit(cards, 0), below_card(cards, QUEEN), above_card(cards, QUEEN))
    return ends, queen, sets, above_card(cards, 51)


def test_toolkit() -> None:
    """Functions of the toolkit mean what they say."""
    cards = 1 << 0 | 1 << 12 | 1 << 36 | 1 << 39 | 1 << 51
    ends, queen, sets, above_all = _tools(cards)
    assert ends == (0, 51, 5, 36)
    assert queen == (2, 10, True, False)
    assert sets == (1 << 0 | 1 << 12, 1 << 0 | 1 << 12, 1 << 39 | 1 << 51)
    assert above_all == 0


class Lucky(CompiledStrategy):
    """Draws from its stream."""

    memory_words = 1

    @staticmethod
    def choose_pass(view: Any) -> Any:
        chosen = 0
        for _ in range(view.pass_count):
            chosen |= bit(random_card(view, view.legal & ~chosen))
        return chosen

    @staticmethod
    def choose_card(view: Any) -> Any:
        number = random_below(view, 6)
        if number < 0 or number > 5:
            raise ValueError
        memory(view)[0] |= 1 << number
        return random_card(view, view.legal)


def test_random_numbers() -> None:
    """The stream is keyed by the seed: equal seeds play equal games, others do not."""
    first, same, other = (play_game([Lucky] * 4, SHORT, seed) for seed in (1, 1, 2))
    assert first.plays.equals(same.plays)
    assert not first.plays.equals(other.plays)


@helper
def low_or_high(cards: int, high: bool) -> int:
    """One end of a set."""
    return highest(cards) if high else lowest(cards)


class Helped(CompiledStrategy):
    """Uses a helper, with options."""

    options = {"high": 1}

    @staticmethod
    def choose_card(view: Any) -> Any:
        return low_or_high(view.legal, options(view)[0] > 0)


def test_helper() -> None:
    """A function under `helper` can be called from hooks, and from Python."""

    class High(Low):
        def choose_card(self, view: Any) -> Any:
            return view.legal.highest()

    assert play_game([Helped] * 4, SHORT).plays.equals(play_game([High] * 4, SHORT).plays)
    assert low_or_high(bit(3) | bit(7), True) == 7


# What goes wrong while playing


class Raises(Quick):
    """Raises when it plays its third card."""

    @staticmethod
    def choose_card(view: Any) -> Any:
        if view.trick_number == 3:
            raise ValueError("no idea")
        return lowest(view.legal)


class Divides(Quick):
    """Divides by zero, which would be the two of clubs."""

    @staticmethod
    def choose_card(view: Any) -> Any:
        return lowest(view.legal) // (view.trick_number - 1)


class NotStarted(Quick):
    """Does not start."""

    @staticmethod
    def start_game(view: Any) -> None:
        raise KeyError


class BadEnd(Quick):
    """Raises after the first hand."""

    @staticmethod
    def end_hand(view: Any) -> None:
        if view.points[view.seat] >= 0:
            raise IndexError("the end")


class BadPass(Quick):
    """Raises instead of passing."""

    @staticmethod
    def choose_pass(view: Any) -> Any:
        if view.legal:
            raise RuntimeError("keep them")
        return 0


class NoPass(Quick):
    """Passes nothing."""

    @staticmethod
    def choose_pass(view: Any) -> Any:
        return 0


class WrongPass(Quick):
    """Passes what it does not hold."""

    @staticmethod
    def choose_pass(view: Any) -> Any:
        return ~view.legal & 7


class NoCard(Quick):
    """Plays a card that there is not."""

    @staticmethod
    def choose_card(view: Any) -> Any:
        return 99


class Minus(Quick):
    """Plays the number that stands for no answer."""

    @staticmethod
    def choose_card(view: Any) -> Any:
        return -1


class Illegal(Quick):
    """Plays a card that is not its own."""

    @staticmethod
    def choose_card(view: Any) -> Any:
        return lowest(~view.hand & view.deck)


FAULTS: dict[str, tuple[type[CompiledStrategy], str, str]] = {
    "raises": (Raises, "choose_card", "it raised ValueError: no idea"),
    "divides": (Divides, "choose_card", "it raised ZeroDivisionError: "),
    "start": (NotStarted, "start_game", "it raised KeyError: "),
    "end": (BadEnd, "end_hand", "it raised IndexError: the end"),
    "pass": (BadPass, "choose_pass", "it raised RuntimeError: keep them"),
    "no pass": (NoPass, "choose_pass", "it passed nothing: expected 3 different cards"),
    "wrong pass": (WrongPass, "choose_pass", "expected 3 different cards of its legal ones"),
    "no card": (NoCard, "choose_card", "it played 99, which is no card"),
    "minus": (Minus, "choose_card", "it played -1, which is no card"),
    "illegal": (Illegal, "choose_card", "which it may not"),
}


@pytest.mark.parametrize(("bot", "hook", "words"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_never_a_card(bot: type[CompiledStrategy], hook: str, words: str) -> None:
    """What is raised in a compiled hook, and a wrong answer, is a fault with its reason."""
    with pytest.raises(StrategyFault) as caught:
        play_game([Low, bot, Low, Low], SHORT)
    message = str(caught.value)
    assert message.startswith(f"{bot.__name__} failed in {hook} (block 0, seating 0, game 0, hand ")
    assert ", seat 1): " in message
    assert words in message
    assert f"\n  in {__file__}" in message
    assert ("\n  hand: " in message) == (hook in ("choose_card", "choose_pass"))


# What does not compile

TWO_LINES = "from hearts_sim import CompiledStrategy\nfrom hearts_sim.strategy.toolkit import *\n"
CLASS = "class Bot(CompiledStrategy):\n    @staticmethod\n    def choose_card(view):\n"
REFUSED = {
    "no field": (
        CLASS + "        return lowest(view.legel)\n",
        "no field 'legel': did you mean 'leg",
    ),
    "no function": (CLASS + "        return lowes(view.legal)\n", "'lowes'"),
    "nothing returned": (CLASS + "        view.legal\n", "No conversion from none to int64"),
    "text returned": (CLASS + "        return 'QS'\n", "No conversion from"),
    "Python object": (CLASS + "        return sorted({1: 2}, key=view)\n", "does not compile:\n  "),
    "self": (
        CLASS.replace("(view)", "(self, view)") + "        return lowest(view.legal)\n",
        "Bot.choose_card must take exactly one argument, the view (a hook of a compiled strategy",
    ),
    "nothing taken": (
        CLASS.replace("(view)", "()") + "        return 1\n",
        "must take exactly one argument",
    ),
    "second hook": (
        CLASS
        + "        return lowest(view.legal)\n\n"
        + CLASS.split("\n", 1)[1].replace("choose_card", "start_hand")
        + "        view.legel\n",
        "Bot.start_hand does not compile:\n  the view has no field 'legel'",
    ),
}


@pytest.mark.parametrize(("text", "words"), REFUSED.values(), ids=REFUSED)
def test_does_not_compile(tmp_path: Path, text: str, words: str) -> None:
    """A hook that does not compile is named with file and line, before anything is played."""
    folder = write_files(tmp_path / "s", {"bot.py": TWO_LINES + text})
    with pytest.raises(StrategyLoadError) as caught:
        play(folder, tmp_path / "out")
    message = str(caught.value)
    line = 8 if "start_hand" in text else 4
    assert message.startswith(f"{folder / 'bot.py'}:{line}: Bot.")
    assert words in message
    assert "Traceback" not in message
    assert len(message.splitlines()) <= 17
    assert caught.value.exit_code == 2
    assert not (tmp_path / "out" / "games").exists()


def test_no_function(tmp_path: Path) -> None:
    """A hook that is no function is said to be none."""
    text = TWO_LINES + "class Bot(CompiledStrategy):\n    choose_card = 5\n"
    folder = write_files(tmp_path / "s", {"bot.py": text})
    with pytest.raises(StrategyLoadError, match=r"bot\.py: Bot\.choose_card is no function"):
        play(folder, tmp_path / "out")


# Where machine code is kept

PROCESS = """
import sys
from numba.core import event
from hearts_sim import run

compiled = event.RecordingListener()
event.register("numba:compile", compiled)
config = {
    "name": "trial",
    "strategies": {"folder": "s"},
    "format": {"type": "selfplay", "games": 1},
    "log": "plays",
    "rules": {"end": {"deals": 1}, "tie": "draw"},
}
results = run(config, output=sys.argv[1], report=False)
print(results.digest(), sum(item.is_start for _, item in compiled.buffer))
"""
BOT = """
from hearts_sim import CompiledStrategy
from hearts_sim.strategy.toolkit import nth
from ._outer import outer

class Bot(CompiledStrategy):
    @staticmethod
    def choose_card(view):
        return outer(view.legal)
"""
OUTER = """
from hearts_sim.strategy.toolkit import helper
from ._inner import inner

@helper
def outer(cards):
    return inner(cards)
"""
INNER = """
from hearts_sim.strategy.toolkit import helper, highest, lowest

@helper
def inner(cards):
    return lowest(cards)
"""


def test_code_is_kept_and_never_stale(tmp_path: Path) -> None:
    """A second process compiles nothing; an edited helper or file gives its new behaviour."""
    play_game([Low] * 4, SHORT)  # so that the engine itself is compiled
    kept = tmp_path / "cache" / "hearts-sim" / "compiled"
    kept.mkdir(parents=True)
    engine = _jit.engine_digest()
    (kept / engine).symlink_to(_jit.cache_root() / engine, target_is_directory=True)
    write_files(tmp_path / "s", {"bot.py": BOT, "_outer.py": OUTER, "_inner.py": INNER})
    outputs = iter(range(10))

    def process() -> tuple[str, int]:
        done = python(
            "-c",
            PROCESS,
            f"out{next(outputs)}",
            cwd=tmp_path,
            NUMBA_CACHE_DIR=str(tmp_path / "cache"),
        )
        assert done.returncode == 0, done.stderr
        digest, compiled = done.stdout.split()
        return digest, int(compiled)

    digest, compiled = process()
    assert compiled >= 3
    assert process() == (digest, 0)
    low, high = (
        run(
            settings(
                write_files(tmp_path / name, {"bot.py": text}),
                log="plays",
                type="selfplay",
                games=1,
                rules={"end": {"deals": 1}, "tie": "draw"},
            ),
            output=tmp_path / f"{name}-out",
            report=False,
        ).digest()
        for name, text in (
            ("low", LOW),
            ("high", LOW.replace("lowest", "highest")),
        )
    )
    assert digest == low
    write_files(tmp_path / "s", {"_inner.py": INNER.replace("return lowest", "return highest")})
    edited, compiled = process()
    assert edited == high
    assert compiled >= 3
    write_files(tmp_path / "s", {"bot.py": BOT.replace("outer(view.legal)", "nth(view.legal, 0)")})
    assert process()[0] == low
    assert not list((tmp_path / "s").rglob("*.nbi"))


SESSION = """
from hearts_sim import CompiledStrategy, play_game
from hearts_sim.strategy.toolkit import helper, lowest

@helper
def low(cards):
    return lowest(cards)

class Typed(CompiledStrategy):
    @staticmethod
    def choose_card(view):
        return low(view.legal)

print(play_game([Typed] * 4, seed=3).scores)
"""


def test_typed_into_a_session() -> None:
    """A class that is in no file is compiled without keeping its code."""
    done = python("-c", SESSION)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{play_game([Low] * 4, seed=3).scores}\n"
