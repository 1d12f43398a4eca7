"""docs/rules.md: it is what its maker prints, and every line of rules in it can be played."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from trial import python

from hearts_sim.errors import RulesError
from hearts_sim.rules import CHOICES, DECKS, PRESETS, Rules
from hearts_sim.rules.__main__ import as_markdown
from hearts_sim.tournament.config.reading import MINIMAL, read_config
from hearts_sim.tournament.config.yaml_source import parse_yaml

FILE = Path(__file__).parents[1] / "docs" / "rules.md"
PAGE = FILE.read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text below a heading of the second level."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def read(text: str) -> Any:
    """What a config says in which this stands behind ``rules:``."""
    source = parse_yaml(f"rules: {text}", "page")
    assert not source.problems
    return source.value["rules"]


EXAMPLES = re.findall(r"^rules: (.+)$", PAGE, re.MULTILINE)
VARIANTS = re.findall(
    r"^\| [^|]+ \| `(\{.+?\})` \| ", section("Variants that need no preset"), re.M
)
MAPPINGS = re.findall(r"^- `(\w+): (\{\d+: .+\})`$", PAGE, re.MULTILINE)

# Of some variants, what follows from their text: points of a hand, of a moon, cards of a hand.
FACTS = {
    "{players: 3, leftover: kitty_first_trick}": (26, 26, 17),
    "{players: 5, leftover: kitty_first_penalty}": (26, 26, 10),
    "{players: 8, packs: 2, trick_winner: latest_of_equals}": (52, 52, 13),
    "{preset: original_1887, heart_scale: pips14}": (104, 104, 13),
    "{preset: original_1887, heart_scale: face5432}": (23, 23, 13),
    "{preset: black_maria, heart_scale: court10_ace15, cards: {QS: 25}, target: 500}": (
        124,
        124,
        17,
    ),
    "{preset: black_maria, players: 5, deck_removal: culbertson}": (43, 43, 10),
    "{preset: black_maria, players: 6, deck_removal: culbertson}": (42, 42, 8),
    "{preset: spot, heart_scale: court10_ace15}": (124, 124, 13),
    "{preset: spot, heart_scale: pips_ace1}": (116, 116, 13),
    "{preset: partnership_pooled, moon_value: 52}": (26, 52, 13),
    "{preset: omnibus_ten, moon_value: auto}": (26, 26, 13),
    "{preset: cancellation, deck_removal: [2C, 2D]}": (52, 52, 17),
    "{preset: cancellation, players: 5, leftover: kitty_first_trick, "
    "pass_cycle: [H, L, L2, R2, R]}": (52, 52, 20),
    "{preset: black_jack, cards: {JS: 13}}": (26, 26, 13),
    "{cards: {QC: 13, QD: 13, QS: 13, QH: 13}}": (64, 64, 13),
    "{preset: partnership, cards: {QS: 13, TD: 10}}": (36, 36, 13),
}


def test_the_page_is_up_to_date() -> None:
    """It is what the settings and presets say: python -m hearts_sim.rules > docs/rules.md."""
    assert as_markdown() == PAGE


def test_the_page_is_made_by_a_program() -> None:
    """The command that the page names prints it."""
    done = python("-m", "hearts_sim.rules", cwd=FILE.parents[1])
    assert done.returncode == 0, done.stderr
    assert done.stdout == PAGE


def test_the_page_is_plain() -> None:
    """Nothing is left to fill in, every row of a table has its cells, and any terminal shows it."""
    assert "[[" not in PAGE
    assert PAGE.isascii()
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE):
        cells = {line.count("|") for line in table.splitlines()}
        assert len(cells) == 1, table.splitlines()[0]


def test_everything_is_on_the_page() -> None:
    """Each preset, setting, value and deck stands there, each preset with its other names."""
    presets, settings = section("Presets"), section("Settings")
    for preset in PRESETS.values():
        row = next(line for line in presets.splitlines() if line.startswith(f"| `{preset.name}` |"))
        assert all(name in row for name in (preset.summary, preset.source, *preset.also))
        line = f"\n- `{preset.name}`: "
        assert (line in presets) == bool(preset.settings)
    for name in Rules().settings():
        row = next(line for line in settings.splitlines() if line.startswith(f"| `{name}` |"))
        assert all(value in row for value in CHOICES.get(name, ()))
    assert all(f"| `{name}` |" in section("Named decks") for name in DECKS)


def test_the_default_is_the_default() -> None:
    """The third column of the settings is what rules have without any setting."""
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| `([^`]+)` \|", section("Settings"), re.MULTILINE)
    said = {name: value for name, value in rows if name in Rules().settings()}
    assert set(Rules().settings()) - set(said) == {"deck_removal", "pass_cycle"}
    for name, value in said.items():
        assert Rules(**{name: read(value)}) == Rules(), name


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples(text: str) -> None:
    """The examples of a config are rules."""
    assert Rules.from_spec(read(text)).total > 0


def test_mappings_from_the_number_of_players(tmp_path: Path) -> None:
    """The three settings that may be mappings: a config that has one gets what is said for it."""
    (tmp_path / "strategies").mkdir()
    file = tmp_path / "config.yaml"
    for name, text in MAPPINGS:
        said = parse_yaml(text, "page", [()]).value
        assert len(said) > 1
        for players, value in said.items():
            rules = f"{{players: {players}, leftover: kitty_first_trick, {name}: {text}}}"
            file.write_text(f"rules: {rules}\n{MINIMAL}\n", encoding="utf-8")
            assert read_config(file).rules.settings()[name] == value


@pytest.mark.parametrize("text", VARIANTS)
def test_variants_can_be_played(text: str) -> None:
    """Each variant is made of settings that go together, and is not what its preset is anyway."""
    spec = read(text)
    rules = Rules.from_spec(spec)
    preset = PRESETS[spec.get("preset", "black_lady")]
    if rules.players in preset.players:
        assert rules != Rules.preset(preset.name, players=rules.players)
    for name, value in spec.items():
        if name not in ("preset", "deck_removal"):
            assert rules.settings()[name] == value


def test_there_are_variants() -> None:
    """The page has as many as it is read for, each once, and those of which facts are known."""
    assert len(VARIANTS) > 60
    assert len(set(VARIANTS)) == len(VARIANTS)
    assert len(EXAMPLES) == 3
    assert [name for name, _ in MAPPINGS] == ["deck_removal", "hand_size", "pass_cycle"]
    assert set(FACTS) <= set(VARIANTS)


@pytest.mark.parametrize("text", FACTS)
def test_facts_of_variants(text: str) -> None:
    """Points of a hand, of a moon, and cards of a hand are those added up by hand."""
    rules = Rules.from_spec(read(text))
    assert (rules.total, rules.moon_points, rules.hand_size) == FACTS[text]


def test_the_refusal_is_real() -> None:
    """The message on the page is the one that comes for what stands there."""
    message = re.findall(r"```text\n(.+)\n```", PAGE)
    with pytest.raises(RulesError) as caught:
        Rules(players=5, pass_cycle=["L", "A"])
    assert message == [str(caught.value)]
