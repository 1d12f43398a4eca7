"""Programs at the table: those that play well, and all that can go wrong with the others."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from talking import HOLD, SHORT, Low, alarm, example, program, table

from hearts_sim import Rules, Strategy
from hearts_sim.engine.game import FAULT_ILLEGAL
from hearts_sim.engine.machine import BotFailed
from hearts_sim.errors import StrategyLoadError
from hearts_sim.strategy.faults import BadAnswer, BotCrash, BotProtocolError, TooSlow
from hearts_sim.strategy.process import BotProcess
from hearts_sim.strategy.seated import Seated
from hearts_sim.strategy.view import View

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")


def same_rows(first: tuple[Any, ...], second: tuple[Any, ...]) -> bool:
    """Whether two games are the same in every hand and every play."""
    return all(
        len(rows) > 0 and rows.tolist() == others.tolist()
        for rows, others in zip(first, second, strict=True)
    )


# Playing


@pytest.mark.parametrize("preset", ["black_lady", "cancellation", "kitty", "hearts"])
def test_lowest_is_low(preset: str) -> None:
    """The shell bot plays, card by card, as the same idea does in plain Python."""
    rules = Rules.preset(preset, end={"deals": 2}, tie="draw")
    bots = [example("lowest.sh")] * rules.players
    with table(*bots, rules=rules) as programs, table(rules=rules) as classes:
        assert same_rows(programs.play(), classes.play())


@pytest.mark.parametrize(
    "preset", ["black_lady", "cancellation", "partnership_pooled", "kitty", "black_maria", "pagat"]
)
def test_ducker_plays(preset: str) -> None:
    """The Python bot passes and plays legally, and the same in the same game."""
    rules = Rules.preset(preset, end={"deals": 3}, tie="draw")
    bots = [example("ducker.py")] * rules.players
    with table(*bots, rules=rules) as programs:
        first = programs.play(1)
        assert same_rows(first, programs.play(1))
        assert not same_rows(first, programs.play(2))


def test_ducker_works_anywhere(tmp_path: Path) -> None:
    """A copy in another folder plays, and takes fewer points than who plays his lowest."""
    copy = tmp_path / "mine.py"
    source = Path(example("ducker.py").folder) / "ducker.py"
    copy.write_bytes(source.read_bytes())
    copy.chmod(0o755)
    bot = Seated("mine", command=("./mine.py",), folder=str(tmp_path))
    with table(bot, rules={"end": {"deals": 60}, "tie": "draw"}) as seated:
        scores = seated.play()[1]["score"]
    # Low is bad, but not hopeless: of 26 points a hand one of four takes 6.5.
    assert scores[0] < 60 * 6


def test_answers_are_what_is_played() -> None:
    """Cards, passes of both copies and the choice of the moon arrive as they were answered."""
    other = """
        if kind == "choose_pass":
            assert message["pass_count"] == 3
            twice = [card for card in message["hand_twice"] if card in message["legal"]]
            cards = (twice[:1] * 2 + [card for card in message["legal"] if card not in twice])[:3]
            say({"id": message["id"], "cards": cards})
    """
    hello = 'say({**hello, "hooks": ["choose_card", "choose_pass"]})'

    class Twin(Strategy):
        """The same in plain Python."""

        def choose_pass(self, view: View) -> Any:
            twice = list(view.hand_twice & view.legal)
            return [*twice[:1] * 2, *[card for card in view.legal if card not in twice]][:3]

        def choose_card(self, view: View) -> Any:
            return view.legal.lowest()

    rules = Rules.preset("cancellation", end={"deals": 3}, tie="draw", pass_cycle=["L"])
    bot = program(hello=hello, other=other)
    with table(bot, rules=rules) as programs, table(Twin, rules=rules) as classes:
        assert same_rows(programs.play(), classes.play())


SHOOTER = """
    if kind == "choose_moon":
        open(sys.argv[1], "a").write(json.dumps(message["points"]) + "\\n")
        say({"id": message["id"], "moon": "subtract"})
"""


def test_moon(tmp_path: Path) -> None:
    """Who shoots the moon is asked how it is paid."""

    class Shy(Strategy):
        """Takes no penalty card if it can help it."""

        def choose_card(self, view: View) -> Any:
            return (view.legal - view.penalty_cards or view.legal).lowest()

    note = tmp_path / "note"
    bot = program(hello='say({**hello, "hooks": ["choose_card", "choose_moon"]})', other=SHOOTER)
    source = bot.command[-1].replace('message["legal"][0]', 'message["legal"][-1]')
    bot = Seated("bot", command=(*bot.command[:-1], source, str(note)))
    rules = {"preset": "pagat", "end": {"deals": 40}, "tie": "draw", "pass_cycle": ["H"]}
    with table(bot, Shy, Shy, Shy, rules=rules) as seated:
        for block in range(20):
            hands = seated.play(block)[0]
            if note.exists():
                break
    asked = note.read_text(encoding="utf-8").splitlines()
    assert asked == ["[26, 0, 0, 0]"] * len(asked)
    assert (hands["points"] == -26).sum() == len(asked)


EVENTS = ["start_game", "start_hand", "choose_card", "choose_pass", "end_hand"]
RECORDER = f"say({{**hello, 'hooks': {EVENTS}}}); log = open(sys.argv[1], 'a')"
RECORDER_OTHER = """
    if kind == "choose_pass":
        say({"id": message["id"], "cards": message["legal"][:3]})
    log.write(json.dumps([os.getpid(), kind, message.get("random"), message.get("hand_number")]))
    log.write("\\n")
    log.flush()
