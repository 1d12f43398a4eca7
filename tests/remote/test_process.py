"""A bot's process: reading, writing, how it ended, and that nothing of it stays."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from talking import alarm

from hearts_sim.errors import StrategyLoadError
from hearts_sim.strategy.data_limit import data_limit, size
from hearts_sim.strategy.faults import BotCrash, BotProtocolError, TooSlow
from hearts_sim.strategy.process import BotProcess, kill_marked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

Start = Callable[..., BotProcess]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a Python program; all of them are killed at the end."""
    started = []

    def run(source: str, **more: object) -> BotProcess:
        process = BotProcess([sys.executable, "-I", "-S", "-c", source], **more)  # type: ignore[arg-type]
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()


def is_alive(pid: int) -> bool:
    """Whether there is a process that is not just waiting to be buried."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that is about to be so."""
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def test_lines_and_bytes(start: Start) -> None:
    """Lines come without their end, bytes by number, in the order written."""
    process = start(
        "import sys\n"
        "for line in sys.stdin.buffer:\n"
        "    sys.stdout.buffer.write(line * 2 + b'12345'); sys.stdout.flush()"
    )
    process.send(b"one\n")
    assert process.read_line(10) == b"one"
    assert process.read_line(10) == b"one"
    assert process.read_exactly(2) == b"12"
    assert process.waiting() == b"345"
    assert process.read_exactly(3) == b"345"
    assert process.waiting() == b""
    assert process.how_it_ended() == ""


def test_line_of_exactly_the_most(start: Start) -> None:
    """The limit counts the bytes of a line without its end."""
    process = start("print('x' * 100); print('y' * 101); input()")
    assert process.read_line(100) == b"x" * 100
    with pytest.raises(BotProtocolError, match="more than 100 bytes, which begins with 'yyy"):
        process.read_line(100)


def test_line_without_end(start: Start) -> None:
    """Who writes for ever without an end of line is stopped at the limit."""
    process = start("import sys\nwhile True: sys.stdout.write('x' * 1000)")
    with pytest.raises(BotProtocolError, match="more than 65,536 bytes"):
        process.read_line(1 << 16)


def test_much_in_both_directions(start: Start) -> None:
    """Megabytes both ways at once do not block: neither waits for the other to read."""
    process = start(
        "import sys\n"
        "for line in sys.stdin.buffer:\n"
        "    sys.stdout.buffer.write(line); sys.stdout.flush()"
    )
    line = b"z" * 9_999 + b"\n"
    process.send(line * 90)
    assert process.read_exactly(len(line) * 90) == line * 90


def test_writes_instead_of_reading(start: Start) -> None:
    """Who only writes while we write is stopped, and not waited for for ever."""
    process = start("while True: print('spam' * 1000)")
    with pytest.raises(BotProtocolError, match="without end instead of reading"):
        process.send(b"x" * (1 << 24))


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("raise SystemExit(3)", "it ended with exit code 3"),
        ("pass", "it ended with exit code 0"),
        (
            "import os; os.kill(os.getpid(), 11)",
            r"it was killed by signal 11 \(SIGSEGV\)",
        ),
        (
            "import os; os.write(1, b'half'); os._exit(0)",
            "it ended with exit code 0; its output ended in the middle of a line: 'half'",
        ),
        (
            "import os, time; os.close(1); time.sleep(1000)",
            "it closed its output and runs on",
        ),
        (
            "import sys; sys.exit('no\\x1b[31m luck')",
            "it ended with exit code 1; the end of its standard error:\nno\N{REPLACEMENT CHARACTER}"
            r"\[31m luck",
        ),
    ],
)
def test_how_it_ended(start: Start, source: str, how: str) -> None:
    """The end of a program says how it came, with its last words."""
    process = start(source)
    with pytest.raises(BotCrash, match=f"^{how}$"):
        process.read_line(100)


