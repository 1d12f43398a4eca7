"""What a config file may say, and what is said about one that says something else."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hearts_sim.errors import ConfigError
from hearts_sim.rules import Rules
from hearts_sim.tournament.config.reading import (
    Config,
    config_from_mapping,
    read_config,
)
from hearts_sim.tournament.config.yaml_source import MAX_BYTES, parse_yaml, plain_scalar

EXAMPLE = """\
name: league            # optional
seed: 2026
rules: {preset: black_lady, players: 4, moon: off}
strategies:
  folder: strategies
  entries:
    - LowCard
    - {strategy: Dodger, name: dodger-bold, options: {risk: 0.4}}
format: {type: table, games: 2000}
log: hands
report: {anchor: LowCard, confidence: 0.95}
"""

HEAD = "strategies: {folder: strategies}\nformat: {type: table, games: 100}\n"
"""Two lines that are enough; cases add their own from line 3 on."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a folder of strategies in it."""
    (tmp_path / "strategies").mkdir()
    (tmp_path / "more").mkdir()
    (tmp_path / "file.py").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(text: str | bytes, name: str = "league.yaml") -> Config:
    data = text if isinstance(text, bytes) else text.encode()
    Path(name).write_bytes(data)
    return read_config(name)


def message_of(text: str | bytes) -> str:
    with pytest.raises(ConfigError) as caught:
        read(text)
    message = str(caught.value)
    assert not re.search(r"pydantic|https?:|Input should|Traceback|_Invalid|NoneType", message)
    return message


def entries(text: str) -> str:
    """A config with these entries, whose first line is line 4."""
    return (
        f"format: {{type: table, games: 1}}\nstrategies:\n  folder: strategies\n  entries: {text}\n"
    )


# What is valid


def test_example(home: Path) -> None:
    """The example gives the values that it shows."""
    config = read(EXAMPLE)
    assert config.name == "league"
    assert config.seed == 2026
    assert config.rules == Rules(moon="off")
    assert config.strategies.folder == ("strategies",)
    assert config.strategies.folders == (home / "strategies",)
    assert config.strategies.entries is not None
    low, bold = config.strategies.entries
    assert (low.strategy, low.name, low.options) == ("LowCard", "LowCard", {})
    assert (bold.strategy, bold.name, bold.options) == ("Dodger", "dodger-bold", {"risk": 0.4})
    assert (config.format.type, config.format.games) == ("table", 2000)
    assert config.log == "hands"
    assert (config.report.anchor, config.report.confidence) == ("LowCard", 0.95)
    assert config.source == EXAMPLE


def test_defaults(home: Path) -> None:
    """What is left out has its default; the name is the file's stem."""
    config = read(HEAD, "friday.yaml")
    assert (config.name, config.seed, config.log) == ("friday", 0, "hands")
    assert config.rules == Rules()
    assert config.strategies.entries is None
    assert (config.report.anchor, config.report.confidence) == (None, 0.95)


def test_folders_are_relative_to_the_file(home: Path) -> None:
    """A folder is looked for from the config's own folder, not from the current one."""
    (home / "configs").mkdir()
    text = HEAD.replace("strategies}", "[../strategies, ../more]}")
    config = read(text, "configs/a.yaml")
    assert config.strategies.folders == (home / "strategies", home / "more")


def test_resolved_is_json(home: Path) -> None:
    """`resolved` is plain JSON with every rule in it, and the rules can be made from it again."""
    config = read(EXAMPLE)
    plain = json.loads(json.dumps(config.resolved(), allow_nan=False))
    assert plain == config.resolved()
    assert Rules(**plain["rules"]) == config.rules
    assert plain["strategies"]["folder"] == ["strategies"]
    assert plain["strategies"]["folders"] == [str(home / "strategies")]
    assert plain["strategies"]["entries"][1] == {
        "strategy": "Dodger",
        "name": "dodger-bold",
        "options": {"risk": 0.4},
        "isolate": "shared",
    }
    assert plain["strategies"]["base"] == str(home)
    assert plain["faults"] == {
        "policy": "substitute",
        "decision_seconds": None,
        "game_seconds": None,
        "memory_mb": None,
        "max_rate": 0.01,
        "isolate": "shared",
    }
    assert read(HEAD).resolved()["strategies"]["entries"] is None


