"""What a config may say about the format of a tournament, and what is said when it is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from trial import FOUR, write_files

from hearts_sim.errors import ConfigError, HeartsError
from hearts_sim.tournament.config.models import DEFAULT_MAX_GAMES
from hearts_sim.tournament.config.reading import Config, config_from_mapping, read_config
from hearts_sim.tournament.plan.spec import RunSpec, plan_run
from hearts_sim.tournament.plan.stopping import Sprt, Target


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds `bots`, the strategies Chance, High, Low and Middle."""
    folder = tmp_path_factory.mktemp("formats")
    write_files(folder / "bots", FOUR)
    return folder


@pytest.fixture(autouse=True)
def _there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def read(format_: str, entries: str | None = "[Low, High]", more: str = "") -> Config:
    """The config with a format, whose lines are separated by semicolons and begin with line 3."""
    listed = "" if entries is None else f", entries: {entries}"
    lines = [f"strategies: {{folder: bots{listed}}}", "format:"]
    lines += [f"  {line.strip()}" for line in format_.split(";")]
    Path("league.yaml").write_text("\n".join([*lines, more]), encoding="utf-8")
    return read_config("league.yaml")


def messages_of(format_: str, entries: str | None = "[Low, High]", more: str = "") -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(format_, entries, more)
    message = str(caught.value)
    assert not re.search(r"pydantic|Input should|Traceback|_Invalid|NoneType", message)
    return message.splitlines()


def plan(format_: str, entries: str | None = "[Low, High]", more: str = "") -> RunSpec:
    return plan_run(read(format_, entries, more))[0]


# What is valid

VALID: dict[str, tuple[str, dict[str, Any], int | None]] = {
    "blocks": ("type: table; blocks: 10", {"blocks": 10}, None),
    "target in Elo": (
        "type: table; target: {elo_halfwidth: 10}",
        {"target": {"elo_halfwidth": 10.0}},
        DEFAULT_MAX_GAMES,
    ),
    "target in points": (
        "type: selfplay; target: {points_halfwidth: .5}; max_games: 500",
        {"target": {"points_halfwidth": 0.5}, "max_games": 500},
        500,
    ),
    "duel": ("type: duel; games: 10", {"games": 10}, 10),
    "duel of two": (
        "type: duel; games: 10; a: High; b: Low",
        {"games": 10, "a": "High", "b": "Low"},
        10,
    ),
    "sprt with defaults": (
        "type: duel; sprt: {h1: 0.3}",
        {"sprt": {"measure": "points", "h0": 0.0, "h1": 0.3, "alpha": 0.05, "beta": 0.05}},
        DEFAULT_MAX_GAMES,
    ),
    "sprt": (
        "type: duel; blocks: 40; sprt: {measure: elo, h0: -5, h1: 5, alpha: 0.01, beta: 0.1}",
        {
            "blocks": 40,
            "sprt": {"measure": "elo", "h0": -5.0, "h1": 5.0, "alpha": 0.01, "beta": 0.1},
        },
        None,
    ),
    "sprt with games": (
        "type: duel; games: 70; sprt: {h1: -1}",
        {
            "games": 70,
            "sprt": {"measure": "points", "h0": 0.0, "h1": -1.0, "alpha": 0.05, "beta": 0.05},
        },
        70,
    ),
    "one newcomer": (
        "type: gauntlet; games: 4; newcomers: Low",
        {"games": 4, "newcomers": ["Low"]},
        4,
    ),
    "newcomers": (
        "type: gauntlet; blocks: 4; newcomers: [High]",
        {"blocks": 4, "newcomers": ["High"]},
        None,
    ),
}


