"""What is counted of a part: the same from its player and from its log."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from trial import FOUR, play_inline, write_files

from hearts_sim import load, run
from hearts_sim.report.summary import summarise
from hearts_sim.report.write import write_report
from hearts_sim.stats import block_bootstrap, datum_points
from hearts_sim.tournament.counting import kept as counting
from hearts_sim.tournament.counting.datum import datum_sums
from hearts_sim.tournament.counting.tally import MOST_BATCHES, Tally
from hearts_sim.tournament.log.packing import pack, unpack
from hearts_sim.tournament.reading.results import Results

SHORT: dict[str, Any] = {"end": {"deals": 2}, "tie": "draw"}
CLUMSY = """
from hearts_sim import Strategy

class Clumsy(Strategy):
    '''Fails now and then.'''

    def choose_card(self, view):
        if self.rng.random() < RATE:
            raise ValueError("oops")
        return view.legal.lowest()
"""


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies, one that fails rarely, and one that often does."""
    folder = write_files(tmp_path_factory.mktemp("five"), FOUR)
    often = CLUMSY.replace("Clumsy", "Hasty").replace("RATE", "0.2")
    return write_files(folder, {"clumsy.py": CLUMSY.replace("RATE", "0.002"), "hasty.py": often})


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    play_inline(monkeypatch)
    monkeypatch.setattr("hearts_sim.report.write.drawable", lambda summary: [])


ALL = ["Chance", "High", "Low", "Middle"]
TABLE = {"type": "table", "blocks": 18}
RUNS: dict[str, dict[str, Any]] = {
    "plain": {},
    "log of games": {"log": "games"},
    "pooled teams": {"rules": {**SHORT, "teams": "pooled"}},
    "six seats": {"rules": {**SHORT, "players": 6}},
    "a duel": {"format": {"type": "duel", "a": "Low", "b": "High", "blocks": 12}},
    "self-play": {"entries": ["Low"], "format": {"type": "selfplay", "blocks": 12}},
    "a target": {
        "format": {"type": "table", "max_games": 400, "target": {"points_halfwidth": 2.5}},
    },
    "faults": {"entries": ["Chance", "Clumsy", "High", "Low"]},
    "somebody disqualified": {
        "entries": [*ALL, "Hasty"],
        "faults": {"max_rate": 0.2},
    },
}


def play(folder: Path, output: Path, kind: dict[str, Any], **more: Any) -> Results:
    entries = kind.get("entries", ALL)
    config = {
        "name": "trial",
        "strategies": {"folder": str(folder), "entries": entries},
        "format": TABLE,
        "rules": SHORT,
        **{key: value for key, value in kind.items() if key != "entries"},
        **more,
    }
    return run(config, output=output, report=False)


def report(results: Results) -> dict[str, bytes]:
    """Everything that the report says, byte by byte."""
    names = write_report(summarise(load(results.path)))
    return {name: (results.path / name).read_bytes() for name in names}


def counts(results: Results) -> list[Path]:
    return sorted((results.path / "counts").iterdir())


@pytest.fixture
def recounted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """First blocks of the parts that are counted from now on."""
    first: list[int] = []
    count = counting.Counter.count

    def noted(self: Any, blocks: range, games: Any, hands: Any) -> Any:
        first.append(blocks.start)
        return count(self, blocks, games, hands)

    monkeypatch.setattr(counting.Counter, "count", noted)
    return first


@pytest.mark.parametrize("kind", RUNS.values(), ids=RUNS)
def test_log_and_players_say_the_same(
    five: Path, tmp_path: Path, recounted: list[int], kind: dict[str, Any]
) -> None:
    """A report from what players counted is that from the log, to the last byte."""
    results = play(five, tmp_path / "out", kind)
    filled = sum(notes["games"] > 0 for notes in results.folder.parts().values())
    assert len(counts(results)) == filled > 5
    recounted.clear()
    counted = report(results)
    assert not recounted
    for path in counts(results):
        path.unlink()
    assert report(results) == counted
    assert len(set(recounted)) == filled
    faulty = results.faults()["block"].nunique()
    assert (faulty > 0) == ("faults.csv" in counted)
    assert bool(json.loads(counted["summary.json"])["disqualified"]) == ("faults" in kind)


