"""Entries that are programs, libraries, or strategies in a process of their own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given
from hypothesis import settings as profile
from hypothesis import strategies as st
from trial import FOUR, write_files

from hearts_sim.cli import main
from hearts_sim.engine.layout import VIEW_VERSION
from hearts_sim.errors import ConfigError, StrategyLoadError
from hearts_sim.tournament.config.models import FORM_OF, Entry
from hearts_sim.tournament.config.reading import Config, config_from_mapping, read_config
from hearts_sim.tournament.plan.spec import RunSpec, command_digest, plan_run, seat_entries

HEAD = "format: {type: table, games: 8}\nstrategies:\n  folder: bots\n  entries:\n    - Low\n"
"""Entries of a test begin with line 6; their names are Low, Middle and what the test adds."""

SCRIPT = "#!/bin/sh\necho hello\n"


def write_script(path: str, text: str = SCRIPT, mode: int = 0o755) -> None:
    Path(path).write_bytes(text.encode())
    Path(path).chmod(mode)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path / "bots", FOUR)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "programs").mkdir()
    write_script("mybot")
    write_script("programs/other")
    write_script("plain.py", "print()\n", 0o644)
    write_script("plain.sh", SCRIPT, 0o644)
    write_script("silent.py", "print()\n")
    write_script("windows.py", "#!/usr/bin/env python3\r\nprint()\r\n")
    write_script("mybot.so", "no library", 0o644)


def read(*entries: str, head: str = HEAD) -> Config:
    Path("league.yaml").write_text(head + "".join(f"    - {entry}\n" for entry in entries))
    return read_config("league.yaml")


def plan(*entries: str, head: str = HEAD) -> RunSpec:
    return plan_run(read(*entries, head=head))[0]


# What is valid

COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "text": ("command: ./mybot", ("./mybot",)),
    "list": ("command: [./mybot]", ("./mybot",)),
    "arguments": ("command: [./mybot, --fast, '3', '']", ("./mybot", "--fast", "3", "")),
    "as a shell": ("command: ./mybot 'two words' a\\ b", ("./mybot", "two words", "a b")),
    "folder": ("command: programs/other", ("programs/other",)),
    "on the path": ("command: [python3, plain.py]", ("python3", "plain.py")),
    "interpreter's option": ("command: python3 -u missing.py", ("python3", "-u", "missing.py")),
    "output": ("command: [./mybot, ./made-by-it]", ("./mybot", "./made-by-it")),
    "shell": ("command: [sh, -c, './mybot > log']", ("sh", "-c", "./mybot > log")),
    "listed sign": ("command: [./mybot, '>']", ("./mybot", ">")),
    "absolute": (f"command: [{sys.executable}, plain.py]", (sys.executable, "plain.py")),
}


@pytest.mark.parametrize(("text", "command"), COMMANDS.values(), ids=COMMANDS)
def test_commands(text: str, command: tuple[str, ...]) -> None:
    """A command is a list or what a shell would make of a text; it is played from the folder."""
    spec = plan(f"{{name: mine, {text}}}")
    entry = spec.entries[1]
    assert (entry.name, entry.command, entry.keep) == ("mine", command, "run")
    low, mine = seat_entries(spec)
    assert low.command == ()
    assert (mine.command, mine.folder, mine.strategy) == (command, os.getcwd(), None)
    assert mine.digest == entry.digest


def test_a_command_is_beside_its_config(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs and files are looked for from the config's folder, whatever the current one is."""
    there = Path.cwd()
    read("{name: mine, command: [./mybot, plain.py]}", "{name: b, command: programs/other}")
    (there / "elsewhere").mkdir()
    monkeypatch.chdir(there / "elsewhere")
    spec, _ = plan_run(read_config("../league.yaml"))
    assert [entry.folder for entry in spec.entries[1:]] == [str(there)] * 2
    with pytest.raises(ConfigError, match=r"^strategies.entries\[0\].command\[0\]: there is no fi"):
        config_from_mapping(
            {
                "strategies": {"entries": [{"name": "m", "command": ["./mybot"]}]},
                "format": {"type": "selfplay", "games": 1},
            }
        )


