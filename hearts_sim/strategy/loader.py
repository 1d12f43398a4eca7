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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hearts_sim.errors import StrategyLoadError
from hearts_sim.rules import nearest
from hearts_sim.strategy.base import (
    AnyStrategy,
    CompiledStrategy,
    Strategy,
    decides_by_clock,
    has_hook,
)


@dataclass(frozen=True)
class Takes:
    """The options of a strategy.

    Attributes
    ----------
    names : tuple of str
    required : tuple of str
        Those that must be given.
    anything : bool
        Whether any other name will do too.
    defaults : mapping
        Values of those that are left out, where they are numbers, texts or booleans.
    """

    names: tuple[str, ...]
    required: tuple[str, ...] = ()
    anything: bool = False
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """A strategy class and where it comes from.

    Attributes
    ----------
    name : str
    strategy : class or None
        None where another process has looked at it.
    file : str
    digest : str
        Of its file and the helpers beside it.
    line : int
        Of the class in the file; 0 when it cannot be known.
    compiled : bool
        Whether numba compiles it.
    summary : str
        First line of its docstring.
    takes : Takes
    uses_clock : bool or str
    with_two_packs : str
        As it declares; see `Strategy`.
    """

    name: str
    strategy: AnyStrategy | None
    file: str
    digest: str
    line: int
    compiled: bool
    summary: str
    takes: Takes
    uses_clock: bool | str = False
    with_two_packs: str = ""

    @classmethod
    def of(cls, name: str, strategy: AnyStrategy, file: str, digest: str) -> Found:
        """A class, with what can be told of it."""
        text = strategy.__doc__ if isinstance(strategy.__doc__, str) else ""
        return cls(
            name,
            strategy,
            file,
            digest,
            line=_line_of(strategy),
            compiled=issubclass(strategy, CompiledStrategy),
            summary=inspect.cleandoc(text).split("\n")[0],
            takes=_takes(strategy),
            uses_clock=strategy.uses_clock,
            with_two_packs=strategy.with_two_packs,
        )

    def decides_by_clock(self, options: Mapping[str, Any]) -> bool:
        """Whether it decides by a clock with these options."""
        return decides_by_clock(self.uses_clock, options)

    @property
    def where(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass
class Library:
    """What some folders hold: strategies by name, and what went wrong with the others."""

    found: dict[str, Found] = field(default_factory=dict)
    problems: list[StrategyLoadError] = field(default_factory=list)

    def told(self) -> Library:
        """The same without the classes: what can be told to another process."""
        found = {name: replace(item, strategy=None) for name, item in self.found.items()}
        return Library(found, self.problems)

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
    return load_files(strategy_files(folders))


def strategy_files(folders: Iterable[str | os.PathLike[str]]) -> list[str]:
    """The strategy files of some folders, in the order in which they are imported."""
    return [
        str(path)
        for folder in folders
        for path in sorted(Path(folder).glob("*.py"))
        if not path.name.startswith("_")
    ]


def load_files(
    files: Sequence[str],
    entering: Callable[[int], None] = lambda place: None,
    barred: Mapping[str, str] | None = None,
) -> Library:
    """Import strategy files.

    Parameters
    ----------
    files : sequence of str
    entering : callable
        Called with the place of each in the sequence before it is imported.
    barred : mapping, optional
        Files that are not to be imported, and why.
    """
    library = Library()
    for folder in dict.fromkeys(Path(file).parent for file in files):
        _forget_helpers(folder)
    for place, file in enumerate(files):
        if barred is not None and file in barred:
            library.problems.append(StrategyLoadError(barred[file]))
            continue
        entering(place)
        _load_file(Path(file), library)
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
            _add(value, Found.of(name, value, str(path), digest), library)


def _takes(strategy: AnyStrategy) -> Takes:
    if issubclass(strategy, CompiledStrategy):
        return Takes(tuple(strategy.options), defaults=_plain(strategy.options))
    if strategy.__init__ is object.__init__:
        return Takes(())
    try:
        parameters = list(inspect.signature(strategy.__init__).parameters.values())[1:]
    except (TypeError, ValueError):  # what it is given will be seen when it plays
        return Takes((), anything=True)
    named = [
        item for item in parameters if item.kind in (item.KEYWORD_ONLY, item.POSITIONAL_OR_KEYWORD)
    ]
    return Takes(
        tuple(item.name for item in named),
        tuple(item.name for item in named if item.default is item.empty),
        any(item.kind is item.VAR_KEYWORD for item in parameters),
        _plain({item.name: item.default for item in named}),
    )


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are numbers, texts or booleans: a process can tell them to another one."""
    return {name: value for name, value in values.items() if type(value) in (bool, int, float, str)}


def _add(strategy: AnyStrategy, found: Found, library: Library) -> None:
    if not has_hook(strategy, "choose_card"):
        problem = (
            f"{found.where}: class {found.name} has no choose_card: every strategy needs "
            "choose_card(self, view); a class that others are built on gets a name with _ in front"
        )
    elif found.name in library.found:
        other = library.found[found.name]
        problem = (
            f"{found.where}: class {found.name} is also in {other.where}: "
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
    where, takes = f"{found.where}: {found.name}", found.takes
    for option in options:
        if option not in takes.names and not takes.anything:
            known = nearest(option, takes.names) if takes.names else ": it has no options"
            raise StrategyLoadError(f"{where} takes no option {option!r}{known}")
        if found.compiled and not isinstance(options[option], int | float):
            raise StrategyLoadError(
                f"{where}: option {option} must be a number, got {options[option]!r}"
            )
    missing = [name for name in takes.required if name not in options]
    if missing:
        raise StrategyLoadError(f"{where} needs the option {missing[0]!r}: give it under options")
