"""The results folder of a sweep: a run for each duel in a folder of its own, and ``sweep.json``.

``sweep.json`` says which sweep it is and what came of the duels; it is written before the first and
after each. The runs are the truth about what has been played, and each keeps itself.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hearts_sim.errors import ResultsError
from hearts_sim.tournament.log.durable import write_files
from hearts_sim.tournament.log.folder import (
    CONFIG_FILE,
    LOCK_FILE,
    SWEEP_FILE,
    DamagedRun,
    RunFolder,
)

SWEEP_VERSION: Final = 1
REPORT_FILES: Final = ("sweep.csv", "sweep.md", "sweep.png", "sweep.svg")


class SweepFolder:
    """Paths and files of one sweep."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def exists(self) -> bool:
        """Whether there is a sweep."""
        return (self.path / SWEEP_FILE).exists()

    def info(self) -> dict[str, Any]:
        """What ``sweep.json`` says.

        Raises
        ------
        ResultsError
            When there is no sweep, it cannot be read, or another version wrote it.
        """
        path = self.path / SWEEP_FILE
        try:
            info = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ResultsError(f"{self.path} holds no sweep: expected {SWEEP_FILE} in it") from None
        except OSError as error:
            raise ResultsError(f"{path}: cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise DamagedRun(f"{path} is damaged: {error}") from None
        if not isinstance(info, dict) or not {"fingerprint", "status", "duels"} <= set(info):
            raise DamagedRun(f"{path} is damaged: it does not say which sweep it is of")
        if info.get("sweep_version") != SWEEP_VERSION:
            raise ResultsError(
                f"{path}: has layout {info.get('sweep_version')}, this hearts-sim reads "
                f"{SWEEP_VERSION}: use the version that wrote it"
            )
        return info

    def look(self, fingerprint: str, identity: Mapping[str, Any], *, resume: bool) -> bool:
        """See what is in the folder, and whether a sweep of this identity may play in it.

        Returns
        -------
        bool
            Whether the sweep is there and finished.

        Raises
        ------
        ResultsError
            When another sweep is there, or something else, or this one that was broken off and is
            not to be resumed.
        """
        if not self.exists():
            self._refuse_others(resume)
            return False
        try:
            info = self.info()
        except DamagedRun as error:
            if resume:  # the duels tell themselves whether they are of this sweep
                return False
            raise DamagedRun(
                f"{error}: --resume writes it again from the duels that are there"
            ) from None
        if info["fingerprint"] != fingerprint:
            old = info.get("identity", {})
            unlike = [key for key in identity if old.get(key) != identity[key]]
            raise ResultsError(
                f"{self.path} holds another sweep (not the same {', '.join(unlike) or 'versions'}):"
                " give another folder with -o, or --force to delete that sweep and play this one"
            )
        if info["status"] == "finished":
            return True
        if not resume:
            raise ResultsError(
                f"{self.path} holds this sweep, and it did not finish: --resume goes on with it, "
                "--force deletes it"
            )
        return False

    def _refuse_others(self, resume: bool) -> None:
        """Refuse what is no sweep."""
        if RunFolder(self.path).exists():
            raise ResultsError(f"{self.path} holds a run and no sweep: give another folder with -o")
        if not resume and any(path.name != LOCK_FILE for path in self.path.iterdir()):
            raise ResultsError(
                f"{self.path} is not empty and holds no sweep: give another folder with -o, or "
                "--force to write into it"
            )

    def write(self, files: Mapping[str, bytes]) -> None:
        """Write files, each whole or not at all.

        Raises
        ------
        CannotWrite
            When one cannot be written; what was there before stays.
        """
        write_files({self.path / name: data for name, data in files.items()})

    def write_info(self, info: Mapping[str, Any]) -> None:
        """Write ``sweep.json`` whole or not at all."""
        data = json.dumps({"sweep_version": SWEEP_VERSION, **info}, indent=2) + "\n"
        self.write({SWEEP_FILE: data.encode()})

    def clear(self) -> None:
        """Delete the sweep that is here, as far as it can be read; files of others stay.

        Raises
        ------
        ResultsError
            When a file cannot be deleted, or the folder is that of a run.
        """
        self._refuse_others(resume=True)
        try:
            info = self.info()
        except ResultsError:
            info = {"duels": []}
        # Only what the sweep itself names: somebody may have named a folder of many runs.
        names = [str(row["folder"]) for row in info["duels"]] + [str(info.get("playing") or "")]
        try:
            own = (CONFIG_FILE,) if self.exists() else ()
            for name in (*own, SWEEP_FILE, *REPORT_FILES):
                (self.path / name).unlink(missing_ok=True)
        except OSError as error:
            raise ResultsError(f"{self.path}: cannot be cleared: {error.strerror}") from None
        for name in filter(None, names):
            run = RunFolder(self.path / name)
            if Path(name).name == name and run.exists():
                with run.locked():
                    run.clear()
                with contextlib.suppress(OSError):
                    (run.path / LOCK_FILE).unlink()
                with contextlib.suppress(OSError):  # others' files in it
                    run.path.rmdir()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other sweeps and runs out of the folder.

        Raises
        ------
        ResultsError
            When another one is writing to it, or it cannot be made.
        """
        with RunFolder(self.path).locked():
            yield
