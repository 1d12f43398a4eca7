"""A strategy that fails stops the run, and the message says where, with what and why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from trial import LOW, play_inline, settings, write_files

from hearts_sim import Strategy, play_game, run
from hearts_sim.cli import main
from hearts_sim.errors import StrategyFault
from hearts_sim.tournament.reading.results import Results

SHORT = {"end": {"deals": 2}, "tie": "draw"}

# What stands in one method of a strategy, and what is said about it.
BODIES: dict[str, tuple[str, str, str]] = {
    "exception": ("choose_card", "raise ValueError('no idea')", "it raised ValueError: no idea"),
    "bug": ("choose_card", "return view.legl.lowest()", "it raised AttributeError: 'View' object"),
    "empty set": (
        "choose_card",
        "return (view.hand - view.hand).lowest()",
        "it raised CardError: an empty set has no lowest card: test the set before asking",
    ),
    "exit": ("choose_card", "sys.exit(3)", "it raised SystemExit: 3"),
    "recursion": ("choose_card", "return self.choose_card(view)", "it raised RecursionError: "),
    "assertion": ("choose_card", "assert False, 'never'", "it raised AssertionError: never"),
    "own base": ("choose_card", "raise BaseException('odd')", "it raised BaseException: odd"),
    "message with lines": ("choose_card", "raise ValueError('a\\nb')", "it raised ValueError: a"),
    "nothing": ("choose_card", "pass", "it raised BadAnswer: choose_card must return one card"),
    "type": ("choose_card", "return 1.5", "such as view.legal.lowest()), not float"),
    "illegal card": ("choose_card", "return view.unseen.lowest()", "which it may not"),
    "no card": ("choose_card", "return 52", "it played 52, which is no card"),
    "pass": ("choose_pass", "return [][1]", "it raised IndexError: list index out of range"),
    "short pass": ("choose_pass", "return [view.hand.lowest()]", "expected 3 different cards"),
    "start of game": ("start_game", "1 / 0", "it raised ZeroDivisionError: division by zero"),
    "start of hand": ("start_hand", "1 / 0", "it raised ZeroDivisionError: division by zero"),
    "end of hand": ("end_hand", "1 / 0", "it raised ZeroDivisionError: division by zero"),
    "constructor": ("__init__", "1 / 0", "it raised ZeroDivisionError: division by zero"),
}


def strict(folder: Path, *arguments: Any, **more: Any) -> dict[str, Any]:
    """Settings of a run that a fault stops."""
    return settings(folder, *arguments, faults={"policy": "strict"}, **more)


def failing(folder: Path, hook: str, body: str) -> Path:
    """A folder with Low and with a strategy that has this line, which is line 9 of its file."""
    arguments = "self" if hook == "__init__" else "self, view"
    bot = (
        "import sys\n\nfrom hearts_sim import Strategy\n\n\nclass Fails(Strategy):\n"
        f"    # Not here.\n    def {hook}({arguments}):\n        {body}\n"
    )
    if hook != "choose_card":
        bot += "\n    def choose_card(self, view):\n        return view.legal.lowest()\n"
    return write_files(folder, {"fails.py": bot, "low.py": LOW})


@pytest.mark.parametrize(("hook", "body", "words"), BODIES.values(), ids=BODIES)
def test_a_fault(tmp_path: Path, hook: str, body: str, words: str) -> None:
    """Any failure names strategy, decision and reason; an exception also its file and line."""
    folder = failing(tmp_path / "s", hook, body)
    with pytest.raises(StrategyFault) as caught:
        run(strict(folder, rules=SHORT), output=tmp_path / "out", report=False)
    message = str(caught.value)
    called = "start_game" if hook == "__init__" else hook
    place = r"block 0, seating \d, game \d, hand \d, (trick 1, )?seat \d"
    assert re.match(rf"Fails failed in {called} \({place}\): ", message)
    assert ("trick" in message.split(")")[0]) == (hook == "choose_card")
    assert words in message
    assert f"\n  in {folder / 'fails.py'}" in message
    raised = "it raised" in words and "BadAnswer" not in words
    if raised and "CardError" not in words:
        assert f'File "{folder / "fails.py"}", line 9, in {hook}' in message
        assert message.count("\n") < 30
    assert caught.value.exit_code == 1
    if hook in ("choose_card", "choose_pass"):
        shown = re.search(r"\n  hand: (.*); legal: (.*)\n", message)
        assert shown
        assert len(shown[1].split()) == 13
        assert set(shown[2].split()) <= set(shown[1].split())


def test_the_cause_is_the_exception(tmp_path: Path) -> None:
    """The exception of a strategy is the cause of the fault, with its own traceback."""

    class Fails(Strategy):
        def choose_card(self, view: Any) -> Any:
            raise LookupError("lost")

    with pytest.raises(StrategyFault) as caught:
        play_game([Fails] * 4)
    assert isinstance(caught.value.__cause__, LookupError)
    assert caught.value.__cause__.__traceback__ is not None


def test_the_decision_is_the_one_that_failed() -> None:
    """Hand, trick and seat in the message are those of the decision, and so are the cards."""

    class Late(Strategy):
        def choose_card(self, view: Any) -> Any:
            if view.hand_number == 2 and view.trick_number == 10:
                raise ValueError(f"{view.hand}|{view.legal}|{view.seat}")
            return view.legal.lowest()

    with pytest.raises(StrategyFault) as caught:
        play_game([Late] * 4, seed=6)
    message = str(caught.value)
    hand, legal, seat = str(caught.value.__cause__).split("|")
    assert f"game 0, hand 2, trick 10, seat {seat})" in message
    assert f"  hand: {hand}; legal: {legal}" in message
    assert len(hand.split()) == 4


def test_the_name_of_the_entry(tmp_path: Path) -> None:
    """An entry is named as the config names it."""
    folder = failing(tmp_path / "s", "choose_card", "1 / 0")
    entries = ["Low", {"strategy": "Fails", "name": "my best"}]
    with pytest.raises(StrategyFault, match=r"^my best failed in choose_card \(block 0"):
        run(strict(folder, entries), output=tmp_path / "out", report=False)


def test_prepare(tmp_path: Path) -> None:
    """A `prepare` that raises is named before anything is played."""
    bot = LOW.replace("class Low", "class Slow") + (
        "\n    @classmethod\n    def prepare(cls, options):\n        open('no such file')\n"
    )
    folder = write_files(tmp_path / "s", {"slow.py": bot})
    with pytest.raises(StrategyFault) as caught:
        run(strict(folder), output=tmp_path / "out", report=False)
    assert f"Slow ({folder / 'slow.py'}): prepare raised FileNotFoundError: " in str(caught.value)


def test_a_bot_that_fails_in_one_game_only(tmp_path: Path) -> None:
    """Block, seating and game of a later fault are those of the schedule."""
    bot = """
        from hearts_sim import Strategy

        class Sixth(Strategy):
            games = 0

            def start_game(self, view):
                Sixth.games += 1
                assert Sixth.games < 6

            def choose_card(self, view):
                return view.legal.lowest()
    """
    files = {"sixth.py": bot, "low.py": LOW}
    for name in ("a", "b"):
        files[f"{name}.py"] = LOW.replace("class Low", f"class {name.upper()}")
    folder = write_files(tmp_path / "s", files)
    with pytest.raises(StrategyFault, match=r"\(block 1, seating 1, game 5, hand 0, seat \d\)"):
        run(strict(folder, games=16), output=tmp_path / "out", report=False)
    kept = Results(tmp_path / "out").games()
    assert set(kept["block"]) == {0}


# On the command line


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in this process, where starting takes no time."""
    play_inline(monkeypatch)


