"""``hearts-sim check``: exit codes, JSON, programs, and that the shipped strategies pass."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from bots import PLAYING, write
from click.testing import CliRunner
from jsonschema import validate

from hearts_sim.cli import main

STRATEGIES = Path(__file__).parents[2] / "strategies"

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["ok", "strategies"],
    "properties": {
        "ok": {"type": "boolean"},
        "strategies": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "kind", "file", "line", "ok", "passed", "findings"],
                "properties": {
                    "findings": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["severity", "kind", "message", "file", "line", "detail"],
                            "properties": {
                                "severity": {"enum": ["error", "warning", "hint"]},
                                "line": {"type": "integer", "minimum": 0},
                            },
                        },
                    }
                },
            },
        },
    },
}

PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"hello","protocol":1}', flush=True)
    elif message["type"] == "choose_card":
        if "fail" in sys.argv and len(message["hand"]) == 9:
            sys.exit("no idea")
        answer = {"id": message["id"], "card": message["legal"][0]}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "choose_pass":
        answer = {"id": message["id"], "cards": message["legal"][:3]}
        print(json.dumps(answer), flush=True)
"""


def run(*arguments: str) -> Any:
    """The command, as part of the whole program."""
    result = CliRunner().invoke(main, ["check", *arguments])
    if not isinstance(result.exception, SystemExit | None):
        raise result.exception
    return result


def test_shipped_strategies_pass() -> None:
    """Those that have something to themselves: the others are made of their parts."""
    names = ["all_round_compiled", "card_counter", "moon_shooter", "moon_stopper", "random_legal"]
    files = [str(STRATEGIES / f"{name}.py") for name in [*names, "safe_leader", "void_maker"]]
    result = run(*files, "--games", "1", "--json")
    document = json.loads(result.stdout)
    validate(document, SCHEMA)
    assert result.exit_code == 0
    assert len(document["strategies"]) == len(files) + 1
    findings = [item["findings"] for item in document["strategies"]]
    assert [found for found in findings if found] == []


def test_bad_strategy(tmp_path: Path) -> None:
    write(tmp_path, {"Raises": PLAYING["Raises"]})
    result = run(str(tmp_path / "raises.py"), "--games", "1", "-q")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"error: {tmp_path / 'raises.py'}:7: raises an exception")
    only = run(str(tmp_path), "--strategy", "Raises", "--games", "1", "--json")
    assert only.exit_code == 1
    assert [item["name"] for item in json.loads(only.stdout)["strategies"]] == ["Raises"]


def test_what_is_not_there(tmp_path: Path) -> None:
    for arguments, says in (
        ([str(tmp_path / "no.py")], "does not exist"),
        ([str(tmp_path)], "no strategies"),
        (["--", "./no-such-program"], "no program './no-such-program'"),
        (["--library", "no.so", "--symbol", "f"], "no.so does not exist"),
        ([], "give one of"),
        (["x.py", "--command", "y"], "give one of"),
        (["x.py", "--rules", "black_ladi"], "did you mean 'black_lady'"),
        (["x.py", "--all", "--rules", "pagat"], "give one of them"),
        ([str(STRATEGIES / "low_card.py"), "--strategy", "LowCart"], "no strategy is called"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert says in result.stderr, arguments


@pytest.mark.skipif(sys.platform == "win32", reason="programs are checked on POSIX")
def test_program(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(PROGRAM, encoding="utf-8")
    result = run("--games", "1", "--", sys.executable, str(program))
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("bot.py (a program)")
    assert "plays the same games again and in another process" in result.stdout
    result = run("--games", "1", "--json", "--command", f"{sys.executable} {program} fail")
    assert result.exit_code == 1
    (checked,) = json.loads(result.stdout)["strategies"]
    (finding,) = checked["findings"]
    assert finding["kind"] == "crash"
    assert "no idea" in finding["message"]
