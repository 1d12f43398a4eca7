"""Players that numba compiles.

A hook is compiled with one signature and called at its native entry, where an exception shows as a
status and never as a card. The machine code is kept per state of the file it comes from.
"""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Mapping
from typing import Any

import numba
import numpy as np
from numba import njit, types

from hearts_sim.engine._jit import cache_folder
from hearts_sim.engine.code_cache import search_digest
from hearts_sim.engine.layout import HOOKS, MOST_OPTIONS, OWN, VIEW
from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import nearest
from hearts_sim.strategy.base import CompiledStrategy, has_hook

VIEW_TYPE = numba.from_dtype(VIEW)
_ANSWERING = ("choose_pass", "choose_card", "choose_moon")
_compiled: dict[type[CompiledStrategy], list[Any]] = {}


def compile_hooks(strategy: type[CompiledStrategy], digest: str, where: str) -> list[Any]:
    """Compile the hooks of a class, once in a process.

    Parameters
    ----------
    digest : str
        Digest of the file and its helpers, which names the cache folder.
    where : str
        The file, for messages.

    Returns
    -------
    list of numba dispatcher or None
        One for each of `HOOKS`.

    Raises
    ------
    StrategyLoadError
        When a hook does not compile; the message gives numba's reason and the line.
    """
    if strategy not in _compiled:
        _compiled[strategy] = [
            _compile(strategy, hook, digest, where) if has_hook(strategy, hook) else None
            for hook in HOOKS
        ]
    return _compiled[strategy]


def _compile(strategy: type[CompiledStrategy], hook: str, digest: str, where: str) -> Any:
    function = inspect.getattr_static(strategy, hook)
    if isinstance(function, staticmethod):
        function = function.__func__
    result = types.int64 if hook in _ANSWERING else types.void
    name = f"{strategy.__name__}.{hook}"
    if not inspect.isfunction(function):
        raise StrategyLoadError(f"{where}: {name} is no function")
    if len(inspect.signature(function).parameters) != 1:
        raise StrategyLoadError(
            f"{where}:{function.__code__.co_firstlineno}: {name} must take exactly one argument, "
            "the view (a hook of a compiled strategy is a @staticmethod without self)"
        )
    # What was typed into a session cannot be kept: its helpers change without a trace.
    kept = os.path.exists(function.__code__.co_filename)
    try:
        with cache_folder(digest, search_digest()):
            # Python's errors, not numpy's: x // 0 is a fault and not the card 0.
            return njit(result(VIEW_TYPE), cache=kept, error_model="python")(function)
    except (numba.core.errors.NumbaError, KeyError) as error:
        raise StrategyLoadError(
            f"{where}:{function.__code__.co_firstlineno}: {name} does not compile:\n"
            f"{textwrap.indent(_reason(error), '  ')}"
        ) from None


def _reason(error: Exception) -> str:
    """Numba's message without its colours, its advice and its pages of context."""
    if isinstance(error, KeyError):  # is all that numba says of a missing field
        return f"the view has no field {error}{nearest(error.args[0], VIEW.names or ())}"
    lines = [line for line in str(error).splitlines() if line.strip()]
    kept = [
        line
        for line in lines
        if not line.startswith(("Failed in", "This is not usually", "For more information"))
    ]
    return "\n".join(kept[:16])


def native_address(dispatcher: Any) -> int:
    """Address of a compiled function's native entry."""
    result = next(iter(dispatcher.overloads.values()))
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def option_values(
    strategy: type[CompiledStrategy], options: Mapping[str, Any], where: str
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Options of an entry in the order that the class declares, then zeros.

    Raises
    ------
    StrategyLoadError
        For a value that is no number, or more than 64 options.
    """
    values = {**strategy.options, **options}
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            if isinstance(value, bool):
                values[name] = float(value)
                continue
            raise StrategyLoadError(
                f"{where}: option {name} of {strategy.__name__} must be a number, got {value!r}"
            )
    if len(values) > MOST_OPTIONS:
        raise StrategyLoadError(
            f"{where}: {strategy.__name__} has {len(values)} options, at most {MOST_OPTIONS} are "
            "possible"
        )
    numbers = np.zeros(MOST_OPTIONS)
    numbers[: len(strategy.options)] = [float(values[name]) for name in strategy.options]
    return numbers


class CompiledPlayer:
    """A compiled strategy on one seat: hook addresses, options and scratch memory."""

    compiled = 1
    card_function = 0
    error: BaseException | None = None
    answer: Any = None

    def __init__(
        self,
        strategy: type[CompiledStrategy],
        options: Mapping[str, Any],
        digest: str,
        where: str,
    ) -> None:
        self.hooks = compile_hooks(strategy, digest, where)
        self.options = option_values(strategy, options, where)
        self.memory = np.zeros(max(1, strategy.memory_words), np.int64)
        self.own = np.zeros(1, OWN)
        self.own["options"] = self.options.ctypes.data
        self.own["memory"] = self.memory.ctypes.data
        self.own["memory_size"] = strategy.memory_words

    def addresses(self) -> list[int]:
        """Address of each hook, 0 where the strategy has none."""
        return [native_address(hook) if hook is not None else 0 for hook in self.hooks]

    def close(self) -> None:
        """Nothing of it is outside of this process."""