"""


def recorded(note: Path, keep: str, games: int = 2) -> list[list[Any]]:
    """What a program was told in some games: its process, the kind, the random number, the hand."""
    bot = program(hello=RECORDER, other=RECORDER_OTHER)
    bot = Seated("bot", command=(*bot.command, str(note)), keep=keep)
    with table(bot, rules=SHORT) as seated:
        for block in range(games):
            seated.play(block)
    return [json.loads(line) for line in note.read_text(encoding="utf-8").splitlines()]


def test_events_and_random_numbers(tmp_path: Path) -> None:
    """A program is told what it asks for, in order, with numbers that only the game decides."""
    told = recorded(tmp_path / "one", "run")
    game = [
        ("start_game", None),
        *(
            pair
            for hand in (1, 2)
            for pair in (("start_hand", hand), ("choose_pass", hand), ("end_hand", hand))
        ),
    ]
    assert [(kind, hand) for _, kind, _, hand in told] == [*game, *game, ("goodbye", None)]
    numbers = [number for _, kind, number, _ in told if kind.startswith("start")]
    assert len(set(numbers)) == len(numbers) == 6
    assert all(0 <= number < 2**53 for number in numbers)
    again = recorded(tmp_path / "two", "run")
    assert [line[1:] for line in again] == [line[1:] for line in told]
    # The seat's own stream is not used up, and the numbers are its first.
    single = recorded(tmp_path / "three", "run", games=1)
    assert [line[1:] for line in single[:-1]] == [line[1:] for line in told[: len(game)]]


def test_kept_for_the_run_or_for_a_game(tmp_path: Path) -> None:
    """One process plays all games, or every game has its own and ends with a goodbye."""
    run = recorded(tmp_path / "run", "run", games=3)
    assert len({line[0] for line in run}) == 1
    assert [line[1] for line in run].count("goodbye") == 1
    game = recorded(tmp_path / "game", "game", games=3)
    assert len({line[0] for line in game}) == 3
    assert [line[1] for line in game].count("goodbye") == 3


def test_names_options_and_folder_arrive(tmp_path: Path) -> None:
    """The hello tells the name and the options; the program runs in its folder."""
    hello = 'open("here", "w").write(json.dumps([message["name"], message["options"]])); say(hello)'
    bot = program(hello=hello)
    bot = Seated("me", command=bot.command, folder=str(tmp_path), options={"risk": 0.5, "a": "é"})
    with table(bot) as seated:
        seated.play()
    assert (tmp_path / "here").read_text(encoding="utf-8") == (
        '["me", {"risk": 0.5, "a": "\\u00e9"}]'
    )


def test_complaints_do_no_harm() -> None:
    """Ten megabytes on standard error are no fault."""
    bot = program('sys.stderr.write(("x" * 999 + "\\n") * 10_000); sys.stderr.flush()')
    with table(bot) as seated, table() as classes:
        assert same_rows(seated.play(), classes.play())


# The page


def spoken(page: str) -> list[tuple[str, str]]:
    """The messages of a dialogue in a page, each with who reads (">") or writes ("<") it."""
    text = "".join(re.findall(r"```text\n(.*?)```", page, re.DOTALL)).replace("\n  ", "")
    return [(line[0], line[2:]) for line in text.splitlines()]


def test_dialogue_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dialogue in docs/protocol.md is the beginning of a real game, and its end."""
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    said: list[tuple[str, str]] = []
    send, read_line, finish = BotProcess.send, BotProcess.read_line, BotProcess.finish

    def sending(process: BotProcess, data: bytes) -> None:
        said.append((">", data.decode().rstrip("\n")))
        send(process, data)

    def reading(process: BotProcess, most: int) -> bytes:
        line = read_line(process, most)
        said.append(("<", line.decode()))
        return line

    def finishing(process: BotProcess, last: bytes, seconds: float) -> None:
        said.append((">", last.decode().rstrip("\n")))
        finish(process, last, seconds)

    monkeypatch.setattr(BotProcess, "send", sending)
    monkeypatch.setattr(BotProcess, "read_line", reading)
    monkeypatch.setattr(BotProcess, "finish", finishing)
    bot = dataclasses.replace(example("ducker.py"), name="ducker")
    with table(bot, rules={"end": {"deals": 1}, "tie": "draw"}, seed=2) as seated:
        seated.play()
    *beginning, end = spoken(page)
    assert len(beginning) == 8
    assert said[: len(beginning)] == beginning
    assert said[-1] == end
    # Eleven tricks more, each with a request and an answer.
    assert len(said) == len(beginning) + 2 * 11 + 1


