"""Shared by the tests of bots in processes of their own: whatever they start must be gone."""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

# `talking` is found by name.
sys.path.append(str(Path(__file__).parent))

_VARIABLE = "HEARTS_SIM_TEST"


def _processes_with(mark: str) -> list[int]:
    """Processes with a variable in the environment that they were started with."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in environment.split(b"\0"):
            found.append(int(folder.name))
    return found


@pytest.fixture(autouse=True)
def nothing_stays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every process that the test starts, and all that they start, is gone after it."""
    if sys.platform != "linux":
        yield
        return
    mark = uuid.uuid4().hex
    monkeypatch.setenv(_VARIABLE, mark)
    yield
    until = time.monotonic() + 5
    while (left := _processes_with(f"{_VARIABLE}={mark}")) and time.monotonic() < until:
        time.sleep(0.01)
    assert not left, f"processes {left} are left"
