"""The tasks of `tasks`, done in a player process that belongs to the calling thread.

A bot may end the process. Then the same is done again in another one, watched, to see at which
decision that happens; and once more, with that decision as a fault. So it makes no difference
whether the thread is one of a pool here or on another machine.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from typing import Any, Final

from hearts_sim.errors import ResultsError, RunInterrupted
from hearts_sim.strategy.faults import Fault
from hearts_sim.tournament.judge import Due, SpoiltProcess, place_of
from hearts_sim.tournament.player import PartResult
from hearts_sim.tournament.processes import PlayerEnded, PlayerProcess
from hearts_sim.tournament.pulse import PLAYING, Thinking
from hearts_sim.tournament.spec import RunSpec

MOST_DEATHS: Final = 3
"""So often in a row a player process may end while no bot is at a decision."""

_here = threading.local()
_lock = threading.Lock()
_processes: set[PlayerProcess] = set()
_abandoned = threading.Event()


def abandon() -> None:
    """Leave everything that is being played, until somebody begins anew."""
    _abandoned.set()
    with _lock:
        for process in _processes:
            process.kill("")
    end_processes()


def begin() -> None:
    """Begin anew."""
    _abandoned.clear()


def _process() -> PlayerProcess:
    process: PlayerProcess | None = getattr(_here, "process", None)
    if process is None or process not in _processes:
        process = _here.process = PlayerProcess()
        with _lock:
            _processes.add(process)
    return process


def _drop(process: PlayerProcess) -> None:
    with _lock:
        _processes.discard(process)
    process.end()


def end_processes() -> None:
    """End all player processes of this process."""
    with _lock:
        processes = list(_processes)
        _processes.clear()
    for process in processes:
        process.end()


def games_at_hand() -> int:
    """Games that were played in tasks that are not done yet."""
    with _lock:
        return sum(process.pulse.played for process in _processes)


def _run(spec: RunSpec, task: str, *arguments: Any) -> Any:
    if _abandoned.is_set():
        raise RunInterrupted("interrupted")
    process = _process()
    try:
        done = process.run(spec.faults, task, spec, *arguments)
        process.pulse.played = 0
        return done
    except (PlayerEnded, SpoiltProcess):
        _drop(process)
        raise


def warm_up(spec: RunSpec) -> dict[int, str]:
    """Load and compile what a run needs; what is wrong with entries that cannot play.

    Raises
    ------
    ResultsError
        When a process ends over it, and it is not known which strategy ended it, or the rules are
        strict.
    """
    barred: dict[int, str] = {}
    last_killed: int | None = None
    while True:
        try:
            found: dict[int, str] = _run(spec, "warm_up", barred)
            return found
        except PlayerEnded as ended:
            if ended.loading is None:
                raise ResultsError(f"a player process could not begin: {ended.message}") from None
            if ended.killed and ended.loading != last_killed:
                last_killed = ended.loading
                continue
            entry = spec.entries[ended.loading]
            why = f"{entry.name} ({entry.file}) could not be loaded: {ended.message}"
            if spec.faults.policy == "strict":
                raise ResultsError(why) from None
            barred[ended.loading] = why


def play_part(
    spec: RunSpec, number: int, blocks: range, absent: Collection[int] = ()
) -> PartResult:
    """Play a part; see `Player.play`.

    Raises
    ------
    StrategyFault
        When a strategy failed and the rules are strict.
    ResultsError
        When player processes end, and it is no strategy's doing.
    """
    limits = spec.faults
    watched = limits.timed or limits.memory_mb is not None or hasattr(_here, "wary")
    due: list[Due] = []
    deaths = 0
    last_killed: tuple[int, int, int] | None = None
    while True:
        try:
            done: PartResult = _run(
                spec, "play_part", number, blocks, absent, tuple(_in_order(due)), watched
            )
            return done
        except SpoiltProcess as spoilt:
            due.append(spoilt.due)
        except PlayerEnded as ended:
            thinking = ended.thinking
            if watched and thinking is not None and thinking.game == PLAYING:
                at = (thinking.block, thinking.seating, thinking.key)
                if ended.killed and at != last_killed and deaths < MOST_DEATHS:
                    # A bot does it at the same decision again; somebody at the machine does not.
                    last_killed = at
                    deaths += 1
                    continue
                if limits.policy == "strict":
                    raise _fault(spec, ended, thinking).error() from None
                due.append(
                    Due(thinking.block, thinking.seating, thinking.key, ended.kind, ended.message)
                )
                deaths = 0
                continue
            deaths += watched
            # From now on this thread looks on from the start.
            watched = _here.wary = True
            if deaths == MOST_DEATHS:
                raise ResultsError(
                    f"player processes end while they play part {number} (blocks {blocks.start} "
                    f"to {blocks.stop - 1}), and no strategy is at a decision then: "
                    f"{ended.message}. If memory is short, try --jobs 1"
                ) from None


def _in_order(due: list[Due]) -> list[Due]:
    """Faults of a game in the order of its decisions: that in which they came."""
    return sorted(due, key=lambda item: (item.block, item.seating))


def _fault(spec: RunSpec, ended: PlayerEnded, thinking: Thinking) -> Fault:
    hand, hook, trick, seat = place_of(thinking.key)
    entry = spec.entries[thinking.entry]
    return Fault(
        strategy=entry.name,
        kind=ended.kind,
        hook=hook,
        block=thinking.block,
        seating=thinking.seating,
        game=thinking.number,
        hand=hand,
        trick=trick,
        seat=seat,
        given="",
        answer="",
        message=ended.message,
        traceback="",
        file=entry.file,
    )


def play_itself(spec: RunSpec, entry: int) -> str | None:
    """Digest of a game of an entry with itself; None when it failed or ended its process."""
    try:
        found: str | None = _run(spec, "play_itself", entry)
    except (PlayerEnded, SpoiltProcess):
        return None
    return found
