"""What a bot can get at from what it was given, without leaving its own objects.

The search follows attributes and properties, results of cheap methods, what an object refers to,
what a buffer or an array is a part of, closures, defaults, and the objects of bound methods. It
stops at modules, classes, frames and the globals of functions: behind those lies the whole process,
which no bot in the same process can be kept from.
"""

from __future__ import annotations

import gc
import mmap
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hearts_sim.cards import CardSet

OPAQUE = (types.ModuleType, type, types.FrameType, types.CodeType, types.TracebackType)
CHEAP = ("copy", "getstate")
BY_SEAT = ("known_cards", "possible_cards")
BUFFERS = (bytes, bytearray, memoryview, mmap.mmap, np.ndarray, np.void)
MOST = 30_000
WORD = (1 << 64) - 1


@dataclass(frozen=True)
class Reached:
    """An object, and the way to it."""

    value: Any
    way: str


def reachable(players: int = 0, **starts: Any) -> list[Reached]:
    """All that can be reached from some objects, by name.

    Cheap methods are called on these objects themselves; those that take a seat for each of
    `players`.
    """
    found: dict[int, Reached] = {}
    todo = [Reached(value, name) for name, value in starts.items()]
    for start in tuple(todo):
        todo.extend(_results(start, players))
    while todo:
        here = todo.pop()
        if id(here.value) in found or isinstance(here.value, OPAQUE):
            continue
        # Kept, so that no later object gets the same identity.
        found[id(here.value)] = here
        todo.extend(Reached(value, here.way + step) for value, step in _next(here.value))
        assert len(found) < MOST, f"more than {MOST} objects are reachable, the last at {here.way}"
    return list(found.values())


def _results(start: Reached, players: int) -> Iterator[Reached]:
    for name in CHEAP:
        if hasattr(start.value, name):
            yield Reached(getattr(start.value, name)(), f"{start.way}.{name}()")
    for name in BY_SEAT:
        if hasattr(start.value, name):
            method = getattr(start.value, name)
            for seat in range(players):
                yield Reached(method(seat), f"{start.way}.{name}({seat})")


def _next(value: Any) -> Iterator[tuple[Any, str]]:
    """Objects one step away, each with the step."""
    if isinstance(value, types.FunctionType):
        for cell in value.__closure__ or ():
            yield from _cell(cell)
        yield from ((default, ".__defaults__") for default in value.__defaults__ or ())
        yield from (
            (default, ".__kwdefaults__") for default in (value.__kwdefaults__ or {}).values()
        )
        yield value.__dict__, ".__dict__"
        return
    if isinstance(value, types.CellType):
        yield from _cell(value)
        return
    if isinstance(value, types.MethodType):
        yield value.__self__, ".__self__"
        yield value.__func__, ".__func__"
        return
    if isinstance(value, types.BuiltinFunctionType | types.MethodWrapperType):
        yield value.__self__, ".__self__"
        return
    yield from ((other, f"<{type(other).__name__}>") for other in gc.get_referents(value))
    if isinstance(value, memoryview):
        yield value.obj, ".obj"
    elif isinstance(value, np.ndarray | np.generic):
        # The other attributes of these make new arrays of the same memory without end.
        yield getattr(value, "base", None), ".base"
    elif type(value).__module__ != "builtins" and not isinstance(value, int):
        for name in dir(value):
            try:
                yield getattr(value, name), f".{name}"
            except Exception:  # what raises shows nothing
                continue


def _cell(cell: Any) -> Iterator[tuple[Any, str]]:
    try:
        yield cell.cell_contents, ".__closure__"
    except ValueError:  # nothing in it yet
        return


def shown_numbers(value: Any) -> set[int]:
    """Numbers that an object is, or that its memory holds as whole words; as 64 bits.

    A collection of cards counts as the set that it makes.
    """
    if isinstance(value, int | np.integer):
        return {int(value) & WORD}
    if isinstance(value, BUFFERS):
        data = value[:] if isinstance(value, mmap.mmap) else bytes(value)
        return set(np.frombuffer(data, "<u8", len(data) // 8).tolist())
    if isinstance(value, list | tuple | set | frozenset):
        cards = {int(card) for card in value if isinstance(card, int) and 0 <= card < 52}
        return {int(CardSet.of(*cards))} if len(cards) == len(value) else set()
    return set()


def lies_in(value: Any) -> tuple[int, int]:
    """First address of an object's memory and the one after its last, both 0 without any."""
    if isinstance(value, bytearray | memoryview | mmap.mmap | np.ndarray) and len(value):
        array = value if isinstance(value, np.ndarray) else np.frombuffer(value, np.uint8)
        last = sum((size - 1) * step for size, step in zip(array.shape, array.strides, strict=True))
        return array.ctypes.data, array.ctypes.data + last + array.itemsize
    return 0, 0
