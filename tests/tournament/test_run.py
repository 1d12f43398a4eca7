"""Playing a run: the same whatever plays it, fair to equal strategies, the same deals for all."""

from __future__ import annotations

import itertools
from collections import defaultdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from trial import CHANCE, FOUR, HIGH, LOW, settings, write_files

from hearts_sim import Card, Strategy, load, play_game, run
from hearts_sim.errors import HeartsError
from hearts_sim.report.summary import summarise
from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.plan.schedule import parts
from hearts_sim.tournament.plan.spec import RunSpec, plan_run
from hearts_sim.tournament.players import tasks
from hearts_sim.tournament.reading.results import Results
from hearts_sim.tournament.run import watching
from hearts_sim.tournament.run.runner import play_run
from hearts_sim.tournament.run.watching import Watcher

STRATEGIES = Path(__file__).parents[2] / "strategies"


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies."""
    return write_files(tmp_path_factory.mktemp("four"), FOUR)


def play(folder: Path, output: Path, **more: Any) -> Results:
    """Play in this process, without a report."""
    return run(settings(folder, **more), output=output, report=False)


class Listener(Watcher):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def compiling(self) -> None:
        self.heard.append("compiling")

    def started(self, games: int) -> None:
        self.heard.append(("started", games))

    def advanced(self, games: int) -> None:
        self.heard.append(games)

    def check(self, games: int) -> None:
        """It heard of the beginning, and then of more and more games."""
        assert self.heard[:2] == ["compiling", ("started", games)]
        numbers = self.heard[2:]
        assert numbers == sorted(set(numbers))


def planned(folder: Path, **more: Any) -> tuple[RunSpec, dict[str, Any]]:
    config = config_from_mapping(settings(folder, **more))
    spec, _ = plan_run(config)
    return spec, config.resolved()


# The same results


def test_jobs_do_not_matter(four: Path, tmp_path: Path) -> None:
    """In process, with one and with two player processes a run has one digest and equal files."""
    spec, config = planned(four, games=60, log="plays")
    digests = set()
    for jobs in (None, 1, 2):
        listener = Listener()
        output = tmp_path / str(jobs)
        outcome = play_run(spec, output, config=config, jobs=jobs, watcher=listener)
        digests.add(outcome.folder.digest())
        listener.check(60)
    assert len(digests) == 1
    for table in ("games", "hands", "plays"):
        for path in sorted((tmp_path / "None" / table).iterdir()):
            same = {(tmp_path / jobs / table / path.name).read_bytes() for jobs in "12"}
            assert same == {path.read_bytes()}


def test_twice_in_a_row(four: Path, tmp_path: Path) -> None:
    """What is left of a run in the process does not change the next one."""
    first = play(four, tmp_path / "1", games=12)
    other = play(four, tmp_path / "2", games=12, seed=1)
    again = play(four, tmp_path / "3", games=12)
    assert first.digest() == again.digest() == first.info["digest"]
    assert other.digest() != first.digest()


def test_a_longer_run_begins_with_the_shorter_one(four: Path, tmp_path: Path) -> None:
    """The parts of a run come again, file by file, in a run of more games."""
    short = play(four, tmp_path / "short", games=40)
    play(four, tmp_path / "long", games=80)
    files = sorted((tmp_path / "short" / "hands").iterdir())
    assert len(files) == len(parts(short.info["blocks"])) == 9
    for path in files[:8]:
        assert (tmp_path / "long" / "hands" / path.name).read_bytes() == path.read_bytes()


def test_log_levels(four: Path, tmp_path: Path) -> None:
    """Each level of the log keeps what it says, and less of it leaves equal rows."""
    runs = {
        log: play(four, tmp_path / log, games=12, log=log) for log in ("games", "hands", "plays")
    }
    for log, tables in (("games", 1), ("hands", 2), ("plays", 3)):
        held = [runs[log].has(table) for table in ("games", "hands", "plays")]
        assert held == [True] * tables + [False] * (3 - tables)
        folders = {path.name for path in (tmp_path / log).iterdir() if path.is_dir()}
        assert folders == {"counts", "timing", *("games", "hands", "plays")[:tables]}
    assert runs["games"].games().equals(runs["hands"].games())
    assert runs["games"].games().equals(runs["plays"].games())
    assert runs["hands"].hands().equals(runs["plays"].hands())


def test_a_change_of_the_source_is_another_run(tmp_path: Path) -> None:
    """Editing a strategy, a helper or an option makes it another run."""
    folder = write_files(tmp_path / "s", {"low.py": LOW, "_help.py": "", "high.py": HIGH})

    def fingerprint(**more: Any) -> str:
        spec, _ = plan_run(config_from_mapping(settings(folder, **more)))
        return spec.fingerprint()

    prints = {fingerprint(), fingerprint(seed=1), fingerprint(entries=["Low"])}
    prints.add(fingerprint(log="games"))
    write_files(folder, {"_help.py": "x = 1"})
    prints.add(fingerprint())
    write_files(folder, {"low.py": LOW + "\n"})
    prints.add(fingerprint())
    assert len(prints) == 6
    assert fingerprint(games=100) in prints


def test_edited_helper_is_used_in_the_same_process(tmp_path: Path) -> None:
    """A helper that is edited between two runs of one process is read again."""
    bot = """
        from hearts_sim import Strategy
        from ._pick import pick

        class Picker(Strategy):
            def choose_card(self, view):
                return pick(view.legal)
    """
    folder = write_files(tmp_path / "s", {"bot.py": bot})
    digests = []
    for pick in ("lowest", "highest", "lowest"):
        write_files(folder, {"_pick.py": f"def pick(cards):\n    return cards.{pick}()\n"})
        output = tmp_path / str(len(digests))
        digests.append(play(folder, output, type="selfplay", games=1).digest())
    assert digests[0] == digests[2] != digests[1]


# Fairness

NULLS = {
    "compiled random": (None, "RandomLegal"),
    "plain random": (CHANCE, "Chance"),
    "deterministic": (HIGH, "High"),
}


@pytest.mark.parametrize(("source", "name"), NULLS.values(), ids=NULLS)
def test_a_strategy_against_itself(tmp_path: Path, source: str | None, name: str) -> None:
    """One strategy under two names has equal sums in every block, and differs by exactly zero."""
    folder = STRATEGIES if source is None else write_files(tmp_path / "s", {"bot.py": source})
    entries = [{"strategy": name, "name": "one"}, {"strategy": name, "name": "other"}]
    results = play(folder, tmp_path / "out", entries=entries, games=40)
    games = results.games()
    columns = ["score", "points", "place", "win", "hands", "moons", "queens"]
    sums = games.groupby(["block", "strategy"], observed=True)[columns].sum()
    assert sums.xs("one", level="strategy").equals(sums.xs("other", level="strategy"))
    board = summarise(results).board.set_index("strategy")
    for column in ("points", "points_error", "elo", "elo_error", "wins", "last", "queens"):
        assert board.loc["one", column] == board.loc["other", column]


class Draws(Strategy):
    """Notes the first numbers of its stream in every hand, and plays on."""

    seen: list[tuple[float, ...]] = []

    def start_hand(self, view: Any) -> None:
        self.seen.append(tuple(self.rng.random() for _ in range(3)))

    def choose_card(self, view: Any) -> Card:
        return view.legal.lowest()


class Lowest(Strategy):
    """Plays its lowest card."""

    def choose_card(self, view: Any) -> Card:
        return view.legal.lowest()


class Highest(Lowest):
    """Plays its highest card, and draws random numbers."""

    def choose_card(self, view: Any) -> Card:
        self.rng.random()
        return view.legal.highest()


def test_a_stream_does_not_depend_on_the_partners() -> None:
    """A seat has the same random numbers in a hand, whoever sits beside it and however it draws."""
    hands = []
    for partner in (Lowest, Highest):
        Draws.seen = []
        play_game([partner, partner, Draws, partner], seed=9)
        hands.append(Draws.seen)
    common = min(map(len, hands))
    assert common >= 3
    assert hands[0][:common] == hands[1][:common]
    assert len(set(hands[0])) == len(hands[0])
    Draws.seen = []
    play_game([Lowest, Draws, Lowest, Lowest], seed=9)
    assert not set(Draws.seen) & set(hands[0])


def deals(results: Results) -> dict[tuple[int, int], dict[int, Any]]:
    """The hands dealt, by block and hand, and then by seating; for rules without a pass."""
    plays = results.plays()
    found: dict[tuple[int, int], dict[int, Any]] = defaultdict(dict)
    for key, rows in plays.groupby(["block", "hand", "seating"]):
        block, hand, seating = (int(number) for number in key)
        cards = [frozenset(rows["card"][rows["seat"] == seat]) for seat in range(4)]
        assert sum(map(len, cards)) == 52
        found[block, hand][seating] = tuple(cards)
    return found


def test_deals_are_shared_in_a_block_and_unique(four: Path, tmp_path: Path) -> None:
    """All seatings of a block have the same deals; no other block or hand has one of them."""
    rules = {"pass_cycle": ["H"], "end": {"deals": 3}, "tie": "draw"}
    results = play(four, tmp_path / "out", games=48, log="plays", rules=rules)
    found = deals(results)
    assert len(found) == 12 * 3
    for seatings in found.values():
        assert len(seatings) == 4
        assert len(set(seatings.values())) == 1
    assert len({seatings[0] for seatings in found.values()}) == 36


def test_the_seed_keys_the_deals(four: Path, tmp_path: Path) -> None:
    """Runs of different seeds share no deal, runs of one seed all of them, whoever plays."""
    rules = {"pass_cycle": ["H"], "end": {"deals": 2}, "tie": "draw"}
    more: dict[str, Any] = {"games": 8, "log": "plays", "rules": rules}
    one = deals(play(four, tmp_path / "1", **more))
    same = deals(play(four, tmp_path / "2", entries=["Low", "High"], **more))
    other = deals(play(four, tmp_path / "3", seed=1, **more))
    assert all(one[key][0] == same[key][0] for key in one)
    assert not {item[0] for item in one.values()} & {item[0] for item in other.values()}


# What a run tells


def test_watcher(four: Path, tmp_path: Path) -> None:
    """A watcher hears that it begins, numbers of games that only grow, and at last all of them."""
    spec, config = planned(four, games=24)
    listener = Listener()
    outcome = play_run(spec, tmp_path / "out", config=config, watcher=listener)
    assert outcome.played
    assert outcome.seconds > 0
    listener.check(24)
    assert listener.heard[-1] == 24


def test_timing(four: Path, tmp_path: Path) -> None:
    """The first block is timed: every entry has decisions and their time, outside the digest."""
    results = play(four, tmp_path / "out", games=8)
    notes = results.folder.parts()[0]
    assert set(notes["decisions"]) == set(results.names)
    assert min(notes["decisions"].values()) > 13
    assert min(notes["nanoseconds"].values()) > 0
    assert len(set(notes["decisions"].values())) == 1
    assert notes["games"] == 4


def test_part_notes_add_up(four: Path, tmp_path: Path) -> None:
    """Games and hands of the parts add up to those of the run."""
    results = play(four, tmp_path / "out", games=80)
    notes = results.folder.parts()
    assert sorted(notes) == list(range(len(parts(20))))
    assert sum(part["games"] for part in notes.values()) == 80 == results.info["games"]
    assert sum(part["hands"] for part in notes.values()) == results.info["hands"]
    assert results.info["hands"] == len(results.hands()) // 4


def test_run_json(four: Path, tmp_path: Path) -> None:
    """`run.json` says what was played, by whom and how; rules can be made from it again."""
    results = play(four, tmp_path / "out", seed=3, rules="hearts", entries=["Low", "High"])
    info = load(tmp_path / "out").info
    assert info["status"] == "finished"
    assert info["name"] == "trial"
    assert (info["games"], info["blocks"]) == (8, 3)  # of four, two and two seatings
    identity = info["identity"]
    assert identity["seed"] == 3
    assert identity["rules"]["moon"] == "choice" == results.rules.moon
    assert [entry["name"] for entry in identity["entries"]] == ["Low", "High"]
    assert all(len(entry["digest"]) == 16 for entry in identity["entries"])
    stated = {key: value for key, value in info["config"]["format"].items() if value is not None}
    assert stated == {"type": "table", "games": 8}
    assert {"python", "numpy", "numba", "platform", "cores"} <= set(info["environment"])
    assert info["digest"] == results.digest()


def test_the_same_class_twice(tmp_path: Path) -> None:
    """A class with different options under two names plays as two strategies."""
    folder = write_files(tmp_path / "s", FOUR)
    entries = [
        {"strategy": "Middle", "name": "low", "options": {"risk": 0.0}},
        {"strategy": "Middle", "name": "high", "options": {"risk": 1.0}},
        "Low",
        {"strategy": "Low", "name": "Low again"},
    ]
    results = play(folder, tmp_path / "out", entries=entries, games=12, type="selfplay")
    games = {name: results.games(strategies=[name]) for name in results.names}
    columns = ["block", "seat", "score", "hands", "place"]
    assert games["low"][columns].equals(games["Low"][columns])
    assert games["low"][columns].equals(games["Low again"][columns])
    assert not games["low"][columns].equals(games["high"][columns])


def test_entries_that_do_not_play_do_not_matter(tmp_path: Path) -> None:
    """A file beside the entries, even a broken one, does not change a run that names its own."""
    digests = []
    for extra in ({}, {"broken.py": "import nothing_of_this_name"}, {"aaa.py": CHANCE}):
        folder = write_files(
            tmp_path / str(len(digests)), {"low.py": LOW, "high.py": HIGH, **extra}
        )
        output = tmp_path / f"out{len(digests)}"
        digests.append(play(folder, output, entries=["Low", "High"]).digest())
    assert len(set(digests)) == 1


def test_rules_of_every_size(four: Path, tmp_path: Path) -> None:
    """Tables of three to seven play, each seat once in every game."""
    for players in range(3, 8):
        results = play(
            four,
            tmp_path / str(players),
            games=4,
            rules={"players": players, "end": {"deals": 1}, "tie": "draw"},
        )
        games = results.games()
        assert (games.groupby("game")["seat"].apply(list).map(len) == players).all()
        assert (games.groupby("game")["win"].sum() == 1).all()


def test_game_rows_are_ordered(four: Path, tmp_path: Path) -> None:
    """Rows come by block, seating and seat, and a game's number follows from the first two."""
    games = play(four, tmp_path / "out", games=24).games()
    keys = list(zip(games["block"], games["seating"], games["seat"], strict=True))
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    number = games["block"].astype(int) * 4 + games["seating"]
    assert (games["game"].astype(int) == number).all()


