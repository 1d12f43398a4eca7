"""Runs on a Dask cluster: workers that are processes of their own, as on other machines."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zoo
from distributed import LocalCluster
from trial import COUNTS, FOUR, settings, write_files

from hearts_sim import run
from hearts_sim.errors import ClusterError, StrategyFault, StrategyLoadError
from hearts_sim.tournament.cluster import client as cluster
from hearts_sim.tournament.cluster import guest
from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.plan.spec import plan_run
from hearts_sim.tournament.reading.results import Results
from hearts_sim.tournament.run.runner import play_run
from hearts_sim.tournament.run.watching import Watcher

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

PATIENCE = 120
SHORT = {"players": 3, "end": {"deals": 1}, "tie": "draw"}


def start(**more: Any) -> Any:
    made: Any = LocalCluster
    options = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "dashboard_address": ":0",
        "processes": True,
    }
    return made(**(options | more))


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Workers have a temporary folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path_factory.mktemp("theirs")))
        yield


@pytest.fixture(scope="module")
def workers(theirs: None) -> Iterator[Any]:
    """A cluster of two workers with a thread each."""
    with start() as made:
        yield made


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("four"), FOUR)


@pytest.fixture(scope="module")
def here(four: Path, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A run of the four on this machine."""
    return run(settings(four, games=200), output=tmp_path_factory.mktemp("here"), report=False)


def processes_of(made: Any) -> dict[int, list[int]]:
    """The workers' processes, each with its player processes."""
    found = {}
    for nanny in made.workers.values():
        pid = nanny.process.pid
        threads = Path(f"/proc/{pid}/task").iterdir()
        children = [
            int(child) for thread in threads for child in (thread / "children").read_text().split()
        ]
        players = [child for child in children if b"players.playing" in _command(child)]
        found[pid] = players
    return found


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def nothing_is_left(made: Any) -> None:
    """No player processes, no files, nothing that waits."""
    assert not any(processes_of(made).values())
    assert list(Path(os.environ["TMPDIR"]).glob("hearts-sim-*/travel/*")) == []
    assert made.scheduler.tasks == {}