def test_config_is_frozen_and_pickles(home: Path) -> None:
    """A config does not change, and goes to other processes as it is."""
    config = read(EXAMPLE)
    with pytest.raises(ValueError, match="frozen"):
        config.seed = 3
    copy = pickle.loads(pickle.dumps(config))
    assert copy.resolved() == config.resolved()
    assert copy.where("log") == "league.yaml:10: log"


def test_byte_order_mark(home: Path) -> None:
    """A UTF-8 byte order mark is accepted."""
    assert read(b"\xef\xbb\xbf" + HEAD.encode()).format.games == 100


def test_windows_line_ends(home: Path) -> None:
    """Lines that end with CR LF are read, and counted, as others."""
    assert read(EXAMPLE.replace("\n", "\r\n")).seed == 2026
    assert message_of(EXAMPLE.replace("log: hands", "log: x").replace("\n", "\r\n")).startswith(
        "league.yaml:10: log: "
    )


def test_aliases(home: Path) -> None:
    """Anchors and aliases stand for the value that they name."""
    config = read(
        entries("[{strategy: A, options: &o {risk: 1}}, {strategy: A, name: b, options: *o}]")
    )
    assert config.strategies.entries is not None
    assert config.strategies.entries[1].options == {"risk": 1}


def test_decks_by_players(home: Path) -> None:
    """`deck_removal` may map numbers of players to cards."""
    config = read(HEAD + "rules: {players: 3, deck_removal: {3: [2C], 4: []}}")
    assert [card.name for card in config.rules.deck_removal] == ["2C"]


def test_option_values(home: Path) -> None:
    """An option is a number, text, boolean, null or list of these."""
    text = "{a: 1, b: 1e-3, c: text, d: true, e: ~, f: [1, 'no', [2.5]], g: 2026-01-02, h: 0x1F}"
    config = read(entries(f"[{{strategy: A, options: {text}}}]"))
    assert config.strategies.entries is not None
    assert config.strategies.entries[0].options == {
        "a": 1,
        "b": 0.001,
        "c": "text",
        "d": True,
        "e": None,
        "f": [1, "no", [2.5]],
        "g": "2026-01-02",
        "h": 31,
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("null", None),
        ("", None),
        ("-5", -5),
        ("+5", 5),
        ("0", 0),
        ("0o17", 15),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("yes", "yes"),
        ("off", "off"),
        ("n", "n"),
        ("1.2.3", "1.2.3"),
        ("12:99", "12:99"),
        ("2026-11-30", "2026-11-30"),
        ("-", "-"),
        ("10H", "10H"),
        ("nan", "nan"),
    ],
)
def test_plain_scalars(text: str, value: Any) -> None:
    """Scalars without quotes are read by the core schema of YAML 1.2."""
    found, fault = plain_scalar(text)
    assert fault is None
    assert (type(found), found) == (type(value), value)


# What is said about one key

