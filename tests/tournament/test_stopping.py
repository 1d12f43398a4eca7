"""Runs that end by their results: where, by what figures, and the same whatever plays them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from trial import FOUR, write_files

from hearts_sim import run
from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.plan.spec import RunSpec, plan_run
from hearts_sim.tournament.players import supervise, tasks
from hearts_sim.tournament.players.executors import InlineExecutor
from hearts_sim.tournament.reading.results import Results
from hearts_sim.tournament.run import course
from hearts_sim.tournament.run.deciding import FEWEST_BLOCKS, block_values
from hearts_sim.tournament.run.runner import play_run
from hearts_sim.tournament.run.watching import Watcher

SHORT: dict[str, Any] = {"end": {"deals": 1}, "tie": "draw"}


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies."""
    return write_files(tmp_path_factory.mktemp("four"), FOUR)


def config(folder: Path, format_: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A config of games of one deal."""
    rules = {**SHORT, **more.pop("rules", {})}
    strategies = {"folder": str(folder)}
    return {"name": "trial", "strategies": strategies, "format": format_, "rules": rules, **more}


def play(folder: Path, output: Path, format_: Mapping[str, Any], **more: Any) -> Results:
    return run(config(folder, format_, **more), output=output, report=False)


def planned(folder: Path, format_: Mapping[str, Any], **more: Any) -> tuple[RunSpec, Any]:
    settings = config_from_mapping(config(folder, format_, **more))
    return plan_run(settings)[0], settings.resolved()


def blocks_only(format_: Mapping[str, Any], blocks: int) -> dict[str, Any]:
    """The same format with a fixed number of blocks; a test stays, for it makes the run."""
    others = ("target", "max_games", "games", "sprt")
    return {key: value for key, value in format_.items() if key not in others} | {"blocks": blocks}


class Interim(Watcher):
    """Keeps what is said about how the run stands."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def interim(self, text: str) -> None:
        self.heard.append(text)


# Targets

TARGETS: dict[str, dict[str, Any]] = {
    "points": {"type": "table", "target": {"points_halfwidth": 1.3}, "max_games": 2000},
    "Elo": {"type": "table", "target": {"elo_halfwidth": 40}, "max_games": 2000},
    "duel": {
        "type": "duel", "a": "Low", "b": "Middle", "target": {"points_halfwidth": 0.8},
        "max_games": 4000,
    },
    "gauntlet": {
        "type": "gauntlet", "newcomers": "Low", "target": {"points_halfwidth": 1.5},
        "max_games": 2000,
    },
    "self-play": {"type": "selfplay", "target": {"points_halfwidth": 0.4}, "max_games": 2000},
}  # fmt: skip


@pytest.mark.parametrize("format_", TARGETS.values(), ids=TARGETS)
def test_a_target_is_reached(four: Path, tmp_path: Path, format_: dict[str, Any]) -> None:
    """The run ends before its cap, and is what a run of as many blocks from the start is."""
    results = play(four, tmp_path / "out", format_)
    info, verdict = results.info, results.info["verdict"]
    (halfwidth,) = format_["target"].values()
    assert verdict["ends"]
    assert verdict["rule"]["rule"] == "target"
    assert 0 < verdict["figures"]["widest"] <= halfwidth
    assert verdict["text"].startswith("widest interval ±")
    assert verdict["figures"]["blocks"] == info["blocks"] >= FEWEST_BLOCKS
    assert info["games"] < format_["max_games"]
    games = results.games()
    assert (games["block"].nunique(), games["game"].nunique()) == (info["blocks"], info["games"])
    fixed = play(four, tmp_path / "fixed", blocks_only(format_, info["blocks"]))
    assert fixed.info["blocks"] == info["blocks"]
    assert fixed.digest() == results.digest() == info["digest"]
    assert fixed.info["verdict"] is None


def half_widths(games: pd.DataFrame, blocks: int) -> list[float]:
    """Student's interval of each entry's mean over the first blocks, for games of one deal."""
    first = games[games["block"] < blocks]
    means = first.groupby(["block", "strategy"], observed=True)["points"].mean().unstack()
    error = means.std(ddof=1) / math.sqrt(blocks)
    return list(error * stats.t.ppf(0.975, blocks - 1))


def test_a_target_ends_at_the_first_chance(four: Path, tmp_path: Path) -> None:
    """Counted again from the log: no earlier end of a part was good enough, and this one is."""
    results = play(four, tmp_path / "out", TARGETS["points"])
    notes = results.folder.parts().values()
    ends = [part["blocks"][1] for part in notes if part["blocks"][1] >= FEWEST_BLOCKS]
    games = results.games()
    widest = {blocks: max(half_widths(games, blocks)) for blocks in ends}
    assert len(widest) > 3
    assert all(width > 1.3 for blocks, width in widest.items() if blocks < ends[-1])
    assert results.info["verdict"]["figures"]["widest"] == pytest.approx(widest[ends[-1]])
    assert widest[ends[-1]] <= 1.3


def test_an_easy_target(four: Path, tmp_path: Path) -> None:
    """However easily a target is reached, twenty blocks are played; fewer may be all there is."""
    easy = {"type": "table", "target": {"points_halfwidth": 1000}}
    assert play(four, tmp_path / "out", {**easy, "max_games": 400}).info["blocks"] == 20
    capped = play(four, tmp_path / "capped", {**easy, "max_games": 40}).info
    assert (capped["blocks"], capped["verdict"]["ends"]) == (10, False)


def test_a_run_ends_where_all_are_equal(four: Path, tmp_path: Path) -> None:
    """It is looked at only where all have sat equally often, and ends when all have played much.

    Units of twelve entries end after 12, 24, 36, 42, 54 and 66 blocks, with 18 blocks for each at
    the last but one, and 22 at the last. Parts end after 14, 16, 28, 32 blocks and others as well.
    """
    settings = config(four, {"type": "table", "target": {"points_halfwidth": 1000}})
    settings["strategies"]["entries"] = [
        {"strategy": "Middle", "name": f"risk {risk}", "options": {"risk": risk / 11}}
        for risk in range(12)
    ]
    checked = config_from_mapping(settings)
    watcher = Interim()
    outcome = play_run(
        plan_run(checked)[0], tmp_path / "out", config=checked.resolved(), watcher=watcher
    )
    assert outcome.folder.info()["blocks"] == 66
    ends = [notes["blocks"][1] for notes in outcome.folder.parts().values()]
    assert {14, 16, 28, 32} < set(ends)
    assert len(watcher.heard) == 6
    counts = Results(tmp_path / "out").games().groupby(["strategy", "seat"], observed=False).size()
    assert counts.tolist() == [22] * 48


@pytest.mark.parametrize("target", [{"points_halfwidth": 0.01}, {"elo_halfwidth": 0.1}])
def test_a_target_at_the_cap(four: Path, tmp_path: Path, target: dict[str, float]) -> None:
    """A target that is out of reach is said to be, and the whole cap is played."""
    format_ = {"type": "table", "target": target, "max_games": 120}
    results = play(four, tmp_path / "out", format_)
    verdict = results.info["verdict"]
    assert not verdict["ends"]
    assert verdict["figures"]["widest"] > next(iter(target.values()))
    assert (results.info["games"], results.info["blocks"]) == (120, 30)
    assert results.digest() == play(four, tmp_path / "fixed", blocks_only(format_, 30)).digest()


def test_a_target_against_the_anchor(four: Path, tmp_path: Path) -> None:
    """With an anchor it is the difference to it that counts, in points as well."""
    format_ = {"type": "table", "target": {"points_halfwidth": 0.01}, "max_games": 96}
    results = play(four, tmp_path / "out", format_, report={"anchor": "Low", "confidence": 0.8})
    games = results.games()
    means = games.groupby(["block", "strategy"], observed=True)["points"].mean().unstack()
    beside = means.drop(columns="Low").sub(means["Low"], axis=0)
    error = beside.std(ddof=1) / math.sqrt(24) * stats.t.ppf(0.9, 23)
    assert results.info["verdict"]["figures"]["widest"] == pytest.approx(error.max())
    assert results.info["verdict"]["rule"]["reference"] == results.names.index("Low")


# Sequential tests

BETTER = {"type": "duel", "a": "Low", "b": "High"}
WORSE = {"type": "duel", "a": "High", "b": "Low"}
TESTS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "points h1": (BETTER, {"h0": 0, "h1": 1}, "h1"),
    "points h0": (WORSE, {"h0": 0, "h1": 1}, "h0"),
    "Elo h1": (BETTER, {"measure": "elo", "h0": 0, "h1": 50}, "h1"),
    "Elo h0": (WORSE, {"measure": "elo", "h0": 0, "h1": 50}, "h0"),
    "turned round": (WORSE, {"h0": 0, "h1": -1}, "h1"),
}


