"""A zoo of misbehaving bots: what each does, and what must come of it.

Every animal plays its lowest legal card and passes the highest ranks until it misbehaves, as `Good`
does; most take the moment as options ``hand`` and ``trick``. The commands play the first legal card
that they are told, which is the lowest as well, and take the moment as arguments.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BOTS = HERE / "bots"
COMMAND = HERE / "commands" / "bad.py"
GOOD = "Good"

HARD_KINDS = frozenset({"too_slow", "memory", "crash", "protocol"})


@dataclass(frozen=True)
class Animal:
    """One way to misbehave.

    Attributes
    ----------
    name : str
        Under which it plays; unique.
    bot : str
        Class in the file, or the mode of the command.
    file : Path
    kind : str or None
        Kind of the faults that it makes; None when it makes none.
    levels : tuple of str
        Isolation in which it can be tried: "shared" and "process" for a class, "command".
    options : tuple of pairs
        Options that make it what it is.
    needs : str
        Which limit it takes to notice: "time", "memory" or none.
    ends_process : bool
        It takes the process in which it plays with it: of itself, or since nothing else stops it.
    hook : str
        Where its faults are; empty where it has none, or fails before any hook is called.
    plays_good : bool
        All that it plays is what `Good` plays; with `kind`, what it plays of its own accord.
    repeats : bool
        The same games come out whatever process plays them.
    moment : tuple of str
        Which of the options ``hand`` and ``trick`` choose the moment.
    """

    name: str
    bot: str
    file: Path
    kind: str | None
    levels: tuple[str, ...]
    options: tuple[tuple[str, Any], ...] = ()
    needs: str = ""
    ends_process: bool = False
    hook: str = "choose_card"
    plays_good: bool = True
    repeats: bool = True
    moment: tuple[str, ...] = ("hand", "trick")

    @property
    def hard(self) -> bool:
        """Whether it is not asked again in a game after its fault."""
        return self.kind in HARD_KINDS

    def entry(self, level: str, hand: int = 0, trick: int = 0) -> dict[str, Any]:
        """The animal as an entry of a config.

        Parameters
        ----------
        level : {"shared", "process", "command"}
        hand, trick : int, optional
            When it begins, where that can be chosen; 0 for when it would by itself.
        """
        assert level in self.levels, f"{self.name} does not play as {level}"
        if level == "command":
            program = [sys.executable, str(self.file), self.bot]
            return {"name": self.name, "command": [*program, str(hand or 1), str(trick or 1)]}
        options = dict(self.options)
        when = {"hand": hand, "trick": trick}
        options |= {name: when[name] for name in self.moment if when[name]}
        entry: dict[str, Any] = {"name": self.name, "strategy": self.bot, "options": options}
        return entry | ({"isolate": "process"} if level == "process" else {})


def _bot(bot: str, kind: str | None, name: str = "", **more: Any) -> Animal:
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in bot)
    file = BOTS / f"{words.lstrip('_')}.py"
    if kind is None:
        more = {"hook": ""} | more
    return Animal(name or bot, bot, file, kind, ("shared", "process"), **more)


def _command(mode: str, kind: str | None, **more: Any) -> Animal:
    if kind is None:
        more = {"hook": ""} | more
    return Animal(f"bad_{mode}", mode, COMMAND, kind, ("command",), **more)


ANIMALS: tuple[Animal, ...] = (
    _bot("IllegalNow", "illegal_card", moment=()),
    _bot("IllegalLate", "illegal_card"),
    _bot("IllegalSometimes", "illegal_card"),
    _bot("Slow", "too_slow", needs="time"),
    _bot("SpinForever", "too_slow", needs="time"),
    _bot("CatchAll", "too_slow", needs="time"),
    _bot("BareExcept", "too_slow", needs="time", ends_process=True),
    _bot("CLoop", "too_slow", needs="time", ends_process=True),
    _bot("MemoryHog", "memory", needs="memory"),
    _bot("SysExit", "exception"),
    _bot("OsExit", "crash", ends_process=True),
    _bot("KillsItself", "crash", ends_process=True),
    _bot("Segfault", "crash", ends_process=True),
    _bot("Printer", None),
    _bot("WrongPassCount", "illegal_pass", hook="choose_pass", moment=("hand",)),
    _bot(
        "WrongPassCount",
        "illegal_pass",
        "PassTooFew",
        hook="choose_pass",
        moment=("hand",),
        options=(("extra", -1),),
    ),
    _bot("PassTwice", "wrong_type", hook="choose_pass", moment=("hand",)),
    _bot("Mutator", None),
    _bot("SeedThief", None),
    _bot("GlobalState", None, plays_good=False, repeats=False),
    _bot("Recursion", "exception"),
    _bot("HugeAnswer", "wrong_type"),
    _bot("HugeAnswer", "wrong_type", "HugeText", options=(("text", True),)),
    _bot("DelRaises", None),
    _bot("ChildStays", None),
    _bot("Raises", "exception"),
    _bot("WrongType", "wrong_type"),
    _bot("ImportFails", "import_error", hook="", moment=()),
    _bot("ImportExits", "import_error", hook="", moment=()),
    _bot("PrepareRaises", "import_error", hook="", moment=()),
    _bot("InitRaises", "exception", hook="start_game", moment=()),
    _bot("EndHandRaises", "exception", hook="end_hand", moment=("hand",)),
    _command("good", None),
    _command("illegal", "illegal_card"),
    _command("exits", "crash"),
    _command("killed", "crash"),
    _command("half_line", "crash"),
    _command("late", "too_slow", needs="time"),
    _command("twice", "protocol"),
    _command("wrong_id", "protocol"),
    _command("not_json", "protocol"),
    _command("prints", "protocol"),
    _command("huge_line", "protocol"),
    _command("silent", "too_slow", needs="time"),
    _command("stderr_flood", None),
    _command("child_stays", None),
    _command("never_reads", "too_slow", needs="time"),
)

BY_NAME = {animal.name: animal for animal in ANIMALS}


def place(folder: Path, *animals: Animal) -> Path:
    """Copy the files of some animals, and `Good`, into a folder of their own; returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {animal.file for animal in animals if animal.file.parent == BOTS}
    for file in sorted(files | {BOTS / "_late.py", BOTS / "good.py"}):
        shutil.copy(file, folder / file.name)
    return folder
