"""`hearts-sim compare`: the duel that it plays, what it refuses, and its exit codes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from trial import FOUR, LOW, play_inline, write_files

import hearts_sim
from hearts_sim.cli import main
from hearts_sim.cli.compare import FIGURES
from hearts_sim.tournament.reading.results import Results

CONFIG = """\
seed: 7
rules: {end: {deals: 2}, tie: draw}
strategies: {folder: bots}
format: {type: table, games: 20}
report: {anchor: Middle}
"""
LISTED = """\
seed: 7
rules: {end: {deals: 2}, tie: draw}
strategies:
  folder: bots
  entries: [Low, High, {strategy: Middle, name: "a bold/one", options: {risk: 0.9}}]
format: {type: duel, a: Low, b: High, games: 50, sprt: {h1: 9}}
"""


def compare(*arguments: Any) -> Result:
    """The command in this process; no tracebacks."""
    result = CliRunner().invoke(main, ["compare", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def shows(*arguments: Any) -> str:
    """What it prints to stdout, when it works."""
    result = compare(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def document(*arguments: Any) -> Any:
    """The one JSON document on stdout."""
    return json.loads(shows(*arguments, "--json"))


def refused(*arguments: Any, code: int) -> str:
    """What is said on stderr, with this exit code and nothing on stdout."""
    result = compare(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    return result.stderr


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with strategies, configs and runs."""
    home = tmp_path_factory.mktemp("home")
    extra = {"worst.py": LOW.replace("Low", "Worst").replace("lowest", "highest")}
    write_files(home / "bots", FOUR | extra)
    write_files(home, {"league.yaml": CONFIG, "listed.yaml": LISTED})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        for name, change in {
            "league": {},
            "again": {"strategies": {"folder": "bots", "entries": [
                "Chance", "High", "Low", {"strategy": "Middle", "options": {"risk": 0.9}}, "Worst",
            ]}},
            "target": {"rules": {"end": {"deals": 3}, "tie": "draw"}},
            "alone": {"format": {"type": "selfplay", "games": 10}},
        }.items():  # fmt: skip
            config: dict[str, Any] = {
                "name": name, "seed": 7, "rules": {"end": {"deals": 2}, "tie": "draw"},
                "strategies": {"folder": "bots"}, "format": {"type": "table", "games": 40},
            }  # fmt: skip
            hearts_sim.run(config | change, report=False)
    return home


@pytest.fixture(autouse=True)
def _there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    play_inline(monkeypatch)


def test_run(home: Path) -> None:
    """A run's folder is read, and only read."""
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*") if path.is_file()}
    text = shows("results/league", "Low", "High")
    assert text.startswith("Low against High: table tournament, 40 games in ")
    assert "Points above 0: Low takes more per hand (fewer are better)." in text
    assert "Elo above 0: Low is better." in text
    found = document("results/league", "Low", "High")
    assert found["verdict"] in text
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert document("results/league", "High", "Low")["elo"]["difference"] == pytest.approx(
        -found["elo"]["difference"]
    )


def test_keys() -> None:
    """What a program finds in the document."""
    found = document("results/league", "Low", "High")
    assert found["schema_version"] == 1
    for group in ("points", "elo"):
        assert {"difference", "low", "high", "se"} <= set(found[group])
    for key in ("los", "design_effect", "blocks", "verdict", "games"):
        assert found[key] is not None
    assert set(found["points"]) == {
        "first", "second", "difference", "low", "high", "se", "design_effect", "blocks",
    }  # fmt: skip
    assert len(found["telling"]) == 10
    assert document("results/alone", "Low", "High")["elo"] is None


