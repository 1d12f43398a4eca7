"""Whether what lies in a results folder is what was written there."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hearts_sim.errors import ResultsError

if TYPE_CHECKING:
    from hearts_sim.tournament.log.folder import RunFolder
    from hearts_sim.tournament.plan.schedule import Part


def digest_of(data: bytes) -> str:
    """Digest of a file: 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(data).hexdigest()[:16]


def sealed(notes: Mapping[str, Any]) -> str:
    """Notes of a part as the text that is written, with a digest over them."""
    text = json.dumps(notes)
    return json.dumps({**notes, "check": digest_of(text.encode())}) + "\n"


def unsealed(path: Path) -> dict[str, Any]:
    """The notes in a file.

    Raises
    ------
    ResultsError
        When they are not what was written, in words that follow the name of the file.
    """
    try:
        notes = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultsError(f"cannot be read ({error.strerror})") from None
    except ValueError:
        raise ResultsError("is no JSON") from None
    if not isinstance(notes, dict) or "files" not in notes or "part" not in notes:
        raise ResultsError("does not say what the files of its part are")
    check = notes.pop("check", None)
    if check != digest_of(json.dumps(notes).encode()):
        raise ResultsError("was changed")
    return notes


@dataclass
class Found:
    """What is in a folder of the parts of a run.

    Attributes
    ----------
    kept : dict of number to notes
        Parts that are played, and whole.
    damaged : dict of number to text
        Parts that were played but are not whole: what is wrong with them.
    stray : list of path
        Notes of parts that the run does not have: they belong to another run, or to nobody.
    blocks : int
        So many blocks, counted from the first, reach to the end of the last part that is whole.
    """

    kept: dict[int, dict[str, Any]] = field(default_factory=dict)
    damaged: dict[int, str] = field(default_factory=dict)
    stray: list[Path] = field(default_factory=list)
    blocks: int = 0


def examine(
    folder: RunFolder, parts: Sequence[Part], fingerprint: str, *, thorough: bool = True
) -> Found:
    """See which parts of a run are played and whole.

    The last part of a smaller run, which is shorter than that of this one, is neither kept nor
    damaged: it stays until the longer one is written.

    Parameters
    ----------
    parts : sequence of Part
        All parts of the run, by number.
    fingerprint : str
        Of the run.
    thorough : bool
        Read every file and compare its digest; otherwise look only at its size.
    """
    found = Found()
    for path, number in folder.notes_files():
        try:
            notes = unsealed(path)
            if notes["part"] != number:
                raise ResultsError(f"is that of part {notes['part']}")
            if notes["run"] != fingerprint:
                raise ResultsError("is of another run")
            _check_files(folder, number, notes["files"], thorough)
        except ResultsError as error:
            if number < len(parts):
                text = str(error)
                name = "" if "/" in text else f"timing/{path.name} "
                found.damaged[number] = f"{name}{text}"
            else:
                found.stray.append(path)
            continue
        found.blocks = max(found.blocks, notes["blocks"][1])
        if number < len(parts):
            blocks = parts[number].blocks
            if notes["blocks"] == [blocks.start, blocks.stop]:
                found.kept[number] = notes
    return found


def _check_files(
    folder: RunFolder, number: int, files: Mapping[str, Mapping[str, Any]], thorough: bool
) -> None:
    """Compare the tables of a part with what its notes say of them."""
    for table, wanted in files.items():
        path = folder.part_path(table, number)
        name = f"{table}/{path.name}"
        try:
            size = os.stat(path).st_size
            if size != wanted["bytes"]:
                raise ResultsError(f"{name} has {size:,} bytes, not {wanted['bytes']:,}")
            if thorough and digest_of(path.read_bytes()) != wanted["sha256"]:
                raise ResultsError(f"{name} was changed")
        except FileNotFoundError:
            raise ResultsError(f"{name} is missing") from None
        except OSError as error:
            raise ResultsError(f"{name} cannot be read ({error.strerror})") from None
