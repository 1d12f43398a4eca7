"""What a config may say about faults, and what is left out when a file does not import."""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Any

import pytest
from trial import CHANCE, FOUR, LOW, settings, write_files

from hearts_sim.errors import ConfigError, HeartsError, StrategyLoadError
from hearts_sim.tournament.config.models import Faults
from hearts_sim.tournament.config.reading import Config, config_from_mapping, read_config
from hearts_sim.tournament.plan.policy import POLICIES, FaultRules
from hearts_sim.tournament.plan.spec import plan_run

HEAD = "strategies: {folder: bots}\nformat: {type: table, games: 8}\nfaults:\n"
"""Three lines; the keys of the section begin with line 4."""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path / "bots", FOUR)
    monkeypatch.chdir(tmp_path)


def read(keys: str) -> Config:
    """A config whose section of faults has these keys, separated by semicolons."""
    lines = "".join(f"  {key.strip()}\n" for key in keys.split(";"))
    Path("league.yaml").write_text(HEAD + lines)
    return read_config("league.yaml")


def message_of(keys: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read(keys)
    return str(caught.value)


VALID: dict[str, tuple[str, FaultRules]] = {
    "policy": ("policy: strict", FaultRules("strict")),
    "all": (
        "policy: forfeit; decision_seconds: 0.5; game_seconds: 60; memory_mb: 512; max_rate: 0",
        FaultRules("forfeit", 0.5, 60, 512, 0),
    ),
    "smallest": (
        "decision_seconds: 0.001; game_seconds: 0.001; memory_mb: 16; max_rate: 0.0",
        FaultRules("substitute", 0.001, 0.001, 16, 0),
    ),
    "largest": (
        "decision_seconds: 86400; game_seconds: 86400; memory_mb: 16777216; max_rate: 1",
        FaultRules("substitute", 86400, 86400, 2**24, 1),
    ),
    "game only": ("game_seconds: 0.0001", FaultRules(game_seconds=0.0001)),
    "nulls": ("decision_seconds: null; game_seconds: ~; memory_mb: Null", FaultRules()),
    "null and not": ("decision_seconds: 3; game_seconds: null", FaultRules(decision_seconds=3)),
}


@pytest.mark.parametrize(("keys", "rules"), VALID.values(), ids=VALID)
def test_valid(keys: str, rules: FaultRules) -> None:
    """Each key is read as it is written, and goes into the run and into what it is known by."""
    config = read(keys)
    spec, _ = plan_run(config)
    assert spec.faults == rules
    assert spec.identity()["faults"] == rules.plain()
    assert config.resolved()["faults"] == {**rules.plain(), "isolate": "shared"}


def test_policies() -> None:
    """A config knows the policies that there are."""
    assert typing.get_args(Faults.model_fields["policy"].annotation) == POLICIES


def test_left_out() -> None:
    """Without the section all is as its defaults say, in a file and in a mapping."""
    Path("league.yaml").write_text("\n".join(HEAD.splitlines()[:2]))
    assert plan_run(read_config("league.yaml"))[0].faults == FaultRules()
    nulls = {"decision_seconds": None, "game_seconds": None, "memory_mb": None}
    config = config_from_mapping(settings(Path("bots"), faults=nulls))
    assert plan_run(config)[0].faults == FaultRules()


def test_other_rules_make_another_run() -> None:
    """What is done about a fault decides the games, so it is part of what a run is known by."""
    prints = {
        plan_run(read(keys))[0].fingerprint()
        for keys in ("policy: substitute", "policy: forfeit", "game_seconds: 5", "memory_mb: 64")
    }
    assert len(prints) == 4
    shared, apart = (plan_run(read(f"isolate: {value}"))[0] for value in ("shared", "process"))
    assert shared.fingerprint() == apart.fingerprint()


WRONG: dict[str, tuple[str, int, str]] = {
    "policy": (
        "policy: substitut",
        4,
        "faults.policy: expected strict, substitute or forfeit, got the text 'substitut'; did you",
    ),
    "policy empty": ("policy:", 4, "faults.policy: is empty: give strict, substitute or forfeit"),
    "policy null": ("policy: null", 4, "faults.policy: is empty"),
    "unknown": (
        "policy: strict; decision_second: 1",
        5,
        "faults.decision_second: unknown key: did you mean 'decision_seconds'?",
    ),
    "decision empty": (
        "policy: strict; decision_seconds:",
        5,
        "faults.decision_seconds: is empty: give a number of seconds from 0.001 to 86400, or null",
    ),
    "game empty": ("game_seconds: # none", 4, "faults.game_seconds: is empty: give a number"),
    "memory empty": ("memory_mb:", 4, "faults.memory_mb: is empty: give a whole number of MiB"),
    "decision quoted": ("decision_seconds: 'null'", 4, "got the text 'null'"),
    "rate null": ("max_rate: null", 4, "faults.max_rate: is empty: give a number from 0 to 1"),
    "isolate null": ("isolate: ~", 4, "faults.isolate: is empty: give shared or process"),
    "decision zero": ("decision_seconds: 0", 4, "from 0.001 to 86400, or null for no limit, got"),
    "decision tiny": ("decision_seconds: 0.0009", 4, "got the number 0.0009"),
    "decision long": ("decision_seconds: 86401", 4, "got the number 86401"),
    "decision true": ("decision_seconds: true", 4, "got true"),
    "decision unit": ("decision_seconds: 100 ms", 4, "got the text '100 ms': write 0.1"),
    "decision minutes": ("decision_seconds: 2min", 4, "got the text '2min': write 120"),
    "game zero": ("game_seconds: 0", 4, "a number of seconds above 0, at most 86400, or null"),
    "game negative": ("game_seconds: -1", 4, "faults.game_seconds: expected a number of seconds"),
    "game long": ("game_seconds: 1e6", 4, "got the number 1e6"),
    "game less": (
        "game_seconds: 2; decision_seconds: 2.5",
        4,
        "faults.game_seconds: is less than decision_seconds (2.5), which would never be reached",
    ),
    "memory small": ("memory_mb: 15", 4, "a whole number of MiB from 16 to 16777216, or null"),
    "memory large": ("memory_mb: 16777217", 4, "got the number 16777217"),
    "memory float": ("memory_mb: 64.0", 4, "got the number 64.0: write 64"),
    "memory unit": ("memory_mb: 2 GB", 4, "got the text '2 GB': write 2048"),
    "rate large": ("max_rate: 5", 4, "got the number 5: write 0.05 for 5 %"),
    "rate negative": ("max_rate: -0.1", 4, "expected a number from 0 to 1, a share of an entry"),
    "rate percent": ("max_rate: 2.5%", 4, "got the text '2.5%': write 0.025"),
    "rate nan": ("max_rate: .nan", 4, "not a finite number"),
    "isolate": ("isolate: proces", 4, "got the text 'proces'; did you mean 'process'?"),
}


@pytest.mark.parametrize(("keys", "line", "words"), WRONG.values(), ids=WRONG)
def test_wrong(keys: str, line: int, words: str) -> None:
    """What is wrong in the section is one message with its line and what is allowed."""
    message = message_of(keys)
    assert message.startswith(f"league.yaml:{line}: faults.")
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD, 3, "faults: is empty: give a mapping such as {policy: substitute}"),
        (HEAD.rstrip() + " strict", 3, "faults: expected a mapping such as {policy: substitute}"),
        (HEAD.replace("faults:", "policy: strict"), 3, "policy: unknown key here: it belongs und"),
        (HEAD.replace("bots}", "bots, isolate: process}").replace("faults:", ""), 1, "under fault"),
    ],
    ids=["empty", "text", "on top", "in another section"],
)
def test_wrong_place(text: str, line: int, words: str) -> None:
    """A section that is none, and a key of it that stands elsewhere, have their lines too."""
    Path("league.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config("league.yaml")
    assert str(caught.value).startswith(f"league.yaml:{line}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ({"policy": None}, "faults.policy: is empty"),
        ({"max_rate": None}, "faults.max_rate: is empty"),
        ({"memory_mb": 64.5}, "faults.memory_mb: expected a whole number"),
        ({"decision_seconds": float("inf")}, "faults.decision_seconds: not a finite number"),
        ({"decision_seconds": 2, "game_seconds": 1}, "faults.game_seconds: is less than"),
    ],
)
def test_wrong_mapping(faults: dict[str, Any], words: str) -> None:
    """A mapping made in Python gets the messages of a file."""
    with pytest.raises(ConfigError) as caught:
        config_from_mapping(settings(Path("bots"), faults=faults))
    assert str(caught.value).startswith(words)


