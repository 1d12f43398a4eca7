"""Finding strategies in folders, and what is said of those that cannot play."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from trial import CHANCE, FOUR, HIGH, LOW, MIDDLE, settings, write_files

from hearts_sim.errors import StrategyLoadError
from hearts_sim.strategy.loader import Library, check_options, load_folders, package_name
from hearts_sim.tournament.config.reading import config_from_mapping, read_config
from hearts_sim.tournament.plan.spec import plan_run

COMPILED = """
from hearts_sim import CompiledStrategy
from hearts_sim.strategy.toolkit import lowest

class Quick(CompiledStrategy):
    '''Plays its lowest card, quickly.'''

    options = {"risk": 0.5, "depth": 2}

    @staticmethod
    def choose_card(view):
        return lowest(view.legal)
"""


def load(folder: Path, **files: str) -> Library:
    """The library of a folder into which these files are written first."""
    return load_folders([write_files(folder, {f"{name}.py": text for name, text in files.items()})])


def problem(library: Library) -> str:
    """The one thing that is wrong."""
    assert len(library.problems) == 1
    return str(library.problems[0])


# What is found


def test_found(tmp_path: Path) -> None:
    """Every class with choose_card is found, with its file, kind and first line of docstring."""
    library = load(tmp_path, low=LOW, quick=COMPILED)
    assert sorted(library.found) == ["Low", "Quick"]
    low, quick = library.get("Low"), library.get("Quick")
    assert low.file == str(tmp_path / "low.py")
    assert (low.compiled, quick.compiled) == (False, True)
    assert low.summary == "Plays its lowest card."
    assert quick.summary == "Plays its lowest card, quickly."
    assert not library.problems


def test_without_docstring(tmp_path: Path) -> None:
    """A strategy without a docstring has no summary, not that of its base class."""
    bare = LOW.replace("'''Plays its lowest card.'''", "")
    assert load(tmp_path, low=bare).get("Low").summary == ""


def test_several_classes_in_a_file(tmp_path: Path) -> None:
    """A file may hold several strategies; imported ones and those with _ in front do not count."""
    library = load(
        tmp_path,
        low=LOW,
        more="""
            from hearts_sim import CompiledStrategy, Strategy
            from .low import Low

            class _Base(Strategy):
                def order(self, cards):
                    return cards

            class One(_Base):
                def choose_card(self, view):
                    return self.order(view.legal).lowest()

            class Two(One):
                pass

            class Three(Low):
                pass

            Alias = One
        """,
    )
    assert sorted(library.found) == ["Low", "One", "Three", "Two"]
    assert not library.problems


def test_several_folders(tmp_path: Path) -> None:
    """Strategies of several folders are found, also when files and helpers share their names."""
    bot = "from hearts_sim import Strategy\nfrom ._help import pick\n{}"
    body = "class {}(Strategy):\n    def choose_card(self, view):\n        return pick(view)\n"
    folders = []
    for name in ("One", "Two"):
        files = {
            "bot.py": bot.format(body.format(name)),
            "_help.py": f"pick = lambda view: '{name}'",
        }
        folders.append(write_files(tmp_path / name, files))
    library = load_folders(folders)
    assert sorted(library.found) == ["One", "Two"]
    for name, found in library.found.items():
        assert found.strategy().choose_card(None) == name  # type: ignore[union-attr, arg-type]


def test_helpers_are_imported_with_a_dot(tmp_path: Path) -> None:
    """`from ._x import y` works, `_x.py` is no strategy file, and is read anew when edited."""
    bot = "from ._x import y\n" + MIDDLE
    library = load(tmp_path, middle=bot, _x="y = 1\nclass Low:\n    pass")
    assert list(library.found) == ["Middle"]
    module = f"{package_name(tmp_path)}._x"
    assert sys.modules[module].y == 1
    load(tmp_path, _x="y = 2")
    assert sys.modules[module].y == 2


def test_digest(tmp_path: Path) -> None:
    """The digest follows from the file and the helpers beside it, and from nothing else."""
    first = load(tmp_path / "a", low=LOW, _x="").get("Low").digest
    assert load(tmp_path / "b", low=LOW, _x="", high=HIGH).get("Low").digest == first
    assert load(tmp_path / "a", _x="# edited").get("Low").digest != first
    assert load(tmp_path / "b", low=LOW + "#").get("Low").digest != first


def test_an_edit_is_seen_at_once(tmp_path: Path) -> None:
    """A file edited within a second, and of the same size, is read as it is now."""
    for value in ("1", "2", "3"):
        library = load(tmp_path, low=LOW + f"    number = {value}\n")
        assert library.get("Low").strategy.number == int(value)  # type: ignore[union-attr]
    assert not (tmp_path / "__pycache__").exists()


def test_prints_go_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a file prints when it is imported goes to stderr."""
    load(tmp_path, low=LOW + "\nprint('hello')")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "hello\n")


