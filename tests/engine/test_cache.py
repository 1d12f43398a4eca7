"""Where compiled code is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from numba import njit
from numba.core.errors import TypingError

from hearts_sim.engine import _jit, building, code_cache


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "cache_root", _jit.cache_root.__wrapped__)


def test_below_the_folder_that_numba_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NUMBA_CACHE_DIR is honoured, with a folder of our own below it."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert _jit.cache_root() == tmp_path / "hearts-sim" / "compiled"


def test_a_place_that_cannot_be_written_falls_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The temporary folder stands in, and one line on stderr says where and why."""
    occupied = tmp_path / "file"
    occupied.touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(occupied))
    monkeypatch.setattr(code_cache.tempfile, "gettempdir", lambda: str(tmp_path / "spare"))
    root = _jit.cache_root()
    assert root.is_dir()
    assert root.is_relative_to(tmp_path / "spare")
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(root) in said


def test_folders_in_use_are_never_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many bots are compiled, the engine's own folder and the newest ones stay."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with _jit.cache_folder() as engine:
        pass
    for number in range(60):
        with _jit.cache_folder(f"bot{number}") as newest:
            pass
    assert engine.is_dir()
    assert newest.is_dir()
    assert len(list(engine.parent.iterdir())) == 41


def test_who_waits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """When numba's compiler begins and when it is done, also where compiling fails."""
    told: list[bool] = []
    monkeypatch.setattr(building, "_told", [])
    building.tell(told.append)

    @njit
    def twice(number: int) -> int:
        return 2 * number

    @njit
    def fails(number: int) -> int:
        return twice(number) + "a"

    assert twice(4) == 8
    assert told == [True, False]
    assert twice(5) == 10
    assert told == [True, False]
    with pytest.raises(TypingError):
        fails(1)
    assert told[2::2] == [True] * (len(told) // 2 - 1)
    assert told[3::2] == [False] * (len(told) // 2 - 1)
    assert len(told) >= 4