def test_writing_to_the_dead(start: Start) -> None:
    """Writing to a program that is gone says how it ended, before and after `kill`."""
    process = start("raise SystemExit(4)")
    with pytest.raises(BotCrash):
        process.read_line(100)
    for _ in range(2):
        with pytest.raises(BotCrash, match="exit code 4"):
            process.send(b"x")
        process.kill()
    with pytest.raises(BotCrash, match="exit code 4"):
        process.read_line(100)
    assert process.waiting() == b""
    assert process.how_it_ended() == "it ended with exit code 4"


def test_standard_error_never_blocks(start: Start) -> None:
    """Ten megabytes of complaints are read, and the end of them is kept."""
    process = start(
        "import sys\n"
        "for _ in range(1000): sys.stderr.write('x' * 9_999 + '\\n')\n"
        "sys.stderr.write('the last'); sys.stderr.flush(); print('done', flush=True); input()"
    )
    assert process.read_line(100) == b"done"
    until(lambda: process.stderr_tail().endswith("the last"))
    assert len(process.stderr_tail()) <= 2000


def test_memory(start: Start) -> None:
    """A program gets the memory that it may have and not more."""
    source = "block = bytearray({} << 20); print('got it', flush=True); input()"
    assert start(source.format(40), memory_mb=100).read_line(100) == b"got it"
    if sys.platform == "linux":
        with pytest.raises(BotCrash, match="MemoryError"):
            start(source.format(200), memory_mb=100).read_line(100)


def test_folder_and_environment(tmp_path: Path) -> None:
    """The working folder and further variables are those asked for."""
    script = tmp_path / "here.sh"
    script.write_text("#!/bin/sh\npwd -P\necho $TRIAL\nread line\n", encoding="utf-8")
    script.chmod(0o755)
    process = BotProcess(["./here.sh"], folder=str(tmp_path), environment={"TRIAL": "of mine"})
    assert process.read_line(1000).decode() == str(tmp_path.resolve())
    assert process.read_line(100) == b"of mine"
    process.kill()


# What cannot be started


def test_cannot_be_started(tmp_path: Path) -> None:
    """A command that does not start says why, and what to do."""
    plain = tmp_path / "plain"
    plain.write_text("print('hello')\n", encoding="utf-8")
    no_line = tmp_path / "no_line"
    no_line.write_text("print('hello')\n", encoding="utf-8")
    lost = tmp_path / "lost"
    lost.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    for path in (no_line, lost):
        path.chmod(0o755)
    cases = {
        (): "the command of a bot is empty",
        ("",): "the command of a bot is empty",
        ("./missing",): f"there is no file {tmp_path / 'missing'}",
        ("no-such-program",): "there is none of this name on the PATH",
        ("plain",): "write './plain'",
        ("./plain",): f"is not executable; run: chmod \\+x {plain}",
        ("./no_line",): "needs a first line such as '#!/bin/sh'",
        ("./lost",): "names an interpreter in its first line that is missing",
        (str(tmp_path),): "is a folder",
        ("a\0b",): "cannot be started: embedded null byte",
    }
    for command, message in cases.items():
        with pytest.raises(StrategyLoadError, match=message):
            BotProcess(command, folder=str(tmp_path))
    with pytest.raises(StrategyLoadError, match=r"its working folder .*gone is missing"):
        BotProcess(["true"], folder=str(tmp_path / "gone"))


# Interrupted


def test_reading_can_be_interrupted(start: Start) -> None:
    """A signal whose handler raises ends the waiting for a line; the process is killed then."""
    process = start("import time; time.sleep(1000)")
    with pytest.raises(TooSlow), alarm(0.1):
        process.read_line(100)
    process.kill()
    process.kill()
    assert process.how_it_ended() == "it was stopped by us"


def test_writing_can_be_interrupted(start: Start) -> None:
    """So it is with a program that never reads its input."""
    process = start("import time; time.sleep(1000)")
    with pytest.raises(TooSlow), alarm(0.1):
        process.send(b"x" * (1 << 20))


def test_interrupted_while_it_starts() -> None:
    """A signal at any moment of the start leaves no process of which nobody knows."""
    for step in range(25):
        held: list[BotProcess] = []
        with contextlib.suppress(TooSlow), alarm(0.0005 * (step + 1)):
            BotProcess([sys.executable, "-I", "-S", "-c", "input()"], holder=held)
        for process in held:
            process.kill()


