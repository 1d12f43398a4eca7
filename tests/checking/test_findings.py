"""Every fault that a check knows is found in the bot that has it, in its line, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from bots import BESIDE, ENDING, GOOD, LOADING, PLAYING, TIMED, write

from hearts_sim.testing import Report
from hearts_sim.testing.checking import check_targets
from hearts_sim.testing.report import Checked
from hearts_sim.testing.target import Plan, find_targets

ALL = PLAYING | BESIDE | LOADING | ENDING


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """All bots in one check: they share its processes, and none hides another."""
    folder = write(tmp_path_factory.mktemp("bots"), ALL)
    (folder / "good.py").write_text(GOOD, encoding="utf-8")
    (folder / "timed.py").write_text(TIMED.replace('"seconds"', "True"), encoding="utf-8")
    return check_targets(find_targets(str(folder)), Plan(games=2, decision_seconds=1.5))


def of_file(report: Report, name: str) -> Checked:
    """What was found in the file of a bot."""
    (checked,) = [
        checked for checked in report.strategies if Path(checked.file).stem == name.lower()
    ]
    return checked


def test_findings(report: Report) -> None:
    """One test for all of them, for the check of all of them is one."""
    wrong = []
    for name, bad in ALL.items():
        found = of_file(report, name).findings
        fits = len(found) == 1 and (found[0].severity, found[0].kind) == (bad.severity, bad.kind)
        fits = fits and bad.says in str(found[0]) and Path(found[0].file).stem == name.lower()
        if not fits or (bad.line and found[0].line != bad.line):
            wrong.append((name, bad.severity, bad.kind, bad.line, found))
    assert wrong == []


def test_a_clock_that_is_declared(report: Report) -> None:
    """Its games differ, and it has said that they may."""
    timed = of_file(report, "timed")
    assert timed.findings == []
    assert "decides by a clock, as it declares (uses_clock)" in "\n".join(timed.passed)


def test_good_among_bad(report: Report) -> None:
    good = of_file(report, "good")
    assert good.findings == []
    assert good.ok
    text = "\n".join(good.passed)
    for part in (
        "is imported in",
        "plays legally: 4 games",
        "(black_lady, 4 players, hearts, 5 players)",
        "odd hands legally",
        "changes nothing",
        "per decision",
        "memory does not grow",
        "plays the same games again and in another process (2 games",
    ):
        assert part in text


def test_verdicts(report: Report) -> None:
    """Errors make unfit; warnings and hints do not."""
    for name, bad in ALL.items():
        assert of_file(report, name).ok == (bad.severity != "error"), name
    assert not report.ok
    fit = sum(bad.severity != "error" for bad in ALL.values()) + 2
    assert str(report).endswith(f"{fit} of {len(ALL) + 2} are fit to play")


def test_text(report: Report) -> None:
    """The text has what was checked, the finding with its line, the traceback and the verdict."""
    lines = "\n".join(Report([of_file(report, "raises")]).lines()).splitlines()
    assert lines[0].startswith("Raises (plain Python, ")
    assert any(line.startswith("  ok       is imported in") for line in lines)
    assert any(line.startswith("  error    raises.py:7: raises an exception") for line in lines)
    assert any(line.strip() == "return [][view.trick_number]  # here" for line in lines)
    assert "  Raises is not fit to play: 1 error" in lines
    assert max(map(len, lines)) <= 110
