"""What limits of time and memory cost a well-behaved bot: interleaved pairs in player processes.

python tests/benchmarks/limits_cost.py [PAIRS]
"""

from __future__ import annotations

import dataclasses
import statistics
import sys
import time
from pathlib import Path

from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.plan.spec import RunSpec, plan_run
from hearts_sim.tournament.players.processes import PlayerProcess

STRATEGIES = Path(__file__).parents[2] / "strategies"
# Games in a run, so that one takes about a second.
FIELDS = {"LowCard": 400, "AllRound": 12, "RandomLegal": 16_000}
LIMITS = FaultRules(decision_seconds=1, game_seconds=100, memory_mb=1024)


def plan(name: str, blocks: int, faults: FaultRules) -> RunSpec:
    """A strategy with its own copies."""
    config = {
        "strategies": {"folder": str(STRATEGIES), "entries": [name]},
        "format": {"type": "selfplay", "blocks": blocks},
        "log": "games",
    }
    spec, _ = plan_run(config_from_mapping(config))
    return dataclasses.replace(spec, faults=faults)


def seconds(process: PlayerProcess, spec: RunSpec) -> float:
    """How long a process takes for the run."""
    watched = spec.faults.timed
    began = time.perf_counter()
    process.run(spec.faults, "play_part", spec, 0, range(spec.schedule.blocks), (), (), watched)
    return time.perf_counter() - began


def main(pairs: int) -> None:
    """Print the median ratio of each strategy."""
    print("| four of | time with limits over time without, median | all pairs |")
    print("|---|---|---|")
    for name, blocks in FIELDS.items():
        specs = [plan(name, blocks, faults) for faults in (FaultRules(), LIMITS)]
        processes = [PlayerProcess() for _ in specs]
        for process, spec in zip(processes, specs, strict=True):
            seconds(process, spec)
        ratios = []
        for pair in range(pairs):
            taken = [0.0, 0.0]
            for place in (0, 1) if pair % 2 else (1, 0):
                taken[place] = seconds(processes[place], specs[place])
            ratios.append(taken[1] / taken[0])
        for process in processes:
            process.end()
        print(
            f"| {name} | {statistics.median(ratios):.3f} | {min(ratios):.3f} to {max(ratios):.3f} |"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
