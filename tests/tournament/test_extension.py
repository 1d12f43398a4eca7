"""Runs that go on: with a larger budget, after an interruption, under another rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from trial import FOUR, parts_played, write_files

from hearts_sim import load, run
from hearts_sim.errors import ResultsError, RunInterrupted
from hearts_sim.tournament.players import tasks
from hearts_sim.tournament.reading.results import Results

SHORT: dict[str, Any] = {"end": {"deals": 1}, "tie": "draw"}


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies."""
    return write_files(tmp_path_factory.mktemp("four"), FOUR)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """Where a run goes; not there yet."""
    return tmp_path / "out"


def play(
    folder: Path,
    output: Path,
    format_: Mapping[str, Any],
    *,
    resume: bool = False,
    force: bool = False,
    **more: Any,
) -> Results:
    settings = {
        "name": "trial",
        "strategies": {"folder": str(folder)},
        "format": format_,
        "rules": SHORT,
        **more,
    }
    return run(settings, output=output, resume=resume, force=force, report=False)


def table(games: int) -> dict[str, Any]:
    return {"type": "table", "games": games}


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Time and content of every file but the lock."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the parts that were played from now on."""
    return parts_played(monkeypatch)


def interrupted(patch: pytest.MonkeyPatch, part: int) -> None:
    """Press Ctrl-C when this part is about to be played."""
    play_part = tasks.play_part

    def stop(spec: Any, number: int, blocks: range, absent: Any) -> Any:
        if number == part:
            raise KeyboardInterrupt
        return play_part(spec, number, blocks, absent)

    patch.setattr(tasks, "play_part", stop)


# A larger budget

