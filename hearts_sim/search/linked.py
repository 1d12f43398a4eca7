"""Compiled functions that are called by a name instead of being compiled into their callers.

Numba takes the code of everything that a function calls into the function, and works on it again;
through the five levels of a search that is minutes. What is `linked` is compiled once, is given
addresses and numbers only, and stands for its callers as a symbol of the process.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import carray, cfunc, types  # type: ignore[attr-defined]
from numba.core.sigutils import normalize_signature
from numba.core.typing.templates import Signature

from hearts_sim.engine._jit import cache_folder, intrinsic
from hearts_sim.engine.building import build_for_kitties, leave_for_kitties
from hearts_sim.engine.code_cache import search_digest
from hearts_sim.engine.layout import GAME, HANDS, TABLE, VIEW
from hearts_sim.engine.memory import _pointer
from hearts_sim.search._jit import inlined

_C_TYPES: dict[Any, Any] = {
    types.int64: ctypes.c_int64,
    types.float64: ctypes.c_double,
    types.void: None,
}

_kept: list[Any] = []


def linked(signature: str, *, later: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function of addresses and numbers for callers who only link to it.

    Parameters
    ----------
    signature : str
        Numba's, of int64 and float64. An exception in the function would be lost.
    later : bool
        Do it when a run has a kitty, or when it is called for the first time, together with all
        others that wait.
    """

    def link(function: Callable[..., Any]) -> Any:
        symbol = f"hearts_sim.search.{function.__name__}"
        arguments, result = normalize_signature(signature)

        def build() -> Any:
            with cache_folder(search_digest()):
                compiled = cfunc(signature, cache=True, error_model="numpy")(function)
            _kept.append(compiled)  # or its code would be freed
            llvmlite.binding.add_symbol(symbol, compiled.address)
            return compiled

        if later:
            waiting = _Waiting(build)
            leave_for_kitties(waiting.build)
            call = ctypes.CFUNCTYPE(*(_C_TYPES[kind] for kind in (result, *arguments)))(waiting)
            _kept.append(call)
            address = ctypes.cast(call, ctypes.c_void_p).value
            llvmlite.binding.add_symbol(symbol, address)
        else:
            build()
        return types.ExternalFunction(symbol, Signature(result, arguments, None))

    return link


class _Waiting:
    """Stands for a function until that is compiled, and calls it then."""

    def __init__(self, build: Callable[[], Any]) -> None:
        self._build = build
        self._compiled: Any = None

    def build(self) -> None:
        if self._compiled is None:
            self._compiled = self._build()

    def __call__(self, *arguments: Any) -> Any:
        # Those that were defined first are called by the others.
        build_for_kitties()
        return self._compiled.ctypes(*arguments)


@intrinsic
def address_of(typingctx: Any, record: Any) -> Any:
    """Address of a record."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], ir.IntType(64))

    return types.int64(record), codegen


@inlined
def table_at(address: int) -> Any:
    """The `TABLE` record at an address."""
    return carray(_pointer(address), 1, TABLE)[0]


@inlined
def hands_at(address: int) -> Any:
    """The `HANDS` record at an address."""
    return carray(_pointer(address), 1, HANDS)[0]


@inlined
def game_at(address: int) -> Any:
    """The `GAME` record at an address."""
    return carray(_pointer(address), 1, GAME)[0]


@inlined
def view_at(address: int) -> Any:
    """The `VIEW` record at an address."""
    return carray(_pointer(address), 1, VIEW)[0]
