"""Auditing a run: whose choices differ when games are played again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trial import COUNTS, FOUR, settings, write_files

from hearts_sim import Card, Strategy, run
from hearts_sim.engine.layout import JOB
from hearts_sim.engine.machine import Machine
from hearts_sim.errors import ResultsError
from hearts_sim.report.notes import notes as report_notes
from hearts_sim.report.summary import summarise
from hearts_sim.rules import Rules
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup
from hearts_sim.tournament.plan.audited import is_audited
from hearts_sim.tournament.players import supervise
from hearts_sim.tournament.players.choices import Comparison, Recorded
from hearts_sim.tournament.reading.results import Results


class Low(Strategy):
    """Plays its lowest card."""

    def choose_card(self, view: Any) -> Any:
        return view.legal.lowest()


class High(Strategy):
    """Plays its highest card."""

    def choose_card(self, view: Any) -> Any:
        return view.legal.highest()


def record(games: int = 6, rules: Any = None, first: int = 0) -> Recorded:
    """Some games of four entries: 0 and 2 play low, 1 and 3 play high."""
    chosen = Rules.from_spec(rules or {"end": {"deals": 5}, "tie": "draw"})
    machine = Machine(chosen, 7, "plays", 4)
    lineup = Lineup(machine, [Seated(str(place), (Low, High)[place % 2]) for place in range(4)])
    jobs = np.zeros(games, JOB)
    jobs["number"] = np.arange(first, first + games)
    jobs["block"], jobs["seating"] = jobs["number"] // 2, jobs["number"] % 2
    jobs["entries"][:, :4] = [[(seat + game) % 4 for seat in range(4)] for game in jobs["number"]]
    for entry in range(4):
        for seat in range(4):
            lineup.seat(entry, seat)
    machine.play_on(jobs)
    hands, finals, plays = machine.rows()
    return Recorded(hands.copy(), plays.copy(), finals.copy())


def copied(rows: Recorded) -> Recorded:
    return Recorded(rows.hands.copy(), rows.plays.copy(), rows.games.copy())


def at(rows: Any, **where: int) -> Any:
    """Places of the rows with these values."""
    return np.flatnonzero(np.all([rows[name] == value for name, value in where.items()], axis=0))


def compared(before: Recorded, after: Recorded) -> Comparison:
    audit = Comparison()
    audit.compare(before, after)
    return audit


def test_the_same_games_in_another_order() -> None:
    """What is equal is found equal, whatever was played first."""
    before = record()
    shuffled = Recorded(
        *(
            np.concatenate([rows[rows["game"] == game] for game in (4, 0, 5, 3, 1, 2)])
            for rows in (before.hands, before.plays, before.games)
        )
    )
    audit = compared(before, shuffled)
    assert (audit.games, audit.failed, audit.changes) == (6, 0, {})


def test_the_first_card_that_differs_is_blamed() -> None:
    """Everything after it is its consequence."""
    before = record()
    after = copied(before)
    place = at(after.plays, game=3, hand=2, trick=5)[2]
    seat = int(after.plays["seat"][place])
    was = int(after.plays["card"][place])
    now = (was + 1) % 52
    after.plays["card"][place:][after.plays["game"][place:] == 3] = now
    after.hands["points"][at(after.hands, game=3, hand=2)] += 1
    audit = compared(before, after)
    (entry,) = audit.changes
    (change,) = audit.changes[entry]
    assert entry == change.entry == (seat + 3) % 4
    assert (change.block, change.seating, change.game) == (1, 1, 3)
    assert (change.hand, change.trick, change.seat) == (2, 5, seat)
    assert (change.hook, change.was, change.now) == (
        "choose_card", str(Card(was)), str(Card(now)),
    )  # fmt: skip
    assert audit.games == 6


def test_all_who_pass_otherwise_are_blamed() -> None:
    """They choose at once, so none of them is a consequence of another."""
    before = record()
    after = copied(before)
    for seat in (1, 3):
        after.plays["card"][at(after.plays, game=2, hand=1, trick=0, seat=seat)[0]] ^= 1
    after.plays["card"][at(after.plays, game=2, hand=1, trick=4)] ^= 1
    changes = compared(before, after).changes
    assert {entry: len(found) for entry, found in changes.items()} == {3: 1, 1: 1}
    for found in changes.values():
        assert (found[0].hook, found[0].hand, found[0].trick) == ("choose_pass", 1, 0)
        assert len(found[0].was.split()) == len(found[0].now.split()) == 3


def test_who_shot_and_is_paid_otherwise() -> None:
    """With equal cards, the moon was paid another way: who shot chose that."""
    before = record(40, {"end": {"deals": 4}, "moon": "choice", "tie": "draw"})
    shot = np.flatnonzero(before.hands["moon"] == 1)
    assert len(shot), "no moon in these games"
    row = before.hands[shot[0]]
    after = copied(before)
    hand = at(after.hands, game=row["game"], hand=row["hand"])
    after.hands["points"][hand] = np.where(after.hands["moon"][hand] == 1, -26, 0)
    # Later hands may be anything: totals are others.
    later = (after.plays["game"] == row["game"]) & (after.plays["hand"] > row["hand"])
    after.plays["card"][later] ^= 1
    changes = compared(before, after).changes
    assert list(changes) == [int(row["strategy"])]
    (change,) = changes[int(row["strategy"])]
    assert (change.hook, change.hand, change.trick) == ("choose_moon", row["hand"], 0)
    assert change.seat == row["seat"]


def test_games_with_faults_are_not_compared() -> None:
    """Whatever was played in a bot's place, it may fail another time."""
    before = record()
    after = copied(before)
    after.games["faults"][at(after.games, game=1, seat=2)] = 1
    after.plays["card"][at(after.plays, game=1, hand=1, trick=3)] ^= 1
    audit = compared(before, after)
    assert (audit.games, audit.failed, audit.changes) == (5, 1, {})


