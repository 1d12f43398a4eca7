"""Players in a shared library: C, or any language that can make C functions.

One function of the library is called for every hook, with the address of the view; it is declared
in ``hearts_sim.h``. To load a library runs its code, and its functions run in our process: a bot
that crashes ends the process that plays, and one that writes where it must not can do anything.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from hearts_sim.engine.layout import HOOKS, MOST_OPTIONS, OWN, VIEW_VERSION
from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import nearest
from hearts_sim.strategy.process import ending
from hearts_sim.strategy.seated import Seated

MOST_MEMORY_WORDS: Final = 1 << 24
"""Words of scratch memory that a bot may have on a seat: 128 MiB."""

_LONGEST_LOAD = 60.0  # seconds
_TRY = """
import ctypes, os, sys
try:
    ctypes.CDLL(sys.argv[1])
except OSError:
    pass
os._exit(0)
"""

_loaded: dict[str, tuple[tuple[int, int, int], ctypes.CDLL]] = {}


class ForeignPlayer:
    """A function of a shared library on one seat: its address, options and scratch memory.

    Parameters
    ----------
    seated : Seated
        With `library` and `symbol`. Its options are numbers; they reach the bot as float64 in the
        order of the mapping.

    Raises
    ------
    StrategyLoadError
        As `check_library`, and for options that are no numbers.
    """

    compiled = 0
    card_function = 0
    error: BaseException | None = None
    answer: Any = None

    def __init__(self, seated: Seated) -> None:
        words = check_library(seated.library, seated.symbol)
        function = _load(seated.library)[seated.symbol]
        self._address = ctypes.cast(function, ctypes.c_void_p).value or 0
        self.options = option_values(seated.options, f"{seated.library}: {seated.symbol}")
        self.memory = np.zeros(max(1, words), np.int64)
        self.own = np.zeros(1, OWN)
        self.own["options"] = self.options.ctypes.data
        self.own["memory"] = self.memory.ctypes.data
        self.own["memory_size"] = words

    def addresses(self) -> list[int]:
        """Address of each hook: the one function, which sees in the view which it is."""
        return [self._address] * len(HOOKS)

    def close(self) -> None:
        """Nothing of it is outside of this process."""


def option_values(options: Mapping[str, Any], where: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Options in their order, then zeros.

    Returns
    -------
    ndarray of shape (MOST_OPTIONS,), float64

    Raises
    ------
    StrategyLoadError
        For a value that is no number, or more than 64 options.
    """
    if len(options) > MOST_OPTIONS:
        raise StrategyLoadError(
            f"{where} got {len(options)} options, at most {MOST_OPTIONS} are possible"
        )
    numbers = np.zeros(MOST_OPTIONS)
    for place, (name, value) in enumerate(options.items()):
        try:
            if not isinstance(value, int | float | np.number):
                raise TypeError
            numbers[place] = float(value)
        except (TypeError, OverflowError):
            raise StrategyLoadError(
                f"{where}: option {name} must be a number, got {value!r} (a function in a library "
                "gets its options as float64, in the order of the config)"
            ) from None
    return numbers


def check_library(path: str, symbol: str) -> int:
    """See that a library can be loaded and has a bot of that name; this runs the library's code.

    Returns
    -------
    int
        Words of scratch memory that the bot asks for on each seat.

    Raises
    ------
    StrategyLoadError
        When it cannot; the message says why and what to do.
    """
    library = _load(path)
    if not re.fullmatch(r"[A-Za-z_]\w*", symbol, re.ASCII):
        raise StrategyLoadError(f"{path}: {symbol!r} is no name of a function in C")
    try:
        library[symbol]
    except AttributeError:
        raise StrategyLoadError(
            f"{path}: has no function {symbol!r}{_known(path, symbol)} (a bot is a function that "
            f"is exported under its plain name: put HS_BOT({symbol}, 0); above it)"
        ) from None
    version = _constant(library, f"{symbol}_view_version")
    if version is None:
        raise StrategyLoadError(
            f"{path}: {symbol} does not say for which header it was built (there is no "
            f"{symbol}_view_version): put HS_BOT({symbol}, 0); above the function and build again"
        )
    if version != VIEW_VERSION:
        raise StrategyLoadError(
            f"{path}: {symbol} was built for version {version} of hearts_sim.h, and this is "
            f"version {VIEW_VERSION}: build it again with -I$(python -m hearts_sim.include)"
        )
    words = _constant(library, f"{symbol}_memory_words")
    if words is None:
        raise StrategyLoadError(
            f"{path}: {symbol} does not say how much memory it needs (there is no "
            f"{symbol}_memory_words): put HS_BOT({symbol}, 0); above the function and build again"
        )
    if not 0 <= words <= MOST_MEMORY_WORDS:
        raise StrategyLoadError(
            f"{path}: {symbol} asks for {words} words of memory: HS_BOT({symbol}, words) takes 0 "
            f"to {MOST_MEMORY_WORDS} words of 8 bytes"
        )
    return words


def library_digest(path: str) -> str:
    """Digest of a library's bytes, 16 hexadecimal digits.

    Raises
    ------
    StrategyLoadError
        When it cannot be read.
    """
    return hashlib.sha256(_bytes(path)).hexdigest()[:16]


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StrategyLoadError(f"{path}: cannot be read: {reason}") from None


def _load(path: str) -> ctypes.CDLL:
    """The library, loaded once in a process."""
    full = os.path.abspath(path)
    if not os.path.isfile(full):
        what = "is a folder" if os.path.isdir(full) else "there is no such file"
        raise StrategyLoadError(
            f"{path}: {what}: library is the file that the compiler made, such as ./mybot.so"
        )
    state = os.stat(full)
    stamp = state.st_ino, state.st_mtime_ns, state.st_size
    if full in _loaded:
        before, library = _loaded[full]
        if before != stamp:  # the system would give us the old one again under this name
            raise StrategyLoadError(
                f"{path}: was built again since this process loaded it: start Python again, or "
                "give it another name"
            )
        return library
    _try_elsewhere(path, full)
    try:
        library = ctypes.CDLL(full)
    except OSError as error:
        raise StrategyLoadError(
            f"{path}: is no library that can be loaded here: {error} (in C: cc -O2 -shared -fPIC "
            "-I$(python -m hearts_sim.include) mybot.c -o mybot.so, on this kind of machine)"
        ) from None
    _loaded[full] = stamp, library
    return library


def _try_elsewhere(path: str, full: str) -> None:
    """Load a library in another process first: one that is cut short, or crashes, would end ours.

    What the system says against it is no concern here: it will say it again.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-SPc", _TRY, full],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_LONGEST_LOAD,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise StrategyLoadError(
            f"{path}: is not loaded after {_LONGEST_LOAD:.0f} seconds: its code that runs when it "
            "is loaded does not end"
        ) from None
    if done.returncode:
        raise StrategyLoadError(
            f"{path}: ends the process that loads it ({ending(done.returncode)}): the file is cut "
            "short, or its code that runs when it is loaded fails; build it again"
        )


def _constant(library: ctypes.CDLL, name: str) -> int | None:
    """Value of an exported int64, None when there is none."""
    try:
        return ctypes.c_int64.in_dll(library, name).value
    except ValueError:
        return None


def _known(path: str, symbol: str) -> str:
    """The name that was meant, or all names of bots: of each the library says its version."""
    found = re.findall(rb"\0_?([A-Za-z]\w*)_view_version(?=\0)", _bytes(path))
    return nearest(symbol, sorted({name.decode("ascii") for name in found}))