def test_replays() -> None:
    """The printed commands show the hand, with the points that are claimed."""
    for arguments in (
        ("results/league", "Low", "High"),
        ("results/league", "Middle", "Middle", "--against", "results/again"),
    ):
        found = document(*arguments)
        text = shows(*arguments)
        for hand in found["telling"][:3]:
            for side in ("first", "second"):
                command = hand[f"{side}_replay"]
                assert command in text.splitlines()
                done = CliRunner().invoke(main, shlex.split(command)[1:])
                assert done.exit_code == 0, done.output
                rows = Results(found[side]["run"]).hands()
                here = rows[
                    (rows["game"] == hand[f"{side}_game"])
                    & (rows["hand"] == hand["hand"])
                    & (rows["seat"] == hand["seat"])
                ]
                assert here["block"].item() == hand["block"]
                assert here["strategy"].item() == found[side]["name"]
                assert f", hand {hand['hand']}, " in done.stdout.splitlines()[0]
                last = done.stdout.rstrip().splitlines()[-4 + hand["seat"]].split()
                assert last[:2] == [str(hand["seat"]), found[side]["name"]]
                assert last[-2] == str(hand[f"{side}_points"]) == str(here["points"].item())


def test_log_of_games(home: Path) -> None:
    """Without the log of hands it says what is needed, and shows the rest."""
    write_files(home, {"brief.yaml": CONFIG + "log: games\n"})
    text = shows("brief.yaml", "Low", "High", "-q")
    assert "need log: hands" in text
    assert "points per hand" in text
    assert "Largest differences" not in text


# Against another run


def test_against() -> None:
    """Before and after a change: block by block."""
    found = document("results/league", "Middle", "Middle", "--against", "results/again")
    assert found["paired"] is True
    assert found["first"]["options"] == {}
    assert found["second"]["options"] == {"risk": 0.9}
    games = [
        Results(f"results/{name}").games(strategies=["Middle"]) for name in ("league", "again")
    ]
    ratios = [own["points"].sum() / own["hands"].sum() for own in games]
    assert found["points"]["difference"] == pytest.approx(ratios[0] - ratios[1])
    same = document("results/league", "Low", "Low", "--against", "results/league")
    assert (same["points"]["difference"], same["points"]["se"]) == (0, 0)
    assert (same["elo"]["difference"], same["elo"]["se"]) == (0, 0)


def test_against_another_game() -> None:
    """Refused with every reason; with --force compared, and said."""
    arguments = ("results/again", "Low", "Low", "--against", "results/target")
    said = refused(*arguments, code=1)
    reasons = [
        "the rules: end is {deals: 2} and {deals: 3}",
        "the field: the options of Middle are {risk: 0.9} and {}",
    ]
    assert all(reason in said for reason in reasons), said
    assert "--force" in said
    text = shows(*arguments, "--force")
    assert all(f"Note: The runs differ in {reason}." in text for reason in reasons)


# A duel that is played first


def test_plays_the_duel(home: Path) -> None:
    """From a config: the rules, seed and budget of it, once, and more of it when more is asked."""
    first = compare("league.yaml", "Low", "High", "--json")
    assert first.exit_code == 0, first.output
    assert "the duel is in results/league-Low-vs-High" in first.stderr.replace("\\", "/")
    folder = home / "results" / "league-Low-vs-High"
    results = Results(folder)
    identity = results.info["identity"]
    assert (identity["format"], identity["seed"]) == ("duel", 7)
    assert results.names == ["Low", "High"]
    assert results.info["games"] == 28  # whole blocks of 14
    assert identity["rules"] == Results("results/league").info["identity"]["rules"]
    found = json.loads(first.stdout)
    assert found["games"] == 28
    assert [row["name"] for row in found["line_ups"]] == [
        "1 Low, 3 High", "3 Low, 1 High", "2 Low, 2 High",
    ]  # fmt: skip

    parts = {path: path.stat().st_mtime_ns for path in folder.rglob("part-*")}
    second = compare("league.yaml", "Low", "High", "--json")
    assert "nothing is played" in second.stderr
    assert second.stdout == first.stdout
    assert document("league.yaml", "Low", "High", "--games", 14, "-q") == found
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("part-*")} == parts

    more = document("league.yaml", "Low", "High", "--games", 50, "-q")
    assert more["games"] == 56
    assert {path: path.stat().st_mtime_ns for path in parts} == parts

    info = results.folder.info()
    results.folder.write_info(info | {"status": "running"})
    results.folder.drop_part(1)
    results.folder.drop_part(3)
    assert document("league.yaml", "Low", "High", "--games", 50, "-q") == more


