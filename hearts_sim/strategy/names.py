"""Names of strategies in a folder, read from the files without importing them."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Named:
    """A class that looks like a strategy: its name, where it stands, and what it says of itself."""

    name: str
    file: str
    line: int
    summary: str


def class_names(folders: Iterable[str | os.PathLike[str]]) -> dict[str, Named]:
    """Classes in the files of some folders that look like strategies, by name.

    What counts is the text: a class without ``_`` in front that has `choose_card` or is built on
    what is called a strategy. Only an import could tell for certain, and that runs the file. Files
    that cannot be read or parsed have none.
    """
    found: dict[str, Named] = {}
    for folder in folders:
        for path in sorted(Path(folder).glob("*.py")):
            if path.name.startswith("_"):
                continue
            try:
                tree = ast.parse(path.read_bytes())
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and _looks_so(node, found):
                    text = (ast.get_docstring(node) or "").split("\n")[0]
                    found.setdefault(node.name, Named(node.name, str(path), node.lineno, text))
    return found


def _looks_so(node: ast.ClassDef, others: dict[str, Named]) -> bool:
    if node.name.startswith("_"):
        return False
    methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    bases = [ast.unparse(base).rsplit(".", 1)[-1] for base in node.bases]
    return bool(bases) and (
        "choose_card" in methods
        or any(base.endswith("Strategy") or base in others for base in bases)
    )