def test_what_no_strategy_did() -> None:
    """Other points after equal choices, or a game that is gone, are no strategy's doing."""
    before = record()
    after = copied(before)
    calm = at(before.hands, game=2, moon=0)[0]
    after.hands["points"][calm] += 1
    with pytest.raises(ResultsError, match="game 2 was played again with the same choices"):
        compared(before, after)
    with pytest.raises(ResultsError, match="game 5 is in the log, and was not played again"):
        compared(before, record(5))


def test_which_blocks() -> None:
    """The first, and of the others about the share; more of them with a larger one."""
    blocks = range(20_000)
    some = is_audited(7, blocks, 0.01)
    assert some[0]
    # 200 expected, with a standard deviation of 14.
    assert 150 < some.sum() < 250
    gaps = Counter(np.diff(np.flatnonzero(some)).tolist())
    assert len(gaps) > 50
    more = is_audited(7, blocks, 0.1)
    assert more[some].all()
    assert 1800 < more.sum() < 2200
    assert (is_audited(7, range(500, 1000), 0.1) == more[500:1000]).all()
    assert (is_audited(8, blocks, 0.1) != more).any()
    assert is_audited(7, blocks, 1.0).all()
    assert not is_audited(7, blocks, 0.0).any()


# Runs

TIMED = """
from time import perf_counter_ns
from hearts_sim import Strategy

class Timed(Strategy):
    '''Decides by a clock when it has a budget of seconds.'''

    uses_clock = "seconds"

    def __init__(self, seconds=0):
        pass

    def choose_card(self, view):
        cards = list(view.legal)
        return cards[perf_counter_ns() // 100 % len(cards)]
"""


def played(folder: Path, entries: Any, audit: float = 0.3, **more: Any) -> Results:
    """A run of short games, of which a part is played again."""
    config = settings(folder, entries, rules={"end": {"deals": 2}, "tie": "draw"}, **more)
    return run(config, output=folder.parent / "out", audit=audit, report=False)


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    return write_files(tmp_path / "bots", FOUR | {"counts.py": COUNTS, "timed.py": TIMED})


@pytest.mark.parametrize("log", ["games", "plays"])
def test_hidden_state_is_named(bots: Path, log: str) -> None:
    """Who counts in its module plays otherwise in another process; nobody else is named."""
    results = played(bots, ["Low", "Chance", "High", "Counts"], games=40, log=log)
    audit = results.info["audit"]
    assert [change["strategy"] for change in audit["changes"]] == ["Counts"]
    first = audit["changes"][0]["first"]
    assert first["hook"] == "choose_card"
    assert first["was"] != first["now"]
    assert audit["blocks"] > 1
    assert audit["games"] == 4 * audit["blocks"]
    warning = [note for note in report_notes(summarise(results)) if "chose otherwise" in note]
    assert len(warning) == 1
    assert warning[0].startswith("WARNING: Counts chose otherwise in ")


def test_a_declared_clock_is_passed_over(bots: Path) -> None:
    """With its budget it may; without one it is named as everybody."""
    timed = [{"strategy": "Timed", "options": {"seconds": 1}}]
    audit = played(bots, ["Low", "Chance", *timed], games=24).info["audit"]
    assert (audit["changes"], audit["passed_over"]) == ([], ["Timed"])
    assert audit["games"] > 0
    again = run(
        settings(bots, ["Low", "Chance", "Timed"], rules={"end": {"deals": 2}, "tie": "draw"}),
        output=bots.parent / "more", audit=1, report=False,
    ).info["audit"]  # fmt: skip
    assert [change["strategy"] for change in again["changes"]] == ["Timed"]
    assert again["passed_over"] == []


def test_after_a_run_that_was_left(bots: Path) -> None:
    """What somebody interrupted before in the same Python session is no matter."""
    supervise.abandon()
    assert played(bots, ["Low", "High"], 1, games=8).info["audit"]["changes"] == []


def test_what_was_not_recorded(bots: Path) -> None:
    """Blocks of before cannot be compared; an audit that was done is not done again."""
    plain = {"games": 20, "log": "games"}
    assert played(bots, ["Low", "High"], 0, **plain).info["audit"] is None
    audit = played(bots, ["Low", "High"], 1, **plain).info["audit"]
    assert (audit["blocks"], audit["games"]) == (0, 0)
    assert audit["unrecorded"] == 7
    longer = played(bots, ["Low", "High"], 1, games=40, log="games").info
    assert longer["audit"]["unrecorded"] == 7
    assert longer["audit"]["blocks"] == longer["blocks"] - 7 > 0


def test_every_shipped_strategy_repeats_itself(tmp_path: Path) -> None:
    """In another process and order they all choose the same."""
    folder = Path(__file__).parents[2] / "strategies"
    config = settings(folder, games=26, rules={"end": {"deals": 1}, "tie": "draw"})
    results = run(config, output=tmp_path / "out", audit=1, report=False)
    audit = results.info["audit"]
    assert (audit["changes"], audit["passed_over"], audit["lost"]) == ([], [], 0)
    assert audit["games"] == results.info["games"]
    assert len(results.names) >= 13