KEYS = {
    "unknown key": ("sed: 3", 3, "sed: unknown key: did you mean 'seed'?"),
    "later key": ("plugins: {a: 1}", 3, "plugins: unknown key"),
    "key of another section": ("games: 10", 3, "games: unknown key here: it belongs under format"),
    "key of the rules": ("players: 3", 3, "players: unknown key here: it belongs under rules"),
    "key twice": ("seed: 1\nlog: hands\nseed: 2", 5, "seed: this key is written twice, on lines 3"),
    "key twice in braces": ("report: {confidence: 0.9, confidence: 0.8}", 3, "lines 3 and 3"),
    "key twice in rules": ("rules:\n  moon: old\n  moon: new", 5, "lines 4 and 5"),
    "number as key": ("5: x", 3, '5: a key must be text: write "5"'),
    "boolean as key": ("true: x", 3, "a key must be text"),
    "null as key": ("~: x", 3, "a key is missing before the colon"),
    "list as key": ("? [a]\n: b", 3, "a key must be text, not a list"),
    "octal as key": ("010: b", 3, "may be octal"),
    "merge key": ("report:\n  <<: {confidence: 0.9}", 4, "merge keys are not supported"),
    "no space after colon": ("report: {confidence:0.9}", 3, "a space is missing after the colon"),
    "name with slash": ("name: a/b", 3, "name: 'a/b' cannot be the name of a folder: use letters"),
    "name with dot first": ("name: .hidden", 3, "not starting with '.'"),
    "name too long": (f"name: {'a' * 101}", 3, "at most 100"),
    "name with line break": ('name: "a\\n"', 3, "cannot be the name of a folder"),
    "name is a number": ("name: 2026", 3, "got the number 2026: put it in quotes"),
    "name is empty": ("name:", 3, "name: is empty: give text"),
    "seed negative": (
        "seed: -1",
        3,
        "a whole number from 0 to 9223372036854775807, got the number",
    ),
    "seed float": ("seed: 1.5", 3, "got the number 1.5"),
    "seed exponent": ("seed: 1e3", 3, "got the number 1e3: write 1000"),
    "seed underscore": ("seed: 1_000", 3, "seed: '1_000' is no number in YAML: write 1000"),
    "seed sexagesimal": ("seed: 1:30", 3, "seed: '1:30' is read in two ways"),
    "seed octal": ("seed: 010", 3, "seed: '010' may be octal: write 10"),
    "seed binary": ("seed: 0b11", 3, "is read in two ways"),
    "seed with comma": ("seed: 1,000", 3, "write 1000 without quotes"),
    "seed in quotes": ("seed: '7'", 3, "got the text '7': write 7 without quotes"),
    "seed too large": ("seed: 9223372036854775808", 3, "too large"),
    "seed huge": (f"seed: {'9' * 6000}", 3, "too large"),
    "seed nan": ("seed: .nan", 3, "not a finite number"),
    "seed boolean": ("seed: true", 3, "got true"),
    "seed empty": ("seed:", 3, "is empty: give a whole number"),
    "seed list": ("seed: [1]", 3, "got a list"),
    "confidence inf": ("report: {confidence: .inf}", 3, "not a finite number"),
    "confidence overflow": ("report: {confidence: 1e999}", 3, "out of range"),
    "confidence underflow": ("report: {confidence: 1e-999}", 3, "out of range"),
    "confidence 1": ("report: {confidence: 1}", 3, "between 0.5 and 1, both excluded, got"),
    "confidence 0.5": ("report: {confidence: 0.5}", 3, "between 0.5 and 1, both excluded, got"),
    "confidence percent": ("report: {confidence: 95}", 3, "write 0.95"),
    "confidence true": ("report: {confidence: true}", 3, "got true"),
    "confidence text": ("report: {confidence: '0.9'}", 3, "write 0.9 without quotes"),
    "anchor number": ("report: {anchor: 3}", 3, "report.anchor: expected the name of an entry"),
    "anchor empty": ("report:\n  anchor:", 4, "is empty"),
    "report empty": ("report:\n", 3, "report: is empty: give a mapping"),
    "report text": ("report: yes", 3, "report: expected a mapping such as"),
    "log unknown": (
        "log: hand",
        3,
        "log: expected games, hands or plays, got the text 'hand'; did",
    ),
    "log boolean": ("log: false", 3, "got false"),
    "rules unknown key": ("rules:\n  mon: old", 4, "rules.mon: unknown key: did you mean 'moon'?"),
    "rules key name": ("rules: {name: x}", 3, "rules.name: unknown key"),
    "rules wrong value": ("rules:\n  target: 1e2\n", 4, "got 100.0: write 100"),
    "rules boolean yes": ("rules: {queen_forced: yes}", 3, "must be true or false, got 'yes'"),
    "rules boolean as text": ("rules: {moon: false}", 3, "must be one of off"),
    "rules contradiction": ("rules:\n  moon: off\n  moon_value: 5", 5, "is never paid with moon"),
    "rules contradiction elsewhere": ("rules:\n  players: 6\n  deck_removal: []", 5, "even for 6"),
    "rules by players only": ("rules:\n  preset: black_widow\n  players: 3", 4, "for 4 players"),
    "rules preset": ("rules: black_lad", 3, "rules: unknown preset 'black_lad': did you mean"),
    "rules empty": ("rules:", 3, "rules: is empty"),
    "rules setting empty": ("rules:\n  moon:", 4, "rules.moon: is empty"),
    "rules list": ("rules: [moon]", 3, "rules: expected a preset's name or a mapping"),
    "rules card": ("rules: {cards: {XX: 3}}", 3, "rules.cards: 'XX'"),
    "rules number key": ("rules: {3: x}", 3, "a key must be text"),
    "surrogate": ('name: "\\ud800"', 3, "half a character"),
}


