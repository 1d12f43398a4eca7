"""A run as a guest on a Dask worker: what a worker does for it, and how it leaves.

The scheduler imports this file too, so what is heavy is imported inside the functions.
"""

from __future__ import annotations

import asyncio
import atexit
import pickle
import platform
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any, Final

from hearts_sim.errors import ClusterError, HeartsError

IDLE_SECONDS: Final = 120.0
"""When there was nothing to do for a run for so long, its client is probably gone."""

_TELL_SECONDS: Final = 1.0
DONE, RAISED = "done", "raised"

_lock = threading.Lock()
_visits: dict[str, _Visit] = {}
_left: set[str] = set()


def versions() -> dict[str, str]:
    """What must be the same on every machine, and what that comes from."""
    import numba
    import numpy

    from hearts_sim import __version__
    from hearts_sim.engine.code_cache import engine_digest
    from hearts_sim.rules import RULES_VERSION

    return {
        "hearts-sim": __version__,
        "rules": str(RULES_VERSION),
        "engine": engine_digest(),
        "Python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": numpy.__version__,
    }


MUST_MATCH: Final = ("hearts-sim", "rules", "engine")


async def introduce() -> tuple[str, dict[str, str]]:
    """Name of this machine, and its `versions`; a worker can do something else meanwhile."""
    return socket.gethostname(), await asyncio.to_thread(versions)


async def ready() -> bool:
    """Whether this module can be imported: for the scheduler."""
    return True


def unlike(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """In which versions another machine differs from this one; nothing if it may play."""
    if all(there.get(name) == here[name] for name in MUST_MATCH):
        return ""
    differing = [name for name in here if there.get(name) != here[name]]
    return ", ".join(f"{name} {there.get(name)} (here {here[name]})" for name in differing)


def do(
    task: str,
    number: int,
    run: str,
    wanted: Mapping[str, str],
    arguments: tuple[Any, ...],
    baggage: bytes,
) -> bytes:
    """Do a task of `supervise` for a run.

    Parameters
    ----------
    task : str
        Name of the function.
    number : int
        By which the client knows the task; it is told when the task begins.
    run : str
        Key of the run, which no other run has.
    wanted : mapping
        The client's `versions`.
    arguments : tuple
        For the function, after the run.
    baggage : bytes
        A pickled `Baggage`, looked at if these versions are ours too.

    Returns
    -------
    bytes
        Pickled: ``("done", result)`` or ``("raised", error)``, with the paths of the client.
    """
    from distributed import get_worker

    worker = get_worker()
    worker.log_event(topic(run), {"began": number})
    where = f"worker {worker.address} on {socket.gethostname()}"
    try:
        differs = unlike(versions(), wanted)
        if differs:
            raise ClusterError(f"{where} has another version: {differs}")
        visit = _visit(run, baggage)
        try:
            visit.worker = worker
            return pickle.dumps((DONE, visit.do(task, arguments, where)))
        finally:
            visit.rest()
    except HeartsError as error:
        return pickle.dumps((RAISED, error))
    except OSError as error:
        return pickle.dumps((RAISED, ClusterError(f"{where}: {error}")))


def topic(run: str) -> str:
    """Of Dask's events: what a run's client is told."""
    return f"hearts-sim-{run}"


def _visit(run: str, baggage: bytes) -> _Visit:
    """The visit of a run, with one task more."""
    from hearts_sim.errors import RunInterrupted

    with _lock:
        if run in _left:
            raise RunInterrupted("interrupted")
        if run not in _visits:
            if not _visits:
                threading.Thread(target=_look_after, daemon=True).start()
            _visits[run] = _Visit(run, baggage)
        visit = _visits[run]
        visit.tasks += 1
        return visit


class _Visit:
    """What this process has for a run: its files, and the player processes of its threads."""

    def __init__(self, run: str, baggage: bytes) -> None:
        from hearts_sim.tournament.cluster.travel import Lodging

        self.run = run
        self.lodging = Lodging(pickle.loads(baggage))
        self.tasks = 0
        self.last = time.monotonic()
        self.worker: Any = None
        self._told: dict[int, int] = {}

    def do(self, task: str, arguments: tuple[Any, ...], where: str) -> Any:
        """Do a task; its result and its errors have the paths of the client.

        Raises
        ------
        HeartsError
            Whatever the task raised.
        """
        from hearts_sim.errors import ResultsError, StrategyLoadError
        from hearts_sim.tournament.players import supervise

        supervise.work_for(self.run)
        try:
            result = getattr(supervise, task)(self.lodging.spec, *arguments)
        except HeartsError as error:
            text = self.lodging.as_at_home(str(error))
            if isinstance(error, StrategyLoadError | ResultsError):
                text += f" (on {where})"
            raise type(error)(text) from None
        finally:
            supervise.work_for("")
        if task == "warm_up":
            return {entry: self.lodging.as_at_home(why) for entry, why in result.items()}
        if task == "play_part":
            result.faults[:] = [_as_at_home(fault, self.lodging) for fault in result.faults]
        return result

    def rest(self) -> None:
        """A task is done."""
        with _lock:
            self.tasks -= 1
            self.last = time.monotonic()

    def tell(self) -> None:
        """Tell the client how many games are played of the parts in play."""
        from hearts_sim.tournament.players import supervise

        now = supervise.parts_at_hand(self.run)
        if now != self._told and self.worker is not None:
            self._told = now
            self.worker.log_event(topic(self.run), {"games": list(now.items())})

    def end(self) -> None:
        """End its processes, and take its files away."""
        from hearts_sim.tournament.players import supervise

        if self.tasks:
            supervise.abandon(self.run)
        else:
            supervise.end_processes(self.run)
        self.lodging.leave()


def _as_at_home(fault: Any, lodging: Any) -> Any:
    from dataclasses import fields, replace

    texts = {
        item.name: lodging.as_at_home(getattr(fault, item.name))
        for item in fields(fault)
        if isinstance(getattr(fault, item.name), str)
    }
    return replace(fault, **texts)


def _look_after() -> None:
    """While there are guests, tell how far they are; those that stay idle are sent away."""
    while True:
        time.sleep(_TELL_SECONDS)
        with _lock:
            for run, visit in list(_visits.items()):
                if not visit.tasks and time.monotonic() - visit.last > IDLE_SECONDS:
                    _visits.pop(run).end()
            guests = list(_visits.values())
            if not guests:
                return
        for visit in guests:
            visit.tell()


async def leave(run: str) -> None:
    """Let go of a run; what is still being played for it is left."""
    await asyncio.to_thread(_leave, run)


def _leave(run: str) -> None:
    with _lock:
        _left.add(run)
        visit = _visits.pop(run, None)
    if visit is not None:
        visit.end()


@atexit.register
def _leave_all() -> None:
    for run in list(_visits):
        _leave(run)
