"""Arrays of numbers as one small file, and back to the last bit."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

_SPARSE: Final = 0.25
"""Of an array with fewer numbers than this share that are not 0, only these are stored."""

_WORTH_A_LOOK: Final = 64
"""Smaller arrays are stored whole."""

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
    held = []
    for name, array in arrays.items():
        flat = array.reshape(-1)
        found = [flat]
        if flat.size >= _WORTH_A_LOOK:
            filled = np.flatnonzero(
                (flat != 0) | np.signbit(flat) if flat.dtype.kind == "f" else flat
            )
            if filled.size < _SPARSE * flat.size:
                found = [flat[filled], filled]
        held.append((name, array, found))
    kinds = _smallest_kinds([numbers for _, _, found in held for numbers in found])
    for name, array, found in held:
        described = []
        for numbers in found:
            stored = numbers.astype(next(kinds), copy=False)
            described.append((stored.dtype.str, stored.size))
            pieces.append(stored.tobytes())
        layout.append((name, array.dtype.str, array.shape, described))
    text = json.dumps({"notes": dict(notes), "layout": layout})
    stream = io.BytesIO()
    # Few members, because each one costs as much time as thousands of numbers.
    np.savez_compressed(
        stream,
        layout=np.frombuffer(text.encode(), np.uint8),
        numbers=np.frombuffer(b"".join(pieces), np.uint8),
    )
    return stream.getvalue()


def unpack(
    data: bytes, names: Collection[str] | None = None
) -> tuple[dict[str, Any], dict[str, Array]] | None:
    """Notes and arrays of a file of `pack`; None when it is damaged.

    Parameters
    ----------
    data : bytes
    names : collection of str, optional
        Only these arrays.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as members:
            described = json.loads(members["layout"].tobytes())
            numbers = members["numbers"].tobytes()
        arrays, start = {}, 0
        for name, dtype, shape, kinds in described["layout"]:
            if names is not None and name not in names:
                start += sum(size * np.dtype(kind).itemsize for kind, size in kinds)
                continue
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


def _smallest_kinds(arrays: Sequence[Array]) -> Iterator[np.dtype[Any]]:
    """For each of these flat arrays the smallest integers that hold its numbers, or its own type.

    They are looked at together, type by type: there are a hundred, and most of them small.
    """
    kinds = [array.dtype for array in arrays]
    for kind in set(kinds):
        if kind.kind not in "fiu":
            continue
        places = [at for at, array in enumerate(arrays) if array.dtype == kind and array.size]
        if not places:
            continue
        numbers = np.concatenate([arrays[at] for at in places])
        sizes = [arrays[at].size for at in places]
        starts = np.cumsum([0, *sizes[:-1]])
        whole = np.ones(len(places), np.bool_)
        if kind.kind == "f":
            fits = (np.abs(numbers) < _EXACT) & (numbers == np.rint(numbers))
            fits &= ~(np.signbit(numbers) & (numbers == 0))  # the sign of a zero would be lost
            whole = np.logical_and.reduceat(fits, starts)
        low, high = (by.reduceat(numbers, starts) for by in (np.minimum, np.maximum))
        for at, fit, least, most in zip(places, whole.tolist(), low, high, strict=True):
            if fit and least > -_EXACT and most < _EXACT:
                kinds[at] = np.result_type(
                    np.min_scalar_type(min(int(least), 0)), np.min_scalar_type(max(int(most), 0))
                )
    return iter(kinds)
