"""What travels to other machines, and what it is there."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from trial import CHANCE, FOUR, LOW, settings, write_files

from hearts_sim import run
from hearts_sim.errors import ClusterError
from hearts_sim.tournament.cluster import travel
from hearts_sim.tournament.cluster.travel import Lodging, pack
from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.plan.spec import RunSpec, plan_run
from hearts_sim.tournament.run.runner import play_run
from hearts_sim.tournament.run.watching import Watcher

READS_A_FILE = """
from pathlib import Path
from hearts_sim import Strategy
from ._order import backwards

class Reads(Strategy):
    '''Looks up its way in a file beside it.'''

    way = (Path(__file__).parent / "data" / "way.txt").read_text()

    def choose_card(self, view):
        return view.legal.highest() if backwards(self.way) else view.legal.lowest()
"""


def planned(folder: Path, entries: list[object] | None = None, base: Path | None = None) -> RunSpec:
    config = settings(folder, entries)
    spec, _ = plan_run(config_from_mapping(config, base=base or folder.parent))
    return spec


def below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder that stands for that of another machine."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "elsewhere"))
    return tmp_path / "elsewhere"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A project with strategies, helpers, data, and much that nobody needs."""
    home = tmp_path / "home"
    write_files(home / "bots", {"reads.py": READS_A_FILE, "low.py": LOW, "chance.py": CHANCE})
    write_files(home / "bots", {"_order.py": "def backwards(way): return way == 'down'\n"})
    write_files(home / "bots" / "data", {"way.txt": "down", ".secret": "x", "old.pyc": "x"})
    for folder in (".git", "__pycache__", ".cache", "env", "results"):
        write_files(home / "bots" / folder, {"much.py": "x = 1\n"})
    write_files(home / "bots" / "env", {"pyvenv.cfg": ""})
    write_files(home / "bots" / "results", {"run.json": "{}"})
    return home


def test_what_travels(home: Path) -> None:
    """Sources, helpers and data, with their paths from the root on; and nothing else."""
    there = Lodging(pack(planned(home / "bots")))
    place = there.folder / home.relative_to(home.anchor) / "bots"
    assert below(place) == {"reads.py", "low.py", "chance.py", "_order.py", "data/way.txt"}
    assert there.spec.folders == (str(place),)
    assert {entry.file for entry in there.spec.entries} == {
        str(place / name) for name in ("reads.py", "low.py", "chance.py")
    }
    text = f"{place}/low.py:3: wrong, and {there.folder}/x"
    assert there.as_at_home(text) == f"{home}/bots/low.py:3: wrong, and /x"
    there.leave()
    assert not there.folder.exists()


def test_the_same_games_there(home: Path, tmp_path: Path) -> None:
    """A run with the paths of the other machine plays the same games, without the first ones."""
    entries = ["Reads", "Low", "Chance"]
    here = run(settings(home / "bots", entries), output=tmp_path / "here", report=False)
    there = Lodging(pack(planned(home / "bots", entries)))
    assert there.spec.fingerprint() == planned(home / "bots", entries).fingerprint()
    home.rename(tmp_path / "gone")
    outcome = play_run(there.spec, tmp_path / "there", config={}, watcher=Watcher())
    assert outcome.folder.digest() == here.digest()
    there.leave()


def test_the_digest_is_that_of_the_contents(home: Path) -> None:
    """Equal files have equal archives, whenever they were written; another byte makes another."""
    first = pack(planned(home / "bots"))
    os.utime(home / "bots" / "low.py", (1, 1))
    assert pack(planned(home / "bots")).digest == first.digest
    (home / "bots" / "data" / "way.txt").write_text("up")
    assert pack(planned(home / "bots")).digest != first.digest


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_programs_and_libraries(home: Path) -> None:
    """What a command names by relative paths goes with its folder; the library by itself."""
    write_files(home / "programs", {"bot.sh": "#!/bin/sh\n", "words.txt": "x"})
    write_files(home / "more", {"a.txt": "a"})
    (home / "programs" / "bot.sh").chmod(0o755)
    write_files(home / "configs", {"c.yaml": ""})
    command = ["../programs/bot.sh", "../more", "/bin/sh", "--fast"]
    spec = planned(home / "bots", [{"name": "sh", "command": command}] * 1, home / "configs")
    there = Lodging(pack(spec))
    base = Path(there.spec.entries[0].folder)
    assert base == there.folder / home.relative_to(home.anchor) / "configs"
    assert below(there.folder / home.relative_to(home.anchor)) == {
        "programs/bot.sh", "programs/words.txt", "more/a.txt",
    }  # fmt: skip
    subprocess.run([base / command[0]], check=True)
    assert there.spec.fingerprint() == spec.fingerprint()
    there.leave()


def test_too_much(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest files are named."""
    (home / "bots" / "data" / "weights.bin").write_bytes(bytes(3_000_000))
    monkeypatch.setattr(travel, "MOST_BYTES", 1 << 20)
    with pytest.raises(ClusterError, match=r"hold 3 MB, and at most 1 MB travel") as caught:
        pack(planned(home / "bots"))
    assert f"the largest files are {home}/bots/data/weights.bin (3.0 MB), " in str(caught.value)
    monkeypatch.setattr(travel, "MOST_FILES", 3)
    with pytest.raises(ClusterError, match="more than 3 files would travel to the workers"):
        pack(planned(home / "bots"))


def test_damaged_on_the_way(home: Path) -> None:
    """What does not have its digest is not unpacked."""
    good = pack(planned(home / "bots"))
    bad = travel.Baggage(good.spec, good.places, "0" * 32, good.archive)
    with pytest.raises(ClusterError, match="damaged on its way"):
        Lodging(bad)


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_one_folder_for_all_on_a_machine(tmp_path: Path, elsewhere: Path) -> None:
    """Who leaves last takes it away; what killed processes have left goes with the next guest."""
    baggage = pack(planned(write_files(tmp_path / "four", FOUR)))
    program = (
        "import pickle, sys, time; from hearts_sim.tournament.cluster.travel import Lodging; "
        "there = Lodging(pickle.load(sys.stdin.buffer)); print(there.folder, flush=True); "
        "time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(elsewhere)},
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdin.write(pickle.dumps(baggage))
        other.stdin.close()
        folder = Path(other.stdout.readline().decode().strip())
        mine = Lodging(baggage)
        assert mine.folder == folder
        mine.leave()
        assert (folder / str(tmp_path)[1:] / "four" / "low.py").exists()
        other.kill()
    another = Lodging(pack(planned(write_files(tmp_path / "low", {"low.py": LOW}), ["Low"])))
    assert not folder.exists()
    another.leave()
    assert list(folder.parent.iterdir()) == []
