"""Arrays of numbers as one small file, and back to the last bit."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Mapping
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

_SPARSE: Final = 0.25
"""Of an array with fewer numbers than this share that are not 0, only these are stored."""

_EXACT: Final = 2.0**53
"""Whole floats below this are stored as integers."""

Array = np.ndarray[Any, Any]


def pack(notes: Mapping[str, Any], arrays: Mapping[str, Array]) -> bytes:
    """Give arrays as a file of numpy's format ``.npz``, with a check sum.

    Parameters
    ----------
    notes : mapping
        Plain values that go with them.
    arrays : mapping of name to ndarray
        Of booleans, integers and floats.
    """
    layout, pieces = [], []
    for name, array in arrays.items():
        flat, places = array.reshape(-1), None
        filled = np.flatnonzero((flat != 0) | np.signbit(flat) if flat.dtype.kind == "f" else flat)
        if filled.size < _SPARSE * flat.size:
            flat, places = flat[filled], filled
        kinds = []
        for numbers in (flat, places):
            if numbers is not None:
                stored = _smallest(numbers)
                kinds.append((stored.dtype.str, stored.size))
                pieces.append(stored.tobytes())
        layout.append((name, array.dtype.str, array.shape, kinds))
    text = json.dumps({"notes": dict(notes), "layout": layout})
    stream = io.BytesIO()
    # Few members, because each one costs as much time as thousands of numbers.
    np.savez_compressed(
        stream,
        layout=np.frombuffer(text.encode(), np.uint8),
        numbers=np.frombuffer(b"".join(pieces), np.uint8),
    )
    return stream.getvalue()


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, Array]] | None:
    """Notes and arrays of a file of `pack`; None when it is damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as members:
            described = json.loads(members["layout"].tobytes())
            numbers = members["numbers"].tobytes()
        arrays, start = {}, 0
        for name, dtype, shape, kinds in described["layout"]:
            found = []
            for kind, size in kinds:
                found.append(np.frombuffer(numbers, kind, size, start))
                start += found[-1].nbytes
            whole = np.zeros(shape, dtype)
            whole.reshape(-1)[found[1] if len(found) == 2 else ...] = found[0]
            arrays[name] = whole
    except (OSError, ValueError, KeyError, TypeError, EOFError, zlib.error, BadZipFile):
        return None
    return described["notes"], arrays


def _smallest(numbers: Array) -> Array:
    """The same numbers as the smallest integers that hold them, or as they are."""
    if numbers.dtype.kind == "f":
        # The sign of a zero would be lost.
        if not np.all((np.abs(numbers) < _EXACT) & (numbers == np.rint(numbers))):
            return numbers
        if np.any(np.signbit(numbers) & (numbers == 0)):
            return numbers
    elif numbers.dtype.kind not in "iu":
        return numbers
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    if max(-low, high) >= _EXACT:
        return numbers
    return numbers.astype(np.result_type(np.min_scalar_type(low), np.min_scalar_type(high)))