def test_seating_is_the_schedules(four: Path, tmp_path: Path) -> None:
    """Who sits where in the log is what the schedule says."""
    spec, _ = planned(four, games=24)
    games = play(four, tmp_path / "out", games=24).games()
    logged = games["strategy"].astype(str).to_numpy().reshape(-1, 4)
    wanted = [
        [spec.names[entry] for entry in seating]
        for block in spec.schedule
        for seating in block.seatings
    ]
    assert np.array_equal(logged, np.array(wanted))


def test_a_run_is_played_again_after_an_unrelated_one(four: Path, tmp_path: Path) -> None:
    """Players of one run are not mixed up with those of another in the same process."""
    tasks._players.clear()
    kinds = itertools.product(("table", "selfplay"), ("hands", "games"))
    first = {
        kind: play(four, tmp_path / "-".join(kind), type=kind[0], log=kind[1]).digest()
        for kind in kinds
    }
    for kind, digest in reversed(first.items()):
        output = tmp_path / ("again" + "-".join(kind))
        assert play(four, output, type=kind[0], log=kind[1]).digest() == digest


def test_config_errors_come_before_anything_is_played(four: Path, tmp_path: Path) -> None:
    """A wrong config leaves no folder behind."""
    for change in ({"seed": -1}, {"report": {"anchor": "Nobody"}}, {"entries": ["Nobody"]}):
        with pytest.raises(HeartsError) as caught:
            play(four, tmp_path / "out", **change)
        assert caught.value.exit_code == 2
        assert not (tmp_path / "out").exists()


def test_a_run_that_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said once that something may hang, a minute after the last game came to its end."""
    now = [0.0]
    monkeypatch.setattr(watching.time, "monotonic", lambda: now[0])

    class Patient(Watcher):
        told: ClassVar[list[float]] = []

        def stands(self, seconds: float) -> None:
            self.told.append(seconds)

    progress = watching.Progress(Patient(), patience=watching.STANDS_SECONDS)
    now[0] = 500  # so long it took to compile
    progress.begin()
    for now[0], games in ((501, 0), (550, 3), (600, 0), (609, 0), (611, 0), (800, 0)):
        progress.add(games)
    assert Patient.told == [61]