KINDS: dict[str, dict[str, Any]] = {
    "table": {"type": "table"},
    "duel": {"type": "duel", "a": "Low", "b": "High"},
    "gauntlet": {"type": "gauntlet", "newcomers": ["Low"]},
    "self-play": {"type": "selfplay"},
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_extension_in_two_steps(four: Path, tmp_path: Path, kind: dict[str, Any]) -> None:
    """A run that is extended twice, in blocks and in games, is the same as one from the start."""
    output = tmp_path / "out"
    small = play(four, output, {**kind, "blocks": 9}, log="plays")
    rows = small.plays()
    assert small.info["blocks"] == 9
    middle = play(four, output, {**kind, "blocks": 17}, log="plays")
    assert (middle.info["blocks"], middle.info["kept_blocks"]) == (17, 9)
    large = play(four, output, {**kind, "games": 300}, log="plays")
    whole = play(four, tmp_path / "whole", {**kind, "games": 300}, log="plays")
    assert large.info["kept_blocks"] == 17
    assert "kept_blocks" not in whole.info
    assert large.digest() == whole.digest() == large.info["digest"] == whole.info["digest"]
    for name in ("blocks", "games", "hands", "checks", "verdict", "identity"):
        assert large.info[name] == whole.info[name]
    assert large.info["games"] >= 300
    assert large.plays().iloc[: len(rows)].equals(rows)
    for name in ("games", "hands", "plays"):
        files = sorted(path.name for path in (output / name).iterdir())
        assert files == sorted(path.name for path in (tmp_path / "whole" / name).iterdir())
        for file in files:
            there = (tmp_path / "whole" / name / file).read_bytes()
            assert (output / name / file).read_bytes() == there


def test_only_what_is_new_is_played(four: Path, output: Path, played: list[int]) -> None:
    """Parts that a larger run has as well stay as they are; a cut one is played whole."""
    play(four, output, table(44))
    assert played == list(range(10))  # eight of one block, one of two, and one that was cut
    before = snapshot(output / "games")
    played.clear()
    results = play(four, output, table(60))
    assert played == [9, 10, 11]
    assert results.info["games"] == 60
    after = snapshot(output / "games")
    kept = [f"part-{number:05d}.parquet" for number in range(9)]
    assert [after[name] for name in kept] == [before[name] for name in kept]


def test_dates_and_seconds_of_an_extended_run(four: Path, output: Path) -> None:
    """A run that was extended began when it first began, and took as long as all of it took."""
    first = play(four, output, table(40)).info
    second = play(four, output, table(80)).info
    assert second["started"] == first["started"]
    assert second["seconds"] >= first["seconds"]
    assert second["finished"] >= first["finished"]


def test_a_smaller_budget_is_refused(four: Path, output: Path) -> None:
    """What is there is never cut: a smaller budget is refused, in games, blocks and as a cap."""
    play(four, output, table(80))
    before = snapshot(output)
    for format_ in (
        table(40),
        {"type": "table", "blocks": 19},
        {"type": "table", "target": {"points_halfwidth": 1}, "max_games": 76},
    ):
        for resume in (False, True):
            with pytest.raises(ResultsError) as caught:
                play(four, output, format_, resume=resume)
            assert str(caught.value).startswith(
                f"{output} holds a run of this config with 80 games, more than these: "
            )
            assert "give another folder with -o, or --force" in str(caught.value)
            assert caught.value.exit_code == 1
    assert snapshot(output) == before


def test_a_budget_that_rounds_to_the_same(four: Path, output: Path, played: list[int]) -> None:
    """A budget of as many games after rounding up is the same run, and nothing is played."""
    first = play(four, output, table(77))
    played.clear()
    again = play(four, output, {"type": "table", "blocks": 20})
    assert played == []
    assert again.digest() == first.digest()
    assert again.info["config"]["format"]["blocks"] == 20


# An interruption


def test_an_unfinished_run_goes_on(
    four: Path, tmp_path: Path, output: Path, played: list[int]
) -> None:
    """Without --resume it is refused and left alone; with it only what is missing is played."""
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, 4)
        with pytest.raises(RunInterrupted, match=r"the same command with --resume goes on"):
            play(four, output, table(60))
    assert load(output).info["status"] == "running"
    assert sorted(load(output).folder.parts()) == [0, 1, 2, 3]
    before = snapshot(output)
    with pytest.raises(ResultsError) as caught:
        play(four, output, table(60))
    assert str(caught.value) == (
        f"{output} holds a run of this config that did not finish: --resume goes on with it, "
        "--force deletes it"
    )
    assert snapshot(output) == before
    played.clear()
    results = play(four, output, table(60), resume=True)
    assert played == [4, 5, 6, 7, 8, 9, 10, 11]
    assert results.info["status"] == "finished"
    assert results.digest() == play(four, tmp_path / "whole", table(60)).digest()


def test_parts_that_are_missing_in_between(four: Path, output: Path, played: list[int]) -> None:
    """When some player processes were ahead of others, just the gaps are filled."""
    whole = play(four, output, table(60))
    digest = whole.digest()
    for number in (2, 5, 6):
        (output / "timing" / f"part-{number:05d}.json").unlink()
    (output / "games" / "part-00005.parquet").unlink()
    whole.folder.write_info(whole.info | {"status": "running"})
    played.clear()
    results = play(four, output, table(60), resume=True)
    assert played == [2, 5, 6]
    assert results.digest() == digest


def test_an_interrupted_extension(four: Path, tmp_path: Path, output: Path) -> None:
    """An extension that was interrupted is resumed, with what it had and to what it should be."""
    play(four, output, table(44))
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, 12)
        with pytest.raises(RunInterrupted):
            play(four, output, table(160))
    info = load(output).info
    assert (info["status"], info["kept_blocks"]) == ("running", 11)
    with pytest.raises(ResultsError, match="did not finish: --resume goes on with it"):
        play(four, output, table(160))
    # A larger budget still, and an interruption before anything new is played.
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, 12)
        with pytest.raises(RunInterrupted):
            play(four, output, table(320), resume=True)
    assert load(output).info["kept_blocks"] == 11
    results = play(four, output, table(320), resume=True)
    assert results.info["kept_blocks"] == 11
    whole = play(four, tmp_path / "whole", table(320))
    assert results.digest() == whole.digest() == results.info["digest"]
    assert results.info["games"] == 320