def test_an_extended_run(five: Path, tmp_path: Path, recounted: list[int]) -> None:
    """A run that is extended says what one from the start does, and counts only what is new."""
    small = play(five, tmp_path / "out", {}, format={"type": "table", "blocks": 11})
    played = len(small.folder.parts())
    recounted.clear()
    large = play(five, tmp_path / "out", {})
    assert len(recounted) <= len(large.folder.parts()) - played + 1  # the last part was shorter
    whole = play(five, tmp_path / "whole", {})
    found, wanted = report(large), report(whole)
    assert found["pairwise.csv"] == wanted["pairwise.csv"]
    assert found["ratings.csv"] == wanted["ratings.csv"]


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def of_another_version(data: bytes) -> bytes:
    read = unpack(data)
    assert read is not None
    notes, arrays = read
    return pack(notes | {"version": 0}, {name: 0 * array for name, array in arrays.items()})


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "half": lambda data: data[: len(data) // 2],
    "one bit": flipped,
    "no archive": lambda data: b"nothing" * 100,
    "another version": of_another_version,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_counts(
    five: Path, tmp_path: Path, recounted: list[int], damage: Callable[[bytes], bytes]
) -> None:
    """What cannot be read, or does not belong to the part, is counted again from the log."""
    results = play(five, tmp_path / "out", {}, format={"type": "table", "blocks": 9})
    wanted = report(results)
    third, fifth = counts(results)[2:5:2]
    third.write_bytes(damage(third.read_bytes()))
    fifth.write_bytes(counts(results)[5].read_bytes())
    recounted.clear()
    assert report(results) == wanted
    assert recounted == [2, 4]


def test_only_what_faults_touch_is_counted_without_them(
    five: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log of a part without faults is not opened for the ratings without tainted blocks."""
    results = play(five, tmp_path / "out", RUNS["faults"])
    wanted = report(results)
    parts = results.folder.parts()
    touched = {number for number, notes in parts.items() if notes["faults"]}
    assert 0 < len(touched) < len(parts)
    for number in parts.keys() - touched:
        results.folder.part_path("games", number).unlink()
        results.folder.part_path("hands", number).unlink()
    assert report(results) == wanted


def test_size_does_not_grow_with_blocks() -> None:
    """A part of a long run keeps batches of blocks, as many as its share of the run's."""
    rng = np.random.default_rng(5)

    def bytes_of(blocks: range) -> int:
        counter = counting.Counter(4, 4, 4, hands=False)
        block = np.repeat(np.array(blocks), 4)
        places = rng.permuted(np.tile([1.0, 2, 3, 4], (len(blocks), 1)), axis=1).ravel()
        games = dict.fromkeys(counting.GAME_COLUMNS, np.ones(len(block), np.int64))
        games |= {"block": block, "game": block, "place": places.astype(np.float32)}
        games |= {"strategy": np.tile(np.arange(4), len(blocks)), "team": -np.ones(len(block))}
        games |= {"seat": games["strategy"], "points": rng.integers(0, 99, len(block))}
        games["faults"] = np.zeros(len(block), np.int64)
        found = counter.count(blocks, games, None)
        assert len(np.unique(found.tally.pairs.block)) <= MOST_BATCHES
        return len(found.to_bytes({}))

    assert bytes_of(range(200_000, 201_024)) < 1.5 * bytes_of(range(200_000, 200_064))
    assert bytes_of(range(200_000, 201_024)) < bytes_of(range(1_024)) / 2


@pytest.mark.parametrize("blocks", [2, 999, 1000, 1001, 2000, 2001, 64_001])
def test_batches_of_a_part_make_up_those_of_the_run(blocks: int) -> None:
    """Counted in two runs of other lengths and merged, the comparisons are the same."""
    rows = {
        "team": np.full(8, -1),
        "points": np.zeros(8, np.int64),
        "block": np.repeat([0, blocks - 1], 4),
        "game": np.repeat([0, blocks], 4),
        "strategy": np.tile(np.arange(4), 2),
        "place": np.tile(np.arange(1.0, 5.0), 2),
        "hands": np.ones(8, np.int64),
    }
    whole = Tally(4, blocks)
    whole.add_games(rows)
    merged = Tally(4, blocks)
    for first in (0, 4):
        part = Tally(4, int(rows["block"][first]) + 1)
        part.add_games({name: values[first : first + 4] for name, values in rows.items()})
        merged.merge(part)
    assert np.array_equal(merged.pairs.block, whole.pairs.block)
    assert merged.pairs.block.max() < MOST_BATCHES
    assert (merged.pairs.block.max() >= MOST_BATCHES // 2 - 1) or blocks < MOST_BATCHES // 2
    for name in ("best", "rank_low"):
        one, other = (getattr(block_bootstrap(t.pairs, 4, draws=9), name) for t in (whole, merged))
        assert np.array_equal(one, other, equal_nan=True)


ARRAYS = st.dictionaries(
    st.text(max_size=4),
    npst.arrays(
        st.sampled_from(["<i8", "<f8", "<u2", "|b1", "<f4"]),
        npst.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=12),
    ),
    max_size=4,
)


@settings(max_examples=40)
@given(ARRAYS)
def test_arrays_come_back(arrays: dict[str, np.ndarray]) -> None:
    """Whatever is packed comes back with every bit, its type and its shape."""
    read = unpack(pack({"a": 1}, arrays))
    assert read is not None
    assert read[0] == {"a": 1}
    assert read[1].keys() == arrays.keys()
    for name, array in arrays.items():
        found = read[1][name]
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        assert found.tobytes() == array.tobytes()
        alone = unpack(pack({"a": 1}, arrays), [name])
        assert alone is not None
        assert [*alone[1]] == [name]
        assert alone[1][name].tobytes() == array.tobytes()


@pytest.mark.parametrize("far", [1, 1_000_000], ids=["blocks of a part", "blocks far apart"])
def test_points_less_the_datum(far: int) -> None:
    """Summed by game and seat it is what the statistics say of every hand."""
    rng = np.random.default_rng(3)
    rows = [
        (far * (7 + block), 3 * block + game, hand, seat, int(rng.integers(-5, 27)))
        for block in range(6)
        for game in range(int(rng.integers(1, 4)))
        for hand in range(1, int(rng.integers(2, 6)))
        for seat in range(4)
    ]
    block, game, hand, seat, points = np.array(rows).T
    first, beside, hands = datum_sums(
        block, game, hand.astype(np.uint16), seat.astype(np.uint8), points.astype(np.int32)
    )
    single = datum_points(100 * (block // far) + hand, seat, points)
    for at, row in enumerate(first):
        same = (game == game[row]) & (seat == seat[row])
        assert row == np.flatnonzero(same)[0]
        assert hands[at] == same.sum()
        assert beside[at] == pytest.approx(single[same].sum(), abs=1e-12)
    assert len(first) == 4 * len(np.unique(game))
