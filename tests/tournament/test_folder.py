"""The results folder: who may write to it, what is deleted and what is kept."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from trial import FOUR, settings, write_files

from hearts_sim import load, run
from hearts_sim.errors import ResultsError, RunInterrupted, StrategyFault
from hearts_sim.report.notes import facts, notes
from hearts_sim.report.summary import summarise
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.players import tasks
from hearts_sim.tournament.reading.results import Results


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies."""
    return write_files(tmp_path_factory.mktemp("four"), FOUR)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """Where a run goes; not there yet."""
    return tmp_path / "deep" / "out"


def play(folder: Path, output: Path, *, force: bool = False, **more: Any) -> Results:
    """Play a run that a fault stops."""
    more.setdefault("faults", {"policy": "strict"})
    return run(settings(folder, **more), output=output, force=force, report=False)


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Time and content of every file but the lock."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


# Who may play into a folder


def test_a_finished_run_is_not_played_again(
    four: Path, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that holds the finished run already is left as it is, and nothing is played."""
    first = play(four, output)
    before = snapshot(output)

    def refuse(*args: Any) -> Any:
        raise AssertionError("played again")

    monkeypatch.setattr("hearts_sim.tournament.players.tasks.play_part", refuse)
    again = play(four, output)
    assert again.digest() == first.digest()
    after = snapshot(output)
    before.pop("run.json")
    assert {name: after[name] for name in before} == before


def test_a_changed_report_is_used_without_playing(four: Path, output: Path) -> None:
    """Other settings of the report apply to a finished run, and play nothing."""
    play(four, output)
    before = snapshot(output / "games")
    play(four, output, report={"anchor": "Low", "confidence": 0.9})
    summary = summarise(load(output))
    assert (summary.anchor, summary.confidence) == ("Low", 0.9)
    assert summary.board.set_index("strategy").loc["Low", "elo"] == 1500
    assert snapshot(output / "games") == before


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "seed": ({"seed": 1}, "another run (not the same seed)"),
    "rules": ({"rules": {"moon": "new"}}, "another run (not the same rules)"),
    "entries": (
        {"entries": ["Low"]},
        "another run (not the same entries: Chance is missing, High is missing, Middle is missing)",
    ),
    "log": ({"log": "games"}, "another run (not the same log)"),
    "format": ({"type": "selfplay"}, "another run (not the same format)"),
    "games": ({"games": 4}, "a run of this config with 8 games, more than these"),
}


@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES)
def test_another_run_is_refused(
    four: Path, output: Path, change: dict[str, Any], words: str
) -> None:
    """Another run in the folder is not touched; the message says what differs and what to do."""
    play(four, output)
    before = snapshot(output)
    with pytest.raises(ResultsError) as caught:
        play(four, output, **change)
    assert f"{output} holds {words}" in str(caught.value)
    assert "give another folder with -o, or --force" in str(caught.value)
    assert caught.value.exit_code == 1
    assert snapshot(output) == before


def test_force_replaces_a_run(four: Path, output: Path, tmp_path: Path) -> None:
    """With force the run in the folder is replaced, and nothing of it is left."""
    play(four, output, games=80, log="plays")
    (output / "charts").mkdir()
    for name in ("report.html", "summary.csv", "charts/points.png", "charts/places.svg"):
        (output / name).write_text("old")
    results = play(four, output, force=True, seed=1, log="games")
    assert results.digest() == play(four, tmp_path / "fresh", seed=1, log="games").digest()
    assert {path.name for path in output.iterdir()} == {
        "run.json",
        "games",
        "counts",
        "timing",
        ".lock",
    }
    assert len(list((output / "games").iterdir())) == 2


def test_force_leaves_files_of_others(four: Path, output: Path) -> None:
    """Force deletes files of a run only: what others put there stays, whatever its folder."""
    play(four, output)
    mine = {
        output / "notes.txt": "mine",
        output / "games" / "chess.pgn": "e4",
        output / "charts" / "my.png": "picture",
        output / "thesis" / "part-00000.parquet": "chapter",
    }
    for path, text in mine.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    play(four, output, force=True, seed=1)
    assert {path: path.read_text() for path in mine} == mine
    assert load(output).info["identity"]["seed"] == 1


def test_a_folder_of_others_is_refused(four: Path, output: Path) -> None:
    """A folder with files but without a run is not played into, except by force."""
    (output / "charts").mkdir(parents=True)
    (output / "charts" / "holiday.png").write_text("sun")
    with pytest.raises(ResultsError, match="is not empty and holds no run"):
        play(four, output)
    assert [path.name for path in output.iterdir() if path.name != ".lock"] == ["charts"]
    play(four, output, force=True)
    assert (output / "charts" / "holiday.png").read_text() == "sun"


def test_hidden_files_do_not_count(four: Path, output: Path) -> None:
    """A folder that holds nothing but hidden files counts as empty."""
    output.mkdir(parents=True)
    (output / ".gitignore").write_text("*")
    play(four, output)
    assert (output / ".gitignore").exists()


def test_a_second_writer_is_refused(four: Path, output: Path) -> None:
    """While a run writes to a folder no other may, not even by force; afterwards it may."""
    with RunFolder(output).locked():
        for force in (False, True):
            with pytest.raises(ResultsError, match="another hearts-sim is writing to it"):
                play(four, output, force=force)
    assert not (output / "run.json").exists()
    play(four, output)


def test_the_lock_is_free_after_an_error(tmp_path: Path) -> None:
    """A run that failed leaves its folder free for the next one."""
    folder = RunFolder(tmp_path)
    with pytest.raises(RuntimeError), folder.locked():
        raise RuntimeError
    with folder.locked():
        pass


# What cannot be written


def test_the_folder_cannot_be_made(four: Path, tmp_path: Path) -> None:
    """A folder that cannot be made is one clear message."""
    (tmp_path / "file").write_text("")
    for output in (tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(ResultsError) as caught:
            play(four, output)
        assert str(caught.value).startswith(f"{output}: cannot be written: ")
        assert str(caught.value).endswith("give another folder with -o")


@pytest.mark.parametrize(
    ("code", "failing"),
    [
        (errno.EROFS, "run.json"),
        (errno.ENOSPC, "part-00001.parquet"),
        (errno.ENOSPC, "part-00001.json"),
    ],
)
def test_a_file_cannot_be_written(
    four: Path, output: Path, monkeypatch: pytest.MonkeyPatch, code: int, failing: str
) -> None:
    """A full or read-only disk is one clear message, and what was written before is kept."""
    replace = os.replace

    def fail(source: Any, target: Any) -> None:
        if Path(target).name == failing:
            raise OSError(code, os.strerror(code))
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ResultsError) as caught:
        play(four, output)
    assert f"{failing}: cannot be written: {os.strerror(code)}" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(output.rglob("*.tmp"))
    if failing != "run.json":
        assert list(RunFolder(output).parts()) == [0]
        assert load(output).info["status"] == "running"


# A run that did not finish

STOPS = """
    from hearts_sim import Strategy

    class Stops(Strategy):
        games = 0

        def start_game(self, view):
            Stops.games += 1
            if Stops.games > {after}:
                {how}

        def choose_card(self, view):
            return view.legal.lowest()
"""
BUG = 'raise ValueError("game over")'


def stopping(tmp_path: Path, after: int, how: str) -> Path:
    return write_files(
        tmp_path / "s", {"stops.py": STOPS.format(after=after, how=how), "low.py": FOUR["low.py"]}
    )


def test_parts_before_a_fault_are_kept(tmp_path: Path, output: Path) -> None:
    """After a fault the parts played before are there, and are what an unbroken run has."""
    folder = stopping(tmp_path, 9, BUG)
    with pytest.raises(StrategyFault, match="Stops failed in start_game"):
        play(folder, output, games=40)
    results = load(output)
    kept = results.folder.parts()
    assert list(kept) == list(range(len(kept)))
    assert len(kept) >= 1
    assert results.info["status"] == "running"
    games = results.games()
    assert len(games) == 4 * sum(notes["games"] for notes in kept.values())
    summary = summarise(results)
    assert facts(summary).startswith("interim: ")
    assert "The run is not finished: all figures are interim." in notes(summary)


def test_a_fault_is_forgotten(tmp_path: Path, output: Path) -> None:
    """A run that was stopped by a fault is, played again in the same process, a run like any."""
    folder = stopping(tmp_path, 10**9, BUG)
    config = {"games": 16, "log": "plays", "faults": {"policy": "strict"}}
    whole = play(folder, tmp_path / "whole", **config).digest()
    tasks._players.clear()
    for how in (ValueError("once"), KeyboardInterrupt()):
        player = _player_of(folder, **config)
        stops = player.lineup.entries[player.spec.names.index("Stops")].strategy

        def choose_card(self: Any, view: Any, how: BaseException = how) -> Any:
            if view.trick_number == 7:
                raise how
            return view.legal.lowest()

        original, stops.choose_card = stops.choose_card, choose_card
        with pytest.raises((StrategyFault, RunInterrupted)):
            play(folder, output, force=True, **config)
        stops.choose_card = original
        assert play(folder, output, force=True, **config).digest() == whole


def _player_of(folder: Path, **config: Any) -> Any:
    """The player that the next run in this process uses."""
    from hearts_sim.tournament.config.reading import config_from_mapping
    from hearts_sim.tournament.plan.spec import plan_run

    spec, _ = plan_run(config_from_mapping(settings(folder, **config)))
    return tasks.player_of(spec)


def test_interruption(tmp_path: Path, output: Path) -> None:
    """Ctrl-C in a strategy stops the run with exit code 130; what was played is kept."""
    folder = stopping(tmp_path, 9, "raise KeyboardInterrupt")
    with pytest.raises(
        RunInterrupted, match=r"interrupted: what was played is in .*--resume"
    ) as it:
        play(folder, output, games=40)
    assert it.value.exit_code == 130
    assert len(load(output).folder.parts()) >= 1


def test_an_unfinished_run_is_refused(tmp_path: Path, output: Path) -> None:
    """A run that did not finish is named as such, and is played anew by force."""
    folder = stopping(tmp_path, 9, BUG)
    with pytest.raises(StrategyFault):
        play(folder, output, games=40)
    with pytest.raises(ResultsError, match="a run of this config that did not finish"):
        play(folder, output, games=40)


def test_no_part_is_played_yet(tmp_path: Path, output: Path) -> None:
    """Before the first part there is nothing to report, and that is what is said."""
    folder = stopping(tmp_path, 0, BUG)
    with pytest.raises(StrategyFault):
        play(folder, output)
    results = load(output)
    assert len(results.games()) == 0
    with pytest.raises(ResultsError, match="no part of the run is played yet"):
        summarise(results)


def test_a_part_counts_with_its_notes(four: Path, output: Path) -> None:
    """A part without its notes, which are written last, was not played."""
    results = play(four, output, games=16)
    (output / "timing" / "part-00003.json").unlink()
    assert sorted(results.folder.parts()) == [0, 1, 2]
    assert results.games()["block"].max() == 2


# What cannot be read


def test_no_run(tmp_path: Path) -> None:
    """A folder without a run, a file and nothing at all are told apart from a run."""
    (tmp_path / "file").write_text("")
    for name, words in (("", "holds no run"), ("file", "is a file"), ("nothing", "holds no run")):
        with pytest.raises(ResultsError, match=words):
            load(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "run.json is damaged"),
        ("[]", "has layout None, this hearts-sim reads"),
        ('{"schema_version": 99}', "has layout 99"),
        ('{"schema_version": 2, "name": "x"}', "has layout 2, this hearts-sim reads 4"),
        ('{"schema_version": 4, "name": "x"}', "run.json is damaged: it has no status"),
        ("\xff", "run.json is damaged"),
    ],
    ids=["cut", "list", "version", "older", "keys", "bytes"],
)
def test_damaged_run_json(tmp_path: Path, text: str, words: str) -> None:
    """A damaged `run.json`, or one of another version, is said to be one."""
    (tmp_path / "run.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ResultsError, match=words):
        load(tmp_path)


def test_damaged_parts(four: Path, output: Path) -> None:
    """Damaged notes and a damaged or missing table are named by their file."""
    results = play(four, output)
    (output / "hands" / "part-00001.parquet").write_bytes(b"PAR1")
    with pytest.raises(ResultsError, match=r"part-00001\.parquet is missing or damaged"):
        results.hands()
    (output / "games" / "part-00000.parquet").unlink()
    with pytest.raises(ResultsError, match=r"part-00000\.parquet is missing or damaged"):
        results.games()
    for text in ("{", "{}", "[]"):
        (output / "timing" / "part-00001.json").write_text(text)
        with pytest.raises(ResultsError, match=r"part-00001\.json is damaged"):
            results.digest()


def test_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A file that could not be written leaves the old one."""
    folder = RunFolder(tmp_path)
    folder.write_info({"a": 1})
    with pytest.raises(TypeError):
        folder.write_info({"a": object()})
    assert json.loads((tmp_path / "run.json").read_text()) == {"a": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
