"""Finding strategies in folders, and saying clearly what is wrong with them."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import nearest
from hearts_sim.strategy.base import AnyStrategy, CompiledStrategy, Strategy, has_hook


@dataclass(frozen=True)
class Found:
    """A strategy class and where it comes from."""

    name: str
    strategy: AnyStrategy
    file: str
    digest: str

    @property
    def compiled(self) -> bool:
        """Whether numba compiles it."""
        return issubclass(self.strategy, CompiledStrategy)

    @property
    def summary(self) -> str:
        """First line of its docstring."""
        return inspect.cleandoc(self.strategy.__doc__ or "").split("\n")[0]


@dataclass
class Library:
    """What some folders hold: strategies by name, and what went wrong with the others."""

    folders: Sequence[str] = ()
    found: dict[str, Found] = field(default_factory=dict)
    problems: list[StrategyLoadError] = field(default_factory=list)

    def get(self, name: str) -> Found:
        """The strategy of that name.

        Raises
        ------
        StrategyLoadError
            When there is none (with the nearest name), or its file has a problem.
        """
        if name in self.found:
            return self.found[name]
        text = f"no strategy is called {name!r}{nearest(name, self.found)}"
        if self.problems:
            text += "\nand these could not be loaded:\n" + "\n".join(map(str, self.problems))
        raise StrategyLoadError(text)


def load_folders(folders: Iterable[str | os.PathLike[str]]) -> Library:
    """Import every strategy file of some folders.

    A file whose name starts with ``_`` is a helper and not imported by itself; so is a class whose
    name starts with ``_``. Files are imported as modules of a package that stands for their folder,
    so ``from ._helper import x`` works.
    """
    library = Library([str(folder) for folder in folders])
    for folder in map(Path, library.folders):
        _forget_helpers(folder)
        for path in sorted(folder.glob("*.py")):
            if not path.name.startswith("_"):
                _load_file(path, library)
    return library


def _forget_helpers(folder: Path) -> None:
    """Let helpers be imported afresh: they may have been edited since."""
    prefix = f"{package_name(folder)}._"
    for name in [name for name in sys.modules if name.startswith(prefix)]:
        del sys.modules[name]


def source_digest(path: Path) -> str:
    """Digest of a strategy file and of the helpers beside it."""
    digest = hashlib.sha256()
    for source in dict.fromkeys((path, *sorted(path.parent.glob("_*.py")))):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def load_class(path: Path, name: str, digest: str) -> AnyStrategy:
    """Import one file again, in another process, and return a class of it.

    Parameters
    ----------
    digest : str
        The `source_digest` that the file had when it was first imported.

    Raises
    ------
    StrategyLoadError
        When the file has changed, does not import, or has no such class.
    """
    try:
        changed = source_digest(path) != digest
    except OSError as error:
        raise StrategyLoadError(f"{path}: cannot be read: {error.strerror}") from None
    if changed:
        raise StrategyLoadError(
            f"{path}: it, or a helper beside it, was changed after the run began: start it again"
        )
    strategy = getattr(_import(path), name, None)
    if isinstance(strategy, type) and issubclass(strategy, Strategy | CompiledStrategy):
        return strategy
    raise StrategyLoadError(f"{path}: imported again in another process, it has no class {name}")


def _load_file(path: Path, library: Library) -> None:
    try:
        digest = source_digest(path)
        module = _import(path)
    except StrategyLoadError as problem:
        library.problems.append(problem)
        return
    except OSError as error:
        library.problems.append(StrategyLoadError(f"{path}: cannot be read: {error.strerror}"))
        return
    for name, value in sorted(vars(module).items()):
        is_strategy = isinstance(value, type) and issubclass(value, Strategy | CompiledStrategy)
        if not is_strategy or value.__module__ != module.__name__ or value.__name__ != name:
            continue
        if not name.startswith("_"):
            found = Found(name, value, str(path), digest)
            _add(found, library)


def _add(found: Found, library: Library) -> None:
    line = _line_of(found.strategy)
    where = f"{found.file}:{line}" if line else found.file
    if not has_hook(found.strategy, "choose_card"):
        problem = (
            f"{where}: class {found.name} has no choose_card: every strategy needs "
            "choose_card(self, view); a class that others are built on gets a name with _ in front"
        )
    elif found.name in library.found:
        other = library.found[found.name]
        problem = (
            f"{where}: class {found.name} is also in {other.file}:{_line_of(other.strategy)}: "
            "rename one of them, names must be unique over all files"
        )
    else:
        library.found[found.name] = found
        return
    library.problems.append(StrategyLoadError(problem))


def _line_of(strategy: AnyStrategy) -> int:
    try:
        return inspect.getsourcelines(strategy)[1]
    except (OSError, TypeError):
        return 0


def package_name(folder: Path) -> str:
    """Name of the package that stands for a folder, the same in every process."""
    return f"hearts_sim_folder_{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:12]}"


def _import(path: Path) -> types.ModuleType:
    package = package_name(path.parent)
    if package not in sys.modules:
        parent = types.ModuleType(package)
        parent.__path__ = [str(path.parent.resolve())]
        sys.modules[package] = parent
    name = f"{package}.{path.stem}"
    if name in sys.modules:
        del sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise StrategyLoadError(f"{path}: is no Python file")
    module = importlib.util.module_from_spec(spec)
    # Before it runs: numba finds cached code by the module's name.
    sys.modules[name] = module
    try:
        _execute(spec, module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise StrategyLoadError(_why(path, error)) from error
    return module


def _execute(spec: Any, module: types.ModuleType) -> None:
    """Run a module; what it prints goes to stderr.

    No byte code is kept: Python would not notice an edit within the same second.
    """
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before


def _why(path: Path, error: BaseException) -> str:
    line: int | None = None
    if isinstance(error, SyntaxError):
        line = error.lineno
        text = error.msg
    else:
        for frame in traceback.extract_tb(error.__traceback__):
            if Path(frame.filename) == path.resolve():
                line = frame.lineno
        text = str(error) or "no message"
    message = f"{path}{f':{line}' if line else ''}: does not import: {type(error).__name__}: {text}"
    if isinstance(error, ModuleNotFoundError):
        helper = path.with_name(f"{error.name}.py")
        if helper.exists():
            message += f"; a file beside it is imported as: from .{error.name} import ..."
        else:
            message += "; install the package where hearts-sim is installed"
    return message


def check_options(found: Found, options: Mapping[str, Any]) -> None:
    """See that a strategy takes these options.

    Raises
    ------
    StrategyLoadError
        For an option that it does not take (with the nearest name) or one that is missing.
    """
    where = f"{found.file}:{_line_of(found.strategy)}: {found.name}"
    if issubclass(found.strategy, CompiledStrategy):
        names = list(found.strategy.options)
        required: list[str] = []
        takes_any = False
    else:
        parameters = list(inspect.signature(found.strategy.__init__).parameters.values())[1:]
        takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
        named = [
            parameter
            for parameter in parameters
            if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        if found.strategy.__init__ is object.__init__:
            named, takes_any = [], False
        names = [parameter.name for parameter in named]
        required = [item.name for item in named if item.default is item.empty]
    for option in options:
        if option not in names and not takes_any:
            known = nearest(option, names) if names else ": it has no options"
            raise StrategyLoadError(f"{where} takes no option {option!r}{known}")
        if issubclass(found.strategy, CompiledStrategy) and not isinstance(
            options[option], int | float
        ):
            raise StrategyLoadError(
                f"{where}: option {option} must be a number, got {options[option]!r}"
            )
    missing = [name for name in required if name not in options]
    if missing:
        raise StrategyLoadError(f"{where} needs the option {missing[0]!r}: give it under options")