@pytest.mark.parametrize(("text", "line", "words"), KEYS.values(), ids=KEYS)
def test_wrong_key_or_value(home: Path, text: str, line: int, words: str) -> None:
    """One wrong key or value is one message with its line and what is allowed."""
    message = message_of(HEAD + text)
    assert message.startswith(f"league.yaml:{line}: ")
    assert words in message
    assert "\n" not in message


PLACES = {
    "no strategies": (
        "format: {type: table, games: 1}",
        1,
        "strategies: is missing: give a mapping",
    ),
    "no format": ("\nstrategies: {folder: strategies}", 2, "format: is missing: give a mapping"),
    "no folder": (
        "format: {type: table, games: 1}\nstrategies: {}",
        2,
        "strategies.folder: is miss",
    ),
    "no games": (
        "strategies: {folder: strategies}\nformat: {type: table}",
        2,
        "format.games: is miss",
    ),
    "games zero": (
        HEAD.replace("100", "0"),
        2,
        "format.games: expected a whole number of games, 1",
    ),
    "games too many": (HEAD.replace("100", "10000000000000"), 2, "format.games: expected a whole"),
    "games exponent": (HEAD.replace("100", "1e3"), 2, "got the number 1e3: write 1000"),
    "games empty": (HEAD.replace(" 100", ""), 2, "format.games: is empty: give a whole number"),
    "type unknown": (
        HEAD.replace("table", "tabel"),
        2,
        "expected table, duel, gauntlet or selfplay, got the text 'tabel'; did you mean 'table'?",
    ),
    "type of later": (HEAD.replace("table", "swiss"), 2, "expected table, duel, gauntlet or self"),
    "later key": (HEAD.replace("games", "rounds: 1, games"), 2, "format.rounds: unknown key"),
    "folder missing": (HEAD.replace("r: str", "r: st"), 1, "did you mean 'strategies'?"),
    "folder resolved": (
        HEAD.replace("strategies}", "../abc}"),
        1,
        "there is no folder '../abc' (/",
    ),
    "folder is a file": (
        HEAD.replace("strategies}", "file.py}"),
        1,
        "file.py) is a file: name the",
    ),
    "folder empty": (HEAD.replace("strategies}", "''}"), 1, "strategies.folder: the path is empty"),
    "folder null": (HEAD.replace("strategies}", "~}"), 1, "strategies.folder: is empty: give"),
    "folder number": (
        HEAD.replace("strategies}", "3}"),
        1,
        "expected the path of a folder, or a list",
    ),
    "folder NUL": (HEAD.replace("strategies}", '"a\\0b"}'), 1, "there is no folder"),
    "folder too long": (HEAD.replace("strategies}", "a" * 5000 + "}"), 1, "there is no folder"),
    "folder list empty": (HEAD.replace("strategies}", "[]}"), 1, "no folder: the list is empty"),
    "folder item": (
        HEAD.replace("strategies}", "[strategies, 3]}"),
        1,
        "strategies.folder[1]: exp",
    ),
    "folder twice": (HEAD.replace("strategies}", "[more, ./more]}"), 1, "same folder as"),
    "entries empty": (entries("[]"), 4, "strategies.entries: no strategies: the list is empty"),
    "entries null": (entries(""), 4, "strategies.entries: is empty: give a list of strategies"),
    "entries text": (
        entries("LowCard"),
        4,
        "expected a list of strategies, got the text 'LowCard'",
    ),
    "entries mapping": (entries("{A: 1}"), 4, "expected a list of strategies, got a mapping"),
    "entry number": (
        entries("\n    - A\n    - 5"),
        6,
        "strategies.entries[1]: expected the name of",
    ),
    "entry null": (entries("\n    - A\n    -"), 6, "strategies.entries[1]: is empty"),
    "entry no class": (entries("[Low Card]"), 4, "entries[0]: 'Low Card' is no name of a class"),
    "entry without strategy": (
        entries("[{name: a}]"),
        4,
        "strategies.entries[0].strategy: is missing",
    ),
    "entry of later": (
        entries("[{strategy: A, weight: x}]"),
        4,
        "entries[0].weight: unknown key",
    ),
    "entry name empty": (entries("[{strategy: A, name: ''}]"), 4, "1 to 60 printable"),
    "entry name long": (entries(f"[{{strategy: A, name: {'x' * 61}}}]"), 4, "1 to 60 printable"),
    "entry name break": (entries('[{strategy: A, name: "a\\nb"}]'), 4, "1 to 60 printable"),
    "entry name space": (
        entries("[{strategy: A, name: 'a '}]"),
        4,
        "without a space at either end",
    ),
    "entry name taken": (
        entries("\n    - A\n    - A"),
        6,
        "'A' is the name of strategies.entries[0] ",
    ),
    "entry name line": (
        entries("\n    - A\n    - {strategy: B,\n       name: A}"),
        7,
        "(line 5) too",
    ),
    "entry options list": (
        entries("[{strategy: A, options: [1]}]"),
        4,
        "expected options as a map",
    ),
    "option name": (entries("[{strategy: A, options: {a-b: 1}}]"), 4, "must be a Python name"),
    "option mapping": (
        entries("[{strategy: A, options: {a: {b: 1}}}]"),
        4,
        "options.a: expected a n",
    ),
    "option no": (
        entries("[{strategy: A, options: {bold: no}}]"),
        4,
        "options.bold: write true or f",
    ),
    "option underscore": (
        entries("[{strategy: A, options: {a: 1_0}}]"),
        4,
        "options.a: '1_0' is no",
    ),
    "anchor no entry": (
        entries("[Low]\nreport: {anchor: Lew}"),
        5,
        "no entry has the name 'Lew': did",
    ),
}


