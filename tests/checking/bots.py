"""Small bots, each with one fault, and what a check must say of it.

A line that ends with ``# here`` is the one that the finding must name.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Bad:
    """The source of a bot, and the one thing that is wrong with it."""

    severity: str
    kind: str
    source: str
    says: str = ""

    @property
    def text(self) -> str:
        """What is written to its file."""
        return "from hearts_sim import Strategy\n" + textwrap.dedent(self.source)

    @property
    def line(self) -> int:
        """The line that must be named, 0 when it does not matter."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if line.endswith("# here"):
                return number
        return 0


def plain(name: str, choose: str, *, before: str = "", more: str = "", start: str = "") -> str:
    """A class whose `choose_card` has these lines."""
    parts = [
        textwrap.dedent(before),
        f"class {name}(Strategy):",
        '    """A bot with one fault."""',
        textwrap.indent(textwrap.dedent(more), "    "),
        "    def choose_card(self, view):" + start,
        textwrap.indent(textwrap.dedent(choose), "        "),
    ]
    return "\n".join(parts)


LOWEST = "return view.legal.lowest()"

PLAYING = {
    "IllegalCard": Bad(
        "error",
        "illegal_card",
        plain(
            "IllegalCard",
            "return view.hand.lowest() if view.trick_number == 4 else view.legal.lowest()",
            start="  # here",
        ),
        "which it may not (black_lady, 4 players; block 0",
    ),
    "OnlyPoints": Bad(
        "error",
        "exception",
        plain(
            "OnlyPoints",
            """
            if view.trick_number == 1 and view.legal == view.hand & view.point_cards:
                return (view.legal - view.point_cards).lowest()  # here
            return view.legal.lowest()
            """,
        ),
        "nothing but points to the first trick",
    ),
    "IllegalPass": Bad(
        "error",
        "illegal_pass",
        plain(
            "IllegalPass",
            LOWEST,
            more="""
            def choose_pass(self, view):  # here
                return list(view.legal)[:2]
            """,
        ),
        "expected 3 different cards",
    ),
    "Raises": Bad(
        "error",
        "exception",
        plain("Raises", "return [][view.trick_number]  # here"),
        "IndexError",
    ),
    "Leaves": Bad(
        "error", "exception", plain("Leaves", "raise SystemExit(3)  # here"), "SystemExit"
    ),
    "BadDefaults": Bad(
        "error",
        "exception",
        plain(
            "BadDefaults",
            LOWEST,
            more="""
            def __init__(self, risk=None):
                self.risk = risk + 1  # here
            """,
        ),
        "start_game",
    ),
    "WrongType": Bad(
        "error", "wrong_type", plain("WrongType", "return None", start="  # here"), "NoneType"
    ),
    "MoonAnswer": Bad(
        "error",
        "wrong_type",
        plain(
            "MoonAnswer",
            LOWEST,
            more="""
            rules = "pagat"

            def choose_moon(self, view):  # here
                return "both"
            """,
        ),
        "must return",
    ),
    "Memory": Bad("error", "memory", plain("Memory", "raise MemoryError  # here"), "too much"),
    "Prepares": Bad(
        "error",
        "prepare",
        plain(
            "Prepares",
            LOWEST,
            more="""
            @classmethod  # here
            def prepare(cls, options):
                raise OSError("no such table")
            """,
        ),
        "no such table",
    ),
    "NotCompiled": Bad(
        "error",
        "compile",
        """
        from hearts_sim import CompiledStrategy

        class NotCompiled(CompiledStrategy):
            '''Asks for a field that is not there.'''

            @staticmethod  # here
            def choose_card(view):
                return view.lgal
        """,
        "lgal",
    ),
}