# Misbehaving

CHILD = 'subprocess.Popen(["sleep", "1000"], start_new_session=True)'
DAEMON = """
if os.fork() == 0:
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0); os.dup2(null, 1); os.dup2(null, 2)
    if os.fork() == 0:
        os.execlp("sleep", "sleep", "1000")
    os._exit(0)
"""

MISCHIEF: Mapping[str, tuple[str, type[BaseException], str]] = {
    "exits": ("sys.exit(3)", BotCrash, "it ended with exit code 3$"),
    "raises": ('raise ValueError("oh no")', BotCrash, "exit code 1.*\nValueError: oh no"),
    "dies": ("os.kill(os.getpid(), signal.SIGSEGV)", BotCrash, r"signal 11 \(SIGSEGV\)"),
    "half a line": (
        "os.write(1, b'{\"id\":3,'); os._exit(0)",
        BotCrash,
        "exit code 0; its output ended in the middle of a line: '{\"id\":3,'",
    ),
    "closes its output": ("os.close(1); time.sleep(1000)", BotCrash, "closed its output"),
    "prints": ('say("I think...")', BotProtocolError, "it wrote 'I think...'.*standard error"),
    "prints after": (
        'say({"id": 3, "card": card}); say("done"); time.sleep(1000)',
        BotProtocolError,
        r"after its answer to request 3 \(choose_card\) it wrote|request 4.*'done'",
    ),
    "answers twice": (
        'os.write(1, (json.dumps({"id": 3, "card": card}) + "\\n").encode() * 2)',
        BotProtocolError,
        r"after its answer to request 3 \(choose_card\) it wrote '{\"id\": 3.*one answer",
    ),
    "answers twice, late": (
        'say({"id": 3, "card": card}); time.sleep(0.05)',
        BotProtocolError,
        "request 3.*one answer",
    ),
    "wrong id": ('number = 4; say({"id": 4, "card": card})', BotProtocolError, '"id":3, not 4'),
    "old id": ("number = 1", BotProtocolError, "not 1; request 1 was answered before"),
    "no object": ("say('[3]')", BotProtocolError, r"a JSON object, but it wrote '\[3\]'"),
    "no card": ("say({'id': 3}); time.sleep(1000)", BotProtocolError, 'must have "card"'),
    "huge line": ("say('x' * 10**6)", BotProtocolError, "a line of more than 65,536 bytes"),
    "endless line": (
        "while True: sys.stdout.write('x' * 999)",
        BotProtocolError,
        "a line of more than 65,536 bytes, which begins with 'xxx",
    ),
    "child, and exits": (f"{CHILD}; sys.exit(3)", BotCrash, "exit code 3"),
    "child, and prints": (f"{CHILD}; say('x'); time.sleep(1000)", BotProtocolError, "wrote 'x'"),
    "daemon, and exits": (f"{DAEMON}\nsys.exit(3)", BotCrash, "exit code 3"),
}


@pytest.mark.parametrize(("mischief", "kind", "text"), MISCHIEF.values(), ids=MISCHIEF.keys())
def test_mischief(mischief: str, kind: type[BaseException], text: str) -> None:
    """What a program does wrong is told as what it is, nothing stays, and it is started again."""
    with table(program(mischief)) as seated:
        first = seated.failure()
        (player,) = seated.players[:1]
        assert player.process is None
        second = seated.failure()
    for error in (first, second):
        assert type(error) is kind
        assert re.search(text, str(error), re.DOTALL)


@pytest.mark.parametrize(
    ("mischief", "text"),
    [
        ("card = '1X'", "'1X' is no card"),
        ("card = 7", "must be a text"),
        ("card = None", "not null"),
    ],
)
def test_bad_answers(mischief: str, text: str) -> None:
    """A value that is no card is a bad answer, after which the dialogue goes on."""
    with table(program(mischief)) as seated:
        player = seated.players[0]
        error = seated.failure()
        assert type(error) is BadAnswer
        assert text in str(error)
        process = player.process
        assert process.how_it_ended() == ""
        # Another game with the same process, in which the third answer is long past.
        seated.play()
        assert player.process is process


