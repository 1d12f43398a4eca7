"""Strategies in processes of their own: the same games, and failures that stay on their side."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trial import write_files

from hearts_sim.engine.layout import JOB, WATCH_CALLS
from hearts_sim.engine.machine import Machine
from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import Rules
from hearts_sim.strategy import table as table_module
from hearts_sim.strategy.faults import HARD, BotCrash, Fault, RemoteError, TooSlow
from hearts_sim.strategy.host import ANSWER
from hearts_sim.strategy.isolated import IsolatedPlayer
from hearts_sim.strategy.loader import Library, load_folders
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.table import Lineup

SHORT: Mapping[str, Any] = {"end": {"deals": 2}, "tie": "draw"}
SEED = 0x1A2B3C4D5E6F7081

BOTS = {
    "plain.py": """
    from hearts_sim import Strategy

    class Low(Strategy):
        def choose_card(self, view):
            return view.legal.lowest()

    class Chance(Strategy):
        def __init__(self, high=0.5, name=""):
            self.high, self.name = high * self.rng.random(), name

        def choose_pass(self, view):
            both = [card for card in view.hand_twice & view.legal for _ in "12"]
            others = self.rng.sample(list(view.legal - view.hand_twice), view.pass_count)
            return [*both, *others][: view.pass_count]

        def choose_card(self, view):
            if self.rng.random() < self.high:
                return str(view.legal.highest())
            return int(self.rng.choice(list(view.legal)))

    class Remembers(Strategy):
        '''What it plays depends on every hook that it was called with before.'''

        told = 0

        def __init__(self, start=1):
            self.told = start

        def tell(self, *what):
            self.told = hash((self.told, *map(hash, what))) & 0xFFFFFF

        def start_game(self, view):
            self.tell(0, view.seat, -1 if view.partner is None else view.partner)
            self.tell(view.scores, view.hand_number, view.rules.players)

        def start_hand(self, view):
            self.tell(1, int(view.hand), int(view.hand_twice), view.pass_offset)

        def choose_card(self, view):
            self.tell(2, view.tricks, view.taken, view.taken_twice, view.received, view.voids)
            return list(view.legal)[self.told % len(view.legal)]

        def end_hand(self, view):
            self.tell(3, view.points, view.scores, view.kitty_seat, view.rules.target)

    class Grows(Strategy):
        '''Its class knows how many games it has begun, and what it was prepared with.'''

        games = 0
        step = None

        @classmethod
        def prepare(cls, options):
            assert cls.step is None
            cls.step = options["step"]

        def __init__(self, step):
            type(self).games += self.step

        def choose_card(self, view):
            return list(view.legal)[self.games % len(view.legal)]
    """,
    "compiled.py": """
    from hearts_sim import CompiledStrategy
    from hearts_sim.strategy.toolkit import memory, nth, count, options, random_below, rules

    class Counts(CompiledStrategy):
        '''What it plays depends on its memory, its options, the rules and the stream.'''

        memory_words = 3
        options = {"step": 1, "more": 2.5}

        @staticmethod
        def start_hand(view):
            memory(view)[0] += options(view)[0]

        @staticmethod
        def choose_pass(view):
            memory(view)[1] += view.legal
            cards, left = 0, view.legal
            for _ in range(view.pass_count):
                card = nth(left, random_below(view, count(left)))
                cards |= 1 << card
                left &= ~(1 << card)
            return cards

        @staticmethod
        def choose_card(view):
            words = memory(view)
            words[2] += int(2 * options(view)[1]) + rules(view).cost[51]
            number = words[0] + words[1] + words[2] + random_below(view, 3)
            return nth(view.legal, abs(number) % count(view.legal))
    """,
    "moon.py": """
    from hearts_sim import Strategy

    class Shoots(Strategy):
        '''Takes what it can, so that it shoots among those who take nothing.'''

        def choose_card(self, view):
            return max(view.legal, key=lambda card: card.rank)

        def choose_moon(self, view):
            with open(self.file, "a") as file:
                file.write("!")
            return "add" if self.rng.random() < 0.5 else "subtract"

        def __init__(self, file):
            self.file = file
    """,
}


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The strategies of this file."""
    return load_folders([write_files(tmp_path_factory.mktemp("bots"), BOTS)])


