"""Writing files so that neither a crash nor a full disk leaves half of one."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from hearts_sim.errors import ResultsError


class CannotWrite(ResultsError):
    """A file of a results folder cannot be written; what was written before is kept."""


def spare_name(path: Path) -> Path:
    """Where a file is written before it is renamed."""
    return path.with_name(f".{path.name}.tmp")


def write_files(
    files: Mapping[Path, bytes], *, last: Path | None = None, outdated: tuple[Path, ...] = ()
) -> None:
    """Write files that belong together.

    All of them are written to temporary names and synced before the first one is renamed. So a disk
    that is full leaves what was there before, whole.

    Parameters
    ----------
    files : mapping of path to bytes
    last : path, optional
        The one of them that makes the others count. An old one is deleted before any other is
        renamed, and the new one is renamed when the others are on the disk.
    outdated : tuple of path
        Files that go when the others come.

    Raises
    ------
    CannotWrite
        When one of them cannot be written.
    """
    path = Path()
    spares = {path: spare_name(path) for path in files}
    try:
        for path, data in files.items():
            make_folder(path.parent)
            with open(spares[path], "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for path in (*(() if last is None else (last,)), *outdated):
            path.unlink(missing_ok=True)
        if last is not None:
            sync_folder(last.parent)
        others = [path for path in files if path != last]
        for path in others:
            os.replace(spares[path], path)
        for folder in {path.parent for path in others}:
            sync_folder(folder)
        if last is not None:
            path = last
            os.replace(spares[path], path)
            sync_folder(path.parent)
    except OSError as error:
        for spare in spares.values():
            with contextlib.suppress(OSError):
                spare.unlink()
        raise CannotWrite(
            f"{path}: cannot be written: {error.strerror}; what was written before is kept"
        ) from None


def make_folder(path: Path) -> None:
    """Make a folder and those above it, and sync the folders that they are entered in."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(exist_ok=True)
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Let the names in a folder survive a crash of the machine, where the system can do that."""
    if sys.platform == "win32":
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        # Some file systems of networks know no such thing.
        with contextlib.suppress(OSError):
            os.fsync(opened)
    finally:
        os.close(opened)
