"""What a player process and its parent write to each other."""

from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO, Final

_LENGTH: Final = struct.Struct("<Q")
MOST_BYTES: Final = 1 << 36
"""A longer message is none: something else wrote to the pipe."""

DONE, RAISED, SPOILT = "done", "raised", "spoilt"


def write_message(stream: BinaryIO, message: Any) -> None:
    """Write a message to the other side.

    Raises
    ------
    OSError
        When the other side is gone.
    """
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_message(stream: BinaryIO) -> Any:
    """Read a message of the other side.

    Raises
    ------
    EOFError
        When the other side is gone, or what came is no message.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    if length > MOST_BYTES:
        raise EOFError("no message")
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def too_slow(seconds: float | None, whole_game: bool) -> str:
    """What is said of a bot whose time is over."""
    if whole_game:
        return f"it thought for longer than {seconds:g} s in this game (game_seconds)"
    return f"it thought for longer than {seconds:g} s (decision_seconds)"