@pytest.mark.parametrize(("text", "values", "cap"), VALID.values(), ids=VALID)
def test_valid_formats(text: str, values: dict[str, Any], cap: int | None) -> None:
    """Each key is read as it is written; the rest has its default; the config is plain JSON."""
    config = read(text)
    stated = json.loads(json.dumps(config.resolved()["format"]))
    assert stated.pop("type") == text.split(";")[0].removeprefix("type: ")
    target = stated["target"]
    if target is not None:
        stated["target"] = {key: value for key, value in target.items() if value is not None}
    assert {key: value for key, value in stated.items() if value is not None} == values
    assert config.format.cap == cap


# What is wrong with one key

WHOLE = "expected a whole number of"
KEYS: dict[str, tuple[str, int, str]] = {
    "blocks 0": ("type: table; blocks: 0", 4, f"blocks: {WHOLE} blocks, 1 or more, got the number"),
    "blocks text": (
        "type: table; blocks: many",
        4,
        f"blocks: {WHOLE} blocks, 1 or more, got the t",
    ),
    "blocks exponent": ("type: table; blocks: 1e3", 4, "got the number 1e3: write 1000"),
    "blocks empty": ("type: table; blocks:", 4, "blocks: is empty: give a whole number of blocks"),
    "target number": ("type: table; target: 10", 4, "target: expected a mapping such as {elo_half"),
    "target null": ("type: table; target:", 4, "target: is empty: give a mapping such as {elo_h"),
    "target empty": ("type: table; target: {}", 4, "target: is empty: give {elo_halfwidth: 10}"),
    "target key": (
        "type: table; target: {elo: 1}",
        4,
        "target.elo: unknown key: there is elo_half",
    ),
    "target 0": (
        "type: table; target: {elo_halfwidth: 0}",
        4,
        "target.elo_halfwidth: expected half an interval's width in Elo, a number above 0, got",
    ),
    "target text": (
        "type: table; target: {points_halfwidth: '10'}",
        4,
        "points per hand, a number above 0, got the text '10': write 10 without quotes",
    ),
    "target without value": (
        "type: table; target: {elo_halfwidth: }",
        4,
        "target.elo_halfwidth: is empty: give half an interval's width",
    ),
    "two targets": (
        "type: table; target: {elo_halfwidth: 1, points_halfwidth: 2}",
        4,
        "target: two widths: leave one of them out",
    ),
    "max_games 0": (
        "type: table; target: {elo_halfwidth: 1}; max_games: 0",
        5,
        f"max_games: {WHOLE} games, 1 or more, got the number 0",
    ),
    "sprt text": ("type: duel; sprt: yes", 4, "sprt: expected a mapping such as {measure: points"),
    "sprt empty": ("type: duel; sprt: {}", 4, "sprt.h1: is missing: give by how much a is better"),
    "h1 text": ("type: duel; sprt: {h1: x}", 4, "sprt.h1: expected by how much a is better under"),
    "h1 quoted": ("type: duel; sprt: {h1: '-2.5'}", 4, "'-2.5': write -2.5 without quotes"),
    "h1 is h0": (
        "type: duel; sprt: {h1: 0}",
        4,
        "sprt.h1: is h0 too (0): there is nothing to test",
    ),
    "both alike": (
        "type: duel; sprt: {h0: 2, h1: 2.0}",
        4,
        "sprt.h1: is h0 too (2): there is noth",
    ),
    "alpha": (
        "type: duel; sprt: {h1: 1, alpha: 5}",
        4,
        "sprt.alpha: expected a probability between 0 and 0.5, both excluded, got the number 5",
    ),
    "alpha quoted": ("type: duel; sprt: {h1: 1, alpha: '0.1'}", 4, "write 0.1 without quotes"),
    "beta": ("type: duel; sprt: {h1: 1, beta: 0}", 4, "sprt.beta: expected a probability between"),
    "measure": (
        "type: duel; sprt: {h1: 1, measure: point}",
        4,
        "sprt.measure: expected points or elo, got the text 'point'; did you mean 'points'?",
    ),
    "sprt key": ("type: duel; sprt: {h1: 1, gamma: 3}", 4, "sprt.gamma: unknown key: there is mea"),
    "key of target": (
        "type: duel; sprt: {h1: 1, elo_halfwidth: 3}",
        4,
        "sprt.elo_halfwidth: unknown key here: it belongs under format.target",
    ),
    "a number": (
        "type: duel; games: 4; a: 3; b: Low",
        5,
        "a: expected the name of an entry, got the number 3: put it in quotes",
    ),
    "newcomers number": (
        "type: gauntlet; games: 4; newcomers: 3",
        5,
        "newcomers: expected the name of an entry, or a list of names, got the number 3",
    ),
    "newcomer number": (
        "type: gauntlet; games: 4; newcomers: [3]",
        5,
        "newcomers[0]: expected the name of an entry, got the number 3",
    ),
    "newcomer list": ("type: gauntlet; games: 4; newcomers: [[Low]]", 5, "newcomers[0]: expected"),
    "newcomers mapping": (
        "type: gauntlet; games: 4; newcomers: {Low: 1}",
        5,
        "newcomers: expected",
    ),
    "newcomers null": (
        "type: gauntlet; games: 4; newcomers:",
        5,
        "newcomers: is empty: give the n",
    ),
    "newcomers empty": (
        "type: gauntlet; games: 4; newcomers: []",
        5,
        "newcomers: no names: the li",
    ),
}


