"""The results folder: what lies where, and who may write to it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hearts_sim.errors import ResultsError
from hearts_sim.tournament.log.columns import SCHEMA_VERSION, TABLES
from hearts_sim.tournament.log.durable import make_folder, spare_name, sync_folder, write_files
from hearts_sim.tournament.log.verify import digest_of, sealed

RUN_FILE: Final = "run.json"
SWEEP_FILE: Final = "sweep.json"
CONFIG_FILE: Final = "config.yaml"
LOCK_FILE: Final = ".lock"
_OWN_FILES: Final = (
    RUN_FILE,
    CONFIG_FILE,
    "ratings.csv",
    "summary.csv",
    "pairwise.csv",
    "differences.csv",
    "faults.csv",
    "summary.json",
    "report.md",
    "report.html",
    *(f"charts/{kind}.{end}" for kind in ("ratings", "points", "places") for end in ("png", "svg")),
)
AUDIT_TABLES: Final = ("audit/hands", "audit/plays")
"""What was chosen in the blocks that an audit plays again."""

PART_FILES: Final = (*TABLES, "counts", *AUDIT_TABLES)
"""Folders in which a part may have a file."""

_OWN_FOLDERS: Final = (*PART_FILES, "audit", "timing", "charts")
_NOTES: Final = re.compile(r"part-(\d{5,})\.json")


class DamagedRun(ResultsError):
    """The ``run.json`` of a folder is not what was written there."""


class RunFolder:
    """Paths and files of one run.

    A part is one file in each of ``hands/``, ``games/``, ``plays/`` and ``faults/`` of which it has
    rows, and one in ``timing/`` which is written last: with it the part is played. What the report
    needs of a part is counted in ``counts/``; that can be had again from the log.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def exists(self) -> bool:
        """Whether there is a run."""
        return (self.path / RUN_FILE).exists()

    def info(self) -> dict[str, Any]:
        """What ``run.json`` says.

        Raises
        ------
        ResultsError
            When there is no run, it cannot be read, or another version wrote it.
        """
        path = self.path / RUN_FILE
        try:
            info = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            if (self.path / SWEEP_FILE).exists():
                raise ResultsError(
                    f"{self.path} holds a sweep, whose duels are runs: give the folder of one of "
                    "them below it"
                ) from None
            raise ResultsError(
                f"{self.path} holds no run: expected {RUN_FILE} in it (give the folder that "
                "'hearts-sim run' named)"
            ) from None
        except NotADirectoryError:
            raise ResultsError(f"{self.path} is a file: give the folder of a run") from None
        except OSError as error:
            raise ResultsError(f"{path}: cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise DamagedRun(f"{path} is damaged: {error}") from None
        if not isinstance(info, dict) or info.get("schema_version") != SCHEMA_VERSION:
            version = info.get("schema_version") if isinstance(info, dict) else None
            raise ResultsError(
                f"{path}: has layout {version}, this hearts-sim reads {SCHEMA_VERSION}: use the "
                "version that wrote it"
            )
        missing = [key for key in ("name", "status", "identity", "config") if key not in info]
        if missing:
            raise DamagedRun(f"{path} is damaged: it has no {missing[0]}")
        return info

    def write_info(self, info: Mapping[str, Any]) -> None:
        """Write ``run.json`` whole or not at all."""
        self.write(RUN_FILE, (json.dumps(info, indent=2) + "\n").encode())

    def write(self, name: str, data: bytes) -> Path:
        """Write a file: to a temporary name, synced, renamed.

        Raises
        ------
        CannotWrite
            When it cannot be written; what was there before stays.
        """
        path = self.path / name
        write_files({path: data})
        return path

    def part_path(self, table: str, number: int) -> Path:
        """File of a part in a table, or of what is counted of it."""
        return self.path / table / f"part-{number:05d}.{'npz' if table == 'counts' else 'parquet'}"

    def read_counts(self, number: int) -> bytes | None:
        """The file of what is counted of a part; None when it cannot be read."""
        try:
            return self.part_path("counts", number).read_bytes()
        except OSError:
            return None

    def read_part(
        self,
        table: str,
        number: int,
        columns: Sequence[str] | None = None,
        filters: Sequence[tuple[str, str, Any]] | None = None,
    ) -> Any:
        """One part of a table as an Arrow table; `columns` and `filters` as in pyarrow.

        Raises
        ------
        ResultsError
            When the file is missing or damaged.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.part_path(table, number)
        try:
            return pq.read_table(
                path,
                columns=list(columns) if columns else None,
                filters=list(filters) if filters else None,
            )
        except (OSError, pa.ArrowException) as error:
            raise ResultsError(f"{path} is missing or damaged: {error}") from None

    def notes_path(self, number: int) -> Path:
        """File of the notes on a part."""
        return self.path / "timing" / f"part-{number:05d}.json"

    def notes_files(self) -> list[tuple[Path, int]]:
        """Files of notes that are there, each with the number in its name."""
        named = [
            (path, _NOTES.fullmatch(path.name)) for path in (self.path / "timing").glob("part-*")
        ]
        return sorted(((path, int(name[1])) for path, name in named if name), key=lambda it: it[1])

    def write_part(self, number: int, files: Mapping[str, bytes], notes: Mapping[str, Any]) -> None:
        """Write a played part, in place of the one that may be there.

        Parameters
        ----------
        files : mapping of table to bytes
        notes : mapping
            Digest, counts and times. They come last and make the part count; size and digest of
            each file are put into them.

        Raises
        ------
        CannotWrite
            When it cannot be written; a part that was there before stays.
        """
        sizes = {
            table: {"bytes": len(data), "sha256": digest_of(data)} for table, data in files.items()
        }
        text = sealed({"part": number, **notes, "files": sizes})
        path = self.notes_path(number)
        write_files(
            {self.part_path(table, number): data for table, data in files.items()}
            | {path: text.encode()},
            last=path,
            outdated=tuple(
                self.part_path(table, number) for table in PART_FILES if table not in files
            ),
        )

    def drop_part(self, number: int) -> None:
        """Delete a part: its notes first, so that at no time half a part counts."""
        paths = [self.notes_path(number), *(self.part_path(table, number) for table in PART_FILES)]
        for path in paths:
            with _said_plainly(path), contextlib.suppress(FileNotFoundError):
                path.unlink()
                sync_folder(path.parent)

    def parts(self) -> dict[int, dict[str, Any]]:
        """Notes of the parts that are played, by number."""
        return dict(self._notes(path) for path, _ in self.notes_files())

    def notes(self, number: int) -> dict[str, Any]:
        """Notes of a part that is played."""
        return self._notes(self.notes_path(number))[1]

    def _notes(self, path: Path) -> tuple[int, dict[str, Any]]:
        try:
            notes = json.loads(path.read_text(encoding="utf-8"))
            return int(notes["part"]), notes
        except (OSError, ValueError, KeyError, TypeError):
            raise ResultsError(
                f"{path} is damaged: the command that played the run plays that part again with "
                "--resume"
            ) from None

    def digest(self) -> str:
        """Digest over the rows of all played parts; equal for equal runs."""
        digest = hashlib.sha256()
        for number, notes in sorted(self.parts().items()):
            digest.update(f"{number} {notes['digest']}\n".encode())
        return digest.hexdigest()[:32]

    def clear(self) -> None:
        """Delete the run that is here; files of others stay."""
        self.sweep()
        paths = [self.path / name for name in _OWN_FILES]  # run.json first: half a run is none
        for name in _OWN_FOLDERS:
            paths += (self.path / name).glob("part-*")
        for path in paths:
            with _said_plainly(path), contextlib.suppress(FileNotFoundError, NotADirectoryError):
                path.unlink()
                if path.name == RUN_FILE:
                    sync_folder(path.parent)
        for name in _OWN_FOLDERS:
            with contextlib.suppress(OSError):  # not there, or others' files in it
                (self.path / name).rmdir()

    def sweep(self) -> None:
        """Delete temporary files that a run left when it was killed."""
        spares = [spare_name(self.path / name) for name in _OWN_FILES]
        for name in _OWN_FOLDERS:
            spares += (self.path / name).glob(".part-*.tmp")
        for path in spares:
            with contextlib.suppress(OSError):
                path.unlink()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder.

        Raises
        ------
        ResultsError
            When another run is writing to it, or it cannot be made.
        """
        try:
            make_folder(self.path)
            file = open(self.path / LOCK_FILE, "a+b")  # noqa: SIM115
        except OSError as error:
            raise ResultsError(
                f"{self.path}: cannot be written: {error.strerror}; give another folder with -o"
            ) from None
        with file:
            try:
                free = _try_lock(file)
            except OSError as error:
                raise ResultsError(
                    f"{self.path}: cannot be locked: {error.strerror}; give a folder on another "
                    "file system with -o"
                ) from None
            if not free:
                raise ResultsError(
                    f"{self.path}: another hearts-sim is writing to it: wait, or give another "
                    "folder with -o"
                )
            yield


@contextlib.contextmanager
def _said_plainly(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ResultsError(f"{path}: cannot be deleted: {error.strerror}") from None


def _try_lock(file: Any) -> bool:
    """Lock an open file for as long as it is open; False when another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        raise
    return True