def test_another_run_in_the_folder() -> None:
    """A run of another seed is refused, and deleted with --force."""
    shows("league.yaml", "Low", "Chance", "--games", 14, "-q", "-o", "results/there")
    arguments = ("league.yaml", "Low", "Chance", "--games", 14, "--seed", 8, "-o", "results/there")
    assert "holds another run (not the same seed)" in refused(*arguments, "-q", code=1)
    shows(*arguments, "-q", "--force")
    assert Results("results/there").info["identity"]["seed"] == 8


def test_listed_entries() -> None:
    """Entries with options play under their names; of a duel the sequential test stays."""
    found = document("listed.yaml", "a bold/one", "High", "-q")
    assert found["first"]["options"] == {"risk": 0.9}
    info = Results("results/listed-a_bold_one-vs-High").info
    assert info["identity"]["sprt"]["h1"] == 9
    assert info["config"]["format"]["games"] == 50
    assert found["first"]["run"].endswith("listed-a_bold_one-vs-High")
    # What is not in the list is no entry, although the folder has it.
    said = refused("listed.yaml", "Low", "Chance", code=2)
    assert "listed.yaml:5: strategies.entries: no entry has the name 'Chance'" in said


# Conditions


def test_conditions() -> None:
    """Each figure against numbers on both sides of it."""
    found = document("results/league", "Low", "High")
    true, false = [], []
    for name in FIGURES:
        group, _, key = name.partition(".")
        value = found[group][key or "difference"] if group in ("points", "elo") else found[group]
        step = 1e-6 + abs(value) * 1e-6
        above, below = f"{value + step:.12f}", f"{value - step:.12f}"
        true += [f"{name} < {above}", f"{name}<={above}", f"{name} > {below}", f"{name}>= {below}"]
        false += [f"{name} < {below}", f"{name}<={below}", f"{name} > {above}", f"{name}>= {above}"]
    whole = f"blocks {{}} {found['blocks']}"
    true += [whole.format("<="), whole.format(">=")]
    false += [whole.format("<"), whole.format(">")]
    arguments = ("results/league", "Low", "High")
    passes = compare(*arguments, *(part for text in false for part in ("--fail-if", text)))
    assert (passes.exit_code, passes.stderr) == (0, "")
    fails = compare(*arguments, *(part for text in true for part in ("--fail-if", text)))
    assert fails.exit_code == 1
    assert fails.stdout == passes.stdout
    said = fails.stderr.removeprefix("Error: ").splitlines()
    assert len(said) == len(true)
    for text, line in zip(true, said, strict=True):
        assert line.startswith(f"--fail-if '{text}' holds: ")
        group = text.split(" ")[0].split("<")[0].split(">")[0].split(".")[0]
        value = found[group]["difference"] if group in ("points", "elo") else found[group]
        assert f"{value:g}" in line
    assert compare(*arguments, "--fail-if", true[0]).exit_code == 1
    assert compare(*arguments, "--fail-if", false[0]).exit_code == 0


def test_several_conditions() -> None:
    """One that holds is enough; each that does is named."""
    arguments = ("results/league", "Low", "High", "--json")
    result = compare(
        *arguments, "--fail-if", "blocks >= 1", "--fail-if", "los > 2", "--fail-if", "los > -1"
    )
    assert result.exit_code == 1
    assert "blocks >= 1" in result.stderr
    assert "los > -1" in result.stderr
    assert "los > 2" not in result.stderr
    assert json.loads(result.stdout)["blocks"] >= 1
    assert compare(*arguments, "--fail-if", "blocks < 1", "--fail-if", "los > 2").exit_code == 0


