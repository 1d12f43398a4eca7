"""A league survives every animal of the zoo, at each level of isolation and under each policy."""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import zoo

from hearts_sim import run
from hearts_sim.errors import StrategyFault
from hearts_sim.tournament.reading.results import Results

MARK = "HEARTS_SIM_TEST_OF_THE_ZOO"
FIELD = ("Field1", "Field2")
CONTROLS = ("Control1", "Control2")
SHORT = {"players": 3, "end": {"deals": 1}, "tie": "draw"}
LIMITS = {
    "shared": {"decision_seconds": 0.5, "memory_mb": 64},
    "process": {"decision_seconds": 1.5, "memory_mb": 256},
    "command": {"decision_seconds": 1.0},
}
# Where and when an animal begins.
HAND, TRICK = 1, 4
# Its moment is not of the choosing of a test.
UNPREDICTABLE = ("IllegalSometimes", "GlobalState")
NOT_AT_ALL = ("ImportFails", "ImportExits")


def animals(level: str, *, ends_process: bool | None = None) -> list[zoo.Animal]:
    """Those that can be tried at a level and whose file can be imported."""
    return [
        animal
        for animal in zoo.ANIMALS
        if level in animal.levels
        and animal.name not in (*UNPREDICTABLE, *NOT_AT_ALL)
        and ends_process in (None, animal.ends_process)
    ]


def league(
    folder: Path, entries: Sequence[dict[str, Any]], policy: str, **faults: Any
) -> dict[str, Any]:
    """Every animal and the controls as newcomers against a field of good bots."""
    names = [entry["name"] for entry in entries]
    good = [{"name": name, "strategy": zoo.GOOD} for name in (*FIELD, *CONTROLS)]
    return {
        "name": "zoo",
        "seed": 4,
        "rules": SHORT,
        "strategies": {"folder": str(folder), "entries": [*good, *entries]},
        "format": {"type": "gauntlet", "newcomers": [*CONTROLS, *names], "blocks": 1},
        "log": "plays",
        "faults": {"policy": policy, "max_rate": 1, **faults},
    }


