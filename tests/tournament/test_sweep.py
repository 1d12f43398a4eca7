"""Sweeps that are played: the best is found, whatever plays them, and nothing is lost."""

from __future__ import annotations

import json
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from trial import LOW, PATIENCE, parts_played, play_inline, python, started, write_files

from hearts_sim import load, sweep
from hearts_sim.cli import main
from hearts_sim.errors import HeartsError, ResultsError, RunInterrupted
from hearts_sim.report.summary import summarise
from hearts_sim.report.sweeps import sentences
from hearts_sim.tournament.config.reading import read_sweep, sweep_from_mapping
from hearts_sim.tournament.players import tasks
from hearts_sim.tournament.sweep import runner as playing
from hearts_sim.tournament.sweep.plan import SweepPlan, plan_sweep

THROWS = """
from hearts_sim import CompiledStrategy, Strategy

class Throws(Strategy):
    '''Stays low and throws what costs; with probability p it takes tricks and keeps that.'''

    def __init__(self, p=1.0, bold=False):
        self.p, self.bold = p, bold

    def choose_card(self, view):
        throws = self.rng.random() < self.p
        void = view.trick_size > 0 and not view.legal.suit(view.led_suit)
        return view.legal.highest() if throws != void else view.legal.lowest()

class Needs(Strategy):
    '''Does not play without its option.'''

    def __init__(self, depth, name=None):
        self.depth = depth

    def choose_card(self, view):
        return view.legal.lowest()

class Fast(CompiledStrategy):
    '''Is never played here.'''

    options = {"risk": 0.5}

    @staticmethod
    def choose_card(view):
        return 0
"""
SETTINGS: dict[str, Any] = {
    "name": "throws",
    "seed": 5,
    "rules": {"moon": "off", "end": {"deals": 4}, "tie": "draw"},
    "strategies": {"folder": "bots"},
    "log": "games",
}
GRID = {"strategy": "Throws", "options": {"p": [0.0, 0.5, 0.75, 1.0]}, "blocks": 12}
CONFIG = """\
name: throws
seed: 5
rules: {moon: "off", end: {deals: 4}, tie: draw}
strategies: {folder: bots}
sweep:
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with strategies in it; what is played is played in this process."""
    write_files(tmp_path / "bots", {"throws.py": THROWS, "low.py": LOW})
    monkeypatch.chdir(tmp_path)
    play_inline(monkeypatch)
    return tmp_path


def settings(**section: Any) -> dict[str, Any]:
    """A config whose section ``sweep`` has these keys."""
    return {**SETTINGS, "sweep": section}


def plan_of(**section: Any) -> SweepPlan:
    return plan_sweep(sweep_from_mapping(settings(**section)))


# What comes out


def test_the_best_is_found() -> None:
    """Who never throws points away wins, and the more it throws the less it gains.

    All points are dealt the same cards, and draw the same random numbers.
    """
    result = sweep(settings(**GRID), report=False)
    gains = [row.gain for row in result.duels]
    assert gains == sorted(gains, reverse=True)
    assert gains[3] == 0.0
    assert [row.verdict for row in result.duels] == ["ahead", "ahead", "open", "same"]
    assert result.winner == {"p": 0.0}
    assert result.confirmed is not None
    assert result.confirmed.low > 0
    assert result.confirmed.blocks == 12
    runs = [load(f"results/throws/{row.folder}") for row in result.duels if row.folder]
    assert [run.names for run in runs] == [[f"p={p}", "Throws"] for p in (0.0, 0.5, 0.75)]
    assert {run.info["identity"]["seed"] for run in runs} == {5}
    assert load("results/throws/confirm").info["identity"]["seed"] == 6
    for run, row in zip(runs, result.duels[:3], strict=True):
        board = summarise(run).board.set_index("strategy")["points"]
        assert row.gain == pytest.approx(board["Throws"] - board[f"p={row.options['p']}"])