def test_a_shorter_part_stays_until_it_is_replaced(four: Path, output: Path) -> None:
    """The last part of a run is there until the longer one is played: nothing is lost."""
    play(four, output, table(44))
    last = max(load(output).folder.parts())
    before = (output / "games" / f"part-{last:05d}.parquet").read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, last)
        with pytest.raises(RunInterrupted):
            play(four, output, table(160))
    assert load(output).folder.parts()[last]["blocks"] == [10, 11]
    assert (output / "games" / f"part-{last:05d}.parquet").read_bytes() == before
    assert len(load(output).games()) == 4 * 44
    assert play(four, output, table(160), resume=True).info["games"] == 160


def test_resuming_with_less(four: Path, output: Path) -> None:
    """An unfinished run may be resumed with a smaller budget, but not below what is played."""
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, 6)
        with pytest.raises(RunInterrupted):
            play(four, output, table(160))
    before = snapshot(output)
    with pytest.raises(ResultsError) as caught:
        play(four, output, table(20), resume=True)
    assert str(caught.value) == (
        f"{output} holds 6 blocks of this config, more than the 5 that it asks for now: ask for as "
        "many"
    )
    assert snapshot(output) == before
    assert play(four, output, table(24), resume=True).info["games"] == 24


def test_resume_where_there_is_nothing_to_resume(
    four: Path, output: Path, played: list[int]
) -> None:
    """--resume in a new folder plays, on a finished run does nothing, on another is refused."""
    first = play(four, output, table(20), resume=True)
    played.clear()
    assert play(four, output, table(20), resume=True).digest() == first.digest()
    assert played == []
    with pytest.raises(ResultsError, match=r"holds another run \(not the same seed\)"):
        play(four, output, table(20), resume=True, seed=1)
    assert play(four, output, table(40), resume=True).info["games"] == 40
    forced = play(four, output, table(20), resume=True, force=True)
    assert forced.digest() == first.digest()


def test_a_version_before(four: Path, output: Path) -> None:
    """A run of an older layout is not extended, and its version is named."""
    play(four, output, table(8))
    info = json.loads((output / "run.json").read_text())
    (output / "run.json").write_text(json.dumps(info | {"schema_version": 2}))
    with pytest.raises(ResultsError, match=r"has layout 2, this hearts-sim reads 4"):
        play(four, output, table(16))


# Another rule

DUEL = {"type": "duel", "a": "Low", "b": "High"}


def target(halfwidth: float, max_games: int = 800) -> dict[str, Any]:
    return {"type": "table", "target": {"points_halfwidth": halfwidth}, "max_games": max_games}


def test_a_loose_target_deletes_nothing(four: Path, tmp_path: Path, output: Path) -> None:
    """A target that a finished run has long reached ends it no earlier than where it is."""
    before = play(four, output, table(216), log="plays").plays()
    results = play(four, output, target(1000), log="plays")
    assert play(four, tmp_path / "fresh", target(1000), log="plays").info["blocks"] == 20
    assert results.info["kept_blocks"] == 54
    assert results.info["blocks"] >= 54
    assert results.info["verdict"]["ends"]
    assert results.plays().iloc[: len(before)].equals(before)
    blocks = results.info["blocks"]
    fixed = play(four, tmp_path / "fixed", {"type": "table", "blocks": blocks}, log="plays")
    assert results.digest() == fixed.digest()
    assert results.info["games"] == 4 * blocks