def entry(library: Library, bot: str, isolate: str = "process", **options: Any) -> Seated:
    found = library.get(bot)
    return Seated(bot, found.strategy, options, found.digest, found.file, isolate=isolate)


class Trial:
    """Games of some entries, seat by seat; who fails is substituted."""

    def __init__(
        self, entries: Sequence[Seated], rules: Any = SHORT, memory_mb: int | None = None
    ) -> None:
        self.machine = Machine(Rules.from_spec(rules), SEED, "plays", len(entries))
        self.lineup = Lineup(self.machine, entries, memory_mb=memory_mb)
        self.faults: list[Fault] = []
        self.begun = 0

    def play(self, seats: Sequence[int], games: int = 1) -> tuple[Any, Any, Any]:
        """Rows of some more games with these entries on the seats."""
        jobs = np.zeros(games, JOB)
        jobs["block"] = jobs["number"] = range(self.begun, self.begun + games)
        jobs["entries"][:, : len(seats)] = seats
        jobs["watch"] = WATCH_CALLS
        self.begun += games
        for seat, number in enumerate(seats):
            self.lineup.seat(number, seat, alone=len(set(seats)) == len(seats))
        self.machine.clear_rows()
        self.machine.play_on(jobs, self._judge)
        hands, finals, plays = self.machine.rows()
        return hands.copy(), finals.copy(), plays.copy()

    def _judge(self) -> None:
        fault = self.lineup.fault()
        self.faults.append(fault)
        self.machine.substitute(out=fault.kind in HARD or fault.hook == "start_game")

    def player(self, number: int = 0, seat: int = 0) -> Any:
        self.lineup.seat(number, seat)
        return self.lineup._players[number, seat]


@contextlib.contextmanager
def trial(entries: Sequence[Seated], rules: Any = SHORT, **more: Any) -> Iterator[Trial]:
    table = Trial(entries, rules, **more)
    try:
        yield table
    finally:
        table.lineup.close()


def same(
    entries: Sequence[Seated], seats: Sequence[int], rules: Any, games: int = 2
) -> tuple[Any, Any, Any]:
    """Play as they are, and all in this process; the rows, which must be equal."""
    rows = []
    for line in (entries, [replace(item, isolate="shared") for item in entries]):
        with trial(line, rules) as table:
            rows.append(table.play(seats, games))
            assert table.faults == []
    for isolated, shared in zip(*rows, strict=True):
        assert len(shared)
        assert np.array_equal(isolated, shared)
    return rows[0]


# The same games


def test_plain(bots: Library) -> None:
    """Random numbers, options, memory, events and answers of every form come through."""
    entries = [
        entry(bots, "Chance", high=0.9, name="one"),
        entry(bots, "Remembers", start=5),
        entry(bots, "Low"),
        entry(bots, "Grows", step=3),
    ]
    same(entries, [0, 1, 2, 3], {"end": {"deals": 4}, "tie": "draw"}, games=3)


def test_compiled(bots: Library, library: Library) -> None:
    """Compiled strategies have options, rules, the seat's stream, and a memory for each game."""
    entries = [entry(library, "RandomLegal"), entry(bots, "Counts", step=3)]
    shared = entry(library, "LowCard", "shared")
    same([*entries, shared], [0, 1, 2, 2], SHORT, games=3)


@pytest.mark.parametrize("preset", ["cancellation", "partnership_pooled", "kitty"])
def test_wide(preset: str, bots: Library, library: Library) -> None:
    """So do two packs, partners and a kitty; two compiled players, two plain ones of one entry."""
    rules = Rules.from_spec({"preset": preset, "pass_cycle": ["L"], **SHORT})
    shared = entry(bots, "Low", "shared")
    entries = [entry(bots, "Chance"), entry(library, "AllRoundCompiled"), entry(bots, "Remembers")]
    seats = [0, 1, 0, 2, 3, 3][: rules.players]
    same([*entries, shared], seats, rules)


def test_moon(bots: Library, tmp_path: Path) -> None:
    """The choice after a moon is asked for and told."""
    rules = {"moon": "choice", "pass_cycle": ["H"], "end": {"deals": 40}, "tie": "draw"}
    file = tmp_path / "asked"
    shooter, low = entry(bots, "Shoots", file=str(file)), entry(bots, "Low", "shared")
    hands, _, _ = same([shooter, low], [0, 1, 1, 1], rules, games=10)
    moons = hands[(hands["moon"] == 1) & (hands["seat"] == 0)]
    assert file.read_text() == "!" * 2 * len(moons)
    assert set(moons["points"]) == {0, -26}