def test_climb_with_tests() -> None:
    """From the default down to the best, each step a sequential test that found for h1."""
    base = {"strategy": "Throws", "options": {"p": 0.6}}
    section = {"strategy": base, "options": {"p": [1.0, 0.0]}, "method": "climb"}
    budget = {"sprt": {"h1": 0.5}, "max_games": 4000, "confirm": {"games": 168}}
    result = sweep(settings(**section, **budget), report=False)
    steps = [(row.options["p"], row.against, row.verdict) for row in result.duels]
    assert steps == [
        (1.0, "p=0.6", "h0"),
        (0.0, "p=0.6", "h1"),
        (1.0, "p=0.0", "h0"),  # the next listed value above the new best
    ]
    assert all(abs(row.llr) > 2.9 for row in result.duels)
    assert result.winner == {"p": 0.0}
    assert result.confirmed is not None
    assert (result.confirmed.against, result.confirmed.games) == ("Throws", 168)
    assert re.match("p=0.0 wins: .* ahead of Throws, in 168 games", sentences(result)[0])
    frame = result.frame()
    assert list(frame["role"]) == ["search"] * 3 + ["confirm"]
    assert frame["options.p"].tolist() == [1.0, 0.0, 1.0, 0.0]


def test_by_elo_where_that_is_tested() -> None:
    """The winner, the verdicts and the table are in Elo then."""
    section = {
        **GRID,
        "options": {"p": [0.0, 1.0]},
        "blocks": 40,
        "sprt": {"measure": "elo", "h1": 20},
    }
    result = sweep(settings(**section, confirm={"games": 168}), report=False)
    assert [row.verdict for row in result.duels] == ["h1", "same"]
    assert result.duels[0].elo > 20
    assert "Elo ahead of Throws" in sentences(result)[0]


def test_nothing_is_better() -> None:
    """No confirmation is played then, and the page says to keep what there is."""
    ducks = {"strategy": "Throws", "name": "ducks", "options": {"p": 0.0}}
    section = {**GRID, "options": {"p": [1.0, 0.0]}, "against": ducks}
    result = sweep(settings(**section), report=False)
    assert [row.verdict for row in result.duels] == ["behind", "same"]
    assert (result.winner, result.confirmed) == (None, None)
    assert sentences(result) == ["No point is ahead of ducks: keep the options as they are."]
    assert not Path("results/throws/confirm").exists()


def test_highest_wins(tmp_path: Path) -> None:
    """Where many points are good, who throws most is ahead."""
    rules = {**SETTINGS["rules"], "win": "highest"}
    base = {"strategy": "Throws", "options": {"p": 0.0}}
    section = {**GRID, "strategy": base, "options": {"p": [0.0, 1.0]}}
    result = sweep({**settings(**section), "rules": rules}, report=False)
    assert [row.verdict for row in result.duels] == ["same", "ahead"]
    assert result.winner == {"p": 1.0}


# Whom a point meets


def test_opponents() -> None:
    """The strategy as it is, with its options, another strategy, an entry by its name."""
    assert plan_of(**GRID).opponent.options == {}
    base = {"strategy": "Throws", "options": {"p": 0.5, "bold": True}}
    plan = plan_of(**{**GRID, "strategy": base})
    assert [plan.is_opponent(point) for point in plan.points] == [False, True, False, False]
    assert plan.defaults.plain == {"p": 0.5}
    assert plan.options_of(plan.points[0]) == {"p": 0.0, "bold": True}
    assert not any(map(plan.is_opponent, plan_of(**GRID, against="Low").points[:1]))
    entries = [{"strategy": "Throws", "name": "the mad one", "options": {"p": 1.0}}]
    listed = {**settings(**GRID, against="the mad one"), "strategies": {"folder": "bots"}}
    listed["strategies"]["entries"] = entries
    plan = plan_sweep(sweep_from_mapping(listed))
    assert (plan.opponent.name, plan.opponent.options) == ("the mad one", {"p": 1.0})
    assert plan.is_opponent(plan.points[3])
    assert plan.most_duels == 3


def test_what_must_be_given() -> None:
    """Without a default a climb begins at the first value, and an opponent must be named."""
    section: dict[str, Any] = {"strategy": "Needs", "options": {"depth": [3, 1]}, "games": 10}
    with pytest.raises(HeartsError, match=r"sweep.against: is missing: Needs needs the option "
                       r"'depth', .* \{strategy: Needs, options: \{depth: 3\}\}"):  # fmt: skip
        plan_of(**section)
    assert plan_of(**section, against="Low").defaults.plain == {"depth": 3}
    unknown = {"strategy": "Needs", "options": {"name": ["a", "b"]}, "games": 10}
    with pytest.raises(HeartsError, match="needs the option 'depth'"):
        plan_of(**unknown)
    entry = {"strategy": "Needs", "options": {"depth": 1}}
    assert plan_of(**{**unknown, "strategy": entry}).defaults.plain == {}


