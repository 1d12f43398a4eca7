"""Tables in pages that a script makes row by row: new rows take the place of the old ones."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class PageTable:
    """A table between two marks of a page; the first cell of a line is its key.

    Attributes
    ----------
    page : str
        Below the root of the repository.
    script : str
        What makes it, below the root.
    head : str
        Its first two lines.
    """

    page: str
    script: str
    head: str

    def put(self, lines: Mapping[str, str], order: list[str]) -> None:
        """Put in the lines of some keys; those of other keys in `order` stay, the rest goes."""
        path = ROOT / self.page
        begin, end = f"<!-- the table: {self.script} -->\n", "<!-- end of the table -->\n"
        text = path.read_text(encoding="utf-8")
        before, rest = text.split(begin)
        table, after = rest.split(end)
        found: dict[str, str] = {}
        for line in table.splitlines(keepends=True):
            if line.startswith("| ") and line not in self.head:
                key = line.split("|")[1].strip()
                found[key] = found.get(key, "") + line
        found |= lines
        rows = "".join(found[key] for key in order if key in found)
        date = datetime.date.today().isoformat()
        made = f"\nMade on {date} by `python {self.script}`.\n"
        path.write_text(before + begin + self.head + rows + made + end + after, encoding="utf-8")