def test_illegal_card_is_for_the_table_to_judge() -> None:
    """A card that exists is passed on; that it is not legal is seen by the rules."""
    with table(program("card = next(c for c in ['2C', '3C'] if c not in message['hand'])")) as bots:
        with pytest.raises(BotFailed):
            bots.play()
        game, player = bots.machine.game[0], bots.players[0]
        assert game["fault"] == FAULT_ILLEGAL
        assert game["fault_seat"] == 0
        assert player.error is None
        assert player.answer in ("2C", "3C")


@pytest.mark.parametrize(
    ("hello", "kind", "text"),
    [
        ("sys.exit(2)", BotCrash, "exit code 2"),
        ("say('ready')", BotProtocolError, 'its answer to "hello"'),
        ("say({**hello, 'protocol': 2})", BotProtocolError, "speaks version 2"),
        ("say({**hello, 'hooks': ['play']})", BotProtocolError, 'names "play"'),
        (
            "os.write(1, (json.dumps(hello) + chr(10)).encode() * 2); time.sleep(1000)",
            BotProtocolError,
            'answer to "hello" it wrote',
        ),
    ],
)
def test_mischief_at_the_start(hello: str, kind: type[BaseException], text: str) -> None:
    """A program that fails at the hello fails when the game begins."""
    with table(program(hello=hello)) as seated:
        error = seated.failure()
        assert type(error) is kind
        assert text in str(error)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("./missing",), "there is no file"),
        (("no-such-program-anywhere",), "there is none of this name on the PATH"),
        ((), "is empty"),
    ],
)
def test_cannot_be_started(command: tuple[str, ...], text: str) -> None:
    """A program that does not start says so when the game begins; there is a table all the same."""
    with table(Seated("bot", command=command)) as seated:
        error = seated.failure()
        assert type(error) is StrategyLoadError
        assert text in str(error)
        assert seated.players[0].process is None


@pytest.mark.parametrize(
    "mischief",
    [
        "time.sleep(1000)",
        "time.sleep(0.4)",
        "sys.stdout.write('x'); sys.stdout.flush(); time.sleep(1000)",
        f"{CHILD}; time.sleep(1000)",
        f"{DAEMON}\ntime.sleep(1000)",
        "while True: pass",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); os.kill(os.getpid(), signal.SIGSTOP)",
    ],
)
def test_too_slow(mischief: str) -> None:
    """What watches over the time interrupts the waiting; an answer that comes late is not seen."""
    with table(program(mischief)) as seated:
        with alarm(0.3):
            error = seated.failure()
        assert type(error) is TooSlow
        assert seated.players[0].process is None
        # A new process, with requests that are numbered from 1 again.
        with alarm(0.3):
            assert type(seated.failure()) is TooSlow


def test_a_signal_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told to stop once more while it is being ended: the next game has another process."""
    kill, times = BotProcess.kill, []

    def interrupted(self: BotProcess) -> None:
        kill(self)
        times.append(self)
        if len(times) == 1:
            raise TooSlow("again")

    monkeypatch.setattr(BotProcess, "kill", interrupted)
    with table(program("time.sleep(1000)")) as seated:
        for _ in range(2):
            with alarm(0.3):
                error = seated.failure()
            assert type(error) is TooSlow, error


def test_never_reads() -> None:
    """A program that never reads its input again is too slow, however much it is told."""
    hello = f"say({{**hello, 'hooks': {EVENTS[:2]} + ['choose_card', 'end_hand']}}); time.sleep(99)"
    with table(program(hello=hello)) as seated, alarm(0.3):
        assert type(seated.failure()) is TooSlow


def test_a_failed_program_is_not_asked_again() -> None:
    """In the game in which it failed a program does not run; events and questions say so."""
    with table(program("sys.exit(3)")) as seated:
        seated.failure()
        with pytest.raises(BotFailed):
            seated.go_on()
        error = seated.players[0].error
        assert isinstance(error, BotCrash)
        assert "it is started with the next game" in str(error)


def test_memory() -> None:
    """A program that wants more memory than it may have ends, and says why."""
    if sys.platform != "linux":
        pytest.skip("only Linux keeps to it")
    with table(program("block = bytearray(300 << 20)"), memory_mb=100) as seated:
        error = seated.failure()
        assert type(error) is BotCrash
        assert "MemoryError" in str(error)


def test_close_ends_everything() -> None:
    """After the run no process is left, whatever the program has started and ignores."""
    mischief = f"{CHILD}\n{DAEMON}\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with table(program(mischief, other="time.sleep(1000)"), Low) as seated:
        seated.play()
        for player in seated.players:
            player.close()
            player.close()


def test_options_that_are_no_json() -> None:
    """Options that cannot be written are refused before anything is played."""
    bot = Seated("bot", command=("./x",), options={"risk": float("nan")})
    with pytest.raises(StrategyLoadError, match="bot: its options cannot be written as JSON"):  # noqa: SIM117
        with table(bot, rules=HOLD):
            pass
