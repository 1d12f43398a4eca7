"""Copies of the state of play: what a playout spoils and begins anew."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import from_dtype, types
from numba.core.cgutils import raw_memcpy

from hearts_sim.engine._jit import intrinsic
from hearts_sim.engine.layout import TABLE, VIEW

_BYTES = ir.IntType(8).as_pointer()
_TABLE_TYPE = from_dtype(TABLE)
assert VIEW.fields is not None
assert TABLE.names is not None
_OFFSET = int(VIEW.fields[TABLE.names[0]][1])


@intrinsic
def copy_record(typingctx: Any, target: Any, source: Any) -> Any:
    """Copy a record over another of the same type."""
    if target != source:
        raise TypeError(f"records of two types: {target}, {source}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), target.size), 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


@intrinsic
def shown_table(typingctx: Any, view: Any) -> Any:
    """The state of play that a view shows, as a record of dtype `TABLE`; it is not a copy."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        start = builder.bitcast(args[0], _BYTES)
        start = builder.gep(start, [ir.Constant(ir.IntType(64), _OFFSET)])
        return builder.bitcast(start, context.get_value_type(_TABLE_TYPE))

    return _TABLE_TYPE(view), codegen