def test_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tilde is the home folder, as in a shell, and is not part of what the run is known by."""
    monkeypatch.setenv("HOME", str(Path("programs").resolve()))
    spec = plan("{name: mine, command: [~/other, ~/data, a~/b]}")
    assert spec.entries[1].identity()["command"] == ["~/other", "~/data", "a~/b"]
    home = os.environ["HOME"]
    assert seat_entries(spec)[1].command == (f"{home}/other", f"{home}/data", "a~/b")


def test_no_folder_is_needed() -> None:
    """Without a strategy there is no folder, and none is loaded if there is one."""
    head = "format: {type: selfplay, games: 8}\nstrategies:\n  entries:\n"
    config = read("{name: mine, command: ./mybot}", head=head)
    assert config.resolved()["strategies"]["folders"] == []
    spec, library = plan_run(config)
    assert (spec.folders, library.found) == ((), {})
    assert seat_entries(spec)[0].command == ("./mybot",)
    write_files(Path("bots"), {"low.py": "raise SystemExit"})
    with_folder = head.replace("  entries", "  folder: bots\n  entries")
    assert plan("{name: mine, command: ./mybot}", head=with_folder).names == ["mine"]


def test_isolate() -> None:
    """A strategy plays where it says, or where the section of faults says."""
    entries = [
        "Middle",
        "{strategy: High, isolate: process}",
        "{strategy: Chance, isolate: shared}",
    ]
    program = "{name: mine, command: ./mybot}"
    spec = plan(*entries, program)
    apart = ["shared", "shared", "process", "shared", "shared"]
    assert [entry.isolate for entry in spec.entries] == apart
    assert [seated.isolate for seated in seat_entries(spec)] == apart
    head = "faults: {isolate: process}\n" + HEAD
    other = plan(*entries, program, head=head)
    assert [entry.isolate for entry in other.entries] == [
        "process", "process", "process", "shared", "shared",
    ]  # fmt: skip
    assert other.identity() == spec.identity()
    everybody = config_from_mapping(
        {
            "strategies": {"folder": "bots"},
            "format": {"type": "table", "games": 8},
            "faults": {"isolate": "process"},
        }
    )
    assert {entry.isolate for entry in plan_run(everybody)[0].entries} == {"process"}


@pytest.fixture
def library() -> Path:
    """A shared library with the bot `bot`, which leaves everything to the engine."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    Path("real.c").write_text(
        "#include <stdint.h>\n"
        f"const int64_t bot_view_version = {VIEW_VERSION}, bot_memory_words = 3;\n"
        "int64_t bot(void *view) { return 2; }\n"
    )
    subprocess.run([compiler, "-shared", "-fPIC", "real.c", "-o", "real.so"], check=True)
    return Path("real.so").resolve()


def test_library(library: Path) -> None:
    """A library is found beside the config; its options are numbers in their order."""
    first, second = (
        plan(f"{{name: fast, library: {path}, options: {{{options}}}}}")
        for path, options in (("real.so", "b: 1, a: true"), ("./real.so", "a: true, b: 1"))
    )
    entry = first.entries[1]
    assert (entry.library, entry.symbol, entry.strategy) == (str(library), "bot", "real.so:bot")
    fast = seat_entries(first)[1]
    assert (fast.library, fast.symbol, fast.strategy) == (str(library), "bot", None)
    assert list(fast.options.items()) == [("b", 1), ("a", True)]
    assert entry.identity() == {
        "name": "fast",
        "strategy": "real.so:bot",
        "options": {"b": 1, "a": True},
        "digest": entry.digest,
        "library": "real.so",
        "symbol": "bot",
        "order": ["b", "a"],
    }
    # The same options in another order are other options to a function in C.
    assert first.fingerprint() != second.fingerprint()


def test_what_the_library_says(library: Path) -> None:
    """A file that is no library, and a function that it does not have, have the entry's line."""
    del library
    with pytest.raises(StrategyLoadError) as caught:
        plan("{name: a, library: mybot.so}", "{name: b, library: real.so, symbol: bat}")
    first, second = re.split(r"\n(?=league)", str(caught.value))
    assert first.startswith(f"league.yaml:6: strategies.entries[1]: {Path('mybot.so').resolve()}")
    assert second.startswith(f"league.yaml:7: strategies.entries[2]: {Path('real.so').resolve()}")
    many = ", ".join(f"o{number}: 1" for number in range(65))
    with pytest.raises(StrategyLoadError, match=r"^league.yaml:6: .* got 65 options, at most 64"):
        plan(f"{{name: a, library: real.so, options: {{{many}}}}}")


