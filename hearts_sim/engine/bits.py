"""Sets of cards in compiled code: counting, finding and picking bits of an int64."""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import types

from hearts_sim.engine._jit import inlined, intrinsic

_WORD = ir.IntType(64)


@intrinsic
def count(typingctx: Any, cards: Any) -> Any:
    """Number of cards in a set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def lowest(typingctx: Any, cards: Any) -> Any:
    """Lowest card of a set by number; 64 for the empty set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


@intrinsic
def highest(typingctx: Any, cards: Any) -> Any:
    """Highest card of a set by number; -1 for the empty set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(_WORD, 63), zeros)

    return types.int64(types.int64), codegen


@intrinsic
def either(typingctx: Any, condition: Any, one: Any, other: Any) -> Any:
    """`one` when the condition holds, otherwise `other`; never a branch.

    For what nobody could predict: a branch that is guessed wrongly costs as much as fifty steps.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        chosen = builder.select(*args)
        chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
        return chosen

    return types.int64(types.boolean, types.int64, types.int64), codegen


@inlined
def index(number: int) -> Any:
    """A number that is not negative, as an index: numba then skips the test for counting back."""
    return np.uint64(number)


def _deposits_quickly() -> bool:
    """Whether the bit deposit instruction exists and is quick (on the first two Zens it is not)."""
    if any(getattr(numba.config, name, None) for name in ("CPU_NAME", "CPU_FEATURES")):
        return False
    slow = ("znver1", "znver2")
    features = llvmlite.binding.get_host_cpu_features()
    return bool(features.get("bmi2")) and llvmlite.binding.get_host_cpu_name() not in slow


@intrinsic
def _deposit(typingctx: Any, source: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_WORD, [_WORD, _WORD])
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), codegen


if _deposits_quickly():

    @inlined
    def nth(cards: int, index: int) -> int:
        """Card at a place (0, 1, ...) of a set in ascending order."""
        return lowest(_deposit(1 << index, cards))

else:

    @inlined
    def nth(cards: int, index: int) -> int:
        """Card at a place (0, 1, ...) of a set in ascending order."""
        for _ in range(index):
            cards &= cards - 1
        return lowest(cards)