BESIDE = {
    "Chatty": Bad("hint", "prints", plain("Chatty", 'print("hm")  # here\n' + LOWEST)),
    "Undocumented": Bad(
        "hint",
        "docstring",
        """
        class Undocumented(Strategy):  # here
            def choose_card(self, view):
                return view.legal.lowest()
        """,
    ),
    "Misnamed": Bad(
        "warning",
        "hook",
        plain(
            "Misnamed",
            LOWEST,
            more="""
            def choose_passes(self, view):  # here
                return list(view.legal)[: view.pass_count]
            """,
        ),
        "did you mean the hook choose_pass?",
    ),
    "Players": Bad(
        "error",
        "changes_view",
        plain("Players", "view.players = 4.0 + (view.trick_number > 1)\n" + LOWEST),
    ),
    "CompiledWriter": Bad(
        "error",
        "changes_view",
        """
        from hearts_sim import CompiledStrategy
        from hearts_sim.strategy.toolkit import lowest

        class CompiledWriter(CompiledStrategy):
            '''Breaks hearts with a pen.'''

            @staticmethod  # here
            def choose_card(view):
                view.hearts_broken = 1 - view.hearts_broken
                view.hearts_broken = 1
                return lowest(view.legal)
        """,
        "hearts_broken",
    ),
    "GlobalRandom": Bad(
        "error",
        "global_random",
        plain(
            "GlobalRandom",
            "return random.choice(list(view.legal))  # here",
            before="import random",
        ),
        "random.choice in line",
    ),
    "GlobalNumpy": Bad(
        "error",
        "global_random",
        plain(
            "GlobalNumpy",
            """
            cards = list(view.legal)
            return cards[np.random.randint(len(cards))]  # here
            """,
            before="import numpy as np",
        ),
        "np.random in line",
    ),
    "SeededRandom": Bad(
        "warning",
        "global_random",
        plain(
            "SeededRandom",
            """
            random.seed(view.hand)  # here
            return random.choice(list(view.legal))
            """,
            before="import random",
        ),
        "random.seed",
    ),
    "CompiledRandom": Bad(
        "error",
        "global_random",
        """
        import numpy as np
        from hearts_sim import CompiledStrategy
        from hearts_sim.strategy.toolkit import count, nth

        class CompiledRandom(CompiledStrategy):
            '''Plays at random, from a state that numba keeps for itself.'''

            @staticmethod
            def choose_card(view):
                return nth(view.legal, np.random.randint(count(view.legal)))  # here
        """,
    ),
    "Unseeded": Bad(
        "error",
        "entropy",
        plain(
            "Unseeded",
            "return random.Random().choice(list(view.legal))  # here",
            before="import random",
        ),
        "without a seed",
    ),
    "Clock": Bad(
        "warning",
        "clock",
        plain("Clock", "self.began = time.monotonic()  # here\n" + LOWEST, before="import time"),
        "time.monotonic",
    ),
    "ClockPlays": Bad(
        "error",
        "clock",
        plain(
            "ClockPlays",
            """
            cards = list(view.legal)
            return cards[perf_counter_ns() // 100 % len(cards)]  # here
            """,
            before="from time import perf_counter_ns",
        ),
        "perf_counter_ns in line",
    ),
    "HashOrder": Bad(
        "error",
        "hash_order",
        plain("HashOrder", "return next(iter({card.name for card in view.legal}))"),
        "PYTHONHASHSEED",
    ),
    "Import": Bad(
        "error",
        "repeat",
        plain(
            "Import",
            "return list(view.legal)[LUCK % len(view.legal)]",
            before="import os\nLUCK = int.from_bytes(os.urandom(4), 'little')",
        ),
        "in another process",
    ),
    "ClassState": Bad(
        "error",
        "state",
        plain(
            "ClassState",
            """
            ClassState.cards += 1
            return list(view.legal)[ClassState.cards // 7 % len(view.legal)]
            """,
            more="cards = 0  # here",
        ),
        "ClassState.cards",
    ),
    "ModuleState": Bad(
        "error",
        "state",
        plain(
            "ModuleState",
            """
            SEEN.append(1)
            del SEEN[:-5000]
            return list(view.legal)[len(SEEN) // 7 % len(view.legal)]
            """,
            before="SEEN = []  # here",
        ),
        "keeps SEEN",
    ),
    "DefaultState": Bad(
        "error",
        "state",
        plain(
            "DefaultState",
            """
            self.seen[0] += 1
            return list(view.legal)[self.seen[0] // 7 % len(view.legal)]
            """,
            more="""
            def __init__(self, seen=[0]):  # here
                self.seen = seen
            """,
        ),
        "default values",
    ),
    "Counts": Bad(
        "hint",
        "state",
        plain(
            "Counts",
            "global PLAYED\nPLAYED = (PLAYED + 1) % 1000003\n" + LOWEST,
            before="PLAYED = 0  # here",
        ),
        "PLAYED",
    ),
    "Grows": Bad(
        "warning",
        "growth",
        plain(
            "Grows",
            "self.note(view.copy())\n" + LOWEST,
            before="import collections\n",
            more="""
            class notes:
                kept = collections.deque()

            def note(self, view):
                self.notes.kept.append(view)
            """,
        ),
        "bytes more with every game",
    ),
}

