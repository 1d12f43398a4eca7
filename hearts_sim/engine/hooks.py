"""Calling a bot: from an address and a view to an answer.

The public convention is ``int64 f(View *view)``: the answer goes to ``view.answer`` and the return
value is 1, or 2 for a default answer. Functions that numba compiled for us are called by numba's
own convention (a status, and the value through a pointer), in which an exception cannot be mistaken
for a card.
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types

from hearts_sim.engine._jit import inlined, intrinsic, kernel
from hearts_sim.engine.bits import index
from hearts_sim.engine.layout import (
    ANSWERED,
    CARD,
    DEFAULT,
    FAILED,
    FAULT_DUE,
    FAULT_FAILED,
    FAULT_SLOW,
    WATCH_TIME,
)

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
    """Call one hook of a bot: `ANSWERED` (into ``view.answer``), `DEFAULT` or `FAILED`."""
    view.call = call
    view.answer = -1
    address = bot.hooks[index(call)]
    if bot.compiled:
        status, answer = _call_compiled(address, view)
        view.answer = answer
        return ANSWERED if status == 0 or status == -2 else FAILED
    answered: int = _call_public(address, view)
    if answered == ANSWERED or (answered == DEFAULT and call != CARD):
        return answered
    return FAILED


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


@kernel
def fail(game: Any, seat: int, call: int, kind: int) -> int:
    """Note a decision that failed; returns `FAILED`."""
    game.fault = kind
    game.fault_seat = seat
    game.fault_call = call
    return FAILED


@inlined
def ask(game: Any, view: Any, bots: Any, seat: int, call: int) -> int:
    """Let the bot on a seat, whose side the view shows, decide.

    `ANSWERED`; `DEFAULT` where the bot leaves it to the core, or is not asked; or `FAILED`.
    """
    if game.watched:
        return ask_watched(game, view, bots, seat, call)
    answered = call_hook(bots[index(seat)], view, call)
    return answered if answered else fail(game, seat, call, FAULT_FAILED)


@kernel
def decision_key(hand: int, call: int, trick: int, seat: int) -> int:
    """A number for a decision, unique in its game; the trick is 0 for all hooks but `CARD`."""
    return ((hand * 8 + call) * 64 + trick) * 16 + seat


@kernel
def ask_watched(game: Any, view: Any, bots: Any, seat: int, call: int) -> int:
    """As `ask`, while time is taken or another process watches, or after a fault in this game."""
    if game.default_next:
        game.default_next = 0
        return DEFAULT
    if game.out >> seat & 1:
        return DEFAULT
    key = decision_key(game.hand_number, call, view.trick_number if call == CARD else 0, seat)
    if key == game.due or key == game.stop:
        return fail(game, seat, call, FAULT_DUE)
    bot = bots[seat]
    game.asking = key
    game.asking_entry = bot.entry
    game.asked += 1
    began = clock() if game.watched & WATCH_TIME else 0
    answered: int = call_hook(bot, view, call)
    if game.watched & WATCH_TIME:
        bot.nanoseconds += clock() - began
        bot.decisions += call == CARD
    slow = game.overdue == game.asked
    game.asked += 1
    if slow:
        return fail(game, seat, call, FAULT_SLOW)
    return answered if answered else fail(game, seat, call, FAULT_FAILED)