# Nothing stays

ORPHANS = {
    "child": "subprocess.Popen(['sleep', '1000'])",
    "session": "subprocess.Popen(['sleep', '1000'], start_new_session=True)",
    "daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open('/dev/null', os.O_RDWR)
    for pipe in range(3):
        os.dup2(null, pipe)
    os.execlp('sleep', 'sleep', '1000')
""",
    "family": """
for _ in range(5):
    subprocess.Popen(['sh', '-c', 'setsid sh -c "sleep 1000; true" & sleep 1000'])
""",
}


@linux
@pytest.mark.parametrize("source", ORPHANS.values(), ids=ORPHANS.keys())
@pytest.mark.parametrize("end", ["os._exit(0)", "input()"], ids=["died", "killed"])
def test_nothing_stays(start: Start, source: str, end: str) -> None:
    """Children are ended too, also those that have made themselves independent."""
    process = start(f"import os, subprocess\n{source}\nprint('begun', flush=True)\n{end}")
    assert process.read_line(100) == b"begun"
    if end != "input()":
        # The children have its output open: its end is noticed all the same.
        with pytest.raises(BotCrash, match="exit code 0"):
            process.read_line(100)
    process.kill()


@linux
def test_nothing_stays_of_what_is_just_being_born(start: Start) -> None:
    """Also a child that forks, leaves or becomes another program at that moment is found."""
    for step in range(20):
        process = start(f"import os, subprocess, time\n{ORPHANS['daemon']}\ntime.sleep(1000)")
        time.sleep(0.015 + 0.001 * step)
        process.kill()


def test_finish_lets_it_end_by_itself(start: Start, tmp_path: Path) -> None:
    """At the end a program has time for its last message, and who takes too long is killed."""
    note = tmp_path / "note"
    process = start(
        "import sys\nline = input()\nrest = sys.stdin.read()\n"
        f"open({str(note)!r}, 'w').write(line + rest); print('x' * 10**6)"
    )
    process.finish(b"bye\n", 20)
    assert note.read_text(encoding="utf-8") == "bye"
    assert process.how_it_ended() == "it ended with exit code 0"
    slow = start("import time; time.sleep(1000)")
    slow.finish(b"bye\n", 0.05)
    assert slow.how_it_ended() == "it was stopped by us"


@linux
def test_kill_marked_spares_others(start: Start) -> None:
    """Only processes with just this value in just this variable are killed."""
    source = "print('up', flush=True); input()"
    marked = start(source, environment={"TRIAL_MARK": "abc"})
    longer = start(source, environment={"TRIAL_MARK": "abcd"})
    other = start(source, environment={"OTHER_TRIAL_MARK": "abc"})
    for process in (marked, longer, other):
        assert process.read_line(10) == b"up"
    kill_marked("abc", "TRIAL_MARK")
    end = time.monotonic() + 10
    while not marked.how_it_ended() and time.monotonic() < end:
        time.sleep(0.01)  # it takes a moment to die
    assert "SIGKILL" in marked.how_it_ended()
    assert longer.how_it_ended() == other.how_it_ended() == ""


@linux
def test_dies_with_us() -> None:
    """When the process that plays is killed, its bots die with it."""
    code = (
        "from hearts_sim.strategy.process import BotProcess\n"
        "import sys\n"
        "bot = BotProcess([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(1000)'])\n"
        "print(bot.pid, flush=True)\n"
        "input()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    with parent, parent.stdin, parent.stdout:
        pid = int(parent.stdout.readline())
        assert is_alive(pid)
        parent.send_signal(signal.SIGKILL)
    until(lambda: not is_alive(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only")
def test_does_not_inherit_our_limit(start: Start) -> None:
    """A limit that this process holds for others is none for the bot, and comes back."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with data_limit(size() + (64 << 20)):
        held = resource.getrlimit(resource.RLIMIT_DATA)[0]
        bot = start("import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0])")
        assert int(bot.read_line(100)) == before[0]
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] == held != before[0]
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