# What a run is known by


def test_identity_of_a_strategy() -> None:
    """An ordinary strategy is known by what it always was."""
    spec = plan("{strategy: Middle, name: m, options: {risk: 0.2}, isolate: process}")
    low, middle = spec.identity()["entries"]
    assert list(low) == ["name", "strategy", "options", "digest"]
    assert middle == {
        "name": "m", "strategy": "Middle", "options": {"risk": 0.2},
        "digest": spec.entries[1].digest,
    }  # fmt: skip


def test_identity_of_a_command(tmp_path: Path) -> None:
    """A command is known as it is written, so that its folder can move."""
    spec = plan("{name: mine, command: ./mybot 'a b', keep: game, options: {x: [1, text]}}")
    entry = spec.identity()["entries"][1]
    assert entry == {
        "name": "mine",
        "strategy": "./mybot 'a b'",
        "options": {"x": [1, "text"]},
        "digest": spec.entries[1].digest,
        "command": ["./mybot", "a b"],
        "keep": "game",
    }
    assert str(tmp_path) not in json.dumps(spec.identity())
    moved = tmp_path.with_name(f"{tmp_path.name}-moved")
    shutil.copytree(tmp_path, moved)
    assert plan_run(read_config(moved / "league.yaml"))[0].fingerprint() == spec.fingerprint()
    shutil.rmtree(moved)


def test_what_makes_another_command() -> None:
    """Another argument, option, way to keep it or content of a file is another run."""
    one = "{name: mine, command: [./mybot, plain.py]}"
    others = [
        "{name: mine, command: [./mybot, plain.sh]}",
        "{name: mine, command: [./mybot plain.py]}".replace("t p", "t, --fast, p"),
        "{name: mine, command: [./mybot, plain.py], keep: game}",
        "{name: mine, command: [./mybot, plain.py], options: {a: 1}}",
    ]
    assert len({plan(text).fingerprint() for text in [one, *others]}) == 1 + len(others)
    spec = plan(one)
    write_script("silent.py", "changed, but no part of the command")
    assert plan("{name: mine, command: ./mybot plain.py}").fingerprint() == spec.fingerprint()
    for file in ("mybot", "plain.py"):
        before = Path(file).read_bytes()
        Path(file).write_bytes(before + b"#")
        assert plan(one).fingerprint() != spec.fingerprint()
        with pytest.raises(StrategyLoadError, match="mine was changed after the run had begun"):
            seat_entries(spec)
        Path(file).write_bytes(before)
    assert plan(one).fingerprint() == spec.fingerprint()
    assert seat_entries(spec)[1].name == "mine"


