"""Does what the pages ``docs/tutorial.md`` and ``docs/library.md`` say, and compares.

python tests/pages.py [--write]

A page's blocks are files (``python NAME``, ``yaml NAME``: below the folder that the tutorial
makes), commands (``sh``, or ``sh in FOLDER``), Python that is run in that folder (``python run``,
one namespace for the page) and what the block before them prints (``text``). In these a line of
three dots stands for any lines, and times are not compared. ``--write`` puts what is printed into
the page instead, keeping what stands for any lines. The second page goes on in the folder of the
first.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
PAGES = (DOCS / "tutorial.md", DOCS / "library.md")
FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
FOLDER = "hearts"

LONG = 40
"""What prints more lines is cut in the page."""


@dataclass(frozen=True)
class Block:
    """A fenced block of the page: its first line, its text, and where the text stands."""

    kind: str
    text: str
    start: int
    stop: int


def blocks(page: str) -> Iterator[Block]:
    """The page's blocks, in order."""
    for match in FENCE.finditer(page):
        yield Block(match[1], match[2], *match.span(2))


def printed_by(command: str, folder: Path) -> str:
    """What a command prints, and what it says, without times."""
    words = shlex.split(command)
    assert words[0] == "hearts-sim", command
    done = subprocess.run(
        [sys.executable, "-m", "hearts_sim.cli", *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100"},
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return without_times(done.stdout + done.stderr)


def without_times(text: str) -> str:
    """Take out what is another time each time: the column of times, progress, bare folders."""
    lines = []
    column = None
    for line in text.splitlines():
        if line.endswith("µs/card"):
            column = len(line) - len("µs/card")
        elif not line.strip():
            column = None
        if re.match(r"[\d,]+ of [\d,]+ games|compiling|\d+ games", line):
            continue
        lines.append((line if column is None else line[:column]).rstrip())
    return "\n".join(lines) + "\n"


def fits(wanted: str, printed: str) -> bool:
    """Whether a text has these lines, where a line of three dots stands for any."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", wanted, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), printed) is not None


def shown(printed: str) -> str:
    """What goes into the page."""
    lines = printed.splitlines(keepends=True)
    return printed if len(lines) <= LONG else "".join([*lines[:LONG], "...\n"])


def printed_in(code: str, names: dict[str, Any], folder: Path) -> str:
    """What Python prints that is run in a folder."""
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        exec(compile(code, "<page>", "exec"), names)
    return out.getvalue()


def follow(page: Path, top: Path, write: bool) -> list[str]:
    """Do what a page says; what it says wrongly."""
    text = page.read_text()
    changes: list[tuple[Block, str]] = []
    wrong = []
    what = printed = ""
    names: dict[str, Any] = {}
    for block in blocks(text):
        kind, *rest = block.kind.split() or [""]
        if kind == "sh":
            what = block.text.strip()
            print("$", what, flush=True)
            printed = printed_by(what, top / rest[-1] if rest else top)
        elif kind == "python" and rest == ["run"]:
            what = block.text.strip().splitlines()[-1]
            print(">", what, flush=True)
            printed = printed_in(block.text, names, top / FOLDER)
        elif kind == "text":
            if fits(block.text, printed):
                continue
            changes.append((block, shown(printed)))
            if not write:
                wrong.append(f"{page.name}: {what} prints otherwise than it says:\n{printed}")
        elif rest:
            (top / FOLDER / rest[0]).write_text(block.text)
    for block, now in reversed(changes):
        text = text[: block.start] + now + text[block.stop :]
    if write:
        page.write_text(text)
    return wrong


def main() -> None:
    """Follow the pages in a folder of their own."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put what is printed into the pages")
    write = parser.parse_args().write
    with tempfile.TemporaryDirectory() as made:
        wrong = [said for page in PAGES for said in follow(page, Path(made), write)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
