"""Checking strategies from outside: in a process of their own, and in this one."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import Rules
from hearts_sim.strategy.base import CompiledStrategy, Strategy
from hearts_sim.testing.judging import differ, judge
from hearts_sim.testing.keeper import Ending, Task, keep
from hearts_sim.testing.report import Answer, Checked, Finding, Report
from hearts_sim.testing.target import Plan, Target, find_targets, rules_of

_HASH_SEED, _OTHER_HASH_SEED = 1, 2


def check_strategy(
    strategy: type[Strategy] | type[CompiledStrategy] | str | os.PathLike[str],
    *,
    rules: str | Mapping[str, Any] | Rules | Sequence[Any] | None = None,
    options: Mapping[str, Any] | None = None,
    games: int = 20,
    seed: int = 0,
    decision_seconds: float = 5.0,
    every: bool = False,
) -> Report:
    """Check whether a strategy plays legally, repeatably, and changes nothing that is not its own.

    A class from a file is checked in a process of its own, so that it may hang or end the process.
    A class that was made in a session, or inside of a function, is checked in this process: nobody
    can stop it there.

    Parameters
    ----------
    strategy : class or path
        A strategy, or a file or folder of strategies.
    rules : preset's name, mapping, Rules, or a sequence of these, optional
        What to play; left out, what the strategy's attribute `rules` says, or ``"black_lady"``.
    options : mapping, optional
        Keywords of the strategy.
    games : int
        Games under each set of rules.
    seed : int
        Of the games.
    decision_seconds : float
        A call that takes longer is taken to hang.
    every : bool
        Play every preset with every size of its table instead, for fewer hands.

    Returns
    -------
    Report

    Raises
    ------
    StrategyLoadError
        When there is no such file, or what is given is no strategy.
    RulesError
        When `rules` is no rules.
    """
    chosen = [] if rules is None else [item.settings() for _, item in rules_of(rules)]
    plan = Plan(
        games=games, seed=seed, decision_seconds=decision_seconds, every=every, rules=chosen
    )
    given = dict(options or {})
    if isinstance(strategy, str | os.PathLike):
        targets = [replace(item, options=given) for item in find_targets(os.fspath(strategy))]
        return check_targets(targets, plan)
    if not (isinstance(strategy, type) and issubclass(strategy, Strategy | CompiledStrategy)):
        raise StrategyLoadError(
            f"{strategy!r} is no strategy: expected a class that is built on Strategy or "
            "CompiledStrategy, or the path of a file"
        )
    file = _file_of(strategy)
    if file:
        module = "" if strategy.__module__.startswith("hearts_sim_folder_") else strategy.__module__
        target = Target(file=file, module=module, only=strategy.__name__, options=given)
        return check_targets([target], plan)
    return _check_here(strategy, plan, given)


def _file_of(strategy: type) -> str:
    """The file from which another process can load a class; empty when there is none."""
    module = sys.modules.get(strategy.__module__)
    if getattr(module, strategy.__name__, None) is not strategy or module is None:
        return ""
    if module.__name__ == "__main__":
        return ""
    try:
        file = inspect.getsourcefile(strategy)
    except (OSError, TypeError):
        return ""
    return file if file and Path(file).is_file() else ""


def _check_here(strategy: type, plan: Plan, options: Mapping[str, Any]) -> Report:
    """Check a class in this process."""
    from hearts_sim.testing.steps import Check
    from hearts_sim.testing.subject import session_subject
    from hearts_sim.testing.watch import Beat

    board = _Board()
    subject = session_subject(strategy, plan, options, board.take)
    if subject is not None:
        Check(subject, plan, Beat(None)).run()
    board.judge()
    return board.report()


@dataclass
class _Board:
    """What was told, by strategy."""

    progress: Callable[[str], None] = lambda text: None
    strategies: dict[tuple[str, str], Checked] = field(default_factory=dict)
    results: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    now: tuple[str, str] = ("", "")

    def take(self, event: dict[str, Any]) -> None:
        """Note an event."""
        kind = event["event"]
        if kind == "strategy":
            self.now = event["file"], event["strategy"]
            if self.now not in self.strategies:
                self.strategies[self.now] = Checked(
                    event["strategy"], event["what"], event["file"], event["line"]
                )
        elif kind == "step":
            name = event["strategy"] or event.get("file", "")
            self.progress(f"{name}: {event['step']}" if name else event["step"])
        elif kind == "passed":
            self.strategies[self.now].passed.append(event["text"])
        elif kind == "finding":
            self.add(Finding(**{name: event[name] for name in event if name != "event"}))
        elif kind == "positions":
            self.strategies[self.now].positions = event["number"]
        elif kind == "answer":
            answer = Answer(event["number"], event["card"], event["failed"])
            self.strategies[self.now].answers.append(answer)
        elif kind == "result":
            results = self.results.setdefault(self.now, {})
            if event["key"] == "others":  # of one process after the other
                results.setdefault("others", []).append(event["value"])
            else:
                results[event["key"]] = event["value"]

    def add(self, finding: Finding) -> None:
        """Note a finding, under its file when it concerns no strategy."""
        place = self.now if finding.strategy else (finding.file, "")
        if place not in self.strategies:
            self.strategies[place] = Checked(Path(finding.file).name or "?", file=finding.file)
        self.strategies[place].findings.append(finding)

    def judge(self) -> None:
        """Say which games were the same, now that all are played."""
        for place, results in self.results.items():
            checked = self.strategies[place]
            judge(checked, results)

    def report(self) -> Report:
        """All of it."""
        return Report(list(self.strategies.values()))


def check_targets(
    targets: Sequence[Target], plan: Plan, progress: Callable[[str], None] | None = None
) -> Report:
    """Check files, programs and libraries in processes of their own.

    Parameters
    ----------
    progress : callable, optional
        Called with what is done now, in a few words.
    """
    board = _Board(progress or (lambda text: None))
    _run([Task(target) for target in targets], plan, board, _HASH_SEED)
    _same_names(board)
    by_file = {target.file: target for target in targets}
    played = [place for place, results in board.results.items() if "games" in results]
    _run(_again(board, by_file, played), plan, board, _OTHER_HASH_SEED, random_seed=10)
    # Only to tell why: is it the same at least in a process that is the same?
    differing = [place for place in played if differ(board.results[place])]
    _run(_again(board, by_file, differing), plan, board, _OTHER_HASH_SEED, random_seed=20)
    board.judge()
    return board.report()


def ask_targets(
    targets: Sequence[Target],
    numbers: Sequence[int],
    plan: Plan,
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Ask files, programs and libraries endgame positions, in a process of their own.

    Parameters
    ----------
    numbers : sequence of int
        Of the positions. A strategy that declares rules, or a plan that has some, leaves out those
        under other rules.
    """
    board = _Board(progress or (lambda text: None))
    tasks = [Task(target, positions=tuple(numbers)) for target in targets]
    _run(tasks, plan, board, _HASH_SEED)
    return board.report()