# Refusals


REFUSED = {
    "no option": ("{strategy: Throws, options: {q: [1, 2]}, games: 1}",
                  "c.yaml:6: sweep.options.q: Throws has no option 'q': "),
    "no options": ("{strategy: Low, options: {q: [1, 2]}, games: 1}",
                   "Low has no option 'q': it has none (keywords of its __init__)"),
    "compiled": ("{strategy: Fast, options: {risk: [1, high]}, games: 1}",
                 "c.yaml:6: sweep.options.risk[1]: options of Fast are numbers"),
    "compiled name": ("{strategy: Fast, options: {rosk: [1, 2]}, games: 1}",
                      "Fast has no option 'rosk': did you mean 'risk'?"),
    "nobody": ("{strategy: Thros, options: {p: [1, 2]}, games: 1}",
               "c.yaml:6: sweep.strategy: no strategy is called 'Thros': did you mean 'Throws'?"),
    "no opponent": ("{strategy: Throws, options: {p: [1, 2]}, games: 1, against: Lowe}",
                    "c.yaml:6: sweep.against: no strategy is called 'Lowe'"),
    "list": ("{strategy: Throws, options: {p: [[1], 2]}, games: 1}",
             "sweep.options.p[0]: expected a number, text, true or false, got a list"),
    "null": ("{strategy: Throws, options: {p: [~, 2]}, games: 1}", "sweep.options.p[0]: is empty"),
    "mapping": ("{strategy: Throws, options: {p: {a: 1}}, games: 1}",
                "sweep.options.p: is a mapping: give the values to try as a list"),
    "one value": ("{strategy: Throws, options: {p: 0.5}, games: 1}", "p: is the number 0.5: give"),
    "nothing": ("{strategy: Throws, options: {p: []}, games: 1}", "p: is an empty list: give"),
    "one point": ("{strategy: Throws, options: {p: [1]}, games: 1}",
                  "sweep.options: there is one point only, and nothing to choose"),
    "twice": ("{strategy: Throws, options: {p: [1, 2, 1.0]}, games: 1}", "p[2]: 1.0 is there tw"),
    "too large": ("{strategy: Throws, options: {p: [1, 2, 3], bold: [true, false]}, games: 1, "
                  "max_duels: 5}", "the grid has 6 points (3 x 2), each a duel, and max_duels is"),
    "no budget": ("{strategy: Throws, options: {p: [1, 2]}}", "sweep.games: is missing"),
    "budgets": ("{strategy: Throws, options: {p: [1, 2]}, games: 1, blocks: 1}",
                "sweep.blocks: games is given too"),
    "unknown key": ("{strategy: Throws, options: {p: [1, 2]}, games: 1, metod: climb}",
                    "sweep.metod: unknown key: did you mean 'method'?"),
    "yes": ("{strategy: Throws, options: {bold: [yes, no]}, games: 1}",
            "sweep.options.bold[0]: write true or false"),
    "seed": ("{strategy: Throws, options: {p: [1, 2]}, games: 1, confirm: {seed: 5}}",
             "sweep.confirm.seed: is the seed of the duels"),
    "format": ("{strategy: Throws, options: {p: [1, 2]}, games: 1}\nformat: {type: duel}",
               "c.yaml:7: format: a sweep plays duels of its own"),
    "anchor": ("{strategy: Throws, options: {p: [1, 2]}, games: 1}\nreport: {anchor: Low}",
               "c.yaml:7: report.anchor: a sweep names its entries itself"),
    "empty": ("", "c.yaml:5: sweep: is empty: give a mapping such as {strategy: "),
}  # fmt: skip


def command(*arguments: str) -> Any:
    """A command in this process."""
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize("word", ["sweep", "validate"])
@pytest.mark.parametrize(("section", "words"), REFUSED.values(), ids=REFUSED)
def test_refusals(word: str, section: str, words: str) -> None:
    """A wrong sweep is exit code 2 with file and line, and nothing is played."""
    Path("c.yaml").write_text(f"{CONFIG}  {section}\n")
    result = command(word, "c.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: c.yaml:")
    assert words in result.stderr
    assert not Path("results").exists()