def test_only_its_own_hooks(bots: Library) -> None:
    """For a hook that a class does not have nothing is called."""
    with trial([entry(bots, "Low")]) as table:
        addresses = table.player().addresses()
    assert [bool(address) for address in addresses] == [True, False, False, True, False, False]


def test_close_and_go_on(bots: Library) -> None:
    """A closed player starts again with the next game, and plays as before."""
    line = [entry(bots, "Remembers"), entry(bots, "Low", "shared")]
    with trial(line) as table:
        table.play([0, 1, 1, 1])
        table.lineup.close()
        table.lineup.close()
        later = table.play([0, 1, 1, 1])
    with trial([replace(item, isolate="shared") for item in line]) as table:
        table.begun = 1
        for one, other in zip(later, table.play([0, 1, 1, 1]), strict=True):
            assert np.array_equal(one, other)


# What goes wrong

BAD = """
import ctypes, os, signal, subprocess, sys, time
import numpy as np
from hearts_sim import Strategy

class Stubborn:
    def __repr__(self):
        raise SystemExit("no")

class Mute(Exception):
    def __str__(self):
        raise ValueError("mute")

def inherited():
    return sorted(int(name) for name in os.listdir("/proc/self/fd"))

class Bad(Strategy):
    '''Does something in the fifth trick; a name of what it does here, or Python.'''

    def __init__(self, what, everywhere=False):
        self.what, self.everywhere = what, everywhere

    def choose_card(self, view):
        if view.trick_number == 5 and (self.everywhere or view.hand_number == 1):
            answer = self.misbehave(view)
            if answer is not None:
                return answer
        return view.legal.lowest()

    def misbehave(self, view):
        scope = {**globals(), "self": self, "view": view}
        if hasattr(self, self.what):
            return getattr(self, self.what)(view)
        if self.what.startswith("return "):
            return eval(self.what[7:], scope)
        exec(self.what, scope)

    def recursion(self, view):
        return self.recursion(view)

    def many_numbers(self, view):
        numbers = []
        while True:
            numbers.append(len(numbers) * 1000)

    def everywhere_bytes(self, view):
        for number in inherited():
            try:
                os.write(number, b"[1, 2]" * 20)
            except OSError:
                pass

    def leaves(self, view):
        subprocess.Popen(["sleep", "1000"], start_new_session=True)

    def dies_loudly(self, view):
        self.noisy = Noisy()
        del self.noisy

class Noisy:
    def __del__(self):
        raise ValueError("from __del__")
"""


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A strategy that does what its options say."""
    files = {"bad.py": BAD, "low.py": BOTS["plain.py"]}
    return load_folders([write_files(tmp_path_factory.mktemp("bad"), files)])


def misbehave(
    bad: Library,
    what: str,
    *,
    isolate: str = "process",
    memory_mb: int | None = None,
    everywhere: bool = False,
    games: int = 2,
) -> tuple[list[Fault], Any]:
    """Faults and rows of some games, in each of which `Bad` misbehaves once."""
    entries = [
        entry(bad, "Bad", isolate, what=what, everywhere=everywhere),
        entry(bad, "Low", "shared"),
    ]
    with trial(entries, memory_mb=memory_mb) as table:
        rows = table.play([0, 1, 1, 1], games)
    return table.faults, rows


def one_each(faults: Sequence[Fault]) -> Fault:
    """The fault of the first of two games that each have one, at the place where it must be."""
    assert [(fault.game, fault.hand, fault.trick, fault.seat) for fault in faults] == [
        (0, 1, 5, 0),
        (1, 1, 5, 0),
    ], faults
    assert faults[0].hook == "choose_card"
    assert faults[0].kind == faults[1].kind
    return faults[0]


@pytest.mark.parametrize(
    ("what", "kind", "message"),
    [
        ("raise ValueError('twelve')", "exception", "it raised ValueError: twelve"),
        ("raise Mute()", "exception", "it raised Mute: "),
        ("sys.exit('bye')", "exception", "it raised SystemExit: bye"),
        ("recursion", "exception", "it raised RecursionError: "),
        ("return {'a': 1}", "wrong_type", "it raised BadAnswer: choose_card must return one card"),
        ("return Stubborn()", "wrong_type", "it raised BadAnswer: choose_card must return one"),
        ("return 'Q?'", "wrong_type", "it raised BadAnswer: "),
        ("return 99", "illegal_card", "it played 99, which is no card, which it may not"),
        ("return (view.deck - view.legal).lowest()", "illegal_card", "it played "),
        ("self.rng.random(); raise OSError(2, 'gone')", "exception", "it raised FileNotFoundError"),
    ],
)
def test_lives_on(what: str, kind: str, message: str, bad: Library) -> None:
    """What a strategy raises or answers is told as in the shared process, and it plays on."""
    faults, rows = misbehave(bad, what, everywhere=True)
    assert len(faults) == 4
    assert faults[0].kind == kind
    assert faults[0].message.startswith(message)
    if "Stubborn" in what or "Mute" in what:  # the shared player cannot show these
        return
    expected, shared = misbehave(bad, what, everywhere=True, isolate="shared")
    for name in ("kind", "message", "answer", "given", "hand", "trick", "game", "file", "hook"):
        assert [getattr(f, name) for f in faults] == [getattr(f, name) for f in expected], name
    for one, other in zip(rows, shared, strict=True):
        assert np.array_equal(one, other)


def test_traceback(bad: Library) -> None:
    """A traceback has the strategy's own frames, with file and line."""
    faults, _ = misbehave(bad, "recursion", games=1)
    (fault,) = faults
    line = 1 + BAD.splitlines().index("        return self.recursion(view)")
    place = f'File "{Path(fault.file).resolve()}", line {line}, in recursion'
    assert fault.traceback.count(place) == fault.traceback.count("File ") == 3
    assert "[Previous line repeated 3 more times]" in fault.traceback
    faults, _ = misbehave(bad, "many_bytes()", games=1)
    assert "NameError: name 'many_bytes'" in faults[0].message
    frames = [line.split(", in ")[1] for line in faults[0].traceback.splitlines() if " in " in line]
    assert frames == ["choose_card", "misbehave", "<module>"]


