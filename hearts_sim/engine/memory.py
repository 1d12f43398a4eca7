"""Arrays at an address: what a record points to."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types  # type: ignore[attr-defined]

from hearts_sim.engine._jit import inlined, intrinsic
from hearts_sim.engine.layout import RULES


@intrinsic
def _pointer(typingctx: Any, address: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), codegen


@inlined
def words_at(address: int, size: int) -> Any:
    """Array of `size` int64 at an address."""
    return carray(_pointer(address), size, np.int64)


@inlined
def floats_at(address: int, size: int) -> Any:
    """Array of `size` float64 at an address."""
    return carray(_pointer(address), size, np.float64)


@inlined
def own_word(address: int, word: int) -> int:
    """A word of the `OWN` record at an address."""
    return words_at(address, 5)[word]


@inlined
def stream_at(address: int) -> Any:
    """State of the random stream, two uint64, of the `OWN` record at an address."""
    return carray(_pointer(address), 2, np.uint64)


@inlined
def rules_at(address: int) -> Any:
    """The `RULES` record at an address."""
    return carray(_pointer(address), 1, RULES)[0]
