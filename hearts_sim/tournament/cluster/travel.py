"""The files that a run's strategies need, packed to travel to machines that do not have them.

The archive keeps the paths from the root on, so that whatever is relative stays so. On the other
machine it is unpacked once, into a folder named by its digest, which all processes there share.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import shutil
import stat
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, Final

from hearts_sim.errors import ClusterError
from hearts_sim.tournament.plan.spec import RunSpec

MOST_BYTES: Final = 256 << 20
MOST_FILES: Final = 20_000
_SHOWN: Final = 3
_NOT_SOURCES: Final = frozenset({"__pycache__", "node_modules"})
# Always the same, so that the digest says what is in the files and numba finds what it compiled.
_TIME: Final = 1_000_000_000


@dataclass(frozen=True)
class Baggage:
    """A run and the files that it needs.

    Attributes
    ----------
    spec : RunSpec
        With the paths of the machine that packed it.
    places : mapping of str to str
        For each path of the spec, where it is in the archive.
    digest : str
        Of the archive: 32 hexadecimal digits.
    archive : bytes
        A tar file, compressed with gzip.
    """

    spec: RunSpec
    places: Mapping[str, str]
    digest: str
    archive: bytes


def pack(spec: RunSpec) -> Baggage:
    """Pack what a run needs.

    Of strategies in Python that is their folders, of a library its file, of a command the files and
    folders that it names by relative paths; with a file goes the folder in which it is. What is
    hidden, results, byte code and virtual environments stay at home.

    Raises
    ------
    ClusterError
        When it is too much, or a file cannot be read.
    """
    folders: dict[str, None] = {}
    files: dict[str, None] = {}
    needed: dict[str, None] = {}
    for entry in spec.entries:
        if entry.command:
            needed[entry.folder] = None
            folders |= dict.fromkeys(_named_folders(entry.command, entry.folder))
        elif entry.library:
            files[entry.library] = None
        else:
            folders |= dict.fromkeys(spec.folders)
            needed[entry.file] = None
    found = {_place(path): path for path in files}
    for folder in folders:
        for path in _files_below(folder):
            found[_place(path)] = path
            if len(found) > MOST_FILES:
                raise ClusterError(
                    f"{folder}: more than {MOST_FILES:,} files would travel to the workers: put "
                    "the strategies into a folder of their own"
                )
    _check_size(found.values())
    everything = [*spec.folders, *needed, *folders, *files]
    places = {path: _place(path) for path in everything}
    raw = _tar(found, [_place(path) for path in (*folders, *needed) if os.path.isdir(path)])
    digest = hashlib.sha256(raw).hexdigest()[:32]
    return Baggage(spec, places, digest, gzip.compress(raw, 1, mtime=0))


def _named_folders(command: Iterable[str], base: str) -> Iterator[str]:
    """Folders of what a command names; an absolute path is to be there on every machine."""
    for place, text in enumerate(command):
        if os.path.isabs(os.path.expanduser(text)):
            continue
        path = os.path.abspath(os.path.join(base, text))
        if place > 0 and text and os.path.isdir(path):
            yield path
        elif os.path.isfile(path) and (place > 0 or os.path.dirname(text)):
            yield os.path.dirname(path)


def _place(path: str) -> str:
    """Where a path is in an archive: below the root, or below the letter of its drive."""
    pure = PurePath(os.path.abspath(path))
    return "/".join([*filter(None, [pure.drive.strip(":\\/")]), *pure.parts[1:]])


def _files_below(folder: str) -> Iterator[str]:
    seen = set()
    for where, inner, names in os.walk(folder, followlinks=True):
        inner[:] = [name for name in sorted(inner) if not _stays(where, name)]
        real = os.path.realpath(where)
        if real in seen:
            inner.clear()
            continue
        seen.add(real)
        for name in sorted(names):
            path = os.path.join(where, name)
            hidden = name.startswith(".") or name.endswith(".pyc")
            if not hidden and os.path.isfile(path):
                yield path


def _stays(where: str, name: str) -> bool:
    """Whether a folder stays at home: hidden, a cache, a results folder or an environment."""
    path = os.path.join(where, name)
    return (
        name.startswith(".")
        or name in _NOT_SOURCES
        or any(os.path.exists(os.path.join(path, file)) for file in ("run.json", "pyvenv.cfg"))
    )


def _check_size(paths: Iterable[str]) -> None:
    sizes = {path: _size(path) for path in paths}
    total = sum(sizes.values())
    if total <= MOST_BYTES:
        return
    largest = sorted(sizes, key=lambda path: -sizes[path])[:_SHOWN]
    listed = ", ".join(f"{path} ({sizes[path] / 1e6:,.1f} MB)" for path in largest)
    raise ClusterError(
        f"the strategies' folders hold {total / 1e6:,.0f} MB, and at most "
        f"{MOST_BYTES / 1e6:,.0f} MB travel to the workers; the largest files are {listed}: move "
        "away what bots do not read, or keep it on every worker"
    )


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: str, error: OSError) -> ClusterError:
    return ClusterError(f"{path}: cannot be read, and so not travel: {error.strerror}")


def _tar(files: Mapping[str, str], folders: Iterable[str]) -> bytes:
    """A tar file that is the same whenever its contents are."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for place in sorted(set(folders)):
            item = tarfile.TarInfo(place)
            item.type, item.mode, item.mtime = tarfile.DIRTYPE, 0o755, _TIME
            tar.addfile(item)
        for place, path in sorted(files.items()):
            try:
                data = Path(path).read_bytes()
                runs = os.stat(path).st_mode & stat.S_IXUSR
            except OSError as error:
                raise _unreadable(path, error) from None
            item = tarfile.TarInfo(place)
            item.size, item.mode, item.mtime = len(data), 0o755 if runs else 0o644, _TIME
            tar.addfile(item, io.BytesIO(data))
    return made.getvalue()


