"""Does what ``docs/tutorial.md`` says, and compares.

python tests/tutorial.py [--write]

The page's blocks are files (``python NAME``, ``yaml NAME``: below the folder of the tutorial),
commands (``sh``, or ``sh in FOLDER``) and what a command before them prints (``text``). In these a
line of three dots stands for any lines, and times are not compared. ``--write`` puts what is
printed into the page instead, keeping what stands for any lines.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
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


def main() -> None:
    """Run the page in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put what is printed into the page")
    write = parser.parse_args().write
    page = PAGE.read_text()
    changes: list[tuple[Block, str]] = []
    wrong = []
    with tempfile.TemporaryDirectory() as made:
        top, command, printed = Path(made), "", ""
        for block in blocks(page):
            kind, *rest = block.kind.split()
            if kind == "sh":
                folder = top / rest[-1] if rest else top
                command = block.text.strip()
                print("$", command, flush=True)
                printed = printed_by(command, folder)
            elif kind == "text":
                if write and block.text.strip() != "...":
                    changes.append((block, shown(printed)))
                elif not fits(block.text, printed):
                    wrong.append(f"{command} prints otherwise than the page says:\n{printed}")
            elif rest:
                (top / FOLDER / rest[0]).write_text(block.text)
    for block, text in reversed(changes):
        page = page[: block.start] + text + page[block.stop :]
    if write:
        PAGE.write_text(page)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