# What is wrong with a file

BROKEN = {
    "syntax": ("x = 1\ndef f(:\n", 2, "does not import: SyntaxError: invalid syntax"),
    "indentation": ("if True:\nx = 1\n", 2, "does not import: IndentationError"),
    "name": ("x = 1\n\ny = z\n", 3, "does not import: NameError: name 'z' is not defined"),
    "in a function": ("def f():\n    1 / 0\n\nf()\n", 2, "does not import: ZeroDivisionError"),
    "package": (
        "import numpyy\n",
        1,
        "No module named 'numpyy'; install the package where hearts-sim is installed",
    ),
    "helper": (
        "\nimport _help\n",
        2,
        "No module named '_help'; a file beside it is imported as: from ._help import ...",
    ),
    "missing helper": ("from ._nothing import x\n", 1, "does not import: ModuleNotFoundError"),
    "exit": ("import sys\nsys.exit(3)\n", 2, "does not import: SystemExit: 3"),
    "exit without a word": ("raise SystemExit\n", 1, "does not import: SystemExit: no message"),
    "recursion": ("def f(): f()\nf()\n", 1, "does not import: RecursionError"),
    "no text": ("x = '\0'\n", None, "does not import: "),
}


@pytest.mark.parametrize(("text", "line", "words"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file(tmp_path: Path, text: str, line: int | None, words: str) -> None:
    """A file that does not import is named with line and reason, and hides no other file."""
    library = load(tmp_path, broken=text, _help="", low=LOW, zzz=HIGH)
    assert sorted(library.found) == ["High", "Low"]
    place = tmp_path / "broken.py"
    message = problem(library)
    assert message.startswith(f"{place}:{line}: " if line else f"{place}: ")
    assert words in message
    assert "Traceback" not in message


def test_an_unreadable_file(tmp_path: Path) -> None:
    """A file that cannot be read is named, and hides no other one."""
    write_files(tmp_path, {"low.py": LOW})
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    library = load_folders([tmp_path])
    assert list(library.found) == ["Low"]
    assert problem(library) == f"{tmp_path / 'gone.py'}: cannot be read: No such file or directory"


def test_ctrl_c_is_not_caught(tmp_path: Path) -> None:
    """Ctrl-C while a file is imported stops everything."""
    with pytest.raises(KeyboardInterrupt):
        load(tmp_path, low="raise KeyboardInterrupt")


@pytest.mark.parametrize("base", ["Strategy", "CompiledStrategy"])
def test_no_choose_card(tmp_path: Path, base: str) -> None:
    """A class without choose_card is named with its line, and what its name should begin with."""
    text = f"from hearts_sim import {base}\n\nclass Lazy({base}):\n    pass\n"
    library = load(tmp_path, lazy=text)
    assert not library.found
    assert problem(library) == (
        f"{tmp_path / 'lazy.py'}:3: class Lazy has no choose_card: every strategy needs "
        "choose_card(self, view); a class that others are built on gets a name with _ in front"
    )


@pytest.mark.parametrize("folders", [("a",), ("a", "b")], ids=["files", "folders"])
def test_one_name_twice(tmp_path: Path, folders: tuple[str, ...]) -> None:
    """Two classes of one name are named with both places; the first one can play."""
    paths = [write_files(tmp_path / folder, {}) for folder in folders]
    write_files(paths[0], {"first.py": LOW})
    write_files(paths[-1], {"second.py": LOW})
    library = load_folders(paths)
    assert library.get("Low").file == str(paths[0] / "first.py")
    assert problem(library) == (
        f"{paths[-1] / 'second.py'}:4: class Low is also in {paths[0] / 'first.py'}:4: rename one "
        "of them, names must be unique over all files"
    )


def test_unknown_name(tmp_path: Path) -> None:
    """An unknown name is answered with the nearest one, and with what could not be loaded."""
    library = load(tmp_path, **{name[:-3]: text for name, text in FOUR.items()})
    with pytest.raises(
        StrategyLoadError, match=r"^no strategy is called 'Lov': did you mean 'Low'"
    ):
        library.get("Lov")
    broken = load(tmp_path, lov="import lov_", low=LOW)
    with pytest.raises(StrategyLoadError) as caught:
        broken.get("Lov")
    assert "and these could not be loaded:\n" + problem(broken) in str(caught.value)


# Options

OPTIONS = """
from hearts_sim import CompiledStrategy, Strategy

class Named(Strategy):
    def __init__(self, risk=0.5, *, depth=2):
        pass

    def choose_card(self, view):
        return view.legal.lowest()

class Needy(Named):
    def __init__(self, risk, depth=2):
        pass

class Greedy(Named):
    def __init__(self, risk=0.5, **others):
        pass

class Plain(Strategy):
    choose_card = Named.choose_card
"""
REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "unknown": ("Named", {"rosk": 1}, "Named takes no option 'rosk': did you mean 'risk'?"),
    "far": ("Named", {"x": 1}, "Named takes no option 'x': there is risk, depth"),
    "none at all": ("Plain", {"risk": 1}, "Plain takes no option 'risk': it has no options"),
    "self": ("Named", {"self": 1}, "Named takes no option 'self'"),
    "missing": ("Needy", {"depth": 1}, "Needy needs the option 'risk': give it under options"),
    "compiled": ("Quick", {"rosk": 1}, "Quick takes no option 'rosk': did you mean 'risk'?"),
    "compiled, text": ("Quick", {"risk": "high"}, "option risk must be a number, got 'high'"),
    "compiled, list": ("Quick", {"risk": [1]}, "option risk must be a number, got [1]"),
}


@pytest.mark.parametrize(("name", "options", "words"), REFUSED.values(), ids=REFUSED)
def test_wrong_options(tmp_path: Path, name: str, options: dict[str, Any], words: str) -> None:
    """An option that a strategy does not take, or misses, is named with the class's line."""
    found = load(tmp_path, options=OPTIONS, quick=COMPILED).get(name)
    with pytest.raises(StrategyLoadError) as caught:
        check_options(found, options)
    assert str(caught.value).startswith(f"{found.file}:")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Named", {}),
        ("Named", {"risk": 1, "depth": None}),
        ("Needy", {"risk": 1}),
        ("Greedy", {"anything": [1, "two"]}),
        ("Plain", {}),
        ("Quick", {"risk": 1, "depth": True}),
    ],
)
def test_right_options(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    """Options with defaults may be left out; a strategy may take any option."""
    check_options(load(tmp_path, options=OPTIONS, quick=COMPILED).get(name), options)


# In a config


def test_every_strategy_plays_by_default(tmp_path: Path) -> None:
    """Without entries everything that is found plays, in the order of files and names."""
    write_files(tmp_path, FOUR)
    spec, _ = plan_run(config_from_mapping(settings(tmp_path)))
    assert spec.names == ["Chance", "High", "Low", "Middle"]


def plan_error(text: str) -> str:
    Path("league.yaml").write_text(text)
    with pytest.raises(StrategyLoadError) as caught:
        plan_run(read_config("league.yaml"))
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_entries_are_named_with_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every wrong entry of a config is reported with its line, all of them at once."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "bots", {"options.py": OPTIONS, "quick.py": COMPILED})
    message = plan_error(
        "format: {type: table, games: 8}\n"
        "strategies:\n"
        "  folder: bots\n"
        "  entries:\n"
        "    - Named\n"
        "    - Nemed\n"
        "    - {strategy: Named, name: wild, options: {rosk: 1}}\n"
        "    - Needy\n"
        "    - {strategy: Quick, options: {risk: high}}\n"
    )
    wanted = [
        ("league.yaml:6: strategies.entries[1]: ", "no strategy is called 'Nemed': did you mean"),
        ("league.yaml:7: strategies.entries[2]: ", "takes no option 'rosk': did you mean 'risk'?"),
        ("league.yaml:8: strategies.entries[3]: ", "Needy needs the option 'risk'"),
        ("league.yaml:9: strategies.entries[4]: ", "option risk must be a number, got 'high'"),
    ]
    lines = message.splitlines()
    assert len(lines) == len(wanted)
    for line, (place, words) in zip(lines, wanted, strict=True):
        assert line.startswith(place)
        assert words in line


def test_nothing_to_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without strategies, and one with a broken file, are named when all should play."""
    monkeypatch.chdir(tmp_path)
    text = "strategies: {folder: bots}\nformat: {type: table, games: 8}\n"
    write_files(tmp_path / "bots", {"_help.py": LOW, "notes.txt": "", "other.py": "x = 1"})
    empty = plan_error(text)
    assert empty == f"league.yaml:1: strategies.folder: no strategies in {tmp_path / 'bots'}"
    write_files(tmp_path / "bots", {"low.py": LOW, "broken.py": "1 / 0", "chance.py": CHANCE})
    text += "faults: {policy: strict}\n"
    assert plan_error(text).startswith(f"{tmp_path / 'bots' / 'broken.py'}:1: does not import")