@pytest.mark.parametrize(("text", "line", "words"), KEYS.values(), ids=KEYS)
def test_wrong_keys(text: str, line: int, words: str) -> None:
    """One wrong key is one message with its line, what is wrong and what is allowed."""
    (message,) = messages_of(text)
    assert message.startswith(f"league.yaml:{line}: format.")
    assert words in message


# Keys that do not go together

TOGETHER: dict[str, tuple[str, int, str]] = {
    "no budget": (
        "type: table",
        2,
        "games: is missing: give a whole number of games, 1 or more (or",
    ),
    "no budget of a duel": ("type: duel", 2, "games: is missing: give a whole number of games"),
    "games and blocks": (
        "type: table; games: 4; blocks: 4",
        5,
        "blocks: games is given too: leave",
    ),
    "blocks and target": (
        "type: table; blocks: 4; target: {elo_halfwidth: 1}",
        5,
        "target: blocks is given too: leave one of them out",
    ),
    "cap of nothing": (
        "type: table; games: 4; max_games: 8",
        5,
        "max_games: is the cap of a target or of an sprt, and there is none",
    ),
    "cap of a cap": (
        "type: duel; sprt: {h1: 1}; games: 5; max_games: 10",
        6,
        "max_games: games is the cap already: leave one out",
    ),
    "sprt and target": (
        "type: duel; sprt: {h1: 1}; target: {elo_halfwidth: 1}",
        5,
        "target: a sequential test ends by itself: leave one out",
    ),
    "sprt elsewhere": (
        "type: table; games: 4; sprt: {h1: 1}",
        5,
        "sprt: belongs to type: duel, and this is a table",
    ),
    "opponent elsewhere": (
        "type: gauntlet; games: 4; newcomers: Low; a: Low",
        6,
        "a: belongs to type: duel, and this is a gauntlet",
    ),
    "newcomers elsewhere": (
        "type: selfplay; games: 4; newcomers: [Low]",
        5,
        "newcomers: belongs to type: gauntlet, and this is a selfplay",
    ),
    "Elo in self-play": (
        "type: selfplay; target: {elo_halfwidth: 10}",
        4,
        "target.elo_halfwidth: self-play gives no Elo, since nobody meets anybody else: give",
    ),
    "only a": ("type: duel; games: 4; a: Low", 2, "b: is missing: a is given, name its opponent"),
    "only b": ("type: duel; games: 4; b: Low", 2, "a: is missing: b is given, name its opponent"),
    "a is b": (
        "type: duel; games: 4; a: Low; b: Low",
        6,
        "b: is a itself: to let a strategy play against itself, enter it twice under two names",
    ),
    "no newcomers": (
        "type: gauntlet; games: 4",
        2,
        "newcomers: is missing: name the entries that it is for",
    ),
    "newcomer twice": (
        "type: gauntlet; games: 4; newcomers: [Low, Low]",
        5,
        "newcomers[1]: 'Low' is there twice",
    ),
    "no field": (
        "type: gauntlet; games: 4; newcomers: [Low, High]",
        5,
        "newcomers: is everybody: leave a field to play against",
    ),
}