class Listener(Watcher):
    """Keeps what it is told of the place and of the progress."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self.games: list[int] = []

    def notice(self, text: str) -> None:
        self.notices.append(text)

    def advanced(self, games: int) -> None:
        self.games.append(games)


def test_the_same_results(workers: Any, four: Path, here: Results, tmp_path: Path) -> None:
    """The digest is that of a run on one machine; progress is told; nothing is left."""
    config = config_from_mapping(settings(four, games=200))
    spec, _ = plan_run(config)
    listener = Listener()
    address = workers.scheduler_address
    outcome = play_run(
        spec, tmp_path / "out", config=config.resolved(), scheduler=address, watcher=listener
    )
    results = Results(outcome.folder.path)
    assert results.digest() == here.digest()
    assert results.info["environment"]["scheduler"] == address
    assert results.info["entries"] == here.info["entries"]
    assert listener.notices == [f"{address}: 2 workers with 2 threads"]
    assert listener.games == sorted(set(listener.games))
    assert listener.games[-1] == results.info["games"]
    assert results.info["checks"]["not_compared"] == here.info["checks"]["not_compared"]
    nothing_is_left(workers)


@pytest.mark.long
def test_an_audit_there(workers: Any, tmp_path: Path) -> None:
    """Blocks are played again on the cluster; who counts in its module is named."""
    bots = write_files(tmp_path / "bots", {**FOUR, "counts.py": COUNTS})
    address = workers.scheduler_address
    config = settings(bots, games=60, rules=SHORT, log="games")
    audit = run(
        config, output=tmp_path / "out", scheduler=address, audit=0.5, report=False
    ).info["audit"]  # fmt: skip
    assert [change["strategy"] for change in audit["changes"]] == ["Counts"]
    assert (audit["lost"], audit["unrecorded"]) == (0, 0)
    assert audit["games"] == 3 * audit["blocks"] > 3
    nothing_is_left(workers)


def zoo_config(folder: Path, *names: str, policy: str = "substitute") -> dict[str, Any]:
    """Some animals, each against two good bots, on the deals of a block."""
    tried = [zoo.BY_NAME[name] for name in names]
    good = [{"name": name, "strategy": zoo.GOOD} for name in ("Field1", "Field2", "Control")]
    return {
        "name": "zoo",
        "seed": 4,
        "rules": SHORT,
        "strategies": {
            "folder": str(zoo.place(folder, *tried)),
            "entries": [*good, *(animal.entry("shared", 1, 4) for animal in tried)],
        },
        "format": {"type": "gauntlet", "newcomers": ["Control", *names], "blocks": 1},
        "log": "plays",
        "faults": {"policy": policy, "max_rate": 1, "decision_seconds": 0.4, "memory_mb": 64},
    }


def misbehave(made: Any, tmp_path: Path, *names: str) -> None:
    """The right bots are blamed with the paths of this machine; all games are as they are here."""
    config = zoo_config(tmp_path / "s", *names)
    address = made.scheduler_address
    there = run(config, output=tmp_path / "there", scheduler=address, report=False)
    faults = there.faults()
    kinds = {zoo.BY_NAME[name].name: zoo.BY_NAME[name].kind for name in names}
    assert dict(zip(faults["strategy"], faults["kind"], strict=True)) == kinds
    seen = faults["traceback"].str.cat(faults["message"])
    assert not seen.str.contains("travel").any()
    traced = faults.loc[faults["traceback"] != "", "traceback"]
    assert traced.str.contains(str(tmp_path / "s"), regex=False).all()
    if all(kind == "too_slow" for kind in kinds.values()):
        # Whoever never answers leaves the same game behind; to sleep is the cheapest way.
        for entry in config["strategies"]["entries"][-len(names) :]:
            entry["strategy"] = "Slow"
    here = run(config, output=tmp_path / "here", jobs=2, report=False)
    assert there.digest() == here.digest()
    nothing_is_left(made)


@pytest.mark.long
def test_limits_hold_there(workers: Any, tmp_path: Path) -> None:
    """Bots that sleep, or let nobody stop them."""
    misbehave(workers, tmp_path, "Slow", "CLoop")


@pytest.mark.long
def test_all_limits_hold_there(tmp_path: Path, theirs: None) -> None:
    """All ways to misbehave that there are, on a worker with two threads."""
    names = ("Slow", "SpinForever", "CatchAll", "BareExcept", "CLoop", "MemoryHog", "OsExit")
    names += ("Segfault", "SysExit", "Raises")
    with start(n_workers=1, threads_per_worker=2) as made:
        misbehave(made, tmp_path, *names)


def test_strict(workers: Any, tmp_path: Path) -> None:
    """The fault that stops the run is told as it would be here."""
    config = zoo_config(tmp_path / "s", "Raises", policy="strict")
    with pytest.raises(StrategyFault, match=r"^Raises failed in choose_card \(block 0") as caught:
        run(config, output=tmp_path / "out", scheduler=workers.scheduler_address, report=False)
    assert f"in {tmp_path / 's' / 'raises.py'}" in str(caught.value)
    assert "travel" not in str(caught.value)
    nothing_is_left(workers)


def test_what_cannot_be_loaded_there(
    workers: Any, four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that only this machine has: the message names the worker and what to do."""
    write_files(tmp_path / "only_here", {"only_here.py": ""})
    monkeypatch.syspath_prepend(tmp_path / "only_here")
    bot = "import only_here\n" + FOUR["low.py"]
    folder = write_files(tmp_path / "bots", {**FOUR, "low.py": bot})
    with pytest.raises(StrategyLoadError) as caught:
        run(
            settings(folder, ["Low", "High"], type="duel", games=14),
            output=tmp_path / "out",
            scheduler=workers.scheduler_address,
            report=False,
        )
    said = str(caught.value)
    assert f"{folder}/low.py:1: does not import: ModuleNotFoundError: No module named" in said
    assert "(on worker tcp://" in said
    nothing_is_left(workers)


