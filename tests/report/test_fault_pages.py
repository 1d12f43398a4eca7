"""Foreign text on the pages: what a bot says is shown, and never obeyed."""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from made import Failure, random_games, write_run

import hearts_sim.report.fault_text as pages
from hearts_sim.cli import main
from hearts_sim.report.fault_text import in_markdown, in_terminal
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.report.text import printable
from hearts_sim.report.write import write_report
from hearts_sim.rules import Rules

EVIL = "<script>alert(1)</script> | `x` *b* \x1b[31mred\x07\r\nnext\u202eeman\x9b2J"
SHOWN = r"<script>alert(1)</script> | `x` *b* \x1b[31mred\x07\r\nnext\u202eeman\x9b2J"
TRACE = "".join(f'  File "bot.py", line {line}, in f\n    x = {EVIL!r}\n' for line in range(30))
FENCE = "```\n</pre><b>bold</b>\n``` ````\n"


def with_faults(path: Path, **more: object) -> Summary:
    failures = [
        Failure(
            3, 1, "exception", answer=EVIL, given=EVIL, message=EVIL, traceback=TRACE + "End: 7"
        ),
        Failure(9, 2, traceback=FENCE + "x" * 3000),
    ]
    return summarise(
        write_run(
            path,
            Rules(),
            random_games(Rules(), entries=4),
            failures=failures,
            not_loaded=[{"file": f"bots/{EVIL}.py", "message": EVIL}],
            **more,  # type: ignore[arg-type]
        )
    )


@pytest.fixture(autouse=True, scope="module")
def no_charts() -> Iterator[None]:
    """Leave charts out of reports, which is quicker."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hearts_sim.report.write.drawable", lambda summary: [])
        yield


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    found = with_faults(tmp_path_factory.mktemp("evil") / "run")
    write_report(found)
    return found


def page(summary: Summary, name: str) -> str:
    with open(summary.results.path / name, encoding="utf-8", newline="") as file:
        return file.read()


@pytest.mark.parametrize("name", ["report.md", "report.html", "faults.csv", "summary.json"])
def test_nothing_that_a_terminal_obeys(name: str, summary: Summary) -> None:
    """No control character but the ends of lines, and no mark that turns the writing."""
    assert not set("\x00\x07\x08\x1b\r\x7f\x9b\u202e\u2066\u2028") & set(page(summary, name))


def test_the_terminal(summary: Summary) -> None:
    """All lines can be printed, and say what there was."""
    lines = in_terminal(summary)
    assert all(line.isprintable() for line in lines)
    assert any(SHOWN in line for line in lines)
    assert sum(line.startswith("Not loaded: ") for line in lines) == 1
    assert any(line.startswith("  replay: hearts-sim replay run 3 --hand 1") for line in lines)


def test_the_command_shows_it(summary: Summary) -> None:
    """`report` prints these lines after all others."""
    result = CliRunner().invoke(main, ["report", str(summary.results.path), "-q"])
    assert result.exit_code == 0
    assert result.stdout.endswith("\n".join(["", *in_terminal(summary), ""]))


def test_html(summary: Summary) -> None:
    """Text stays text: its marks are escaped, and boxes end where they should."""
    text, own = page(summary, "report.html").rsplit("<script>", 1)
    assert own.count("</script>") == 1
    assert "<script" not in text
    assert "<b>bold" not in text
    assert text.count("<pre>") == text.count("</pre>") == 4
    assert SHOWN in html.unescape(text)
    boxes = [html.unescape(box) for box in re.findall("<pre>(.*?)</pre>", text, re.S)]
    assert boxes[1] == "hearts-sim replay run 3 --hand 1 --trick 3 --seat 1"
    lines = boxes[0].split("\n")
    assert lines[:3] == [f"saw:      {SHOWN}", f"answered: {SHOWN}", "..."]
    assert lines[-1] == "End: 7"
    assert len(lines) == 3 + pages.LAST_LINES
    style = text[: text.index("</style>")]
    assert re.search(r"pre \{[^}]*overflow: auto", style)


def test_markdown(summary: Summary) -> None:
    """No line of foreign text begins a fence or a head, ends its own, or holds HTML outside."""
    inside = ""
    for line in in_markdown(summary):
        fence = re.match("`{3,}", line)
        if inside:
            if line == inside:
                inside = ""
            else:
                assert not line.startswith(inside)
        elif fence:
            inside = fence.group()
            assert line == f"{inside}text"
        else:
            for mark in "<`*|":
                bare = re.sub(r"\\.", "", line)
                assert mark not in bare or (mark == "|" and line.startswith("| ")), line
    assert not inside


def test_the_file_of_all_faults(summary: Summary) -> None:
    """One line each, all columns but the traceback."""
    rows = list(csv.DictReader(page(summary, "faults.csv").splitlines()))
    assert list(rows[0]) == [
        "block", "seating", "game", "hand", "trick", "seat", "strategy", "hook", "kind", "given",
        "answer", "message", "replay",
    ]  # fmt: skip
    assert [row["kind"] for row in rows] == ["exception", "illegal_card"]
    assert rows[0]["message"] == SHOWN
    assert (rows[1]["block"], rows[1]["game"], rows[1]["seat"]) == ("2", "9", "2")


def test_json_is_what_it_was(summary: Summary) -> None:
    """For programs the texts are whole."""
    found = json.loads(page(summary, "summary.json"))
    assert found["faults"]["first"][0]["message"] == EVIL
    assert "traceback" not in found["faults"]["first"][0]
    assert found["not_loaded"][0]["message"] == EVIL


def test_only_files_that_did_not_load(tmp_path: Path) -> None:
    """They are named, in a section without tables."""
    summary = summarise(
        write_run(
            tmp_path / "run",
            Rules(),
            random_games(Rules(), entries=4),
            not_loaded=[{"file": "bots/a.py", "message": "SyntaxError: line 3"}],
        )
    )
    said = "bots/a.py did not load and was left out: SyntaxError: line 3"
    assert in_terminal(summary) == [f"Not loaded: {said}"]
    assert "faults.csv" not in write_report(summary)
    assert in_markdown(summary) == ["## Faults", "", f"- {said}", ""]
    text = page(summary, "report.html")
    assert f"<li>{said}</li>" in text


def test_an_entry_that_could_not_play_at_all(tmp_path: Path) -> None:
    """It is told without a place in a game, and without a command."""
    out = {"strategy": "D", "block": 0, "games": 0, "faulty": 0, "why": "bots/d.py: no import"}
    games = [
        (block, [min(entry, 2) for entry in seated], totals)
        for block, seated, totals in random_games(Rules(), entries=4)
    ]
    results = write_run(tmp_path / "run", Rules(), games, disqualified=[out])
    summary = summarise(results)
    assert pages.by_kind(summary)[1] == [["D", "0", "–", "0", "from the start"]]
    write_report(summary)
    row = {"kind": "import_error", "strategy": "D", "hook": ""}
    assert pages.place(row) == "before the first game"


def test_many_kinds_are_cut(summary: Summary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many first faults the pages tell some, and say where the others are."""
    assert pages.more_cases(summary) == ""
    monkeypatch.setattr(pages, "MOST_CASES", 1)
    assert len(pages.cases(summary)) == 1
    assert "1 more kinds of faults by strategy are in faults.csv." in in_markdown(summary)


@given(st.text())
def test_printable(text: str) -> None:
    """What can be printed stays as it is, and all else can be printed."""
    found = printable(text)
    assert found.isprintable()
    assert (found == text) == text.isprintable()