@pytest.mark.parametrize(("pair", "sprt", "decision"), TESTS.values(), ids=TESTS)
def test_a_sequential_test_decides(
    four: Path, tmp_path: Path, pair: dict[str, Any], sprt: dict[str, Any], decision: str
) -> None:
    """Low is better than High, and a test finds so long before its cap; it says for which."""
    results = play(four, tmp_path / "out", {**pair, "sprt": sprt, "max_games": 4000})
    info, verdict = results.info, results.info["verdict"]
    assert verdict["ends"]
    assert verdict["figures"]["decision"] == decision
    assert info["games"] == 14 * info["blocks"] < 4000
    assert verdict["figures"]["blocks"] == info["blocks"] == results.games()["block"].nunique()
    first, second = pair["a"], pair["b"]
    assert verdict["rule"]["names"] == results.names == [first, second]
    by = f"{sprt[decision]:+g}"
    unit = "Elo" if "measure" in sprt else "points per hand"
    said = f"{first} is ahead of {second} by {by} {unit} ({decision}) rather than"
    assert said in verdict["text"]
    bound = math.log(0.95 / 0.05)
    assert verdict["figures"]["upper"] == pytest.approx(bound)
    assert verdict["figures"]["lower"] == pytest.approx(-bound)
    llr = verdict["figures"]["llr"]
    assert llr >= bound if decision == "h1" else llr <= -bound


