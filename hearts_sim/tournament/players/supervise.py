"""The tasks of `tasks`, done in a player process that belongs to the calling thread.

A bot may end the process. Then the same is done again in another one, watched, to see at which
decision that happens; and once more, with that decision as a fault. So it makes no difference
whether the thread is one of a pool here or on another machine.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from hearts_sim.errors import ResultsError, RunInterrupted
from hearts_sim.strategy.faults import Fault
from hearts_sim.strategy.loader import Library, strategy_files
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.plan.spec import RunSpec
from hearts_sim.tournament.players.due import Due, SpoiltProcess, place_of
from hearts_sim.tournament.players.processes import PlayerEnded, PlayerProcess
from hearts_sim.tournament.players.pulse import PLAYING, Thinking

if TYPE_CHECKING:
    from hearts_sim.tournament.log.part_result import PartResult
    from hearts_sim.tournament.players.choices import Recorded

LONG_IMPORT: Final = 10.0
"""After so many seconds it is said which file is being imported."""

MOST_DEATHS: Final = 3
"""So often in a row a player process may end while no bot is at a decision."""

_here = threading.local()
_lock = threading.Lock()
_processes: dict[PlayerProcess, str] = {}
_spare: list[PlayerProcess] = []
_abandoned: set[str] = set()


# A worker of a cluster may play several runs at a time, each under a key and with processes of its
# own. Here there is one run, whose key is empty.


def abandon(run: str = "") -> None:
    """Leave everything of a run that is being played, until somebody begins anew."""
    _abandoned.add(run)
    with _lock:
        processes = [process for process in _processes if _processes[process] == run]
    for process in processes:
        process.kill("its run was left")  # a thread may wait for its answer
    end_processes(run)


def begin(run: str = "") -> None:
    """Begin anew."""
    _abandoned.discard(run)


def start_ahead(number: int) -> None:
    """Start processes that will be asked for soon, while there is something else to do."""
    with _lock:
        for _ in range(number):
            process = PlayerProcess()
            _processes[process] = ""
            _spare.append(process)


def work_for(run: str) -> None:
    """Let what the calling thread does belong to a run."""
    _here.run = run


def _process(run: str = "") -> PlayerProcess:
    mine: dict[str, PlayerProcess] = _here.__dict__.setdefault("processes", {})
    process = mine.get(run)
    if process is None or process not in _processes:
        for ended in [other for other in mine if mine[other] not in _processes]:
            del mine[ended]
        with _lock:
            process = mine[run] = _spare.pop() if _spare and not run else PlayerProcess()
            _processes[process] = run
    return process


def _drop(process: PlayerProcess) -> None:
    with _lock:
        _processes.pop(process, None)
    process.end()


def end_processes(run: str = "") -> None:
    """End all player processes that this process has for a run."""
    with _lock:
        processes = [process for process in _processes if _processes[process] == run]
        for process in processes:
            del _processes[process]
        if not run:
            _spare.clear()
    for process in processes:
        process.end()


def games_at_hand() -> int:
    """Games that were played in tasks that are not done yet."""
    with _lock:
        return sum(process.pulse.played for process in _processes)


def parts_at_hand(run: str) -> dict[int, int]:
    """Games that were played of each part of a run that is not done yet."""
    with _lock:
        return {
            process.part: process.pulse.played
            for process, its in _processes.items()
            if its == run and process.part is not None
        }


def _run(spec: RunSpec, task: str, *arguments: Any) -> Any:
    run: str = getattr(_here, "run", "")
    if run in _abandoned:
        raise RunInterrupted("interrupted")
    process = _process(run)
    process.part = arguments[0] if task == "play_part" else None
    try:
        done = process.run(spec.faults, task, spec, *arguments)
        process.pulse.played, process.part = 0, None
        return done
    except (PlayerEnded, SpoiltProcess):
        _drop(process)
        raise


def survey(
    folders: Sequence[str],
    limits: FaultRules,
    waiting: Callable[[str, bool], None] = lambda file, builds: None,
) -> Library:
    """Find the strategies of some folders; their files may do what they like, but not to us.

    The process is kept: the next thread that plays gets it.

    Parameters
    ----------
    folders : sequence of str
    limits : FaultRules
        Where time is limited, the import of a file is, too.
    waiting : callable
        Called with a file that takes long, and whether it does because code is compiled for it.

    Returns
    -------
    Library
        Without the classes.

    Raises
    ------
    ResultsError
        When no process can be started.
    RunInterrupted
        After Ctrl-C.
    """
    files = strategy_files(folders)
    barred: dict[str, str] = {}
    deaths = 0
    while True:
        with _lock:
            if not _spare:
                light = PlayerProcess(ahead=False)
                _processes[light] = ""
                _spare.append(light)
        process = _process()
        try:
            with _impatient(process, files, waiting):
                library: Library = process.run(limits, "survey", files, barred)
            with _lock:
                _spare.append(process)
            del _here.processes[""]
            return library
        except PlayerEnded as ended:
            _drop(process)
            if ended.loading is None:
                deaths += 1
                _must_begin(ended, deaths)
                continue
            file = files[ended.loading]
            barred[file] = f"{file}: does not import: {ended.message}"
        except KeyboardInterrupt:
            place = process.pulse.loading
            what = "a process was started" if place is None else f"{files[place]} was imported"
            _drop(process)
            raise RunInterrupted(f"interrupted while {what}") from None


@contextlib.contextmanager
def _impatient(
    process: PlayerProcess, files: Sequence[str], waiting: Callable[[str, bool], None]
) -> Iterator[None]:
    """Say once which file is being imported if it takes long."""

    def look() -> None:
        place = process.pulse.loading
        if place is not None:
            waiting(files[place], process.pulse.building)

    timer = threading.Timer(LONG_IMPORT, look)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _must_begin(ended: PlayerEnded, deaths: int) -> None:
    """Give up when processes end before a strategy is looked at; one may be killed by somebody.

    Raises
    ------
    ResultsError
    """
    if not ended.killed or deaths == MOST_DEATHS:
        raise ResultsError(f"a player process could not begin: {ended.message}") from None


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
    deaths = 0
    while True:
        try:
            found: dict[int, str] = _run(spec, "warm_up", barred)
            return found
        except PlayerEnded as ended:
            if ended.loading is None:
                deaths += 1
                _must_begin(ended, deaths)
                continue
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


def play_again(spec: RunSpec, blocks: Sequence[int], absent: Collection[int]) -> Recorded | None:
    """Play some blocks again, in another order and in a process that has played nothing else.

    None when the process ended over it, or a strategy failed and the rules are strict.
    """
    run: str = getattr(_here, "run", "")
    if run in _abandoned:
        raise RunInterrupted("interrupted")
    process = PlayerProcess()
    with _lock:
        _processes[process] = run
    watched = spec.faults.timed or spec.faults.memory_mb is not None
    try:
        found: Recorded | None = process.run(
            spec.faults, "play_again", spec, tuple(blocks), tuple(absent), watched
        )
    except (PlayerEnded, SpoiltProcess):
        return None
    finally:
        _drop(process)
    return found


def play_itself(spec: RunSpec, entry: int) -> str | None:
    """Digest of a game of an entry with itself; None when it failed or ended its process."""
    try:
        found: str | None = _run(spec, "play_itself", entry)
    except (PlayerEnded, SpoiltProcess):
        return None
    return found


def count_deals(spec: RunSpec, dealt: list[tuple[Any, Any]]) -> dict[str, int]:
    """Count deals, and those that were dealt before; see `deals.count_deals`.

    Raises
    ------
    ResultsError
        When the process ends over it.
    """
    deaths = 0
    while True:
        try:
            counted: dict[str, int] = _run(spec, "count_deals", dealt)
            return counted
        except PlayerEnded as ended:
            deaths += 1
            if not ended.killed or deaths == MOST_DEATHS:
                raise ResultsError(
                    f"a player process ended while it counted the deals: {ended.message}. "
                    "Everything is played and kept: the same command with --resume goes on"
                ) from None