def test_conditions_that_cannot_be_told(home: Path) -> None:
    """No Elo, and an infinite error, are no answer."""
    result = compare("results/alone", "Low", "High", "--fail-if", "elo < 0")
    assert result.exit_code == 1
    assert "--fail-if 'elo < 0' cannot be evaluated: elo, there is no Elo" in result.stderr
    shows("league.yaml", "Middle", "High", "--games", 14, "-q")
    run = "results/league-Middle-vs-High"
    for expression in ("points.se > 1", "points.high > 0", "elo.low < 0", "los < 0.5"):
        result = compare(run, "Middle", "High", "--fail-if", expression)
        assert result.exit_code == 1
        assert "cannot be evaluated" in result.stderr, expression
    assert np.isfinite(document(run, "Middle", "High")["points"]["difference"])
    assert document(run, "Middle", "High")["points"]["se"] is None


@pytest.mark.parametrize(
    "expression", ["point > 0", "points = 0", "points >", "points > much", "points.low.high > 0",
                   "elo.mean < 1", "los < inf", "", "points > 1 > 0"],
)  # fmt: skip
def test_wrong_conditions(expression: str) -> None:
    """What is no expression is told before anything is read."""
    said = refused("nowhere", "Low", "High", "--fail-if", expression, code=2)
    assert all(name in " ".join(said.split()) for name in FIGURES)


# What is wrong


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("results/league Lwo High", 1, "no entry of results/league has the name 'Lwo': did you "
         "mean 'Low'?"),
        ("results/league Low Low", 2, "A and B are both 'Low': name two, or with --against"),
        ("league.yaml Low Low", 2, "A and B are both 'Low'"),
        ("results/league Low High --games 9", 2, "--games is for a duel that is to be played"),
        ("results/league Low High --seed 9", 2, "--seed is for a duel that is to be played"),
        ("results/league Low High -o x", 2, "--output is for a duel that is to be played"),
        ("league.yaml Low Low --against results/league", 2, "--against compares two runs"),
        ("nowhere Low High", 1, "nowhere is neither the folder of a run nor a config file"),
        ("bots Low High", 1, "bots holds no run: expected run.json in it"),
        ("results/league Low Low --against bots", 1, "bots holds no run"),
        ("results/league Low Hihg --against results/again", 1, "no entry of results/again has the "
         "name 'Hihg': did you mean 'High'?"),
        ("league.yaml Low Hihg", 2, "no strategy is called 'Hihg': did you mean 'High'?"),
        ("bots/low.py Low High", 2, "bots/low.py:"),
    ],
)  # fmt: skip
def test_errors(arguments: str, code: int, message: str) -> None:
    """Each says what is wrong and what to do."""
    said = refused(*arguments.split(), code=code).replace("\\", "/")
    assert message in " ".join(said.split())


def test_faults_are_told(tmp_path: Path) -> None:
    """Who failed, and in how many games, beside figures in which others played its cards."""
    now_and_then = """
    from hearts_sim import Strategy

    class Moody(Strategy):
        def choose_card(self, view):
            if view.trick_number == 5 and view.seat == 0:
                raise ValueError("not today")
            return view.legal.lowest()
    """
    write_files(tmp_path / "bots", FOUR | {"moody.py": now_and_then})
    settings = {
        "name": "moody", "rules": {"end": {"deals": 1}, "tie": "draw"}, "log": "games",
        "strategies": {"folder": str(tmp_path / "bots"), "entries": ["Moody", "Low"]},
        "format": {"type": "duel", "games": 14}, "faults": {"max_rate": 1},
    }  # fmt: skip
    hearts_sim.run(settings, output=tmp_path / "out", report=False)
    # Of the 14 mixed seatings half have a given entry on a given seat.
    assert "Note: Failed: Moody in 7 games, where " in shows(tmp_path / "out", "Moody", "Low")
    found = document(tmp_path / "out", "Low", "Moody")
    assert (found["first"]["faulty"], found["second"]["faulty"]) == (0, 7)
