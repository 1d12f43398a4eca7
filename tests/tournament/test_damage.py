"""What is in the folder of a run but is not what was written there: verified before it counts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trial import FOUR, parts_played, write_files

from hearts_sim.errors import ResultsError
from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.plan.spec import plan_run
from hearts_sim.tournament.run.runner import play_run
from hearts_sim.tournament.run.watching import Watcher

SHORT: dict[str, Any] = {"end": {"deals": 1}, "tie": "draw"}


class Heard(Watcher):
    """Keeps what is said about damage."""

    def __init__(self) -> None:
        self.damage: dict[int, str] = {}
        self.aside: list[str] = []

    def damaged(self, part: int, why: str) -> None:
        self.damage[part] = why

    def put_aside(self, path: str) -> None:
        self.aside.append(path)


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies."""
    return write_files(tmp_path_factory.mktemp("bots"), FOUR)


def play(bots: Path, output: Path, *, games: int = 48, resume: bool = True, seed: int = 0) -> Heard:
    config = config_from_mapping(
        {
            "name": "trial",
            "seed": seed,
            "strategies": {"folder": str(bots)},
            "format": {"type": "table", "games": games},
            "rules": SHORT,
        }
    )
    heard = Heard()
    spec, _ = plan_run(config)
    play_run(spec, output, config=config.resolved(), resume=resume, watcher=heard)
    return heard


@pytest.fixture(scope="module")
def whole(bots: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of ten parts."""
    output = tmp_path_factory.mktemp("whole") / "run"
    play(bots, output)
    return output


@pytest.fixture
def output(whole: Path, tmp_path: Path) -> Path:
    """A copy of it that did not finish."""
    copy = tmp_path / "run"
    shutil.copytree(whole, copy)
    info = RunFolder(copy).info()
    RunFolder(copy).write_info(info | {"status": "running"})
    return copy


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the parts that were played from now on."""
    return parts_played(monkeypatch)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def rewrite(key: str, value: Any) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))

    return change


def of_another_part(path: Path) -> None:
    shutil.copy(path.with_name("part-00000.json"), path)


DAMAGE: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "cut": ("hands/part-00003.parquet", cut, "hands/part-00003.parquet has "),
    "one bit": ("games/part-00003.parquet", flip, "games/part-00003.parquet was changed"),
    "gone": ("games/part-00003.parquet", Path.unlink, "games/part-00003.parquet is missing"),
    "notes cut": ("timing/part-00003.json", cut, "timing/part-00003.json is no JSON"),
    "notes empty": (
        "timing/part-00003.json",
        lambda path: path.write_text("[]"),
        "timing/part-00003.json does not say what the files of its part are",
    ),
    "count": ("timing/part-00003.json", rewrite("games", 5), "timing/part-00003.json was changed"),
    "notes of another part": (
        "timing/part-00003.json",
        of_another_part,
        "timing/part-00003.json is that of part 0",
    ),
}