# Files that do not import


def test_a_broken_file_is_left_out() -> None:
    """When all strategies play, a file that does not import is left out; it makes no other run."""
    write_files(Path("bots"), {"broken.py": "\n\nimport nothing_of_this_name", "leaves.py": EXITS})
    for policy in ("substitute", "forfeit"):
        spec, _ = plan_run(read(f"policy: {policy}"))
        assert spec.names == ["Chance", "High", "Low", "Middle"]
        broken, leaves = spec.not_loaded
        assert broken.startswith(f"{Path('bots/broken.py').resolve()}:3: does not import: ")
        assert leaves.startswith(f"{Path('bots/leaves.py').resolve()}:2: does not import: SystemEx")
    before = spec.fingerprint()
    write_files(Path("bots"), {"broken.py": "# nothing in here\n", "leaves.py": ""})
    assert plan_run(read("policy: forfeit"))[0].not_loaded == ()
    assert plan_run(read("policy: forfeit"))[0].fingerprint() == before


EXITS = "import sys\nsys.exit(3)\n"


def plan_error(keys: str) -> str:
    with pytest.raises(HeartsError) as caught:
        plan_run(read(keys))
    assert caught.value.exit_code == 2
    return str(caught.value)


STAYS: dict[str, tuple[dict[str, str], str, str]] = {
    "strict": ({"broken.py": "1 / 0"}, "policy: strict", "broken.py:1: does not import"),
    "no choose_card": (
        {"idle.py": "from hearts_sim import Strategy\nclass Idle(Strategy):\n    pass\n"},
        "policy: substitute",
        "idle.py:2: class Idle has no choose_card",
    ),
    "one name twice": ({"other.py": LOW}, "policy: substitute", "class Low is also in "),
    "no default": (
        {"needy.py": CHANCE.replace("Chance", "Needy") + "    def __init__(self, risk): ...\n"},
        "policy: forfeit",
        "Needy needs the option 'risk'",
    ),
}