@pytest.mark.parametrize(("text", "line", "words"), PLACES.values(), ids=PLACES)
def test_wrong_place(home: Path, text: str, line: int, words: str) -> None:
    """What is wrong in a section, an entry or an option is one message with its line."""
    message = message_of(text)
    assert message.startswith(f"league.yaml:{line}: ")
    assert words in message
    assert "\n" not in message


def test_all_errors_at_once(home: Path) -> None:
    """Every fault of a file is reported, in the order of its lines."""
    message = message_of(
        "seed: -1\n"
        "sed: 3\n"
        "rules: {players: 9}\n"
        "strategies:\n"
        "  folder: nowhere\n"
        "  entries: [A, A, {strategy: 3}]\n"
        "format: {type: swiss, games: 1_000}\n"
        "report: {confidence: 0.9, confidence: 2}\n"
    )
    lines = [int(line.split(":")[1]) for line in message.splitlines()]
    assert lines == [1, 2, 3, 5, 6, 6, 7, 7, 8]


def test_a_reported_value_is_not_reported_again(home: Path) -> None:
    """A scalar that cannot be read is one message, not also a wrong type."""
    assert message_of(HEAD + "seed: 010").count("\n") == 0


def test_default_name_must_be_a_folder_name(home: Path) -> None:
    """A file whose stem cannot be a folder needs a name."""
    with pytest.raises(ConfigError, match=r"my league.yaml:1: name: is missing, and 'my league'"):
        read(HEAD, "my league.yaml")