@pytest.mark.parametrize(("text", "line", "words"), TOGETHER.values(), ids=TOGETHER)
def test_wrong_combinations(text: str, line: int, words: str) -> None:
    """Keys that do not go together are one message with the line of one of them and what to do."""
    (message,) = messages_of(text)
    assert message.startswith(f"league.yaml:{line}: format.")
    assert words in message


def test_all_at_once() -> None:
    """What is wrong across keys is said together with what is wrong elsewhere, by line."""
    messages = messages_of(
        "type: table; games: 4; blocks: x; a: Low; newcomers: Hgih", more="log: hand"
    )
    assert [message.split(": ")[:2] for message in messages] == [
        ["league.yaml:5", "format.blocks"],
        ["league.yaml:6", "format.a"],
        ["league.yaml:7", "format.newcomers"],
        ["league.yaml:8", "log"],
    ]


# Names

NAMES: dict[str, tuple[str, str, int, str]] = {
    "a": ("type: duel; games: 4; a: Lwo; b: High", "", 5, "format.a: no entry has the name 'Lwo'"),
    "b": ("type: duel; games: 4; a: High; b: Lwo", "", 6, "format.b: no entry has the name 'Lwo'"),
    "newcomer": (
        "type: gauntlet; games: 4; newcomers: [High, Lwo]",
        "",
        5,
        "format.newcomers[1]: no entry has the name 'Lwo'",
    ),
    "anchor": (
        "type: table; games: 4",
        "report: {anchor: Lwo}",
        5,
        "report.anchor: no entry has the",
    ),
}


@pytest.mark.parametrize("entries", ["[Low, High, Middle]", None], ids=["listed", "all"])
@pytest.mark.parametrize(("text", "more", "line", "words"), NAMES.values(), ids=NAMES)
def test_names_of_nobody(text: str, more: str, line: int, words: str, entries: str | None) -> None:
    """A name that no entry has is answered with the nearest, also when all in a folder play."""
    with pytest.raises(ConfigError) as caught:
        plan(text, entries, more)
    assert str(caught.value).startswith(f"league.yaml:{line}: {words}")
    assert str(caught.value).endswith(": did you mean 'Low'?")


def test_one_newcomer_of_nobody() -> None:
    """A newcomer that is written without a list is named with its line as well."""
    for entries in ("[Low, High]", None):
        with pytest.raises(
            ConfigError, match=r"^league.yaml:5: format.newcomers.* 'Hihg': did you"
        ):
            plan("type: gauntlet; games: 4; newcomers: Hihg", entries)


@pytest.mark.parametrize(
    ("entries", "words"),
    [("[Low]", "there is 1 entry"), ("[Low, High, Middle]", "there are 3 entries")],
)
def test_a_duel_is_between_two(entries: str, words: str) -> None:
    """Without a and b a duel needs exactly two entries."""
    (message,) = messages_of("type: duel; games: 4", entries)
    assert message == f"league.yaml:2: format.a: is missing: a duel is between two, and {words}"
    with pytest.raises(ConfigError, match=r"between two, and there are 4 entries"):
        plan("type: duel; games: 4", None)


def test_everybody_in_a_folder_is_a_newcomer() -> None:
    """Without a list of entries too a gauntlet needs a field."""
    with pytest.raises(ConfigError, match=r"^league.yaml:5: format.newcomers: is everybody: leave"):
        plan("type: gauntlet; games: 4; newcomers: [Low, High, Chance, Middle]", None)