def test_digest_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen digits that do not run together, of texts and of regular files only."""
    assert re.fullmatch("[0-9a-f]{16}", command_digest(["./mybot"], "."))
    assert command_digest(["x", "ab", "c"], ".") != command_digest(["x", "a", "bc"], ".")
    if hasattr(os, "mkfifo"):
        os.mkfifo("pipe")  # to read it would wait for ever
        command_digest(["x", "pipe", "/dev/zero", ".", "n" * 5000], ".")
    # A bare name is a program of the PATH, not the file beside the config.
    before = command_digest(["mybot", "a"], ".")
    write_script("mybot", "other")
    assert command_digest(["mybot", "a"], ".") == before

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # root may read everything
    command_digest(["./mybot"], ".")  # who may execute it need not be allowed to read it
    with pytest.raises(StrategyLoadError, match=r"plain.py: no permission to read this file"):
        command_digest(["./mybot", "plain.py"], ".")


def test_a_library_that_changed(library: Path) -> None:
    """A library that was built again, or is gone, is not played on."""
    spec = plan("{name: fast, library: real.so}")
    seat_entries(spec)
    moved = replace(spec.entries[1], library=str(library.with_name("gone.so")))
    with pytest.raises(StrategyLoadError, match=r"gone\.so: the file of fast is gone"):
        seat_entries(replace(spec, entries=(moved,)))
    other = replace(spec.entries[1], digest="0" * 16)
    with pytest.raises(StrategyLoadError, match="fast was changed after the run had begun"):
        seat_entries(replace(spec, entries=(other,)))


def test_resolved() -> None:
    """A resolved entry has every key of its form, and no other."""
    config = read(
        "{strategy: Middle, isolate: process}",
        "{name: mine, command: ./mybot --fast}",
        "{name: fast, library: ./mybot.so}",
        head="faults: {isolate: shared}\n" + HEAD,
    )
    stated = json.loads(json.dumps(config.resolved()))
    assert stated["strategies"]["base"] == os.getcwd()
    assert stated["strategies"]["entries"] == [
        {"strategy": "Low", "name": "Low", "options": {}, "isolate": "shared"},
        {"strategy": "Middle", "name": "Middle", "options": {}, "isolate": "process"},
        {"name": "mine", "options": {}, "command": ["./mybot", "--fast"], "keep": "run"},
        {"name": "fast", "options": {}, "library": "./mybot.so", "symbol": "bot"},
    ]
    assert set(FORM_OF) | {"name", "options", "uses_clock"} == set(Entry.model_fields)


def test_names_of_programs() -> None:
    """Programs have names that format and report know."""
    text = "{name: mine, command: ./mybot}"
    more = "report: {anchor: mine}\n" + HEAD.replace("type: table", "type: duel, a: mine, b: Low")
    spec = plan("Middle", text, head=more)
    assert spec.names == ["mine", "Low"]
    with pytest.raises(ConfigError, match=r"^league.yaml:1: report.anchor: no entry .*'mime'.*did"):
        read("Middle", text, head=more.replace("anchor: mine", "anchor: mime"))


# What is said about an entry

WRONG: dict[str, tuple[str, str, str]] = {
    "nothing to play": (
        "{name: a}",
        ".strategy",
        "is missing: give the name of a strategy's class (or a command, or a library)",
    ),
    "two": (
        "{strategy: High, command: ./mybot}",
        ".command",
        "strategy is given too, and only one can play: leave one of them out",
    ),
    "two others": (
        "{name: a, command: ./mybot, library: ./mybot.so}",
        ".library",
        "command is given too",
    ),
    "isolated command": (
        "{name: a, command: ./mybot, isolate: process}",
        ".isolate",
        "a command has a process of its own already: leave the key out",
    ),
    "isolated library": (
        "{name: a, library: ./mybot.so, isolate: process}",
        ".isolate",
        "a library plays in the player process; as a command it would have one: leave the key out",
    ),
    "kept strategy": ("{strategy: High, keep: run}", ".keep", "and this is a strategy: leave"),
    "kept library": ("{name: a, library: ./mybot.so, keep: run}", ".keep", "this is a library"),
    "symbol of a strategy": ("{strategy: High, symbol: bot}", ".symbol", "belongs to a library"),
    "symbol of a command": ("{name: a, command: ./mybot, symbol: b}", ".symbol", "is a command"),
    "command without name": ("{command: ./mybot}", ".name", "is missing: give the name to play"),
    "library without name": ("{library: ./mybot.so}", ".name", "is missing: give the name to play"),
    "isolate": (
        "{strategy: High, isolate: proces}",
        ".isolate",
        "expected shared or process, got the text 'proces'; did you mean 'process'?",
    ),
    "isolate null": ("{strategy: High, isolate: ~}", ".isolate", "is empty: give shared or proc"),
    "keep": (
        "{name: a, command: ./mybot, keep: games}",
        ".keep",
        "expected run or game, got the text 'games'; did you mean 'game'?",
    ),
    "program in a list": (
        "./mybot",
        "",
        "'./mybot' is no name of a class; a program is an entry {name: ..., command: [./mybot]}",
    ),
    "command empty": ("{name: a, command: }", ".command", "is empty: give a program and its arg"),
    "command empty text": ("{name: a, command: ' '}", ".command", "no program: write [./mybot]"),
    "command empty list": ("{name: a, command: []}", ".command", "no program: write [./mybot]"),
    "program empty": ("{name: a, command: ['', b]}", ".command", "no program: write [./mybot]"),
    "command number": ("{name: a, command: 5}", ".command", "expected a program and its arguments"),
    "command mapping": ("{name: a, command: {b: c}}", ".command", "got a mapping"),
    "argument number": (
        "{name: a, command: [./mybot, 3]}",
        ".command[1]",
        "expected an argument as text, got the number 3: put it in quotes if it is meant as text",
    ),
    "argument empty": ("{name: a, command: [./mybot, ~]}", ".command[1]", "is empty: give an arg"),
    "argument NUL": ('{name: a, command: [./mybot, "a\\0"]}', ".command[1]", "the character NUL"),
    "quote": (
        """{name: a, command: "./mybot 'a"}""",
        ".command",
        "cannot be taken apart: a quote opens and is not closed; a list is plainer",
    ),
    "escape": ("{name: a, command: './mybot \\'}", ".command", "it ends with '\\'; a list is"),
    "redirection": (
        "{name: a, command: ./mybot 2>/dev/null}",
        ".command",
        "no shell runs the command, so '2>/dev/null' would be an argument: write [sh, -c, '...']",
    ),
    "pipe": ("{name: a, command: ./mybot | tee log}", ".command", "so '|' would be an argument"),
    "program missing": (
        "{name: a, command: ./mybt}",
        ".command",
        "; did you mean 'mybot'?",
    ),
    "program missing, where": (
        "{name: a, command: [../x/mybot]}",
        ".command[0]",
        "there is no file '../x/mybot' (/",
    ),
    "program a folder": ("{name: a, command: ./programs}", ".command", "is a folder: name the pro"),
    "program not on the path": (
        "{name: a, command: [pythn-3]}",
        ".command[0]",
        "there is no program 'pythn-3' on the PATH",
    ),
    "program beside the config": (
        "{name: a, command: mybot}",
        ".command",
        "a name without a folder is looked for on the PATH: write ./mybot",
    ),
    "not executable": (
        "{name: a, command: [./plain.py, b]}",
        ".command[0]",
        "may not be executed: run chmod +x plain.py, or name what runs it: [python3, ./plain.py]",
    ),
    "not executable shell": ("{name: a, command: ./plain.sh}", ".command", "[sh, ./plain.sh]"),
    "not executable other": ("{name: a, command: ./mybot.so}", ".command", "run chmod +x mybot.so"),
    "no interpreter line": (
        "{name: a, command: ./silent.py}",
        ".command",
        "does not say what runs it: begin it with the line #!/usr/bin/env python3, or name what",
    ),
    "Windows line ends": (
        "{name: a, command: ./windows.py}",
        ".command",
        "the first line of './windows.py' ends with CR LF",
    ),
    "script missing": (
        "{name: a, command: [python3, plan.py]}",
        ".command[1]",
        "; did you mean 'plain.py'?",
    ),
    "script missing in text": ("{name: a, command: sh ./none.sh}", ".command", "there is no file"),
    "library missing": (
        "{name: a, library: ./mybt.so}",
        ".library",
        "; did you mean 'mybot.so'?",
    ),
    "library a folder": ("{name: a, library: bots}", ".library", "is a folder: name the file in"),
    "library empty": ("{name: a, library: ''}", ".library", "'' is no path: name a shared library"),
    "library null": ("{name: a, library: null}", ".library", "is empty: give the path of a shared"),
    "library NUL": ('{name: a, library: "a\\0"}', ".library", "is no path: name a shared library"),
    "library number": ("{name: a, library: 3}", ".library", "got the number 3: put it in quotes"),
    "symbol": (
        "{name: a, library: ./mybot.so, symbol: my-bot}",
        ".symbol",
        "'my-bot' cannot be the name of a function in C: write it as bot",
    ),
    "symbol null": ("{name: a, library: ./mybot.so, symbol: ~}", ".symbol", "is empty: give the"),
    "option of a library": (
        "{name: a, library: ./mybot.so, options: {risk: high}}",
        ".options.risk",
        "expected a number, since that is all that a library gets, got the text 'high'",
    ),
    "option null": ("{name: a, library: ./mybot.so, options: {b: ~}}", ".options.b", "got nothing"),
    "limit in an entry": (
        "{strategy: High, memory_mb: 5}",
        ".memory_mb",
        "unknown key here: it belongs under faults",
    ),
}


@pytest.mark.parametrize(("entry", "key", "words"), WRONG.values(), ids=WRONG)
def test_wrong(entry: str, key: str, words: str) -> None:
    """What is wrong with an entry is one message with its line and what to do."""
    with pytest.raises(ConfigError) as caught:
        read("{strategy: Low, name: another}", entry)
    message = str(caught.value)
    assert message.startswith(f"league.yaml:7: strategies.entries[2]{key}: ")
    assert words in message
    assert "\n" not in message


def test_every_key_has_its_line() -> None:
    """Of an entry over several lines each fault has the line of its own key."""
    Path("league.yaml").write_text(
        HEAD + "    - name: mine\n"
        "      command:\n"
        "        - python3\n"
        "        - none.py\n"
        "        - 7\n"
        "      isolate: process\n"
        "      keep: for ever\n"
        "    - library: none.so\n"
        "      options:\n"
        "        risk: high\n"
    )
    with pytest.raises(ConfigError) as caught:
        read_config("league.yaml")
    places = [line.split(": ")[:2] for line in str(caught.value).splitlines()]
    assert places == [
        ["league.yaml:10", "strategies.entries[1].command[2]"],
        ["league.yaml:11", "strategies.entries[1].isolate"],
        ["league.yaml:12", "strategies.entries[1].keep"],
        ["league.yaml:13", "strategies.entries[2].name"],
        ["league.yaml:13", "strategies.entries[2].library"],
        ["league.yaml:15", "strategies.entries[2].options.risk"],
    ]


@pytest.mark.parametrize(
    "entries", ["", ", entries: [High]", ", entries: [{strategy: High}]"], ids=str
)
def test_a_folder_is_needed(entries: str) -> None:
    """Where a strategy is to be found there must be a folder."""
    Path("league.yaml").write_text(
        f"format: {{type: table, games: 1}}\nstrategies: {{{entries.removeprefix(', ')}}}\n"
    )
    with pytest.raises(ConfigError) as caught:
        read_config("league.yaml")
    assert str(caught.value) == (
        "league.yaml:2: strategies.folder: is missing: give the path of a folder, or a list of "
        "paths"
    )


def test_an_empty_folder_is_refused() -> None:
    """A folder that is named must be one, even where none is needed."""
    for folder, words in (("''", "the path is empty"), ("[]", "the list is empty"), ("", "is emp")):
        Path("league.yaml").write_text(
            f"format: {{type: table, games: 1}}\nstrategies:\n  folder: {folder}\n"
            "  entries: [{name: a, command: ./mybot}]\n"
        )
        with pytest.raises(ConfigError, match=rf"^league.yaml:3: strategies.folder: .*{words}"):
            read_config("league.yaml")


# hearts-sim validate


def validate(*arguments: str) -> Any:
    result = CliRunner().invoke(main, ["validate", "league.yaml", *arguments])
    assert result.exit_code == 0, result.output
    return result


def test_validate() -> None:
    """`validate` says what becomes of faults, and what plays where."""
    head = "faults: {policy: forfeit, game_seconds: 60, memory_mb: 512, max_rate: 0.05}\n" + HEAD
    read(
        "{strategy: Middle, isolate: process}",
        "{name: mine, command: ./mybot 'a b', keep: game}",
        "{name: other, command: [python3, plain.py]}",
        head=head,
    )
    lines = validate().stdout.splitlines()
    assert lines[-5:] == [
        "",
        "faults: forfeit (the game ends, and who failed is last); 60 s for a game, 512 MiB of "
        "memory; disqualified at more than 5 % of its games",
        "Middle: in a process of its own",
        f"mine: command ./mybot 'a b' in {os.getcwd()}, started for every game",
        f"other: command python3 plain.py in {os.getcwd()}, kept for the run",
    ]
    document = json.loads(validate("--json").stdout)
    assert document["faults"] == {
        "policy": "forfeit", "decision_seconds": None, "game_seconds": 60, "memory_mb": 512,
        "max_rate": 0.05,
    }  # fmt: skip
    assert document["not_loaded"] == []
    low, middle, mine, _ = document["entries"]
    assert (low["isolate"], middle["isolate"]) == ("shared", "process")
    assert (mine["command"], mine["keep"]) == (["./mybot", "a b"], "game")
    assert mine["folder"] == os.getcwd()


def test_validate_a_library(library: Path) -> None:
    """A library is named with its function; without limits that is said."""
    read("High", "Chance", "{name: fast, library: real.so}", head=HEAD)
    assert validate().stdout.splitlines()[-2:] == [
        "faults: substitute (a neutral legal card is played instead); no limits of time and "
        "memory; disqualified at more than 1 % of its games",
        f"fast: function bot of {library}",
    ]
    assert json.loads(validate("--json").stdout)["entries"][3]["file"] == str(library)


def test_validate_what_is_left_out() -> None:
    """A file that does not import is a warning with the config's line."""
    write_files(Path("bots"), {"broken.py": "1 / 0"})
    Path("league.yaml").write_text(
        "format: {type: table, games: 8}\nstrategies:\n  folder: bots\nfaults: {policy: strict}"
    )
    result = CliRunner().invoke(main, ["validate", "league.yaml"])
    broken = f"{Path('bots/broken.py').resolve()}:1: does not import: ZeroDivisionError: "
    assert (result.exit_code, result.stderr.startswith(f"Error: {broken}")) == (2, True)
    text = Path("league.yaml").read_text()
    Path("league.yaml").write_text(text.replace("strict", "substitute"))
    for arguments in ([], ["--json"]):
        result = validate(*arguments)
        assert result.stderr.startswith(
            f"Warning: league.yaml:3: strategies.folder: left out: {broken}"
        )
    (left_out,) = json.loads(result.stdout)["not_loaded"]
    assert left_out.startswith(broken)


