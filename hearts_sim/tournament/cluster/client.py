"""Playing on a Dask cluster: the tasks of `supervise`, done by its workers.

The client sends each worker the run once and then only numbers of parts, and writes what comes
back. What a worker does is in `guest`; who does what, and again when a worker is lost, is Dask's.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import pickle
import threading
import time
import uuid
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Final

from hearts_sim.errors import ClusterError, HeartsError, StrategyLoadError
from hearts_sim.tournament.cluster import guest
from hearts_sim.tournament.cluster.travel import pack
from hearts_sim.tournament.plan.spec import RunSpec

CONNECT_SECONDS: Final = 10
WORKERS_SECONDS: Final = 60.0
"""So long a run waits for the first worker to come."""

LOST_SECONDS: Final = 600.0
"""So long it waits when all of them have gone."""

_LOOK_SECONDS: Final = 2.0
_LEAVE_SECONDS: Final = 20.0
_SHOWN: Final = 5


@contextlib.contextmanager
def on_cluster(
    address: str, spec: RunSpec, notice: Callable[[str], None] = lambda text: None
) -> Iterator[ClusterExecutor]:
    """An executor for the tasks of a run; in the end nothing of it is left on the cluster.

    Parameters
    ----------
    address : str
        Of the scheduler.
    notice : callable
        Called with what a user wants to know of the cluster.

    Raises
    ------
    ClusterError
        When Dask is not installed, the scheduler cannot be reached, no worker comes, one of them
        has other versions, or the strategies are too large to be sent.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError(
            f"a run on a cluster needs Dask, which is not installed here ({error}): "
            'pip install "hearts-sim[dist]"'
        ) from None
    make_client: Any = Client
    baggage = pack(spec)
    with _quiet(), contextlib.ExitStack() as stack:
        try:
            # First without a client, which would try to close what it could not open.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, _knock(address)).result()
            client = make_client(
                address, timeout=CONNECT_SECONDS, set_as_default=False, name="hearts-sim"
            )
        except Exception as error:  # whatever Dask makes of an address
            why = str(error).strip() or type(error).__name__
            if error.__cause__ is not None and str(error.__cause__):
                why += f" ({str(error.__cause__).rpartition('>: ')[2]})"
            raise ClusterError(
                f"no Dask scheduler answers at {address!r}: {why}\n"
                "Give the address that 'dask scheduler' writes when it starts, such as "
                "tcp://HOST:8786, and see that its port can be reached from here"
            ) from None
        stack.callback(_close, client)
        # In its own thread: a connection that is cut off is no error of which anybody must hear.
        client.loop.asyncio_loop.set_exception_handler(lambda loop, context: None)
        threads = _wait_for_workers(client, address, notice)
        hosts = _check_versions(client, address)
        notice(f"{address}: {_counted(threads)}")
        yield stack.enter_context(ClusterExecutor(client, spec, baggage, hosts, notice))


async def _knock(address: str) -> None:
    """Open a connection to a scheduler, and close it.

    Raises
    ------
    Exception
        When nobody answers, or the address is none.
    """
    from distributed import Security
    from distributed.comm import core

    untyped: Any = (Security, core)
    security, comms = untyped
    arguments = security().get_connection_args("client")
    comm = await comms.connect(address, timeout=CONNECT_SECONDS, **arguments)
    await comm.close()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Dask's log and its warnings are for who runs the cluster; what matters here we say."""
    loggers = [
        logging.getLogger(name)
        for name in list(logging.root.manager.loggerDict)
        if name.split(".")[0] in ("distributed", "tornado", "asyncio")
    ]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _close(client: Any) -> None:
    with contextlib.suppress(Exception):
        client.close(timeout=5)


def _counted(threads: Mapping[str, int]) -> str:
    workers, total = len(threads), sum(threads.values())
    return f"{workers} worker{'s' * (workers != 1)} with {total} thread{'s' * (total != 1)}"


def _wait_for_workers(client: Any, address: str, notice: Callable[[str], None]) -> dict[str, int]:
    """Threads of each worker, as soon as there is one."""
    end, told = time.monotonic() + WORKERS_SECONDS, False
    while True:
        threads: dict[str, int] = client.nthreads()
        if threads:
            return threads
        if time.monotonic() > end:
            raise ClusterError(
                f"the Dask scheduler at {address} has no workers, and none came within "
                f"{WORKERS_SECONDS:g} s: start some on machines that have hearts-sim installed "
                f"(dask worker {address})"
            )
        if not told:
            notice(f"{address} has no workers yet: waiting for the first one ...")
            told = True
        time.sleep(0.5)