def left_behind(mark: str) -> list[str]:
    """Processes that were started from this test and are still there."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError):
                if f"{MARK}={mark}".encode() in Path("/proc", name, "environ").read_bytes():
                    found.append(Path("/proc", name, "cmdline").read_text().replace("\0", " "))
    return found


def games_of(results: Results, name: str, table: str) -> pd.DataFrame:
    """Rows of the games in which somebody sits, without what tells games apart."""
    games = results.games()
    mine = games[games["strategy"] == name]["game"]
    frame = getattr(results, table)()
    kept = frame[frame["game"].isin(mine)].drop(columns=["game", "seating"])
    return kept.drop(columns="strategy", errors="ignore").reset_index(drop=True)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """The games that good bots play in all places."""
    folder = zoo.place(tmp_path_factory.mktemp("good") / "s")
    config = league(folder, [], "strict")
    return run(config, output=folder.parent / "out", report=False)


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """A value in the environment of all that is started from now on."""
    value = uuid.uuid4().hex
    monkeypatch.setenv(MARK, value)
    return value


def check(results: Results, tried: Sequence[zoo.Animal], policy: str, good: Results) -> None:
    """Who failed is blamed for what it did where it did it; nobody else is touched by it."""
    faults = results.faults()
    guilty = {animal.name: animal for animal in tried if animal.kind is not None}
    assert set(faults["strategy"]) == set(guilty)
    for name, animal in guilty.items():
        own = faults[faults["strategy"] == name]
        assert set(own["kind"]) == {animal.kind}, own[["kind", "message"]].to_string()
        barred = animal.kind == "import_error"
        assert set(own["hook"]) == {"prepare" if barred else animal.hook}, name
        if barred:
            assert len(own) == 1
            continue
        games = results.games()
        games = games[(games["strategy"] == name)]
        assert (games["faults"] > 0).all(), name
        assert set(own["game"]) == set(games["game"]), name
        if "trick" in animal.moment and animal.hook == "choose_card":
            first = own.groupby("game")[["hand", "trick"]].first()
            assert first.eq([HAND, TRICK]).all(axis=None), name
        if animal.hard or policy == "forfeit":
            assert games["faults"].eq(1).all(), name
        if policy == "forfeit":
            assert games["place"].eq(results.rules.players).all(), name
    out = {item["strategy"] for item in results.info["disqualified"]}
    assert out == {name for name, animal in guilty.items() if animal.kind == "import_error"}
    untouched = [animal.name for animal in tried if animal.kind is None and animal.plays_good]
    for table in ("games", "hands", "plays"):
        wanted = games_of(good, CONTROLS[0], table)
        assert len(wanted)
        for name in (*CONTROLS, *untouched):
            assert games_of(results, name, table).equals(wanted), name


def try_out(
    tmp_path: Path, tried: Sequence[zoo.Animal], level: str, policy: str, jobs: int | None
) -> Results:
    folder = zoo.place(tmp_path / "s", *tried)
    entries = [animal.entry(level, HAND, TRICK) for animal in tried]
    config = league(folder, entries, policy, **LIMITS[level])
    return run(config, output=tmp_path / "out", jobs=jobs, report=False)


OWN = {
    # Every process takes a second to start, so not all of them are tried each time.
    ("process", "substitute"): (
        "BareExcept",
        "MemoryHog",
        "OsExit",
        "Printer",
        "ChildStays",
        "PrepareRaises",
    ),
    ("process", "forfeit"): ("CLoop", "KillsItself", "SysExit", "HugeAnswer"),
    ("command", "substitute"): tuple(animal.name for animal in animals("command")),
    ("command", "forfeit"): ("bad_exits", "bad_late", "bad_twice", "bad_child_stays"),
}


@pytest.mark.parametrize(
    ("level", "policy"),
    [
        # What a policy makes of a fault does not ask where it came from.
        pytest.param(level, policy, marks=[pytest.mark.long] if policy == "forfeit" else [])
        for level, policy in OWN
    ],
)
def test_on_their_own(tmp_path: Path, good: Results, mark: str, level: str, policy: str) -> None:
    """Bots with a process each: the run ends, the right ones are blamed, nothing is left."""
    tried = [zoo.BY_NAME[name] for name in OWN[level, policy]]
    check(try_out(tmp_path, tried, level, policy, jobs=1), tried, policy, good)
    assert left_behind(mark) == []


@pytest.mark.parametrize("policy", ["substitute", "forfeit"])
def test_in_a_shared_process(tmp_path: Path, good: Results, mark: str, policy: str) -> None:
    """Bots that leave the process alive."""
    tried = animals("shared", ends_process=False)
    check(try_out(tmp_path, tried, "shared", policy, jobs=1), tried, policy, good)
    assert left_behind(mark) == []


@pytest.mark.parametrize(
    ("policy", "name"),
    [
        # Every end costs two starts of a process, and one by a signal three; all of them are a
        # long test below, and OsExit under "substitute" is in test_decision.
        ("substitute", "BareExcept"),
        ("forfeit", "OsExit"),
    ],
)
def test_ends_of_the_shared_process(
    tmp_path: Path, good: Results, mark: str, policy: str, name: str
) -> None:
    """Bots that take the process with them; beside one that leaves a process behind."""
    tried = [zoo.BY_NAME[name], zoo.BY_NAME["ChildStays"]]
    check(try_out(tmp_path, tried, "shared", policy, jobs=2), tried, policy, good)
    assert left_behind(mark) == []


STRICT = [
    *((animal.name, "shared") for animal in animals("shared", ends_process=False)),
    *((name, "shared") for name in ("OsExit", "BareExcept")),
    *((name, "process") for name in ("OsExit", "Raises")),
    *((name, "command") for name in ("bad_exits", "bad_prints")),
]


@pytest.mark.parametrize(("name", "level"), STRICT)
def test_strict(tmp_path: Path, mark: str, name: str, level: str) -> None:
    """The first fault stops the run, and its message names the bot and the decision."""
    animal = zoo.BY_NAME[name]
    if animal.kind is None:
        pytest.skip("makes no fault")
    limits = {"time": {"decision_seconds": 0.5}, "memory": {"memory_mb": 64}, "": {}}
    folder = zoo.place(tmp_path / "s", animal)
    entry = animal.entry(level, HAND, TRICK)
    config = league(folder, [entry], "strict", **limits[animal.needs])
    jobs = 1 if animal.ends_process and level == "shared" else None
    with pytest.raises(StrategyFault) as caught:
        run(config, output=tmp_path / "out", jobs=jobs, report=False)
    message = str(caught.value)
    assert message.startswith(name)
    if animal.kind != "import_error":
        assert message.startswith(f"{name} failed in {animal.hook} (block 0, seating ")
    end = time.monotonic() + 5
    while left_behind(mark) and time.monotonic() < end:
        time.sleep(0.02)
    assert left_behind(mark) == []


def test_files_that_do_not_import(tmp_path: Path, good: Results) -> None:
    """Where entries are left out, a broken file is left out too, and named; or it stops the run."""
    tried = [zoo.BY_NAME[name] for name in NOT_AT_ALL]
    folder = zoo.place(tmp_path / "s", *tried)
    config = league(folder, [], "substitute")
    del config["strategies"]["entries"]
    config["format"] = {"type": "selfplay", "blocks": 1}
    with pytest.warns(UserWarning, match="left out: .*does not import"):
        results = run(config, output=tmp_path / "out", report=False)
    assert results.names == [zoo.GOOD]
    left = {Path(item["file"].split(".py")[0]).name for item in results.info["not_loaded"]}
    assert left == {"import_fails", "import_exits"}


@pytest.mark.long
@pytest.mark.parametrize("policy", ["substitute", "forfeit"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_everything_at_once(
    tmp_path: Path, good: Results, mark: str, jobs: int, policy: str
) -> None:
    """All animals that a shared process can stand or is ended by."""
    tried = animals("shared")
    check(try_out(tmp_path, tried, "shared", policy, jobs), tried, policy, good)
    assert left_behind(mark) == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(zoo.BY_NAME))
@pytest.mark.parametrize("policy", ["strict", "substitute", "forfeit"])
def test_each_alone(tmp_path: Path, good: Results, mark: str, name: str, policy: str) -> None:
    """Every animal, at every level that can stand it, under every policy."""
    animal = zoo.BY_NAME[name]
    if name in (*UNPREDICTABLE, *NOT_AT_ALL):
        pytest.skip("tested elsewhere")
    for level in animal.levels:
        where = tmp_path / level
        if policy == "strict" and animal.kind is not None:
            with pytest.raises(StrategyFault, match=f"^{name}"):
                try_out(where, [animal], level, policy, jobs=1)
        else:
            check(try_out(where, [animal], level, policy, jobs=1), [animal], policy, good)
        assert left_behind(mark) == []