def _again(
    board: _Board, targets: Mapping[str, Target], places: Sequence[tuple[str, str]]
) -> list[Task]:
    tasks = []
    for place in places:
        target = targets[place[0]]
        only = place[1] if target.file else target.only
        number = board.results[place]["games"]["number"]
        tasks.append(Task(replace(target, only=only), again=number))
    return tasks


def _run(
    tasks: Sequence[Task], plan: Plan, board: _Board, hash_seed: int, random_seed: int = 0
) -> None:
    """Do tasks in one process, and in another one what it leaves when it dies or hangs."""
    left = list(tasks)
    while left:
        ending = keep(left, plan, board.take, hash_seed, random_seed)
        if not ending.how:
            return
        board.add(_finding_of(ending, plan))
        left = left[ending.tasks :]
        if not left:
            return
        task = left.pop(0)
        if ending.strategy and task.target.file and task.again is None:
            done = [name for file, name in board.strategies if file == task.target.file and name]
            left.insert(0, replace(task, skip=tuple(done)))


def _finding_of(ending: Ending, plan: Plan) -> Finding:
    """What is said of a bot that hangs or ends its process."""
    where = f" in {ending.hook}" if ending.hook else ""
    during = f" (while checking: {ending.step})" if ending.step else ""
    kind, text = "crash", f"ends its process{where}: {ending.said}{during}"
    if ending.how == "hangs":
        kind = "too_slow"
        limit = f"after {plan.decision_seconds:g} s" if ending.hook else "after a long time"
        text = f"does not answer{where} {limit}: it hangs, or thinks too long{during}"
        if ending.step == "import":
            text = "does not come to an end when it is imported"
    return Finding(ending.strategy, "error", kind, text, *ending.line)


def _same_names(board: _Board) -> None:
    """Say which names are there twice: in a run they must be unique."""
    first: dict[str, str] = {}
    for (file, name), checked in board.strategies.items():
        if not name or not file:
            continue
        if name in first:
            other = first[name]
            text = f"class {name} is also in {other}: rename one of them, names must be unique"
            checked.findings.append(Finding(name, "error", "name", text, file, checked.line))
        first.setdefault(name, file)