# Whatever is in the file

EXAMPLE = """\
faults: {policy: forfeit, decision_seconds: 0.5, game_seconds: null, memory_mb: 512, max_rate: 0.02}
strategies:
  folder: bots
  entries:
    - {strategy: Middle, isolate: process, options: {risk: 0.4}}
    - name: mine
      command: [python3, plain.py, '--fast']
      keep: game
    - {name: other, command: ./mybot 'two words'}
    - {name: fast, library: ./mybot.so, symbol: bot, options: {risk: 0.5}}
format: {type: table, games: 8}
"""
FUZZ = profile(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
FRAGMENTS = st.one_of(
    st.sampled_from(list(":-,'\"{}[]~.\\ \n\t\x00#&*!|>0\xe9\U0001f0ad")),
    st.sampled_from(["null", "command", "library", "keep", "isolate", "process", "run", "faults"]),
    st.sampled_from(["./", "../", "/", "..", "1e9", "-1", "0", "0.0001", "true", "''", "[]", "{}"]),
)


@contextlib.contextmanager
def only_config_errors() -> Iterator[None]:
    try:
        yield
    except ConfigError as error:
        message = str(error)
        assert message
        assert not re.search(r"pydantic|https?:|Input should|_Invalid", message)
        message.encode()


@FUZZ
@given(st.lists(st.tuples(st.integers(0, len(EXAMPLE)), st.integers(0, 9), FRAGMENTS), max_size=3))
def test_random_mutations(edits: list[tuple[int, int, str]]) -> None:
    """A valid config with random edits is read or gives a config error, and nothing else."""
    text = EXAMPLE
    for start, length, fragment in edits:
        text = text[:start] + fragment + text[start + length :]
    Path("fuzz.yaml").write_bytes(text.encode())
    with only_config_errors():
        json.dumps(read_config("fuzz.yaml").resolved(), allow_nan=False)


WORDS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        ["./mybot", "python3", "./plain.py", "mybot.so", "/", ".", "~", "a\0", "'", "\\"]
    ),
    st.sampled_from(["shared", "process", "run", "game", "strict", "bot", "Low", "n" * 300]),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=2)),
    max_leaves=4,
)
LIMITS = st.one_of(VALUES, st.floats(0, 1e6), st.integers(0, 100))


@FUZZ
@given(
    st.lists(st.dictionaries(st.sampled_from([*Entry.model_fields]), VALUES), max_size=3),
    st.dictionaries(
        st.sampled_from(
            ["policy", "decision_seconds", "game_seconds", "memory_mb", "max_rate", "isolate"]
        ),
        LIMITS,
    ),
    st.booleans(),
)
def test_random_values(entries: list[Any], faults: dict[str, Any], folder: bool) -> None:
    """Random values under the keys of entries and faults give a config error, and nothing else."""
    strategies = {"entries": entries} | ({"folder": "bots"} if folder else {})
    with only_config_errors():
        config = config_from_mapping(
            {
                "strategies": strategies,
                "faults": faults,
                "format": {"type": "table", "games": 1},
            }
        )
        json.dumps(config.resolved(), allow_nan=False)
