"""Calling a bot: from an address and a view to an answer.

The public convention is ``int64 f(View *view)``: the answer goes to ``view.answer`` and the return
value is 1. Functions that numba compiled for us are called by numba's own convention (a status, and
the value through a pointer), in which an exception cannot be mistaken for a card.
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types

from hearts_sim.engine._jit import inlined, intrinsic, kernel
from hearts_sim.engine.bits import index
from hearts_sim.engine.layout import CARD

_WORD = ir.IntType(64)
_STATUS = ir.IntType(32)
_BYTES = ir.IntType(8).as_pointer()


def _target(builder: Any, address: Any, kind: Any) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


@intrinsic
def _call_public(typingctx: Any, address: Any, view: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target = _target(builder, args[0], ir.FunctionType(_WORD, [_BYTES]))
        return builder.call(target, [builder.bitcast(args[1], _BYTES)])

    return types.int64(types.int64, view), codegen


@intrinsic
def _call_compiled(typingctx: Any, address: Any, view: Any) -> Any:
    """Status and value of a function of ours, as a tuple."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_STATUS, [_WORD.as_pointer(), _BYTES.as_pointer(), _BYTES])
        with builder.goto_entry_block():
            value = builder.alloca(_WORD)
            raised = builder.alloca(_BYTES)
        builder.store(ir.Constant(_WORD, -1), value)
        builder.store(ir.Constant(_BYTES, None), raised)
        view_pointer = builder.bitcast(args[1], _BYTES)
        status = builder.call(_target(builder, args[0], kind), [value, raised, view_pointer])
        answer = builder.load(value)
        return context.make_tuple(
            builder, signature.return_type, [builder.sext(status, _WORD), answer]
        )

    return types.UniTuple(types.int64, 2)(types.int64, view), codegen


@inlined
def call_hook(bot: Any, view: Any, call: int) -> int:
    """Call one hook of a bot; 1 when it answered (into ``view.answer``), 0 when it failed."""
    view.call = call
    view.answer = -1
    address = bot.hooks[index(call)]
    if bot.compiled:
        status, answer = _call_compiled(address, view)
        view.answer = answer
        return 1 if status == 0 or status == -2 else 0
    return 1 if _call_public(address, view) == 1 else 0


if sys.platform == "win32":

    @intrinsic
    def clock(typingctx: Any) -> Any:
        """Nanoseconds of a steady clock; not measured on Windows."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return ir.Constant(_WORD, 0)

        return types.int64(), codegen

else:
    _STEADY = 6 if sys.platform == "darwin" else 1

    @intrinsic
    def clock(typingctx: Any) -> Any:
        """Nanoseconds of a steady clock."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(_STATUS, [_STATUS, _WORD.as_pointer()])
            function = builder.module.globals.get("clock_gettime")
            if function is None:
                function = ir.Function(builder.module, kind, "clock_gettime")
            with builder.goto_entry_block():
                parts = builder.alloca(_WORD, 2)
            builder.call(function, [ir.Constant(_STATUS, _STEADY), parts])
            seconds = builder.load(parts)
            rest = builder.load(builder.gep(parts, [ir.Constant(_STATUS, 1)]))
            return builder.add(builder.mul(seconds, ir.Constant(_WORD, 1_000_000_000)), rest)

        return types.int64(), codegen


@inlined
def show_seat(bot: Any, view: Any, seat: int, hand: int, legal: int) -> None:
    """Put a seat's own side into the view."""
    view.seat = seat
    view.hand = hand
    view.legal = legal
    view.own = bot.own


@inlined
def ask(game: Any, view: Any, bots: Any, seat: int, call: int) -> int:
    """Let the bot on a seat, whose side the view shows, decide; 0 when it failed."""
    if game.timed:
        return ask_timed(view, bots, seat, call)
    return call_hook(bots[index(seat)], view, call)


@kernel
def ask_timed(view: Any, bots: Any, seat: int, call: int) -> int:
    """As `ask`, and add up the time that it takes."""
    bot = bots[seat]
    began = clock()
    fine: int = call_hook(bot, view, call)
    bot.nanoseconds += clock() - began
    bot.decisions += call == CARD
    return fine
