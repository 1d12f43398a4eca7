"""What the commands say when something is wrong: where, what, no traceback, and the exit code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from trial import FOUR, python, write_files

from hearts_sim import run
from hearts_sim.cli import main
from hearts_sim.errors import HeartsError

GOOD = "strategies: {folder: bots}\nformat: {type: table, games: 4}\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with strategies in it."""
    write_files(tmp_path / "bots", FOUR)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*arguments: str, code: int = 2) -> str:
    """What a command that ends with this code prints to stderr; it prints nothing to stdout."""
    result = CliRunner().invoke(main, list(arguments))
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


CONFIGS: dict[str, tuple[str | bytes, str]] = {
    "unknown key": (GOOD + "sed: 3\n", "bad.yaml:3: sed: unknown key: did you mean 'seed'?"),
    "duplicate key": (GOOD + "seed: 1\nseed: 2\n", "bad.yaml:4: seed: this key is written twice"),
    "wrong type": (GOOD + "seed: many\n", "bad.yaml:3: seed: expected a whole number from 0"),
    "exponent": (GOOD.replace("4}", "1e3}"), "bad.yaml:2: format.games: expected a whole number"),
    "missing folder": (
        GOOD.replace("bots", "botz"),
        "bad.yaml:1: strategies.folder: there is no folder 'botz'",
    ),
    "empty folder": (
        GOOD.replace("bots", "empty"),
        "bad.yaml:1: strategies.folder: no strategies in ",
    ),
    "no strategies": (
        "strategies: {folder: bots, entries: []}\nformat: {type: table, games: 4}\n",
        "bad.yaml:1: strategies.entries: no strategies: the list is empty",
    ),
    "unknown strategy": (
        "strategies: {folder: bots, entries: [Low, Hihg]}\nformat: {type: table, games: 4}\n",
        "bad.yaml:1: strategies.entries[1]: no strategy is called 'Hihg': did you mean 'High'?",
    ),
    "unknown option": (
        GOOD.replace("bots", "bots, entries: [{strategy: Middle, options: {rosk: 1}}]"),
        "takes no option 'rosk': did you mean 'risk'?",
    ),
    "anchor": (
        GOOD + "report: {anchor: Nobody}\n",
        "bad.yaml:3: report.anchor: no entry has the name 'Nobody'",
    ),
    "rules": (GOOD + "rules: {players: 12}\n", "bad.yaml:3: rules.players: must be a whole number"),
    "deck": (GOOD + "rules: {players: 5, deck_removal: []}\n", "bad.yaml:3: rules.deck_removal: "),
    "not YAML": ("strategies: [\n", "bad.yaml:2:1: a value is missing here, or a bracket above"),
    "not UTF-8": (b"name: m\xfcller\n", "bad.yaml:1: byte 0xFC at offset 7 is not UTF-8"),
    "nothing": ("", "bad.yaml:1: the file says nothing. The shortest config is:"),
    "everything": (
        "sed: 1\nstrategies: {folder: botz}\nformat: {type: tabel, games: 0}\n",
        "bad.yaml:3: format.type: expected table, duel, gauntlet or selfplay",
    ),
}