def test_anchor_without_entries(home: Path) -> None:
    """Without entries the anchor is checked once the names are known."""
    config = read(HEAD + "report: {anchor: Low}")
    config.check_names(["Low", "High"])
    with pytest.raises(ConfigError, match=r"league.yaml:3: report.anchor: no entry .* 'Low'"):
        config.check_names(["Lows"])


def test_where(home: Path) -> None:
    """`where` names file, line and key."""
    config = read(EXAMPLE)
    assert config.where("strategies", "entries", 1) == "league.yaml:8: strategies.entries[1]"
    assert config.where("format", "nothing") == "league.yaml:9: format.nothing"


def test_unreadable_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without permission is named as such."""
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may read everything
    assert "no permission to read the folder" in message_of(HEAD)


# What is said about the YAML

DEEP = 3000
LAUGHS = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefg", "bcdefgh", strict=True)
)
SYNTAX = {
    "tab as indentation": ("a:\n\tb: 1", "2:1: a tab stands where YAML wants spaces"),
    "tab after colon": ("a:\t- b", "1:3: a tab"),
    "two colons": ("a: b: c", "1:5: a colon where no key can be"),
    "indentation": ("a: 1\n  b: 2", "2:4: a colon where no key can be"),
    "list out of line": ("a:\n  - b\n c: 1", "3:2: this does not fit the lines above"),
    "open bracket": ("a: [1, 2\nb: 3", "2:2: the bracket opened on line 1"),
    "open brace": ("a: {b: 1\n", "2:1: the bracket opened on line 1"),
    "open quote": ("a: 1\nb: 'x\nc: d\n", "2:4: a quote opens here and is not closed"),
    "at sign": ("a: @b", "1:4: a text that begins with this character needs quotes"),
    "key without space": ("seed:3\nlog: hands", "2:4: a colon where no key can be"),
    "unknown escape": (r'a: "\q"', "1:6: unknown escape in double quotes"),
    "escape out of range": (r'a: "\U00110000"', "an escape or a number that is out of range"),
    "undefined alias": ("a: *b", "1:4: this alias names no anchor that stands above it ('b')"),
    "anchor twice": ("a: &x 1\nb: &x 2", "2:4: this anchor is defined twice"),
    "recursive alias": ("a: &a [*a]", "1:4: an alias inside this value names itself"),
    "recursive mapping": ("&a\nb: *a", "an alias inside this value names itself"),
    "alias laughs": (LAUGHS, "more than 20000 values with aliases"),
    "python tag": ("a: !!python/object/apply:os.system [x]", "1:4: tags (with !) have no meaning"),
    "own tag": ("a: 1\nb: !own {c: 1}", "2:4: tags (with !) have no meaning"),
    "standard tag": ("a: !!str 5", "1:4: tags (with !) have no meaning"),
    "two documents": ("a: 1\n---\nb: 2", "2:1: a second document begins here"),
    "deep brackets": ("a: " + "[" * DEEP + "]" * DEEP, "nested deeper than 50 levels"),
    "deep lists": ("- " * DEEP + "a", "nested deeper than 50 levels"),
    "deep by aliases": (
        "a0: &a0 [1]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, DEEP)),
        "nested deeper than 50 levels",
    ),
    "control character": ("a: 1\nb: \x01", "2:4: the character U+0001 is not allowed"),
    "many values": ("a: [" + "1," * 22_000 + "]", "more than 20000 keys and values"),
}


@pytest.mark.parametrize(("text", "words"), SYNTAX.values(), ids=SYNTAX)
def test_broken_yaml(home: Path, text: str, words: str) -> None:
    """YAML that cannot be read is one message with line and column."""
    message = message_of(text)
    assert re.match(r"league\.yaml:\d+:\d+: ", message)
    assert words in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "league.yaml:1: the file says nothing"),
        ("# only this\n", "league.yaml:1: the file says nothing"),
        ("null", "league.yaml:1: the file says nothing"),
        ("\n- a\n- b", "league.yaml:2: expected keys and values, got a list"),
        ("hello", "league.yaml:1: expected keys and values, got the text 'hello'"),
        ("010", "league.yaml:1: '010' may be octal"),
    ],
    ids=["empty", "comment", "null", "list", "text", "octal"],
)
def test_no_keys(home: Path, text: str, words: str) -> None:
    """A file that is no mapping is answered with the shortest config there is."""
    message = message_of(text)
    assert message.startswith(words)
    shortest = message.split(" is:\n")[1]
    assert read(shortest).format.games == 100


# What is said about the file


def test_missing_file(home: Path) -> None:
    """A missing file is answered with the nearest name beside it."""
    (home / "league.yaml").write_text(EXAMPLE)
    with pytest.raises(ConfigError, match=r"^leage.yaml: no such file; did you mean 'league.yaml'"):
        read_config("leage.yaml")
    with pytest.raises(ConfigError, match=r"no such file: there is no folder 'nowhere'"):
        read_config("nowhere/league.yaml")
    with pytest.raises(ConfigError, match=r"^league.yaml/x: cannot be read"):
        read_config("league.yaml/x")


def test_path_with_nul(home: Path) -> None:
    """A path that no file can have is an error like any other."""
    with pytest.raises(ConfigError, match="cannot be read"):
        read_config("a\0b")


def test_path_is_a_folder(home: Path) -> None:
    """A folder is answered with the configs in it."""
    (home / "more" / "league.yaml").write_text(EXAMPLE)
    with pytest.raises(ConfigError, match=r"^more: this is a folder.*it holds league.yaml"):
        read_config("more")


def test_no_permission(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be read is named as such."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(ConfigError, match=r"^league\.yaml: no permission to read this file"):
        read_config("league.yaml")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"seed: 1\nname: m\xfcller\n", "league.yaml:2: byte 0xFC at offset 15 is not UTF-8"),
        (b"\xef\xbb\xbfname: \xfc\n", "league.yaml:1: byte 0xFC at offset 9 is not UTF-8"),
        (b"a: 1\nb: \0\n", "league.yaml:2: a NUL byte at offset 8"),
        ("seed: 1".encode("utf-16"), "league.yaml:1: the file is UTF-16: save it as UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0", "league.yaml:3: a NUL byte at offset 8: this is a binary file"),
        (b"#" * (MAX_BYTES + 1), "league.yaml: larger than 1 MB"),
    ],
    ids=["latin-1", "latin-1 with mark", "nul", "utf-16", "binary", "large"],
)
def test_no_text(home: Path, data: bytes, words: str) -> None:
    """A file that is no UTF-8 text says where it stops being one."""
    assert message_of(data).startswith(words)


# From Python


def test_mapping(home: Path) -> None:
    """A mapping gives the same config as the file; tuples, paths and `Rules` are welcome."""
    config = config_from_mapping(
        {
            "strategies": {"folder": [Path("strategies")], "entries": ("LowCard",)},
            "format": {"type": "selfplay", "games": 3},
            "rules": Rules(players=3),
        },
        base=home,
        name="mine",
    )
    assert config.name == "mine"
    assert config.strategies.folders == (home / "strategies",)
    assert config.rules.players == 3
    assert config.source is None
    assert config.where("format", "games") == "format.games"


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sed": 1}, "sed: unknown key: did you mean 'seed'?"),
        ({"seed": 2**70}, "seed: too large"),
        ({"seed": 10**5000}, "seed: too large"),
        ({"seed": None}, "seed: is empty"),
        ({"seed": object()}, "got a Python object"),
        ({"report": {"confidence": float("nan")}}, "report.confidence: not a finite number"),
        ({5: 1}, "a key must be text, got the number 5"),
        ({"rules": {"players": 2}}, "rules.players: must be a whole number from 3 to 11"),
        ({"rules": ENDLESS}, "nested too deep"),
        ({"name": "\ud800"}, "half a character"),
    ],
    ids=[
        "key",
        "large",
        "huge",
        "none",
        "object",
        "nan",
        "number",
        "rules",
        "endless",
        "surrogate",
    ],
)
def test_wrong_mapping(home: Path, change: dict[Any, Any], words: str) -> None:
    """A wrong mapping has the messages of a file, with key paths and without lines."""
    good = {"strategies": {"folder": "strategies"}, "format": {"type": "table", "games": 1}}
    with pytest.raises(ConfigError) as caught:
        config_from_mapping(good | change)
    assert words in str(caught.value)


def test_no_mapping() -> None:
    """What is no mapping is answered with a short one."""
    with pytest.raises(ConfigError, match="expected a mapping, got a list"):
        config_from_mapping([])  # type: ignore[arg-type]


# Whatever is in the file

FUZZ = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
FRAGMENTS = st.one_of(
    st.sampled_from(list(":-?!&*#|>%@`\"'{}[],~._01\t\n\r\\\x00\x85\u2028\ufeff\U0001f0ad\xe9")),
    st.sampled_from(
        ["true", "no", "1e3", "010", "1_0", "1:30", ".nan", "null", "<<", "---", "..."]
    ),
    st.sampled_from(
        ["&a", "*a", "!!str", "!x", "2D", "rules", "end", "cards", "entries", "options"]
    ),
)


def check_fuzz_message(message: str) -> None:
    assert message.startswith("fuzz.yaml:")
    assert not re.search(r"pydantic|https?:|Input should|_Invalid", message)
    message.encode()


def only_config_errors(data: bytes) -> None:
    Path("fuzz.yaml").write_bytes(data)
    try:
        read_config("fuzz.yaml")
    except ConfigError as error:
        check_fuzz_message(str(error))


@FUZZ
@given(st.one_of(st.binary(max_size=80), st.text(max_size=80).map(lambda text: text.encode())))
def test_random_text(home: Path, data: bytes) -> None:
    """Random bytes and texts give a config error, and nothing else."""
    only_config_errors(data)


@FUZZ
@given(st.lists(st.tuples(st.integers(0, len(EXAMPLE)), st.integers(0, 12), FRAGMENTS), max_size=4))
def test_random_mutations(home: Path, edits: list[tuple[int, int, str]]) -> None:
    """A valid config with random edits is read or gives a config error, and nothing else."""
    text = EXAMPLE
    for start, length, fragment in edits:
        text = text[:start] + fragment + text[start + length :]
    only_config_errors(text.encode())


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(["A", "strategies", "QS", "2D", "points", "L", "off", "table"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["deals", "QS", "name", "strategy", 3, 4]), inner, max_size=3
        ),
    ),
    max_leaves=6,
)
SETTINGS = sorted(["preset", "name", "cls", *Rules().settings()])


@FUZZ
@given(
    st.dictionaries(
        st.sampled_from(["name", "seed", "rules", "strategies", "format", "log", "report"]), VALUES
    ),
    st.dictionaries(st.sampled_from(SETTINGS), VALUES, max_size=2),
    st.dictionaries(st.sampled_from(["folder", "entries", "x"]), VALUES),
)
def test_random_values(
    home: Path, top: dict[str, Any], rules: dict[str, Any], strategies: dict[str, Any]
) -> None:
    """Random values under known keys give a config error, and nothing else."""
    good = {"strategies": {"folder": "strategies"}, "format": {"type": "table", "games": 1}}
    for change in (top, {"rules": rules}, {"strategies": strategies}):
        try:
            config = config_from_mapping(good | change)
        except ConfigError:
            continue
        else:
            json.dumps(config.resolved(), allow_nan=False)


@FUZZ
@given(st.text(alphabet="ab:-[]{}&*!|>'\"\n \t#,?%@\\x0", max_size=40))
def test_random_yaml(text: str) -> None:
    """The YAML reader raises nothing but config errors."""
    try:
        parse_yaml(text, "fuzz.yaml")
    except ConfigError as error:
        check_fuzz_message(str(error))