def test_targets_one_after_the_other(
    four: Path, tmp_path: Path, output: Path, played: list[int]
) -> None:
    """A narrower target goes on from where a wide one ended; a wide one then plays nothing."""
    wide = play(four, output, target(2))
    narrow = play(four, output, target(1.2))
    assert wide.info["blocks"] < narrow.info["blocks"] < 200
    assert narrow.info["kept_blocks"] == wide.info["blocks"]
    assert narrow.digest() == play(four, tmp_path / "fresh", target(1.2)).digest()
    assert narrow.info["verdict"] == load(tmp_path / "fresh").info["verdict"]
    played.clear()
    again = play(four, output, target(2))
    assert played == []
    assert again.digest() == narrow.digest()
    assert again.info["verdict"]["ends"]
    assert again.info["verdict"]["rule"]["halfwidth"] == 2


def test_a_target_that_was_missed(four: Path, tmp_path: Path, output: Path) -> None:
    """A run that stopped at its cap goes on with a larger one, and ends as if it had had it."""
    capped = play(four, output, target(1.3, 80))
    assert not capped.info["verdict"]["ends"]
    results = play(four, output, target(1.3))
    assert results.info["verdict"]["ends"]
    assert results.digest() == play(four, tmp_path / "fresh", target(1.3)).digest()


def test_an_interrupted_extension_keeps_what_was_finished(four: Path, output: Path) -> None:
    """After an interruption too a loose target does not end the run below what was finished."""
    play(four, output, table(216))
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, 23)
        with pytest.raises(RunInterrupted):
            play(four, output, target(0.1))
    assert load(output).info["kept_blocks"] == 54
    results = play(four, output, target(1000), resume=True)
    assert results.info["blocks"] >= 54
    assert results.games()["block"].nunique() == results.info["blocks"]


def test_a_target_after_an_interruption(four: Path, tmp_path: Path, output: Path) -> None:
    """A run with a target that was interrupted ends where it would have ended."""
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, 12)
        with pytest.raises(RunInterrupted):
            play(four, output, target(1.3))
    results = play(four, output, target(1.3), resume=True)
    fresh = play(four, tmp_path / "fresh", target(1.3))
    assert results.digest() == fresh.digest()
    assert results.info["verdict"] == fresh.info["verdict"]
    assert results.info["blocks"] == fresh.info["blocks"] > 20


SPRT = {**DUEL, "sprt": {"measure": "points", "h1": 1}, "max_games": 1400}


@pytest.mark.parametrize(
    "sprt",
    [{"h1": 2}, {"h1": 1, "h0": 0.5}, {"h1": 1, "alpha": 0.1}, {"h1": 1, "measure": "elo"}, None],
    ids=["h1", "h0", "alpha", "measure", "none"],
)
def test_another_test_is_another_run(
    four: Path, tmp_path_factory: pytest.TempPathFactory, sprt: dict[str, Any] | None
) -> None:
    """A hypothesis may not be changed over the games that it is tested on."""
    output = tmp_path_factory.getbasetemp() / "decided"
    play(four, output, SPRT)
    before = snapshot(output)
    other = {key: value for key, value in SPRT.items() if key != "sprt"}
    other = other | {"sprt": sprt} if sprt else {**DUEL, "games": 1400}
    with pytest.raises(ResultsError, match=r"holds another run \(not the same sprt\)"):
        play(four, output, other)
    assert snapshot(output) == before


def test_a_test_goes_on(four: Path, tmp_path: Path, output: Path) -> None:
    """A test that was not decided at its cap goes on with a larger one, to the same end."""
    close = {**DUEL, "sprt": {"measure": "elo", "h0": 60, "h1": 75}}
    capped = play(four, output, {**close, "games": 280})
    assert capped.info["verdict"]["figures"]["decision"] is None
    results = play(four, output, {**close, "max_games": 2800})
    fresh = play(four, tmp_path / "fresh", {**close, "max_games": 2800})
    assert results.digest() == fresh.digest()
    assert results.info["verdict"] == fresh.info["verdict"]
    assert results.info["blocks"] == fresh.info["blocks"] > 20