@pytest.mark.parametrize("command", ["run", "validate"])
@pytest.mark.parametrize(("text", "words"), CONFIGS.values(), ids=CONFIGS)
def test_broken_configs(command: str, text: str | bytes, words: str) -> None:
    """A wrong config is exit code 2 with file and line, and nothing is played."""
    Path("bad.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    message = refused(command, "bad.yaml")
    assert message.startswith("Error: ")
    assert words in message
    assert re.search(r"bad\.yaml:\d+:", message)
    assert not Path("results").exists()


@pytest.mark.parametrize("command", ["run", "validate"])
def test_files_that_are_no_configs(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file, a folder and an unreadable file are told apart."""
    Path("league.yaml").write_text(GOOD)
    assert "leage.yaml: no such file; did you mean 'league.yaml'?" in refused(command, "leage.yaml")
    assert "bots: this is a folder, expected a config file" in refused(command, "bots")

    def refuse(*arguments: Any, **more: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert "league.yaml: no permission to read this file" in refused(command, "league.yaml")


def test_a_broken_strategy_file() -> None:
    """When all strategies should play, a file that does not import is exit code 2."""
    Path("c.yaml").write_text(GOOD + "\nfaults: {policy: strict}\n")
    Path("bots/broken.py").write_text("import\n")
    for command in ("run", "validate"):
        message = refused(command, "c.yaml")
        assert re.match(r"Error: \S+/bots/broken\.py:1: does not import: SyntaxError: ", message)
    assert "bots/broken.py:1: does not import" in refused("bench", "Nobody", "--folder", "bots")


COMMANDS: dict[str, tuple[list[str], int, str]] = {
    "no command": ([], 2, "Usage: "),
    "unknown command": (["rum"], 2, "No such command 'rum'"),
    "unknown option": (["run", "--jobz", "3"], 2, "No such option"),
    "no config": (["run"], 2, "Missing argument 'CONFIG'"),
    "jobs": (["run", "c.yaml", "-j", "-1"], 2, "Invalid value for '-j'"),
    "seed": (["validate", "c.yaml", "--seed", "-1"], 2, "Invalid value for '--seed'"),
    "report of nothing": (["report", "nowhere"], 1, "nowhere holds no run: expected run.json in"),
    "report of a file": (["report", "bots/low.py"], 1, "bots/low.py is a file"),
    "chart of nothing": (["chart", "nowhere"], 1, "nowhere holds no run"),
    "chart of a kind": (["chart", "x", "--kind", "pie"], 2, "is not one of 'ratings', 'pairwise'"),
    "chart format": (["chart", "x", "--format", "pdf"], 2, "is not one of 'png', 'svg'"),
    "chart name": (["chart", "x", "-o", "a.pdf"], 2, "--output a.pdf does not end in .png or .svg"),
    "chart both": (["chart", "x", "-o", "a.png", "--format", "svg"], 2, "does not end in .svg"),
    "preset": (["variants", "black_lad"], 2, "unknown preset 'black_lad': did you mean"),
    "preset players": (["variants", "black_widow", "--players", "5"], 2, "a game for 4 players"),
    "no folder": (["strategies", "nowhere"], 2, "nowhere does not exist: give a folder"),
    "folder is a file": (["strategies", "bots/low.py"], 2, "bots/low.py is a file: give a folder"),
    "bench nobody": (["bench"], 2, "Missing argument 'STRATEGY...'"),
    "bench unknown": (
        ["bench", "Loww", "--folder", "bots"],
        2,
        "no strategy is called 'Loww': did you mean 'Low'?",
    ),
    "bench too many": (
        ["bench", *["Low"] * 5, "--folder", "bots"],
        2,
        "5 strategies do not fit a table of 4",
    ),
    "bench players": (["bench", "Low", "--players", "2"], 2, "players must be a whole number"),
    "bench folder": (["bench", "Low", "--folder", "no"], 2, "no does not exist"),
    "bench hands": (["bench", "Low", "--hands", "0"], 2, "Invalid value for '--hands'"),
    "bench rules": (["bench", "Low", "--rules", "hart"], 2, "unknown preset 'hart'"),
}


@pytest.mark.parametrize(("arguments", "code", "words"), COMMANDS.values(), ids=COMMANDS)
def test_wrong_commands(arguments: list[str], code: int, words: str) -> None:
    """A wrong command is exit code 2, a run that is not there 1; both say what is wrong."""
    Path("c.yaml").write_text(GOOD)
    assert words in refused(*arguments, code=code)


def test_bench_of_a_strategy_with_options() -> None:
    """A strategy that cannot play without options is named before anything is played."""
    needy = FOUR["middle.py"].replace("risk=0.5", "risk").replace("Middle", "Needy")
    write_files(Path("bots"), {"needy.py": needy})
    message = refused("bench", "Needy", "--folder", "bots")
    assert "Needy needs the option 'risk'" in message


@pytest.fixture
def played(home: Path) -> Path:
    """A small run without a report."""
    config = {
        "strategies": {"folder": "bots"},
        "format": {"type": "table", "games": 4},
        "rules": {"end": {"deals": 1}},
        "log": "games",
    }
    return run(config, output=home / "played", report=False).path


def test_a_chart_that_cannot_be_written(played: Path) -> None:
    """A chart that cannot be written is one clear message."""
    message = refused("chart", str(played), "-o", "nowhere/a.png", code=1)
    assert message == "Error: nowhere/a.png: cannot be written: No such file or directory\n"


def test_a_damaged_run(played: Path) -> None:
    """A damaged file of a run is named; the log is read where the counts are damaged too."""
    (played / "counts" / "part-00000.npz").write_bytes(b"no")
    (played / "games" / "part-00000.parquet").write_bytes(b"no")
    for command in ("report", "chart"):
        message = refused(command, str(played), code=1)
        assert "part-00000.parquet is missing or damaged: " in message
    (played / "run.json").write_text("{")
    assert "run.json is damaged" in refused("report", str(played), code=1)


def test_a_report_that_cannot_be_written(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that cannot be written is one clear message."""

    def refuse(*arguments: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("os.replace", refuse)
    message = refused("report", str(played), code=1)
    assert "cannot be written: Read-only file system; what was written before is kept" in message


def test_every_error_has_an_exit_code() -> None:
    """Errors end with 1 or 2, an interruption with 130."""

    def all_of(kind: type[HeartsError]) -> set[type[HeartsError]]:
        return {kind}.union(*map(all_of, kind.__subclasses__()))

    codes = {kind.__name__: kind.exit_code for kind in all_of(HeartsError)}
    two = {name for name, code in codes.items() if code == 2}
    assert two == {"CardError", "ConfigError", "RulesError", "StrategyLoadError", "WouldOverwrite"}
    assert codes["RunInterrupted"] == 130
    assert codes["StrategyFault"] == codes["ResultsError"] == 1


def test_as_a_program() -> None:
    """As a program too an error is one message and its exit code, without a traceback."""
    Path("bad.yaml").write_text(GOOD + "sed: 3\n")
    done = python("-m", "hearts_sim.cli", "validate", "bad.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: bad.yaml:3: sed: unknown key: did you mean 'seed'?\n"