@pytest.mark.parametrize("measure", ["points", "elo"])
def test_what_a_test_looks_at(four: Path, tmp_path: Path, measure: str) -> None:
    """Mean and error are those of one value per block, counted game by game from the log."""
    sprt = {"measure": measure, "h0": 0, "h1": 1}
    results = play(four, tmp_path / "out", {**BETTER, "sprt": sprt, "max_games": 336})
    games = results.games()
    values = []
    for _, block in games.groupby("block"):
        if measure == "points":
            means = block.groupby("strategy", observed=True)["points"].mean()
            values.append(means["High"] - means["Low"])
            continue
        score = comparisons = 0.0
        for _, game in block.groupby("game"):
            low, high = (game["place"][game["strategy"] == name] for name in ("Low", "High"))
            for own in low:
                score += sum(1.0 if own < other else 0.5 * (own == other) for other in high)
            comparisons += len(low) * len(high)
        values.append(score / comparisons)
    look = results.info["verdict"]["figures"]
    assert look["mean"] == pytest.approx(np.mean(values))
    assert look["se"] == pytest.approx(np.std(values, ddof=1) / math.sqrt(len(values)))
    assert look["mean"] > (0 if measure == "points" else 0.5)


def test_where_the_highest_wins(four: Path, tmp_path: Path) -> None:
    """Where the highest total wins, taking more points is better."""
    sprt = {"h0": 0, "h1": 1}
    rules = {"win": "highest", "moon": "off"}
    results = play(four, tmp_path / "out", {**WORSE, "sprt": sprt, "max_games": 4000}, rules=rules)
    points = results.games().groupby("strategy", observed=True)["points"].mean()
    assert points["High"] > points["Low"] + 1
    assert results.info["verdict"]["figures"]["decision"] == "h1"
    assert results.info["verdict"]["figures"]["mean"] > 1


@pytest.mark.parametrize("cap", [{"games": 420}, {"blocks": 30}, {"max_games": 420}])
def test_a_test_at_its_cap(four: Path, tmp_path: Path, cap: dict[str, int]) -> None:
    """A test that is not decided at its cap, however that is written, says so."""
    pair = {"type": "duel", "a": "Low", "b": "Middle"}
    results = play(four, tmp_path / "out", {**pair, "sprt": {"h1": 0.001}, **cap})
    verdict = results.info["verdict"]
    assert not verdict["ends"]
    assert verdict["figures"]["decision"] is None
    assert verdict["text"].endswith("undecided")
    assert (results.info["blocks"], results.info["games"]) == (30, 420)


def test_equals_in_a_test(four: Path, tmp_path: Path) -> None:
    """Equal players differ by exactly nothing in every block; the test goes on, or says h0."""
    entries = [{"strategy": "Low", "name": "one"}, {"strategy": "Low", "name": "other"}]
    settings = config(four, {"type": "duel", "sprt": {"h1": 1}, "max_games": 420})
    settings["strategies"]["entries"] = entries
    info = run(settings, output=tmp_path / "out", report=False).info
    assert info["verdict"]["figures"]["mean"] == 0
    assert info["verdict"]["figures"]["decision"] != "h1"