def _check_versions(client: Any, address: str) -> dict[str, list[str]]:
    """Addresses of the workers on each machine.

    Raises
    ------
    ClusterError
        When hearts-sim is not there, or not the same.
    """
    try:
        client.run_on_scheduler(guest.ready)
    except Exception as error:
        raise ClusterError(
            f"the scheduler at {address} cannot import hearts-sim ({error}): install it where "
            "'dask scheduler' runs, as on the workers"
        ) from None
    here = guest.versions()
    hosts: dict[str, list[str]] = defaultdict(list)
    wrong = []
    for worker, answer in client.run(guest.introduce, on_error="return").items():
        if isinstance(answer, Exception):
            wrong.append(f"worker {worker} cannot import hearts-sim: {answer}")
            continue
        host, there = answer
        hosts[host].append(worker)
        differs = guest.unlike(there, here)
        if differs:
            wrong.append(f"worker {worker} on {host}: {differs}")
    if wrong:
        more = f"\nand {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise ClusterError(
            "workers must have the same hearts-sim as this machine, and the same versions of "
            "Python, numba and numpy under it:\n" + "\n".join(wrong[:_SHOWN]) + more
        )
    return hosts


class ClusterExecutor(Executor):
    """Sends tasks of `supervise` to the workers of a cluster.

    Parameters
    ----------
    client : distributed.Client
    spec : RunSpec
        The run to which all tasks belong.
    baggage : Baggage
        What the workers need for it.
    hosts : mapping
        Addresses of the workers on each machine.
    notice : callable
        Called with what a user wants to know.
    """

    def __init__(
        self,
        client: Any,
        spec: RunSpec,
        baggage: Any,
        hosts: Mapping[str, list[str]],
        notice: Callable[[str], None],
    ) -> None:
        self._client = client
        self._spec = spec
        self._hosts = hosts
        self._notice = notice
        self._run = uuid.uuid4().hex
        self._versions = guest.versions()
        self._numbers = itertools.count()
        self._sent: dict[int, Future[Any]] = {}
        self._at_hand: dict[int, int] = {}
        self._threads, self._looked = 0, 0.0
        self._since = time.monotonic()
        self._told_lost = False
        self._executor = client.get_executor(pure=False)
        # A task, not scattered data: that would be lost for good with the last worker that has it.
        # A worker fetches its result once, from another worker.
        self._baggage = client.submit(bytes, pickle.dumps(baggage), pure=False)
        client.subscribe_topic(guest.topic(self._run), self._hear)

    # Sending and receiving.

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a task; of its arguments the run, which comes first, is there already."""
        task, arguments = fn.__name__, args[1:]
        if task == "warm_up":
            return self._on_each_machine(task, arguments)
        return self._send(task, arguments, arguments[0] if task == "play_part" else None)

    def _send(
        self, task: str, arguments: tuple[Any, ...], part: int | None = None, **where: Any
    ) -> Future[Any]:
        number = next(self._numbers)
        outer: Future[Any] = Future()
        self._sent[number] = outer
        if part is not None:
            self._at_hand[part] = 0
        inner = self._executor.submit(
            guest.do, task, number, self._run, self._versions, arguments, self._baggage, **where
        )

        def arrived(inner: Future[Any]) -> None:
            self._sent.pop(number, None)
            if part is not None:
                self._at_hand.pop(part, None)
            if outer.cancelled():
                return
            try:
                outer.set_result(_received(inner, task, arguments))
            except BaseException as error:
                outer.set_exception(error)

        def taken_back(outer: Future[Any]) -> None:
            if outer.cancelled():
                inner.cancel()

        outer.add_done_callback(taken_back)
        inner.add_done_callback(arrived)
        return outer

    def _on_each_machine(self, task: str, arguments: tuple[Any, ...]) -> Future[Any]:
        """Warm up one worker of each machine; they must agree on who can play."""
        futures = {
            host: self._send(task, arguments, workers=workers, allow_other_workers=True)
            for host, workers in self._hosts.items()
        }
        while wait(futures.values(), _LOOK_SECONDS).not_done:
            self.window()
        done: Future[Any] = Future()
        try:
            found = {host: future.result() for host, future in futures.items()}
            done.set_result(_agreed(self._spec, found))
        except HeartsError as error:
            done.set_exception(error)
        return done

    async def _hear(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """What workers tell while they play; this is called in Dask's thread."""
        message = event[1]
        outer = self._sent.get(message.get("began", -1))
        if outer is not None and not outer.running() and not outer.done():
            # Now it cannot be taken back any more, as with a local pool.
            outer.set_running_or_notify_cancel()
        for part, games in message.get("games", ()):
            if part in self._at_hand:
                self._at_hand[part] = games

    # How it goes.

    def games_at_hand(self) -> int:
        """Games that were played in parts that have not come back."""
        return sum(self._at_hand.copy().values())

    def window(self) -> int:
        """How many tasks the cluster is given at a time: two for each thread that it has now.

        Raises
        ------
        ClusterError
            When the scheduler is gone, or all workers are, for ten minutes.
        """
        now = time.monotonic()
        if now - self._looked > _LOOK_SECONDS:
            self._look()
            self._looked = now
        return max(2, 2 * self._threads)

    def _look(self) -> None:
        threads: dict[str, int] = {}
        if self._client.status == "running":
            try:
                threads = self._client.nthreads()
            except Exception:
                raise ClusterError(_LOST) from None
        if self._client.status == "closed":
            raise ClusterError(_LOST)
        self._threads = sum(threads.values())
        if threads:
            if self._told_lost:
                self._notice(f"the cluster plays again: {_counted(threads)}")
            self._since, self._told_lost = time.monotonic(), False
            return
        gone = time.monotonic() - self._since
        if gone > LOST_SECONDS:
            raise ClusterError(
                f"the cluster has had no workers for {LOST_SECONDS / 60:g} minutes; what was "
                "played is kept: when there are some, the same command with --resume goes on"
            )
        if gone > 2 * _LOOK_SECONDS and not self._told_lost:
            self._notice("the cluster has no workers any more: waiting for new ones ...")
            self._told_lost = True

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take back everything, and let the workers end their player processes."""
        for outer in list(self._sent.values()):
            outer.cancel()
        if self._client.status != "running":
            return
        with contextlib.suppress(Exception):
            self._executor.shutdown(wait=False)
            self._client.unsubscribe_topic(guest.topic(self._run))
        leaving = threading.Thread(target=self._leave, daemon=True)
        leaving.start()
        leaving.join(_LEAVE_SECONDS)

    def _leave(self) -> None:
        with contextlib.suppress(Exception):
            self._client.run(guest.leave, self._run, on_error="ignore")


_LOST: Final = (
    "the connection to the Dask scheduler was lost; what was played is kept: when the scheduler is "
    "there again, the same command with --resume goes on"
)


def _received(inner: Future[Any], task: str, arguments: tuple[Any, ...]) -> Any:
    """What became of a task on the cluster: its result, or its error is raised."""
    try:
        how, what = pickle.loads(inner.result())
    except (Exception, CancelledError) as error:
        raise _explained(error, task, arguments) from None
    if how == guest.RAISED:
        raise what
    return what


def _explained(error: BaseException, task: str, arguments: tuple[Any, ...]) -> BaseException:
    """An error of Dask in our words; one of our own as it is."""
    from distributed import KilledWorker

    what = {
        "warm_up": "loading the strategies",
        "play_itself": "checking a strategy",
        "count_deals": "counting the deals",
        "play_again": "playing blocks again for the audit",
    }.get(task, "")
    if task == "play_part":
        blocks = arguments[1]
        what = f"part {arguments[0]} (blocks {blocks.start} to {blocks.stop - 1})"
    if isinstance(error, KilledWorker):
        last = getattr(error.last_worker, "address", error.last_worker)
        times = error.allowed_failures + 1
        return ClusterError(
            f"{what} was given to {times} workers one after the other, and each of them died, the "
            f"last one at {last}. Bots play in processes of their own, so it is hardly a bot: look "
            "into the worker's log; short memory is the usual reason (fewer threads per machine "
            "help). What was played is kept: the same command with --resume goes on"
        )
    if isinstance(error, ImportError):
        return ClusterError(
            f"a worker cannot import what it needs for {what}: {error}: install the same "
            "hearts-sim there as here"
        )
    if isinstance(error, CancelledError):
        return ClusterError(_LOST)
    if isinstance(error, OSError):
        return ClusterError(f"{_LOST} ({type(error).__name__}: {error})")
    return error


def _agreed(spec: RunSpec, found: Mapping[str, dict[int, str]]) -> dict[int, str]:
    """Who cannot play, and why; the same on every machine.

    Raises
    ------
    StrategyLoadError
        When an entry loads on one machine and not on another.
    """
    first: dict[int, str] = next(iter(found.values()))
    for entry in sorted({entry for barred in found.values() for entry in barred}):
        without = [host for host, barred in found.items() if entry not in barred]
        if without:
            host, why = next(
                (host, barred[entry]) for host, barred in found.items() if entry in barred
            )
            raise StrategyLoadError(
                f"{spec.names[entry]} can be loaded on {', '.join(without[:_SHOWN])} and not on "
                f"{host}: install there what it needs: {why}"
            )
    return first