class Lodging:
    """Where baggage is unpacked on this machine, as long as this process needs it.

    Parameters
    ----------
    baggage : Baggage

    Attributes
    ----------
    folder : Path
    spec : RunSpec
        With the paths of this machine.

    Raises
    ------
    ClusterError
        When what arrived is not what was sent.
    OSError
        When it cannot be written here.
    """

    def __init__(self, baggage: Baggage) -> None:
        above = _above()
        _tidy(above)
        self.folder = above / baggage.digest
        self._lock = _Lock(self.folder.with_suffix(".lock"))
        if not self.folder.exists():
            try:
                _unpack(baggage, self.folder)
            except BaseException:
                self.leave()
                raise
        self._homes = sorted(
            ((str(self.folder / place), path) for path, place in baggage.places.items()),
            key=lambda pair: -len(pair[0]),
        )
        here = {path: local for local, path in self._homes}
        spec = baggage.spec
        self.spec = replace(
            spec,
            folders=tuple(here.get(folder, folder) for folder in spec.folders),
            entries=tuple(
                replace(
                    entry,
                    file=here.get(entry.file, entry.file),
                    folder=here.get(entry.folder, entry.folder),
                    library=here.get(entry.library, entry.library),
                )
                for entry in spec.entries
            ),
        )

    def as_at_home(self, text: str) -> str:
        """A text with the paths that the files have on the machine from which they came."""
        for local, path in self._homes:
            text = text.replace(local, path)
        return text.replace(str(self.folder), "")

    def leave(self) -> None:
        """Delete the folder, unless another process needs it."""
        self._lock.release(self.folder)


def _above() -> Path:
    """The folder for all that arrives here; nobody else may write to it."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    above = Path(tempfile.gettempdir()).resolve() / f"hearts-sim-{user}" / "travel"
    above.mkdir(mode=0o700, parents=True, exist_ok=True)
    if hasattr(os, "getuid"):
        for folder in (above.parent, above):
            found = os.lstat(folder)
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
                raise ClusterError(f"{folder}: belongs to somebody else: delete it, or set TMPDIR")
            os.chmod(folder, 0o700)
    return above


def _unpack(baggage: Baggage, folder: Path) -> None:
    """Make the folder, whole or not at all."""
    raw = gzip.decompress(baggage.archive)
    if hashlib.sha256(raw).hexdigest()[:32] != baggage.digest:
        raise ClusterError("the strategies' archive was damaged on its way: start the run again")
    spare = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
            tar.extractall(spare, filter="data")
        os.chmod(spare, 0o700)
        os.rename(spare, folder)
    except OSError:
        if not folder.exists():  # otherwise another process was quicker
            raise
    finally:
        shutil.rmtree(spare, ignore_errors=True)


def _tidy(above: Path) -> None:
    """Delete what processes have left that were killed."""
    for path in above.glob("*.lock"):
        with contextlib.suppress(OSError):
            _Lock(path).release(path.with_suffix(""))
    for path in above.glob(".*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > 3600:
                shutil.rmtree(path, ignore_errors=True)


class _Lock:
    """Says that somebody needs a folder; the system takes it back from who is killed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: Any = None
        if sys.platform == "win32":
            return
        import fcntl

        while True:
            self._file = open(path, "ab")  # noqa: SIM115
            fcntl.flock(self._file, fcntl.LOCK_SH)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.stat(path), os.fstat(self._file.fileno())):
                    return
            self._file.close()  # who was the last here has deleted it meanwhile

    def release(self, folder: Path) -> None:
        """Need the folder no more, and delete it if nobody does."""
        if self._file is None:
            return
        import fcntl

        with self._file, contextlib.suppress(OSError):
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            self._path.unlink()
        self._file = None
