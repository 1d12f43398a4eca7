"""Where something stands in the source of a bot."""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hearts_sim.engine.layout import HOOKS

_PACKAGE = str(Path(__file__).resolve().parents[1])
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


class Source:
    """The files of a bot: its own, and those beside and below it.

    Parameters
    ----------
    file : str
        The file of its class; empty when there is none.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._folder = str(Path(file).resolve().parent) + "/" if file else ""

    def owns(self, filename: str) -> bool:
        """Whether a file belongs to the bot."""
        if not self.file or "site-packages" in filename or filename.startswith(_PACKAGE):
            return False
        return filename.startswith(self._folder)

    def shown(self, filename: str) -> str:
        """A file as the user would name it."""
        if self.file and filename == str(Path(self.file).resolve()):
            return self.file
        return str(Path(self.file).parent / filename.removeprefix(self._folder))

    def last_line(self, traceback: str, *, innermost_first: bool = False) -> tuple[str, int]:
        """File and line of the innermost frame of the bot in a traceback; 0 for none."""
        frames = _FRAME.findall(traceback)
        for filename, line in frames if innermost_first else frames[::-1]:
            if self.owns(filename):
                return self.shown(filename), int(line)
        return self.file, 0

    def own_frames(self, traceback: str) -> str:
        """A traceback without the frames that are ours."""
        frames = re.split(r"^(?=  File )", traceback, flags=re.MULTILINE)
        kept = [frame for frame in frames if f'File "{_PACKAGE}' not in frame]
        return "".join(kept).rstrip()

    def calling_frame(self, frame: types.FrameType | None) -> tuple[str, int]:
        """File and line of the bot's frame that called a frame, without an import between."""
        while frame is not None:
            name = frame.f_code.co_filename
            if name.startswith("<frozen importlib"):
                break
            if self.owns(name):
                return self.shown(name), frame.f_lineno
            frame = frame.f_back
        return self.file, 0


def line_of(thing: Any) -> int:
    """First line of a class or function, 0 when it has none."""
    try:
        return inspect.getsourcelines(thing)[1] or 1
    except (OSError, TypeError, IndexError):
        return 0


def hook_lines(strategy: type) -> dict[str, int]:
    """Line of each hook that a class has."""
    lines = {}
    for hook in (*HOOKS, "__init__", "prepare"):
        function = inspect.getattr_static(strategy, hook, None)
        function = getattr(function, "__func__", function)
        if not inspect.isfunction(function):
            continue
        if not (function.__module__ or "").startswith("hearts_sim."):
            lines[hook] = function.__code__.co_firstlineno
    return lines


def line_of_name(file: str, name: str) -> int:
    """Line where a name, of a module or in a class, is first set in a file; 0 for none."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return 0
    lines = [node.lineno for node in _assignments(tree) if name in _set_by(node)]
    return min(lines, default=0)


def _assignments(tree: ast.AST) -> Iterator[Any]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.FunctionDef):
            yield node


def _set_by(node: Any) -> set[str]:
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {
        str(getattr(part, "id", "") or getattr(part, "attr", ""))
        for target in targets
        for part in ast.walk(target)
        if isinstance(part, ast.Name | ast.Attribute)
    }


def lines_that_use(file: str, modules: tuple[str, ...]) -> list[int]:
    """Lines of a file that call something of a module, such as ``random.random()``."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return []
    return sorted(
        {
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and ast.unparse(node).startswith(modules)
        }
    )
