"""Calling a bot: from an address and a view to an answer.

The public convention is ``int64 f(View *view)``: the answer goes to ``view.answer`` and the return
value is 1, or 2 for a default answer. Functions that numba compiled for us are called by numba's
own convention (a status, and the value through a pointer), in which an exception cannot be mistaken
for a card.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function

from hearts_sim.engine._jit import inlined, intrinsic, kernel
from hearts_sim.engine.bits import index
from hearts_sim.engine.layout import (
    ANSWERED,
    CARD,
    DEFAULT,
    FAILED,
    FAULT_DUE,
    FAULT_FAILED,
    FAULT_ILLEGAL,
    FAULT_SLOW,
    NO_ANSWER,
    WATCH_CALLS,
    WATCH_TIME,
    codes,
)
from hearts_sim.engine.legal import neutral_card
from hearts_sim.engine.wide import is_wide, show_wide

_WORD = ir.IntType(64)
_STATUS = ir.IntType(32)
_BYTES = ir.IntType(8).as_pointer()

NO_CARD = np.int64(-1)
ASK_FREELY, ASK_SEEN, ASK_CLOSELY = codes(3)


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
    """Status and value of a function of ours, as a tuple; no value when the status is bad."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_STATUS, [_WORD.as_pointer(), _BYTES.as_pointer(), _BYTES])
        with builder.goto_entry_block():
            value = builder.alloca(_WORD)
            raised = builder.alloca(_BYTES)
        view_pointer = builder.bitcast(args[1], _BYTES)
        status = builder.call(_target(builder, args[0], kind), [value, raised, view_pointer])
        answer = builder.load(value)
        return context.make_tuple(
            builder, signature.return_type, [builder.sext(status, _WORD), answer]
        )

    return types.UniTuple(types.int64, 2)(types.int64, view), codegen