LOADING = {
    "broken": Bad("error", "import", "import no_such_package_at_all  # here", "ModuleNotFound"),
    "syntax": Bad("error", "import", "def f(:  # here", "SyntaxError"),
    "empty": Bad("error", "import", "LUCK = 3", "has no strategy"),
    "NoCard": Bad("error", "hook", "class NoCard(Strategy):  # here\n    pass", "choose_card"),
    "Arguments": Bad(
        "error",
        "hook",
        '''
        class Arguments(Strategy):
            """Forgets the view."""
            def choose_card(self):  # here
                return 0
        ''',
        "expected (self, view)",
    ),
    "Needs": Bad(
        "error",
        "options",
        plain("Needs", LOWEST, more="def __init__(self, risk):\n    pass"),
        "'risk'",
    ),
    "BadRules": Bad(
        "error",
        "rules",
        plain("BadRules", LOWEST, more='rules = "black_ladi"  # here'),
        "did you mean 'black_lady'?",
    ),
    "Prints": Bad(
        "hint", "import_prints", plain("Prints", LOWEST, before='print("here I am")'), "imported"
    ),
}

ENDING = {
    "ends_import": Bad("error", "crash", "import os\nos._exit(4)", "exit code 4"),
    "Exits": Bad(
        "error",
        "crash",
        plain("Exits", "os._exit(5)", before="import os", start="  # here"),
        "in choose_card: it ended with exit code 5",
    ),
    "Segfault": Bad(
        "error",
        "crash",
        plain("Segfault", "ctypes.string_at(0)  # here", before="import ctypes"),
        "SIGSEGV",
    ),
    "Hangs": Bad(
        "error",
        "too_slow",
        plain("Hangs", "while True:\n    view.trick_number  # here"),
        "does not answer in choose_card",
    ),
}

GOOD = """
from hearts_sim import Strategy

class Good(Strategy):
    '''Plays at random, as it should.'''

    rules = ["black_lady", {"preset": "hearts", "players": 5}]

    def __init__(self, risk=0.5):
        self.risk = risk

    def choose_pass(self, view):
        return self.rng.sample(list(view.legal), view.pass_count)

    def choose_card(self, view):
        return self.rng.choice(list(view.legal))

    def choose_moon(self, view):
        return "add"
"""


TIMED = """
from time import perf_counter_ns
from hearts_sim import Strategy

class Timed(Strategy):
    '''Decides by a clock where it has a budget of seconds, and says so.'''

    uses_clock = "seconds"

    def __init__(self, seconds=0.1):
        self.seconds = seconds

    def choose_card(self, view):
        cards = list(view.legal)
        return cards[perf_counter_ns() // 100 % len(cards)]
"""


def write(folder: Path, bots: dict[str, Bad]) -> Path:
    """Write each bot to a file of its own; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, bad in bots.items():
        (folder / f"{name.lower()}.py").write_text(bad.text, encoding="utf-8")
    return folder