def test_runs_and_sweeps_are_told_apart() -> None:
    """Each command refuses the config of the other, and names it."""
    Path("c.yaml").write_text(f"{CONFIG}  {{strategy: Throws, options: {{p: [0, 1]}}, games: 1}}\n")
    run = CONFIG.replace("sweep:", "format: {type: table, games: 4}")
    Path("r.yaml").write_text(run)
    assert "c.yaml:5: sweep: this config tunes options" in command("run", "c.yaml").stderr
    assert "'hearts-sim sweep c.yaml' plays it" in command("run", "c.yaml").stderr
    refused = command("sweep", "r.yaml")
    assert refused.exit_code == 2
    assert "has no section sweep; 'hearts-sim run r.yaml' plays it" in refused.stderr


def test_programs_and_libraries() -> None:
    """A program takes any option; a library only those whose order its entry tells."""
    write_files(Path(), {"bot.py": "", "bot.so": ""})
    program = {"name": "prog", "command": ["python3", "bot.py"], "options": {"risk": 1}}
    section: dict[str, Any] = {"options": {"risk": [1, 2], "x": ["a"]}, "games": 1}
    plan = plan_of(**section, strategy=program)
    assert [plan.is_opponent(point) for point in plan.points] == [False, False]
    assert plan.defaults.plain == {"risk": 1}
    library = {"name": "lib", "library": "bot.so", "options": {"risk": 1}}
    with pytest.raises(HeartsError, match=r"sweep\.options\.x: lib is a library, which knows its"):
        plan_of(**section, strategy=library)


# The command


TINY = (
    f"{CONFIG}  {{strategy: Throws, options: {{p: [0, 0.5]}}, blocks: 12, "
    "confirm: {games: 168}}\n"
)


def test_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Table, sentence, files and JSON; a second start plays nothing, another sweep is refused."""
    Path("c.yaml").write_text(TINY)
    told = json.loads(command("validate", "c.yaml", "--json").stdout)
    assert (told["most_duels"], told["games_per_duel"], told["most_games"]) == (2, 168, 504)
    first = command("sweep", "c.yaml")
    assert first.exit_code == 0
    lines = first.stdout.splitlines()
    assert lines[0] == (
        "throws: grid of 2 points of Throws against Throws (as it is), 2 duels and a confirmation, "
        "504 games, seed 5"
    )
    assert lines[2].split() == ["duel", "p", "gain/hand", "games", "verdict", "folder"]
    assert re.fullmatch(r" +1 +0 +\+\d.\d\d ±0.\d\d +168  better – best +p-0", lines[3])
    assert lines[5].endswith("better, fresh deals  confirm")
    assert re.match(r"p=0 wins: \+\S+ ±\S+ points per hand ahead of Throws, in 168 games on fresh "
                    r"deals \(seed 6\); in the search it was \+", lines[-2])  # fmt: skip
    assert "{strategy: Throws, options: {p: 0}}" in lines[-1]
    assert "duel 2 of 2: p=0.5" in first.stderr
    folder = Path("results/throws")
    assert {"sweep.csv", "sweep.json", "sweep.md", "sweep.png", "sweep.svg", "config.yaml"} < {
        path.name for path in folder.iterdir()
    }
    assert (
        "results/throws holds a sweep, whose duels are runs"
        in command("report", "results/throws").stderr
    )
    numbers = parts_played(monkeypatch)
    again = command("sweep", "c.yaml", "--json", "-q")
    assert json.loads(again.stdout)["winner"] == {"p": 0}
    assert (again.stderr, numbers) == ("", [])
    assert "holds this sweep already: nothing is played" in command("sweep", "c.yaml").stderr
    whole = (folder / "sweep.json").read_text()
    (folder / "sweep.json").write_text(whole.replace('"gain"', '"pain"'))
    assert "sweep.json is damaged: delete it" in command("sweep", "c.yaml").stderr
    (folder / "sweep.json").write_text(whole)
    other = command("sweep", "c.yaml", "--seed", "9")
    assert other.exit_code == 1
    assert "results/throws holds another sweep (not the same seed)" in other.stderr
    (folder / "p-0" / "mine.txt").write_text("")
    Path("c.yaml").write_text(TINY.replace("[0, 0.5]", "[0, 0.75]"))
    assert command("sweep", "c.yaml", "--force", "-q").exit_code == 0
    assert (folder / "p-0" / "mine.txt").exists()
    assert not (folder / "p-0.5").exists()


def test_what_else_is_in_a_folder() -> None:
    """A run, and files of somebody, are left alone."""
    Path("results/throws").mkdir(parents=True)
    Path("results/throws/notes.txt").write_text("")
    with pytest.raises(ResultsError, match="is not empty and holds no sweep"):
        sweep(settings(**GRID), report=False)
    Path("results/throws/run.json").write_text("{}")
    for force in (False, True):
        with pytest.raises(ResultsError, match="holds a run and no sweep"):
            sweep(settings(**GRID), report=False, force=force)


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that goes on is told; it plays what is missing, and comes to the same."""
    Path("c.yaml").write_text(TINY)
    play_run, seen = playing.play_run, []

    def interrupted(spec: Any, path: Any, **more: Any) -> Any:
        seen.append(path.name)
        if len(seen) == 2:
            raise RunInterrupted("interrupted")
        return play_run(spec, path, **more)

    with monkeypatch.context() as patch:
        patch.setattr(playing, "play_run", interrupted)
        stopped = command("sweep", "c.yaml", "-j", "2", "-o", "out")
    assert (stopped.exit_code, stopped.stdout) == (130, "")
    assert stopped.stderr.splitlines()[-2:] == [
        "Error: interrupted: what was played is in out; this goes on with it:",
        "hearts-sim sweep c.yaml -o out -j 2 --resume",
    ]
    refused = command("sweep", "c.yaml", "-o", "out")
    assert "out holds this sweep, and it did not finish: --resume goes on" in refused.stderr
    Path("out/sweep.json").write_text("{")
    assert "--resume writes it again" in command("sweep", "c.yaml", "-o", "out").stderr
    numbers = parts_played(monkeypatch)
    done = json.loads(command("sweep", "c.yaml", "-o", "out", "--resume", "--json").stdout)
    assert len(numbers) == sum(
        len(load(f"out/{name}").folder.parts()) for name in ("p-0.5", "confirm")
    )
    fresh = sweep(read_sweep("c.yaml"), output="fresh", report=False).plain()
    assert {key: done[key] for key in fresh} == fresh