def when(happens: Callable[[], bool], then: Callable[[], None]) -> threading.Thread:
    """Do something as soon as something has happened."""

    def watch() -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if happens():
                then()
                return
            time.sleep(0.02)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def test_a_worker_is_killed(workers: Any, four: Path, here: Results, tmp_path: Path) -> None:
    """What it was at is played by another one; the results are the same."""
    output = tmp_path / "out"
    killed = []

    def kill_one() -> bool:
        if list(output.glob("timing/*.json")):
            killed.extend([pid for pid, players in processes_of(workers).items() if players][:1])
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        return bool(killed)

    killer = when(kill_one, lambda: None)
    results = run(
        settings(four, games=200),
        output=output,
        scheduler=workers.scheduler_address,
        report=False,
    )
    killer.join()
    assert killed
    assert results.digest() == here.digest()


def test_other_versions(
    workers: Any, four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker with other versions is refused, at the start and when it comes later."""
    other = guest.versions() | {"hearts-sim": "7.7", "numba": "0.1"}
    monkeypatch.setattr(guest, "versions", lambda: other)
    address = workers.scheduler_address
    with pytest.raises(ClusterError) as caught:
        run(settings(four), output=tmp_path / "out", scheduler=address, report=False)
    for worker in workers.scheduler.workers:
        assert f"worker {worker} on " in str(caught.value)
    assert "(here 7.7), numba " in str(caught.value)
    monkeypatch.setattr(
        cluster, "_check_versions", lambda client, address: {"": list(client.nthreads())}
    )
    with pytest.raises(
        ClusterError, match=r"worker tcp://.* has another version: hearts-sim .*7.7"
    ):
        run(settings(four), output=tmp_path / "out", scheduler=address, report=False)
    nothing_is_left(workers)


def test_nobody_answers(four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong address is no traceback, and leaves nothing that would need --resume."""
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
    for address, why in (
        ("tcp://127.0.0.1:9", "(Connection refused|Timed out)"),
        ("nonsense://x", "unknown address scheme 'nonsense'"),
        ("tls://127.0.0.1:9", "TLS"),
    ):
        with pytest.raises(ClusterError, match=f"no Dask scheduler answers at '{address}'.*{why}"):
            run(settings(four), output=tmp_path / "out", scheduler=address, report=False)
    assert len(run(settings(four), output=tmp_path / "out", report=False).games()) > 0


def test_no_workers(four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for the first one, says so, and gives up with what to do."""
    monkeypatch.setattr(cluster, "WORKERS_SECONDS", 0.1)
    config = config_from_mapping(settings(four))
    spec, _ = plan_run(config)
    listener = Listener()
    with (
        start(n_workers=0) as made,
        pytest.raises(ClusterError, match=r"has no workers, and none came .*\(dask worker tcp:"),
    ):
        play_run(
            spec,
            tmp_path / "out",
            config=config.resolved(),
            scheduler=made.scheduler_address,
            watcher=listener,
        )
    assert [text.partition(" has ")[2] for text in listener.notices] == [
        "no workers yet: waiting for the first one ..."
    ]


def test_dask_is_not_installed(four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is the command that installs it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r'pip install "hearts-sim\[dist\]"'):
        run(settings(four), output=tmp_path / "out", scheduler="tcp://x:1", report=False)


KILLER = """
import os, signal
from hearts_sim import Strategy

class Killer(Strategy):
    '''Kills whoever has started its process.'''

    def choose_card(self, view):
        os.kill(os.getppid(), signal.SIGKILL)
        return view.legal.lowest()
"""


@pytest.mark.long
def test_workers_that_die_again_and_again(four: Path, tmp_path: Path) -> None:
    """The message says which part it was, how often it was tried, and where to look."""
    folder = write_files(tmp_path / "s", {**FOUR, "killer.py": KILLER})
    config = settings(folder, ["Killer", "Low"], type="duel", games=14)
    with (
        start(scheduler_kwargs={"allowed_failures": 1}, n_workers=1) as made,
        pytest.raises(ClusterError, match=r"part 0 \(blocks 0 to 0\) was given to 2 workers"),
    ):
        run(config, output=tmp_path / "out", scheduler=made.scheduler_address, report=False)