def test_interrupts_only_itself(bad: Library) -> None:
    """A KeyboardInterrupt that a strategy raises is its own, and not the user's."""
    fault = one_each(misbehave(bad, "raise KeyboardInterrupt")[0])
    assert (fault.kind, fault.message) == ("exception", "it raised KeyboardInterrupt")


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("os._exit(3)", "it ended with exit code 3"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "it was killed by signal 9 (SIGKILL)"),
        ("ctypes.string_at(0)", "(SIGSEGV)"),
        ("os.write(2, b'last words\\n'); os._exit(1)", "last words"),
    ],
)
def test_crash(what: str, words: str, bad: Library) -> None:
    """Who ends its process is out for the game, and plays the next one in another process."""
    fault = one_each(misbehave(bad, what)[0])
    assert fault.kind == "crash"
    assert words in fault.message
    if "SEGV" in words:
        assert "string_at" in fault.message, "what the interpreter says of a crash is told"


@pytest.mark.parametrize(
    "what",
    [
        "self.hoard = [b'x' * (1 << 20) for _ in range(3000)]",
        "many_numbers",
        "np.ones(1 << 28)",
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only")
def test_memory(what: str, bad: Library) -> None:
    """Who runs out of its memory is told from who crashes."""
    fault = one_each(misbehave(bad, what, memory_mb=40)[0])
    assert fault.kind == "memory", fault.message
    assert fault.message.startswith("it raised MemoryError")


@pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only")
def test_memory_of_a_crash(bad: Library) -> None:
    """Who is ended for lack of memory, and cannot say so, is told with the limit."""
    enough = misbehave(bad, "a = [b'x' * (1 << 20) for _ in range(30)]", memory_mb=40)[0]
    assert enough == []
    what = "libc = ctypes.CDLL(None); libc.malloc(1 << 30) or libc.abort()"
    fault = one_each(misbehave(bad, what, memory_mb=40)[0])
    assert fault.kind == "crash"
    assert fault.message.startswith("its memory was limited to 40 MiB, and it was killed by signal")


@pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only")
def test_limit_of_this_process(bad: Library) -> None:
    """A limit for what plays here is none for a process that is started meanwhile."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    line = [entry(bad, "Bad", what="a = bytes(1 << 28)"), entry(bad, "Low", "shared")]
    with trial(line) as table:
        table.play([1, 1, 1, 1])
        table.player()
        status = Path("/proc/self/status").read_text(encoding="ascii")
        most = (int(status.split("VmData:")[1].split()[0]) << 10) + (6 << 20)
        try:
            resource.setrlimit(resource.RLIMIT_DATA, (most, before[1]))
            table.play([0, 1, 1, 1])
            assert resource.getrlimit(resource.RLIMIT_DATA)[0] == most
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, before)
    assert table.faults == []


def test_one_process_wherever_it_sits(bots: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry has as many processes as seats in one game, and the oldest make room for others."""
    names = ["Low", "Chance", "Low", "Chance", "Low"]
    line = [replace(entry(bots, bot), name=str(place)) for place, bot in enumerate(names)]
    games = [(0, 1, 2, 3), (3, 0, 1, 2), (4, 3, 0, 1), (1, 1, 0, 0), (2, 3, 4, 0)]

    def play(most: int, isolate: str) -> tuple[list[Any], list[set[int]]]:
        monkeypatch.setattr(table_module, "MOST_PROCESSES", most)
        running = []
        entries = [replace(seated, isolate=isolate) for seated in line]
        with trial(entries) as table:
            rows = []
            for seats in games:
                rows.append(table.play(seats)[2])
                players = set(table.lineup._players.values())
                living = {getattr(player, "_process", None) for player in players} - {None}
                running.append({process.pid for process in living})
        assert table.faults == []
        return rows, running

    expected, _ = play(20, "shared")
    plenty, running = play(20, "process")
    assert [len(pids) for pids in running] == [4, 4, 5, 9, 9]
    assert running[0] == running[1] < running[2] < running[3]
    few, running = play(4, "process")
    assert [len(pids) for pids in running] == [4, 4, 4, 4, 4]
    for rows in zip(expected, plenty, few, strict=True):
        assert rows[0].tobytes() == rows[1].tobytes() == rows[2].tobytes()


def _forged(texts: bytes, status: int = 0, number: int = 6) -> str:
    """Writes an answer to the request that is being worked at, which is the sixth."""
    data = ANSWER.pack(number, status, 0, 0, 0, 0, len(texts)) + texts
    return f"os.write(inherited()[-2], {data!r})"


@pytest.mark.parametrize(
    "what",
    [
        "everywhere_bytes",
        _forged(b"[" * 100_000),
        _forged(b'{"what": 1}'),
        _forged(b"\xff\xfe"),
        _forged(b""),
        _forged(b"", status=2),
        _forged(b"", status=1, number=5),
    ],
    ids=["bytes", "deep", "wrong type", "no UTF-8", "no reason", "no status", "late"],
)
@pytest.mark.skipif(sys.platform != "linux", reason="looks for its files in /proc")
def test_writes_into_the_pipe(what: str, bad: Library) -> None:
    """What a strategy writes where only we should is never taken for something else."""
    assert one_each(misbehave(bad, what)[0]).kind == "protocol"


@pytest.mark.parametrize(
    "what",
    [
        "print('2C'); print('3C', file=sys.__stdout__)",
        "os.write(1, b'x' * 100000)",
        "assert sys.stdin.read() == '' and os.read(0, 1) == b''",
        "dies_loudly",
        "leaves",
        "os.fork()",
        "sys.stdout.close(); sys.stderr.close(); sys.stdin.close()",
        "signal.signal(signal.SIGINT, signal.SIG_IGN)",
    ],
)
def test_does_no_harm(what: str, bad: Library) -> None:
    """Prints, files, forks and children change no game; what was started ends with the player."""
    faults, rows = misbehave(bad, what)
    assert faults == []
    for one, other in zip(rows, misbehave(bad, "pass", isolate="shared")[1], strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ("return [0] * 10**7", "a list of 10,000,000 items"),
        ("return 'x' * 10**7", "'xxx"),
        ("return Stubborn()", "a Stubborn that cannot be shown (SystemExit)"),
    ],
)
def test_huge_answers_stay(what: str, answer: str, bad: Library) -> None:
    """Of an answer only a text of some length comes back."""
    fault = one_each(misbehave(bad, what)[0])
    assert fault.answer.startswith(answer)
    assert len(fault.answer) + len(fault.message) < 9000


# What a signal raises while Python closes a file by itself is lost, with a warning.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("what", ["time.sleep(1000)", "exec('while True: pass')"])
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_too_slow(what: str, bad: Library) -> None:
    """Raised by a signal while we wait, again and again, it ends the process, and nothing hangs."""
    entries = [entry(bad, "Bad", what=what), entry(bad, "Low", "shared")]

    raised = []

    def stop(number: int, frame: Any) -> None:
        view = table.machine.view[0]
        # A few times more while the process is being ended, which takes longer than that.
        thinks = table.machine.game[0]["asked"] & 1 and view["seat"] == 0
        if thinks and view["trick_number"] == 5 and len(raised) < 4:
            raised.append(number)
            raise TooSlow("its time is over")

    with trial(entries) as table:
        player = table.player()
        player.start()
        before = signal.signal(signal.SIGALRM, stop)
        try:
            for game in (1, 2):
                raised.clear()
                signal.setitimer(signal.ITIMER_REAL, 0.5, 0.002)
                table.play([0, 1, 1, 1])
                assert len(table.faults) == game
                # Where a signal came in the very moment in which another one was dealt with, the
                # process is ended before it would be used again.
                assert player._process is None or player._busy
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    assert one_each(table.faults).kind == "too_slow"


def test_ctrl_c(bad: Library) -> None:
    """Ctrl-C while a strategy thinks is passed on, and its process is ended."""

    def stop(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    entries = [
        entry(bad, "Bad", what="os.kill(os.getppid(), signal.SIGINT); time.sleep(1000)"),
        entry(bad, "Low", "shared"),
    ]
    with trial(entries) as table:
        player = table.player()
        before = signal.signal(signal.SIGINT, stop)
        try:
            with pytest.raises(KeyboardInterrupt):
                table.play([0, 1, 1, 1])
        finally:
            signal.signal(signal.SIGINT, before)
        assert player._process is None


# What it cannot see


@pytest.mark.skipif(sys.platform != "linux", reason="reads its files in /proc")
def test_files(bad: Library) -> None:
    """Of our files a strategy finds the two pipes and stderr, and no address of ours."""
    what = (
        "raise ValueError([os.readlink(f'/proc/self/fd/{n}') for n in inherited()[:-1]]"
        " + [view._words.obj is None])"
    )
    with open(os.devnull) as ours:
        os.set_inheritable(ours.fileno(), True)
        faults, _ = misbehave(bad, what, games=1)
    names = faults[0].message.partition("ValueError: ")[2].strip("[]").split(", ")
    assert names[0] == "'/dev/null'"
    assert names[1] == names[2]
    pipes = set(names[1:-1])
    assert len(names) == 6
    assert len(pipes) == 3
    assert all(name.startswith("'pipe:") for name in pipes)


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory in /proc")
def test_memory_of_the_process(bots: Library) -> None:
    """Nowhere in its memory are the seed, or the hands of the others."""
    found = []

    def look() -> tuple[int, int]:
        answer = ask()
        cards = table.machine.hands[0]["cards"]
        words = {"own": cards[0], "left": cards[1], "across": cards[2], "seed": SEED}
        if player._number == 3:  # at its second card
            found.append(_search(player._process.pid, words))
        return answer

    with trial([entry(bots, "Low"), entry(bots, "Low", "shared")]) as table:
        player = table.player()
        ask, player._ask = player._ask, look
        table.play([0, 1, 1, 1])
    assert found == [{"own": True, "left": False, "across": False, "seed": False}]


def _search(process: int, words: Mapping[str, int]) -> dict[str, bool]:
    """Which words are in the writable memory of a process."""
    patterns = {name: int(word).to_bytes(8, sys.byteorder) for name, word in words.items()}
    found = dict.fromkeys(words, False)
    try:
        memory = open(f"/proc/{process}/mem", "rb", buffering=0)  # noqa: SIM115
    except PermissionError:
        pytest.skip("the memory of a child cannot be read here")
    with memory:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            place, rights = line.split()[:2]
            if not rights.startswith("rw"):
                continue
            start, stop = (int(number, 16) for number in place.split("-"))
            with contextlib.suppress(OSError, ValueError):
                memory.seek(start)
                data = memory.read(stop - start)
                for name, pattern in patterns.items():
                    found[name] |= pattern in data
    return found


# What cannot be played


def test_needs_a_class_of_a_file(bots: Library) -> None:
    """A class made in a session and an instance are refused, with the reason."""
    found = bots.get("Low")
    machine = Machine(Rules.from_spec(SHORT), 1)
    instance: Any = found.strategy()
    for seated in (
        Seated("Mine", found.strategy),
        Seated("Mine", instance, {}, found.digest, found.file),
        Seated("Mine", found.strategy, {}, found.digest, found.file + ".gone"),
    ):
        with pytest.raises(StrategyLoadError, match=r"Mine: isolate: process needs .* in a file"):
            IsolatedPlayer(seated, machine)
    with pytest.raises(StrategyLoadError, match="Low: its options cannot be sent"):
        IsolatedPlayer(entry(bots, "Low", high=lambda: 1), machine)


def start(folder: Path, text: str, bot: str = "Bot", change: str = "", **more: Any) -> None:
    """Start a player of a file, which may be changed after it was loaded."""
    library = load_folders([write_files(folder, {"bot.py": text})])
    assert library.problems == []
    machine = Machine(Rules.from_spec(SHORT), 1)
    player = IsolatedPlayer(entry(library, bot), machine, **more)
    if change:
        write_files(folder, {"_helper.py": change})
    try:
        player.start()
    finally:
        assert player._process is None or not change
        player.close()


PREPARED = """
from hearts_sim import Strategy
import sys

class Bot(Strategy):
    @classmethod
    def prepare(cls, options):
        {prepare}

    def choose_card(self, view):
        return view.legal.lowest()

{last}
"""


def test_changed_file(tmp_path: Path) -> None:
    """A file, or a helper of it, that was edited since is not played."""
    text = PREPARED.format(prepare="pass", last="")
    with pytest.raises(StrategyLoadError, match=r"bot\.py: .* was changed after the run began"):
        start(tmp_path, text, change="x = 1")


def test_prepare_raises(tmp_path: Path) -> None:
    """What `prepare` raises is told when the process is started."""
    text = PREPARED.format(prepare="raise OverflowError('too much')", last="")
    with pytest.raises(RemoteError, match="OverflowError: too much") as raised:
        start(tmp_path, text)
    assert raised.value.frames.count("File ") == 1
    assert "in prepare" in raised.value.frames


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ("if 'pytest' not in sys.modules: raise ValueError('alone')", r"bot\.py:13: .* alone"),
        ("if 'pytest' not in sys.modules: del Bot", "it has no class Bot"),
    ],
)
def test_cannot_be_imported_again(last: str, words: str, tmp_path: Path) -> None:
    """A file that imports here but not there is told as one that does not import."""
    with pytest.raises(StrategyLoadError, match=words):
        start(tmp_path, PREPARED.format(prepare="pass", last=last))