@pytest.mark.parametrize(("files", "keys", "words"), STAYS.values(), ids=STAYS)
def test_what_still_stops(files: dict[str, str], keys: str, words: str) -> None:
    """Under strict, and where a class cannot play as it stands, the run does not begin."""
    write_files(Path("bots"), files)
    message = plan_error(keys)
    assert words in message
    assert "\n" not in message


def test_nothing_is_left() -> None:
    """When no file imports there is nothing to play, and each is named."""
    write_files(Path("bots"), dict.fromkeys(FOUR, "1 / 0"))
    lines = plan_error("policy: substitute").splitlines()
    assert [line.split(":")[0] for line in lines] == [
        str(Path("bots", name).resolve()) for name in sorted(FOUR)
    ]


def test_a_named_entry_is_not_left_out() -> None:
    """An entry whose file does not import stops the run, with the file's message."""
    write_files(Path("bots"), {"low.py": "1 / 0"})
    with pytest.raises(StrategyLoadError, match=r"(?s)is called 'Low'.*low.py:1: does not import"):
        plan_run(config_from_mapping(settings(Path("bots"), ["Low", "High", "Chance", "Middle"])))


def test_an_anchor_is_not_left_out() -> None:
    """A name that format or report need, of a file that does not import, is told with the file."""
    write_files(Path("bots"), {"low.py": "1 / 0"})
    Path("league.yaml").write_text(HEAD[: HEAD.index("faults")] + "report: {anchor: Low}")
    with pytest.raises(ConfigError) as caught:
        plan_run(read_config("league.yaml"))
    first, second, third = str(caught.value).splitlines()
    assert first.startswith("league.yaml:3: report.anchor: no entry has the name 'Low'")
    assert second == "and these files were left out:"
    assert third.startswith(f"{Path('bots/low.py').resolve()}:1: does not import: ")