CONFIG = "strategies: {folder: s}\nformat: {type: table, games: 8}\nfaults: {policy: strict}\n"


@pytest.mark.usefixtures("inline")
@pytest.mark.parametrize("body", ["raise ValueError('no idea')", "return 52", "sys.exit(0)"])
def test_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """On the command line a fault is a message without our traceback, and exit code 1."""
    monkeypatch.chdir(tmp_path)
    failing(tmp_path / "s", "choose_card", body)
    Path("c.yaml").write_text(CONFIG)
    result = CliRunner().invoke(main, ["run", "c.yaml"])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "Error: Fails failed in choose_card (block 0" in result.stderr
    assert "Traceback" not in result.stderr
    assert "hearts_sim/" not in result.stderr


@pytest.mark.usefixtures("inline")
def test_report_after_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`report` works on what was played before a fault, and calls its figures interim."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hearts_sim.report.write.drawable", lambda summary: ["points"])
    bot = LOW.replace("class Low", "class Tires") + (
        "    games = 0\n\n    def start_game(self, view):\n        Tires.games += 1\n"
        "        assert Tires.games < 30, 'tired'\n"
    )
    write_files(tmp_path / "s", {"low.py": LOW, "tires.py": bot})
    Path("c.yaml").write_text(CONFIG.replace("8", "80"))
    result = CliRunner().invoke(main, ["run", "c.yaml", "-q"])
    assert result.exit_code == 1
    assert "it raised AssertionError: tired" in result.stderr
    report = CliRunner().invoke(main, ["report", "results/c"])
    assert report.exit_code == 0
    assert report.stdout.startswith("interim: table tournament, ")
    assert "Note: The run is not finished: all figures are interim." in report.stdout
    page = Path("results/c/report.html").read_text(encoding="utf-8")
    assert "interim" in page


# In player processes


def test_a_fault_in_a_player_process(tmp_path: Path) -> None:
    """A fault in a player process has the same message, and stops the others."""
    folder = failing(tmp_path / "s", "choose_card", "raise ValueError('no idea')")
    messages = []
    for jobs in (None, 1):
        with pytest.raises(StrategyFault) as caught:
            run(strict(folder), output=tmp_path / f"out{jobs}", jobs=jobs, report=False)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_a_process_that_dies(tmp_path: Path) -> None:
    """A strategy that ends its process is named, with the decision at which it did so."""
    folder = failing(tmp_path / "s", "choose_card", "__import__('os')._exit(4)")
    with pytest.raises(StrategyFault) as caught:
        run(strict(folder), output=tmp_path / "out", jobs=1, report=False)
    message = str(caught.value)
    assert message.startswith("Fails failed in choose_card (block 0, seating 0, game 0, hand 1, ")
    assert "its process ended with exit code 4" in message
