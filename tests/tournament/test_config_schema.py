"""The schema of a config takes what the config takes, and refuses what it can see to be wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from trial import FOUR, write_files

from hearts_sim.cli import main
from hearts_sim.errors import ConfigError
from hearts_sim.rules import PRESETS, Rules
from hearts_sim.tournament.config.reading import read_any
from hearts_sim.tournament.config.schema import config_schema
from hearts_sim.tournament.config.yaml_source import parse_yaml

ROOT = Path(__file__).parents[2]
SCHEMA = config_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
HEAD = "strategies: {folder: bots}\nformat: {type: table, games: 100}\n"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path / "bots", FOUR)
    write_files(tmp_path, {"mybot": "#!/bin/sh\n", "mybot.so": ""})
    (tmp_path / "mybot").chmod(0o755)
    monkeypatch.chdir(tmp_path)


def faults_of(text: str) -> list[str]:
    """What the schema finds in a YAML text, read as editors read it: keys are text."""
    value = parse_yaml(text, "text", number_keys=NUMBERED).value
    return [error.message for error in VALIDATOR.iter_errors(json.loads(json.dumps(value)))]


NUMBERED = [("rules", name) for name in ("deck_removal", "hand_size", "pass_cycle")]


def is_taken(text: str) -> bool:
    """Whether hearts-sim itself reads it."""
    Path("league.yaml").write_text(text, encoding="utf-8")
    try:
        read_any("league.yaml")
    except ConfigError:
        return False
    return True


def test_is_a_schema() -> None:
    """It is one of its draft, and the command prints it."""
    Draft202012Validator.check_schema(SCHEMA)
    shown = CliRunner().invoke(main, ["schema"])
    assert json.loads(shown.stdout) == SCHEMA
    assert CliRunner().invoke(main, ["schema", "-o", "a.json"]).stdout == ""
    assert json.loads(Path("a.json").read_text()) == SCHEMA


def keys(schema: Any) -> Iterator[tuple[str, Any]]:
    """Every key that a mapping may have, with what the schema says of it."""
    for name, value in schema.get("properties", {}).items():
        yield name, value
        yield from keys(value)
    for section in schema.get("$defs", {}).values():
        yield from keys(section)


def test_every_key_has_a_meaning() -> None:
    """A sentence for a person, not only what may stand there."""
    found = list(keys(SCHEMA))
    assert len(found) > 70
    for name, value in found:
        said = value.get("description", "") or value.get("$ref", "")
        assert len(said) > 9, name
        assert "title" not in value


SECTION = re.compile(r"(#.*\n)*(name|rules|strategies|format|faults|sweep):")


def documents() -> dict[str, str]:
    """Every config in configs/, and what the documentation shows of one.

    A page may show a section without the rest, which is added, or one key in several ways.
    """
    found = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("configs/**/*.yaml")}
    for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))):
        shown = re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
        for number, text in enumerate(text for text in shown if SECTION.match(text)):
            ways = text.splitlines() if text.count("\nformat: ") > 1 else [text]
            for way, lines in enumerate(ways):
                found[f"{page.name} {number} {way}"] = completed(lines)
    return found


def completed(text: str) -> str:
    """A config with the sections that it lacks."""
    there = set(re.findall(r"^(\w+):", text, re.M))
    there |= {"format"} if "sweep" in there else set()
    head = [line for line in HEAD.splitlines() if line.split(":")[0] not in there]
    return "\n".join([*head, text])


@pytest.mark.parametrize("text", documents().values(), ids=documents())
def test_documents(text: str) -> None:
    """What is shown as a config is one."""
    assert faults_of(text) == []


def test_documents_are_found() -> None:
    """The test above looks at something."""
    assert len(documents()) > 12


def test_presets() -> None:
    """Every preset, under each of its names and spelled as one likes, with all its settings."""
    for preset in PRESETS.values():
        for name in (preset.name, *preset.also, preset.name.upper().replace("_", " ")):
            assert faults_of(HEAD + f"rules: {json.dumps(name)}") == [], name
        settings = Rules.preset(preset.name).settings()
        assert faults_of(HEAD + f"rules: {json.dumps(settings)}") == [], preset.name
        assert faults_of(HEAD + f"rules: {json.dumps({'preset': preset.name})}") == []


FORMAT = "strategies: {folder: bots, entries: [Low, High, Middle]}\nformat: "
ENTRY = "format: {type: table, games: 1}\nstrategies:\n  folder: bots\n  entries: "
SWEEP = "strategies: {folder: bots}\nsweep: "
VALID = [
    SWEEP + "{strategy: Middle, options: {risk: [0.2, 0.4]}, games: 10}",
    SWEEP + "{strategy: Middle, options: {a: [x, y], b: [true, false]}, blocks: 1, against: Low}",
    SWEEP
    + "{strategy: {strategy: Middle, options: {x: 1}}, options: {risk: [1, 2]}, method: climb, "
    "against: {name: a, command: ./mybot}, sprt: {h1: 0.1}, max_games: 10, max_duels: 5, "
    "confirm: {games: 10, seed: 7}}",
    SWEEP + "{strategy: Middle, options: {a: [1, 2]}, target: {points_halfwidth: 1}}\nseed: 3",
    HEAD,
    "format: {type: table, games: 1}\nstrategies: {folder: [bots]}",
    "format: {type: table, games: 1}\nstrategies: {entries: [{name: a, command: ./mybot}]}",
    ENTRY + "[Low, {strategy: High, name: a b, options: {risk: 0.5, x: [1, [up, ~]], y: true}}]",
    ENTRY + "[{name: a, command: [./mybot, ''], keep: game}]",
    ENTRY + "[{name: a, library: ./mybot.so, symbol: bot, options: {risk: 1}}]",
    ENTRY + "[{strategy: Low, isolate: process, uses_clock: true}]",
    FORMAT + "{type: table, blocks: 4}",
    FORMAT + "{type: table, target: {elo_halfwidth: 10}, max_games: 100}",
    FORMAT + "{type: duel, a: Low, b: High, sprt: {h1: 0.3}, max_games: 10}",
    FORMAT + "{type: duel, a: Low, b: High, games: 5, sprt: {measure: elo, h0: -5, h1: 5}}",
    FORMAT + "{type: gauntlet, newcomers: Low, games: 4}",
    FORMAT + "{type: gauntlet, newcomers: [Low, High], games: 4}",
    FORMAT + "{type: selfplay, target: {points_halfwidth: 0.5}}",
    HEAD + "faults: {decision_seconds: null, game_seconds: ~, memory_mb: 16, max_rate: 0}",
    HEAD + "report: {confidence: 0.9}\nseed: 9223372036854775807\nlog: plays\nname: a.b-c_1",
    HEAD + "rules: {players: 3, deck_removal: {3: [2d], 4: []}, hand_size: auto}",
    HEAD + "rules: {deck_removal: foster, end: {deals: 3}, cards: {QS: 13, 10h: 5}}",
    HEAD + "rules: {pass_cycle: [L, scatter, H], end_cmp: '>', moon_value: 30, bonus: {JD: -10}}",
]


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    """What hearts-sim reads, the schema takes."""
    assert is_taken(text)
    assert faults_of(text) == []


WRONG = [
    SWEEP,
    SWEEP + "{strategy: Middle, options: {risk: [1, 2]}}",
    SWEEP + "{options: {risk: [1, 2]}, games: 1}",
    SWEEP + "{strategy: Middle, games: 1}",
    SWEEP + "{strategy: 3, options: {risk: [1, 2]}, games: 1}",
    SWEEP + "{strategy: Middle, options: {}, games: 1}",
    SWEEP + "{strategy: Middle, options: {risk: []}, games: 1}",
    SWEEP + "{strategy: Middle, options: {risk: 1}, games: 1}",
    SWEEP + "{strategy: Middle, options: {risk: [1, 1]}, games: 1}",
    SWEEP + "{strategy: Middle, options: {risk: [~, 1]}, games: 1}",
    SWEEP + "{strategy: Middle, options: {risk: [[1], 2]}, games: 1}",
    SWEEP + "{strategy: Middle, options: {a-b: [1, 2]}, games: 1}",
    SWEEP + "{strategy: Middle, options: {risk: [1, 2]}, games: 1, method: random}",
    SWEEP + "{strategy: Middle, options: {risk: [1, 2]}, games: 1, blocks: 1}",
    SWEEP + "{strategy: Middle, options: {risk: [1, 2]}, games: 1, max_games: 1}",
    SWEEP + "{strategy: Middle, options: {risk: [1, 2]}, games: 1, max_duels: 0}",
    SWEEP + "{strategy: Middle, options: {risk: [1, 2]}, games: 1, confirm: {blocks: 1}}",
    SWEEP + "{strategy: Middle, options: {risk: [1, 2]}, games: 1, against: {name: a}}",
    SWEEP + "{strategy: Middle, options: {risk: [1, 2]}, games: 1}\nreport: {anchor: Low}",
    SWEEP
    + "{strategy: Middle, options: {risk: [1, 2]}, games: 1}\nformat: {type: table, games: 1}",
    "format: {type: table, games: 1}",
    "strategies: {folder: bots}",
    HEAD + "sed: 3",
    HEAD + "games: 10",
    HEAD + "name: a/b",
    HEAD + "name: .hidden",
    HEAD + "name: 2026",
    HEAD + "name:",
    HEAD + "seed: -1",
    HEAD + "seed: 1.5",
    HEAD + "seed: true",
    HEAD + "seed: '7'",
    HEAD + "log: hand",
    HEAD + "report: {confidence: 1}",
    HEAD + "report: {confidence: 0.5}",
    HEAD + "report: {anchor: 3}",
    HEAD + "report:",
    HEAD + "rules:",
    HEAD + "rules: [moon]",
    HEAD + "rules: black_lad",
    HEAD + "rules: {mon: old}",
    HEAD + "rules: {preset: 3}",
    HEAD + "rules: {target: 0}",
    HEAD + "rules: {players: 2}",
    HEAD + "rules: {queen_forced: 'yes'}",
    HEAD + "rules: {moon: false}",
    HEAD + "rules: {cards: {XX: 3}}",
    HEAD + "rules: {cards: {QS: 0}}",
    HEAD + "rules: {pass_cycle: [L, U]}",
    HEAD + "rules: {end: {deals: 0}}",
    HEAD + "rules: {deck_removal: {2: []}}",
    HEAD + "faults: {policy: substitut}",
    HEAD + "faults: {decision_seconds: 0}",
    HEAD + "faults: {max_rate: ~}",
    HEAD + "faults: {memory_mb: 15}",
    HEAD + "faults: strict",
    "format: {type: table, games: 1}\nstrategies: {}",
    "format: {type: table, games: 1}\nstrategies: {folder: []}",
    "format: {type: table, games: 1}\nstrategies: {folder: ''}",
    "format: {type: table, games: 1}\nstrategies: {folder: 3}",
    "format: {type: table, games: 1}\nstrategies: {entries: [Low]}",
    ENTRY + "[]",
    ENTRY,
    ENTRY + "Low",
    ENTRY + "[5]",
    ENTRY + "[Low Card]",
    ENTRY + "[./mybot]",
    ENTRY + "[{name: a}]",
    ENTRY + "[{strategy: Low, weight: 1}]",
    ENTRY + "[{strategy: Low, name: ''}]",
    ENTRY + "[{strategy: Low, name: 'a '}]",
    ENTRY + f"[{{strategy: Low, name: {'x' * 61}}}]",
    ENTRY + "[{strategy: Low, options: [1]}]",
    ENTRY + "[{strategy: Low, options: {a-b: 1}}]",
    ENTRY + "[{strategy: Low, options: {a: {b: 1}}}]",
    ENTRY + "[{strategy: Low, command: ./mybot}]",
    ENTRY + "[{strategy: Low, keep: run}]",
    ENTRY + "[{strategy: Low, symbol: bot}]",
    ENTRY + "[{strategy: Low, isolate: ~}]",
    ENTRY + "[{command: ./mybot}]",
    ENTRY + "[{library: ./mybot.so}]",
    ENTRY + "[{name: a, command: ./mybot, isolate: process}]",
    ENTRY + "[{name: a, command: ' '}]",
    ENTRY + "[{name: a, command: []}]",
    ENTRY + "[{name: a, command: ['', b]}]",
    ENTRY + "[{name: a, command: [./mybot, 3]}]",
    ENTRY + "[{name: a, library: ./mybot.so, symbol: my-bot}]",
    ENTRY + "[{name: a, library: ./mybot.so, options: {risk: high}}]",
    ENTRY + "[{name: a, library: ./mybot.so, keep: run}]",
    FORMAT + "{games: 4}",
    FORMAT + "{type: swiss, games: 4}",
    FORMAT + "{type: table}",
    FORMAT + "{type: table, games: 0}",
    FORMAT + "{type: table, games: 4, blocks: 4}",
    FORMAT + "{type: table, games: 4, max_games: 4}",
    FORMAT + "{type: table, games: 4, target: {elo_halfwidth: 10}}",
    FORMAT + "{type: table, target: {}}",
    FORMAT + "{type: table, target: {elo_halfwidth: 10, points_halfwidth: 1}}",
    FORMAT + "{type: table, games: 4, a: Low, b: High}",
    FORMAT + "{type: table, games: 4, newcomers: Low}",
    FORMAT + "{type: duel, games: 4, a: Low}",
    FORMAT + "{type: duel, a: Low, b: High, sprt: {}}",
    FORMAT + "{type: duel, a: Low, b: High, sprt: {h1: 1, alpha: 0.5}}",
    FORMAT + "{type: duel, a: Low, b: High, sprt: {h1: 1}, target: {elo_halfwidth: 10}}",
    FORMAT + "{type: duel, a: Low, b: High, sprt: {h1: 1}, games: 4, max_games: 4}",
    FORMAT + "{type: gauntlet, games: 4}",
    FORMAT + "{type: gauntlet, games: 4, newcomers: []}",
    FORMAT + "{type: gauntlet, games: 4, newcomers: [Low, Low]}",
    FORMAT + "{type: selfplay, target: {elo_halfwidth: 10}}",
]


@pytest.mark.parametrize("text", WRONG)
def test_wrong(text: str) -> None:
    """What the schema refuses, hearts-sim refuses too."""
    assert not is_taken(text)
    assert faults_of(text)
