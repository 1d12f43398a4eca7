"""Shared by all tests: hypothesis profiles, the folders that hold test tools, the strategies."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from hearts_sim.strategy.loader import Library, load_folders

TESTS = Path(__file__).parent

# The tests are no package: `twin` and the tools beside the engine's tests are found by name.
for folder in (TESTS, TESTS / "engine", TESTS / "report", TESTS / "zoo"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

pytest.register_assert_rewrite("pair", "replay")

# The processes that tests start read compiled modules, as they do where the package is installed.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# No deadline: the first call of a compiled function takes seconds. In CI every run is the same.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files first that compile what others need, and then those that take longest.

    Workers take the files in this order: first one each, then another one each, then whoever has
    none left takes the next. With an empty cache two of them would compile the same if they came
    to it at the same time, and a long file at the end would be waited for.
    """
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    """How early a test comes; those with equal numbers stay as they are."""
    file = item.path.relative_to(TESTS).as_posix()
    return next((n for n, start in enumerate(_FIRST) if file.startswith(start)), len(_FIRST))


_FIRST = (
    "checking/test_check_strategy.py",  # compiles the engine
    "test_lint.py",  # needs no engine, and takes as long
    "stats/test_bradley_terry.py",  # nor does this one
    "search/test_endgame.py",  # compiles all searches
    "tournament/test_counting.py",  # compiles what is counted of every run
    "engine/test_twin.py",  # compiles the engine again for two packs and a kitty
    "strategies/test_contract.py",  # compiles the strategies
    "search/test_belief.py",
    "faults/test_zoo.py",
    "cluster/",
    "tournament/test_stopping.py",
    "tournament/test_extension.py",
    "survival/",
    "report/test_legible.py",
    "report/test_charts.py",
    "search/test_players.py",
    "tournament/test_audit.py",
    "strategy_interface/test_compiled.py",
    "checking/",
    "faults/",
    "remote/",
    "cli/",
    "hiding/",
    "engine/",
    "foreign/",
    "tournament/test_config.py",
    "tournament/test_sweep.py",
    "strategies/",
)


_LOADED = pytest.StashKey[frozenset[str]]()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note what finding the tests has imported."""
    session.config.stash[_LOADED] = frozenset(sys.modules)


@pytest.fixture(scope="session")
def loaded_to_find_tests(pytestconfig: pytest.Config) -> frozenset[str]:
    """Names of the modules that were imported before the first test."""
    return pytestconfig.stash[_LOADED]


@pytest.fixture(scope="session", autouse=True)
def nothing_is_synced() -> Iterator[None]:
    """What tests write in their own process need not outlive the machine.

    It takes half the time of a small run, in waiting; processes that tests start do sync.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="session")
def library() -> Library:
    """The strategies of the repository."""
    return load_folders([TESTS.parent / "strategies"])


@pytest.fixture(scope="session")
def limit_source() -> Path:
    """The plain C program that random play is measured against."""
    return TESTS / "benchmarks" / "limit.c"
