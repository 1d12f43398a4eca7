"""A strategy that is being checked, and loading it."""

from __future__ import annotations

import contextlib
import copy
import difflib
import importlib
import inspect
import io
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hearts_sim.engine.layout import HOOKS
from hearts_sim.errors import HeartsError, RulesError, StrategyLoadError
from hearts_sim.rules import Rules
from hearts_sim.strategy import loader
from hearts_sim.strategy.base import CompiledStrategy, decides_by_clock, has_hook
from hearts_sim.strategy.loader import Found, Library, check_options
from hearts_sim.strategy.seated import Seated
from hearts_sim.testing.report import Finding
from hearts_sim.testing.source import Source, hook_lines, line_of, line_of_name
from hearts_sim.testing.target import Plan, Target, all_tables, rules_of

Tell = Callable[[dict[str, Any]], None]
"""Takes what the check has to say: a mapping of JSON values with the key ``event``."""

SLOW_IMPORT: Final = 5.0

_PLACE = re.compile(r"(?P<file>.*?\.py)(?::(?P<line>\d+))?: (?P<text>.*)", re.DOTALL)


@dataclass
class Subject:
    """A strategy with all that its check needs.

    Attributes
    ----------
    seated : Seated
    source : Source
    line : int
        Line of its class.
    hooks : dict of str to int
        Line of each of its hooks.
    tables : list of (str, Rules)
        What it is to play, with the name for people.
    """

    seated: Seated
    source: Source
    tell: Tell
    line: int = 0
    hooks: dict[str, int] = field(default_factory=dict)
    tables: list[tuple[str, Rules]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._options = copy.deepcopy(dict(self.seated.options))

    @property
    def name(self) -> str:
        """Name of the strategy."""
        return self.seated.name

    @property
    def compiled(self) -> bool:
        """Whether numba compiles it."""
        kind = self.seated.strategy
        return isinstance(kind, type) and issubclass(kind, CompiledStrategy)

    @property
    def uses_clock(self) -> bool:
        """Whether it declares that it decides by a clock."""
        declared = getattr(self.seated.strategy, "uses_clock", False)
        return decides_by_clock(declared, self.seated.options)

    @property
    def plain(self) -> bool:
        """Whether it is plain Python in this process."""
        return self.seated.strategy is not None and not self.compiled

    def passed(self, text: str) -> None:
        """Something was checked, and it was well."""
        self.tell({"event": "passed", "strategy": self.name, "text": text})

    def found(
        self,
        severity: str,
        kind: str,
        message: str,
        place: tuple[str, int] = ("", 0),
        detail: str = "",
    ) -> None:
        """Something was found; without a place it is that of the class."""
        file, line = place
        if not line:
            file, line = self.source.file, self.line
        tell_finding(self.tell, Finding(self.name, severity, kind, message, file, line, detail))

    def begin(self, step: str) -> None:
        """Say what is done now, so that it can be blamed if the process does not survive it."""
        self.tell({"event": "step", "strategy": self.name, "step": step})

    def copy_of_options(self) -> dict[str, Any]:
        """Its options, with nothing in them that others have too."""
        return copy.deepcopy(self._options)


def tell_finding(tell: Tell, finding: Finding) -> None:
    """Pass a finding on."""
    tell({"event": "finding", **finding.__dict__})


def finding_of(
    error: HeartsError, kind: str, strategy: str = "", file: str = "", line: int = 0
) -> Finding:
    """A finding from an error that may begin with ``file:line:``."""
    match = _PLACE.fullmatch(str(error))
    text = str(error)
    if match:
        file, line = match["file"], int(match["line"] or 0) or line
        text = match["text"]
    first, *rest = text.splitlines()
    if first.endswith(":") and rest:
        first = f"{first} {rest.pop(0).strip()}"
    return Finding(strategy, "error", kind, first, file, line, "\n".join(rest))


def subjects_of(target: Target, plan: Plan, skip: set[str], tell: Tell) -> Iterator[Subject]:
    """Load what a target holds, one strategy after the other."""
    if target.command or target.library:
        seated = Seated(
            target.name,
            options=dict(target.options),
            file=" ".join(target.command) or target.library,
            command=target.command,
            folder=target.folder,
            library=target.library,
            symbol=target.symbol,
        )
        subject = Subject(seated, Source(""), tell)
        what = "a program" if target.command else f"a function of {target.library}"
        _announce(subject, what)
        if _choose_tables(subject, plan, None):
            yield subject
        return
    tell({"event": "step", "strategy": "", "step": "import", "file": target.file})
    library, seconds, printed = _load(target)
    strategies = [
        found
        for found in library.found.values()
        if found.name not in skip and target.only in ("", found.name)
    ]
    for problem in library.problems:
        kind = "import" if "does not import" in str(problem) else "hook"
        if not target.only or kind == "import" or f"class {target.only} " in str(problem):
            tell_finding(tell, finding_of(problem, kind, file=target.file))
    if not library.found and not library.problems and not target.only:
        text = "has no strategy: expected a class that is built on hearts_sim.Strategy"
        tell_finding(tell, Finding("", "error", "import", text, target.file))
    for found in strategies:
        subject = _subject(found, target, tell)
        prints = f", and prints {printed.splitlines()[0]!r}" if printed else ", prints nothing"
        subject.passed(f"is imported in {seconds:.2f} s{prints}")
        if printed:
            subject.found(
                "hint", "import_prints", "prints when it is imported, in every process of a run"
            )
        if seconds > SLOW_IMPORT:
            subject.found(
                "hint",
                "slow_import",
                f"takes {seconds:.0f} s to import, in every process of a run: what is dear to load "
                "belongs in prepare()",
            )
        if _look_at(subject) and _choose_tables(subject, plan, found.strategy):
            yield subject


def _subject(found: Found, target: Target, tell: Tell) -> Subject:
    assert found.strategy is not None
    seated = Seated(found.name, found.strategy, dict(target.options), found.digest, str(found.file))
    subject = Subject(seated, Source(found.file), tell)
    subject.line = line_of(found.strategy)
    subject.hooks = hook_lines(found.strategy)
    _announce(subject, "compiled" if found.compiled else "plain Python")
    return subject


def session_subject(strategy: type, plan: Plan, options: Any, tell: Tell) -> Subject | None:
    """A class that was made in this session; None when it cannot play."""
    try:
        file = inspect.getsourcefile(strategy) or ""
    except (OSError, TypeError):
        file = ""
    subject = Subject(
        Seated(strategy.__name__, strategy, dict(options), file=file or "a class made in Python"),
        Source(file),
        tell,
        line_of(strategy),
        hook_lines(strategy),
    )
    compiled = issubclass(strategy, CompiledStrategy)
    _announce(subject, "compiled" if compiled else "plain Python")
    if not has_hook(strategy, "choose_card"):
        subject.found("error", "hook", "has no choose_card: every strategy needs one")
        return None
    if not _look_at(subject) or not _choose_tables(subject, plan, strategy):
        return None
    return subject


def _announce(subject: Subject, what: str) -> None:
    subject.tell(
        {
            "event": "strategy",
            "strategy": subject.name,
            "what": what,
            "file": subject.source.file,
            "line": subject.line,
            "hooks": subject.hooks,
        }
    )


def _load(target: Target) -> tuple[Library, float, str]:
    """The strategies of a file, how long that took, and what it printed."""
    library = Library()
    printed = io.StringIO()
    began = time.perf_counter()
    with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
        if not target.module or not _load_module(target, library):
            loader._load_file(Path(target.file), library)
    return library, time.perf_counter() - began, printed.getvalue().strip()


def _load_module(target: Target, library: Library) -> bool:
    """Import a file as the module that it is, so that its imports find their package."""
    try:
        module = importlib.import_module(target.module)
    except Exception:
        return False
    if Path(getattr(module, "__file__", None) or "").resolve() != Path(target.file).resolve():
        return False
    strategy = getattr(module, target.only, None)
    if not isinstance(strategy, type):
        return False
    digest = loader.source_digest(Path(target.file))
    library.found[target.only] = Found.of(target.only, strategy, target.file, digest)
    return True


def _look_at(subject: Subject) -> bool:
    """See what can be seen without playing; False when it cannot play."""
    strategy = subject.seated.strategy
    assert isinstance(strategy, type)
    # Not inspect.getdoc, which finds that of the base class.
    if not (strategy.__doc__ or "").strip():
        subject.found(
            "hint", "docstring", "has no docstring: its first line is shown in the list of bots"
        )
    for name, value in vars(strategy).items():
        near = difflib.get_close_matches(name, HOOKS, n=1, cutoff=0.8)
        if near and name not in HOOKS and callable(getattr(value, "__func__", value)):
            line = getattr(getattr(value, "__code__", None), "co_firstlineno", 0)
            subject.found(
                "warning",
                "hook",
                f"{name} is never called: did you mean the hook {near[0]}?",
                (subject.source.file, line),
            )
    fine = True
    for hook in HOOKS:
        function = inspect.getattr_static(strategy, hook, None)
        if subject.compiled or not has_hook(strategy, hook) or not inspect.isfunction(function):
            continue
        try:
            inspect.signature(function).bind(None, None)
        except TypeError:
            fine = False
            subject.found(
                "error",
                "hook",
                f"{hook} takes {inspect.signature(function)}: expected (self, view)",
                (subject.source.file, subject.hooks.get(hook, 0)),
            )
    found = Found.of(
        subject.name,
        strategy,
        subject.source.file or subject.seated.file,
        subject.seated.digest,
    )
    try:
        check_options(found, subject.seated.options)
    except StrategyLoadError as error:
        text = str(error).split(": ", 1)[-1]
        subject.found("error", "options", text, (subject.source.file, subject.line))
        fine = False
    return fine


def _choose_tables(subject: Subject, plan: Plan, strategy: type | None) -> bool:
    """Choose the rules that it is to play; False when what it declares is none."""
    declared = getattr(strategy, "rules", None)
    try:
        if plan.every:
            subject.tables = all_tables()
        elif plan.rules:
            subject.tables = rules_of(list(plan.rules))
        else:
            subject.tables = rules_of("black_lady" if declared is None else declared)
    except RulesError as error:
        line = line_of_name(subject.source.file, "rules") or subject.line
        subject.found(
            "error",
            "rules",
            f"its attribute rules is no rules: {error}",
            (subject.source.file, line),
        )
        return False
    return True
