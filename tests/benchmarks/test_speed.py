"""Speed as ratios to ``limit.c`` in the same run: ``pytest tests/benchmarks --benchmark-only -s``.

Nothing here passes or fails by time: machines differ and are noisy. Each round measures the limit
just before and just after, so that a ratio compares the same minutes; the median is printed.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from hearts_sim import Strategy, play_game
from hearts_sim.cards import Card
from hearts_sim.engine.layout import HANDS, TABLE
from hearts_sim.engine.record import compile_rules
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import load_folders
from hearts_sim.strategy.view import View
from hearts_sim.tournament.run.speed import measure

HERE = Path(__file__).parent
STRATEGIES = HERE.parent.parent / "strategies"
LIMIT_HANDS = 500_000

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@pytest.fixture(scope="session")
def limit(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], float]:
    """The limit's hands per second, measured when it is called."""
    binary = tmp_path_factory.mktemp("limit") / "limit"
    source = str(HERE / "limit.c")
    subprocess.run(["cc", "-O3", "-march=native", source, "-o", str(binary)], check=True)

    def run() -> float:
        command = [str(binary), str(LIMIT_HANDS)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return float(json.loads(printed)["hands_per_second"])

    return run


@pytest.mark.parametrize(
    ("names", "rules", "hands", "goal"),
    [
        pytest.param(["RandomLegal"], "black_lady", 200_000, 0.60, id="four-compiled-random"),
        pytest.param(["LowCard"], "black_lady", 8_000, 0.010, id="four-LowCard"),
        pytest.param(["RandomLegalPython"], "black_lady", 1_000, None, id="four-plain-random"),
        pytest.param(["AllRound"], "black_lady", 200, None, id="four-AllRound"),
        pytest.param(["AllRoundCompiled"], "black_lady", 20_000, None, id="four-AllRoundCompiled"),
        *(
            pytest.param(["RandomLegal"], preset, 100_000, None, id=f"{preset}-compiled-random")
            for preset in ("hearts", "black_maria", "partnership_pooled", "omnibus", "spot")
        ),
        *(
            pytest.param(["RandomLegal"], preset, 50_000, None, id=f"{preset}-compiled-random")
            for preset in ("kitty", "heartsette", "cancellation")
        ),
    ],
)
def test_line_up(benchmark, limit, names, rules, hands, goal):
    """Hands per second of one line-up in one process, as a share of the limit's."""
    library = load_folders([STRATEGIES])
    settings = Rules.preset(rules)
    line_up = [library.get(names[seat % len(names)]) for seat in range(settings.players)]
    ratios, speeds = [], []

    def one_round() -> None:
        speed = measure(line_up, settings, hands)["hands_per_second"]
        ratios.append(speed / ((before[0] + limit()) / 2))
        speeds.append(speed)

    before = [0.0]

    def setup() -> None:
        before[0] = limit()

    benchmark.pedantic(one_round, setup=setup, rounds=9, warmup_rounds=1)
    ratio = statistics.median(ratios[1:])
    benchmark.extra_info.update(ratio=ratio, goal=goal)
    print(
        f"\n{'+'.join(names)} {rules}: {statistics.median(speeds[1:]):,.0f} hands/s, "
        f"{ratio:.4f} of the limit ({min(ratios[1:]):.4f} to {max(ratios[1:]):.4f})"
        + (f"; goal {goal}" if goal else "")
    )


@pytest.mark.parametrize(
    ("sensible", "goal"),
    [pytest.param(False, 0.3, id="random"), pytest.param(True, None, id="sensible")],
)
def test_playouts(benchmark, limit, sensible, goal):
    """Hands of 52 cards per second that a search plays out, as a share of the limit's.

    From a thousand deals in turn: from a single one, the processor would learn the way by heart.
    With the copying of the state of play that a playout needs.
    """
    from hearts_sim.search.linked import address_of
    from hearts_sim.search.playout import play_out_narrow
    from hearts_sim.search.policy import fill_danger
    from hearts_sim.search.records import copy_record
    from hearts_sim.search.settings import OPTIONS

    @njit(error_model="numpy")
    def play_out_many(
        rules, table, hands, start, dealt, stream, moods, danger, number, sensible, threat
    ):
        """Play so many deals out, by the function that searches link to."""
        fill_danger(rules[0], danger)
        for deal in range(number):
            copy_record(table[0], start[deal % len(start)])
            copy_record(hands[0], dealt[deal % len(start)])
            moods[:] = 0
            play_out_narrow(
                address_of(rules[0]),
                address_of(table[0]),
                address_of(hands[0]),
                stream.ctypes.data,
                moods.ctypes.data,
                danger.ctypes.data,
                sensible,
                threat,
            )

    rules = Rules(pass_count=0)
    start, dealt = np.zeros(1024, TABLE), np.zeros(1024, HANDS)
    for seed in range(len(start)):
        table = Table(rules, seed=seed)
        table.deal()
        dealt[seed] = table._hands
        for name in TABLE.names or ():
            start[seed][name] = table._view[name]
    records = compile_rules(rules), np.zeros(1, TABLE), np.zeros(1, HANDS)
    stream, moods, danger = np.array([1, 1], np.uint64), np.zeros(16, int), np.zeros(52, int)
    hands = 30_000 if sensible else 200_000
    ratios, speeds = [], []
    threat = OPTIONS["threat"]

    def play(number: int) -> None:
        play_out_many(*records, start, dealt, stream, moods, danger, number, sensible, threat)

    def one_round() -> None:
        began = time.perf_counter()
        play(hands)
        speeds.append(hands / (time.perf_counter() - began))
        ratios.append(speeds[-1] / ((before[0] + limit()) / 2))

    before = [0.0]

    def setup() -> None:
        before[0] = limit()

    play(1)
    assert records[1][0]["points"].sum() == 26
    benchmark.pedantic(one_round, setup=setup, rounds=9, warmup_rounds=1)
    ratio = statistics.median(ratios[1:])
    benchmark.extra_info.update(ratio=ratio, goal=goal)
    print(
        f"\n{'sensible' if sensible else 'random'} playouts: "
        f"{statistics.median(speeds[1:]):,.0f} hands/s, {ratio:.4f} of the limit "
        f"({min(ratios[1:]):.4f} to {max(ratios[1:]):.4f})" + (f"; goal {goal}" if goal else "")
    )


class LowCard(Strategy):
    """Its lowest legal card; keeps a view of a decision."""

    kept: View | None = None

    def choose_card(self, view: View) -> Card:
        if LowCard.kept is None:
            LowCard.kept = view.copy()
        return view.legal.lowest()


def test_what_asking_a_plain_bot_costs(benchmark):
    """A decision in a run, against the bare call of the method on a view that is at hand."""
    found = load_folders([STRATEGIES]).get("LowCard")
    play_game([LowCard] * 4, seed=1)
    choose, view, calls = found.strategy().choose_card, LowCard.kept, range(100_000)
    multiples, decisions = [], []

    def one_round() -> None:
        began = time.perf_counter()
        for _ in calls:
            choose(view)
        bare = (time.perf_counter() - began) / len(calls)
        speed = measure([found] * 4, Rules(), 2_000)["hands_per_second"]
        multiples.append(1 / (52 * speed) / bare)
        decisions.append(bare)

    benchmark.pedantic(one_round, rounds=9, warmup_rounds=1)
    multiple = statistics.median(multiples[1:])
    benchmark.extra_info.update(multiple=multiple, goal=1.5)
    print(
        f"\na decision in a run: {multiple:.2f} times the bare call "
        f"({min(multiples[1:]):.2f} to {max(multiples[1:]):.2f}) of "
        f"{statistics.median(decisions[1:]) * 1e9:.0f} ns; goal 1.5"
    )
