"""The process in which strategies are checked: ``python -m hearts_sim.testing.worker``.

It reads its orders as JSON from standard input and says what it does and finds in lines of JSON, at
once, so that what was found is known even if a strategy ends the process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

_MOST_MEMORY = 4 << 30


def main() -> None:
    """Do what the orders say."""
    orders = json.load(sys.stdin)
    # What strategies print must not come between the lines.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    trace = Path(orders["trace"]).open("w", encoding="utf-8")  # noqa: SIM115
    faulthandler.enable(trace)
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1, trace)
    _limit_memory()
    sys.path[:] = orders["path"]

    def tell(event: dict[str, Any]) -> None:
        out.write(json.dumps(event) + "\n")
        out.flush()

    tell({"event": "step", "strategy": "", "step": "start"})
    try:
        _do(orders, tell)
    except Exception:  # what strategies raise does not come here
        tell({"event": "broken", "text": traceback.format_exc()})
    tell({"event": "done"})
    out.flush()
    # Without waiting for threads that a strategy may have left.
    os._exit(0)


def _limit_memory() -> None:
    """Let a bot that takes memory without end fail before the machine does."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = _MOST_MEMORY if hard == resource.RLIM_INFINITY else min(hard, _MOST_MEMORY)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _do(orders: dict[str, Any], tell: Any) -> None:
    from hearts_sim.testing.asking import ask_all
    from hearts_sim.testing.steps import Check
    from hearts_sim.testing.subject import subjects_of
    from hearts_sim.testing.target import Plan, Target
    from hearts_sim.testing.watch import Beat

    beat = Beat(Path(orders["beat"]))
    plan = Plan(**orders["plan"])
    for task in orders["tasks"]:
        target, again = Target.of(task["target"]), task["again"]
        silent = again is not None
        quiet = _only_steps(tell) if silent else tell
        for subject in subjects_of(target, plan, set(task["skip"]), quiet):
            if task["positions"]:
                ask_all(subject, plan, beat, task["positions"])
                tell({"event": "checked", "strategy": subject.name})
                continue
            check = Check(subject, plan, beat)
            if again is None:
                check.run()
                tell({"event": "checked", "strategy": subject.name})
            else:
                value = check.repeat(again, orders["seed"])
                tell({"event": "result", "strategy": subject.name, "key": "others", "value": value})
        tell({"event": "task"})


def _only_steps(tell: Any) -> Any:
    """Say only what is done: what is found was found the first time."""

    def some(event: dict[str, Any]) -> None:
        if event["event"] in ("step", "strategy"):
            tell(event)

    return some


if __name__ == "__main__":
    main()
