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

import pytest

from hearts_sim import Strategy, play_game
from hearts_sim.cards import Card
from hearts_sim.rules import Rules
from hearts_sim.strategy.loader import load_folders
from hearts_sim.strategy.view import View
from hearts_sim.tournament.speed import measure

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