def test_values_of_blocks() -> None:
    """By hand: two blocks, the second in two games, in points and in shares of comparisons."""
    columns = {
        "block": np.array([4, 4, 4, 7, 7, 7, 7, 7, 7]),
        "game": np.array([0, 0, 0, 1, 1, 1, 2, 2, 2]),
        "strategy": np.array([0, 1, 1, 0, 0, 1, 1, 1, 0]),
        "points": np.array([2, 10, 14, 6, 6, 14, 0, 13, 13]),
        "hands": np.array([1, 1, 1, 2, 2, 2, 1, 1, 1]),
        "place": np.array([1, 2, 3, 1.5, 1.5, 3, 1, 2.5, 2.5]),
        "team": np.full(9, -1),
    }
    # Block 4: 24/2 - 2/1. Block 7: 27/4 - 25/5.
    assert block_values(columns, "points").tolist() == [10.0, 1.75]
    assert block_values(columns, "points", highest_wins=True).tolist() == [-10.0, -1.75]
    # Block 4: two of two. Block 7: two of two, then none and a half of two.
    assert block_values(columns, "elo").tolist() == [1.0, 2.5 / 4]


# The same whatever plays them

DECIDED = {**BETTER, "sprt": {"measure": "elo", "h0": 60, "h1": 75}, "max_games": 4000}


def test_jobs_do_not_matter(four: Path, tmp_path: Path) -> None:
    """In process and with two player processes a run ends with the same block."""
    spec, settings = planned(four, DECIDED)
    found = []
    for jobs in (None, 2):
        watcher = Interim()
        outcome = play_run(spec, tmp_path / str(jobs), config=settings, jobs=jobs, watcher=watcher)
        info = outcome.folder.info()
        assert outcome.verdict is not None
        text = info["verdict"]["text"]
        assert text == outcome.verdict["text"]
        assert text.startswith(watcher.heard[-1])
        found.append(ending(tmp_path / str(jobs)))
    assert found[1] == found[0]
    assert found[0]["verdict"]["ends"]
    assert len(found[0]["files"]) > 16  # so that later parts were under way when it ended


def ending(output: Path) -> dict[str, Any]:
    """What must be equal for runs that ended alike."""
    results = Results(output)
    return {
        "files": sorted(str(path.relative_to(output)) for path in output.glob("*/part-*")),
        "rows": results.digest(),
        **{name: results.info[name] for name in ("digest", "blocks", "games", "hands", "verdict")},
    }


class LastFirst(InlineExecutor):
    """Gives back the last part first: a part comes each time somebody asks for `value`."""

    def __init__(self) -> None:
        super().__init__(lambda games: None)
        self.held: list[tuple[Future[Any], Future[Any]]] = []
        self.order: list[int] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        played = super().submit(fn, *args, **kwargs)
        if fn is not tasks.play_part:
            return played
        given: Future[Any] = Future()
        self.held.append((given, played))
        return given

    @property
    def value(self) -> int:
        while self.held:
            given, played = self.held.pop()
            if given.set_running_or_notify_cancel():
                given.set_result(played.result())
                self.order.append(played.result().number)
                break
        return 0


def test_the_order_of_parts_does_not_matter(
    four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the first part comes back last, all else was played for nothing, and is dropped."""
    spec, settings = planned(four, {**TARGETS["points"], "max_games": 800})
    play_run(spec, tmp_path / "in order", config=settings)
    late = LastFirst()
    where = nullcontext((late, tasks, lambda: 8))
    monkeypatch.setattr(course, "stage", lambda jobs, progress: where)
    monkeypatch.setattr(supervise, "games_at_hand", lambda: late.value)
    play_run(spec, tmp_path / "late", config=settings, jobs=4)
    parts = spec.schedule.parts()
    assert late.order[0] == 7  # the last of eight under way
    assert len(late.order) == len(parts)
    assert late.order.index(0) > late.order.index(len(parts) - 1)
    assert ending(tmp_path / "late") == ending(tmp_path / "in order")
    assert ending(tmp_path / "late")["blocks"] < spec.schedule.blocks


def test_a_run_that_ended_is_done(four: Path, tmp_path: Path) -> None:
    """The same command finds the run that ended early and plays nothing, whatever its cap."""
    format_ = {**BETTER, "sprt": {"h1": 1}, "max_games": 2000}
    first = play(four, tmp_path / "out", format_)
    for cap in (2000, 4000):
        spec, settings = planned(four, {**format_, "max_games": cap})
        outcome = play_run(spec, tmp_path / "out", config=settings)
        assert not outcome.played
        assert outcome.verdict == first.info["verdict"]
        assert outcome.folder.digest() == first.info["digest"]