@pytest.mark.parametrize(("name", "damage", "words"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_part_is_played_again(
    bots: Path,
    whole: Path,
    output: Path,
    played: list[int],
    name: str,
    damage: Callable[[Path], None],
    words: str,
) -> None:
    """What is damaged is found, said and played again, and nothing else is."""
    damage(output / name)
    heard = play(bots, output)
    assert played == [3]
    assert list(heard.damage) == [3]
    assert heard.damage[3].startswith(words)
    assert RunFolder(output).digest() == RunFolder(whole).digest()
    for path in ("hands", "games"):
        file = f"{path}/part-00003.parquet"
        assert (output / file).read_bytes() == (whole / file).read_bytes()


def test_parts_of_another_run(bots: Path, whole: Path, output: Path, played: list[int]) -> None:
    """A part of another run does not count; one that this run has no number for is put aside."""
    play(bots, output.with_name("other"), seed=1, games=100)
    for table, end in (("games", "parquet"), ("hands", "parquet"), ("timing", "json")):
        for number in (2, 14):
            file = f"{table}/part-{number:05d}.{end}"
            shutil.copy(output.with_name("other") / file, output / file)
    played.clear()
    heard = play(bots, output)
    assert played == [2]
    assert heard.damage == {2: "timing/part-00002.json is of another run"}
    assert heard.aside == [str(output / "timing" / "part-00014.json.stray")]
    assert RunFolder(output).digest() == RunFolder(whole).digest()


def test_what_others_put_there_stays(bots: Path, output: Path) -> None:
    """Files that are not the run's stay; what it left half written when it was killed goes."""
    mine = [output / "notes.txt", output / "games" / "x.parquet", output / "timing" / "part-a.json"]
    for path in mine:
        path.write_text("mine")
    left = [output / ".run.json.tmp", output / "games" / ".part-00004.parquet.tmp"]
    for path in left:
        path.write_text("half")
    play(bots, output)
    assert [path.read_text() for path in mine] == ["mine"] * 3
    assert not any(path.exists() for path in left)


def test_run_json_is_damaged(bots: Path, whole: Path, output: Path, played: list[int]) -> None:
    """The parts are the truth: with them `run.json` is written again, but only when asked to."""
    (output / "run.json").write_text("{")
    with pytest.raises(ResultsError, match=r"run\.json is damaged: .*--resume goes on with"):
        play(bots, output, resume=False)
    played.clear()
    play(bots, output)
    assert played == []
    assert RunFolder(output).info()["digest"] == RunFolder(whole).digest()
    (output / "run.json").unlink()
    with pytest.raises(ResultsError, match="is not empty and holds no run"):
        play(bots, output, resume=False)
    play(bots, output)
    assert RunFolder(output).info()["status"] == "finished"
    (output / "run.json").write_text("{")
    with pytest.raises(ResultsError, match=r"run\.json is damaged: .*--force deletes that run"):
        play(bots, output, seed=1)


def test_a_finished_run_that_is_damaged(
    bots: Path, whole: Path, tmp_path: Path, played: list[int]
) -> None:
    """It is not taken for a whole one: --resume mends it, without that it is refused."""
    output = tmp_path / "run"
    shutil.copytree(whole, output)
    cut(output / "games" / "part-00001.parquet")
    (output / "timing" / "part-00004.json").unlink()
    for games in (48, 80):
        with pytest.raises(ResultsError) as caught:
            play(bots, output, games=games, resume=False)
        assert "2 of its parts are damaged or missing (part 1: games/part-00001" in str(
            caught.value
        )
        assert "--resume plays them again" in str(caught.value)
    play(bots, output)
    assert played == [1, 4]
    assert RunFolder(output).info()["digest"] == RunFolder(whole).digest()


# Another version


def test_a_strategy_has_changed(bots: Path, output: Path, tmp_path: Path) -> None:
    """Another version of a strategy makes another run, and it is named."""
    other = tmp_path / "bots"
    shutil.copytree(bots, other)
    path = other / "low.py"
    path.write_text(path.read_text() + "\n# better\n")
    with pytest.raises(ResultsError, match=r"not the same entries: Low has changed \(its code\)"):
        play(other, output)


def test_another_version_plays_alike(
    bots: Path, whole: Path, output: Path, played: list[int]
) -> None:
    """What another version played goes on when a part comes out the same, otherwise not."""
    folder = RunFolder(output)
    info = folder.info()
    (version,) = info["played_by"]
    others = [["0.0.1", "another"]]
    folder.drop_part(6)
    folder.write_info(info | {"status": "running", "played_by": others})
    play(bots, output)
    assert played == [0, 6]
    assert folder.info()["played_by"] == [*others, version]
    assert folder.digest() == RunFolder(whole).digest()
    # A part that this version would play otherwise.
    notes = folder.parts()[0]
    files = {table: folder.part_path(table, 0).read_bytes() for table in ("games", "hands")}
    kept = {key: value for key, value in notes.items() if key not in ("part", "files", "check")}
    folder.write_part(0, files, kept | {"digest": "0"})
    folder.drop_part(6)
    folder.write_info(info | {"status": "running", "played_by": others})
    for _ in range(2):
        with pytest.raises(ResultsError, match=r"hearts-sim 0\.0\.1.* part 0 comes out otherwise"):
            play(bots, output)
    assert 6 not in folder.parts()