def test_start_ends(tmp_path: Path) -> None:
    """So is a process that ends while the file is imported."""
    last = "if 'pytest' not in sys.modules: import os; os._exit(4)"
    with pytest.raises(BotCrash, match="it ended with exit code 4"):
        start(tmp_path, PREPARED.format(prepare="pass", last=last))


@pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only")
def test_start_lacks_memory(tmp_path: Path) -> None:
    """Memory is limited while the file is imported."""
    last = "if 'pytest' not in sys.modules: x = bytearray(1 << 28)"
    with pytest.raises(RemoteError) as raised:
        start(tmp_path, PREPARED.format(prepare="pass", last=last), memory_mb=50)
    assert raised.value.kind == "MemoryError"


def test_compiled_exception(tmp_path: Path) -> None:
    """Of a compiled strategy the exception is told with its text."""
    text = """
    from hearts_sim import CompiledStrategy
    from hearts_sim.strategy.toolkit import lowest

    class Bot(CompiledStrategy):
        @staticmethod
        def choose_card(view):
            if view.trick_number == 5:
                raise ValueError("the fifth")
            return lowest(view.legal) if view.trick_number != 6 else 70
    """
    library = load_folders([write_files(tmp_path, {"bot.py": text, **BOTS})])
    with trial([entry(library, "Bot"), entry(library, "Low", "shared")]) as table:
        table.play([0, 1, 1, 1])
    messages = [fault.message for fault in table.faults]
    assert messages == ["it raised ValueError: the fifth", "it played 70, which is no card, which "
                        "it may not"] * 2  # fmt: skip