# What becomes of it


def test_who_plays() -> None:
    """In a duel the two play, a first; in a gauntlet all, and newcomers are known by place."""
    assert plan("type: duel; games: 4").names == ["Low", "High"]
    duel = plan("type: duel; games: 4; a: Middle; b: Chance", None)
    assert (duel.names, duel.schedule.entries) == (["Middle", "Chance"], 2)
    gauntlet = plan("type: gauntlet; games: 4; newcomers: [Middle, High]", None)
    assert gauntlet.names == ["Chance", "High", "Low", "Middle"]
    assert gauntlet.schedule.newcomers == (1, 3)
    turned = plan("type: gauntlet; games: 4; newcomers: [High, Middle]", None)
    assert turned.fingerprint() == gauntlet.fingerprint()
    other = plan("type: gauntlet; games: 4; newcomers: High", None)
    assert other.fingerprint() != gauntlet.fingerprint()


def test_rules_of_stopping() -> None:
    """A target is against the anchor, in a duel against b; a test is of the first of the two."""
    anchored = plan(
        "type: table; target: {points_halfwidth: 2}", more="report: {anchor: High, confidence: .9}"
    )
    assert anchored.stop == Target("points", 2.0, 0.9, 1)
    assert plan("type: table; target: {elo_halfwidth: 9}").stop == Target("elo", 9.0, 0.95, None)
    assert plan("type: duel; target: {elo_halfwidth: 9}").stop == Target("elo", 9.0, 0.95, 1)
    sprt = plan("type: duel; a: High; b: Low; sprt: {h1: 1, beta: 0.1}")
    assert sprt.stop == Sprt("points", 0.0, 1.0, 0.05, 0.1, ("High", "Low"))
    assert plan("type: duel; games: 5").stop is None


def test_what_makes_another_run() -> None:
    """Another test is another run; another target, budget or confidence is not."""
    same = [
        "type: duel; games: 5",
        "type: duel; blocks: 700",
        "type: duel; target: {elo_halfwidth: 9}",
        "type: duel; target: {points_halfwidth: 1}; max_games: 5000",
        "type: duel; games: 5; a: Low; b: High",
    ]
    others = [
        "type: duel; sprt: {h1: 1}",
        "type: duel; sprt: {h1: 2}",
        "type: duel; sprt: {h1: 1, alpha: 0.01}",
        "type: duel; sprt: {h1: 1, measure: elo}",
        "type: duel; games: 5; a: High; b: Low",
        "type: table; games: 5",
        "type: selfplay; games: 5",
    ]
    assert len({plan(text).fingerprint() for text in same}) == 1
    assert len({plan(text).fingerprint() for text in [same[0], *others]}) == 1 + len(others)
    capped = plan("type: duel; sprt: {h1: 1}; max_games: 70").fingerprint()
    assert capped == plan("type: duel; sprt: {h1: 1}; blocks: 70").fingerprint()


@pytest.mark.parametrize(
    ("format_", "words"),
    [
        ({"type": "duel", "sprt": {"h1": float("nan")}}, "format.sprt.h1: not a finite number"),
        ({"type": "table", "target": None}, "format.target: is empty"),
        ({"type": "table", "blocks": True}, "format.blocks: expected a whole number"),
        (
            {"type": "gauntlet", "games": 3, "newcomers": ("Nobody",)},
            "format.newcomers[0]: no entry",
        ),
    ],
)
def test_wrong_mappings(format_: dict[str, Any], words: str) -> None:
    """A mapping made in Python gets the messages of a file, with key paths."""
    config = {"strategies": {"folder": "bots", "entries": ["Low", "High"]}, "format": format_}
    with pytest.raises(HeartsError) as caught:
        config_from_mapping(config)
    assert str(caught.value).startswith(words)