@intrinsic
def _call_python(typingctx: Any, function: Any) -> Any:
    """Number that a function in Python gives, which stands at an address; takes no arguments.

    `NO_ANSWER` when it raised. The core runs with the lock of the interpreter held.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def c_function(name: str, kind: Any) -> Any:
            return get_or_insert_function(builder.module, kind, name)

        nothing = ir.VoidType()
        call = c_function("PyObject_CallNoArgs", ir.FunctionType(_BYTES, [_BYTES]))
        number = c_function("PyLong_AsLongLong", ir.FunctionType(_WORD, [_BYTES]))
        release = c_function("Py_DecRef", ir.FunctionType(nothing, [_BYTES]))
        tell = c_function("PyErr_WriteUnraisable", ir.FunctionType(nothing, [_BYTES]))
        with builder.goto_entry_block():
            answer = builder.alloca(_WORD)
        function = builder.inttoptr(args[0], _BYTES)
        result = builder.call(call, [function])
        raised = builder.icmp_unsigned("==", result, ir.Constant(_BYTES, None))
        with builder.if_else(raised, likely=False) as (failed, fine):
            with failed:
                builder.call(tell, [function])
                builder.store(ir.Constant(_WORD, int(NO_ANSWER)), answer)
            with fine:
                builder.store(builder.call(number, [result]), answer)
                builder.call(release, [result])
        return builder.load(answer)

    return types.int64(types.int64), codegen


@inlined
def call_hook(bot: Any, view: Any, call: int) -> int:
    """Call one hook of a bot: `ANSWERED` (into ``view.answer``), `DEFAULT` or `FAILED`."""
    view.call = call
    view.answer = -1
    address = bot.hooks[index(call)]
    if bot.compiled:
        status, answer = _call_compiled(address, view)
        if status != 0 and status != -2:
            return FAILED
        view.answer = answer
        return ANSWERED
    answered: int = _call_public(address, view)
    if answered == ANSWERED or (answered == DEFAULT and call != CARD):
        return answered
    return FAILED


@inlined
def call_for_card(bot: Any, view: Any) -> tuple[int, int]:
    """As `call_hook` for a card, which comes back too: a short way for what is done most.

    The view says already that a card is asked for.
    """
    if bot.compiled:
        status, card = _call_compiled(bot.hooks[CARD], view)
        return (ANSWERED if status == 0 else FAILED), card
    if bot.card_function:
        card = _call_python(bot.card_function)
        return (ANSWERED if card != NO_ANSWER else FAILED), card
    view.answer = -1
    answered = _call_public(bot.hooks[CARD], view)
    return (ANSWERED if answered == ANSWERED else FAILED), view.answer


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
def ask(game: Any, view: Any, seats: Any, seat: int, call: int) -> int:
    """Let the bot on a seat, whose side the view shows, decide.

    `ANSWERED`; `DEFAULT` where the bot leaves it to the core, or is not asked; or `FAILED`.
    """
    if game.watched:
        return ask_watched(game, view, seats, seat, call)
    answered = call_hook(seats.bot[index(seat)], view, call)
    return answered if answered else fail(game, seat, call, FAULT_FAILED)


@inlined
def ask_card(
    rules: Any, game: Any, view: Any, hands: Any, seats: Any, seat: int, legal: int, asking: Any
) -> Any:
    """Let the bot on a seat play a legal card; returns the card, `NO_CARD` when it failed.

    `asking` is what `how_to_ask` said.
    """
    bot = seats.bot[index(seat)]
    show_seat(bot, view, seat, hands.cards[index(seat)], legal)
    view.passed = game.passed[index(seat)]
    view.received = game.received[index(seat)]
    if is_wide(rules):
        show_wide(rules, game, view, hands, seat)
    if asking == ASK_CLOSELY:
        answered, card = ask_watched(game, view, seats, seat, CARD), view.answer
        if answered == DEFAULT:
            return neutral_card(legal)
        if answered == FAILED:
            return NO_CARD
    else:
        if asking == ASK_SEEN:
            game.asking = decision_key(game.hand_number, CARD, view.trick_number, seat)
            game.asking_entry = bot.entry
            game.asked += 1
        answered, card = call_for_card(bot, view)
        if asking == ASK_SEEN:
            slow = game.overdue == game.asked
            game.asked += 1
            if slow:
                view.answer = card
                fail(game, seat, CARD, FAULT_SLOW)
                return NO_CARD
        if answered == FAILED:
            fail(game, seat, CARD, FAULT_FAILED)
            return NO_CARD
    if card < 0 or card > 51 or not legal >> card & 1:
        view.answer = card
        fail(game, seat, CARD, FAULT_ILLEGAL)
        return NO_CARD
    return card


@kernel
def how_to_ask(game: Any) -> Any:
    """How bots are asked for cards from now on.

    `ASK_FREELY`; `ASK_SEEN` when another process sees who is asked and says when its time is over;
    or `ASK_CLOSELY`, by `ask_watched`, when there is more to do about it.
    """
    if not game.watched:
        return ASK_FREELY
    usual = not game.default_next and not game.out and game.due < 0 and game.stop < 0
    return ASK_SEEN if usual and game.watched == WATCH_CALLS else ASK_CLOSELY


@inlined
def decision_key(hand: int, call: int, trick: int, seat: int) -> int:
    """A number for a decision, unique in its game; the trick is 0 for all hooks but `CARD`."""
    return ((hand * 8 + call) * 64 + trick) * 16 + seat


@kernel
def ask_watched(game: Any, view: Any, seats: Any, seat: int, call: int) -> int:
    """As `ask`, while time is taken or another process watches, or after a fault in this game."""
    if game.default_next:
        game.default_next = 0
        return DEFAULT
    if game.out >> seat & 1:
        return DEFAULT
    key = decision_key(game.hand_number, call, view.trick_number if call == CARD else 0, seat)
    if key == game.due or key == game.stop:
        return fail(game, seat, call, FAULT_DUE)
    bot = seats.bot[seat]
    game.asking = key
    game.asking_entry = bot.entry
    game.asked += 1
    began = clock() if game.watched & WATCH_TIME else 0
    answered = DEFAULT
    if call == CARD:
        answered, view.answer = call_for_card(bot, view)
    else:
        answered = call_hook(bot, view, call)
    if game.watched & WATCH_TIME:
        bot.nanoseconds += clock() - began
        bot.decisions += call == CARD
    slow = game.overdue == game.asked
    game.asked += 1
    if slow:
        return fail(game, seat, call, FAULT_SLOW)
    return answered if answered else fail(game, seat, call, FAULT_FAILED)