class Killed(BaseException):
    """Ends a sweep where it is, and nobody is told: what a killed process leaves behind."""


def test_ended_within_a_duel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither duels nor parts that are played are played again, and it comes to the same."""
    Path("c.yaml").write_text(TINY)
    play_part, begun = tasks.play_part, []

    def killed(spec: Any, number: int, blocks: range, absent: Any) -> Any:
        begun.append(number)
        if begun.count(1) == 2:
            raise Killed
        return play_part(spec, number, blocks, absent)

    with monkeypatch.context() as patch:
        patch.setattr(tasks, "play_part", killed)
        with pytest.raises(Killed):
            sweep("c.yaml", report=False)
    assert json.loads(Path("results/throws/sweep.json").read_text())["status"] == "running"
    first = load("results/throws/p-0").info
    kept = load("results/throws/p-0.5").folder.parts()
    assert list(kept) == [0]
    numbers = parts_played(monkeypatch)
    done = sweep("c.yaml", resume=True, report=False)
    missing = [len(load(f"results/throws/{name}").folder.parts()) for name in ("p-0.5", "confirm")]
    assert len(numbers) == sum(missing) - len(kept)
    assert load("results/throws/p-0").info["finished"] == first["finished"]
    assert done.plain() == sweep("c.yaml", output="fresh", report=False).plain()


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="kills a process")
def test_killed_and_resumed_with_two_jobs(home: Path) -> None:
    """A real process that is killed in its second duel; two jobs then come to the same."""
    Path("c.yaml").write_text(TINY)
    fresh = sweep("c.yaml", output="fresh", report=False)
    begun = home / "results" / "throws" / "p-0.5" / "run.json"
    with started(home, "sweep", "c.yaml", "-j", "1", when=begun.exists) as process:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    assert json.loads(Path("results/throws/sweep.json").read_text())["status"] == "running"
    first = load("results/throws/p-0").info
    again = ("sweep", "c.yaml", "-j", "2", "--resume", "--json")
    done = python("-m", "hearts_sim.cli", *again, cwd=home)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    plain = fresh.plain()
    assert {key: told[key] for key in plain} == plain
    assert load("results/throws/p-0").info["finished"] == first["finished"]
