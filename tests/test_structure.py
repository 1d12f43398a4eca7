"""Imports go one way, and what takes its time is imported late."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from trial import python

PACKAGE = Path(__file__).parents[1] / "hearts_sim"

# What each part may import of the others. Nothing that stands above is named below it.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "cards": {"errors"},
    "rules": {"cards", "errors"},
    "engine": {"cards", "errors", "rules"},
    "include": set(),
    "strategy": {"cards", "errors", "rules", "engine"},
    "search": {"cards", "errors", "rules", "engine", "strategy"},
    "stats": set(),
    "tournament": {"cards", "errors", "rules", "engine", "strategy", "stats"},
    "report": {"cards", "errors", "rules", "stats", "tournament"},
    "testing": {"cards", "errors", "rules", "engine", "strategy", "search", "tournament"},
    "api": {"cards", "errors", "rules", "engine", "strategy", "stats", "tournament", "report"},
    "cli": {
        "",
        "api",
        "errors",
        "rules",
        "engine",
        "strategy",
        "tournament",
        "report",
        "testing",
    },  # fmt: skip,
}
OF_A_TOURNAMENT = (
    "log", "plan", "config", "counting", "players", "cluster", "reading", "run", "sweep",
)  # fmt: skip
REPORTING = {"scipy.special", "scipy.sparse", "scipy.stats", "matplotlib", "jinja2", "pandas"}
HEAVY = {
    "numba", "llvmlite", "pandas", "scipy", "pydantic", "pyarrow", "matplotlib", "jinja2",
    "dask", "distributed",
}  # fmt: skip


def sources() -> Iterator[tuple[str, Path]]:
    """Every module of the package, with the part that it belongs to."""
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        if relative.parts[0] != "__init__.py":
            yield relative.parts[0].removesuffix(".py"), path


def imports(path: Path, *, late: bool = True) -> Iterator[str]:
    """Full names of the modules that a file imports.

    Without `late`, only those that are imported when it is imported itself: not in functions, and
    not what only type checkers see.
    """
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            yield node.module
        elif late or not _is_late(node):
            nodes += ast.iter_child_nodes(node)


def _is_late(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


MODULES = list(sources())


@pytest.mark.parametrize(
    ("part", "path"), MODULES, ids=[str(path.relative_to(PACKAGE)) for _, path in MODULES]
)
def test_imports_go_one_way(part: str, path: Path) -> None:
    """A module imports only of its own part and of those below it."""
    assert part in MAY_IMPORT, f"{part} is a new part: say what it may import"
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "hearts_sim":
            other = parts[1] if len(parts) > 1 else ""
            # The version stands in the package itself.
            allowed = MAY_IMPORT[part] | {part} | ({""} if part == "tournament" else set())
            assert other in allowed, f"{path}: imports {name}"


@pytest.mark.parametrize("place", range(len(OF_A_TOURNAMENT)), ids=OF_A_TOURNAMENT)
def test_a_tournament_is_built_from_below(place: int) -> None:
    """The folders of `tournament` need, when they are imported, only those before them."""
    above = OF_A_TOURNAMENT[place + 1 :]
    files = list((PACKAGE / "tournament" / OF_A_TOURNAMENT[place]).glob("*.py"))
    assert len(files) > 2
    for path in files:
        for name in imports(path, late=False):
            parts = name.split(".")
            if parts[:2] == ["hearts_sim", "tournament"]:
                assert parts[2] not in above, f"{path}: imports {name}"


def test_stats_stand_alone() -> None:
    """`stats` needs nothing but the standard library, numpy and scipy."""
    for part, path in MODULES:
        if part == "stats":
            names = {name.split(".")[0] for name in imports(path)}
            assert names <= {
                "__future__", "collections", "dataclasses", "functools", "hearts_sim", "itertools",
                "math", "numpy", "scipy", "typing", "warnings",
            }  # fmt: skip


def test_commands_import_late() -> None:
    """On its top level a command imports click and what is as light."""
    light = {
        "hearts_sim", "hearts_sim.errors", "hearts_sim.rules", "hearts_sim.report.kinds",
        "hearts_sim.tournament.run.watching",
    }  # fmt: skip
    for part, path in MODULES:
        if part == "cli":
            for name in imports(path, late=False):
                assert name.split(".")[0] not in HEAVY, f"{path}: imports {name} at once"
                if name.startswith("hearts_sim") and not name.startswith("hearts_sim.cli"):
                    assert name in light, f"{path}: imports {name} at once"


@pytest.mark.parametrize(
    ("statement", "forbidden"),
    [
        ("import hearts_sim", HEAVY | {"numpy", "click"}),
        ("from hearts_sim import Strategy, Card, CardSet, Rules, CompiledStrategy", HEAVY),
        ("import hearts_sim.tournament.config.reading", HEAVY - {"pydantic"}),
        ("import hearts_sim.tournament.plan.schedule", HEAVY),
        ("import hearts_sim.stats", HEAVY),
        ("from hearts_sim.testing import check_strategy, Report", HEAVY),
        ("import hearts_sim.strategy.loader", HEAVY),
        ("import hearts_sim.search", HEAVY | {"numpy"}),
        ("from hearts_sim import run, load, play_game, Table", REPORTING | {"pyarrow"}),
        ("import hearts_sim.tournament.run.runner", REPORTING | {"dask", "distributed"}),
        ("import hearts_sim.tournament.cluster.guest", HEAVY),
        (
            "from hearts_sim.tournament.run import checks\n"
            "from hearts_sim.tournament.log import part_result\n"
            "from hearts_sim.tournament.counting import tally",
            HEAVY - {"pyarrow"},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_light_imports(statement: str, forbidden: set[str]) -> None:
    """Importing the package is cheap; numba comes with what plays, the rest with the report."""
    program = f"import sys\n{statement}\nprint(sorted({forbidden!r} & set(sys.modules)))"
    done = python("-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"


def test_linear_algebra_waits() -> None:
    """A game needs no scipy; a compiled function that multiplies matrices has it."""
    program = """
