"""``hearts-sim variants``: the list of presets, every setting of one, and both as JSON."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hearts_sim.cli import main
from hearts_sim.rules import PRESETS, Rules
from hearts_sim.tournament.config.yaml_source import parse_yaml

TABLES = [(preset.name, players) for preset in PRESETS.values() for players in preset.players]


def variants(*arguments: str, columns: int = 100) -> Result:
    """The command, on a terminal of so many columns."""
    return CliRunner().invoke(main, ["variants", *arguments], env={"COLUMNS": str(columns)})


def works(*arguments: str, columns: int = 100) -> str:
    """What the command prints, when it works; stderr has nothing then."""
    result = variants(*arguments, columns=columns)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def as_json(*arguments: str) -> Any:
    """The one JSON document of the command."""
    return json.loads(works(*arguments, "--json"))


def in_one_line(text: str) -> str:
    """A text without its line breaks and indentation."""
    return re.sub(r"\s+", " ", text)


def marked(text: str) -> list[str]:
    """Settings with a mark."""
    return re.findall(r"^\* (\w+): ", text, re.MULTILINE)


def listed(text: str) -> list[str]:
    """All settings that are listed, with their values, in order."""
    settings = text.split("\n\n", 1)[1].split("\nIn a config")[0]
    return re.findall(r"^[* ] (\w+): ", settings, re.MULTILINE)


# The list


@pytest.mark.parametrize("columns", [60, 80, 100, 200])
def test_list(columns: int) -> None:
    """Each preset begins a line with its name and players; all lines fit, and have at most 100."""
    text = works(columns=columns)
    lines = text.split("\n\n")[0].splitlines()
    heads = [re.split(r" {2,}", line) for line in lines if not line.startswith(" ")]
    assert [head[0] for head in heads] == list(PRESETS)
    sizes = {"black_lady": "3-8", "black_widow": "4", "cancellation": "6-11", "black_maria": "3-4"}
    assert {head[0]: head[1] for head in heads if head[0] in sizes} == sizes
    assert max(map(len, text.splitlines())) <= min(columns, 100)
    whole = in_one_line(text)
    for preset in PRESETS.values():
        assert preset.summary in whole
    for name in ("Rickety Kate", "Hartenjagen", "Windows Hearts", "Slippery Bitch"):
        assert name in whole
    assert "'rules: NAME'" in whole


def test_list_as_json() -> None:
    """As JSON it is a list of objects with all that a preset says of itself."""
    document = as_json()
    assert [item["name"] for item in document] == list(PRESETS)
    for item in document:
        preset = PRESETS[item["name"]]
        assert item == {
            "name": preset.name, "summary": preset.summary, "source": preset.source,
            "players": list(preset.players), "default_players": preset.default_players,
            "also": list(preset.also),
        }  # fmt: skip


# A preset


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_preset(name: str, players: int) -> None:
    """Every setting once, those that differ from black_lady first, with a mark."""
    text = works(name, "--players", str(players))
    document = as_json(name, "--players", str(players))
    changed = document["differs"]
    assert marked(text) == changed
    assert listed(text) == changed + [key for key in document["settings"] if key not in changed]
    assert Rules(**document["settings"]) == Rules.preset(name, players=players)
    if players <= 8:
        base = Rules(players=players).settings()
        mine = document["settings"]
        assert changed == [key for key in mine if mine[key] != base[key]]


def test_what_differs() -> None:
    """What a preset changes, at its own table and at one that black_lady does not have."""
    assert as_json("black_lady")["differs"] == []
    assert as_json("black_widow")["differs"] == ["end_cmp", "tie"]
    assert as_json("hearts", "--players", "5")["differs"] == ["broken_by", "moon"]
    assert as_json("omnibus_ten")["differs"] == ["bonus", "moon", "moon_value", "moon_needs_bonus"]
    assert as_json("cancellation", "--players", "11")["differs"] == [
        "packs", "deck_removal", "hand_size", "leftover", "pass_cycle", "first_lead",
        "first_trick_points", "trick_winner",
    ]  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_preset_as_json(name: str) -> None:
    """As JSON a preset is one object; its settings are rules again."""
    document = as_json(name)
    preset = PRESETS[name]
    assert list(document) == ["name", "summary", "source", "also", "settings", "differs"]
    assert (document["name"], document["summary"]) == (name, preset.summary)
    assert (document["source"], document["also"]) == (preset.source, list(preset.also))
    assert Rules(**document["settings"]) == Rules.preset(name)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("columns", [80, 100, 150])
def test_preset_is_readable(name: str, columns: int) -> None:
    """Values, meanings and sources are whole and wrapped; what says what a preset is, too."""
    text = works(name, columns=columns)
    preset = PRESETS[name]
    whole = in_one_line(text)
    assert max(map(len, text.splitlines())) <= min(columns, 100)
    assert not re.search(r" $", text, re.MULTILINE)
    assert f"{name}: {preset.summary}" in whole
    assert f"source: {preset.source}" in whole
    for item in dataclasses.fields(Rules):
        assert f"{item.metadata['meaning']} source: {item.metadata['source']}" in whole


def test_values_are_as_in_a_config() -> None:
    """Values are shown as one writes them in YAML."""
    text = works("black_maria")
    assert "\n* cards: {QS: 13, KS: 10, AS: 7}\n" in text
    assert "\n* pass_cycle: [R]\n" in text
    assert "\n  bonus: {}\n" in text
    assert "\n  queen_forced: false\n" in text
    assert '\n* end_cmp: ">"\n' in works("black_widow")
    assert "\n* end: {deals: 8}\n" in works("original_1887")
    assert "\n  cards: 12 for each player and a kitty of 4\n" in works("kitty")
    assert "\n  players: 6-11, here 9\n" in works("cancellation", "--players", "9")
    assert "\n* moon_value: 16\n" in works("omnibus_ten")
    assert "\n* moon: new\n" in works("dirty_lady")


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_how_to_use_it(name: str, players: int) -> None:
    """The lines at the end are rules of a config: the preset, and the preset with another moon."""
    text = works(name, "--players", str(players))
    first, second = (
        parse_yaml(line, "shown").value["rules"]
        for line in text.split("In a config")[1].splitlines()
        if line.startswith("  rules: ")
    )
    assert Rules.from_spec(first) == Rules.preset(name, players=players)
    assert set(second) - set(first) == {"moon"}
    assert Rules.from_spec(second).moon != Rules.from_spec(first).moon


# Other names


@pytest.mark.parametrize(
    ("asked", "shown", "name"),
    [
        ("rickety kate", "Rickety Kate", "black_lady"),
        ("SLIPPERY-ANNE", "Slippery Anne", "black_lady"),
        ("hartenjagen", "Hartenjagen", "hearts"),
        ("windows hearts", "Windows Hearts", "microsoft"),
        ("omnibus hearts", "Omnibus Hearts", "omnibus"),
    ],
)
def test_other_names(asked: str, shown: str, name: str) -> None:
    """Another name leads to the preset, and the first line says so."""
    text = works(asked)
    assert text == f"{shown} is another name for {name}.\n\n" + works(name)
    assert as_json(asked) == as_json(name)


@pytest.mark.parametrize("asked", ["black_widow", "Black Widow", "BLACK-WIDOW"])
def test_spelling_is_no_other_name(asked: str) -> None:
    """The name itself in another spelling is not called another name."""
    assert works(asked).startswith("black_widow: ")


# Errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["whist"], "Error: unknown preset 'whist'"),
        (["rickety kat"], "did you mean 'black_lady'"),
        (["black_widow", "--players", "5"], "Error: black_widow is a game for 4 players, not 5"),
        (["black_lady", "--players", "9"], "Error: 9 players need two packs (packs: 2, as in"),
        (["hearts", "--players", "2"], "Error: players must be a whole number from 3 to 11"),
        (["--players", "4"], "Error: --players needs the NAME of a preset"),
    ],
)
def test_errors(arguments: list[str], message: str) -> None:
    """What cannot be shown is said on stderr, with exit code 2."""
    for json_too in ([], ["--json"]):
        result = variants(*arguments, *json_too)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
        assert "Traceback" not in result.stderr
