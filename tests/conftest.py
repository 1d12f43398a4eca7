"""Shared by all tests: hypothesis profiles, the folders that hold test tools, the strategies."""

from __future__ import annotations

import os
import sys
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
    """Put the statistics, which need no engine, behind the first file that compiles it.

    Workers take the files in this order. With an empty cache one of them compiles the engine for
    half a minute, and the other one would compile it as well if it needed it meanwhile.
    """
    first = next((item.path for item in items if item.path.parent.name not in _NO_ENGINE), None)
    items.sort(key=lambda item: (item.path != first, item.path.parent.name != "stats"))


_NO_ENGINE = ("benchmarks", "stats")


@pytest.fixture(scope="session")
def library() -> Library:
    """The strategies of the repository."""
    return load_folders([TESTS.parent / "strategies"])


@pytest.fixture(scope="session")
def limit_source() -> Path:
    """The plain C program that random play is measured against."""
    return TESTS / "benchmarks" / "limit.c"