import sys, numpy, numba
from hearts_sim import Rules
from hearts_sim.engine.machine import Machine
Machine(Rules(), 1, "hands", 4)
print("scipy.linalg" in sys.modules)
times = numba.njit(lambda matrix: (matrix @ matrix, numpy.linalg.inv(matrix)))
print([int(x.sum()) for x in times(numpy.diag([0.5, 0.25]) * 4)], "scipy.linalg" in sys.modules)
"""
    done = python("-c", program)
    assert done.stdout == "False\n[5, 1] True\n", done.stderr


def test_a_log_needs_no_pandas() -> None:
    """What is played is written without it: importing it takes longer than a thousand games."""
    program = """
import sys, numpy
from hearts_sim import Rules
from hearts_sim.tournament.log.columns import TABLES, arrow_table, names_for, parquet
for name in ("hands", "games"):
    rows = {column.name: numpy.zeros(4, column.dtype) for column in TABLES[name]}
    table = arrow_table(name, rows, names_for(Rules(), ["one", "two"]))
    print(len(parquet(name, table)) > 500, table["strategy"][0], "pandas" in sys.modules)
"""
    done = python("-c", program)
    assert done.stdout == "True one False\n" * 2, done.stderr


def test_public_names() -> None:
    """Every public name can be imported from the package, and others cannot."""
    import hearts_sim

    for name in hearts_sim.__all__:
        assert getattr(hearts_sim, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        hearts_sim.nothing  # noqa: B018


def test_public_names_have_docstrings() -> None:
    """Every public name says what it is."""
    import hearts_sim

    for name in hearts_sim.__all__:
        if name != "__version__":
            assert (getattr(hearts_sim, name).__doc__ or "").strip(), name


def test_sources_are_typed() -> None:
    """The package says that it has types."""
    assert (PACKAGE / "py.typed").exists()


def test_no_search_is_compiled_to_find_the_tests(loaded_to_find_tests: frozenset[str]) -> None:
    """What searches link to is compiled as it is imported: every worker would, at the same time."""
    link_at_once = re.compile(r"^@linked\((?!.*later=True)", re.MULTILINE)
    compiles = {
        f"hearts_sim.search.{path.stem}"
        for path in (PACKAGE / "search").glob("*.py")
        if link_at_once.search(path.read_text(encoding="utf-8"))
    }
    assert len(compiles) > 4
    assert compiles & loaded_to_find_tests == set()
