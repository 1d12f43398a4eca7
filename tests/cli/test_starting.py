"""`hearts-sim init` and `hearts-sim new`: what they write works, and they write over nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from trial import play_inline, write_files

import hearts_sim
from hearts_sim import Rules, play_game
from hearts_sim.cli import main
from hearts_sim.strategy.loader import load_folders
from hearts_sim.strategy.names import class_names
from hearts_sim.testing import check_strategy
from hearts_sim.tournament.config import starter

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play_inline(monkeypatch)


def hearts(*arguments: str, code: int = 0) -> str:
    """What a command says on stderr."""
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    assert result.stdout == ""
    return result.stderr


# init


def test_init() -> None:
    """A new folder has what the repository has, and the config in it is valid."""
    assert "next: cd new/home && hearts-sim run configs/quickstart.yaml" in hearts(
        "init", "new/home"
    )
    tracked = subprocess.run(
        ["git", "ls-files", "strategies", "configs"], cwd=ROOT, capture_output=True, text=True,
        check=False,
    ).stdout.split()  # fmt: skip
    there = {
        path.relative_to("new/home").as_posix()
        for path in Path("new/home").rglob("*")
        if path.is_file()
    }
    assert not tracked or there == {*tracked, "README.md", "configs/config.schema.json"}
    low = Path("new/home/strategies/low_card.py").read_bytes()
    assert low == (ROOT / "strategies" / "low_card.py").read_bytes()
    result = CliRunner().invoke(main, ["validate", "new/home/configs/quickstart.yaml"])
    assert result.exit_code == 0, result.output
    assert "LowCard" in result.stdout


def test_init_twice() -> None:
    """What is the same stays, what differs is in the way, and nothing is written beside it."""
    hearts("init")
    assert ". has all of it already" in hearts("init")
    Path("strategies/low_card.py").write_text("mine")
    Path("README.md").unlink()
    text = hearts("init", code=2)
    assert "these are there already, and differ:\n  strategies/low_card.py\n" in text
    assert not Path("README.md").exists()
    assert Path("strategies/low_card.py").read_text() == "mine"
    Path("other.txt").write_text("other")
    assert ".: 2 files written" in hearts("init", "--force")
    assert Path("strategies/low_card.py").read_text() != "mine"
    assert Path("other.txt").read_text() == "other"


def test_init_in_the_way() -> None:
    """A file where a folder should be, and a folder where a file should be, are named."""
    Path("file").write_text("")
    assert "file is a file: give the name of a folder" in hearts("init", "file", code=2)
    assert "is in the way of" in hearts("init", "file/under", code=2)
    write_files(Path("here"), {"strategies": ""})
    assert "here/strategies is in the way of" in hearts("init", "here", "--force", code=2)
    assert "File name too long" in hearts("init", "x" * 300, code=1)
    assert "File name too long" in hearts("new", "MyBot", "-o", "x" * 300, code=2)
    Path("there/README.md").mkdir(parents=True)
    assert "there/README.md is in the way" in hearts("init", "there", code=2)


def test_where_the_files_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the package where it is installed, else beside it; else it says so."""
    assert starter.starter_folder() == Path(hearts_sim.__file__).parents[1]
    package = tmp_path / "site" / "hearts_sim"
    for name in ("strategies", "configs"):
        (package / "starter" / name).mkdir(parents=True)
    monkeypatch.setattr(hearts_sim, "__file__", str(package / "__init__.py"))
    assert starter.starter_folder() == package / "starter"
    (package / "starter" / "configs").rmdir()
    assert "install it again" in hearts("init", code=1)


# new


def test_new_twins() -> None:
    """Both files play, and play the same games: one is the other, compiled."""
    hearts("new", "Ducker", "-o", "bots")
    hearts("new", "fast_ducker", "--compiled", "-o", "bots")
    library = load_folders(["bots"])
    assert library.problems == []
    plain, fast = (library.get(name).strategy for name in ("Ducker", "FastDucker"))
    assert not library.get("Ducker").compiled
    assert library.get("FastDucker").compiled
    assert library.get("Ducker").takes.names == library.get("FastDucker").takes.names == ("risk",)
    for preset in ("black_lady", "omnibus", "cancellation"):
        rules = Rules.preset(preset, end={"deals": 3})
        played: list[Any] = [
            play_game([bot] * rules.players, rules=rules, seed=4) for bot in (plain, fast)
        ]
        assert played[0].scores == played[1].scores


def test_new_passes_the_check() -> None:
    """What `check` says of it, at once: nothing."""
    said = hearts("new", "MyBot")
    assert "hearts-sim check strategies/my_bot.py" in said
    report = check_strategy("strategies/my_bot.py", games=3)
    assert report.ok
    assert report.findings == []


@pytest.mark.parametrize(
    ("name", "class_name", "file"),
    [
        ("MyBot", "MyBot", "my_bot.py"),
        ("my_bot", "MyBot", "my_bot.py"),
        ("bot", "Bot", "bot.py"),
        ("MCTSBot2", "MCTSBot2", "mcts_bot2.py"),
        ("x", "X", "x.py"),
    ],
)
def test_names(name: str, class_name: str, file: str) -> None:
    """The class as Python writes it, the file in snake case."""
    hearts("new", name, "-q")
    assert list(class_names(["strategies"])) == [class_name]
    assert Path("strategies", file).exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a-b", "cannot be the name of a class"),
        ("2x", "cannot be the name of a class"),
        ("", "cannot be the name of a class"),
        ("Größe", "cannot be the name of a class"),
        ("a/b", "cannot be the name of a class"),
        ("a" * 61, "cannot be the name of a class"),
        ("_helper", "is a helper"),
        ("Strategy", "has a meaning already"),
        ("class", "has a meaning already"),
        ("None", "has a meaning already"),
        ("bot.py", "is a file: give the name of the class"),
        ("Low", "strategies/low.py is there already"),
        ("Other", "strategies/low.py:8: a class Other is there already"),
    ],
)
def test_names_that_are_none(name: str, words: str) -> None:
    """What cannot be a name, and what is there, is refused, and nothing is written."""
    text = "from hearts_sim import Strategy\n\n\nclass Low(Strategy):\n    pass\n\n\n"
    files = {"low.py": text + "class Other(Low):\n    pass\n"}
    write_files(Path("strategies"), files)
    assert words in hearts("new", name, code=2)
    assert [path.name for path in Path("strategies").iterdir()] == ["low.py"]


def test_names_without_import() -> None:
    """Strategies are seen in the text: nothing is run, and what cannot be read is passed over."""
    write_files(
        Path("bots"),
        {
            "a.py": """
                import hearts_sim
                from hearts_sim import CompiledStrategy
                raise SystemExit

                class A(hearts_sim.Strategy):
                    '''Idea.

                    More.
                    '''

                class B(CompiledStrategy): pass
                class C(B): pass
                class _D(B): pass
                class E: pass
                class F(Mixin):
                    def choose_card(self, view): pass
                """,
            "b.py": "class (",
            "_c.py": "class G(Strategy): pass",
        },
    )
    Path("bots/d.py").write_bytes(b"\xff\0")
    found = class_names(["bots", "nowhere"])
    assert list(found) == ["A", "B", "C", "F"]
    assert found["A"].summary == "Idea."


def test_shipped_names() -> None:
    """Of the shipped strategies the text says what an import says."""
    folder = str(ROOT / "strategies")
    named, loaded = class_names([folder]), load_folders([folder]).found
    assert {name: item.summary for name, item in named.items()} == {
        name: item.summary for name, item in loaded.items()
    }
